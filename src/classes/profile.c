/* Profile first: one pass over the rows, then nothing touches rows again until release.
 *
 * Each worker packs its share of the rows into keys and numbers the distinct ones by itself. The
 * workers' keys are then merged and sorted, which makes the numbering of tuples independent of how
 * the rows were shared out; last, each row's local number is replaced by the final one. */
#include "classes/profile.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/ticker.h"
#include "classes/keymap.h"
#include "classes/sort.h"
#include "table/column.h"

#include <stdatomic.h>
#include <string.h>

#define CHUNK_ROWS ((size_t)2048)

typedef struct {
    pv_keymap map;
    uint64_t first, end;   /* rows */
    uint64_t *chunk;       /* keys of CHUNK_ROWS rows */
    uint32_t *codes;       /* codes of CHUNK_ROWS rows */
    uint32_t *final_tuple; /* from local number to final tuple */
    size_t n_local;        /* local numbers */
} worker_share;

typedef struct {
    pv_profile *profile;
    const pv_context *context;
    const pv_recoding *recoding;
    worker_share *shares;
    unsigned n_shares;
    atomic_int failure; /* a pv_status; the first one wins */
} profile_build;

static void fail(profile_build *build, pv_status status)
{
    int expected = PV_STATUS_OK;
    (void)atomic_compare_exchange_strong(&build->failure, &expected, (int)status);
}

static bool failed(profile_build *build)
{
    return atomic_load_explicit(&build->failure, memory_order_relaxed) != PV_STATUS_OK;
}

static void pack_chunk(const profile_build *build, worker_share *share, uint64_t first, size_t n)
{
    const pv_profile *const profile = build->profile;
    const pv_packing *const packing = &profile->packing;
    const pv_table *const table = pv_study_table(profile->study);
    memset(share->chunk, 0, n * packing->words * sizeof *share->chunk);
    for (size_t i = 0; i < packing->n_fields; i++) {
        const uint64_t *const place = build->recoding->tables[i];
        uint64_t *const keys = share->chunk + packing->fields[i].word;
        const size_t column = pv_study_quasi_column(profile->study, i);
        pv_i_codes_unpack(pv_i_table_codes(table, column), first, n, share->codes);
        for (size_t row = 0; row < n; row++) {
            keys[row * packing->words] |= place[share->codes[row]];
        }
    }
}

static bool number_chunk(const profile_build *build, worker_share *share, uint64_t first, size_t n)
{
    const unsigned words = build->profile->packing.words;
    uint32_t *const numbers = build->profile->row_tuple + first;
    for (size_t row = 0; row < n; row++) {
        numbers[row] = pv_i_keymap_add(&share->map, share->chunk + row * words);
        if (numbers[row] == PV_KEYMAP_FULL) {
            return false;
        }
    }
    return true;
}

static void number_rows(void *ctx, unsigned worker)
{
    profile_build *const build = ctx;
    worker_share *const share = &build->shares[worker];
    const uint64_t total = share->end - share->first;
    pv_ticker ticker = pv_i_ticker(worker == 0 ? build->context : NULL, "grouping", total);
    for (uint64_t row = share->first; row < share->end && !failed(build); row += CHUNK_ROWS) {
        const uint64_t left = share->end - row;
        const size_t n = left < CHUNK_ROWS ? (size_t)left : CHUNK_ROWS;
        pack_chunk(build, share, row, n);
        if (!number_chunk(build, share, row, n)) {
            fail(build, PV_STATUS_NO_MEMORY);
        }
        if (!pv_i_tick(&ticker, row - share->first)) {
            fail(build, PV_STATUS_CANCELLED);
        }
    }
}

static void renumber_rows(void *ctx, unsigned worker)
{
    const profile_build *const build = ctx;
    const worker_share *const share = &build->shares[worker];
    uint32_t *const tuple = build->profile->row_tuple;
    for (uint64_t row = share->first; row < share->end; row++) {
        tuple[row] = share->final_tuple[tuple[row]];
    }
}

static pv_status shares_init(profile_build *build, pv_error *error)
{
    const pv_profile *const profile = build->profile;
    const unsigned words = profile->packing.words;
    build->shares = PV_NEW_ZEROED(worker_share, build->n_shares);
    if (build->shares == NULL) {
        return pv_i_no_memory(error);
    }
    for (unsigned i = 0; i < build->n_shares; i++) {
        worker_share *const share = &build->shares[i];
        share->first = profile->n_rows / build->n_shares * i;
        share->end =
            i + 1 < build->n_shares ? profile->n_rows / build->n_shares * (i + 1) : profile->n_rows;
        share->chunk = PV_NEW_ARRAY(uint64_t, CHUNK_ROWS * words);
        share->codes = PV_NEW_ARRAY(uint32_t, CHUNK_ROWS);
        if (share->chunk == NULL || share->codes == NULL ||
            !pv_i_keymap_init(&share->map, words, CHUNK_ROWS)) {
            return pv_i_no_memory(error);
        }
    }
    return PV_STATUS_OK;
}

static void shares_deinit(profile_build *build)
{
    for (unsigned i = 0; build->shares != NULL && i < build->n_shares; i++) {
        worker_share *const share = &build->shares[i];
        pv_i_keymap_deinit(&share->map);
        pv_i_free(share->chunk);
        pv_i_free(share->codes);
        pv_i_free(share->final_tuple);
    }
    pv_i_free(build->shares);
}

/* All workers' keys into one map; final_tuple holds the merged number for now. */
static bool merge_keys(profile_build *build, pv_keymap *merged)
{
    for (unsigned i = 0; i < build->n_shares; i++) {
        worker_share *const share = &build->shares[i];
        share->final_tuple = PV_NEW_ARRAY(uint32_t, share->map.n);
        if (share->final_tuple == NULL) {
            return false;
        }
        for (size_t local = 0; local < share->map.n; local++) {
            share->final_tuple[local] =
                pv_i_keymap_add(merged, share->map.keys + local * merged->words);
            if (share->final_tuple[local] == PV_KEYMAP_FULL) {
                return false;
            }
        }
        share->n_local = share->map.n;
        pv_i_keymap_deinit(&share->map);
    }
    return true;
}

/* The merged keys in ascending order, and rank[number] of each. */
static bool sort_keys(pv_profile *profile, const pv_keymap *merged, uint32_t *rank)
{
    const unsigned words = merged->words;
    uint32_t *const order = PV_NEW_ARRAY(uint32_t, merged->n);
    profile->keys = PV_NEW_ARRAY(uint64_t, merged->n * words);
    const bool ready = order != NULL && profile->keys != NULL &&
                       pv_i_keys_order(merged->keys, merged->n, words, order);
    for (size_t i = 0; ready && i < merged->n; i++) {
        memcpy(profile->keys + i * words, merged->keys + (size_t)order[i] * words,
               words * sizeof *profile->keys);
        rank[order[i]] = (uint32_t)i;
    }
    pv_i_free(order);
    profile->n_tuples = merged->n;
    return ready;
}

/* From each worker's numbers to the final tuples: sorted, the same for any number of workers. */
static pv_status settle_tuples(profile_build *build, pv_error *error)
{
    pv_profile *const profile = build->profile;
    pv_keymap merged = {0};
    uint32_t *rank = NULL;
    bool ready = pv_i_keymap_init(&merged, profile->packing.words, build->shares[0].map.n) &&
                 merge_keys(build, &merged);
    if (ready) {
        rank = PV_NEW_ARRAY(uint32_t, merged.n);
        ready = rank != NULL && sort_keys(profile, &merged, rank);
    }
    for (unsigned i = 0; ready && i < build->n_shares; i++) {
        worker_share *const share = &build->shares[i];
        for (size_t local = 0; local < share->n_local; local++) {
            share->final_tuple[local] = rank[share->final_tuple[local]];
        }
    }
    pv_i_free(rank);
    pv_i_keymap_deinit(&merged);
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}

static pv_status count_tuples(pv_profile *profile, pv_error *error)
{
    profile->count = PV_NEW_ZEROED(uint64_t, profile->n_tuples);
    if (profile->count == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint64_t row = 0; row < profile->n_rows; row++) {
        profile->count[profile->row_tuple[row]]++;
    }
    return PV_STATUS_OK;
}

static pv_status find_tuples(pv_profile *profile, const pv_recoding *recoding,
                             const pv_context *context, pv_error *error)
{
    profile_build build = {.profile = profile,
                           .context = context,
                           .recoding = recoding,
                           .n_shares = pv_i_threads(context)};
    if (profile->n_rows < build.n_shares * CHUNK_ROWS) {
        build.n_shares = 1;
    }
    atomic_init(&build.failure, PV_STATUS_OK);
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(shares_init(&build, error));
    pv_i_pool_run(build.n_shares, number_rows, &build);
    if (failed(&build)) {
        status = atomic_load(&build.failure) == PV_STATUS_CANCELLED ? pv_i_cancelled(error)
                                                                    : pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(settle_tuples(&build, error));
    pv_i_pool_run(build.n_shares, renumber_rows, &build);
    PV_TRY_CLEAN(count_tuples(profile, error));
cleanup:
    shares_deinit(&build);
    return status;
}

static void forget_columns(pv_profile *profile)
{
    for (size_t i = 0; profile->sensitive != NULL && i < profile->n_sensitive; i++) {
        pv_i_histogram_deinit(&profile->sensitive[i]);
    }
    if (profile->label != NULL) {
        pv_i_histogram_deinit(profile->label);
    }
    pv_i_free(profile->sensitive);
    pv_i_free(profile->label);
    profile->sensitive = profile->label = NULL;
}

static pv_status count_columns(pv_profile *profile, pv_error *error)
{
    const pv_study *const study = profile->study;
    profile->sensitive = PV_NEW_ZEROED(pv_histogram, profile->n_sensitive);
    if (profile->sensitive == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < profile->n_sensitive; i++) {
        PV_TRY(pv_i_histogram_init(&profile->sensitive[i], profile,
                                   pv_study_sensitive_column(study, i), error));
    }
    if (pv_study_label_column(study) != SIZE_MAX) {
        profile->label = PV_NEW(pv_histogram);
        if (profile->label == NULL) {
            return pv_i_no_memory(error);
        }
        PV_TRY(pv_i_histogram_init(profile->label, profile, pv_study_label_column(study), error));
    }
    return PV_STATUS_OK;
}

pv_status pv_i_profile_count(const pv_profile *profile, pv_error *error)
{
    /* What is counted late belongs to the profile as if it had been there from the start. */
    pv_profile *const p = (pv_profile *)(uintptr_t)profile;
    pv_status status = PV_STATUS_OK;
    (void)pthread_mutex_lock(&p->counting);
    if (!p->counted) {
        status = count_columns(p, error);
        p->counted = status == PV_STATUS_OK;
        if (!p->counted) {
            forget_columns(p);
        }
    }
    (void)pthread_mutex_unlock(&p->counting);
    return status;
}

pv_status pv_profile_create(const pv_study *study, const pv_context *context, pv_profile **profile,
                            pv_error *error)
{
    pv_recoding recoding = {0};
    pv_status status = PV_STATUS_OK;
    if (pv_table_rows(pv_study_table(study)) == 0) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, pv_table_source(pv_study_table(study)), 0, 0,
                            "the table has no rows");
    }
    pv_profile *const p = PV_NEW(pv_profile);
    if (p == NULL) {
        return pv_i_no_memory(error);
    }
    (void)pthread_mutex_init(&p->counting, NULL);
    p->study = study;
    p->n_sensitive = pv_study_sensitives(study);
    p->n_rows = pv_table_rows(pv_study_table(study));
    PV_TRY_CLEAN(pv_i_packing_init(&p->packing, study, error));
    PV_TRY_CLEAN(pv_i_recoding_of_codes(&recoding, &p->packing, study, error));
    p->row_tuple = PV_NEW_ARRAY(uint32_t, p->n_rows);
    if (p->row_tuple == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(find_tuples(p, &recoding, context, error));
cleanup:
    pv_i_recoding_deinit(&recoding);
    if (status == PV_STATUS_OK) {
        *profile = p;
    } else {
        pv_profile_free(p);
    }
    return status;
}

void pv_profile_free(pv_profile *profile)
{
    if (profile == NULL) {
        return;
    }
    forget_columns(profile);
    (void)pthread_mutex_destroy(&profile->counting);
    pv_i_packing_deinit(&profile->packing);
    pv_i_free(profile->keys);
    pv_i_free(profile->count);
    pv_i_free(profile->row_tuple);
    pv_i_free(profile);
}

const pv_study *pv_profile_study(const pv_profile *profile)
{
    return profile->study;
}

uint64_t pv_profile_rows(const pv_profile *profile)
{
    return profile->n_rows;
}

size_t pv_profile_tuples(const pv_profile *profile)
{
    return profile->n_tuples;
}

uint64_t pv_profile_count(const pv_profile *profile, size_t tuple)
{
    return profile->count[tuple];
}

size_t pv_profile_tuple(const pv_profile *profile, uint64_t row)
{
    return profile->row_tuple[row];
}

uint32_t pv_profile_leaf(const pv_profile *profile, size_t tuple, size_t quasi)
{
    return pv_i_unpack(&profile->packing, profile->keys + tuple * profile->packing.words, quasi);
}
