/* A deep copy of a plan, for whoever wants another one that differs a little. */
#include "plan/plan_parts.h"

#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy_spec.h"

/* NULL for NULL; *fine turns false when memory runs out. */
static char *copy_text(const char *text, bool *fine)
{
    char *const copy = text != NULL ? pv_i_strdup(text) : NULL;
    *fine = *fine && (text == NULL || copy != NULL);
    return copy;
}

static char **copy_texts(char *const *texts, bool *fine)
{
    size_t n = 0;
    while (texts != NULL && texts[n] != NULL) {
        n++;
    }
    char **const copies = texts != NULL ? PV_NEW_ZEROED(char *, n + 1) : NULL;
    *fine = *fine && (texts == NULL || copies != NULL);
    for (size_t i = 0; i < n && *fine; i++) {
        copies[i] = copy_text(texts[i], fine);
    }
    return copies;
}

static pv_plan_require *copy_bounds(const pv_plan_require *bounds, size_t n, size_t *n_copied,
                                    bool *fine)
{
    pv_plan_require *const copies = bounds != NULL ? PV_NEW_ZEROED(pv_plan_require, n) : NULL;
    *fine = *fine && (bounds == NULL || copies != NULL);
    for (size_t i = 0; i < n && *fine; i++) {
        copies[i] = bounds[i];
        copies[i].name = copy_text(bounds[i].name, fine);
        copies[i].value = copy_text(bounds[i].value, fine);
        *n_copied = i + 1;
    }
    return copies;
}

static pv_status copy_attribute(const pv_plan_attribute *attribute, pv_plan_attribute *copy,
                                pv_error *error)
{
    bool fine = true;
    *copy = *attribute;
    copy->hierarchy = (pv_hierarchy_spec){0};
    copy->sensitivity = (pv_plan_sensitivity){0};
    copy->missing = copy_texts(attribute->missing, &fine);
    copy->name = copy_text(attribute->name, &fine);
    if (!fine) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_hierarchy_spec_copy(&attribute->hierarchy, &copy->hierarchy, error));
    return pv_i_plan_sensitivity_copy(&attribute->sensitivity, &copy->sensitivity, error);
}

static pv_status copy_attributes(const pv_plan *plan, pv_plan *copy, pv_error *error)
{
    copy->attributes = PV_NEW_ZEROED(pv_plan_attribute, plan->n_attributes);
    if (copy->attributes == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < plan->n_attributes; i++) {
        copy->n_attributes = i + 1;
        PV_TRY(copy_attribute(&plan->attributes[i], &copy->attributes[i], error));
    }
    return PV_STATUS_OK;
}

/* Everything but the attributes. */
static bool copy_whole(const pv_plan *plan, pv_plan *copy)
{
    bool fine = true;
    *copy = (pv_plan){.suppression = plan->suppression,
                      .target_k = plan->target_k,
                      .delimiter = plan->delimiter,
                      .quoting = plan->quoting,
                      .header = plan->header,
                      .keep_blanks = plan->keep_blanks,
                      .decimal = plan->decimal,
                      .keep_others = plan->keep_others};
    copy->path = copy_text(plan->path, &fine);
    copy->data = copy_text(plan->data, &fine);
    copy->missing = copy_texts(plan->missing, &fine);
    copy->require = copy_bounds(plan->require, plan->n_require, &copy->n_require, &fine);
    copy->promises = copy_bounds(plan->promises, plan->n_promises, &copy->n_promises, &fine);
    return pv_i_plan_combinations_copy(plan->combinations, plan->n_combinations,
                                       &copy->combinations, &copy->n_combinations) &&
           fine;
}

pv_status pv_i_plan_copy(const pv_plan *plan, pv_plan **copy, pv_error *error)
{
    pv_plan *const made = PV_NEW(pv_plan);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status =
        copy_whole(plan, made) ? copy_attributes(plan, made, error) : pv_i_no_memory(error);
    if (status != PV_STATUS_OK) {
        pv_plan_free(made);
        return status;
    }
    *copy = made;
    return PV_STATUS_OK;
}
