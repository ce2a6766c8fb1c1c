/* Comparing schemes of any kind before one of them is released: each becomes classes of the same
 * table. */
#include "base/error.h"
#include "classes/profile.h"
#include "plan/plan.h"
#include "scheme/scheme.h"

#include <paravent/compare.h>

static pv_status add_classes(pv_comparison *comparison, const pv_study *study,
                             const pv_profile *profile, const pv_scheme *scheme, const char *name,
                             pv_error *error)
{
    const pv_suppression rule = {.budget = pv_study_budget(study),
                                 .target_k = pv_study_plan(study)->target_k,
                                 .whole_budget = pv_study_plan(study)->whole_budget};
    pv_profile *divided = NULL; /* if tuples are */
    pv_classes *classes = NULL;
    pv_status status = PV_STATUS_OK;
    if (scheme->part_tuple != NULL) {
        PV_TRY(pv_i_profile_divide(profile, scheme->part_tuple, scheme->part_rows, scheme->n_parts,
                                   &divided, error));
    }
    PV_TRY_CLEAN(scheme->records != NULL
                     ? pv_classes_create_records(divided != NULL ? divided : profile,
                                                 scheme->records, &classes, error)
                     : pv_classes_create(profile, scheme->levels, &rule, &classes, error));
    PV_TRY_CLEAN(pv_comparison_add(comparison, classes, name, pv_study_context(study), error));
cleanup:
    pv_classes_free(classes);
    pv_profile_free(divided);
    return status;
}

/* Cuts are levels of hierarchies made for them, and nothing is suppressed. */
static pv_status add_cuts(pv_comparison *comparison, const pv_study *study, const pv_cuts *cuts,
                          const char *name, pv_error *error)
{
    const pv_profile *profile = NULL;
    pv_study *cut = NULL;
    pv_scheme *levels = NULL;
    pv_classes *classes = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(pv_study_cut(study, cuts, &cut, error));
    PV_TRY_CLEAN(pv_study_profile(cut, &profile, error));
    PV_TRY_CLEAN(pv_scheme_from_plan(cut, &levels, error));
    PV_TRY_CLEAN(pv_classes_create(profile, levels->levels, &(pv_suppression){0}, &classes, error));
    PV_TRY_CLEAN(pv_comparison_add(comparison, classes, name, pv_study_context(study), error));
cleanup:
    pv_classes_free(classes);
    pv_scheme_free(levels);
    pv_study_free(cut);
    return status;
}

pv_status pv_compare_schemes(const pv_study *study, const pv_scheme *const *schemes,
                             const char *const *names, size_t n, pv_comparison **comparison,
                             pv_error *error)
{
    const pv_profile *profile = NULL;
    pv_comparison *made = NULL;
    PV_TRY(pv_study_profile(study, &profile, error));
    PV_TRY(pv_comparison_begin(study, NULL, 0, &made, error));
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; i < n && status == PV_STATUS_OK; i++) {
        if (schemes[i] == NULL) {
            status = pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no scheme to compare");
        } else {
            status = schemes[i]->cuts != NULL
                         ? add_cuts(made, study, schemes[i]->cuts, names[i], error)
                         : add_classes(made, study, profile, schemes[i], names[i], error);
        }
    }
    if (status != PV_STATUS_OK) {
        pv_comparison_free(made);
        return status;
    }
    *comparison = made;
    return PV_STATUS_OK;
}
