/* The evaluator: workers on threads, over the whole lattice or over a list of schemes. */
#include "lattice/evaluator.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "classes/profile.h"
#include "lattice/worker.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The lattice is shared out by prefixes; this many per thread keep all of them busy to the end. */
#define TASKS_PER_THREAD 64
/* Groups to roll up that are worth a thread of their own: it takes as long to start as some
 * thousand of them. */
#define WORK_PER_THREAD ((uint64_t)1 << 14)
/* The part of the memory that stands may take, besides what is kept. */
#define STANDS_PART 4
/* Schemes of the caller's own between two looks at whether to go on. */
#define PATIENCE 16

struct pv_evaluator {
    pv_ground ground;
    pv_kept kept;
    pv_worker *workers;
    uint64_t pace; /* groups rolled up per scheme in the last batch */
};

/* -------------------------------------------------------------- set up */

static pv_status add_layer(pv_ground *ground, const pv_histogram *histogram, pv_error *error)
{
    PV_TRY(pv_i_layer_init(&ground->layers[ground->n_layers], ground->profile, ground->order,
                           histogram, error));
    ground->base[ground->n_layers] = ground->layers[ground->n_layers].base;
    ground->n_layers++;
    return PV_STATUS_OK;
}

/* A layer for every column to be counted, or one that counts none. */
static pv_status add_layers(pv_ground *ground, pv_error *error)
{
    const pv_profile *const profile = ground->profile;
    if (ground->options.sensitives || ground->options.label) {
        PV_TRY(pv_i_profile_count(profile, error));
    }
    ground->layers = PV_NEW_ZEROED(pv_layer, profile->n_sensitive + 2);
    ground->base = PV_NEW_ZEROED(pv_groups, profile->n_sensitive + 2);
    if (ground->layers == NULL || ground->base == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; ground->options.sensitives && i < profile->n_sensitive; i++) {
        PV_TRY(add_layer(ground, &profile->sensitive[i], error));
    }
    if (ground->options.label && profile->label != NULL) {
        PV_TRY(add_layer(ground, profile->label, error));
    }
    return ground->n_layers == 0 ? add_layer(ground, NULL, error) : PV_STATUS_OK;
}

static pv_status ground_init(pv_ground *ground, pv_error *error)
{
    const uint64_t n_rows = ground->profile->n_rows;
    if (n_rows > UINT32_MAX) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "searches work on tables of up to 2^32 - 1 rows");
    }
    if (ground->options.suppression.budget >= n_rows) {
        ground->options.suppression.budget = n_rows - 1;
    }
    ground->order = PV_NEW_ZEROED(size_t, ground->n_axes);
    if (ground->order == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_attribute_order(ground->profile, ground->order, error));
    return add_layers(ground, error);
}

pv_status pv_i_evaluator_create(const pv_profile *profile, const pv_lattice *lattice,
                                const pv_evaluator_options *options, pv_evaluator **evaluator,
                                pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    pv_evaluator *const e = PV_NEW(pv_evaluator);
    if (e == NULL) {
        return pv_i_no_memory(error);
    }
    e->ground = (pv_ground){
        .profile = profile, .lattice = lattice, .options = *options, .n_axes = lattice->n_axes};
    PV_TRY_CLEAN(ground_init(&e->ground, error));
    pv_i_stands_init(&e->ground.stands, lattice->n_axes, e->ground.n_layers,
                     options->memory / STANDS_PART);
    e->pace = e->ground.base[0].n * e->ground.n_layers;
    e->workers = PV_NEW_ZEROED(pv_worker, options->threads);
    if (e->workers == NULL ||
        !pv_i_kept_init(&e->kept, lattice, e->ground.order, e->ground.n_layers, options->memory)) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    for (unsigned i = 0; i < options->threads; i++) {
        PV_TRY_CLEAN(pv_i_worker_init(&e->workers[i], &e->ground, &e->kept, error));
    }
    *evaluator = e;
    return PV_STATUS_OK;
cleanup:
    pv_i_evaluator_free(e);
    return status;
}

void pv_i_evaluator_free(pv_evaluator *evaluator)
{
    if (evaluator == NULL) {
        return;
    }
    for (unsigned i = 0; evaluator->workers != NULL && i < evaluator->ground.options.threads; i++) {
        pv_i_worker_deinit(&evaluator->workers[i]);
    }
    for (size_t i = 0; evaluator->ground.layers != NULL && i < evaluator->ground.n_layers; i++) {
        pv_i_layer_deinit(&evaluator->ground.layers[i]);
    }
    pv_i_kept_deinit(&evaluator->kept);
    pv_i_stands_deinit(&evaluator->ground.stands);
    pv_i_free(evaluator->workers);
    pv_i_free(evaluator->ground.layers);
    pv_i_free(evaluator->ground.base);
    pv_i_free(evaluator->ground.order);
    pv_i_free(evaluator);
}

/* --------------------------------------------------------- the lattice */

/* What the workers of one evaluation share. */
typedef struct {
    pv_evaluator *evaluator;
    pv_visit_fn visit;
    void *ctx;
    bool (*keep_going)(void *ctx, uint64_t done);
    uint64_t limit; /* schemes to visit */
    size_t depth;   /* of the prefixes shared out */
    uint64_t n_tasks;
    atomic_uint_fast64_t next;
    atomic_uint_fast64_t done;
    unsigned unasked; /* schemes worker 0 visited since it asked whether to go on */
    atomic_int status;
    atomic_bool stop;
    const uint8_t *levels;    /* of a batch */
    const uint32_t *sequence; /* of a batch: the order to visit it in */
} evaluation;

static void fail(evaluation *e, pv_status status)
{
    int expected = PV_STATUS_OK;
    (void)atomic_compare_exchange_strong(&e->status, &expected, (int)status);
    atomic_store(&e->stop, true);
}

/* By the caller's own count: the common one may pass every round number on other threads. */
static void ask(evaluation *e, uint64_t done)
{
    e->unasked++;
    if (e->keep_going != NULL && e->unasked >= PATIENCE) {
        e->unasked = 0;
        if (!e->keep_going(e->ctx, done)) {
            atomic_store(&e->stop, true);
        }
    }
}

static void visit(evaluation *e, unsigned number, uint64_t node)
{
    pv_worker *const worker = &e->evaluator->workers[number];
    pv_classes view;
    const pv_status status = pv_i_worker_view(worker, &view) ? e->visit(e->ctx, number, node, &view)
                                                             : PV_STATUS_NO_MEMORY;
    if (status != PV_STATUS_OK) {
        fail(e, status);
    }
    const uint64_t done = atomic_fetch_add_explicit(&e->done, 1, memory_order_relaxed) + 1;
    if (number == 0) {
        ask(e, done);
    }
}

/* Where a scheme stands: its node, and its rank in the order of visiting. */
typedef struct {
    uint64_t node, rank;
} standing;

/* All schemes that agree with the worker's path on the first `position` attributes; they are
 * `below` of them, and the first one stands `at`. */
static void walk(evaluation *e, unsigned number, size_t position, uint64_t below, standing at)
{
    pv_worker *const worker = &e->evaluator->workers[number];
    const pv_ground *const ground = &e->evaluator->ground;
    if (at.rank >= e->limit) {
        return;
    }
    if (position == ground->n_axes) {
        visit(e, number, at.node);
        return;
    }
    const size_t q = ground->order[position];
    below /= ground->lattice->heights[q] + 1u;
    for (unsigned level = 0; level <= ground->lattice->heights[q]; level++) {
        if (atomic_load_explicit(&e->stop, memory_order_relaxed)) {
            return;
        }
        if (!pv_i_worker_raise(worker, position, (uint8_t)level)) {
            fail(e, PV_STATUS_NO_MEMORY);
            return;
        }
        const standing next = {.node = at.node + level * ground->lattice->strides[q],
                               .rank = at.rank + level * below};
        walk(e, number, position + 1, below, next);
    }
}

/* Makes the worker stand for the prefix of a task, from where it stands. */
static bool enter_task(const evaluation *e, pv_worker *worker, uint64_t task, uint64_t *node)
{
    const pv_ground *const ground = worker->ground;
    uint64_t rest = e->n_tasks;
    bool same = true;
    *node = 0;
    for (size_t p = 0; p < e->depth; p++) {
        const size_t q = ground->order[p];
        rest /= ground->lattice->heights[q] + 1u;
        const uint8_t level = (uint8_t)(task / rest % (ground->lattice->heights[q] + 1u));
        *node += level * ground->lattice->strides[q];
        same = same && worker->n_valid > p && worker->path[p] == level;
        if (same) {
            continue;
        }
        if (worker->n_valid > p + 1) {
            worker->n_valid = p + 1;
        }
        if (!pv_i_worker_raise(worker, p, level)) {
            return false;
        }
    }
    return true;
}

static void walk_tasks(void *ctx, unsigned number)
{
    evaluation *const e = ctx;
    for (;;) {
        const uint64_t task = atomic_fetch_add(&e->next, 1);
        const uint64_t below = e->evaluator->ground.lattice->n_nodes / e->n_tasks;
        standing at = {.rank = task * below};
        if (task >= e->n_tasks || atomic_load(&e->stop)) {
            return;
        }
        if (!enter_task(e, &e->evaluator->workers[number], task, &at.node)) {
            fail(e, PV_STATUS_NO_MEMORY);
            return;
        }
        walk(e, number, e->depth, below, at);
    }
}

static void share_out(evaluation *e)
{
    const pv_ground *const ground = &e->evaluator->ground;
    const uint64_t wanted = (uint64_t)ground->options.threads * TASKS_PER_THREAD;
    e->n_tasks = 1;
    while (e->depth < ground->n_axes && e->n_tasks < wanted) {
        e->n_tasks *= ground->lattice->heights[ground->order[e->depth++]] + 1u;
    }
}

static pv_status outcome(const evaluation *e, pv_error *error)
{
    const pv_status status = (pv_status)atomic_load(&e->status);
    return status == PV_STATUS_NO_MEMORY ? pv_i_no_memory(error) : status;
}

static void start(evaluation *e)
{
    atomic_init(&e->next, 0);
    atomic_init(&e->done, 0);
    atomic_init(&e->status, PV_STATUS_OK);
    atomic_init(&e->stop, false);
    for (unsigned i = 0; i < e->evaluator->ground.options.threads; i++) {
        e->evaluator->workers[i].n_valid = 0;
    }
}

pv_status pv_i_evaluate_all(pv_evaluator *evaluator, pv_visit_fn visit_fn, void *ctx,
                            bool (*keep_going)(void *ctx, uint64_t done), uint64_t limit,
                            pv_error *error)
{
    evaluation e = {.evaluator = evaluator,
                    .visit = visit_fn,
                    .ctx = ctx,
                    .keep_going = keep_going,
                    .limit = limit > 0 ? limit : UINT64_MAX};
    start(&e);
    share_out(&e);
    pv_i_pool_run(evaluator->ground.options.threads, walk_tasks, &e);
    return outcome(&e, error);
}

/* ------------------------------------------------------------- a batch */

typedef struct {
    const pv_ground *ground;
    const uint8_t *levels;
} batch_order;

/* By prefix, so that neighbours share lists; a total order. */
static int compare_schemes(const void *left, const void *right, void *ctx)
{
    const batch_order *const order = ctx;
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    const size_t n = order->ground->n_axes;
    for (size_t p = 0; p < n; p++) {
        const size_t q = order->ground->order[p];
        const int difference = order->levels[a * n + q] - order->levels[b * n + q];
        if (difference != 0) {
            return difference;
        }
    }
    return (a > b) - (a < b);
}

static void by_position(const pv_ground *ground, const uint8_t *levels, uint8_t *path)
{
    for (size_t p = 0; p < ground->n_axes; p++) {
        path[p] = levels[ground->order[p]];
    }
}

static void visit_scheme(evaluation *e, unsigned number, uint32_t scheme, uint8_t *path)
{
    pv_worker *const worker = &e->evaluator->workers[number];
    const pv_ground *const ground = &e->evaluator->ground;
    by_position(ground, e->levels + (size_t)scheme * ground->n_axes, path);
    if (!pv_i_worker_reach(worker, path)) {
        fail(e, PV_STATUS_NO_MEMORY);
        return;
    }
    visit(e, number, scheme);
}

static void visit_schemes(void *ctx, unsigned number)
{
    evaluation *const e = ctx;
    uint8_t *const path = PV_NEW_ARRAY(uint8_t, e->evaluator->ground.n_axes);
    if (path == NULL) {
        fail(e, PV_STATUS_NO_MEMORY);
        return;
    }
    for (;;) {
        const uint64_t next = atomic_fetch_add(&e->next, 1);
        if (next >= e->n_tasks || atomic_load(&e->stop)) {
            break;
        }
        visit_scheme(e, number, e->sequence[next], path);
    }
    pv_i_free(path);
}

/* As many as have something to do, judging by the last batch: how much has to be rolled up depends
 * on what is at hand. (It changes when a scheme is grouped, never what comes of it.) */
static unsigned threads_for(const pv_evaluator *evaluator, size_t n)
{
    const unsigned threads = evaluator->ground.options.threads;
    const uint64_t work = (uint64_t)n * evaluator->pace / WORK_PER_THREAD;
    const uint64_t most = n < threads ? n : threads;
    return (unsigned)(work < most ? work + 1 : most);
}

static void measure_pace(pv_evaluator *evaluator, size_t n)
{
    uint64_t rolled = 0;
    for (unsigned i = 0; i < evaluator->ground.options.threads; i++) {
        rolled += evaluator->workers[i].rolled;
        evaluator->workers[i].rolled = 0;
    }
    evaluator->pace = rolled / n;
}

pv_status pv_i_evaluate_batch(pv_evaluator *evaluator, const uint8_t *levels, size_t n,
                              pv_visit_fn visit_fn, void *ctx, pv_error *error)
{
    if (n == 0) {
        return PV_STATUS_OK;
    }
    uint32_t *const sequence = PV_NEW_ARRAY(uint32_t, n);
    if (sequence == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        sequence[i] = (uint32_t)i;
    }
    batch_order order = {.ground = &evaluator->ground, .levels = levels};
    qsort_r(sequence, n, sizeof *sequence, compare_schemes, &order);
    evaluation e = {.evaluator = evaluator,
                    .visit = visit_fn,
                    .ctx = ctx,
                    .n_tasks = n,
                    .levels = levels,
                    .sequence = sequence};
    start(&e);
    pv_i_kept_make_room(&evaluator->kept);
    pv_i_pool_run(threads_for(evaluator, n), visit_schemes, &e);
    measure_pace(evaluator, n);
    pv_i_free(sequence);
    return outcome(&e, error);
}

/* -------------------------------------------------------------- a stand */

pv_status pv_i_evaluator_stand(pv_evaluator *evaluator, const uint8_t *levels, pv_error *error)
{
    pv_ground *const ground = &evaluator->ground;
    pv_worker *const worker = &evaluator->workers[0];
    uint8_t *const path = PV_NEW_ARRAY(uint8_t, ground->n_axes);
    bool ready = path != NULL;
    if (ready) {
        by_position(ground, levels, path);
        if (!pv_i_stands_touch(&ground->stands, path)) {
            pv_i_kept_make_room(&evaluator->kept);
            ready = pv_i_worker_reach(worker, path);
            if (ready) {
                pv_i_stands_take(&ground->stands, path, worker->at[ground->n_axes]);
            }
        }
    }
    pv_i_free(path);
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}
