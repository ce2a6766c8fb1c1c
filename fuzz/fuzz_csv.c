/* Any bytes as delimited text: they are read or refused, the same way however they are cut into
 * blocks, and what was read survives being written and read again.
 *
 * The first three bytes choose the options, the rest is the text. The seeds in corpus/csv are the
 * cases of tests/table/test_csv_cases.c. */
#include "table/csv_writer.h"
#include "table/source.h"
#include "table/store.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MUST(condition)   \
    do {                  \
        if (!(condition)) \
            abort();      \
    } while (0)

#define LARGE_BLOCK ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    pv_status status;
    pv_error error;
    pv_table *table;
} outcome;

static outcome read_text(const void *data, size_t size, size_t block_size,
                         const pv_read_options *options, unsigned threads)
{
    const pv_context context = {.threads = threads};
    outcome o = {0};
    o.status = pv_i_table_read_blocks("fuzz", data, size, block_size, options, &context, &o.table,
                                      &o.error);
    MUST((o.status == PV_STATUS_OK) == (o.table != NULL));
    MUST(o.status == PV_STATUS_OK || o.status == PV_STATUS_INPUT || o.status == PV_STATUS_ARGUMENT);
    return o;
}

static void check_sums(const pv_table *table)
{
    MUST(pv_table_rows(table) > 0);
    for (size_t c = 0; c < pv_table_columns(table); c++) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < pv_table_values(table, c); i++) {
            MUST(pv_table_count(table, c, i) > 0);
            sum += pv_table_count(table, c, i);
        }
        MUST(sum == pv_table_rows(table));
    }
}

static const char *cell(const pv_table *table, uint64_t row, size_t column)
{
    return pv_table_value(table, column, pv_table_code(table, column, row));
}

static void check_same(const pv_table *a, const pv_table *b)
{
    MUST(pv_table_rows(a) == pv_table_rows(b) && pv_table_columns(a) == pv_table_columns(b));
    for (size_t c = 0; c < pv_table_columns(a); c++) {
        MUST(strcmp(pv_table_name(a, c), pv_table_name(b, c)) == 0);
        MUST(pv_table_type(a, c) == pv_table_type(b, c));
        MUST(pv_table_missing(a, c) == pv_table_missing(b, c));
        for (uint64_t r = 0; r < pv_table_rows(a); r++) {
            MUST(pv_table_code(a, c, r) == pv_table_code(b, c, r));
            MUST(strcmp(cell(a, r, c), cell(b, r, c)) == 0);
        }
    }
}

static void write_row(pv_csv_writer *writer, const pv_table *table, uint64_t row, bool names)
{
    for (size_t c = 0; c < pv_table_columns(table); c++) {
        pv_i_csv_field(writer, names ? pv_table_name(table, c) : cell(table, row, c));
    }
    MUST(pv_i_csv_end(writer, NULL) == PV_STATUS_OK);
}

/* Spellings of one value become one, in some way of writing numbers and dates. */
static void settle(pv_table *table, uint8_t choice)
{
    static const char *const dates[] = {"", "dd/mm/yyyy", "mm-dd-yy", "yyyymmdd"};
    static const char decimals[] = {'\0', ',', '.', '\0'};
    pv_format format = {.decimal = decimals[choice >> 3 & 3], .first_year = 1930};
    (void)pv_date_format_parse(dates[choice >> 5 & 3], &format);
    for (size_t c = 0; c < pv_table_columns(table); c++) {
        pv_table_set_format(table, c, &format);
        MUST(pv_table_set_type(table, c, PV_TYPE_AUTO, NULL) == PV_STATUS_OK);
    }
}

static void check_round_trip(const pv_table *table)
{
    const pv_read_options options = {.delimiter = pv_table_delimiter(table),
                                     .quoting = PV_CHOICE_YES,
                                     .header = PV_CHOICE_YES,
                                     .keep_blanks = true};
    pv_csv_writer writer;
    pv_i_csv_init(&writer, pv_table_delimiter(table), NULL);
    write_row(&writer, table, 0, true);
    for (uint64_t r = 0; r < pv_table_rows(table); r++) {
        write_row(&writer, table, r, false);
    }
    const outcome again = read_text(writer.pending.data, writer.pending.size, 33, &options, 1);
    MUST(again.status == PV_STATUS_OK);
    check_same(table, again.table);
    pv_table_free(again.table);
    pv_i_csv_deinit(&writer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char delimiters[] = {0, ',', ';', '\t', '|', ':', ' ', '"'};
    if (size < 3) {
        return 0;
    }
    const pv_read_options options = {
        .delimiter = delimiters[data[0] % sizeof delimiters],
        .quoting = (pv_choice)((data[0] >> 3) % 3),
        .header = (pv_choice)((data[0] >> 5) % 3),
        .skip_bad_rows = data[1] & 1,
        .keep_blanks = data[1] & 4,
    };
    const unsigned threads = data[1] & 2 ? 2 : 1;
    const uint8_t *const text = data + 3;
    const outcome small = read_text(text, size - 3, 1 + data[2], &options, threads);
    const outcome large = read_text(text, size - 3, LARGE_BLOCK, &options, 1);
    MUST(small.status == large.status);
    if (small.status == PV_STATUS_OK) {
        check_sums(small.table);
        check_same(small.table, large.table);
        check_round_trip(small.table);
        settle(small.table, data[1]);
        settle(large.table, data[1]);
        check_sums(small.table);
        check_same(small.table, large.table);
    } else {
        /* Compressed data may be refused at another place when it is read in other portions. */
        MUST(small.error.line == large.error.line || pv_i_source_compressed(text, size - 3));
        MUST(small.error.message[0] != '\0');
    }
    pv_table_free(small.table);
    pv_table_free(large.table);
    return 0;
}
