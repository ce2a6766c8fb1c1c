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

static inline void oracle_node_init(oracle_lattice *lattice, oracle_node *node,
                                    const oracle_table *table, size_t budget, size_t target_k)
{
    oracle_release release = oracle_release_create(table, budget, target_k);
    for (size_t q = 0; q < table->n_quasi; q++) {
        node->levels[q] = (uint8_t)table->quasi[q].level;
    }
    node->k = release.k;
    node->suppressed = release.n_suppressed;
    node->feasible = release.feasible;
    for (size_t m = 0; m < ORACLE_MEASURES; m++) {
        if (lattice->measured[m]) {
            node->values[m] = oracle_measure_release(&oracle_measures[m], &release);
        }
    }
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

/* The next levels, the last attribute turning fastest. False after the last. */
static inline bool oracle_next_levels(const oracle_table *table)
{
    for (size_t q = table->n_quasi; q-- > 0;) {
        oracle_column *const column = &table->quasi[q];
        if (column->level < oracle_height(column)) {
            column->level++;
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
        n *= oracle_height(&table->quasi[q]) + 1;
    }
    return n;
}

/* The thresholds of the scheme of the table's levels: the class sizes from which on classes remain,
 * as far as the budget goes, not below the target. A scheme without any is infeasible. */
static inline void oracle_add_thresholds(oracle_lattice *lattice, const oracle_table *table,
                                         size_t budget, size_t target_k)
{
    const size_t n = table->n_rows;
    const size_t most = budget < n ? budget : n - 1;
    const size_t before = lattice->n_nodes;
    oracle_release release = oracle_release_raw(table);
    for (size_t size = target_k > 0 ? target_k : 1; size <= n; size++) {
        bool occurs = false;
        for (size_t row = 0; row < n; row++) {
            occurs |= release.size[row] == size;
        }
        if (occurs && oracle_rows_below(&release, size) <= most) {
            oracle_node_init(lattice, &lattice->nodes[lattice->n_nodes++], table, budget, size);
        }
    }
    if (lattice->n_nodes == before) {
        oracle_node *const node = &lattice->nodes[lattice->n_nodes++];
        for (size_t q = 0; q < table->n_quasi; q++) {
            node->levels[q] = (uint8_t)table->quasi[q].level;
        }
    }
    oracle_release_free(&release);
}

/* `whole` = the budget is spent where there is no target. `names` (up to a NULL) are the measures
 * that will be asked for. The levels of the table's columns are 0 afterwards. */
static inline oracle_lattice oracle_lattice_create(const oracle_table *table, size_t budget,
                                                   size_t target_k, bool whole,
                                                   const char *const *names)
{
    oracle_lattice lattice = {.n_axes = table->n_quasi, .n_schemes = oracle_count_nodes(table)};
    const bool once = whole && target_k == 0;
    lattice.nodes =
        oracle_array(lattice.n_schemes * (once ? 1 : table->n_rows), sizeof *lattice.nodes);
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
            oracle_add_thresholds(&lattice, table, budget, target_k);
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
