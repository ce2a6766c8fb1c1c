/* The knee, and other points worth a look.
 *
 *      cost |                 .high       Between its ends a front hangs below the straight line
 *           |              .  |           that joins them: up to the knee privacy is cheap, from
 *           |          . '    |           there on it is dear. The knee hangs lowest.
 *           |      .  '  knee |
 *           | low'____________|_ gain
 *
 * Every objective is scaled to [0,1] between its worst and its best value on the front. The gain of
 * a point is the mean over the objectives of the first one's kind (losses or not), its cost what it
 * has given up of the others: so all of them have a say, however many there are. With two
 * objectives that is the usual picture.
 *
 * What a class of k people is worth is the risk it leaves, 1/k: from 2 to 4 as much is gained as
 * from 4 to infinity. (On the logarithm of k a table is hardly safer at 10 than at 5, but as much
 * safer at 20,000 than at 10,000, and the knee would be where next to nothing is left to see.)
 *
 * Points that leave someone alone (k=1) are no choice beside others: they would only stretch the
 * scale. */
#include "front/front_values.h"

#include <math.h>

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

static double worth(const pv_front *front, size_t point, size_t objective)
{
    const double value = front->points[point].values[objective];
    return front->objectives[objective].measure->alternatives ? 1 / fmax(value, 1) : value;
}

/* A point as the picture above shows it. */
typedef struct {
    double gain, cost;
} place;

typedef struct {
    const pv_front *front;
    bool all; /* every point leaves someone alone: then all count */
    double worst[PV_MAX_OBJECTIVES], best[PV_MAX_OBJECTIVES]; /* worths */
} scale;

static bool counts(const scale *s, size_t point)
{
    return s->all || s->front->points[point].k != 1;
}

static double oriented(const pv_front *front, size_t point, size_t objective)
{
    const pv_measure *const measure = front->objectives[objective].measure;
    const bool more = (measure->direction == PV_MORE_IS_BETTER) != measure->alternatives;
    return more ? worth(front, point, objective) : -worth(front, point, objective);
}

static scale scale_of(const pv_front *front)
{
    scale s = {.front = front, .all = true};
    for (size_t i = 0; i < front->n_points; i++) {
        s.all = s.all && front->points[i].k == 1;
    }
    for (size_t o = 0; o < front->n_objectives; o++) {
        s.worst[o] = (double)INFINITY;
        s.best[o] = -(double)INFINITY;
        for (size_t i = 0; i < front->n_points; i++) {
            if (counts(&s, i)) {
                s.worst[o] = fmin(s.worst[o], oriented(front, i, o));
                s.best[o] = fmax(s.best[o], oriented(front, i, o));
            }
        }
    }
    return s;
}

/* Does an objective go with the first? If all are of one kind, the first stands alone. */
static bool is_gain(const pv_front *front, size_t objective)
{
    const bool loss = front->objectives[GAIN].measure->family == PV_FAMILY_LOSS;
    const size_t price = pv_front_price(front);
    const bool mixed = (front->objectives[price].measure->family == PV_FAMILY_LOSS) != loss;
    return mixed ? (front->objectives[objective].measure->family == PV_FAMILY_LOSS) == loss
                 : objective == GAIN;
}

static place place_of(const scale *s, size_t point)
{
    double sums[2] = {0};
    double numbers[2] = {0};
    for (size_t o = 0; o < s->front->n_objectives; o++) {
        const double length = s->best[o] - s->worst[o];
        const double good = length > 0 ? (oriented(s->front, point, o) - s->worst[o]) / length : 0;
        const bool gain = is_gain(s->front, o);
        sums[gain] += gain ? good : 1 - good;
        numbers[gain]++;
    }
    return (place){.gain = sums[1] / numbers[1], .cost = sums[0] / numbers[0]};
}

/* The ends: the least cost there is (and the most gain for it), the most gain (and the least cost).
 */
static size_t find_end(const scale *s, bool high)
{
    size_t best = SIZE_MAX;
    place at = {0};
    for (size_t i = 0; i < s->front->n_points; i++) {
        const place p = place_of(s, i);
        const double first = high ? p.gain - at.gain : at.cost - p.cost;
        const double then = high ? at.cost - p.cost : p.gain - at.gain;
        if (counts(s, i) && (best == SIZE_MAX || first > 0 || (!(first < 0) && then > 0))) {
            best = i;
            at = p;
        }
    }
    return best;
}

/* Points that differ by less are one choice. */
#define ALIKE_GAIN 0.15
#define ALIKE_COST 0.1

static bool are_alike(const scale *s, size_t a, size_t b)
{
    const place p = place_of(s, a);
    const place q = place_of(s, b);
    return fabs(p.gain - q.gain) < ALIKE_GAIN && fabs(p.cost - q.cost) < ALIKE_COST;
}

/* The point between two ends that lies farthest below the line joining them, and is not like
 * `other` (SIZE_MAX = any); `low` if there is none. */
static size_t bend(const scale *s, size_t low, size_t high, size_t other)
{
    const place start = place_of(s, low);
    const place end = place_of(s, high);
    size_t best = low;
    double farthest = -(double)INFINITY;
    for (size_t i = 0; i < s->front->n_points; i++) {
        const place p = place_of(s, i);
        if (!counts(s, i) || !(p.gain > start.gain && p.gain < end.gain) ||
            !(p.cost > start.cost && p.cost < end.cost) ||
            (other != SIZE_MAX && are_alike(s, i, other))) {
            continue;
        }
        const double distance = (p.gain - start.gain) / (end.gain - start.gain) -
                                (p.cost - start.cost) / (end.cost - start.cost);
        if (distance > farthest) {
            farthest = distance;
            best = i;
        }
    }
    return best;
}

size_t pv_front_knee(const pv_front *front)
{
    const scale s = scale_of(front);
    return bend(&s, find_end(&s, false), find_end(&s, true), SIZE_MAX);
}

size_t pv_front_suggest(const pv_front *front, pv_suggestion suggestions[PV_MAX_SUGGESTIONS])
{
    if (front->n_points == 0) {
        return 0;
    }
    const scale s = scale_of(front);
    const size_t low = find_end(&s, false);
    const size_t high = find_end(&s, true);
    const size_t knee = bend(&s, low, high, SIZE_MAX);
    const size_t gentle = bend(&s, low, knee, knee);
    const size_t strong = bend(&s, knee, high, knee);
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
