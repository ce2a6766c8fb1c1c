/* The whole front with few evaluations, and the proof that it is whole.
 *
 * Schemes are taken in the order of the least they can lose. One whose optimistic values are
 * dominated by the archive is pruned without being grouped. For another, a probe somewhere above it
 * is evaluated: if the probe is too weak, then so is everything below it, and a whole region is
 * settled at once; if not, the boundary between too weak and good enough is known better, and the
 * next probe lies lower, in the end on the scheme itself. Only strict dominance prunes, so that
 * ties are found and counted as by exhaustive search.
 *
 * Complete when the order is used up: every scheme was then evaluated or is strictly dominated. */
#include "lattice/methods.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"
#include "lattice/bounds.h"
#include "lattice/loss_order.h"

#include <string.h>

/* Probes evaluated together; the same for any number of threads, so that the account is. In a large
 * lattice there are more that have nothing to do with each other. */
#define WINDOW 4
#define LARGE_WINDOW 16
#define LARGE UINT64_C(1000000)
#define MOST_NODES UINT64_C(200000000)

typedef struct {
    pv_run *run;
    pv_bounds bounds;
    pv_loss_order order;
    uint32_t *nodes;               /* in that order */
    uint64_t position;             /* among the nodes */
    uint64_t window[LARGE_WINDOW]; /* unsettled nodes */
    size_t n_window, most_window;
    uint64_t probes[LARGE_WINDOW];
    uint8_t *probe_levels; /* of the probes */
    size_t n_probes;
    uint8_t *levels; /* scratch: one scheme */
    pv_outcome outcomes[LARGE_WINDOW];
} exact;

const char *pv_i_exact_refuses(const pv_run *run)
{
    size_t n_above = 0;
    for (size_t o = 0; o < run->n_objectives; o++) {
        const pv_bound bound = pv_i_bound_of(run, o);
        n_above += bound == PV_BOUND_ABOVE;
        if (bound == PV_BOUND_NONE) {
            return "an objective has no bounds to prune by (with suppression, only k and risk "
                   "have)";
        }
    }
    if (n_above == 0 || n_above == run->n_objectives) {
        return "it needs a privacy measure and a loss";
    }
    if (!run->lattice.countable || run->lattice.n_nodes > MOST_NODES) {
        return "the lattice has more than 200 million schemes";
    }
    return NULL;
}

/* ------------------------------------------------------------- settle */

static bool is_dominated(const exact *e, uint64_t node)
{
    double values[PV_MAX_OBJECTIVES];
    pv_i_lattice_levels(&e->run->lattice, node, e->levels);
    pv_i_bounds_best(&e->bounds, node, e->levels, values);
    return pv_i_archive_rejects(&e->run->archive, values);
}

/* Was its privacy bound lowered by a probe above? */
static bool was_marked(const exact *e, uint64_t node)
{
    const uint64_t top = e->run->lattice.n_nodes - 1;
    for (size_t o = 0; o < e->run->n_objectives; o++) {
        if (e->bounds.sure[o] != NULL && e->bounds.best[o][node] < e->bounds.best[o][top]) {
            return true;
        }
    }
    return false;
}

static bool is_settled(const exact *e, uint64_t node)
{
    return pv_i_bit_get(e->bounds.evaluated, node) || is_dominated(e, node);
}

/* With two objectives: schemes still to come lose at least as much as the next one in the order,
 * and whatever the archive offers for that is no longer worth having. */
static void raise_hopeless(exact *e, uint64_t node)
{
    const pv_run *const run = e->run;
    if (run->n_objectives != 2 || e->order.meter == NULL) {
        return;
    }
    const size_t above = e->bounds.sure[0] != NULL ? 0 : 1;
    double values[PV_MAX_OBJECTIVES];
    pv_i_lattice_levels(&run->lattice, node, e->levels);
    pv_i_bounds_best(&e->bounds, node, e->levels, values);
    for (size_t i = 0; i < run->archive.n_members; i++) {
        const double *const member = run->archive.members[i].values;
        if (member[1 - above] > run->archive.signs[1 - above] * values[1 - above] &&
            member[above] > e->bounds.hopeless[above]) {
            e->bounds.hopeless[above] = member[above];
        }
    }
}

static void refill_window(exact *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < e->n_window; i++) {
        if (!is_settled(e, e->window[i])) {
            e->window[kept++] = e->window[i];
        }
    }
    e->n_window = kept;
    if (e->n_window > 0) {
        raise_hopeless(e, e->window[0]);
    }
    while (e->n_window < e->most_window && e->position < e->run->lattice.n_nodes) {
        const uint64_t node = e->nodes[e->position++];
        if (!is_settled(e, node)) {
            e->window[e->n_window++] = node;
        }
    }
}

/* -------------------------------------------------------------- probe */

/* The step upward that costs least; false at the top. `levels` moves along. */
static bool climb(const exact *e, uint8_t *levels, uint64_t *node)
{
    const pv_lattice *const lattice = &e->run->lattice;
    uint64_t cheapest = UINT64_MAX;
    size_t best = lattice->n_axes;
    for (size_t axis = 0; axis < lattice->n_axes; axis++) {
        if (levels[axis] < lattice->heights[axis]) {
            levels[axis]++;
            const uint64_t key = pv_i_loss_order_key(&e->order, levels);
            levels[axis]--;
            if (best == lattice->n_axes || key < cheapest) {
                cheapest = key;
                best = axis;
            }
        }
    }
    if (best == lattice->n_axes) {
        return false;
    }
    levels[best]++;
    *node += lattice->strides[best];
    return true;
}

/* Would what is surely reached at `node` be enough for a scheme that loses as little as `wished`?
 */
static bool surely_passes(const exact *e, uint64_t node, const double *wished)
{
    double values[PV_MAX_OBJECTIVES];
    memcpy(values, wished, e->run->n_objectives * sizeof *values);
    pv_i_bounds_sure(&e->bounds, node, values);
    return !pv_i_archive_rejects(&e->run->archive, values);
}

/* The highest node on the way up from an unsettled one that does not surely pass and was not
 * evaluated yet. (An evaluated one need not surely pass, although it does: bounds are rounded.) */
static uint64_t find_probe(exact *e, uint64_t node)
{
    double wished[PV_MAX_OBJECTIVES];
    uint64_t probe = node;
    pv_i_lattice_levels(&e->run->lattice, node, e->levels);
    pv_i_bounds_best(&e->bounds, node, e->levels, wished);
    while (climb(e, e->levels, &node) && !surely_passes(e, node, wished)) {
        probe = pv_i_bit_get(e->bounds.evaluated, node) ? probe : node;
    }
    return probe;
}

static void add_probe(exact *e, uint64_t node)
{
    for (size_t i = 0; i < e->n_probes; i++) {
        if (e->probes[i] == node) {
            return;
        }
    }
    pv_i_lattice_levels(&e->run->lattice, node,
                        e->probe_levels + e->n_probes * e->run->lattice.n_axes);
    e->probes[e->n_probes++] = node;
}

/* Just below the known boundary: too weak there settles most. On Adult probes half-way up take more
 * than twice as many evaluations. */
static void choose_probes(exact *e)
{
    e->n_probes = 0;
    for (size_t i = 0; i < e->n_window; i++) {
        add_probe(e, find_probe(e, e->window[i]));
    }
}

static pv_status evaluate_probes(exact *e, pv_error *error)
{
    const size_t n_axes = e->run->lattice.n_axes;
    PV_TRY(pv_i_run_evaluate(e->run, e->probe_levels, e->n_probes, e->outcomes, error));
    for (size_t i = 0; i < e->n_probes; i++) {
        PV_TRY(pv_i_run_offer(e->run, e->probe_levels + i * n_axes, &e->outcomes[i], error));
        pv_i_bounds_learn(&e->bounds, e->probes[i], &e->outcomes[i]);
    }
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------- search */

/* The two ends bound everything; evaluated first. */
static pv_status start(exact *e, pv_error *error)
{
    const pv_lattice *const lattice = &e->run->lattice;
    const uint64_t ends[2] = {0, lattice->n_nodes - 1};
    const size_t n_ends = lattice->n_nodes > 1 ? 2 : 1;
    for (size_t i = 0; i < n_ends; i++) {
        pv_i_lattice_levels(lattice, ends[i], e->probe_levels + i * lattice->n_axes);
    }
    PV_TRY(pv_i_run_evaluate(e->run, e->probe_levels, n_ends, e->outcomes, error));
    PV_TRY(pv_i_bounds_init(&e->bounds, e->run, &e->outcomes[0], &e->outcomes[n_ends - 1], error));
    for (size_t i = 0; i < n_ends; i++) {
        PV_TRY(
            pv_i_run_offer(e->run, e->probe_levels + i * lattice->n_axes, &e->outcomes[i], error));
        pv_i_bounds_learn(&e->bounds, ends[i], &e->outcomes[i]);
    }
    return PV_STATUS_OK;
}

/* What is known already, so that much is pruned from the beginning. */
static pv_status start_from_known(exact *e, pv_error *error)
{
    const pv_archive *const known = e->run->known;
    for (size_t i = 0; known != NULL && i < known->n_members;) {
        for (e->n_probes = 0; e->n_probes < e->most_window && i < known->n_members; i++) {
            const uint64_t node = pv_i_lattice_node(&e->run->lattice, known->members[i].levels);
            if (!pv_i_bit_get(e->bounds.evaluated, node)) {
                add_probe(e, node);
            }
        }
        PV_TRY(evaluate_probes(e, error));
    }
    return PV_STATUS_OK;
}

static bool is_waiting(const exact *e, uint64_t node)
{
    size_t i = 0;
    while (i < e->n_window && e->window[i] != node) {
        i++;
    }
    return i < e->n_window;
}

/* What was passed in the order without being evaluated was pruned. Counted at the end, since a
 * pruned scheme may still become the probe of one below it. */
static void settle_account(exact *e)
{
    pv_run *const run = e->run;
    for (uint64_t i = 0; i < e->position; i++) {
        const uint64_t node = e->nodes[i];
        if (!pv_i_bit_get(e->bounds.evaluated, node) && !is_waiting(e, node)) {
            const bool marked = was_marked(e, node);
            run->pruned_mark += marked;
            run->pruned_loss += !marked;
        }
    }
    run->complete = e->n_window == 0;
}

/* The first schemes in the order are settled by the thousand, the last ones take most of the time:
 * on a lattice of 14 million, time went about with the fifth power of the position. Progress is
 * reported in that measure, so that what remains can be told from the pace. */
static uint64_t work_done(const exact *e)
{
    const double n = (double)e->run->lattice.n_nodes;
    const double share = (double)e->position / n;
    return (uint64_t)(n * share * share * share * share * share);
}

static bool is_too_long(const exact *e)
{
    const pv_run *const run = e->run;
    const double schemes = (double)(run->evaluated - run->explored);
    const double work = schemes * (double)run->profile->n_tuples + (double)e->bounds.touched;
    return run->allowance > 0 && work > run->allowance;
}

static pv_status settle_all(exact *e, pv_error *error)
{
    for (;;) {
        refill_window(e);
        if (e->n_window == 0 || is_too_long(e) || !pv_i_run_goes_on(e->run, work_done(e))) {
            settle_account(e);
            return PV_STATUS_OK;
        }
        choose_probes(e);
        PV_TRY(evaluate_probes(e, error));
    }
}

pv_status pv_i_exact(pv_run *run, pv_error *error)
{
    exact e = {.run = run, .most_window = run->lattice.n_nodes < LARGE ? WINDOW : LARGE_WINDOW};
    pv_status status = PV_STATUS_OK;
    run->total = run->lattice.n_nodes;
    e.levels = PV_NEW_ARRAY(uint8_t, run->lattice.n_axes);
    e.probe_levels = PV_NEW_ARRAY(uint8_t, LARGE_WINDOW * run->lattice.n_axes);
    if (e.levels == NULL || e.probe_levels == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(start(&e, error));
    PV_TRY_CLEAN(pv_i_loss_order_init(&e.order, run, error));
    PV_TRY_CLEAN(pv_i_loss_order_nodes(&e.order, run, &e.nodes, error));
    if (e.nodes != NULL) { /* not stopped before the search began */
        PV_TRY_CLEAN(start_from_known(&e, error));
        PV_TRY_CLEAN(settle_all(&e, error));
    }
cleanup:
    pv_i_loss_order_deinit(&e.order);
    pv_i_bounds_deinit(&e.bounds);
    pv_i_free(e.nodes);
    pv_i_free(e.levels);
    pv_i_free(e.probe_levels);
    return status;
}
