/* Schemes and their files when memory runs out, at every allocation. */
#include "support/failing_alloc.h"
#include "support/study.h"

#include "scheme/scheme.h"
#include <paravent/scheme.h>

static const char plan[] = "missing: ['']\n"
                           "attributes:\n"
                           "  a: {role: quasi, hierarchy: {intervals: [2, 4]}}\n"
                           "  b: {role: quasi, hierarchy: {rare: 2, label: few}}\n"
                           "  c: {role: quasi, hierarchy: {order: [2]}}\n"
                           "  d: {role: quasi, hierarchy: {rows: [[u, v], [w, v]]}}\n"
                           "  e: {role: quasi, hierarchy: {date: [year]}}\n"
                           "  s: {role: sensitive, hierarchy: {rows: [[x, y]]}}\n";
static const char table[] = "a,b,c,d,e,s\n1,p,1,u,2001-01-02,x\n2,q,2,w,2002-03-04,x\n";

static pv_status make_scheme(void *ctx, pv_error *error)
{
    pv_scheme scheme = {0};
    pv_status status = pv_i_scheme_init(&scheme, ctx, error);
    assert_true((scheme.levels == NULL) == (status != PV_STATUS_OK));
    if (status == PV_STATUS_OK) {
        status = pv_scheme_parse(&scheme, ctx, "a=1,e=top", error);
    }
    pv_i_scheme_deinit(&scheme);
    return status;
}

static void schemes_fail_cleanly(void **state)
{
    bound_study s = bound_study_create(plan, table);
    (void)state;
    assert_int_equal(failing_alloc_every(make_scheme, s.study), 2);
    bound_study_free(&s);
}

typedef struct {
    const pv_study *study;
    const pv_scheme *scheme;
} subject;

static pv_status write_text(void *ctx, pv_error *error)
{
    static const pv_named_value require[] = {{"k", 5}};
    const subject *const s = ctx;
    const pv_scheme_record record = {.target_k = 5, .require = require, .n_require = 1};
    char *text = NULL;
    const pv_status status = pv_scheme_text(s->scheme, s->study, &record, &text, error);
    assert_true((text == NULL) == (status != PV_STATUS_OK));
    pv_string_free(text);
    return status;
}

static void files_fail_cleanly(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_scheme scheme;
    pv_error error = {0};
    (void)state;
    bound_must(pv_i_scheme_init(&scheme, s.study, &error), &error);
    subject written = {s.study, &scheme};
    assert_true(failing_alloc_every(write_text, &written) > 10);
    pv_i_scheme_deinit(&scheme);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_fail_cleanly),
        cmocka_unit_test(files_fail_cleanly),
    };
    return cmocka_run_group_tests_name("schemes without memory", tests, NULL, NULL);
}
