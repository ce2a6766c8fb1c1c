/* One sweep of the bound: every group of at least k rows, in every node of the lattice, is checked,
 * and where its k highest prices sum to more than k times its cost, they are lowered.
 *
 *     ratio(g) = (k highest prices) / (k * cost(g))          level(g) = the k-th highest price
 *     new price of a row = least over groups with ratio > 1 of max(price, level(g)) / ratio(g),
 *                          or its price
 *
 * **Why all conditions hold then.** In a group nobody's new price is above max(price, level) /
 * ratio. Raising those below the k-th highest price to that very price does not change the sum of
 * the k highest. So the k highest new prices sum to at most k * cost.
 *
 * **Most groups are never looked at.** Groups are divided attribute by attribute. All groups under
 * a *prefix*, some attributes generalized and the others open, are part of the prefix's own rows
 * and cost at least what its attributes cost:
 *
 *     (zip 1234*, age 20-39, ...)    90 rows, k highest prices 0.9, k * cost of the two 0.7
 *       zip 1234*, age 20-39, sex F  40 rows, ...
 *
 * - Fewer than k rows: nothing under it has k rows.
 * - Its k highest prices sum to no more than k times what it costs already: the same is true of
 *   everything under it.
 * - A row whose price and the k - 1 highest ones sum to no more than that: no k rows with this one
 *   among them break any condition under the prefix. It is left out there. As it is not among the
 *   k highest, what is left is still enough to see whether the others break one.
 * - The same rows as one rung lower: every group under it is one that costs no less.
 *
 * Fine prefixes have few rows, coarse ones cost much: little is left between.
 *
 * **Lists.** Tuples are numbered by price, the highest first, and lists of numbers keep that order
 * when they are divided. The k highest prices of a list are those of its first rows, and who is
 * left out are its last.
 *
 * Sums are of at most k prices and are rounded by less than SAFETY takes away. */
#include "records/local_sweep.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#define SAFETY (1 - 1e-9)
#define LOOK_UP (UINT64_C(1) << 18) /* after so many tuples a thread looks whether to go on */

/* The rows of one node among those of a prefix. */
typedef struct {
    double sum, level; /* of the k highest prices, and the lowest of these */
    uint64_t rows;     /* k at most */
    uint32_t n, first; /* tuples, and one of them */
    uint32_t place;    /* where the list of those who matter ends; NOWHERE = nobody matters */
    double least;      /* prices up to here do not matter */
} pile;

#define NOWHERE UINT32_MAX

/* What is known of a prefix. */
typedef struct {
    const uint32_t *list;
    size_t n;
    double sum, level, cost;
} prefix;

typedef struct {
    uint32_t **lists; /* per axis: of the piles of one rung, one after the other */
    pile **piles[2];  /* per axis and node: of this rung and of the one below */
    uint32_t **nodes[2];
    double *caps; /* per tuple: the new price */
    uint64_t work, look_up;
    const pv_thread *thread;
    size_t task;
    bool stopped;
} worker;

struct pv_local_sweeper {
    const pv_local_base *base;
    const pv_context *context;
    uint32_t *order; /* tuples, those of the highest price first */
    double *prices;  /* in this order, as all of the following */
    uint64_t *rows;
    uint32_t **starts;  /* per axis */
    double **rung_cost; /* per axis: of the cheapest node of each rung and those above */
    pv_local_stretches stretches;
    worker *workers;
    unsigned n_workers;
    double until;
    atomic_bool late;
};

static const pv_local_tree *tree_of(const pv_local_sweeper *s, size_t axis)
{
    return &s->base->space->trees[s->base->axes[axis]];
}

/* What k rows may be priced at that are released for a cost. */
static double allowed(const pv_local_sweeper *s, double cost)
{
    return (double)s->base->space->k * cost * SAFETY;
}

/* ------------------------------------------------------------------- groups */

/* A group that breaks its condition. */
static void limit_group(const pv_local_sweeper *s, worker *w, const prefix *p)
{
    const double factor = allowed(s, p->cost) / p->sum * SAFETY;
    for (size_t i = 0; i < p->n; i++) {
        const uint32_t t = p->list[i];
        const double cap = fmax(s->prices[t], p->level) * factor;
        if (s->prices[t] <= p->level * factor) {
            break;
        }
        w->caps[t] = cap < w->caps[t] ? cap : w->caps[t];
    }
}

/* Adds a tuple that comes after those before it in the order of prices. */
static inline void add_tuple(const pv_local_sweeper *s, pile *p, uint32_t t)
{
    const uint64_t k = s->base->space->k;
    if (p->rows < k) {
        const uint64_t rows = s->rows[t] < k - p->rows ? s->rows[t] : k - p->rows;
        p->sum += (double)rows * s->prices[t];
        p->rows += rows;
        p->level = s->prices[t];
    }
    p->n++;
}

/* Piles up a list by the nodes of a rung. The number of nodes. */
static size_t pile_up(const pv_local_sweeper *s, const prefix *p, size_t axis, size_t rung,
                      pile *piles, uint32_t *nodes)
{
    const pv_local_tree *const tree = tree_of(s, axis);
    const uint32_t *const node_of = tree->rungs + rung * tree->n_starts;
    const uint32_t *const starts = s->starts[axis];
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        const uint32_t t = p->list[i];
        const uint32_t node = node_of[starts[t]];
        if (piles[node].n == 0) {
            piles[node] = (pile){.first = t};
            nodes[n++] = node;
        }
        add_tuple(s, &piles[node], t);
    }
    return n;
}

/* Says of every pile whether it matters, and where its list begins. How many tuples matter, at
 * most. */
static size_t place_piles(const pv_local_sweeper *s, const prefix *p, size_t axis, size_t rung,
                          pile *piles, const pile *below, const uint32_t *nodes, size_t n)
{
    const pv_local_tree *const tree = tree_of(s, axis);
    size_t place = 0;
    for (size_t i = 0; i < n; i++) {
        pile *const own = &piles[nodes[i]];
        const double most = allowed(s, p->cost + tree->cost[nodes[i]]);
        bool matters = own->rows >= s->base->space->k && own->sum > most;
        if (matters && rung > 0) {
            const uint32_t lower =
                tree->rungs[(rung - 1) * tree->n_starts + s->starts[axis][own->first]];
            matters = below[lower].n != own->n || tree->cost[lower] > tree->cost[nodes[i]];
        }
        own->place = matters ? (uint32_t)place : NOWHERE;
        own->least = most * SAFETY - (own->sum - own->level);
        place += matters ? own->n : 0;
    }
    return place;
}

static void fill_lists(const pv_local_sweeper *s, const prefix *p, size_t axis, size_t rung,
                       pile *piles, uint32_t *lists)
{
    const pv_local_tree *const tree = tree_of(s, axis);
    const uint32_t *const node_of = tree->rungs + rung * tree->n_starts;
    const uint32_t *const starts = s->starts[axis];
    for (size_t i = 0; i < p->n; i++) {
        const uint32_t t = p->list[i];
        pile *const own = &piles[node_of[starts[t]]];
        if (own->place != NOWHERE && s->prices[t] > own->least) {
            lists[own->place++] = t;
        }
    }
}

static bool goes_on(pv_local_sweeper *s, worker *w, size_t n)
{
    w->work += n;
    if (w->work >= w->look_up && !w->stopped) {
        w->look_up = w->work + LOOK_UP;
        if (s->until > 0 && pv_i_now() > s->until) {
            atomic_store(&s->late, true);
        }
        w->stopped = !pv_i_goes_on(w->thread, w->task) ||
                     atomic_load_explicit(&s->late, memory_order_relaxed);
    }
    return !w->stopped;
}

static void walk(pv_local_sweeper *s, worker *w, size_t axis, const prefix *p);

/* The piles of one rung of an attribute, and all that is under them. How many nodes it has here. */
static size_t walk_rung(pv_local_sweeper *s, worker *w, size_t axis, const prefix *p, size_t rung)
{
    const pv_local_tree *const tree = tree_of(s, axis);
    pile *const piles = w->piles[rung % 2][axis];
    uint32_t *const nodes = w->nodes[rung % 2][axis];
    const size_t n = pile_up(s, p, axis, rung, piles, nodes);
    const size_t most =
        place_piles(s, p, axis, rung, piles, w->piles[(rung + 1) % 2][axis], nodes, n);
    uint32_t *const lists = w->lists[axis];
    if (most > 0) {
        fill_lists(s, p, axis, rung, piles, lists);
    }
    size_t begin = 0;
    for (size_t i = 0; most > 0 && i < n && !w->stopped; i++) {
        const pile *const own = &piles[nodes[i]];
        if (own->place == NOWHERE) {
            continue;
        }
        const prefix next = {.list = lists + begin,
                             .n = own->place - begin,
                             .sum = own->sum,
                             .level = own->level,
                             .cost = p->cost + tree->cost[nodes[i]]};
        begin += own->n;
        walk(s, w, axis + 1, &next);
    }
    return n;
}

/* The last rung: one node, the root, with the prefix's own rows. */
static void walk_root(pv_local_sweeper *s, worker *w, size_t axis, const prefix *p)
{
    const pv_local_tree *const tree = tree_of(s, axis);
    prefix next = *p;
    next.cost = p->cost + tree->cost[tree->n - 1];
    const double most = allowed(s, next.cost);
    const double least = most * SAFETY - (p->sum - p->level);
    if (p->sum > most) {
        while (s->prices[next.list[next.n - 1]] <= least) {
            next.n--;
        }
        walk(s, w, axis + 1, &next);
    }
}

static void forget_piles(pile *piles, const uint32_t *nodes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        piles[nodes[i]].n = 0;
    }
}

/* All groups under a prefix; the first `axis` attributes are those that are generalized. Its k
 * highest prices are too high for what it costs so far. Once all of it is one node, higher rungs
 * have nothing new. */
static void walk(pv_local_sweeper *s, worker *w, size_t axis, const prefix *p)
{
    if (axis == s->base->n_axes) {
        limit_group(s, w, p);
        return;
    }
    const size_t last = tree_of(s, axis)->n_rungs - 1;
    size_t n[2] = {0, 0}; /* nodes of this rung and of the one below */
    for (size_t rung = 0; rung <= last; rung++) {
        if (p->sum <= allowed(s, p->cost + s->rung_cost[axis][rung]) || !goes_on(s, w, p->n)) {
            break;
        }
        if (rung == last) {
            walk_root(s, w, axis, p);
            break;
        }
        forget_piles(w->piles[rung % 2][axis], w->nodes[rung % 2][axis], n[rung % 2]);
        n[rung % 2] = walk_rung(s, w, axis, p, rung);
        if (n[rung % 2] == 1) {
            break;
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        forget_piles(w->piles[i][axis], w->nodes[i][axis], n[i]);
    }
}

/* -------------------------------------------------------------------- sweep */

/* A task is a stretch of the first attribute. */
static pv_status sweep_part(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    (void)error;
    pv_local_sweeper *const s = ctx;
    worker *const w = &s->workers[thread->number];
    const pv_local_stretch *const part = &s->stretches.list[task];
    const pv_local_tree *const tree = tree_of(s, 0);
    const uint32_t start = s->starts[0][part->entries[0]];
    const uint32_t node = tree->rungs[part->rung * tree->n_starts + start];
    pile all = {.first = part->entries[0]};
    w->thread = thread;
    w->task = task;
    w->stopped = false;
    w->look_up = w->work;
    if (!goes_on(s, w, 0)) {
        return PV_STATUS_OK;
    }
    for (size_t i = 0; i < part->n && all.rows < s->base->space->k; i++) {
        add_tuple(s, &all, part->entries[i]);
    }
    const prefix p = {.list = part->entries,
                      .n = part->n,
                      .sum = all.sum,
                      .level = all.level,
                      .cost = tree->cost[node]};
    if (all.rows >= s->base->space->k && p.sum > allowed(s, p.cost)) {
        walk(s, w, 1, &p);
    }
    return PV_STATUS_OK;
}

static int compare_prices(const void *left, const void *right, void *ctx)
{
    const double *const prices = ctx;
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    const int order = (prices[a] < prices[b]) - (prices[a] > prices[b]);
    return order != 0 ? order : (a > b) - (a < b);
}

/* Numbers the tuples by price. */
static bool sort_base(pv_local_sweeper *s, double *prices)
{
    const pv_local_base *const base = s->base;
    for (size_t i = 0; i < base->n; i++) {
        s->order[i] = (uint32_t)i;
    }
    qsort_r(s->order, base->n, sizeof *s->order, compare_prices, prices);
    for (size_t i = 0; i < base->n; i++) {
        s->prices[i] = prices[s->order[i]];
        s->rows[i] = base->rows[s->order[i]];
        for (size_t a = 0; a < base->n_axes; a++) {
            s->starts[a][i] = base->starts[a][s->order[i]];
        }
    }
    for (unsigned w = 0; w < s->n_workers; w++) {
        for (size_t i = 0; i < base->n; i++) {
            s->workers[w].caps[i] = s->prices[i];
        }
    }
    return pv_i_local_stretches_fill(&s->stretches, tree_of(s, 0), s->starts[0], base->n);
}

pv_status pv_i_local_sweep(pv_local_sweeper *s, double *prices, double until, uint64_t *work,
                           pv_local_sweep_end *end, pv_error *error)
{
    if (!sort_base(s, prices)) {
        return pv_i_no_memory(error);
    }
    s->until = until;
    atomic_store(&s->late, false);
    for (unsigned w = 0; w < s->n_workers; w++) {
        s->workers[w].work = 0;
    }
    pv_ticker ticker = pv_i_ticker(s->context, "bounding", s->stretches.n);
    const pv_status status =
        pv_i_tasks_run(s->n_workers, s->stretches.n, sweep_part, s, &ticker, error);
    *end = status == PV_STATUS_CANCELLED ? PV_SWEEP_CANCELLED
           : atomic_load(&s->late)       ? PV_SWEEP_LATE
                                         : PV_SWEEP_DONE;
    if (*end != PV_SWEEP_DONE || status != PV_STATUS_OK) {
        return status == PV_STATUS_CANCELLED ? PV_STATUS_OK : status;
    }
    for (unsigned w = 0; w < s->n_workers; w++) {
        *work += s->workers[w].work;
        for (size_t i = 0; i < s->base->n; i++) {
            double *const own = &prices[s->order[i]];
            *own = fmin(*own, s->workers[w].caps[i]);
        }
    }
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------- lifetime */

static bool worker_init(const pv_local_sweeper *s, worker *w)
{
    const size_t n = s->base->n_axes;
    w->lists = PV_NEW_ZEROED(uint32_t *, n);
    w->caps = PV_NEW_ARRAY(double, s->base->n);
    bool ready = w->lists != NULL && w->caps != NULL;
    for (unsigned i = 0; i < 2; i++) {
        w->piles[i] = PV_NEW_ZEROED(pile *, n);
        w->nodes[i] = PV_NEW_ZEROED(uint32_t *, n);
        ready = ready && w->piles[i] != NULL && w->nodes[i] != NULL;
    }
    for (size_t a = 1; ready && a < n; a++) {
        w->lists[a] = PV_NEW_ARRAY(uint32_t, s->base->n);
        ready = w->lists[a] != NULL;
        for (unsigned i = 0; ready && i < 2; i++) {
            w->piles[i][a] = PV_NEW_ZEROED(pile, tree_of(s, a)->n);
            w->nodes[i][a] = PV_NEW_ARRAY(uint32_t, tree_of(s, a)->n);
            ready = w->piles[i][a] != NULL && w->nodes[i][a] != NULL;
        }
    }
    return ready;
}

static void worker_deinit(const pv_local_sweeper *s, worker *w)
{
    for (size_t a = 0; a < s->base->n_axes; a++) {
        pv_i_free(w->lists != NULL ? w->lists[a] : NULL);
        for (unsigned i = 0; i < 2; i++) {
            pv_i_free(w->piles[i] != NULL ? w->piles[i][a] : NULL);
            pv_i_free(w->nodes[i] != NULL ? w->nodes[i][a] : NULL);
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        pv_i_free(w->piles[i]);
        pv_i_free(w->nodes[i]);
    }
    pv_i_free(w->lists);
    pv_i_free(w->caps);
}

static bool find_rung_costs(const pv_local_sweeper *s, size_t axis)
{
    const pv_local_tree *const tree = tree_of(s, axis);
    double *const costs = s->rung_cost[axis] = PV_NEW_ARRAY(double, tree->n_rungs);
    for (size_t rung = tree->n_rungs; costs != NULL && rung-- > 0;) {
        costs[rung] = rung + 1 < tree->n_rungs ? costs[rung + 1] : (double)INFINITY;
        for (uint32_t start = 0; start < tree->n_starts; start++) {
            costs[rung] = fmin(costs[rung], tree->cost[tree->rungs[rung * tree->n_starts + start]]);
        }
    }
    return costs != NULL;
}

pv_local_sweeper *pv_i_local_sweeper_create(const pv_local_base *base, const pv_context *context)
{
    pv_local_sweeper *const s = PV_NEW(pv_local_sweeper);
    if (s == NULL) {
        return NULL;
    }
    s->base = base;
    s->context = context;
    s->n_workers = pv_i_threads(context);
    s->order = PV_NEW_ARRAY(uint32_t, base->n);
    s->prices = PV_NEW_ARRAY(double, base->n);
    s->rows = PV_NEW_ARRAY(uint64_t, base->n);
    s->starts = PV_NEW_ZEROED(uint32_t *, base->n_axes);
    s->rung_cost = PV_NEW_ZEROED(double *, base->n_axes);
    s->workers = PV_NEW_ZEROED(worker, s->n_workers);
    bool ready = s->order != NULL && s->prices != NULL && s->rows != NULL && s->starts != NULL &&
                 s->rung_cost != NULL && s->workers != NULL;
    for (size_t a = 0; ready && a < base->n_axes; a++) {
        s->starts[a] = PV_NEW_ARRAY(uint32_t, base->n);
        ready = s->starts[a] != NULL && find_rung_costs(s, a);
    }
    for (unsigned w = 0; ready && w < s->n_workers; w++) {
        ready = worker_init(s, &s->workers[w]);
    }
    if (!ready) {
        pv_i_local_sweeper_free(s);
        return NULL;
    }
    return s;
}

void pv_i_local_sweeper_free(pv_local_sweeper *s)
{
    if (s == NULL) {
        return;
    }
    for (unsigned w = 0; s->workers != NULL && w < s->n_workers; w++) {
        worker_deinit(s, &s->workers[w]);
    }
    for (size_t a = 0; a < s->base->n_axes; a++) {
        pv_i_free(s->starts != NULL ? s->starts[a] : NULL);
        pv_i_free(s->rung_cost != NULL ? s->rung_cost[a] : NULL);
    }
    pv_i_local_stretches_deinit(&s->stretches);
    pv_i_free(s->order);
    pv_i_free(s->prices);
    pv_i_free(s->rows);
    pv_i_free(s->starts);
    pv_i_free(s->rung_cost);
    pv_i_free(s->workers);
    pv_i_free(s);
}
