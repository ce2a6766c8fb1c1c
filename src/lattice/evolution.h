/* What the evolutionary searches share: their parameters, and how schemes are bred (the paper on
 * property based generalizations, section 6). */
#ifndef PV_LATTICE_EVOLUTION_H
#define PV_LATTICE_EVOLUTION_H

#include "base/rng.h"
#include "front/chances.h"
#include "lattice/run.h"

typedef struct pv_evolution {
    size_t population;
    uint64_t iterations;
    double crossover, mutation;
    uint64_t patience; /* generations without anything new */
} pv_evolution;

/* The parameters as asked for, the others by default. Fails if one is out of bounds. */
PV_CHECKED pv_status pv_i_evolution_init(pv_evolution *evolution, const pv_run *run,
                                         pv_error *error);

/* Any scheme, all equally likely. */
void pv_i_random_scheme(const pv_lattice *lattice, pv_rng *rng, uint8_t *levels);

/* Makes children of parents, two and two, in place: crossed at one point by chance, then each level
 * moved by one by chance, not beyond its hierarchy. An odd one is only moved. */
void pv_i_recombine(const pv_evolution *evolution, const pv_lattice *lattice, pv_rng *rng,
                    uint8_t *schemes, size_t n);

#endif
