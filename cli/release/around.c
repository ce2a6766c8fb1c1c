/* What neighbouring questions would cost: one step more of each demand, twice the budget, the other
 * kind of scheme. Nobody asked for it, so it must not take long, and the same must come out on
 * every machine: each question has a limit of work, not of time, and where that does not suffice,
 * "x or better" is said. They are asked on threads of their own while the table is written and
 * verified, which mostly waits for the disk. */
#include "core/fail.h"
#include "core/progress.h"
#include "core/text.h"
#include "release/release.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Distinct tuples that a question may count: some milliseconds; or a part of what the search itself
 * has counted, if that is more. */
#define LEAST_WORK UINT64_C(5000000)
#define PART_OF_WORK 8

struct cli_asking {
    const pv_study *study;
    pv_context context;
    cli_neighbour neighbours[CLI_MOST_NEIGHBOURS];
    cli_demands demands[CLI_MOST_NEIGHBOURS];
    pv_budget budgets[CLI_MOST_NEIGHBOURS];
    pv_best_options options[CLI_MOST_NEIGHBOURS];
    size_t n;
    pthread_t thread;
    bool on_thread;
    atomic_bool unwanted;
    pv_status status;
    pv_error error;
};

/* Would the other kind of scheme say something? Not where it is measured otherwise, or where the
 * loss is none of cuts. */
static bool has_other_kind(const pv_study *study, const pv_best *best)
{
    return pv_cuts_lose_as_levels(study) && pv_best_loss(best).measure->detail_share;
}

/* One of the questions that `neighbour` counts; false: it is none. */
static bool ask_neighbour(const cli_question *question, const pv_best *best, size_t number,
                          cli_neighbour *n, cli_demands *demands, pv_budget *budget)
{
    const size_t n_demands = question->demands->n;
    *n = (cli_neighbour){.demand = number, .kind = question->kind};
    if (number > n_demands) {
        n->kind = question->kind == PV_SCHEME_CUTS ? PV_SCHEME_LEVELS : PV_SCHEME_CUTS;
        return has_other_kind(question->study, best);
    }
    if (number == n_demands) {
        const uint64_t rows = pv_table_rows(pv_study_table(question->study));
        const uint64_t given = pv_budget_rows(question->budget, rows);
        *budget = (pv_budget){.rows = given > 0 ? 2 * given : rows / 100};
        n->bound = (double)budget->rows;
        return true;
    }
    pv_constraint *const demand = &demands->list[number];
    const pv_measure *const measure = demand->ref.measure;
    demand->bound =
        measure->direction == PV_MORE_IS_BETTER ? demand->bound + 1 : demand->bound * 0.9;
    n->bound = demand->bound;
    return measure->rule != PV_RULE_NONE;
}

/* The search's progress is nobody's here; only whether to go on matters. */
static bool goes_on(void *ctx, const pv_progress *progress)
{
    (void)progress;
    return !atomic_load((atomic_bool *)ctx) && !cli_interrupted();
}

static void *ask(void *argument)
{
    struct cli_asking *const a = argument;
    const pv_best_options *questions[CLI_MOST_NEIGHBOURS];
    pv_best *answers[CLI_MOST_NEIGHBOURS];
    for (size_t i = 0; i < a->n; i++) {
        questions[i] = &a->options[i];
    }
    a->status = pv_best_find_many(a->study, questions, a->n, answers, &a->error);
    for (size_t i = 0; i < a->n; i++) {
        a->neighbours[i].best = answers[i];
    }
    return NULL;
}

static void prepare(struct cli_asking *a, const cli_question *question, const pv_best *best,
                    const pv_context *context)
{
    const uint64_t part = pv_best_work(best) / PART_OF_WORK;
    a->study = question->study;
    for (size_t i = 0; i <= question->demands->n + 1 && a->n < CLI_MOST_NEIGHBOURS; i++) {
        a->demands[a->n] = *question->demands;
        a->budgets[a->n] = *question->budget;
        if (ask_neighbour(question, best, i, &a->neighbours[a->n], &a->demands[a->n],
                          &a->budgets[a->n])) {
            a->options[a->n] = (pv_best_options){.size = sizeof a->options[0],
                                                 .context = context,
                                                 .kind = a->neighbours[a->n].kind,
                                                 .minimize = question->minimize,
                                                 .demands = a->demands[a->n].list,
                                                 .n_demands = a->demands[a->n].n,
                                                 .budget = &a->budgets[a->n],
                                                 .max_seconds = -1,
                                                 .max_work = part > LEAST_WORK ? part : LEAST_WORK,
                                                 .known = best};
            a->n++;
        }
    }
}

void cli_around_begin(cli_around *around, const cli_question *question, const pv_best *best)
{
    struct cli_asking *const a = calloc(1, sizeof *a);
    if (a == NULL) {
        return; /* nothing is said of neighbours then */
    }
    const unsigned threads = question->context->threads;
    a->context =
        (pv_context){.threads = threads, .progress = goes_on, .progress_ctx = &a->unwanted};
    atomic_init(&a->unwanted, false);
    prepare(a, question, best, &a->context);
    a->on_thread = threads != 1 && pthread_create(&a->thread, NULL, ask, a) == 0;
    around->asking = a;
}

/* Those that were answered; the others are freed. */
static size_t take_answers(struct cli_asking *a, cli_neighbour *neighbours)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++) {
        pv_best *const best = a->neighbours[i].best;
        if (best != NULL && pv_best_stop(best) != PV_STOP_CANCELLED) {
            neighbours[n++] = a->neighbours[i];
        } else {
            pv_best_free(best);
        }
    }
    return n;
}

pv_status cli_around_find(const cli_question *question, const pv_best *best,
                          cli_neighbour *neighbours, size_t *n, pv_error *error)
{
    struct cli_asking *const a = cli_zeroed(1, sizeof *a);
    prepare(a, question, best, question->context);
    (void)ask(a);
    *n = take_answers(a, neighbours);
    const bool failed = a->status != PV_STATUS_OK && a->status != PV_STATUS_CANCELLED;
    const pv_status status = failed ? a->status : PV_STATUS_OK;
    if (failed && error != NULL) {
        *error = a->error;
    }
    free(a);
    return status;
}

pv_status cli_around_end(cli_around *around, cli_published *p, pv_status status, pv_error *error)
{
    struct cli_asking *const a = around->asking;
    if (a == NULL) {
        return status;
    }
    if (status != PV_STATUS_OK) {
        atomic_store(&a->unwanted, true);
    }
    if (a->on_thread) {
        (void)pthread_join(a->thread, NULL);
    } else if (status == PV_STATUS_OK) {
        (void)ask(a);
    }
    p->n_neighbours = take_answers(a, p->neighbours);
    if (status == PV_STATUS_OK && a->status != PV_STATUS_OK && a->status != PV_STATUS_CANCELLED) {
        status = a->status;
        *error = a->error;
    }
    free(a);
    around->asking = NULL;
    return status;
}
