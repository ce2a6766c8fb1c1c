/* The best scheme: branch and bound over boxes of schemes.
 *
 * A box is, for every attribute, a set of levels that may still be used; its bits are the levels of
 * all attributes. Its coarsest scheme has the coarsest allowed level everywhere, and the box holds
 * the partition of the table under that scheme (partition.h): what is dead there is dead in the
 * whole box.
 *
 *              age      sex   zip            a box: 3 * 1 * 2 schemes
 *     box    . x x x    x .   . x x .
 *                  ^    ^         ^          its coarsest scheme
 *
 * Looking at a box. For every attribute and allowed level, that attribute alone is lowered to the
 * level: D = what the rows that live gain, B = what those that die kept so far. A row that dies
 * when one attribute alone is lowered dies in every scheme of the box that lowers it so far. So
 * with K = what the coarsest scheme keeps, every scheme x of the box keeps at most
 *
 *     K + sum over attributes j of (D(j, x_j) - m_j B(j, x_j))      with m_j >= 0, sum of m_j <= 1,
 *
 * for a row that several attributes kill has no more than B to lose: each claims its share m_j. The
 * bound takes the best level of each attribute. Its multipliers are found greedily: each term is
 * convex in m_j, so the next bit of multiplier goes where it lowers the bound most (`share_out`).
 * Then the claims are split row by row among the attributes that kill just this row
 * (`share_by_row`), which is tighter where different attributes kill different rows.
 *
 * Where nothing may be suppressed, every single row bounds the whole box, too (`ask_witness`): it
 * needs k - 1 others that look like it. Any other row q looks like it only in schemes no finer than
 * the levels at which the two first meet; so with v(q) = what those levels keep, the scheme keeps
 * no more than the (k-1)-th largest v(q). Rows that were seen dying are asked: outliers, whose
 * fellows agree with them in little.
 *
 * A level that cannot reach the best known scheme even with the best of all other attributes is
 * removed, as is one that kills more than the budget. Removing the coarsest level makes the box's
 * coarsest scheme finer, which kills more; so this is repeated until nothing changes. A box whose
 * bound is not above the best known is done. Otherwise it is branched on the attribute where most
 * depends on the choice: the best and the second best level differ most.
 *
 * Boxes wait in a heap, the highest bound first: the bound of the first is what is proven of all.
 * From the box that is taken the search dives: it goes on with the best child at once, since its
 * partition is at hand, and leaves the others in the heap. Every coarsest scheme on the way is a
 * candidate.
 *
 * Good schemes early prune much: the search begins with descents from the top, each step lowering
 * the attribute that gains most, with some noise; and while branch and bound goes on, it repairs
 * the best known scheme: a few attributes are freed, the others stay, and the small box is searched
 * by the same branch and bound.
 *
 * Rules that a finer class may keep again (t-closeness, l-entropy) do not kill for good, but nearly
 * so. However a class is split, the parts that keep the rule are together a part that keeps it; so
 * no more rows live on than the largest part of the class that keeps the rule has (`survivors` of
 * measure/sensitive.c). Fewer than k: the class is dead. Otherwise the others are doomed, whoever
 * they are, which is one more claim. Their number only grows as schemes get finer.
 *
 * Boxes get cheaper on the way down: tuples that no allowed level tells apart are merged (quest.h),
 * and a box with few schemes is not divided any more: its schemes are listed, each split from the
 * one before, where looking at a box takes a split for every level of every attribute. The box of
 * all schemes is looked at first, so that every other one begins with its merged tuples.
 *
 * A step is a round of tasks that know only what was known when the round began; their results are
 * taken in the order of the tasks. So the same number of steps gives the same scheme on any number
 * of threads. */
#include "lattice/best.h"
#include "lattice/boxes.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/tasks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Schemes of a box that are looked at one by one: the sixteenth part of all, but at most
 * 2^PV_LISTED.
 */
#define LISTED_SHARE 16
#define LEAST_LISTED 1024
#define MOST_LISTED 16384
#define DESCENTS 2         /* at the beginning: one that spends the budget freely, one thriftily */
#define THRIFT 5.0         /* of the latter: a step that takes all that is left is worth a sixth */
#define ROUND 16           /* tasks of a step */
#define REPAIRS 8          /* of them, once branch and bound did not end quickly */
#define LARGE 2e6          /* tuples times levels: a dive takes long, so repairs come first ... */
#define LARGE_REPAIRS 14   /* ... and are most of a step */
#define PATIENT_STEPS 4    /* steps of branch and bound alone before the repairs begin */
#define FEW_BOXES 64       /* that wait: no repairs */
#define DIVE_NODES 2000    /* of a task that begins with a waiting box, once there are many */
#define REPAIR_NODES 150   /* boxes of one repair */
#define REPAIR_FAILURES 60 /* before the repairs begin anew from another scheme */
#define LEAST_FREED 3
#define MOST_FREED 10

/* ----------------------------------------------------------------- the search */

/* What a task of a step begins with, and what comes of it. */
typedef struct {
    bool done;
    pv_candidate best;
    pv_box_heap children;
    uint64_t nodes, work;
    pv_box *box; /* of a dive */
    uint32_t witnesses[PV_WITNESSES];
    size_t n_witnesses;
} task;

typedef struct {
    const pv_quest *quest;
    const pv_best_settings *settings;
    unsigned threads;
    pv_box_searcher *searchers;
    pv_partition root;             /* of the box that everything else is in ... */
    const pv_quest_tuples *tuples; /* ... by these */
    pv_quest_tuples root_tuples;
    uint64_t *root_bits;
    uint8_t *root_high;
    bool root_is_open; /* may something in it be better? */
    pv_box_heap waiting;
    pv_candidate best;
    pv_candidate current; /* what is being repaired */
    unsigned failures;    /* to repair it, in a row */
    unsigned freed;       /* attributes that a repair frees */
    uint64_t steps, nodes, work;
    uint64_t task_work;               /* that each task of the step may take; 0 = no limit */
    bool boxes_begun;                 /* until then nothing is proven */
    uint32_t witnesses[PV_WITNESSES]; /* to begin a task with */
    size_t n_witnesses;
    uint64_t dive_nodes;        /* that a dive takes, with the boxes next to it */
    size_t n_descents, n_dives; /* of the step: descents or dives first, then repairs */
    task tasks[ROUND];
    double ceiling; /* no scheme keeps more */
    double deadline;
    pv_stop stop;
    char note[64];
    pv_ticker ticker;
} search;

/* What is not above it is of no use. */
static double target_of(const search *run)
{
    return run->best.found ? run->best.kept + PV_ROUNDING * run->quest->everything
                           : -(double)INFINITY;
}

static pv_rng rng_of(const search *run, size_t number)
{
    pv_rng rng;
    pv_i_rng_init(&rng, run->settings->seed + (run->steps * ROUND + number) * 0x9e3779b97f4a7c15u);
    return rng;
}

/* Branch and bound within one box, as far as so many nodes take it: from a partition and tuples of
 * its own, so that a dive begins with little. Boxes left over go to `left`, if there is one. False
 * when memory runs out. */
static bool search_box(pv_box_searcher *s, const search *run, const uint64_t *bits, double bound,
                       uint64_t n_nodes, pv_box_heap *left)
{
    const size_t n_axes = run->quest->n_axes;
    pv_i_box_begin(s, run->tuples, &run->root, run->root_high, bits);
    if (!pv_i_box_catch_up(s)) {
        return true;
    }
    pv_i_box_merge(s, &s->base_tuples);
    const pv_quest_tuples *const base = s->splitter.tuples;
    pv_i_partition_copy(&s->base, &s->here);
    memcpy(s->base_high, s->high, n_axes);
    memcpy(s->base_low, s->low, n_axes);
    s->waiting.n = 0;
    s->waiting.full = false;
    bool fits = !s->failed && pv_i_box_heap_push(&s->waiting, bound, s->bits);
    const uint64_t end = s->nodes + n_nodes;
    while (fits && s->waiting.n > 0 && s->nodes < end && !s->late) {
        pv_i_box_heap_pop(&s->waiting, s->taken);
        if (s->taken->bound <= s->target) {
            s->waiting.n = 0;
            break;
        }
        pv_i_box_begin(s, base, &s->base, s->base_high, s->taken->bits);
        memcpy(s->low, s->base_low, n_axes);
        s->bound = s->taken->bound;
        fits = pv_i_box_dive(s, &s->waiting);
    }
    for (size_t i = 0; fits && left != NULL && i < s->waiting.n; i++) {
        const pv_box *const box = pv_i_box_heap_at(&s->waiting, i);
        fits = box->bound <= s->target || pv_i_box_heap_push(left, box->bound, box->bits);
    }
    if (left != NULL) {
        left->full |= s->waiting.full;
    }
    return fits;
}

/* Frees a few attributes of the current scheme and searches that box. */
static bool repair(pv_box_searcher *s, const search *run, pv_rng *rng)
{
    const pv_quest *const quest = run->quest;
    size_t n_free = 0;
    size_t n_left = 0;
    memcpy(s->other, run->root_bits, pv_i_box_words(quest) * sizeof *s->other);
    for (size_t j = 0; j < quest->n_axes; j++) {
        n_left += !pv_i_box_is_fixed(&quest->axes[j], run->root_bits);
    }
    for (size_t j = 0; j < quest->n_axes; j++) {
        if (pv_i_box_is_fixed(&quest->axes[j], run->root_bits)) {
            continue;
        }
        const size_t bit = quest->axes[j].first_bit + run->current.levels[j];
        if (pv_i_rng_below(rng, n_left--) < run->freed - n_free) {
            n_free++;
        } else if (pv_i_box_has(run->root_bits, bit)) { /* else it is known to be no use */
            pv_i_box_fix(&quest->axes[j], s->other, run->current.levels[j]);
        }
    }
    s->target = run->current.kept + PV_ROUNDING * quest->everything;
    return search_box(s, run, s->other, (double)INFINITY, REPAIR_NODES, NULL);
}

/* A task's limits. Its part of the work depends on nothing but the step: where it ends is the same
 * on any number of threads. */
static void begin_task(pv_box_searcher *s, const search *run, const pv_thread *thread)
{
    s->thread = thread;
    s->late = false;
    s->nodes = 0;
    s->splitter.work = 0;
    s->most_work = run->task_work;
    s->deadline = run->deadline;
    s->best_here.found = false;
}

static pv_status do_task(void *ctx, size_t number, const pv_thread *thread, pv_error *error)
{
    search *const run = ctx;
    pv_box_searcher *const s = &run->searchers[thread->number];
    task *const t = &run->tasks[number];
    pv_rng rng = rng_of(run, number);
    bool fits = true;
    begin_task(s, run, thread);
    memcpy(s->witnesses, run->witnesses, sizeof s->witnesses);
    s->n_witnesses = run->n_witnesses;
    if (number < run->n_descents) {
        s->target = -(double)INFINITY;
        pv_i_box_begin(s, run->tuples, &run->root, run->root_high, run->root_bits);
        pv_i_box_descend(s, &rng, run->steps == 0 ? 0 : 0.5, number == 0 ? THRIFT : 0);
    } else if (number < run->n_dives) {
        s->target = target_of(run);
        fits = search_box(s, run, t->box->bits, t->box->bound, run->dive_nodes, &t->children);
    } else {
        fits = repair(s, run, &rng);
    }
    if (!fits || s->failed) {
        return pv_i_no_memory(error);
    }
    t->best.found = s->best_here.found;
    t->best.kept = s->best_here.kept;
    t->best.suppressed = s->best_here.suppressed;
    memcpy(t->best.levels, s->best_here.levels, run->quest->n_axes);
    t->nodes = s->nodes;
    t->work = s->splitter.work;
    memcpy(t->witnesses, s->witnesses, sizeof t->witnesses);
    t->n_witnesses = s->n_witnesses;
    t->done = true;
    return PV_STATUS_OK;
}

static void take_candidate(pv_candidate *to, const pv_candidate *from, size_t n_axes)
{
    to->found = true;
    to->kept = from->kept;
    to->suppressed = from->suppressed;
    memcpy(to->levels, from->levels, n_axes);
}

/* No scheme keeps more than this. */
static double proven_bound(const search *run)
{
    const double open = run->waiting.full    ? run->ceiling
                        : run->waiting.n > 0 ? pv_i_box_heap_at(&run->waiting, 0)->bound
                                             : -(double)INFINITY;
    return fmin(run->ceiling, run->best.found ? fmax(open, run->best.kept) : open);
}

/* Being stopped is no failure: what was found is the result. */
static pv_status run_tasks(search *run, size_t n_tasks, pv_task_fn work, pv_error *error)
{
    const pv_status status = pv_i_tasks_run(run->threads, n_tasks, work, run, &run->ticker, error);
    if (status == PV_STATUS_CANCELLED) {
        run->stop = PV_STOP_CANCELLED;
        if (error != NULL) {
            *error = (pv_error){0};
        }
        return PV_STATUS_OK;
    }
    return status;
}

/* Divides the work that is left among the tasks that follow. */
static void share_work(search *run, size_t n_tasks)
{
    const uint64_t most = run->settings->max_work;
    const uint64_t left = most > run->work ? most - run->work : 0;
    run->task_work = most == 0 ? 0 : left / n_tasks + 1;
}

static pv_status run_step(search *run, size_t n_tasks, pv_error *error)
{
    const size_t n_axes = run->quest->n_axes;
    for (size_t i = 0; i < n_tasks; i++) {
        run->tasks[i].done = false;
        run->tasks[i].children.n = 0;
        run->tasks[i].children.full = false;
        run->tasks[i].nodes = run->tasks[i].work = 0;
    }
    share_work(run, n_tasks);
    PV_TRY(run_tasks(run, n_tasks, do_task, error));
    bool repaired = run->n_dives == n_tasks;
    for (size_t i = 0; i < n_tasks; i++) {
        task *const t = &run->tasks[i];
        const bool dived = i >= run->n_descents && i < run->n_dives;
        run->nodes += t->nodes;
        run->work += t->work;
        run->waiting.full |= t->children.full;
        if (dived && !t->done && !pv_i_box_heap_push(&run->waiting, t->box->bound, t->box->bits)) {
            return pv_i_no_memory(error);
        }
        for (size_t c = 0; t->done && dived && c < t->children.n; c++) {
            const pv_box *const child = pv_i_box_heap_at(&t->children, c);
            if (!pv_i_box_heap_push(&run->waiting, fmin(child->bound, t->box->bound),
                                    child->bits)) {
                return pv_i_no_memory(error);
            }
        }
        if (t->done && dived) {
            memcpy(run->witnesses, t->witnesses, sizeof run->witnesses);
            run->n_witnesses = t->n_witnesses;
        }
        if (!t->done || !t->best.found) {
            continue;
        }
        if (i >= run->n_dives && t->best.kept > run->current.kept) {
            take_candidate(&run->current, &t->best, n_axes);
            repaired = true;
        }
        if (!run->best.found || t->best.kept > run->best.kept) {
            take_candidate(&run->best, &t->best, n_axes);
        }
    }
    run->failures = repaired ? 0 : run->failures + (unsigned)(n_tasks - run->n_dives);
    run->steps++;
    return PV_STATUS_OK;
}

static bool goes_on(search *run)
{
    if (run->stop != PV_STOP_FINISHED) {
        return false;
    }
    const bool stepped = run->settings->max_steps > 0 && run->steps >= run->settings->max_steps;
    const bool looked = run->settings->max_nodes > 0 && run->nodes >= run->settings->max_nodes;
    if (stepped || looked ||
        (run->settings->max_work > 0 && run->work >= run->settings->max_work)) {
        run->stop = PV_STOP_EVALUATIONS;
    } else if (run->deadline > 0 && pv_i_now() > run->deadline) {
        run->stop = PV_STOP_TIME;
    } else if (!pv_i_tick(&run->ticker, run->nodes)) {
        run->stop = PV_STOP_CANCELLED;
    }
    return run->stop == PV_STOP_FINISHED;
}

static pv_status do_root(void *ctx, size_t number, const pv_thread *thread, pv_error *error)
{
    search *const run = ctx;
    pv_box_searcher *const s = &run->searchers[0];
    (void)number;
    begin_task(s, run, thread);
    s->n_witnesses = 0;
    s->target = target_of(run);
    pv_i_box_begin(s, run->tuples, &run->root, run->root_high, run->root_bits);
    s->bound = run->quest->everything;
    run->root_is_open = pv_i_box_look(s);
    return s->failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

/* Looks at the box of all schemes. The levels it loses there, no other box has: all begin with the
 * tuples that are left to tell apart. */
static pv_status look_at_root(search *run, pv_error *error)
{
    const pv_quest *const quest = run->quest;
    pv_box_searcher *const s = &run->searchers[0];
    share_work(run, 1);
    PV_TRY(run_tasks(run, 1, do_root, error));
    run->nodes += s->nodes;
    run->work += s->splitter.work;
    if (s->best_here.found && (!run->best.found || s->best_here.kept > run->best.kept)) {
        take_candidate(&run->best, &s->best_here, quest->n_axes);
    }
    if (!s->late && !run->root_is_open) {
        return PV_STATUS_OK; /* nothing is better */
    }
    if (!s->late) {
        memcpy(run->root_bits, s->bits, pv_i_box_words(quest) * sizeof *s->bits);
        memcpy(run->root_high, s->high, quest->n_axes);
        pv_i_partition_copy(&run->root, &s->here);
        if (s->splitter.tuples != run->tuples) { /* the searcher gives them away */
            pv_quest_tuples *const merged = &s->merged[s->splitter.tuples == &s->merged[1]];
            run->root_tuples = *merged;
            *merged = (pv_quest_tuples){0};
            run->tuples = &run->root_tuples;
        }
    }
    const double bound = s->late ? quest->everything : s->bound;
    return pv_i_box_heap_push(&run->waiting, fmin(bound, run->ceiling), run->root_bits)
               ? PV_STATUS_OK
               : pv_i_no_memory(error);
}

/* Dives into the most promising boxes, and repairs beside them. */
static pv_status search_boxes(search *run, pv_error *error)
{
    const pv_quest *const quest = run->quest;
    size_t n_free = 0;
    run->boxes_begun = true;
    PV_TRY(look_at_root(run, error));
    for (size_t j = 0; j < quest->n_axes; j++) {
        n_free += !pv_i_box_is_fixed(&quest->axes[j], run->root_bits);
    }
    const bool large = quest->budget > 0 && (double)quest->tuples.n * (double)quest->n_bits > LARGE;
    while (run->waiting.n > 0 && goes_on(run)) {
        const double target = target_of(run);
        /* With few boxes left, to finish them is sooner done than to find something better. */
        const bool patient = run->waiting.n > FEW_BOXES && run->steps > PATIENT_STEPS;
        const bool repairs = (large || patient) && n_free > LEAST_FREED && run->best.found;
        if (pv_i_box_heap_at(&run->waiting, 0)->bound <= target) {
            run->waiting.n = 0; /* nor are the others better */
            break;
        }
        if (repairs && (!run->current.found || run->failures >= REPAIR_FAILURES)) {
            run->failures = 0;
            run->n_descents = run->n_dives = 1;
            if (run->current.found) { /* begin anew, elsewhere */
                PV_TRY(run_step(run, 1, error));
                take_candidate(&run->current,
                               run->tasks[0].done && run->tasks[0].best.found ? &run->tasks[0].best
                                                                              : &run->best,
                               quest->n_axes);
                continue;
            }
            take_candidate(&run->current, &run->best, quest->n_axes);
        }
        run->n_descents = 0;
        run->n_dives = 0;
        run->dive_nodes = run->waiting.n > FEW_BOXES ? DIVE_NODES : 1;
        const size_t n_repairs = !repairs ? 0 : large ? LARGE_REPAIRS : REPAIRS;
        const size_t most = ROUND - n_repairs;
        while (run->n_dives < most && run->waiting.n > 0 &&
               pv_i_box_heap_at(&run->waiting, 0)->bound > target) {
            pv_i_box_heap_pop(&run->waiting, run->tasks[run->n_dives++].box);
        }
        if (repairs) {
            const unsigned most_freed = n_free < MOST_FREED ? (unsigned)n_free : MOST_FREED;
            run->freed = LEAST_FREED + (unsigned)(run->steps % (most_freed - LEAST_FREED + 1u));
        }
        PV_TRY(run_step(run, run->n_dives + n_repairs, error));
        if (run->best.found) {
            const double all = run->quest->everything;
            (void)snprintf(run->note, sizeof run->note, "keeps %.2f%%, at most %.2f%% possible",
                           100 * run->best.kept / all, 100 * proven_bound(run) / all);
        }
    }
    return PV_STATUS_OK;
}

static void search_deinit(search *run)
{
    for (unsigned i = 0; run->searchers != NULL && i < run->threads; i++) {
        pv_i_searcher_deinit(&run->searchers[i]);
    }
    for (size_t i = 0; i < ROUND; i++) {
        pv_i_free(run->tasks[i].best.levels);
        pv_i_free(run->tasks[i].children.nodes);
        pv_i_free(run->tasks[i].box);
    }
    pv_i_free(run->searchers);
    pv_i_partition_deinit(&run->root);
    pv_i_tuples_deinit(&run->root_tuples);
    pv_i_free(run->root_bits);
    pv_i_free(run->root_high);
    pv_i_free(run->waiting.nodes);
    pv_i_free(run->best.levels);
    pv_i_free(run->current.levels);
}

static size_t most_listed(const search *run)
{
    double n_schemes = 1;
    for (size_t j = 0; j < run->quest->n_axes; j++) {
        n_schemes *= run->quest->axes[j].n_levels;
    }
    const double share = fmax(n_schemes / LISTED_SHARE, LEAST_LISTED);
    const double asked = run->settings->most_listed > 0 ? run->settings->most_listed : share;
    return (size_t)fmin(asked, MOST_LISTED);
}

static pv_status search_init(search *run, pv_error *error)
{
    const pv_quest *const quest = run->quest;
    const size_t words = pv_i_box_words(quest);
    const pv_box_heap empty = {.words = words,
                               .node_size = sizeof(pv_box) + words * sizeof(uint64_t)};
    run->searchers = PV_NEW_ZEROED(pv_box_searcher, run->threads);
    run->root_bits = PV_NEW_ZEROED(uint64_t, words);
    run->root_high = PV_NEW_ARRAY(uint8_t, quest->n_axes);
    run->best.levels = PV_NEW_ARRAY(uint8_t, quest->n_axes);
    run->current.levels = PV_NEW_ARRAY(uint8_t, quest->n_axes);
    run->waiting = empty;
    bool ready = run->searchers != NULL && run->root_bits != NULL && run->root_high != NULL &&
                 run->best.levels != NULL && run->current.levels != NULL &&
                 pv_i_partition_init(&run->root, quest);
    for (size_t i = 0; ready && i < ROUND; i++) {
        run->tasks[i].children = empty;
        run->tasks[i].best.levels = PV_NEW_ARRAY(uint8_t, quest->n_axes);
        run->tasks[i].box = pv_i_malloc(empty.node_size);
        ready = run->tasks[i].best.levels != NULL && run->tasks[i].box != NULL;
    }
    if (!ready) {
        return pv_i_no_memory(error);
    }
    for (unsigned i = 0; i < run->threads; i++) {
        PV_TRY(pv_i_searcher_init(&run->searchers[i], quest, error));
        run->searchers[i].most_listed = most_listed(run);
    }
    for (size_t bit = 0; bit < quest->n_bits; bit++) {
        pv_i_box_put(run->root_bits, bit);
    }
    for (size_t j = 0; j < quest->n_axes; j++) {
        run->root_high[j] = (uint8_t)(quest->axes[j].n_levels - 1);
    }
    return PV_STATUS_OK;
}

/* The scheme to begin with, if it is one of those asked for and keeps the demands. */
static void take_start(search *run)
{
    const pv_quest *const quest = run->quest;
    pv_box_searcher *const s = &run->searchers[0];
    s->best_here.found = false;
    s->target = -(double)INFINITY;
    pv_i_box_begin(s, run->tuples, &run->root, run->root_high, run->root_bits);
    for (size_t j = 0; j < quest->n_axes; j++) {
        const pv_quest_axis *const axis = &quest->axes[j];
        unsigned place = 0; /* of levels that group alike the finest is there */
        while (place + 1 < axis->n_levels &&
               axis->levels[place + 1].level <= run->settings->start[j]) {
            place++;
        }
        pv_i_box_fix(axis, s->bits, place);
    }
    (void)pv_i_box_arrive(s);
    if (s->best_here.found) {
        take_candidate(&run->best, &s->best_here, quest->n_axes);
    }
}

pv_status pv_i_best(const pv_quest *quest, const pv_best_settings *settings, pv_best_found *found,
                    pv_error *error)
{
    const double started = pv_i_now();
    pv_status status = PV_STATUS_OK;
    search run = {.quest = quest,
                  .settings = settings,
                  .tuples = &quest->tuples,
                  .threads = pv_i_threads(settings->context),
                  .deadline = settings->max_seconds > 0 ? started + settings->max_seconds : 0,
                  .ceiling = settings->ceiling > 0 ? fmin(settings->ceiling, quest->everything)
                                                   : quest->everything,
                  .ticker =
                      pv_i_ticker(settings->context,
                                  settings->phase != NULL ? settings->phase : "searching", 0)};
    *found = (pv_best_found){0};
    run.ticker.note = run.note;
    PV_TRY_CLEAN(search_init(&run, error));
    if (pv_i_partition_start(&run.searchers[0].splitter, &run.root)) {
        if (settings->start != NULL) {
            take_start(&run);
        }
        run.boxes_begun = run.best.found && run.ceiling <= target_of(&run);
        if (!run.best
                 .found) { /* what is known from elsewhere is better than what a descent finds */
            run.n_descents = run.n_dives = quest->breakable ? DESCENTS : 1;
            PV_TRY_CLEAN(run_step(&run, run.n_dives, error));
        }
        if (!run.boxes_begun) {
            PV_TRY_CLEAN(search_boxes(&run, error));
        }
    } else {
        run.boxes_begun = true; /* and done: not even the coarsest scheme keeps the demands */
    }
    found->found = run.best.found;
    /* Also if it was stopped just when nothing was left to look at. */
    const bool open = run.waiting.n > 0 &&
                      (!run.best.found || pv_i_box_heap_at(&run.waiting, 0)->bound >
                                              run.best.kept + PV_ROUNDING * quest->everything);
    found->proven = !open && !run.waiting.full && run.boxes_begun;
    found->bound = proven_bound(&run);
    found->kept = run.best.kept;
    found->suppressed = run.best.suppressed;
    found->nodes = run.nodes;
    found->steps = run.steps;
    found->work = run.work;
    found->stop = found->proven ? PV_STOP_FINISHED : run.stop;
    if (run.best.found) {
        found->levels = run.best.levels;
        run.best.levels = NULL;
        for (size_t j = 0; j < quest->n_axes; j++) {
            found->levels[j] = quest->axes[j].levels[found->levels[j]].level;
        }
    }
cleanup:
    search_deinit(&run);
    found->seconds = pv_i_now() - started;
    return status;
}
