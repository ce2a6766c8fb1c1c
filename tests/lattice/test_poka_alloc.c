/* POkA when memory runs out, at every allocation. */
#include "support/failing_alloc.h"
#include "support/front_search.h"
#include "support/study.h"

static const char plan[] = "attributes:\n"
                           "  a: {role: quasi, hierarchy: {intervals: [2, 4, 8]}}\n"
                           "  b: {role: quasi, hierarchy: {intervals: [2, 4, 8]}}\n"
                           "  c: {role: quasi, hierarchy: {intervals: [2, 4, 8]}}\n";
static const char table[] = "a,b,c\n1,1,1\n1,2,3\n2,1,5\n3,3,3\n5,4,9\n6,1,1\n9,9,9\n9,9,8\n2,2,2\n"
                            "7,7,7\n7,6,5\n4,3,2\n";

static pv_status search(const pv_profile *profile, pv_front **front, pv_error *error)
{
    const pv_context context = {.threads = 1};
    const pv_search_options options = {.method = "poka"};
    *front = NULL;
    const pv_status status = pv_search(profile, &options, &context, front, error);
    assert_true((*front == NULL) == (status != PV_STATUS_OK));
    assert_int_equal(error->status, status);
    return status;
}

/* Lists kept for later are a luxury: without memory for them a search may succeed all the same, and
 * then it must be right. */
static void fail_each(const pv_profile *profile, const pv_front *expected, bool stays)
{
    bool happened = true;
    for (int64_t n = 0; happened; n++) {
        pv_error error = {0};
        pv_front *front = NULL;
        failing_alloc_arm(n, stays);
        const pv_status status = search(profile, &front, &error);
        happened = failing_alloc_disarm();
        if (status == PV_STATUS_OK) {
            search_expect_same(expected, front);
        } else {
            assert_true(happened && status == PV_STATUS_NO_MEMORY);
        }
        pv_front_free(front);
    }
}

static void poka_fails_cleanly(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    pv_front *expected = NULL;
    pv_error error = {0};
    (void)state;
    bound_must(search(profile, &expected, &error), &error);
    assert_true(expected->n_points > 2);
    fail_each(profile, expected, true);
    fail_each(profile, expected, false);
    pv_front_free(expected);
    pv_profile_free(profile);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(poka_fails_cleanly)};
    return cmocka_run_group_tests_name("poka without memory", tests, NULL, NULL);
}
