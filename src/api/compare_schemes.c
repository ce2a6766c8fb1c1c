/* Comparing schemes of any kind before one of them is released: each becomes classes of the same
 * table. */
#include "base/error.h"
#include "classes/applied.h"
#include "plan/plan.h"

#include <paravent/compare.h>

/* Levels as the plan suppresses; of cuts nothing is suppressed. */
static pv_status add_scheme(pv_comparison *comparison, const pv_study *study,
                            const pv_scheme *scheme, const char *name, pv_error *error)
{
    const pv_context *const context = pv_study_context(study);
    const pv_suppression rule = {.budget = pv_study_budget(study),
                                 .target_k = pv_study_plan(study)->target_k,
                                 .whole_budget = pv_study_plan(study)->whole_budget};
    const pv_suppression none = {0};
    pv_applied applied = {0};
    pv_classes *classes = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(pv_i_applied_open(&applied, study, scheme, context, error));
    PV_TRY_CLEAN(
        applied.scheme->records != NULL
            ? pv_classes_create_records(applied.profile, applied.scheme->records, &classes, error)
            : pv_classes_create(applied.profile, applied.scheme->levels,
                                scheme->cuts != NULL ? &none : &rule, &classes, error));
    PV_TRY_CLEAN(pv_comparison_add(comparison, classes, name, context, error));
cleanup:
    pv_classes_free(classes);
    pv_i_applied_close(&applied);
    return status;
}

pv_status pv_compare_schemes(const pv_study *study, const pv_scheme *const *schemes,
                             const char *const *names, size_t n, pv_comparison **comparison,
                             pv_error *error)
{
    pv_comparison *made = NULL;
    PV_TRY(pv_comparison_begin(study, NULL, 0, &made, error));
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; i < n && status == PV_STATUS_OK; i++) {
        if (schemes[i] == NULL) {
            status = pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no scheme to compare");
        } else {
            status = add_scheme(made, study, schemes[i], names[i], error);
        }
    }
    if (status != PV_STATUS_OK) {
        pv_comparison_free(made);
        return status;
    }
    *comparison = made;
    return PV_STATUS_OK;
}
