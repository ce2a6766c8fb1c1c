/* Columns that are released without being generalized, for people and as JSON. */
#include "core/unchanged.h"

#include "core/grid.h"
#include "core/json.h"
#include "core/text.h"

static pv_role role_of(const pv_plan *plan, const char *column)
{
    const pv_plan_attribute *const attribute = pv_plan_find(plan, column);
    return attribute != NULL ? pv_attribute_role(attribute) : PV_ROLE_OTHER;
}

static bool is_accepted(const pv_plan *plan, const char *column)
{
    const pv_plan_attribute *const attribute = pv_plan_find(plan, column);
    return attribute != NULL && pv_attribute_is_unique_accepted(attribute);
}

static void print_roles(cli_grid *grid, const pv_plan *plan, const char *column)
{
    const pv_role role = role_of(plan, column);
    cli_grid_cell(grid, "%s", pv_role_name(role));
    cli_grid_cell(grid, "%s%s", role == PV_ROLE_IDENTIFIER ? "keyed hash" : "unchanged",
                  is_accepted(plan, column) ? ", accepted" : "");
}

void cli_unchanged_print(const cli_report *report, const pv_audit *audit, const pv_plan *plan)
{
    static const cli_column columns[] = {{"column", CLI_LEFT},   {"role", CLI_LEFT},
                                         {"released", CLI_LEFT}, {"values", CLI_RIGHT},
                                         {"unique", CLI_RIGHT},  {"unique+quasi", CLI_RIGHT},
                                         {"k+quasi", CLI_RIGHT}, {NULL, CLI_LEFT}};
    static const cli_column without_plan[] = {{"column", CLI_LEFT},   {"values", CLI_RIGHT},
                                              {"unique", CLI_RIGHT},  {"unique+quasi", CLI_RIGHT},
                                              {"k+quasi", CLI_RIGHT}, {NULL, CLI_LEFT}};
    if (audit->n_unchanged == 0) {
        cli_fact(report, CLI_NEUTRAL, "released", "none");
        return;
    }
    cli_grid *const grid = cli_grid_create(report, plan != NULL ? columns : without_plan);
    for (size_t i = 0; i < audit->n_unchanged; i++) {
        const pv_audit_unchanged *const found = &audit->unchanged[i];
        cli_grid_cell(grid, "%s", found->name);
        if (plan != NULL) {
            print_roles(grid, plan, found->name);
        }
        cli_grid_cell(grid, "%s", cli_count_text(found->values).text);
        cli_grid_cell(grid, "%s", cli_count_text(found->unique).text);
        cli_grid_cell(grid, "%s", cli_count_text(found->unique_with).text);
        cli_grid_cell(grid, "%s", cli_count_text(found->k_with).text);
    }
    cli_grid_print(grid);
    if (audit->together.columns > 0) {
        cli_fact(report, CLI_NEUTRAL, "together",
                 "whoever knows all %zu columns that are neither sensitive nor accepted: %s alone, "
                 "at least %s alike",
                 audit->together.columns,
                 cli_plural_text(audit->together.unique_with, "row", "rows").text,
                 cli_count_text(audit->together.k_with).text);
    }
    cli_paragraph(report, 2,
                  "unique: rows whose value no other row has. unique+quasi, k+quasi: rows alone, "
                  "and fewest rows alike, for someone who knows the quasi-identifiers of a person "
                  "and this column; of a sensitive one it is taken that nobody does.");
}

void cli_unchanged_json(json_t *list, const pv_audit *audit, const pv_plan *plan)
{
    for (size_t i = 0; i < audit->n_unchanged; i++) {
        const pv_audit_unchanged *const found = &audit->unchanged[i];
        json_t *const column = json_object();
        cli_json_set(column, "name", cli_json_text(found->name));
        if (plan != NULL) {
            const pv_role role = role_of(plan, found->name);
            cli_json_set(column, "role", cli_json_text(pv_role_name(role)));
            cli_json_set(column, "treatment",
                         cli_json_text(role == PV_ROLE_IDENTIFIER ? "hashed" : "unchanged"));
            cli_json_set(column, "accepted", cli_json_bool(is_accepted(plan, found->name)));
        }
        cli_json_set(column, "values", cli_json_count(found->values));
        cli_json_set(column, "unique", cli_json_count(found->unique));
        cli_json_set(column, "unique_with_quasi", cli_json_count(found->unique_with));
        cli_json_set(column, "k_with_quasi", cli_json_count(found->k_with));
        cli_json_append(list, column);
    }
}
