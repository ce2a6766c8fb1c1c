/* Cuts, their files and their plans when memory runs out, at every allocation. */
#include "support/failing_alloc.h"

#include "support/samples.h"

static const char file[] = "{\"schema\": 1, \"cuts\": {\"n\": {\"breaks\": [5, 10], \"missing\": "
                           "\"last\"}, \"t\": {\"groups\": [[\"a\", \"b\"], [\"c\", null]]}, "
                           "\"u\": \"*\", \"v\": \"raw\"}}";

static pv_status read_and_write(void *ctx, pv_error *error)
{
    pv_cuts *cuts = NULL;
    char *text = NULL;
    (void)ctx;
    pv_status status = pv_cuts_parse("c.json", file, sizeof file - 1, &cuts, error);
    assert_true((cuts == NULL) == (status != PV_STATUS_OK));
    if (status == PV_STATUS_OK) {
        status = pv_cuts_text(cuts, &text, error);
    }
    pv_string_free(text);
    pv_cuts_free(cuts);
    return status;
}

static void files_fail_cleanly(void **state)
{
    (void)state;
    assert_true(failing_alloc_every(read_and_write, NULL) > 15);
}

typedef struct {
    const pv_study *study;
    const pv_cut_space *space;
    uint8_t *bits;
} subject;

static pv_status there_and_back(void *ctx, pv_error *error)
{
    const subject *const s = ctx;
    pv_cuts *cuts = NULL;
    pv_plan *plan = NULL;
    pv_status status = pv_i_cuts_from_bits(s->space, s->study, s->bits, &cuts, error);
    if (status == PV_STATUS_OK) {
        status = pv_i_cuts_to_bits(s->space, s->study, cuts, s->bits, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_plan_with_cuts(s->study, cuts, &plan, error);
    }
    assert_true((plan == NULL) == (status != PV_STATUS_OK));
    pv_plan_free(plan);
    pv_cuts_free(cuts);
    return status;
}

static void plans_fail_cleanly(void **state)
{
    (void)state;
    bound_study s =
        cut_sample_bind("data: d.csv\nmissing: ['?']\nrequire: {k: 2}\npromises: {k: 3}\n"
                        "attributes:\n  n: {role: quasi, granularity: 5}\n  t: {role: quasi}\n"
                        "  u: {role: quasi, hierarchy: {rows: [[d, E], [f, E], [g, H]]}}\n",
                        "n;t;u\n1;a;d\n7;b;f\n?;c;g\n19;?;g\n");
    pv_cut_space space;
    pv_error error = {0};
    bound_must(pv_i_cut_space_init(&space, s.study, false, &error), &error);
    assert_int_equal(space.n_bits, 3 + 3 + 2);
    uint8_t bits[] = {1, 0, 0, 0, 1, 0, 0, 1};
    subject at = {.study = s.study, .space = &space, .bits = bits};
    assert_true(failing_alloc_every(there_and_back, &at) > 40);
    pv_i_cut_space_deinit(&space);
    bound_study_free(&s);
}

static pv_status rebind(void *ctx, pv_error *error)
{
    bound_study s = *(const bound_study *)ctx;
    pv_study *rebound = NULL;
    const pv_status status = pv_study_rebind(s.study, s.plan, &rebound, error);
    assert_true((rebound == NULL) == (status != PV_STATUS_OK));
    pv_study_free(rebound); /* the first keeps the table for the next attempt */
    return status;
}

static void binding_fails_cleanly(void **state)
{
    (void)state;
    bound_study s = cut_sample_bind(
        "attributes:\n  n: {role: quasi, granularity: 5, hierarchy: {breaks: [5], missing: last}}\n"
        "  t: {role: quasi, hierarchy: {rows: [[a, A], [b, A]], missing: A}}\n",
        "n;t\n1;a\n7;b\n?;?\n");
    assert_true(failing_alloc_every(rebind, &s) > 20);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_fail_cleanly),
        cmocka_unit_test(plans_fail_cleanly),
        cmocka_unit_test(binding_fails_cleanly),
    };
    return cmocka_run_group_tests_name("cuts without memory", tests, NULL, NULL);
}
