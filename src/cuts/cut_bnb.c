/* Branch and bound over cuts.
 *
 * Nodes are looked at a few at a time, by several threads; what came of them is taken up in order.
 * So the tree is the same for any number of threads. */
#include "cuts/cut_bnb.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "cuts/cut_banned.h"
#include "cuts/cut_queue.h"

#include <stdatomic.h>
#include <string.h>

#define DEFAULT_MEMORY (UINT64_C(256) << 20)
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
    uint64_t *room;     /* for cut_dp */
    uint64_t *key;      /* for cut_banned */
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
    unsigned threads;
    unsigned shift;   /* from costs to values */
    bool bounds_bias; /* does a bias count, and is something known of it before it is counted? */
    pv_cut_judge *judges;
    pv_cut_banned banned;
    pv_cut_queue queue;
    node nodes[BATCH];
    size_t n_nodes;
    atomic_size_t next;
    atomic_bool failed;
    uint8_t *best; /* the best scheme found */
    pv_cut_proof proof;
} bnb;

/* ------------------------------------------------------------------- bound */

static bool bound_axis(bnb *b, node *n, pv_cut_judge *judge, size_t axis)
{
    const pv_cut_axis *const own = &b->space->axes[axis];
    const bool *const banned = pv_i_cut_banned_find(&b->banned, judge, axis, n->forced, n->key);
    if (banned == NULL) {
        return false;
    }
    const pv_cut_path path = {.axis = own,
                              .unit = b->prices->unit[axis],
                              .banned = banned,
                              .state = n->state + own->first_bit};
    n->cost[axis] =
        pv_i_cut_best_path(&path, n->chosen + own->first_bit, n->included + own->first_bit,
                           n->excluded + own->first_bit, n->room);
    return true;
}

static bool bound_loss(bnb *b, node *n, pv_cut_judge *judge)
{
    n->loss = 0;
    for (size_t a = 0; a < b->space->n_axes; a++) {
        if (!bound_axis(b, n, judge, a)) {
            return false;
        }
        if (n->cost[a] == PV_CUT_IMPOSSIBLE) {
            n->loss = PV_CUT_IMPOSSIBLE;
            return true;
        }
        n->loss += n->cost[a];
    }
    return true;
}

static bool count(const bnb *b, node *n, pv_cut_judge *judge, const uint8_t *cuts,
                  pv_cut_sizes *sizes)
{
    n->counted++;
    return pv_i_cut_count(b->table, &judge->scratch, cuts, sizes);
}

/* Raises the bound by what the bias will be at least. */
static bool bound_bias(bnb *b, node *n, pv_cut_judge *judge)
{
    pv_cut_sizes coarsest;
    pv_cut_sizes finest;
    if (!b->bounds_bias || n->bound >= b->proof.best) {
        return true;
    }
    for (size_t i = 0; i < b->space->n_bits; i++) {
        n->allowed[i] = n->state[i] != PV_CUT_FORBIDDEN;
    }
    if (!count(b, n, judge, n->forced, &coarsest) || !count(b, n, judge, n->allowed, &finest)) {
        return false;
    }
    const uint64_t spread =
        finest.largest > coarsest.smallest ? finest.largest - coarsest.smallest : 0;
    const double others = finest.n_rows > 1 ? (double)(finest.n_rows - 1) : 1;
    n->bound = pv_i_cut_value(&b->options->goal, b->prices, n->loss, (double)spread / others);
    return true;
}

/* ---------------------------------------------------------------- fix cuts */

/* The value that a scheme of this cost has at least, whatever its bias. */
static uint64_t least_value(const bnb *b, uint64_t cost)
{
    const uint64_t most = b->options->goal.most;
    if (cost == PV_CUT_IMPOSSIBLE || (most > 0 && cost >> b->shift > most)) {
        return PV_CUT_IMPOSSIBLE;
    }
    return most > 0 ? cost / 2 : cost >> b->shift;
}

static bool is_hopeless(const bnb *b, uint64_t cost)
{
    return least_value(b, cost) >= b->proof.best;
}

static uint64_t with_others(const node *n, size_t axis, uint64_t cost)
{
    return cost == PV_CUT_IMPOSSIBLE ? cost : n->loss - n->cost[axis] + cost;
}

/* Fixes the cuts that only one way can lead to something better. True if some became forced, which
 * bans intervals of the others. */
static bool fix_cuts(const bnb *b, node *n)
{
    bool forces = false;
    for (size_t a = 0; a < b->space->n_axes; a++) {
        const pv_cut_axis *const axis = &b->space->axes[a];
        for (size_t i = axis->first_bit; i < axis->first_bit + axis->n - 1; i++) {
            if (n->state[i] != PV_CUT_FREE) {
                continue;
            }
            if (is_hopeless(b, with_others(n, a, n->excluded[i]))) {
                n->state[i] = PV_CUT_FORCED;
                n->forced[i] = 1;
                forces = true;
            } else if (is_hopeless(b, with_others(n, a, n->included[i]))) {
                n->state[i] = PV_CUT_FORBIDDEN;
            }
        }
    }
    return forces;
}

/* Bounds a node and fixes what can be fixed; its bound is at least the best known value if nothing
 * better can come of it. False when memory runs out. */
static bool settle(bnb *b, node *n, pv_cut_judge *judge)
{
    do {
        if (!bound_loss(b, n, judge)) {
            return false;
        }
    } while (!is_hopeless(b, n->loss) && fix_cuts(b, n));
    n->bound = least_value(b, n->loss);
    return bound_bias(b, n, judge);
}

/* -------------------------------------------------------------------- look */

/* Looks at a node; nothing but the node changes. */
static bool look(bnb *b, node *n, pv_cut_judge *judge)
{
    pv_cut_outcome outcome;
    n->is_feasible = false;
    if (!settle(b, n, judge)) {
        return false;
    }
    if (n->bound >= b->proof.best) {
        return true;
    }
    n->counted++;
    if (!pv_i_cut_judge(judge, n->chosen, &outcome)) {
        return false;
    }
    n->is_feasible = pv_i_cut_is_feasible(&b->options->goal, &outcome);
    n->value = pv_i_cut_value(&b->options->goal, b->prices, n->loss, outcome.bias);
    return true;
}

static void look_at_nodes(void *ctx, unsigned worker)
{
    bnb *const b = ctx;
    for (;;) {
        const size_t i = atomic_fetch_add(&b->next, 1);
        if (i >= b->n_nodes) {
            return;
        }
        if (!look(b, &b->nodes[i], &b->judges[worker])) {
            atomic_store(&b->failed, true);
        }
    }
}

/* ------------------------------------------------------------------ branch */

/* Of the free cuts, wanted or not, the one whose absence costs most; n_bits if there is none. */
static size_t choose_among(const bnb *b, const node *n, bool wanted)
{
    size_t best = b->space->n_bits;
    uint64_t most = 0;
    for (size_t a = 0; a < b->space->n_axes; a++) {
        const pv_cut_axis *const axis = &b->space->axes[a];
        for (size_t i = axis->first_bit; i < axis->first_bit + axis->n - 1; i++) {
            const uint64_t raise = n->excluded[i] - n->cost[a];
            if ((n->chosen[i] != 0) == wanted && n->state[i] == PV_CUT_FREE &&
                (best == b->space->n_bits || raise > most)) {
                best = i;
                most = raise;
            }
        }
    }
    return best;
}

/* Usually the wanted cuts do not go together. If they do and only the bias is too large, any other
 * may help. */
static size_t choose_cut(const bnb *b, const node *n)
{
    const size_t cut = choose_among(b, n, true);
    return cut < b->space->n_bits ? cut : choose_among(b, n, false);
}

static size_t axis_of(const pv_cut_space *space, size_t bit)
{
    size_t a = 0;
    while (bit >= space->axes[a].first_bit + space->axes[a].n - 1) {
        a++;
    }
    return a;
}

static bool branch(bnb *b, const node *n)
{
    const size_t cut = choose_cut(b, n);
    if (cut == b->space->n_bits) {
        return true; /* nothing is left to choose, and it was tried */
    }
    const uint64_t least = least_value(b, with_others(n, axis_of(b->space, cut), n->excluded[cut]));
    const uint64_t without = least > n->bound ? least : n->bound;
    n->state[cut] = PV_CUT_FORCED;
    if (!pv_i_cut_queue_push(&b->queue, n->bound, n->state)) {
        return false;
    }
    n->state[cut] = PV_CUT_FORBIDDEN;
    return pv_i_cut_queue_push(&b->queue, without, n->state);
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
    const bool reached = n->is_feasible && n->value <= n->bound;
    return reached || n->bound >= b->proof.best || branch(b, n);
}

/* ------------------------------------------------------------------ search */

static bool goes_on(const bnb *b)
{
    const pv_cut_bnb_options *const o = b->options;
    if ((o->max_nodes > 0 && b->proof.nodes >= o->max_nodes) ||
        pv_i_cut_queue_bytes(&b->queue) > o->memory / 2) {
        return false;
    }
    return o->keep_going == NULL ||
           o->keep_going(o->ctx, b->proof.best, b->proof.bound, b->proof.nodes);
}

static void take_nodes(bnb *b)
{
    const uint64_t left =
        b->options->max_nodes > 0 ? b->options->max_nodes - b->proof.nodes : BATCH;
    b->n_nodes = 0;
    while (b->n_nodes < BATCH && b->n_nodes < left && b->queue.n > 0 &&
           pv_i_cut_queue_bound(&b->queue) < b->proof.best) {
        node *const n = &b->nodes[b->n_nodes++];
        pv_i_cut_queue_pop(&b->queue, n->state);
        for (size_t i = 0; i < b->space->n_bits; i++) {
            n->forced[i] = n->state[i] == PV_CUT_FORCED;
        }
    }
}

static bool look_at_batch(bnb *b)
{
    take_nodes(b);
    pv_i_cut_banned_trim(&b->banned);
    atomic_store(&b->next, 0);
    pv_i_pool_run(b->n_nodes > 1 ? b->threads : 1, look_at_nodes, b);
    bool ready = !atomic_load(&b->failed);
    for (size_t i = 0; ready && i < b->n_nodes; i++) {
        ready = take_up(b, &b->nodes[i]);
    }
    return ready;
}

static bool search(bnb *b)
{
    memset(b->nodes[0].state, PV_CUT_FREE, b->space->n_bits);
    if (!pv_i_cut_queue_push(&b->queue, 0, b->nodes[0].state)) {
        return false;
    }
    while (b->queue.n > 0 && pv_i_cut_queue_bound(&b->queue) < b->proof.best) {
        const uint64_t bound = pv_i_cut_queue_bound(&b->queue);
        b->proof.bound = bound > b->proof.bound ? bound : b->proof.bound;
        if (!goes_on(b)) {
            return true;
        }
        if (!look_at_batch(b)) {
            return false;
        }
    }
    b->proof.bound = b->proof.best; /* what is still open cannot be better */
    return true;
}

/* ------------------------------------------------------------------ set up */

static bool init_node(const bnb *b, node *n, size_t longest)
{
    const size_t n_bits = b->space->n_bits;
    *n = (node){.state = PV_NEW_ZEROED(uint8_t, n_bits),
                .forced = PV_NEW_ZEROED(uint8_t, n_bits),
                .allowed = PV_NEW_ZEROED(uint8_t, n_bits),
                .chosen = PV_NEW_ZEROED(uint8_t, n_bits),
                .cost = PV_NEW_ARRAY(uint64_t, b->space->n_axes),
                .included = PV_NEW_ARRAY(uint64_t, n_bits),
                .excluded = PV_NEW_ARRAY(uint64_t, n_bits),
                .room = PV_NEW_ARRAY(uint64_t, 2 * (longest + 1)),
                .key = PV_NEW_ARRAY(uint64_t, b->banned.keys.words)};
    return n->state != NULL && n->forced != NULL && n->allowed != NULL && n->chosen != NULL &&
           n->cost != NULL && n->included != NULL && n->excluded != NULL && n->room != NULL &&
           n->key != NULL;
}

static void deinit_node(node *n)
{
    pv_i_free(n->state);
    pv_i_free(n->forced);
    pv_i_free(n->allowed);
    pv_i_free(n->chosen);
    pv_i_free(n->cost);
    pv_i_free(n->included);
    pv_i_free(n->excluded);
    pv_i_free(n->room);
    pv_i_free(n->key);
}

static pv_status init(bnb *b, pv_error *error)
{
    size_t longest = 1;
    for (size_t a = 0; a < b->space->n_axes; a++) {
        longest = b->space->axes[a].n > longest ? b->space->axes[a].n : longest;
    }
    pv_i_cut_queue_init(&b->queue, b->space->n_bits);
    b->best = PV_NEW_ZEROED(uint8_t, b->space->n_bits);
    b->judges = PV_NEW_ZEROED(pv_cut_judge, b->threads);
    bool ready =
        b->best != NULL && b->judges != NULL &&
        pv_i_cut_banned_init(&b->banned, b->table, b->options->goal.k, b->options->memory / 2);
    for (size_t i = 0; ready && i < BATCH; i++) {
        ready = init_node(b, &b->nodes[i], longest);
    }
    pv_status status = ready ? PV_STATUS_OK : pv_i_no_memory(error);
    for (unsigned i = 0; status == PV_STATUS_OK && i < b->threads; i++) {
        status =
            pv_i_cut_judge_init(&b->judges[i], b->table, b->prices, b->options->aspects, error);
    }
    return status;
}

static void deinit(bnb *b)
{
    for (size_t i = 0; i < BATCH; i++) {
        deinit_node(&b->nodes[i]);
    }
    for (unsigned i = 0; b->judges != NULL && i < b->threads; i++) {
        pv_i_cut_judge_deinit(&b->judges[i]);
    }
    pv_i_free(b->judges);
    pv_i_free(b->best);
    pv_i_cut_banned_deinit(&b->banned);
    pv_i_cut_queue_deinit(&b->queue);
}

static bool judge_best(bnb *b, pv_cut_outcome *outcome)
{
    b->proof.counted++;
    return pv_i_cut_judge(&b->judges[0], b->best, outcome);
}

static bool is_start(const bnb *b, const pv_cut_outcome *outcome)
{
    return pv_i_cut_is_feasible(&b->options->goal, outcome) && pv_i_cut_respects(b->space, b->best);
}

/* The best known: the scheme to start from, or everything merged. */
static pv_status start(bnb *b, pv_error *error)
{
    pv_cut_outcome outcome;
    if (b->options->start != NULL) {
        memcpy(b->best, b->options->start, b->space->n_bits);
    }
    bool judged = judge_best(b, &outcome);
    if (judged && !is_start(b, &outcome)) {
        memset(b->best, 0, b->space->n_bits);
        judged = judge_best(b, &outcome);
    }
    if (!judged) {
        return pv_i_no_memory(error);
    }
    if (!is_start(b, &outcome)) {
        return pv_i_fail(error, PV_STATUS_UNSATISFIED,
                         "not even all %llu people in one class keep what is demanded",
                         (unsigned long long)b->space->n_rows);
    }
    b->proof.best = pv_i_cut_value(&b->options->goal, b->prices, outcome.cost, outcome.bias);
    return PV_STATUS_OK;
}

static pv_status check_loss(const pv_cut_aspects *aspects, pv_error *error)
{
    return aspects == NULL || aspects->loss_kind == PV_CUT_LOSS_SUM
               ? PV_STATUS_OK
               : pv_i_fail(error, PV_STATUS_ARGUMENT, "nothing can be proven about the loss '%s'",
                           aspects->loss.measure->name);
}

pv_status pv_i_cut_bnb(pv_cut_table *table, const pv_cut_prices *prices,
                       const pv_cut_bnb_options *options, uint8_t *cuts, pv_cut_proof *proof,
                       pv_error *error)
{
    pv_cut_bnb_options filled = *options;
    PV_TRY(check_loss(options->aspects, error));
    filled.memory = options->memory > 0 ? options->memory : DEFAULT_MEMORY;
    bnb b = {.table = table,
             .prices = prices,
             .options = &filled,
             .space = table->space,
             .threads = options->threads > 0 ? options->threads : 1,
             .shift = pv_i_cut_shift(&filled.goal),
             .bounds_bias =
                 filled.goal.bias_slope > 0 && (filled.aspects == NULL || filled.aspects->is_necd)};
    atomic_init(&b.next, 0);
    atomic_init(&b.failed, false);
    pv_status status = init(&b, error);
    if (status == PV_STATUS_OK) {
        status = start(&b, error);
    }
    if (status == PV_STATUS_OK && !search(&b)) {
        status = pv_i_no_memory(error);
    }
    if (status == PV_STATUS_OK) {
        b.proof.tables = b.banned.made;
        memcpy(cuts, b.best, b.space->n_bits);
        *proof = b.proof;
    }
    deinit(&b);
    return status;
}
