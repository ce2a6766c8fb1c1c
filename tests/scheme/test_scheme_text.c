/* The scheme file: what was written is read again as the same scheme, whatever the hierarchies. */
#include "support/study.h"

#include "plan/plan.h"
#include "scheme/scheme.h"
#include <math.h>
#include <paravent/scheme.h>

/* One quasi-identifier for each way to build a hierarchy, and all there is to say besides. */
static const char plan[] =
    "missing: ['', '-']\n"
    "quotes: no\n"
    "header: yes\n"
    "attributes:\n"
    "  name:   {role: identifier}\n"
    "  age:    {role: quasi, weight: 2.5, granularity: 0.5,\n"
    "           hierarchy: {intervals: [2.5, 5, 20], origin: 0.5, closed: right}}\n"
    "  score:  {role: quasi, hierarchy: {intervals: [10]}, type: decimal}\n"
    "  zip:    {role: quasi, weight: 0, sensitivity: 2.5, hierarchy: {mask: right}}\n"
    "  height: {role: quasi, granularity: 2, hierarchy: {breaks: [1.5, 1.75], missing: last}}\n"
    "  kind:   {role: quasi, hierarchy: {rows: [[p, P], [q, P]], missing: P},\n"
    "           sensitivity: {p: 0.125, 'q': 3, '-': 0}}\n"
    "  phone:  {role: quasi, weight: 0.1, hierarchy: {mask: left}}\n"
    "  born:   {role: quasi, hierarchy: {date: [month, year, decade]}}\n"
    "  grade:  {role: quasi, hierarchy: {order: [2, 4]}}\n"
    "  size:   {role: quasi, hierarchy: {order: [2], values: [S, M, L, XL]}}\n"
    "  town:   {role: quasi, hierarchy: {rare: 30%}}\n"
    "  job:    {role: quasi, hierarchy: {rare: 2, label: few}}\n"
    "  colour: {role: quasi, domain: hierarchy,\n"
    "           hierarchy: {rows: [[r\u00f6d, warm, bright], [red, warm, bright], [blue, cold],\n"
    "                              [\"a \\\"b\\\"\", 'c: d, #e'], [gold, '*']]}}\n"
    "  sex:    {role: quasi}\n"
    "  race:   {role: quasi, hierarchy: {suppress: yes}}\n"
    "  ill:    {role: sensitive, distance: hierarchical,\n"
    "           hierarchy: {rows: [[flu, lung], [cough, lung], [gout]]}}\n"
    "  pay:    {role: sensitive, distance: ordered, type: integer}\n"
    "  class:  {role: label}\n"
    "  note:   {role: other, type: text}\n";

static const char table[] =
    "name,age,score,zip,phone,born,grade,size,town,job,colour,sex,race,ill,pay,class,note,height,"
    "kind\n"
    "Ann,1,0.5,12345,555,2001-02-03,1,S,Ulm,cook,r\u00f6d,f,x,flu,1,a,,1.4,p\n"
    "Bob,30.5,-3,1234,5551,1999-12-31,2,M,Ulm,smith,red,m,y,gout,2,b,n,1.5,q\n"
    "Cid,-7,12,99,,1999-11-30,3,L,Bonn,cook,blue,m,-,cough,3,a,n,3,NA\n"
    "Dan,,7,,77,2010-05-05,10,XL,Ulm,clerk,a \"b\",-,z,flu,10,a,n,NA,p\n"
    "Eve,2.5,8,5,77,,7,S,Kiel,clerk,gold,f,z,flu,10,a,n,1.75,NA\n";

/* New people: no value is new, but what was rare is frequent now and the reverse, and the longest
 * zip is shorter. */
static const char new_table[] =
    "name,age,score,zip,phone,born,grade,size,town,job,colour,sex,race,ill,pay,class,note,height,"
    "kind\n"
    "Fay,1,0.5,1234,555,2001-02-03,10,XL,Kiel,smith,gold,f,x,flu,1,a,,9,NA\n"
    "Gus,30.5,12,99,555,2001-02-03,1,S,Kiel,smith,gold,f,x,flu,1,a,,-1,p\n"
    "Ida,-7,-3,5,77,2001-02-03,3,L,Kiel,smith,red,f,x,flu,1,a,,NA,q\n"
    "Jon,2.5,0.5,99,5551,1999-12-31,3,M,Ulm,cook,red,f,x,flu,1,a,,1.6,NA\n";

static char *write_scheme(const pv_scheme *scheme, const pv_study *study,
                          const pv_scheme_record *record)
{
    char *text = NULL;
    pv_error error = {0};
    bound_must(pv_scheme_text(scheme, study, record, &text, &error), &error);
    assert_non_null(text);
    return text;
}

/* All attributes at this level, or at their top if that is lower. */
static pv_scheme scheme_at(const pv_study *study, unsigned level)
{
    pv_scheme scheme;
    pv_error error = {0};
    bound_must(pv_i_scheme_init(&scheme, study, &error), &error);
    for (size_t q = 0; q < scheme.n_levels; q++) {
        const unsigned height = pv_hierarchy_height(pv_study_hierarchy(study, q));
        scheme.levels[q] = (uint8_t)(level < height ? level : height);
    }
    return scheme;
}

static const char *label_of_row(const pv_scheme *scheme, const pv_study *study, size_t q,
                                uint64_t row)
{
    const size_t column = pv_study_quasi_column(study, q);
    return pv_scheme_label(scheme, study, q, pv_table_code(pv_study_table(study), column, row));
}

static void expect_same_labels(const pv_scheme *scheme, const pv_study *study,
                               const pv_scheme *again, const pv_study *study_again)
{
    assert_int_equal(again->n_levels, scheme->n_levels);
    for (size_t q = 0; q < scheme->n_levels; q++) {
        assert_string_equal(pv_study_quasi_name(study, q), pv_study_quasi_name(study_again, q));
        assert_true(fabs(pv_study_weight(study, q) - pv_study_weight(study_again, q)) < 1e-15);
        assert_true(pv_hierarchy_domain(pv_study_hierarchy(study, q)) ==
                    pv_hierarchy_domain(pv_study_hierarchy(study_again, q)));
        for (uint64_t row = 0; row < pv_table_rows(pv_study_table(study)); row++) {
            assert_string_equal(label_of_row(scheme, study, q, row),
                                label_of_row(again, study_again, q, row));
        }
    }
}

static void the_same_scheme_is_read_again(void **state)
{
    (void)state;
    bound_study s = bound_study_create(plan, table);
    assert_int_equal(pv_study_quasis(s.study), 14);
    for (unsigned level = 0; level <= 6; level++) {
        const pv_scheme_record record = {0};
        pv_scheme scheme = scheme_at(s.study, level);
        char *const text = write_scheme(&scheme, s.study, &record);
        bound_study again = bound_study_create(text, table);
        pv_scheme read = scheme_at(again.study, 0);
        pv_error error = {0};
        bound_must(pv_i_scheme_take_plan(&read, again.study, &error), &error);
        assert_memory_equal(read.levels, scheme.levels, scheme.n_levels);
        expect_same_labels(&scheme, s.study, &read, again.study);
        char *const text_again = write_scheme(&read, again.study, &record);
        assert_string_equal(text, text_again);
        pv_string_free(text);
        pv_string_free(text_again);
        pv_i_scheme_deinit(&scheme);
        pv_i_scheme_deinit(&read);
        bound_study_free(&again);
    }
    bound_study_free(&s);
}

/* Where two tables hold the same value, the scheme makes the same of it. */
static void expect_label_kept(const pv_scheme *scheme, const pv_study *study, const pv_scheme *next,
                              const pv_study *next_study, size_t q)
{
    const pv_table *const old_table = pv_study_table(study);
    const pv_table *const now = pv_study_table(next_study);
    const size_t column = pv_study_quasi_column(study, q);
    const size_t next_column = pv_study_quasi_column(next_study, q);
    for (uint32_t a = 0; a < pv_table_values(old_table, column); a++) {
        for (uint32_t b = 0; b < pv_table_values(now, next_column); b++) {
            if (strcmp(pv_table_value(old_table, column, a), pv_table_value(now, next_column, b)) ==
                0) {
                assert_string_equal(pv_scheme_label(scheme, study, q, a),
                                    pv_scheme_label(next, next_study, q, b));
            }
        }
    }
}

static void new_rows_are_treated_alike(void **state)
{
    (void)state;
    bound_study s = bound_study_create(plan, table);
    for (unsigned level = 0; level <= 6; level++) {
        const pv_scheme_record record = {0};
        pv_scheme scheme = scheme_at(s.study, level);
        char *const text = write_scheme(&scheme, s.study, &record);
        bound_study next = bound_study_create(text, new_table);
        pv_scheme read = scheme_at(next.study, 0);
        pv_error error = {0};
        bound_must(pv_i_scheme_take_plan(&read, next.study, &error), &error);
        for (size_t q = 0; q < scheme.n_levels; q++) {
            expect_label_kept(&scheme, s.study, &read, next.study, q);
        }
        pv_string_free(text);
        pv_i_scheme_deinit(&scheme);
        pv_i_scheme_deinit(&read);
        bound_study_free(&next);
    }
    bound_study_free(&s);
}

static const pv_plan_attribute *attribute(const pv_plan *p, const char *name)
{
    for (size_t i = 0; i < p->n_attributes; i++) {
        if (strcmp(p->attributes[i].name, name) == 0) {
            return &p->attributes[i];
        }
    }
    return NULL;
}

static void expect_plan(const pv_plan *p)
{
    assert_string_equal(p->missing[0], "");
    assert_string_equal(p->missing[1], "-");
    assert_null(p->missing[2]);
    assert_int_equal(p->quoting, PV_CHOICE_NO);
    assert_int_equal(p->header, PV_CHOICE_YES);
    assert_int_equal(p->n_attributes, 19);
    assert_int_equal(attribute(p, "name")->role, PV_ROLE_IDENTIFIER);
    assert_int_equal(attribute(p, "age")->granularity.mantissa, 5);
    assert_int_equal(attribute(p, "age")->granularity.scale, 1);
    assert_true(attribute(p, "zip")->weight == 0);
    assert_true(attribute(p, "phone")->weight == 0.1);
    assert_true(pv_decimal_double(attribute(p, "zip")->sensitivity.others) == 2.5);
    assert_false(attribute(p, "age")->sensitivity.is_given);
    assert_int_equal(attribute(p, "kind")->sensitivity.n_values, 3);
    assert_string_equal(attribute(p, "kind")->sensitivity.values[0].value, "p");
    assert_true(pv_decimal_double(attribute(p, "kind")->sensitivity.values[0].sensitivity) ==
                0.125);
    assert_true(attribute(p, "colour")->hierarchy.count_all_leaves);
    assert_int_equal(attribute(p, "ill")->distance, PV_DISTANCE_HIERARCHICAL);
    assert_int_equal(attribute(p, "ill")->hierarchy.n_rows, 3);
    assert_int_equal(attribute(p, "pay")->distance, PV_DISTANCE_ORDERED);
    assert_int_equal(attribute(p, "pay")->type, PV_TYPE_INTEGER);
    assert_int_equal(attribute(p, "class")->role, PV_ROLE_LABEL);
    assert_int_equal(attribute(p, "note")->role, PV_ROLE_OTHER);
    assert_int_equal(attribute(p, "note")->type, PV_TYPE_TEXT);
}

static void expect_bound(const pv_plan_require *require, const char *name, double value)
{
    pv_decimal number;
    assert_string_equal(require->name, name);
    assert_true(pv_decimal_parse(require->value, strlen(require->value), &number));
    assert_true(pv_decimal_double(number) == value);
}

static void the_record_is_read_again(void **state)
{
    static const pv_named_value require[] = {{"k", 5}, {"risk-above(0.1)", 0.05}};
    static const pv_named_value promises[] = {
        {"k", 6}, {"t-closeness", 0.123456789012345}, {"dcn", 1e12}, {"risk-mean", 2.0 / 30162}};
    const pv_scheme_record record = {
        .suppression = {.is_share = true, .share = {.mantissa = 125, .scale = 4}},
        .target_k = 7,
        .require = require,
        .n_require = 2,
        .promises = promises,
        .n_promises = 4};
    (void)state;
    bound_study s = bound_study_create(plan, table);
    pv_scheme scheme = scheme_at(s.study, 1);
    char *const text = write_scheme(&scheme, s.study, &record);
    pv_plan *const again = bound_plan(text);
    expect_plan(again);
    assert_true(again->suppression.is_share);
    assert_int_equal(pv_budget_rows(&again->suppression, 10000), 125);
    assert_int_equal(again->target_k, 7);
    assert_int_equal(again->n_require, 2);
    expect_bound(&again->require[0], "k", 5);
    expect_bound(&again->require[1], "risk-above(0.1)", 0.05);
    assert_int_equal(again->n_promises, 4);
    expect_bound(&again->promises[0], "k", 6);
    expect_bound(&again->promises[1], "t-closeness", 0.123456789012345);
    expect_bound(&again->promises[2], "dcn", 1e12);
    expect_bound(&again->promises[3], "risk-mean", 66308600225449e-18);
    pv_plan_free(again);
    pv_string_free(text);
    pv_i_scheme_deinit(&scheme);
    bound_study_free(&s);
}

/* A share stays a share and rows stay rows, to the last digit. */
static void budgets_are_kept(void **state)
{
    static const char *const budgets[] = {"0", "1", "25", "1%", "0.5%", "0.001%", "33.3%", "100%"};
    (void)state;
    bound_study s = bound_study_create(plan, table);
    pv_scheme scheme = scheme_at(s.study, 0);
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        pv_scheme_record record = {0};
        assert_true(pv_budget_parse(budgets[i], &record.suppression));
        char *const text = write_scheme(&scheme, s.study, &record);
        pv_plan *const again = bound_plan(text);
        assert_int_equal(again->suppression.is_share, record.suppression.is_share);
        for (uint64_t n = 1; n < 2000000; n = n * 3 + 1) {
            assert_int_equal(pv_budget_rows(&again->suppression, n),
                             pv_budget_rows(&record.suppression, n));
        }
        pv_plan_free(again);
        pv_string_free(text);
    }
    pv_i_scheme_deinit(&scheme);
    bound_study_free(&s);
}

/* ------------------------------------------------------------------- UTF-8 */

/* Where values of the table would stand in the file, they must be UTF-8. */
static void other_encodings_are_refused(void **state)
{
    static const char *const plans[] = {
        "attributes: {a: {role: quasi, hierarchy: {order: [2]}}}\n",
        "attributes: {a: {role: quasi, hierarchy: {rare: 1}}}\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        const pv_scheme_record record = {0};
        bound_study s = bound_study_create(plans[i], "a\nM\xfcller\nMaier\n");
        pv_scheme scheme = scheme_at(s.study, 1);
        char *text = NULL;
        pv_error error = {0};
        assert_int_equal(pv_scheme_text(&scheme, s.study, &record, &text, &error), PV_STATUS_INPUT);
        assert_null(text);
        assert_non_null(strstr(error.message, "'a'"));
        assert_non_null(strstr(error.message, "UTF-8"));
        assert_null(strstr(error.message, "ller"));
        pv_i_scheme_deinit(&scheme);
        bound_study_free(&s);
    }
}

/* Where they do not, they need not. */
static void other_encodings_may_stay_in_the_table(void **state)
{
    const pv_scheme_record record = {0};
    (void)state;
    bound_study s = bound_study_create("attributes: {a: {role: quasi, hierarchy: {mask: right}}}\n",
                                       "a\nM\xfcller\nMaier\n");
    pv_scheme scheme = scheme_at(s.study, 1);
    char *const text = write_scheme(&scheme, s.study, &record);
    assert_null(strstr(text, "ller"));
    pv_string_free(text);
    pv_i_scheme_deinit(&scheme);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_scheme_is_read_again),
        cmocka_unit_test(new_rows_are_treated_alike),
        cmocka_unit_test(the_record_is_read_again),
        cmocka_unit_test(budgets_are_kept),
        cmocka_unit_test(other_encodings_are_refused),
        cmocka_unit_test(other_encodings_may_stay_in_the_table),
    };
    return cmocka_run_group_tests_name("scheme files", tests, NULL, NULL);
}
