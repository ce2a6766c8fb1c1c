/* Numbers about fronts by their definitions, to compare the library's with: dominated volumes, and
 * the share of the true front's boxes that a front has a point in. */
#ifndef PV_TESTS_FRONT_VOLUME_H
#define PV_TESTS_FRONT_VOLUME_H

#include "front/front.h"

#include <math.h>

/* Any points with coordinates of 0..1, but few of them: 2^n boxes are looked at. */
double volume_by_boxes(const double *points, size_t n, size_t dims);

/* Any number of points, but all coordinates are multiples of 1 / steps. */
double volume_by_cells(const double *points, size_t n, size_t dims, size_t steps);

/* ================================================================== boxes */

/* Boxes of a finished front by their definition (docs/model.md, section 4): which are dominated,
 * and in how many of those of the true front that are not it has a point. Nothing of the library is
 * used. */

typedef struct box_grid {
    size_t n;
    double signs[PV_MAX_OBJECTIVES]; /* 1 where more is better, otherwise -1 */
    double sides[PV_MAX_OBJECTIVES]; /* 0: the value is its own box */
} box_grid;

box_grid box_grid_of(const pv_front *front);

/* Is the box of a at least as good as that of b, in every objective? */
bool box_covers(const box_grid *grid, const double *a, const double *b);

/* Does a front have a point in a box at least as good as that of these values? */
bool box_front_covers(const box_grid *grid, const pv_front *front, const double *values);

/* Is the box of the i-th of n points one that no other's dominates, and is it the first in it? */
bool box_matters(const box_grid *grid, const double *points, size_t n, size_t i);

/* The boxes of the true front (n points) that no other dominates. */
size_t box_count(const box_grid *grid, const double *truth, size_t n);

/* The share of them in which the front has a point. */
double box_ratio(const pv_front *front, const double *truth, size_t n);

#endif
