/* How searches make schemes.
 *
 * A scheme stays valid while one attribute after the other gets a shortest path over its valid
 * intervals: an interval is valid exactly if all classes with it meet k and the rules, given the
 * cuts of the others (cut_intervals.h). So repairing and sweeping never need to look back. What the
 * first attribute takes, the others no longer have: the order decides which optimum a sweep ends
 * in, which is why it is random. */
#include "cuts/cut_local.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Rounds over all attributes before a sweep ends in any case. */
#define MOST_ROUNDS 8

/* ------------------------------------------------------------------ random */

void pv_i_cut_random(size_t n_bits, pv_rng *rng, uint8_t *cuts)
{
    const uint64_t halvings = 1 + pv_i_rng_below(rng, 1 + pv_i_bits_for(n_bits + 1));
    const double density = ldexp(1 + pv_i_rng_unit(rng), -(int)halvings);
    for (size_t i = 0; i < n_bits; i++) {
        cuts[i] = pv_i_rng_unit(rng) < density;
    }
}

/* ---------------------------------------------------------------- taxonomy */

/* The last value of the group that begins with `first`. */
static uint32_t end_of(const pv_cut_axis *axis, const uint8_t *cuts, uint32_t first)
{
    uint32_t last = first;
    while (last + 1 < axis->n && cuts[last] == 0) {
        last++;
    }
    return last;
}

/* The first value of the group that ends with `last`. */
static uint32_t start_of(const uint8_t *cuts, uint32_t last)
{
    uint32_t first = last;
    while (first > 0 && cuts[first - 1] == 0) {
        first--;
    }
    return first;
}

/* Extends a group by whole neighbours to the smallest that is allowed. There is one: of two allowed
 * groups around it, what they have in common is allowed, too. */
static void widen(const pv_cut_axis *axis, const uint8_t *cuts, uint32_t *first, uint32_t *last)
{
    uint32_t best_first = 0;
    uint32_t best_last = axis->n - 1; /* everything may always be one group */
    for (uint32_t from = *first;; from = start_of(cuts, from - 1)) {
        for (uint32_t to = *last; to < axis->n && to - from < best_last - best_first;
             to = end_of(axis, cuts, to + 1)) {
            if (pv_i_cut_joinable(axis, from, to)) {
                best_first = from;
                best_last = to;
            }
        }
        if (from == 0) {
            break;
        }
    }
    *first = best_first;
    *last = best_last;
}

void pv_i_cut_respect_taxonomies(const pv_cut_space *space, uint8_t *cuts)
{
    for (size_t a = 0; a < space->n_axes; a++) {
        const pv_cut_axis *const axis = &space->axes[a];
        uint8_t *const own = cuts + axis->first_bit;
        for (uint32_t first = 0; axis->respects && first < axis->n;) {
            uint32_t last = end_of(axis, own, first);
            if (!pv_i_cut_joinable(axis, first, last)) {
                widen(axis, own, &first, &last);
                memset(own + first, 0, last - first);
            }
            first = last + 1;
        }
    }
}

/* ------------------------------------------------------------------- moves */

/* The `skip`-th cut that is set, or not, counted from 0. */
static size_t nth(const uint8_t *cuts, uint8_t what, size_t skip)
{
    size_t i = 0;
    while (cuts[i] != what || skip-- > 0) {
        i++;
    }
    return i;
}

static size_t count_set(const uint8_t *cuts, size_t n)
{
    size_t set = 0;
    for (size_t i = 0; i < n; i++) {
        set += cuts[i] != 0;
    }
    return set;
}

void pv_i_cut_move(const pv_cut_local *local, pv_rng *rng, uint8_t *cuts)
{
    enum { ADD, DROP, SHIFT, EXCHANGE, MOVES };
    const size_t n = local->space->n_bits;
    const size_t set = count_set(cuts, n);
    const uint64_t move = pv_i_rng_below(rng, MOVES);
    const size_t dropped = set > 0 ? nth(cuts, 1, (size_t)pv_i_rng_below(rng, set)) : n;
    const size_t added = set < n ? nth(cuts, 0, (size_t)pv_i_rng_below(rng, n - set)) : n;
    if (move == SHIFT && dropped < n) {
        const bool up = pv_i_rng_below(rng, 2) == 1;
        const size_t to = up ? dropped + 1 : dropped - 1; /* below 0 is beyond n, too */
        if (to < n && cuts[to] == 0) {
            cuts[dropped] = 0;
            cuts[to] = 1;
        }
        return;
    }
    if ((move == DROP || move == EXCHANGE) && dropped < n) {
        cuts[dropped] = 0;
    }
    if ((move == ADD || move == EXCHANGE) && added < n) {
        cuts[added] = 1;
    }
}

/* ------------------------------------------------------------------ set up */

pv_status pv_i_cut_local_init(pv_cut_local *local, pv_cut_table *table, const pv_cut_prices *prices,
                              const pv_cut_criteria *criteria, uint64_t k, pv_error *error)
{
    const pv_cut_space *const space = table->space;
    const size_t longest = pv_i_cut_most_values(space);
    *local = (pv_cut_local){.table = table,
                            .space = space,
                            .prices = prices,
                            .k = k,
                            .invalid = PV_NEW_ARRAY(bool, longest *longest),
                            .scratch = PV_NEW_ARRAY(uint64_t, 2 * (longest + 1)),
                            .state = PV_NEW_ARRAY(uint8_t, longest),
                            .made = PV_NEW_ARRAY(uint8_t, space->n_bits),
                            .order = PV_NEW_ARRAY(size_t, space->n_axes)};
    const pv_status status =
        local->invalid != NULL && local->scratch != NULL && local->state != NULL &&
                local->made != NULL && local->order != NULL
            ? pv_i_cut_evaluator_init(&local->evaluator, table, prices, criteria, error)
            : pv_i_no_memory(error);
    if (status != PV_STATUS_OK) {
        pv_i_cut_local_deinit(local);
    }
    return status;
}

void pv_i_cut_local_deinit(pv_cut_local *local)
{
    pv_i_cut_evaluator_deinit(&local->evaluator);
    pv_i_free(local->invalid);
    pv_i_free(local->scratch);
    pv_i_free(local->state);
    pv_i_free(local->made);
    pv_i_free(local->order);
    *local = (pv_cut_local){0};
}

/* -------------------------------------------------------- repair and sweep */

bool pv_i_cut_local_evaluate(pv_cut_local *local, const uint8_t *cuts, pv_cut_outcome *outcome)
{
    local->counted++;
    return pv_i_cut_evaluate(&local->evaluator, cuts, outcome);
}

bool pv_i_cut_is_valid(const pv_cut_local *local, const uint8_t *cuts,
                       const pv_cut_outcome *outcome)
{
    return outcome->sizes.smallest >= local->k && outcome->compliance >= 1 &&
           pv_i_cut_respects(local->space, cuts);
}

static void shuffle_axes(pv_cut_local *local, pv_rng *rng)
{
    for (size_t i = 0; i < local->space->n_axes; i++) {
        const size_t j = (size_t)pv_i_rng_below(rng, i + 1);
        local->order[i] = local->order[j];
        local->order[j] = i;
    }
}

/* Gives an attribute of `cuts` its best partition, with no other cuts than `within` has (NULL =
 * any). If the cuts of the others allow none, it stays as it is. */
static bool improve_axis(pv_cut_local *local, size_t a, const uint8_t *within, uint8_t *cuts)
{
    const pv_cut_axis *const axis = &local->space->axes[a];
    local->counted++;
    if (!pv_i_cut_find_invalid(&local->evaluator, a, cuts, local->k, local->invalid)) {
        return false;
    }
    pv_i_cut_invalidate_crossing(axis, local->invalid);
    for (uint32_t i = 0; within != NULL && i + 1 < axis->n; i++) {
        local->state[i] = within[axis->first_bit + i] != 0 ? PV_CUT_FREE : PV_CUT_FORBIDDEN;
    }
    const pv_cut_path path = {.axis = axis,
                              .unit = local->prices->unit[a],
                              .invalid = local->invalid,
                              .state = within != NULL ? local->state : NULL};
    (void)pv_i_cut_best_path(&path, cuts + axis->first_bit, NULL, NULL, local->scratch);
    return true;
}

/* The new scheme begins with everything merged, which is valid, and stays valid with every
 * attribute that gets a path over valid intervals. */
bool pv_i_cut_repair(pv_cut_local *local, pv_rng *rng, uint8_t *cuts)
{
    memset(local->made, 0, local->space->n_bits);
    shuffle_axes(local, rng);
    for (size_t i = 0; i < local->space->n_axes; i++) {
        const pv_cut_axis *const axis = &local->space->axes[local->order[i]];
        const bool is_cut = count_set(cuts + axis->first_bit, axis->n - 1) > 0;
        if (is_cut && !improve_axis(local, local->order[i], cuts, local->made)) {
            return false;
        }
    }
    memcpy(cuts, local->made, local->space->n_bits);
    return true;
}

bool pv_i_cut_sweep(pv_cut_local *local, pv_rng *rng, uint8_t *cuts)
{
    size_t unchanged = 0; /* attributes in a row */
    for (size_t round = 0; round < MOST_ROUNDS && unchanged < local->space->n_axes; round++) {
        shuffle_axes(local, rng);
        for (size_t i = 0; i < local->space->n_axes && unchanged < local->space->n_axes; i++) {
            const pv_cut_axis *const axis = &local->space->axes[local->order[i]];
            memcpy(local->made, cuts + axis->first_bit, axis->n - 1);
            if (!improve_axis(local, local->order[i], NULL, cuts)) {
                return false;
            }
            const bool same = memcmp(local->made, cuts + axis->first_bit, axis->n - 1) == 0;
            unchanged = same ? unchanged + 1 : 1;
        }
    }
    return true;
}
