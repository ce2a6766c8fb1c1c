/* The search for the best cut scheme with suppression as needed.
 *
 * With a price for every suppressed row, the best partition of one attribute is a
 * shortest path (cut_deaths.h); sweeps give one attribute after the other its best one. A low price
 * ends in schemes that suppress more than the budget, a high one in schemes that suppress hardly
 * anybody: a price that is too low is doubled until the scheme is within the budget, and then every
 * attribute takes what is left of it. A step is a round of tasks, each of which makes one child of
 * the best schemes known when the step began, moves some cuts, and sweeps. Results are taken up by
 * number: the same steps give the same scheme on any number of threads. */
#include "cuts/cut_needed_parts.h"

#include "base/error.h"
#include "base/hash.h"

#include <string.h>

#define MOST_ROUNDS 6     /* of a sweep, over all attributes */
#define CLIMBS 64         /* moves of single cuts, for a loss that sweeps do not see */
#define MOST_DOUBLINGS 24 /* of the price */
#define PRICE_STEPS 20    /* doublings and halvings until a price just keeps to the budget */

/* ------------------------------------------------------------------- sweeps */

bool pv_i_cut_needed_goes_on(const pv_cut_needing *n, pv_cut_worker *w)
{
    if (!w->late && (!pv_i_goes_on(w->thread, n->nodes) ||
                     (n->options->deadline > 0 && pv_i_now() > n->options->deadline))) {
        w->late = true;
    }
    return !w->late;
}

uint64_t pv_i_cut_needed_path(const pv_cut_needing *n, pv_cut_worker *w, size_t a,
                              const uint8_t *state, const uint8_t *forced, uint64_t most_dead,
                              uint64_t price, uint64_t most, uint8_t *cuts)
{
    pv_i_cut_line_price(&w->deaths, a, forced, most_dead, price, most);
    const pv_cut_path path = {.axis = pv_i_cut_axis_at(n, a),
                              .state = state,
                              .costs = w->deaths.lines[a].costs,
                              .most = most};
    return pv_i_cut_best_path(&path, cuts, NULL, NULL, w->scratch);
}

/* The best partition that kills no more than `most_dead`: the least price that keeps to it. */
static void within_budget(const pv_cut_needing *n, pv_cut_worker *w, size_t a, uint64_t most_dead,
                          uint8_t *own)
{
    const pv_cut_question *const q = n->question;
    const size_t bytes = pv_i_cut_axis_at(n, a)->n - 1;
    const uint64_t highest = PV_CUT_COST_LIMIT / (q->budget + 1);
    uint64_t low = 0;
    uint64_t high = 0;
    uint64_t least = PV_CUT_IMPOSSIBLE; /* without the price */
    if (pv_i_cut_line_sum(&w->deaths, a, own).dead <= most_dead) {
        least = 0;
        pv_i_cut_line_price(&w->deaths, a, NULL, most_dead, 0, PV_CUT_COST_LIMIT);
        for (uint32_t first = 0, v = 0; v <= bytes && least != PV_CUT_IMPOSSIBLE; v++) {
            if (v == bytes || own[v] != 0) {
                const uint64_t cost = w->deaths.lines[a].costs[first * (bytes + 1) + v];
                least = cost == PV_CUT_IMPOSSIBLE ? cost : least + cost;
                first = v + 1;
            }
        }
    }
    for (unsigned i = 0; i < PRICE_STEPS; i++) {
        const uint64_t price = i == 0           ? 0
                               : high == 0      ? 2 * low + q->full / 16 + 1
                               : high - low < 2 ? high
                                                : low + (high - low) / 2;
        if (price > highest) {
            return;
        }
        const uint64_t cost = pv_i_cut_needed_path(n, w, a, NULL, NULL, most_dead, price,
                                                   PV_CUT_COST_LIMIT, w->trial);
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
static bool improve(const pv_cut_needing *n, pv_cut_worker *w, size_t a, uint64_t price,
                    bool within, uint8_t *cuts)
{
    const pv_cut_question *const q = n->question;
    const pv_cut_axis *const axis = pv_i_cut_axis_at(n, a);
    uint8_t *const own = cuts + axis->first_bit;
    if (!pv_i_cut_line_list(&w->deaths, a, cuts, false)) {
        return false;
    }
    const uint64_t dead = pv_i_cut_line_toll(&w->deaths, a, NULL, true);
    if (within && dead <= q->budget) {
        within_budget(n, w, a, q->budget - dead, own);
    } else if (pv_i_cut_needed_path(n, w, a, NULL, NULL, UINT64_MAX, price, PV_CUT_COST_LIMIT,
                                    w->trial) != PV_CUT_IMPOSSIBLE) {
        memcpy(own, w->trial, axis->n - 1);
    }
    return true;
}

/* Until no attribute can be improved, in random order. */
static bool sweep(const pv_cut_needing *n, pv_cut_worker *w, pv_rng *rng, uint64_t price,
                  bool within, uint8_t *cuts)
{
    const size_t n_axes = n->question->space->n_axes;
    size_t unchanged = 0; /* attributes in a row */
    for (unsigned round = 0; round < MOST_ROUNDS && unchanged < n_axes; round++) {
        for (size_t i = 0; i < n_axes; i++) {
            const size_t j = (size_t)pv_i_rng_below(rng, i + 1);
            w->order[i] = w->order[j];
            w->order[j] = i;
        }
        for (size_t i = 0; i < n_axes && unchanged < n_axes && pv_i_cut_needed_goes_on(n, w); i++) {
            const pv_cut_axis *const axis = pv_i_cut_axis_at(n, w->order[i]);
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

void pv_i_cut_candidate_take(pv_cut_candidate *to, const uint8_t *cuts,
                             const pv_cut_account *account, uint64_t price, size_t n_bits)
{
    if (!to->found || account->cost < to->account.cost) {
        memcpy(to->cuts, cuts, n_bits);
        to->account = *account;
        to->price = price;
        to->found = true;
    }
}

/* From a scheme to one within the budget that no attribute alone can improve. */
static bool settle(const pv_cut_needing *n, pv_cut_worker *w, pv_rng *rng, uint64_t price,
                   uint8_t *cuts, pv_cut_candidate *best)
{
    const pv_cut_question *const q = n->question;
    pv_cut_account account = {.dead = UINT64_MAX};
    for (unsigned i = 0;
         i < MOST_DOUBLINGS && account.dead > q->budget && pv_i_cut_needed_goes_on(n, w); i++) {
        price = i == 0 ? price : 2 * price + q->full / 16 + 1;
        if (price > PV_CUT_COST_LIMIT / (q->budget + 1)) {
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
    pv_i_cut_candidate_take(best, cuts, &account, price, n->n_bits);
    if (!sweep(n, w, rng, price, true, cuts) ||
        !pv_i_cut_deaths_evaluate(&w->deaths, cuts, &account)) {
        return false;
    }
    if (account.dead <= q->budget) {
        pv_i_cut_candidate_take(best, cuts, &account, price, n->n_bits);
    }
    return true;
}

/* ------------------------------------------------------------ local search */

/* A brief search begins once, with the usual price halved so often. Prices only rise until the
 * budget holds, so one that begins low comes by the schemes of the higher ones; from 4 to 6 on,
 * Adult and the census of the demo lose a fifth less than with the usual price, in the same time.
 */
#define BRIEF_SHIFT 5

/* Where the first step begins: given schemes, everything merged, everything apart, at random. */
static void begin_child(const pv_cut_needing *n, size_t number, pv_rng *rng, uint8_t *cuts,
                        uint64_t *price)
{
    const pv_cut_question *const q = n->question;
    const pv_cut_needed_options *const o = n->options;
    const size_t kind = number - o->n_start;
    *price =
        q->prices->one / (double)(q->budget + 1) < (double)(PV_CUT_COST_LIMIT / (q->budget + 1))
            ? (uint64_t)(q->prices->one / (double)(q->budget + 1)) >>
                  (o->brief ? BRIEF_SHIFT : number % 8)
            : 0;
    if (number < o->n_start) {
        memcpy(cuts, o->start + number * n->n_bits, n->n_bits);
    } else if (kind % 4 < 2) {
        memset(cuts, kind % 4 == 1, n->n_bits);
    } else {
        pv_i_cut_random(n->n_bits, rng, cuts);
    }
    pv_i_cut_respect(q->space, cuts);
}

/* Whole attributes of two parents; then one attribute is changed altogether, or a few cuts are. */
static void breed(const pv_cut_needing *n, pv_rng *rng, uint8_t *cuts, uint64_t *price)
{
    const pv_cut_space *const space = n->question->space;
    const pv_cut_candidate *const a = &n->pool[pv_i_rng_below(rng, n->n_pool)];
    const pv_cut_candidate *const b = &n->pool[pv_i_rng_below(rng, n->n_pool)];
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
    pv_i_cut_respect(space, cuts);
}

/* What sweeps cannot see, since prices are of merged values: single cuts, as long as that helps the
 * loss that counts. */
static bool climb(const pv_cut_needing *n, pv_cut_worker *w, pv_rng *rng, pv_cut_job *j)
{
    const pv_cut_space *const space = n->question->space;
    for (unsigned i = 0; i < CLIMBS && j->best.found && n->n_bits > 0; i++) {
        pv_cut_account account;
        const size_t bit = (size_t)pv_i_rng_below(rng, n->n_bits);
        const size_t other = (size_t)pv_i_rng_below(rng, n->n_bits);
        memcpy(j->chosen, j->best.cuts, n->n_bits);
        j->chosen[bit] ^= 1;
        j->chosen[other] ^= pv_i_rng_below(rng, 2) == 0; /* a shift, or one here for one there */
        pv_i_cut_respect(space, j->chosen);
        if (!pv_i_cut_needed_goes_on(n, w)) {
            return true;
        }
        if (!pv_i_cut_deaths_evaluate(&w->deaths, j->chosen, &account)) {
            return false;
        }
        if (account.dead <= n->question->budget) {
            pv_i_cut_candidate_take(&j->best, j->chosen, &account, j->best.price, n->n_bits);
        }
    }
    return true;
}

pv_status pv_i_cut_needed_child(void *ctx, size_t number, const pv_thread *thread, pv_error *error)
{
    pv_cut_needing *const n = ctx;
    pv_cut_job *const j = &n->jobs[number];
    pv_cut_worker *const w = &n->workers[thread->number];
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
        pv_i_cut_candidate_take(&j->best, j->chosen, &account, price, n->n_bits);
    }
    if (n->options->brief && j->best.found) { /* the one child there is: first without a price */
        if (!sweep(n, w, &rng, price, true, j->chosen) ||
            !pv_i_cut_deaths_evaluate(&w->deaths, j->chosen, &account)) {
            return pv_i_no_memory(error);
        }
        if (account.dead <= n->question->budget) {
            pv_i_cut_candidate_take(&j->best, j->chosen, &account, price, n->n_bits);
        }
    }
    if (!settle(n, w, &rng, price, j->chosen, &j->best) ||
        (n->question->criteria != NULL && !climb(n, w, &rng, j))) {
        return pv_i_no_memory(error);
    }
    j->done = !w->late;
    return PV_STATUS_OK;
}
