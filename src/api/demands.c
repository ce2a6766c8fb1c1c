/* Wishes and disclosures for programs: what the plan demands goes with every call. */
#include "base/error.h"
#include "base/options.h"

#include <paravent/disclose.h>
#include <paravent/prefer.h>

pv_status pv_prefer_find(const pv_study *study, pv_aspiration wish,
                         const pv_preference_options *options, pv_answer **answer, pv_error *error)
{
    pv_preference_options asked;
    pv_constraint planned[PV_MAX_CONSTRAINTS];
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    const pv_profile *profile = NULL;
    pv_preference *preference = NULL;
    size_t n_planned = 0;
    size_t n = 0;
    PV_TRY(PV_TAKE_OPTIONS(asked, options, error));
    PV_TRY(pv_study_profile(study, &profile, error));
    PV_TRY(pv_plan_demands(pv_study_plan(study), planned, &n_planned, error));
    for (size_t i = 0; i < n_planned; i++) {
        PV_TRY(pv_constraints_add(demands, &n, &planned[i], error));
    }
    for (size_t i = 0; i < asked.n_demands; i++) {
        PV_TRY(pv_constraints_add(demands, &n, &asked.demands[i], error));
    }
    asked.demands = demands; /* a k among them counts, too: the larger one holds */
    asked.n_demands = n;
    PV_TRY(pv_preference_create(profile, &asked, &preference, error));
    const pv_status status =
        pv_preference_aspire(preference, wish, pv_study_context(study), answer, error);
    pv_preference_free(preference);
    return status;
}

pv_status pv_disclose_find(const pv_study *study, const pv_disclose_options *options,
                           pv_disclosure **disclosure, pv_scheme **scheme, pv_error *error)
{
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    const pv_profile *profile = NULL;
    pv_disclosure *found = NULL;
    size_t n = 0;
    const pv_context *const context = pv_study_context(study);
    PV_TRY(pv_study_profile(study, &profile, error));
    PV_TRY(pv_plan_demands(pv_study_plan(study), demands, &n, error));
    PV_TRY(pv_disclose(profile, options, context, &found, error));
    const pv_status status = pv_disclosure_scheme(
        found, profile, demands, n, pv_study_budget(study), context, scheme, NULL, error);
    if (status != PV_STATUS_OK) {
        pv_disclosure_free(found);
        return status;
    }
    *disclosure = found;
    return PV_STATUS_OK;
}
