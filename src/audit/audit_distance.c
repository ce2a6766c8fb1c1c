/* Earth mover's distances, in whole numbers until the last division: a class has n rows, the table
 * N, and instead of p - q the sums below are over p*n*N - q*n*N, which are integers.
 *
 *   equal         what the class has too much of must move by 1: sum of max(p - q, 0).
 *   ordered       over each border between neighbouring values moves the difference of what lies
 *                 before it: sum |P - Q| / (m - 1) with P, Q cumulative. The order is that of a
 *                 hierarchy, if one is given.
 *   hierarchical  two values are as far apart as the level at which they meet, divided by the
 *                 height. What a group has too much of must leave it, climbing one level: sum over
 *                 the levels below the top of sum max(p - q, 0) over groups, divided by the height.
 */
#include "audit/audit_distance.h"

#include "audit/audit_order.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

void pv_i_audit_ground_deinit(pv_audit_ground *ground)
{
    pv_i_audit_histogram_deinit(&ground->histogram);
    pv_i_free(ground->cumulative);
    pv_i_free(ground->cumulative_before);
    pv_i_free(ground->groups);
    pv_i_free(ground->group_totals);
    *ground = (pv_audit_ground){0};
}

/* ---- preparing: the values in the order the ground distance walks them ---- */

static pv_status not_in_hierarchy(const pv_audit_count *count, const pv_audit_column *column,
                                  uint32_t code, pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, count->path, column->lines[code], 0,
                                  "the hierarchy of the column `%s` does not name this value",
                                  column->name),
                     error, "add it to the hierarchy, or measure with another distance");
}

/* The code of a leaf's value, PV_AUDIT_NOT_FOUND if the file does not have it. */
static uint32_t code_of_leaf(const pv_audit_count *count, const pv_audit_column *column,
                             const pv_hierarchy *hierarchy, uint32_t leaf)
{
    const char *const label =
        pv_hierarchy_label(hierarchy, 0, pv_hierarchy_group(hierarchy, 0, leaf));
    const size_t size = strlen(label);
    return pv_i_audit_is_missing(count, column, label, size)
               ? column->missing
               : pv_i_audit_tally_find(&column->values, label, size);
}

/* The codes and their leaves in tree order, so that the members of every group are neighbours. */
static pv_status order_by_tree(const pv_audit_count *count, const pv_audit_column *column,
                               const pv_hierarchy *hierarchy, uint32_t *order, uint32_t *leaves,
                               pv_error *error)
{
    const size_t n_values = column->values.n_entries;
    bool *const placed = PV_NEW_ZEROED(bool, n_values);
    if (placed == NULL) {
        return pv_i_no_memory(error);
    }
    size_t rank = 0;
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(hierarchy); leaf++) {
        const uint32_t code = code_of_leaf(count, column, hierarchy, leaf);
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
    return code < n_values ? not_in_hierarchy(count, column, code, error) : PV_STATUS_OK;
}

/* Have two leaves met at a level or below it? Only at the top do they meet in the root, however
 * early a ragged tree leads them there. */
static bool have_met(const pv_hierarchy *hierarchy, unsigned level, uint32_t a, uint32_t b)
{
    for (unsigned l = 0; l <= level; l++) {
        const uint32_t group = pv_hierarchy_group(hierarchy, l, a);
        if (group == pv_hierarchy_group(hierarchy, l, b)) {
            return !pv_hierarchy_is_root(hierarchy, l, group);
        }
    }
    return false;
}

/* The groups of one level, each known by the rank of its first member, and the rows in each, handed
 * to all their members. */
static void fill_level(pv_audit_ground *ground, const pv_hierarchy *hierarchy, unsigned level,
                       const uint32_t *leaves)
{
    const size_t n = ground->histogram.n_values;
    uint32_t *const groups = ground->groups + level * n;
    uint64_t *const totals = ground->group_totals + level * n;
    for (size_t rank = 0; rank < n; rank++) {
        const bool joins = rank > 0 && have_met(hierarchy, level, leaves[rank - 1], leaves[rank]);
        groups[rank] = joins ? groups[rank - 1] : (uint32_t)rank;
        totals[rank] = ground->histogram.totals[rank];
        if (rank > 0 && groups[rank] == groups[rank - 1]) {
            totals[rank] += totals[rank - 1];
        }
    }
    for (size_t rank = n; rank-- > 1;) {
        if (groups[rank] == groups[rank - 1]) {
            totals[rank - 1] = totals[rank];
        }
    }
}

static pv_status fill_levels(pv_audit_ground *ground, const pv_hierarchy *hierarchy,
                             const uint32_t *leaves, pv_error *error)
{
    ground->height = pv_hierarchy_height(hierarchy);
    const size_t n = (size_t)ground->height * ground->histogram.n_values;
    ground->groups = PV_NEW_ARRAY(uint32_t, n);
    ground->group_totals = PV_NEW_ARRAY(uint64_t, n);
    if (ground->groups == NULL || ground->group_totals == NULL) {
        return pv_i_no_memory(error);
    }
    for (unsigned level = 0; level < ground->height; level++) {
        fill_level(ground, hierarchy, level, leaves);
    }
    return PV_STATUS_OK;
}

static pv_status fill_cumulative(pv_audit_ground *ground, pv_error *error)
{
    const size_t n = ground->histogram.n_values;
    ground->cumulative = PV_NEW_ARRAY(uint64_t, n);
    ground->cumulative_before = PV_NEW_ARRAY(pv_audit_wide, n + 1);
    if (ground->cumulative == NULL || ground->cumulative_before == NULL) {
        return pv_i_no_memory(error);
    }
    uint64_t rows = 0;
    ground->cumulative_before[0] = 0;
    for (size_t rank = 0; rank < n; rank++) {
        rows += ground->histogram.totals[rank];
        ground->cumulative[rank] = rows;
        ground->cumulative_before[rank + 1] = ground->cumulative_before[rank] + rows;
    }
    return PV_STATUS_OK;
}

/* AUTO: numbers and dates are ordered, text is not. */
static pv_distance resolve(pv_distance wanted, pv_type type)
{
    if (wanted != PV_DISTANCE_AUTO) {
        return wanted;
    }
    return type == PV_TYPE_TEXT ? PV_DISTANCE_EQUAL : PV_DISTANCE_ORDERED;
}

static pv_status find_hierarchy(const pv_audit_options *options, size_t sensitive,
                                pv_distance distance, const pv_hierarchy **hierarchy,
                                pv_error *error)
{
    const bool given =
        options->sensitive_hierarchies != NULL && options->sensitive_hierarchies[sensitive] != NULL;
    *hierarchy = given ? options->sensitive_hierarchies[sensitive] : NULL;
    if (distance == PV_DISTANCE_HIERARCHICAL && !given) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "the hierarchical distance of the column `%s` needs its hierarchy",
                         options->sensitive[sensitive]);
    }
    return PV_STATUS_OK;
}

pv_status pv_i_audit_ground(const pv_audit_count *count, const pv_audit_options *options,
                            size_t sensitive, pv_audit_ground *ground, pv_error *error)
{
    const pv_audit_column *const column = &count->columns[count->n_quasi + sensitive];
    pv_audit_ground g = {
        .distance =
            resolve(options->distances != NULL ? options->distances[sensitive] : PV_DISTANCE_AUTO,
                    column->type)};
    const pv_hierarchy *tree = NULL;
    PV_TRY(find_hierarchy(options, sensitive, g.distance, &tree, error));
    pv_status status = PV_STATUS_OK;
    uint32_t *const order = PV_NEW_ARRAY(uint32_t, column->values.n_entries);
    uint32_t *const leaves = PV_NEW_ARRAY(uint32_t, column->values.n_entries);
    if (order == NULL || leaves == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    const bool by_tree = tree != NULL && g.distance != PV_DISTANCE_EQUAL;
    PV_TRY_CLEAN(by_tree ? order_by_tree(count, column, tree, order, leaves, error)
                         : pv_i_audit_order(count, column, order, error));
    PV_TRY_CLEAN(pv_i_audit_histogram(count, sensitive, order, &g.histogram, error));
    if (g.distance == PV_DISTANCE_HIERARCHICAL) {
        PV_TRY_CLEAN(fill_levels(&g, tree, leaves, error));
    } else if (g.distance == PV_DISTANCE_ORDERED) {
        PV_TRY_CLEAN(fill_cumulative(&g, error));
    }
    *ground = g;
    g = (pv_audit_ground){0};
cleanup:
    pv_i_free(order);
    pv_i_free(leaves);
    pv_i_audit_ground_deinit(&g);
    return status;
}

/* ---- measuring one class ---- */

/* The class: its bars, its rows, the rows of the table. */
typedef struct {
    const pv_audit_bar *first, *end;
    uint64_t rows, table_rows;
} sample;

/* p - q if positive, times n*N. */
static pv_audit_wide excess(const sample *s, uint64_t rows, uint64_t table_rows)
{
    const pv_audit_wide has = (pv_audit_wide)rows * s->table_rows;
    const pv_audit_wide expected = (pv_audit_wide)table_rows * s->rows;
    return has > expected ? has - expected : 0;
}

static double divide(const sample *s, pv_audit_wide work, double scale)
{
    return (double)work / ((double)s->rows * (double)s->table_rows * scale);
}

static double equal_distance(const pv_audit_ground *ground, const sample *s)
{
    pv_audit_wide work = 0;
    for (const pv_audit_bar *bar = s->first; bar < s->end; bar++) {
        work += excess(s, bar->count, ground->histogram.totals[bar->rank]);
    }
    return divide(s, work, 1);
}

/* sum |P - Q| times n*N over the ranks from `a` up to `b`, where the class gains nothing: P stays
 * `before` rows. Q only grows, so that one rank parts those below P from those above it. */
static pv_audit_wide border_work(const pv_audit_ground *ground, const sample *s, uint64_t before,
                                 size_t a, size_t b)
{
    const pv_audit_wide level = (pv_audit_wide)before * s->table_rows;
    size_t low = a;
    size_t high = b;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((pv_audit_wide)ground->cumulative[middle] * s->rows < level) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const pv_audit_wide *const sums = ground->cumulative_before;
    const pv_audit_wide under = level * (low - a) - (sums[low] - sums[a]) * s->rows;
    const pv_audit_wide over = (sums[b] - sums[low]) * s->rows - level * (b - low);
    return under + over;
}

static double ordered_distance(const pv_audit_ground *ground, const sample *s)
{
    const uint32_t n_values = ground->histogram.n_values;
    if (n_values < 2) {
        return 0;
    }
    uint64_t before = 0;
    size_t reached = 0;
    pv_audit_wide work = 0;
    for (const pv_audit_bar *bar = s->first; bar < s->end; bar++) {
        work += border_work(ground, s, before, reached, bar->rank);
        before += bar->count;
        reached = bar->rank;
    }
    work += border_work(ground, s, before, reached, n_values);
    return divide(s, work, (double)(n_values - 1));
}

static pv_audit_wide level_work(const pv_audit_ground *ground, const sample *s, unsigned level)
{
    const uint32_t *const groups = ground->groups + level * (size_t)ground->histogram.n_values;
    const uint64_t *const totals =
        ground->group_totals + level * (size_t)ground->histogram.n_values;
    pv_audit_wide work = 0;
    uint64_t rows = 0;
    for (const pv_audit_bar *bar = s->first; bar < s->end; bar++) {
        rows += bar->count;
        if (bar + 1 == s->end || groups[bar[1].rank] != groups[bar->rank]) {
            work += excess(s, rows, totals[bar->rank]);
            rows = 0;
        }
    }
    return work;
}

static double hierarchical_distance(const pv_audit_ground *ground, const sample *s)
{
    pv_audit_wide work = 0;
    for (unsigned level = 0; level < ground->height; level++) {
        work += level_work(ground, s, level);
    }
    return divide(s, work, (double)ground->height);
}

double pv_i_audit_distance(const pv_audit_ground *ground, const pv_audit_count *count,
                           uint32_t class_number)
{
    const pv_audit_histogram *const h = &ground->histogram;
    const sample s = {.first = h->bars + h->starts[class_number],
                      .end = h->bars + h->starts[class_number + (size_t)1],
                      .rows = count->classes.entries[class_number].count,
                      .table_rows = count->rows};
    switch (ground->distance) {
    case PV_DISTANCE_ORDERED: return ordered_distance(ground, &s);
    case PV_DISTANCE_HIERARCHICAL: return hierarchical_distance(ground, &s);
    case PV_DISTANCE_AUTO:
    case PV_DISTANCE_EQUAL: break;
    }
    return equal_distance(ground, &s);
}
