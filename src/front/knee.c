/* The knee, and other points worth a look.
 *
 *      loss |                 .high       Between its ends a front hangs below the straight line
 *           |              .  |           that joins them: up to the knee privacy is cheap, from
 *           |          . '    |           there on it is dear. The knee hangs lowest.
 *           |      .  '  knee |
 *           | low'____________|_ privacy
 *
 * What a class of k people is worth is the risk it leaves, 1/k: from 2 to 4 as much is gained as
 * from 4 to infinity. (On the logarithm of k a table is hardly safer at 10 than at 5, but as much
 * safer at 20,000 than at 10,000, and the knee would be where next to nothing is left to see.) */
#include "front/front_axis.h"

#include <math.h>
#include <string.h>

#define GAIN 0 /* the first objective */

size_t pv_front_price(const pv_front *front)
{
    const bool gain_is_loss = front->objectives[GAIN].measure->family == PV_FAMILY_LOSS;
    for (size_t i = 1; i < front->n_objectives; i++) {
        if ((front->objectives[i].measure->family == PV_FAMILY_LOSS) != gain_is_loss) {
            return i;
        }
    }
    return 1;
}

/* Is it a number of people, or of sensitive values, that cannot be told apart? */
static bool counts_alternatives(const pv_measure *measure)
{
    return strcmp(measure->name, "k") == 0 ||
           (measure->family == PV_FAMILY_PRIVACY && strncmp(measure->name, "l-", 2) == 0);
}

static double worth(const pv_front *front, size_t point, size_t objective)
{
    const double value = front->points[point].values[objective];
    return counts_alternatives(front->objectives[objective].measure) ? 1 / fmax(value, 1) : value;
}

/* How far a point is on the way from `low` to `high` in one objective: 0..1. */
static double progress(const pv_front *front, size_t objective, size_t low, size_t high, size_t at)
{
    const double start = worth(front, low, objective);
    const double length = worth(front, high, objective) - start;
    return fabs(length) > 0 ? (worth(front, at, objective) - start) / length : 0;
}

static bool is_cheaper(const pv_front *front, size_t price, size_t a, size_t b)
{
    return pv_i_front_better(front, price, front->points[a].values[price],
                             front->points[b].values[price]);
}

static bool gains_more(const pv_front *front, size_t a, size_t b)
{
    return pv_i_front_better(front, GAIN, front->points[a].values[GAIN],
                             front->points[b].values[GAIN]);
}

/* Of the points that gain most the cheapest. */
static size_t most_gain(const pv_front *front)
{
    const size_t price = pv_front_price(front);
    size_t high = front->n_points - 1;
    for (size_t i = high; i-- > 0;) {
        if (gains_more(front, high, i)) {
            break;
        }
        high = is_cheaper(front, price, i, high) ? i : high;
    }
    return high;
}

/* Points come by ascending gain; one is on the front of gain and price if it is cheaper than all
 * that gain more. The one that gains least is the last such on the way down. */
static size_t least_gain(const pv_front *front)
{
    const size_t price = pv_front_price(front);
    size_t low = front->n_points - 1;
    for (size_t i = low; i-- > 0;) {
        low = is_cheaper(front, price, i, low) ? i : low;
    }
    return low;
}

/* The point between two ends that lies farthest below the line joining them; `low` if there is
 * none. Distances from a line at 45 degrees are proportional to progress(gain) - progress(price).
 */
static size_t bend(const pv_front *front, size_t low, size_t high)
{
    const size_t price = pv_front_price(front);
    size_t best = low;
    double farthest = -(double)INFINITY;
    size_t cheapest = high;
    for (size_t i = high; i-- > low + 1;) {
        if (!is_cheaper(front, price, i, cheapest) || !gains_more(front, i, low)) {
            continue;
        }
        cheapest = i;
        const double distance =
            progress(front, GAIN, low, high, i) - progress(front, price, low, high, i);
        if (distance > farthest) {
            farthest = distance;
            best = i;
        }
    }
    return best;
}

size_t pv_front_knee(const pv_front *front)
{
    return bend(front, least_gain(front), most_gain(front));
}

size_t pv_front_suggest(const pv_front *front, pv_suggestion suggestions[PV_MAX_SUGGESTIONS])
{
    if (front->n_points == 0) {
        return 0;
    }
    const size_t low = least_gain(front);
    const size_t high = most_gain(front);
    const size_t knee = bend(front, low, high);
    const size_t gentle = bend(front, low, knee);
    const size_t strong = bend(front, knee, high);
    size_t n = 0;
    if (gentle != low) {
        suggestions[n++] = (pv_suggestion){.point = gentle, .from = low, .name = "gentle"};
    }
    suggestions[n++] = (pv_suggestion){.point = knee, .from = gentle, .name = "knee"};
    if (strong != knee) {
        suggestions[n++] = (pv_suggestion){.point = strong, .from = knee, .name = "strong"};
    }
    return n;
}

const char *pv_suggestion_name(const pv_suggestion *suggestions, size_t n, size_t point)
{
    for (size_t i = 0; i < n; i++) {
        if (suggestions[i].point == point) {
            return suggestions[i].name;
        }
    }
    return NULL;
}
