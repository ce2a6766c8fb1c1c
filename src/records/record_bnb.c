/* Branch and bound for one record: boxes of choices, each attribute between two levels.
 *
 *     level of b                    low:  the most useful choice of the box, the lower left corner
 *       4 |  . . +-----H  .         high: the one that fits most people, the upper right corner
 *       3 |  . . | . . |  .
 *       2 |  . . L-----+  .         branch: one attribute at each of its levels, the others as
 * before
 *         +------------------ a     bound:  utility of L, sensitivity and rho of H
 *
 * No choice of a box is more useful than its low corner, less sensitive than its high one, or fits
 * more people than that; this bounds any aim and any risk model, monotone or not. Two things make
 * the bound strong enough:
 *
 * - Before it is divided, a box is made smaller: levels at which an attribute could not belong to
 * any accepted choice, whatever the others do, are cut off.
 * - Where utility is still missing at the high corner, it must be bought somewhere, at the least
 *   sensitivity for it that any attribute offers: a fractional knapsack, as in
 * record_scan_tables.c, but with the levels of this box and record alone. */
#include "records/record_methods.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>

typedef struct {
    uint8_t *low, *high; /* n each */
} box;

/* Utility that an attribute can add to the high corner, and the least sensitivity each unit of it
 * costs. */
typedef struct {
    double amount, price;
} supply;

typedef struct {
    pv_record_problem *problem;
    uint8_t *corners; /* 2n per depth: each box but the first has one attribute fixed */
    supply *supplies;
} search;

static box box_at(const search *s, size_t depth)
{
    const size_t n = s->problem->n;
    return (box){s->corners + 2 * n * depth, s->corners + 2 * n * depth + n};
}

static int64_t utility_at(const search *s, size_t j, uint8_t level)
{
    return s->problem->worth[j][level].utility;
}

/* ------------------------------------------------------------ tightening */

/* Levels too high for the utility demanded even if all other attributes stay low. */
static void lower_high(const search *s, box b)
{
    const int64_t most = pv_i_problem_worth(s->problem, b.low).utility;
    for (size_t j = 0; j < s->problem->n; j++) {
        const int64_t others = most - utility_at(s, j, b.low[j]);
        while (b.high[j] > b.low[j] && others + utility_at(s, j, b.high[j]) < s->problem->floor) {
            b.high[j]--;
        }
    }
}

/* Levels too low for the risk allowed even if all other attributes are high. False: stop. */
static bool tighten_low(const search *s, box b)
{
    pv_record_problem *const problem = s->problem;
    uint8_t *const at = problem->at;
    memcpy(at, b.high, problem->n);
    for (size_t j = 0; j < problem->n; j++) {
        for (; b.low[j] < b.high[j]; b.low[j]++) {
            at[j] = b.low[j];
            if (!pv_i_problem_visit(problem)) {
                return false;
            }
            if (pv_i_problem_choice(problem, pv_i_problem_worth(problem, at),
                                    pv_i_problem_count(problem, at))
                    .is_accepted) {
                break;
            }
        }
        at[j] = b.high[j];
    }
    return true;
}

/* Both are valid because the other attributes are taken where they help most: low for utility, high
 * for risk. In model III risk is not monotone, and a balance has no bound: nothing is cut off then.
 * False: stop. */
static bool tighten(const search *s, box b)
{
    const pv_weighing *const w = s->problem->weighing;
    if (w->aim == PV_AIM_LEAST_RISK) {
        lower_high(s, b);
    } else if (w->aim == PV_AIM_MOST_UTILITY && pv_i_weighing_is_monotone(w)) {
        return tighten_low(s, b);
    }
    return true;
}

/* ---------------------------------------------------------------- bounds */

static supply supply_of(const search *s, box b, size_t j)
{
    const pv_worth *const worth = s->problem->worth[j];
    const pv_worth high = worth[b.high[j]];
    supply best = {.amount = (double)(worth[b.low[j]].utility - high.utility), .price = HUGE_VAL};
    for (unsigned level = b.low[j]; level < b.high[j]; level++) {
        const double more = (double)(worth[level].utility - high.utility);
        const double price = (double)(worth[level].phi - high.phi) / more;
        best.price = more > 0 && price < best.price ? price : best.price;
    }
    return best;
}

/* The least sensitivity that the utility missing at the high corner costs: buying the cheapest
 * first, parts of levels allowed. */
static int64_t least_extra_phi(const search *s, box b, int64_t missing)
{
    size_t n = 0;
    for (size_t j = 0; j < s->problem->n; j++) {
        const supply next = supply_of(s, b, j);
        if (next.amount > 0) {
            size_t i = n++;
            for (; i > 0 && s->supplies[i - 1].price > next.price; i--) {
                s->supplies[i] = s->supplies[i - 1];
            }
            s->supplies[i] = next;
        }
    }
    double left = (double)missing;
    double phi = 0;
    for (size_t i = 0; i < n && left > 0; i++) {
        phi += fmin(left, s->supplies[i].amount) * s->supplies[i].price;
        left -= s->supplies[i].amount;
    }
    return (int64_t)(phi * (1 - 0x1p-30)); /* rounding must not make it more */
}

static pv_prospect prospect_of(const search *s, box b, pv_worth high, uint64_t rho)
{
    const pv_record_problem *const problem = s->problem;
    const pv_worth low = pv_i_problem_worth(problem, b.low);
    /* In model III a record that nobody fits counts as if everyone did. */
    const bool may_vanish = problem->raw_rho == 0 && !pv_i_weighing_is_monotone(problem->weighing);
    pv_prospect prospect = {.utility = low.utility,
                            .least_phi = high.phi,
                            .most_phi = low.phi,
                            .rho = may_vanish ? problem->weighing->n_rows : rho};
    if (high.utility < problem->floor) {
        prospect.least_phi += least_extra_phi(s, b, problem->floor - high.utility);
    }
    return prospect;
}

/* Can any choice of the box be accepted, and be better than the best so far? */
static bool is_promising(const search *s, const pv_prospect *prospect)
{
    const pv_record_problem *const problem = s->problem;
    const pv_weighing *const w = problem->weighing;
    const double risk = pv_i_prospect_risk(w, prospect);
    return pv_i_weighing_accepts(w, problem->floor, prospect->utility, risk) &&
           (!problem->is_found || pv_i_rank_compare(pv_i_weighing_rank(w, prospect->utility, risk),
                                                    problem->best.rank) <= 0);
}

/* -------------------------------------------------------------- branching */

/* The attribute whose level decides most about utility; n if all are fixed. Fixing it moves the
 * corners, and with them the bound, furthest. */
static size_t choose_attribute(const search *s, box b)
{
    const size_t n = s->problem->n;
    size_t chosen = n;
    int64_t widest = -1;
    for (size_t j = 0; j < n; j++) {
        const int64_t width = utility_at(s, j, b.low[j]) - utility_at(s, j, b.high[j]);
        if (b.low[j] < b.high[j] && width > widest) {
            chosen = j;
            widest = width;
        }
    }
    return chosen;
}

static bool explore(const search *s, size_t depth);

/* The better levels first: what is found there bounds the others. */
static bool branch(const search *s, size_t depth, size_t j)
{
    const box whole = box_at(s, depth);
    const box part = box_at(s, depth + 1);
    const bool from_high = s->problem->is_forward_general;
    const unsigned n_levels = whole.high[j] - whole.low[j] + 1u;
    for (unsigned i = 0; i < n_levels; i++) {
        memcpy(part.low, whole.low, 2 * s->problem->n);
        part.low[j] = part.high[j] = (uint8_t)(from_high ? whole.high[j] - i : whole.low[j] + i);
        if (!explore(s, depth + 1)) {
            return false;
        }
    }
    return true;
}

/* The high corner of every box is a choice itself, and is offered; a box of one choice is settled
 * by it. False: stopped. */
static bool explore(const search *s, size_t depth)
{
    pv_record_problem *const problem = s->problem;
    const box b = box_at(s, depth);
    if (!tighten(s, b) || !pv_i_problem_visit(problem)) {
        return false;
    }
    const pv_worth worth = pv_i_problem_worth(problem, b.high);
    const uint64_t rho = pv_i_problem_count(problem, b.high);
    const pv_record_choice choice = pv_i_problem_choice(problem, worth, rho);
    pv_i_problem_offer(problem, b.high, &choice);
    const pv_prospect prospect = prospect_of(s, b, worth, rho);
    const size_t j = choose_attribute(s, b);
    return j == problem->n || !is_promising(s, &prospect) || branch(s, depth, j);
}

pv_status pv_i_record_bnb(pv_record_problem *problem, pv_error *error)
{
    const size_t n = problem->n;
    search s = {.problem = problem,
                .corners = PV_NEW_ARRAY(uint8_t, 2 * n * (n + 1)),
                .supplies = PV_NEW_ARRAY(supply, n)};
    const bool ready = s.corners != NULL && s.supplies != NULL;
    if (ready) {
        const box all = box_at(&s, 0);
        if (!problem->is_found) {
            pv_i_problem_greedy(problem);
        }
        memcpy(all.low, problem->bottoms, n);
        memcpy(all.high, problem->tops, n);
        problem->is_optimal = explore(&s, 0);
    }
    pv_i_free(s.corners);
    pv_i_free(s.supplies);
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}
