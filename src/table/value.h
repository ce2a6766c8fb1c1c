/* What a value means: a number, a calendar day or just text.
 *
 * Days are counted from 1970-01-01 in the proleptic Gregorian calendar. */
#ifndef PV_TABLE_VALUE_H
#define PV_TABLE_VALUE_H

#include <paravent/decimal.h>
#include <paravent/table.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pv_date {
    int year;       /* 0..9999 when parsed; any year when computed */
    unsigned month; /* 1..12 */
    unsigned day;   /* 1..31 */
} pv_date;

int64_t pv_i_date_days(pv_date date);
pv_date pv_i_date_of_days(int64_t days);
bool pv_i_date_valid(pv_date date); /* does the calendar have this day? */

/* YYYY-MM-DD, YYYY/MM/DD or DD.MM.YYYY, a day that exists. False, and `days` untouched, if not. */
bool pv_i_date_parse(const char *text, size_t length, int64_t *days);

/* How a missing value is spelled unless somebody says otherwise; NULL-terminated. */
extern const char *const pv_i_default_missing[];
/* Is a text one of these spellings? NULL = the default ones. */
bool pv_i_is_missing(const char *const *spellings, const char *text);

/* The narrowest type a value fits: what type inference sees. Numbers with leading zeros are text,
 * because 00123 is a code (a postal code, an account), not a quantity. */
pv_type pv_i_value_type(const char *text, size_t length);
/* Does a value fit a declared type? Here leading zeros are no obstacle: the publisher knows. */
bool pv_i_value_fits(const char *text, size_t length, pv_type type);

/* pv_table_set_type with one value, besides the missing one, that may be whatever it is. */
PV_CHECKED pv_status pv_i_table_set_type_except(pv_table *table, size_t column, pv_type type,
                                                const char *except, pv_error *error);

/* The number or the day (as a number of days) a code stands for in a column of type integer,
 * decimal or date. False for the missing value and in text columns. */
bool pv_i_table_number(const pv_table *table, size_t column, uint32_t code, pv_decimal *number);
bool pv_i_table_day(const pv_table *table, size_t column, uint32_t code, int64_t *days);

#endif
