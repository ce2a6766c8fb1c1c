/* A run over cuts: every scheme is counted once, and rightly, on any number of threads. */
#include "support/cut_trial.h"

enum { BATCH = 60 };

static uint8_t *random_schemes(const cut_trial *t, pv_rng *rng, size_t n)
{
    const size_t n_bits = t->space.n_bits;
    uint8_t *const schemes = oracle_array(n * n_bits + 1, 1);
    for (size_t i = 0; i < n; i++) {
        cut_trial_random(t, rng, schemes + i * n_bits);
        if (i > 0 && pv_i_rng_below(rng, 4) == 0) { /* one that was there before */
            memcpy(schemes + i * n_bits, schemes + pv_i_rng_below(rng, i) * n_bits, n_bits);
        }
    }
    return schemes;
}

static void evaluate(pv_cut_run *run, const uint8_t *schemes, size_t n, uint32_t *ids)
{
    pv_error error = {0};
    bound_must(pv_i_cut_run_evaluate(run, schemes, n, ids, &error), &error);
}

static void expect_naive(const cut_trial *t, const pv_cut_run *run, uint32_t id,
                         const uint8_t *cuts)
{
    const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(run, id);
    const cut_oracle_sizes sizes = cut_oracle_count(&t->oracle, cuts);
    uint8_t *const remembered = oracle_array(t->space.n_bits + 1, 1);
    pv_i_cut_run_scheme(run, id, remembered);
    assert_memory_equal(remembered, cuts, t->space.n_bits);
    assert_int_equal(outcome->cost, cut_oracle_cost(&t->oracle, t->prices.unit, cuts));
    assert_int_equal(outcome->sizes.smallest, sizes.smallest);
    assert_int_equal(outcome->sizes.largest, sizes.largest);
    assert_int_equal(outcome->sizes.n_classes, sizes.n_classes);
    assert_int_equal(outcome->sizes.n_rows, t->oracle.n_rows);
    for (uint64_t k = 0; k <= t->oracle.n_rows + 1; k++) {
        assert_int_equal(pv_i_cut_is_feasible(&(pv_cut_goal){.k = k}, outcome),
                         sizes.smallest >= k);
    }
    free(remembered);
}

/* ------------------------------------------------------------------- naive */

static void look_at_outcomes(cut_trial *t, pv_rng *rng)
{
    uint8_t *const schemes = random_schemes(t, rng, BATCH);
    uint32_t ids[BATCH];
    cut_trial_run r;
    cut_trial_run_init(t, &r, 1 + (unsigned)pv_i_rng_below(rng, 3));
    evaluate(&r.run, schemes, BATCH, ids);
    for (size_t i = 0; i < BATCH; i++) {
        expect_naive(t, &r.run, ids[i], schemes + i * t->space.n_bits);
    }
    cut_trial_run_deinit(&r);
    free(schemes);
}

static void outcomes_are_those_of_the_rows(void **state)
{
    (void)state;
    cut_trial_tables(901, 40, look_at_outcomes);
}

/* More places for cuts than a word has bits. */
static void schemes_may_be_long(void **state)
{
    const random_shape shape = {
        .n_rows = 60, .n_quasi = 7, .n_values = 20, .full = true, .heights = 3, .copies = 2};
    random_study s;
    cut_trial t;
    pv_rng rng;
    pv_i_rng_init(&rng, 902);
    (void)state;
    random_study_init(&s, &rng, &shape);
    cut_trial_init(&t, s.bound.study, s.profile, false);
    assert_true(t.space.n_bits > 64);
    for (int i = 0; i < 5; i++) {
        look_at_outcomes(&t, &rng);
    }
    cut_trial_deinit(&t);
    random_study_deinit(&s);
}

/* -------------------------------------------------------------------- once */

/* The number of the first of `n` schemes that is like the i-th. */
static size_t first_like(const cut_trial *t, const uint8_t *schemes, size_t i)
{
    const size_t n_bits = t->space.n_bits;
    size_t j = 0;
    while (memcmp(schemes + i * n_bits, schemes + j * n_bits, n_bits) != 0) {
        j++;
    }
    return j;
}

/* In batches of any size, the empty one included. */
static void evaluate_in_parts(const cut_trial *t, pv_rng *rng, pv_cut_run *run,
                              const uint8_t *schemes, uint32_t *ids)
{
    for (size_t done = 0; done < BATCH;) {
        const size_t n = (size_t)pv_i_rng_below(rng, BATCH - done + 1);
        evaluate(run, schemes + done * t->space.n_bits, n, ids + done);
        done += n;
        assert_int_equal(run->asked, done);
        assert_int_equal(run->evaluated, run->map.n);
    }
}

static void look_at_counts(cut_trial *t, pv_rng *rng)
{
    uint8_t *const schemes = random_schemes(t, rng, BATCH);
    uint32_t ids[BATCH];
    uint32_t n_distinct = 0;
    cut_trial_run r;
    cut_trial_run_init(t, &r, 2);
    evaluate_in_parts(t, rng, &r.run, schemes, ids);
    for (size_t i = 0; i < BATCH; i++) { /* ids count up as schemes come */
        const size_t first = first_like(t, schemes, i);
        assert_int_equal(ids[i], first < i ? ids[first] : n_distinct);
        n_distinct += first == i;
    }
    assert_int_equal(r.run.evaluated, n_distinct);
    assert_int_equal(r.run.asked, BATCH);
    evaluate(&r.run, schemes, BATCH, ids); /* nothing is new */
    assert_int_equal(r.run.evaluated, n_distinct);
    assert_int_equal(r.run.asked, 2 * BATCH);
    cut_trial_run_deinit(&r);
    free(schemes);
}

static void schemes_are_counted_once(void **state)
{
    (void)state;
    cut_trial_tables(903, 40, look_at_counts);
}

static void look_on_threads(cut_trial *t, pv_rng *rng)
{
    uint8_t *const schemes = random_schemes(t, rng, BATCH);
    uint32_t alone_ids[BATCH];
    uint32_t ids[BATCH];
    cut_trial_run alone;
    cut_trial_run_init(t, &alone, 1);
    evaluate(&alone.run, schemes, BATCH, alone_ids);
    for (unsigned threads = 2; threads < 6; threads++) {
        cut_trial_run r;
        cut_trial_run_init(t, &r, threads);
        evaluate(&r.run, schemes, BATCH, ids);
        assert_memory_equal(ids, alone_ids, sizeof ids);
        assert_memory_equal(r.run.outcomes, alone.run.outcomes,
                            r.run.map.n * sizeof *r.run.outcomes);
        cut_trial_run_deinit(&r);
    }
    cut_trial_run_deinit(&alone);
    free(schemes);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    cut_trial_tables(904, 30, look_on_threads);
}

/* What it remembers stays when others do the work. */
static void look_with_others(cut_trial *t, pv_rng *rng)
{
    uint8_t *const schemes = random_schemes(t, rng, BATCH);
    uint32_t ids[BATCH];
    pv_error error = {0};
    cut_trial_run r;
    cut_trial_run_init(t, &r, 2);
    evaluate(&r.run, schemes, BATCH / 2, ids);
    for (unsigned threads = 4; threads > 0; threads--) {
        const pv_context context = {.threads = threads};
        bound_must(pv_i_cut_run_set_threads(&r.run, &context, &error), &error);
        evaluate(&r.run, schemes, BATCH, ids);
        for (size_t i = 0; i < BATCH; i++) {
            expect_naive(t, &r.run, ids[i], schemes + i * t->space.n_bits);
        }
    }
    assert_int_equal(r.run.asked, BATCH / 2 + 4 * BATCH);
    assert_int_equal(r.run.evaluated, r.run.map.n);
    cut_trial_run_deinit(&r);
    free(schemes);
}

static void threads_may_change(void **state)
{
    (void)state;
    cut_trial_tables(905, 10, look_with_others);
}

/* ------------------------------------------------------------- nothing to cut */

static void a_table_may_have_nothing_to_cut(void **state)
{
    bound_study s = bound_study_create("attributes:\n  a: {role: quasi}\n", "a\nx\nx\nx\n");
    pv_profile *const profile = bound_profile(s.study, 1);
    const uint8_t nothing[1] = {0};
    uint32_t ids[2];
    cut_trial t;
    cut_trial_run r;
    (void)state;
    cut_trial_init(&t, s.study, profile, false);
    cut_trial_run_init(&t, &r, 2);
    assert_int_equal(t.space.n_bits, 0);
    evaluate(&r.run, nothing, 2, ids);
    assert_int_equal(r.run.evaluated, 1);
    assert_int_equal(ids[1], ids[0]);
    expect_naive(&t, &r.run, ids[0], nothing);
    cut_trial_run_deinit(&r);
    cut_trial_deinit(&t);
    pv_profile_free(profile);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_those_of_the_rows),
        cmocka_unit_test(schemes_may_be_long),
        cmocka_unit_test(schemes_are_counted_once),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(threads_may_change),
        cmocka_unit_test(a_table_may_have_nothing_to_cut),
    };
    return cmocka_run_group_tests_name("a run over cuts", tests, NULL, NULL);
}
