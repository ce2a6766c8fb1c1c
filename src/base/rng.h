/* The random generator: xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number
 * generators", 2021), seeded through splitmix64. Integers only, the same on every machine. */
#ifndef PV_BASE_RNG_H
#define PV_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct pv_rng {
    uint64_t state[4];
} pv_rng;

void pv_i_rng_init(pv_rng *rng, uint64_t seed);
uint64_t pv_i_rng_next(pv_rng *rng);
/* Uniform in 0..n-1 without bias; n > 0. */
uint64_t pv_i_rng_below(pv_rng *rng, uint64_t n);
/* Uniform in [0, 1) with 53 bits. */
double pv_i_rng_unit(pv_rng *rng);
/* An index drawn with the given integer weights, whose sum is `total` > 0. */
size_t pv_i_rng_weighted(pv_rng *rng, const uint32_t *weights, size_t n, uint64_t total);

#endif
