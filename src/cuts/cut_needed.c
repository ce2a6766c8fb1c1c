/* The best cut scheme with suppression as needed: a local search, then a proof.
 *
 * Searching is in cut_needed_search.c: rounds of tasks that make children of the best schemes
 * known.
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
#include "cuts/cut_needed_parts.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The search ends when so many steps in a row found nothing better, or half of the time is over. */
#define STALE_STEPS 3
#define MOST_STALE_STEPS 12 /* where no proof comes after it, nor half of the time is for one */
#define PRICE_STEPS 10      /* halvings when the best price is looked for */
#define SHARE_ROUNDS 3      /* how often shares are dealt anew in a node */
/* Bytes that the tables of intervals of all threads together may take. */
#define MOST_BYTES (UINT64_C(1) << 30)

/* Into its place among the best, each once. True if it is the new best. */
static bool join(pv_cut_needing *n, const pv_cut_candidate *c)
{
    size_t place = 0;
    while (place < n->n_pool && n->pool[place].account.cost <= c->account.cost) {
        if (memcmp(n->pool[place].cuts, c->cuts, n->n_bits) == 0) {
            return false;
        }
        place++;
    }
    if (place == PV_CUT_POOL) {
        return false;
    }
    pv_cut_candidate last = n->pool[PV_CUT_POOL];
    for (size_t i = PV_CUT_POOL; i > place; i--) {
        n->pool[i] = n->pool[i - 1];
    }
    n->pool[place] = last;
    n->pool[place].found = false;
    pv_i_cut_candidate_take(&n->pool[place], c->cuts, &c->account, c->price, n->n_bits);
    n->n_pool += n->n_pool < PV_CUT_POOL;
    return place == 0;
}

/* -------------------------------------------------------------------- bound */

/* All attributes that have a choice share alike. */
static void deal_alike(const pv_cut_needing *n, pv_cut_worker *w, const pv_cut_job *j)
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
static void deal_by_kills(const pv_cut_needing *n, pv_cut_worker *w)
{
    const size_t n_axes = n->question->space->n_axes;
    pv_cut_deaths *const d = &w->deaths;
    for (size_t a = 0; a < n_axes; a++) {
        pv_i_cut_line_kills(d, a, w->path + pv_i_cut_axis_at(n, a)->first_bit);
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
static uint64_t bound_at(const pv_cut_needing *n, pv_cut_worker *w, const pv_cut_job *j,
                         uint64_t dead_rows, uint64_t best, uint64_t price, uint64_t *shares)
{
    const pv_cut_question *const q = n->question;
    const uint64_t left = q->budget - dead_rows;
    const uint64_t base = dead_rows * q->full;
    const uint64_t most = best - base + price * left;
    unsigned __int128 sum = base;
    *shares = 0;
    for (size_t a = 0; a < q->space->n_axes; a++) {
        const size_t at = pv_i_cut_axis_at(n, a)->first_bit;
        w->cost[a] = pv_i_cut_needed_path(n, w, a, j->state + at, j->forced + at, left, price, most,
                                          w->path + at);
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
static uint64_t best_price(const pv_cut_needing *n, pv_cut_worker *w, const pv_cut_job *j,
                           uint64_t dead_rows, uint64_t best, uint64_t *bound)
{
    const pv_cut_question *const q = n->question;
    const uint64_t left = q->budget - dead_rows;
    const uint64_t highest = (PV_CUT_COST_LIMIT - best / 2) / (left + 1);
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
static void keep_round(const pv_cut_needing *n, pv_cut_worker *w, pv_cut_job *j, uint64_t dead_rows,
                       uint64_t best, uint64_t price, uint64_t bound)
{
    const pv_cut_question *const q = n->question;
    const uint64_t left = q->budget - dead_rows;
    const uint64_t most = best - dead_rows * q->full + price * left;
    for (size_t a = 0; a < q->space->n_axes; a++) {
        const pv_cut_axis *const axis = pv_i_cut_axis_at(n, a);
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
static uint64_t with_cost(const pv_cut_job *j, size_t a, uint64_t cost)
{
    return cost == PV_CUT_IMPOSSIBLE ? cost : j->summed + (cost - j->cost[a]);
}

/* Forces and forbids what must be for a scheme to be better. True if some cut became forced. */
static bool fix_cuts(const pv_cut_needing *n, pv_cut_job *j, uint64_t best)
{
    bool forces = false;
    for (size_t a = 0; a < n->question->space->n_axes; a++) {
        const pv_cut_axis *const axis = pv_i_cut_axis_at(n, a);
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
static bool bound_node(const pv_cut_needing *n, pv_cut_worker *w, pv_cut_job *j, uint64_t best)
{
    const pv_cut_question *const q = n->question;
    for (size_t a = 0; a < q->space->n_axes; a++) {
        if (!pv_i_cut_needed_goes_on(n, w) || !pv_i_cut_line_list(&w->deaths, a, j->forced, true)) {
            return w->late;
        }
        pv_i_cut_line_fill(&w->deaths, a, j->forced);
    }
    deal_alike(n, w, j);
    uint64_t before = j->bound;
    for (unsigned round = 0; round < SHARE_ROUNDS && pv_i_cut_needed_goes_on(n, w); round++) {
        uint64_t dead = 0;
        uint64_t bound;
        for (size_t a = 0; a < q->space->n_axes && dead <= q->budget; a++) {
            dead = pv_i_cut_line_toll(&w->deaths, a, j->forced + pv_i_cut_axis_at(n, a)->first_bit,
                                      false);
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
    pv_cut_needing *const n = ctx;
    const pv_cut_question *const q = n->question;
    pv_cut_job *const j = &n->jobs[number];
    pv_cut_worker *const w = &n->workers[thread->number];
    const uint64_t best = n->n_pool > 0 ? n->pool[0].account.cost : PV_CUT_COST_LIMIT;
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
        pv_i_cut_candidate_take(&j->best, j->chosen, &account, w->price, n->n_bits);
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- branch */

/* Of the free cuts, wanted by the paths or not, the one whose absence costs most; n_bits if there
 * is none. */
static size_t choose_among(const pv_cut_needing *n, const pv_cut_job *j, bool wanted, size_t *axis)
{
    size_t chosen = n->n_bits;
    uint64_t most = 0;
    for (size_t a = 0; a < n->question->space->n_axes; a++) {
        const pv_cut_axis *const own = pv_i_cut_axis_at(n, a);
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

static bool branch(pv_cut_needing *n, pv_cut_job *j)
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

static uint64_t best_cost(const pv_cut_needing *n)
{
    return n->n_pool > 0 ? n->pool[0].account.cost : PV_CUT_IMPOSSIBLE;
}

static bool has_open_nodes(const pv_cut_needing *n)
{
    return n->open.n > 0 && n->open.heads[0].bound < best_cost(n);
}

/* Nothing within the budget costs less. */
static uint64_t proven_bound(const pv_cut_needing *n)
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

static bool step_allowed(pv_cut_needing *n, double deadline)
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

static pv_status run_step(pv_cut_needing *n, pv_task_fn *work, pv_error *error)
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
static pv_status search(pv_cut_needing *n, pv_error *error)
{
    const double now = pv_i_now();
    const bool proves = n->question->criteria == NULL;
    const double half = n->options->deadline > 0 && proves ? (now + n->options->deadline) / 2 : 0;
    const unsigned most_stale = proves ? STALE_STEPS : MOST_STALE_STEPS;
    pv_task_fn work = pv_i_cut_needed_child;
    for (unsigned stale = 0; stale < most_stale && step_allowed(n, half);) {
        bool better = false;
        n->n_jobs = n->options->brief ? 1 : PV_CUT_TASKS;
        PV_TRY(run_step(n, &work, error));
        for (size_t i = 0; i < n->n_jobs; i++) {
            better |= n->jobs[i].best.found && join(n, &n->jobs[i].best);
        }
        stale = n->options->brief ? most_stale : better ? 0 : stale + 1;
    }
    return PV_STATUS_OK;
}

/* Takes up what came of a node, in order. */
static bool take_up(pv_cut_needing *n, pv_cut_job *j)
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

static pv_status prove(pv_cut_needing *n, pv_error *error)
{
    pv_task_fn work = look;
    n->begun = true;
    pv_i_cut_states(n->question->space, n->jobs[0].state);
    if (!pv_i_cut_heap_push(&n->open, 0, n->jobs[0].state)) {
        return pv_i_no_memory(error);
    }
    while (has_open_nodes(n) && !n->full && step_allowed(n, 0)) {
        for (n->n_jobs = 0; n->n_jobs < PV_CUT_TASKS && has_open_nodes(n); n->n_jobs++) {
            pv_cut_job *const j = &n->jobs[n->n_jobs];
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

static bool init_job(pv_cut_job *j, size_t n_bits, size_t n_axes)
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

static pv_status init_worker(pv_cut_worker *w, const pv_cut_needing *n, pv_error *error)
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

static pv_status init(pv_cut_needing *n, pv_error *error)
{
    bool ready = true;
    pv_i_cut_heap_init(&n->open, n->n_bits);
    n->workers = PV_NEW_ZEROED(pv_cut_worker, n->threads);
    for (size_t i = 0; i < PV_CUT_TASKS && ready; i++) {
        ready = init_job(&n->jobs[i], n->n_bits, n->question->space->n_axes);
    }
    for (size_t i = 0; i <= PV_CUT_POOL && ready; i++) {
        n->pool[i].cuts = PV_NEW_ARRAY(uint8_t, n->n_bits);
        ready = n->pool[i].cuts != NULL;
    }
    pv_status status = ready && n->workers != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    for (unsigned i = 0; i < n->threads && status == PV_STATUS_OK; i++) {
        status = init_worker(&n->workers[i], n, error);
    }
    return status;
}

static void deinit(pv_cut_needing *n)
{
    for (unsigned i = 0; n->workers != NULL && i < n->threads; i++) {
        pv_cut_worker *const w = &n->workers[i];
        if (w->deaths.question != NULL) {
            pv_i_cut_deaths_deinit(&w->deaths);
        }
        pv_i_free(w->scratch);
        pv_i_free(w->path);
        pv_i_free(w->trial);
        pv_i_free(w->order);
        pv_i_free(w->cost);
    }
    for (size_t i = 0; i < PV_CUT_TASKS; i++) {
        pv_i_free(n->jobs[i].state);
        pv_i_free(n->jobs[i].cost);
        pv_i_free(n->jobs[i].best.cuts);
    }
    for (size_t i = 0; i <= PV_CUT_POOL; i++) {
        pv_i_free(n->pool[i].cuts);
    }
    pv_i_free(n->workers);
    pv_i_cut_heap_deinit(&n->open);
}

/* Tables of intervals grow with the square of the values: fewer threads have fewer of them. */
static pv_status limit_threads(pv_cut_needing *n, pv_error *error)
{
    const pv_cut_space *const space = n->question->space;
    uint64_t bytes = 0;
    for (size_t a = 0; a < space->n_axes; a++) {
        const uint64_t width = (uint64_t)space->axes[a].n + 1;
        bytes += width * width * (sizeof(pv_cut_toll) + sizeof(uint64_t));
    }
    while (n->threads > 1 && bytes > MOST_BYTES / n->threads) {
        n->threads--;
    }
    return bytes <= MOST_BYTES
               ? PV_STATUS_OK
               : pv_i_hint(
                     pv_i_fail(error, PV_STATUS_LIMIT,
                               "the attributes have too many values for cuts with suppression"),
                     error, "give numbers a coarser `granularity` in the plan");
}

/* Under the coarsest scheme, do all but the budget keep k and l-distinct? If not, no scheme does.
 */
static bool may_exist(pv_cut_needing *n, bool *exists)
{
    pv_cut_deaths *const d = &n->workers[0].deaths;
    const uint8_t *const coarsest = n->question->space->coarsest;
    if (!pv_i_cut_line_list(d, 0, coarsest, false)) {
        return false;
    }
    *exists = pv_i_cut_line_toll(d, 0, coarsest, true) <= n->question->budget;
    return true;
}

pv_status pv_i_cut_needed(const pv_cut_question *question, const pv_cut_needed_options *options,
                          uint8_t *cuts, pv_cut_needed_found *found, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    pv_cut_needing n = {.question = question,
                        .options = options,
                        .n_bits = question->space->n_bits,
                        .threads = pv_i_threads(options->context),
                        .ticker = pv_i_ticker(options->context, "searching", 0)};
    n.ticker.note = n.note;
    bool exists = false;
    PV_TRY(limit_threads(&n, error));
    PV_TRY_CLEAN(init(&n, error));
    if (!may_exist(&n, &exists)) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    if (exists) {
        PV_TRY_CLEAN(search(&n, error));
        if (!options->brief && question->criteria == NULL) {
            PV_TRY_CLEAN(prove(&n, error));
        }
    }
    *found = (pv_cut_needed_found){.found = n.n_pool > 0,
                                   .proven = (n.begun || !exists) && !has_open_nodes(&n) && !n.full,
                                   .bound = proven_bound(&n),
                                   .nodes = n.nodes,
                                   .steps = n.steps,
                                   .stop = n.stop};
    /* Where nothing can be proven, a search that finds no more is at its end. */
    const bool ended = n.begun || question->criteria != NULL;
    found->stop = found->proven                                      ? PV_STOP_FINISHED
                  : n.full || (n.stop == PV_STOP_FINISHED && !ended) ? PV_STOP_EVALUATIONS
                                                                     : n.stop;
    if (n.n_pool > 0) {
        found->account = n.pool[0].account;
        memcpy(cuts, n.pool[0].cuts, n.n_bits);
    }
cleanup:
    deinit(&n);
    return status;
}
