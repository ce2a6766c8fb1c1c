/* The open nodes of a search tree over cuts: a heap by bound, the newest of equal ones first. A
 * node is what is forced and what is forbidden, a bit each. */
#ifndef PV_CUTS_CUT_QUEUE_H
#define PV_CUTS_CUT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pv_cut_head {
    uint64_t bound;
    uint64_t order; /* of creation */
} pv_cut_head;

typedef struct pv_cut_queue {
    size_t n_bits;
    size_t words; /* per set of bits */
    pv_cut_head *heads;
    uint64_t *bits; /* 2 * words per node */
    size_t n, heads_capacity, bits_capacity;
    uint64_t n_created;
} pv_cut_queue;

void pv_i_cut_queue_init(pv_cut_queue *queue, size_t n_bits);
void pv_i_cut_queue_deinit(pv_cut_queue *queue);

/* `state` has PV_CUT_FREE, PV_CUT_FORCED or PV_CUT_FORBIDDEN per bit. False when memory runs out.
 */
bool pv_i_cut_queue_push(pv_cut_queue *queue, uint64_t bound, const uint8_t *state);
/* Takes the node with the least bound. The queue must not be empty. */
void pv_i_cut_queue_pop(pv_cut_queue *queue, uint8_t *state);

static inline uint64_t pv_i_cut_queue_bound(const pv_cut_queue *queue)
{
    return queue->heads[0].bound;
}

static inline uint64_t pv_i_cut_queue_bytes(const pv_cut_queue *queue)
{
    return queue->n * (sizeof *queue->heads + 2 * queue->words * sizeof *queue->bits);
}

#endif
