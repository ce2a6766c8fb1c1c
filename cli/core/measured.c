/* Measures as the command shows them. */
#include "core/measured.h"

#include "core/fail.h"
#include "core/grid.h"
#include "core/json.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

pv_status cli_measured_raw(const pv_profile *profile, cli_measured *measured, pv_error *error)
{
    const pv_study *const study = pv_profile_study(profile);
    pv_scheme *scheme = NULL;
    pv_classes *classes = NULL;
    size_t n_levels = 0;
    pv_status status = PV_STATUS_OK;
    *measured = (cli_measured){.values = cli_zeroed(pv_n_measures(), sizeof *measured->values),
                               .known = cli_zeroed(pv_n_measures(), sizeof *measured->known)};
    CLI_TRY_CLEAN(pv_scheme_create(study, &scheme, error));
    CLI_TRY_CLEAN(pv_classes_create(profile, pv_scheme_levels(scheme, &n_levels),
                                    &(const pv_suppression){0}, &classes, error));
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        const pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
        measured->known[i] = pv_measure_available(measure, study);
        if (measured->known[i]) {
            CLI_TRY_CLEAN(pv_measure_value(ref, classes, &measured->values[i], error));
        }
    }
cleanup:
    pv_classes_free(classes);
    pv_scheme_free(scheme);
    if (status != PV_STATUS_OK) {
        cli_measured_free(measured);
    }
    return status;
}

void cli_measured_free(cli_measured *measured)
{
    free(measured->values);
    free(measured->known);
    *measured = (cli_measured){0};
}

json_t *cli_measured_json(const double *values, const bool *known)
{
    json_t *const object = json_object();
    for (size_t i = 0; i < pv_n_measures(); i++) {
        if (known[i]) {
            cli_json_set(object, pv_measure_at(i)->name, cli_json_number(values[i]));
        }
    }
    return object;
}

const char *cli_measure_mark(const cli_report *report, const pv_measure *measure)
{
    if (report->utf8) {
        return measure->direction == PV_MORE_IS_BETTER ? "\xe2\x96\xb2" : "\xe2\x96\xbc";
    }
    return measure->direction == PV_MORE_IS_BETTER ? "+" : "-";
}

void cli_measure_legend(const cli_report *report)
{
    cli_paragraph(report, 2,
                  report->utf8 ? "\xe2\x96\xb2 more is better, \xe2\x96\xbc less is better"
                               : "+ more is better, - less is better");
}

void cli_measured_print(const cli_report *report, const double *before, const double *values,
                        const bool *known, unsigned families)
{
    static const cli_column alone[] = {{"measure", CLI_LEFT},
                                       {"value", CLI_RIGHT},
                                       {"", CLI_LEFT},
                                       {"meaning", CLI_WRAP},
                                       {NULL, CLI_LEFT}};
    static const cli_column compared[] = {{"measure", CLI_LEFT}, {"before", CLI_RIGHT},
                                          {"after", CLI_RIGHT},  {"", CLI_LEFT},
                                          {"meaning", CLI_WRAP}, {NULL, CLI_LEFT}};
    cli_grid *const grid = cli_grid_create(report, before != NULL ? compared : alone);
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        if (!known[i] || (families & CLI_FAMILY(measure->family)) == 0) {
            continue;
        }
        const pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
        cli_grid_cell(grid, "%s", cli_measure_title(ref).text);
        if (before != NULL) {
            cli_grid_cell(grid, "%s", cli_value_text(before[i]).text);
        }
        cli_grid_cell(grid, "%s", cli_value_text(values[i]).text);
        cli_grid_cell(grid, "%s", cli_measure_mark(report, measure));
        cli_grid_cell(grid, "%s", measure->summary);
    }
    cli_grid_print(grid);
    cli_measure_legend(report);
}

bool cli_measure_is_default(pv_measure_ref ref)
{
    return fabs(ref.parameter - ref.measure->parameter_default) <= 0.0 && ref.column[0] == '\0';
}

cli_measure_words cli_measure_title(pv_measure_ref ref)
{
    cli_measure_words name;
    pv_measure_text(ref, name.text, sizeof name.text);
    return name;
}

cli_measure_words cli_measure_name(pv_measure_ref ref)
{
    cli_measure_words name;
    if (!cli_measure_is_default(ref)) {
        return cli_measure_title(ref);
    }
    (void)snprintf(name.text, sizeof name.text, "%s", ref.measure->name);
    return name;
}

/* ---------------------------------------------------------------- demands */

pv_status cli_demands_add(cli_demands *demands, const char *text, pv_error *error)
{
    pv_constraint parsed[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    CLI_TRY(pv_constraints_parse(text, parsed, &n, error));
    for (size_t i = 0; i < n; i++) {
        CLI_TRY(pv_constraints_add(demands->list, &demands->n, &parsed[i], error));
    }
    return PV_STATUS_OK;
}

void cli_demand_column_json(json_t *object, const pv_constraint *constraint)
{
    if (constraint->ref.column[0] != '\0') {
        cli_json_set(object, "column", cli_json_text(constraint->ref.column));
    }
}

json_t *cli_demand_json(const pv_constraint *constraint, bool known, double value)
{
    char text[PV_MEASURE_TEXT_SIZE];
    json_t *const object = json_object();
    pv_constraint_text(constraint, text, sizeof text);
    cli_json_set(object, "constraint", cli_json_text(text));
    cli_json_set(object, "measure", cli_json_text(cli_measure_name(constraint->ref).text));
    cli_demand_column_json(object, constraint);
    cli_json_set(object, "bound", cli_json_number(constraint->bound));
    cli_json_set(object, "value", known ? cli_json_number(value) : json_null());
    cli_json_set(object, "holds", cli_json_bool(known && pv_constraint_holds(constraint, value)));
    return object;
}

/* ------------------------------------------- columns that are not generalized */

void cli_unchanged_print(const cli_report *report, const pv_audit *audit, const pv_plan *plan)
{
    static const cli_column columns[] = {{"column", CLI_LEFT},   {"role", CLI_LEFT},
                                         {"released", CLI_LEFT}, {"values", CLI_RIGHT},
                                         {"unique", CLI_RIGHT},  {"unique+quasi", CLI_RIGHT},
                                         {"k+quasi", CLI_RIGHT}, {NULL, CLI_LEFT}};
    static const cli_column without_plan[] = {{"column", CLI_LEFT},   {"values", CLI_RIGHT},
                                              {"unique", CLI_RIGHT},  {"unique+quasi", CLI_RIGHT},
                                              {"k+quasi", CLI_RIGHT}, {NULL, CLI_LEFT}};
    size_t n = 0;
    const pv_audit_unchanged *const found = pv_audit_unchanged_columns(audit, &n);
    const pv_audit_together together = pv_audit_unchanged_together(audit);
    if (n == 0) {
        cli_fact(report, CLI_NEUTRAL, "released", "none");
        return;
    }
    cli_grid *const grid = cli_grid_create(report, plan != NULL ? columns : without_plan);
    for (size_t i = 0; i < n; i++) {
        cli_grid_cell(grid, "%s", found[i].name);
        if (plan != NULL) {
            const pv_plan_attribute *const attribute = pv_plan_find(plan, found[i].name);
            const pv_role role = attribute != NULL ? pv_attribute_role(attribute) : PV_ROLE_OTHER;
            cli_grid_cell(grid, "%s", pv_role_name(role));
            cli_grid_cell(grid, "%s%s", role == PV_ROLE_IDENTIFIER ? "keyed hash" : "unchanged",
                          attribute != NULL && pv_attribute_is_unique_accepted(attribute)
                              ? ", accepted"
                              : "");
        }
        cli_grid_cell(grid, "%s", cli_count_text(found[i].values).text);
        cli_grid_cell(grid, "%s", cli_count_text(found[i].unique).text);
        cli_grid_cell(grid, "%s", cli_count_text(found[i].unique_with).text);
        cli_grid_cell(grid, "%s", cli_count_text(found[i].k_with).text);
    }
    cli_grid_print(grid);
    if (together.columns > 0) {
        cli_fact(report, CLI_NEUTRAL, "together",
                 "whoever knows all %zu columns that are neither sensitive nor accepted: %s alone, "
                 "at least %s alike",
                 together.columns, cli_plural_text(together.unique_with, "row", "rows").text,
                 cli_count_text(together.k_with).text);
    }
    cli_paragraph(report, 2,
                  "unique: rows whose value no other row has. unique+quasi, k+quasi: rows alone, "
                  "and fewest rows alike, for someone who knows the quasi-identifiers of a person "
                  "and this column; of a sensitive one it is taken that nobody does.");
}

void cli_unchanged_json(json_t *list, const pv_audit *audit, const pv_plan *plan)
{
    size_t n = 0;
    const pv_audit_unchanged *const found = pv_audit_unchanged_columns(audit, &n);
    for (size_t i = 0; i < n; i++) {
        json_t *const column = json_object();
        cli_json_set(column, "name", cli_json_text(found[i].name));
        if (plan != NULL) {
            const pv_plan_attribute *const attribute = pv_plan_find(plan, found[i].name);
            const pv_role role = attribute != NULL ? pv_attribute_role(attribute) : PV_ROLE_OTHER;
            cli_json_set(column, "role", cli_json_text(pv_role_name(role)));
            cli_json_set(column, "treatment",
                         cli_json_text(role == PV_ROLE_IDENTIFIER ? "hashed" : "unchanged"));
            cli_json_set(
                column, "accepted",
                cli_json_bool(attribute != NULL && pv_attribute_is_unique_accepted(attribute)));
        }
        cli_json_set(column, "values", cli_json_count(found[i].values));
        cli_json_set(column, "unique", cli_json_count(found[i].unique));
        cli_json_set(column, "unique_with_quasi", cli_json_count(found[i].unique_with));
        cli_json_set(column, "k_with_quasi", cli_json_count(found[i].k_with));
        cli_json_append(list, column);
    }
}
