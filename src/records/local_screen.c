/* Screening: which nodes of the lattice have something to release at a price.
 *
 *     live tuples -> list of the first attribute on a rung -> ... -> the groups of a node
 *
 * Lists of partly generalized tuples with their rows are rolled up attribute by attribute, depth
 * first. A prefix of rungs below which no node's turn has come, or that costs more than the price
 * by itself, is not entered. The nodes below a prefix are neighbours in the numbering, so that is a
 * look at a stretch of numbers.
 *
 * A task is a node of the first attribute's tree: groups are never of two of them. Every thread has
 * its own idea of the cheapest group of a lattice node; the cheaper of all is the same on any
 * number of threads. */
#include "records/local.h"
#include "records/local_table.h"

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
    list *lists; /* one per attribute and rung */
    pv_local_table table;
    double *least; /* per node: what its cheapest group of k rows costs; negative = not looked at */
} worker;

struct pv_local_screen {
    const pv_local_space *space;
    const pv_context *context;
    worker *workers;
    unsigned n_workers;
    size_t n_nodes;
    size_t *below;      /* per attribute, in order: nodes below a rung of it */
    size_t *first_list; /* the same: where the lists of its rungs begin */
    size_t n_lists;
    uint32_t **leaves;  /* per attribute: of every tuple, one after the other */
    double *found;      /* per node: what its cheapest group of k rows costs, if for the price */
    uint32_t *nodes;    /* those that have one */
    double **rung_cost; /* per attribute: of the cheapest node of each rung */
    list live;
    uint32_t *live_leaves;        /* of the first attribute */
    pv_local_stretches stretches; /* of `live`, by it */
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

/* A list with one attribute generalized from a rung to a higher one, without what is not allowed.
 */
static bool generalize(const pv_local_screen *s, worker *w, const list *from,
                       const pv_local_stretch *part, list *to, size_t q, size_t rung, size_t higher)
{
    const size_t n = part != NULL ? part->n : from->n;
    const pv_local_tree *const tree = &s->space->trees[q];
    const uint32_t *const now = tree->rungs + rung * tree->n_leaves;
    const uint32_t *const then = tree->rungs + higher * tree->n_leaves;
    const uint32_t *const leaves = s->leaves[q];
    if (!list_reserve(to, n)) {
        return false;
    }
    pv_i_local_table_clear(&w->table, n);
    for (size_t i = 0; i < n; i++) {
        const entry *const own = &from->entries[part != NULL ? part->entries[i] : i];
        const uint32_t leaf = leaves[own->tuple];
        const double cost = own->cost + (tree->cost[then[leaf]] - tree->cost[now[leaf]]);
        const uint64_t key = own->key + (tree->mark[then[leaf]] - tree->mark[now[leaf]]);
        if (isinf(cost)) {
            continue;
        }
        const uint32_t at = pv_i_local_table_find(&w->table, key, (uint32_t)to->n);
        if (at == to->n) {
            to->entries[to->n++] = (entry){key, cost, own->rows, own->tuple};
        } else {
            to->entries[at].rows += own->rows;
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

/* When groups of a node can first be released. */
static void look(const pv_local_screen *s, const worker *w, size_t node, const list *l)
{
    double least = w->least[node] < 0 ? (double)INFINITY : w->least[node];
    for (size_t i = 0; i < l->n; i++) {
        if (l->entries[i].rows >= s->space->k && l->entries[i].cost < least) {
            least = l->entries[i].cost;
        }
    }
    w->least[node] = least;
}

/* The nodes from `first` on, whose attributes before `depth` are generalized as the list is. */
static bool descend(const pv_local_screen *s, worker *w, size_t depth, size_t first, double cost,
                    const list *l)
{
    if (depth == s->space->n_quasi) {
        look(s, w, first, l);
        return true;
    }
    const size_t q = s->space->order[depth];
    list *const lists = w->lists + s->first_list[depth];
    size_t last = 0; /* the rung of `l`: the next is made of the last, not of all anew */
    for (size_t rung = 0; rung < s->space->trees[q].n_rungs; rung++) {
        const size_t node = first + rung * s->below[depth];
        const double least = cost + s->rung_cost[depth][rung];
        if (least > s->price * (1 + 1e-9) || !is_due(s, node, s->below[depth])) {
            continue;
        }
        if (rung > 0) {
            if (!generalize(s, w, l, NULL, &lists[rung], q, last, rung)) {
                return false;
            }
            l = &lists[rung];
            last = rung;
        }
        if (!descend(s, w, depth + 1, node, least, l)) {
            return false;
        }
    }
    return true;
}

static pv_status screen_part(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    const pv_local_screen *const s = ctx;
    worker *const w = &s->workers[thread->number];
    const pv_local_stretch *const part = &s->stretches.list[task];
    const size_t node = part->rung * s->below[0];
    const double cost = s->rung_cost[0][part->rung];
    list *const next = &w->lists[s->first_list[0]];
    if (!pv_i_goes_on(thread, task) || cost > s->price * (1 + 1e-9) ||
        !is_due(s, node, s->below[0])) {
        return PV_STATUS_OK;
    }
    return generalize(s, w, &s->live, part, next, s->space->order[0], 0, part->rung) &&
                   descend(s, w, 1, node, cost, next)
               ? PV_STATUS_OK
               : pv_i_no_memory(error);
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
        s->live_leaves[s->live.n] = s->leaves[space->order[0]][live[i]];
        s->live.entries[s->live.n++] = own;
    }
    for (unsigned w = 0; w < s->n_workers; w++) {
        if (!pv_i_local_table_reserve(&s->workers[w].table, n)) {
            return false;
        }
        for (size_t node = 0; node < s->n_nodes; node++) {
            s->workers[w].least[node] = -1;
        }
    }
    return pv_i_local_stretches_fill(&s->stretches, &space->trees[space->order[0]], s->live_leaves,
                                     n);
}

/* What all threads have found of a node; nobody has looked at it if the turn of no node near it has
 * come. */
static void take_found(pv_local_screen *s, size_t node)
{
    double least = -1;
    for (unsigned w = 0; w < s->n_workers; w++) {
        const double own = s->workers[w].least[node];
        least = own >= 0 && (least < 0 || own < least) ? own : least;
    }
    const bool is_due = least >= 0 && s->next_price[node] <= s->price;
    s->found[node] = is_due && least <= s->price ? least : (double)INFINITY;
    s->next_price[node] = is_due ? least : s->next_price[node];
}

pv_status pv_i_local_screen_run(pv_local_screen *s, const uint32_t *live, size_t n_live,
                                double price, double *next_price, const uint32_t **nodes, size_t *n,
                                pv_error *error)
{
    s->price = price;
    s->next_price = next_price;
    if (!list_live(s, live, n_live)) {
        return pv_i_no_memory(error);
    }
    pv_ticker ticker = pv_i_ticker(s->context, "screening", s->stretches.n);
    PV_TRY(pv_i_tasks_run(s->n_workers, s->stretches.n, screen_part, s, &ticker, error));
    *n = 0;
    for (size_t node = 0; node < s->n_nodes; node++) {
        take_found(s, node);
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
    s->first_list = PV_NEW_ARRAY(size_t, n);
    s->leaves = PV_NEW_ZEROED(uint32_t *, n);
    s->live_leaves = PV_NEW_ARRAY(uint32_t, s->space->n_tuples);
    s->found = PV_NEW_ARRAY(double, s->n_nodes);
    s->nodes = PV_NEW_ARRAY(uint32_t, s->n_nodes);
    s->rung_cost = PV_NEW_ZEROED(double *, n);
    s->workers = PV_NEW_ZEROED(worker, s->n_workers);
    bool ready = s->below != NULL && s->first_list != NULL && s->leaves != NULL &&
                 s->live_leaves != NULL && s->found != NULL && s->nodes != NULL &&
                 s->rung_cost != NULL && s->workers != NULL;
    size_t below = 1;
    for (size_t d = n; ready && d-- > 0;) {
        const pv_local_tree *const tree = &s->space->trees[s->space->order[d]];
        s->below[d] = below;
        below *= tree->n_rungs;
        s->first_list[d] = s->n_lists;
        s->n_lists += tree->n_rungs;
        s->rung_cost[d] = PV_NEW_ARRAY(double, tree->n_rungs);
        s->leaves[d] = PV_NEW_ARRAY(uint32_t, s->space->n_tuples);
        ready = s->rung_cost[d] != NULL && s->leaves[d] != NULL;
        for (size_t rung = 0; ready && rung < tree->n_rungs; rung++) {
            s->rung_cost[d][rung] = rung_cost(tree, rung);
        }
    }
    for (size_t t = 0; ready && t < s->space->n_tuples; t++) {
        for (size_t q = 0; q < n; q++) {
            s->leaves[q][t] = s->space->leaves[t * n + q];
        }
    }
    for (unsigned w = 0; ready && w < s->n_workers; w++) {
        s->workers[w].lists = PV_NEW_ZEROED(list, s->n_lists);
        s->workers[w].least = PV_NEW_ARRAY(double, s->n_nodes);
        ready = s->workers[w].lists != NULL && s->workers[w].least != NULL;
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
        for (size_t d = 0; own->lists != NULL && d < screen->n_lists; d++) {
            pv_i_free(own->lists[d].entries);
        }
        pv_i_free(own->lists);
        pv_i_local_table_deinit(&own->table);
        pv_i_free(own->least);
    }
    for (size_t d = 0; d < screen->space->n_quasi; d++) {
        pv_i_free(screen->rung_cost != NULL ? screen->rung_cost[d] : NULL);
        pv_i_free(screen->leaves != NULL ? screen->leaves[d] : NULL);
    }
    pv_i_free(screen->leaves);
    pv_i_free(screen->first_list);
    pv_i_free(screen->live.entries);
    pv_i_free(screen->live_leaves);
    pv_i_local_stretches_deinit(&screen->stretches);
    pv_i_free(screen->workers);
    pv_i_free(screen->rung_cost);
    pv_i_free(screen->below);
    pv_i_free(screen->found);
    pv_i_free(screen->nodes);
    pv_i_free(screen);
}
