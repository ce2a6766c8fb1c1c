/* What the evolutionary searches share: their parameters, how schemes are bred (PBG, section 6),
 * and the memo of all schemes evaluated. */
#ifndef PV_LATTICE_EVOLUTION_H
#define PV_LATTICE_EVOLUTION_H

#include "base/rng.h"
#include "classes/keys.h"
#include "lattice/driver.h"

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

/* The schemes a search has evaluated, each once: found again by their levels, whatever the size of
 * the lattice. What is new is offered to the run's archive, in the order in which it was asked for.
 */
typedef struct pv_memo {
    pv_run *run;
    pv_keymap map;  /* of levels, a byte each */
    double *values; /* n_objectives per scheme: oriented and settled; infeasible ones -INFINITY */
    size_t capacity;
    uint64_t *key; /* scratch: one key */
    /* The schemes of the last call that were new. */
    uint8_t *new_levels;
    pv_outcome *outcomes;
    size_t n_new, new_capacity;
} pv_memo;

PV_CHECKED pv_status pv_i_memo_init(pv_memo *memo, pv_run *run, pv_error *error);
void pv_i_memo_deinit(pv_memo *memo);

bool pv_i_memo_knows(const pv_memo *memo, const uint8_t *levels);
/* Evaluates those of n schemes that are not known yet and gives the numbers of all of them. */
PV_CHECKED pv_status pv_i_memo_evaluate(pv_memo *memo, const uint8_t *levels, size_t n,
                                        uint32_t *ids, pv_error *error);
/* Evaluates the schemes the run is asked to begin with. */
PV_CHECKED pv_status pv_i_memo_start(pv_memo *memo, pv_error *error);
/* Forgets everything if it has grown larger than the run's memory. True if it did. */
bool pv_i_memo_trim(pv_memo *memo);

static inline const uint8_t *pv_i_memo_levels(const pv_memo *memo, uint32_t id)
{
    return (const uint8_t *)(memo->map.keys + (size_t)id * memo->map.words);
}

static inline const double *pv_i_memo_values(const pv_memo *memo, uint32_t id)
{
    return memo->values + (size_t)id * memo->run->n_objectives;
}

#endif
