/* Combinations of properties: the paper's example, the definitions on random vectors, the limits of
 * tolerances and goals, and combinations that make no sense. */
#include "base/rng.h"
#include "support/comparison_trial.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

enum { ROWS = 12, PROPERTIES = 3 };

static pv_verdict_of_two combine(const sample_comparison *s, size_t first, size_t second,
                                 pv_combination_kind kind, const pv_term *terms, size_t n_terms)
{
    const pv_combination combination = {.kind = kind, .terms = terms, .n_terms = n_terms};
    pv_verdict_of_two verdict;
    pv_error error = {0};
    assert_int_equal(pv_combine(&s->comparison, first, second, &combination, &verdict, &error),
                     PV_STATUS_OK);
    return verdict;
}

static void assert_verdict(pv_verdict_of_two v, double first, double second, pv_winner winner)
{
    assert_true(fabs(v.first - first) <= 1e-12);
    assert_true(fabs(v.second - second) <= 1e-12);
    assert_int_equal(v.winner, winner);
}

/* ---------------------------------------------------------------- the paper */

static void test_equal_weights_of_the_paper(void **state)
{
    (void)state;
    sample_comparison s;
    sample_comparison_paper(&s);
    pv_term terms[] = {{.property = PAPER_SIZE, .index = PV_INDEX_COV, .weight = .5},
                       {.property = PAPER_UTILITY, .index = PV_INDEX_COV, .weight = .5}};
    assert_verdict(combine(&s, PAPER_3A, PAPER_3B, PV_COMBINE_WTD, terms, 2), .65, .65,
                   PV_NOBODY_WINS);
    terms[0].weight = 3; /* weights need not sum to 1 */
    terms[1].weight = 1;
    assert_verdict(combine(&s, PAPER_3A, PAPER_3B, PV_COMBINE_WTD, terms, 2), .475, .825,
                   PV_SECOND_WINS);
}

static void test_order_of_the_paper(void **state)
{
    (void)state;
    sample_comparison s;
    sample_comparison_paper(&s);
    pv_term terms[] = {{.property = PAPER_SIZE, .index = PV_INDEX_COV},
                       {.property = PAPER_UTILITY, .index = PV_INDEX_COV}};
    assert_verdict(combine(&s, PAPER_3A, PAPER_3B, PV_COMBINE_LEX, terms, 2), 2, 1, PV_SECOND_WINS);
    terms[0].tolerance = .7; /* the lead is .7: no more than tolerated, whatever is rounded */
    assert_verdict(combine(&s, PAPER_3A, PAPER_3B, PV_COMBINE_LEX, terms, 2), 2, 3, PV_FIRST_WINS);
    terms[1].tolerance = 1;
    assert_verdict(combine(&s, PAPER_3A, PAPER_3B, PV_COMBINE_LEX, terms, 2), 3, 3, PV_NOBODY_WINS);
}

static void test_goals_of_the_paper(void **state)
{
    (void)state;
    sample_comparison s;
    sample_comparison_paper(&s);
    const pv_term terms[] = {{.property = PAPER_SIZE, .index = PV_INDEX_MIN, .goal = 5},
                             {.property = PAPER_UTILITY, .index = PV_INDEX_COV, .goal = 1}};
    assert_verdict(combine(&s, PAPER_3A, PAPER_3B, PV_COMBINE_GOAL, terms, 2), 4, 4.49,
                   PV_FIRST_WINS);
    assert_verdict(combine(&s, PAPER_4, PAPER_3A, PV_COMBINE_GOAL, terms, 2), 2, 4, PV_FIRST_WINS);
}

/* ------------------------------------------------------------ normalisation */

static pv_verdict_of_two weigh_one(double first, double second, pv_index index, bool less)
{
    double a[] = {first}, b[] = {second};
    sample_comparison s;
    sample_comparison_init(&s, 2, 1, 1);
    s.values[0][0] = a;
    s.values[1][0] = b;
    s.less_is_better[0] = less;
    const pv_term term = {.index = index, .weight = 2};
    return combine(&s, 0, 1, PV_COMBINE_WTD, &term, 1);
}

static void test_shares(void **state)
{
    (void)state;
    assert_verdict(weigh_one(3, 1, PV_INDEX_MIN, false), .75, .25, PV_FIRST_WINS);
    assert_verdict(weigh_one(-3, -1, PV_INDEX_MIN, true), .25, .75, PV_SECOND_WINS);
    assert_verdict(weigh_one(2, -1, PV_INDEX_MIN, false), 1, 0, PV_FIRST_WINS);
    assert_verdict(weigh_one(0, 0, PV_INDEX_MIN, false), .5, .5, PV_NOBODY_WINS);
    assert_verdict(weigh_one(3, 1, PV_INDEX_RANK, false), 1, 0, PV_FIRST_WINS);
    assert_verdict(weigh_one(1, 1, PV_INDEX_RANK, false), .5, .5, PV_NOBODY_WINS);
    assert_verdict(weigh_one(1, 4, PV_INDEX_SPR, false), 0, 1, PV_SECOND_WINS);
    assert_verdict(weigh_one(1, 1, PV_INDEX_SPR, false), .5, .5, PV_NOBODY_WINS);
    assert_verdict(weigh_one(1, 4, PV_INDEX_HV, false), 0, 1, PV_SECOND_WINS);
    assert_verdict(weigh_one(-1, -4, PV_INDEX_HV, true), .5, .5, PV_NOBODY_WINS);
}

static void test_shares_of_volumes(void **state)
{
    (void)state;
    double a[] = {3, 3, 3, 5, 5, 5, 5, 5}, b[] = {4, 4, 4, 4, 4, 4, 4, 4};
    sample_comparison s;
    sample_comparison_init(&s, 2, 1, 8);
    s.values[0][0] = a;
    s.values[1][0] = b;
    const pv_term term = {.index = PV_INDEX_HV, .weight = 1};
    assert_verdict(combine(&s, 0, 1, PV_COMBINE_WTD, &term, 1), 56727 / (56727. + 37888),
                   37888 / (56727. + 37888), PV_FIRST_WINS);
}

static void test_goals_are_as_shown(void **state)
{
    (void)state;
    double a[] = {-.2}, b[] = {-.5};
    sample_comparison s;
    sample_comparison_init(&s, 2, 1, 1);
    s.values[0][0] = a;
    s.values[1][0] = b;
    s.less_is_better[0] = true;
    const pv_term least = {.index = PV_INDEX_MIN, .goal = .4};
    assert_verdict(combine(&s, 0, 1, PV_COMBINE_GOAL, &least, 1), .04, .01, PV_SECOND_WINS);
    const pv_term volume = {.index = PV_INDEX_HV, .goal = 1}; /* there are none: infinitely far */
    const pv_verdict_of_two v = combine(&s, 0, 1, PV_COMBINE_GOAL, &volume, 1);
    assert_true(isinf(v.first) && isinf(v.second));
    assert_int_equal(v.winner, PV_NOBODY_WINS);
}

static void test_a_volume_is_nearer_than_none(void **state)
{
    (void)state;
    double a[] = {2}, b[] = {1};
    sample_comparison s;
    sample_comparison_init(&s, 2, 1, 1);
    s.values[0][0] = a;
    s.values[1][0] = b;
    const pv_term term = {.index = PV_INDEX_HV, .goal = 1, .tolerance = 1e6};
    assert_int_equal(combine(&s, 0, 1, PV_COMBINE_GOAL, &term, 1).winner, PV_FIRST_WINS);
    assert_int_equal(combine(&s, 0, 1, PV_COMBINE_LEX, &term, 1).winner, PV_FIRST_WINS);
}

/* ----------------------------------------------------------- random vectors */

typedef struct {
    sample_comparison sample;
    double values[SAMPLE_MOST][PROPERTIES][ROWS];
} trial;

static void draw(trial *t, pv_rng *rng, size_t n_releases)
{
    sample_comparison_init(&t->sample, n_releases, PROPERTIES, ROWS);
    for (size_t i = 0; i < n_releases; i++) {
        for (size_t p = 0; p < PROPERTIES; p++) {
            for (size_t row = 0; row < ROWS; row++) {
                t->values[i][p][row] = 1 + (double)pv_i_rng_below(rng, 4);
            }
            t->sample.values[i][p] = t->values[i][p];
        }
    }
}

static pv_duel duel_of(const trial *t, size_t property)
{
    double best[ROWS];
    pv_duel duel;
    pv_comparison_best(&t->sample.comparison, property, best);
    pv_duel_fight(t->values[0][property], t->values[1][property], ROWS, NULL, best, 0, &duel);
    return duel;
}

static void draw_terms(pv_rng *rng, pv_term *terms)
{
    for (size_t i = 0; i < PROPERTIES; i++) {
        const pv_index index = (pv_index)pv_i_rng_below(rng, PV_INDEX_COUNT);
        terms[i] = (pv_term){.property = i, .index = index};
        terms[i].weight = 1 + (double)pv_i_rng_below(rng, 3);
        terms[i].tolerance = (double)pv_i_rng_below(rng, 3);
        terms[i].goal = (double)pv_i_rng_below(rng, 5);
    }
}

/* Without tolerance the first property that anybody wins decides; with too much nobody wins. */
static void test_limits_of_order(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 1);
    for (size_t n = 0; n < 600; n++) {
        trial t;
        pv_term terms[PROPERTIES];
        draw(&t, &rng, 2 + n % 2);
        draw_terms(&rng, terms);
        pv_winner expected = PV_NOBODY_WINS;
        for (size_t i = PROPERTIES; i-- > 0;) {
            const pv_winner winner = duel_of(&t, i).winner[terms[i].index];
            terms[i].tolerance = 0;
            expected = winner != PV_NOBODY_WINS ? winner : expected;
        }
        assert_int_equal(combine(&t.sample, 0, 1, PV_COMBINE_LEX, terms, PROPERTIES).winner,
                         expected);
        for (size_t i = 0; i < PROPERTIES; i++) {
            terms[i].tolerance = HUGE_VAL;
        }
        assert_verdict(combine(&t.sample, 0, 1, PV_COMBINE_LEX, terms, PROPERTIES), PROPERTIES + 1,
                       PROPERTIES + 1, PV_NOBODY_WINS);
    }
}

/* A side that attains all goals misses nothing. */
static void test_limits_of_goals(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 2);
    for (size_t n = 0; n < 600; n++) {
        trial t;
        pv_term terms[PROPERTIES];
        bool differs = false;
        draw(&t, &rng, 2 + n % 2);
        draw_terms(&rng, terms);
        for (size_t i = 0; i < PROPERTIES; i++) {
            terms[i].index = (pv_index)pv_i_rng_below(&rng, PV_INDEX_HV);
            const pv_duel duel = duel_of(&t, i);
            terms[i].goal = duel.first[terms[i].index];
            differs |= fabs(terms[i].goal - duel.second[terms[i].index]) > 1e-9;
        }
        const pv_verdict_of_two v = combine(&t.sample, 0, 1, PV_COMBINE_GOAL, terms, PROPERTIES);
        assert_true(fabs(v.first) < 1e-15);
        assert_int_equal(v.winner, differs ? PV_FIRST_WINS : PV_NOBODY_WINS);
    }
}

static void test_definitions(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 3);
    for (size_t n = 0; n < 600; n++) {
        trial t;
        pv_term terms[PROPERTIES];
        double distance = 0, weighted = 0, weights = 0;
        size_t won = PROPERTIES;
        draw(&t, &rng, 2 + n % 2);
        draw_terms(&rng, terms);
        for (size_t i = PROPERTIES; i-- > 0;) {
            terms[i].index = i == 0 ? PV_INDEX_COV : i == 1 ? PV_INDEX_SPR : PV_INDEX_RANK;
            const pv_duel d = duel_of(&t, i);
            const double a = d.first[terms[i].index], b = d.second[terms[i].index];
            const double lead = i == 2 ? b - a : a - b;
            const double share = i == 0 ? a : a + b > 0 ? (i == 1 ? a : b) / (a + b) : .5;
            distance += (a - terms[i].goal) * (a - terms[i].goal);
            weighted += terms[i].weight * share;
            weights += terms[i].weight;
            won = lead > terms[i].tolerance + 1e-12 ? i : won;
        }
        const pv_combination_kind kinds[] = {PV_COMBINE_WTD, PV_COMBINE_LEX, PV_COMBINE_GOAL};
        const double expected[] = {weighted / weights, (double)won + 1, distance};
        for (size_t k = 0; k < PV_COMBINE_COUNT; k++) {
            const pv_verdict_of_two v = combine(&t.sample, 0, 1, kinds[k], terms, PROPERTIES);
            const pv_verdict_of_two u = combine(&t.sample, 1, 0, kinds[k], terms, PROPERTIES);
            const double ahead = (v.first - v.second) * (kinds[k] == PV_COMBINE_WTD ? 1 : -1);
            assert_true(fabs(v.first - expected[k]) < 1e-9);
            assert_true(fabs(v.first - u.second) < 1e-12 && fabs(v.second - u.first) < 1e-12);
            assert_int_equal(v.winner, ahead > 1e-12    ? PV_FIRST_WINS
                                       : ahead < -1e-12 ? PV_SECOND_WINS
                                                        : PV_NOBODY_WINS);
        }
    }
}

/* ------------------------------------------------------------------- errors */

typedef struct {
    size_t first, second, n_terms;
    pv_combination_kind kind;
    pv_term term;
    const char *says;
} bad;

static void test_errors(void **state)
{
    (void)state;
    static const bad cases[] = {
        {.second = 3, .n_terms = 1, .says = "no such release"},
        {.first = 3, .n_terms = 1, .says = "no such release"},
        {.second = 1, .says = "without properties"},
        {.second = 1, .n_terms = 1, .kind = PV_COMBINE_COUNT, .says = "without properties"},
        {.second = 1, .n_terms = 1, .term = {.property = 3}, .says = "property or an index"},
        {.second = 1, .n_terms = 1, .term = {.index = PV_INDEX_COUNT}, .says = "an index"},
        {.second = 2, .n_terms = 1, .term = {.weight = 1}, .says = "not every release"},
        {.second = 1, .n_terms = 1, .term = {.weight = -1}, .says = "weight of 'property'"},
        {.second = 1, .n_terms = 1, .term = {.weight = HUGE_VAL}, .says = "weight of 'property'"},
        {.second = 1, .n_terms = 1, .says = "sum to nothing"},
        {.second = 1,
         .n_terms = 1,
         .kind = PV_COMBINE_LEX,
         .term = {.tolerance = -1},
         .says = "tolerance of 'property'"},
        {.second = 1,
         .n_terms = 1,
         .kind = PV_COMBINE_GOAL,
         .term = {.goal = HUGE_VAL},
         .says = "goal of 'property'"},
    };
    sample_comparison s;
    sample_comparison_paper(&s);
    s.values[2][0] = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bad *const c = &cases[i];
        const pv_combination combination = {
            .kind = c->kind, .terms = &c->term, .n_terms = c->n_terms};
        pv_verdict_of_two verdict = {.first = 42};
        pv_error error = {0};
        assert_int_equal(
            pv_combine(&s.comparison, c->first, c->second, &combination, &verdict, &error),
            PV_STATUS_ARGUMENT);
        assert_non_null(strstr(error.message, c->says));
        assert_true(verdict.first == 42);
    }
}

static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < PV_COMBINE_COUNT; i++) {
        pv_combination_kind kind = PV_COMBINE_COUNT;
        assert_true(pv_combination_parse(pv_combination_name((pv_combination_kind)i), &kind));
        assert_int_equal(kind, i);
    }
    pv_combination_kind untouched = PV_COMBINE_LEX;
    assert_false(pv_combination_parse("sum", &untouched));
    assert_int_equal(untouched, PV_COMBINE_LEX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_weights_of_the_paper),
        cmocka_unit_test(test_order_of_the_paper),
        cmocka_unit_test(test_goals_of_the_paper),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_shares_of_volumes),
        cmocka_unit_test(test_goals_are_as_shown),
        cmocka_unit_test(test_a_volume_is_nearer_than_none),
        cmocka_unit_test(test_limits_of_order),
        cmocka_unit_test(test_limits_of_goals),
        cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
