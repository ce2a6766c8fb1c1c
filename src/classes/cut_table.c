/* Counting the classes of cut schemes. */
#include "classes/cut_table.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "classes/keymap.h"

#include <string.h>

/* Keys below this have a counter each. */
#define DIRECT ((uint64_t)1 << 18)

/* Combinations of values in a bundle, unless it has one axis only. */
#define MOST_BUNDLED 1024
/* Tuples per combination that make a bundle worth its while: tables of places are filled for every
 * scheme. */
#define WORTHWHILE 4

/* -------------------------------------------------------------------- views */

static void view_deinit(pv_cut_view *view, size_t n_axes)
{
    for (size_t a = 0; view->values != NULL && a < n_axes; a++) {
        pv_i_free(view->values[a]);
    }
    for (size_t b = 0; b < view->n_bundles; b++) {
        pv_i_free(view->bundles[b].values);
    }
    pv_i_free(view->bundles);
    pv_i_free(view->values);
    pv_i_free(view->counts);
    *view = (pv_cut_view){0};
}

static bool has_axis(const pv_cut_view *view, size_t axis)
{
    return (view->axes >> axis & 1) != 0;
}

static bool view_reserve(pv_cut_view *view, size_t n_axes, size_t n)
{
    view->values = PV_NEW_ZEROED(uint16_t *, n_axes);
    view->counts = PV_NEW_ZEROED(uint32_t, n);
    bool ready = view->values != NULL && view->counts != NULL;
    view->bytes = n * sizeof *view->counts;
    for (size_t a = 0; ready && a < n_axes; a++) {
        if (has_axis(view, a)) {
            view->values[a] = PV_NEW_ARRAY(uint16_t, n);
            view->bytes += n * sizeof *view->values[a];
            ready = view->values[a] != NULL;
        }
    }
    return ready;
}

/* The words of a key that holds the values of a view's axes side by side, 16 bits each. */
static unsigned words_for(const pv_cut_view *view)
{
    const unsigned n = (unsigned)__builtin_popcountll(view->axes);
    return n > 4 ? (n + 3) / 4 : 1;
}

static void pack(const pv_cut_view *from, uint64_t axes, size_t tuple, uint64_t *key,
                 unsigned words)
{
    size_t place = 0;
    memset(key, 0, words * sizeof *key);
    for (uint64_t left = axes; left != 0; left &= left - 1, place++) {
        const size_t axis = (size_t)__builtin_ctzll(left);
        key[place / 4] |= (uint64_t)from->values[axis][tuple] << place % 4 * 16;
    }
}

static void unpack(const pv_cut_view *view, size_t tuple, const uint64_t *key)
{
    size_t place = 0;
    for (uint64_t left = view->axes; left != 0; left &= left - 1, place++) {
        const size_t axis = (size_t)__builtin_ctzll(left);
        view->values[axis][tuple] = (uint16_t)(key[place / 4] >> place % 4 * 16);
    }
}

/* The first bundle with room for an axis of so many values, or a new one. */
static pv_cut_bundle *bundle_for(pv_cut_view *view, uint32_t n_values)
{
    const uint64_t worthwhile = view->n / WORTHWHILE;
    const uint64_t most = worthwhile < MOST_BUNDLED ? worthwhile : MOST_BUNDLED;
    size_t b = 0;
    while (b < view->n_bundles && ((uint64_t)view->bundles[b].n * n_values > most ||
                                   view->n * view->bundles[b].n > UINT32_MAX / n_values)) {
        b++;
    }
    if (b == view->n_bundles) {
        view->bundles[view->n_bundles++] = (pv_cut_bundle){.n = 1};
    }
    return &view->bundles[b];
}

/* The axis with most values of those that are left. */
static size_t widest(const pv_cut_space *space, uint64_t left)
{
    size_t best = (size_t)__builtin_ctzll(left);
    for (; left != 0; left &= left - 1) {
        const size_t axis = (size_t)__builtin_ctzll(left);
        best = space->axes[axis].n > space->axes[best].n ? axis : best;
    }
    return best;
}

static bool fill_bundle(pv_cut_view *view, const pv_cut_space *space, pv_cut_bundle *bundle)
{
    uint32_t unit = 1;
    bundle->values = PV_NEW_ZEROED(uint16_t, view->n);
    for (uint64_t left = bundle->axes; bundle->values != NULL && left != 0; left &= left - 1) {
        const size_t axis = (size_t)__builtin_ctzll(left);
        for (size_t t = 0; t < view->n; t++) {
            bundle->values[t] = (uint16_t)(bundle->values[t] + unit * view->values[axis][t]);
        }
        unit *= space->axes[axis].n;
    }
    view->bytes += view->n * sizeof *bundle->values;
    return bundle->values != NULL;
}

static bool bundle_axes(pv_cut_view *view, const pv_cut_space *space)
{
    uint64_t left = view->axes;
    view->bundles = PV_NEW_ZEROED(pv_cut_bundle, space->n_axes);
    while (view->bundles != NULL && left != 0) {
        const size_t axis = widest(space, left);
        pv_cut_bundle *const bundle = bundle_for(view, space->axes[axis].n);
        bundle->axes |= (uint64_t)1 << axis;
        bundle->n *= space->axes[axis].n;
        left &= ~((uint64_t)1 << axis);
    }
    bool ready = view->bundles != NULL;
    for (size_t b = 0; ready && b < view->n_bundles; b++) {
        ready = fill_bundle(view, space, &view->bundles[b]);
    }
    return ready;
}

/* Adds up the tuples of a view that agree on fewer axes. */
static bool view_init(pv_cut_view *view, const pv_cut_view *from, uint64_t axes,
                      const pv_cut_space *space)
{
    const size_t n_axes = space->n_axes;
    pv_keymap map = {0};
    *view = (pv_cut_view){.axes = axes};
    const unsigned words = words_for(view);
    uint64_t *const key = PV_NEW_ARRAY(uint64_t, words);
    uint32_t *const ids = PV_NEW_ARRAY(uint32_t, from->n);
    bool ready = key != NULL && ids != NULL && pv_i_keymap_init(&map, words, 0);
    for (size_t t = 0; ready && t < from->n; t++) {
        pack(from, axes, t, key, words);
        ids[t] = pv_i_keymap_add(&map, key);
        ready = ids[t] != PV_KEYMAP_FULL;
    }
    ready = ready && view_reserve(view, n_axes, map.n);
    if (ready) {
        view->n = map.n;
        for (size_t t = 0; t < from->n; t++) {
            view->counts[ids[t]] += from->counts[t];
        }
        for (size_t t = 0; t < map.n; t++) {
            unpack(view, t, map.keys + t * words);
        }
        ready = bundle_axes(view, space);
    }
    if (!ready) {
        view_deinit(view, n_axes);
    }
    pv_i_keymap_deinit(&map);
    pv_i_free(ids);
    pv_i_free(key);
    return ready;
}

/* --------------------------------------------------------------- life of it */

static pv_status check_limits(const pv_profile *profile, const pv_cut_space *space, pv_error *error)
{
    if (profile->n_rows > UINT32_MAX) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "cuts are for tables of up to 2^32 - 1 rows");
    }
    if (space->n_axes > PV_MOST_CUT_AXES) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "cuts are for up to %d quasi-identifiers",
                         PV_MOST_CUT_AXES);
    }
    for (size_t a = 0; a < space->n_axes; a++) {
        if (space->axes[a].n > PV_MOST_CUT_VALUES) {
            return pv_i_hint(pv_i_fail(error, PV_STATUS_LIMIT,
                                       "'%s' has more than the %d values that cuts are for",
                                       pv_study_quasi_name(profile->study, a), PV_MOST_CUT_VALUES),
                             error, "give numbers a coarser `granularity` in the plan");
        }
    }
    return PV_STATUS_OK;
}

/* The profile's tuples, as values in order; what becomes equal is added up. */
static bool fill_base(pv_cut_table *table, const pv_profile *profile)
{
    const pv_cut_space *const space = table->space;
    const uint64_t all = space->n_axes == 64 ? UINT64_MAX : ((uint64_t)1 << space->n_axes) - 1;
    pv_cut_view raw = {.axes = all};
    bool ready = view_reserve(&raw, space->n_axes, profile->n_tuples);
    if (ready) {
        raw.n = profile->n_tuples;
        for (size_t a = 0; a < space->n_axes; a++) {
            for (size_t t = 0; t < raw.n; t++) {
                raw.values[a][t] =
                    (uint16_t)space->axes[a].value_of[pv_profile_leaf(profile, t, a)];
            }
        }
        for (size_t t = 0; t < raw.n; t++) {
            raw.counts[t] = (uint32_t)profile->count[t];
        }
        ready = view_init(&table->base, &raw, all, space);
    }
    view_deinit(&raw, space->n_axes);
    return ready;
}

static uint32_t most_values(const pv_cut_space *space)
{
    uint32_t most = 1;
    for (size_t a = 0; a < space->n_axes; a++) {
        most = space->axes[a].n > most ? space->axes[a].n : most;
    }
    return most;
}

pv_status pv_i_cut_table_init(pv_cut_table *table, const pv_profile *profile,
                              const pv_cut_space *space, uint64_t memory, pv_error *error)
{
    *table = (pv_cut_table){.space = space, .memory = memory};
    PV_TRY(check_limits(profile, space, error));
    if (!fill_base(table, profile)) {
        return pv_i_no_memory(error);
    }
    if (table->base.n > UINT32_MAX / most_values(space)) { /* keys of tuples have 32 bits */
        view_deinit(&table->base, space->n_axes);
        return pv_i_fail(error, PV_STATUS_LIMIT, "the table has too many combinations for cuts");
    }
    (void)pthread_mutex_init(&table->lock, NULL);
    return PV_STATUS_OK;
}

void pv_i_cut_table_deinit(pv_cut_table *table)
{
    if (table->base.values == NULL) {
        return;
    }
    for (size_t i = 0; i < table->n_views; i++) {
        view_deinit(table->views[i], table->space->n_axes);
        pv_i_free(table->views[i]);
    }
    pv_i_free(table->views);
    view_deinit(&table->base, table->space->n_axes);
    (void)pthread_mutex_destroy(&table->lock);
    *table = (pv_cut_table){0};
}

bool pv_i_cut_scratch_init(pv_cut_scratch *scratch, const pv_cut_table *table)
{
    const uint32_t most = most_values(table->space);
    const size_t n_slots = (size_t)pv_i_next_power(2 * table->base.n + 1);
    *scratch = (pv_cut_scratch){
        .keys = PV_NEW_ARRAY(uint32_t, table->base.n),
        .slots = PV_NEW_ARRAY(uint64_t, n_slots),
        .n_slots = n_slots,
        .places = PV_NEW_ARRAY(uint32_t, most > MOST_BUNDLED ? most : MOST_BUNDLED),
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

/* -------------------------------------------------------------- find a view */

/* The view of exactly these axes, or the shortest that has them. */
static const pv_cut_view *find_view(const pv_cut_table *table, uint64_t axes)
{
    const pv_cut_view *best = &table->base;
    for (size_t i = 0; i < table->n_views; i++) {
        const pv_cut_view *const view = table->views[i];
        if ((axes & ~view->axes) == 0 && view->n < best->n) {
            best = view;
        }
        if (view->axes == axes) {
            return view;
        }
    }
    return best;
}

/* Makes the view of some axes if memory allows; not being able to is no failure. */
static const pv_cut_view *make_view(pv_cut_table *table, uint64_t axes, const pv_cut_view *from)
{
    pv_cut_view *const view = PV_NEW(pv_cut_view);
    if (view == NULL || table->taken >= table->memory ||
        !pv_i_reserve((void **)&table->views, &table->capacity, table->n_views + 1,
                      sizeof *table->views) ||
        !view_init(view, from, axes, table->space)) {
        pv_i_free(view);
        return from;
    }
    table->views[table->n_views++] = view;
    table->taken += view->bytes;
    return view;
}

static const pv_cut_view *view_of(pv_cut_table *table, uint64_t axes)
{
    (void)pthread_mutex_lock(&table->lock);
    const pv_cut_view *view = find_view(table, axes);
    if (view->axes != axes) {
        view = make_view(table, axes, view);
    }
    (void)pthread_mutex_unlock(&table->lock);
    return view;
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
    const pv_cut_view *const view = view_of(table, axes);
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

/* The rows of each class by value, class after class; returns the number of classes, 0 if memory
 * runs out. */
static size_t tabulate(pv_cut_scratch *scratch, const pv_cut_view *view, size_t axis, uint32_t n,
                       uint64_t below)
{
    if (below > view->n) {
        below = renumber(scratch->keys, view->n);
    }
    const size_t n_classes = (size_t)below;
    size_t cells;
    if (below == 0 || !pv_i_mul_size(n_classes, n, &cells) || !reserve_counters(scratch, cells)) {
        return 0;
    }
    for (size_t t = 0; t < view->n; t++) {
        scratch->counters[(size_t)scratch->keys[t] * n + view->values[axis][t]] += view->counts[t];
    }
    return n_classes;
}

bool pv_i_cut_too_small(pv_cut_table *table, pv_cut_scratch *scratch, size_t axis,
                        const uint8_t *cuts, uint64_t k, bool *too_small)
{
    const uint32_t n = table->space->axes[axis].n;
    const uint64_t others = axes_cut(table->space, cuts) & ~((uint64_t)1 << axis);
    const pv_cut_view *const view = view_of(table, others | (uint64_t)1 << axis);
    const uint64_t below = fill_keys(table, scratch, view, others, cuts);
    const size_t n_classes = below > 0 ? tabulate(scratch, view, axis, n, below) : 0;
    if (n_classes == 0) {
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
