/* Shares of rows, a map of keys for each, and the merging of the maps. */
#include "classes/numbering.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/ticker.h"

enum { NEAR = 8, FAR = 24 }; /* keys ahead */

struct pv_numbering_share {
    uint64_t begin, end; /* rows */
    pv_keymap map;
    pv_key_rows *rows; /* per local number */
    size_t room;       /* of them */
    uint64_t *keys;    /* of a chunk of rows */
    uint32_t *codes;   /* for as many */
    uint32_t *final;   /* from local number to final one */
    size_t n_local;    /* local numbers */
};

static void fail(pv_numbering *numbering, pv_status status)
{
    int expected = PV_STATUS_OK;
    (void)atomic_compare_exchange_strong(&numbering->failure, &expected, (int)status);
}

static bool failed(pv_numbering *numbering)
{
    return atomic_load_explicit(&numbering->failure, memory_order_relaxed) != PV_STATUS_OK;
}

/* ------------------------------------------------------------------- shares */

static bool meet(pv_numbering_share *share, uint32_t number, uint64_t row)
{
    if (!pv_i_reserve((void **)&share->rows, &share->room, share->map.n, sizeof *share->rows)) {
        return false;
    }
    share->rows[number] = (pv_key_rows){.first = row};
    return true;
}

/* The map is larger than the nearer caches: what will be looked at is fetched a little before. */
static void look_ahead(const pv_numbering_share *share, unsigned words, size_t i, size_t n)
{
    const pv_keymap *const map = &share->map;
    if (i + FAR < n) {
        const uint64_t *const key = share->keys + (i + FAR) * words;
        __builtin_prefetch(&map->slots[pv_i_key_hash(key, words) & map->slot_mask]);
    }
    if (i + NEAR < n) {
        const uint64_t *const key = share->keys + (i + NEAR) * words;
        const uint32_t slot = map->slots[pv_i_key_hash(key, words) & map->slot_mask];
        __builtin_prefetch(&map->keys[(size_t)(slot - (slot > 0)) * words]);
    }
}

static bool number_chunk(pv_numbering *numbering, pv_numbering_share *share, uint64_t first,
                         size_t n)
{
    uint32_t *const numbers = numbering->numbers + first;
    for (size_t i = 0; i < n; i++) {
        const size_t known = share->map.n;
        look_ahead(share, numbering->words, i, n);
        const uint32_t number = pv_i_keymap_add(&share->map, share->keys + i * numbering->words);
        if (number == PV_KEYMAP_FULL || (number == known && !meet(share, number, first + i))) {
            return false;
        }
        share->rows[number].n++;
        numbers[i] = number;
    }
    return true;
}

static void number_share(void *ctx, unsigned worker)
{
    pv_numbering *const numbering = ctx;
    pv_numbering_share *const share = &numbering->shares[worker];
    pv_ticker ticker =
        pv_i_ticker(worker == 0 ? numbering->context : NULL, "grouping", share->end - share->begin);
    for (uint64_t row = share->begin; row < share->end && !failed(numbering);
         row += PV_CHUNK_ROWS) {
        const uint64_t left = share->end - row;
        const size_t n = left < PV_CHUNK_ROWS ? (size_t)left : PV_CHUNK_ROWS;
        numbering->keys(numbering->ctx, row, n, share->codes, share->keys);
        if (!number_chunk(numbering, share, row, n)) {
            fail(numbering, PV_STATUS_NO_MEMORY);
        }
        if (!pv_i_tick(&ticker, row - share->begin)) {
            fail(numbering, PV_STATUS_CANCELLED);
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
            !pv_i_keymap_init(&share->map, numbering->words, PV_CHUNK_ROWS)) {
            return pv_i_no_memory(error);
        }
    }
    return numbering->shares != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

static void share_deinit(pv_numbering_share *share)
{
    pv_i_keymap_deinit(&share->map);
    pv_i_free(share->rows);
    pv_i_free(share->keys);
    pv_i_free(share->codes);
    pv_i_free(share->final);
}

/* ------------------------------------------------------------------ merging */

/* A lone share's numbers are final. */
static void take_over(pv_numbering *numbering, pv_numbering_share *share)
{
    numbering->distinct = share->map;
    numbering->rows = share->rows;
    share->map = (pv_keymap){0};
    share->rows = NULL;
}

static bool merge_share(pv_numbering *numbering, pv_numbering_share *share)
{
    pv_keymap *const distinct = &numbering->distinct;
    share->n_local = share->map.n;
    share->final = PV_NEW_ARRAY(uint32_t, share->n_local);
    for (size_t local = 0; share->final != NULL && local < share->n_local; local++) {
        const size_t known = distinct->n;
        const uint32_t number =
            pv_i_keymap_add(distinct, share->map.keys + local * distinct->words);
        if (number == PV_KEYMAP_FULL) {
            return false;
        }
        share->final[local] = number;
        if (number == known) {
            numbering->rows[number].first = share->rows[local].first;
        }
        numbering->rows[number].n += share->rows[local].n;
    }
    pv_i_keymap_deinit(&share->map);
    return share->final != NULL;
}

static bool merge(pv_numbering *numbering)
{
    size_t most = 0;
    for (unsigned i = 0; i < numbering->n_shares; i++) {
        most += numbering->shares[i].map.n;
    }
    numbering->rows = PV_NEW_ZEROED(pv_key_rows, most);
    bool ready = numbering->rows != NULL && pv_i_keymap_init(&numbering->distinct, numbering->words,
                                                             numbering->shares[0].map.n);
    for (unsigned i = 0; ready && i < numbering->n_shares; i++) {
        ready = merge_share(numbering, &numbering->shares[i]);
    }
    return ready;
}

pv_status pv_i_numbering_find(pv_numbering *numbering, pv_error *error)
{
    atomic_init(&numbering->failure, PV_STATUS_OK);
    PV_TRY(shares_init(numbering, error));
    pv_i_pool_run(numbering->n_shares, number_share, numbering);
    if (failed(numbering)) {
        return atomic_load(&numbering->failure) == PV_STATUS_CANCELLED ? pv_i_cancelled(error)
                                                                       : pv_i_no_memory(error);
    }
    if (numbering->n_shares == 1) {
        take_over(numbering, &numbering->shares[0]);
        return PV_STATUS_OK;
    }
    return merge(numbering) ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* ------------------------------------------------------------------ settling */

static void settle_share(void *ctx, unsigned worker)
{
    const pv_numbering *const numbering = ctx;
    const pv_numbering_share *const share = &numbering->shares[worker];
    for (uint64_t row = share->begin; row < share->end; row++) {
        numbering->numbers[row] = share->final[numbering->numbers[row]];
    }
}

/* Where a share's numbers are final, so are the ranks. */
static void rank_lone(pv_numbering *numbering, const uint32_t *rank)
{
    for (uint64_t row = 0; row < numbering->n_rows; row++) {
        numbering->numbers[row] = rank[numbering->numbers[row]];
    }
}

void pv_i_numbering_settle(pv_numbering *numbering, const uint32_t *rank)
{
    if (numbering->n_shares == 1) {
        if (rank != NULL) {
            rank_lone(numbering, rank);
        }
        return;
    }
    for (unsigned i = 0; rank != NULL && i < numbering->n_shares; i++) {
        pv_numbering_share *const share = &numbering->shares[i];
        for (size_t local = 0; local < share->n_local; local++) {
            share->final[local] = rank[share->final[local]];
        }
    }
    pv_i_pool_run(numbering->n_shares, settle_share, numbering);
}

void pv_i_numbering_deinit(pv_numbering *numbering)
{
    for (unsigned i = 0; numbering->shares != NULL && i < numbering->n_shares; i++) {
        share_deinit(&numbering->shares[i]);
    }
    pv_i_free(numbering->shares);
    pv_i_keymap_deinit(&numbering->distinct);
    pv_i_free(numbering->rows);
}
