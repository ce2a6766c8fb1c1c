/* `paravent init DATA`: look at a file and write a plan to start from. */
#include "commands.h"
#include "fail.h"
#include "grid.h"
#include "json.h"
#include "opened.h"
#include "paths.h"
#include "text.h"

#include <paravent/paravent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    cli_common common;
    cli_reading reading;
    const char *output;
    bool force;
} init_settings;

/* What was found out, to be shown. */
typedef struct {
    const char *data;
    char *plan_path;
    char *text; /* of the plan */
    pv_table *table;
    pv_plan *plan; /* the text, parsed */
} guess;

static const pv_plan_attribute *find_attribute(const pv_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_attributes; i++) {
        if (cli_equal(plan->attributes[i].name, name)) {
            return &plan->attributes[i];
        }
    }
    return NULL;
}

static const char *hierarchy_word(const pv_plan_attribute *attribute)
{
    if (attribute == NULL || attribute->role != PV_ROLE_QUASI) {
        return "";
    }
    return pv_hierarchy_kind_name(attribute->hierarchy.kind);
}

static uint64_t missing_rows(const pv_table *table, size_t column)
{
    const uint32_t code = pv_table_missing(table, column);
    return code != PV_NO_CODE ? pv_table_count(table, column, code) : 0;
}

static void print_guess(cli_run *run, const guess *g)
{
    static const cli_column columns[] = {{"column", CLI_LEFT},  {"type", CLI_LEFT},
                                         {"values", CLI_RIGHT}, {"missing", CLI_RIGHT},
                                         {"role", CLI_LEFT},    {"hierarchy", CLI_WRAP},
                                         {NULL, CLI_LEFT}};
    const cli_report *const report = &run->report;
    cli_paragraph(report, 0, "%s: %s, %s", g->data,
                  cli_plural_text(pv_table_rows(g->table), "row", "rows").text,
                  cli_plural_text(pv_table_columns(g->table), "column", "columns").text);
    cli_heading(report, "What each column seems to be");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t c = 0; c < pv_table_columns(g->table); c++) {
        const char *const name = pv_table_name(g->table, c);
        const pv_plan_attribute *const attribute = find_attribute(g->plan, name);
        const uint64_t missing = missing_rows(g->table, c);
        cli_grid_cell(grid, "%s", name);
        cli_grid_cell(grid, "%s", pv_type_name(pv_table_type(g->table, c)));
        cli_grid_cell(grid, "%s", cli_count_text(pv_table_values(g->table, c)).text);
        cli_grid_cell(grid, "%s", missing > 0 ? cli_count_text(missing).text : "");
        cli_grid_cell(grid, "%s",
                      pv_role_name(attribute != NULL ? attribute->role : PV_ROLE_OTHER));
        cli_grid_cell(grid, "%s", hierarchy_word(attribute));
    }
    cli_grid_print(grid);
    cli_blank(report);
    cli_paragraph(report, 0,
                  "Wrote the plan to %s. These are guesses: open it, correct roles and "
                  "hierarchies, then look at the exposure with",
                  g->plan_path);
    cli_paragraph(report, 2, "paravent inspect %s", g->plan_path);
}

static json_t *columns_json(const guess *g)
{
    json_t *const list = json_array();
    for (size_t c = 0; c < pv_table_columns(g->table); c++) {
        const char *const name = pv_table_name(g->table, c);
        const pv_plan_attribute *const attribute = find_attribute(g->plan, name);
        const char *const hierarchy = hierarchy_word(attribute);
        json_t *const entry = json_object();
        cli_json_set(entry, "name", cli_json_text(name));
        cli_json_set(entry, "type", cli_json_text(pv_type_name(pv_table_type(g->table, c))));
        cli_json_set(entry, "values", cli_json_count(pv_table_values(g->table, c)));
        cli_json_set(entry, "missing", cli_json_count(missing_rows(g->table, c)));
        cli_json_set(
            entry, "role",
            cli_json_text(pv_role_name(attribute != NULL ? attribute->role : PV_ROLE_OTHER)));
        cli_json_set(entry, "hierarchy",
                     hierarchy[0] != '\0' ? cli_json_text(hierarchy) : json_null());
        cli_json_append(list, entry);
    }
    return list;
}

static json_t *guess_json(const guess *g)
{
    json_t *const document = cli_json_document("init");
    json_t *const table = json_object();
    const char delimiter[] = {pv_table_delimiter(g->table), '\0'};
    cli_json_set(table, "source", cli_json_text(g->data));
    cli_json_set(table, "rows", cli_json_count(pv_table_rows(g->table)));
    cli_json_set(table, "skipped", cli_json_count(pv_table_skipped(g->table)));
    cli_json_set(table, "delimiter", cli_json_text(delimiter));
    cli_json_set(document, "table", table);
    cli_json_set(document, "columns", columns_json(g));
    cli_json_set(document, "plan",
                 cli_equal(g->plan_path, "-") ? json_null() : cli_json_text(g->plan_path));
    cli_json_set(document, "text", cli_json_text(g->text));
    return document;
}

/* Beside the data, unless said otherwise. */
static char *choose_plan_path(const init_settings *settings, const char *data)
{
    if (settings->output != NULL) {
        return cli_copy(settings->output);
    }
    char *const folder = cli_path_folder(data);
    char *const path = cli_path_join(folder, "plan.yaml");
    free(folder);
    return path;
}

static pv_status write_plan_text(const guess *g, const cli_reading *reading, char **text,
                                 pv_error *error)
{
    char *const folder =
        cli_equal(g->plan_path, "-") ? cli_copy(".") : cli_path_folder(g->plan_path);
    char *const name = cli_path_relative(g->data, folder);
    char *guessed = NULL;
    const pv_status status = pv_plan_guess(g->table, name, &guessed, error);
    free(folder);
    free(name);
    if (status == PV_STATUS_OK) {
        /* What had to be said to read the file must be said again when the plan is used. */
        *text = cli_format("%s%s%s", guessed,
                           reading->header      ? "header: yes\n"
                           : reading->no_header ? "header: no\n"
                                                : "",
                           reading->no_quotes ? "quotes: no\n" : "");
        pv_string_free(guessed);
    }
    return status;
}

static pv_status look(cli_run *run, const init_settings *settings, guess *g, pv_error *error)
{
    const pv_read_options options = cli_reading_options(&settings->reading);
    CLI_TRY(pv_table_read(g->data, &options, &run->context, &g->table, error));
    cli_reading_note(run, g->table);
    CLI_TRY(write_plan_text(g, &settings->reading, &g->text, error));
    return pv_plan_parse(g->plan_path, g->text, strlen(g->text), &g->plan, error);
}

static pv_status run_init(cli_run *run, const void *given, pv_error *error)
{
    const init_settings *const settings = given;
    pv_status status = PV_STATUS_OK;
    guess g = {.data = run->operands.list[0]};
    g.plan_path = choose_plan_path(settings, g.data);
    const bool to_stdout = cli_equal(g.plan_path, "-");
    CLI_TRY_CLEAN(look(run, settings, &g, error));
    if (!to_stdout) {
        CLI_TRY_CLEAN(pv_text_write(g.plan_path, g.text, settings->force, error));
    }
    if (run->common->json) {
        cli_json_print(run, guess_json(&g));
    } else if (to_stdout) {
        (void)fputs(g.text, stdout);
    } else if (cli_run_talks(run)) {
        print_guess(run, &g);
    }
cleanup:
    pv_plan_free(g.plan);
    pv_table_free(g.table);
    free(g.text);
    free(g.plan_path);
    return status;
}

static const char *const description[] = {
    "Reads DATA (CSV or TSV, plain, .gz or .zst; - is standard input), guesses for each column its "
    "type, its role and, for quasi-identifiers, a hierarchy, and writes them down as a commented "
    "plan. A plan is a small YAML file that belongs into version control beside the data; "
    "everything else starts from it.",
    "The guesses are made from names and values. Check every role: a column that is wrongly left "
    "`other` is released as it is.",
    NULL,
};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_FILE,
     .argument = "PLAN",
     .offset = offsetof(init_settings, output),
     .help = "where to write the plan; - prints it (default: plan.yaml beside the data)"},
    {.name = "force",
     .kind = CLI_FLAG,
     .offset = offsetof(init_settings, force),
     .help = "overwrite a plan that exists"},
    CLI_READING_OPTIONS(init_settings),
    {.name = NULL},
};

static const cli_example examples[] = {
    {"paravent init patients.csv", "writes plan.yaml beside patients.csv"},
    {"paravent init patients.csv -o -", "prints the plan instead"},
    {NULL, NULL},
};

const cli_command cli_command_init = {
    .name = "init",
    .operands = "DATA",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "look at a file, guess roles and hierarchies, write a plan to start from",
    .description = description,
    .options = options,
    .examples = examples,
    .settings_size = sizeof(init_settings),
    .run = run_init,
};
