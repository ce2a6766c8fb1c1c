/* What is known of every scheme of a lattice without evaluating it.
 *
 * Values are oriented, more is better. A scheme's `best` is an optimistic bound: of objectives that
 * never get worse upward (k) it comes from evaluated schemes above, of losses from evaluated
 * schemes below or from the levels alone. Its `sure` is what an objective of the first kind has at
 * least, from evaluated schemes below. Bounds are spread through the lattice as far as they say
 * something new: since they always are monotone, the spreading stops where it finds a bound as
 * tight. */
#ifndef PV_LATTICE_BOUNDS_H
#define PV_LATTICE_BOUNDS_H

#include "lattice/run.h"

typedef struct pv_bounds {
    const pv_run *run;
    float *best[PV_MAX_OBJECTIVES]; /* NULL for separable objectives */
    float *sure[PV_MAX_OBJECTIVES]; /* only of objectives bounded from above */
    /* Of an objective bounded from above: a value no scheme still unsettled can do anything with.
     */
    double hopeless[PV_MAX_OBJECTIVES];
    uint64_t *evaluated; /* a bit per node */
    uint8_t *levels;     /* scratch: of the node that is spread to */
    uint64_t touched;    /* bounds changed so far: the work it took */
} pv_bounds;

/* How an objective is bounded in this run, given its suppression: NONE if it is not. */
pv_bound pv_i_bound_of(const pv_run *run, size_t objective);

/* `bottom` and `top` are the outcomes of the two ends of the lattice, which bound everything. */
PV_CHECKED pv_status pv_i_bounds_init(pv_bounds *bounds, const pv_run *run,
                                      const pv_outcome *bottom, const pv_outcome *top,
                                      pv_error *error);
void pv_i_bounds_deinit(pv_bounds *bounds);

/* Learns from an evaluated scheme. */
void pv_i_bounds_learn(pv_bounds *bounds, uint64_t node, const pv_outcome *outcome);

/* The optimistic values of a scheme, raw. */
void pv_i_bounds_best(const pv_bounds *bounds, uint64_t node, const uint8_t *levels,
                      double *values);
/* Replaces, in optimistic values of a scheme below, what is surely reached at `node`. */
void pv_i_bounds_sure(const pv_bounds *bounds, uint64_t node, double *values);

#endif
