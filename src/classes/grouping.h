/* The classes of one scheme as the measures see them.
 *
 * What is const here is owned by whoever made the classes: pv_classes_create and its kin allocate
 * it, an evaluator lends it until its next scheme. Measures may read classes on several threads;
 * only tallies are scratch of one. */
#ifndef PV_CLASSES_GROUPING_H
#define PV_CLASSES_GROUPING_H

#include "classes/keys.h"
#include "classes/profile.h"

typedef unsigned __int128 pv_wide;

/* How often each value of one column occurs in each class: class c has the entries
 * start[c] .. start[c+1]-1, by ascending code. */
typedef struct pv_class_entries {
    size_t column; /* of the table */
    const uint32_t *start;
    const uint32_t *code;
    const uint32_t *count;
} pv_class_entries;

/* A class that is suppressed. */
typedef struct pv_lost_class {
    uint32_t number;
    uint64_t size;
} pv_lost_class;

/* Classes come in two shapes. pv_classes_create knows the tuples of each class and can therefore
 * hand a property to every row. The evaluator, which groups many schemes a millisecond, knows the
 * classes' keys, which of them are lost, and what else it was asked to keep. All scalar measures
 * work on both. */
struct pv_classes {
    const pv_profile *profile;
    const uint8_t *levels;     /* one per quasi-identifier; NULL if every tuple has its own */
    const uint8_t *records;    /* then: tuples * quasi-identifiers */
    size_t n_classes;          /* before suppression */
    size_t n_remaining;        /* after it */
    const uint64_t *size;      /* rows per class; of the evaluator only if asked for */
    const pv_lost_class *lost; /* the suppressed classes, by ascending number */
    const uint64_t *lost_keys; /* n_lost * words: the groups of each of them, packed */
    size_t n_lost;
    /* Of the evaluator: the number of this list, of which the lost classes are the first ones; with
     * lower thresholds they are fewer. 0 = there is no more to the list. */
    uint64_t lost_list;
    uint64_t smallest_kept; /* classes smaller than this are suppressed */
    uint32_t starred;       /* number + 1 of a class suppressed whatever its size; 0 = none */
    const uint8_t *dropped; /* per class: does it break a demand besides k? NULL = none does */
    uint64_t n_suppressed;  /* rows */
    uint64_t k;             /* smallest remaining class */
    uint64_t largest;       /* largest class */
    pv_wide squares;        /* sum of the squared sizes of all classes */
    bool feasible;

    /* Only of pv_classes_create. */
    const uint32_t *class_of;     /* per tuple */
    const uint32_t *member_start; /* per class (+1): where its tuples begin in `member` */
    const uint32_t *member;       /* tuples, class by class */

    /* Only of the evaluator, if asked for. */
    const pv_class_entries *entries;
    size_t n_entries; /* columns counted */

    /* Only of pv_scheme_classes: the table as the scheme sees it, where that is its own. */
    pv_study *own_study;
    pv_profile *own_profile;
};

/* Does a class break a demand besides k? Its size and members are known, nothing is suppressed yet.
 */
typedef bool (*pv_breaks_fn)(void *ctx, const pv_classes *classes, size_t c);

/* pv_classes_create where classes are suppressed that break the target k or what `breaks` says,
 * just these, and none if they have more rows than the budget (pv_classes_feasible). */
PV_CHECKED pv_status pv_i_classes_create_ruled(const pv_profile *profile, const uint8_t *levels,
                                               const pv_suppression *rule, pv_breaks_fn breaks,
                                               void *ctx, pv_classes **classes, pv_error *error);

static inline bool pv_i_is_suppressed(const pv_classes *classes, size_t c)
{
    return classes->size[c] < classes->smallest_kept || c + 1 == classes->starred ||
           (classes->dropped != NULL && classes->dropped[c] != 0);
}

static inline unsigned pv_i_level_of(const pv_classes *classes, size_t tuple, size_t quasi,
                                     size_t n_quasis)
{
    return classes->levels != NULL ? classes->levels[quasi]
                                   : classes->records[tuple * n_quasis + quasi];
}

/* Counts of the values of one column in one class, reused from class to class. */
typedef struct pv_tally {
    uint64_t *counts;  /* per code; only those touched are not zero */
    uint32_t *touched; /* codes seen, in order of first sight */
    size_t n_touched;
    uint64_t total;   /* rows */
    uint32_t missing; /* code of the missing value, or PV_NO_CODE */
} pv_tally;

PV_CHECKED pv_status pv_i_tally_init(pv_tally *tally, const pv_histogram *histogram,
                                     pv_error *error);
void pv_i_tally_deinit(pv_tally *tally);
void pv_i_tally_clear(pv_tally *tally);
void pv_i_tally_add(pv_tally *tally, uint32_t code, uint64_t count);
/* Counts one class. What was counted before is forgotten. */
void pv_i_tally_class(pv_tally *tally, const pv_histogram *histogram, const pv_classes *classes,
                      size_t c);
/* Counts the suppressed rows as the one class they form. */
void pv_i_tally_suppressed(pv_tally *tally, const pv_histogram *histogram,
                           const pv_classes *classes);

#endif
