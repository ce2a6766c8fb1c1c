/* The checker inside: tallies, the count of a file, what is computed from it, and the result.
 *
 *     audit_reader.h   a file becomes records                 audit_reader.c, audit_source.c
 *     pv_audit_count   classes and values with their rows     audit_count.c, audit_rows.c
 *     audit_value.c    1, 1.0 and 01 are one value
 *     pv_audit_facts   spreads over classes; the formulas     audit_measures.c
 *     pv_audit         the numbers that callers read          audit.c */
#ifndef PV_AUDIT_AUDIT_H
#define PV_AUDIT_AUDIT_H

#include "audit/audit_reader.h"

#include <paravent/audit.h>

struct pv_audit {
    uint64_t rows, trimmed, missing, suppressed, starred_cells, classes;
    uint64_t k, k_wildcard, unique_rows, unique_rows_wildcard;
    double risk_mean_wildcard;
    uint64_t histogram[PV_EXPOSURE_BINS];
    pv_audit_value *values;
    size_t n_values;
    uint64_t *quasi_values;
    size_t n_quasi;
    pv_audit_unchanged *unchanged; /* their names are owned */
    size_t n_unchanged;
    pv_audit_together together;
};

/* ---- tallies ---- */

#define PV_AUDIT_NOT_FOUND UINT32_MAX

typedef struct pv_audit_tally_entry {
    size_t start; /* of the key in `keys`; it ends where the next one starts */
    uint64_t count;
} pv_audit_tally_entry;

/* With part of the key's hash, so that other keys are rarely compared. */
typedef struct pv_audit_tally_slot {
    uint32_t number; /* of the entry, or PV_AUDIT_NOT_FOUND = free */
    uint32_t tag;
} pv_audit_tally_slot;

/* How often each key was seen. Keys are byte strings of any length (a cell's text, a tuple of
 * codes); they are numbered in the order of their first appearance. Zero-initialised = empty. */
typedef struct pv_audit_tally {
    char *keys;
    size_t width; /* of every key, if all have one: found without their entries; or 0 */
    size_t keys_size, keys_capacity;
    pv_audit_tally_entry *entries;
    size_t n_entries, entries_capacity;
    pv_audit_tally_slot *slots; /* open addressing */
    size_t n_slots;             /* a power of two, at least twice n_entries; or 0 */
} pv_audit_tally;

void pv_i_audit_tally_deinit(pv_audit_tally *tally);

/* Adds `count` to a key and returns its number; 0 only numbers it. */
PV_CHECKED pv_status pv_i_audit_tally_add(pv_audit_tally *tally, const void *key, size_t size,
                                          uint64_t count, uint32_t *number, pv_error *error);
/* The number of a key, or PV_AUDIT_NOT_FOUND. */
uint32_t pv_i_audit_tally_find(const pv_audit_tally *tally, const void *key, size_t size);
/* Frees the memory of the slots: nothing can be found or added any more. */
void pv_i_audit_tally_finish(pv_audit_tally *tally);
/* A key by number; borrowed until the next addition. Not NUL-terminated. */
const char *pv_i_audit_tally_key(const pv_audit_tally *tally, uint32_t number, size_t *size);

/* ---- the count of a file ---- */

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
    bool counted;                /* is the last field of a line how many rows it stands for? */
    bool trims;                  /* remove the blanks around fields? */
    bool escaped;                /* take a ' from the beginning of values? */
    uint64_t trimmed, n_missing; /* fields */
} pv_audit_count;

/* Reads the file: which values every named column has, which classes the quasi-identifiers form,
 * and how the other named columns are spread over the classes. Memory grows with the distinct
 * values and classes, not with the rows. On failure nothing is left to free. */
PV_CHECKED pv_status pv_i_audit_count(const char *path, const pv_audit_options *options,
                                      const pv_audit_limits *limits, const pv_context *context,
                                      pv_audit_count *count, pv_error *error);
/* pv_audit_file, with other limits than its own. */
PV_CHECKED pv_status pv_i_audit_file(const char *path, const pv_audit_options *options,
                                     const pv_audit_limits *limits, const pv_context *context,
                                     pv_audit **audit, pv_error *error);
void pv_i_audit_count_deinit(pv_audit_count *count);
/* Fills in the values, classes, parts and pairs of a count that knows its columns. */
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

/* A field as it counts: without the blanks around it, if they are to be removed; true if there were
 * any. Where formulas are escaped, no value begins with ' unless one was put there. */
static inline bool pv_i_audit_clean(const pv_audit_count *count, pv_audit_field *field)
{
    const bool trimmed = count->trims && pv_i_audit_trim(&field->text, &field->size);
    if (count->escaped && field->size > 0 && *field->text == '\'') {
        field->text++;
        field->size--;
    }
    return trimmed;
}

/* ---- what values mean ---- */

/* Finds the type of every column whose type is not given: number (DECIMAL), DATE or TEXT; numbers
 * with leading zeros are text, unless they were declared to be numbers. Then counts all spellings
 * of one value as one. */
PV_CHECKED pv_status pv_i_audit_merge(pv_audit_count *count, pv_error *error);

/* The codes of a column in the natural order of its values: numbers by value, dates by moment, text
 * by bytes, the missing value last. A value that is not of the column's type is PV_STATUS_INPUT,
 * naming its line. `order` has one place per value of the column. */
PV_CHECKED pv_status pv_i_audit_order(const pv_audit_count *count, const pv_audit_column *column,
                                      uint32_t *order, pv_error *error);

/* ---- formulas ---- */

typedef struct pv_audit_spread pv_audit_spread;

/* All that the formulas look at. Zero-initialised = empty. */
typedef struct pv_audit_facts {
    const pv_audit_count *count; /* borrowed */
    pv_audit_spread *columns;    /* one per sensitive column, then one for the label */
    uint64_t remaining_rows;
    uint64_t remaining_classes;
    uint64_t smallest, largest; /* remaining class */
    uint64_t *sizes;            /* of all classes, ascending; the suppressed rows are one of them */
    uint64_t *counts;           /* scratch: one number per value of any sensitive column */
    double parameter;           /* of the measure at hand, ... */
    size_t first, end;          /* ... and the sensitive columns it is asked of: all, or one */
} pv_audit_facts;

PV_CHECKED pv_status pv_i_audit_facts(const pv_audit_count *count, const pv_audit_options *options,
                                      pv_audit_facts *facts, pv_error *error);
void pv_i_audit_facts_deinit(pv_audit_facts *facts);

/* One measure. Without the column it needs it is not available, which is no failure; one that no
 * file can be checked for, or that is asked of a column that is not sensitive, is
 * PV_STATUS_ARGUMENT. */
PV_CHECKED pv_status pv_i_audit_measure(pv_audit_facts *facts, pv_measure_ref ref,
                                        pv_audit_value *value, pv_error *error);

#endif
