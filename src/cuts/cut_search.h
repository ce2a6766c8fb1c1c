/* The driver of all searches over cuts: set-up, progress, what to start from, proofs, and the
 * registry of the methods. A wish of a publisher (prefer) and each k of a front (cut_front.c) is a
 * goal; a method looks for the best scheme for it, and for those that have more k at little more
 * cost; branch and bound proves it best or finds a better one. Everything evaluated stays in the
 * run, and is where the next goal starts from. */
#ifndef PV_CUTS_CUT_SEARCH_H
#define PV_CUTS_CUT_SEARCH_H

#include "base/rng.h"
#include "cuts/cut_bnb.h"
#include "cuts/cut_run.h"

#include <paravent/search.h>

/* ----------------------------------------------------------------- methods */

/* Two objectives: the value of the goal (loss, or the larger of loss and bias) and k, the smallest
 * class. What is 0 gets the default of the method. */
typedef struct pv_cut_search_options {
    pv_cut_goal goal;
    uint64_t seed;        /* 0 = 1 */
    uint64_t evaluations; /* schemes asked for, known ones included */
    size_t population;
    double crossover;     /* negative = never */
    double mutation;      /* per cut; negative = never */
    const uint8_t *start; /* schemes to begin with, n_start * n_bits bytes */
    size_t n_start;
    /* Asked after every generation; false stops. NULL = never asked. */
    bool (*keep_going)(void *ctx, const pv_cut_run *run, uint32_t best);
    void *ctx;
} pv_cut_search_options;

typedef pv_status pv_cut_search_function(pv_cut_run *run, const pv_cut_search_options *options,
                                         pv_cut_result *result, pv_error *error);

typedef struct pv_cut_method_entry {
    pv_cut_method about; /* with its defaults */
    pv_cut_search_function *search;
} pv_cut_method_entry;

/* By name; NULL = the usual one. NULL if there is none. */
const pv_cut_method_entry *pv_i_cut_method(const char *name);
/* The options of a method with all defaults filled in, and checked. */
PV_CHECKED pv_status pv_i_cut_search_fill(const char *method, pv_cut_search_options *options,
                                          pv_error *error);

/* NSGA-II (nsga2.c). */
PV_CHECKED pv_cut_search_function pv_i_nsga2;
/* Evolution with local search (memetic.c). */
PV_CHECKED pv_cut_search_function pv_i_memetic;

/* ------------------------------------------------------------------ driver */

/* What a caller asked for; 0 or NULL is the default. */
typedef struct pv_cut_settings {
    const char *method;
    uint64_t k; /* people in a class at least; may grow by what is demanded */
    /* Demands besides, bias and loss; borrowed until the search is set up. */
    const pv_constraint *demands;
    size_t n_demands;
    const pv_measure_ref *bias, *loss;
    bool free_groups;
    uint64_t evaluations; /* of the first search */
    uint64_t further;     /* searches after it start from what is known: a part of this is enough */
    double prove;         /* seconds; negative = no proof, and 0 once the search is set up */
    double prove_usually; /* ... where 0 was asked for */
    uint64_t seed, memory;
    size_t population;
    double crossover, mutation;
} pv_cut_settings;

typedef struct pv_cut_search {
    const pv_profile *profile;
    pv_cut_settings settings; /* with all defaults filled in */
    const pv_cut_method_entry *method;
    pv_cut_space space;
    pv_cut_criteria criteria;
    pv_cut_table table;
    pv_cut_prices prices;
    pv_cut_run run;

    const pv_context *context;
    struct {
        const char *name;
        uint64_t done, total;
        bool counts; /* `done` is what the method or the proof has counted */
    } phase;
    pv_stop stop; /* PV_STOP_FINISHED until something stops it */
    double next_report;
    double proofs_end; /* moment (pv_i_now) */
} pv_cut_search;

/* The profile is borrowed. Fails if k is more than there are rows, or if not even all people in one
 * class meet the rules: PV_STATUS_UNSATISFIED. */
PV_CHECKED pv_status pv_i_cut_search_init(pv_cut_search *search, const pv_profile *profile,
                                          const pv_cut_settings *settings,
                                          const pv_context *context, pv_error *error);
void pv_i_cut_search_deinit(pv_cut_search *search);

/* Begins something new: nothing has stopped it yet. */
PV_CHECKED pv_status pv_i_cut_search_begin(pv_cut_search *search, const pv_context *context,
                                           pv_error *error);
/* Looks for schemes for a goal, starting from some that are known, the first ones of a list.
 * `number` counts the searches from 0: each has a seed of its own. */
PV_CHECKED pv_status pv_i_cut_search_find(pv_cut_search *search, const pv_cut_goal *goal,
                                          uint64_t number, const uint32_t *known, size_t n_known,
                                          pv_error *error);
/* Branch and bound from a known scheme, until the time for proofs is over. What it finds is
 * evaluated like any other. max_nodes 0 = any number. */
PV_CHECKED pv_status pv_i_cut_search_prove(pv_cut_search *search, const pv_cut_goal *goal,
                                           uint32_t start, uint64_t max_nodes, pv_cut_proof *proof,
                                           pv_error *error);

#endif
