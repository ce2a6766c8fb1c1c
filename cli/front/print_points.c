/* Which points of a front a table on a terminal shows. */
#include "front/print_points.h"

#include "core/text.h"

#include <string.h>

#define FEW_POINTS 16
#define TABLE_TICKS 16
#define MANY_TICKS 18 /* shared by the axes of three and more objectives */

static bool is_better(const pv_front *front, size_t objective, double a, double b)
{
    return front->objectives[objective].measure->direction == PV_MORE_IS_BETTER ? a > b : a < b;
}

static bool reaches(const pv_front *front, const pv_axis *axis, size_t objective, size_t point,
                    double shown)
{
    const double value = front->points[point].values[objective] / axis->unit;
    const double slack = 1e-9 * (shown > 1.0 ? shown : 1.0);
    return !is_better(front, objective, shown, value) ||
           (value - shown <= slack && shown - value <= slack);
}

/* By the first objective only: points come in its order. */
static void choose_by_first(const cli_found *found, bool *chosen)
{
    const pv_front *const front = found->front;
    pv_axis axis;
    pv_front_axis(front, found->opened->profile, 0, TABLE_TICKS, &axis);
    chosen[0] = chosen[front->n_points - 1] = true;
    for (size_t t = 0; t < axis.n_ticks; t++) {
        for (size_t i = 0; i < front->n_points; i++) {
            if (reaches(front, &axis, 0, i, axis.ticks[t].shown)) {
                chosen[i] = true;
                break;
            }
        }
    }
}

/* Is point `a` better than `b` in one objective, or as good and better in the other? */
static bool precedes(const pv_front *front, size_t first, size_t second, size_t a, size_t b)
{
    const double *const left = front->points[a].values;
    const double *const right = front->points[b].values;
    if (is_better(front, first, left[first], right[first])) {
        return true;
    }
    return !is_better(front, first, right[first], left[first]) &&
           is_better(front, second, left[second], right[second]);
}

/* Of the points that reach a number the one with the least price; nothing if none does. */
static void choose_cheapest(const pv_front *front, const pv_axis *axis, size_t objective,
                            size_t price, double shown, bool *chosen)
{
    size_t cheapest = front->n_points;
    for (size_t i = 0; i < front->n_points; i++) {
        if (reaches(front, axis, objective, i, shown) &&
            (cheapest == front->n_points || precedes(front, price, objective, i, cheapest))) {
            cheapest = i;
        }
    }
    if (cheapest < front->n_points) {
        chosen[cheapest] = true;
    }
}

static void choose_best(const pv_front *front, size_t objective, size_t price, bool *chosen)
{
    size_t best = 0;
    for (size_t i = 1; i < front->n_points; i++) {
        best = precedes(front, objective, price, i, best) ? i : best;
    }
    chosen[best] = true;
}

/* The price itself is paid with the first objective. */
static void choose_by_each(const cli_found *found, bool *chosen)
{
    const pv_front *const front = found->front;
    const size_t price = pv_front_price(front);
    for (size_t o = 0; o < front->n_objectives; o++) {
        const size_t paid = o == price ? 0 : price;
        pv_axis axis;
        pv_front_axis(front, found->opened->profile, o, MANY_TICKS / front->n_objectives + 1,
                      &axis);
        choose_best(front, o, paid, chosen);
        for (size_t t = 0; t < axis.n_ticks; t++) {
            choose_cheapest(front, &axis, o, paid, axis.ticks[t].shown, chosen);
        }
    }
}

bool *cli_front_choose(const cli_found *found, bool all)
{
    const pv_front *const front = found->front;
    bool *const chosen = cli_zeroed(front->n_points, sizeof *chosen);
    if (all || front->n_points <= FEW_POINTS) {
        memset(chosen, true, front->n_points);
        return chosen;
    }
    for (size_t i = 0; i < found->n_suggestions; i++) {
        chosen[found->suggestions[i].point] = true;
    }
    if (front->n_objectives == 2) {
        choose_by_first(found, chosen);
    } else {
        choose_by_each(found, chosen);
    }
    return chosen;
}
