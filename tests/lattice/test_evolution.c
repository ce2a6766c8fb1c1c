/* How schemes are bred: crossed at one point, moved by one level, never out of the lattice; with
 * the chances asked for. Random, but always the same draws. */
#include "lattice/evolution.h"

#include "base/error.h"
#include "support/study.h"

#include <math.h>

#define MOST_AXES 12
#define MANY 20000

typedef struct {
    uint8_t heights[MOST_AXES];
    pv_lattice lattice;
    pv_rng rng;
} field;

static void field_init(field *f, size_t n_axes, uint8_t height, uint64_t seed)
{
    memset(f->heights, height, sizeof f->heights);
    f->lattice = (pv_lattice){.n_axes = n_axes, .heights = f->heights};
    pv_i_rng_init(&f->rng, seed);
}

/* As far from what is expected as one draw in a million is. */
static void expect_share(size_t n, size_t of, double chance)
{
    const double deviation = sqrt((double)of * chance * (1 - chance));
    if (!(fabs((double)n - (double)of * chance) <= 5 * deviation + 1e-9)) {
        fail_msg("%zu of %zu, with a chance of %g", n, of, chance);
    }
}

/* ------------------------------------------------------------------ crossing */

/* A scheme of zeros and the top are crossed; where they were cut, or 0 if they were not. */
static size_t cross_ends(field *f, double crossover)
{
    const size_t n = f->lattice.n_axes;
    const pv_evolution evolution = {.crossover = crossover};
    uint8_t pair[2 * MOST_AXES] = {0};
    memcpy(pair + n, f->heights, n);
    pv_i_recombine(&evolution, &f->lattice, &f->rng, pair, 2);
    const bool is_swapped = pair[n - 1] > 0;
    size_t cut = 0;
    while (is_swapped && pair[cut] == 0) {
        cut++;
    }
    for (size_t axis = 0; axis < n; axis++) {
        const bool after = is_swapped && axis >= cut;
        assert_int_equal(pair[axis], after ? f->heights[axis] : 0);
        assert_int_equal(pair[n + axis], after ? 0 : f->heights[axis]);
    }
    return cut;
}

static void they_are_cut_once_anywhere(void **state)
{
    (void)state;
    for (size_t n = 2; n <= MOST_AXES; n++) {
        size_t cuts[MOST_AXES] = {0};
        field f;
        field_init(&f, n, (uint8_t)n, n);
        for (size_t i = 0; i < MANY; i++) {
            cuts[cross_ends(&f, 1)]++;
        }
        assert_int_equal(cuts[0], 0); /* always cut, and something stays on either side */
        for (size_t cut = 1; cut < n; cut++) {
            expect_share(cuts[cut], MANY, 1 / (double)(n - 1));
        }
    }
}

static void they_are_crossed_as_often_as_asked_for(void **state)
{
    static const double chances[] = {0, 0.1, 0.5, 0.8, 1};
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        size_t n_crossed = 0;
        field f;
        field_init(&f, 5, 3, 100 + i);
        for (size_t j = 0; j < MANY; j++) {
            n_crossed += cross_ends(&f, chances[i]) > 0;
        }
        expect_share(n_crossed, MANY, chances[i]);
    }
}

/* Two neighbours, then the next two; what is left over has nobody to cross with. */
static void they_are_crossed_two_and_two(void **state)
{
    enum { N = 7, AXES = 6 };
    const pv_evolution evolution = {.crossover = 1};
    field f;
    (void)state;
    field_init(&f, AXES, 200, 3);
    for (size_t again = 0; again < 500; again++) {
        uint8_t schemes[N * AXES];
        for (size_t i = 0; i < N * AXES; i++) {
            schemes[i] = (uint8_t)i;
        }
        pv_i_recombine(&evolution, &f.lattice, &f.rng, schemes, N);
        for (size_t i = 0; i < N * AXES; i++) {
            const size_t pair = i / AXES / 2;
            assert_int_equal(schemes[i] % AXES, i % AXES);
            assert_int_equal(schemes[i] / AXES / 2, pair);
            const size_t partner = (i / AXES ^ 1) * AXES + i % AXES;
            assert_true(partner >= N * AXES || schemes[partner] != schemes[i]);
        }
        assert_int_equal(schemes[(N - 1) * AXES], (N - 1) * AXES);
    }
}

static void one_attribute_cannot_be_crossed(void **state)
{
    const pv_evolution evolution = {.crossover = 1};
    field f;
    (void)state;
    field_init(&f, 1, 9, 4);
    for (size_t i = 0; i < 100; i++) {
        uint8_t pair[] = {3, 8};
        pv_i_recombine(&evolution, &f.lattice, &f.rng, pair, 2);
        assert_int_equal(pair[0], 3);
        assert_int_equal(pair[1], 8);
    }
}

/* -------------------------------------------------------------------- moving */

typedef struct {
    size_t up, down, stay;
} moves;

static moves move_often(double mutation, uint8_t level, uint8_t height, uint64_t seed)
{
    const pv_evolution evolution = {.mutation = mutation};
    moves m = {0};
    field f;
    field_init(&f, 4, height, seed);
    for (size_t i = 0; i < MANY / 4; i++) {
        uint8_t scheme[4];
        memset(scheme, level, 4);
        pv_i_recombine(&evolution, &f.lattice, &f.rng, scheme, 1);
        for (size_t axis = 0; axis < 4; axis++) {
            m.up += scheme[axis] == level + 1;
            m.down += scheme[axis] + 1 == level;
            m.stay += scheme[axis] == level;
        }
    }
    return m;
}

/* Up or down by one, both as likely; beyond the ends it stays. */
static void every_level_moves_by_one(void **state)
{
    static const double chances[] = {0, 0.05, 0.25, 1};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        for (uint8_t level = 0; level <= 3; level++) {
            const moves m = move_often(chances[i], level, 3, 10 * i + level);
            assert_int_equal(m.up + m.down + m.stay, MANY);
            expect_share(m.up, MANY, level < 3 ? chances[i] / 2 : 0);
            expect_share(m.down, MANY, level > 0 ? chances[i] / 2 : 0);
        }
        const moves flat = move_often(chances[i], 0, 0, i);
        assert_int_equal(flat.stay, MANY);
    }
}

/* Each attribute for itself: how many of twelve move is binomial. */
static void attributes_move_independently(void **state)
{
    const pv_evolution evolution = {.mutation = 0.5};
    size_t counts[MOST_AXES + 1] = {0};
    double chance = pow(0.5, MOST_AXES);
    field f;
    (void)state;
    field_init(&f, MOST_AXES, 2, 5);
    for (size_t i = 0; i < MANY; i++) {
        uint8_t scheme[MOST_AXES];
        size_t n = 0;
        memset(scheme, 1, sizeof scheme);
        pv_i_recombine(&evolution, &f.lattice, &f.rng, scheme, 1);
        for (size_t axis = 0; axis < MOST_AXES; axis++) {
            n += scheme[axis] != 1;
        }
        counts[n]++;
    }
    for (size_t n = 0; n <= MOST_AXES; n++) {
        expect_share(counts[n], MANY, chance);
        chance *= (double)(MOST_AXES - n) / (double)(n + 1);
    }
}

static void nothing_leaves_the_lattice(void **state)
{
    field f;
    (void)state;
    field_init(&f, MOST_AXES, 0, 6);
    for (size_t i = 0; i < 3000; i++) {
        uint8_t schemes[5 * MOST_AXES];
        const pv_evolution evolution = {.crossover = pv_i_rng_unit(&f.rng),
                                        .mutation = pv_i_rng_unit(&f.rng)};
        f.lattice.n_axes = 1 + (size_t)pv_i_rng_below(&f.rng, MOST_AXES);
        for (size_t axis = 0; axis < f.lattice.n_axes; axis++) {
            f.heights[axis] = (uint8_t)pv_i_rng_below(&f.rng, 1 + pv_i_rng_below(&f.rng, 256));
        }
        for (size_t j = 0; j < 5; j++) {
            pv_i_random_scheme(&f.lattice, &f.rng, schemes + j * f.lattice.n_axes);
        }
        for (size_t again = 0; again < 3; again++) {
            for (size_t j = 0; j < 5 * f.lattice.n_axes; j++) {
                assert_true(schemes[j] <= f.heights[j % f.lattice.n_axes]);
            }
            pv_i_recombine(&evolution, &f.lattice, &f.rng, schemes, 5);
        }
    }
}

/* -------------------------------------------------------------------- random */

static void any_scheme_is_as_likely_as_any(void **state)
{
    enum { NODES = 3 * 1 * 2 * 4 };
    size_t counts[NODES] = {0};
    field f;
    (void)state;
    field_init(&f, 4, 0, 7);
    memcpy(f.heights, (const uint8_t[]){2, 0, 1, 3}, 4);
    for (size_t i = 0; i < MANY; i++) {
        uint8_t levels[4];
        pv_i_random_scheme(&f.lattice, &f.rng, levels);
        assert_int_equal(levels[1], 0);
        assert_true(levels[0] <= 2 && levels[2] <= 1 && levels[3] <= 3);
        counts[levels[0] * 8 + levels[2] * 4 + levels[3]]++;
    }
    for (size_t node = 0; node < NODES; node++) {
        expect_share(counts[node], MANY, 1.0 / NODES);
    }
}

static void the_highest_hierarchies_are_used(void **state)
{
    size_t counts[256] = {0};
    field f;
    (void)state;
    field_init(&f, 1, 255, 8);
    for (size_t i = 0; i < MANY; i++) {
        uint8_t level;
        pv_i_random_scheme(&f.lattice, &f.rng, &level);
        counts[level]++;
    }
    for (size_t level = 0; level < 256; level++) {
        expect_share(counts[level], MANY, 1.0 / 256);
    }
}

/* ---------------------------------------------------------------- parameters */

static pv_status prepare(const pv_search_options *options, size_t n_axes, double size,
                         pv_evolution *evolution, pv_error *error)
{
    const pv_run run = {.options = *options, .lattice = {.n_axes = n_axes, .size = size}};
    *error = (pv_error){0};
    return pv_i_evolution_init(evolution, &run, error);
}

static void the_papers_values_are_the_defaults(void **state)
{
    pv_evolution e;
    pv_error error;
    (void)state;
    bound_must(prepare(&(pv_search_options){0}, 8, 17920, &e, &error), &error);
    assert_int_equal(e.population, 25);
    assert_int_equal(e.iterations, 100);
    assert_true(e.crossover == 0.8);
    assert_true(e.mutation == 1.0 / 8);
    assert_true(e.patience > 0 && e.patience < 100);
}

static void large_lattices_get_more(void **state)
{
    pv_evolution e;
    pv_error error;
    (void)state;
    bound_must(prepare(&(pv_search_options){0}, 24, 1e15, &e, &error), &error);
    assert_true(e.population >= 25);
    assert_true(e.iterations > 100);
    assert_true(e.mutation == 1.0 / 24);
}

static void what_is_asked_for_counts(void **state)
{
    const pv_search_options asked = {
        .population = 7, .iterations = 3, .crossover = 1, .mutation = 0.25, .patience = UINT64_MAX};
    pv_evolution e;
    pv_error error;
    (void)state;
    for (size_t large = 0; large < 2; large++) {
        bound_must(prepare(&asked, 24, large ? 1e15 : 100, &e, &error), &error);
        assert_int_equal(e.population, 7);
        assert_int_equal(e.iterations, 3);
        assert_true(e.crossover == 1);
        assert_true(e.mutation == 0.25);
        assert_true(e.patience == UINT64_MAX);
    }
}

static void less_than_nothing_is_never(void **state)
{
    const pv_search_options never = {.crossover = -1, .mutation = -1e-9};
    pv_evolution e;
    pv_error error;
    (void)state;
    bound_must(prepare(&never, 3, 100, &e, &error), &error);
    assert_true(e.crossover == 0);
    assert_true(e.mutation == 0);
}

static void other_values_are_refused(void **state)
{
    static const pv_search_options refused[] = {
        {.crossover = 1.0001}, {.crossover = (double)INFINITY},       {.crossover = (double)NAN},
        {.mutation = 1.0001},  {.mutation = (double)INFINITY},        {.mutation = (double)NAN},
        {.population = 1},     {.population = ((size_t)1 << 20) + 1}, {.population = SIZE_MAX},
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        pv_evolution e;
        pv_error error;
        assert_int_equal(prepare(&refused[i], 3, 100, &e, &error), PV_STATUS_ARGUMENT);
        assert_int_equal(error.status, PV_STATUS_ARGUMENT);
        assert_non_null(strstr(error.message, i < 6 ? "between 0 and 1" : "population"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_cut_once_anywhere),
        cmocka_unit_test(they_are_crossed_as_often_as_asked_for),
        cmocka_unit_test(they_are_crossed_two_and_two),
        cmocka_unit_test(one_attribute_cannot_be_crossed),
        cmocka_unit_test(every_level_moves_by_one),
        cmocka_unit_test(attributes_move_independently),
        cmocka_unit_test(nothing_leaves_the_lattice),
        cmocka_unit_test(any_scheme_is_as_likely_as_any),
        cmocka_unit_test(the_highest_hierarchies_are_used),
        cmocka_unit_test(the_papers_values_are_the_defaults),
        cmocka_unit_test(large_lattices_get_more),
        cmocka_unit_test(what_is_asked_for_counts),
        cmocka_unit_test(less_than_nothing_is_never),
        cmocka_unit_test(other_values_are_refused),
    };
    return cmocka_run_group_tests_name("evolution", tests, NULL, NULL);
}
