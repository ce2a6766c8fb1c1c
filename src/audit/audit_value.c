/* What values mean. A value is a number, a date or text:
 *
 * - A number is an exact decimal, never a binary fraction: 0.1 is 0.10 and nothing else.
 * - A date is also a decimal: microseconds in a calendar where every month has 31 days. It sorts as
 *   its moment does and equals no other, and needs no calendar arithmetic that could be wrong;
 *   differences of dates mean nothing, but nobody asks for them.
 * - A text is its bytes.
 *
 * A column has one type. It is declared, or it is the one that all its values have; if they differ,
 * all are text. Two spellings with one meaning are one value, so the count, made by spelling, is
 * made again by meaning:
 *
 *     spellings   1    2    1.0   01    2.00          code 0 1 2 3 4
 *     meanings    #1   #2   #1    #1    #2            map  0 1 0 0 1
 *     classes, parts and pairs: every code is replaced through its column's map, equal keys add up
 *
 * Meanings are numbered by first appearance, like codes: the first spelling names the value, and
 * where every value has one spelling, the map is the identity and nothing is done. */
#include "audit/audit.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"

#include <paravent/decimal.h>
#include <stdlib.h>
#include <string.h>

/* ---- dates ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Up to `most` digits from `*at` on. */
static size_t take_number(const char *text, size_t size, size_t *at, size_t most, int64_t *number)
{
    size_t n = 0;
    *number = 0;
    for (; n < most && *at < size && is_digit(text[*at]); n++) {
        *number = *number * 10 + (text[(*at)++] - '0');
    }
    return n;
}

/* The Gregorian calendar, also for the years before it. */
static int64_t days_in_month(int64_t year, int64_t month)
{
    static const int64_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

/* A date by a format such as dd/mm/yyyy: a run of letters is a number, all else is itself. Days and
 * months may have one digit where a separator ends them. */
static bool read_date(const char *format, int first_year, const char *text, size_t size, size_t *at,
                      int64_t date[3])
{
    const bool separated = strcspn(format, "./- ") < strlen(format);
    while (*format != '\0') {
        const size_t letters = strspn(format, "y") + strspn(format, "m") + strspn(format, "d");
        if (letters == 0) {
            if (*at == size || text[(*at)++] != *format++) {
                return false;
            }
            continue;
        }
        const bool is_year = *format == 'y';
        int64_t *const part = &date[is_year ? 0 : *format == 'm' ? 1 : 2];
        const size_t most = is_year ? letters : 2;
        if (take_number(text, size, at, most, part) < (!is_year && separated ? 1 : most)) {
            return false;
        }
        if (is_year && letters == 2) {
            /* Two digits belong to the hundred years from the first year on. */
            *part += first_year - first_year % 100;
            *part += *part < first_year ? 100 : 0;
        }
        format += letters;
    }
    return date[1] >= 1 && date[1] <= 12 && date[2] >= 1 &&
           date[2] <= days_in_month(date[0], date[1]);
}

/* 13:45, 13:45:10 or 13:45:10.25 after a blank or T, perhaps with Z; or nothing. */
static bool read_time(const char *text, size_t size, size_t at, int64_t *micros)
{
    int64_t parts[3] = {0};
    int64_t fraction = 0;
    *micros = 0;
    if (at == size) {
        return true;
    }
    if (text[at] != ' ' && text[at] != 'T') {
        return false;
    }
    size_t n = 0;
    do {
        at++;
        const size_t digits = take_number(text, size, &at, 2, &parts[n]);
        if (digits < (n == 0 ? 1u : 2u)) {
            return false;
        }
        n++;
    } while (n < 3 && at < size && text[at] == ':');
    if (n == 3 && at < size && text[at] == '.') {
        at++;
        size_t digits = take_number(text, size, &at, 6, &fraction);
        if (digits == 0) {
            return false;
        }
        for (; digits < 6; digits++) {
            fraction *= 10;
        }
    }
    at += at < size && text[at] == 'Z';
    /* No time zone but Z, which is skipped. */
    *micros = ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1000000 + fraction;
    return n >= 2 && at == size && parts[0] < 24 && parts[1] < 60 && parts[2] < 60;
}

static bool parse_format(const char *format, int first_year, const char *text, size_t size,
                         pv_decimal *moment)
{
    int64_t date[3] = {0}; /* year, month, day */
    int64_t micros = 0;
    size_t at = 0;
    if (!read_date(format, first_year, text, size, &at, date) ||
        !read_time(text, size, at, &micros)) {
        return false;
    }
    const int64_t day = (date[0] * 12 + date[1] - 1) * 31 + date[2] - 1;
    *moment = (pv_decimal){.mantissa = day * 86400 * 1000000 + micros};
    return true;
}

static char separator_of(const char *format)
{
    return format[strcspn(format, "./- ")];
}

/* The declared format, else one that nobody can misread, unless it looks like the declared one:
 * then the text could be a wrong date of that format. */
static bool parse_date(const char *text, size_t size, const pv_format *format, pv_decimal *moment)
{
    static const char *const plain[] = {"yyyy-mm-dd", "yyyy/mm/dd", "dd.mm.yyyy", "yyyymmdd"};
    const bool declared = format->date[0] != '\0';
    if (declared && parse_format(format->date, format->first_year, text, size, moment)) {
        return true;
    }
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        /* Alike: the same separator, and the year at the same end. */
        const bool alike = declared && separator_of(plain[i]) == separator_of(format->date) &&
                           (plain[i][0] == 'y') == (format->date[0] == 'y');
        if (!alike && parse_format(plain[i], 0, text, size, moment)) {
            return true;
        }
    }
    return false;
}

/* ---- numbers ---- */

#define LONGEST_NUMBER 95

/* Length of a thousands separator: the other sign, an apostrophe or a blank, also a no-break
 * space, wide (U+00A0) or narrow (U+202F). */
static size_t separates(const char *text, size_t size, char decimal)
{
    if (size > 0 &&
        (text[0] == '\'' || text[0] == ' ' || text[0] == (decimal == ',' ? '.' : ','))) {
        return 1;
    }
    if (size > 1 && memcmp(text, "\xc2\xa0", 2) == 0) {
        return 2;
    }
    return size > 2 && memcmp(text, "\xe2\x80\xaf", 3) == 0 ? 3 : 0;
}

/* The plain spelling of a number with a declared decimal sign: without thousands separators, which
 * must all be the same and have three digits between them; false if it is none. */
static bool simplify(const char *text, size_t size, char decimal, char *plain, size_t *n_plain)
{
    const char *separator = NULL;
    size_t group = 0; /* digits since the last separator */
    size_t n = 0;
    size_t at = 0;
    if (size > LONGEST_NUMBER) {
        return false;
    }
    if (size > 0 && (text[0] == '-' || text[0] == '+')) {
        plain[n++] = text[at++];
    }
    while (at < size) {
        const size_t length = separates(text + at, size - at, decimal);
        if (is_digit(text[at])) {
            plain[n++] = text[at++];
            group++;
        } else if (length > 0) {
            const bool first = separator == NULL;
            if (first ? group < 1 || group > 3
                      : group != 3 || memcmp(separator, text + at, length) != 0) {
                return false;
            }
            separator = text + at;
            at += length;
            group = 0;
        } else {
            break;
        }
    }
    /* 1.234 with a decimal comma is 1234, but 1.23 is not 123: it is a mistake, or not a number. */
    if (separator != NULL && group != 3) {
        return false;
    }
    /* What follows: the decimal sign and digits, or an exponent; pv_decimal_parse decides. */
    for (bool signed_once = false; at < size; at++) {
        const bool is_sign = text[at] == decimal && !signed_once;
        if (!is_sign && (text[at] == '.' || text[at] == ',')) {
            return false;
        }
        signed_once = true; /* nothing but the first byte may be the sign */
        plain[n++] = is_sign ? '.' : text[at];
    }
    *n_plain = n;
    return true;
}

/* Without a declared decimal sign only the plain spelling is a number: 1,500 could be one and a
 * half or fifteen hundred. */
static bool parse_number(const char *text, size_t size, const pv_format *format, pv_decimal *number)
{
    char plain[LONGEST_NUMBER + 1];
    size_t n = 0;
    if (format->decimal == '\0') {
        return pv_decimal_parse(text, size, number);
    }
    return simplify(text, size, format->decimal, plain, &n) && pv_decimal_parse(plain, n, number);
}

/* A number that equal values share and that sorts as they do; false if the text is not of the type,
 * which is a number or DATE. */
static bool parse(const char *text, size_t size, pv_type type, const pv_format *format,
                  pv_decimal *number)
{
    return type == PV_TYPE_DATE ? parse_date(text, size, format, number)
                                : parse_number(text, size, format, number);
}

/* ---- types ---- */

/* 007 is a code, not a quantity. */
static bool has_leading_zero(const char *text, size_t size)
{
    const size_t sign = size > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    return size >= sign + 2 && text[sign] == '0' && is_digit(text[sign + 1]);
}

/* Numbers before dates: 20200131 is a number unless the column was declared to hold dates. */
static pv_type type_of(const char *text, size_t size, const pv_format *format)
{
    pv_decimal unused;
    if (parse_number(text, size, format, &unused)) {
        return has_leading_zero(text, size) ? PV_TYPE_TEXT : PV_TYPE_DECIMAL;
    }
    return parse_date(text, size, format, &unused) ? PV_TYPE_DATE : PV_TYPE_TEXT;
}

/* As declared, or common to all values but the missing one and the `*` of a generalized cell. */
static pv_type find_type(const pv_audit_column *column)
{
    pv_type common = PV_TYPE_AUTO;
    if (column->reading.type != PV_TYPE_AUTO) {
        return column->reading.type;
    }
    for (uint32_t code = 0; code < column->values.n_entries; code++) {
        size_t size;
        const char *const text = pv_i_audit_tally_key(&column->values, code, &size);
        if (code != column->missing && !(column->is_quasi && code == column->star)) {
            const pv_type type = type_of(text, size, &column->reading.format);
            common = common == PV_TYPE_AUTO || common == type ? type : PV_TYPE_TEXT;
        }
    }
    return common == PV_TYPE_AUTO ? PV_TYPE_TEXT : common;
}

/* ---- equal values ---- */

/* The key of a meaning: the shortest form of its number, or as text its bytes. The first byte says
 * which: a text "#1" is not the number 1, and "missing" is neither. */
static pv_status add_meaning(const pv_audit_column *column, uint32_t code, pv_audit_tally *meanings,
                             uint32_t *number, pv_error *error)
{
    size_t size;
    const char *const text = pv_i_audit_tally_key(&column->values, code, &size);
    const pv_format *const format = &column->reading.format;
    pv_decimal value;
    char key[40] = "#";
    if (column->type != PV_TYPE_TEXT && code != column->missing &&
        parse(text, size, column->type, format, &value)) {
        pv_decimal_text(value, key + 1, sizeof key - 1);
        return pv_i_audit_tally_add(meanings, key, strlen(key), 0, number, error);
    }
    pv_buffer spelled = {0};
    pv_i_buffer_char(&spelled, code == column->missing ? '?' : '=');
    pv_i_buffer_bytes(&spelled, text, size);
    const pv_status status = spelled.failed ? pv_i_no_memory(error)
                                            : pv_i_audit_tally_add(meanings, spelled.data,
                                                                   spelled.size, 0, number, error);
    pv_i_buffer_deinit(&spelled);
    return status;
}

/* Counts the values again, each under its first spelling; map[old code] = new code. New codes are
 * never larger than old ones, so lines can be moved in place. */
static pv_status merge_values(pv_audit_column *column, const uint32_t *map, pv_error *error)
{
    pv_audit_tally values = {0};
    pv_status status = PV_STATUS_OK;
    for (uint32_t code = 0; code < column->values.n_entries; code++) {
        const bool first = map[code] == values.n_entries;
        uint32_t number = map[code];
        if (first) {
            size_t size;
            const char *const text = pv_i_audit_tally_key(&column->values, code, &size);
            PV_TRY_CLEAN(pv_i_audit_tally_add(&values, text, size, 0, &number, error));
            column->lines[number] = column->lines[code];
        }
        values.entries[number].count += column->values.entries[code].count;
    }
    column->star = column->star != PV_AUDIT_NOT_FOUND ? map[column->star] : PV_AUDIT_NOT_FOUND;
    column->missing =
        column->missing != PV_AUDIT_NOT_FOUND ? map[column->missing] : PV_AUDIT_NOT_FOUND;
    pv_i_audit_tally_deinit(&column->values);
    column->values = values;
    return PV_STATUS_OK;
cleanup:
    pv_i_audit_tally_deinit(&values);
    return status;
}

/* map[code] = number of its meaning; `merged` is set if two codes have the same one. */
static pv_status merge_column(pv_audit_column *column, uint32_t **map, bool *merged,
                              pv_error *error)
{
    pv_audit_tally meanings = {0};
    const size_t n = column->values.n_entries;
    pv_status status = PV_STATUS_OK;
    column->type = find_type(column);
    *map = PV_NEW_ARRAY(uint32_t, n);
    if (*map == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t code = 0; code < n; code++) {
        PV_TRY_CLEAN(add_meaning(column, code, &meanings, &(*map)[code], error));
    }
    if (meanings.n_entries < n) {
        *merged = true;
        PV_TRY_CLEAN(merge_values(column, *map, error));
    }
cleanup:
    pv_i_audit_tally_deinit(&meanings);
    return status;
}

/* Counts a tally of codes again. A key is n_maps codes, each with its column's map; before them
 * comes the number of a class, if `classes` is given, the map of those. new_numbers, unless NULL,
 * gets the map of the tally's own numbers. */
static pv_status merge_tally(pv_audit_tally *tally, uint32_t *const *maps, size_t n_maps,
                             const uint32_t *classes, uint32_t *new_numbers, pv_error *error)
{
    const size_t before = classes != NULL;
    pv_audit_tally again = {0};
    pv_status status = PV_STATUS_OK;
    uint32_t *const key = PV_NEW_ARRAY(uint32_t, before + n_maps);
    if (key == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t i = 0; i < tally->n_entries; i++) {
        uint32_t number = 0;
        if (classes != NULL) {
            key[0] = classes[pv_i_audit_code(tally, i, 0)];
        }
        for (size_t j = 0; j < n_maps; j++) {
            key[before + j] = maps[j][pv_i_audit_code(tally, i, before + j)];
        }
        PV_TRY_CLEAN(pv_i_audit_tally_add(&again, key, (before + n_maps) * sizeof *key,
                                          tally->entries[i].count, &number, error));
        if (new_numbers != NULL) {
            new_numbers[i] = number;
        }
    }
    pv_i_audit_tally_deinit(tally);
    *tally = again;
    again = (pv_audit_tally){0};
cleanup:
    pv_i_audit_tally_deinit(&again);
    pv_i_free(key);
    return status;
}

/* Classes first: all other keys begin with the number of a class. */
static pv_status merge_classes(pv_audit_count *count, uint32_t *const *maps, pv_error *error)
{
    const size_t n_quasi = count->n_quasi;
    const size_t n_together = count->n_together;
    pv_status status = PV_STATUS_OK;
    uint32_t *const classes = PV_NEW_ARRAY(uint32_t, count->classes.n_entries);
    if (classes == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(merge_tally(&count->classes, maps, n_quasi, NULL, classes, error));
    PV_TRY_CLEAN(
        merge_tally(&count->parts, maps + n_quasi, count->n_named - n_quasi, classes, NULL, error));
    for (size_t i = n_quasi; i < count->n_columns; i++) {
        PV_TRY_CLEAN(merge_tally(&count->columns[i].pairs, maps + i, 1, classes, NULL, error));
    }
    PV_TRY_CLEAN(merge_tally(&count->together, maps + count->n_columns - n_together, n_together,
                             classes, NULL, error));
cleanup:
    pv_i_free(classes);
    return status;
}

pv_status pv_i_audit_merge(pv_audit_count *count, pv_error *error)
{
    uint32_t **const maps = PV_NEW_ZEROED(uint32_t *, count->n_columns);
    bool merged = false;
    pv_status status = PV_STATUS_OK;
    if (maps == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < count->n_columns; i++) {
        PV_TRY_CLEAN(merge_column(&count->columns[i], &maps[i], &merged, error));
    }
    /* The usual case is that nothing was merged: then all keys are as they were. */
    if (merged) {
        PV_TRY_CLEAN(merge_classes(count, maps, error));
    }
cleanup:
    for (size_t i = 0; i < count->n_columns; i++) {
        pv_i_free(maps[i]);
    }
    pv_i_free(maps);
    return status;
}

/* ---- order ---- */

/* A value ready to be compared. */
typedef struct {
    pv_decimal number; /* 0 for text and the missing value */
    const char *text;
    size_t size;
    uint32_t code;
    bool missing;
} sort_key;

/* Text by its bytes, a prefix before what it is a prefix of. */
static int compare_keys(const void *a, const void *b)
{
    const sort_key *const left = a;
    const sort_key *const right = b;
    if (left->missing != right->missing) {
        return left->missing - right->missing;
    }
    const int by_number = pv_decimal_compare(left->number, right->number);
    if (by_number != 0) {
        return by_number;
    }
    const size_t common = left->size < right->size ? left->size : right->size;
    const int by_bytes = memcmp(left->text, right->text, common);
    return by_bytes != 0 ? by_bytes : (left->size > right->size) - (left->size < right->size);
}

pv_status pv_i_audit_order(const pv_audit_count *count, const pv_audit_column *column,
                           uint32_t *order, pv_error *error)
{
    const uint32_t n = (uint32_t)column->values.n_entries;
    sort_key *const keys = PV_NEW_ARRAY(sort_key, n);
    if (keys == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t code = 0; code < n; code++) {
        sort_key *const key = &keys[code];
        *key = (sort_key){.code = code, .missing = code == column->missing};
        key->text = pv_i_audit_tally_key(&column->values, code, &key->size);
        if (!key->missing && column->type != PV_TYPE_TEXT &&
            !parse(key->text, key->size, column->type, &column->reading.format, &key->number)) {
            pv_i_free(keys);
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, count->path, column->lines[code],
                                          0, "the value of the column `%s` is no %s", column->name,
                                          column->type == PV_TYPE_DATE ? "date" : "number"),
                             error, "declare the column as text, or correct the value");
        }
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    for (uint32_t rank = 0; rank < n; rank++) {
        order[rank] = keys[rank].code;
    }
    pv_i_free(keys);
    return PV_STATUS_OK;
}
