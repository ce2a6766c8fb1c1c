/* Makes a table with many quasi-identifiers, and its plan: people of a few kinds, each kind with
 * habits of its own in every attribute, so that the attributes hang together as they do in life.
 *
 *     bench_generate_wide ROWS ATTRIBUTES SEED FOLDER
 *
 * Attributes have eight values, paired twice on the way up: three levels above the raw one would be
 * the full tree; two are used, so that the lattice has 3^ATTRIBUTES nodes. */
#include "base/rng.h"
#include "support/bench.h"

#define KINDS 40
#define VALUES 8

static void write_plan(FILE *plan, unsigned attributes)
{
    (void)fprintf(plan, "data: wide.csv\nsuppression: 1%%\nattributes:\n");
    for (unsigned a = 0; a < attributes; a++) {
        (void)fprintf(plan, "  a%02u: {role: quasi, hierarchy: {rows: [", a);
        for (unsigned v = 0; v < VALUES; v++) {
            (void)fprintf(plan, "%s[v%u, g%u]", v > 0 ? ", " : "", v, v / 4);
        }
        (void)fprintf(plan, "]}}\n");
    }
}

/* A kind's habit: mostly one value, sometimes its neighbours, rarely any. */
static unsigned draw_value(pv_rng *rng, unsigned habit)
{
    const uint64_t mood = pv_i_rng_below(rng, 100);
    if (mood < 75) {
        return habit;
    }
    return mood < 92 ? (habit + 1) % VALUES : (unsigned)pv_i_rng_below(rng, VALUES);
}

static void write_rows(FILE *table, uint64_t rows, unsigned attributes, uint64_t seed)
{
    pv_rng rng;
    unsigned habits[KINDS][64];
    pv_i_rng_init(&rng, seed);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (unsigned a = 0; a < attributes; a++) {
            habits[kind][a] = (unsigned)pv_i_rng_below(&rng, VALUES);
        }
    }
    for (unsigned a = 0; a < attributes; a++) {
        (void)fprintf(table, "%sa%02u", a > 0 ? "," : "", a);
    }
    (void)fputc('\n', table);
    for (uint64_t row = 0; row < rows; row++) {
        const uint64_t first = pv_i_rng_below(&rng, KINDS);
        const uint64_t second = pv_i_rng_below(&rng, KINDS);
        const unsigned *const habit = habits[first < second ? first : second]; /* uneven kinds */
        for (unsigned a = 0; a < attributes; a++) {
            (void)fprintf(table, "%sv%u", a > 0 ? "," : "", draw_value(&rng, habit[a]));
        }
        (void)fputc('\n', table);
    }
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        (void)fprintf(stderr, "usage: bench_generate_wide ROWS ATTRIBUTES SEED FOLDER\n");
        return 2;
    }
    const unsigned attributes = (unsigned)atoi(argv[2]);
    FILE *const plan = bench_create_in(argv[4], "wide.yaml");
    FILE *const table = bench_create_in(argv[4], "wide.csv");
    write_plan(plan, attributes < 64 ? attributes : 64);
    write_rows(table, strtoull(argv[1], NULL, 10), attributes < 64 ? attributes : 64,
               strtoull(argv[3], NULL, 10));
    return fclose(plan) != 0 || fclose(table) != 0;
}
