/* `paravent hierarchy`: show, validate, build and write a hierarchy. */
#include "core/command.h"
#include "core/fail.h"
#include "core/grid.h"
#include "core/json.h"
#include "core/outputs.h"
#include "core/text.h"
#include "hierarchy/hierarchy.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_LEAVES 60

/* ------------------------------------------------------------ the question */

typedef enum { FROM_FILE, FROM_PLAN, FROM_DATA } origin;

static bool builder_given(const cli_hierarchy_settings *s)
{
    return s->intervals != NULL || s->breaks != NULL || s->date != NULL || s->order != NULL ||
           s->mask != NULL || s->rare != NULL || s->suppress;
}

static origin find_origin(const cli_hierarchy_settings *settings, const char *path)
{
    const bool is_plan =
        cli_ends_with(path, ".yaml") || cli_ends_with(path, ".yml") || cli_ends_with(path, ".json");
    return is_plan ? FROM_PLAN : builder_given(settings) ? FROM_DATA : FROM_FILE;
}

static bool reading_given(const cli_reading *reading)
{
    return reading->delimiter != 0 || reading->header || reading->no_header || reading->no_quotes ||
           reading->keep_blanks || reading->skip_bad_rows;
}

/* Options that would do nothing are refused rather than ignored. */
static pv_status check_company(const cli_hierarchy_settings *settings, origin from, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    if (from == FROM_PLAN && builder_given(settings)) {
        status =
            cli_error(error, PV_STATUS_ARGUMENT, "the plan says how its hierarchies are built");
        return cli_hint(status, error, "to try another way, name the data file instead");
    }
    if (from != FROM_FILE && settings->attribute == NULL) {
        status = cli_error(error, PV_STATUS_ARGUMENT, "which attribute?");
        return cli_hint(status, error, "name it with --attribute NAME");
    }
    if (from == FROM_FILE && settings->attribute != NULL) {
        status = cli_error(error, PV_STATUS_ARGUMENT, "how shall the hierarchy of `%s` be built?",
                           settings->attribute);
        return cli_hint(status, error,
                        "choose one of --intervals, --breaks, --mask, --date, --order, --rare, "
                        "--suppress, "
                        "or give a plan (.yaml) instead of the data");
    }
    if (from == FROM_FILE && reading_given(&settings->reading)) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "options for reading data mean nothing for a hierarchy file");
    }
    if (from == FROM_FILE && settings->missing) {
        status = cli_error(error, PV_STATUS_ARGUMENT, "--missing needs a plan or a data file");
        return cli_hint(status, error, "paravent hierarchy PLAN --attribute NAME --missing");
    }
    if (from != FROM_PLAN && settings->data != NULL) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--data means nothing without a plan");
    }
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------- the answer */

#define SHOWN_LABELS 3

/* The drawing uses box characters; where the locale has none, these are used. */
static const struct {
    const char *box, *plain;
} stand_ins[] = {
    {"\xe2\x94\x9c", "|"}, {"\xe2\x94\x94", "`"},   {"\xe2\x94\x80", "-"},
    {"\xe2\x94\x82", "|"}, {"\xe2\x80\xa6", "..."},
};
#define N_STAND_INS (sizeof stand_ins / sizeof *stand_ins)

static void print_drawing(const cli_report *report, const char *drawing)
{
    while (*drawing != '\0') {
        unsigned code = 0;
        size_t box = 0;
        const size_t length = cli_utf8_next(drawing, &code);
        while (box < N_STAND_INS && !cli_starts_with(drawing, stand_ins[box].box)) {
            box++;
        }
        if (!report->utf8 && box < N_STAND_INS) {
            (void)fputs(stand_ins[box].plain, report->out);
        } else {
            const bool control = (code < 0x20 && *drawing != '\n') || (code >= 0x7f && code < 0xa0);
            (void)fprintf(report->out, "%.*s", control ? 1 : (int)length, control ? "?" : drawing);
        }
        drawing += length;
    }
}

static void print_levels(const cli_report *report, const pv_hierarchy *hierarchy)
{
    static const cli_column columns[] = {
        {"level", CLI_RIGHT}, {"groups", CLI_RIGHT}, {"such as", CLI_WRAP}, {NULL, CLI_LEFT}};
    cli_grid *const grid = cli_grid_create(report, columns);
    for (unsigned level = 0; level <= pv_hierarchy_height(hierarchy); level++) {
        const uint32_t n = pv_hierarchy_groups(hierarchy, level);
        char *labels = cli_copy("");
        for (uint32_t g = 0; g < n && g <= SHOWN_LABELS; g++) {
            cli_append(&labels, "%s%s", g > 0 ? ", " : "",
                       g < SHOWN_LABELS ? pv_hierarchy_label(hierarchy, level, g) : "...");
        }
        cli_grid_cell(grid, "%u", level);
        cli_grid_cell(grid, "%s", cli_count_text(n).text);
        cli_grid_cell(grid, "%s", labels);
        free(labels);
    }
    cli_grid_print(grid);
}

/* The tree and a line per level; at most `leaves` leaves are drawn, 0 = all. */
static pv_status print_tree(const cli_report *report, const char *name,
                            const pv_hierarchy *hierarchy, size_t leaves, pv_error *error)
{
    char *drawing = NULL;
    CLI_TRY(pv_hierarchy_tree(hierarchy, leaves, &drawing, error));
    cli_paragraph(report, 0, "%s: %s, %s above them", name,
                  cli_plural_text(pv_hierarchy_leaves(hierarchy), "value", "values").text,
                  cli_plural_text(pv_hierarchy_height(hierarchy), "level", "levels").text);
    cli_blank(report);
    print_levels(report, hierarchy);
    cli_blank(report);
    print_drawing(report, drawing);
    pv_string_free(drawing);
    return PV_STATUS_OK;
}

static json_t *tree_json(const pv_hierarchy *hierarchy)
{
    json_t *const object = json_object();
    json_t *const levels = json_array();
    for (unsigned level = 0; level <= pv_hierarchy_height(hierarchy); level++) {
        json_t *const entry = json_object();
        json_t *const groups = json_array();
        for (uint32_t g = 0; g < pv_hierarchy_groups(hierarchy, level); g++) {
            json_t *const group = json_object();
            cli_json_set(group, "label", cli_json_text(pv_hierarchy_label(hierarchy, level, g)));
            cli_json_set(group, "leaves",
                         cli_json_count(pv_hierarchy_group_leaves(hierarchy, level, g)));
            cli_json_append(groups, group);
        }
        cli_json_set(entry, "level", cli_json_count(level));
        cli_json_set(entry, "groups", groups);
        cli_json_append(levels, entry);
    }
    cli_json_set(object, "height", cli_json_count(pv_hierarchy_height(hierarchy)));
    cli_json_set(object, "leaves", cli_json_count(pv_hierarchy_leaves(hierarchy)));
    cli_json_set(object, "levels", levels);
    return object;
}

static json_t *document_of(const cli_run *run, const char *attribute)
{
    json_t *const document = cli_json_document("hierarchy");
    cli_json_set(document, "source", cli_json_text(run->operands.list[0]));
    cli_json_set(document, "attribute", attribute != NULL ? cli_json_text(attribute) : json_null());
    return document;
}

static pv_status write_file(cli_run *run, const cli_hierarchy_settings *settings,
                            const pv_hierarchy *hierarchy, pv_error *error)
{
    char *text = NULL;
    pv_status status = PV_STATUS_OK;
    if (settings->output == NULL) {
        return PV_STATUS_OK;
    }
    CLI_TRY(pv_hierarchy_text(hierarchy, &text, error));
    if (!cli_is_stream(settings->output) || !run->common->json) {
        status = cli_outputs_write(run, settings->output, text, error);
    }
    if (status == PV_STATUS_OK) {
        status = cli_outputs_commit(run, error);
    }
    pv_string_free(text);
    return status;
}

static pv_status show(cli_run *run, const cli_hierarchy_settings *settings,
                      const pv_hierarchy *hierarchy, pv_error *error)
{
    const char *const name =
        settings->attribute != NULL ? settings->attribute : run->operands.list[0];
    const bool file_on_stdout = settings->output != NULL && cli_equal(settings->output, "-");
    if (run->common->json) {
        json_t *const document = document_of(run, settings->attribute);
        cli_json_set(document, "hierarchy", tree_json(hierarchy));
        cli_json_set(document, "file",
                     settings->output != NULL && !file_on_stdout ? cli_json_text(settings->output)
                                                                 : json_null());
        cli_json_print(run, document);
    } else if (cli_run_talks(run) && !file_on_stdout) {
        const size_t leaves = settings->leaves.given ? settings->leaves.value : DEFAULT_LEAVES;
        CLI_TRY(print_tree(&run->report, name, hierarchy, leaves, error));
        if (settings->output != NULL) {
            cli_blank(&run->report);
            cli_paragraph(&run->report, 0, "Wrote it to %s; in a plan: hierarchy: %s",
                          settings->output, settings->output);
        }
    }
    return PV_STATUS_OK;
}

/* The values that have no place: the publisher's own data, on the publisher's own screen. A script
 * that asks is answered by the exit status. */
static pv_status show_missing(cli_run *run, const cli_column_source *source, pv_error *error)
{
    size_t n = 0;
    const char **const values = cli_column_uncovered(source, &n, error);
    if (values == NULL) {
        return error->status;
    }
    if (run->common->json) {
        json_t *const document = document_of(run, pv_attribute_name(source->attribute));
        json_t *const list = json_array();
        for (size_t i = 0; i < n; i++) {
            cli_json_append(list, cli_json_text(values[i]));
        }
        cli_json_set(document, "missing", list);
        cli_json_print(run, document);
    } else {
        for (size_t i = 0; i < n; i++) {
            (void)puts(values[i]);
        }
    }
    free(values);
    const char *const file = pv_table_source(source->table);
    const char *const data = cli_equal(file, "-") ? "the data" : file;
    if (n == 0) {
        cli_note(run, "every value of %s has a place in the hierarchy of `%s`", data,
                 pv_attribute_name(source->attribute));
        return PV_STATUS_OK;
    }
    return cli_error(
        error, PV_STATUS_UNSATISFIED, "%s of %s without a place in the hierarchy of `%s`",
        cli_plural_text(n, "value", "values").text, data, pv_attribute_name(source->attribute));
}

static pv_status answer_file(cli_run *run, const cli_hierarchy_settings *settings, pv_error *error)
{
    pv_hierarchy_spec spec = {0};
    pv_hierarchy *hierarchy = NULL;
    pv_status status = PV_STATUS_OK;
    CLI_TRY(pv_hierarchy_spec_read(run->operands.list[0], &spec, error));
    CLI_TRY_CLEAN(pv_hierarchy_build_standalone(&spec, &hierarchy, error));
    CLI_TRY_CLEAN(write_file(run, settings, hierarchy, error));
    CLI_TRY_CLEAN(show(run, settings, hierarchy, error));
cleanup:
    pv_hierarchy_free(hierarchy);
    pv_hierarchy_spec_free(&spec);
    return status;
}

/* Errors never quote values of the data; whoever needs them learns how to ask. */
static pv_status point_to_missing(pv_status status, const char *path,
                                  const cli_column_source *source, pv_error *error)
{
    pv_error unused;
    size_t n = 0;
    free(cli_column_uncovered(source, &n, &unused));
    return n == 0 ? status
                  : cli_hint(status, error, "add --missing to list the values that %s lacks",
                             pv_attribute_hierarchy(source->attribute)->file != NULL
                                 ? pv_attribute_hierarchy(source->attribute)->file
                                 : path);
}

static pv_status answer_column(cli_run *run, const cli_hierarchy_settings *settings, origin from,
                               pv_error *error)
{
    const char *const path = run->operands.list[0];
    cli_column_source source = {0};
    pv_hierarchy *hierarchy = NULL;
    pv_status status = PV_STATUS_OK;
    CLI_TRY_CLEAN(from == FROM_PLAN ? cli_column_from_plan(run, settings, &source, error)
                                    : cli_column_from_data(run, settings, &source, error));
    if (settings->missing) {
        CLI_TRY_CLEAN(show_missing(run, &source, error));
        goto cleanup;
    }
    status = pv_hierarchy_build(pv_attribute_hierarchy(source.attribute), source.table,
                                source.column, &hierarchy, error);
    if (status != PV_STATUS_OK) {
        status = point_to_missing(status, path, &source, error);
        goto cleanup;
    }
    CLI_TRY_CLEAN(write_file(run, settings, hierarchy, error));
    CLI_TRY_CLEAN(show(run, settings, hierarchy, error));
cleanup:
    pv_hierarchy_free(hierarchy);
    cli_column_free(&source);
    return status;
}

static pv_status run_hierarchy(cli_run *run, const void *given, pv_error *error)
{
    const cli_hierarchy_settings *const settings = given;
    const origin from = find_origin(settings, run->operands.list[0]);
    CLI_TRY(check_company(settings, from, error));
    return from == FROM_FILE ? answer_file(run, settings, error)
                             : answer_column(run, settings, from, error);
}

/* ---------------------------------------------------------------- options */

static const char *const description[] = {
    "FILE is a hierarchy (value;level1;...;* in each line): it is validated and drawn as a tree. "
    "FILE is a plan (.yaml, .yml or .json): the hierarchy of one of its attributes is built on its "
    "data and drawn. FILE is a data file: a hierarchy of one of its columns is built as the "
    "options say, to try it out or to write it down.",
    "The tree shows values of the data; it is for the publisher's eyes.",
    NULL,
};

static const char *const sides[] = {"left", "right", NULL};

#define OPTION(...) CLI_OPTION(cli_hierarchy_settings, __VA_ARGS__)

static const cli_option options[] = {
    OPTION("attribute", TEXT, "NAME", attribute,
           "the attribute of the plan, or the column of the data", .letter = 'a'),
    OPTION("output", OUTPUT, "FILE", output, "write the hierarchy in the file form; - prints it",
           .letter = 'o'),
    OPTION("force", FLAG, NULL, force, "overwrite a file that exists", .needs = "output"),
    OPTION("leaves", COUNT, "N", leaves, "draw at most N values, 0 = all (default: 60)", .min = 0,
           .max = UINT32_MAX),
    OPTION(
        "missing", FLAG, NULL, missing,
        "list the values of the data that the hierarchy has no place for; exit status 3 if there "
        "are any",
        .excludes = "output"),
    OPTION("intervals", LIST, "WIDTHS", intervals,
           "numbers into intervals of these widths, each a multiple of the one before: 5,10,20"),
    OPTION("origin", TEXT, "X", origin, "where intervals begin (default: 0)", .needs = "intervals"),
    OPTION("closed", CHOICE, "left|right", closed, "[25,35) or (25,35] (default: left)",
           .choices = sides, .needs = "intervals"),
    OPTION("breaks", LIST, "NUMBERS", breaks,
           "numbers into ranges that begin at these, in ascending order: 25,40,60"),
    OPTION("mask", CHOICE, "left|right", mask, "characters become * one by one from this end",
           .choices = sides),
    OPTION("date", LIST, "UNITS", date,
           "dates into day, week, month, quarter, year, lustrum, decade, century: month,year"),
    OPTION("order", LIST, "SIZES", order, "neighbouring values in groups of these sizes: 2,4"),
    OPTION("rare", TEXT, "SHARE", rare,
           "values rarer than 1% of the rows, or than a number of rows, become one group"),
    OPTION("suppress", FLAG, NULL, suppress, "the value, then *"),
    OPTION("data", FILE, "FILE", data, "with a plan: read this file instead of the one it names"),
    CLI_READING_OPTIONS(cli_hierarchy_settings),
    {.name = NULL},
};

static const cli_example examples[] = {
    {"paravent hierarchy education.csv", "validate a hierarchy file and draw it"},
    {"paravent hierarchy plan.yaml --attribute age", "the hierarchy that the plan makes of age"},
    {"paravent hierarchy plan.yaml --attribute education --missing",
     "which values are missing from its file?"},
    {"paravent hierarchy patients.csv --attribute age --intervals 5,10,20 -o age.csv",
     "build one from the data and write it down"},
    {NULL, NULL},
};

const cli_command cli_command_hierarchy = {
    .name = "hierarchy",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "show, validate, build or write a hierarchy: how values become coarser",
    .description = description,
    .options = options,
    .examples = examples,
    .settings_size = sizeof(cli_hierarchy_settings),
    .run = run_hierarchy,
};
