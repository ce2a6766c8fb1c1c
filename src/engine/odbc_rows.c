/* Rows through ODBC, out of a database and into it, many at a time where the driver can. */
#ifdef PV_HAVE_ODBC
#include "base/error.h"
#include "base/memory.h"
#include "engine/odbc.h"

#include <string.h>

/* Of a text that is fetched so many units at once; rows and bytes of a block. */
enum { PIECE = 512, BLOCK_ROWS = 512, BLOCK_BYTES = 1 << 22 };

/* --------------------------------------------------------------------- fetching
 *
 * With blocks: the driver fills arrays, of each column the first units of so many rows; the rest of
 * a longer text is asked for. Without: cell by cell. */

typedef struct {
    pv_odbc *d;
    SQLHANDLE statement;
    size_t n_columns;
    SQLWCHAR *texts;  /* n_columns x rows x PIECE; NULL = cell by cell */
    SQLLEN *sizes;    /* n_columns x rows, in bytes */
    SQLULEN n_rows;   /* of a block */
    SQLULEN n_filled; /* of the last block */
    pv_buffer row;    /* one row in UTF-8 */
    size_t *ends;     /* of its cells */
    bool *nulls;
    pv_cell *cells;
} fetching;

static pv_status fetching_init(fetching *f, pv_error *error)
{
    f->ends = PV_NEW_ARRAY(size_t, f->n_columns);
    f->nulls = PV_NEW_ARRAY(bool, f->n_columns);
    f->cells = PV_NEW_ARRAY(pv_cell, f->n_columns);
    if (f->ends == NULL || f->nulls == NULL || f->cells == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_odbc_functions *const api = &f->d->api;
    f->n_rows = BLOCK_BYTES / (PIECE * sizeof(SQLWCHAR)) / f->n_columns;
    f->n_rows = f->n_rows > BLOCK_ROWS ? BLOCK_ROWS : f->n_rows;
    if (!f->d->has_blocks || f->n_rows < 2 ||
        !SQL_SUCCEEDED(api->SQLSetStmtAttr(f->statement, SQL_ATTR_ROW_ARRAY_SIZE,
                                           pv_i_odbc_number(f->n_rows), 0))) {
        f->n_rows = 1;
        return PV_STATUS_OK;
    }
    f->texts = pv_i_array(f->n_columns * f->n_rows, PIECE * sizeof *f->texts);
    f->sizes = PV_NEW_ARRAY(SQLLEN, f->n_columns * f->n_rows);
    if (f->texts == NULL || f->sizes == NULL) {
        return pv_i_no_memory(error);
    }
    (void)api->SQLSetStmtAttr(f->statement, SQL_ATTR_ROWS_FETCHED_PTR, &f->n_filled, 0);
    for (size_t i = 0; i < f->n_columns; i++) {
        if (!SQL_SUCCEEDED(api->SQLBindCol(f->statement, (SQLUSMALLINT)(i + 1), SQL_C_WCHAR,
                                           f->texts + i * f->n_rows * PIECE,
                                           PIECE * sizeof(SQLWCHAR), f->sizes + i * f->n_rows))) {
            return pv_i_odbc_fail(f->d, SQL_HANDLE_STMT, f->statement, "reading", error);
        }
    }
    return PV_STATUS_OK;
}

static void fetching_deinit(fetching *f)
{
    pv_i_odbc_end(f->d, f->statement);
    pv_i_free(f->texts);
    pv_i_free(f->sizes);
    pv_i_free(f->ends);
    pv_i_free(f->nulls);
    pv_i_free(f->cells);
    pv_i_buffer_deinit(&f->row);
}

static pv_status put_units(fetching *f, const SQLWCHAR *text, size_t n, pv_error *error)
{
    return pv_i_odbc_to_utf8(&f->row, text, n)
               ? PV_STATUS_OK
               : pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, f->d->place->text, 0, 0,
                                        "the driver hands over a text that is no Unicode"),
                           error, "use the Unicode driver of the database, if it has two");
}

/* A cell piece by piece. A piece may end in the middle of a pair, so all are put together first. */
static pv_status get_cell(fetching *f, size_t column, bool *is_null, pv_error *error)
{
    SQLWCHAR piece[PIECE];
    pv_buffer whole = {0};
    pv_status status = PV_STATUS_OK;
    *is_null = false;
    for (;;) {
        SQLLEN size = 0;
        const SQLRETURN got = f->d->api.SQLGetData(f->statement, (SQLUSMALLINT)(column + 1),
                                                   SQL_C_WCHAR, piece, sizeof piece, &size);
        if (got == SQL_NO_DATA) {
            break;
        }
        if (!SQL_SUCCEEDED(got)) {
            PV_TRY_CLEAN(pv_i_odbc_fail(f->d, SQL_HANDLE_STMT, f->statement, "reading", error));
        }
        if (size == SQL_NULL_DATA) {
            *is_null = true;
            break;
        }
        const bool is_cut = size == SQL_NO_TOTAL || (size_t)size > sizeof piece - sizeof(SQLWCHAR);
        pv_i_buffer_bytes(&whole, piece, is_cut ? sizeof piece - sizeof(SQLWCHAR) : (size_t)size);
        if (!is_cut) {
            break;
        }
    }
    if (whole.failed) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    if (whole.size > 0) {
        status = put_units(f, (const SQLWCHAR *)(const void *)whole.data,
                           whole.size / sizeof(SQLWCHAR), error);
    }
cleanup:
    pv_i_buffer_deinit(&whole);
    return status;
}

static pv_status put_cell(fetching *f, size_t column, SQLULEN row, pv_error *error)
{
    if (f->texts == NULL) {
        return get_cell(f, column, &f->nulls[column], error);
    }
    const SQLLEN size = f->sizes[column * f->n_rows + row];
    f->nulls[column] = size == SQL_NULL_DATA;
    if (size == SQL_NULL_DATA) {
        return PV_STATUS_OK;
    }
    if (size != SQL_NO_TOTAL && (size_t)size < PIECE * sizeof(SQLWCHAR)) {
        return put_units(f, f->texts + (column * f->n_rows + row) * PIECE,
                         (size_t)size / sizeof(SQLWCHAR), error);
    }
    if (!SQL_SUCCEEDED(f->d->api.SQLSetPos(f->statement, (SQLSETPOSIROW)(row + 1), SQL_POSITION,
                                           SQL_LOCK_NO_CHANGE))) {
        return pv_i_odbc_fail(f->d, SQL_HANDLE_STMT, f->statement, "reading a long text", error);
    }
    return get_cell(f, column, &f->nulls[column], error);
}

static pv_status hear_row(fetching *f, SQLULEN row, pv_row_hear hear, void *ctx, pv_error *error)
{
    pv_i_buffer_clear(&f->row);
    pv_i_buffer_text(&f->row, "");
    for (size_t i = 0; i < f->n_columns; i++) {
        PV_TRY(put_cell(f, i, row, error));
        f->ends[i] = f->row.size;
    }
    if (f->row.failed) {
        return pv_i_no_memory(error);
    }
    f->d->received += f->row.size;
    for (size_t i = 0, start_at = 0; i < f->n_columns; i++) {
        f->cells[i] =
            f->nulls[i] ? (pv_cell){0}
                        : (pv_cell){.text = f->row.data + start_at, .size = f->ends[i] - start_at};
        start_at = f->ends[i];
    }
    return hear(ctx, f->cells, error);
}

static pv_status hear_all(fetching *f, pv_ticker *ticker, pv_row_hear hear, void *ctx,
                          pv_error *error)
{
    for (uint64_t done = 0;;) {
        f->n_filled = 1;
        const SQLRETURN got = f->d->api.SQLFetch(f->statement);
        if (got == SQL_NO_DATA) {
            return PV_STATUS_OK;
        }
        if (!SQL_SUCCEEDED(got)) {
            return pv_i_odbc_fail(f->d, SQL_HANDLE_STMT, f->statement, "reading", error);
        }
        for (SQLULEN row = 0; row < f->n_filled; row++) {
            PV_TRY(hear_row(f, row, hear, ctx, error));
        }
        done += f->n_filled;
        if (!pv_i_tick(ticker, done)) {
            (void)f->d->api.SQLCancel(f->statement);
            return pv_i_cancelled(error);
        }
    }
}

pv_status pv_i_odbc_fetch(void *connected, const char *select, size_t n, pv_row_hear hear,
                          void *ctx, pv_error *error)
{
    pv_odbc *const d = connected;
    pv_ticker ticker = pv_i_ticker(d->context, "counting", 0);
    fetching f = {.d = d, .statement = SQL_NULL_HANDLE, .n_columns = n};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(pv_i_odbc_start(d, select, "counting", &ticker, &f.statement, error));
    PV_TRY_CLEAN(fetching_init(&f, error));
    PV_TRY_CLEAN(hear_all(&f, &ticker, hear, ctx, error));
cleanup:
    fetching_deinit(&f);
    return status;
}

/* --------------------------------------------------------------------- loading
 *
 * Rows are collected in UTF-16 until there are enough for a block; then the longest text of each
 * column is known, and they go into arrays as wide as that. */

typedef struct {
    pv_odbc *d;
    SQLHANDLE statement;
    size_t n_columns, n_rows, most_rows;
    pv_buffer text; /* all cells of the block */
    size_t *starts; /* of cell (row, column) in it; most_rows x n_columns + 1 */
    bool *nulls;
    SQLLEN *sizes;   /* of one column after the other, in bytes */
    pv_buffer array; /* what is bound */
} loading;

static pv_status loading_init(loading *l, const char *table, pv_error *error)
{
    static const SQLWCHAR end_of_text = 0;
    pv_buffer sql = {0};
    pv_buffer wide = {0};
    pv_status status = PV_STATUS_OK;
    l->starts = PV_NEW_ARRAY(size_t, BLOCK_ROWS * l->n_columns + 1);
    l->nulls = PV_NEW_ARRAY(bool, BLOCK_ROWS * l->n_columns);
    l->sizes = PV_NEW_ARRAY(SQLLEN, BLOCK_ROWS * l->n_columns);
    pv_i_buffer_format(&sql, "INSERT INTO %s VALUES (", table);
    for (size_t i = 0; i < l->n_columns; i++) {
        pv_i_buffer_text(&sql, i > 0 ? ", ?" : "?");
    }
    pv_i_buffer_text(&sql, ")");
    if (!sql.failed) {
        pv_i_odbc_to_utf16(&wide, sql.data, sql.size);
        pv_i_buffer_bytes(&wide, &end_of_text, sizeof end_of_text);
    }
    if (l->starts == NULL || l->nulls == NULL || l->sizes == NULL || sql.failed || wide.failed) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    const pv_odbc_functions *const api = &l->d->api;
    if (!SQL_SUCCEEDED(api->SQLAllocHandle(SQL_HANDLE_STMT, l->d->connection, &l->statement))) {
        PV_TRY_CLEAN(pv_i_odbc_fail(l->d, SQL_HANDLE_DBC, l->d->connection, "writing", error));
    }
    if (!SQL_SUCCEEDED(api->SQLPrepareW(l->statement, (SQLWCHAR *)(void *)wide.data, SQL_NTS))) {
        PV_TRY_CLEAN(pv_i_odbc_fail(l->d, SQL_HANDLE_STMT, l->statement, "writing", error));
    }
    l->most_rows = SQL_SUCCEEDED(api->SQLSetStmtAttr(l->statement, SQL_ATTR_PARAMSET_SIZE,
                                                     pv_i_odbc_number(2), 0))
                       ? BLOCK_ROWS
                       : 1;
cleanup:
    pv_i_buffer_deinit(&sql);
    pv_i_buffer_deinit(&wide);
    return status;
}

static void loading_deinit(loading *l)
{
    pv_i_odbc_end(l->d, l->statement);
    pv_i_buffer_deinit(&l->text);
    pv_i_buffer_deinit(&l->array);
    pv_i_free(l->starts);
    pv_i_free(l->nulls);
    pv_i_free(l->sizes);
}

static size_t cell_size(const loading *l, size_t row, size_t column)
{
    const size_t i = row * l->n_columns + column;
    return l->starts[i + 1] - l->starts[i];
}

static size_t widest(const loading *l, size_t column)
{
    size_t width = sizeof(SQLWCHAR);
    for (size_t row = 0; row < l->n_rows; row++) {
        const size_t size = cell_size(l, row, column);
        width = size > width ? size : width;
    }
    return width;
}

/* Arrays of all columns, one behind the other. False: no memory. */
static bool fill_arrays(loading *l)
{
    static const char zeros[64];
    pv_i_buffer_clear(&l->array);
    for (size_t column = 0; column < l->n_columns; column++) {
        const size_t width = widest(l, column);
        for (size_t row = 0; row < l->n_rows; row++) {
            const size_t i = row * l->n_columns + column;
            const size_t size = cell_size(l, row, column);
            pv_i_buffer_bytes(&l->array, l->text.data + l->starts[i], size);
            for (size_t rest = width - size; rest > 0;) {
                const size_t some = rest < sizeof zeros ? rest : sizeof zeros;
                pv_i_buffer_bytes(&l->array, zeros, some);
                rest -= some;
            }
            l->sizes[column * BLOCK_ROWS + row] = l->nulls[i] ? SQL_NULL_DATA : (SQLLEN)size;
        }
    }
    return !l->array.failed;
}

static pv_status write_block(loading *l, pv_ticker *ticker, pv_error *error)
{
    const pv_odbc_functions *const api = &l->d->api;
    if (l->n_rows == 0) {
        return PV_STATUS_OK;
    }
    if (l->text.failed || !fill_arrays(l)) {
        return pv_i_no_memory(error);
    }
    bool ok =
        l->most_rows == 1 || SQL_SUCCEEDED(api->SQLSetStmtAttr(l->statement, SQL_ATTR_PARAMSET_SIZE,
                                                               pv_i_odbc_number(l->n_rows), 0));
    size_t at = 0;
    for (size_t column = 0; ok && column < l->n_columns; column++) {
        const size_t width = widest(l, column);
        const SQLULEN units = width / sizeof(SQLWCHAR);
        ok = SQL_SUCCEEDED(api->SQLBindParameter(
            l->statement, (SQLUSMALLINT)(column + 1), SQL_PARAM_INPUT, SQL_C_WCHAR,
            units > 4000 ? SQL_WLONGVARCHAR : SQL_WVARCHAR, units, 0, l->array.data + at,
            (SQLLEN)width, l->sizes + column * BLOCK_ROWS));
        at += width * l->n_rows;
    }
    if (!ok) {
        return pv_i_odbc_fail(l->d, SQL_HANDLE_STMT, l->statement, "writing", error);
    }
    PV_TRY(pv_i_odbc_execute(l->d, l->statement, NULL, "writing", ticker, error));
    l->n_rows = 0;
    pv_i_buffer_clear(&l->text);
    return PV_STATUS_OK;
}

static pv_status load_rows(loading *l, pv_row_next next, void *ctx, pv_error *error)
{
    pv_ticker ticker = pv_i_ticker(l->d->context, "writing", 0);
    const pv_cell *cells = NULL;
    for (;;) {
        PV_TRY(next(ctx, &cells, error));
        if (cells == NULL) {
            return write_block(l, &ticker, error);
        }
        for (size_t i = 0; i < l->n_columns; i++) {
            const size_t cell = l->n_rows * l->n_columns + i;
            l->starts[cell] = l->text.size;
            l->nulls[cell] = cells[i].text == NULL;
            pv_i_odbc_to_utf16(&l->text, cells[i].text, cells[i].text != NULL ? cells[i].size : 0);
            l->starts[cell + 1] = l->text.size;
            l->d->sent += cells[i].size;
        }
        l->n_rows++;
        if (l->n_rows == l->most_rows || l->text.size > BLOCK_BYTES) {
            PV_TRY(write_block(l, &ticker, error));
        }
    }
}

pv_status pv_i_odbc_load(void *connected, const char *table, size_t n, pv_row_next next, void *ctx,
                         pv_error *error)
{
    loading l = {.d = connected, .statement = SQL_NULL_HANDLE, .n_columns = n};
    pv_status status = loading_init(&l, table, error);
    if (status == PV_STATUS_OK) {
        status = load_rows(&l, next, ctx, error);
    }
    loading_deinit(&l);
    return status;
}
#endif
