/* The open nodes of a branch and bound over cuts. */
#include "cuts/cut_heap.h"

#include "base/bitset.h"
#include "base/memory.h"
#include "cuts/cut_intervals.h"

#include <string.h>

void pv_i_cut_heap_init(pv_cut_heap *heap, size_t n_bits)
{
    *heap = (pv_cut_heap){.n_bits = n_bits, .words = PV_BITSET_WORDS(n_bits + 1)};
}

void pv_i_cut_heap_deinit(pv_cut_heap *heap)
{
    pv_i_free(heap->heads);
    pv_i_free(heap->bits);
    *heap = (pv_cut_heap){0};
}

uint64_t pv_i_cut_heap_bytes(const pv_cut_heap *heap)
{
    return heap->n * (sizeof *heap->heads + 2 * heap->words * sizeof *heap->bits);
}

/* Least bound first: then the least bound of the open nodes is the bound for everything, and no
 * node is looked at whose bound lies above the optimum. */
static bool comes_before(const pv_cut_heap *q, size_t i, size_t j)
{
    return q->heads[i].bound != q->heads[j].bound ? q->heads[i].bound < q->heads[j].bound
                                                  : q->heads[i].order > q->heads[j].order;
}

/* Heads and bits are exchanged, not pointers to them: open nodes need no allocation of their own.
 */
static void swap(pv_cut_heap *q, size_t i, size_t j)
{
    const size_t words = 2 * q->words;
    const uint64_t bound = q->heads[i].bound;
    const uint64_t order = q->heads[i].order;
    q->heads[i] = q->heads[j];
    q->heads[j].bound = bound;
    q->heads[j].order = order;
    for (size_t w = 0; w < words; w++) {
        const uint64_t word = q->bits[i * words + w];
        q->bits[i * words + w] = q->bits[j * words + w];
        q->bits[j * words + w] = word;
    }
}

/* O(log n) exchanges of a head and its bits; bits instead of bytes, because open nodes are many and
 * each is read once. False when memory runs out. */
bool pv_i_cut_heap_push(pv_cut_heap *heap, uint64_t bound, const uint8_t *state)
{
    pv_cut_heap *const q = heap;
    const size_t bytes = 2 * q->words * sizeof *q->bits;
    if (!pv_i_reserve((void **)&q->heads, &q->heads_capacity, q->n + 1, sizeof *q->heads) ||
        !pv_i_reserve((void **)&q->bits, &q->bits_capacity, q->n + 1, bytes)) {
        return false;
    }
    size_t i = q->n++;
    uint64_t *const bits = q->bits + i * 2 * q->words;
    q->heads[i].bound = bound;
    q->heads[i].order = q->n_created++;
    memset(bits, 0, bytes);
    for (size_t bit = 0; bit < q->n_bits; bit++) {
        if (state[bit] != PV_CUT_FREE) {
            pv_i_bit_set(bits + (state[bit] == PV_CUT_FORCED ? 0 : q->words), bit);
        }
    }
    for (; i > 0 && comes_before(q, i, (i - 1) / 2); i = (i - 1) / 2) {
        swap(q, i, (i - 1) / 2);
    }
    return true;
}

void pv_i_cut_heap_pop(pv_cut_heap *heap, uint8_t *state)
{
    pv_cut_heap *const q = heap;
    for (size_t bit = 0; bit < q->n_bits; bit++) {
        state[bit] = pv_i_bit_get(q->bits, bit)              ? PV_CUT_FORCED
                     : pv_i_bit_get(q->bits + q->words, bit) ? PV_CUT_FORBIDDEN
                                                             : PV_CUT_FREE;
    }
    swap(q, 0, --q->n);
    for (size_t i = 0;;) {
        const size_t left = 2 * i + 1;
        size_t least = i;
        least = left < q->n && comes_before(q, left, least) ? left : least;
        least = left + 1 < q->n && comes_before(q, left + 1, least) ? left + 1 : least;
        if (least == i) {
            return;
        }
        swap(q, i, least);
        i = least;
    }
}
