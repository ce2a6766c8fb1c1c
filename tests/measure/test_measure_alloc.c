/* Every measure, and exposure, when memory runs out at every allocation. */
#include "support/failing_alloc.h"
#include "support/study.h"

#include <math.h>
#include <paravent/measure.h>

enum { N_ROWS = 6 };
static const char plan[] = "attributes:\n"
                           "  a: {role: quasi, hierarchy: {intervals: [2, 4]}}\n"
                           "  b: {role: quasi}\n"
                           "  s: {role: sensitive, distance: hierarchical,\n"
                           "      hierarchy: {rows: [[u, x], [v, x], [w]]}}\n"
                           "  t: {role: sensitive}\n"
                           "  r: {role: sensitive, distance: equal}\n"
                           "  c: {role: label}\n";
static const char table[] = "a,b,s,t,r,c\n"
                            "1,x,u,1,1,p\n2,x,v,2,1,q\n3,y,u,3,2,p\n"
                            "1,x,w,,3,q\n,y,u,1,1,p\n9,x,v,7,2,p\n";

typedef struct {
    const pv_classes *classes;
    pv_measure_ref ref;
} subject;

static pv_status take_value(void *ctx, pv_error *error)
{
    const subject *const s = ctx;
    double value = -7;
    const pv_status status = pv_measure_value(s->ref, s->classes, &value, error);
    assert_true((value == -7) == (status != PV_STATUS_OK));
    return status;
}

static pv_status take_rows(void *ctx, pv_error *error)
{
    const subject *const s = ctx;
    double rows[N_ROWS];
    return pv_measure_rows(s->ref, s->classes, rows, error);
}

/* Some rows suppressed and some not. */
static void for_all_measures(pv_status (*work)(void *ctx, pv_error *error), bool rows)
{
    const uint8_t levels[] = {1, 0};
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    pv_classes *const classes = bound_classes(profile, levels, 4, 0);
    int64_t allocations = 0;
    assert_true(pv_classes_suppressed(classes) > 0);
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        subject measured = {.classes = classes,
                            .ref = {.measure = measure, .parameter = measure->parameter_default}};
        if (!rows || measure->has_rows) {
            allocations += failing_alloc_every(work, &measured);
        }
    }
    assert_true(allocations > 10);
    pv_classes_free(classes);
    pv_profile_free(profile);
    bound_study_free(&s);
}

static void values_fail_cleanly(void **state)
{
    (void)state;
    for_all_measures(take_value, false);
}

static void rows_fail_cleanly(void **state)
{
    (void)state;
    for_all_measures(take_rows, true);
}

static pv_status make_exposure(void *ctx, pv_error *error)
{
    pv_exposure *exposure = NULL;
    const pv_status status = pv_exposure_create(ctx, 5, NULL, &exposure, error);
    assert_true((exposure == NULL) == (status != PV_STATUS_OK));
    pv_exposure_free(exposure);
    return status;
}

static void exposure_fails_cleanly(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    (void)state;
    assert_true(failing_alloc_every(make_exposure, profile) > 10);
    pv_profile_free(profile);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_fail_cleanly),
        cmocka_unit_test(rows_fail_cleanly),
        cmocka_unit_test(exposure_fails_cleanly),
    };
    return cmocka_run_group_tests_name("measures without memory", tests, NULL, NULL);
}
