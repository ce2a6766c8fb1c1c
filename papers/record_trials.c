/* The searches of the ARUBA paper on some records of a table, for papers/aruba.py. `paravent
 * disclose --row` does the same for one record, but reads and indexes the table each time; here
 * thousands of questions are asked about one table in memory, and time is what the processor spends
 * on a record alone.
 *
 *     record_trials PLAN RECORDS
 *
 * There are 5 runs, each with random sensitivities and RECORDS records of its own. Each line of the
 * standard input is answered by a line of JSON, with means over the records of all runs:
 *
 *     shape
 *         rows, distinct rows; names, values and heights of the attributes
 *
 *     ask METHOD RISK C LIMIT similar|same
 *         the search for the least risk (model 0, 1, 2) at a utility of C; a record is given up
 *         after LIMIT nodes, 0 = never; the attacker takes similar values for consistent, or only
 *         the same
 *
 *     scheme BUDGET LEVEL...
 *         what one scheme for all comes to, with so many rows suppressed */
#include "base/rng.h"
#include "base/tasks.h"
#include "records/record_methods.h"

#include <inttypes.h>
#include <math.h>
#include <paravent/paravent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 5, MOST_RECORDS = 8, MOST_ATTRIBUTES = 32, THREADS = 2 };

#define SIMILARITY 0.8             /* of consistent values, as in the paper */
#define MEMORY ((uint64_t)1 << 28) /* for the nodes of one record */

/* Somebody with the whole table, and what it takes to count in it. */
typedef struct {
    pv_attacker *dictionary;
    pv_consistent_index *index; /* NULL = not asked about yet */
} attacker;

typedef struct {
    pv_plan *plan;
    pv_study *study;
    pv_profile *profile;
    size_t n_quasi;
    attacker attackers[2]; /* similar values are consistent; only the same */
    pv_sensitivities *sensitivities[RUNS];
    pv_record_values values[RUNS];
    size_t samples[RUNS][MOST_RECORDS]; /* tuples, ascending */
    size_t n_sample;
} stage;

static const pv_context context = {.threads = THREADS};

static void require(bool holds, const char *what)
{
    if (!holds) {
        (void)fprintf(stderr, "record_trials: %s\n", what);
        exit(1);
    }
}

/* ------------------------------------------------------------------- stage */

static const attacker *attacker_of(stage *s, bool is_exact)
{
    attacker *const a = &s->attackers[is_exact];
    const pv_attacker_options options = {.similarity = is_exact ? 0 : SIMILARITY};
    pv_error error = {0};
    require(a->index != NULL ||
                (pv_attacker_open(s->profile, &options, &context, &a->dictionary, &error) ==
                     PV_STATUS_OK &&
                 pv_i_consistent_index_create(a->dictionary, 0, &a->index, &error) == PV_STATUS_OK),
            error.message);
    return a;
}

static int compare_tuples(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a;
    const size_t y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Rows are drawn, so that frequent records come up as often as they are; none twice. With other
 * attributes the same rows come up, unless they are no longer different. */
static void draw_sample(const stage *s, uint64_t seed, size_t *tuples)
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (size_t n = 0; n < s->n_sample;) {
        const size_t tuple =
            pv_profile_tuple(s->profile, pv_i_rng_below(&rng, pv_profile_rows(s->profile)));
        size_t i = 0;
        while (i < n && tuples[i] != tuple) {
            i++;
        }
        tuples[n] = tuple;
        n += i == n;
    }
    qsort(tuples, s->n_sample, sizeof *tuples, compare_tuples);
}

static void stage_open(stage *s, const char *path)
{
    pv_error error = {0};
    require(pv_plan_read(path, &s->plan, &error) == PV_STATUS_OK &&
                pv_study_open(s->plan, NULL, NULL, &s->study, &error) == PV_STATUS_OK &&
                pv_profile_create(s->study, NULL, &s->profile, &error) == PV_STATUS_OK,
            error.message);
    s->n_quasi = pv_study_quasis(s->study);
    require(s->n_quasi <= MOST_ATTRIBUTES, "there are too many attributes");
    for (size_t run = 0; run < RUNS; run++) {
        require(pv_sensitivities_create(s->profile, PV_SENSITIVITY_RANDOM, run + 1,
                                        &s->sensitivities[run], &error) == PV_STATUS_OK &&
                    pv_i_record_values_init(&s->values[run], s->profile, PV_UTILITY_DEPTH,
                                            s->sensitivities[run], &error) == PV_STATUS_OK,
                error.message);
        draw_sample(s, run + 1, s->samples[run]);
    }
}

static void stage_close(stage *s)
{
    for (size_t run = 0; run < RUNS; run++) {
        pv_i_record_values_deinit(&s->values[run]);
        pv_sensitivities_free(s->sensitivities[run]);
    }
    for (size_t i = 0; i < 2; i++) {
        pv_i_consistent_index_free(s->attackers[i].index);
        pv_attacker_free(s->attackers[i].dictionary);
    }
    pv_profile_free(s->profile);
    pv_study_free(s->study);
    pv_plan_free(s->plan);
}

static void answer_shape(const stage *s)
{
    (void)printf("{\"rows\":%" PRIu64 ",\"tuples\":%zu,\"attributes\":[",
                 pv_profile_rows(s->profile), pv_profile_tuples(s->profile));
    for (size_t q = 0; q < s->n_quasi; q++) {
        const pv_hierarchy *const hierarchy = pv_study_hierarchy(s->study, q);
        (void)printf("%s[\"%s\",%u,%u]", q > 0 ? "," : "", pv_study_quasi_name(s->study, q),
                     (unsigned)pv_hierarchy_leaves(hierarchy), pv_hierarchy_height(hierarchy));
    }
    (void)printf("]}\n");
}

/* ------------------------------------------------------------------ search */

typedef pv_status (*solve_fn)(pv_record_problem *problem, pv_error *error);

/* What became of one record. */
typedef struct {
    double risk, utility, seconds, visited;
    bool is_proven;
} outcome;

/* One run. */
typedef struct {
    solve_fn solve;
    const size_t *tuples;
    size_t n;
    pv_weighing weighing;
    pv_record_problem problems[THREADS];
    outcome outcomes[MOST_RECORDS];
} asking;

static double processor_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static outcome solve(const asking *a, pv_record_problem *problem, size_t tuple)
{
    const double started = processor_seconds();
    pv_error error = {0};
    pv_i_problem_pose(problem, tuple);
    if (!pv_i_problem_settle(problem)) {
        require(a->solve(problem, &error) == PV_STATUS_OK, error.message);
    }
    const double seconds = processor_seconds() - started;
    const pv_record_choice *const best = &problem->best;
    require(problem->is_found, "a record as it is does not keep the bound");
    return (outcome){.risk = pv_i_weighing_risk(&a->weighing, best->worth.phi, best->rho),
                     .utility = (double)best->worth.utility * a->weighing.utility_unit,
                     .seconds = seconds,
                     .visited = (double)problem->visited,
                     .is_proven = problem->is_optimal};
}

static pv_status answer_one(void *ctx, size_t i, const pv_thread *thread, pv_error *error)
{
    asking *const a = ctx;
    a->outcomes[i] = solve(a, &a->problems[thread->number], a->tuples[i]);
    (void)error;
    return PV_STATUS_OK;
}

static void ask_run(asking *a, const stage *s, const attacker *who, size_t run,
                    const pv_disclose_options *options)
{
    pv_error error = {0};
    a->tuples = s->samples[run];
    a->n = s->n_sample;
    require(pv_i_weighing_init(&a->weighing, &s->values[run], options,
                               pv_attacker_n_rows(who->dictionary), &error) == PV_STATUS_OK,
            error.message);
    for (size_t i = 0; i < THREADS; i++) {
        require(pv_i_problem_init(&a->problems[i], &a->weighing, who->index, &error) ==
                    PV_STATUS_OK,
                error.message);
        a->problems[i].limit = options->max_visited;
        a->problems[i].memory = MEMORY;
    }
    require(pv_i_tasks_run(THREADS, a->n, answer_one, a, NULL, &error) == PV_STATUS_OK,
            error.message);
    for (size_t i = 0; i < THREADS; i++) {
        pv_i_problem_deinit(&a->problems[i]);
    }
    pv_i_weighing_deinit(&a->weighing);
}

static void answer_ask(stage *s, solve_fn method, bool is_exact, const pv_disclose_options *options)
{
    const attacker *const who = attacker_of(s, is_exact);
    const double n = (double)(RUNS * s->n_sample);
    outcome sum = {0};
    size_t n_proven = 0;
    (void)printf("{\"risks\":[");
    for (size_t run = 0; run < RUNS; run++) {
        asking a = {.solve = method};
        ask_run(&a, s, who, run, options);
        for (size_t i = 0; i < a.n; i++) {
            const outcome *const one = &a.outcomes[i];
            (void)printf("%s%.17g", run + i > 0 ? "," : "", one->risk);
            n_proven += one->is_proven;
            sum.risk += one->risk;
            sum.utility += one->utility;
            sum.seconds += one->seconds;
            sum.visited += one->visited;
        }
    }
    (void)printf("],\"n\":%.0f,\"proven\":%zu,\"risk\":%.17g,\"utility\":%.17g,\"seconds\":%.6g,"
                 "\"visited\":%.17g}\n",
                 n, n_proven, sum.risk / n, sum.utility / n, sum.seconds / n, sum.visited / n);
}

/* ------------------------------------------------------------------ scheme */

static void add_record(stage *s, pv_consistent_scratch *scratch, const pv_classes *classes,
                       size_t run, size_t tuple, double sums[1 + PV_RISK_COUNT])
{
    const bool is_suppressed =
        pv_classes_is_suppressed(classes, pv_classes_of_tuple(classes, tuple));
    uint8_t levels[MOST_ATTRIBUTES];
    uint32_t leaves[MOST_ATTRIBUTES];
    double phi = 0;
    for (size_t q = 0; q < s->n_quasi; q++) {
        levels[q] = (uint8_t)(is_suppressed ? s->values[0].heights[q]
                                            : pv_classes_level(classes, tuple, q));
        const pv_record_level *const level = &s->values[run].levels[q][levels[q]];
        leaves[q] = pv_profile_leaf(s->profile, tuple, q);
        phi += level->sensitivity[leaves[q]];
        sums[0] += level->utility[leaves[q]];
    }
    const uint64_t rho = pv_i_consistent_count(s->attackers[0].index, scratch, leaves, levels);
    for (int risk = 0; risk < PV_RISK_COUNT; risk++) {
        sums[1 + risk] += pv_i_record_risk((pv_risk)risk, phi, rho, pv_profile_rows(s->profile));
    }
}

static void answer_scheme(stage *s, uint64_t budget, const uint8_t *levels)
{
    const attacker *const who = attacker_of(s, false);
    const pv_suppression suppression = {.whole_budget = true, .budget = budget};
    const double n = (double)(RUNS * s->n_sample);
    pv_arena arena = {0};
    pv_consistent_scratch *const scratch = pv_i_consistent_scratch(who->index, &arena);
    pv_classes *classes = NULL;
    pv_error error = {0};
    double sums[1 + PV_RISK_COUNT] = {0};
    require(!arena.failed && pv_classes_create(s->profile, levels, &suppression, &classes,
                                               &error) == PV_STATUS_OK,
            error.message);
    for (size_t i = 0; i < RUNS * s->n_sample; i++) {
        const size_t run = i / s->n_sample;
        add_record(s, scratch, classes, run, s->samples[run][i % s->n_sample], sums);
    }
    (void)printf("{\"utility\":%.17g,\"risk\":[%.17g,%.17g,%.17g]}\n", sums[0] / n, sums[1] / n,
                 sums[2] / n, sums[3] / n);
    pv_classes_free(classes);
    pv_i_arena_deinit(&arena);
}

/* --------------------------------------------------------------- questions */

static void read_scheme(stage *s, char *line)
{
    uint8_t levels[MOST_ATTRIBUTES];
    char *at = line + strlen("scheme");
    const uint64_t budget = strtoull(at, &at, 10);
    for (size_t q = 0; q < s->n_quasi; q++) {
        levels[q] = (uint8_t)strtoul(at, &at, 10);
    }
    answer_scheme(s, budget, levels);
}

static bool answer(stage *s, char *line)
{
    char method[16];
    char who[16];
    int risk;
    pv_disclose_options options = {.utility = PV_UTILITY_DEPTH};
    if (strncmp(line, "shape", 5) == 0) {
        answer_shape(s);
    } else if (strncmp(line, "scheme ", 7) == 0) {
        read_scheme(s, line);
    } else if (sscanf(line, "ask %15s %d %lf %" SCNu64 " %15s", method, &risk, &options.bound,
                      &options.max_visited, who) == 5) {
        options.risk = (pv_risk)risk;
        answer_ask(s,
                   strcmp(method, "btda") == 0    ? pv_i_btda
                   : strcmp(method, "aruba") == 0 ? pv_i_aruba
                                                  : pv_i_record_bnb,
                   strcmp(who, "same") == 0, &options);
    } else {
        return false;
    }
    return fflush(stdout) == 0;
}

int main(int argc, char **argv)
{
    char line[1024];
    stage s = {0};
    require(argc == 3, "usage: record_trials PLAN RECORDS");
    s.n_sample = strtoull(argv[2], NULL, 10);
    require(s.n_sample > 0 && s.n_sample <= MOST_RECORDS, "1 to 8 records of each run");
    stage_open(&s, argv[1]);
    while (fgets(line, sizeof line, stdin) != NULL) {
        require(answer(&s, line), "a question that is none, or nobody listens");
    }
    stage_close(&s);
    return 0;
}
