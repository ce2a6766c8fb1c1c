#include "engine/lines.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "table/csv_writer.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64
#define FIRST_ROWS 1024
#define DIGIT_BASE 65536
#define SHORT 16

pv_status pv_i_lines_init(pv_lines *lines, size_t n_columns, char delimiter, pv_error *error)
{
    *lines = (pv_lines){.n_columns = n_columns, .delimiter = delimiter};
    lines->columns = PV_NEW_ZEROED(pv_line_column, n_columns + 1);
    if (lines->columns == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i <= n_columns; i++) {
        lines->columns[i].width = 1;
        lines->columns[i].end = i < n_columns ? delimiter : '\n';
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
    pv_i_buffer_deinit(&lines->scratch);
    *lines = (pv_lines){0};
}

/* ---------------------------------------------------------------------- values */

static bool is_quoted(const pv_line_value *value)
{
    return value->size != value->plain + 1;
}

/* `there` begins with a quote, and has quotes twice. */
static bool is_unquoted(const char *there, const char *text, size_t size)
{
    there++;
    for (size_t i = 0; i < size; i++) {
        if (*there != text[i]) {
            return false;
        }
        there += *there == '"' ? 2 : 1;
    }
    return true;
}

static bool is_value(const pv_line_column *column, const pv_line_value *value, const char *text,
                     size_t size)
{
    const char *const there = column->text.data + value->start;
    return value->plain == size &&
           (is_quoted(value) ? is_unquoted(there, text, size) : memcmp(there, text, size) == 0);
}

/* The slot of a value, or the free one where it would be. */
static size_t find_slot(const pv_line_column *column, const char *text, size_t size, uint32_t hash)
{
    const size_t mask = column->n_slots - 1;
    size_t slot = hash & mask;
    while (column->slots[slot] != 0) {
        const pv_line_value *const value = &column->values[column->slots[slot] - 1];
        if (value->hash == hash && is_value(column, value, text, size)) {
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

static bool add_value(const pv_lines *lines, pv_line_column *column, const char *text, size_t size,
                      uint32_t hash)
{
    const size_t start = column->text.size;
    pv_i_csv_append(&column->text, lines->delimiter, false, text, size);
    pv_i_buffer_char(&column->text, column->end);
    if (column->text.failed || !pv_i_reserve((void **)&column->values, &column->capacity,
                                             column->n + 1, sizeof *column->values)) {
        return false;
    }
    column->values[column->n++] = (pv_line_value){
        .start = start, .size = column->text.size - start, .plain = size, .hash = hash};
    return true;
}

/* The code of a value, which gets one if it is new. False = no memory. */
static bool code_of(const pv_lines *lines, pv_line_column *column, const char *text, size_t size,
                    uint32_t *code)
{
    if (2 * column->n >= column->n_slots && !grow_slots(column)) {
        return false;
    }
    const uint32_t hash = (uint32_t)pv_i_hash_bytes(text, size);
    const size_t slot = find_slot(column, text, size, hash);
    if (column->slots[slot] == 0) {
        if (!add_value(lines, column, text, size, hash)) {
            return false;
        }
        column->slots[slot] = (uint32_t)column->n;
    }
    *code = column->slots[slot] - 1;
    return true;
}

const char *pv_i_lines_value(pv_lines *lines, size_t column, size_t value, size_t *size)
{
    const pv_line_column *const c = &lines->columns[column];
    const pv_line_value *const v = &c->values[value];
    const char *const text = c->text.data + v->start;
    *size = v->plain;
    if (!is_quoted(v)) {
        return text;
    }
    pv_i_buffer_clear(&lines->scratch);
    for (size_t i = 1; i + 2 < v->size; i++) {
        pv_i_buffer_char(&lines->scratch, text[i]);
        i += text[i] == '"'; /* quotes within are doubled */
    }
    return lines->scratch.failed ? NULL : lines->scratch.data;
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

static uint64_t number_of(const pv_cell *cell)
{
    uint64_t n = 0;
    for (size_t i = 0; i < cell->size; i++) {
        n = 10 * n + (uint64_t)(cell->text[i] - '0');
    }
    return n;
}

pv_status pv_i_lines_hear(void *ctx, const pv_cell *cells, pv_error *error)
{
    pv_lines *const lines = ctx;
    const uint64_t rows = number_of(&cells[lines->n_columns]);
    if (lines->n == UINT32_MAX) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "more than 4 billion distinct rows");
    }
    if (lines->n == lines->capacity && !make_room(lines)) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i <= lines->n_columns; i++) {
        pv_line_column *const column = &lines->columns[i];
        uint32_t code = 0;
        if (!code_of(lines, column, cells[i].text != NULL ? cells[i].text : "",
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

/* Most values are short: a copy of fixed size, of which a part counts, is faster than one that
 * looks how long it has to be. There is room for it behind both. */
static void put_in_order(const pv_lines *lines, const uint32_t *order, pv_buffer *text)
{
    char *at = text->data + text->size;
    for (size_t i = 0; i < lines->n; i++) {
        for (size_t c = 0; c <= lines->n_columns; c++) {
            const pv_line_column *const column = &lines->columns[c];
            const pv_line_value *const value = &column->values[get_code(column, order[i])];
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

static pv_status sort(const pv_lines *lines, uint32_t **order, uint32_t **other, uint32_t *digits,
                      pv_error *error)
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

pv_status pv_i_lines_put(pv_lines *lines, pv_buffer *text, pv_error *error)
{
    uint32_t *order = PV_NEW_ARRAY(uint32_t, lines->n);
    uint32_t *other = PV_NEW_ARRAY(uint32_t, lines->n);
    uint32_t *digits = PV_NEW_ARRAY(uint32_t, lines->n);
    pv_status status = PV_STATUS_OK;
    if (order == NULL || other == NULL || digits == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    PV_TRY_CLEAN(sort(lines, &order, &other, digits, error));
    pv_i_free(other);
    pv_i_free(digits);
    other = NULL;
    digits = NULL;
    for (size_t c = 0; c <= lines->n_columns; c++) {
        pv_i_buffer_reserve(&lines->columns[c].text, SHORT);
        text->failed = text->failed || lines->columns[c].text.failed;
    }
    pv_i_buffer_reserve(text, lines->size + SHORT);
    if (text->failed) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    put_in_order(lines, order, text);
cleanup:
    pv_i_free(order);
    pv_i_free(other);
    pv_i_free(digits);
    return status;
}
