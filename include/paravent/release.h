/* Releases: apply a scheme to the rows, write, have the file audited from disk (audit.h), certify.
 */
#ifndef PARAVENT_RELEASE_H
#define PARAVENT_RELEASE_H

#include <paravent/audit.h>
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

PV_API const char *pv_row_order_name(pv_row_order order); /* "sorted", "shuffled", "kept" */

/* A released column with values that a spreadsheet would run as formulas: they begin with = + - @,
 * a tab or a CR and are no numbers. */
typedef struct pv_formula_column {
    char *name;
    uint64_t cells;
    bool heading; /* its name is one */
} pv_formula_column;

/* Zero-initialised = as the plan says, in the default way. */
typedef struct pv_release_options {
    size_t size;               /* sizeof this struct; 0 = as in this header */
    const pv_context *context; /* NULL = the one the study was opened with */
    const char *papers;        /* with the table on standard output: the folder for the papers, NULL
                                  = none are written */
    bool force;                /* replace a release that exists */
    /* Other files that appear together with the release, whose own `force` counts; NULL = none.
     * pv_release_write commits them. */
    pv_outputs *outputs;
    const pv_constraint *constraints; /* demanded besides what the plan demands */
    size_t n_constraints;
    const pv_budget *budget; /* rows that may be suppressed; NULL = as the plan says */
    uint64_t target_k;       /* suppress just the classes smaller than this; 0 = as the plan says */
    bool drop_suppressed;    /* leave suppressed rows out instead of releasing them with all `*` */
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
    char delimiter; /* of the output; 0 = that of the input */
    /* The plan is the scheme file of another table's release, applied to new rows: what it promises
     * must still hold, */
    bool applying;
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

/* Writes table, scheme and certificate, or nothing. `path` is that of the table: `.gz` and `.zst`
 * endings compress; `-` is standard output, once it is verified. Its papers (certificate, codebook,
 * scheme, publisher's report) go into a folder beside it, NAME.papers-XXXXXXXX, and appear and
 * change with it in one step.
 *
 * What the plan demands holds, and so do the constraints of the options; if no k is demanded,
 * nobody may be alone (unless a scheme is applied to new rows). Otherwise, and if the rows a scheme
 * is applied to break its promises: PV_STATUS_UNSATISFIED. With a scheme of records nothing more is
 * suppressed, but the rows it makes `*` altogether must not be more than the budget. The audit of
 * the written file must agree with the evaluation in memory: otherwise PV_STATUS_INTERNAL and no
 * file. `result` may be NULL. A scheme of NULL is PV_STATUS_ARGUMENT: so what was picked can be
 * handed on without a look. */
PV_API PV_CHECKED pv_status pv_release_write(const pv_study *study, const pv_scheme *scheme,
                                             const char *path, const pv_release_options *options,
                                             pv_release_result **result, pv_error *error);
PV_API void pv_release_result_free(pv_release_result *result); /* NULL is fine */

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
PV_API PV_CHECKED pv_status pv_papers_check(const char *table, const char *folder,
                                            pv_papers **papers, pv_error *error);
/* The path of the paper whose name has this ending, ".scheme.json"; NULL if there is none.
 * pv_string_free. */
PV_API char *pv_papers_path(const pv_papers *papers, const char *ending);
PV_API void pv_papers_free(pv_papers *papers); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
