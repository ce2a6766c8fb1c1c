/* What a value means: a number, a calendar day or just text, and how people write days.
 *
 * Calendar arithmetic counts years from March, so that the leap day is the last of its year and
 * every 400 years have the same 146,097 days. */
#include "table/value.h"

#include "table/store.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -------------------------------------------------------------- calendar days */

#define DAYS_PER_ERA 146097 /* 400 years */
#define DAYS_TO_1970 719468 /* from 0000-03-01 */
#define MICROS_OF_A_DAY 86400e6

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

int64_t pv_i_date_days(pv_date date)
{
    const int64_t year = (int64_t)date.year - (date.month <= 2);
    const int64_t era = floor_divide(year, 400);
    const int64_t year_of_era = year - era * 400;
    const int64_t month_from_march = (date.month + 9) % 12;
    const int64_t day_of_year = (153 * month_from_march + 2) / 5 + date.day - 1;
    const int64_t day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * DAYS_PER_ERA + day_of_era - DAYS_TO_1970;
}

pv_date pv_i_date_of_days(int64_t days)
{
    const int64_t shifted = days + DAYS_TO_1970;
    const int64_t era = floor_divide(shifted, DAYS_PER_ERA);
    const int64_t day_of_era = shifted - era * DAYS_PER_ERA;
    const int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const int64_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int64_t month_from_march = (5 * day_of_year + 2) / 153;
    const unsigned month = (unsigned)((month_from_march + 2) % 12 + 1);
    return (pv_date){
        .year = (int)(year_of_era + era * 400 + (month <= 2)),
        .month = month,
        .day = (unsigned)(day_of_year - (153 * month_from_march + 2) / 5 + 1),
    };
}

bool pv_i_date_valid(pv_date date)
{
    if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > 31) {
        return false;
    }
    const pv_date same = pv_i_date_of_days(pv_i_date_days(date));
    return same.month == date.month && same.day == date.day;
}

/* --------------------------------------------------------------- patterns */

/* Day, month and year in some order, all separated by one character or by none. */
typedef struct {
    char order[3]; /* 'd', 'm', 'y' */
    char separator;
    bool short_year;
} pattern;

/* What nobody can misread: with points the day is first everywhere, and no country writes the day
 * between year and month. */
static const pattern plain_patterns[] = {{.order = {'y', 'm', 'd'}, .separator = '-'},
                                         {.order = {'d', 'm', 'y'}, .separator = '.'},
                                         {.order = {'y', 'm', 'd'}, .separator = '/'},
                                         {.order = {'y', 'm', 'd'}, .separator = '\0'}};

/* A field of a pattern, "dd" or "yyyy"; moves `text` on. */
static bool take_field(const char **text, pattern *p, size_t i, bool *wide)
{
    const char letter = (char)tolower((unsigned char)**text);
    size_t n = 0;
    while (letter != '\0' && tolower((unsigned char)**text) == letter) {
        ++*text;
        n++;
    }
    for (size_t j = 0; j < i; j++) {
        if (p->order[j] == letter) {
            return false;
        }
    }
    p->order[i] = letter;
    p->short_year = p->short_year || (letter == 'y' && n == 2);
    *wide = *wide && n >= 2;
    return letter == 'y' ? n == 2 || n == 4 : (letter == 'd' || letter == 'm') && n <= 2;
}

static bool read_pattern(const char *text, pattern *p)
{
    bool wide = true;
    *p = (pattern){0};
    if (!take_field(&text, p, 0, &wide)) {
        return false;
    }
    p->separator = *text != '\0' && strchr("./- ", *text) != NULL ? *text : '\0';
    for (size_t i = 1; i < 3; i++) {
        if (p->separator != '\0' && *text++ != p->separator) {
            return false;
        }
        if (!take_field(&text, p, i, &wide)) {
            return false;
        }
    }
    /* Without separators the number of digits must be known. */
    return *text == '\0' && (wide || p->separator != '\0');
}

bool pv_date_format_parse(const char *text, pv_format *format)
{
    pattern p;
    if (strlen(text) >= sizeof format->date || !read_pattern(text, &p)) {
        return false;
    }
    for (size_t i = 0; i <= strlen(text); i++) {
        format->date[i] = (char)tolower((unsigned char)text[i]);
    }
    return true;
}

bool pv_date_format_has_short_year(const pv_format *format)
{
    pattern p;
    return read_pattern(format->date, &p) && p.short_year;
}

/* ---------------------------------------------------------------- reading */

typedef struct {
    const char *at, *end;
} cursor;

/* From `least` to `most` digits, as many as there are. */
static bool take_digits(cursor *c, size_t least, size_t most, unsigned *number)
{
    size_t n = 0;
    *number = 0;
    while (n < most && c->at < c->end && *c->at >= '0' && *c->at <= '9') {
        *number = *number * 10 + (unsigned)(*c->at++ - '0');
        n++;
    }
    return n >= least;
}

static bool take_char(cursor *c, char wanted)
{
    const bool there = c->at < c->end && *c->at == wanted;
    c->at += there;
    return there;
}

static bool take_date(cursor *c, const pattern *p, int first_year, pv_date *date)
{
    unsigned year = 0;
    for (size_t i = 0; i < 3; i++) {
        const size_t year_digits = p->short_year ? 2 : 4;
        if (i > 0 && p->separator != '\0' && !take_char(c, p->separator)) {
            return false;
        }
        const size_t least = p->separator != '\0' ? 1 : 2;
        const bool well = p->order[i] == 'y'   ? take_digits(c, year_digits, year_digits, &year)
                          : p->order[i] == 'm' ? take_digits(c, least, 2, &date->month)
                                               : take_digits(c, least, 2, &date->day);
        if (!well) {
            return false;
        }
    }
    /* Two digits mean the one year of the hundred that begin with the first year. */
    date->year =
        p->short_year ? first_year + ((int)year - first_year % 100 + 100) % 100 : (int)year;
    return pv_i_date_valid(*date);
}

/* Fractions of a second to six digits. */
static bool take_fraction(cursor *c, unsigned *micros)
{
    const char *const start = c->at;
    if (!take_digits(c, 1, 6, micros)) {
        return false;
    }
    for (ptrdiff_t n = c->at - start; n < 6; n++) {
        *micros *= 10;
    }
    return true;
}

/* Nothing, or a time of day after a blank or T: 13:45, 13:45:10, 13:45:10.25, perhaps with Z. */
static bool take_time(cursor *c, int64_t *micros)
{
    unsigned hour = 0;
    unsigned minute = 0;
    unsigned second = 0;
    unsigned fraction = 0;
    *micros = 0;
    if (c->at == c->end) {
        return true;
    }
    if ((!take_char(c, ' ') && !take_char(c, 'T')) || !take_digits(c, 1, 2, &hour) ||
        !take_char(c, ':') || !take_digits(c, 2, 2, &minute)) {
        return false;
    }
    if (take_char(c, ':') &&
        (!take_digits(c, 2, 2, &second) || (take_char(c, '.') && !take_fraction(c, &fraction)))) {
        return false;
    }
    (void)take_char(c, 'Z');
    *micros = (((int64_t)hour * 60 + minute) * 60 + second) * 1000000 + fraction;
    return c->at == c->end && hour < 24 && minute < 60 && second < 60;
}

static bool parse_as(const pattern *p, int first_year, const char *text, size_t length,
                     pv_moment *moment)
{
    cursor c = {.at = text, .end = text + length};
    pv_date date = {0};
    int64_t micros = 0;
    if (!take_date(&c, p, first_year, &date) || !take_time(&c, &micros)) {
        return false;
    }
    *moment = (pv_moment){.days = pv_i_date_days(date), .micros = micros};
    return true;
}

bool pv_i_moment_parse(const char *text, size_t length, const pv_format *format, pv_moment *moment)
{
    pattern declared;
    const bool is_declared = format != NULL && read_pattern(format->date, &declared);
    if (is_declared && parse_as(&declared, format->first_year, text, length, moment)) {
        return true;
    }
    for (size_t i = 0; i < sizeof plain_patterns / sizeof *plain_patterns; i++) {
        const pattern *const p = &plain_patterns[i];
        /* Would a value of one pattern look like one of the other? */
        const bool alike = is_declared && p->separator == declared.separator &&
                           (p->order[0] == 'y') == (declared.order[0] == 'y');
        if (!alike && parse_as(p, 0, text, length, moment)) {
            return true;
        }
    }
    return false;
}

bool pv_i_date_parse(const char *text, size_t length, const pv_format *format, int64_t *days)
{
    pv_moment moment;
    if (!pv_i_moment_parse(text, length, format, &moment)) {
        return false;
    }
    *days = moment.days;
    return true;
}

size_t pv_i_moment_text(pv_moment moment, char text[PV_CANONICAL_SIZE])
{
    const pv_date date = pv_i_date_of_days(moment.days);
    const long long seconds = (long long)(moment.micros / 1000000);
    int n = snprintf(text, PV_CANONICAL_SIZE, "%04d-%02u-%02u", date.year, date.month, date.day);
    if (moment.micros != 0) {
        n += snprintf(text + n, PV_CANONICAL_SIZE - (size_t)n, "T%02lld:%02lld:%02lld",
                      seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
    if (moment.micros % 1000000 != 0) {
        n += snprintf(text + n, PV_CANONICAL_SIZE - (size_t)n, ".%06lld",
                      (long long)(moment.micros % 1000000));
    }
    return (size_t)n;
}

/* ---------------------------------------------------------- numbers and types */

#define NUMBER_SIZE 96 /* longer texts are no numbers */

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
    return n->length > sign &&
           digits_length(n->text + sign, n->text + n->length) == n->length - sign;
}

pv_type pv_i_value_type(const char *text, size_t length, const pv_format *format)
{
    number found;
    pv_moment moment;
    if (read_number(text, length, format, &found)) {
        if (has_leading_zero(found.text, found.length)) {
            return PV_TYPE_TEXT;
        }
        return is_whole(&found) ? PV_TYPE_INTEGER : PV_TYPE_DECIMAL;
    }
    return pv_i_moment_parse(text, length, format, &moment) ? PV_TYPE_DATE : PV_TYPE_TEXT;
}

bool pv_i_value_fits(const char *text, size_t length, pv_type type, const pv_format *format)
{
    number found;
    pv_moment moment;
    switch (type) {
    case PV_TYPE_INTEGER: return read_number(text, length, format, &found) && is_whole(&found);
    case PV_TYPE_DECIMAL: return read_number(text, length, format, &found);
    case PV_TYPE_DATE: return pv_i_moment_parse(text, length, format, &moment);
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

double pv_table_number(const pv_table *table, size_t column, uint32_t code)
{
    pv_decimal value;
    pv_moment moment;
    if (pv_i_table_moment(table, column, code, &moment)) {
        return (double)moment.days + (double)moment.micros / MICROS_OF_A_DAY;
    }
    return pv_i_table_number(table, column, code, &value) ? pv_decimal_double(value) : (double)NAN;
}

size_t pv_i_table_canonical(const pv_table *table, size_t column, const char *text, size_t length,
                            char canonical[PV_CANONICAL_SIZE])
{
    const pv_column *const c = &table->columns[column];
    return pv_i_value_canonical(text, length, c->type, &c->format, canonical);
}
