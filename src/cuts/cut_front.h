/* A search for the front of k and nwp over cuts: what its two parts, finding and proving, share. */
#ifndef PV_CUTS_CUT_FRONT_H
#define PV_CUTS_CUT_FRONT_H

#include "cuts/cut_ledger.h"
#include "cuts/cut_search.h"

#include <paravent/search.h>

typedef struct pv_cut_front {
    const pv_context *context;
    pv_cut_front_options options; /* with all defaults filled in */
    pv_cut_space space;
    pv_cut_table table;
    pv_cut_prices prices;
    pv_cut_run run;
    pv_cut_result known; /* the front among everything the run remembers, by ascending k */
    pv_cut_ledger ledger;
    uint64_t nodes; /* of all proofs */
    pv_stop stop;   /* PV_STOP_FINISHED until something stops it */
    double started, next_report;
} pv_cut_front;

/* Seconds since the search began. */
double pv_i_cut_front_seconds(const pv_cut_front *front);
/* Tells how far a phase is, now and then. False, and `stop` is set, if it is not to go on. */
bool pv_i_cut_front_report(pv_cut_front *front, const char *phase, uint64_t done, uint64_t total);
/* Looks again what is known, after something was evaluated. */
PV_CHECKED pv_status pv_i_cut_front_review(pv_cut_front *front, pv_error *error);

/* A point of the known front with what has to be proven about it. */
typedef struct pv_cut_target {
    uint32_t id; /* in the run */
    uint64_t k, cost;
    uint64_t from; /* if nothing with at least this k costs less, nothing is missing before it */
} pv_cut_target;

pv_cut_target pv_i_cut_front_target(const pv_cut_front *front, size_t point);
/* Is that proven? */
bool pv_i_cut_front_is_settled(const pv_cut_front *front, const pv_cut_target *target);

/* Proves points best, or finds better ones, until all are proven or something stops it. */
PV_CHECKED pv_status pv_i_cut_front_prove(pv_cut_front *front, pv_error *error);

#endif
