/* Hierarchies of columns: missing values, values that are `*`, uncovered values, leaves counted
 * both ways, the drawing, and specifications that stand alone. */
#include "support/hierarchy_support.h"

#include "hierarchy/hierarchy_spec.h"

static pv_hierarchy_spec rows_of(const char *text)
{
    pv_hierarchy_spec spec = {0};
    pv_error error = {0};
    if (pv_i_hierarchy_spec_parse("h.csv", text, strlen(text), &spec, &error) != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    return spec;
}

static const char *const work_file = "Fed;Gov;State;*\nLocal;Gov;State;*\nPrivate;Private;Free;*\n"
                                     "Self;Own;Free;*\nInc;Own;Free;*\nNever\n";

/* ---------------------------------------------------------------- the domain of a column */

static void test_only_what_occurs(void **state)
{
    (void)state;
    pv_hierarchy_spec spec = rows_of(work_file);
    pv_table *const table = hierarchy_table("work\nSelf\nNever\nLocal\nSelf\n");
    pv_hierarchy *const h = hierarchy_of(&spec, table, 0);
    assert_int_equal(pv_hierarchy_height(h), 3);
    assert_int_equal(pv_hierarchy_domain(h), 3);
    assert_text(h, "Local;Gov;State;*\nSelf;Own;Free;*\nNever;*;*;*\n");
    assert_leaves(h, 1, "1 1 3");
    assert_leaves(h, 3, "3");
    assert_int_equal(pv_hierarchy_leaf(h, 0), 1); /* Self was read first */
    assert_int_equal(pv_hierarchy_code(h, 0), 2);
    pv_hierarchy_free(h);
    pv_table_free(table);
    pv_hierarchy_spec_free(&spec);
}

static void test_every_leaf_counts(void **state)
{
    (void)state;
    pv_hierarchy_spec spec = rows_of(work_file);
    spec.count_all_leaves = true;
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "work\nSelf\n?\nLocal\n");
    assert_int_equal(pv_hierarchy_leaves(h), 3);
    assert_int_equal(pv_hierarchy_domain(h), 7); /* six that are named, and the missing value */
    assert_text(h, "Local;Gov;State;*\nSelf;Own;Free;*\n?;?;?;*\n");
    assert_leaves(h, 0, "1 1 1");
    assert_leaves(h, 1, "2 2 1");
    assert_leaves(h, 2, "2 3 1");
    assert_leaves(h, 3, "7");
    pv_hierarchy_free(h);
    pv_hierarchy_spec_free(&spec);
}

/* The height is that of the file, whatever occurs: levels mean the same for every table. */
static void test_height_of_the_file(void **state)
{
    (void)state;
    pv_hierarchy_spec spec = rows_of(work_file);
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "work\nNever\n");
    assert_int_equal(pv_hierarchy_height(h), 3);
    assert_text(h, "Never;*;*;*\n");
    assert_true(pv_hierarchy_is_root(h, 1, 0));
    assert_false(pv_hierarchy_is_root(h, 0, 0));
    pv_hierarchy_free(h);
    pv_hierarchy_spec_free(&spec);
}

/* ---------------------------------------------------------------- missing values and `*` */

/* The missing value follows those that reach the root last, and goes before the early ones. */
static void test_missing_in_rows(void **state)
{
    (void)state;
    pv_hierarchy_spec spec = rows_of("a;A;*\n?;A;*\nb;A;*\nc\n");
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "x\nc\n?\nb\na\n");
    assert_text(h, "a;A;*\nb;A;*\n?;?;*\nc;*;*\n");
    assert_leaves(h, 1, "2 1 4");
    assert_int_equal(pv_hierarchy_domain(h), 4);
    pv_hierarchy_free(h);
    pv_hierarchy_spec_free(&spec);
}

static void test_missing_in_every_kind(void **state)
{
    (void)state;
    pv_decimal widths[] = {{5, 0}, {10, 0}};
    uint64_t sizes[] = {2, 4};
    pv_date_unit units[] = {PV_DATE_MONTH, PV_DATE_YEAR};
    const struct {
        pv_hierarchy_spec spec;
        const char *csv, *text;
    } cases[] = {
        {{.kind = PV_HIERARCHY_SUPPRESS}, "x\nNA\nb\n", "b;*\nNA;*\n"},
        {{.kind = PV_HIERARCHY_INTERVALS, .widths = widths, .n_widths = 2},
         "x\nNA\n7\n",
         "7;5-9;0-9;*\nNA;NA;NA;*\n"},
        {{.kind = PV_HIERARCHY_BREAKS, .breaks = widths, .n_breaks = 2},
         "x\nNA\n7\n",
         "7;5-9;*\nNA;NA;*\n"},
        {{.kind = PV_HIERARCHY_MASK}, "x\nNA\nab\nabc\n", "abc;ab*;a**;*\nNA;NA;NA;*\nab;a*;*;*\n"},
        {{.kind = PV_HIERARCHY_DATE, .units = units, .n_units = 2},
         "x\nNA\n2020-02-02\n",
         "2020-02-02;2020-02;2020;*\nNA;NA;NA;*\n"},
        {{.kind = PV_HIERARCHY_ORDER, .sizes = sizes, .n_sizes = 2},
         "x\nb\nNA\na\n",
         "a;a..b;a..b;*\nb;a..b;a..b;*\nNA;NA;NA;*\n"},
        {{.kind = PV_HIERARCHY_RARE, .rare_rows = 2},
         "x\nb\nNA\na\na\n",
         "a;a;*\nb;other;*\nNA;NA;*\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_hierarchy *const h = hierarchy_of_csv(&cases[i].spec, cases[i].csv);
        assert_text(h, cases[i].text);
        pv_hierarchy_free(h);
    }
}

/* Unless the hierarchy says where it belongs. */
static void test_missing_in_a_group(void **state)
{
    (void)state;
    pv_hierarchy_spec spec = rows_of("a;A;X;*\nb;B;X;*\nc;C;Y;*\n");
    spec.missing_group = TEXT("B");
    pv_hierarchy *h = hierarchy_of_csv(&spec, "x\nc\nNA\na\nb\n");
    assert_text(h, "a;A;X;*\nb;B;X;*\nNA;B;X;*\nc;C;Y;*\n");
    assert_leaves(h, 2, "3 1");
    pv_hierarchy_free(h);
    spec.missing_group = TEXT("new");
    h = hierarchy_of_csv(&spec, "x\nNA\na\n");
    assert_text(h, "a;A;X;*\nNA;new;*;*\n");
    pv_hierarchy_free(h);
    spec.missing_group = TEXT("*");
    (void)refusal_of(&spec, "x\nNA\na\n", PV_STATUS_ARGUMENT);
    spec.missing_group = TEXT("");
    (void)refusal_of(&spec, "x\nNA\na\n", PV_STATUS_ARGUMENT);
    spec.missing_group = NULL;
    pv_hierarchy_spec_free(&spec);
}

static void test_nothing_but_missing(void **state)
{
    (void)state;
    const pv_hierarchy_spec mask = {.kind = PV_HIERARCHY_MASK};
    pv_hierarchy *const h = hierarchy_of_csv(&mask, "x\n?\n?\n");
    assert_int_equal(pv_hierarchy_height(h), 1);
    assert_text(h, "?;*\n");
    pv_hierarchy_free(h);
}

/* An empty missing value has no row in the file form: it needs none. */
static void test_empty_missing(void **state)
{
    (void)state;
    pv_hierarchy_spec spec = rows_of("a;A;*\nb;A;*\n");
    pv_table *const table = hierarchy_table("x,y\na,1\n,2\nb,3\n");
    pv_hierarchy *const h = hierarchy_of(&spec, table, 0);
    assert_int_equal(pv_hierarchy_leaves(h), 3);
    assert_string_equal(pv_hierarchy_label(h, 1, 1), "");
    assert_text(h, "a;A;*\nb;A;*\n");
    pv_hierarchy_free(h);
    pv_table_free(table);
    pv_hierarchy_spec_free(&spec);
}

/* A group must not look like the missing value once it is released. */
static void test_label_like_missing(void **state)
{
    (void)state;
    pv_hierarchy_spec spec = rows_of("a;?;*\nb;B;*\n");
    pv_hierarchy *const fine = hierarchy_of_csv(&spec, "x\na\nb\n");
    pv_hierarchy_free(fine);
    const pv_error error = refusal_of(&spec, "x\na\n?\nb\n", PV_STATUS_INPUT);
    assert_string_equal(error.message,
                        "the hierarchy of column `x`: level 1: a group has the label that stands "
                        "for a missing value in the data");
    pv_hierarchy_spec_free(&spec);
}

/* A cell that is `*` already has been suppressed before: it is the root at every level. */
static void test_star_in_the_data(void **state)
{
    (void)state;
    pv_decimal widths[] = {{5, 0}};
    const pv_hierarchy_spec spec = {
        .kind = PV_HIERARCHY_INTERVALS, .widths = widths, .n_widths = 1};
    pv_hierarchy_spec rows = rows_of("3;A\n*;*\n8\n");
    pv_hierarchy *h = hierarchy_of_csv(&spec, "x\n3\n*\n8\n?\n");
    assert_text(h, "3;[0,5);*\n8;[5,10);*\n?;?;*\n*;*;*\n");
    assert_leaves(h, 0, "1 1 1 4");
    assert_true(pv_hierarchy_is_root(h, 0, 3));
    pv_hierarchy_free(h);
    h = hierarchy_of_csv(&rows, "x\n3\n*\n8\n?\n");
    assert_text(h, "3;A;*\n?;?;*\n8;*;*\n*;*;*\n");
    pv_hierarchy_free(h);
    pv_hierarchy_spec_free(&rows);
}

/* Some write `*` for a missing value; in a release it cannot be told from the root. */
static void test_star_for_missing(void **state)
{
    (void)state;
    const char *const spellings[] = {"*", NULL};
    const pv_read_options options = {
        .delimiter = ',', .header = PV_CHOICE_YES, .missing = spellings};
    const pv_hierarchy_spec mask = {.kind = PV_HIERARCHY_MASK};
    const char *const csv = "x\nab\n*\ncd\n";
    pv_table *table = NULL;
    assert_int_equal(
        pv_table_read_memory("data.csv", csv, strlen(csv), &options, NULL, &table, NULL),
        PV_STATUS_OK);
    assert_int_equal(pv_table_missing(table, 0), 1);
    pv_hierarchy *const h = hierarchy_of(&mask, table, 0);
    assert_text(h, "ab;a*;*\ncd;c*;*\n*;*;*\n");
    pv_hierarchy_free(h);
    pv_table_free(table);
}

/* ---------------------------------------------------------------- uncovered values */

static void test_uncovered_values(void **state)
{
    (void)state;
    pv_hierarchy_spec spec = rows_of("a;A;*\nb;A;*\n");
    const pv_error error = refusal_of(&spec, "x\na\nzoe\nb\nadam\nzoe\n", PV_STATUS_INPUT);
    assert_string_equal(error.message, "the hierarchy of column `x`: 2 problems:\n"
                                       "  line 3: the value is not in the hierarchy (2 rows)\n"
                                       "  line 5: the value is not in the hierarchy (1 row)");
    assert_string_equal(error.file, "data.csv");
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.hint, "h.csv"));
    pv_hierarchy_spec_free(&spec);
}

static void test_many_uncovered_values(void **state)
{
    (void)state;
    char csv[1024] = "x\n";
    size_t at = 2;
    for (int i = 0; i < 60; i++) {
        at += (size_t)snprintf(csv + at, sizeof csv - at, "person%02d\n", i);
    }
    pv_hierarchy_spec spec = rows_of("a;A;*\n");
    const pv_error error = refusal_of(&spec, csv, PV_STATUS_INPUT);
    assert_non_null(strstr(error.message, "60 problems:\n  line 2: "));
    assert_non_null(strstr(error.message, "\n  line 21: "));
    assert_null(strstr(error.message, "\n  line 22: "));
    assert_non_null(strstr(error.message, "\n  ... and 40 more"));
    assert_null(strstr(error.message, "person"));
    pv_hierarchy_spec_free(&spec);
}

/* Rows from a plan were not checked before: their problems join those of the data. */
static void test_problems_of_rows_and_data(void **state)
{
    (void)state;
    char *first[] = {TEXT("a"), TEXT("X"), TEXT("U"), NULL};
    char *second[] = {TEXT("b"), TEXT("X"), TEXT("V"), NULL};
    char **rows[] = {first, second};
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_ROWS, .rows = rows, .n_rows = 2};
    const pv_error error = refusal_of(&spec, "x\na\nsecret\nb\n", PV_STATUS_INPUT);
    assert_string_equal(
        error.message, "the hierarchy of column `x`: 2 problems:\n"
                       "  hierarchy row 2: \"X\" at level 1 is under \"V\" here but under \"U\" in "
                       "hierarchy row 1\n"
                       "  line 3: the value is not in the hierarchy (1 row)");
    assert_int_equal(error.line, 3);
    assert_true(error.hint[0] != '\0');
}

static void test_no_such_column(void **state)
{
    (void)state;
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_SUPPRESS};
    pv_table *const table = hierarchy_table("x\na\n");
    pv_hierarchy *h = NULL;
    assert_int_equal(pv_hierarchy_build(&spec, table, 1, &h, NULL), PV_STATUS_ARGUMENT);
    pv_table_free(table);
}

/* ---------------------------------------------------------------- drawing */

static void assert_drawing(const pv_hierarchy *h, size_t max_leaves, const char *expected)
{
    char *text = NULL;
    assert_int_equal(pv_hierarchy_tree(h, max_leaves, &text, NULL), PV_STATUS_OK);
    assert_string_equal(text, expected);
    pv_string_free(text);
}

static void test_drawing(void **state)
{
    (void)state;
    pv_hierarchy_spec spec = rows_of(work_file);
    pv_hierarchy *h = NULL;
    assert_int_equal(pv_hierarchy_build_standalone(&spec, &h, NULL), PV_STATUS_OK);
    assert_drawing(h, 0,
                   "* (6 values)\n"
                   "├── State ── Gov (2)\n"
                   "│   ├── Fed\n"
                   "│   └── Local\n"
                   "├── Free (3)\n"
                   "│   ├── Private\n"
                   "│   └── Own (2)\n"
                   "│       ├── Self\n"
                   "│       └── Inc\n"
                   "└── Never\n");
    assert_drawing(h, 4,
                   "* (6 values)\n"
                   "├── State ── Gov (2)\n"
                   "│   ├── Fed\n"
                   "│   └── Local\n"
                   "├── Free (3)\n"
                   "│   ├── Private\n"
                   "│   └── Own (2)\n"
                   "│       └── Self\n"
                   "└── ... 2 more\n");
    assert_drawing(h, 2,
                   "* (6 values)\n"
                   "├── State ── Gov (2)\n"
                   "│   ├── Fed\n"
                   "│   └── Local\n"
                   "└── ... 4 more\n");
    assert_drawing(h, 6,
                   "* (6 values)\n"
                   "├── State ── Gov (2)\n"
                   "│   ├── Fed\n"
                   "│   └── Local\n"
                   "├── Free (3)\n"
                   "│   ├── Private\n"
                   "│   └── Own (2)\n"
                   "│       ├── Self\n"
                   "│       └── Inc\n"
                   "└── Never\n");
    pv_hierarchy_free(h);
    pv_hierarchy_spec_free(&spec);
}

static void test_drawing_of_special_values(void **state)
{
    (void)state;
    const pv_hierarchy_spec mask = {.kind = PV_HIERARCHY_MASK};
    pv_hierarchy *h = hierarchy_of_csv(&mask, "x\n123\n124\n?\n9\n*\n");
    assert_drawing(h, 0,
                   "* (5 values)\n"
                   "├── 1** ── 12* (2)\n"
                   "│   ├── 123\n"
                   "│   └── 124\n"
                   "├── ?\n"
                   "├── 9\n"
                   "└── *\n");
    pv_hierarchy_free(h);
    h = hierarchy_of_csv(&mask, "x\n12\n");
    assert_drawing(h, 0, "* (1 value)\n└── 1* ── 12\n");
    pv_hierarchy_free(h);
}

/* ---------------------------------------------------------------- specifications */

static void test_copy(void **state)
{
    (void)state;
    pv_hierarchy_spec rows = rows_of(work_file);
    pv_hierarchy_spec copy = {0};
    assert_int_equal(pv_i_hierarchy_spec_copy(&rows, &copy, NULL), PV_STATUS_OK);
    pv_hierarchy_spec_free(&rows);
    assert_null(rows.rows);
    assert_string_equal(copy.file, "h.csv");
    assert_int_equal(copy.n_rows, 6);
    assert_int_equal(copy.lines[5], 6);
    pv_hierarchy *h = NULL;
    assert_int_equal(pv_hierarchy_build_standalone(&copy, &h, NULL), PV_STATUS_OK);
    assert_int_equal(pv_hierarchy_leaves(h), 6);
    pv_hierarchy_free(h);
    pv_hierarchy_spec_free(&copy);

    pv_decimal widths[] = {{5, 0}, {10, 0}};
    const pv_hierarchy_spec intervals = {.kind = PV_HIERARCHY_INTERVALS,
                                         .widths = widths,
                                         .n_widths = 2,
                                         .origin = {3, 1},
                                         .closed_right = true};
    assert_int_equal(pv_i_hierarchy_spec_copy(&intervals, &copy, NULL), PV_STATUS_OK);
    assert_true(copy.widths != widths && copy.n_widths == 2 && copy.closed_right);
    assert_int_equal(copy.widths[1].mantissa, 10);
    assert_int_equal(copy.origin.mantissa, 3);
    pv_hierarchy_spec_free(&copy);
}

static pv_hierarchy_spec resolved(const pv_hierarchy_spec *spec, const char *csv)
{
    pv_hierarchy_spec result = {0};
    pv_table *const table = hierarchy_table(csv);
    assert_int_equal(pv_i_hierarchy_spec_resolve(spec, table, 0, &result, NULL), PV_STATUS_OK);
    pv_table_free(table);
    return result;
}

/* A resolved specification treats other tables like the one it was made for. */
static void test_resolve(void **state)
{
    (void)state;
    uint64_t sizes[] = {2};
    const pv_hierarchy_spec order = {.kind = PV_HIERARCHY_ORDER, .sizes = sizes, .n_sizes = 1};
    pv_hierarchy_spec fixed = resolved(&order, "n\n10\n9\n?\n8\n");
    assert_int_equal(fixed.n_values, 3);
    assert_string_equal(fixed.values[0], "8");
    pv_hierarchy *h = hierarchy_of_csv(&fixed, "n\n10\n9\n");
    assert_text(h, "9;8..9;*\n10;10;*\n");
    pv_hierarchy_free(h);
    pv_hierarchy_spec_free(&fixed);

    const pv_hierarchy_spec rare = {.kind = PV_HIERARCHY_RARE, .rare_rows = 2};
    fixed = resolved(&rare, "c\na\na\nb\n?\n?\n");
    assert_int_equal(fixed.n_values, 1);
    assert_string_equal(fixed.values[0], "a");
    h = hierarchy_of_csv(&fixed, "c\na\nb\nb\nnew\n");
    assert_text(h, "a;a;*\nb;other;*\nnew;other;*\n");
    pv_hierarchy_free(h);
    pv_hierarchy_spec_free(&fixed);

    fixed = resolved(&rare, "c\na\nb\n");
    assert_non_null(fixed.values);
    assert_int_equal(fixed.n_values, 0);
    h = hierarchy_of_csv(&fixed, "c\na\na\na\n");
    assert_text(h, "a;other;*\n");
    pv_hierarchy_free(h);
    pv_hierarchy_spec_free(&fixed);

    const pv_hierarchy_spec mask = {.kind = PV_HIERARCHY_MASK, .mask_left = true};
    fixed = resolved(&mask, "c\na\nb\n");
    assert_null(fixed.values);
    assert_true(fixed.mask_left);
    pv_hierarchy_spec_free(&fixed);
}

static void test_check(void **state)
{
    (void)state;
    char *row[] = {TEXT("a"), TEXT(""), TEXT("U"), NULL};
    char **rows[] = {row};
    const pv_hierarchy_spec broken = {.kind = PV_HIERARCHY_ROWS, .rows = rows, .n_rows = 1};
    const pv_hierarchy_spec empty = {.kind = PV_HIERARCHY_INTERVALS};
    const pv_hierarchy_spec mask = {.kind = PV_HIERARCHY_MASK};
    pv_hierarchy_spec fine = rows_of(work_file);
    assert_int_equal(pv_i_hierarchy_spec_check(&broken, NULL), PV_STATUS_INPUT);
    assert_int_equal(pv_i_hierarchy_spec_check(&empty, NULL), PV_STATUS_ARGUMENT);
    assert_int_equal(pv_i_hierarchy_spec_check(&mask, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_hierarchy_spec_check(&fine, NULL), PV_STATUS_OK);
    pv_hierarchy_spec_free(&fine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_what_occurs),
        cmocka_unit_test(test_every_leaf_counts),
        cmocka_unit_test(test_height_of_the_file),
        cmocka_unit_test(test_missing_in_rows),
        cmocka_unit_test(test_missing_in_every_kind),
        cmocka_unit_test(test_missing_in_a_group),
        cmocka_unit_test(test_nothing_but_missing),
        cmocka_unit_test(test_empty_missing),
        cmocka_unit_test(test_label_like_missing),
        cmocka_unit_test(test_star_in_the_data),
        cmocka_unit_test(test_star_for_missing),
        cmocka_unit_test(test_uncovered_values),
        cmocka_unit_test(test_many_uncovered_values),
        cmocka_unit_test(test_problems_of_rows_and_data),
        cmocka_unit_test(test_no_such_column),
        cmocka_unit_test(test_drawing),
        cmocka_unit_test(test_drawing_of_special_values),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_resolve),
        cmocka_unit_test(test_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
