/* The evaluator: workers on threads, over the whole lattice or over a list of schemes.
 *
 * A scheme is grouped one attribute after the other, in a fixed order chosen for the table. So the
 * list with the first p attributes generalized serves all schemes that agree on them. How a worker
 * uses that depends on what is asked for:
 *
 * The whole lattice: depth first. lists[p] are two lists per position; at[p] is the list that has
 * the first p attributes as in `path`. Going to the next level of attribute p rolls up from its
 * present level into the other of the two lists, so each scheme costs one roll-up of the last
 * attribute, the cheapest one:
 *
 *     at[0] base -> at[1] age 2 -> at[2] age 2, sex 0 (the same list) -> at[3] age 2, sex 0, zip 3
 *
 * A batch of schemes: from the longest cached prefix or from an anchor below (caches.h), whichever
 * has fewer groups. Few attributes are rolled up one after the other, with two lists in turn, and
 * prefixes are cached on the way; many are generalized at once (regroup.c).
 *
 * Threads take tasks from a counter (prefixes of the lattice, or schemes of the batch); each result
 * goes to the caller's slot of that scheme, so it does not matter who computed it or when. */
#include "lattice/evaluator.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "classes/profile.h"
#include "lattice/caches.h"
#include "lattice/regroup.h"
#include "lattice/view.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The lattice is shared out by prefixes; this many per thread keep all of them busy to the end. */
#define TASKS_PER_THREAD 64
/* Groups to roll up that are worth a thread of their own: it takes as long to start as some
 * thousand of them. */
#define WORK_PER_THREAD ((uint64_t)1 << 14)
/* Attributes that are rolled up one by one, with keys of one word and of more; where more have to
 * be generalized, all are at once. The lists in between are worth caching where keys are narrow. */
#define MOST_ROLLED 8
#define MOST_ROLLED_WIDE 1
/* Schemes of the caller's own between two looks at whether to go on. */
#define PATIENCE 16

/* Nothing here is shared between threads. */
typedef struct {
    pv_groups *lists;     /* per position two sides, each of all layers */
    const pv_groups **at; /* n_axes + 1: the list with the first p attributes as in path */
    uint8_t *path;        /* levels by position */
    uint8_t *below;       /* scratch: those of the list that a path is reached from */
    size_t n_valid;       /* at[1..n_valid] agree with path */
    uint32_t *step;       /* scratch: from groups of one level to those of another */
    uint64_t rolled;      /* groups rolled up since the evaluator last asked */
    pv_rollup_scratch scratch;
    pv_regroup_scratch regroup;
    pv_view view;
} worker;

struct pv_evaluator {
    pv_evaluator_options options;
    const pv_lattice *lattice;
    pv_layers layers;
    pv_steps steps;
    pv_caches caches;
    worker *workers;
    size_t most_rolled; /* attributes that are rolled up one by one; more of them at once */
    uint64_t pace;      /* groups rolled up per scheme in the last batch */
};

/* --------------------------------------------------------------- lifetime */

static pv_status worker_init(worker *w, const pv_evaluator *e, pv_error *error)
{
    const pv_view_rule rule = {.suppression = e->options.suppression,
                               .lattice = e->lattice,
                               .demands = e->options.demands,
                               .by_variety = e->options.by_variety};
    const pv_layers *const layers = &e->layers;
    w->lists = PV_NEW_ZEROED(pv_groups, layers->n_axes * 2 * layers->n);
    w->at = PV_NEW_ZEROED(const pv_groups *, layers->n_axes + 1);
    w->path = PV_NEW_ZEROED(uint8_t, layers->n_axes);
    w->below = PV_NEW_ZEROED(uint8_t, layers->n_axes);
    w->step = PV_NEW_ARRAY(uint32_t, e->steps.most_groups);
    if (w->lists == NULL || w->at == NULL || w->path == NULL || w->below == NULL ||
        w->step == NULL) {
        return pv_i_no_memory(error);
    }
    w->at[0] = layers->base;
    return pv_i_view_init(&w->view, layers, &rule, e->options.sizes, error);
}

static void worker_deinit(worker *w, const pv_layers *layers)
{
    for (size_t i = 0; w->lists != NULL && i < layers->n_axes * 2 * layers->n; i++) {
        pv_i_groups_deinit(&w->lists[i]);
    }
    pv_i_view_deinit(&w->view);
    pv_i_rollup_scratch_deinit(&w->scratch);
    pv_i_regroup_scratch_deinit(&w->regroup);
    pv_i_free(w->lists);
    pv_i_free(w->at);
    pv_i_free(w->path);
    pv_i_free(w->below);
    pv_i_free(w->step);
}

static bool begin_at_lowest(pv_evaluator *e);

pv_status pv_i_evaluator_create(const pv_profile *profile, const pv_lattice *lattice,
                                const pv_evaluator_options *options, pv_evaluator **evaluator,
                                pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    if (profile->n_rows > UINT32_MAX) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "searches work on tables of up to 2^32 - 1 rows");
    }
    pv_evaluator *const e = PV_NEW(pv_evaluator);
    if (e == NULL) {
        return pv_i_no_memory(error);
    }
    e->options = *options;
    e->lattice = lattice;
    if (e->options.suppression.budget >= profile->n_rows) {
        e->options.suppression.budget = profile->n_rows - 1;
    }
    PV_TRY_CLEAN(pv_i_layers_init(&e->layers, profile, options->sensitives, options->label, error));
    e->pace = e->layers.base[0].n * e->layers.n;
    e->most_rolled = e->layers.base[0].words > 1 ? MOST_ROLLED_WIDE : MOST_ROLLED;
    e->workers = PV_NEW_ZEROED(worker, options->threads);
    if (e->workers == NULL || !pv_i_steps_init(&e->steps, &e->layers, lattice) ||
        !pv_i_caches_init(&e->caches, lattice, e->layers.order, e->layers.n, options->memory)) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    for (unsigned i = 0; i < options->threads; i++) {
        PV_TRY_CLEAN(worker_init(&e->workers[i], e, error));
    }
    if (!begin_at_lowest(e)) {
        status = pv_i_no_memory(error);
        goto cleanup;
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
    for (unsigned i = 0; evaluator->workers != NULL && i < evaluator->options.threads; i++) {
        worker_deinit(&evaluator->workers[i], &evaluator->layers);
    }
    pv_i_caches_deinit(&evaluator->caches);
    pv_i_steps_deinit(&evaluator->steps);
    pv_i_layers_deinit(&evaluator->layers);
    pv_i_free(evaluator->workers);
    pv_i_free(evaluator);
}

/* ---------------------------------------------------------------- roll up */

/* The level of a hierarchy, whatever the levels of its axis are. */
#define RAW UINT_MAX

/* All layers of `source`, which has level `from` at the position, rolled up to level `to`. The
 * result goes to one of the two sides at `place`, not to the one it comes from. NULL when memory
 * runs out. */
static const pv_groups *roll(const pv_evaluator *e, worker *w, size_t position,
                             const pv_groups *source, unsigned from, unsigned to, size_t place)
{
    const pv_layers *const layers = &e->layers;
    pv_groups *const sides = w->lists + place * 2 * layers->n;
    pv_groups *const target = source == sides ? sides + layers->n : sides;
    const uint32_t *const step = from != RAW
                                     ? pv_i_steps_between(&e->steps, position, from, to, w->step)
                                     : e->steps.maps[position][to].group;
    for (size_t i = 0; i < layers->n; i++) {
        w->rolled += source[i].n;
        if (!pv_i_rollup(&source[i], layers->list[i].fields[position], step, &target[i],
                         &w->scratch)) {
            return NULL;
        }
    }
    return target;
}

/* The same for all attributes at once: from the levels `below` to those of the path. */
static const pv_groups *regroup(const pv_evaluator *e, worker *w, const pv_groups *source,
                                const uint8_t *below, const uint8_t *path)
{
    const pv_layers *const layers = &e->layers;
    pv_groups *const target = source == w->lists ? w->lists + layers->n : w->lists;
    for (size_t i = 0; i < layers->n; i++) {
        w->rolled += source[i].n;
        if (!pv_i_regroup(&source[i], &layers->list[i], &e->steps, below, path, &target[i],
                          &w->regroup)) {
            return NULL;
        }
    }
    return target;
}

/* The base has the lowest level of every axis, which need not be that of the raw values. */
static bool begin_at_lowest(pv_evaluator *e)
{
    pv_groups *const base = e->layers.base;
    for (size_t p = 0; p < e->layers.n_axes; p++) {
        if (pv_i_lattice_real(e->lattice, e->layers.order[p], 0) == 0) {
            continue;
        }
        if (roll(e, &e->workers[0], p, base, RAW, 0, 0) == NULL) {
            return false;
        }
        for (size_t i = 0; i < e->layers.n; i++) {
            const pv_groups raised = e->workers[0].lists[i];
            e->workers[0].lists[i] = base[i];
            base[i] = raised; /* a view of what the layer owns: both have to follow */
            e->layers.list[i].base = raised;
        }
    }
    return true;
}

/* Makes at[position + 1] the list with this level at the position; at[position] must be valid.
 * From the present level if that is lower and not raw, else from at[position]. Level 0 is the list
 * before. */
static bool set_level(const pv_evaluator *e, worker *w, size_t position, uint8_t level)
{
    const uint8_t present = w->n_valid > position ? w->path[position] : 0;
    const pv_groups *list = w->at[position];
    if (present > 0 && present <= level) {
        list = w->at[position + 1];
        if (present < level) {
            list = roll(e, w, position, list, present, level, position);
        }
    } else if (level > 0) {
        list = roll(e, w, position, list, 0, level, position);
    }
    w->at[position + 1] = list;
    w->path[position] = level;
    w->n_valid = list != NULL ? position + 1 : position;
    return list != NULL;
}

/* The list of the longest cached prefix of the path; `position` is its length. The base list if
 * nothing is cached, NULL when memory runs out. */
static const pv_groups *start_from_prefix(pv_evaluator *e, worker *w, const uint8_t *path,
                                          size_t *position)
{
    for (size_t p = e->layers.n_axes; p-- > 0;) {
        uint8_t level = 0;
        const pv_groups *list = path[p] > 0 ? pv_i_prefix_find(&e->caches, path, p, &level) : NULL;
        if (list != NULL) {
            *position = p + 1;
            if (level != path[p]) {
                list = roll(e, w, p, list, level, path[p], 0);
                if (list != NULL) {
                    pv_i_prefix_add(&e->caches, path, p, list);
                }
            }
            return list;
        }
    }
    *position = 0;
    return e->layers.base;
}

/* Rolls up one attribute after the other. Two lists in turn are enough: what is worth reusing is
 * cached. `prefixes`: the list is of a prefix of the path, and so are those that come of it. */
static const pv_groups *roll_each(pv_evaluator *e, worker *w, const pv_groups *list,
                                  const uint8_t *below, const uint8_t *path, bool prefixes)
{
    for (size_t p = 0; list != NULL && p < e->layers.n_axes; p++) {
        if (path[p] > below[p]) {
            list = roll(e, w, p, list, below[p], path[p], 0);
            if (list != NULL && prefixes) {
                pv_i_prefix_add(&e->caches, path, p, list);
            }
        }
    }
    return list;
}

/* Makes at[n_axes] the list of a whole path, from the shortest of the cached prefix and the anchor
 * below: what it takes grows with the groups that are read. */
static bool reach(pv_evaluator *e, worker *w, const uint8_t *path)
{
    const size_t n_axes = e->layers.n_axes;
    const pv_cached *const anchor = pv_i_anchor_below(&e->caches, path);
    size_t position = 0;
    const pv_groups *list = start_from_prefix(e, w, path, &position);
    const bool anchored = anchor != NULL && list != NULL && anchor->lists[0].n <= list[0].n;
    size_t n_raised = 0;
    if (anchored) {
        list = anchor->lists;
        memcpy(w->below, anchor->path, n_axes);
    } else {
        memcpy(w->below, path, position);
        memset(w->below + position, 0, n_axes - position);
    }
    for (size_t p = 0; p < n_axes; p++) {
        n_raised += path[p] > w->below[p];
    }
    if (list != NULL) {
        list = n_raised > e->most_rolled ? regroup(e, w, list, w->below, path)
                                         : roll_each(e, w, list, w->below, path, !anchored);
    }
    memcpy(w->path, path, n_axes);
    w->n_valid = 0; /* no list in between is of a prefix of the path */
    w->at[n_axes] = list;
    return list != NULL;
}

/* ------------------------------------------------------------ evaluations */

/* What the workers of one evaluation share. */
typedef struct {
    pv_evaluator *evaluator;
    pv_visit_fn visit;
    void *ctx;
    bool (*keep_going)(void *ctx, uint64_t done);
    uint64_t first, end; /* of the schemes to visit, in the order of visiting */
    size_t depth;        /* of the prefixes shared out */
    uint64_t n_prefixes;
    uint64_t first_task; /* of the whole lattice: the prefix that task 0 has */
    uint64_t n_tasks;
    atomic_uint_fast64_t done;
    unsigned unasked;         /* schemes worker 0 visited since it asked whether to go on */
    atomic_bool stop;         /* the caller wants no more */
    const uint8_t *paths;     /* of a batch: levels by position */
    const uint32_t *sequence; /* of a batch: the order to visit it in */
} evaluation;

/* Hands the scheme at the end of the worker's path to the caller. */
static pv_status visit(evaluation *e, unsigned number, uint64_t scheme, pv_error *error)
{
    worker *const w = &e->evaluator->workers[number];
    pv_classes classes;
    pv_status status = PV_STATUS_NO_MEMORY;
    bool failed = false;
    if (pv_i_view_classes(&w->view, w->at[e->evaluator->layers.n_axes], w->path, &classes)) {
        do {
            status = e->visit(e->ctx, number, scheme, &classes);
        } while (status == PV_STATUS_OK && pv_i_view_next(&w->view, &classes, &failed));
        status = failed ? PV_STATUS_NO_MEMORY : status;
    }
    const uint64_t done = atomic_fetch_add_explicit(&e->done, 1, memory_order_relaxed) + 1;
    /* Asked by the caller's own count: the common one may pass every round number on other
     * threads. */
    if (number == 0 && ++e->unasked >= PATIENCE && e->keep_going != NULL) {
        e->unasked = 0;
        if (!e->keep_going(e->ctx, done)) {
            atomic_store(&e->stop, true);
        }
    }
    return status == PV_STATUS_NO_MEMORY ? pv_i_no_memory(error) : status;
}

static pv_status run_on(evaluation *e, unsigned threads, pv_task_fn work, pv_error *error)
{
    atomic_init(&e->done, 0);
    atomic_init(&e->stop, false);
    for (unsigned i = 0; i < e->evaluator->options.threads; i++) {
        e->evaluator->workers[i].n_valid = 0;
    }
    return pv_i_tasks_run(threads, e->n_tasks, work, e, NULL, error);
}

/* ------------------------------------------------------- the whole lattice */

/* Visits all schemes that agree with the worker's path on the first `position` attributes. They are
 * `n_below`; the first one is `node` of the lattice and has this rank in the order of visiting. */
static pv_status visit_below(evaluation *e, const pv_thread *thread, size_t position,
                             uint64_t n_below, uint64_t node, uint64_t rank, pv_error *error)
{
    pv_evaluator *const evaluator = e->evaluator;
    const pv_lattice *const lattice = evaluator->lattice;
    if (rank >= e->end || rank + n_below <= e->first) {
        return PV_STATUS_OK;
    }
    if (position == lattice->n_axes) {
        return visit(e, thread->number, node, error);
    }
    const size_t q = evaluator->layers.order[position];
    n_below /= lattice->heights[q] + 1u;
    for (unsigned level = 0; level <= lattice->heights[q]; level++) {
        if (atomic_load_explicit(&e->stop, memory_order_relaxed) || !pv_i_goes_on(thread, 0)) {
            break;
        }
        if (!set_level(evaluator, &evaluator->workers[thread->number], position, (uint8_t)level)) {
            return pv_i_no_memory(error);
        }
        PV_TRY(visit_below(e, thread, position + 1, n_below, node + level * lattice->strides[q],
                           rank + level * n_below, error));
    }
    return PV_STATUS_OK;
}

/* Gives the worker a prefix, starting from what it has; `node` is its first scheme. Prefixes are
 * numbered so that consecutive ones differ in their last levels first: a worker that takes the next
 * task rolls up little more than one attribute. */
static bool enter_prefix(const evaluation *e, worker *w, uint64_t prefix, uint64_t *node)
{
    const pv_evaluator *const evaluator = e->evaluator;
    const pv_lattice *const lattice = evaluator->lattice;
    uint64_t n_below = e->n_prefixes;
    bool same = true;
    *node = 0;
    for (size_t p = 0; p < e->depth; p++) {
        const size_t q = evaluator->layers.order[p];
        n_below /= lattice->heights[q] + 1u;
        const uint8_t level = (uint8_t)(prefix / n_below % (lattice->heights[q] + 1u));
        *node += level * lattice->strides[q];
        same = same && w->n_valid > p && w->path[p] == level;
        if (same) {
            continue;
        }
        if (w->n_valid > p + 1) {
            w->n_valid = p + 1;
        }
        if (!set_level(evaluator, w, p, level)) {
            return false;
        }
    }
    return true;
}

static pv_status visit_prefix(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    evaluation *const e = ctx;
    const uint64_t n_below = e->evaluator->lattice->n_nodes / e->n_prefixes;
    const uint64_t prefix = e->first_task + task;
    uint64_t node = 0;
    if (atomic_load(&e->stop)) {
        return PV_STATUS_OK;
    }
    return enter_prefix(e, &e->evaluator->workers[thread->number], prefix, &node)
               ? visit_below(e, thread, e->depth, n_below, node, prefix * n_below, error)
               : pv_i_no_memory(error);
}

/* Shares out the prefixes that have any of the schemes. */
static void share_out(evaluation *e, uint64_t wanted)
{
    const pv_lattice *const lattice = e->evaluator->lattice;
    e->n_prefixes = 1;
    e->n_tasks = 1;
    while (e->depth < lattice->n_axes && e->n_tasks < wanted) {
        e->n_prefixes *= lattice->heights[e->evaluator->layers.order[e->depth++]] + 1u;
        const uint64_t n_below = lattice->n_nodes / e->n_prefixes;
        e->first_task = e->first / n_below;
        e->n_tasks = (e->end - 1) / n_below + 1 - e->first_task;
    }
}

pv_status pv_i_evaluate_part(pv_evaluator *evaluator, pv_visit_fn visit_fn, void *ctx,
                             bool (*keep_going)(void *ctx, uint64_t done), uint64_t first,
                             uint64_t end, pv_error *error)
{
    const unsigned threads = evaluator->options.threads;
    const uint64_t n_nodes = evaluator->lattice->n_nodes;
    evaluation e = {.evaluator = evaluator,
                    .visit = visit_fn,
                    .ctx = ctx,
                    .keep_going = keep_going,
                    .first = first,
                    .end = end < n_nodes ? end : n_nodes};
    if (e.first >= e.end) {
        return PV_STATUS_OK;
    }
    share_out(&e, (uint64_t)threads * TASKS_PER_THREAD);
    return run_on(&e, threads, visit_prefix, error);
}

pv_status pv_i_evaluate_all(pv_evaluator *evaluator, pv_visit_fn visit_fn, void *ctx,
                            bool (*keep_going)(void *ctx, uint64_t done), uint64_t limit,
                            pv_error *error)
{
    return pv_i_evaluate_part(evaluator, visit_fn, ctx, keep_going, 0,
                              limit > 0 ? limit : UINT64_MAX, error);
}

/* ---------------------------------------------------------------- a batch */

/* By path, so that neighbours share prefixes; a total order. */
static int compare_schemes(const void *left, const void *right, void *ctx)
{
    const evaluation *const e = ctx;
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    const size_t n = e->evaluator->lattice->n_axes;
    const int order = memcmp(e->paths + a * n, e->paths + b * n, n);
    return order != 0 ? order : (a > b) - (a < b);
}

/* Levels by quasi-identifier as levels by position. */
static void to_path(const pv_layers *layers, const uint8_t *levels, uint8_t *path)
{
    for (size_t p = 0; p < layers->n_axes; p++) {
        path[p] = levels[layers->order[p]];
    }
}

static pv_status visit_scheme(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    evaluation *const e = ctx;
    const uint32_t scheme = e->sequence[task];
    const uint8_t *const path = e->paths + (size_t)scheme * e->evaluator->layers.n_axes;
    return reach(e->evaluator, &e->evaluator->workers[thread->number], path)
               ? visit(e, thread->number, scheme, error)
               : pv_i_no_memory(error);
}

pv_status pv_i_evaluate_batch(pv_evaluator *evaluator, const uint8_t *levels, size_t n,
                              pv_visit_fn visit_fn, void *ctx, pv_error *error)
{
    const size_t n_axes = evaluator->layers.n_axes;
    if (n == 0) {
        return PV_STATUS_OK;
    }
    uint32_t *const sequence = PV_NEW_ARRAY(uint32_t, n);
    uint8_t *const paths = pv_i_array(n, n_axes);
    evaluation e = {.evaluator = evaluator,
                    .visit = visit_fn,
                    .ctx = ctx,
                    .n_tasks = n,
                    .paths = paths,
                    .sequence = sequence};
    if (sequence == NULL || paths == NULL) {
        pv_i_free(sequence);
        pv_i_free(paths);
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        sequence[i] = (uint32_t)i;
        to_path(&evaluator->layers, levels + i * n_axes, paths + i * n_axes);
    }
    qsort_r(sequence, n, sizeof *sequence, compare_schemes, &e);
    pv_i_prefix_evict(&evaluator->caches);

    /* As many threads as have something to do, judging by the last batch: how much has to be rolled
     * up depends on what is cached. (It changes when a scheme is grouped, never what comes of it.)
     */
    const unsigned threads = evaluator->options.threads;
    const uint64_t work = (uint64_t)n * evaluator->pace / WORK_PER_THREAD;
    const uint64_t most = n < threads ? n : threads;
    const pv_status status =
        run_on(&e, (unsigned)(work < most ? work + 1 : most), visit_scheme, error);
    uint64_t rolled = 0;
    for (unsigned i = 0; i < threads; i++) {
        rolled += evaluator->workers[i].rolled;
        evaluator->workers[i].rolled = 0;
    }
    evaluator->pace = rolled / n;
    pv_i_free(sequence);
    pv_i_free(paths);
    return status;
}

pv_status pv_i_evaluator_anchor(pv_evaluator *evaluator, const uint8_t *levels, pv_error *error)
{
    const size_t n_axes = evaluator->layers.n_axes;
    worker *const w = &evaluator->workers[0];
    uint8_t *const path = PV_NEW_ARRAY(uint8_t, n_axes);
    bool ready = path != NULL;
    if (ready) {
        to_path(&evaluator->layers, levels, path);
        if (!pv_i_anchor_touch(&evaluator->caches, path)) {
            pv_i_prefix_evict(&evaluator->caches);
            ready = reach(evaluator, w, path);
            if (ready) {
                pv_i_anchor_add(&evaluator->caches, path, w->at[n_axes]);
            }
        }
    }
    pv_i_free(path);
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}
