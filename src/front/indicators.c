/* How well a front stands for another one: convergence error and representation ratio (the paper on
 * property based generalizations, section 7), and hypervolume.
 *
 * All three look at values as the archive does, oriented and settled, so that points that are equal
 * by definition are equal here. */
#include "base/error.h"
#include "base/memory.h"
#include "front/archive.h"
#include "front/front_values.h"
#include "front/hypervolume.h"

#include <math.h>
#include <stdlib.h>

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

static double square(double x)
{
    return x * x;
}

/* Lowers the least squared distance to that of a point of the reference. False if the first
 * objective alone is as far away: so are all points beyond it. */
static bool approach(const comparison *c, const double *scale, const double *point, size_t i,
                     double *least)
{
    const double *const other = c->theirs + i * c->dims;
    double sum = square((other[0] - point[0]) / scale[0]);
    if (sum >= *least) {
        return false;
    }
    for (size_t o = 1; o < c->dims; o++) {
        sum += square((other[o] - point[o]) / scale[o]);
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

static void find_corners(const comparison *c, double *worst, double *best, bool *logarithmic)
{
    for (size_t o = 0; o < c->dims; o++) {
        worst[o] = best[o] = c->theirs[o];
        logarithmic[o] = pv_i_is_class_size(c->front->objectives[o].measure);
        for (size_t i = 1; i < c->n_theirs; i++) {
            worst[o] = fmin(worst[o], c->theirs[i * c->dims + o]);
            best[o] = fmax(best[o], c->theirs[i * c->dims + o]);
        }
    }
}

/* The last to be measured: the values are used up. */
static bool measure_volumes(comparison *c, pv_indicators *indicators)
{
    double worst[PV_MAX_OBJECTIVES];
    double best[PV_MAX_OBJECTIVES];
    bool logarithmic[PV_MAX_OBJECTIVES];
    const pv_space space = {worst, best, logarithmic, c->dims};
    find_corners(c, worst, best, logarithmic);
    return pv_i_space_volume(&space, c->ours, c->n_ours, &indicators->hypervolume,
                             &indicators->estimated) &&
           pv_i_space_volume(&space, c->theirs, c->n_theirs, &indicators->reference_hypervolume,
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
