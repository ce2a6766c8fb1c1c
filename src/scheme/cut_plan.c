/* A cut scheme as a plan: for every quasi-identifier a hierarchy whose one level between the values
 * and `*` are its groups, and the level that releases them. */
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy_spec.h"
#include "plan/plan_parts.h"
#include "plan/spelling.h"
#include "plan/study.h"
#include "scheme/cut_labels.h"
#include "scheme/cuts.h"
#include "table/value.h"

#include <string.h>

/* ------------------------------------------------------------------- groups */

/* The missing value has no row: where it belongs is said apart. */
static pv_status add_rows(const pv_cuts_group *group, const char *label, const char *missing,
                          pv_hierarchy_spec *spec, size_t *capacity, pv_error *error)
{
    for (size_t i = 0; i < group->n_values; i++) {
        const char *const cells[] = {group->values[i], label};
        if (missing == NULL || strcmp(cells[0], missing) != 0) {
            PV_TRY(pv_i_hierarchy_spec_add_row(spec, capacity, cells, 2, 0, error));
        }
    }
    return PV_STATUS_OK;
}

static pv_status fill_rows(const pv_cuts_attribute *attribute, const pv_cut_labels *labels,
                           pv_hierarchy_spec *spec, pv_error *error)
{
    size_t capacity = 0;
    spec->kind = PV_HIERARCHY_ROWS;
    for (size_t g = 0; g < attribute->n_groups; g++) {
        PV_TRY(add_rows(&attribute->groups[g], labels->texts[g], labels->missing, spec, &capacity,
                        error));
    }
    if (labels->missing_group == SIZE_MAX) {
        return PV_STATUS_OK;
    }
    spec->missing_group = pv_i_strdup(labels->texts[labels->missing_group]);
    return spec->missing_group != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* Is there a group for every value? */
static pv_status check_places(const pv_cuts *cuts, const pv_cuts_attribute *attribute,
                              const pv_study *study, size_t quasi, pv_error *error)
{
    const uint32_t n = pv_hierarchy_leaves(pv_study_hierarchy(study, quasi));
    uint32_t *const group_of = PV_NEW_ARRAY(uint32_t, n);
    if (group_of == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = pv_i_cuts_place(cuts, attribute, study, quasi, group_of, error);
    pv_i_free(group_of);
    return status;
}

static pv_status make_groups(const pv_cuts *cuts, const pv_cuts_attribute *attribute,
                             const pv_study *study, size_t quasi, pv_hierarchy_spec *spec,
                             pv_error *error)
{
    pv_cut_labels labels = {0};
    PV_TRY(check_places(cuts, attribute, study, quasi, error));
    pv_status status = pv_i_cut_labels_init(&labels, attribute, study, quasi, error);
    if (status == PV_STATUS_OK) {
        status = fill_rows(attribute, &labels, spec, error);
    }
    pv_i_cut_labels_deinit(&labels);
    return status;
}

/* ------------------------------------------------------------------- breaks */

static pv_status make_breaks(const pv_cuts *cuts, const pv_cuts_attribute *attribute,
                             pv_decimal granularity, pv_hierarchy_spec *spec, pv_error *error)
{
    spec->kind = PV_HIERARCHY_BREAKS;
    spec->breaks = PV_NEW_ARRAY(pv_decimal, attribute->n_breaks);
    if (spec->breaks == NULL) {
        return pv_i_no_memory(error);
    }
    if (attribute->n_breaks > 0) {
        memcpy(spec->breaks, attribute->breaks, attribute->n_breaks * sizeof *spec->breaks);
    }
    spec->n_breaks = attribute->n_breaks;
    spec->granularity = granularity;
    spec->missing_last = attribute->missing_last;
    return pv_i_place_error(pv_i_hierarchy_spec_check(spec, error), cuts->path, attribute->line,
                            attribute->column, error);
}

/* ---------------------------------------------------------------------- top */

static bool has_only_numbers(const pv_table *table, size_t column)
{
    const pv_type type = pv_table_type(table, column);
    for (uint32_t code = 0; code < pv_table_values(table, column); code++) {
        const char *const text = pv_table_value(table, column, code);
        pv_decimal unused;
        if (code != pv_table_missing(table, column) &&
            !pv_i_number_parse(text, strlen(text), pv_table_format(table, column), &unused)) {
            return false;
        }
    }
    return type == PV_TYPE_INTEGER || type == PV_TYPE_DECIMAL;
}

/* Numbers are counted as in all cut schemes, so that what is lost is the same; others are the
 * value, then `*`. */
static void make_top(const pv_study *study, size_t quasi, pv_hierarchy_spec *spec)
{
    if (has_only_numbers(pv_study_table(study), pv_study_quasi_column(study, quasi))) {
        spec->kind = PV_HIERARCHY_BREAKS;
        spec->granularity = pv_study_quasi_attribute(study, quasi)->granularity;
    }
}

/* --------------------------------------------------------------- attributes */

static pv_status make_spec(const pv_cuts *cuts, const pv_cuts_attribute *attribute,
                           const pv_study *study, size_t quasi, pv_hierarchy_spec *spec,
                           pv_error *error)
{
    switch (attribute->kind) {
    case PV_CUTS_BREAKS:
        return make_breaks(cuts, attribute, pv_study_quasi_attribute(study, quasi)->granularity,
                           spec, error);
    case PV_CUTS_GROUPS: return make_groups(cuts, attribute, study, quasi, spec, error);
    default: make_top(study, quasi, spec); return PV_STATUS_OK;
    }
}

static pv_status cut_attribute(const pv_cuts *cuts, const pv_study *study, size_t quasi,
                               pv_plan_attribute *target, pv_error *error)
{
    const pv_cuts_attribute *attribute = NULL;
    pv_hierarchy_spec spec = {0};
    PV_TRY(pv_i_cuts_find(cuts, target->name, &attribute, error));
    target->level = 0;
    if (attribute->kind == PV_CUTS_RAW) {
        target->hierarchy.count_all_leaves = false; /* the values that occur, as everywhere */
        return PV_STATUS_OK;
    }
    const pv_status status = make_spec(cuts, attribute, study, quasi, &spec, error);
    if (status != PV_STATUS_OK) {
        pv_hierarchy_spec_free(&spec);
        return status;
    }
    pv_hierarchy_spec_free(&target->hierarchy);
    target->hierarchy = spec;
    target->has_hierarchy = true;
    target->level = attribute->kind == PV_CUTS_TOP && spec.kind == PV_HIERARCHY_BREAKS ? 2 : 1;
    return PV_STATUS_OK;
}

static pv_plan_attribute *find_attribute(const pv_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_attributes; i++) {
        if (strcmp(plan->attributes[i].name, name) == 0) {
            return &plan->attributes[i];
        }
    }
    return NULL;
}

/* Cuts of something else are a mistake that would otherwise go unseen. */
static pv_status check_names(const pv_cuts *cuts, const pv_plan *plan, pv_error *error)
{
    for (size_t i = 0; i < cuts->n_attributes; i++) {
        const pv_cuts_attribute *const attribute = &cuts->attributes[i];
        const pv_plan_attribute *const named = find_attribute(plan, attribute->name);
        pv_suggestion suggestion = {.word = attribute->name};
        if (named != NULL && named->role == PV_ROLE_QUASI) {
            continue;
        }
        for (size_t j = 0; j < plan->n_attributes; j++) {
            if (plan->attributes[j].role == PV_ROLE_QUASI) {
                pv_i_suggest(&suggestion, plan->attributes[j].name);
            }
        }
        const pv_status status = pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(cuts->path, attribute),
                                              "`%s` is no quasi-identifier of the plan",
                                              pv_i_shown(attribute->name).text);
        return suggestion.best != NULL
                   ? pv_i_hint(status, error, "did you mean `%s`?", suggestion.best)
                   : pv_i_hint(status, error, "remove its cuts");
    }
    return PV_STATUS_OK;
}

pv_status pv_plan_with_cuts(const pv_study *study, const pv_cuts *cuts, pv_plan **cut_plan,
                            pv_error *error)
{
    pv_plan *made = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY(check_names(cuts, pv_study_plan(study), error));
    PV_TRY(pv_i_plan_copy(pv_study_plan(study), &made, error));
    for (size_t i = 0; i < pv_study_quasis(study); i++) {
        pv_plan_attribute *const target = find_attribute(made, pv_study_quasi_name(study, i));
        PV_TRY_CLEAN(cut_attribute(cuts, study, i, target, error));
    }
    *cut_plan = made;
    return PV_STATUS_OK;
cleanup:
    pv_plan_free(made);
    return status;
}

pv_status pv_study_cut(const pv_study *study, const pv_cuts *cuts, pv_study **cut, pv_error *error)
{
    pv_plan *plan = NULL;
    pv_study *made = NULL;
    PV_TRY(pv_plan_with_cuts(study, cuts, &plan, error));
    const pv_status status = pv_study_rebind(study, plan, &made, error);
    if (status != PV_STATUS_OK) {
        pv_plan_free(plan);
        return status;
    }
    pv_i_study_own_plan(made, plan);
    *cut = made;
    return PV_STATUS_OK;
}
