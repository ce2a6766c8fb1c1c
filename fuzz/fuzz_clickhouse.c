/* Any bytes as what ClickHouse sends, in pieces of any size, and as a configuration of its client:
 * rows are the same whatever the pieces are, and what is written of them is what was read. */
#include "base/memory.h"
#include "engine/clickhouse.h"

#include <stdlib.h>
#include <string.h>

#define MUST(condition)   \
    do {                  \
        if (!(condition)) \
            abort();      \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_COLUMNS = 4 };

typedef struct {
    pv_buffer written;
    size_t n;
} heard_rows;

static pv_status write_again(void *ctx, const pv_cell *cells, pv_error *error)
{
    heard_rows *const heard = ctx;
    (void)error;
    for (size_t i = 0; i < heard->n; i++) {
        pv_i_ch_put_cell(&heard->written, &cells[i]);
    }
    return PV_STATUS_OK;
}

static bool read_rows(const char *data, size_t size, size_t n, size_t piece, heard_rows *heard)
{
    pv_cell cells[MOST_COLUMNS];
    ch_rows rows = {.cells = cells, .n = n, .hear = write_again, .ctx = heard};
    heard->n = n;
    for (size_t at = 0; at < size; at += piece) {
        const size_t next = size - at < piece ? size - at : piece;
        MUST(pv_i_ch_rows_hear(&rows, data + at, next, NULL) == PV_STATUS_OK);
    }
    const bool is_complete = rows.rest.size == 0;
    MUST(!rows.is_broken || !is_complete);
    pv_i_buffer_deinit(&rows.rest);
    return is_complete;
}

static void check_rows(const char *data, size_t size, size_t n, size_t piece)
{
    heard_rows whole = {0};
    heard_rows parts = {0};
    heard_rows again = {0};
    const bool is_complete = read_rows(data, size, n, size + 1, &whole);
    MUST(read_rows(data, size, n, piece, &parts) == is_complete);
    MUST(parts.written.size == whole.written.size);
    MUST(whole.written.size == 0 ||
         memcmp(parts.written.data, whole.written.data, whole.written.size) == 0);
    MUST(read_rows(whole.written.data, whole.written.size, n, piece, &again));
    MUST(again.written.size == whole.written.size);
    pv_i_buffer_deinit(&whole.written);
    pv_i_buffer_deinit(&parts.written);
    pv_i_buffer_deinit(&again.written);
}

static void check_configuration(const char *data, size_t size)
{
    ch_login login = {0};
    char *const text = pv_i_strndup(data, size);
    MUST(text != NULL && pv_i_ch_login_configure(&login, text, "host"));
    pv_i_ch_login_deinit(&login);
    pv_i_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && data[0] == '<') {
        check_configuration((const char *)data, size);
    } else if (size > 1) {
        check_rows((const char *)data + 2, size - 2, data[0] % MOST_COLUMNS + 1, data[1] % 16 + 1u);
    }
    return 0;
}
