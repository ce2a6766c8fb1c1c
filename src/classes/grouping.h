/* The classes of one scheme as the measures see them. */
#ifndef PV_CLASSES_GROUPING_H
#define PV_CLASSES_GROUPING_H

#include "classes/profile.h"

struct pv_classes {
    const pv_profile *profile;
    uint8_t *levels;        /* one per quasi-identifier */
    size_t n_classes;       /* before suppression */
    size_t n_remaining;     /* after it */
    uint32_t *class_of;     /* per tuple */
    uint64_t *size;         /* rows per class */
    uint32_t *member_start; /* per class (+1): where its tuples begin in `member` */
    uint32_t *member;       /* tuples, class by class */
    uint64_t smallest_kept; /* classes smaller than this are suppressed */
    uint64_t n_suppressed;  /* rows */
    uint64_t k;             /* smallest remaining class */
    bool feasible;
};

static inline bool pv_i_is_suppressed(const pv_classes *classes, size_t c)
{
    return classes->size[c] < classes->smallest_kept;
}

/* Counts of the values of one column in one class, reused from class to class. */
typedef struct pv_tally {
    uint64_t *counts;  /* per code; only those touched are not zero */
    uint32_t *touched; /* codes seen, in order of first sight */
    size_t n_touched;
    uint64_t total; /* rows */
} pv_tally;

PV_CHECKED pv_status pv_i_tally_init(pv_tally *tally, const pv_histogram *histogram,
                                     pv_error *error);
void pv_i_tally_deinit(pv_tally *tally);
/* Counts one class. What was counted before is forgotten. */
void pv_i_tally_class(pv_tally *tally, const pv_histogram *histogram, const pv_classes *classes,
                      size_t c);
/* Counts the suppressed rows as the one class they form. */
void pv_i_tally_suppressed(pv_tally *tally, const pv_histogram *histogram,
                           const pv_classes *classes);

#endif
