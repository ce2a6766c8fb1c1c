/* The dominated volume against its definition: boxes included and excluded, cells counted. */
#include "base/rng.h"
#include "front/indicators.h"
#include "support/front_volume.h"
#include "support/testing.h"

#include <string.h>

enum { MOST_POINTS = 1500, MOST_EXACT = 4 };

/* What adding up in another order may differ by, and what a sample may. */
#define EXACT 1e-12
#define SAMPLED 6e-3

static double volume_of(const double *points, size_t n, size_t dims)
{
    double volume = -1;
    bool estimated = dims <= MOST_EXACT;
    assert_true(pv_i_hypervolume(points, n, dims, &volume, &estimated));
    assert_int_equal(estimated, dims > MOST_EXACT);
    assert_true(volume >= 0 && volume <= 1 + EXACT);
    return volume;
}

static void expect_near(double volume, double expected, double tolerance)
{
    if (!(fabs(volume - expected) <= tolerance)) {
        fail_msg("%.17g should be %.17g", volume, expected);
    }
}

static double tolerance_in(size_t dims)
{
    return dims > MOST_EXACT ? SAMPLED : EXACT;
}

/* Multiples of 1 / steps, so that there are ties; `steps` 0 = anything. */
static void random_points(pv_rng *rng, double *points, size_t n, size_t dims, size_t steps)
{
    for (size_t i = 0; i < n * dims; i++) {
        points[i] =
            steps > 0 ? (double)pv_i_rng_below(rng, steps + 1) / (double)steps : pv_i_rng_unit(rng);
    }
}

/* -------------------------------------------------------------------- by hand */

static void volumes_known_by_hand(void **state)
{
    static const struct {
        size_t dims, n;
        double points[12];
        double volume;
    } cases[] = {
        {1, 0, {0}, 0},
        {1, 3, {0.25, 0.75, 0.5}, 0.75},
        {2, 0, {0}, 0},
        {2, 1, {1, 1}, 1},
        {2, 1, {0.5, 0.25}, 0.125},
        {2, 2, {1, 0, 0, 1}, 0},
        {2, 2, {1, 0.5, 0.5, 1}, 0.75},
        {2, 3, {0.25, 0.75, 0.5, 0.5, 0.75, 0.25}, 0.375},
        {2, 3, {0.5, 0.5, 0.5, 0.5, 0.25, 0.5}, 0.25},
        {3, 0, {0}, 0},
        {3, 1, {0.5, 0.5, 0.5}, 0.125},
        {3, 3, {1, 1, 0.5, 1, 0.5, 1, 0.5, 1, 1}, 0.875},
        {3, 3, {1, 0.5, 0.5, 0.5, 1, 0.5, 0.5, 0.5, 1}, 0.5},
        {4, 1, {0.5, 0.5, 0.5, 1}, 0.125},
        {4, 2, {0.5, 1, 1, 1, 1, 1, 1, 0.5}, 0.75},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_near(volume_of(cases[i].points, cases[i].n, cases[i].dims), cases[i].volume, EXACT);
    }
}

static void what_is_outside_is_cut_off(void **state)
{
    const double points[] = {7, 0.5, 0.25, (double)INFINITY, -3, 1, (double)NAN, 1};
    (void)state;
    expect_near(volume_of(points, 4, 2), 0.625, EXACT);
}

/* A corner of the cube: half of it in every dimension. */
static void samples_of_a_corner(void **state)
{
    (void)state;
    for (size_t dims = MOST_EXACT + 1; dims <= PV_MAX_OBJECTIVES; dims++) {
        double points[PV_MAX_OBJECTIVES];
        for (size_t d = 0; d < dims; d++) {
            points[d] = 0.5;
        }
        expect_near(volume_of(points, 1, dims), pow(0.5, (double)dims), 1e-3);
        expect_near(volume_of(points, 0, dims), 0, 0);
        for (size_t d = 0; d < dims; d++) {
            points[d] = 1;
        }
        expect_near(volume_of(points, 1, dims), 1, 0);
    }
}

/* ----------------------------------------------------------------- by oracles */

static void few_points_agree_with_their_boxes(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 31);
    for (size_t i = 0; i < effort(1500); i++) {
        double points[9 * PV_MAX_OBJECTIVES];
        const size_t dims = 1 + (size_t)pv_i_rng_below(&rng, i % 50 == 0 ? 8 : MOST_EXACT);
        const size_t n = (size_t)pv_i_rng_below(&rng, 10);
        random_points(&rng, points, n, dims, (size_t)pv_i_rng_below(&rng, 6));
        expect_near(volume_of(points, n, dims), volume_by_boxes(points, n, dims),
                    tolerance_in(dims));
    }
}

/* Points with a sum near that of most others: few of them are dominated. */
static void random_front(pv_rng *rng, double *points, size_t n, size_t dims, size_t steps)
{
    for (size_t i = 0; i < n; i++) {
        double *const p = points + i * dims;
        size_t left = steps * dims / 2;
        for (size_t d = 0; d < dims; d++) {
            size_t part = (size_t)pv_i_rng_below(rng, steps + 1);
            part = part < left ? part : left;
            left -= part;
            p[d] = (double)part / (double)steps;
        }
    }
}

static void many_points_agree_with_counted_cells(void **state)
{
    static const size_t steps[] = {0, 60, 60, 24, 10, 6};
    static double points[MOST_POINTS * 5];
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 32);
    for (size_t i = 0; i < effort(20); i++) {
        const size_t dims = 1 + i % 5;
        const size_t n = (size_t)pv_i_rng_below(&rng, dims > MOST_EXACT ? MOST_POINTS : 250);
        if (i % 3 == 0) {
            random_points(&rng, points, n, dims, steps[dims]);
        } else {
            random_front(&rng, points, n, dims, steps[dims]);
        }
        expect_near(volume_of(points, n, dims), volume_by_cells(points, n, dims, steps[dims]),
                    tolerance_in(dims));
    }
}

/* A fine grid is one of the last bits that a sample sees. */
static void samples_agree_with_boxes_on_smooth_fronts(void **state)
{
    double points[12 * PV_MAX_OBJECTIVES];
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 33);
    for (size_t i = 0; i < effort(20); i++) {
        const size_t dims = 5 + i % 4;
        random_points(&rng, points, 12, dims, 0);
        for (size_t j = 0; j < 12 * dims; j++) {
            points[j] = 0.5 + points[j] / 2;
        }
        expect_near(volume_of(points, 12, dims), volume_by_boxes(points, 12, dims), SAMPLED);
    }
}

/* ----------------------------------------------------------------------- laws */

static void shuffle(pv_rng *rng, double *points, size_t n, size_t dims)
{
    double other[PV_MAX_OBJECTIVES];
    const size_t bytes = dims * sizeof *points;
    for (size_t i = n; i-- > 1;) {
        double *const a = points + i * dims;
        double *const b = points + (size_t)pv_i_rng_below(rng, i + 1) * dims;
        memcpy(other, a, bytes);
        memmove(a, b, bytes);
        memcpy(b, other, bytes);
    }
}

/* To the last bit. */
static void order_and_repetition_do_not_matter(void **state)
{
    double points[60 * PV_MAX_OBJECTIVES];
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 34);
    for (size_t i = 0; i < effort(300); i++) {
        const size_t dims = i % 20 == 0 ? 6 : 1 + i % MOST_EXACT;
        random_points(&rng, points, 30, dims, i % 3 == 0 ? 8 : 0);
        memcpy(points + 30 * dims, points, 30 * dims * sizeof *points);
        const double volume = volume_of(points, 30, dims);
        shuffle(&rng, points, 30, dims);
        assert_true(volume_of(points, 30, dims) == volume);
        shuffle(&rng, points, 60, dims);
        assert_true(volume_of(points, 60, dims) == volume);
    }
}

static void axes_may_be_exchanged(void **state)
{
    double points[40 * MOST_EXACT];
    double turned[40 * MOST_EXACT];
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 35);
    for (size_t i = 0; i < effort(300); i++) {
        const size_t dims = 1 + i % MOST_EXACT;
        random_points(&rng, points, 40, dims, i % 3 == 0 ? 8 : 0);
        for (size_t j = 0; j < 40 * dims; j++) {
            turned[j] = points[j / dims * dims + (j + 1) % dims];
        }
        expect_near(volume_of(turned, 40, dims), volume_of(points, 40, dims), EXACT);
    }
}

/* Grows with every point; by nothing if the point is dominated; strictly if it dominates one. */
static void more_points_never_dominate_less(void **state)
{
    double points[50 * PV_MAX_OBJECTIVES];
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 36);
    for (size_t i = 0; i < effort(60); i++) {
        const size_t dims = i % 20 == 0 ? 5 : 2 + i % 3;
        double before = 0;
        random_points(&rng, points, 50, dims, i % 2 == 0 ? 20 : 0);
        for (size_t n = 1; n < 50; n++) {
            const double volume = volume_of(points, n, dims);
            assert_true(volume >= before - EXACT);
            for (size_t d = 0; d < dims; d++) {
                const double worse = points[(n - 1) * dims + d] * 0.9;
                points[n * dims + d] = n % 5 == 0 ? worse : points[n * dims + d];
            }
            if (n % 5 == 0) {
                expect_near(volume_of(points, n + 1, dims), volume, EXACT);
            }
            before = volume;
        }
    }
}

/* ----------------------------------------------------------- between corners */

static pv_archive archive_of(const char *first, const char *second, const double (*values)[2],
                             size_t n)
{
    const pv_measure_ref objectives[] = {{.measure = pv_measure_find(first)},
                                         {.measure = pv_measure_find(second)}};
    const uint8_t levels[1] = {0};
    pv_archive archive;
    pv_i_archive_init(&archive, objectives, 2, 1, NULL);
    for (size_t i = 0; i < n; i++) {
        assert_true(pv_i_archive_offer(&archive, values[i], levels, 1, 0));
    }
    return archive;
}

static double archive_volume(const pv_archive *archive, const double *worst, const double *best,
                             const bool *logarithmic)
{
    double volume = -1;
    bool estimated = true;
    assert_true(pv_i_archive_volume(archive, worst, best, logarithmic, &volume, &estimated));
    assert_false(estimated);
    return volume;
}

/* k between 1 and 16, by its logarithm; glm between 20 and 0. */
static void archives_are_measured_between_corners(void **state)
{
    static const double values[][2] = {{1, 0}, {4, 5}, {8, 15}, {16, 20}};
    const double worst[] = {1, -20};
    const double best[] = {16, 0};
    const bool logarithmic[] = {true, false};
    pv_archive archive = archive_of("k", "glm", values, 4);
    (void)state;
    expect_near(archive_volume(&archive, worst, best, logarithmic), 0.5 * 0.75 + 0.25 * 0.25,
                EXACT);
    expect_near(archive_volume(&archive, worst, best, NULL), 3.0 / 15 * 0.75 + 4.0 / 15 * 0.25,
                EXACT);
    /* Beyond the corners there is nothing to be had. */
    expect_near(archive_volume(&archive, (double[]){2, -20}, (double[]){4, -10}, NULL), 1, EXACT);
    expect_near(archive_volume(&archive, (double[]){16, -10}, (double[]){32, 0}, NULL), 0, EXACT);
    pv_i_archive_deinit(&archive);
}

/* A class size that had better be small. */
static void small_classes_are_measured_too(void **state)
{
    static const double values[][2] = {{2, 4}};
    pv_archive archive = archive_of("aecs", "k", values, 1);
    (void)state;
    expect_near(
        archive_volume(&archive, (double[]){-8, 1}, (double[]){-1, 16}, (const bool[]){true, true}),
        2.0 / 3 * 0.5, EXACT);
    pv_i_archive_deinit(&archive);
}

static void flat_spaces_are_full_or_empty(void **state)
{
    static const double values[][2] = {{3, 5}, {4, 9}};
    pv_archive archive = archive_of("k", "glm", values, 2);
    (void)state;
    expect_near(archive_volume(&archive, (double[]){3, -10}, (double[]){3, 0}, NULL), 0.5, EXACT);
    expect_near(archive_volume(&archive, (double[]){4, -10}, (double[]){4, 0}, NULL), 0.1, EXACT);
    expect_near(archive_volume(&archive, (double[]){5, -10}, (double[]){5, 0}, NULL), 0, EXACT);
    expect_near(archive_volume(&archive, (double[]){4, -9}, (double[]){4, -9}, NULL), 1, EXACT);
    pv_i_archive_deinit(&archive);
    archive = archive_of("k", "glm", values, 0);
    expect_near(archive_volume(&archive, (double[]){4, -9}, (double[]){4, -9}, NULL), 0, EXACT);
    pv_i_archive_deinit(&archive);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_known_by_hand),
        cmocka_unit_test(what_is_outside_is_cut_off),
        cmocka_unit_test(samples_of_a_corner),
        cmocka_unit_test(few_points_agree_with_their_boxes),
        cmocka_unit_test(many_points_agree_with_counted_cells),
        cmocka_unit_test(samples_agree_with_boxes_on_smooth_fronts),
        cmocka_unit_test(order_and_repetition_do_not_matter),
        cmocka_unit_test(axes_may_be_exchanged),
        cmocka_unit_test(more_points_never_dominate_less),
        cmocka_unit_test(archives_are_measured_between_corners),
        cmocka_unit_test(small_classes_are_measured_too),
        cmocka_unit_test(flat_spaces_are_full_or_empty),
    };
    return cmocka_run_group_tests_name("hypervolume", tests, NULL, NULL);
}
