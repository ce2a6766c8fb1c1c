/* Posing one record's problem, the answers that need no search, and a good choice soon.
 *
 * **Settled without a search.** A record that nobody in the dictionary fits at its lowest levels
 * runs no risk in models I and II, and there it is the most useful. And where even the most
 * acceptable choice is not accepted, none is.
 *
 * **A start.** Attributes are judged by themselves, as if they had nothing to do with each other:
 * the step that relieves most risk for the utility it costs (or costs least risk for the utility it
 * brings) is taken first, as long as the bound is kept.
 *
 * **Swaps.** Raise one attribute to any level, lower one to any, or both. With 60 attributes that
 * are tens of thousands of neighbours, and counting the rows consistent with each of them would
 * take long. But who fits a neighbour fits the choice itself or misses it by just the attribute
 * that is raised, and there are few of them (pv_near):
 *
 *     rho(lower j, raise k) = those who fit, and still do with j lowered
 *                           + those who miss in k alone, not so far off, and fit with j lowered
 *
 * So one pass over the sets finds the rows, and all neighbours are counted among them exactly. With
 * n attributes of h levels, f tuples that fit and m that miss by one, a round takes O(n h (f + m))
 * for the counts and O((n h)^2) for weighing, instead of (n h)^2 intersections. */
#include "records/record_problem.h"

#include "base/error.h"

#include <math.h>

/* Choices between two looks at whether to go on: reading the clock takes as long as a small count.
 */
#define PATIENCE 64

pv_status pv_i_problem_init(pv_record_problem *problem, const pv_weighing *weighing,
                            const pv_consistent_index *index, pv_error *error)
{
    const pv_record_values *const values = weighing->values;
    const size_t n = values->n_quasi;
    *problem = (pv_record_problem){.weighing = weighing,
                                   .index = index,
                                   .n = n,
                                   .is_forward_general = weighing->aim != PV_AIM_MOST_UTILITY};
    pv_arena *const arena = &problem->arena;
    problem->scratch = pv_i_consistent_scratch(index, arena);
    problem->leaves = PV_ARENA_ARRAY(arena, uint32_t, n);
    problem->bottoms = PV_ARENA_ARRAY(arena, uint8_t, n);
    problem->tops = PV_ARENA_ARRAY(arena, uint8_t, n);
    problem->worth = PV_ARENA_ARRAY(arena, pv_worth *, n);
    problem->levels = PV_ARENA_ARRAY(arena, uint8_t, n);
    problem->at = PV_ARENA_ARRAY(arena, uint8_t, n);
    for (size_t j = 0; problem->worth != NULL && j < n; j++) {
        problem->worth[j] = PV_ARENA_ARRAY(arena, pv_worth, values->heights[j] + 1);
    }
    if (arena->failed) {
        pv_i_problem_deinit(problem);
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

void pv_i_problem_deinit(pv_record_problem *problem)
{
    pv_i_arena_deinit(&problem->arena);
    *problem = (pv_record_problem){0};
}

/* What depends on the record alone is copied, so that searches read short arrays: the worth of its
 * own values at each level, up to where they are `*`. */
void pv_i_problem_pose(pv_record_problem *problem, size_t tuple)
{
    const pv_record_values *const values = problem->weighing->values;
    int64_t most = 0;
    for (size_t j = 0; j < problem->n; j++) {
        const uint32_t leaf = pv_profile_leaf(values->profile, tuple, j);
        problem->leaves[j] = leaf;
        const uint8_t root = values->root_level[j][leaf];
        problem->bottoms[j] = values->lowest[j] < root ? values->lowest[j] : root;
        problem->tops[j] = values->highest[j] < root ? values->highest[j] : root;
        for (unsigned level = 0; level <= problem->tops[j]; level++) {
            problem->worth[j][level] = problem->weighing->worth[j][level][leaf];
        }
        most += problem->worth[j][0].utility;
    }
    problem->floor = pv_i_weighing_floor(problem->weighing, most);
    problem->visited = 0;
    problem->is_stopped = problem->is_found = problem->is_optimal = false;
    memset(problem->at, 0, problem->n);
    problem->raw_rho = pv_i_problem_count(problem, problem->at);
    problem->low_rho = memcmp(problem->at, problem->bottoms, problem->n) == 0
                           ? problem->raw_rho
                           : pv_i_problem_count(problem, problem->bottoms);
}

pv_worth pv_i_problem_worth(const pv_record_problem *problem, const uint8_t *levels)
{
    pv_worth sum = {0};
    for (size_t j = 0; j < problem->n; j++) {
        sum.utility += problem->worth[j][levels[j]].utility;
        sum.phi += problem->worth[j][levels[j]].phi;
    }
    return sum;
}

uint64_t pv_i_problem_count(pv_record_problem *problem, const uint8_t *levels)
{
    return pv_i_consistent_count(problem->index, problem->scratch, problem->leaves, levels);
}

bool pv_i_problem_visit(pv_record_problem *problem)
{
    if (problem->limit > 0 && problem->visited >= problem->limit) {
        problem->is_stopped = true;
        return false;
    }
    problem->visited++;
    if (problem->visited % PATIENCE == 0 && problem->keep_going != NULL &&
        !problem->keep_going(problem->ctx, problem->thread)) {
        problem->is_stopped = true;
    }
    return !problem->is_stopped;
}

pv_record_choice pv_i_problem_choice(const pv_record_problem *problem, pv_worth worth, uint64_t rho)
{
    const pv_weighing *const w = problem->weighing;
    const double risk = pv_i_weighing_risk(w, worth.phi, rho);
    return (pv_record_choice){.worth = worth,
                              .rho = rho,
                              .is_accepted =
                                  pv_i_weighing_accepts(w, problem->floor, worth.utility, risk),
                              .rank = pv_i_weighing_rank(w, worth.utility, risk)};
}

/* Of equal ranks the choice with the least levels, in order of attributes, wins: whatever the order
 * in which a method looks at them, the answer is the same. */
void pv_i_problem_offer(pv_record_problem *problem, const uint8_t *levels,
                        const pv_record_choice *choice)
{
    if (!choice->is_accepted) {
        return;
    }
    const int order = problem->is_found ? pv_i_rank_compare(choice->rank, problem->best.rank) : -1;
    if (order < 0 || (order == 0 && memcmp(levels, problem->levels, problem->n) < 0)) {
        problem->is_found = true;
        problem->best = *choice;
        memcpy(problem->levels, levels, problem->n);
    }
}

void pv_i_problem_end_of(const pv_record_problem *problem, bool forward, uint8_t *levels)
{
    if (forward == problem->is_forward_general) {
        memcpy(levels, problem->bottoms, problem->n);
    } else {
        memcpy(levels, problem->tops, problem->n);
    }
}

pv_record_choice pv_i_problem_choice_at(pv_record_problem *problem, const uint8_t *levels)
{
    size_t j = 0;
    while (j < problem->n && levels[j] == 0) {
        j++;
    }
    const uint64_t rho = j == problem->n ? problem->raw_rho : pv_i_problem_count(problem, levels);
    return pv_i_problem_choice(problem, pv_i_problem_worth(problem, levels), rho);
}

/* The bottom is best for whom nobody fits there: that stays so, because generalizing only adds
 * people, and the risk of 0 cannot be beaten. In model III it must be searched all the same: there
 * risk is not monotone, and rho 0 counts as everyone. That the end where going forward begins is
 * not accepted settles it only where acceptance is monotone, too: a floor of utility always is. */
bool pv_i_problem_settle(pv_record_problem *problem)
{
    const bool is_monotone = pv_i_weighing_is_monotone(problem->weighing);
    uint8_t *const at = problem->at;
    memcpy(at, problem->bottoms, problem->n);
    if (problem->low_rho == 0 && is_monotone) {
        const pv_record_choice bottom = pv_i_problem_choice_at(problem, at);
        pv_i_problem_offer(problem, at, &bottom);
        problem->visited++;
        problem->is_optimal = true;
        return true;
    }
    pv_i_problem_end_of(problem, true, at);
    const pv_record_choice first = pv_i_problem_choice_at(problem, at);
    problem->visited += !first.is_accepted;
    problem->is_optimal =
        !first.is_accepted && (is_monotone || problem->weighing->aim == PV_AIM_LEAST_RISK);
    return problem->is_optimal;
}

bool pv_i_problem_bottom_is_best(pv_record_problem *problem)
{
    if (!problem->is_found || problem->weighing->aim != PV_AIM_LEAST_RISK ||
        !pv_i_weighing_is_monotone(problem->weighing)) {
        return false;
    }
    memcpy(problem->at, problem->bottoms, problem->n);
    const pv_record_choice bottom = pv_i_problem_choice_at(problem, problem->at);
    if (bottom.rank.first > problem->best.rank.first) {
        return false;
    }
    pv_i_problem_offer(problem, problem->at, &bottom);
    return true;
}

/* The best of the accepted choices one step forward; false if there is none. At most n counts. */
static bool step_greedily(pv_record_problem *problem, uint8_t *levels)
{
    pv_record_choice best = {0};
    size_t chosen = problem->n;
    for (size_t j = 0; j < problem->n; j++) {
        const uint8_t before = levels[j];
        if (pv_i_problem_step(problem, levels, j, true)) {
            const pv_record_choice choice = pv_i_problem_choice_at(problem, levels);
            problem->visited++;
            if (choice.is_accepted &&
                (chosen == problem->n || pv_i_rank_compare(choice.rank, best.rank) < 0)) {
                best = choice;
                chosen = j;
            }
            levels[j] = before;
        }
    }
    if (chosen == problem->n) {
        return false;
    }
    (void)pv_i_problem_step(problem, levels, chosen, true);
    pv_i_problem_offer(problem, levels, &best);
    return true;
}

void pv_i_problem_greedy(pv_record_problem *problem)
{
    uint8_t *const levels = problem->at;
    pv_i_problem_end_of(problem, true, levels);
    const pv_record_choice first = pv_i_problem_choice_at(problem, levels);
    pv_i_problem_offer(problem, levels, &first);
    problem->visited++;
    while (step_greedily(problem, levels)) {
    }
}

/* Nothing needs so many: it is only that no record may take forever. */
#define MOST_SWAPS 1000

/* ------------------------------------------------------------ swaps: set up */

pv_status pv_i_swapper_init(pv_swapper *swapper, const pv_attacker *attacker,
                            const pv_record_problem *problem, pv_error *error)
{
    const size_t n = problem->n;
    *swapper = (pv_swapper){.attacker = attacker};
    pv_arena *const arena = &swapper->arena;
    swapper->near = pv_i_near(problem->index, arena);
    swapper->least = PV_ARENA_ARRAY(arena, uint8_t, attacker->n_tuples);
    swapper->first = PV_ARENA_ARRAY(arena, size_t, n);
    swapper->value = PV_ARENA_ARRAY(arena, double, n);
    for (size_t j = 0; swapper->first != NULL && j < n; j++) {
        swapper->first[j] = swapper->n_more;
        swapper->n_more += problem->weighing->values->heights[j] + 1;
    }
    swapper->more = PV_ARENA_ARRAY(arena, uint64_t, swapper->n_more);
    if (arena->failed) {
        pv_i_swapper_deinit(swapper);
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

void pv_i_swapper_deinit(pv_swapper *swapper)
{
    pv_i_arena_deinit(&swapper->arena);
    *swapper = (pv_swapper){0};
}

/* ------------------------------------------------------------------ start */

/* About the binary logarithm, straight between the powers of two: the same on every machine. */
static double bits_of(uint64_t rows)
{
    if (rows == 0) {
        return -1;
    }
    const unsigned whole = 63 - (unsigned)__builtin_clzll(rows);
    return whole + ((double)rows / (double)((uint64_t)1 << whole) - 1);
}

#define NO_STEP (-1.0) /* worse than any */

/* What the next step forward of an attribute brings for what it costs, or NO_STEP at the end of the
 * lattice. A step up relieves risk (in bits of rows that fit the attribute alone, and in
 * sensitivity as a share of all, `phi`) and costs utility; a step down the other way round. */
static double value_from(const pv_record_problem *problem, size_t j, uint8_t from, double phi)
{
    const bool up = problem->is_forward_general;
    if (from == (up ? problem->tops[j] : problem->bottoms[j])) {
        return NO_STEP;
    }
    const uint8_t low = up ? from : (uint8_t)(from - 1);
    const pv_worth *const worth = problem->worth[j] + low;
    const uint32_t leaf = problem->leaves[j];
    const double rows = bits_of(pv_i_consistent_alone(problem->index, j, low + 1u, leaf)) -
                        bits_of(pv_i_consistent_alone(problem->index, j, low, leaf));
    const double relief = rows + (phi > 0 ? (double)(worth[0].phi - worth[1].phi) / phi : 0);
    const double utility = (double)(worth[0].utility - worth[1].utility);
    const double gain = up ? relief : utility;
    const double cost = up ? utility : relief;
    return cost > 0 ? gain / cost : (double)INFINITY;
}

/* The attribute to go forward with; n if there is none. */
static size_t next_step(const pv_swapper *swapper, size_t n)
{
    size_t best = n;
    double most = NO_STEP;
    for (size_t j = 0; j < n; j++) {
        if (swapper->value[j] > most) {
            most = swapper->value[j];
            best = j;
        }
    }
    return best;
}

/* Where utility is the bound, rows need not be counted on the way. */
static bool is_accepted(pv_record_problem *problem, const uint8_t *levels)
{
    if (problem->weighing->aim == PV_AIM_LEAST_RISK) {
        return pv_i_problem_worth(problem, levels).utility >= problem->floor;
    }
    const pv_record_choice choice = pv_i_problem_choice_at(problem, levels);
    problem->visited++;
    pv_i_problem_offer(problem, levels, &choice);
    return choice.is_accepted || !problem->is_found;
}

/* An attribute whose next step breaks the bound is out; others may still have smaller steps. */
void pv_i_problem_start(pv_record_problem *problem, pv_swapper *swapper)
{
    uint8_t *const levels = problem->at;
    memset(levels, 0, problem->n);
    const double phi = (double)pv_i_problem_worth(problem, levels).phi;
    pv_i_problem_end_of(problem, true, levels);
    const pv_record_choice first = pv_i_problem_choice_at(problem, levels);
    pv_i_problem_offer(problem, levels, &first);
    for (size_t j = 0; j < problem->n; j++) {
        swapper->value[j] = value_from(problem, j, levels[j], phi);
    }
    for (size_t j = next_step(swapper, problem->n); j < problem->n;
         j = next_step(swapper, problem->n)) {
        const uint8_t before = levels[j];
        (void)pv_i_problem_step(problem, levels, j, true);
        if (is_accepted(problem, levels)) {
            swapper->value[j] = value_from(problem, j, levels[j], phi);
        } else {
            levels[j] = before;
            swapper->value[j] = NO_STEP;
        }
    }
    const pv_record_choice last = pv_i_problem_choice_at(problem, levels);
    pv_i_problem_offer(problem, levels, &last);
    problem->visited += 2;
}

/* ------------------------------------------------------------------ swaps */

#define NONE SIZE_MAX

/* The best neighbour so far. */
typedef struct {
    pv_record_problem *problem;
    pv_swapper *swapper;
    const uint8_t *levels; /* whose neighbours they are */
    pv_worth worth;        /* of these levels */
    pv_record_choice best;
    size_t lowered, raised; /* attributes; NONE = not */
    uint8_t down, up;       /* the levels to which they are lowered and raised */
    bool is_better;         /* than the levels themselves */
} neighbourhood;

/* What it takes to fit an attribute at a level. */
typedef struct {
    const pv_consistency *level; /* NULL = nothing: everyone does */
    const uint32_t *values;
    uint32_t group;
} condition;

static condition condition_at(const neighbourhood *h, size_t j, unsigned level)
{
    const pv_attacker *const attacker = h->swapper->attacker;
    const pv_known *const known = &attacker->known[j];
    if (!known->is_known || level >= known->height) {
        return (condition){0};
    }
    const uint32_t group = pv_i_group_below_root(pv_study_hierarchy(attacker->profile->study, j),
                                                 level, h->problem->leaves[j]);
    return group == PV_NO_GROUP ? (condition){0}
                                : (condition){&known->levels[level],
                                              pv_i_consistent_values(h->problem->index, j), group};
}

static inline bool fits(const condition *c, uint32_t tuple)
{
    return c->level == NULL || pv_i_is_consistent(c->level, c->values[tuple], c->group);
}

/* The lowest level at which a tuple that misses by attribute j would fit. It ends at `*`, which
 * everyone fits. */
static uint8_t least_level(const neighbourhood *h, size_t j, uint32_t tuple)
{
    unsigned level = h->levels[j] + 1u;
    condition c = condition_at(h, j, level);
    while (!fits(&c, tuple)) {
        c = condition_at(h, j, ++level);
    }
    return (uint8_t)level;
}

/* Who fits with an attribute lowered; into `more` also who would if another were raised.
 *
 *     more:  | attribute 0: level 0 1 2 3 | attribute 1: level 0 1 | ...
 *
 * A tuple that misses by attribute k alone is added at the lowest level at which it would fit: the
 * sum of these up to a level is what raising k there adds. It does not matter if k itself is
 * lowered: who misses it would miss it all the more, and is skipped. */
static uint64_t count_lowered(const neighbourhood *h, size_t lowered, uint8_t down)
{
    const pv_swapper *const s = h->swapper;
    const pv_near *const near = &s->near;
    const uint64_t *const counts = s->attacker->counts;
    const condition c = lowered != NONE ? condition_at(h, lowered, down) : (condition){0};
    uint64_t rows = 0;
    memset(s->more, 0, s->n_more * sizeof *s->more);
    for (size_t i = 0; i < near->n_fits; i++) {
        rows += fits(&c, near->fits[i]) ? counts[near->fits[i]] : 0;
    }
    for (size_t i = 0; i < near->n_misses; i++) {
        if (near->missed[i] != lowered && fits(&c, near->misses[i])) {
            s->more[s->first[near->missed[i]] + s->least[i]] += counts[near->misses[i]];
        }
    }
    return rows;
}

static void weigh(neighbourhood *h, pv_worth worth, uint64_t rho, size_t lowered, uint8_t down,
                  size_t raised, uint8_t up)
{
    const pv_record_problem *const problem = h->problem;
    h->problem->visited++;
    if (problem->weighing->aim == PV_AIM_LEAST_RISK && worth.utility < problem->floor) {
        return; /* most are not, and that is soon seen */
    }
    const pv_record_choice choice = pv_i_problem_choice(problem, worth, rho);
    if (choice.is_accepted && pv_i_rank_compare(choice.rank, h->best.rank) < 0) {
        h->best = choice;
        h->lowered = lowered;
        h->down = down;
        h->raised = raised;
        h->up = up;
        h->is_better = true;
    }
}

static pv_worth worth_with(const neighbourhood *h, pv_worth worth, size_t j, uint8_t level)
{
    const pv_worth before = h->problem->worth[j][h->levels[j]];
    const pv_worth after = h->problem->worth[j][level];
    return (pv_worth){worth.utility - before.utility + after.utility,
                      worth.phi - before.phi + after.phi};
}

/* All neighbours with this attribute lowered there (NONE: with none lowered). The worth of each is
 * that of the choice with one or two terms exchanged: whole numbers, so nothing is rounded. */
static void weigh_lowered(neighbourhood *h, size_t lowered, uint8_t down)
{
    const pv_record_problem *const problem = h->problem;
    const uint64_t rows = count_lowered(h, lowered, down);
    pv_worth worth = h->worth;
    if (lowered != NONE) {
        worth = worth_with(h, worth, lowered, down);
        weigh(h, worth, rows, lowered, down, NONE, 0);
    }
    for (size_t k = 0; k < problem->n; k++) {
        uint64_t rho = rows;
        for (unsigned up = h->levels[k] + 1u; k != lowered && up <= problem->tops[k]; up++) {
            rho += h->swapper->more[h->swapper->first[k] + up];
            weigh(h, worth_with(h, worth, k, (uint8_t)up), rho, lowered, down, k, (uint8_t)up);
        }
    }
}

/* Goes to the best neighbour, if it is better. */
static bool swap(pv_record_problem *problem, pv_swapper *swapper)
{
    neighbourhood h = {.problem = problem,
                       .swapper = swapper,
                       .levels = problem->levels,
                       .worth = pv_i_problem_worth(problem, problem->levels),
                       .best = problem->best};
    pv_i_consistent_near(problem->index, problem->scratch, problem->leaves, problem->levels,
                         &swapper->near);
    for (size_t i = 0; i < swapper->near.n_misses; i++) {
        swapper->least[i] = least_level(&h, swapper->near.missed[i], swapper->near.misses[i]);
    }
    weigh_lowered(&h, NONE, 0);
    for (size_t j = 0; j < problem->n; j++) {
        for (uint8_t down = problem->levels[j]; down-- > problem->bottoms[j];) {
            weigh_lowered(&h, j, down);
        }
    }
    if (h.is_better) {
        memcpy(problem->at, problem->levels, problem->n);
        if (h.lowered != NONE) {
            problem->at[h.lowered] = h.down;
        }
        if (h.raised != NONE) {
            problem->at[h.raised] = h.up;
        }
        pv_i_problem_offer(problem, problem->at, &h.best);
    }
    return h.is_better;
}

void pv_i_problem_swap(pv_record_problem *problem, pv_swapper *swapper)
{
    unsigned left = MOST_SWAPS;
    while (problem->is_found && left-- > 0 &&
           (problem->keep_going == NULL || problem->keep_going(problem->ctx, problem->thread)) &&
           swap(problem, swapper)) {
    }
}
