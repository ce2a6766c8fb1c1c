/* Rows of ClickHouse in pieces that end anywhere, and what is no row; no server is needed. */
#include "support/testing.h"

#include "base/memory.h"
#include "engine/clickhouse.h"

#include <string.h>

enum { COLUMNS = 3 };

/* What was heard, written out: a cell in [ ], NULL as -. */
static pv_status write_out(void *ctx, const pv_cell *cells, pv_error *error)
{
    (void)error;
    for (size_t i = 0; i < COLUMNS; i++) {
        pv_i_buffer_char(ctx, cells[i].text != NULL ? '[' : '-');
        if (cells[i].text != NULL) {
            pv_i_buffer_bytes(ctx, cells[i].text, cells[i].size);
            pv_i_buffer_char(ctx, ']');
        }
    }
    pv_i_buffer_char(ctx, '\n');
    return PV_STATUS_OK;
}

static pv_cell cell(const char *text)
{
    return (pv_cell){text, text != NULL ? strlen(text) : 0};
}

/* Hears some bytes in pieces of a size. */
static ch_rows heard(const char *data, size_t size, size_t piece, pv_buffer *text)
{
    ch_rows rows = {.cells = PV_NEW_ARRAY(pv_cell, COLUMNS), .n = COLUMNS, .hear = write_out};
    rows.ctx = text;
    for (size_t at = 0; at < size; at += piece) {
        const size_t n = size - at < piece ? size - at : piece;
        assert_int_equal(pv_i_ch_rows_hear(&rows, data + at, n, NULL), PV_STATUS_OK);
    }
    return rows;
}

static void rows_deinit(ch_rows *rows)
{
    pv_i_buffer_deinit(&rows->rest);
    pv_i_free(rows->cells);
}

static pv_buffer sample(size_t long_size)
{
    pv_buffer data = {0};
    char *const long_text = pv_i_zeroed(long_size + 1, 1);
    memset(long_text, 'x', long_size);
    const pv_cell cells[] = {cell("a"),       cell(NULL), cell(""),   {"\0\1", 2}, cell("Code: 5"),
                             cell(long_text), cell(NULL), cell(NULL), cell(NULL)};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        pv_i_ch_put_cell(&data, &cells[i]);
    }
    pv_i_free(long_text);
    return data;
}

static void test_pieces(void **state)
{
    static const size_t sizes[] = {0, 127, 128, 20000};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const pv_buffer data = sample(sizes[i]);
        pv_buffer whole = {0};
        ch_rows rows = heard(data.data, data.size, data.size, &whole);
        assert_int_equal(rows.rest.size, 0);
        assert_true(whole.size > sizes[i]);
        assert_memory_equal(whole.data, "[a]-[]\n[\0\1][Code: 5][", 21);
        rows_deinit(&rows);
        for (size_t piece = 1; piece < 9; piece++) {
            pv_buffer text = {0};
            rows = heard(data.data, data.size, piece, &text);
            assert_false(rows.is_broken);
            assert_int_equal(rows.rest.size, 0);
            assert_int_equal(text.size, whole.size);
            assert_memory_equal(text.data, whole.data, whole.size);
            rows_deinit(&rows);
            pv_i_buffer_deinit(&text);
        }
        pv_i_buffer_deinit(&whole);
        pv_i_buffer_deinit((pv_buffer *)(uintptr_t)&data);
    }
}

/* Wherever a result ends: it is complete only where a row is. */
static void test_cut_results(void **state)
{
    const pv_buffer data = sample(30);
    size_t n_complete = 0;
    (void)state;
    for (size_t size = 0; size <= data.size; size++) {
        pv_buffer text = {0};
        ch_rows rows = heard(data.data, size, 7, &text);
        n_complete += rows.rest.size == 0;
        rows_deinit(&rows);
        pv_i_buffer_deinit(&text);
    }
    assert_int_equal(n_complete, 4);
    pv_i_buffer_deinit((pv_buffer *)(uintptr_t)&data);
}

/* The text of a failure after any row of a result, in one piece with it or not: it is never the end
 * of a complete one. */
static void test_failure_after_any_row(void **state)
{
    static const char failure[] = "Code: 241, e.displayText() = DB::Exception: Memory limit\n";
    (void)state;
    for (size_t n = 0; n < 4; n++) {
        for (size_t piece = 1; piece < 80; piece++) {
            pv_buffer data = {0};
            pv_buffer text = {0};
            for (size_t i = 0; i < n * COLUMNS; i++) {
                const pv_cell own = cell(i % 2 == 0 ? "abc" : NULL);
                pv_i_ch_put_cell(&data, &own);
            }
            pv_i_buffer_text(&data, failure);
            ch_rows rows = heard(data.data, data.size, piece, &text);
            assert_true(rows.is_broken);
            assert_int_equal(rows.rest.size, strlen(failure));
            assert_memory_equal(rows.rest.data, failure, strlen(failure));
            rows_deinit(&rows);
            pv_i_buffer_deinit(&text);
            pv_i_buffer_deinit(&data);
        }
    }
}

/* Lengths that nobody has. */
static void test_lengths(void **state)
{
    static const char huge[] = "\0\xff\xff\xff\xff\x7f";
    static const char endless[] = "\0\xff\xff\xff\xff\xff\xff";
    pv_buffer text = {0};
    (void)state;
    ch_rows rows = heard(huge, 6, 6, &text);
    assert_true(rows.is_broken);
    rows_deinit(&rows);
    rows = heard(endless, 7, 1, &text);
    assert_true(rows.is_broken);
    rows_deinit(&rows);
    pv_i_buffer_deinit(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_cut_results),
        cmocka_unit_test(test_failure_after_any_row),
        cmocka_unit_test(test_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
