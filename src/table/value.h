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

/* A day and the time since midnight. */
typedef struct pv_moment {
    int64_t days;
    int64_t micros;
} pv_moment;

/* A day that exists, written in the column's own format (NULL or an empty one = none) or in one
 * that nobody can misread: yyyy-mm-dd, yyyy/mm/dd, dd.mm.yyyy, yyyymmdd; perhaps followed by a time
 * of day. False, and the result untouched, if not. */
bool pv_i_moment_parse(const char *text, size_t length, const pv_format *format, pv_moment *moment);
bool pv_i_date_parse(const char *text, size_t length, const pv_format *format, int64_t *days);

/* Equal values have equal canonical texts: 14, 2024-05-31, 2024-05-31T13:45:10. */
#define PV_CANONICAL_SIZE 64
size_t pv_i_moment_text(pv_moment moment, char text[PV_CANONICAL_SIZE]);

/* A number, with the decimal sign and the thousands separators of the format. */
bool pv_i_number_parse(const char *text, size_t length, const pv_format *format, pv_decimal *value);

/* How a missing value is spelled unless somebody says otherwise; NULL-terminated. */
extern const char *const pv_i_default_missing[];
/* Is a text one of these spellings? NULL = the default ones. */
bool pv_i_is_missing(const char *const *spellings, const char *text);

/* The narrowest type a value fits: what type inference sees. Numbers with leading zeros are text,
 * because 00123 is a code (a postal code, an account), not a quantity. */
pv_type pv_i_value_type(const char *text, size_t length, const pv_format *format);
/* Does a value fit a declared type? Here leading zeros are no obstacle: the publisher knows. */
bool pv_i_value_fits(const char *text, size_t length, pv_type type, const pv_format *format);
/* The canonical text of a value of a type and its length; 0 = text, or not of the type. */
size_t pv_i_value_canonical(const char *text, size_t length, pv_type type, const pv_format *format,
                            char canonical[PV_CANONICAL_SIZE]);

/* pv_table_set_type with one value, besides the missing one, that may be whatever it is. */
PV_CHECKED pv_status pv_i_table_set_type_except(pv_table *table, size_t column, pv_type type,
                                                const char *except, pv_error *error);

/* The number or the moment a code means in a column of type integer, decimal or date. False
 * for the missing value and in text columns. */
bool pv_i_table_number(const pv_table *table, size_t column, uint32_t code, pv_decimal *value);
bool pv_i_table_moment(const pv_table *table, size_t column, uint32_t code, pv_moment *moment);
/* Any text read as a value of the column: its canonical text, as above. */
size_t pv_i_table_canonical(const pv_table *table, size_t column, const char *text, size_t length,
                            char canonical[PV_CANONICAL_SIZE]);

/* Makes all spellings of one value one value, written as the first of them. What pv_table_set_type
 * does for the type that is declared, for the type that was found. */
PV_CHECKED pv_status pv_i_table_settle(pv_table *table, size_t column, pv_error *error);

/* Makes the values whose bits are set in `codes` missing values, too. */
PV_CHECKED pv_status pv_i_table_add_missing(pv_table *table, size_t column, const uint64_t *codes,
                                            pv_error *error);

/* Reads a column as a column of another table is read, whose type is settled: with its format and
 * of its type; as text, if some value does not fit. */
PV_CHECKED pv_status pv_i_table_take_type(pv_table *table, size_t column, const pv_table *like,
                                          size_t like_column, pv_error *error);

#endif
