/* What a study keeps for the rooms after it. */
#ifndef PV_PLAN_STUDY_H
#define PV_PLAN_STUDY_H

#include <paravent/plan.h>
#include <pthread.h>

/* The profile of a study is made once, when it is first asked for, by a room that this one does not
 * know: here it is only kept and freed. */
typedef struct pv_study_slot {
    pthread_mutex_t lock;
    void *profile; /* NULL = not made yet */
    void (*free_profile)(void *profile);
} pv_study_slot;

pv_study_slot *pv_i_study_slot(const pv_study *study);

/* The study frees the plan it was made with. */
void pv_i_study_own_plan(pv_study *study, pv_plan *plan);

#endif
