/* The reader against a naive one that goes through the text byte by byte, on thousands of random
 * texts made of what hurts: quotes in every position, line ends of both kinds, blocks so small that
 * everything falls on a seam, several threads. */
#include "support/study.h"

#include "base/buffer.h"
#include "base/rng.h"
#include "table/store.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_CELLS 4096

/* ------------------------------------------------------------------ the oracle */

typedef struct {
    char delimiter;
    bool quoting, header, skip_bad;
} manner;

typedef struct {
    char *cells[MAX_CELLS]; /* fields of good records, one after another */
    size_t n_cells;
    uint64_t lines[MAX_CELLS]; /* per good record */
    size_t n_records;
    size_t n_fields; /* of the first record */
    size_t skipped;
    bool failed;
    uint64_t error_line;
} oracle;

static void oracle_fail(oracle *o, uint64_t line)
{
    if (!o->failed) {
        o->failed = true;
        o->error_line = line;
    }
}

static void oracle_record(oracle *o, pv_buffer *fields, size_t n, uint64_t line, bool blank,
                          bool skip_bad)
{
    if (!blank && o->n_fields == 0) {
        o->n_fields = n;
    }
    const bool good = !blank && n == o->n_fields;
    for (size_t i = 0; i < n; i++) {
        if (good && !o->failed) {
            o->cells[o->n_cells++] = strdup(fields[i].data != NULL ? fields[i].data : "");
        }
        pv_i_buffer_deinit(&fields[i]);
    }
    if (good && !o->failed) {
        o->lines[o->n_records++] = line;
    } else if (!blank && !good && skip_bad) {
        o->skipped += !o->failed;
    } else if (!blank && !good) {
        oracle_fail(o, line);
    }
}

/* One byte at a time; what is in hand is the record so far. */
static void oracle_read(oracle *o, const char *text, size_t size, const manner *m)
{
    static pv_buffer fields[MAX_CELLS];
    size_t n = 1;
    uint64_t line = 1;
    uint64_t record_line = 1;
    uint64_t quote_line = 0;
    bool inside = false;
    bool any = false; /* the record has a byte */
    size_t field_start = 0;
    for (size_t i = 0; i < size; i++) {
        const char c = text[i];
        const bool ends = i + 1 == size || text[i + 1] == '\n';
        if (inside) {
            if (c == '"' && i + 1 < size && text[i + 1] == '"') {
                pv_i_buffer_char(&fields[n - 1], '"');
                i++;
            } else if (c == '"') {
                inside = false;
            } else {
                pv_i_buffer_char(&fields[n - 1], c);
                line += c == '\n';
            }
        } else if (c == '"' && m->quoting && i == field_start) {
            inside = true;
            any = true;
            quote_line = line;
        } else if (c == m->delimiter) {
            n++;
            any = true;
            field_start = i + 1;
        } else if (c == '\r' && ends) {
            continue;
        } else if (c == '\n') {
            oracle_record(o, fields, n, record_line, n == 1 && !any, m->skip_bad);
            line++;
            record_line = line;
            n = 1;
            any = false;
            field_start = i + 1;
        } else {
            pv_i_buffer_char(&fields[n - 1], c);
            any = true;
        }
    }
    if (inside) {
        oracle_fail(o, quote_line);
    }
    oracle_record(o, fields, n, record_line, n == 1 && !any, m->skip_bad);
}

static void oracle_deinit(oracle *o)
{
    for (size_t i = 0; i < o->n_cells; i++) {
        free(o->cells[i]);
    }
}

/* ---------------------------------------------------------------- random texts */

static const char *const pieces[] = {
    "a",
    "b",
    "xyz",
    "\"",
    "\"",
    "\"\"",
    "\n",
    "\n",
    "\r\n",
    "\r",
    " ",
    "é",
    "1",
    "2020-01-01",
    "",
    "NA",
    "\"a\"b",
    "\n\n",
    "\"\n\"",
    "0123456789012345678901234567890",
    "01234567890123456789012345678901",
    "012345678901234567890123456789012",
};

static void append_piece(pv_buffer *text, pv_rng *rng, char delimiter)
{
    const size_t n = sizeof pieces / sizeof *pieces;
    const uint64_t i = pv_i_rng_below(rng, n + 5);
    if (i < n) {
        pv_i_buffer_text(text, pieces[i]);
    } else {
        pv_i_buffer_char(text, delimiter);
    }
}

static void append_soup(pv_buffer *text, pv_rng *rng, char delimiter)
{
    const uint64_t n = pv_i_rng_below(rng, 60);
    for (uint64_t i = 0; i < n; i++) {
        append_piece(text, rng, delimiter);
    }
}

static void append_field(pv_buffer *text, pv_rng *rng, char delimiter)
{
    static const char *const plain[] = {"",
                                        "a",
                                        "Male",
                                        "39",
                                        "Some-college",
                                        "x\"y",
                                        "é",
                                        "a field that is longer than thirty-two bytes"};
    static const char *const quoted[] = {
        "",       "a",  "\"\"",   "x\ny",
        "x\r\ny", "\n", "Female", "another field that is longer than thirty-two bytes"};
    if (pv_i_rng_below(rng, 3) > 0) {
        pv_i_buffer_text(text, plain[pv_i_rng_below(rng, 8)]);
        return;
    }
    pv_i_buffer_char(text, '"');
    pv_i_buffer_text(text, quoted[pv_i_rng_below(rng, 8)]);
    if (pv_i_rng_below(rng, 2) > 0) {
        pv_i_buffer_char(text, delimiter);
    }
    pv_i_buffer_char(text, '"');
}

/* Records of the same length, now and then one that is not, or a blank line. */
static void append_table(pv_buffer *text, pv_rng *rng, char delimiter)
{
    const uint64_t n_fields = 1 + pv_i_rng_below(rng, 5);
    const uint64_t n_records = 1 + pv_i_rng_below(rng, 40);
    const bool wrong = pv_i_rng_below(rng, 4) == 0;
    for (uint64_t r = 0; r < n_records; r++) {
        const uint64_t n = n_fields + (wrong && pv_i_rng_below(rng, 20) == 0);
        for (uint64_t f = 0; f < n; f++) {
            append_field(text, rng, delimiter);
            if (f + 1 < n) {
                pv_i_buffer_char(text, delimiter);
            }
        }
        pv_i_buffer_text(text, pv_i_rng_below(rng, 5) == 0 ? "\r\n" : "\n");
        pv_i_buffer_text(text, pv_i_rng_below(rng, 12) == 0 ? "\n" : "");
    }
    text->size -= pv_i_rng_below(rng, 3) == 0 && text->size > 0;
}

/* -------------------------------------------------------------------- comparing */

static void check_rows(const oracle *o, const pv_table *table, bool header)
{
    const uint64_t first = header ? 1 : 0;
    assert_int_equal(pv_table_rows(table), o->n_records - first);
    assert_int_equal(pv_table_columns(table), o->n_fields);
    assert_int_equal(pv_table_skipped(table), o->skipped);
    for (uint64_t r = 0; r < pv_table_rows(table); r++) {
        const uint64_t line = pv_table_line(table, r);
        assert_true(line == 0 || line == o->lines[r + first]);
        for (size_t c = 0; c < o->n_fields; c++) {
            assert_string_equal(table_cell(table, r, c), o->cells[(r + first) * o->n_fields + c]);
        }
    }
}

/* Codes are numbered by first appearance, and counted. */
static void check_dictionaries(const pv_table *table)
{
    for (size_t c = 0; c < pv_table_columns(table); c++) {
        uint64_t counts[MAX_CELLS] = {0};
        uint32_t n = 0;
        for (uint64_t r = 0; r < pv_table_rows(table); r++) {
            const uint32_t code = pv_table_code(table, c, r);
            assert_true(code <= n);
            n += code == n;
            counts[code]++;
        }
        assert_int_equal(pv_table_values(table, c), n);
        for (uint32_t i = 0; i < n; i++) {
            assert_int_equal(pv_table_count(table, c, i), counts[i]);
        }
    }
}

static const char *name_at(const oracle *o, size_t i, char made_up[32])
{
    (void)snprintf(made_up, 32, "column%zu", i + 1);
    return o->cells[i][0] != '\0' ? o->cells[i] : made_up;
}

static bool has_twins(const oracle *o)
{
    char a[32];
    char b[32];
    for (size_t i = 0; i < o->n_fields; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(name_at(o, i, a), name_at(o, j, b)) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void check_text(const pv_buffer *text, const manner *m, size_t block_size, unsigned threads)
{
    static const char *const nothing[] = {NULL};
    const pv_read_options options = {
        .keep_blanks = true,
        .delimiter = m->delimiter,
        .quoting = m->quoting ? PV_CHOICE_YES : PV_CHOICE_NO,
        .header = m->header ? PV_CHOICE_YES : PV_CHOICE_NO,
        .skip_bad_rows = m->skip_bad,
        .missing = nothing,
    };
    const pv_context context = {.threads = threads};
    pv_table *table = NULL;
    pv_error error = {0};
    oracle o = {0};
    oracle_read(&o, text->size > 0 ? text->data : "", text->size, m);
    const pv_status status = pv_i_table_read_blocks("random", text->data, text->size, block_size,
                                                    &options, &context, &table, &error);
    if (m->header && o.n_records > 0 && has_twins(&o)) {
        assert_true(status != PV_STATUS_OK);
    } else if (o.failed || o.n_records < (m->header ? 2 : 1)) {
        assert_int_equal(status, PV_STATUS_INPUT);
        assert_int_equal(error.line, o.error_line);
    } else {
        assert_int_equal(status, PV_STATUS_OK);
        check_rows(&o, table, m->header);
        check_dictionaries(table);
    }
    pv_table_free(table);
    oracle_deinit(&o);
}

static void random_texts(void **state)
{
    static const size_t sizes[] = {1, 2, 7, 63, 64, 65, 200, 1 << 20};
    static const char delimiters[] = {',', ';', '\t', '|', ':', ' '};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 20240229);
    for (int i = 0; i < 1500; i++) {
        pv_buffer text = {0};
        const manner m = {.delimiter = delimiters[pv_i_rng_below(&rng, sizeof delimiters)],
                          .quoting = pv_i_rng_below(&rng, 5) > 0,
                          .header = pv_i_rng_below(&rng, 4) == 0,
                          .skip_bad = pv_i_rng_below(&rng, 3) == 0};
        (i % 3 == 0 ? append_soup : append_table)(&text, &rng, m.delimiter);
        check_text(&text, &m, sizes[pv_i_rng_below(&rng, 8)], 1);
        check_text(&text, &m, sizes[pv_i_rng_below(&rng, 8)],
                   i % 100 == 0 ? 7
                   : i % 8 == 0 ? 2
                                : 1);
        pv_i_buffer_deinit(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
