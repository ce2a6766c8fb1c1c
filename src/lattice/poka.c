/* POkA: from one trade-off to the next, downward in k, by a search down and a search up.
 *
 * The base, at first the top of the lattice, is the latest point found. The depth search goes d
 * levels down from it to all its ground nodes; the height search goes up again from these. On its
 * way it passes through what lies below the base without evaluating it, but for the base's direct
 * neighbours, and it turns back at every node with k or loss not less than the base's. What it
 * evaluated and did not turn back at are the candidates: of these the one with the highest k, then
 * the least loss, is the next base. It ends with a base of k <= 2. The front is what is
 * non-dominated among the bases. Nothing proves that they are the whole front.
 *
 *            base            Depth 2: down to the ground nodes g, two levels below the base.
 *           /    \           Up again: the g are passed through, the direct neighbours n are
 *          n      n    x     evaluated, and so is what does not lie below the base, the x,
 *         / \    / \  /      and what lies above such an x.
 *        g    g     g
 *
 * The paper's recursion (its functions 1-3) remembers the best of each node it was at, in two
 * lists, HBest and DBest, emptied for every base, so as not to be at a node twice. Whether it goes
 * on at a node depends only on the node and the base, never on what was found so far. So the same
 * nodes can be taken level by level, each once per pass: the same evaluations and the same best,
 * with many nodes to evaluate at a time. Evaluations are remembered for the whole run.
 *
 * Where the paper is silent:
 * - Without candidates the functions as printed would end, whatever k is. This happens where the
 *   loss has a plateau (cm, where one attribute alone says nothing about the label) or where every
 *   neighbour pays for more suppressed rows. But the paper says that a search can also start from
 *   a node that is not on the front. So it goes on from the direct neighbour with the highest k
 *   below the base's; all of them are evaluated. Hence bases may be dominated.
 * - d = 1 makes the direct neighbours themselves ground nodes. They are evaluated like any other
 *   direct neighbour, and may be candidates: the paper says that they must be looked at.
 * - A base less than d levels above the bottom has the bottom as its only ground node.
 * - Candidates equal in k and loss: the first in the order of the lattice.
 * - k decides also where the objective is risk, its inverse; a loss of which more is better counts
 *   with its sign turned.
 * - With a target k, schemes that miss it are passed through and are no candidates.
 *
 * Dewri, Ray, Ray, Whitley: POkA: identifying Pareto-optimal k-anonymous nodes in a domain
 * hierarchy lattice. CIKM 2009. */
#include "lattice/driver.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"

#include <string.h>

/* Nodes evaluated together; the same for any number of threads, so that the account is. */
#define BATCH 256
/* Nodes passed between two looks at whether to go on. */
#define PATIENCE 4096
#define NOBODY UINT32_MAX

/* What is known of a node; passed through, it may never be evaluated. */
typedef struct {
    double values[2];
    uint64_t pass; /* in which it was visited last */
    uint32_t k, suppressed;
    bool evaluated, feasible;
} known;

/* Nodes by their ids, all with the same sum of levels. */
typedef struct {
    uint32_t *ids;
    size_t n, capacity;
} layer;

typedef struct {
    pv_run *run;
    double sign;     /* of the loss: -1 where more is better */
    uint64_t depth;  /* d */
    pv_keymap nodes; /* the ids of all nodes ever visited */
    known *known;    /* by id */
    size_t capacity;
    layer layer, next;
    uint64_t pass;   /* counts depth searches and height searches */
    uint64_t passed; /* nodes gone on from, for patience */
    uint32_t base;
    uint32_t best;    /* candidate of the height search */
    uint32_t way_out; /* where to go on if there is none: the best direct neighbour */
    uint8_t *base_levels;
    uint64_t ground_depth; /* how far below the base its ground nodes are */
    uint32_t batch[BATCH]; /* nodes to evaluate */
    size_t n_batch;
    uint8_t *batch_levels;
    pv_outcome outcomes[BATCH];
} poka;

const char *pv_i_poka_refuses(const pv_run *run)
{
    /* k, and risk, its inverse, are all that never falls whatever is suppressed. */
    if (run->n_objectives != 2 || run->meters[0].entry->bound != PV_BOUND_ABOVE ||
        run->objectives[1].measure->family != PV_FAMILY_LOSS) {
        return "it needs two objectives, k or risk and then a loss, such as k,glm";
    }
    return run->lattice.countable ? NULL : "the lattice has more than 2^64 schemes";
}

/* ---------------------------------------------------------------- nodes */

static bool is_stopped(const poka *p)
{
    return p->run->stop != PV_STOP_FINISHED;
}

/* As the archive compares it, less being better. */
static double loss(const poka *p, uint32_t id)
{
    return p->sign * pv_i_settled(p->known[id].values[1]);
}

/* Adds a node to the next layer unless it was visited in this pass. */
static bool visit(poka *p, uint64_t node)
{
    const size_t n = p->nodes.n;
    const uint32_t id = pv_i_keymap_add(&p->nodes, &node);
    if (id == PV_KEYMAP_FULL ||
        !pv_i_reserve((void **)&p->known, &p->capacity, p->nodes.n, sizeof *p->known) ||
        !pv_i_reserve((void **)&p->next.ids, &p->next.capacity, p->next.n + 1,
                      sizeof *p->next.ids)) {
        return false;
    }
    if (id == n) {
        p->known[id] = (known){0};
    }
    if (p->known[id].pass != p->pass) {
        p->known[id].pass = p->pass;
        p->next.ids[p->next.n++] = id;
    }
    return true;
}

/* All nodes one level above (or below) a node. */
static bool visit_neighbours(poka *p, uint32_t id, bool above)
{
    const pv_lattice *const lattice = &p->run->lattice;
    const uint64_t node = p->nodes.keys[id];
    for (size_t axis = 0; axis < lattice->n_axes; axis++) {
        const uint8_t level = pv_i_lattice_level(lattice, node, axis);
        const uint64_t stride = lattice->strides[axis];
        if (level != (above ? lattice->heights[axis] : 0) &&
            !visit(p, above ? node + stride : node - stride)) {
            return false;
        }
    }
    return true;
}

/* From the layer to the one above (or below) it. */
static pv_status step(poka *p, bool above, pv_error *error)
{
    p->next.n = 0;
    for (size_t i = 0; i < p->layer.n; i++) {
        if (!visit_neighbours(p, p->layer.ids[i], above)) {
            return pv_i_no_memory(error);
        }
        if (++p->passed % PATIENCE == 0 && !pv_i_run_goes_on(p->run, p->run->evaluated)) {
            return PV_STATUS_OK;
        }
    }
    const layer done = p->layer;
    p->layer = p->next;
    p->next = done;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------- evaluate */

static void learn(poka *p, uint32_t id, const pv_outcome *outcome)
{
    known *const node = &p->known[id];
    memcpy(node->values, outcome->values, sizeof node->values);
    node->k = (uint32_t)outcome->k; /* the evaluator takes tables of less than 2^32 rows */
    node->suppressed = (uint32_t)outcome->suppressed;
    node->feasible = outcome->feasible;
    node->evaluated = true;
}

static pv_status evaluate_batch(poka *p, pv_error *error)
{
    const pv_lattice *const lattice = &p->run->lattice;
    for (size_t i = 0; i < p->n_batch; i++) {
        pv_i_lattice_levels(lattice, p->nodes.keys[p->batch[i]],
                            p->batch_levels + i * lattice->n_axes);
    }
    PV_TRY(pv_i_run_evaluate(p->run, p->batch_levels, p->n_batch, p->outcomes, error));
    for (size_t i = 0; i < p->n_batch; i++) {
        learn(p, p->batch[i], &p->outcomes[i]);
    }
    p->n_batch = 0;
    return PV_STATUS_OK;
}

/* How many may be evaluated at once, so that a limit is kept exactly. */
static size_t batch_limit(const poka *p)
{
    const uint64_t limit = p->run->options.max_evaluations;
    const uint64_t left = limit > p->run->evaluated ? limit - p->run->evaluated : 1;
    return limit > 0 && left < BATCH ? (size_t)left : BATCH;
}

static bool is_below_base(const poka *p, uint32_t id)
{
    const pv_lattice *const lattice = &p->run->lattice;
    for (size_t axis = 0; axis < lattice->n_axes; axis++) {
        if (pv_i_lattice_level(lattice, p->nodes.keys[id], axis) > p->base_levels[axis]) {
            return false;
        }
    }
    return true;
}

/* `depth` is how much less the levels of a node sum up to than the base's: 1 if it is below the
 * base makes it a direct neighbour. */
static bool is_passed(const poka *p, uint32_t id, int64_t depth)
{
    return depth > 1 && is_below_base(p, id);
}

/* Evaluates what of the layer must be and is not yet. */
static pv_status evaluate_layer(poka *p, int64_t depth, pv_error *error)
{
    p->n_batch = 0;
    for (size_t i = 0; i < p->layer.n; i++) {
        const uint32_t id = p->layer.ids[i];
        if (p->known[id].evaluated || is_passed(p, id, depth)) {
            continue;
        }
        if (p->n_batch == 0 && !pv_i_run_goes_on(p->run, p->run->evaluated)) {
            return PV_STATUS_OK;
        }
        p->batch[p->n_batch++] = id;
        if (p->n_batch == batch_limit(p)) {
            PV_TRY(evaluate_batch(p, error));
        }
    }
    return p->n_batch > 0 ? evaluate_batch(p, error) : PV_STATUS_OK;
}

/* --------------------------------------------------------------- search */

/* Not at the height boundary: there and above, nothing can be the next point. */
static bool is_under_base(const poka *p, uint32_t id)
{
    return p->known[id].k < p->known[p->base].k && loss(p, id) < loss(p, p->base);
}

static bool is_better(const poka *p, uint32_t a, uint32_t b)
{
    if (p->known[a].k != p->known[b].k) {
        return p->known[a].k > p->known[b].k;
    }
    if (loss(p, a) < loss(p, b) || loss(p, a) > loss(p, b)) {
        return loss(p, a) < loss(p, b);
    }
    return p->nodes.keys[a] < p->nodes.keys[b];
}

static void remember(poka *p, uint32_t *best, uint32_t id)
{
    if (p->known[id].feasible && (*best == NOBODY || is_better(p, id, *best))) {
        *best = id;
    }
}

/* Leaves of the layer what the search goes on from. */
static void turn_back(poka *p, int64_t depth)
{
    size_t n = 0;
    for (size_t i = 0; i < p->layer.n; i++) {
        const uint32_t id = p->layer.ids[i];
        if (is_passed(p, id, depth)) {
            p->layer.ids[n++] = id;
        } else if (is_under_base(p, id)) {
            p->layer.ids[n++] = id;
            remember(p, &p->best, id);
        } else if (depth == 1 && p->known[id].k < p->known[p->base].k && is_below_base(p, id)) {
            remember(p, &p->way_out, id);
        }
    }
    p->layer.n = n;
}

/* From the base down to its ground nodes. */
static pv_status depth_search(poka *p, pv_error *error)
{
    p->pass++;
    p->layer.ids[0] = p->base;
    p->layer.n = 1;
    for (uint64_t depth = 0; depth < p->ground_depth && !is_stopped(p); depth++) {
        PV_TRY(step(p, false, error));
    }
    return PV_STATUS_OK;
}

/* From the ground nodes upward, until everything has turned back. */
static pv_status height_search(poka *p, pv_error *error)
{
    p->pass++;
    p->best = NOBODY;
    p->way_out = NOBODY;
    for (int64_t depth = (int64_t)p->ground_depth; p->layer.n > 0 && !is_stopped(p); depth--) {
        PV_TRY(evaluate_layer(p, depth, error));
        if (!is_stopped(p)) {
            turn_back(p, depth);
            PV_TRY(step(p, true, error));
        }
    }
    return PV_STATUS_OK;
}

static pv_status take_base(poka *p, uint32_t id, pv_error *error)
{
    const known *const base = &p->known[id];
    pv_outcome outcome = {.k = base->k, .suppressed = base->suppressed, .feasible = base->feasible};
    uint64_t height = 0;
    memcpy(outcome.values, base->values, sizeof base->values);
    p->base = id;
    pv_i_lattice_levels(&p->run->lattice, p->nodes.keys[id], p->base_levels);
    for (size_t axis = 0; axis < p->run->lattice.n_axes; axis++) {
        height += p->base_levels[axis];
    }
    p->ground_depth = p->depth < height ? p->depth : height;
    return pv_i_run_offer(p->run, p->base_levels, &outcome, error);
}

static pv_status start_at_top(poka *p, pv_error *error)
{
    p->pass++;
    if (!visit(p, p->run->lattice.n_nodes - 1)) {
        return pv_i_no_memory(error);
    }
    p->batch[p->n_batch++] = p->next.ids[0];
    PV_TRY(evaluate_batch(p, error));
    return take_base(p, p->next.ids[0], error);
}

/* The paper's function 3. */
static pv_status descend(poka *p, pv_error *error)
{
    PV_TRY(start_at_top(p, error));
    while (p->known[p->base].k > 2 && p->ground_depth > 0 &&
           pv_i_run_goes_on(p->run, p->run->evaluated)) {
        PV_TRY(depth_search(p, error));
        PV_TRY(height_search(p, error));
        const uint32_t next = p->best != NOBODY ? p->best : p->way_out;
        if (is_stopped(p) || next == NOBODY) {
            break;
        }
        PV_TRY(take_base(p, next, error));
    }
    return PV_STATUS_OK;
}

/* The mean number of levels of a hierarchy, rounded up. */
static uint64_t default_depth(const pv_lattice *lattice)
{
    uint64_t sum = 0;
    for (size_t axis = 0; axis < lattice->n_axes; axis++) {
        sum += lattice->heights[axis];
    }
    return (sum + lattice->n_axes - 1) / lattice->n_axes;
}

static bool init(poka *p, pv_run *run)
{
    const size_t n_axes = run->lattice.n_axes;
    const bool more = run->objectives[1].measure->direction == PV_MORE_IS_BETTER;
    *p = (poka){.run = run,
                .sign = more ? -1 : 1,
                .depth = run->options.depth > 0 ? run->options.depth : default_depth(&run->lattice),
                .base_levels = PV_NEW_ARRAY(uint8_t, n_axes),
                .batch_levels = PV_NEW_ARRAY(uint8_t, BATCH * n_axes)};
    return p->base_levels != NULL && p->batch_levels != NULL &&
           pv_i_reserve((void **)&p->layer.ids, &p->layer.capacity, 1, sizeof *p->layer.ids) &&
           pv_i_keymap_init(&p->nodes, 1, 0);
}

static void deinit(poka *p)
{
    pv_i_keymap_deinit(&p->nodes);
    pv_i_free(p->known);
    pv_i_free(p->layer.ids);
    pv_i_free(p->next.ids);
    pv_i_free(p->base_levels);
    pv_i_free(p->batch_levels);
}

pv_status pv_i_poka(pv_run *run, pv_error *error)
{
    poka *const p = PV_NEW(poka); /* too large for a stack that others need, too */
    if (p == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = init(p, run) ? descend(p, error) : pv_i_no_memory(error);
    deinit(p);
    pv_i_free(p);
    return status;
}
