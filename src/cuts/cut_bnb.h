/* The best cut scheme with classes of at least k people that meet all other rules, with a proof:
 * branch and bound. Always reports the best found and the proven lower bound, and so the gap. */
#ifndef PV_CUTS_CUT_BNB_H
#define PV_CUTS_CUT_BNB_H

#include "cuts/cut_evaluator.h"

typedef struct pv_cut_bnb_options {
    pv_cut_goal goal;
    /* NULL = only k, necd and nwp. A loss that is no sum over attributes: PV_STATUS_ARGUMENT. With
     * another bias than necd only the loss is bounded. */
    const pv_cut_criteria *criteria;
    const uint8_t *start; /* a feasible scheme to beat; NULL = everything merged */
    unsigned threads;     /* 0 = 1 */
    uint64_t max_nodes;   /* 0 = no limit */
    uint64_t memory;      /* bytes for nodes and interval tables; 0 = PV_CUT_MEMORY */
    /* Asked now and then with the best value and the bound; false stops. NULL = never asked. */
    bool (*keep_going)(void *ctx, uint64_t best, uint64_t bound, uint64_t nodes);
    void *ctx;
} pv_cut_bnb_options;

typedef struct pv_cut_proof {
    uint64_t best;            /* value of the scheme found */
    uint64_t bound;           /* no feasible scheme has less; equal to `best` = proven optimal */
    uint64_t nodes;           /* looked at */
    uint64_t tables, counted; /* interval tables made, schemes counted */
} pv_cut_proof;

/* Bytes for all of a search over cuts, unless the caller says otherwise. */
#define PV_CUT_MEMORY (UINT64_C(256) << 20)

/* The best scheme into `cuts` (a byte per bit). If not even everything merged is feasible:
 * PV_STATUS_UNSATISFIED. */
PV_CHECKED pv_status pv_i_cut_bnb(pv_cut_table *table, const pv_cut_prices *prices,
                                  const pv_cut_bnb_options *options, uint8_t *cuts,
                                  pv_cut_proof *proof, pv_error *error);

#endif
