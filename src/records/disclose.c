/* Record-by-record disclosure: the registry of methods and their one driver.
 *
 *     options --> values, weighing, lattice --> method --> pv_i_disclose_report, tuple by tuple
 *                 (what is weighed up)          scan: all records at once
 *                                               others: one by one
 *
 * `auto` scans where that is done in minutes: it is exact for every model, and the fastest by far
 * where every node of the lattice can be looked at. Otherwise branch and bound decides record by
 * record.
 *
 * **One by one.** Records are the tasks of threads, and each is solved by itself, so that the
 * answers are the same on any number of threads. Where there is a limit of time, or a lattice that
 * nobody can search, it goes in passes over all records, so that nobody waits for what is done for
 * others, and whenever the time is over everyone has the best that was found so far:
 *
 *     choosing    a choice that keeps the bound for everyone, whatever the time
 *     improving   swaps: generalize one attribute, refine one, or both
 *     searching   the method, up to 1,000 nodes each, then 8,000, 64,000 ...
 *                 until the time is over, or everything is proven
 *
 * What is proven best is not touched again. */
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/tasks.h"
#include "records/record_methods.h"

#include <math.h>
#include <stdatomic.h>

#define ARUBA "ARUBA: a risk-utility-based algorithm for data disclosure"
#define DEFAULT_MEMORY ((uint64_t)512 << 20)

/* ---------------------------------------------------------------- registry */

static const char *refuses_balance(const pv_disclose_run *run)
{
    return run->options->aim == PV_AIM_BALANCE
               ? "it needs a bound that choices keep or break, and a balance has none"
               : NULL;
}

static const char *refuses_nothing(const pv_disclose_run *run)
{
    (void)run;
    return NULL;
}

static const pv_record_entry entries[] = {
    {{.name = "scan",
      .summary = "all records at once, every node of the lattice",
      .exact_for = "I, II, III"},
     .refuses = pv_i_record_scan_refuses,
     .solve_all = pv_i_record_scan},
    {{.name = "aruba",
      .summary = "record by record along the frontier of what is useful enough",
      .exact_for = "I, II",
      .reference = ARUBA ", algorithm 2",
      .needs_monotone = true},
     .refuses = refuses_balance,
     .solve = pv_i_aruba},
    {{.name = "btda",
      .summary = "record by record from * down, by a queue of the least risks",
      .exact_for = "I, II",
      .reference = ARUBA ", algorithm 1",
      .needs_monotone = true},
     .refuses = refuses_balance,
     .solve = pv_i_btda},
    {{.name = "bnb", .summary = "record by record by branch and bound", .exact_for = "I, II, III"},
     .refuses = refuses_nothing,
     .solve = pv_i_record_bnb,
     .takes_start = true},
};

#define N_ENTRIES (sizeof entries / sizeof *entries)

size_t pv_n_record_methods(void)
{
    return N_ENTRIES;
}

const pv_record_method *pv_record_method_at(size_t index)
{
    return index < N_ENTRIES ? &entries[index].info : NULL;
}

static const pv_record_entry *find(const char *name)
{
    for (size_t i = 0; i < N_ENTRIES; i++) {
        if (strcmp(entries[i].info.name, name) == 0) {
            return &entries[i];
        }
    }
    return NULL;
}

const pv_record_method *pv_record_method_find(const char *name)
{
    const pv_record_entry *const entry = find(name);
    return entry != NULL ? &entry->info : NULL;
}

/* Records times nodes that a scan is done with in minutes: it looks at a few of a thousand. */
#define AFFORDABLE 1e12
#define AFFORDABLE_PER_SECOND 5e8
#define MOST_SCANNED 1e9 /* nodes, whatever the records */

static const pv_record_entry *choose_best(const pv_disclose_run *run, const char **reason)
{
    const double nodes = run->disclosure->nodes;
    const double entries_in_all = nodes * (double)run->profile->n_tuples;
    const double seconds = run->options->max_seconds;
    if (run->options->only != NULL) {
        *reason = "only some records are asked for";
    } else if (pv_i_record_scan_refuses(run) != NULL || nodes > MOST_SCANNED ||
               entries_in_all > AFFORDABLE) {
        *reason = "the lattice is too large to be scanned for all records in minutes";
    } else if (seconds > 0 && entries_in_all > seconds * AFFORDABLE_PER_SECOND) {
        *reason = "the lattice is too large to be scanned for all records in that time";
    } else {
        *reason = "every node of the lattice can be scanned for all records at once";
        return find("scan");
    }
    return find("bnb");
}

/* The method asked for, if it can do this, or the best one. */
static pv_status choose(const pv_disclose_run *run, const pv_record_entry **entry,
                        const char **reason, pv_error *error)
{
    const char *const name = run->options->method;
    if (name == NULL || strcmp(name, "auto") == 0) {
        *entry = choose_best(run, reason);
        return PV_STATUS_OK;
    }
    *entry = find(name);
    if (*entry == NULL) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no method '%s'", name),
                         error, "the methods are auto, scan, aruba, btda and bnb");
    }
    const char *const refusal = (*entry)->refuses(run);
    return refusal == NULL ? PV_STATUS_OK
                           : pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "%s cannot do this: %s",
                                                 name, refusal),
                                       error, "leave the method to the program (auto)");
}

/* --------------------------------------------------------------- reporting */

/* Adds up utility and sensitivity as they are, for people: not rounded to units. NULL = raw. */
static double plain_worth(const pv_disclose_run *run, size_t tuple, const uint8_t *levels,
                          double *phi)
{
    double utility = 0;
    *phi = 0;
    for (size_t q = 0; q < run->values.n_quasi; q++) {
        const uint32_t leaf = pv_profile_leaf(run->profile, tuple, q);
        const pv_record_level *const level = &run->values.levels[q][levels != NULL ? levels[q] : 0];
        utility += level->utility[leaf];
        *phi += level->sensitivity[leaf];
    }
    return utility;
}

void pv_i_disclose_report(pv_disclose_run *run, size_t tuple, const pv_record_answer *answer)
{
    const size_t n = run->values.n_quasi;
    const uint64_t n_rows = run->attacker->n_rows;
    const pv_risk model = run->options->risk;
    uint8_t *const levels = run->levels + tuple * n;
    for (size_t q = 0; q < n; q++) {
        levels[q] = answer->is_feasible
                        ? answer->levels[q]
                        : run->values.root_level[q][pv_profile_leaf(run->profile, tuple, q)];
    }
    double phi_raw;
    double phi;
    const double most = plain_worth(run, tuple, NULL, &phi_raw);
    const double utility = plain_worth(run, tuple, levels, &phi);
    const uint64_t rho = answer->is_feasible ? answer->rho : n_rows;
    run->disclosure->tuples[tuple] =
        (pv_disclosed){.levels = levels,
                       .risk = pv_i_record_risk(model, phi, rho, n_rows),
                       .utility = utility,
                       .consistent = rho,
                       .risk_raw = pv_i_record_risk(model, phi_raw, answer->raw_rho, n_rows),
                       .most = most,
                       .consistent_raw = answer->raw_rho,
                       .is_feasible = answer->is_feasible,
                       .is_optimal = answer->is_optimal,
                       .visited = answer->visited};
}

/* -------------------------------------------------------------- one by one */

/* Nodes of a record in the first pass under a limit of time, and how much more in each next one. */
#define FIRST_LIMIT 1000
#define LIMIT_FACTOR 8
#define NO_LIMIT UINT64_MAX
/* Nodes for all records together where nobody gave a limit: about a minute of them. */
#define USUAL_VISITS 2000000

typedef struct solving solving;
/* Answers one record, whose problem is posed. */
typedef pv_status (*answer_fn)(solving *s, pv_record_problem *problem, pv_swapper *swapper,
                               size_t tuple, pv_error *error);

struct solving {
    pv_disclose_run *run;
    const pv_record_entry *entry;
    pv_record_problem *problems; /* one per thread */
    pv_swapper *swappers;        /* the same; NULL = there is only one pass, the method itself */
    size_t n;                    /* records to solve */
    bool is_stopped;             /* by the progress callback */

    /* The pass at hand. */
    answer_fn answer;
    uint64_t limit;         /* of one record; 0 = none */
    bool is_hurried;        /* ends when the time is over */
    uint64_t total;         /* milliseconds it has then, of progress */
    size_t begun;           /* the latest record of the caller's thread */
    atomic_bool is_late;    /* the time is over */
    atomic_bool is_limited; /* some record was given up at its limit */
};

/* What passes is time, where that is limited, otherwise records. */
static bool keep_going(void *ctx, const pv_thread *thread)
{
    solving *const s = ctx;
    uint64_t done = thread->number == 0 ? s->begun : 0;
    if (s->is_hurried) {
        const double left = (s->run->until - pv_i_now()) * 1000;
        done = left < 0 ? s->total : s->total - (uint64_t)left;
        if (left < 0) {
            atomic_store(&s->is_late, true);
        }
    }
    return pv_i_goes_on(thread, done) && !atomic_load_explicit(&s->is_late, memory_order_relaxed);
}

static size_t tuple_at(const pv_disclose_run *run, size_t i)
{
    return run->options->only != NULL ? run->options->only[i] : i;
}

/* Poses the problem of one record, has it answered, and reports. */
static pv_status answer_record(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    solving *const s = ctx;
    const size_t tuple = tuple_at(s->run, task);
    const pv_disclosed *const before = &s->run->disclosure->tuples[tuple];
    pv_record_problem *const problem = &s->problems[thread->number];
    pv_swapper *const swapper = s->swappers != NULL ? &s->swappers[thread->number] : NULL;
    if (thread->number == 0) {
        s->begun = task;
    }
    if (before->is_optimal || /* an earlier pass has proven it */
        atomic_load_explicit(&s->is_late, memory_order_relaxed) || !keep_going(s, thread)) {
        return PV_STATUS_OK;
    }
    problem->thread = thread;
    problem->limit = s->limit;
    pv_i_problem_pose(problem, tuple);
    PV_TRY(s->answer(s, problem, swapper, tuple, error));
    const pv_record_answer answer = {.levels = problem->levels,
                                     .is_feasible = problem->is_found,
                                     .is_optimal = problem->is_optimal,
                                     .rho = problem->best.rho,
                                     .raw_rho = problem->raw_rho,
                                     .visited = before->visited + problem->visited};
    pv_i_disclose_report(s->run, tuple, &answer);
    if (problem->is_stopped) {
        atomic_store(&s->is_limited, true);
    }
    return PV_STATUS_OK;
}

/* One pass over all records. To be stopped is no failure. */
static pv_status pass(solving *s, answer_fn answer, const char *phase, bool is_hurried,
                      uint64_t limit, pv_error *error)
{
    const double left = is_hurried ? (s->run->until - pv_i_now()) * 1000 : 0;
    s->answer = answer;
    s->is_hurried = is_hurried;
    s->limit = limit;
    s->total = left > 1 ? (uint64_t)left : 1;
    pv_ticker ticker = pv_i_ticker(s->run->context, phase, is_hurried ? s->total : s->n);
    atomic_store(&s->is_limited, false);
    const pv_status status =
        pv_i_tasks_run(s->run->threads, s->n, answer_record, s, &ticker, error);
    s->is_stopped = status == PV_STATUS_CANCELLED;
    return s->is_stopped ? PV_STATUS_OK : status;
}

/* What an earlier pass found for the record. It is offered like any other choice: a method that
 * starts from it is bounded by it, and one that does not can only improve on it. */
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

static pv_status answer_at_once(solving *s, pv_record_problem *problem, pv_swapper *swapper,
                                size_t tuple, pv_error *error)
{
    (void)swapper;
    (void)tuple;
    return pv_i_problem_settle(problem) ? PV_STATUS_OK : s->entry->solve(problem, error);
}

static pv_status answer_first(solving *s, pv_record_problem *problem, pv_swapper *swapper,
                              size_t tuple, pv_error *error)
{
    (void)error;
    if (!pv_i_problem_settle(problem)) {
        recall(s, problem, tuple);
        pv_i_problem_start(problem, swapper);
    }
    return PV_STATUS_OK;
}

static pv_status answer_by_swaps(solving *s, pv_record_problem *problem, pv_swapper *swapper,
                                 size_t tuple, pv_error *error)
{
    (void)error;
    recall(s, problem, tuple);
    pv_i_problem_swap(problem, swapper);
    return PV_STATUS_OK;
}

static pv_status answer_further(solving *s, pv_record_problem *problem, pv_swapper *swapper,
                                size_t tuple, pv_error *error)
{
    (void)swapper;
    if (s->entry->takes_start) {
        recall(s, problem, tuple);
    }
    PV_TRY(s->entry->solve(problem, error));
    if (!s->entry->takes_start && !problem->is_optimal) {
        recall(s, problem, tuple);
    }
    return PV_STATUS_OK;
}

/* Nodes of one record, where nobody gave a limit; 0 = none are worth while. Whoever names a method
 * wants it to be followed to the end. */
static uint64_t usual_limit(const solving *s)
{
    const char *const method = s->run->options->method;
    const uint64_t each = USUAL_VISITS / (s->n > 0 ? s->n : 1);
    if (method != NULL && strcmp(method, "auto") != 0) {
        return NO_LIMIT;
    }
    return each >= FIRST_LIMIT ? each : 0;
}

/* Everyone first, then better and better: swaps; then the method, once, up to the limit there is,
 * or again and again, further each time, until the time is over. */
static pv_status solve_in_passes(solving *s, pv_error *error)
{
    const uint64_t asked = s->run->options->max_visited;
    const bool is_timed = s->run->until > 0;
    PV_TRY(pass(s, answer_first, "choosing", false, 0, error));
    if (s->is_stopped || s->entry == NULL) {
        return PV_STATUS_OK;
    }
    PV_TRY(pass(s, answer_by_swaps, "improving", is_timed, 0, error));
    if (s->is_stopped || (is_timed && pv_i_disclose_is_late(s->run))) {
        atomic_store(&s->is_late, !s->is_stopped);
        return PV_STATUS_OK;
    }
    uint64_t limit = asked > 0 ? asked : is_timed ? FIRST_LIMIT : usual_limit(s);
    if (limit == 0) {
        atomic_store(&s->is_limited, true);
        return PV_STATUS_OK;
    }
    do {
        PV_TRY(pass(s, answer_further, "searching", is_timed, limit, error));
        limit = limit < NO_LIMIT / LIMIT_FACTOR ? limit * LIMIT_FACTOR : NO_LIMIT;
    } while (is_timed && asked == 0 && atomic_load(&s->is_limited) && !s->is_stopped &&
             !atomic_load(&s->is_late));
    return PV_STATUS_OK;
}

/* Records not reached because somebody asked to stop are as if nothing were feasible for them. */
static void sum_up(const solving *s)
{
    pv_disclosure *const d = s->run->disclosure;
    for (size_t i = 0; i < s->n; i++) {
        const size_t tuple = tuple_at(s->run, i);
        if (d->tuples[tuple].levels == NULL) {
            pv_i_problem_pose(&s->problems[0], tuple);
            const pv_record_answer answer = {.raw_rho = s->problems[0].raw_rho};
            pv_i_disclose_report(s->run, tuple, &answer);
        }
        d->visited += s->entry != NULL ? d->tuples[tuple].visited : 0;
    }
    d->stopped = s->is_stopped;
    d->stop = d->stopped                    ? PV_STOP_CANCELLED
              : atomic_load(&s->is_late)    ? PV_STOP_TIME
              : atomic_load(&s->is_limited) ? PV_STOP_EVALUATIONS
                                            : d->stop;
}

/* Answers all records, or those asked for. Without an entry: finds a choice that keeps the bound
 * for everyone who has none, or a better one, after the time is over. */
static pv_status solve_each(pv_disclose_run *run, const pv_record_entry *entry, pv_error *error)
{
    const bool in_passes =
        entry == NULL || run->until > 0 || run->disclosure->nodes > PV_ENDLESS_LATTICE;
    const size_t n = run->options->only != NULL ? run->options->n_only : run->profile->n_tuples;
    solving s = {.run = run,
                 .entry = entry,
                 .problems = PV_NEW_ZEROED(pv_record_problem, run->threads),
                 .swappers = in_passes ? PV_NEW_ZEROED(pv_swapper, run->threads) : NULL,
                 .n = n};
    pv_consistent_index *index = NULL;
    pv_status status = PV_STATUS_OK;
    atomic_init(&s.is_late, false);
    atomic_init(&s.is_limited, false);
    if (s.problems == NULL || (in_passes && s.swappers == NULL)) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(pv_i_consistent_index_create(run->attacker, run->memory, &index, error));
    for (unsigned i = 0; i < run->threads; i++) {
        pv_record_problem *const problem = &s.problems[i];
        PV_TRY_CLEAN(pv_i_problem_init(problem, &run->weighing, index, error));
        problem->memory = run->memory / run->threads;
        problem->keep_going = keep_going;
        problem->ctx = &s;
        if (in_passes) {
            PV_TRY_CLEAN(pv_i_swapper_init(&s.swappers[i], run->attacker, problem, error));
        }
    }
    PV_TRY_CLEAN(
        in_passes ? solve_in_passes(&s, error)
                  : pass(&s, answer_at_once, "solving", false, run->options->max_visited, error));
    sum_up(&s);
cleanup:
    for (unsigned i = 0; i < run->threads; i++) {
        if (s.problems != NULL) {
            pv_i_problem_deinit(&s.problems[i]);
        }
        if (s.swappers != NULL) {
            pv_i_swapper_deinit(&s.swappers[i]);
        }
    }
    pv_i_free(s.problems);
    pv_i_free(s.swappers);
    pv_i_consistent_index_free(index);
    return status;
}

/* ------------------------------------------------------------------ driver */

static pv_status check_options(const pv_disclose_options *options, const pv_profile *profile,
                               pv_error *error)
{
    if ((unsigned)options->utility >= PV_UTILITY_COUNT ||
        (unsigned)options->risk >= PV_RISK_COUNT || (unsigned)options->aim >= PV_AIM_COUNT) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no such utility, risk or aim");
    }
    if (!isfinite(options->bound)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the bound must be a number");
    }
    if (options->is_share &&
        (options->aim != PV_AIM_LEAST_RISK || options->bound < 0 || options->bound > 1)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "a share is one of the utility to keep, from 0 to 1");
    }
    if (options->aim == PV_AIM_BALANCE && options->bound < 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "lambda must not be negative");
    }
    if (!(options->max_seconds >= 0)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "a limit of time must not be negative");
    }
    if (options->attacker != NULL && options->attacker->profile != profile) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the dictionary belongs to another profile");
    }
    for (size_t i = 0; options->only != NULL && i < options->n_only; i++) {
        if (options->only[i] >= profile->n_tuples ||
            (i > 0 && options->only[i] <= options->only[i - 1])) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT,
                             "the tuples asked for must be ascending and in the profile");
        }
    }
    return PV_STATUS_OK;
}

static pv_status disclose(pv_disclose_run *run, const pv_record_entry *entry, pv_error *error)
{
    const double started = pv_i_now();
    pv_disclosure *const d = run->disclosure;
    PV_TRY(pv_i_record_values_init(&run->values, run->profile, run->options->utility,
                                   run->options->sensitivities, error));
    PV_TRY(pv_i_weighing_init(&run->weighing, &run->values, run->options, run->attacker->n_rows,
                              error));
    PV_TRY(pv_i_lattice_init(&run->lattice, run->profile->study, error));
    d->nodes = 1;
    for (size_t q = 0; q < run->values.n_quasi; q++) {
        d->nodes *= run->values.highest[q] - run->values.lowest[q] + 1;
    }
    if (entry == NULL) {
        PV_TRY(choose(run, &entry, &d->reason, error));
    }
    d->aim = run->options->aim;
    d->n_quasi = run->values.n_quasi;
    d->n_tuples = run->profile->n_tuples;
    d->tuples = PV_NEW_ZEROED(pv_disclosed, d->n_tuples);
    d->memory = run->levels = pv_i_zeroed(d->n_tuples, d->n_quasi);
    if (d->tuples == NULL || d->memory == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(entry->solve != NULL ? solve_each(run, entry, error) : entry->solve_all(run, error));
    if (entry->solve == NULL && d->stop == PV_STOP_TIME) {
        PV_TRY(solve_each(run, NULL, error));
    }
    d->method = entry->info.name;
    d->seconds = pv_i_now() - started;
    return PV_STATUS_OK;
}

pv_status pv_i_disclose_by(const pv_record_entry *entry, void *task, const pv_profile *profile,
                           const pv_disclose_options *options, const pv_context *context,
                           pv_disclosure **disclosure, pv_error *error)
{
    pv_disclose_options taken = {0};
    pv_attacker *table = NULL;
    pv_disclose_run run = {.profile = profile,
                           .task = task,
                           .options = &taken,
                           .context = context,
                           .threads = pv_i_threads(context)};
    pv_status status = PV_STATUS_OK;
    PV_TRY(PV_TAKE_OPTIONS(taken, options, error));
    PV_TRY(check_options(run.options, profile, error));
    run.until = run.options->max_seconds > 0 ? pv_i_now() + run.options->max_seconds : 0;
    run.memory = run.options->memory > 0 ? run.options->memory : DEFAULT_MEMORY;
    run.attacker = run.options->attacker;
    run.disclosure = PV_NEW(pv_disclosure);
    if (run.disclosure == NULL) {
        return pv_i_no_memory(error);
    }
    if (run.attacker == NULL) {
        PV_TRY_CLEAN(pv_attacker_open(profile, NULL, context, &table, error));
        run.attacker = table;
    }
    PV_TRY_CLEAN(disclose(&run, entry, error));
    *disclosure = run.disclosure;
    run.disclosure = NULL;
cleanup:
    pv_disclosure_free(run.disclosure);
    pv_i_weighing_deinit(&run.weighing);
    pv_i_record_values_deinit(&run.values);
    pv_i_lattice_deinit(&run.lattice);
    pv_attacker_free(table);
    return status;
}

pv_status pv_disclose(const pv_profile *profile, const pv_disclose_options *options,
                      const pv_context *context, pv_disclosure **disclosure, pv_error *error)
{
    return pv_i_disclose_by(NULL, NULL, profile, options, context, disclosure, error);
}
