/* What a publisher's preferences and their answers consist of. */
#ifndef PV_PREFER_PREFERENCE_H
#define PV_PREFER_PREFERENCE_H

#include "base/arena.h"
#include "cuts/cut_search.h"

#include <paravent/prefer.h>

typedef struct pv_session pv_session;

struct pv_preference {
    pv_cut_search search;
    double weights[PV_MOST_CUT_AXES]; /* on the scale of the plan's */
    bool is_weighed;                  /* are they other than the plan's? */
    uint64_t wishes;                  /* answered, those of the session included */
    uint64_t glances;                 /* answered and noted nowhere */
    pv_session *session;              /* NULL = none is open */
};

struct pv_solution {
    pv_cuts *cuts;
    pv_aspiration point;
    uint64_t k, largest;
    double achievement, deviation;
    pv_efficiency efficiency;
};

struct pv_answer {
    pv_achievement goal;
    uint64_t k;
    pv_solution *solutions; /* the best, then the others; as many as pv_answer_n_solutions */
    size_t n_solutions;
    bool provable, proven, unreachable, stopped, is_first;
    double bound;
    uint64_t evaluated, nodes;
    double seconds;
};

struct pv_preference_log {
    pv_preference_entry *entries;
    size_t n_entries, capacity;
    const char *bias, *loss; /* names of the registry */
    pv_arena texts;          /* of the entries */
};

/* An empty memory for schemes. */
PV_CHECKED pv_status pv_i_preference_init_run(pv_preference *preference, pv_cut_run *run,
                                              pv_error *error);
/* Other weights, one per axis: prices, and what everything evaluated loses. */
void pv_i_preference_reprice(pv_preference *preference, const double *weights);

/* Searches minimise the larger of the loss and of a bias in units of loss: the achievement, divided
 * by the weight of the loss and moved. */
pv_cut_goal pv_i_achievement_goal(const pv_achievement *achievement, uint64_t k);
/* Back from the value of a goal, in nwp, to the achievement. */
double pv_i_achievement_of(const pv_achievement *achievement, double value);

#endif
