/* The exposure of a raw table against counting strings: every attribute alone, every pair, and the
 * whole with and without each attribute. */
#include "measure/exposure.h"
#include "support/oracle.h"
#include "support/random_study.h"

#include <math.h>
#include <paravent/measure.h>

/* A choice of quasi-identifiers, one bit each. */
typedef unsigned choice;

static size_t rows_like(const oracle_table *t, size_t row, choice seen)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        bool alike = true;
        for (size_t q = 0; q < t->n_quasi; q++) {
            alike = alike && ((seen >> q & 1) == 0 ||
                              oracle_same(t->quasi[q].cells[i], t->quasi[q].cells[row]));
        }
        n += alike;
    }
    return n;
}

static uint64_t rows_below(const oracle_table *t, choice seen, size_t size)
{
    uint64_t n = 0;
    for (size_t row = 0; row < t->n_rows; row++) {
        n += rows_like(t, row, seen) < size;
    }
    return n;
}

/* Each row counts for its share of its combination. */
static double combinations(const oracle_table *t, choice seen)
{
    double n = 0;
    for (size_t row = 0; row < t->n_rows; row++) {
        n += 1 / (double)rows_like(t, row, seen);
    }
    return round(n);
}

static void expect_part(const oracle_table *t, const pv_exposure *e, const pv_exposure_part *part)
{
    const choice seen = 1u << part->a | 1u << part->b;
    const double n = combinations(t, seen);
    assert_true((double)part->combinations == n);
    assert_int_equal(part->unique_rows, rows_below(t, seen, 2));
    assert_int_equal(part->rare_rows, rows_below(t, seen, (size_t)e->rare_below));
    assert_true(fabs(part->mean_risk - n / (double)t->n_rows) < 1e-12);
}

static uint64_t rare_values(const oracle_table *t, size_t q, size_t size)
{
    uint64_t n = 0;
    for (size_t row = 0; row < t->n_rows; row++) {
        n += oracle_is_first(&t->quasi[q], row) && rows_like(t, row, 1u << q) < size;
    }
    return n;
}

static void expect_singles(const oracle_table *t, const pv_exposure *e)
{
    const choice all = (1u << t->n_quasi) - 1;
    assert_int_equal(e->n_singles, t->n_quasi);
    for (size_t q = 0; q < t->n_quasi; q++) {
        assert_int_equal(e->singles[q].a, q);
        assert_int_equal(e->singles[q].b, q);
        expect_part(t, e, &e->singles[q]);
        assert_int_equal(e->singles[q].unique_saved,
                         rows_below(t, all, 2) - rows_below(t, all & ~(1u << q), 2));
        assert_int_equal(e->singles[q].rare_values, rare_values(t, q, (size_t)e->rare_below));
    }
}

static void expect_pairs(const oracle_table *t, const pv_exposure *e)
{
    choice seen[16][16] = {{0}};
    assert_int_equal(e->n_pairs, t->n_quasi * (t->n_quasi - 1) / 2);
    for (size_t i = 0; i < e->n_pairs; i++) {
        assert_true(e->pairs[i].a < e->pairs[i].b);
        assert_int_equal(seen[e->pairs[i].a][e->pairs[i].b]++, 0);
        assert_true(i == 0 || e->pairs[i - 1].unique_rows >= e->pairs[i].unique_rows);
        expect_part(t, e, &e->pairs[i]);
    }
}

static void expect_whole(const oracle_table *t, const pv_exposure *e)
{
    const choice all = (1u << t->n_quasi) - 1;
    uint64_t histogram[PV_EXPOSURE_BINS] = {0};
    size_t smallest = SIZE_MAX;
    for (size_t row = 0; row < t->n_rows; row++) {
        const size_t size = rows_like(t, row, all);
        smallest = size < smallest ? size : smallest;
        histogram[pv_exposure_bin(size)]++;
    }
    assert_int_equal(e->rows, t->n_rows);
    assert_true((double)e->tuples == combinations(t, all));
    assert_int_equal(e->unique_rows, rows_below(t, all, 2));
    assert_true(fabs(e->risk_max - 1 / (double)smallest) < 1e-12);
    assert_true(fabs(e->risk_mean - combinations(t, all) / (double)t->n_rows) < 1e-12);
    assert_memory_equal(e->histogram, histogram, sizeof histogram);
}

static void expect_accessors(const pv_exposure *e)
{
    size_t n_bins = 0;
    assert_ptr_equal(pv_exposure_histogram(e, &n_bins), e->histogram);
    assert_int_equal(n_bins, PV_EXPOSURE_BINS);
    assert_int_equal(pv_exposure_rows(e), e->rows);
    assert_int_equal(pv_exposure_tuples(e), e->tuples);
    assert_int_equal(pv_exposure_unique_rows(e), e->unique_rows);
    assert_int_equal(pv_exposure_rare_below(e), e->rare_below);
    assert_true(pv_exposure_risk_max(e) == e->risk_max);
    assert_true(pv_exposure_risk_mean(e) == e->risk_mean);
    assert_int_equal(pv_exposure_n_singles(e), e->n_singles);
    assert_int_equal(pv_exposure_n_pairs(e), e->n_pairs);
    for (size_t i = 0; i < e->n_singles; i++) {
        assert_ptr_equal(pv_exposure_single(e, i), &e->singles[i]);
        assert_int_equal(pv_exposure_part_unique_saved(&e->singles[i]), e->singles[i].unique_saved);
        assert_int_equal(pv_exposure_part_rare_values(&e->singles[i]), e->singles[i].rare_values);
    }
    for (size_t i = 0; i < e->n_pairs; i++) {
        const pv_exposure_part *const part = pv_exposure_pair(e, i);
        assert_int_equal(pv_exposure_part_a(part), e->pairs[i].a);
        assert_int_equal(pv_exposure_part_b(part), e->pairs[i].b);
        assert_int_equal(pv_exposure_part_combinations(part), e->pairs[i].combinations);
        assert_int_equal(pv_exposure_part_unique_rows(part), e->pairs[i].unique_rows);
        assert_int_equal(pv_exposure_part_rare_rows(part), e->pairs[i].rare_rows);
        assert_true(pv_exposure_part_mean_risk(part) == e->pairs[i].mean_risk);
    }
}

static void random_tables_agree(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 31);
    for (size_t i = 0; i < 200; i++) {
        const random_shape shape = {.n_rows = 1 + (size_t)pv_i_rng_below(&rng, 30),
                                    .n_quasi = 1 + (size_t)pv_i_rng_below(&rng, 5),
                                    .n_values = 1 + (size_t)pv_i_rng_below(&rng, 8),
                                    .missing = 7,
                                    .heights = 3};
        random_study s;
        pv_exposure *e = NULL;
        random_study_init(&s, &rng, &shape);
        const uint64_t rare_below = pv_i_rng_below(&rng, 7);
        assert_int_equal(pv_exposure_create(s.profile, rare_below, NULL, &e, NULL), PV_STATUS_OK);
        assert_int_equal(e->rare_below, rare_below);
        expect_whole(&s.table, e);
        expect_singles(&s.table, e);
        expect_pairs(&s.table, e);
        expect_accessors(e);
        pv_exposure_free(e);
        random_study_deinit(&s);
    }
}

static void sizes_fall_into_their_bins(void **state)
{
    static const uint64_t starts[] = {1, 2, 3, 5, 10, 20, 50, 100};
    (void)state;
    for (size_t bin = 0; bin < PV_EXPOSURE_BINS; bin++) {
        char start[24];
        (void)snprintf(start, sizeof start, "%u", (unsigned)starts[bin]);
        assert_int_equal(pv_exposure_bin(starts[bin]), bin);
        assert_memory_equal(pv_exposure_bin_name(bin), start, strlen(start));
        if (bin > 0) {
            assert_int_equal(pv_exposure_bin(starts[bin] - 1), bin - 1);
        }
    }
    assert_int_equal(pv_exposure_bin(UINT64_MAX), PV_EXPOSURE_BINS - 1);
}

static bool stop(void *ctx, const pv_progress *progress)
{
    ++*(int *)ctx;
    assert_true(progress->done <= progress->total);
    return false;
}

static void it_stops_when_told(void **state)
{
    int asked = 0;
    const pv_context context = {.threads = 1, .progress = stop, .progress_ctx = &asked};
    bound_study s =
        bound_study_create("attributes: {a: {role: quasi}, b: {role: quasi}}\n", "a,b\n1,2\n1,3\n");
    pv_profile *const profile = bound_profile(s.study, 1);
    pv_exposure *e = NULL;
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_exposure_create(profile, 5, &context, &e, &error), PV_STATUS_CANCELLED);
    assert_int_equal(error.status, PV_STATUS_CANCELLED);
    assert_null(e);
    assert_true(asked > 0);
    pv_exposure_free(NULL);
    pv_profile_free(profile);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tables_agree),
        cmocka_unit_test(sizes_fall_into_their_bins),
        cmocka_unit_test(it_stops_when_told),
    };
    return cmocka_run_group_tests_name("exposure", tests, NULL, NULL);
}
