/* A way down the lattice. */
#include "lattice/ladder.h"

#include "base/error.h"
#include "base/memory.h"
#include "lattice/loss_order.h"

#include <math.h>
#include <string.h>

/* What a scheme loses: as the objective that is a sum over attributes says; if there is none, the
 * levels it has climbed. */
static double loss_of(const pv_run *run, const pv_loss_order *order, const uint8_t *levels)
{
    double loss = 0;
    if (order->meter != NULL) {
        const double value = order->meter->entry->separable(order->meter->state, levels);
        return order->meter->entry->info.direction == PV_LESS_IS_BETTER ? value : -value;
    }
    for (size_t axis = 0; axis < run->lattice.n_axes; axis++) {
        loss += (double)levels[axis] / fmax(run->lattice.heights[axis], 1);
    }
    return loss;
}

/* One attribute raised to one level. */
typedef struct {
    size_t axis;
    uint8_t level;
    double worth; /* likeness gained for what is lost */
} rise;

static rise rise_to(const pv_run *run, const pv_loss_order *order, uint8_t *levels, double loss,
                    size_t axis, uint8_t level)
{
    const uint8_t from = levels[axis];
    levels[axis] = level;
    const double lost = loss_of(run, order, levels) - loss;
    levels[axis] = from;
    const double gained = order->likeness[axis][level] - order->likeness[axis][from];
    return (rise){
        .axis = axis, .level = level, .worth = lost > 0 ? gained / lost : (double)INFINITY};
}

static rise best_rise(const pv_run *run, const pv_loss_order *order, uint8_t *levels)
{
    const double loss = loss_of(run, order, levels);
    rise best = {.worth = -(double)INFINITY};
    for (size_t axis = 0; axis < run->lattice.n_axes; axis++) {
        for (unsigned level = levels[axis] + 1u; level <= run->lattice.heights[axis]; level++) {
            const rise r = rise_to(run, order, levels, loss, axis, (uint8_t)level);
            best = r.worth > best.worth ? r : best;
        }
    }
    return best;
}

static size_t most_rungs(const pv_lattice *lattice)
{
    size_t n = 1;
    for (size_t axis = 0; axis < lattice->n_axes; axis++) {
        n += lattice->heights[axis];
    }
    return n;
}

/* Fills the room for `most` schemes from its end; returns where the first one is. */
static size_t climb(const pv_run *run, const pv_loss_order *order, uint8_t *schemes, size_t most)
{
    const size_t n_axes = run->lattice.n_axes;
    size_t first = most - 1;
    memset(schemes + first * n_axes, 0, n_axes);
    while (memcmp(schemes + first * n_axes, run->lattice.heights, n_axes) != 0) {
        uint8_t *const next = schemes + (first - 1) * n_axes;
        memcpy(next, schemes + first * n_axes, n_axes);
        const rise best = best_rise(run, order, next);
        next[best.axis] = best.level;
        first--;
    }
    return first;
}

pv_status pv_i_ladder(const pv_run *run, uint8_t **schemes, size_t *n, pv_error *error)
{
    const size_t n_axes = run->lattice.n_axes;
    const size_t most = most_rungs(&run->lattice);
    pv_loss_order order;
    PV_TRY(pv_i_loss_order_init(&order, run, error));
    *schemes = pv_i_array(most, n_axes);
    if (*schemes == NULL) {
        pv_i_loss_order_deinit(&order);
        return pv_i_no_memory(error);
    }
    const size_t first = climb(run, &order, *schemes, most);
    *n = most - first;
    memmove(*schemes, *schemes + first * n_axes, *n * n_axes);
    pv_i_loss_order_deinit(&order);
    return PV_STATUS_OK;
}
