/* A run over cuts. */
#include "cuts/cut_run.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"

#include <stdatomic.h>
#include <string.h>

pv_status pv_i_cut_run_init(pv_cut_run *run, pv_cut_table *table, const pv_cut_prices *prices,
                            const pv_cut_aspects *aspects, const pv_context *context,
                            pv_error *error)
{
    const unsigned words = (unsigned)PV_BITSET_WORDS(table->space->n_bits + 1);
    *run = (pv_cut_run){.table = table,
                        .space = table->space,
                        .prices = prices,
                        .aspects = aspects,
                        .key = PV_NEW_ARRAY(uint64_t, words),
                        .cuts = PV_NEW_ARRAY(uint8_t, table->space->n_bits)};
    pv_status status =
        run->key != NULL && run->cuts != NULL && pv_i_keymap_init(&run->map, words, 0)
            ? pv_i_cut_run_hire(run, context, error)
            : pv_i_no_memory(error);
    if (status != PV_STATUS_OK) {
        pv_i_cut_run_deinit(run);
    }
    return status;
}

static void dismiss(pv_cut_run *run)
{
    for (unsigned i = 0; run->judges != NULL && i < run->threads; i++) {
        pv_i_cut_judge_deinit(&run->judges[i]);
    }
    pv_i_free(run->judges);
    run->judges = NULL;
    run->threads = 0;
}

pv_status pv_i_cut_run_hire(pv_cut_run *run, const pv_context *context, pv_error *error)
{
    const unsigned threads = pv_i_threads(context);
    if (threads == run->threads) {
        return PV_STATUS_OK;
    }
    dismiss(run);
    run->judges = PV_NEW_ZEROED(pv_cut_judge, threads);
    run->threads = run->judges != NULL ? threads : 0;
    pv_status status = run->judges != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    for (unsigned i = 0; status == PV_STATUS_OK && i < threads; i++) {
        status = pv_i_cut_judge_init(&run->judges[i], run->table, run->prices, run->aspects, error);
    }
    if (status != PV_STATUS_OK) {
        dismiss(run);
    }
    return status;
}

void pv_i_cut_run_deinit(pv_cut_run *run)
{
    dismiss(run);
    pv_i_free(run->key);
    pv_i_free(run->cuts);
    pv_i_free(run->outcomes);
    pv_i_keymap_deinit(&run->map);
    *run = (pv_cut_run){0};
}

/* ---------------------------------------------------------------- remember */

static const uint64_t *key_of(const pv_cut_run *run, const uint8_t *cuts)
{
    memset(run->key, 0, run->map.words * sizeof *run->key);
    for (size_t i = 0; i < run->space->n_bits; i++) {
        run->key[i / 64] |= (uint64_t)(cuts[i] != 0) << i % 64;
    }
    return run->key;
}

void pv_i_cut_run_scheme(const pv_cut_run *run, uint32_t id, uint8_t *cuts)
{
    const uint64_t *const key = run->map.keys + (size_t)id * run->map.words;
    for (size_t i = 0; i < run->space->n_bits; i++) {
        cuts[i] = pv_i_bit_get(key, i);
    }
}

static bool reserve_outcomes(pv_cut_run *run)
{
    return pv_i_reserve((void **)&run->outcomes, &run->capacity, run->map.n, sizeof *run->outcomes);
}

static pv_status check_room(const pv_cut_run *run, size_t n, pv_error *error)
{
    if (run->most == 0 || run->map.n + n <= run->most) {
        return PV_STATUS_OK;
    }
    return pv_i_hint(pv_i_fail(error, PV_STATUS_LIMIT,
                               "more than the %zu schemes that memory allows to remember",
                               run->most),
                     error, "give it more memory");
}

pv_status pv_i_cut_run_remember(pv_cut_run *run, const uint8_t *cuts, const pv_cut_outcome *outcome,
                                uint32_t *id, pv_error *error)
{
    const size_t known = run->map.n;
    PV_TRY(check_room(run, 1, error));
    const uint32_t own = pv_i_keymap_add(&run->map, key_of(run, cuts));
    if (own == PV_KEYMAP_FULL) {
        return pv_i_no_memory(error);
    }
    if (!reserve_outcomes(run)) {
        pv_i_keymap_cut(&run->map, known);
        return pv_i_no_memory(error);
    }
    if (own == known) {
        run->outcomes[own] = *outcome;
        run->evaluated++;
    }
    if (id != NULL) {
        *id = own;
    }
    return PV_STATUS_OK;
}

void pv_i_cut_run_reprice(pv_cut_run *run)
{
    for (size_t id = 0; id < run->map.n; id++) {
        pv_i_cut_run_scheme(run, (uint32_t)id, run->cuts);
        run->outcomes[id].cost = pv_i_cut_cost(run->space, run->prices, run->cuts);
    }
}

uint32_t pv_i_cut_run_find(const pv_cut_run *run, const uint8_t *cuts)
{
    /* A slot holds id + 1: an empty one gives PV_KEYMAP_FULL. */
    return run->map.slots[pv_i_keymap_slot(&run->map, key_of(run, cuts))] - 1;
}

/* ---------------------------------------------------------------- evaluate */

typedef struct {
    pv_cut_run *run;
    uint32_t end; /* of the ids to count: those that are new */
    atomic_uint_fast32_t next;
    atomic_bool failed;
} work;

/* Schemes a thread takes at a time. */
#define SHARE 8

static bool count_scheme(const pv_cut_run *run, unsigned worker, uint32_t id, uint8_t *cuts)
{
    pv_i_cut_run_scheme(run, id, cuts);
    return pv_i_cut_judge(&run->judges[worker], cuts, &run->outcomes[id]);
}

static void count_schemes(void *ctx, unsigned worker)
{
    work *const w = ctx;
    uint8_t *const cuts = PV_NEW_ARRAY(uint8_t, w->run->space->n_bits);
    bool ready = cuts != NULL;
    while (ready) {
        const uint32_t first = (uint32_t)atomic_fetch_add(&w->next, SHARE);
        for (uint32_t id = first; ready && id < first + SHARE && id < w->end; id++) {
            ready = count_scheme(w->run, worker, id, cuts);
        }
        if (first + SHARE >= w->end) {
            break;
        }
    }
    if (!ready) {
        atomic_store(&w->failed, true);
    }
    pv_i_free(cuts);
}

/* Gives every scheme an id and room for its outcome. */
static bool enter_schemes(pv_cut_run *run, const uint8_t *schemes, size_t n, uint32_t *ids)
{
    for (size_t i = 0; i < n; i++) {
        ids[i] = pv_i_keymap_add(&run->map, key_of(run, schemes + i * run->space->n_bits));
        if (ids[i] == PV_KEYMAP_FULL) {
            return false;
        }
    }
    return reserve_outcomes(run);
}

/* Counts those from `known` on. */
static bool count_new(pv_cut_run *run, size_t known)
{
    const size_t n_new = run->map.n - known;
    work w = {.run = run, .end = (uint32_t)run->map.n};
    atomic_init(&w.next, (uint32_t)known);
    atomic_init(&w.failed, false);
    if (n_new > 0) {
        pv_i_pool_run(n_new > SHARE ? run->threads : 1, count_schemes, &w);
    }
    return !atomic_load(&w.failed);
}

pv_status pv_i_cut_run_evaluate(pv_cut_run *run, const uint8_t *schemes, size_t n, uint32_t *ids,
                                pv_error *error)
{
    const size_t known = run->map.n;
    PV_TRY(check_room(run, n, error));
    if (!enter_schemes(run, schemes, n, ids) || !count_new(run, known)) {
        pv_i_keymap_cut(&run->map, known);
        return pv_i_no_memory(error);
    }
    run->asked += n;
    run->evaluated += run->map.n - known;
    return PV_STATUS_OK;
}
