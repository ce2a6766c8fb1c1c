/* Every builder with exact labels, and what it refuses. */
#include "support/hierarchy_support.h"

/* ---------------------------------------------------------------- suppression */

static void test_suppress(void **state)
{
    (void)state;
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_SUPPRESS};
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "sex\nmale\nfemale\nmale\n");
    assert_int_equal(pv_hierarchy_height(h), 1);
    assert_text(h, "female;*\nmale;*\n");
    assert_leaves(h, 1, "2");
    pv_hierarchy_free(h);
}

/* ---------------------------------------------------------------- intervals */

static pv_hierarchy_spec intervals(pv_decimal *widths, size_t n)
{
    return (pv_hierarchy_spec){.kind = PV_HIERARCHY_INTERVALS, .widths = widths, .n_widths = n};
}

static void test_intervals_of_integers(void **state)
{
    (void)state;
    pv_decimal widths[] = {{1, 0}, {5, 0}, {10, 0}, {40, 0}};
    const pv_hierarchy_spec spec = intervals(widths, 4);
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "age\n41\n9\n10\n39\n4\n41\n5\n");
    assert_text(h, "4;4;0-4;0-9;0-39;*\n"
                   "5;5;5-9;0-9;0-39;*\n"
                   "9;9;5-9;0-9;0-39;*\n"
                   "10;10;10-14;10-19;0-39;*\n"
                   "39;39;35-39;30-39;0-39;*\n"
                   "41;41;40-44;40-49;40-79;*\n");
    assert_leaves(h, 4, "5 1");
    pv_hierarchy_free(h);
}

static void test_intervals_below_zero(void **state)
{
    (void)state;
    pv_decimal widths[] = {{1, 0}, {5, 0}};
    const pv_hierarchy_spec spec = intervals(widths, 2);
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "t\n-1\n-5\n-6\n0\n");
    assert_text(h, "-6;-6;[-10,-5);*\n-5;-5;[-5,0);*\n-1;-1;[-5,0);*\n0;0;0-4;*\n");
    pv_hierarchy_free(h);
}

static void test_intervals_of_decimals(void **state)
{
    (void)state;
    pv_decimal widths[] = {{25, 2}, {1, 0}};
    const pv_hierarchy_spec spec = intervals(widths, 2);
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "x\n0.3\n0.75\n-0.1\n0.250\n0.25\n");
    assert_text(h, "-0.1;[-0.25,0);[-1,0);*\n"
                   "0.25;[0.25,0.5);[0,1);*\n"
                   "0.250;[0.25,0.5);[0,1);*\n"
                   "0.3;[0.25,0.5);[0,1);*\n"
                   "0.75;[0.75,1);[0,1);*\n");
    pv_hierarchy_free(h);
}

static void test_intervals_closed_right_with_origin(void **state)
{
    (void)state;
    pv_decimal widths[] = {{10, 0}, {20, 0}};
    pv_hierarchy_spec spec = intervals(widths, 2);
    spec.closed_right = true;
    spec.origin = (pv_decimal){15, 0};
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "age\n15\n16\n25\n26\n35\n36\n");
    assert_text(h, "15;(5,15];(-5,15];*\n"
                   "16;(15,25];(15,35];*\n"
                   "25;(15,25];(15,35];*\n"
                   "26;(25,35];(15,35];*\n"
                   "35;(25,35];(15,35];*\n"
                   "36;(35,45];(35,55];*\n");
    pv_hierarchy_free(h);
}

/* The ends of what a decimal can hold must not overflow. */
static void test_intervals_of_extremes(void **state)
{
    (void)state;
    pv_decimal widths[] = {{INT64_MAX, 0}};
    pv_hierarchy_spec spec = intervals(widths, 1);
    spec.origin = (pv_decimal){1, 0};
    pv_hierarchy *const h = hierarchy_of_csv(
        &spec, "x\n9223372036854775807\n-9223372036854775807\n0.000000000000000001\n");
    assert_level(h, 1,
                 "[-18446744073709551613,-9223372036854775806) [-9223372036854775806,1) "
                 "[1,9223372036854775808)");
    pv_hierarchy_free(h);
}

static void test_intervals_refuse_texts_by_line(void **state)
{
    (void)state;
    pv_decimal widths[] = {{5, 0}};
    const pv_hierarchy_spec spec = intervals(widths, 1);
    const pv_error error = refusal_of(&spec, "age\n12\nzebra\n13\napple\nzebra\n", PV_STATUS_INPUT);
    assert_string_equal(error.file, "data.csv");
    assert_int_equal(error.line, 3);
    assert_string_equal(error.message, "the hierarchy of column `age`: 2 problems:\n"
                                       "  line 3: the value is not a number (2 rows)\n"
                                       "  line 5: the value is not a number (1 row)");
    assert_true(error.hint[0] != '\0');
}

static void test_intervals_refuse_widths(void **state)
{
    (void)state;
    pv_decimal uneven[] = {{5, 0}, {12, 0}};
    pv_decimal falling[] = {{10, 0}, {5, 0}};
    pv_decimal same[] = {{10, 0}, {10, 0}};
    pv_decimal zero[] = {{0, 0}};
    pv_decimal negative[] = {{-5, 0}};
    const pv_hierarchy_spec specs[] = {intervals(uneven, 2),   intervals(falling, 2),
                                       intervals(same, 2),     intervals(zero, 1),
                                       intervals(negative, 1), intervals(NULL, 0)};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        (void)refusal_of(&specs[i], "age\n12\n", PV_STATUS_ARGUMENT);
    }
    const pv_error error = refusal_of(&specs[0], "age\n12\n", PV_STATUS_ARGUMENT);
    assert_string_equal(error.message,
                        "the interval width 12 is not a larger multiple of the width 5 before it");
}

/* ---------------------------------------------------------------- masks */

static void test_mask_right(void **state)
{
    (void)state;
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_MASK};
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "zip\n13053\n13268\n13052\n");
    assert_int_equal(pv_hierarchy_height(h), 5);
    assert_text(h, "13052;1305*;130**;13***;1****;*\n"
                   "13053;1305*;130**;13***;1****;*\n"
                   "13268;1326*;132**;13***;1****;*\n");
    pv_hierarchy_free(h);
}

static void test_mask_left(void **state)
{
    (void)state;
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_MASK, .mask_left = true};
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "x\nab1\ncb2\nab2\n");
    assert_text(h, "ab1;*b1;**1;*\nab2;*b2;**2;*\ncb2;*b2;**2;*\n");
    pv_hierarchy_free(h);
}

/* Shorter values reach the root first, and come last. */
static void test_mask_of_different_lengths(void **state)
{
    (void)state;
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_MASK};
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "x\na\nabc\nabd\nab\n");
    assert_text(h, "abc;ab*;a**;*\nabd;ab*;a**;*\nab;a*;*;*\na;*;*;*\n");
    assert_leaves(h, 1, "2 1 4");
    assert_leaves(h, 2, "2 4");
    pv_hierarchy_free(h);
}

static void test_mask_counts_characters(void **state)
{
    (void)state;
    const pv_hierarchy_spec right = {.kind = PV_HIERARCHY_MASK};
    const pv_hierarchy_spec left = {.kind = PV_HIERARCHY_MASK, .mask_left = true};
    const char *const csv = "x\naéß\n\xff\xe2\x82z\n";
    pv_hierarchy *h = hierarchy_of_csv(&right, csv);
    assert_int_equal(pv_hierarchy_height(h), 4); /* bytes that are no characters count one by one */
    assert_text(h, "\xff\xe2\x82z;\xff\xe2\x82*;\xff\xe2**;\xff***;*\naéß;aé*;a**;*;*\n");
    pv_hierarchy_free(h);
    h = hierarchy_of_csv(&left, csv);
    assert_text(h, "\xff\xe2\x82z;*\xe2\x82z;**\x82z;***z;*\naéß;*éß;**ß;*;*\n");
    pv_hierarchy_free(h);
}

static void test_mask_refuses_long_values(void **state)
{
    (void)state;
    char csv[600] = "x\nok\n";
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_MASK};
    memset(csv + 5, 'a', PV_MAX_HEIGHT);
    pv_hierarchy *const h = hierarchy_of_csv(&spec, csv);
    assert_int_equal(pv_hierarchy_height(h), PV_MAX_HEIGHT);
    pv_hierarchy_free(h);
    csv[5 + PV_MAX_HEIGHT] = 'a';
    const pv_error error = refusal_of(&spec, csv, PV_STATUS_INPUT);
    assert_int_equal(error.line, 3);
}

/* ---------------------------------------------------------------- dates */

static void test_dates(void **state)
{
    (void)state;
    pv_date_unit units[] = {PV_DATE_MONTH,   PV_DATE_QUARTER, PV_DATE_YEAR,
                            PV_DATE_LUSTRUM, PV_DATE_DECADE,  PV_DATE_CENTURY};
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_DATE, .units = units, .n_units = 6};
    pv_hierarchy *const h =
        hierarchy_of_csv(&spec, "day\n2020-05-17\n1999-12-31\n2004-02-29\n2020-04-01\n");
    assert_text(h, "1999-12-31;1999-12;1999-Q4;1999;1995-1999;1990s;1900-1999;*\n"
                   "2004-02-29;2004-02;2004-Q1;2004;2000-2004;2000s;2000-2099;*\n"
                   "2020-04-01;2020-04;2020-Q2;2020;2020-2024;2020s;2000-2099;*\n"
                   "2020-05-17;2020-05;2020-Q2;2020;2020-2024;2020s;2000-2099;*\n");
    pv_hierarchy_free(h);
}

/* ISO weeks at the turn of the year, also before 1970. */
static void test_weeks(void **state)
{
    (void)state;
    pv_date_unit week[] = {PV_DATE_WEEK};
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_DATE, .units = week, .n_units = 1};
    pv_hierarchy *const h = hierarchy_of_csv(
        &spec, "day\n2021-01-03\n2021-01-04\n2019-12-30\n2020-12-31\n1970-01-01\n1969-12-28\n");
    assert_text(h, "1969-12-28;1969-W52;*\n1970-01-01;1970-W01;*\n2019-12-30;2020-W01;*\n"
                   "2020-12-31;2020-W53;*\n2021-01-03;2020-W53;*\n2021-01-04;2021-W01;*\n");
    pv_hierarchy_free(h);
}

/* Different spellings of one day meet at level 1. */
static void test_dates_by_day_not_by_spelling(void **state)
{
    (void)state;
    pv_date_unit units[] = {PV_DATE_YEAR};
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_DATE, .units = units, .n_units = 1};
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "day\n31.12.2001\n2000-01-01\n2001/01/01\n");
    assert_text(h, "2000-01-01;2000;*\n2001/01/01;2001;*\n31.12.2001;2001;*\n");
    pv_hierarchy_free(h);
}

static void test_dates_refuse(void **state)
{
    (void)state;
    pv_date_unit week_first[] = {PV_DATE_WEEK, PV_DATE_YEAR};
    pv_date_unit falling[] = {PV_DATE_YEAR, PV_DATE_MONTH};
    pv_date_unit month[] = {PV_DATE_MONTH};
    const pv_hierarchy_spec weeks = {.kind = PV_HIERARCHY_DATE, .units = week_first, .n_units = 2};
    const pv_hierarchy_spec order = {.kind = PV_HIERARCHY_DATE, .units = falling, .n_units = 2};
    const pv_hierarchy_spec none = {.kind = PV_HIERARCHY_DATE};
    const pv_hierarchy_spec fine = {.kind = PV_HIERARCHY_DATE, .units = month, .n_units = 1};
    const char *const csv = "day\n2020-05-17\n";
    (void)refusal_of(&weeks, csv, PV_STATUS_ARGUMENT);
    (void)refusal_of(&order, csv, PV_STATUS_ARGUMENT);
    (void)refusal_of(&none, csv, PV_STATUS_ARGUMENT);
    const pv_error error = refusal_of(&fine, "day\n2020-05-17\n2021-02-29\n", PV_STATUS_INPUT);
    assert_int_equal(error.line, 3);
    assert_string_equal(error.message,
                        "the hierarchy of column `day`: the value is not a date (1 row)");
}

/* ---------------------------------------------------------------- order */

static void test_order_listed(void **state)
{
    (void)state;
    uint64_t sizes[] = {2, 4};
    char *values[] = {TEXT("none"), TEXT("low"), TEXT("mid"), TEXT("high"), TEXT("top")};
    const pv_hierarchy_spec spec = {
        .kind = PV_HIERARCHY_ORDER, .sizes = sizes, .n_sizes = 2, .values = values, .n_values = 5};
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "level\ntop\nlow\nmid\nnone\nlow\n");
    assert_text(h, "none;none..low;none..high;*\nlow;none..low;none..high;*\n"
                   "mid;mid..high;none..high;*\ntop;top;top;*\n");
    assert_leaves(h, 1, "2 1 1");
    pv_hierarchy_free(h);
}

/* What the order lists but the column does not have is a leaf, too, if all count; `*` and the
 * missing value have their own places. */
static void test_order_counts_what_it_lists(void **state)
{
    (void)state;
    uint64_t sizes[] = {2, 4};
    char *values[] = {TEXT("none"), TEXT("low"), TEXT("mid"), TEXT("high"),
                      TEXT("top"),  TEXT("*"),   TEXT("?")};
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_ORDER,
                                    .count_all_leaves = true,
                                    .sizes = sizes,
                                    .n_sizes = 2,
                                    .values = values,
                                    .n_values = 7};
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "level\ntop\n?\nnone\n");
    assert_text(h, "none;none..low;none..high;*\ntop;top..*;top..?;*\n?;?;?;*\n");
    assert_int_equal(pv_hierarchy_domain(h), 6); /* five values and the missing one */
    assert_leaves(h, 1, "2 1 1");
    assert_leaves(h, 2, "4 1 1");
    pv_hierarchy_free(h);
}

/* The same of the values that are kept apart by name. */
static void test_rare_counts_what_it_keeps(void **state)
{
    (void)state;
    char *values[] = {TEXT("a"), TEXT("b"), TEXT("c")};
    const pv_hierarchy_spec spec = {
        .kind = PV_HIERARCHY_RARE, .count_all_leaves = true, .values = values, .n_values = 3};
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "x\na\nd\ne\n");
    assert_text(h, "a;a;*\nd;other;*\ne;other;*\n");
    assert_int_equal(pv_hierarchy_domain(h), 5);
    assert_leaves(h, 1, "1 2");
    pv_hierarchy_free(h);
}

static void test_order_natural(void **state)
{
    (void)state;
    uint64_t sizes[] = {3};
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_ORDER, .sizes = sizes, .n_sizes = 1};
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "n\n10\n9\n8\n100\n");
    assert_text(h, "8;8..10;*\n9;8..10;*\n10;8..10;*\n100;100;*\n");
    pv_hierarchy_free(h);
}

static void test_order_refuses(void **state)
{
    (void)state;
    uint64_t one[] = {1}, uneven[] = {2, 3}, two[] = {2};
    char *values[] = {TEXT("a"), TEXT("b")};
    char *twice[] = {TEXT("a"), TEXT("b"), TEXT("a")};
    const pv_hierarchy_spec bad[] = {
        {.kind = PV_HIERARCHY_ORDER, .sizes = one, .n_sizes = 1},
        {.kind = PV_HIERARCHY_ORDER, .sizes = uneven, .n_sizes = 2},
        {.kind = PV_HIERARCHY_ORDER},
        {.kind = PV_HIERARCHY_ORDER, .sizes = two, .n_sizes = 1, .values = twice, .n_values = 3}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        (void)refusal_of(&bad[i], "x\na\nb\n", PV_STATUS_ARGUMENT);
    }
    const pv_hierarchy_spec spec = {
        .kind = PV_HIERARCHY_ORDER, .sizes = two, .n_sizes = 1, .values = values, .n_values = 2};
    const pv_error error = refusal_of(&spec, "x\na\nsecret\nb\n", PV_STATUS_INPUT);
    assert_int_equal(error.line, 3);
    assert_null(strstr(error.message, "secret"));
}

/* Two groups whose made-up labels would coincide are told apart. */
static void test_order_with_colliding_labels(void **state)
{
    (void)state;
    uint64_t sizes[] = {2, 4};
    char *values[] = {TEXT("a"),    TEXT("b..c"), TEXT("x"), TEXT("y"),
                      TEXT("a..b"), TEXT("c"),    TEXT("z"), TEXT("w")};
    const pv_hierarchy_spec spec = {
        .kind = PV_HIERARCHY_ORDER, .sizes = sizes, .n_sizes = 2, .values = values, .n_values = 8};
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "v\na\nb..c\nx\ny\na..b\nc\nz\nw\n");
    assert_text(h, "a;a..b..c;a..y;*\nb..c;a..b..c;a..y;*\nx;x..y;a..y;*\ny;x..y;a..y;*\n"
                   "a..b;a..b..c (2);a..b..w;*\nc;a..b..c (2);a..b..w;*\n"
                   "z;z..w;a..b..w;*\nw;z..w;a..b..w;*\n");
    pv_hierarchy_free(h);
}

/* ---------------------------------------------------------------- rare values */

static void test_rare_by_rows(void **state)
{
    (void)state;
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_RARE, .rare_rows = 2};
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "c\nDE\nAT\nDE\nLI\nMC\nFR\nFR\n");
    assert_text(h, "DE;DE;*\nFR;FR;*\nAT;other;*\nLI;other;*\nMC;other;*\n");
    assert_leaves(h, 1, "1 1 3");
    pv_hierarchy_free(h);
}

/* Exactly the share is not rare. */
static void test_rare_by_share(void **state)
{
    (void)state;
    char label[] = "(rare)";
    const pv_hierarchy_spec spec = {
        .kind = PV_HIERARCHY_RARE, .rare_share = {25, 2}, .rare_label = label};
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "c\na\na\nb\nb\nb\nb\nb\nc\n");
    assert_text(h, "a;a;*\nb;b;*\nc;(rare);*\n");
    pv_hierarchy_free(h);
}

static void test_rare_by_list(void **state)
{
    (void)state;
    char *kept[] = {TEXT("b")};
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_RARE, .values = kept, .n_values = 1};
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "c\na\na\na\nb\nother\n");
    assert_text(h, "b;b;*\na;other;*\nother;other;*\n");
    pv_hierarchy_free(h);
}

static void test_rare_refuses(void **state)
{
    (void)state;
    char star[] = "*";
    const pv_hierarchy_spec bad[] = {
        {.kind = PV_HIERARCHY_RARE},
        {.kind = PV_HIERARCHY_RARE, .rare_share = {11, 1}},
        {.kind = PV_HIERARCHY_RARE, .rare_share = {-1, 1}},
        {.kind = PV_HIERARCHY_RARE, .rare_rows = 2, .rare_label = star},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        (void)refusal_of(&bad[i], "c\na\nb\n", PV_STATUS_ARGUMENT);
    }
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_RARE, .rare_rows = 2};
    (void)refusal_of(&spec, "c\nother\nother\nb\n", PV_STATUS_ARGUMENT);
}

/* ---------------------------------------------------------------- breaks */

static pv_hierarchy_spec breaks(pv_decimal *at, size_t n)
{
    return (pv_hierarchy_spec){.kind = PV_HIERARCHY_BREAKS, .breaks = at, .n_breaks = n};
}

static void test_breaks_of_integers(void **state)
{
    (void)state;
    pv_decimal at[] = {{25, 0}, {40, 0}, {41, 0}, {60, 0}};
    const pv_hierarchy_spec spec = breaks(at, 4);
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "age\n60\n17\n25\n39\n24\n40\n100\n59\n");
    assert_text(h, "17;<25;*\n24;<25;*\n25;25-39;*\n39;25-39;*\n40;40;*\n59;41-59;*\n"
                   "60;>=60;*\n100;>=60;*\n");
    assert_leaves(h, 1, "2 2 1 1 2");
    assert_leaves(h, 2, "8");
    pv_hierarchy_free(h);
}

static void test_breaks_of_decimals(void **state)
{
    (void)state;
    pv_decimal at[] = {{-5, 0}, {25, 1}, {4, 0}, {6, 0}};
    const pv_hierarchy_spec spec = breaks(at, 4);
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "x\n-6\n2.5\n-5\n3.99\n5\n7\n4.0\n4\n");
    assert_text(h, "-6;<-5;*\n-5;[-5,2.5);*\n2.5;[2.5,4);*\n3.99;[2.5,4);*\n4;[4,6);*\n"
                   "4.0;[4,6);*\n5;[4,6);*\n7;>=6;*\n");
    /* numbers count, not spellings */
    assert_leaves(h, 1, "1 1 2 2 1");
    assert_int_equal(pv_hierarchy_domain(h), 7);
    pv_hierarchy_free(h);
}

static void test_breaks_count_granules(void **state)
{
    (void)state;
    pv_decimal at[] = {{0, 0}, {12, 0}};
    pv_hierarchy_spec spec = breaks(at, 2);
    spec.granularity = (pv_decimal){5, 0};
    pv_hierarchy *const h = hierarchy_of_csv(&spec, "x\n-6\n-5\n-1\n3\n4\n10\n11\n12\n14\n15\n");
    assert_leaves(h, 0, "1 1 1 1 1 1 1 1 1 1");
    /* 10..14 is in two groups and counts in both, once in all */
    assert_leaves(h, 1, "2 2 2");
    assert_leaves(h, 2, "5");
    assert_int_equal(pv_hierarchy_domain(h), 5);
    pv_hierarchy_free(h);
}

static void test_breaks_and_missing_values(void **state)
{
    (void)state;
    pv_decimal at[] = {{25, 0}};
    pv_hierarchy_spec spec = breaks(at, 1);
    spec.missing_last = true;
    pv_hierarchy *h = hierarchy_of_csv(&spec, "x\nNA\n24\n25\n");
    assert_text(h, "24;<25;*\n25;>=25 or missing;*\nNA;>=25 or missing;*\n");
    assert_leaves(h, 1, "1 2");
    pv_hierarchy_free(h);
    /* nobody is in the last range */
    h = hierarchy_of_csv(&spec, "x\nNA\n24\n");
    assert_text(h, "24;<25;*\nNA;>=25 or missing;*\n");
    pv_hierarchy_free(h);
    spec = breaks(NULL, 0);
    h = hierarchy_of_csv(&spec, "x\n1\n?\n2\n");
    assert_text(h, "1;any number;*\n2;any number;*\n?;?;*\n");
    pv_hierarchy_free(h);
    h = hierarchy_of_csv(&spec, "x\n?\n");
    assert_int_equal(pv_hierarchy_height(h), 2);
    pv_hierarchy_free(h);
}

static void test_breaks_of_extremes(void **state)
{
    (void)state;
    pv_decimal at[] = {{INT64_MIN, 0}, {1, 18}, {INT64_MAX, 0}};
    pv_hierarchy_spec spec = breaks(at, 3);
    spec.granularity = (pv_decimal){INT64_MAX, 18};
    pv_hierarchy *const h =
        hierarchy_of_csv(&spec, "x\n-9223372036854775808\n9223372036854775807\n0.1\n");
    assert_text(h, "-9223372036854775808;[-9223372036854775808,0.000000000000000001);*\n"
                   "0.1;[0.000000000000000001,9223372036854775807);*\n"
                   "9223372036854775807;>=9223372036854775807;*\n");
    pv_hierarchy_free(h);
}

static void test_breaks_refuse(void **state)
{
    (void)state;
    pv_decimal falling[] = {{5, 0}, {4, 0}};
    pv_decimal equal[] = {{5, 0}, {50, 1}};
    const pv_hierarchy_spec bad[] = {breaks(falling, 2), breaks(equal, 2)};
    for (size_t i = 0; i < 2; i++) {
        const pv_error error = refusal_of(&bad[i], "x\n1\n", PV_STATUS_ARGUMENT);
        assert_non_null(strstr(error.message, "is not above"));
    }
    const pv_hierarchy_spec spec = breaks(falling, 1);
    const pv_error error = refusal_of(&spec, "x\n1\nmany\n", PV_STATUS_INPUT);
    assert_non_null(strstr(error.message, "is not a number"));
    assert_null(strstr(error.message, "many"));
    assert_int_equal(error.line, 3);
}

/* ---------------------------------------------------------------- all kinds */

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(pv_hierarchy_kind_name(PV_HIERARCHY_SUPPRESS), "suppress");
    assert_string_equal(pv_hierarchy_kind_name(PV_HIERARCHY_RARE), "rare");
    assert_string_equal(pv_hierarchy_kind_name(PV_HIERARCHY_KIND_COUNT), "unknown");
    assert_string_equal(pv_date_unit_name(PV_DATE_WEEK), "week");
    assert_string_equal(pv_date_unit_name(PV_DATE_CENTURY), "century");
    assert_string_equal(pv_date_unit_name(PV_DATE_UNIT_COUNT), "unknown");
    const pv_hierarchy_spec unknown = {.kind = PV_HIERARCHY_KIND_COUNT};
    (void)refusal_of(&unknown, "x\na\n", PV_STATUS_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_suppress),
        cmocka_unit_test(test_intervals_of_integers),
        cmocka_unit_test(test_intervals_below_zero),
        cmocka_unit_test(test_intervals_of_decimals),
        cmocka_unit_test(test_intervals_closed_right_with_origin),
        cmocka_unit_test(test_intervals_of_extremes),
        cmocka_unit_test(test_intervals_refuse_texts_by_line),
        cmocka_unit_test(test_intervals_refuse_widths),
        cmocka_unit_test(test_mask_right),
        cmocka_unit_test(test_mask_left),
        cmocka_unit_test(test_mask_of_different_lengths),
        cmocka_unit_test(test_mask_counts_characters),
        cmocka_unit_test(test_mask_refuses_long_values),
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_weeks),
        cmocka_unit_test(test_dates_by_day_not_by_spelling),
        cmocka_unit_test(test_dates_refuse),
        cmocka_unit_test(test_order_listed),
        cmocka_unit_test(test_order_counts_what_it_lists),
        cmocka_unit_test(test_rare_counts_what_it_keeps),
        cmocka_unit_test(test_order_natural),
        cmocka_unit_test(test_order_refuses),
        cmocka_unit_test(test_order_with_colliding_labels),
        cmocka_unit_test(test_rare_by_rows),
        cmocka_unit_test(test_rare_by_share),
        cmocka_unit_test(test_rare_by_list),
        cmocka_unit_test(test_rare_refuses),
        cmocka_unit_test(test_breaks_of_integers),
        cmocka_unit_test(test_breaks_of_decimals),
        cmocka_unit_test(test_breaks_count_granules),
        cmocka_unit_test(test_breaks_and_missing_values),
        cmocka_unit_test(test_breaks_of_extremes),
        cmocka_unit_test(test_breaks_refuse),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
