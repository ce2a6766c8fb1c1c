/* The one cut scheme of least loss that keeps the demands (docs/model.md, section 6). */
#ifndef PV_CUTS_CUT_BEST_H
#define PV_CUTS_CUT_BEST_H

#include "classes/profile.h"
#include "scheme/cut_space.h"

#include <paravent/context.h>
#include <paravent/cuts.h>
#include <paravent/front.h>
#include <paravent/measure.h>

typedef struct pv_cut_best_settings {
    const pv_context *context;
    const pv_constraint *demands; /* rules for classes only; borrowed */
    size_t n_demands;
    pv_measure_ref loss;
    uint64_t budget;    /* rows that may be suppressed */
    uint64_t max_steps; /* rounds of the proof (with a budget: of the search, too); 0 = no limit */
    double max_seconds; /* 0 = no limit */
    bool brief;         /* a first impression: little more than the levels given, and no proof */
    uint64_t seed;
    const uint8_t *levels; /* schemes of levels to begin with, n_levels of them; borrowed */
    size_t n_levels;
} pv_cut_best_settings;

typedef struct pv_cut_best_found {
    pv_cuts *cuts;       /* NULL = none was found; the caller frees it */
    bool proven;         /* that nothing is better; or that there is nothing */
    double share, bound; /* of the largest loss there can be; no scheme has less than the bound */
    double range;        /* how much of the measure that largest loss is; 0 = nothing is proven */
    uint64_t nodes, steps;
    double n_schemes, seconds;
    pv_stop stop;
} pv_cut_best_found;

/* A loss that is no sum over attributes is looked for, but nothing is proven of it. */
PV_CHECKED pv_status pv_i_cut_best(const pv_profile *profile, const pv_cut_best_settings *settings,
                                   pv_cut_best_found *found, pv_error *error);

/* Is every scheme of levels a scheme of cuts? Not where granules, other orders of numbers, or
 * values that reach the root early stand between them. */
bool pv_i_cuts_have_levels(const pv_cut_space *space);

#endif
