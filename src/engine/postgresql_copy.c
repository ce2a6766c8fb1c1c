/* What travels to and from PostgreSQL: binary COPY.
 *
 *     header   "PGCOPY\n" 0xff "\r\n" 0, 4 bytes of flags, 4 bytes: how long an extension is
 *     row      2 bytes: how many cells; each cell 4 bytes of length (-1 = NULL) and its bytes
 *     end      2 bytes: -1
 *
 * Texts need no escapes then, and nothing is parsed twice. */
#ifdef PV_HAVE_LIBPQ

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "engine/postgresql.h"

#include <string.h>

static const unsigned char signature[11] = {'P',  'G',  'C',  'O',  'P', 'Y',
                                            '\n', 0xff, '\r', '\n', 0};

#define HEADER_SIZE (sizeof signature + 8)
#define CHUNK_BYTES ((size_t)1 << 16)

/* ------------------------------------------------------------------- fetching */

typedef struct {
    pv_pq *c;
    size_t n;
    pv_row_hear hear;
    void *ctx;
    pv_cell *cells;
    pv_buffer pending; /* what came and is not a whole row yet */
    bool has_header, has_end;
} fetching;

static uint32_t big_endian(const char *at, size_t size)
{
    uint32_t value = 0;
    for (size_t i = 0; i < size; i++) {
        value = value << 8 | (unsigned char)at[i];
    }
    return value;
}

static pv_status malformed(const fetching *f, pv_error *error)
{
    return pv_i_fail_at(error, PV_STATUS_IO, f->c->place->text, 0, 0,
                        "PostgreSQL sent something else than the rows that were asked for");
}

/* How many bytes of what is pending are a header, 0 = not all of it has come yet. */
static pv_status take_header(fetching *f, size_t *taken, pv_error *error)
{
    if (f->pending.size < HEADER_SIZE) {
        return PV_STATUS_OK;
    }
    const size_t extension = big_endian(f->pending.data + HEADER_SIZE - 4, 4);
    if (memcmp(f->pending.data, signature, sizeof signature) != 0) {
        return malformed(f, error);
    }
    if (f->pending.size - HEADER_SIZE >= extension) {
        f->has_header = true;
        *taken = HEADER_SIZE + extension;
    }
    return PV_STATUS_OK;
}

/* The same of a row from `start` on, which is heard if it is whole. */
static pv_status take_row(fetching *f, size_t start, size_t *taken, pv_error *error)
{
    const char *const data = f->pending.data + start;
    const size_t size = f->pending.size - start;
    size_t at = 2;
    if (size < at) {
        return PV_STATUS_OK;
    }
    if (big_endian(data, 2) == 0xffff) {
        f->has_end = true;
        *taken = at;
        return PV_STATUS_OK;
    }
    if (big_endian(data, 2) != f->n) {
        return malformed(f, error);
    }
    for (size_t i = 0; i < f->n; i++) {
        if (size - at < 4) {
            return PV_STATUS_OK;
        }
        const uint32_t length = big_endian(data + at, 4);
        at += 4;
        const bool is_null = length == UINT32_MAX;
        if (!is_null && size - at < length) {
            return PV_STATUS_OK;
        }
        f->cells[i] = (pv_cell){.text = is_null ? NULL : data + at, .size = is_null ? 0 : length};
        at += f->cells[i].size;
    }
    *taken = at;
    return f->hear(f->ctx, f->cells, error);
}

static pv_status take(fetching *f, const char *data, size_t size, pv_error *error)
{
    size_t start = 0;
    size_t taken = 0;
    f->c->traffic.received += size;
    if (!pv_i_tick(&f->c->ticker, f->c->traffic.received)) { /* rows may come without a pause */
        return pv_i_cancelled(error);
    }
    pv_i_buffer_bytes(&f->pending, data, size);
    if (f->pending.failed) {
        return pv_i_no_memory(error);
    }
    if (!f->has_header) {
        PV_TRY(take_header(f, &taken, error));
    }
    while (f->has_header && !f->has_end && (start == 0 || taken > 0)) {
        start += taken;
        taken = 0;
        PV_TRY(take_row(f, start, &taken, error));
        if (taken == 0) {
            break;
        }
    }
    start += taken;
    memmove(f->pending.data, f->pending.data + start, f->pending.size - start);
    f->pending.size -= start;
    return PV_STATUS_OK;
}

/* Until the server has no more. */
static pv_status take_all(fetching *f, pv_error *error)
{
    pv_pq *const c = f->c;
    for (;;) {
        char *data = NULL;
        const int size = c->f.PQgetCopyData(c->conn, &data, true);
        if (size < 0) { /* the end; whether it is a good one, the result says */
            return PV_STATUS_OK;
        }
        if (size > 0) {
            const pv_status status = take(f, data, (size_t)size, error);
            c->f.PQfreemem(data);
            PV_TRY(status);
            continue;
        }
        PV_TRY(pv_i_pq_wait(c, false, error));
        if (!c->f.PQconsumeInput(c->conn)) {
            return pv_i_pq_failed(c, NULL, error);
        }
    }
}

/* Sends a COPY and waits until it may begin. */
static pv_status begin_copy(pv_pq *c, const char *doing, const char *statement, ExecStatusType is,
                            pv_error *error)
{
    PGresult *result = NULL;
    PV_TRY(pv_i_pq_send(c, doing, statement, NULL, 0, error));
    PV_TRY(pv_i_pq_next(c, &result, error));
    if (c->f.PQresultStatus(result) != is) {
        const pv_status status = pv_i_pq_failed(c, result, error);
        pv_i_pq_abandon(c);
        return status;
    }
    c->f.PQclear(result);
    return PV_STATUS_OK;
}

static pv_status fetch_rows(fetching *f, const char *statement, pv_error *error)
{
    PV_TRY(begin_copy(f->c, "counting rows", statement, PGRES_COPY_OUT, error));
    const pv_status status = take_all(f, error);
    if (status != PV_STATUS_OK) {
        pv_i_pq_abandon(f->c);
        return status;
    }
    PV_TRY(pv_i_pq_finish(f->c, error));
    return f->has_end ? PV_STATUS_OK : malformed(f, error);
}

/* Reading changes nothing: unless the caller has begun a transaction of its own, it is done in one
 * that forbids writing. */
pv_status pv_i_pq_fetch(void *connection, const char *select, size_t n, pv_row_hear hear, void *ctx,
                        pv_error *error)
{
    pv_pq *const c = connection;
    fetching f = {.c = c, .n = n, .hear = hear, .ctx = ctx, .cells = PV_NEW_ARRAY(pv_cell, n)};
    pv_buffer statement = {0};
    pv_status status = PV_STATUS_OK;
    const bool begins = c->f.PQtransactionStatus(c->conn) == PQTRANS_IDLE;
    pv_i_buffer_format(&statement, "COPY (%s) TO STDOUT (FORMAT binary)", select);
    if (statement.failed || f.cells == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    if (begins) {
        PV_TRY_CLEAN(pv_i_pq_send(c, "beginning to count", "BEGIN READ ONLY", NULL, 0, error));
        PV_TRY_CLEAN(pv_i_pq_finish(c, error));
    }
    status = fetch_rows(&f, statement.data, error);
    if (begins && c->f.PQstatus(c->conn) == CONNECTION_OK) {
        pv_error *const heard = status == PV_STATUS_OK ? error : NULL;
        pv_status ended = pv_i_pq_send(c, "counting rows", "ROLLBACK", NULL, 0, heard);
        ended = ended == PV_STATUS_OK ? pv_i_pq_finish(c, heard) : ended;
        status = status == PV_STATUS_OK ? ended : status;
    }
cleanup:
    pv_i_buffer_deinit(&statement);
    pv_i_buffer_deinit(&f.pending);
    pv_i_free(f.cells);
    return status;
}

/* -------------------------------------------------------------------- loading */

static void put_number(pv_buffer *chunk, uint32_t value, size_t size)
{
    for (size_t i = size; i > 0; i--) {
        pv_i_buffer_char(chunk, (char)(unsigned char)(value >> 8 * (i - 1)));
    }
}

static pv_status put_row(pv_buffer *chunk, const pv_cell *cells, size_t n, pv_error *error)
{
    put_number(chunk, (uint32_t)n, 2);
    for (size_t i = 0; i < n; i++) {
        if (cells[i].size > INT32_MAX) {
            return pv_i_fail(error, PV_STATUS_LIMIT, "a value is longer than PostgreSQL takes");
        }
        put_number(chunk, cells[i].text == NULL ? UINT32_MAX : (uint32_t)cells[i].size, 4);
        if (cells[i].text != NULL) {
            pv_i_buffer_bytes(chunk, cells[i].text, cells[i].size);
        }
    }
    return chunk->failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

/* Hands a chunk over. Whatever the server says in the meantime is heard at the end. */
static pv_status send_chunk(pv_pq *c, pv_buffer *chunk, pv_error *error)
{
    int put = 0;
    while (put == 0) {
        put = c->f.PQputCopyData(c->conn, chunk->data, (int)chunk->size);
        if (put == 0) {
            PV_TRY(pv_i_pq_wait(c, true, error));
            if (!c->f.PQconsumeInput(c->conn)) {
                return pv_i_pq_failed(c, NULL, error);
            }
        }
    }
    c->traffic.sent += chunk->size;
    pv_i_buffer_clear(chunk);
    if (!pv_i_tick(&c->ticker, c->traffic.sent)) {
        return pv_i_cancelled(error);
    }
    /* Nothing is kept here but the chunk: it is sent before the next one is made. */
    int unsent = put < 0 ? -1 : c->f.PQflush(c->conn);
    while (unsent > 0) {
        PV_TRY(pv_i_pq_wait(c, true, error));
        if (!c->f.PQconsumeInput(c->conn)) {
            return pv_i_pq_failed(c, NULL, error);
        }
        unsent = c->f.PQflush(c->conn);
    }
    return unsent == 0 ? PV_STATUS_OK : pv_i_pq_failed(c, NULL, error);
}

static pv_status send_rows(pv_pq *c, size_t n, pv_row_next next, void *ctx, pv_buffer *chunk,
                           pv_error *error)
{
    const pv_cell *cells = NULL;
    pv_i_buffer_bytes(chunk, signature, sizeof signature);
    put_number(chunk, 0, 4);
    put_number(chunk, 0, 4);
    for (;;) {
        PV_TRY(next(ctx, &cells, error));
        if (cells == NULL) {
            break;
        }
        PV_TRY(put_row(chunk, cells, n, error));
        if (chunk->size >= CHUNK_BYTES) {
            PV_TRY(send_chunk(c, chunk, error));
        }
    }
    put_number(chunk, UINT16_MAX, 2);
    PV_TRY(chunk->failed ? pv_i_no_memory(error) : send_chunk(c, chunk, error));
    return c->f.PQputCopyEnd(c->conn, NULL) > 0 ? PV_STATUS_OK : pv_i_pq_failed(c, NULL, error);
}

pv_status pv_i_pq_load(void *connection, const char *table, size_t n, pv_row_next next, void *ctx,
                       pv_error *error)
{
    pv_pq *const c = connection;
    pv_buffer text = {0};
    pv_buffer chunk = {0};
    pv_status status = PV_STATUS_OK;
    pv_i_buffer_format(&text, "COPY %s FROM STDIN (FORMAT binary)", table);
    if (text.failed || n > INT16_MAX) {
        PV_TRY_CLEAN(text.failed ? pv_i_no_memory(error)
                                 : pv_i_fail(error, PV_STATUS_LIMIT,
                                             "%zu columns are more than PostgreSQL takes", n));
    }
    PV_TRY_CLEAN(begin_copy(c, "loading rows", text.data, PGRES_COPY_IN, error));
    status = send_rows(c, n, next, ctx, &chunk, error);
    if (status != PV_STATUS_OK) {
        pv_i_pq_abandon(c);
    } else {
        status = pv_i_pq_finish(c, error);
    }
cleanup:
    pv_i_buffer_deinit(&text);
    pv_i_buffer_deinit(&chunk);
    return status;
}

#endif
