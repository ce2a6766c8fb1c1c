/* BTDA, the basic top-down algorithm of ARUBA's paper (algorithm 1): a queue of choices, the best
 * first, that begins at the best end of the lattice, where all is told in no detail (or, for the
 * most utility, as it is). As long as the first of the queue is not accepted, the choices one step
 * back take its place. Since these are never better than it, the first one accepted is the best.
 * Equally good ones may still come after it: the queue is followed until it gets worse. */
#include "records/record_methods.h"

#include "base/error.h"
#include "base/memory.h"
#include "records/record_nodes.h"

typedef struct {
    pv_rank rank;
    uint32_t id;
} waiting;

/* A binary heap. */
typedef struct {
    pv_record_nodes nodes;
    waiting *heap;
    size_t n, capacity;
} queue;

/* A total order: choices of equal rank by their levels. */
static bool comes_before(const queue *q, waiting a, waiting b)
{
    const int order = pv_i_rank_compare(a.rank, b.rank);
    return order != 0 ? order < 0
                      : memcmp(pv_i_nodes_levels(&q->nodes, a.id),
                               pv_i_nodes_levels(&q->nodes, b.id), q->nodes.problem->n) < 0;
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
    const uint32_t id = pv_i_nodes_find(&q->nodes, levels);
    if (id == PV_NO_NODE) {
        return !q->nodes.is_out_of_memory;
    }
    if (q->nodes.nodes[id].is_marked) {
        return true;
    }
    q->nodes.nodes[id].is_marked = true;
    return push(q, (waiting){pv_i_nodes_choice(&q->nodes, id).rank, id});
}

static bool enqueue_steps_back(queue *q, uint32_t id)
{
    pv_record_problem *const problem = q->nodes.problem;
    bool ready = true;
    memcpy(problem->at, pv_i_nodes_levels(&q->nodes, id), problem->n);
    for (size_t j = 0; ready && j < problem->n; j++) {
        const uint8_t before = problem->at[j];
        if (pv_i_problem_step(problem, problem->at, j, false)) {
            ready = enqueue(q, problem->at);
            problem->at[j] = before;
        }
    }
    return ready;
}

static bool search(queue *q)
{
    pv_record_problem *const problem = q->nodes.problem;
    pv_i_problem_begin(problem, false, problem->at);
    bool ready = enqueue(q, problem->at);
    while (ready && q->n > 0 && !problem->is_stopped) {
        const waiting first = pop(q);
        if (problem->is_found && first.rank.first > problem->best.rank.first) {
            break;
        }
        const pv_record_choice choice = pv_i_nodes_choice(&q->nodes, first.id);
        pv_i_problem_offer(problem, pv_i_nodes_levels(&q->nodes, first.id), &choice);
        if (pv_i_problem_raw_is_best(problem)) {
            break;
        }
        ready = enqueue_steps_back(q, first.id);
    }
    return ready;
}

pv_status pv_i_btda(pv_record_problem *problem, pv_error *error)
{
    queue q = {0};
    PV_TRY(pv_i_nodes_init(&q.nodes, problem, error));
    const bool ready = search(&q);
    pv_i_nodes_deinit(&q.nodes);
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
