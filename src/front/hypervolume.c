/* Hypervolume, by gains: the points are taken from the best in the first coordinate to the worst.
 * Then everything taken before is as deep, and a point adds, to its own depth, what it alone
 * dominates in the other coordinates:
 *
 *     volume = sum over the points of depth * gain        (gain: a volume of one dimension less)
 *
 *   two dimensions    the gain is what it reaches beyond all points before
 *   three             the points before form a staircase; the gain is the area the point adds to it
 *   four              the gain is its own box, less what the points before dominate inside it: a
 *                     volume in three dimensions of these points, cut off at the box
 *                     (While, Bradstreet, Barone: a fast way of calculating exact hypervolumes,
 * 2012) more              no gains: the share of a sample that is dominated */
#include "front/hypervolume.h"

#include "base/bitset.h"
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

static void replace_steps(stairs *s, size_t first, size_t end, step by)
{
    memmove(s->steps + first + 1, s->steps + end, (s->n - end) * sizeof *s->steps);
    s->steps[first] = by;
    s->n = s->n + 1 - (end - first);
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
    const bool same_x = end < s->n && s->steps[end].x <= x;
    replace_steps(s, first, same_x ? end + 1 : end, (step){x, y});
    return gain + (right - left) * (y - below);
}

/* ---------------------------------------------------------------- two, three */

static double volume_of_two(const spot *spots, size_t n)
{
    double volume = 0;
    double reached = 0;
    for (size_t i = 0; i < n; i++) {
        volume += spots[i].at[0] * fmax(spots[i].at[1] - reached, 0);
        reached = fmax(reached, spots[i].at[1]);
    }
    return volume;
}

static double volume_of_three(const spot *spots, size_t n, stairs *s)
{
    double volume = 0;
    s->n = 0;
    for (size_t i = 0; i < n; i++) {
        volume += spots[i].at[0] * add_step(s, spots[i].at[1], spots[i].at[2]);
    }
    return volume;
}

/* ---------------------------------------------------------------------- four */

/* The points before, by their last three coordinates: the first of these descends. None of them
 * dominates another. */
typedef struct {
    spot *spots;
    size_t n;
} before;

static bool is_under(const double *a, const double *b)
{
    return a[1] <= b[1] && a[2] <= b[2] && a[3] <= b[3];
}

/* What a point dominates that they do not: its box in the last three coordinates, less what they
 * dominate inside it. */
static double gain_over(const before *b, const double *box, stairs *s)
{
    double inside = 0;
    s->n = 0;
    for (size_t i = 0; i < b->n; i++) {
        const double *const at = b->spots[i].at;
        if (is_under(box, at)) {
            return 0;
        }
        inside += fmin(at[1], box[1]) * add_step(s, fmin(at[2], box[2]), fmin(at[3], box[3]));
    }
    return box[1] * box[2] * box[3] - inside;
}

/* Drops those that the added one dominates, and puts it in its place. */
static void put_before(before *b, const spot *added)
{
    size_t kept = 0;
    size_t place = 0;
    for (size_t i = 0; i < b->n; i++) {
        if (!is_under(b->spots[i].at, added->at)) {
            place += b->spots[i].at[1] >= added->at[1];
            b->spots[kept++] = b->spots[i];
        }
    }
    memmove(b->spots + place + 1, b->spots + place, (kept - place) * sizeof *b->spots);
    b->spots[place] = *added;
    b->n = kept + 1;
}

static double volume_of_four(const spot *spots, size_t n, before *b, stairs *s)
{
    double volume = 0;
    for (size_t i = 0; i < n; i++) {
        const double *const at = spots[i].at;
        const double gain = gain_over(b, at, s);
        if (gain > 0) {
            volume += at[0] * gain;
            put_before(b, &spots[i]);
        }
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

static void fill_spots(const double *points, size_t n, size_t dims, spot *spots)
{
    for (size_t i = 0; i < n; i++) {
        spots[i] = (spot){{0}};
        for (size_t d = 0; d < dims; d++) {
            spots[i].at[d] = cut_off(points[i * dims + d]);
        }
    }
    qsort(spots, n, sizeof *spots, compare_spots);
}

static double volume_of(const spot *spots, size_t n, size_t dims, before *b, stairs *s)
{
    switch (dims) {
    case 1: return n > 0 ? spots[0].at[0] : 0;
    case 2: return volume_of_two(spots, n);
    case 3: return volume_of_three(spots, n, s);
    default: return volume_of_four(spots, n, b, s);
    }
}

static bool measure(const double *points, size_t n, size_t dims, double *volume)
{
    spot *const spots = PV_NEW_ARRAY(spot, n);
    before b = {.spots = dims > 3 ? PV_NEW_ARRAY(spot, n) : NULL};
    stairs s = {.steps = dims > 2 ? PV_NEW_ARRAY(step, n) : NULL};
    const bool ready =
        spots != NULL && (b.spots != NULL || dims <= 3) && (s.steps != NULL || dims <= 2);
    if (ready) {
        fill_spots(points, n, dims, spots);
        *volume = volume_of(spots, n, dims, &b, &s);
    }
    pv_i_free(spots);
    pv_i_free(b.spots);
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
    size_t n_dominated;
} sample;

static void choose_strides(sample *s)
{
    static const double primes[PV_MAX_OBJECTIVES] = {2, 3, 5, 7, 11, 13, 17, 19};
    for (size_t d = 0; d < s->dims; d++) {
        const double root = sqrt(primes[d]); /* the same everywhere, to the last bit */
        s->strides[d] = (uint64_t)((root - floor(root)) * 0x1p52) << 12;
    }
}

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

static void mark_dominated(sample *s)
{
    for (uint64_t i = 0; i < SAMPLE_SIZE; i++) {
        if (!pv_i_bit_get(s->dominated, i) && is_dominated(s, i)) {
            pv_i_bit_set(s->dominated, i);
            s->n_dominated++;
        }
    }
}

static bool estimate(const double *points, size_t n, size_t dims, double *volume)
{
    sample s = {.dims = dims,
                .reached = PV_NEW_ARRAY(point_set, dims * GRID),
                .dominated = PV_NEW_ZEROED(uint64_t, PV_BITSET_WORDS(SAMPLE_SIZE))};
    const bool ready = s.reached != NULL && s.dominated != NULL;
    if (ready) {
        choose_strides(&s);
        for (size_t from = 0; from < n; from += BLOCK) {
            fill_sets(&s, points + from * dims, n - from < BLOCK ? n - from : BLOCK);
            mark_dominated(&s);
        }
        *volume = (double)s.n_dominated / SAMPLE_SIZE;
    }
    pv_i_free(s.reached);
    pv_i_free(s.dominated);
    return ready;
}

bool pv_i_hypervolume(const double *points, size_t n, size_t dims, double *volume, bool *estimated)
{
    *estimated = dims > MOST_EXACT;
    return *estimated ? estimate(points, n, dims, volume) : measure(points, n, dims, volume);
}

/* ------------------------------------------------------------------- a space */

/* Oriented, as the value: a class size that had better be small is negative. Nobody is alone in a
 * class of less than one. */
static double logarithm(double value)
{
    return copysign(log(fmax(fabs(value), 1)), value);
}

/* How far a value is on the way from the worst to the best. */
static double place_in(const pv_space *space, size_t d, double value)
{
    const bool logs = space->logarithmic != NULL && space->logarithmic[d];
    const double worst = logs ? logarithm(space->worst[d]) : space->worst[d];
    const double best = logs ? logarithm(space->best[d]) : space->best[d];
    const double at = logs ? logarithm(value) : value;
    if (best > worst) {
        return (at - worst) / (best - worst);
    }
    return at >= best ? 1 : 0;
}

bool pv_i_space_volume(const pv_space *space, double *values, size_t n, double *volume,
                       bool *estimated)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t d = 0; d < space->dims; d++) {
            double *const value = &values[i * space->dims + d];
            *value = place_in(space, d, *value);
        }
    }
    return pv_i_hypervolume(values, n, space->dims, volume, estimated);
}

bool pv_i_archive_volume(const pv_archive *archive, const double *worst, const double *best,
                         const bool *logarithmic, double *volume, bool *estimated)
{
    const size_t dims = archive->n_objectives;
    const size_t bytes = dims * sizeof(double);
    const pv_space space = {worst, best, logarithmic, dims};
    double *const values = pv_i_array(archive->n_members, bytes);
    if (values == NULL) {
        return false;
    }
    for (size_t i = 0; i < archive->n_members; i++) {
        memcpy(values + i * dims, archive->members[i].values, bytes);
    }
    const bool ready = pv_i_space_volume(&space, values, archive->n_members, volume, estimated);
    pv_i_free(values);
    return ready;
}
