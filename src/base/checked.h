/* Integer arithmetic that says when it does not fit. */
#ifndef PV_BASE_CHECKED_H
#define PV_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each returns false on overflow and leaves `result` unspecified. */
static inline bool pv_i_add_size(size_t a, size_t b, size_t *result)
{
    return !__builtin_add_overflow(a, b, result);
}

static inline bool pv_i_mul_size(size_t a, size_t b, size_t *result)
{
    return !__builtin_mul_overflow(a, b, result);
}

static inline bool pv_i_add_u64(uint64_t a, uint64_t b, uint64_t *result)
{
    return !__builtin_add_overflow(a, b, result);
}

static inline bool pv_i_mul_u64(uint64_t a, uint64_t b, uint64_t *result)
{
    return !__builtin_mul_overflow(a, b, result);
}

static inline bool pv_i_add_i64(int64_t a, int64_t b, int64_t *result)
{
    return !__builtin_add_overflow(a, b, result);
}

static inline bool pv_i_mul_i64(int64_t a, int64_t b, int64_t *result)
{
    return !__builtin_mul_overflow(a, b, result);
}

/* Bits needed to tell n values apart (0 for one value). */
static inline unsigned pv_i_bits_for(uint64_t n)
{
    return n <= 1 ? 0 : 64u - (unsigned)__builtin_clzll(n - 1);
}

/* The power of two at or above n, for n up to 2^63. */
static inline uint64_t pv_i_next_power(uint64_t n)
{
    return (uint64_t)1 << pv_i_bits_for(n);
}

#endif
