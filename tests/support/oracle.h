/* The naive reading of the definitions: strings, rows and nested loops.
 *
 * No dictionaries, codes, keys or profiles: a table is strings, a hierarchy is the path of every
 * value as strings, and two rows are alike if their strings are. Slow and plain on purpose: this is
 * what the library is measured against, and it shares nothing with it. The measures themselves are
 * in oracle_measures.h. */
#ifndef PV_TESTS_ORACLE_H
#define PV_TESTS_ORACLE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ORACLE_LEVELS 8
#define ORACLE_ROOT "*"

/* at[0] is a value, at[l] its group at level l, NULL from the root on. */
typedef struct oracle_path {
    const char *at[ORACLE_LEVELS];
} oracle_path;

typedef enum oracle_distance {
    ORACLE_EQUAL,
    ORACLE_ORDERED, /* all values are whole numbers, or missing */
    ORACLE_HIERARCHICAL
} oracle_distance;

typedef struct oracle_column {
    const char **cells; /* one per row; the missing value is "" */
    const oracle_path *paths;
    size_t n_paths;    /* 0 = a value, then * */
    bool named_domain; /* leaves(g) counts the values that the paths name */
    double weight;
    unsigned level;
    oracle_distance distance; /* between sensitive values */
} oracle_column;

typedef struct oracle_table {
    size_t n_rows;
    oracle_column *quasi;
    size_t n_quasi;
    oracle_column *sensitive;
    size_t n_sensitive;
    const char **label; /* NULL = none */
    /* Row by row, a level for each quasi-identifier; NULL = those of the columns. */
    const unsigned *levels;
} oracle_table;

bool oracle_same(const char *a, const char *b);
void *oracle_array(size_t n, size_t size);

/* ----------------------------------------------------------- hierarchies */

/* The level at which everything is the root: one above the longest path. */
unsigned oracle_height(const oracle_column *column);

/* The group of a value at a level. The missing value is a group of its own below the top. */
const char *oracle_group(const oracle_column *column, const char *value, unsigned level);

/* Is this the first row with its value? Then it is the one counted when values are counted. */
bool oracle_is_first(const oracle_column *column, size_t row);

/* Does a value lie under what a cell is released as at a level? A label is one node of the tree, at
 * whatever level it occurs; a value released as it is covers only itself. */
bool oracle_lies_under(const oracle_column *column, unsigned level, const char *value,
                       const char *group);

/* leaves(g): how many values of the domain lie under a group of a level. */
double oracle_leaves_under(const oracle_column *column, size_t n_rows, unsigned level,
                           const char *group);

/* The same at the column's level. */
double oracle_leaves(const oracle_column *column, size_t n_rows, const char *group);

/* --------------------------------------------------------------- release */

/* What the table becomes under the columns' levels, after suppression. */
typedef struct oracle_release {
    const oracle_table *table;
    const char **cells; /* row by row, the generalized quasi-identifiers */
    double *leaves;     /* row by row, leaves(g) of each of them */
    double *domain;     /* |domain| of each quasi-identifier */
    size_t *look_alike; /* per row: the first row that looks the same */
    size_t *size;       /* per row: how many rows look the same, before suppression */
    bool *suppressed;   /* per row */
    size_t n_suppressed;
    size_t n_classes;   /* before suppression */
    size_t n_remaining; /* after it */
    size_t k;
    bool feasible;
} oracle_release;

const char *oracle_cell(const oracle_release *release, size_t row, size_t quasi);
unsigned oracle_level(const oracle_table *table, size_t row, size_t quasi);
bool oracle_is_starred(const oracle_release *release, size_t row);

/* Generalized, before suppression. */
oracle_release oracle_release_raw(const oracle_table *table);

/* Of a raw release: just these rows are suppressed, whole classes of them. */
void oracle_suppress_rows(oracle_release *release, const bool *rows);

/* target_k 0 = spend the budget for the highest k. */
oracle_release oracle_release_create(const oracle_table *table, size_t budget, size_t target_k);

/* The same where every row has levels of its own. */
oracle_release oracle_release_records(const oracle_table *table);
void oracle_release_free(oracle_release *release);

/* The release as if one of the sensitive columns were the only one: what is asked of one column is
 * measured there. Borrows everything; `narrow` is filled in. */
oracle_release oracle_through(const oracle_release *release, size_t sensitive,
                              oracle_table *narrow);

/* In a property vector the suppressed rows form one class of their own. */
bool oracle_in_one_class(const oracle_release *release, size_t a, size_t b);

#endif
