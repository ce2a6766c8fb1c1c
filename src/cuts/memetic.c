/* Evolution with local search over cuts (memetic).
 *
 *     populate()      the coarsest, known schemes, sweeps in different orders, random ones
 *     repeat          make_child()     in parallel, each with random numbers of its own
 *                     join(), survive()
 *
 * A child takes whole attributes from two parents, since cuts of one attribute belong together;
 * moves a few cuts; is repaired if its classes became too small; and is sometimes swept: attribute
 * after attribute gets the best partition that the others allow (cut_intervals.h). Parents and
 * children compete; no scheme is there twice.
 *
 * Sweeps look at the loss only. Where a bias counts as well, only those are swept whose loss
 * decides on their value, most of the first population is random, and those with more k for more
 * value survive, too, as in NSGA-II: a scheme whose few classes are alike in size is not crowded
 * out by those that lose little. */
#include "cuts/cut_search.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "cuts/cut_intervals.h"
#include "front/front.h"

#include <stdlib.h>
#include <string.h>

/* How many children move cuts, how many cuts at most, and how many children are swept. A sweep
 * counts the table once per attribute and round: more of them would leave less for variety. */
#define MOVING 0.9
#define MOST_MOVES 3
#define SWEPT 0.1
/* A small table is looked through long before the last evaluation: after so many generations
 * without anything new there is nothing left to find. */
#define MOST_STALE 5

typedef struct {
    pv_cut_run *run;
    pv_cut_search_options options; /* with all defaults filled in */
    size_t n_bits;
    size_t population;
    pv_cut_local *locals; /* one per thread */
    uint32_t *members;    /* ids: first the population, then the children */
    size_t n_members;
    uint8_t *parents, *children; /* schemes */
    pv_cut_outcome *outcomes;    /* of the children */
    uint8_t *swept;              /* scratch memory for a scheme per thread */
    pv_nsga2_member *ranked;     /* of the members, to sort them; NULL if no bias counts */
    uint64_t *scratch;           /* for sorting */
    uint64_t generation;
    unsigned stale; /* generations in a row in which every child was known */
} memetic;

/* ---------------------------------------------------------------- children */

/* Every child has random numbers of its own, from the seed, the generation and its number: which
 * thread makes it, and when, does not matter. */
static void child_rng(const memetic *m, size_t child, pv_rng *rng)
{
    const uint64_t words[] = {m->options.seed, m->generation, child};
    pv_i_rng_init(rng, pv_i_hash_words(words, 3));
}

/* The population is sorted: the smaller place wins. */
static const uint8_t *tournament(const memetic *m, pv_rng *rng)
{
    const uint64_t a = pv_i_rng_below(rng, m->n_members);
    const uint64_t b = pv_i_rng_below(rng, m->n_members);
    return m->parents + (size_t)(a < b ? a : b) * m->n_bits;
}

static uint64_t value_of(const memetic *m, const pv_cut_outcome *outcome)
{
    return pv_i_cut_value(&m->options.goal, m->run->prices, outcome->cost, outcome->bias);
}

/* Sweeps a scheme, unless that makes it worse: the cost never grows, but with a bias in the goal
 * the value may. */
static bool sweep(const memetic *m, unsigned worker, pv_rng *rng, uint8_t *cuts,
                  pv_cut_outcome *outcome)
{
    const size_t n_bits = m->n_bits;
    pv_cut_local *const local = &m->locals[worker];
    uint8_t *const swept = m->swept + worker * n_bits;
    pv_cut_outcome after;
    memcpy(swept, cuts, n_bits);
    if (!pv_i_cut_sweep(local, rng, swept) || !pv_i_cut_local_evaluate(local, swept, &after)) {
        return false;
    }
    if (value_of(m, &after) <= value_of(m, outcome)) {
        memcpy(cuts, swept, n_bits);
        *outcome = after;
    }
    return true;
}

/* Makes a scheme valid, and maybe sweeps it. */
static bool finish(const memetic *m, unsigned worker, pv_rng *rng, double swept, uint8_t *cuts,
                   pv_cut_outcome *outcome)
{
    pv_cut_local *const local = &m->locals[worker];
    if (!pv_i_cut_local_evaluate(local, cuts, outcome)) {
        return false;
    }
    if (!pv_i_cut_is_valid(local, cuts, outcome) &&
        (!pv_i_cut_repair(local, rng, cuts) || !pv_i_cut_local_evaluate(local, cuts, outcome))) {
        return false;
    }
    /* A sweep helps only where it is the loss that makes the value, not the bias. */
    return pv_i_rng_unit(rng) >= swept ||
           value_of(m, outcome) != outcome->cost >> pv_i_cut_shift(&m->options.goal) ||
           sweep(m, worker, rng, cuts, outcome);
}

static pv_status make_child(void *ctx, size_t number, const pv_thread *thread, pv_error *error)
{
    const memetic *const m = ctx;
    const pv_cut_space *const space = m->run->space;
    uint8_t *const child = m->children + number * m->n_bits;
    pv_rng rng;
    child_rng(m, number, &rng);
    const uint8_t *const a = tournament(m, &rng);
    const uint8_t *const b = tournament(m, &rng);
    memcpy(child, a, m->n_bits);
    if (pv_i_rng_unit(&rng) < m->options.crossover) {
        for (size_t i = 0; i < space->n_axes; i++) {
            const pv_cut_axis *const axis = &space->axes[i];
            if (pv_i_rng_below(&rng, 2) == 1) {
                memcpy(child + axis->first_bit, b + axis->first_bit, axis->n - 1);
            }
        }
    }
    if (pv_i_rng_unit(&rng) < MOVING) {
        for (uint64_t i = 1 + pv_i_rng_below(&rng, MOST_MOVES); i > 0; i--) {
            pv_i_cut_move(&m->locals[thread->number], &rng, child);
        }
        pv_i_cut_limit(space, child);
    }
    return finish(m, thread->number, &rng, SWEPT, child, &m->outcomes[number])
               ? PV_STATUS_OK
               : pv_i_no_memory(error);
}

/* -------------------------------------------------------------- population */

/* A total order: by what is better, then by id. The same members are in the same order on any
 * number of threads. */
static int compare_members(const void *left, const void *right, void *ctx)
{
    const memetic *const m = ctx;
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    if (pv_i_cut_is_better(m->run, &m->options.goal, a, b)) {
        return -1;
    }
    return pv_i_cut_is_better(m->run, &m->options.goal, b, a) ? 1 : (a > b) - (a < b);
}

/* Each once, the best first. Equal ids are neighbours then, since the order is total. */
static size_t sort_by_value(memetic *m, size_t n)
{
    size_t n_distinct = 0;
    qsort_r(m->members, n, sizeof *m->members, compare_members, m);
    for (size_t i = 0; i < n; i++) {
        if (n_distinct == 0 || m->members[i] != m->members[n_distinct - 1]) {
            m->members[n_distinct++] = m->members[i];
        }
    }
    return n_distinct;
}

/* Effort is counted in passes over the table, by all threads: sweeps count as often as they look.
 */
static uint64_t counted(const memetic *m)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < m->run->threads; i++) {
        sum += m->locals[i].counted;
    }
    return sum;
}

/* The children join those that are there already; the first in order survive. */
static pv_status join(memetic *m, pv_error *error)
{
    const size_t known = m->run->map.n;
    for (size_t i = 0; i < m->population; i++) {
        PV_TRY(pv_i_cut_run_remember(m->run, m->children + i * m->n_bits, &m->outcomes[i],
                                     &m->members[m->n_members + i], error));
    }
    m->stale = m->run->map.n > known ? 0 : m->stale + 1;
    m->run->asked += m->population;
    m->generation++;
    const size_t n = sort_by_value(m, m->n_members + m->population);
    /* Where a bias counts: those that nothing exceeds in value and k first, and of them the least
     * crowded. All are feasible: whatever was not has been repaired. */
    for (size_t i = 0; m->ranked != NULL && i < n; i++) {
        const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(m->run, m->members[i]);
        m->ranked[i] = (pv_nsga2_member){.value = value_of(m, outcome),
                                         .k = outcome->sizes.smallest,
                                         .id = m->members[i],
                                         .feasible = true};
    }
    if (m->ranked != NULL) {
        pv_i_nsga2_sort(m->ranked, n, m->scratch);
    }
    for (size_t i = 0; m->ranked != NULL && i < n; i++) {
        m->members[i] = m->ranked[i].id;
    }
    m->n_members = n < m->population ? n : m->population;
    for (size_t i = 0; i < m->n_members; i++) {
        pv_i_cut_run_scheme(m->run, m->members[i], m->parents + i * m->n_bits);
    }
    return PV_STATUS_OK;
}

/* The coarsest scheme, what there is to start from, sweeps from there in different orders, and
 * schemes at random. */
static pv_status populate(memetic *m, pv_error *error)
{
    const size_t n_bits = m->n_bits;
    const size_t n_given =
        m->options.n_start < m->population / 2 ? m->options.n_start : m->population / 2;
    for (size_t i = 0; i < m->population; i++) {
        uint8_t *const child = m->children + i * n_bits;
        const bool is_given = i >= 1 && i <= n_given;
        /* Sweeps count the table often: not more than a quarter of all is for the first
         * population. Where a bias counts, they are only a part of it. */
        const bool is_swept = m->ranked != NULL
                                  ? i % 4 == 0 && counted(m) <= m->options.evaluations / 8
                                  : counted(m) <= m->options.evaluations / 4;
        const bool is_random = i > n_given && !is_swept;
        pv_rng rng;
        child_rng(m, i, &rng);
        memcpy(child, m->run->space->coarsest, n_bits);
        if (is_given) {
            memcpy(child, m->options.start + (i - 1) * n_bits, n_bits);
        } else if (is_random) {
            pv_i_cut_random(n_bits, &rng, child);
            pv_i_cut_limit(m->run->space, child);
        }
        if (!finish(m, 0, &rng, i > n_given && !is_random ? 1 : 0, child, &m->outcomes[i])) {
            return pv_i_no_memory(error);
        }
    }
    return join(m, error);
}

pv_status pv_i_memetic(pv_cut_run *run, const pv_cut_search_options *options, pv_cut_result *result,
                       pv_error *error)
{
    const size_t n_bits = run->space->n_bits;
    memetic m = {.run = run, .options = *options, .n_bits = n_bits};
    const pv_cut_search_options *const o = &m.options;
    pv_status status = PV_STATUS_OK;
    PV_TRY(pv_i_cut_search_fill("memetic", &m.options, error));
    const bool has_bias = o->goal.bias_slope > 0;
    const size_t n = m.population = o->population;
    m.locals = PV_NEW_ZEROED(pv_cut_local, run->threads);
    m.members = PV_NEW_ARRAY(uint32_t, 2 * n);
    m.parents = pv_i_array(n, n_bits);
    m.children = pv_i_array(n, n_bits);
    m.outcomes = PV_NEW_ARRAY(pv_cut_outcome, n);
    m.swept = pv_i_array(run->threads, n_bits);
    m.scratch = PV_NEW_ARRAY(uint64_t, 2 * n);
    m.ranked = has_bias ? PV_NEW_ARRAY(pv_nsga2_member, 2 * n) : NULL;
    if (m.locals == NULL || m.members == NULL || m.parents == NULL || m.children == NULL ||
        m.outcomes == NULL || m.swept == NULL || m.scratch == NULL ||
        (has_bias && m.ranked == NULL)) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    for (unsigned i = 0; i < run->threads; i++) {
        PV_TRY_CLEAN(pv_i_cut_local_init(&m.locals[i], run->table, run->prices, run->criteria,
                                         o->goal.k, error));
    }
    /* Nothing can be valid if the coarsest is not. */
    memcpy(m.children, run->space->coarsest, n_bits);
    if (!pv_i_cut_local_evaluate(&m.locals[0], m.children, m.outcomes)) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    if (pv_i_cut_is_valid(&m.locals[0], m.children, m.outcomes)) {
        PV_TRY_CLEAN(populate(&m, error));
        while (counted(&m) < o->evaluations && m.stale < MOST_STALE &&
               (o->keep_going == NULL || o->keep_going(o->ctx, run, m.members[0]))) {
            PV_TRY_CLEAN(pv_i_tasks_run(run->threads, n, make_child, &m, NULL, error));
            PV_TRY_CLEAN(join(&m, error));
        }
    }
    PV_TRY_CLEAN(pv_i_cut_result_of(run, &o->goal, result, error));
    result->generations = m.generation;
cleanup:
    for (unsigned i = 0; m.locals != NULL && i < run->threads; i++) {
        pv_i_cut_local_deinit(&m.locals[i]);
    }
    pv_i_free(m.locals);
    pv_i_free(m.members);
    pv_i_free(m.parents);
    pv_i_free(m.children);
    pv_i_free(m.outcomes);
    pv_i_free(m.swept);
    pv_i_free(m.scratch);
    pv_i_free(m.ranked);
    return status;
}
