/* Boxes of a finished front by their definition (docs/model.md, section 4): which are dominated,
 * and in how many of those of the true front that are not it has a point. Nothing of the library is
 * used. */
#ifndef PV_TESTS_BOX_RATIO_H
#define PV_TESTS_BOX_RATIO_H

#include "front/front.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* What is equal by definition may differ in its last digits. */
#define BOX_DIGITS 1e-12

typedef struct box_grid {
    size_t n;
    double signs[PV_MAX_OBJECTIVES]; /* 1 where more is better, otherwise -1 */
    double sides[PV_MAX_OBJECTIVES]; /* 0: the value is its own box */
} box_grid;

static inline box_grid box_grid_of(const pv_front *front)
{
    box_grid grid = {.n = front->n_objectives};
    for (size_t i = 0; i < grid.n; i++) {
        const bool more = front->objectives[i].measure->direction == PV_MORE_IS_BETTER;
        grid.signs[i] = more ? 1 : -1;
        grid.sides[i] = front->epsilons[i];
    }
    return grid;
}

static inline bool box_near(double a, double b)
{
    return fabs(a - b) <= BOX_DIGITS * fmax(1, fmax(fabs(a), fabs(b)));
}

/* More is better. */
static inline double box_coordinate(const box_grid *grid, size_t i, double value)
{
    const double oriented = grid->signs[i] * value;
    if (!(grid->sides[i] > 0)) {
        return oriented;
    }
    const double steps = oriented / grid->sides[i];
    const double edge = 0x1p-38 * fabs(round(steps)); /* a multiple but for rounding */
    return fabs(steps - round(steps)) <= edge ? round(steps) : floor(steps);
}

/* 1 if a is in a better step of an objective, -1 if b is, 0 if they are in the same. */
static inline int box_compare_in(const box_grid *grid, size_t i, const double *a, const double *b)
{
    const double x = box_coordinate(grid, i, a[i]);
    const double y = box_coordinate(grid, i, b[i]);
    return box_near(x, y) ? 0 : x > y ? 1 : -1;
}

/* Is the box of a at least as good as that of b, in every objective? */
static inline bool box_covers(const box_grid *grid, const double *a, const double *b)
{
    for (size_t i = 0; i < grid->n; i++) {
        if (box_compare_in(grid, i, a, b) < 0) {
            return false;
        }
    }
    return true;
}

static inline bool box_same(const box_grid *grid, const double *a, const double *b)
{
    return box_covers(grid, a, b) && box_covers(grid, b, a);
}

static inline bool box_beats(const box_grid *grid, const double *a, const double *b)
{
    return box_covers(grid, a, b) && !box_covers(grid, b, a);
}

/* Does a front have a point in a box at least as good as that of these values? */
static inline bool box_front_covers(const box_grid *grid, const pv_front *front,
                                    const double *values)
{
    for (size_t i = 0; i < front->n_points; i++) {
        if (box_covers(grid, front->points[i].values, values)) {
            return true;
        }
    }
    return false;
}

static inline bool box_is_met(const box_grid *grid, const pv_front *front, const double *values)
{
    for (size_t i = 0; i < front->n_points; i++) {
        if (box_same(grid, front->points[i].values, values)) {
            return true;
        }
    }
    return false;
}

/* Is the box of the i-th of n points one that no other's dominates, and is it the first in it? */
static inline bool box_matters(const box_grid *grid, const double *points, size_t n, size_t i)
{
    const double *const mine = points + i * grid->n;
    for (size_t j = 0; j < n; j++) {
        const double *const other = points + j * grid->n;
        if (j != i && (box_beats(grid, other, mine) || (j < i && box_same(grid, other, mine)))) {
            return false;
        }
    }
    return true;
}

/* The boxes of the true front (n points) that no other dominates. */
static inline size_t box_count(const box_grid *grid, const double *truth, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        count += box_matters(grid, truth, n, i);
    }
    return count;
}

/* The share of them in which the front has a point. */
static inline double box_ratio(const pv_front *front, const double *truth, size_t n)
{
    const box_grid grid = box_grid_of(front);
    size_t met = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        const bool matters = box_matters(&grid, truth, n, i);
        count += matters;
        met += matters && box_is_met(&grid, front, truth + i * front->n_objectives);
    }
    return (double)met / (double)count;
}

#endif
