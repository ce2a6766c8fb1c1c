/* Laying out packed keys, the lookup tables that fill them, the growth of the map, and sorting.
 *
 * A field never crosses a word: unpacking stays a shift and a mask, and the few bits lost at the
 * end of a word cost less than a second load. An attribute with one value has a field of no bits.
 *
 * Recoding a tuple is an OR of table lookups, one per attribute, which hold values already shifted
 * into their field: the inner loop of grouping has no multiplication and no branch. */
#include "classes/keys.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* -------------------------------------------------------- layout and recoding */

/* From the highest bit down, so that the first attribute is the most significant part of the key.
 */
pv_status pv_i_packing_of_sizes(pv_packing *packing, const uint32_t *sizes, size_t n,
                                pv_error *error)
{
    pv_field *const fields = PV_NEW_ZEROED(pv_field, n);
    if (fields == NULL) {
        return pv_i_no_memory(error);
    }
    uint32_t word = 0;
    unsigned used = 0;
    for (size_t i = 0; i < n; i++) {
        const unsigned bits = pv_i_bits_for(sizes[i]);
        if (used + bits > 64) {
            word++;
            used = 0;
        }
        used += bits;
        fields[i].word = word;
        fields[i].shift = (uint8_t)(bits > 0 ? 64 - used : 0);
        fields[i].mask = ((uint64_t)1 << bits) - 1;
    }
    *packing = (pv_packing){.words = word + 1, .n_fields = n, .fields = fields};
    return PV_STATUS_OK;
}

/* Wide enough for leaves, and so for groups of any level. */
pv_status pv_i_packing_init(pv_packing *packing, const pv_study *study, pv_error *error)
{
    const size_t n = pv_study_quasis(study);
    uint32_t *const sizes = PV_NEW_ARRAY(uint32_t, n);
    if (sizes == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        sizes[i] = pv_hierarchy_leaves(pv_study_hierarchy(study, i));
    }
    const pv_status status = pv_i_packing_of_sizes(packing, sizes, n, error);
    pv_i_free(sizes);
    return status;
}

void pv_i_packing_deinit(pv_packing *packing)
{
    pv_i_free(packing->fields);
    *packing = (pv_packing){0};
}

/* Zero-initialised is fine. */
void pv_i_recoding_deinit(pv_recoding *recoding)
{
    for (size_t i = 0; recoding->tables != NULL && i < recoding->n_tables; i++) {
        pv_i_free(recoding->tables[i]);
    }
    pv_i_free(recoding->tables);
    *recoding = (pv_recoding){0};
}

/* From codes to leaves, or, with levels, from leaves to groups: either has as many values as there
 * are leaves. */
static pv_status fill_tables(pv_recoding *recoding, const pv_packing *packing,
                             const pv_study *study, const uint8_t *levels, pv_error *error)
{
    const size_t n = pv_study_quasis(study);
    *recoding = (pv_recoding){.tables = PV_NEW_ZEROED(uint64_t *, n), .n_tables = n};
    bool ready = recoding->tables != NULL;
    for (size_t i = 0; ready && i < n; i++) {
        const pv_hierarchy *const h = pv_study_hierarchy(study, i);
        uint64_t *const table = PV_NEW_ARRAY(uint64_t, pv_hierarchy_leaves(h));
        recoding->tables[i] = table;
        ready = table != NULL;
        for (uint32_t v = 0; ready && v < pv_hierarchy_leaves(h); v++) {
            const uint32_t to =
                levels != NULL ? pv_hierarchy_group(h, levels[i], v) : pv_hierarchy_leaf(h, v);
            table[v] = (uint64_t)to << packing->fields[i].shift;
        }
    }
    if (!ready) {
        pv_i_recoding_deinit(recoding);
    }
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}

pv_status pv_i_recoding_of_codes(pv_recoding *recoding, const pv_packing *packing,
                                 const pv_study *study, pv_error *error)
{
    return fill_tables(recoding, packing, study, NULL, error);
}

pv_status pv_i_recoding_of_levels(pv_recoding *recoding, const pv_packing *packing,
                                  const pv_study *study, const uint8_t *levels, pv_error *error)
{
    return fill_tables(recoding, packing, study, levels, error);
}

/* -------------------------------------------------------------------- the map
 *
 * Keys are never moved once they have an id, only slots are: growing is one pass over the keys, and
 * an id stays good for the lifetime of the map. Both arrays double, so that n keys cost O(n)
 * in all. */

#define FEWEST_KEYS ((size_t)64)
#define MOST_KEYS ((size_t)UINT32_MAX - 1)

/* At most half of the slots are taken: with linear probing a search then looks at 1.5 slots on
 * average if the key is there and 2.5 if it is not (Knuth, vol. 3, 6.4). */
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

/* The slots are made anew, the keys only move if realloc moves them. On failure the map is as it
 * was. */
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

/* For whoever entered a batch that then failed: ids beyond n are free again. */
void pv_i_keymap_cut(pv_keymap *map, size_t n)
{
    map->n = n;
    place_all(map);
}

/* -------------------------------------------------------------------- sorting */

/* Radix sort of packed keys, least significant digit first: each pass is stable, so after the pass
 * over the most significant digit all of them are in order. O(n) per digit; digits in which all
 * keys agree are skipped, so that only the bits really used cost anything. The order is sorted, not
 * the keys: an index is four bytes, a key may be several words.
 *
 *     digit 0      3 1 3 0          starts: 0 -> 0, 1 -> 1, 3 -> 2       (how many are smaller)
 *     order        a b c d    ->    d b a c                              a before c, as they came
 *
 * 11 bits a digit: six passes over 64 bits, and 2048 counters of 8 bytes fit into the nearest
 * cache. */

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

/* One pass: count, add up, place. The second reading of a digit is cheaper than storing it. */
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

bool pv_i_keys_order(const uint64_t *keys, size_t n, unsigned words, uint32_t *order)
{
    const key_array a = {.keys = keys, .n = n, .words = words};
    uint32_t *const spare = PV_NEW_ARRAY(uint32_t, n);
    size_t *const starts = PV_NEW_ARRAY(size_t, DIGITS);
    const bool ready = spare != NULL && starts != NULL;
    uint32_t *from = order;
    uint32_t *to = spare;
    for (size_t i = 0; ready && i < n; i++) {
        order[i] = (uint32_t)i;
    }
    for (unsigned word = words; ready && word-- > 0;) {
        const uint64_t varying = varying_bits(&a, word);
        for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
            if (((varying >> shift) & (DIGITS - 1)) != 0) {
                sort_by_digit(&a, word, shift, from, to, starts);
                uint32_t *const sorted = to;
                to = from;
                from = sorted;
            }
        }
    }
    if (from != order) {
        memcpy(order, from, n * sizeof *order);
    }
    pv_i_free(spare);
    pv_i_free(starts);
    return ready;
}

/* ------------------------------------------------------------------ numbers */

/* The same for plain numbers, which are moved themselves: no indices, one load less per digit. */
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
            memset(starts, 0, DIGITS * sizeof *starts);
            for (size_t i = 0; i < n; i++) {
                starts[(size_t)(from[i] >> shift) & (DIGITS - 1)]++;
            }
            add_up(starts);
            for (size_t i = 0; i < n; i++) {
                to[starts[(size_t)(from[i] >> shift) & (DIGITS - 1)]++] = from[i];
            }
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
