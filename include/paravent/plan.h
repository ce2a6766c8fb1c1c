/* Plans and studies: what the publisher wrote, and the table seen through it.
 *
 * A pv_plan is the parsed plan file: pure description, no data. A pv_study is a plan applied to its
 * table: columns found, hierarchies built and validated, suppression budget in rows. Everything
 * that measures, searches or releases starts from a study. */
#ifndef PARAVENT_PLAN_H
#define PARAVENT_PLAN_H

#include <paravent/context.h>
#include <paravent/hierarchy.h>
#include <paravent/outputs.h>
#include <paravent/status.h>
#include <paravent/table.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pv_role {
    PV_ROLE_OTHER = 0,  /* released as is, if it singles no one out */
    PV_ROLE_IDENTIFIER, /* dropped on release */
    PV_ROLE_QUASI,      /* generalized */
    PV_ROLE_SENSITIVE,
    PV_ROLE_LABEL,     /* class label for cm */
    PV_ROLE_UNDECIDED, /* "?": an open question; no study takes the plan before it is answered */
    PV_ROLE_COUNT
} pv_role;

/* How far apart two sensitive values are, for t-closeness. */
typedef enum pv_distance {
    PV_DISTANCE_AUTO = 0, /* ordered for numbers and dates, equal for text */
    PV_DISTANCE_EQUAL,
    PV_DISTANCE_ORDERED,
    PV_DISTANCE_HIERARCHICAL
} pv_distance;

/* Suppression budget: a share of the rows or a number of rows, exact. */
typedef struct pv_budget {
    bool is_share;
    pv_decimal share; /* 0.01 = 1% */
    uint64_t rows;
} pv_budget;

/* A combination of properties and indices by name, for comparing releases: interpreted by the
 * compare room. The plan owns the texts. */
typedef struct pv_plan_term {
    char *property, *index;
    double amount; /* the weight (wtd), tolerance (lex) or goal (goal) */
    uint64_t line, column;
} pv_plan_term;

typedef struct pv_plan_combination {
    char *name;
    char *kind; /* "wtd", "lex" or "goal" */
    pv_plan_term *terms;
    size_t n_terms;
    uint64_t line, column;
} pv_plan_combination;

/* The parsed plan file, and one entry of its `attributes`: read with the functions below. */
typedef struct pv_plan pv_plan;
typedef struct pv_plan_attribute pv_plan_attribute;

/* Reads a plan file (YAML) or a scheme file (JSON, which is the same language with hierarchies
 * inline and levels chosen). Unknown keys, bad numbers, bad YAML: PV_STATUS_INPUT with file, line
 * and column. */
PV_API PV_CHECKED pv_status pv_plan_read(const char *path, pv_plan **plan, pv_error *error);
/* The same from memory; `name` is used in messages and to resolve relative paths. */
PV_API PV_CHECKED pv_status pv_plan_parse(const char *name, const char *text, size_t size,
                                          pv_plan **plan, pv_error *error);
PV_API void pv_plan_free(pv_plan *plan); /* NULL is fine */

/* Tells the files that a plan in memory names: its data, and those of hierarchies and
 * sensitivities, as paths from where the program runs. None of them is opened: for a program that
 * decides first whether they may be. The paths are valid for the call. */
PV_API PV_CHECKED pv_status pv_plan_each_file(const char *name, const char *text, size_t size,
                                              void (*hear)(void *ctx, const char *path), void *ctx,
                                              pv_error *error);
/* Changes one thing in a plan's text and leaves every other byte as it is, comments, quotes and
 * line ends included: sets the value at a path of keys ({"attributes", "age", "role"}), or removes
 * the key. `value` is the text of the new value, YAML or JSON, or NULL to remove the key; it is
 * written without quotes where YAML needs none, and as JSON if the text is JSON. What is missing on
 * the way is made; a mapping that becomes empty stays `{}`; a value that is as it should be, and a
 * key to be removed that is not there, leave the text as it is. What has been made is read again:
 * if anything else has changed, nothing is handed over. The text need not be a plan without
 * mistakes, but YAML that a plan may be written in. The caller frees the edited text with
 * pv_string_free. */
PV_API PV_CHECKED pv_status pv_plan_edit(const char *text, size_t size, const char *const *path,
                                         size_t n_path, const char *value, char **edited,
                                         pv_error *error);

/* No output may be the plan or a file that it names: pv_outputs_protect for all of them. */
PV_API PV_CHECKED pv_status pv_plan_protect(const pv_plan *plan, pv_outputs *outputs,
                                            pv_error *error);

PV_API const char *pv_plan_path(const pv_plan *plan); /* the file; NULL if made in memory */
/* The path of the data, relative to where the program runs; NULL = none is named. */
PV_API const char *pv_plan_data(const pv_plan *plan);
PV_API pv_budget pv_plan_budget(const pv_plan *plan); /* `suppression` */
/* `target-k`: a demand for k; classes smaller than this are suppressed; 0 = none. */
/* Of the scheme file of a local recoding: how many classes it has; 0 = it is no such file. */
PV_API size_t pv_plan_classes(const pv_plan *plan);
PV_API uint64_t pv_plan_target_k(const pv_plan *plan);
/* Is the budget of suppression to be spent for the highest k, or only as needed? */
PV_API bool pv_plan_whole_budget(const pv_plan *plan);
/* `compare`: borrowed from the plan. */
PV_API const pv_plan_combination *pv_plan_combinations(const pv_plan *plan, size_t *n);

/* Attributes in the order of the plan, borrowed from it. */
PV_API size_t pv_plan_n_attributes(const pv_plan *plan);
PV_API const pv_plan_attribute *pv_plan_attribute_at(const pv_plan *plan, size_t index);
/* What the plan says of a column; NULL = it does not name it. */
PV_API const pv_plan_attribute *pv_plan_find(const pv_plan *plan, const char *column);

PV_API const char *pv_attribute_name(const pv_plan_attribute *attribute);
PV_API pv_role pv_attribute_role(const pv_plan_attribute *attribute);
PV_API pv_type pv_attribute_type(const pv_plan_attribute *attribute);
/* How its numbers and dates are written. */
PV_API const pv_format *pv_attribute_format(const pv_plan_attribute *attribute);
/* An open question: 'd' = `decimal: "?"`, 'f' = `format: "?"`; 0 = none. */
PV_API char pv_attribute_open_format(const pv_plan_attribute *attribute);
/* Its own spellings of "missing", NULL-terminated; NULL = the plan's. */
PV_API const char *const *pv_attribute_missing(const pv_plan_attribute *attribute);
PV_API pv_distance pv_attribute_distance(const pv_plan_attribute *attribute);
/* How its hierarchy is built, for pv_hierarchy_build: value, then `*`, unless the plan gives one.
 */
PV_API const pv_hierarchy_spec *pv_attribute_hierarchy(const pv_plan_attribute *attribute);
PV_API bool pv_attribute_has_hierarchy(const pv_plan_attribute *attribute); /* does it give one? */
PV_API double pv_attribute_weight(const pv_plan_attribute *attribute); /* of nwp; 1 unless given */
PV_API int pv_attribute_level(const pv_plan_attribute *attribute);     /* chosen; -1 = none */
/* Released unchanged even if it singles people out. */
PV_API bool pv_attribute_is_unique_accepted(const pv_plan_attribute *attribute);
PV_API uint64_t pv_attribute_line(const pv_plan_attribute *attribute); /* where it is written */

/* The spellings of "missing" in a column: its own, the plan's, or NULL = the default ones. */
PV_API const char *const *pv_plan_missing(const pv_plan *plan, const char *column);
/* How to read a table as the plan says, but for what is kept. Borrows the plan. */
PV_API pv_read_options pv_plan_reading(const pv_plan *plan);
/* Overrules how the plan has its table read: by delimiter, quoting, header and keep_blanks, where
 * they are not zero. */
PV_API void pv_plan_overrule_reading(pv_plan *plan, const pv_read_options *reading);

/* floor(share * n_rows) exactly, or the number of rows; at most n_rows - 1. */
PV_API uint64_t pv_budget_rows(const pv_budget *budget, uint64_t n_rows);
/* "1%", "0.01" or "25" (rows). False if it is none of them. */
PV_API bool pv_budget_parse(const char *text, pv_budget *budget);

PV_API const char *pv_role_name(pv_role role);

/* Fails (PV_STATUS_INPUT) with all open questions, if the plan has columns of the role "?". Studies
 * check it themselves. */
PV_API PV_CHECKED pv_status pv_plan_check_answered(const pv_plan *plan, pv_error *error);

/* Looks at a table and writes a commented plan to start from: types, roles and hierarchies guessed;
 * what could not be guessed has the role "?". `data` is how the plan shall name the file, relative
 * to the plan; hierarchy files beside it are used where they fit. How values are written (decimal
 * signs, dates, what is missing) is recognised and declared to the table, whose codes may change.
 * The caller frees the text with pv_string_free. */
PV_API PV_CHECKED pv_status pv_plan_guess(pv_table *table, const char *data, char **text,
                                          pv_error *error);

/* The same in two steps, for programs that show what was guessed and why. */
typedef struct pv_guesses pv_guesses;

/* The table is borrowed and must outlive the guesses; it changes as above. */
PV_API PV_CHECKED pv_status pv_guesses_create(pv_table *table, const char *data,
                                              pv_guesses **guesses, pv_error *error);
/* The text says phrases (pv_phrase) in these words. They are borrowed. */
PV_API void pv_guesses_rephrase(pv_guesses *guesses, const char *const *words);
PV_API PV_CHECKED pv_status pv_guesses_text(const pv_guesses *guesses, char **text,
                                            pv_error *error);
/* What was guessed about a column of the table; the texts are borrowed from the guesses. */
PV_API pv_role pv_guesses_role(const pv_guesses *guesses, size_t column);
/* False: the plan leaves it out, since its name is not UTF-8. */
PV_API bool pv_guesses_is_named(const pv_guesses *guesses, size_t column);
PV_API const char *pv_guesses_reason(const pv_guesses *guesses, size_t column); /* a few words */
/* What was seen, if the role is PV_ROLE_UNDECIDED (the reason itself, if that says it); else NULL.
 */
PV_API const char *pv_guesses_question(const pv_guesses *guesses, size_t column);
PV_API void pv_guesses_free(pv_guesses *guesses); /* NULL is fine */

typedef struct pv_study pv_study;

typedef struct pv_study_options {
    size_t size;      /* sizeof this struct; 0 = as in this header */
    const char *data; /* overrides the plan's `data`; NULL = the plan's */
    bool all_columns; /* keep `other` columns (a release needs them) */
    bool identifiers; /* keep identifier columns (to replace them by keyed hashes) */
    bool unnamed;     /* keep columns the plan does not name, whatever its `others` says */
    bool skip_bad_rows;
    /* Rows one by one even where a database has counted equal ones: who compares releases person by
     * person, or knows what others know, needs them. */
    bool single_rows;
} pv_study_options;

/* Reads the table and builds all hierarchies. The plan is borrowed and must outlive the study. */
/* The statement with which a study's data would be read where it is (pv_is_place); of a file a line
 * that says so. The place is asked for the columns of its table, and nothing is run. */
PV_API PV_CHECKED pv_status pv_study_explain(const pv_plan *plan, const pv_study_options *options,
                                             const pv_context *context, char **statement,
                                             pv_error *error);
PV_API PV_CHECKED pv_status pv_study_open(const pv_plan *plan, const pv_study_options *options,
                                          const pv_context *context, pv_study **study,
                                          pv_error *error);
/* The same on a table the caller already has; the study takes ownership of it on success. */
PV_API PV_CHECKED pv_status pv_study_bind(const pv_plan *plan, pv_table *table, pv_study **study,
                                          pv_error *error);
/* The same table seen through another plan, with the same attributes but other hierarchies. Both
 * studies share it; each is freed by its owner, in any order. Values for which the other plan's
 * hierarchies have no place, and which its `unknown` rules make `*`, become `*` in the shared
 * table: the first study can then only be freed. */
PV_API PV_CHECKED pv_status pv_study_rebind(const pv_study *study, const pv_plan *plan,
                                            pv_study **rebound, pv_error *error);
PV_API void pv_study_free(pv_study *study); /* NULL is fine; the last one frees the table, too */

/* Threads and progress as it was opened with; never NULL. */
PV_API const pv_context *pv_study_context(const pv_study *study);
PV_API const pv_plan *pv_study_plan(const pv_study *study);
PV_API const pv_table *pv_study_table(const pv_study *study);
PV_API uint64_t pv_study_budget(const pv_study *study); /* rows that may be suppressed */

/* Quasi-identifiers in the order of the plan. */
PV_API size_t pv_study_quasis(const pv_study *study);
PV_API const char *pv_study_quasi_name(const pv_study *study, size_t quasi);
PV_API size_t pv_study_quasi_column(const pv_study *study, size_t quasi); /* column of the table */
PV_API const pv_plan_attribute *pv_study_quasi_attribute(const pv_study *study, size_t quasi);
PV_API const pv_hierarchy *pv_study_hierarchy(const pv_study *study, size_t quasi);
/* Values, and rows with them, that became `*` because the hierarchy has no place for them. */
typedef struct pv_unknown {
    uint64_t values, rows;
} pv_unknown;

PV_API pv_unknown pv_study_unknown(const pv_study *study, size_t quasi);
/* May a search use this level of a quasi-identifier? */
PV_API bool pv_study_allows(const pv_study *study, size_t quasi, unsigned level);
PV_API double pv_study_weight(const pv_study *study, size_t quasi); /* normalised: they sum to 1 */

PV_API size_t pv_study_sensitives(const pv_study *study);
PV_API size_t pv_study_sensitive_column(const pv_study *study, size_t sensitive);
PV_API pv_distance pv_study_distance(const pv_study *study, size_t sensitive); /* never AUTO */
/* Of a sensitive attribute; NULL unless the plan gives one. */
PV_API const pv_hierarchy *pv_study_sensitive_hierarchy(const pv_study *study, size_t sensitive);

PV_API size_t pv_study_label_column(const pv_study *study); /* SIZE_MAX = no label */

/* Columns of the data that no release of this study has, because the plan neither names them nor
 * says `others: keep`. In the order of the data. */
PV_API size_t pv_study_unnamed(const pv_study *study);
PV_API const char *pv_study_unnamed_name(const pv_study *study, size_t unnamed);

#ifdef __cplusplus
}
#endif
#endif
