/* The types of columns: inferred or declared; the natural order of values that follows; and that
 * all spellings of one value (1, 1.0, 01) become one value.
 *
 * Every value has a canonical text; the codes of equal ones are merged, in order of first
 * appearance, and the first spelling stays. Nearly always there is nothing to merge, and that can
 * be seen from the texts: numbers with the same number of decimals and nothing superfluous, dates
 * that all look like 2024-05-31. */
#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"
#include "table/lexicon.h"
#include "table/store.h"
#include "table/value.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK 1024
#define MISSING_KEY "?" /* no canonical text */

/* --------------------------------------------------- nothing to merge? */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Plain digits, the first of them no superfluous zero, and `decimals` after a point. */
static bool is_tidy_number(const char *text, size_t length, size_t *decimals)
{
    const size_t sign = length > 0 && text[0] == '-';
    size_t at = sign;
    bool zero = true;
    for (; at < length && is_digit(text[at]); at++) {
        zero = zero && text[at] == '0';
    }
    const size_t whole = at - sign;
    *decimals = at < length && text[at] == '.' ? length - at - 1 : 0;
    for (size_t i = at + 1; i < length; i++) {
        zero = zero && text[i] == '0';
        if (!is_digit(text[i])) {
            return false;
        }
    }
    return whole > 0 && (whole == 1 || text[sign] != '0') && !(sign == 1 && zero) &&
           (at == length || (text[at] == '.' && *decimals > 0));
}

static bool is_tidy_date(const char *text, size_t length)
{
    return length == 10 && text[4] == '-' && text[7] == '-';
}

/* Are equal values surely spelled alike? */
static bool is_tidy(const pv_column *c)
{
    size_t common = SIZE_MAX;
    for (uint32_t i = 0; i < c->n_values; i++) {
        const char *const text = pv_i_column_value(c, i);
        const size_t length = pv_i_column_length(c, i);
        size_t decimals = 0;
        if (i == c->missing) {
            continue;
        }
        if (c->type == PV_TYPE_DATE ? !is_tidy_date(text, length)
                                    : !is_tidy_number(text, length, &decimals)) {
            return false;
        }
        if (common != SIZE_MAX && decimals != common) {
            return false;
        }
        common = decimals;
    }
    return true;
}

/* ------------------------------------------------------------- merging */

/* The new code of every old one. */
static pv_status map_codes(const pv_column *c, pv_lexicon *values, uint32_t *map, pv_error *error)
{
    for (uint32_t i = 0; i < c->n_values; i++) {
        char canonical[PV_CANONICAL_SIZE] = MISSING_KEY;
        size_t length = strlen(MISSING_KEY);
        if (i != c->missing) {
            length = pv_i_value_canonical(pv_i_column_value(c, i), pv_i_column_length(c, i),
                                          c->type, &c->format, canonical);
        }
        map[i] = length > 0 ? pv_i_lexicon_add(values, canonical, length)
                            : pv_i_lexicon_add(values, pv_i_column_value(c, i),
                                               pv_i_column_length(c, i)); /* `*` stays itself */
        if (map[i] > PV_DICTIONARY_LIMIT) {
            return pv_i_no_memory(error);
        }
    }
    return PV_STATUS_OK;
}

/* In place: a new code is never larger than its old one. */
static void merge_values(pv_column *c, const uint32_t *map, uint32_t n)
{
    uint64_t size = 0;
    uint32_t met = 0;
    for (uint32_t i = 0; i < c->n_values; i++) {
        const uint64_t from = c->offsets[i];
        const size_t length = pv_i_column_length(c, i) + 1;
        if (map[i] < met) {
            c->counts[map[i]] += c->counts[i];
            continue;
        }
        memmove(c->text + size, c->text + from, length);
        c->offsets[met] = size;
        c->counts[met++] = c->counts[i];
        size += length;
    }
    c->offsets[n] = size;
    c->missing = c->missing != PV_NO_CODE ? map[c->missing] : PV_NO_CODE;
    c->n_values = n;
}

static void merge_codes(pv_column *c, const uint32_t *map, uint64_t n_entries)
{
    const pv_codes codes = {.width = c->width, .data = c->codes};
    const unsigned width = pv_i_codes_width(c->n_values);
    uint32_t chunk[CHUNK];
    uint8_t *to = c->codes;
    for (uint64_t first = 0; first < n_entries; first += CHUNK) {
        const size_t n = n_entries - first < CHUNK ? (size_t)(n_entries - first) : CHUNK;
        pv_i_codes_unpack(codes, first, n, chunk);
        for (size_t i = 0; i < n; i++) {
            chunk[i] = map[chunk[i]];
        }
        to = pv_i_codes_pack(chunk, n, width, to);
    }
    c->width = width;
}

pv_status pv_i_table_settle(pv_table *table, size_t column, pv_error *error)
{
    pv_column *const c = &table->columns[column];
    pv_lexicon values = {0};
    if (c->settled) { /* nothing is written: other threads may read the column */
        return PV_STATUS_OK;
    }
    if (c->type == PV_TYPE_TEXT || is_tidy(c)) {
        c->settled = true;
        return PV_STATUS_OK;
    }
    uint32_t *const map = PV_NEW_ARRAY(uint32_t, c->n_values);
    pv_status status = map != NULL && pv_i_lexicon_init(&values, c->n_values)
                           ? map_codes(c, &values, map, error)
                           : pv_i_no_memory(error);
    if (status == PV_STATUS_OK && values.n < c->n_values) {
        merge_values(c, map, values.n);
        merge_codes(c, map, table->entries);
    }
    c->settled = status == PV_STATUS_OK;
    pv_i_lexicon_deinit(&values);
    pv_i_free(map);
    return status;
}

/* ------------------------------------------------------------- missing */

static bool note_spelling(pv_column *c, uint32_t code)
{
    char *const copy = pv_i_strndup(pv_i_column_value(c, code), pv_i_column_length(c, code));
    if (copy == NULL || !pv_i_reserve((void **)&c->spellings, &c->spellings_capacity,
                                      c->n_spellings + 1, sizeof *c->spellings)) {
        pv_i_free(copy);
        return false;
    }
    c->spellings[c->n_spellings++] = (pv_spelling){.text = copy, .rows = c->counts[code]};
    return true;
}

pv_status pv_i_table_add_missing(pv_table *table, size_t column, const uint64_t *codes,
                                 pv_error *error)
{
    pv_column *const c = &table->columns[column];
    uint32_t *const map = PV_NEW_ARRAY(uint32_t, c->n_values);
    uint32_t first = PV_NO_CODE; /* the new code of the missing value */
    uint32_t n = 0;
    pv_status status = map != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    for (uint32_t i = 0; i < c->n_values && status == PV_STATUS_OK; i++) {
        const bool missing = i == c->missing || pv_i_bit_get(codes, i);
        if (missing && i != c->missing && !note_spelling(c, i)) {
            status = pv_i_no_memory(error);
        }
        map[i] = missing && first != PV_NO_CODE ? first : n++;
        first = missing && first == PV_NO_CODE ? map[i] : first;
    }
    if (status == PV_STATUS_OK) {
        merge_values(c, map, n);
        merge_codes(c, map, table->entries);
        c->missing = first;
    }
    pv_i_free(map);
    return status;
}

/* ---------------------------------------------------------------------- types */

static const char *const type_names[] = {
    [PV_TYPE_AUTO] = "auto", [PV_TYPE_INTEGER] = "integer", [PV_TYPE_DECIMAL] = "decimal",
    [PV_TYPE_DATE] = "date", [PV_TYPE_TEXT] = "text",
};

const char *pv_type_name(pv_type type)
{
    return (size_t)type < sizeof type_names / sizeof *type_names ? type_names[type] : "unknown";
}

pv_type pv_table_type(const pv_table *table, size_t column)
{
    return table->columns[column].type;
}

/* Integers are decimals; everything else mixed is text. */
static pv_type join(pv_type a, pv_type b)
{
    if (a == PV_TYPE_AUTO || a == b) {
        return b;
    }
    const bool numbers = (a == PV_TYPE_INTEGER || a == PV_TYPE_DECIMAL) &&
                         (b == PV_TYPE_INTEGER || b == PV_TYPE_DECIMAL);
    return numbers ? PV_TYPE_DECIMAL : PV_TYPE_TEXT;
}

/* The missing value and the one that is excepted say nothing about the type. */
static bool is_excepted(const pv_column *column, uint32_t code, const char *except)
{
    return code == column->missing ||
           (except != NULL && strcmp(pv_i_column_value(column, code), except) == 0);
}

static pv_type infer(const pv_column *column, const char *except)
{
    pv_type type = PV_TYPE_AUTO;
    for (uint32_t i = 0; i < column->n_values && type != PV_TYPE_TEXT; i++) {
        if (!is_excepted(column, i, except)) {
            type = join(type, pv_i_value_type(pv_i_column_value(column, i),
                                              pv_i_column_length(column, i), &column->format));
        }
    }
    return type == PV_TYPE_AUTO ? PV_TYPE_TEXT : type;
}

pv_type pv_i_column_infer(const pv_column *column)
{
    return infer(column, NULL);
}

static pv_status reject(const pv_table *table, size_t column, uint32_t code, pv_type type,
                        pv_error *error)
{
    const uint64_t row = pv_table_first_row(table, column, code);
    const pv_status status =
        pv_i_fail_at(error, PV_STATUS_INPUT, table->source, pv_table_line(table, row), 0,
                     "column \"%s\": the value in row %llu is no %s", table->columns[column].name,
                     (unsigned long long)row + 1, pv_type_name(type));
    if (type == PV_TYPE_DATE) {
        return pv_i_hint(
            status, error,
            "dates are read as yyyy-mm-dd, yyyy/mm/dd, d.m.yyyy or yyyymmdd, with or without a "
            "time such as 13:45 or 13:45:10; others need a line in the plan, such as `format: "
            "dd/mm/yyyy`, `format: mm/dd/yyyy`, or `format: dd.mm.yy` and `first-year: 1930` (for "
            "years 1930 to 2029); or list the value as missing, or declare the column as text");
    }
    return pv_i_hint(status, error,
                     "correct it, list it as a spelling of missing, or declare the column as text; "
                     "numbers such as 1.234,5 need `decimal: comma` in the plan, 1,234.5 `decimal: "
                     "point`");
}

void pv_table_set_format(pv_table *table, size_t column, const pv_format *format)
{
    pv_column *const c = &table->columns[column];
    const bool same = c->format.decimal == format->decimal &&
                      strcmp(c->format.date, format->date) == 0 &&
                      c->format.first_year == format->first_year;
    if (!same) { /* a table in use, perhaps by several threads, is not settled anew for nothing */
        c->settled = false;
        c->format = *format;
    }
}

const pv_format *pv_table_format(const pv_table *table, size_t column)
{
    return &table->columns[column].format;
}

static pv_status settle_as(pv_table *table, size_t column, pv_type type, pv_error *error)
{
    pv_column *const c = &table->columns[column];
    if (c->type != type) {
        c->settled = false;
        c->type = type;
    }
    return pv_i_table_settle(table, column, error);
}

/* Codes are numbered by first appearance: the first that does not fit is in the first line that
 * does not. */
pv_status pv_i_table_set_type_except(pv_table *table, size_t column, pv_type type,
                                     const char *except, pv_error *error)
{
    const pv_column *const c = &table->columns[column];
    if (type == PV_TYPE_AUTO) {
        return settle_as(table, column, infer(c, except), error);
    }
    for (uint32_t i = 0; i < c->n_values; i++) {
        if (!is_excepted(c, i, except) &&
            !pv_i_value_fits(pv_i_column_value(c, i), pv_i_column_length(c, i), type, &c->format)) {
            return reject(table, column, i, type, error);
        }
    }
    return settle_as(table, column, type, error);
}

/* All values but `*`, which says that a value was suppressed. */
static bool fits(const pv_column *c, pv_type type, const pv_format *format)
{
    uint32_t i = 0;
    while (i < c->n_values &&
           (is_excepted(c, i, "*") ||
            pv_i_value_fits(pv_i_column_value(c, i), pv_i_column_length(c, i), type, format))) {
        i++;
    }
    return i == c->n_values;
}

pv_status pv_i_table_take_type(pv_table *table, size_t column, const pv_table *like,
                               size_t like_column, pv_error *error)
{
    const pv_column *const c = &table->columns[column];
    const pv_column *const model = &like->columns[like_column];
    const pv_type wider = model->type == PV_TYPE_INTEGER ? PV_TYPE_DECIMAL : model->type;
    pv_table_set_format(table, column, &model->format);
    return settle_as(table, column,
                     fits(c, model->type, &c->format) ? model->type
                     : fits(c, wider, &c->format)     ? wider
                                                      : PV_TYPE_TEXT,
                     error);
}

pv_status pv_table_set_type(pv_table *table, size_t column, pv_type type, pv_error *error)
{
    return pv_i_table_set_type_except(table, column, type, NULL, error);
}

/* A value ready to be compared: numbers and days as decimals, text through the column. */
typedef struct {
    pv_decimal number;
    int64_t micros; /* of a date: since midnight */
    uint32_t code;
    bool missing;
} sort_key;

static int compare_keys(const void *a, const void *b, void *column)
{
    const sort_key *const left = a;
    const sort_key *const right = b;
    if (left->missing != right->missing) {
        return left->missing ? 1 : -1;
    }
    int order = pv_decimal_compare(left->number, right->number);
    order = order != 0 ? order : (left->micros > right->micros) - (left->micros < right->micros);
    order = order != 0 ? order
                       : strcmp(pv_i_column_value(column, left->code),
                                pv_i_column_value(column, right->code));
    return order != 0 ? order : (left->code > right->code) - (left->code < right->code);
}

pv_status pv_table_order(const pv_table *table, size_t column, uint32_t *order, pv_error *error)
{
    const pv_column *const c = &table->columns[column];
    sort_key *const keys = PV_NEW_ARRAY(sort_key, c->n_values);
    if (keys == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t i = 0; i < c->n_values; i++) {
        pv_moment moment;
        keys[i] = (sort_key){.code = i, .missing = i == c->missing};
        if (pv_i_table_moment(table, column, i, &moment)) {
            keys[i].number.mantissa = moment.days;
            keys[i].micros = moment.micros;
        } else {
            (void)pv_i_table_number(table, column, i, &keys[i].number);
        }
    }
    qsort_r(keys, c->n_values, sizeof *keys, compare_keys, &table->columns[column]);
    for (uint32_t i = 0; i < c->n_values; i++) {
        order[i] = keys[i].code;
    }
    pv_i_free(keys);
    return PV_STATUS_OK;
}
