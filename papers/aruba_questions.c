/* Asking a question about the records of all runs, one record after the other.
 *
 * The searches are called as `pv_disclose` calls them, but for the clock around each: time is what
 * the processor spends on the record, whatever else it does meanwhile. */
#include "aruba_report.h"

#include "base/pool.h"
#include "records/record_methods.h"

#include <math.h>
#include <stdatomic.h>
#include <time.h>

#define MEMORY ((uint64_t)1 << 28) /* for the nodes of one record */

const char *const aruba_methods[METHODS] = {"btda", "aruba", "bnb"};

typedef pv_status (*solve_fn)(pv_record_problem *problem, pv_error *error);
static const solve_fn solvers[METHODS] = {pv_i_btda, pv_i_aruba, pv_i_record_bnb};

/* What became of one record. */
typedef struct {
    double risk, utility, seconds, visited;
    bool is_proven;
} answer;

/* One run. */
typedef struct {
    const question *question;
    const size_t *tuples;
    size_t n;
    pv_weighing weighing;
    pv_record_problem problems[THREADS];
    atomic_size_t next;
    answer answers[SAMPLE];
} asking;

/* ------------------------------------------------------------------ records */

static double processor_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static answer solve(const asking *a, pv_record_problem *problem, size_t tuple)
{
    const double started = processor_seconds();
    pv_error error = {0};
    pv_i_problem_pose(problem, tuple);
    if (!pv_i_problem_settle(problem)) {
        require(solvers[a->question->method](problem, &error) == PV_STATUS_OK, error.message);
    }
    const double seconds = processor_seconds() - started;
    const pv_record_choice *const best = &problem->best;
    require(problem->is_found, "a record as it is does not keep the bound");
    return (answer){.risk = pv_i_weighing_risk(&a->weighing, best->worth.phi, best->rho),
                    .utility = (double)best->worth.utility * a->weighing.utility_unit,
                    .seconds = seconds,
                    .visited = (double)problem->visited,
                    .is_proven = problem->is_optimal};
}

static void work(void *ctx, unsigned worker)
{
    asking *const a = ctx;
    for (size_t i; (i = atomic_fetch_add(&a->next, 1)) < a->n;) {
        a->answers[i] = solve(a, &a->problems[worker], a->tuples[i]);
    }
}

/* --------------------------------------------------------------------- runs */

static void asking_init(asking *a, const stage *s, const question *q, size_t run,
                        const pv_record_values *values)
{
    const attacker *const who = q->is_exact ? &s->exact : &s->similar;
    const pv_disclose_options options = {.risk = q->risk, .bound = q->utility};
    pv_error error = {0};
    *a = (asking){.question = q, .tuples = s->samples[run], .n = s->n_sample};
    atomic_init(&a->next, 0);
    require(pv_i_weighing_init(&a->weighing, values, &options, pv_attacker_n_rows(who->attacker),
                               &error) == PV_STATUS_OK,
            error.message);
    for (size_t i = 0; i < THREADS; i++) {
        require(pv_i_problem_init(&a->problems[i], &a->weighing, who->index, &error) ==
                    PV_STATUS_OK,
                error.message);
        a->problems[i].limit = q->limit;
        a->problems[i].memory = MEMORY;
    }
}

static void asking_deinit(asking *a)
{
    for (size_t i = 0; i < THREADS; i++) {
        pv_i_problem_deinit(&a->problems[i]);
    }
    pv_i_weighing_deinit(&a->weighing);
}

static void add_answers(trial *t, const asking *a)
{
    for (size_t i = 0; i < a->n; i++) {
        const answer *const one = &a->answers[i];
        t->risks[t->n++] = one->risk;
        t->n_proven += one->is_proven;
        t->risk += one->risk;
        t->utility += one->utility;
        t->seconds += one->seconds;
        t->visited += one->visited;
    }
}

static void ask_run(trial *t, const stage *s, const question *q, size_t run)
{
    pv_record_values values;
    asking a;
    pv_error error = {0};
    require(pv_i_record_values_init(&values, s->table.profile, PV_UTILITY_DEPTH,
                                    s->sensitivities[run], &error) == PV_STATUS_OK,
            error.message);
    asking_init(&a, s, q, run, &values);
    pv_i_pool_run(THREADS, work, &a);
    add_answers(t, &a);
    asking_deinit(&a);
    pv_i_record_values_deinit(&values);
}

trial aruba_ask(const stage *s, const question *q)
{
    trial t = {0};
    for (size_t run = 0; run < RUNS; run++) {
        ask_run(&t, s, q, run);
    }
    t.risk /= (double)t.n;
    t.utility /= (double)t.n;
    t.seconds /= (double)t.n;
    t.visited /= (double)t.n;
    return t;
}

size_t aruba_count_worse(const trial *a, const trial *b)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++) {
        n += a->risks[i] > b->risks[i] + 1e-9 * fabs(b->risks[i]);
    }
    return n;
}
