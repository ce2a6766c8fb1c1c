/* How good fronts are: hypervolume, convergence error and representation ratio (PBG, section 7).
 *
 * Hypervolume is how much of a space the points dominate, one number that grows whenever a front
 * gets better anywhere. It is computed by gains: the points are taken from the best in the first
 * coordinate to the worst. Then everything taken before is as deep, and a point adds, to its own
 * depth, what it alone dominates in the other coordinates:
 *
 *     volume = sum over the points of depth * gain        (gain: a volume of one dimension less)
 *
 *   two dimensions    the gain is what it reaches beyond all points before
 *   three             the points before form a staircase; the gain is the area the point adds to it
 *   four              the gain is its own box, less what the points before dominate inside it: a
 *                     volume in three dimensions of these points, cut off at the box (While,
 *                     Bradstreet, Barone: a fast way of calculating exact hypervolumes, 2012)
 *   more              no gains: the share of a sample that is dominated
 *
 * The other two compare a front with a reference, best the whole front. All three look at values as
 * the archive does, oriented and settled, so that points that are equal by definition are equal
 * here. */
#include "front/indicators.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_EXACT 4

typedef struct {
    double at[MOST_EXACT]; /* unused coordinates are 0 */
} spot;

static double cut_off(double value)
{
    return value > 0 ? fmin(value, 1) : 0; /* NaN, too, is 0 */
}

/* ------------------------------------------------------------- the staircase */

/*   y |__            What points dominate in the plane: between the x of the step before and its
 *     |  |__         own, a step is as high as its y.
 *     |     |_
 *     |_______|_ x   */
typedef struct {
    double x, y;
} step;

typedef struct {
    step *steps; /* x ascends, y falls */
    size_t n;
} stairs;

/* The first step that reaches as far as `x`. */
static size_t find_step(const stairs *s, double x)
{
    size_t low = 0;
    size_t high = s->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->steps[middle].x < x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Returns the area that the point adds. */
static double add_step(stairs *s, double x, double y)
{
    const size_t end = find_step(s, x);
    double below = end < s->n ? s->steps[end].y : 0;
    size_t first = end;
    double right = x;
    double gain = 0;
    if (below >= y) {
        return 0;
    }
    /* To the left, over every step that the new one swallows. */
    while (first > 0 && s->steps[first - 1].y <= y) {
        const step old = s->steps[--first];
        gain += (right - old.x) * (y - below);
        right = old.x;
        below = old.y;
    }
    const double left = first > 0 ? s->steps[first - 1].x : 0;
    const size_t next = end + (end < s->n && s->steps[end].x <= x); /* after what it replaces */
    memmove(s->steps + first + 1, s->steps + next, (s->n - next) * sizeof *s->steps);
    s->steps[first] = (step){x, y};
    s->n = s->n + 1 - (next - first);
    return gain + (right - left) * (y - below);
}

/* ---------------------------------------------------------------------- four */

static bool is_under(const double *a, const double *b)
{
    return a[1] <= b[1] && a[2] <= b[2] && a[3] <= b[3];
}

/* `before` are the points taken before, by their last three coordinates: the first of these
 * descends, and none of them dominates another. What a point dominates that they do not is its box
 * in the last three coordinates, less what they dominate inside it, each cut off at the box. */
static double volume_of_four(const spot *spots, size_t n, spot *before, stairs *s)
{
    double volume = 0;
    size_t n_before = 0;
    for (size_t i = 0; i < n; i++) {
        const double *const box = spots[i].at;
        double gain = box[1] * box[2] * box[3];
        double inside = 0;
        s->n = 0;
        for (size_t b = 0; b < n_before && gain > 0; b++) {
            const double *const at = before[b].at;
            inside += fmin(at[1], box[1]) * add_step(s, fmin(at[2], box[2]), fmin(at[3], box[3]));
            gain = is_under(box, at) ? 0 : gain;
        }
        gain = gain > 0 ? gain - inside : 0;
        if (!(gain > 0)) {
            continue;
        }
        volume += box[0] * gain;
        /* It drops those that it dominates, and takes its place. */
        size_t left = 0;
        size_t place = 0;
        for (size_t b = 0; b < n_before; b++) {
            if (!is_under(before[b].at, box)) {
                place += before[b].at[1] >= box[1];
                before[left++] = before[b];
            }
        }
        memmove(before + place + 1, before + place, (left - place) * sizeof *before);
        before[place] = spots[i];
        n_before = left + 1;
    }
    return volume;
}

/* --------------------------------------------------------------------- exact */

/* A total order, so that equal sets of points give equal sums. */
static int compare_spots(const void *left, const void *right)
{
    const spot *const a = left;
    const spot *const b = right;
    for (size_t d = 0; d < MOST_EXACT; d++) {
        if (a->at[d] < b->at[d] || a->at[d] > b->at[d]) {
            return a->at[d] > b->at[d] ? -1 : 1;
        }
    }
    return 0;
}

static bool measure_exactly(const double *points, size_t n, size_t dims, double *volume)
{
    spot *const spots = PV_NEW_ARRAY(spot, n);
    spot *const before = dims > 3 ? PV_NEW_ARRAY(spot, n) : NULL;
    stairs s = {.steps = dims > 2 ? PV_NEW_ARRAY(step, n) : NULL};
    const bool ready =
        spots != NULL && (before != NULL || dims <= 3) && (s.steps != NULL || dims <= 2);
    double sum = 0;
    double reached = 0; /* in two dimensions */
    for (size_t i = 0; ready && i < n; i++) {
        spots[i] = (spot){{0}};
        for (size_t d = 0; d < dims; d++) {
            spots[i].at[d] = cut_off(points[i * dims + d]);
        }
    }
    if (ready) {
        qsort(spots, n, sizeof *spots, compare_spots);
        sum = dims == 1 && n > 0 ? spots[0].at[0]
              : dims > 3         ? volume_of_four(spots, n, before, &s)
                                 : 0;
    }
    for (size_t i = 0; ready && (dims == 2 || dims == 3) && i < n; i++) {
        const double *const at = spots[i].at;
        sum += at[0] * (dims == 2 ? fmax(at[1] - reached, 0) : add_step(&s, at[1], at[2]));
        reached = fmax(reached, at[1]);
    }
    if (ready) {
        *volume = sum;
    }
    pv_i_free(spots);
    pv_i_free(before);
    pv_i_free(s.steps);
    return ready;
}

/* -------------------------------------------------------------------- sample */

/* The sample: multiples of the square roots of primes, without their whole part (Richtmyer, 1951),
 * on a grid. For every place of the grid on every axis a set of bits says which points reach it;
 * the points that dominate a place in space are in all of its sets. */
#define SAMPLE_SIZE 65536
#define GRID 1024
#define GRID_BITS 10
#define BLOCK 512 /* points looked at together: their sets take a cache line */
#define WORDS (BLOCK / 64)

typedef struct {
    uint64_t bits[WORDS];
} point_set;

typedef struct {
    size_t dims;
    uint64_t strides[PV_MAX_OBJECTIVES]; /* from one place of the sample to the next, of 2^64 */
    point_set *reached;                  /* dims * GRID */
    uint64_t *dominated;                 /* a bit per place of the sample */
} sample;

/* Which points of a block reach which places: each place gets what reaches the next one, and those
 * that stop there. A place is the middle of its cell. */
static void fill_sets(sample *s, const double *points, size_t n)
{
    memset(s->reached, 0, s->dims * GRID * sizeof *s->reached);
    for (size_t d = 0; d < s->dims; d++) {
        point_set *const axis = s->reached + d * GRID;
        for (size_t i = 0; i < n; i++) {
            const size_t places = (size_t)floor(cut_off(points[i * s->dims + d]) * GRID + 0.5);
            if (places > 0) {
                pv_i_bit_set(axis[places - 1].bits, i);
            }
        }
        for (size_t place = GRID - 1; place-- > 0;) {
            for (size_t w = 0; w < WORDS; w++) {
                axis[place].bits[w] |= axis[place + 1].bits[w];
            }
        }
    }
}

/* Does a point of the block dominate the i-th place of the sample? */
static bool is_dominated(const sample *s, uint64_t i)
{
    point_set all;
    memset(&all, 0xff, sizeof all);
    for (size_t d = 0; d < s->dims; d++) {
        const uint64_t at = (UINT64_C(1) << 63) + i * s->strides[d];
        const point_set *const reach = s->reached + d * GRID + (at >> (64 - GRID_BITS));
        for (size_t w = 0; w < WORDS; w++) {
            all.bits[w] &= reach->bits[w];
        }
    }
    uint64_t any = 0;
    for (size_t w = 0; w < WORDS; w++) {
        any |= all.bits[w];
    }
    return any != 0;
}

static bool estimate(const double *points, size_t n, size_t dims, double *volume)
{
    static const double primes[PV_MAX_OBJECTIVES] = {2, 3, 5, 7, 11, 13, 17, 19};
    sample s = {.dims = dims,
                .reached = PV_NEW_ARRAY(point_set, dims * GRID),
                .dominated = PV_NEW_ZEROED(uint64_t, PV_BITSET_WORDS(SAMPLE_SIZE))};
    const bool ready = s.reached != NULL && s.dominated != NULL;
    size_t n_dominated = 0;
    for (size_t d = 0; d < dims; d++) {
        const double root = sqrt(primes[d]); /* the same everywhere, to the last bit */
        s.strides[d] = (uint64_t)((root - floor(root)) * 0x1p52) << 12;
    }
    for (size_t from = 0; ready && from < n; from += BLOCK) {
        fill_sets(&s, points + from * dims, n - from < BLOCK ? n - from : BLOCK);
        for (uint64_t i = 0; i < SAMPLE_SIZE; i++) {
            if (!pv_i_bit_get(s.dominated, i) && is_dominated(&s, i)) {
                pv_i_bit_set(s.dominated, i);
                n_dominated++;
            }
        }
    }
    if (ready) {
        *volume = (double)n_dominated / SAMPLE_SIZE;
    }
    pv_i_free(s.reached);
    pv_i_free(s.dominated);
    return ready;
}

bool pv_i_hypervolume(const double *points, size_t n, size_t dims, double *volume, bool *estimated)
{
    *estimated = dims > MOST_EXACT;
    return *estimated ? estimate(points, n, dims, volume)
                      : measure_exactly(points, n, dims, volume);
}

/* ------------------------------------------------------------------- a space */

/* Between two corners. */
typedef struct {
    const double *worst, *best;
    const bool *logarithmic;
    size_t dims;
} space;

/* How far a value is on the way from the worst to the best. */
static double place_in(const space *in, size_t d, double value)
{
    double at[] = {in->worst[d], in->best[d], value};
    /* Oriented, as the value: a class size that had better be small is negative. Nobody is alone in
     * a class of less than one. */
    for (size_t i = 0; in->logarithmic != NULL && in->logarithmic[d] && i < 3; i++) {
        at[i] = copysign(log(fmax(fabs(at[i]), 1)), at[i]);
    }
    return at[1] > at[0] ? (at[2] - at[0]) / (at[1] - at[0]) : at[2] >= at[1] ? 1 : 0;
}

/* What points with oriented values (n * dims of them, which become scratch) dominate of it. */
static bool volume_in(const space *in, double *values, size_t n, double *volume, bool *estimated)
{
    for (size_t i = 0; i < n * in->dims; i++) {
        values[i] = place_in(in, i % in->dims, values[i]);
    }
    return pv_i_hypervolume(values, n, in->dims, volume, estimated);
}

bool pv_i_archive_volume(const pv_archive *archive, const double *worst, const double *best,
                         const bool *logarithmic, double *volume, bool *estimated)
{
    const size_t dims = archive->n_objectives;
    const size_t bytes = dims * sizeof(double);
    const space in = {worst, best, logarithmic, dims};
    double *const values = pv_i_array(archive->n_members, bytes);
    if (values == NULL) {
        return false;
    }
    for (size_t i = 0; i < archive->n_members; i++) {
        memcpy(values + i * dims, archive->members[i].values, bytes);
    }
    const bool ready = volume_in(&in, values, archive->n_members, volume, estimated);
    pv_i_free(values);
    return ready;
}

/* ------------------------------------------------------------- a comparison */

typedef struct {
    const pv_front *front;
    size_t dims;
    pv_archive boxes; /* of the reference: its members' are those that no other dominates */
    double *ours;     /* points of the front, oriented and settled */
    double *theirs;   /* points of the reference, ascending by the first value */
    size_t n_ours;
    size_t n_theirs;
} comparison;

static int compare_first(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* ---------------------------------------------------------- convergence error */

/* Lowers the least squared distance to that of a point of the reference. False if the first
 * objective alone is as far away: so are all points beyond it. */
static bool approach(const comparison *c, const double *scale, const double *point, size_t i,
                     double *least)
{
    const double *const other = c->theirs + i * c->dims;
    const double first = (other[0] - point[0]) / scale[0];
    double sum = first * first;
    if (sum >= *least) {
        return false;
    }
    for (size_t o = 1; o < c->dims; o++) {
        const double distance = (other[o] - point[o]) / scale[o];
        sum += distance * distance;
    }
    *least = fmin(*least, sum);
    return true;
}

/* The sum over our points of the distance to the nearest point of the reference, which is looked
 * for to both sides of where the point would be among the reference. Objectives are divided by
 * their largest value on the reference, where that is not 0. */
static double convergence_error(const comparison *c)
{
    double scale[PV_MAX_OBJECTIVES];
    double sum = 0;
    for (size_t o = 0; o < c->dims; o++) {
        double largest = -(double)INFINITY;
        for (size_t i = 0; i < c->n_theirs; i++) {
            largest = fmax(largest, c->boxes.signs[o] * c->theirs[i * c->dims + o]);
        }
        scale[o] = fabs(largest) > 0 ? fabs(largest) : 1;
    }
    for (size_t i = 0; i < c->n_ours; i++) {
        const double *const point = c->ours + i * c->dims;
        double least = (double)INFINITY;
        size_t below = 0; /* the first whose first value is at least the point's */
        for (size_t high = c->n_theirs; below < high;) {
            const size_t middle = below + (high - below) / 2;
            if (c->theirs[middle * c->dims] < point[0]) {
                below = middle + 1;
            } else {
                high = middle;
            }
        }
        size_t above = below;
        while (above < c->n_theirs && approach(c, scale, point, above, &least)) {
            above++;
        }
        while (below > 0 && approach(c, scale, point, below - 1, &least)) {
            below--;
        }
        sum += sqrt(least);
    }
    return sum;
}

/* ------------------------------------------------------- representation ratio */

static int compare_boxes(const void *left, const void *right, void *ctx)
{
    const double *const a = ((const pv_member *)left)->box;
    const double *const b = ((const pv_member *)right)->box;
    const size_t dims = *(const size_t *)ctx;
    for (size_t o = 0; o < dims; o++) {
        if (a[o] < b[o] || a[o] > b[o]) {
            return a[o] < b[o] ? -1 : 1;
        }
    }
    return 0;
}

/* How many of the reference's boxes our points are in; its members are marked as they are met. */
static size_t meet_boxes(comparison *c)
{
    const size_t n = c->boxes.n_members;
    size_t met = 0;
    if (n > 0) {
        qsort_r(c->boxes.members, n, sizeof *c->boxes.members, compare_boxes, &c->dims);
    }
    for (size_t i = 0; i < c->n_ours; i++) {
        double box[PV_MAX_OBJECTIVES];
        const pv_member wanted = {.box = box};
        size_t low = 0;
        pv_i_archive_box(&c->boxes, c->front->points[i].values, box);
        for (size_t high = n; low < high;) {
            const size_t middle = low + (high - low) / 2;
            if (compare_boxes(&c->boxes.members[middle], &wanted, &c->dims) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        pv_member *const member = low < n ? &c->boxes.members[low] : NULL;
        if (member != NULL && member->mark == 0 && compare_boxes(member, &wanted, &c->dims) == 0) {
            member->mark = 1;
            met++;
        }
    }
    return met;
}

/* -------------------------------------------------------------------- compare */

/* Volumes are between the worst and the best values of the reference; measuring them uses the
 * values up, so it comes last. */
pv_status pv_front_compare(const pv_front *front, const double *reference, size_t n,
                           pv_indicators *indicators, pv_error *error)
{
    static const uint8_t no_levels = 0;
    const size_t dims = front->n_objectives;
    double worst[PV_MAX_OBJECTIVES];
    double best[PV_MAX_OBJECTIVES];
    bool logarithmic[PV_MAX_OBJECTIVES];
    const space in = {worst, best, logarithmic, dims};
    if (n == 0) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "the front to compare with has no points"), error,
            "take the result of an exhaustive search");
    }
    for (size_t i = 0; i < n * dims; i++) {
        if (!isfinite(reference[i])) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT,
                             "the front to compare with has no finite %s at point %zu",
                             front->objectives[i % dims].measure->name, i / dims + 1);
        }
    }
    comparison c = {.front = front,
                    .dims = dims,
                    .ours = pv_i_array(front->n_points, dims * sizeof(double)),
                    .theirs = pv_i_array(n, dims * sizeof(double)),
                    .n_ours = front->n_points,
                    .n_theirs = n};
    pv_i_archive_init(&c.boxes, front->objectives, dims, 0, front->epsilons);
    bool ready = c.ours != NULL && c.theirs != NULL;
    for (size_t i = 0; ready && i < n; i++) {
        ready = pv_i_archive_offer(&c.boxes, reference + i * dims, &no_levels, 0, 0);
    }
    for (size_t o = 0; ready && o < dims; o++) {
        const double sign = c.boxes.signs[o];
        logarithmic[o] = front->objectives[o].measure->class_size;
        worst[o] = (double)INFINITY;
        best[o] = -(double)INFINITY;
        for (size_t i = 0; i < c.n_ours; i++) {
            c.ours[i * dims + o] = sign * pv_i_settled(front->points[i].values[o]);
        }
        for (size_t i = 0; i < n; i++) {
            const double value = sign * pv_i_settled(reference[i * dims + o]);
            c.theirs[i * dims + o] = value;
            worst[o] = fmin(worst[o], value);
            best[o] = fmax(best[o], value);
        }
    }
    pv_indicators found = {0};
    if (ready) {
        qsort(c.theirs, n, dims * sizeof(double), compare_first);
        found = (pv_indicators){.reference_points = n,
                                .convergence_error = convergence_error(&c),
                                .boxes = c.boxes.n_members,
                                .boxes_met = meet_boxes(&c)};
        found.representation_ratio = (double)found.boxes_met / (double)found.boxes;
        ready = volume_in(&in, c.ours, c.n_ours, &found.hypervolume, &found.estimated) &&
                volume_in(&in, c.theirs, n, &found.reference_hypervolume, &found.estimated);
    }
    pv_i_archive_deinit(&c.boxes);
    pv_i_free(c.ours);
    pv_i_free(c.theirs);
    if (!ready) {
        return pv_i_no_memory(error);
    }
    *indicators = found;
    return PV_STATUS_OK;
}
