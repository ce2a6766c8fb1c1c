/* Releases: apply a scheme to the rows, write, verify from disk, certify.
 *
 * pv_audit_file is the independent checker: its own simple reader, its own counter and its own
 * formulas, sharing no code with the rooms that made the release. pv_release_write uses it on the
 * file it wrote, before renaming it into place. */
#ifndef PARAVENT_RELEASE_H
#define PARAVENT_RELEASE_H

#include <paravent/classes.h>
#include <paravent/measure.h>
#include <paravent/outputs.h>
#include <paravent/scheme.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- audit */

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

PV_CHECKED pv_status pv_audit_file(const char *path, const pv_audit_options *options,
                                   const pv_context *context, pv_audit **audit, pv_error *error);
void pv_audit_free(pv_audit *audit); /* NULL is fine */
/* The value found for a measure, or NULL. */
const pv_audit_value *pv_audit_find(const pv_audit *audit, pv_measure_ref ref);

/* -------------------------------------------------------------- release */

/* What messages call standard output. */
#define PV_STREAM_NAME "standard output"

/* The order of the released rows. */
typedef enum pv_row_order {
    /* By their released values, column after column in the order of the file, each compared by its
     * bytes. The order is a function of the released table alone and tells nothing besides. */
    PV_ORDER_SORTED = 0,
    PV_ORDER_SHUFFLED, /* random, by the seed */
    PV_ORDER_KEPT      /* as in the original: in a sorted file the place of a row tells its value */
} pv_row_order;

const char *pv_row_order_name(pv_row_order order); /* "sorted", "shuffled", "kept" */

/* A released column with values that a spreadsheet would run as formulas: they begin with = + - @,
 * a tab or a CR and are no numbers. */
typedef struct pv_formula_column {
    char *name;
    uint64_t cells;
    bool heading; /* its name is one */
} pv_formula_column;

typedef struct pv_release_options {
    /* The table; required. `.gz` and `.zst` endings compress. `-` = standard output, once it is
     * verified. Its papers (certificate, codebook, scheme, publisher's report) go into a folder
     * beside it, NAME.papers-XXXXXXXX, and appear and change with it in one step. */
    const char *output;
    const char *papers; /* with `-`: the folder for the papers, NULL = none are written */
    bool force;         /* replace a release that exists */
    /* Other files that appear together with the release, whose own `force` counts; NULL = none.
     * pv_release_write commits them. */
    pv_outputs *outputs;
    bool refuse_unique; /* unless a k is demanded, demand that nobody is alone */
    pv_suppression suppression;
    const pv_budget *budget; /* how the budget was given, for the scheme file; NULL = the plan's */
    const pv_constraint *constraints;
    size_t n_constraints;
    bool drop_suppressed; /* leave suppressed rows out instead of releasing them with all `*` */
    pv_row_order order;
    uint64_t seed; /* of the shuffle; keep it secret: it restores the order */
    /* Where to write which row of the original each released row is, for the publisher alone; NULL
     * = nowhere. Readable by the owner only. */
    const char *row_map;
    bool escape_formulas;  /* put a ' before what a spreadsheet would run, and before what begins
                              with one */
    bool hash_identifiers; /* replace identifiers by keyed hashes instead of dropping them */
    const void *key;       /* secret key of the hashes: at least 16 bytes, 8 of them different */
    size_t key_size;
    char delimiter;                /* of the output; 0 = that of the input */
    bool applying;                 /* a scheme made from another table is applied to new rows */
    const pv_constraint *promises; /* what it achieved there: must still hold when applying, */
    size_t n_promises;
    bool allow_weaker; /* unless this is set */
} pv_release_options;

typedef struct pv_release_result {
    const char *verdict; /* what the certificate says in one word: "verified", "weaker", ... */
    char *table_path;
    char *papers_path; /* the folder of those that follow; NULL = none were written */
    char *certificate_path, *page_path;
    char *codebook_path, *codebook_text_path; /* CSV; Markdown */
    char *report_path, *report_page_path; /* for the publisher only: they describe the original */
    char *row_map_path;                   /* NULL = none was asked for */
    char *scheme_path; /* NULL for a scheme of records: it is of no use for other rows */
    uint64_t rows, suppressed, classes_before, classes_after, k;
    uint64_t left_out; /* of the suppressed rows: not in the file */
    /* All available measures of the registry with default parameters, by registry index. */
    double *measures;
    bool *measured;
    size_t n_measures;
    double *measures_before; /* the same of the raw table */
    /* Per quasi-identifier: some labels that stand in the release, "0-39, 40-79, ..."; with levels
     * by record NULL. */
    char **released_as;
    size_t n_released_as;
    pv_formula_column *formulas; /* columns that have some, escaped or not */
    size_t n_formulas;
    pv_audit *audit;     /* of the file on disk */
    bool *promise_holds; /* one per promise in the options */
    double *promise_values;
    size_t n_promises;
} pv_release_result;

/* Writes table, scheme and certificate, or nothing. Unmet constraints, and promises broken by the
 * rows a scheme is applied to: PV_STATUS_UNSATISFIED. With
 * a scheme of records nothing more is suppressed, but the rows it makes `*` altogether must not be
 * more than the budget: PV_STATUS_UNSATISFIED, too. The
 * audit of the written file must agree with the evaluation in memory: otherwise PV_STATUS_INTERNAL
 * and no file. */
PV_CHECKED pv_status pv_release_write(const pv_scheme *scheme, const pv_profile *profile,
                                      const pv_release_options *options, const pv_context *context,
                                      pv_release_result **result, pv_error *error);
void pv_release_result_free(pv_release_result *result); /* NULL is fine */

/* --------------------------------------------------------------- papers */

typedef enum pv_paper_state { PV_PAPER_INTACT, PV_PAPER_CHANGED, PV_PAPER_MISSING } pv_paper_state;

typedef struct pv_paper {
    char *name;
    pv_paper_state state;
} pv_paper;

/* The papers of a release, and whether they belong together. */
typedef struct pv_papers {
    char *folder;         /* NULL = the table has none */
    pv_paper_state table; /* is it the one they were written for? */
    pv_paper *files;      /* those its SHA256SUMS names */
    size_t n_files;
} pv_papers;

/* Finds the papers of a released table by its SHA-256 (or takes those in `folder`) and compares
 * every one with its own. That the table has none is no failure. */
PV_CHECKED pv_status pv_papers_check(const char *table, const char *folder, pv_papers **papers,
                                     pv_error *error);
/* The path of the paper whose name has this ending, ".scheme.json"; NULL if there is none.
 * pv_string_free. */
char *pv_papers_path(const pv_papers *papers, const char *ending);
void pv_papers_free(pv_papers *papers); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
