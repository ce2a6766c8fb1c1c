/* The best cut scheme where classes that break a demand may be suppressed, within a budget. */
#ifndef PV_CUTS_CUT_NEEDED_H
#define PV_CUTS_CUT_NEEDED_H

#include "cuts/cut_deaths.h"

#include <paravent/context.h>
#include <paravent/front.h>

typedef struct pv_cut_needed_options {
    const pv_context *context;
    const uint8_t *start; /* schemes to begin with, n_start * n_bits bytes; borrowed */
    size_t n_start;
    uint64_t seed, memory; /* memory is for open nodes */
    uint64_t max_steps;    /* 0 = no limit */
    bool brief;            /* once over the attributes from the first start, and no proof */
    double deadline;       /* moment (pv_i_now); 0 = none */
} pv_cut_needed_options;

typedef struct pv_cut_needed_found {
    bool found;
    bool proven; /* that nothing is better; or, if none was found, that there is none */
    pv_cut_account account;
    uint64_t bound; /* no scheme within the budget costs less */
    uint64_t nodes, steps;
    pv_stop stop;
} pv_cut_needed_found;

/* The best scheme goes to `cuts` (a byte per bit), if one was found. */
PV_CHECKED pv_status pv_i_cut_needed(const pv_cut_question *question,
                                     const pv_cut_needed_options *options, uint8_t *cuts,
                                     pv_cut_needed_found *found, pv_error *error);

#endif
