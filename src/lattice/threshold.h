/* Suppression (docs/model.md, section 2) decided from class sizes alone, without sorting them. */
#ifndef PV_LATTICE_THRESHOLD_H
#define PV_LATTICE_THRESHOLD_H

#include <paravent/classes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sizes up to this are counted on a board; larger ones, rarely suppressed, are sorted. */
#define PV_THRESHOLD_BOARD 4096

typedef struct pv_threshold {
    uint64_t smallest_kept; /* classes smaller than this are suppressed */
    uint64_t n_suppressed;  /* rows */
    uint64_t largest;
    uint64_t squares; /* sum over all classes; fits while there are fewer than 2^32 rows */
    bool feasible;
} pv_threshold;

/* Room the decision needs; one per thread. Zero-initialised = none yet. */
typedef struct pv_threshold_scratch {
    uint32_t board[PV_THRESHOLD_BOARD + 1]; /* classes of each size; all zero between calls */
    uint32_t *large;                        /* sizes beyond the board */
    size_t large_capacity;
} pv_threshold_scratch;

/* `rule->budget` is at most the number of rows less one. False when memory runs out. */
bool pv_i_threshold(const uint32_t *sizes, size_t n, const pv_suppression *rule,
                    pv_threshold_scratch *scratch, pv_threshold *threshold);

#endif
