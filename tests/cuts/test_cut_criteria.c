/* What can be asked of cut schemes: rules that unions of classes keep, a bias, a loss that cuts
 * have. All else is refused in a sentence. */
#include "support/oracle.h"
#include "support/study.h"

#include "cuts/cut_evaluator.h"

typedef struct {
    bound_study bound;
    pv_profile *profile;
    pv_cut_space space;
} plain_table;

static plain_table plain_table_create(const char *plan)
{
    plain_table p = {.bound = bound_study_create(plan, "a,s,c\n1,x,y\n2,x,z\n3,y,y\n1,z,z\n")};
    pv_error error = {0};
    p.profile = bound_profile(p.bound.study, 1);
    bound_must(pv_i_cut_space_init(&p.space, p.bound.study, false, &error), &error);
    return p;
}

static void plain_table_free(plain_table *p)
{
    pv_i_cut_space_deinit(&p->space);
    pv_profile_free(p->profile);
    bound_study_free(&p->bound);
}

static bool is_among(const char *name, const char *const *names)
{
    while (*names != NULL && !oracle_same(*names, name)) {
        names++;
    }
    return *names != NULL;
}

/* What a measure is good for: OK, or refused with a sentence and a remedy that name it. */
static void expect_status(const plain_table *p, const pv_constraint *rule,
                          const pv_measure_ref *bias, const pv_measure_ref *loss, bool allowed)
{
    pv_cut_criteria criteria;
    pv_error error = {0};
    const pv_status status = pv_i_cut_criteria_init(&criteria, p->profile, &p->space, rule,
                                                    rule != NULL ? 1 : 0, bias, loss, &error);
    assert_int_equal(status, allowed ? PV_STATUS_OK : PV_STATUS_ARGUMENT);
    if (!allowed) {
        const pv_measure *const measure = rule != NULL   ? rule->ref.measure
                                          : bias != NULL ? bias->measure
                                                         : loss->measure;
        assert_non_null(strstr(error.message, measure->name));
        assert_true(error.hint[0] != '\0');
    }
}

/* Only what unions of classes keep can be demanded; only what cuts have can be lost. */
static void only_what_cuts_can_keep_is_taken(void **state)
{
    static const char *const rules[] = {"k",           "l-distinct",  "l-entropy",
                                        "l-recursive", "t-closeness", NULL};
    static const char *const biases[] = {"necd", "gini", NULL};
    static const char *const losses[] = {"nwp", "glm", "leaf-utility", "entropy",
                                         "dcn", "cm",  "aecs",         NULL};
    plain_table p = plain_table_create(
        "attributes:\n  a: {role: quasi}\n  s: {role: sensitive}\n  c: {role: label}\n");
    (void)state;
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        const pv_constraint rule = {
            .ref = {.measure = measure, .parameter = measure->parameter_default}, .bound = 1};
        expect_status(&p, &rule, NULL, NULL, is_among(measure->name, rules));
        expect_status(&p, NULL, &rule.ref, NULL, is_among(measure->name, biases));
        expect_status(&p, NULL, NULL, &rule.ref, is_among(measure->name, losses));
    }
    plain_table_free(&p);
}

/* Of several rules the first bad one is told. */
static void the_first_bad_rule_is_told(void **state)
{
    plain_table p = plain_table_create("attributes:\n  a: {role: quasi}\n  s: {role: sensitive}\n");
    pv_constraint rules[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    pv_cut_criteria criteria;
    pv_error error = {0};
    (void)state;
    bound_must(
        pv_constraints_parse("k=2,l-distinct=2,risk-above(0.3)=0.1,sum-l=9", rules, &n, &error),
        &error);
    assert_int_equal(
        pv_i_cut_criteria_init(&criteria, p.profile, &p.space, rules, n, NULL, NULL, &error),
        PV_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "'risk-above'"));
    bound_must(pv_constraints_parse("sum-l=9,risk-above(0.3)=0.1", rules, &n, &error), &error);
    assert_int_equal(
        pv_i_cut_criteria_init(&criteria, p.profile, &p.space, rules, n, NULL, NULL, &error),
        PV_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "'sum-l'"));
    plain_table_free(&p);
}

static void columns_must_be_there(void **state)
{
    static const char *const needy[] = {"l-distinct", "l-entropy", "l-recursive", "t-closeness"};
    plain_table p = plain_table_create("attributes: {a: {role: quasi}}");
    const pv_measure_ref cm = {.measure = pv_measure_find("cm")};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        const pv_constraint rule = {.ref = {.measure = pv_measure_find(needy[i]), .parameter = 3},
                                    .bound = 0.5};
        expect_status(&p, &rule, NULL, NULL, false);
    }
    expect_status(&p, NULL, NULL, &cm, false);
    plain_table_free(&p);
}

/* k is no rule like the others: the largest one counts. */
static void k_may_be_among_the_rules(void **state)
{
    plain_table p = plain_table_create("attributes:\n  a: {role: quasi}\n  s: {role: sensitive}\n");
    pv_constraint rules[PV_MOST_RULES + 1];
    pv_cut_criteria criteria;
    pv_error error = {0};
    (void)state;
    for (size_t i = 0; i <= PV_MOST_RULES; i++) {
        rules[i] = (pv_constraint){.ref.measure = pv_measure_find("k"), .bound = 2.5 + (double)i};
    }
    bound_must(pv_i_cut_criteria_init(&criteria, p.profile, &p.space, rules, PV_MOST_RULES + 1,
                                      NULL, NULL, &error),
               &error);
    assert_int_equal(criteria.rules.k, PV_MOST_RULES + 3);
    assert_int_equal(criteria.rules.n_rules, 0);
    assert_true(pv_i_cut_criteria_plain(&criteria));
    for (size_t i = 0; i <= PV_MOST_RULES; i++) {
        rules[i].ref.measure = pv_measure_find("l-distinct");
    }
    bound_must(pv_i_cut_criteria_init(&criteria, p.profile, &p.space, rules, PV_MOST_RULES, NULL,
                                      NULL, &error),
               &error);
    assert_int_equal(pv_i_cut_criteria_init(&criteria, p.profile, &p.space, rules,
                                            PV_MOST_RULES + 1, NULL, NULL, &error),
                     PV_STATUS_LIMIT);
    plain_table_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_cuts_can_keep_is_taken),
        cmocka_unit_test(the_first_bad_rule_is_told),
        cmocka_unit_test(columns_must_be_there),
        cmocka_unit_test(k_may_be_among_the_rules),
    };
    return cmocka_run_group_tests_name("what is asked of cuts", tests, NULL, NULL);
}
