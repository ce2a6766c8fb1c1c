/* Searches over cuts with rules, another bias and another loss when memory runs out, at every
 * allocation: the same answer, or none and nothing touched. */
#include "support/failing_alloc.h"
#include "support/study.h"

#include "base/buffer.h"
#include "base/rng.h"
#include "cuts/cut_search.h"

enum { MOST_BITS = 32, ROWS = 24, RULES = 3 };

static const char plan[] =
    "attributes:\n"
    "  a: {role: quasi}\n"
    "  b: {role: quasi, weight: 2, hierarchy: {rows: [[x, A], [y, A], [z, B], [w]]}}\n"
    "  s: {role: sensitive}\n"
    "  u: {role: sensitive}\n"
    "  c: {role: label}\n";

static bound_study make_study(void)
{
    static const char letters[] = "xyzw";
    pv_buffer csv = {0};
    pv_rng rng;
    pv_i_rng_init(&rng, 91);
    pv_i_buffer_text(&csv, "a,b,s,u,c\n");
    for (int row = 0; row < ROWS; row++) {
        pv_i_buffer_format(&csv, "%d,", (int)pv_i_rng_below(&rng, 6));
        pv_i_buffer_format(&csv, "%c,", letters[pv_i_rng_below(&rng, 4)]);
        pv_i_buffer_format(&csv, "s%d,", (int)pv_i_rng_below(&rng, 4));
        pv_i_buffer_format(&csv, "%d,", (int)pv_i_rng_below(&rng, 5));
        pv_i_buffer_format(&csv, "%d\n", (int)pv_i_rng_below(&rng, 2));
    }
    const bound_study study = bound_study_create(plan, csv.data);
    pv_i_buffer_deinit(&csv);
    return study;
}

typedef struct {
    const pv_study *study;
    pv_profile *profile;
    pv_constraint rules[RULES];
    pv_measure_ref bias, loss;
    pv_cut_space space;
    pv_cut_criteria criteria;
    pv_cut_prices prices;
    uint8_t cuts[MOST_BITS]; /* what comes of it */
} subject;

typedef pv_status work_fn(const subject *s, pv_cut_table *table, uint8_t *cuts, pv_error *error);

/* ------------------------------------------------------------------ searches */

static pv_status prove(const subject *s, pv_cut_table *table, uint8_t *cuts, pv_error *error)
{
    const pv_cut_bnb_options options = {
        .goal = {.k = 2, .bias_slope = 1}, .criteria = &s->criteria, .max_nodes = 12};
    pv_cut_proof proof;
    return pv_i_cut_bnb(table, &s->prices, &options, cuts, &proof, error);
}

static pv_status search_with(const subject *s, pv_cut_table *table, bool memetic, uint8_t *cuts,
                             pv_error *error)
{
    const pv_context context = {.threads = 1};
    const pv_cut_search_options options = {
        .goal = {.k = 2, .bias_slope = 1}, .evaluations = 16, .population = 4};
    pv_cut_run run;
    pv_cut_result result = {0};
    pv_status status = pv_i_cut_run_init(&run, table, &s->prices, &s->criteria, &context, error);
    if (status != PV_STATUS_OK) {
        return status;
    }
    status = memetic ? pv_i_memetic(&run, &options, &result, error)
                     : pv_i_nsga2(&run, &options, &result, error);
    if (status == PV_STATUS_OK) {
        assert_int_not_equal(result.best, PV_CUT_NO_SCHEME);
        pv_i_cut_run_scheme(&run, result.best, cuts);
    }
    pv_i_cut_result_deinit(&result);
    pv_i_cut_run_deinit(&run);
    return status;
}

static pv_status breed(const subject *s, pv_cut_table *table, uint8_t *cuts, pv_error *error)
{
    return search_with(s, table, true, cuts, error);
}

static pv_status select_best(const subject *s, pv_cut_table *table, uint8_t *cuts, pv_error *error)
{
    return search_with(s, table, false, cuts, error);
}

static pv_status work(const subject *s, work_fn *search, uint8_t *cuts, pv_error *error)
{
    pv_cut_table table;
    pv_status status = pv_i_cut_table_init_counting(
        &table, s->profile, &s->space, s->criteria.columns, s->criteria.n_columns, 1 << 20, error);
    if (status == PV_STATUS_OK) {
        status = search(s, &table, cuts, error);
    }
    pv_i_cut_table_deinit(&table);
    return status;
}

/* ---------------------------------------------------------------- failures */

static int64_t fail_each(const subject *s, work_fn *search, bool stays)
{
    for (int64_t n = 0;; n++) {
        uint8_t cuts[MOST_BITS];
        pv_error error = {0};
        memset(cuts, 7, sizeof cuts);
        failing_alloc_arm(n, stays);
        const pv_status status = work(s, search, cuts, &error);
        const bool failed = failing_alloc_disarm();
        if (status == PV_STATUS_OK) {
            assert_memory_equal(cuts, s->cuts, sizeof cuts);
        } else {
            assert_int_equal(status, PV_STATUS_NO_MEMORY);
            assert_int_equal(error.status, PV_STATUS_NO_MEMORY);
            assert_int_equal(cuts[0], 7);
        }
        if (!failed) {
            assert_int_equal(status, PV_STATUS_OK);
            return n;
        }
    }
}

static void fail_search(subject *s, work_fn *search)
{
    pv_error error = {0};
    memset(s->cuts, 7, sizeof s->cuts);
    bound_must(work(s, search, s->cuts, &error), &error);
    assert_true(fail_each(s, search, true) > 50);
    assert_true(fail_each(s, search, false) > 50);
}

static void fail_with(const char *bias, const char *loss, work_fn *search)
{
    bound_study bound = make_study();
    subject s = {.study = bound.study,
                 .profile = bound_profile(bound.study, 1),
                 .rules = {{{.measure = pv_measure_find("l-recursive"), .parameter = 3}, 2},
                           {{.measure = pv_measure_find("t-closeness"), .column = "u"}, 0.5},
                           {{.measure = pv_measure_find("l-entropy"), .parameter = 0}, 1.5}},
                 .bias.measure = pv_measure_find(bias),
                 .loss.measure = pv_measure_find(loss)};
    pv_error error = {0};
    bound_must(pv_i_cut_space_init(&s.space, s.study, true, &error), &error);
    assert_true(s.space.n_bits <= MOST_BITS);
    bound_must(pv_i_cut_criteria_init(&s.criteria, s.profile, &s.space, s.rules, RULES, &s.bias,
                                      &s.loss, &error),
               &error);
    pv_i_cut_criteria_prices(&s.criteria, NULL, &s.prices);
    fail_search(&s, search);
    pv_i_cut_space_deinit(&s.space);
    pv_profile_free(s.profile);
    bound_study_free(&bound);
}

static void proofs_fail_cleanly(void **state)
{
    (void)state;
    fail_with("gini", "nwp", prove);
    fail_with("necd", "leaf-utility", prove);
}

static void heuristics_fail_cleanly(void **state)
{
    (void)state;
    fail_with("gini", "cm", breed);
    fail_with("necd", "entropy", breed);
    fail_with("gini", "dcn", select_best);
    fail_with("necd", "cm", select_best);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_fail_cleanly),
        cmocka_unit_test(heuristics_fail_cleanly),
    };
    return cmocka_run_group_tests_name("rules for cuts without memory", tests, NULL, NULL);
}
