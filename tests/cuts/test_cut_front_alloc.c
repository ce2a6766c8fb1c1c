/* The front over cuts when memory runs out, at every allocation: the same front, or none. */
#include "support/failing_alloc.h"
#include "support/study.h"

#include "front/front.h"

#include <math.h>
#include <paravent/search.h>

static const char plan[] =
    "attributes:\n"
    "  a: {role: quasi}\n"
    "  b: {role: quasi, weight: 2, hierarchy: {rows: [[x, A], [y, A], [z, B]]}}\n";
static const char table[] = "a,b\n1,x\n1,y\n2,x\n2,z\n3,y\n3,x\n4,z\n4,y\n1,z\n2,y\n";

static const pv_cut_front_options options = {.free_groups = false,
                                             .evaluations = 1,
                                             .population = 2,
                                             .prove = (double)INFINITY,
                                             .max_nodes = 60};

static void expect_same(const pv_front *a, const pv_front *b)
{
    assert_int_equal(a->n_points, b->n_points);
    for (size_t i = 0; i < a->n_points; i++) {
        assert_int_equal(a->points[i].k, b->points[i].k);
        assert_true(a->points[i].values[1] == b->points[i].values[1]);
        assert_true(a->points[i].bound == b->points[i].bound);
    }
}

static int64_t fail_each(const pv_profile *profile, const pv_front *expected, bool stays)
{
    const pv_context context = {.threads = 1};
    for (int64_t n = 0;; n++) {
        pv_front *front = NULL;
        pv_error error = {0};
        failing_alloc_arm(n, stays);
        const pv_status status = pv_search_cuts(profile, &options, &context, &front, &error);
        const bool failed = failing_alloc_disarm();
        if (status == PV_STATUS_OK) { /* views of the table can be done without */
            expect_same(front, expected);
            pv_front_free(front);
        } else {
            assert_int_equal(status, PV_STATUS_NO_MEMORY);
            assert_int_equal(error.status, PV_STATUS_NO_MEMORY);
            assert_null(front);
        }
        if (!failed) {
            assert_int_equal(status, PV_STATUS_OK);
            return n;
        }
    }
}

static void it_fails_cleanly(void **state)
{
    const pv_context context = {.threads = 1};
    bound_study bound = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(bound.study, 1);
    pv_front *front = NULL;
    pv_error error = {0};
    (void)state;
    bound_must(pv_search_cuts(profile, &options, &context, &front, &error), &error);
    assert_true(front->proof_nodes > 0);
    assert_true(fail_each(profile, front, true) > 100);
    assert_true(fail_each(profile, front, false) > 100);
    pv_front_free(front);
    pv_profile_free(profile);
    bound_study_free(&bound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_fails_cleanly)};
    return cmocka_run_group_tests_name("the front over cuts without memory", tests, NULL, NULL);
}
