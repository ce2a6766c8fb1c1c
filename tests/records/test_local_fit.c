/* The classes of a local recoding and other rows: those that fit several of them, one, and none. */
#include "scheme/scheme.h"
#include "support/failing_alloc.h"
#include "support/random_study.h"
#include "support/study.h"
#include "support/testing.h"

#include <paravent/paravent.h>
#include <string.h>

#define PLAN(suppression, demands)                                          \
    "scheme: local\nsuppression: " suppression "\nrequire: {" demands "}\n" \
    "attributes:\n"                                                         \
    "  age: {role: quasi, hierarchy: {intervals: [10, 100]}}\n"             \
    "  place: {role: quasi}\n"                                              \
    "  ill: {role: sensitive}\n"                                            \
    "classes: [[\"*\", x], [20-29, x], [\"25\", x], [20-29, \"*\"], [\"70\", nowhere]]\n"

/* What each row is released as: "25 x". */
static void released(const bound_study *s, const pv_scheme *scheme, size_t row, char *text,
                     size_t size)
{
    const pv_profile *profile = NULL;
    assert_int_equal(pv_study_profile(s->study, &profile, NULL), PV_STATUS_OK);
    const size_t t = pv_profile_tuple(profile, row);
    text[0] = '\0';
    for (size_t q = 0; q < 2; q++) {
        const pv_hierarchy *const h = pv_study_hierarchy(s->study, q);
        const unsigned level = scheme->records[t * 2 + q];
        const size_t length = strlen(text);
        (void)snprintf(text + length, size - length, "%s%s", q > 0 ? " " : "",
                       pv_hierarchy_label(
                           h, level, pv_hierarchy_group(h, level, pv_profile_leaf(profile, t, q))));
    }
}

typedef struct {
    const char *plan, *rows;
    bool weaker;
    pv_status status;
    pv_local_fit fit;
    const char *shown[6]; /* up to a NULL */
} trial;

static const trial trials[] = {
    /* Covered by three classes: the finest. By one: that. */
    {PLAN("0", "k: 1"),
     "25,x,a\n21,x,a\n31,x,b\n21,y,a\n",
     false,
     PV_STATUS_OK,
     {.rows = 4, .classes = 4},
     {"25 x", "20-29 x", "* x", "20-29 *"}},
    /* By none: suppressed, if that is allowed. */
    {PLAN("1", "k: 1"),
     "25,x,a\n31,y,a\n",
     false,
     PV_STATUS_OK,
     {.rows = 2, .uncovered = 1, .classes = 1},
     {"25 x", "* *"}},
    {PLAN("0", "k: 1"),
     "25,x,a\n31,y,a\n",
     false,
     PV_STATUS_UNSATISFIED,
     {.rows = 2, .uncovered = 1, .classes = 1},
     {NULL}},
    /* Even if weaker is good enough: `*` is suppression. */
    {PLAN("0", "k: 1"),
     "25,x,a\n31,y,a\n",
     true,
     PV_STATUS_UNSATISFIED,
     {.rows = 2, .uncovered = 1, .classes = 1},
     {NULL}},
    /* Too few in the finest class: together in a coarser one. */
    {PLAN("0", "k: 2"),
     "25,x,a\n21,x,a\n",
     false,
     PV_STATUS_OK,
     {.rows = 2, .moved = 1, .classes = 1},
     {"20-29 x", "20-29 x"}},
    /* What holds is not disturbed; who is alone joins it where it is covered. */
    {PLAN("0", "k: 2"),
     "25,x,a\n25,x,b\n21,x,a\n22,x,a\n21,y,b\n28,y,a\n",
     false,
     PV_STATUS_OK,
     {.rows = 6, .classes = 3},
     {"25 x", "25 x", "20-29 x", "20-29 x", "20-29 *", "20-29 *"}},
    /* Nobody else is there: suppressed, or left as it is. */
    {PLAN("0", "k: 2"),
     "25,x,a\n25,x,b\n21,y,a\n",
     false,
     PV_STATUS_UNSATISFIED,
     {.rows = 3, .suppressed = 1, .classes = 1},
     {NULL}},
    {PLAN("1", "k: 2"),
     "25,x,a\n25,x,b\n21,y,a\n",
     false,
     PV_STATUS_OK,
     {.rows = 3, .suppressed = 1, .classes = 1},
     {"25 x", "25 x", "* *"}},
    {PLAN("0", "k: 2"),
     "25,x,a\n25,x,b\n21,y,a\n",
     true,
     PV_STATUS_OK,
     {.rows = 3, .classes = 2},
     {"25 x", "25 x", "20-29 *"}},
    /* A class that has more than it needs lends a whole tuple. */
    {PLAN("0", "k: 2"),
     "21,x,a\n22,x,a\n23,x,b\n21,y,a\n",
     false,
     PV_STATUS_OK,
     {.rows = 4, .moved = 1, .classes = 2},
     {"20-29 *", "20-29 x", "20-29 x", "20-29 *"}},
    /* Sensitive values count as everywhere. */
    {PLAN("0", "k: 1, l-distinct: 2"),
     "25,x,a\n21,x,b\n",
     false,
     PV_STATUS_OK,
     {.rows = 2, .moved = 1, .classes = 1},
     {"20-29 x", "20-29 x"}},
};

static void rows_fit(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        const trial *const t = &trials[i];
        char csv[256];
        (void)snprintf(csv, sizeof csv, "age,place,ill\n%s", t->rows);
        bound_study s = bound_study_create(t->plan, csv);
        pv_scheme *scheme = NULL;
        pv_local_fit fit = {0};
        assert_int_equal(pv_plan_classes(pv_study_plan(s.study)), 5);
        assert_int_equal(pv_local_apply(s.study, NULL, t->weaker, &scheme, &fit, NULL), t->status);
        if (memcmp(&fit, &t->fit, sizeof fit) != 0) {
            fail_msg("trial %zu: %d uncovered, %d moved, %d suppressed, %d classes", i,
                     (int)fit.uncovered, (int)fit.moved, (int)fit.suppressed, (int)fit.classes);
        }
        for (size_t row = 0; scheme != NULL && row < 6 && t->shown[row] != NULL; row++) {
            char text[64];
            released(&s, scheme, row, text, sizeof text);
            if (strcmp(text, t->shown[row]) != 0) {
                fail_msg("trial %zu, row %zu: %s instead of %s", i, row, text, t->shown[row]);
            }
        }
        pv_scheme_free(scheme);
        bound_study_free(&s);
    }
}

static void bad_files_are_refused(void **state)
{
    static const char *const plans[] = {
        "classes: [[x]]\nattributes:\n  age: {role: quasi}\n  place: {role: quasi}\n",
        "attributes:\n  age: {role: quasi}\n  place: {role: quasi}\n"};
    static const pv_status statuses[] = {PV_STATUS_INPUT, PV_STATUS_ARGUMENT};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        bound_study s = bound_study_create(plans[i], "age,place\n1,x\n2,y\n");
        pv_scheme *scheme = NULL;
        assert_int_equal(pv_local_apply(s.study, NULL, false, &scheme, NULL, NULL), statuses[i]);
        assert_null(scheme);
        bound_study_free(&s);
    }
}

static pv_status apply(void *ctx, pv_error *error)
{
    pv_scheme *scheme = NULL;
    const pv_context context = {.threads = 1};
    const pv_local_options options = {.context = &context};
    const pv_status status = pv_local_apply(ctx, &options, false, &scheme, NULL, error);
    assert_int_equal(scheme != NULL, status == PV_STATUS_OK);
    pv_scheme_free(scheme);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    bound_study s =
        bound_study_create(PLAN("0", "k: 1, l-distinct: 2"), "age,place,ill\n25,x,a\n21,x,b\n");
    const pv_profile *profile = NULL;
    (void)state;
    assert_int_equal(pv_study_profile(s.study, &profile, NULL), PV_STATUS_OK);
    assert_true(failing_alloc_every(apply, (void *)s.study) > 5);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_fit),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
