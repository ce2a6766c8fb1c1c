/* pbg-ea and pbg-hybrid when memory runs out, at every allocation. */
#include "support/failing_alloc.h"
#include "support/front_search.h"
#include "support/study.h"

static const char plan[] = "attributes:\n"
                           "  a: {role: quasi, hierarchy: {intervals: [2, 4, 8]}}\n"
                           "  b: {role: quasi, hierarchy: {intervals: [2, 4, 8]}}\n"
                           "  c: {role: quasi, hierarchy: {intervals: [2, 4, 8]}}\n"
                           "  d: {role: label}\n";
static const char table[] = "a,b,c,d\n1,1,1,x\n1,2,3,y\n2,1,5,x\n3,3,3,x\n5,4,9,y\n6,1,1,z\n"
                            "9,9,9,x\n9,9,8,y\n2,2,2,x\n7,7,7,z\n7,6,5,z\n4,3,2,x\n";

static const char *const k_glm[] = {"k", "glm", NULL};
static const char *const three[] = {"k", "dcn", "cm", NULL};
static const uint8_t start[] = {1, 0, 2, 3, 1, 1, 0, 0, 1};
static const double sides[] = {2, 15, 1};

static const search_request variants[] = {
    {.objectives = k_glm},
    {.objectives = three, .archive = 3},
    {.objectives = three, .epsilons = sides, .suppression = {.whole_budget = true, .budget = 2}},
    {.objectives = three, .epsilons = sides, .suppression = {.budget = 4}},
    {.objectives = k_glm, .start = start, .n_start = 3, .suppression = {.target_k = 2}},
};
enum { N_VARIANTS = sizeof variants / sizeof *variants };

/* Lists kept for later are a luxury: without memory for them a search may succeed all the same, and
 * then it must be right. */
static void fail_each(const pv_profile *profile, const search_request *request,
                      const pv_front *expected, bool stays)
{
    bool happened = true;
    for (int64_t n = 0; happened; n++) {
        pv_error error;
        failing_alloc_arm(n, stays);
        pv_front *const front = search_try(profile, request, &error);
        happened = failing_alloc_disarm();
        if (front != NULL) {
            search_expect_same(expected, front);
        } else {
            assert_true(happened && error.status == PV_STATUS_NO_MEMORY);
        }
        pv_front_free(front);
    }
}

static void fail_cleanly(const char *method)
{
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    for (size_t i = 0; i < N_VARIANTS; i++) {
        search_request request = variants[i];
        request.method = method;
        request.threads = 1;
        request.population = 10;
        request.iterations = 4;
        pv_front *const expected = search_front(profile, &request);
        assert_true(expected->n_points > 1);
        fail_each(profile, &request, expected, true);
        fail_each(profile, &request, expected, false);
        pv_front_free(expected);
    }
    pv_profile_free(profile);
    bound_study_free(&s);
}

static void evolution_fails_cleanly(void **state)
{
    (void)state;
    fail_cleanly("pbg-ea");
}

static void the_hybrid_fails_cleanly(void **state)
{
    (void)state;
    fail_cleanly("pbg-hybrid");
}

/* A front that is whole is put into boxes, too. */
static void boxes_fail_cleanly(void **state)
{
    (void)state;
    fail_cleanly("exhaustive");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evolution_fails_cleanly),
        cmocka_unit_test(the_hybrid_fails_cleanly),
        cmocka_unit_test(boxes_fail_cleanly),
    };
    return cmocka_run_group_tests_name("pbg without memory", tests, NULL, NULL);
}
