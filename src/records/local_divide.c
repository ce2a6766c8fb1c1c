/* Classes from the top down: blocks of tuples are divided along the hierarchies as long as the
 * parts keep the demands.
 *
 *     block (*, Europe)  90 rows  --age-->  (20-39, Europe) 52 rows
 *                                           (40-59, Europe) 38 rows, with the 3 of (60-79, Europe),
 *                                                           who would be too few
 *
 * Nothing here is proportional to the lattice. It is where lattices are too large to be gone
 * through, and where a recoding starts from levels (local_levels.c). */
#include "records/local.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/ticker.h"

#include <math.h>
#include <stdlib.h>

/* Blocks small enough to make classes of at once are not divided. */
#define ENOUGH_TUPLES 192

/* A stretch of the tuples. */
typedef struct {
    size_t first, n;
} block;

typedef struct {
    const pv_local_space *space;
    pv_local_draft *classes;
    pv_class_scorer scorer;
    uint32_t *tuples;
    bool *released;  /* per tuple */
    uint32_t *child; /* per tuple: the node it would have one step down */
    uint32_t *nodes; /* of the block, one per quasi-identifier */
    block *stack;
    size_t n_stack, capacity;
    pv_local_pool *pool;
    pv_rng rng;
    bool failed; /* out of memory */
    pv_arena arena;
} dividing;

static void push_block(dividing *d, size_t first, size_t n)
{
    if (!pv_i_reserve((void **)&d->stack, &d->capacity, d->n_stack + 1, sizeof *d->stack)) {
        d->failed = true;
        return;
    }
    d->stack[d->n_stack++] = (block){first, n};
}

/* The lowest nodes above a block. */
static void join_block(const dividing *d, const block *b)
{
    const pv_local_space *const space = d->space;
    const uint32_t *const tuples = d->tuples + b->first;
    for (size_t q = 0; q < space->n_quasi; q++) {
        d->nodes[q] = space->raw[tuples[0] * space->n_quasi + q];
        for (size_t i = 1; i < b->n; i++) {
            d->nodes[q] = pv_i_local_join(&space->trees[q], d->nodes[q],
                                          space->raw[tuples[i] * space->n_quasi + q]);
        }
    }
}

/* Do these tuples keep the demands among themselves? */
static bool keeps_alone(dividing *d, const uint32_t *tuples, size_t n)
{
    uint64_t rows = 0;
    pv_i_class_scorer_clear(&d->scorer);
    for (size_t i = 0; i < n; i++) {
        rows += d->space->profile->count[tuples[i]];
        if (d->space->rules.n_rules > 0) {
            pv_i_class_scorer_add(&d->scorer, tuples[i]);
        }
    }
    return rows >= d->space->k &&
           (d->space->rules.n_rules == 0 || !pv_i_class_scorer_breaks(&d->scorer, false));
}

/* ------------------------------------------------------------------ divide */

static int compare_children(const void *left, const void *right, void *ctx)
{
    const uint32_t *const child = ctx;
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    return child[a] != child[b] ? (child[a] > child[b]) - (child[a] < child[b]) : (a > b) - (a < b);
}

/* Sorts a block by the children of its node in one attribute. */
static void sort_by_child(const dividing *d, const block *b, size_t q)
{
    const pv_local_space *const space = d->space;
    const pv_local_tree *const tree = &space->trees[q];
    uint32_t *const tuples = d->tuples + b->first;
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
static bool divide_by(dividing *d, const block *b, size_t q)
{
    uint32_t *const tuples = d->tuples + b->first;
    const size_t stacked = d->n_stack;
    size_t from = 0;
    sort_by_child(d, b, q);
    for (size_t i = 1; i <= b->n; i++) {
        const bool ends = i == b->n || d->child[tuples[i]] != d->child[tuples[i - 1]];
        if (ends && keeps_alone(d, tuples + from, i - from)) {
            push_block(d, b->first + from, i - from);
            from = i;
        }
    }
    if (d->n_stack < stacked + 2) {
        d->n_stack = stacked;
        return false;
    }
    d->stack[d->n_stack - 1].n += b->n - from;
    if (from < b->n &&
        !keeps_alone(d, d->tuples + d->stack[d->n_stack - 1].first, d->stack[d->n_stack - 1].n)) {
        d->n_stack = stacked; /* a rule that others can break */
        return false;
    }
    return true;
}

/* Divides along the attribute that costs most of those that can be divided. */
static bool divide(dividing *d, const block *b)
{
    const pv_local_space *const space = d->space;
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
        if (divide_by(d, b, best)) {
            return true;
        }
    }
    return false;
}

/* ----------------------------------------------------------------- release */

/* Makes one class of a block that keeps the demands. */
static void release_together(dividing *d, const block *b)
{
    const uint32_t *const tuples = d->tuples + b->first;
    const size_t c = pv_i_local_class_new(d->classes);
    d->failed |= c == SIZE_MAX;
    for (size_t i = 0; !d->failed && i < b->n; i++) {
        d->failed =
            !pv_i_local_class_add(d->classes, c, tuples[i], d->space->profile->count[tuples[i]]);
        d->released[tuples[i]] = true;
    }
    if (!d->failed) {
        pv_i_local_tighten(d->classes, c);
    }
}

/* A block that is not divided further: classes of what is near each other, or one class. Forbidden
 * together, or `*` altogether: they are not released. */
static void release_block(dividing *d, const block *b)
{
    const uint32_t *const tuples = d->tuples + b->first;
    if (b->n <= PV_LOCAL_POOL) {
        pv_i_local_pool_clear(d->pool);
        for (size_t i = 0; i < b->n; i++) {
            (void)pv_i_local_pool_add(d->pool, tuples[i], d->space->profile->count[tuples[i]]);
        }
        if (!isinf(pv_i_local_pool_build(d->pool, &d->rng))) {
            for (size_t i = 0; i < b->n; i++) {
                d->released[tuples[i]] = true;
            }
            d->failed = !pv_i_local_pool_write(d->pool, d->classes, NULL, 0);
            return;
        }
    }
    join_block(d, b);
    if (keeps_alone(d, tuples, b->n) &&
        !isinf(pv_i_local_join_cost(d->space, d->nodes, d->nodes, NULL, (double)INFINITY))) {
        release_together(d, b);
    }
}

static pv_status divide_all(dividing *d, const pv_context *context, pv_error *error)
{
    uint64_t done = 0;
    pv_ticker ticker = pv_i_ticker(context, "dividing", d->space->n_tuples);
    while (!d->failed && d->n_stack > 0) {
        const block b = d->stack[--d->n_stack];
        if (b.n > ENOUGH_TUPLES && divide(d, &b)) {
            continue;
        }
        if (!d->failed) {
            release_block(d, &b);
        }
        done += b.n;
        if (!pv_i_tick(&ticker, done)) {
            return pv_i_cancelled(error);
        }
    }
    return d->failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

pv_status pv_i_local_divide(pv_local_draft *classes, uint32_t *tuples, const size_t *ends,
                            size_t n_blocks, bool *released, uint64_t seed,
                            const pv_context *context, pv_error *error)
{
    const pv_local_space *const space = classes->space;
    dividing d = {.space = space, .classes = classes, .tuples = tuples, .released = released};
    pv_status status = PV_STATUS_OK;
    d.child = PV_ARENA_ARRAY(&d.arena, uint32_t, space->n_tuples);
    d.nodes = PV_ARENA_ARRAY(&d.arena, uint32_t, space->n_quasi);
    d.pool = pv_i_local_pool_create(space);
    pv_i_rng_init(&d.rng, seed);
    d.failed = d.arena.failed || d.pool == NULL;
    for (size_t i = n_blocks; !d.failed && i-- > 0;) {
        const size_t first = i > 0 ? ends[i - 1] : 0;
        if (ends[i] > first) {
            push_block(&d, first, ends[i] - first);
        }
    }
    PV_TRY_CLEAN(d.failed ? pv_i_no_memory(error) : PV_STATUS_OK);
    PV_TRY_CLEAN(pv_i_class_scorer_init(&d.scorer, &space->rules, error));
    PV_TRY_CLEAN(divide_all(&d, context, error));
cleanup:
    pv_i_class_scorer_deinit(&d.scorer);
    pv_i_local_pool_free(d.pool);
    pv_i_free(d.stack);
    pv_i_arena_deinit(&d.arena);
    return status;
}
