/* The measures by their definitions. */
#include "support/oracle_measures.h"

/* ----------------------------------------------------------- class sizes */

static double oracle_row_size(const oracle_release *r, size_t row, double parameter)
{
    size_t n = 0;
    (void)parameter;
    for (size_t i = 0; i < r->table->n_rows; i++) {
        n += oracle_in_one_class(r, i, row);
    }
    return (double)n;
}

static double oracle_row_dcn(const oracle_release *r, size_t row, double parameter)
{
    return r->suppressed[row] ? (double)r->table->n_rows : oracle_row_size(r, row, parameter);
}

static double oracle_row_risk(const oracle_release *r, size_t row, double parameter)
{
    return 1 / oracle_row_size(r, row, parameter);
}

static double oracle_row_above(const oracle_release *r, size_t row, double threshold)
{
    return oracle_row_risk(r, row, 0) > threshold;
}

static double oracle_gini(const oracle_release *r)
{
    const size_t n = r->table->n_rows;
    double *const sizes = oracle_array(n, sizeof *sizes);
    double differences = 0;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sizes[i] = oracle_row_size(r, i, 0);
        sum += sizes[i];
        for (size_t j = 0; j < i; j++) {
            differences += 2 * fabs(sizes[i] - sizes[j]);
        }
    }
    free(sizes);
    return differences / (2 * (double)n * (double)n * (sum / (double)n));
}

static double oracle_necd(const oracle_release *r)
{
    const size_t n = r->table->n_rows;
    size_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        largest = !r->suppressed[i] && r->size[i] > largest ? r->size[i] : largest;
    }
    return n == 1 ? 0 : (double)(largest - r->k) / (double)(n - 1);
}

static double oracle_aecs(const oracle_release *r)
{
    return (double)(r->table->n_rows - r->n_suppressed) / (double)r->n_remaining;
}

/* --------------------------------------------- sensitive values, per class */

/* How often the sensitive value of row `of` occurs in the class of `row`. */
static double oracle_occurs(const oracle_release *r, const oracle_column *c, size_t row, size_t of)
{
    size_t n = 0;
    for (size_t i = 0; i < r->table->n_rows; i++) {
        n += oracle_in_one_class(r, i, row) && oracle_same(c->cells[i], c->cells[of]);
    }
    return (double)n;
}

int oracle_descending(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The counts of the distinct values in the class of `row`, largest first. A missing value is none.
 */
static size_t oracle_counts(const oracle_release *r, const oracle_column *c, size_t row,
                            double *counts)
{
    size_t n = 0;
    for (size_t i = 0; i < r->table->n_rows; i++) {
        const double count = oracle_occurs(r, c, row, i);
        if (oracle_is_first(c, i) && count > 0 && c->cells[i][0] != '\0') {
            counts[n++] = count;
        }
    }
    qsort(counts, n, sizeof *counts, oracle_descending);
    return n;
}

double oracle_l_distinct(const double *counts, size_t n, double parameter)
{
    (void)counts;
    (void)parameter;
    return (double)n;
}

double oracle_l_entropy(const double *counts, size_t n, double parameter)
{
    double total = 0;
    double entropy = 0;
    (void)parameter;
    for (size_t i = 0; i < n; i++) {
        total += counts[i];
    }
    for (size_t i = 0; i < n; i++) {
        entropy -= counts[i] / total * log(counts[i] / total);
    }
    return n > 0 ? exp(entropy) : 0;
}

double oracle_l_recursive(const double *counts, size_t n, double c)
{
    size_t best = 0;
    for (size_t l = 1; l <= n; l++) {
        double tail = 0;
        for (size_t i = l - 1; i < n; i++) {
            tail += counts[i];
        }
        best = counts[0] < c * tail ? l : best;
    }
    return (double)best;
}

/* The worst over the sensitive attributes. */
static double oracle_least(const oracle_release *r, size_t row, double parameter,
                           double (*l)(const double *counts, size_t n, double parameter))
{
    double worst = (double)INFINITY;
    double *const counts = oracle_array(r->table->n_rows, sizeof *counts);
    for (size_t s = 0; s < r->table->n_sensitive; s++) {
        const size_t n = oracle_counts(r, &r->table->sensitive[s], row, counts);
        worst = fmin(worst, l(counts, n, parameter));
    }
    free(counts);
    return worst;
}

double oracle_row_l_distinct(const oracle_release *r, size_t row, double parameter)
{
    return oracle_least(r, row, parameter, oracle_l_distinct);
}

static double oracle_row_l_entropy(const oracle_release *r, size_t row, double parameter)
{
    return oracle_least(r, row, parameter, oracle_l_entropy);
}

static double oracle_row_l_recursive(const oracle_release *r, size_t row, double parameter)
{
    return oracle_least(r, row, parameter, oracle_l_recursive);
}

static double oracle_row_sum_l(const oracle_release *r, size_t row, double parameter)
{
    double worst = (double)INFINITY;
    (void)parameter;
    for (size_t s = 0; s < r->table->n_sensitive; s++) {
        worst = fmin(worst, oracle_occurs(r, &r->table->sensitive[s], row, row));
    }
    return worst;
}

/* ----------------------------------------------------- earth to be moved */

bool oracle_precedes(const char *a, const char *b)
{
    if (a[0] == '\0' || b[0] == '\0') {
        return a[0] != '\0';
    }
    return strtol(a, NULL, 10) < strtol(b, NULL, 10);
}

unsigned oracle_meeting(const oracle_column *c, const char *a, const char *b)
{
    const unsigned height = oracle_height(c);
    for (unsigned level = 0; level < height; level++) {
        const char *const group = oracle_group(c, a, level);
        if (!oracle_same(group, ORACLE_ROOT) && oracle_same(group, oracle_group(c, b, level))) {
            return level;
        }
    }
    return height;
}

/* surplus[i] of the value of row i, if it is the first row with that value: what the class of `row`
 * has of it more than the table. */
static double *oracle_surplus(const oracle_release *r, const oracle_column *c, size_t row)
{
    const size_t n = r->table->n_rows;
    double *const surplus = oracle_array(n, sizeof *surplus);
    for (size_t i = 0; i < n; i++) {
        double in_table = 0;
        for (size_t j = 0; j < n; j++) {
            in_table += oracle_same(c->cells[i], c->cells[j]);
        }
        if (oracle_is_first(c, i)) {
            surplus[i] =
                oracle_occurs(r, c, row, i) / oracle_row_size(r, row, 0) - in_table / (double)n;
        }
    }
    return surplus;
}

/* In a tree the cheapest transport serves the nearest first. */
static double oracle_move_in_tree(const oracle_column *c, size_t n, double *surplus)
{
    const unsigned height = c->distance == ORACLE_EQUAL ? 1 : oracle_height(c);
    double work = 0;
    for (unsigned level = 1; level <= height; level++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n && surplus[i] > 0; j++) {
                if (surplus[j] < 0 &&
                    (level == height || oracle_meeting(c, c->cells[i], c->cells[j]) <= level)) {
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

/* On a line everything has to cross every gap: what the values before a gap have too much, or too
 * little. */
static double oracle_move_on_line(const oracle_column *c, size_t n, const double *surplus)
{
    size_t n_values = 0;
    double work = 0;
    for (size_t i = 0; i < n; i++) {
        double before = 0;
        n_values += oracle_is_first(c, i);
        for (size_t j = 0; j < n; j++) {
            before += oracle_precedes(c->cells[j], c->cells[i]) ? surplus[j] : 0;
        }
        work += oracle_is_first(c, i) ? fabs(before) : 0;
    }
    return n_values > 1 ? work / (double)(n_values - 1) : 0;
}

static double oracle_row_t(const oracle_release *r, size_t row, double parameter)
{
    const size_t n = r->table->n_rows;
    double worst = 0;
    (void)parameter;
    for (size_t s = 0; s < r->table->n_sensitive; s++) {
        const oracle_column *const c = &r->table->sensitive[s];
        double *const surplus = oracle_surplus(r, c, row);
        worst = fmax(worst, c->distance == ORACLE_ORDERED ? oracle_move_on_line(c, n, surplus)
                                                          : oracle_move_in_tree(c, n, surplus));
        free(surplus);
    }
    return worst;
}

/* ----------------------------------------------------------------- label */

static double oracle_label_count(const oracle_release *r, size_t row, size_t of)
{
    const oracle_column label = {.cells = r->table->label};
    return oracle_occurs(r, &label, row, of);
}

/* The majority is the label that occurs most, of several the one that the table shows first. */
static double oracle_row_cm(const oracle_release *r, size_t row, double parameter)
{
    size_t majority = 0;
    double most = 0;
    (void)parameter;
    for (size_t i = 0; i < r->table->n_rows && !r->suppressed[row]; i++) {
        const double count = oracle_label_count(r, row, i);
        if (count > most) {
            majority = i;
            most = count;
        }
    }
    return r->suppressed[row] || !oracle_same(r->table->label[row], r->table->label[majority]);
}

/* ---------------------------------------------------------------- detail */

double oracle_leaves_at(const oracle_release *r, size_t row, size_t quasi)
{
    return r->leaves[row * r->table->n_quasi + quasi];
}

/* (leaves - 1) / (|domain| - 1) */
static double oracle_cell_loss(const oracle_release *r, size_t row, size_t quasi)
{
    const double domain = r->domain[quasi];
    if (r->suppressed[row]) {
        return 1;
    }
    return domain > 1 ? (oracle_leaves_at(r, row, quasi) - 1) / (domain - 1) : 0;
}

double oracle_row_glm(const oracle_release *r, size_t row, double parameter)
{
    double loss = 0;
    (void)parameter;
    for (size_t q = 0; q < r->table->n_quasi; q++) {
        loss += oracle_cell_loss(r, row, q);
    }
    return loss;
}

double oracle_row_nwp(const oracle_release *r, size_t row, double parameter)
{
    double loss = 0;
    double weights = 0;
    (void)parameter;
    for (size_t q = 0; q < r->table->n_quasi; q++) {
        loss += r->table->quasi[q].weight * oracle_cell_loss(r, row, q);
        weights += r->table->quasi[q].weight;
    }
    return loss / weights;
}

static double oracle_row_leaf_utility(const oracle_release *r, size_t row, double parameter)
{
    double kept = 0;
    (void)parameter;
    for (size_t q = 0; q < r->table->n_quasi && !r->suppressed[row]; q++) {
        kept += 1 - oracle_leaves_at(r, row, q) / r->domain[q];
    }
    return kept;
}

static double oracle_row_precision(const oracle_release *r, size_t row, double parameter)
{
    double kept = 0;
    (void)parameter;
    for (size_t q = 0; q < r->table->n_quasi && !r->suppressed[row]; q++) {
        const oracle_column *const c = &r->table->quasi[q];
        const bool at_root = oracle_same(oracle_cell(r, row, q), ORACLE_ROOT);
        kept += at_root ? 0 : 1 - (double)oracle_level(r->table, row, q) / oracle_height(c);
    }
    return kept / (double)r->table->n_quasi;
}

/* log2 of how many rows lie in the released group, for each row that has the raw value. */
static double oracle_cell_bits(const oracle_release *r, size_t row, size_t quasi)
{
    const oracle_column *const c = &r->table->quasi[quasi];
    const char *const group = r->suppressed[row] ? ORACLE_ROOT : oracle_cell(r, row, quasi);
    double in_group = 0;
    double alike = 0;
    for (size_t i = 0; i < r->table->n_rows; i++) {
        in_group += oracle_lies_under(c, oracle_level(r->table, row, quasi), c->cells[i], group);
        alike += oracle_same(c->cells[i], c->cells[row]);
    }
    return log2(in_group / alike);
}

static double oracle_row_entropy(const oracle_release *r, size_t row, double parameter)
{
    double bits = 0;
    (void)parameter;
    for (size_t q = 0; q < r->table->n_quasi; q++) {
        bits += oracle_cell_bits(r, row, q);
    }
    return bits;
}

/* ---------------------------------------------------------- all together */

const oracle_measure oracle_measures[ORACLE_MEASURES] = {
    {"k", ORACLE_MIN_KEPT, true, oracle_row_size, NULL},
    {"l-distinct", ORACLE_MIN_KEPT, true, oracle_row_l_distinct, NULL},
    {"l-entropy", ORACLE_MIN_KEPT, true, oracle_row_l_entropy, NULL},
    {"l-recursive", ORACLE_MIN_KEPT, true, oracle_row_l_recursive, NULL},
    {"t-closeness", ORACLE_MAX_KEPT, true, oracle_row_t, NULL},
    {"sum-k", ORACLE_SUM, true, oracle_row_size, NULL},
    {"sum-l", ORACLE_SUM, false, oracle_row_sum_l, NULL},
    {"gini", ORACLE_WHOLE, false, NULL, oracle_gini},
    {"necd", ORACLE_WHOLE, false, NULL, oracle_necd},
    {"glm", ORACLE_SUM, false, oracle_row_glm, NULL},
    {"nwp", ORACLE_MEAN, false, oracle_row_nwp, NULL},
    {"dcn", ORACLE_SUM, true, oracle_row_dcn, NULL},
    {"cm", ORACLE_SUM, false, oracle_row_cm, NULL},
    {"leaf-utility", ORACLE_SUM, false, oracle_row_leaf_utility, NULL},
    {"precision", ORACLE_MEAN, false, oracle_row_precision, NULL},
    {"aecs", ORACLE_WHOLE, false, NULL, oracle_aecs},
    {"entropy", ORACLE_SUM, false, oracle_row_entropy, NULL},
    {"risk", ORACLE_MAX_KEPT, true, oracle_row_risk, NULL},
    {"risk-mean", ORACLE_MEAN_KEPT, true, oracle_row_risk, NULL},
    {"risk-above", ORACLE_MEAN_KEPT, true, oracle_row_above, NULL},
};

const oracle_measure *oracle_find(const char *name)
{
    for (size_t i = 0; i < ORACLE_MEASURES; i++) {
        if (oracle_same(oracle_measures[i].name, name)) {
            return &oracle_measures[i];
        }
    }
    return NULL;
}

static double oracle_row(const oracle_measure *measure, const oracle_release *release,
                         double parameter, const double *rows, size_t row)
{
    for (size_t i = 0; measure->shared && i < row; i++) {
        if (oracle_in_one_class(release, i, row)) {
            return rows[i];
        }
    }
    return measure->row(release, row, parameter);
}

void oracle_rows(const oracle_measure *measure, const oracle_release *release, double parameter,
                 double *rows)
{
    for (size_t i = 0; i < release->table->n_rows; i++) {
        rows[i] = oracle_row(measure, release, parameter, rows, i);
    }
}

static double oracle_fold_rows(oracle_fold fold, const oracle_release *r, const double *rows)
{
    const double n_kept = (double)(r->table->n_rows - r->n_suppressed);
    double sum = 0;
    double kept = 0;
    double least = (double)INFINITY;
    double most = (double)-INFINITY;
    for (size_t i = 0; i < r->table->n_rows; i++) {
        sum += rows[i];
        kept += r->suppressed[i] ? 0 : rows[i];
        least = r->suppressed[i] ? least : fmin(least, rows[i]);
        most = r->suppressed[i] ? most : fmax(most, rows[i]);
    }
    switch (fold) {
    case ORACLE_SUM: return sum;
    case ORACLE_MEAN: return sum / (double)r->table->n_rows;
    case ORACLE_MIN_KEPT: return least;
    case ORACLE_MAX_KEPT: return most;
    case ORACLE_MEAN_KEPT: return kept / n_kept;
    case ORACLE_WHOLE: break;
    }
    return (double)NAN;
}

double oracle_value(const oracle_measure *measure, const oracle_release *release,
                    const double *rows)
{
    return measure->fold == ORACLE_WHOLE ? measure->whole(release)
                                         : oracle_fold_rows(measure->fold, release, rows);
}
