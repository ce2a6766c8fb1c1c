/* Proving the front of k and nwp over cuts, point by point.
 *
 *     nwp |         p         q has k = 6, p is the next known point. If branch and bound shows
 *         |                   that nothing with k >= 7 loses less than p, then p is the best for
 *         |                   its k, and there is no point between the two. If it finds something
 *         |   q               that loses less, that is a new point, and both neighbours have to be
 *         +------------- k    asked again.
 *
 * How long a proof takes is not known before; large k are mostly the cheap ones. So everybody gets
 * a few nodes, the largest k first; then those who are not proven get many times as many; and so
 * on. A proof begins anew each time, but all that came before costs little beside it. */
#include "cuts/cut_front.h"

#include "base/error.h"
#include "base/memory.h"

/* Nodes of the first attempts, and how many times as many the next ones get. */
#define FIRST_NODES 64
#define GROWTH 8
/* The part of the memory that a proof may take. */
#define PROOF_PART 2

pv_cut_target pv_i_cut_front_target(const pv_cut_front *front, size_t point)
{
    const uint32_t id = front->known.front[point];
    const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(&front->run, id);
    const uint64_t from =
        point == 0
            ? front->options.least_k
            : pv_i_cut_run_outcome(&front->run, front->known.front[point - 1])->sizes.smallest + 1;
    return (pv_cut_target){
        .id = id, .k = outcome->sizes.smallest, .cost = outcome->cost, .from = from};
}

bool pv_i_cut_front_is_settled(const pv_cut_front *front, const pv_cut_target *target)
{
    return pv_i_cut_ledger_bound(&front->ledger, target->from) >= target->cost;
}

static uint64_t count_settled(const pv_cut_front *front)
{
    uint64_t n = 0;
    for (size_t i = 0; i < front->known.n_front; i++) {
        const pv_cut_target target = pv_i_cut_front_target(front, i);
        n += pv_i_cut_front_is_settled(front, &target);
    }
    return n;
}

/* The point of largest k that is not settled and on which fewer nodes were spent. */
static bool choose(const pv_cut_front *front, uint64_t nodes, pv_cut_target *chosen)
{
    for (size_t i = front->known.n_front; i-- > 0;) {
        const pv_cut_target target = pv_i_cut_front_target(front, i);
        if (!pv_i_cut_front_is_settled(front, &target) &&
            pv_i_cut_ledger_tried(&front->ledger, target.from) < nodes) {
            *chosen = target;
            return true;
        }
    }
    return false;
}

/* ----------------------------------------------------------------- attempt */

typedef struct {
    pv_cut_front *front;
    uint64_t settled; /* points */
    double until;     /* when all proofs have to end */
} watch;

static bool proof_goes_on(void *ctx, uint64_t best, uint64_t bound, uint64_t nodes)
{
    const watch *const w = ctx;
    (void)best;
    (void)bound;
    (void)nodes;
    if (pv_i_cut_front_seconds(w->front) >= w->until && w->front->stop == PV_STOP_FINISHED) {
        w->front->stop = PV_STOP_TIME;
    }
    return pv_i_cut_front_report(w->front, "proving", w->settled, w->front->known.n_front);
}

/* Nodes that may still be looked at. */
static uint64_t nodes_left(const pv_cut_front *front)
{
    const uint64_t most = front->options.max_nodes;
    return most == 0 ? UINT64_MAX : most > front->nodes ? most - front->nodes : 0;
}

static pv_status enter(pv_cut_front *front, const pv_cut_target *target, uint64_t allowed,
                       const pv_cut_proof *proof, pv_error *error)
{
    const bool gave_up = front->stop == PV_STOP_FINISHED && proof->nodes < allowed; /* no memory */
    const pv_cut_claim claim = {
        .k = target->from, .bound = proof->bound, .tried = gave_up ? PV_CUT_TRIED_ALL : allowed};
    front->nodes += proof->nodes;
    return pv_i_cut_ledger_enter(&front->ledger, &claim) ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* Tries with so many nodes. `cuts` has room for a scheme. */
static pv_status attempt(watch *w, const pv_cut_target *target, uint64_t nodes, uint8_t *cuts,
                         pv_error *error)
{
    pv_cut_front *const front = w->front;
    const uint64_t left = nodes_left(front);
    const pv_cut_bnb_options options = {.goal = {.k = target->from},
                                        .start = cuts,
                                        .threads = front->run.threads,
                                        .max_nodes = nodes < left ? nodes : left,
                                        .memory = front->options.memory / PROOF_PART,
                                        .keep_going = proof_goes_on,
                                        .ctx = w};
    pv_cut_proof proof;
    uint32_t id;
    pv_i_cut_run_scheme(&front->run, target->id, cuts);
    PV_TRY(pv_i_cut_bnb(&front->table, &front->prices, &options, cuts, &proof, error));
    PV_TRY(enter(front, target, options.max_nodes, &proof, error));
    if (proof.best == target->cost) {
        return PV_STATUS_OK;
    }
    PV_TRY(pv_i_cut_run_evaluate(&front->run, cuts, 1, &id, error));
    return pv_i_cut_front_review(front, error);
}

/* ------------------------------------------------------------------- prove */

static bool goes_on(pv_cut_front *front)
{
    if (front->stop == PV_STOP_FINISHED && nodes_left(front) == 0) {
        front->stop = PV_STOP_EVALUATIONS;
    }
    return front->stop == PV_STOP_FINISHED;
}

static pv_status prove_all(watch *w, uint8_t *cuts, pv_error *error)
{
    pv_cut_front *const front = w->front;
    pv_cut_target target;
    for (uint64_t nodes = FIRST_NODES; choose(front, PV_CUT_TRIED_ALL, &target); nodes *= GROWTH) {
        while (choose(front, nodes, &target)) {
            if (!goes_on(front)) {
                return PV_STATUS_OK;
            }
            PV_TRY(attempt(w, &target, nodes, cuts, error));
            w->settled = count_settled(front);
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_i_cut_front_prove(pv_cut_front *front, pv_error *error)
{
    uint8_t *const cuts = PV_NEW_ARRAY(uint8_t, front->space.n_bits);
    if (cuts == NULL) {
        return pv_i_no_memory(error);
    }
    watch w = {.front = front,
               .settled = count_settled(front),
               .until = pv_i_cut_front_seconds(front) + front->options.prove};
    const pv_status status = prove_all(&w, cuts, error);
    pv_i_free(cuts);
    return status;
}
