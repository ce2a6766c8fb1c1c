/* The memetic search and its local moves, against all cut schemes of small tables. */
#include "support/cut_trial.h"
#include "support/testing.h"

#include "cuts/cut_intervals.h"

enum { MOST_BITS = 32 };

/* ------------------------------------------------------------------- moves */

static size_t count_cuts(const uint8_t *cuts, size_t n)
{
    size_t set = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(cuts[i] <= 1);
        set += cuts[i];
    }
    return set;
}

static void look_at_moves(cut_trial *t, pv_rng *rng)
{
    pv_cut_local local;
    pv_error error = {0};
    uint8_t cuts[MOST_BITS];
    bound_must(pv_i_cut_local_init(&local, &t->table, &t->prices, NULL, 2, &error), &error);
    cut_trial_random(t, rng, cuts);
    for (size_t i = 0; i < 50; i++) {
        const size_t before = count_cuts(cuts, t->space.n_bits);
        pv_i_cut_move(&local, rng, cuts);
        const size_t after = count_cuts(cuts, t->space.n_bits);
        assert_true(after + 1 >= before && after <= before + 1);
    }
    pv_i_cut_local_deinit(&local);
}

static void moves_change_at_most_one(void **state)
{
    (void)state;
    cut_trial_tables(1, 60, look_at_moves);
}

static void look_at_repairs(cut_trial *t, pv_rng *rng)
{
    const uint64_t k = 1 + pv_i_rng_below(rng, t->oracle.n_rows);
    const pv_cut_goal goal = {.k = k};
    pv_cut_local local;
    pv_error error = {0};
    uint8_t cuts[MOST_BITS];
    uint8_t before[MOST_BITS];
    bound_must(pv_i_cut_local_init(&local, &t->table, &t->prices, NULL, k, &error), &error);
    for (size_t i = 0; i < 10; i++) {
        cut_trial_random(t, rng, cuts);
        pv_cut_outcome outcome;
        assert_true(pv_i_cut_local_evaluate(&local, cuts, &outcome));
        assert_int_equal(pv_i_cut_is_valid(&local, cuts, &outcome),
                         cut_trial_value(t, &goal, cuts) != UINT64_MAX);
        memcpy(before, cuts, sizeof cuts);
        assert_true(pv_i_cut_repair(&local, rng, cuts));
        for (size_t bit = 0; bit < t->space.n_bits; bit++) {
            assert_true(cuts[bit] <= before[bit]); /* only drops */
        }
        const uint64_t repaired = cut_trial_value(t, &goal, cuts);
        assert_true(repaired != UINT64_MAX);
        assert_true(pv_i_cut_sweep(&local, rng, cuts));
        assert_true(cut_trial_value(t, &goal, cuts) <= repaired);
    }
    pv_i_cut_local_deinit(&local);
}

static void repairs_and_sweeps_are_sound(void **state)
{
    (void)state;
    cut_trial_tables(2, 60, look_at_repairs);
}

/* ------------------------------------------------------------------ search */

static size_t n_searches, n_optimal;

static void look_at_search(cut_trial *t, pv_rng *rng)
{
    const pv_cut_goal goal = cut_trial_goal(t, rng);
    const pv_cut_search_options options = {
        .goal = goal, .seed = 1 + pv_i_rng_below(rng, 9), .evaluations = 2000, .population = 20};
    uint8_t best[MOST_BITS];
    uint8_t found[MOST_BITS];
    cut_trial_run r;
    pv_cut_result result;
    pv_error error = {0};
    const uint64_t least = cut_trial_least(t, &goal, best);
    cut_trial_run_init(t, &r, 1 + (unsigned)pv_i_rng_below(rng, 3));
    bound_must(pv_i_memetic(&r.run, &options, &result, &error), &error);
    assert_int_equal(result.best == PV_CUT_NO_SCHEME, least == UINT64_MAX);
    if (result.best != PV_CUT_NO_SCHEME) {
        pv_i_cut_run_scheme(&r.run, result.best, found);
        const uint64_t value = cut_trial_value(t, &goal, found);
        assert_true(value >= least && value != UINT64_MAX);
        n_searches++;
        n_optimal += value == least;
    }
    pv_i_cut_result_deinit(&result);
    cut_trial_run_deinit(&r);
}

static void it_is_never_better_than_the_best(void **state)
{
    (void)state;
    n_searches = n_optimal = 0;
    cut_trial_tables(3, (int)effort(120), look_at_search);
    if (10 * n_optimal < 9 * n_searches) {
        fail_msg("only %zu of %zu are optimal", n_optimal, n_searches);
    }
}

/* ------------------------------------------------------------ determinism */

static void look_at_threads(cut_trial *t, pv_rng *rng)
{
    const pv_cut_search_options options = {
        .goal = cut_trial_goal(t, rng), .seed = 5, .evaluations = 1500, .population = 12};
    uint32_t best[3];
    uint64_t evaluated[3];
    uint64_t generations[3];
    static const unsigned threads[] = {1, 2, 7};
    for (size_t i = 0; i < 3; i++) {
        cut_trial_run r;
        pv_cut_result result;
        pv_error error = {0};
        cut_trial_run_init(t, &r, threads[i]);
        bound_must(pv_i_memetic(&r.run, &options, &result, &error), &error);
        best[i] = result.best;
        evaluated[i] = r.run.evaluated;
        generations[i] = result.generations;
        pv_i_cut_result_deinit(&result);
        cut_trial_run_deinit(&r);
        assert_int_equal(best[i], best[0]);
        assert_int_equal(evaluated[i], evaluated[0]);
        assert_int_equal(generations[i], generations[0]);
    }
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    cut_trial_tables(4, 15, look_at_threads);
}

/* -------------------------------------------------------------------- start */

static void look_at_start(cut_trial *t, pv_rng *rng)
{
    const pv_cut_goal goal = cut_trial_goal(t, rng);
    uint8_t best[MOST_BITS];
    const uint64_t least = cut_trial_least(t, &goal, best);
    const pv_cut_search_options options = {
        .goal = goal, .evaluations = 1, .population = 4, .start = best, .n_start = 1};
    uint8_t found[MOST_BITS];
    cut_trial_run r;
    pv_cut_result result;
    pv_error error = {0};
    if (least == UINT64_MAX) {
        return;
    }
    cut_trial_run_init(t, &r, 1);
    bound_must(pv_i_memetic(&r.run, &options, &result, &error), &error);
    pv_i_cut_run_scheme(&r.run, result.best, found);
    assert_int_equal(cut_trial_value(t, &goal, found), least);
    pv_i_cut_result_deinit(&result);
    cut_trial_run_deinit(&r);
}

static void what_it_starts_from_is_not_lost(void **state)
{
    (void)state;
    cut_trial_tables(5, 60, look_at_start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_change_at_most_one),
        cmocka_unit_test(repairs_and_sweeps_are_sound),
        cmocka_unit_test(it_is_never_better_than_the_best),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(what_it_starts_from_is_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
