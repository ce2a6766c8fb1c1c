/* Property vectors in the making. */
#ifndef PV_COMPARE_VECTORS_H
#define PV_COMPARE_VECTORS_H

#include <paravent/compare.h>

/* No values yet: they are allocated one by one, and are the vectors' own. */
PV_CHECKED pv_status pv_i_vectors_create(const char *name, size_t n_properties,
                                         pv_vectors **vectors, pv_error *error);
void pv_i_vectors_free(pv_vectors *vectors); /* NULL is fine */

/* Gives each of `n` kinds the values of the kind it was part of. */
PV_CHECKED pv_status pv_i_vectors_divide(pv_vectors *vectors, const uint32_t *parent, size_t n,
                                         pv_error *error);

/* Turns values of which less is better so that more is. */
void pv_i_values_turn(double *values, uint64_t n);

#endif
