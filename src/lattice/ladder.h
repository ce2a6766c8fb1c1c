/* A way down the whole lattice that would be best at every step if the attributes had nothing to do
 * with each other: from the bottom, always the attribute is raised that makes people most alike for
 * what it loses. Its schemes are good to start from, and cost nothing to find. */
#ifndef PV_LATTICE_LADDER_H
#define PV_LATTICE_LADDER_H

#include "lattice/run.h"

/* The schemes of the ladder, the top first, the bottom last; freed with pv_i_free. */
PV_CHECKED pv_status pv_i_ladder(const pv_run *run, uint8_t **schemes, size_t *n, pv_error *error);

#endif
