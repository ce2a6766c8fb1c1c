/* Grouping by narrow keys.
 *
 * A roll-up generalizes one attribute. It is the best way where one or two have to be, or where the
 * lists in between serve other schemes, too. A scheme far above all that is cached needs one
 * roll-up per attribute, and on a wide table whose rows are nearly unique each of them moves the
 * whole table in keys of many words. So all attributes are generalized together instead. The key of
 * a group is made anew, of the bits that its new values need; attributes at `*` need none:
 *
 *     before   | limit 17 | age 6 | pay0 4 | ... | bill0 15 | bill1 15 | bill2 15 | ...   4 words
 *     after    |          | age 2 | pay0 1 |     | bill0 3  |          |          |       6 bits
 *
 * Narrow keys are numbered by a hash map, which adds up their rows; only the classes that come out
 * are spelled out in full and sorted. What is done per tuple takes a few nanoseconds for every
 * attribute that is not at `*`, everything else follows the classes.
 *
 * Keys that need more than 64 bits are numbered in rounds: the rank of what was numbered so far is
 * the most significant part of the next round's keys, so that numbers stay in the order of keys:
 *
 *     round 1   | age | zip | ...        | 64 bits      -> rank 0 .. 4711
 *     round 2   | rank | occupation | ...            |  -> rank ...
 */
#include "lattice/regroup.h"

#include "base/checked.h"
#include "base/memory.h"

#include <string.h>

/* Groups whose keys are made together: an attribute after the other, within the nearest cache. */
#define BLOCK ((size_t)512)
#define MOST_BITS 64u
/* Keys of so many bits are places in a table themselves; longer ones are hashed, into at least this
 * many slots. */
#define DIRECT_BITS 14u
#define FIRST_BITS 12u
/* So few are sorted by insertion. */
#define FEW 24
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* ------------------------------------------------------------------- steps */

static bool fill_map(pv_level_map *map, const pv_hierarchy *h, unsigned level)
{
    const uint32_t n_leaves = pv_hierarchy_leaves(h);
    map->n_groups = pv_hierarchy_groups(h, level);
    map->group = PV_NEW_ARRAY(uint32_t, n_leaves);
    map->first = level > 0 ? PV_NEW_ARRAY(uint32_t, map->n_groups) : NULL;
    if (map->group == NULL || (level > 0 && map->first == NULL)) {
        return false;
    }
    for (uint32_t leaf = n_leaves; leaf-- > 0;) {
        map->group[leaf] = pv_hierarchy_group(h, level, leaf);
        if (level > 0) {
            map->first[map->group[leaf]] = leaf;
        }
    }
    return true;
}

bool pv_i_steps_init(pv_steps *steps, const pv_layers *layers, const pv_lattice *lattice)
{
    const size_t n_axes = layers->n_axes;
    *steps = (pv_steps){.n_axes = n_axes,
                        .heights = PV_NEW_ZEROED(uint8_t, n_axes),
                        .maps = PV_NEW_ZEROED(pv_level_map *, n_axes),
                        .most_groups = 1};
    bool ready = steps->heights != NULL && steps->maps != NULL;
    for (size_t p = 0; ready && p < n_axes; p++) {
        const size_t axis = layers->order[p];
        const pv_hierarchy *const h = pv_study_hierarchy(layers->profile->study, axis);
        steps->heights[p] = lattice->heights[axis];
        steps->maps[p] = PV_NEW_ZEROED(pv_level_map, steps->heights[p] + 1u);
        ready = steps->maps[p] != NULL;
        for (unsigned level = 0; ready && level <= steps->heights[p]; level++) {
            pv_level_map *const map = &steps->maps[p][level];
            ready = fill_map(map, h, pv_i_lattice_real(lattice, axis, level));
            if (ready && map->first != NULL && map->n_groups > steps->most_groups) {
                steps->most_groups = map->n_groups;
            }
        }
    }
    return ready;
}

void pv_i_steps_deinit(pv_steps *steps)
{
    for (size_t p = 0; steps->maps != NULL && p < steps->n_axes; p++) {
        for (unsigned level = 0; steps->maps[p] != NULL && level <= steps->heights[p]; level++) {
            pv_i_free(steps->maps[p][level].group);
            pv_i_free(steps->maps[p][level].first);
        }
        pv_i_free(steps->maps[p]);
    }
    pv_i_free(steps->heights);
    pv_i_free(steps->maps);
    *steps = (pv_steps){0};
}

/* Levels are nested: any leaf of an old group gives its new one. */
const uint32_t *pv_i_steps_between(const pv_steps *steps, size_t position, unsigned from,
                                   unsigned to, uint32_t *space)
{
    const pv_level_map *const below = &steps->maps[position][from];
    const pv_level_map *const above = &steps->maps[position][to];
    if (below->first == NULL) {
        return above->group;
    }
    for (uint32_t g = 0; g < below->n_groups; g++) {
        space[g] = above->group[below->first[g]];
    }
    return space;
}

/* ------------------------------------------------------------------ fields */

/* A part of the key that is still needed. */
typedef struct pv_regroup_field {
    pv_field field;       /* where it is in full keys */
    const uint32_t *step; /* NULL = it stays as it is */
    unsigned bits;        /* of its new values */
} key_part;

void pv_i_regroup_scratch_deinit(pv_regroup_scratch *scratch)
{
    pv_i_free(scratch->fields);
    pv_i_free(scratch->steps);
    pv_i_free(scratch->narrow);
    pv_i_free(scratch->ids);
    pv_i_free(scratch->slots);
    pv_i_free(scratch->keys);
    pv_i_free(scratch->first);
    pv_i_free(scratch->rows);
    pv_i_free(scratch->order);
    pv_i_free(scratch->rank);
    *scratch = (pv_regroup_scratch){0};
}

static bool reserve(pv_regroup_scratch *s, const pv_steps *steps, size_t n)
{
    if (s->fields == NULL) {
        s->fields = PV_NEW_ARRAY(key_part, steps->n_axes + 1);
        s->steps = PV_NEW_ARRAY(uint32_t, steps->n_axes * (size_t)steps->most_groups);
        s->narrow = PV_NEW_ARRAY(uint64_t, BLOCK);
        if (s->fields == NULL || s->steps == NULL || s->narrow == NULL) {
            pv_i_regroup_scratch_deinit(s);
            return false;
        }
    }
    return pv_i_reserve((void **)&s->ids, &s->ids_capacity, n, sizeof *s->ids);
}

/* What the new keys are made of, the most significant first. */
static size_t list_fields(pv_regroup_scratch *s, const pv_layer *layer, const pv_steps *steps,
                          const uint8_t *below, const uint8_t *path)
{
    size_t n = 0;
    for (size_t p = 0; p < steps->n_axes; p++) {
        const uint32_t n_groups = steps->maps[p][path[p]].n_groups;
        if (n_groups > 1) {
            uint32_t *const space = s->steps + p * (size_t)steps->most_groups;
            s->fields[n++] =
                (key_part){.field = layer->fields[p],
                           .step = below[p] == path[p]
                                       ? NULL
                                       : pv_i_steps_between(steps, p, below[p], path[p], space),
                           .bits = pv_i_bits_for(n_groups)};
        }
    }
    if (layer->value.mask != 0) {
        s->fields[n++] =
            (key_part){.field = layer->value, .bits = pv_i_bits_for(layer->histogram->n_codes)};
    }
    return n;
}

static inline uint64_t value_of(const key_part *part, const uint64_t *key)
{
    const uint32_t value = pv_i_field_get(part->field, key);
    return part->step != NULL ? part->step[value] : value;
}

/* Pushes the part into the keys of a block. */
static void add_part(const key_part *part, const pv_groups *from, size_t start, size_t n,
                     uint64_t *narrow)
{
    const unsigned words = from->words;
    const uint64_t *const word = from->keys + start * words + part->field.word;
    const unsigned shift = part->field.shift;
    const uint64_t mask = part->field.mask;
    const unsigned bits = part->bits;
    const uint32_t *const step = part->step;
    if (step == NULL) {
        for (size_t i = 0; i < n; i++) {
            narrow[i] = narrow[i] << bits | ((word[i * words] >> shift) & mask);
        }
    } else {
        for (size_t i = 0; i < n; i++) {
            narrow[i] = narrow[i] << bits | step[(word[i * words] >> shift) & mask];
        }
    }
}

/* ------------------------------------------------------------------ numbers */

/* Space for the numbers that a block may add. */
static bool reserve_numbers(pv_regroup_scratch *s)
{
    const size_t n = s->n + BLOCK;
    if (n <= s->numbers_capacity) {
        return true;
    }
    size_t keys = s->numbers_capacity;
    size_t first = keys;
    size_t rows = keys;
    size_t order = keys;
    return pv_i_reserve((void **)&s->keys, &keys, n, sizeof *s->keys) &&
           pv_i_reserve((void **)&s->first, &first, n, sizeof *s->first) &&
           pv_i_reserve((void **)&s->rows, &rows, n, sizeof *s->rows) &&
           pv_i_reserve((void **)&s->order, &order, n, sizeof *s->order) &&
           pv_i_reserve((void **)&s->rank, &s->numbers_capacity, n, sizeof *s->rank);
}

/* Keys of few bits are places themselves. Others are spread by a multiplication (Knuth, vol. 3,
 * 6.4), whose highest bits are the best. */
ALWAYS_INLINE size_t place_of(uint64_t key, unsigned bits, bool direct)
{
    return (size_t)(direct ? key : key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

/* Where the key is, or where it would be added. */
ALWAYS_INLINE size_t find_slot(const pv_regroup_scratch *s, uint64_t key, bool direct)
{
    size_t slot = place_of(key, s->slot_bits, direct);
    while (!direct && s->slots[slot] != 0 && s->keys[s->slots[slot] - 1] != key) {
        slot = (slot + 1) & (((size_t)1 << s->slot_bits) - 1);
    }
    return slot;
}

/* At least twice as many slots as numbers, those of the next block included. */
static bool reserve_slots(pv_regroup_scratch *s, unsigned bits, bool direct)
{
    const size_t n_slots = (size_t)1 << bits;
    if (n_slots > s->n_slots) {
        uint32_t *const slots = PV_NEW_ZEROED(uint32_t, n_slots);
        if (slots == NULL) {
            return false;
        }
        pv_i_free(s->slots);
        s->slots = slots;
        s->n_slots = n_slots;
    } else if (s->n > 0) {
        memset(s->slots, 0, n_slots * sizeof *s->slots);
    }
    s->slot_bits = bits;
    for (size_t i = 0; i < s->n; i++) {
        s->slots[find_slot(s, s->keys[i], direct)] = (uint32_t)(i + 1);
    }
    return true;
}

/* All slots are 0 again. */
static void forget(pv_regroup_scratch *s, bool direct)
{
    const size_t n_slots = (size_t)1 << s->slot_bits;
    if (s->n > n_slots / 16 || !direct) {
        memset(s->slots, 0, n_slots * sizeof *s->slots);
        return;
    }
    for (size_t i = 0; i < s->n; i++) {
        s->slots[s->keys[i]] = 0;
    }
}

/* Numbers the keys of a block and adds up their rows. */
ALWAYS_INLINE void number_block(pv_regroup_scratch *s, const pv_groups *from, size_t start,
                                size_t n, bool direct)
{
    const uint32_t *const counts = from->counts + start;
    uint32_t *const ids = s->ids + start;
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = s->narrow[i];
        const size_t slot = find_slot(s, key, direct);
        uint32_t id = s->slots[slot];
        if (id == 0) {
            s->keys[s->n] = key;
            s->first[s->n] = (uint32_t)(start + i);
            s->rows[s->n] = 0;
            id = s->slots[slot] = (uint32_t)++s->n;
        }
        s->rows[id - 1] += counts[i];
        ids[i] = id - 1;
    }
}

static bool sort_numbers(pv_regroup_scratch *s)
{
    if (s->n > FEW) {
        return pv_i_keys_order(s->keys, s->n, 1, s->order);
    }
    for (size_t i = 0; i < s->n; i++) {
        size_t j = i;
        for (; j > 0 && s->keys[s->order[j - 1]] > s->keys[i]; j--) {
            s->order[j] = s->order[j - 1];
        }
        s->order[j] = (uint32_t)i;
    }
    return true;
}

/* The keys of one block: ranks of what came before, and the fields of this round. */
static void make_keys(pv_regroup_scratch *s, const pv_groups *from, size_t start, size_t n,
                      bool ranked, size_t begin, size_t end)
{
    for (size_t i = 0; i < n; i++) {
        s->narrow[i] = ranked ? s->rank[s->ids[start + i]] : 0;
    }
    for (size_t i = begin; i < end; i++) {
        add_part(&s->fields[i], from, start, n, s->narrow);
    }
}

/* One round: the fields from `*part` on, as many as fit beside the ranks of the round before. */
static bool do_round(pv_regroup_scratch *s, const pv_groups *from, size_t n_parts, size_t *part)
{
    const bool ranked = *part > 0;
    const size_t begin = *part;
    unsigned bits = ranked ? pv_i_bits_for(s->n) : 0;
    for (; *part < n_parts && bits + s->fields[*part].bits <= MOST_BITS; ++*part) {
        bits += s->fields[*part].bits;
    }
    const bool direct = bits <= DIRECT_BITS;
    s->n = 0;
    if (!reserve_slots(s, direct ? DIRECT_BITS : FIRST_BITS, direct)) {
        return false;
    }
    bool ready = true;
    for (size_t start = 0; ready && start < from->n; start += BLOCK) {
        const size_t n = from->n - start < BLOCK ? from->n - start : BLOCK;
        make_keys(s, from, start, n, ranked, begin, *part);
        ready = reserve_numbers(s) && (direct || 2 * (s->n + n) <= (size_t)1 << s->slot_bits ||
                                       reserve_slots(s, s->slot_bits + 2, false));
        if (ready && direct) {
            number_block(s, from, start, n, true);
        } else if (ready) {
            number_block(s, from, start, n, false);
        }
    }
    forget(s, direct);
    return ready && sort_numbers(s);
}

/* Spells out the classes. */
static bool write_groups(const pv_regroup_scratch *s, const pv_groups *from, size_t n_parts,
                         pv_groups *to)
{
    const unsigned words = from->words;
    if (!pv_i_groups_reserve(to, s->n, words)) {
        return false;
    }
    memset(to->keys, 0, s->n * words * sizeof *to->keys);
    for (size_t i = 0; i < s->n; i++) {
        const uint32_t id = s->order[i];
        const uint64_t *const key = from->keys + (size_t)s->first[id] * words;
        uint64_t *const new_key = to->keys + i * words;
        for (size_t j = 0; j < n_parts; j++) {
            const key_part *const part = &s->fields[j];
            new_key[part->field.word] |= value_of(part, key) << part->field.shift;
        }
        to->counts[i] = s->rows[id];
    }
    to->n = s->n;
    return true;
}

bool pv_i_regroup(const pv_groups *from, const pv_layer *layer, const pv_steps *steps,
                  const uint8_t *below, const uint8_t *path, pv_groups *to,
                  pv_regroup_scratch *scratch)
{
    pv_regroup_scratch *const s = scratch;
    if (!reserve(s, steps, from->n)) {
        return false;
    }
    const size_t n_parts = list_fields(s, layer, steps, below, path);
    size_t part = 0;
    do {
        for (size_t i = 0; part > 0 && i < s->n; i++) {
            s->rank[s->order[i]] = (uint32_t)i;
        }
        if (!do_round(s, from, n_parts, &part)) {
            return false;
        }
    } while (part < n_parts);
    return write_groups(s, from, n_parts, to);
}
