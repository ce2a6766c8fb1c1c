/* Ordering schemes by the least they lose. */
#include "lattice/loss_order.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"
#include "lattice/bounds.h"

#include <math.h>
#include <string.h>

/* Likeness is the logarithm of a chance, at most 0; lifted by this it is positive, as keys must be.
 */
#define LIFT 100.0
/* Nodes between two looks at whether to go on. */
#define PATIENCE 65536

/* The logarithm of the chance that two people are in one group of an attribute at a level. */
static double likeness_of(const pv_run *run, size_t axis, unsigned level, double *rows)
{
    const pv_study *const study = run->profile->study;
    const pv_hierarchy *const h = pv_study_hierarchy(study, axis);
    const size_t column = pv_study_quasi_column(study, axis);
    const double n_rows = (double)run->profile->n_rows;
    double chance = 0;
    memset(rows, 0, pv_hierarchy_groups(h, level) * sizeof *rows);
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(h); leaf++) {
        rows[pv_hierarchy_group(h, level, leaf)] +=
            (double)pv_table_count(pv_study_table(study), column, pv_hierarchy_code(h, leaf));
    }
    for (uint32_t group = 0; group < pv_hierarchy_groups(h, level); group++) {
        chance += rows[group] / n_rows * (rows[group] / n_rows);
    }
    return log(chance);
}

static bool fill_likeness(pv_loss_order *order, const pv_run *run, size_t axis)
{
    const pv_hierarchy *const h = pv_study_hierarchy(run->profile->study, axis);
    const unsigned height = order->lattice->heights[axis];
    double *const rows = PV_NEW_ARRAY(double, pv_hierarchy_leaves(h));
    order->likeness[axis] = PV_NEW_ARRAY(double, height + 1);
    const bool ready = rows != NULL && order->likeness[axis] != NULL;
    for (unsigned level = 0; ready && level <= height; level++) {
        order->likeness[axis][level] = likeness_of(run, axis, level, rows);
    }
    pv_i_free(rows);
    return ready;
}

pv_status pv_i_loss_order_init(pv_loss_order *order, const pv_run *run, pv_error *error)
{
    *order = (pv_loss_order){.lattice = &run->lattice};
    for (size_t o = run->n_objectives; o-- > 0;) {
        if (pv_i_bound_of(run, o) == PV_BOUND_SEPARABLE) {
            order->meter = &run->meters[o];
        }
    }
    order->likeness = PV_NEW_ZEROED(double *, run->lattice.n_axes);
    bool ready = order->likeness != NULL;
    for (size_t axis = 0; ready && axis < run->lattice.n_axes; axis++) {
        ready = fill_likeness(order, run, axis);
    }
    if (!ready) {
        pv_i_loss_order_deinit(order);
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

void pv_i_loss_order_deinit(pv_loss_order *order)
{
    for (size_t axis = 0; order->likeness != NULL && axis < order->lattice->n_axes; axis++) {
        pv_i_free(order->likeness[axis]);
    }
    pv_i_free(order->likeness);
    *order = (pv_loss_order){0};
}

static double likeness(const pv_loss_order *order, const uint8_t *levels)
{
    double sum = LIFT * (double)order->lattice->n_axes;
    for (size_t axis = 0; axis < order->lattice->n_axes; axis++) {
        sum += order->likeness[axis][levels[axis]];
    }
    return sum;
}

uint64_t pv_i_loss_order_key(const pv_loss_order *order, const uint8_t *levels)
{
    const pv_measure_entry *const entry = order->meter != NULL ? order->meter->entry : NULL;
    const double loss =
        entry != NULL ? entry->separable(order->meter->state, levels) : likeness(order, levels);
    uint64_t bits; /* of a number that is not negative: they ascend with it */
    memcpy(&bits, &loss, sizeof bits);
    return entry != NULL && entry->info.direction == PV_MORE_IS_BETTER ? ~bits : bits;
}

/* The key of every node. False if the run was stopped meanwhile. */
static bool fill_keys(const pv_loss_order *order, pv_run *run, uint8_t *levels, uint64_t *keys)
{
    for (uint64_t node = 0; node < order->lattice->n_nodes; node++) {
        if (node % PATIENCE == 0 && !pv_i_run_goes_on(run, 0)) {
            return false;
        }
        pv_i_lattice_levels(order->lattice, node, levels);
        keys[node] = pv_i_loss_order_key(order, levels);
    }
    return true;
}

pv_status pv_i_loss_order_nodes(const pv_loss_order *order, pv_run *run, uint32_t **nodes,
                                pv_error *error)
{
    const uint64_t n = order->lattice->n_nodes;
    uint8_t *const levels = PV_NEW_ARRAY(uint8_t, order->lattice->n_axes);
    uint64_t *const keys = PV_NEW_ARRAY(uint64_t, n);
    uint32_t *found = PV_NEW_ARRAY(uint32_t, n);
    bool ready = levels != NULL && keys != NULL && found != NULL;
    const bool goes_on = ready && fill_keys(order, run, levels, keys);
    if (goes_on) {
        ready = pv_i_keys_order(keys, n, 1, found);
    }
    if (!ready || !goes_on) {
        pv_i_free(found);
        found = NULL;
    }
    pv_i_free(levels);
    pv_i_free(keys);
    *nodes = found;
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}
