/* Sorted groups and their roll-up.
 *
 * A group is a packed key and a count of rows. A key holds one field per attribute, most
 * significant first in the order of rolling up; no field straddles two words, the last one ends at
 * bit 0:
 *
 *     word 0                                        word 1
 *     | age     | education | occupation | (gap) |  | race | sex | counted value |
 *       most significant                              least significant, never generalized
 *
 * Leaves are numbered in tree order, so generalizing an attribute never swaps two of its values. A
 * sorted list therefore stays nearly sorted when one attribute is generalized. Say `b` of (a,b,c)
 * goes from the groups 0,1,2 to 0,0,1:
 *
 *     before:  a b c       after:  a b c
 *              0 0 3               0 0 3  \ run       \
 *              0 0 7               0 0 7  /            | one stretch: equal fields before b,
 *              0 1 2               0 0 2  \ run        | equal new group of b
 *              0 1 7               0 0 7  /           /
 *              0 2 1               0 1 1  - run       - the next stretch
 *
 * Rolling up is merging the few sorted runs of each stretch, and adding up equal keys: here 2,
 * 3, 7. For the attribute at bit 0 every run has length one and equal keys are already neighbours:
 * nothing is merged, only added up. That is why the attribute order puts one with many levels last.
 *
 * Hashing the new keys instead was tried and is slower: merging reads and writes memory in order,
 * and its result is sorted for the next roll-up.
 *
 * A column to be counted (a sensitive one, the label) is the least significant field and never
 * generalized. So the values of a class are neighbours, and the same roll-up serves. */
#include "lattice/rollup.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"
#include "classes/profile.h"

#include <string.h>

/* ------------------------------------------------------------------ lists */

bool pv_i_groups_reserve(pv_groups *groups, size_t capacity, unsigned words)
{
    if (groups->capacity < capacity || groups->words != words) {
        pv_i_groups_deinit(groups);
        /* One more than asked for, so that a merge may write before it looks. */
        groups->keys = PV_NEW_ARRAY(uint64_t, (capacity + 1) * words);
        groups->counts = PV_NEW_ARRAY(uint32_t, capacity + 1);
        if (groups->keys == NULL || groups->counts == NULL) {
            pv_i_groups_deinit(groups);
            return false;
        }
        groups->capacity = capacity;
        groups->words = words;
    }
    groups->n = 0;
    return true;
}

void pv_i_groups_deinit(pv_groups *groups)
{
    pv_i_free(groups->keys);
    pv_i_free(groups->counts);
    *groups = (pv_groups){0};
}

size_t pv_i_groups_bytes(const pv_groups *groups, size_t n_lists)
{
    size_t bytes = n_lists * sizeof *groups;
    for (size_t i = 0; i < n_lists; i++) {
        bytes += (groups[i].n + 1) * (groups[i].words * sizeof(uint64_t) + sizeof(uint32_t));
    }
    return bytes;
}

bool pv_i_groups_copy(const pv_groups *from, pv_groups *to)
{
    if (!pv_i_groups_reserve(to, from->n, from->words)) {
        return false;
    }
    memcpy(to->keys, from->keys, from->n * from->words * sizeof *to->keys);
    memcpy(to->counts, from->counts, from->n * sizeof *to->counts);
    to->n = from->n;
    return true;
}

void pv_i_rollup_scratch_deinit(pv_rollup_scratch *scratch)
{
    pv_i_groups_deinit(&scratch->spare[0]);
    pv_i_groups_deinit(&scratch->spare[1]);
    pv_i_free(scratch->runs);
    *scratch = (pv_rollup_scratch){0};
}

bool pv_i_groups_settle(pv_groups *groups, pv_rollup_scratch *scratch)
{
    const unsigned words = groups->words;
    pv_groups *const sorted = &scratch->spare[0];
    uint32_t *const order = PV_NEW_ARRAY(uint32_t, groups->n);
    const bool ready = order != NULL && pv_i_groups_reserve(sorted, groups->n, words) &&
                       pv_i_keys_order(groups->keys, groups->n, words, order);
    for (size_t i = 0; ready && i < groups->n; i++) {
        const uint64_t *const key = groups->keys + (size_t)order[i] * words;
        if (sorted->n == 0 || !pv_i_key_equal(sorted->keys + (sorted->n - 1) * words, key, words)) {
            memcpy(sorted->keys + sorted->n * words, key, words * sizeof *key);
            sorted->counts[sorted->n++] = 0;
        }
        sorted->counts[sorted->n - 1] += groups->counts[order[i]];
    }
    if (ready) {
        memcpy(groups->keys, sorted->keys, sorted->n * words * sizeof *groups->keys);
        memcpy(groups->counts, sorted->counts, sorted->n * sizeof *groups->counts);
        groups->n = sorted->n;
    }
    pv_i_free(order);
    return ready;
}

/* ---------------------------------------------------------------- roll up */

/* Everything below is compiled three times: for keys of one word, of two (attributes whose values
 * need up to 128 bits together), and of any number. `words` is a constant to the compiler in the
 * first two. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The attribute is the least significant of a one-word key: equal new keys are neighbours. Every
 * round writes the group it is adding up, and moves on where the next one begins: no branch to
 * mispredict, nothing read back. */
static void add_neighbours(const pv_groups *from, pv_field field, const uint32_t *step,
                           pv_groups *to)
{
    uint64_t previous = (from->keys[0] & ~field.mask) | step[from->keys[0] & field.mask];
    uint32_t sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < from->n; i++) {
        const uint64_t key = from->keys[i];
        const uint64_t coarser = (key & ~field.mask) | step[key & field.mask];
        const bool starts = coarser != previous;
        n += starts;
        sum = (starts ? 0 : sum) + from->counts[i];
        to->keys[n] = coarser;
        to->counts[n] = sum;
        previous = coarser;
    }
    to->n = n + 1;
}

ALWAYS_INLINE int compare_keys(const uint64_t *a, const uint64_t *b, unsigned words)
{
    for (unsigned w = 0; w < words; w++) {
        if (a[w] != b[w]) {
            return a[w] < b[w] ? -1 : 1;
        }
    }
    return 0;
}

ALWAYS_INLINE void copy_key(uint64_t *to, const uint64_t *from, unsigned words)
{
    for (unsigned w = 0; w < words; w++) {
        to[w] = from[w];
    }
}

/* Merges the runs [a, middle) and [middle, end) of a list, adding up equal keys; returns the number
 * of groups written. Which run comes next is close to a coin toss: with keys of one word both
 * candidates are read and selected without a branch. */
ALWAYS_INLINE size_t merge_two(const pv_groups *s, size_t a, size_t middle, size_t end,
                               uint64_t *keys, uint32_t *counts, unsigned words)
{
    size_t b = middle;
    size_t n = 0;
    while (a < middle && b < end) {
        bool take_a;
        bool take_b;
        if (words == 1) {
            const uint64_t left = s->keys[a];
            const uint64_t right = s->keys[b];
            take_a = left <= right;
            take_b = right <= left;
            keys[n] = take_a ? left : right;
        } else {
            const int order = compare_keys(s->keys + a * words, s->keys + b * words, words);
            take_a = order <= 0;
            take_b = order >= 0;
            copy_key(keys + n * words, s->keys + (take_a ? a : b) * words, words);
        }
        counts[n++] = (take_a ? s->counts[a] : 0) + (take_b ? s->counts[b] : 0);
        a += take_a;
        b += take_b;
    }
    const size_t left_over = a < middle ? a : b;
    const size_t n_left_over = a < middle ? middle - a : end - b;
    memcpy(keys + n * words, s->keys + left_over * words, n_left_over * words * sizeof *keys);
    memcpy(counts + n, s->counts + left_over, n_left_over * sizeof *counts);
    return n + n_left_over;
}

/* Merges the runs of the stretch in spare[0], neighbours two and two, back and forth between the
 * spare lists; the round that leaves one run writes it to the end of `to`. `runs` are the starts of
 * the runs and the end of the last one. A heap of runs would need fewer rounds over the memory, but
 * runs are few (the groups that become one group) and a branch-free merge of two is hard to beat.
 */
ALWAYS_INLINE void merge_runs(pv_rollup_scratch *scratch, size_t n_runs, pv_groups *to,
                              unsigned words)
{
    size_t *const runs = scratch->runs;
    const pv_groups *source = &scratch->spare[0];
    while (n_runs > 2) {
        pv_groups *const target = &scratch->spare[source == &scratch->spare[0]];
        size_t written = 0;
        size_t n = 0;
        for (size_t i = 0; i < n_runs; i += 2) {
            const size_t start = runs[i];
            const size_t middle = runs[i + 1];
            const size_t end = i + 1 < n_runs ? runs[i + 2] : middle;
            runs[n++] = written;
            written += merge_two(source, start, middle, end, target->keys + written * words,
                                 target->counts + written, words);
        }
        runs[n] = written;
        n_runs = n;
        source = target;
    }
    to->n += merge_two(source, runs[0], runs[1], runs[n_runs], to->keys + to->n * words,
                       to->counts + to->n, words);
}

/* Copies the stretch that begins at group `i` to spare[0], its attribute generalized, and notes
 * where its runs begin. Returns its end.
 *
 * The stretch ends where a more significant field changes or where the new group does. The new
 * group is looked up only where the old one changes, once per run: `run` is the field of the run at
 * hand, in place within its word. */
ALWAYS_INLINE size_t take_stretch(const pv_groups *from, size_t i, pv_field field,
                                  const uint32_t *step, pv_rollup_scratch *scratch, size_t *n_runs,
                                  unsigned words)
{
    const uint32_t word = words == 1 ? 0 : field.word;
    const uint64_t bits = field.mask << field.shift;
    const uint64_t above = ~(bits | (((uint64_t)1 << field.shift) - 1)); /* more significant */
    const uint64_t *const first = from->keys + i * words;
    const uint64_t group = step[(first[word] & bits) >> field.shift];
    pv_groups *const stretch = &scratch->spare[0];
    uint64_t run = ~first[word] & bits; /* no run yet: differs from the first one */
    size_t n = 0;
    *n_runs = 0;
    for (; i < from->n; i++) {
        const uint64_t *const key = from->keys + i * words;
        const bool same_prefix =
            ((key[word] ^ first[word]) & above) == 0 && compare_keys(key, first, word) == 0;
        if ((key[word] & bits) != run || !same_prefix) {
            if (!same_prefix || step[(key[word] & bits) >> field.shift] != group) {
                break;
            }
            run = key[word] & bits;
            scratch->runs[(*n_runs)++] = n;
        }
        copy_key(stretch->keys + n * words, key, words);
        stretch->keys[n * words + word] = (key[word] & ~bits) | group << field.shift;
        stretch->counts[n++] = from->counts[i];
    }
    scratch->runs[*n_runs] = n;
    return i;
}

ALWAYS_INLINE void merge_stretches(const pv_groups *from, pv_field field, const uint32_t *step,
                                   pv_groups *to, pv_rollup_scratch *scratch, unsigned words)
{
    to->n = 0;
    for (size_t i = 0; i < from->n;) {
        size_t n_runs = 0;
        i = take_stretch(from, i, field, step, scratch, &n_runs, words);
        merge_runs(scratch, n_runs, to, words);
    }
}

bool pv_i_rollup(const pv_groups *from, pv_field field, const uint32_t *step, pv_groups *to,
                 pv_rollup_scratch *scratch)
{
    if (!pv_i_groups_reserve(to, from->n, from->words)) {
        return false;
    }
    if (field.mask == 0) { /* an attribute of one value takes no bits: nothing changes */
        return pv_i_groups_copy(from, to);
    }
    if (from->words == 1 && field.shift == 0) {
        add_neighbours(from, field, step, to);
        return true;
    }
    if (!pv_i_groups_reserve(&scratch->spare[0], from->n, from->words) ||
        !pv_i_groups_reserve(&scratch->spare[1], from->n, from->words) ||
        !pv_i_reserve((void **)&scratch->runs, &scratch->runs_capacity, from->n + 2,
                      sizeof *scratch->runs)) {
        return false;
    }
    switch (from->words) {
    case 1: merge_stretches(from, field, step, to, scratch, 1); break;
    case 2: merge_stretches(from, field, step, to, scratch, 2); break;
    default: merge_stretches(from, field, step, to, scratch, from->words); break;
    }
    return true;
}

/* ----------------------------------------------------------------- layers */

/* Words are filled from the most significant field on; within a word the fields are pushed down to
 * bit 0, so that the last attribute of all is the one whose equal groups are neighbours. */
static void place_fields(pv_field *fields, const unsigned *bits, size_t n, unsigned *words)
{
    unsigned word = 0;
    unsigned used = 0;
    size_t first = 0; /* of the fields in this word */
    for (size_t i = 0; i <= n; i++) {
        if (i == n || used + bits[i] > 64) {
            unsigned shift = 0;
            for (size_t j = i; j-- > first;) {
                fields[j] = (pv_field){.word = word,
                                       .shift = (uint8_t)(bits[j] > 0 ? shift : 0),
                                       .mask = ((uint64_t)1 << bits[j]) - 1};
                shift += bits[j];
            }
            first = i;
            used = 0;
            word += i < n;
        }
        used += i < n ? bits[i] : 0;
    }
    *words = word + 1;
}

/* Which field is where. */
static bool lay_out(pv_layer *layer, const pv_layers *layers)
{
    const size_t n = layers->n_axes;
    unsigned *const bits = PV_NEW_ARRAY(unsigned, n + 1);
    layer->fields = PV_NEW_ARRAY(pv_field, n + 1);
    const bool ready = bits != NULL && layer->fields != NULL;
    if (ready) {
        for (size_t p = 0; p < n; p++) {
            bits[p] = pv_i_bits_for(
                pv_hierarchy_leaves(pv_study_hierarchy(layers->profile->study, layers->order[p])));
        }
        bits[n] = layer->histogram != NULL ? pv_i_bits_for(layer->histogram->n_codes) : 0;
        place_fields(layer->fields, bits, n + 1, &layer->words);
        layer->value = layer->fields[n];
    }
    pv_i_free(bits);
    return ready;
}

/* One group per tuple, or one per tuple and value of the counted column. Counts fit 32 bits: the
 * evaluator refuses larger tables. The profile sorts tuples by the attributes as the plan has them,
 * here they have another order: the list is sorted anew, once per search. */
static void fill_base(pv_layer *layer, const pv_layers *layers)
{
    const pv_profile *const profile = layers->profile;
    const pv_histogram *const h = layer->histogram;
    pv_groups *const base = &layer->base;
    for (size_t t = 0; t < profile->n_tuples; t++) {
        const size_t n_values = h != NULL ? (size_t)(h->start[t + 1] - h->start[t]) : 1;
        for (size_t v = 0; v < n_values; v++) {
            uint64_t *const key = base->keys + base->n * layer->words;
            memset(key, 0, layer->words * sizeof *key);
            for (size_t p = 0; p < layers->n_axes; p++) {
                key[layer->fields[p].word] |=
                    (uint64_t)pv_profile_leaf(profile, t, layers->order[p])
                    << layer->fields[p].shift;
            }
            const uint64_t entry = h != NULL ? h->start[t] + v : 0;
            if (h != NULL) {
                key[layer->value.word] |= (uint64_t)h->code[entry] << layer->value.shift;
            }
            base->counts[base->n++] = (uint32_t)(h != NULL ? h->count[entry] : profile->count[t]);
        }
    }
}

static bool add_layer(pv_layers *layers, const pv_histogram *histogram)
{
    const size_t n_tuples = layers->profile->n_tuples;
    const size_t n = histogram != NULL ? (size_t)histogram->start[n_tuples] : n_tuples;
    pv_layer *const layer = &layers->list[layers->n++];
    pv_rollup_scratch scratch = {0};
    layer->histogram = histogram;
    bool ready = lay_out(layer, layers) && pv_i_groups_reserve(&layer->base, n, layer->words);
    if (ready) {
        fill_base(layer, layers);
        ready = pv_i_groups_settle(&layer->base, &scratch);
        layers->base[layers->n - 1] = layer->base;
    }
    pv_i_rollup_scratch_deinit(&scratch);
    return ready;
}

pv_status pv_i_layers_init(pv_layers *layers, const pv_profile *profile, bool sensitives,
                           bool label, pv_error *error)
{
    *layers = (pv_layers){.profile = profile, .n_axes = pv_study_quasis(profile->study)};
    layers->order = PV_NEW_ZEROED(size_t, layers->n_axes);
    layers->list = PV_NEW_ZEROED(pv_layer, profile->n_sensitive + 2);
    layers->base = PV_NEW_ZEROED(pv_groups, profile->n_sensitive + 2);
    bool ready = layers->order != NULL && layers->list != NULL && layers->base != NULL;
    if (ready) {
        PV_TRY(pv_i_attribute_order(profile, layers->order, error));
        if (sensitives || label) {
            PV_TRY(pv_i_profile_count(profile, error));
        }
    }
    for (size_t i = 0; ready && sensitives && i < profile->n_sensitive; i++) {
        ready = add_layer(layers, &profile->sensitive[i]);
    }
    if (ready && label && profile->label != NULL) {
        ready = add_layer(layers, profile->label);
    }
    if (ready && layers->n == 0) {
        ready = add_layer(layers, NULL);
    }
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}

void pv_i_layers_deinit(pv_layers *layers)
{
    for (size_t i = 0; i < layers->n; i++) {
        pv_i_free(layers->list[i].fields);
        pv_i_groups_deinit(&layers->list[i].base);
    }
    pv_i_free(layers->order);
    pv_i_free(layers->list);
    pv_i_free(layers->base);
    *layers = (pv_layers){0};
}
