/* What a value means: a number, a calendar day or just text. */
#include "table/value.h"

#include "table/store.h"

#include <string.h>

#define NUMBER_SIZE 96 /* longer texts are no numbers */

static bool all_digits(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
    }
    return length > 0;
}

static size_t sign_length(const char *text, size_t length)
{
    return length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
}

/* 007, -012.5: the first of several digits is a zero. */
static bool has_leading_zero(const char *text, size_t length)
{
    const size_t sign = sign_length(text, length);
    return length >= sign + 2 && text[sign] == '0' && text[sign + 1] >= '0' &&
           text[sign + 1] <= '9';
}

const char *const pv_i_default_missing[] = {"", "NA", "?", NULL};

bool pv_i_is_missing(const char *const *spellings, const char *text)
{
    const char *const *spelling = spellings != NULL ? spellings : pv_i_default_missing;
    while (*spelling != NULL && strcmp(*spelling, text) != 0) {
        spelling++;
    }
    return *spelling != NULL;
}

/* ---------------------------------------------------------------- numbers */

/* A separator of thousands at `at`, as long as it is; 0 = none. Besides the sign that is not the
 * decimal one: an apostrophe, a blank, a no-break space or a narrow one. */
static size_t separator_length(const char *at, size_t left, char decimal)
{
    static const char *const signs[] = {"'", " ", "\xc2\xa0", "\xe2\x80\xaf"};
    if (left > 0 && *at == (decimal == ',' ? '.' : ',')) {
        return 1;
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const size_t length = strlen(signs[i]);
        if (left >= length && memcmp(at, signs[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

static size_t digits_length(const char *at, const char *end)
{
    const char *const start = at;
    while (at < end && *at >= '0' && *at <= '9') {
        at++;
    }
    return (size_t)(at - start);
}

/* The whole part without separators: one to three digits, then groups of three, all separated
 * alike. Moves `at` on; false if the groups are no thousands. */
static bool take_thousands(const char **at, const char *end, char decimal, char *plain, size_t *n)
{
    const char *separator = NULL;
    size_t length = 0;
    for (bool first = true;; first = false) {
        const size_t digits = digits_length(*at, end);
        memcpy(plain + *n, *at, digits);
        *n += digits;
        *at += digits;
        if (!first && digits != 3) {
            return false;
        }
        const size_t here = separator_length(*at, (size_t)(end - *at), decimal);
        if (here == 0) {
            return true;
        }
        if ((first && (digits < 1 || digits > 3)) ||
            (separator != NULL && (here != length || memcmp(separator, *at, here) != 0))) {
            return false;
        }
        separator = *at;
        length = here;
        *at += here;
    }
}

/* The number as pv_decimal_parse reads it; 0 = it is none. */
static size_t plain_number(const char *text, size_t length, char decimal, char plain[NUMBER_SIZE])
{
    const char *at = text;
    const char *const end = text + length;
    size_t n = 0;
    if (length >= NUMBER_SIZE) {
        return 0;
    }
    if (at < end && (*at == '-' || *at == '+')) {
        plain[n++] = *at++;
    }
    if (!take_thousands(&at, end, decimal, plain, &n)) {
        return 0;
    }
    if (at < end && *at == decimal) {
        plain[n++] = '.';
        at++;
    }
    const size_t rest = (size_t)(end - at);
    if (memchr(at, '.', rest) != NULL) {
        return 0;
    }
    memcpy(plain + n, at, rest);
    return n + rest;
}

/* A number and the text it was read from, in plain spelling. */
typedef struct {
    char buffer[NUMBER_SIZE];
    const char *text;
    size_t length;
    pv_decimal value;
} number;

static bool read_number(const char *text, size_t length, const pv_format *format, number *found)
{
    found->text = text;
    found->length = length;
    if (format != NULL && format->decimal != '\0') {
        found->text = found->buffer;
        found->length = plain_number(text, length, format->decimal, found->buffer);
    }
    return pv_decimal_parse(found->text, found->length, &found->value);
}

bool pv_i_number_parse(const char *text, size_t length, const pv_format *format, pv_decimal *value)
{
    number found;
    if (!read_number(text, length, format, &found)) {
        return false;
    }
    *value = found.value;
    return true;
}

/* ------------------------------------------------------------------ types */

static bool is_whole(const number *n)
{
    const size_t sign = sign_length(n->text, n->length);
    return all_digits(n->text + sign, n->length - sign);
}

pv_type pv_i_value_type(const char *text, size_t length, const pv_format *format)
{
    number found;
    int64_t days;
    if (read_number(text, length, format, &found)) {
        if (has_leading_zero(found.text, found.length)) {
            return PV_TYPE_TEXT;
        }
        return is_whole(&found) ? PV_TYPE_INTEGER : PV_TYPE_DECIMAL;
    }
    return pv_i_date_parse(text, length, format, &days) ? PV_TYPE_DATE : PV_TYPE_TEXT;
}

bool pv_i_value_fits(const char *text, size_t length, pv_type type, const pv_format *format)
{
    number found;
    int64_t days;
    switch (type) {
    case PV_TYPE_INTEGER: return read_number(text, length, format, &found) && is_whole(&found);
    case PV_TYPE_DECIMAL: return read_number(text, length, format, &found);
    case PV_TYPE_DATE: return pv_i_date_parse(text, length, format, &days);
    case PV_TYPE_AUTO:
    case PV_TYPE_TEXT: break;
    }
    return true;
}

size_t pv_i_value_canonical(const char *text, size_t length, pv_type type, const pv_format *format,
                            char canonical[PV_CANONICAL_SIZE])
{
    pv_decimal value;
    pv_moment moment;
    if ((type == PV_TYPE_INTEGER || type == PV_TYPE_DECIMAL) &&
        pv_i_number_parse(text, length, format, &value)) {
        pv_decimal_text(value, canonical, PV_CANONICAL_SIZE);
        return strlen(canonical);
    }
    if (type == PV_TYPE_DATE && pv_i_moment_parse(text, length, format, &moment)) {
        return pv_i_moment_text(moment, canonical);
    }
    return 0;
}

/* ---------------------------------------------------------- of a column */

bool pv_i_table_number(const pv_table *table, size_t column, uint32_t code, pv_decimal *value)
{
    const pv_column *const c = &table->columns[column];
    return code != c->missing && (c->type == PV_TYPE_INTEGER || c->type == PV_TYPE_DECIMAL) &&
           pv_i_number_parse(pv_i_column_value(c, code), pv_i_column_length(c, code), &c->format,
                             value);
}

bool pv_i_table_moment(const pv_table *table, size_t column, uint32_t code, pv_moment *moment)
{
    const pv_column *const c = &table->columns[column];
    return code != c->missing && c->type == PV_TYPE_DATE &&
           pv_i_moment_parse(pv_i_column_value(c, code), pv_i_column_length(c, code), &c->format,
                             moment);
}

size_t pv_i_table_canonical(const pv_table *table, size_t column, const char *text, size_t length,
                            char canonical[PV_CANONICAL_SIZE])
{
    const pv_column *const c = &table->columns[column];
    return pv_i_value_canonical(text, length, c->type, &c->format, canonical);
}
