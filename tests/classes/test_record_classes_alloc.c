/* Classes of records when memory runs out, at every allocation. */
#include "support/failing_alloc.h"
#include "support/study.h"

enum { TUPLES = 4, QUASIS = 3 };

static const char plan[] = "attributes:\n"
                           "  a: {role: quasi, hierarchy: {intervals: [2, 4]}}\n"
                           "  b: {role: quasi}\n"
                           "  c: {role: quasi, hierarchy: {mask: right}}\n";
static const char table[] = "a,b,c\n1,x,17\n2,x,18\n3,y,29\n1,x,17\n,y,17\n";

static pv_status make_classes(void *ctx, pv_error *error)
{
    const uint8_t levels[TUPLES * QUASIS] = {1, 0, 2, 1, 1, 1, 3, 1, 2, 0, 0, 0};
    pv_classes *classes = NULL;
    const pv_status status = pv_classes_create_records(ctx, levels, &classes, error);
    assert_true((classes == NULL) == (status != PV_STATUS_OK));
    pv_classes_free(classes);
    return status;
}

static void classes_of_records_fail_cleanly(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    (void)state;
    assert_int_equal(pv_profile_tuples(profile), TUPLES);
    assert_true(failing_alloc_every(make_classes, profile) > 10);
    pv_profile_free(profile);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(classes_of_records_fail_cleanly)};
    return cmocka_run_group_tests_name("classes of records without memory", tests, NULL, NULL);
}
