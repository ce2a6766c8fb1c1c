/* The schemes a search has evaluated. */
#include "lattice/memo.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* However little memory there is. */
#define FEWEST_KEPT ((size_t)1 << 16)

pv_status pv_i_memo_init(pv_memo *memo, pv_run *run, pv_error *error)
{
    const unsigned words = (unsigned)((run->lattice.n_axes + 7) / 8);
    *memo = (pv_memo){.run = run, .key = PV_NEW_ZEROED(uint64_t, words)};
    if (memo->key == NULL || !pv_i_keymap_init(&memo->map, words, 0)) {
        pv_i_memo_deinit(memo);
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

void pv_i_memo_deinit(pv_memo *memo)
{
    pv_i_keymap_deinit(&memo->map);
    pv_i_free(memo->values);
    pv_i_free(memo->key);
    pv_i_free(memo->new_levels);
    pv_i_free(memo->outcomes);
    *memo = (pv_memo){0};
}

/* The bytes after the last level stay 0. */
static const uint64_t *key_of(const pv_memo *memo, const uint8_t *levels)
{
    memcpy(memo->key, levels, memo->run->lattice.n_axes);
    return memo->key;
}

bool pv_i_memo_knows(const pv_memo *memo, const uint8_t *levels)
{
    return pv_i_keymap_has(&memo->map, key_of(memo, levels));
}

/* ------------------------------------------------------------- evaluate */

static bool reserve(pv_memo *memo, size_t n)
{
    const size_t n_axes = memo->run->lattice.n_axes;
    size_t outcomes = memo->new_capacity;
    return pv_i_reserve((void **)&memo->values, &memo->capacity, memo->map.n + n,
                        memo->run->n_objectives * sizeof *memo->values) &&
           pv_i_reserve((void **)&memo->outcomes, &outcomes, n, sizeof *memo->outcomes) &&
           pv_i_reserve((void **)&memo->new_levels, &memo->new_capacity, n, n_axes);
}

/* Numbers the schemes; the new ones get the highest numbers, in order. */
static bool number(pv_memo *memo, const uint8_t *levels, size_t n, uint32_t *ids)
{
    const size_t n_axes = memo->run->lattice.n_axes;
    memo->n_new = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t before = memo->map.n;
        ids[i] = pv_i_keymap_add(&memo->map, key_of(memo, levels + i * n_axes));
        if (ids[i] == PV_KEYMAP_FULL) {
            return false;
        }
        if (memo->map.n > before) {
            memcpy(memo->new_levels + memo->n_new++ * n_axes, levels + i * n_axes, n_axes);
        }
    }
    return true;
}

static void keep(pv_memo *memo, size_t id, const pv_outcome *outcome)
{
    const pv_run *const run = memo->run;
    double *const values = memo->values + id * run->n_objectives;
    for (size_t o = 0; o < run->n_objectives; o++) {
        values[o] = outcome->feasible ? run->archive.signs[o] * pv_i_settled(outcome->values[o])
                                      : -(double)INFINITY;
    }
}

pv_status pv_i_memo_evaluate(pv_memo *memo, const uint8_t *levels, size_t n, uint32_t *ids,
                             pv_error *error)
{
    pv_run *const run = memo->run;
    const size_t known = memo->map.n;
    if (!reserve(memo, n) || !number(memo, levels, n, ids)) {
        return pv_i_no_memory(error);
    }
    if (memo->n_new == 0) {
        return PV_STATUS_OK;
    }
    PV_TRY(pv_i_run_evaluate(run, memo->new_levels, memo->n_new, memo->outcomes, error));
    for (size_t i = 0; i < memo->n_new; i++) {
        keep(memo, known + i, &memo->outcomes[i]);
        PV_TRY(pv_i_run_offer(run, memo->new_levels + i * run->lattice.n_axes, &memo->outcomes[i],
                              error));
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- begin */

pv_status pv_i_memo_start(pv_memo *memo, pv_error *error)
{
    const pv_search_options *const options = &memo->run->options;
    uint32_t *const ids = PV_NEW_ARRAY(uint32_t, options->n_start);
    if (ids == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = pv_i_memo_evaluate(memo, options->start, options->n_start, ids, error);
    pv_i_free(ids);
    return status;
}

void pv_i_memo_trace(pv_memo *memo, uint32_t bottom, uint32_t top)
{
    pv_i_trace_begin(&memo->run->trace, memo->run->objectives, memo->run->n_objectives,
                     pv_i_memo_values(memo, bottom), pv_i_memo_values(memo, top));
}

/* --------------------------------------------------------------- forget */

bool pv_i_memo_trim(pv_memo *memo)
{
    const size_t each = (memo->map.words + memo->run->n_objectives + 1) * sizeof(uint64_t);
    if (memo->map.n < FEWEST_KEPT || memo->map.n < memo->run->options.memory / each) {
        return false;
    }
    memset(memo->map.slots, 0, (memo->map.slot_mask + 1) * sizeof *memo->map.slots);
    memo->map.n = 0;
    return true;
}
