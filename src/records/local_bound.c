/* What no local recoding can lose less than (docs/model.md, section 7b), by weak duality.
 *
 * Give every row a price, such that in every tuple of nodes that covers at least k rows the k
 * highest prices sum to at most k times what a row loses there. Every class has at least k rows and
 * is covered by its own tuple, so the average price of its rows is at most what each of them loses;
 * hence the prices of all rows sum to no more than the loss of any recoding. A suppressed row loses
 * 1, and no price is above that.
 *
 *     prices = from what each row loses in the recoding that was found
 *     sweep: for every node of the lattice, every group g with at least k rows:
 *                ratio(g) = (its k highest prices) / (k * cost(g))
 *                level(g) = its k-th highest price
 *            new price of a row = least over its groups of max(price, level(g)) / ratio(g)
 *
 * **Why this is a proof.** In a group nobody's new price is above max(price, level) / ratio.
 * Raising those below the k-th highest price to that very price does not change the sum of the k
 * highest. So the k highest new prices sum to at most k * cost: after one sweep, from whatever
 * prices, all conditions hold. And once they hold, ratios are at most 1: further sweeps only raise
 * prices.
 *
 * **Thresholds.** Sums of the k highest do not add up when groups are joined. But for any threshold
 * the sum of the k highest prices is at most k * threshold + (sum of what prices exceed it by),
 * with equality at the k-th highest price; and excesses do add up. An entry carries the excess over
 * 16 thresholds; the least of the 16 bounds takes the place of the sum. The excesses also show a
 * threshold that at least k prices are above: that is used as the level. Both err on the safe side.
 * Each sweep has other thresholds, so that they do not err always alike.
 *
 *     list 0: all tuples        rows, cost, excess[16]        limit[16]
 *       | generalize the first attribute to a rung            ^ least of the groups above
 *     list 1: fewer entries     rows, cost, excess[16]        limit[16]
 *       | ...
 *     the last list: the groups of a node of the lattice: their limits go back along the lists
 *
 * Prices, thresholds and excesses are whole numbers: sums are exact, in any order, and limits are
 * rounded down. Entries are found by a key of 64 random bits; if ever two have the same, rows and
 * excesses are added up, and the lower cost counts: a stricter condition.
 *
 * **Many attributes.** What a row loses is a sum over attributes, so bounds of disjoint sets of
 * attributes add up. Where the lattice of all is too large, attributes are put into blocks whose
 * lattices are not. */
#include "records/local.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define THRESHOLDS 16
#define PRICE_BITS 28               /* k rows that lose everything have prices of 2^28 */
#define MOST_EXCESS (INT32_MAX / 2) /* so that two of them add up without overflow */
#define NO_LIMIT 1e30f
#define SAFETY (1 - 1e-6) /* of a limit: more than rounding it can take away */
/* Nodes of the lattice times tuples: more is not looked at together, and then blocks are no larger.
 */
#define MOST_WORK 4e9
#define BLOCK_WORK 2e8
/* Without limits, as many sweeps as take about so much work, but at least and at most so many. */
#define USUAL_WORK 2e9
#define LEAST_SWEEPS 2
#define MOST_SWEEPS 5
#define FIRST_SCALE 0.8  /* of the prices to begin with: a sweep finds the right one by itself */
#define QUANTILE 0.99    /* of the prices: where they are cut */
#define LEAST_GAIN 0.004 /* a sweep that gains less is the last */

typedef struct {
    uint64_t key;
    double cost;
    uint64_t rows;
    uint32_t tuple; /* one of those it stands for */
} entry;

typedef struct {
    entry *entries;
    int32_t *excess; /* THRESHOLDS each */
    float *limit;    /* the same */
    uint32_t *above; /* the entry of the next list that it is part of; UINT32_MAX = dropped */
    size_t n, capacity;
} list;

/* What generalizing one leaf changes. */
typedef struct {
    uint64_t key;
    double cost;
} change;

/* What one thread needs. */
typedef struct {
    list *lists; /* one per attribute of the block and one more */
    uint64_t *keys;
    uint32_t *slots, *stamps;
    size_t n_slots;
    uint32_t stamp;
} worker;

/* A block of attributes. */
typedef struct {
    const pv_local_space *space;
    const pv_local_proof_settings *settings;
    size_t *axes;
    size_t n_axes;
    change **changes; /* per quasi-identifier of the block: rungs * leaves */
    list base;
    uint32_t *base_of; /* per tuple */
    uint64_t *prices;  /* per entry of the base */
    uint64_t thresholds[THRESHOLDS];
    uint64_t most; /* no price is above it: nodes that cost as much need not be looked at */
    double scale;  /* a price of 1 */
    bool holds;    /* do all conditions hold? */
    worker *workers;
    unsigned n_workers;
} block;

/* ------------------------------------------------------------------- lists */

static bool list_reserve(list *l, size_t n)
{
    if (n <= l->capacity) {
        return true;
    }
    pv_i_free(l->entries);
    pv_i_free(l->excess);
    pv_i_free(l->limit);
    pv_i_free(l->above);
    l->entries = PV_NEW_ARRAY(entry, n);
    l->excess = pv_i_array(n, THRESHOLDS * sizeof *l->excess);
    l->limit = pv_i_array(n, THRESHOLDS * sizeof *l->limit);
    l->above = PV_NEW_ARRAY(uint32_t, n);
    const bool ready =
        l->entries != NULL && l->excess != NULL && l->limit != NULL && l->above != NULL;
    l->capacity = ready ? n : 0;
    return ready;
}

static void list_deinit(list *l)
{
    pv_i_free(l->entries);
    pv_i_free(l->excess);
    pv_i_free(l->limit);
    pv_i_free(l->above);
}

static void forget_limits(float *limit, size_t n)
{
    for (size_t i = 0; i < n * THRESHOLDS; i++) {
        limit[i] = NO_LIMIT;
    }
}

static bool worker_reserve(worker *w, size_t n)
{
    size_t slots = 16;
    while (slots < 2 * n) {
        slots *= 2;
    }
    if (slots > w->n_slots) {
        pv_i_free(w->keys);
        pv_i_free(w->slots);
        pv_i_free(w->stamps);
        w->keys = PV_NEW_ARRAY(uint64_t, slots);
        w->slots = PV_NEW_ARRAY(uint32_t, slots);
        w->stamps = PV_NEW_ZEROED(uint32_t, slots);
        w->stamp = 0;
        w->n_slots = w->keys != NULL && w->slots != NULL && w->stamps != NULL ? slots : 0;
    }
    return w->n_slots > 0;
}

/* The entry of a list with that key; a new one if there is none. */
static uint32_t entry_of(worker *w, size_t mask, list *l, uint64_t key, bool *is_new)
{
    size_t slot = (size_t)key & mask; /* marks are random already */
    while (w->stamps[slot] == w->stamp && w->keys[slot] != key) {
        slot = (slot + 1) & mask;
    }
    *is_new = w->stamps[slot] != w->stamp;
    if (*is_new) {
        w->stamps[slot] = w->stamp;
        w->keys[slot] = key;
        w->slots[slot] = (uint32_t)l->n++;
    }
    return w->slots[slot];
}

static size_t mask_for(const list *from)
{
    size_t slots = 16;
    while (slots < 2 * from->n) {
        slots *= 2;
    }
    return slots - 1;
}

static void join_entry(list *to, uint32_t at, const list *from, size_t i, double cost)
{
    int32_t *const sum = to->excess + (size_t)at * THRESHOLDS;
    const int32_t *const own = from->excess + i * THRESHOLDS;
    to->entries[at].rows += from->entries[i].rows;
    if (cost < to->entries[at].cost) {
        to->entries[at].cost = cost;
    }
    for (size_t j = 0; j < THRESHOLDS; j++) {
        const int32_t both = sum[j] + own[j];
        sum[j] = both < MOST_EXCESS ? both : MOST_EXCESS;
    }
}

/* A list with one attribute generalized to a rung. What costs too much to matter is dropped. */
static bool generalize(const block *b, worker *w, list *from, list *to, size_t q, size_t rung)
{
    const pv_local_tree *const tree = &b->space->trees[q];
    const change *const changes = b->changes[q] + rung * tree->n_leaves;
    const double too_dear = (double)b->most * b->scale;
    if (!list_reserve(to, from->n)) {
        return false;
    }
    const size_t mask = mask_for(from);
    w->stamp++;
    to->n = 0;
    for (size_t i = 0; i < from->n; i++) {
        const entry *const own = &from->entries[i];
        const uint32_t leaf = b->space->leaves[own->tuple * b->space->n_quasi + q];
        const double cost = own->cost + changes[leaf].cost;
        if (cost >= too_dear) {
            from->above[i] = UINT32_MAX;
            continue;
        }
        bool is_new;
        const uint64_t key = own->key + changes[leaf].key;
        const uint32_t at = entry_of(w, mask, to, key, &is_new);
        from->above[i] = at;
        if (is_new) {
            to->entries[at] = (entry){key, cost, own->rows, own->tuple};
            memcpy(to->excess + (size_t)at * THRESHOLDS, from->excess + i * THRESHOLDS,
                   THRESHOLDS * sizeof *to->excess);
        } else {
            join_entry(to, at, from, i, cost);
        }
    }
    forget_limits(to->limit, to->n);
    return true;
}

/* The limits of a list go back to the one it was made of. */
static void hand_back(list *from, const list *to)
{
    for (size_t i = 0; i < from->n; i++) {
        if (from->above[i] == UINT32_MAX) {
            continue;
        }
        float *const own = from->limit + i * THRESHOLDS;
        const float *const above = to->limit + (size_t)from->above[i] * THRESHOLDS;
        for (size_t j = 0; j < THRESHOLDS; j++) {
            own[j] = above[j] < own[j] ? above[j] : own[j];
        }
    }
}

/* ------------------------------------------------------------------ groups */

/* What the prices of a group may be multiplied by, and from which threshold on: those below are
 * lifted to it. */
static void limit_group(const block *b, const entry *own, const int32_t *excess, float *limit)
{
    const uint64_t k = b->space->k;
    const double most = (double)k * own->cost / b->scale; /* k times the cost, as prices */
    uint64_t sum = UINT64_MAX;
    size_t level = 0;
    if (own->rows < k || own->cost >= (double)b->most * b->scale || excess[0] == 0) {
        return;
    }
    for (size_t j = 0; j < THRESHOLDS; j++) {
        const uint64_t bound = k * b->thresholds[j] + (uint64_t)excess[j];
        sum = bound < sum ? bound : sum;
    }
    for (size_t j = THRESHOLDS - 2; j > 0 && level == 0; j--) {
        const uint64_t width = b->thresholds[j + 1] - b->thresholds[j];
        if ((uint64_t)(excess[j] - excess[j + 1]) >= k * width) {
            level = j;
        }
    }
    double factor = most / (double)sum * SAFETY;
    if (b->holds && factor < 1) {
        factor = 1;
    }
    const float own_limit = factor < (double)NO_LIMIT ? (float)factor : NO_LIMIT;
    limit[level] = own_limit < limit[level] ? own_limit : limit[level];
}

static void limit_groups(const block *b, const list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        limit_group(b, &l->entries[i], l->excess + i * THRESHOLDS, l->limit + i * THRESHOLDS);
    }
}

/* All nodes of the lattice whose first `depth` attributes are generalized as the list is. Left raw,
 * an attribute needs no list of its own. */
static bool descend(const block *b, worker *w, size_t depth, list *l)
{
    if (depth == b->n_axes) {
        limit_groups(b, l);
        return true;
    }
    const size_t q = b->axes[depth];
    list *const next = &w->lists[depth + 1];
    if (!descend(b, w, depth + 1, l)) {
        return false;
    }
    for (size_t rung = 1; rung < b->space->trees[q].n_rungs; rung++) {
        if (!generalize(b, w, l, next, q, rung) || !descend(b, w, depth + 1, next)) {
            return false;
        }
        hand_back(l, next);
    }
    return true;
}

/* ------------------------------------------------------------------- sweep */

/* One task for each pair of rungs of the first two attributes. */
static size_t rungs_at(const block *b, size_t depth)
{
    return depth < b->n_axes ? b->space->trees[b->axes[depth]].n_rungs : 1;
}

static pv_status sweep_part(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    block *const b = ctx;
    worker *const w = &b->workers[thread->number];
    const size_t first = task / rungs_at(b, 1);
    const size_t second = task % rungs_at(b, 1);
    list *const base = &w->lists[0];
    if (!pv_i_goes_on(thread, task)) {
        return PV_STATUS_OK;
    }
    list *const half = first > 0 ? &w->lists[1] : base;
    list *const from = second > 0 ? &w->lists[2] : half;
    const bool ready = (first == 0 || generalize(b, w, base, half, b->axes[0], first)) &&
                       (second == 0 || generalize(b, w, half, from, b->axes[1], second)) &&
                       descend(b, w, b->n_axes > 1 ? 2 : 1, from);
    if (!ready) {
        return pv_i_no_memory(error);
    }
    if (second > 0) {
        hand_back(half, from);
    }
    if (first > 0) {
        hand_back(base, half);
    }
    return PV_STATUS_OK;
}

static int compare_prices(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Thresholds between a low price and the highest, each so many times the one before; another
 * beginning for each sweep. */
static bool choose_thresholds(block *b, uint64_t sweep)
{
    uint64_t *const sorted = PV_NEW_ARRAY(uint64_t, b->base.n);
    size_t n = 0;
    if (sorted == NULL) {
        return false;
    }
    for (size_t i = 0; i < b->base.n; i++) {
        if (b->prices[i] > 1) {
            sorted[n++] = b->prices[i];
        }
    }
    qsort(sorted, n, sizeof *sorted, compare_prices);
    const double low = n > 0 ? (double)sorted[n / 50] : 1;
    const double high = n > 0 ? (double)sorted[n - 1] : 1;
    const double turn = fmod((double)sweep * 0.618034, 1);
    b->thresholds[0] = 0;
    for (size_t j = 1; j < THRESHOLDS; j++) {
        const double at = low * pow(high / low, fmin(((double)j - 1 + turn) / (THRESHOLDS - 2), 1));
        const uint64_t threshold = j + 1 < THRESHOLDS ? (uint64_t)at : (uint64_t)high;
        const uint64_t least = b->thresholds[j - 1] + 1;
        b->thresholds[j] = threshold > least ? threshold : least;
    }
    pv_i_free(sorted);
    return true;
}

static void fill_excess(block *b)
{
    for (size_t i = 0; i < b->base.n; i++) {
        for (size_t j = 0; j < THRESHOLDS; j++) {
            const uint64_t price = b->prices[i];
            const uint64_t over = price > b->thresholds[j] ? price - b->thresholds[j] : 0;
            const uint64_t rows = b->base.entries[i].rows;
            const bool fits = over == 0 || rows <= MOST_EXCESS / over;
            b->base.excess[i * THRESHOLDS + j] = fits ? (int32_t)(rows * over) : MOST_EXCESS;
        }
    }
}

/* New prices from the limits of all workers. */
static void take_limits(block *b)
{
    for (size_t i = 0; i < b->base.n; i++) {
        double least = (double)b->most;
        for (size_t j = 0; j < THRESHOLDS; j++) {
            float limit = NO_LIMIT;
            for (unsigned w = 0; w < b->n_workers; w++) {
                limit = fminf(limit, b->workers[w].lists[0].limit[i * THRESHOLDS + j]);
            }
            const uint64_t lifted =
                b->prices[i] > b->thresholds[j] ? b->prices[i] : b->thresholds[j];
            least = fmin(least, (double)lifted * (double)limit);
        }
        b->prices[i] = (uint64_t)least;
    }
}

static double sum_prices(const block *b)
{
    double sum = 0;
    for (size_t i = 0; i < b->base.n; i++) {
        sum += (double)b->prices[i] * (double)b->base.entries[i].rows;
    }
    return sum * b->scale;
}

static pv_status sweep(block *b, uint64_t number, pv_error *error)
{
    pv_ticker ticker =
        pv_i_ticker(b->settings->context, "bounding", rungs_at(b, 0) * rungs_at(b, 1));
    if (!choose_thresholds(b, number)) {
        return pv_i_no_memory(error);
    }
    fill_excess(b);
    for (unsigned w = 0; w < b->n_workers; w++) {
        list *const base = &b->workers[w].lists[0];
        base->entries = b->base.entries; /* shared, as they are not changed */
        base->excess = b->base.excess;
        base->n = b->base.n;
        forget_limits(base->limit, base->n);
    }
    PV_TRY(pv_i_tasks_run(b->n_workers, rungs_at(b, 0) * rungs_at(b, 1), sweep_part, b, &ticker,
                          error));
    take_limits(b);
    b->holds = true;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- block */

/* The distinct tuples of the block's attributes, numbered in order of first appearance. */
static bool find_base(block *b)
{
    const pv_local_space *const space = b->space;
    worker *const w = &b->workers[0];
    list all = {.n = space->n_tuples};
    if (!list_reserve(&b->base, space->n_tuples) || !worker_reserve(w, space->n_tuples)) {
        return false;
    }
    w->stamp++;
    for (size_t t = 0; t < space->n_tuples; t++) {
        uint64_t key = 0;
        double cost = 0;
        for (size_t a = 0; a < b->n_axes; a++) {
            const pv_local_tree *const tree = &space->trees[b->axes[a]];
            const uint32_t node = space->raw[t * space->n_quasi + b->axes[a]];
            key += tree->mark[node];
            cost += tree->cost[node];
        }
        bool is_new;
        const uint32_t at = entry_of(w, mask_for(&all), &b->base, key, &is_new);
        if (is_new) {
            b->base.entries[at] = (entry){.key = key, .cost = cost, .tuple = (uint32_t)t};
        }
        b->base.entries[at].rows += space->profile->count[t];
        b->base_of[t] = at;
    }
    return true;
}

/* No price is above that of the most expensive but a few rows: nodes that cost as much need not be
 * looked at then. Costs a little of the bound, and saves much of the time. */
static bool limit_prices(block *b)
{
    uint64_t *const sorted = PV_NEW_ARRAY(uint64_t, b->base.n);
    if (sorted == NULL) {
        return false;
    }
    memcpy(sorted, b->prices, b->base.n * sizeof *sorted);
    qsort(sorted, b->base.n, sizeof *sorted, compare_prices);
    b->most = sorted[(size_t)((double)(b->base.n - 1) * QUANTILE)];
    for (size_t i = 0; i < b->base.n; i++) {
        b->prices[i] = b->prices[i] < b->most ? b->prices[i] : b->most;
    }
    pv_i_free(sorted);
    return true;
}

/* Nearly the 0.6th power. In the recoding that was found few rows lose much and most lose little;
 * in the best prices the difference is smaller, since everyone pays for those whom they help. From
 * here three sweeps lead as far as ten do from the losses as they are. */
static double flatten(double share)
{
    return sqrt(share) * sqrt(sqrt(sqrt(share)));
}

/* The prices to begin with: what rows lose in the block's attributes, on average over those that
 * are alike in them. */
static bool first_prices(block *b, const pv_local_draft *classes)
{
    const pv_local_space *const space = b->space;
    double *const lost = PV_NEW_ZEROED(double, b->base.n);
    double full = 0;
    if (lost == NULL) {
        return false;
    }
    for (size_t a = 0; a < b->n_axes; a++) {
        full += space->trees[b->axes[a]].full;
    }
    for (size_t c = 0; c < classes->n; c++) {
        const pv_local_class *const own = &classes->list[c];
        double cost = 0;
        for (size_t a = 0; a < b->n_axes && own->size > 0; a++) {
            const pv_local_tree *const tree = &space->trees[b->axes[a]];
            cost += c == PV_LOCAL_LOST ? tree->full
                                       : tree->cost[pv_i_local_nodes(classes, c)[b->axes[a]]];
        }
        for (size_t p = 0; p < own->n_parts; p++) {
            lost[b->base_of[own->parts[p].tuple]] += cost * (double)own->parts[p].rows;
        }
    }
    b->scale = (double)space->k / (double)(UINT64_C(1) << PRICE_BITS);
    const uint64_t dearest = (uint64_t)(full * (1 - 1e-9) / b->scale);
    b->most = 0;
    for (size_t i = 0; i < b->base.n; i++) {
        const double share = full > 0 ? lost[i] / (double)b->base.entries[i].rows / full : 0;
        const uint64_t price = (uint64_t)(flatten(share) * full * FIRST_SCALE / b->scale);
        b->prices[i] = price < 1 ? 1 : price < dearest ? price : dearest;
    }
    pv_i_free(lost);
    return limit_prices(b);
}

static bool find_changes(block *b)
{
    b->changes = PV_NEW_ZEROED(change *, b->space->n_quasi);
    for (size_t a = 0; b->changes != NULL && a < b->n_axes; a++) {
        const pv_local_tree *const tree = &b->space->trees[b->axes[a]];
        change *const own = b->changes[b->axes[a]] =
            PV_NEW_ARRAY(change, (size_t)tree->n_rungs * tree->n_leaves);
        for (size_t i = 0; own != NULL && i < (size_t)tree->n_rungs * tree->n_leaves; i++) {
            const uint32_t raw = tree->rungs[i % tree->n_leaves];
            const uint32_t node = tree->rungs[i];
            own[i].key = tree->mark[node] - tree->mark[raw];
            own[i].cost = tree->cost[node] - tree->cost[raw];
        }
        if (own == NULL) {
            return false;
        }
    }
    return b->changes != NULL;
}

static void block_deinit(block *b)
{
    for (size_t q = 0; b->changes != NULL && q < b->space->n_quasi; q++) {
        pv_i_free(b->changes[q]);
    }
    pv_i_free(b->changes);
    for (unsigned w = 0; b->workers != NULL && w < b->n_workers; w++) {
        worker *const own = &b->workers[w];
        for (size_t d = 0; own->lists != NULL && d <= b->n_axes; d++) {
            if (d == 0) { /* the block's */
                own->lists[0].entries = NULL;
                own->lists[0].excess = NULL;
            }
            list_deinit(&own->lists[d]);
        }
        pv_i_free(own->lists);
        pv_i_free(own->keys);
        pv_i_free(own->slots);
        pv_i_free(own->stamps);
    }
    pv_i_free(b->workers);
    pv_i_free(b->base_of);
    pv_i_free(b->prices);
    list_deinit(&b->base);
}

static bool block_init(block *b, const pv_local_draft *classes)
{
    b->n_workers = pv_i_threads(b->settings->context);
    b->workers = PV_NEW_ZEROED(worker, b->n_workers);
    b->base_of = PV_NEW_ARRAY(uint32_t, b->space->n_tuples);
    if (b->workers == NULL || b->base_of == NULL || !find_changes(b) || !find_base(b)) {
        return false;
    }
    b->prices = PV_NEW_ARRAY(uint64_t, b->base.n);
    if (b->prices == NULL || !first_prices(b, classes)) {
        return false;
    }
    for (unsigned w = 0; w < b->n_workers; w++) {
        worker *const own = &b->workers[w];
        own->lists = PV_NEW_ZEROED(list, b->n_axes + 1);
        if (own->lists == NULL || !worker_reserve(own, b->base.n)) {
            return false;
        }
        own->lists[0].limit = pv_i_array(b->base.n, THRESHOLDS * sizeof(float));
        own->lists[0].above = PV_NEW_ARRAY(uint32_t, b->base.n);
        if (own->lists[0].limit == NULL || own->lists[0].above == NULL) {
            return false;
        }
    }
    return true;
}

static uint64_t usual_sweeps(const block *b)
{
    double work = (double)b->base.n;
    for (size_t a = 0; a < b->n_axes; a++) {
        work *= b->space->trees[b->axes[a]].n_rungs;
    }
    return b->settings->seconds > 0
               ? UINT64_MAX
               : (uint64_t)fmin(fmax(USUAL_WORK / work, LEAST_SWEEPS), MOST_SWEEPS);
}

/* Sweeps until that gains little, the sweeps are used up, or the next would take too long. What a
 * sweep that was interrupted found is worth nothing; the one before still holds. */
static pv_status bound_block(block *b, double until, pv_local_proof *bound, pv_error *error)
{
    double sum = 0;
    const uint64_t most = b->settings->max_sweeps > 0 ? b->settings->max_sweeps : usual_sweeps(b);
    for (uint64_t number = 0; number < most; number++) {
        const double began = pv_i_now();
        const pv_status status = sweep(b, number, error);
        if (status == PV_STATUS_CANCELLED) {
            bound->stop = PV_STOP_CANCELLED;
            break;
        }
        PV_TRY(status);
        const double now = pv_i_now();
        const double before = sum;
        sum = sum_prices(b);
        bound->sweeps++;
        if (sum - before <= LEAST_GAIN * sum) {
            break;
        }
        if (b->settings->seconds > 0 && 2 * now - began > until) {
            bound->stop = PV_STOP_TIME;
            break;
        }
    }
    bound->loss += sum * (1 - 1e-9);
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ blocks */

/* Attributes with many values first: generalizing them shortens the lists most. */
static void order_axes(const pv_local_space *space, size_t *axes, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const size_t q = axes[i];
        size_t j = i;
        for (; j > 0 && space->trees[axes[j - 1]].n_leaves < space->trees[q].n_leaves; j--) {
            axes[j] = axes[j - 1];
        }
        axes[j] = q;
    }
}

/* The next attributes whose lattice is not too large, at least one. */
static size_t next_block(const pv_local_space *space, const size_t *axes, size_t n)
{
    const double all = pv_i_local_lattice(space);
    const double tuples = (double)space->n_tuples;
    const bool one = all <= PV_LOCAL_MOST_NODES && all * tuples <= MOST_WORK;
    double nodes = 1;
    size_t taken = 0;
    while (taken < n && (one || taken == 0 ||
                         nodes * space->trees[axes[taken]].n_rungs * tuples <= BLOCK_WORK)) {
        nodes *= space->trees[axes[taken++]].n_rungs;
    }
    return taken;
}

/* Attributes by what is lost in them, most first: these are looked at together. */
static bool sort_by_loss(const pv_local_draft *classes, size_t *axes)
{
    const pv_local_space *const space = classes->space;
    double *const lost = PV_NEW_ZEROED(double, space->n_quasi);
    for (size_t q = 0; lost != NULL && q < space->n_quasi; q++) {
        for (size_t c = PV_LOCAL_LOST + 1; c < classes->n; c++) {
            if (classes->list[c].size > 0) {
                lost[q] += (double)classes->list[c].size *
                           space->trees[q].cost[pv_i_local_nodes(classes, c)[q]];
            }
        }
        size_t i = q;
        for (; i > 0 && lost[axes[i - 1]] < lost[q]; i--) {
            axes[i] = axes[i - 1];
        }
        axes[i] = q;
    }
    pv_i_free(lost);
    return lost != NULL;
}

static pv_status bound_all(const pv_local_draft *classes, size_t *axes,
                           const pv_local_proof_settings *settings, pv_local_proof *bound,
                           pv_error *error)
{
    const pv_local_space *const space = classes->space;
    const double began = pv_i_now();
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0;
         status == PV_STATUS_OK && bound->stop != PV_STOP_CANCELLED && i < space->n_quasi;) {
        const size_t n = next_block(space, axes + i, space->n_quasi - i);
        block b = {.space = space, .settings = settings, .axes = axes + i, .n_axes = n};
        const double share = (double)(i + n) / (double)space->n_quasi;
        order_axes(space, axes + i, n);
        status = block_init(&b, classes)
                     ? bound_block(&b, began + settings->seconds * share, bound, error)
                     : pv_i_no_memory(error);
        for (size_t t = 0; bound->prices != NULL && b.prices != NULL && t < space->n_tuples; t++) {
            bound->prices[t] = (double)b.prices[b.base_of[t]] * b.scale;
        }
        block_deinit(&b);
        bound->blocks++;
        i += n;
    }
    bound->seconds = pv_i_now() - began;
    return status;
}

pv_status pv_i_local_bound(const pv_local_draft *classes, const pv_local_proof_settings *settings,
                           pv_local_proof *bound, pv_error *error)
{
    const pv_local_space *const space = classes->space;
    double *const prices = bound->prices;
    size_t *const axes = PV_NEW_ARRAY(size_t, space->n_quasi);
    *bound = (pv_local_proof){.prices = prices};
    pv_status status = axes != NULL && sort_by_loss(classes, axes)
                           ? bound_all(classes, axes, settings, bound, error)
                           : pv_i_no_memory(error);
    pv_i_free(axes);
    return status;
}
