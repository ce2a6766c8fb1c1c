/* How good fronts are: hypervolume, and how well one represents another. */
#ifndef PV_FRONT_INDICATORS_H
#define PV_FRONT_INDICATORS_H

#include "front/archive.h"

/* What `n` points dominate of the unit cube: points[i * dims + d], more is better, cut off at 0 and
 * 1; dims is 1..PV_MAX_OBJECTIVES. The order of the points does not matter. Exact up to four
 * dimensions, in about O(n log n) for two and three and O(n^2 log n) for four; beyond that by a
 * sample, always the same one, and `estimated` says so. False when memory runs out. */
PV_CHECKED bool pv_i_hypervolume(const double *points, size_t n, size_t dims, double *volume,
                                 bool *estimated);

/* What the members of an archive dominate of the space between two corners, oriented: more is
 * better. `logarithmic` are the class sizes, compared by their logarithm (NULL = none are). Up to
 * 1: members beyond the corners count as if they were on the border. Where the corners are equal in
 * an objective, the space has no extent there: what is as good as they are fills it, all else is
 * outside. */
PV_CHECKED bool pv_i_archive_volume(const pv_archive *archive, const double *worst,
                                    const double *best, const bool *logarithmic, double *volume,
                                    bool *estimated);

#endif
