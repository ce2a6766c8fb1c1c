/* How an engine's rows become a table: which columns are wanted, one statement, lines, the reader.
 */
#include "engine/read.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "engine/lines.h"
#include "engine/sql.h"
#include "table/column.h"

#include <string.h>

/* ----------------------------------------------------------------- connections */

pv_status pv_i_link_open(pv_link *link, const pv_place *place, const pv_context *context,
                         pv_error *error)
{
    PV_TRY(place->engine->open(place, context, &link->connection, error));
    link->engine = place->engine;
    link->sql =
        link->engine->speaks != NULL ? link->engine->speaks(link->connection) : link->engine->sql;
    return PV_STATUS_OK;
}

void pv_i_link_close(pv_link *link)
{
    if (link->engine != NULL) {
        link->engine->close(link->connection);
    }
    *link = (pv_link){0};
}

/* --------------------------------------------------------------------- counting */

static void names_free(char **names, size_t n)
{
    for (size_t i = 0; names != NULL && i < n; i++) {
        pv_i_free(names[i]);
    }
    pv_i_free(names);
}

/* Replaces what stands after FROM, where a column folds. */
static pv_status unfold(const pv_sql *sql, const char *const *columns, size_t n_columns,
                        const pv_engine_columns *there, char **from, pv_error *error)
{
    bool *const folds = PV_NEW_ZEROED(bool, n_columns);
    pv_buffer made = {0};
    bool any = false;
    for (size_t i = 0; folds != NULL && i < n_columns; i++) {
        for (size_t c = 0; c < there->n; c++) { /* the names are the very texts */
            folds[i] =
                folds[i] || (there->columns[c].name == columns[i] && there->columns[c].folds);
        }
        any = any || folds[i];
    }
    if (any) {
        pv_i_sql_unfolded(&made, sql, *from, columns, folds, n_columns);
    }
    char *const text = any && !made.failed ? pv_i_strdup(made.data) : NULL;
    if (text != NULL) {
        pv_i_free(*from);
        *from = text;
    }
    const bool failed = folds == NULL || (any && text == NULL);
    pv_i_buffer_deinit(&made);
    pv_i_free(folds);
    return failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

static void shorts_free(pv_sql_short *shorts, size_t n)
{
    for (size_t i = 0; shorts != NULL && i < n; i++) {
        pv_i_free(shorts[i].key);
        pv_i_free(shorts[i].text);
    }
    pv_i_free(shorts);
}

/* The statement for what a place names. Only of a table the engine may know several servers; for
 * one that is going to run it may look at the rows before. `there`: all columns, as the engine
 * describes them, which `columns` are some of; or NULL. */
static pv_status count_statement(const pv_link *link, const pv_place *place, bool runs,
                                 const char *const *columns, size_t n_columns,
                                 const pv_engine_columns *there, pv_buffer *sql, pv_error *error)
{
    pv_buffer from = {0};
    char *whole = NULL;
    pv_sql_short *shorts = NULL;
    char **parts = NULL;
    size_t n_parts = 0;
    pv_status status = PV_STATUS_OK;
    pv_i_place_from(place, link->sql, &from);
    if (from.failed) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    if (link->engine->parts != NULL && place->table != NULL) {
        PV_TRY_CLEAN(link->engine->parts(link->connection, from.data, &parts, &n_parts, error));
    }
    whole = pv_i_strdup(from.data);
    if (whole == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    if (there != NULL && link->sql->unfolded != NULL) {
        PV_TRY_CLEAN(unfold(link->sql, columns, n_columns, there, &whole, error));
        for (size_t i = 0; i < n_parts; i++) {
            PV_TRY_CLEAN(unfold(link->sql, columns, n_columns, there, &parts[i], error));
        }
    }
    if (link->engine->shorten != NULL && runs) {
        shorts = PV_NEW_ZEROED(pv_sql_short, n_columns);
        PV_TRY_CLEAN(shorts != NULL ? link->engine->shorten(link->connection, whole, columns,
                                                            n_columns, shorts, error)
                                    : pv_i_no_memory(error));
        pv_i_sql_count_short(sql, link->sql, whole, columns, shorts, n_columns);
    } else {
        pv_i_sql_count(sql, link->sql, whole, columns, n_columns, (const char *const *)parts,
                       n_parts);
    }
    if (sql->failed) {
        status = pv_i_no_memory(error);
    }
cleanup:
    pv_i_free(whole);
    shorts_free(shorts, n_columns);
    names_free(parts, n_parts);
    pv_i_buffer_deinit(&from);
    return status;
}

/* Heard and sorted. */
static pv_status take(const pv_link *link, const pv_place *place, const char *statement,
                      pv_lines *lines, pv_error *error)
{
    PV_TRY(link->engine->fetch(link->connection, statement, lines->n_columns + 1, pv_i_lines_hear,
                               lines, error));
    if (lines->n == 0) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, place->text, 0, 0, "has no rows");
    }
    return pv_i_lines_sort(lines, error);
}

static pv_status count_into(const pv_link *link, const pv_place *place,
                            const pv_engine_columns *there, pv_lines *lines, pv_error *error)
{
    pv_buffer sql = {0};
    pv_status status =
        count_statement(link, place, true, lines->names, lines->n_columns, there, &sql, error);
    if (status == PV_STATUS_OK) {
        status = take(link, place, sql.data, lines, error);
    }
    pv_i_buffer_deinit(&sql);
    return status;
}

/* `statement`: what counts them; NULL = that for what the place names. */
static pv_status count_text(const pv_link *link, const pv_place *place, const char *statement,
                            const char *const *columns, size_t n_columns,
                            const pv_engine_columns *there, pv_buffer *text, pv_error *error)
{
    pv_lines lines = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(pv_i_lines_init(&lines, columns, n_columns, error));
    PV_TRY_CLEAN(statement != NULL ? take(link, place, statement, &lines, error)
                                   : count_into(link, place, there, &lines, error));
    PV_TRY_CLEAN(pv_i_lines_text(&lines, text, error));
cleanup:
    pv_i_lines_deinit(&lines);
    return status;
}

pv_status pv_i_take_counted_rows(const pv_link *link, const pv_place *place, const char *statement,
                                 const char *const *columns, size_t n_columns, pv_buffer *text,
                                 pv_error *error)
{
    return count_text(link, place, statement, columns, n_columns, NULL, text, error);
}

pv_status pv_i_count_equal_rows(const pv_link *link, const pv_place *place,
                                const char *const *columns, size_t n_columns, pv_buffer *text,
                                pv_error *error)
{
    return count_text(link, place, NULL, columns, n_columns, NULL, text, error);
}

/* -------------------------------------------------------------------- the table */

void pv_i_wanted_deinit(pv_wanted *wanted)
{
    pv_i_engine_columns_deinit(&wanted->there);
    pv_i_free(wanted->names);
    *wanted = (pv_wanted){0};
}

static pv_status describe(const pv_link *link, const pv_place *place, pv_engine_columns *there,
                          pv_error *error)
{
    pv_buffer sql = {0};
    pv_i_buffer_text(&sql, "SELECT * FROM ");
    pv_i_place_from(place, link->sql, &sql);
    pv_i_buffer_text(&sql, " s");
    const pv_status status = sql.failed
                                 ? pv_i_no_memory(error)
                                 : link->engine->describe(link->connection, sql.data, there, error);
    pv_i_buffer_deinit(&sql);
    return status;
}

/* A column whose cells are lists or structures is fine as long as nobody wants it. */
static pv_status check_type(const pv_link *link, const pv_place *place,
                            const pv_engine_column *column, pv_error *error)
{
    if (link->engine->fits == NULL || link->engine->fits(column->type)) {
        return PV_STATUS_OK;
    }
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, place->text, 0, 0,
                                  "the cells of column `%s` are no single values, but %.*s",
                                  column->name, (int)strcspn(column->type, "("), column->type),
                     error, "leave the column out, or take what you need of it with `?query=`");
}

pv_status pv_i_wanted_choose(pv_wanted *wanted, const pv_link *link, const pv_place *place,
                             const pv_read_options *options, pv_error *error)
{
    PV_TRY(describe(link, place, &wanted->there, error));
    wanted->names = PV_NEW_ARRAY(const char *, wanted->there.n);
    if (wanted->names == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < wanted->there.n; i++) {
        const char *const name = wanted->there.columns[i].name;
        if (options->keep == NULL || options->keep(options->keep_ctx, name)) {
            PV_TRY(check_type(link, place, &wanted->there.columns[i], error));
            wanted->names[wanted->n++] = name;
        }
    }
    return wanted->n > 0 ? PV_STATUS_OK
                         : pv_i_fail_at(error, PV_STATUS_INPUT, place->text, 0, 0,
                                        "has no column that is wanted");
}

/* A table on its way. */
typedef struct {
    pv_place place;
    pv_link link;
    pv_wanted wanted;
} reading;

static void reading_deinit(reading *r)
{
    pv_i_link_close(&r->link);
    pv_i_wanted_deinit(&r->wanted);
    pv_i_place_deinit(&r->place);
}

static pv_status prepare(reading *r, const char *text, const pv_read_options *options,
                         const pv_context *context, pv_error *error)
{
    PV_TRY(pv_i_place_parse(text, &r->place, error));
    if (r->place.table == NULL && r->place.query == NULL && r->place.file == NULL) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, text, 0, 0, "names no table"), error,
                         "add `?table=NAME`, or `?query=SELECT ...`");
    }
    PV_TRY(pv_i_link_open(&r->link, &r->place, context, error));
    return pv_i_wanted_choose(&r->wanted, &r->link, &r->place, options, error);
}

static pv_status read_counted(reading *r, const char *text, const pv_read_options *options,
                              const pv_context *context, pv_table **table, pv_error *error)
{
    pv_lines lines = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(prepare(r, text, options, context, error));
    PV_TRY_CLEAN(pv_i_lines_init(&lines, r->wanted.names, r->wanted.n, error));
    PV_TRY_CLEAN(count_into(&r->link, &r->place, &r->wanted.there, &lines, error));
    PV_TRY_CLEAN(pv_i_lines_table(&lines, text, options, context, table, error));
cleanup:
    pv_i_lines_deinit(&lines);
    return status;
}

pv_status pv_i_table_read_counted(const char *text, const pv_read_options *options,
                                  const pv_context *context, pv_table **table, pv_error *error)
{
    pv_read_options taken;
    reading r = {0};
    if (!pv_i_is_place(text)) {
        return pv_i_table_read_file(text, options, context, table, error);
    }
    PV_TRY(PV_TAKE_OPTIONS(taken, options, error));
    const pv_status status = read_counted(&r, text, &taken, context, table, error);
    reading_deinit(&r);
    return status;
}

/* The public one: whoever calls it may ask for any row. */
pv_status pv_table_read(const char *path, const pv_read_options *options, const pv_context *context,
                        pv_table **table, pv_error *error)
{
    pv_table *made = NULL;
    PV_TRY(pv_i_table_read_counted(path, options, context, &made, error));
    const pv_status status = pv_i_table_expand(made, error);
    if (status == PV_STATUS_OK) {
        *table = made;
    } else {
        pv_table_free(made);
    }
    return status;
}

pv_status pv_i_count_whole_table(const char *place, const pv_context *context, pv_buffer *text,
                                 pv_error *error)
{
    const pv_read_options all = {0};
    reading r = {0};
    pv_status status = prepare(&r, place, &all, context, error);
    if (status == PV_STATUS_OK) {
        status = count_text(&r.link, &r.place, NULL, r.wanted.names, r.wanted.n, &r.wanted.there,
                            text, error);
    }
    reading_deinit(&r);
    return status;
}

pv_status pv_i_table_explain(const char *text, const pv_read_options *options,
                             const pv_context *context, char **statement, pv_error *error)
{
    pv_read_options taken;
    reading r = {0};
    pv_buffer sql = {0};
    PV_TRY(PV_TAKE_OPTIONS(taken, options, error));
    pv_status status = prepare(&r, text, &taken, context, error);
    if (status == PV_STATUS_OK) {
        status = count_statement(&r.link, &r.place, false, r.wanted.names, r.wanted.n,
                                 &r.wanted.there, &sql, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_i_buffer_take(&sql, statement, error);
    }
    pv_i_buffer_deinit(&sql);
    reading_deinit(&r);
    return status;
}
