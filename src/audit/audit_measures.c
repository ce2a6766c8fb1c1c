/* The formulas of docs/model.md, section 3, one function each, found by the name that the registry
 * gives the measure. They are written down a second time on purpose, from the definitions and with
 * other data structures than the measure room has: where both agree, a mistake would have to be
 * made twice.
 *
 * Which rows count: worst cases (k, l, t, risk) look at the remaining classes only. Sums over
 * people (sum-k, sum-l, gini) take in all rows, the suppressed ones as one class. With several
 * sensitive columns the worst one counts, unless the measure is asked of one of them.
 *
 * Formulas over sensitive values and labels need, per class, how often each value occurs. That is
 * the spread of a column: one bar per class and value, sorted by class and, in it, by the value's
 * rank,
 *
 *     starts    0           3     4                   one per class, and the end
 *               v           v     v
 *     bars      r0  r2  r5  r2    r0  r1 ...          (class, rank, rows > 0)
 *               \ class 0 / cl.1  \ class 2 ..
 *
 * where ranks are the order of values that the column's distance goes along: of numbers, of dates,
 * or of the leaves of a tree.
 *
 * Numbers of rows, and products of two of them, are summed as whole numbers of 128 bits and become
 * floating point only in the last division. */
#include "audit/audit.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 wide;

typedef struct {
    uint32_t class_number;
    uint32_t rank;
    uint64_t count; /* > 0 */
} bar;

/* Zero-initialised = empty. */
struct pv_audit_spread {
    pv_distance distance; /* never AUTO */
    bar *bars;
    size_t n_bars;
    size_t *starts; /* per class: its first bar; one more at the end */
    uint32_t n_values;
    uint32_t *rank_of; /* by code */
    uint64_t *totals;  /* by rank: rows of the whole table */
    uint32_t missing;  /* rank of the missing value, or PV_AUDIT_NOT_FOUND */
    /* ORDERED: by rank, rows up to and with the value, and the sum of those numbers before it. */
    uint64_t *cumulative;
    wide *cumulative_before;
    /* HIERARCHICAL: for each level below the top and each rank, the group and its rows. */
    unsigned height;
    uint32_t *groups;       /* [level * n_values + rank] */
    uint64_t *group_totals; /* the same shape */
};

static void spread_deinit(pv_audit_spread *s)
{
    pv_i_free(s->bars);
    pv_i_free(s->starts);
    pv_i_free(s->rank_of);
    pv_i_free(s->totals);
    pv_i_free(s->cumulative);
    pv_i_free(s->cumulative_before);
    pv_i_free(s->groups);
    pv_i_free(s->group_totals);
}

/* ---- the spread of a column ---- */

/* Also for bsearch within a class. */
static int compare_bars(const void *a, const void *b)
{
    const bar *const left = a;
    const bar *const right = b;
    if (left->class_number != right->class_number) {
        return left->class_number < right->class_number ? -1 : 1;
    }
    return (left->rank > right->rank) - (left->rank < right->rank);
}

/* Of the column at `position` among those after the quasi-identifiers; `order` lists its codes. */
static pv_status make_bars(const pv_audit_count *count, size_t position, const uint32_t *order,
                           pv_audit_spread *s, pv_error *error)
{
    const pv_audit_column *const column = &count->columns[count->n_quasi + position];
    const pv_audit_tally *const parts = &count->parts;
    const size_t n_classes = count->classes.n_entries;
    s->n_values = (uint32_t)column->values.n_entries;
    s->bars = PV_NEW_ARRAY(bar, parts->n_entries);
    s->starts = PV_NEW_ARRAY(size_t, n_classes + 1);
    s->rank_of = PV_NEW_ARRAY(uint32_t, s->n_values);
    s->totals = PV_NEW_ARRAY(uint64_t, s->n_values);
    if (s->bars == NULL || s->starts == NULL || s->rank_of == NULL || s->totals == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t rank = 0; rank < s->n_values; rank++) {
        s->rank_of[order[rank]] = rank;
        s->totals[rank] = column->values.entries[order[rank]].count;
    }
    s->missing =
        column->missing != PV_AUDIT_NOT_FOUND ? s->rank_of[column->missing] : PV_AUDIT_NOT_FOUND;
    /* A part is a combination of all columns, so the same class and value may come several times.
     */
    for (uint32_t i = 0; i < parts->n_entries; i++) {
        s->bars[i] = (bar){.class_number = pv_i_audit_code(parts, i, 0),
                           .rank = s->rank_of[pv_i_audit_code(parts, i, 1 + position)],
                           .count = parts->entries[i].count};
    }
    qsort(s->bars, parts->n_entries, sizeof *s->bars, compare_bars);
    for (size_t i = 0; i < parts->n_entries; i++) {
        if (s->n_bars > 0 && compare_bars(&s->bars[s->n_bars - 1], &s->bars[i]) == 0) {
            s->bars[s->n_bars - 1].count += s->bars[i].count;
        } else {
            s->bars[s->n_bars++] = s->bars[i];
        }
    }
    /* Every class has a bar, so going backwards leaves the first one of each. */
    for (size_t i = s->n_bars; i-- > 0;) {
        s->starts[s->bars[i].class_number] = i;
    }
    s->starts[n_classes] = s->n_bars;
    return PV_STATUS_OK;
}

/* The codes and their leaves in tree order, so that the members of every group are neighbours. */
static pv_status order_by_tree(const pv_audit_count *count, const pv_audit_column *column,
                               const pv_hierarchy *tree, uint32_t *order, uint32_t *leaves,
                               pv_error *error)
{
    const size_t n_values = column->values.n_entries;
    bool *const placed = PV_NEW_ZEROED(bool, n_values);
    if (placed == NULL) {
        return pv_i_no_memory(error);
    }
    size_t rank = 0;
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(tree); leaf++) {
        const char *const label = pv_hierarchy_label(tree, 0, pv_hierarchy_group(tree, 0, leaf));
        const size_t size = strlen(label);
        const uint32_t code = pv_i_audit_is_missing(count, column, label, size)
                                  ? column->missing
                                  : pv_i_audit_tally_find(&column->values, label, size);
        if (code != PV_AUDIT_NOT_FOUND && !placed[code]) {
            placed[code] = true;
            order[rank] = code;
            leaves[rank++] = leaf;
        }
    }
    uint32_t code = 0;
    while (code < n_values && placed[code]) {
        code++;
    }
    pv_i_free(placed);
    return code == n_values
               ? PV_STATUS_OK
               : pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, count->path, column->lines[code], 0,
                                        "the hierarchy of the column `%s` does not name this value",
                                        column->name),
                           error, "add it to the hierarchy, or measure with another distance");
}

/* Have two leaves met at a level or below it? Only at the top do they meet in the root, however
 * early a ragged tree leads them there. */
static bool have_met(const pv_hierarchy *tree, unsigned level, uint32_t a, uint32_t b)
{
    for (unsigned l = 0; l <= level; l++) {
        const uint32_t group = pv_hierarchy_group(tree, l, a);
        if (group == pv_hierarchy_group(tree, l, b)) {
            return !pv_hierarchy_is_root(tree, l, group);
        }
    }
    return false;
}

/* Per level the groups, each known by the rank of its first member, and the rows in each, written
 * to all their members: summed up from the left, then the full sum carried back. */
static pv_status fill_levels(pv_audit_spread *s, const pv_hierarchy *tree, const uint32_t *leaves,
                             pv_error *error)
{
    const size_t n = s->n_values;
    s->height = pv_hierarchy_height(tree);
    s->groups = PV_NEW_ARRAY(uint32_t, s->height * n);
    s->group_totals = PV_NEW_ARRAY(uint64_t, s->height * n);
    if (s->groups == NULL || s->group_totals == NULL) {
        return pv_i_no_memory(error);
    }
    for (unsigned level = 0; level < s->height; level++) {
        uint32_t *const groups = s->groups + level * n;
        uint64_t *const totals = s->group_totals + level * n;
        for (size_t rank = 0; rank < n; rank++) {
            const bool joins = rank > 0 && have_met(tree, level, leaves[rank - 1], leaves[rank]);
            groups[rank] = joins ? groups[rank - 1] : (uint32_t)rank;
            totals[rank] = s->totals[rank] + (joins ? totals[rank - 1] : 0);
        }
        for (size_t rank = n; rank-- > 1;) {
            if (groups[rank] == groups[rank - 1]) {
                totals[rank - 1] = totals[rank];
            }
        }
    }
    return PV_STATUS_OK;
}

static pv_status fill_cumulative(pv_audit_spread *s, pv_error *error)
{
    s->cumulative = PV_NEW_ARRAY(uint64_t, s->n_values);
    s->cumulative_before = PV_NEW_ARRAY(wide, s->n_values + (size_t)1);
    if (s->cumulative == NULL || s->cumulative_before == NULL) {
        return pv_i_no_memory(error);
    }
    uint64_t rows = 0;
    s->cumulative_before[0] = 0;
    for (size_t rank = 0; rank < s->n_values; rank++) {
        rows += s->totals[rank];
        s->cumulative[rank] = rows;
        s->cumulative_before[rank + 1] = s->cumulative_before[rank] + rows;
    }
    return PV_STATUS_OK;
}

/* Of a sensitive column, in the order of its distance. AUTO: numbers and dates are ordered, text is
 * not. */
static pv_status spread_sensitive(const pv_audit_count *count, const pv_audit_options *options,
                                  size_t sensitive, pv_audit_spread *s, pv_error *error)
{
    const pv_audit_column *const column = &count->columns[count->n_quasi + sensitive];
    const pv_hierarchy *const tree =
        options->sensitive_hierarchies != NULL ? options->sensitive_hierarchies[sensitive] : NULL;
    pv_status status = PV_STATUS_OK;
    s->distance = options->distances != NULL ? options->distances[sensitive] : PV_DISTANCE_AUTO;
    if (s->distance == PV_DISTANCE_AUTO) {
        s->distance = column->type == PV_TYPE_TEXT ? PV_DISTANCE_EQUAL : PV_DISTANCE_ORDERED;
    }
    if (s->distance == PV_DISTANCE_HIERARCHICAL && tree == NULL) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "the hierarchical distance of the column `%s` needs its hierarchy",
                         options->sensitive[sensitive]);
    }
    uint32_t *const order = PV_NEW_ARRAY(uint32_t, column->values.n_entries);
    uint32_t *const leaves = PV_NEW_ARRAY(uint32_t, column->values.n_entries);
    if (order == NULL || leaves == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    const bool by_tree = tree != NULL && s->distance != PV_DISTANCE_EQUAL;
    PV_TRY_CLEAN(by_tree ? order_by_tree(count, column, tree, order, leaves, error)
                         : pv_i_audit_order(count, column, order, error));
    PV_TRY_CLEAN(make_bars(count, sensitive, order, s, error));
    if (s->distance == PV_DISTANCE_HIERARCHICAL) {
        PV_TRY_CLEAN(fill_levels(s, tree, leaves, error));
    } else if (s->distance == PV_DISTANCE_ORDERED) {
        PV_TRY_CLEAN(fill_cumulative(s, error));
    }
cleanup:
    pv_i_free(order);
    pv_i_free(leaves);
    return status;
}

/* ---- facts ---- */

static int compare_sizes(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a;
    const uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

pv_status pv_i_audit_facts(const pv_audit_count *count, const pv_audit_options *options,
                           pv_audit_facts *facts, pv_error *error)
{
    uint32_t *order = NULL;
    size_t most_values = 0;
    for (size_t i = 0; i < count->n_sensitive; i++) {
        const size_t n = count->columns[count->n_quasi + i].values.n_entries;
        most_values = n > most_values ? n : most_values;
    }
    pv_status status = PV_STATUS_OK;
    pv_audit_facts f = {.count = count,
                        .smallest = UINT64_MAX,
                        .columns = PV_NEW_ZEROED(pv_audit_spread, count->n_sensitive + 1),
                        .sizes = PV_NEW_ARRAY(uint64_t, count->classes.n_entries),
                        .counts = PV_NEW_ARRAY(uint64_t, most_values)};
    if (f.columns == NULL || f.sizes == NULL || f.counts == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    for (uint32_t i = 0; i < count->classes.n_entries; i++) {
        const uint64_t size = count->classes.entries[i].count;
        f.sizes[i] = size;
        if (pv_i_audit_remains(count, i)) {
            f.remaining_rows += size;
            f.remaining_classes++;
            f.smallest = size < f.smallest ? size : f.smallest;
            f.largest = size > f.largest ? size : f.largest;
        }
    }
    qsort(f.sizes, count->classes.n_entries, sizeof *f.sizes, compare_sizes);
    for (size_t i = 0; i < count->n_sensitive; i++) {
        PV_TRY_CLEAN(spread_sensitive(count, options, i, &f.columns[i], error));
    }
    if (count->has_label) {
        /* The order of labels means nothing: they stay in the order of their codes. */
        const size_t n = count->columns[count->n_quasi + count->n_sensitive].values.n_entries;
        order = PV_NEW_ARRAY(uint32_t, n);
        for (uint32_t i = 0; order != NULL && i < n; i++) {
            order[i] = i;
        }
        PV_TRY_CLEAN(order != NULL ? make_bars(count, count->n_sensitive, order,
                                               &f.columns[count->n_sensitive], error)
                                   : pv_i_no_memory(error));
    }
    *facts = f;
    f = (pv_audit_facts){0};
cleanup:
    pv_i_free(order);
    pv_i_audit_facts_deinit(&f);
    return status;
}

void pv_i_audit_facts_deinit(pv_audit_facts *facts)
{
    for (size_t i = 0; facts->columns != NULL && i <= facts->count->n_sensitive; i++) {
        spread_deinit(&facts->columns[i]);
    }
    pv_i_free(facts->columns);
    pv_i_free(facts->sizes);
    pv_i_free(facts->counts);
    *facts = (pv_audit_facts){0};
}

/* ---- class sizes ---- */

static wide sum_of_squares(const pv_audit_facts *facts)
{
    wide sum = 0;
    for (size_t i = 0; i < facts->count->classes.n_entries; i++) {
        sum += (wide)facts->sizes[i] * facts->sizes[i];
    }
    return sum;
}

static double measure_k(const pv_audit_facts *facts)
{
    return (double)facts->smallest;
}

/* Every row counts the size of its class. */
static double measure_sum_k(const pv_audit_facts *facts)
{
    return (double)sum_of_squares(facts);
}

/* sum_i sum_j |x_i - x_j| / (2 n^2 mean), x_i the size of row i's class. The s rows of a class
 * differ from the rows of all smaller ones by s * (s * rows before - sum of their sizes); each pair
 * of rows counts twice, which the 2 below the line takes back, and n * mean is the sum of the
 * sizes. */
static double measure_gini(const pv_audit_facts *facts)
{
    wide differences = 0;
    wide rows_before = 0;
    wide sizes_before = 0; /* summed over rows */
    for (size_t i = 0; i < facts->count->classes.n_entries; i++) {
        const wide size = facts->sizes[i];
        differences += size * (size * rows_before - sizes_before);
        rows_before += size;
        sizes_before += size * size;
    }
    return (double)differences / ((double)rows_before * (double)sizes_before);
}

/* The difference between the largest and the smallest class, as a share of the largest it could be.
 */
static double measure_necd(const pv_audit_facts *facts)
{
    const uint64_t rows = facts->count->rows;
    const uint64_t spread = facts->largest - facts->smallest;
    return rows > 1 ? (double)spread / (double)(rows - 1) : 0;
}

/* The squares hold suppressed * suppressed; the definition wants rows * suppressed. */
static double measure_dcn(const pv_audit_facts *facts)
{
    const wide suppressed = facts->count->suppressed;
    const wide rows = facts->count->rows;
    return (double)(sum_of_squares(facts) + (rows - suppressed) * suppressed);
}

/* The mean size of a class. */
static double measure_aecs(const pv_audit_facts *facts)
{
    return (double)facts->remaining_rows / (double)facts->remaining_classes;
}

/* Who knows that a person is in a class of s rows finds theirs with probability 1 / s. */
static double measure_risk(const pv_audit_facts *facts)
{
    return 1 / (double)facts->smallest;
}

/* Each class adds size * 1 / size = 1 to the sum over its rows. */
static double measure_risk_mean(const pv_audit_facts *facts)
{
    return (double)facts->remaining_classes / (double)facts->remaining_rows;
}

/* The share of the rows whose risk is above the threshold. */
static double measure_risk_above(const pv_audit_facts *facts)
{
    const pv_audit_count *const count = facts->count;
    uint64_t above = 0;
    for (uint32_t i = 0; i < count->classes.n_entries; i++) {
        const uint64_t size = count->classes.entries[i].count;
        if (pv_i_audit_remains(count, i) && 1 / (double)size > facts->parameter) {
            above += size;
        }
    }
    return (double)above / (double)facts->remaining_rows;
}

/* ---- sensitive values within a class: l-diversity ---- */

/* One class seen through one sensitive column. */
typedef struct {
    const pv_audit_spread *spread;
    const bar *first, *end;    /* its bars */
    uint64_t rows, table_rows; /* of the class, of the table */
    uint64_t *counts;          /* scratch: one number per value */
    double parameter;          /* of the measure */
} view;

/* The counts of the class's values, in no order: a missing value is none. Returns how many. */
static size_t list_counts(const view *v)
{
    size_t n = 0;
    for (const bar *b = v->first; b < v->end; b++) {
        if (b->rank != v->spread->missing) {
            v->counts[n++] = b->count;
        }
    }
    return n;
}

/* Distinct l-diversity. */
static double score_distinct(const view *v)
{
    return (double)list_counts(v);
}

/* exp of the entropy: so many equally frequent values would have it. Entropy l-diversity asks for
 * at least l. */
static double score_entropy(const view *v)
{
    const size_t n = list_counts(v);
    double entropy = 0;
    double rows = 0; /* that have a value */
    for (size_t i = 0; i < n; i++) {
        rows += (double)v->counts[i];
    }
    for (size_t i = 0; i < n; i++) {
        const double share = (double)v->counts[i] / rows;
        entropy -= share * log(share);
    }
    return n > 0 ? exp(entropy) : 0;
}

/* The largest l with r_1 < c (r_l + ... + r_m), r_1 >= ... >= r_m; 0 if not even l = 1 holds. The
 * tail grows from r_m on, so the first l that holds is the largest. */
static double score_recursive(const view *v)
{
    uint64_t *const ascending = v->counts;
    const size_t n = list_counts(v);
    uint64_t tail = 0;
    if (n == 0) {
        return 0;
    }
    qsort(ascending, n, sizeof *ascending, compare_sizes);
    const double most_frequent = (double)ascending[n - 1];
    for (size_t i = 0; i < n; i++) {
        tail += ascending[i];
        if (most_frequent < v->parameter * (double)tail) {
            return (double)(n - i);
        }
    }
    return 0;
}

/* ---- the distance between a class and the table: t-closeness ----
 *
 * Earth mover's distances: the work of moving one distribution of a sensitive value into the other.
 * With n rows in the class and N in the table, the sums below are over p*n*N - q*n*N instead of
 * p - q, which are whole numbers; divide() takes n*N back.
 *
 *   equal         what the class has too much of must move by 1: sum of max(p - q, 0).
 *   ordered       over each border between neighbouring values moves the difference of what lies
 *                 before it: sum |P - Q| / (m - 1) with P, Q cumulative. The order is that of a
 *                 hierarchy, if one is given.
 *   hierarchical  two values are as far apart as the level at which they meet, divided by the
 *                 height. What a group has too much of must leave it, climbing one level: sum over
 *                 the levels below the top of sum max(p - q, 0) over groups, divided by the height.
 *
 * The time depends on the values that the class has, v of them, not on all m of the column: v,
 * v log m and v times the height. */

/* p - q if positive, times n*N. */
static wide excess(const view *v, uint64_t rows, uint64_t table_rows)
{
    const wide has = (wide)rows * v->table_rows;
    const wide expected = (wide)table_rows * v->rows;
    return has > expected ? has - expected : 0;
}

static double divide(const view *v, wide work, double scale)
{
    return (double)work / ((double)v->rows * (double)v->table_rows * scale);
}

/* sum |P - Q| times n*N over the ranks from `a` up to `b`, where the class gains nothing: P stays
 * `before` rows. Q only grows, so one rank separates those below P from those above it; on either
 * side the sum is a difference of cumulative sums. */
static wide border_work(const view *v, uint64_t before, size_t a, size_t b)
{
    const wide level = (wide)before * v->table_rows;
    size_t low = a;
    size_t high = b;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((wide)v->spread->cumulative[middle] * v->rows < level) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const wide *const sums = v->spread->cumulative_before;
    const wide under = level * (low - a) - (sums[low] - sums[a]) * v->rows;
    const wide over = (sums[b] - sums[low]) * v->rows - level * (b - low);
    return under + over;
}

/* Between two bars P does not change, so the borders are taken stretch by stretch, not one by one.
 */
static double ordered_distance(const view *v)
{
    const uint32_t n_values = v->spread->n_values;
    /* One value: nothing can move, and m - 1 is 0. */
    if (n_values < 2) {
        return 0;
    }
    uint64_t before = 0;
    size_t reached = 0;
    wide work = 0;
    for (const bar *b = v->first; b < v->end; b++) {
        work += border_work(v, before, reached, b->rank);
        before += b->count;
        reached = b->rank;
    }
    work += border_work(v, before, reached, n_values);
    return divide(v, work, (double)(n_values - 1));
}

/* Members of a group have neighbouring ranks, so its bars follow each other. */
static double hierarchical_distance(const view *v)
{
    wide work = 0;
    for (unsigned level = 0; level < v->spread->height; level++) {
        const size_t first = level * (size_t)v->spread->n_values;
        const uint32_t *const groups = v->spread->groups + first;
        const uint64_t *const totals = v->spread->group_totals + first;
        uint64_t rows = 0; /* of the class in the group so far */
        for (const bar *b = v->first; b < v->end; b++) {
            rows += b->count;
            if (b + 1 == v->end || groups[b[1].rank] != groups[b->rank]) {
                work += excess(v, rows, totals[b->rank]);
                rows = 0;
            }
        }
    }
    return divide(v, work, (double)v->spread->height);
}

static double score_closeness(const view *v)
{
    switch (v->spread->distance) {
    case PV_DISTANCE_ORDERED: return ordered_distance(v);
    case PV_DISTANCE_HIERARCHICAL: return hierarchical_distance(v);
    case PV_DISTANCE_AUTO:
    case PV_DISTANCE_EQUAL: break;
    }
    wide work = 0;
    for (const bar *b = v->first; b < v->end; b++) {
        work += excess(v, b->count, v->spread->totals[b->rank]);
    }
    return divide(v, work, 1);
}

/* ---- sums over sensitive values and labels ---- */

/* How often the rows of a part meet their own sensitive value in their class: the least of the
 * columns. */
static uint64_t own_count(const pv_audit_facts *facts, uint32_t part)
{
    const pv_audit_tally *const parts = &facts->count->parts;
    const uint32_t class_number = pv_i_audit_code(parts, part, 0);
    uint64_t least = UINT64_MAX;
    for (size_t i = facts->first; i < facts->end; i++) {
        const pv_audit_spread *const s = &facts->columns[i];
        const bar wanted = {.class_number = class_number,
                            .rank = s->rank_of[pv_i_audit_code(parts, part, 1 + i)]};
        const size_t start = s->starts[class_number];
        const bar *const found =
            bsearch(&wanted, s->bars + start, s->starts[class_number + (size_t)1] - start,
                    sizeof wanted, compare_bars);
        const uint64_t own = found != NULL ? found->count : 0;
        least = own < least ? own : least;
    }
    return least;
}

/* Every row counts how many rows of its class share its sensitive value. */
static double measure_sum_l(const pv_audit_facts *facts)
{
    const pv_audit_tally *const parts = &facts->count->parts;
    wide sum = 0;
    for (uint32_t i = 0; i < parts->n_entries; i++) {
        sum += (wide)parts->entries[i].count * own_count(facts, i);
    }
    return (double)sum;
}

/* Rows whose label is not the most frequent one of their class; suppressed rows all count. */
static double measure_cm(const pv_audit_facts *facts)
{
    const pv_audit_count *const count = facts->count;
    const pv_audit_spread *const label = &facts->columns[count->n_sensitive];
    uint64_t in_majority = 0;
    for (uint32_t i = 0; i < count->classes.n_entries; i++) {
        uint64_t most = 0;
        for (size_t b = label->starts[i]; b < label->starts[i + (size_t)1]; b++) {
            most = label->bars[b].count > most ? label->bars[b].count : most;
        }
        in_majority += pv_i_audit_remains(count, i) ? most : 0;
    }
    return (double)(count->rows - in_majority);
}

/* ---- all of them ---- */

/* Either a formula over all facts, or the worst score of any remaining class through any sensitive
 * column. */
typedef struct {
    const char *name;
    double (*whole)(const pv_audit_facts *facts);
    double (*score)(const view *v);
    bool high_is_worse; /* of the score */
} formula;

static const formula formulas[] = {
    {"k", .whole = measure_k},
    {"l-distinct", .score = score_distinct},
    {"l-entropy", .score = score_entropy},
    {"l-recursive", .score = score_recursive},
    {"t-closeness", .score = score_closeness, .high_is_worse = true},
    {"sum-k", .whole = measure_sum_k},
    {"sum-l", .whole = measure_sum_l},
    {"gini", .whole = measure_gini},
    {"necd", .whole = measure_necd},
    {"dcn", .whole = measure_dcn},
    {"cm", .whole = measure_cm},
    {"aecs", .whole = measure_aecs},
    {"risk", .whole = measure_risk},
    {"risk-mean", .whole = measure_risk_mean},
    {"risk-above", .whole = measure_risk_above},
};

/* Notes the sensitive column that decides. */
static double worst(const pv_audit_facts *facts, const formula *f, size_t *sensitive)
{
    const pv_audit_count *const count = facts->count;
    double found = f->high_is_worse ? -HUGE_VAL : HUGE_VAL;
    for (size_t s = facts->first; s < facts->end; s++) {
        const pv_audit_spread *const spread = &facts->columns[s];
        for (uint32_t i = 0; i < count->classes.n_entries; i++) {
            if (!pv_i_audit_remains(count, i)) {
                continue;
            }
            const view v = {.spread = spread,
                            .first = spread->bars + spread->starts[i],
                            .end = spread->bars + spread->starts[i + (size_t)1],
                            .rows = count->classes.entries[i].count,
                            .table_rows = count->rows,
                            .counts = facts->counts,
                            .parameter = facts->parameter};
            const double value = f->score(&v);
            if (f->high_is_worse ? value > found : value < found) {
                found = value;
                *sensitive = s;
            }
        }
    }
    return found;
}

/* Which sensitive columns the measure looks at. */
static pv_status find_columns(pv_audit_facts *facts, const pv_measure_ref *ref, pv_error *error)
{
    const pv_audit_count *const count = facts->count;
    facts->first = 0;
    facts->end = count->n_sensitive;
    if (ref->column[0] == '\0') {
        return PV_STATUS_OK;
    }
    for (size_t i = 0; i < count->n_sensitive; i++) {
        if (strcmp(count->columns[count->n_quasi + i].name, ref->column) == 0) {
            facts->first = i;
            facts->end = i + 1;
            return PV_STATUS_OK;
        }
    }
    return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                               "'%s' is asked of `%s`, which is no sensitive column",
                               ref->measure->name, ref->column),
                     error, "name a sensitive column, or say that this one is sensitive");
}

pv_status pv_i_audit_measure(pv_audit_facts *facts, pv_measure_ref ref, pv_audit_value *value,
                             pv_error *error)
{
    facts->parameter = ref.parameter;
    const pv_audit_count *const count = facts->count;
    const unsigned needs = ref.measure->needs;
    PV_TRY(find_columns(facts, &ref, error));
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        const formula *const f = &formulas[i];
        if (strcmp(f->name, ref.measure->name) != 0) {
            continue;
        }
        *value = (pv_audit_value){.ref = ref, .sensitive = SIZE_MAX};
        value->available = ((needs & PV_NEEDS_SENSITIVE) == 0 || count->n_sensitive > 0) &&
                           ((needs & PV_NEEDS_LABEL) == 0 || count->has_label);
        if (value->available) {
            value->value = f->whole != NULL ? f->whole(facts) : worst(facts, f, &value->sensitive);
        }
        return PV_STATUS_OK;
    }
    return pv_i_hint(
        pv_i_fail(error, PV_STATUS_ARGUMENT, "a file cannot be checked for %s", ref.measure->name),
        error, "it needs the original table and its hierarchies");
}
