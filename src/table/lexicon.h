/* A lexicon, the growing dictionary of a column: text in, code out, codes 0, 1, 2... in order of
 * first appearance.
 *
 *     slots  [0 3 0 0 1 2 ...]          open addressing: index of an entry, 0 = free
 *     keys   [none][32 bytes][32 bytes] one per entry; entry i + 1 has code i
 *     counts [-][n][n]                  how often each was seen
 *
 * Texts of up to 32 bytes are their own key, padded with zeros: since no text holds a NUL, equal
 * keys are equal texts and nothing else has to be compared. A longer text lives in the arena and
 * its key begins with a NUL byte, which no short text but the empty one does. Entry 0 holds a key
 * that no text has: a free slot needs no test of its own in the hot loop. */
#ifndef PV_TABLE_LEXICON_H
#define PV_TABLE_LEXICON_H

#include "base/arena.h"

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PV_KEY_SIZE 32

typedef struct pv_key {
    uint64_t words[4]; /* long text: length << 8, hash, address */
} pv_key;

/* Zero-initialised = empty, but pv_i_lexicon_init must be called before use. */
typedef struct pv_lexicon {
    uint32_t *slots;
    pv_key *keys;
    uint64_t *counts;
    unsigned shift;    /* 64 - log2(number of slots) */
    uint32_t n;        /* codes given out */
    uint32_t capacity; /* codes it can hold before it grows */
    pv_arena long_texts;
} pv_lexicon;

/* Ready for about `expected` codes; it grows as needed. False = no memory. */
PV_CHECKED bool pv_i_lexicon_init(pv_lexicon *lexicon, uint32_t expected);
void pv_i_lexicon_deinit(pv_lexicon *lexicon);

#define PV_DICTIONARY_FULL UINT32_MAX /* no code left */
#define PV_DICTIONARY_NO_MEMORY (UINT32_MAX - 1)
#define PV_DICTIONARY_LIMIT (UINT32_MAX - 2) /* largest number of codes */

/* The code of a text, given one if it is new, or one of the two failures above. Does not count. */
uint32_t pv_i_lexicon_add(pv_lexicon *lexicon, const char *text, size_t length);
/* The same for a key of another lexicon, whose long texts must stay alive. */
uint32_t pv_i_lexicon_add_key(pv_lexicon *lexicon, const pv_key *key);

/* The code of a key of any lexicon, or UINT32_MAX. */
uint32_t pv_i_lexicon_lookup(const pv_lexicon *lexicon, const pv_key *key);

/* The key of a text, which must stay alive. */
pv_key pv_i_key_of(const char *text, size_t length);
/* The text of a key: its length, and where it is (in the key itself, or elsewhere). */
size_t pv_i_key_length(const pv_key *key);
const char *pv_i_key_text(const pv_key *key);

static inline const pv_key *pv_i_lexicon_key(const pv_lexicon *lexicon, uint32_t code)
{
    return &lexicon->keys[(size_t)code + 1];
}

/* Starts fetching what a lookup of the key will need. */
void pv_i_lexicon_prefetch(const pv_lexicon *lexicon, const pv_key *key);

static inline uint64_t pv_i_lexicon_count(const pv_lexicon *lexicon, uint32_t code)
{
    return lexicon->counts[(size_t)code + 1];
}

/* The parts of a lookup, for the loop that encodes columns ------------------------------------- */

static const _Alignas(64) uint8_t pv_i_key_masks[2 * PV_KEY_SIZE] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/* PV_KEY_SIZE bytes of which the first `length` are ones and the others zeros. */
static inline const uint8_t *pv_i_key_mask(size_t length)
{
    return pv_i_key_masks + PV_KEY_SIZE - length;
}

#define PV_KEY_SALT_0 UINT64_C(0x243f6a8885a308d3) /* digits of pi */
#define PV_KEY_SALT_1 UINT64_C(0x13198a2e03707344)

/* Sixteen bytes to a hash: one wide multiplication. */
static inline uint64_t pv_i_key_mix(uint64_t a, uint64_t b)
{
    const unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* The upper 16 bytes, turned by four, are laid over the lower ones. */
static inline uint64_t pv_i_text_key_hash(pv_key key)
{
    const uint64_t *const w = key.words;
    return pv_i_key_mix(w[0] ^ (w[2] >> 32 | w[3] << 32) ^ PV_KEY_SALT_0,
                        w[1] ^ (w[3] >> 32 | w[2] << 32) ^ PV_KEY_SALT_1);
}

static inline bool pv_i_text_key_equal(pv_key a, pv_key b)
{
    return ((a.words[0] ^ b.words[0]) | (a.words[1] ^ b.words[1]) | (a.words[2] ^ b.words[2]) |
            (a.words[3] ^ b.words[3])) == 0;
}

#endif
