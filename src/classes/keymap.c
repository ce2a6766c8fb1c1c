/* Growth of the key map: keys double, and every key finds its slot anew. */
#include "classes/keymap.h"

#include "base/checked.h"
#include "base/memory.h"

#define FEWEST_KEYS ((size_t)64)
#define MOST_KEYS ((size_t)UINT32_MAX - 1)

static void place_all(pv_keymap *map)
{
    memset(map->slots, 0, (map->slot_mask + 1) * sizeof *map->slots);
    for (size_t id = 0; id < map->n; id++) {
        size_t slot =
            (size_t)pv_i_key_hash(map->keys + id * map->words, map->words) & map->slot_mask;
        while (map->slots[slot] != 0) {
            slot = (slot + 1) & map->slot_mask;
        }
        map->slots[slot] = (uint32_t)(id + 1);
    }
}

static bool resize(pv_keymap *map, size_t capacity)
{
    size_t n_slots;
    size_t n_words;
    if (!pv_i_mul_size(capacity, 2, &n_slots) || !pv_i_mul_size(capacity, map->words, &n_words)) {
        return false;
    }
    uint64_t *const keys = pv_i_resize(map->keys, n_words, sizeof *keys);
    if (keys == NULL) {
        return false;
    }
    map->keys = keys;
    uint32_t *const slots = PV_NEW_ARRAY(uint32_t, n_slots);
    if (slots == NULL) {
        return false;
    }
    pv_i_free(map->slots);
    map->slots = slots;
    map->slot_mask = n_slots - 1;
    map->capacity = capacity;
    place_all(map);
    return true;
}

bool pv_i_keymap_init(pv_keymap *map, unsigned words, size_t expected)
{
    *map = (pv_keymap){.words = words};
    const size_t wanted = expected < FEWEST_KEYS ? FEWEST_KEYS : expected;
    if (wanted > MOST_KEYS || !resize(map, (size_t)pv_i_next_power(wanted))) {
        pv_i_keymap_deinit(map);
        return false;
    }
    return true;
}

void pv_i_keymap_deinit(pv_keymap *map)
{
    pv_i_free(map->keys);
    pv_i_free(map->slots);
    *map = (pv_keymap){0};
}

bool pv_i_keymap_grow(pv_keymap *map)
{
    return map->n < MOST_KEYS && resize(map, map->capacity * 2);
}

void pv_i_keymap_cut(pv_keymap *map, size_t n)
{
    map->n = n;
    place_all(map);
}
