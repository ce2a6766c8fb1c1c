/* From both ends along the lattice, then by evolution, into an archive of boxes.
 *
 * Neighbours of what is on the front are often on the front. So the search looks around every
 * member of the archive:
 *
 *     one attribute a level up;   one up and another down;   one down
 *
 * The coarser neighbours come first, because what turns out weak settles everything finer: a scheme
 * is not evaluated if the archive has something at least as good as it can be (sampled bounds).
 * When there is nothing left to look around, members are crossed and mutated as in PBG-EA, and what
 * comes of it is looked around in turn. When that brings nothing new, three attributes are moved at
 * once.
 *
 * Neighbours share most of their levels. An anchor below them, a scheme whose groups are cached,
 * makes each of them a roll-up of a few attributes of a short list (caches.h).
 *
 * In a large lattice the search begins with a ladder of schemes between the ends. Then it takes
 * turns with the search for the best schemes for a ladder of demands (seeds.h), whose answers are
 * looked around, too. There it never gives up because nothing new came up for a while. It ends
 * after so many seconds or evaluations as are asked for; if nothing is, when its work, counted and
 * not timed, reaches WORK: about ten seconds of one thread.
 *
 * On Adult this finds the whole front with fewer evaluations than PBG-EA takes to find most of it.
 */
#include "lattice/driver.h"

#include "base/error.h"
#include "base/memory.h"
#include "lattice/evolution.h"
#include "lattice/loss_order.h"
#include "lattice/scheme_bounds.h"
#include "lattice/seeds.h"

#include <math.h>
#include <string.h>

/* Schemes evaluated together; the same for any number of threads, so that the account is. */
#define BATCH 8
/* Schemes that are not worth an anchor of their own. */
#define FEW 2
/* Generations without anything new before it looks further around, which takes about n^3 schemes
 * for n attributes. */
#define BORED 5
/* Lattices this large are entered by the ladder and with seeds ... */
#define LARGE 1e6
/* ... and searched for so long: schemes, nodes and generations, each as many as the table has
 * tuples and some for what does not depend on the table. */
#define WORK 1e9
#define MOST_WORK 1e10 /* where a limit of evaluations is asked for */
#define UNSEEDED 2000  /* schemes before the first seed, unless nothing new comes up */
#define WORK_ALWAYS 20000
#define NO_BLOCK SIZE_MAX

struct pv_hybrid {
    pv_run *run;
    pv_evolution evolution;
    pv_memo memo;
    pv_sampled_bounds bounds;
    pv_rng rng;
    uint8_t *center; /* the scheme that is looked around */
    bool is_beaten;  /* it is no longer in the archive */
    uint8_t *near;   /* a scheme near it */
    size_t *axes;    /* attributes in random order */
    uint8_t *below;  /* scratch: a scheme for an anchor */
    size_t block;    /* of the axes: the queued moves lower one of them; NO_BLOCK = none */
    uint8_t *queue;  /* schemes to look at */
    size_t n_queue, capacity;
    uint8_t *batch;
    uint32_t *ids;
    uint64_t idle; /* generations since the archive last changed */
    bool started;
    pv_seeds *seeds; /* in a large lattice; else NULL */
    double work;     /* that it may take; 0 = until another limit */
};

typedef struct pv_hybrid hybrid;

static bool is_stopped(const hybrid *h)
{
    return h->run->stop != PV_STOP_FINISHED;
}

/* --------------------------------------------------------------- evaluate */

static pv_status evaluate(hybrid *h, const uint8_t *levels, size_t n, pv_error *error)
{
    const size_t n_axes = h->run->lattice.n_axes;
    PV_TRY(pv_i_memo_evaluate(&h->memo, levels, n, h->ids, error));
    for (size_t i = 0; i < h->memo.n_new; i++) {
        pv_i_sampled_bounds_learn(&h->bounds, h->memo.new_levels + i * n_axes,
                                  &h->memo.outcomes[i]);
    }
    return pv_i_run_review(h->run, error);
}

static bool is_pointless(const hybrid *h, const uint8_t *levels)
{
    return pv_i_memo_knows(&h->memo, levels) || pv_i_sampled_bounds_hopeless(&h->bounds, levels);
}

/* Takes schemes from the queue, as long as there are, that are still worth it. */
static size_t fill_batch(hybrid *h, size_t *position)
{
    const size_t n_axes = h->run->lattice.n_axes;
    size_t n = 0;
    for (; n < BATCH && *position < h->n_queue; (*position)++) {
        const uint8_t *const levels = h->queue + *position * n_axes;
        if (!is_pointless(h, levels)) {
            memcpy(h->batch + n++ * n_axes, levels, n_axes);
        }
    }
    return n;
}

static pv_status evaluate_queue(hybrid *h, pv_error *error)
{
    size_t position = 0;
    for (;;) {
        const size_t n = fill_batch(h, &position);
        if (n == 0 || !pv_i_run_goes_on(h->run, h->run->evaluated)) {
            return PV_STATUS_OK;
        }
        PV_TRY(evaluate(h, h->batch, n, error));
    }
}

/* ------------------------------------------------------------- look around */

/* Makes sure that n schemes fit into the queue. */
static bool reserve(hybrid *h, size_t n)
{
    return pv_i_reserve((void **)&h->queue, &h->capacity, n, h->run->lattice.n_axes);
}

/* Queues the scheme in `near` unless it is known or hopeless. */
static bool enqueue(hybrid *h)
{
    const size_t n_axes = h->run->lattice.n_axes;
    if (is_pointless(h, h->near)) {
        return true;
    }
    if (!reserve(h, h->n_queue + 1)) {
        return false;
    }
    memcpy(h->queue + h->n_queue++ * n_axes, h->near, n_axes);
    return true;
}

/* Queues what is above `near` by so many attributes of one level, which are not those below the
 * center. */
static bool enqueue_above(hybrid *h, size_t first, unsigned ups)
{
    const pv_lattice *const lattice = &h->run->lattice;
    if (ups == 0) {
        return enqueue(h);
    }
    for (size_t i = first; i < lattice->n_axes; i++) {
        const size_t axis = h->axes[i];
        if (h->near[axis] < h->center[axis] || h->near[axis] == lattice->heights[axis]) {
            continue;
        }
        h->near[axis]++;
        const bool ready = enqueue_above(h, i + 1, ups - 1);
        h->near[axis]--;
        if (!ready) {
            return false;
        }
    }
    return true;
}

/* Anchors below the moves that lower one attribute, then another, would differ in two levels each,
 * and rolling up all n attributes for every one of them takes n * n lists. Instead there is one
 * anchor per block of sqrt(n) attributes, below all moves that lower one of these: n * sqrt(n)
 * lists. */
static size_t block_length(const hybrid *h)
{
    return (size_t)ceil(sqrt((double)h->run->lattice.n_axes));
}

/* Evaluates what is queued. All of it is above `near`, or above the anchor below a block: with more
 * than a few it is worth to have one. */
static pv_status evaluate_queued(hybrid *h, pv_error *error)
{
    const size_t n_axes = h->run->lattice.n_axes;
    if (h->n_queue > FEW) {
        memcpy(h->below, h->near, n_axes);
        if (h->block != NO_BLOCK) {
            const size_t length = block_length(h);
            for (size_t i = h->block * length; i < n_axes && i < (h->block + 1) * length; i++) {
                const size_t axis = h->axes[i];
                if (h->near[axis] == h->center[axis] && h->near[axis] > 0) {
                    h->below[axis] = (uint8_t)(h->near[axis] - 1);
                }
            }
        }
        PV_TRY(pv_i_evaluator_anchor(h->run->evaluator, h->below, error));
    }
    PV_TRY(evaluate_queue(h, error));
    h->is_beaten = !pv_i_archive_has(&h->run->archive, h->center);
    h->n_queue = 0;
    return PV_STATUS_OK;
}

/* What lowers one attribute of a block is evaluated together, so that threads have something to
 * do: one attribute alone leaves two or three schemes that are worth a look. */
static pv_status try_block(hybrid *h, size_t block, size_t first, unsigned ups, pv_error *error)
{
    const size_t end = (block + 1) * block_length(h);
    h->block = block;
    h->n_queue = 0;
    for (size_t i = first; i < end && i < h->run->lattice.n_axes; i++) {
        const size_t axis = h->axes[i];
        if (h->near[axis] > 0 && h->near[axis] == h->center[axis]) {
            h->near[axis]--;
            const bool ready = enqueue_above(h, 0, ups);
            h->near[axis]++;
            if (!ready) {
                return pv_i_no_memory(error);
            }
        }
    }
    return evaluate_queued(h, error);
}

/* Tries all schemes that differ from the center by so many attributes a level up and so many, from
 * `first` on, a level down. */
static pv_status try_moves(hybrid *h, size_t first, unsigned ups, unsigned downs, pv_error *error)
{
    const size_t n_axes = h->run->lattice.n_axes;
    if (downs == 0) {
        h->block = NO_BLOCK;
        h->n_queue = 0;
        return enqueue_above(h, 0, ups) ? evaluate_queued(h, error) : pv_i_no_memory(error);
    }
    if (downs == 1) {
        for (size_t i = first; i < n_axes && !is_stopped(h) && !h->is_beaten;) {
            const size_t block = i / block_length(h);
            PV_TRY(try_block(h, block, i, ups, error));
            i = (block + 1) * block_length(h);
        }
        return PV_STATUS_OK;
    }
    for (size_t i = first; i < n_axes && !is_stopped(h) && !h->is_beaten; i++) {
        const size_t axis = h->axes[i];
        if (h->near[axis] > 0) {
            h->near[axis]--;
            PV_TRY(try_moves(h, i + 1, ups, downs - 1, error));
            h->near[axis]++;
        }
    }
    return PV_STATUS_OK;
}

/* How far around a member was looked: its mark. */
enum { NEAR = 1, FAR = 2 };

/* Until everything around was tried, or the member is no longer one. */
static pv_status look_around(hybrid *h, pv_member *member, unsigned reach, pv_error *error)
{
    static const struct {
        unsigned reach, ups, downs;
    } moves[] = {{NEAR, 1, 0}, {NEAR, 1, 1}, {NEAR, 0, 1}, {FAR, 2, 1}, {FAR, 1, 2}};
    const size_t n_axes = h->run->lattice.n_axes;
    member->mark = reach;
    memcpy(h->center, member->levels, n_axes);
    for (size_t i = n_axes; i > 1; i--) { /* shuffled, so that no attribute is always first */
        const size_t j = (size_t)pv_i_rng_below(&h->rng, i);
        const size_t axis = h->axes[i - 1];
        h->axes[i - 1] = h->axes[j];
        h->axes[j] = axis;
    }
    for (size_t axis = 0; axis < n_axes; axis++) { /* below everything near the center */
        h->below[axis] = h->center[axis] > 0 ? (uint8_t)(h->center[axis] - 1) : 0;
    }
    PV_TRY(pv_i_evaluator_anchor(h->run->evaluator, h->below, error));
    memcpy(h->near, h->center, n_axes);
    h->is_beaten = false;
    for (size_t i = 0; i < sizeof moves / sizeof *moves && !is_stopped(h) && !h->is_beaten; i++) {
        if (moves[i].reach == reach) {
            h->block = NO_BLOCK;
            PV_TRY(try_moves(h, 0, moves[i].ups, moves[i].downs, error));
        }
    }
    return PV_STATUS_OK;
}

/* A random member around which was not looked so far yet; NULL if there is none. */
static pv_member *choose_member(hybrid *h, unsigned reach)
{
    const pv_archive *const archive = &h->run->archive;
    size_t n = 0;
    for (size_t i = 0; i < archive->n_members; i++) {
        n += archive->members[i].mark < reach;
    }
    if (n == 0) {
        return NULL;
    }
    size_t skip = (size_t)pv_i_rng_below(&h->rng, n);
    for (size_t i = 0;; i++) {
        if (archive->members[i].mark < reach && skip-- == 0) {
            return &archive->members[i];
        }
    }
}

/* ------------------------------------------------------------------- breed */

/* All members are equally fit: nothing that was offered dominates them. */
static pv_status breed(hybrid *h, pv_error *error)
{
    const pv_archive *const archive = &h->run->archive;
    const size_t n = h->evolution.population;
    const size_t n_axes = archive->n_levels;
    const uint64_t changes = archive->n_changes;
    if (!reserve(h, n)) {
        return pv_i_no_memory(error);
    }
    for (h->n_queue = 0; h->n_queue < n; h->n_queue++) {
        const size_t parent = (size_t)pv_i_rng_below(&h->rng, archive->n_members);
        memcpy(h->queue + h->n_queue * n_axes, archive->members[parent].levels, n_axes);
    }
    pv_i_recombine(&h->evolution, &h->run->lattice, &h->rng, h->queue, n);
    PV_TRY(evaluate_queue(h, error));
    h->run->iterations++;
    h->idle = archive->n_changes > changes ? 0 : h->idle + 1;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ search */

/* Some rungs of the ladder, the highest first: all of them are above the last one. */
static pv_status try_rungs(hybrid *h, const uint8_t *rungs, size_t n, pv_error *error)
{
    const size_t n_axes = h->run->lattice.n_axes;
    h->n_queue = 0;
    for (size_t i = 0; i < n; i++) {
        memcpy(h->near, rungs + i * n_axes, n_axes);
        if (!enqueue(h)) {
            return pv_i_no_memory(error);
        }
    }
    if (h->n_queue > FEW) {
        PV_TRY(
            pv_i_evaluator_anchor(h->run->evaluator, h->queue + (h->n_queue - 1) * n_axes, error));
    }
    return evaluate_queue(h, error);
}

/* In a large lattice it is a long way from the ends: a ladder leads through it. */
static pv_status try_ladder(hybrid *h, pv_error *error)
{
    uint8_t *rungs = NULL;
    size_t n = 0;
    PV_TRY(pv_i_ladder(h->run, &rungs, &n, error));
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; i < n && status == PV_STATUS_OK && !is_stopped(h); i += BATCH) {
        status =
            try_rungs(h, rungs + i * h->run->lattice.n_axes, n - i < BATCH ? n - i : BATCH, error);
    }
    pv_i_free(rungs);
    return status;
}

static pv_status try_seed(hybrid *h, pv_error *error)
{
    const uint64_t changes = h->run->archive.n_changes;
    bool found = false;
    PV_TRY(pv_i_seeds_next(h->seeds, h->near, &found, error));
    if (found) {
        PV_TRY(evaluate(h, h->near, 1, error));
    }
    h->idle = h->run->archive.n_changes > changes ? 0 : h->idle;
    return PV_STATUS_OK;
}

static pv_status start(hybrid *h, pv_error *error)
{
    const pv_lattice *const lattice = &h->run->lattice;
    memset(h->batch, 0, lattice->n_axes);
    memcpy(h->batch + lattice->n_axes, lattice->heights, lattice->n_axes);
    PV_TRY(evaluate(h, h->batch, 2, error));
    pv_i_run_trace(h->run, pv_i_memo_values(&h->memo, h->ids[0]),
                   pv_i_memo_values(&h->memo, h->ids[1]));
    PV_TRY(pv_i_memo_start(&h->memo, error));
    PV_TRY(pv_i_run_review(h->run, error));
    return h->seeds != NULL ? try_ladder(h, error) : PV_STATUS_OK;
}

/* What it looked at: schemes evaluated, and children of generations, which may be known. */
static uint64_t looked_at(const hybrid *h)
{
    return h->run->evaluated + h->run->iterations * h->evolution.population;
}

/* Has it done its work? */
static bool is_done(const hybrid *h)
{
    const double nodes = h->seeds != NULL ? (double)pv_i_seeds_nodes(h->seeds) : 0;
    const double each = (double)h->run->profile->n_tuples + WORK_ALWAYS;
    return h->work > 0 && ((double)looked_at(h) + nodes) * each > h->work;
}

/* Seeds are for when nothing new comes up any more, or for after a while; then they get a third of
 * all work. A front to look at is there sooner without them. */
static bool is_time_for_seed(const hybrid *h)
{
    const uint64_t looked = looked_at(h);
    return h->seeds != NULL && (h->idle >= BORED || looked > UNSEEDED) &&
           pv_i_seeds_nodes(h->seeds) < looked / 2 && !pv_i_seeds_settled(h->seeds);
}

/* A better seed, or whatever is around a member, or children of members. */
static pv_status advance(hybrid *h, pv_error *error)
{
    unsigned reach = NEAR;
    if (is_time_for_seed(h)) {
        return try_seed(h, error);
    }
    pv_member *member = choose_member(h, reach);
    if (member == NULL && h->idle >= BORED) {
        reach = FAR;
        member = choose_member(h, reach);
    }
    return member != NULL ? look_around(h, member, reach, error) : breed(h, error);
}

/* Until so many generations in a row brought nothing new. */
static pv_status explore(hybrid *h, uint64_t patience, pv_error *error)
{
    pv_run *const run = h->run;
    if (!h->started) {
        h->started = true;
        PV_TRY(start(h, error));
    }
    while (run->archive.n_members > 0 && run->iterations < h->evolution.iterations &&
           h->idle < patience && !is_stopped(h) && !is_done(h) &&
           pv_i_run_goes_on(run, run->evaluated)) {
        (void)pv_i_memo_trim(&h->memo);
        PV_TRY(advance(h, error));
    }
    return PV_STATUS_OK;
}

pv_status pv_i_hybrid_glance(pv_hybrid *h, pv_error *error)
{
    return explore(h, h->evolution.patience < BORED ? h->evolution.patience : BORED, error);
}

pv_status pv_i_hybrid_explore(pv_hybrid *h, pv_error *error)
{
    PV_TRY(explore(h, h->evolution.patience, error));
    if (h->idle >= h->evolution.patience && !is_stopped(h) && !is_done(h)) {
        h->run->stop = PV_STOP_STALLED;
    }
    return PV_STATUS_OK;
}

static pv_status init(hybrid *h, pv_run *run, pv_error *error)
{
    const pv_search_options *const asked = &run->options;
    h->run = run;
    PV_TRY(pv_i_evolution_init(&h->evolution, run, error));
    if (run->lattice.size > LARGE) {
        h->evolution.patience = asked->patience > 0 ? asked->patience : UINT64_MAX;
        h->evolution.iterations = asked->iterations > 0 ? asked->iterations : UINT64_MAX;
        /* Evaluations may never be used up: a search that finds no new scheme ends as well. */
        h->work = asked->max_seconds > 0 || asked->iterations > 0 ? 0
                  : asked->max_evaluations > 0                    ? MOST_WORK
                                                                  : WORK;
        PV_TRY(pv_i_seeds_create(run, &h->seeds, error));
    }
    PV_TRY(pv_i_memo_init(&h->memo, run, error));
    PV_TRY(pv_i_sampled_bounds_init(&h->bounds, run, error));
    pv_i_rng_init(&h->rng, run->options.seed);
    h->center = PV_NEW_ARRAY(uint8_t, run->lattice.n_axes);
    h->near = PV_NEW_ARRAY(uint8_t, run->lattice.n_axes);
    h->axes = PV_NEW_ARRAY(size_t, run->lattice.n_axes);
    h->below = PV_NEW_ARRAY(uint8_t, run->lattice.n_axes);
    h->batch = pv_i_array(BATCH, run->lattice.n_axes);
    h->ids = PV_NEW_ARRAY(uint32_t, BATCH);
    if (h->center == NULL || h->near == NULL || h->axes == NULL || h->below == NULL ||
        h->batch == NULL || h->ids == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t axis = 0; axis < run->lattice.n_axes; axis++) {
        h->axes[axis] = axis;
    }
    return PV_STATUS_OK;
}

pv_status pv_i_hybrid_create(pv_run *run, pv_hybrid **created, pv_error *error)
{
    pv_hybrid *const h = PV_NEW_ZEROED(pv_hybrid, 1);
    if (h == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = init(h, run, error);
    if (status == PV_STATUS_OK) {
        *created = h;
    } else {
        pv_i_hybrid_free(h);
    }
    return status;
}

void pv_i_hybrid_free(pv_hybrid *h)
{
    if (h == NULL) {
        return;
    }
    pv_i_memo_deinit(&h->memo);
    pv_i_sampled_bounds_deinit(&h->bounds);
    pv_i_seeds_free(h->seeds);
    pv_i_free(h->center);
    pv_i_free(h->near);
    pv_i_free(h->axes);
    pv_i_free(h->below);
    pv_i_free(h->queue);
    pv_i_free(h->batch);
    pv_i_free(h->ids);
    pv_i_free(h);
}

pv_status pv_i_pbg_hybrid(pv_run *run, pv_error *error)
{
    pv_hybrid *h = NULL;
    PV_TRY(pv_i_hybrid_create(run, &h, error));
    const pv_status status = pv_i_hybrid_explore(h, error);
    pv_i_hybrid_free(h);
    return status;
}
