/* Makes a table whose lattice is far too large to be visited, and its plan: 24 quasi-identifiers,
 * 1.7 * 10^15 schemes.
 *
 *     bench_generate_many ROWS SEED FOLDER
 *
 * People are of a few kinds, some common and some rare. A kind leans towards certain traits, such
 * as an age, a place, a standing; a person differs a little from the kind. Every attribute shows
 * one of the traits, more or less faithfully. So attributes of the same trait tell nearly the same,
 * those of different traits hang together through the kinds, and a few tell little of anything. */
#include "base/rng.h"
#include "support/bench.h"

#include <inttypes.h>

#define ATTRIBUTES 24
#define KINDS 40
#define TRAITS 5
#define SCALE 1200 /* a trait is a number below this */

/* An attribute's shape: values 0..values-1, and the widths of its intervals, each a multiple of the
 * one before. */
typedef struct {
    unsigned values;
    const char *widths;
} shape;

static const shape year = {48, "2, 4, 12, 24"}; /* five levels above the values */
static const shape region = {24, "2, 6, 12"};   /* four */
static const shape trade = {12, "2, 6"};        /* three */
static const shape habit = {6, "3"};            /* two */

static const shape *shape_of(unsigned attribute)
{
    static const shape *const shapes[ATTRIBUTES / 2] = {&year,  &trade,  &region, &trade,
                                                        &habit, &region, &trade,  &year,
                                                        &trade, &region, &habit,  &trade};
    return shapes[attribute % (ATTRIBUTES / 2)];
}

/* Out of 1000 people, how many show their trait in this attribute. */
static unsigned faith_of(unsigned attribute)
{
    static const unsigned faiths[] = {999, 990, 998, 900, 996, 970, 999};
    return faiths[attribute % (sizeof faiths / sizeof *faiths)];
}

/* Attributes divide the same trait at different places: none is merely another one made coarser. */
static unsigned offset_of(unsigned attribute)
{
    return attribute * 131 % SCALE;
}

static void write_plan(FILE *plan)
{
    (void)fprintf(plan, "data: many.csv\nsuppression: 1%%\nattributes:\n");
    for (unsigned a = 0; a < ATTRIBUTES; a++) {
        (void)fprintf(plan, "  a%02u: {role: quasi, hierarchy: {intervals: [%s]}}\n", a,
                      shape_of(a)->widths);
    }
}

static void write_heading(FILE *table)
{
    for (unsigned a = 0; a < ATTRIBUTES; a++) {
        (void)fprintf(table, "%sa%02u", a > 0 ? "," : "", a);
    }
    (void)fputc('\n', table);
}

/* The least of three: kinds with a low number are common, those with a high one rare. */
static unsigned draw_kind(pv_rng *rng)
{
    uint64_t least = KINDS;
    for (unsigned i = 0; i < 3; i++) {
        const uint64_t kind = pv_i_rng_below(rng, KINDS);
        least = kind < least ? kind : least;
    }
    return (unsigned)least;
}

/* A person's trait: mostly close to the kind's. */
static unsigned draw_trait(pv_rng *rng, unsigned typical)
{
    const uint64_t spread = pv_i_rng_below(rng, 10) < 9 ? SCALE / 24 : SCALE / 4;
    const uint64_t shift = pv_i_rng_below(rng, spread);
    return (unsigned)((typical + shift) % SCALE);
}

/* What an attribute shows of a trait; the unfaithful are mostly near it, and else show a low value
 * rather than a high one. */
static unsigned draw_value(pv_rng *rng, unsigned attribute, unsigned trait)
{
    const unsigned values = shape_of(attribute)->values;
    const unsigned shown = (trait + offset_of(attribute)) % SCALE * values / SCALE;
    const uint64_t mood = pv_i_rng_below(rng, 1000);
    if (mood < faith_of(attribute)) {
        return shown;
    }
    if (mood % 4 != 0) {
        return (shown + 1) % values;
    }
    const uint64_t a = pv_i_rng_below(rng, values);
    const uint64_t b = pv_i_rng_below(rng, values);
    return (unsigned)(a < b ? a : b);
}

static void write_person(FILE *table, pv_rng *rng, const unsigned typical[TRAITS])
{
    unsigned traits[TRAITS];
    for (unsigned t = 0; t < TRAITS; t++) {
        traits[t] = draw_trait(rng, typical[t]);
    }
    for (unsigned a = 0; a < ATTRIBUTES; a++) {
        (void)fprintf(table, "%s%u", a > 0 ? "," : "", draw_value(rng, a, traits[a % TRAITS]));
    }
    (void)fputc('\n', table);
}

static void write_rows(FILE *table, uint64_t rows, uint64_t seed)
{
    pv_rng rng;
    unsigned typical[KINDS][TRAITS];
    pv_i_rng_init(&rng, seed);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (unsigned t = 0; t < TRAITS; t++) {
            typical[kind][t] = (unsigned)pv_i_rng_below(&rng, SCALE);
        }
    }
    for (uint64_t row = 0; row < rows; row++) {
        write_person(table, &rng, typical[draw_kind(&rng)]);
    }
}

int main(int argc, char **argv)
{
    bench_require(argc == 4, "usage: bench_generate_many ROWS SEED FOLDER");
    FILE *const plan = bench_create_in(argv[3], "many.yaml");
    FILE *const table = bench_create_in(argv[3], "many.csv");
    write_plan(plan);
    write_heading(table);
    write_rows(table, strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10));
    return fclose(plan) != 0 || fclose(table) != 0;
}
