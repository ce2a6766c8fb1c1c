/* What a walk consists of. */
#ifndef PV_PREFER_WALK_H
#define PV_PREFER_WALK_H

#include "search/cut_run.h"

#include <paravent/prefer.h>

typedef struct pv_session pv_session;

struct pv_walk {
    const pv_profile *profile;
    pv_walk_options options; /* with all defaults filled in */
    pv_cut_space space;
    pv_cut_table table;
    pv_cut_prices prices;
    pv_cut_run run;
    uint64_t wishes;     /* answered, those of the session included */
    pv_session *session; /* NULL = kept nowhere */
};

#endif
