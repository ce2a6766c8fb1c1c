/* One record: levels by the names of attributes, never its values. */
#include "disclose/row.h"

#include "core/grid.h"
#include "core/json.h"
#include "core/text.h"

#include <stdlib.h>

static size_t tuple_of(const cli_disclosed *d)
{
    return pv_profile_tuple(cli_disclosed_opened(d)->profile, d->settings->row.value - 1);
}

static const pv_disclosed *record_of(const cli_disclosed *d)
{
    return &d->disclosure->tuples[tuple_of(d)];
}

static double kept(const pv_disclosed *record)
{
    return record->most > 0.0 ? record->utility / record->most : 1.0;
}

/* ----------------------------------------------------------------- people */

static void print_attribute(cli_grid *grid, const cli_disclosed *d, size_t quasi)
{
    const cli_opened *const opened = cli_disclosed_opened(d);
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(opened->study, quasi);
    const unsigned height = pv_hierarchy_height(hierarchy);
    const unsigned level = cli_shown_level(d, tuple_of(d), quasi);
    const uint32_t leaf = pv_profile_leaf(opened->profile, tuple_of(d), quasi);
    const uint64_t leaves =
        pv_hierarchy_group_leaves(hierarchy, level, pv_hierarchy_group(hierarchy, level, leaf));
    cli_grid_cell(grid, "%s", pv_study_quasi_name(opened->study, quasi));
    cli_grid_cell(grid, "%u of %u", level, height);
    if (level == 0 || level == height) {
        cli_grid_cell(grid, "%s", level == 0 ? "as it is" : PV_ROOT_LABEL);
    } else {
        cli_grid_cell(grid, "one of %s out of %s", cli_plural_text(leaves, "value", "values").text,
                      cli_count_text(pv_hierarchy_domain(hierarchy)).text);
    }
}

static void print_levels(const cli_report *report, const cli_disclosed *d)
{
    static const cli_column columns[] = {
        {"attribute", CLI_LEFT}, {"level", CLI_RIGHT}, {"shown", CLI_WRAP}, {NULL, CLI_LEFT}};
    cli_heading(report, "What is shown of it");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t q = 0; q < d->disclosure->n_quasi; q++) {
        print_attribute(grid, d, q);
    }
    cli_grid_print(grid);
}

void cli_record_print(const cli_report *report, const cli_disclosed *d)
{
    const pv_disclosed *const record = record_of(d);
    const char *const where = d->settings->dictionary != NULL ? "dictionary" : "table";
    char *const aim = cli_aim_text(d);
    cli_paragraph(report, 0, "%s, row %s: %s.",
                  pv_table_source(pv_study_table(cli_disclosed_opened(d)->study)),
                  cli_count_text(d->settings->row.value).text, aim);
    cli_blank(report);
    cli_fact(report, CLI_STRONG, "risk", "%s before, %s after",
             cli_value_text(record->risk_raw).text, cli_value_text(record->risk).text);
    cli_risk_unit_print(report, d);
    cli_fact(report, CLI_STRONG, "detail kept", "%s: a utility of %s, of %s",
             cli_share_text(kept(record)).text, cli_value_text(record->utility).text,
             cli_value_text(record->most).text);
    cli_fact(report, CLI_STRONG, "fits", "%s of the %s before, %s after",
             cli_plural_text(record->consistent_raw, "row", "rows").text, where,
             cli_count_text(record->consistent).text);
    if (!record->is_feasible) {
        cli_fact(report, CLI_BAD, "out of reach", "nothing %s the bound: `*` everywhere",
                 record->is_optimal ? "keeps" : "was found that keeps");
    }
    print_levels(report, d);
    cli_heading(report, "What was weighed up, and how");
    cli_weighing_print(report, d);
    cli_effort_print(report, d);
    free(aim);
}

/* ------------------------------------------------------------------- JSON */

static json_t *change_json(json_t *before, json_t *after)
{
    json_t *const object = json_object();
    cli_json_set(object, "before", before);
    cli_json_set(object, "after", after);
    return object;
}

static json_t *levels_json(const cli_disclosed *d)
{
    json_t *const list = json_array();
    for (size_t q = 0; q < d->disclosure->n_quasi; q++) {
        cli_json_append(list, cli_json_count(cli_shown_level(d, tuple_of(d), q)));
    }
    return list;
}

void cli_record_json(json_t *object, const cli_disclosed *d)
{
    const pv_disclosed *const r = record_of(d);
    json_t *const record = json_object();
    cli_json_set(record, "row", cli_json_count(d->settings->row.value));
    cli_json_set(record, "levels", levels_json(d));
    cli_json_set(record, "model", cli_json_text(pv_risk_name(d->query->options.risk)));
    cli_json_set(record, "risk",
                 change_json(cli_json_number(r->risk_raw), cli_json_number(r->risk)));
    cli_json_set(record, "measure", cli_json_text(pv_utility_name(d->query->options.utility)));
    cli_json_set(record, "utility",
                 change_json(cli_json_number(r->most), cli_json_number(r->utility)));
    cli_json_set(record, "kept", cli_json_number(kept(r)));
    cli_json_set(record, "consistent",
                 change_json(cli_json_count(r->consistent_raw), cli_json_count(r->consistent)));
    cli_json_set(record, "feasible", cli_json_bool(r->is_feasible));
    cli_question_json(object, d);
    cli_json_set(object, "record", record);
    cli_effort_json(object, d);
}
