/* The ordered values of every quasi-identifier. */
#include "scheme/cut_space.h"

#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/numbers.h"
#include "hierarchy/tree.h"
#include "plan/plan.h"

#include <stdlib.h>

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
    axis->respects = respect_taxonomy && !axis->numeric;
    space->n_bits += axis->n - 1;
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
    }
    pv_i_free(space->axes);
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

/* Whole children of the lowest node above both: siblings. */
bool pv_i_cut_joinable(const pv_cut_axis *axis, uint32_t first, uint32_t last)
{
    const pv_hierarchy *const h = axis->hierarchy;
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
    for (uint32_t first = 0; axis->respects && first < axis->n; first++) {
        for (uint32_t last = first; last < axis->n; last++) {
            banned[(size_t)first * axis->n + last] |= !pv_i_cut_joinable(axis, first, last);
        }
    }
}

bool pv_i_cut_respects(const pv_cut_space *space, const uint8_t *cuts)
{
    for (size_t a = 0; a < space->n_axes; a++) {
        const pv_cut_axis *const axis = &space->axes[a];
        uint32_t first = 0;
        for (uint32_t v = 0; axis->respects && v < axis->n; v++) {
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
