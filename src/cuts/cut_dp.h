/* One attribute at a time is easy: with the cuts of the other attributes fixed, the best partition
 * of one ordered attribute is a shortest path over the intervals that are allowed. This is the move
 * that makes local search over cuts strong, and, summed over the attributes, the bound that makes
 * branch and bound prove optima. */
#ifndef PV_CUTS_CUT_DP_H
#define PV_CUTS_CUT_DP_H

#include "cuts/cut_table.h"

/* What is lost, in whole numbers: rows of a group times the other values in it times a price that
 * belongs to the attribute. nwp is their sum divided by `one`. */
typedef struct pv_cut_prices {
    uint64_t unit[PV_MOST_CUT_AXES]; /* per axis */
    double one;                      /* the loss when everything is merged, all weights together */
} pv_cut_prices;

void pv_i_cut_prices_init(pv_cut_prices *prices, const pv_cut_space *space);
/* The same with other weights, one per axis; they sum to 1. */
void pv_i_cut_prices_weigh(pv_cut_prices *prices, const pv_cut_space *space, const double *weights);
double pv_i_cut_nwp(const pv_cut_prices *prices, uint64_t cost);

/* No partition is allowed. */
#define PV_CUT_IMPOSSIBLE UINT64_MAX

/* What a cut may be. */
enum { PV_CUT_FREE = 0, PV_CUT_FORCED, PV_CUT_FORBIDDEN };

/* The question, for one axis of n values. */
typedef struct pv_cut_path {
    const pv_cut_axis *axis;
    uint64_t unit;
    const bool *banned;   /* n * n: intervals that may not be groups */
    const uint8_t *state; /* n - 1; NULL = all free */
} pv_cut_path;

/* The least cost, and a partition that has it (n - 1 bytes; of several the one whose first groups
 * are smallest). `included[i]` and `excluded[i]` are the least costs with and without the cut i;
 * NULL if nobody asks. `room` has space for 2 (n + 1) numbers. */
uint64_t pv_i_cut_best_path(const pv_cut_path *path, uint8_t *cuts, uint64_t *included,
                            uint64_t *excluded, uint64_t *room);

/* What a partition costs. */
uint64_t pv_i_cut_cost(const pv_cut_space *space, const pv_cut_prices *prices, const uint8_t *cuts);

#endif
