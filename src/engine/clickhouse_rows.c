/* Rows of ClickHouse on their way.
 *
 * Rows travel as RowBinary, every column a Nullable(String):
 *
 *     00 02 "37" | 01 | 00 01 "m"     37, NULL, m
 *
 * A byte says whether a cell is NULL; else its length follows, seven bits a byte, and its text.
 *
 * A failure in the middle of a result is told in the result: older servers append a text to the
 * rows, "Code: 241, ...", and end it in order; newer ones break it off after that. Rows are
 * sent whole, so the text stands where a row would begin, and no row begins like a text. A result
 * is complete only if it ends where a row does, and if the transfer does, too. */
#include "engine/clickhouse.h"

#include "base/error.h"

#include <string.h>

#define LARGEST_CELL ((uint64_t)1 << 30)

typedef enum { WHOLE, SHORT, BROKEN } row_state;

/* Seven bits a byte, the lowest first. */
static row_state read_length(const char **at, const char *end, uint64_t *length)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        if (*at == end) {
            return SHORT;
        }
        const unsigned char byte = (unsigned char)*(*at)++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *length = value;
            return value <= LARGEST_CELL ? WHOLE : BROKEN;
        }
    }
    return BROKEN;
}

/* Reads one row; `*at` goes behind it if it is whole. */
static row_state read_row(const char **at, const char *end, pv_cell *cells, size_t n)
{
    const char *next = *at;
    for (size_t i = 0; i < n; i++) {
        uint64_t length = 0;
        if (next == end) {
            return SHORT;
        }
        const char mark = *next++;
        if (mark != 0 && mark != 1) {
            return BROKEN;
        }
        cells[i] = (pv_cell){0};
        if (mark == 1) {
            continue;
        }
        const row_state state = read_length(&next, end, &length);
        if (state != WHOLE) {
            return state;
        }
        if ((uint64_t)(end - next) < length) {
            return SHORT;
        }
        cells[i] = (pv_cell){.text = next, .size = (size_t)length};
        next += length;
    }
    *at = next;
    return WHOLE;
}

/* Hears all whole rows of some bytes; `*used` is how far they go. */
static pv_status hear_whole(ch_rows *r, const char *data, size_t size, size_t *used,
                            pv_error *error)
{
    const char *at = data;
    row_state state = WHOLE;
    while (at < data + size && (state = read_row(&at, data + size, r->cells, r->n)) == WHOLE) {
        PV_TRY(r->hear(r->ctx, r->cells, error));
    }
    r->is_broken = state == BROKEN;
    *used = (size_t)(at - data);
    return PV_STATUS_OK;
}

pv_status pv_i_ch_rows_hear(void *ctx, const char *data, size_t size, pv_error *error)
{
    ch_rows *const r = ctx;
    size_t used = 0;
    if (r->is_broken) {
        const size_t room = r->rest.size < CH_ERROR_TEXT ? CH_ERROR_TEXT - r->rest.size : 0;
        pv_i_buffer_bytes(&r->rest, data, size < room ? size : room);
    } else if (r->rest.size == 0) {
        PV_TRY(hear_whole(r, data, size, &used, error));
        pv_i_buffer_bytes(&r->rest, data + used, size - used);
    } else {
        pv_i_buffer_bytes(&r->rest, data, size);
        if (!r->rest.failed) {
            PV_TRY(hear_whole(r, r->rest.data, r->rest.size, &used, error));
            memmove(r->rest.data, r->rest.data + used, r->rest.size - used);
            r->rest.size -= used;
        }
    }
    return r->rest.failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

void pv_i_ch_put_cell(pv_buffer *piece, const pv_cell *cell)
{
    pv_i_buffer_char(piece, cell->text != NULL ? 0 : 1);
    if (cell->text == NULL) {
        return;
    }
    size_t left = cell->size;
    while (left >= 0x80) {
        pv_i_buffer_char(piece, (char)((left & 0x7f) | 0x80));
        left >>= 7;
    }
    pv_i_buffer_char(piece, (char)left);
    pv_i_buffer_bytes(piece, cell->text, cell->size);
}
