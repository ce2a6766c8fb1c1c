/* Volumes by inclusion and exclusion, boxes by dividing. */
#include "support/front_volume.h"

#include <stdbool.h>
#include <stddef.h>

double volume_by_boxes(const double *points, size_t n, size_t dims)
{
    double volume = 0;
    for (size_t set = 1; set < (size_t)1 << n; set++) {
        double box = -1;
        for (size_t i = 0; i < n; i++) {
            box *= (set >> i & 1) != 0 ? -1 : 1;
        }
        for (size_t d = 0; d < dims; d++) {
            double least = 1;
            for (size_t i = 0; i < n; i++) {
                least = (set >> i & 1) != 0 ? fmin(least, points[i * dims + d]) : least;
            }
            box *= least;
        }
        volume += box;
    }
    return volume;
}

/* Is the cell's far corner in the box of some point? */
static bool volume_has_cell(const double *points, size_t n, size_t dims, size_t steps, size_t cell)
{
    for (size_t i = 0; i < n; i++) {
        size_t rest = cell;
        size_t inside = 0;
        for (size_t d = 0; d < dims; d++, rest /= steps) {
            inside += points[i * dims + d] * (double)steps >= (double)(rest % steps + 1) - 1e-9;
        }
        if (inside == dims) {
            return true;
        }
    }
    return false;
}

double volume_by_cells(const double *points, size_t n, size_t dims, size_t steps)
{
    size_t n_cells = 1;
    size_t inside = 0;
    for (size_t d = 0; d < dims; d++) {
        n_cells *= steps;
    }
    for (size_t cell = 0; cell < n_cells; cell++) {
        inside += volume_has_cell(points, n, dims, steps, cell);
    }
    return (double)inside / (double)n_cells;
}

/* ================================================================== boxes */

/* What is equal by definition may differ in its last digits. */
#define BOX_DIGITS 1e-12

box_grid box_grid_of(const pv_front *front)
{
    box_grid grid = {.n = front->n_objectives};
    for (size_t i = 0; i < grid.n; i++) {
        const bool more = front->objectives[i].measure->direction == PV_MORE_IS_BETTER;
        grid.signs[i] = more ? 1 : -1;
        grid.sides[i] = front->epsilons[i];
    }
    return grid;
}

static bool box_near(double a, double b)
{
    return fabs(a - b) <= BOX_DIGITS * fmax(1, fmax(fabs(a), fabs(b)));
}

/* More is better. */
static double box_coordinate(const box_grid *grid, size_t i, double value)
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
static int box_compare_in(const box_grid *grid, size_t i, const double *a, const double *b)
{
    const double x = box_coordinate(grid, i, a[i]);
    const double y = box_coordinate(grid, i, b[i]);
    return box_near(x, y) ? 0 : x > y ? 1 : -1;
}

bool box_covers(const box_grid *grid, const double *a, const double *b)
{
    for (size_t i = 0; i < grid->n; i++) {
        if (box_compare_in(grid, i, a, b) < 0) {
            return false;
        }
    }
    return true;
}

static bool box_same(const box_grid *grid, const double *a, const double *b)
{
    return box_covers(grid, a, b) && box_covers(grid, b, a);
}

static bool box_beats(const box_grid *grid, const double *a, const double *b)
{
    return box_covers(grid, a, b) && !box_covers(grid, b, a);
}

bool box_front_covers(const box_grid *grid, const pv_front *front, const double *values)
{
    for (size_t i = 0; i < front->n_points; i++) {
        if (box_covers(grid, front->points[i].values, values)) {
            return true;
        }
    }
    return false;
}

static bool box_is_met(const box_grid *grid, const pv_front *front, const double *values)
{
    for (size_t i = 0; i < front->n_points; i++) {
        if (box_same(grid, front->points[i].values, values)) {
            return true;
        }
    }
    return false;
}

bool box_matters(const box_grid *grid, const double *points, size_t n, size_t i)
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

size_t box_count(const box_grid *grid, const double *truth, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        count += box_matters(grid, truth, n, i);
    }
    return count;
}

double box_ratio(const pv_front *front, const double *truth, size_t n)
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
