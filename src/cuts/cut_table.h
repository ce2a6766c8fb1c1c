/* The table as cut schemes see it: distinct tuples of ordered values with their counts, and how
 * large the classes are that a scheme makes.
 *
 * An attribute without any cut distinguishes nobody, so a scheme is counted in the *view* of the
 * attributes it cuts, which is often far shorter than the table:
 *
 *     all attributes           view {age, sex}        view {sex}
 *     age  sex  zip  rows      age  sex  rows         sex  rows
 *      17   f    10    2        17   f     5           f    12
 *      17   f    12    3        18   f     7           m     4
 *      18   f    10    7        19   m     4
 *      19   m    11    4
 *
 * There are 2^axes views. Each is made when it is first needed, from the shortest one at hand that
 * has its axes, and is shared by all threads, within a memory budget: without memory for it, a
 * longer view serves as well, only slower. */
#ifndef PV_CUTS_CUT_TABLE_H
#define PV_CUTS_CUT_TABLE_H

#include "classes/grouping.h"
#include "classes/profile.h"
#include "scheme/cut_space.h"

#include <pthread.h>

#define PV_MOST_CUT_AXES 64 /* columns included: a set of axes is one word */
#define PV_MOST_CUT_COLUMNS 16
#define PV_MOST_CUT_VALUES 4096
/* Combinations of values in a bundle, unless it has one axis only. */
#define PV_MOST_CUT_BUNDLED 1024

/* A few axes whose values are one number: what a tuple adds to a key is then one lookup for all of
 * them, in a table that still fits into the first-level cache. */
typedef struct pv_cut_bundle {
    uint64_t axes;    /* a bit per axis */
    uint32_t n;       /* combinations of values, those that do not occur included */
    uint16_t *values; /* per tuple: the first axis's value, plus its number of values times ... */
} pv_cut_bundle;

typedef struct pv_cut_view {
    uint64_t axes; /* a bit per axis that it has, and per column */
    size_t n;      /* tuples */
    /* Per axis and then per column: per tuple; NULL if it does not have the axis. */
    uint16_t **values;
    pv_cut_bundle *bundles; /* all axes, each in one of them */
    size_t n_bundles;
    uint32_t *counts; /* rows, per tuple */
    size_t bytes;
} pv_cut_view;

/* Columns whose values are counted in the classes (sensitive ones, the label) are axes that are
 * never merged: every view has them. */
typedef struct pv_cut_column {
    size_t column;    /* of the table */
    uint32_t n_codes; /* its distinct values */
} pv_cut_column;

typedef struct pv_cut_table {
    const pv_cut_space *space;
    pv_cut_column columns[PV_MOST_CUT_COLUMNS];
    size_t n_columns;
    pv_cut_view base;     /* of all axes */
    pthread_mutex_t lock; /* guards all below */
    pv_cut_view **views;
    size_t n_views, capacity;
    uint64_t memory, taken; /* bytes */
} pv_cut_table;

/* Fails with a limit if there are too many attributes, or values of one. The space is borrowed.
 * Memory is for views besides the first one. */
PV_CHECKED pv_status pv_i_cut_table_init(pv_cut_table *table, const pv_profile *profile,
                                         const pv_cut_space *space, uint64_t memory,
                                         pv_error *error);
/* The same with columns to be counted. */
PV_CHECKED pv_status pv_i_cut_table_init_counting(pv_cut_table *table, const pv_profile *profile,
                                                  const pv_cut_space *space, const size_t *columns,
                                                  size_t n_columns, uint64_t memory,
                                                  pv_error *error);
void pv_i_cut_table_deinit(pv_cut_table *table);

/* The view of some axes, or of more if memory does not allow it. */
const pv_cut_view *pv_i_cut_view_of(pv_cut_table *table, uint64_t axes);
uint32_t pv_i_cut_most_values(const pv_cut_space *space); /* of an axis; at least 1 */

/* ---------------------------------------------------------------- counting */

/* Scratch memory for counting; one per thread. */
typedef struct pv_cut_scratch {
    uint32_t *keys;     /* per tuple */
    uint32_t *counters; /* by key, or by slot; all 0 between two countings */
    size_t n_counters;
    uint64_t *slots; /* key + 1, 0 = empty */
    size_t n_slots;
    uint32_t *places; /* per value of a bundle: what it adds to a key */
    int32_t *steps;   /* (n + 1)^2 of an axis */
} pv_cut_scratch;

PV_CHECKED bool pv_i_cut_scratch_init(pv_cut_scratch *scratch, const pv_cut_table *table);
void pv_i_cut_scratch_deinit(pv_cut_scratch *scratch);

typedef struct pv_cut_sizes {
    uint64_t smallest, largest; /* rows of a class */
    size_t n_classes;
    uint64_t n_rows; /* of all of them */
} pv_cut_sizes;

/* `cuts` has a byte per bit of the space: 1 = cut. False when memory runs out. */
PV_CHECKED bool pv_i_cut_count(pv_cut_table *table, pv_cut_scratch *scratch, const uint8_t *cuts,
                               pv_cut_sizes *sizes);

/* The view a scheme is counted in, and per tuple of it the number of its class, in `keys`. Returns
 * how many classes there are, 0 when memory runs out. */
PV_CHECKED size_t pv_i_cut_number(pv_cut_table *table, pv_cut_scratch *scratch, const uint8_t *cuts,
                                  const pv_cut_view **view);
/* The same for the cuts of all axes but one, whose values the view has. Numbers may be left out. */
PV_CHECKED size_t pv_i_cut_number_others(pv_cut_table *table, pv_cut_scratch *scratch, size_t axis,
                                         const uint8_t *cuts, const pv_cut_view **view);

/* Which intervals of an axis would be too small for some class: given the cuts of the other axes,
 * too_small[first * n + last] says whether some class of theirs has between 1 and k-1 rows with
 * values first..last. */
PV_CHECKED bool pv_i_cut_too_small(pv_cut_table *table, pv_cut_scratch *scratch, size_t axis,
                                   const uint8_t *cuts, uint64_t k, bool *too_small);

/* ------------------------------------------------------ classes for measures */

/* Scratch memory for the classes as measures see them; one per thread. */
typedef struct pv_cut_class_scratch {
    uint64_t *sizes;          /* per class */
    uint32_t *ends;           /* per class or key, for sorting */
    uint32_t *by_key, *order; /* tuples, sorted by key; then by class */
    struct {
        uint32_t *start, *code, *count;
    } columns[PV_MOST_CUT_COLUMNS];
    pv_class_entries entries[PV_MOST_CUT_COLUMNS];
    size_t n_columns;
} pv_cut_class_scratch;

PV_CHECKED bool pv_i_cut_class_scratch_init(pv_cut_class_scratch *scratch,
                                            const pv_cut_table *table);
void pv_i_cut_class_scratch_deinit(pv_cut_class_scratch *scratch);

/* Sorts the tuples of a view by class and, within it, by key (below n_keys), into `order`. */
void pv_i_cut_class_sort(const pv_cut_class_scratch *scratch, const pv_cut_view *view,
                         const uint16_t *keys, size_t n_keys, const uint32_t *class_of,
                         size_t n_classes);

/* Sizes, and how often the values of the counted columns occur in each class. Measures that look at
 * levels cannot be read from them. Valid until the scratch memory is used again. False when memory
 * runs out. */
PV_CHECKED bool pv_i_cut_classes(pv_cut_table *table, pv_cut_scratch *scratch,
                                 pv_cut_class_scratch *class_scratch, const pv_profile *profile,
                                 const uint8_t *cuts, pv_classes *classes);

#endif
