/* Schemes by the least they lose.
 *
 * A separable loss is a sum over attributes that needs no classes: it is known from the levels.
 * Other losses are ordered by likeness: the chance that two people look alike, were the attributes
 * independent, which is what squared class sizes would add up to. Of a level of one attribute with
 * groups of n_g out of N rows it is the sum of (n_g / N)^2; independent chances multiply, so their
 * logarithms are added.
 *
 * The ladder is a way through the whole lattice that would be best at every step if the attributes
 * were independent: from the bottom, always the attribute is generalized that gains most likeness
 * for what it loses. Its schemes are good to start from, and cost no evaluation to find. */
#include "lattice/loss_order.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"

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
        order->likeness[axis][level] =
            likeness_of(run, axis, pv_i_lattice_real(order->lattice, axis, level), rows);
    }
    pv_i_free(rows);
    return ready;
}

pv_status pv_i_loss_order_init(pv_loss_order *order, const pv_run *run, pv_error *error)
{
    *order = (pv_loss_order){.run = run, .lattice = &run->lattice};
    for (size_t o = run->n_objectives; o-- > 0;) {
        if (pv_i_run_bound(run, o) == PV_BOUND_SEPARABLE) {
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
    const double loss = entry != NULL ? pv_i_run_separable(order->run, order->meter, levels)
                                      : likeness(order, levels);
    uint64_t bits; /* of a number that is not negative: they ascend with it */
    memcpy(&bits, &loss, sizeof bits);
    return entry != NULL && entry->info.direction == PV_MORE_IS_BETTER ? ~bits : bits;
}

pv_status pv_i_loss_order_nodes(const pv_loss_order *order, pv_run *run, uint32_t **nodes,
                                pv_error *error)
{
    const uint64_t n = order->lattice->n_nodes;
    uint8_t *const levels = PV_NEW_ARRAY(uint8_t, order->lattice->n_axes);
    uint64_t *const keys = PV_NEW_ARRAY(uint64_t, n);
    uint32_t *found = PV_NEW_ARRAY(uint32_t, n);
    bool ready = levels != NULL && keys != NULL && found != NULL;
    bool goes_on = ready;
    for (uint64_t node = 0; goes_on && node < n; node++) {
        goes_on = node % PATIENCE != 0 || pv_i_run_goes_on(run, 0);
        pv_i_lattice_levels(order->lattice, node, levels);
        keys[node] = pv_i_loss_order_key(order, levels);
    }
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

/* ----------------------------------------------------------------- ladder */

/* What a scheme loses: as the separable objective says; if there is none, the levels it has
 * climbed. */
static double loss_of(const pv_loss_order *order, const uint8_t *levels)
{
    double loss = 0;
    if (order->meter != NULL) {
        const double value = pv_i_run_separable(order->run, order->meter, levels);
        return order->meter->entry->info.direction == PV_LESS_IS_BETTER ? value : -value;
    }
    for (size_t axis = 0; axis < order->lattice->n_axes; axis++) {
        loss += (double)levels[axis] / fmax(order->lattice->heights[axis], 1);
    }
    return loss;
}

/* Generalizes one attribute to one level: of all such moves the one that gains most likeness for
 * what it loses. Jumps over several levels count: a level that groups the values like the one below
 * gains nothing by itself. */
static void climb(const pv_loss_order *order, uint8_t *levels)
{
    const double loss = loss_of(order, levels);
    double most = -(double)INFINITY;
    size_t best_axis = 0;
    uint8_t best_level = 0;
    for (size_t axis = 0; axis < order->lattice->n_axes; axis++) {
        const uint8_t from = levels[axis];
        for (unsigned level = from + 1u; level <= order->lattice->heights[axis]; level++) {
            levels[axis] = (uint8_t)level;
            const double lost = loss_of(order, levels) - loss;
            const double gained = order->likeness[axis][level] - order->likeness[axis][from];
            const double worth = lost > 0 ? gained / lost : (double)INFINITY;
            if (worth > most) {
                most = worth;
                best_axis = axis;
                best_level = (uint8_t)level;
            }
        }
        levels[axis] = from;
    }
    levels[best_axis] = best_level;
}

pv_status pv_i_ladder(const pv_run *run, uint8_t **schemes, size_t *n, pv_error *error)
{
    const pv_lattice *const lattice = &run->lattice;
    const size_t n_axes = lattice->n_axes;
    size_t most = 1; /* schemes: every level is climbed once */
    pv_loss_order order;
    for (size_t axis = 0; axis < n_axes; axis++) {
        most += lattice->heights[axis];
    }
    PV_TRY(pv_i_loss_order_init(&order, run, error));
    *schemes = pv_i_array(most, n_axes);
    if (*schemes == NULL) {
        pv_i_loss_order_deinit(&order);
        return pv_i_no_memory(error);
    }
    /* Filled from the end, since it is climbed from the bottom. */
    size_t first = most - 1;
    memset(*schemes + first * n_axes, 0, n_axes);
    while (memcmp(*schemes + first * n_axes, lattice->heights, n_axes) != 0) {
        uint8_t *const next = *schemes + (first - 1) * n_axes;
        memcpy(next, *schemes + first * n_axes, n_axes);
        climb(&order, next);
        first--;
    }
    *n = most - first;
    memmove(*schemes, *schemes + first * n_axes, *n * n_axes);
    pv_i_loss_order_deinit(&order);
    return PV_STATUS_OK;
}
