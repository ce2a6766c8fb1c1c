/* `paravent init DATA`: look at a file and write a plan to start from. */
#include "core/command.h"
#include "core/fail.h"
#include "core/grid.h"
#include "core/json.h"
#include "core/opened.h"
#include "core/outputs.h"
#include "core/text.h"
#include "init/init.h"

#include <inttypes.h>
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

static const char *role_word(const cli_guess *g, size_t column)
{
    return pv_guesses_is_named(g->guesses, column)
               ? pv_role_name(pv_guesses_role(g->guesses, column))
               : "not named";
}

static const char *hierarchy_word(const cli_guess *g, size_t column)
{
    const pv_plan_attribute *const attribute =
        pv_plan_find(g->plan, pv_table_name(g->table, column));
    if (attribute == NULL || pv_attribute_role(attribute) != PV_ROLE_QUASI) {
        return "";
    }
    const pv_hierarchy_spec *const spec = pv_attribute_hierarchy(attribute);
    return spec->file != NULL ? "file" : pv_hierarchy_kind_name(spec->kind);
}

static bool is_open(const pv_plan_attribute *attribute)
{
    return pv_attribute_role(attribute) == PV_ROLE_UNDECIDED ||
           pv_attribute_open_format(attribute) != '\0';
}

static size_t count_questions(const cli_guess *g)
{
    size_t n = 0;
    for (size_t i = 0; i < pv_plan_n_attributes(g->plan); i++) {
        n += is_open(pv_plan_attribute_at(g->plan, i));
    }
    return n;
}

/* -------------------------------------------------------------- for people */

static void print_columns(const cli_report *report, const cli_guess *g)
{
    static const cli_column columns[] = {{"column", CLI_LEFT},  {"type", CLI_LEFT},
                                         {"values", CLI_RIGHT}, {"missing", CLI_RIGHT},
                                         {"role", CLI_LEFT},    {"hierarchy", CLI_WRAP},
                                         {NULL, CLI_LEFT}};
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t c = 0; c < pv_table_columns(g->table); c++) {
        const uint64_t missing = cli_missing_rows(g->table, c);
        cli_grid_cell(grid, "%s", pv_table_name(g->table, c));
        cli_grid_cell(grid, "%s", pv_type_name(pv_table_type(g->table, c)));
        cli_grid_cell(grid, "%s", cli_count_text(pv_table_values(g->table, c)).text);
        cli_grid_cell(grid, "%s", missing > 0 ? cli_count_text(missing).text : "");
        cli_grid_cell(grid, "%s", role_word(g, c));
        cli_grid_cell(grid, "%s", hierarchy_word(g, c));
    }
    cli_grid_print(grid);
}

/* The lines of the questions: "14, 17-40, 52". */
static char *question_lines(const cli_guess *g)
{
    char *lines = cli_copy("");
    uint64_t first = 0;
    uint64_t last = 0;
    for (size_t i = 0; i <= pv_plan_n_attributes(g->plan); i++) {
        const bool at_end = i == pv_plan_n_attributes(g->plan);
        if (!at_end && !is_open(pv_plan_attribute_at(g->plan, i))) {
            continue;
        }
        const uint64_t line = at_end ? 0 : pv_attribute_line(pv_plan_attribute_at(g->plan, i));
        if (first != 0 && line != last + 1) {
            cli_append(&lines, "%s%" PRIu64, *lines ? ", " : "", first);
            if (first != last) {
                cli_append(&lines, "-%" PRIu64, last);
            }
        }
        first = line == last + 1 && first != 0 ? first : line;
        last = line;
    }
    return lines;
}

static void print_questions(const cli_report *report, const cli_guess *g, size_t n)
{
    char *const lines = question_lines(g);
    bool roles_alone = true;
    cli_heading(report, "%s", n == 1 ? "One question is left to you" : "Questions left to you");
    for (size_t c = 0; c < pv_table_columns(g->table); c++) {
        const char *const question = pv_guesses_question(g->guesses, c);
        /* A question "as for q1" says nothing new. */
        if (question != NULL && question != pv_guesses_reason(g->guesses, c) &&
            pv_guesses_is_named(g->guesses, c)) {
            cli_paragraph(report, 2, "%s: %s", pv_table_name(g->table, c), question);
        }
    }
    for (size_t i = 0; i < pv_plan_n_attributes(g->plan); i++) {
        const pv_plan_attribute *const attribute = pv_plan_attribute_at(g->plan, i);
        if (pv_attribute_open_format(attribute) != '\0') {
            roles_alone = false;
            cli_paragraph(report, 2, "%s: %s", pv_attribute_name(attribute),
                          pv_attribute_open_format(attribute) == 'd'
                              ? "numbers such as 1,234 can be read in two ways: decimal, comma or "
                                "point?"
                              : "dates that can be read in several ways: format, dd/mm/yyyy or "
                                "mm/dd/yyyy, or which century?");
        }
    }
    cli_blank(report);
    cli_paragraph(
        report, 0,
        "The plan asks %s %s: see line%s %s of %s. Write there, in place of \"?\", %squasi "
        "(others may know it), sensitive (nobody shall learn it) or identifier (not "
        "needed, it is dropped). No command takes the plan before.",
        roles_alone ? "for the role of" : "about", cli_plural_text(n, "column", "columns").text,
        n == 1 ? "" : "s", lines, g->plan_path,
        roles_alone ? "" : "what the comment says; a role is ");
    free(lines);
}

static void print_guess(cli_run *run, const cli_guess *g)
{
    const cli_report *const report = &run->report;
    const size_t n_questions = count_questions(g);
    cli_paragraph(report, 0, "%s: %s, %s", g->data,
                  cli_plural_text(pv_table_rows(g->table), "row", "rows").text,
                  cli_plural_text(pv_table_columns(g->table), "column", "columns").text);
    cli_heading(report, "What each column seems to be");
    print_columns(report, g);
    if (n_questions > 0) {
        print_questions(report, g, n_questions);
    }
    cli_heading(report, "What to do now");
    cli_paragraph(report, 0,
                  "1. Open %s in an editor. All roles are guesses%s: only you know what others "
                  "know of these people.",
                  g->plan_path, n_questions > 0 ? "; answer the questions, check the rest" : "");
    cli_paragraph(report, 0, "2. See how exposed the people in the table are:");
    cli_line(report, "paravent inspect %s", g->plan_path);
    cli_paragraph(report, 0, "3. Write a release in which everybody is one of at least five:");
    cli_line(report, "paravent release %s --pick k=5", g->plan_path);
}

/* ------------------------------------------------------------ for programs */

static json_t *column_json(const cli_guess *g, size_t c)
{
    const bool is_named = pv_guesses_is_named(g->guesses, c);
    const char *const question = pv_guesses_question(g->guesses, c);
    const char *const hierarchy = hierarchy_word(g, c);
    json_t *const entry = json_object();
    cli_json_set(entry, "name", cli_json_text(pv_table_name(g->table, c)));
    cli_json_set(entry, "type", cli_json_text(pv_type_name(pv_table_type(g->table, c))));
    cli_json_set(entry, "values", cli_json_count(pv_table_values(g->table, c)));
    cli_json_set(entry, "missing", cli_json_count(cli_missing_rows(g->table, c)));
    cli_json_set(entry, "role",
                 is_named ? cli_json_text(pv_role_name(pv_guesses_role(g->guesses, c)))
                          : json_null());
    cli_json_set(entry, "hierarchy", hierarchy[0] != '\0' ? cli_json_text(hierarchy) : json_null());
    cli_json_set(entry, "reason", cli_json_text(pv_guesses_reason(g->guesses, c)));
    cli_json_set(entry, "question", question != NULL ? cli_json_text(question) : json_null());
    return entry;
}

static json_t *guess_json(const cli_guess *g)
{
    json_t *const document = cli_json_document("init");
    json_t *const table = json_object();
    json_t *const columns = json_array();
    const char delimiter[] = {pv_table_delimiter(g->table), '\0'};
    cli_json_set(table, "source", cli_json_text(g->data));
    cli_json_set(table, "rows", cli_json_count(pv_table_rows(g->table)));
    cli_json_set(table, "skipped", cli_json_count(pv_table_skipped(g->table)));
    cli_json_set(table, "delimiter", cli_json_text(delimiter));
    cli_json_set(document, "table", table);
    for (size_t c = 0; c < pv_table_columns(g->table); c++) {
        cli_json_append(columns, column_json(g, c));
    }
    cli_json_set(document, "columns", columns);
    cli_json_set(document, "questions", cli_json_count(count_questions(g)));
    cli_json_set(document, "plan",
                 cli_equal(g->plan_path, "-") ? json_null() : cli_json_text(g->plan_path));
    cli_json_set(document, "text", cli_json_text(g->text));
    return document;
}

/* ---------------------------------------------------------------- the plan */

/* A place that begins with its engine, such as postgresql:, is nowhere beside the plan. */
static bool is_path(const char *data)
{
    return !pv_is_place(data) || strchr(data, ':') == NULL;
}

static pv_status look(cli_run *run, const cli_reading *reading, cli_guess *g, pv_error *error)
{
    const pv_read_options options = cli_reading_options(reading);
    char *guessed = NULL;
    CLI_TRY(pv_table_read(g->data, &options, &run->context, &g->table, error));
    cli_reading_note(run, g->table);
    char *const folder =
        cli_equal(g->plan_path, "-") ? cli_copy(".") : cli_path_folder(g->plan_path);
    char *const name = is_path(g->data) ? cli_path_relative(g->data, folder) : cli_copy(g->data);
    const pv_status status = pv_guesses_create(g->table, name, &g->guesses, error);
    free(folder);
    free(name);
    CLI_TRY(status);
    pv_guesses_rephrase(g->guesses, cli_words);
    CLI_TRY(pv_guesses_text(g->guesses, &guessed, error));
    /* What had to be said to read the file must be said again when the plan is used. */
    g->text = cli_format("%s%s%s%s", guessed,
                         reading->header      ? "header: yes\n"
                         : reading->no_header ? "header: no\n"
                                              : "",
                         reading->no_quotes ? "quotes: no\n" : "",
                         reading->keep_blanks ? "trim: no\n" : "");
    pv_string_free(guessed);
    return pv_plan_parse(g->plan_path, g->text, strlen(g->text), &g->plan, error);
}

pv_status cli_guess_make(cli_run *run, const cli_reading *reading, const char *data,
                         const char *plan_path, cli_guess *g, pv_error *error)
{
    *g = (cli_guess){.data = data, .plan_path = cli_copy(plan_path)};
    const pv_status status = look(run, reading, g, error);
    if (status != PV_STATUS_OK) {
        cli_guess_free(g);
    }
    return status;
}

void cli_guess_free(cli_guess *g)
{
    pv_plan_free(g->plan);
    pv_guesses_free(g->guesses);
    pv_table_free(g->table);
    free(g->text);
    free(g->plan_path);
    *g = (cli_guess){0};
}

static pv_status run_init(cli_run *run, const void *given, pv_error *error)
{
    const init_settings *const settings = given;
    pv_status status = PV_STATUS_OK;
    const char *const data = run->operands.list[0];
    cli_guess g = {0};
    char *const folder = is_path(data) ? cli_path_folder(data) : cli_copy(".");
    char *const path =
        settings->output != NULL ? cli_copy(settings->output) : cli_path_join(folder, "plan.yaml");
    const bool to_stdout = cli_equal(path, "-");
    CLI_TRY_CLEAN(cli_guess_make(run, &settings->reading, data, path, &g, error));
    if (settings->output == NULL) {
        CLI_TRY_CLEAN(cli_outputs_add(run, g.plan_path, PV_AUDIENCE_PUBLISHER, error));
    }
    if (!to_stdout) {
        CLI_TRY_CLEAN(cli_outputs_write(run, g.plan_path, g.text, error));
        CLI_TRY_CLEAN(cli_outputs_commit(run, error));
    }
    if (run->common->json) {
        cli_json_print(run, guess_json(&g));
    } else if (to_stdout) {
        (void)fputs(g.text, stdout);
    } else if (cli_run_talks(run)) {
        print_guess(run, &g);
    }
cleanup:
    cli_guess_free(&g);
    free(path);
    free(folder);
    return status;
}

static const char *const description[] = {
    "Reads DATA (CSV or TSV, plain, .gz or .zst; - is standard input; or a table in a database, "
    "postgresql://HOST/DB?table=NAME and their like), guesses for each column its "
    "type, its role and, for quasi-identifiers, a hierarchy, and writes them down as a commented "
    "plan. A plan is a small YAML file that belongs into version control beside the data; "
    "everything else starts from it.",
    "The guesses are made from names and values; a comment says why. What names people or "
    "households, is nearly unique, or is the weight of a survey is dropped (`identifier`). Where "
    "it "
    "is not sure, it writes `role: \"?\"`: a question that you answer in the plan before any other "
    "command takes it. Check every other role, too.",
    "Hierarchy files beside the data are used where they fit: NAME_hierarchy_COLUMN.csv (NAME is "
    "that of the data), COLUMN_hierarchy.csv, COLUMN.csv, or such a file in a folder hierarchies.",
    NULL,
};

static const cli_option options[] = {
    CLI_OPTION(init_settings, "output", OUTPUT, "PLAN", output,
               "where to write the plan; - prints it (default: plan.yaml beside the data)",
               .letter = 'o'),
    CLI_OPTION(init_settings, "force", FLAG, NULL, force, "overwrite a plan that exists"),
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
