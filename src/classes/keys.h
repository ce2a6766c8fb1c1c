/* Keys, not tuples: a tuple is a few machine words, equal tuples are equal words, and a map gives
 * every distinct key a small number.
 *
 *     word 0: | age 7 bits | workclass 3 | education 4 | ... |   <- first attribute highest
 *     word 1: | ...                                          |
 *
 * A field is wide enough for the leaves of its attribute, hence for its groups at any level: all
 * levels share one layout. Comparing keys word by word compares tuples attribute by attribute; as
 * leaves are numbered in tree order, generalizing never reorders the values of a field. */
#ifndef PV_CLASSES_KEYS_H
#define PV_CLASSES_KEYS_H

#include "base/hash.h"

#include <paravent/plan.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* --------------------------------------------------------------------- fields */

typedef struct pv_field {
    uint32_t word;
    uint8_t shift;
    uint64_t mask; /* before shifting; 0 for an attribute with one value */
} pv_field;

typedef struct pv_packing {
    unsigned words;
    size_t n_fields;
    pv_field *fields;
} pv_packing;

/* Fields for this many values each. */
PV_CHECKED pv_status pv_i_packing_of_sizes(pv_packing *packing, const uint32_t *sizes, size_t n,
                                           pv_error *error);
/* For the leaves of the quasi-identifiers. */
PV_CHECKED pv_status pv_i_packing_init(pv_packing *packing, const pv_study *study, pv_error *error);
void pv_i_packing_deinit(pv_packing *packing);

/* The lowest bits that no field has, where there is one word. */
static inline unsigned pv_i_packing_unused(const pv_packing *packing)
{
    unsigned unused = 63; /* a shift by all bits is none */
    for (size_t i = 0; i < packing->n_fields; i++) {
        const pv_field field = packing->fields[i];
        unused = field.mask > 0 && field.shift < unused ? field.shift : unused;
    }
    return packing->words == 1 ? unused : 0;
}

static inline uint32_t pv_i_field_get(pv_field field, const uint64_t *key)
{
    return (uint32_t)((key[field.word] >> field.shift) & field.mask);
}

static inline uint32_t pv_i_unpack(const pv_packing *packing, const uint64_t *key, size_t field)
{
    return pv_i_field_get(packing->fields[field], key);
}

/* Per attribute, a table from values to their shifted place in the key. */
typedef struct pv_recoding {
    uint64_t **tables; /* one per field */
    size_t n_tables;
} pv_recoding;

/* From dictionary codes to leaves. */
PV_CHECKED pv_status pv_i_recoding_of_codes(pv_recoding *recoding, const pv_packing *packing,
                                            const pv_study *study, pv_error *error);
/* From leaves to groups at the given levels. */
PV_CHECKED pv_status pv_i_recoding_of_levels(pv_recoding *recoding, const pv_packing *packing,
                                             const pv_study *study, const uint8_t *levels,
                                             pv_error *error);
void pv_i_recoding_deinit(pv_recoding *recoding);

/* -------------------------------------------------------------------- the map */

/* From packed keys to small numbers: an open-addressing map whose ids count up in order of first
 * appearance, so that the same keys in the same order always get the same ids.
 *
 *     slots  [0 3 0 0 1 2 ...]     id + 1 by hash; 0 = empty
 *     keys   [key 0][key 1]...     one after the other, in order of first appearance
 *
 * One word per key is the common case and has its own path. */
typedef struct pv_keymap {
    unsigned words;  /* per key; >= 1 */
    size_t n;        /* keys */
    size_t capacity; /* keys it can hold */
    uint64_t *keys;  /* n * words, in order of first appearance */
    uint32_t *slots; /* id + 1, 0 = empty; a power of two, at most half full */
    size_t slot_mask;
} pv_keymap;

/* The id of a failed insertion: no memory, or more than 2^32 - 2 keys. */
#define PV_KEYMAP_FULL UINT32_MAX

bool pv_i_keymap_init(pv_keymap *map, unsigned words, size_t expected);
void pv_i_keymap_deinit(pv_keymap *map);
/* Makes space for one more key. */
bool pv_i_keymap_grow(pv_keymap *map);
/* Forgets all but the first n keys. */
void pv_i_keymap_cut(pv_keymap *map, size_t n);

static inline uint64_t pv_i_key_hash(const uint64_t *key, unsigned words)
{
    return words == 1 ? pv_i_hash_u64(*key) : pv_i_hash_words(key, words);
}

static inline bool pv_i_key_equal(const uint64_t *a, const uint64_t *b, unsigned words)
{
    return words == 1 ? *a == *b : memcmp(a, b, words * sizeof *a) == 0;
}

/* Where `key` is, or where it would be added. */
static inline size_t pv_i_keymap_slot(const pv_keymap *map, const uint64_t *key)
{
    size_t slot = (size_t)pv_i_key_hash(key, map->words) & map->slot_mask;
    while (
        map->slots[slot] != 0 &&
        !pv_i_key_equal(map->keys + (size_t)(map->slots[slot] - 1) * map->words, key, map->words)) {
        slot = (slot + 1) & map->slot_mask;
    }
    return slot;
}

static inline bool pv_i_keymap_has(const pv_keymap *map, const uint64_t *key)
{
    return map->slots[pv_i_keymap_slot(map, key)] != 0;
}

/* The id of `key`, which is added if it is new. */
static inline uint32_t pv_i_keymap_add(pv_keymap *map, const uint64_t *key)
{
    if (map->n == map->capacity && !pv_i_keymap_grow(map)) {
        return PV_KEYMAP_FULL;
    }
    const size_t slot = pv_i_keymap_slot(map, key);
    if (map->slots[slot] != 0) {
        return map->slots[slot] - 1;
    }
    memcpy(map->keys + map->n * map->words, key, map->words * sizeof *key);
    map->slots[slot] = (uint32_t)++map->n;
    return (uint32_t)(map->n - 1);
}

/* -------------------------------------------------------------------- sorting */

/* The order in which n keys of `words` words ascend, word 0 most significant: order[0] is the index
 * of the smallest. Stable. False when memory runs out. */
bool pv_i_keys_order(const uint64_t *keys, size_t n, unsigned words, uint32_t *order);

/* Sorts plain numbers, ascending. False when memory runs out. */
bool pv_i_sort_u64(uint64_t *values, size_t n);

#endif
