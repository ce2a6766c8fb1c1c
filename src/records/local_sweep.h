/* One sweep over all groups of all nodes of a lattice: prices that break a condition of the bound
 * (local_bound.c) are lowered until all hold. */
#ifndef PV_RECORDS_LOCAL_SWEEP_H
#define PV_RECORDS_LOCAL_SWEEP_H

#include "records/local.h"

typedef struct pv_local_sweeper pv_local_sweeper;

/* What is swept: tuples of some attributes, no two with the same lowest nodes. */
typedef struct pv_local_base {
    const pv_local_space *space;
    const size_t *axes; /* the attributes */
    size_t n_axes, n;
    uint32_t **starts; /* per axis: of every tuple */
    uint64_t *rows;    /* per tuple */
} pv_local_base;

/* NULL when memory runs out. The base is borrowed. */
pv_local_sweeper *pv_i_local_sweeper_create(const pv_local_base *base, const pv_context *context);
void pv_i_local_sweeper_free(pv_local_sweeper *sweeper); /* NULL is fine */

typedef enum { PV_SWEEP_DONE, PV_SWEEP_LATE, PV_SWEEP_CANCELLED } pv_local_sweep_end;

/* Lowers prices, one per tuple, as little as it takes. If it does not get done before `until`
 * (0 = no limit) or is cancelled, they stay as they were. `work` grows by the tuples looked at,
 * the same on any number of threads. */
PV_CHECKED pv_status pv_i_local_sweep(pv_local_sweeper *sweeper, double *prices, double until,
                                      uint64_t *work, pv_local_sweep_end *end, pv_error *error);

#endif
