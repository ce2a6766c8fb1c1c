/* What schemes can be at best, without evaluating them.
 *
 * Two things are known of a lattice (docs/model.md, section 3): k never falls when a scheme is
 * generalized, and a loss without suppression never shrinks. So an evaluated scheme says something
 * about all schemes below and above it. Two searches remember that in two ways: `exact` for every
 * scheme, so that nothing is forgotten and a proof can rely on it; pbg-hybrid by some thousand
 * evaluated schemes, whatever the size of the lattice. See scheme_bounds.c. */
#ifndef PV_LATTICE_SCHEME_BOUNDS_H
#define PV_LATTICE_SCHEME_BOUNDS_H

#include "lattice/driver.h"

/* Of every scheme, for `exact`. Values are oriented: more is better. */
typedef struct pv_scheme_bounds {
    const pv_run *run;
    /* What the scheme is at best: of objectives that never get worse upward (k) from evaluated
     * schemes above it, of losses from evaluated schemes below. NULL for separable objectives,
     * whose loss is known from the levels. */
    float *best[PV_MAX_OBJECTIVES];
    /* What an objective of the first kind has at least, from evaluated schemes below. */
    float *least[PV_MAX_OBJECTIVES];
    /* Of an objective bounded from above: a value no scheme still unsettled can do anything with.
     */
    double hopeless[PV_MAX_OBJECTIVES];
    uint64_t *evaluated; /* a bit per node */
    uint8_t *levels;     /* scratch: of the node that is spread to */
    uint64_t touched;    /* bounds changed so far: the work it took */
} pv_scheme_bounds;

/* `bottom` and `top` are the outcomes of the two ends of the lattice, which bound everything. */
PV_CHECKED pv_status pv_i_scheme_bounds_init(pv_scheme_bounds *bounds, const pv_run *run,
                                             const pv_outcome *bottom, const pv_outcome *top,
                                             pv_error *error);
void pv_i_scheme_bounds_deinit(pv_scheme_bounds *bounds);

/* Learns from an evaluated scheme. */
void pv_i_scheme_bounds_learn(pv_scheme_bounds *bounds, uint64_t node, const pv_outcome *outcome);
/* The optimistic values of a scheme, raw. */
void pv_i_scheme_bounds_best(const pv_scheme_bounds *bounds, uint64_t node, const uint8_t *levels,
                             double *values);
/* Replaces, in optimistic values of a scheme below, what `node` has at least. */
void pv_i_scheme_bounds_least(const pv_scheme_bounds *bounds, uint64_t node, double *values);
/* Does the scheme keep what is demanded within the budget, as far as is known? */
bool pv_i_scheme_bounds_may_keep(const pv_scheme_bounds *bounds, uint64_t node);
bool pv_i_scheme_bounds_surely_keeps(const pv_scheme_bounds *bounds, uint64_t node);

/* From some thousand evaluated schemes, for a search that proves nothing anyway: of measures of
 * privacy other than k it takes for granted what holds only without suppression. */
typedef struct pv_sampled_bounds {
    const pv_run *run;
    uint8_t *levels; /* of the schemes learned from */
    double *values;  /* oriented, per scheme: as measured, or of losses as without suppression */
    size_t n, oldest;
} pv_sampled_bounds;

PV_CHECKED pv_status pv_i_sampled_bounds_init(pv_sampled_bounds *bounds, const pv_run *run,
                                              pv_error *error);
void pv_i_sampled_bounds_deinit(pv_sampled_bounds *bounds);

void pv_i_sampled_bounds_learn(pv_sampled_bounds *bounds, const uint8_t *levels,
                               const pv_outcome *outcome);
/* Has the archive something at least as good as the best the scheme can be? */
bool pv_i_sampled_bounds_hopeless(const pv_sampled_bounds *bounds, const uint8_t *levels);

#endif
