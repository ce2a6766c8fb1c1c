/* Rolling up sorted groups. */
#include "lattice/groups.h"

#include "base/memory.h"
#include "classes/keys.h"
#include "classes/sort.h"

#include <string.h>

bool pv_i_groups_reserve(pv_groups *groups, size_t capacity, unsigned words)
{
    if (groups->capacity < capacity || groups->words != words) {
        pv_i_groups_deinit(groups);
        /* Room for one more than asked for, so that a merge may write before it looks. */
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

/* ------------------------------------------------------------------ settle */

static void append(pv_groups *to, const uint64_t *key, uint32_t count)
{
    const unsigned words = to->words;
    if (to->n > 0 && pv_i_key_equal(to->keys + (to->n - 1) * words, key, words)) {
        to->counts[to->n - 1] += count;
        return;
    }
    memcpy(to->keys + to->n * words, key, words * sizeof *key);
    to->counts[to->n++] = count;
}

bool pv_i_groups_settle(pv_groups *groups, pv_rollup_scratch *scratch)
{
    const unsigned words = groups->words;
    pv_groups *const sorted = &scratch->spare[0];
    uint32_t *const order = PV_NEW_ARRAY(uint32_t, groups->n);
    const bool ready = order != NULL && pv_i_groups_reserve(sorted, groups->n, words) &&
                       pv_i_keys_order(groups->keys, groups->n, words, order);
    for (size_t i = 0; ready && i < groups->n; i++) {
        append(sorted, groups->keys + (size_t)order[i] * words, groups->counts[order[i]]);
    }
    if (ready) {
        memcpy(groups->keys, sorted->keys, sorted->n * words * sizeof *groups->keys);
        memcpy(groups->counts, sorted->counts, sorted->n * sizeof *groups->counts);
        groups->n = sorted->n;
    }
    pv_i_free(order);
    return ready;
}

/* ------------------------------------------------------------- one word */

/* The attribute is the least significant: equal new keys are neighbours. Every round writes the
 * group it is adding up, and moves on where the next one begins: no branch to mispredict, nothing
 * read back. */
static void add_neighbours(const pv_groups *from, pv_place place, const uint32_t *step,
                           pv_groups *to)
{
    uint64_t last = (from->keys[0] & ~place.mask) | step[from->keys[0] & place.mask];
    uint32_t sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < from->n; i++) {
        const uint64_t key = from->keys[i];
        const uint64_t raised = (key & ~place.mask) | step[key & place.mask];
        const bool starts = raised != last;
        n += starts;
        sum = (starts ? 0 : sum) + from->counts[i];
        to->keys[n] = raised;
        to->counts[n] = sum;
        last = raised;
    }
    to->n = n + 1;
}

/* A stretch of one list being merged into one run. */
typedef struct {
    const uint64_t *keys;
    const uint32_t *counts;
} run_source;

/* Merges [a, middle) and [middle, end), adding up equal keys; returns the number written. */
static size_t merge_two(run_source s, size_t a, size_t middle, size_t end, uint64_t *keys,
                        uint32_t *counts)
{
    size_t b = middle;
    size_t n = 0;
    while (a < middle && b < end) {
        const uint64_t left = s.keys[a];
        const uint64_t right = s.keys[b];
        const bool take_left = left <= right;
        const bool take_right = right <= left;
        keys[n] = take_left ? left : right;
        counts[n++] = (take_left ? s.counts[a] : 0) + (take_right ? s.counts[b] : 0);
        a += take_left;
        b += take_right;
    }
    const size_t rest = a < middle ? a : b;
    const size_t n_rest = a < middle ? middle - a : end - b;
    memcpy(keys + n, s.keys + rest, n_rest * sizeof *keys);
    memcpy(counts + n, s.counts + rest, n_rest * sizeof *counts);
    return n + n_rest;
}

/* One round: neighbouring runs become one. `runs` are their starts, the end of the last one
 * included; returns the number of runs left. */
static size_t merge_round(run_source s, size_t *runs, size_t n_runs, uint64_t *keys,
                          uint32_t *counts)
{
    size_t written = 0;
    size_t n = 0;
    for (size_t i = 0; i < n_runs; i += 2) {
        const size_t start = runs[i];
        const size_t middle = runs[i + 1];
        const size_t end = i + 1 < n_runs ? runs[i + 2] : middle;
        runs[n++] = written;
        written += merge_two(s, start, middle, end, keys + written, counts + written);
    }
    runs[n] = written;
    return n;
}

/* Merges the runs of a stretch that was copied to spare[0]; the result goes to the end of `to`. */
static void merge_runs(pv_rollup_scratch *scratch, size_t n_runs, pv_groups *to)
{
    unsigned side = 0;
    while (n_runs > 2) {
        const pv_groups *const source = &scratch->spare[side];
        pv_groups *const target = &scratch->spare[1 - side];
        n_runs = merge_round((run_source){source->keys, source->counts}, scratch->runs, n_runs,
                             target->keys, target->counts);
        side = 1 - side;
    }
    const pv_groups *const last = &scratch->spare[side];
    const size_t end = n_runs == 2 ? scratch->runs[2] : scratch->runs[1];
    to->n += merge_two((run_source){last->keys, last->counts}, scratch->runs[0], scratch->runs[1],
                       end, to->keys + to->n, to->counts + to->n);
}

/* Copies the stretch that begins at `i` to spare[0], raised, noting where its runs begin. Returns
 * its end. */
static size_t take_stretch(const pv_groups *from, size_t i, pv_place place, const uint32_t *step,
                           pv_rollup_scratch *scratch, size_t *n_runs)
{
    const uint64_t field = place.mask << place.shift;
    const uint64_t low = ((uint64_t)1 << place.shift) - 1;
    const uint64_t prefix = from->keys[i] & ~(field | low);
    const uint64_t group = step[(from->keys[i] & field) >> place.shift];
    const uint64_t raised = prefix | group << place.shift;
    pv_groups *const stretch = &scratch->spare[0];
    uint64_t run = ~from->keys[i] & field; /* not the first one */
    size_t n = 0;
    *n_runs = 0;
    for (; i < from->n; i++) {
        const uint64_t key = from->keys[i];
        if ((key & field) != run || (key & ~(field | low)) != prefix) {
            if ((key & ~(field | low)) != prefix || step[(key & field) >> place.shift] != group) {
                break;
            }
            run = key & field;
            scratch->runs[(*n_runs)++] = n;
        }
        stretch->keys[n] = raised | (key & low);
        stretch->counts[n++] = from->counts[i];
    }
    scratch->runs[*n_runs] = n;
    return i;
}

static void merge_stretches(const pv_groups *from, pv_place place, const uint32_t *step,
                            pv_groups *to, pv_rollup_scratch *scratch)
{
    to->n = 0;
    for (size_t i = 0; i < from->n;) {
        size_t n_runs = 0;
        i = take_stretch(from, i, place, step, scratch, &n_runs);
        merge_runs(scratch, n_runs, to);
    }
}

/* -------------------------------------------------------- several words */

/* The same for keys of several words. `words` is a constant to the compiler where it is two, the
 * common case: attributes whose values need up to 128 bits together. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

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

/* As merge_two. */
ALWAYS_INLINE size_t merge_two_wide(run_source s, size_t a, size_t middle, size_t end,
                                    uint64_t *keys, uint32_t *counts, unsigned words)
{
    size_t b = middle;
    size_t n = 0;
    while (a < middle && b < end) {
        const int order = compare_keys(s.keys + a * words, s.keys + b * words, words);
        copy_key(keys + n * words, s.keys + (order <= 0 ? a : b) * words, words);
        counts[n++] = (order <= 0 ? s.counts[a] : 0) + (order >= 0 ? s.counts[b] : 0);
        a += order <= 0;
        b += order >= 0;
    }
    const size_t rest = a < middle ? a : b;
    const size_t n_rest = a < middle ? middle - a : end - b;
    memcpy(keys + n * words, s.keys + rest * words, n_rest * words * sizeof *keys);
    memcpy(counts + n, s.counts + rest, n_rest * sizeof *counts);
    return n + n_rest;
}

/* As merge_runs. */
ALWAYS_INLINE void merge_runs_wide(pv_rollup_scratch *scratch, size_t n_runs, pv_groups *to,
                                   unsigned words)
{
    size_t *const runs = scratch->runs;
    unsigned side = 0;
    while (n_runs > 1) {
        const pv_groups *const source = &scratch->spare[side];
        pv_groups *const target = &scratch->spare[1 - side];
        size_t written = 0;
        size_t n = 0;
        for (size_t i = 0; i < n_runs; i += 2) {
            const size_t end = i + 1 < n_runs ? runs[i + 2] : runs[i + 1];
            const size_t start = runs[i];
            const size_t middle = runs[i + 1];
            runs[n++] = written;
            written +=
                merge_two_wide((run_source){source->keys, source->counts}, start, middle, end,
                               target->keys + written * words, target->counts + written, words);
        }
        runs[n] = written;
        n_runs = n;
        side = 1 - side;
    }
    const pv_groups *const last = &scratch->spare[side];
    memcpy(to->keys + to->n * words, last->keys, runs[1] * words * sizeof *to->keys);
    memcpy(to->counts + to->n, last->counts, runs[1] * sizeof *to->counts);
    to->n += runs[1];
}

/* Do two keys agree on everything more significant than an attribute? */
ALWAYS_INLINE bool same_prefix(const uint64_t *a, const uint64_t *b, pv_place place)
{
    for (unsigned w = 0; w < place.word; w++) {
        if (a[w] != b[w]) {
            return false;
        }
    }
    const unsigned above = place.shift + (unsigned)__builtin_popcountll(place.mask);
    return above >= 64 || (a[place.word] ^ b[place.word]) >> above == 0;
}

/* As take_stretch. */
ALWAYS_INLINE size_t take_stretch_wide(const pv_groups *from, size_t i, pv_place place,
                                       const uint32_t *step, pv_rollup_scratch *scratch,
                                       size_t *n_runs, unsigned words)
{
    const uint64_t field = place.mask << place.shift;
    const uint64_t *const first = from->keys + i * words;
    const uint64_t group = step[(first[place.word] & field) >> place.shift];
    pv_groups *const stretch = &scratch->spare[0];
    uint64_t run = ~first[place.word] & field; /* not the first one */
    size_t n = 0;
    *n_runs = 0;
    for (; i < from->n; i++) {
        const uint64_t *const key = from->keys + i * words;
        const bool same = same_prefix(key, first, place);
        if ((key[place.word] & field) != run || !same) {
            if (!same || step[(key[place.word] & field) >> place.shift] != group) {
                break;
            }
            run = key[place.word] & field;
            scratch->runs[(*n_runs)++] = n;
        }
        copy_key(stretch->keys + n * words, key, words);
        stretch->keys[n * words + place.word] = (key[place.word] & ~field) | group << place.shift;
        stretch->counts[n++] = from->counts[i];
    }
    scratch->runs[*n_runs] = n;
    return i;
}

ALWAYS_INLINE void merge_stretches_wide(const pv_groups *from, pv_place place, const uint32_t *step,
                                        pv_groups *to, pv_rollup_scratch *scratch, unsigned words)
{
    to->n = 0;
    for (size_t i = 0; i < from->n;) {
        size_t n_runs = 0;
        i = take_stretch_wide(from, i, place, step, scratch, &n_runs, words);
        merge_runs_wide(scratch, n_runs, to, words);
    }
}

static void rollup_wide(const pv_groups *from, pv_place place, const uint32_t *step, pv_groups *to,
                        pv_rollup_scratch *scratch)
{
    if (from->words == 2) {
        merge_stretches_wide(from, place, step, to, scratch, 2);
    } else {
        merge_stretches_wide(from, place, step, to, scratch, from->words);
    }
}

/* -------------------------------------------------------------- any width */

static bool reserve_scratch(pv_rollup_scratch *scratch, size_t n, unsigned words)
{
    return pv_i_groups_reserve(&scratch->spare[0], n, words) &&
           pv_i_groups_reserve(&scratch->spare[1], n, words) &&
           pv_i_reserve((void **)&scratch->runs, &scratch->runs_capacity, n + 2,
                        sizeof *scratch->runs);
}

bool pv_i_rollup(const pv_groups *from, pv_place place, const uint32_t *step, pv_groups *to,
                 pv_rollup_scratch *scratch)
{
    if (!pv_i_groups_reserve(to, from->n, from->words)) {
        return false;
    }
    if (place.mask == 0) { /* one value only: nothing changes */
        return pv_i_groups_copy(from, to);
    }
    if (from->words == 1 && place.shift == 0) {
        add_neighbours(from, place, step, to);
        return true;
    }
    if (!reserve_scratch(scratch, from->n, from->words)) {
        return false;
    }
    if (from->words > 1) {
        rollup_wide(from, place, step, to, scratch);
    } else {
        merge_stretches(from, place, step, to, scratch);
    }
    return true;
}
