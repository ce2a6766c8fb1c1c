/* Names of measures and demanded bounds as people write them, and every way to write them wrong. */
#include "support/study.h"

#include <math.h>
#include <paravent/measure.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---------------------------------------------------------------- registry */

static void every_measure_is_described(void **state)
{
    (void)state;
    assert_int_equal(pv_n_measures(), 20);
    assert_null(pv_measure_at(pv_n_measures()));
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        assert_ptr_equal(pv_measure_find(measure->name), measure);
        assert_true(strlen(measure->summary) > 10);
        assert_null(strchr(measure->summary, '\n'));
        assert_true((measure->parameter == NULL) == (measure->parameter_default == 0));
    }
    assert_null(pv_measure_find("no-such-measure"));
    assert_null(pv_measure_find(""));
    assert_null(pv_measure_find("l"));
    assert_null(pv_measure_find("k(3)"));
}

/* A release must be able to show what was demanded of it: detail is lost only relative to
 * hierarchies that are not in the file. */
static void detail_cannot_be_demanded(void **state)
{
    static const char *const detail[] = {"glm", "nwp", "leaf-utility", "precision", "entropy"};
    size_t n = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(detail); i++) {
        assert_false(pv_measure_find(detail[i])->demandable);
    }
    for (size_t i = 0; i < pv_n_measures(); i++) {
        n += !pv_measure_at(i)->demandable;
    }
    assert_int_equal(n, COUNT(detail));
}

/* ---------------------------------------------------------------- measures */

static void measures_are_read(void **state)
{
    static const struct {
        const char *text, *name;
        double parameter;
    } cases[] = {{"k", "k", 0},
                 {"t-closeness", "t-closeness", 0},
                 {"l-recursive", "l-recursive", 3},
                 {"l-recursive(2)", "l-recursive", 2},
                 {"l-recursive(c=2.5)", "l-recursive", 2.5},
                 {"l-recursive(1e1)", "l-recursive", 10},
                 {"risk-above", "risk-above", 0.2},
                 {"risk-above(0.05)", "risk-above", 0.05},
                 {"risk-above(threshold=.5)", "risk-above", 0.5}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        pv_measure_ref ref = {0};
        assert_int_equal(pv_measure_parse(cases[i].text, &ref, NULL), PV_STATUS_OK);
        assert_string_equal(ref.measure->name, cases[i].name);
        assert_true(ref.parameter == cases[i].parameter);
    }
}

static void wrong_measures_are_refused(void **state)
{
    static const char *const wrong[] = {"",
                                        "K",
                                        " k",
                                        "k ",
                                        "l_distinct",
                                        "l-distinc",
                                        "(3)",
                                        "k(3)",
                                        "glm()",
                                        "l-recursive(",
                                        "l-recursive()",
                                        "l-recursive(2",
                                        "l-recursive(2))",
                                        "l-recursive(two;2;3)",
                                        "l-recursive(0)",
                                        "l-recursive(-1)",
                                        "l-recursive(l=2)",
                                        "l-recursive(c=)",
                                        "l-recursive(2)x",
                                        "risk-above(c=0.1)",
                                        "risk-above(nan)"};
    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        pv_measure_ref ref = {.parameter = -7};
        pv_error error = {0};
        if (pv_measure_parse(wrong[i], &ref, &error) != PV_STATUS_ARGUMENT) {
            fail_msg("'%s' is taken for a measure", wrong[i]);
        }
        assert_int_equal(error.status, PV_STATUS_ARGUMENT);
        assert_true(error.message[0] != '\0');
        assert_null(ref.measure);
        assert_true(ref.parameter == -7);
    }
}

/* --------------------------------------------------------------- constraints */

static void constraints_are_read(void **state)
{
    static const struct {
        const char *text, *shown[3];
        double bounds[3];
    } cases[] = {
        {"k=5", {"k >= 5"}, {5}},
        {"k>=5", {"k >= 5"}, {5}},
        {"  k >= 5 ", {"k >= 5"}, {5}},
        {"t-closeness=0.2", {"t-closeness <= 0.2"}, {0.2}},
        {"t-closeness<=.25", {"t-closeness <= 0.25"}, {0.25}},
        {"risk<=0", {"risk <= 0"}, {0}},
        {"l-recursive(c=2)=3", {"l-recursive(2) >= 3"}, {3}},
        {"risk-above(0.1) <= 0.05", {"risk-above(0.1) <= 0.05"}, {0.05}},
        {"risk-above=0", {"risk-above(0.2) <= 0"}, {0}},
        {"dcn=12345678", {"dcn <= 12345678"}, {12345678}},
        {"risk-above(0.1234567)=0.01", {"risk-above(0.1234567) <= 0.01"}, {0.01}},
        {"k=5,l-distinct>=3,t-closeness<=0.2",
         {"k >= 5", "l-distinct >= 3", "t-closeness <= 0.2"},
         {5, 3, 0.2}},
        {"k=2 , k=3", {"k >= 2", "k >= 3"}, {2, 3}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        pv_constraint constraints[PV_MAX_CONSTRAINTS];
        size_t n = 0;
        assert_int_equal(pv_constraints_parse(cases[i].text, constraints, &n, NULL), PV_STATUS_OK);
        for (size_t j = 0; j < n; j++) {
            char text[64];
            pv_constraint_text(&constraints[j], text, sizeof text);
            assert_string_equal(text, cases[i].shown[j]);
            assert_true(constraints[j].bound == cases[i].bounds[j]);
        }
        assert_true(n == 3 || cases[i].shown[n] == NULL);
    }
}

static void wrong_constraints_are_refused(void **state)
{
    static const char *const wrong[] = {"",
                                        ",",
                                        "k",
                                        "=5",
                                        "k=",
                                        "k=five",
                                        "k=-1",
                                        "k=5 6",
                                        "k==5",
                                        "k=>5",
                                        "k>5",
                                        "k<5",
                                        "k=5,",
                                        ",k=5",
                                        "k=5,,risk=1",
                                        "k=5;risk=1",
                                        "kay=5",
                                        "k<=5",
                                        "t-closeness>=0.2",
                                        "glm<=100",
                                        "precision=0.5",
                                        "l-recursive(2=3",
                                        "l-recursive(0)=3",
                                        "l-recursive(c=2)",
                                        "risk=nan",
                                        "risk=0x1"};
    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        pv_constraint constraints[PV_MAX_CONSTRAINTS];
        size_t n = 99;
        pv_error error = {0};
        if (pv_constraints_parse(wrong[i], constraints, &n, &error) != PV_STATUS_ARGUMENT) {
            fail_msg("'%s' is taken for a demand", wrong[i]);
        }
        assert_int_equal(error.status, PV_STATUS_ARGUMENT);
        assert_true(error.message[0] != '\0');
        assert_int_equal(n, 99);
    }
}

/* What is right before the mistake must not reach the caller either. */
static void refused_constraints_leave_no_trace(void **state)
{
    pv_constraint constraints[PV_MAX_CONSTRAINTS] = {{.bound = -7}};
    size_t n = 99;
    (void)state;
    assert_int_equal(pv_constraints_parse("k=5,risk=no", constraints, &n, NULL),
                     PV_STATUS_ARGUMENT);
    assert_null(constraints[0].ref.measure);
    assert_true(constraints[0].bound == -7);
    assert_int_equal(n, 99);
}

static void directions_are_explained(void **state)
{
    pv_constraint constraints[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_constraints_parse("risk>=0.5", constraints, &n, &error),
                     PV_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "lower"));
    assert_non_null(strstr(error.hint, "risk<="));
    assert_int_equal(pv_constraints_parse("l-distinct<=2", constraints, &n, &error),
                     PV_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "higher"));
    assert_non_null(strstr(error.hint, "l-distinct>="));
}

/* 32 are enough for anyone; the 33rd, and a part too long to be one, are told so. */
static void limits_are_kept(void **state)
{
    pv_constraint constraints[PV_MAX_CONSTRAINTS];
    char text[512] = "k=1";
    size_t n = 0;
    (void)state;
    for (size_t i = 1; i < PV_MAX_CONSTRAINTS; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), ",k=%zu", i + 1);
    }
    assert_int_equal(pv_constraints_parse(text, constraints, &n, NULL), PV_STATUS_OK);
    assert_int_equal(n, PV_MAX_CONSTRAINTS);
    assert_true(constraints[PV_MAX_CONSTRAINTS - 1].bound == PV_MAX_CONSTRAINTS);
    (void)strcat(text, ",k=1");
    n = 99;
    assert_int_equal(pv_constraints_parse(text, constraints, &n, NULL), PV_STATUS_LIMIT);
    memset(text, 'k', 200);
    memcpy(text + 200, "=5", 3);
    assert_int_equal(pv_constraints_parse(text, constraints, &n, NULL), PV_STATUS_ARGUMENT);
    assert_int_equal(n, 99);
}

static pv_constraint one(const char *text)
{
    pv_constraint constraints[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    assert_int_equal(pv_constraints_parse(text, constraints, &n, NULL), PV_STATUS_OK);
    assert_int_equal(n, 1);
    return constraints[0];
}

static void bounds_hold_by_direction(void **state)
{
    const pv_constraint k = one("k=5");
    const pv_constraint t = one("t-closeness=0.3");
    const pv_constraint dcn = one("dcn=1000000");
    (void)state;
    assert_true(pv_constraint_holds(&k, 5));
    assert_true(pv_constraint_holds(&k, 6));
    assert_false(pv_constraint_holds(&k, 4));
    assert_false(pv_constraint_holds(&k, 4.999999));
    assert_true(pv_constraint_holds(&t, 0.1 + 0.2)); /* a hair above 0.3 */
    assert_true(pv_constraint_holds(&t, 0));
    assert_false(pv_constraint_holds(&t, 0.3001));
    assert_true(pv_constraint_holds(&dcn, 1e6));
    assert_false(pv_constraint_holds(&dcn, 1e6 + 1));
    assert_false(pv_constraint_holds(&k, (double)NAN));
    assert_false(pv_constraint_holds(&t, (double)NAN));
}

static void short_buffers_are_respected(void **state)
{
    const pv_constraint c = one("l-recursive(2)=3");
    char text[8] = "0123456";
    (void)state;
    pv_constraint_text(&c, text, 5);
    assert_string_equal(text, "l-re");
    assert_string_equal(text + 5, "56");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_measure_is_described),
        cmocka_unit_test(detail_cannot_be_demanded),
        cmocka_unit_test(measures_are_read),
        cmocka_unit_test(wrong_measures_are_refused),
        cmocka_unit_test(constraints_are_read),
        cmocka_unit_test(wrong_constraints_are_refused),
        cmocka_unit_test(refused_constraints_leave_no_trace),
        cmocka_unit_test(directions_are_explained),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(bounds_hold_by_direction),
        cmocka_unit_test(short_buffers_are_respected),
    };
    return cmocka_run_group_tests_name("measures and constraints as text", tests, NULL, NULL);
}
