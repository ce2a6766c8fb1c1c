/* Counting the classes of cut schemes. */
#include "cuts/cut_table.h"

#include "base/checked.h"
#include "base/hash.h"
#include "base/memory.h"
#include "classes/keys.h"

#include <string.h>

/* Keys below this have a counter each. */
#define DIRECT ((uint64_t)1 << 18)

bool pv_i_cut_scratch_init(pv_cut_scratch *scratch, const pv_cut_table *table)
{
    const uint32_t most = pv_i_cut_most_values(table->space);
    const size_t n_slots = (size_t)pv_i_next_power(2 * table->base.n + 1);
    *scratch = (pv_cut_scratch){
        .keys = PV_NEW_ARRAY(uint32_t, table->base.n),
        .slots = PV_NEW_ARRAY(uint64_t, n_slots),
        .n_slots = n_slots,
        .places = PV_NEW_ARRAY(uint32_t, most > PV_MOST_CUT_BUNDLED ? most : PV_MOST_CUT_BUNDLED),
        .steps = PV_NEW_ARRAY(int32_t, (size_t)(most + 1) * (most + 1))};
    if (scratch->keys == NULL || scratch->slots == NULL || scratch->places == NULL ||
        scratch->steps == NULL) {
        pv_i_cut_scratch_deinit(scratch);
        return false;
    }
    return true;
}

void pv_i_cut_scratch_deinit(pv_cut_scratch *scratch)
{
    pv_i_free(scratch->keys);
    pv_i_free(scratch->counters);
    pv_i_free(scratch->slots);
    pv_i_free(scratch->places);
    pv_i_free(scratch->steps);
    *scratch = (pv_cut_scratch){0};
}

/* ------------------------------------------------------------------ classes */

static bool is_cut(const pv_cut_axis *axis, const uint8_t *cuts)
{
    return memchr(cuts + axis->first_bit, 1, axis->n - 1) != NULL;
}

static uint64_t axes_cut(const pv_cut_space *space, const uint8_t *cuts)
{
    uint64_t axes = 0;
    for (size_t a = 0; a < space->n_axes; a++) {
        axes |= (uint64_t)is_cut(&space->axes[a], cuts) << a;
    }
    return axes;
}

/* Replaces keys by the numbers of their distinct values; returns how many there are, 0 if memory
 * runs out. */
static uint64_t renumber(uint32_t *keys, size_t n)
{
    pv_keymap map = {0};
    bool ready = pv_i_keymap_init(&map, 1, 0);
    for (size_t t = 0; ready && t < n; t++) {
        const uint64_t key = keys[t];
        const uint32_t id = pv_i_keymap_add(&map, &key);
        ready = id != PV_KEYMAP_FULL;
        keys[t] = id;
    }
    const uint64_t distinct = ready ? map.n : 0;
    pv_i_keymap_deinit(&map);
    return distinct;
}

/* Extends a table of places by an axis, whose groups are `unit` apart; returns the number of
 * groups. `n` is the length of the table before. */
static uint64_t place_groups(const pv_cut_axis *axis, const uint8_t *cuts, uint64_t unit,
                             uint32_t n, uint32_t *places)
{
    const uint8_t *const own = cuts + axis->first_bit;
    uint64_t group = 0;
    for (uint32_t v = 1; v < axis->n; v++) {
        group += own[v - 1] != 0;
        const uint32_t more = (uint32_t)(group * unit);
        for (uint32_t i = 0; i < n; i++) {
            places[v * n + i] = places[i] + more;
        }
    }
    return group + 1;
}

/* What each value of a bundle adds to a key under the cuts of some axes, given what keys are below;
 * returns what they are below then. */
static uint64_t place_bundle(const pv_cut_space *space, const pv_cut_bundle *bundle, uint64_t axes,
                             const uint8_t *cuts, uint64_t below, uint32_t *places)
{
    uint32_t n = 1;
    places[0] = 0;
    for (uint64_t left = bundle->axes; left != 0; left &= left - 1) {
        const size_t a = (size_t)__builtin_ctzll(left);
        const uint64_t unit = (axes >> a & 1) != 0 ? below : 0;
        const uint64_t n_groups = place_groups(&space->axes[a], cuts, unit, n, places);
        below *= unit > 0 ? n_groups : 1;
        n *= space->axes[a].n;
    }
    return below;
}

/* A key per tuple, equal for equal classes under the cuts of some axes; returns what they are all
 * below, 0 if memory runs out. */
static uint64_t fill_keys(const pv_cut_table *table, pv_cut_scratch *scratch,
                          const pv_cut_view *view, uint64_t axes, const uint8_t *cuts)
{
    uint64_t below = 1;
    memset(scratch->keys, 0, view->n * sizeof *scratch->keys);
    for (size_t b = 0; b < view->n_bundles && below > 0; b++) {
        const pv_cut_bundle *const bundle = &view->bundles[b];
        if ((bundle->axes & axes) == 0) {
            continue;
        }
        if (below > UINT32_MAX / bundle->n) {
            below = renumber(scratch->keys, view->n);
        }
        below = place_bundle(table->space, bundle, axes, cuts, below, scratch->places);
        const uint16_t *const values = bundle->values;
        for (size_t t = 0; t < view->n; t++) {
            scratch->keys[t] += scratch->places[values[t]];
        }
    }
    return below;
}

/* Counters are 0 between two countings. */
static bool reserve_counters(pv_cut_scratch *scratch, size_t n)
{
    const size_t before = scratch->n_counters;
    if (!pv_i_reserve((void **)&scratch->counters, &scratch->n_counters, n,
                      sizeof *scratch->counters)) {
        return false;
    }
    memset(scratch->counters + before, 0,
           (scratch->n_counters - before) * sizeof *scratch->counters);
    return true;
}

static void summarise(const uint32_t *counts, size_t n, pv_cut_sizes *sizes)
{
    uint32_t smallest = UINT32_MAX;
    uint32_t largest = 0;
    size_t n_classes = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t count = counts[i];
        const uint32_t present = count > 0 ? count : UINT32_MAX;
        smallest = present < smallest ? present : smallest;
        largest = count > largest ? count : largest;
        n_classes += count > 0;
    }
    *sizes = (pv_cut_sizes){.smallest = smallest, .largest = largest, .n_classes = n_classes};
}

/* Few possible keys: a counter for each, all looked through. */
static void count_all_keys(const pv_cut_scratch *scratch, const pv_cut_view *view, size_t below,
                           pv_cut_sizes *sizes)
{
    for (size_t t = 0; t < view->n; t++) {
        scratch->counters[scratch->keys[t]] += view->counts[t];
    }
    summarise(scratch->counters, below, sizes);
    memset(scratch->counters, 0, below * sizeof *scratch->counters);
}

/* More of them than tuples: only those that occur are looked at, and left at 0 again. */
static void count_keys_met(const pv_cut_scratch *scratch, const pv_cut_view *view,
                           pv_cut_sizes *sizes)
{
    uint32_t smallest = UINT32_MAX;
    uint32_t largest = 0;
    size_t n_classes = 0;
    for (size_t t = 0; t < view->n; t++) {
        scratch->counters[scratch->keys[t]] += view->counts[t];
    }
    for (size_t t = 0; t < view->n; t++) {
        uint32_t *const counter = &scratch->counters[scratch->keys[t]];
        const uint32_t count = *counter;
        const uint32_t present = count > 0 ? count : UINT32_MAX;
        smallest = present < smallest ? present : smallest;
        largest = count > largest ? count : largest;
        n_classes += count > 0;
        *counter = 0;
    }
    *sizes = (pv_cut_sizes){.smallest = smallest, .largest = largest, .n_classes = n_classes};
}

/* Many: a counter for each slot of a hash table. */
static void count_by_slot(const pv_cut_scratch *scratch, const pv_cut_view *view, size_t n_slots,
                          pv_cut_sizes *sizes)
{
    memset(scratch->slots, 0, n_slots * sizeof *scratch->slots);
    for (size_t t = 0; t < view->n; t++) {
        const uint64_t key = (uint64_t)scratch->keys[t] + 1;
        size_t slot = (size_t)pv_i_hash_u64(key) & (n_slots - 1);
        while (scratch->slots[slot] != 0 && scratch->slots[slot] != key) {
            slot = (slot + 1) & (n_slots - 1);
        }
        scratch->slots[slot] = key;
        scratch->counters[slot] += view->counts[t];
    }
    summarise(scratch->counters, n_slots, sizes);
    memset(scratch->counters, 0, n_slots * sizeof *scratch->counters);
}

bool pv_i_cut_count(pv_cut_table *table, pv_cut_scratch *scratch, const uint8_t *cuts,
                    pv_cut_sizes *sizes)
{
    const uint64_t axes = axes_cut(table->space, cuts);
    const pv_cut_view *const view = pv_i_cut_view_of(table, axes);
    const uint64_t below = fill_keys(table, scratch, view, axes, cuts);
    const size_t n_slots = (size_t)pv_i_next_power(2 * view->n + 1);
    const bool direct = below < DIRECT;
    if (below == 0 || !reserve_counters(scratch, direct ? (size_t)below : n_slots)) {
        return false;
    }
    if (!direct) {
        count_by_slot(scratch, view, n_slots, sizes);
    } else if (below <= view->n) {
        count_all_keys(scratch, view, (size_t)below, sizes);
    } else {
        count_keys_met(scratch, view, sizes);
    }
    sizes->n_rows = table->space->n_rows;
    return true;
}

/* ---------------------------------------------------------------- intervals */

/* One class of the other axes: `counts` are its rows by value. An interval that begins after value
 * `before` and up to value p, where the class has rows again, is too small if it ends at p or later
 * but before k rows have come together. Marked at the corners, added up later. */
static void mark_class(const uint32_t *counts, uint32_t n, uint64_t k, int32_t *steps)
{
    const size_t width = (size_t)n + 1;
    uint32_t from = 0; /* the first start that meets p first */
    uint32_t end = 0;  /* the first end with k rows from p on, or n */
    uint64_t rows = 0; /* from p to before `end` */
    for (uint32_t p = 0; p < n; p++) {
        if (counts[p] == 0) {
            continue;
        }
        if (end < p) {
            end = p;
            rows = 0;
        }
        while (end < n && rows + counts[end] < k) {
            rows += counts[end++];
        }
        if (end > p) {
            steps[from * width + p]++;
            steps[from * width + end]--;
            steps[(p + 1) * width + p]--;
            steps[(p + 1) * width + end]++;
            rows -= counts[p];
        }
        from = p + 1;
    }
}

static void add_up(int32_t *steps, uint32_t n, bool *too_small)
{
    const size_t width = (size_t)n + 1;
    for (uint32_t first = 0; first < n; first++) {
        int32_t sum = 0;
        for (uint32_t last = 0; last < n; last++) {
            if (first > 0) {
                steps[first * width + last] += steps[(first - 1) * width + last];
            }
            sum += steps[first * width + last];
            too_small[(size_t)first * n + last] = sum > 0;
        }
    }
}

/* Makes the numbers of keys dense if they are not; returns how many there are at most. */
static size_t condense(pv_cut_scratch *scratch, const pv_cut_view *view, uint64_t below)
{
    return (size_t)(below > view->n ? renumber(scratch->keys, view->n) : below);
}

size_t pv_i_cut_number(pv_cut_table *table, pv_cut_scratch *scratch, const uint8_t *cuts,
                       const pv_cut_view **view)
{
    const uint64_t axes = axes_cut(table->space, cuts);
    *view = pv_i_cut_view_of(table, axes);
    const uint64_t below = fill_keys(table, scratch, *view, axes, cuts);
    return below > 0 ? (size_t)renumber(scratch->keys, (*view)->n) : 0;
}

size_t pv_i_cut_number_others(pv_cut_table *table, pv_cut_scratch *scratch, size_t axis,
                              const uint8_t *cuts, const pv_cut_view **view)
{
    const uint64_t others = axes_cut(table->space, cuts) & ~((uint64_t)1 << axis);
    *view = pv_i_cut_view_of(table, others | (uint64_t)1 << axis);
    const uint64_t below = fill_keys(table, scratch, *view, others, cuts);
    return below > 0 ? condense(scratch, *view, below) : 0;
}

/* The rows of each class by value, class after class. */
static bool tabulate(pv_cut_scratch *scratch, const pv_cut_view *view, size_t axis, uint32_t n,
                     size_t n_classes)
{
    size_t cells;
    if (!pv_i_mul_size(n_classes, n, &cells) || !reserve_counters(scratch, cells)) {
        return false;
    }
    for (size_t t = 0; t < view->n; t++) {
        scratch->counters[(size_t)scratch->keys[t] * n + view->values[axis][t]] += view->counts[t];
    }
    return true;
}

bool pv_i_cut_too_small(pv_cut_table *table, pv_cut_scratch *scratch, size_t axis,
                        const uint8_t *cuts, uint64_t k, bool *too_small)
{
    const uint32_t n = table->space->axes[axis].n;
    const pv_cut_view *view;
    const size_t n_classes = pv_i_cut_number_others(table, scratch, axis, cuts, &view);
    if (n_classes == 0 || !tabulate(scratch, view, axis, n, n_classes)) {
        return false;
    }
    memset(scratch->steps, 0, (size_t)(n + 1) * (n + 1) * sizeof *scratch->steps);
    for (size_t c = 0; c < n_classes; c++) {
        mark_class(scratch->counters + c * n, n, k, scratch->steps);
    }
    memset(scratch->counters, 0, n_classes * n * sizeof *scratch->counters);
    add_up(scratch->steps, n, too_small);
    return true;
}
