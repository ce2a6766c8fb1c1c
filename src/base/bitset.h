/* A plain set of bits in caller-owned words. */
#ifndef PV_BASE_BITSET_H
#define PV_BASE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PV_BITSET_WORDS(n) (((n) + 63) / 64)

static inline void pv_i_bit_set(uint64_t *words, size_t i)
{
    words[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline bool pv_i_bit_get(const uint64_t *words, size_t i)
{
    return (words[i / 64] >> (i % 64)) & 1;
}

#endif
