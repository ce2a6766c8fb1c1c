/* Rules of classes: what a scorer says of a class is what the definition says, a union of classes
 * that keep a rule keeps it, and measures of which that is not so are refused. */
#include "measure/class_rules.h"
#include "support/recode_oracle.h"
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ scoring */

/* A random table, a rule, and who is in which class: per tuple 0, 1 or 2 (neither). */
typedef struct {
    random_study study;
    pv_class_rules rules;
    pv_class_scorer scorer;
    size_t *class_of;
} ruled;

typedef enum { FIRST = 1, SECOND = 2, BOTH = 3 } which;

static bool is_in(const ruled *r, size_t tuple, which classes)
{
    return r->class_of[tuple] < 2 && ((unsigned)classes >> r->class_of[tuple] & 1u);
}

static bool keeps(ruled *r, which classes, bool loosely)
{
    pv_i_class_scorer_clear(&r->scorer);
    for (size_t t = 0; t < pv_profile_tuples(r->study.profile); t++) {
        if (is_in(r, t, classes)) {
            pv_i_class_scorer_add(&r->scorer, t);
        }
    }
    return !pv_i_class_scorer_breaks(&r->scorer, loosely);
}

/* By the definition, of the class as if it were one of a release. */
static double score(const ruled *r, which classes, pv_measure_ref ref)
{
    const oracle_table *const table = &r->study.table;
    size_t *const look_alike = oracle_array(table->n_rows, sizeof *look_alike);
    bool *const suppressed = oracle_array(table->n_rows, sizeof *suppressed);
    const oracle_release release = {
        .table = table, .look_alike = look_alike, .suppressed = suppressed};
    size_t first = table->n_rows;
    for (size_t row = table->n_rows; row-- > 0;) {
        const bool member = is_in(r, pv_profile_tuple(r->study.profile, row), classes);
        look_alike[row] = member;
        first = member ? row : first;
    }
    const double value = recode_score(&release, first, ref);
    free(look_alike);
    free(suppressed);
    return value;
}

/* Two classes, neither empty. */
static void draw_classes(ruled *r)
{
    const size_t n = pv_profile_tuples(r->study.profile);
    for (size_t t = 0; t < n; t++) {
        r->class_of[t] = random_below(&r->study, 3);
    }
    r->class_of[0] = 0;
    r->class_of[n - 1] = 1;
}

static void set_rule(ruled *r, pv_measure_ref ref, double bound)
{
    const pv_constraint rule = {.ref = ref, .bound = bound};
    pv_error error = {0};
    bound_must(pv_i_class_rules_init(&r->rules, r->study.profile, &rule, 1, &error), &error);
    bound_must(pv_i_class_scorer_init(&r->scorer, &r->rules, &error), &error);
    assert_int_equal(r->rules.n_rules, 1);
    assert_int_equal(r->rules.n_sensitive, r->study.table.n_sensitive);
}

static double worse(const pv_measure *measure, double a, double b)
{
    return measure->direction == PV_MORE_IS_BETTER ? fmin(a, b) : fmax(a, b);
}

/* With the worse score of the two as the bound, both keep the rule, and so must the union; with
 * anything stricter, one breaks it. */
static void expect_closed(ruled *r, pv_measure_ref ref)
{
    const double scores[] = {score(r, FIRST, ref), score(r, SECOND, ref), score(r, BOTH, ref)};
    const double bound = worse(ref.measure, scores[0], scores[1]);
    const double stricter = ref.measure->direction == PV_MORE_IS_BETTER ? 1e-6 : -1e-6;
    set_rule(r, ref, bound);
    assert_true(keeps(r, FIRST, true) && keeps(r, SECOND, true) && keeps(r, BOTH, true));
    assert_true(keeps(r, FIRST, false) && keeps(r, SECOND, false) && keeps(r, BOTH, false));
    assert_true(recode_keeps(&r->rules.rules[0], scores[2]));
    pv_i_class_scorer_deinit(&r->scorer);
    set_rule(r, ref, bound + stricter);
    for (which classes = FIRST; classes <= BOTH; classes++) {
        assert_int_equal(keeps(r, classes, true),
                         recode_keeps(&r->rules.rules[0], scores[classes - 1]));
    }
    assert_false(keeps(r, FIRST, true) && keeps(r, SECOND, true));
    pv_i_class_scorer_deinit(&r->scorer);
}

static random_shape ruled_shape(pv_rng *rng)
{
    random_shape shape = {.n_quasi = 3, .heights = 3, .copies = 4};
    shape.n_rows = 4 + (size_t)pv_i_rng_below(rng, 30);
    shape.n_values = 2 + (size_t)pv_i_rng_below(rng, 6);
    shape.n_sensitive = 1 + (size_t)pv_i_rng_below(rng, 3);
    shape.missing = pv_i_rng_below(rng, 2) == 0 ? 5 : 0;
    shape.uniform = pv_i_rng_below(rng, 2) == 0;
    return shape;
}

static void rules_survive_unions(void **state)
{
    static const char *const measures[] = {"l-distinct",     "l-entropy",        "l-recursive(3)",
                                           "l-recursive(1)", "l-recursive(0.5)", "t-closeness"};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 641);
    for (size_t i = 0; i < effort(600); i++) {
        const random_shape shape = ruled_shape(&rng);
        ruled r = {.class_of = NULL};
        random_study_init(&r.study, &rng, &shape);
        r.class_of = oracle_array(pv_profile_tuples(r.study.profile), sizeof *r.class_of);
        draw_classes(&r);
        for (size_t m = 0;
             pv_profile_tuples(r.study.profile) > 1 && m < sizeof measures / sizeof *measures;
             m++) {
            pv_measure_ref ref;
            assert_int_equal(pv_measure_parse(measures[m], &ref, NULL), PV_STATUS_OK);
            random_column(&r.study, &ref);
            expect_closed(&r, ref);
        }
        free(r.class_of);
        random_study_deinit(&r.study);
    }
}

/* ---------------------------------------------------------------- surviving */

#define MOST_SURVIVING 10 /* rows: all of their subsets are tried */

/* The score of some rows of a class, by the definition; bit i of `chosen` is the i-th of them. */
static double score_rows(const oracle_table *table, const size_t *rows, size_t n, unsigned chosen,
                         pv_measure_ref ref)
{
    size_t *const look_alike = oracle_array(table->n_rows, sizeof *look_alike);
    bool *const suppressed = oracle_array(table->n_rows, sizeof *suppressed);
    const oracle_release release = {
        .table = table, .look_alike = look_alike, .suppressed = suppressed};
    size_t first = 0;
    memset(look_alike, 0, table->n_rows * sizeof *look_alike);
    for (size_t i = n; i-- > 0;) {
        if (chosen >> i & 1u) {
            look_alike[rows[i]] = 1;
            first = rows[i];
        }
    }
    const double value = recode_score(&release, first, ref);
    free(look_alike);
    free(suppressed);
    return value;
}

/* The rule is what some of the rows just keep. No fewer than the least rows do. However the class
 * is divided, no more live on than the most that keep it; and what the scorer allows is hardly
 * more. */
static void expect_survivors(ruled *r, pv_measure_ref ref, size_t *said, size_t *true_ones,
                             size_t *least)
{
    const oracle_table *const table = &r->study.table;
    size_t rows[MOST_SURVIVING];
    size_t n = 0;
    size_t most = 0;
    bool holds;
    for (size_t row = 0; row < table->n_rows; row++) {
        if (is_in(r, pv_profile_tuple(r->study.profile, row), BOTH)) {
            if (n == MOST_SURVIVING) {
                return;
            }
            rows[n++] = row;
        }
    }
    const unsigned all = (1u << n) - 1;
    const unsigned some = 1 + (unsigned)random_below(&r->study, all);
    set_rule(r, ref, score_rows(table, rows, n, some, ref));
    const bool kept = keeps(r, BOTH, false);
    const uint64_t survivors = pv_i_class_scorer_survivors(&r->scorer, &holds);
    assert_int_equal(holds, kept);
    const uint64_t needed = pv_i_class_scorer_least_rows(&r->scorer);
    *least = *least > needed ? *least : (size_t)needed; /* the most that was needed */
    for (unsigned chosen = 1; chosen <= all; chosen++) {
        assert_true((size_t)__builtin_popcount(chosen) >= needed ||
                    !recode_keeps(&r->rules.rules[0], score_rows(table, rows, n, chosen, ref)));
    }
    for (unsigned chosen = 1; chosen <= all && !holds; chosen++) {
        const size_t size = (size_t)__builtin_popcount(chosen);
        if (size > most &&
            recode_keeps(&r->rules.rules[0], score_rows(table, rows, n, chosen, ref))) {
            most = size;
        }
    }
    if (!holds) {
        assert_true(survivors >= most);
        assert_true(survivors < n);
        *said += (size_t)survivors;
        *true_ones += most;
    }
    pv_i_class_scorer_deinit(&r->scorer);
}

static void no_more_survive_than_can(void **state)
{
    static const char *const measures[] = {"l-distinct", "l-entropy", "l-recursive(2)",
                                           "l-recursive(0.7)", "t-closeness"};
    size_t said[5] = {0};
    size_t true_ones[5] = {0};
    size_t least[5] = {0};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 642);
    for (size_t i = 0; i < effort(300); i++) {
        random_shape shape = ruled_shape(&rng);
        ruled r = {.class_of = NULL};
        shape.n_rows = 4 + (size_t)pv_i_rng_below(&rng, 12);
        shape.n_sensitive = 1;
        random_study_init(&r.study, &rng, &shape);
        r.class_of = oracle_array(pv_profile_tuples(r.study.profile), sizeof *r.class_of);
        draw_classes(&r);
        for (size_t m = 0; m < 5; m++) {
            pv_measure_ref ref;
            assert_int_equal(pv_measure_parse(measures[m], &ref, NULL), PV_STATUS_OK);
            expect_survivors(&r, ref, &said[m], &true_ones[m], &least[m]);
        }
        free(r.class_of);
        random_study_deinit(&r.study);
    }
    for (size_t m = 0; m < 5 && effort_is_whole(); m++) {
        assert_true((true_ones[m] > 0 || m == 0) && said[m] * 10 <= true_ones[m] * 13);
        assert_true(least[m] > 1);
    }
}

/* ----------------------------------------------------------------- refusing */

static const char plan[] = "attributes:\n  a: {role: quasi}\n  s: {role: sensitive}\n"
                           "  c: {role: label}\n";
static const char table[] = "a,s,c\n1,x,p\n2,y,q\n2,x,q\n";

typedef struct {
    bound_study bound;
    pv_profile *profile;
} small;

static small small_open(const char *plan_text, const char *table_text)
{
    small s = {.bound = bound_study_create(plan_text, table_text)};
    s.profile = bound_profile(s.bound.study, 1);
    return s;
}

static void small_close(small *s)
{
    pv_profile_free(s->profile);
    bound_study_free(&s->bound);
}

static bool is_rule(const char *name)
{
    static const char *const rules[] = {"k",           "l-distinct",  "l-entropy",
                                        "l-recursive", "t-closeness", NULL};
    size_t i = 0;
    while (rules[i] != NULL && strcmp(rules[i], name) != 0) {
        i++;
    }
    return rules[i] != NULL;
}

static void what_unions_may_break_is_refused(void **state)
{
    small s = small_open(plan, table);
    (void)state;
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        const pv_constraint demand = {
            .ref = {.measure = measure, .parameter = measure->parameter_default}, .bound = 1};
        pv_class_rules rules;
        pv_error error = {0};
        assert_int_equal(pv_i_class_rules_init(&rules, s.profile, &demand, 1, &error),
                         is_rule(measure->name) ? PV_STATUS_OK : PV_STATUS_ARGUMENT);
        assert_int_equal(is_rule(measure->name), error.message[0] == '\0');
        assert_true(is_rule(measure->name) || strstr(error.message, measure->name) != NULL);
    }
    small_close(&s);
}

static void without_sensitive_values_only_k_can_be_demanded(void **state)
{
    small s = small_open("attributes: {a: {role: quasi}, s: {role: quasi}}", table);
    (void)state;
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        const pv_constraint demand = {
            .ref = {.measure = measure, .parameter = measure->parameter_default}, .bound = 1};
        pv_class_rules rules;
        assert_int_equal(pv_i_class_rules_init(&rules, s.profile, &demand, 1, NULL),
                         strcmp(measure->name, "k") == 0 ? PV_STATUS_OK : PV_STATUS_ARGUMENT);
    }
    small_close(&s);
}

static uint64_t k_of(const small *s, const double *bounds, size_t n)
{
    pv_constraint demands[4];
    pv_class_rules rules;
    for (size_t i = 0; i < n; i++) {
        demands[i] = (pv_constraint){{.measure = pv_measure_find("k")}, bounds[i]};
    }
    assert_int_equal(pv_i_class_rules_init(&rules, s->profile, demands, n, NULL), PV_STATUS_OK);
    assert_int_equal(rules.n_rules, 0);
    assert_int_equal(rules.n_sensitive, 0);
    return rules.k;
}

static void of_several_k_the_largest_counts(void **state)
{
    small s = small_open(plan, table);
    (void)state;
    assert_int_equal(k_of(&s, NULL, 0), 0);
    assert_int_equal(k_of(&s, (const double[]){3, 7, 5}, 3), 7);
    assert_int_equal(k_of(&s, (const double[]){2.5}, 1), 3);
    assert_int_equal(k_of(&s, (const double[]){0}, 1), 0);
    assert_true(k_of(&s, (const double[]){1e300}, 1) > UINT32_MAX);
    small_close(&s);
}

static void there_is_a_limit(void **state)
{
    small s = small_open(plan, table);
    pv_constraint demands[PV_MOST_RULES + 1];
    pv_class_rules rules;
    (void)state;
    for (size_t i = 0; i <= PV_MOST_RULES; i++) {
        demands[i] = (pv_constraint){{.measure = pv_measure_find("l-distinct")}, 1};
    }
    assert_int_equal(pv_i_class_rules_init(&rules, s.profile, demands, PV_MOST_RULES, NULL),
                     PV_STATUS_OK);
    assert_int_equal(pv_i_class_rules_init(&rules, s.profile, demands, PV_MOST_RULES + 1, NULL),
                     PV_STATUS_LIMIT);
    small_close(&s);
}

/* One sensitive attribute more than can be counted: k alone is fine. */
static void sensitive_attributes_are_limited(void **state)
{
    pv_buffer plan_text = {0};
    pv_buffer names = {0};
    pv_buffer values = {0};
    pv_class_rules rules;
    (void)state;
    pv_i_buffer_text(&plan_text, "attributes:\n  a: {role: quasi}\n");
    pv_i_buffer_text(&names, "a");
    pv_i_buffer_text(&values, "\n1");
    for (size_t i = 0; i <= PV_MOST_RULED_COLUMNS; i++) {
        pv_i_buffer_format(&plan_text, "  s%zu: {role: sensitive}\n", i);
        pv_i_buffer_format(&names, ",s%zu", i);
        pv_i_buffer_text(&values, ",x");
    }
    pv_i_buffer_text(&names, values.data);
    small s = small_open(plan_text.data, names.data);
    const pv_constraint demands[] = {{{.measure = pv_measure_find("k")}, 2},
                                     {{.measure = pv_measure_find("l-distinct")}, 2}};
    assert_int_equal(pv_i_class_rules_init(&rules, s.profile, demands, 1, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_class_rules_init(&rules, s.profile, demands, 2, NULL), PV_STATUS_LIMIT);
    small_close(&s);
    pv_i_buffer_deinit(&plan_text);
    pv_i_buffer_deinit(&names);
    pv_i_buffer_deinit(&values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_survive_unions),
        cmocka_unit_test(no_more_survive_than_can),
        cmocka_unit_test(what_unions_may_break_is_refused),
        cmocka_unit_test(without_sensitive_values_only_k_can_be_demanded),
        cmocka_unit_test(of_several_k_the_largest_counts),
        cmocka_unit_test(there_is_a_limit),
        cmocka_unit_test(sensitive_attributes_are_limited),
    };
    return cmocka_run_group_tests_name("rules of classes", tests, NULL, NULL);
}
