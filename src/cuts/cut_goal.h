/* What searches over cuts minimise. */
#ifndef PV_CUTS_CUT_GOAL_H
#define PV_CUTS_CUT_GOAL_H

#include "cuts/cut_judge.h"

/* The loss, or the larger of the loss and of a bias in units of loss: base + slope * bias; slope 0
 * = loss only. An achievement function is of that kind. */
typedef struct pv_cut_goal {
    uint64_t k;                   /* people in a class, at least */
    double bias_base, bias_slope; /* in units of the loss */
    /* 0 = as above. Otherwise that value is only to be at most this, and what is minimised is the
     * sum of bias and loss: which of equally good schemes is nearest to a wish. */
    uint64_t most;
} pv_cut_goal;

/* The value of a scheme with this cost and bias; it falls with neither. PV_CUT_IMPOSSIBLE if there
 * is a most it exceeds. */
uint64_t pv_i_cut_value(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t cost,
                        double bias);
/* A value in nwp. */
double pv_i_cut_worth(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t value);
/* How far values may be apart that would be equal if numbers were exact. */
uint64_t pv_i_cut_tie(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t value);
/* A bias may weigh a million times as much as a loss; values are then in units of a million: costs
 * are shifted right by so many bits. */
unsigned pv_i_cut_shift(const pv_cut_goal *goal);

static inline bool pv_i_cut_is_feasible(const pv_cut_goal *goal, const pv_cut_outcome *outcome)
{
    return outcome->sizes.smallest >= goal->k && outcome->kept >= 1;
}

#endif
