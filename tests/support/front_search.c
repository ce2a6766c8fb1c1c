/* Searches of a lattice by the library, by brute force, and random questions to both. */
#include "support/front_search.h"

#include "classes/grouping.h"
#include "support/study.h"

#include <math.h>
#include <string.h>

size_t search_objectives(const char *const *names, pv_measure_ref *refs)
{
    size_t n = 0;
    for (; names[n] != NULL; n++) {
        assert_true(n < PV_MAX_OBJECTIVES);
        assert_int_equal(pv_measure_parse(names[n], &refs[n], NULL), PV_STATUS_OK);
    }
    return n;
}

pv_front *search_try(const pv_profile *profile, const search_request *request, pv_error *error)
{
    pv_measure_ref refs[PV_MAX_OBJECTIVES];
    pv_search_options options = {.objectives = refs,
                                 .n_objectives = search_objectives(request->objectives, refs),
                                 .method = request->method,
                                 .suppression = request->suppression,
                                 .demands = request->demand,
                                 .n_demands = request->demand != NULL,
                                 .memory = request->memory,
                                 .max_evaluations = request->max_evaluations,
                                 .max_seconds = request->max_seconds,
                                 .depth = request->depth,
                                 .archive = request->archive,
                                 .seed = request->seed,
                                 .population = request->population,
                                 .iterations = request->iterations,
                                 .patience = request->patience,
                                 .crossover = request->crossover,
                                 .mutation = request->mutation,
                                 .proof_work = request->proof_work,
                                 .start = request->start,
                                 .n_start = request->n_start};
    for (size_t i = 0; request->epsilons != NULL && i < options.n_objectives; i++) {
        options.epsilons[i] = request->epsilons[i];
    }
    const pv_context context = {.threads = request->threads,
                                .progress = request->progress,
                                .progress_ctx = request->progress_ctx};
    pv_front *front = NULL;
    *error = (pv_error){0};
    const pv_status status = pv_search(profile, &options, &context, &front, error);
    assert_int_equal(status, error->status);
    assert_true((front == NULL) == (status != PV_STATUS_OK));
    return front;
}

pv_front *search_front(const pv_profile *profile, const search_request *request)
{
    pv_error error;
    pv_front *const front = search_try(profile, request, &error);
    bound_must(error.status, &error);
    return front;
}

void search_expect_measured(const pv_profile *profile, const pv_front *front, const pv_point *point,
                            pv_suppression rule)
{
    const bool as_needed = !rule.whole_budget || rule.target_k > 0;
    pv_classes *const classes =
        bound_classes(profile, point->levels, rule.budget, as_needed ? point->k : 0);
    assert_true(pv_classes_feasible(classes));
    assert_true(point->k >= rule.target_k);
    assert_true(point->suppressed <= rule.budget);
    assert_int_equal(point->k, pv_classes_k(classes));
    assert_int_equal(point->suppressed, pv_classes_suppressed(classes));
    for (size_t o = 0; o < front->n_objectives; o++) {
        double value = -1;
        assert_int_equal(pv_measure_value(front->objectives[o], classes, &value, NULL),
                         PV_STATUS_OK);
        assert_true(fabs(point->values[o] - value) <= 1e-12 * fmax(1, fabs(value)));
    }
    pv_classes_free(classes);
}

uint64_t search_most_thresholds(pv_suppression rule)
{
    uint64_t n = 0;
    for (uint64_t rows = 1; !rule.whole_budget && rows <= rule.budget; rows += n + 1) {
        n++;
    }
    return n + 1;
}

void search_expect_same_points(const pv_front *a, const pv_front *b)
{
    assert_int_equal(a->n_objectives, b->n_objectives);
    assert_int_equal(a->n_levels, b->n_levels);
    assert_int_equal(a->n_points, b->n_points);
    for (size_t i = 0; i < a->n_points; i++) {
        const pv_point *const p = &a->points[i];
        const pv_point *const q = &b->points[i];
        assert_memory_equal(p->levels, q->levels, a->n_levels);
        assert_memory_equal(p->values, q->values, a->n_objectives * sizeof *p->values);
        assert_int_equal(p->k, q->k);
        assert_int_equal(p->suppressed, q->suppressed);
        assert_int_equal(p->ties, q->ties);
    }
}

static void search_expect_same_moments(const pv_front *a, const pv_front *b)
{
    assert_int_equal(a->n_moments, b->n_moments);
    for (size_t i = 0; i < a->n_moments; i++) {
        assert_int_equal(a->moments[i].evaluated, b->moments[i].evaluated);
        assert_int_equal(a->moments[i].points, b->moments[i].points);
        assert_true(a->moments[i].hypervolume == b->moments[i].hypervolume);
    }
}

void search_expect_same(const pv_front *a, const pv_front *b)
{
    search_expect_same_points(a, b);
    assert_string_equal(a->method, b->method);
    assert_int_equal(a->complete, b->complete);
    assert_int_equal(a->stop, b->stop);
    assert_true(a->nodes == b->nodes);
    assert_int_equal(a->evaluated, b->evaluated);
    assert_int_equal(a->pruned_loss, b->pruned_loss);
    assert_int_equal(a->pruned_mark, b->pruned_mark);
    assert_int_equal(a->seed, b->seed);
    assert_int_equal(a->iterations, b->iterations);
    assert_memory_equal(a->epsilons, b->epsilons, sizeof a->epsilons);
    assert_true(a->most_points == b->most_points);
    search_expect_same_moments(a, b);
}

void search_expect_complete(const pv_front *front, uint64_t nodes)
{
    assert_true(front->complete);
    assert_int_equal(front->stop, PV_STOP_FINISHED);
    assert_true(front->nodes == (double)nodes);
    for (size_t i = 0; pv_front_has_bounds(front) && i < front->n_points; i++) {
        assert_true(pv_front_gap(front, i) <= 1e-9);
    }
    if (pv_front_has_bounds(front)) { /* by boxes of schemes: no account of single ones */
        return;
    }
    assert_true(front->pruned_loss <= nodes && front->pruned_mark <= nodes);
    assert_int_equal(front->evaluated + front->pruned_loss + front->pruned_mark, nodes);
    assert_true(front->seconds >= 0);
}

/* ============================================================ thresholds */

/* The largest class size below `size`; 0 = there is none. */
static uint64_t threshold_below(const pv_classes *classes, uint64_t size)
{
    uint64_t largest = 0;
    for (size_t c = 0; c < pv_classes_total(classes); c++) {
        const uint64_t other = pv_classes_size(classes, c);
        largest = other < size && other > largest ? other : largest;
    }
    return largest;
}

pv_classes *threshold_classes(const pv_profile *profile, const uint8_t *levels, pv_suppression rule,
                              size_t n)
{
    pv_classes *const highest = bound_classes(profile, levels, rule.budget, 0);
    uint64_t k = pv_classes_k(highest);
    if (k < rule.target_k) {
        highest->feasible = false;
    }
    if (n == 0) {
        return highest;
    }
    for (size_t i = 0; i < n && k > 0; i++) {
        k = threshold_below(highest, k);
    }
    const bool none = k == 0 || k < rule.target_k || !highest->feasible ||
                      (rule.whole_budget && rule.target_k == 0);
    pv_classes_free(highest);
    return none ? NULL : bound_classes(profile, levels, rule.budget, k);
}

/* ========================================================= by brute force */

bool oracle_breaks(const oracle_demand *demand, const oracle_release *release, size_t row)
{
    const double hair = 1e-9; /* the library adds in another order */
    oracle_table narrow;
    const oracle_release seen = demand->sensitive != SIZE_MAX
                                    ? oracle_through(release, demand->sensitive, &narrow)
                                    : *release;
    const double score = oracle_find(demand->name)->row(&seen, row, 3);
    return demand->more ? score < demand->bound - hair : score > demand->bound + hair;
}

size_t oracle_index(const oracle_measure *measure)
{
    return (size_t)(measure - oracle_measures);
}

/* ---------------------------------------------------------------- measuring */

/* The parameters of measures that have one. */
static double oracle_parameter(const char *name)
{
    return oracle_same(name, "risk-above") ? 0.2 : 3;
}

static double oracle_measure_release(const oracle_measure *measure, const oracle_release *release)
{
    double *const rows = oracle_array(release->table->n_rows, sizeof *rows);
    if (measure->row != NULL) {
        oracle_rows(measure, release, oracle_parameter(measure->name), rows);
    }
    const double value = oracle_value(measure, release, rows);
    free(rows);
    return value;
}

static void oracle_node_measure(const oracle_lattice *lattice, oracle_node *node,
                                const oracle_release *release)
{
    const oracle_table *const table = release->table;
    for (size_t q = 0; q < table->n_quasi; q++) {
        node->levels[q] = (uint8_t)table->quasi[q].level;
    }
    node->k = release->k;
    node->suppressed = release->n_suppressed;
    node->feasible = release->feasible;
    for (size_t m = 0; m < ORACLE_MEASURES; m++) {
        if (lattice->measured[m]) {
            node->values[m] = oracle_measure_release(&oracle_measures[m], release);
        }
    }
}

static void oracle_node_init(oracle_lattice *lattice, oracle_node *node, const oracle_table *table,
                             size_t budget, size_t target_k)
{
    oracle_release release = oracle_release_create(table, budget, target_k);
    oracle_node_measure(lattice, node, &release);
    oracle_release_free(&release);
}

bool oracle_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* A rank is how many nodes have less. */
static void oracle_rank(oracle_lattice *lattice, size_t m)
{
    for (size_t i = 0; i < lattice->n_nodes; i++) {
        const double value = lattice->nodes[i].values[m];
        size_t rank = 0;
        for (size_t j = 0; j < lattice->n_nodes; j++) {
            const double other = lattice->nodes[j].values[m];
            rank += other < value && !oracle_near(other, value);
        }
        lattice->nodes[i].ranks[m] = rank;
    }
}

/* ------------------------------------------------------------------ lattice */

void search_levels(const pv_lattice *lattice, const uint8_t *real, uint8_t *levels)
{
    for (size_t axis = 0; axis < lattice->n_axes; axis++) {
        levels[axis] = 0;
        while (pv_i_lattice_real(lattice, axis, levels[axis]) != real[axis]) {
            assert_true(levels[axis] < lattice->heights[axis]);
            levels[axis]++;
        }
    }
}

/* How many different groups the rows have at a level. */
static size_t oracle_count_groups(const oracle_column *column, size_t n_rows, unsigned level)
{
    size_t n = 0;
    for (size_t row = 0; row < n_rows; row++) {
        const char *const group = oracle_group(column, column->cells[row], level);
        size_t before = 0;
        while (before < row &&
               !oracle_same(oracle_group(column, column->cells[before], level), group)) {
            before++;
        }
        n += before == row;
    }
    return n;
}

bool oracle_is_alike(const oracle_column *column, size_t n_rows, unsigned level)
{
    return level > 0 && oracle_count_groups(column, n_rows, level) ==
                            oracle_count_groups(column, n_rows, level - 1);
}

bool oracle_next_levels(const oracle_table *table)
{
    for (size_t q = table->n_quasi; q-- > 0;) {
        oracle_column *const column = &table->quasi[q];
        do {
            column->level++;
        } while (column->level <= oracle_height(column) &&
                 oracle_is_alike(column, table->n_rows, column->level));
        if (column->level <= oracle_height(column)) {
            return true;
        }
        column->level = 0;
    }
    return false;
}

static size_t oracle_count_nodes(const oracle_table *table)
{
    size_t n = 1;
    for (size_t q = 0; q < table->n_quasi; q++) {
        size_t levels = 0;
        for (unsigned level = 0; level <= oracle_height(&table->quasi[q]); level++) {
            levels += !oracle_is_alike(&table->quasi[q], table->n_rows, level);
        }
        n *= levels;
    }
    return n;
}

/* A node of the scheme of the table's levels with some rows suppressed. False: there is one already
 * that suppresses the same. */
static bool oracle_add_node(oracle_lattice *lattice, const oracle_table *table, size_t first,
                            const bool *suppressed, bool **seen)
{
    for (size_t i = first; i < lattice->n_nodes; i++) {
        if (memcmp(seen[i - first], suppressed, table->n_rows * sizeof *suppressed) == 0) {
            return false;
        }
    }
    oracle_release release = oracle_release_raw(table);
    oracle_node *const node = &lattice->nodes[lattice->n_nodes];
    oracle_suppress_rows(&release, suppressed);
    memcpy(seen[lattice->n_nodes - first], suppressed, table->n_rows * sizeof *suppressed);
    oracle_node_measure(lattice, node, &release);
    oracle_release_free(&release);
    lattice->n_nodes++;
    return true;
}

static int oracle_compare_thresholds(const void *left, const void *right)
{
    const oracle_node *const a = left;
    const oracle_node *const b = right;
    return a->suppressed != b->suppressed ? (a->suppressed > b->suppressed ? 1 : -1)
                                          : (a->k > b->k) - (a->k < b->k);
}

/* The thresholds of the scheme of the table's levels: the class sizes, and if l-distinct is asked
 * for also the numbers of sensitive values, from which on classes remain, as far as the budget
 * goes, not below the target. A scheme without any is infeasible. */
static void oracle_add_thresholds(oracle_lattice *lattice, const oracle_table *table, size_t budget,
                                  size_t target_k, const oracle_demand *demand)
{
    const size_t n = table->n_rows;
    const size_t most = budget < n ? budget : n - 1;
    const size_t first = lattice->n_nodes;
    const bool by_variety = lattice->measured[oracle_index(oracle_find("l-distinct"))];
    oracle_release release = oracle_release_raw(table);
    bool *const suppressed = oracle_array(n, sizeof *suppressed);
    bool **const seen = oracle_array(n * n + 1, sizeof *seen);
    for (size_t i = 0; i < n * n + 1; i++) {
        seen[i] = oracle_array(n, sizeof **seen);
    }
    for (size_t l = 0; l <= (by_variety ? n : 0); l++) {
        for (size_t size = target_k > 0 ? target_k : 1; size <= n; size++) {
            size_t gone = 0;
            for (size_t row = 0; row < n; row++) {
                suppressed[row] =
                    release.size[row] < size ||
                    (demand != NULL && oracle_breaks(demand, &release, row)) ||
                    (by_variety && oracle_row_l_distinct(&release, row, 0) < (double)l);
                gone += suppressed[row];
            }
            if (gone <= most) {
                (void)oracle_add_node(lattice, table, first, suppressed, seen);
            }
        }
    }
    if (lattice->n_nodes == first) {
        oracle_node *const node = &lattice->nodes[lattice->n_nodes++];
        for (size_t q = 0; q < table->n_quasi; q++) {
            node->levels[q] = (uint8_t)table->quasi[q].level;
        }
    }
    qsort(lattice->nodes + first, lattice->n_nodes - first, sizeof *lattice->nodes,
          oracle_compare_thresholds);
    for (size_t i = 0; i < n * n + 1; i++) {
        free(seen[i]);
    }
    free(seen);
    free(suppressed);
    oracle_release_free(&release);
}

oracle_lattice oracle_lattice_create(const oracle_table *table, size_t budget, size_t target_k,
                                     bool whole, const oracle_demand *demand,
                                     const char *const *names)
{
    oracle_lattice lattice = {.n_axes = table->n_quasi, .n_schemes = oracle_count_nodes(table)};
    const bool once = whole && target_k == 0 && demand == NULL;
    lattice.nodes = oracle_array(lattice.n_schemes * (once ? 1 : table->n_rows * table->n_rows + 1),
                                 sizeof *lattice.nodes);
    for (; *names != NULL; names++) {
        lattice.measured[oracle_index(oracle_find(*names))] = true;
    }
    for (size_t q = 0; q < table->n_quasi; q++) {
        table->quasi[q].level = 0;
    }
    do {
        if (once) {
            oracle_node_init(&lattice, &lattice.nodes[lattice.n_nodes++], table, budget, 0);
        } else {
            oracle_add_thresholds(&lattice, table, budget, target_k, demand);
        }
    } while (oracle_next_levels(table));
    for (size_t m = 0; m < ORACLE_MEASURES; m++) {
        if (lattice.measured[m]) {
            oracle_rank(&lattice, m);
        }
    }
    return lattice;
}

void oracle_lattice_free(oracle_lattice *lattice)
{
    free(lattice->nodes);
}

/* -------------------------------------------------------------------- front */

int oracle_compare(const oracle_objectives *o, size_t i, const oracle_node *a, const oracle_node *b)
{
    const size_t x = a->ranks[o->measure[i]];
    const size_t y = b->ranks[o->measure[i]];
    return o->more[i] ? (x > y) - (x < y) : (x < y) - (x > y);
}

bool oracle_dominates(const oracle_objectives *o, const oracle_node *a, const oracle_node *b)
{
    bool better = false;
    for (size_t i = 0; i < o->n; i++) {
        const int sign = oracle_compare(o, i, a, b);
        if (sign < 0) {
            return false;
        }
        better |= sign > 0;
    }
    return better;
}

bool oracle_ties(const oracle_objectives *o, const oracle_node *a, const oracle_node *b)
{
    for (size_t i = 0; i < o->n; i++) {
        if (oracle_compare(o, i, a, b) != 0) {
            return false;
        }
    }
    return true;
}

bool oracle_on_front(const oracle_lattice *lattice, const oracle_objectives *o,
                     const oracle_node *node, size_t *ties)
{
    *ties = 0;
    for (const oracle_node *x = lattice->nodes; x < lattice->nodes + lattice->n_nodes; x++) {
        const bool tie = x->feasible && x != node && oracle_ties(o, x, node);
        *ties += tie;
        if ((x->feasible && oracle_dominates(o, x, node)) || (tie && x < node)) {
            return false;
        }
    }
    return node->feasible;
}

bool oracle_comes_before(const oracle_objectives *o, const oracle_node *a, const oracle_node *b)
{
    size_t i = 0;
    while (i < o->n && oracle_compare(o, i, a, b) == 0) {
        i++;
    }
    return i < o->n && oracle_compare(o, i, a, b) < 0;
}

size_t oracle_front(const oracle_lattice *lattice, const oracle_objectives *o, oracle_point *points)
{
    size_t n = 0;
    for (size_t i = 0; i < lattice->n_nodes; i++) {
        oracle_point point = {.node = &lattice->nodes[i]};
        if (oracle_on_front(lattice, o, point.node, &point.ties)) {
            size_t at = n++;
            for (; at > 0 && oracle_comes_before(o, point.node, points[at - 1].node); at--) {
                points[at] = points[at - 1];
            }
            points[at] = point;
        }
    }
    return n;
}

/* ======================================================= random questions */

static bool trial_can_ask(const oracle_table *table, const pv_measure *measure)
{
    return !((measure->needs & PV_NEEDS_SENSITIVE) != 0 && table->n_sensitive == 0) &&
           !((measure->needs & PV_NEEDS_LABEL) != 0 && table->label == NULL) &&
           !(oracle_same(measure->name, "sum-l") && table->n_sensitive > 1);
}

static bool trial_has(const random_trial *t, const char *name)
{
    for (size_t i = 0; i < t->objectives.n; i++) {
        if (oracle_same(t->names[i], name)) {
            return true;
        }
    }
    return false;
}

static void trial_add(random_trial *t, const pv_measure *measure)
{
    const size_t i = t->objectives.n++;
    t->names[i] = measure->name;
    t->objectives.measure[i] = oracle_index(oracle_find(measure->name));
    t->objectives.more[i] = measure->direction == PV_MORE_IS_BETTER;
}

void trial_ask(random_trial *t, bool (*suits)(const pv_measure *measure))
{
    const size_t n = 2 + random_below(&t->study, 1 + random_below(&t->study, TRIAL_OBJECTIVES - 1));
    while (t->objectives.n < n) {
        const pv_measure *const measure = pv_measure_at(random_below(&t->study, pv_n_measures()));
        if ((suits == NULL || suits(measure)) && trial_can_ask(&t->study.table, measure) &&
            !trial_has(t, measure->name)) {
            trial_add(t, measure);
        }
    }
}

static pv_suppression trial_suppression(random_study *s, trial_rule rule)
{
    const size_t n = s->table.n_rows;
    pv_suppression suppression = {.whole_budget = random_one_in(s, 2)};
    if (rule == TRIAL_BUDGET || rule == TRIAL_TARGET) {
        suppression.budget = random_below(s, 1 + n / 2);
    }
    if (rule == TRIAL_TARGET || rule == TRIAL_STRICT) {
        suppression.target_k = 1 + random_below(s, 1 + n / 3);
    }
    return suppression;
}

double trial_value(const random_trial *t, const oracle_node *node, size_t objective)
{
    return node->values[t->objectives.measure[objective]];
}

void trial_values(const random_trial *t, const oracle_node *node, double *values)
{
    for (size_t o = 0; o < t->objectives.n; o++) {
        values[o] = trial_value(t, node, o);
    }
}

/* What the answer should be. */
static void trial_answer(random_trial *t)
{
    const size_t n = t->objectives.n;
    t->lattice = oracle_lattice_create(&t->study.table, (size_t)t->suppression.budget,
                                       (size_t)t->suppression.target_k, t->suppression.whole_budget,
                                       NULL, t->names);
    t->points = oracle_array(t->lattice.n_nodes, sizeof *t->points);
    t->n_points = oracle_front(&t->lattice, &t->objectives, t->points);
    t->truth = oracle_array(t->n_points * n, sizeof *t->truth);
    for (size_t i = 0; i < t->n_points; i++) {
        trial_values(t, t->points[i].node, t->truth + i * n);
    }
}

void trial_init(random_trial *t, pv_rng *rng, const random_shape *shape, trial_rule rule,
                bool (*suits)(const pv_measure *measure))
{
    *t = (random_trial){0};
    random_study_init(&t->study, rng, shape);
    t->suppression = trial_suppression(&t->study, rule);
    trial_ask(t, suits);
    trial_answer(t);
}

void trial_deinit(random_trial *t)
{
    oracle_lattice_free(&t->lattice);
    free(t->points);
    free(t->truth);
    random_study_deinit(&t->study);
}

random_shape trial_shape(pv_rng *rng)
{
    static const unsigned heights[] = {6, 6, 6, 5, 4};
    const size_t n_quasi = 1 + (size_t)pv_i_rng_below(rng, 5);
    return (random_shape){
        .n_rows = 1 + (size_t)pv_i_rng_below(rng, 1 + pv_i_rng_below(rng, 24)),
        .n_quasi = n_quasi,
        .n_values = 1 + (size_t)pv_i_rng_below(rng, 7),
        .n_sensitive = (size_t)pv_i_rng_below(rng, 3),
        .label = pv_i_rng_below(rng, 3) > 0,
        .missing = pv_i_rng_below(rng, 3) == 0 ? 5 : 0,
        .heights = heights[n_quasi - 1],
        .uniform = pv_i_rng_below(rng, 2) == 0,
        .copies = pv_i_rng_below(rng, 3) == 0 ? 3 : 0,
    };
}

search_request trial_request(const random_trial *t, const char *method)
{
    return (search_request){
        .objectives = t->names, .method = method, .suppression = t->suppression, .threads = 1};
}

bool trial_has_levels(const random_trial *t, const oracle_node *node, const uint8_t *levels)
{
    return memcmp(node->levels, levels, t->lattice.n_axes) == 0;
}

/* How many of the things said of a point are so of a node with its levels. */
static size_t trial_agreement(const random_trial *t, const oracle_node *node, const pv_point *point)
{
    size_t n = 1 + (node->k == point->k) + (node->suppressed == point->suppressed);
    for (size_t o = 0; o < t->objectives.n; o++) {
        n += oracle_near(trial_value(t, node, o), point->values[o]);
    }
    return n;
}

const oracle_node *trial_node(const random_trial *t, const pv_point *point)
{
    const oracle_node *found = NULL;
    size_t most = 0;
    for (size_t i = 0; i < t->lattice.n_nodes; i++) {
        const oracle_node *const node = &t->lattice.nodes[i];
        const size_t n =
            trial_has_levels(t, node, point->levels) ? trial_agreement(t, node, point) : 0;
        found = n > most ? node : found;
        most = n > most ? n : most;
    }
    if (found == NULL) {
        fail_msg("a point that the lattice has not");
    }
    return found;
}

size_t trial_most_thresholds(const random_trial *t)
{
    size_t most = 0;
    size_t n = 0;
    for (size_t i = 0; i < t->lattice.n_nodes; i++) {
        const oracle_node *const node = &t->lattice.nodes[i];
        n = i > 0 && trial_has_levels(t, node, node[-1].levels) ? n + 1 : 1;
        most = n > most ? n : most;
    }
    return most;
}

void trial_print(const random_trial *t, const pv_front *front)
{
    print_error("%s of", front->method);
    for (size_t o = 0; o < t->objectives.n; o++) {
        print_error(" %s", t->names[o]);
    }
    print_error(", budget %llu, target %llu\n%s\n%s\n", (unsigned long long)t->suppression.budget,
                (unsigned long long)t->suppression.target_k, t->study.csv.data, t->study.text.data);
    for (size_t i = 0; i < t->n_points + front->n_points; i++) {
        const bool ours = i >= t->n_points;
        const pv_point *const point = ours ? &front->points[i - t->n_points] : NULL;
        const oracle_node *const node = ours ? NULL : t->points[i].node;
        print_error("%s", ours ? "library" : "oracle ");
        for (size_t a = 0; a < t->lattice.n_axes; a++) {
            print_error("%s%u", a == 0 ? " " : ",", ours ? point->levels[a] : node->levels[a]);
        }
        for (size_t o = 0; o < t->objectives.n; o++) {
            print_error(" %.17g", ours ? point->values[o] : trial_value(t, node, o));
        }
        print_error("\n");
    }
}
