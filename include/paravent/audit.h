/* The independent checker: what any released file keeps, whoever made it.
 *
 * It has its own simple reader, its own counter and its own formulas, and shares no code with the
 * rooms that make releases. pv_release_write uses it on the file it wrote, before renaming it into
 * place. */
#ifndef PARAVENT_AUDIT_H
#define PARAVENT_AUDIT_H

#include <paravent/measure.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the values of a column are to be read. Zero-initialised = as they look: numbers or dates, if
 * all are, else text. Spellings of one number or date (1, 1.0, 01) are one value. */
typedef struct pv_audit_reading {
    pv_type type; /* of a quasi-identifier: of the values that were not generalized */
    pv_format format;
    const char *const *missing; /* its own spellings of "missing"; NULL = those of the options */
} pv_audit_reading;

typedef struct pv_audit_options {
    size_t size;    /* sizeof this struct; 0 = as in this header */
    char delimiter; /* 0 = sniffed */
    /* The first line is a row, unless it has the name of the first quasi-identifier; columns are
     * column1, column2, ... */
    bool no_header;
    /* Equal rows stand in one line: its last field, whatever its name, says how many they are. */
    bool counted;
    bool trim;                    /* remove the blanks around fields */
    bool escaped;                 /* formulas are: a ' at the beginning of a value is taken off */
    const char *const *quasi;     /* NULL-terminated column names; at least one */
    const char *const *sensitive; /* NULL-terminated or NULL */
    const char *label;            /* NULL = none */
    /* Per sensitive attribute: ground distance and, for HIERARCHICAL, its hierarchy; for ORDERED a
     * hierarchy whose leaves are in the order that counts, or NULL. NULL = AUTO for all. */
    const pv_distance *distances;
    const pv_hierarchy *const *sensitive_hierarchies;
    /* Per column of quasi and of sensitive, and of the label. NULL = as they look. */
    const pv_audit_reading *quasi_readings, *sensitive_readings, *label_reading;
    const char *const *missing; /* NULL-terminated spellings of "missing"; NULL = "", "NA", "?" */
    /* Measures besides the registry's defaults (other parameters), e.g. l-recursive(2). */
    const pv_measure_ref *extra;
    size_t n_extra;
    double risk_threshold; /* of risk-above; 0 = 0.2 */
    /* Also look at every column that is no quasi-identifier as an attacker would who knows it. */
    bool unchanged;
    /* Of the columns that are neither quasi-identifier nor sensitive nor label: those not to be
     * judged together with the rest of them. NULL-terminated or NULL. */
    const char *const *apart;
} pv_audit_options;

/* A column that is no quasi-identifier, and whom it would expose to an attacker who knows it. That
 * a value is missing can be known, too: it counts as a value. */
typedef struct pv_audit_unchanged {
    const char *name;
    uint64_t values;  /* distinct ones */
    uint64_t missing; /* rows without one */
    uint64_t unique;  /* rows whose value no other row has */
    /* Together with the quasi-identifiers: rows that are alone (suppressed ones look alike by their
     * quasi-identifiers), and the fewest of the remaining rows that look alike. */
    uint64_t unique_with, k_with;
} pv_audit_unchanged;

typedef struct pv_audit_value {
    pv_measure_ref ref;
    bool available; /* false: needs a sensitive or label column that was not named, or nothing
                       remains */
    double value;   /* `*` read as a category of its own */
    /* The sensitive column of the options that decides it, the worst of them; SIZE_MAX = none. */
    size_t sensitive;
} pv_audit_value;

/* What the columns that are neither quasi-identifier nor sensitive nor label nor apart expose
 * together; 0 everywhere if there are fewer than two. */
typedef struct pv_audit_together {
    size_t columns;
    uint64_t unique_with, k_with;
} pv_audit_together;

typedef struct pv_audit pv_audit;

PV_API PV_CHECKED pv_status pv_audit_file(const char *path, const pv_audit_options *options,
                                          const pv_context *context, pv_audit **audit,
                                          pv_error *error);
PV_API void pv_audit_free(pv_audit *audit); /* NULL is fine */

PV_API uint64_t pv_audit_rows(const pv_audit *audit);
/* Fields of the named columns: from which blanks were removed; that are missing. */
PV_API uint64_t pv_audit_trimmed(const pv_audit *audit);
PV_API uint64_t pv_audit_missing(const pv_audit *audit);
/* Rows whose quasi-identifiers are all `*`, if others are not. When all rows are, nothing was
 * suppressed: the table was generalized to the top, and all of it is one class. */
PV_API uint64_t pv_audit_suppressed(const pv_audit *audit);
PV_API uint64_t pv_audit_starred_cells(const pv_audit *audit); /* `*` cells in the other rows */
/* Of the remaining rows, `*` read as a category: the classes, the size of the smallest (0 if
 * nothing remains), the rows that are alone, and PV_EXPOSURE_BINS numbers of rows by the size of
 * their class. */
PV_API uint64_t pv_audit_classes(const pv_audit *audit);
PV_API uint64_t pv_audit_k(const pv_audit *audit);
PV_API uint64_t pv_audit_unique_rows(const pv_audit *audit);
PV_API const uint64_t *pv_audit_histogram(const pv_audit *audit, size_t *n);
/* The same when a `*` may stand for anything, on either side: the smallest number of rows
 * consistent with a remaining row, the rows consistent with no other, and the mean over remaining
 * rows of 1 / (number of consistent rows). */
PV_API uint64_t pv_audit_k_wildcard(const pv_audit *audit);
PV_API uint64_t pv_audit_unique_rows_wildcard(const pv_audit *audit);
PV_API double pv_audit_risk_mean_wildcard(const pv_audit *audit);
/* Every demandable measure of the registry, then the extras. */
PV_API const pv_audit_value *pv_audit_values(const pv_audit *audit, size_t *n);
/* The value found for a measure, or NULL. */
PV_API const pv_audit_value *pv_audit_find(const pv_audit *audit, pv_measure_ref ref);
/* Per quasi-identifier in the order of the options: distinct values of the remaining rows. */
PV_API const uint64_t *pv_audit_quasi_values(const pv_audit *audit, size_t *n);
/* In the order of the file; none unless they were asked for. */
PV_API const pv_audit_unchanged *pv_audit_unchanged_columns(const pv_audit *audit, size_t *n);
PV_API pv_audit_together pv_audit_unchanged_together(const pv_audit *audit);

#ifdef __cplusplus
}
#endif
#endif
