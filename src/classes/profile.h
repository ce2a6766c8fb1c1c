/* The profile as the other rooms see it: distinct tuples, counts, histograms.
 *
 * Everything but the histograms is made once and never changes; these are counted when they are
 * first asked for (pv_i_profile_count), under a lock. Ten million rows and thirty thousand make
 * nearly the same profile: what comes after depends on tuples. */
#ifndef PV_CLASSES_PROFILE_H
#define PV_CLASSES_PROFILE_H

#include "classes/keys.h"

#include <paravent/classes.h>
#include <pthread.h>

/* How often each value of one column occurs with each tuple: for tuple t the entries
 * start[t] .. start[t+1]-1, by ascending code. */
typedef struct pv_histogram {
    size_t column;    /* of the table */
    uint32_t n_codes; /* dictionary size of that column */
    uint32_t missing; /* code of its missing value, or PV_NO_CODE */
    uint64_t *start;  /* n_tuples + 1 */
    uint32_t *code;
    uint64_t *count;
} pv_histogram;

struct pv_profile {
    const pv_study *study;
    pv_packing packing;
    uint64_t n_rows;
    size_t n_tuples;
    uint64_t *keys;       /* n_tuples * packing.words, ascending */
    uint64_t *count;      /* rows per tuple */
    uint64_t n_entries;   /* of the table: rows, or equal rows that were counted (table/column.h) */
    const uint64_t *ends; /* of their rows; NULL = every entry is one row */
    uint32_t *row_tuple;  /* the tuple of each entry */
    /* Of a divided one whose table has entries of several rows, some of these are divided, too:
     * which entry of the table each is (pv_i_profile_entry), and the memory of `ends`. */
    uint64_t *table_entry, *own_ends;
    size_t n_sensitive;
    const pv_profile *whole; /* of a divided one: the other; NULL = nothing is divided */

    /* Counted when first needed (pv_i_profile_count): searches for k and detail never do. */
    pthread_mutex_t counting;
    bool counted;
    pv_histogram *sensitive; /* one per sensitive attribute */
    pv_histogram *label;     /* NULL = no label */
};

/* Where the codes of an entry are in the table's columns. */
static inline uint64_t pv_i_profile_entry(const pv_profile *profile, uint64_t entry)
{
    return profile->table_entry == NULL ? entry : profile->table_entry[entry];
}

/* Makes sure that the sensitive and label values are counted per tuple. May be called by several
 * threads. */
PV_CHECKED pv_status pv_i_profile_count(const pv_profile *profile, pv_error *error);

/* The same table with some tuples divided: part i is the next `part_rows[i]` rows, in the order of
 * the table, of a tuple; by ascending tuple, all rows of each. So a tuple may occur several times;
 * histograms are counted anew. The study is shared. */
PV_CHECKED pv_status pv_i_profile_divide(const pv_profile *profile, const uint32_t *part_tuple,
                                         const uint64_t *part_rows, size_t n_parts,
                                         pv_profile **divided, pv_error *error);

/* Counts how often each code of a column occurs with each tuple. */
PV_CHECKED pv_status pv_i_histogram_init(pv_histogram *histogram, const pv_profile *profile,
                                         size_t column, pv_error *error);
void pv_i_histogram_deinit(pv_histogram *histogram);

/* `order` has space for all quasi-identifiers: position -> quasi-identifier. */
PV_CHECKED pv_status pv_i_attribute_order(const pv_profile *profile, size_t *order,
                                          pv_error *error);

#endif
