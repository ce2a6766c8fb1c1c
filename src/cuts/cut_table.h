/* The table as cut schemes see it: distinct tuples of ordered values with their counts, and how
 * large the classes are that a scheme makes.
 *
 * An attribute without any cut tells nobody apart: a scheme is counted in the *view* of the
 * attributes it cuts, which is often far shorter than the table. Views are made when first needed
 * and shared by all threads, within a memory budget. */
#ifndef PV_CUTS_CUT_TABLE_H
#define PV_CUTS_CUT_TABLE_H

#include "classes/profile.h"
#include "scheme/cut_space.h"

#include <pthread.h>

/* A few axes whose values are one number: what a tuple adds to a key is looked up once for all. */
typedef struct pv_cut_bundle {
    uint64_t axes;
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
    uint32_t *counts;
    size_t bytes;
} pv_cut_view;

#define PV_MOST_CUT_AXES 64 /* columns included */
#define PV_MOST_CUT_COLUMNS 16
#define PV_MOST_CUT_VALUES 4096
/* Combinations of values in a bundle, unless it has one axis only. */
#define PV_MOST_CUT_BUNDLED 1024

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
    pv_cut_view base;
    pthread_mutex_t lock;
    pv_cut_view **views;
    size_t n_views, capacity;
    uint64_t memory, taken;
} pv_cut_table;

/* Fails with a limit if there are too many attributes, or values of one. The space is borrowed. */
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
const pv_cut_view *pv_i_cut_view_of(pv_cut_table *table, uint64_t cut);
uint32_t pv_i_cut_most_values(const pv_cut_space *space); /* of an axis; at least 1 */

/* Room for counting; one per thread. */
typedef struct pv_cut_scratch {
    uint32_t *keys;     /* per tuple */
    uint32_t *counters; /* by key, or by slot */
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
/* The same for the cuts of all axes but one, whose values the view has. */
PV_CHECKED size_t pv_i_cut_number_others(pv_cut_table *table, pv_cut_scratch *scratch, size_t axis,
                                         const uint8_t *cuts, const pv_cut_view **view);

/* Which intervals of an axis would be too small for some class: given the cuts of the other axes,
 * too_small[first * n + last] tells whether some class of theirs has between 1 and k-1 rows with
 * values first..last. */
PV_CHECKED bool pv_i_cut_too_small(pv_cut_table *table, pv_cut_scratch *scratch, size_t axis,
                                   const uint8_t *cuts, uint64_t k, bool *too_small);

#endif
