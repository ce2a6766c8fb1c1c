/* Labels that never touch, axes that are broken, numbers that fit. */
#include "support/testing.h"

#include "base/rng.h"
#include "report/svg.h"

/* cmocka wants the four above first */
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------- labels */

static bool is_inside(pv_svg_box box, pv_svg_box within)
{
    return box.x >= within.x - 1e-9 && box.y >= within.y - 1e-9 &&
           box.x + box.width <= within.x + within.width + 1e-9 &&
           box.y + box.height <= within.y + within.height + 1e-9;
}

static size_t assert_apart(const pv_svg_label *labels, size_t n, pv_svg_box within)
{
    size_t placed = 0;
    for (size_t i = 0; i < n; i++) {
        placed += labels[i].placed;
        assert_true(!labels[i].placed || is_inside(labels[i].box, within));
        for (size_t j = 0; j < i; j++) {
            assert_false(labels[i].placed && labels[j].placed &&
                         pv_i_svg_touch(labels[i].box, labels[j].box));
        }
    }
    return placed;
}

/* Names of two neighbours stood across each other before. */
static void neighbours_both_have_a_name(void **state)
{
    (void)state;
    const pv_svg_box within = {60, 30, 600, 280};
    pv_svg_label labels[] = {
        {.text = "knee: k 57", .x = 300, .y = 100, .away = 11, .letters = 16},
        {.text = "gentle: k 34", .x = 280, .y = 101, .away = 11, .letters = 16},
        {.text = "strong: k 940", .x = 300, .y = 100, .away = 11, .letters = 16, .up = true}};
    pv_i_svg_place_labels(labels, 3, within, NULL, NULL);
    assert_int_equal(assert_apart(labels, 3, within), 3);
    assert_false(labels[0].moved);
    assert_true(labels[0].box.x > 300 && labels[0].box.y > 100); /* at the side it asked for */
}

static void crowds_of_labels_never_touch(void **state)
{
    (void)state;
    enum { N = 40 };
    pv_rng rng;
    pv_i_rng_init(&rng, 7);
    for (size_t round = 0; round < 200; round++) {
        const double width = 50 + (double)pv_i_rng_below(&rng, 700);
        const pv_svg_box within = {10, 20, width, 30 + (double)pv_i_rng_below(&rng, 300)};
        const size_t n = 1 + (size_t)pv_i_rng_below(&rng, N);
        static const char *const texts[] = {"a", "knee: k 13", "long: l-recursive(2) 12,345.67",
                                            "\xd0\x96\xd0\x96", ""};
        pv_svg_label labels[N];
        for (size_t i = 0; i < n; i++) {
            labels[i] = (pv_svg_label){.text = texts[pv_i_rng_below(&rng, 5)],
                                       .x = 10 + (double)pv_i_rng_below(&rng, (uint64_t)width),
                                       .y = 20 + (double)pv_i_rng_below(&rng, 100),
                                       .away = (double)pv_i_rng_below(&rng, 12),
                                       .letters = 8 + (double)pv_i_rng_below(&rng, 10),
                                       .left = pv_i_rng_below(&rng, 2) == 1,
                                       .up = pv_i_rng_below(&rng, 2) == 1};
        }
        pv_i_svg_place_labels(labels, n, within, NULL, NULL);
        (void)assert_apart(labels, n, within);
    }
}

static double covers_right(const void *context, pv_svg_box box)
{
    return box.x + box.width > *(const double *)context;
}

static void labels_avoid_what_they_would_cover(void **state)
{
    (void)state;
    const double line = 100;
    const pv_svg_box within = {0, 0, 300, 200};
    pv_svg_label label = {.text = "knee", .x = 99, .y = 100, .away = 5, .letters = 12};
    pv_i_svg_place_labels(&label, 1, within, covers_right, &line);
    assert_true(label.placed && label.box.x + label.box.width <= line);
    label.x = 300; /* everything is covered: still the least bad place */
    label.text = "a name that is long";
    pv_i_svg_place_labels(&label, 1, within, covers_right, &(double){-1});
    assert_true(label.placed);
}

static void labels_without_room_are_left_out(void **state)
{
    (void)state;
    pv_buffer out = {0};
    pv_svg_label label = {.text = "much too long for this", .x = 5, .y = 5, .letters = 12};
    pv_i_svg_place_labels(&label, 1, (pv_svg_box){0, 0, 40, 40}, NULL, NULL);
    assert_false(label.placed);
    pv_i_svg_label(&out, "name", &label);
    assert_int_equal(out.size, 0);
    pv_i_buffer_deinit(&out);
}

/* ------------------------------------------------------------------------- ends */

static void ends_of_curves_are_apart(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 3);
    for (size_t round = 0; round < 500; round++) {
        double wanted[30];
        double places[30];
        const size_t n = (size_t)pv_i_rng_below(&rng, 31);
        for (size_t i = 0; i < n; i++) {
            wanted[i] = places[i] = 50 + (double)pv_i_rng_below(&rng, 101);
        }
        const size_t shown = pv_i_svg_spread(places, n, 12, 50, 150);
        assert_int_equal(shown, n < 9 ? n : 9); /* nine rows of 12 have room */
        for (size_t i = 0; i < shown; i++) {
            assert_true(places[i] >= 50 - 1e-9 && places[i] <= 150 + 1e-9);
            for (size_t j = 0; j < i; j++) {
                assert_true(fabs(places[i] - places[j]) >= 12 - 1e-9);
                assert_true(wanted[i] >= wanted[j] || places[i] < places[j]);
            }
        }
    }
    double one[] = {70};
    assert_int_equal(pv_i_svg_spread(one, 1, 12, 50, 150), 1);
    assert_true(one[0] == 70); /* alone it stays */
}

/* ------------------------------------------------------------------------- axes */

static void a_broken_axis_keeps_its_order(void **state)
{
    (void)state;
    pv_svg_axis axis = pv_i_svg_near_axis(0.62, 0.95, 4, PV_SVG_PERCENT, 300, 40);
    assert_true(axis.min > 0.5);
    axis = pv_i_svg_break(axis, 0, 0.95);
    assert_true(axis.broken_low && !axis.broken_high);
    assert_true(fabs(pv_i_svg_at(&axis, 0) - 300) < 1e-9);
    assert_true(fabs(pv_i_svg_at(&axis, axis.max) - 40) < 1e-9);
    double last = 301;
    for (int i = 0; i <= 100; i++) { /* upwards without end or jump back */
        const double y = pv_i_svg_at(&axis, axis.max * i / 100);
        assert_true(y < last && y >= 40 - 1e-9);
        last = y;
    }
    /* The rest has nearly all of the axis. */
    assert_true(pv_i_svg_at(&axis, axis.min) - pv_i_svg_at(&axis, axis.max) > 0.9 * 260);
    double values[PV_SVG_MAX_TICKS];
    const size_t n = pv_i_svg_ticks(&axis, values);
    assert_true(n >= 3 && fabs(values[0]) <= 0 && fabs(values[1] - axis.min) < 1e-9);
    const pv_svg_axis both = pv_i_svg_break(pv_i_svg_log_axis(50, 100, 4, 0, 100), 1, 1000);
    assert_true(both.broken_low && both.broken_high);
    assert_true(pv_i_svg_at(&both, 1000) > pv_i_svg_at(&both, 100));
    const pv_svg_axis whole = pv_i_svg_axis(1, 5, PV_SVG_PERCENT, 0, 100);
    assert_false(pv_i_svg_break(whole, 0, 1).broken_high);
}

static void zero_has_no_place_on_a_log_axis(void **state)
{
    (void)state;
    const pv_svg_axis factors = pv_i_svg_log_axis(1e-6, 1, 6, 0, 100);
    const pv_svg_axis plain = pv_i_svg_axis(1, 5, PV_SVG_NUMBER, 0, 100);
    assert_false(pv_i_svg_shows(&factors, 0));
    assert_false(pv_i_svg_shows(&factors, -1));
    assert_true(pv_i_svg_shows(&factors, 1e-6));
    assert_true(pv_i_svg_shows(&plain, 0));
    assert_false(pv_i_svg_shows(&plain, (double)NAN));
}

static void equal_values_have_a_readable_axis(void **state)
{
    (void)state;
    const pv_svg_axis axis = pv_i_svg_range_axis(5e6, 5e6, 4, PV_SVG_NUMBER, 0, 100);
    assert_true(axis.min == 0 && axis.max >= 5e6);
    const pv_svg_axis zero = pv_i_svg_range_axis(0, 0, 4, PV_SVG_NUMBER, 0, 100);
    assert_true(zero.min == 0 && zero.max > 0);
}

/* Where the numbers of an axis stand: no two closer than their letters are wide. */
static void numbers_do_not_touch(void **state)
{
    (void)state;
    static const double largest[] = {9, 300, 30162, 2e6, 4e7, 9e9};
    for (size_t i = 0; i < sizeof largest / sizeof *largest; i++) {
        pv_buffer out = {0};
        pv_svg_axis axis = pv_i_svg_log_axis(1, largest[i], 14, 60, 620);
        axis.letters = 15;
        pv_i_svg_axis_x(&out, &axis, 0, 200);
        double end = 0;
        size_t n = 0;
        for (const char *at = out.data; (at = strstr(at, "<text class=\"tick\"")) != NULL; n++) {
            const double x = strtod(strstr(at, " x=\"") + 4, NULL);
            const char *const text = strchr(at, '>') + 1;
            char number[32] = {0};
            memcpy(number, text, (size_t)(strchr(text, '<') - text));
            const double half = pv_i_svg_text_width(number, 15) / 2;
            assert_true(x - half > end);
            end = x + half;
            at = text;
        }
        assert_true(n >= 2);
        pv_i_buffer_deinit(&out);
    }
}

static void ticks_are_short(void **state)
{
    (void)state;
    static const struct {
        double value;
        pv_svg_unit unit;
        const char *text;
    } cases[] = {{4e8, PV_SVG_NUMBER, "400M"},   {2e-7, PV_SVG_NUMBER, "2e-7"},
                 {1e-5, PV_SVG_NUMBER, "1e-5"},  {0.001, PV_SVG_NUMBER, "0.001"},
                 {0, PV_SVG_NUMBER, "0"},        {0.25, PV_SVG_PERCENT, "25%"},
                 {5e-6, PV_SVG_PERCENT, "5e-4%"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_buffer out = {0};
        pv_i_svg_tick_value(&out, cases[i].value, cases[i].unit);
        assert_string_equal(out.data, cases[i].text);
        pv_i_buffer_deinit(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_both_have_a_name),
        cmocka_unit_test(crowds_of_labels_never_touch),
        cmocka_unit_test(labels_avoid_what_they_would_cover),
        cmocka_unit_test(labels_without_room_are_left_out),
        cmocka_unit_test(ends_of_curves_are_apart),
        cmocka_unit_test(a_broken_axis_keeps_its_order),
        cmocka_unit_test(zero_has_no_place_on_a_log_axis),
        cmocka_unit_test(equal_values_have_a_readable_axis),
        cmocka_unit_test(numbers_do_not_touch),
        cmocka_unit_test(ticks_are_short),
    };
    return cmocka_run_group_tests_name("pictures", tests, NULL, NULL);
}
