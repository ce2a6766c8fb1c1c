/* All records at once: depth first over the attributes, every level of each.
 *
 * Nodes of the lattice are not visited one by one: a list of all records with some attributes fixed
 * serves all nodes that agree on them, and at the last attribute all its levels are read off one
 * list. What is found there is pushed back along the maps (record_walk.h). The lattice is shared
 * out among the threads by the levels of the first attributes. Who finds what when decides how much
 * is left out, but not what is found: the best choice of a record is the least in a total order,
 * and only what is worse than something found is left out. */
#include "records/record_walk.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/ticker.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Shares of the lattice for each thread: enough to keep all busy to the end. */
#define TASKS_PER_THREAD 16
#define MOST_NODES ((uint64_t)UINT32_MAX - 1)
/* About what a walker takes for each record and attribute; up to twice that where hardly anything
 * can be left out. */
#define BYTES_PER_ENTRY 64

typedef struct {
    pv_record_ground ground;
    pv_record_walker *walkers;
    pv_record_best **found; /* per walker, per tail of position 0 */
    pv_record_best *common; /* per tail of position 0: what all walkers know */
    pthread_mutex_t exchange;
    pv_record_list *bases; /* per walker: nothing fixed */
    unsigned n_walkers;
    uint8_t *pinned;   /* per walker and position: the level of the task, or PV_LEVELS_ANY */
    uint32_t *raw_rho; /* per tail of position 0, that is per record: as it is */

    /* The task at hand. */
    uint8_t levels; /* PV_LEVELS_... */
    size_t depth;   /* positions that a task pins */
    uint32_t n_tasks;
    int64_t floor;
    atomic_uint next;
    atomic_bool stop;
    atomic_bool is_late; /* it stops because the time is over */
    atomic_int status;
    pv_ticker ticker;
} scan;

/* ------------------------------------------------------------------- walk */

static void forget(pv_record_best *best, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        best[i] = PV_NO_BEST;
    }
}

/* What was found for the child's entries, for those of the list they come from. */
static void push_back(const pv_record_frame *frame, pv_record_list *list, pv_record_best *best)
{
    for (size_t run = 0; run < frame->child.n_runs; run++) {
        if (!frame->child.has_news[run]) {
            continue;
        }
        const pv_record_origin origin = frame->origin[run];
        bool is_news = false;
        for (uint32_t i = origin.start; i < origin.end; i++) {
            is_news |= pv_i_best_offer(&frame->best[frame->map[i]], &best[i], &list->limit[i]);
        }
        list->has_news[origin.run] |= is_news;
    }
}

static bool goes_on(scan *s, unsigned number)
{
    if (s->walkers[number].is_counting) {
        return true; /* half a count would be taken for the whole */
    }
    const uint32_t begun = atomic_load_explicit(&s->next, memory_order_relaxed);
    if (pv_i_disclose_is_late(s->ground.run) && !atomic_load(&s->stop)) {
        atomic_store(&s->is_late, true);
        atomic_store(&s->stop, true);
    }
    if (number == 0 && !pv_i_tick(&s->ticker, begun < s->n_tasks ? begun : s->n_tasks)) {
        atomic_store(&s->stop, true);
    }
    return !atomic_load_explicit(&s->stop, memory_order_relaxed);
}

static void fail(scan *s)
{
    atomic_store(&s->status, PV_STATUS_NO_MEMORY);
    atomic_store(&s->stop, true);
}

/* All nodes that agree on the positions before this one, of which `node` is the lowest. */
static void walk(scan *s, unsigned number, size_t position, pv_record_list *list, uint32_t node,
                 pv_record_best *best)
{
    pv_record_walker *const walker = &s->walkers[number];
    const uint8_t pinned = s->pinned[number * s->ground.n + position];
    if (position + 1 == s->ground.n) {
        pv_i_walker_read_last(walker, list, pinned, node, best);
        return;
    }
    const pv_record_axis *const axis = &s->ground.axes[position];
    pv_record_frame *const frame = &walker->frames[position];
    if (!pv_i_walker_divide(walker, position, list)) {
        fail(s);
        return;
    }
    for (unsigned level = axis->height + 1; level-- > 0 && goes_on(s, number);) {
        if (!pv_i_is_wanted(axis, pinned, level)) {
            continue;
        }
        const uint32_t end = node + level * axis->stride;
        if (!pv_i_walker_raise(walker, position, list, level, end, best)) {
            fail(s);
            return;
        }
        forget(frame->best, frame->child.n);
        if (frame->child.n > 0) {
            walk(s, number, position + 1, &frame->child, end, frame->best);
            push_back(frame, list, best);
        }
    }
}

/* ------------------------------------------------------------------ tasks */

static void share_out(scan *s)
{
    const uint32_t wanted = s->n_walkers * TASKS_PER_THREAD;
    s->n_tasks = 1;
    s->depth = 0;
    while (s->depth < s->ground.n && s->n_tasks < wanted) {
        s->n_tasks *= s->ground.axes[s->depth++].height + 1;
    }
}

/* False: the task is none of this walk. */
static bool pin(const scan *s, unsigned number, uint32_t task)
{
    uint8_t *const pinned = s->pinned + number * s->ground.n;
    bool wanted = true;
    memset(pinned, s->levels, s->ground.n);
    for (size_t p = s->depth; p-- > 0;) {
        const pv_record_axis *const axis = &s->ground.axes[p];
        const uint32_t n_levels = axis->height + 1;
        pinned[p] = (uint8_t)(n_levels - 1 - task % n_levels);
        wanted = wanted && pv_i_is_wanted(axis, s->levels, pinned[p]);
        task /= n_levels;
    }
    return wanted;
}

/* What one walker found is for all to know: they need not look for anything worse. */
static void exchange(scan *s, unsigned number)
{
    pv_record_list *const base = &s->bases[number];
    pv_record_best *const own = s->found[number];
    (void)pthread_mutex_lock(&s->exchange);
    for (size_t i = 0; i < base->n; i++) {
        if (pv_i_best_is_better(&own[i], &s->common[i])) {
            s->common[i] = own[i];
        } else {
            (void)pv_i_best_offer(&s->common[i], &own[i], &base->limit[i]);
        }
    }
    (void)pthread_mutex_unlock(&s->exchange);
}

static void work(void *ctx, unsigned number)
{
    scan *const s = ctx;
    pv_record_list *const base = &s->bases[number];
    for (;;) {
        const uint32_t task = atomic_fetch_add(&s->next, 1);
        if (task >= s->n_tasks || !goes_on(s, number)) {
            return;
        }
        if (pin(s, number, task)) {
            walk(s, number, 0, base, 0, s->found[number]);
            exchange(s, number);
        }
    }
}

/* The utility that a record must keep. */
static int64_t floor_of(const scan *s, uint32_t tail)
{
    return pv_i_weighing_floor(s->ground.weighing, pv_i_raw_worth(&s->ground, tail).utility);
}

/* Who still wants something of this walk: those who must keep just this much utility, and are not
 * settled. */
static void set_limits(const scan *s, pv_record_list *base)
{
    const bool is_monotone = pv_i_weighing_is_monotone(s->ground.weighing);
    for (uint32_t i = 0; i < base->n; i++) {
        const bool is_settled = is_monotone && s->raw_rho[i] == 0;
        base->limit[i] =
            floor_of(s, i) == s->floor && !is_settled ? PV_ANY_INTEREST : PV_NO_INTEREST;
    }
}

static void walk_levels(scan *s, uint8_t levels)
{
    s->levels = levels;
    atomic_store(&s->next, 0);
    pv_i_pool_run(s->n_walkers, work, s);
}

/* Sketches of the lattice come first: with something good in hand most of the rest is not worth
 * looking at. Two levels each, and the second sketch is spared much by the first: one of three
 * levels finds more, but takes longer than that saves. */
static void walk_all(scan *s)
{
    for (unsigned i = 0; i < s->n_walkers; i++) {
        s->walkers[i].floor = s->floor;
        set_limits(s, &s->bases[i]);
        forget(s->found[i], s->ground.tails.n[0]);
    }
    forget(s->common, s->ground.tails.n[0]);
    share_out(s);
    s->ticker.total = s->n_tasks;
    walk_levels(s, PV_LEVELS_NEAR_ENDS);
    walk_levels(s, PV_LEVELS_ENDS);
    walk_levels(s, PV_LEVELS_ANY);
}

/* Everyone is consistent with a value that is `*` itself. */
static bool has_root_leaf(const pv_record_ground *ground)
{
    bool found = false;
    for (size_t p = 0; p < ground->n; p++) {
        found |= ground->axes[p].has_root_leaf;
    }
    return found;
}

/* Every record's rho as it is. */
static void count_raw(scan *s)
{
    const size_t n = s->ground.tails.n[0];
    if (s->ground.is_table && !has_root_leaf(&s->ground)) {
        memcpy(s->raw_rho, s->bases[0].count, n * sizeof *s->raw_rho);
        return;
    }
    memset(s->pinned, PV_LEVELS_RAW, s->ground.n);
    forget(s->found[0], n);
    s->walkers[0].is_counting = true;
    walk(s, 0, 0, &s->bases[0], 0, s->found[0]);
    s->walkers[0].is_counting = false;
    for (size_t i = 0; i < n; i++) {
        s->raw_rho[i] = s->found[0][i].rho;
    }
}

/* ---------------------------------------------------------------- set up */

static bool fill_theta(const pv_record_ground *ground, pv_record_list *base)
{
    const pv_dictionary *const dictionary = ground->run->dictionary;
    const size_t n = ground->theta.n[0];
    base->theta_tail = PV_NEW_ARRAY(uint32_t, n);
    base->theta_count = PV_NEW_ZEROED(uint32_t, n);
    if (base->theta_tail == NULL || base->theta_count == NULL) {
        return false;
    }
    for (size_t t = 0; t < dictionary->n_tuples; t++) {
        const uint32_t tail = ground->theta.whole[t];
        base->theta_tail[tail] = tail;
        base->theta_count[tail] += (uint32_t)dictionary->counts[t];
    }
    base->n_theta = base->theta_capacity = n;
    base->theta_start[0] = 0;
    base->theta_start[1] = (uint32_t)n;
    return true;
}

/* Which records there are and how often is the same for all walkers: the others borrow it. */
static void borrow_records(pv_record_list *base, const pv_record_list *lender)
{
    pv_i_free(base->tail);
    pv_i_free(base->count);
    base->tail = lender->tail;
    base->count = lender->count;
}

static void base_deinit(pv_record_list *base, const pv_record_list *lender)
{
    if (base != lender) {
        base->tail = base->count = NULL;
    }
    pv_i_record_list_deinit(base);
}

/* One run of all records. */
static bool fill_base(const pv_record_ground *ground, pv_record_list *base,
                      const pv_record_list *lender)
{
    const pv_profile *const profile = ground->run->profile;
    const size_t n = profile->n_tuples;
    if (!pv_i_record_list_reserve(base, n)) {
        pv_i_record_list_deinit(base); /* nothing of it is borrowed yet */
        return false;
    }
    if (base != lender) {
        borrow_records(base, lender);
    }
    base->n = n;
    base->n_runs = 1;
    base->start[0] = 0;
    base->start[1] = (uint32_t)n;
    base->worth[0] = (pv_worth){0};
    base->total[0] = (uint32_t)ground->run->dictionary->n_rows;
    for (size_t t = 0; t < n; t++) {
        const uint32_t tail = ground->tails.whole[t];
        base->tail[tail] = tail;
        base->count[tail] = (uint32_t)profile->count[t];
        base->limit[tail] = PV_ANY_INTEREST;
    }
    return ground->is_table || fill_theta(ground, base);
}

static double bytes_per_walker(const pv_disclose_run *run)
{
    return (double)run->profile->n_tuples * (double)run->values.n_quasi * BYTES_PER_ENTRY;
}

/* As many as there is memory for. */
static unsigned walkers_for(const pv_disclose_run *run)
{
    const double most = (double)run->memory / bytes_per_walker(run);
    return most < run->threads ? (unsigned)most : run->threads;
}

static pv_status scan_init(scan *s, pv_disclose_run *run, pv_error *error)
{
    const size_t n = run->profile->n_tuples;
    PV_TRY(pv_i_record_ground_init(&s->ground, run, error));
    s->n_walkers = walkers_for(run);
    s->walkers = PV_NEW_ZEROED(pv_record_walker, s->n_walkers);
    s->found = PV_NEW_ZEROED(pv_record_best *, s->n_walkers);
    s->bases = PV_NEW_ZEROED(pv_record_list, s->n_walkers);
    s->pinned = PV_NEW_ARRAY(uint8_t, s->n_walkers * s->ground.n);
    s->common = PV_NEW_ARRAY(pv_record_best, n);
    s->raw_rho = PV_NEW_ARRAY(uint32_t, n);
    if (s->walkers == NULL || s->found == NULL || s->common == NULL || s->bases == NULL ||
        s->pinned == NULL || s->raw_rho == NULL) {
        return pv_i_no_memory(error);
    }
    for (unsigned i = 0; i < s->n_walkers; i++) {
        PV_TRY(pv_i_walker_init(&s->walkers[i], &s->ground, error));
        s->found[i] = PV_NEW_ARRAY(pv_record_best, n);
        if (s->found[i] == NULL || !fill_base(&s->ground, &s->bases[i], &s->bases[0])) {
            return pv_i_no_memory(error);
        }
    }
    return PV_STATUS_OK;
}

/* All that only walking needs: most of the memory. */
static void dismiss_walkers(scan *s)
{
    for (unsigned i = 0; i < s->n_walkers; i++) {
        if (s->walkers != NULL) {
            pv_i_walker_deinit(&s->walkers[i]);
        }
        pv_i_free(s->found != NULL ? s->found[i] : NULL);
        if (s->bases != NULL) {
            base_deinit(&s->bases[i], &s->bases[0]);
        }
    }
    pv_i_free(s->walkers);
    pv_i_free(s->found);
    pv_i_free(s->bases);
    s->walkers = NULL;
    s->found = NULL;
    s->bases = NULL;
    s->n_walkers = 0;
}

static void scan_deinit(scan *s)
{
    dismiss_walkers(s);
    pv_i_free(s->common);
    pv_i_free(s->pinned);
    pv_i_free(s->raw_rho);
    pv_i_record_ground_deinit(&s->ground);
}

/* ---------------------------------------------------------------- results */

/* The levels of a node, in a ragged tree no higher than where a value is `*`. */
static void levels_of(const scan *s, size_t tuple, uint32_t node, uint8_t *levels)
{
    const pv_disclose_run *const run = s->ground.run;
    pv_i_lattice_levels(&run->lattice, node, levels);
    for (size_t q = 0; q < s->ground.n; q++) {
        const uint8_t top = run->values.root_level[q][pv_profile_leaf(run->profile, tuple, q)];
        levels[q] = levels[q] < top ? levels[q] : top;
    }
}

/* Whom nobody in the dictionary fits runs no risk in models I and II: told as it is, if that is
 * accepted at all. */
static pv_record_answer answer_for(const scan *s, size_t tuple, uint8_t *levels)
{
    const pv_weighing *const w = s->ground.weighing;
    const uint32_t tail = s->ground.tails.whole[tuple];
    const pv_record_best *const best = &s->common[tail];
    const uint32_t raw_rho = s->raw_rho[tail];
    pv_record_answer answer = {.levels = levels,
                               .is_feasible = best->node != UINT32_MAX,
                               .is_optimal = !atomic_load(&s->stop),
                               .rho = best->rho,
                               .raw_rho = raw_rho,
                               .visited = s->ground.run->lattice.n_nodes};
    if (raw_rho == 0 && pv_i_weighing_is_monotone(w)) {
        const pv_worth raw = pv_i_raw_worth(&s->ground, tail);
        answer.is_feasible =
            pv_i_weighing_accepts(w, s->floor, raw.utility, pv_i_weighing_risk(w, raw.phi, 0));
        answer.rho = 0;
        memset(levels, 0, s->ground.n);
    } else if (answer.is_feasible) {
        levels_of(s, tuple, best->node, levels);
    }
    return answer;
}

typedef struct {
    const scan *scan;
    pv_disclose_run *run;
} telling;

/* One thread's share of the tuples. */
static void tell_share(void *ctx, unsigned number)
{
    const telling *const t = ctx;
    const size_t n = t->run->profile->n_tuples;
    const size_t end = n * (number + 1) / t->run->threads;
    for (size_t tuple = n * number / t->run->threads; tuple < end; tuple++) {
        if (floor_of(t->scan, t->scan->ground.tails.whole[tuple]) == t->scan->floor) {
            /* The levels go straight to their place. */
            const pv_record_answer answer =
                answer_for(t->scan, tuple, t->run->levels + tuple * t->scan->ground.n);
            pv_i_disclose_tell(t->run, tuple, &answer);
        }
    }
}

/* Tells the answers of this walk: of the records that must keep just this much utility. */
static void tell(const scan *s, pv_disclose_run *run)
{
    telling t = {s, run};
    pv_i_pool_run(run->threads, tell_share, &t);
}

static int compare_floors(const void *a, const void *b)
{
    const int64_t left = *(const int64_t *)a;
    const int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* All floors, ascending; there is room for one per record. Mostly it is the same for everyone. */
static size_t distinct_floors(const scan *s, int64_t *floors)
{
    size_t n = 0;
    size_t n_distinct = 0;
    for (uint32_t tail = 0; tail < s->ground.tails.n[0]; tail++) {
        const int64_t floor = floor_of(s, tail);
        if (n == 0 || floors[n - 1] != floor) {
            floors[n++] = floor;
        }
    }
    qsort(floors, n, sizeof *floors, compare_floors);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || floors[i] != floors[n_distinct - 1]) {
            floors[n_distinct++] = floors[i];
        }
    }
    return n_distinct;
}

/* In a ragged tree a share of the utility may be another one for each record: then everybody walks
 * with those who must keep as much. */
static pv_status scan_records(scan *s, pv_disclose_run *run, pv_error *error)
{
    int64_t *const floors = PV_NEW_ARRAY(int64_t, run->profile->n_tuples);
    pv_status status = floors != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    if (status == PV_STATUS_OK) {
        const size_t n_floors = distinct_floors(s, floors);
        count_raw(s);
        for (size_t i = 0; i < n_floors && atomic_load(&s->status) == PV_STATUS_OK; i++) {
            s->floor = floors[i];
            walk_all(s);
            if (i + 1 == n_floors) {
                dismiss_walkers(s); /* what is told needs the room */
            }
            tell(s, run);
        }
        status = atomic_load(&s->status) == PV_STATUS_OK ? PV_STATUS_OK : pv_i_no_memory(error);
    }
    pv_i_free(floors);
    return status;
}

const char *pv_i_record_scan_refuses(const pv_disclose_run *run)
{
    if (run->options->only != NULL) {
        return "it does all records at once, not some of them";
    }
    if (!run->lattice.countable || run->lattice.n_nodes > MOST_NODES) {
        return "the lattice has more than 2^32 nodes";
    }
    if (run->profile->n_rows > UINT32_MAX || run->dictionary->n_rows > UINT32_MAX) {
        return "it counts up to 2^32 - 1 rows";
    }
    if (walkers_for(run) == 0) {
        return "its lists need more memory than it may use";
    }
    return NULL;
}

pv_status pv_i_record_scan(pv_disclose_run *run, pv_error *error)
{
    scan s = {.ticker = pv_i_ticker(run->context, "scanning", 0)};
    atomic_init(&s.next, 0);
    atomic_init(&s.stop, false);
    atomic_init(&s.is_late, false);
    atomic_init(&s.status, PV_STATUS_OK);
    (void)pthread_mutex_init(&s.exchange, NULL);
    pv_status status = scan_init(&s, run, error);
    if (status == PV_STATUS_OK) {
        status = scan_records(&s, run, error);
    }
    run->disclosure->visited = run->lattice.n_nodes;
    run->disclosure->stopped = atomic_load(&s.stop) && !atomic_load(&s.is_late);
    run->disclosure->stop = run->disclosure->stopped  ? PV_STOP_CANCELLED
                            : atomic_load(&s.is_late) ? PV_STOP_TIME
                                                      : PV_STOP_FINISHED;
    scan_deinit(&s);
    (void)pthread_mutex_destroy(&s.exchange);
    return status;
}
