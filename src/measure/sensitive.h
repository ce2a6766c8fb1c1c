/* Measures that score the sensitive values of a class: one walk over classes, many scores. */
#ifndef PV_MEASURE_SENSITIVE_H
#define PV_MEASURE_SENSITIVE_H

#include "classes/grouping.h"

#include <paravent/measure.h>

/* Scores one class. `state` is what prepare made for the sensitive attribute. */
typedef double (*pv_score_fn)(const void *state, const pv_tally *tally, double parameter);

typedef struct pv_scorer {
    pv_direction direction; /* which score is the worst */
    pv_score_fn score;
    /* Optional: whatever the score needs to know of a sensitive attribute. */
    pv_status (*prepare)(const pv_profile *profile, size_t sensitive, void **state,
                         pv_error *error);
    void (*discard)(void *state);
} pv_scorer;

/* The worst score of the remaining classes over all sensitive attributes. */
PV_CHECKED pv_status pv_i_worst_score(const pv_scorer *scorer, const pv_classes *classes,
                                      double parameter, double *value, pv_error *error);
/* For each tuple the worst score of its class over all sensitive attributes. */
PV_CHECKED pv_status pv_i_scores(const pv_scorer *scorer, const pv_classes *classes,
                                 double parameter, double *per_tuple, pv_error *error);

#endif
