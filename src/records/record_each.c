/* The driver of methods that answer one record at a time: records are shared out among threads,
 * each is solved by itself, so that the answers are the same on any number of threads.
 *
 * Where there is a limit of time, or a lattice that nobody can search, it goes in passes over all
 * records, so that nobody waits for what is done for others, and whenever the time is over everyone
 * has the best that was found so far:
 *
 *     choosing    a choice that keeps the bound for everyone, whatever the time
 *     improving   swaps: raise one attribute, lower one, or both
 *     searching   the method, up to 1,000 nodes each, then 8,000, 64,000 ...
 *                 until the time is over, or everything is proven
 *
 * What is proven best is not touched again. */
#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/ticker.h"
#include "records/record_methods.h"

#include <stdatomic.h>

/* Nodes of a record in the first pass under a limit of time, and how much more in each next one. */
#define FIRST_LIMIT 1000
#define LIMIT_FACTOR 8
/* Nodes for all records together where nobody gave a limit: about a minute of them. */
#define USUAL_VISITS 2000000

typedef struct solving solving;
/* Answers one record. */
typedef pv_status (*answer_fn)(solving *s, unsigned worker, size_t tuple);

struct solving {
    pv_disclose_run *run;
    const pv_record_entry *entry;
    pv_record_problem *problems; /* one per thread */
    pv_swapper *swappers;        /* the same; NULL = there is only one pass, the method itself */
    size_t n;                    /* records to solve */

    /* The pass at hand. */
    answer_fn answer;
    uint64_t limit;  /* of one record */
    bool is_hurried; /* ends when the time is over */
    atomic_size_t next;
    atomic_bool stop;       /* asked for, or no memory */
    atomic_bool is_late;    /* the time is over */
    atomic_bool is_limited; /* some record was given up at its limit */
    atomic_int status;
    pv_ticker ticker;
};

/* --------------------------------------------------------------- progress */

/* Under a limit of time it is the time that passes; otherwise records. */
static uint64_t done_so_far(const solving *s)
{
    const size_t done = atomic_load_explicit(&s->next, memory_order_relaxed);
    if (s->is_hurried) {
        const double left = (s->run->until - pv_i_now()) * 1000;
        return left < 0 ? s->ticker.total : s->ticker.total - (uint64_t)left;
    }
    return done < s->n ? done : s->n;
}

static bool keep_going(void *ctx, unsigned worker)
{
    solving *const s = ctx;
    if (s->is_hurried && pv_i_disclose_is_late(s->run)) {
        atomic_store(&s->is_late, true);
    }
    if (worker == 0 && !pv_i_tick(&s->ticker, done_so_far(s))) {
        atomic_store(&s->stop, true);
    }
    return !atomic_load_explicit(&s->stop, memory_order_relaxed) &&
           !atomic_load_explicit(&s->is_late, memory_order_relaxed);
}

static size_t tuple_at(const pv_disclose_run *run, size_t i)
{
    return run->options->only != NULL ? run->options->only[i] : i;
}

static void work(void *ctx, unsigned worker)
{
    solving *const s = ctx;
    while (keep_going(s, worker)) {
        const size_t i = atomic_fetch_add(&s->next, 1);
        if (i >= s->n) {
            return;
        }
        const size_t tuple = tuple_at(s->run, i);
        if (s->run->disclosure->tuples[tuple].is_optimal) {
            continue; /* an earlier pass has proven it */
        }
        const pv_status status = s->answer(s, worker, tuple);
        if (status != PV_STATUS_OK) {
            atomic_store(&s->status, (int)status);
            atomic_store(&s->stop, true);
        }
    }
}

/* One pass over all records. */
static pv_status pass(solving *s, answer_fn answer, const char *phase, bool is_hurried,
                      pv_error *error)
{
    const double left = is_hurried ? (s->run->until - pv_i_now()) * 1000 : 0;
    s->answer = answer;
    s->is_hurried = is_hurried;
    s->ticker = pv_i_ticker(s->run->context, phase,
                            !is_hurried ? s->n
                            : left > 1  ? (uint64_t)left
                                        : 1);
    atomic_store(&s->next, 0);
    atomic_store(&s->is_limited, false);
    pv_i_pool_run(s->run->threads, work, s);
    return atomic_load(&s->status) == PV_STATUS_OK ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* ---------------------------------------------------------------- answers */

static void report(solving *s, const pv_record_problem *problem, size_t tuple)
{
    const uint64_t before = s->run->disclosure->tuples[tuple].visited;
    const pv_record_answer answer = {.levels = problem->levels,
                                     .is_feasible = problem->is_found,
                                     .is_optimal = problem->is_optimal,
                                     .rho = problem->best.rho,
                                     .raw_rho = problem->raw_rho,
                                     .visited = before + problem->visited};
    pv_i_disclose_report(s->run, tuple, &answer);
    if (problem->is_stopped) {
        atomic_store(&s->is_limited, true);
    }
}

/* What an earlier pass found for the record. */
static void recall(const solving *s, pv_record_problem *problem, size_t tuple)
{
    const pv_disclosed *const found = &s->run->disclosure->tuples[tuple];
    if (found->levels != NULL && found->is_feasible) {
        const pv_record_choice choice = pv_i_problem_choice_at(problem, found->levels);
        pv_i_problem_offer(problem, found->levels, &choice);
    }
}

/* The four ways to answer one record. `at once`: by the method alone, in a run of one pass. The
 * others are passes of a run of several: what an earlier pass found is never lost. */

static pv_status answer_at_once(solving *s, unsigned worker, size_t tuple)
{
    pv_record_problem *const problem = &s->problems[worker];
    problem->limit = s->limit;
    pv_i_problem_pose(problem, tuple);
    if (!pv_i_problem_settle(problem)) {
        PV_TRY(s->entry->solve(problem, NULL));
    }
    report(s, problem, tuple);
    return PV_STATUS_OK;
}

static pv_status answer_first(solving *s, unsigned worker, size_t tuple)
{
    pv_record_problem *const problem = &s->problems[worker];
    pv_i_problem_pose(problem, tuple);
    if (!pv_i_problem_settle(problem)) {
        recall(s, problem, tuple);
        pv_i_problem_start(problem, &s->swappers[worker]);
    }
    report(s, problem, tuple);
    return PV_STATUS_OK;
}

static pv_status answer_by_swaps(solving *s, unsigned worker, size_t tuple)
{
    pv_record_problem *const problem = &s->problems[worker];
    pv_i_problem_pose(problem, tuple);
    recall(s, problem, tuple);
    pv_i_problem_swap(problem, &s->swappers[worker]);
    report(s, problem, tuple);
    return PV_STATUS_OK;
}

static pv_status answer_further(solving *s, unsigned worker, size_t tuple)
{
    pv_record_problem *const problem = &s->problems[worker];
    problem->limit = s->limit;
    pv_i_problem_pose(problem, tuple);
    if (s->entry->takes_start) {
        recall(s, problem, tuple);
    }
    PV_TRY(s->entry->solve(problem, NULL));
    if (!s->entry->takes_start && !problem->is_optimal) {
        recall(s, problem, tuple);
    }
    report(s, problem, tuple);
    return PV_STATUS_OK;
}

/* Records not reached because somebody asked to stop: as if nothing were feasible for them. */
static void report_unreached(const solving *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const size_t tuple = tuple_at(s->run, i);
        if (s->run->disclosure->tuples[tuple].levels == NULL) {
            pv_i_problem_pose(&s->problems[0], tuple);
            const pv_record_answer answer = {.raw_rho = s->problems[0].raw_rho};
            pv_i_disclose_report(s->run, tuple, &answer);
        }
    }
}

/* ----------------------------------------------------------------- passes */

#define NO_LIMIT UINT64_MAX

/* Of one record, where nobody gave a limit; 0 = none are worth while. Whoever names a method wants
 * it to be followed to the end. */
static uint64_t usual_limit(const solving *s)
{
    const char *const method = s->run->options->method;
    const uint64_t each = USUAL_VISITS / (s->n > 0 ? s->n : 1);
    if (method != NULL && strcmp(method, "auto") != 0) {
        return NO_LIMIT;
    }
    return each >= FIRST_LIMIT ? each : 0;
}

/* The method: once, up to the limit there is; or again and again, further each time, until the time
 * is over. */
static pv_status go_further(solving *s, pv_error *error)
{
    const uint64_t asked = s->run->options->max_visited;
    const bool is_timed = s->run->until > 0;
    s->limit = asked > 0 ? asked : is_timed ? FIRST_LIMIT : usual_limit(s);
    if (s->limit == 0) {
        atomic_store(&s->is_limited, true);
        return PV_STATUS_OK;
    }
    do {
        PV_TRY(pass(s, answer_further, "searching", is_timed, error));
        s->limit = s->limit < UINT64_MAX / LIMIT_FACTOR ? s->limit * LIMIT_FACTOR : NO_LIMIT;
    } while (is_timed && asked == 0 && atomic_load(&s->is_limited) && keep_going(s, 0));
    return PV_STATUS_OK;
}

/* Everyone first, then better and better. */
static pv_status solve_in_passes(solving *s, pv_error *error)
{
    const bool is_timed = s->run->until > 0;
    PV_TRY(pass(s, answer_first, "choosing", false, error));
    if (atomic_load(&s->stop) || s->entry == NULL) {
        return PV_STATUS_OK;
    }
    PV_TRY(pass(s, answer_by_swaps, "improving", is_timed, error));
    return keep_going(s, 0) ? go_further(s, error) : PV_STATUS_OK;
}

static pv_status solve_records(solving *s, pv_error *error)
{
    pv_disclosure *const d = s->run->disclosure;
    s->limit = s->run->options->max_visited;
    PV_TRY(s->swappers != NULL ? solve_in_passes(s, error)
                               : pass(s, answer_at_once, "solving", false, error));
    report_unreached(s);
    d->stopped = atomic_load(&s->stop);
    d->stop = d->stopped                    ? PV_STOP_CANCELLED
              : atomic_load(&s->is_late)    ? PV_STOP_TIME
              : atomic_load(&s->is_limited) ? PV_STOP_EVALUATIONS
                                            : d->stop;
    for (size_t i = 0; s->entry != NULL && i < s->n; i++) {
        d->visited += d->tuples[tuple_at(s->run, i)].visited;
    }
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------- set up */

static pv_status workers_init(solving *s, const pv_consistent_index *index, bool in_passes,
                              pv_error *error)
{
    const pv_disclose_run *const run = s->run;
    s->problems = PV_NEW_ZEROED(pv_record_problem, run->threads);
    s->swappers = in_passes ? PV_NEW_ZEROED(pv_swapper, run->threads) : NULL;
    if (s->problems == NULL || (in_passes && s->swappers == NULL)) {
        return pv_i_no_memory(error);
    }
    for (unsigned i = 0; i < run->threads; i++) {
        pv_record_problem *const problem = &s->problems[i];
        PV_TRY(pv_i_problem_init(problem, &run->weighing, index, error));
        problem->memory = run->memory / run->threads;
        problem->keep_going = keep_going;
        problem->ctx = s;
        problem->worker = i;
        if (in_passes) {
            PV_TRY(pv_i_swapper_init(&s->swappers[i], run->attacker, problem, error));
        }
    }
    return PV_STATUS_OK;
}

static void workers_deinit(solving *s)
{
    for (unsigned i = 0; i < s->run->threads; i++) {
        if (s->problems != NULL) {
            pv_i_problem_deinit(&s->problems[i]);
        }
        if (s->swappers != NULL) {
            pv_i_swapper_deinit(&s->swappers[i]);
        }
    }
    pv_i_free(s->problems);
    pv_i_free(s->swappers);
}

static pv_status solve_each(pv_disclose_run *run, const pv_record_entry *entry, bool in_passes,
                            pv_error *error)
{
    const size_t n = run->options->only != NULL ? run->options->n_only : run->profile->n_tuples;
    solving s = {.run = run, .entry = entry, .n = n};
    pv_consistent_index *index = NULL;
    pv_status status = PV_STATUS_OK;
    atomic_init(&s.next, 0);
    atomic_init(&s.stop, false);
    atomic_init(&s.is_late, false);
    atomic_init(&s.is_limited, false);
    atomic_init(&s.status, PV_STATUS_OK);
    PV_TRY(pv_i_consistent_index_create(run->attacker, run->memory, &index, error));
    PV_TRY_CLEAN(workers_init(&s, index, in_passes, error));
    PV_TRY_CLEAN(solve_records(&s, error));
cleanup:
    workers_deinit(&s);
    pv_i_consistent_index_free(index);
    return status;
}

pv_status pv_i_solve_each(pv_disclose_run *run, const pv_record_entry *entry, pv_error *error)
{
    return solve_each(run, entry, run->until > 0 || run->lattice.size > PV_ENDLESS_LATTICE, error);
}

pv_status pv_i_solve_unfinished(pv_disclose_run *run, pv_error *error)
{
    return solve_each(run, NULL, true, error);
}
