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
 * **Nodes that matter.** In most nodes no group is near its limit: every row is held back by other
 * ones. The first sweep goes over an eighth of the table and remembers how near each node came; the
 * next ones only over the fifth of the nodes that came nearest; the last over the whole lattice. As
 * any full sweep it makes all conditions hold, whatever the prices were, and it has little to mend:
 * the bound is that of as many full sweeps within 1%, in less than half of their time.
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
 * The list of a rung is made of that of the rung below, and hands its limits back to it.
 *
 * Prices, thresholds and excesses are whole numbers, the latter as floats: up to 2^24, which is k
 * rows that lose everything, sums are exact, in any order, and no group may have more. Limits are
 * rounded down. Entries are found by a key of 64 random bits; if ever two have the same, rows and
 * excesses are added up, and the lower cost counts: a stricter condition.
 *
 * **Many attributes.** What a row loses is a sum over attributes, so bounds of disjoint sets of
 * attributes add up. Where the lattice of all is too large, attributes are put into blocks whose
 * lattices are not. */
#include "records/local.h"
#include "records/local_table.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define THRESHOLDS 16
#define PRICE_BITS 24           /* k rows that lose everything have prices of 2^24 */
#define MOST_EXCESS 16777216.0f /* up to here floats are exact whole numbers */
#define NO_LIMIT 1e30f
#define SAFETY (1 - 1e-6) /* of a limit: more than rounding it can take away */
/* Nodes of the lattice times tuples: more is not looked at together, and then blocks are no larger.
 */
#define MOST_WORK 4e9
#define BLOCK_WORK 2e8
/* Between two sweeps over the whole lattice, so many over the share of its nodes that matter most;
 * if there are few nodes, none. */
#define PARTIAL_SWEEPS 3
#define SAMPLE_STEP 8 /* of so many nodes of the first attribute's tree one is in the sample */
#define DUE_SHARE 0.2
#define FEW_NODES 8
#define FIRST_SCALE 0.8  /* of the prices to begin with: a sweep finds the right one by itself */
#define QUANTILE 0.99    /* of the prices: where they are cut */
#define LEAST_GAIN 0.004 /* a round that gains less is the last */

typedef struct {
    uint64_t key;
    double cost;
    uint64_t rows;
    uint32_t tuple; /* of the base: one of those it stands for */
} entry;

typedef struct list {
    entry *entries;
    float *excess;   /* THRESHOLDS each */
    float *limit;    /* the same */
    uint32_t *above; /* the entry of the next list that it is part of; UINT32_MAX = dropped */
    size_t n, capacity;
    struct list *from; /* what it was made of; NULL = it is not in use */
} list;

/* What generalizing one leaf changes. */
typedef struct {
    uint64_t key;
    double cost;
} change;

/* What one thread needs. */
typedef struct {
    list *lists; /* that of all tuples, and one per attribute and rung */
    pv_local_table table;
    float *nearest; /* per node of the lattice: see the block */
} worker;

/* What a sweep looks at: all nodes of the lattice; all of them, but only for some nodes of the
 * first attribute's tree; only those that are due. */
typedef enum { FULL, SAMPLE, DUE } reach;

/* A block of attributes. */
typedef struct {
    const pv_local_space *space;
    const pv_local_proof_settings *settings;
    size_t *axes;
    size_t n_axes;
    change **changes;  /* per quasi-identifier of the block: rungs * leaves */
    uint32_t **leaves; /* the same: of every tuple of the base, one after the other */
    list base;
    pv_local_stretches stretches; /* of the base, by the first attribute */
    uint32_t *base_of;            /* per tuple */
    uint64_t *prices;             /* per entry of the base */
    uint64_t thresholds[THRESHOLDS];
    float k_thresholds[THRESHOLDS]; /* k times each */
    float k_widths[THRESHOLDS];     /* k times what it is to the next */
    uint64_t most; /* no price is above it: nodes that cost as much need not be looked at */
    double scale;  /* a price of 1 */
    bool holds;    /* do all conditions hold? */
    size_t n_nodes;
    size_t *first_list, n_lists; /* per axis: where the lists of its rungs begin */
    size_t *below;               /* per axis: nodes of the lattice below one rung of it */
    float *nearest; /* per node: the least that prices of a group could be multiplied by */
    uint32_t *due;  /* per node: how many before it are looked at in a sweep that is not full */
    reach reach;    /* of this sweep */
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

/* Adds up, and takes the lower limits: 16 numbers at a time, as vectors. */
static inline void add_excess(float *restrict sum, const float *restrict own)
{
    for (size_t j = 0; j < THRESHOLDS; j++) {
        sum[j] += own[j];
    }
}

static inline void take_lower(float *restrict own, const float *restrict other)
{
    for (size_t j = 0; j < THRESHOLDS; j++) {
        own[j] = other[j] < own[j] ? other[j] : own[j];
    }
}

/* A list with one attribute generalized from a rung to a higher one. What costs too much to matter
 * is dropped. `part` may be NULL: all of the list. */
static bool generalize(const block *b, worker *w, list *from, const pv_local_stretch *part,
                       list *to, size_t q, size_t rung, size_t higher)
{
    const size_t n = part != NULL ? part->n : from->n;
    const size_t n_leaves = b->space->trees[q].n_leaves;
    const change *const now = b->changes[q] + rung * n_leaves;
    const change *const then = b->changes[q] + higher * n_leaves;
    const uint32_t *const leaves = b->leaves[q];
    const double too_dear = (double)b->most * b->scale;
    if (!list_reserve(to, n)) {
        return false;
    }
    pv_i_local_table_clear(&w->table, n);
    to->n = 0;
    to->from = from;
    for (size_t number = 0; number < n; number++) {
        const size_t i = part != NULL ? part->entries[number] : number;
        const entry *const own = &from->entries[i];
        const uint32_t leaf = leaves[own->tuple];
        const double cost = own->cost + (then[leaf].cost - now[leaf].cost);
        if (cost >= too_dear) {
            from->above[i] = UINT32_MAX;
            continue;
        }
        const uint64_t key = own->key + (then[leaf].key - now[leaf].key);
        const uint32_t at = pv_i_local_table_find(&w->table, key, (uint32_t)to->n);
        from->above[i] = at;
        if (at == to->n) {
            to->n++;
            to->entries[at] = (entry){key, cost, own->rows, own->tuple};
            memcpy(to->excess + (size_t)at * THRESHOLDS, from->excess + i * THRESHOLDS,
                   THRESHOLDS * sizeof *to->excess);
        } else {
            to->entries[at].rows += own->rows;
            to->entries[at].cost = cost < to->entries[at].cost ? cost : to->entries[at].cost;
            add_excess(to->excess + (size_t)at * THRESHOLDS, from->excess + i * THRESHOLDS);
        }
    }
    forget_limits(to->limit, to->n);
    return true;
}

/* The limits of a list go back to the one it was made of. */
static void hand_back(list *from, const pv_local_stretch *part, const list *to)
{
    const size_t n = part != NULL ? part->n : from->n;
    for (size_t number = 0; number < n; number++) {
        const size_t i = part != NULL ? part->entries[number] : number;
        if (from->above[i] != UINT32_MAX) {
            take_lower(from->limit + i * THRESHOLDS,
                       to->limit + (size_t)from->above[i] * THRESHOLDS);
        }
    }
}

/* ------------------------------------------------------------------ groups */

/* What the prices of a group may be multiplied by, and from which threshold on: those below are
 * lifted to it. */
static float limit_group(const block *b, const entry *own, const float *excess, bool holds,
                         float *limit)
{
    size_t level = 0;
    float sum = MOST_EXCESS;
    if (own->rows < b->space->k || excess[0] <= 0) {
        return NO_LIMIT;
    }
    for (size_t j = 0; j < THRESHOLDS; j++) {
        const float bound = b->k_thresholds[j] + excess[j];
        sum = bound < sum ? bound : sum;
    }
    for (size_t j = THRESHOLDS - 2; j > 0 && excess[j] < MOST_EXCESS; j--) {
        if (excess[j] - excess[j + 1] >= b->k_widths[j]) {
            level = j;
            break;
        }
    }
    const double most = (double)b->space->k * own->cost / b->scale; /* as prices */
    double factor = most > 0 ? most / (double)sum * SAFETY : 0;
    if (holds && factor < 1) {
        factor = 1;
    }
    const float own_limit = factor < (double)NO_LIMIT ? (float)factor : NO_LIMIT;
    limit[level] = own_limit < limit[level] ? own_limit : limit[level];
    return own_limit;
}

/* Limits the groups of a node, and remembers how near it came to any. */
static void limit_groups(const block *b, const worker *w, size_t node, const list *l)
{
    float least = w->nearest[node];
    const bool holds = b->holds && b->due[node + 1] > b->due[node];
    for (size_t i = 0; i < l->n; i++) {
        const float factor = limit_group(b, &l->entries[i], l->excess + i * THRESHOLDS, holds,
                                         l->limit + i * THRESHOLDS);
        least = factor < least ? factor : least;
    }
    w->nearest[node] = least;
}

/* Is any node of a stretch looked at in this sweep? */
static bool is_due(const block *b, size_t node, size_t n)
{
    return b->reach != DUE || b->due[node + n] > b->due[node];
}

/* All nodes of the lattice whose first `depth` attributes are generalized as the list is. Left raw,
 * an attribute needs no list of its own. */
static bool descend(const block *b, worker *w, size_t depth, size_t node, list *l)
{
    if (depth == b->n_axes) {
        limit_groups(b, w, node, l);
        return true;
    }
    const size_t q = b->axes[depth];
    const size_t n_rungs = b->space->trees[q].n_rungs;
    list *const lists = w->lists + b->first_list[depth];
    list *below = l; /* of the last rung looked at: the next is made of it, not of all anew */
    size_t last = 0;
    for (size_t rung = 0; rung < n_rungs; rung++) {
        const size_t first = node + rung * b->below[depth];
        lists[rung].from = NULL;
        if (!is_due(b, first, b->below[depth])) {
            continue;
        }
        if (rung > 0) {
            if (!generalize(b, w, below, NULL, &lists[rung], q, last, rung)) {
                return false;
            }
            below = &lists[rung];
            last = rung;
        }
        if (!descend(b, w, depth + 1, first, below)) {
            return false;
        }
    }
    for (size_t rung = n_rungs; rung-- > 1;) {
        if (lists[rung].from != NULL) {
            hand_back(lists[rung].from, NULL, &lists[rung]);
        }
    }
    return true;
}

/* ------------------------------------------------------------------- sweep */

/* A task is a stretch of the first attribute. Largest first would be better for many threads, but
 * the last ones, of high rungs, are short already. */
static pv_status sweep_part(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    block *const b = ctx;
    worker *const w = &b->workers[thread->number];
    const pv_local_stretch *const part = &b->stretches.list[task];
    const size_t node = part->rung * b->below[0];
    list *const base = &w->lists[0];
    list *const from = &w->lists[b->first_list[0]];
    const bool is_sampled =
        b->reach != SAMPLE || task == 0 || part[-1].rung < part->rung || task % SAMPLE_STEP == 0;
    if (!pv_i_goes_on(thread, task) || !is_sampled || !is_due(b, node, b->below[0])) {
        return PV_STATUS_OK;
    }
    if (!generalize(b, w, base, part, from, b->axes[0], 0, part->rung) ||
        !descend(b, w, 1, node, from)) {
        return pv_i_no_memory(error);
    }
    hand_back(base, part, from);
    return PV_STATUS_OK;
}

static int compare_prices(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Whole numbers below 2^24 are exact as floats, and so are their sums. Above, they are only known
 * to be that large: more than any group may have. */
static float as_excess(uint64_t price, uint64_t rows)
{
    const bool fits = price == 0 || rows < (uint64_t)MOST_EXCESS / price;
    return fits ? (float)(rows * price) : MOST_EXCESS;
}

static int compare_factors(const void *left, const void *right)
{
    const float a = *(const float *)left;
    const float b = *(const float *)right;
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
    for (size_t j = 0; j < THRESHOLDS; j++) {
        const uint64_t next = b->thresholds[j + 1 < THRESHOLDS ? j + 1 : j];
        b->k_thresholds[j] = as_excess(b->thresholds[j], b->space->k);
        b->k_widths[j] = as_excess(next - b->thresholds[j], b->space->k);
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
            b->base.excess[i * THRESHOLDS + j] = as_excess(over, b->base.entries[i].rows);
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

/* Over all nodes of the lattice, or those that are due. Afterwards the conditions of these hold. */
static pv_status sweep(block *b, uint64_t number, reach over, pv_error *error)
{
    pv_ticker ticker = pv_i_ticker(b->settings->context, "bounding", b->stretches.n);
    if (!choose_thresholds(b, number)) {
        return pv_i_no_memory(error);
    }
    fill_excess(b);
    b->reach = over;
    for (unsigned w = 0; w < b->n_workers; w++) {
        list *const base = &b->workers[w].lists[0];
        base->entries = b->base.entries; /* shared, as they are not changed */
        base->excess = b->base.excess;
        base->n = b->base.n;
        forget_limits(base->limit, base->n);
        for (size_t node = 0; node < b->n_nodes; node++) {
            b->workers[w].nearest[node] = NO_LIMIT;
        }
    }
    PV_TRY(pv_i_tasks_run(b->n_workers, b->stretches.n, sweep_part, b, &ticker, error));
    for (unsigned w = 0; w < b->n_workers; w++) {
        for (size_t node = 0; node < b->n_nodes; node++) {
            const float own = b->workers[w].nearest[node];
            b->nearest[node] = w == 0 || own < b->nearest[node] ? own : b->nearest[node];
        }
    }
    take_limits(b);
    b->holds = over != SAMPLE;
    for (size_t node = 0; over == FULL && node < b->n_nodes; node++) {
        b->due[node + 1] = (uint32_t)node + 1;
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- block */

/* The distinct tuples of the block's attributes, numbered in order of first appearance. */
static bool find_base(block *b)
{
    const pv_local_space *const space = b->space;
    worker *const w = &b->workers[0];
    if (!list_reserve(&b->base, space->n_tuples) ||
        !pv_i_local_table_reserve(&w->table, space->n_tuples)) {
        return false;
    }
    pv_i_local_table_clear(&w->table, space->n_tuples);
    for (size_t t = 0; t < space->n_tuples; t++) {
        uint64_t key = 0;
        double cost = 0;
        for (size_t a = 0; a < b->n_axes; a++) {
            const pv_local_tree *const tree = &space->trees[b->axes[a]];
            const uint32_t node = space->raw[t * space->n_quasi + b->axes[a]];
            key += tree->mark[node];
            cost += tree->cost[node];
        }
        const uint32_t at = pv_i_local_table_find(&w->table, key, (uint32_t)b->base.n);
        if (at == b->base.n) {
            b->base.n++;
            b->base.entries[at] = (entry){.key = key, .cost = cost, .tuple = at};
            for (size_t a = 0; a < b->n_axes; a++) {
                const size_t q = b->axes[a];
                b->leaves[q][at] = space->leaves[t * space->n_quasi + q];
            }
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
    b->leaves = PV_NEW_ZEROED(uint32_t *, b->space->n_quasi);
    for (size_t a = 0; b->changes != NULL && b->leaves != NULL && a < b->n_axes; a++) {
        const pv_local_tree *const tree = &b->space->trees[b->axes[a]];
        change *const own = b->changes[b->axes[a]] =
            PV_NEW_ARRAY(change, (size_t)tree->n_rungs * tree->n_leaves);
        for (size_t i = 0; own != NULL && i < (size_t)tree->n_rungs * tree->n_leaves; i++) {
            const uint32_t raw = tree->rungs[i % tree->n_leaves];
            const uint32_t node = tree->rungs[i];
            own[i].key = tree->mark[node] - tree->mark[raw];
            own[i].cost = tree->cost[node] - tree->cost[raw];
        }
        b->leaves[b->axes[a]] = PV_NEW_ARRAY(uint32_t, b->space->n_tuples);
        if (own == NULL || b->leaves[b->axes[a]] == NULL) {
            return false;
        }
    }
    return b->changes != NULL && b->leaves != NULL;
}

static void block_deinit(block *b)
{
    for (size_t q = 0; q < b->space->n_quasi; q++) {
        pv_i_free(b->changes != NULL ? b->changes[q] : NULL);
        pv_i_free(b->leaves != NULL ? b->leaves[q] : NULL);
    }
    pv_i_free(b->changes);
    pv_i_free(b->leaves);
    for (unsigned w = 0; b->workers != NULL && w < b->n_workers; w++) {
        worker *const own = &b->workers[w];
        for (size_t d = 0; own->lists != NULL && d < b->n_lists; d++) {
            if (d == 0) { /* the block's */
                own->lists[0].entries = NULL;
                own->lists[0].excess = NULL;
            }
            list_deinit(&own->lists[d]);
        }
        pv_i_free(own->lists);
        pv_i_local_table_deinit(&own->table);
        pv_i_free(own->nearest);
    }
    pv_i_free(b->workers);
    pv_i_free(b->below);
    pv_i_free(b->first_list);
    pv_i_free(b->nearest);
    pv_i_local_stretches_deinit(&b->stretches);
    pv_i_free(b->due);
    pv_i_free(b->base_of);
    pv_i_free(b->prices);
    list_deinit(&b->base);
}

static bool number_nodes(block *b)
{
    b->below = PV_NEW_ARRAY(size_t, b->n_axes);
    b->first_list = PV_NEW_ARRAY(size_t, b->n_axes);
    b->n_nodes = b->n_lists = 1;
    for (size_t a = b->n_axes; b->below != NULL && b->first_list != NULL && a-- > 0;) {
        b->first_list[a] = b->n_lists;
        b->n_lists += b->space->trees[b->axes[a]].n_rungs;
        b->below[a] = b->n_nodes;
        b->n_nodes *= b->space->trees[b->axes[a]].n_rungs;
    }
    b->nearest = PV_NEW_ARRAY(float, b->n_nodes);
    b->due = PV_NEW_ZEROED(uint32_t, b->n_nodes + 1);
    return b->below != NULL && b->first_list != NULL && b->nearest != NULL && b->due != NULL;
}

static bool block_init(block *b, const pv_local_draft *classes)
{
    b->n_workers = pv_i_threads(b->settings->context);
    b->workers = PV_NEW_ZEROED(worker, b->n_workers);
    b->base_of = PV_NEW_ARRAY(uint32_t, b->space->n_tuples);
    if (b->workers == NULL || b->base_of == NULL || !find_changes(b) || !find_base(b) ||
        !number_nodes(b) ||
        !pv_i_local_stretches_fill(&b->stretches, &b->space->trees[b->axes[0]],
                                   b->leaves[b->axes[0]], b->base.n)) {
        return false;
    }
    b->prices = PV_NEW_ARRAY(uint64_t, b->base.n);
    if (b->prices == NULL || !first_prices(b, classes)) {
        return false;
    }
    for (unsigned w = 0; w < b->n_workers; w++) {
        worker *const own = &b->workers[w];
        own->lists = PV_NEW_ZEROED(list, b->n_lists);
        own->nearest = PV_NEW_ARRAY(float, b->n_nodes);
        if (own->lists == NULL || own->nearest == NULL ||
            !pv_i_local_table_reserve(&own->table, b->base.n)) {
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

/* The nodes of the lattice whose groups came nearest to their limits: only these are looked at
 * until the next full sweep. */
static bool choose_due(block *b)
{
    float *const sorted = PV_NEW_ARRAY(float, b->n_nodes);
    if (sorted == NULL) {
        return false;
    }
    memcpy(sorted, b->nearest, b->n_nodes * sizeof *sorted);
    qsort(sorted, b->n_nodes, sizeof *sorted, compare_factors);
    const float most = sorted[(size_t)((double)(b->n_nodes - 1) * DUE_SHARE)];
    for (size_t node = 0; node < b->n_nodes; node++) {
        const bool is_due = b->nearest[node] <= most && b->nearest[node] < NO_LIMIT;
        b->due[node + 1] = b->due[node] + is_due;
    }
    pv_i_free(sorted);
    return true;
}

/* A sweep that finds out which nodes matter, some over these, and a full one, which mends what they
 * did to all others: a round. Its prices keep all conditions. */
static pv_status sweep_round(block *b, uint64_t *number, uint64_t most, pv_error *error)
{
    const uint64_t left = most - *number;
    const bool has_time = b->n_nodes >= FEW_NODES && left > 2;
    if (has_time && !b->holds) {
        PV_TRY(sweep(b, (*number)++, SAMPLE, error));
    }
    if (has_time) {
        const uint64_t last = *number + PARTIAL_SWEEPS < most ? *number + PARTIAL_SWEEPS : most - 1;
        if (!choose_due(b)) {
            return pv_i_no_memory(error);
        }
        while (*number < last) {
            PV_TRY(sweep(b, (*number)++, DUE, error));
        }
    }
    return sweep(b, (*number)++, FULL, error);
}

/* Rounds until one gains little, the sweeps are used up, or the next would take too long. What a
 * round that was interrupted found is worth nothing; the one before still holds. */
static pv_status bound_block(block *b, double until, pv_local_proof *bound, pv_error *error)
{
    const uint64_t usual = b->settings->seconds > 0 ? UINT64_MAX : PARTIAL_SWEEPS + 2;
    const uint64_t most = b->settings->max_sweeps > 0 ? b->settings->max_sweeps : usual;
    uint64_t number = 0;
    double sum = 0;
    while (number < most) {
        const double began = pv_i_now();
        const double before = sum;
        const pv_status status = sweep_round(b, &number, most, error);
        if (status == PV_STATUS_CANCELLED) {
            bound->stop = PV_STOP_CANCELLED;
            break;
        }
        PV_TRY(status);
        const double now = pv_i_now();
        sum = fmax(sum, sum_prices(b));
        if (sum - before <= LEAST_GAIN * sum) {
            break;
        }
        if (b->settings->seconds > 0 && 2 * now - began > until) {
            bound->stop = PV_STOP_TIME;
            break;
        }
    }
    bound->sweeps += number;
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
