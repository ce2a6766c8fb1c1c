/* Posing one record's problem, and the answers that need no search. */
#include "records/record_problem.h"

#include "base/error.h"
#include "base/memory.h"

/* Choices between two looks at whether to go on. */
#define PATIENCE 64

pv_status pv_i_problem_init(pv_record_problem *problem, const pv_weighing *weighing,
                            const pv_consistent_index *index, pv_error *error)
{
    const pv_record_values *const values = weighing->values;
    const size_t n = values->n_quasi;
    pv_record_problem p = {.weighing = weighing,
                           .index = index,
                           .n = n,
                           .is_forward_general = weighing->aim != PV_AIM_MOST_UTILITY,
                           .leaves = PV_NEW_ZEROED(uint32_t, n),
                           .tops = PV_NEW_ZEROED(uint8_t, n),
                           .worth = PV_NEW_ZEROED(pv_worth *, n),
                           .levels = PV_NEW_ZEROED(uint8_t, n),
                           .at = PV_NEW_ZEROED(uint8_t, n)};
    bool ready =
        p.leaves != NULL && p.tops != NULL && p.worth != NULL && p.levels != NULL && p.at != NULL;
    for (size_t j = 0; ready && j < n; j++) {
        p.worth[j] = PV_NEW_ARRAY(pv_worth, values->heights[j] + 1);
        ready = p.worth[j] != NULL;
    }
    const pv_status status =
        ready ? pv_i_consistent_scratch_create(index, &p.scratch, error) : pv_i_no_memory(error);
    if (status != PV_STATUS_OK) {
        pv_i_problem_deinit(&p);
        return status;
    }
    *problem = p;
    return PV_STATUS_OK;
}

void pv_i_problem_deinit(pv_record_problem *problem)
{
    for (size_t j = 0; problem->worth != NULL && j < problem->n; j++) {
        pv_i_free(problem->worth[j]);
    }
    pv_i_consistent_scratch_free(problem->scratch);
    pv_i_free(problem->leaves);
    pv_i_free(problem->tops);
    pv_i_free(problem->worth);
    pv_i_free(problem->levels);
    pv_i_free(problem->at);
    *problem = (pv_record_problem){0};
}

void pv_i_problem_pose(pv_record_problem *problem, size_t tuple)
{
    const pv_record_values *const values = problem->weighing->values;
    int64_t most = 0;
    for (size_t j = 0; j < problem->n; j++) {
        const uint32_t leaf = pv_profile_leaf(values->profile, tuple, j);
        problem->leaves[j] = leaf;
        problem->tops[j] = values->root_level[j][leaf];
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
        !problem->keep_going(problem->ctx, problem->worker)) {
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

void pv_i_problem_begin(const pv_record_problem *problem, bool forward, uint8_t *levels)
{
    if (forward == problem->is_forward_general) {
        memset(levels, 0, problem->n);
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

/* Told as it is, a record that nobody in the dictionary fits runs no risk in models I and II, and
 * nothing is more useful. And where even the most acceptable choice is not accepted, none is. */
bool pv_i_problem_settle(pv_record_problem *problem)
{
    const bool is_monotone = pv_i_weighing_is_monotone(problem->weighing);
    uint8_t *const at = problem->at;
    memset(at, 0, problem->n);
    if (problem->raw_rho == 0 && is_monotone) {
        const pv_record_choice raw = pv_i_problem_choice_at(problem, at);
        pv_i_problem_offer(problem, at, &raw);
        problem->visited++;
        problem->is_optimal = true;
        return true;
    }
    pv_i_problem_begin(problem, true, at);
    const pv_record_choice first = pv_i_problem_choice_at(problem, at);
    problem->visited += !first.is_accepted;
    problem->is_optimal =
        !first.is_accepted && (is_monotone || problem->weighing->aim == PV_AIM_LEAST_RISK);
    return problem->is_optimal;
}

bool pv_i_problem_raw_is_best(pv_record_problem *problem)
{
    if (!problem->is_found || problem->weighing->aim != PV_AIM_LEAST_RISK ||
        !pv_i_weighing_is_monotone(problem->weighing)) {
        return false;
    }
    const double least = problem->best.rank.first;
    pv_worth worth = {0};
    for (size_t j = 0; j < problem->n; j++) {
        worth.utility += problem->worth[j][0].utility;
        worth.phi += problem->worth[j][0].phi;
    }
    const pv_record_choice raw = pv_i_problem_choice(problem, worth, problem->raw_rho);
    if (raw.rank.first > least) {
        return false;
    }
    memset(problem->at, 0, problem->n);
    pv_i_problem_offer(problem, problem->at, &raw);
    return true;
}

/* The best of the accepted choices one step forward; false if there is none. */
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
    pv_i_problem_begin(problem, true, levels);
    const pv_record_choice first = pv_i_problem_choice_at(problem, levels);
    pv_i_problem_offer(problem, levels, &first);
    problem->visited++;
    while (step_greedily(problem, levels)) {
    }
}
