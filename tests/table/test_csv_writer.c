/* The writer quotes what must be quoted and nothing else, and what it writes reads back. */
#include "support/study.h"

#include "base/outputs.h"
#include "base/rng.h"
#include "table/csv_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Fields of one record, divided by '|' on the left; the line they become on the right. */
static const struct {
    const char *fields[5];
    const char *line;
} cases[] = {
    {{"a", "b"}, "a,b\n"},
    {{"", ""}, ",\n"},
    {{""}, "\"\"\n"},
    {{"a b", " c "}, "a b, c \n"},
    {{"a,b", "c"}, "\"a,b\",c\n"},
    {{"a;b|c\td", "e"}, "a;b|c\td,e\n"},
    {{"say \"hi\"", "\""}, "\"say \"\"hi\"\"\",\"\"\"\"\n"},
    {{"two\nlines", "cr\rcr"}, "\"two\nlines\",\"cr\rcr\"\n"},
    {{"\xEF\xBB\xBF"
      "a",
      "\xEF\xBB\xBF"
      "b"},
     "\"\xEF\xBB\xBF"
     "a\",\xEF\xBB\xBF"
     "b\n"},
    {{"\x1f\x8b", "\x1f\x8b"}, "\"\x1f\x8b\",\x1f\x8b\n"},
    {{"é", "日本", "'"}, "é,日本,'\n"},
};

static void lines_are_as_plain_as_possible(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_csv_writer writer;
        pv_i_csv_init(&writer, ',', NULL);
        for (size_t f = 0; cases[i].fields[f] != NULL; f++) {
            pv_i_csv_field(&writer, cases[i].fields[f]);
        }
        assert_int_equal(pv_i_csv_end(&writer, NULL), PV_STATUS_OK);
        assert_int_equal(pv_i_csv_flush(&writer, NULL), PV_STATUS_OK);
        assert_string_equal(writer.pending.data, cases[i].line);
        pv_i_csv_deinit(&writer);
    }
}

/* What a spreadsheet would run, and what it becomes. */
static const struct {
    const char *value, *escaped;
    bool is_formula;
} formulas[] = {
    {"=1+1", "'=1+1", true},
    {"+1+1", "'+1+1", true},
    {"-1-1", "'-1-1", true},
    {"@SUM(A1)", "'@SUM(A1)", true},
    {"\tx", "'\tx", true},
    {"\rx", "\"'\rx\"", true},
    {"=a,b", "\"'=a,b\"", true},
    {"=\"a\"", "\"'=\"\"a\"\"\"", true},
    {"=5", "'=5", true},
    {"-5e", "'-5e", true},
    {"-.", "'-.", true},
    {"+-5", "'+-5", true},
    {"-5", "-5", false},
    {"+3.2e1", "+3.2e1", false},
    {"-1.234,5", "\"-1.234,5\"", false},
    {"+.5E-07", "+.5E-07", false},
    {"=", "=", false},
    {"-", "-", false},
    {"", "", false},
    {"a=1", "a=1", false},
    {"'", "''", false},
    {"'=1", "''=1", false},
};

static void formulas_are_told_and_escaped(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        const char *const value = formulas[i].value;
        pv_buffer made = {0};
        assert_int_equal(pv_i_is_formula(value, strlen(value)), formulas[i].is_formula);
        pv_i_csv_append(&made, ',', true, value, strlen(value));
        assert_string_equal(made.data, formulas[i].escaped);
        pv_i_buffer_clear(&made);
        pv_i_csv_append(&made, ',', false, value, strlen(value));
        assert_null(strchr(made.data, '\'') != NULL && value[0] != '\'' ? made.data : NULL);
        pv_i_buffer_deinit(&made);
    }
}

static void random_field(pv_rng *rng, char *field)
{
    static const char bytes[] = "ab,;\"\n\r \xEF\xBB\xBF";
    size_t n = pv_i_rng_below(rng, 6);
    for (size_t i = 0; i < n; i++) {
        field[i] = bytes[pv_i_rng_below(rng, sizeof bytes - 1)];
    }
    field[n] = '\0';
}

static void what_is_written_reads_back(void **state)
{
    static const char *const nothing[] = {NULL};
    static char fields[20][4][8];
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 7);
    for (int round = 0; round < 2000; round++) {
        const size_t n_columns = 1 + pv_i_rng_below(&rng, 4);
        const size_t n_rows = 1 + pv_i_rng_below(&rng, 20);
        const pv_read_options options = {.keep_blanks = true,
                                         .delimiter = ',',
                                         .quoting = PV_CHOICE_YES,
                                         .header = PV_CHOICE_NO,
                                         .missing = nothing};
        pv_csv_writer writer;
        pv_table *table = NULL;
        pv_i_csv_init(&writer, ',', NULL);
        for (size_t r = 0; r < n_rows; r++) {
            for (size_t c = 0; c < n_columns; c++) {
                random_field(&rng, fields[r][c]);
                pv_i_csv_field(&writer, fields[r][c]);
            }
            assert_int_equal(pv_i_csv_end(&writer, NULL), PV_STATUS_OK);
        }
        assert_int_equal(pv_table_read_memory("written", writer.pending.data, writer.pending.size,
                                              &options, NULL, &table, NULL),
                         PV_STATUS_OK);
        assert_int_equal(pv_table_rows(table), n_rows);
        for (size_t i = 0; i < n_rows * n_columns; i++) {
            assert_string_equal(table_cell(table, i / n_columns, i % n_columns),
                                fields[i / n_columns][i % n_columns]);
        }
        pv_table_free(table);
        pv_i_csv_deinit(&writer);
    }
}

static void large_outputs_are_flushed_on_the_way(void **state)
{
    enum { ROWS = 50000 };
    char path[] = "/tmp/pv_csv_writer_XXXXXX";
    pv_outputs *outputs = NULL;
    pv_output *output = NULL;
    pv_csv_writer writer;
    pv_table *table = NULL;
    (void)state;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    assert_int_equal(pv_outputs_create(true, &outputs, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_outputs_open(outputs, path, PV_AUDIENCE_PUBLIC, &output, NULL),
                     PV_STATUS_OK);
    pv_i_csv_init(&writer, ';', output);
    for (int i = -1; i < ROWS; i++) {
        char number[16];
        (void)snprintf(number, sizeof number, "%d", i);
        pv_i_csv_field(&writer, i < 0 ? "a" : number);
        pv_i_csv_field(&writer, i < 0 ? "b" : "x;y");
        assert_int_equal(pv_i_csv_end(&writer, NULL), PV_STATUS_OK);
    }
    assert_int_equal(pv_i_csv_flush(&writer, NULL), PV_STATUS_OK);
    assert_true(writer.pending.capacity < 1 << 20);
    pv_i_csv_deinit(&writer);
    assert_int_equal(pv_outputs_commit(outputs, NULL), PV_STATUS_OK);
    pv_outputs_free(outputs);
    assert_int_equal(pv_table_read(path, NULL, NULL, &table, NULL), PV_STATUS_OK);
    assert_int_equal(pv_table_rows(table), ROWS);
    assert_int_equal(pv_table_values(table, 0), ROWS);
    assert_string_equal(table_cell(table, ROWS - 1, 0), "49999");
    assert_string_equal(table_cell(table, 0, 1), "x;y");
    pv_table_free(table);
    (void)unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_as_plain_as_possible),
        cmocka_unit_test(formulas_are_told_and_escaped),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(large_outputs_are_flushed_on_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
