/* Curves of risk against utility, and their pictures, when memory runs out at every allocation. */
#include "records/disclosure.h"
#include "support/failing_alloc.h"
#include "support/study.h"

static const char plan[] = "attributes:\n"
                           "  age: {role: quasi, hierarchy: {intervals: [10, 100]}}\n"
                           "  place: {role: quasi}\n";
static const char table[] = "age,place\n1,x\n31,x\n31,x\n32,y\n99,z\n";

typedef struct {
    const pv_profile *profile;
    const char *method;
} question;

static pv_status draw(void *ctx, pv_error *error)
{
    const question *const q = ctx;
    const pv_context context = {.threads = 1};
    const pv_risk_front_options options = {
        .disclose = {.method = q->method}, .one_model = true, .steps = 1};
    pv_risk_front *front = NULL;
    char *svg = NULL;
    char *page = NULL;
    pv_status status = pv_risk_front_create(q->profile, &options, &context, &front, error);
    assert_int_equal(front != NULL, status == PV_STATUS_OK);
    if (status == PV_STATUS_OK) {
        status = pv_risk_front_svg(front, &svg, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_risk_front_page(front, q->profile, &page, error);
    }
    pv_string_free(svg);
    pv_string_free(page);
    pv_risk_front_free(front);
    return status;
}

static void curves_fail_cleanly(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    (void)state;
    assert_true(failing_alloc_every(draw, &(question){profile, "scan"}) > 30);
    assert_true(failing_alloc_every(draw, &(question){profile, "bnb"}) > 30);
    pv_profile_free(profile);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(curves_fail_cleanly)};
    return cmocka_run_group_tests_name("risk against utility without memory", tests, NULL, NULL);
}
