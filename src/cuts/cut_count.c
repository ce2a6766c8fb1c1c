/* Counting the classes of cut schemes.
 *
 * Every tuple of a view gets a key that is equal for tuples of one class: a mixed-radix number with
 * one digit per attribute, the group its value falls into. What a value adds to the key is looked
 * up per bundle of axes, so that a scheme costs one pass over the view per bundle:
 *
 *     age 17..40 cut at 25: groups 0 0 0 ... 1 1      sex f|m: groups 0 1
 *     places[value] = group of age + 2 * group of sex
 *     keys[t] += places[bundle.values[t]]             then counters[keys[t]] += counts[t]
 *
 * There are three ways to the sizes of the classes, by how many keys are possible (`below`):
 *
 *     below <= tuples         a counter per key, all of them looked through
 *     below <  2^18           a counter per key, only those looked at that tuples have
 *     more                    open addressing, a counter per slot
 *
 * All of them leave the counters at 0 for the next scheme. On Adult (30,162 rows) two threads count
 * 150,000 to 470,000 schemes a second. */
#include "cuts/cut_table.h"

#include "base/checked.h"
#include "base/hash.h"
#include "base/memory.h"
#include "classes/keys.h"

#include <string.h>

/* Keys below this have a counter each: 1 MiB of counters, which the second-level cache holds. */
#define DIRECT ((uint64_t)1 << 18)

/* For the longest view and the widest axis there are: counting never allocates, but for counters,
 * which grow to what is needed most. */
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

/* --------------------------------------------------------------------- keys */

/* The axes that have any cut. */
static uint64_t axes_cut(const pv_cut_space *space, const uint8_t *cuts)
{
    uint64_t axes = 0;
    for (size_t a = 0; a < space->n_axes; a++) {
        const pv_cut_axis *const axis = &space->axes[a];
        axes |= (uint64_t)(memchr(cuts + axis->first_bit, 1, axis->n - 1) != NULL) << a;
    }
    return axes;
}

/* Replaces keys by the numbers of their distinct values, in the order of first appearance; returns
 * how many there are, 0 if memory runs out. */
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

/* What each value of a bundle adds to a key under the cuts of some axes, given what keys are below;
 * returns what they are below then. The table grows axis by axis: for value v of the next axis the
 * table so far is repeated, moved by the group of v. */
static uint64_t place_bundle(const pv_cut_space *space, const pv_cut_bundle *bundle, uint64_t axes,
                             const uint8_t *cuts, uint64_t below, uint32_t *places)
{
    uint32_t n = 1; /* entries so far */
    places[0] = 0;
    for (uint64_t left = bundle->axes; left != 0; left &= left - 1) {
        const size_t a = (size_t)__builtin_ctzll(left);
        const pv_cut_axis *const axis = &space->axes[a];
        const uint8_t *const own = cuts + axis->first_bit;
        const uint64_t unit = (axes >> a & 1) != 0 ? below : 0; /* 0 = all values are merged */
        uint64_t group = 0;
        for (uint32_t v = 1; v < axis->n; v++) {
            group += own[v - 1] != 0;
            const uint32_t more = (uint32_t)(group * unit);
            for (uint32_t i = 0; i < n; i++) {
                places[v * n + i] = places[i] + more;
            }
        }
        below *= unit > 0 ? group + 1 : 1;
        n *= axis->n;
    }
    return below;
}

/* A key per tuple, equal for equal classes under the cuts of some axes; returns what they are all
 * below, 0 if memory runs out. Keys that would grow beyond 32 bits are made dense first. */
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

/* Dense numbers, for arrays by class: one more pass over the view, with a map. */
size_t pv_i_cut_number(pv_cut_table *table, pv_cut_scratch *scratch, const uint8_t *cuts,
                       const pv_cut_view **view)
{
    const uint64_t axes = axes_cut(table->space, cuts);
    *view = pv_i_cut_view_of(table, axes);
    const uint64_t below = fill_keys(table, scratch, *view, axes, cuts);
    return below > 0 ? (size_t)renumber(scratch->keys, (*view)->n) : 0;
}

/* Keys that are no more than the tuples are dense enough as they are. */
size_t pv_i_cut_number_others(pv_cut_table *table, pv_cut_scratch *scratch, size_t axis,
                              const uint8_t *cuts, const pv_cut_view **view)
{
    const uint64_t others = axes_cut(table->space, cuts) & ~((uint64_t)1 << axis);
    *view = pv_i_cut_view_of(table, others | (uint64_t)1 << axis);
    const uint64_t below = fill_keys(table, scratch, *view, others, cuts);
    return (size_t)(below > (*view)->n ? renumber(scratch->keys, (*view)->n) : below);
}

/* -------------------------------------------------------------------- sizes */

/* Invariant: all counters are 0 between two countings. What is added is zeroed here; what was used
 * is zeroed by whoever used it, while it is still in the cache. */
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

/* Without branches, so that the compiler makes vectors of it. */
static void summarise(uint32_t *counters, size_t n, pv_cut_sizes *sizes)
{
    uint32_t smallest = UINT32_MAX;
    uint32_t largest = 0;
    size_t n_classes = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t count = counters[i];
        const uint32_t present = count > 0 ? count : UINT32_MAX;
        smallest = present < smallest ? present : smallest;
        largest = count > largest ? count : largest;
        n_classes += count > 0;
    }
    memset(counters, 0, n * sizeof *counters);
    *sizes = (pv_cut_sizes){.smallest = smallest, .largest = largest, .n_classes = n_classes};
}

/* More possible keys than tuples: the first tuple that meets a counter takes it, and leaves 0. */
static void summarise_met(const pv_cut_scratch *scratch, size_t n_tuples, pv_cut_sizes *sizes)
{
    uint32_t smallest = UINT32_MAX;
    uint32_t largest = 0;
    size_t n_classes = 0;
    for (size_t t = 0; t < n_tuples; t++) {
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

/* Linear probing; at most half of the slots are taken. */
static void count_by_slot(const pv_cut_scratch *scratch, const pv_cut_view *view, size_t n_slots)
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
        count_by_slot(scratch, view, n_slots);
        summarise(scratch->counters, n_slots, sizes);
    } else {
        for (size_t t = 0; t < view->n; t++) {
            scratch->counters[scratch->keys[t]] += view->counts[t];
        }
        if (below <= view->n) {
            summarise(scratch->counters, (size_t)below, sizes);
        } else {
            summarise_met(scratch, view->n, sizes);
        }
    }
    sizes->n_rows = table->space->n_rows;
    return true;
}

/* ---------------------------------------------------------------- intervals */

/* One class of the other axes: `counts` are its rows by value. An interval is too small for it if
 * it has some of its rows, but fewer than k. Of all intervals whose first row of the class is at
 * value p, the start lies after the value before p with rows, and the end between p and the last
 * value at which fewer than k rows have come together: a rectangle of (start, end).
 *
 *     counts   0  2  0  1  0  3       k = 4
 *     p = 1:   starts 0..1, ends 1..4 (2, 2, 3, 3 rows)     p = 3:  starts 2..3, ends 3..4
 *
 * As p moves on, so does the end: two pointers, n steps per class. Rectangles are marked at their
 * four corners and added up once for all classes (add_up), instead of n^2 cells per class. */
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

/* Two-dimensional prefix sums: how many rectangles lie over each cell. */
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

/* O(tuples + classes * n + n^2): with the interval programme about 20 microseconds on Adult. */
bool pv_i_cut_too_small(pv_cut_table *table, pv_cut_scratch *scratch, size_t axis,
                        const uint8_t *cuts, uint64_t k, bool *too_small)
{
    const uint32_t n = table->space->axes[axis].n;
    const pv_cut_view *view;
    const size_t n_classes = pv_i_cut_number_others(table, scratch, axis, cuts, &view);
    size_t cells;
    if (n_classes == 0 || !pv_i_mul_size(n_classes, n, &cells) ||
        !reserve_counters(scratch, cells)) {
        return false;
    }
    for (size_t t = 0; t < view->n; t++) { /* the rows of each class by value, class after class */
        scratch->counters[(size_t)scratch->keys[t] * n + view->values[axis][t]] += view->counts[t];
    }
    memset(scratch->steps, 0, (size_t)(n + 1) * (n + 1) * sizeof *scratch->steps);
    for (size_t c = 0; c < n_classes; c++) {
        mark_class(scratch->counters + c * n, n, k, scratch->steps);
    }
    memset(scratch->counters, 0, cells * sizeof *scratch->counters);
    add_up(scratch->steps, n, too_small);
    return true;
}

/* ------------------------------------------------------ classes for measures */

/* No class has more entries than tuples: everything is as long as the base view. */
bool pv_i_cut_class_scratch_init(pv_cut_class_scratch *scratch, const pv_cut_table *table)
{
    const size_t n = table->base.n;
    size_t n_keys = pv_i_cut_most_values(table->space); /* codes of a column, values of an axis */
    for (size_t c = 0; c < table->n_columns; c++) {
        n_keys = table->columns[c].n_codes > n_keys ? table->columns[c].n_codes : n_keys;
    }
    *scratch = (pv_cut_class_scratch){.sizes = PV_NEW_ARRAY(uint64_t, n),
                                      .ends = PV_NEW_ARRAY(uint32_t, n > n_keys ? n : n_keys),
                                      .by_key = PV_NEW_ARRAY(uint32_t, n),
                                      .order = PV_NEW_ARRAY(uint32_t, n),
                                      .n_columns = table->n_columns};
    bool ready = scratch->sizes != NULL && scratch->ends != NULL && scratch->by_key != NULL &&
                 scratch->order != NULL;
    for (size_t c = 0; c < table->n_columns; c++) {
        scratch->columns[c].start = PV_NEW_ARRAY(uint32_t, n + 1);
        scratch->columns[c].code = PV_NEW_ARRAY(uint32_t, n);
        scratch->columns[c].count = PV_NEW_ARRAY(uint32_t, n);
        ready = ready && scratch->columns[c].start != NULL && scratch->columns[c].code != NULL &&
                scratch->columns[c].count != NULL;
    }
    if (!ready) {
        pv_i_cut_class_scratch_deinit(scratch);
    }
    return ready;
}

void pv_i_cut_class_scratch_deinit(pv_cut_class_scratch *scratch)
{
    for (size_t c = 0; c < scratch->n_columns; c++) {
        pv_i_free(scratch->columns[c].start);
        pv_i_free(scratch->columns[c].code);
        pv_i_free(scratch->columns[c].count);
    }
    pv_i_free(scratch->sizes);
    pv_i_free(scratch->ends);
    pv_i_free(scratch->by_key);
    pv_i_free(scratch->order);
    *scratch = (pv_cut_class_scratch){0};
}

/* Turns how often each key occurs into where its last one goes. */
static void counts_to_ends(uint32_t *ends, size_t n_keys)
{
    for (size_t i = 1; i < n_keys; i++) {
        ends[i] += ends[i - 1];
    }
}

/* Two stable counting sorts: by key, and then, in that order, by class. */
void pv_i_cut_class_sort(const pv_cut_class_scratch *scratch, const pv_cut_view *view,
                         const uint16_t *keys, size_t n_keys, const uint32_t *class_of,
                         size_t n_classes)
{
    uint32_t *const ends = scratch->ends;
    memset(ends, 0, n_keys * sizeof *ends);
    for (size_t t = 0; t < view->n; t++) {
        ends[keys[t]]++;
    }
    counts_to_ends(ends, n_keys);
    for (size_t t = view->n; t-- > 0;) {
        scratch->by_key[--ends[keys[t]]] = (uint32_t)t;
    }
    memset(ends, 0, n_classes * sizeof *ends);
    for (size_t t = 0; t < view->n; t++) {
        ends[class_of[t]]++;
    }
    counts_to_ends(ends, n_classes);
    for (size_t i = view->n; i-- > 0;) {
        const uint32_t t = scratch->by_key[i];
        scratch->order[--ends[class_of[t]]] = t;
    }
}

/* How often each value of a counted column occurs in each class, as compressed rows:
 *
 *     start   0     2        5          class c has the entries start[c] .. start[c + 1] - 1
 *     code    0  3  1  2  3  ...
 *     count   4  1  2  2  6             */
static void fill_entries(pv_cut_class_scratch *scratch, const pv_cut_table *table, size_t column,
                         const pv_cut_view *view, const uint32_t *class_of, size_t n_classes)
{
    const uint16_t *const codes = view->values[table->space->n_axes + column];
    uint32_t *const start = scratch->columns[column].start;
    uint32_t *const code = scratch->columns[column].code;
    uint32_t *const count = scratch->columns[column].count;
    uint32_t n = 0;
    uint32_t next_class = 0; /* the first whose start is not known */
    pv_i_cut_class_sort(scratch, view, codes, table->columns[column].n_codes, class_of, n_classes);
    for (size_t i = 0; i < view->n; i++) {
        const uint32_t t = scratch->order[i];
        const bool begins = class_of[t] == next_class;
        if (begins) {
            start[next_class++] = n;
        }
        if (begins || code[n - 1] != codes[t]) {
            code[n] = codes[t];
            count[n++] = 0;
        }
        count[n - 1] += view->counts[t];
    }
    start[n_classes] = n;
    scratch->entries[column] = (pv_class_entries){
        .column = table->columns[column].column, .start = start, .code = code, .count = count};
}

/* The same struct that pv_classes_create fills, without levels and members: scalar measures work on
 * it as on any classes. Nobody is suppressed under cuts. */
bool pv_i_cut_classes(pv_cut_table *table, pv_cut_scratch *scratch,
                      pv_cut_class_scratch *class_scratch, const pv_profile *profile,
                      const uint8_t *cuts, pv_classes *classes)
{
    const pv_cut_view *view;
    const size_t n_classes = pv_i_cut_number(table, scratch, cuts, &view);
    uint64_t *const sizes = class_scratch->sizes;
    if (n_classes == 0) {
        return false;
    }
    memset(sizes, 0, n_classes * sizeof *sizes);
    for (size_t t = 0; t < view->n; t++) {
        sizes[scratch->keys[t]] += view->counts[t];
    }
    for (size_t c = 0; c < table->n_columns; c++) {
        fill_entries(class_scratch, table, c, view, scratch->keys, n_classes);
    }
    *classes = (pv_classes){.profile = profile,
                            .n_classes = n_classes,
                            .n_remaining = n_classes,
                            .size = sizes,
                            .feasible = true,
                            .entries = class_scratch->entries,
                            .n_entries = table->n_columns,
                            .k = UINT64_MAX};
    for (size_t c = 0; c < n_classes; c++) {
        classes->k = sizes[c] < classes->k ? sizes[c] : classes->k;
        classes->largest = sizes[c] > classes->largest ? sizes[c] : classes->largest;
        classes->squares += (pv_wide)sizes[c] * sizes[c];
    }
    return true;
}
