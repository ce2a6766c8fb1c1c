/* Judgements against brute force: duels both ways, tournaments, fares, the advice and its words; a
 * page of them; and every allocation failing in turn. */
#include "support/failing_alloc.h"

#include "compare/judgement.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROWS 40
#define RELEASES 3

static const char *const names[] = {"class-size", "glm"};

/* Classes of 4, 5 and 8 people; glm the better the smaller the classes. */
typedef struct {
    double values[RELEASES][2][ROWS];
    double *lists[RELEASES][2];
    char title[RELEASES][16];
    pv_vectors vectors[RELEASES];
    pv_vectors *releases[RELEASES];
    bool less[2];
    uint64_t missing[RELEASES], ones[10];
    uint32_t kinds[10];
    pv_people people[1];
    pv_comparison comparison;
} sample;

static void fill(sample *s, size_t n_releases)
{
    static const double sizes[RELEASES] = {4, 5, 8};
    memset(s, 0, sizeof *s);
    s->less[1] = true;
    for (size_t r = 0; r < RELEASES; r++) {
        for (size_t i = 0; i < ROWS; i++) {
            s->values[r][0][i] = sizes[r] + (i % 4 == 0 ? 0 : (double)i);
            s->values[r][1][i] = -0.1 * (double)(r + 1) - 0.001 * (double)i;
        }
        s->lists[r][0] = s->values[r][0];
        s->lists[r][1] = s->values[r][1];
        (void)snprintf(s->title[r], sizeof s->title[r], "r%zu.csv", r);
        s->vectors[r] = (pv_vectors){.name = s->title[r], .values = s->lists[r], .n_properties = 2};
        s->releases[r] = &s->vectors[r];
    }
    for (size_t i = 0; i < 10; i++) {
        s->kinds[i] = (uint32_t)i * 4; /* all who have the least */
        s->ones[i] = 1;
    }
    s->people[0] = (pv_people){.column = "sex",
                               .value = "<f>",
                               .n_rows = 10,
                               .n_kinds = 10,
                               .kinds = s->kinds,
                               .n_of_kind = s->ones};
    s->comparison = (pv_comparison){.properties = names,
                                    .n_properties = 2,
                                    .less_is_better = s->less,
                                    .releases = s->releases,
                                    .n_releases = n_releases,
                                    .n_rows = ROWS,
                                    .n_kinds = ROWS,
                                    .n_original = ROWS,
                                    .n_missing = s->missing,
                                    .people = s->people,
                                    .n_people = 1};
}

static pv_judgement *judge(const sample *s, const pv_judgement_options *options, unsigned threads)
{
    const pv_context context = {.threads = threads};
    pv_judgement *judgement = NULL;
    assert_int_equal(pv_judgement_create(&s->comparison, options, &context, &judgement, NULL),
                     PV_STATUS_OK);
    return judgement;
}

static void assert_text(const pv_judgement *judgement, const char *part)
{
    char *text = NULL;
    assert_int_equal(pv_judgement_text(judgement, &text, NULL), PV_STATUS_OK);
    if (strstr(text, part) == NULL) {
        fail_msg("`%s` lacks `%s`", text, part);
    }
    pv_string_free(text);
}

/* ------------------------------------------------------------------- duels */

static void duels_are_told_from_both_sides(void **state)
{
    (void)state;
    sample s;
    fill(&s, RELEASES);
    pv_judgement *const judgement = judge(&s, NULL, 2);
    for (size_t p = 0; p < 2; p++) {
        double best[ROWS];
        pv_comparison_best(&s.comparison, p, best);
        for (size_t a = 0; a < RELEASES; a++) {
            for (size_t b = 0; b < RELEASES; b++) {
                const pv_duel *const told = pv_i_judgement_duel(judgement, p, a, b);
                pv_duel duel;
                if (a == b) {
                    assert_int_equal(told->n, 0);
                    continue;
                }
                pv_duel_fight(s.lists[a][p], s.lists[b][p], ROWS, NULL, best, 0, &duel);
                assert_int_equal(told->first_better, duel.first_better);
                assert_int_equal(told->dominance, duel.dominance);
                for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
                    assert_int_equal(told->winner[i], duel.winner[i]);
                    assert_true(told->first[i] == duel.first[i]);
                    assert_true(told->second[i] == duel.second[i]);
                }
            }
        }
    }
    pv_judgement_free(judgement);
}

static void a_property_that_a_release_lacks_is_nobodys(void **state)
{
    (void)state;
    sample s;
    fill(&s, RELEASES);
    s.lists[1][1] = NULL;
    pv_judgement *const judgement = judge(&s, NULL, 1);
    assert_int_equal(pv_i_judgement_duel(judgement, 1, 0, 1)->winner[PV_INDEX_COV], PV_NOBODY_WINS);
    assert_int_equal(pv_i_judgement_duel(judgement, 1, 0, 2)->winner[PV_INDEX_COV], PV_FIRST_WINS);
    assert_true(isnan(judgement->worst[1 * RELEASES + 1]));
    assert_null(judgement->advice);
    assert_text(judgement, "There is no advice");
    pv_judgement_free(judgement);
}

/* ------------------------------------------------------------------- fares */

static void groups_at_the_minimum_are_found(void **state)
{
    (void)state;
    sample s;
    fill(&s, 2);
    pv_judgement *const judgement = judge(&s, NULL, 1);
    assert_true(judgement->worst[0] == 4.0);
    assert_true(judgement->everyone[0].worst_share == 0.25);
    assert_true(judgement->groups[0].worst_share == 1.0);
    assert_true(judgement->groups[0].mean == 4.0);
    assert_true(judgement->groups[0].is_singled_out);
    assert_false(judgement->everyone[0].is_singled_out);
    assert_false(judgement->groups[2].is_singled_out); /* glm: one person has the worst */
    pv_judgement_free(judgement);
}

static void rounding_makes_nobody_worse_off(void **state)
{
    (void)state;
    const double losses[] = {-(0.1 + 0.2 + 0.3), -(0.3 + 0.2 + 0.1), -0.5};
    pv_group_result fare;
    assert_true(losses[0] < losses[1]);
    pv_i_group_measure(losses, NULL, NULL, 3, losses[0], &fare);
    assert_true(fare.worst_share == 2.0 / 3.0);
}

static void a_few_people_are_no_pattern(void **state)
{
    (void)state;
    const pv_group_result everyone = {.worst_share = 0.25};
    const pv_group_result all = {.worst_share = 1.0};
    const pv_group_result some = {.worst_share = 0.45};
    assert_false(pv_i_is_singled_out(&all, &everyone, 1));
    assert_true(pv_i_is_singled_out(&all, &everyone, 10));
    assert_false(pv_i_is_singled_out(&some, &everyone, 1000000)); /* less than twice */
    assert_false(pv_i_is_singled_out(&all, &all, 1000000));
}

/* One release with one property. */
typedef struct {
    double *lists[1];
    pv_vectors vectors;
    pv_vectors *releases[1];
    pv_comparison comparison;
} lone;

static const pv_comparison *lone_fill(lone *l, double *values, size_t n_kinds, bool *is_suppressed)
{
    *l = (lone){.lists = {values}};
    l->vectors =
        (pv_vectors){.values = l->lists, .n_properties = 1, .is_suppressed = is_suppressed};
    l->releases[0] = &l->vectors;
    l->comparison = (pv_comparison){
        .releases = l->releases, .n_releases = 1, .n_rows = n_kinds, .n_kinds = n_kinds};
    return &l->comparison;
}

static void suppressed_people_are_no_class(void **state)
{
    (void)state;
    double sizes[] = {2, 2, 6, 7};
    bool marks[] = {true, true, false, false};
    lone l;
    assert_int_equal(pv_i_least_class(lone_fill(&l, sizes, 4, NULL), 0, 0), 2);
    assert_int_equal(pv_i_least_class(lone_fill(&l, sizes, 4, marks), 0, 0), 6);
    assert_int_equal(pv_i_least_class(lone_fill(&l, sizes, 2, marks), 0, 0), 2); /* all */
}

static void suppressed_people_give_nothing_away(void **state)
{
    (void)state;
    static const uint64_t people[] = {5, 1, 1, 4};
    double distinct[] = {1, 1, 2, 1};
    bool marks[] = {true, true, false, false};
    lone l;
    assert_int_equal(pv_i_given_away(lone_fill(&l, distinct, 4, NULL), 0, 0), 3);
    assert_int_equal(pv_i_given_away(lone_fill(&l, distinct, 4, marks), 0, 0), 1);
    l.comparison.n_of_kind = people;
    assert_int_equal(pv_i_given_away(&l.comparison, 0, 0), 4);
}

/* ------------------------------------------------------------------- kinds */

/* Neighbours made alike in pairs, and then told of in pairs. */
static void fill_twice(sample *people, sample *kinds, uint64_t *twos, size_t n_releases)
{
    fill(people, n_releases);
    fill(kinds, n_releases);
    for (size_t r = 0; r < RELEASES; r++) {
        for (size_t p = 0; p < 2; p++) {
            for (size_t i = 0; i < ROWS; i++) {
                people->values[r][p][i] = kinds->values[r][p][i / 2];
            }
        }
    }
    for (size_t i = 0; i < ROWS / 2; i++) {
        twos[i] = 2;
    }
    for (uint32_t i = 0; i < 10; i++) {
        people->kinds[i] = i; /* the first five pairs of people */
        kinds->kinds[i] = i;
        kinds->ones[i] = 2;
    }
    kinds->people[0].n_kinds = 5;
    kinds->comparison.n_kinds = ROWS / 2;
    kinds->comparison.n_of_kind = twos;
}

static void assert_near(double a, double b)
{
    assert_true((isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fmax(1, fabs(a)));
}

static void assert_same_duel(const pv_duel *a, const pv_duel *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->first_better, b->first_better);
    assert_int_equal(a->second_better, b->second_better);
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        assert_int_equal(a->winner[i], b->winner[i]);
        assert_true(isinf(a->first[i]) ? isinf(b->first[i]) : true);
        assert_near(isinf(a->first[i]) ? 0 : a->first[i], isinf(b->first[i]) ? 0 : b->first[i]);
    }
}

/* Whatever is told of kinds is what would be told of their people one by one. */
static void kinds_are_as_their_people(void **state)
{
    (void)state;
    for (size_t n = 2; n <= RELEASES; n++) {
        sample people, kinds;
        uint64_t twos[ROWS];
        fill_twice(&people, &kinds, twos, n);
        pv_judgement *const a = judge(&people, NULL, 1);
        pv_judgement *const b = judge(&kinds, NULL, 2);
        for (size_t i = 0; i < 2 * n * n; i++) {
            assert_same_duel(&a->duels[i], &b->duels[i]);
        }
        for (size_t i = 0; i < 2 * n; i++) {
            assert_near(a->everyone[i].mean, b->everyone[i].mean);
            assert_true(a->everyone[i].worst_share == b->everyone[i].worst_share);
            assert_near(a->groups[i].mean, b->groups[i].mean);
            assert_true(a->groups[i].worst_share == b->groups[i].worst_share);
            assert_int_equal(a->groups[i].is_singled_out, b->groups[i].is_singled_out);
        }
        pv_judgement_free(a);
        pv_judgement_free(b);
    }
}

/* -------------------------------------------------------------------- rank */

static double distance(const double *values, double target)
{
    double sum = 0;
    for (size_t i = 0; i < ROWS; i++) {
        sum += (values[i] - target) * (values[i] - target);
    }
    return sqrt(sum);
}

/* Targets are as values are shown: glm is turned in vectors. */
static void rank_has_targets(void **state)
{
    (void)state;
    const double wished[] = {20, 0.15};
    for (size_t n = 2; n <= RELEASES; n++) {
        sample s;
        fill(&s, n);
        pv_judgement *const judgement = judge(&s, &(pv_judgement_options){.targets = wished}, 2);
        for (size_t p = 0; p < 2; p++) {
            const pv_duel *const duel = pv_i_judgement_duel(judgement, p, 0, 1);
            const double target = p == 0 ? wished[0] : -wished[1];
            assert_near(duel->first[PV_INDEX_RANK], distance(s.values[0][p], target));
            assert_near(duel->second[PV_INDEX_RANK], distance(s.values[1][p], target));
        }
        pv_judgement_free(judgement);
    }
}

static void no_target_is_the_best_there_is(void **state)
{
    (void)state;
    const double wished[] = {20, (double)NAN};
    sample s;
    fill(&s, RELEASES);
    pv_judgement *const plain = judge(&s, NULL, 1);
    pv_judgement *const judgement = judge(&s, &(pv_judgement_options){.targets = wished}, 1);
    const pv_duel *const duel = pv_i_judgement_duel(judgement, 1, 0, 2);
    assert_true(duel->first[PV_INDEX_RANK] ==
                pv_i_judgement_duel(plain, 1, 0, 2)->first[PV_INDEX_RANK]);
    pv_judgement_free(plain);
    pv_judgement_free(judgement);
}

/* What counts as no difference does so in combinations, too. */
static void tolerance_holds_in_combinations(void **state)
{
    (void)state;
    static const pv_term term = {.property = 0, .index = PV_INDEX_RANK, .weight = 1};
    static const pv_combination combination = {
        .name = "r", .kind = PV_COMBINE_WTD, .terms = &term, .n_terms = 1};
    sample s;
    fill(&s, 2);
    pv_judgement_options options = {.combinations = &combination, .n_combinations = 1};
    pv_judgement *judgement = judge(&s, &options, 1);
    assert_int_equal(judgement->overall[0]->winner[1], PV_SECOND_WINS);
    pv_judgement_free(judgement);
    options.tolerance = 1e6;
    judgement = judge(&s, &options, 1);
    assert_int_equal(judgement->overall[0]->winner[1], PV_NOBODY_WINS);
    pv_judgement_free(judgement);
}

/* ------------------------------------------------------------------ advice */

static void advice_is_the_most_detail_that_hides_enough(void **state)
{
    (void)state;
    sample s;
    fill(&s, RELEASES);
    static const struct {
        uint64_t enough;
        size_t best;
        const char *words;
    } cases[] = {{4, 0, "Publish A (r0.csv): of the 3 in which everyone is among at least 4"},
                 {0, 1, "Publish B (r1.csv): of the 2 in which everyone is among at least 5"},
                 {6, 2, "Publish C (r2.csv): only there is everyone among at least 6 people"},
                 {9, 2,
                  "none hides everyone among 9 people. C (r2.csv) comes nearest, its "
                  "smallest class has 8"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pv_judgement_options options = {.enough = cases[i].enough};
        pv_judgement *const judgement = judge(&s, &options, 2);
        assert_int_equal(pv_tournament_best(judgement->advice), cases[i].best);
        assert_text(judgement, cases[i].words);
        pv_judgement_free(judgement);
    }
}

static void equals_have_no_best(void **state)
{
    (void)state;
    sample s;
    fill(&s, 2);
    memcpy(s.values[1], s.values[0], sizeof s.values[0]);
    pv_judgement *const judgement = judge(&s, NULL, 1);
    assert_int_equal(pv_tournament_best(judgement->advice), SIZE_MAX);
    assert_text(judgement, "There is no best one: A and B are equal.");
    pv_judgement_free(judgement);
}

static const pv_term terms[] = {
    {.property = 0, .index = PV_INDEX_COV, .weight = 0.75, .tolerance = 2, .goal = 1},
    {.property = 1, .index = PV_INDEX_SPR, .weight = 0.25, .goal = -1}};
static const pv_combination combinations[] = {
    {.name = "w", .kind = PV_COMBINE_WTD, .terms = terms, .n_terms = 2},
    {.name = "l", .kind = PV_COMBINE_LEX, .terms = terms, .n_terms = 2},
    {.name = "g", .kind = PV_COMBINE_GOAL, .terms = terms, .n_terms = 2}};

static void the_first_combination_decides(void **state)
{
    (void)state;
    sample s;
    fill(&s, RELEASES);
    const pv_judgement_options options = {.combinations = combinations, .n_combinations = 3};
    pv_judgement *const judgement = judge(&s, &options, 1);
    assert_text(judgement, "Publish C (r2.csv): it beats all others. The rule: weighing class-size "
                           "by cov (weight 0.75) and glm by spr (weight 0.25).");
    for (size_t c = 0; c < 3; c++) {
        for (size_t a = 0; a < RELEASES; a++) {
            for (size_t b = 0; b < RELEASES; b++) {
                pv_verdict_of_two verdict;
                if (a == b) {
                    continue;
                }
                assert_int_equal(pv_combine(&s.comparison, a, b, &combinations[c], &verdict, NULL),
                                 PV_STATUS_OK);
                assert_int_equal(judgement->overall[c]->winner[a * RELEASES + b], verdict.winner);
            }
        }
    }
    pv_judgement_free(judgement);
}

static void combinations_are_told_in_words(void **state)
{
    (void)state;
    static const char *const words[] = {
        "weighing class-size by cov (weight 0.75) and glm by spr (weight 0.25)",
        "first class-size by cov (up to 2 counts as equal), then glm by spr",
        "coming nearest to goals for class-size by cov (goal 1) and glm by spr (goal -1)"};
    sample s;
    fill(&s, 2);
    for (size_t c = 0; c < 3; c++) {
        char *text = NULL;
        assert_int_equal(pv_combination_text(&s.comparison, &combinations[c], &text, NULL),
                         PV_STATUS_OK);
        assert_string_equal(text, words[c]);
        pv_string_free(text);
    }
}

/* -------------------------------------------------------------------- page */

static char *page_of(const sample *s, unsigned threads)
{
    const pv_judgement_options options = {.combinations = combinations, .n_combinations = 3};
    pv_judgement *const judgement = judge(s, &options, threads);
    char *html = NULL;
    assert_int_equal(pv_judgement_page(judgement, "people<1>.csv", &html, NULL), PV_STATUS_OK);
    pv_judgement_free(judgement);
    return html;
}

static void the_page_is_the_same_by_kinds(void **state)
{
    (void)state;
    for (size_t n = 2; n <= RELEASES; n++) {
        sample people, kinds;
        uint64_t twos[ROWS];
        fill_twice(&people, &kinds, twos, n);
        char *const by_people = page_of(&people, 1);
        char *const by_kinds = page_of(&kinds, 2);
        assert_string_equal(by_people, by_kinds);
        pv_string_free(by_people);
        pv_string_free(by_kinds);
    }
}

static void the_page_tells_it_all(void **state)
{
    (void)state;
    sample s;
    fill(&s, 2);
    char *const html = page_of(&s, 1);
    char *const again = page_of(&s, 7);
    assert_string_equal(html, again);
    assert_non_null(strstr(html, "Who gains and who loses"));
    assert_non_null(strstr(html, "<text class=\"end c0\"")); /* curves are named at their ends */
    assert_non_null(strstr(html, "<text class=\"end c1\""));
    assert_non_null(strstr(html, " for the worst off, "));
    assert_non_null(strstr(html, "<g class=\"tell\"><title>"));
    assert_non_null(strstr(html, "&lt;f&gt;"));
    assert_null(strstr(html, "<f>"));
    assert_null(strstr(html, "people<1>"));
    assert_null(strstr(html, "nan"));
    assert_null(strstr(html, "inf\""));
    pv_string_free(again);
    pv_string_free(html);
}

static void by_rounding_nobody_gains(void **state)
{
    (void)state;
    sample s;
    fill(&s, 2);
    for (size_t i = 0; i < ROWS; i++) {
        s.values[1][0][i] = s.values[0][0][i];
        s.values[0][1][i] = -(0.1 + 0.2 + 0.3);
        s.values[1][1][i] = -(0.3 + 0.2 + 0.1);
    }
    char *const html = page_of(&s, 1);
    assert_non_null(strstr(html, "class=\"same s"));
    assert_null(strstr(html, "class=\"up s"));
    assert_null(strstr(html, "class=\"down s"));
    pv_string_free(html);
}

static void of_three_there_is_no_density(void **state)
{
    (void)state;
    sample s;
    fill(&s, RELEASES);
    char *const html = page_of(&s, 1);
    assert_null(strstr(html, "Who gains and who loses"));
    assert_non_null(strstr(html, "class=\"curve c2\""));
    pv_string_free(html);
}

/* ------------------------------------------------------------- allocations */

static pv_status judge_and_draw(void *ctx, pv_error *error)
{
    const sample *const s = ctx;
    const pv_context one = {.threads = 1};
    const pv_judgement_options options = {.combinations = combinations, .n_combinations = 3};
    pv_judgement *judgement = NULL;
    char *html = NULL;
    pv_status status = pv_judgement_create(&s->comparison, &options, &one, &judgement, error);
    if (status == PV_STATUS_OK) {
        status = pv_judgement_page(judgement, "people.csv", &html, error);
    }
    assert_int_equal(html != NULL, status == PV_STATUS_OK);
    pv_string_free(html);
    pv_judgement_free(judgement);
    return status;
}

static void survives_every_failing_allocation(void **state)
{
    (void)state;
    sample s;
    fill(&s, RELEASES);
    (void)failing_alloc_every(judge_and_draw, &s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(duels_are_told_from_both_sides),
        cmocka_unit_test(a_property_that_a_release_lacks_is_nobodys),
        cmocka_unit_test(groups_at_the_minimum_are_found),
        cmocka_unit_test(rounding_makes_nobody_worse_off),
        cmocka_unit_test(a_few_people_are_no_pattern),
        cmocka_unit_test(suppressed_people_are_no_class),
        cmocka_unit_test(suppressed_people_give_nothing_away),
        cmocka_unit_test(kinds_are_as_their_people),
        cmocka_unit_test(rank_has_targets),
        cmocka_unit_test(no_target_is_the_best_there_is),
        cmocka_unit_test(tolerance_holds_in_combinations),
        cmocka_unit_test(advice_is_the_most_detail_that_hides_enough),
        cmocka_unit_test(equals_have_no_best),
        cmocka_unit_test(the_first_combination_decides),
        cmocka_unit_test(combinations_are_told_in_words),
        cmocka_unit_test(the_page_is_the_same_by_kinds),
        cmocka_unit_test(the_page_tells_it_all),
        cmocka_unit_test(by_rounding_nobody_gains),
        cmocka_unit_test(of_three_there_is_no_density),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
