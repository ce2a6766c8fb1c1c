/* Volumes that points dominate in the unit cube, by the definition: by inclusion and exclusion of
 * their boxes, or by counting the cells of a grid. */
#ifndef PV_TESTS_VOLUME_ORACLE_H
#define PV_TESTS_VOLUME_ORACLE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Any points with coordinates of 0..1, but few of them: 2^n boxes are looked at. */
static inline double volume_by_boxes(const double *points, size_t n, size_t dims)
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
static inline bool volume_has_cell(const double *points, size_t n, size_t dims, size_t steps,
                                   size_t cell)
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

/* Any number of points, but all coordinates are multiples of 1 / steps. */
static inline double volume_by_cells(const double *points, size_t n, size_t dims, size_t steps)
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

#endif
