/* What is demanded of cut schemes besides k, read naively: how often the sensitive values occur in
 * some rows, and what the definitions say about such counts. Values are told apart by their texts;
 * nothing here knows of views, tallies or classes.
 *
 * Twice slower and plainer, cut_demands_release turns a scheme into what oracle.h calls a release:
 * then the measures of oracle_measures.h that look at no hierarchy can be read from it. */
#ifndef PV_TESTS_CUT_DEMANDS_H
#define PV_TESTS_CUT_DEMANDS_H

#include "support/cut_oracle.h"
#include "support/oracle_measures.h"
#include "support/random_study.h"

#include <math.h>
#include <paravent/measure.h>

enum { CUT_DEMANDS_VALUES = 16, CUT_DEMANDS_COLUMNS = 2 };

/* ----------------------------------------------------------- values of a column */

typedef struct cut_values {
    const oracle_column *column;
    uint32_t *of_row;
    const char *text[CUT_DEMANDS_VALUES];
    double in_table[CUT_DEMANDS_VALUES]; /* share of the rows */
    size_t n;
} cut_values;

static inline size_t cut_values_find(cut_values *v, const char *text)
{
    size_t i = 0;
    while (i < v->n && !oracle_same(v->text[i], text)) {
        i++;
    }
    if (i == v->n) {
        assert_true(v->n < CUT_DEMANDS_VALUES);
        v->text[v->n++] = text;
    }
    return i;
}

static inline cut_values cut_values_create(const oracle_column *column, size_t n_rows)
{
    cut_values v = {.column = column, .of_row = oracle_array(n_rows, sizeof *v.of_row)};
    for (size_t row = 0; row < n_rows; row++) {
        v.of_row[row] = (uint32_t)cut_values_find(&v, column->cells[row]);
        v.in_table[v.of_row[row]] += 1.0 / (double)n_rows;
    }
    return v;
}

/* --------------------------------------------------------- scores of counts */

static inline double cut_counts_total(const cut_values *v, const uint32_t *counts)
{
    double total = 0;
    for (size_t i = 0; i < v->n; i++) {
        total += counts[i];
    }
    return total;
}

/* The counts above 0, largest first; a missing value is no value. */
static inline size_t cut_counts_sorted(const cut_values *v, const uint32_t *counts, double *sorted)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++) {
        if (counts[i] > 0 && v->text[i][0] != '\0') {
            sorted[n++] = counts[i];
        }
    }
    qsort(sorted, n, sizeof *sorted, oracle_descending);
    return n;
}

/* As oracle_move_on_line, by values. */
static inline double cut_counts_on_line(const cut_values *v, const double *surplus)
{
    double work = 0;
    for (size_t i = 0; i < v->n; i++) {
        double before = 0;
        for (size_t j = 0; j < v->n; j++) {
            before += oracle_precedes(v->text[j], v->text[i]) ? surplus[j] : 0;
        }
        work += fabs(before);
    }
    return v->n > 1 ? work / (double)(v->n - 1) : 0;
}

/* As oracle_move_in_tree, by values. */
static inline double cut_counts_in_tree(const cut_values *v, double *surplus)
{
    const unsigned height = v->column->distance == ORACLE_EQUAL ? 1 : oracle_height(v->column);
    double work = 0;
    for (unsigned level = 1; level <= height; level++) {
        for (size_t i = 0; i < v->n; i++) {
            for (size_t j = 0; j < v->n && surplus[i] > 0; j++) {
                if (surplus[j] < 0 && (level == height || oracle_meeting(v->column, v->text[i],
                                                                         v->text[j]) <= level)) {
                    const double moved = fmin(surplus[i], -surplus[j]);
                    surplus[i] -= moved;
                    surplus[j] += moved;
                    work += moved * level / height;
                }
            }
        }
    }
    return work;
}

static inline double cut_counts_distance(const cut_values *v, const uint32_t *counts)
{
    const double total = cut_counts_total(v, counts);
    double surplus[CUT_DEMANDS_VALUES];
    for (size_t i = 0; i < v->n; i++) {
        surplus[i] = counts[i] / total - v->in_table[i];
    }
    return v->column->distance == ORACLE_ORDERED ? cut_counts_on_line(v, surplus)
                                                 : cut_counts_in_tree(v, surplus);
}

static inline double cut_counts_score(const char *measure, const cut_values *v,
                                      const uint32_t *counts, double parameter)
{
    double sorted[CUT_DEMANDS_VALUES];
    const size_t n = cut_counts_sorted(v, counts, sorted);
    if (oracle_same(measure, "t-closeness")) {
        return cut_counts_distance(v, counts);
    }
    return oracle_same(measure, "l-distinct")  ? oracle_l_distinct(sorted, n, parameter)
           : oracle_same(measure, "l-entropy") ? oracle_l_entropy(sorted, n, parameter)
                                               : oracle_l_recursive(sorted, n, parameter);
}

/* A hair's breadth is no difference. */
static inline bool cut_demand_holds(const pv_constraint *rule, double score)
{
    return oracle_same(rule->ref.measure->name, "t-closeness") ? score <= rule->bound + 1e-9
                                                               : score >= rule->bound - 1e-9;
}

/* ---------------------------------------------------------------- demands */

/* A table with what is demanded of its classes. */
typedef struct cut_demands {
    const oracle_table *table;
    const cut_oracle *oracle;
    cut_values sensitive[CUT_DEMANDS_COLUMNS];
    const pv_constraint *rules; /* none is k */
    size_t n_rules;
} cut_demands;

static inline cut_demands cut_demands_create(const oracle_table *table, const cut_oracle *oracle,
                                             const pv_constraint *rules, size_t n_rules)
{
    cut_demands d = {.table = table, .oracle = oracle, .rules = rules, .n_rules = n_rules};
    assert_true(table->n_sensitive <= CUT_DEMANDS_COLUMNS);
    for (size_t i = 0; i < table->n_sensitive; i++) {
        d.sensitive[i] = cut_values_create(&table->sensitive[i], table->n_rows);
    }
    return d;
}

static inline void cut_demands_free(cut_demands *d)
{
    for (size_t i = 0; i < CUT_DEMANDS_COLUMNS; i++) {
        free(d->sensitive[i].of_row);
    }
}

/* Do some rows, taken as a class, keep all rules? */
static inline bool cut_demands_hold(const cut_demands *d, const size_t *rows, size_t n)
{
    for (size_t i = 0; i < d->table->n_sensitive; i++) {
        const cut_values *const v = &d->sensitive[i];
        uint32_t counts[CUT_DEMANDS_VALUES] = {0};
        for (size_t row = 0; row < n; row++) {
            counts[v->of_row[rows[row]]]++;
        }
        for (size_t r = 0; r < d->n_rules; r++) {
            const pv_measure_ref *const ref = &d->rules[r].ref;
            const double score = cut_counts_score(ref->measure->name, v, counts, ref->parameter);
            if (!cut_demand_holds(&d->rules[r], score)) {
                return false;
            }
        }
    }
    return true;
}

/* The rows in one class with a row, an axis left aside (SIZE_MAX = none) of which they have values
 * first..last. */
static inline size_t cut_demands_class(const cut_demands *d, const uint8_t *cuts, size_t row,
                                       size_t aside, uint32_t first, uint32_t last, size_t *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < d->table->n_rows; i++) {
        const uint32_t place = aside == SIZE_MAX ? first : d->oracle->places[aside][i];
        if (place >= first && place <= last &&
            cut_oracle_one_class(d->oracle, cuts, aside, row, i)) {
            rows[n++] = i;
        }
    }
    return n;
}

/* Does a scheme keep all rules? */
static inline bool cut_demands_kept(const cut_demands *d, const uint8_t *cuts)
{
    size_t *const rows = oracle_array(d->table->n_rows, sizeof *rows);
    bool kept = true;
    for (size_t row = 0; kept && row < d->table->n_rows; row++) {
        const size_t n = cut_demands_class(d, cuts, row, SIZE_MAX, 0, 0, rows);
        kept = rows[0] != row || cut_demands_hold(d, rows, n); /* once for a class */
    }
    free(rows);
    return kept;
}

/* Would some class have between 1 and k-1 rows with values first..last, or break a rule with them?
 */
static inline bool cut_demands_invalid(const cut_demands *d, size_t axis, const uint8_t *cuts,
                                       uint64_t k, uint32_t first, uint32_t last)
{
    size_t *const rows = oracle_array(d->table->n_rows, sizeof *rows);
    bool invalid = false;
    for (size_t row = 0; !invalid && row < d->table->n_rows; row++) {
        const size_t n = cut_demands_class(d, cuts, row, axis, first, last, rows);
        invalid = n > 0 && rows[0] == row && (n < k || !cut_demands_hold(d, rows, n));
    }
    free(rows);
    return invalid;
}

/* ----------------------------------------------------------- as a release */

static inline void cut_demands_release_row(const cut_demands *d, const uint8_t *cuts, size_t row,
                                           size_t *room, oracle_release *release)
{
    const cut_oracle *const o = d->oracle;
    for (size_t a = 0; a < o->n_axes; a++) {
        uint32_t first;
        uint32_t last;
        cut_oracle_group(o, a, cuts, o->places[a][row], &first, &last);
        release->leaves[row * o->n_axes + a] = last - first + 1.0;
    }
    release->size[row] = cut_demands_class(d, cuts, row, SIZE_MAX, 0, 0, room);
    release->look_alike[row] = room[0];
    release->n_classes += room[0] == row;
    release->k = release->size[row] < release->k ? release->size[row] : release->k;
}

/* Nothing is suppressed. oracle_release_free frees it. */
static inline oracle_release cut_demands_release(const cut_demands *d, const uint8_t *cuts)
{
    const size_t n = d->table->n_rows;
    const size_t n_axes = d->oracle->n_axes;
    size_t *const room = oracle_array(n, sizeof *room);
    oracle_release release = {.table = d->table,
                              .cells = oracle_array(n * n_axes, sizeof(char *)),
                              .leaves = oracle_array(n * n_axes, sizeof(double)),
                              .domain = oracle_array(n_axes, sizeof(double)),
                              .look_alike = oracle_array(n, sizeof(size_t)),
                              .size = oracle_array(n, sizeof(size_t)),
                              .suppressed = oracle_array(n, sizeof(bool)),
                              .k = SIZE_MAX,
                              .feasible = true};
    for (size_t a = 0; a < n_axes; a++) {
        release.domain[a] = d->oracle->n[a];
    }
    for (size_t row = 0; row < n; row++) {
        cut_demands_release_row(d, cuts, row, room, &release);
    }
    release.n_remaining = release.n_classes;
    free(room);
    return release;
}

/* The value of a measure of the registry. */
static inline double cut_demands_value(const oracle_release *release, const char *name,
                                       double parameter)
{
    const oracle_measure *const measure = oracle_find(name);
    double *const rows = oracle_array(release->table->n_rows, sizeof *rows);
    assert_non_null(measure);
    if (measure->row != NULL) {
        oracle_rows(measure, release, parameter, rows);
    }
    const double value = oracle_value(measure, release, rows);
    free(rows);
    return value;
}

/* Bits to find the values again: log2 of how many rows lie in a row's group for each that has its
 * value, attribute by attribute. */
static inline double cut_demands_bits(const cut_demands *d, const uint8_t *cuts)
{
    double bits = 0;
    for (size_t a = 0; a < d->oracle->n_axes; a++) {
        const char *const *const cells = d->table->quasi[a].cells;
        for (size_t row = 0; row < d->table->n_rows; row++) {
            double in_group = 0;
            double alike = 0;
            for (size_t i = 0; i < d->table->n_rows; i++) {
                in_group += cut_oracle_alike(d->oracle, a, cuts, row, i);
                alike += oracle_same(cells[i], cells[row]);
            }
            bits += log2(in_group / alike);
        }
    }
    return bits;
}

static inline double cut_demands_raw_loss(const cut_demands *d, const char *name,
                                          const uint8_t *cuts)
{
    if (oracle_same(name, "entropy")) {
        return cut_demands_bits(d, cuts);
    }
    oracle_release release = cut_demands_release(d, cuts);
    const double loss = cut_demands_value(&release, name, 0);
    oracle_release_free(&release);
    return loss;
}

/* The value with all values merged, or all apart. */
static inline double cut_demands_extreme(const cut_demands *d, const char *name, uint8_t cut)
{
    uint8_t *const cuts = oracle_array(d->oracle->n_bits, 1);
    memset(cuts, cut, d->oracle->n_bits);
    const double value = cut_demands_raw_loss(d, name, cuts);
    free(cuts);
    return value;
}

/* A loss as a share of the largest there can be. */
static inline double cut_demands_loss(const cut_demands *d, const char *name, const uint8_t *cuts)
{
    const double n = (double)d->table->n_rows;
    const double value = cut_demands_raw_loss(d, name, cuts);
    if (oracle_same(name, "leaf-utility")) { /* what is kept, of what can be kept */
        const double most = cut_demands_extreme(d, name, 1);
        return most > 0 ? 1 - value / most : 0;
    }
    if (oracle_same(name, "entropy")) {
        const double most = cut_demands_extreme(d, name, 0);
        return most > 0 ? value / most : 0;
    }
    return value / (oracle_same(name, "glm")   ? n * (double)d->oracle->n_axes
                    : oracle_same(name, "dcn") ? n * n
                    : oracle_same(name, "nwp") ? 1
                                               : n); /* cm and aecs */
}

#endif
