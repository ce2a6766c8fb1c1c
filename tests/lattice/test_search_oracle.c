/* The fronts of `exhaustive`, `exact` and `auto` against brute force by the oracle: random small
 * tables with ragged hierarchies and ties, with and without suppression. */
#include "support/front_search.h"
#include "support/random_study.h"
#include "support/testing.h"

/* ------------------------------------------------------------- what is asked */

/* When the bounds of docs/model.md, section 3 hold for all objectives. */
typedef enum { ALWAYS, UNSUPPRESSED, NEVER } pruning;

typedef struct {
    const char *objectives[4];
    pruning exact;
} question;

static const question questions[] = {
    {{"k", "glm"}, ALWAYS},
    {{"k", "dcn"}, ALWAYS},
    {{"k", "cm"}, ALWAYS},
    {{"k", "nwp"}, ALWAYS},
    {{"k", "precision"}, ALWAYS},
    {{"glm", "k"}, ALWAYS},
    {{"k", "leaf-utility"}, ALWAYS},
    {{"k", "entropy"}, ALWAYS},
    {{"risk", "glm"}, ALWAYS},
    {{"k", "glm", "cm"}, ALWAYS},
    {{"k", "glm", "dcn"}, ALWAYS},
    {{"l-distinct", "glm"}, UNSUPPRESSED},
    {{"l-entropy", "dcn"}, UNSUPPRESSED},
    {{"l-recursive(3)", "nwp"}, UNSUPPRESSED},
    {{"t-closeness", "glm"}, UNSUPPRESSED},
    {{"k", "l-distinct", "glm"}, UNSUPPRESSED},
    {{"k", "t-closeness", "cm"}, UNSUPPRESSED},
    {{"sum-k", "glm"}, UNSUPPRESSED},
    {{"sum-l", "glm"}, UNSUPPRESSED},
    {{"glm", "sum-l"}, UNSUPPRESSED},
    {{"risk-mean", "glm"}, UNSUPPRESSED},
    {{"risk-above", "nwp"}, UNSUPPRESSED},
    {{"risk-above", "dcn"}, UNSUPPRESSED},
    {{"sum-k", "cm"}, UNSUPPRESSED},
    {{"sum-k", "sum-l", "glm"}, UNSUPPRESSED},
    {{"k", "risk-mean", "entropy"}, UNSUPPRESSED},
    {{"gini", "glm"}, NEVER},
    {{"necd", "aecs"}, NEVER},
    {{"sum-k", "aecs"}, NEVER},
};
enum { N_QUESTIONS = sizeof questions / sizeof *questions };

/* Without the parameter. */
static const oracle_measure *measure_named(const char *name)
{
    return oracle_same(name, "l-recursive(3)") ? oracle_find("l-recursive") : oracle_find(name);
}

static bool can_be_asked(const question *q, const oracle_table *table)
{
    for (size_t i = 0; i < 4 && q->objectives[i] != NULL; i++) {
        const char *const name = measure_named(q->objectives[i])->name;
        const pv_measure *const measure = pv_measure_find(name);
        assert_non_null(measure);
        if (((measure->needs & PV_NEEDS_SENSITIVE) && table->n_sensitive == 0) ||
            ((measure->needs & PV_NEEDS_LABEL) && table->label == NULL) ||
            (oracle_same(name, "sum-l") && table->n_sensitive > 1)) {
            return false;
        }
    }
    return true;
}

static oracle_objectives objectives_of(const question *q)
{
    oracle_objectives o = {0};
    for (; o.n < 4 && q->objectives[o.n] != NULL; o.n++) {
        const oracle_measure *const measure = measure_named(q->objectives[o.n]);
        o.measure[o.n] = oracle_index(measure);
        o.more[o.n] = pv_measure_find(measure->name)->direction == PV_MORE_IS_BETTER;
    }
    return o;
}

/* ----------------------------------------------------------------- comparing */

typedef struct {
    random_study *study;
    const oracle_lattice *lattice;
    const question *question;
    oracle_objectives objectives;
    pv_suppression suppression;
    const pv_constraint *demand; /* NULL = none besides the target */
    oracle_point *points;        /* what the front should be */
    size_t n_points;
    const char *method; /* being compared */
} trial;

static void print_levels(const uint8_t *levels, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        print_error("%s%u", i == 0 ? "" : ",", levels[i]);
    }
}

/* What went wrong, in full: the table is small. */
static void differ(const trial *t, const pv_front *front, const char *what)
{
    const size_t n_axes = t->lattice->n_axes;
    print_error("%s: %s of (%s, %s, %s), budget %llu, target %llu\n%s\n%s\n", what, t->method,
                t->question->objectives[0], t->question->objectives[1],
                t->question->objectives[2] == NULL ? "-" : t->question->objectives[2],
                (unsigned long long)t->suppression.budget,
                (unsigned long long)t->suppression.target_k, t->study->csv.data,
                t->study->text.data);
    for (size_t i = 0; i < t->n_points; i++) {
        print_error("oracle  ");
        print_levels(t->points[i].node->levels, n_axes);
        for (size_t o = 0; o < t->objectives.n; o++) {
            print_error(" %.17g", t->points[i].node->values[t->objectives.measure[o]]);
        }
        print_error(" ties %zu\n", t->points[i].ties);
    }
    for (size_t i = 0; i < front->n_points; i++) {
        print_error("library ");
        print_levels(front->points[i].levels, n_axes);
        for (size_t o = 0; o < front->n_objectives; o++) {
            print_error(" %.17g", front->points[i].values[o]);
        }
        print_error(" ties %llu\n", (unsigned long long)front->points[i].ties);
    }
    fail_msg("evaluated %llu of %g", (unsigned long long)front->evaluated, front->nodes);
}

static void compare_point(const trial *t, const pv_front *front, size_t i)
{
    const pv_point *const point = &front->points[i];
    const oracle_node *const node = t->points[i].node;
    for (size_t o = 0; o < t->objectives.n; o++) {
        if (!oracle_near(point->values[o], node->values[t->objectives.measure[o]])) {
            differ(t, front, "values");
        }
    }
    if (pv_front_has_bounds(front)) { /* one of those that are equal, and nobody counts them */
        assert_int_equal(point->k, node->k);
        return;
    }
    if (memcmp(point->levels, node->levels, t->lattice->n_axes) != 0) {
        differ(t, front, "levels");
    }
    if (point->ties != t->points[i].ties) {
        differ(t, front, "ties");
    }
    assert_int_equal(point->k, node->k);
    assert_int_equal(point->suppressed, node->suppressed);
}

static void compare_front(const trial *t, const pv_front *front)
{
    assert_int_equal(front->n_levels, t->lattice->n_axes);
    assert_int_equal(front->n_objectives, t->objectives.n);
    search_expect_complete(front, t->lattice->n_schemes);
    if (front->n_points != t->n_points) {
        differ(t, front, "number of points");
    }
    for (size_t i = 0; i < t->n_points; i++) {
        compare_point(t, front, i);
    }
}

/* ------------------------------------------------------------------- methods */

static search_request request_of(const trial *t, const char *method, unsigned threads)
{
    return (search_request){.objectives = t->question->objectives,
                            .method = method,
                            .suppression = t->suppression,
                            .demand = t->demand,
                            .threads = threads,
                            .memory = 1 + random_below(t->study, 5000)};
}

static void expect_threads_alike(const trial *t, const char *method, const pv_front *alone)
{
    for (unsigned threads = 2; threads <= 7; threads += 5) {
        const search_request request = request_of(t, method, threads);
        pv_front *const shared = search_front(t->study->profile, &request);
        search_expect_same(alone, shared);
        pv_front_free(shared);
    }
}

static void compare_exhaustive(trial *t, bool threads)
{
    const search_request request = request_of(t, "exhaustive", 1);
    pv_front *const front = search_front(t->study->profile, &request);
    t->method = front->method;
    assert_string_equal(front->method, "exhaustive");
    assert_null(front->reason);
    assert_int_equal(front->evaluated, t->lattice->n_schemes);
    compare_front(t, front);
    if (threads) {
        expect_threads_alike(t, "exhaustive", front);
    }
    pv_front_free(front);
}

/* Must it run, must it refuse? A rule with a target is free to be either: it leaves k free to
 * fall. */
static void expect_answer(const trial *t, const pv_front *front, const pv_error *error)
{
    const bool raw = t->suppression.budget == 0;
    const pruning exact = t->question->exact;
    if (t->suppression.target_k == 0 && t->demand == NULL &&
        (exact == ALWAYS || (exact == UNSUPPRESSED && raw))) {
        bound_must(error->status, error);
    }
    if (exact == NEVER) {
        assert_null(front);
    }
    if (front == NULL) {
        assert_int_equal(error->status, PV_STATUS_ARGUMENT);
        assert_true(error->message[0] != '\0');
    }
}

static bool compare_exact(trial *t, bool threads)
{
    pv_error error;
    const search_request request = request_of(t, "exact", 1);
    pv_front *const front = search_try(t->study->profile, &request, &error);
    const bool ran = front != NULL;
    expect_answer(t, front, &error);
    if (ran) {
        t->method = front->method;
        assert_string_equal(front->method, "exact");
        assert_null(front->reason);
        compare_front(t, front);
    }
    if (ran && threads) {
        expect_threads_alike(t, "exact", front);
    }
    pv_front_free(front);
    return ran;
}

static void compare_auto(trial *t, bool exact_ran)
{
    const search_request request = request_of(t, random_one_in(t->study, 2) ? "auto" : NULL, 2);
    pv_front *const front = search_front(t->study->profile, &request);
    t->method = front->method;
    assert_non_null(front->reason);
    assert_true(front->reason[0] != '\0');
    if (!exact_ran) {
        assert_string_equal(front->method, "exhaustive");
    }
    compare_front(t, front);
    pv_front_free(front);
}

/* As in a large lattice: a first front, a sample, and a proof that may be given up. */
static void compare_auto_in_steps(trial *t)
{
    static const double works[] = {1, 300, 3000, 30000};
    search_request request = request_of(t, NULL, 2);
    request.proof_work = works[pv_i_rng_below(t->study->rng, 4)];
    pv_front *const front = search_front(t->study->profile, &request);
    t->method = front->method;
    if (front->complete) {
        compare_front(t, front);
    } else {
        assert_string_equal(front->method, "pbg-hybrid");
    }
    request.threads = 1;
    pv_front *const alone = search_front(t->study->profile, &request);
    search_expect_same(alone, front);
    pv_front_free(alone);
    pv_front_free(front);
}

static void compare_question(random_study *s, const oracle_lattice *lattice, const question *q,
                             pv_suppression suppression, const pv_constraint *demand)
{
    const bool threads = random_one_in(s, 12);
    trial t = {.study = s,
               .lattice = lattice,
               .question = q,
               .objectives = objectives_of(q),
               .suppression = suppression,
               .demand = demand,
               .points = oracle_array(lattice->n_nodes, sizeof *t.points)};
    t.n_points = oracle_front(lattice, &t.objectives, t.points);
    compare_exhaustive(&t, threads);
    const bool exact_ran = compare_exact(&t, threads);
    if (random_one_in(s, 3)) {
        compare_auto(&t, exact_ran);
        compare_auto_in_steps(&t);
    }
    free(t.points);
}

/* ---------------------------------------------------------------- the tables */

/* None; the plan's share; a number of rows, also too many; a target that may be out of reach. */
static pv_suppression random_suppression(random_study *s)
{
    const size_t n = s->table.n_rows;
    pv_suppression suppression = {.whole_budget = random_one_in(s, 2)};
    switch (random_below(s, 5)) {
    case 0:
    case 1: break;
    case 2: suppression.budget = pv_study_budget(s->bound.study); break;
    case 3: suppression.budget = random_below(s, n + 2); break;
    default:
        suppression.budget = random_below(s, n + 2);
        suppression.target_k = 1 + random_below(s, 1 + n / 3);
    }
    return suppression;
}

/* None, or a rule for classes besides k. */
static oracle_demand random_demand(random_study *s, pv_constraint *constraint)
{
    static const char *const rules[] = {"l-distinct", "l-entropy", "l-recursive", "t-closeness"};
    oracle_demand demand = {.name = NULL};
    if (s->table.n_sensitive > 0 && random_one_in(s, 2)) {
        const bool more = random_below(s, 4) < 3;
        demand = (oracle_demand){.name = more ? rules[random_below(s, 3)] : rules[3],
                                 .bound = (more ? 3 : 1) * (double)random_below(s, 100) / 100,
                                 .more = more};
        *constraint =
            (pv_constraint){.ref = {.measure = pv_measure_find(demand.name), .parameter = 3},
                            .bound = demand.bound};
        random_column(s, &constraint->ref);
        demand.sensitive = random_column_of(&constraint->ref);
    }
    return demand;
}

/* Some questions of those that can be asked of the table; `raw`: of those only that exact search
 * answers as long as nothing is suppressed. */
static size_t random_questions(random_study *s, bool raw, const question **asked)
{
    size_t n = 0;
    for (size_t i = 0; i < 4; i++) {
        const question *const q = &questions[random_below(s, N_QUESTIONS)];
        if (can_be_asked(q, &s->table) && (!raw || q->exact == UNSUPPRESSED)) {
            asked[n++] = q;
        }
    }
    return n;
}

static void compare_shape(pv_rng *rng, const random_shape *shape, bool raw)
{
    const question *asked[4];
    random_study s;
    random_study_init(&s, rng, shape);
    const pv_suppression suppression = raw ? (pv_suppression){0} : random_suppression(&s);
    const size_t n = random_questions(&s, raw, asked);
    for (size_t i = 0; i < n; i++) { /* thresholds depend on what is asked for */
        const char *names[5] = {NULL};
        pv_constraint constraint;
        const oracle_demand demand =
            raw ? (oracle_demand){.name = NULL} : random_demand(&s, &constraint);
        for (size_t o = 0; o < 4 && asked[i]->objectives[o] != NULL; o++) {
            names[o] = measure_named(asked[i]->objectives[o])->name;
        }
        oracle_lattice lattice = oracle_lattice_create(
            &s.table, suppression.budget, suppression.target_k, suppression.whole_budget,
            demand.name != NULL ? &demand : NULL, names);
        compare_question(&s, &lattice, asked[i], suppression,
                         demand.name != NULL ? &constraint : NULL);
        oracle_lattice_free(&lattice);
    }
    random_study_deinit(&s);
}

static random_shape small_shape(pv_rng *rng)
{
    const size_t n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4);
    return (random_shape){
        .n_rows = 1 + (size_t)pv_i_rng_below(rng, 1 + pv_i_rng_below(rng, 20)),
        .n_quasi = n_quasi,
        .n_values = 1 + (size_t)pv_i_rng_below(rng, 6),
        .n_sensitive = (size_t)pv_i_rng_below(rng, 4),
        .label = pv_i_rng_below(rng, 2) == 0,
        .missing = pv_i_rng_below(rng, 3) == 0 ? 5 : 0,
        .heights = 1 + (unsigned)pv_i_rng_below(rng, n_quasi > 3   ? 2
                                                     : n_quasi > 2 ? 3
                                                                   : 5),
        .uniform = pv_i_rng_below(rng, 2) == 0,
        .copies = pv_i_rng_below(rng, 3) == 0 ? 3 : 0,
    };
}

static void small_tables_agree(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 1);
    for (size_t i = 0; i < effort(3000); i++) {
        const random_shape shape = small_shape(&rng);
        compare_shape(&rng, &shape, false);
    }
}

static void compare_often(uint64_t seed, size_t n_tables, const random_shape *shape)
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (size_t i = 0; i < effort(n_tables); i++) {
        compare_shape(&rng, shape, false);
    }
}

static void one_row_agrees(void **state)
{
    (void)state;
    compare_often(2, 60,
                  &(random_shape){.n_rows = 1,
                                  .n_quasi = 2,
                                  .n_values = 3,
                                  .n_sensitive = 1,
                                  .label = true,
                                  .missing = 3,
                                  .heights = 3});
}

static void constant_columns_agree(void **state)
{
    (void)state;
    compare_often(3, 60,
                  &(random_shape){.n_rows = 6,
                                  .n_quasi = 3,
                                  .n_values = 1,
                                  .n_sensitive = 1,
                                  .label = true,
                                  .heights = 3});
}

static void one_quasi_identifier_agrees(void **state)
{
    (void)state;
    compare_often(4, 100,
                  &(random_shape){.n_rows = 14,
                                  .n_quasi = 1,
                                  .n_values = 9,
                                  .n_sensitive = 1,
                                  .label = true,
                                  .missing = 6,
                                  .heights = 6});
}

static void distinct_rows_agree(void **state)
{
    (void)state;
    compare_often(5, 25,
                  &(random_shape){.n_rows = 24,
                                  .n_quasi = 3,
                                  .n_values = 30,
                                  .full = true,
                                  .n_sensitive = 1,
                                  .label = true,
                                  .heights = 3,
                                  .uniform = true});
}

/* Lattices deep enough for most of them to be pruned. */
static void deep_lattices_agree(void **state)
{
    (void)state;
    compare_often(8, 6,
                  &(random_shape){.n_rows = 30,
                                  .n_quasi = 3,
                                  .n_values = 12,
                                  .full = true,
                                  .n_sensitive = 1,
                                  .label = true,
                                  .heights = 6});
}

/* What gets no worse upward only while nothing is suppressed: the l's, t, spreads and mean risks.
 * Some of the lattices are deep enough for most of them to be pruned. */
static void unsuppressed_tables_agree(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 7);
    for (size_t i = 0; i < effort(200); i++) {
        random_shape shape = small_shape(&rng);
        shape.n_sensitive = 1;
        shape.label = true;
        if (i % 20 == 0) {
            shape = (random_shape){.n_rows = 20,
                                   .n_quasi = 3,
                                   .n_values = 9,
                                   .n_sensitive = 1,
                                   .label = true,
                                   .heights = 5,
                                   .copies = 3};
        }
        compare_shape(&rng, &shape, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_tables_agree),        cmocka_unit_test(one_row_agrees),
        cmocka_unit_test(constant_columns_agree),    cmocka_unit_test(one_quasi_identifier_agrees),
        cmocka_unit_test(distinct_rows_agree),       cmocka_unit_test(deep_lattices_agree),
        cmocka_unit_test(unsuppressed_tables_agree),
    };
    return cmocka_run_group_tests_name("fronts against the oracle", tests, NULL, NULL);
}
