/* The search for a local recoding of least loss (docs/model.md, section 7b).
 *
 *     price = a little
 *     repeat, the price a fifth higher each time:
 *         for every node of the lattice, those of least cost first:
 *             group the tuples that are not released yet
 *             release every group that keeps the demands and costs a row no more than the price
 *     see to those who are left: each joins the class where that costs least
 *     take neighbouring classes apart and put them together again (local_rebuild.c)
 *     suppress rows where that saves most, if some may be (local_budget.c)
 *
 * **Why by price.** A row is released at the first price at which enough others like it are still
 * there. Cheap classes come first, so nobody who could have a cheap one is spent on a dear one; and
 * the few rows that are unlike all others, which carry most of the loss, choose last, among
 * themselves.
 *
 * **Screening.** Before each price all nodes are screened together, on threads (local_screen.c):
 * which of them have a group of k rows for the price? That only counts rows, and leaves out most of
 * the lattice. So few nodes are grouped that have nothing to release.
 *
 * **Keys.** The key of a group is the sum of random marks of its nodes. Should two groups ever have
 * the same, their rows become one class, at the lowest nodes above them: correct, only dearer.
 *
 * **Many attributes.** A lattice of more than some 10^5 nodes is not gone through. Then rows are
 * divided from the top down into blocks, along the attribute that costs most as long as the parts
 * keep the demands, and classes are made within each block from common ancestors of its tuples.
 *
 * Tried and lost: letting groups that are too small borrow rows from classes that can spare them
 * during the ascent costs ten times the time and gains less than rebuilding does afterwards. */
#include "records/local.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/ticker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_PRICE 0.0005
#define PRICE_RATIO 1.2
#define NOBODY UINT32_MAX

/* Tuples that look alike on a node. */
typedef struct {
    uint64_t rows;
    double cost;
    uint32_t first; /* tuple; the others follow in `next` */
} group;

typedef struct {
    const pv_local_space *space;
    pv_local_draft *classes;
    pv_class_scorer scorer;
    uint32_t *live; /* tuples that are not released, ascending */
    size_t n_live;
    bool *released; /* per tuple */
    uint32_t *next; /* per tuple: another one of its group */
    group *groups;
    size_t n_groups;
    uint64_t *keys;  /* the table of groups: by key */
    uint32_t *slots; /* group + 1; only those stamped with the present node count */
    uint32_t *stamps;
    uint32_t stamp;
    size_t mask;
    const uint32_t **rung; /* per quasi-identifier: the nodes of its leaves at the present node */
    pv_ticker ticker;
    pv_arena arena;
    pv_error *error;
} search;

/* ---------------------------------------------------------------- releasing */

/* Do tuples that follow each other keep the demands? Asked before a class is made of them: with t
 * most groups do not. */
static bool group_keeps(search *s, uint32_t first)
{
    if (s->space->rules.n_rules == 0) {
        return true;
    }
    pv_i_class_scorer_clear(&s->scorer);
    for (uint32_t t = first; t != NOBODY; t = s->next[t]) {
        pv_i_class_scorer_add(&s->scorer, t);
    }
    return !pv_i_class_scorer_breaks(&s->scorer, false);
}

/* Makes a class of tuples that follow each other. Those who break a demand are not released. */
static pv_status release_group(search *s, uint32_t first, bool *released)
{
    *released = false;
    if (!group_keeps(s, first)) {
        return PV_STATUS_OK;
    }
    const size_t c = pv_i_local_class_new(s->classes);
    if (c == SIZE_MAX) {
        return pv_i_no_memory(s->error);
    }
    for (uint32_t t = first; t != NOBODY; t = s->next[t]) {
        if (!pv_i_local_class_add(s->classes, c, t, s->space->profile->count[t])) {
            return pv_i_no_memory(s->error);
        }
    }
    pv_i_local_tighten(s->classes, c);
    const uint32_t *const nodes = pv_i_local_nodes(s->classes, c);
    *released = !isinf(pv_i_local_join_cost(s->space, nodes, nodes, NULL, (double)INFINITY)) &&
                s->classes->list[c].size >= s->space->k;
    if (!*released) {
        pv_i_local_class_clear(s->classes, c);
        pv_i_free(s->classes->list[c].parts);
        s->classes->n--;
        return PV_STATUS_OK;
    }
    for (uint32_t t = first; t != NOBODY; t = s->next[t]) {
        s->released[t] = true;
    }
    return PV_STATUS_OK;
}

static void forget_released(search *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_live; i++) {
        if (!s->released[s->live[i]]) {
            s->live[n++] = s->live[i];
        }
    }
    s->n_live = n;
}

/* Whoever needs nobody else is released as is. */
static pv_status release_common(search *s)
{
    const size_t n = s->space->n_quasi;
    for (uint32_t t = 0; t < s->space->n_tuples; t++) {
        bool released = false;
        double cost = 0;
        for (size_t q = 0; q < n; q++) {
            cost += s->space->trees[q].cost[s->space->raw[t * n + q]];
        }
        s->next[t] = NOBODY;
        if (cost <= 0 && s->space->profile->count[t] >= s->space->k) {
            PV_TRY(release_group(s, t, &released));
        }
    }
    for (uint32_t t = 0; t < s->space->n_tuples; t++) {
        if (!s->released[t]) {
            s->live[s->n_live++] = t;
        }
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ a node */

/* The group of a key, which is added if it is new. */
static group *group_of(search *s, uint64_t key, double cost)
{
    size_t slot = (size_t)pv_i_hash_u64(key) & s->mask;
    while (s->stamps[slot] == s->stamp && s->keys[slot] != key) {
        slot = (slot + 1) & s->mask;
    }
    if (s->stamps[slot] != s->stamp) {
        s->stamps[slot] = s->stamp;
        s->keys[slot] = key;
        s->slots[slot] = (uint32_t)s->n_groups;
        s->groups[s->n_groups++] = (group){.cost = cost, .first = NOBODY};
    }
    return &s->groups[s->slots[slot]];
}

/* Sets the rungs of a node of the lattice. */
static void go_to(search *s, size_t node)
{
    for (size_t i = s->space->n_quasi; i-- > 0;) {
        const size_t q = s->space->order[i];
        const pv_local_tree *const tree = &s->space->trees[q];
        s->rung[q] = tree->rungs + node % tree->n_rungs * tree->n_leaves;
        node /= tree->n_rungs;
    }
}

static void group_live(search *s, double price)
{
    const size_t n = s->space->n_quasi;
    const pv_local_tree *const trees = s->space->trees;
    s->stamp++;
    s->n_groups = 0;
    for (size_t i = 0; i < s->n_live; i++) {
        const uint32_t t = s->live[i];
        const uint32_t *const leaves = s->space->leaves + t * n;
        uint64_t key = 0;
        double cost = 0;
        for (size_t q = 0; q < n; q++) {
            const uint32_t node = s->rung[q][leaves[q]];
            key += trees[q].mark[node];
            cost += trees[q].cost[node];
        }
        if (cost <= price) {
            group *const own = group_of(s, key, cost);
            own->rows += s->space->profile->count[t];
            s->next[t] = own->first;
            own->first = t;
        }
    }
}

/* Releases what can be had at a node for the price. What breaks a demand today may keep it at the
 * next price, without those who leave. */
static pv_status visit(search *s, size_t node, double price)
{
    bool any = false;
    go_to(s, node);
    group_live(s, price);
    for (size_t g = 0; g < s->n_groups; g++) {
        bool released = false;
        if (s->groups[g].rows >= s->space->k) {
            PV_TRY(release_group(s, s->groups[g].first, &released));
            any |= released;
        }
    }
    if (any) {
        forget_released(s);
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------- the lattice */

static pv_status climb_prices(search *s)
{
    pv_local_screen *screen = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY(pv_i_local_screen_create(s->space, s->ticker.context, &screen, s->error));
    for (double price = FIRST_PRICE; s->n_live > 0 && price < PRICE_RATIO; price *= PRICE_RATIO) {
        const uint32_t *nodes = NULL; /* that have something to release, the cheapest first */
        size_t n = 0;
        PV_TRY_CLEAN(
            pv_i_local_screen_run(screen, s->live, s->n_live, price, &nodes, &n, s->error));
        for (size_t i = 0; i < n && s->n_live > 0; i++) {
            PV_TRY_CLEAN(visit(s, nodes[i], price));
        }
        s->ticker = pv_i_ticker(s->ticker.context, "releasing", s->space->n_tuples);
        if (!pv_i_tick(&s->ticker, s->space->n_tuples - s->n_live)) {
            status = pv_i_cancelled(s->error);
            break;
        }
    }
cleanup:
    pv_i_local_screen_free(screen);
    return status;
}

/* ------------------------------------------------------------------ blocks */

/* A stretch of `live`: tuples that are to be divided further. */
typedef struct {
    size_t first, n;
} block;

typedef struct {
    search *s;
    uint32_t *child; /* per tuple: the node it would have one step down */
    uint32_t *nodes; /* of the block, one per quasi-identifier */
    block *stack;
    size_t n_stack, capacity;
    pv_local_pool *pool;
    pv_rng rng;
} dividing;

static bool push_block(dividing *d, size_t first, size_t n)
{
    if (!pv_i_reserve((void **)&d->stack, &d->capacity, d->n_stack + 1, sizeof *d->stack)) {
        return false;
    }
    d->stack[d->n_stack++] = (block){first, n};
    return true;
}

/* The lowest nodes above a block. */
static void join_block(const dividing *d, const block *b)
{
    const pv_local_space *const space = d->s->space;
    const uint32_t *const tuples = d->s->live + b->first;
    for (size_t q = 0; q < space->n_quasi; q++) {
        d->nodes[q] = space->raw[tuples[0] * space->n_quasi + q];
        for (size_t i = 1; i < b->n; i++) {
            d->nodes[q] = pv_i_local_join(&space->trees[q], d->nodes[q],
                                          space->raw[tuples[i] * space->n_quasi + q]);
        }
    }
}

static int compare_children(const void *left, const void *right, void *ctx)
{
    const uint32_t *const child = ctx;
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    return child[a] != child[b] ? (child[a] > child[b]) - (child[a] < child[b]) : (a > b) - (a < b);
}

/* Do these tuples keep the demands among themselves? */
static bool keeps_alone(search *s, const uint32_t *tuples, size_t n)
{
    uint64_t rows = 0;
    pv_i_class_scorer_clear(&s->scorer);
    for (size_t i = 0; i < n; i++) {
        rows += s->space->profile->count[tuples[i]];
        if (s->space->rules.n_rules > 0) {
            pv_i_class_scorer_add(&s->scorer, tuples[i]);
        }
    }
    return rows >= s->space->k &&
           (s->space->rules.n_rules == 0 || !pv_i_class_scorer_breaks(&s->scorer, false));
}

/* Sorts a block by the children of its node in one attribute. */
static void sort_by_child(const dividing *d, const block *b, size_t q)
{
    const pv_local_space *const space = d->s->space;
    const pv_local_tree *const tree = &space->trees[q];
    uint32_t *const tuples = d->s->live + b->first;
    for (size_t i = 0; i < b->n; i++) {
        uint32_t node = space->raw[tuples[i] * space->n_quasi + q];
        while (node != d->nodes[q] && tree->parent[node] != d->nodes[q]) {
            node = tree->parent[node];
        }
        d->child[tuples[i]] = node;
    }
    qsort_r(tuples, b->n, sizeof *tuples, compare_children, d->child);
}

/* Divides a block by the children of its node in one attribute; neighbours stay together until they
 * keep the demands, and a last part that does not stays with the one before. False if that is one
 * part only. */
static bool divide_by(dividing *d, const block *b, size_t q, bool *failed)
{
    uint32_t *const tuples = d->s->live + b->first;
    const size_t stacked = d->n_stack;
    size_t from = 0;
    sort_by_child(d, b, q);
    for (size_t i = 1; i <= b->n; i++) {
        const bool ends = i == b->n || d->child[tuples[i]] != d->child[tuples[i - 1]];
        if (ends && keeps_alone(d->s, tuples + from, i - from)) {
            *failed |= !push_block(d, b->first + from, i - from);
            from = i;
        }
    }
    if (d->n_stack < stacked + 2) {
        d->n_stack = stacked;
        return false;
    }
    d->stack[d->n_stack - 1].n += b->n - from;
    if (from < b->n && !keeps_alone(d->s, d->s->live + d->stack[d->n_stack - 1].first,
                                    d->stack[d->n_stack - 1].n)) {
        d->n_stack = stacked; /* a rule that others can break */
        return false;
    }
    return true;
}

/* Divides along the attribute that costs most of those that can be divided. */
static bool divide(dividing *d, const block *b, bool *failed)
{
    const pv_local_space *const space = d->s->space;
    double below = (double)INFINITY;
    size_t before = SIZE_MAX; /* of equals, in the order of attributes */
    join_block(d, b);
    for (size_t tried = 0; tried < space->n_quasi; tried++) {
        size_t best = SIZE_MAX;
        double most = 0;
        for (size_t q = 0; q < space->n_quasi; q++) {
            const pv_local_tree *const tree = &space->trees[q];
            const double cost = fmin(tree->cost[d->nodes[q]], 2);
            const bool comes = cost < below || (cost <= below && q > before);
            if (comes && cost > most) {
                best = q;
                most = cost;
            }
        }
        if (best == SIZE_MAX) {
            return false;
        }
        below = most;
        before = best;
        if (divide_by(d, b, best, failed)) {
            return true;
        }
    }
    return false;
}

/* A block that is not divided further: classes of what is near each other, or one class. */
static pv_status release_block(dividing *d, const block *b)
{
    search *const s = d->s;
    const uint32_t *const tuples = s->live + b->first;
    bool released = false;
    if (b->n <= PV_LOCAL_POOL) {
        pv_i_local_pool_clear(d->pool);
        for (size_t i = 0; i < b->n; i++) {
            (void)pv_i_local_pool_add(d->pool, tuples[i], s->space->profile->count[tuples[i]]);
        }
        if (!isinf(pv_i_local_pool_build(d->pool, &d->rng))) {
            for (size_t i = 0; i < b->n; i++) {
                s->released[tuples[i]] = true;
            }
            return pv_i_local_pool_write(d->pool, s->classes, NULL, 0) ? PV_STATUS_OK
                                                                       : pv_i_no_memory(s->error);
        }
    }
    join_block(d, b);
    if (isinf(pv_i_local_join_cost(s->space, d->nodes, d->nodes, NULL, (double)INFINITY))) {
        return PV_STATUS_OK; /* forbidden, or `*` altogether: they are left */
    }
    for (size_t i = 0; i < b->n; i++) {
        s->next[tuples[i]] = i + 1 < b->n ? tuples[i + 1] : NOBODY;
    }
    return release_group(s, tuples[0], &released);
}

/* Blocks small enough to make classes of at once are not divided. */
#define ENOUGH_TUPLES 192

static pv_status divide_all(search *s, dividing *d)
{
    bool failed = !push_block(d, 0, s->n_live);
    s->ticker = pv_i_ticker(s->ticker.context, "dividing", s->space->n_tuples);
    uint64_t done = 0;
    while (!failed && d->n_stack > 0) {
        const block b = d->stack[--d->n_stack];
        if (b.n > ENOUGH_TUPLES && divide(d, &b, &failed)) {
            continue;
        }
        if (!failed) {
            PV_TRY(release_block(d, &b));
        }
        done += b.n;
        if (!pv_i_tick(&s->ticker, done)) {
            return pv_i_cancelled(s->error);
        }
    }
    forget_released(s);
    return failed ? pv_i_no_memory(s->error) : PV_STATUS_OK;
}

static pv_status climb_blocks(search *s, uint64_t seed)
{
    dividing d = {.s = s,
                  .child = PV_ARENA_ARRAY(&s->arena, uint32_t, s->space->n_tuples),
                  .nodes = PV_ARENA_ARRAY(&s->arena, uint32_t, s->space->n_quasi),
                  .pool = pv_i_local_pool_create(s->space)};
    pv_i_rng_init(&d.rng, seed);
    const pv_status status = s->arena.failed || d.pool == NULL ? pv_i_no_memory(s->error)
                             : s->n_live > 0                   ? divide_all(s, &d)
                                                               : PV_STATUS_OK;
    pv_i_free(d.stack);
    pv_i_local_pool_free(d.pool);
    return status;
}

/* --------------------------------------------------------------- who is left */

/* How those who are left can keep the demands: with all of another class, or with some rows that it
 * can spare. */
typedef struct {
    size_t partner; /* SIZE_MAX = there is none */
    size_t part;    /* of it, from which rows are borrowed; SIZE_MAX = all of the class joins */
    uint64_t rows;
    double added; /* loss */
} remedy;

static void consider_merging(const search *s, size_t c, size_t other, remedy *best)
{
    const pv_local_class *const own = &s->classes->list[c];
    const pv_local_class *const partner = &s->classes->list[other];
    const double together =
        pv_i_local_join_cost(s->space, pv_i_local_nodes(s->classes, c),
                             pv_i_local_nodes(s->classes, other), NULL, (double)INFINITY);
    const double added = (double)own->size * (together - own->cost) +
                         (double)partner->size * (together - partner->cost);
    if (added < best->added) {
        *best = (remedy){.partner = other, .part = SIZE_MAX, .added = added};
    }
}

/* Rows are counted per class: what one of its parts lends, no other can. */
static void consider_borrowing(const search *s, size_t c, size_t other, remedy *best)
{
    const pv_local_class *const own = &s->classes->list[c];
    const pv_local_class *const donor = &s->classes->list[other];
    const uint64_t missing = s->space->k - own->size;
    for (size_t i = 0; donor->size >= s->space->k + missing && i < donor->n_parts; i++) {
        if (donor->parts[i].rows < missing) {
            continue;
        }
        const double together =
            pv_i_local_join_cost(s->space, pv_i_local_nodes(s->classes, c),
                                 s->space->raw + (size_t)donor->parts[i].tuple * s->space->n_quasi,
                                 NULL, (double)INFINITY);
        const double added =
            (double)own->size * (together - own->cost) + (double)missing * (together - donor->cost);
        if (added < best->added) {
            *best = (remedy){.partner = other, .part = i, .rows = missing, .added = added};
        }
    }
}

static remedy find_remedy(const search *s, size_t c)
{
    const pv_local_class *const own = &s->classes->list[c];
    remedy best = {.partner = SIZE_MAX, .added = (double)INFINITY};
    for (size_t other = PV_LOCAL_LOST + 1; other < s->classes->n; other++) {
        const uint64_t size = s->classes->list[other].size;
        if (other == c || size == 0) {
            continue;
        }
        if (!s->space->divides || size + own->size >= s->space->k) {
            consider_merging(s, c, other, &best);
        }
        if (s->space->divides && own->size < s->space->k) {
            consider_borrowing(s, c, other, &best);
        }
    }
    return best;
}

static bool apply_remedy(search *s, size_t c, const remedy *r)
{
    if (r->part == SIZE_MAX) {
        return pv_i_local_merge(s->classes, c, r->partner);
    }
    const uint32_t tuple = s->classes->list[r->partner].parts[r->part].tuple;
    pv_i_local_class_take(s->classes, r->partner, r->part, r->rows);
    const bool added = pv_i_local_class_add(s->classes, c, tuple, r->rows);
    pv_i_local_tighten(s->classes, c);
    return added;
}

/* Joins or borrows at least cost until the demands are kept, or is suppressed where nothing else
 * helps. Where suppressing saves something is found out when all classes are known. */
static pv_status settle_class(search *s, size_t c)
{
    pv_local_draft *const classes = s->classes;
    while (!pv_i_local_keeps(classes, &s->scorer, c)) {
        const pv_local_class *const own = &classes->list[c];
        const remedy best = find_remedy(s, c);
        const bool may_be_lost = own->size <= s->space->budget - classes->list[PV_LOCAL_LOST].size;
        if (may_be_lost && best.partner == SIZE_MAX) {
            return pv_i_local_merge(classes, PV_LOCAL_LOST, c) ? PV_STATUS_OK
                                                               : pv_i_no_memory(s->error);
        }
        if (best.partner == SIZE_MAX) {
            return PV_STATUS_UNSATISFIED;
        }
        if (!apply_remedy(s, c, &best)) {
            return pv_i_no_memory(s->error);
        }
    }
    return PV_STATUS_OK;
}

/* Everyone in one class, which may be `*` altogether: nobody is suppressed then. */
static pv_status settle_together(search *s)
{
    pv_local_draft *const classes = s->classes;
    for (size_t c = PV_LOCAL_LOST + 1; c < classes->n; c++) {
        pv_i_free(classes->list[c].parts);
    }
    classes->n = PV_LOCAL_LOST + 1;
    pv_i_local_class_clear(classes, PV_LOCAL_LOST);
    const size_t all = pv_i_local_class_new(classes);
    for (uint32_t t = 0; all != SIZE_MAX && t < s->space->n_tuples; t++) {
        if (!pv_i_local_class_add(classes, all, t, s->space->profile->count[t])) {
            return pv_i_no_memory(s->error);
        }
    }
    if (all == SIZE_MAX) {
        return pv_i_no_memory(s->error);
    }
    pv_i_local_tighten(classes, all);
    return isinf(classes->list[all].cost) || !pv_i_local_keeps(classes, &s->scorer, all)
               ? PV_STATUS_UNSATISFIED
               : PV_STATUS_OK;
}

static pv_status settle_rest(search *s)
{
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; status == PV_STATUS_OK && i < s->n_live; i++) {
        const size_t c = pv_i_local_class_new(s->classes);
        if (c == SIZE_MAX || !pv_i_local_class_add(s->classes, c, s->live[i],
                                                   s->space->profile->count[s->live[i]])) {
            return pv_i_no_memory(s->error);
        }
        pv_i_local_tighten(s->classes, c);
    }
    const size_t first = s->classes->n - s->n_live;
    for (size_t i = 0; status == PV_STATUS_OK && i < s->n_live; i++) {
        if (s->classes->list[first + i].size > 0) {
            status = settle_class(s, first + i);
        }
        if (!pv_i_tick(&s->ticker, s->space->n_tuples)) {
            return pv_i_cancelled(s->error);
        }
    }
    pv_i_local_tighten(s->classes, PV_LOCAL_LOST);
    return status == PV_STATUS_UNSATISFIED ? settle_together(s) : status;
}

/* --------------------------------------------------------------------- all */

static pv_status search_init(search *s)
{
    const size_t n = s->space->n_tuples;
    size_t slots = 16;
    while (slots < 2 * n) {
        slots *= 2;
    }
    s->mask = slots - 1;
    s->live = PV_ARENA_ARRAY(&s->arena, uint32_t, n);
    s->released = PV_ARENA_ARRAY(&s->arena, bool, n);
    s->next = PV_ARENA_ARRAY(&s->arena, uint32_t, n);
    s->groups = PV_ARENA_ARRAY(&s->arena, group, n);
    s->keys = PV_ARENA_ARRAY(&s->arena, uint64_t, slots);
    s->slots = PV_ARENA_ARRAY(&s->arena, uint32_t, slots);
    s->stamps = PV_ARENA_ARRAY(&s->arena, uint32_t, slots);
    s->rung = PV_ARENA_ARRAY(&s->arena, const uint32_t *, s->space->n_quasi);
    return s->arena.failed ? pv_i_no_memory(s->error)
                           : pv_i_class_scorer_init(&s->scorer, &s->space->rules, s->error);
}

static pv_status finish(pv_local_draft *classes, const pv_local_settings *settings,
                        pv_local_account *account, pv_error *error)
{
    PV_TRY(pv_i_local_improve(classes, settings, account, error));
    PV_TRY(pv_i_local_spend_budget(classes, settings->context, error));
    return pv_i_local_merge_equal(classes) ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* Where some had to be suppressed: rather all of them in one class, and that improved, if it loses
 * less. This is what there is without a budget, so that one is never worse. */
static pv_status prefer_together(search *s, const pv_local_settings *settings,
                                 pv_local_account *account)
{
    pv_local_draft *const found = s->classes;
    pv_local_draft other;
    pv_local_account spent = {0};
    bool is_better = false;
    s->classes = &other;
    pv_status status =
        pv_i_local_classes_init(&other, s->space) ? settle_together(s) : pv_i_no_memory(s->error);
    if (status == PV_STATUS_OK) {
        status = finish(&other, settings, &spent, s->error);
        account->steps += spent.steps;
        account->improved += spent.improved;
        account->stop = spent.stop != PV_STOP_FINISHED ? spent.stop : account->stop;
        is_better = pv_i_local_loss(&other) < pv_i_local_loss(found);
    }
    if (status == PV_STATUS_OK && is_better) {
        const pv_local_draft worse = *found;
        *found = other;
        other = worse;
    }
    s->classes = found;
    pv_i_local_classes_deinit(&other);
    return status == PV_STATUS_UNSATISFIED ? PV_STATUS_OK : status;
}

pv_status pv_i_local_find(const pv_local_space *space, const pv_local_settings *settings,
                          pv_local_draft *classes, pv_local_account *account, pv_error *error)
{
    const double began = pv_i_now();
    search s = {.space = space, .classes = classes, .error = error};
    pv_status status = PV_STATUS_OK;
    s.ticker.context = settings->context;
    *account = (pv_local_account){.by_blocks = pv_i_local_lattice(space) > PV_LOCAL_MOST_NODES};
    PV_TRY_CLEAN(search_init(&s));
    PV_TRY_CLEAN(release_common(&s));
    PV_TRY_CLEAN(account->by_blocks ? climb_blocks(&s, settings->seed) : climb_prices(&s));
    PV_TRY_CLEAN(settle_rest(&s));
    const bool some_lost = classes->list[PV_LOCAL_LOST].size > 0;
    pv_local_settings each = *settings; /* there are two recodings to improve if some are lost */
    each.improve_seconds /= some_lost && each.improve_seconds > 0 ? 2 : 1;
    PV_TRY_CLEAN(finish(classes, &each, account, error));
    if (some_lost) {
        PV_TRY_CLEAN(prefer_together(&s, &each, account));
    }
cleanup:
    pv_i_class_scorer_deinit(&s.scorer);
    pv_i_arena_deinit(&s.arena);
    account->seconds = pv_i_now() - began;
    return status;
}
