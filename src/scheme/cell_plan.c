/* The plan of a table of which single cells are suppressed: every quasi-identifier has its values
 * and `*`, and nothing between. Local recoding of that is cell suppression. */
#include "base/error.h"
#include "plan/plan.h"

#include <paravent/hierarchy.h>
#include <paravent/scheme.h>
#include <string.h>

/* A level that is fixed or a limit that is below `*` means "as it is"; one between cannot be kept.
 */
static pv_status make_cells(pv_plan_attribute *attribute, const pv_study *study, size_t q,
                            const char *file, pv_error *error)
{
    const int height = (int)pv_hierarchy_height(pv_study_hierarchy(study, q));
    if (attribute->level > 0 && attribute->level < height) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_ARGUMENT, file, attribute->line,
                                      attribute->column,
                                      "level %d of '%s' is a group, and cells have none",
                                      attribute->level, attribute->name),
                         error, "fix level 0 or the last one, or none");
    }
    attribute->level = attribute->level > 0 ? 1 : attribute->level;
    attribute->max_level = attribute->max_level >= 0 && attribute->max_level < height ? 0 : -1;
    pv_hierarchy_spec_free(&attribute->hierarchy);
    attribute->hierarchy = (pv_hierarchy_spec){.kind = PV_HIERARCHY_SUPPRESS};
    attribute->has_hierarchy = true;
    return PV_STATUS_OK;
}

pv_status pv_plan_with_cells(const pv_study *study, pv_plan **cell_plan, pv_error *error)
{
    pv_plan *made = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY(pv_i_plan_copy(pv_study_plan(study), &made, error));
    for (size_t q = 0; q < pv_study_quasis(study) && status == PV_STATUS_OK; q++) {
        for (size_t i = 0; i < made->n_attributes; i++) {
            if (strcmp(made->attributes[i].name, pv_study_quasi_name(study, q)) == 0) {
                status = make_cells(&made->attributes[i], study, q, made->path, error);
            }
        }
    }
    if (status != PV_STATUS_OK) {
        pv_plan_free(made);
        return status;
    }
    *cell_plan = made;
    return PV_STATUS_OK;
}
