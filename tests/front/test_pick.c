/* Picking a point: by the knee, by bounds, and how it is refused. */
#include "base/rng.h"
#include "support/samples.h"

#include <stdio.h>

static size_t pick(const front_sample *s, const char *text)
{
    size_t point = SIZE_MAX;
    pv_error error = {0};
    bound_must(pv_front_choose(&s->front, s->profile, text, &point, &error), &error);
    return point;
}

static void assert_refused(const front_sample *s, const char *text, pv_status status,
                           const char *message, const char *hint)
{
    size_t point = 77;
    pv_error error = {0};
    assert_int_equal(pv_front_choose(&s->front, s->profile, text, &point, &error), status);
    assert_int_equal(point, 77);
    assert_non_null(strstr(error.message, message));
    assert_non_null(strstr(error.hint, hint));
}

static void bounds_on_privacy_lose_least(void **state)
{
    (void)state;
    front_sample s;
    front_sample_usual(&s);
    assert_int_equal(pick(&s, "knee"), pv_front_knee(&s.front));
    assert_int_equal(pick(&s, "k=1"), 0);
    assert_int_equal(pick(&s, "k=4"), 3);
    assert_int_equal(pick(&s, "k>=5"), 3);
    assert_int_equal(pick(&s, " k >= 5.5 "), 4);
    assert_int_equal(pick(&s, "k=10"), 5);
    front_sample_deinit(&s);
}

/* The table has 20 cells: glm 5 is a share of 0.25. */
static void bounds_on_loss_are_shares_up_to_one(void **state)
{
    (void)state;
    front_sample s;
    front_sample_usual(&s);
    assert_int_equal(pick(&s, "glm<=0.3"), 3);
    assert_int_equal(pick(&s, "glm=0.25"), 3);
    assert_int_equal(pick(&s, "glm<=0.2499"), 2);
    assert_int_equal(pick(&s, "glm<=0"), 0);
    assert_int_equal(pick(&s, "glm<=1"), 5);
    assert_int_equal(pick(&s, "glm<=11"), 4);
    assert_int_equal(pick(&s, "k=3,glm<=0.3"), 3);
    front_sample_deinit(&s);
}

static void what_is_no_sum_is_taken_as_it_is(void **state)
{
    (void)state;
    front_sample s;
    front_sample_init(&s, (const char *const[]){"t-closeness", "aecs", NULL});
    front_sample_add(&s, (double[]){0.9, 1});
    front_sample_add(&s, (double[]){0.2, 5});
    assert_int_equal(pick(&s, "t-closeness<=0.5"), 1);
    assert_int_equal(pick(&s, "aecs<=1"), 0);
    front_sample_deinit(&s);
}

static void further_objectives_decide_in_their_order(void **state)
{
    (void)state;
    front_sample s;
    front_sample_init(&s, (const char *const[]){"k", "l-distinct", "glm", "dcn", NULL});
    front_sample_add(&s, (double[]){2, 3, 8, 30});
    front_sample_add(&s, (double[]){5, 1, 7, 50});
    front_sample_add(&s, (double[]){5, 2, 9, 40});
    front_sample_add(&s, (double[]){6, 3, 7, 60});
    assert_int_equal(pick(&s, "k=5"), 1);          /* glm 7, then dcn 50 */
    assert_int_equal(pick(&s, "k=5,glm<=8"), 1);   /* dcn */
    assert_int_equal(pick(&s, "l-distinct=2"), 3); /* glm */
    assert_int_equal(pick(&s, "glm<=8"), 3);       /* k */
    assert_int_equal(pick(&s, "dcn<=45"), 2);
    front_sample_deinit(&s);
}

static void k_is_known_whatever_the_objectives(void **state)
{
    (void)state;
    front_sample s;
    front_sample_init(&s, (const char *const[]){"l-distinct", "glm", NULL});
    front_sample_add(&s, (double[]){1, 2});
    front_sample_add(&s, (double[]){2, 5});
    front_sample_add(&s, (double[]){3, 9});
    s.points[1].k = 4;
    s.points[2].k = 6;
    assert_int_equal(pick(&s, "k=3"), 1);
    front_sample_deinit(&s);
}

static void refusals_say_what_there_is(void **state)
{
    (void)state;
    front_sample s;
    front_sample_usual(&s);
    assert_refused(&s, "k=11", PV_STATUS_UNSATISFIED, "no point of the front has k >= 11",
                   "the highest k on the front is 10");
    assert_refused(&s, "k=10,glm<=0.5", PV_STATUS_UNSATISFIED, "keeps all of these",
                   "each of them");
    assert_refused(&s, "k<=3", PV_STATUS_ARGUMENT, "wrong way round", "k>=");
    assert_refused(&s, "dcn<=5", PV_STATUS_ARGUMENT, "'dcn' is no objective of this front",
                   "search with it as an objective");
    assert_refused(&s, "knees", PV_STATUS_ARGUMENT, "`knee` or by a bound", "k=5");
    assert_refused(&s, "", PV_STATUS_ARGUMENT, "`knee` or by a bound", "k=5");
    assert_refused(&s, "k=five", PV_STATUS_ARGUMENT, "no number", "");
    assert_refused(&s, "kk=5", PV_STATUS_ARGUMENT, "no measure 'kk'", "");
    s.front.complete = false;
    assert_refused(&s, "k=11", PV_STATUS_UNSATISFIED, "k >= 11", "the search was not complete");
    s.front.n_points = 0;
    assert_refused(&s, "knee", PV_STATUS_UNSATISFIED, "empty", "");
    assert_refused(&s, "k=2", PV_STATUS_UNSATISFIED, "empty", "");
    front_sample_deinit(&s);
}

static void loss_refusals_name_the_lowest(void **state)
{
    (void)state;
    front_sample s;
    front_sample_init(&s, (const char *const[]){"k", "glm", NULL});
    front_sample_add(&s, (double[]){3, 4});
    front_sample_add(&s, (double[]){5, 8});
    assert_refused(&s, "glm<=0.1", PV_STATUS_UNSATISFIED, "has glm <= 0.1",
                   "the lowest glm on the front is 0.2");
    front_sample_deinit(&s);
}

/* By looking at all points: nothing that keeps the bound is better in what decides. */
static void picks_agree_with_the_definition(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 5);
    for (unsigned round = 0; round < 300; round++) {
        front_sample s;
        front_sample_init(&s, (const char *const[]){"k", "glm", NULL});
        double k = 0;
        double glm = 0;
        const size_t n = 1 + (size_t)pv_i_rng_below(&rng, 12);
        for (size_t i = 0; i < n; i++) {
            k += 1 + (double)pv_i_rng_below(&rng, 3);
            glm += (1 + (double)pv_i_rng_below(&rng, 4)) / 4;
            front_sample_add(&s, (double[]){k, glm});
        }
        const unsigned wanted = (unsigned)pv_i_rng_below(&rng, 20);
        char text[32];
        (void)snprintf(text, sizeof text, "k=%u", wanted);
        size_t first = 0;
        while (first < n && s.values[first][0] < wanted) {
            first++;
        }
        size_t point = SIZE_MAX;
        pv_error error = {0};
        const pv_status status = pv_front_choose(&s.front, s.profile, text, &point, &error);
        assert_int_equal(status, first < n ? PV_STATUS_OK : PV_STATUS_UNSATISFIED);
        assert_true(first == n || point == first);
        front_sample_deinit(&s);
    }
}

/* ------------------------------------------------------- before there is a front */

static void checks_say_what_the_front_would(void **state)
{
    (void)state;
    front_sample s;
    front_sample_init(&s, (const char *const[]){"k", "l-recursive(2)", "glm", NULL});
    const pv_measure_ref *const objectives = pv_front_objectives(&s.front);
    const struct {
        const char *text;
        pv_status pick, where;
        bool spelt; /* nothing is wrong with it but what it speaks of */
    } cases[] = {
        {"knee", PV_STATUS_OK, PV_STATUS_ARGUMENT, false},
        {"k=5", PV_STATUS_OK, PV_STATUS_OK, true},
        {"k=1000000", PV_STATUS_OK, PV_STATUS_OK, true},
        {"k=5,glm<=0.2", PV_STATUS_OK, PV_STATUS_OK, true},
        {"l-recursive(2)>=2", PV_STATUS_OK, PV_STATUS_OK, true},
        {"l-recursive(3)>=2", PV_STATUS_ARGUMENT, PV_STATUS_ARGUMENT, true},
        {"k=5,dcn<=5", PV_STATUS_ARGUMENT, PV_STATUS_ARGUMENT, true},
        {"k<=5", PV_STATUS_ARGUMENT, PV_STATUS_ARGUMENT, false},
        {"five", PV_STATUS_ARGUMENT, PV_STATUS_ARGUMENT, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const text = cases[i].text;
        pv_measure_ref missing = {0};
        assert_int_equal(pv_pick_check(objectives, 3, s.profile, text, NULL), cases[i].pick);
        assert_int_equal(pv_where_check(objectives, 3, s.profile, text, NULL), cases[i].where);
        /* Without a table only the spelling is known to be wrong. */
        assert_int_equal(pv_where_check(NULL, 0, NULL, text, NULL),
                         cases[i].spelt ? PV_STATUS_OK : PV_STATUS_ARGUMENT);
        assert_int_equal(pv_pick_misses(objectives, 3, text, &missing),
                         cases[i].spelt && cases[i].pick != PV_STATUS_OK);
        assert_true(missing.measure == NULL || missing.measure == pv_measure_find("dcn") ||
                    (missing.measure == pv_measure_find("l-recursive") && missing.parameter > 2));
    }
    front_sample_deinit(&s);
}

/* --------------------------------------------------------------- accessors */

static void accessors_show_the_front(void **state)
{
    (void)state;
    front_sample s;
    size_t n = 7;
    front_sample_usual(&s);
    s.front.suppression = (pv_suppression){.whole_budget = true, .budget = 3};
    s.front.epsilons[1] = 0.5;
    assert_int_equal(pv_front_n_points(&s.front), s.front.n_points);
    assert_int_equal(pv_front_n_objectives(&s.front), 2);
    assert_true(pv_front_objectives(&s.front)[0].measure == pv_measure_find("k"));
    for (size_t i = 0; i < s.front.n_points; i++) {
        assert_true(pv_front_values(&s.front, i, &n) == s.points[i].values);
        assert_int_equal(n, 2);
        assert_true(pv_front_levels(&s.front, i, &n) == s.points[i].levels);
        assert_int_equal(n, SAMPLE_QUASIS);
        assert_int_equal(pv_front_k(&s.front, i), s.points[i].k);
        assert_int_equal(pv_front_ties(&s.front, i), s.points[i].ties);
        assert_int_equal(pv_front_suppressed(&s.front, i), s.points[i].suppressed);
        assert_null(pv_front_cuts(&s.front, i));
        pv_scheme *scheme = NULL;
        assert_int_equal(pv_front_scheme(&s.front, i, &scheme, NULL), PV_STATUS_OK);
        assert_memory_equal(pv_scheme_levels(scheme, &n), s.points[i].levels, SAMPLE_QUASIS);
        pv_scheme_free(scheme);
    }
    assert_true(pv_front_epsilons(&s.front, &n)[1] == 0.5 && n == 2);
    assert_int_equal(pv_front_suppression(&s.front).budget, 3);
    assert_string_equal(pv_front_method(&s.front), "exact");
    assert_null(pv_front_reason(&s.front));
    assert_null(pv_front_alternative(&s.front));
    assert_true(pv_front_is_complete(&s.front) && !pv_front_has_cuts(&s.front));
    assert_true(pv_front_n_schemes(&s.front) == 8);
    assert_null(pv_front_moments(&s.front, &n));
    assert_int_equal(n, 0);
    pv_moment moments[] = {{.evaluated = 2, .seconds = 0.5, .points = 1, .hypervolume = 0.25},
                           {.evaluated = 8, .seconds = 1.5, .points = 3, .hypervolume = 0.75}};
    s.front.moments = moments;
    s.front.n_moments = 2;
    const double *const rows = pv_front_moments(&s.front, &n);
    assert_int_equal(n, 2);
    assert_true(rows[0] == 2 && rows[3] == 0.25);
    assert_true(rows[PV_MOMENT_NUMBERS] == 8 && rows[2 * PV_MOMENT_NUMBERS - 1] == 0.75);
    front_sample_deinit(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_on_privacy_lose_least),
        cmocka_unit_test(bounds_on_loss_are_shares_up_to_one),
        cmocka_unit_test(what_is_no_sum_is_taken_as_it_is),
        cmocka_unit_test(further_objectives_decide_in_their_order),
        cmocka_unit_test(k_is_known_whatever_the_objectives),
        cmocka_unit_test(refusals_say_what_there_is),
        cmocka_unit_test(loss_refusals_name_the_lowest),
        cmocka_unit_test(picks_agree_with_the_definition),
        cmocka_unit_test(checks_say_what_the_front_would),
        cmocka_unit_test(accessors_show_the_front),
    };
    return cmocka_run_group_tests_name("picks", tests, NULL, NULL);
}
