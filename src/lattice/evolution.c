/* Parameters and operators of the evolutionary searches, and their memo.
 *
 * The memo maps the levels of a scheme, a byte each, to a number that counts up from 0 in the order
 * of first evaluation; values[number * objectives ...] are what it turned out to be:
 *
 *     map   | 3 1 0 2 | -> 0        values  | k, -glm of 3 1 0 2 | k, -glm of 0 0 0 0 | ...
 *           | 0 0 0 0 | -> 1
 *
 * Infeasible schemes have -INFINITY everywhere: everything dominates them. */
#include "lattice/evolution.h"

#include "base/error.h"
#include "base/memory.h"
#include "front/front.h"

#include <math.h>
#include <string.h>

#define CROSSOVER 0.8
#define POPULATION 25
#define ITERATIONS 100
#define PATIENCE 50
/* Lattices this large get more generations. (Larger populations do not pay: among 10^15 schemes,
 * with 10,000 evaluations, 25 found a better front than 50, 100 or 200.) */
#define LARGE 1e6
#define LARGE_ITERATIONS 2000

pv_status pv_i_evolution_init(pv_evolution *evolution, const pv_run *run, pv_error *error)
{
    const pv_search_options *const asked = &run->options;
    const bool large = run->lattice.size > LARGE;
    *evolution =
        (pv_evolution){.population = asked->population > 0 ? asked->population : POPULATION,
                       .iterations = asked->iterations > 0 ? asked->iterations
                                     : large               ? LARGE_ITERATIONS
                                                           : ITERATIONS,
                       .crossover = pv_i_chance(asked->crossover, CROSSOVER),
                       .mutation = pv_i_chance(asked->mutation, 1.0 / (double)run->lattice.n_axes),
                       .patience = asked->patience > 0 ? asked->patience : PATIENCE};
    if (evolution->population < 2) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "a population has room for both ends of the lattice: 2 schemes or more");
    }
    return pv_i_chances_check(evolution->population, evolution->crossover, evolution->mutation,
                              error);
}

/* -------------------------------------------------------------- operators */

void pv_i_random_scheme(const pv_lattice *lattice, pv_rng *rng, uint8_t *levels)
{
    for (size_t axis = 0; axis < lattice->n_axes; axis++) {
        levels[axis] = (uint8_t)pv_i_rng_below(rng, lattice->heights[axis] + UINT64_C(1));
    }
}

/* One-point crossover: swaps what comes after a random point, so that each child has something of
 * both. */
static void cross(pv_rng *rng, uint8_t *a, uint8_t *b, size_t n_axes)
{
    if (n_axes < 2) {
        return;
    }
    for (size_t axis = 1 + (size_t)pv_i_rng_below(rng, n_axes - 1); axis < n_axes; axis++) {
        const uint8_t level = a[axis];
        a[axis] = b[axis];
        b[axis] = level;
    }
}

/* Each level is moved by chance, one up or down; beyond an end it stays. */
static void mutate(const pv_lattice *lattice, pv_rng *rng, double mutation, uint8_t *levels)
{
    for (size_t axis = 0; axis < lattice->n_axes; axis++) {
        if (pv_i_rng_unit(rng) >= mutation) {
            continue;
        }
        const bool up = pv_i_rng_below(rng, 2) == 1;
        if (up && levels[axis] < lattice->heights[axis]) {
            levels[axis]++;
        } else if (!up && levels[axis] > 0) {
            levels[axis]--;
        }
    }
}

void pv_i_recombine(const pv_evolution *evolution, const pv_lattice *lattice, pv_rng *rng,
                    uint8_t *schemes, size_t n)
{
    const size_t n_axes = lattice->n_axes;
    for (size_t i = 0; i + 1 < n; i += 2) {
        if (pv_i_rng_unit(rng) < evolution->crossover) {
            cross(rng, schemes + i * n_axes, schemes + (i + 1) * n_axes, n_axes);
        }
    }
    for (size_t i = 0; i < n; i++) {
        mutate(lattice, rng, evolution->mutation, schemes + i * n_axes);
    }
}

/* ------------------------------------------------------------------- memo */

/* However little memory there is. */
#define FEWEST_KEPT ((size_t)1 << 16)

pv_status pv_i_memo_init(pv_memo *memo, pv_run *run, pv_error *error)
{
    const unsigned words = (unsigned)((run->lattice.n_axes + 7) / 8);
    *memo = (pv_memo){.run = run, .key = PV_NEW_ZEROED(uint64_t, words)};
    if (memo->key == NULL || !pv_i_keymap_init(&memo->map, words, 0)) {
        pv_i_memo_deinit(memo);
        return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

void pv_i_memo_deinit(pv_memo *memo)
{
    pv_i_keymap_deinit(&memo->map);
    pv_i_free(memo->values);
    pv_i_free(memo->key);
    pv_i_free(memo->new_levels);
    pv_i_free(memo->outcomes);
    *memo = (pv_memo){0};
}

/* The bytes after the last level stay 0. */
static const uint64_t *key_of(const pv_memo *memo, const uint8_t *levels)
{
    memcpy(memo->key, levels, memo->run->lattice.n_axes);
    return memo->key;
}

bool pv_i_memo_knows(const pv_memo *memo, const uint8_t *levels)
{
    return pv_i_keymap_has(&memo->map, key_of(memo, levels));
}

/* Numbers the schemes; the new ones get the highest numbers, in order. */
static bool number(pv_memo *memo, const uint8_t *levels, size_t n, uint32_t *ids)
{
    const pv_run *const run = memo->run;
    const size_t n_axes = run->lattice.n_axes;
    size_t outcomes = memo->new_capacity;
    if (!pv_i_reserve((void **)&memo->values, &memo->capacity, memo->map.n + n,
                      run->n_objectives * sizeof *memo->values) ||
        !pv_i_reserve((void **)&memo->outcomes, &outcomes, n, sizeof *memo->outcomes) ||
        !pv_i_reserve((void **)&memo->new_levels, &memo->new_capacity, n, n_axes)) {
        return false;
    }
    memo->n_new = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t before = memo->map.n;
        ids[i] = pv_i_keymap_add(&memo->map, key_of(memo, levels + i * n_axes));
        if (ids[i] == PV_KEYMAP_FULL) {
            return false;
        }
        if (memo->map.n > before) {
            memcpy(memo->new_levels + memo->n_new++ * n_axes, levels + i * n_axes, n_axes);
        }
    }
    return true;
}

pv_status pv_i_memo_evaluate(pv_memo *memo, const uint8_t *levels, size_t n, uint32_t *ids,
                             pv_error *error)
{
    pv_run *const run = memo->run;
    const size_t known = memo->map.n;
    if (!number(memo, levels, n, ids)) {
        return pv_i_no_memory(error);
    }
    if (memo->n_new == 0) {
        return PV_STATUS_OK;
    }
    PV_TRY(pv_i_run_evaluate(run, memo->new_levels, memo->n_new, memo->outcomes, error));
    for (size_t i = 0; i < memo->n_new; i++) {
        const pv_outcome *const outcome = &memo->outcomes[i];
        double *const values = memo->values + (known + i) * run->n_objectives;
        for (size_t o = 0; o < run->n_objectives; o++) {
            values[o] = outcome->feasible ? run->archive.signs[o] * pv_i_settled(outcome->values[o])
                                          : -(double)INFINITY;
        }
        PV_TRY(pv_i_run_offer(run, memo->new_levels + i * run->lattice.n_axes, outcome, error));
    }
    return PV_STATUS_OK;
}

pv_status pv_i_memo_start(pv_memo *memo, pv_error *error)
{
    const pv_search_options *const options = &memo->run->options;
    uint32_t *const ids = PV_NEW_ARRAY(uint32_t, options->n_start);
    if (ids == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = pv_i_memo_evaluate(memo, options->start, options->n_start, ids, error);
    pv_i_free(ids);
    return status;
}

/* All at once: the schemes that are still needed are few and evaluated again. */
bool pv_i_memo_trim(pv_memo *memo)
{
    const size_t each = (memo->map.words + memo->run->n_objectives + 1) * sizeof(uint64_t);
    if (memo->map.n < FEWEST_KEPT || memo->map.n < memo->run->options.memory / each) {
        return false;
    }
    memset(memo->map.slots, 0, (memo->map.slot_mask + 1) * sizeof *memo->map.slots);
    memo->map.n = 0;
    return true;
}
