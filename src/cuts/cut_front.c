/* The front of k and nwp over cuts: finding it, and proving it point by point.
 *
 * Finding: a ladder of k, from what the raw table has to everybody in one class. On each rung a
 * search looks for the least loss with at least that k, beginning with the best that is known; what
 * it meets on the way is remembered, and the front of all that fills the space between the rungs.
 *
 * Proving:
 *
 *     nwp |         p         q has k = 6, p is the next known point. If branch and bound shows
 *         |                   that nothing with k >= 7 loses less than p, then p is the best for
 *         |                   its k, and there is no point between the two. If it finds something
 *         |   q               that loses less, that is a new point, and both neighbours have to be
 *         +------------- k    asked again.
 *
 * How long a proof takes is not known before; large k are mostly the cheap ones. So every point
 * gets a few nodes, the largest k first; then those that are not proven get many times as many; and
 * so on. A proof begins anew each time, but all attempts before cost little beside the last one.
 * What each attempt has shown is entered in a ledger: a bound for some k holds for every larger k,
 * so one proof may settle several points. When all points are settled, the front is complete. */
#include "cuts/cut_search.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "front/front.h"
#include "scheme/cuts.h"

#include <math.h>
#include <string.h>

/* Further rungs start from what is known: a part of this of the evaluations is enough. */
#define FURTHER 4
#define PROVE_SECONDS 30.0
/* A rung is a part of this higher than the one before. */
#define RUNG_PART 8
/* Nodes of the first attempts, and how many times as many the next ones get. */
#define FIRST_NODES 64
#define GROWTH 8

typedef struct {
    pv_cut_search search;
    pv_cut_result known; /* the front among everything the run remembers, by ascending k */
    pv_cut_ledger ledger;
    uint64_t nodes;     /* of all proofs */
    uint64_t max_nodes; /* 0 = any number */
} cut_front;

/* A point of the known front with what has to be proven about it. */
typedef struct {
    uint32_t id; /* in the run */
    uint64_t k, cost;
    uint64_t from; /* if nothing with at least this k costs less, nothing is missing before it */
} target;

/* ------------------------------------------------------------------ ledger */

void pv_i_cut_ledger_deinit(pv_cut_ledger *ledger)
{
    pv_i_free(ledger->claims);
    *ledger = (pv_cut_ledger){0};
}

/* The first claim about at least this k. */
static size_t place_of(const pv_cut_ledger *ledger, uint64_t k)
{
    size_t place = 0;
    while (place < ledger->n && ledger->claims[place].k < k) {
        place++;
    }
    return place;
}

/* Claims are sorted by k; there are as many as points that were tried, some hundred. */
bool pv_i_cut_ledger_enter(pv_cut_ledger *ledger, const pv_cut_claim *claim)
{
    const size_t place = place_of(ledger, claim->k);
    if (place < ledger->n && ledger->claims[place].k == claim->k) {
        pv_cut_claim *const older = &ledger->claims[place];
        older->bound = claim->bound > older->bound ? claim->bound : older->bound;
        older->tried = claim->tried > older->tried ? claim->tried : older->tried;
        return true;
    }
    if (!pv_i_reserve((void **)&ledger->claims, &ledger->capacity, ledger->n + 1, sizeof *claim)) {
        return false;
    }
    memmove(ledger->claims + place + 1, ledger->claims + place,
            (ledger->n - place) * sizeof *ledger->claims);
    ledger->claims[place] = *claim;
    ledger->n++;
    return true;
}

uint64_t pv_i_cut_ledger_bound(const pv_cut_ledger *ledger, uint64_t k)
{
    uint64_t bound = 0;
    for (size_t i = 0; i < ledger->n && ledger->claims[i].k <= k; i++) {
        bound = ledger->claims[i].bound > bound ? ledger->claims[i].bound : bound;
    }
    return bound;
}

uint64_t pv_i_cut_ledger_tried(const pv_cut_ledger *ledger, uint64_t k)
{
    const size_t place = place_of(ledger, k);
    return place < ledger->n && ledger->claims[place].k == k ? ledger->claims[place].tried : 0;
}

/* ----------------------------------------------------------- what is known */

static uint64_t k_of(const cut_front *f, size_t point)
{
    return pv_i_cut_run_outcome(&f->search.run, f->known.front[point])->sizes.smallest;
}

/* Finds the front among everything evaluated so far. */
static pv_status update_known(cut_front *f, pv_error *error)
{
    const pv_cut_goal goal = {.k = f->search.settings.k};
    pv_cut_result known = {0};
    PV_TRY(pv_i_cut_result_of(&f->search.run, &goal, &known, error));
    pv_i_cut_result_deinit(&f->known);
    f->known = known;
    return PV_STATUS_OK;
}

static target target_of(const cut_front *f, size_t point)
{
    return (target){.id = f->known.front[point],
                    .k = k_of(f, point),
                    .cost = pv_i_cut_run_outcome(&f->search.run, f->known.front[point])->cost,
                    .from = point == 0 ? f->search.settings.k : k_of(f, point - 1) + 1};
}

/* If nothing from this k on costs less, the point is optimal for its k and no point is missing
 * between it and the one before. */
static bool is_settled(const cut_front *f, const target *t)
{
    return pv_i_cut_ledger_bound(&f->ledger, t->from) >= t->cost;
}

static size_t count_settled(const cut_front *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->known.n_front; i++) {
        const target t = target_of(f, i);
        n += is_settled(f, &t);
    }
    return n;
}

/* -------------------------------------------------------------------- find */

/* The two ends: the finest scheme (the table as it is, where no level is fixed) and the coarsest
 * (everything merged, where nothing is limited). */
static pv_status look_at_ends(cut_front *f, uint64_t *least_k, uint64_t *most_k, pv_error *error)
{
    const pv_cut_space *const space = &f->search.space;
    uint32_t ids[2];
    PV_TRY(pv_i_cut_run_evaluate(&f->search.run, space->finest, 1, &ids[0], error));
    PV_TRY(pv_i_cut_run_evaluate(&f->search.run, space->coarsest, 1, &ids[1], error));
    *least_k = pv_i_cut_run_outcome(&f->search.run, ids[0])->sizes.smallest;
    *most_k = pv_i_cut_run_outcome(&f->search.run, ids[1])->sizes.smallest;
    return update_known(f, error);
}

/* The k of the finest scheme is had for nothing, and none has more than the coarsest. A search
 * starts from the points of the known front from its k on, and the one before them. */
static pv_status climb(cut_front *f, uint64_t raw_k, uint64_t most_k, pv_error *error)
{
    const uint64_t least_k = f->search.settings.k;
    uint64_t k = least_k > raw_k ? least_k : raw_k + 1;
    f->search.phase.total = (uint64_t)(1000 * log2((double)most_k)); /* rungs are powers */
    for (uint64_t rung = 0; k <= most_k && f->search.stop == PV_STOP_FINISHED; rung++) {
        const pv_cut_goal goal = {.k = k};
        size_t first = 0;
        while (first + 1 < f->known.n_front && k_of(f, first + 1) < k) {
            first++;
        }
        f->search.phase.done = (uint64_t)(1000 * log2((double)k));
        PV_TRY(pv_i_cut_search_find(&f->search, &goal, rung, f->known.front + first,
                                    f->known.n_front - first, error));
        PV_TRY(update_known(f, error));
        k += k / RUNG_PART > 1 ? k / RUNG_PART : 1;
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- prove */

/* The point of largest k that is not settled and on which fewer nodes were spent. A proof for a
 * smaller k would settle it as well, but is mostly the longer one. */
static bool choose(const cut_front *f, uint64_t nodes, target *chosen)
{
    for (size_t i = f->known.n_front; i-- > 0;) {
        const target t = target_of(f, i);
        if (!is_settled(f, &t) && pv_i_cut_ledger_tried(&f->ledger, t.from) < nodes) {
            *chosen = t;
            return true;
        }
    }
    return false;
}

/* Tries with so many nodes at most, and enters what is proven then. */
static pv_status attempt(cut_front *f, const target *t, uint64_t nodes, pv_error *error)
{
    const pv_cut_goal goal = {.k = t->from};
    pv_cut_proof proof;
    f->search.phase.total = f->known.n_front;
    PV_TRY(pv_i_cut_search_prove(&f->search, &goal, t->id, nodes, &proof, error));
    /* Neither stopped nor out of nodes: it ended for want of memory, and would again. */
    const bool gave_up = f->search.stop == PV_STOP_FINISHED && proof.nodes < nodes;
    const pv_cut_claim claim = {
        .k = t->from, .bound = proof.bound, .tried = gave_up ? PV_CUT_TRIED_ALL : nodes};
    f->nodes += proof.nodes;
    if (!pv_i_cut_ledger_enter(&f->ledger, &claim)) {
        return pv_i_no_memory(error);
    }
    return proof.best == t->cost ? PV_STATUS_OK : update_known(f, error);
}

/* Attempts grow GROWTH times: all that were in vain together cost less than a seventh of the last
 * one. No clock decides which point is tried with how many nodes, only when it all ends. */
static pv_status prove(cut_front *f, pv_error *error)
{
    target t;
    f->search.proofs_end = pv_i_now() + f->search.settings.prove;
    f->search.phase.done = count_settled(f);
    for (uint64_t nodes = FIRST_NODES; choose(f, PV_CUT_TRIED_ALL, &t); nodes *= GROWTH) {
        while (choose(f, nodes, &t)) {
            const uint64_t left = f->max_nodes == 0         ? UINT64_MAX
                                  : f->max_nodes > f->nodes ? f->max_nodes - f->nodes
                                                            : 0;
            if (f->search.stop == PV_STOP_FINISHED && left == 0) {
                f->search.stop = PV_STOP_EVALUATIONS;
            }
            if (f->search.stop != PV_STOP_FINISHED) {
                return PV_STATUS_OK;
            }
            PV_TRY(attempt(f, &t, nodes < left ? nodes : left, error));
            f->search.phase.done = count_settled(f);
        }
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ result */

/* In how many ways the values of an axis can be divided: the paths over its allowed groups, counted
 * from left to right. Free of a taxonomy every set of cuts that are neither forced nor forbidden is
 * one. */
static double ways_to_divide(const pv_cut_space *space, const pv_cut_axis *axis, double *ways)
{
    if (!axis->respects) {
        int n_free = 0;
        for (size_t i = axis->first_bit; i < axis->first_bit + axis->n - 1; i++) {
            n_free += space->coarsest[i] == 0 && space->finest[i] != 0;
        }
        return ldexp(1, n_free);
    }
    ways[0] = 1;
    for (uint32_t last = 0; last < axis->n; last++) {
        ways[last + 1] = 0;
        for (uint32_t first = 0; first <= last; first++) {
            ways[last + 1] += pv_i_cut_joinable(axis, first, last) ? ways[first] : 0;
        }
    }
    return ways[axis->n];
}

bool pv_i_cut_ways(const pv_cut_space *space, double *ways)
{
    double *const scratch = PV_NEW_ARRAY(double, space->n_bits + 2);
    if (scratch == NULL) {
        return false;
    }
    *ways = 1;
    for (size_t a = 0; a < space->n_axes; a++) {
        *ways *= ways_to_divide(space, &space->axes[a], scratch);
    }
    pv_i_free(scratch);
    return true;
}

/* Costs are rounded, each attribute's by itself: of two points that differ by nothing but that, the
 * one with more k beats the other. Ties are other schemes evaluated that have the very values of a
 * point. */
static pv_status add_points(const cut_front *f, pv_front *front, pv_error *error)
{
    const pv_cut_search *const s = &f->search;
    const pv_cut_run *const run = &s->run;
    const size_t n = f->known.n_front;
    pv_status status = PV_STATUS_OK;
    uint8_t *const bits = PV_NEW_ARRAY(uint8_t, s->space.n_bits);
    front->points = PV_NEW_ZEROED(pv_point, n);
    front->cuts = PV_NEW_ZEROED(pv_cuts *, n);
    double *const values = front->memory = PV_NEW_ARRAY(double, 2 * n);
    if (bits == NULL || front->points == NULL || front->cuts == NULL || values == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    for (size_t i = 0; i < n; i++) {
        const target t = target_of(f, i);
        const double nwp = pv_i_cut_nwp(&s->prices, t.cost);
        const size_t at = front->n_points;
        uint64_t ties = 0;
        if (i + 1 < n && pv_i_cut_nwp(&s->prices, target_of(f, i + 1).cost) <= nwp) {
            continue;
        }
        for (size_t id = 0; id < run->map.n; id++) {
            const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(run, (uint32_t)id);
            ties += id != t.id && outcome->cost == t.cost && outcome->sizes.smallest == t.k;
        }
        values[2 * at] = (double)t.k;
        values[2 * at + 1] = nwp;
        pv_i_cut_run_scheme(run, t.id, bits);
        PV_TRY_CLEAN(pv_i_cuts_from_bits(&s->space, pv_profile_study(s->profile), bits,
                                         &front->cuts[at], error));
        front->points[at] =
            (pv_point){.cuts = front->cuts[at],
                       .values = values + 2 * at,
                       .k = t.k,
                       .ties = ties,
                       .bound = pv_i_cut_nwp(&s->prices, pv_i_cut_ledger_bound(&f->ledger, t.k))};
        front->n_points = front->n_cuts = at + 1;
    }
cleanup:
    pv_i_free(bits);
    return status;
}

/* The account of the search, and the points with what is proven of each. */
static pv_status fill_front(const cut_front *f, double started, pv_front *front, pv_error *error)
{
    const pv_cut_space *const space = &f->search.space;
    if (!pv_i_cut_ways(space, &front->nodes)) {
        return pv_i_no_memory(error);
    }
    PV_TRY(add_points(f, front, error));
    front->objectives[0] = (pv_measure_ref){.measure = pv_measure_find("k")};
    front->objectives[1] = f->search.criteria.loss;
    front->n_objectives = 2;
    front->method = f->nodes > 0 ? "bnb" : f->search.method->about.name;
    front->complete = count_settled(f) == f->known.n_front;
    front->keeps_branches = !f->search.settings.free_groups;
    front->stop = front->complete ? PV_STOP_FINISHED : f->search.stop;
    front->evaluated = f->search.run.evaluated;
    front->proof_nodes = f->nodes;
    front->seconds = pv_i_now() - started;
    front->seed = f->search.settings.seed;
    front->most_points = (double)INFINITY;
    return PV_STATUS_OK;
}

pv_status pv_search_cuts(const pv_profile *profile, const pv_cut_front_options *options,
                         const pv_context *context, pv_front **front, pv_error *error)
{
    const double started = pv_i_now();
    pv_cut_front_options o;
    PV_TRY(PV_TAKE_OPTIONS(o, options, error));
    const pv_cut_settings settings = {.k = o.least_k > 0 ? o.least_k : 1,
                                      .free_groups = o.free_groups,
                                      .evaluations = o.evaluations,
                                      .further = FURTHER,
                                      .prove = o.prove,
                                      .prove_usually = PROVE_SECONDS,
                                      .seed = o.seed,
                                      .memory = o.memory,
                                      .population = o.population,
                                      .crossover = o.crossover};
    cut_front f = {.max_nodes = o.max_nodes};
    pv_status status = PV_STATUS_OK;
    uint64_t raw_k = 0;
    uint64_t most_k = 0;
    pv_front *const found = PV_NEW(pv_front);
    if (found == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(pv_i_cut_search_init(&f.search, profile, &settings, context, error));
    PV_TRY_CLEAN(look_at_ends(&f, &raw_k, &most_k, error));
    PV_TRY_CLEAN(climb(&f, raw_k, most_k, error));
    if (f.search.settings.prove > 0) {
        PV_TRY_CLEAN(prove(&f, error));
    }
    PV_TRY_CLEAN(fill_front(&f, started, found, error));
    *front = found;
cleanup:
    pv_i_cut_ledger_deinit(&f.ledger);
    pv_i_cut_result_deinit(&f.known);
    pv_i_cut_search_deinit(&f.search);
    if (status != PV_STATUS_OK) {
        pv_front_free(found);
    }
    return status;
}
