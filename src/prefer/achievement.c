/* The achievement function: how near a point comes to a wish (docs/model.md, section 6).
 *
 *     loss |      .              A wish w makes the weights so that w lies on the line from the
 *          |     .               utopian point u on which both weighted terms are equal. Points of
 *          |  ---+ a             equal achievement a form the corner of a square hanging on that
 *          |  w. |               line: what lies in the corner is better in both. So the minimum is
 *          |  .  |               never beaten in both, whether the wish can be fulfilled or not.
 *          u----------- bias
 *
 * For the searches it is a goal in units of loss: dividing by the weight of the loss and moving by
 * u keeps the order of points, so proven bounds can be moved back. */
#include "prefer/preference.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* The utopian point is better than the best thinkable by this much: weights stay finite for a wish
 * of 0. */
#define BEYOND 1e-6

pv_status pv_achievement_init(pv_achievement *achievement, pv_aspiration wish, pv_error *error)
{
    if (!(isfinite(wish.bias) && wish.bias >= 0) || !(isfinite(wish.loss) && wish.loss >= 0)) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "bias and loss to aspire to must be numbers of 0 or more"),
                         error, "0 is none at all, 1 is all there can be");
    }
    const double bias = 1 / (wish.bias + BEYOND);
    const double loss = 1 / (wish.loss + BEYOND);
    *achievement =
        (pv_achievement){.wish = wish, .weight = bias / (bias + loss), .utopia = -BEYOND};
    return PV_STATUS_OK;
}

double pv_achievement_value(const pv_achievement *achievement, pv_aspiration point)
{
    return fmax(achievement->weight * (point.bias - achievement->utopia),
                (1 - achievement->weight) * (point.loss - achievement->utopia));
}

double pv_achievement_deviation(const pv_achievement *achievement, pv_aspiration point)
{
    return point.bias + point.loss - achievement->wish.bias - achievement->wish.loss;
}

double pv_achievement_wish(const pv_achievement *achievement)
{
    return pv_achievement_value(achievement, achievement->wish);
}

bool pv_achievement_fulfils(const pv_achievement *achievement, pv_aspiration point)
{
    const double rounding = 1e-12;
    return point.bias <= achievement->wish.bias + rounding &&
           point.loss <= achievement->wish.loss + rounding;
}

pv_cut_goal pv_i_achievement_goal(const pv_achievement *achievement, uint64_t k)
{
    const double slope = achievement->weight / (1 - achievement->weight);
    return (pv_cut_goal){.k = k,
                         .bias_base = achievement->utopia - slope * achievement->utopia,
                         .bias_slope = slope};
}

double pv_i_achievement_of(const pv_achievement *achievement, double value)
{
    return (1 - achievement->weight) * (value - achievement->utopia);
}

/* -------------------------------------------------------------- efficiency */

static int compare_points(const void *left, const void *right, void *ctx)
{
    const pv_aspiration *const points = ctx;
    const pv_aspiration *const a = &points[*(const size_t *)left];
    const pv_aspiration *const b = &points[*(const size_t *)right];
    const int by_bias = (a->bias > b->bias) - (a->bias < b->bias);
    return by_bias != 0 ? by_bias : (a->loss > b->loss) - (a->loss < b->loss);
}

/* By ascending bias, points of one bias together: a point is weakly efficient if none with less
 * bias has less loss, and strongly if, besides, none with less bias has equal loss and none with
 * equal bias less. */
pv_status pv_efficiencies(const pv_aspiration *points, size_t n, pv_efficiency *efficiencies,
                          pv_error *error)
{
    size_t *const order = PV_NEW_ARRAY(size_t, n);
    double before = (double)INFINITY; /* the least loss of the points with less bias */
    if (order == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
    }
    qsort_r(order, n, sizeof *order, compare_points, (void *)(uintptr_t)points);
    for (size_t first = 0, end; first < n; first = end) {
        const pv_aspiration *const point = &points[order[first]];
        end = first + 1;
        while (end < n && points[order[end]].bias <= point->bias) {
            end++;
        }
        for (size_t i = first; i < end; i++) {
            const double loss = points[order[i]].loss;
            efficiencies[order[i]] = loss < before && loss <= point->loss ? PV_STRONGLY_EFFICIENT
                                     : loss <= before                     ? PV_WEAKLY_EFFICIENT
                                                                          : PV_INEFFICIENT;
        }
        before = fmin(before, point->loss);
    }
    pv_i_free(order);
    return PV_STATUS_OK;
}
