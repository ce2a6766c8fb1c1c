/* Shares of rows, a directory of keys for each, and their merging. */
#include "classes/numbering.h"

#include "base/memory.h"
#include "base/pool.h"

/* Keys ahead. */
enum { NEAR = 8, FAR = 24 };
/* Possible keys up to which each has its place: they stay in the nearer caches ... */
#define MOST_PLACES ((uint64_t)1 << 21)
/* ... and there are so many rows for each of them. */
#define ROWS_PER_PLACE 4

/* The distinct keys of a share. */
typedef struct {
    pv_keymap map;    /* where keys have places, only its keys are there */
    uint32_t *places; /* number + 1 of every possible key, or NULL */
    unsigned unused;  /* of which the lowest bits tell nothing */
    pv_key_rows *rows;
    size_t room; /* of rows */
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

static uint64_t count_places(const pv_numbering *numbering)
{
    const unsigned bits = 64 - numbering->unused;
    return numbering->words == 1 && bits < 64 ? (uint64_t)1 << bits : UINT64_MAX;
}

static bool directory_init(directory *d, const pv_numbering *numbering)
{
    const uint64_t n_places = count_places(numbering);
    const bool few = n_places <= MOST_PLACES && n_places <= numbering->n_rows / ROWS_PER_PLACE;
    if (!pv_i_reserve((void **)&d->rows, &d->room, PV_CHUNK_ROWS, sizeof *d->rows)) {
        return false;
    }
    if (!few) {
        return pv_i_keymap_init(&d->map, numbering->words, PV_CHUNK_ROWS);
    }
    d->map.words = 1;
    d->unused = numbering->unused;
    d->places = PV_NEW_ZEROED(uint32_t, n_places);
    return d->places != NULL;
}

static void directory_deinit(directory *d)
{
    pv_i_keymap_deinit(&d->map);
    pv_i_free(d->places);
    pv_i_free(d->rows);
}

static uint32_t add_to_place(directory *d, uint64_t key)
{
    pv_keymap *const map = &d->map;
    uint32_t *const place = &d->places[key >> d->unused];
    if (*place == 0) {
        if (!pv_i_reserve((void **)&map->keys, &map->capacity, map->n + 1, sizeof *map->keys)) {
            return PV_KEYMAP_FULL;
        }
        map->keys[map->n++] = key;
        *place = (uint32_t)map->n;
    }
    return *place - 1;
}

/* The number of a key, and another row with it, or several. */
static inline uint32_t add(directory *d, const uint64_t *key, pv_key_rows rows)
{
    const size_t known = d->map.n;
    const uint32_t number =
        d->places != NULL ? add_to_place(d, *key) : pv_i_keymap_add(&d->map, key);
    if (number == known) {
        if (!pv_i_reserve((void **)&d->rows, &d->room, known + 1, sizeof *d->rows)) {
            return PV_KEYMAP_FULL;
        }
        d->rows[number] = (pv_key_rows){.first = rows.first};
    }
    if (number != PV_KEYMAP_FULL) {
        d->rows[number].n += rows.n;
    }
    return number;
}

/* A map is larger than the nearer caches: what will be looked at is fetched a little before. */
static inline void look_ahead(const directory *d, const uint64_t *keys, size_t i, size_t n)
{
    const pv_keymap *const map = &d->map;
    if (i + FAR < n) {
        const uint64_t *const key = keys + (i + FAR) * map->words;
        __builtin_prefetch(&map->slots[pv_i_key_hash(key, map->words) & map->slot_mask]);
    }
    if (i + NEAR < n) {
        const uint64_t *const key = keys + (i + NEAR) * map->words;
        const uint32_t slot = map->slots[pv_i_key_hash(key, map->words) & map->slot_mask];
        const size_t number = slot - (slot > 0);
        __builtin_prefetch(&map->keys[number * map->words]);
        __builtin_prefetch(&d->rows[number]);
    }
}

/* ------------------------------------------------------------------- shares */

static bool number_chunk(directory *d, const uint64_t *keys, uint64_t first, size_t n,
                         uint32_t *numbers)
{
    const unsigned words = d->map.words;
    for (size_t i = 0; i < n; i++) {
        if (d->places == NULL) {
            look_ahead(d, keys, i, n);
        }
        numbers[i] = add(d, keys + i * words, (pv_key_rows){.n = 1, .first = first + i});
        if (numbers[i] == PV_KEYMAP_FULL) {
            return false;
        }
    }
    return true;
}

static void number_share(void *ctx, unsigned worker)
{
    pv_numbering *const numbering = ctx;
    pv_numbering_share *const share = &numbering->shares[worker];
    pv_ticker ticker =
        pv_i_ticker(worker == 0 ? numbering->context : NULL, "grouping", share->end - share->begin);
    for (uint64_t row = share->begin; row < share->end && !pv_i_has_failed(&numbering->failure);
         row += PV_CHUNK_ROWS) {
        const uint64_t left = share->end - row;
        const size_t n = left < PV_CHUNK_ROWS ? (size_t)left : PV_CHUNK_ROWS;
        numbering->keys(numbering->ctx, row, n, share->codes, share->keys);
        if (!number_chunk(&share->found, share->keys, row, n, numbering->numbers + row)) {
            pv_i_failure_note(&numbering->failure, PV_STATUS_NO_MEMORY);
        }
        if (!pv_i_tick(&ticker, row - share->begin)) {
            pv_i_failure_note(&numbering->failure, PV_STATUS_CANCELLED);
        }
    }
}

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
            !directory_init(&share->found, numbering)) {
            return pv_i_no_memory(error);
        }
    }
    return numbering->shares != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

static void share_deinit(pv_numbering_share *share)
{
    directory_deinit(&share->found);
    pv_i_free(share->keys);
    pv_i_free(share->codes);
    pv_i_free(share->final);
}

/* ------------------------------------------------------------------ merging */

static bool merge_share(directory *first, pv_numbering_share *share)
{
    const directory *const d = &share->found;
    share->n_local = d->map.n;
    share->final = PV_NEW_ARRAY(uint32_t, share->n_local);
    for (size_t i = 0; share->final != NULL && i < share->n_local; i++) {
        if (first->places == NULL) {
            look_ahead(first, d->map.keys, i, share->n_local);
        }
        share->final[i] = add(first, d->map.keys + i * d->map.words, d->rows[i]);
        if (share->final[i] == PV_KEYMAP_FULL) {
            return false;
        }
    }
    directory_deinit(&share->found);
    share->found = (directory){0};
    return share->final != NULL;
}

pv_status pv_i_numbering_find(pv_numbering *numbering, pv_error *error)
{
    PV_TRY(shares_init(numbering, error));
    pv_i_pool_run(numbering->n_shares, number_share, numbering);
    PV_TRY(pv_i_failure_tell(&numbering->failure, error));
    directory *const found = &numbering->shares[0].found;
    for (unsigned i = 1; i < numbering->n_shares; i++) {
        if (!merge_share(found, &numbering->shares[i])) {
            return pv_i_no_memory(error);
        }
    }
    numbering->n = found->map.n;
    numbering->distinct = found->map.keys;
    numbering->rows = found->rows;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ settling */

typedef struct {
    const pv_numbering *numbering;
    const uint32_t *rank;
} settling;

static void settle_share(void *ctx, unsigned worker)
{
    const settling *const s = ctx;
    const pv_numbering_share *const share = &s->numbering->shares[worker];
    uint32_t *const numbers = s->numbering->numbers;
    const uint32_t *const number = share->final != NULL ? share->final : s->rank;
    for (uint64_t row = share->begin; number != NULL && row < share->end; row++) {
        numbers[row] = number[numbers[row]];
    }
}

void pv_i_numbering_settle(pv_numbering *numbering, const uint32_t *rank)
{
    settling s = {.numbering = numbering, .rank = rank};
    for (unsigned i = 1; rank != NULL && i < numbering->n_shares; i++) {
        pv_numbering_share *const share = &numbering->shares[i];
        for (size_t local = 0; local < share->n_local; local++) {
            share->final[local] = rank[share->final[local]];
        }
    }
    pv_i_pool_run(numbering->n_shares, settle_share, &s);
}

void pv_i_numbering_deinit(pv_numbering *numbering)
{
    for (unsigned i = 0; numbering->shares != NULL && i < numbering->n_shares; i++) {
        share_deinit(&numbering->shares[i]);
    }
    pv_i_free(numbering->shares);
}
