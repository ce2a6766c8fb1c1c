/* Property vectors in the making. */
#ifndef PV_COMPARE_VECTORS_H
#define PV_COMPARE_VECTORS_H

#include <paravent/compare.h>

/* No values yet: they are allocated one by one, and are the vectors' own. */
PV_CHECKED pv_status pv_i_vectors_create(const char *name, uint64_t n_rows, size_t n_properties,
                                         pv_vectors **vectors, pv_error *error);

/* Turns values of which less is better so that more is. */
void pv_i_values_turn(double *values, uint64_t n);

#endif
