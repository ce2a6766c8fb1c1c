/* Bounds that people put on the points of a front: which points keep them, and what to say if none
 * does. */
#ifndef PV_FRONT_FRONT_BOUNDS_H
#define PV_FRONT_FRONT_BOUNDS_H

#include <paravent/front.h>

typedef struct pv_front_bounds {
    const pv_front *front;
    const pv_profile *profile;
    pv_constraint bounds[PV_MAX_CONSTRAINTS];
    size_t n_bounds;
} pv_front_bounds;

/* PV_STATUS_ARGUMENT if the text has no bounds, or one on what is no objective (k is known of every
 * point, whatever the objectives). PV_STATUS_UNSATISFIED if the front has no points. */
PV_CHECKED pv_status pv_i_front_bounds_parse(const pv_front *front, const pv_profile *profile,
                                             const char *text, pv_front_bounds *bounds,
                                             pv_error *error);

bool pv_i_front_bounds_keep(const pv_front_bounds *bounds, size_t point);
/* Is there a bound on this objective? */
bool pv_i_front_is_bounded(const pv_front_bounds *bounds, size_t objective);

/* The refusal, PV_STATUS_UNSATISFIED, with what the front has to offer instead. */
PV_CHECKED pv_status pv_i_front_none_keeps(const pv_front_bounds *bounds, pv_error *error);
PV_CHECKED pv_status pv_i_front_is_empty(pv_error *error);

#endif
