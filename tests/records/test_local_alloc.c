/* Local recoding when memory runs out, at every allocation; and when it is stopped. */
#include "support/failing_alloc.h"
#include "support/study.h"

#include <math.h>
#include <paravent/local.h>

static const char plan[] = "attributes:\n"
                           "  age: {role: quasi, hierarchy: {intervals: [10, 100]}}\n"
                           "  place: {role: quasi}\n"
                           "  ill: {role: sensitive}\n";
static const char table[] = "age,place,ill\n1,x,a\n1,x,a\n1,x,b\n31,x,b\n31,x,c\n32,y,a\n"
                            "99,z,a\n1,x,c\n1,x,a\n";

typedef struct {
    const pv_study *study;
    pv_local_options options;
} question;

static pv_status find(void *ctx, pv_error *error)
{
    const question *const q = ctx;
    pv_local *local = NULL;
    const pv_status status = pv_local_find(q->study, &q->options, &local, error);
    assert_int_equal(local != NULL, status == PV_STATUS_OK);
    pv_local_free(local);
    return status;
}

static void fails_cleanly(void **state)
{
    static const char *const asked[] = {"k=2", "k=3", "k=2,l-distinct=2"};
    const pv_context context = {.threads = 1};
    const pv_profile *profile = NULL;
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    pv_error error = {0};
    bound_study s = bound_study_create(plan, table);
    (void)state;
    bound_must(pv_study_profile(s.study, &profile, &error), &error);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        question q = {.study = s.study,
                      .options = {.context = &context, .demands = demands, .improve_steps = 20}};
        size_t n = 0;
        bound_must(pv_constraints_parse(asked[i], demands, &n, &error), &error);
        q.options.n_demands = n;
        for (uint64_t rows = 0; rows < 4; rows += 3) { /* with and without rows to suppress */
            const pv_budget budget = {.rows = rows};
            q.options.budget = &budget;
            assert_true(failing_alloc_every(find, &q) > 20);
        }
    }
    bound_study_free(&s);
}

/* Two wide attributes of many levels: more nodes than are gone through. */
static void by_blocks_fails_cleanly(void **state)
{
    search_table t = search_table_create(10, 60);
    const pv_context context = {.threads = 1};
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    const pv_profile *profile = NULL;
    size_t n = 0;
    pv_error error = {0};
    (void)state;
    bound_must(pv_constraints_parse("k=2", demands, &n, &error), &error);
    bound_must(pv_study_profile(t.study.study, &profile, &error), &error);
    question q = {.study = t.study.study,
                  .options = {.context = &context,
                              .demands = demands,
                              .n_demands = n,
                              .improve_steps = 16,
                              .bound_seconds = -1}};
    assert_true(failing_alloc_each(find, &q, false) > 20);
    search_table_free(&t);
}

/* ------------------------------------------------------------------ stopped */

static bool stop_in(void *ctx, const pv_progress *progress)
{
    return strcmp(progress->phase, ctx) != 0;
}

/* Stopped while it improves or proves, it has a result; before that, none. */
static void is_stopped(void **state)
{
    static const struct {
        const char *phase;
        pv_status status;
    } cases[] = {{"screening", PV_STATUS_CANCELLED},
                 {"improving", PV_STATUS_OK},
                 {"bounding", PV_STATUS_OK}};
    search_table t = search_table_create(5, 400);
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    pv_error error = {0};
    (void)state;
    bound_must(pv_constraints_parse("k=3", demands, &n, &error), &error);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pv_context context = {
            .threads = 2, .progress = stop_in, .progress_ctx = (void *)(uintptr_t)cases[i].phase};
        const pv_local_options options = {
            .context = &context, .demands = demands, .n_demands = n, .improve_steps = 64};
        pv_local *local = NULL;
        assert_int_equal(pv_local_find(t.study.study, &options, &local, &error), cases[i].status);
        if (local != NULL) {
            assert_int_equal(pv_local_stop(local), PV_STOP_CANCELLED);
            assert_true(pv_local_scheme(local) != NULL && isinf(pv_local_gap(local)));
        }
        pv_local_free(local);
    }
    search_table_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_cleanly),
        cmocka_unit_test(by_blocks_fails_cleanly),
        cmocka_unit_test(is_stopped),
    };
    return cmocka_run_group_tests_name("local recoding without memory, or stopped", tests, NULL,
                                       NULL);
}
