/* The front as picture, page and words: well formed, escaped, the same bytes each time.
 */
#include "report/svg.h"
#include "support/samples.h"

#include <locale.h>
#include <math.h>

/* ------------------------------------------------------------------- page, picture */

static void a_page_shows_every_point(void **state)
{
    (void)state;
    front_sample s;
    front_sample_usual(&s);
    char *const html = front_sample_page(&s);
    front_sample_keep("front.html", html);
    assert_page(html);
    assert_self_contained(html);
    assert_null(strstr(html, "http:"));
    assert_int_equal(front_sample_count(html, "<g class=\"point\""), 6);
    assert_int_equal(front_sample_count(html, "<tr data-p="), 6 + 3);
    assert_non_null(strstr(html, "6 trade-offs between "));
    assert_non_null(strstr(html, "k 5, glm 25%, 0 rows suppressed; a 3 of 3, b 1 of 1"));
    assert_non_null(strstr(html, "from k=3 to k=5 costs 5% more of the detail"));
    assert_non_null(strstr(html, "levels 3,1"));
    assert_non_null(strstr(html, "knee: k 5"));
    pv_string_free(html);
    front_sample_deinit(&s);
}

static void a_picture_stands_in_a_file_of_its_own(void **state)
{
    (void)state;
    static const char start[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    front_sample s;
    front_sample_usual(&s);
    char *const svg = front_sample_svg(&s);
    front_sample_keep("front.svg", svg);
    assert_int_equal(strncmp(svg, start, strlen(start)), 0);
    assert_well_formed(svg + strlen(start));
    assert_self_contained(svg);
    assert_int_equal(front_sample_count(svg, "http:"), 1); /* the namespace */
    assert_int_equal(front_sample_count(svg, "<g class=\"point\""), 6);
    assert_non_null(strstr(svg, "prefers-color-scheme:dark"));
    pv_string_free(svg);
    front_sample_deinit(&s);
}

static void odd_fronts_still_make_a_page(void **state)
{
    (void)state;
    front_sample s;
    front_sample_init(&s, (const char *const[]){"k", "glm", NULL});
    s.front.complete = false;
    s.front.stop = PV_STOP_CANCELLED;
    for (unsigned points = 0; points < 3; points++) {
        char *const html = front_sample_page(&s);
        char *const svg = front_sample_svg(&s);
        assert_page(html);
        assert_non_null(strstr(html, "<b>Not complete:</b>"));
        assert_null(strstr(html, "nan"));
        assert_null(strstr(svg, "nan"));
        assert_null(strstr(svg, "inf\""));
        pv_string_free(html);
        pv_string_free(svg);
        front_sample_add(&s, (double[]){1 + points, points});
    }
    front_sample_deinit(&s);
}

/* Where the texts of a class stand in a picture, by their widths at most. */
static size_t read_boxes(const char *svg, const char *opening, double letters, pv_svg_box *boxes,
                         size_t most)
{
    size_t n = 0;
    for (const char *at = svg; (at = strstr(at, opening)) != NULL && n < most; at++) {
        char text[64] = {0};
        const char *const start = strchr(at, '>') + 1;
        memcpy(text, start, (size_t)(strchr(start, '<') - start));
        const double width = pv_i_svg_text_width(text, letters);
        const double x = strtod(strstr(at, " x=\"") + 4, NULL);
        const double y = strtod(strstr(at, " y=\"") + 4, NULL);
        const char anchor = strstr(at, "text-anchor=\"")[13];
        boxes[n++] = (pv_svg_box){x - (anchor == 'e'   ? width
                                       : anchor == 'm' ? width / 2
                                                       : 0),
                                  y - letters, width, letters};
    }
    return n;
}

/* Suggestions that are neighbours on the front: their names stood across each other. */
static void names_of_suggestions_do_not_touch(void **state)
{
    (void)state;
    static const double seconds[] = {2, 2.05, 3, 40};
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        front_sample s;
        pv_svg_box boxes[8];
        front_sample_init(&s, (const char *const[]){"k", "glm", NULL});
        front_sample_add(&s, (double[]){1, 0});
        front_sample_add(&s, (double[]){34, 12.26});
        front_sample_add(&s, (double[]){34 + seconds[i], 12.38});
        front_sample_add(&s, (double[]){36 + seconds[i], 14});
        front_sample_add(&s, (double[]){900, 14.1});
        front_sample_add(&s, (double[]){2000, 20});
        char *const html = front_sample_page(&s);
        const size_t n = read_boxes(html, "<text class=\"name\"", 16.5, boxes, 8);
        assert_true(n >= 2);
        for (size_t a = 0; a < n; a++) {
            for (size_t b = 0; b < a; b++) {
                assert_false(pv_i_svg_touch(boxes[a], boxes[b]));
            }
        }
        pv_string_free(html);
        front_sample_deinit(&s);
    }
}

/* All that is safe is far from the raw table: it gets the whole picture but a corner. */
static void the_raw_table_does_not_squash_the_rest(void **state)
{
    (void)state;
    front_sample s;
    pv_axis x;
    pv_axis y;
    front_sample_init(&s, (const char *const[]){"k", "glm", NULL});
    front_sample_add(&s, (double[]){1, 0});
    for (int i = 0; i < 5; i++) {
        front_sample_add(&s, (double[]){50 + i, 17 + 0.5 * i});
    }
    pv_front_axis(&s.front, s.profile, 0, 8, &x);
    pv_front_axis(&s.front, s.profile, 1, 5, &y);
    assert_true(x.broken_low && y.broken_low && !x.broken_high && !y.broken_high);
    assert_true(pv_axis_place(&x, 1) < 0.05 && pv_axis_place(&y, 0) < 0.05);
    assert_true(pv_axis_place(&y, 19) - pv_axis_place(&y, 17) > 0.5);
    char *const html = front_sample_page(&s);
    assert_int_equal(front_sample_count(html, "axis broken"), 2);
    assert_int_equal(front_sample_count(html, "<g class=\"point\""), 6); /* it is still there */
    pv_string_free(html);
    front_sample_deinit(&s);

    front_sample_usual(&s); /* from 1 to 2 is no gap */
    pv_front_axis(&s.front, s.profile, 0, 8, &x);
    assert_false(x.broken_low || x.broken_high);
    front_sample_deinit(&s);
}

static void a_page_can_be_pointed_at(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "tip.textContent = ",              /* text, never markup */
        "event.key === 'Escape'",          /* lets go of what is kept */
        "mark(e, 'pinned')",               /* a click keeps it */
        ".points tr.pinned td{",           /* and shows so in the table */
        "<table class=\"points freeze\">", /* first columns stay */
        ".freeze td:nth-child(-n+2){position:sticky",
        "no-repeat local", /* more at the edge: shaded */
        "There is more to the right",
        "break-inside:avoid",
        "class=\"chart fit\"", /* letters for narrow screens */
        " data-a=\"levels ",
    };
    front_sample s;
    front_sample_usual(&s);
    char *const html = front_sample_page(&s);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_non_null(strstr(html, parts[i]));
    }
    assert_null(strstr(html, "innerHTML"));
    pv_string_free(html);
    front_sample_deinit(&s);
}

/* A picture in a file: a title, a description, and what every mark is. */
static void a_picture_tells_what_it_shows(void **state)
{
    (void)state;
    front_sample s;
    front_sample_usual(&s);
    char *const svg = front_sample_svg(&s);
    assert_non_null(strstr(svg, "<title>The trade-off front</title>"));
    assert_non_null(strstr(svg, "<desc>k to the right against glm upwards; every mark is a scheme, "
                                "6 in all."));
    assert_int_equal(front_sample_count(svg, "role=\"img\"><title>k "), 6);
    pv_string_free(svg);
    front_sample_deinit(&s);
}

static void hostile_names_are_only_text(void **state)
{
    (void)state;
    static const char plan[] = "attributes:\n"
                               "  '<script>alert(1)</script>\"&': {role: quasi, hierarchy: "
                               "{intervals: [2, 4]}}\n"
                               "  \"b'\": {role: quasi}\n";
    static const char table[] = "<script>alert(1)</script>\"&,b'\n1,x\n2,y\n3,y\n";
    front_sample s;
    front_sample_init_on(&s, plan, table, (const char *const[]){"k", "glm", NULL});
    front_sample_add(&s, (double[]){1, 0});
    front_sample_add(&s, (double[]){2, 3});
    char *const html = front_sample_page(&s);
    char *const svg = front_sample_svg(&s);
    assert_page(html);
    assert_int_equal(front_sample_count(html, "<script"), 1); /* our own */
    assert_int_equal(front_sample_count(svg, "<script"), 0);
    pv_string_free(html);
    pv_string_free(svg);
    front_sample_deinit(&s);
}

static void the_same_front_gives_the_same_bytes(void **state)
{
    (void)state;
    front_sample s;
    front_sample_usual(&s);
    char *const first = front_sample_page(&s);
    s.front.seconds = 17; /* how long it took is nobody's business here */
    const char *const other = setlocale(LC_ALL, "de_DE.UTF-8");
    char *const second = front_sample_page(&s);
    (void)other;
    (void)setlocale(LC_ALL, "C");
    assert_string_equal(first, second);
    pv_string_free(first);
    pv_string_free(second);
    front_sample_deinit(&s);
}

/* ---------------------------------------------------------------------------- words */

static void assert_account(const pv_front *front, const char *expected)
{
    char *text = NULL;
    pv_error error = {0};
    bound_must(pv_front_account(front, &text, &error), &error);
    assert_string_equal(text, expected);
    pv_string_free(text);
}

static void accounts_say_why(void **state)
{
    (void)state;
    pv_front front = {.complete = true, .nodes = 17920, .evaluated = 17920, .method = "poka"};
    assert_account(&front, "complete among all 17,920 level schemes without suppression: every one "
                           "of them was grouped and measured");
    front.evaluated = 1204;
    front.pruned_loss = 12000;
    front.pruned_mark = 4716;
    assert_account(&front, "complete among all 17,920 level schemes without suppression: 1,204 "
                           "were grouped and measured; the other 16,716 "
                           "cannot be on the front: 12,000 lose too much even before suppression, "
                           "4,716 are finer than "
                           "schemes found too weak for what they lose");
    front.pruned_mark = 0;
    front.pruned_loss = 16716;
    assert_account(&front,
                   "complete among all 17,920 level schemes without suppression: 1,204 "
                   "were grouped and measured; the other "
                   "16,716 cannot be on the front: they lose too much even before suppression");
    front.suppression.budget = 300;
    assert_account(&front,
                   "complete among all 17,920 level schemes with what each k needs suppressed, "
                   "and nothing else, up to 300 rows: 1,204 were grouped and measured; the other "
                   "16,716 cannot be on the front: they lose too much even before suppression");
    front.suppression.whole_budget = true;
    assert_account(&front,
                   "complete among all 17,920 level schemes with the smallest classes "
                   "suppressed up to 300 rows: 1,204 were grouped and measured; the other "
                   "16,716 cannot be on the front: they lose too much even before suppression");
    front.suppression.budget = 0;
    front.complete = false;
    assert_account(&front, "not proven complete: poka looked at 1,204 of 17,920 schemes and cannot "
                           "know what the others would give");
    front.method = "pbg-hybrid";
    front.proof_nodes = 863;
    front.iterations = 57;
    assert_account(&front, "not proven complete: pbg-hybrid looked at 1,204 of 17,920 schemes and "
                           "863 nodes of branch and bound in 57 generations, as much as it does "
                           "unless told how long to go on; those not looked at may be better");
    front.proof_nodes = 0;
    front.method = "pbg-ea";
    assert_account(&front, "not proven complete: pbg-ea looked at 1,204 of 17,920 schemes in 57 "
                           "generations and cannot know what the others would give");
    front.iterations = 1;
    front.stop = PV_STOP_STALLED;
    assert_account(&front, "not proven complete: pbg-ea looked at 1,204 of 17,920 schemes in 1 "
                           "generation and ended when nothing new appeared for a while; those not "
                           "looked at may be better");
    front.stop = PV_STOP_TIME;
    assert_account(&front, "not complete: stopped by the time limit after 1,204 of 17,920 schemes; "
                           "those not looked at may be better");
    front.stop = PV_STOP_EVALUATIONS;
    assert_account(&front, "not complete: stopped by the limit of evaluations after 1,204 of "
                           "17,920 schemes; those not looked at may be better");
    front.stop = PV_STOP_CANCELLED;
    assert_account(&front, "not complete: interrupted after 1,204 of 17,920 schemes; those not "
                           "looked at may be better");
}

static void accounts_tell_of_boxes_and_filters(void **state)
{
    (void)state;
    pv_front front = {.complete = true,
                      .nodes = 8,
                      .evaluated = 8,
                      .n_objectives = 3,
                      .objectives = {front_sample_measure("k"), front_sample_measure("risk"),
                                     front_sample_measure("glm")},
                      .epsilons = {5, 0, 2.5},
                      .n_hidden = 12};
    assert_account(&front, "complete among all 8 level schemes without suppression: every one of "
                           "them was grouped and measured; each point stands "
                           "for a box of k 5 x glm 2.5; 12 points are not shown");
    front.epsilons[0] = 0;
    front.n_hidden = 1;
    assert_account(&front, "complete among all 8 level schemes without suppression: every one of "
                           "them was grouped and measured; each point stands "
                           "for a box of glm 2.5; 1 point is not shown");
}

static void assert_step(const char *const *objectives, const double *from, const double *to,
                        const char *expected)
{
    front_sample s;
    char *text = NULL;
    pv_error error = {0};
    front_sample_init(&s, objectives);
    front_sample_add(&s, from);
    front_sample_add(&s, to);
    bound_must(pv_front_step_text(&s.front, s.profile, 0, 1, &text, &error), &error);
    assert_string_equal(text, expected);
    pv_string_free(text);
    front_sample_deinit(&s);
}

static void steps_are_told_in_shares(void **state)
{
    (void)state;
    assert_step((const char *const[]){"k", "glm", NULL}, (double[]){7, 5}, (double[]){10, 5.92},
                "from k=7 to k=10 costs 4.6% more of the detail");
    assert_step((const char *const[]){"k", "dcn", NULL}, (double[]){7, 20}, (double[]){10, 50},
                "from k=7 to k=10 takes dcn from 20% to 50%");
    assert_step((const char *const[]){"k", "entropy", NULL}, (double[]){7, 20},
                (double[]){10, 50.5}, "from k=7 to k=10 takes entropy from 20 to 50.5");
    assert_step((const char *const[]){"nwp", "k", NULL}, (double[]){0.5, 9}, (double[]){0.25, 3},
                "from nwp=50% to nwp=25% takes k from 9 to 3");
    assert_step((const char *const[]){"l-recursive(2)", "k", "nwp", NULL}, (double[]){1, 2, 0.5},
                (double[]){2, 1, 0.25},
                "from l-recursive(2)=1 to l-recursive(2)=2 gives back 25% of the detail");
}

/* ----------------------------------------------------------------------------- axes */

static void axes_have_round_numbers(void **state)
{
    (void)state;
    front_sample s;
    pv_axis x;
    pv_axis y;
    front_sample_usual(&s);
    pv_front_axis(&s.front, s.profile, 0, 8, &x);
    pv_front_axis(&s.front, s.profile, 1, 5, &y);
    assert_true(x.logarithmic && !x.as_share && !y.logarithmic && y.as_share);
    assert_int_equal(x.n_ticks, 4); /* 1, 2, 5, 10 */
    assert_true(x.ticks[2].shown == 5 && fabs(x.ticks[2].place - log10(5.0)) < 1e-12);
    assert_true(pv_axis_place(&x, 1) == 0 && fabs(pv_axis_place(&x, 10) - 1) < 1e-12);
    assert_int_equal(y.n_ticks, 6); /* 0%, 20%, ... */
    assert_true(fabs(pv_axis_place(&y, 5) - 0.25) < 1e-12);
    front_sample_deinit(&s);
}

static void log_axes_thin_their_ticks(void **state)
{
    (void)state;
    double values[PV_SVG_MAX_TICKS];
    const pv_svg_axis wide = pv_i_svg_log_axis(3, 30162, 8, 0, 100);
    assert_true(wide.min == 2 && wide.max == 50000);
    assert_int_equal(pv_i_svg_ticks(&wide, values), 4);
    assert_true(fabs(values[0] - 10) < 1e-9 && fabs(values[3] - 10000) < 1e-6);
    const pv_svg_axis one = pv_i_svg_log_axis(7, 7, 8, 0, 100);
    assert_true(one.min == 5 && one.max == 10);
    const pv_svg_axis odd = pv_i_svg_log_axis((double)NAN, -1, 8, 0, 100);
    assert_true(odd.min == 1 && odd.max == 10);
    const pv_svg_axis high = pv_i_svg_range_axis(0.82, 0.97, 4, PV_SVG_PERCENT, 0, 100);
    assert_true(fabs(high.min - 0.8) < 1e-9 && fabs(high.max - 1) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_shows_every_point),
        cmocka_unit_test(a_picture_stands_in_a_file_of_its_own),
        cmocka_unit_test(odd_fronts_still_make_a_page),
        cmocka_unit_test(names_of_suggestions_do_not_touch),
        cmocka_unit_test(the_raw_table_does_not_squash_the_rest),
        cmocka_unit_test(a_page_can_be_pointed_at),
        cmocka_unit_test(a_picture_tells_what_it_shows),
        cmocka_unit_test(hostile_names_are_only_text),
        cmocka_unit_test(the_same_front_gives_the_same_bytes),
        cmocka_unit_test(accounts_say_why),
        cmocka_unit_test(accounts_tell_of_boxes_and_filters),
        cmocka_unit_test(steps_are_told_in_shares),
        cmocka_unit_test(axes_have_round_numbers),
        cmocka_unit_test(log_axes_thin_their_ticks),
    };
    return cmocka_run_group_tests_name("pictures of fronts", tests, NULL, NULL);
}
