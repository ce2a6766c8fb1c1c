/* Fronts of three and more objectives: parallel coordinates, narrowing them down, how the search
 * went. */
#include "report/front_view.h"
#include "support/samples.h"

#include <math.h>

/* --------------------------------------------------------------------------- pictures */

static void assert_numbers(const char *markup)
{
    assert_null(strstr(markup, "nan"));
    assert_null(strstr(markup, "inf\""));
    assert_null(strstr(markup, "inf "));
}

/* One plot, one line per point, one axis per objective. */
static void assert_picture(const char *markup, const front_sample *s)
{
    const pv_front *const front = &s->front;
    assert_int_equal(front_sample_count(markup, "<path class=\"stairs\""), 1);
    assert_int_equal(front_sample_count(markup, "<g class=\"point"), front->n_points);
    assert_int_equal(front_sample_count(markup, "<g class=\"line "), front->n_points);
    assert_int_equal(front_sample_count(markup, "<text class=\"measure\""), front->n_objectives);
    assert_int_equal(front_sample_count(markup, "<path class=\"head\""), front->n_objectives);
    assert_int_equal(front_sample_count(markup, "<desc>"), 1);
    for (size_t i = 0; i < front->n_points && i < 250; i++) {
        char mark[32];
        (void)snprintf(mark, sizeof mark, "data-p=\"%zu\"", i);
        assert_true(front_sample_count(markup, mark) >= 2);
    }
    assert_numbers(markup);
    assert_self_contained(markup);
}

static void assert_drawn(size_t n_objectives, size_t n_points)
{
    front_sample s;
    char name[64];
    front_sample_many(&s, n_objectives, n_points);
    char *const html = front_sample_page(&s);
    char *const svg = front_sample_svg(&s);
    (void)snprintf(name, sizeof name, "many-%zu-%zu.html", n_objectives, n_points);
    front_sample_keep(name, html);
    (void)snprintf(name, sizeof name, "many-%zu-%zu.svg", n_objectives, n_points);
    front_sample_keep(name, svg);
    assert_page(html);
    assert_well_formed(strstr(svg, "<svg"));
    assert_picture(html, &s);
    assert_picture(svg, &s);
    assert_int_equal(front_sample_count(html, " data-r=\""), n_points);
    assert_int_equal(front_sample_count(html, "<input type=\"range\""), 2 * n_objectives);
    assert_int_equal(front_sample_count(html, "<script"), 1);
    pv_string_free(html);
    pv_string_free(svg);
    front_sample_deinit(&s);
}

static void every_point_is_drawn(void **state)
{
    (void)state;
    assert_drawn(3, 1);
    assert_drawn(3, 2);
    assert_drawn(3, 40);
    assert_drawn(5, 60);
    assert_drawn(8, 210);
    assert_drawn(8, 1010);
}

static void an_empty_front_has_no_lines(void **state)
{
    (void)state;
    front_sample s;
    front_sample_many(&s, 4, 0);
    char *const html = front_sample_page(&s);
    char *const svg = front_sample_svg(&s);
    assert_page(html);
    assert_well_formed(strstr(svg, "<svg"));
    assert_non_null(strstr(html, "no scheme was found"));
    assert_null(strstr(html, "class=\"parallel\""));
    assert_null(strstr(svg, "class=\"parallel\""));
    pv_string_free(html);
    pv_string_free(svg);
    front_sample_deinit(&s);
}

static void two_objectives_stay_as_they_were(void **state)
{
    (void)state;
    static const char *const new_things[] = {"parallel", "data-r", "id=\"narrow\"", "--shade"};
    front_sample s;
    front_sample_usual(&s);
    char *const html = front_sample_page(&s);
    char *const svg = front_sample_svg(&s);
    for (size_t i = 0; i < sizeof new_things / sizeof *new_things; i++) {
        assert_null(strstr(html, new_things[i]));
        assert_null(strstr(svg, new_things[i]));
    }
    pv_string_free(html);
    pv_string_free(svg);
    front_sample_deinit(&s);
}

/* The corners of a point's line: y by objective. */
static void read_line(const char *svg, size_t point, size_t n, double *heights)
{
    char mark[32];
    (void)snprintf(mark, sizeof mark, "data-p=\"%zu\"", point);
    const char *at = strstr(strstr(svg, "class=\"parallel\""), mark);
    assert_non_null(at);
    at = strstr(at, " d=\"") + 4;
    for (size_t i = 0; i < n; i++) {
        char *end = NULL;
        assert_true(*at == 'M' || *at == 'L');
        (void)strtod(at + 1, &end);
        heights[i] = strtod(end, &end);
        at = end;
    }
    assert_true(*at == '"');
}

/* Pixels are counted downwards: of two points the better has the smaller number on each axis. */
static void better_is_at_the_top_of_every_axis(void **state)
{
    (void)state;
    enum { OBJECTIVES = 6, POINTS = 30 };
    double heights[POINTS][OBJECTIVES];
    front_sample s;
    front_sample_many(&s, OBJECTIVES, POINTS);
    char *const svg = front_sample_svg(&s);
    for (size_t i = 0; i < POINTS; i++) {
        read_line(svg, i, OBJECTIVES, heights[i]);
    }
    for (size_t o = 0; o < OBJECTIVES; o++) {
        const bool more = s.front.objectives[o].measure->direction == PV_MORE_IS_BETTER;
        for (size_t a = 0; a < POINTS; a++) {
            for (size_t b = 0; b < POINTS; b++) {
                const double gain = s.values[a][o] - s.values[b][o];
                assert_true((more ? gain : -gain) <= 0 || heights[a][o] < heights[b][o]);
            }
        }
    }
    pv_string_free(svg);
    front_sample_deinit(&s);
}

/* Names of suggestions stand at the right of the last axis, one below the other. */
static void names_do_not_touch(void **state)
{
    (void)state;
    front_sample s;
    front_sample_init(&s, (const char *const[]){"k", "glm", "cm", NULL});
    static const double values[][3] = {{1, 0, 9.5}, {2, 3, 9.6},  {3, 4, 9.7},
                                       {5, 5, 9.8}, {6, 11, 9.9}, {10, 20, 10}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        front_sample_add(&s, values[i]);
    }
    char *const svg = front_sample_svg(&s);
    const char *at = svg;
    size_t n = 0;
    double places[3];
    while ((at = strstr(at, "class=\"leader\"")) != NULL) {
        at = strstr(at, "<text class=\"name\"");
        assert_true(n < 3);
        places[n] = strtod(strstr(at, " y=\"") + 4, NULL);
        for (size_t i = 0; i < n; i++) {
            assert_true(fabs(places[i] - places[n]) >= 15);
        }
        n++;
    }
    assert_int_equal(n, 3);
    pv_string_free(svg);
    front_sample_deinit(&s);
}

/* ------------------------------------------------------------------------------ ranks */

static void ranks_are_places_among_distinct_values(void **state)
{
    (void)state;
    front_sample s;
    pv_ranks ranks;
    front_sample_many(&s, 5, 120);
    assert_true(pv_i_ranks_create(&s.front, &ranks));
    for (size_t o = 0; o < 5; o++) {
        const double sign = s.front.objectives[o].measure->direction == PV_MORE_IS_BETTER ? 1 : -1;
        size_t most = 0;
        for (size_t i = 0; i < 120; i++) {
            size_t worse = 0; /* distinct values below: counted where they first occur */
            for (size_t j = 0; j < 120; j++) {
                bool first = true;
                for (size_t before = 0; before < j; before++) {
                    first = first && fabs(s.values[before][o] - s.values[j][o]) > 0;
                }
                worse += first && sign * s.values[j][o] < sign * s.values[i][o];
            }
            assert_int_equal(ranks.ranks[i * 5 + o], worse);
            most = worse > most ? worse : most;
        }
        assert_int_equal(ranks.distinct[o], most + 1);
    }
    pv_i_ranks_free(&ranks);
    front_sample_deinit(&s);
}

/* ------------------------------------------------------------------- what a page tells */

static void pages_tell_of_boxes_and_filters(void **state)
{
    (void)state;
    front_sample s;
    front_sample_many(&s, 3, 20);
    char *const plain = front_sample_page(&s);
    assert_null(strstr(plain, "stands for a box"));
    assert_null(strstr(plain, "not shown"));
    s.front.epsilons[0] = 5;
    s.front.epsilons[2] = 100;
    s.front.n_hidden = 12;
    char *const html = front_sample_page(&s);
    assert_page(html);
    assert_non_null(strstr(html, "<p class=\"soft\">Each point stands for a box of k 5 x glm 100: "
                                 "of several schemes within one only one is here.</p>"));
    assert_non_null(strstr(html, "<p class=\"soft\">12 points are not shown.</p>"));
    pv_string_free(plain);
    pv_string_free(html);
    front_sample_deinit(&s);
}

static void pages_tell_how_the_search_went(void **state)
{
    (void)state;
    pv_moment moments[] = {{.evaluated = 25, .hypervolume = 0.1},
                           {.evaluated = 100, .hypervolume = 0.5},
                           {.evaluated = 400, .hypervolume = 0.596},
                           {.evaluated = 900, .hypervolume = 0.6},
                           {.evaluated = 1204, .hypervolume = 0.6}};
    front_sample s;
    front_sample_usual(&s);
    char *const plain = front_sample_page(&s);
    assert_null(strstr(plain, "How the search went"));
    assert_null(strstr(plain, "course"));
    s.front.moments = moments;
    s.front.n_moments = sizeof moments / sizeof *moments;
    s.front.evaluated = 1204;
    char *const html = front_sample_page(&s);
    front_sample_keep("course.html", html);
    assert_page(html);
    assert_numbers(html);
    assert_int_equal(front_sample_count(html, "<path class=\"course\""), 1);
    assert_non_null(strstr(html, "dominate 60% (their hypervolume): 99% of that was reached after "
                                 "400 schemes, and it last grew after 900 of 1,204."));
    moments[0].seconds = 3; /* never the same twice */
    char *const again = front_sample_page(&s);
    assert_string_equal(html, again);
    pv_string_free(plain);
    pv_string_free(html);
    pv_string_free(again);
    front_sample_deinit(&s);
}

/* A search that was stopped at once, or has nothing to show for it. */
static void odd_courses_are_drawn(void **state)
{
    (void)state;
    pv_moment moments[] = {{0}, {.evaluated = 1, .hypervolume = 0}};
    front_sample s;
    front_sample_usual(&s);
    s.front.moments = moments;
    for (s.front.n_moments = 1; s.front.n_moments <= 2; s.front.n_moments++) {
        char *const html = front_sample_page(&s);
        assert_page(html);
        assert_numbers(html);
        pv_string_free(html);
    }
    front_sample_deinit(&s);
}

static void the_same_front_gives_the_same_bytes(void **state)
{
    (void)state;
    front_sample s;
    front_sample_many(&s, 7, 100);
    char *const first = front_sample_page(&s);
    char *const picture = front_sample_svg(&s);
    s.front.seconds = 17;
    char *const second = front_sample_page(&s);
    char *const again = front_sample_svg(&s);
    assert_string_equal(first, second);
    assert_string_equal(picture, again);
    pv_string_free(first);
    pv_string_free(picture);
    pv_string_free(second);
    pv_string_free(again);
    front_sample_deinit(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_is_drawn),
        cmocka_unit_test(an_empty_front_has_no_lines),
        cmocka_unit_test(two_objectives_stay_as_they_were),
        cmocka_unit_test(better_is_at_the_top_of_every_axis),
        cmocka_unit_test(names_do_not_touch),
        cmocka_unit_test(ranks_are_places_among_distinct_values),
        cmocka_unit_test(pages_tell_of_boxes_and_filters),
        cmocka_unit_test(pages_tell_how_the_search_went),
        cmocka_unit_test(odd_courses_are_drawn),
        cmocka_unit_test(the_same_front_gives_the_same_bytes),
    };
    return cmocka_run_group_tests_name("fronts of many objectives", tests, NULL, NULL);
}
