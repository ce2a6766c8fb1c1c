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
    return fabs(ref.parameter - ref.measure->parameter_default) <= 0.0;
}

cli_number cli_measure_title(pv_measure_ref ref)
{
    cli_number name;
    pv_measure_text(ref, name.text, sizeof name.text);
    return name;
}

cli_number cli_measure_name(pv_measure_ref ref)
{
    cli_number name;
    if (!cli_measure_is_default(ref)) {
        return cli_measure_title(ref);
    }
    (void)snprintf(name.text, sizeof name.text, "%s", ref.measure->name);
    return name;
}

/* ---------------------------------------------------------------- demands */

static bool is_same(const pv_constraint *a, const pv_constraint *b)
{
    return a->ref.measure == b->ref.measure && fabs(a->ref.parameter - b->ref.parameter) <= 0.0 &&
           fabs(a->bound - b->bound) <= 0.0;
}

static pv_status add(cli_demands *demands, const pv_constraint *constraint, pv_error *error)
{
    for (size_t i = 0; i < demands->n; i++) {
        if (is_same(&demands->list[i], constraint)) {
            return PV_STATUS_OK;
        }
    }
    if (demands->n == PV_MAX_CONSTRAINTS) {
        return cli_error(error, PV_STATUS_LIMIT, "more than %d constraints are demanded",
                         PV_MAX_CONSTRAINTS);
    }
    demands->list[demands->n++] = *constraint;
    return PV_STATUS_OK;
}

pv_status cli_demands_add(cli_demands *demands, const char *text, pv_error *error)
{
    pv_constraint parsed[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    CLI_TRY(pv_constraints_parse(text, parsed, &n, error));
    for (size_t i = 0; i < n; i++) {
        CLI_TRY(add(demands, &parsed[i], error));
    }
    return PV_STATUS_OK;
}

pv_status cli_demands_add_plan(cli_demands *demands, const pv_plan *plan,
                               const pv_plan_require *entries, size_t n, pv_error *error)
{
    for (size_t i = 0; i < n; i++) {
        char *const text = cli_format("%s=%s", entries[i].name, entries[i].value);
        const pv_status status = cli_demands_add(demands, text, error);
        free(text);
        if (status != PV_STATUS_OK) {
            (void)snprintf(error->file, sizeof error->file, "%s",
                           plan->path != NULL ? plan->path : "");
            error->line = entries[i].line;
            error->column = entries[i].column;
            return status;
        }
    }
    return PV_STATUS_OK;
}

json_t *cli_demand_json(const pv_constraint *constraint, bool known, double value)
{
    char text[128];
    json_t *const object = json_object();
    pv_constraint_text(constraint, text, sizeof text);
    cli_json_set(object, "constraint", cli_json_text(text));
    cli_json_set(object, "measure", cli_json_text(cli_measure_name(constraint->ref).text));
    cli_json_set(object, "bound", cli_json_number(constraint->bound));
    cli_json_set(object, "value", known ? cli_json_number(value) : json_null());
    cli_json_set(object, "holds", cli_json_bool(known && pv_constraint_holds(constraint, value)));
    return object;
}
