/* One walk over classes for every measure that scores sensitive values. */
#include "measure/sensitive.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>

static double worse(pv_direction direction, double a, double b)
{
    return direction == PV_MORE_IS_BETTER ? fmin(a, b) : fmax(a, b);
}

static double best_possible(pv_direction direction)
{
    return direction == PV_MORE_IS_BETTER ? (double)INFINITY : (double)-INFINITY;
}

/* Worsens per_class[c] by the score of class c, and *suppressed by that of the suppressed rows. */
static pv_status score_attribute(const pv_scorer *scorer, const pv_classes *classes,
                                 size_t sensitive, double parameter, double *per_class,
                                 double *suppressed, pv_error *error)
{
    const pv_histogram *const histogram = &classes->profile->sensitive[sensitive];
    pv_tally tally = {0};
    void *state = NULL;
    pv_status status = PV_STATUS_OK;
    if (scorer->prepare != NULL) {
        PV_TRY(scorer->prepare(classes->profile, sensitive, &state, error));
    }
    PV_TRY_CLEAN(pv_i_tally_init(&tally, histogram, error));
    for (size_t c = 0; c < classes->n_classes; c++) {
        if (!pv_i_is_suppressed(classes, c)) {
            pv_i_tally_class(&tally, histogram, classes, c);
            per_class[c] =
                worse(scorer->direction, per_class[c], scorer->score(state, &tally, parameter));
        }
    }
    if (classes->n_suppressed > 0) {
        pv_i_tally_suppressed(&tally, histogram, classes);
        *suppressed =
            worse(scorer->direction, *suppressed, scorer->score(state, &tally, parameter));
    }
cleanup:
    pv_i_tally_deinit(&tally);
    if (scorer->discard != NULL) {
        scorer->discard(state);
    }
    return status;
}

static pv_status score_all(const pv_scorer *scorer, const pv_classes *classes, double parameter,
                           double *per_class, double *suppressed, pv_error *error)
{
    for (size_t c = 0; c < classes->n_classes; c++) {
        per_class[c] = best_possible(scorer->direction);
    }
    *suppressed = best_possible(scorer->direction);
    for (size_t i = 0; i < classes->profile->n_sensitive; i++) {
        PV_TRY(score_attribute(scorer, classes, i, parameter, per_class, suppressed, error));
    }
    return PV_STATUS_OK;
}

pv_status pv_i_worst_score(const pv_scorer *scorer, const pv_classes *classes, double parameter,
                           double *value, pv_error *error)
{
    double suppressed;
    double *const per_class = PV_NEW_ARRAY(double, classes->n_classes);
    if (per_class == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = score_all(scorer, classes, parameter, per_class, &suppressed, error);
    if (status == PV_STATUS_OK) {
        double worst = best_possible(scorer->direction);
        for (size_t c = 0; c < classes->n_classes; c++) {
            worst = worse(scorer->direction, worst, per_class[c]);
        }
        *value = worst;
    }
    pv_i_free(per_class);
    return status;
}

pv_status pv_i_scores(const pv_scorer *scorer, const pv_classes *classes, double parameter,
                      double *per_tuple, pv_error *error)
{
    double suppressed;
    double *const per_class = PV_NEW_ARRAY(double, classes->n_classes);
    if (per_class == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = score_all(scorer, classes, parameter, per_class, &suppressed, error);
    for (size_t t = 0; status == PV_STATUS_OK && t < classes->profile->n_tuples; t++) {
        const uint32_t c = classes->class_of[t];
        per_tuple[t] = pv_i_is_suppressed(classes, c) ? suppressed : per_class[c];
    }
    pv_i_free(per_class);
    return status;
}
