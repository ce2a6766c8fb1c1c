/* From packed keys to small numbers: an open-addressing map whose ids count up in order of first
 * appearance, so that the same keys in the same order always get the same ids.
 *
 * A key is a fixed number of 64-bit words; one word is the common case and has its own path. */
#ifndef PV_CLASSES_KEYMAP_H
#define PV_CLASSES_KEYMAP_H

#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct pv_keymap {
    unsigned words;  /* per key; >= 1 */
    size_t n;        /* keys */
    size_t capacity; /* keys there is room for */
    uint64_t *keys;  /* n * words, in order of first appearance */
    uint32_t *slots; /* id + 1, 0 = empty; a power of two, at most half full */
    size_t slot_mask;
} pv_keymap;

/* The id of a failed insertion: no memory, or more than 2^32 - 2 keys. */
#define PV_KEYMAP_FULL UINT32_MAX

bool pv_i_keymap_init(pv_keymap *map, unsigned words, size_t expected);
void pv_i_keymap_deinit(pv_keymap *map);
/* Makes room for one more key. */
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

#endif
