/* The plan file: every key, and every mistake with the place where it stands. */
#include "plan/plan.h"
#include <paravent/plan.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NAME "somewhere/plan.yaml"

static pv_plan *parse(const char *text)
{
    pv_plan *plan = NULL;
    pv_error error;
    if (pv_plan_parse(NAME, text, strlen(text), &plan, &error) != PV_STATUS_OK) {
        fail_msg("line %u column %u: %s", (unsigned)error.line, (unsigned)error.column,
                 error.message);
    }
    return plan;
}

/* ------------------------------------------------------------ all that is right */

static void reads_combinations(void **state)
{
    (void)state;
    pv_plan *const plan =
        parse("compare:\n"
              "  fair: {terms: [{property: class-size, index: cov, weight: 0.25}], kind: wtd}\n"
              "  first: {kind: lex, terms: [{property: glm, index: min}, {index: spr, property: "
              "'column:pay', tolerance: 2}]}\n"
              "  near: {kind: goal, terms: [{property: risk, index: rank, goal: -1}]}\n");
    assert_int_equal(plan->n_combinations, 3);
    const pv_plan_combination *const first = &plan->combinations[1];
    assert_string_equal(first->name, "first");
    assert_string_equal(first->kind, "lex");
    assert_int_equal(first->line, 3);
    assert_int_equal(first->n_terms, 2);
    assert_true(first->terms[0].amount == 0.0);
    assert_string_equal(first->terms[1].property, "column:pay");
    assert_string_equal(first->terms[1].index, "spr");
    assert_true(first->terms[1].amount == 2.0);
    assert_true(plan->combinations[0].terms[0].amount == 0.25);
    assert_true(plan->combinations[2].terms[0].amount == -1.0);
    pv_plan_free(plan);
}

static void reads_the_top_level(void **state)
{
    (void)state;
    pv_plan *const plan = parse("data: census.csv\n"
                                "suppression: 1%\n"
                                "target-k: 5\n"
                                "missing: [\"\", NA, '-99']\n"
                                "delimiter: tab\n"
                                "quotes: no\n"
                                "header: yes\n"
                                "require: {k: 5, l-distinct: 3}\n"
                                "attributes:\n"
                                "  age: {role: quasi}\n");
    assert_string_equal(plan->path, NAME);
    assert_string_equal(plan->data, "somewhere/census.csv");
    assert_true(plan->suppression.is_share);
    assert_int_equal(pv_budget_rows(&plan->suppression, 30162), 301);
    assert_int_equal(plan->target_k, 5);
    assert_string_equal(plan->missing[0], "");
    assert_string_equal(plan->missing[1], "NA");
    assert_string_equal(plan->missing[2], "-99");
    assert_null(plan->missing[3]);
    assert_int_equal(plan->delimiter, '\t');
    assert_int_equal(plan->quoting, PV_CHOICE_NO);
    assert_int_equal(plan->header, PV_CHOICE_YES);
    assert_int_equal(plan->n_require, 2);
    assert_string_equal(plan->require[1].name, "l-distinct");
    assert_string_equal(plan->require[1].value, "3");
    assert_int_equal(plan->require[1].line, 8);
    assert_int_equal(plan->require[1].column, 17);
    assert_int_equal(plan->n_promises, 0);
    pv_plan_free(plan);
}

static void leaves_out_what_is_not_said(void **state)
{
    (void)state;
    pv_plan *const plan = parse("attributes: {age: {}}\n");
    assert_null(plan->data);
    assert_null(plan->missing);
    assert_int_equal(plan->delimiter, 0);
    assert_int_equal(plan->quoting, PV_CHOICE_AUTO);
    assert_int_equal(pv_budget_rows(&plan->suppression, 1000), 0);
    const pv_plan_attribute *const age = &plan->attributes[0];
    assert_int_equal(age->role, PV_ROLE_OTHER);
    assert_int_equal(age->type, PV_TYPE_AUTO);
    assert_int_equal(age->distance, PV_DISTANCE_AUTO);
    assert_int_equal(age->level, -1);
    assert_true(age->weight == 1);
    assert_int_equal(age->granularity.mantissa, 0);
    assert_false(age->has_hierarchy);
    assert_int_equal(age->hierarchy.kind, PV_HIERARCHY_SUPPRESS);
    pv_plan_free(plan);
}

static void reads_missing_in_all_forms(void **state)
{
    (void)state;
    pv_plan *plan = parse("missing: []\n");
    assert_non_null(plan->missing);
    assert_null(plan->missing[0]);
    pv_plan_free(plan);
    plan = parse("missing: none\n");
    assert_string_equal(plan->missing[0], "none");
    assert_null(plan->missing[1]);
    pv_plan_free(plan);
}

static void reads_delimiters(void **state)
{
    static const struct {
        const char *text;
        char delimiter;
    } cases[] = {{"delimiter: ';'", ';'},      {"delimiter: ;", ';'},     {"delimiter: \",\"", ','},
                 {"delimiter: \"\\t\"", '\t'}, {"delimiter: \"|\"", '|'}, {"delimiter: pipe", '|'},
                 {"delimiter: comma", ','},    {"delimiter: '^'", '^'}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_plan *const plan = parse(cases[i].text);
        assert_int_equal(plan->delimiter, cases[i].delimiter);
        pv_plan_free(plan);
    }
}

static void reads_data_paths(void **state)
{
    (void)state;
    pv_plan *plan = parse("data: \"-\"\n");
    assert_string_equal(plan->data, "-");
    pv_plan_free(plan);
    plan = parse("data: /var/census.csv\n");
    assert_string_equal(plan->data, "/var/census.csv");
    pv_plan_free(plan);
}

static void reads_attributes(void **state)
{
    (void)state;
    pv_plan *const plan = parse(
        "attributes:\n"
        "  name: {role: identifier, type: text}\n"
        "  \"a:b # c\": {role: quasi, weight: 2.5, granularity: 0.5, level: 3, type: decimal}\n"
        "  disease: {role: sensitive, distance: equal}\n"
        "  income: {role: sensitive, distance: ordered, type: integer}\n"
        "  born: {role: label, type: date}\n"
        "  note: {role: other}\n");
    assert_int_equal(plan->n_attributes, 6);
    const pv_plan_attribute *const a = plan->attributes;
    assert_int_equal(a[0].role, PV_ROLE_IDENTIFIER);
    assert_int_equal(a[0].type, PV_TYPE_TEXT);
    assert_int_equal(a[0].line, 2);
    assert_int_equal(a[0].column, 3);
    assert_string_equal(a[1].name, "a:b # c");
    assert_true(a[1].weight == 2.5);
    assert_int_equal(a[1].granularity.mantissa, 5);
    assert_int_equal(a[1].granularity.scale, 1);
    assert_int_equal(a[1].level, 3);
    assert_int_equal(a[1].type, PV_TYPE_DECIMAL);
    assert_int_equal(a[2].distance, PV_DISTANCE_EQUAL);
    assert_int_equal(a[3].distance, PV_DISTANCE_ORDERED);
    assert_int_equal(a[3].type, PV_TYPE_INTEGER);
    assert_int_equal(a[4].role, PV_ROLE_LABEL);
    assert_int_equal(a[4].type, PV_TYPE_DATE);
    assert_int_equal(a[5].role, PV_ROLE_OTHER);
    pv_plan_free(plan);
}

static void reads_built_hierarchies(void **state)
{
    (void)state;
    pv_plan *const plan =
        parse("attributes:\n"
              "  a: {role: quasi, hierarchy: {intervals: [2.5, 5], origin: -1, closed: right}}\n"
              "  b: {role: quasi, hierarchy: {mask: left}}\n"
              "  c: {role: quasi, hierarchy: {date: [month, year, decade]}}\n"
              "  d: {role: quasi, hierarchy: {order: [2, 4], values: [low, middle, high]}}\n"
              "  e: {role: quasi, hierarchy: {rare: 1%, label: few, keep: [x]}}\n"
              "  f: {role: quasi, hierarchy: {rare: 25}}\n"
              "  g: {role: sensitive, distance: hierarchical,\n"
              "      hierarchy: {rows: [[red, warm, '*', '*'], [blue, cold], ['5']]}}\n"
              "  h: {role: quasi, hierarchy: {suppress: true}}\n"
              "  i: {role: quasi, hierarchy: {rare: 0, keep: []}}\n"
              "  j: {role: quasi, hierarchy: {breaks: [-2.5, 40], missing: last}, granularity: 5}\n"
              "  k: {role: quasi, hierarchy: {breaks: []}}\n"
              "  l: {role: quasi, granularity: 5, hierarchy: {rows: [[a, A]], missing: A}}\n");
    const pv_plan_attribute *const at = plan->attributes;
    const pv_hierarchy_spec *s = &at[0].hierarchy;
    assert_int_equal(s->kind, PV_HIERARCHY_INTERVALS);
    assert_int_equal(s->n_widths, 2);
    assert_int_equal(s->widths[0].mantissa, 25);
    assert_int_equal(s->widths[0].scale, 1);
    assert_int_equal(s->origin.mantissa, -1);
    assert_true(s->closed_right);
    assert_int_equal(at[1].hierarchy.kind, PV_HIERARCHY_MASK);
    assert_true(at[1].hierarchy.mask_left);
    s = &at[2].hierarchy;
    assert_int_equal(s->kind, PV_HIERARCHY_DATE);
    assert_int_equal(s->n_units, 3);
    assert_int_equal(s->units[2], PV_DATE_DECADE);
    s = &at[3].hierarchy;
    assert_int_equal(s->kind, PV_HIERARCHY_ORDER);
    assert_int_equal(s->sizes[1], 4);
    assert_int_equal(s->n_values, 3);
    assert_string_equal(s->values[2], "high");
    s = &at[4].hierarchy;
    assert_int_equal(s->kind, PV_HIERARCHY_RARE);
    assert_int_equal(s->rare_share.mantissa, 1);
    assert_int_equal(s->rare_share.scale, 2);
    assert_string_equal(s->rare_label, "few");
    assert_int_equal(s->n_values, 1);
    assert_int_equal(at[5].hierarchy.rare_rows, 25);
    assert_null(at[5].hierarchy.values);
    s = &at[9].hierarchy;
    assert_int_equal(s->kind, PV_HIERARCHY_BREAKS);
    assert_int_equal(s->n_breaks, 2);
    assert_int_equal(s->breaks[0].mantissa, -25);
    assert_int_equal(s->granularity.mantissa, 5);
    assert_true(s->missing_last);
    assert_int_equal(at[10].hierarchy.kind, PV_HIERARCHY_BREAKS);
    assert_int_equal(at[10].hierarchy.n_breaks, 0);
    assert_false(at[10].hierarchy.missing_last);
    assert_string_equal(at[11].hierarchy.missing_group, "A");
    assert_int_equal(at[11].hierarchy.granularity.mantissa, 0);
    s = &at[6].hierarchy;
    assert_int_equal(s->kind, PV_HIERARCHY_ROWS);
    assert_int_equal(s->n_rows, 3);
    assert_string_equal(s->rows[0][1], "warm");
    assert_null(s->rows[0][2]);
    assert_null(s->rows[2][1]);
    assert_null(s->lines);
    assert_int_equal(at[7].hierarchy.kind, PV_HIERARCHY_SUPPRESS);
    assert_true(at[7].has_hierarchy);
    assert_non_null(at[8].hierarchy.values);
    assert_int_equal(at[8].hierarchy.n_values, 0);
    pv_plan_free(plan);
}

static void reads_sensitivities(void **state)
{
    (void)state;
    pv_plan *const plan = parse("attributes:\n"
                                "  a: {role: quasi}\n"
                                "  b: {role: quasi, sensitivity: 0.5}\n"
                                "  c: {role: quasi, sensitivity: {flu: 2, NA: 0, '7': 1.25}}\n");
    const pv_plan_sensitivity *const b = &plan->attributes[1].sensitivity;
    const pv_plan_sensitivity *const c = &plan->attributes[2].sensitivity;
    assert_false(plan->attributes[0].sensitivity.is_given);
    assert_true(b->is_given && b->n_values == 0 && b->file == NULL);
    assert_true(pv_decimal_double(b->others) == 0.5);
    assert_true(pv_decimal_double(c->others) == 1);
    assert_int_equal(c->n_values, 3);
    assert_string_equal(c->values[0].value, "flu");
    assert_int_equal(c->values[1].sensitivity.mantissa, 0);
    assert_string_equal(c->values[2].value, "7");
    assert_true(pv_decimal_double(c->values[2].sensitivity) == 1.25);
    assert_int_equal(c->values[0].line, 4);
    assert_int_equal(c->values[0].column, 34);
    pv_plan_free(plan);
}

static void applies_the_domain_wherever_it_stands(void **state)
{
    (void)state;
    pv_plan *const plan = parse("attributes:\n"
                                "  a: {role: quasi, hierarchy: {rows: [[x, y]]}}\n"
                                "  b: {role: quasi, hierarchy: {rows: [[x, y]]}, domain: table}\n"
                                "  c: {role: sensitive}\n"
                                "  d: {role: quasi, hierarchy: {mask: right}}\n"
                                "  e: {role: quasi, hierarchy: {order: [2], values: [p, q]}}\n"
                                "  f: {role: quasi}\n"
                                "domain: hierarchy\n");
    static const bool expected[] = {true, false, false, false, true, false};
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(plan->attributes[i].hierarchy.count_all_leaves, expected[i]);
    }
    pv_plan_free(plan);
}

static void reads_a_scheme_file(void **state)
{
    (void)state;
    pv_plan *const plan = parse(
        "{\"paravent\":\"0.1.0\",\"schema\":1,\"scheme\":\"levels\",\"header\":true,"
        "\"attributes\":{\"a b\":{\"role\":\"quasi\",\"level\":2,\"hierarchy\":{\"rows\":"
        "[[\"1\",\"1\\/2\"],[\"\\u00e9\\n\",\"x\"]]}}},\"promises\":{\"k\":6,\"glm\":8.5e2}}\n");
    assert_int_equal(plan->attributes[0].level, 2);
    assert_string_equal(plan->attributes[0].name, "a b");
    assert_string_equal(plan->attributes[0].hierarchy.rows[0][1], "1/2");
    assert_string_equal(plan->attributes[0].hierarchy.rows[1][0], "\xc3\xa9\n");
    assert_int_equal(plan->header, PV_CHOICE_YES);
    assert_int_equal(plan->n_promises, 2);
    assert_string_equal(plan->promises[1].name, "glm");
    assert_string_equal(plan->promises[1].value, "8.5e2");
    pv_plan_free(plan);
}

/* ------------------------------------------------------------ all that is wrong */

typedef struct {
    const char *text;
    unsigned line, column;
    const char *message, *hint; /* parts of them */
} mistake;

#define ONE(entry) "attributes: {a: {" entry "}}"
#define BUILT(hierarchy) ONE("role: quasi, hierarchy: " hierarchy)

static const mistake mistakes[] = {
    /* YAML */
    {"", 0, 0, "is empty", "attributes"},
    {"# nothing\n", 0, 0, "is empty", "data"},
    {"just words", 1, 1, "mapping", "data"},
    {"- a\n- b\n", 1, 1, "mapping", "data"},
    {"data: x\n\tsuppression: 1\n", 2, 1, "not valid YAML", "spaces"},
    {"attributes: {a: {role: quasi}\n", 2, 1, "not valid YAML", "bracket"},
    {"data: x\ndelimiter: ,\n", 2, 12, "not valid YAML", "quotes"},
    {"attributes:\n  \xc3\xa9t\xc3\xa9: {role: ?}\n", 2, 15, "bare ?", "role: \"?\""},
    {"attributes:\n  a:\n    role: ?\n    weight: 1\n", 3, 11, "bare ?", "role: \"?\""},
    {"data: ok\n  \xff\xfe", 2, 3, "UTF-8", "UTF-8"},
    {"data: \xc3\xa9\x01", 1, 8, "UTF-8", "text file"},
    {"data: a\ndata: b\n", 2, 1, "`data` is written twice", "line 1"},
    {"attributes:\n  b: {}\n  a: {}\n  b: {}\n  a: {}\n", 4, 3, "`b` is written twice", "line 2"},
    {"data: &x census.csv\n", 1, 7, "anchors", "quotes"},
    {"data: x\nmissing: *x\n", 2, 10, "aliases", "quotes"},
    {"data: !!str x\n", 1, 7, "tags", "quotes"},
    {"attributes: &a {}\n", 1, 13, "anchors", "quotes"},
    {"missing: !x []\n", 1, 10, "tags", "quotes"},
    {"data: x\n---\ndata: y\n", 2, 1, "second document", "---"},
    {"? [a, b]\n: c\n", 1, 3, "a key must be text", "quotes"},
    {"data: \"a\\0b\"\n", 1, 7, "NUL", "\\0"},
    /* the top level */
    {"dat: x\n", 1, 1, "unknown key `dat` in the plan", "did you mean `data`?"},
    {"data: x\n  \nsupression: 1%\n", 3, 1, "`supression`", "did you mean `suppression`?"},
    {"zebra: x\n", 1, 1, "`zebra`", "allowed: data, suppression"},
    {"\"re\\e[1m\": x\n", 1, 1, "`re?[1m`", "allowed"},
    {"data:\n", 1, 6, "`data` has no value", "after the colon"},
    {"data: [x]\n", 1, 7, "`data` must be a single value, not a list", ""},
    {"data: {x: y}\n", 1, 8, "`data` cannot have the key `x`", "postgresql"},
    {"data: {odbc: s}\n", 1, 7, "must say where", "table"},
    {"data: {table: s}\n", 1, 7, "must say where", "table"},
    {"data: {odbc: s, table: t, query: q}\n", 1, 7, "must say where", "table"},
    {"data: {odbc: s, duckdb: t, table: q}\n", 1, 17, "cannot have the key `duckdb`", "odbc"},
    {"data: {odbc: [s], table: t}\n", 1, 14, "`odbc` must be a single value", ""},
    {"suppression: 2 percent\n", 1, 14, "`suppression` cannot be `2 percent`", "1%"},
    {"suppression: -1\n", 1, 14, "cannot be `-1`", "100%"},
    {"suppression: 101%\n", 1, 14, "cannot be", "100%"},
    {"suppression: .nan\n", 1, 14, "cannot be", "rows"},
    {"missing: {a: b}\n", 1, 10, "`missing` must be a single value", ""},
    {"missing: [a, [b]]\n", 1, 14, "not a list", ""},
    {"delimiter: ab\n", 1, 12, "single character", "tab"},
    {"delimiter: |\n", 1, 12, "single character", "in quotes"},
    {"delimiter: \xc2\xa7\n", 1, 12, "single character", "tab"},
    {"delimiter: '\"'\n", 1, 12, "single character", ""},
    {"quotes: never\n", 1, 9, "`quotes` cannot be `never`", "yes, no"},
    {"header: Yes\n", 1, 9, "`header` cannot be `Yes`", "did you mean `yes`?"},
    {"attributes: {a: {role: quasi}}\ndomain: hierarchy\n", 2, 1, "has no meaning: no hierarchy",
     "remove it"},
    {ONE("role: quasi, domain: hierarchy"), 1, 31, "names no values", "`rows`"},
    {ONE("role: quasi, hierarchy: {mask: right}, domain: hierarchy"), 1, 57, "names no values",
     "`values`"},
    {ONE("role: sensitive, distance: equal, hierarchy: {mask: right}"), 1, 52,
     "`equal` does not look at it", "remove one"},
    {ONE("role: sensitive, distance: ordered, hierarchy: {mask: right}"), 1, 54,
     "`ordered` does not look at it", "values: [low, middle, high]"},
    {"domain: tree\n", 1, 9, "`domain` cannot be `tree`", "table or hierarchy"},
    {"require: k\n", 1, 10, "`require` must be a mapping", "{k: 5"},
    {"require: {k: [5]}\n", 1, 14, "`k` must be a single value", ""},
    {"require: {k: }\n", 1, 14, "`k` has no value", ""},
    {"promises: [k]\n", 1, 11, "`promises` must be a mapping", ""},
    {"schema: 2\n", 1, 9, "schema `2`", "newer"},
    {"scheme: cuts\n", 1, 9, "`scheme` cannot be `cuts`", "levels"},
    {"paravent: []\n", 1, 11, "single value", ""},
    /* attributes */
    {"attributes: age\n", 1, 13, "`attributes` must be a mapping", "role: quasi"},
    {"attributes:\n", 1, 12, "`attributes` must be a mapping", ""},
    {"attributes:\n  age: quasi\n", 2, 8, "`age` must be a mapping", "{role: quasi}"},
    {ONE("rle: quasi"), 1, 18, "unknown key `rle` in an attribute", "did you mean `role`?"},
    {ONE("role: quazi"), 1, 24, "`role` cannot be `quazi`", "did you mean `quasi`?"},
    {ONE("role: [quasi]"), 1, 24, "single value", ""},
    {ONE("type: float"), 1, 24, "`type` cannot be `float`", "integer, decimal, date or text"},
    {ONE("type: auto"), 1, 24, "`type` cannot be `auto`", "integer"},
    {ONE("role: quasi, weight: heavy"), 1, 39, "`heavy` is not a number", "0.25"},
    {ONE("role: quasi, weight: -1"), 1, 39, "must not be negative", ""},
    {ONE("role: quasi, weight: .inf"), 1, 39, "not a number", ""},
    {ONE("role: quasi, granularity: 0"), 1, 44, "more than 0", ""},
    {"compare: fair", 1, 10, "must be a mapping", "compare: {fair"},
    {"compare: {f: {kind: wtd}}", 1, 14, "`f` has no `terms`", "terms: ["},
    {"compare: {f: {terms: [{}]}}", 1, 14, "`f` has no `kind`", "kind: wtd"},
    {"compare: {f: {kind: sum, terms: [{}]}}", 1, 21, "cannot be `sum`", "wtd, lex or goal"},
    {"compare: {f: {kind: wtd, terms: []}}", 1, 33, "empty list", "for example"},
    {"compare: {f: {kind: wtd, terms: [{}]}}", 1, 34, "has no `property`", "for example"},
    {"compare: {f: {kind: wtd, terms: [{property: glm}]}}", 1, 34, "has no `index`", ""},
    {"compare: {f: {kind: wtd, terms: [{property: glm, index: cov}]}}", 1, 34, "has no `weight`",
     ""},
    {"compare: {f: {kind: lex, terms: [{property: a, index: b, weight: 1}]}}", 1, 58,
     "`weight` has no meaning", "`tolerance`"},
    {"compare: {f: {kind: wtd, terms: [{property: a, index: b, weight: -1}]}}", 1, 66,
     "must not be negative", ""},
    {"compare: {f: {kind: wtd, sum: 1, terms: []}}", 1, 26, "unknown key `sum`", "kind or terms"},
    {ONE("role: quasi, sensitivity: -1"), 1, 44, "must not be negative", ""},
    {ONE("role: quasi, sensitivity: [1]"), 1, 44, "cannot be a list", "{flu: 1"},
    {ONE("role: quasi, sensitivity: {}"), 1, 44, "names no value", "sensitivity: 2"},
    {ONE("role: quasi, sensitivity: {x: many}"), 1, 48, "`many` is not a number", ""},
    {ONE("role: quasi, sensitivity: {x: -2}"), 1, 48, "must not be negative", ""},
    {ONE("role: quasi, sensitivity: {x: 1, x: 2}"), 1, 51, "`x` is written twice", ""},
    {ONE("role: quasi, sensitivity: "), 1, 44, "`sensitivity` has no value", ""},
    {ONE("role: sensitive, sensitivity: 1"), 1, 35, "`sensitivity` has no meaning", "`quasi`"},
    {ONE("role: quasi, level: 251"), 1, 38, "whole number from 0 to 250", ""},
    {ONE("role: quasi, level: 1.5"), 1, 38, "whole number from 0 to 250", ""},
    {ONE("role: quasi, level: -1"), 1, 38, "whole number from 0 to 250", ""},
    {ONE("role: quasi, domain: all"), 1, 39, "`domain` cannot be `all`", ""},
    {ONE("role: sensitive, distance: near"), 1, 45, "`distance` cannot be `near`", "equal"},
    {ONE("role: sensitive, distance: hierarchical"), 1, 45, "needs a hierarchy", "`a`"},
    {ONE("weight: 2"), 1, 18, "`weight` has no meaning for `a`, whose role is `other`", "`quasi`"},
    {ONE("level: 1, role: label"), 1, 18, "`level` has no meaning", "remove it"},
    {ONE("role: sensitive, granularity: 1"), 1, 35, "`granularity` has no meaning", "`quasi`"},
    {ONE("role: sensitive, domain: table"), 1, 35, "`domain` has no meaning", "`quasi`"},
    {ONE("role: quasi, distance: equal"), 1, 31, "`distance` has no meaning", "`sensitive`"},
    {ONE("role: identifier, hierarchy: {mask: right}"), 1, 36, "`hierarchy` has no meaning",
     "`quasi` or `sensitive`"},
    {"attributes:\n  a: {role: label}\n  b: {role: label}\n", 3, 3, "`b` is a second label", "`a`"},
    /* hierarchies */
    {BUILT("[5, 10]"), 1, 42, "cannot be a list", "intervals"},
    {BUILT("{}"), 1, 42, "is empty", "intervals"},
    {BUILT("suppress"), 1, 42, "`suppress` alone", "{suppress: true}"},
    {BUILT("{suppress: false}"), 1, 53, "`suppress` cannot be `false`", "true"},
    {BUILT("{interval: [5]}"), 1, 43, "unknown key `interval` in a hierarchy",
     "did you mean `intervals`?"},
    {BUILT("{mask: right, date: [year]}"), 1, 56, "`date` cannot stand beside `mask`", "one way"},
    {BUILT("{mask: right, origin: 3}"), 1, 56,
     "unknown key `origin` in a hierarchy built by `mask`", "allowed: mask"},
    {BUILT("{mask: up}"), 1, 49, "`mask` cannot be `up`", "right or left"},
    {BUILT("{intervals: 5}"), 1, 54, "`intervals` must be a list", "[5, 10, 20]"},
    {BUILT("{intervals: []}"), 1, 54, "`intervals` is an empty list", "[5, 10, 20]"},
    {BUILT("{intervals: [5, ten]}"), 1, 58, "`ten` is not a number", ""},
    {BUILT("{intervals: [0]}"), 1, 54, "not positive", ""},
    {BUILT("{intervals: [5, 12]}"), 1, 54, "12 is not a larger multiple", "multiple"},
    {BUILT("{intervals: [5], origin: x}"), 1, 67, "`origin`: `x` is not a number", ""},
    {BUILT("{intervals: [5], closed: both}"), 1, 67, "`closed` cannot be `both`", "right or left"},
    {BUILT("{date: [month, yaer]}"), 1, 57, "`date` cannot be `yaer`", "did you mean `year`?"},
    {BUILT("{date: [year, month]}"), 1, 49, "month", "order"},
    {BUILT("{date: [week, month]}"), 1, 49, "week", "alone"},
    {BUILT("{order: [1]}"), 1, 51, "at least 2", ""},
    {BUILT("{breaks: [5, 12, 12.0]}"), 1, 51, "the break 12 is not above the break 12",
     "ascending"},
    {BUILT("{breaks: 5}"), 1, 51, "`breaks` must be a list of numbers", "breaks: [5, 10]"},
    {BUILT("{breaks: [a]}"), 1, 52, "`a` is not a number", "digits"},
    {BUILT("{breaks: [5], missing: first}"), 1, 65, "`missing` cannot be `first`", "apart or last"},
    {BUILT("{rows: [[a, b]], missing: '*'}"), 1, 49, "a label other than `*`", ""},
    {BUILT("{order: [2, 3]}"), 1, 50, "3 is not a larger multiple", "multiple"},
    {BUILT("{order: [2], values: [a, a, b], x: y}"), 1, 74, "unknown key `x`", "order or values"},
    {BUILT("{rare: few}"), 1, 49, "`rare` cannot be `few`", "1%"},
    {BUILT("{rare: 0}"), 1, 49, "threshold above zero", "1%"},
    {BUILT("{rare: 1%, label: '*'}"), 1, 49, "label", ""},
    {BUILT("{rows: [[a, b], c]}"), 1, 58, "`rows` must be a list", "[[red, warm]"},
    {BUILT("{rows: [[]]}"), 1, 50, "`rows` is an empty list", ""},
    {BUILT("{rows: [[a, [b]]]}"), 1, 54, "not a list", ""},
    {BUILT("{rows: [[a, b, c], [d, b, e]]}"), 1, 49, "hierarchy", ""},
};

static void finds_every_mistake(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const mistake *const m = &mistakes[i];
        pv_plan *plan = NULL;
        pv_error error = {0};
        const pv_status status = pv_plan_parse(NAME, m->text, strlen(m->text), &plan, &error);
        if (status != PV_STATUS_INPUT || error.status != PV_STATUS_INPUT || plan != NULL ||
            strcmp(error.file, NAME) != 0 || error.line != m->line || error.column != m->column ||
            strstr(error.message, m->message) == NULL || strstr(error.hint, m->hint) == NULL) {
            fail_msg("%s\n  gave status %d, %s:%u:%u: %s (%s)", m->text, (int)status, error.file,
                     (unsigned)error.line, (unsigned)error.column, error.message, error.hint);
        }
        /* without an error to fill the status is the same */
        assert_int_equal(pv_plan_parse(NAME, m->text, strlen(m->text), &plan, NULL), status);
    }
}

/* All of them at once, with their lines; for keys of any role, since none is decided yet. */
static void lists_open_questions(void **state)
{
    (void)state;
    pv_error error = {0};
    pv_plan *plan = parse("attributes:\n"
                          "  age: {role: quasi}\n"
                          "  glucose: {role: \"?\", hierarchy: {intervals: [5]}, distance: equal}\n"
                          "  site:\n"
                          "    role: '?'\n");
    assert_int_equal(plan->attributes[1].role, PV_ROLE_UNDECIDED);
    assert_string_equal(pv_role_name(PV_ROLE_UNDECIDED), "?");
    assert_int_equal(pv_plan_check_answered(plan, &error), PV_STATUS_INPUT);
    assert_string_equal(error.file, NAME);
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.message, "2 open questions"));
    assert_non_null(strstr(error.message, "line 3: `glucose`\n  line 4: `site`"));
    assert_non_null(strstr(error.hint, "identifier"));
    assert_int_equal(pv_plan_check_answered(plan, NULL), PV_STATUS_INPUT);
    pv_plan_free(plan);
    plan = parse("attributes: {age: {role: quasi}}\n");
    assert_int_equal(pv_plan_check_answered(plan, &error), PV_STATUS_OK);
    pv_plan_free(plan);
}

static void counts_questions_that_do_not_fit(void **state)
{
    (void)state;
    enum { N = 500 };
    char text[N * 40];
    pv_error error = {0};
    size_t used = (size_t)sprintf(text, "attributes:\n");
    for (int i = 0; i < N; i++) {
        used += (size_t)sprintf(text + used, "  question%d: {role: '?'}\n", i);
    }
    pv_plan *const plan = parse(text);
    assert_int_equal(pv_plan_check_answered(plan, &error), PV_STATUS_INPUT);
    assert_non_null(strstr(error.message, "500 open questions"));
    const char *const more = strstr(error.message, "\n  and ");
    assert_non_null(more);
    size_t listed = 0;
    for (const char *at = error.message; (at = strstr(at, "\n  line ")) != NULL; at++) {
        listed++;
    }
    unsigned left = 0;
    assert_int_equal(sscanf(more, "\n  and %u more", &left), 1);
    assert_int_equal(listed + left, N);
    pv_plan_free(plan);
}

static void limits_the_depth(void **state)
{
    (void)state;
    char text[400] = "missing: ";
    for (size_t i = 0; i < 70; i++) {
        strcat(text, "[");
    }
    pv_plan *plan = NULL;
    pv_error error = {0};
    assert_int_equal(pv_plan_parse(NAME, text, strlen(text), &plan, &error), PV_STATUS_INPUT);
    assert_non_null(strstr(error.message, "nested too deeply"));
    assert_int_equal(error.column, strlen("missing: ") + 64);
}

static void limits_the_levels_of_rows(void **state)
{
    (void)state;
    char text[2000] = "attributes: {a: {role: quasi, hierarchy: {rows: [[v";
    for (size_t i = 0; i < PV_MAX_HEIGHT + 1; i++) {
        strcat(text, ",g");
    }
    strcat(text, "]]}}}");
    pv_plan *plan = NULL;
    pv_error error = {0};
    assert_int_equal(pv_plan_parse(NAME, text, strlen(text), &plan, &error), PV_STATUS_INPUT);
    assert_non_null(strstr(error.message, "levels"));
}

/* ------------------------------------------------------------------ files */

static void write_file(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void reads_hierarchy_files_beside_the_plan(void **state)
{
    (void)state;
    write_file("test_plan_tree.csv", "a;x;*\nb;x;*\nc;y;*\n");
    write_file(
        "test_plan.yaml",
        "attributes:\n  one: {role: quasi, hierarchy: test_plan_tree.csv}\n"
        "  two: {role: quasi, hierarchy: {file: ./test_plan_tree.csv}, domain: hierarchy}\n");
    pv_plan *plan = NULL;
    assert_int_equal(pv_plan_read("test_plan.yaml", &plan, NULL), PV_STATUS_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(plan->attributes[i].hierarchy.kind, PV_HIERARCHY_ROWS);
        assert_int_equal(plan->attributes[i].hierarchy.n_rows, 3);
        assert_int_equal(plan->attributes[i].hierarchy.count_all_leaves, i == 1);
    }
    pv_plan_free(plan);
    assert_int_equal(remove("test_plan_tree.csv"), 0);
    pv_error error = {0};
    plan = NULL;
    assert_int_equal(pv_plan_read("test_plan.yaml", &plan, &error), PV_STATUS_INPUT);
    assert_null(plan);
    assert_non_null(strstr(error.file, "test_plan_tree.csv"));
    assert_non_null(strstr(error.message, "hierarchy of `one`: cannot open"));
    assert_int_equal(remove("test_plan.yaml"), 0);
}

/* What is wrong with such a file is quoted; of the data nothing may be. */
static void refuses_the_data_as_a_file_about_values(void **state)
{
    static const char *const plans[] = {
        "data: test_plan_data.csv\nattributes: {a: {role: quasi, hierarchy: test_plan_data.csv}}\n",
        "attributes: {a: {role: quasi, hierarchy: {file: ./test_plan_data.csv}}}\n"
        "data: test_plan_data.csv\n",
        "data: test_plan_data.csv\nattributes: {a: {role: quasi, sensitivity: "
        "test_plan_data.csv}}\n"};
    (void)state;
    write_file("test_plan_data.csv", "name,a\nAlice,1\nAlice,\n");
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        pv_plan *plan = NULL;
        pv_error error = {0};
        assert_int_equal(pv_plan_parse("test_plan.yaml", plans[i], strlen(plans[i]), &plan, &error),
                         PV_STATUS_INPUT);
        assert_non_null(strstr(error.message, "this is the data of the plan"));
    }
    assert_int_equal(remove("test_plan_data.csv"), 0);
}

static void assert_sensitivity_file(const char *content, uint64_t line, const char *message)
{
    pv_plan *plan = NULL;
    pv_error error = {0};
    write_file("test_plan_weights.csv", content);
    write_file("test_plan.yaml",
               "attributes: {a: {role: quasi, sensitivity: ./test_plan_weights.csv}}");
    const pv_status status = pv_plan_read("test_plan.yaml", &plan, &error);
    if (message == NULL) {
        assert_int_equal(status, PV_STATUS_OK);
        assert_int_equal(plan->attributes[0].sensitivity.n_values, 3);
        assert_int_equal(plan->attributes[0].sensitivity.values[2].line, line);
        assert_string_equal(plan->attributes[0].sensitivity.values[1].value, "g;out");
    } else {
        assert_int_equal(status, PV_STATUS_INPUT);
        assert_int_equal(error.line, line);
        assert_non_null(strstr(error.file, "test_plan_weights.csv"));
        assert_non_null(strstr(error.message, "sensitivity of `a`: "));
        assert_non_null(strstr(error.message, message));
        assert_null(strstr(error.message, "secret"));
    }
    pv_plan_free(plan);
    assert_int_equal(remove("test_plan_weights.csv"), 0);
    assert_int_equal(remove("test_plan.yaml"), 0);
}

static void reads_sensitivity_files_beside_the_plan(void **state)
{
    (void)state;
    assert_sensitivity_file("flu;1\n\n\"g;out\";2.5\nNA;0\n", 4, NULL);
    assert_sensitivity_file("", 0, "names no values");
    assert_sensitivity_file("flu;1\nsecret\n", 2, "a value and a number");
    assert_sensitivity_file("flu;1\nsecret;2;3\n", 2, "a value and a number");
    assert_sensitivity_file("flu;1\nsecret;much\n", 2, "not a number");
    assert_sensitivity_file("flu;1\nsecret;-1\n", 2, "negative");
    assert_sensitivity_file("secret;1\nflu;1\nsecret;1\n", 3, "already");
    assert_sensitivity_file("flu;1\n\"secret;1\n", 2, "quote");
}

static void refuses_plans_that_cannot_be_read(void **state)
{
    (void)state;
    pv_plan *plan = NULL;
    pv_error error = {0};
    assert_int_equal(pv_plan_read("no/such/plan.yaml", &plan, &error), PV_STATUS_INPUT);
    assert_string_equal(error.file, "no/such/plan.yaml");
    assert_int_equal(pv_plan_read(".", &plan, &error), PV_STATUS_INPUT);
    assert_non_null(strstr(error.message, "folder"));
}

/* A key is looked for among very many in no time. */
static void reads_ten_thousand_attributes(void **state)
{
    (void)state;
    enum { N = 10000 };
    char *const text = test_malloc(N * 40);
    size_t used = (size_t)sprintf(text, "attributes:\n");
    for (int i = 0; i < N; i++) {
        used += (size_t)sprintf(text + used, "  column%d: {role: quasi}\n", i);
    }
    pv_plan *const plan = parse(text);
    assert_int_equal(plan->n_attributes, N);
    pv_plan_free(plan);
    test_free(text);
}

/* ------------------------------------------------------- files that are named */

static void note_file(void *ctx, const char *path)
{
    char *const list = ctx;
    (void)strcat(strcat(list, path), " ");
}

/* None of them exists: they are told, not opened. */
static void tells_the_files_it_names(void **state)
{
    static const char text[] = "data: people.csv\n"
                               "attributes:\n"
                               "  zip: {role: quasi, hierarchy: /trees/zip.csv}\n"
                               "  age: {role: quasi, hierarchy: {intervals: [5]}, sensitivity: "
                               "../ages.csv}\n";
    char list[256] = "";
    pv_error error = {0};
    (void)state;
    assert_int_equal(
        pv_plan_each_file("folder/plan.yaml", text, strlen(text), note_file, list, &error),
        PV_STATUS_OK);
    assert_string_equal(list, "folder/people.csv /trees/zip.csv folder/../ages.csv ");
    assert_int_equal(pv_plan_each_file("plan.yaml", "data: [", 7, note_file, list, &error),
                     PV_STATUS_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_top_level),
        cmocka_unit_test(reads_combinations),
        cmocka_unit_test(leaves_out_what_is_not_said),
        cmocka_unit_test(reads_missing_in_all_forms),
        cmocka_unit_test(reads_delimiters),
        cmocka_unit_test(reads_data_paths),
        cmocka_unit_test(reads_attributes),
        cmocka_unit_test(reads_built_hierarchies),
        cmocka_unit_test(reads_sensitivities),
        cmocka_unit_test(reads_sensitivity_files_beside_the_plan),
        cmocka_unit_test(applies_the_domain_wherever_it_stands),
        cmocka_unit_test(reads_a_scheme_file),
        cmocka_unit_test(finds_every_mistake),
        cmocka_unit_test(lists_open_questions),
        cmocka_unit_test(counts_questions_that_do_not_fit),
        cmocka_unit_test(limits_the_depth),
        cmocka_unit_test(limits_the_levels_of_rows),
        cmocka_unit_test(reads_hierarchy_files_beside_the_plan),
        cmocka_unit_test(refuses_the_data_as_a_file_about_values),
        cmocka_unit_test(refuses_plans_that_cannot_be_read),
        cmocka_unit_test(reads_ten_thousand_attributes),
        cmocka_unit_test(tells_the_files_it_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
