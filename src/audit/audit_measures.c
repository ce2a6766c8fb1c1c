/* Formulas of docs/model.md, section 3, one function each, found by the name the registry gives the
 * measure.
 *
 * Worst cases look at the remaining classes only. Sums over people (sum-k, sum-l, gini) take in all
 * rows, the suppressed ones as one class. With several sensitive columns the worst one counts. */
#include "audit/audit_measures.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef pv_audit_wide wide;

/* ---- facts ---- */

static int compare_sizes(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a;
    const uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static void measure_sizes(pv_audit_facts *facts)
{
    const pv_audit_tally *const classes = &facts->count->classes;
    facts->smallest = UINT64_MAX;
    for (uint32_t i = 0; i < classes->n_entries; i++) {
        const uint64_t size = classes->entries[i].count;
        facts->sizes[i] = size;
        if (pv_i_audit_remains(facts->count, i)) {
            facts->remaining_rows += size;
            facts->remaining_classes++;
            facts->smallest = size < facts->smallest ? size : facts->smallest;
            facts->largest = size > facts->largest ? size : facts->largest;
        }
    }
    qsort(facts->sizes, classes->n_entries, sizeof *facts->sizes, compare_sizes);
}

/* The order of labels means nothing: they stay in the order of their codes. */
static pv_status spread_label(pv_audit_facts *facts, pv_error *error)
{
    const pv_audit_count *const count = facts->count;
    const size_t n = count->columns[count->n_quasi + count->n_sensitive].values.n_entries;
    uint32_t *const order = PV_NEW_ARRAY(uint32_t, n);
    if (order == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
    }
    const pv_status status =
        pv_i_audit_histogram(count, count->n_sensitive, order, &facts->label, error);
    pv_i_free(order);
    return status;
}

static size_t most_values(const pv_audit_count *count)
{
    size_t most = 0;
    for (size_t i = 0; i < count->n_sensitive; i++) {
        const size_t n = count->columns[count->n_quasi + i].values.n_entries;
        most = n > most ? n : most;
    }
    return most;
}

pv_status pv_i_audit_facts(const pv_audit_count *count, const pv_audit_options *options,
                           pv_audit_facts *facts, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    pv_audit_facts f = {.count = count,
                        .grounds = PV_NEW_ZEROED(pv_audit_ground, count->n_sensitive),
                        .sizes = PV_NEW_ARRAY(uint64_t, count->classes.n_entries),
                        .counts = PV_NEW_ARRAY(uint64_t, most_values(count))};
    if (f.grounds == NULL || f.sizes == NULL || f.counts == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    measure_sizes(&f);
    for (size_t i = 0; i < count->n_sensitive; i++) {
        PV_TRY_CLEAN(pv_i_audit_ground(count, options, i, &f.grounds[i], error));
    }
    if (count->has_label) {
        PV_TRY_CLEAN(spread_label(&f, error));
    }
    *facts = f;
    return PV_STATUS_OK;
cleanup:
    pv_i_audit_facts_deinit(&f);
    return status;
}

void pv_i_audit_facts_deinit(pv_audit_facts *facts)
{
    for (size_t i = 0; facts->grounds != NULL && i < facts->count->n_sensitive; i++) {
        pv_i_audit_ground_deinit(&facts->grounds[i]);
    }
    pv_i_free(facts->grounds);
    pv_i_audit_histogram_deinit(&facts->label);
    pv_i_free(facts->sizes);
    pv_i_free(facts->counts);
    *facts = (pv_audit_facts){0};
}

/* ---- class sizes ---- */

/* A formula is asked about facts; only some have a parameter. */
typedef struct {
    const pv_audit_facts *facts;
    double parameter;
    size_t *sensitive; /* where to note the column that decides */
} question;

static wide sum_of_squares(const pv_audit_facts *facts)
{
    wide sum = 0;
    for (size_t i = 0; i < facts->count->classes.n_entries; i++) {
        sum += (wide)facts->sizes[i] * facts->sizes[i];
    }
    return sum;
}

static double measure_k(const question *q)
{
    return (double)q->facts->smallest;
}

static double measure_sum_k(const question *q)
{
    return (double)sum_of_squares(q->facts);
}

/* sum_i sum_j |x_i - x_j| / (2 n^2 mean), x_i the size of row i's class. The s rows of a class
 * differ from the rows of all smaller ones by s * (s * rows before - sum of their sizes); each pair
 * of rows counts twice, which the 2 below the line takes back, and n * mean is the sum of the
 * sizes. */
static double measure_gini(const question *q)
{
    wide differences = 0;
    wide rows_before = 0;
    wide sizes_before = 0; /* summed over rows */
    for (size_t i = 0; i < q->facts->count->classes.n_entries; i++) {
        const wide size = q->facts->sizes[i];
        differences += size * (size * rows_before - sizes_before);
        rows_before += size;
        sizes_before += size * size;
    }
    return (double)differences / ((double)rows_before * (double)sizes_before);
}

static double measure_necd(const question *q)
{
    const uint64_t rows = q->facts->count->rows;
    const uint64_t spread = q->facts->largest - q->facts->smallest;
    return rows > 1 ? (double)spread / (double)(rows - 1) : 0;
}

/* The squares hold suppressed * suppressed; the definition wants rows * suppressed. */
static double measure_dcn(const question *q)
{
    const wide suppressed = q->facts->count->suppressed;
    const wide rows = q->facts->count->rows;
    return (double)(sum_of_squares(q->facts) + (rows - suppressed) * suppressed);
}

static double measure_aecs(const question *q)
{
    return (double)q->facts->remaining_rows / (double)q->facts->remaining_classes;
}

static double measure_risk(const question *q)
{
    return 1 / (double)q->facts->smallest;
}

static double measure_risk_mean(const question *q)
{
    return (double)q->facts->remaining_classes / (double)q->facts->remaining_rows;
}

static double measure_risk_above(const question *q)
{
    const pv_audit_count *const count = q->facts->count;
    uint64_t above = 0;
    for (uint32_t i = 0; i < count->classes.n_entries; i++) {
        const uint64_t size = count->classes.entries[i].count;
        if (pv_i_audit_remains(count, i) && 1 / (double)size > q->parameter) {
            above += size;
        }
    }
    return (double)above / (double)q->facts->remaining_rows;
}

/* ---- sensitive values within classes ---- */

/* One class seen through one sensitive column. */
typedef struct {
    const question *q;
    const pv_audit_ground *ground;
    uint32_t class_number;
    const pv_audit_bar *bars;
    size_t n_bars;
    uint32_t missing; /* rank of the missing value, or PV_AUDIT_NOT_FOUND */
} view;

typedef double (*score_fn)(const view *v);

/* The counts of the class's values, in no order: a missing value is none. Returns how many. */
static size_t list_counts(const view *v, uint64_t *counts)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n_bars; i++) {
        if (v->bars[i].rank != v->missing) {
            counts[n++] = v->bars[i].count;
        }
    }
    return n;
}

static double score_distinct(const view *v)
{
    return (double)list_counts(v, v->q->facts->counts);
}

static double score_entropy(const view *v)
{
    uint64_t *const counts = v->q->facts->counts;
    const size_t n = list_counts(v, counts);
    double entropy = 0;
    double rows = 0;
    for (size_t i = 0; i < n; i++) {
        rows += (double)counts[i];
    }
    for (size_t i = 0; i < n; i++) {
        const double share = (double)counts[i] / rows;
        entropy -= share * log(share);
    }
    return n > 0 ? exp(entropy) : 0;
}

/* The largest l with r_1 < c (r_l + ... + r_m); 0 if not even l = 1 holds. */
static double score_recursive(const view *v)
{
    uint64_t *const ascending = v->q->facts->counts;
    const size_t n = list_counts(v, ascending);
    uint64_t tail = 0;
    if (n == 0) {
        return 0;
    }
    qsort(ascending, n, sizeof *ascending, compare_sizes);
    const double most_frequent = (double)ascending[n - 1];
    for (size_t i = 0; i < n; i++) {
        tail += ascending[i];
        if (most_frequent < v->q->parameter * (double)tail) {
            return (double)(n - i);
        }
    }
    return 0;
}

static double score_closeness(const view *v)
{
    return pv_i_audit_distance(v->ground, v->q->facts->count, v->class_number);
}

static view look(const question *q, size_t sensitive, uint32_t class_number)
{
    const pv_audit_ground *const ground = &q->facts->grounds[sensitive];
    const size_t start = ground->histogram.starts[class_number];
    const pv_audit_count *const count = q->facts->count;
    const uint32_t missing = count->columns[count->n_quasi + sensitive].missing;
    return (view){.q = q,
                  .ground = ground,
                  .class_number = class_number,
                  .bars = ground->histogram.bars + start,
                  .n_bars = ground->histogram.starts[class_number + (size_t)1] - start,
                  .missing = missing != PV_AUDIT_NOT_FOUND ? ground->histogram.rank_of[missing]
                                                           : PV_AUDIT_NOT_FOUND};
}

/* The worst score of a remaining class through any sensitive column. */
static double worst(const question *q, score_fn score, pv_direction direction)
{
    const pv_audit_count *const count = q->facts->count;
    double found = direction == PV_MORE_IS_BETTER ? HUGE_VAL : -HUGE_VAL;
    for (size_t s = 0; s < count->n_sensitive; s++) {
        for (uint32_t i = 0; i < count->classes.n_entries; i++) {
            if (pv_i_audit_remains(count, i)) {
                const view v = look(q, s, i);
                const double value = score(&v);
                if (direction == PV_MORE_IS_BETTER ? value < found : value > found) {
                    found = value;
                    *q->sensitive = s;
                }
            }
        }
    }
    return found;
}

static double measure_l_distinct(const question *q)
{
    return worst(q, score_distinct, PV_MORE_IS_BETTER);
}

static double measure_l_entropy(const question *q)
{
    return worst(q, score_entropy, PV_MORE_IS_BETTER);
}

static double measure_l_recursive(const question *q)
{
    return worst(q, score_recursive, PV_MORE_IS_BETTER);
}

static double measure_t_closeness(const question *q)
{
    return worst(q, score_closeness, PV_LESS_IS_BETTER);
}

/* How often the rows of a part meet their own sensitive value in their class: the least of the
 * columns. */
static uint64_t own_count(const pv_audit_facts *facts, uint32_t part)
{
    const pv_audit_tally *const parts = &facts->count->parts;
    uint64_t least = UINT64_MAX;
    for (size_t s = 0; s < facts->count->n_sensitive; s++) {
        const pv_audit_histogram *const h = &facts->grounds[s].histogram;
        const uint32_t rank = h->rank_of[pv_i_audit_code(parts, part, 1 + s)];
        const uint64_t own = pv_i_audit_bar_count(h, pv_i_audit_code(parts, part, 0), rank);
        least = own < least ? own : least;
    }
    return least;
}

static double measure_sum_l(const question *q)
{
    const pv_audit_tally *const parts = &q->facts->count->parts;
    wide sum = 0;
    for (uint32_t i = 0; i < parts->n_entries; i++) {
        sum += (wide)parts->entries[i].count * own_count(q->facts, i);
    }
    return (double)sum;
}

/* ---- labels ---- */

static uint64_t majority(const pv_audit_histogram *label, uint32_t class_number)
{
    uint64_t most = 0;
    for (size_t i = label->starts[class_number]; i < label->starts[class_number + (size_t)1]; i++) {
        most = label->bars[i].count > most ? label->bars[i].count : most;
    }
    return most;
}

static double measure_cm(const question *q)
{
    const pv_audit_count *const count = q->facts->count;
    uint64_t in_majority = 0;
    for (uint32_t i = 0; i < count->classes.n_entries; i++) {
        if (pv_i_audit_remains(count, i)) {
            in_majority += majority(&q->facts->label, i);
        }
    }
    return (double)(count->rows - in_majority);
}

/* ---- all of them ---- */

static const struct {
    const char *name;
    double (*measure)(const question *q);
} formulas[] = {
    {"k", measure_k},
    {"l-distinct", measure_l_distinct},
    {"l-entropy", measure_l_entropy},
    {"l-recursive", measure_l_recursive},
    {"t-closeness", measure_t_closeness},
    {"sum-k", measure_sum_k},
    {"sum-l", measure_sum_l},
    {"gini", measure_gini},
    {"necd", measure_necd},
    {"dcn", measure_dcn},
    {"cm", measure_cm},
    {"aecs", measure_aecs},
    {"risk", measure_risk},
    {"risk-mean", measure_risk_mean},
    {"risk-above", measure_risk_above},
};

static bool has_columns(const pv_audit_count *count, unsigned needs)
{
    return !((needs & PV_NEEDS_SENSITIVE) != 0 && count->n_sensitive == 0) &&
           !((needs & PV_NEEDS_LABEL) != 0 && !count->has_label);
}

pv_status pv_i_audit_measure(const pv_audit_facts *facts, pv_measure_ref ref, pv_audit_value *value,
                             pv_error *error)
{
    size_t sensitive = SIZE_MAX;
    const question q = {.facts = facts, .parameter = ref.parameter, .sensitive = &sensitive};
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        if (strcmp(formulas[i].name, ref.measure->name) == 0) {
            *value = (pv_audit_value){.ref = ref,
                                      .available = has_columns(facts->count, ref.measure->needs)};
            value->value = value->available ? formulas[i].measure(&q) : 0;
            value->sensitive = sensitive;
            return PV_STATUS_OK;
        }
    }
    return pv_i_hint(
        pv_i_fail(error, PV_STATUS_ARGUMENT, "a file cannot be checked for %s", ref.measure->name),
        error, "it needs the original table and its hierarchies");
}
