/* Branch and bound over cuts, best first.
 *
 * A node N has cuts that are forced (F), cuts that are forbidden, and free ones. It represents all
 * schemes S that have at least F and nothing forbidden. Three claims carry the proof:
 *
 * 1. Bound. Take such an S that is feasible, and one attribute. A group g of S in this attribute,
 *    met with a class c that the *forced* cuts of the other attributes make, is a union of classes
 *    of S, or empty, since S cuts at least where F does. Each of those has k people and meets the
 *    rules, and rules survive unions (class_rules.h): so g is a valid interval given F. The
 *    partition of the attribute is therefore a path over intervals valid under F, and costs at
 *    least as much as the shortest one (cut_intervals.h). Summed over the attributes: the loss of S
 *    is at least the sum of the shortest paths. Where these paths side by side are a feasible
 *    scheme whose value is that bound, the node is solved.
 *    With necd in the goal: S is coarser than the scheme with every cut that is not forbidden, so
 *    its largest class is at least as large as that one's; and it is finer than F, so its smallest
 *    class is at most as large as F's. The difference bounds the bias.
 *
 * 2. Fixing cuts. The interval programme also gives, for each cut, the shortest path with it and
 *    without it. If the bound without a free cut reaches the best known value, the cut is forced;
 *    if the bound with it does, it is forbidden. Forcing invalidates intervals of the other
 *    attributes, so the bound is computed again until nothing is forced any more.
 *
 * 3. Closing. A node whose bound reaches the best known value holds nothing better. The least bound
 *    of the open nodes is a bound for all schemes; when no open node is below the best known value,
 *    that is optimal.
 *
 * Branching takes the cut on the shortest paths whose absence would cost most: the child without it
 * starts with a higher bound, and the child with it invalidates many intervals.
 *
 * Nodes are looked at BATCH at a time, by several threads, with the best known value of the
 * beginning of the batch; what came of them is taken up in order. So the tree is the same for any
 * number of threads. */
#include "cuts/cut_search.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "cuts/cut_heap.h"
#include "cuts/cut_intervals.h"

#include <string.h>

/* Nodes looked at together. */
#define BATCH 8

/* A node at hand. */
typedef struct {
    uint8_t *state;     /* per bit: PV_CUT_FREE, ... */
    uint8_t *forced;    /* per bit: 1 = forced */
    uint8_t *allowed;   /* per bit: 1 = not forbidden */
    uint8_t *chosen;    /* the best partitions of the axes side by side */
    uint64_t *cost;     /* per axis */
    uint64_t *included; /* per bit: the axis's least cost with the cut */
    uint64_t *excluded; /* ... and without it */
    uint64_t *scratch;  /* for pv_i_cut_best_path */
    uint64_t *key;      /* for the interval cache */
    uint64_t loss;      /* at least: the sum of the costs */
    uint64_t bound;     /* ... and the value */
    bool is_feasible;   /* are the best partitions together? */
    uint64_t value;     /* ... of this value then */
    uint64_t counted;
} node;

typedef struct {
    pv_cut_table *table;
    const pv_cut_prices *prices;
    const pv_cut_bnb_options *options;
    const pv_cut_space *space;
    uint64_t memory; /* for nodes; the cache has as much again */
    unsigned threads;
    unsigned shift;   /* from costs to values */
    bool bounds_bias; /* does a bias count, and is something known of it before it is counted? */
    pv_cut_evaluator *evaluators; /* one per thread */
    pv_cut_interval_cache intervals;
    pv_cut_heap open;
    node nodes[BATCH];
    uint8_t *best; /* the best scheme found */
    pv_cut_proof proof;
} bnb;

/* ------------------------------------------------------------------- bound */

/* The value that a scheme of this cost has at least, whatever its bias. */
static uint64_t least_value(const bnb *b, uint64_t cost)
{
    const uint64_t most = b->options->goal.most;
    if (cost == PV_CUT_IMPOSSIBLE || (most > 0 && cost >> b->shift > most)) {
        return PV_CUT_IMPOSSIBLE;
    }
    return most > 0 ? cost / 2 : cost >> b->shift;
}

/* The loss of the node if one axis costs this instead. */
static uint64_t with_others(const node *n, size_t axis, uint64_t cost)
{
    return cost == PV_CUT_IMPOSSIBLE ? cost : n->loss - n->cost[axis] + cost;
}

/* Claim 1, the loss: the sum of the shortest paths. */
static bool bound_loss(bnb *b, node *n, pv_cut_evaluator *evaluator)
{
    n->loss = 0;
    for (size_t a = 0; a < b->space->n_axes; a++) {
        const pv_cut_axis *const axis = &b->space->axes[a];
        const size_t at = axis->first_bit;
        const pv_cut_path path = {
            .axis = axis,
            .unit = b->prices->unit[a],
            .invalid = pv_i_cut_interval_cache_get(&b->intervals, evaluator, a, n->forced, n->key),
            .state = n->state + at};
        if (path.invalid == NULL) {
            return false;
        }
        n->cost[a] = pv_i_cut_best_path(&path, n->chosen + at, n->included + at, n->excluded + at,
                                        n->scratch);
        if (n->cost[a] == PV_CUT_IMPOSSIBLE) {
            n->loss = PV_CUT_IMPOSSIBLE;
            return true;
        }
        n->loss += n->cost[a];
    }
    return true;
}

/* Claim 1, the bias: the value with the least bias there can be. Two more countings, which pay only
 * where the loss alone does not close the node. */
static bool bound_bias(bnb *b, node *n, pv_cut_evaluator *evaluator)
{
    pv_cut_sizes coarsest;
    pv_cut_sizes finest;
    if (!b->bounds_bias || n->bound >= b->proof.best) {
        return true;
    }
    for (size_t i = 0; i < b->space->n_bits; i++) {
        n->allowed[i] = n->state[i] != PV_CUT_FORBIDDEN;
    }
    n->counted += 2;
    if (!pv_i_cut_count(b->table, &evaluator->scratch, n->forced, &coarsest) ||
        !pv_i_cut_count(b->table, &evaluator->scratch, n->allowed, &finest)) {
        return false;
    }
    const uint64_t range =
        finest.largest > coarsest.smallest ? finest.largest - coarsest.smallest : 0;
    const double others = finest.n_rows > 1 ? (double)(finest.n_rows - 1) : 1;
    n->bound = pv_i_cut_value(&b->options->goal, b->prices, n->loss, (double)range / others);
    return true;
}

/* Claim 2. True if some cut became forced. */
static bool fix_cuts(const bnb *b, node *n)
{
    bool forces = false;
    for (size_t a = 0; a < b->space->n_axes; a++) {
        const pv_cut_axis *const axis = &b->space->axes[a];
        for (size_t i = axis->first_bit; i < axis->first_bit + axis->n - 1; i++) {
            if (n->state[i] != PV_CUT_FREE) {
                continue;
            }
            if (least_value(b, with_others(n, a, n->excluded[i])) >= b->proof.best) {
                n->state[i] = PV_CUT_FORCED;
                n->forced[i] = 1;
                forces = true;
            } else if (least_value(b, with_others(n, a, n->included[i])) >= b->proof.best) {
                n->state[i] = PV_CUT_FORBIDDEN;
            }
        }
    }
    return forces;
}

/* Looks at a node; nothing but the node changes, so nodes of a batch may be looked at in any order,
 * by any thread. Its bound is at least the best known value if nothing better can come of it. */
static pv_status look(void *ctx, size_t i, const pv_thread *thread, pv_error *error)
{
    bnb *const b = ctx;
    node *const n = &b->nodes[i];
    pv_cut_evaluator *const evaluator = &b->evaluators[thread->number];
    pv_cut_outcome outcome;
    n->is_feasible = false;
    do {
        if (!bound_loss(b, n, evaluator)) {
            return pv_i_no_memory(error);
        }
    } while (least_value(b, n->loss) < b->proof.best && fix_cuts(b, n));
    n->bound = least_value(b, n->loss);
    if (!bound_bias(b, n, evaluator)) {
        return pv_i_no_memory(error);
    }
    if (n->bound >= b->proof.best) {
        return PV_STATUS_OK;
    }
    n->counted++;
    if (!pv_i_cut_evaluate(evaluator, n->chosen, &outcome)) {
        return pv_i_no_memory(error);
    }
    n->is_feasible = pv_i_cut_is_feasible(&b->options->goal, &outcome);
    n->value = pv_i_cut_value(&b->options->goal, b->prices, n->loss, outcome.bias);
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ branch */

/* Of the free cuts, wanted by the shortest paths or not, the one whose absence costs most; n_bits
 * if there is none. `axis` is where it is. */
static size_t choose_among(const bnb *b, const node *n, bool wanted, size_t *axis)
{
    size_t best = b->space->n_bits;
    uint64_t most = 0;
    for (size_t a = 0; a < b->space->n_axes; a++) {
        const pv_cut_axis *const own = &b->space->axes[a];
        for (size_t i = own->first_bit; i < own->first_bit + own->n - 1; i++) {
            const uint64_t increase = n->excluded[i] - n->cost[a];
            if ((n->chosen[i] != 0) == wanted && n->state[i] == PV_CUT_FREE &&
                (best == b->space->n_bits || increase > most)) {
                best = i;
                most = increase;
                *axis = a;
            }
        }
    }
    return best;
}

/* Usually the wanted cuts do not go together. If they do and only the bias is too large, any other
 * may help. */
static bool branch(bnb *b, const node *n)
{
    size_t axis = 0;
    size_t cut = choose_among(b, n, true, &axis);
    if (cut == b->space->n_bits) {
        cut = choose_among(b, n, false, &axis);
    }
    if (cut == b->space->n_bits) {
        return true; /* nothing is left to choose, and it was tried */
    }
    const uint64_t least = least_value(b, with_others(n, axis, n->excluded[cut]));
    const uint64_t without = least > n->bound ? least : n->bound;
    n->state[cut] = PV_CUT_FORCED;
    if (!pv_i_cut_heap_push(&b->open, n->bound, n->state)) {
        return false;
    }
    n->state[cut] = PV_CUT_FORBIDDEN;
    return pv_i_cut_heap_push(&b->open, without, n->state);
}

/* Takes up what came of a node: something better, nothing, or two nodes. */
static bool take_up(bnb *b, node *n)
{
    b->proof.nodes++;
    b->proof.counted += n->counted;
    n->counted = 0;
    if (n->is_feasible && n->value < b->proof.best) {
        memcpy(b->best, n->chosen, b->space->n_bits);
        b->proof.best = n->value;
    }
    const bool solved = n->is_feasible && n->value <= n->bound;
    return solved || n->bound >= b->proof.best || branch(b, n);
}

/* ------------------------------------------------------------------ search */

/* Open nodes whose bound reaches the best known value stay in the heap: they are never looked at.
 */
static bool has_open_nodes(const bnb *b)
{
    return b->open.n > 0 && b->open.heads[0].bound < b->proof.best;
}

/* A limit reached is no failure: the bound proven so far holds. */
static bool goes_on(const bnb *b)
{
    const pv_cut_bnb_options *const o = b->options;
    if ((o->max_nodes > 0 && b->proof.nodes >= o->max_nodes) ||
        pv_i_cut_heap_bytes(&b->open) > b->memory) {
        return false;
    }
    return o->keep_going == NULL ||
           o->keep_going(o->ctx, b->proof.best, b->proof.bound, b->proof.nodes);
}

static bool search(bnb *b)
{
    const size_t n_bits = b->space->n_bits;
    pv_i_cut_states(b->space, b->nodes[0].state);
    bool ready = pv_i_cut_heap_push(&b->open, 0, b->nodes[0].state);
    while (ready && has_open_nodes(b)) {
        const uint64_t bound = b->open.heads[0].bound;
        b->proof.bound = bound > b->proof.bound ? bound : b->proof.bound;
        if (!goes_on(b)) {
            return true;
        }
        const uint64_t left =
            b->options->max_nodes > 0 ? b->options->max_nodes - b->proof.nodes : BATCH;
        size_t n = 0;
        for (; n < BATCH && n < left && has_open_nodes(b); n++) {
            pv_i_cut_heap_pop(&b->open, b->nodes[n].state);
            for (size_t i = 0; i < n_bits; i++) {
                b->nodes[n].forced[i] = b->nodes[n].state[i] == PV_CUT_FORCED;
            }
        }
        pv_i_cut_interval_cache_trim(&b->intervals); /* nobody looks at tables between batches */
        ready = pv_i_tasks_run(b->threads, n, look, b, NULL, NULL) == PV_STATUS_OK;
        for (size_t i = 0; ready && i < n; i++) { /* in their order, whoever was ready first */
            ready = take_up(b, &b->nodes[i]);
        }
    }
    b->proof.bound = ready ? b->proof.best : b->proof.bound; /* claim 3 */
    return ready;
}

/* ------------------------------------------------------------------ set up */

static pv_status init(bnb *b, pv_error *error)
{
    pv_i_cut_heap_init(&b->open, b->space->n_bits);
    b->best = PV_NEW_ZEROED(uint8_t, b->space->n_bits);
    b->evaluators = PV_NEW_ZEROED(pv_cut_evaluator, b->threads);
    bool ready =
        b->best != NULL && b->evaluators != NULL &&
        pv_i_cut_interval_cache_init(&b->intervals, b->table, b->options->goal.k, b->memory);
    const size_t n_bits = b->space->n_bits;
    const size_t n_scratch = 2 * ((size_t)pv_i_cut_most_values(b->space) + 1);
    for (size_t i = 0; ready && i < BATCH; i++) { /* the arrays of a node are in two blocks */
        node *const n = &b->nodes[i];
        n->state = PV_NEW_ZEROED(uint8_t, 4 * n_bits);
        n->cost = PV_NEW_ARRAY(uint64_t,
                               b->space->n_axes + 2 * n_bits + n_scratch + b->intervals.keys.words);
        ready = n->state != NULL && n->cost != NULL;
        if (ready) {
            n->forced = n->state + n_bits;
            n->allowed = n->forced + n_bits;
            n->chosen = n->allowed + n_bits;
            n->included = n->cost + b->space->n_axes;
            n->excluded = n->included + n_bits;
            n->scratch = n->excluded + n_bits;
            n->key = n->scratch + n_scratch;
        }
    }
    pv_status status = ready ? PV_STATUS_OK : pv_i_no_memory(error);
    for (unsigned i = 0; status == PV_STATUS_OK && i < b->threads; i++) {
        status = pv_i_cut_evaluator_init(&b->evaluators[i], b->table, b->prices,
                                         b->options->criteria, error);
    }
    return status;
}

/* Also of a search that was only half set up. */
static void deinit(bnb *b)
{
    for (size_t i = 0; i < BATCH; i++) {
        pv_i_free(b->nodes[i].state);
        pv_i_free(b->nodes[i].cost);
    }
    for (unsigned i = 0; b->evaluators != NULL && i < b->threads; i++) {
        pv_i_cut_evaluator_deinit(&b->evaluators[i]);
    }
    pv_i_free(b->evaluators);
    pv_i_free(b->best);
    pv_i_cut_heap_deinit(&b->open);
    pv_i_cut_interval_cache_deinit(&b->intervals);
}

/* The best known at the beginning: the scheme to start from, or, if that is not feasible, the
 * coarsest, which is everything merged where the plan limits nothing. Fills in its value. */
static pv_status start(bnb *b, pv_error *error)
{
    const size_t n_bits = b->space->n_bits;
    bool feasible = false;
    for (int given = 1; given >= 0 && !feasible; given--) {
        pv_cut_outcome outcome;
        memcpy(b->best, b->space->coarsest, n_bits);
        if (given && b->options->start != NULL) {
            memcpy(b->best, b->options->start, n_bits);
        }
        b->proof.counted++;
        if (!pv_i_cut_evaluate(&b->evaluators[0], b->best, &outcome)) {
            return pv_i_no_memory(error);
        }
        feasible = pv_i_cut_is_feasible(&b->options->goal, &outcome) &&
                   pv_i_cut_respects(b->space, b->best);
        b->proof.best = pv_i_cut_value(&b->options->goal, b->prices, outcome.cost, outcome.bias);
    }
    return feasible ? PV_STATUS_OK
                    : pv_i_fail(error, PV_STATUS_UNSATISFIED,
                                "not even the coarsest groups keep what is demanded");
}

pv_status pv_i_cut_bnb(pv_cut_table *table, const pv_cut_prices *prices,
                       const pv_cut_bnb_options *options, uint8_t *cuts, pv_cut_proof *proof,
                       pv_error *error)
{
    const pv_cut_criteria *const criteria = options->criteria;
    pv_status status = PV_STATUS_OK;
    bnb b = {.table = table,
             .prices = prices,
             .options = options,
             .space = table->space,
             .memory = (options->memory > 0 ? options->memory : PV_CUT_MEMORY) / 2,
             .threads = options->threads > 0 ? options->threads : 1,
             .shift = pv_i_cut_shift(&options->goal),
             .bounds_bias =
                 options->goal.bias_slope > 0 && (criteria == NULL || criteria->is_necd)};
    if (criteria != NULL && criteria->loss_kind != PV_CUT_LOSS_SUM) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "nothing can be proven about the loss '%s'",
                         criteria->loss.measure->name);
    }
    PV_TRY_CLEAN(init(&b, error));
    PV_TRY_CLEAN(start(&b, error));
    if (!search(&b)) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    b.proof.tables = b.intervals.made;
    memcpy(cuts, b.best, b.space->n_bits);
    *proof = b.proof;
cleanup:
    deinit(&b);
    return status;
}
