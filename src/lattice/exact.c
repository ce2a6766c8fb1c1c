/* The whole front with few evaluations, and the proof that it is whole.
 *
 * What is known (docs/model.md, section 3): k never falls when a scheme is generalized; a loss is
 * at least what it would be without suppression, and that never shrinks. So every scheme has
 * optimistic values, no worse in any objective than what it really is (scheme_bounds.h).
 *
 *   1. A scheme whose optimistic values are strictly dominated by a member of the archive is itself
 *      strictly dominated. It is pruned without being grouped. Only strict dominance prunes, so
 * that ties are found and counted as by exhaustive search.
 *   2. Schemes are taken in the order of the least they can lose. Every one is either pruned by 1
 * or leads to the evaluation of a probe: itself or a scheme above it that was not evaluated yet.
 *   3. A probe lowers the optimistic privacy of everything below it and raises what everything
 * above it has at least. Each probe is new, so after finitely many the scheme is pruned or is
 * itself the probe.
 *   4. When the order is used up, every scheme was evaluated or is strictly dominated: the archive
 *      is the whole front.
 *
 * Where to probe is a matter of speed alone. All schemes above one that are good enough to be worth
 * its loss are beyond a boundary:
 *
 *       . . . . o o o     o  surely good enough: what was evaluated below them already is
 *       . . P|o o o       P  the probe: the highest on the way up that is not surely good enough.
 *       . . .|. o            Too weak, it settles everything below it at once; good enough, the
 *       . s . . .            boundary is known better, and the next probe lies lower, in the end
 *                            on the scheme s itself. */
#include "lattice/driver.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"
#include "lattice/loss_order.h"
#include "lattice/scheme_bounds.h"

#include <string.h>

/* Probes evaluated together; the same for any number of threads, so that the account is. More of
 * them keep more threads busy, but each is chosen without knowing what the others will say. In a
 * large lattice there are more that have nothing to do with each other. */
#define WINDOW 4
#define LARGE_WINDOW 16
#define LARGE UINT64_C(1000000)
/* Each scheme takes 4 bytes in the order, and 4 per bound: with k and glm 12 bytes and a bit, 2.4
 * GB at this limit. */
#define MOST_NODES UINT64_C(200000000)

typedef struct {
    pv_run *run;
    pv_scheme_bounds bounds;
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
        const pv_bound bound = pv_i_run_bound(run, o);
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
    if (!pv_i_scheme_bounds_may_keep(&e->bounds, node)) {
        return true;
    }
    pv_i_lattice_levels(&e->run->lattice, node, e->levels);
    pv_i_scheme_bounds_best(&e->bounds, node, e->levels, values);
    return pv_i_archive_rejects(&e->run->archive, values);
}

static bool is_settled(const exact *e, uint64_t node)
{
    return pv_i_bit_get(e->bounds.evaluated, node) || is_dominated(e, node);
}

/* With two objectives: schemes still to come lose at least as much as the next one in the order.
 * The privacy the archive offers for less than that is of no use to them: bounds at or below it
 * need no distinction. */
static void update_hopeless(exact *e, uint64_t node)
{
    const pv_run *const run = e->run;
    if (run->n_objectives != 2 || e->order.meter == NULL) {
        return;
    }
    const size_t above = e->bounds.least[0] != NULL ? 0 : 1;
    double values[PV_MAX_OBJECTIVES];
    pv_i_lattice_levels(&run->lattice, node, e->levels);
    pv_i_scheme_bounds_best(&e->bounds, node, e->levels, values);
    for (size_t i = 0; i < run->archive.n_members; i++) {
        const double *const member = run->archive.members[i].values;
        if (member[1 - above] > run->archive.signs[1 - above] * values[1 - above] &&
            member[above] > e->bounds.hopeless[above]) {
            e->bounds.hopeless[above] = member[above];
        }
    }
}

/* Drops from the window what has been settled meanwhile and fills it up in the order of loss. */
static void refill_window(exact *e)
{
    size_t n_unsettled = 0;
    for (size_t i = 0; i < e->n_window; i++) {
        if (!is_settled(e, e->window[i])) {
            e->window[n_unsettled++] = e->window[i];
        }
    }
    e->n_window = n_unsettled;
    if (e->n_window > 0) {
        update_hopeless(e, e->window[0]);
    }
    while (e->n_window < e->most_window && e->position < e->run->lattice.n_nodes) {
        const uint64_t node = e->nodes[e->position++];
        if (!is_settled(e, node)) {
            e->window[e->n_window++] = node;
        }
    }
}

/* -------------------------------------------------------------- probe */

/* The step upward that costs least; false at the top. `levels` moves along. The way of least loss
 * leads where the front is: probes there are likely to become members of it. */
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

/* Does `node` surely keep what is demanded, and would the privacy it has at least be worth having,
 * for a scheme that loses as little as `wished`? */
static bool surely_passes(const exact *e, uint64_t node, const double *wished)
{
    double values[PV_MAX_OBJECTIVES];
    memcpy(values, wished, e->run->n_objectives * sizeof *values);
    pv_i_scheme_bounds_least(&e->bounds, node, values);
    return pv_i_scheme_bounds_surely_keeps(&e->bounds, node) &&
           !pv_i_archive_rejects(&e->run->archive, values);
}

/* The highest node on the way up from an unsettled one that does not surely pass and was not
 * evaluated yet. (An evaluated one need not surely pass, although it does: bounds are rounded.) */
static uint64_t find_probe(exact *e, uint64_t node)
{
    double wished[PV_MAX_OBJECTIVES];
    uint64_t probe = node;
    pv_i_lattice_levels(&e->run->lattice, node, e->levels);
    pv_i_scheme_bounds_best(&e->bounds, node, e->levels, wished);
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

static pv_status evaluate_probes(exact *e, pv_error *error)
{
    const size_t n_axes = e->run->lattice.n_axes;
    PV_TRY(pv_i_run_evaluate(e->run, e->probe_levels, e->n_probes, e->outcomes, error));
    for (size_t i = 0; i < e->n_probes; i++) {
        PV_TRY(pv_i_run_offer(e->run, e->probe_levels + i * n_axes, &e->outcomes[i], error));
        pv_i_scheme_bounds_learn(&e->bounds, e->probes[i], &e->outcomes[i]);
    }
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------- search */

/* The two ends bound everything; evaluated first. No scheme has more k than the top, and none loses
 * less than the bottom. */
static pv_status start(exact *e, pv_error *error)
{
    const pv_lattice *const lattice = &e->run->lattice;
    const uint64_t ends[2] = {0, lattice->n_nodes - 1};
    const size_t n_ends = lattice->n_nodes > 1 ? 2 : 1;
    for (size_t i = 0; i < n_ends; i++) {
        pv_i_lattice_levels(lattice, ends[i], e->probe_levels + i * lattice->n_axes);
    }
    PV_TRY(pv_i_run_evaluate(e->run, e->probe_levels, n_ends, e->outcomes, error));
    PV_TRY(pv_i_scheme_bounds_init(&e->bounds, e->run, &e->outcomes[0], &e->outcomes[n_ends - 1],
                                   error));
    for (size_t i = 0; i < n_ends; i++) {
        PV_TRY(
            pv_i_run_offer(e->run, e->probe_levels + i * lattice->n_axes, &e->outcomes[i], error));
        pv_i_scheme_bounds_learn(&e->bounds, ends[i], &e->outcomes[i]);
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

/* What was passed in the order without being evaluated was pruned: `marked` if a probe above had
 * lowered its privacy, otherwise by its loss alone. Counted at the end, since a pruned scheme may
 * still become the probe of one below it. */
static void settle_account(exact *e)
{
    pv_run *const run = e->run;
    const uint64_t top = run->lattice.n_nodes - 1;
    for (uint64_t i = 0; i < e->position; i++) {
        const uint64_t node = e->nodes[i];
        bool pruned = !pv_i_bit_get(e->bounds.evaluated, node);
        for (size_t w = 0; w < e->n_window && pruned; w++) {
            pruned = e->window[w] != node;
        }
        if (pruned) {
            bool marked = false;
            for (size_t o = 0; o < run->n_objectives; o++) {
                marked |=
                    e->bounds.least[o] != NULL && e->bounds.best[o][node] < e->bounds.best[o][top];
            }
            run->pruned_mark += marked;
            run->pruned_loss += !marked;
        }
    }
    run->complete = e->n_window == 0;
}

/* The first schemes in the order are settled by the thousand, the last ones take most of the time:
 * on a lattice of 14 million, time went about with the fifth power of the position. Progress is
 * reported in that measure, so that what remains can be guessed from the pace. */
static uint64_t work_done(const exact *e)
{
    const double n = (double)e->run->lattice.n_nodes;
    const double share = (double)e->position / n;
    return (uint64_t)(n * share * share * share * share * share);
}

/* Has it taken more work than it is allowed to? Counted, not timed: the same on every machine. */
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
        /* Probes just below the known boundary: too weak there settles most. On Adult, probes
         * half-way up took more than twice as many evaluations. */
        e->n_probes = 0;
        for (size_t i = 0; i < e->n_window; i++) {
            add_probe(e, find_probe(e, e->window[i]));
        }
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
    pv_i_scheme_bounds_deinit(&e.bounds);
    pv_i_free(e.nodes);
    pv_i_free(e.levels);
    pv_i_free(e.probe_levels);
    return status;
}
