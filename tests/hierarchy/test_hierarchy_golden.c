/* The hierarchies of the model's golden tables, and the Adult census where it is at hand. */
#include "support/hierarchy_support.h"

#include <unistd.h>

static uint32_t group_of(const pv_hierarchy *h, const pv_table *table, size_t column, uint64_t row,
                         unsigned level)
{
    return pv_hierarchy_group(h, level, pv_hierarchy_leaf(h, pv_table_code(table, column, row)));
}

static void assert_released(const pv_hierarchy *h, const pv_table *table, size_t column,
                            unsigned level, const char *const *expected)
{
    for (uint64_t row = 0; row < pv_table_rows(table); row++) {
        const uint32_t group = group_of(h, table, column, row, level);
        assert_string_equal(pv_hierarchy_label(h, level, group), expected[row]);
    }
}

/* PREF tables 1 and 2: codes masked from the right, classes as they are or C1 and C2 merged. */
static void test_pref(void **state)
{
    (void)state;
    pv_table *const table =
        hierarchy_table("code,class\n81521,C1\n81522,C1\n81523,C1\n82635,C2\n82636,C2\n82647,C2\n"
                        "82648,C2\n81634,C3\n81631,C3\n81632,C3\n81639,C3\n81630,C3\n");
    const pv_hierarchy_spec mask = {.kind = PV_HIERARCHY_MASK};
    pv_hierarchy *const codes = hierarchy_of(&mask, table, 0);
    assert_int_equal(pv_hierarchy_height(codes), 5);
    assert_level(codes, 1, "8152* 8163* 8263* 8264*");
    assert_leaves(codes, 1, "3 5 2 2");
    assert_level(codes, 2, "815** 816** 826**");
    assert_leaves(codes, 2, "3 5 4");
    assert_level(codes, 3, "81*** 82***");
    assert_leaves(codes, 3, "8 4");
    assert_level(codes, 4, "8****");
    assert_leaves(codes, 4, "12");
    pv_hierarchy_free(codes);

    char *c1[] = {TEXT("C1"), TEXT("C1+C2"), NULL};
    char *c2[] = {TEXT("C2"), TEXT("C1+C2"), NULL};
    char *c3[] = {TEXT("C3"), TEXT("C3"), NULL};
    char **rows[] = {c1, c2, c3};
    const pv_hierarchy_spec merged = {.kind = PV_HIERARCHY_ROWS, .rows = rows, .n_rows = 3};
    pv_hierarchy *const classes = hierarchy_of(&merged, table, 1);
    assert_level(classes, 1, "C1+C2 C3");
    assert_leaves(classes, 1, "2 1");
    pv_hierarchy_free(classes);
    pv_table_free(table);
}

static const char *const cmp_table =
    "zip,age,marital\n13053,28,CF-Spouse\n13268,41,Separated\n13268,39,Never Married\n"
    "13053,26,CF-Spouse\n13253,50,Divorced\n13253,55,Spouse Absent\n13250,49,Divorced\n"
    "13052,31,Spouse Present\n13269,42,Separated\n13250,47,Separated\n";

static void test_cmp_zip_and_marital(void **state)
{
    (void)state;
    pv_table *const table = hierarchy_table(cmp_table);
    const pv_hierarchy_spec mask = {.kind = PV_HIERARCHY_MASK};
    pv_hierarchy *const zip = hierarchy_of(&mask, table, 0);
    const char *const masked[] = {"1305*", "1326*", "1326*", "1305*", "1325*",
                                  "1325*", "1325*", "1305*", "1326*", "1325*"};
    assert_released(zip, table, 0, 1, masked);
    assert_leaves(zip, 1, "2 2 2");
    assert_leaves(zip, 2, "2 4");
    pv_hierarchy_free(zip);

    char *names[][3] = {
        {TEXT("CF-Spouse"), TEXT("Married"), NULL},
        {TEXT("Spouse Present"), TEXT("Married"), NULL},
        {TEXT("Separated"), TEXT("Not Married"), NULL},
        {TEXT("Never Married"), TEXT("Not Married"), NULL},
        {TEXT("Divorced"), TEXT("Not Married"), NULL},
        {TEXT("Spouse Absent"), TEXT("Not Married"), NULL},
    };
    char **rows[6];
    for (size_t i = 0; i < 6; i++) {
        rows[i] = names[i];
    }
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_ROWS, .rows = rows, .n_rows = 6};
    pv_hierarchy *const marital = hierarchy_of(&spec, table, 2);
    assert_level(marital, 1, "Married Not Married");
    assert_leaves(marital, 1, "2 4");
    assert_leaves(marital, 2, "6");
    pv_hierarchy_free(marital);
    pv_table_free(table);
}

static void check_ages(const pv_table *table, pv_decimal width, pv_decimal origin,
                       const char *const *expected)
{
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_INTERVALS,
                                    .widths = &width,
                                    .n_widths = 1,
                                    .origin = origin,
                                    .closed_right = true};
    pv_hierarchy *const ages = hierarchy_of(&spec, table, 1);
    assert_released(ages, table, 1, 1, expected);
    pv_hierarchy_free(ages);
}

/* T3a, T3b and T4 use intervals that are closed on the right. */
static void test_cmp_ages(void **state)
{
    (void)state;
    pv_table *const table = hierarchy_table(cmp_table);
    const char *const t3a[] = {"(25,35]", "(35,45]", "(35,45]", "(25,35]", "(45,55]",
                               "(45,55]", "(45,55]", "(25,35]", "(35,45]", "(45,55]"};
    const char *const t3b[] = {"(15,35]", "(35,55]", "(35,55]", "(15,35]", "(35,55]",
                               "(35,55]", "(35,55]", "(15,35]", "(35,55]", "(35,55]"};
    const char *const t4[] = {"(20,40]", "(40,60]", "(20,40]", "(20,40]", "(40,60]",
                              "(40,60]", "(40,60]", "(20,40]", "(40,60]", "(40,60]"};
    check_ages(table, (pv_decimal){10, 0}, (pv_decimal){25, 0}, t3a);
    check_ages(table, (pv_decimal){20, 0}, (pv_decimal){15, 0}, t3b);
    check_ages(table, (pv_decimal){20, 0}, (pv_decimal){0, 0}, t4);
    pv_table_free(table);
}

/* POKA table 1: zips masked, sex to `*`. */
static void test_poka(void **state)
{
    (void)state;
    pv_table *const table =
        hierarchy_table("zip,sex\n12345,M\n12346,M\n12345,F\n12355,F\n12355,M\n12356,M\n");
    const pv_hierarchy_spec mask = {.kind = PV_HIERARCHY_MASK};
    const pv_hierarchy_spec suppress = {.kind = PV_HIERARCHY_SUPPRESS};
    pv_hierarchy *const zip = hierarchy_of(&mask, table, 0);
    pv_hierarchy *const sex = hierarchy_of(&suppress, table, 1);
    assert_level(zip, 1, "1234* 1235*");
    assert_level(sex, 1, "*");
    pv_hierarchy_free(zip);
    pv_hierarchy_free(sex);
    pv_table_free(table);
}

static void check_adult(const pv_table *table, const char *folder, const char *name,
                        unsigned height)
{
    char path[1200];
    pv_hierarchy_spec spec = {0};
    pv_error error = {0};
    (void)snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    if (pv_hierarchy_spec_read(path, &spec, &error) != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    pv_hierarchy *const h = hierarchy_of(&spec, table, pv_table_find(table, name));
    assert_int_equal(pv_hierarchy_height(h), height);
    pv_hierarchy_free(h);
    pv_hierarchy_spec_free(&spec);
}

static void test_adult(void **state)
{
    (void)state;
    const char *const folder = PV_SOURCE_DIR "/../shared/data/adult";
    const char *const names[] = {"age",  "workclass", "education",      "marital-status",
                                 "race", "sex",       "native-country", "salary-class"};
    const unsigned heights[] = {6, 3, 3, 3, 1, 1, 4, 1};
    if (access(folder, R_OK) != 0) {
        print_message("the Adult census is not beside the project: skipped\n");
        skip();
    }
    pv_table *table = NULL;
    pv_error error = {0};
    if (pv_table_read(PV_SOURCE_DIR "/../shared/data/adult/adult.csv", NULL, NULL, &table,
                      &error) != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    for (size_t i = 0; i < 8; i++) {
        check_adult(table, folder, names[i], heights[i]);
    }
    pv_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pref),     cmocka_unit_test(test_cmp_zip_and_marital),
        cmocka_unit_test(test_cmp_ages), cmocka_unit_test(test_poka),
        cmocka_unit_test(test_adult),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
