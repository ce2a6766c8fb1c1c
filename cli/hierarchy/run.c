/* `paravent hierarchy`: show, validate, build and write a hierarchy. */
#include "core/command.h"
#include "core/fail.h"
#include "core/json.h"
#include "core/outputs.h"
#include "core/text.h"
#include "hierarchy/print.h"
#include "hierarchy/source.h"

#include <paravent/paravent.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_LEAVES 60

typedef struct {
    cli_common common;
    cli_reading reading;
    cli_builder builder;
    const char *attribute, *data, *output;
    cli_count leaves;
    bool missing, force;
} hierarchy_settings;

/* ------------------------------------------------------------ the question */

typedef enum { FROM_FILE, FROM_PLAN, FROM_DATA } origin;

static bool is_plan(const char *path)
{
    return cli_ends_with(path, ".yaml") || cli_ends_with(path, ".yml") ||
           cli_ends_with(path, ".json");
}

static origin find_origin(const hierarchy_settings *settings, const char *path)
{
    return is_plan(path)                           ? FROM_PLAN
           : cli_builder_given(&settings->builder) ? FROM_DATA
                                                   : FROM_FILE;
}

static bool reading_given(const cli_reading *reading)
{
    return reading->delimiter != 0 || reading->header || reading->no_header || reading->no_quotes ||
           reading->keep_blanks || reading->skip_bad_rows;
}

/* Options that would do nothing are refused rather than ignored. */
static pv_status check_company(const hierarchy_settings *settings, origin from, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    if (from == FROM_PLAN && cli_builder_given(&settings->builder)) {
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

static json_t *document_of(const cli_run *run, const char *attribute)
{
    json_t *const document = cli_json_document("hierarchy");
    cli_json_set(document, "source", cli_json_text(run->operands.list[0]));
    cli_json_set(document, "attribute", attribute != NULL ? cli_json_text(attribute) : json_null());
    return document;
}

static pv_status write_file(cli_run *run, const hierarchy_settings *settings,
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

static pv_status show(cli_run *run, const hierarchy_settings *settings,
                      const pv_hierarchy *hierarchy, pv_error *error)
{
    const char *const name =
        settings->attribute != NULL ? settings->attribute : run->operands.list[0];
    const bool file_on_stdout = settings->output != NULL && cli_equal(settings->output, "-");
    if (run->common->json) {
        json_t *const document = document_of(run, settings->attribute);
        cli_json_set(document, "hierarchy", cli_tree_json(hierarchy));
        cli_json_set(document, "file",
                     settings->output != NULL && !file_on_stdout ? cli_json_text(settings->output)
                                                                 : json_null());
        cli_json_print(run, document);
    } else if (cli_run_talks(run) && !file_on_stdout) {
        const size_t leaves = settings->leaves.given ? settings->leaves.value : DEFAULT_LEAVES;
        CLI_TRY(cli_tree_print(&run->report, name, hierarchy, leaves, error));
        if (settings->output != NULL) {
            cli_blank(&run->report);
            cli_paragraph(&run->report, 0, "Wrote it to %s; in a plan: hierarchy: %s",
                          settings->output, settings->output);
        }
    }
    return PV_STATUS_OK;
}

/* The values that have no place: the publisher's own data, on the publisher's own screen. */
/* A script that asks is answered by the exit status. */
static pv_status answer_missing(cli_run *run, const cli_column_source *source, size_t n,
                                pv_error *error)
{
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

static pv_status show_missing(cli_run *run, const cli_column_source *source, pv_error *error)
{
    const pv_table *const table = source->table;
    uint32_t *const codes = cli_zeroed(pv_table_values(table, source->column), sizeof *codes);
    size_t n = 0;
    const pv_status status = cli_column_uncovered(source, codes, &n, error);
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) {
        cli_json_append(list, cli_json_text(pv_table_value(table, source->column, codes[i])));
    }
    if (status == PV_STATUS_OK && run->common->json) {
        json_t *const document = document_of(run, pv_attribute_name(source->attribute));
        cli_json_set(document, "missing", json_incref(list));
        cli_json_print(run, document);
    } else if (status == PV_STATUS_OK) {
        for (size_t i = 0; i < n; i++) {
            (void)puts(pv_table_value(table, source->column, codes[i]));
        }
    }
    json_decref(list);
    free(codes);
    CLI_TRY(status);
    return answer_missing(run, source, n, error);
}

static pv_status answer_file(cli_run *run, const hierarchy_settings *settings, pv_error *error)
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
    uint32_t *const codes =
        cli_zeroed(pv_table_values(source->table, source->column), sizeof *codes);
    pv_error unused;
    size_t n = 0;
    if (cli_column_uncovered(source, codes, &n, &unused) == PV_STATUS_OK && n > 0) {
        status = cli_hint(status, error, "add --missing to list the values that %s lacks",
                          pv_attribute_hierarchy(source->attribute)->file != NULL
                              ? pv_attribute_hierarchy(source->attribute)->file
                              : path);
    }
    free(codes);
    return status;
}

static pv_status answer_column(cli_run *run, const hierarchy_settings *settings, origin from,
                               pv_error *error)
{
    const char *const path = run->operands.list[0];
    cli_column_source source = {0};
    pv_hierarchy *hierarchy = NULL;
    pv_status status = PV_STATUS_OK;
    CLI_TRY_CLEAN(from == FROM_PLAN
                      ? cli_column_from_plan(run, path, settings->attribute, settings->data,
                                             &settings->reading, &source, error)
                      : cli_column_from_data(run, path, settings->attribute, &settings->builder,
                                             &settings->reading, &source, error));
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
    const hierarchy_settings *const settings = given;
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

static const cli_option options[] = {
    {.name = "attribute",
     .letter = 'a',
     .kind = CLI_TEXT,
     .argument = "NAME",
     .offset = offsetof(hierarchy_settings, attribute),
     .help = "the attribute of the plan, or the column of the data"},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .argument = "FILE",
     .offset = offsetof(hierarchy_settings, output),
     .help = "write the hierarchy in the file form; - prints it"},
    {.name = "force",
     .kind = CLI_FLAG,
     .needs = "output",
     .offset = offsetof(hierarchy_settings, force),
     .help = "overwrite a file that exists"},
    {.name = "leaves",
     .kind = CLI_COUNT,
     .argument = "N",
     .min = 0,
     .max = UINT32_MAX,
     .offset = offsetof(hierarchy_settings, leaves),
     .help = "draw at most N values, 0 = all (default: 60)"},
    {.name = "missing",
     .kind = CLI_FLAG,
     .excludes = "output",
     .offset = offsetof(hierarchy_settings, missing),
     .help =
         "list the values of the data that the hierarchy has no place for; exit status 3 if there "
         "are any"},
    {.name = "intervals",
     .kind = CLI_LIST,
     .argument = "WIDTHS",
     .offset = offsetof(hierarchy_settings, builder.intervals),
     .help = "numbers into intervals of these widths, each a multiple of the one before: 5,10,20"},
    {.name = "origin",
     .kind = CLI_TEXT,
     .argument = "X",
     .needs = "intervals",
     .offset = offsetof(hierarchy_settings, builder.origin),
     .help = "where intervals begin (default: 0)"},
    {.name = "closed",
     .kind = CLI_CHOICE,
     .argument = "left|right",
     .choices = sides,
     .needs = "intervals",
     .offset = offsetof(hierarchy_settings, builder.closed),
     .help = "[25,35) or (25,35] (default: left)"},
    {.name = "breaks",
     .kind = CLI_LIST,
     .argument = "NUMBERS",
     .offset = offsetof(hierarchy_settings, builder.breaks),
     .help = "numbers into ranges that begin at these, in ascending order: 25,40,60"},
    {.name = "mask",
     .kind = CLI_CHOICE,
     .argument = "left|right",
     .choices = sides,
     .offset = offsetof(hierarchy_settings, builder.mask),
     .help = "characters become * one by one from this end"},
    {.name = "date",
     .kind = CLI_LIST,
     .argument = "UNITS",
     .offset = offsetof(hierarchy_settings, builder.date),
     .help = "dates into day, week, month, quarter, year, lustrum, decade, century: month,year"},
    {.name = "order",
     .kind = CLI_LIST,
     .argument = "SIZES",
     .offset = offsetof(hierarchy_settings, builder.order),
     .help = "neighbouring values in groups of these sizes: 2,4"},
    {.name = "rare",
     .kind = CLI_TEXT,
     .argument = "SHARE",
     .offset = offsetof(hierarchy_settings, builder.rare),
     .help = "values rarer than 1% of the rows, or than a number of rows, become one group"},
    {.name = "suppress",
     .kind = CLI_FLAG,
     .offset = offsetof(hierarchy_settings, builder.suppress),
     .help = "the value, then *"},
    {.name = "data",
     .kind = CLI_FILE,
     .argument = "FILE",
     .offset = offsetof(hierarchy_settings, data),
     .help = "with a plan: read this file instead of the one it names"},
    CLI_READING_OPTIONS(hierarchy_settings),
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
    .settings_size = sizeof(hierarchy_settings),
    .run = run_hierarchy,
};
