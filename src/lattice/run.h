/* A run: what the driver gives every method. Methods decide which schemes to look at; the run
 * evaluates them on threads, counts, keeps the archive, and says when to stop. */
#ifndef PV_LATTICE_RUN_H
#define PV_LATTICE_RUN_H

#include "front/archive.h"
#include "lattice/evaluator.h"
#include "lattice/trace.h"
#include "measure/entry.h"
#include "scheme/lattice.h"

#include <paravent/search.h>

/* What a scheme turned out to be. */
typedef struct pv_outcome {
    double values[PV_MAX_OBJECTIVES];
    /* Of objectives bounded from below: the value if nothing were suppressed. */
    double unsuppressed[PV_MAX_OBJECTIVES];
    uint64_t k, suppressed;
    bool feasible;
} pv_outcome;

typedef struct pv_run {
    const pv_profile *profile;
    pv_search_options options; /* with all defaults filled in */
    pv_measure_ref objectives[PV_MAX_OBJECTIVES];
    size_t n_objectives;
    const pv_context *context;
    unsigned threads;
    pv_lattice lattice;
    pv_evaluator *evaluator;
    pv_meter *meters; /* threads * n_objectives */
    pv_archive archive;
    size_t most_members; /* of the archive; 0 = no bound */
    pv_trace trace;

    /* What another method found, to begin with; borrowed. NULL = nothing. */
    const pv_archive *known;
    /* A method gives up, without a word of why in `stop`, when it has taken so much work: groups
     * rolled up and bounds changed, counted as if each scheme took all tuples, so that it is the
     * same every time. 0 = it never does. */
    double allowance;

    /* The account. */
    uint64_t evaluated;
    uint64_t explored; /* of them: before the method that proves the front began */
    uint64_t iterations;
    uint64_t pruned_loss, pruned_mark;
    bool complete;
    pv_stop stop;

    /* Progress. */
    uint64_t started_ns;
    uint64_t next_report_ns;
    const char *phase;
    uint64_t total; /* of the phase; 0 = not known */
} pv_run;

PV_CHECKED pv_status pv_i_run_init(pv_run *run, const pv_profile *profile,
                                   const pv_search_options *options, const pv_context *context,
                                   pv_error *error);
void pv_i_run_deinit(pv_run *run);

static inline const pv_meter *pv_i_run_meters(const pv_run *run, unsigned worker)
{
    return run->meters + (size_t)worker * run->n_objectives;
}

/* Measures the classes of one scheme with the meters of a worker. */
PV_CHECKED pv_status pv_i_run_measure(const pv_run *run, unsigned worker, const pv_classes *classes,
                                      pv_outcome *outcome);

/* Evaluates a batch of schemes (n * axes levels) and counts them. */
PV_CHECKED pv_status pv_i_run_evaluate(pv_run *run, const uint8_t *levels, size_t n,
                                       pv_outcome *outcomes, pv_error *error);
/* Offers a scheme to the archive unless it is infeasible. */
PV_CHECKED pv_status pv_i_run_offer(pv_run *run, const uint8_t *levels, const pv_outcome *outcome,
                                    pv_error *error);

/* Makes the archive's boxes coarser if it has become too large, and takes a moment of the trace. To
 * be called between batches. */
PV_CHECKED pv_status pv_i_run_review(pv_run *run, pv_error *error);

/* Reports that `done` of the phase are done and asks whether to go on. False: stop, run->stop says
 * why. To be called on the caller's thread, as often as convenient. */
bool pv_i_run_goes_on(pv_run *run, uint64_t done);

double pv_i_run_seconds(const pv_run *run);

#endif
