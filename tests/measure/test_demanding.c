/* Classes with suppression as needed against the oracle, which judges every row by the definitions:
 * every rule alone and every two together, of all sensitive columns or of one, on random tables
 * and levels. */
#include "support/failing_alloc.h"
#include "support/oracle_measures.h"
#include "support/same_release.h"

static const char *const rules[] = {"k", "l-distinct", "l-entropy", "l-recursive", "t-closeness"};
enum { N_RULES = sizeof rules / sizeof *rules };

/* ------------------------------------------------------------ what is demanded */

/* How a row's class does, before anything is suppressed. */
static double score_of(const oracle_release *raw, pv_measure_ref ref, size_t row)
{
    return random_score(raw, &ref, row);
}

/* What some class just keeps, or a little more or less; sometimes what no class keeps. */
static double random_bound(random_study *s, const oracle_release *raw, pv_measure_ref ref)
{
    static const double beside[] = {0, 0, 0, 0.25, -0.25, 1e-6, -1e-6, 1000};
    const double score = score_of(raw, ref, random_below(s, s->table.n_rows));
    return fmax(0, score + beside[random_below(s, 8)]);
}

static pv_constraint random_demand(random_study *s, const oracle_release *raw, const char *name)
{
    static const double cs[] = {3, 2, 1, 0.5, 4.5};
    pv_measure_ref ref = {.measure = pv_measure_find(name)};
    if (ref.measure->parameter != NULL) {
        ref.parameter = cs[random_below(s, 5)];
    }
    random_column(s, &ref);
    return (pv_constraint){.ref = ref, .bound = random_bound(s, raw, ref)};
}

static bool is_broken(const pv_constraint *demand, const oracle_release *raw, size_t row)
{
    const double hair = 1e-9 * fmax(1, fabs(demand->bound)); /* additions in another order */
    const double score = score_of(raw, demand->ref, row);
    return demand->ref.measure->direction == PV_MORE_IS_BETTER ? score < demand->bound - hair
                                                               : score > demand->bound + hair;
}

/* ------------------------------------------------------------------- comparing */

/* What happened, lest the tables be too easy or too hard. */
typedef struct {
    size_t n, n_infeasible, n_some, n_none;
} tally;

/* Just the broken classes, none if they are too many; at least one row always remains. */
static oracle_release release_as_needed(const oracle_table *table, const pv_constraint *demands,
                                        size_t n_demands, uint64_t budget, uint64_t *broken)
{
    const uint64_t most = budget < table->n_rows ? budget : table->n_rows - 1;
    bool *const rows = oracle_array(table->n_rows, sizeof *rows);
    oracle_release release = oracle_release_raw(table);
    uint64_t n = 0;
    for (size_t row = 0; row < table->n_rows; row++) {
        for (size_t d = 0; d < n_demands; d++) {
            const bool breaks = is_broken(&demands[d], &release, row);
            broken[d] += breaks;
            rows[row] |= breaks;
        }
        n += rows[row];
    }
    if (n > most) {
        memset(rows, 0, table->n_rows * sizeof *rows);
    }
    oracle_suppress_rows(&release, rows);
    release.feasible = n <= most;
    free(rows);
    return release;
}

/* `n_rules` of the demands are rules; the others follow and suppress nothing. */
static void compare_demands(random_study *s, const uint8_t *levels, const pv_constraint *demands,
                            size_t n_rules, size_t n_demands, tally *t)
{
    enum { MOST = 3 };
    const size_t n = s->table.n_rows;
    const uint64_t budget = random_one_in(s, 4) ? 0 : random_below(s, n + 2);
    uint64_t expected[MOST] = {0};
    uint64_t broken[MOST] = {77, 77, 77};
    pv_classes *classes = NULL;
    pv_classes *again = NULL;
    pv_error error = {0};
    oracle_release release = release_as_needed(&s->table, demands, n_rules, budget, expected);
    bound_must(pv_classes_create_demanding(s->profile, levels, demands, n_demands, budget, broken,
                                           &classes, &error),
               &error);
    compare_classes(s, &release, classes);
    compare_measures(s, &release, classes);
    for (size_t d = 0; d < n_demands; d++) {
        assert_int_equal(broken[d], expected[d]);
    }
    for (size_t d = 0; d < n_rules && release.feasible; d++) {
        double value;
        assert_int_equal(pv_measure_value(demands[d].ref, classes, &value, NULL), PV_STATUS_OK);
        assert_true(pv_constraint_holds(&demands[d], value));
    }
    bound_must(pv_classes_create_demanding(s->profile, levels, demands, n_demands, budget, NULL,
                                           &again, &error),
               &error);
    assert_int_equal(pv_classes_suppressed(again), release.n_suppressed);
    assert_int_equal(pv_classes_feasible(again), release.feasible);
    t->n++;
    t->n_infeasible += !release.feasible;
    t->n_some += release.n_suppressed > 0;
    t->n_none += release.feasible && release.n_suppressed == 0;
    pv_classes_free(again);
    pv_classes_free(classes);
    oracle_release_free(&release);
}

/* Every rule alone, and every two of them, the same twice as well; k alone if nothing is sensitive.
 */
static void compare_rules(random_study *s, const uint8_t *levels, tally *t)
{
    const size_t n = s->table.n_sensitive > 0 ? N_RULES : 1;
    oracle_release raw = oracle_release_raw(&s->table);
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b <= n; b++) {
            const bool alone = b == n;
            const pv_constraint demands[] = {random_demand(s, &raw, rules[a]),
                                             random_demand(s, &raw, rules[alone ? a : b])};
            compare_demands(s, levels, demands, alone ? 1 : 2, alone ? 1 : 2, t);
        }
    }
    oracle_release_free(&raw);
}

static random_shape shape_of(pv_rng *rng)
{
    return (random_shape){
        .n_rows = 1 + (size_t)pv_i_rng_below(rng, 30),
        .n_quasi = 1 + (size_t)pv_i_rng_below(rng, 3),
        .n_values = 1 + (size_t)pv_i_rng_below(rng, 6),
        .n_sensitive = (size_t)pv_i_rng_below(rng, 4),
        .label = pv_i_rng_below(rng, 2) == 0,
        .missing = pv_i_rng_below(rng, 2) == 0 ? 5 : 0,
        .heights = 1 + (unsigned)pv_i_rng_below(rng, 4),
        .uniform = pv_i_rng_below(rng, 2) == 0,
        .copies = pv_i_rng_below(rng, 3) == 0 ? 3 : 0,
    };
}

static void on_tables(uint64_t seed, size_t n,
                      void (*check)(random_study *s, const uint8_t *levels, tally *t), tally *t)
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (size_t i = 0; i < effort(n); i++) {
        const random_shape shape = shape_of(&rng);
        uint8_t levels[3];
        random_study s;
        random_study_init(&s, &rng, &shape);
        random_levels(&s, levels);
        check(&s, levels, t);
        random_study_deinit(&s);
    }
}

static void just_what_breaks_a_rule_is_suppressed(void **state)
{
    tally t = {0};
    (void)state;
    on_tables(30, 300, compare_rules, &t);
    assert_true(t.n_infeasible > t.n / 20 && t.n_none > t.n / 20 && t.n_some > t.n / 20);
}

/* ------------------------------------------------------------ other demands */

/* After rules, and alone: they suppress nothing, and nobody breaks them. */
static void compare_with_others(random_study *s, const uint8_t *levels, tally *t)
{
    static const char *const others[] = {"glm", "risk", "sum-k", "aecs"};
    oracle_release raw = oracle_release_raw(&s->table);
    const pv_constraint hopeless = {
        .ref = {.measure = pv_measure_find(others[random_below(s, 4)])},
        .bound = random_one_in(s, 2) ? 0 : 1e9,
    };
    const pv_constraint demands[] = {random_demand(s, &raw, "k"), hopeless, hopeless};
    compare_demands(s, levels, demands, 1, 3, t);
    compare_demands(s, levels, demands + 1, 0, 2, t);
    compare_demands(s, levels, NULL, 0, 0, t);
    oracle_release_free(&raw);
}

static void demands_that_are_no_rules_suppress_nothing(void **state)
{
    tally t = {0};
    (void)state;
    on_tables(31, 100, compare_with_others, &t);
    assert_true(t.n_some > 0);
}

/* What is said of a demand stays with it where one that is no rule goes before. */
static void the_place_of_a_demand_stays(void **state)
{
    const uint8_t levels[] = {0};
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    uint64_t broken[3];
    pv_classes *classes = NULL;
    pv_error error = {0};
    bound_study s = bound_study_create("attributes: {a: {role: quasi}, s: {role: sensitive}}\n",
                                       "a,s\n1,x\n2,x\n2,x\n3,x\n3,y\n3,z\n");
    pv_profile *const profile = bound_profile(s.study, 1);
    (void)state;
    bound_must(pv_constraints_parse("l-distinct=2,risk=0,k=2", demands, &n, &error), &error);
    assert_int_equal(n, 3);
    bound_must(
        pv_classes_create_demanding(profile, levels, demands, n, 3, broken, &classes, &error),
        &error);
    assert_int_equal(broken[0], 3);
    assert_int_equal(broken[1], 0);
    assert_int_equal(broken[2], 1);
    assert_true(pv_classes_feasible(classes));
    assert_int_equal(pv_classes_suppressed(classes), 3);
    assert_int_equal(pv_classes_k(classes), 3);
    pv_classes_free(classes);
    bound_must(
        pv_classes_create_demanding(profile, levels, demands, n, 2, broken, &classes, &error),
        &error);
    assert_int_equal(broken[0], 3);
    assert_false(pv_classes_feasible(classes));
    assert_int_equal(pv_classes_suppressed(classes), 0);
    pv_classes_free(classes);
    pv_profile_free(profile);
    bound_study_free(&s);
}

/* -------------------------------------------------------------- what goes wrong */

static void rules_need_their_columns(void **state)
{
    const uint8_t levels[] = {0};
    bound_study s = bound_study_create("attributes: {a: {role: quasi}}\n", "a\n1\n2\n");
    pv_profile *const profile = bound_profile(s.study, 1);
    (void)state;
    for (size_t i = 1; i < N_RULES; i++) {
        const pv_measure *const measure = pv_measure_find(rules[i]);
        const pv_constraint demand = {
            .ref = {.measure = measure, .parameter = measure->parameter_default}, .bound = 1};
        pv_classes *classes = NULL;
        pv_error error = {0};
        assert_int_equal(
            pv_classes_create_demanding(profile, levels, &demand, 1, 1, NULL, &classes, &error),
            PV_STATUS_ARGUMENT);
        assert_non_null(strstr(error.message, rules[i]));
        assert_null(classes);
    }
    pv_profile_free(profile);
    bound_study_free(&s);
}

static pv_status demand_all(void *ctx, pv_error *error)
{
    const pv_study *const study = ctx;
    const uint8_t levels[] = {0};
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    uint64_t broken[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    pv_profile *profile = NULL;
    pv_classes *classes = NULL;
    static const pv_context context = {.threads = 1};
    pv_status status = pv_profile_create(study, &context, &profile, error);
    if (status == PV_STATUS_OK) {
        status = pv_constraints_parse(
            "k=2,l-distinct=2,l-entropy(s)=1.5,l-recursive=2,t-closeness(t)=.9", demands, &n,
            error);
    }
    if (status == PV_STATUS_OK) {
        status =
            pv_classes_create_demanding(profile, levels, demands, n, 3, broken, &classes, error);
    }
    assert_true((classes != NULL) == (status == PV_STATUS_OK));
    pv_classes_free(classes);
    pv_profile_free(profile);
    return status;
}

static void memory_may_run_out(void **state)
{
    bound_study s = bound_study_create("attributes: {a: {role: quasi}, s: {role: sensitive},\n"
                                       "             t: {role: sensitive, distance: equal}}\n",
                                       "a,s,t\n1,1,x\n2,1,x\n2,1,y\n3,1,x\n3,2,y\n3,3,x\n");
    (void)state;
    assert_true(failing_alloc_every(demand_all, s.study) > 10);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(just_what_breaks_a_rule_is_suppressed),
        cmocka_unit_test(demands_that_are_no_rules_suppress_nothing),
        cmocka_unit_test(the_place_of_a_demand_stays),
        cmocka_unit_test(rules_need_their_columns),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("suppression as needed", tests, NULL, NULL);
}
