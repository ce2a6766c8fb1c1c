/* Hypervolume: how much of a space the points of a front dominate. One number that grows whenever a
 * front gets better anywhere. */
#ifndef PV_FRONT_HYPERVOLUME_H
#define PV_FRONT_HYPERVOLUME_H

#include "front/archive.h"

/* What `n` points dominate of the unit cube: points[i * dims + d], more is better, cut off at 0 and
 * 1; dims is 1..PV_MAX_OBJECTIVES. The order of the points does not matter. Exact up to four
 * dimensions, in about O(n log n) for two and three and O(n^2 log n) for four; beyond that by a
 * sample, always the same one, and `estimated` says so. False when memory runs out. */
PV_CHECKED bool pv_i_hypervolume(const double *points, size_t n, size_t dims, double *volume,
                                 bool *estimated);

/* The space between two corners, oriented: more is better. Where the corners are equal in an
 * objective, it has no extent there: what is as good as they are fills it, the rest is outside. */
typedef struct pv_space {
    const double *worst, *best;
    const bool *logarithmic; /* class sizes, compared by their logarithm; NULL = none are */
    size_t dims;
} pv_space;

/* What points with oriented values (n * dims of them, which become scratch) dominate of the space.
 * Up to 1: points beyond the corners count as if they were on its border. */
PV_CHECKED bool pv_i_space_volume(const pv_space *space, double *values, size_t n, double *volume,
                                  bool *estimated);

/* What the members of an archive dominate of the space between two corners. */
PV_CHECKED bool pv_i_archive_volume(const pv_archive *archive, const double *worst,
                                    const double *best, const bool *logarithmic, double *volume,
                                    bool *estimated);

#endif
