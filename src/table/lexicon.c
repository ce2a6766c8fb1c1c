/* A growing lexicon: what happens when a text is new or long. */
#include "table/lexicon.h"

#include "base/hash.h"
#include "base/memory.h"

#define FIRST_SLOTS 64
#define SPARSE_SLOTS (1u << 16) /* up to here a sixteenth of the slots is used, beyond it half */

/* A NUL in front of something else, and nowhere: neither a short nor a long text. */
static const pv_key no_key = {{0, 1, 0, 0}};

/* Small dictionaries are sparse: a miss of the first slot is a branch that was not foreseen, and
 * 2^16 slots of 4 bytes still are in the second-level cache. Large ones are half full: there memory
 * decides. */
static uint32_t capacity_of(uint64_t slots)
{
    const uint64_t codes = slots <= SPARSE_SLOTS ? slots / 16 : slots / 2;
    return codes < PV_DICTIONARY_LIMIT ? (uint32_t)codes : PV_DICTIONARY_LIMIT;
}

static uint64_t slots_of(const pv_lexicon *d)
{
    return (UINT64_MAX >> d->shift) + 1;
}

/* A long key differs from a short one by a leading NUL and something after it. */
static bool is_long(const pv_key *key)
{
    return *(const char *)key == '\0' && key->words[0] != 0;
}

static uint64_t hash_of(const pv_key *key)
{
    return is_long(key) ? key->words[1] : pv_i_text_key_hash(*key);
}

size_t pv_i_key_length(const pv_key *key)
{
    return is_long(key) ? (size_t)(key->words[0] >> 8) : strnlen((const char *)key, PV_KEY_SIZE);
}

const char *pv_i_key_text(const pv_key *key)
{
    return is_long(key) ? (const char *)(uintptr_t)key->words[2] : (const char *)key;
}

bool pv_i_lexicon_init(pv_lexicon *lexicon, uint32_t expected)
{
    uint64_t n_slots = FIRST_SLOTS;
    while (capacity_of(n_slots) < expected) {
        n_slots *= 2;
    }
    const uint32_t capacity = capacity_of(n_slots);
    *lexicon = (pv_lexicon){
        .slots = PV_NEW_ZEROED(uint32_t, n_slots),
        .keys = PV_NEW_ARRAY(pv_key, (size_t)capacity + 1),
        .counts = PV_NEW_ARRAY(uint64_t, (size_t)capacity + 1),
        .shift = (unsigned)__builtin_clzll(n_slots) + 1,
        .capacity = capacity,
    };
    if (lexicon->slots == NULL || lexicon->keys == NULL || lexicon->counts == NULL) {
        pv_i_lexicon_deinit(lexicon);
        return false;
    }
    lexicon->keys[0] = no_key;
    return true;
}

void pv_i_lexicon_deinit(pv_lexicon *lexicon)
{
    pv_i_free(lexicon->slots);
    pv_i_free(lexicon->keys);
    pv_i_free(lexicon->counts);
    pv_i_arena_deinit(&lexicon->long_texts);
    *lexicon = (pv_lexicon){0};
}

static bool resize_arrays(pv_lexicon *d, uint32_t capacity)
{
    pv_key *const keys = pv_i_resize(d->keys, (size_t)capacity + 1, sizeof *keys);
    if (keys == NULL) {
        return false;
    }
    d->keys = keys;
    uint64_t *const counts = pv_i_resize(d->counts, (size_t)capacity + 1, sizeof *counts);
    if (counts == NULL) {
        return false;
    }
    d->counts = counts;
    return true;
}

/* Doubles the slots and places every code anew. */
static bool grow(pv_lexicon *d)
{
    const uint64_t n_slots = slots_of(d) * 2;
    if (!resize_arrays(d, capacity_of(n_slots))) {
        return false;
    }
    uint32_t *const slots = PV_NEW_ZEROED(uint32_t, n_slots);
    if (slots == NULL) {
        return false;
    }
    pv_i_free(d->slots);
    d->slots = slots;
    d->shift--;
    d->capacity = capacity_of(n_slots);
    for (uint32_t entry = 1; entry <= d->n; entry++) {
        uint64_t i = hash_of(&d->keys[entry]) >> d->shift;
        while (slots[i] != 0) {
            i = (i + 1) & (n_slots - 1);
        }
        slots[i] = entry;
    }
    return true;
}

static bool same_text(const pv_key *a, const pv_key *b)
{
    return a->words[0] == b->words[0] && a->words[1] == b->words[1] && is_long(a) &&
           memcmp(pv_i_key_text(a), pv_i_key_text(b), pv_i_key_length(a)) == 0;
}

/* The slot that holds the key, or the free one where it belongs. */
static uint64_t locate(const pv_lexicon *d, const pv_key *key)
{
    const bool wanted_is_long = is_long(key);
    const uint64_t last = UINT64_MAX >> d->shift;
    uint64_t i = hash_of(key) >> d->shift;
    while (d->slots[i] != 0) {
        const pv_key *const there = &d->keys[d->slots[i]];
        if (wanted_is_long ? same_text(there, key) : pv_i_text_key_equal(*there, *key)) {
            break;
        }
        i = (i + 1) & last;
    }
    return i;
}

/* Gives out the next code; `slot` is where the key belongs. */
static uint32_t append(pv_lexicon *d, uint64_t slot, const pv_key *key)
{
    if (d->n >= PV_DICTIONARY_LIMIT) {
        return PV_DICTIONARY_FULL;
    }
    if (d->n >= d->capacity) {
        if (!grow(d)) {
            return PV_DICTIONARY_NO_MEMORY;
        }
        slot = locate(d, key);
    }
    const uint32_t entry = ++d->n;
    d->keys[entry] = *key;
    d->counts[entry] = 0;
    d->slots[slot] = entry;
    return entry - 1;
}

void pv_i_lexicon_prefetch(const pv_lexicon *lexicon, const pv_key *key)
{
    __builtin_prefetch(&lexicon->slots[hash_of(key) >> lexicon->shift]);
}

uint32_t pv_i_lexicon_lookup(const pv_lexicon *lexicon, const pv_key *key)
{
    return lexicon->slots[locate(lexicon, key)] - 1; /* a free slot wraps to UINT32_MAX */
}

uint32_t pv_i_lexicon_add_key(pv_lexicon *lexicon, const pv_key *key)
{
    const uint64_t slot = locate(lexicon, key);
    const uint32_t found = lexicon->slots[slot];
    return found != 0 ? found - 1 : append(lexicon, slot, key);
}

static pv_key long_key(const char *text, size_t length)
{
    return (pv_key){
        .words = {(uint64_t)length << 8, pv_i_hash_bytes(text, length), (uintptr_t)text}};
}

pv_key pv_i_key_of(const char *text, size_t length)
{
    pv_key key = {{0}};
    if (length > PV_KEY_SIZE) {
        return long_key(text, length);
    }
    if (length > 0) {
        memcpy(&key, text, length);
    }
    return key;
}

static uint32_t add_long(pv_lexicon *d, const char *text, size_t length)
{
    pv_key key = long_key(text, length);
    const uint64_t slot = locate(d, &key);
    if (d->slots[slot] != 0) {
        return d->slots[slot] - 1;
    }
    const char *const copy = pv_i_arena_text(&d->long_texts, text, length);
    if (copy == NULL) {
        return PV_DICTIONARY_NO_MEMORY;
    }
    key.words[2] = (uintptr_t)copy;
    return append(d, slot, &key);
}

uint32_t pv_i_lexicon_add(pv_lexicon *lexicon, const char *text, size_t length)
{
    if (length > PV_KEY_SIZE) {
        return add_long(lexicon, text, length);
    }
    const pv_key key = pv_i_key_of(text, length);
    return pv_i_lexicon_add_key(lexicon, &key);
}
