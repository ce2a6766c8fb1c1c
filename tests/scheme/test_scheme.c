/* Levels as people write them, and every way to write them wrong. */
#include "support/study.h"

#include "scheme/scheme.h"
#include <paravent/scheme.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Heights 2, 5 and 1. The name of the last one is as awkward as they get. */
static const char plan[] = "attributes:\n"
                           "  age: {role: quasi, hierarchy: {intervals: [10]}}\n"
                           "  zip: {role: quasi, hierarchy: {mask: right}}\n"
                           "  \"a=b\": {role: quasi}\n"
                           "  illness: {role: sensitive}\n";
static const char table[] = "age,zip,a=b,illness\n31,12345,x,flu\n39,12399,y,gout\n,12399,,flu\n";

typedef struct {
    bound_study bound;
    pv_scheme scheme;
} fixture;

static fixture fixture_create(const char *plan_text)
{
    fixture f = {.bound = bound_study_create(plan_text, table)};
    pv_error error = {0};
    bound_must(pv_i_scheme_init(&f.scheme, f.bound.study, &error), &error);
    return f;
}

static void fixture_free(fixture *f)
{
    pv_i_scheme_deinit(&f->scheme);
    bound_study_free(&f->bound);
}

static void expect_levels(const pv_scheme *scheme, uint8_t a, uint8_t b, uint8_t c)
{
    const uint8_t levels[] = {a, b, c};
    assert_int_equal(scheme->n_levels, 3);
    assert_memory_equal(scheme->levels, levels, 3);
}

static void a_new_scheme_changes_nothing(void **state)
{
    fixture f = fixture_create(plan);
    (void)state;
    expect_levels(&f.scheme, 0, 0, 0);
    fixture_free(&f);
    assert_null(f.scheme.levels);
    assert_int_equal(f.scheme.n_levels, 0);
    pv_i_scheme_deinit(&f.scheme);
}

/* Each continues where the one before left off. */
static void levels_are_read(void **state)
{
    static const struct {
        const char *text;
        uint8_t levels[3];
    } cases[] = {
        {"1,2,1", {1, 2, 1}},         {"0,0,0", {0, 0, 0}},    {"top,top,top", {2, 5, 1}},
        {"1,top,0", {1, 5, 0}},       {"zip=3", {1, 3, 0}},    {"a=b=1,age=2", {2, 3, 1}},
        {"age=0,zip=top", {0, 5, 1}}, {"01,005,1", {1, 5, 1}}, {"age=2,age=1", {1, 5, 1}},
    };
    fixture f = fixture_create(plan);
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        pv_error error = {0};
        bound_must(pv_scheme_parse(&f.scheme, f.bound.study, cases[i].text, &error), &error);
        expect_levels(&f.scheme, cases[i].levels[0], cases[i].levels[1], cases[i].levels[2]);
    }
    fixture_free(&f);
}

static void wrong_levels_are_refused(void **state)
{
    static const char *const wrong[] = {
        "",         ",",
        "1",        "1,2",
        "1,2,1,0",  "1,2,",
        ",1,2",     "1,,1",
        "3,0,0",    "0,6,0",
        "0,0,2",    "-1,0,0",
        "+1,0,0",   "1.0,0,0",
        "one,0,0",  " 1,0,0",
        "1 ,0,0",   "Top,0,0",
        "256,0,0",  "4294967296,0,0",
        "0x1,0,0",  "18446744073709551617,0,0",
        "age=3",    "age=",
        "age=-1",   "age",
        "weight=1", "illness=1",
        "=1",       "age=1,",
        "age=1,2",  "2,age=1",
        "AGE=1",    "age =1",
        "age= 1",   "a=1",
    };
    fixture f = fixture_create(plan);
    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        pv_error error = {0};
        if (pv_scheme_parse(&f.scheme, f.bound.study, wrong[i], &error) != PV_STATUS_ARGUMENT) {
            fail_msg("'%s' is taken for levels", wrong[i]);
        }
        assert_int_equal(error.status, PV_STATUS_ARGUMENT);
        assert_true(error.message[0] != '\0');
        assert_true(error.hint[0] != '\0');
    }
    fixture_free(&f);
}

static void the_range_is_named(void **state)
{
    fixture f = fixture_create(plan);
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_scheme_parse(&f.scheme, f.bound.study, "0,7,0", &error),
                     PV_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "'7' of 'zip'"));
    assert_non_null(strstr(error.hint, "0 (as it is) to 5"));
    fixture_free(&f);
}

/* However long the mistake, the message is not. */
static void long_mistakes_are_cut(void **state)
{
    fixture f = fixture_create(plan);
    pv_error error = {0};
    char text[3001];
    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(pv_scheme_parse(&f.scheme, f.bound.study, text, &error), PV_STATUS_ARGUMENT);
    assert_true(strlen(error.message) < 200);
    memcpy(text + sizeof text - 3, "=1", 2);
    assert_int_equal(pv_scheme_parse(&f.scheme, f.bound.study, text, &error), PV_STATUS_ARGUMENT);
    assert_true(strlen(error.message) < 200);
    fixture_free(&f);
}

/* -------------------------------------------------------------- from a plan */

static void levels_come_from_the_plan(void **state)
{
    fixture f = fixture_create("attributes:\n"
                               "  age: {role: quasi, hierarchy: {intervals: [10]}, level: 2}\n"
                               "  illness: {role: sensitive}\n"
                               "  zip: {role: quasi, hierarchy: {mask: right}, level: 3}\n"
                               "  \"a=b\": {role: quasi, level: 0}\n");
    pv_error error = {0};
    (void)state;
    bound_must(pv_i_scheme_take_plan(&f.scheme, f.bound.study, &error), &error);
    expect_levels(&f.scheme, 2, 3, 0);
    fixture_free(&f);
}

/* How much there is to mask depends on the table: more than that is all of it. */
static void masks_end_at_their_top(void **state)
{
    fixture f = fixture_create("attributes:\n"
                               "  age: {role: quasi, level: 1}\n"
                               "  zip: {role: quasi, hierarchy: {mask: left}, level: 9}\n"
                               "  \"a=b\": {role: quasi, level: 0}\n");
    pv_error error = {0};
    (void)state;
    bound_must(pv_i_scheme_take_plan(&f.scheme, f.bound.study, &error), &error);
    expect_levels(&f.scheme, 1, 5, 0);
    fixture_free(&f);
}

static void wrong_plans_are_placed(void **state)
{
    static const struct {
        const char *plan, *message;
        uint64_t line;
    } cases[] = {
        {"attributes:\n  age: {role: quasi, level: 1}\n  zip: {role: quasi}\n", "'zip'", 3},
        {"attributes:\n  zip: {role: quasi, level: 2}\n", "level 2 of 'zip'", 2},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        fixture f = fixture_create(cases[i].plan);
        pv_error error = {0};
        assert_int_equal(pv_i_scheme_take_plan(&f.scheme, f.bound.study, &error), PV_STATUS_INPUT);
        assert_non_null(strstr(error.message, cases[i].message));
        assert_true(error.hint[0] != '\0');
        assert_string_equal(error.file, "plan.yaml");
        assert_int_equal(error.line, cases[i].line);
        assert_int_equal(error.column, 3);
        fixture_free(&f);
    }
}

/* ------------------------------------------------------------------ labels */

static void labels_are_those_of_the_level(void **state)
{
    static const struct {
        const char *levels, *labels[3]; /* of the first row */
    } cases[] = {{"0,0,0", {"31", "12345", "x"}},
                 {"2,5,1", {"*", "*", "*"}},
                 {"0,2,1", {"31", "123**", "*"}}};
    fixture f = fixture_create(plan);
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        pv_error error = {0};
        bound_must(pv_scheme_parse(&f.scheme, f.bound.study, cases[i].levels, &error), &error);
        for (size_t q = 0; q < 3; q++) {
            const uint32_t code = pv_table_code(pv_study_table(f.bound.study),
                                                pv_study_quasi_column(f.bound.study, q), 0);
            assert_string_equal(pv_scheme_label(&f.scheme, f.bound.study, q, code),
                                cases[i].labels[q]);
        }
    }
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_scheme_changes_nothing),
        cmocka_unit_test(levels_are_read),
        cmocka_unit_test(wrong_levels_are_refused),
        cmocka_unit_test(the_range_is_named),
        cmocka_unit_test(long_mistakes_are_cut),
        cmocka_unit_test(levels_come_from_the_plan),
        cmocka_unit_test(masks_end_at_their_top),
        cmocka_unit_test(wrong_plans_are_placed),
        cmocka_unit_test(labels_are_those_of_the_level),
    };
    return cmocka_run_group_tests_name("schemes", tests, NULL, NULL);
}
