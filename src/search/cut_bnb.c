/* Branch and bound over cuts. */
#include "search/cut_bnb.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"
#include "classes/keymap.h"

#include <math.h>
#include <string.h>

#define DEFAULT_MEMORY (UINT64_C(256) << 20)
/* Nodes between two looks at whether to go on. */
#define PATIENCE 16

typedef struct {
    uint64_t bound;
    uint64_t order; /* of creation: the tie of equal bounds */
} node_head;

typedef struct {
    pv_cut_table *table;
    const pv_cut_prices *prices;
    const pv_cut_bnb_options *options;
    const pv_cut_space *space;
    pv_cut_scratch scratch;
    pv_cut_proof proof;
    uint8_t *best; /* the best scheme found */

    /* Open nodes: a heap of heads, each with the bits forced and forbidden. */
    node_head *heads;
    uint64_t *bits; /* 2 * words per node */
    size_t n_open, heads_capacity, bits_capacity;
    unsigned words;
    uint64_t n_created;

    /* Tables of banned intervals by axis and the forced cuts of the others. */
    pv_keymap keys;
    bool **banned;
    size_t banned_capacity;
    uint64_t table_bytes;
    uint64_t *key;

    /* The node at hand. */
    uint8_t *state;     /* per bit: PV_CUT_FREE, ... */
    uint8_t *forced;    /* per bit: 1 = forced */
    uint8_t *chosen;    /* the best partitions of the axes side by side */
    uint64_t *cost;     /* per axis */
    uint64_t *included; /* per bit: the axis's least cost with the cut */
    uint64_t *excluded; /* ... and without it */
    uint64_t *room;
    uint64_t loss;    /* at least: the sum of the costs */
    uint64_t bound;   /* ... and the value */
    unsigned shift;   /* from costs to values */
    uint8_t *allowed; /* per bit: 1 = not forbidden */
} bnb;

/* ------------------------------------------------------------------ tables */

static void forget_tables(bnb *b)
{
    for (size_t i = 0; i < b->keys.n; i++) {
        pv_i_free(b->banned[i]);
    }
    b->keys.n = 0;
    b->table_bytes = 0;
    memset(b->keys.slots, 0, (b->keys.slot_mask + 1) * sizeof *b->keys.slots);
}

/* The axis, and the forced cuts of all others. */
static const uint64_t *table_key(bnb *b, size_t axis)
{
    const pv_cut_axis *const own = &b->space->axes[axis];
    memset(b->key, 0, (b->words + 1) * sizeof *b->key);
    b->key[0] = axis;
    for (size_t i = 0; i < b->space->n_bits; i++) {
        if (b->forced[i] != 0 && (i < own->first_bit || i >= own->first_bit + own->n - 1)) {
            pv_i_bit_set(b->key + 1, i);
        }
    }
    return b->key;
}

static void ban_strangers(const pv_cut_axis *axis, bool *banned)
{
    for (uint32_t first = 0; axis->respects && first < axis->n; first++) {
        for (uint32_t last = first; last < axis->n; last++) {
            banned[(size_t)first * axis->n + last] |= !pv_i_cut_joinable(axis, first, last);
        }
    }
}

static bool *make_table(bnb *b, size_t axis, const uint8_t *cuts)
{
    const pv_cut_axis *const own = &b->space->axes[axis];
    bool *const banned = PV_NEW_ARRAY(bool, (size_t)own->n * own->n);
    if (banned == NULL ||
        !pv_i_cut_too_small(b->table, &b->scratch, axis, cuts, b->options->goal.k, banned)) {
        pv_i_free(banned);
        return NULL;
    }
    ban_strangers(own, banned);
    b->proof.tables++;
    return banned;
}

/* The banned intervals of an axis under the forced cuts; NULL when memory runs out. */
static const bool *table_of(bnb *b, size_t axis)
{
    const size_t bytes = (size_t)b->space->axes[axis].n * b->space->axes[axis].n;
    if (b->table_bytes + bytes > b->options->memory / 2) {
        forget_tables(b);
    }
    const size_t known = b->keys.n;
    if (!pv_i_reserve((void **)&b->banned, &b->banned_capacity, known + 1, sizeof *b->banned)) {
        return NULL;
    }
    const uint32_t id = pv_i_keymap_add(&b->keys, table_key(b, axis));
    if (id == PV_KEYMAP_FULL) {
        return NULL;
    }
    if (b->keys.n > known) {
        b->banned[id] = make_table(b, axis, b->forced);
        b->table_bytes += bytes;
    }
    return b->banned[id];
}

/* ------------------------------------------------------------------- bound */

static bool bound_axis(bnb *b, size_t axis)
{
    const pv_cut_axis *const own = &b->space->axes[axis];
    const bool *const banned = table_of(b, axis);
    if (banned == NULL) {
        return false;
    }
    const pv_cut_path path = {.axis = own,
                              .unit = b->prices->unit[axis],
                              .banned = banned,
                              .state = b->state + own->first_bit};
    b->cost[axis] =
        pv_i_cut_best_path(&path, b->chosen + own->first_bit, b->included + own->first_bit,
                           b->excluded + own->first_bit, b->room);
    return true;
}

static bool bound_node(bnb *b)
{
    b->loss = 0;
    for (size_t a = 0; a < b->space->n_axes; a++) {
        if (!bound_axis(b, a)) {
            return false;
        }
        if (b->cost[a] == PV_CUT_IMPOSSIBLE) {
            b->loss = PV_CUT_IMPOSSIBLE;
            return true;
        }
        b->loss += b->cost[a];
    }
    return true;
}

static bool is_hopeless(const bnb *b, uint64_t without_axis, uint64_t axis_cost)
{
    return axis_cost == PV_CUT_IMPOSSIBLE ||
           (without_axis + axis_cost) >> b->shift >= b->proof.best;
}

/* Fixes the cuts that only one way can lead to something better. True if some became forced, which
 * changes the tables of the others. */
static bool fix_cuts(bnb *b)
{
    bool forces = false;
    for (size_t a = 0; a < b->space->n_axes; a++) {
        const pv_cut_axis *const axis = &b->space->axes[a];
        const uint64_t others = b->loss - b->cost[a];
        for (size_t i = axis->first_bit; i < axis->first_bit + axis->n - 1; i++) {
            if (b->state[i] != PV_CUT_FREE) {
                continue;
            }
            if (is_hopeless(b, others, b->excluded[i])) {
                b->state[i] = PV_CUT_FORCED;
                b->forced[i] = 1;
                forces = true;
            } else if (is_hopeless(b, others, b->included[i])) {
                b->state[i] = PV_CUT_FORBIDDEN;
            }
        }
    }
    return forces;
}

/* -------------------------------------------------------------------- bias */

/* A bias may weigh a million times as much as a loss; then values are in units of a million. */
static unsigned shift_of(const pv_cut_goal *goal)
{
    int bits = 0;
    if (goal->bias_slope > 0) {
        (void)frexp(fabs(goal->bias_base) + goal->bias_slope, &bits);
    }
    return bits > 0 ? (unsigned)bits : 0;
}

double pv_i_cut_worth(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t value)
{
    return ldexp((double)value, (int)shift_of(goal)) / prices->one;
}

uint64_t pv_i_cut_value(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t cost,
                        const pv_cut_sizes *sizes)
{
    if (!(goal->bias_slope > 0)) {
        return cost;
    }
    const unsigned shift = shift_of(goal);
    const double spread = (double)(sizes->largest - sizes->smallest);
    const double others = sizes->n_rows > 1 ? (double)(sizes->n_rows - 1) : 1;
    const double bias = goal->bias_base + goal->bias_slope * spread / others;
    const uint64_t loss = cost >> shift;
    const uint64_t as_loss =
        bias > 0 ? (uint64_t)llround(ldexp(bias * prices->one, -(int)shift)) : 0;
    return as_loss > loss ? as_loss : loss;
}

static bool count(bnb *b, const uint8_t *cuts, pv_cut_sizes *sizes)
{
    b->proof.counted++;
    return pv_i_cut_count(b->table, &b->scratch, cuts, sizes);
}

/* Raises the bound by what the bias will be at least. */
static bool bound_bias(bnb *b)
{
    pv_cut_sizes coarsest;
    pv_cut_sizes finest;
    if (!(b->options->goal.bias_slope > 0) || b->bound >= b->proof.best) {
        return true;
    }
    for (size_t i = 0; i < b->space->n_bits; i++) {
        b->allowed[i] = b->state[i] != PV_CUT_FORBIDDEN;
    }
    if (!count(b, b->forced, &coarsest) || !count(b, b->allowed, &finest)) {
        return false;
    }
    const pv_cut_sizes best = {.largest = finest.largest > coarsest.smallest ? finest.largest
                                                                             : coarsest.smallest,
                               .smallest = coarsest.smallest,
                               .n_rows = finest.n_rows};
    b->bound = pv_i_cut_value(&b->options->goal, b->prices, b->loss, &best);
    return true;
}

/* ------------------------------------------------------------------ settle */

/* Bounds the node at hand and fixes what can be fixed; its bound is PV_CUT_IMPOSSIBLE or at least
 * the best known cost if nothing better can come of it. False when memory runs out. */
static bool settle(bnb *b)
{
    do {
        if (!bound_node(b)) {
            return false;
        }
    } while (b->loss != PV_CUT_IMPOSSIBLE && b->loss >> b->shift < b->proof.best && fix_cuts(b));
    b->bound = b->loss != PV_CUT_IMPOSSIBLE ? b->loss >> b->shift : PV_CUT_IMPOSSIBLE;
    return bound_bias(b);
}

/* ------------------------------------------------------------------- queue */

static bool is_before(const bnb *b, size_t i, size_t j)
{
    const node_head *const x = &b->heads[i];
    const node_head *const y = &b->heads[j];
    return x->bound != y->bound ? x->bound < y->bound : x->order > y->order;
}

static void swap_nodes(bnb *b, size_t i, size_t j)
{
    const node_head head = b->heads[i];
    b->heads[i] = b->heads[j];
    b->heads[j] = head;
    for (size_t w = 0; w < 2 * (size_t)b->words; w++) {
        const uint64_t word = b->bits[i * 2 * b->words + w];
        b->bits[i * 2 * b->words + w] = b->bits[j * 2 * b->words + w];
        b->bits[j * 2 * b->words + w] = word;
    }
}

static bool push(bnb *b, uint64_t bound)
{
    const size_t bytes = 2 * (size_t)b->words * sizeof *b->bits;
    if (!pv_i_reserve((void **)&b->heads, &b->heads_capacity, b->n_open + 1, sizeof *b->heads) ||
        !pv_i_reserve((void **)&b->bits, &b->bits_capacity, b->n_open + 1, bytes)) {
        return false;
    }
    size_t i = b->n_open++;
    uint64_t *const bits = b->bits + i * 2 * b->words;
    b->heads[i] = (node_head){.bound = bound, .order = b->n_created++};
    memset(bits, 0, bytes);
    for (size_t bit = 0; bit < b->space->n_bits; bit++) {
        if (b->state[bit] == PV_CUT_FORCED) {
            pv_i_bit_set(bits, bit);
        } else if (b->state[bit] == PV_CUT_FORBIDDEN) {
            pv_i_bit_set(bits + b->words, bit);
        }
    }
    for (; i > 0 && is_before(b, i, (i - 1) / 2); i = (i - 1) / 2) {
        swap_nodes(b, i, (i - 1) / 2);
    }
    return true;
}

/* Takes the node with the least bound to hand. */
static void pop(bnb *b)
{
    const uint64_t *const bits = b->bits;
    for (size_t bit = 0; bit < b->space->n_bits; bit++) {
        b->forced[bit] = pv_i_bit_get(bits, bit);
        b->state[bit] = b->forced[bit] != 0                  ? PV_CUT_FORCED
                        : pv_i_bit_get(bits + b->words, bit) ? PV_CUT_FORBIDDEN
                                                             : PV_CUT_FREE;
    }
    swap_nodes(b, 0, --b->n_open);
    for (size_t i = 0;;) {
        const size_t left = 2 * i + 1;
        size_t least = i;
        least = left < b->n_open && is_before(b, left, least) ? left : least;
        least = left + 1 < b->n_open && is_before(b, left + 1, least) ? left + 1 : least;
        if (least == i) {
            return;
        }
        swap_nodes(b, i, least);
        i = least;
    }
}

/* ------------------------------------------------------------------ branch */

/* Of the free cuts, wanted or not, the one whose absence costs most; n_bits if there is none. */
static size_t choose_among(const bnb *b, bool wanted)
{
    size_t best = b->space->n_bits;
    uint64_t most = 0;
    for (size_t a = 0; a < b->space->n_axes; a++) {
        const pv_cut_axis *const axis = &b->space->axes[a];
        for (size_t i = axis->first_bit; i < axis->first_bit + axis->n - 1; i++) {
            const uint64_t raise = b->excluded[i] - b->cost[a];
            if ((b->chosen[i] != 0) == wanted && b->state[i] == PV_CUT_FREE &&
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
static size_t choose_cut(const bnb *b)
{
    const size_t cut = choose_among(b, true);
    return cut < b->space->n_bits ? cut : choose_among(b, false);
}

static size_t axis_of(const pv_cut_space *space, size_t bit)
{
    size_t a = 0;
    while (bit >= space->axes[a].first_bit + space->axes[a].n - 1) {
        a++;
    }
    return a;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static bool branch(bnb *b)
{
    const size_t cut = choose_cut(b);
    if (cut == b->space->n_bits) {
        return true; /* nothing is left to choose, and it was tried */
    }
    const size_t axis = axis_of(b->space, cut);
    const uint64_t without = (b->loss - b->cost[axis] + b->excluded[cut]) >> b->shift;
    b->state[cut] = PV_CUT_FORCED;
    if (!push(b, b->bound)) {
        return false;
    }
    b->state[cut] = PV_CUT_FORBIDDEN;
    return push(b, larger(b->bound, without));
}

static void take(bnb *b, const uint8_t *cuts, uint64_t value)
{
    memcpy(b->best, cuts, b->space->n_bits);
    b->proof.best = value;
}

/* Looks at the node at hand: closes it, or branches. */
static bool look(bnb *b)
{
    pv_cut_sizes sizes;
    b->proof.nodes++;
    if (!settle(b)) {
        return false;
    }
    if (b->bound >= b->proof.best) {
        return true;
    }
    if (!count(b, b->chosen, &sizes)) {
        return false;
    }
    if (sizes.smallest >= b->options->goal.k) {
        const uint64_t value = pv_i_cut_value(&b->options->goal, b->prices, b->loss, &sizes);
        if (value < b->proof.best) {
            take(b, b->chosen, value);
        }
        if (value <= b->bound) {
            return true;
        }
    }
    return branch(b);
}

/* ------------------------------------------------------------------ search */

static bool goes_on(const bnb *b, uint64_t bound)
{
    const pv_cut_bnb_options *const o = b->options;
    const uint64_t node_bytes = sizeof *b->heads + 2 * b->words * sizeof *b->bits;
    if ((o->max_nodes > 0 && b->proof.nodes >= o->max_nodes) ||
        b->n_open * node_bytes > o->memory / 2) {
        return false;
    }
    return o->keep_going == NULL || b->proof.nodes % PATIENCE != 0 ||
           o->keep_going(o->ctx, b->proof.best, bound, b->proof.nodes);
}

static bool search(bnb *b)
{
    if (!push(b, 0)) {
        return false;
    }
    while (b->n_open > 0) {
        const uint64_t bound = b->heads[0].bound;
        if (bound >= b->proof.best) {
            break; /* and so are all others */
        }
        b->proof.bound = bound > b->proof.bound ? bound : b->proof.bound;
        if (!goes_on(b, b->proof.bound)) {
            return true;
        }
        pop(b);
        if (!look(b)) {
            return false;
        }
    }
    b->proof.bound = b->proof.best;
    return true;
}

static bool init(bnb *b)
{
    const size_t n_bits = b->space->n_bits;
    uint32_t longest = 1;
    for (size_t a = 0; a < b->space->n_axes; a++) {
        longest = b->space->axes[a].n > longest ? b->space->axes[a].n : longest;
    }
    b->words = (unsigned)PV_BITSET_WORDS(n_bits + 1);
    b->best = PV_NEW_ZEROED(uint8_t, n_bits);
    b->state = PV_NEW_ZEROED(uint8_t, n_bits);
    b->forced = PV_NEW_ZEROED(uint8_t, n_bits);
    b->chosen = PV_NEW_ZEROED(uint8_t, n_bits);
    b->allowed = PV_NEW_ZEROED(uint8_t, n_bits);
    b->cost = PV_NEW_ARRAY(uint64_t, b->space->n_axes);
    b->included = PV_NEW_ARRAY(uint64_t, n_bits);
    b->excluded = PV_NEW_ARRAY(uint64_t, n_bits);
    b->room = PV_NEW_ARRAY(uint64_t, 2 * ((size_t)longest + 1));
    b->key = PV_NEW_ARRAY(uint64_t, b->words + 1);
    return b->best != NULL && b->state != NULL && b->forced != NULL && b->chosen != NULL &&
           b->allowed != NULL && b->cost != NULL && b->included != NULL && b->excluded != NULL &&
           b->room != NULL && b->key != NULL && pv_i_keymap_init(&b->keys, b->words + 1, 0) &&
           pv_i_cut_scratch_init(&b->scratch, b->table);
}

static void deinit(bnb *b)
{
    for (size_t i = 0; b->banned != NULL && i < b->keys.n; i++) {
        pv_i_free(b->banned[i]);
    }
    pv_i_free(b->banned);
    pv_i_keymap_deinit(&b->keys);
    pv_i_cut_scratch_deinit(&b->scratch);
    pv_i_free(b->heads);
    pv_i_free(b->bits);
    pv_i_free(b->best);
    pv_i_free(b->state);
    pv_i_free(b->forced);
    pv_i_free(b->chosen);
    pv_i_free(b->allowed);
    pv_i_free(b->cost);
    pv_i_free(b->included);
    pv_i_free(b->excluded);
    pv_i_free(b->room);
    pv_i_free(b->key);
}

/* The best known: the scheme to start from, or everything merged. */
static pv_status start(bnb *b, pv_error *error)
{
    pv_cut_sizes sizes;
    if (b->options->start != NULL) {
        memcpy(b->best, b->options->start, b->space->n_bits);
    }
    bool counted = count(b, b->best, &sizes);
    if (counted && (sizes.smallest < b->options->goal.k || !pv_i_cut_respects(b->space, b->best))) {
        memset(b->best, 0, b->space->n_bits);
        counted = count(b, b->best, &sizes);
    }
    if (!counted) {
        return pv_i_no_memory(error);
    }
    if (sizes.smallest < b->options->goal.k) {
        return pv_i_fail(error, PV_STATUS_UNSATISFIED,
                         "no scheme can have classes of %llu people: the table has %llu",
                         (unsigned long long)b->options->goal.k,
                         (unsigned long long)b->space->n_rows);
    }
    const uint64_t cost = pv_i_cut_cost(b->space, b->prices, b->best);
    b->proof.best = pv_i_cut_value(&b->options->goal, b->prices, cost, &sizes);
    return PV_STATUS_OK;
}

pv_status pv_i_cut_bnb(pv_cut_table *table, const pv_cut_prices *prices,
                       const pv_cut_bnb_options *options, uint8_t *cuts, pv_cut_proof *proof,
                       pv_error *error)
{
    pv_cut_bnb_options filled = *options;
    filled.memory = options->memory > 0 ? options->memory : DEFAULT_MEMORY;
    bnb b = {.table = table,
             .prices = prices,
             .options = &filled,
             .space = table->space,
             .shift = shift_of(&filled.goal)};
    pv_status status = init(&b) ? PV_STATUS_OK : pv_i_no_memory(error);
    if (status == PV_STATUS_OK) {
        status = start(&b, error);
    }
    if (status == PV_STATUS_OK && !search(&b)) {
        status = pv_i_no_memory(error);
    }
    if (status == PV_STATUS_OK) {
        memcpy(cuts, b.best, b.space->n_bits);
        *proof = b.proof;
    }
    deinit(&b);
    return status;
}
