/* What searches over cuts minimise. */
#ifndef PV_SEARCH_CUT_GOAL_H
#define PV_SEARCH_CUT_GOAL_H

#include "classes/cut_table.h"
#include "search/cut_dp.h"

/* The loss, or the larger of the loss and of a bias in units of loss. The bias is base + slope *
 * necd, where necd is the spread of class sizes; slope 0 = loss only. An achievement function is of
 * that kind. */
typedef struct pv_cut_goal {
    uint64_t k;                   /* people in a class, at least */
    double bias_base, bias_slope; /* in nwp */
} pv_cut_goal;

/* The value of a scheme with this cost and these classes. */
uint64_t pv_i_cut_value(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t cost,
                        const pv_cut_sizes *sizes);
/* A value in nwp. */
double pv_i_cut_worth(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t value);
/* A bias may weigh a million times as much as a loss; values are then in units of a million: costs
 * are shifted right by so many bits. */
unsigned pv_i_cut_shift(const pv_cut_goal *goal);

#endif
