/* The two algorithms of the paper ("ARUBA: a risk-utility-based algorithm for data disclosure") in
 * one record's lattice. Both need risk and utility to be monotone, and remember every choice they
 * looked at.
 *
 *     level of b
 *       3 | o F x x x     o  accepted
 *       2 | o o F x x     x  not accepted: too little utility is left
 *       1 | o o o F x     F  the frontier: accepted, but some step forward is not (looking for the
 *       0 | o o o o F        least risk, forward is to generalize a or b)
 *         +----------- level of a */
#include "records/record_methods.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"

/* ------------------------------------------------------- choices looked at */

/* Each once: found by their levels, whatever the size of the lattice. People are counted only when
 * somebody wants to know. */
typedef struct {
    pv_worth worth;
    uint64_t rho; /* UINT64_MAX: not counted yet */
    bool is_marked;
} choice_node;

typedef struct {
    pv_record_problem *problem;
    pv_keymap map; /* of levels, a byte each */
    choice_node *nodes;
    size_t capacity;
    uint64_t *key; /* scratch */
    size_t most;   /* nodes that memory allows */
    bool is_out_of_memory;
} node_map;

#define NO_NODE UINT32_MAX /* a limit was reached, or memory ran out */

#define FEW_NODES ((size_t)256)

static inline const uint8_t *nodes_levels(const node_map *nodes, uint32_t id)
{
    return (const uint8_t *)(nodes->map.keys + (size_t)id * nodes->map.words);
}

static void nodes_deinit(node_map *nodes)
{
    pv_i_keymap_deinit(&nodes->map);
    pv_i_free(nodes->nodes);
    pv_i_free(nodes->key);
    *nodes = (node_map){0};
}

static pv_status nodes_init(node_map *nodes, pv_record_problem *problem, pv_error *error)
{
    const unsigned words = (unsigned)((problem->n + 7) / 8);
    /* Doubling, keys and nodes are held twice for a moment. */
    const size_t bytes = 2 * (words * sizeof(uint64_t) + 2 * sizeof(uint32_t) +
                              sizeof(choice_node) + sizeof(pv_rank));
    node_map n = {.problem = problem,
                  .key = PV_NEW_ZEROED(uint64_t, words),
                  .most = (size_t)(problem->memory / bytes)};
    if (n.key == NULL || !pv_i_keymap_init(&n.map, words, FEW_NODES)) {
        nodes_deinit(&n);
        return pv_i_no_memory(error);
    }
    *nodes = n;
    return PV_STATUS_OK;
}

static uint32_t nodes_add(node_map *nodes, const uint8_t *levels)
{
    if (nodes->map.n >= nodes->most) {
        nodes->problem->is_stopped = true;
    }
    if (nodes->problem->is_stopped || !pv_i_problem_visit(nodes->problem)) {
        return NO_NODE;
    }
    if (!pv_i_reserve((void **)&nodes->nodes, &nodes->capacity, nodes->map.n + 1,
                      sizeof *nodes->nodes)) {
        nodes->is_out_of_memory = true;
        return NO_NODE;
    }
    const uint32_t id = pv_i_keymap_add(&nodes->map, nodes->key);
    if (id == PV_KEYMAP_FULL) {
        nodes->is_out_of_memory = true;
        return NO_NODE;
    }
    nodes->nodes[id] =
        (choice_node){.worth = pv_i_problem_worth(nodes->problem, levels), .rho = UINT64_MAX};
    return id;
}

static uint32_t nodes_find(node_map *nodes, const uint8_t *levels)
{
    memcpy(nodes->key, levels, nodes->problem->n);
    const uint32_t slot = nodes->map.slots[pv_i_keymap_slot(&nodes->map, nodes->key)];
    return slot != 0 ? slot - 1 : nodes_add(nodes, levels);
}

static pv_record_choice nodes_choice(node_map *nodes, uint32_t id)
{
    choice_node *const node = &nodes->nodes[id];
    if (node->rho == UINT64_MAX) {
        node->rho = pv_i_problem_count(nodes->problem, nodes_levels(nodes, id));
    }
    return pv_i_problem_choice(nodes->problem, node->worth, node->rho);
}

/* The same as its choice's, without counting people where utility decides. */
static bool nodes_accepts(node_map *nodes, uint32_t id)
{
    return nodes->problem->weighing->aim == PV_AIM_LEAST_RISK
               ? nodes->nodes[id].worth.utility >= nodes->problem->floor
               : nodes_choice(nodes, id).is_accepted;
}

/* -------------------------------------------------------------------- BTDA */

/* The basic top-down algorithm (algorithm 1): a queue of choices, the best first, that begins at
 * the best end of the lattice, where nothing is released in detail (or, for the most utility, all
 * of it raw). As long as the first of the queue is not accepted, the choices one step back take its
 * place. Since these are never better than it, the first one accepted is the best. Equally good
 * ones may still come after it: the queue is followed until it gets worse. */
typedef struct {
    pv_rank rank;
    uint32_t id;
} waiting;

/* A binary heap. */
typedef struct {
    node_map nodes;
    waiting *heap;
    size_t n, capacity;
} queue;

/* A total order: choices of equal rank by their levels. Without it the order of the heap, and with
 * a limit of nodes the answer, would depend on how it was filled. */
static bool comes_before(const queue *q, waiting a, waiting b)
{
    const int order = pv_i_rank_compare(a.rank, b.rank);
    return order != 0 ? order < 0
                      : memcmp(nodes_levels(&q->nodes, a.id), nodes_levels(&q->nodes, b.id),
                               q->nodes.problem->n) < 0;
}

static bool push(queue *q, waiting item)
{
    if (!pv_i_reserve((void **)&q->heap, &q->capacity, q->n + 1, sizeof *q->heap)) {
        return false;
    }
    size_t i = q->n++;
    for (; i > 0 && comes_before(q, item, q->heap[(i - 1) / 2]); i = (i - 1) / 2) {
        q->heap[i] = q->heap[(i - 1) / 2];
    }
    q->heap[i] = item;
    return true;
}

static waiting pop(queue *q)
{
    const waiting first = q->heap[0];
    const waiting last = q->heap[--q->n];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= q->n) {
            break;
        }
        child += child + 1 < q->n && comes_before(q, q->heap[child + 1], q->heap[child]);
        if (!comes_before(q, q->heap[child], last)) {
            break;
        }
        q->heap[i] = q->heap[child];
        i = child;
    }
    q->heap[i] = last;
    return first;
}

/* Queues a choice unless it has been. */
static bool enqueue(queue *q, const uint8_t *levels)
{
    const uint32_t id = nodes_find(&q->nodes, levels);
    if (id == NO_NODE) {
        return !q->nodes.is_out_of_memory;
    }
    if (q->nodes.nodes[id].is_marked) {
        return true;
    }
    q->nodes.nodes[id].is_marked = true;
    return push(q, (waiting){nodes_choice(&q->nodes, id).rank, id});
}

static bool enqueue_steps_back(queue *q, uint32_t id)
{
    pv_record_problem *const problem = q->nodes.problem;
    bool ready = true;
    memcpy(problem->at, nodes_levels(&q->nodes, id), problem->n);
    for (size_t j = 0; ready && j < problem->n; j++) {
        const uint8_t before = problem->at[j];
        if (pv_i_problem_step(problem, problem->at, j, false)) {
            ready = enqueue(q, problem->at);
            problem->at[j] = before;
        }
    }
    return ready;
}

static bool search_queue(queue *q)
{
    pv_record_problem *const problem = q->nodes.problem;
    pv_i_problem_end_of(problem, false, problem->at);
    bool ready = enqueue(q, problem->at);
    while (ready && q->n > 0 && !problem->is_stopped) {
        const waiting first = pop(q);
        if (problem->is_found && first.rank.first > problem->best.rank.first) {
            break;
        }
        const pv_record_choice choice = nodes_choice(&q->nodes, first.id);
        pv_i_problem_offer(problem, nodes_levels(&q->nodes, first.id), &choice);
        if (pv_i_problem_bottom_is_best(problem)) {
            break;
        }
        ready = enqueue_steps_back(q, first.id);
    }
    return ready;
}

pv_status pv_i_btda(pv_record_problem *problem, pv_error *error)
{
    queue q = {0};
    PV_TRY(nodes_init(&q.nodes, problem, error));
    const bool ready = search_queue(&q);
    nodes_deinit(&q.nodes);
    pv_i_free(q.heap);
    if (!ready) {
        return pv_i_no_memory(error);
    }
    if (problem->is_stopped) { /* stopped early, it has hardly anything to show */
        pv_i_problem_greedy(problem);
    }
    problem->is_optimal = !problem->is_stopped && pv_i_weighing_is_monotone(problem->weighing);
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- ARUBA */

/* Algorithm 2: the best choice lies on the frontier, among the accepted
 * choices of which some step forward is not accepted. From one of them all others are
 * found.
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
 * towards it keeps them equally good: they are found by going back as long as nothing changes. */
typedef struct {
    node_map nodes;
    uint32_t *found; /* choices to go on from, in the order of discovery */
    size_t n, capacity;
    uint8_t *at; /* scratch: levels */
} frontier;

static bool remember(frontier *f, uint32_t id)
{
    if (!pv_i_reserve((void **)&f->found, &f->capacity, f->n + 1, sizeof *f->found)) {
        f->nodes.is_out_of_memory = true;
        return false;
    }
    f->nodes.nodes[id].is_marked = true;
    f->found[f->n++] = id;
    return true;
}

static bool is_running(const frontier *f)
{
    return !f->nodes.problem->is_stopped && !f->nodes.is_out_of_memory;
}

/* Is the choice at f->at accepted? */
static bool is_accepted(frontier *f)
{
    const uint32_t id = is_running(f) ? nodes_find(&f->nodes, f->at) : NO_NODE;
    return id != NO_NODE && nodes_accepts(&f->nodes, id);
}

/* The choice at f->at is on the frontier. */
static void add_to_frontier(frontier *f)
{
    const uint32_t id = is_running(f) ? nodes_find(&f->nodes, f->at) : NO_NODE;
    if (id != NO_NODE && !f->nodes.nodes[id].is_marked) {
        (void)remember(f, id);
    }
}

/* Exchanges the step of i that leaves the frontier with one of j after or before it. */
static void exchange(frontier *f, size_t i, size_t j)
{
    const pv_record_problem *const problem = f->nodes.problem;
    const uint8_t at_i = f->at[i];
    const uint8_t at_j = f->at[j];
    if (pv_i_problem_step(problem, f->at, j, true)) {
        if (is_accepted(f)) {
            add_to_frontier(f);
        }
        f->at[j] = at_j;
    }
    if (pv_i_problem_step(problem, f->at, j, false)) {
        (void)pv_i_problem_step(problem, f->at, i, true);
        if (!is_accepted(f)) {
            f->at[i] = at_i;
        }
        add_to_frontier(f);
        f->at[i] = at_i;
        f->at[j] = at_j;
    }
}

/* All neighbours on the frontier of the choice at f->at. */
static void look_around(frontier *f)
{
    const pv_record_problem *const problem = f->nodes.problem;
    for (size_t i = 0; i < problem->n; i++) {
        const uint8_t before = f->at[i];
        if (!pv_i_problem_step(problem, f->at, i, true)) {
            continue;
        }
        const bool leaves = !is_accepted(f);
        f->at[i] = before;
        for (size_t j = 0; leaves && j < problem->n && is_running(f); j++) {
            if (j != i) {
                exchange(f, i, j);
            }
        }
    }
}

/* Attribute by attribute as far forward as is accepted. The end is on the frontier, unless it is
 * the end of the lattice. */
static void find_frontier(frontier *f)
{
    pv_record_problem *const problem = f->nodes.problem;
    pv_i_problem_end_of(problem, true, f->at);
    for (size_t j = 0; j < problem->n; j++) {
        uint8_t before = f->at[j];
        while (pv_i_problem_step(problem, f->at, j, true) && is_accepted(f)) {
            before = f->at[j];
        }
        f->at[j] = before;
    }
    add_to_frontier(f);
}

static void follow_frontier(frontier *f)
{
    pv_record_problem *const problem = f->nodes.problem;
    find_frontier(f);
    for (size_t i = 0; i < f->n && is_running(f); i++) {
        const pv_record_choice choice = nodes_choice(&f->nodes, f->found[i]);
        memcpy(f->at, nodes_levels(&f->nodes, f->found[i]), problem->n);
        pv_i_problem_offer(problem, f->at, &choice);
        look_around(f);
    }
}

/* ---------------------------------------------------------- equally good */

static bool is_as_good(frontier *f, uint32_t id)
{
    const double first = nodes_choice(&f->nodes, id).rank.first;
    const double best = f->nodes.problem->best.rank.first;
    return first <= best && first >= best;
}

/* Those of the frontier that are best, to the front of the list; all others are forgotten. */
static void keep_best(frontier *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (is_as_good(f, f->found[i])) {
            f->found[n++] = f->found[i];
        }
    }
    f->n = n;
}

static void go_back(frontier *f)
{
    pv_record_problem *const problem = f->nodes.problem;
    keep_best(f);
    if (pv_i_problem_bottom_is_best(problem)) {
        return;
    }
    for (size_t i = 0; i < f->n && is_running(f); i++) {
        memcpy(f->at, nodes_levels(&f->nodes, f->found[i]), problem->n);
        for (size_t j = 0; j < problem->n && is_running(f); j++) {
            const uint8_t before = f->at[j];
            if (!pv_i_problem_step(problem, f->at, j, false)) {
                continue;
            }
            const uint32_t id = nodes_find(&f->nodes, f->at);
            if (id != NO_NODE && !f->nodes.nodes[id].is_marked && is_as_good(f, id)) {
                const pv_record_choice choice = nodes_choice(&f->nodes, id);
                pv_i_problem_offer(problem, f->at, &choice);
                (void)remember(f, id);
            }
            f->at[j] = before;
        }
    }
}

pv_status pv_i_aruba(pv_record_problem *problem, pv_error *error)
{
    frontier f = {.at = PV_NEW_ZEROED(uint8_t, problem->n)};
    pv_status status = f.at != NULL ? nodes_init(&f.nodes, problem, error) : pv_i_no_memory(error);
    if (status == PV_STATUS_OK) {
        follow_frontier(&f);
        if (problem->is_found) {
            go_back(&f);
        }
        status = f.nodes.is_out_of_memory ? pv_i_no_memory(error) : PV_STATUS_OK;
        nodes_deinit(&f.nodes);
    }
    pv_i_free(f.found);
    pv_i_free(f.at);
    if (status == PV_STATUS_OK && problem->is_stopped) {
        pv_i_problem_greedy(problem);
    }
    problem->is_optimal = !problem->is_stopped && pv_i_weighing_is_monotone(problem->weighing);
    return status;
}
