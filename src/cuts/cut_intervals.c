/* The best partition of one attribute, the cache of invalid intervals, and how searches make
 * schemes with both.
 *
 * after[v] is the least cost of partitioning the values from v on, before[v] that of the values
 * before v; each is filled in one pass over the intervals, O(n^2). What a cut at v costs at least
 * is before[v] + after[v]; what its absence costs is the cheapest path with an interval across v.
 * Both bound every scheme with, or without, that cut, which is how branch and bound fixes cuts.
 *
 *     nodes      0 ---- 1 ---- 2 ---- 3 ---- 4         a path 0 -> 2 -> 4 has groups {0,1} {2,3}
 *                 \_____________/\_____________/        cut at 2: before[2] + after[2]
 *                         \_____________/               without a cut at 2: an edge across it
 *
 * Invariants: an interval that spans a forced cut, or ends or begins at a forbidden one, is no
 * edge; costs are whole numbers below 2^62, so equal paths have equal costs on any machine. */
#include "cuts/cut_intervals.h"

#include "base/bitset.h"
#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* -------------------------------------------------------------------- path */

static uint8_t state_of(const pv_cut_path *path, uint32_t cut)
{
    return path->state != NULL ? path->state[cut] : PV_CUT_FREE;
}

/* May a group end before value `v`, or begin with it? */
static bool is_border(const pv_cut_path *path, uint32_t v)
{
    return v == 0 || v == path->axis->n || state_of(path, v - 1) != PV_CUT_FORBIDDEN;
}

/* Costs stay below 2^62 (cut_evaluator.c), or below `most`: sums of two do not overflow. */
static uint64_t sum(const pv_cut_path *path, uint64_t a, uint64_t b)
{
    if (a == PV_CUT_IMPOSSIBLE || b == PV_CUT_IMPOSSIBLE) {
        return PV_CUT_IMPOSSIBLE;
    }
    return path->costs == NULL || a + b < path->most ? a + b : PV_CUT_IMPOSSIBLE;
}

static uint64_t cost_of(const pv_cut_path *path, uint32_t first, uint32_t last)
{
    return path->costs != NULL ? path->costs[(size_t)first * path->axis->n + last]
                               : pv_i_cut_group_cost(path->axis, path->unit, first, last);
}

/* Every interval first..last that lies between forced cuts; one that begins at a forbidden cut is
 * none at all. */
#define FOR_EACH_LAST(path, first, last)                                                     \
    for (uint32_t last = (first), go = is_border(path, first); go && last < (path)->axis->n; \
         go = last + 1 < (path)->axis->n && state_of(path, last) != PV_CUT_FORCED, last++)

static bool may_be_group(const pv_cut_path *path, uint32_t first, uint32_t last)
{
    const size_t at = (size_t)first * path->axis->n + last;
    return is_border(path, last + 1) &&
           (path->costs != NULL ? path->costs[at] != PV_CUT_IMPOSSIBLE : !path->invalid[at]);
}

/* The least cost of the values from `first` on if the first group ends with `last`. */
static uint64_t cost_from(const pv_cut_path *path, const uint64_t *after, uint32_t first,
                          uint32_t last)
{
    return sum(path, cost_of(path, first, last), after[last + 1]);
}

/* From the right: after[first] needs only after[last + 1] of later values. */
static void fill_after(const pv_cut_path *path, uint64_t *after)
{
    const uint32_t n = path->axis->n;
    after[n] = 0;
    for (uint32_t first = n; first-- > 0;) {
        after[first] = PV_CUT_IMPOSSIBLE;
        FOR_EACH_LAST(path, first, last)
        {
            if (may_be_group(path, first, last)) {
                const uint64_t cost = cost_from(path, after, first, last);
                after[first] = cost < after[first] ? cost : after[first];
            }
        }
    }
}

/* From the left, and pushed on instead of pulled: a row of the table of intervals is then read from
 * left to right, as in fill_after. */
static void fill_before(const pv_cut_path *path, uint64_t *before)
{
    const uint32_t n = path->axis->n;
    before[0] = 0;
    for (uint32_t v = 1; v <= n; v++) {
        before[v] = PV_CUT_IMPOSSIBLE;
    }
    for (uint32_t first = 0; first < n; first++) {
        FOR_EACH_LAST(path, first, last)
        {
            if (before[first] != PV_CUT_IMPOSSIBLE && may_be_group(path, first, last)) {
                const uint64_t cost = sum(path, before[first], cost_of(path, first, last));
                before[last + 1] = cost < before[last + 1] ? cost : before[last + 1];
            }
        }
    }
}

/* Follows a shortest path; of several the one whose first group is smallest, so that the answer is
 * always the same. */
static void trace(const pv_cut_path *path, const uint64_t *after, uint8_t *cuts)
{
    const uint32_t n = path->axis->n;
    memset(cuts, 0, n - 1);
    for (uint32_t first = 0; first < n;) {
        uint32_t end = n;
        FOR_EACH_LAST(path, first, last)
        {
            if (may_be_group(path, first, last) &&
                cost_from(path, after, first, last) == after[first]) {
                end = last + 1;
                break;
            }
        }
        if (end < n) {
            cuts[end - 1] = 1;
        }
        first = end;
    }
}

/* Without a cut some group spans its place: of all such the one on the cheapest path. For a fixed
 * first value, going down from the last one, the best so far spans every place still below: O(n^2)
 * in all, where asking for each cut by itself would be O(n^3). */
static void fill_excluded(const pv_cut_path *path, const uint64_t *before, const uint64_t *after,
                          uint64_t *excluded)
{
    const uint32_t n = path->axis->n;
    for (uint32_t i = 0; i + 1 < n; i++) {
        excluded[i] = PV_CUT_IMPOSSIBLE;
    }
    for (uint32_t first = 0; first < n; first++) {
        uint32_t longest = first;
        FOR_EACH_LAST(path, first, last)
        {
            longest = last;
        }
        uint64_t best = PV_CUT_IMPOSSIBLE;
        for (uint32_t last = longest; last > first && is_border(path, first); last--) {
            if (may_be_group(path, first, last)) {
                const uint64_t cost = sum(path, before[first], cost_from(path, after, first, last));
                best = cost < best ? cost : best;
            }
            excluded[last - 1] = best < excluded[last - 1] ? best : excluded[last - 1];
        }
    }
}

/* Included and excluded are asked for by branch and bound only; local search needs the path alone,
 * which is less than half the work. */
uint64_t pv_i_cut_best_path(const pv_cut_path *path, uint8_t *cuts, uint64_t *included,
                            uint64_t *excluded, uint64_t *scratch)
{
    const uint32_t n = path->axis->n;
    uint64_t *const after = scratch;
    uint64_t *const before = scratch + n + 1;
    fill_after(path, after);
    if (after[0] == PV_CUT_IMPOSSIBLE) {
        return PV_CUT_IMPOSSIBLE;
    }
    trace(path, after, cuts);
    if (included != NULL) {
        fill_before(path, before);
        for (uint32_t i = 0; i + 1 < n; i++) {
            included[i] = sum(path, before[i + 1], after[i + 1]);
        }
        fill_excluded(path, before, after, excluded);
    }
    return after[0];
}

/* ------------------------------------------------------------------- cache */

/* The key is the axis and the cuts of the others; the axis's own cuts are left out, since they do
 * not matter: children of a node that differ in them share the table. Nothing is ever evicted
 * singly. A batch of nodes holds pointers to tables, so the cache may only be emptied between
 * batches. */

/* One more word per key than bits need: the axis. */
bool pv_i_cut_interval_cache_init(pv_cut_interval_cache *cache, pv_cut_table *table, uint64_t k,
                                  uint64_t memory)
{
    const unsigned words = 1 + (unsigned)PV_BITSET_WORDS(table->space->n_bits + 1);
    *cache = (pv_cut_interval_cache){.table = table, .k = k, .memory = memory};
    if (!pv_i_keymap_init(&cache->keys, words, 0)) {
        return false;
    }
    (void)pthread_mutex_init(&cache->lock, NULL);
    return true;
}

static void forget(pv_cut_interval_cache *cache)
{
    for (size_t i = 0; i < cache->keys.n; i++) {
        pv_i_free(cache->tables[i]);
    }
    cache->keys.n = 0;
    cache->bytes = 0;
}

void pv_i_cut_interval_cache_deinit(pv_cut_interval_cache *cache)
{
    if (cache->table == NULL) {
        return;
    }
    if (cache->keys.keys != NULL) {
        forget(cache);
        (void)pthread_mutex_destroy(&cache->lock);
    }
    pv_i_free(cache->tables);
    pv_i_keymap_deinit(&cache->keys);
    *cache = (pv_cut_interval_cache){0};
}

void pv_i_cut_interval_cache_trim(pv_cut_interval_cache *cache)
{
    if (cache->bytes > cache->memory) {
        forget(cache);
        memset(cache->keys.slots, 0, (cache->keys.slot_mask + 1) * sizeof *cache->keys.slots);
    }
}

/* Which intervals are too small or break a rule depends on the table; which cross a branch of the
 * taxonomy does not. */
static bool *make_table(const pv_cut_interval_cache *cache, pv_cut_evaluator *evaluator,
                        size_t axis, const uint8_t *cuts)
{
    const pv_cut_axis *const own = &cache->table->space->axes[axis];
    bool *const table = PV_NEW_ARRAY(bool, (size_t)own->n * own->n);
    if (table == NULL || !pv_i_cut_find_invalid(evaluator, axis, cuts, cache->k, table)) {
        pv_i_free(table);
        return NULL;
    }
    pv_i_cut_invalidate_crossing(own, table);
    return table;
}

/* Takes the table over, unless another thread has made the same one meanwhile: then that one
 * stays. */
static const bool *add_table(pv_cut_interval_cache *cache, const uint64_t *key, bool *table,
                             size_t bytes)
{
    const bool *stays = NULL;
    (void)pthread_mutex_lock(&cache->lock);
    const size_t known = cache->keys.n;
    if (pv_i_reserve((void **)&cache->tables, &cache->capacity, known + 1, sizeof *cache->tables)) {
        const uint32_t id = pv_i_keymap_add(&cache->keys, key);
        if (id != PV_KEYMAP_FULL && cache->keys.n > known) {
            cache->tables[id] = table;
            cache->bytes += bytes;
            cache->made++;
        }
        stays = id != PV_KEYMAP_FULL ? cache->tables[id] : NULL;
    }
    (void)pthread_mutex_unlock(&cache->lock);
    if (stays != table) {
        pv_i_free(table);
    }
    return stays;
}

/* Tables are made outside the lock: that is where the time goes. */
const bool *pv_i_cut_interval_cache_get(pv_cut_interval_cache *cache, pv_cut_evaluator *evaluator,
                                        size_t axis, const uint8_t *cuts, uint64_t *key)
{
    const pv_cut_space *const space = cache->table->space;
    const pv_cut_axis *const own = &space->axes[axis];
    memset(key, 0, cache->keys.words * sizeof *key);
    key[0] = axis;
    for (size_t i = 0; i < space->n_bits; i++) {
        if (cuts[i] != 0 && (i < own->first_bit || i >= own->first_bit + own->n - 1)) {
            pv_i_bit_set(key + 1, i);
        }
    }
    (void)pthread_mutex_lock(&cache->lock);
    const uint32_t slot = cache->keys.slots[pv_i_keymap_slot(&cache->keys, key)];
    const bool *const known = slot > 0 ? cache->tables[slot - 1] : NULL;
    (void)pthread_mutex_unlock(&cache->lock);
    if (known != NULL) {
        return known;
    }
    bool *const table = make_table(cache, evaluator, axis, cuts);
    return table != NULL ? add_table(cache, key, table, (size_t)own->n * own->n) : NULL;
}

/* ========================================================= making schemes
 *
 * A scheme stays valid while one attribute after the other gets a shortest path over its valid
 * intervals: an interval is valid exactly if all classes with it meet k and the rules, given the
 * cuts of the others (cut_intervals.h). So repairing and sweeping never need to look back. What the
 * first attribute takes, the others no longer have: the order decides which optimum a sweep ends
 * in, which is why it is random. */

/* Rounds over all attributes before a sweep ends in any case. */
#define MOST_ROUNDS 8

/* ------------------------------------------------------------------ random */

/* See the header for why the density is drawn, too. */
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

void pv_i_cut_limit(const pv_cut_space *space, uint8_t *cuts)
{
    for (size_t i = 0; space->limited && i < space->n_bits; i++) {
        cuts[i] = (cuts[i] != 0 && space->finest[i] != 0) || space->coarsest[i] != 0;
    }
}

void pv_i_cut_states(const pv_cut_space *space, uint8_t *state)
{
    for (size_t i = 0; i < space->n_bits; i++) {
        state[i] = space->coarsest[i] != 0 ? PV_CUT_FORCED
                   : space->finest[i] == 0 ? PV_CUT_FORBIDDEN
                                           : PV_CUT_FREE;
    }
}

/* Extends a group by whole neighbours to the smallest that is allowed. There is one: of two allowed
 * groups around it, what they have in common is allowed, too. */
static void widen(const pv_cut_axis *axis, const uint8_t *coarsest, const uint8_t *cuts,
                  uint32_t *first, uint32_t *last)
{
    uint32_t best_first = start_of(coarsest, *first); /* a group of the coarsest is allowed */
    uint32_t best_last = end_of(axis, coarsest, *last);
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

void pv_i_cut_respect(const pv_cut_space *space, uint8_t *cuts)
{
    pv_i_cut_limit(space, cuts);
    for (size_t a = 0; a < space->n_axes; a++) {
        const pv_cut_axis *const axis = &space->axes[a];
        uint8_t *const own = cuts + axis->first_bit;
        for (uint32_t first = 0; axis->respects && first < axis->n;) {
            uint32_t last = end_of(axis, own, first);
            if (!pv_i_cut_joinable(axis, first, last)) {
                widen(axis, space->coarsest + axis->first_bit, own, &first, &last);
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

/* All four are equally likely; what is not possible (no cut to drop, no place to add one) leaves
 * the scheme as it is. */
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

/* Everything a thread needs to make, repair and sweep schemes without allocating. */
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

/* Counted, so that methods can be compared by their effort and not by the clock. */
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

/* The new scheme begins with the coarsest, which is valid, and stays valid with every attribute
 * that gets a path over valid intervals. */
bool pv_i_cut_repair(pv_cut_local *local, pv_rng *rng, uint8_t *cuts)
{
    memcpy(local->made, local->space->coarsest, local->space->n_bits);
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

/* Each step gives one attribute the best it can have under the others' cuts, so the cost never
 * grows; when every attribute in a row stays as it was, the scheme is a local optimum. */
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
