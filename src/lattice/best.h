/* The one scheme of least loss that keeps the demands (docs/model.md, section 5). */
#ifndef PV_LATTICE_BEST_H
#define PV_LATTICE_BEST_H

#include "lattice/partition.h"

#include <paravent/context.h>

typedef struct pv_best_settings {
    const pv_context *context;
    uint64_t max_steps; /* rounds of the search; 0 = no limit; the same steps give the same bytes */
    uint64_t max_nodes; /* looked at between rounds; 0 = no limit */
    uint64_t max_work;  /* tuples counted; 0 = no limit; the same on every machine, too */
    double max_seconds; /* 0 = no limit */
    const char *phase;  /* for progress; NULL = "searching" */
    double ceiling;     /* no scheme keeps more, as is known from elsewhere; 0 = nothing is */
    uint64_t seed;
    const uint8_t *start; /* levels of a scheme to begin with, if it keeps the demands; or NULL */
    unsigned most_listed; /* schemes of a box that are looked at one by one; 0 = as usual */
} pv_best_settings;

typedef struct pv_best_found {
    bool found;      /* is there a scheme at all? */
    bool proven;     /* that nothing is better; or, if none was found, that there is none */
    uint8_t *levels; /* one per quasi-identifier; the caller frees it */
    double kept;     /* in the units of pv_i_detail_kept, summed over rows */
    double bound;    /* no scheme keeps more */
    uint64_t suppressed;
    uint64_t nodes; /* boxes looked at */
    uint64_t steps;
    uint64_t work; /* tuples counted */
    pv_stop stop;
    double seconds;
} pv_best_found;

PV_CHECKED pv_status pv_i_best(const pv_quest *quest, const pv_best_settings *settings,
                               pv_best_found *found, pv_error *error);

#endif
