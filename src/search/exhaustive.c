/* Every scheme of the lattice: the yardstick for all other methods. Each worker keeps an archive of
 * its own; merged, they are the same whoever visited what. */
#include "search/methods.h"

#include "base/error.h"
#include "base/memory.h"

#define MOST_NODES UINT64_C(1000000000)

typedef struct {
    pv_run *run;
    pv_archive *archives; /* one per worker */
} exhaustive;

const char *pv_i_exhaustive_refuses(const pv_run *run)
{
    return run->lattice.countable && run->lattice.n_nodes <= MOST_NODES
               ? NULL
               : "the lattice has more than a billion schemes";
}

static pv_status visit(void *ctx, unsigned worker, uint64_t node, const pv_classes *classes)
{
    const exhaustive *const e = ctx;
    pv_outcome outcome;
    (void)node;
    PV_TRY(pv_i_run_measure(e->run, worker, classes, &outcome));
    if (outcome.feasible && !pv_i_archive_offer(&e->archives[worker], outcome.values,
                                                classes->levels, outcome.k, outcome.suppressed)) {
        return PV_STATUS_NO_MEMORY;
    }
    return PV_STATUS_OK;
}

static bool keep_going(void *ctx, uint64_t done)
{
    pv_run *const run = ((exhaustive *)ctx)->run;
    run->evaluated =
        done - 1; /* the evaluator itself stops at the limit, the same on any threads */
    return pv_i_run_goes_on(run, done);
}

static void settle_account(pv_run *run)
{
    const uint64_t limit = run->options.max_evaluations;
    const bool limited = limit > 0 && limit < run->lattice.n_nodes;
    if (run->stop == PV_STOP_FINISHED) {
        run->evaluated = limited ? limit : run->lattice.n_nodes;
        run->stop = limited ? PV_STOP_EVALUATIONS : PV_STOP_FINISHED;
    }
    run->complete = run->stop == PV_STOP_FINISHED;
}

static pv_status merge_archives(exhaustive *e, pv_error *error)
{
    for (unsigned i = 0; i < e->run->threads; i++) {
        if (!pv_i_archive_merge(&e->run->archive, &e->archives[i])) {
            return pv_i_no_memory(error);
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_i_exhaustive(pv_run *run, pv_error *error)
{
    exhaustive e = {.run = run, .archives = PV_NEW_ZEROED(pv_archive, run->threads)};
    pv_status status = PV_STATUS_OK;
    if (e.archives == NULL) {
        return pv_i_no_memory(error);
    }
    for (unsigned i = 0; i < run->threads; i++) {
        pv_i_archive_init(&e.archives[i], run->objectives, run->n_objectives, run->lattice.n_axes);
    }
    run->total = run->lattice.n_nodes;
    PV_TRY_CLEAN(pv_i_evaluate_all(run->evaluator, visit, &e, keep_going,
                                   run->options.max_evaluations, error));
    PV_TRY_CLEAN(merge_archives(&e, error));
    settle_account(run);
cleanup:
    for (unsigned i = 0; i < run->threads; i++) {
        pv_i_archive_deinit(&e.archives[i]);
    }
    pv_i_free(e.archives);
    return status;
}
