/* What searches over cuts share: which scheme is better, what came of a search, and what respecting
 * the taxonomies costs. */
#include "cuts/cut_intervals.h"
#include "support/cut_trial.h"

enum { MANY = 200 };

static void evaluate(pv_cut_run *run, const uint8_t *schemes, size_t n, uint32_t *ids)
{
    pv_error error = {0};
    bound_must(pv_i_cut_run_evaluate(run, schemes, n, ids, &error), &error);
}

static pv_cut_result result_of(const pv_cut_run *run, const pv_cut_goal *goal)
{
    pv_cut_result result = {.generations = 99};
    pv_error error = {0};
    bound_must(pv_i_cut_result_of(run, goal, &result, &error), &error);
    assert_int_equal(result.generations, 0);
    return result;
}

/* ------------------------------------------------------- what a scheme is worth */

typedef struct {
    uint64_t k, value;
    double deviation;
} worth;

static worth worth_of(const pv_cut_run *run, const pv_cut_goal *goal, uint32_t id)
{
    const pv_cut_outcome *const o = pv_i_cut_run_outcome(run, id);
    const double spread = (double)(o->sizes.largest - o->sizes.smallest);
    const double others = o->sizes.n_rows > 1 ? (double)o->sizes.n_rows - 1 : 1;
    return (worth){.k = o->sizes.smallest,
                   .value = pv_i_cut_value(goal, run->prices, o->cost, o->bias),
                   .deviation = spread / others + pv_i_cut_nwp(run->prices, o->cost)};
}

static bool is_better(const worth *a, const worth *b)
{
    return a->value < b->value ||
           (a->value == b->value &&
            (a->deviation < b->deviation || (a->deviation == b->deviation && a->k > b->k)));
}

static bool dominates(const worth *a, const worth *b)
{
    return a->value <= b->value && a->k >= b->k && (a->value < b->value || a->k > b->k);
}

/* Of equal pairs the one that deviates least, then the first. */
static bool stands_for(const worth *all, size_t a, size_t b)
{
    return all[a].value == all[b].value && all[a].k == all[b].k &&
           (all[a].deviation < all[b].deviation || (all[a].deviation == all[b].deviation && a < b));
}

static bool belongs_to_front(const worth *all, size_t n, size_t i, uint64_t k)
{
    for (size_t j = 0; j < n; j++) {
        if (all[j].k >= k && (dominates(&all[j], &all[i]) || stands_for(all, j, i))) {
            return false;
        }
    }
    return all[i].k >= k;
}

/* The best: no scheme has less value, none of equal value less deviation, none of equal deviation
 * more k, and none that is equal in all came before. What differs by rounding is equal. */
static void expect_best(const pv_cut_run *run, const pv_cut_goal *goal, const worth *all, size_t n,
                        uint32_t best)
{
    const uint64_t tie =
        best != PV_CUT_NO_SCHEME ? pv_i_cut_tie(goal, run->prices, all[best].value) : 0;
    for (size_t i = 0; i < n; i++) {
        if (all[i].k < goal->k) {
            continue;
        }
        assert_int_not_equal(best, PV_CUT_NO_SCHEME);
        assert_true(all[i].value + tie >= all[best].value);
        if (all[i].value > all[best].value) {
            continue; /* it may be a tie or not: the rest holds for those that surely are */
        }
        assert_true(all[i].deviation >= all[best].deviation - 1e-12);
        assert_true(all[i].deviation > all[best].deviation || all[i].k <= all[best].k);
        assert_true(i >= best || all[i].deviation > all[best].deviation || all[i].k < all[best].k);
    }
}

/* ------------------------------------------------------------------ result */

static void expect_result(const pv_cut_run *run, const pv_cut_goal *goal)
{
    const size_t n = run->map.n;
    worth *const all = oracle_array(n, sizeof *all);
    pv_cut_result result = result_of(run, goal);
    size_t n_front = 0;
    for (size_t i = 0; i < n; i++) {
        all[i] = worth_of(run, goal, (uint32_t)i);
    }
    for (size_t i = 0; i < n; i++) {
        n_front += belongs_to_front(all, n, i, goal->k);
    }
    expect_best(run, goal, all, n, result.best);
    assert_int_equal(result.n_front, n_front);
    for (size_t i = 0; i < n_front; i++) {
        assert_true(belongs_to_front(all, n, result.front[i], goal->k));
        assert_true(i == 0 || all[result.front[i]].k > all[result.front[i - 1]].k);
    }
    assert_int_equal(result.best == PV_CUT_NO_SCHEME, n_front == 0);
    assert_true(n_front == 0 || all[result.best].k >= goal->k);
    pv_i_cut_result_deinit(&result);
    free(all);
}

static void expect_comparisons(const pv_cut_run *run, const pv_cut_goal *goal, pv_rng *rng)
{
    for (int i = 0; i < 200; i++) {
        const uint32_t a = (uint32_t)pv_i_rng_below(rng, run->map.n);
        const uint32_t b = (uint32_t)pv_i_rng_below(rng, run->map.n);
        const worth x = worth_of(run, goal, a);
        const worth y = worth_of(run, goal, b);
        assert_int_equal(pv_i_cut_is_better(run, goal, a, b), is_better(&x, &y));
    }
}

static void evaluate_many(const cut_trial *t, pv_rng *rng, pv_cut_run *run)
{
    uint8_t *const schemes = oracle_array(MANY * t->space.n_bits + 1, 1);
    uint32_t ids[MANY];
    for (size_t i = 0; i < MANY; i++) {
        cut_trial_random(t, rng, schemes + i * t->space.n_bits);
    }
    evaluate(run, schemes, MANY, ids);
    free(schemes);
}

static void look_at_results(cut_trial *t, pv_rng *rng)
{
    cut_trial_run r;
    cut_trial_run_init(t, &r, 1);
    expect_result(&r.run, &(pv_cut_goal){.k = 1}); /* nothing is known yet */
    evaluate_many(t, rng, &r.run);
    for (int i = 0; i < 10; i++) {
        const pv_cut_goal goal = cut_trial_goal(t, rng);
        expect_result(&r.run, &goal);
        expect_comparisons(&r.run, &goal, rng);
    }
    expect_result(&r.run, &(pv_cut_goal){.k = t->oracle.n_rows + 1});
    cut_trial_run_deinit(&r);
}

static void results_are_the_best_of_all(void **state)
{
    (void)state;
    cut_trial_tables(911, 60, look_at_results);
}

/* Among some, the others do not matter; the order they come in does not, either. */
static void look_among_some(cut_trial *t, pv_rng *rng)
{
    const pv_cut_goal goal = cut_trial_goal(t, rng);
    cut_trial_run r;
    pv_error error = {0};
    pv_cut_result all = {0};
    pv_cut_result same = {0};
    cut_trial_run_init(t, &r, 1);
    evaluate_many(t, rng, &r.run);
    const size_t n = r.run.map.n;
    uint32_t *const ids = oracle_array(n, sizeof *ids);
    for (size_t i = 0; i < n; i++) {
        ids[i] = (uint32_t)(n - 1 - i);
    }
    all = result_of(&r.run, &goal);
    bound_must(pv_i_cut_result_among(&r.run, &goal, ids, n, &same, &error), &error);
    assert_int_equal(same.best, all.best);
    assert_int_equal(same.n_front, all.n_front);
    assert_memory_equal(same.front, all.front, all.n_front * sizeof *all.front);
    pv_i_cut_result_deinit(&same);
    bound_must(pv_i_cut_result_among(&r.run, &goal, ids, 0, &same, &error), &error);
    assert_int_equal(same.best, PV_CUT_NO_SCHEME);
    assert_int_equal(same.n_front, 0);
    pv_i_cut_result_deinit(&same);
    pv_i_cut_result_deinit(&all);
    assert_null(all.front);
    free(ids);
    cut_trial_run_deinit(&r);
}

static void some_are_judged_alone(void **state)
{
    (void)state;
    cut_trial_tables(912, 30, look_among_some);
}

/* ------------------------------------------------------- the paper's table 2 */

static const char codes[] = "code,class\n"
                            "81521,C1\n81522,C1\n81523,C1\n82635,C2\n82636,C2\n82647,C2\n"
                            "82648,C2\n81634,C3\n81631,C3\n81632,C3\n81639,C3\n81630,C3\n";
static const char codes_plan[] =
    "attributes:\n"
    "  code: {role: quasi, weight: 0.3, hierarchy: {mask: right}}\n"
    "  class: {role: quasi, weight: 0.7, hierarchy: {rows: [[C1, both], [C2, both], [C3]]}}\n";

/* Places between the codes in order that are cut when 1, 2, 3 or 4 digits are masked, then those
 * between C1, C2 and C3; rows 5 to 8 merge C1 and C2. */
enum { CODE_BITS = 13, CODE_ROWS = 8 };
static const uint8_t code_schemes[CODE_ROWS][CODE_BITS] = {
    {0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 1}, {0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1},
    {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1},
    {0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1}, {0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
    {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
};

/* The achievement function of a wish, in units of loss: (1-w) (nwp - p) and w (necd - d) are
 * compared as nwp and p + w / (1-w) (necd - d). */
static pv_cut_goal wish(double necd, double nwp)
{
    const double utopian = -1e-6;
    const double slope = (nwp - utopian) / (necd - utopian);
    return (pv_cut_goal){.k = 1, .bias_slope = slope, .bias_base = utopian - slope * utopian};
}

typedef struct {
    double necd, nwp;
    uint32_t best, first; /* rows: the best, and the first of the front */
} wished;

/* By value q5 has many equals: of these row 2 deviates least, but row 8 has more k. */
static const wished wishes[] = {
    {.3, .08, 1, 1}, {.2, .15, 2, 2}, {.15, .05, 2, 2}, {.25, .05, 1, 1}, {.1, .5, 2, 8},
};

/* The evolution that has nothing but these rows, and everything merged, to choose from. Its second
 * objective is k: example 7. */
static void expect_of_nsga2(cut_trial *t, const pv_cut_goal *goal, uint32_t row)
{
    const pv_cut_search_options options = {.goal = *goal,
                                           .evaluations = CODE_ROWS + 1,
                                           .population = CODE_ROWS + 1,
                                           .start = &code_schemes[0][0],
                                           .n_start = CODE_ROWS};
    cut_trial_run r;
    pv_cut_result result;
    pv_error error = {0};
    cut_trial_run_init(t, &r, 1);
    bound_must(pv_i_nsga2(&r.run, &options, &result, &error), &error);
    assert_int_equal(result.best, row); /* merged is 0 */
    pv_i_cut_result_deinit(&result);
    cut_trial_run_deinit(&r);
}

static void wishes_are_met_as_in_table_2(void **state)
{
    bound_study s = bound_study_create(codes_plan, codes);
    pv_profile *const profile = bound_profile(s.study, 1);
    uint32_t ids[CODE_ROWS];
    cut_trial t;
    cut_trial_run r;
    (void)state;
    cut_trial_init(&t, s.study, profile, false);
    cut_trial_run_init(&t, &r, 1);
    assert_int_equal(t.space.n_bits, CODE_BITS);
    evaluate(&r.run, &code_schemes[0][0], CODE_ROWS, ids);
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        const pv_cut_goal goal = wish(wishes[i].necd, wishes[i].nwp);
        pv_cut_result result = result_of(&r.run, &goal);
        assert_int_equal(result.best + 1, wishes[i].best);
        assert_int_equal(result.front[0] + 1, wishes[i].first);
        expect_result(&r.run, &goal);
        expect_of_nsga2(&t, &goal, wishes[i].first);
        pv_i_cut_result_deinit(&result);
    }
    cut_trial_run_deinit(&r);
    cut_trial_deinit(&t);
    pv_profile_free(profile);
    bound_study_free(&s);
}

/* ---------------------------------------------------------------- taxonomy */

static bool is_allowed(const cut_trial *t, const uint8_t *cuts)
{
    for (size_t a = 0; a < t->space.n_axes; a++) {
        const pv_cut_axis *const axis = &t->space.axes[a];
        for (uint32_t value = 0; value < axis->n; value++) {
            uint32_t first;
            uint32_t last;
            cut_oracle_group(&t->oracle, a, cuts, value, &first, &last);
            if (!pv_i_cut_joinable(axis, first, last)) {
                return false;
            }
        }
    }
    return true;
}

/* Every allowed scheme without further cuts has none that the repaired one has not. */
static void expect_finest(const cut_trial *t, uint64_t number, const uint8_t *repaired)
{
    uint8_t *const other = oracle_array(t->space.n_bits + 1, 1);
    for (uint64_t part = number;; part = (part - 1) & number) {
        cut_oracle_scheme(&t->oracle, part, other);
        if (is_allowed(t, other)) {
            for (size_t bit = 0; bit < t->space.n_bits; bit++) {
                assert_true(other[bit] <= repaired[bit]);
            }
        }
        if (part == 0) {
            break;
        }
    }
    free(other);
}

static void look_at_repairs(cut_trial *t, pv_rng *rng)
{
    uint8_t *const cuts = oracle_array(t->space.n_bits + 1, 1);
    uint8_t *const repaired = oracle_array(t->space.n_bits + 1, 1);
    for (int i = 0; i < 30; i++) {
        const uint64_t number = pv_i_rng_below(rng, (uint64_t)1 << t->space.n_bits);
        cut_oracle_scheme(&t->oracle, number, cuts);
        memcpy(repaired, cuts, t->space.n_bits);
        pv_i_cut_respect(&t->space, repaired);
        assert_true(is_allowed(t, repaired));
        assert_true(!t->respects || cut_oracle_respects(&t->oracle, repaired));
        for (size_t bit = 0; bit < t->space.n_bits; bit++) {
            assert_true(repaired[bit] <= cuts[bit]);
        }
        if (is_allowed(t, cuts)) {
            assert_memory_equal(repaired, cuts, t->space.n_bits);
        }
        expect_finest(t, number, repaired);
    }
    free(cuts);
    free(repaired);
}

static void repairs_drop_what_must_go(void **state)
{
    (void)state;
    cut_trial_tables(913, 90, look_at_repairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_best_of_all),
        cmocka_unit_test(some_are_judged_alone),
        cmocka_unit_test(wishes_are_met_as_in_table_2),
        cmocka_unit_test(repairs_drop_what_must_go),
    };
    return cmocka_run_group_tests_name("results of searches over cuts", tests, NULL, NULL);
}
