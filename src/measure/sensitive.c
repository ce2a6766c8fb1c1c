/* One walk over classes for every measure that scores sensitive values. */
#include "measure/sensitive.h"

#include "base/error.h"
#include "base/memory.h"
#include "measure/entry.h"

#include <math.h>

typedef struct {
    const pv_histogram *histogram;
    void *ground; /* the scorer's */
    pv_tally tally;
} scored_attribute;

typedef struct {
    const pv_scorer *scorer;
    scored_attribute *attributes; /* one per sensitive attribute */
    size_t n_attributes;
} score_state;

static double worse(pv_direction direction, double a, double b)
{
    return direction == PV_MORE_IS_BETTER ? fmin(a, b) : fmax(a, b);
}

static double best_possible(pv_direction direction)
{
    return direction == PV_MORE_IS_BETTER ? (double)INFINITY : (double)-INFINITY;
}

static pv_status prepare_attribute(scored_attribute *attribute, const pv_scorer *scorer,
                                   const pv_profile *profile, size_t sensitive, pv_error *error)
{
    attribute->histogram = &profile->sensitive[sensitive];
    PV_TRY(pv_i_tally_init(&attribute->tally, attribute->histogram, error));
    return scorer->prepare != NULL ? scorer->prepare(profile, sensitive, &attribute->ground, error)
                                   : PV_STATUS_OK;
}

void pv_i_discard_scores(void *state)
{
    score_state *const s = state;
    if (s == NULL) {
        return;
    }
    for (size_t i = 0; s->attributes != NULL && i < s->n_attributes; i++) {
        pv_i_tally_deinit(&s->attributes[i].tally);
        if (s->scorer->discard != NULL) {
            s->scorer->discard(s->attributes[i].ground);
        }
    }
    pv_i_free(s->attributes);
    pv_i_free(s);
}

pv_status pv_i_prepare_scores(const pv_scorer *scorer, const pv_profile *profile, void **state,
                              pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    score_state *const s = PV_NEW(score_state);
    if (s == NULL) {
        return pv_i_no_memory(error);
    }
    s->scorer = scorer;
    s->n_attributes = profile->n_sensitive;
    s->attributes = PV_NEW_ZEROED(scored_attribute, s->n_attributes);
    if (s->attributes == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    for (size_t i = 0; i < s->n_attributes; i++) {
        PV_TRY_CLEAN(prepare_attribute(&s->attributes[i], scorer, profile, i, error));
    }
    *state = s;
    return PV_STATUS_OK;
cleanup:
    pv_i_discard_scores(s);
    return status;
}

double pv_i_score_tally(void *state, size_t sensitive, const pv_tally *tally, double parameter)
{
    score_state *const s = state;
    return s->scorer->score(s->attributes[sensitive].ground, tally, parameter);
}

/* The worst score of one class over all sensitive attributes. */
static double score_class(score_state *s, const pv_classes *classes, size_t c, double parameter)
{
    double worst = best_possible(s->scorer->direction);
    for (size_t i = 0; i < s->n_attributes; i++) {
        scored_attribute *const a = &s->attributes[i];
        pv_i_tally_class(&a->tally, a->histogram, classes, c);
        worst =
            worse(s->scorer->direction, worst, s->scorer->score(a->ground, &a->tally, parameter));
    }
    return worst;
}

static double score_suppressed(score_state *s, const pv_classes *classes, double parameter)
{
    double worst = best_possible(s->scorer->direction);
    for (size_t i = 0; i < s->n_attributes; i++) {
        scored_attribute *const a = &s->attributes[i];
        pv_i_tally_suppressed(&a->tally, a->histogram, classes);
        worst =
            worse(s->scorer->direction, worst, s->scorer->score(a->ground, &a->tally, parameter));
    }
    return worst;
}

pv_status pv_i_value_score(void *state, const pv_classes *classes, double parameter, double *value,
                           pv_error *error)
{
    (void)error;
    score_state *const s = state;
    double worst = best_possible(s->scorer->direction);
    for (size_t c = 0; c < classes->n_classes; c++) {
        if (!pv_i_is_suppressed(classes, c)) {
            worst = worse(s->scorer->direction, worst, score_class(s, classes, c, parameter));
        }
    }
    *value = worst;
    return PV_STATUS_OK;
}

/* The worst score of the remaining classes in one sensitive attribute. */
static double score_attribute(score_state *s, size_t attribute, const pv_classes *classes,
                              double parameter)
{
    scored_attribute *const a = &s->attributes[attribute];
    double worst = best_possible(s->scorer->direction);
    for (size_t c = 0; c < classes->n_classes; c++) {
        if (!pv_i_is_suppressed(classes, c)) {
            pv_i_tally_class(&a->tally, a->histogram, classes, c);
            worst = worse(s->scorer->direction, worst,
                          s->scorer->score(a->ground, &a->tally, parameter));
        }
    }
    return worst;
}

size_t pv_i_worst_sensitive(void *state, const pv_classes *classes, double parameter)
{
    score_state *const s = state;
    size_t worst = 0;
    double score = score_attribute(s, 0, classes, parameter);
    for (size_t i = 1; i < s->n_attributes; i++) {
        const double other = score_attribute(s, i, classes, parameter);
        if (s->scorer->direction == PV_MORE_IS_BETTER ? other < score : other > score) {
            worst = i;
            score = other;
        }
    }
    return worst;
}

pv_status pv_i_tuples_score(void *state, const pv_classes *classes, double parameter,
                            double *per_tuple, pv_error *error)
{
    (void)error;
    score_state *const s = state;
    const double lost = classes->n_lost > 0 ? score_suppressed(s, classes, parameter) : (double)NAN;
    for (size_t c = 0; c < classes->n_classes; c++) {
        const double score =
            pv_i_is_suppressed(classes, c) ? lost : score_class(s, classes, c, parameter);
        for (uint32_t m = classes->member_start[c]; m < classes->member_start[c + 1]; m++) {
            per_tuple[classes->member[m]] = score;
        }
    }
    return PV_STATUS_OK;
}
