/* Radix sort of packed keys, least significant digit first. Digits in which all keys agree are
 * skipped, so that only the bits really used cost anything. */
#include "classes/sort.h"

#include "base/memory.h"

#include <string.h>

#define DIGIT_BITS 11u
#define DIGITS ((size_t)1 << DIGIT_BITS)

typedef struct {
    const uint64_t *keys;
    size_t n;
    unsigned words;
} key_array;

static size_t digit_of(const key_array *a, uint32_t index, unsigned word, unsigned shift)
{
    return (size_t)(a->keys[(size_t)index * a->words + word] >> shift) & (DIGITS - 1);
}

/* Bits of a word in which not all keys agree. */
static uint64_t varying_bits(const key_array *a, unsigned word)
{
    uint64_t varying = 0;
    for (size_t i = 1; i < a->n; i++) {
        varying |= a->keys[i * a->words + word] ^ a->keys[word];
    }
    return varying;
}

/* From how often each digit occurs to where its keys begin. */
static void add_up(size_t *starts)
{
    size_t sum = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        const size_t here = starts[d];
        starts[d] = sum;
        sum += here;
    }
}

static void sort_by_digit(const key_array *a, unsigned word, unsigned shift, const uint32_t *from,
                          uint32_t *to, size_t *starts)
{
    memset(starts, 0, DIGITS * sizeof *starts);
    for (size_t i = 0; i < a->n; i++) {
        starts[digit_of(a, from[i], word, shift)]++;
    }
    add_up(starts);
    for (size_t i = 0; i < a->n; i++) {
        to[starts[digit_of(a, from[i], word, shift)]++] = from[i];
    }
}

static void sort_all_digits(const key_array *a, uint32_t *order, uint32_t *spare, size_t *starts)
{
    uint32_t *from = order;
    uint32_t *to = spare;
    for (unsigned word = a->words; word-- > 0;) {
        const uint64_t varying = varying_bits(a, word);
        for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
            if (((varying >> shift) & (DIGITS - 1)) != 0) {
                sort_by_digit(a, word, shift, from, to, starts);
                uint32_t *const sorted = to;
                to = from;
                from = sorted;
            }
        }
    }
    if (from != order) {
        memcpy(order, from, a->n * sizeof *order);
    }
}

bool pv_i_keys_order(const uint64_t *keys, size_t n, unsigned words, uint32_t *order)
{
    const key_array array = {.keys = keys, .n = n, .words = words};
    uint32_t *const spare = PV_NEW_ARRAY(uint32_t, n);
    size_t *const starts = PV_NEW_ARRAY(size_t, DIGITS);
    const bool ready = spare != NULL && starts != NULL;
    if (ready) {
        for (size_t i = 0; i < n; i++) {
            order[i] = (uint32_t)i;
        }
        sort_all_digits(&array, order, spare, starts);
    }
    pv_i_free(spare);
    pv_i_free(starts);
    return ready;
}

/* ------------------------------------------------------------------ numbers */

static void sort_numbers_by_digit(const uint64_t *from, uint64_t *to, size_t n, unsigned shift,
                                  size_t *starts)
{
    memset(starts, 0, DIGITS * sizeof *starts);
    for (size_t i = 0; i < n; i++) {
        starts[(size_t)(from[i] >> shift) & (DIGITS - 1)]++;
    }
    add_up(starts);
    for (size_t i = 0; i < n; i++) {
        to[starts[(size_t)(from[i] >> shift) & (DIGITS - 1)]++] = from[i];
    }
}

bool pv_i_sort_u64(uint64_t *values, size_t n)
{
    uint64_t *const spare = PV_NEW_ARRAY(uint64_t, n);
    size_t *const starts = PV_NEW_ARRAY(size_t, DIGITS);
    const bool ready = spare != NULL && starts != NULL;
    const uint64_t varying =
        ready ? varying_bits(&(key_array){.keys = values, .n = n, .words = 1}, 0) : 0;
    uint64_t *from = values;
    uint64_t *to = spare;
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        if (((varying >> shift) & (DIGITS - 1)) != 0) {
            sort_numbers_by_digit(from, to, n, shift, starts);
            uint64_t *const sorted = to;
            to = from;
            from = sorted;
        }
    }
    if (from != values) {
        memcpy(values, from, n * sizeof *values);
    }
    pv_i_free(spare);
    pv_i_free(starts);
    return ready;
}
