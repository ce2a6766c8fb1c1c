/* Local recoding against brute force: every released table keeps its demands, by counting released
 * texts; nothing is below the least loss of any division of the rows into classes, and the bound is
 * never above it; the prices of the bound keep their condition in every set of k rows. */
#include "records/local.h"
#include "support/recode_oracle.h"
#include "support/testing.h"

#include "base/memory.h"
#include <math.h>
#include <paravent/local.h>

enum { MOST_ROWS = 8, SUBSETS = 1 << MOST_ROWS };
#define SLACK 1e-6

/* -------------------------------------------------------------- the oracle */

/* Classes are sets of rows: rows that are alike may be in different ones. */
typedef struct {
    const oracle_table *table;
    size_t k;
    double cost[SUBSETS];  /* of all rows of a set as one class, without demands */
    bool starred[SUBSETS]; /* nothing is left of it */
    double best[SUBSETS];  /* the best division into classes of at least k */
} rows_oracle;

static double domain_of(const oracle_table *t, size_t q)
{
    return oracle_leaves_under(&t->quasi[q], t->n_rows, oracle_height(&t->quasi[q]), ORACLE_ROOT);
}

/* The least a row loses in an attribute as what covers all rows of a set. */
static double common_loss(const oracle_table *t, size_t q, unsigned set, bool *is_root)
{
    const oracle_column *const column = &t->quasi[q];
    size_t first = 0;
    while ((set >> first & 1) == 0) {
        first++;
    }
    for (unsigned level = 0; level <= oracle_height(column); level++) {
        const char *const group = oracle_group(column, column->cells[first], level);
        bool covers = true;
        for (size_t row = 0; row < t->n_rows; row++) {
            covers = covers && ((set >> row & 1) == 0 ||
                                oracle_lies_under(column, level, column->cells[row], group));
        }
        if (covers) {
            const double domain = domain_of(t, q);
            const double leaves = oracle_leaves_under(column, t->n_rows, level, group);
            *is_root = oracle_same(group, ORACLE_ROOT);
            return domain > 1 ? (leaves - 1) / (domain - 1) : 0;
        }
    }
    *is_root = true;
    return 1;
}

static void price_sets(rows_oracle *o)
{
    for (unsigned set = 1; set < 1u << o->table->n_rows; set++) {
        o->cost[set] = 0;
        o->starred[set] = true;
        for (size_t q = 0; q < o->table->n_quasi; q++) {
            bool is_root;
            o->cost[set] += common_loss(o->table, q, set, &is_root);
            o->starred[set] &= is_root;
        }
        o->cost[set] *= (double)__builtin_popcount(set);
    }
}

static void divide_sets(rows_oracle *o)
{
    o->best[0] = 0;
    for (unsigned set = 1; set < 1u << o->table->n_rows; set++) {
        const unsigned lowest = set & (0 - set);
        o->best[set] = (double)INFINITY;
        for (unsigned part = set; part > 0; part = (part - 1) & set) {
            if ((part & lowest) != 0 && (size_t)__builtin_popcount(part) >= o->k &&
                !o->starred[part]) {
                o->best[set] = fmin(o->best[set], o->cost[part] + o->best[set & ~part]);
            }
        }
    }
}

/* The least loss of all rows with at most so many of them suppressed. */
static double optimum(const rows_oracle *o, size_t budget)
{
    const unsigned all = (1u << o->table->n_rows) - 1;
    double best = o->table->n_rows >= o->k ? o->cost[all] : (double)INFINITY;
    for (unsigned lost = 0; lost < all; lost++) {
        const size_t n = (size_t)__builtin_popcount(lost);
        if (n <= budget) {
            best = fmin(best, o->best[all & ~lost] + (double)(n * o->table->n_quasi));
        }
    }
    return best;
}

/* ------------------------------------------------------------------ trials */

typedef struct {
    random_study study;
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    size_t n_demands;
    uint64_t budget;
    rows_oracle oracle;
} trial;

static void trial_init(trial *t, pv_rng *rng, const char *demands, size_t k)
{
    pv_error error = {0};
    random_shape shape = records_shape(rng);
    shape.n_rows = 2 + (size_t)pv_i_rng_below(rng, MOST_ROWS - 1);
    shape.n_sensitive = 1;
    shape.n_values = 2 + (size_t)pv_i_rng_below(rng, 5);
    shape.copies = pv_i_rng_below(rng, 2) == 0 ? 2 : 0;
    random_study_init(&t->study, rng, &shape);
    t->n_demands = 0;
    bound_must(pv_constraints_parse(demands, t->demands, &t->n_demands, &error), &error);
    t->budget = pv_i_rng_below(rng, 3);
    t->oracle.table = &t->study.table;
    t->oracle.k = k;
    price_sets(&t->oracle);
    divide_sets(&t->oracle);
}

static pv_local *find(const trial *t, unsigned threads, pv_status *status)
{
    const pv_context context = {.threads = threads};
    const pv_budget budget = {.rows = t->budget};
    const pv_local_options options = {.context = &context,
                                      .demands = t->demands,
                                      .n_demands = t->n_demands,
                                      .budget = &budget,
                                      .improve_steps = 200};
    pv_local *local = NULL;
    pv_error error = {0};
    *status = pv_local_find(t->study.bound.study, &options, &local, &error);
    assert_int_equal(local != NULL, *status == PV_STATUS_OK);
    assert_true(*status == PV_STATUS_OK || error.message[0] != '\0');
    return local;
}

/* The levels of every row: those of the parts of its tuple in turn. */
static unsigned *levels_by_row(const trial *t, const pv_scheme *scheme)
{
    const size_t n = t->study.table.n_quasi;
    const size_t n_tuples = pv_profile_tuples(t->study.profile);
    unsigned *const levels = oracle_array(t->study.table.n_rows * n, sizeof *levels);
    uint64_t *const taken = oracle_array(n_tuples, sizeof *taken);
    memset(taken, 0, n_tuples * sizeof *taken);
    for (size_t row = 0; row < t->study.table.n_rows; row++) {
        const size_t tuple = pv_profile_tuple(t->study.profile, row);
        size_t at = tuple;
        if (scheme->part_tuple != NULL) {
            uint64_t before = taken[tuple];
            at = 0;
            while (scheme->part_tuple[at] != tuple || before >= scheme->part_rows[at]) {
                before -= scheme->part_tuple[at] == tuple ? scheme->part_rows[at] : 0;
                at++;
                assert_true(at < scheme->n_parts);
            }
            taken[tuple]++;
        }
        for (size_t q = 0; q < n; q++) {
            levels[row * n + q] = scheme->records[at * n + q];
        }
    }
    free(taken);
    return levels;
}

/* glm of the table that comes of it, by strings. */
static double expect_release(trial *t, const pv_local *local)
{
    oracle_table *const table = &t->study.table;
    unsigned *const levels = levels_by_row(t, pv_local_scheme(local));
    table->levels = levels;
    oracle_release release = oracle_release_records(table);
    double loss = 0;
    assert_true(release.n_suppressed <= t->budget);
    assert_int_equal(release.n_suppressed, pv_local_suppressed(local));
    for (size_t row = 0; row < table->n_rows; row++) {
        loss += oracle_row_glm(&release, row, 0);
        assert_true(release.suppressed[row] || release.look_alike[row] != row ||
                    recode_class_keeps(&release, row, t->demands, t->n_demands));
    }
    oracle_release_free(&release);
    table->levels = NULL;
    free(levels);
    return loss;
}

static void expect_same(const pv_local *a, const pv_local *b)
{
    const pv_scheme *const x = pv_local_scheme(a);
    const pv_scheme *const y = pv_local_scheme(b);
    assert_int_equal(x->n_parts, y->n_parts);
    assert_true(pv_local_value(a) <= pv_local_value(b) && pv_local_value(a) >= pv_local_value(b));
    assert_true(pv_local_bound(a) <= pv_local_bound(b) && pv_local_bound(a) >= pv_local_bound(b));
    if (x->n_parts > 0) {
        assert_memory_equal(x->part_tuple, y->part_tuple, x->n_parts * sizeof *x->part_tuple);
        assert_memory_equal(x->part_rows, y->part_rows, x->n_parts * sizeof *x->part_rows);
        assert_memory_equal(x->records, y->records, x->n_parts * x->n_levels);
    }
}

/* How far results and bounds were from the optimum, over all trials. */
typedef struct {
    double found, best, bound;
    size_t divided;
} tally;

static void check_trial(trial *t, bool only_k, tally *sum)
{
    pv_status status;
    pv_status again;
    const double best = optimum(&t->oracle, t->budget);
    pv_local *const local = find(t, 1, &status);
    pv_local *const other = find(t, 3, &again);
    assert_int_equal(status, again);
    if (status != PV_STATUS_OK) {
        assert_int_equal(status, PV_STATUS_UNSATISFIED);
        assert_true(!only_k || isinf(best));
        return;
    }
    expect_same(local, other);
    const double loss = expect_release(t, local);
    assert_true(fabs(loss - pv_local_value(local)) < SLACK);
    assert_true(loss >= best - SLACK);
    assert_true(pv_local_bound(local) <= best + SLACK);
    assert_true(pv_local_gap(local) >= 0);
    sum->found += loss;
    sum->best += best;
    sum->bound += pv_local_bound(local);
    sum->divided += pv_local_divided(local) > 0;
    pv_local_free(local);
    pv_local_free(other);
}

static void check_many(const char *demands, size_t k, bool only_k, unsigned trials, tally *sum)
{
    pv_rng rng;
    pv_i_rng_init(&rng, 17 + k);
    const size_t n = effort(trials);
    for (size_t i = 0; i < n; i++) {
        trial t;
        trial_init(&t, &rng, demands, k);
        check_trial(&t, only_k, sum);
        random_study_deinit(&t.study);
    }
}

static void k_alone(void **state)
{
    tally sum = {0};
    (void)state;
    check_many("k=2", 2, true, 150, &sum);
    check_many("k=3", 3, true, 150, &sum);
    check_many("k=1", 1, true, 20, &sum);
    check_many("k=5", 5, true, 30, &sum);
    assert_true(sum.divided > 0);
    assert_true(sum.found <= 1.1 * sum.best);
    assert_true(sum.bound >= 0.6 * sum.best);
}

/* The optimum for k alone is a bound of these, too. */
static void with_other_demands(void **state)
{
    tally sum = {0};
    (void)state;
    check_many("k=2,l-distinct=2", 2, false, 80, &sum);
    check_many("l-distinct=3", 3, false, 50, &sum);
    check_many("k=2,l-entropy=1.5", 2, false, 50, &sum);
    check_many("k=2,t-closeness=0.4", 2, false, 80, &sum);
    check_many("k=2,l-distinct=2,l-entropy=1.2,t-closeness=0.6", 2, false, 50, &sum);
}

/* ------------------------------------------------------------------ prices */

/* In every set of k rows prices sum to at most what the set loses as one class. */
static void expect_prices(const trial *t, const pv_local_space *space, const double *prices)
{
    for (unsigned set = 1; set < 1u << t->study.table.n_rows; set++) {
        double sum = 0;
        if ((size_t)__builtin_popcount(set) != space->k) {
            continue;
        }
        for (size_t row = 0; row < t->study.table.n_rows; row++) {
            sum += (set >> row & 1) != 0 ? prices[pv_profile_tuple(t->study.profile, row)] : 0;
        }
        assert_true(sum * space->unit <= t->oracle.cost[set] + SLACK);
    }
}

static void prices_keep_their_condition(void **state)
{
    pv_rng rng;
    pv_i_rng_init(&rng, 5);
    (void)state;
    const size_t n = effort(150);
    for (unsigned i = 0; i < n; i++) {
        trial t;
        pv_meter meter = {0};
        pv_local_space space = {0};
        pv_local_draft draft = {0};
        pv_local_account account;
        const pv_local_settings settings = {.seed = 1, .improve_seconds = -1};
        const pv_local_proof_settings sweeps = {.max_sweeps = 1 + i % 4};
        double prices[MOST_ROWS] = {0};
        pv_local_proof proof = {.prices = prices};
        pv_error error = {0};
        trial_init(&t, &rng, i % 2 == 0 ? "k=2" : "k=3", 2 + i % 2);
        const pv_measure_ref glm = {.measure = pv_measure_find("glm")};
        bound_must(pv_i_meter_init(&meter, glm, t.study.profile, &error), &error);
        bound_must(pv_i_local_space_init(&space, t.study.profile, &meter, t.demands, t.n_demands,
                                         t.budget, &error),
                   &error);
        assert_true(pv_i_local_classes_init(&draft, &space));
        if (pv_i_local_find(&space, &settings, &draft, &account, &error) == PV_STATUS_OK) {
            bound_must(pv_i_local_bound(&draft, &sweeps, &proof, &error), &error);
            expect_prices(&t, &space, prices);
        }
        pv_i_local_classes_deinit(&draft);
        pv_i_local_space_deinit(&space);
        pv_i_meter_deinit(&meter);
        random_study_deinit(&t.study);
    }
}

/* --------------------------------------------------------------- by hand */

/* A recoding that must exist, of a table given as text. */
static pv_local *find_in(const bound_study *s, const char *demands, uint64_t rows)
{
    const pv_budget budget = {.rows = rows};
    pv_constraint list[PV_MAX_CONSTRAINTS];
    pv_local_options options = {.demands = list, .budget = &budget};
    pv_local *local = NULL;
    pv_error error = {0};
    bound_must(pv_constraints_parse(demands, list, &options.n_demands, &error), &error);
    bound_must(pv_local_find(s->study, &options, &local, &error), &error);
    return local;
}

static void expect_near(double value, double wanted)
{
    assert_true(fabs(value - wanted) < SLACK);
}

/* One row is unlike nine that are alike: two of those, not all, are released with it. Two
 * that are unlike borrow no more together than the class can spare. */
static void tuples_are_divided(void **state)
{
    static const char plan[] = "attributes:\n  age: {role: quasi, hierarchy: {intervals: [10]}}\n"
                               "  place: {role: quasi}\n";
    bound_study s = bound_study_create(plan, "age,place\n1,x\n1,x\n1,x\n1,x\n1,x\n1,x\n1,x\n"
                                             "1,x\n1,x\n5,x\n");
    (void)state;
    pv_local *local = find_in(&s, "k=3", 0);
    assert_int_equal(pv_local_divided(local), 1);
    assert_int_equal(pv_local_classes(local), 2);
    expect_near(pv_local_value(local), 3);
    assert_true(pv_local_bound(local) <= 3 + SLACK);
    pv_local_free(local);
    bound_study_free(&s);
    s = bound_study_create(plan, "age,place\n1,x\n1,x\n1,x\n1,x\n1,x\n5,x\n1,y\n");
    local = find_in(&s, "k=2", 0);
    expect_near(pv_local_value(local), 4); /* each borrows a row, or they are together */
    pv_local_free(local);
    local = find_in(&s, "k=3", 0);
    /* 6 is the best: together, with one borrowed row. Apart they take all there is: 7. */
    assert_true(pv_local_value(local) >= 6 - SLACK && pv_local_value(local) <= 7 + SLACK);
    pv_local_free(local);
    bound_study_free(&s);
}

/* Someone who has nothing in common with anybody is suppressed, if that is allowed; if not, all are
 * `*`, one class. */
static void who_is_left(void **state)
{
    bound_study s =
        bound_study_create("attributes:\n  age: {role: quasi}\n  place: {role: quasi}\n",
                           "age,place\n1,x\n1,x\n1,x\n1,x\n99,z\n");
    (void)state;
    pv_local *local = find_in(&s, "k=2", 1);
    assert_int_equal(pv_local_suppressed(local), 1);
    expect_near(pv_local_value(local), 2);
    pv_local_free(local);
    local = find_in(&s, "k=2", 0);
    assert_int_equal(pv_local_suppressed(local), 0);
    assert_int_equal(pv_local_classes(local), 1);
    expect_near(pv_local_value(local), 10);
    pv_local_free(local);
    bound_study_free(&s);
}

/* What the plan fixes holds for every row. */
static void keeps_to_the_plan(void **state)
{
    bound_study s = bound_study_create(
        "attributes:\n  age: {role: quasi, hierarchy: {intervals: [10, 20]}, max-level: 2}\n"
        "  place: {role: quasi, hierarchy: {mask: right}, level: 1}\n",
        "age,place\n1,ab\n11,ab\n14,ac\n31,ab\n32,bb\n35,bc\n2,bb\n12,bc\n39,bd\n38,ad\n");
    (void)state;
    pv_local *const local = find_in(&s, "k=2", 0);
    const pv_scheme *const scheme = pv_local_scheme(local);
    const pv_profile *profile = NULL;
    pv_error error = {0};
    bound_must(pv_study_profile(s.study, &profile, &error), &error);
    const size_t n = scheme->n_parts > 0 ? scheme->n_parts : pv_profile_tuples(profile);
    for (size_t i = 0; i < n; i++) {
        assert_true(scheme->records[2 * i] <= 2);
        assert_int_equal(scheme->records[2 * i + 1], 1);
    }
    pv_local_free(local);
    bound_study_free(&s);
}

/* Only losses that are sums over attributes of what groups cover. */
static void refuses_other_losses(void **state)
{
    bound_study s = bound_study_create("attributes:\n  age: {role: quasi}\n", "age\n1\n1\n2\n2\n");
    const pv_local_options options = {.minimize = "dcn"};
    pv_local *local = NULL;
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_local_find(s.study, &options, &local, &error), PV_STATUS_ARGUMENT);
    assert_true(local == NULL && error.hint[0] != '\0');
    bound_study_free(&s);
}

/* Before it is improved; docs and README say what comes then. */
static void adult_loses_little(void **state)
{
    (void)state;
    if (!adult_is_here(ADULT "plan.yaml")) {
        skip();
    }
    adult a = adult_open(ADULT "plan.yaml");
    const pv_budget none = {.rows = 0};
    pv_constraint k[PV_MAX_CONSTRAINTS];
    pv_local_options options = {
        .demands = k, .budget = &none, .improve_seconds = -1, .bound_seconds = -1};
    pv_local *local = NULL;
    pv_error error = {0};
    bound_must(pv_constraints_parse("k=5", k, &options.n_demands, &error), &error);
    bound_must(pv_local_find(a.study, &options, &local, &error), &error);
    assert_true(pv_local_value(local) < 0.029 * 30162 * 8);
    assert_true(isinf(pv_local_gap(local)));
    pv_local_free(local);
    adult_close(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(k_alone),
        cmocka_unit_test(with_other_demands),
        cmocka_unit_test(prices_keep_their_condition),
        cmocka_unit_test(tuples_are_divided),
        cmocka_unit_test(who_is_left),
        cmocka_unit_test(keeps_to_the_plan),
        cmocka_unit_test(refuses_other_losses),
        cmocka_unit_test(adult_loses_little),
    };
    return cmocka_run_group_tests_name("local recoding", tests, NULL, NULL);
}
