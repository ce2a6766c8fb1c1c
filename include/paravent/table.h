/* Tables: columns of dictionary codes, read from delimited text.
 *
 *     pv_table *table = NULL;
 *     pv_status status = pv_table_read("census.csv", NULL, NULL, &table, &error);
 *     ...
 *     pv_table_free(table);
 *
 * A table is immutable once read (but for pv_table_set_type and pv_table_set_format) and may be
 * shared between threads. Strings returned by accessors are borrowed and valid until pv_table_free.
 */
#ifndef PARAVENT_TABLE_H
#define PARAVENT_TABLE_H

#include <paravent/context.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pv_table pv_table;

typedef enum pv_type {
    PV_TYPE_AUTO = 0, /* infer from the values */
    PV_TYPE_INTEGER,
    PV_TYPE_DECIMAL,
    PV_TYPE_DATE,
    PV_TYPE_TEXT
} pv_type;

typedef enum pv_choice { PV_CHOICE_AUTO = 0, PV_CHOICE_NO, PV_CHOICE_YES } pv_choice;

/* How the numbers and dates of a column are written. Zero-initialised = as nobody can misread them:
 * 1234.5, 2024-05-31, 2024/05/31, 31.05.2024 (and 20240531, if declared to be a date). */
typedef struct pv_format {
    char decimal;   /* ',': 1.234,5; '.': 1,234.5; 0 = 1234.5, no thousands separators */
    char date[12];  /* "dd/mm/yyyy", besides the above; "" = only the above */
    int first_year; /* two-digit years are in the hundred years from this one; 0 = none */
} pv_format;

/* "dd/mm/yyyy", "m/d/yy", "yyyymmdd", ...: day, month and year in any order, with one separator of
 * . / - and blank, or none. False if it is something else. */
PV_API bool pv_date_format_parse(const char *text, pv_format *format);
PV_API bool
pv_date_format_has_short_year(const pv_format *format); /* is its year one of two digits? */

#define PV_NO_CODE UINT32_MAX

/* Zero-initialised = sniff everything. A NULL options pointer means the same. */
typedef struct pv_read_options {
    size_t size;                /* sizeof this struct; 0 = as in this header */
    char delimiter;             /* ',' ';' '\t' '|' or any other byte; 0 = sniffed */
    pv_choice quoting;          /* are "quoted" fields used? AUTO = sniffed */
    pv_choice header;           /* is the first row the names? AUTO = sniffed */
    bool skip_bad_rows;         /* skip and count rows with a wrong number of fields */
    bool keep_blanks;           /* do not remove the blanks around fields */
    const char *const *missing; /* NULL-terminated spellings of "missing"; NULL = "", "NA", "?" */
    /* The spellings in one column, if it has its own; NULL = the above. Or NULL for all. */
    const char *const *(*missing_of)(void *ctx, const char *column);
    void *missing_ctx;
    /* Which columns to keep (others are checked but not stored); NULL = all. */
    bool (*keep)(void *ctx, const char *column);
    void *keep_ctx;
} pv_read_options;

/* Reads a file ("-" = standard input; gzip and zstd are recognised by content). The caller owns the
 * table. Errors name file and line, never a value. */
PV_API PV_CHECKED pv_status pv_table_read(const char *path, const pv_read_options *options,
                                          const pv_context *context, pv_table **table,
                                          pv_error *error);

/* The same from a buffer, borrowed for the call; `name` is used in messages. */
PV_API PV_CHECKED pv_status pv_table_read_memory(const char *name, const void *data, size_t size,
                                                 const pv_read_options *options,
                                                 const pv_context *context, pv_table **table,
                                                 pv_error *error);

/* Is that where an engine holds a table (docs/engines.md), such as
 * postgresql://host/db?table=survey? Otherwise it is a path. */
PV_API bool pv_is_place(const char *text);
/* Is such a place a path all the same, of a file that is read with an engine's help, such as
 * people.parquet? */
PV_API bool pv_place_is_file(const char *text);
/* What a table is called there, without a schema; of a path its last part. pv_string_free; NULL =
 * no memory. */
PV_API char *pv_place_name(const char *text);
PV_API void pv_table_free(pv_table *table); /* NULL is fine */

PV_API uint64_t pv_table_rows(const pv_table *table);
PV_API size_t pv_table_columns(const pv_table *table);   /* kept columns */
PV_API uint64_t pv_table_skipped(const pv_table *table); /* bad rows skipped */
PV_API uint64_t pv_table_trimmed(const pv_table *table); /* fields from which blanks were removed */
PV_API char pv_table_delimiter(const pv_table *table);   /* as sniffed or given */
PV_API const char *pv_table_source(const pv_table *table); /* the path it was read from */
PV_API uint64_t pv_table_line(const pv_table *table,
                              uint64_t row); /* 1-based line of a row, 0 = not known */

PV_API const char *pv_table_name(const pv_table *table, size_t column);
/* Finds a kept column by name: its index, or SIZE_MAX. */
PV_API size_t pv_table_find(const pv_table *table, const char *name);

PV_API pv_type pv_table_type(const pv_table *table, size_t column);
/* Declares how the values of a column are written; to be followed by pv_table_set_type. */
PV_API void pv_table_set_format(pv_table *table, size_t column, const pv_format *format);
PV_API const pv_format *pv_table_format(const pv_table *table, size_t column);
/* Declares the type of a column; fails, naming the first offending line, if a value does not fit.
 * Spellings of one number or date (1, 1.0, 01) become one value, written like the first of them:
 * codes and their number change. AUTO infers the type. */
PV_API PV_CHECKED pv_status pv_table_set_type(pv_table *table, size_t column, pv_type type,
                                              pv_error *error);
PV_API const char *pv_type_name(pv_type type);

/* The dictionary of a column: codes 0..n-1 in order of first appearance; all of them occur. As
 * read, every spelling is a value; once the type is set, every value is one, however it is spelled.
 */
PV_API uint32_t pv_table_values(const pv_table *table, size_t column);
PV_API const char *pv_table_value(const pv_table *table, size_t column, uint32_t code);
PV_API uint64_t pv_table_count(const pv_table *table, size_t column,
                               uint32_t code); /* rows having it */
PV_API uint32_t pv_table_missing(const pv_table *table,
                                 size_t column); /* its code, or PV_NO_CODE */
/* How the missing value is spelled in a column, and in how many rows: so many spellings. */
PV_API size_t pv_table_missing_spellings(const pv_table *table, size_t column);
PV_API const char *pv_table_missing_spelling(const pv_table *table, size_t column, size_t i,
                                             uint64_t *rows);
/* The number a code means, or, of a date, the days since 1970-01-01, with the time of day as a part
 * of a day. NAN: the missing value, or no number. */
PV_API double pv_table_number(const pv_table *table, size_t column, uint32_t code);
PV_API uint32_t pv_table_code(const pv_table *table, size_t column, uint64_t row);
/* The first row (0-based) that holds a code. O(rows). */
PV_API uint64_t pv_table_first_row(const pv_table *table, size_t column, uint32_t code);

/* The codes of a column in their natural order: numbers by value, dates by day, text by bytes; the
 * missing value last. `order` receives pv_table_values() codes. */
PV_API PV_CHECKED pv_status pv_table_order(const pv_table *table, size_t column, uint32_t *order,
                                           pv_error *error);

#ifdef __cplusplus
}
#endif
#endif
