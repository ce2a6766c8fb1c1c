/* The ordered values of every quasi-identifier. */
#include "scheme/cut_space.h"

#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/numbers.h"
#include "hierarchy/tree.h"
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------- numbers */

/* A leaf with its number. */
typedef struct {
    uint32_t leaf;
    bool missing;
    pv_ticks value; /* its number, or which granule it is in: granules are equal, or in order */
} placed;

static int compare_placed(const void *left, const void *right)
{
    const placed *const a = left;
    const placed *const b = right;
    if (a->missing || b->missing) {
        return a->missing - b->missing;
    }
    const int order = (a->value > b->value) - (a->value < b->value);
    return order != 0 ? order : (a->leaf > b->leaf) - (a->leaf < b->leaf);
}

/* False if a value is no number after all. */
static bool place_leaves(const pv_study *study, size_t quasi, placed *places, pv_ticks step)
{
    const pv_table *const table = pv_study_table(study);
    const pv_hierarchy *const h = pv_study_hierarchy(study, quasi);
    const size_t column = pv_study_quasi_column(study, quasi);
    const pv_format *const format = pv_table_format(table, column);
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(h); leaf++) {
        const uint32_t code = pv_hierarchy_code(h, leaf);
        const char *const text = pv_table_value(table, column, code);
        pv_ticks number = 0;
        const bool missing = code == pv_table_missing(table, column);
        if (!missing && !pv_i_ticks_parse(text, format, &number)) {
            return false;
        }
        places[leaf] = (placed){.leaf = leaf,
                                .missing = missing,
                                .value = step > 0 ? pv_i_ticks_divide(number, step) : number};
    }
    return true;
}

/* -------------------------------------------------------------------- axes */

static pv_status order_axis(pv_cut_axis *axis, const pv_study *study, size_t quasi, pv_error *error)
{
    const uint32_t n = pv_hierarchy_leaves(axis->hierarchy);
    const pv_ticks step = pv_i_ticks(pv_study_quasi_attribute(study, quasi)->granularity);
    placed *const places = PV_NEW_ARRAY(placed, n);
    pv_status status = PV_STATUS_OK;
    if (places == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_type type = pv_table_type(pv_study_table(study), pv_study_quasi_column(study, quasi));
    axis->numeric = (type == PV_TYPE_INTEGER || type == PV_TYPE_DECIMAL) &&
                    place_leaves(study, quasi, places, step);
    if (axis->numeric) {
        qsort(places, n, sizeof *places, compare_placed);
        for (uint32_t i = 0; i < n; i++) {
            const bool same = i > 0 && (places[i].missing ? places[i - 1].missing
                                                          : places[i].value == places[i - 1].value);
            axis->n += !same;
            axis->value_of[places[i].leaf] = axis->n - 1;
        }
    } else if (step > 0) {
        status =
            pv_i_hint(pv_i_fail(error, PV_STATUS_INPUT, "'%s' has a granularity but is no number",
                                pv_study_quasi_name(study, quasi)),
                      error, "leave the granularity out of the plan");
    } else {
        for (uint32_t leaf = 0; leaf < n; leaf++) {
            axis->value_of[leaf] = axis->hierarchy->place_of[leaf];
        }
        axis->n = n;
    }
    pv_i_free(places);
    return status;
}

/* The highest level that the plan allows, and whether it is the only one. */
static unsigned highest_level(const pv_study *study, size_t quasi, bool *only)
{
    unsigned level = pv_hierarchy_height(pv_study_hierarchy(study, quasi));
    while (level > 0 && !pv_study_allows(study, quasi, level)) {
        level--;
    }
    *only = pv_study_quasi_attribute(study, quasi)->level >= 0;
    return level;
}

/* What a fixed level makes of the values, cuts must be able to make: ranges of neighbours, and `*`
 * for all or nobody. */
static pv_status check_fixed(const pv_cut_axis *axis, const pv_study *study, size_t quasi,
                             unsigned level, pv_error *error)
{
    const pv_hierarchy *const h = axis->hierarchy;
    uint32_t n_stretches = 0;
    for (uint32_t v = 0; v < axis->n; v++) {
        n_stretches += axis->stretch[v] == v;
    }
    if (n_stretches != pv_hierarchy_groups(h, level)) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT,
                      "the groups of level %u, which the plan fixes for '%s', are not ranges of "
                      "neighbouring values: no cuts make them",
                      level, pv_study_quasi_name(study, quasi)),
            error, "give it a `max-level` instead, or look among levels");
    }
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(h) && n_stretches > 1; leaf++) {
        if (pv_hierarchy_is_root(h, level, pv_hierarchy_group(h, level, leaf))) {
            return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                       "level %u, which the plan fixes for '%s', makes some of its "
                                       "values `*` and others not: no cuts do",
                                       level, pv_study_quasi_name(study, quasi)),
                             error, "give it a `max-level` instead, or look among levels");
        }
    }
    return PV_STATUS_OK;
}

/* Neighbours in one group of the highest level are in one stretch. */
static pv_status limit_axis(pv_cut_axis *axis, const pv_study *study, size_t quasi, pv_error *error)
{
    const pv_hierarchy *const h = axis->hierarchy;
    const uint32_t n_leaves = pv_hierarchy_leaves(h);
    const unsigned level = highest_level(study, quasi, &axis->exact);
    if (level == pv_hierarchy_height(h) && !axis->exact) {
        return PV_STATUS_OK;
    }
    axis->stretch = PV_NEW_ARRAY(uint32_t, axis->n);
    if (axis->stretch == NULL) {
        return pv_i_no_memory(error);
    }
    uint32_t *const group = axis->stretch; /* at first the group of each value */
    for (uint32_t leaf = n_leaves; leaf-- > 0;) {
        group[axis->value_of[leaf]] = pv_hierarchy_group(h, level, leaf);
    }
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
        if (group[axis->value_of[leaf]] != pv_hierarchy_group(h, level, leaf)) {
            return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                       "the plan's `granularity` joins values of '%s' that level "
                                       "%u, the highest it allows, keeps apart",
                                       pv_study_quasi_name(study, quasi), level),
                             error, "make the granularity finer, or allow a higher level");
        }
    }
    for (uint32_t v = 0, first = 0, own = group[0]; v < axis->n; v++) {
        if (group[v] != own) {
            own = group[v];
            first = v;
        }
        axis->stretch[v] = first;
    }
    return axis->exact ? check_fixed(axis, study, quasi, level, error) : PV_STATUS_OK;
}

static pv_status init_axis(pv_cut_space *space, const pv_study *study, size_t quasi,
                           bool respect_taxonomy, pv_error *error)
{
    pv_cut_axis *const axis = &space->axes[quasi];
    *axis = (pv_cut_axis){.hierarchy = pv_study_hierarchy(study, quasi),
                          .first_bit = space->n_bits,
                          .weight = pv_study_weight(study, quasi)};
    axis->value_of = PV_NEW_ARRAY(uint32_t, pv_hierarchy_leaves(axis->hierarchy));
    if (axis->value_of == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(order_axis(axis, study, quasi, error));
    const pv_table *const table = pv_study_table(study);
    const size_t column = pv_study_quasi_column(study, quasi);
    axis->rows = PV_NEW_ZEROED(uint64_t, axis->n + 1);
    if (axis->rows == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(axis->hierarchy); leaf++) {
        axis->rows[axis->value_of[leaf] + 1] +=
            pv_table_count(table, column, pv_hierarchy_code(axis->hierarchy, leaf));
    }
    for (uint32_t i = 0; i < axis->n; i++) { /* rows before each value: a group is a difference */
        axis->rows[i + 1] += axis->rows[i];
    }
    space->n_bits += axis->n - 1;
    PV_TRY(limit_axis(axis, study, quasi, error));
    axis->respects = respect_taxonomy && !axis->numeric && !axis->exact;
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------------- ends */

/* The coarsest groups of a stretch. Mostly the whole of it. In a ragged tree a branch may be in
 * several stretches; then a place is cut if no allowed group spans it. Groups that overlap have
 * a common parent, and so their union is allowed, too: what is left are the largest groups. */
static void cut_stretch(const pv_cut_axis *axis, uint32_t first, uint32_t last, uint8_t *cuts)
{
    const bool whole = pv_i_cut_joinable(axis, first, last);
    memset(cuts + first, !whole, last - first);
    for (uint32_t from = first; !whole && from < last; from++) {
        for (uint32_t to = last; to > from; to--) {
            if (pv_i_cut_joinable(axis, from, to)) {
                memset(cuts + from, 0, to - from);
                break;
            }
        }
    }
}

static void fill_ends(const pv_cut_axis *axis, uint8_t *coarsest, uint8_t *finest)
{
    for (uint32_t first = 0, last; axis->stretch != NULL && first < axis->n; first = last + 1) {
        for (last = first; last + 1 < axis->n && axis->stretch[last + 1] == first; last++) {
        }
        cut_stretch(axis, first, last, coarsest);
        if (last + 1 < axis->n) {
            coarsest[last] = 1;
        }
    }
    if (axis->exact) {
        memcpy(finest, coarsest, axis->n - 1);
    } else {
        memset(finest, 1, axis->n - 1);
    }
}

static pv_status find_ends(pv_cut_space *space, pv_error *error)
{
    space->coarsest = PV_NEW_ZEROED(uint8_t, space->n_bits);
    space->finest = PV_NEW_ARRAY(uint8_t, space->n_bits);
    if (space->coarsest == NULL || space->finest == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t a = 0; a < space->n_axes; a++) {
        const size_t at = space->axes[a].first_bit;
        fill_ends(&space->axes[a], space->coarsest + at, space->finest + at);
    }
    for (size_t i = 0; i < space->n_bits; i++) {
        space->limited |= space->coarsest[i] != 0 || space->finest[i] == 0;
    }
    return PV_STATUS_OK;
}

pv_status pv_i_cut_space_init(pv_cut_space *space, const pv_study *study, bool respect_taxonomy,
                              pv_error *error)
{
    const size_t n = pv_study_quasis(study);
    *space = (pv_cut_space){.n_axes = n,
                            .axes = PV_NEW_ZEROED(pv_cut_axis, n),
                            .n_rows = pv_table_rows(pv_study_table(study))};
    pv_status status = space->axes != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    for (size_t quasi = 0; quasi < n && status == PV_STATUS_OK; quasi++) {
        status = init_axis(space, study, quasi, respect_taxonomy, error);
    }
    if (status == PV_STATUS_OK) {
        status = find_ends(space, error);
    }
    if (status != PV_STATUS_OK) {
        pv_i_cut_space_deinit(space);
    }
    return status;
}

void pv_i_cut_space_deinit(pv_cut_space *space)
{
    for (size_t i = 0; space->axes != NULL && i < space->n_axes; i++) {
        pv_i_free(space->axes[i].value_of);
        pv_i_free(space->axes[i].rows);
        pv_i_free(space->axes[i].stretch);
    }
    pv_i_free(space->axes);
    pv_i_free(space->coarsest);
    pv_i_free(space->finest);
    *space = (pv_cut_space){0};
}

/* ---------------------------------------------------------------- taxonomy */

/* The child of a node (or of the root) that covers the value at a place, PV_ROOT_NODE = that is the
 * value itself. */
static uint32_t child_above(const pv_hierarchy *h, uint32_t node, uint32_t place)
{
    uint32_t child = PV_ROOT_NODE;
    for (uint32_t at = h->lowest[h->depth_first[place]]; at != node; at = h->nodes[at].parent) {
        child = at;
    }
    return child;
}

/* The lowest node that covers the values at two places, or PV_ROOT_NODE. */
static uint32_t node_above(const pv_hierarchy *h, uint32_t first, uint32_t last)
{
    uint32_t node = h->lowest[h->depth_first[first]];
    while (node != PV_ROOT_NODE && h->nodes[node].end <= last) {
        node = h->nodes[node].parent;
    }
    return node;
}

/* Within the limits of the plan? */
static bool is_within(const pv_cut_axis *axis, uint32_t first, uint32_t last)
{
    const uint32_t *const stretch = axis->stretch;
    if (stretch == NULL) {
        return true;
    }
    const bool whole =
        stretch[first] == first && (last + 1 == axis->n || stretch[last + 1] != first);
    return stretch[first] == stretch[last] && (whole || !axis->exact);
}

/* Whole children of the lowest node above both: siblings. */
bool pv_i_cut_joinable(const pv_cut_axis *axis, uint32_t first, uint32_t last)
{
    const pv_hierarchy *const h = axis->hierarchy;
    if (!is_within(axis, first, last)) {
        return false;
    }
    if (!axis->respects || first == last) {
        return true;
    }
    const uint32_t parent = node_above(h, first, last);
    const uint32_t left = child_above(h, parent, first);
    const uint32_t right = child_above(h, parent, last);
    return (left == PV_ROOT_NODE || h->nodes[left].first == first) &&
           (right == PV_ROOT_NODE || h->nodes[right].end == last + 1);
}

void pv_i_cut_invalidate_crossing(const pv_cut_axis *axis, bool *banned)
{
    const bool any = axis->respects || axis->stretch != NULL;
    for (uint32_t first = 0; any && first < axis->n; first++) {
        for (uint32_t last = first; last < axis->n; last++) {
            banned[(size_t)first * axis->n + last] |= !pv_i_cut_joinable(axis, first, last);
        }
    }
}

bool pv_i_cut_respects(const pv_cut_space *space, const uint8_t *cuts)
{
    for (size_t a = 0; a < space->n_axes; a++) {
        const pv_cut_axis *const axis = &space->axes[a];
        const bool any = axis->respects || axis->stretch != NULL;
        uint32_t first = 0;
        for (uint32_t v = 0; any && v < axis->n; v++) {
            if (v + 1 < axis->n && cuts[axis->first_bit + v] == 0) {
                continue;
            }
            if (!pv_i_cut_joinable(axis, first, v)) {
                return false;
            }
            first = v + 1;
        }
    }
    return true;
}
