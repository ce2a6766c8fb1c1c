/* The front of k and a loss, point by point: for large lattices.
 *
 * L(k) is the least loss of a scheme in which every remaining class has k rows or more. It never
 * falls as k grows, and the front is where it jumps:
 *
 *     loss                                 x   L(k) found, with the smallest class reached
 *       |              ,----x              The next question is about one row more than that.
 *       |       ,--x--'
 *       |  ,--x'
 *       +-------------------- k
 *
 * Each question is one search for the best scheme (best.c), whose cost does not grow with the
 * lattice. What is known of one point serves the others: nothing with a larger k loses less than
 * what is proven of a smaller one, and the scheme of a larger k is where the search for a smaller
 * one begins.
 *
 * Points are asked for twice, first with few nodes each: soon there is a whole front with a gap at
 * every point, and then the gaps close. What was proven is not asked again. Limits are counted in
 * nodes, not in seconds, so that the same front comes out on every machine. When every point is
 * proven, and that beyond the last one nothing keeps the demands, the front is complete. */
#include "lattice/best.h"
#include "lattice/driver.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

#define FIRST_NODES 1000 /* for one point in the first pass */

typedef struct {
    pv_run *run;
    size_t loss; /* which objective it is; the other one is k */
    pv_quest quest;
    uint64_t least_k;   /* demanded */
    uint64_t nodes;     /* of all searches */
    uint64_t all_nodes; /* that they may take; 0 = no limit */
    double everything;  /* the loss and what is kept, together */
    uint8_t *levels;    /* scratch: of the lattice */
    uint8_t *start;     /* scratch: of the hierarchies */
    bool all_proven;    /* in this pass */
} walk;

/* ----------------------------------------------------------------- bounds */

/* The least loss of anything with at least this k, as far as is proven. */
double pv_i_k_bounds_at(const pv_k_bounds *bounds, uint64_t k)
{
    double bound = 0;
    for (size_t i = 0; i < bounds->n; i++) {
        bound = bounds->list[i].from <= k ? fmax(bound, bounds->list[i].loss) : bound;
    }
    return bound;
}

/* A point that is settled for this k; NULL = none. */
static const pv_k_bound *settled(const pv_k_bounds *bounds, uint64_t k)
{
    for (size_t i = 0; i < bounds->n; i++) {
        const pv_k_bound *const b = &bounds->list[i];
        if (b->proven && b->from <= k && k <= b->reached) {
            return b;
        }
    }
    return NULL;
}

static bool add_bound(pv_k_bounds *bounds, const pv_k_bound *added)
{
    if (!pv_i_reserve((void **)&bounds->list, &bounds->capacity, bounds->n + 1,
                      sizeof *bounds->list)) {
        return false;
    }
    bounds->list[bounds->n++] = *added;
    return true;
}

/* ------------------------------------------------------------------ walk */

const char *pv_i_pointwise_refuses(const pv_run *run)
{
    const pv_suppression *const rule = &run->options.suppression;
    size_t n_k = 0;
    size_t n_loss = 0;
    for (size_t o = 0; o < run->n_objectives; o++) {
        const pv_measure *const measure = run->objectives[o].measure;
        n_k += measure->rule == PV_RULE_SIZE;
        n_loss += run->meters[o].entry->bound == PV_BOUND_SEPARABLE &&
                  measure->direction == PV_LESS_IS_BETTER;
    }
    if (run->n_objectives != 2 || n_k != 1 || n_loss != 1) {
        return "it needs k and a loss that is a sum over attributes, such as glm or nwp";
    }
    return rule->whole_budget && rule->budget > 0
               ? "it suppresses what is needed, not the whole budget"
               : NULL;
}

/* The member that loses least of those with at least this k, in levels of the hierarchies. */
static const uint8_t *known_scheme(walk *w, uint64_t k)
{
    const pv_archive *const archive = &w->run->archive;
    const pv_member *best = NULL;
    for (size_t i = 0; i < archive->n_members; i++) {
        const pv_member *const m = &archive->members[i];
        if (m->k >= k && (best == NULL || m->raw[w->loss] < best->raw[w->loss])) {
            best = m;
        }
    }
    for (size_t axis = 0; best != NULL && axis < w->run->lattice.n_axes; axis++) {
        w->start[axis] = (uint8_t)pv_i_lattice_real(&w->run->lattice, axis, best->levels[axis]);
    }
    return best != NULL ? w->start : NULL;
}

/* Offers what was found; `reached` is its smallest class when only what k needs is suppressed. */
static pv_status take_found(walk *w, const pv_best_found *found, uint64_t k, double *loss,
                            uint64_t *reached, pv_error *error)
{
    pv_run *const run = w->run;
    pv_outcome outcome;
    for (size_t axis = 0; axis < run->lattice.n_axes; axis++) {
        uint8_t level = 0;
        while (pv_i_lattice_real(&run->lattice, axis, level) < found->levels[axis]) {
            level++;
        }
        w->levels[axis] = level;
    }
    PV_TRY(pv_i_run_evaluate(run, w->levels, 1, &outcome, error));
    *reached = outcome.k;
    *loss = outcome.values[w->loss];
    for (size_t i = 0; i < outcome.n_thresholds; i++) {
        const pv_lower_threshold *const t = &run->thresholds.list[outcome.first_threshold + i];
        if (t->k >= k && t->k < *reached) {
            *reached = t->k;
            *loss = t->values[w->loss];
        }
    }
    /* Thresholds that the archive rejects are not among these: then its k is not known, but one
     * row more than asked for is a right question, too. */
    const double expected = w->everything - found->kept;
    if (fabs(*loss - expected) > 1e-9 * fmax(1, fabs(expected))) {
        *loss = expected;
        *reached = k;
    }
    return pv_i_run_offer(run, w->levels, &outcome, error);
}

/* One question. `*k` becomes the next one, 0 = there is nothing beyond. */
static pv_status ask(walk *w, uint64_t max_nodes, uint64_t *k, pv_error *error)
{
    pv_run *const run = w->run;
    const double known = pv_i_k_bounds_at(&run->k_bounds, *k);
    pv_best_found found;
    pv_k_bound bound = {.from = *k, .reached = *k};
    const pv_best_settings settings = {
        .context = run->context,
        .phase = run->phase,
        .seed = run->options.seed,
        .start = known_scheme(w, *k),
        .ceiling = w->everything - known,
        .max_nodes = max_nodes,
        .max_seconds = run->options.max_seconds > 0
                           ? fmax(run->options.max_seconds - (pv_i_now() - run->started), 1e-3)
                           : 0};
    w->quest.k = *k;
    PV_TRY(pv_i_best(&w->quest, &settings, &found, error));
    w->nodes += found.nodes;
    run->stop =
        found.stop == PV_STOP_CANCELLED || found.stop == PV_STOP_TIME ? found.stop : run->stop;
    w->all_proven &= found.proven;
    bound.proven = found.proven;
    pv_status status = PV_STATUS_OK;
    if (found.found) {
        double loss = 0;
        status = take_found(w, &found, *k, &loss, &bound.reached, error);
        bound.loss = found.proven ? loss : fmax(known, w->everything - found.bound);
    } else {
        bound.loss = found.proven ? (double)INFINITY : known;
        bound.reached = UINT64_MAX;
    }
    if (status == PV_STATUS_OK && !add_bound(&run->k_bounds, &bound)) {
        status = pv_i_no_memory(error);
    }
    *k = found.found ? bound.reached + 1 : 0;
    pv_i_free(found.levels);
    return status;
}

/* The nodes for a point in the second pass: half of what is left of all of them, and a few when
 * they are used up. 0 = no limit. */
static uint64_t nodes_for_point(const walk *w)
{
    const uint64_t left = w->nodes < w->all_nodes ? w->all_nodes - w->nodes : 0;
    return w->all_nodes == 0 ? 0 : left / 2 > FIRST_NODES ? left / 2 : FIRST_NODES;
}

/* All points, from the least k on, those that are not settled. */
static pv_status walk_up(walk *w, bool first, pv_error *error)
{
    uint64_t k = w->least_k;
    w->all_proven = true;
    while (k > 0 && k <= w->run->profile->n_rows && pv_i_run_goes_on(w->run, w->nodes)) {
        const pv_k_bound *const known = settled(&w->run->k_bounds, k);
        if (known != NULL) {
            k = known->reached == UINT64_MAX ? 0 : known->reached + 1;
            continue;
        }
        PV_TRY(ask(w, first ? FIRST_NODES : nodes_for_point(w), &k, error));
    }
    return PV_STATUS_OK;
}

/* The ends of the lattice, so that there is something however soon it is stopped. */
static pv_status take_ends(walk *w, pv_error *error)
{
    pv_run *const run = w->run;
    pv_outcome outcome;
    memset(w->levels, 0, run->lattice.n_axes);
    PV_TRY(pv_i_run_evaluate(run, w->levels, 1, &outcome, error));
    PV_TRY(pv_i_run_offer(run, w->levels, &outcome, error));
    memcpy(w->levels, run->lattice.heights, run->lattice.n_axes);
    PV_TRY(pv_i_run_evaluate(run, w->levels, 1, &outcome, error));
    return pv_i_run_offer(run, w->levels, &outcome, error);
}

/* A limit of evaluations is one of nodes here: each looks at a scheme at least. 0 = no limit. */
static uint64_t nodes_allowed(const pv_run *run)
{
    const uint64_t allowed = (uint64_t)ceil(run->allowance / (double)run->profile->n_tuples);
    const uint64_t asked = run->options.max_evaluations;
    return asked > 0 && (allowed == 0 || asked < allowed) ? asked : allowed;
}

pv_status pv_i_pointwise(pv_run *run, pv_error *error)
{
    const size_t n_axes = run->lattice.n_axes;
    walk w = {.run = run,
              .loss = run->objectives[0].measure->rule == PV_RULE_SIZE ? 1 : 0,
              .least_k =
                  run->options.suppression.target_k > 1 ? run->options.suppression.target_k : 1,
              .all_nodes = nodes_allowed(run),
              .levels = PV_NEW_ARRAY(uint8_t, n_axes),
              .start = PV_NEW_ARRAY(uint8_t, n_axes)};
    const pv_meter *const meter = &run->meters[w.loss];
    pv_status status = PV_STATUS_OK;
    if (w.levels == NULL || w.start == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(pv_i_quest_init(&w.quest, run->profile, meter, run->options.demands,
                                 run->options.n_demands, run->options.suppression.budget, NULL,
                                 NULL, error));
    memset(w.levels, 0, n_axes);
    w.everything = w.quest.everything + pv_i_run_separable(run, meter, w.levels);
    run->complete = false;
    run->k_bounds.asked = true;
    run->phase = "point by point";
    PV_TRY_CLEAN(take_ends(&w, error));
    for (int pass = 0; pass < 2 && run->stop == PV_STOP_FINISHED && !run->complete &&
                       (w.all_nodes == 0 || w.nodes < w.all_nodes);
         pass++) {
        PV_TRY_CLEAN(walk_up(&w, pass == 0, error));
        run->complete = w.all_proven && run->stop == PV_STOP_FINISHED;
    }
    if (!run->complete && run->stop == PV_STOP_FINISHED) {
        run->stop = PV_STOP_EVALUATIONS; /* the nodes allowed were used up */
    }
cleanup:
    run->proof_nodes = w.nodes;
    pv_i_quest_deinit(&w.quest);
    pv_i_free(w.levels);
    pv_i_free(w.start);
    return status;
}
