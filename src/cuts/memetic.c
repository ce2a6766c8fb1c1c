/* Evolution with local search over cuts.
 *
 * Children take whole attributes from two parents, move a few cuts, and are repaired if their
 * classes became too small; some are swept: attribute after attribute gets the best partition that
 * the others allow. Parents and children compete; nobody is there twice.
 *
 * Sweeps look at the loss only. Where a bias counts as well, only those are swept whose loss
 * decides on their value, most of the first population is scattered at random, and those with more
 * k for more value survive, too, as in NSGA-II: a scheme whose few classes are alike in size is not
 * crowded out by those that lose little. */
#include "cuts/cut_search.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/pool.h"
#include "cuts/cut_local.h"
#include "cuts/nsga2.h"
#include "front/front.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define EVALUATIONS 50000
#define POPULATION 100
#define CROSSOVER 0.8
/* How many children move cuts, how many cuts at most, and how many children are swept. */
#define MOVING 0.9
#define MOST_MOVES 3
#define SWEPT 0.1
/* A small table is looked through long before the last evaluation: after so many generations
 * without anything new there is nothing left to find. */
#define MOST_STALE 5

typedef struct {
    pv_cut_run *run;
    const pv_cut_search_options *options;
    uint64_t seed, evaluations;
    size_t population;
    double crossover;
    pv_cut_local *locals; /* one per thread */
    uint32_t *people;     /* ids: first the population, then the children */
    size_t n_people;
    uint8_t *parents, *children; /* schemes */
    pv_cut_outcome *outcomes;    /* of the children */
    uint8_t *spares;             /* room for a scheme per thread */
    pv_nsga2_member *members;    /* of people, to sort them; NULL if no bias counts */
    uint64_t *room;
    uint64_t generation;
    unsigned stale;            /* generations in a row in which every child was known */
    atomic_uint_fast64_t next; /* child */
    atomic_bool failed;
} memetic;

/* ---------------------------------------------------------------- children */

/* Every child has random numbers of its own, whoever makes it. */
static void child_rng(const memetic *m, size_t child, pv_rng *rng)
{
    const uint64_t words[] = {m->seed, m->generation, child};
    pv_i_rng_init(rng, pv_i_hash_words(words, 3));
}

/* The population is sorted: the smaller place wins. */
static const uint8_t *tournament(const memetic *m, size_t n, pv_rng *rng)
{
    const uint64_t a = pv_i_rng_below(rng, n);
    const uint64_t b = pv_i_rng_below(rng, n);
    return m->parents + (size_t)(a < b ? a : b) * m->run->space->n_bits;
}

static void inherit(const memetic *m, pv_rng *rng, uint8_t *child)
{
    const pv_cut_space *const space = m->run->space;
    const uint8_t *const a = tournament(m, m->n_people, rng);
    const uint8_t *const b = tournament(m, m->n_people, rng);
    memcpy(child, a, space->n_bits);
    if (pv_i_rng_unit(rng) >= m->crossover) {
        return;
    }
    for (size_t i = 0; i < space->n_axes; i++) {
        const pv_cut_axis *const axis = &space->axes[i];
        if (pv_i_rng_below(rng, 2) == 1) {
            memcpy(child + axis->first_bit, b + axis->first_bit, axis->n - 1);
        }
    }
}

static uint64_t value_of(const memetic *m, const pv_cut_outcome *outcome)
{
    return pv_i_cut_value(&m->options->goal, m->run->prices, outcome->cost, outcome->bias);
}

/* Sweeps a scheme, unless that makes it worse. */
static bool sweep(const memetic *m, unsigned worker, pv_rng *rng, uint8_t *cuts,
                  pv_cut_outcome *outcome)
{
    const size_t n_bits = m->run->space->n_bits;
    pv_cut_local *const local = &m->locals[worker];
    uint8_t *const swept = m->spares + worker * n_bits;
    pv_cut_outcome after;
    memcpy(swept, cuts, n_bits);
    if (!pv_i_cut_sweep(local, rng, swept) || !pv_i_cut_look(local, swept, &after)) {
        return false;
    }
    if (value_of(m, &after) <= value_of(m, outcome)) {
        memcpy(cuts, swept, n_bits);
        *outcome = after;
    }
    return true;
}

/* Is it the loss that makes its value, not the bias? */
static bool is_about_loss(const memetic *m, const pv_cut_outcome *outcome)
{
    return value_of(m, outcome) == outcome->cost >> pv_i_cut_shift(&m->options->goal);
}

/* Makes a scheme sound, and maybe sweeps it. */
static bool finish(const memetic *m, unsigned worker, pv_rng *rng, double swept, uint8_t *cuts,
                   pv_cut_outcome *outcome)
{
    pv_cut_local *const local = &m->locals[worker];
    if (!pv_i_cut_look(local, cuts, outcome)) {
        return false;
    }
    if (!pv_i_cut_is_sound(local, cuts, outcome) &&
        (!pv_i_cut_repair(local, rng, cuts) || !pv_i_cut_look(local, cuts, outcome))) {
        return false;
    }
    return pv_i_rng_unit(rng) >= swept || !is_about_loss(m, outcome) ||
           sweep(m, worker, rng, cuts, outcome);
}

static bool make_child(const memetic *m, unsigned worker, size_t number)
{
    uint8_t *const child = m->children + number * m->run->space->n_bits;
    pv_rng rng;
    child_rng(m, number, &rng);
    inherit(m, &rng, child);
    if (pv_i_rng_unit(&rng) < MOVING) {
        for (uint64_t i = 1 + pv_i_rng_below(&rng, MOST_MOVES); i > 0; i--) {
            pv_i_cut_move(&m->locals[worker], &rng, child);
        }
    }
    return finish(m, worker, &rng, SWEPT, child, &m->outcomes[number]);
}

static void make_children(void *ctx, unsigned worker)
{
    memetic *const m = ctx;
    for (;;) {
        const size_t child = (size_t)atomic_fetch_add(&m->next, 1);
        if (child >= m->population || atomic_load(&m->failed)) {
            return;
        }
        if (!make_child(m, worker, child)) {
            atomic_store(&m->failed, true);
        }
    }
}

/* -------------------------------------------------------------- population */

static int compare_people(const void *left, const void *right, void *ctx)
{
    const memetic *const m = ctx;
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    if (pv_i_cut_is_better(m->run, &m->options->goal, a, b)) {
        return -1;
    }
    return pv_i_cut_is_better(m->run, &m->options->goal, b, a) ? 1 : (a > b) - (a < b);
}

/* Each once, the best first. */
static size_t sort_by_value(memetic *m, size_t n)
{
    size_t kept = 0;
    qsort_r(m->people, n, sizeof *m->people, compare_people, m);
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || m->people[i] != m->people[kept - 1]) {
            m->people[kept++] = m->people[i];
        }
    }
    return kept;
}

/* Those that nothing exceeds in value and k first, and of them the least crowded. */
static void sort_by_fronts(memetic *m, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(m->run, m->people[i]);
        m->members[i] = (pv_nsga2_member){.value = value_of(m, outcome),
                                          .k = outcome->sizes.smallest,
                                          .id = m->people[i],
                                          .feasible = true};
    }
    pv_i_nsga2_sort(m->members, n, m->room);
    for (size_t i = 0; i < n; i++) {
        m->people[i] = m->members[i].id;
    }
}

/* The first in order stay. */
static void survive(memetic *m, size_t n)
{
    const size_t kept = sort_by_value(m, n);
    if (m->members != NULL) {
        sort_by_fronts(m, kept);
    }
    m->n_people = kept < m->population ? kept : m->population;
    for (size_t i = 0; i < m->n_people; i++) {
        pv_i_cut_run_scheme(m->run, m->people[i], m->parents + i * m->run->space->n_bits);
    }
}

static uint64_t looks(const memetic *m)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < m->run->threads; i++) {
        sum += m->locals[i].looks;
    }
    return sum;
}

/* The children join those that are there already. */
static pv_status join(memetic *m, pv_error *error)
{
    const size_t n_bits = m->run->space->n_bits;
    const size_t known = m->run->map.n;
    for (size_t i = 0; i < m->population; i++) {
        PV_TRY(pv_i_cut_run_remember(m->run, m->children + i * n_bits, &m->outcomes[i],
                                     &m->people[m->n_people + i], error));
    }
    m->stale = m->run->map.n > known ? 0 : m->stale + 1;
    m->run->asked += m->population;
    m->generation++;
    survive(m, m->n_people + m->population);
    return PV_STATUS_OK;
}

static pv_status breed(memetic *m, pv_error *error)
{
    atomic_store(&m->next, 0);
    pv_i_pool_run(m->run->threads, make_children, m);
    return atomic_load(&m->failed) ? pv_i_no_memory(error) : join(m, error);
}

/* Sweeps need many looks: not more than a quarter of all is for the first population. Where a bias
 * counts, they are only a part of it. */
static bool is_swept(const memetic *m, size_t founder)
{
    return m->members != NULL ? founder % 4 == 0 && looks(m) <= m->evaluations / 8
                              : looks(m) <= m->evaluations / 4;
}

/* Everything merged, what there is to start from, sweeps from there in different orders, and
 * schemes at random. */
static pv_status populate(memetic *m, pv_error *error)
{
    const size_t n_bits = m->run->space->n_bits;
    const size_t n_given =
        m->options->n_start < m->population / 2 ? m->options->n_start : m->population / 2;
    memset(m->children, 0, m->population * n_bits);
    for (size_t i = 0; i < m->population; i++) {
        uint8_t *const child = m->children + i * n_bits;
        const bool is_given = i >= 1 && i <= n_given;
        const bool is_random = i > n_given && !is_swept(m, i);
        pv_rng rng;
        child_rng(m, i, &rng);
        if (is_given) {
            memcpy(child, m->options->start + (i - 1) * n_bits, n_bits);
        } else if (is_random) {
            pv_i_cut_scatter(n_bits, &rng, child);
        }
        if (!finish(m, 0, &rng, i > n_given && !is_random ? 1 : 0, child, &m->outcomes[i])) {
            return pv_i_no_memory(error);
        }
    }
    return join(m, error);
}

static bool goes_on(const memetic *m)
{
    const pv_cut_search_options *const o = m->options;
    return looks(m) < m->evaluations && m->stale < MOST_STALE &&
           (o->keep_going == NULL || o->keep_going(o->ctx, m->run, m->people[0]));
}

static pv_status evolve(memetic *m, pv_cut_result *result, pv_error *error)
{
    memset(m->children, 0, m->run->space->n_bits);
    if (!pv_i_cut_look(&m->locals[0], m->children, m->outcomes)) {
        return pv_i_no_memory(error);
    }
    if (!pv_i_cut_is_sound(&m->locals[0], m->children, m->outcomes)) {
        return pv_i_cut_result_of(m->run, &m->options->goal, result, error);
    }
    PV_TRY(populate(m, error));
    while (goes_on(m)) {
        PV_TRY(breed(m, error));
    }
    PV_TRY(pv_i_cut_result_of(m->run, &m->options->goal, result, error));
    result->generations = m->generation;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ set up */

static pv_status init(memetic *m, pv_error *error)
{
    const size_t n_bits = m->run->space->n_bits;
    m->locals = PV_NEW_ZEROED(pv_cut_local, m->run->threads);
    m->people = PV_NEW_ARRAY(uint32_t, 2 * m->population);
    m->parents = pv_i_array(m->population, n_bits);
    m->children = pv_i_array(m->population, n_bits);
    m->outcomes = PV_NEW_ARRAY(pv_cut_outcome, m->population);
    m->spares = pv_i_array(m->run->threads, n_bits);
    m->room = PV_NEW_ARRAY(uint64_t, 2 * m->population);
    const bool counts = m->options->goal.bias_slope > 0;
    m->members = counts ? PV_NEW_ARRAY(pv_nsga2_member, 2 * m->population) : NULL;
    pv_status status = m->locals != NULL && m->people != NULL && m->parents != NULL &&
                               m->children != NULL && m->outcomes != NULL && m->spares != NULL &&
                               m->room != NULL && (!counts || m->members != NULL)
                           ? PV_STATUS_OK
                           : pv_i_no_memory(error);
    for (unsigned i = 0; status == PV_STATUS_OK && i < m->run->threads; i++) {
        status = pv_i_cut_local_init(&m->locals[i], m->run->table, m->run->prices, m->run->aspects,
                                     m->options->goal.k, error);
    }
    return status;
}

static void deinit(memetic *m)
{
    for (unsigned i = 0; m->locals != NULL && i < m->run->threads; i++) {
        pv_i_cut_local_deinit(&m->locals[i]);
    }
    pv_i_free(m->locals);
    pv_i_free(m->people);
    pv_i_free(m->parents);
    pv_i_free(m->children);
    pv_i_free(m->outcomes);
    pv_i_free(m->spares);
    pv_i_free(m->room);
    pv_i_free(m->members);
}

pv_status pv_i_memetic(pv_cut_run *run, const pv_cut_search_options *options, pv_cut_result *result,
                       pv_error *error)
{
    memetic m = {.run = run,
                 .options = options,
                 .seed = options->seed > 0 ? options->seed : 1,
                 .evaluations = options->evaluations > 0 ? options->evaluations : EVALUATIONS,
                 .population = options->population > 0 ? options->population : POPULATION,
                 .crossover = pv_i_chance(options->crossover, CROSSOVER)};
    PV_TRY(pv_i_chances_check(m.population, m.crossover, 0, error));
    atomic_init(&m.next, 0);
    atomic_init(&m.failed, false);
    pv_status status = init(&m, error);
    if (status == PV_STATUS_OK) {
        status = evolve(&m, result, error);
    }
    deinit(&m);
    return status;
}
