/* xoshiro256** seeded by splitmix64; bounded draws by rejection. */
#include "base/rng.h"

#include "base/hash.h"

static uint64_t rotate_left(uint64_t x, unsigned by)
{
    return (x << by) | (x >> (64 - by));
}

void pv_i_rng_init(pv_rng *rng, uint64_t seed)
{
    for (size_t i = 0; i < 4; i++) {
        seed += UINT64_C(0x9e3779b97f4a7c15);
        rng->state[i] = pv_i_hash_u64(seed);
    }
}

uint64_t pv_i_rng_next(pv_rng *rng)
{
    uint64_t *const s = rng->state;
    const uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    const uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t pv_i_rng_below(pv_rng *rng, uint64_t n)
{
    /* Draws below 2^64 mod n would make the small results too likely. */
    const uint64_t reject_below = (0 - n) % n;
    uint64_t draw;
    do {
        draw = pv_i_rng_next(rng);
    } while (draw < reject_below);
    return draw % n;
}

double pv_i_rng_unit(pv_rng *rng)
{
    return (double)(pv_i_rng_next(rng) >> 11) * 0x1.0p-53;
}

size_t pv_i_rng_weighted(pv_rng *rng, const uint32_t *weights, size_t n, uint64_t total)
{
    uint64_t draw = pv_i_rng_below(rng, total);
    size_t i = 0;
    while (i + 1 < n && draw >= weights[i]) {
        draw -= weights[i];
        i++;
    }
    return i;
}
