/* All spellings of one value become one value.
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

static void merge_codes(pv_column *c, const uint32_t *map, uint64_t n_rows)
{
    const pv_codes codes = {.width = c->width, .data = c->codes};
    const unsigned width = pv_i_codes_width(c->n_values);
    uint32_t chunk[CHUNK];
    uint8_t *to = c->codes;
    for (uint64_t first = 0; first < n_rows; first += CHUNK) {
        const size_t n = n_rows - first < CHUNK ? (size_t)(n_rows - first) : CHUNK;
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
    if (c->settled || c->type == PV_TYPE_TEXT || is_tidy(c)) {
        c->settled = true;
        return PV_STATUS_OK;
    }
    uint32_t *const map = PV_NEW_ARRAY(uint32_t, c->n_values);
    pv_status status = map != NULL && pv_i_lexicon_init(&values, c->n_values)
                           ? map_codes(c, &values, map, error)
                           : pv_i_no_memory(error);
    if (status == PV_STATUS_OK && values.n < c->n_values) {
        merge_values(c, map, values.n);
        merge_codes(c, map, table->rows);
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
        merge_codes(c, map, table->rows);
        c->missing = first;
    }
    pv_i_free(map);
    return status;
}
