/* Makes a table of items on sale and its plan: codes whose hierarchies have heights 1 to 5.
 *
 *     bench_generate_items ROWS ATTRIBUTES SEED FOLDER
 *
 * An attribute is a code of letters, each letter a finer distinction, the early letters of the
 * alphabet far more frequent than the late ones. Items are variants of products, products belong to
 * ranges: a product has the codes of its range but for some, an item those of its product but for
 * some, and mostly only their last letters differ. Colour and size vary from item to item, brand
 * and category hardly: so the attributes hang together. A few products have most of the items
 * (Zipf). */
#include "base/hash.h"
#include "base/memory.h"
#include "base/rng.h"
#include "support/bench.h"

#define PRODUCTS 6000
#define PRODUCTS_OF_RANGE 20
#define MOST_LETTERS 5
#define MOST_FAN 8

typedef struct {
    const char *name;
    unsigned height;        /* letters */
    unsigned fan;           /* different letters at each place */
    unsigned product, item; /* of a hundred products, or items, so many depart */
} attribute;

static const attribute attributes[] = {
    {"category", 5, 4, 20, 1},   {"colour", 2, 6, 70, 60},  {"size", 1, 8, 50, 60},
    {"brand", 3, 6, 15, 1},      {"material", 2, 5, 40, 5}, {"pack", 1, 6, 50, 10},
    {"supplier", 4, 4, 25, 3},   {"season", 1, 4, 30, 5},   {"price", 3, 4, 70, 15},
    {"origin", 2, 6, 30, 4},     {"style", 2, 5, 60, 10},   {"finish", 1, 5, 40, 10},
    {"shelf", 3, 4, 40, 3},      {"care", 1, 4, 30, 3},     {"route", 4, 3, 50, 5},
    {"label", 1, 3, 30, 5},      {"tax", 1, 3, 10, 1},      {"weight", 3, 4, 70, 20},
    {"width", 2, 6, 60, 20},     {"grade", 1, 3, 30, 5},    {"plant", 5, 3, 30, 2},
    {"promotion", 1, 4, 40, 30}, {"line", 4, 4, 20, 1},     {"channel", 2, 4, 30, 5},
};

#define ATTRIBUTES (sizeof attributes / sizeof *attributes)

typedef struct {
    char letters[MOST_LETTERS + 1];
} code;

/* ------------------------------------------------------------------ drawing */

/* The n-th letter comes up 1/n times as often as the first. */
static char draw_letter(pv_rng *rng, unsigned fan)
{
    static const uint32_t weights[MOST_FAN] = {840, 420, 280, 210, 168, 140, 120, 105};
    uint64_t total = 0;
    for (unsigned i = 0; i < fan; i++) {
        total += weights[i];
    }
    return (char)('A' + pv_i_rng_weighted(rng, weights, fan, total));
}

static void draw_letters(pv_rng *rng, const attribute *a, unsigned from, code *c)
{
    for (unsigned i = from; i < a->height; i++) {
        c->letters[i] = draw_letter(rng, a->fan);
    }
    c->letters[a->height] = '\0';
}

/* So many of a hundred times the code changes, from its last letter on, or one before it a third as
 * often, and so on. */
static void depart(pv_rng *rng, const attribute *a, unsigned percent, code *c)
{
    if (pv_i_rng_below(rng, 100) >= percent) {
        return;
    }
    unsigned from = a->height - 1;
    while (from > 0 && pv_i_rng_below(rng, 3) == 0) {
        from--;
    }
    draw_letters(rng, a, from, c);
}

/* ----------------------------------------------------------------- products */

static pv_rng rng_of(uint64_t seed, uint64_t what, uint64_t number)
{
    const uint64_t words[] = {seed, what, number};
    pv_rng rng;
    pv_i_rng_init(&rng, pv_i_hash_words(words, 3));
    return rng;
}

static void make_product(uint64_t seed, uint64_t product, code codes[ATTRIBUTES])
{
    pv_rng range = rng_of(seed, 1, product / PRODUCTS_OF_RANGE);
    pv_rng own = rng_of(seed, 2, product);
    for (size_t a = 0; a < ATTRIBUTES; a++) {
        draw_letters(&range, &attributes[a], 0, &codes[a]);
        depart(&own, &attributes[a], attributes[a].product, &codes[a]);
    }
}

/* The n-th product has 1/n times as many items as the first. Their order has nothing to do with
 * their range. */
typedef struct {
    code codes[PRODUCTS][ATTRIBUTES];
    uint64_t up_to[PRODUCTS]; /* weights of all up to it */
} catalogue;

static void make_catalogue(catalogue *c, uint64_t seed)
{
    uint64_t total = 0;
    for (uint64_t i = 0; i < PRODUCTS; i++) {
        make_product(seed, i * 7 % PRODUCTS, c->codes[i]);
        total += UINT64_C(1000000000) / (i + 1);
        c->up_to[i] = total;
    }
}

static const code *draw_product(const catalogue *c, pv_rng *rng)
{
    const uint64_t at = pv_i_rng_below(rng, c->up_to[PRODUCTS - 1]);
    size_t low = 0;
    size_t high = PRODUCTS - 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (at < c->up_to[middle]) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return c->codes[low];
}

/* -------------------------------------------------------------------- files */

static void write_plan(FILE *plan, size_t n)
{
    (void)fprintf(plan, "data: items.csv\nattributes:\n");
    for (size_t a = 0; a < n; a++) {
        (void)fprintf(plan, "  %s: {role: quasi, hierarchy: {mask: right}}\n", attributes[a].name);
    }
}

static void write_rows(FILE *table, uint64_t n_rows, size_t n, uint64_t seed)
{
    catalogue *const products = PV_NEW(catalogue);
    bench_require(products != NULL, "out of memory");
    pv_rng rng = rng_of(seed, 3, 0);
    make_catalogue(products, seed);
    for (size_t a = 0; a < n; a++) {
        (void)fprintf(table, "%s%c", attributes[a].name, a + 1 < n ? ',' : '\n');
    }
    for (uint64_t row = 0; row < n_rows; row++) {
        const code *const product = draw_product(products, &rng);
        for (size_t a = 0; a < n; a++) {
            code c = product[a];
            depart(&rng, &attributes[a], attributes[a].item, &c);
            (void)fputs(c.letters, table);
            (void)fputc(a + 1 < n ? ',' : '\n', table);
        }
    }
    pv_i_free(products);
}

int main(int argc, char **argv)
{
    bench_require(argc == 5, "usage: bench_generate_items ROWS ATTRIBUTES SEED FOLDER");
    const size_t n = (size_t)strtoull(argv[2], NULL, 10);
    bench_require(n > 0 && n <= ATTRIBUTES, "there are 1 to 24 attributes");
    FILE *const plan = bench_create_in(argv[4], "items.yaml");
    FILE *const table = bench_create_in(argv[4], "items.csv");
    write_plan(plan, n);
    write_rows(table, strtoull(argv[1], NULL, 10), n, strtoull(argv[3], NULL, 10));
    bench_require(fclose(plan) == 0 && fclose(table) == 0, "the disk is full");
    return 0;
}
