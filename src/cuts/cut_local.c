/* Local search over cuts. */
#include "cuts/cut_local.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* Rounds over all attributes before a sweep ends in any case. */
#define MOST_ROUNDS 8

pv_status pv_i_cut_local_init(pv_cut_local *local, pv_cut_table *table, const pv_cut_prices *prices,
                              const pv_cut_aspects *aspects, uint64_t k, pv_error *error)
{
    const pv_cut_space *const space = table->space;
    size_t longest = 1;
    for (size_t a = 0; a < space->n_axes; a++) {
        longest = space->axes[a].n > longest ? space->axes[a].n : longest;
    }
    *local = (pv_cut_local){.table = table,
                            .space = space,
                            .prices = prices,
                            .k = k,
                            .banned = PV_NEW_ARRAY(bool, longest *longest),
                            .room = PV_NEW_ARRAY(uint64_t, 2 * (longest + 1)),
                            .state = PV_NEW_ARRAY(uint8_t, longest),
                            .made = PV_NEW_ARRAY(uint8_t, space->n_bits),
                            .order = PV_NEW_ARRAY(size_t, space->n_axes)};
    pv_status status = local->banned != NULL && local->room != NULL && local->state != NULL &&
                               local->made != NULL && local->order != NULL
                           ? pv_i_cut_judge_init(&local->judge, table, prices, aspects, error)
                           : pv_i_no_memory(error);
    if (status != PV_STATUS_OK) {
        pv_i_cut_local_deinit(local);
    }
    return status;
}

void pv_i_cut_local_deinit(pv_cut_local *local)
{
    pv_i_cut_judge_deinit(&local->judge);
    pv_i_free(local->banned);
    pv_i_free(local->room);
    pv_i_free(local->state);
    pv_i_free(local->made);
    pv_i_free(local->order);
    *local = (pv_cut_local){0};
}

static void shuffle_axes(pv_cut_local *local, pv_rng *rng)
{
    for (size_t i = 0; i < local->space->n_axes; i++) {
        const size_t j = (size_t)pv_i_rng_below(rng, i + 1);
        local->order[i] = local->order[j];
        local->order[j] = i;
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

static void shift(pv_rng *rng, uint8_t *cuts, size_t n, size_t cut)
{
    const bool up = pv_i_rng_below(rng, 2) == 1;
    const size_t to = up ? cut + 1 : cut - 1; /* below 0 is beyond n, too */
    if (to < n && cuts[to] == 0) {
        cuts[cut] = 0;
        cuts[to] = 1;
    }
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
        shift(rng, cuts, n, dropped);
        return;
    }
    if ((move == DROP || move == EXCHANGE) && dropped < n) {
        cuts[dropped] = 0;
    }
    if ((move == ADD || move == EXCHANGE) && added < n) {
        cuts[added] = 1;
    }
}

/* ------------------------------------------------------------------- sound */

bool pv_i_cut_look(pv_cut_local *local, const uint8_t *cuts, pv_cut_outcome *outcome)
{
    local->looks++;
    return pv_i_cut_judge(&local->judge, cuts, outcome);
}

bool pv_i_cut_is_sound(const pv_cut_local *local, const uint8_t *cuts,
                       const pv_cut_outcome *outcome)
{
    return outcome->sizes.smallest >= local->k && outcome->kept >= 1 &&
           pv_i_cut_respects(local->space, cuts);
}

/* ------------------------------------------------------------ one attribute */

static bool find_banned(pv_cut_local *local, size_t a, const uint8_t *cuts)
{
    const pv_cut_axis *const axis = &local->space->axes[a];
    local->looks++;
    if (!pv_i_cut_unfit(&local->judge, a, cuts, local->k, local->banned)) {
        return false;
    }
    pv_i_cut_ban_strangers(axis, local->banned);
    return true;
}

/* Gives an attribute of `cuts` its best partition, with no other cuts than `within` has (NULL =
 * any). */
static bool improve_axis(pv_cut_local *local, size_t a, const uint8_t *within, uint8_t *cuts)
{
    const pv_cut_axis *const axis = &local->space->axes[a];
    if (!find_banned(local, a, cuts)) {
        return false;
    }
    for (uint32_t i = 0; within != NULL && i + 1 < axis->n; i++) {
        local->state[i] = within[axis->first_bit + i] != 0 ? PV_CUT_FREE : PV_CUT_FORBIDDEN;
    }
    const pv_cut_path path = {.axis = axis,
                              .unit = local->prices->unit[a],
                              .banned = local->banned,
                              .state = within != NULL ? local->state : NULL};
    (void)pv_i_cut_best_path(&path, cuts + axis->first_bit, NULL, NULL, local->room);
    return true;
}

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
