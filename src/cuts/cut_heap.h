/* The open nodes of a branch and bound over cuts: a binary heap by bound, of equal ones the newest
 * first (which goes deep, and so finds feasible schemes). A node has cuts that are forced, cuts
 * that are forbidden, and free ones; node i has the forced and then the forbidden ones as bits:
 *
 *     heads   |bound, order|bound, order|...
 *     bits    |forced words|forbidden words|forced words|...       2 * words per node */
#ifndef PV_CUTS_CUT_HEAP_H
#define PV_CUTS_CUT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pv_cut_heap {
    struct {
        uint64_t bound;
        uint64_t order; /* of creation */
    } * heads;
    uint64_t *bits;
    size_t n_bits, words; /* of a scheme; per set of bits */
    size_t n, heads_capacity, bits_capacity;
    uint64_t n_created;
} pv_cut_heap;

/* Allocates nothing yet. */
void pv_i_cut_heap_init(pv_cut_heap *heap, size_t n_bits);
void pv_i_cut_heap_deinit(pv_cut_heap *heap);

/* `state` says of every bit what it may be (PV_CUT_FREE, ...). False when memory runs out. */
bool pv_i_cut_heap_push(pv_cut_heap *heap, uint64_t bound, const uint8_t *state);
/* Takes the node with the least bound; there must be one. */
void pv_i_cut_heap_pop(pv_cut_heap *heap, uint8_t *state);
/* Bytes that the open nodes take. */
uint64_t pv_i_cut_heap_bytes(const pv_cut_heap *heap);

#endif
