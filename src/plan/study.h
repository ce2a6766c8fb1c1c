/* What a study keeps for the rooms after it. */
#ifndef PV_PLAN_STUDY_H
#define PV_PLAN_STUDY_H

#include <paravent/plan.h>
#include <paravent/table.h>
#include <pthread.h>

/* The profile of a study is made once, when it is first asked for, by a room that this one does not
 * know: here it is only kept and freed. */
typedef struct pv_study_slot {
    pthread_mutex_t lock;
    void *profile; /* NULL = not made yet */
    void (*free_profile)(void *profile);
} pv_study_slot;

pv_study_slot *pv_i_study_slot(const pv_study *study);

/* Reads the data of a study as `reading` says. No table and PV_STATUS_OK: it was all that was
 * wanted to know how it would be read. */
typedef pv_status (*pv_study_reader)(void *ctx, const char *data, const pv_read_options *reading,
                                     const pv_context *context, pv_table **table, pv_error *error);

/* pv_study_open, but that somebody else reads; no study if there is no table. */
PV_CHECKED pv_status pv_i_study_open_by(pv_study_reader reader, void *ctx, const pv_plan *plan,
                                        const pv_study_options *options, const pv_context *context,
                                        pv_study **study, pv_error *error);

/* The study frees the plan it was made with. */
void pv_i_study_own_plan(pv_study *study, pv_plan *plan);

#endif
