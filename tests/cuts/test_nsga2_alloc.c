/* NSGA-II, its run and its results when memory runs out, at every allocation. */
#include "support/cut_trial.h"
#include "support/failing_alloc.h"

static const char plan[] = "attributes:\n  a: {role: quasi}\n  b: {role: quasi}\n"
                           "  c: {role: quasi, hierarchy: {rows: [[x, v], [y, v], [z]]}}\n";
static const char rows[] = "a,b,c\n1,p,x\n1,q,x\n2,p,x\n3,p,y\n3,q,y\n4,q,z\n5,r,z\n6,r,x\n"
                           "7,s,x\n7,s,y\n8,p,z\n8,p,z\n1,p,x\n3,p,y\n8,s,z\n7,r,y\n";

/* More schemes than the map of a run has room for at first. */
static const pv_cut_search_options variants[] = {
    {.goal.k = 2, .evaluations = 160, .population = 40, .mutation = 0.1},
    {.goal = {.k = 3, .bias_slope = 0.5}, .evaluations = 100, .population = 7, .mutation = 0.1},
    {.goal.k = 17, .evaluations = 60, .population = 20}, /* hopeless */
};
enum { VARIANTS = sizeof variants / sizeof *variants };

typedef struct {
    const pv_profile *profile;
    const pv_cut_space *space;
    const pv_cut_prices *prices;
    const pv_cut_search_options *options;
    pv_context context;
    pv_cut_result found, known;
} task;

static pv_status results(task *t, pv_cut_run *run, pv_error *error)
{
    const pv_status status = pv_i_nsga2(run, t->options, &t->found, error);
    return status != PV_STATUS_OK ? status
                                  : pv_i_cut_result_of(run, &t->options->goal, &t->known, error);
}

/* With a table of its own: views are made anew. */
static pv_status work(task *t, pv_error *error)
{
    pv_cut_table table;
    pv_cut_run run;
    pv_status status = pv_i_cut_table_init(&table, t->profile, t->space, 1 << 20, error);
    t->found = (pv_cut_result){0};
    t->known = (pv_cut_result){0};
    if (status != PV_STATUS_OK) {
        return status;
    }
    status = pv_i_cut_run_init(&run, &table, t->prices, NULL, &t->context, error);
    if (status == PV_STATUS_OK) {
        status = results(t, &run, error);
        pv_i_cut_run_deinit(&run);
    }
    pv_i_cut_table_deinit(&table);
    return status;
}

static void forget(task *t)
{
    pv_i_cut_result_deinit(&t->found);
    pv_i_cut_result_deinit(&t->known);
}

static void expect_same(const pv_cut_result *a, const pv_cut_result *b)
{
    assert_int_equal(a->best, b->best);
    assert_int_equal(a->n_front, b->n_front);
    assert_memory_equal(a->front, b->front, a->n_front * sizeof *a->front);
    assert_int_equal(a->generations, b->generations);
}

/* Views are a luxury: without memory for one the search may succeed all the same, and then it must
 * be right. */
static void fail_each(task *t, const task *expected, bool stays)
{
    size_t failures = 0;
    bool happened = true;
    for (int64_t n = 0; happened; n++) {
        pv_error error = {0};
        failing_alloc_arm(n, stays);
        const pv_status status = work(t, &error);
        happened = failing_alloc_disarm();
        if (status == PV_STATUS_OK) {
            expect_same(&t->found, &expected->found);
            expect_same(&t->known, &expected->known);
        } else {
            assert_true(happened && status == PV_STATUS_NO_MEMORY);
            assert_int_equal(error.status, PV_STATUS_NO_MEMORY);
        }
        failures += status != PV_STATUS_OK;
        forget(t);
    }
    assert_true(failures > 20);
}

static void fail_cleanly(bool respects, unsigned threads, size_t n_variants)
{
    bound_study s = bound_study_create(plan, rows);
    pv_profile *const profile = bound_profile(s.study, 1);
    cut_trial trial;
    cut_trial_init(&trial, s.study, profile, respects);
    for (size_t i = 0; i < n_variants; i++) {
        task expected = {.profile = profile,
                         .space = &trial.space,
                         .prices = &trial.prices,
                         .options = &variants[i],
                         .context.threads = threads};
        task again = expected;
        pv_error error = {0};
        bound_must(work(&expected, &error), &error);
        fail_each(&again, &expected, true);
        fail_each(&again, &expected, false);
        forget(&expected);
    }
    cut_trial_deinit(&trial);
    pv_profile_free(profile);
    bound_study_free(&s);
}

static void nsga2_fails_cleanly(void **state)
{
    (void)state;
    fail_cleanly(false, 1, VARIANTS);
    fail_cleanly(true, 1, VARIANTS);
}

/* Which thread meets the failure is a matter of chance; none may come to grief. */
static void threads_fail_cleanly(void **state)
{
    (void)state;
    fail_cleanly(false, 3, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nsga2_fails_cleanly),
        cmocka_unit_test(threads_fail_cleanly),
    };
    return cmocka_run_group_tests_name("NSGA-II without memory", tests, NULL, NULL);
}
