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
    char delimiter; /* 0 = sniffed */
    /* The first line is a row, unless it has the name of the first quasi-identifier; columns are
     * column1, column2, ... */
    bool no_header;
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
    char *name;
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

typedef struct pv_audit {
    uint64_t rows;
    uint64_t trimmed; /* fields of the named columns from which blanks were removed */
    uint64_t missing; /* fields of the named columns that are missing */
    /* Rows whose quasi-identifiers are all `*`, if others are not. When all rows are, nothing was
     * suppressed: the table was generalized to the top, and all of it is one class. */
    uint64_t suppressed;
    uint64_t starred_cells; /* `*` cells in the other rows */
    uint64_t classes;       /* remaining, `*` as a category */
    uint64_t k;             /* smallest remaining class; 0 if nothing remains */
    uint64_t k_wildcard; /* smallest number of rows consistent with a remaining row when a `*` may
                            stand for anything, on either side */
    uint64_t unique_rows;
    uint64_t unique_rows_wildcard;
    double risk_mean_wildcard; /* mean over remaining rows of 1 / (number of consistent rows) */
    uint64_t histogram[PV_EXPOSURE_BINS]; /* remaining rows by class size */
    pv_audit_value *values; /* every demandable measure of the registry, then the extras */
    size_t n_values;
    /* Per quasi-identifier in the order of the options: distinct values of the remaining rows. */
    uint64_t *quasi_values;
    size_t n_quasi;
    pv_audit_unchanged *unchanged; /* in the order of the file; if they were asked for */
    size_t n_unchanged;
    /* What all columns but quasi-identifiers, sensitive ones, label and those kept apart expose
     * together; 0 everywhere if there are fewer than two. */
    struct {
        size_t columns;
        uint64_t unique_with, k_with;
    } together;
} pv_audit;

PV_API PV_CHECKED pv_status pv_audit_file(const char *path, const pv_audit_options *options,
                                          const pv_context *context, pv_audit **audit,
                                          pv_error *error);
PV_API void pv_audit_free(pv_audit *audit); /* NULL is fine */
/* The value found for a measure, or NULL. */
PV_API const pv_audit_value *pv_audit_find(const pv_audit *audit, pv_measure_ref ref);

#ifdef __cplusplus
}
#endif
#endif
