/* The checker on tables whose values are known: docs/model.md, section 9 and cases worked out by
 * hand. */
#include "support/audit_support.h"

/* ---- CMP: the three anonymizations of ten people ---- */

static const char cmp_t3a[] = "zip,age,status,marital\n"
                              "1305*,\"(25,35]\",Married,CF-Spouse\n"
                              "1326*,\"(35,45]\",Not Married,Separated\n"
                              "1326*,\"(35,45]\",Not Married,Never Married\n"
                              "1305*,\"(25,35]\",Married,CF-Spouse\n"
                              "1325*,\"(45,55]\",Not Married,Divorced\n"
                              "1325*,\"(45,55]\",Not Married,Spouse Absent\n"
                              "1325*,\"(45,55]\",Not Married,Divorced\n"
                              "1305*,\"(25,35]\",Married,Spouse Present\n"
                              "1326*,\"(35,45]\",Not Married,Separated\n"
                              "1325*,\"(45,55]\",Not Married,Separated\n";

static const char cmp_t3b[] = "zip,age,status,marital\n"
                              "130**,\"(15,35]\",Married,CF-Spouse\n"
                              "132**,\"(35,55]\",Not Married,Separated\n"
                              "132**,\"(35,55]\",Not Married,Never Married\n"
                              "130**,\"(15,35]\",Married,CF-Spouse\n"
                              "132**,\"(35,55]\",Not Married,Divorced\n"
                              "132**,\"(35,55]\",Not Married,Spouse Absent\n"
                              "132**,\"(35,55]\",Not Married,Divorced\n"
                              "130**,\"(15,35]\",Married,Spouse Present\n"
                              "132**,\"(35,55]\",Not Married,Separated\n"
                              "132**,\"(35,55]\",Not Married,Separated\n";

static const char cmp_t4[] = "zip,age,status,marital\n"
                             "13***,\"(20,40]\",*,CF-Spouse\n"
                             "13***,\"(40,60]\",*,Separated\n"
                             "13***,\"(20,40]\",*,Never Married\n"
                             "13***,\"(20,40]\",*,CF-Spouse\n"
                             "13***,\"(40,60]\",*,Divorced\n"
                             "13***,\"(40,60]\",*,Spouse Absent\n"
                             "13***,\"(40,60]\",*,Divorced\n"
                             "13***,\"(20,40]\",*,Spouse Present\n"
                             "13***,\"(40,60]\",*,Separated\n"
                             "13***,\"(40,60]\",*,Separated\n";

static const char *const cmp_quasi[] = {"zip", "age", "status", NULL};
static const char *const cmp_sensitive[] = {"marital", NULL};
static const pv_audit_options cmp_options = {.quasi = cmp_quasi, .sensitive = cmp_sensitive};

static void check_cmp(const char *text, double k, uint64_t classes, double sum_k, double sum_l)
{
    pv_audit *const audit = audit_text(text, &cmp_options);
    assert_int_equal(audit->rows, 10);
    assert_int_equal(audit->suppressed, 0);
    assert_int_equal(audit->classes, classes);
    assert_near(audit_value(audit, "k"), k);
    assert_near((double)audit->k, k);
    assert_int_equal(audit->k_wildcard, audit->k);
    assert_near(audit_value(audit, "sum-k"), sum_k);
    assert_near(audit_value(audit, "sum-l"), sum_l);
    assert_near(audit_value(audit, "risk"), 1 / k);
    assert_near(audit_value(audit, "risk-mean"), (double)classes / 10);
    assert_near(audit_value(audit, "aecs"), 10 / (double)classes);
    assert_near(audit_value(audit, "dcn"), sum_k);
    pv_audit_free(audit);
}

/* Class sizes 3 3 3 3 4 4 4 3 3 4 and so on, own values 2 2 1 2 2 1 2 1 2 1 and so on, summed. */
static void compares_the_anonymizations(void **state)
{
    (void)state;
    check_cmp(cmp_t3a, 3, 3, 34, 16);
    check_cmp(cmp_t3b, 3, 2, 58, 20);
    check_cmp(cmp_t4, 4, 2, 52, 20);
}

/* Every cell of the third attribute is `*`: those are no suppressed rows. */
static void counts_stars_of_a_whole_column(void **state)
{
    (void)state;
    pv_audit *const audit = audit_text(cmp_t4, &cmp_options);
    assert_int_equal(audit->starred_cells, 10);
    assert_int_equal(audit->suppressed, 0);
    assert_int_equal(audit->histogram[2], 4); /* a class of 4 */
    assert_int_equal(audit->histogram[3], 6); /* a class of 6 */
    pv_audit_free(audit);
}

/* ---- PREF: twelve codes in three classes, eight generalizations ---- */

static const struct {
    const char *code, *group;
} pref_rows[] = {
    {"81521", "C1"}, {"81522", "C1"}, {"81523", "C1"}, {"82635", "C2"},
    {"82636", "C2"}, {"82647", "C2"}, {"82648", "C2"}, {"81634", "C3"},
    {"81631", "C3"}, {"81632", "C3"}, {"81639", "C3"}, {"81630", "C3"},
};

static const struct {
    unsigned masked;
    bool merged;
    double k;
    double spread; /* necd * 11 */
} pref_table[] = {
    {1, false, 2, 3}, {2, false, 3, 2}, {3, false, 3, 2}, {4, false, 3, 2},
    {1, true, 2, 3},  {2, true, 3, 2},  {3, true, 3, 2},  {4, true, 5, 2},
};

static void write_pref(size_t generalization, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "code;class\n");
    for (size_t i = 0; i < sizeof pref_rows / sizeof *pref_rows; i++) {
        char code[6];
        (void)snprintf(code, sizeof code, "%s", pref_rows[i].code);
        memset(code + 5 - pref_table[generalization].masked, '*',
               pref_table[generalization].masked);
        const bool merge = pref_table[generalization].merged && pref_rows[i].group[1] < '3';
        used += (size_t)snprintf(text + used, size - used, "%s;%s\n", code,
                                 merge ? "C1+C2" : pref_rows[i].group);
    }
}

static void measures_the_spread_of_class_sizes(void **state)
{
    (void)state;
    static const char *const quasi[] = {"code", "class", NULL};
    const pv_audit_options options = {.quasi = quasi};
    for (size_t i = 0; i < sizeof pref_table / sizeof *pref_table; i++) {
        char text[512];
        write_pref(i, text, sizeof text);
        pv_audit *const audit = audit_text(text, &options);
        assert_near(audit_value(audit, "k"), pref_table[i].k);
        assert_near(audit_value(audit, "necd"), pref_table[i].spread / 11);
        pv_audit_free(audit);
    }
}

/* ---- POKA ---- */

static void finds_three_anonymity(void **state)
{
    (void)state;
    static const char *const quasi[] = {"zip", "sex", NULL};
    static const char *const sensitive[] = {"salary", NULL};
    const pv_audit_options options = {.quasi = quasi, .sensitive = sensitive, .label = NULL};
    pv_audit *const audit = audit_text("zip,sex,salary\n1234*,*,<50K\n1234*,*,<50K\n1234*,*,<50K\n"
                                       "1235*,*,>=50K\n1235*,*,>=50K\n1235*,*,>=50K\n",
                                       &options);
    assert_int_equal(audit->k, 3);
    assert_int_equal(audit->k_wildcard, 3);
    assert_near(audit_value(audit, "l-distinct"), 1);
    assert_near(audit_value(audit, "l-entropy"), 1);
    assert_near(audit_value(audit, "t-closeness"), 0.5); /* all of one half has to move */
    assert_near(audit_value(audit, "gini"), 0);
    pv_audit_free(audit);
}

/* ---- worked out by hand ---- */

static const char *const class_quasi[] = {"class", NULL};
static const char *const value_sensitive[] = {"value", NULL};

/* The example of the paper on t-closeness: salaries 3K to 11K. {3,4,5} is 0.375 away and
 * {6,8,11} 1/6. */
static void measures_the_ordered_distance(void **state)
{
    (void)state;
    const pv_audit_options options = {.quasi = class_quasi, .sensitive = value_sensitive};
    pv_audit *audit = audit_text("class,value\na,3000\na,4000\na,5000\nb,6000\nb,11000\nb,8000\n"
                                 "c,7000\nc,9000\nc,10000\n",
                                 &options);
    assert_near(audit_value(audit, "t-closeness"), 0.375);
    pv_audit_free(audit);
    audit = audit_text("class,value\n*,3000\n*,4000\n*,5000\nb,6000\nb,11000\nb,8000\n"
                       "*,7000\n*,9000\n*,10000\n",
                       &options);
    assert_near(audit_value(audit, "t-closeness"), 1.0 / 6);
    pv_audit_free(audit);
}

/* Four values x, x, y, z against x, y: surplus of x in the first class 2/4 - 3/6 = 0. */
static void measures_the_equal_distance(void **state)
{
    (void)state;
    const pv_audit_options options = {.quasi = class_quasi, .sensitive = value_sensitive};
    pv_audit *const audit = audit_text("class,value\na,x\na,x\na,y\na,z\nb,x\nb,y\n", &options);
    /* b: x 1/2 of 3/6, y 1/2 of 2/6: 1/6 too much. a: z 1/4 of 1/6: 1/12 too much. */
    assert_near(audit_value(audit, "t-closeness"), 1.0 / 6);
    assert_near(audit_value(audit, "l-distinct"), 2);
    assert_near(audit_value(audit, "l-entropy"), 2); /* b: two equal shares; a: exp(1.0397) */
    assert_near(audit_value(audit, "sum-l"), 4 + 1 + 1 + 1 + 1);
    /* rows in classes of 4 4 4 4 2 2: 16 ordered pairs differ by 2; / (2 * 36 * 20/6) */
    assert_near(audit_value(audit, "gini"), 16 * 2.0 / (2 * 36 * (20.0 / 6)));
    pv_audit_free(audit);
}

/* Counts 4 2 1: r1 = 4 < c * tail with tails 7, 3, 1 for l = 1, 2, 3. */
static void measures_recursive_diversity(void **state)
{
    (void)state;
    static const struct {
        double c, l;
    } cases[] = {{0.5, 0}, {1, 1}, {1.34, 2}, {3, 2}, {4, 2}, {4.5, 3}};
    pv_measure_ref refs[6];
    for (size_t i = 0; i < 6; i++) {
        refs[i] =
            (pv_measure_ref){.measure = pv_measure_find("l-recursive"), .parameter = cases[i].c};
    }
    const pv_audit_options options = {
        .quasi = class_quasi, .sensitive = value_sensitive, .extra = refs, .n_extra = 6};
    pv_audit *const audit =
        audit_text("class,value\na,x\na,x\na,y\na,x\na,z\na,x\na,y\n", &options);
    assert_near(audit_value(audit, "l-recursive"), 2);
    for (size_t i = 0; i < 6; i++) {
        const pv_audit_value *const found = pv_audit_find(audit, refs[i]);
        assert_non_null(found);
        assert_near(found->value, cases[i].l);
    }
    assert_null(pv_audit_find(
        audit, (pv_measure_ref){.measure = pv_measure_find("l-recursive"), .parameter = 77}));
    pv_audit_free(audit);
}

static void counts_labels_off_the_majority(void **state)
{
    (void)state;
    const pv_audit_options options = {.quasi = class_quasi, .label = "label"};
    pv_audit *const audit =
        audit_text("class,label\na,+\na,-\na,-\nb,+\nb,+\n*,+\nc,+\nc,-\n", &options);
    assert_int_equal(audit->suppressed, 1);
    assert_near(audit_value(audit, "cm"), 1 + 1 + 1); /* a: one, c: one of the tie, `*`: one */
    assert_near(audit_value(audit, "dcn"), 9 + 4 + 4 + 8);
    assert_near(audit_value(audit, "k"), 2);
    pv_audit_free(audit);
}

/* ---- the two readings of `*` ---- */

static void reads_stars_both_ways(void **state)
{
    (void)state;
    static const char *const quasi[] = {"a", "b", NULL};
    const pv_audit_options options = {.quasi = quasi};
    pv_audit *const audit = audit_text("a,b\n1,1\n1,*\n2,2\n*,*\n*,*\n3,*\n", &options);
    assert_int_equal(audit->rows, 6);
    assert_int_equal(audit->suppressed, 2);
    assert_int_equal(audit->starred_cells, 2);
    assert_int_equal(audit->classes, 4);
    assert_int_equal(audit->k, 1);
    assert_int_equal(audit->unique_rows, 4);
    /* 1,1 and 1,* agree with each other and the two suppressed; 2,2 and 3,* with those alone. */
    assert_int_equal(audit->k_wildcard, 3);
    assert_int_equal(audit->unique_rows_wildcard, 0);
    assert_near(audit->risk_mean_wildcard, (0.25 + 0.25 + 1.0 / 3 + 1.0 / 3) / 4);
    pv_audit_free(audit);
}

/* A table generalized to the top altogether is one class of everyone, not a suppressed table. */
static void takes_all_stars_for_one_class(void **state)
{
    (void)state;
    static const char *const quasi[] = {"a", "b", NULL};
    const pv_audit_options options = {.quasi = quasi};
    pv_audit *const audit = audit_text("a,b\n*,*\n*,*\n*,*\n", &options);
    assert_int_equal(audit->suppressed, 0);
    assert_int_equal(audit->starred_cells, 6);
    assert_int_equal(audit->k, 3);
    assert_int_equal(audit->k_wildcard, 3);
    assert_near(audit_value(audit, "k"), 3);
    assert_near(audit_value(audit, "dcn"), 9);
    pv_audit_free(audit);
}

/* ---- values, columns, registry ---- */

static void measures_every_demandable_measure(void **state)
{
    (void)state;
    static const char *const quasi[] = {"zip", NULL};
    static const char *const sensitive[] = {"status", NULL};
    const pv_audit_options options = {.quasi = quasi, .sensitive = sensitive, .label = "marital"};
    pv_audit *const audit = audit_text(cmp_t3a, &options);
    size_t n = 0;
    for (size_t i = 0; i < pv_n_measures(); i++) {
        if (pv_measure_at(i)->demandable) {
            (void)audit_value(audit, pv_measure_at(i)->name);
            n++;
        }
    }
    assert_int_equal(audit->n_values, n);
    assert_true(n >= 15);
    pv_audit_free(audit);
}

static void leaves_out_what_it_cannot_know(void **state)
{
    (void)state;
    static const char *const quasi[] = {"zip", NULL};
    const pv_audit_options options = {.quasi = quasi, .risk_threshold = 0.3};
    pv_audit *const audit = audit_text(cmp_t3a, &options);
    for (size_t i = 0; i < audit->n_values; i++) {
        assert_int_equal(audit->values[i].available, audit->values[i].ref.measure->needs == 0);
    }
    const pv_measure_ref risk_above = {.measure = pv_measure_find("risk-above"), .parameter = 0.3};
    assert_near(pv_audit_find(audit, risk_above)->value, 0.6); /* six of ten rows at 1/3 */
    pv_audit_free(audit);
}

/* Empty, NA and ? are one value, as everywhere in the program. */
static void takes_missing_for_one_value(void **state)
{
    (void)state;
    const pv_audit_options options = {.quasi = class_quasi, .sensitive = value_sensitive};
    pv_audit *audit = audit_text("class,value\nNA,1\n?,NA\n,?\n\"\",\n", &options);
    assert_int_equal(audit->k, 4);
    assert_near(audit_value(audit, "l-distinct"), 1);
    pv_audit_free(audit);
    /* Among sensitive values it is none at all, but one of its own for t. */
    audit = audit_text("class,value\na,NA\na,?\nb,1\nb,\n", &options);
    assert_near(audit_value(audit, "l-distinct"), 0);
    assert_near(audit_value(audit, "l-entropy"), 0);
    assert_near(audit_value(audit, "l-recursive"), 0);
    assert_near(audit_value(audit, "t-closeness"), 0.25);
    pv_audit_free(audit);
    static const char *const missing[] = {"-1", NULL};
    const pv_audit_options own = {
        .quasi = class_quasi, .sensitive = value_sensitive, .missing = missing};
    /* In order 1, 2, missing: class a is {missing}, 2 steps from 1 and 1 from 2 of the table. */
    audit = audit_text("class,value\na,-1\nb,1\nb,2\nb,2\n", &own);
    assert_near(audit_value(audit, "t-closeness"), (0.25 + 0.75) / 2);
    pv_audit_free(audit);
}

static void orders_by_the_declared_type(void **state)
{
    (void)state;
    static const char text[] = "class,value\na,9\nb,10\nb,11\n";
    static const pv_audit_reading as_text[] = {{.type = PV_TYPE_TEXT}};
    static const pv_distance ordered[] = {PV_DISTANCE_ORDERED};
    const pv_audit_options numbers = {.quasi = class_quasi, .sensitive = value_sensitive};
    const pv_audit_options texts = {.quasi = class_quasi,
                                    .sensitive = value_sensitive,
                                    .distances = ordered,
                                    .sensitive_readings = as_text};
    pv_audit *audit = audit_text(text, &numbers); /* 9 10 11: class a is at one end either way */
    assert_near(audit_value(audit, "t-closeness"), (2.0 / 3 + 1.0 / 3) / 2);
    pv_audit_free(audit);
    audit = audit_text(text, &texts); /* 10 11 9 */
    assert_near(audit_value(audit, "t-closeness"), (1.0 / 3 + 2.0 / 3) / 2);
    pv_audit_free(audit);
    audit = audit_text("class,value\na,10\nb,9\nb,11\n", &numbers); /* 9 10 11: in the middle */
    assert_near(audit_value(audit, "t-closeness"), (1.0 / 3 + 1.0 / 3) / 2);
    pv_audit_free(audit);
    audit = audit_text("class,value\na,10\nb,9\nb,11\n", &texts); /* 10 11 9: at the end */
    assert_near(audit_value(audit, "t-closeness"), (2.0 / 3 + 1.0 / 3) / 2);
    pv_audit_free(audit);
}

/* 31.12.1999 is before 01.01.2000, whatever the bytes say. */
static void orders_dates_by_day(void **state)
{
    (void)state;
    const pv_audit_options options = {.quasi = class_quasi, .sensitive = value_sensitive};
    pv_audit *const audit =
        audit_text("class,value\na,31.12.1999\nb,01.01.2000\nb,15.06.2001\n", &options);
    assert_near(audit_value(audit, "t-closeness"), (2.0 / 3 + 1.0 / 3) / 2);
    pv_audit_free(audit);
}

static void takes_the_worst_sensitive_column(void **state)
{
    (void)state;
    static const char *const sensitive[] = {"v", "w", NULL};
    const pv_audit_options options = {.quasi = class_quasi, .sensitive = sensitive};
    pv_audit *const audit =
        audit_text("class,v,w\na,x,p\na,x,q\na,y,q\nb,x,q\nb,y,p\nb,z,p\n", &options);
    assert_near(audit_value(audit, "l-distinct"), 2);
    /* min of own counts: (2,1) (2,2) (1,2) | (1,1) (1,2) (1,2) */
    assert_near(audit_value(audit, "sum-l"), 1 + 2 + 1 + 1 + 1 + 1);
    pv_audit_free(audit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compares_the_anonymizations),
        cmocka_unit_test(counts_stars_of_a_whole_column),
        cmocka_unit_test(measures_the_spread_of_class_sizes),
        cmocka_unit_test(finds_three_anonymity),
        cmocka_unit_test(measures_the_ordered_distance),
        cmocka_unit_test(measures_the_equal_distance),
        cmocka_unit_test(measures_recursive_diversity),
        cmocka_unit_test(counts_labels_off_the_majority),
        cmocka_unit_test(reads_stars_both_ways),
        cmocka_unit_test(takes_all_stars_for_one_class),
        cmocka_unit_test(measures_every_demandable_measure),
        cmocka_unit_test(leaves_out_what_it_cannot_know),
        cmocka_unit_test(takes_missing_for_one_value),
        cmocka_unit_test(orders_by_the_declared_type),
        cmocka_unit_test(orders_dates_by_day),
        cmocka_unit_test(takes_the_worst_sensitive_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
