/* Adult, where it is at hand beside the sources: exact search finds what exhaustive search finds,
 * with few evaluations. Under a sanitizer there is time for exact search of k against glm only. */
#include "support/front_search.h"
#include "support/study.h"
#include "support/testing.h"

static void expect_whole(const adult *a, search_request request, const pv_front *exact)
{
    request.method = "exhaustive";
    pv_front *const whole = search_front(a->profile, &request);
    assert_true(whole->complete);
    assert_true((double)whole->evaluated == whole->nodes);
    search_expect_same_points(whole, exact);
    pv_front_free(whole);
}

static void expect_cheap(const adult *a, const char *const *objectives, uint64_t n_nodes,
                         double share)
{
    const search_request request = {
        .objectives = objectives,
        .method = "exact",
        .suppression = {.whole_budget = true, .budget = pv_study_budget(a->study)},
        .threads = 2};
    pv_front *const exact = search_front(a->profile, &request);
    search_expect_complete(exact, n_nodes);
    if (effort_is_whole()) {
        expect_whole(a, request, exact);
    }
    print_message("%s against %s: %zu points, %.1f%% evaluated\n", objectives[0], objectives[1],
                  exact->n_points, 100 * (double)exact->evaluated / exact->nodes);
    assert_true((double)exact->evaluated <= share * exact->nodes);
    pv_front_free(exact);
}

static void glm_and_dcn_are_cheap(void **state)
{
    static const char *const k_glm[] = {"k", "glm", NULL};
    static const char *const k_dcn[] = {"k", "dcn", NULL};
    adult a = adult_open(ADULT "plan.yaml");
    (void)state;
    assert_int_equal(pv_study_budget(a.study), 301);
    expect_cheap(&a, k_glm, 17920, 0.10);
    if (effort_is_whole()) {
        expect_cheap(&a, k_dcn, 17920, 0.25);
    }
    adult_close(&a);
}

static void cm_is_cheap(void **state)
{
    static const char *const k_cm[] = {"k", "cm", NULL};
    (void)state;
    if (!effort_is_whole()) {
        print_message("skipped: it takes too long under a sanitizer\n");
        skip();
    }
    adult a = adult_open(ADULT "plan-label.yaml");
    expect_cheap(&a, k_cm, 8960, 0.25);
    adult_close(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(glm_and_dcn_are_cheap),
        cmocka_unit_test(cm_is_cheap),
    };
    return cmocka_run_group_tests_name("search on Adult", tests, NULL, NULL);
}
