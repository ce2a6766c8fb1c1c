/* The ordered values of every attribute: how numbers and categories are placed, what granularity
 * merges, which values a taxonomy lets stand together. */
#include "support/cut_oracle.h"
#include "support/random_study.h"
#include "support/study.h"

#include "scheme/cut_space.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* One attribute `x`, described by `plan`, with these cells (NULL ends). */
typedef struct {
    bound_study bound;
    pv_cut_space space;
} fixture;

static bound_study study_of_column(const char *plan, const char *const *cells)
{
    pv_buffer csv = {0};
    pv_buffer text = {0};
    pv_i_buffer_text(&csv, "row,x\n");
    for (size_t i = 0; cells[i] != NULL; i++) {
        pv_i_buffer_format(&csv, "%zu,%s\n", i, cells[i]);
    }
    pv_i_buffer_format(&text, "attributes:\n  x: {role: quasi%s}\n", plan);
    const bound_study study = bound_study_create(text.data, csv.data);
    pv_i_buffer_deinit(&csv);
    pv_i_buffer_deinit(&text);
    return study;
}

static fixture fixture_of(bound_study study, bool respect_taxonomy)
{
    fixture f = {.bound = study};
    pv_error error = {0};
    bound_must(pv_i_cut_space_init(&f.space, f.bound.study, respect_taxonomy, &error), &error);
    return f;
}

static fixture fixture_of_column(const char *plan, const char *const *cells)
{
    return fixture_of(study_of_column(plan, cells), false);
}

static void fixture_free(fixture *f)
{
    pv_i_cut_space_deinit(&f->space);
    assert_null(f->space.axes);
    bound_study_free(&f->bound);
}

static uint32_t place_of(const fixture *f, size_t axis, size_t row)
{
    const size_t column = pv_study_quasi_column(f->bound.study, axis);
    const uint32_t code = pv_table_code(pv_study_table(f->bound.study), column, row);
    return f->space.axes[axis].value_of[pv_hierarchy_leaf(f->space.axes[axis].hierarchy, code)];
}

/* ------------------------------------------------------------------- order */

typedef struct {
    const char *plan;
    const char *cells[12];
    uint32_t places[12]; /* of the cells */
    uint32_t n;
} order_case;

static const order_case order_cases[] = {
    /* by size, not by digits, wherever they first appear */
    {"", {"10", "9", "-1", "-10", "0", "9"}, {4, 3, 1, 0, 2, 3}, 5},
    {"", {"0.5", "-0.25", "0.05", "-2.5", "1"}, {3, 1, 2, 0, 4}, 5},
    /* one number, spelled in several ways */
    {"", {"1", "1.0", "+1", "1.", "2", "1.000", "0.5"}, {1, 1, 1, 1, 2, 1, 0}, 3},
    {"", {"0", "-0", "0.0", "1"}, {0, 0, 0, 1}, 2},
    /* the missing value is last */
    {"", {"5", "NA", "3", "NA", "9"}, {1, 3, 0, 3, 2}, 4},
    {"", {"?", "NA", "-3"}, {1, 1, 0}, 2},
    {"", {"7", "7", "7"}, {0, 0, 0}, 1},
    {"", {"NA", "NA"}, {0, 0}, 1},
    /* rounded down */
    {", granularity: 5", {"4", "5", "9", "10", "14", "31", "0"}, {0, 1, 1, 2, 2, 3, 0}, 4},
    {", granularity: 5", {"-1", "-5", "-6", "0", "4", "NA"}, {1, 1, 0, 2, 2, 3}, 4},
    {", granularity: 0.1", {"0.3", "0.35", "0.29", "0.4", "0.2", "-0.05"}, {2, 2, 1, 3, 1, 0}, 4},
    {", granularity: 0.25", {"1", "1.2", "1.25", "-0.1", "-0.25"}, {1, 1, 2, 0, 0}, 3},
    {", granularity: 2.5", {"2", "2.5", "4.999", "5", "-2.5", "-2.6"}, {2, 3, 3, 4, 1, 0}, 5},
    {", granularity: 1000", {"1", "999", "-1"}, {1, 1, 0}, 2},
    {", granularity: 10", {"12", "12.0", "19.99", "1e1", "20"}, {0, 0, 0, 0, 1}, 2},
    /* the whole range of exact numbers */
    {", granularity: 0.000000000000000001",
     {"9223372036854775807", "-9223372036854775808", "0.000000000000000001", "0"},
     {3, 0, 2, 1},
     4},
    {", granularity: 9223372036854775807",
     {"9223372036854775807", "9223372036854775806", "-1", "-9223372036854775808"},
     {3, 2, 1, 0},
     4},
    /* the hierarchy of a number does not matter */
    {", hierarchy: {rows: [['3', a], ['20', b], ['1', b]]}", {"1", "20", "3"}, {0, 2, 1}, 3},
    /* categories in the order of their tree */
    {", hierarchy: {rows: [[z, A], [y, B], [x, A]]}", {"x", "y", "z"}, {1, 2, 0}, 3},
    /* numbers that are names */
    {", type: text, hierarchy: {rows: [['3', a], ['20', b], ['1', a]]}",
     {"1", "20", "3"},
     {1, 2, 0},
     3},
};

static void values_are_in_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(order_cases); i++) {
        const order_case *const c = &order_cases[i];
        fixture f = fixture_of_column(c->plan, c->cells);
        if (f.space.axes[0].n != c->n) {
            fail_msg("case %zu: %u values", i, f.space.axes[0].n);
        }
        for (size_t row = 0; c->cells[row] != NULL; row++) {
            if (place_of(&f, 0, row) != c->places[row]) {
                fail_msg("case %zu: row %zu is at %u", i, row, place_of(&f, 0, row));
            }
        }
        assert_int_equal(f.space.n_axes, 1);
        assert_int_equal(f.space.n_bits, c->n - 1);
        fixture_free(&f);
    }
}

/* Granularity is for numbers. */
static void only_numbers_have_a_granularity(void **state)
{
    static const char *const cells[][4] = {
        {"a", "b", NULL}, {"1", "b", NULL}, {"2001-02-03", "2001-02-04", NULL}};
    static const char *const plans[] = {", granularity: 5", ", granularity: 5", ", granularity: 5"};
    (void)state;
    for (size_t i = 0; i < COUNT(cells); i++) {
        bound_study s = study_of_column(plans[i], cells[i]);
        pv_cut_space space;
        pv_error error = {0};
        assert_int_equal(pv_i_cut_space_init(&space, s.study, false, &error), PV_STATUS_INPUT);
        assert_int_equal(error.status, PV_STATUS_INPUT);
        assert_non_null(strstr(error.message, "'x'"));
        assert_true(error.hint[0] != '\0');
        bound_study_free(&s);
    }
}

/* A space that failed, and one that was never made, may be put away. */
static void putting_away_twice_is_fine(void **state)
{
    pv_cut_space space = {0};
    (void)state;
    pv_i_cut_space_deinit(&space);
    pv_i_cut_space_deinit(&space);
}

/* ----------------------------------------------------- against the oracle */

static void expect_axis(const fixture *f, const cut_oracle *o, size_t axis)
{
    const pv_cut_axis *const own = &f->space.axes[axis];
    assert_int_equal(own->n, o->n[axis]);
    assert_int_equal(own->numeric, o->numeric[axis]);
    assert_int_equal(own->first_bit, o->first_bit[axis]);
    assert_ptr_equal(own->hierarchy, pv_study_hierarchy(f->bound.study, axis));
    for (size_t row = 0; row < o->n_rows; row++) {
        assert_int_equal(place_of(f, axis, row), o->places[axis][row]);
    }
    for (uint32_t first = 0; first < own->n; first++) {
        for (uint32_t last = first; last < own->n; last++) {
            uint64_t rows = 0;
            for (size_t row = 0; row < o->n_rows; row++) {
                rows += o->places[axis][row] >= first && o->places[axis][row] <= last;
            }
            assert_int_equal(pv_i_cut_rows(own, first, last), rows);
        }
    }
}

static void expect_space(const fixture *f)
{
    cut_oracle o;
    double weights = 0;
    cut_oracle_init(&o, f->bound.study);
    assert_int_equal(f->space.n_axes, o.n_axes);
    assert_int_equal(f->space.n_bits, o.n_bits);
    assert_int_equal(f->space.n_rows, o.n_rows);
    for (size_t a = 0; a < o.n_axes; a++) {
        weights += o.weight[a];
    }
    for (size_t a = 0; a < o.n_axes; a++) {
        expect_axis(f, &o, a);
        assert_true(fabs(f->space.axes[a].weight - o.weight[a] / weights) < 1e-12);
    }
    cut_oracle_deinit(&o);
}

static random_shape shape_of_round(pv_rng *rng)
{
    return (random_shape){.n_rows = 1 + (size_t)pv_i_rng_below(rng, 30),
                          .n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4),
                          .n_values = 1 + (size_t)pv_i_rng_below(rng, 12),
                          .missing = (unsigned)pv_i_rng_below(rng, 2) * 6,
                          .heights = 1 + (unsigned)pv_i_rng_below(rng, 4),
                          .uniform = pv_i_rng_below(rng, 2) == 0};
}

/* random_study_init and its counterpart, but without the profile: that is a later room's. */
static void random_table_init(random_study *s, pv_rng *rng)
{
    *s = (random_study){.rng = rng, .shape = shape_of_round(rng)};
    random_columns(s);
    random_write_csv(s);
    random_write_plan(s);
    s->bound = bound_study_create(s->text.data, s->csv.data);
}

static void random_table_deinit(random_study *s)
{
    bound_study_free(&s->bound);
    pv_i_buffer_deinit(&s->csv);
    pv_i_buffer_deinit(&s->text);
    pv_i_arena_deinit(&s->arena);
}

static void random_tables_are_placed_naively(void **state)
{
    pv_rng rng;
    pv_i_rng_init(&rng, 501);
    (void)state;
    for (int round = 0; round < 150; round++) {
        random_study s;
        random_table_init(&s, &rng);
        fixture f = fixture_of(s.bound, round % 2 == 0);
        expect_space(&f);
        pv_i_cut_space_deinit(&f.space);
        random_table_deinit(&s);
    }
}

/* With none to three decimals, with and without a sign. */
static void random_number(pv_rng *rng, char *text, size_t size)
{
    const double number = ((double)pv_i_rng_below(rng, 4001) - 2000) / 100;
    const int decimals = (int)pv_i_rng_below(rng, 4);
    if (pv_i_rng_below(rng, 4) == 0) {
        (void)snprintf(text, size, "%+.*f", decimals, number);
    } else {
        (void)snprintf(text, size, "%.*f", decimals, number);
    }
}

static void random_granules_are_placed_naively(void **state)
{
    static const char *const steps[] = {"0.1", "0.25", "1", "1.5", "2", "5", "0.01", "7", "50"};
    pv_rng rng;
    pv_i_rng_init(&rng, 502);
    (void)state;
    for (int round = 0; round < 200; round++) {
        char plan[64] = "";
        char texts[24][16];
        const char *cells[25] = {0};
        for (size_t i = 0; i < COUNT(texts); i++) {
            random_number(&rng, texts[i], sizeof texts[i]);
            cells[i] = pv_i_rng_below(&rng, 9) == 0 ? "NA" : texts[i];
        }
        if (round % 8 != 0) {
            (void)snprintf(plan, sizeof plan, ", granularity: %s",
                           steps[pv_i_rng_below(&rng, COUNT(steps))]);
        }
        fixture f = fixture_of_column(plan, cells);
        expect_space(&f);
        fixture_free(&f);
    }
}

/* ---------------------------------------------------------------- taxonomy */

/* Compares all intervals of all axes; returns how many of them are refused. */
static size_t expect_joinable(const fixture *f, bool respect_taxonomy)
{
    size_t refused = 0;
    for (size_t a = 0; a < f->space.n_axes; a++) {
        const pv_cut_axis *const axis = &f->space.axes[a];
        assert_int_equal(axis->respects, respect_taxonomy && !axis->numeric);
        for (uint32_t first = 0; first < axis->n; first++) {
            for (uint32_t last = first; last < axis->n; last++) {
                const bool expected =
                    !axis->respects || cut_oracle_joinable(axis->hierarchy, first, last);
                if (pv_i_cut_joinable(axis, first, last) != expected) {
                    fail_msg("%u..%u of %u: %s", first, last, axis->n,
                             expected ? "a family, but refused" : "no family, but joined");
                }
                refused += !expected;
            }
        }
    }
    return refused;
}

/*     *
 *   A     B       e f     Drawn as the hierarchy is: leaves a b | c d | e | f in tree order, of
 *  a b   c d              which e and f are children of the root. */
static void families_are_siblings(void **state)
{
    static const char *const cells[] = {"a", "b", "c", "d", "e", "f", NULL};
    static const bool joinable[6][6] = {
        {1, 1, 0, 1, 1, 1}, {0, 1, 0, 0, 0, 0}, {0, 0, 1, 1, 1, 1},
        {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 1}, {0, 0, 0, 0, 0, 1},
    };
    fixture f = fixture_of(
        study_of_column(", hierarchy: {rows: [[a, A], [b, A], [c, B], [d, B], [e], [f]]}", cells),
        true);
    (void)state;
    for (uint32_t first = 0; first < 6; first++) {
        assert_int_equal(place_of(&f, 0, first), first);
        for (uint32_t last = first; last < 6; last++) {
            if (pv_i_cut_joinable(&f.space.axes[0], first, last) != joinable[first][last]) {
                fail_msg("%s..%s", cells[first], cells[last]);
            }
        }
    }
    assert_true(expect_joinable(&f, true) > 0);
    fixture_free(&f);
}

static void random_families_are_siblings(void **state)
{
    size_t refused = 0;
    pv_rng rng;
    pv_i_rng_init(&rng, 503);
    (void)state;
    for (int round = 0; round < 300; round++) {
        const bool respect_taxonomy = round % 10 != 0;
        random_study s;
        random_table_init(&s, &rng);
        fixture f = fixture_of(s.bound, respect_taxonomy);
        refused += expect_joinable(&f, respect_taxonomy);
        pv_i_cut_space_deinit(&f.space);
        random_table_deinit(&s);
    }
    assert_true(refused > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_in_order),
        cmocka_unit_test(only_numbers_have_a_granularity),
        cmocka_unit_test(putting_away_twice_is_fine),
        cmocka_unit_test(random_tables_are_placed_naively),
        cmocka_unit_test(random_granules_are_placed_naively),
        cmocka_unit_test(families_are_siblings),
        cmocka_unit_test(random_families_are_siblings),
    };
    return cmocka_run_group_tests_name("the space of cuts", tests, NULL, NULL);
}
