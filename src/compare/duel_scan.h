/* The one pass over two property vectors: everything their indices are made of. */
#ifndef PV_COMPARE_DUEL_SCAN_H
#define PV_COMPARE_DUEL_SCAN_H

#include "compare/rounding.h"

#include <paravent/compare.h>

/* What is seen of one vector beside the other. */
typedef struct pv_duel_side {
    uint64_t better; /* people better off here */
    double least;    /* value of the worst off; infinite without people */
    pv_sum spread;   /* by how much those are better off */
    pv_sum squares;  /* of the distances to the target */
    pv_sum growth;   /* ln of the factor by which they are better off; where the other has 0: of all
                        they have */
    bool has_zero;   /* its volume is 0 */
} pv_duel_side;

typedef struct pv_duel_scan {
    uint64_t people;
    pv_duel_side first, second;
    pv_sum common;       /* ln of what both volumes share */
    bool has_negative;   /* there are no volumes, and those above mean nothing */
    double size, square; /* of the values that differ, and of their squares, summed: what rounding
                            is relative to */
} pv_duel_scan;

/* The options as they are those of a duel. */
pv_duel_scan pv_i_duel_scan(const double *first, const double *second, uint64_t n,
                            const pv_duel_options *options);

#endif
