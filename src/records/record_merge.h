/* Numbering a few tails out of many: which different ones are there, in order, and which is which?
 *
 * Few are sorted. Many are marked in a set of bits, with a second set for the words of the first
 * that have any, so that reading the marks in order takes no longer than there are marks. */
#ifndef PV_RECORDS_RECORD_MERGE_H
#define PV_RECORDS_RECORD_MERGE_H

#include <paravent/status.h>
#include <stddef.h>
#include <stdint.h>

/* One per thread. */
typedef struct pv_tail_marks {
    uint64_t *bits;    /* per tail; all 0 between calls */
    uint64_t *summary; /* per word of bits */
    uint32_t *number;  /* per tail */
    size_t n_summary;
} pv_tail_marks;

PV_CHECKED pv_status pv_i_tail_marks_init(pv_tail_marks *marks, uint32_t n_tails, pv_error *error);
void pv_i_tail_marks_deinit(pv_tail_marks *marks);

/* The different ones of n tails go to `distinct`, ascending; number[i] is the place there of tail
 * i, and may be the list of tails itself. Returns how many there are. */
size_t pv_i_merge_tails(pv_tail_marks *marks, const uint32_t *tails, size_t n, uint32_t *distinct,
                        uint32_t *number);

#endif
