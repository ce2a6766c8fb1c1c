/* What the files of this room share: a release as it is asked for, at work, and as it was written.
 *
 *     write.c            evaluate, write, have it audited, write the papers, one rename
 *     evaluation.c       what memory says of the table before and after
 *     released_cells.c   what becomes of every value of every column
 *     released_rows.c    which row comes when; writing them with all threads
 *     released_table.c   a table that an engine holds instead of a file
 *     verify.c           do file and memory agree, does everything demanded hold?
 *     paper_texts.c      certificate, publisher's report, codebook, scheme file
 *     place_check.c      finished tables that engines hold, for the checker
 *     papers.c           the folder of the papers: naming, finding and checking it */
#ifndef PV_RELEASE_RELEASE_H
#define PV_RELEASE_RELEASE_H

#include "audit/audit.h"
#include "base/arena.h"
#include "base/outputs.h"
#include "base/sha256.h"
#include "engine/publish.h"
#include "measure/entry.h"
#include "plan/plan.h"
#include "table/column.h"

#include <paravent/release.h>

/* What the plan says and what the caller asked for, resolved once. */
typedef struct pv_release_settings {
    const char *output; /* path of the table, or its place; `-` = standard output */
    /* As asked for, but that constraints are all that is demanded and the budget is the one that
     * counts (NULL = the plan's). Context and target_k are not read here. */
    pv_release_options asked;
    bool refuse_unique; /* unless a k is demanded, demand that nobody is alone */
    bool checks_only;   /* nothing is measured but demands, and nothing written */
    pv_suppression suppression;
    const pv_constraint *promises; /* of the scheme that is applied: must still hold */
    size_t n_promises;
} pv_release_settings;

struct pv_release_result {
    const char *verdict;
    char *paths[PV_FILE_COUNT]; /* NULL = not written */
    uint64_t rows, suppressed, left_out, classes_before, classes_after, k;
    /* Of every measure of the registry with its default parameter. */
    double *measures, *measures_before;
    bool *measured; /* is it available? */
    size_t n_measures;
    char **labels; /* per quasi-identifier */
    size_t n_labels;
    pv_formula_column *formulas;
    size_t n_formulas;
    pv_audit *audit;
    bool *promise_holds;
    double *promise_values;
    size_t n_promises;
};

/* How many rows have which value of a quasi-identifier at which level. Counted once, for
 * certificate, report, codebook and result. */
typedef struct pv_label_counts {
    const pv_hierarchy *hierarchy;
    uint32_t n_leaves;
    unsigned first, n_levels; /* levels that occur are among those; one, unless by record */
    uint64_t *all;            /* rows by level and leaf, */
    uint64_t *released;       /* and those that are not suppressed */
} pv_label_counts;

/* Where the counts of a level begin. */
static inline const uint64_t *pv_i_counts_at(const pv_label_counts *counts, const uint64_t *rows,
                                             unsigned level)
{
    return rows + (size_t)(level - counts->first) * counts->n_leaves;
}

/* A release at work. Whoever starts it (write.c) frees what it holds, whatever fails. */
typedef struct pv_release_job {
    const pv_scheme *scheme;
    const pv_profile *profile;
    const pv_study *study;
    const pv_release_settings *settings;
    const pv_context *context;
    /* Evaluated in memory. */
    pv_classes *before;            /* the raw table, nothing suppressed */
    pv_classes *after;             /* the scheme with suppression */
    pv_broken broken;              /* rows in classes that break demands */
    pv_label_counts *label_counts; /* after: one for each quasi-identifier */
    bool
        measured_in_file; /* result->measures were replaced by what the file shows, where it does */
    /* Written. */
    pv_outputs *outputs; /* all files; the caller's or our own */
    pv_output *files[PV_FILE_COUNT];
    pv_output *made;     /* a file that an engine makes of the table; NULL = it makes none */
    pv_publish *publish; /* the table goes into an engine: its file has what was read back, equal
                            rows counted; NULL = it goes into the file */
    const char **fields; /* the columns of that table, borrowed, */
    size_t n_fields;
    /* What papers call the table (no folder, no server, no user), and the data it was made from;
     * and where an engine has the table, NULL = it is a file. */
    char *shown, *source, *place;
    char *papers_stem;                /* `shown` as the name of a file */
    uint64_t rows_sum;                /* of the rows that were sent (released_table.c) */
    const char *names[PV_FILE_COUNT]; /* of the papers; NULL = not written */
    const char *sha256;               /* of the table, in hexadecimal */
    uint64_t n_written;               /* rows */
    uint64_t *written_rows; /* if a row map is wanted: the row of the table that each of them is */
    pv_release_result *result;
    pv_arena arena; /* small arrays that live as long as the job */
} pv_release_job;

PV_CHECKED pv_status pv_i_release_write(const pv_scheme *scheme, const pv_profile *profile,
                                        const pv_release_settings *settings,
                                        const pv_context *context, pv_release_result **result,
                                        pv_error *error);

/* ---------------------------------------------------------------- evaluation.c */

/* Classes, all measures before and after, and the counts of labels. */
PV_CHECKED pv_status pv_i_evaluate(pv_release_job *job, pv_error *error);
PV_CHECKED pv_status pv_i_count_labels(pv_release_job *job, pv_error *error);
void pv_i_label_counts_free(pv_label_counts *counts, size_t n); /* NULL is fine */
/* A measure of the release, computed in memory, with whatever parameter. */
PV_CHECKED pv_status pv_i_evaluated(const pv_release_job *job, pv_measure_ref ref, double *value,
                                    pv_error *error);
/* Labels of a level that released people have and that are not the value of one of them, at most so
 * many, in the order of the hierarchy; borrowed from it. How many there are; SIZE_MAX = memory ran
 * out. */
size_t pv_i_labels_shown(const pv_label_counts *counts, unsigned level, size_t most,
                         const char **labels);

/* ------------------------------------------------------------ released_cells.c */

typedef enum pv_treatment {
    PV_TREATMENT_DROPPED,
    PV_TREATMENT_UNCHANGED,
    PV_TREATMENT_RECODED, /* a quasi-identifier */
    PV_TREATMENT_HASHED
} pv_treatment;

/* What becomes of a column of the table. */
pv_treatment pv_i_treatment(const pv_release_job *job, size_t column);
/* Which quasi-identifier a recoded column is. */
size_t pv_i_quasi_of_column(const pv_study *study, size_t column);

/* A released column: code of the table --places--> rank --starts, cells--> ,"Paris, Texas" */
typedef struct pv_released_column {
    size_t column; /* of the table */
    pv_treatment treatment;
    pv_codes codes;
    uint32_t n_codes;
    size_t quasi; /* recoded: which quasi-identifier it is */
    /* The rank of each code. Recoded, with a scheme of records, level after level; the last place
     * is that of `*`. */
    uint32_t *places;
    size_t n_places;
    uint32_t n_ranks;
    size_t *starts; /* n_ranks + 1: where the cell of each rank begins in `cells` */
    char *cells;
    size_t longest;   /* cell */
    uint32_t missing; /* the rank that is NULL in an engine's table; UINT32_MAX = none is */
    pv_sql_type type; /* in such a table */
    bool *is_formula; /* per rank; NULL = none is */
} pv_released_column;

/* The columns of the file in its order. Free them even after a failure. */
PV_CHECKED pv_status pv_i_released_columns(const pv_release_job *job, pv_released_column **columns,
                                           size_t *n, pv_error *error);
void pv_i_released_columns_free(pv_released_column *columns, size_t n);

/* ------------------------------------------------------------- released_rows.c */

/* Writes the released table: header, then every row in the order asked for with its
 * quasi-identifiers recoded (all `*` where suppressed, unless these are left out), identifiers
 * dropped or hashed, everything else as it is. */
PV_CHECKED pv_status pv_i_release_rows(pv_release_job *job, pv_error *error);

/* ------------------------------------------------------------ released_table.c */

/* Connects to where the table is to be, and sees whether it may be written. */
PV_CHECKED pv_status pv_i_released_table_open(pv_release_job *job, pv_error *error);
/* The type that all cells of a column fit, as they are spelled. `texts` are those of its ranks. */
pv_sql_type pv_i_released_type(const pv_release_job *job, const pv_released_column *column);
/* Fills it with distinct rows, whose last cell is how often each occurs. */
PV_CHECKED pv_status pv_i_released_table_fill(pv_release_job *job,
                                              const pv_released_column *columns, size_t n,
                                              pv_row_next next, void *ctx, pv_error *error);
/* Reads it back into the file that is audited. */
PV_CHECKED pv_status pv_i_released_table_read(pv_release_job *job, pv_error *error);
/* Does the engine itself count the classes that were computed? */
PV_CHECKED pv_status pv_i_released_table_count(const pv_release_job *job, pv_error *error);
/* Rows whose quasi-identifiers all are `*` without being suppressed (verify.c). */
uint64_t pv_i_starred_rows(const pv_release_job *job);

/* -------------------------------------------------------------------- verify.c */

/* Do the demands hold in memory? PV_STATUS_UNSATISFIED lists all that do not. */
PV_CHECKED pv_status pv_i_check_demands(const pv_release_job *job, pv_error *error);
/* Has the written file audited: it must agree with memory, keep every demand and expose nobody. */
PV_CHECKED pv_status pv_i_verify_file(pv_release_job *job, pv_error *error);
/* Does the file keep what was promised of the scheme that was applied? PV_STATUS_UNSATISFIED says
 * what it does not. */
PV_CHECKED pv_status pv_i_check_promises(const pv_release_job *job, pv_error *error);
/* Is a promise kept, in the file and in memory? `found` is what was measured. */
bool pv_i_promise_holds(const pv_release_job *job, const pv_constraint *promise,
                        pv_audit_value *found);
/* Does a column that is released as it is single people out? */
bool pv_i_unchanged_exposes(const pv_release_job *job, const pv_audit_unchanged *column,
                            pv_role role);

/* --------------------------------------------------------------- paper_texts.c */

/* All texts are the caller's: pv_string_free. */

/* The certificate, or the publisher's report, as JSON and as a page; sets the verdict of the
 * result. */
PV_CHECKED pv_status pv_i_certify(pv_release_job *job, bool for_publisher, char **json, char **page,
                                  pv_error *error);
/* What the labels of the table mean, as CSV (column, label, meaning) and as Markdown. */
PV_CHECKED pv_status pv_i_codebook(pv_release_job *job, char **csv, char **markdown,
                                   pv_error *error);
/* Not of levels by record that were chosen against an attacker: what is true of these people is
 * not of others. A local recoding has its classes. */
bool pv_i_has_scheme_file(const pv_release_job *job);
/* The scheme as a file for other rows, with what was demanded and what it promises of them. */
PV_CHECKED pv_status pv_i_scheme_file(const pv_release_job *job, char **text, pv_error *error);

/* --------------------------------------------------------------- place_check.c */

/* The SHA-256 of the distinct rows of a table that an engine holds, as its papers say it. */
PV_CHECKED pv_status pv_i_place_hash(const char *place, char hex[PV_SHA256_HEX], pv_error *error);

/* -------------------------------------------------------------------- papers.c */

#define PV_PAPERS_SUMS "SHA256SUMS"
/* Before the hash of a table that is no file: of its distinct rows, each with how often it occurs,
 * in the order of their bytes. */
#define PV_PAPERS_ROWS "# rows "

/* All paths are the caller's: pv_i_free. NULL = no memory. */

/* The last part of the table's path without its endings: out/census.csv.gz is census. */
char *pv_i_papers_stem(const char *table);
/* What the papers of a table that an engine holds are named after: its name, as any file may have
 * it. */
char *pv_i_papers_of_place(const char *place);
/* FOLDER/STEM.papers and what follows: without digits it stands for the folder until it has a
 * name. */
char *pv_i_papers_beside(const char *table, const char *digits);
char *pv_i_papers_within(const char *folder, const char *name);
/* A name for new papers of the table that is free now. */
PV_CHECKED pv_status pv_i_papers_name(const char *table, const char *sums, char **path,
                                      pv_error *error);
/* The papers that belong to the table with this hash, NULL if there are none. If there are two, of
 * a release that was made again and interrupted, the first by name. */
PV_CHECKED pv_status pv_i_papers_find(const char *table, const char *hash, char **path,
                                      pv_error *error);
/* Are there only files in it that its SHA256SUMS names? Others are somebody's own. */
PV_CHECKED pv_status pv_i_papers_are_ours(const char *path, bool *ours, pv_error *error);

#endif
