/* The achievement function as a goal of searches over cuts. */
#ifndef PV_PREFER_ACHIEVEMENT_H
#define PV_PREFER_ACHIEVEMENT_H

#include "cuts/cut_bnb.h"

#include <paravent/prefer.h>

/* Searches minimise the larger of the loss and of a bias in units of loss: the achievement, divided
 * by the weight of the loss and moved. */
pv_cut_goal pv_i_achievement_goal(const pv_achievement *achievement, uint64_t k);
/* Back from the value of a goal, in nwp, to the achievement. */
double pv_i_achievement_of(const pv_achievement *achievement, double value);

#endif
