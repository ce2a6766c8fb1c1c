/* The scheme of levels of least loss, where the loss is no sum over attributes and there are too
 * many schemes to look at all of them (docs/model.md, section 5). */
#ifndef PV_LATTICE_BEST_MOVES_H
#define PV_LATTICE_BEST_MOVES_H

#include "classes/profile.h"
#include "scheme/lattice.h"

#include <paravent/context.h>
#include <paravent/measure.h>

typedef struct pv_moves_settings {
    const pv_context *context;
    pv_measure_ref loss;
    const pv_constraint *demands; /* borrowed */
    size_t n_demands;
    uint64_t budget;
    uint64_t max_evaluations; /* 0 = no limit; the same number gives the same bytes */
    double deadline;          /* moment (pv_i_now); 0 = none */
    const uint8_t *start;     /* another scheme to begin with, if it is better; or NULL; borrowed */
    uint64_t seed;
} pv_moves_settings;

typedef struct pv_moves_found {
    uint8_t *levels; /* of the hierarchies, one per axis: where to begin, then the best; borrowed */
    double value;
    uint64_t evaluated;
    pv_stop stop;
} pv_moves_found;

/* Begins with found->levels, which keep the demands, and never ends with worse. */
PV_CHECKED pv_status pv_i_best_moves(const pv_profile *profile, const pv_lattice *lattice,
                                     const pv_moves_settings *settings, pv_moves_found *found,
                                     pv_error *error);

/* No scheme that keeps the demands loses less than this, which needs no search; for a loss of which
 * less is better. 0 if nothing is known. */
PV_CHECKED pv_status pv_i_best_least(const pv_profile *profile, const pv_lattice *lattice,
                                     const pv_moves_settings *settings, double *least,
                                     pv_error *error);

#endif
