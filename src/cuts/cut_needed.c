/* The best cut scheme with suppression as needed: a local search, then a proof.
 *
 * Searching. With a price for every suppressed row, the best partition of one attribute is a
 * shortest path (cut_deaths.h); sweeps give one attribute after the other its best one. A low price
 * ends in schemes that suppress more than the budget, a high one in schemes that suppress hardly
 * anybody: a price that is too low is doubled until the scheme is within the budget, and then every
 * attribute takes what is left of it. A step is a round of tasks, each of which makes one child of
 * the best schemes known when the step began, moves some cuts, and sweeps. Results are taken up by
 * number: the same steps give the same scheme on any number of threads.
 *
 * Proving. Branch and bound as in cut_bnb.c: a node has forced cuts F, forbidden ones and free
 * ones. Take any scheme S of it. It cuts at least where F does, so:
 *
 *  1. A class that dies under F by k or l-distinct dies under S, in parts: d rows are dead in the
 *     whole node, and no more than e = budget - d may die besides.
 *  2. A group I of S in an attribute, met with a class c of the others' F, holds classes of S
 *     alone. If (c, I) is broken by k or l-distinct, all its rows die under S; if by another rule,
 *     at least one does, since rules survive unions.
 *  3. Somebody dead loses, besides what S loses of living people, what F keeps of them and what S
 *     gains on F. The gain of an attribute is lost by whomever it kills; what F keeps is charged by
 *     the shares of the attributes in that person, which sum to at most one; and so is the price p,
 *     for p * dead(S) <= p * e. Every attribute then has its own shortest path, and
 *
 *         cost(S) >= d * everything + sum of the paths - p * e     for every p >= 0
 *
 *     in which p is chosen to make it largest: the sum is concave in it.
 *
 * Whose shares? At first those of all attributes that have a choice, alike; then of those whose
 * paths kill the person, and all again, a few times. Cuts whose inclusion or exclusion exceeds the
 * best known cost are fixed. Nodes are looked at in rounds; the tree is the same for any number of
 * threads. Nothing is remembered of a node but its cuts. */
#include "cuts/cut_needed.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "base/ticker.h"
#include "cuts/cut_heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TASKS 16 /* of a step */
#define POOL 16  /* schemes that children are made of */
/* The search ends when so many steps in a row found nothing better, or half of the time is over. */
#define STALE_STEPS 3
#define MOST_ROUNDS 6     /* of a sweep, over all attributes */
#define MOST_DOUBLINGS 24 /* of the price */
#define PRICE_STEPS 10    /* halvings when the best price is looked for */
#define SHARE_ROUNDS 3    /* how often shares are dealt anew in a node */
#define COST_LIMIT (UINT64_C(1) << 62)

/* A scheme within the budget, and the price that led to it. */
typedef struct {
    uint8_t *cuts;
    pv_cut_account account;
    uint64_t price;
    bool found;
} candidate;

/* A node at hand, or a child of the local search in the making. */
typedef struct {
    uint8_t *state;                /* per bit: PV_CUT_FREE, ... */
    uint8_t *forced;               /* per bit */
    uint8_t *chosen;               /* the best partitions side by side */
    uint64_t *cost;                /* per axis */
    uint64_t *included, *excluded; /* per bit: the cost of its axis with it, without it */
    uint64_t bound;                /* of the node */
    uint64_t summed; /* ... that the paths add up to; the one it came with may be higher */
    bool done;       /* false = it was interrupted */
    candidate best;  /* what it found */
} job;

/* What a thread works with. */
typedef struct {
    pv_cut_deaths deaths;
    uint64_t *scratch; /* for pv_i_cut_best_path */
    uint8_t *path;     /* per bit: of the round at hand */
    uint8_t *trial;    /* a partition of an axis */
    size_t *order;     /* of the axes */
    uint64_t *cost;    /* per axis */
    uint64_t price;    /* of the bound at hand */
    const pv_thread *thread;
    bool late;
} worker;

typedef struct {
    const pv_cut_question *question;
    const pv_cut_needed_options *options;
    size_t n_bits;
    unsigned threads;
    worker *workers;
    job jobs[TASKS];
    size_t n_jobs;
    candidate pool[POOL + 1]; /* the best first */
    size_t n_pool;
    pv_cut_heap open;
    bool begun;       /* the proof */
    bool full;        /* open nodes were dropped for want of memory */
    uint64_t dropped; /* the least bound of those */
    uint64_t nodes, steps;
    pv_ticker ticker;
    char note[96];
    pv_stop stop;
} needed;

/* ------------------------------------------------------------------- sweeps */

/* Between two looks at the table: is there time left? */
static bool goes_on(const needed *n, worker *w)
{
    if (!w->late && (!pv_i_goes_on(w->thread, n->nodes) ||
                     (n->options->deadline > 0 && pv_i_now() > n->options->deadline))) {
        w->late = true;
    }
    return !w->late;
}

static const pv_cut_axis *axis_at(const needed *n, size_t a)
{
    return &n->question->space->axes[a];
}

/* The shortest path of an axis at a price into `cuts` (its own bits). */
static uint64_t shortest(const needed *n, worker *w, size_t a, const uint8_t *state,
                         const uint8_t *forced, uint64_t most_dead, uint64_t price, uint64_t most,
                         uint8_t *cuts)
{
    pv_i_cut_line_price(&w->deaths, a, forced, most_dead, price, most);
    const pv_cut_path path = {
        .axis = axis_at(n, a), .state = state, .costs = w->deaths.lines[a].costs, .most = most};
    return pv_i_cut_best_path(&path, cuts, NULL, NULL, w->scratch);
}

/* The best partition that kills no more than `most_dead`: the least price that keeps to it. */
static void within_budget(const needed *n, worker *w, size_t a, uint64_t most_dead, uint8_t *own)
{
    const pv_cut_question *const q = n->question;
    const size_t bytes = axis_at(n, a)->n - 1;
    const uint64_t highest = COST_LIMIT / (q->budget + 1);
    uint64_t low = 0;
    uint64_t high = 0;
    uint64_t least = PV_CUT_IMPOSSIBLE; /* without the price */
    if (pv_i_cut_line_sum(&w->deaths, a, own).dead <= most_dead) {
        least = 0;
        pv_i_cut_line_price(&w->deaths, a, NULL, most_dead, 0, COST_LIMIT);
        for (uint32_t first = 0, v = 0; v <= bytes && least != PV_CUT_IMPOSSIBLE; v++) {
            if (v == bytes || own[v] != 0) {
                const uint64_t cost = w->deaths.lines[a].costs[first * (bytes + 1) + v];
                least = cost == PV_CUT_IMPOSSIBLE ? cost : least + cost;
                first = v + 1;
            }
        }
    }
    for (unsigned i = 0; i < 2 * PRICE_STEPS; i++) {
        const uint64_t price = i == 0           ? 0
                               : high == 0      ? 2 * low + q->full / 16 + 1
                               : high - low < 2 ? high
                                                : low + (high - low) / 2;
        if (price > highest) {
            return;
        }
        const uint64_t cost = shortest(n, w, a, NULL, NULL, most_dead, price, COST_LIMIT, w->trial);
        const uint64_t dead =
            cost != PV_CUT_IMPOSSIBLE ? pv_i_cut_line_sum(&w->deaths, a, w->trial).dead : 0;
        if (cost == PV_CUT_IMPOSSIBLE || dead > most_dead) {
            low = price;
            continue;
        }
        if (cost - price * dead < least) {
            least = cost - price * dead;
            memcpy(own, w->trial, bytes);
        }
        high = price;
        if (price == 0 || high - low < 2) {
            return;
        }
    }
}

/* Gives an attribute its best partition under the others' cuts: at a price, or within the budget.
 */
static bool improve(const needed *n, worker *w, size_t a, uint64_t price, bool within,
                    uint8_t *cuts)
{
    const pv_cut_question *const q = n->question;
    const pv_cut_axis *const axis = axis_at(n, a);
    uint8_t *const own = cuts + axis->first_bit;
    if (!pv_i_cut_line_list(&w->deaths, a, cuts, false)) {
        return false;
    }
    const uint64_t dead = pv_i_cut_line_toll(&w->deaths, a, NULL, true);
    if (within && dead <= q->budget) {
        within_budget(n, w, a, q->budget - dead, own);
    } else if (shortest(n, w, a, NULL, NULL, UINT64_MAX, price, COST_LIMIT, w->trial) !=
               PV_CUT_IMPOSSIBLE) {
        memcpy(own, w->trial, axis->n - 1);
    }
    return true;
}

/* Until no attribute can be improved, in random order. */
static bool sweep(const needed *n, worker *w, pv_rng *rng, uint64_t price, bool within,
                  uint8_t *cuts)
{
    const size_t n_axes = n->question->space->n_axes;
    size_t unchanged = 0; /* attributes in a row */
    for (unsigned round = 0; round < MOST_ROUNDS && unchanged < n_axes; round++) {
        for (size_t i = 0; i < n_axes; i++) {
            const size_t j = (size_t)pv_i_rng_below(rng, i + 1);
            w->order[i] = w->order[j];
            w->order[j] = i;
        }
        for (size_t i = 0; i < n_axes && unchanged < n_axes && goes_on(n, w); i++) {
            const pv_cut_axis *const axis = axis_at(n, w->order[i]);
            memcpy(w->path, cuts + axis->first_bit, axis->n - 1);
            if (!improve(n, w, w->order[i], price, within, cuts)) {
                return false;
            }
            const bool same = memcmp(w->path, cuts + axis->first_bit, axis->n - 1) == 0;
            unchanged = same ? unchanged + 1 : 1;
        }
    }
    return true;
}

static void take(candidate *to, const uint8_t *cuts, const pv_cut_account *account, uint64_t price,
                 size_t n_bits)
{
    if (!to->found || account->cost < to->account.cost) {
        memcpy(to->cuts, cuts, n_bits);
        to->account = *account;
        to->price = price;
        to->found = true;
    }
}

/* From a scheme to one within the budget that no attribute alone can improve. */
static bool settle(const needed *n, worker *w, pv_rng *rng, uint64_t price, uint8_t *cuts,
                   candidate *best)
{
    const pv_cut_question *const q = n->question;
    pv_cut_account account = {.dead = UINT64_MAX};
    for (unsigned i = 0; i < MOST_DOUBLINGS && account.dead > q->budget && goes_on(n, w); i++) {
        price = i == 0 ? price : 2 * price + q->full / 16 + 1;
        if (price > COST_LIMIT / (q->budget + 1)) {
            break;
        }
        if (!sweep(n, w, rng, price, false, cuts) ||
            !pv_i_cut_deaths_evaluate(&w->deaths, cuts, &account)) {
            return false;
        }
    }
    if (account.dead > q->budget || w->late) {
        return true;
    }
    take(best, cuts, &account, price, n->n_bits);
    if (!sweep(n, w, rng, price, true, cuts) ||
        !pv_i_cut_deaths_evaluate(&w->deaths, cuts, &account)) {
        return false;
    }
    if (account.dead <= q->budget) {
        take(best, cuts, &account, price, n->n_bits);
    }
    return true;
}

/* ------------------------------------------------------------ local search */

/* Where the first step begins: given schemes, everything merged, everything apart, at random. */
static void begin_child(const needed *n, size_t number, pv_rng *rng, uint8_t *cuts, uint64_t *price)
{
    const pv_cut_question *const q = n->question;
    const pv_cut_needed_options *const o = n->options;
    const size_t kind = number - o->n_start;
    *price = q->prices->one / (double)(q->budget + 1) < (double)(COST_LIMIT / (q->budget + 1))
                 ? (uint64_t)(q->prices->one / (double)(q->budget + 1)) >> (number % 8)
                 : 0;
    if (number < o->n_start) {
        memcpy(cuts, o->start + number * n->n_bits, n->n_bits);
    } else if (kind % 4 < 2) {
        memset(cuts, kind % 4 == 1, n->n_bits);
    } else {
        pv_i_cut_random(n->n_bits, rng, cuts);
    }
    pv_i_cut_respect_taxonomies(q->space, cuts);
}

/* Whole attributes of two parents; then one attribute is changed altogether, or a few cuts are. */
static void breed(const needed *n, pv_rng *rng, uint8_t *cuts, uint64_t *price)
{
    const pv_cut_space *const space = n->question->space;
    const candidate *const a = &n->pool[pv_i_rng_below(rng, n->n_pool)];
    const candidate *const b = &n->pool[pv_i_rng_below(rng, n->n_pool)];
    *price = pv_i_rng_below(rng, 2) == 0 ? a->price / 2 : a->price;
    memcpy(cuts, a->cuts, n->n_bits);
    for (size_t i = 0; i < space->n_axes; i++) {
        const pv_cut_axis *const axis = &space->axes[i];
        if (pv_i_rng_below(rng, 3) == 0) {
            memcpy(cuts + axis->first_bit, b->cuts + axis->first_bit, axis->n - 1);
        }
    }
    const pv_cut_axis *const axis = &space->axes[pv_i_rng_below(rng, space->n_axes)];
    const uint64_t way = pv_i_rng_below(rng, 4);
    if (way < 2) {
        memset(cuts + axis->first_bit, way == 1, axis->n - 1);
    } else if (way == 2) {
        pv_i_cut_random(axis->n - 1, rng, cuts + axis->first_bit);
    }
    for (uint64_t i = pv_i_rng_below(rng, 4); i > 0 && n->n_bits > 0; i--) {
        cuts[pv_i_rng_below(rng, n->n_bits)] ^= 1;
    }
    pv_i_cut_respect_taxonomies(space, cuts);
}

static pv_status make_child(void *ctx, size_t number, const pv_thread *thread, pv_error *error)
{
    needed *const n = ctx;
    job *const j = &n->jobs[number];
    worker *const w = &n->workers[thread->number];
    pv_cut_account account;
    const uint64_t words[] = {n->options->seed, n->steps, number};
    uint64_t price;
    pv_rng rng;
    pv_i_rng_init(&rng, pv_i_hash_words(words, 3));
    w->thread = thread;
    w->late = false;
    j->best.found = false;
    if (n->n_pool == 0) {
        begin_child(n, number, &rng, j->chosen, &price);
    } else {
        breed(n, &rng, j->chosen, &price);
    }
    /* What was given is taken as it is, too. */
    if (!pv_i_cut_deaths_evaluate(&w->deaths, j->chosen, &account)) {
        return pv_i_no_memory(error);
    }
    if (account.dead <= n->question->budget) {
        take(&j->best, j->chosen, &account, price, n->n_bits);
    }
    if (!settle(n, w, &rng, price, j->chosen, &j->best)) {
        return pv_i_no_memory(error);
    }
    j->done = !w->late;
    return PV_STATUS_OK;
}

/* Into its place among the best, each once. True if it is the new best. */
static bool join(needed *n, const candidate *c)
{
    size_t place = 0;
    while (place < n->n_pool && n->pool[place].account.cost <= c->account.cost) {
        if (memcmp(n->pool[place].cuts, c->cuts, n->n_bits) == 0) {
            return false;
        }
        place++;
    }
    if (place == POOL) {
        return false;
    }
    candidate last = n->pool[POOL];
    for (size_t i = POOL; i > place; i--) {
        n->pool[i] = n->pool[i - 1];
    }
    n->pool[place] = last;
    n->pool[place].found = false;
    take(&n->pool[place], c->cuts, &c->account, c->price, n->n_bits);
    n->n_pool += n->n_pool < POOL;
    return place == 0;
}

/* -------------------------------------------------------------------- bound */

/* All attributes that have a choice share alike. */
static void deal_alike(const needed *n, worker *w, const job *j)
{
    const pv_cut_space *const space = n->question->space;
    pv_cut_deaths *const d = &w->deaths;
    uint16_t own[PV_MOST_CUT_AXES];
    uint16_t n_free = 0;
    for (size_t a = 0; a < space->n_axes; a++) {
        const pv_cut_axis *const axis = &space->axes[a];
        own[a] =
            axis->n > 1 && memchr(j->state + axis->first_bit, PV_CUT_FREE, axis->n - 1) != NULL;
        n_free += own[a];
    }
    for (size_t a = 0; a < space->n_axes && n_free > 0; a++) {
        own[a] = (uint16_t)(own[a] * (PV_CUT_SHARE / n_free));
    }
    for (size_t b = 0; b < d->n_buckets; b++) {
        memcpy(d->shares + b * space->n_axes, own, space->n_axes * sizeof *own);
    }
    memset(d->kills, 0, d->n_buckets * space->n_axes * sizeof *d->kills);
}

/* Those whose paths have killed somebody of a bucket share by how many. */
static void deal_by_kills(const needed *n, worker *w)
{
    const size_t n_axes = n->question->space->n_axes;
    pv_cut_deaths *const d = &w->deaths;
    for (size_t a = 0; a < n_axes; a++) {
        pv_i_cut_line_kills(d, a, w->path + axis_at(n, a)->first_bit);
    }
    for (size_t b = 0; b < d->n_buckets; b++) {
        const uint64_t *const kills = d->kills + b * n_axes;
        uint64_t sum = 0;
        for (size_t a = 0; a < n_axes; a++) {
            sum += kills[a];
        }
        for (size_t a = 0; a < n_axes && sum > 0; a++) {
            d->shares[b * n_axes + a] = (uint16_t)(kills[a] * PV_CUT_SHARE / sum);
        }
    }
}

/* The bound of the node at a price: claim 3. The paths go to w->path; `dead` is the sum of shares
 * of those they kill. */
static uint64_t bound_at(const needed *n, worker *w, const job *j, uint64_t dead_rows,
                         uint64_t best, uint64_t price, uint64_t *shares)
{
    const pv_cut_question *const q = n->question;
    const uint64_t left = q->budget - dead_rows;
    const uint64_t base = dead_rows * q->full;
    const uint64_t most = best - base + price * left;
    unsigned __int128 sum = base;
    *shares = 0;
    for (size_t a = 0; a < q->space->n_axes; a++) {
        const size_t at = axis_at(n, a)->first_bit;
        w->cost[a] =
            shortest(n, w, a, j->state + at, j->forced + at, left, price, most, w->path + at);
        if (w->cost[a] == PV_CUT_IMPOSSIBLE) {
            return PV_CUT_IMPOSSIBLE;
        }
        sum += w->cost[a];
        *shares += pv_i_cut_line_sum(&w->deaths, a, w->path + at).shares;
    }
    const uint64_t paid = price * left;
    return sum >= (unsigned __int128)best + paid ? PV_CUT_IMPOSSIBLE
           : sum > paid                          ? (uint64_t)(sum - paid)
                                                 : 0;
}

/* The price that makes the bound largest, nearly: too many dead at a price ask for a higher one. */
static uint64_t best_price(const needed *n, worker *w, const job *j, uint64_t dead_rows,
                           uint64_t best, uint64_t *bound)
{
    const pv_cut_question *const q = n->question;
    const uint64_t left = q->budget - dead_rows;
    const uint64_t highest = (COST_LIMIT - best / 2) / (left + 1);
    uint64_t low = 0;
    uint64_t high = 0;
    uint64_t chosen = 0;
    uint64_t shares;
    *bound = bound_at(n, w, j, dead_rows, best, 0, &shares);
    uint64_t guess = w->price > 0 ? w->price : q->full;
    for (unsigned i = 0; i < PRICE_STEPS && *bound != PV_CUT_IMPOSSIBLE && left > 0; i++) {
        if (i == 0 && shares <= left * PV_CUT_SHARE) {
            break; /* the budget is no limit here */
        }
        const uint64_t price = i == 0 ? guess : high == 0 ? 4 * low : low + (high - low) / 2;
        if (price > highest || price == low) {
            break;
        }
        const uint64_t at = bound_at(n, w, j, dead_rows, best, price, &shares);
        if (at > *bound) {
            *bound = at;
            chosen = price;
        }
        if (at != PV_CUT_IMPOSSIBLE && shares > left * PV_CUT_SHARE) {
            low = price;
        } else {
            high = price;
        }
    }
    w->price = chosen > 0 ? chosen : w->price;
    return chosen;
}

/* The paths at the price, with the costs of every cut; they become the node's. */
static void keep_round(const needed *n, worker *w, job *j, uint64_t dead_rows, uint64_t best,
                       uint64_t price, uint64_t bound)
{
    const pv_cut_question *const q = n->question;
    const uint64_t left = q->budget - dead_rows;
    const uint64_t most = best - dead_rows * q->full + price * left;
    for (size_t a = 0; a < q->space->n_axes; a++) {
        const pv_cut_axis *const axis = axis_at(n, a);
        const size_t at = axis->first_bit;
        pv_i_cut_line_price(&w->deaths, a, j->forced + at, left, price, most);
        const pv_cut_path path = {
            .axis = axis, .state = j->state + at, .costs = w->deaths.lines[a].costs, .most = most};
        j->cost[a] = pv_i_cut_best_path(&path, j->chosen + at, j->included + at, j->excluded + at,
                                        w->scratch);
    }
    j->bound = j->summed = bound;
}

/* The bound of a node if one axis costs this instead. */
static uint64_t with_cost(const job *j, size_t a, uint64_t cost)
{
    return cost == PV_CUT_IMPOSSIBLE ? cost : j->summed + (cost - j->cost[a]);
}

/* Forces and forbids what must be for a scheme to be better. True if some cut became forced. */
static bool fix_cuts(const needed *n, job *j, uint64_t best)
{
    bool forces = false;
    for (size_t a = 0; a < n->question->space->n_axes; a++) {
        const pv_cut_axis *const axis = axis_at(n, a);
        for (size_t i = axis->first_bit; i < axis->first_bit + axis->n - 1; i++) {
            if (j->state[i] != PV_CUT_FREE) {
                continue;
            }
            if (with_cost(j, a, j->excluded[i]) >= best) {
                j->state[i] = PV_CUT_FORCED;
                j->forced[i] = 1;
                forces = true;
            } else if (with_cost(j, a, j->included[i]) >= best) {
                j->state[i] = PV_CUT_FORBIDDEN;
            }
        }
    }
    return forces;
}

/* Bounds a node; false when memory runs out. The bound is PV_CUT_IMPOSSIBLE if nothing in it is
 * better than `best`. */
static bool bound_node(const needed *n, worker *w, job *j, uint64_t best)
{
    const pv_cut_question *const q = n->question;
    for (size_t a = 0; a < q->space->n_axes; a++) {
        if (!goes_on(n, w) || !pv_i_cut_line_list(&w->deaths, a, j->forced, true)) {
            return w->late;
        }
        pv_i_cut_line_fill(&w->deaths, a, j->forced);
    }
    deal_alike(n, w, j);
    uint64_t before = j->bound;
    for (unsigned round = 0; round < SHARE_ROUNDS && goes_on(n, w); round++) {
        uint64_t dead = 0;
        uint64_t bound;
        for (size_t a = 0; a < q->space->n_axes && dead <= q->budget; a++) {
            dead = pv_i_cut_line_toll(&w->deaths, a, j->forced + axis_at(n, a)->first_bit, false);
        }
        if (dead > q->budget || dead * q->full >= best) {
            j->bound = PV_CUT_IMPOSSIBLE;
            return true;
        }
        const uint64_t price = best_price(n, w, j, dead, best, &bound);
        if (bound >= best) {
            j->bound = PV_CUT_IMPOSSIBLE;
            return true;
        }
        if (round == 0 || bound > before) {
            before = bound;
            keep_round(n, w, j, dead, best, price, bound);
        }
        if (round + 1 < SHARE_ROUNDS) {
            memcpy(w->path, j->chosen, n->n_bits);
            deal_by_kills(n, w);
        }
    }
    return true;
}

static pv_status look(void *ctx, size_t number, const pv_thread *thread, pv_error *error)
{
    needed *const n = ctx;
    const pv_cut_question *const q = n->question;
    job *const j = &n->jobs[number];
    worker *const w = &n->workers[thread->number];
    const uint64_t best = n->n_pool > 0 ? n->pool[0].account.cost : COST_LIMIT;
    const uint64_t inherited = j->bound;
    pv_cut_account account;
    w->thread = thread;
    w->late = false;
    w->price = n->n_pool > 0 ? n->pool[0].price : 0;
    j->best.found = false;
    do {
        if (!bound_node(n, w, j, best)) {
            return pv_i_no_memory(error);
        }
    } while (!w->late && j->bound < best && fix_cuts(n, j, best));
    j->done = !w->late;
    if (w->late) {
        j->bound = inherited;
        return PV_STATUS_OK;
    }
    if (j->bound < inherited) { /* shares are a guess; what was proven before holds */
        j->bound = inherited;
    }
    if (j->bound >= best) {
        return PV_STATUS_OK;
    }
    if (!pv_i_cut_deaths_evaluate(&w->deaths, j->chosen, &account)) {
        return pv_i_no_memory(error);
    }
    if (account.dead <= q->budget) {
        take(&j->best, j->chosen, &account, w->price, n->n_bits);
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- branch */

/* Of the free cuts, wanted by the paths or not, the one whose absence costs most; n_bits if there
 * is none. */
static size_t choose_among(const needed *n, const job *j, bool wanted, size_t *axis)
{
    size_t chosen = n->n_bits;
    uint64_t most = 0;
    for (size_t a = 0; a < n->question->space->n_axes; a++) {
        const pv_cut_axis *const own = axis_at(n, a);
        for (size_t i = own->first_bit; i < own->first_bit + own->n - 1; i++) {
            const uint64_t increase = j->excluded[i] - j->cost[a];
            if ((j->chosen[i] != 0) == wanted && j->state[i] == PV_CUT_FREE &&
                (chosen == n->n_bits || increase > most)) {
                chosen = i;
                most = increase;
                *axis = a;
            }
        }
    }
    return chosen;
}

static bool branch(needed *n, job *j)
{
    size_t axis = 0;
    size_t cut = choose_among(n, j, true, &axis);
    if (cut == n->n_bits) {
        cut = choose_among(n, j, false, &axis);
    }
    if (cut == n->n_bits) {
        return true; /* nothing is left to choose, and it was tried */
    }
    const uint64_t least = with_cost(j, axis, j->excluded[cut]);
    j->state[cut] = PV_CUT_FORCED;
    if (!pv_i_cut_heap_push(&n->open, j->bound, j->state)) {
        return false;
    }
    j->state[cut] = PV_CUT_FORBIDDEN;
    return pv_i_cut_heap_push(&n->open, least > j->bound ? least : j->bound, j->state);
}

/* -------------------------------------------------------------------- steps */

static uint64_t best_cost(const needed *n)
{
    return n->n_pool > 0 ? n->pool[0].account.cost : PV_CUT_IMPOSSIBLE;
}

static bool has_open_nodes(const needed *n)
{
    return n->open.n > 0 && n->open.heads[0].bound < best_cost(n);
}

/* Nothing within the budget costs less. */
static uint64_t proven_bound(const needed *n)
{
    uint64_t bound = best_cost(n);
    if (!n->begun) {
        return 0;
    }
    if (n->open.n > 0 && n->open.heads[0].bound < bound) {
        bound = n->open.heads[0].bound;
    }
    return n->full && n->dropped < bound ? n->dropped : bound;
}

static bool step_allowed(needed *n, double deadline)
{
    if (n->stop != PV_STOP_FINISHED) {
        return false;
    }
    if (n->options->max_steps > 0 && n->steps >= n->options->max_steps) {
        n->stop = PV_STOP_EVALUATIONS;
    } else if (n->options->deadline > 0 && pv_i_now() > n->options->deadline) {
        n->stop = PV_STOP_TIME;
    } else if (!pv_i_tick(&n->ticker, n->nodes)) {
        n->stop = PV_STOP_CANCELLED;
    }
    return n->stop == PV_STOP_FINISHED && (deadline <= 0 || pv_i_now() <= deadline);
}

static pv_status run_step(needed *n, pv_task_fn *work, pv_error *error)
{
    for (size_t i = 0; i < n->n_jobs; i++) {
        n->jobs[i].done = false;
        n->jobs[i].best.found = false;
    }
    const pv_status status = pv_i_tasks_run(n->threads, n->n_jobs, *work, n, &n->ticker, error);
    if (status == PV_STATUS_CANCELLED) {
        n->stop = PV_STOP_CANCELLED;
        if (error != NULL) { /* what was found is the result */
            *error = (pv_error){0};
        }
    } else if (status != PV_STATUS_OK) {
        return status;
    }
    n->steps++;
    if (n->n_pool > 0) {
        (void)snprintf(n->note, sizeof n->note, "loses %.2f%%, at least %.2f%% possible",
                       100 * pv_i_cut_nwp(n->question->prices, best_cost(n)),
                       100 * pv_i_cut_nwp(n->question->prices, proven_bound(n)));
    }
    return PV_STATUS_OK;
}

/* Children of the best, as long as that helps. */
static pv_status search(needed *n, pv_error *error)
{
    const double now = pv_i_now();
    const double half = n->options->deadline > 0 ? (now + n->options->deadline) / 2 : 0;
    pv_task_fn work = make_child;
    for (unsigned stale = 0; stale < STALE_STEPS && step_allowed(n, half);) {
        bool better = false;
        n->n_jobs = TASKS;
        PV_TRY(run_step(n, &work, error));
        for (size_t i = 0; i < TASKS; i++) {
            better |= n->jobs[i].best.found && join(n, &n->jobs[i].best);
        }
        stale = better ? 0 : stale + 1;
    }
    return PV_STATUS_OK;
}

/* Takes up what came of a node, in order. */
static bool take_up(needed *n, job *j)
{
    if (!j->done) { /* it waits, as it was */
        return pv_i_cut_heap_push(&n->open, j->bound, j->state);
    }
    n->nodes++;
    if (j->best.found) {
        (void)join(n, &j->best);
    }
    if (j->bound >= best_cost(n)) {
        return true;
    }
    if (pv_i_cut_heap_bytes(&n->open) > n->options->memory) {
        n->dropped = n->full && n->dropped < j->bound ? n->dropped : j->bound;
        n->full = true;
        return true;
    }
    return branch(n, j);
}

static pv_status prove(needed *n, pv_error *error)
{
    pv_task_fn work = look;
    n->begun = true;
    memset(n->jobs[0].state, PV_CUT_FREE, n->n_bits);
    if (!pv_i_cut_heap_push(&n->open, 0, n->jobs[0].state)) {
        return pv_i_no_memory(error);
    }
    while (has_open_nodes(n) && !n->full && step_allowed(n, 0)) {
        for (n->n_jobs = 0; n->n_jobs < TASKS && has_open_nodes(n); n->n_jobs++) {
            job *const j = &n->jobs[n->n_jobs];
            j->bound = n->open.heads[0].bound;
            pv_i_cut_heap_pop(&n->open, j->state);
            for (size_t i = 0; i < n->n_bits; i++) {
                j->forced[i] = j->state[i] == PV_CUT_FORCED;
            }
        }
        PV_TRY(run_step(n, &work, error));
        bool ready = true;
        for (size_t i = 0; i < n->n_jobs && ready; i++) {
            ready = take_up(n, &n->jobs[i]);
        }
        if (!ready) {
            return pv_i_no_memory(error);
        }
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- set up */

static bool init_job(job *j, size_t n_bits, size_t n_axes)
{
    j->state = PV_NEW_ZEROED(uint8_t, 3 * n_bits);
    j->cost = PV_NEW_ARRAY(uint64_t, n_axes + 2 * n_bits);
    j->best.cuts = PV_NEW_ARRAY(uint8_t, n_bits);
    if (j->state == NULL || j->cost == NULL || j->best.cuts == NULL) {
        return false;
    }
    j->forced = j->state + n_bits;
    j->chosen = j->forced + n_bits;
    j->included = j->cost + n_axes;
    j->excluded = j->included + n_bits;
    return true;
}

static pv_status init_worker(worker *w, const needed *n, pv_error *error)
{
    const pv_cut_space *const space = n->question->space;
    const size_t longest = pv_i_cut_most_values(space);
    w->scratch = PV_NEW_ARRAY(uint64_t, 2 * (longest + 1));
    w->path = PV_NEW_ARRAY(uint8_t, n->n_bits);
    w->trial = PV_NEW_ARRAY(uint8_t, longest);
    w->order = PV_NEW_ARRAY(size_t, space->n_axes);
    w->cost = PV_NEW_ARRAY(uint64_t, space->n_axes);
    if (w->scratch == NULL || w->path == NULL || w->trial == NULL || w->order == NULL ||
        w->cost == NULL) {
        return pv_i_no_memory(error);
    }
    return pv_i_cut_deaths_init(&w->deaths, n->question, error);
}

static pv_status init(needed *n, pv_error *error)
{
    bool ready = true;
    pv_i_cut_heap_init(&n->open, n->n_bits);
    n->workers = PV_NEW_ZEROED(worker, n->threads);
    for (size_t i = 0; i < TASKS && ready; i++) {
        ready = init_job(&n->jobs[i], n->n_bits, n->question->space->n_axes);
    }
    for (size_t i = 0; i <= POOL && ready; i++) {
        n->pool[i].cuts = PV_NEW_ARRAY(uint8_t, n->n_bits);
        ready = n->pool[i].cuts != NULL;
    }
    pv_status status = ready && n->workers != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    for (unsigned i = 0; i < n->threads && status == PV_STATUS_OK; i++) {
        status = init_worker(&n->workers[i], n, error);
    }
    return status;
}

static void deinit(needed *n)
{
    for (unsigned i = 0; n->workers != NULL && i < n->threads; i++) {
        worker *const w = &n->workers[i];
        if (w->deaths.question != NULL) {
            pv_i_cut_deaths_deinit(&w->deaths);
        }
        pv_i_free(w->scratch);
        pv_i_free(w->path);
        pv_i_free(w->trial);
        pv_i_free(w->order);
        pv_i_free(w->cost);
    }
    for (size_t i = 0; i < TASKS; i++) {
        pv_i_free(n->jobs[i].state);
        pv_i_free(n->jobs[i].cost);
        pv_i_free(n->jobs[i].best.cuts);
    }
    for (size_t i = 0; i <= POOL; i++) {
        pv_i_free(n->pool[i].cuts);
    }
    pv_i_free(n->workers);
    pv_i_cut_heap_deinit(&n->open);
}

/* Merged into one class, do people keep k and l-distinct? If not, nothing ever does. */
static bool may_exist(needed *n, bool *exists)
{
    pv_cut_deaths *const d = &n->workers[0].deaths;
    uint8_t *const merged = n->jobs[0].chosen;
    memset(merged, 0, n->n_bits);
    if (!pv_i_cut_line_list(d, 0, merged, false)) {
        return false;
    }
    *exists = pv_i_cut_line_toll(d, 0, NULL, true) <= n->question->budget;
    return true;
}

pv_status pv_i_cut_needed(const pv_cut_question *question, const pv_cut_needed_options *options,
                          uint8_t *cuts, pv_cut_needed_found *found, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    needed n = {.question = question,
                .options = options,
                .n_bits = question->space->n_bits,
                .threads = pv_i_threads(options->context),
                .ticker = pv_i_ticker(options->context, "searching", 0)};
    n.ticker.note = n.note;
    bool exists = false;
    PV_TRY_CLEAN(init(&n, error));
    if (!may_exist(&n, &exists)) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    if (exists) {
        PV_TRY_CLEAN(search(&n, error));
        PV_TRY_CLEAN(prove(&n, error));
    }
    *found = (pv_cut_needed_found){.found = n.n_pool > 0,
                                   .proven = !has_open_nodes(&n) && !n.full,
                                   .bound = proven_bound(&n),
                                   .nodes = n.nodes,
                                   .steps = n.steps,
                                   .stop = n.stop};
    found->stop = found->proven ? PV_STOP_FINISHED : n.full ? PV_STOP_EVALUATIONS : n.stop;
    if (n.n_pool > 0) {
        found->account = n.pool[0].account;
        memcpy(cuts, n.pool[0].cuts, n.n_bits);
    }
cleanup:
    deinit(&n);
    return status;
}
