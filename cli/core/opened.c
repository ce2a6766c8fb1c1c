/* A plan with its table and profile. */
#include "core/opened.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"

#include <stdlib.h>

pv_read_options cli_reading_options(const cli_reading *reading)
{
    return (pv_read_options){
        .delimiter = reading->delimiter,
        .quoting = reading->no_quotes ? PV_CHOICE_NO : PV_CHOICE_AUTO,
        .header = reading->header      ? PV_CHOICE_YES
                  : reading->no_header ? PV_CHOICE_NO
                                       : PV_CHOICE_AUTO,
        .keep_blanks = reading->keep_blanks,
        .skip_bad_rows = reading->skip_bad_rows,
    };
}

void cli_reading_overrule(const cli_reading *reading, pv_plan *plan)
{
    const pv_read_options options = cli_reading_options(reading);
    pv_plan_overrule_reading(plan, &options);
}

void cli_reading_note(const cli_run *run, const pv_table *table)
{
    const uint64_t skipped = pv_table_skipped(table);
    const uint64_t trimmed = pv_table_trimmed(table);
    if (trimmed > 0) {
        cli_note(run,
                 "%s: removed the blanks around %s (`trim: no` in the plan or --keep-blanks "
                 "keeps them)",
                 pv_table_source(table), cli_plural_text(trimmed, "field", "fields").text);
    }
    if (skipped > 0) {
        cli_note(run, "%s: skipped %s with a wrong number of fields", pv_table_source(table),
                 cli_plural_text(skipped, "row", "rows").text);
    }
}

uint64_t cli_missing_rows(const pv_table *table, size_t column)
{
    const uint32_t code = pv_table_missing(table, column);
    return code != PV_NO_CODE ? pv_table_count(table, column, code) : 0;
}

static void note_unknown(const cli_run *run, const pv_study *study)
{
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        const pv_unknown unknown = pv_study_unknown(study, q);
        if (unknown.values > 0) {
            cli_note(run,
                     "%s: %s (%s) that the hierarchy does not know %s `*`, as `unknown` in the "
                     "plan says",
                     pv_study_quasi_name(study, q),
                     cli_plural_text(unknown.values, "value", "values").text,
                     cli_plural_text(unknown.rows, "row", "rows").text,
                     unknown.values == 1 ? "becomes" : "become");
        }
    }
}

pv_status cli_see_through_cuts(const pv_study *study, const pv_cuts *cuts, cli_opened *cut,
                               pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    *cut = (cli_opened){0};
    CLI_TRY_CLEAN(pv_plan_with_cuts(study, cuts, &cut->plan, error));
    CLI_TRY_CLEAN(pv_study_rebind(study, cut->plan, &cut->study, error));
    return PV_STATUS_OK;
cleanup:
    cli_close(cut);
    return status;
}

pv_status cli_see_as_cells(const pv_study *study, cli_opened *cells, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    *cells = (cli_opened){0};
    CLI_TRY_CLEAN(pv_plan_with_cells(study, &cells->plan, error));
    CLI_TRY_CLEAN(pv_study_rebind(study, cells->plan, &cells->study, error));
    CLI_TRY_CLEAN(pv_study_profile(cells->study, &cells->profile, error));
    return PV_STATUS_OK;
cleanup:
    cli_close(cells);
    return status;
}

/* Would the run read just the table that its host has open? */
static const cli_opened *find_open(const cli_run *run, const char *plan, const char *data,
                                   const cli_reading *reading, cli_columns columns)
{
    const bool as_planned = reading->delimiter == '\0' && !reading->header && !reading->no_header &&
                            !reading->no_quotes && !reading->keep_blanks && !reading->skip_bad_rows;
    return run->host != NULL && run->host->opened != NULL && data == NULL && as_planned &&
                   columns <= CLI_ALL_BUT_NAMES && cli_equal(plan, run->host->plan)
               ? run->host->opened
               : NULL;
}

pv_study_options cli_study_options(const char *data, const cli_reading *reading,
                                   cli_columns columns)
{
    return (pv_study_options){.data = data,
                              .all_columns = columns != CLI_WITH_ROLE,
                              .identifiers = columns >= CLI_ALL_WITH_NAMES,
                              .unnamed = columns == CLI_EVERYTHING,
                              .skip_bad_rows = reading->skip_bad_rows};
}

pv_status cli_open_plan(cli_run *run, const char *path, const cli_reading *reading, pv_plan **plan,
                        pv_error *error)
{
    CLI_TRY(pv_plan_read(path, plan, error));
    const pv_status status = pv_plan_protect(*plan, run->outputs, error);
    cli_reading_overrule(reading, *plan);
    return status;
}

pv_status cli_open_table(cli_run *run, const char *plan, const char *data,
                         const cli_reading *reading, cli_columns columns, cli_opened *opened,
                         pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    const pv_study_options options = cli_study_options(data, reading, columns);
    const cli_opened *const open = find_open(run, plan, data, reading, columns);
    *opened = (cli_opened){0};
    if (open != NULL) {
        *opened = *open;
        opened->borrowed = true;
        CLI_TRY_CLEAN(pv_plan_protect(opened->plan, run->outputs, error));
    } else {
        CLI_TRY_CLEAN(cli_open_plan(run, plan, reading, &opened->plan, error));
        CLI_TRY_CLEAN(pv_study_open(opened->plan, &options, &run->context, &opened->study, error));
    }
    cli_reading_note(run, pv_study_table(opened->study));
    return PV_STATUS_OK;
cleanup:
    cli_close(opened);
    return status;
}

pv_status cli_open_with_cuts(cli_run *run, const char *plan, const char *data, const pv_cuts *cuts,
                             const cli_reading *reading, cli_columns columns, cli_opened *opened,
                             pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    CLI_TRY(cli_open_table(run, plan, data, reading, columns, opened, error));
    if (cuts != NULL) {
        cli_opened cut;
        CLI_TRY_CLEAN(cli_see_through_cuts(opened->study, cuts, &cut, error));
        cli_close(opened);
        *opened = cut;
    }
    note_unknown(run, opened->study);
    CLI_TRY_CLEAN(pv_study_profile(opened->study, &opened->profile, error));
    return PV_STATUS_OK;
cleanup:
    cli_close(opened);
    return status;
}

pv_status cli_open_cut(cli_run *run, const char *plan, const char *data, const char *path,
                       const cli_reading *reading, cli_columns columns, cli_opened *opened,
                       pv_error *error)
{
    pv_cuts *cuts = NULL;
    *opened = (cli_opened){0};
    if (path != NULL) {
        CLI_TRY(pv_cuts_read(path, &cuts, error));
    }
    const pv_status status =
        cli_open_with_cuts(run, plan, data, cuts, reading, columns, opened, error);
    pv_cuts_free(cuts);
    return status;
}

pv_status cli_open(cli_run *run, const char *plan, const char *data, const cli_reading *reading,
                   cli_columns columns, cli_opened *opened, pv_error *error)
{
    return cli_open_cut(run, plan, data, NULL, reading, columns, opened, error);
}

void cli_close(cli_opened *opened)
{
    if (!opened->borrowed) {
        pv_study_free(opened->study);
        pv_plan_free(opened->plan);
    }
    *opened = (cli_opened){0};
}

void cli_explain_print(cli_run *run, const char *sql)
{
    if (run->common->json) {
        json_t *const document = cli_json_document(run->command->name);
        cli_json_set(document, "sql", cli_json_text(sql));
        cli_json_print(run, document);
    } else {
        (void)fputs(sql, stdout);
    }
}

pv_status cli_explain(cli_run *run, const char *path, const char *data, const cli_reading *reading,
                      cli_columns columns, const char *output, pv_error *error)
{
    const pv_study_options options = {.data = data,
                                      .all_columns = columns != CLI_WITH_ROLE,
                                      .identifiers = columns >= CLI_ALL_WITH_NAMES};
    pv_plan *plan = NULL;
    char *read = NULL;
    char *written = NULL;
    pv_status status = PV_STATUS_OK;
    CLI_TRY_CLEAN(pv_plan_read(path, &plan, error));
    cli_reading_overrule(reading, plan);
    CLI_TRY_CLEAN(pv_study_explain(plan, &options, &run->context, &read, error));
    if (output != NULL && pv_is_place(output)) {
        CLI_TRY_CLEAN(
            pv_release_explain(plan, output, columns >= CLI_ALL_WITH_NAMES, &written, error));
    }
    char *const sql = cli_format("%s%s%s", read, cli_ends_with(read, ";") ? "\n" : ";\n",
                                 written != NULL ? written : "");
    cli_explain_print(run, sql);
    free(sql);
cleanup:
    pv_string_free(read);
    pv_string_free(written);
    pv_plan_free(plan);
    return status;
}

pv_status cli_suppression_choose(const cli_opened *opened, const char *text, const char *rule,
                                 pv_budget *budget, pv_suppression *suppression, pv_error *error)
{
    *budget = pv_plan_budget(opened->plan);
    if (text != NULL && !pv_budget_parse(text, budget)) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "--suppression is neither a share nor a number of rows"),
                        error, "write --suppression 1%% or --suppression 300");
    }
    *suppression = (pv_suppression){
        .budget = pv_budget_rows(budget, pv_table_rows(pv_study_table(opened->study))),
        .target_k = pv_plan_target_k(opened->plan),
        .whole_budget = pv_plan_whole_budget(opened->plan),
    };
    if (rule != NULL) {
        suppression->whole_budget = cli_equal(rule, "whole-budget");
        if (!suppression->whole_budget && !cli_equal(rule, "as-needed")) {
            return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                      "--suppress is neither as-needed nor whole-budget"),
                            error,
                            "as-needed: just the classes that break a demand; whole-budget: as "
                            "many of the smallest as the budget allows");
        }
    }
    return PV_STATUS_OK;
}

json_t *cli_suppression_json(const pv_suppression *suppression)
{
    json_t *const object = json_object();
    cli_json_set(object, "budget", cli_json_count(suppression->budget));
    cli_json_set(object, "target_k",
                 suppression->target_k > 0 ? cli_json_count(suppression->target_k) : json_null());
    cli_json_set(object, "rule",
                 json_string(suppression->whole_budget ? "whole-budget" : "as-needed"));
    return object;
}

json_t *cli_heights_json(const pv_study *study)
{
    json_t *const list = json_array();
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        cli_json_append(list, cli_json_count(pv_hierarchy_height(pv_study_hierarchy(study, q))));
    }
    return list;
}

/* Of the attributes that have some. */
static json_t *unknown_json(const pv_study *study)
{
    json_t *const list = json_array();
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        const pv_unknown unknown = pv_study_unknown(study, q);
        if (unknown.values > 0) {
            json_t *const object = json_object();
            cli_json_set(object, "attribute", cli_json_text(pv_study_quasi_name(study, q)));
            cli_json_set(object, "values", cli_json_count(unknown.values));
            cli_json_set(object, "rows", cli_json_count(unknown.rows));
            cli_json_append(list, object);
        }
    }
    return list;
}

json_t *cli_opened_json(const cli_opened *opened)
{
    const pv_table *const table = pv_study_table(opened->study);
    json_t *const object = json_object();
    json_t *const names = json_array();
    for (size_t q = 0; q < pv_study_quasis(opened->study); q++) {
        cli_json_append(names, cli_json_text(pv_study_quasi_name(opened->study, q)));
    }
    cli_json_set(object, "source", cli_json_text(pv_table_source(table)));
    cli_json_set(object, "rows", cli_json_count(pv_table_rows(table)));
    cli_json_set(object, "skipped", cli_json_count(pv_table_skipped(table)));
    cli_json_set(object, "distinct", cli_json_count(pv_profile_tuples(opened->profile)));
    cli_json_set(object, "quasi", names);
    cli_json_set(object, "unknown", unknown_json(opened->study));
    return object;
}

char *cli_quasi_names(const pv_study *study)
{
    const size_t n = pv_study_quasis(study);
    char *names = cli_copy("");
    for (size_t q = 0; q < n; q++) {
        cli_append(&names, "%s%s",
                   q == 0       ? ""
                   : q + 1 == n ? " and "
                                : ", ",
                   pv_study_quasi_name(study, q));
    }
    return names;
}
