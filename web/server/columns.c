/* `columns`: what every column of the data is, what its values are like and what it would expose.
 *
 * The whole table is read for it, since a study has neither identifiers nor columns that the plan
 * does not name; it is counted and freed. Only then are roles guessed: guessing declares how values
 * are written, and what is counted is what the plan says. */
#include "server/columns.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/opened.h"
#include "core/text.h"
#include "server/endpoints.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define RARE_BELOW 5 /* as `inspect` has it */

/* ------------------------------------------------------------------ reading */

/* The first file that is there and is no plain one; owned. */
static void find_odd(void *ctx, const char *path)
{
    char **const odd = ctx;
    struct stat found;
    if (*odd == NULL && stat(path, &found) == 0 && !S_ISREG(found.st_mode)) {
        *odd = cli_copy(path);
    }
}

pv_status web_plan_parse(const char *path, const char *text, pv_plan **plan, pv_error *error)
{
    char *odd = NULL;
    pv_status status = pv_plan_each_file(path, text, strlen(text), find_odd, &odd, error);
    if (status == PV_STATUS_OK && odd != NULL) {
        status = cli_hint(cli_error_at(error, PV_STATUS_INPUT, odd, 0, 0, "this is no plain file"),
                          error, "save what comes out of it in a file, and name that in the plan");
    }
    free(odd);
    return status == PV_STATUS_OK ? pv_plan_parse(path, text, strlen(text), plan, error) : status;
}

static bool is_wanted(void *ctx, const char *column)
{
    return strcmp(ctx, column) == 0;
}

static bool is_written_somehow(const pv_format *format)
{
    return format->decimal != '\0' || format->date[0] != '\0' || format->first_year != 0;
}

/* A type that does not fit is a mistake in the plan, which is said elsewhere: here the column is
 * shown as it is. */
static pv_status take_type(const pv_plan *plan, pv_table *table, size_t column, pv_error *error)
{
    static const pv_format none = {0};
    const pv_plan_attribute *const attribute = pv_plan_find(plan, pv_table_name(table, column));
    if (attribute != NULL) {
        if (is_written_somehow(pv_attribute_format(attribute))) {
            pv_table_set_format(table, column, pv_attribute_format(attribute));
        }
        const pv_status status =
            pv_table_set_type(table, column, pv_attribute_type(attribute), error);
        if (status != PV_STATUS_INPUT) {
            return status;
        }
        pv_table_set_format(table, column, &none);
    }
    return pv_table_set_type(table, column, PV_TYPE_AUTO, error);
}

pv_status web_table_read(web_call *call, const pv_plan *plan, const char *only, pv_table **table,
                         pv_error *error)
{
    const char *const data = pv_plan_data(plan);
    pv_read_options options = pv_plan_reading(plan);
    pv_table *made = NULL;
    pv_status status;
    if (data == NULL || cli_equal(data, "-")) {
        return cli_hint(cli_error(error, PV_STATUS_INPUT, "the plan names no file with data"),
                        error, "write `data: FILE.csv`");
    }
    if (only != NULL) {
        options.keep = is_wanted;
        options.keep_ctx = (void *)(uintptr_t)only;
    }
    CLI_TRY(pv_table_read(data, &options, &call->context, &made, error));
    for (size_t column = 0; column < pv_table_columns(made); column++) {
        CLI_TRY_CLEAN(take_type(plan, made, column, error));
    }
    *table = made;
    return PV_STATUS_OK;
cleanup:
    pv_table_free(made);
    return status;
}

/* ----------------------------------------------------------------- counting */

web_column web_column_look(const pv_table *table, size_t column)
{
    const uint32_t missing = pv_table_missing(table, column);
    web_column look = {.type = pv_table_type(table, column)};
    for (uint32_t code = 0; code < pv_table_values(table, column); code++) {
        const uint64_t rows = pv_table_count(table, column, code);
        look.missing += code == missing ? rows : 0;
        look.values += code != missing;
        look.unique += code != missing && rows == 1;
    }
    return look;
}

static bool is_open(const pv_plan_attribute *attribute)
{
    return pv_attribute_role(attribute) == PV_ROLE_UNDECIDED ||
           pv_attribute_open_format(attribute) != '\0';
}

bool web_column_is_hidden(const pv_plan_attribute *attribute, pv_role guessed,
                          const web_column *look, uint64_t rows)
{
    const pv_role role = attribute != NULL ? pv_attribute_role(attribute) : PV_ROLE_UNDECIDED;
    const bool is_text = look->type != PV_TYPE_INTEGER && look->type != PV_TYPE_DECIMAL &&
                         look->type != PV_TYPE_DATE;
    return role == PV_ROLE_IDENTIFIER ||
           (role == PV_ROLE_UNDECIDED &&
            (guessed == PV_ROLE_IDENTIFIER || (is_text && look->values > rows / 2)));
}

/* ------------------------------------------------------------------ telling */

typedef struct {
    web_call *call;
    const pv_plan *plan;
    pv_table *table;
    web_column *looks;
    json_t **bins;
    uint64_t *others;
} survey;

static json_t *text_or_null(const char *text)
{
    return text != NULL && text[0] != '\0' ? cli_json_text(text) : json_null();
}

/* Of a quasi-identifier of the study that is open; SIZE_MAX = it is none. */
static size_t find_quasi(const pv_study *study, const char *name)
{
    for (size_t q = 0; study != NULL && q < pv_study_quasis(study); q++) {
        if (strcmp(pv_study_quasi_name(study, q), name) == 0) {
            return q;
        }
    }
    return SIZE_MAX;
}

static void tell_hierarchy(json_t *entry, const survey *s, const char *name)
{
    const pv_plan_attribute *const attribute = pv_plan_find(s->plan, name);
    const pv_study *const study = s->call->snapshot->opened.study;
    const size_t quasi = find_quasi(study, name);
    const bool has_one = attribute != NULL && (pv_attribute_has_hierarchy(attribute) ||
                                               pv_attribute_role(attribute) == PV_ROLE_QUASI);
    cli_json_set(
        entry, "hierarchy",
        has_one ? cli_json_text(pv_hierarchy_kind_name(pv_attribute_hierarchy(attribute)->kind))
                : json_null());
    cli_json_set(entry, "height",
                 quasi != SIZE_MAX
                     ? cli_json_count(pv_hierarchy_height(pv_study_hierarchy(study, quasi)))
                     : json_null());
}

static json_t *tell_column(survey *s, size_t column, const pv_guesses *guesses)
{
    json_t *const entry = json_object();
    const char *const name = pv_table_name(s->table, column);
    const pv_plan_attribute *const attribute = pv_plan_find(s->plan, name);
    const web_column *const look = &s->looks[column];
    const pv_role guessed = pv_guesses_role(guesses, column);
    const bool is_hidden = web_column_is_hidden(attribute, guessed, look, pv_table_rows(s->table));
    const bool asks = attribute != NULL && is_open(attribute);
    cli_json_set(entry, "name", cli_json_text(name));
    cli_json_set(entry, "type", cli_json_text(pv_type_name(look->type)));
    cli_json_set(entry, "role",
                 attribute != NULL ? cli_json_text(pv_role_name(pv_attribute_role(attribute)))
                                   : json_null());
    cli_json_set(entry, "guess", cli_json_text(pv_role_name(guessed)));
    cli_json_set(entry, "why", text_or_null(pv_guesses_reason(guesses, column)));
    cli_json_set(entry, "question",
                 asks ? text_or_null(pv_guesses_question(guesses, column)) : json_null());
    cli_json_set(entry, "open", cli_json_bool(asks));
    cli_json_set(entry, "named", cli_json_bool(attribute != NULL));
    cli_json_set(entry, "values", cli_json_count(look->values));
    cli_json_set(entry, "missing", cli_json_count(look->missing));
    cli_json_set(entry, "unique", cli_json_count(look->unique));
    cli_json_set(entry, "hidden", cli_json_bool(is_hidden));
    cli_json_set(entry, "bins", is_hidden ? json_array() : json_incref(s->bins[column]));
    cli_json_set(entry, "others", cli_json_count(is_hidden ? 0 : s->others[column]));
    tell_hierarchy(entry, s, name);
    cli_json_set(entry, "alone", json_null());
    return entry;
}

static void tell_alone(json_t *columns, const pv_study *study, const pv_exposure *exposure)
{
    size_t i;
    json_t *entry;
    json_array_foreach(columns, i, entry)
    {
        const size_t quasi = find_quasi(study, json_string_value(json_object_get(entry, "name")));
        if (quasi == SIZE_MAX) {
            continue;
        }
        const pv_exposure_part *const part = pv_exposure_single(exposure, quasi);
        json_t *const alone = json_object();
        cli_json_set(alone, "unique", cli_json_count(pv_exposure_part_unique_rows(part)));
        cli_json_set(alone, "rare", cli_json_count(pv_exposure_part_rare_rows(part)));
        cli_json_set(alone, "mean_risk", cli_json_number(pv_exposure_part_mean_risk(part)));
        cli_json_set(alone, "unique_saved", cli_json_count(pv_exposure_part_unique_saved(part)));
        cli_json_set(entry, "alone", alone);
    }
}

static void count_all(survey *s)
{
    const size_t n = pv_table_columns(s->table);
    s->looks = cli_zeroed(n, sizeof *s->looks);
    s->bins = cli_zeroed(n, sizeof *s->bins);
    s->others = cli_zeroed(n, sizeof *s->others);
    for (size_t column = 0; column < n; column++) {
        s->looks[column] = web_column_look(s->table, column);
        s->bins[column] = web_column_bins(s->table, column, &s->others[column]);
    }
}

static void survey_free(survey *s)
{
    for (size_t column = 0; s->bins != NULL && column < pv_table_columns(s->table); column++) {
        json_decref(s->bins[column]);
    }
    free(s->bins);
    free(s->looks);
    free(s->others);
    pv_table_free(s->table);
}

static pv_status tell_all(survey *s, json_t **result, pv_error *error)
{
    pv_guesses *guesses = NULL;
    CLI_TRY(pv_guesses_create(s->table, pv_plan_data(s->plan), &guesses, error));
    json_t *const columns = json_array();
    for (size_t column = 0; column < pv_table_columns(s->table); column++) {
        cli_json_append(columns, tell_column(s, column, guesses));
    }
    pv_guesses_free(guesses);
    *result = json_object();
    cli_json_set(*result, "rows", cli_json_count(pv_table_rows(s->table)));
    cli_json_set(*result, "columns", columns);
    return PV_STATUS_OK;
}

/* What the quasi-identifiers would expose takes longer than the rest, which is shown before. */
static pv_status add_exposure(web_call *call, json_t *result, pv_error *error)
{
    pv_exposure *exposure = NULL;
    if (call->snapshot->opened.study == NULL) {
        return PV_STATUS_OK;
    }
    web_partial(call, json_deep_copy(result));
    CLI_TRY(pv_exposure_create(call->snapshot->opened.profile, RARE_BELOW, &call->context,
                               &exposure, error));
    tell_alone(json_object_get(result, "columns"), call->snapshot->opened.study, exposure);
    pv_exposure_free(exposure);
    return PV_STATUS_OK;
}

pv_status web_columns(web_call *call, json_t **result, pv_error *error)
{
    const web_snapshot *const snapshot = call->snapshot;
    pv_plan *plan = NULL;
    json_t *made = NULL;
    survey s = {.call = call};
    pv_status status = web_plan_parse(snapshot->plan_path, snapshot->plan_text, &plan, error);
    if (status != PV_STATUS_OK) {
        return status;
    }
    s.plan = plan;
    CLI_TRY_CLEAN(web_table_read(call, plan, NULL, &s.table, error));
    count_all(&s);
    CLI_TRY_CLEAN(tell_all(&s, &made, error));
    survey_free(&s);
    s = (survey){0};
    CLI_TRY_CLEAN(add_exposure(call, made, error));
    *result = made;
    made = NULL;
cleanup:
    json_decref(made);
    survey_free(&s);
    pv_plan_free(plan);
    return status;
}
