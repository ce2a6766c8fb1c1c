/* A scheme of any kind applied to the table of a study: from here on there are only levels, or
 * levels record by record, of a profile that fits them.
 *
 *     levels                the study and its profile as they are
 *     cuts                  levels of hierarchies made for them: a study of its own on the same
 * table records               the study as it is; where tuples are divided, a profile of their
 * parts */
#ifndef PV_CLASSES_APPLIED_H
#define PV_CLASSES_APPLIED_H

#include "classes/profile.h"
#include "scheme/scheme.h"

typedef struct pv_applied {
    const pv_study *study;
    const pv_profile *profile; /* of that study */
    const pv_scheme *scheme;   /* levels, or records of that profile */
    /* What was made for it; NULL = it is the caller's. */
    pv_study *own_study;
    pv_profile *own_profile;
    pv_scheme *own_scheme;
} pv_applied;

/* Study and scheme are borrowed. Close it even after a failure. */
PV_CHECKED pv_status pv_i_applied_open(pv_applied *applied, const pv_study *study,
                                       const pv_scheme *scheme, const pv_context *context,
                                       pv_error *error);
void pv_i_applied_close(pv_applied *applied);

#endif
