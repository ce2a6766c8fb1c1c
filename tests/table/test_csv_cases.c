/* What delimited texts hold, case by case. */
#include "support/table_support.h"

#include "support/csv_cases.h"

#include "base/buffer.h"
#include "table/store.h"

#include <stdlib.h>

static void append_table(pv_buffer *buffer, const pv_table *table)
{
    for (size_t c = 0; c < pv_table_columns(table); c++) {
        pv_i_buffer_text(buffer, c > 0 ? "|" : "");
        pv_i_buffer_text(buffer, pv_table_name(table, c));
    }
    for (uint64_t r = 0; r < pv_table_rows(table); r++) {
        pv_i_buffer_text(buffer, "/");
        for (size_t c = 0; c < pv_table_columns(table); c++) {
            pv_i_buffer_text(buffer, c > 0 ? "|" : "");
            pv_i_buffer_text(buffer, table_cell(table, r, c));
        }
    }
}

static void check_table(const csv_case *c, const pv_table *table)
{
    pv_buffer cells = {0};
    append_table(&cells, table);
    assert_string_equal(cells.data, c->cells);
    assert_int_equal(pv_table_skipped(table), c->skipped);
    pv_i_buffer_deinit(&cells);
}

static void check_error(const csv_case *c, pv_status status, const pv_error *error)
{
    assert_int_equal(status, c->status);
    assert_int_equal(error->status, c->status);
    assert_int_equal(error->line, c->line);
    assert_non_null(strstr(error->message, c->message));
    if (c->status == PV_STATUS_INPUT) {
        assert_string_equal(error->file, "case.csv");
        assert_true(error->hint[0] != '\0');
    }
}

static void check_case(const csv_case *c, size_t block_size, unsigned threads)
{
    const pv_context context = {.threads = threads};
    pv_table *table = NULL;
    pv_error error = {0};
    /* A copy of the exact size, so that a sanitizer sees what is read beyond it. */
    char *const text = malloc(strlen(c->text) + (c->text[0] == '\0'));
    memcpy(text, c->text, strlen(c->text));
    const pv_status status = pv_i_table_read_blocks("case.csv", text, strlen(c->text), block_size,
                                                    &c->options, &context, &table, &error);
    free(text);
    if (status == PV_STATUS_OK && c->status == PV_STATUS_OK) {
        check_table(c, table);
        pv_table_free(table);
    } else {
        check_error(c, status, &error);
        assert_null(table);
    }
}

static void every_case(void **state)
{
    static const size_t sizes[] = {1, 3, 16, 64, 1 << 20};
    (void)state;
    for (size_t i = 0; i < N_CSV_CASES; i++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            print_message("%s, blocks of %zu\n", csv_cases[i].name, sizes[s]);
            check_case(&csv_cases[i], sizes[s], 1);
            check_case(&csv_cases[i], sizes[s], 3);
        }
    }
}

static void nul_bytes_name_their_line(void **state)
{
    static const char text[] = "a,b\n1,2\n3,\0004\n";
    pv_table *table = NULL;
    pv_error error = {0};
    (void)state;
    assert_int_equal(
        pv_table_read_memory("junk", text, sizeof text - 1, NULL, NULL, &table, &error),
        PV_STATUS_INPUT);
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.message, "not a text file"));
}

/* Beyond the sample that is looked at first, the earliest trouble in the file counts, whichever
 * thread finds it. */
static void late_trouble_is_found_in_order(void **state)
{
    enum { ROWS = 40000, BAD = 30000, NUL = 30100 };
    pv_buffer text = {0};
    (void)state;
    pv_i_buffer_text(&text, "a,b\n");
    for (int line = 2; line < ROWS; line++) {
        const size_t size = line == NUL ? 6 : 0;
        pv_i_buffer_bytes(&text, "x\0y,z\n", size);
        pv_i_buffer_text(&text, size > 0 ? "" : line == BAD ? "x,y,z\n" : "x,y\n");
    }
    for (unsigned threads = 1; threads <= 8; threads *= 2) {
        for (int skip = 0; skip < 2; skip++) {
            const pv_context context = {.threads = threads};
            const pv_read_options options = {.skip_bad_rows = skip != 0};
            pv_table *table = NULL;
            pv_error error = {0};
            assert_int_equal(pv_i_table_read_blocks("late", text.data, text.size, 100, &options,
                                                    &context, &table, &error),
                             PV_STATUS_INPUT);
            assert_int_equal(error.line, skip ? NUL : BAD);
        }
    }
    pv_i_buffer_deinit(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case),
        cmocka_unit_test(nul_bytes_name_their_line),
        cmocka_unit_test(late_trouble_is_found_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
