/* Parameters and operators of the evolutionary searches. */
#include "lattice/evolution.h"

#include "base/error.h"

#define CROSSOVER 0.8
#define POPULATION 25
#define ITERATIONS 100
#define PATIENCE 50
/* Lattices this large get more generations. (Larger populations do not pay: among 10^15 schemes,
 * with 10,000 evaluations, 25 found a better front than 50, 100 or 200.) */
#define LARGE 1e6
#define LARGE_ITERATIONS 2000

/* ------------------------------------------------------------- parameters */

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

/* Swaps what comes after a random point. */
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
