/* Every scheme of the lattice: the yardstick for all other methods. Each worker has an archive of
 * its own, so that none waits for another; without boxes an archive does not depend on the order of
 * the offers, so merged they are the same whoever visited what. */
#include "lattice/driver.h"

#include "base/error.h"
#include "base/memory.h"

#define MOST_NODES UINT64_C(1000000000)

/* What one worker found. */
typedef struct {
    pv_archive archive;
    uint64_t visited;
    uint64_t last;   /* the node visited last, + 1: it comes once per threshold */
    uint8_t *levels; /* of that node */
} finding;

typedef struct {
    pv_run *run;
    finding *findings; /* one per worker */
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
    finding *const found = &e->findings[worker];
    pv_outcome outcome;
    PV_TRY(pv_i_run_measure(e->run, worker, classes, &outcome));
    if (found->last != node + 1) {
        pv_i_lattice_levels(&e->run->lattice, node, found->levels);
    }
    if (outcome.feasible && !pv_i_archive_offer(&found->archive, outcome.values, found->levels,
                                                outcome.k, outcome.suppressed)) {
        return PV_STATUS_NO_MEMORY;
    }
    found->visited += found->last != node + 1;
    found->last = node + 1;
    return PV_STATUS_OK;
}

static bool keep_going(void *ctx, uint64_t done)
{
    pv_run *const run = ((exhaustive *)ctx)->run;
    /* The evaluator itself stops at the limit of evaluations, the same on any number of threads.
     * One less here, so that the run does not stop before it. */
    run->evaluated = run->explored + done - 1;
    return pv_i_run_goes_on(run, done);
}

static pv_status merge_findings(exhaustive *e, pv_error *error)
{
    pv_run *const run = e->run;
    run->evaluated = run->explored;
    for (unsigned i = 0; i < run->threads; i++) {
        if (!pv_i_archive_merge(&run->archive, &e->findings[i].archive)) {
            return pv_i_no_memory(error);
        }
        run->evaluated += e->findings[i].visited;
    }
    run->complete = run->evaluated - run->explored == run->lattice.n_nodes;
    if (run->complete) {
        run->stop = PV_STOP_FINISHED; /* asked to stop when all was done */
    } else if (run->stop == PV_STOP_FINISHED) {
        run->stop = PV_STOP_EVALUATIONS;
    }
    return PV_STATUS_OK;
}

pv_status pv_i_exhaustive(pv_run *run, pv_error *error)
{
    exhaustive e = {.run = run, .findings = PV_NEW_ZEROED(finding, run->threads)};
    pv_status status = PV_STATUS_OK;
    if (e.findings == NULL) {
        return pv_i_no_memory(error);
    }
    for (unsigned i = 0; i < run->threads; i++) {
        pv_i_archive_init(&e.findings[i].archive, run->objectives, run->n_objectives,
                          run->lattice.n_axes, NULL);
        e.findings[i].levels = PV_NEW_ARRAY(uint8_t, run->lattice.n_axes);
        if (e.findings[i].levels == NULL) {
            status = pv_i_no_memory(error);
            goto cleanup;
        }
    }
    run->total = run->lattice.n_nodes;
    const uint64_t most = run->options.max_evaluations;
    PV_TRY_CLEAN(pv_i_evaluate_all(run->evaluator, visit, &e, keep_going,
                                   most > run->explored ? most - run->explored : most, error));
    PV_TRY_CLEAN(merge_findings(&e, error));
cleanup:
    for (unsigned i = 0; i < run->threads; i++) {
        pv_i_archive_deinit(&e.findings[i].archive);
        pv_i_free(e.findings[i].levels);
    }
    pv_i_free(e.findings);
    return status;
}
