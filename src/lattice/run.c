/* The driver's side of a run: evaluation, limits, progress. */
#include "lattice/run.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/ticker.h"

#include <time.h>

#define DEFAULT_MEMORY (UINT64_C(48) << 20)
#define REPORT_NS UINT64_C(100000000)

static uint64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

double pv_i_run_seconds(const pv_run *run)
{
    return (double)(now_ns() - run->started_ns) * 1e-9;
}

/* -------------------------------------------------------------- set up */

static pv_status choose_objectives(pv_run *run, pv_error *error)
{
    const pv_search_options *const options = &run->options;
    if (options->objectives == NULL) {
        run->objectives[0] = (pv_measure_ref){.measure = pv_measure_find("k")};
        run->objectives[1] = (pv_measure_ref){.measure = pv_measure_find("glm")};
        run->n_objectives = 2;
        return PV_STATUS_OK;
    }
    if (options->n_objectives < 2 || options->n_objectives > PV_MAX_OBJECTIVES) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "a front needs 2 to %d objectives, not %zu", PV_MAX_OBJECTIVES,
                                   options->n_objectives),
                         error, "such as k,glm");
    }
    for (size_t i = 0; i < options->n_objectives; i++) {
        for (size_t j = 0; j < i; j++) {
            if (options->objectives[i].measure == options->objectives[j].measure) {
                return pv_i_fail(error, PV_STATUS_ARGUMENT, "the objective '%s' is given twice",
                                 options->objectives[i].measure->name);
            }
        }
        run->objectives[i] = options->objectives[i];
    }
    run->n_objectives = options->n_objectives;
    return PV_STATUS_OK;
}

static pv_status init_meters(pv_run *run, pv_error *error)
{
    run->meters = PV_NEW_ZEROED(pv_meter, (size_t)run->threads * run->n_objectives);
    if (run->meters == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < run->threads * run->n_objectives; i++) {
        PV_TRY(pv_i_meter_init(&run->meters[i], run->objectives[i % run->n_objectives],
                               run->profile, error));
    }
    return PV_STATUS_OK;
}

static pv_status check_joint(const pv_run *run, unsigned reads, pv_error *error)
{
    if ((reads & PV_READS_JOINTLY) != 0 && run->profile->n_sensitive > 1) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "sum-l over several sensitive attributes cannot be searched "
                                   "for"),
                         error, "leave one of them sensitive and make the others `other`");
    }
    return PV_STATUS_OK;
}

static pv_status init_evaluator(pv_run *run, pv_error *error)
{
    unsigned reads = 0;
    for (size_t i = 0; i < run->n_objectives; i++) {
        reads |= run->meters[i].entry->reads;
    }
    PV_TRY(check_joint(run, reads, error));
    const pv_evaluator_options options = {.suppression = run->options.suppression,
                                          .memory = run->options.memory,
                                          .sizes = (reads & PV_READS_SIZES) != 0,
                                          .sensitives = (reads & PV_READS_SENSITIVES) != 0,
                                          .label = (reads & PV_READS_LABEL) != 0,
                                          .threads = run->threads};
    return pv_i_evaluator_create(run->profile, &run->lattice, &options, &run->evaluator, error);
}

pv_status pv_i_run_init(pv_run *run, const pv_profile *profile, const pv_search_options *options,
                        const pv_context *context, pv_error *error)
{
    static const pv_search_options defaults = {0};
    pv_status status = PV_STATUS_OK;
    *run = (pv_run){.profile = profile,
                    .options = options != NULL ? *options : defaults,
                    .context = context,
                    .threads = pv_i_threads(context),
                    .started_ns = now_ns(),
                    .phase = "searching"};
    run->options.memory = run->options.memory != 0 ? run->options.memory : DEFAULT_MEMORY;
    run->options.seed = run->options.seed != 0 ? run->options.seed : 1;
    PV_TRY_CLEAN(choose_objectives(run, error));
    PV_TRY_CLEAN(pv_i_lattice_init(&run->lattice, profile->study, error));
    PV_TRY_CLEAN(init_meters(run, error));
    PV_TRY_CLEAN(init_evaluator(run, error));
    pv_i_archive_init(&run->archive, run->objectives, run->n_objectives, run->lattice.n_axes, NULL);
    return PV_STATUS_OK;
cleanup:
    pv_i_run_deinit(run);
    return status;
}

void pv_i_run_deinit(pv_run *run)
{
    for (size_t i = 0; run->meters != NULL && i < run->threads * run->n_objectives; i++) {
        pv_i_meter_deinit(&run->meters[i]);
    }
    pv_i_free(run->meters);
    pv_i_evaluator_free(run->evaluator);
    pv_i_archive_deinit(&run->archive);
    pv_i_trace_deinit(&run->trace);
    pv_i_lattice_deinit(&run->lattice);
    *run = (pv_run){0};
}

/* ------------------------------------------------------------ evaluate */

pv_status pv_i_run_measure(const pv_run *run, unsigned worker, const pv_classes *classes,
                           pv_outcome *outcome)
{
    const pv_meter *const meters = pv_i_run_meters(run, worker);
    for (size_t i = 0; i < run->n_objectives; i++) {
        PV_TRY(pv_i_meter_read(&meters[i], classes, &outcome->values[i], NULL));
        outcome->unsuppressed[i] = meters[i].entry->bound == PV_BOUND_BELOW
                                       ? meters[i].entry->unsuppressed(meters[i].state, classes)
                                       : outcome->values[i];
    }
    outcome->k = classes->k;
    outcome->suppressed = classes->n_suppressed;
    outcome->feasible = classes->feasible;
    return PV_STATUS_OK;
}

typedef struct {
    const pv_run *run;
    pv_outcome *outcomes;
} batch;

static pv_status measure_one(void *ctx, unsigned worker, uint64_t number, const pv_classes *classes)
{
    const batch *const b = ctx;
    return pv_i_run_measure(b->run, worker, classes, &b->outcomes[number]);
}

pv_status pv_i_run_evaluate(pv_run *run, const uint8_t *levels, size_t n, pv_outcome *outcomes,
                            pv_error *error)
{
    batch b = {.run = run, .outcomes = outcomes};
    PV_TRY(pv_i_evaluate_batch(run->evaluator, levels, n, measure_one, &b, error));
    run->evaluated += n;
    return PV_STATUS_OK;
}

pv_status pv_i_run_offer(pv_run *run, const uint8_t *levels, const pv_outcome *outcome,
                         pv_error *error)
{
    if (outcome->feasible && !pv_i_archive_offer(&run->archive, outcome->values, levels, outcome->k,
                                                 outcome->suppressed)) {
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

pv_status pv_i_run_review(pv_run *run, pv_error *error)
{
    if (run->most_members > 0 && run->archive.n_members > run->most_members &&
        !pv_i_archive_coarsen(&run->archive, run->most_members)) {
        return pv_i_no_memory(error);
    }
    return pv_i_trace_take(&run->trace, &run->archive, run->evaluated, pv_i_run_seconds(run), false)
               ? PV_STATUS_OK
               : pv_i_no_memory(error);
}

/* ---------------------------------------------------------------- limits */

static bool report(pv_run *run, uint64_t done)
{
    if (run->context == NULL || run->context->progress == NULL) {
        return true;
    }
    char note[PV_TRACE_NOTE];
    pv_i_trace_note(&run->trace, &run->archive, note);
    const pv_progress progress = {.phase = run->phase,
                                  .done = done,
                                  .total = run->total,
                                  .note = note[0] != '\0' ? note : NULL};
    return run->context->progress(run->context->progress_ctx, &progress);
}

bool pv_i_run_goes_on(pv_run *run, uint64_t done)
{
    if (run->stop != PV_STOP_FINISHED) {
        return false;
    }
    if (run->options.max_evaluations > 0 && run->evaluated >= run->options.max_evaluations) {
        run->stop = PV_STOP_EVALUATIONS;
        return false;
    }
    const uint64_t now = now_ns();
    if (run->options.max_seconds > 0 &&
        (double)(now - run->started_ns) * 1e-9 > run->options.max_seconds) {
        run->stop = PV_STOP_TIME;
        return false;
    }
    if (now >= run->next_report_ns) {
        run->next_report_ns = now + REPORT_NS;
        if (!report(run, done)) {
            run->stop = PV_STOP_CANCELLED;
            return false;
        }
    }
    return true;
}
