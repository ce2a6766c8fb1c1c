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
    size_t n = 0;
    size_t place = 0;
    for (size_t i = 0; i < b->n; i++) {
        if (!is_under(b->spots[i].at, added->at)) {
            place += b->spots[i].at[1] >= added->at[1];
            b->spots[n++] = b->spots[i];
        }
    }
    memmove(b->spots + place + 1, b->spots + place, (n - place) * sizeof *b->spots);
    b->spots[place] = *added;
    b->n = n + 1;
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

static bool measure_exactly(const double *points, size_t n, size_t dims, double *volume)
{
    spot *const spots = PV_NEW_ARRAY(spot, n);
    before b = {.spots = dims > 3 ? PV_NEW_ARRAY(spot, n) : NULL};
    stairs s = {.steps = dims > 2 ? PV_NEW_ARRAY(step, n) : NULL};
    const bool ready =
        spots != NULL && (b.spots != NULL || dims <= 3) && (s.steps != NULL || dims <= 2);
    if (ready) {
        for (size_t i = 0; i < n; i++) {
            spots[i] = (spot){{0}};
            for (size_t d = 0; d < dims; d++) {
                spots[i].at[d] = cut_off(points[i * dims + d]);
            }
        }
        qsort(spots, n, sizeof *spots, compare_spots);
        switch (dims) {
        case 1: *volume = n > 0 ? spots[0].at[0] : 0; break;
        case 2: *volume = volume_of_two(spots, n); break;
        case 3: *volume = volume_of_three(spots, n, &s); break;
        default: *volume = volume_of_four(spots, n, &b, &s); break;
        }
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

/* Oriented, as the value: a class size that had better be small is negative. Nobody is alone in a
 * class of less than one. */
static double logarithm(double value)
{
    return copysign(log(fmax(fabs(value), 1)), value);
}

/* How far a value is on the way from the worst to the best. */
static double place_in(const space *in, size_t d, double value)
{
    const bool logs = in->logarithmic != NULL && in->logarithmic[d];
    const double worst = logs ? logarithm(in->worst[d]) : in->worst[d];
    const double best = logs ? logarithm(in->best[d]) : in->best[d];
    const double at = logs ? logarithm(value) : value;
    if (best > worst) {
        return (at - worst) / (best - worst);
    }
    return at >= best ? 1 : 0;
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
    const double *reference; /* as given */
    size_t dims;
    pv_archive boxes; /* of the reference: its members' are those that no other dominates */
    double *ours;     /* points of the front, oriented and settled */
    double *theirs;   /* points of the reference, ascending by the first value */
    size_t n_ours;
    size_t n_theirs;
} comparison;

/* -------------------------------------------------------------------- prepare */

static pv_status check_reference(const pv_front *front, const double *reference, size_t n,
                                 pv_error *error)
{
    if (n == 0) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "the front to compare with has no points"), error,
            "take the result of an exhaustive search");
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t o = 0; o < front->n_objectives; o++) {
            if (!isfinite(reference[i * front->n_objectives + o])) {
                return pv_i_fail(error, PV_STATUS_ARGUMENT,
                                 "the front to compare with has no finite %s at point %zu",
                                 front->objectives[o].measure->name, i + 1);
            }
        }
    }
    return PV_STATUS_OK;
}

static void orient(const comparison *c, const double *values, double *oriented)
{
    for (size_t o = 0; o < c->dims; o++) {
        oriented[o] = c->boxes.signs[o] * pv_i_settled(values[o]);
    }
}

static int compare_first(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static bool offer_reference(comparison *c)
{
    static const uint8_t no_levels = 0;
    for (size_t i = 0; i < c->n_theirs; i++) {
        if (!pv_i_archive_offer(&c->boxes, c->reference + i * c->dims, &no_levels, 0, 0)) {
            return false;
        }
    }
    return true;
}

static bool prepare(comparison *c)
{
    const size_t bytes = c->dims * sizeof(double);
    pv_i_archive_init(&c->boxes, c->front->objectives, c->dims, 0, c->front->epsilons);
    c->ours = pv_i_array(c->n_ours, bytes);
    c->theirs = pv_i_array(c->n_theirs, bytes);
    if (c->ours == NULL || c->theirs == NULL || !offer_reference(c)) {
        return false;
    }
    for (size_t i = 0; i < c->n_ours; i++) {
        orient(c, c->front->points[i].values, c->ours + i * c->dims);
    }
    for (size_t i = 0; i < c->n_theirs; i++) {
        orient(c, c->reference + i * c->dims, c->theirs + i * c->dims);
    }
    qsort(c->theirs, c->n_theirs, bytes, compare_first);
    return true;
}

static void discard(comparison *c)
{
    pv_i_archive_deinit(&c->boxes);
    pv_i_free(c->ours);
    pv_i_free(c->theirs);
}

/* ---------------------------------------------------------- convergence error */

/* The largest value of an objective on the reference; 1 where there is nothing to divide by. */
static void find_scale(const comparison *c, double *scale)
{
    for (size_t o = 0; o < c->dims; o++) {
        double largest = -(double)INFINITY;
        for (size_t i = 0; i < c->n_theirs; i++) {
            largest = fmax(largest, c->boxes.signs[o] * c->theirs[i * c->dims + o]);
        }
        scale[o] = fabs(largest) > 0 ? fabs(largest) : 1;
    }
}

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

static size_t first_at_least(const comparison *c, double first)
{
    size_t low = 0;
    size_t high = c->n_theirs;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (c->theirs[middle * c->dims] < first) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* To both sides of where the point would be among the reference. */
static double distance_to_nearest(const comparison *c, const double *scale, const double *point)
{
    const size_t middle = first_at_least(c, point[0]);
    double least = (double)INFINITY;
    size_t above = middle;
    size_t below = middle;
    while (above < c->n_theirs && approach(c, scale, point, above, &least)) {
        above++;
    }
    while (below > 0 && approach(c, scale, point, below - 1, &least)) {
        below--;
    }
    return sqrt(least);
}

static double convergence_error(const comparison *c)
{
    double scale[PV_MAX_OBJECTIVES];
    double sum = 0;
    find_scale(c, scale);
    for (size_t i = 0; i < c->n_ours; i++) {
        sum += distance_to_nearest(c, scale, c->ours + i * c->dims);
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

/* The reference's member in a box, or NULL; the members are sorted by their boxes. */
static pv_member *find_in_box(comparison *c, double *box)
{
    const pv_member wanted = {.box = box};
    size_t low = 0;
    size_t high = c->boxes.n_members;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = compare_boxes(&c->boxes.members[middle], &wanted, &c->dims);
        if (order == 0) {
            return &c->boxes.members[middle];
        }
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    return NULL;
}

/* Members are marked as they are met. */
static size_t meet_boxes(comparison *c)
{
    size_t met = 0;
    qsort_r(c->boxes.members, c->boxes.n_members, sizeof *c->boxes.members, compare_boxes,
            &c->dims);
    for (size_t i = 0; i < c->n_ours; i++) {
        double box[PV_MAX_OBJECTIVES];
        pv_i_archive_box(&c->boxes, c->front->points[i].values, box);
        pv_member *const member = find_in_box(c, box);
        if (member != NULL && member->mark == 0) {
            member->mark = 1;
            met++;
        }
    }
    return met;
}

/* ---------------------------------------------------------------- hypervolume */

/* Between the worst and the best values of the reference. The values are used up. */
static bool measure_volumes(comparison *c, pv_indicators *indicators)
{
    double worst[PV_MAX_OBJECTIVES];
    double best[PV_MAX_OBJECTIVES];
    bool logarithmic[PV_MAX_OBJECTIVES];
    const space in = {worst, best, logarithmic, c->dims};
    for (size_t o = 0; o < c->dims; o++) {
        worst[o] = best[o] = c->theirs[o];
        logarithmic[o] = c->front->objectives[o].measure->class_size;
        for (size_t i = 1; i < c->n_theirs; i++) {
            worst[o] = fmin(worst[o], c->theirs[i * c->dims + o]);
            best[o] = fmax(best[o], c->theirs[i * c->dims + o]);
        }
    }
    return volume_in(&in, c->ours, c->n_ours, &indicators->hypervolume, &indicators->estimated) &&
           volume_in(&in, c->theirs, c->n_theirs, &indicators->reference_hypervolume,
                     &indicators->estimated);
}

/* -------------------------------------------------------------------- compare */

static bool measure(comparison *c, pv_indicators *indicators)
{
    *indicators = (pv_indicators){.reference_points = c->n_theirs,
                                  .convergence_error = convergence_error(c),
                                  .boxes = c->boxes.n_members,
                                  .boxes_met = meet_boxes(c)};
    indicators->representation_ratio = (double)indicators->boxes_met / (double)indicators->boxes;
    return measure_volumes(c, indicators);
}

pv_status pv_front_compare(const pv_front *front, const double *reference, size_t n,
                           pv_indicators *indicators, pv_error *error)
{
    comparison c = {.front = front,
                    .reference = reference,
                    .dims = front->n_objectives,
                    .n_ours = front->n_points,
                    .n_theirs = n};
    pv_indicators measured;
    PV_TRY(check_reference(front, reference, n, error));
    const bool ready = prepare(&c) && measure(&c, &measured);
    discard(&c);
    if (!ready) {
        return pv_i_no_memory(error);
    }
    *indicators = measured;
    return PV_STATUS_OK;
}
