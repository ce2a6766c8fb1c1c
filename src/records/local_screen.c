/* Screening: which nodes of the lattice have something to release at a price.
 *
 *     live tuples -> list of the first attribute on a rung -> ... -> the groups of a node
 *
 * Lists of partly generalized tuples with their rows are rolled up attribute by attribute, depth
 * first. A prefix of rungs below which no node's turn has come, or that costs more than the price
 * by itself, is not entered. The nodes below a prefix are neighbours in the numbering, so that is a
 * look at a stretch of numbers.
 *
 * A task is a rung of the first attribute and one of the second. Tasks write only to the places of
 * their own nodes: the same comes out on any number of threads. */
#include "records/local.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    uint64_t key;
    double cost;
    uint64_t rows;
    uint32_t tuple; /* one of those it stands for */
} entry;

typedef struct {
    entry *entries;
    size_t n, capacity;
} list;

typedef struct {
    list *lists; /* one per attribute and one more */
    uint32_t *slots, *stamps;
    size_t n_slots;
    uint32_t stamp;
} worker;

struct pv_local_screen {
    const pv_local_space *space;
    const pv_context *context;
    worker *workers;
    unsigned n_workers;
    size_t n_nodes;
    size_t *below;      /* per attribute, in order: nodes below a rung of it */
    double *found;      /* per node: what its cheapest group of k rows costs, if for the price */
    uint32_t *nodes;    /* those that have one */
    double **rung_cost; /* per attribute: of the cheapest node of each rung */
    list live;
    /* Of the present run. */
    double price;
    double *next_price;
};

/* ------------------------------------------------------------------- lists */

static bool list_reserve(list *l, size_t n)
{
    l->n = 0;
    return pv_i_reserve((void **)&l->entries, &l->capacity, n, sizeof *l->entries);
}

static bool worker_reserve(worker *w, size_t n)
{
    size_t slots = 16;
    while (slots < 2 * n) {
        slots *= 2;
    }
    if (slots > w->n_slots) {
        pv_i_free(w->slots);
        pv_i_free(w->stamps);
        w->slots = PV_NEW_ARRAY(uint32_t, slots);
        w->stamps = PV_NEW_ZEROED(uint32_t, slots);
        w->stamp = 0;
        w->n_slots = w->slots != NULL && w->stamps != NULL ? slots : 0;
    }
    return w->n_slots > 0;
}

/* A list with one attribute generalized to a rung, without what costs more than the price. */
static bool generalize(const pv_local_screen *s, worker *w, const list *from, list *to, size_t q,
                       size_t rung)
{
    const pv_local_tree *const tree = &s->space->trees[q];
    const uint32_t *const nodes = tree->rungs + rung * tree->n_leaves;
    size_t mask = 16;
    if (!list_reserve(to, from->n)) {
        return false;
    }
    while (mask < 2 * from->n) {
        mask *= 2;
    }
    mask--;
    w->stamp++;
    for (size_t i = 0; i < from->n; i++) {
        const entry *const own = &from->entries[i];
        const uint32_t leaf = s->space->leaves[own->tuple * s->space->n_quasi + q];
        const double cost = own->cost + tree->cost[nodes[leaf]] - tree->cost[tree->rungs[leaf]];
        const uint64_t key = own->key + tree->mark[nodes[leaf]] - tree->mark[tree->rungs[leaf]];
        if (isinf(cost)) {
            continue;
        }
        size_t slot = (size_t)key & mask; /* marks are random already */
        while (w->stamps[slot] == w->stamp && to->entries[w->slots[slot]].key != key) {
            slot = (slot + 1) & mask;
        }
        if (w->stamps[slot] != w->stamp) {
            w->stamps[slot] = w->stamp;
            w->slots[slot] = (uint32_t)to->n;
            to->entries[to->n++] = (entry){key, cost, own->rows, own->tuple};
        } else {
            to->entries[w->slots[slot]].rows += own->rows;
        }
    }
    return true;
}

/* ------------------------------------------------------------------ search */

static bool is_due(const pv_local_screen *s, size_t first, size_t n)
{
    for (size_t node = first; node < first + n; node++) {
        if (s->next_price[node] <= s->price) {
            return true;
        }
    }
    return false;
}

/* When the groups of a node can first be released. */
static void look(pv_local_screen *s, size_t node, const list *l)
{
    double least = (double)INFINITY;
    if (s->next_price[node] > s->price) {
        return;
    }
    for (size_t i = 0; i < l->n; i++) {
        if (l->entries[i].rows >= s->space->k && l->entries[i].cost < least) {
            least = l->entries[i].cost;
        }
    }
    s->next_price[node] = least;
    s->found[node] = least <= s->price ? least : (double)INFINITY;
}

/* The nodes from `first` on, whose attributes before `depth` are generalized as the list is. */
static bool descend(pv_local_screen *s, worker *w, size_t depth, size_t first, double cost,
                    const list *l)
{
    if (depth == s->space->n_quasi) {
        look(s, first, l);
        return true;
    }
    const size_t q = s->space->order[depth];
    for (size_t rung = 0; rung < s->space->trees[q].n_rungs; rung++) {
        const size_t node = first + rung * s->below[depth];
        const double least = cost + s->rung_cost[depth][rung];
        if (least > s->price * (1 + 1e-9) || !is_due(s, node, s->below[depth])) {
            continue;
        }
        list *const next = &w->lists[depth + 1];
        if (rung > 0 && !generalize(s, w, l, next, q, rung)) {
            return false;
        }
        if (!descend(s, w, depth + 1, node, least, rung > 0 ? next : l)) {
            return false;
        }
    }
    return true;
}

static size_t rungs_at(const pv_local_screen *s, size_t depth)
{
    return depth < s->space->n_quasi ? s->space->trees[s->space->order[depth]].n_rungs : 1;
}

static pv_status screen_part(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    pv_local_screen *const s = ctx;
    worker *const w = &s->workers[thread->number];
    const size_t *const order = s->space->order;
    const size_t rungs[2] = {task / rungs_at(s, 1), task % rungs_at(s, 1)};
    const size_t depth = s->space->n_quasi > 1 ? 2 : 1;
    const list *l = &s->live;
    size_t node = 0;
    double cost = 0;
    for (size_t d = 0; d < depth; d++) {
        node += rungs[d] * s->below[d];
        cost += s->rung_cost[d][rungs[d]];
    }
    if (!pv_i_goes_on(thread, task) || cost > s->price * (1 + 1e-9) ||
        !is_due(s, node, s->below[depth - 1])) {
        return PV_STATUS_OK;
    }
    for (size_t d = 0; d < depth; d++) {
        if (rungs[d] > 0) {
            if (!generalize(s, w, l, &w->lists[d + 1], order[d], rungs[d])) {
                return pv_i_no_memory(error);
            }
            l = &w->lists[d + 1];
        }
    }
    return descend(s, w, depth, node, cost, l) ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* -------------------------------------------------------------------- runs */

static int compare_found(const void *left, const void *right, void *ctx)
{
    const double *const found = ctx;
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    const int order = (found[a] > found[b]) - (found[a] < found[b]);
    return order != 0 ? order : (a > b) - (a < b);
}

static bool list_live(pv_local_screen *s, const uint32_t *live, size_t n)
{
    const pv_local_space *const space = s->space;
    if (!list_reserve(&s->live, n)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        entry own = {.rows = space->profile->count[live[i]], .tuple = live[i]};
        for (size_t q = 0; q < space->n_quasi; q++) {
            const uint32_t node = space->raw[(size_t)live[i] * space->n_quasi + q];
            own.key += space->trees[q].mark[node];
            own.cost += space->trees[q].cost[node];
        }
        s->live.entries[s->live.n++] = own;
    }
    for (unsigned w = 0; w < s->n_workers; w++) {
        if (!worker_reserve(&s->workers[w], n)) {
            return false;
        }
    }
    return true;
}

pv_status pv_i_local_screen_run(pv_local_screen *s, const uint32_t *live, size_t n_live,
                                double price, double *next_price, const uint32_t **nodes, size_t *n,
                                pv_error *error)
{
    pv_ticker ticker = pv_i_ticker(s->context, "screening", rungs_at(s, 0) * rungs_at(s, 1));
    s->price = price;
    s->next_price = next_price;
    for (size_t node = 0; node < s->n_nodes; node++) {
        s->found[node] = (double)INFINITY;
    }
    if (!list_live(s, live, n_live)) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_tasks_run(s->n_workers, rungs_at(s, 0) * rungs_at(s, 1), screen_part, s, &ticker,
                          error));
    *n = 0;
    for (size_t node = 0; node < s->n_nodes; node++) {
        if (!isinf(s->found[node])) {
            s->nodes[(*n)++] = (uint32_t)node;
        }
    }
    qsort_r(s->nodes, *n, sizeof *s->nodes, compare_found, s->found);
    *nodes = s->nodes;
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- lifetime */

static double rung_cost(const pv_local_tree *tree, size_t rung)
{
    double least = (double)INFINITY;
    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++) {
        least = fmin(least, tree->cost[tree->rungs[rung * tree->n_leaves + leaf]]);
    }
    return least;
}

static bool screen_init(pv_local_screen *s)
{
    const size_t n = s->space->n_quasi;
    s->n_nodes = (size_t)pv_i_local_lattice(s->space);
    s->n_workers = pv_i_threads(s->context);
    s->below = PV_NEW_ARRAY(size_t, n);
    s->found = PV_NEW_ARRAY(double, s->n_nodes);
    s->nodes = PV_NEW_ARRAY(uint32_t, s->n_nodes);
    s->rung_cost = PV_NEW_ZEROED(double *, n);
    s->workers = PV_NEW_ZEROED(worker, s->n_workers);
    bool ready = s->below != NULL && s->found != NULL && s->nodes != NULL && s->rung_cost != NULL &&
                 s->workers != NULL;
    size_t below = 1;
    for (size_t d = n; ready && d-- > 0;) {
        const pv_local_tree *const tree = &s->space->trees[s->space->order[d]];
        s->below[d] = below;
        below *= tree->n_rungs;
        s->rung_cost[d] = PV_NEW_ARRAY(double, tree->n_rungs);
        ready = s->rung_cost[d] != NULL;
        for (size_t rung = 0; ready && rung < tree->n_rungs; rung++) {
            s->rung_cost[d][rung] = rung_cost(tree, rung);
        }
    }
    for (unsigned w = 0; ready && w < s->n_workers; w++) {
        s->workers[w].lists = PV_NEW_ZEROED(list, n + 1);
        ready = s->workers[w].lists != NULL;
    }
    return ready;
}

pv_status pv_i_local_screen_create(const pv_local_space *space, const pv_context *context,
                                   pv_local_screen **screen, pv_error *error)
{
    pv_local_screen *const s = PV_NEW(pv_local_screen);
    if (s == NULL) {
        return pv_i_no_memory(error);
    }
    s->space = space;
    s->context = context;
    if (!screen_init(s)) {
        pv_i_local_screen_free(s);
        return pv_i_no_memory(error);
    }
    *screen = s;
    return PV_STATUS_OK;
}

void pv_i_local_screen_free(pv_local_screen *screen)
{
    if (screen == NULL) {
        return;
    }
    for (unsigned w = 0; screen->workers != NULL && w < screen->n_workers; w++) {
        worker *const own = &screen->workers[w];
        for (size_t d = 0; own->lists != NULL && d <= screen->space->n_quasi; d++) {
            pv_i_free(own->lists[d].entries);
        }
        pv_i_free(own->lists);
        pv_i_free(own->slots);
        pv_i_free(own->stamps);
    }
    for (size_t d = 0; screen->rung_cost != NULL && d < screen->space->n_quasi; d++) {
        pv_i_free(screen->rung_cost[d]);
    }
    pv_i_free(screen->live.entries);
    pv_i_free(screen->workers);
    pv_i_free(screen->rung_cost);
    pv_i_free(screen->below);
    pv_i_free(screen->found);
    pv_i_free(screen->nodes);
    pv_i_free(screen);
}
