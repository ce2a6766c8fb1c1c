/* Ascending comparisons for qsort. */
#ifndef PV_BASE_COMPARE_H
#define PV_BASE_COMPARE_H

#include <stdint.h>

static inline int pv_i_compare_u32(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a;
    const uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static inline int pv_i_compare_u64(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a;
    const uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

#endif
