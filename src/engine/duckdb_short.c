/* DuckDB groups by texts as they are: sixteen bytes and more for each cell of each distinct tuple,
 * compared again for every row. A hundred million rows do not fit into what it may hold then. But
 * a Parquet file has most columns as numbers with a dictionary, and a function of one column is
 * computed for the values of the dictionary only:
 *
 *     SET VARIABLE v0 = (SELECT list(DISTINCT town) || [NULL] FROM people)
 *     GROUP BY list_position(getvariable('v0'), town)      one byte; NULL has a number, too
 *
 * and the text comes back from the list, once for each tuple. A cell whose text is not in the list
 * has no number: somebody changed the files meanwhile, and the statement fails.
 *
 * Versions that cannot do all this, and columns of many values, are grouped as they are. */
#include "engine/duckdb.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define MOST_VALUES 255 /* a number is a byte */
#define SAMPLE 100000   /* rows that are looked at first; smaller tables are not worth it */

typedef struct {
    uint64_t *numbers;
    size_t n;
} numbers;

static pv_status hear_numbers(void *ctx, const pv_cell *cells, pv_error *error)
{
    const numbers *const to = ctx;
    (void)error;
    for (size_t i = 0; i < to->n; i++) {
        char text[24] = "";
        if (cells[i].size < sizeof text && cells[i].text != NULL) {
            memcpy(text, cells[i].text, cells[i].size);
        }
        to->numbers[i] = strtoull(text, NULL, 10);
    }
    return PV_STATUS_OK;
}

/* One row of numbers. What a version cannot do is no failure: all of them are 0 then. */
static pv_status ask(void *connection, pv_buffer *select, uint64_t *to, size_t n, pv_error *error)
{
    numbers heard = {.numbers = to, .n = n};
    pv_status status = select->failed ? pv_i_no_memory(error)
                                      : pv_i_engine_duckdb.fetch(connection, select->data, n,
                                                                 hear_numbers, &heard, error);
    pv_i_buffer_clear(select);
    if (status != PV_STATUS_OK && status != PV_STATUS_CANCELLED && !select->failed) {
        memset(to, 0, n * sizeof *to);
        status = PV_STATUS_OK;
    }
    return status;
}

static bool is_text(const pv_engine_columns *there, const char *name)
{
    for (size_t i = 0; i < there->n; i++) {
        if (strcmp(there->columns[i].name, name) == 0) {
            return strcmp(there->columns[i].type, "VARCHAR") == 0;
        }
    }
    return false;
}

static void put_name(pv_buffer *sql, const char *name)
{
    pv_i_sql_name(sql, pv_i_engine_duckdb.sql, name);
}

/* How many values the columns have in the first rows; 0 = not worth looking further. */
static pv_status look(void *connection, const char *from, const char *const *columns, size_t n,
                      uint64_t *values, pv_error *error)
{
    pv_engine_columns there = {0};
    pv_buffer sql = {0};
    pv_status status = PV_STATUS_OK;
    pv_i_buffer_format(&sql, "SELECT * FROM %s s", from);
    if (sql.failed) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    PV_TRY_CLEAN(pv_i_engine_duckdb.describe(connection, sql.data, &there, error));
    pv_i_buffer_clear(&sql);
    pv_i_buffer_text(&sql, "SELECT CAST(COUNT(*) AS VARCHAR)");
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_text(&sql, ", CAST(approx_count_distinct(");
        put_name(&sql, columns[i]);
        pv_i_buffer_text(&sql, ") AS VARCHAR)");
    }
    pv_i_buffer_format(&sql, " FROM (SELECT * FROM %s LIMIT %d) s", from, SAMPLE);
    PV_TRY_CLEAN(ask(connection, &sql, values, n + 1, error));
    for (size_t i = 0; i < n; i++) {
        const bool is_short =
            values[0] == SAMPLE && values[i + 1] <= MOST_VALUES && is_text(&there, columns[i]);
        values[i + 1] = is_short ? values[i + 1] : 0;
    }
cleanup:
    pv_i_engine_columns_deinit(&there);
    pv_i_buffer_deinit(&sql);
    return status;
}

/* Makes the list of a column; `*n` = 0 if that did not work. */
static pv_status list(void *connection, const char *from, const char *column, size_t i, uint64_t *n,
                      pv_error *error)
{
    pv_buffer sql = {0};
    pv_buffer name = {0};
    put_name(&name, column);
    *n = 0;
    pv_i_buffer_format(&sql,
                       "SET VARIABLE paravent_%zu = (SELECT list(DISTINCT %s) FILTER (%s IS NOT "
                       "NULL) || [NULL] FROM %s s)",
                       i, name.failed ? "" : name.data, name.failed ? "" : name.data, from);
    pv_status status = sql.failed || name.failed
                           ? pv_i_no_memory(error)
                           : pv_i_engine_duckdb.run(connection, sql.data, error);
    if (status == PV_STATUS_OK) {
        pv_i_buffer_clear(&sql);
        pv_i_buffer_format(&sql,
                           "SELECT CAST(CASE WHEN list_position(getvariable('paravent_%zu'), NULL) "
                           "= len(getvariable('paravent_%zu')) THEN len(getvariable("
                           "'paravent_%zu')) ELSE 0 END AS VARCHAR)",
                           i, i, i);
        status = ask(connection, &sql, n, 1, error);
    } else if (status != PV_STATUS_CANCELLED && !sql.failed && !name.failed) {
        status = PV_STATUS_OK;
    }
    pv_i_buffer_deinit(&sql);
    pv_i_buffer_deinit(&name);
    return status;
}

static pv_status put_short(const char *column, size_t i, pv_sql_short *to, pv_error *error)
{
    pv_buffer key = {0};
    pv_buffer text = {0};
    pv_i_buffer_format(&key, "CAST(list_position(getvariable('paravent_%zu'), ", i);
    put_name(&key, column);
    pv_i_buffer_text(&key, ") AS UTINYINT)");
    pv_i_buffer_format(&text,
                       "CASE WHEN %%s IS NULL THEN error('the files were changed') ELSE "
                       "list_extract(getvariable('paravent_%zu'), %%s) END",
                       i);
    to->key = key.failed ? NULL : pv_i_strdup(key.data);
    to->text = text.failed ? NULL : pv_i_strdup(text.data);
    pv_i_buffer_deinit(&key);
    pv_i_buffer_deinit(&text);
    return to->key != NULL && to->text != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

pv_status pv_i_duckdb_shorten(void *connection, const char *from, const char *const *columns,
                              size_t n, pv_sql_short *shorts, pv_error *error)
{
    uint64_t *const values = PV_NEW_ZEROED(uint64_t, n + 1);
    pv_status status = PV_STATUS_OK;
    if (values == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(look(connection, from, columns, n, values, error));
    for (size_t i = 0; i < n; i++) {
        uint64_t listed = 0;
        if (values[i + 1] > 0) {
            PV_TRY_CLEAN(list(connection, from, columns[i], i, &listed, error));
        }
        if (listed > 0 && listed <= MOST_VALUES) {
            PV_TRY_CLEAN(put_short(columns[i], i, &shorts[i], error));
        }
    }
cleanup:
    pv_i_free(values);
    return status;
}
