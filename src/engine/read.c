/* How an engine's rows become a table: which columns are wanted, one statement, lines, the reader.
 */
#include "engine/read.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "engine/lines.h"
#include "engine/sql.h"
#include "table/column.h"
#include "table/csv_writer.h"
#include "table/records.h"
#include "table/value.h"

#include <stdlib.h>
#include <string.h>

#define DELIMITER ','
#define COUNTS "rows" /* the name of the last column; but longer than any that begins so */

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

static void shorts_free(pv_sql_short *shorts, size_t n)
{
    for (size_t i = 0; shorts != NULL && i < n; i++) {
        pv_i_free(shorts[i].key);
        pv_i_free(shorts[i].text);
    }
    pv_i_free(shorts);
}

/* The statement for what a place names. Only of a table the engine may know several servers. For
 * one that is going to run the engine may look at the rows before. */
static pv_status count_statement(const pv_link *link, const pv_place *place, bool runs,
                                 const char *const *columns, size_t n_columns, pv_buffer *sql,
                                 pv_error *error)
{
    pv_buffer from = {0};
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
    if (link->engine->shorten != NULL && runs) {
        shorts = PV_NEW_ZEROED(pv_sql_short, n_columns);
        PV_TRY_CLEAN(shorts != NULL ? link->engine->shorten(link->connection, from.data, columns,
                                                            n_columns, shorts, error)
                                    : pv_i_no_memory(error));
        pv_i_sql_count_short(sql, link->sql, from.data, columns, shorts, n_columns);
    } else {
        pv_i_sql_count(sql, link->sql, from.data, columns, n_columns, (const char *const *)parts,
                       n_parts);
    }
    if (sql->failed) {
        status = pv_i_no_memory(error);
    }
cleanup:
    shorts_free(shorts, n_columns);
    names_free(parts, n_parts);
    pv_i_buffer_deinit(&from);
    return status;
}

/* The names, and one for the counts that no column has: a reader refuses a name that stands twice.
 */
static void put_header(pv_buffer *text, const char *const *columns, size_t n_columns)
{
    size_t longest = 0;
    for (size_t i = 0; i < n_columns; i++) {
        const size_t size = strlen(columns[i]);
        longest =
            strncmp(columns[i], COUNTS, strlen(COUNTS)) == 0 && size > longest ? size : longest;
        pv_i_csv_append(text, DELIMITER, false, columns[i], size);
        pv_i_buffer_char(text, DELIMITER);
    }
    pv_i_buffer_text(text, COUNTS);
    for (size_t i = strlen(COUNTS); i <= longest; i++) {
        pv_i_buffer_char(text, '_');
    }
    pv_i_buffer_char(text, '\n');
}

static pv_status lines_into(const pv_link *link, const pv_place *place, const char *statement,
                            const char *const *columns, size_t n_columns, pv_lines *lines,
                            pv_buffer *text, pv_error *error)
{
    PV_TRY(pv_i_lines_init(lines, n_columns, DELIMITER, error));
    PV_TRY(link->engine->fetch(link->connection, statement, n_columns + 1, pv_i_lines_hear, lines,
                               error));
    if (lines->n == 0) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, place->text, 0, 0, "has no rows");
    }
    put_header(text, columns, n_columns);
    return pv_i_lines_put(lines, text, error);
}

static pv_status count_into(const pv_link *link, const pv_place *place, const char *const *columns,
                            size_t n_columns, pv_lines *lines, pv_buffer *text, pv_error *error)
{
    pv_buffer sql = {0};
    pv_status status = count_statement(link, place, true, columns, n_columns, &sql, error);
    if (status == PV_STATUS_OK) {
        status = lines_into(link, place, sql.data, columns, n_columns, lines, text, error);
    }
    pv_i_buffer_deinit(&sql);
    return status;
}

pv_status pv_i_count_equal_rows(const pv_link *link, const pv_place *place,
                                const char *const *columns, size_t n_columns, pv_buffer *text,
                                pv_error *error)
{
    pv_lines lines = {0};
    const pv_status status = count_into(link, place, columns, n_columns, &lines, text, error);
    pv_i_lines_deinit(&lines);
    return status;
}

pv_status pv_i_take_counted_rows(const pv_link *link, const pv_place *place, const char *statement,
                                 const char *const *columns, size_t n_columns, pv_buffer *text,
                                 pv_error *error)
{
    pv_lines lines = {0};
    const pv_status status =
        lines_into(link, place, statement, columns, n_columns, &lines, text, error);
    pv_i_lines_deinit(&lines);
    return status;
}

/* ------------------------------------------------- what the reader cannot count
 *
 * It counts lines. A value's rows are made right afterwards (pv_i_table_take_counts), but of values
 * that it makes one, spellings of "missing" and blanks around texts, only their lines are known
 * then. */

typedef struct {
    const char *const *spellings; /* NULL-terminated */
    uint64_t *rows;               /* of each */
} missing_rows;

typedef struct {
    missing_rows *columns;
    size_t n_columns;
    bool trims;
    uint64_t trimmed;
} tally;

/* Each value once, with all rows that have it. */
static pv_status tally_value(tally *t, pv_lines *lines, size_t column, size_t value,
                             pv_error *error)
{
    const missing_rows *const missing = &t->columns[column];
    const uint64_t rows = lines->columns[column].values[value].rows;
    size_t size = 0;
    const char *text = pv_i_lines_value(lines, column, value, &size);
    if (text == NULL) {
        return pv_i_no_memory(error);
    }
    t->trimmed += t->trims && pv_i_trim(&text, &size, true) ? rows : 0;
    for (size_t s = 0; missing->spellings[s] != NULL; s++) {
        if (strlen(missing->spellings[s]) == size &&
            memcmp(missing->spellings[s], text, size) == 0) {
            missing->rows[s] += rows;
            break;
        }
    }
    return PV_STATUS_OK;
}

static pv_status tally_count(tally *t, pv_lines *lines, pv_error *error)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        for (size_t value = 0; value < lines->columns[i].n; value++) {
            PV_TRY(tally_value(t, lines, i, value, error));
        }
    }
    return PV_STATUS_OK;
}

static pv_status tally_init(tally *t, const pv_read_options *options, const char *const *columns,
                            size_t n_columns, pv_error *error)
{
    t->columns = PV_NEW_ZEROED(missing_rows, n_columns);
    t->trims = !options->keep_blanks;
    for (size_t i = 0; i < n_columns && t->columns != NULL; i++) {
        const char *const *own = options->missing_of != NULL
                                     ? options->missing_of(options->missing_ctx, columns[i])
                                     : NULL;
        own = own != NULL ? own : options->missing;
        missing_rows *const column = &t->columns[t->n_columns++];
        column->spellings = own != NULL ? own : pv_i_default_missing;
        size_t n = 0;
        while (column->spellings[n] != NULL) {
            n++;
        }
        column->rows = PV_NEW_ZEROED(uint64_t, n);
        if (column->rows == NULL) {
            return pv_i_no_memory(error);
        }
    }
    return t->columns != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

static void tally_deinit(tally *t)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        pv_i_free(t->columns[i].rows);
    }
    pv_i_free(t->columns);
}

static void tally_tell(const tally *t, pv_table *table)
{
    pv_i_table_set_trimmed(table, t->trimmed);
    for (size_t i = 0; i < t->n_columns; i++) {
        for (size_t s = 0; t->columns[i].spellings[s] != NULL; s++) {
            pv_i_table_set_missing_rows(table, i, t->columns[i].spellings[s],
                                        t->columns[i].rows[s]);
        }
    }
}

/* -------------------------------------------------------------------- the table */

/* A table on its way. */
typedef struct {
    pv_place place;
    pv_link link;
    pv_engine_columns there; /* all of its columns */
    const char **names;      /* of those that are wanted */
    size_t n_names;
} reading;

static void reading_deinit(reading *r)
{
    pv_i_link_close(&r->link);
    pv_i_engine_columns_deinit(&r->there);
    pv_i_free(r->names);
    pv_i_place_deinit(&r->place);
}

static pv_status describe(reading *r, pv_error *error)
{
    pv_buffer sql = {0};
    pv_i_buffer_text(&sql, "SELECT * FROM ");
    pv_i_place_from(&r->place, r->link.sql, &sql);
    pv_i_buffer_text(&sql, " s");
    const pv_status status =
        sql.failed ? pv_i_no_memory(error)
                   : r->link.engine->describe(r->link.connection, sql.data, &r->there, error);
    pv_i_buffer_deinit(&sql);
    return status;
}

/* A column whose cells are lists or structures is fine as long as nobody wants it. */
static pv_status check_type(const reading *r, const pv_engine_column *column, pv_error *error)
{
    if (r->link.engine->fits == NULL || r->link.engine->fits(column->type)) {
        return PV_STATUS_OK;
    }
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, r->place.text, 0, 0,
                                  "the cells of column `%s` are no single values, but %.*s",
                                  column->name, (int)strcspn(column->type, "("), column->type),
                     error, "leave the column out, or take what you need of it with `?query=`");
}

/* Connects and chooses columns as the readers of files do. */
static pv_status prepare(reading *r, const char *text, const pv_read_options *options,
                         const pv_context *context, pv_error *error)
{
    PV_TRY(pv_i_place_parse(text, &r->place, error));
    if (r->place.table == NULL && r->place.query == NULL && r->place.file == NULL) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, text, 0, 0, "names no table"), error,
                         "add `?table=NAME`, or `?query=SELECT ...`");
    }
    PV_TRY(pv_i_link_open(&r->link, &r->place, context, error));
    PV_TRY(describe(r, error));
    r->names = PV_NEW_ARRAY(const char *, r->there.n);
    if (r->names == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < r->there.n; i++) {
        const char *const name = r->there.columns[i].name;
        if (options->keep == NULL || options->keep(options->keep_ctx, name)) {
            PV_TRY(check_type(r, &r->there.columns[i], error));
            r->names[r->n_names++] = name;
        }
    }
    return r->n_names > 0
               ? PV_STATUS_OK
               : pv_i_fail_at(error, PV_STATUS_INPUT, text, 0, 0, "has no column that is wanted");
}

static pv_status read_lines(const reading *r, const char *text, const pv_read_options *options,
                            const pv_context *context, tally *t, pv_table **table, pv_error *error)
{
    const pv_read_options lines = {.delimiter = DELIMITER,
                                   .quoting = PV_CHOICE_YES,
                                   .header = PV_CHOICE_YES,
                                   .keep_blanks = options->keep_blanks,
                                   .missing = options->missing,
                                   .missing_of = options->missing_of,
                                   .missing_ctx = options->missing_ctx};
    pv_lines heard = {0};
    pv_buffer counted = {0};
    pv_table *made = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(count_into(&r->link, &r->place, r->names, r->n_names, &heard, &counted, error));
    PV_TRY_CLEAN(tally_count(t, &heard, error));
    pv_i_lines_deinit(&heard);
    PV_TRY_CLEAN(
        pv_table_read_memory(text, counted.data, counted.size, &lines, context, &made, error));
    PV_TRY_CLEAN(pv_i_table_take_counts(made, error));
    tally_tell(t, made);
    *table = made;
    made = NULL;
cleanup:
    pv_table_free(made);
    pv_i_lines_deinit(&heard);
    pv_i_buffer_deinit(&counted);
    return status;
}

static pv_status read_counted(reading *r, const char *text, const pv_read_options *options,
                              const pv_context *context, pv_table **table, pv_error *error)
{
    tally t = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(prepare(r, text, options, context, error));
    PV_TRY_CLEAN(tally_init(&t, options, r->names, r->n_names, error));
    PV_TRY_CLEAN(read_lines(r, text, options, context, &t, table, error));
cleanup:
    tally_deinit(&t);
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
        status = pv_i_count_equal_rows(&r.link, &r.place, r.names, r.n_names, text, error);
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
        status = count_statement(&r.link, &r.place, false, r.names, r.n_names, &sql, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_i_buffer_take(&sql, statement, error);
    }
    pv_i_buffer_deinit(&sql);
    reading_deinit(&r);
    return status;
}
