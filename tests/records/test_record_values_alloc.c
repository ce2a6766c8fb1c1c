/* Sensitivities and the values of records when memory runs out, at every allocation. */
#include "support/failing_alloc.h"
#include "support/study.h"

#include "records/weighing.h"

static pv_status make_values(void *ctx, pv_error *error)
{
    pv_record_values values = {0};
    const pv_status status =
        pv_i_record_values_init(&values, ctx, PV_UTILITY_LOG_LEAVES, NULL, error);
    assert_true((values.levels == NULL) == (status != PV_STATUS_OK));
    pv_i_record_values_deinit(&values);
    return status;
}

static void values_fail_cleanly(void **state)
{
    bound_study s = bound_study_create(
        "attributes:\n"
        "  a: {role: quasi, sensitivity: {'1': 2, NA: 0}, hierarchy: {intervals: [2, 4]}}\n"
        "  b: {role: quasi}\n",
        "a,b\n1,x\n2,y\n,x\n");
    pv_profile *const profile = bound_profile(s.study, 1);
    (void)state;
    assert_true(failing_alloc_every(make_values, profile) > 5);
    pv_profile_free(profile);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_fail_cleanly)};
    return cmocka_run_group_tests_name("record values without memory", tests, NULL, NULL);
}
