/* What delimited texts hold, case by case. */
#include "support/study.h"

#include "base/buffer.h"
#include "table/store.h"

#include <stdlib.h>

/* Delimited texts and what they hold: cases for the reader, seeds for its fuzz target.
 *
 * `cells` are the names and then the rows, fields divided by '|' and records by '/': none of the
 * texts holds these as data. `status` other than OK comes with the line it must name. */
typedef struct csv_case {
    const char *name;
    const char *text;
    pv_read_options options;
    const char *cells;
    uint64_t skipped;
    pv_status status;
    uint64_t line;
    const char *message; /* a part of it */
} csv_case;

static const csv_case csv_cases[] = {
    {.name = "plain", .text = "a,b\n1,2\n3,4\n", .cells = "a|b/1|2/3|4"},
    {.name = "semicolons", .text = "a;b\n1,5;2,5\n3;4\n", .cells = "a|b/1,5|2,5/3|4"},
    {.name = "tabs", .text = "a\tb\nx y\tz\n", .cells = "a|b/x y|z"},
    {.name = "no final newline", .text = "a,b\n1,2", .cells = "a|b/1|2"},
    {.name = "crlf", .text = "a,b\r\n1,2\r\n3,4\r\n", .cells = "a|b/1|2/3|4"},
    {.name = "mixed line ends", .text = "a,b\r\n1,2\n3,4\r\n5,6", .cells = "a|b/1|2/3|4/5|6"},
    {.name = "cr at the end", .text = "a,b\r\n1,2\r", .cells = "a|b/1|2"},
    {.name = "cr within", .text = "a,b\nx\ry,z\n", .cells = "a|b/x\ry|z"},
    {.name = "byte order mark",
     .text = "\xEF\xBB\xBF"
             "a,b\n1,2\n",
     .cells = "a|b/1|2"},
    {.name = "utf-8", .text = "naïve,größe\nœuf,日本\n", .cells = "naïve|größe/œuf|日本"},
    {.name = "latin-1 passes", .text = "a,b\n\xe9,\xff\n", .cells = "a|b/\xe9|\xff"},
    {.name = "empty fields", .text = "a,b,c\n,,\n1,,3\n", .cells = "a|b|c/||/1||3"},
    {.name = "blank lines", .text = "\n\r\na,b\n\n1,2\n\r\n\n3,4\n\n", .cells = "a|b/1|2/3|4"},
    {.name = "one column", .text = "a\nx\ny\n", .cells = "a/x/y"},
    {.name = "one column, blank lines", .text = "a\nx\n\ny\n\n", .cells = "a/x/y"},
    {.name = "one column, quoted empty", .text = "a\nx\n\"\"\ny\n", .cells = "a/x//y"},
    {.name = "quoted", .text = "a,b\n\"1\",\"2\"\n", .cells = "a|b/1|2"},
    {.name = "quoted names", .text = "\"a b\",\"c,d\"\n1,2\n", .cells = "a b|c,d/1|2"},
    {.name = "quoted delimiter", .text = "a,b\n\"x,y\",z\n", .cells = "a|b/x,y|z"},
    {.name = "quoted newline", .text = "a,b\n\"x\ny\",z\n", .cells = "a|b/x\ny|z"},
    {.name = "quoted crlf", .text = "a,b\r\n\"x\r\ny\",z\r\n", .cells = "a|b/x\r\ny|z"},
    {.name = "doubled quotes", .text = "a,b\n\"x\"\"y\",\"\"\"\"\n", .cells = "a|b/x\"y|\""},
    {.name = "quote within", .text = "a,b\n5\" pipe,7\"\n", .cells = "a|b/5\" pipe|7\""},
    {.name = "text after a quote", .text = "a,b\n\"x\"y,\"p\"q\"r\n", .cells = "a|b/xy|pq\"r"},
    {.name = "quote after text after a quote",
     .text = "a,b\n\"x\"y\"z,1\n\"2\",3\n",
     .cells = "a|b/xy\"z|1/2|3"},
    {.name = "blanks stay",
     .text = "a,b\n x , y \n",
     .options = {.keep_blanks = true},
     .cells = "a|b/ x | y "},
    {.name = "blank before a quote stays",
     .text = "a,b\n \"x\",y\n",
     .options = {.keep_blanks = true},
     .cells = "a|b/ \"x\"|y"},
    {.name = "blanks go", .text = "a, b\n x , y \n", .cells = "a|b/x|y"},
    {.name = "blank before a quote goes", .text = "a,b\n \"x\",y\n", .cells = "a|b/x|y"},
    {.name = "blanks inside stay", .text = "a,b\n\" x y \", y  z\n", .cells = "a|b/x y|y  z"},
    {.name = "blanks alone are nothing", .text = "a,b\n  ,\t\n x,y\n", .cells = "a|b/|/x|y"},
    {.name = "no quoting",
     .text = "a,b\n\"x,y\"\n",
     .options = {.quoting = PV_CHOICE_NO, .delimiter = ','},
     .cells = "a|b/\"x|y\""},
    {.name = "no header", .text = "1,x\n2,y\n", .cells = "column1|column2/1|x/2|y"},
    {.name = "no header, told",
     .text = "a,b\nc,d\n",
     .options = {.header = PV_CHOICE_NO},
     .cells = "column1|column2/a|b/c|d"},
    {.name = "header of numbers, told",
     .text = "1,2\n3,4\n",
     .options = {.header = PV_CHOICE_YES},
     .cells = "1|2/3|4"},
    {.name = "nameless column", .text = ",b\n1,2\n", .cells = "column1|b/1|2"},
    {.name = "odd delimiter",
     .text = "a:b\n1:2\n",
     .options = {.delimiter = ':'},
     .cells = "a|b/1|2"},
    {.name = "32 bytes and more",
     .text = "a,b\n1234567890123456789012345678901,x\n12345678901234567890123456789012,x\n"
             "123456789012345678901234567890123,x\n123456789012345678901234567890123,x\n",
     .cells = "a|b/1234567890123456789012345678901|x/12345678901234567890123456789012|x/"
              "123456789012345678901234567890123|x/123456789012345678901234567890123|x"},
    {.name = "bad rows skipped",
     .text = "a,b\n1,2\n1\n1,2,3\n3,4\n",
     .options = {.skip_bad_rows = true},
     .cells = "a|b/1|2/3|4",
     .skipped = 2},

    {.name = "too few fields",
     .text = "a,b\n1,2\n1\n",
     .status = PV_STATUS_INPUT,
     .line = 3,
     .message = "1 field instead of 2"},
    {.name = "too many fields",
     .text = "a,b\n\n1,2\n\"x\ny\",2\n1,2,3\n1\n",
     .status = PV_STATUS_INPUT,
     .line = 6,
     .message = "3 fields instead of 2"},
    {.name = "quote not closed",
     .text = "a,b\n1,2\n\"x\ny\",\"z\n1,2\n",
     .options = {.quoting = PV_CHOICE_YES},
     .status = PV_STATUS_INPUT,
     .line = 4,
     .message = "never closed"},
    {.name = "quote not closed in the header",
     .text = "a,\"b\n1,2\n",
     .options = {.quoting = PV_CHOICE_YES, .header = PV_CHOICE_YES},
     .status = PV_STATUS_INPUT,
     .line = 1,
     .message = "never closed"},
    {.name = "column named twice",
     .text = "a,b,a\n1,2,3\n",
     .status = PV_STATUS_INPUT,
     .line = 1,
     .message = "\"a\" is named twice"},
    {.name = "made-up name taken",
     .text = ",column1\n1,2\n",
     .status = PV_STATUS_INPUT,
     .line = 1,
     .message = "named twice"},
    {.name = "empty", .text = "", .status = PV_STATUS_INPUT, .message = "is empty"},
    {.name = "byte order mark alone",
     .text = "\xEF\xBB\xBF",
     .status = PV_STATUS_INPUT,
     .message = "is empty"},
    {.name = "blank", .text = "\n\r\n\n", .status = PV_STATUS_INPUT, .message = "blank lines"},
    {.name = "header only", .text = "a,b\n", .status = PV_STATUS_INPUT, .message = "no rows"},
    {.name = "header and blank lines",
     .text = "a,b\n\n\n",
     .status = PV_STATUS_INPUT,
     .message = "no rows"},
    {.name = "old line ends",
     .text = "a,b\r1,2\r3,4\r",
     .options = {.header = PV_CHOICE_YES},
     .status = PV_STATUS_INPUT,
     .message = "no rows"},
    {.name = "all rows bad",
     .text = "a,b\n1\n2\n",
     .options = {.skip_bad_rows = true, .delimiter = ',', .header = PV_CHOICE_YES},
     .status = PV_STATUS_INPUT,
     .message = "no rows"},
    {.name = "quote as delimiter",
     .text = "a\"b\n1\"2\n",
     .options = {.delimiter = '"'},
     .status = PV_STATUS_ARGUMENT,
     .message = "delimiter"},
};

#define N_CSV_CASES (sizeof csv_cases / sizeof *csv_cases)

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
