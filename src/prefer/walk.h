/* What a walk consists of. */
#ifndef PV_PREFER_WALK_H
#define PV_PREFER_WALK_H

#include "cuts/cut_run.h"

#include <paravent/prefer.h>

typedef struct pv_session pv_session;

struct pv_walk {
    const pv_profile *profile;
    pv_walk_options options; /* with all defaults filled in */
    pv_cut_space space;
    pv_cut_aspects aspects;
    pv_cut_table table;
    double weights[PV_MOST_CUT_AXES]; /* on the scale of the plan's */
    bool is_weighed;                  /* are they other than the plan's? */
    pv_cut_prices prices;
    pv_cut_run run;
    uint64_t wishes;     /* answered, those of the session included */
    pv_session *session; /* NULL = kept nowhere */
};

/* An empty memory for schemes of the walk. */
PV_CHECKED pv_status pv_i_walk_begin(pv_walk *walk, pv_cut_run *run, pv_error *error);
/* Other weights, one per axis: prices, and what everything evaluated loses. */
void pv_i_walk_reprice(pv_walk *walk, const double *weights);

#endif
