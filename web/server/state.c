/* What the page is told of a snapshot. */
#include "server/state.h"

#include "core/json.h"
#include "core/text.h"

#include <stdio.h>

/* ------------------------------------------------------------------- study */

/* "1%", "0.5%", "300". */
static json_t *budget_json(const pv_budget *budget)
{
    char text[64];
    if (budget->is_share) {
        (void)snprintf(text, sizeof text, "%.12g%%", pv_decimal_double(budget->share) * 100.0);
    } else {
        (void)snprintf(text, sizeof text, "%llu", (unsigned long long)budget->rows);
    }
    return cli_json_text(text);
}

/* The highest level that a search may use; null = the top. */
static json_t *max_level_json(const pv_study *study, size_t quasi)
{
    const unsigned height = pv_hierarchy_height(pv_study_hierarchy(study, quasi));
    unsigned level = height;
    while (level > 0 && !pv_study_allows(study, quasi, level)) {
        level--;
    }
    const int chosen = pv_attribute_level(pv_study_quasi_attribute(study, quasi));
    return level < height && chosen < 0 ? cli_json_count(level) : json_null();
}

/* How many groups there are at level 0, 1, ... */
static json_t *groups_json(const pv_hierarchy *hierarchy)
{
    json_t *const list = json_array();
    for (unsigned level = 0; level <= pv_hierarchy_height(hierarchy); level++) {
        cli_json_append(list, cli_json_count(pv_hierarchy_groups(hierarchy, level)));
    }
    return list;
}

static json_t *quasi_json(const pv_study *study, size_t quasi)
{
    const pv_table *const table = pv_study_table(study);
    const pv_plan_attribute *const attribute = pv_study_quasi_attribute(study, quasi);
    const size_t column = pv_study_quasi_column(study, quasi);
    const int level = pv_attribute_level(attribute);
    json_t *const object = json_object();
    cli_json_set(object, "name", cli_json_text(pv_study_quasi_name(study, quasi)));
    cli_json_set(object, "height",
                 cli_json_count(pv_hierarchy_height(pv_study_hierarchy(study, quasi))));
    cli_json_set(object, "weight", cli_json_number(pv_attribute_weight(attribute)));
    cli_json_set(object, "level", level >= 0 ? cli_json_count((uint64_t)level) : json_null());
    cli_json_set(object, "max_level", max_level_json(study, quasi));
    cli_json_set(object, "type", cli_json_text(pv_type_name(pv_table_type(table, column))));
    cli_json_set(object, "values", cli_json_count(pv_table_values(table, column)));
    cli_json_set(object, "groups", groups_json(pv_study_hierarchy(study, quasi)));
    return object;
}

static json_t *demands_json(const pv_plan *plan)
{
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    char text[PV_MEASURE_TEXT_SIZE];
    size_t n = 0;
    json_t *const list = json_array();
    if (pv_plan_demands(plan, demands, &n, NULL) != PV_STATUS_OK) {
        n = 0; /* what is wrong with them, every search says */
    }
    for (size_t i = 0; i < n; i++) {
        const pv_measure_ref *const ref = &demands[i].ref;
        json_t *const object = json_object();
        pv_constraint_text(&demands[i], text, sizeof text);
        cli_json_set(object, "constraint", cli_json_text(text));
        cli_json_set(object, "measure", cli_json_text(ref->measure->name));
        cli_json_set(object, "bound", cli_json_number(demands[i].bound));
        cli_json_set(object, "column",
                     ref->column[0] != '\0' ? cli_json_text(ref->column) : json_null());
        cli_json_append(list, object);
    }
    return list;
}

void web_study_json(json_t *object, const web_snapshot *snapshot)
{
    const pv_study *const study = snapshot->opened.study;
    const pv_table *const table = pv_study_table(study);
    const pv_budget budget = pv_plan_budget(snapshot->opened.plan);
    const size_t label = pv_study_label_column(study);
    json_t *const quasi = json_array();
    json_t *const sensitive = json_array();
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        cli_json_append(quasi, quasi_json(study, q));
    }
    for (size_t s = 0; s < pv_study_sensitives(study); s++) {
        cli_json_append(sensitive,
                        cli_json_text(pv_table_name(table, pv_study_sensitive_column(study, s))));
    }
    cli_json_set(object, "data", cli_json_text(cli_path_name(pv_table_source(table))));
    cli_json_set(object, "rows", cli_json_count(pv_table_rows(table)));
    cli_json_set(object, "distinct", cli_json_count(pv_profile_tuples(snapshot->opened.profile)));
    cli_json_set(object, "budget", cli_json_count(pv_study_budget(study)));
    cli_json_set(object, "suppression", budget_json(&budget));
    cli_json_set(object, "quasi", quasi);
    cli_json_set(object, "sensitive", sensitive);
    cli_json_set(object, "label",
                 label != SIZE_MAX ? cli_json_text(pv_table_name(table, label)) : json_null());
    cli_json_set(object, "demands", demands_json(snapshot->opened.plan));
}

/* --------------------------------------------------------------- registries */

json_t *web_measures_json(const pv_study *study)
{
    static const char *const families[] = {[PV_FAMILY_PRIVACY] = "privacy",
                                           [PV_FAMILY_BIAS] = "bias",
                                           [PV_FAMILY_LOSS] = "loss",
                                           [PV_FAMILY_RISK] = "risk"};
    static const char *const rules[] = {
        [PV_RULE_NONE] = NULL, [PV_RULE_SIZE] = "size", [PV_RULE_SENSITIVE] = "sensitive"};
    json_t *const list = json_array();
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const m = pv_measure_at(i);
        json_t *const object = json_object();
        cli_json_set(object, "name", cli_json_text(m->name));
        cli_json_set(object, "summary", cli_json_text(m->summary));
        cli_json_set(object, "family", json_string(families[m->family]));
        cli_json_set(object, "more_is_better", cli_json_bool(m->direction == PV_MORE_IS_BETTER));
        cli_json_set(object, "demandable", cli_json_bool(m->demandable));
        cli_json_set(object, "rule",
                     rules[m->rule] != NULL ? json_string(rules[m->rule]) : json_null());
        cli_json_set(object, "available",
                     cli_json_bool(study == NULL || pv_measure_available(m, study)));
        cli_json_set(object, "counts", cli_json_bool(m->counts));
        cli_json_set(object, "share", cli_json_bool(m->scale != PV_SCALE_NONE));
        cli_json_set(object, "parameter",
                     m->parameter != NULL ? cli_json_text(m->parameter) : json_null());
        cli_json_set(object, "default",
                     m->parameter != NULL ? cli_json_number(m->parameter_default) : json_null());
        cli_json_append(list, object);
    }
    return list;
}

json_t *web_methods_json(void)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < pv_n_methods(); i++) {
        const pv_method *const method = pv_method_at(i);
        json_t *const object = json_object();
        cli_json_set(object, "name", cli_json_text(method->name));
        cli_json_set(object, "summary", cli_json_text(method->summary));
        cli_json_append(list, object);
    }
    return list;
}
