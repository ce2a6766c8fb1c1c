/* The open nodes of a search tree. */
#include "cuts/cut_queue.h"

#include "base/bitset.h"
#include "base/memory.h"
#include "cuts/cut_dp.h"

#include <string.h>

void pv_i_cut_queue_init(pv_cut_queue *queue, size_t n_bits)
{
    *queue = (pv_cut_queue){.n_bits = n_bits, .words = PV_BITSET_WORDS(n_bits + 1)};
}

void pv_i_cut_queue_deinit(pv_cut_queue *queue)
{
    pv_i_free(queue->heads);
    pv_i_free(queue->bits);
    *queue = (pv_cut_queue){0};
}

static bool is_before(const pv_cut_queue *queue, size_t i, size_t j)
{
    const pv_cut_head *const a = &queue->heads[i];
    const pv_cut_head *const b = &queue->heads[j];
    return a->bound != b->bound ? a->bound < b->bound : a->order > b->order;
}

static void swap(pv_cut_queue *queue, size_t i, size_t j)
{
    const size_t words = 2 * queue->words;
    const pv_cut_head head = queue->heads[i];
    queue->heads[i] = queue->heads[j];
    queue->heads[j] = head;
    for (size_t w = 0; w < words; w++) {
        const uint64_t word = queue->bits[i * words + w];
        queue->bits[i * words + w] = queue->bits[j * words + w];
        queue->bits[j * words + w] = word;
    }
}

bool pv_i_cut_queue_push(pv_cut_queue *queue, uint64_t bound, const uint8_t *state)
{
    const size_t bytes = 2 * queue->words * sizeof *queue->bits;
    if (!pv_i_reserve((void **)&queue->heads, &queue->heads_capacity, queue->n + 1,
                      sizeof *queue->heads) ||
        !pv_i_reserve((void **)&queue->bits, &queue->bits_capacity, queue->n + 1, bytes)) {
        return false;
    }
    size_t i = queue->n++;
    uint64_t *const bits = queue->bits + i * 2 * queue->words;
    queue->heads[i] = (pv_cut_head){.bound = bound, .order = queue->n_created++};
    memset(bits, 0, bytes);
    for (size_t bit = 0; bit < queue->n_bits; bit++) {
        if (state[bit] != PV_CUT_FREE) {
            pv_i_bit_set(bits + (state[bit] == PV_CUT_FORCED ? 0 : queue->words), bit);
        }
    }
    for (; i > 0 && is_before(queue, i, (i - 1) / 2); i = (i - 1) / 2) {
        swap(queue, i, (i - 1) / 2);
    }
    return true;
}

void pv_i_cut_queue_pop(pv_cut_queue *queue, uint8_t *state)
{
    const uint64_t *const bits = queue->bits;
    for (size_t bit = 0; bit < queue->n_bits; bit++) {
        state[bit] = pv_i_bit_get(bits, bit)                  ? PV_CUT_FORCED
                     : pv_i_bit_get(bits + queue->words, bit) ? PV_CUT_FORBIDDEN
                                                              : PV_CUT_FREE;
    }
    swap(queue, 0, --queue->n);
    for (size_t i = 0;;) {
        const size_t left = 2 * i + 1;
        size_t least = i;
        least = left < queue->n && is_before(queue, left, least) ? left : least;
        least = left + 1 < queue->n && is_before(queue, left + 1, least) ? left + 1 : least;
        if (least == i) {
            return;
        }
        swap(queue, i, least);
        i = least;
    }
}
