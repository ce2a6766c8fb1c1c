/* Every scheme of the lattice: the yardstick for all other methods. Each worker has an archive of
 * its own, so that none waits for another; without boxes an archive does not depend on the order of
 * the offers, so merged they are the same whoever visited what.
 *
 * Whoever observes the search hears of the schemes in parts: the schemes of a part are a stretch of
 * the order of visiting, as long on any number of threads, and are reported by ascending node. */
#include "lattice/driver.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NODES UINT64_C(1000000000)
/* A part is so much work, in tuples, that its beginning, which is rolled up from the raw table on
 * every thread, does not count; and so little that an observer hears of something every moment. */
#define WORK_OF_PART UINT64_C(400000000)
#define LEAST_PART 256
#define MOST_PART 8192

/* A scheme to tell of. */
typedef struct {
    uint64_t node;
    bool feasible;
    double values[PV_MAX_OBJECTIVES];
} seen;

/* What one worker found. */
typedef struct {
    pv_archive archive;
    uint64_t visited;
    uint64_t last;   /* the node visited last, + 1: it comes once per threshold */
    uint8_t *levels; /* of that node */
    seen *seen;      /* in this part; only if somebody observes */
    size_t n_seen, seen_capacity;
} finding;

typedef struct {
    pv_run *run;
    finding *findings; /* one per worker */
    uint64_t before;   /* schemes of the parts that are done */
    seen *all;         /* of all workers, in this part */
    size_t capacity;
} exhaustive;

const char *pv_i_exhaustive_refuses(const pv_run *run)
{
    return run->lattice.countable && run->lattice.n_nodes <= MOST_NODES
               ? NULL
               : "the lattice has more than a billion schemes";
}

static bool note_seen(finding *found, uint64_t node, const pv_outcome *outcome, size_t n_values)
{
    if (!pv_i_reserve((void **)&found->seen, &found->seen_capacity, found->n_seen + 1,
                      sizeof *found->seen)) {
        return false;
    }
    seen *const s = &found->seen[found->n_seen++];
    s->node = node;
    s->feasible = outcome->feasible;
    memcpy(s->values, outcome->values, n_values * sizeof *s->values);
    return true;
}

static pv_status visit(void *ctx, unsigned worker, uint64_t node, const pv_classes *classes)
{
    const exhaustive *const e = ctx;
    finding *const found = &e->findings[worker];
    const bool is_first = found->last != node + 1;
    pv_outcome outcome;
    PV_TRY(pv_i_run_measure(e->run, worker, classes, &outcome));
    if (is_first) {
        pv_i_lattice_levels(&e->run->lattice, node, found->levels);
        if (e->run->options.observe != NULL &&
            !note_seen(found, node, &outcome, e->run->n_objectives)) {
            return PV_STATUS_NO_MEMORY;
        }
    }
    if (outcome.feasible && !pv_i_archive_offer(&found->archive, outcome.values, found->levels,
                                                outcome.k, outcome.suppressed)) {
        return PV_STATUS_NO_MEMORY;
    }
    found->visited += is_first;
    found->last = node + 1;
    return PV_STATUS_OK;
}

static bool keep_going(void *ctx, uint64_t done)
{
    const exhaustive *const e = ctx;
    pv_run *const run = e->run;
    /* The evaluator itself stops at the limit of evaluations, the same on any number of threads.
     * One less here, so that the run does not stop before it. */
    run->evaluated = run->explored + e->before + done - 1;
    return pv_i_run_goes_on(run, e->before + done);
}

static int compare_seen(const void *left, const void *right)
{
    const seen *const a = left;
    const seen *const b = right;
    return (a->node > b->node) - (a->node < b->node);
}

/* The schemes of a part, in an order that does not depend on who visited them. */
static pv_status tell_part(exhaustive *e, pv_error *error)
{
    pv_run *const run = e->run;
    size_t n = 0;
    for (unsigned i = 0; i < run->threads; i++) {
        finding *const found = &e->findings[i];
        if (!pv_i_reserve((void **)&e->all, &e->capacity, n + found->n_seen, sizeof *e->all)) {
            return pv_i_no_memory(error);
        }
        if (found->n_seen > 0) {
            memcpy(e->all + n, found->seen, found->n_seen * sizeof *found->seen);
        }
        n += found->n_seen;
        found->n_seen = 0;
    }
    if (n > 1) {
        qsort(e->all, n, sizeof *e->all, compare_seen);
    }
    for (size_t i = 0; i < n; i++) {
        uint8_t *const levels = e->findings[0].levels; /* the node is visited for good */
        pv_i_lattice_levels(&run->lattice, e->all[i].node, levels);
        pv_i_run_tell(run, levels, e->all[i].feasible ? e->all[i].values : NULL);
    }
    e->before += n;
    return PV_STATUS_OK;
}

/* The first `end` schemes, part by part, each told of when it is done. */
static pv_status visit_and_tell(exhaustive *e, uint64_t end, pv_error *error)
{
    pv_run *const run = e->run;
    const uint64_t fitting = WORK_OF_PART / (run->profile->n_tuples + 1);
    const uint64_t part = fitting < LEAST_PART  ? LEAST_PART
                          : fitting < MOST_PART ? fitting
                                                : MOST_PART;
    for (uint64_t first = 0; first < end; first += part) {
        const uint64_t next = end - first > part ? first + part : end;
        PV_TRY(pv_i_evaluate_part(run->evaluator, visit, e, keep_going, first, next, error));
        PV_TRY(tell_part(e, error));
        if (next < end && !keep_going(e, 0)) {
            break;
        }
    }
    return PV_STATUS_OK;
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
    const uint64_t most = run->options.max_evaluations;
    const uint64_t limit = most > run->explored ? most - run->explored : most;
    const uint64_t n_nodes = run->lattice.n_nodes;
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
    run->total = n_nodes;
    PV_TRY_CLEAN(run->options.observe != NULL
                     ? visit_and_tell(&e, limit > 0 && limit < n_nodes ? limit : n_nodes, error)
                     : pv_i_evaluate_all(run->evaluator, visit, &e, keep_going, limit, error));
    PV_TRY_CLEAN(merge_findings(&e, error));
cleanup:
    for (unsigned i = 0; i < run->threads; i++) {
        pv_i_archive_deinit(&e.findings[i].archive);
        pv_i_free(e.findings[i].levels);
        pv_i_free(e.findings[i].seen);
    }
    pv_i_free(e.findings);
    pv_i_free(e.all);
    return status;
}
