/* Values worked out by hand in the papers, or from their definitions where a paper only rounds. */
#include "support/comparison_trial.h"
#include "support/study.h"

#include <math.h>
#include <paravent/measure.h>
#include <stdio.h>

static double value_of(const pv_classes *classes, const char *name)
{
    pv_measure_ref ref;
    double value = (double)NAN;
    assert_int_equal(pv_measure_parse(name, &ref, NULL), PV_STATUS_OK);
    assert_int_equal(pv_measure_value(ref, classes, &value, NULL), PV_STATUS_OK);
    return value;
}

static void expect_near(const char *what, double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%s is %.17g, not %.17g", what, value, expected);
    }
}

/* As the papers print it: two decimals. */
static void expect_rounded(const char *what, double value, double expected)
{
    expect_near(what, round(value * 100) / 100, expected, 1e-9);
}

/* ------------------------------------------- preferences: employees, table 2 */

static const char employees_plan[] =
    "attributes:\n"
    "  code:  {role: quasi, weight: 0.3, hierarchy: {mask: right}}\n"
    "  class: {role: quasi, weight: 0.7,\n"
    "          hierarchy: {rows: [[C1, C1+C2], [C2, C1+C2], [C3, C3]]}}\n";

static const char employees[] = "code,class\n"
                                "81521,C1\n81522,C1\n81523,C1\n"
                                "82635,C2\n82636,C2\n82647,C2\n82648,C2\n"
                                "81634,C3\n81631,C3\n81632,C3\n81639,C3\n81630,C3\n";

/* All 12 codes differ, so a code among g others like it costs (g-1)/11. Masking 1 digit leaves
 * groups of 3, 2, 2 and 5 codes, 2 digits 3, 4 and 5, 3 digits 8 and 4, 4 digits all 12; summed
 * over the rows
 *   1: (6 + 2 + 2 + 20)/11 = 30/11   2: (6 + 12 + 20)/11 = 38/11
 *   3: (56 + 12)/11 = 68/11          4: 132/11
 * Merging C1 and C2 costs 1/2 for each of 7 rows. nwp = (0.3 codes + 0.7 classes)/12. */
static const struct {
    uint8_t levels[2];
    double necd, nwp;            /* as printed */
    double largest, codes, both; /* largest class; loss of codes times 11; of classes times 2 */
    uint64_t k;
} table_2[] = {
    {{1, 0}, .27, .07, 5, 30, 0, 2}, {{2, 0}, .18, .09, 5, 38, 0, 3},
    {{3, 0}, .18, .15, 5, 68, 0, 3}, {{4, 0}, .18, .30, 5, 132, 0, 3},
    {{1, 1}, .27, .27, 5, 30, 7, 2}, {{2, 1}, .18, .29, 5, 38, 7, 3},
    {{3, 1}, .18, .36, 5, 68, 7, 3}, {{4, 1}, .18, .50, 7, 132, 7, 5},
};

static void employees_table(void **state)
{
    (void)state;
    bound_study s = bound_study_create(employees_plan, employees);
    pv_profile *const profile = bound_profile(s.study, 1);
    for (size_t i = 0; i < sizeof table_2 / sizeof *table_2; i++) {
        pv_classes *const c = bound_classes(profile, table_2[i].levels, 0, 0);
        const double nwp = (0.3 * table_2[i].codes / 11 + 0.7 * table_2[i].both / 2) / 12;
        assert_int_equal(pv_classes_k(c), table_2[i].k);
        expect_rounded("necd", value_of(c, "necd"), table_2[i].necd);
        expect_near("necd", value_of(c, "necd"), (table_2[i].largest - (double)table_2[i].k) / 11,
                    1e-12);
        expect_rounded("nwp", value_of(c, "nwp"), table_2[i].nwp);
        expect_near("nwp", value_of(c, "nwp"), nwp, 1e-12);
        pv_classes_free(c);
    }
    pv_profile_free(profile);
    bound_study_free(&s);
}

/* ------------------------------------------ comparing: people, tables 1 to 4 */

/* The domains are the values in the table, 6 zip codes, 10 ages and 6 marital values: only so does
 * leaf-utility come out as printed, 2.03 = (1 - 2/6) + (1 - 3/10) + (1 - 2/6). */
static const char people[] = "zip,age,marital,status\n" CMP_PEOPLE;

#define MARITAL                                                                        \
    "  marital: {role: quasi, hierarchy: {rows: [\n"                                   \
    "    [CF-Spouse, Married], [Spouse Present, Married], [Separated, Not Married],\n" \
    "    [Never Married, Not Married], [Divorced, Not Married],\n"                     \
    "    [Spouse Absent, Not Married]]}}\n"

/* (25,35] (35,45] (45,55] within (15,35] (35,55] */
static const char plan_t3[] =
    "attributes:\n"
    "  zip: {role: quasi, hierarchy: {mask: right}}\n"
    "  age: {role: quasi, hierarchy: {intervals: [10, 20], origin: 15, closed: right}}\n" MARITAL
    "  status: {role: sensitive}\n";

/* (20,40] (40,60] */
static const char plan_t4[] =
    "attributes:\n"
    "  zip: {role: quasi, hierarchy: {mask: right}}\n"
    "  age: {role: quasi, hierarchy: {intervals: [20], closed: right}}\n" MARITAL
    "  status: {role: sensitive}\n";

typedef struct {
    const char *name, *plan;
    uint8_t levels[3];
    double sizes[10], own[10], utility[10];
} people_release;

static const people_release people_releases[] = {
    {"T3a",
     plan_t3,
     {1, 1, 1},
     {3, 3, 3, 3, 4, 4, 4, 3, 3, 4},
     {2, 2, 1, 2, 2, 1, 2, 1, 2, 1},
     {2.03, 1.7, 1.7, 2.03, 1.6, 1.6, 1.6, 2.03, 1.7, 1.6}},
    {"T3b",
     plan_t3,
     {2, 2, 1},
     {3, 7, 7, 3, 7, 7, 7, 3, 7, 7},
     {2, 3, 1, 2, 2, 1, 2, 1, 3, 3},
     {2.03, .97, .97, 2.03, .97, .97, .97, 2.03, .97, .97}},
    {"T4",
     plan_t4,
     {3, 1, 2},
     {4, 6, 4, 4, 6, 6, 6, 4, 6, 6},
     {2, 3, 1, 2, 2, 1, 2, 1, 3, 3},
     {.6, .4, .6, .6, .4, .4, .4, .6, .4, .4}},
};

static void expect_rows(const people_release *release, const pv_classes *classes, const char *name,
                        const double *expected)
{
    pv_measure_ref ref;
    double rows[10];
    assert_int_equal(pv_measure_parse(name, &ref, NULL), PV_STATUS_OK);
    assert_int_equal(pv_measure_rows(ref, classes, rows, NULL), PV_STATUS_OK);
    for (size_t i = 0; i < 10; i++) {
        char what[64];
        (void)snprintf(what, sizeof what, "%s of row %zu in %s", name, i + 1, release->name);
        expect_rounded(what, rows[i], expected[i]);
    }
}

static void people_property_vectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof people_releases / sizeof *people_releases; i++) {
        const people_release *const release = &people_releases[i];
        bound_study s = bound_study_create(release->plan, people);
        pv_profile *const profile = bound_profile(s.study, 1);
        pv_classes *const classes = bound_classes(profile, release->levels, 0, 0);
        expect_rows(release, classes, "k", release->sizes);
        expect_rows(release, classes, "sum-k", release->sizes);
        expect_rows(release, classes, "sum-l", release->own);
        expect_rows(release, classes, "leaf-utility", release->utility);
        pv_classes_free(classes);
        pv_profile_free(profile);
        bound_study_free(&s);
    }
}

/* --------------------------------------------------- the front: POkA, table 1 */

static void three_anonymous_node(void **state)
{
    (void)state;
    const uint8_t levels[] = {1, 1, 0};
    bound_study s = bound_study_create("attributes:\n"
                                       "  zip: {role: quasi, hierarchy: {mask: right}}\n"
                                       "  sex: {role: quasi}\n"
                                       "  salary: {role: quasi}\n",
                                       "zip,sex,salary\n"
                                       "12345,M,<50K\n12346,M,<50K\n12345,F,<50K\n"
                                       "12355,F,>=50K\n12355,M,>=50K\n12356,M,>=50K\n");
    pv_profile *const profile = bound_profile(s.study, 1);
    pv_classes *const classes = bound_classes(profile, levels, 0, 0);
    assert_int_equal(pv_classes_k(classes), 3);
    assert_int_equal(pv_classes_total(classes), 2);
    pv_classes_free(classes);
    pv_profile_free(profile);
    bound_study_free(&s);
}

/* ------------------------------------------------------ t-closeness in an order */

/* One of three is low, two are not: 1/3 and 2/3 of the table lie before the borders, in the class
 * of the first 1 and 1, so it is (2/3 + 1/3)/2 = 1/2 away. In the order of the alphabet, low being
 * in the middle, it would be 1/3. */
static void order_of_a_hierarchy(void **state)
{
    (void)state;
    static const struct {
        const char *sensitive;
        double t;
    } cases[] = {
        {"{role: sensitive, distance: ordered}", 1.0 / 3},
        {"{role: sensitive, distance: ordered, hierarchy: {order: [2], values: [low, mid, top, "
         "high]}}",
         0.5},
        {"{role: sensitive, hierarchy: {order: [2], values: [high, mid, low]}}", 0.5},
        {"{role: sensitive, hierarchy: {rows: [[low, calm], [mid, calm], [high, loud]]}}", 0.5},
    };
    const uint8_t raw[] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char plan[256];
        (void)snprintf(plan, sizeof plan, "attributes:\n  q: {role: quasi}\n  s: %s\n",
                       cases[i].sensitive);
        bound_study s = bound_study_create(plan, "q,s\na,low\nb,mid\nb,high\n");
        pv_profile *const profile = bound_profile(s.study, 1);
        pv_classes *const classes = bound_classes(profile, raw, 0, 0);
        expect_near(cases[i].sensitive, value_of(classes, "t-closeness"), cases[i].t, 1e-12);
        pv_classes_free(classes);
        pv_profile_free(profile);
        bound_study_free(&s);
    }
}

/* ----------------------------------------------------------------- Adult */

static void expect_adult_lattice(const pv_study *study)
{
    static const unsigned heights[] = {6, 3, 3, 3, 1, 1, 4, 1};
    assert_int_equal(pv_study_quasis(study), 8);
    for (size_t q = 0; q < 8; q++) {
        assert_int_equal(pv_hierarchy_height(pv_study_hierarchy(study, q)), heights[q]);
    }
}

static void adult_by_hand(void **state)
{
    (void)state;
    const uint8_t levels[] = {5, 2, 2, 2, 0, 0, 3, 0};
    adult a = adult_open(ADULT "plan.yaml");
    expect_adult_lattice(a.study);
    assert_int_equal(pv_profile_rows(a.profile), 30162);
    pv_classes *const classes = bound_classes(a.profile, levels, pv_study_budget(a.study), 0);
    assert_int_equal(pv_study_budget(a.study), 301);
    assert_int_equal(pv_classes_k(classes), 6);
    assert_int_equal(pv_classes_suppressed(classes), 290);
    pv_classes_free(classes);
    adult_close(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(employees_table),      cmocka_unit_test(people_property_vectors),
        cmocka_unit_test(three_anonymous_node), cmocka_unit_test(order_of_a_hierarchy),
        cmocka_unit_test(adult_by_hand),
    };
    return cmocka_run_group_tests_name("golden values", tests, NULL, NULL);
}
