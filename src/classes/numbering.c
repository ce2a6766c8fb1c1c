/* Shares of rows, a directory of keys for each, and their merging.
 *
 *     share 0   rows 0 ..        keys a b a c ...   local numbers 0 1 0 2 ...   directory {a b c}
 *     share 1   rows n/2 ..      keys c d c a ...   local numbers 0 1 0 2 ...   directory {c d a}
 *                                                                                    |
 *     merged    directory {a b c d}; share 1's map from local to final numbers: [2 3 0]
 *
 * Going through the shares in order, the keys that a share adds are those that appear for the first
 * time in the table there: numbers count up in order of first appearance, as if one thread had done
 * it all.
 *
 * A directory finds a key in one of two ways. With few possible keys, compared with the rows, each
 * has a place of its own, indexed by the key: no hashing, no comparison. Otherwise an
 * open-addressing table of slots, which hold the key itself beside its number, so that a hit
 * touches one cache line; the slots of keys to come are prefetched, as they soon are more than the
 * caches hold. It is not the key map of keys.h, whose slots hold numbers only: that one is smaller
 * and better where keys are few or met once. */
#include "classes/numbering.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <assert.h>

/* Possible keys up to which each has its place: they stay in the nearer caches ... */
#define MOST_PLACES ((uint64_t)1 << 21)
/* ... and there are so many rows for each of them. */
#define ROWS_PER_PLACE 4
/* Rows for each slot there is from the start. */
#define ROWS_PER_SLOT 64
#define MANY_SLOTS ((size_t)1 << 19)
/* Keys ahead that are fetched: slots are more than the nearer caches hold. */
#define AHEAD 16

/* 16 bytes, four to a cache line: all that is looked at for a row whose key is known. */
typedef struct {
    uint64_t tag;    /* the key, or the hash of one of several words */
    uint32_t number; /* + 1; 0 = empty */
    uint32_t more;   /* rows that are not in the account yet */
} slot;

/* The distinct keys of a share. */
typedef struct {
    unsigned words;
    size_t n;
    uint64_t *keys; /* n * words */
    size_t keys_capacity;
    pv_key_rows *rows; /* of each key: the account */
    size_t rows_capacity;
    /* How a key is found: every possible one has its place, number + 1, ... */
    uint32_t *places;
    unsigned unused; /* by the bits above the lowest, which are always 0 */
    /* ... or a slot, of which at most two thirds are taken. */
    slot *slots;
    size_t mask;
} directory;

struct pv_numbering_share {
    uint64_t begin, end; /* rows */
    directory found;
    uint64_t *keys;  /* of a chunk of rows */
    uint32_t *codes; /* for as many */
    uint32_t *final; /* from local number to final one; NULL = they are final */
    size_t n_local;  /* local numbers */
};

/* -------------------------------------------------------------- directories */

/* Zeroed by hand: memory that is read before it is written to comes twice from the system
 * otherwise, and interrupts all threads the second time. */
static void *new_zeros(size_t n, size_t size)
{
    void *const zeros = pv_i_array(n, size);
    if (zeros != NULL) {
        memset(zeros, 0, n * size);
    }
    return zeros;
}

/* Which way it is depends on the possible keys alone, not on the data: a place per key where they
 * are few beside the rows, slots otherwise, at first for few keys: a table of millions of rows may
 * have a thousand distinct ones. */
static bool directory_init(directory *d, const pv_numbering *numbering, uint64_t n_rows)
{
    const unsigned bits = 64 - numbering->unused;
    const uint64_t n_places = numbering->words == 1 && bits < 64 ? (uint64_t)1 << bits : UINT64_MAX;
    d->words = numbering->words;
    d->unused = numbering->unused;
    if (n_places <= MOST_PLACES && n_places <= n_rows / ROWS_PER_PLACE) {
        d->places = new_zeros(n_places, sizeof *d->places);
        return d->places != NULL;
    }
    d->mask = (size_t)pv_i_next_power(PV_CHUNK_ROWS + n_rows / ROWS_PER_SLOT) - 1;
    d->slots = new_zeros(d->mask + 1, sizeof *d->slots);
    return d->slots != NULL;
}

static void directory_deinit(directory *d)
{
    pv_i_free(d->keys);
    pv_i_free(d->rows);
    pv_i_free(d->places);
    pv_i_free(d->slots);
    *d = (directory){0};
}

/* The next number, to a key that has none. */
static bool enter(directory *d, const uint64_t *key, uint64_t first)
{
    if (d->n >= PV_KEYMAP_FULL - 1 ||
        !pv_i_reserve((void **)&d->keys, &d->keys_capacity, (d->n + 1) * d->words,
                      sizeof *d->keys) ||
        !pv_i_reserve((void **)&d->rows, &d->rows_capacity, d->n + 1, sizeof *d->rows)) {
        return false;
    }
    memcpy(d->keys + d->n * d->words, key, d->words * sizeof *key);
    d->rows[d->n++] = (pv_key_rows){.first = first};
    return true;
}

/* ------------------------------------------------------------------- slots */

static inline uint64_t tag_of(const directory *d, const uint64_t *key)
{
    return d->words == 1 ? *key : pv_i_hash_words(key, d->words);
}

/* The tag of one word is the key itself, so it is hashed here; one of several words is a hash
 * already, and hashing it again costs little beside the miss that follows. */
static inline slot *home_of(const directory *d, uint64_t tag)
{
    return &d->slots[pv_i_hash_u64(tag) & d->mask];
}

static inline slot *next_to(const directory *d, const slot *s)
{
    return &d->slots[(size_t)(s - d->slots + 1) & d->mask];
}

/* A tag of several words is a hash: equal ones are mostly, not always, equal keys. */
static inline bool holds(const directory *d, const slot *s, uint64_t tag, const uint64_t *key)
{
    return s->tag == tag &&
           (d->words == 1 ||
            pv_i_key_equal(d->keys + (size_t)(s->number - 1) * d->words, key, d->words));
}

/* Four times the slots while there are few, so that keys do not move often, then twice: the memory
 * would be felt. Numbers and accounts stay as they were, only slots move. */
static bool spread_out(directory *d)
{
    slot *const old = d->slots;
    const size_t n = d->mask + 1;
    const size_t times = n < MANY_SLOTS ? 4 : 2;
    slot *const slots = n <= SIZE_MAX / times ? new_zeros(times * n, sizeof *slots) : NULL;
    if (slots == NULL) {
        return false;
    }
    d->slots = slots;
    d->mask = times * n - 1;
    for (size_t i = 0; i < n; i++) {
        slot *to = old[i].number != 0 ? home_of(d, old[i].tag) : NULL;
        while (to != NULL && to->number != 0) {
            to = next_to(d, to);
        }
        if (to != NULL) {
            *to = old[i];
        }
    }
    pv_i_free(old);
    return true;
}

/* Linear probing: neighbours are in the same cache line. Ends at the key or at the first free slot,
 * which there always is. */
static inline slot *find_slot(const directory *d, uint64_t tag, const uint64_t *key)
{
    slot *s = home_of(d, tag);
    while (s->number != 0 && !holds(d, s, tag, key)) {
        s = next_to(d, s);
    }
    return s;
}

/* Where the account is too small for all rows, some are written down early. */
static void note(directory *d, slot *s, uint64_t n)
{
    if (n > UINT32_MAX - s->more) {
        d->rows[s->number - 1].n += s->more;
        s->more = 0;
    }
    if (n > UINT32_MAX) {
        d->rows[s->number - 1].n += n;
    } else {
        s->more += (uint32_t)n;
    }
}

/* What slots still hold goes into the account of each key: once per share, and once after merging.
 */
static void close_accounts(directory *d)
{
    for (size_t i = 0; d->slots != NULL && i <= d->mask; i++) {
        if (d->slots[i].more > 0) {
            d->rows[d->slots[i].number - 1].n += d->slots[i].more;
            d->slots[i].more = 0;
        }
    }
}

/* --------------------------------------------------------------------- keys */

/* Growing moves slots, so the place is looked for again; that is rare. */
static uint32_t add_to_slots(directory *d, const uint64_t *key, pv_key_rows rows)
{
    const uint64_t tag = tag_of(d, key);
    slot *s = find_slot(d, tag, key);
    if (s->number == 0) {
        if (3 * d->n >= 2 * d->mask) { /* two thirds are taken: probes get long */
            if (!spread_out(d)) {
                return PV_KEYMAP_FULL;
            }
            s = find_slot(d, tag, key);
        }
        if (!enter(d, key, rows.first)) {
            return PV_KEYMAP_FULL;
        }
        *s = (slot){.tag = tag, .number = (uint32_t)d->n};
    }
    note(d, s, rows.n);
    return s->number - 1;
}

/* Merging only; rows of a share are numbered by the loop below. */
static uint32_t add_to_places(directory *d, const uint64_t *key, pv_key_rows rows)
{
    uint32_t *const place = &d->places[*key >> d->unused];
    if (*place == 0) {
        if (!enter(d, key, rows.first)) {
            return PV_KEYMAP_FULL;
        }
        *place = (uint32_t)d->n;
    }
    d->rows[*place - 1].n += rows.n;
    return *place - 1;
}

/* The number of a key that has more rows, the first of them maybe the first of all. */
static inline uint32_t add(directory *d, const uint64_t *key, pv_key_rows rows)
{
    return d->places != NULL ? add_to_places(d, key, rows) : add_to_slots(d, key, rows);
}

/* What will be looked at soon, to be fetched. Fetching itself is in the loops: a function that
 * did nothing else would be optimized away. */
static inline const void *seen_ahead(const directory *d, const uint64_t *keys, size_t i, size_t n)
{
    if (d->places != NULL || i + AHEAD >= n) {
        return keys; /* at hand already */
    }
    return home_of(d, tag_of(d, keys + (i + AHEAD) * d->words));
}

/* ------------------------------------------------------------------- shares */

/* Two loops: the first has a dependent load per row and nothing else, the second counts in an array
 * that is mostly in the nearest cache. Counting in the first would make every row wait for both. */
static bool number_by_places(directory *d, const uint64_t *keys, uint64_t first, size_t n,
                             uint32_t *numbers)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t *const place = &d->places[keys[i] >> d->unused];
        if (*place == 0) {
            if (!enter(d, &keys[i], first + i)) {
                return false;
            }
            *place = (uint32_t)d->n;
        }
        numbers[i] = *place - 1;
    }
    for (size_t i = 0; i < n; i++) {
        d->rows[numbers[i]].n++;
    }
    return true;
}

/* The prefetch is the point: with more slots than the caches hold, a row would wait for memory. */
static bool number_by_slots(directory *d, const uint64_t *keys, uint64_t first, size_t n,
                            uint32_t *numbers)
{
    for (size_t i = 0; i < n; i++) {
        __builtin_prefetch(seen_ahead(d, keys, i, n));
        numbers[i] =
            add_to_slots(d, keys + i * d->words, (pv_key_rows){.n = 1, .first = first + i});
        if (numbers[i] == PV_KEYMAP_FULL) {
            return false;
        }
    }
    return true;
}

/* One task: a stretch of rows, chunk by chunk. The directory is copied to the stack meanwhile and
 * written back at the end. */
static pv_status number_share(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    const pv_numbering *const numbering = ctx;
    pv_numbering_share *const share = &numbering->shares[task];
    directory found = share->found; /* shares are neighbours, and would be in each other's way */
    bool well = true;
    for (uint64_t row = share->begin; well && row < share->end; row += PV_CHUNK_ROWS) {
        const uint64_t left = share->end - row;
        const size_t n = left < PV_CHUNK_ROWS ? (size_t)left : PV_CHUNK_ROWS;
        numbering->keys(numbering->ctx, row, n, share->codes, share->keys);
        uint32_t *const numbers = /* once there are keys, the codes' scratch is free */
            numbering->numbers != NULL ? numbering->numbers + row : share->codes;
        well = found.places != NULL ? number_by_places(&found, share->keys, row, n, numbers)
                                    : number_by_slots(&found, share->keys, row, n, numbers);
        if (!pv_i_goes_on(thread, row - share->begin)) {
            break;
        }
    }
    close_accounts(&found);
    share->found = found;
    return well ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* As many shares as threads, of equal length; a small table is one share. The number of shares does
 * not show in the result: see the merging. */
static pv_status shares_init(pv_numbering *numbering, pv_error *error)
{
    const uint64_t n = numbering->n_rows;
    const unsigned threads = pv_i_threads(numbering->context);
    numbering->n_shares = n < threads * PV_CHUNK_ROWS ? 1 : threads;
    numbering->shares = PV_NEW_ZEROED(pv_numbering_share, numbering->n_shares);
    for (unsigned i = 0; numbering->shares != NULL && i < numbering->n_shares; i++) {
        pv_numbering_share *const share = &numbering->shares[i];
        share->begin = n / numbering->n_shares * i;
        share->end = i + 1 < numbering->n_shares ? n / numbering->n_shares * (i + 1) : n;
        share->keys = PV_NEW_ARRAY(uint64_t, PV_CHUNK_ROWS * numbering->words);
        share->codes = PV_NEW_ARRAY(uint32_t, PV_CHUNK_ROWS);
        if (share->keys == NULL || share->codes == NULL ||
            !directory_init(&share->found, numbering, n / numbering->n_shares)) {
            return pv_i_no_memory(error);
        }
    }
    return numbering->shares != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* ------------------------------------------------------------------ merging */

/* In the order of the shares: a key that share i adds appears first in its rows, and the keys of a
 * share are in the order of their first appearance. So numbers come out as if one had read all
 * rows. */
static bool merge_share(directory *first, pv_numbering_share *share)
{
    const directory *const d = &share->found;
    share->n_local = d->n;
    share->final = PV_NEW_ARRAY(uint32_t, share->n_local);
    for (size_t i = 0; share->final != NULL && i < share->n_local; i++) {
        __builtin_prefetch(seen_ahead(first, d->keys, i, share->n_local));
        share->final[i] = add(first, d->keys + i * d->words, d->rows[i]);
        if (share->final[i] == PV_KEYMAP_FULL) {
            return false;
        }
    }
    directory_deinit(&share->found);
    return share->final != NULL;
}

pv_status pv_i_numbering_find(pv_numbering *numbering, pv_error *error)
{
    PV_TRY(shares_init(numbering, error));
    pv_ticker ticker =
        pv_i_ticker(numbering->context, "grouping", numbering->n_rows / numbering->n_shares);
    PV_TRY(pv_i_tasks_run(numbering->n_shares, numbering->n_shares, number_share, numbering,
                          &ticker, error));
    directory *const found = &numbering->shares[0].found;
    for (unsigned i = 1; i < numbering->n_shares; i++) {
        if (!merge_share(found, &numbering->shares[i])) {
            return pv_i_no_memory(error);
        }
    }
    close_accounts(found);
    numbering->n = found->n;
    numbering->distinct = found->keys;
    numbering->rows = found->rows;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ settling */

typedef struct {
    const pv_numbering *numbering;
    const uint32_t *rank;
} settling;

static pv_status settle_share(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    const settling *const s = ctx;
    const pv_numbering_share *const share = &s->numbering->shares[task];
    uint32_t *const numbers = s->numbering->numbers;
    const uint32_t *const number = share->final != NULL ? share->final : s->rank;
    for (uint64_t row = share->begin; number != NULL && row < share->end; row++) {
        numbers[row] = number[numbers[row]];
    }
    (void)thread;
    (void)error;
    return PV_STATUS_OK;
}

/* Local numbers become final ones, and ranks of those if the caller sorted the keys: both maps are
 * made one, so that every row is touched once. */
void pv_i_numbering_settle(pv_numbering *numbering, const uint32_t *rank)
{
    settling s = {.numbering = numbering, .rank = rank};
    for (unsigned i = 1; rank != NULL && i < numbering->n_shares; i++) {
        pv_numbering_share *const share = &numbering->shares[i];
        for (size_t local = 0; local < share->n_local; local++) {
            share->final[local] = rank[share->final[local]];
        }
    }
    const pv_status status =
        pv_i_tasks_run(numbering->n_shares, numbering->n_shares, settle_share, &s, NULL, NULL);
    assert(status == PV_STATUS_OK); /* no task can fail */
    (void)status;
}

void pv_i_numbering_deinit(pv_numbering *numbering)
{
    for (unsigned i = 0; numbering->shares != NULL && i < numbering->n_shares; i++) {
        pv_numbering_share *const share = &numbering->shares[i];
        directory_deinit(&share->found);
        pv_i_free(share->keys);
        pv_i_free(share->codes);
        pv_i_free(share->final);
    }
    pv_i_free(numbering->shares);
}
