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
#include "base/error.h"
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

static bool reserve_lost(pv_view *v, size_t n)
{
    if (n > v->lost_capacity) { /* twice as much, since the next scheme may need a bit more */
        pv_i_free(v->lost);
        pv_i_free(v->lost_keys);
        v->lost = PV_NEW_ARRAY(pv_lost_class, 2 * n);
        v->lost_keys = PV_NEW_ARRAY(uint64_t, 2 * n * v->layers->profile->packing.words);
        v->lost_capacity = v->lost != NULL && v->lost_keys != NULL ? 2 * n : 0;
    }
    return n <= v->lost_capacity;
}

/* Lists the small classes behind the dropped ones, by size where thresholds follow. Sizes are small
 * numbers as a rule: counted, not compared. */
static void list_small(pv_view *v, const pv_classes *classes)
{
    const uint32_t *const sizes = v->class_sizes;
    const uint64_t limit = classes->smallest_kept;
    const bool counts = !v->rule.whole_budget && limit <= PV_THRESHOLD_COUNTED;
    uint32_t *const next = v->threshold.counted; /* all 0, and again in the end */
    size_t n = v->n_dropped;
    if (counts) {
        for (size_t c = 0; c < classes->n_classes; c++) {
            next[sizes[c] < limit ? sizes[c] + 1 : 0] +=
                classes->dropped == NULL || classes->dropped[c] == 0;
        }
        next[0] = 0;
        next[1] = (uint32_t)n;
        for (size_t size = 1; size < limit; size++) {
            next[size + 1] += next[size];
        }
    }
    for (size_t c = 0; c < classes->n_classes; c++) {
        if (sizes[c] < limit && (classes->dropped == NULL || classes->dropped[c] == 0)) {
            v->lost[counts ? next[sizes[c]]++ : n++] =
                (pv_lost_class){.number = (uint32_t)c, .size = sizes[c]};
        }
    }
    if (counts) {
        memset(next, 0, (limit + 1) * sizeof *next);
    } else if (!v->rule.whole_budget) {
        qsort(v->lost + v->n_dropped, classes->n_lost - v->n_dropped, sizeof *v->lost,
              compare_lost);
    }
}

/* Lists the suppressed classes with their keys: first those that are dropped for a demand, then the
 * small ones by size. */
static bool list_lost(pv_view *v, pv_classes *classes)
{
    const pv_layer *const layer = &v->layers->list[0];
    const pv_packing *const packing = &v->layers->profile->packing;
    const uint32_t *const sizes = v->class_sizes;
    const uint8_t *const dropped = classes->dropped;
    size_t n_lost = 0;
    for (size_t c = 0; c < classes->n_classes; c++) {
        n_lost += sizes[c] < classes->smallest_kept || (dropped != NULL && dropped[c] != 0);
    }
    if (!reserve_lost(v, n_lost)) {
        return false;
    }
    v->n_dropped = 0;
    for (size_t c = 0; dropped != NULL && c < classes->n_classes; c++) {
        if (dropped[c] != 0) {
            v->lost[v->n_dropped++] = (pv_lost_class){.number = (uint32_t)c, .size = sizes[c]};
        }
    }
    classes->n_lost = n_lost;
    list_small(v, classes);
    for (size_t i = 0; i < n_lost; i++) {
        const size_t c = v->lost[i].number;
        const size_t group = v->starts[0] != NULL ? v->starts[0][c] : c;
        const uint64_t *const from = v->lists[0].keys + group * layer->words;
        uint64_t *const to = v->lost_keys + i * packing->words;
        memset(to, 0, packing->words * sizeof *to);
        for (size_t p = 0; p < v->layers->n_axes; p++) {
            const pv_field field = packing->fields[v->layers->order[p]];
            to[field.word] |= (uint64_t)pv_i_field_get(layer->fields[p], from) << field.shift;
        }
    }
    classes->lost = v->lost;
    classes->lost_keys = v->lost_keys;
    classes->lost_list = ++v->n_lists;
    return true;
}

/* Which classes break a demand besides k, and how various each is. */
static void judge_classes(pv_view *v, const pv_classes *classes)
{
    const pv_profile *const profile = classes->profile;
    for (size_t c = 0; v->scorer.rules != NULL && c < classes->n_classes; c++) {
        for (size_t i = 0; i < v->scorer.rules->n_sensitive; i++) {
            if (v->scorer.reads[i]) {
                pv_i_tally_class(&v->scorer.tallies[i], &profile->sensitive[i], classes, c);
            }
        }
        v->broken[c] = pv_i_class_scorer_breaks(&v->scorer, false);
    }
    for (size_t c = 0; v->variety != NULL && c < classes->n_classes; c++) {
        v->variety[c] = UINT32_MAX;
        for (size_t i = 0; i < profile->n_sensitive; i++) {
            const uint32_t n =
                pv_i_class_variety(&v->tallies[i], &profile->sensitive[i], classes, c);
            v->variety[c] = n < v->variety[c] ? n : v->variety[c];
        }
    }
}

/* Marks the classes that break a demand or have too little variety, and collects the sizes of the
 * others. Returns the rows of the marked ones. */
static uint64_t drop_classes(pv_view *v, const pv_classes *classes, size_t *n_alive)
{
    uint64_t rows = 0;
    *n_alive = 0;
    for (size_t c = 0; c < classes->n_classes; c++) {
        const uint32_t size = v->class_sizes[c];
        v->dropped[c] = (v->scorer.rules != NULL && v->broken[c] != 0) ||
                        (v->variety != NULL && v->variety[c] < v->least_variety);
        if (v->dropped[c] != 0) {
            rows += size;
        } else {
            v->alive[(*n_alive)++] = size;
        }
    }
    return rows;
}

/* Suppresses what must go, and of the others as many of the smallest as the budget then allows. If
 * more must go than may, the scheme is infeasible, and is measured as if nothing had to. False when
 * memory runs out. */
static bool suppress(pv_view *v, pv_classes *classes)
{
    const uint32_t *sizes = v->class_sizes;
    size_t n = classes->n_classes;
    pv_suppression rule = v->rule;
    pv_threshold threshold;
    uint64_t n_gone = 0;
    bool fits = true;
    classes->dropped = NULL;
    if (v->dropped != NULL) {
        size_t n_alive;
        n_gone = drop_classes(v, classes, &n_alive);
        fits = n_gone <= rule.budget; /* which is less than all rows: someone is alive */
        if (fits) {
            classes->dropped = v->dropped;
            rule.budget -= n_gone;
            sizes = v->alive;
            n = n_alive;
        }
    }
    if (!pv_i_threshold(sizes, n, &rule, &v->threshold, &threshold)) {
        return false;
    }
    classes->smallest_kept = classes->k = threshold.smallest_kept;
    classes->n_suppressed = threshold.n_suppressed + (fits ? n_gone : 0);
    classes->largest = threshold.largest;
    classes->squares = v->dropped != NULL ? classes->squares : threshold.squares;
    classes->feasible = threshold.feasible && fits;
    classes->n_lost = 0;
    v->n_dropped = 0;
    if (classes->n_suppressed > 0 && !list_lost(v, classes)) {
        return false;
    }
    classes->n_remaining = classes->n_classes - classes->n_lost;
    return true;
}

bool pv_i_view_classes(pv_view *view, const pv_groups *lists, const uint8_t *path,
                       pv_classes *classes)
{
    for (size_t p = 0; p < view->layers->n_axes; p++) {
        const size_t axis = view->layers->order[p];
        view->levels[axis] = (uint8_t)pv_i_lattice_real(view->lattice, axis, path[p]);
    }
    *classes = (pv_classes){.profile = view->layers->profile, .levels = view->levels};
    view->lists = lists;
    view->class_sizes = count_classes(view, lists, classes);
    view->least_variety = 0;
    for (size_t c = 0; view->dropped != NULL && c < classes->n_classes; c++) {
        classes->squares += (uint64_t)view->class_sizes[c] * view->class_sizes[c];
    }
    judge_classes(view, classes);
    if (!suppress(view, classes)) {
        return false;
    }
    if (view->wide_sizes != NULL) {
        for (size_t c = 0; c < classes->n_classes; c++) {
            view->wide_sizes[c] = view->class_sizes[c];
        }
        classes->size = view->wide_sizes;
    }
    return true;
}

/* The next lower threshold of sizes. False, with nothing changed, if there is none. */
static bool lower_size(const pv_view *view, pv_classes *classes)
{
    size_t n = classes->n_lost;
    const uint64_t size = n > view->n_dropped ? classes->lost[n - 1].size : 0;
    if (size == 0 || size < view->rule.target_k) {
        return false;
    }
    for (; n > view->n_dropped && classes->lost[n - 1].size == size; n--) {
        classes->n_suppressed -= size;
    }
    classes->n_remaining += classes->n_lost - n;
    classes->n_lost = n;
    classes->smallest_kept = classes->k = size;
    return true;
}

/* The next higher variety among the classes that keep the demands. False: there is none, or more
 * rows than the budget would have to go. */
static bool next_variety(pv_view *v, pv_classes *classes, bool *failed)
{
    uint32_t least = UINT32_MAX;
    uint32_t next = UINT32_MAX;
    uint32_t largest = 0; /* of those that go now */
    for (size_t c = 0; v->variety != NULL && c < classes->n_classes; c++) {
        const bool counts = v->scorer.rules == NULL || v->broken[c] == 0;
        const uint32_t n = v->variety[c];
        if (counts && n >= v->least_variety && n < least) {
            next = least;
            least = n;
        } else if (counts && n > least && n < next) {
            next = n;
        }
    }
    if (next == UINT32_MAX) {
        return false;
    }
    for (size_t c = 0; c < classes->n_classes; c++) {
        const bool goes = v->variety[c] == least && (v->scorer.rules == NULL || v->broken[c] == 0);
        largest = goes && v->class_sizes[c] > largest ? v->class_sizes[c] : largest;
    }
    v->least_variety = next;
    *failed = !suppress(v, classes);
    if (*failed || !classes->feasible) {
        return false;
    }
    /* A threshold of sizes beyond all that go now suppresses the same as with the variety before.
     */
    bool is_new = classes->k <= largest;
    while (!is_new && lower_size(v, classes)) {
        is_new = classes->k <= largest;
    }
    return is_new || next_variety(v, classes, failed);
}

bool pv_i_view_next(pv_view *view, pv_classes *classes, bool *failed)
{
    return !view->rule.whole_budget && classes->feasible &&
           (lower_size(view, classes) || next_variety(view, classes, failed));
}

/* --------------------------------------------------------------- lifetime */

pv_status pv_i_view_init(pv_view *view, const pv_layers *layers, const pv_view_rule *rule,
                         bool sizes, pv_error *error)
{
    const pv_profile *const profile = layers->profile;
    const size_t n_tuples = profile->n_tuples;
    const bool drops = rule->demands != NULL || rule->by_variety;
    const pv_suppression *const asked = &rule->suppression;
    *view =
        (pv_view){.layers = layers,
                  .lattice = rule->lattice,
                  .rule = {.budget = asked->budget,
                           .target_k = asked->target_k,
                           .whole_budget = asked->whole_budget && asked->target_k == 0 && !drops},
                  .levels = PV_NEW_ZEROED(uint8_t, layers->n_axes),
                  .sizes = PV_NEW_ARRAY(uint32_t, n_tuples),
                  .starts = PV_NEW_ZEROED(uint32_t *, layers->n),
                  .codes = PV_NEW_ZEROED(uint32_t *, layers->n),
                  .entries = PV_NEW_ZEROED(pv_class_entries, layers->n)};
    bool ready = view->levels != NULL && view->sizes != NULL && view->starts != NULL &&
                 view->codes != NULL && view->entries != NULL;
    if (ready && (sizes || drops)) {
        view->wide_sizes = PV_NEW_ARRAY(uint64_t, n_tuples);
        ready = view->wide_sizes != NULL;
    }
    if (ready && drops) {
        view->broken = PV_NEW_ZEROED(uint8_t, n_tuples);
        view->dropped = PV_NEW_ZEROED(uint8_t, n_tuples);
        view->alive = PV_NEW_ARRAY(uint32_t, n_tuples);
        ready = view->broken != NULL && view->dropped != NULL && view->alive != NULL;
    }
    if (ready && rule->by_variety) {
        view->variety = PV_NEW_ARRAY(uint32_t, n_tuples);
        view->tallies = PV_NEW_ZEROED(pv_tally, profile->n_sensitive);
        ready = view->variety != NULL && view->tallies != NULL;
    }
    for (size_t i = 0; ready && i < layers->n; i++) {
        if (layers->list[i].histogram != NULL) {
            view->starts[i] = PV_NEW_ARRAY(uint32_t, layers->base[i].n + 1);
            view->codes[i] = PV_NEW_ARRAY(uint32_t, layers->base[i].n);
            ready = view->starts[i] != NULL && view->codes[i] != NULL;
        }
    }
    if (!ready) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; rule->by_variety && i < profile->n_sensitive; i++) {
        PV_TRY(pv_i_tally_init(&view->tallies[i], &profile->sensitive[i], error));
    }
    return rule->demands != NULL ? pv_i_class_scorer_init(&view->scorer, rule->demands, error)
                                 : PV_STATUS_OK;
}

void pv_i_view_deinit(pv_view *view)
{
    for (size_t i = 0; view->layers != NULL && i < view->layers->n; i++) {
        pv_i_free(view->starts != NULL ? view->starts[i] : NULL);
        pv_i_free(view->codes != NULL ? view->codes[i] : NULL);
    }
    for (size_t i = 0; view->tallies != NULL && i < view->layers->profile->n_sensitive; i++) {
        pv_i_tally_deinit(&view->tallies[i]);
    }
    if (view->scorer.rules != NULL) {
        pv_i_class_scorer_deinit(&view->scorer);
    }
    pv_i_free(view->tallies);
    pv_i_free(view->broken);
    pv_i_free(view->dropped);
    pv_i_free(view->alive);
    pv_i_free(view->variety);
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
