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
                                  = none are written; with one that an engine holds NULL =
                                  TABLE.papers-XXXXXXXX in the current folder */
    bool force;                /* replace a release that exists */
    /* Other files that appear together with the release, whose own `force` counts; NULL = none.
     * pv_release_write commits them. */
    pv_outputs *outputs;
    const pv_constraint *constraints; /* demanded besides what the plan demands */
    size_t n_constraints;
    const pv_budget *budget; /* rows that may be suppressed; NULL = as the plan says */
    uint64_t target_k;       /* suppress just the classes smaller than this; 0 = as the plan says */
    bool whole_budget;       /* spend the budget for the highest k instead of suppressing only
                                classes that break a demand; false = as the plan says, */
    bool as_needed;          /* unless this is set: then only classes that break a demand */
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

typedef struct pv_release_result pv_release_result;

/* Writes table, scheme and certificate, or nothing. `path` is that of the table: `.gz` and `.zst`
 * endings compress; `-` is standard output, once it is verified; a place (pv_is_place) is a table
 * of an engine. Its papers (certificate, codebook, scheme, publisher's report) go into a folder
 * beside it, NAME.papers-XXXXXXXX, and appear and change with it in one step.
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
/* Would it be refused for what can be known before a row is written: more rows in classes that
 * break a demand than may be suppressed, demands that do not hold, people who would be alone? Fails
 * as pv_release_write would. Nothing is written; of the options only demands, budget and rule of
 * suppression, and the context count. What columns that are released as they are would expose is
 * known of the written file only. */
PV_API PV_CHECKED pv_status pv_release_check(const pv_study *study, const pv_scheme *scheme,
                                             const pv_release_options *options, pv_error *error);
/* Could a release become this table of an engine (pv_is_place)? PV_STATUS_EXISTS: it is there, and
 * `force` is false. So that this is known before a search begins. */
PV_API PV_CHECKED pv_status pv_release_place_check(const char *place, bool force,
                                                   const pv_context *context, pv_error *error);
PV_API void pv_release_result_free(pv_release_result *result); /* NULL is fine */

/* The statements with which a release would become that table, line by line; they are not run, and
 * nothing is connected to. Of types only the data tells: all columns are texts here. */
PV_API PV_CHECKED pv_status pv_release_explain(const pv_plan *plan, const char *place,
                                               bool with_identifiers, char **statements,
                                               pv_error *error);
/* What pv_place_audit would run. */
PV_API PV_CHECKED pv_status pv_place_explain(const char *place, const pv_context *context,
                                             char **statement, pv_error *error);
/* pv_audit_file of a table that an engine holds: the engine counts equal rows, the checker the
 * rest.
 */
PV_API PV_CHECKED pv_status pv_place_audit(const char *place, const pv_audit_options *options,
                                           const pv_context *context, pv_audit **audit,
                                           pv_error *error);

/* --------------------------------------------------------------- result */

typedef enum pv_release_file {
    PV_FILE_TABLE = 0,
    PV_FILE_PAPERS, /* the folder of those that follow, but for the row map */
    PV_FILE_CERTIFICATE,
    PV_FILE_CERTIFICATE_PAGE,
    PV_FILE_CODEBOOK,
    PV_FILE_CODEBOOK_TEXT, /* Markdown */
    PV_FILE_REPORT,        /* for the publisher only, like the page: they describe the original */
    PV_FILE_REPORT_PAGE,
    PV_FILE_SCHEME, /* not of records chosen against an attacker (disclose.h) */
    PV_FILE_ROW_MAP,
    PV_FILE_COUNT
} pv_release_file;

/* What these functions return belongs to the result. */

/* What the certificate says in one word: "verified", "weaker", ... */
PV_API const char *pv_release_verdict(const pv_release_result *result);
/* NULL = it was not written. */
PV_API const char *pv_release_path(const pv_release_result *result, pv_release_file file);
PV_API uint64_t pv_release_n_rows(const pv_release_result *result); /* of the original */
PV_API uint64_t pv_release_n_suppressed(const pv_release_result *result);
PV_API uint64_t pv_release_n_left_out(const pv_release_result *result); /* those not in the file */
PV_API uint64_t pv_release_n_classes(const pv_release_result *result);  /* not suppressed */
PV_API uint64_t pv_release_n_classes_before(const pv_release_result *result);
PV_API uint64_t pv_release_k(const pv_release_result *result);
/* All measures of the registry with default parameters, by registry index: of the release, of the
 * raw table, and whether they are available. */
PV_API const double *pv_release_measures(const pv_release_result *result, size_t *n);
PV_API const double *pv_release_measures_before(const pv_release_result *result, size_t *n);
PV_API const bool *pv_release_measured(const pv_release_result *result, size_t *n);
/* Some labels of a quasi-identifier that are in the release, "0-39, 40-79, ..."; with levels by
 * record NULL. */
PV_API const char *pv_release_labels(const pv_release_result *result, size_t quasi);
/* Columns that have some, escaped or not. */
PV_API const pv_formula_column *pv_release_formulas(const pv_release_result *result, size_t *n);
PV_API const pv_audit *pv_release_audit(const pv_release_result *result); /* of the file on disk */
/* Promises of the plan's scheme, and what became of them. */
PV_API size_t pv_release_n_promises(const pv_release_result *result);
PV_API bool pv_release_promise_holds(const pv_release_result *result, size_t promise,
                                     double *value);

/* --------------------------------------------------------------- papers */

typedef enum pv_paper_state { PV_PAPER_INTACT, PV_PAPER_CHANGED, PV_PAPER_MISSING } pv_paper_state;

/* The papers of a release, and whether they belong together. */
typedef struct pv_papers pv_papers;

/* Finds the papers of a released table by its SHA-256 (or takes those in `folder`) and compares
 * every one with its own. Those of a table that an engine holds are looked for in the current
 * folder. That the table has none is no failure. */
PV_API PV_CHECKED pv_status pv_papers_check(const char *table, const char *folder,
                                            pv_papers **papers, pv_error *error);
PV_API const char *pv_papers_folder(const pv_papers *papers);   /* NULL = the table has none */
PV_API pv_paper_state pv_papers_table(const pv_papers *papers); /* is it the one they are of? */
PV_API size_t pv_papers_n_files(const pv_papers *papers);       /* those its SHA256SUMS names */
PV_API const char *pv_papers_name(const pv_papers *papers, size_t file);
PV_API pv_paper_state pv_papers_state(const pv_papers *papers, size_t file);
/* The first whose name has this ending, ".scheme.json"; SIZE_MAX = none has. */
PV_API size_t pv_papers_find(const pv_papers *papers, const char *ending);
PV_API char *pv_papers_path(const pv_papers *papers, size_t file); /* pv_string_free; NULL = no
                                                                      memory */
PV_API void pv_papers_free(pv_papers *papers);                     /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
