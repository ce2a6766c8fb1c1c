#include "engine/lines.h"

#include "base/error.h"
#include "base/memory.h"
#include "table/column.h"
#include "table/csv_writer.h"
#include "table/records.h"
#include "table/value.h"

#include <stdlib.h>
#include <string.h>

#define DELIMITER ','
#define COUNTS "rows" /* the name of the last column; but longer than any that begins so */

uint64_t pv_i_cell_number(pv_cell cell)
{
    uint64_t n = 0;
    for (size_t i = 0; i < cell.size; i++) {
        n = 10 * n + (uint64_t)(cell.text[i] - '0');
    }
    return n;
}

/* ------------------------------------------------- what the reader cannot count
 *
 * It counts lines. A value's rows are made right afterwards (pv_i_table_take_counts), but of values
 * that it makes one, spellings of "missing" and blanks around texts, only their lines are known
 * then. So they are counted while the lines are heard. */

static pv_status spelled_init(pv_lines *lines, pv_error *error)
{
    const pv_read_options *const options = lines->options;
    lines->spelled = PV_NEW_ZEROED(pv_spelled, lines->n_columns);
    for (size_t i = 0; i < lines->n_columns && lines->spelled != NULL; i++) {
        const char *const *own = options->missing_of != NULL
                                     ? options->missing_of(options->missing_ctx, lines->columns[i])
                                     : NULL;
        own = own != NULL ? own : options->missing;
        pv_spelled *const column = &lines->spelled[lines->n_spelled++];
        column->spellings = own != NULL ? own : pv_i_default_missing;
        size_t n = 0;
        while (column->spellings[n] != NULL) {
            n++;
        }
        column->rows = PV_NEW_ZEROED(uint64_t, n);
        if (column->rows == NULL) {
            return pv_i_no_memory(error);
        }
    }
    return lines->spelled != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

static void count_spelled(pv_lines *lines, const pv_cell *cells)
{
    const uint64_t rows = pv_i_cell_number(cells[lines->n_columns]);
    for (size_t i = 0; i < lines->n_columns; i++) {
        const char *text = cells[i].text != NULL ? cells[i].text : "";
        size_t size = cells[i].text != NULL ? cells[i].size : 0;
        const pv_spelled *const column = &lines->spelled[i];
        const bool trims = !lines->options->keep_blanks;
        lines->trimmed += trims && pv_i_trim(&text, &size, true) ? rows : 0;
        for (size_t s = 0; column->spellings[s] != NULL; s++) {
            if (strlen(column->spellings[s]) == size &&
                memcmp(column->spellings[s], text, size) == 0) {
                column->rows[s] += rows;
                break;
            }
        }
    }
}

static void tell_spelled(const pv_lines *lines, pv_table *table)
{
    pv_i_table_set_trimmed(table, lines->trimmed);
    for (size_t i = 0; i < lines->n_columns; i++) {
        const pv_spelled *const column = &lines->spelled[i];
        for (size_t s = 0; column->spellings[s] != NULL; s++) {
            pv_i_table_set_missing_rows(table, i, column->spellings[s], column->rows[s]);
        }
    }
}

/* ------------------------------------------------------------------------ lines */

pv_status pv_i_lines_init(pv_lines *lines, const char *const *columns, size_t n_columns,
                          const pv_read_options *options, pv_error *error)
{
    *lines = (pv_lines){.columns = columns, .n_columns = n_columns, .options = options};
    return options != NULL ? spelled_init(lines, error) : PV_STATUS_OK;
}

static void forget_text(pv_lines *lines)
{
    pv_i_buffer_deinit(&lines->text);
    pv_i_free(lines->lines);
    lines->text = (pv_buffer){0};
    lines->lines = NULL;
}

void pv_i_lines_deinit(pv_lines *lines)
{
    for (size_t i = 0; i < lines->n_spelled; i++) {
        pv_i_free(lines->spelled[i].rows);
    }
    pv_i_free(lines->spelled);
    forget_text(lines);
    *lines = (pv_lines){0};
}

static uint64_t first_bytes(const char *text, size_t size)
{
    uint64_t first = 0;
    for (size_t i = 0; i < sizeof first; i++) {
        first = first << 8 | (i < size ? (unsigned char)text[i] : 0);
    }
    return first;
}

pv_status pv_i_lines_hear(void *ctx, const pv_cell *cells, pv_error *error)
{
    pv_lines *const lines = ctx;
    const size_t start = lines->text.size;
    for (size_t i = 0; i <= lines->n_columns; i++) {
        const bool is_null = cells[i].text == NULL;
        pv_i_csv_append(&lines->text, DELIMITER, false, is_null ? "" : cells[i].text,
                        is_null ? 0 : cells[i].size);
        pv_i_buffer_char(&lines->text, i < lines->n_columns ? DELIMITER : '\n');
    }
    if (lines->text.failed || !pv_i_reserve((void **)&lines->lines, &lines->capacity, lines->n + 1,
                                            sizeof *lines->lines)) {
        return pv_i_no_memory(error);
    }
    const size_t size = lines->text.size - start;
    lines->lines[lines->n++] = (pv_line){
        .first = first_bytes(lines->text.data + start, size), .start = start, .size = size};
    if (lines->spelled != NULL) {
        count_spelled(lines, cells);
    }
    return PV_STATUS_OK;
}

/* No line is the beginning of another: each ends with its only line end that is not in quotes. */
static int compare_lines(const void *a, const void *b, void *text)
{
    const pv_line *const left = a;
    const pv_line *const right = b;
    const size_t size = left->size < right->size ? left->size : right->size;
    return left->first != right->first
               ? (left->first > right->first) - (left->first < right->first)
               : memcmp((const char *)text + left->start, (const char *)text + right->start, size);
}

void pv_i_lines_sort(pv_lines *lines)
{
    if (lines->n > 0) {
        qsort_r(lines->lines, lines->n, sizeof *lines->lines, compare_lines, lines->text.data);
    }
}

/* ------------------------------------------------------------------------- text */

/* The names, and one for the counts that no column has: a reader refuses a name that stands twice.
 */
static void put_header(pv_buffer *text, const char *const *columns, size_t n_columns)
{
    size_t longest = 0;
    for (size_t i = 0; i < n_columns; i++) {
        const size_t size = strlen(columns[i]);
        longest =
            strncmp(columns[i], COUNTS, strlen(COUNTS)) == 0 && size > longest ? size : longest;
        pv_i_csv_append(text, DELIMITER, false, columns[i], size);
        pv_i_buffer_char(text, DELIMITER);
    }
    pv_i_buffer_text(text, COUNTS);
    for (size_t i = strlen(COUNTS); i <= longest; i++) {
        pv_i_buffer_char(text, '_');
    }
    pv_i_buffer_char(text, '\n');
}

pv_status pv_i_lines_text(const pv_lines *lines, pv_buffer *text, pv_error *error)
{
    put_header(text, lines->columns, lines->n_columns);
    for (size_t i = 0; i < lines->n; i++) {
        pv_i_buffer_bytes(text, lines->text.data + lines->lines[i].start, lines->lines[i].size);
    }
    return text->failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

pv_status pv_i_lines_table(pv_lines *lines, const char *name, const pv_context *context,
                           pv_table **table, pv_error *error)
{
    const pv_read_options reading = {.delimiter = DELIMITER,
                                     .quoting = PV_CHOICE_YES,
                                     .header = PV_CHOICE_YES,
                                     .keep_blanks = lines->options->keep_blanks,
                                     .missing = lines->options->missing,
                                     .missing_of = lines->options->missing_of,
                                     .missing_ctx = lines->options->missing_ctx};
    pv_buffer text = {0};
    pv_table *made = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(pv_i_lines_text(lines, &text, error));
    forget_text(lines);
    PV_TRY_CLEAN(pv_table_read_memory(name, text.data, text.size, &reading, context, &made, error));
    PV_TRY_CLEAN(pv_i_table_take_counts(made, error));
    tell_spelled(lines, made);
    *table = made;
    made = NULL;
cleanup:
    pv_table_free(made);
    pv_i_buffer_deinit(&text);
    return status;
}
