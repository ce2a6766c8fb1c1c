/* Searches when memory runs out, at every allocation. What is only kept for later may fail to be
 * kept: a search that succeeds all the same must find the same front. */
#include "support/failing_alloc.h"
#include "support/front_search.h"

static const char plan[] = "attributes:\n"
                           "  a: {role: quasi, hierarchy: {intervals: [2, 4]}}\n"
                           "  b: {role: quasi}\n"
                           "  d: {role: quasi, hierarchy: {intervals: [3]}}\n"
                           "  s: {role: sensitive}\n"
                           "  c: {role: label}\n";
static const char table[] = "a,b,d,s,c\n"
                            "1,x,3,u,p\n2,x,7,v,q\n3,y,1,u,p\n1,x,9,w,q\n,y,2,u,p\n"
                            "5,z,3,u,p\n2,x,7,v,p\n9,y,4,u,p\n1,z,9,w,q\n4,y,2,v,p\n";

typedef struct {
    const pv_profile *profile;
    search_request request;
    const pv_front *expected;
} subject;

static pv_status search_again(const subject *s, pv_error *error)
{
    pv_front *const front = search_try(s->profile, &s->request, error);
    if (front != NULL) {
        search_expect_same(front, s->expected);
    }
    pv_front_free(front);
    return error->status;
}

static int64_t fail_each(const subject *s, bool stays)
{
    for (int64_t n = 0;; n++) {
        pv_error error;
        failing_alloc_arm(n, stays);
        const pv_status status = search_again(s, &error);
        if (!failing_alloc_disarm()) {
            assert_int_equal(status, PV_STATUS_OK);
            return n;
        }
        assert_true(status == PV_STATUS_OK || status == PV_STATUS_NO_MEMORY);
    }
}

static void fail_search(const pv_profile *profile, const search_request *request)
{
    pv_front *const expected = search_front(profile, request);
    const subject s = {.profile = profile, .request = *request, .expected = expected};
    assert_true(fail_each(&s, true) > 20);
    assert_true(fail_each(&s, false) > 20);
    pv_front_free(expected);
}

static void searches_fail_cleanly(void **state)
{
    static const char *const k_glm_cm[] = {"k", "glm", "cm", NULL};
    static const char *const k_dcn[] = {"k", "dcn", NULL};
    static const char *const l_glm[] = {"l-entropy", "glm", NULL};
    static const char *const *const objectives[] = {k_glm_cm, k_dcn, l_glm};
    static const char *const methods[] = {"exhaustive", "exact"};
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    (void)state;
    for (size_t i = 0; i < 24; i++) {
        const search_request request = {
            .objectives = objectives[i % 3],
            .method = methods[i / 3 % 2],
            .suppression = {.whole_budget = i < 12, .budget = i % 3 == 1 ? 3 : 0},
            .threads = i / 6 % 2 == 0 ? 1 : 2};
        fail_search(profile, &request);
    }
    for (size_t i = 0; i < 3; i++) { /* auto: a first front, a sample, a proof or none */
        const search_request request = {.objectives = objectives[i],
                                        .proof_work = i == 1 ? 1 : 400,
                                        .threads = 1,
                                        .patience = 3};
        fail_search(profile, &request);
    }
    pv_profile_free(profile);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(searches_fail_cleanly)};
    return cmocka_run_group_tests_name("search without memory", tests, NULL, NULL);
}
