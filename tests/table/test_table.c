/* Tables as a whole: dictionaries, missing values, kept columns, lines, width, many columns, many
 * values, progress, and the same bytes for any number of threads. */
#include "support/study.h"

#include "base/buffer.h"
#include "base/rng.h"
#include "table/column.h"
#include "table/store.h"

#include <stdio.h>

static void accessors(void **state)
{
    pv_table *const table = table_of("b;a\nx;1\ny;2\nx;3\n", NULL);
    (void)state;
    assert_int_equal(pv_table_rows(table), 3);
    assert_int_equal(pv_table_columns(table), 2);
    assert_int_equal(pv_table_delimiter(table), ';');
    assert_string_equal(pv_table_source(table), "test.csv");
    assert_int_equal(pv_table_find(table, "a"), 1);
    assert_int_equal(pv_table_find(table, "b"), 0);
    assert_true(pv_table_find(table, "c") == SIZE_MAX);
    assert_int_equal(pv_table_values(table, 0), 2);
    assert_int_equal(pv_table_count(table, 0, 0), 2);
    assert_int_equal(pv_table_first_row(table, 0, 1), 1);
    assert_int_equal(pv_i_table_value_length(table, 0, 1), 1);
    pv_table_free(table);
    pv_table_free(NULL);
}

/* All spellings are one value; the first in the file is its text. */
static void missing_values_are_one(void **state)
{
    static const char *const ours[] = {"-", "unknown", NULL};
    pv_table *table = table_of("a,b,c\n1,NA,?\n?,x,NA\n,,y\nNA,?,\n2,x,y\n", NULL);
    (void)state;
    assert_int_equal(pv_table_values(table, 0), 3);
    assert_int_equal(pv_table_missing(table, 0), 1);
    assert_string_equal(pv_table_value(table, 0, 1), "?");
    assert_int_equal(pv_table_count(table, 0, 1), 3);
    assert_int_equal(pv_table_missing(table, 1), 0);
    assert_string_equal(pv_table_value(table, 1, 0), "NA");
    assert_int_equal(pv_table_count(table, 1, 0), 3);
    assert_string_equal(table_cell(table, 2, 2), "y");
    assert_int_equal(pv_table_count(table, 2, pv_table_missing(table, 2)), 3);
    pv_table_free(table);

    table = table_of("a,b\n-,NA\nunknown,x\n1,?\n", &(pv_read_options){.missing = ours});
    assert_int_equal(pv_table_values(table, 0), 2);
    assert_int_equal(pv_table_missing(table, 0), 0);
    assert_int_equal(pv_table_values(table, 1), 3);
    assert_int_equal(pv_table_missing(table, 1), PV_NO_CODE);
    pv_table_free(table);
}

static bool keep_listed(void *ctx, const char *column)
{
    return strchr(ctx, column[0]) != NULL;
}

static void only_kept_columns_are_stored(void **state)
{
    char wanted[] = "ca";
    const pv_read_options options = {.keep = keep_listed, .keep_ctx = wanted};
    const pv_read_options none = {.keep = keep_listed, .keep_ctx = wanted + 2};
    pv_table *table = table_of("a,b,c,d\n1,2,3,4\n5,6,7,8\n", &options);
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_table_columns(table), 2);
    assert_string_equal(pv_table_name(table, 0), "a");
    assert_string_equal(pv_table_name(table, 1), "c");
    assert_string_equal(table_cell(table, 1, 1), "7");
    assert_true(pv_table_find(table, "b") == SIZE_MAX);
    pv_table_free(table);
    table = table_of("a,b\n1,2\n3,4\n", &none);
    assert_int_equal(pv_table_columns(table), 0);
    assert_int_equal(pv_table_rows(table), 2);
    pv_table_free(table);
    table = NULL;
    /* Columns that are not kept are checked all the same. */
    assert_int_equal(table_status("a,b\n1,2\n3,4,5\n", &options, &table, &error), PV_STATUS_INPUT);
    assert_int_equal(error.line, 3);
    assert_int_equal(table_status("x,x\n1,2\n", &options, &table, &error), PV_STATUS_INPUT);
}

static void lines_of_rows(void **state)
{
    const pv_read_options skip = {.skip_bad_rows = true};
    pv_table *const table = table_of("\na,b\n1,2\n\n\"x\n\ny\",3\nbad\n4,5\n6,7\n\n8,9\n", &skip);
    static const uint64_t lines[] = {3, 5, 9, 10, 12};
    (void)state;
    assert_int_equal(pv_table_rows(table), 5);
    for (uint64_t r = 0; r < 5; r++) {
        assert_int_equal(pv_table_line(table, r), lines[r]);
    }
    assert_int_equal(pv_table_line(table, 5), 0);
    pv_table_free(table);
}

/* Where every record has a line break of its own, lines are given up block by block. */
static void lines_that_cost_too_much_are_unknown(void **state)
{
    pv_buffer text = {0};
    pv_table *table = NULL;
    (void)state;
    pv_i_buffer_text(&text, "a,b\n");
    for (int i = 0; i < 1000; i++) {
        pv_i_buffer_text(&text, i < 900 ? "\"x\ny\",1\n" : "z,1\n");
    }
    assert_int_equal(
        pv_i_table_read_blocks("x", text.data, text.size, 900, NULL, NULL, &table, NULL),
        PV_STATUS_OK);
    assert_int_equal(pv_table_line(table, 500), 0);
    assert_int_equal(pv_table_line(table, 999), 1 + 2 * 900 + 100);
    pv_table_free(table);
    pv_i_buffer_deinit(&text);
}

static pv_buffer random_text(size_t rows, uint64_t seed)
{
    pv_buffer text = {0};
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    pv_i_buffer_text(&text, "few,some,many,long,quoted\n");
    for (size_t i = 0; i < rows; i++) {
        pv_i_buffer_format(&text, "v%u,%u,id-%llu,a rather long value with number %u,\"q,%u\"\n",
                           (unsigned)pv_i_rng_below(&rng, 3), (unsigned)pv_i_rng_below(&rng, 700),
                           (unsigned long long)pv_i_rng_next(&rng),
                           (unsigned)pv_i_rng_below(&rng, 300), (unsigned)pv_i_rng_below(&rng, 20));
    }
    return text;
}

static void assert_same(const pv_table *a, const pv_table *b)
{
    assert_int_equal(pv_table_rows(a), pv_table_rows(b));
    assert_int_equal(pv_table_columns(a), pv_table_columns(b));
    for (size_t c = 0; c < pv_table_columns(a); c++) {
        const pv_codes left = pv_i_table_codes(a, c);
        const pv_codes right = pv_i_table_codes(b, c);
        assert_int_equal(left.width, right.width);
        assert_memory_equal(left.data, right.data, pv_table_rows(a) * left.width);
        assert_int_equal(pv_table_values(a, c), pv_table_values(b, c));
        assert_int_equal(pv_table_type(a, c), pv_table_type(b, c));
        for (uint32_t i = 0; i < pv_table_values(a, c); i++) {
            if (strcmp(pv_table_value(a, c, i), pv_table_value(b, c, i)) != 0 ||
                pv_table_count(a, c, i) != pv_table_count(b, c, i)) {
                fail_msg("column %zu, code %u", c, (unsigned)i);
            }
        }
    }
}

static void any_number_of_threads_gives_the_same_table(void **state)
{
    pv_buffer text = random_text(12000, 5);
    pv_table *first = NULL;
    (void)state;
    for (unsigned threads = 1; threads <= 7; threads += 3) {
        const pv_context context = {.threads = threads};
        pv_table *table = NULL;
        assert_int_equal(
            pv_i_table_read_blocks("x", text.data, text.size, 9000, NULL, &context, &table, NULL),
            PV_STATUS_OK);
        if (first == NULL) {
            first = table;
            continue;
        }
        assert_same(first, table);
        pv_table_free(table);
    }
    assert_int_equal(pv_table_values(first, 2), 12000);
    assert_int_equal(pv_table_values(first, 3), 300);
    pv_table_free(first);
    pv_i_buffer_deinit(&text);
}

/* Codes are stored in 1, 2 or 4 bytes, and a dictionary may outgrow its width on the way. */
static void codes_are_as_narrow_as_possible(void **state)
{
    enum { ROWS = 66000 };
    const pv_context context = {.threads = 2};
    static const uint32_t values[] = {256, 257, 65536, ROWS};
    static const unsigned widths[] = {1, 2, 2, 4};
    uint32_t codes[100];
    pv_buffer text = {0};
    pv_table *table = NULL;
    (void)state;
    pv_i_buffer_text(&text, "a,b,c,d\n");
    for (uint32_t i = 0; i < ROWS; i++) {
        pv_i_buffer_format(&text, "%u,%u,%u,%u\n", i % 256, i % 257, i % 65536, i);
    }
    assert_int_equal(
        pv_i_table_read_blocks("x", text.data, text.size, 200000, NULL, &context, &table, NULL),
        PV_STATUS_OK);
    for (size_t c = 0; c < 4; c++) {
        assert_int_equal(pv_table_values(table, c), values[c]);
        assert_int_equal(pv_i_table_codes(table, c).width, widths[c]);
        pv_i_codes_unpack(pv_i_table_codes(table, c), ROWS - 100, 100, codes);
        for (uint32_t i = 0; i < 100; i++) {
            assert_int_equal(codes[i], (ROWS - 100 + i) % values[c]);
            assert_int_equal(codes[i], pv_table_code(table, c, ROWS - 100 + i));
        }
    }
    pv_table_free(table);
    pv_i_buffer_deinit(&text);
}

static void ten_thousand_columns(void **state)
{
    enum { COLUMNS = 10000, ROWS = 12 };
    const pv_context context = {.threads = 2};
    pv_buffer text = {0};
    pv_table *table = NULL;
    (void)state;
    for (int r = -1; r < ROWS; r++) {
        for (int c = 0; c < COLUMNS; c++) {
            pv_i_buffer_format(&text, r < 0 ? "column-%d%c" : "%d%c", r < 0 ? c : (r * c) % 7,
                               c + 1 < COLUMNS ? ',' : '\n');
        }
    }
    assert_int_equal(
        pv_i_table_read_blocks("x", text.data, text.size, 30000, NULL, &context, &table, NULL),
        PV_STATUS_OK);
    assert_int_equal(pv_table_columns(table), COLUMNS);
    assert_int_equal(pv_table_rows(table), ROWS);
    assert_int_equal(pv_table_find(table, "column-7654"), 7654);
    assert_string_equal(table_cell(table, 5, 9999), "1");
    assert_int_equal(pv_table_type(table, 5000), PV_TYPE_INTEGER);
    pv_table_free(table);
    pv_i_buffer_deinit(&text);
}

static void a_very_long_field(void **state)
{
    const size_t length = 3000000;
    pv_buffer text = {0};
    pv_table *table = NULL;
    (void)state;
    pv_i_buffer_text(&text, "a,b\n\"");
    for (size_t i = 0; i < length; i++) {
        pv_i_buffer_char(&text, i % 100 == 0 ? '\n' : 'x');
    }
    pv_i_buffer_text(&text, "\",1\nshort,2\n");
    assert_int_equal(pv_table_read_memory("x", text.data, text.size, NULL, NULL, &table, NULL),
                     PV_STATUS_OK);
    assert_int_equal(pv_table_rows(table), 2);
    assert_int_equal(pv_i_table_value_length(table, 0, 0), length);
    assert_int_equal(pv_table_line(table, 1), 2 + length / 100 + 1);
    pv_table_free(table);
    pv_i_buffer_deinit(&text);
}

typedef struct {
    unsigned calls;
    uint64_t last, total;
    bool stop;
} progress_log;

static bool log_progress(void *ctx, const pv_progress *progress)
{
    progress_log *const log = ctx;
    assert_string_equal(progress->phase, "reading");
    assert_true(progress->done >= log->last && progress->done <= progress->total);
    log->calls++;
    log->last = progress->done;
    log->total = progress->total;
    return !log->stop;
}

static void progress_is_told_and_can_stop(void **state)
{
    pv_buffer text = random_text(5000, 1);
    pv_table *table = NULL;
    pv_error error = {0};
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        progress_log log = {0};
        const pv_context context = {
            .threads = threads, .progress = log_progress, .progress_ctx = &log};
        assert_int_equal(
            pv_i_table_read_blocks("x", text.data, text.size, 20000, NULL, &context, &table, NULL),
            PV_STATUS_OK);
        assert_true(log.calls >= 1 && log.last == text.size && log.total == text.size);
        pv_table_free(table);
        table = NULL;
        log = (progress_log){.stop = true};
        assert_int_equal(pv_i_table_read_blocks("x", text.data, text.size, 20000, NULL, &context,
                                                &table, &error),
                         PV_STATUS_CANCELLED);
        assert_null(table);
    }
    pv_i_buffer_deinit(&text);
}

/* Blanks around fields and names, in blocks of any size and on several threads. */
static void blanks_are_removed(void **state)
{
    static const char csv[] = "name , \"sex\",  n\n"
                              "Ada, f, 1\n"
                              " Ada ,\"f\",\t1\n"
                              "Bo b,  \"m\" , 2 \n"
                              ", NA,3\n"
                              "   ,m,3\n";
    static const char *const cells[][3] = {
        {"Ada", "f", "1"}, {"Ada", "f", "1"}, {"Bo b", "m", "2"}, {"", "NA", "3"}, {"", "m", "3"}};
    static const size_t block_sizes[] = {16, 24, 64, 4096};
    (void)state;
    for (size_t b = 0; b < sizeof block_sizes / sizeof *block_sizes; b++) {
        pv_table *table = NULL;
        const pv_read_options options = {.delimiter = ',', .header = PV_CHOICE_YES};
        const pv_context context = {.threads = 1 + (unsigned)b};
        assert_int_equal(pv_i_table_read_blocks("t.csv", csv, strlen(csv), block_sizes[b], &options,
                                                &context, &table, NULL),
                         PV_STATUS_OK);
        assert_string_equal(pv_table_name(table, 0), "name");
        assert_string_equal(pv_table_name(table, 1), "sex");
        assert_int_equal(pv_table_type(table, 2), PV_TYPE_INTEGER);
        assert_int_equal(pv_table_trimmed(table), 8);
        assert_int_equal(pv_table_values(table, 0), 3);
        for (uint64_t row = 0; row < 5; row++) {
            for (size_t column = 0; column < 3; column++) {
                assert_string_equal(table_cell(table, row, column), cells[row][column]);
            }
        }
        assert_int_equal(pv_table_code(table, 0, 3), pv_table_missing(table, 0));
        assert_int_equal(pv_table_code(table, 0, 4), pv_table_missing(table, 0));
        pv_table_free(table);
    }
    pv_table *const kept =
        table_of(csv, &(pv_read_options){.header = PV_CHOICE_YES, .keep_blanks = true});
    assert_string_equal(pv_table_name(kept, 0), "name ");
    assert_string_equal(table_cell(kept, 0, 1), " f");
    assert_int_equal(pv_table_trimmed(kept), 0);
    pv_table_free(kept);
}

static const char *const *own_missing(void *ctx, const char *column)
{
    static const char *const codes[] = {"-9", "", NULL};
    (void)ctx;
    return strcmp(column, "b") == 0 ? codes : NULL;
}

/* A column may have spellings of its own; which of them occur is known. */
static void missing_by_column(void **state)
{
    pv_table *const table =
        table_of("a,b\n-9,-9\nNA,NA\n1,\n?,-9\n", &(pv_read_options){.missing_of = own_missing});
    uint64_t rows = 0;
    (void)state;
    assert_string_equal(table_cell(table, 0, 0), "-9");
    assert_int_equal(pv_table_count(table, 0, pv_table_missing(table, 0)), 2);
    assert_int_equal(pv_table_missing_spellings(table, 0), 2);
    assert_string_equal(pv_table_missing_spelling(table, 0, 1, &rows), "?");
    assert_int_equal(rows, 1);
    assert_string_equal(table_cell(table, 1, 1), "NA");
    assert_int_equal(pv_table_count(table, 1, pv_table_missing(table, 1)), 3);
    assert_int_equal(pv_table_missing_spellings(table, 1), 2);
    assert_string_equal(pv_table_missing_spelling(table, 1, 0, &rows), "-9");
    assert_int_equal(rows, 2);
    pv_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accessors),
        cmocka_unit_test(missing_values_are_one),
        cmocka_unit_test(only_kept_columns_are_stored),
        cmocka_unit_test(lines_of_rows),
        cmocka_unit_test(lines_that_cost_too_much_are_unknown),
        cmocka_unit_test(any_number_of_threads_gives_the_same_table),
        cmocka_unit_test(codes_are_as_narrow_as_possible),
        cmocka_unit_test(ten_thousand_columns),
        cmocka_unit_test(a_very_long_field),
        cmocka_unit_test(progress_is_told_and_can_stop),
        cmocka_unit_test(blanks_are_removed),
        cmocka_unit_test(missing_by_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
