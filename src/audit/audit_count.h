/* The checker's count of a file: which values every named column has, which classes the
 * quasi-identifiers form, and how the other named columns are spread over the classes. Memory grows
 * with the distinct values and classes, not with the rows. */
#ifndef PV_AUDIT_AUDIT_COUNT_H
#define PV_AUDIT_AUDIT_COUNT_H

#include "audit/audit_reader.h"
#include "audit/audit_tally.h"

#include <paravent/audit.h>

#define PV_AUDIT_STAR "*"

/* A column of interest. A code is the number of a value in `values`. Every spelling of "missing"
 * counts as one value, under the first spelling of the list. */
typedef struct pv_audit_column {
    const char *name; /* borrowed from the options; of a column they do not name, owned below */
    char *own_name;   /* NULL if it is in the options */
    size_t field;     /* its place in a record */
    pv_audit_tally values;
    pv_audit_reading reading;
    bool is_quasi;
    pv_type type;    /* as declared or found; never AUTO once all is counted */
    uint64_t *lines; /* per code: the line where it first appears */
    size_t lines_capacity;
    pv_audit_tally pairs; /* if judged: key: number of the class, then the code of the value */
    uint32_t star;        /* code of `*`, or PV_AUDIT_NOT_FOUND */
    uint32_t missing;     /* code of the missing value, or PV_AUDIT_NOT_FOUND */
} pv_audit_column;

/* Zero-initialised = empty. Columns are the quasi-identifiers, then the sensitive ones, then the
 * label, then, if all columns are judged, the others. */
typedef struct pv_audit_count {
    pv_audit_column *columns;
    size_t n_columns, n_quasi, n_sensitive;
    size_t n_named; /* columns of the options: all but the others */
    bool has_label;
    bool judges;       /* are columns that are no quasi-identifiers judged? */
    size_t n_together; /* the last so many columns are judged together, too; 0 or at least 2 */
    pv_audit_tally together; /* key: number of the class, then the codes of those columns */
    uint64_t rows;
    pv_audit_tally classes; /* key: the codes of the quasi-identifiers */
    pv_audit_tally parts;   /* key: number of the class, then the codes of sensitive and label */
    /* The rows whose quasi-identifiers are all `*` count as suppressed if other rows do not: a
     * table generalized to the top altogether is one ordinary class. */
    uint32_t suppressed_class;   /* PV_AUDIT_NOT_FOUND = none */
    uint64_t suppressed;         /* rows */
    const char *path;            /* borrowed, for messages */
    const char *const *missing;  /* borrowed spellings, unless a column has its own */
    bool trims;                  /* remove the blanks around fields? */
    bool escaped;                /* take a ' from the beginning of values? */
    uint64_t trimmed, n_missing; /* fields */
} pv_audit_count;

/* Reads the file. On failure nothing is left to free. */
PV_CHECKED pv_status pv_i_audit_count(const char *path, const pv_audit_options *options,
                                      const pv_audit_limits *limits, const pv_context *context,
                                      pv_audit_count *count, pv_error *error);
/* pv_audit_file, with other limits than its own. */
PV_CHECKED pv_status pv_i_audit_file(const char *path, const pv_audit_options *options,
                                     const pv_audit_limits *limits, const pv_context *context,
                                     pv_audit **audit, pv_error *error);
void pv_i_audit_count_deinit(pv_audit_count *count);
/* Fills in the values, classes, parts and pairs of a count that knows its columns (audit_rows.c).
 */
PV_CHECKED pv_status pv_i_audit_count_rows(pv_audit_reader *reader, const pv_context *context,
                                           pv_audit_count *count, pv_error *error);

/* A column's spellings of "missing", NULL-terminated. */
const char *const *pv_i_audit_spellings(const pv_audit_count *count, const pv_audit_column *column);
bool pv_i_audit_is_missing(const pv_audit_count *count, const pv_audit_column *column,
                           const char *text, size_t size);
/* The code at a position of a class's or part's key. */
uint32_t pv_i_audit_code(const pv_audit_tally *tally, uint32_t number, size_t position);
/* Is the class, or a part of it, left after suppression? */
static inline bool pv_i_audit_remains(const pv_audit_count *count, uint32_t class_number)
{
    return class_number != count->suppressed_class;
}

/* Where formulas are escaped, no value begins with ' unless one was put there. */
static inline void pv_i_audit_unescape(const pv_audit_count *count, const char **text, size_t *size)
{
    if (count->escaped && *size > 0 && **text == '\'') {
        ++*text;
        --*size;
    }
}

#endif
