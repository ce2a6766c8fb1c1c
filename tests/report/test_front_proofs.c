/* A front of cuts in words, as a page and as a picture: what is proven, and what is not. */
#include "support/samples.h"

#include <math.h>

enum { POINTS = 3 };

static const char cuts_text[] = "{\"cuts\": {\"a\": {\"breaks\": [3, 7]}, \"b\": \"raw\"}}";
static const char merged_text[] =
    "{\"cuts\": {\"a\": \"*\", \"b\": {\"groups\": [[\"x\"], [\"y\"]]}}}";

typedef struct {
    front_sample sample;
    pv_cuts *cuts[POINTS];
} cut_front;

/* k 1 for nothing, 4 for a quarter, 10 for all. */
static void init(cut_front *s)
{
    static const double values[POINTS][2] = {{1, 0}, {4, 0.25}, {10, 1}};
    pv_error error = {0};
    front_sample_init(&s->sample, (const char *const[]){"k", "nwp", NULL});
    pv_front *const front = &s->sample.front;
    *front = (pv_front){.objectives = {front->objectives[0], front->objectives[1]},
                        .n_objectives = 2,
                        .points = front->points,
                        .cuts = s->cuts,
                        .n_cuts = POINTS,
                        .method = "bnb",
                        .nodes = 1024,
                        .evaluated = 1234,
                        .proof_nodes = 1};
    for (size_t i = 0; i < POINTS; i++) {
        const char *const text = i == 0 ? cuts_text : merged_text;
        bound_must(pv_cuts_parse("cuts", text, strlen(text), &s->cuts[i], &error), &error);
        front_sample_add(&s->sample, values[i]);
        s->sample.points[i].levels = NULL;
        s->sample.points[i].cuts = s->cuts[i];
        s->sample.points[i].bound = values[i][1];
    }
}

static void deinit(cut_front *s)
{
    for (size_t i = 0; i < POINTS; i++) {
        pv_cuts_free(s->cuts[i]);
    }
    front_sample_deinit(&s->sample);
}

static void expect_account(const cut_front *s, const char *expected)
{
    char *text = NULL;
    pv_error error = {0};
    bound_must(pv_front_account(&s->sample.front, &text, &error), &error);
    assert_string_equal(text, expected);
    pv_string_free(text);
}

/* ------------------------------------------------------------------- numbers */

static void gaps_are_shares_of_the_bound(void **state)
{
    cut_front s;
    (void)state;
    init(&s);
    assert_true(pv_front_gap(&s.sample.front, 0) == 0);
    assert_true(pv_front_gap(&s.sample.front, 1) == 0);
    s.sample.points[1].bound = 0.2;
    assert_true(fabs(pv_front_gap(&s.sample.front, 1) - 0.25) < 1e-12);
    s.sample.points[1].bound = 0;
    assert_true(isinf(pv_front_gap(&s.sample.front, 1)));
    s.sample.points[1].bound = (double)NAN;
    assert_true(isnan(pv_front_gap(&s.sample.front, 1)));
    deinit(&s);
}

static void groups_are_counted(void **state)
{
    cut_front s;
    (void)state;
    init(&s);
    assert_int_equal(pv_front_groups(&s.sample.front, 0, 0), 3);
    assert_int_equal(pv_front_groups(&s.sample.front, 0, 1), 0);
    assert_int_equal(pv_front_groups(&s.sample.front, 1, 0), 1);
    assert_int_equal(pv_front_groups(&s.sample.front, 1, 1), 2);
    deinit(&s);
}

/* --------------------------------------------------------------------- words */

static void a_complete_front_says_why(void **state)
{
    cut_front s;
    (void)state;
    init(&s);
    s.sample.front.complete = true;
    expect_account(&s, "complete among all cut schemes without suppression: it is proven that "
                       "every point is optimal and that none is "
                       "missing; that took 1,234 schemes and 1 node of branch and bound");
    deinit(&s);
}

static void an_incomplete_one_says_what_is_missing(void **state)
{
    cut_front s;
    (void)state;
    init(&s);
    s.sample.front.stop = PV_STOP_TIME;
    expect_account(&s, "not proven complete: 3 of 3 points proven optimal, but others may lie "
                       "between them; the time for proofs was over after 1,234 schemes "
                       "and 1 node of branch and bound");
    s.sample.points[1].bound = 0.2499; /* 0.04%: what is claimed is rounded up */
    s.sample.front.stop = PV_STOP_CANCELLED;
    expect_account(&s, "not proven complete: 2 of 3 points proven optimal, the other is at most "
                       "0.1% above the optimum; the search was interrupted after 1,234 schemes and "
                       "1 node of branch and bound");
    s.sample.points[2].bound = 0.3;
    s.sample.front.stop = PV_STOP_FINISHED;
    expect_account(&s, "not proven complete: 1 of 3 points proven optimal, the others are at most "
                       "3.4 times the optimum; the memory for proofs was used up after "
                       "1,234 schemes and 1 node of branch and bound");
    s.sample.points[1].bound = 0;
    s.sample.front.proof_nodes = 0;
    expect_account(&s, "not proven complete: 1 of 3 points proven optimal, nothing is proven about "
                       "others; no proofs were asked for after 1,234 schemes");
    s.sample.front.stop = PV_STOP_EVALUATIONS;
    s.sample.front.n_hidden = 2;
    expect_account(&s, "not proven complete: 1 of 3 points proven optimal, nothing is proven about "
                       "others; the nodes for proofs were used up after 1,234 schemes; 2 points "
                       "are not shown");
    static const char *const words[PV_PHRASE_COUNT] = {[PV_PHRASE_HIDDEN] = "ticked off"};
    pv_front_rephrase(&s.sample.front, words);
    expect_account(&s, "not proven complete: 1 of 3 points proven optimal, nothing is proven about "
                       "others; the nodes for proofs were used up after 1,234 schemes; 2 points "
                       "are ticked off");
    deinit(&s);
}

/* ------------------------------------------------------------- page, picture */

static void a_page_shows_what_is_proven(void **state)
{
    cut_front s;
    (void)state;
    init(&s);
    s.sample.points[1].bound = 0.2;
    char *const html = front_sample_page(&s.sample);
    front_sample_keep("front-cuts.html", html);
    assert_page(html);
    assert_self_contained(html);
    assert_non_null(strstr(html, "<b>Not complete:</b>"));
    assert_non_null(strstr(html, "k 4, nwp 25%, proven: at most 25% above the optimum; a one "
                                 "group, b 2 groups"));
    assert_non_null(strstr(html, "k 1, nwp 0%, proven: optimal; a 3 groups, b as it is"));
    assert_non_null(strstr(html, "cuts of k=4<"));
    assert_null(strstr(html, "levels 0"));
    assert_null(strstr(html, "suppressed</th>"));
    assert_int_equal(front_sample_count(html, "class=\"unproven\""), 1);
    pv_string_free(html);
    s.sample.points[1].bound = 0.25;
    s.sample.front.complete = true;
    char *const whole = front_sample_page(&s.sample);
    assert_page(whole);
    assert_int_equal(front_sample_count(whole, "class=\"unproven\""), 0);
    assert_non_null(strstr(whole, "nothing can be had by dividing ordered values"));
    pv_string_free(whole);
    deinit(&s);
}

/* A bound may lie below where the axis begins, or be nothing at all. */
static void a_picture_stays_inside(void **state)
{
    cut_front s;
    (void)state;
    init(&s);
    s.sample.front.points += 1; /* axes from a quarter on */
    s.sample.front.n_points -= 1;
    s.sample.points[1].bound = 0;
    s.sample.points[2].bound = 0.01;
    char *const svg = front_sample_svg(&s.sample);
    assert_int_equal(front_sample_count(svg, "class=\"unproven\""), 2);
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf\""));
    pv_string_free(svg);
    deinit(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_are_shares_of_the_bound),
        cmocka_unit_test(groups_are_counted),
        cmocka_unit_test(a_complete_front_says_why),
        cmocka_unit_test(an_incomplete_one_says_what_is_missing),
        cmocka_unit_test(a_page_shows_what_is_proven),
        cmocka_unit_test(a_picture_stays_inside),
    };
    return cmocka_run_group_tests_name("a front of cuts in words", tests, NULL, NULL);
}
