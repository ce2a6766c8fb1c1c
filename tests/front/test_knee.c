/* The knee, its neighbours, and what a front is paid with, against the definition. */
#include "base/rng.h"
#include "support/samples.h"

#include <math.h>
#include <stdlib.h>

/* --------------------------------------------------------------------- oracle */

static bool is_better(const pv_front *front, size_t objective, double a, double b)
{
    return front->objectives[objective].measure->direction == PV_MORE_IS_BETTER ? a > b : a < b;
}

/* How far a value is from the worst (0) to the best (1) of the points that count: those with k=1 do
 * not if there are others. Of k and l what matters is 1/k. */
static double worth(const pv_front *front, size_t objective, size_t point)
{
    const char *const name = front->objectives[objective].measure->name;
    const double value = front->points[point].values[objective];
    return strcmp(name, "k") == 0 || strncmp(name, "l-", 2) == 0 ? -1 / value
           : is_better(front, objective, 1, 0)                   ? value
                                                                 : -value;
}

static bool is_out(const pv_front *front, size_t point)
{
    for (size_t i = 0; i < front->n_points; i++) {
        if (front->points[i].k > 1) {
            return front->points[point].k == 1;
        }
    }
    return false;
}

static double goodness(const pv_front *front, size_t objective, size_t point)
{
    double worst = (double)INFINITY;
    double best = -(double)INFINITY;
    for (size_t i = 0; i < front->n_points; i++) {
        if (!is_out(front, i)) {
            worst = fmin(worst, worth(front, objective, i));
            best = fmax(best, worth(front, objective, i));
        }
    }
    return best > worst ? (worth(front, objective, point) - worst) / (best - worst) : 0;
}

/* k, l-distinct and glm, or k and glm: the privacy gained, and the detail it costs. */
static double gain_of(const pv_front *front, size_t point)
{
    return front->n_objectives == 2 ? goodness(front, 0, point)
                                    : (goodness(front, 0, point) + goodness(front, 1, point)) / 2;
}

static double cost_of(const pv_front *front, size_t point)
{
    return 1 - goodness(front, front->n_objectives - 1, point);
}

typedef struct {
    double low_gain, low_cost, high_gain, high_cost;
} line;

/* From the least cost to the most gain. */
static line line_of(const pv_front *front)
{
    line l = {.low_gain = -1, .low_cost = 2, .high_gain = -1, .high_cost = 2};
    for (size_t i = 0; i < front->n_points; i++) {
        const double gain = gain_of(front, i);
        const double cost = cost_of(front, i);
        if (is_out(front, i)) {
            continue;
        }
        if (cost < l.low_cost || (cost == l.low_cost && gain > l.low_gain)) {
            l.low_cost = cost;
            l.low_gain = gain;
        }
        if (gain > l.high_gain || (gain == l.high_gain && cost < l.high_cost)) {
            l.high_gain = gain;
            l.high_cost = cost;
        }
    }
    return l;
}

/* Below the line; -INFINITY for what is not between the ends. */
static double depth_of(const pv_front *front, line l, size_t point)
{
    const double gain = gain_of(front, point);
    const double cost = cost_of(front, point);
    const bool between = gain > l.low_gain && gain < l.high_gain && cost > l.low_cost &&
                         cost < l.high_cost && !is_out(front, point);
    return between ? (gain - l.low_gain) / (l.high_gain - l.low_gain) -
                         (cost - l.low_cost) / (l.high_cost - l.low_cost)
                   : -(double)INFINITY;
}

/* ---------------------------------------------------------------------- tests */

static void few_points_give_the_first(void **state)
{
    (void)state;
    front_sample s;
    front_sample_init(&s, (const char *const[]){"k", "glm", NULL});
    pv_suggestion suggestions[PV_MAX_SUGGESTIONS];
    assert_int_equal(pv_front_suggest(&s.front, suggestions), 0);
    front_sample_add(&s, (double[]){1, 0});
    assert_int_equal(pv_front_knee(&s.front), 0);
    front_sample_add(&s, (double[]){4, 7}); /* beside it, nothing done is no choice */
    assert_int_equal(pv_front_knee(&s.front), 1);
    assert_int_equal(pv_front_suggest(&s.front, suggestions), 1);
    assert_string_equal(suggestions[0].name, "knee");
    assert_int_equal(suggestions[0].from, 1);
    front_sample_deinit(&s);
}

static void the_bend_is_found_and_its_neighbours(void **state)
{
    (void)state;
    front_sample s;
    front_sample_usual(&s);
    pv_suggestion suggestions[PV_MAX_SUGGESTIONS];
    assert_int_equal(pv_front_knee(&s.front), 3);
    const size_t n = pv_front_suggest(&s.front, suggestions);
    assert_int_equal(n, 3);
    assert_string_equal(suggestions[0].name, "gentle");
    assert_int_equal(suggestions[0].point, 2);
    assert_int_equal(suggestions[0].from, 1);
    assert_int_equal(suggestions[1].point, 3);
    assert_int_equal(suggestions[1].from, 2);
    assert_string_equal(suggestions[2].name, "strong");
    assert_int_equal(suggestions[2].point, 4);
    assert_string_equal(pv_suggestion_name(suggestions, n, 3), "knee");
    assert_null(pv_suggestion_name(suggestions, n, 0));
    front_sample_deinit(&s);
}

static void a_front_that_bends_the_wrong_way_gives_no_end(void **state)
{
    (void)state;
    front_sample s;
    front_sample_init(&s, (const char *const[]){"t-closeness", "glm", NULL});
    front_sample_add(&s, (double[]){1.0, 0});
    front_sample_add(&s, (double[]){0.9, 9});
    front_sample_add(&s, (double[]){0.8, 11});
    front_sample_add(&s, (double[]){0.1, 20});
    assert_int_equal(pv_front_knee(&s.front), 2);
    front_sample_deinit(&s);
}

static void privacy_is_paid_with_loss(void **state)
{
    (void)state;
    static const struct {
        const char *objectives[4];
        size_t price;
    } cases[] = {{{"k", "glm"}, 1},
                 {{"k", "l-distinct", "glm"}, 2},
                 {{"glm", "dcn", "k"}, 2},
                 {{"k", "l-distinct", "necd"}, 1},
                 {{"risk", "cm", "glm"}, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        front_sample s;
        front_sample_init(&s, cases[i].objectives);
        assert_int_equal(pv_front_price(&s.front), cases[i].price);
        front_sample_deinit(&s);
    }
}

/* ------------------------------------------------------------- against the oracle */

static int compare_points(const void *a, const void *b)
{
    const double *const left = a;
    const double *const right = b;
    for (size_t i = 0; i < 3; i++) {
        /* k up, l up, glm down: best last */
        const double sign = i == 2 ? -1 : 1;
        if (left[i] != right[i]) {
            return sign * left[i] < sign * right[i] ? -1 : 1;
        }
    }
    return 0;
}

/* Any points will do: only those that are not beaten may matter. */
static void random_points(front_sample *s, pv_rng *rng, bool third)
{
    double values[20][3];
    const size_t n = 1 + (size_t)pv_i_rng_below(rng, 20);
    for (size_t i = 0; i < n; i++) {
        values[i][0] = 1 + (double)pv_i_rng_below(rng, 12);
        values[i][1] = third ? 1 + (double)pv_i_rng_below(rng, 4) : 1;
        values[i][2] = (double)pv_i_rng_below(rng, 40) / 2;
    }
    qsort(values, n, sizeof *values, compare_points);
    for (size_t i = 0; i < n; i++) {
        const bool twice = i > 0 && compare_points(values[i], values[i - 1]) == 0;
        if (!twice) {
            front_sample_add(s, third ? values[i] : (double[]){values[i][0], values[i][2]});
        }
    }
}

/* Nobody is shown two points that are nearly the same choice. */
static void expect_different(const pv_front *front)
{
    pv_suggestion suggestions[PV_MAX_SUGGESTIONS];
    const size_t n = pv_front_suggest(front, suggestions);
    for (size_t i = 1; i < n; i++) {
        const size_t a = suggestions[i - 1].point;
        const size_t b = suggestions[i].point;
        assert_true(fabs(gain_of(front, a) - gain_of(front, b)) >= 0.15 - 1e-9 ||
                    fabs(cost_of(front, a) - cost_of(front, b)) >= 0.1 - 1e-9);
    }
}

/* k=33 and k=34 for the same loss are one choice; k=7 is another. */
static void neighbours_are_not_suggested(void **state)
{
    (void)state;
    static const double values[][2] = {{1, 0},       {3, 80.8},   {7, 84},    {30, 87.19},
                                       {33, 87.2},   {34, 87.21}, {58, 90.3}, {167, 90.4},
                                       {2000, 96.8}, {20000, 100}};
    front_sample s;
    front_sample_init(&s, (const char *const[]){"k", "glm", NULL});
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        front_sample_add(&s, values[i]);
    }
    pv_suggestion suggestions[PV_MAX_SUGGESTIONS];
    assert_int_equal(pv_front_suggest(&s.front, suggestions), 3);
    assert_int_equal(suggestions[0].point, 2);
    assert_int_equal(suggestions[1].point, 5);
    assert_int_equal(suggestions[2].point, 7);
    front_sample_deinit(&s);
}

static void knees_agree_with_the_definition(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 11);
    for (unsigned round = 0; round < 600; round++) {
        const bool third = round % 2 == 0;
        front_sample s;
        front_sample_init(&s, third ? (const char *const[]){"k", "l-distinct", "glm", NULL}
                                    : (const char *const[]){"k", "glm", NULL});
        random_points(&s, &rng, third);
        const line l = line_of(&s.front);
        const double found = depth_of(&s.front, l, pv_front_knee(&s.front));
        for (size_t i = 0; i < s.front.n_points; i++) {
            assert_true(depth_of(&s.front, l, i) <= found + 1e-9);
        }
        expect_different(&s.front);
        front_sample_deinit(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_points_give_the_first),
        cmocka_unit_test(the_bend_is_found_and_its_neighbours),
        cmocka_unit_test(a_front_that_bends_the_wrong_way_gives_no_end),
        cmocka_unit_test(privacy_is_paid_with_loss),
        cmocka_unit_test(neighbours_are_not_suggested),
        cmocka_unit_test(knees_agree_with_the_definition),
    };
    return cmocka_run_group_tests_name("knees", tests, NULL, NULL);
}
