/* Measures that score the sensitive values of a class: one walk over classes, many scores. */
#ifndef PV_MEASURE_SENSITIVE_H
#define PV_MEASURE_SENSITIVE_H

#include "classes/grouping.h"

#include <paravent/measure.h>

/* Scores one class. `ground` is what prepare made for the sensitive attribute. */
typedef double (*pv_score_fn)(void *ground, const pv_tally *tally, double parameter);

typedef struct pv_scorer {
    pv_direction direction; /* which score is the worst */
    pv_score_fn score;
    /* Optional: whatever the score needs to know of a sensitive attribute. */
    pv_status (*prepare)(const pv_profile *profile, size_t sensitive, void **ground,
                         pv_error *error);
    void (*discard)(void *ground); /* NULL is fine */
} pv_scorer;

/* The state of a measure that takes the worst score over all sensitive attributes;
 * pv_i_value_score, pv_i_tuples_score and pv_i_discard_scores work on it. */
PV_CHECKED pv_status pv_i_prepare_scores(const pv_scorer *scorer, const pv_profile *profile,
                                         void **state, pv_error *error);

/* The first sensitive attribute with the worst score. */
size_t pv_i_worst_sensitive(void *state, const pv_classes *classes, double parameter);

/* For who counts values without classes: the score of a tally of one sensitive attribute. */
double pv_i_score_tally(void *state, size_t sensitive, const pv_tally *tally, double parameter);

#endif
