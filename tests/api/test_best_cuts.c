/* The best cut scheme for programs: never worse than the best levels where levels are cuts, and
 * released like any other scheme. */
#include "base/memory.h"
#include "cuts/cut_best.h"
#include "scheme/cut_space.h"
#include "support/files.h"
#include "support/random_study.h"
#include "support/testing.h"

#include <math.h>
#include <paravent/paravent.h>

static pv_best *find(const pv_study *study, pv_scheme_kind kind, const char *loss,
                     const pv_constraint *demands, size_t n_demands, const pv_budget *budget)
{
    const pv_best_options options = {.size = sizeof options,
                                     .kind = kind,
                                     .minimize = loss,
                                     .demands = demands,
                                     .n_demands = n_demands,
                                     .budget = budget,
                                     .max_seconds = -1};
    pv_best *best = NULL;
    assert_int_equal(pv_best_find(study, &options, &best, NULL), PV_STATUS_OK);
    assert_true(pv_best_is_proven(best));
    assert_true(pv_best_gap(best) < 1e-9);
    return best;
}

/* Written, read back by the auditor and found to keep the demands. */
static void release(const pv_study *study, const pv_best *best)
{
    const pv_budget budget = {.rows = pv_best_budget(best)};
    const pv_release_options options = {.size = sizeof options, .budget = &budget};
    scratch_folder folder = scratch_folder_create("out.csv");
    pv_release_result *result = NULL;
    pv_error error = {0};
    const pv_status status =
        pv_release_write(study, pv_best_scheme(best), folder.file, &options, &result, &error);
    if (status != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(pv_release_n_suppressed(result), pv_best_suppressed(best));
    pv_release_result_free(result);
    scratch_folder_remove(&folder);
}

static const char *const losses[] = {"glm", "nwp", "leaf-utility"};
static const char *const rules[] = {"l-distinct", "l-entropy", "t-closeness"};

static void check(random_study *s, size_t *n_compared)
{
    const pv_study *const study = s->bound.study;
    pv_cut_space space;
    const char *const loss = losses[random_below(s, 3)];
    const pv_measure *const rule = pv_measure_find(rules[random_below(s, 3)]);
    const pv_constraint demands[2] = {
        {.ref = {.measure = pv_measure_find("k")}, .bound = (double)(2 + random_below(s, 3))},
        {.ref = {.measure = rule, .parameter = rule->parameter_default},
         .bound = rule->direction == PV_MORE_IS_BETTER ? 2 : 0.5}};
    const size_t n_demands = 1 + (s->table.n_sensitive > 0);
    const pv_budget budget = {.rows = random_below(s, 8)};
    assert_int_equal(pv_i_cut_space_init(&space, study, true, NULL), PV_STATUS_OK);
    const bool comparable = pv_i_cuts_have_levels(&space);
    pv_i_cut_space_deinit(&space);
    pv_best *const levels = find(study, PV_SCHEME_LEVELS, loss, demands, n_demands, &budget);
    pv_best *const cuts = find(study, PV_SCHEME_CUTS, loss, demands, n_demands, &budget);
    if (comparable && pv_best_scheme(levels) != NULL) {
        const bool less = pv_measure_find(loss)->direction == PV_LESS_IS_BETTER;
        const double saved = pv_best_value(levels) - pv_best_value(cuts);
        assert_non_null(pv_best_scheme(cuts));
        assert_true((less ? saved : -saved) >= -1e-9 * fmax(1, fabs(pv_best_value(levels))));
        ++*n_compared;
    }
    if (pv_best_scheme(cuts) != NULL) {
        assert_int_equal(pv_scheme_kind_of(pv_best_scheme(cuts)), PV_SCHEME_CUTS);
        release(study, cuts);
    }
    pv_best_free(levels);
    pv_best_free(cuts);
}

static void test_never_worse_than_levels(void **state)
{
    (void)state;
    pv_rng rng;
    size_t n_compared = 0;
    pv_i_rng_init(&rng, 41);
    const size_t n = effort(120);
    for (size_t i = 0; i < n; i++) {
        random_study s;
        const random_shape shape = {.n_rows = 10 + (size_t)pv_i_rng_below(&rng, 40),
                                    .n_quasi = 1 + (size_t)pv_i_rng_below(&rng, 3),
                                    .n_values = 5,
                                    .n_sensitive = (size_t)pv_i_rng_below(&rng, 2),
                                    .missing = pv_i_rng_below(&rng, 3) == 0 ? 5 : 0,
                                    .heights = 1 + (unsigned)pv_i_rng_below(&rng, 3),
                                    .copies = 2};
        random_study_init(&s, &rng, &shape);
        check(&s, &n_compared);
        random_study_deinit(&s);
    }
    assert_true(n_compared > n / 20 || !effort_is_whole());
}

/* What cuts cannot do is said. */
static void test_what_is_refused(void **state)
{
    (void)state;
    bound_study s = bound_study_create("attributes:\n  a: {role: quasi}\n  b: {role: quasi}\n",
                                       "a,b\n1,x\n1,x\n2,y\n2,y\n3,x\n");
    const pv_constraint k = {.ref = {.measure = pv_measure_find("k")}, .bound = 2};
    const pv_budget budget = {.rows = 1};
    pv_best_options options = {.size = sizeof options,
                               .kind = PV_SCHEME_CUTS,
                               .demands = &k,
                               .n_demands = 1,
                               .budget = &budget};
    pv_best *best = NULL;
    options.minimize = "precision";
    assert_int_equal(pv_best_find(s.study, &options, &best, NULL), PV_STATUS_ARGUMENT);
    options.kind = PV_SCHEME_RECORDS;
    options.minimize = NULL;
    assert_int_equal(pv_best_find(s.study, &options, &best, NULL), PV_STATUS_ARGUMENT);
    assert_null(best);
    bound_study_free(&s);
}

/* Other losses are looked for, and nothing is claimed. */
static void test_other_losses(void **state)
{
    (void)state;
    bound_study s = bound_study_create("attributes:\n  a: {role: quasi}\n  b: {role: quasi}\n",
                                       "a,b\n1,x\n1,x\n2,y\n2,y\n3,x\n3,y\n");
    const pv_constraint k = {.ref = {.measure = pv_measure_find("k")}, .bound = 2};
    static const char *const others[] = {"dcn", "aecs", "entropy"};
    for (size_t i = 0; i < 3; i++) {
        const pv_best_options options = {.size = sizeof options,
                                         .kind = PV_SCHEME_CUTS,
                                         .minimize = others[i],
                                         .demands = &k,
                                         .n_demands = 1};
        pv_best *best = NULL;
        assert_int_equal(pv_best_find(s.study, &options, &best, NULL), PV_STATUS_OK);
        assert_non_null(pv_best_scheme(best));
        assert_false(pv_best_is_proven(best));
        assert_true(pv_best_bound(best) <= pv_best_value(best));
        pv_best_free(best);
    }
    bound_study_free(&s);
}

/* k beyond the rows, and what nothing keeps. */
static void test_nothing_keeps_it(void **state)
{
    (void)state;
    bound_study s = bound_study_create("attributes:\n  a: {role: quasi}\n  d: {role: sensitive}\n",
                                       "a,d\n1,x\n1,x\n2,y\n2,y\n");
    const pv_constraint demands[] = {
        {.ref = {.measure = pv_measure_find("k")}, .bound = 5},
        {.ref = {.measure = pv_measure_find("l-distinct")}, .bound = 3}};
    for (size_t i = 0; i < 2; i++) {
        for (uint64_t rows = 0; rows < 4; rows++) {
            const pv_budget budget = {.rows = rows};
            pv_best *const best = find(s.study, PV_SCHEME_CUTS, "glm", &demands[i], 1, &budget);
            assert_null(pv_best_scheme(best));
            pv_best_free(best);
        }
    }
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_worse_than_levels),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_other_losses),
        cmocka_unit_test(test_nothing_keeps_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
