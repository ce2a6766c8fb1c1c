/* Heuristic searches over cuts: for the best scheme that keeps the constraint, and for those that
 * keep more of it at little more cost. Two objectives: the value of the goal (loss, or the larger
 * of loss and bias) and k, the smallest class. Everything evaluated stays in the run. */
#ifndef PV_CUTS_CUT_SEARCH_H
#define PV_CUTS_CUT_SEARCH_H

#include "base/rng.h"
#include "cuts/cut_run.h"

typedef struct pv_cut_search_options {
    pv_cut_goal goal;
    uint64_t seed;        /* 0 = 1 */
    uint64_t evaluations; /* schemes asked for, known ones included; 0 = 50,000 */
    size_t population;    /* 0 = 100 */
    double crossover;     /* 0 = 0.8; negative = never */
    double mutation;      /* per cut; 0 = 0.001; negative = never */
    const uint8_t *start; /* schemes to begin with, n_start * n_bits bytes */
    size_t n_start;
    /* Asked after every generation; false stops. NULL = never asked. */
    bool (*keep_going)(void *ctx, const pv_cut_run *run, uint32_t best);
    void *ctx;
} pv_cut_search_options;

#define PV_CUT_NOBODY UINT32_MAX

typedef struct pv_cut_result {
    /* Feasible, of least value; of those equal in it, but for rounding, of least bias + loss; then
     * of most k. PV_CUT_NOBODY if nothing feasible was found. */
    uint32_t best;
    uint32_t *front; /* feasible and non-dominated in (value, k), by ascending k; owned */
    size_t n_front;
    uint64_t generations;
} pv_cut_result;

void pv_i_cut_result_deinit(pv_cut_result *result);

/* Is the first better: of less value, or of equal value and less bias + loss, or of more k? */
bool pv_i_cut_is_better(const pv_cut_run *run, const pv_cut_goal *goal, uint32_t a, uint32_t b);
/* Fills in the best and the front among everything the run remembers. */
PV_CHECKED pv_status pv_i_cut_result_of(const pv_cut_run *run, const pv_cut_goal *goal,
                                        pv_cut_result *result, pv_error *error);
/* The same among some of them. */
PV_CHECKED pv_status pv_i_cut_result_among(const pv_cut_run *run, const pv_cut_goal *goal,
                                           const uint32_t *ids, size_t n, pv_cut_result *result,
                                           pv_error *error);

/* Drops the cuts that must go for the scheme to respect the taxonomies its space respects, and no
 * others. */
void pv_i_cut_respect(const pv_cut_space *space, uint8_t *cuts);

/* Cuts at random, as dense as chance wants: every halving from all cuts to about one in the whole
 * scheme is equally likely. (At one density, such as a half, all would be infeasible where there
 * are many places for cuts.) */
void pv_i_cut_scatter(size_t n_bits, pv_rng *rng, uint8_t *cuts);

/* NSGA-II with the selection rule and the defaults of Dewri, Ray, Ray, Whitley: k-anonymization in
 * the presence of publisher preferences, section 7. */
PV_CHECKED pv_status pv_i_nsga2(pv_cut_run *run, const pv_cut_search_options *options,
                                pv_cut_result *result, pv_error *error);
/* Evolution with local search: most children move cuts, infeasible ones are repaired, some are
 * improved attribute by attribute with the interval programme (cut_dp.h). */
PV_CHECKED pv_status pv_i_memetic(pv_cut_run *run, const pv_cut_search_options *options,
                                  pv_cut_result *result, pv_error *error);

#endif
