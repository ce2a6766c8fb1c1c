/* Fronts by brute force: every node of the lattice released and measured by the oracle, every two
 * of them compared. Nothing of the library is used. */
#ifndef PV_TESTS_ORACLE_LATTICE_H
#define PV_TESTS_ORACLE_LATTICE_H

#include "support/oracle_measures.h"

#define ORACLE_AXES 5

typedef struct oracle_node {
    uint8_t levels[ORACLE_AXES];
    size_t k, suppressed;
    bool feasible;
    double values[ORACLE_MEASURES]; /* of the measures asked for */
    size_t ranks[ORACLE_MEASURES];  /* the same, numbered: equal values have equal ranks */
} oracle_node;

/* Nodes are in the order of their levels, the first attribute turning slowest; where suppression is
 * as needed, every scheme is a node for each of its thresholds, the lowest first. */
typedef struct oracle_lattice {
    size_t n_axes;
    size_t n_schemes;
    size_t n_nodes;
    oracle_node *nodes;
    bool measured[ORACLE_MEASURES];
} oracle_lattice;

/* What every class must keep, besides k: a measure by name, and its bound. */
typedef struct oracle_demand {
    const char *name;
    double bound;
    bool more; /* is more better? */
} oracle_demand;

static inline bool oracle_breaks(const oracle_demand *demand, const oracle_release *release,
                                 size_t row)
{
    const double hair = 1e-9; /* the library adds in another order */
    const double score = oracle_find(demand->name)->row(release, row, 3);
    return demand->more ? score < demand->bound - hair : score > demand->bound + hair;
}

static inline size_t oracle_index(const oracle_measure *measure)
{
    return (size_t)(measure - oracle_measures);
}

/* ---------------------------------------------------------------- measuring */

/* The parameters of measures that have one. */
static inline double oracle_parameter(const char *name)
{
    return oracle_same(name, "risk-above") ? 0.2 : 3;
}

static inline double oracle_measure_release(const oracle_measure *measure,
                                            const oracle_release *release)
{
    double *const rows = oracle_array(release->table->n_rows, sizeof *rows);
    if (measure->row != NULL) {
        oracle_rows(measure, release, oracle_parameter(measure->name), rows);
    }
    const double value = oracle_value(measure, release, rows);
    free(rows);
    return value;
}

static inline void oracle_node_measure(const oracle_lattice *lattice, oracle_node *node,
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

static inline void oracle_node_init(oracle_lattice *lattice, oracle_node *node,
                                    const oracle_table *table, size_t budget, size_t target_k)
{
    oracle_release release = oracle_release_create(table, budget, target_k);
    oracle_node_measure(lattice, node, &release);
    oracle_release_free(&release);
}

/* Equal by definition, whatever the order of the additions made of it. */
static inline bool oracle_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* A rank is how many nodes have less. */
static inline void oracle_rank(oracle_lattice *lattice, size_t m)
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

/* How many different groups the rows have at a level. */
static inline size_t oracle_count_groups(const oracle_column *column, size_t n_rows, unsigned level)
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

/* Does a level group the values like the one below? Then a search leaves it out. */
static inline bool oracle_is_alike(const oracle_column *column, size_t n_rows, unsigned level)
{
    return level > 0 && oracle_count_groups(column, n_rows, level) ==
                            oracle_count_groups(column, n_rows, level - 1);
}

/* The next levels, the last attribute turning fastest. False after the last. */
static inline bool oracle_next_levels(const oracle_table *table)
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

static inline size_t oracle_count_nodes(const oracle_table *table)
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
static inline bool oracle_add_node(oracle_lattice *lattice, const oracle_table *table, size_t first,
                                   const bool *suppressed, bool **seen)
{
    for (size_t i = first; i < lattice->n_nodes; i++) {
        if (memcmp(seen[i - first], suppressed, table->n_rows * sizeof *suppressed) == 0) {
            return false;
        }
    }
    oracle_release release = oracle_release_raw(table);
    oracle_node *const node = &lattice->nodes[lattice->n_nodes];
    memcpy(release.suppressed, suppressed, table->n_rows * sizeof *suppressed);
    memcpy(seen[lattice->n_nodes - first], suppressed, table->n_rows * sizeof *suppressed);
    release.feasible = true;
    release.k = SIZE_MAX;
    for (size_t row = 0; row < table->n_rows; row++) {
        release.n_suppressed += suppressed[row];
        release.n_remaining += !suppressed[row] && release.look_alike[row] == row;
        release.k =
            !suppressed[row] && release.size[row] < release.k ? release.size[row] : release.k;
    }
    oracle_node_measure(lattice, node, &release);
    oracle_release_free(&release);
    lattice->n_nodes++;
    return true;
}

static inline int oracle_compare_thresholds(const void *left, const void *right)
{
    const oracle_node *const a = left;
    const oracle_node *const b = right;
    return a->suppressed != b->suppressed ? (a->suppressed > b->suppressed ? 1 : -1)
                                          : (a->k > b->k) - (a->k < b->k);
}

/* The thresholds of the scheme of the table's levels: the class sizes, and if l-distinct is asked
 * for also the numbers of sensitive values, from which on classes remain, as far as the budget
 * goes, not below the target. A scheme without any is infeasible. */
static inline void oracle_add_thresholds(oracle_lattice *lattice, const oracle_table *table,
                                         size_t budget, size_t target_k,
                                         const oracle_demand *demand)
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

/* `whole` = the budget is spent where there is no target. `demand` may be NULL. `names` (up to a
 * NULL) are the measures that will be asked for. The levels of the table's columns are 0
 * afterwards. */
static inline oracle_lattice oracle_lattice_create(const oracle_table *table, size_t budget,
                                                   size_t target_k, bool whole,
                                                   const oracle_demand *demand,
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

static inline void oracle_lattice_free(oracle_lattice *lattice)
{
    free(lattice->nodes);
}

/* -------------------------------------------------------------------- front */

typedef struct oracle_objectives {
    size_t n;
    size_t measure[8]; /* which of oracle_measures */
    bool more[8];      /* is more better? */
} oracle_objectives;

typedef struct oracle_point {
    const oracle_node *node;
    size_t ties;
} oracle_point;

/* 1 if a is better in an objective, -1 if b is, 0 if they are equal. */
static inline int oracle_compare(const oracle_objectives *o, size_t i, const oracle_node *a,
                                 const oracle_node *b)
{
    const size_t x = a->ranks[o->measure[i]];
    const size_t y = b->ranks[o->measure[i]];
    return o->more[i] ? (x > y) - (x < y) : (x < y) - (x > y);
}

static inline bool oracle_dominates(const oracle_objectives *o, const oracle_node *a,
                                    const oracle_node *b)
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

static inline bool oracle_ties(const oracle_objectives *o, const oracle_node *a,
                               const oracle_node *b)
{
    for (size_t i = 0; i < o->n; i++) {
        if (oracle_compare(o, i, a, b) != 0) {
            return false;
        }
    }
    return true;
}

/* Is a node on the front, and the first of those equal to it? */
static inline bool oracle_on_front(const oracle_lattice *lattice, const oracle_objectives *o,
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

/* By the first objective, best last; ties by the next ones. */
static inline bool oracle_comes_before(const oracle_objectives *o, const oracle_node *a,
                                       const oracle_node *b)
{
    size_t i = 0;
    while (i < o->n && oracle_compare(o, i, a, b) == 0) {
        i++;
    }
    return i < o->n && oracle_compare(o, i, a, b) < 0;
}

/* `points` has room for all nodes; returns how many there are. */
static inline size_t oracle_front(const oracle_lattice *lattice, const oracle_objectives *o,
                                  oracle_point *points)
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

#endif
