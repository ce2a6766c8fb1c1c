/* Bounds on measures as people write them. */
#ifndef PV_MEASURE_BOUND_H
#define PV_MEASURE_BOUND_H

#include <paravent/measure.h>

/* As pv_constraints_parse, for any measure: also for those that a released file alone does not
 * show, such as glm. `bounds` has room for PV_MAX_CONSTRAINTS. */
PV_CHECKED pv_status pv_i_bounds_parse(const char *text, pv_constraint *bounds, size_t *n_bounds,
                                       pv_error *error);

#endif
