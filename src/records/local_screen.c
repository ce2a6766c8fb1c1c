/* Screening: which nodes of the lattice have something to release at a price.
 *
 * Groups are divided attribute by attribute, depth first. All groups under a *prefix*, some
 * attributes generalized and the others open, are part of the prefix's own rows and cost at least
 * what its attributes cost:
 *
 *     (zip 1234*, age 20-39, ...)    90 rows
 *       zip 1234*, age 20-39, sex F  40 rows, ...
 *
 * So a prefix of fewer than k rows is not entered, nor one that is too dear, nor one with the same
 * rows as on the rung below: what it has can be had for less there, always, as rows that are
 * released leave both. Fine prefixes have few rows, coarse ones are dear.
 *
 * Tried and lost: to look further than the price and remember for each node when it is worth
 * looking at again. What is dear takes longest, and by then most rows are released.
 *
 * A task is a node of the first attribute's tree: groups are never of two of them. Every thread has
 * its own idea of the cheapest group of a lattice node; the cheaper of all is the same on any
 * number of threads. */
#include "records/local.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDING 1e-9               /* costs are added up in another order when rows are released */
#define LOOK_UP (UINT64_C(1) << 18) /* after so many tuples a thread looks whether to go on */
#define NOWHERE UINT32_MAX
#define REFUSED (1u << 18)

/* The tuples of one node among those of a prefix. */
typedef struct {
    uint64_t rows;
    uint32_t n, first; /* tuples, and one of them */
    uint32_t place;    /* where their list ends; NOWHERE = it is not needed */
} pile;

/* What is known of a prefix. */
typedef struct {
    const uint32_t *list;
    size_t n;
    size_t node; /* of the lattice: the first below it */
    double cost;
} prefix;

typedef struct {
    uint32_t **lists;    /* per attribute: of the piles of one rung, one after the other */
    pile **piles[2];     /* per attribute and node: of this rung and of the one below */
    uint32_t **nodes[2]; /* the same: those that have a pile */
    double *least;       /* per node of the lattice: what its cheapest group of k rows costs */
    pv_class_scorer scorer;
    uint64_t *refused; /* a cache: prints of groups that break a rule, by their last bits */
    uint64_t work, look_up;
    const pv_thread *thread;
    size_t task;
    bool stopped;
} worker;

struct pv_local_screen {
    const pv_local_space *space;
    const pv_context *context;
    worker *workers;
    unsigned n_workers;
    size_t n_nodes;
    size_t *below;         /* per attribute, in order: nodes below a rung of it */
    uint32_t **starts;     /* per attribute, in order: of every tuple, one after the other */
    double *found;         /* per node: what its cheapest group of k rows costs, if for the price */
    uint32_t *nodes;       /* those that have one */
    double **rung_cost;    /* per attribute: of the cheapest node of each rung and those above */
    uint32_t *live_starts; /* of the first attribute */
    pv_local_stretches stretches; /* of the live tuples, by it */
    const uint32_t *live;
    double limit; /* what groups cost at most that are looked for */
};

static const pv_local_tree *tree_of(const pv_local_screen *s, size_t axis)
{
    return &s->space->trees[s->space->order[axis]];
}

/* ------------------------------------------------------------------- prefix */

/* Piles up a list by the nodes of a rung. The number of nodes. */
static size_t pile_up(const pv_local_screen *s, const prefix *p, size_t axis, size_t rung,
                      pile *piles, uint32_t *nodes)
{
    const pv_local_tree *const tree = tree_of(s, axis);
    const uint32_t *const node_of = tree->rungs + rung * tree->n_starts;
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        const uint32_t t = p->list[i];
        const uint32_t node = node_of[s->starts[axis][t]];
        if (piles[node].n == 0) {
            piles[node] = (pile){.first = t};
            nodes[n++] = node;
        }
        piles[node].n++;
        piles[node].rows += s->space->rows[t];
    }
    return n;
}

/* Says of every pile whether its list is needed, and where it begins. How long they are. */
static size_t place_piles(const pv_local_screen *s, const prefix *p, size_t axis, size_t rung,
                          pile *piles, const pile *below, const uint32_t *nodes, size_t n)
{
    const pv_local_tree *const tree = tree_of(s, axis);
    size_t place = 0;
    for (size_t i = 0; i < n; i++) {
        pile *const own = &piles[nodes[i]];
        bool matters = own->rows >= s->space->k && p->cost + tree->cost[nodes[i]] <= s->limit;
        if (matters && rung > 0) {
            const uint32_t lower =
                tree->rungs[(rung - 1) * tree->n_starts + s->starts[axis][own->first]];
            matters = below[lower].n != own->n || tree->cost[lower] > tree->cost[nodes[i]];
        }
        own->place = matters ? (uint32_t)place : NOWHERE;
        place += matters ? own->n : 0;
    }
    return place;
}

static void fill_lists(const pv_local_screen *s, const prefix *p, size_t axis, size_t rung,
                       pile *piles, uint32_t *lists)
{
    const pv_local_tree *const tree = tree_of(s, axis);
    const uint32_t *const node_of = tree->rungs + rung * tree->n_starts;
    for (size_t i = 0; i < p->n; i++) {
        pile *const own = &piles[node_of[s->starts[axis][p->list[i]]]];
        if (own->place != NOWHERE) {
            lists[own->place++] = p->list[i];
        }
    }
}

static void forget_piles(pile *piles, const uint32_t *nodes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        piles[nodes[i]].n = 0;
    }
}

/* ------------------------------------------------------------------- search */

static bool goes_on(worker *w, size_t n)
{
    w->work += n;
    if (w->work >= w->look_up && !w->stopped) {
        w->look_up = w->work + LOOK_UP;
        w->stopped = !pv_i_goes_on(w->thread, w->task);
    }
    return !w->stopped;
}

static void walk(const pv_local_screen *s, worker *w, size_t axis, const prefix *p);

/* Does a group keep the rules? Most that do not are met again and again, at other nodes and prices:
 * those are recognised by a print of their tuples. */
static bool keeps_rules(const pv_local_screen *s, worker *w, const prefix *p)
{
    uint64_t print = 1;
    for (size_t i = 0; i < p->n; i++) {
        print += pv_i_hash_u64(p->list[i] + UINT64_C(1));
    }
    uint64_t *const known = &w->refused[print % REFUSED];
    if (*known == print) {
        return false;
    }
    pv_i_class_scorer_clear(&w->scorer);
    for (size_t i = 0; i < p->n; i++) {
        for (uint32_t t = p->list[i]; t != UINT32_MAX; t = s->space->alike[t]) {
            pv_i_class_scorer_add(&w->scorer, t);
        }
    }
    const bool breaks = pv_i_class_scorer_breaks(&w->scorer, false);
    *known = breaks ? print : *known;
    return !breaks;
}

/* The piles of one rung of an attribute, and all that is under them. How many nodes it has here. */
static size_t walk_rung(const pv_local_screen *s, worker *w, size_t axis, const prefix *p,
                        size_t rung)
{
    const pv_local_tree *const tree = tree_of(s, axis);
    pile *const piles = w->piles[rung % 2][axis];
    uint32_t *const nodes = w->nodes[rung % 2][axis];
    const size_t n = pile_up(s, p, axis, rung, piles, nodes);
    const bool some =
        place_piles(s, p, axis, rung, piles, w->piles[(rung + 1) % 2][axis], nodes, n) > 0;
    uint32_t *const lists = w->lists[axis];
    const bool is_read = axis + 1 < s->space->n_quasi || w->refused != NULL;
    if (some && is_read) {
        fill_lists(s, p, axis, rung, piles, lists);
    }
    size_t begin = 0;
    for (size_t i = 0; some && i < n && !w->stopped; i++) {
        const pile *const own = &piles[nodes[i]];
        if (own->place == NOWHERE) {
            continue;
        }
        const prefix next = {.list = lists + begin,
                             .n = own->n,
                             .node = p->node + rung * s->below[axis],
                             .cost = p->cost + tree->cost[nodes[i]]};
        begin += own->n;
        walk(s, w, axis + 1, &next);
    }
    return n;
}

/* All groups under a prefix of at least k rows; the first `axis` attributes are those that are
 * generalized. The last rung is one node, the root; once all of the prefix is one node, higher
 * rungs have nothing new. */
static void walk(const pv_local_screen *s, worker *w, size_t axis, const prefix *p)
{
    if (axis == s->space->n_quasi) {
        if (p->cost >= w->least[p->node] || (w->refused != NULL && !keeps_rules(s, w, p))) {
            return;
        }
        w->least[p->node] = p->cost;
        return;
    }
    const pv_local_tree *const tree = tree_of(s, axis);
    size_t n[2] = {0, 0}; /* nodes of this rung and of the one below */
    for (size_t rung = 0; rung < tree->n_rungs; rung++) {
        prefix next = *p;
        next.node = p->node + rung * s->below[axis];
        if (p->cost + s->rung_cost[axis][rung] > s->limit) {
            break;
        }
        forget_piles(w->piles[rung % 2][axis], w->nodes[rung % 2][axis], n[rung % 2]);
        n[rung % 2] = 0;
        if (rung + 1 == tree->n_rungs) {
            next.cost = p->cost + tree->cost[tree->n - 1];
            if (next.cost <= s->limit) {
                walk(s, w, axis + 1, &next);
            }
            break;
        }
        if (!goes_on(w, p->n)) {
            break;
        }
        n[rung % 2] = walk_rung(s, w, axis, p, rung);
        if (n[rung % 2] == 1) {
            break;
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        forget_piles(w->piles[i][axis], w->nodes[i][axis], n[i]);
    }
}

static pv_status screen_part(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    (void)error;
    const pv_local_screen *const s = ctx;
    worker *const w = &s->workers[thread->number];
    const pv_local_stretch *const part = &s->stretches.list[task];
    const pv_local_tree *const tree = tree_of(s, 0);
    const uint32_t start = s->live_starts[part->entries[0]];
    prefix p = {.list = w->lists[0],
                .n = part->n,
                .node = part->rung * s->below[0],
                .cost = tree->cost[tree->rungs[part->rung * tree->n_starts + start]]};
    uint64_t rows = 0;
    w->thread = thread;
    w->task = task;
    w->stopped = !pv_i_goes_on(thread, task);
    if (w->stopped || p.cost > s->limit) {
        return PV_STATUS_OK;
    }
    for (size_t i = 0; i < part->n; i++) {
        w->lists[0][i] = s->live[part->entries[i]];
        rows += s->space->rows[w->lists[0][i]];
    }
    if (rows >= s->space->k) {
        walk(s, w, 1, &p);
    }
    return PV_STATUS_OK;
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

/* What all threads have found of a node. */
static double take_found(const pv_local_screen *s, size_t node)
{
    double least = (double)INFINITY;
    for (unsigned w = 0; w < s->n_workers; w++) {
        least = fmin(least, s->workers[w].least[node]);
    }
    return least;
}

pv_status pv_i_local_screen_run(pv_local_screen *s, const uint32_t *live, size_t n_live,
                                double price, const uint32_t **nodes, size_t *n, pv_error *error)
{
    s->limit = price * (1 + ROUNDING);
    s->live = live;
    for (size_t i = 0; i < n_live; i++) {
        s->live_starts[i] = s->starts[0][live[i]];
    }
    for (unsigned w = 0; w < s->n_workers; w++) {
        s->workers[w].work = 0;
        s->workers[w].look_up = LOOK_UP;
        for (size_t node = 0; node < s->n_nodes; node++) {
            s->workers[w].least[node] = (double)INFINITY;
        }
    }
    if (!pv_i_local_stretches_fill(&s->stretches, tree_of(s, 0), s->live_starts, n_live)) {
        return pv_i_no_memory(error);
    }
    pv_ticker ticker = pv_i_ticker(s->context, "screening", s->stretches.n);
    PV_TRY(pv_i_tasks_run(s->n_workers, s->stretches.n, screen_part, s, &ticker, error));
    *n = 0;
    for (size_t node = 0; node < s->n_nodes; node++) {
        s->found[node] = take_found(s, node);
        if (!isinf(s->found[node])) {
            s->nodes[(*n)++] = (uint32_t)node;
        }
    }
    qsort_r(s->nodes, *n, sizeof *s->nodes, compare_found, s->found);
    *nodes = s->nodes;
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- lifetime */

static bool find_rung_costs(const pv_local_screen *s, size_t axis)
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

static bool worker_init(const pv_local_screen *s, worker *w)
{
    const size_t n = s->space->n_quasi;
    w->lists = PV_NEW_ZEROED(uint32_t *, n);
    w->least = PV_NEW_ARRAY(double, s->n_nodes);
    const bool has_rules = s->space->rules.n_rules > 0;
    w->refused = has_rules ? PV_NEW_ZEROED(uint64_t, REFUSED) : NULL;
    bool ready = w->lists != NULL && w->least != NULL && (!has_rules || w->refused != NULL) &&
                 pv_i_class_scorer_init(&w->scorer, &s->space->rules, NULL) == PV_STATUS_OK;
    for (unsigned i = 0; i < 2; i++) {
        w->piles[i] = PV_NEW_ZEROED(pile *, n);
        w->nodes[i] = PV_NEW_ZEROED(uint32_t *, n);
        ready = ready && w->piles[i] != NULL && w->nodes[i] != NULL;
    }
    for (size_t a = 0; ready && a < n; a++) {
        w->lists[a] = PV_NEW_ARRAY(uint32_t, s->space->n_tuples);
        ready = w->lists[a] != NULL;
        for (unsigned i = 0; ready && i < 2; i++) {
            w->piles[i][a] = PV_NEW_ZEROED(pile, tree_of(s, a)->n);
            w->nodes[i][a] = PV_NEW_ARRAY(uint32_t, tree_of(s, a)->n);
            ready = w->piles[i][a] != NULL && w->nodes[i][a] != NULL;
        }
    }
    return ready;
}

static void worker_deinit(const pv_local_screen *s, worker *w)
{
    for (size_t a = 0; a < s->space->n_quasi; a++) {
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
    pv_i_free(w->least);
    pv_i_free(w->refused);
    pv_i_class_scorer_deinit(&w->scorer);
}

static bool screen_init(pv_local_screen *s)
{
    const size_t n = s->space->n_quasi;
    s->n_nodes = (size_t)pv_i_local_lattice(s->space);
    s->n_workers = pv_i_threads(s->context);
    s->below = PV_NEW_ARRAY(size_t, n);
    s->starts = PV_NEW_ZEROED(uint32_t *, n);
    s->live_starts = PV_NEW_ARRAY(uint32_t, s->space->n_tuples);
    s->found = PV_NEW_ARRAY(double, s->n_nodes);
    s->nodes = PV_NEW_ARRAY(uint32_t, s->n_nodes);
    s->rung_cost = PV_NEW_ZEROED(double *, n);
    s->workers = PV_NEW_ZEROED(worker, s->n_workers);
    bool ready = s->below != NULL && s->starts != NULL && s->live_starts != NULL &&
                 s->found != NULL && s->nodes != NULL && s->rung_cost != NULL && s->workers != NULL;
    size_t below = 1;
    for (size_t d = n; ready && d-- > 0;) {
        s->below[d] = below;
        below *= tree_of(s, d)->n_rungs;
        s->starts[d] = PV_NEW_ARRAY(uint32_t, s->space->n_tuples);
        ready = s->starts[d] != NULL && find_rung_costs(s, d);
    }
    for (size_t t = 0; ready && t < s->space->n_tuples; t++) {
        for (size_t d = 0; d < n; d++) {
            s->starts[d][t] = s->space->starts[t * n + s->space->order[d]];
        }
    }
    for (unsigned w = 0; ready && w < s->n_workers; w++) {
        ready = worker_init(s, &s->workers[w]);
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
        worker_deinit(screen, &screen->workers[w]);
    }
    for (size_t d = 0; d < screen->space->n_quasi; d++) {
        pv_i_free(screen->rung_cost != NULL ? screen->rung_cost[d] : NULL);
        pv_i_free(screen->starts != NULL ? screen->starts[d] : NULL);
    }
    pv_i_free(screen->starts);
    pv_i_free(screen->live_starts);
    pv_i_local_stretches_deinit(&screen->stretches);
    pv_i_free(screen->workers);
    pv_i_free(screen->rung_cost);
    pv_i_free(screen->below);
    pv_i_free(screen->found);
    pv_i_free(screen->nodes);
    pv_i_free(screen);
}
