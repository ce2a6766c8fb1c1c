/* Leaving only the points that keep bounds: which stay, and how it is refused. */
#include "base/rng.h"
#include "support/samples.h"

#include <stdio.h>

static void keep(front_sample *s, const char *text)
{
    pv_error error = {0};
    bound_must(pv_front_where(&s->front, s->profile, text, &error), &error);
}

/* Which of the sample's points are left, by their first value. */
static void expect_left(const front_sample *s, const double *firsts, size_t n)
{
    assert_int_equal(s->front.n_points, n);
    for (size_t i = 0; i < n; i++) {
        assert_true(s->front.points[i].values[0] == firsts[i]);
    }
}

static void assert_refused(front_sample *s, const char *text, pv_status status, const char *message,
                           const char *hint)
{
    const pv_front before = s->front;
    pv_point points[SAMPLE_POINTS];
    pv_error error = {0};
    memcpy(points, s->points, sizeof points);
    assert_int_equal(pv_front_where(&s->front, s->profile, text, &error), status);
    assert_int_equal(error.status, status);
    assert_non_null(strstr(error.message, message));
    assert_non_null(strstr(error.hint, hint));
    assert_memory_equal(&s->front, &before, sizeof before);
    assert_memory_equal(s->points, points, sizeof points);
}

/* k and glm are 1 0, 2 3, 3 4, 5 5, 6 11, 10 20; glm of 20 is all there is. */
static void points_that_keep_the_bounds_stay(void **state)
{
    static const struct {
        const char *text;
        double firsts[6];
        size_t n;
    } cases[] = {{"k>=1", {1, 2, 3, 5, 6, 10}, 6},
                 {"k=3", {3, 5, 6, 10}, 4},
                 {"k>=4", {5, 6, 10}, 3},
                 {" k >= 10 ", {10}, 1},
                 {"glm<=5", {1, 2, 3, 5}, 4},
                 {"glm<=0.55", {1, 2, 3, 5, 6}, 5},
                 {"glm<=0", {1}, 1},
                 {"k>=2,glm<=0.25", {2, 3, 5}, 3},
                 {"glm<=11,k>=3,glm<=4", {3}, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        front_sample s;
        front_sample_usual(&s);
        keep(&s, cases[i].text);
        expect_left(&s, cases[i].firsts, cases[i].n);
        assert_int_equal(s.front.n_hidden, 6 - cases[i].n);
        front_sample_deinit(&s);
    }
}

/* A point keeps its levels and its k; what is hidden adds up; the rest can be picked from. */
static void filters_can_follow_each_other(void **state)
{
    front_sample s;
    size_t point = 77;
    pv_error error = {0};
    (void)state;
    front_sample_usual(&s);
    keep(&s, "k>=2");
    assert_int_equal(s.front.n_hidden, 1);
    keep(&s, "glm<=11");
    expect_left(&s, (double[]){2, 3, 5, 6}, 4);
    assert_int_equal(s.front.n_hidden, 2);
    assert_ptr_equal(s.front.points[2].levels, s.levels[3]);
    assert_int_equal(s.front.points[2].k, 5);
    keep(&s, "k=2");
    assert_int_equal(s.front.n_hidden, 2);
    bound_must(pv_front_choose(&s.front, s.profile, "glm<=4", &point, &error), &error);
    assert_int_equal(point, 1);
    assert_refused(&s, "k>=10", PV_STATUS_UNSATISFIED, "k >= 10",
                   "the highest k on the front is 6");
    front_sample_deinit(&s);
}

static void bounds_may_be_on_several_objectives(void **state)
{
    front_sample s;
    (void)state;
    front_sample_init(&s, (const char *const[]){"k", "l-recursive(2)", "glm", NULL});
    front_sample_add(&s, (double[]){2, 1, 2});
    front_sample_add(&s, (double[]){3, 2, 5});
    front_sample_add(&s, (double[]){4, 1, 6});
    front_sample_add(&s, (double[]){5, 2, 9});
    assert_refused(&s, "l-recursive(3)>=2", PV_STATUS_ARGUMENT,
                   "'l-recursive(3)' is no objective of this front",
                   "search with it as an objective");
    assert_refused(&s, "k>=5,l-recursive(2)>=2,glm<=6", PV_STATUS_UNSATISFIED,
                   "keeps all of these bounds together", "each of them alone");
    keep(&s, "l-recursive(2)>=2,glm<=9");
    expect_left(&s, (double[]){3, 5}, 2);
    front_sample_deinit(&s);
}

static void k_is_known_whatever_the_objectives(void **state)
{
    front_sample s;
    (void)state;
    front_sample_init(&s, (const char *const[]){"l-distinct", "glm", NULL});
    front_sample_add(&s, (double[]){1, 2});
    front_sample_add(&s, (double[]){2, 5});
    front_sample_add(&s, (double[]){3, 9});
    s.points[1].k = 4;
    keep(&s, "k>=3");
    expect_left(&s, (double[]){2}, 1);
    front_sample_deinit(&s);
}

static void refusals_say_what_there_is(void **state)
{
    front_sample s;
    (void)state;
    front_sample_usual(&s);
    assert_refused(&s, "k>=11", PV_STATUS_UNSATISFIED, "no point of the front has k >= 11",
                   "the highest k on the front is 10");
    assert_refused(&s, "k=10,glm<=0.5", PV_STATUS_UNSATISFIED, "keeps all of these",
                   "each of them");
    assert_refused(&s, "k<=3", PV_STATUS_ARGUMENT, "wrong way round", "k>=");
    assert_refused(&s, "k>3", PV_STATUS_ARGUMENT, "a measure and a bound", "k=5,l-distinct=3");
    assert_refused(&s, "dcn<=5", PV_STATUS_ARGUMENT, "'dcn' is no objective of this front",
                   "search with it as an objective");
    assert_refused(&s, "k>=2,dcn<=5", PV_STATUS_ARGUMENT, "'dcn' is no objective", "");
    assert_refused(&s, "knee", PV_STATUS_ARGUMENT, "a measure and a bound", "");
    assert_refused(&s, "", PV_STATUS_ARGUMENT, "a measure and a bound", "");
    assert_refused(&s, "k=five", PV_STATUS_ARGUMENT, "no number", "");
    assert_refused(&s, "kk=5", PV_STATUS_ARGUMENT, "no measure 'kk'", "");
    s.front.complete = false;
    assert_refused(&s, "k=11", PV_STATUS_UNSATISFIED, "k >= 11", "the search was not complete");
    s.front.n_points = 0;
    assert_refused(&s, "k=2", PV_STATUS_UNSATISFIED, "empty", "");
    front_sample_deinit(&s);
}

/* Points 1..n in their order, those kept that keep both. */
static void filters_agree_with_the_definition(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 51);
    for (unsigned round = 0; round < 200; round++) {
        double kept[SAMPLE_POINTS];
        size_t n_kept = 0;
        front_sample s;
        front_sample_init(&s, (const char *const[]){"k", "l-distinct", "glm", NULL});
        const size_t n = 1 + (size_t)pv_i_rng_below(&rng, 20);
        const unsigned l = (unsigned)pv_i_rng_below(&rng, 5);
        const unsigned glm = 2 + (unsigned)pv_i_rng_below(&rng, 12);
        for (size_t i = 0; i < n; i++) {
            const double values[] = {(double)i, (double)pv_i_rng_below(&rng, 6),
                                     (double)pv_i_rng_below(&rng, 15)};
            front_sample_add(&s, values);
            if (values[1] >= l && values[2] <= glm) {
                kept[n_kept++] = (double)i;
            }
        }
        char text[64];
        (void)snprintf(text, sizeof text, "l-distinct>=%u,glm<=%u", l, glm);
        if (n_kept > 0) {
            keep(&s, text);
            expect_left(&s, kept, n_kept);
            assert_int_equal(s.front.n_hidden, n - n_kept);
        } else {
            assert_refused(&s, text, PV_STATUS_UNSATISFIED, "no point of the front", "");
        }
        front_sample_deinit(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_that_keep_the_bounds_stay),
        cmocka_unit_test(filters_can_follow_each_other),
        cmocka_unit_test(bounds_may_be_on_several_objectives),
        cmocka_unit_test(k_is_known_whatever_the_objectives),
        cmocka_unit_test(refusals_say_what_there_is),
        cmocka_unit_test(filters_agree_with_the_definition),
    };
    return cmocka_run_group_tests_name("filters", tests, NULL, NULL);
}
