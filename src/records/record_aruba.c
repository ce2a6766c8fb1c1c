/* ARUBA (algorithm 2 of its paper): the best choice lies on the frontier, among the accepted
 * choices of which some step forward is not accepted. From one of them the walk goes to all.
 *
 * The paper looks for the neighbours of a choice in its adjacency cube, all 3^n - 1 choices at most
 * one step away in each attribute, and excepts the borders of the lattice from its theorem 3. Few
 * of them are enough, borders included. For take all ways through the lattice, step by step forward
 * from one end to the other. Each leaves the accepted choices once, from a choice of the frontier,
 * and every choice of the frontier is left by some way. Any way can be turned into any other by
 * exchanging two successive steps at a time. A way that leaves f by a step of attribute i,
 *
 *     f -> f+i -> f+i+j    or    f-j -> f -> f+i        (f+i is not accepted)
 *
 * leaves it after the exchange from f or f+j, and from f-j or f-j+i: from whichever of these is the
 * last that is accepted. So these are all neighbours it takes, and none of them needs to be
 * examined any further to know that it is on the frontier.
 *
 * Equally good choices that are more useful need not lie on the frontier. But every step from them
 * towards it keeps them equally good: they are found by walking back as long as nothing changes. */
#include "records/record_methods.h"

#include "base/error.h"
#include "base/memory.h"
#include "records/record_nodes.h"

typedef struct {
    pv_record_nodes nodes;
    uint32_t *found; /* choices to walk on from, in the order of discovery */
    size_t n, capacity;
    uint8_t *at; /* scratch: levels */
} walk;

static bool remember(walk *w, uint32_t id)
{
    if (!pv_i_reserve((void **)&w->found, &w->capacity, w->n + 1, sizeof *w->found)) {
        w->nodes.is_out_of_memory = true;
        return false;
    }
    w->nodes.nodes[id].is_marked = true;
    w->found[w->n++] = id;
    return true;
}

static bool goes_on(const walk *w)
{
    return !w->nodes.problem->is_stopped && !w->nodes.is_out_of_memory;
}

/* --------------------------------------------------------------- frontier */

/* Is the choice at w->at accepted? */
static bool is_accepted(walk *w)
{
    const uint32_t id = goes_on(w) ? pv_i_nodes_find(&w->nodes, w->at) : PV_NO_NODE;
    return id != PV_NO_NODE && pv_i_nodes_accepts(&w->nodes, id);
}

/* The choice at w->at is on the frontier. */
static void add(walk *w)
{
    const uint32_t id = goes_on(w) ? pv_i_nodes_find(&w->nodes, w->at) : PV_NO_NODE;
    if (id != PV_NO_NODE && !w->nodes.nodes[id].is_marked) {
        (void)remember(w, id);
    }
}

/* Exchanges the step of i that leaves the frontier with one of j after or before it. */
static void exchange(walk *w, size_t i, size_t j)
{
    const pv_record_problem *const problem = w->nodes.problem;
    const uint8_t at_i = w->at[i];
    const uint8_t at_j = w->at[j];
    if (pv_i_problem_step(problem, w->at, j, true)) {
        if (is_accepted(w)) {
            add(w);
        }
        w->at[j] = at_j;
    }
    if (pv_i_problem_step(problem, w->at, j, false)) {
        (void)pv_i_problem_step(problem, w->at, i, true);
        if (!is_accepted(w)) {
            w->at[i] = at_i;
        }
        add(w);
        w->at[i] = at_i;
        w->at[j] = at_j;
    }
}

/* All neighbours on the frontier of the choice at w->at. */
static void look_around(walk *w)
{
    const pv_record_problem *const problem = w->nodes.problem;
    for (size_t i = 0; i < problem->n; i++) {
        const uint8_t before = w->at[i];
        if (!pv_i_problem_step(problem, w->at, i, true)) {
            continue;
        }
        const bool leaves = !is_accepted(w);
        w->at[i] = before;
        for (size_t j = 0; leaves && j < problem->n && goes_on(w); j++) {
            if (j != i) {
                exchange(w, i, j);
            }
        }
    }
}

/* Attribute by attribute as far forward as is accepted. The end is on the frontier, unless it is
 * the end of the lattice. */
static void find_frontier(walk *w)
{
    pv_record_problem *const problem = w->nodes.problem;
    pv_i_problem_begin(problem, true, w->at);
    for (size_t j = 0; j < problem->n; j++) {
        uint8_t before = w->at[j];
        while (pv_i_problem_step(problem, w->at, j, true) && is_accepted(w)) {
            before = w->at[j];
        }
        w->at[j] = before;
    }
    add(w);
}

static void walk_frontier(walk *w)
{
    pv_record_problem *const problem = w->nodes.problem;
    find_frontier(w);
    for (size_t i = 0; i < w->n && goes_on(w); i++) {
        const pv_record_choice choice = pv_i_nodes_choice(&w->nodes, w->found[i]);
        memcpy(w->at, pv_i_nodes_levels(&w->nodes, w->found[i]), problem->n);
        pv_i_problem_offer(problem, w->at, &choice);
        look_around(w);
    }
}

/* ---------------------------------------------------------- equally good */

static bool is_as_good(walk *w, uint32_t id)
{
    const double first = pv_i_nodes_choice(&w->nodes, id).rank.first;
    const double best = w->nodes.problem->best.rank.first;
    return first <= best && first >= best;
}

/* Those of the frontier that are best, to the front of the list; all others are forgotten. */
static void keep_best(walk *w)
{
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++) {
        if (is_as_good(w, w->found[i])) {
            w->found[n++] = w->found[i];
        }
    }
    w->n = n;
}

static void walk_back(walk *w)
{
    pv_record_problem *const problem = w->nodes.problem;
    keep_best(w);
    if (pv_i_problem_raw_is_best(problem)) {
        return;
    }
    for (size_t i = 0; i < w->n && goes_on(w); i++) {
        memcpy(w->at, pv_i_nodes_levels(&w->nodes, w->found[i]), problem->n);
        for (size_t j = 0; j < problem->n && goes_on(w); j++) {
            const uint8_t before = w->at[j];
            if (!pv_i_problem_step(problem, w->at, j, false)) {
                continue;
            }
            const uint32_t id = pv_i_nodes_find(&w->nodes, w->at);
            if (id != PV_NO_NODE && !w->nodes.nodes[id].is_marked && is_as_good(w, id)) {
                const pv_record_choice choice = pv_i_nodes_choice(&w->nodes, id);
                pv_i_problem_offer(problem, w->at, &choice);
                (void)remember(w, id);
            }
            w->at[j] = before;
        }
    }
}

pv_status pv_i_aruba(pv_record_problem *problem, pv_error *error)
{
    walk w = {.at = PV_NEW_ZEROED(uint8_t, problem->n)};
    pv_status status =
        w.at != NULL ? pv_i_nodes_init(&w.nodes, problem, error) : pv_i_no_memory(error);
    if (status == PV_STATUS_OK) {
        walk_frontier(&w);
        if (problem->is_found) {
            walk_back(&w);
        }
        status = w.nodes.is_out_of_memory ? pv_i_no_memory(error) : PV_STATUS_OK;
        pv_i_nodes_deinit(&w.nodes);
    }
    pv_i_free(w.found);
    pv_i_free(w.at);
    if (status == PV_STATUS_OK && problem->is_stopped) {
        pv_i_problem_greedy(problem);
    }
    problem->is_optimal = !problem->is_stopped && pv_i_weighing_is_monotone(problem->weighing);
    return status;
}
