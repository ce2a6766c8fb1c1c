/* The scan: the best levels of all records at once, depth first over the attributes.
 *
 * Deciding for one record means looking at its lattice; all records share most of that work. The
 * search fixes one attribute after the other, every level of each. A list of all records with some
 * attributes fixed (record_scan_lists.c) serves all nodes of the lattice that agree on them, and at
 * the last attribute all its levels are read off one list:
 *
 *     nothing fixed                 [ all records ]
 *                                  /       |       \
 *     age at 2, 1, 0        [ list ]    [ list ]   [ list ]        two lists per depth in memory
 *                           /      \
 *     sex at 1, 0     [ list ]   [ list ]
 *                        |           |
 *     zip, last       read off    read off    -> best choices go back up along the maps
 *
 * Every record has a *limit*, the best choice found so far. A run of records whose bound is worse
 * than the limits of all of them is left out, with everything below it.
 *
 * The lattice is shared out among the threads by the levels of the first attributes. Who finds what
 * when decides how much is left out, but not what is found: the best choice of a record is the
 * least in a total order, and only what is worse than something found is left out. So one thread
 * and seven give the same answer, and it is that of looking at every node. */
#include "records/record_scan.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Shares of the lattice for each thread: enough to keep all busy to the end. */
#define TASKS_PER_THREAD 16
#define MOST_NODES ((uint64_t)UINT32_MAX - 1)
/* About what a worker takes for each record and attribute; up to twice that where hardly anything
 * can be left out. */
#define BYTES_PER_ENTRY 64

typedef struct {
    pv_disclose_run *run;
    pv_scan_tables tables;
    pv_scan_worker *workers;
    pv_scan_best **found; /* per worker, per suffix of position 0, that is per record */
    pv_scan_best *common; /* per record: what all workers know */
    pthread_mutex_t exchange;
    pv_scan_list *bases; /* per worker: nothing fixed */
    unsigned n_workers;
    uint8_t *wanted;   /* per worker and position: the level of the task, or PV_LEVELS_... */
    uint32_t *raw_rho; /* per record: released raw */
    uint32_t *low_rho; /* ... and at the lowest levels that the plan allows, mostly the same */

    /* The pass at hand. */
    uint8_t levels; /* PV_LEVELS_... */
    size_t depth;   /* positions whose level a task fixes */
    size_t n_tasks;
    size_t begun;        /* the latest task of the caller's thread */
    int64_t floor;       /* utility that the records of this pass must keep */
    atomic_bool is_late; /* it stops because the time is over */
    bool is_stopped;     /* by the progress callback */
    pv_ticker ticker;
} scan;

/* ------------------------------------------------------------ depth first */

static void forget(pv_scan_best *best, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        best[i] = PV_NO_BEST;
    }
}

/* What was found for the child's entries, for those of the list they come from. Runs for which
 * nothing was found are skipped, which is most of them: then nobody's limit has changed either. */
static void push_back(const pv_scan_frame *frame, pv_scan_list *list, pv_scan_best *best)
{
    for (size_t run = 0; run < frame->child.n_runs; run++) {
        if (!frame->child.is_improved[run]) {
            continue;
        }
        const pv_scan_origin origin = frame->origin[run];
        bool improved = false;
        for (uint32_t i = origin.start; i < origin.end; i++) {
            improved |= pv_i_scan_offer(&frame->best[frame->map[i]], &best[i], &list->limit[i]);
        }
        list->is_improved[origin.run] |= improved;
    }
}

static bool goes_on(scan *s, const pv_thread *thread)
{
    if (s->workers[thread->number].is_counting) {
        return true; /* half a count would be taken for the whole */
    }
    if (pv_i_disclose_is_late(s->run)) {
        atomic_store(&s->is_late, true);
    }
    return pv_i_goes_on(thread, thread->number == 0 ? s->begun : 0) &&
           !atomic_load_explicit(&s->is_late, memory_order_relaxed);
}

/* All nodes that agree on the positions before this one, of which `node` is the lowest. False when
 * memory runs out. */
static bool search(scan *s, const pv_thread *thread, size_t position, pv_scan_list *list,
                   uint32_t node, pv_scan_best *best)
{
    pv_scan_worker *const worker = &s->workers[thread->number];
    const uint8_t wanted = s->wanted[thread->number * s->tables.n + position];
    if (position + 1 == s->tables.n) {
        pv_i_scan_fix_last(worker, list, wanted, node, best);
        return true;
    }
    const pv_scan_attribute *const attribute = &s->tables.attributes[position];
    pv_scan_frame *const frame = &worker->frames[position];
    bool ready = pv_i_scan_divide(worker, position, list);
    /* From the top down: general choices fit most people, and what is found there bounds all
     * others. */
    for (unsigned level = attribute->height + 1; ready && level-- > 0 && goes_on(s, thread);) {
        if (!pv_i_scan_wants(attribute, wanted, level)) {
            continue;
        }
        const uint32_t fixed = node + level * attribute->stride;
        ready = pv_i_scan_fix(worker, position, list, level, fixed, best);
        forget(frame->best, ready ? frame->child.n : 0);
        if (ready && frame->child.n > 0) {
            ready = search(s, thread, position + 1, &frame->child, fixed, frame->best);
            push_back(frame, list, best);
        }
    }
    return ready;
}

/* ------------------------------------------------------------------ tasks */

/* A task is a number that says the levels of the first positions. False: it is none of this pass.
 */
static bool take_task(const scan *s, unsigned number, uint32_t task)
{
    uint8_t *const wanted = s->wanted + number * s->tables.n;
    bool is_wanted = true;
    memset(wanted, s->levels, s->tables.n);
    for (size_t p = s->depth; p-- > 0;) {
        const pv_scan_attribute *const attribute = &s->tables.attributes[p];
        const uint32_t n_levels = attribute->height + 1;
        wanted[p] = (uint8_t)(n_levels - 1 - task % n_levels);
        is_wanted = is_wanted && pv_i_scan_wants(attribute, s->levels, wanted[p]);
        task /= n_levels;
    }
    return is_wanted;
}

/* What one worker found is for all to know: they need not look for anything worse. Once per task,
 * because it takes the lock for a pass over all records. */
static void exchange(scan *s, unsigned number)
{
    pv_scan_list *const base = &s->bases[number];
    pv_scan_best *const own = s->found[number];
    (void)pthread_mutex_lock(&s->exchange);
    for (size_t i = 0; i < base->n; i++) {
        if (pv_i_scan_is_better(&own[i], &s->common[i])) {
            s->common[i] = own[i];
        } else {
            (void)pv_i_scan_offer(&s->common[i], &own[i], &base->limit[i]);
        }
    }
    (void)pthread_mutex_unlock(&s->exchange);
}

static pv_status search_task(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    scan *const s = ctx;
    const unsigned number = thread->number;
    if (number == 0) {
        s->begun = task;
    }
    if (atomic_load(&s->is_late) || !take_task(s, number, (uint32_t)task) || !goes_on(s, thread)) {
        return PV_STATUS_OK;
    }
    if (!search(s, thread, 0, &s->bases[number], 0, s->found[number])) {
        return pv_i_no_memory(error);
    }
    exchange(s, number);
    return PV_STATUS_OK;
}

/* To be stopped is no failure: what was found so far counts. */
static pv_status search_levels(scan *s, uint8_t levels, pv_error *error)
{
    if (s->is_stopped) {
        return PV_STATUS_OK;
    }
    s->levels = levels;
    const pv_status status =
        pv_i_tasks_run(s->n_workers, s->n_tasks, search_task, s, &s->ticker, error);
    s->is_stopped = status == PV_STATUS_CANCELLED;
    return s->is_stopped ? PV_STATUS_OK : status;
}

/* The utility that a record must keep. */
static int64_t floor_of(const scan *s, uint32_t record)
{
    return pv_i_weighing_floor(s->tables.weighing, pv_i_scan_raw_worth(&s->tables, record).utility);
}

/* Who still wants something of this pass: those who must keep just this much utility, and are not
 * settled because nobody in the dictionary fits them. */
static void set_limits(const scan *s, pv_scan_list *base)
{
    const bool is_monotone = pv_i_weighing_is_monotone(s->tables.weighing);
    for (uint32_t i = 0; i < base->n; i++) {
        const bool is_settled = is_monotone && s->low_rho[i] == 0;
        base->limit[i] =
            floor_of(s, i) == s->floor && !is_settled ? PV_ANYTHING_WANTED : PV_NOTHING_WANTED;
    }
}

/* Sketches of the lattice come first: with something good in hand most of the rest is not worth
 * looking at. Two levels each, and the second sketch is spared much by the first: one of three
 * levels finds more, but takes longer than that saves. */
static pv_status search_lattice(scan *s, pv_error *error)
{
    const size_t n = s->tables.suffixes.n[0];
    for (unsigned i = 0; i < s->n_workers; i++) {
        s->workers[i].floor = s->floor;
        set_limits(s, &s->bases[i]);
        forget(s->found[i], n);
    }
    forget(s->common, n);
    s->n_tasks = 1;
    s->depth = 0;
    while (s->depth < s->tables.n && s->n_tasks < s->n_workers * TASKS_PER_THREAD) {
        s->n_tasks *= s->tables.attributes[s->depth++].height + 1;
    }
    s->ticker.total = s->n_tasks;
    PV_TRY(search_levels(s, PV_LEVELS_NEAR_ENDS, error));
    PV_TRY(search_levels(s, PV_LEVELS_ENDS, error));
    return search_levels(s, PV_LEVELS_ANY, error);
}

/* Every record's rho at the wanted levels. False when memory runs out. */
static bool count_at(scan *s, uint32_t *rho)
{
    const size_t n = s->tables.suffixes.n[0];
    forget(s->found[0], n);
    s->workers[0].is_counting = true;
    const bool ready = search(s, &(pv_thread){0}, 0, &s->bases[0], 0, s->found[0]);
    s->workers[0].is_counting = false;
    for (size_t i = 0; i < n; i++) {
        rho[i] = s->found[0][i].rho;
    }
    return ready;
}

/* Released raw, rho is how often a record occurs, unless the dictionary is another one, or some
 * value is `*` itself, with which everyone is consistent. At higher levels it is 0 for nobody whose
 * raw record somebody fits. False when memory runs out. */
static bool count_raw(scan *s)
{
    const size_t n = s->tables.suffixes.n[0];
    bool is_own_count = s->tables.is_table;
    for (size_t p = 0; p < s->tables.n; p++) {
        is_own_count = is_own_count && !s->tables.attributes[p].has_root_leaf;
    }
    if (is_own_count) {
        memcpy(s->raw_rho, s->bases[0].count, n * sizeof *s->raw_rho);
        s->low_rho = s->raw_rho;
        return true;
    }
    memset(s->wanted, PV_LEVELS_RAW, s->tables.n);
    if (!count_at(s, s->raw_rho)) {
        return false;
    }
    if (s->tables.remaining[0].may_be_raw) {
        s->low_rho = s->raw_rho;
        return true;
    }
    for (size_t p = 0; p < s->tables.n; p++) {
        const unsigned lowest = s->tables.attributes[p].lowest;
        s->wanted[p] = lowest > 0 ? (uint8_t)lowest : PV_LEVELS_RAW;
    }
    return count_at(s, s->low_rho);
}

/* ---------------------------------------------------------------- set up */

static bool fill_dictionary(const pv_scan_tables *tables, pv_scan_list *base)
{
    const pv_attacker *const attacker = tables->run->attacker;
    const size_t n = tables->dict.n[0];
    base->dict_suffix = PV_NEW_ARRAY(uint32_t, n);
    base->dict_count = PV_NEW_ZEROED(uint32_t, n);
    if (base->dict_suffix == NULL || base->dict_count == NULL) {
        return false;
    }
    for (size_t t = 0; t < attacker->n_tuples; t++) {
        const uint32_t suffix = tables->dict.of_tuple[t];
        base->dict_suffix[suffix] = suffix;
        base->dict_count[suffix] += (uint32_t)attacker->counts[t];
    }
    base->n_dict = base->dict_capacity = n;
    base->dict_start[0] = 0;
    base->dict_start[1] = (uint32_t)n;
    return true;
}

/* One run of all records. */
static bool fill_base(const pv_scan_tables *tables, pv_scan_list *base)
{
    const pv_profile *const profile = tables->run->profile;
    const size_t n = profile->n_tuples;
    if (!pv_i_scan_list_reserve(base, n)) {
        return false;
    }
    base->n = n;
    base->n_runs = 1;
    base->start[0] = 0;
    base->start[1] = (uint32_t)n;
    base->worth[0] = (pv_worth){0};
    base->total[0] = (uint32_t)tables->run->attacker->n_rows;
    for (size_t t = 0; t < n; t++) {
        const uint32_t suffix = tables->suffixes.of_tuple[t];
        base->suffix[suffix] = suffix;
        base->count[suffix] = (uint32_t)profile->count[t];
        base->limit[suffix] = PV_ANYTHING_WANTED;
    }
    return tables->is_table || fill_dictionary(tables, base);
}

/* As many as there is memory for. */
static unsigned workers_for(const pv_disclose_run *run)
{
    const double bytes =
        (double)run->profile->n_tuples * (double)run->values.n_quasi * BYTES_PER_ENTRY;
    const double most = (double)run->memory / bytes;
    return most < run->threads ? (unsigned)most : run->threads;
}

static pv_status scan_init(scan *s, pv_error *error)
{
    const size_t n = s->run->profile->n_tuples;
    PV_TRY(pv_i_scan_tables_init(&s->tables, s->run, error));
    s->n_workers = workers_for(s->run);
    s->workers = PV_NEW_ZEROED(pv_scan_worker, s->n_workers);
    s->found = PV_NEW_ZEROED(pv_scan_best *, s->n_workers);
    s->bases = PV_NEW_ZEROED(pv_scan_list, s->n_workers);
    s->wanted = PV_ARENA_ARRAY(&s->tables.arena, uint8_t, s->n_workers * s->tables.n);
    s->common = PV_ARENA_ARRAY(&s->tables.arena, pv_scan_best, n);
    s->raw_rho = PV_ARENA_ARRAY(&s->tables.arena, uint32_t, n);
    if (!s->tables.remaining[0].may_be_raw) {
        s->low_rho = PV_ARENA_ARRAY(&s->tables.arena, uint32_t, n);
    }
    bool ready =
        s->workers != NULL && s->found != NULL && s->bases != NULL && !s->tables.arena.failed;
    for (unsigned i = 0; ready && i < s->n_workers; i++) {
        s->found[i] = PV_NEW_ARRAY(pv_scan_best, n);
        ready = pv_i_scan_worker_init(&s->workers[i], &s->tables) && s->found[i] != NULL &&
                fill_base(&s->tables, &s->bases[i]);
    }
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* Everything that only searching needs: most of the memory. */
static void dismiss_workers(scan *s)
{
    for (unsigned i = 0; i < s->n_workers; i++) {
        if (s->workers != NULL) {
            pv_i_scan_worker_deinit(&s->workers[i]);
        }
        pv_i_free(s->found != NULL ? s->found[i] : NULL);
        if (s->bases != NULL) {
            pv_i_scan_list_deinit(&s->bases[i]);
        }
    }
    pv_i_free(s->workers);
    pv_i_free(s->found);
    pv_i_free(s->bases);
    s->workers = NULL;
    s->found = NULL;
    s->bases = NULL;
    s->n_workers = 0;
}

/* ---------------------------------------------------------------- results */

/* The levels of a node, in a ragged tree no higher than where a value is `*`. */
static void levels_of(const scan *s, size_t tuple, uint32_t node, uint8_t *levels)
{
    const pv_disclose_run *const run = s->tables.run;
    pv_i_lattice_levels(&run->lattice, node, levels);
    for (size_t q = 0; q < s->tables.n; q++) {
        const uint8_t top = run->values.root_level[q][pv_profile_leaf(run->profile, tuple, q)];
        levels[q] = levels[q] < top ? levels[q] : top;
    }
}

/* The lowest levels of a record. */
static pv_worth take_lowest(const scan *s, size_t tuple, uint8_t *levels)
{
    const pv_disclose_run *const run = s->tables.run;
    pv_worth sum = {0};
    for (size_t q = 0; q < s->tables.n; q++) {
        const uint32_t leaf = pv_profile_leaf(run->profile, tuple, q);
        const uint8_t root = run->values.root_level[q][leaf];
        levels[q] = run->values.lowest[q] < root ? run->values.lowest[q] : root;
        const pv_worth own = run->weighing.worth[q][levels[q]][leaf];
        sum = (pv_worth){sum.utility + own.utility, sum.phi + own.phi};
    }
    return sum;
}

/* Whom nobody in the dictionary fits at the lowest levels runs no risk there in models I and II:
 * released so, if that is accepted at all. */
static pv_record_answer answer_for(const scan *s, size_t tuple, uint8_t *levels)
{
    const pv_weighing *const w = s->tables.weighing;
    const uint32_t record = s->tables.suffixes.of_tuple[tuple];
    const pv_scan_best *const best = &s->common[record];
    const uint32_t raw_rho = s->raw_rho[record];
    pv_record_answer answer = {.levels = levels,
                               .is_feasible = best->node != UINT32_MAX,
                               .is_optimal = !s->is_stopped && !atomic_load(&s->is_late),
                               .rho = best->rho,
                               .raw_rho = raw_rho,
                               .visited = (uint64_t)s->run->disclosure->nodes};
    if (s->low_rho[record] == 0 && pv_i_weighing_is_monotone(w)) {
        const pv_worth low = take_lowest(s, tuple, levels);
        answer.is_feasible =
            pv_i_weighing_accepts(w, s->floor, low.utility, pv_i_weighing_risk(w, low.phi, 0));
        answer.rho = 0;
    } else if (answer.is_feasible) {
        levels_of(s, tuple, best->node, levels);
    }
    return answer;
}

/* A share of the tuples: of the records of this pass, which must keep just this much utility. The
 * levels go straight to their place. */
static pv_status report_share(void *ctx, size_t share, const pv_thread *thread, pv_error *error)
{
    const scan *const s = ctx;
    const size_t n = s->run->profile->n_tuples;
    const size_t end = n * (share + 1) / s->run->threads;
    for (size_t tuple = n * share / s->run->threads; tuple < end; tuple++) {
        if (floor_of(s, s->tables.suffixes.of_tuple[tuple]) == s->floor) {
            const pv_record_answer answer =
                answer_for(s, tuple, s->run->levels + tuple * s->tables.n);
            pv_i_disclose_report(s->run, tuple, &answer);
        }
    }
    (void)thread;
    (void)error;
    return PV_STATUS_OK;
}

static int compare_floors(const void *a, const void *b)
{
    const int64_t left = *(const int64_t *)a;
    const int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* All floors, ascending, into an array as long as there are records. Mostly it is the same for
 * everyone. */
static size_t distinct_floors(const scan *s, int64_t *floors)
{
    size_t n = 0;
    size_t n_distinct = 0;
    for (uint32_t record = 0; record < s->tables.suffixes.n[0]; record++) {
        const int64_t floor = floor_of(s, record);
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

/* In a ragged tree a share of the utility may be another one for each record: then there is a pass
 * for each floor, with the records that must keep so much. */
static pv_status scan_records(scan *s, pv_error *error)
{
    int64_t *const floors = PV_ARENA_ARRAY(&s->tables.arena, int64_t, s->run->profile->n_tuples);
    if (floors == NULL || !count_raw(s)) {
        return pv_i_no_memory(error);
    }
    const size_t n_floors = distinct_floors(s, floors);
    for (size_t i = 0; i < n_floors; i++) {
        s->floor = floors[i];
        PV_TRY(search_lattice(s, error));
        if (i + 1 == n_floors) {
            dismiss_workers(s); /* what is reported needs the memory */
        }
        PV_TRY(pv_i_tasks_run(s->run->threads, s->run->threads, report_share, s, NULL, error));
    }
    return PV_STATUS_OK;
}

/* A value that is `*` is at the top level of the scan, whatever its own: so the highest level must
 * be the top for all values or for none. */
static bool is_top_for_some(const pv_disclose_run *run, size_t q)
{
    const uint32_t n = pv_hierarchy_leaves(pv_study_hierarchy(run->profile->study, q));
    bool some = false;
    for (uint32_t leaf = 0; leaf < n && run->values.highest[q] < run->values.heights[q]; leaf++) {
        some |= run->values.root_level[q][leaf] <= run->values.highest[q];
    }
    return some;
}

const char *pv_i_record_scan_refuses(const pv_disclose_run *run)
{
    if (run->options->only != NULL) {
        return "it does all records at once, not some of them";
    }
    for (size_t q = 0; q < run->values.n_quasi; q++) {
        if (is_top_for_some(run, q)) {
            return "some values of an attribute whose levels the plan limits are `*` before others";
        }
    }
    if (!run->lattice.countable || run->lattice.n_nodes > MOST_NODES) {
        return "the lattice has more than 2^32 nodes";
    }
    if (run->profile->n_rows > UINT32_MAX || run->attacker->n_rows > UINT32_MAX) {
        return "it counts up to 2^32 - 1 rows";
    }
    if (workers_for(run) == 0) {
        return "its lists need more memory than it may use";
    }
    return NULL;
}

pv_status pv_i_record_scan(pv_disclose_run *run, pv_error *error)
{
    pv_disclosure *const d = run->disclosure;
    scan s = {.run = run, .ticker = pv_i_ticker(run->context, "scanning", 0)};
    atomic_init(&s.is_late, false);
    (void)pthread_mutex_init(&s.exchange, NULL);
    pv_status status = scan_init(&s, error);
    if (status == PV_STATUS_OK) {
        status = scan_records(&s, error);
    }
    d->visited = (uint64_t)d->nodes;
    d->stopped = s.is_stopped;
    d->stop = s.is_stopped              ? PV_STOP_CANCELLED
              : atomic_load(&s.is_late) ? PV_STOP_TIME
                                        : PV_STOP_FINISHED;
    dismiss_workers(&s);
    pv_i_arena_deinit(&s.tables.arena);
    (void)pthread_mutex_destroy(&s.exchange);
    return status;
}
