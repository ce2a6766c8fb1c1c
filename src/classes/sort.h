/* Sorting packed keys. */
#ifndef PV_CLASSES_SORT_H
#define PV_CLASSES_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The order in which n keys of `words` words ascend, word 0 most significant: order[0] is the index
 * of the smallest. Stable. False when memory runs out. */
bool pv_i_keys_order(const uint64_t *keys, size_t n, unsigned words, uint32_t *order);

/* Sorts plain numbers, ascending. False when memory runs out. */
bool pv_i_sort_u64(uint64_t *values, size_t n);

#endif
