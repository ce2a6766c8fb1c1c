/* Hashing: strings by xxHash, integers by a multiplicative mix. Never used for anything secret. */
#ifndef PV_BASE_HASH_H
#define PV_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t pv_i_hash_bytes(const void *data, size_t size);

/* The finalizer of splitmix64: every input bit reaches every output bit. */
static inline uint64_t pv_i_hash_u64(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return x;
}

static inline uint64_t pv_i_hash_words(const uint64_t *words, size_t n)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < n; i++) {
        h = pv_i_hash_u64(h ^ words[i]) + UINT64_C(0x9e3779b97f4a7c15);
    }
    return h;
}

#endif
