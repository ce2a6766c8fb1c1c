/* Measures and demands of one sensitive column as people write them: in a list of demands, in a
 * plan, with names that have all that could be mistaken for something else. */
#include "plan/document.h"
#include "plan/plan.h"
#include "support/failing_alloc.h"
#include "support/study.h"

#include <paravent/measure.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ------------------------------------------------------------------ reading */

static void columns_are_read(void **state)
{
    static const struct {
        const char *text, *column;
        double parameter;
        const char *written; /* NULL = as it was read */
    } cases[] = {
        {"l-distinct", "", 0, NULL},
        {"l-distinct(diagnosis)", "diagnosis", 0, NULL},
        {"l-distinct( diagnosis )", "diagnosis", 0, "l-distinct(diagnosis)"},
        {"l-distinct('diagnosis')", "diagnosis", 0, "l-distinct(diagnosis)"},
        {"l-distinct(cause of death)", "cause of death", 0, NULL},
        {"l-distinct(patient's state)", "patient's state", 0, NULL},
        {"l-distinct(\"a, b\")", "a, b", 0, NULL},
        {"l-distinct('a; (b) = c')", "a; (b) = c", 0, "l-distinct(\"a; (b) = c\")"},
        {"l-distinct('it''s')", "it's", 0, "l-distinct(it's)"},
        {"l-distinct(\"say \"\"no\"\"\")", "say \"no\"", 0, "l-distinct(say \"no\")"},
        {"l-distinct('\"')", "\"", 0, "l-distinct(\"\"\"\")"},
        {"l-distinct('''')", "'", 0, "l-distinct(\"'\")"},
        {"l-distinct(' a ')", " a ", 0, "l-distinct(\" a \")"},
        {"l-distinct('2')", "2", 0, "l-distinct(\"2\")"},
        {"l-distinct('c=2')", "c=2", 0, "l-distinct(\"c=2\")"},
        {"t-closeness(\xc3\xa9tat)", "\xc3\xa9tat", 0, NULL},
        {"sum-l(x)", "x", 0, NULL},
        {"l-recursive(2)", "", 2, NULL},
        {"l-recursive(x)", "x", 3, "l-recursive(x;3)"},
        {"l-recursive(x;2)", "x", 2, NULL},
        {"l-recursive(2;x)", "x", 2, "l-recursive(x;2)"},
        {"l-recursive( c=2.5 ; x )", "x", 2.5, "l-recursive(x;2.5)"},
        {"l-recursive(x;c=2)", "x", 2, "l-recursive(x;2)"},
        {"l-recursive('3';2)", "3", 2, "l-recursive(\"3\";2)"},
        {"l-recursive(c;2)", "c", 2, NULL},
        {"l-recursive('c=2';0.5)", "c=2", 0.5, "l-recursive(\"c=2\";0.5)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        pv_measure_ref ref = {0};
        char text[PV_MEASURE_TEXT_SIZE];
        pv_error error = {0};
        bound_must(pv_measure_parse(cases[i].text, &ref, &error), &error);
        assert_string_equal(ref.column, cases[i].column);
        assert_true(ref.parameter == cases[i].parameter);
        pv_measure_text(ref, text, sizeof text);
        assert_string_equal(text, cases[i].written != NULL ? cases[i].written : cases[i].text);
    }
}

static void what_is_wrong_is_said(void **state)
{
    static const struct {
        const char *text, *message, *hint;
    } cases[] = {
        {"l-distinct()", "nothing between", "no parentheses"},
        {"l-distinct( )", "nothing between", ""},
        {"l-recursive(x;)", "nothing between", ""},
        {"l-recursive(;x)", "nothing between", ""},
        {"l-distinct('')", "without a name", ""},
        {"l-distinct(x", "not closed", "l-distinct(\"COLUMN\")"},
        {"l-distinct('x)", "not closed", ""},
        {"l-distinct('x''", "not closed", ""},
        {"l-distinct(x)y", "behind the parentheses", "quotes"},
        {"l-distinct((x))", "neither a parameter nor", "l-distinct(\"a, b\")"},
        {"l-distinct('x'y)", "behind the name in quotes", "twice"},
        {"l-distinct('it's')", "behind the name in quotes", "twice"},
        {"l-distinct(x,y)", "neither a parameter nor", "in quotes"},
        {"l-distinct(x;y)", "two columns", "once for each"},
        {"l-distinct(3)", "takes no parameter", "put it in quotes"},
        {"l-distinct(a=3)", "neither a parameter nor", "in quotes"},
        {"l-recursive(d=3)", "neither a parameter nor", ""},
        {"l-recursive(2;3)", "one parameter, not two", ""},
        {"l-recursive(-2)", "no positive number", "l-recursive(3)"},
        {"k(diagnosis)", "not about sensitive values", "leave out"},
        {"k('5')", "not about sensitive values", "leave out"},
        {"glm(diagnosis)", "not about sensitive values", ""},
        {"cm(diagnosis)", "not about sensitive values", ""},
        {"k(2)", "takes no parameter", "leave out"},
        {"risk-above(diagnosis)", "no positive number", "risk-above(0.2)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        pv_measure_ref ref = {.parameter = -7};
        pv_error error = {0};
        if (pv_measure_parse(cases[i].text, &ref, &error) != PV_STATUS_ARGUMENT ||
            strstr(error.message, cases[i].message) == NULL ||
            strstr(error.hint, cases[i].hint) == NULL) {
            fail_msg("'%s': %s (%s)", cases[i].text, error.message, error.hint);
        }
        assert_null(ref.measure);
    }
}

static void long_names_have_a_limit(void **state)
{
    char text[PV_MEASURE_COLUMN_SIZE + 64] = "l-distinct(";
    pv_measure_ref ref = {0};
    pv_error error = {0};
    (void)state;
    memset(text + 11, 'x', PV_MEASURE_COLUMN_SIZE - 1);
    memcpy(text + 11 + PV_MEASURE_COLUMN_SIZE - 1, ")", 2);
    assert_int_equal(pv_measure_parse(text, &ref, NULL), PV_STATUS_OK);
    assert_int_equal(strlen(ref.column), PV_MEASURE_COLUMN_SIZE - 1);
    memcpy(text + 11 + PV_MEASURE_COLUMN_SIZE - 1, "x)", 3);
    assert_int_equal(pv_measure_parse(text, &ref, &error), PV_STATUS_LIMIT);
    assert_non_null(strstr(error.message, "longer than 255 bytes"));
}

/* ------------------------------------------------------- there and back again */

static void random_name(pv_rng *rng, char *name)
{
    static const char letters[] = "ab1.;,=()<>'\" :{}#-e%\n\xc3";
    const size_t n = 1 + (size_t)pv_i_rng_below(rng, pv_i_rng_below(rng, 9) == 0 ? 255 : 6);
    for (size_t i = 0; i < n; i++) {
        name[i] = letters[pv_i_rng_below(rng, sizeof letters - 1)];
    }
    name[n] = '\0';
}

/* Three demands of columns with any names, as the text of one list. */
static void any_name_can_be_demanded(void **state)
{
    static const char *const names[] = {"l-distinct", "l-recursive", "t-closeness"};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 71);
    for (size_t i = 0; i < effort(20000); i++) {
        pv_constraint written[3];
        pv_constraint read[PV_MAX_CONSTRAINTS];
        pv_buffer list = {0};
        pv_error error = {0};
        size_t n = 0;
        for (size_t d = 0; d < 3; d++) {
            char text[PV_MEASURE_TEXT_SIZE];
            written[d] = (pv_constraint){
                .ref = {.measure = pv_measure_find(names[d]), .parameter = d == 1 ? 2.5 : 0},
                .bound = (double)pv_i_rng_below(&rng, 9)};
            random_name(&rng, written[d].ref.column);
            pv_constraint_text(&written[d], text, sizeof text);
            assert_true(strlen(text) + 1 < sizeof text);
            pv_i_buffer_format(&list, "%s%s", d > 0 ? "," : "", text);
        }
        bound_must(pv_constraints_parse(list.data, read, &n, &error), &error);
        assert_int_equal(n, 3);
        for (size_t d = 0; d < 3; d++) {
            assert_true(pv_measure_same(&read[d].ref, &written[d].ref));
            assert_true(read[d].bound == written[d].bound);
        }
        pv_i_buffer_deinit(&list);
    }
}

static void what_differs_is_not_the_same(void **state)
{
    static const char *const different[] = {"k",
                                            "l-distinct",
                                            "l-distinct(a)",
                                            "l-distinct(A)",
                                            "l-distinct(' a')",
                                            "l-recursive(2)",
                                            "l-recursive(3)",
                                            "l-recursive(a;2)",
                                            "l-recursive(a;3)"};
    pv_constraint list[PV_MAX_CONSTRAINTS];
    size_t n_list = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(different); i++) {
        for (size_t j = 0; j < COUNT(different); j++) {
            pv_measure_ref a;
            pv_measure_ref b;
            assert_int_equal(pv_measure_parse(different[i], &a, NULL), PV_STATUS_OK);
            assert_int_equal(pv_measure_parse(different[j], &b, NULL), PV_STATUS_OK);
            assert_int_equal(pv_measure_same(&a, &b), i == j);
            const pv_constraint demand = {.ref = b, .bound = 2};
            assert_int_equal(pv_constraints_add(list, &n_list, &demand, NULL), PV_STATUS_OK);
        }
    }
    assert_int_equal(n_list, COUNT(different));
}

/* ------------------------------------------------------------------ in a plan */

#define ATTRIBUTES                                                                  \
    "attributes:\n"                                                                 \
    "  a: {role: quasi}\n"                                                          \
    "  diagnosis: {role: sensitive, require: {l-distinct: 3, l-recursive(2): 2}}\n" \
    "  'pay, net': {role: sensitive, require: {t-closeness: 0.25}}\n"

static void expect_demands(const pv_plan *plan, const char *expected)
{
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    pv_buffer list = {0};
    pv_error error = {0};
    bound_must(pv_plan_demands(plan, demands, &n, &error), &error);
    for (size_t i = 0; i < n; i++) {
        char text[PV_MEASURE_TEXT_SIZE];
        pv_constraint_text(&demands[i], text, sizeof text);
        pv_i_buffer_format(&list, "%s%s", i > 0 ? ", " : "", text);
    }
    assert_string_equal(list.data, expected);
    pv_i_buffer_deinit(&list);
}

static void plans_demand_of_columns(void **state)
{
    static const char expected[] =
        "k >= 5, l-distinct(diagnosis) >= 2, t-closeness(\"pay, net\") <= 0.5, "
        "l-distinct(diagnosis) >= 3, l-recursive(diagnosis;2) >= 2, "
        "t-closeness(\"pay, net\") <= 0.25";
    pv_plan *const plan = bound_plan("require: {k: 5, l-distinct(diagnosis): 2, "
                                     "'t-closeness(\"pay, net\")': 0.5}\n" ATTRIBUTES);
    pv_plan *copy = NULL;
    (void)state;
    expect_demands(plan, expected);
    assert_int_equal(pv_i_plan_copy(plan, &copy, NULL), PV_STATUS_OK);
    pv_plan_free(plan);
    expect_demands(copy, expected);
    pv_plan_free(copy);
}

/* As a plan is written, for names that YAML can hold. */
static void any_name_can_be_in_a_plan(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 72);
    for (size_t i = 0; i < effort(3000); i++) {
        pv_constraint demand = {.ref = {.measure = pv_measure_find("l-recursive"), .parameter = 2},
                                .bound = 3};
        pv_constraint read[PV_MAX_CONSTRAINTS];
        char text[PV_MEASURE_TEXT_SIZE];
        pv_buffer plan_text = {0};
        pv_error error = {0};
        size_t n = 0;
        random_name(&rng, demand.ref.column);
        if (!pv_i_yaml_can_hold(demand.ref.column)) {
            continue;
        }
        pv_measure_text(demand.ref, text, sizeof text);
        pv_i_buffer_text(&plan_text, "require:\n  ");
        pv_i_yaml_scalar(&plan_text, text);
        pv_i_buffer_text(&plan_text, ": 3\nattributes:\n  ");
        pv_i_yaml_scalar(&plan_text, demand.ref.column);
        pv_i_buffer_text(&plan_text, ": {role: sensitive, require: {l-distinct: 2}}\n");
        pv_plan *const plan = bound_plan(plan_text.data);
        bound_must(pv_plan_demands(plan, read, &n, &error), &error);
        assert_int_equal(n, 2);
        assert_true(pv_measure_same(&read[0].ref, &demand.ref));
        assert_string_equal(read[1].ref.column, demand.ref.column);
        assert_string_equal(read[1].ref.measure->name, "l-distinct");
        pv_plan_free(plan);
        pv_i_buffer_deinit(&plan_text);
    }
}

static void mistakes_in_a_plan_have_a_place(void **state)
{
    static const struct {
        const char *text, *message, *hint;
        uint64_t line, column;
    } cases[] = {
        {"require: {k: 5,\n  l-distinct(zip): 2}\n" ATTRIBUTES, "`zip`, which is no attribute",
         "role sensitive", 2, 3},
        {"require: {l-distinct(a): 2}\n" ATTRIBUTES, "`a`, which is not sensitive",
         "role sensitive", 1, 11},
        {"require: {'l-distinct(a, b)': 2}\n" ATTRIBUTES, "neither a parameter nor", "in quotes", 1,
         11},
        {"attributes:\n  s: {role: sensitive, require: {k: 2}}\n", "'k' is not about sensitive",
         "the whole plan", 2, 34},
        {"attributes:\n  s: {role: sensitive, require: {l-distinct(s): 2}}\n", "names no column",
         "leave out", 2, 34},
        {"attributes:\n  s: {role: sensitive, require: {glm: 2}}\n", "cannot be demanded", "", 2,
         34},
        {"promises: {l-distinct(a): 2}\n" ATTRIBUTES, "", "", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        pv_plan *const plan = bound_plan(cases[i].text);
        pv_constraint demands[PV_MAX_CONSTRAINTS];
        pv_error error = {0};
        size_t n = 0;
        const pv_status status = pv_plan_demands(plan, demands, &n, &error);
        assert_int_equal(status, cases[i].line > 0 ? PV_STATUS_ARGUMENT : PV_STATUS_OK);
        if (strstr(error.message, cases[i].message) == NULL ||
            strstr(error.hint, cases[i].hint) == NULL || error.line != cases[i].line ||
            error.column != cases[i].column) {
            fail_msg("%s: %s (%s) at %llu:%llu", cases[i].text, error.message, error.hint,
                     (unsigned long long)error.line, (unsigned long long)error.column);
        }
        if (status == PV_STATUS_OK) {
            assert_int_equal(pv_plan_promises(plan, demands, &n, &error), PV_STATUS_ARGUMENT);
        }
        pv_plan_free(plan);
    }
}

static void only_sensitive_attributes_have_demands(void **state)
{
    static const char *const texts[] = {
        "attributes:\n  a: {role: quasi, require: {l-distinct: 2}}\n",
        "attributes:\n  a: {role: label, require: {l-distinct: 2}}\n",
        "attributes:\n  a: {role: sensitive, require: 3}\n",
        "attributes:\n  a: {role: sensitive, require: {l-distinct: [3]}}\n"};
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        pv_plan *plan = NULL;
        pv_error error = {0};
        assert_int_equal(pv_plan_parse("p.yaml", texts[i], strlen(texts[i]), &plan, &error),
                         PV_STATUS_INPUT);
        assert_null(plan);
        assert_int_equal(error.line, 2);
    }
}

/* -------------------------------------------------------------- in a table */

static const char table_plan[] = "attributes:\n  a: {role: quasi}\n  s: {role: sensitive}\n"
                                 "  t: {role: sensitive}\n";
static const char table[] = "a,s,t,u\n1,x,p,1\n1,y,p,1\n2,x,p,2\n2,x,q,1\n";

static void only_sensitive_columns_can_be_asked(void **state)
{
    static const struct {
        const char *text, *message, *hint;
    } cases[] = {{"l-distinct(a)", "`a`, which is not sensitive", "`s`, `t`"},
                 {"l-distinct(u)", "`u`, which is not sensitive", "`s`, `t`"},
                 {"sum-l(S)", "no such column", "name a sensitive column: `s`, `t`"}};
    const uint8_t levels[] = {0};
    bound_study s = bound_study_create(table_plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    pv_classes *const classes = bound_classes(profile, levels, 0, 0);
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        pv_measure_ref ref;
        pv_error error = {0};
        double value = -7;
        double rows[4];
        size_t sensitive = 7;
        assert_int_equal(pv_measure_parse(cases[i].text, &ref, NULL), PV_STATUS_OK);
        assert_int_equal(pv_measure_value(ref, classes, &value, &error), PV_STATUS_ARGUMENT);
        assert_non_null(strstr(error.message, cases[i].message));
        assert_non_null(strstr(error.hint, cases[i].hint));
        assert_true(value == -7);
        assert_int_equal(pv_measure_rows(ref, classes, rows, NULL), PV_STATUS_ARGUMENT);
        assert_int_equal(pv_measure_sensitive(ref, classes, &sensitive, NULL), PV_STATUS_ARGUMENT);
    }
    pv_classes_free(classes);
    pv_profile_free(profile);
    bound_study_free(&s);
}

static void each_column_has_its_own_value(void **state)
{
    static const struct {
        const char *text;
        double value;
        size_t sensitive;
    } cases[] = {{"l-distinct", 1, 0},      {"l-distinct(s)", 1, 0},   {"l-distinct(t)", 1, 1},
                 {"sum-l(s)", 6, SIZE_MAX}, {"sum-l(t)", 6, SIZE_MAX}, {"sum-l", 4, SIZE_MAX}};
    const uint8_t levels[] = {0};
    bound_study s = bound_study_create(table_plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    pv_classes *const classes = bound_classes(profile, levels, 0, 0);
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        pv_measure_ref ref;
        double value = -7;
        size_t sensitive = 7;
        assert_int_equal(pv_measure_parse(cases[i].text, &ref, NULL), PV_STATUS_OK);
        assert_int_equal(pv_measure_value(ref, classes, &value, NULL), PV_STATUS_OK);
        assert_true(value == cases[i].value);
        assert_int_equal(pv_measure_sensitive(ref, classes, &sensitive, NULL), PV_STATUS_OK);
        assert_int_equal(sensitive, cases[i].sensitive);
    }
    pv_classes_free(classes);
    pv_profile_free(profile);
    bound_study_free(&s);
}

/* The names of columns that could be meant are collected when there is an error to explain. */
static pv_status ask_of_nobody(void *ctx, pv_error *error)
{
    pv_measure_ref ref;
    double value;
    assert_int_equal(pv_measure_parse("l-distinct(nobody)", &ref, NULL), PV_STATUS_OK);
    const pv_status status = pv_measure_value(ref, ctx, &value, error);
    return status == PV_STATUS_ARGUMENT ? PV_STATUS_OK : status;
}

static void memory_may_run_out(void **state)
{
    const uint8_t levels[] = {0};
    bound_study s = bound_study_create(table_plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    pv_classes *const classes = bound_classes(profile, levels, 0, 0);
    (void)state;
    assert_true(failing_alloc_every(ask_of_nobody, classes) > 0);
    pv_classes_free(classes);
    pv_profile_free(profile);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_read),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(long_names_have_a_limit),
        cmocka_unit_test(any_name_can_be_demanded),
        cmocka_unit_test(what_differs_is_not_the_same),
        cmocka_unit_test(plans_demand_of_columns),
        cmocka_unit_test(any_name_can_be_in_a_plan),
        cmocka_unit_test(mistakes_in_a_plan_have_a_place),
        cmocka_unit_test(only_sensitive_attributes_have_demands),
        cmocka_unit_test(only_sensitive_columns_can_be_asked),
        cmocka_unit_test(each_column_has_its_own_value),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("demands of one column as text", tests, NULL, NULL);
}
