/* The released table beside the original, for any stretch of rows: what every person's row becomes
 * with a candidate, or became in a file. */
#include "server/candidate.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ROWS 200
#define USUAL_ROWS 50

/* A column that is shown: which quasi-identifier it is, SIZE_MAX = it is released unchanged. */
static size_t quasi_of(const pv_study *study, size_t column)
{
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        if (pv_study_quasi_column(study, q) == column) {
            return q;
        }
    }
    return SIZE_MAX;
}

static json_t *columns_json(const pv_study *study)
{
    const pv_table *const table = pv_study_table(study);
    json_t *const list = json_array();
    for (size_t column = 0; column < pv_table_columns(table); column++) {
        const char *const name = pv_table_name(table, column);
        if (!web_is_hidden(pv_study_plan(study), name)) {
            const pv_plan_attribute *const attribute = pv_plan_find(pv_study_plan(study), name);
            const pv_role role = attribute != NULL ? pv_attribute_role(attribute) : PV_ROLE_OTHER;
            json_t *const object = json_object();
            cli_json_set(object, "name", cli_json_text(name));
            cli_json_set(object, "role", cli_json_text(pv_role_name(role)));
            cli_json_append(list, object);
        }
    }
    return list;
}

/* One row, cell by cell; appends to the lists of rows. */
static void add_row(const web_candidate *c, uint64_t row, json_t *original, json_t *released,
                    json_t *changed)
{
    const pv_study *const study = c->opened.study;
    const pv_table *const table = pv_study_table(study);
    const size_t class = web_class_of(c, row);
    json_t *const before = json_array();
    json_t *const after = json_array();
    json_t *const differs = json_array();
    for (size_t column = 0; column < pv_table_columns(table); column++) {
        const size_t quasi = quasi_of(study, column);
        const char *const value = pv_table_value(table, column, pv_table_code(table, column, row));
        if (web_is_hidden(pv_study_plan(study), pv_table_name(table, column))) {
            continue;
        }
        const char *const shown =
            quasi != SIZE_MAX ? pv_classes_label(c->classes, class, quasi) : value;
        cli_json_append(before, cli_json_text(value));
        cli_json_append(after, cli_json_text(shown));
        cli_json_append(differs, cli_json_bool(strcmp(shown, value) != 0));
    }
    cli_json_append(original, before);
    cli_json_append(released, after);
    cli_json_append(changed, differs);
}

/* Which rows are shown. */
typedef struct {
    uint64_t from, n; /* asked for; then what there is */
    uint64_t below;   /* only of classes of fewer people, and suppressed ones; 0 = of all */
    uint64_t all;     /* that could be shown */
    uint64_t numbers[MOST_ROWS];
} stretch;

static bool is_exposed(const web_candidate *c, uint64_t row, uint64_t below)
{
    const size_t class = web_class_of(c, row);
    return pv_classes_is_suppressed(c->classes, class) ||
           pv_classes_size(c->classes, class) < below;
}

/* All rows from one on. */
static void find_stretch(uint64_t rows, stretch *shown)
{
    const uint64_t wanted = shown->n;
    shown->n = 0;
    shown->all = rows;
    shown->from = shown->from < rows ? shown->from : rows;
    for (uint64_t row = shown->from; row < rows && shown->n < wanted; row++) {
        shown->numbers[shown->n++] = row;
    }
}

static void find_rows(const web_candidate *c, stretch *shown)
{
    const uint64_t rows = pv_profile_rows(c->opened.profile);
    if (shown->below == 0) {
        find_stretch(rows, shown);
        return;
    }
    const uint64_t wanted = shown->n;
    shown->n = 0;
    shown->all = 0;
    shown->from = shown->from < rows ? shown->from : rows;
    for (uint64_t row = 0; row < rows; row++) {
        if (is_exposed(c, row, shown->below)) {
            if (shown->all >= shown->from && shown->n < wanted) {
                shown->numbers[shown->n++] = row;
            }
            shown->all++;
        }
    }
    shown->from = shown->from < shown->all ? shown->from : shown->all;
}

static json_t *rows_json(const web_candidate *c, const stretch *shown)
{
    json_t *const object = json_object();
    json_t *const original = json_array();
    json_t *const released = json_array();
    json_t *const changed = json_array();
    json_t *const suppressed = json_array();
    json_t *const size = json_array();
    json_t *const numbers = json_array();
    cli_json_set(object, "from", cli_json_count(shown->from));
    cli_json_set(object, "n", cli_json_count(shown->n));
    cli_json_set(object, "rows", cli_json_count(shown->all));
    cli_json_set(object, "columns", columns_json(c->opened.study));
    for (uint64_t i = 0; i < shown->n; i++) {
        const uint64_t row = shown->numbers[i];
        const size_t class = web_class_of(c, row);
        add_row(c, row, original, released, changed);
        cli_json_append(suppressed, cli_json_bool(pv_classes_is_suppressed(c->classes, class)));
        cli_json_append(size, cli_json_count(pv_classes_size(c->classes, class)));
        cli_json_append(numbers, cli_json_count(row));
    }
    cli_json_set(object, "original", original);
    cli_json_set(object, "released", released);
    cli_json_set(object, "changed", changed);
    cli_json_set(object, "suppressed", suppressed);
    cli_json_set(object, "size", size);
    cli_json_set(object, "numbers", numbers);
    return object;
}

/* ----------------------------------------------------------------------- files */

/* A cell; null where a file does not say. */
static void add_cell(json_t *list, const char *value)
{
    cli_json_append(list, value != NULL ? cli_json_text(value) : json_null());
}

/* A row of the original and of a file, NULL = which lacks it; appends to the lists of rows. */
static void add_row_of_file(const pv_study *study, const pv_table *read, uint64_t row,
                            const pv_shown_row *found, json_t *object)
{
    const pv_table *const table = pv_study_table(study);
    json_t *const before = json_array();
    json_t *const after = json_array();
    json_t *const differs = json_array();
    for (size_t column = 0; column < pv_table_columns(table); column++) {
        const char *const name = pv_table_name(table, column);
        if (web_is_hidden(pv_study_plan(study), name)) {
            continue;
        }
        const char *const value = pv_table_value(table, column, pv_table_code(table, column, row));
        const size_t same = pv_table_find(read, name);
        const char *const shown = found != NULL && same != SIZE_MAX ? found->cells[same] : NULL;
        add_cell(before, value);
        add_cell(after, shown);
        cli_json_append(differs, cli_json_bool(shown != NULL && strcmp(shown, value) != 0));
    }
    cli_json_append(json_object_get(object, "original"), before);
    cli_json_append(json_object_get(object, "released"), after);
    cli_json_append(json_object_get(object, "changed"), differs);
    cli_json_append(json_object_get(object, "missing"), cli_json_bool(found == NULL));
    cli_json_append(json_object_get(object, "suppressed"),
                    cli_json_bool(found != NULL && found->is_suppressed));
    cli_json_append(json_object_get(object, "size"),
                    cli_json_count(found != NULL ? found->class_size : 0));
    cli_json_append(json_object_get(object, "numbers"), cli_json_count(row));
}

/* `read` is the table that the file was matched with: it may have columns of its own. */
static json_t *file_rows_json(const pv_study *study, const pv_table *read, const stretch *shown,
                              const pv_comparison *comparison)
{
    static const char *const lists[] = {"original",   "released", "changed", "missing",
                                        "suppressed", "size",     "numbers"};
    json_t *const object = json_object();
    cli_json_set(object, "from", cli_json_count(shown->from));
    cli_json_set(object, "n", cli_json_count(shown->n));
    cli_json_set(object, "rows", cli_json_count(shown->all));
    cli_json_set(object, "columns", columns_json(study));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        cli_json_set(object, lists[i], json_array());
    }
    for (size_t i = 0; i < shown->n; i++) {
        add_row_of_file(study, read, shown->numbers[i], pv_comparison_shown_row(comparison, 0, i),
                        object);
    }
    return object;
}

/* Its rows are matched as in a comparison: by a row map, a key, or their order. */
static pv_status rows_of_file(web_call *call, const json_t *spec, stretch *shown, json_t **result,
                              pv_error *error)
{
    static const char *const properties[] = {"class-size"};
    const pv_study *const study = call->snapshot->opened.study;
    const pv_study *original = NULL;
    const char *path = NULL;
    const char *map = NULL;
    const char *key = NULL;
    pv_study *reread = NULL;
    pv_comparison *comparison = NULL;
    char *file = NULL;
    char *map_file = NULL;
    pv_status status = PV_STATUS_OK;
    CLI_TRY(web_text_of(spec, "path", &path, error));
    CLI_TRY(web_text_of(spec, "row_map", &map, error));
    CLI_TRY(web_text_of(spec, "key", &key, error));
    if (path == NULL) {
        return cli_error(error, PV_STATUS_ARGUMENT, "a file needs a `path`");
    }
    if (shown->below > 0) {
        return cli_error(error, PV_STATUS_ARGUMENT, "`below` is of candidates only");
    }
    const bool has_map = map != NULL && map[0] != '\0';
    CLI_TRY_CLEAN(web_path(call, path, false, &file, error));
    if (has_map) {
        CLI_TRY_CLEAN(web_path(call, map, false, &map_file, error));
    }
    CLI_TRY_CLEAN(web_original_of(call, key, &reread, &original, error));
    find_stretch(pv_table_rows(pv_study_table(study)), shown);
    const pv_comparison_options options = {.size = sizeof options,
                                           .key = key != NULL && key[0] != '\0' ? key : NULL,
                                           .row_maps = (const char *const *)&map_file,
                                           .n_row_maps = has_map,
                                           .properties = properties,
                                           .n_properties = 1,
                                           .shown = shown->numbers,
                                           .n_shown = shown->n};
    CLI_TRY_CLEAN(pv_comparison_open(original, (const char *const *)&file, 1, &options,
                                     &call->context, &comparison, error));
    *result = file_rows_json(study, pv_study_table(original), shown, comparison);
cleanup:
    pv_comparison_free(comparison);
    pv_study_free(reread);
    free(map_file);
    free(file);
    return status;
}

/* -------------------------------------------------------------------- endpoint */

pv_status web_rows(web_call *call, json_t **result, pv_error *error)
{
    const json_t *spec = NULL;
    const char *scheme = NULL;
    web_candidate *candidate = NULL;
    stretch shown = {.from = 0};
    CLI_TRY(web_spec_of(call, &spec, error));
    CLI_TRY(web_count_of(call->params, "from", 0, &shown.from, error));
    CLI_TRY(web_count_of(call->params, "n", USUAL_ROWS, &shown.n, error));
    CLI_TRY(web_count_of(call->params, "below", 0, &shown.below, error));
    if (shown.n > MOST_ROWS) {
        return cli_error(error, PV_STATUS_ARGUMENT, "at most %d rows at a time", MOST_ROWS);
    }
    CLI_TRY(web_text_of(spec, "scheme", &scheme, error));
    if (scheme != NULL && cli_equal(scheme, "file")) {
        return rows_of_file(call, spec, &shown, result, error);
    }
    CLI_TRY(web_candidate_find(call, spec, &candidate, error));
    find_rows(candidate, &shown);
    *result = rows_json(candidate, &shown);
    web_candidate_release(candidate);
    return PV_STATUS_OK;
}
