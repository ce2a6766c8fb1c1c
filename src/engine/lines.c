#include "engine/lines.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "table/column.h"
#include "table/csv_writer.h"
#include "table/records.h"
#include "table/value.h"

#include <stdlib.h>
#include <string.h>

#define DELIMITER ','
#define COUNTS "rows" /* the name of the last column; but longer than any that begins so */
#define FIRST_SLOTS 64
#define FIRST_ROWS 1024
#define DIGIT_BASE 65536
#define SHORT 16

pv_status pv_i_lines_init(pv_lines *lines, const char *const *names, size_t n_columns,
                          pv_error *error)
{
    *lines = (pv_lines){.names = names, .n_columns = n_columns};
    lines->columns = PV_NEW_ZEROED(pv_line_column, n_columns + 1);
    if (lines->columns == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i <= n_columns; i++) {
        lines->columns[i].width = 1;
        lines->columns[i].end = i < n_columns ? DELIMITER : '\n';
    }
    return PV_STATUS_OK;
}

void pv_i_lines_deinit(pv_lines *lines)
{
    for (size_t i = 0; lines->columns != NULL && i <= lines->n_columns; i++) {
        pv_line_column *const column = &lines->columns[i];
        pv_i_buffer_deinit(&column->text);
        pv_i_free(column->values);
        pv_i_free(column->slots);
        pv_i_free(column->codes);
    }
    pv_i_free(lines->columns);
    pv_i_free(lines->order);
    *lines = (pv_lines){0};
}

/* ---------------------------------------------------------------------- values */

static const char *plain_text(const pv_line_column *column, const pv_line_value *value)
{
    return column->text.data + value->plain;
}

/* The slot of a value, or the free one where it would be. */
static size_t find_slot(const pv_line_column *column, const char *text, size_t size, uint32_t hash)
{
    const size_t mask = column->n_slots - 1;
    size_t slot = hash & mask;
    while (column->slots[slot] != 0) {
        const pv_line_value *const value = &column->values[column->slots[slot] - 1];
        if (value->hash == hash && value->plain_size == size &&
            memcmp(plain_text(column, value), text, size) == 0) {
            break;
        }
        slot = (slot + 1) & mask;
    }
    return slot;
}

/* At most half of the slots are taken. */
static bool grow_slots(pv_line_column *column)
{
    const size_t n = column->n_slots > 0 ? 2 * column->n_slots : FIRST_SLOTS;
    uint32_t *const slots = PV_NEW_ZEROED(uint32_t, n);
    if (slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < column->n; i++) {
        size_t slot = column->values[i].hash & (n - 1);
        while (slots[slot] != 0) {
            slot = (slot + 1) & (n - 1);
        }
        slots[slot] = (uint32_t)(i + 1);
    }
    pv_i_free(column->slots);
    column->slots = slots;
    column->n_slots = n;
    return true;
}

/* A value that has to be quoted in a line is kept without quotes, too. */
static bool add_value(pv_line_column *column, const char *text, size_t size, uint32_t hash)
{
    pv_line_value value = {.start = column->text.size, .plain_size = size, .hash = hash};
    pv_i_csv_append(&column->text, DELIMITER, false, text, size);
    pv_i_buffer_char(&column->text, column->end);
    value.size = column->text.size - value.start;
    value.plain = value.size == size + 1 ? value.start : column->text.size;
    if (value.plain != value.start) {
        pv_i_buffer_bytes(&column->text, text, size);
    }
    if (column->text.failed || !pv_i_reserve((void **)&column->values, &column->capacity,
                                             column->n + 1, sizeof *column->values)) {
        return false;
    }
    column->values[column->n++] = value;
    return true;
}

/* The code of a value, which gets one if it is new. False = no memory. */
static bool code_of(pv_line_column *column, const char *text, size_t size, uint32_t *code)
{
    if (2 * column->n >= column->n_slots && !grow_slots(column)) {
        return false;
    }
    const uint32_t hash = (uint32_t)pv_i_hash_bytes(text, size);
    const size_t slot = find_slot(column, text, size, hash);
    if (column->slots[slot] == 0) {
        if (!add_value(column, text, size, hash)) {
            return false;
        }
        column->slots[slot] = (uint32_t)column->n;
    }
    *code = column->slots[slot] - 1;
    return true;
}

/* ------------------------------------------------------------------------ rows */

static uint32_t get_code(const pv_line_column *column, size_t row)
{
    return column->width == 1   ? ((const uint8_t *)column->codes)[row]
           : column->width == 2 ? ((const uint16_t *)column->codes)[row]
                                : ((const uint32_t *)column->codes)[row];
}

static void set_code(pv_line_column *column, size_t row, uint32_t code)
{
    if (column->width == 1) {
        ((uint8_t *)column->codes)[row] = (uint8_t)code;
    } else if (column->width == 2) {
        ((uint16_t *)column->codes)[row] = (uint16_t)code;
    } else {
        ((uint32_t *)column->codes)[row] = code;
    }
}

/* Codes of twice as many bytes. */
static bool widen(const pv_lines *lines, pv_line_column *column)
{
    const pv_line_column old = *column;
    column->width *= 2;
    column->codes = pv_i_array(lines->capacity, column->width);
    if (column->codes == NULL) {
        *column = old;
        return false;
    }
    for (size_t row = 0; row < lines->n; row++) {
        set_code(column, row, get_code(&old, row));
    }
    pv_i_free(old.codes);
    return true;
}

static bool make_room(pv_lines *lines)
{
    const size_t capacity = lines->capacity > 0 ? 2 * lines->capacity : FIRST_ROWS;
    for (size_t i = 0; i <= lines->n_columns; i++) {
        pv_line_column *const column = &lines->columns[i];
        void *const codes = pv_i_resize(column->codes, capacity, column->width);
        if (codes == NULL) {
            return false;
        }
        column->codes = codes;
    }
    lines->capacity = capacity;
    return true;
}

uint64_t pv_i_cell_number(pv_cell cell)
{
    uint64_t n = 0;
    for (size_t i = 0; i < cell.size; i++) {
        n = 10 * n + (uint64_t)(cell.text[i] - '0');
    }
    return n;
}

pv_status pv_i_lines_hear(void *ctx, const pv_cell *cells, pv_error *error)
{
    pv_lines *const lines = ctx;
    const uint64_t rows = pv_i_cell_number(cells[lines->n_columns]);
    if (lines->n == UINT32_MAX) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "more than 4 billion distinct rows");
    }
    if (lines->n == lines->capacity && !make_room(lines)) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i <= lines->n_columns; i++) {
        pv_line_column *const column = &lines->columns[i];
        uint32_t code = 0;
        if (!code_of(column, cells[i].text != NULL ? cells[i].text : "",
                     cells[i].text != NULL ? cells[i].size : 0, &code) ||
            (column->width < sizeof code && code >> 8 * column->width != 0 &&
             !widen(lines, column))) {
            return pv_i_no_memory(error);
        }
        set_code(column, lines->n, code);
        pv_line_value *const value = &column->values[code];
        value->rows = i < lines->n_columns ? value->rows + rows : rows;
        lines->size += value->size;
    }
    lines->n++;
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------------- sorting */

static int compare_values(const void *a, const void *b, void *of)
{
    const pv_line_column *const column = of;
    const pv_line_value *const left = &column->values[*(const uint32_t *)a];
    const pv_line_value *const right = &column->values[*(const uint32_t *)b];
    const size_t size = left->size < right->size ? left->size : right->size;
    return memcmp(column->text.data + left->start, column->text.data + right->start, size);
}

/* The rank of each code; `sorted` has room for as many. */
static void rank_values(const pv_line_column *column, uint32_t *sorted, uint32_t *ranks)
{
    for (size_t i = 0; i < column->n; i++) {
        sorted[i] = (uint32_t)i;
    }
    qsort_r(sorted, column->n, sizeof *sorted, compare_values, (void *)(uintptr_t)column);
    for (size_t i = 0; i < column->n; i++) {
        ranks[sorted[i]] = (uint32_t)i;
    }
}

/* Several columns of few values are sorted by at once: their ranks make one digit. */
typedef struct {
    size_t first, end; /* columns */
    size_t base;       /* how many digits there are */
} digit;

/* The digit whose last column is before `end`. */
static digit digit_before(const pv_lines *lines, size_t end)
{
    digit d = {.first = end - 1, .end = end, .base = lines->columns[end - 1].n};
    while (d.first > 0 && lines->columns[d.first - 1].n <= DIGIT_BASE / d.base) {
        d.base *= lines->columns[--d.first].n;
    }
    return d;
}

static bool make_digits(const pv_lines *lines, const digit *d, uint32_t *digits)
{
    memset(digits, 0, lines->n * sizeof *digits);
    for (size_t c = d->first; c < d->end; c++) {
        const pv_line_column *const column = &lines->columns[c];
        uint32_t *const sorted = PV_NEW_ARRAY(uint32_t, column->n);
        uint32_t *const ranks = PV_NEW_ARRAY(uint32_t, column->n);
        const bool ok = sorted != NULL && ranks != NULL;
        if (ok) {
            rank_values(column, sorted, ranks);
            for (size_t row = 0; row < lines->n; row++) {
                digits[row] = digits[row] * (uint32_t)column->n + ranks[get_code(column, row)];
            }
        }
        pv_i_free(sorted);
        pv_i_free(ranks);
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* Rows in the order of a digit; those that are equal there stay in the order they have. */
static bool sort_by(const pv_lines *lines, const digit *d, uint32_t *digits, const uint32_t *from,
                    uint32_t *to)
{
    uint32_t *const next = PV_NEW_ZEROED(uint32_t, d->base + 1);
    const bool ok = next != NULL && make_digits(lines, d, digits);
    if (ok) {
        for (size_t row = 0; row < lines->n; row++) {
            next[digits[row] + 1]++;
        }
        for (size_t i = 1; i <= d->base; i++) {
            next[i] += next[i - 1];
        }
        for (size_t i = 0; i < lines->n; i++) {
            to[next[digits[from[i]]]++] = from[i];
        }
    }
    pv_i_free(next);
    return ok;
}

static pv_status sort_rows(const pv_lines *lines, uint32_t **order, uint32_t **other,
                           uint32_t *digits, pv_error *error)
{
    for (size_t i = 0; i < lines->n; i++) {
        (*order)[i] = (uint32_t)i;
    }
    for (size_t end = lines->n_columns + 1; end > 0;) {
        const digit d = digit_before(lines, end);
        uint32_t *const was = *order;
        if (d.base > 1 && !sort_by(lines, &d, digits, *order, *other)) {
            return pv_i_no_memory(error);
        }
        if (d.base > 1) {
            *order = *other;
            *other = was;
        }
        end = d.first;
    }
    return PV_STATUS_OK;
}

pv_status pv_i_lines_sort(pv_lines *lines, pv_error *error)
{
    uint32_t *order = PV_NEW_ARRAY(uint32_t, lines->n);
    uint32_t *other = PV_NEW_ARRAY(uint32_t, lines->n);
    uint32_t *const digits = PV_NEW_ARRAY(uint32_t, lines->n);
    pv_status status = order != NULL && other != NULL && digits != NULL
                           ? sort_rows(lines, &order, &other, digits, error)
                           : pv_i_no_memory(error);
    pv_i_free(lines->order);
    lines->order = order;
    pv_i_free(other);
    pv_i_free(digits);
    return status;
}

/* ----------------------------------------------------------------------- lines */

static size_t row_of(const pv_lines *lines, size_t i)
{
    return lines->order != NULL ? lines->order[i] : i;
}

static const pv_line_value *value_of(const pv_lines *lines, size_t i, size_t column)
{
    const pv_line_column *const c = &lines->columns[column];
    return &c->values[get_code(c, row_of(lines, i))];
}

pv_cell pv_i_lines_cell(const pv_lines *lines, size_t i, size_t column)
{
    const pv_line_value *const value = value_of(lines, i, column);
    return (pv_cell){.text = plain_text(&lines->columns[column], value), .size = value->plain_size};
}

uint64_t pv_i_lines_number(const pv_lines *lines, size_t i, size_t column)
{
    return column == lines->n_columns ? value_of(lines, i, column)->rows
                                      : pv_i_cell_number(pv_i_lines_cell(lines, i, column));
}

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

/* Most values are short: a copy of fixed size, of which a part counts, is faster than one that
 * looks how long it has to be. There is room for it behind both. */
static void put_in_order(const pv_lines *lines, pv_buffer *text)
{
    char *at = text->data + text->size;
    for (size_t i = 0; i < lines->n; i++) {
        for (size_t c = 0; c <= lines->n_columns; c++) {
            const pv_line_column *const column = &lines->columns[c];
            const pv_line_value *const value = &column->values[get_code(column, row_of(lines, i))];
            const char *const from = column->text.data + value->start;
            if (value->size <= SHORT) {
                memcpy(at, from, SHORT);
            } else {
                memcpy(at, from, value->size);
            }
            at += value->size;
        }
    }
    *at = '\0';
    text->size += lines->size;
}

pv_status pv_i_lines_text(pv_lines *lines, pv_buffer *text, pv_error *error)
{
    put_header(text, lines->names, lines->n_columns);
    for (size_t c = 0; c <= lines->n_columns; c++) {
        pv_i_buffer_reserve(&lines->columns[c].text, SHORT);
        text->failed = text->failed || lines->columns[c].text.failed;
    }
    pv_i_buffer_reserve(text, lines->size + SHORT);
    if (text->failed) {
        return pv_i_no_memory(error);
    }
    put_in_order(lines, text);
    return PV_STATUS_OK;
}

/* ------------------------------------------------- what the reader cannot count
 *
 * It counts lines. A value's rows are made right afterwards (pv_i_table_take_counts), but of values
 * that it makes one, spellings of "missing" and blanks around texts, only their lines are known
 * then. So they are counted here, each value once with all its rows. */

typedef struct {
    const char *const *spellings; /* of "missing", NULL-terminated */
    uint64_t *rows;               /* of each */
} spelled;

typedef struct {
    spelled *columns;
    size_t n;
    uint64_t trimmed;
} tally;

static void tally_deinit(tally *t)
{
    for (size_t i = 0; i < t->n; i++) {
        pv_i_free(t->columns[i].rows);
    }
    pv_i_free(t->columns);
}

static void count_value(const spelled *column, const char *text, size_t size, uint64_t rows)
{
    for (size_t s = 0; column->spellings[s] != NULL; s++) {
        if (strlen(column->spellings[s]) == size && memcmp(column->spellings[s], text, size) == 0) {
            column->rows[s] += rows;
            return;
        }
    }
}

static pv_status tally_column(tally *t, const pv_lines *lines, const pv_read_options *options,
                              size_t number, pv_error *error)
{
    const pv_line_column *const column = &lines->columns[number];
    const char *const *own = options->missing_of != NULL
                                 ? options->missing_of(options->missing_ctx, lines->names[number])
                                 : NULL;
    own = own != NULL ? own : options->missing;
    spelled *const counted = &t->columns[t->n++];
    counted->spellings = own != NULL ? own : pv_i_default_missing;
    size_t n = 0;
    while (counted->spellings[n] != NULL) {
        n++;
    }
    counted->rows = PV_NEW_ZEROED(uint64_t, n);
    if (counted->rows == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < column->n; i++) {
        const char *text = plain_text(column, &column->values[i]);
        size_t size = column->values[i].plain_size;
        const uint64_t rows = column->values[i].rows;
        t->trimmed += !options->keep_blanks && pv_i_trim(&text, &size, true) ? rows : 0;
        count_value(counted, text, size, rows);
    }
    return PV_STATUS_OK;
}

static pv_status tally_lines(tally *t, const pv_lines *lines, const pv_read_options *options,
                             pv_error *error)
{
    t->columns = PV_NEW_ZEROED(spelled, lines->n_columns);
    if (t->columns == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < lines->n_columns; i++) {
        PV_TRY(tally_column(t, lines, options, i, error));
    }
    return PV_STATUS_OK;
}

static void tell(const tally *t, pv_table *table)
{
    pv_i_table_set_trimmed(table, t->trimmed);
    for (size_t i = 0; i < t->n; i++) {
        for (size_t s = 0; t->columns[i].spellings[s] != NULL; s++) {
            pv_i_table_set_missing_rows(table, i, t->columns[i].spellings[s],
                                        t->columns[i].rows[s]);
        }
    }
}

pv_status pv_i_lines_table(pv_lines *lines, const char *name, const pv_read_options *options,
                           const pv_context *context, pv_table **table, pv_error *error)
{
    const pv_read_options reading = {.delimiter = DELIMITER,
                                     .quoting = PV_CHOICE_YES,
                                     .header = PV_CHOICE_YES,
                                     .keep_blanks = options->keep_blanks,
                                     .missing = options->missing,
                                     .missing_of = options->missing_of,
                                     .missing_ctx = options->missing_ctx};
    tally t = {0};
    pv_buffer text = {0};
    pv_table *made = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(tally_lines(&t, lines, options, error));
    PV_TRY_CLEAN(pv_i_lines_text(lines, &text, error));
    pv_i_lines_deinit(lines);
    PV_TRY_CLEAN(pv_table_read_memory(name, text.data, text.size, &reading, context, &made, error));
    PV_TRY_CLEAN(pv_i_table_take_counts(made, error));
    tell(&t, made);
    *table = made;
    made = NULL;
cleanup:
    pv_table_free(made);
    pv_i_buffer_deinit(&text);
    tally_deinit(&t);
    return status;
}
