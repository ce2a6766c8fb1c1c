/* The best partition of one attribute, against all of its partitions; and what partitions cost,
 * against the definition of nwp. */
#include "support/cut_oracle.h"
#include "support/oracle_measures.h"
#include "support/random_study.h"

#include "cuts/cut_intervals.h"

enum { MOST = 9 }; /* values */

/* ------------------------------------------------------------ one attribute */

typedef struct {
    uint32_t n;
    uint64_t count[MOST]; /* rows per value */
    uint64_t rows[MOST + 1];
    bool invalid[MOST * MOST];
    uint8_t state[MOST];
    bool stateless;
    uint64_t unit;
} question;

static question random_question(pv_rng *rng)
{
    const uint64_t bans = pv_i_rng_below(rng, 10);
    const uint64_t fixes = pv_i_rng_below(rng, 8);
    question q = {.n = 1 + (uint32_t)pv_i_rng_below(rng, MOST),
                  .stateless = pv_i_rng_below(rng, 4) == 0,
                  .unit = pv_i_rng_below(rng, 8) == 0 ? 0 : 1 + pv_i_rng_below(rng, 5)};
    for (uint32_t v = 0; v < q.n; v++) {
        q.count[v] = pv_i_rng_below(rng, 6);
        q.rows[v + 1] = q.rows[v] + q.count[v];
        q.state[v] = PV_CUT_FREE;
        if (pv_i_rng_below(rng, 10) < fixes) {
            q.state[v] = pv_i_rng_below(rng, 2) == 0 ? PV_CUT_FORCED : PV_CUT_FORBIDDEN;
        }
    }
    for (size_t i = 0; i < MOST * MOST; i++) {
        q.invalid[i] = pv_i_rng_below(rng, 10) < bans;
    }
    return q;
}

static bool cut_in(uint64_t number, uint32_t place)
{
    return (number >> place & 1) != 0;
}

/* What the partition costs whose cuts are the bits of a number; PV_CUT_IMPOSSIBLE if it is not
 * allowed. */
static uint64_t cost_of(const question *q, uint64_t number)
{
    uint64_t cost = 0;
    for (uint32_t i = 0; i + 1 < q->n && !q->stateless; i++) {
        if ((q->state[i] == PV_CUT_FORCED && !cut_in(number, i)) ||
            (q->state[i] == PV_CUT_FORBIDDEN && cut_in(number, i))) {
            return PV_CUT_IMPOSSIBLE;
        }
    }
    for (uint32_t v = 0; v < q->n; v++) {
        uint32_t first = v;
        uint32_t last = v;
        while (first > 0 && !cut_in(number, first - 1)) {
            first--;
        }
        while (last + 1 < q->n && !cut_in(number, last)) {
            last++;
        }
        if (q->invalid[first * q->n + last]) {
            return PV_CUT_IMPOSSIBLE;
        }
        cost += q->count[v] * (last - first) * q->unit;
    }
    return cost;
}

/* Is the first difference a cut that only `a` has? Then its first groups are smaller. */
static bool is_finer_first(uint64_t a, uint64_t b)
{
    const uint64_t difference = a ^ b;
    return (a & difference & -difference) != 0;
}

typedef struct {
    uint64_t cost, number;
    uint64_t with[MOST], without[MOST];
} answer;

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static answer answer_of(const question *q)
{
    answer a = {.cost = PV_CUT_IMPOSSIBLE};
    for (uint32_t i = 0; i < MOST; i++) {
        a.with[i] = PV_CUT_IMPOSSIBLE;
        a.without[i] = PV_CUT_IMPOSSIBLE;
    }
    for (uint64_t number = 0; number < (uint64_t)1 << (q->n - 1); number++) {
        const uint64_t cost = cost_of(q, number);
        if (cost < a.cost || (cost == a.cost && is_finer_first(number, a.number))) {
            a.number = number;
        }
        a.cost = smaller(a.cost, cost);
        for (uint32_t i = 0; i + 1 < q->n; i++) {
            uint64_t *const side = cut_in(number, i) ? a.with : a.without;
            side[i] = smaller(side[i], cost);
        }
    }
    return a;
}

static void expect_answer(const question *q, const answer *expected)
{
    const pv_cut_axis axis = {.n = q->n, .rows = (uint64_t *)(uintptr_t)q->rows};
    const pv_cut_path path = {.axis = &axis,
                              .unit = q->unit,
                              .invalid = q->invalid,
                              .state = q->stateless ? NULL : q->state};
    uint64_t included[MOST];
    uint64_t excluded[MOST];
    uint64_t room[2 * (MOST + 1)];
    uint8_t cuts[MOST] = {0};
    uint8_t again[MOST] = {0};
    assert_int_equal(pv_i_cut_best_path(&path, cuts, included, excluded, room), expected->cost);
    assert_int_equal(pv_i_cut_best_path(&path, again, NULL, NULL, room), expected->cost);
    if (expected->cost == PV_CUT_IMPOSSIBLE) {
        return;
    }
    for (uint32_t i = 0; i + 1 < q->n; i++) {
        assert_int_equal(cuts[i], cut_in(expected->number, i));
        assert_int_equal(again[i], cuts[i]);
        assert_int_equal(included[i], expected->with[i]);
        assert_int_equal(excluded[i], expected->without[i]);
    }
}

static void paths_are_the_best_partitions(void **state)
{
    size_t impossible = 0;
    pv_rng rng;
    pv_i_rng_init(&rng, 701);
    (void)state;
    for (int round = 0; round < 3000; round++) {
        const question q = random_question(&rng);
        const answer a = answer_of(&q);
        expect_answer(&q, &a);
        impossible += a.cost == PV_CUT_IMPOSSIBLE;
    }
    assert_true(impossible > 300 && impossible < 2700);
}

/* Forced or forbidden all of them: one partition remains, if it is allowed. */
static void nothing_may_be_free(void **state)
{
    question q = {.n = 3, .count = {1, 2, 3}, .rows = {0, 1, 3, 6}, .unit = 10};
    (void)state;
    q.state[0] = PV_CUT_FORCED;
    q.state[1] = PV_CUT_FORBIDDEN;
    answer a = answer_of(&q);
    assert_int_equal(a.cost, 50);
    assert_int_equal(a.number, 1);
    expect_answer(&q, &a);
    q.invalid[1 * 3 + 2] = true;
    a = answer_of(&q);
    assert_int_equal(a.cost, PV_CUT_IMPOSSIBLE);
    expect_answer(&q, &a);
}

/* ------------------------------------------------------------------- prices */

typedef struct {
    cut_oracle oracle;
    pv_cut_space space;
    pv_cut_prices prices;
    uint8_t *cuts;
} fixture;

static void fixture_init(fixture *f, const pv_study *study)
{
    pv_error error = {0};
    cut_oracle_init(&f->oracle, study);
    bound_must(pv_i_cut_space_init(&f->space, study, false, &error), &error);
    pv_i_cut_prices_init(&f->prices, &f->space);
    f->cuts = oracle_array(f->space.n_bits, 1);
}

static void fixture_deinit(fixture *f)
{
    free(f->cuts);
    pv_i_cut_space_deinit(&f->space);
    cut_oracle_deinit(&f->oracle);
}

static double nwp_of(const fixture *f)
{
    return pv_i_cut_nwp(&f->prices, pv_i_cut_cost(&f->space, &f->prices, f->cuts));
}

static void expect_nwp(const fixture *f)
{
    const uint64_t cost = pv_i_cut_cost(&f->space, &f->prices, f->cuts);
    assert_int_equal(cost, cut_oracle_cost(&f->oracle, f->prices.unit, f->cuts));
    assert_true(fabs(nwp_of(f) - cut_oracle_nwp(&f->oracle, f->cuts)) < 1e-9);
}

static random_shape random_shape_of(pv_rng *rng)
{
    return (random_shape){.n_rows = 1 + (size_t)pv_i_rng_below(rng, 40),
                          .n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4),
                          .n_values = 1 + (size_t)pv_i_rng_below(rng, 12),
                          .heights = 3};
}

static void costs_are_nwp(void **state)
{
    pv_rng rng;
    pv_i_rng_init(&rng, 702);
    (void)state;
    for (int round = 0; round < 100; round++) {
        const random_shape shape = random_shape_of(&rng);
        random_study s;
        fixture f;
        random_study_init(&s, &rng, &shape);
        fixture_init(&f, s.bound.study);
        for (int i = 0; i < 10; i++) {
            for (size_t bit = 0; bit < f.space.n_bits; bit++) {
                f.cuts[bit] = i > 0 && (i > 8 || pv_i_rng_below(&rng, 9) < (uint64_t)i);
            }
            expect_nwp(&f);
        }
        assert_true(nwp_of(&f) == 0); /* all cut */
        fixture_deinit(&f);
        random_study_deinit(&s);
    }
}

/* Granules are the domain then. */
static void granules_are_values(void **state)
{
    bound_study s = bound_study_create(
        "attributes:\n  a: {role: quasi, granularity: 5, weight: 3}\n  b: {role: quasi}\n",
        "a,b\n1,x\n4,y\n5,x\n12,y\n13,x\n22,y\n");
    fixture f;
    fixture_init(&f, s.study);
    (void)state;
    assert_int_equal(f.space.n_bits, 4); /* 0 5 10 20 | x y */
    f.cuts[1] = 1;                       /* {0, 5} {10, 20} {x, y} */
    expect_nwp(&f);
    assert_true(fabs(nwp_of(&f) - (0.75 / 3 + 0.25)) < 1e-12);
    fixture_deinit(&f);
    bound_study_free(&s);
}

/* Can a level be expressed as cuts? Not if some of its values are the root before others are, or a
 * label stands on several levels, nor between the ends for numbers, whose order the hierarchy need
 * not share, and for domains that count values which do not occur. */
static bool is_expressible(const fixture *f, const oracle_column *column, size_t axis,
                           unsigned level)
{
    const pv_hierarchy *const h = f->space.axes[axis].hierarchy;
    const uint32_t last = pv_hierarchy_groups(h, level) - 1;
    return level == 0 || level == pv_hierarchy_height(h) ||
           (!f->space.axes[axis].numeric && !column->named_domain && h->is_level_wise &&
            !pv_hierarchy_is_root(h, level, last));
}

static void cut_as_level(fixture *f, size_t axis, unsigned level)
{
    const pv_cut_axis *const own = &f->space.axes[axis];
    const bool every = level == 0;
    const bool none = level == pv_hierarchy_height(own->hierarchy);
    for (uint32_t i = 0; i + 1 < own->n; i++) {
        f->cuts[own->first_bit + i] =
            every || (!none && pv_hierarchy_group(own->hierarchy, level, i) !=
                                   pv_hierarchy_group(own->hierarchy, level, i + 1));
    }
}

/* Random levels that cuts can express. */
static void choose_levels(fixture *f, random_study *s)
{
    for (size_t a = 0; a < f->space.n_axes; a++) {
        oracle_column *const column = &s->table.quasi[a];
        const unsigned height = oracle_height(column);
        column->level = (unsigned)random_below(s, height + 1);
        if (!is_expressible(f, column, a, column->level)) {
            column->level = random_one_in(s, 2) ? 0 : height;
        }
        if (f->space.axes[a].n == 1) { /* cuts cannot tell it from the top, a named domain can */
            column->level = 0;
        }
        cut_as_level(f, a, column->level);
    }
}

/* The mean of what the definition says row by row. */
static double nwp_of_levels(random_study *s)
{
    oracle_release release = oracle_release_create(&s->table, 0, 0);
    double sum = 0;
    for (size_t row = 0; row < s->table.n_rows; row++) {
        sum += oracle_row_nwp(&release, row, 0);
    }
    oracle_release_free(&release);
    return sum / (double)s->table.n_rows;
}

static void levels_cost_the_same_as_cuts(void **state)
{
    size_t between = 0;
    pv_rng rng;
    pv_i_rng_init(&rng, 703);
    (void)state;
    for (int round = 0; round < 100; round++) {
        random_shape shape = random_shape_of(&rng);
        random_study s;
        fixture f;
        shape.missing = 0;
        random_study_init(&s, &rng, &shape);
        fixture_init(&f, s.bound.study);
        for (int i = 0; i < 5; i++) {
            choose_levels(&f, &s);
            const double nwp = nwp_of_levels(&s);
            assert_true(fabs(nwp_of(&f) - nwp) < 1e-9);
            between += nwp > 0 && nwp < 1;
        }
        fixture_deinit(&f);
        random_study_deinit(&s);
    }
    assert_true(between > 100);
}

/* A million people, hundreds of values: whole numbers suffice, and nothing overflows. */
static void prices_suit_large_tables(void **state)
{
    static const uint64_t sizes[] = {1, 2, 30162, 1000000, UINT32_MAX};
    pv_rng rng;
    pv_i_rng_init(&rng, 704);
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        enum { AXES = 8, VALUES = 200 };
        pv_cut_axis axes[AXES];
        uint64_t rows[VALUES + 1];
        const uint8_t merged[AXES * VALUES] = {0};
        pv_cut_prices prices;
        for (uint64_t v = 0; v <= VALUES; v++) {
            rows[v] = sizes[i] * v / VALUES;
        }
        for (size_t a = 0; a < AXES; a++) {
            axes[a] = (pv_cut_axis){.n = VALUES,
                                    .rows = rows,
                                    .first_bit = a * (VALUES - 1),
                                    .weight = 2.0 * (double)(a + 1) / (AXES * (AXES + 1))};
        }
        const pv_cut_space space = {
            .n_axes = AXES, .axes = axes, .n_bits = AXES * (VALUES - 1), .n_rows = sizes[i]};
        pv_i_cut_prices_init(&prices, &space);
        const uint64_t cost = pv_i_cut_cost(&space, &prices, merged);
        assert_true(cost < (uint64_t)1 << 63);
        assert_true(pv_i_cut_nwp(&prices, cost) == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_the_best_partitions),
        cmocka_unit_test(nothing_may_be_free),
        cmocka_unit_test(costs_are_nwp),
        cmocka_unit_test(granules_are_values),
        cmocka_unit_test(levels_cost_the_same_as_cuts),
        cmocka_unit_test(prices_suit_large_tables),
    };
    return cmocka_run_group_tests_name("the best cuts of one attribute", tests, NULL, NULL);
}
