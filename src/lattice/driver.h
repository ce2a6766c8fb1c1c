/* The driver: what every search over the lattice is given, and the methods there are.
 *
 * A method decides which schemes to look at. The run evaluates them on threads, counts, has the
 * archive, reports progress, records how the search went, and decides when to stop. */
#ifndef PV_LATTICE_DRIVER_H
#define PV_LATTICE_DRIVER_H

#include "front/archive.h"
#include "lattice/evaluator.h"
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
    /* Suppression as needed: the same scheme with lower thresholds, in pv_run.thresholds. */
    size_t first_threshold, n_thresholds;
} pv_outcome;

/* A scheme with fewer rows suppressed than its outcome has: less k, less loss. */
typedef struct pv_lower_threshold {
    uint32_t number; /* of the scheme in its batch */
    uint64_t k, suppressed;
    double values[PV_MAX_OBJECTIVES];
} pv_lower_threshold;

typedef struct pv_lower_thresholds {
    pv_lower_threshold *list;
    size_t n, capacity;
    uint64_t scheme; /* of the batch, + 1: measured once already; 0 = none */
} pv_lower_thresholds;

/* How good the front was and when. Its quality is the hypervolume between what the two ends of the
 * lattice have to offer. */
typedef struct pv_trace {
    bool begun;
    double worst[PV_MAX_OBJECTIVES], best[PV_MAX_OBJECTIVES]; /* oriented */
    bool logarithmic[PV_MAX_OBJECTIVES];
    pv_moment *moments;
    size_t n, capacity;
    uint64_t next; /* evaluations to take the next moment at */
} pv_trace;

/* What is proven about the loss of all that has at least `from` rows in every class: no less than
 * this. Where it is proven, a scheme has just that loss, and `reached` as its smallest class. */
typedef struct pv_k_bound {
    uint64_t from, reached;
    double loss;
    bool proven;
} pv_k_bound;

typedef struct pv_k_bounds {
    bool asked; /* the search is one point by point */
    pv_k_bound *list;
    size_t n, capacity;
} pv_k_bounds;

typedef struct pv_run {
    const pv_profile *profile;
    pv_search_options options; /* with all defaults filled in */
    pv_measure_ref objectives[PV_MAX_OBJECTIVES];
    size_t n_objectives;
    const pv_context *context;
    unsigned threads;
    pv_lattice lattice;     /* of the distinct levels: schemes within a search are in its levels */
    uint8_t *real;          /* scratch: the same scheme in levels of the hierarchies */
    pv_class_rules demands; /* besides k, which is options.suppression.target_k */
    uint8_t *start;         /* options.start in levels of the lattice */
    pv_evaluator *evaluator;
    pv_meter *meters;               /* threads * n_objectives */
    pv_lower_thresholds *lower;     /* per thread, of the batch being evaluated */
    pv_lower_thresholds thresholds; /* of the last batch, by scheme */
    pv_archive archive;
    size_t most_members; /* of the archive; 0 = no bound */
    pv_trace trace;

    /* What another method found, to begin with; borrowed. NULL = nothing. */
    const pv_archive *known;
    /* A method gives up, without setting `stop`, when it has taken so much work: groups rolled up
     * and bounds changed, counted as if each scheme took all tuples, so that it is the same every
     * time. 0 = it never does. */
    double allowance;

    /* The account. */
    uint64_t evaluated;
    uint64_t explored; /* of them: before the method that proves the front began */
    uint64_t iterations;
    uint64_t pruned_loss, pruned_mark;
    uint64_t proof_nodes;
    pv_k_bounds k_bounds; /* of a search point by point */
    bool complete;
    pv_stop stop;

    /* Progress. */
    double started, next_report; /* of pv_i_now */
    const char *phase;
    uint64_t total; /* of the phase; 0 = not known */
} pv_run;

PV_CHECKED pv_status pv_i_run_init(pv_run *run, const pv_profile *profile,
                                   const pv_search_options *options, const pv_context *context,
                                   pv_error *error);
void pv_i_run_deinit(pv_run *run);

/* How an objective is bounded in this run, given its suppression: NONE if it is not. */
pv_bound pv_i_run_bound(const pv_run *run, size_t objective);

/* The value of a separable objective without suppression. On the caller's thread only. */
double pv_i_run_separable(const pv_run *run, const pv_meter *meter, const uint8_t *levels);

/* Measures the classes of one scheme with the meters of a worker. */
PV_CHECKED pv_status pv_i_run_measure(const pv_run *run, unsigned worker, const pv_classes *classes,
                                      pv_outcome *outcome);
/* Evaluates a batch of schemes (n * axes levels) and counts them. */
PV_CHECKED pv_status pv_i_run_evaluate(pv_run *run, const uint8_t *levels, size_t n,
                                       pv_outcome *outcomes, pv_error *error);
/* Offers a scheme of the last batch to the archive, with all its thresholds, unless it is
 * infeasible.
 */
PV_CHECKED pv_status pv_i_run_offer(pv_run *run, const uint8_t *levels, const pv_outcome *outcome,
                                    pv_error *error);

/* Tells the observer, if there is one, of a scheme in levels of the lattice; `values` NULL = it
 * cannot keep what is demanded. On the caller's thread, in the order of merging. */
void pv_i_run_tell(pv_run *run, const uint8_t *levels, const double *values);

/* Begins to record how the search goes, given the oriented values of the ends of the lattice. */
void pv_i_run_trace(pv_run *run, const double *bottom, const double *top);
/* Makes the archive's boxes coarser if it has become too large, and records a moment if it is time
 * for one. To be called between batches. */
PV_CHECKED pv_status pv_i_run_review(pv_run *run, pv_error *error);

/* Reports that `done` of the phase are done and asks whether to go on. False: stop, run->stop says
 * why. To be called on the caller's thread, as often as convenient. */
bool pv_i_run_goes_on(pv_run *run, uint64_t done);

/* ---------------------------------------------------------------- methods */

typedef struct pv_search_entry {
    pv_method info;
    bool boxes_as_asked; /* an evolutionary search in the very boxes that are asked for */
    /* Why the method cannot search this, as a sentence for people. NULL = it can; no function = it
     * can search anything. */
    const char *(*refuses)(const pv_run *run);
    pv_status (*search)(pv_run *run, pv_error *error);
} pv_search_entry;

const char *pv_i_exhaustive_refuses(const pv_run *run);
pv_status pv_i_exhaustive(pv_run *run, pv_error *error);

const char *pv_i_exact_refuses(const pv_run *run);
pv_status pv_i_exact(pv_run *run, pv_error *error);

const char *pv_i_poka_refuses(const pv_run *run);
pv_status pv_i_poka(pv_run *run, pv_error *error);

const char *pv_i_pointwise_refuses(const pv_run *run);
pv_status pv_i_pointwise(pv_run *run, pv_error *error);
double pv_i_k_bounds_at(const pv_k_bounds *bounds, uint64_t k);

pv_status pv_i_pbg_ea(pv_run *run, pv_error *error);
pv_status pv_i_pbg_hybrid(pv_run *run, pv_error *error);

/* pbg-hybrid in two steps: a first front, and everything else. Between them the archive of the run
 * may gain members. */
typedef struct pv_hybrid pv_hybrid;
PV_CHECKED pv_status pv_i_hybrid_create(pv_run *run, pv_hybrid **hybrid, pv_error *error);
void pv_i_hybrid_free(pv_hybrid *hybrid); /* NULL is fine */
PV_CHECKED pv_status pv_i_hybrid_glance(pv_hybrid *hybrid, pv_error *error);
PV_CHECKED pv_status pv_i_hybrid_explore(pv_hybrid *hybrid, pv_error *error);

/* What `auto` chose. */
typedef struct pv_method_choice {
    const char *method;      /* whose front it is in the end */
    const char *reason;      /* one sentence */
    const char *alternative; /* what another method would do about that; NULL = none would */
} pv_method_choice;

/* Searches as suits the run, whose archive has the boxes of pbg-hybrid. */
PV_CHECKED pv_status pv_i_auto(pv_run *run, pv_method_choice *choice, pv_error *error);

#endif
