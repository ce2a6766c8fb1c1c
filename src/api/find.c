/* Finding fronts for programs: the plan's word, carried into the search of the kind of scheme asked
 * for. The searches themselves know profiles, budgets in rows and measures; studies, plans and
 * texts end here. */
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "front/front.h"
#include "plan/plan.h"

#include <paravent/search.h>
#include <string.h>

/* "k, glm" */
static pv_status parse_objectives(const char *text, pv_measure_ref objectives[PV_MAX_OBJECTIVES],
                                  size_t *n, pv_error *error)
{
    for (*n = 0; text != NULL && *text != '\0'; ++*n) {
        char name[PV_MEASURE_TEXT_SIZE];
        const size_t length = strcspn(text, ",");
        if (*n == PV_MAX_OBJECTIVES) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT, "a front has up to %d objectives",
                             PV_MAX_OBJECTIVES);
        }
        if (length >= sizeof name) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT, "this is no name of a measure");
        }
        memcpy(name, text, length);
        name[length] = '\0';
        PV_TRY(pv_measure_parse(name + strspn(name, " "), &objectives[*n], error));
        text += length + (text[length] == ',');
    }
    return PV_STATUS_OK;
}

static pv_status find_levels(const pv_study *study, const pv_profile *profile,
                             const pv_find_options *asked, const pv_context *context,
                             pv_front **front, pv_error *error)
{
    const pv_plan *const plan = pv_study_plan(study);
    const pv_budget *const budget = asked->budget != NULL ? asked->budget : &plan->suppression;
    pv_measure_ref objectives[PV_MAX_OBJECTIVES];
    pv_constraint planned[PV_MAX_CONSTRAINTS];
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    size_t n_planned = 0;
    size_t n_demands = 0;
    PV_TRY(pv_plan_demands(plan, planned, &n_planned, error));
    for (size_t i = 0; i < n_planned;
         i++) { /* what is no rule for classes is left to the release */
        if (planned[i].ref.measure->rule != PV_RULE_NONE) {
            demands[n_demands++] = planned[i];
        }
    }
    pv_search_options options = {
        .demands = demands,
        .n_demands = n_demands,
        .method = asked->method,
        .suppression = {.budget = pv_budget_rows(budget, pv_profile_rows(profile)),
                        .target_k = plan->target_k,
                        .whole_budget = plan->whole_budget},
        .max_evaluations = asked->max_evaluations,
        .max_seconds = asked->max_seconds,
        .seed = asked->seed,
        .observe = asked->observe,
        .observe_ctx = asked->observe_ctx};
    PV_TRY(parse_objectives(asked->objectives, objectives, &options.n_objectives, error));
    options.objectives = options.n_objectives > 0 ? objectives : NULL;
    return pv_search(profile, &options, context, front, error);
}

static pv_status find_cuts(const pv_study *study, const pv_profile *profile,
                           const pv_find_options *asked, const pv_context *context,
                           pv_front **front, pv_error *error)
{
    const pv_cut_front_options options = {.least_k = pv_study_plan(study)->target_k,
                                          .evaluations = asked->max_evaluations,
                                          .prove = asked->max_seconds,
                                          .seed = asked->seed};
    if (asked->objectives != NULL || asked->method != NULL || asked->budget != NULL) {
        return pv_i_fail(
            error, PV_STATUS_ARGUMENT,
            "a front of cuts trades k for nwp, in its own way and without suppression");
    }
    if (asked->observe != NULL) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "only a search over levels tells of the schemes it evaluates");
    }
    return pv_search_cuts(profile, &options, context, front, error);
}

/* A scheme for every point. They borrow what the points have: nothing of them is freed but the
 * array. */
static pv_status make_schemes(pv_front *front, pv_error *error)
{
    front->schemes = PV_NEW_ZEROED(pv_scheme, front->n_points);
    if (front->schemes == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < front->n_points; i++) {
        pv_point *const point = &front->points[i];
        front->schemes[i] =
            (pv_scheme){.levels = point->levels, .n_levels = front->n_levels, .cuts = point->cuts};
        point->scheme = &front->schemes[i];
        if (point->cuts == NULL) {
            PV_TRY(pv_i_point_demands(front, i, &front->schemes[i].demands, error));
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_front_find(const pv_study *study, const pv_find_options *options, pv_front **front,
                        pv_error *error)
{
    pv_find_options asked;
    const pv_profile *profile = NULL;
    pv_front *found = NULL;
    PV_TRY(PV_TAKE_OPTIONS(asked, options, error));
    PV_TRY(pv_study_profile(study, &profile, error));
    const pv_context *const context =
        asked.context != NULL ? asked.context : pv_study_context(study);
    switch (asked.kind) {
    case PV_SCHEME_LEVELS:
        PV_TRY(find_levels(study, profile, &asked, context, &found, error));
        break;
    case PV_SCHEME_CUTS: PV_TRY(find_cuts(study, profile, &asked, context, &found, error)); break;
    case PV_SCHEME_RECORDS:
    default: return pv_i_fail(error, PV_STATUS_ARGUMENT, "fronts are of levels or of cuts");
    }
    found->profile = profile;
    const pv_status status = make_schemes(found, error);
    if (status != PV_STATUS_OK) {
        pv_front_free(found);
        return status;
    }
    *front = found;
    return PV_STATUS_OK;
}
