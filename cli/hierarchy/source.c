/* One column of a data file and how its hierarchy is to be built.
 *
 * Options such as --intervals are turned into a plan of one attribute and parsed as such: what is
 * allowed in a plan is allowed here, and it is checked in one place. */
#include "hierarchy/hierarchy.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/opened.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- reading */

/* Keeps the wanted column and remembers the names of all, to suggest one. */
typedef struct {
    const char *wanted;
    char *names[64];
    size_t n;
} column_choice;

static bool keep_wanted(void *ctx, const char *column)
{
    column_choice *const choice = ctx;
    if (choice->n < sizeof choice->names / sizeof *choice->names) {
        choice->names[choice->n++] = cli_copy(column);
    }
    return cli_equal(column, choice->wanted);
}

static pv_status no_column(const char *data, const column_choice *choice, pv_error *error)
{
    const pv_status status =
        cli_error_at(error, PV_STATUS_INPUT, data, 1, 0, "there is no column `%s`", choice->wanted);
    const char *const near =
        cli_suggest(choice->wanted, (const char *const *)choice->names, choice->n);
    return near != NULL ? cli_hint(status, error, "did you mean `%s`?", near) : status;
}

static pv_status read_column(cli_run *run, const char *data, pv_read_options options,
                             cli_column_source *source, pv_error *error)
{
    column_choice choice = {.wanted = pv_attribute_name(source->attribute)};
    options.keep = keep_wanted;
    options.keep_ctx = &choice;
    pv_status status = pv_table_read(data, &options, &run->context, &source->table, error);
    if (status == PV_STATUS_OK) {
        cli_reading_note(run, source->table);
        source->column = pv_table_find(source->table, choice.wanted);
        status = source->column == SIZE_MAX ? no_column(data, &choice, error) : PV_STATUS_OK;
    }
    if (status == PV_STATUS_OK) {
        pv_table_set_format(source->table, source->column, pv_attribute_format(source->attribute));
        status = pv_table_set_type(source->table, source->column,
                                   pv_attribute_type(source->attribute), error);
    }
    for (size_t i = 0; i < choice.n; i++) {
        free(choice.names[i]);
    }
    return status;
}

/* ------------------------------------------------------------- from a plan */

static pv_status find_attribute(cli_column_source *source, const char *path, const char *name,
                                pv_error *error)
{
    const pv_plan *const plan = source->plan;
    source->attribute = pv_plan_find(plan, name);
    if (source->attribute != NULL) {
        return PV_STATUS_OK;
    }
    const size_t n = pv_plan_n_attributes(plan);
    const char **const names = cli_zeroed(n, sizeof *names);
    for (size_t i = 0; i < n; i++) {
        names[i] = pv_attribute_name(pv_plan_attribute_at(plan, i));
    }
    const char *const near = cli_suggest(name, names, n);
    free(names);
    const pv_status status =
        cli_error_at(error, PV_STATUS_ARGUMENT, path, 0, 0, "the plan has no attribute `%s`", name);
    return near != NULL ? cli_hint(status, error, "did you mean `%s`?", near) : status;
}

pv_status cli_column_from_plan(cli_run *run, const cli_hierarchy_settings *settings,
                               cli_column_source *source, pv_error *error)
{
    const char *const plan = run->operands.list[0];
    CLI_TRY(pv_plan_read(plan, &source->plan, error));
    CLI_TRY(pv_plan_protect(source->plan, run->outputs, error));
    CLI_TRY(pv_plan_check_answered(source->plan, error));
    CLI_TRY(find_attribute(source, plan, settings->attribute, error));
    cli_reading_overrule(&settings->reading, source->plan);
    const char *const file = settings->data != NULL ? settings->data : pv_plan_data(source->plan);
    if (file == NULL) {
        return cli_hint(cli_error_at(error, PV_STATUS_INPUT, plan, 0, 0, "no data is named"), error,
                        "give it with --data FILE");
    }
    pv_read_options options = pv_plan_reading(source->plan);
    options.skip_bad_rows = settings->reading.skip_bad_rows;
    return read_column(run, file, options, source, error);
}

/* ------------------------------------------------------------ from options */

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text != NULL) {
        cli_json_set(object, key, cli_json_text(text));
    }
}

static void set_list(json_t *object, const char *key, const char *text)
{
    if (text == NULL) {
        return;
    }
    char **const parts = cli_list_split(text, ',', NULL);
    json_t *const list = json_array();
    for (size_t i = 0; parts[i] != NULL; i++) {
        cli_json_append(list, cli_json_text(parts[i]));
    }
    cli_json_set(object, key, list);
    cli_list_free(parts);
}

/* {"attributes": {NAME: {"role": "quasi", "hierarchy": {...}}}} */
static char *plan_text(const cli_hierarchy_settings *b)
{
    json_t *const hierarchy = json_object();
    set_list(hierarchy, "intervals", b->intervals);
    set_text(hierarchy, "origin", b->origin);
    set_text(hierarchy, "closed", b->closed);
    set_list(hierarchy, "breaks", b->breaks);
    set_text(hierarchy, "mask", b->mask);
    set_list(hierarchy, "date", b->date);
    set_list(hierarchy, "order", b->order);
    set_text(hierarchy, "rare", b->rare);
    set_text(hierarchy, "suppress", b->suppress ? "true" : NULL);
    json_t *const entry = json_object();
    json_t *const attributes = json_object();
    json_t *const plan = json_object();
    cli_json_set(entry, "role", cli_json_text("quasi"));
    cli_json_set(entry, "hierarchy", hierarchy);
    cli_json_set(attributes, b->attribute, entry);
    cli_json_set(plan, "attributes", attributes);
    char *const text = json_dumps(plan, JSON_COMPACT);
    json_decref(plan);
    if (text == NULL) {
        cli_no_memory();
    }
    return text;
}

pv_status cli_column_from_data(cli_run *run, const cli_hierarchy_settings *settings,
                               cli_column_source *source, pv_error *error)
{
    char *const text = plan_text(settings);
    const pv_status status = pv_plan_parse("options", text, strlen(text), &source->plan, error);
    free(text);
    if (status != PV_STATUS_OK) {
        /* The place in the made-up plan would only confuse. */
        error->file[0] = '\0';
        error->line = 0;
        return status;
    }
    source->attribute = pv_plan_attribute_at(source->plan, 0);
    return read_column(run, run->operands.list[0], cli_reading_options(&settings->reading), source,
                       error);
}

void cli_column_free(cli_column_source *source)
{
    pv_table_free(source->table);
    pv_plan_free(source->plan);
}

/* --------------------------------------------------------------- uncovered */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **cli_column_uncovered(const cli_column_source *source, size_t *n, pv_error *error)
{
    const pv_hierarchy_spec *const spec = pv_attribute_hierarchy(source->attribute);
    const bool rows = spec->kind == PV_HIERARCHY_ROWS;
    const bool listed = rows || (spec->kind == PV_HIERARCHY_ORDER && spec->values != NULL);
    const bool of_numbers =
        spec->kind == PV_HIERARCHY_INTERVALS || spec->kind == PV_HIERARCHY_BREAKS;
    *n = 0;
    if (spec->kind == PV_HIERARCHY_DATE) {
        error->status =
            cli_error(error, PV_STATUS_ARGUMENT,
                      "--missing is for hierarchies that name their values, or numbers");
        return NULL;
    }
    /* The values a specification names one by one, sorted. */
    const size_t n_names = rows ? spec->n_rows : spec->n_values;
    const char **const names = cli_zeroed(n_names, sizeof *names);
    for (size_t i = 0; i < n_names; i++) {
        names[i] = rows ? spec->rows[i][0] : spec->values[i];
    }
    qsort(names, n_names, sizeof *names, compare_texts);
    const uint32_t n_values = pv_table_values(source->table, source->column);
    const char **const list = cli_zeroed(n_values, sizeof *list);
    for (uint32_t code = 0; code < n_values; code++) {
        pv_decimal unused;
        const char *const value = pv_table_value(source->table, source->column, code);
        const bool placed =
            code == pv_table_missing(source->table, source->column) ||
            (listed ? bsearch(&value, names, n_names, sizeof *names, compare_texts) != NULL
                    : !of_numbers || pv_decimal_parse(value, strlen(value), &unused));
        if (!placed) {
            list[(*n)++] = value;
        }
    }
    free(names);
    return list;
}
