/* What a value means. Calendar arithmetic counts years from March, so that the leap day is the last
 * of its year and every 400 years have the same 146,097 days. */
#include "table/value.h"

#include "table/store.h"

#include <string.h>

#define DAYS_PER_ERA 146097 /* 400 years */
#define DAYS_TO_1970 719468 /* from 0000-03-01 */

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

/* Exactly `n` digits at `text`. */
static bool take_digits(const char *text, size_t n, unsigned *number)
{
    unsigned value = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        value = value * 10 + (unsigned)(text[i] - '0');
    }
    *number = value;
    return true;
}

bool pv_i_date_parse(const char *text, size_t length, int64_t *days)
{
    unsigned year;
    unsigned month;
    unsigned day;
    if (length != 10) {
        return false;
    }
    const bool year_first =
        (text[4] == '-' && text[7] == '-') || (text[4] == '/' && text[7] == '/');
    const bool day_first = text[2] == '.' && text[5] == '.';
    if (year_first ? !(take_digits(text, 4, &year) && take_digits(text + 5, 2, &month) &&
                       take_digits(text + 8, 2, &day))
                   : !(day_first && take_digits(text, 2, &day) &&
                       take_digits(text + 3, 2, &month) && take_digits(text + 6, 4, &year))) {
        return false;
    }
    const pv_date date = {.year = (int)year, .month = month, .day = day};
    if (!pv_i_date_valid(date)) {
        return false;
    }
    *days = pv_i_date_days(date);
    return true;
}

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

pv_type pv_i_value_type(const char *text, size_t length)
{
    pv_decimal number;
    int64_t days;
    if (pv_decimal_parse(text, length, &number)) {
        if (has_leading_zero(text, length)) {
            return PV_TYPE_TEXT;
        }
        const size_t sign = sign_length(text, length);
        return all_digits(text + sign, length - sign) ? PV_TYPE_INTEGER : PV_TYPE_DECIMAL;
    }
    return pv_i_date_parse(text, length, &days) ? PV_TYPE_DATE : PV_TYPE_TEXT;
}

bool pv_i_value_fits(const char *text, size_t length, pv_type type)
{
    pv_decimal number;
    int64_t days;
    const size_t sign = sign_length(text, length);
    switch (type) {
    case PV_TYPE_INTEGER:
        return pv_decimal_parse(text, length, &number) && all_digits(text + sign, length - sign);
    case PV_TYPE_DECIMAL: return pv_decimal_parse(text, length, &number);
    case PV_TYPE_DATE: return pv_i_date_parse(text, length, &days);
    case PV_TYPE_AUTO:
    case PV_TYPE_TEXT: break;
    }
    return true;
}

bool pv_i_table_number(const pv_table *table, size_t column, uint32_t code, pv_decimal *number)
{
    const pv_column *const c = &table->columns[column];
    return code != c->missing && (c->type == PV_TYPE_INTEGER || c->type == PV_TYPE_DECIMAL) &&
           pv_decimal_parse(pv_i_column_value(c, code), pv_i_column_length(c, code), number);
}

bool pv_i_table_day(const pv_table *table, size_t column, uint32_t code, int64_t *days)
{
    const pv_column *const c = &table->columns[column];
    return code != c->missing && c->type == PV_TYPE_DATE &&
           pv_i_date_parse(pv_i_column_value(c, code), pv_i_column_length(c, code), days);
}
