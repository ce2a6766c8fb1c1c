/* From sorted groups to classes.
 *
 * Without a counted column a group is a class and its count the class size: nothing is copied. With
 * one, the groups of a class are neighbours that differ in the counted value only:
 *
 *     key (class | value)   0|2  0|5  1|0  1|2  1|9  2|5      class 0: 3 rows of value 2, 1 of 5
 *     count                  3    1    1    1    2    7
 *     start                  0         2              5  6    first group of each class
 *
 * Then suppression is decided from the sizes, and the suppressed classes are listed with their keys
 * as the profile packs them: what a suppressed row loses depends on what it would have shown. */
#include "lattice/view.h"

#include "base/compare.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------ suppression
 *
 * Classes are suppressed from the smallest size upward, all classes of one size or none, as long as
 * their rows fit into the budget. Where suppression is as needed, lower thresholds follow
 * (pv_i_view_next): the lost classes are sorted by size, so that each is a beginning of the list. A
 * histogram of sizes finds where to stop
 * in O(classes); sorting the sizes would be most of the time of an evaluation. */

static uint64_t smallest_from(const uint32_t *sizes, size_t n, uint32_t least)
{
    uint32_t smallest = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        smallest = sizes[i] >= least && sizes[i] < smallest ? sizes[i] : smallest;
    }
    return smallest;
}

/* Goes on where the histogram ends, over the sorted larger sizes. Some class always remains, since
 * the budget is less than all rows. */
static bool search_large(const uint32_t *sizes, size_t n, uint64_t budget,
                         pv_threshold_scratch *scratch, pv_threshold *t)
{
    size_t n_large = 0;
    if (!pv_i_reserve((void **)&scratch->large, &scratch->large_capacity, n, sizeof(uint32_t))) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (sizes[i] >= PV_THRESHOLD_COUNTED) {
            scratch->large[n_large++] = sizes[i];
        }
    }
    qsort(scratch->large, n_large, sizeof *scratch->large, pv_i_compare_u32);
    for (size_t i = 0; i < n_large;) {
        const uint64_t size = scratch->large[i];
        size_t end = i;
        while (end < n_large && scratch->large[end] == size) {
            end++;
        }
        const uint64_t rows = size * (end - i);
        if (rows > budget - t->n_suppressed) {
            t->smallest_kept = size;
            return true;
        }
        t->n_suppressed += rows;
        i = end;
    }
    return true;
}

/* Finds the size from which on classes are kept, as far as the budget goes. */
static bool find_threshold(const uint32_t *sizes, size_t n, uint64_t budget,
                           pv_threshold_scratch *scratch, pv_threshold *t)
{
    /* A class larger than the budget cannot be suppressed: the histogram need not be longer. Sizes
     * from `limit` on share its last place. */
    const bool is_short = budget < PV_THRESHOLD_COUNTED - 1;
    const uint32_t limit = is_short ? (uint32_t)budget + 1 : PV_THRESHOLD_COUNTED;
    uint32_t *const counted = scratch->counted;
    bool found = false;
    for (size_t i = 0; i < n; i++) {
        counted[sizes[i] < limit ? sizes[i] : limit]++;
    }
    for (uint64_t size = 1; size < limit && !found; size++) {
        const uint64_t rows = size * counted[size];
        if (rows > 0 && rows > budget - t->n_suppressed) {
            t->smallest_kept = size;
            found = true;
        } else {
            t->n_suppressed += rows;
        }
    }
    memset(counted, 0, (limit + (size_t)1) * sizeof *counted);
    if (!found && is_short) { /* everything counted is suppressed, and nothing larger can be */
        t->smallest_kept = smallest_from(sizes, n, limit);
        found = true;
    }
    return found || search_large(sizes, n, budget, scratch, t);
}

bool pv_i_threshold(const uint32_t *sizes, size_t n, const pv_suppression *rule,
                    pv_threshold_scratch *scratch, pv_threshold *threshold)
{
    uint64_t squares = 0;
    uint32_t largest = 0;
    uint32_t alone = 0;
    /* A pass the compiler turns into vector code. */
    for (size_t i = 0; i < n; i++) {
        squares += (uint64_t)sizes[i] * sizes[i];
        largest = sizes[i] > largest ? sizes[i] : largest;
        alone += sizes[i] == 1;
    }
    pv_threshold t = {.largest = largest, .squares = squares};
    /* Most schemes of a lattice have more people alone than may be suppressed: that settles them
     * without a histogram. */
    if (alone > rule->budget) {
        t.smallest_kept = 1;
    } else if (!find_threshold(sizes, n, rule->budget, scratch, &t)) {
        return false;
    }
    t.feasible = t.smallest_kept >= rule->target_k;
    *threshold = t;
    return true;
}

/* ------------------------------------------------------------------- view */

/* Where the classes of a counted layer begin, and the value of each of its groups. Returns the
 * number of classes, the same for every layer. */
static size_t split_classes(const pv_layer *layer, const pv_groups *groups, uint32_t *start,
                            uint32_t *code)
{
    size_t n = 0;
    for (size_t i = 0; i < groups->n; i++) {
        const uint64_t *const key = groups->keys + i * layer->words;
        if (i == 0 || !pv_i_layer_same_class(layer, key - layer->words, key)) {
            start[n++] = (uint32_t)i;
        }
        code[i] = pv_i_field_get(layer->value, key);
    }
    start[n] = (uint32_t)groups->n;
    return n;
}

/* Fills in the counted columns and finds the class sizes: the counts of the first layer themselves,
 * or their sums class by class. */
static const uint32_t *count_classes(pv_view *v, const pv_groups *lists, pv_classes *classes)
{
    classes->entries = v->entries;
    classes->n_classes = lists[0].n;
    for (size_t i = 0; i < v->layers->n; i++) {
        const pv_layer *const layer = &v->layers->list[i];
        if (layer->histogram != NULL) {
            classes->n_classes = split_classes(layer, &lists[i], v->starts[i], v->codes[i]);
            v->entries[classes->n_entries++] =
                (pv_class_entries){.column = layer->histogram->column,
                                   .start = v->starts[i],
                                   .code = v->codes[i],
                                   .count = lists[i].counts};
        }
    }
    const uint32_t *const start = v->starts[0];
    if (start == NULL) {
        return lists[0].counts;
    }
    for (size_t c = 0; c < classes->n_classes; c++) {
        uint32_t size = 0;
        for (uint32_t i = start[c]; i < start[c + 1]; i++) {
            size += lists[0].counts[i];
        }
        v->sizes[c] = size;
    }
    return v->sizes;
}

/* By size, then by number. */
static int compare_lost(const void *left, const void *right)
{
    const pv_lost_class *const a = left;
    const pv_lost_class *const b = right;
    return a->size != b->size ? (a->size > b->size) - (a->size < b->size)
                              : (a->number > b->number) - (a->number < b->number);
}

static bool list_lost(pv_view *v, const pv_groups *lists, const uint32_t *sizes,
                      pv_classes *classes)
{
    const pv_layer *const layer = &v->layers->list[0];
    const pv_packing *const packing = &v->layers->profile->packing;
    size_t n_lost = 0;
    for (size_t c = 0; c < classes->n_classes; c++) {
        n_lost += sizes[c] < classes->smallest_kept;
    }
    if (n_lost > v->lost_capacity) { /* twice as much, since the next scheme may need a bit more */
        pv_i_free(v->lost);
        pv_i_free(v->lost_keys);
        v->lost = PV_NEW_ARRAY(pv_lost_class, 2 * n_lost);
        v->lost_keys = PV_NEW_ARRAY(uint64_t, 2 * n_lost * packing->words);
        v->lost_capacity = v->lost != NULL && v->lost_keys != NULL ? 2 * n_lost : 0;
        if (v->lost_capacity == 0) {
            return false;
        }
    }
    for (size_t c = 0; c < classes->n_classes; c++) {
        if (sizes[c] < classes->smallest_kept) {
            v->lost[classes->n_lost++] = (pv_lost_class){.number = (uint32_t)c, .size = sizes[c]};
        }
    }
    if (!v->rule.whole_budget) {
        qsort(v->lost, n_lost, sizeof *v->lost, compare_lost);
    }
    for (size_t i = 0; i < n_lost; i++) {
        const size_t c = v->lost[i].number;
        const size_t group = v->starts[0] != NULL ? v->starts[0][c] : c;
        const uint64_t *const from = lists[0].keys + group * layer->words;
        uint64_t *const to = v->lost_keys + i * packing->words;
        memset(to, 0, packing->words * sizeof *to);
        for (size_t p = 0; p < v->layers->n_axes; p++) {
            const pv_field field = packing->fields[v->layers->order[p]];
            to[field.word] |= (uint64_t)pv_i_field_get(layer->fields[p], from) << field.shift;
        }
    }
    classes->lost = v->lost;
    classes->lost_keys = v->lost_keys;
    return true;
}

bool pv_i_view_next(const pv_view *view, pv_classes *classes)
{
    size_t n = classes->n_lost;
    const uint64_t size = n > 0 ? classes->lost[n - 1].size : 0;
    if (view->rule.whole_budget || n == 0 || size < view->rule.target_k || !classes->feasible) {
        return false;
    }
    for (; n > 0 && classes->lost[n - 1].size == size; n--) {
        classes->n_suppressed -= size;
    }
    classes->n_remaining += classes->n_lost - n;
    classes->n_lost = n;
    classes->smallest_kept = classes->k = size;
    return true;
}

bool pv_i_view_classes(pv_view *view, const pv_groups *lists, const uint8_t *path,
                       pv_classes *classes)
{
    pv_threshold threshold;
    for (size_t p = 0; p < view->layers->n_axes; p++) {
        view->levels[view->layers->order[p]] = path[p];
    }
    *classes = (pv_classes){.profile = view->layers->profile, .levels = view->levels};
    const uint32_t *const sizes = count_classes(view, lists, classes);
    if (!pv_i_threshold(sizes, classes->n_classes, &view->rule, &view->threshold, &threshold)) {
        return false;
    }
    classes->smallest_kept = classes->k = threshold.smallest_kept;
    classes->n_suppressed = threshold.n_suppressed;
    classes->largest = threshold.largest;
    classes->squares = threshold.squares;
    classes->feasible = threshold.feasible;
    if (threshold.n_suppressed > 0 && !list_lost(view, lists, sizes, classes)) {
        return false;
    }
    classes->n_remaining = classes->n_classes - classes->n_lost;
    if (view->wide_sizes != NULL) {
        for (size_t c = 0; c < classes->n_classes; c++) {
            view->wide_sizes[c] = sizes[c];
        }
        classes->size = view->wide_sizes;
    }
    return true;
}

/* --------------------------------------------------------------- lifetime */

bool pv_i_view_init(pv_view *view, const pv_layers *layers, const pv_suppression *rule, bool sizes)
{
    const size_t n_tuples = layers->profile->n_tuples;
    *view = (pv_view){.layers = layers,
                      .rule = {.budget = rule->budget,
                               .target_k = rule->target_k,
                               .whole_budget = rule->whole_budget && rule->target_k == 0},
                      .levels = PV_NEW_ZEROED(uint8_t, layers->n_axes),
                      .sizes = PV_NEW_ARRAY(uint32_t, n_tuples),
                      .wide_sizes = sizes ? PV_NEW_ARRAY(uint64_t, n_tuples) : NULL,
                      .starts = PV_NEW_ZEROED(uint32_t *, layers->n),
                      .codes = PV_NEW_ZEROED(uint32_t *, layers->n),
                      .entries = PV_NEW_ZEROED(pv_class_entries, layers->n)};
    bool ready = view->levels != NULL && view->sizes != NULL &&
                 (view->wide_sizes != NULL || !sizes) && view->starts != NULL &&
                 view->codes != NULL && view->entries != NULL;
    for (size_t i = 0; ready && i < layers->n; i++) {
        if (layers->list[i].histogram != NULL) {
            view->starts[i] = PV_NEW_ARRAY(uint32_t, layers->base[i].n + 1);
            view->codes[i] = PV_NEW_ARRAY(uint32_t, layers->base[i].n);
            ready = view->starts[i] != NULL && view->codes[i] != NULL;
        }
    }
    return ready;
}

void pv_i_view_deinit(pv_view *view)
{
    for (size_t i = 0; view->layers != NULL && i < view->layers->n; i++) {
        pv_i_free(view->starts != NULL ? view->starts[i] : NULL);
        pv_i_free(view->codes != NULL ? view->codes[i] : NULL);
    }
    pv_i_free(view->threshold.large);
    pv_i_free(view->levels);
    pv_i_free(view->sizes);
    pv_i_free(view->wide_sizes);
    pv_i_free(view->starts);
    pv_i_free(view->codes);
    pv_i_free(view->entries);
    pv_i_free(view->lost);
    pv_i_free(view->lost_keys);
    *view = (pv_view){0};
}
