/* Classes of cut schemes, and the intervals that are too small, against grouping the rows one by
 * one: with and without views kept, with so many attributes that keys must be renumbered, and from
 * several threads at once. */
#include "support/cut_oracle.h"
#include "support/random_study.h"

#include "base/error.h"
#include "base/tasks.h"
#include "cuts/cut_table.h"

#define PLENTY (UINT64_C(1) << 30)

typedef struct {
    random_study study;
    pv_profile *profile;
    cut_oracle oracle;
    pv_cut_space space;
    pv_cut_table table;
    pv_cut_scratch scratch;
    uint8_t *cuts;
} fixture;

static void fixture_bind(fixture *f, const pv_study *study, pv_profile *profile, uint64_t memory)
{
    pv_error error = {0};
    f->profile = profile;
    cut_oracle_init(&f->oracle, study);
    bound_must(pv_i_cut_space_init(&f->space, study, false, &error), &error);
    bound_must(pv_i_cut_table_init(&f->table, profile, &f->space, memory, &error), &error);
    assert_true(pv_i_cut_scratch_init(&f->scratch, &f->table));
    f->cuts = oracle_array(f->space.n_bits, 1);
}

static void fixture_unbind(fixture *f)
{
    free(f->cuts);
    pv_i_cut_scratch_deinit(&f->scratch);
    pv_i_cut_table_deinit(&f->table);
    pv_i_cut_table_deinit(&f->table); /* once more does no harm */
    pv_i_cut_space_deinit(&f->space);
    cut_oracle_deinit(&f->oracle);
}

static void fixture_init(fixture *f, pv_rng *rng, const random_shape *shape, uint64_t memory)
{
    *f = (fixture){0};
    random_study_init(&f->study, rng, shape);
    fixture_bind(f, f->study.bound.study, f->study.profile, memory);
}

static void fixture_deinit(fixture *f)
{
    fixture_unbind(f);
    random_study_deinit(&f->study);
}

typedef struct {
    pv_buffer csv, plan;
} texts;

/* So many attributes, each with so many values. */
static texts wide_table(size_t n_axes, size_t n_values, const char *letter)
{
    texts t = {{0}, {0}};
    pv_i_buffer_text(&t.plan, "attributes:\n");
    pv_i_buffer_text(&t.csv, "row");
    for (size_t a = 0; a < n_axes; a++) {
        pv_i_buffer_format(&t.plan, "  q%zu: {role: quasi}\n", a);
        pv_i_buffer_format(&t.csv, ",q%zu", a);
    }
    for (size_t v = 0; v < n_values; v++) {
        pv_i_buffer_format(&t.csv, "\n%zu", v);
        for (size_t a = 0; a < n_axes; a++) {
            pv_i_buffer_format(&t.csv, ",%s%zu", letter, v);
        }
    }
    return t;
}

static void texts_deinit(texts *t)
{
    pv_i_buffer_deinit(&t->csv);
    pv_i_buffer_deinit(&t->plan);
}

/* Few cuts or many, and some attributes with none. */
static void random_cuts(const fixture *f, pv_rng *rng, uint8_t *cuts)
{
    const uint64_t tenths = pv_i_rng_below(rng, 11);
    for (size_t a = 0; a < f->space.n_axes; a++) {
        const pv_cut_axis *const axis = &f->space.axes[a];
        const bool merged = pv_i_rng_below(rng, 3) == 0;
        for (size_t i = 0; i + 1 < axis->n; i++) {
            cuts[axis->first_bit + i] = !merged && pv_i_rng_below(rng, 10) < tenths;
        }
    }
}

/* ------------------------------------------------------------------ classes */

static void expect_sizes(const pv_cut_sizes *sizes, const cut_oracle_sizes *expected)
{
    assert_int_equal(sizes->smallest, expected->smallest);
    assert_int_equal(sizes->largest, expected->largest);
    assert_int_equal(sizes->n_classes, expected->n_classes);
}

static void expect_count(fixture *f)
{
    const cut_oracle_sizes expected = cut_oracle_count(&f->oracle, f->cuts);
    pv_cut_sizes sizes;
    assert_true(pv_i_cut_count(&f->table, &f->scratch, f->cuts, &sizes));
    expect_sizes(&sizes, &expected);
}

static void expect_random_counts(fixture *f, pv_rng *rng, int n)
{
    for (int i = 0; i < n; i++) {
        random_cuts(f, rng, f->cuts);
        expect_count(f);
    }
    memset(f->cuts, 0, f->space.n_bits);
    expect_count(f);
    memset(f->cuts, 1, f->space.n_bits);
    expect_count(f);
}

static random_shape small_shape(pv_rng *rng)
{
    return (random_shape){.n_rows = 1 + (size_t)pv_i_rng_below(rng, 50),
                          .n_quasi = 1 + (size_t)pv_i_rng_below(rng, 5),
                          .n_values = 1 + (size_t)pv_i_rng_below(rng, 12),
                          .missing = (unsigned)pv_i_rng_below(rng, 2) * 7,
                          .heights = 3,
                          .uniform = pv_i_rng_below(rng, 2) == 0,
                          .copies = (unsigned)pv_i_rng_below(rng, 2) * 2};
}

static void classes_are_those_of_the_rows(void **state)
{
    static const uint64_t memories[] = {0, 1, 700, PLENTY};
    pv_rng rng;
    pv_i_rng_init(&rng, 601);
    (void)state;
    for (int round = 0; round < 80; round++) {
        const random_shape shape = small_shape(&rng);
        fixture f;
        fixture_init(&f, &rng, &shape, memories[round % 4]);
        expect_random_counts(&f, &rng, 12);
        assert_true(round % 4 != 0 || f.table.n_views == 0);
        fixture_deinit(&f);
    }
}

/* A key of all attributes has no room in 64 bits. */
static void many_attributes_are_counted(void **state)
{
    static const random_shape shapes[] = {
        {.n_rows = 150, .n_quasi = 30, .n_values = 14, .full = true, .uniform = true},
        {.n_rows = 100, .n_quasi = 64, .n_values = 5, .full = true, .copies = 2},
        {.n_rows = 200, .n_quasi = 7, .n_values = 60, .full = true, .copies = 2},
    };
    pv_rng rng;
    pv_i_rng_init(&rng, 602);
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        random_shape shape = shapes[i / 2];
        shape.heights = 2;
        fixture f;
        fixture_init(&f, &rng, &shape, i % 2 == 0 ? 0 : PLENTY);
        assert_int_equal(f.space.n_axes, shape.n_quasi);
        expect_random_counts(&f, &rng, 30);
        fixture_deinit(&f);
    }
}

/* What is counted does not depend on what was counted before. */
static void a_view_serves_again(void **state)
{
    const random_shape shape = {.n_rows = 60, .n_quasi = 4, .n_values = 6, .heights = 2};
    pv_rng rng;
    fixture f;
    pv_i_rng_init(&rng, 603);
    fixture_init(&f, &rng, &shape, PLENTY);
    (void)state;
    for (int i = 0; i < 100; i++) {
        random_cuts(&f, &rng, f.cuts);
        expect_count(&f);
    }
    assert_true(f.table.n_views <= 15); /* of all sets of attributes but the whole */
    fixture_deinit(&f);
}

/* ---------------------------------------------------------------- intervals */

static void expect_intervals(fixture *f, size_t axis, uint64_t k)
{
    const uint32_t n = f->space.axes[axis].n;
    bool *const too_small = oracle_array((size_t)n * n, sizeof *too_small);
    assert_true(pv_i_cut_too_small(&f->table, &f->scratch, axis, f->cuts, k, too_small));
    for (uint32_t first = 0; first < n; first++) {
        for (uint32_t last = first; last < n; last++) {
            const bool expected = cut_oracle_too_small(&f->oracle, axis, f->cuts, k, first, last);
            if (too_small[(size_t)first * n + last] != expected) {
                fail_msg("axis %zu, k %llu: %u..%u of %u", axis, (unsigned long long)k, first, last,
                         n);
            }
        }
    }
    free(too_small);
}

static void expect_all_intervals(fixture *f, uint64_t k)
{
    for (size_t a = 0; a < f->space.n_axes; a++) {
        expect_intervals(f, a, k);
    }
}

static void intervals_too_small_are_found(void **state)
{
    static const uint64_t memories[] = {0, 300, PLENTY};
    pv_rng rng;
    pv_i_rng_init(&rng, 604);
    (void)state;
    for (int round = 0; round < 24; round++) {
        random_shape shape = small_shape(&rng);
        fixture f;
        shape.n_rows = 1 + shape.n_rows % 24;
        shape.n_values = 1 + shape.n_values % 8;
        fixture_init(&f, &rng, &shape, memories[round % 3]);
        for (uint64_t k = 0; k <= f.oracle.n_rows + 1; k += k < 4 ? 1 : 1 + k / 3) {
            random_cuts(&f, &rng, f.cuts);
            expect_all_intervals(&f, k);
        }
        expect_all_intervals(&f, f.oracle.n_rows);
        expect_all_intervals(&f, f.oracle.n_rows + 1);
        expect_all_intervals(&f, UINT64_MAX);
        fixture_deinit(&f);
    }
}

/* All other attributes make more classes than there is room for in a key. */
static void intervals_among_many_attributes(void **state)
{
    const random_shape shape = {
        .n_rows = 40, .n_quasi = 30, .n_values = 9, .full = true, .copies = 2, .heights = 2};
    pv_rng rng;
    fixture f;
    pv_i_rng_init(&rng, 605);
    fixture_init(&f, &rng, &shape, PLENTY);
    (void)state;
    for (size_t a = 0; a < f.space.n_axes; a += 5) {
        memset(f.cuts, 1, f.space.n_bits);
        expect_intervals(&f, a, 2);
        random_cuts(&f, &rng, f.cuts);
        expect_intervals(&f, a, 3);
    }
    fixture_deinit(&f);
}

/* Sixteen values each: a key made of more than eight attributes, or sixteen of them in 64 bits,
 * would forget the later ones, were it not renumbered. Rows that differ in one attribute only tell.
 */
static void the_last_attribute_still_counts(void **state)
{
    enum { AXES = 30, VALUES = 16 };
    texts t = wide_table(AXES, VALUES, "");
    for (size_t a = 0; a < AXES; a++) {
        pv_i_buffer_format(&t.csv, "\n%zu", VALUES + a);
        for (size_t i = 0; i < AXES; i++) {
            pv_i_buffer_format(&t.csv, ",%d", i == a ? 7 : 3);
        }
    }
    bound_study s = bound_study_create(t.plan.data, t.csv.data);
    fixture f = {0};
    fixture_bind(&f, s.study, bound_profile(s.study, 1), PLENTY);
    (void)state;
    memset(f.cuts, 1, f.space.n_bits);
    expect_count(&f);
    for (size_t a = 0; a < AXES; a++) {
        memset(f.cuts, 1, f.space.n_bits);
        memset(f.cuts + f.space.axes[a].first_bit, 0, VALUES - 1);
        expect_count(&f);
        expect_intervals(&f, a, 2);
    }
    pv_profile_free(f.profile);
    fixture_unbind(&f);
    bound_study_free(&s);
    texts_deinit(&t);
}

/* ------------------------------------------------------------------ threads */

enum { WORKERS = 4, SCHEMES = 60, MOST_VALUES = 12 };

typedef struct {
    pv_cut_sizes sizes;
    bool too_small[MOST_VALUES * MOST_VALUES]; /* of one axis, for k = 2 */
} finding;

typedef struct {
    fixture *f;
    uint8_t *cuts; /* SCHEMES of them */
    finding expected[SCHEMES];
    size_t wrong[WORKERS];
} crowd;

static bool find_out(const crowd *c, pv_cut_scratch *scratch, size_t scheme, finding *found)
{
    const uint8_t *const cuts = c->cuts + scheme * c->f->space.n_bits;
    const size_t axis = scheme % c->f->space.n_axes;
    memset(found, 0, sizeof *found);
    return pv_i_cut_count(&c->f->table, scratch, cuts, &found->sizes) &&
           pv_i_cut_too_small(&c->f->table, scratch, axis, cuts, 2, found->too_small);
}

static bool is_as_expected(const crowd *c, pv_cut_scratch *scratch, size_t scheme)
{
    const finding *const expected = &c->expected[scheme];
    finding found;
    return find_out(c, scratch, scheme, &found) &&
           found.sizes.smallest == expected->sizes.smallest &&
           found.sizes.largest == expected->sizes.largest &&
           found.sizes.n_classes == expected->sizes.n_classes &&
           memcmp(found.too_small, expected->too_small, sizeof found.too_small) == 0;
}

/* Every worker begins elsewhere, so that views are wanted by one while another makes them. */
static pv_status count_all(void *ctx, size_t worker, const pv_thread *thread, pv_error *error)
{
    crowd *const c = ctx;
    pv_cut_scratch scratch;
    (void)thread;
    if (!pv_i_cut_scratch_init(&scratch, &c->f->table)) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < SCHEMES; i++) {
        c->wrong[worker] += !is_as_expected(c, &scratch, (i + worker * 7) % SCHEMES);
    }
    pv_i_cut_scratch_deinit(&scratch);
    return PV_STATUS_OK;
}

/* One thread and no views kept: what the tests above have found right. */
static void expect_alone(crowd *c, pv_rng *rng)
{
    c->f->table.memory = 0;
    for (size_t i = 0; i < SCHEMES; i++) {
        random_cuts(c->f, rng, c->cuts + i * c->f->space.n_bits);
        assert_true(find_out(c, &c->f->scratch, i, &c->expected[i]));
    }
}

static void threads_count_the_same(void **state)
{
    static const uint64_t memories[] = {0, 2000, PLENTY};
    const random_shape shape = {
        .n_rows = 60, .n_quasi = 6, .n_values = MOST_VALUES - 1, .heights = 2, .copies = 2};
    pv_rng rng;
    pv_i_rng_init(&rng, 606);
    (void)state;
    for (int round = 0; round < 9; round++) {
        fixture f;
        fixture_init(&f, &rng, &shape, 0);
        crowd c = {.f = &f, .cuts = oracle_array(SCHEMES * (f.space.n_bits + 1), 1)};
        expect_alone(&c, &rng);
        f.table.memory = memories[round % 3];
        assert_int_equal(pv_i_tasks_run(WORKERS, WORKERS, count_all, &c, NULL, NULL), PV_STATUS_OK);
        for (size_t w = 0; w < WORKERS; w++) {
            assert_int_equal(c.wrong[w], 0);
        }
        free(c.cuts);
        fixture_deinit(&f);
    }
}

/* ------------------------------------------------------------------- limits */

static pv_status try_table(size_t n_axes, size_t n_values, const char *letter, pv_error *error)
{
    texts t = wide_table(n_axes, n_values, letter);
    bound_study s = bound_study_create(t.plan.data, t.csv.data);
    pv_profile *const profile = bound_profile(s.study, 1);
    pv_cut_space space;
    pv_cut_table table;
    bound_must(pv_i_cut_space_init(&space, s.study, false, error), error);
    const pv_status status = pv_i_cut_table_init(&table, profile, &space, PLENTY, error);
    pv_i_cut_table_deinit(&table);
    pv_i_cut_space_deinit(&space);
    pv_profile_free(profile);
    bound_study_free(&s);
    texts_deinit(&t);
    return status;
}

static void limits_are_told(void **state)
{
    pv_error error = {0};
    (void)state;
    assert_int_equal(try_table(PV_MOST_CUT_AXES, 3, "", &error), PV_STATUS_OK);
    assert_int_equal(try_table(1, PV_MOST_CUT_VALUES, "", &error), PV_STATUS_OK);
    assert_int_equal(try_table(PV_MOST_CUT_AXES + 1, 3, "", &error), PV_STATUS_LIMIT);
    assert_int_equal(error.status, PV_STATUS_LIMIT);
    assert_non_null(strstr(error.message, "64"));
    assert_int_equal(try_table(1, PV_MOST_CUT_VALUES + 1, "", &error), PV_STATUS_LIMIT);
    assert_non_null(strstr(error.message, "'q0'"));
    assert_non_null(strstr(error.hint, "granularity"));

    /* a granularity is for numbers: of others something else is advised */
    assert_int_equal(try_table(1, PV_MOST_CUT_VALUES + 1, "v", &error), PV_STATUS_LIMIT);
    assert_null(strstr(error.hint, "granularity"));
    assert_non_null(strstr(error.hint, "levels"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_those_of_the_rows),
        cmocka_unit_test(many_attributes_are_counted),
        cmocka_unit_test(a_view_serves_again),
        cmocka_unit_test(intervals_too_small_are_found),
        cmocka_unit_test(intervals_among_many_attributes),
        cmocka_unit_test(the_last_attribute_still_counts),
        cmocka_unit_test(threads_count_the_same),
        cmocka_unit_test(limits_are_told),
    };
    return cmocka_run_group_tests_name("classes of cuts", tests, NULL, NULL);
}
