/* The knee, its neighbours, and what a front is paid with, against the definition. */
#include "base/rng.h"
#include "support/front_sample.h"

#include <math.h>
#include <stdlib.h>

/* --------------------------------------------------------------------- oracle */

static bool is_better(const pv_front *front, size_t objective, double a, double b)
{
    return front->objectives[objective].measure->direction == PV_MORE_IS_BETTER ? a > b : a < b;
}

/* Does another point beat it in the first objective and its price alone? */
static bool is_beaten(const pv_front *front, size_t price, size_t point)
{
    const double *const v = front->points[point].values;
    for (size_t i = 0; i < front->n_points; i++) {
        const double *const w = front->points[i].values;
        const bool worse =
            is_better(front, 0, v[0], w[0]) || is_better(front, price, v[price], w[price]);
        const bool better =
            is_better(front, 0, w[0], v[0]) || is_better(front, price, w[price], v[price]);
        if (better && !worse) {
            return true;
        }
    }
    return false;
}

static double worth(const pv_front *front, size_t objective, size_t point)
{
    const double value = front->points[point].values[objective];
    return strcmp(front->objectives[objective].measure->name, "k") == 0 ? 1 / value : value;
}

/* The distance of a point from the line through two others, in the plane of the worths scaled to
 * the unit square; negative on the side away from the ideal. */
static double distance(const pv_front *front, size_t price, size_t low, size_t high, size_t point)
{
    const size_t axes[] = {0, price};
    double at[2];
    for (size_t i = 0; i < 2; i++) {
        const double start = worth(front, axes[i], low);
        at[i] = (worth(front, axes[i], point) - start) / (worth(front, axes[i], high) - start);
    }
    return (at[0] - at[1]) / sqrt(2.0);
}

/* With a third objective several points may be one in these two. */
static bool is_same(const pv_front *front, size_t price, size_t a, size_t b)
{
    const double *const v = front->points[a].values;
    const double *const w = front->points[b].values;
    return v[0] == w[0] && v[price] == w[price];
}

static size_t oracle_knee(const pv_front *front, size_t price)
{
    size_t kept[SAMPLE_POINTS] = {0};
    size_t n = 0;
    for (size_t i = 0; i < front->n_points; i++) {
        if (!is_beaten(front, price, i) && (n == 0 || !is_same(front, price, i, kept[n - 1]))) {
            kept[n++] = i;
        }
    }
    size_t best = kept[0];
    for (size_t i = 1; i + 1 < n; i++) {
        if (i == 1 || distance(front, price, kept[0], kept[n - 1], kept[i]) >
                          distance(front, price, kept[0], kept[n - 1], best) + 1e-12) {
            best = kept[i];
        }
    }
    return best;
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
    front_sample_add(&s, (double[]){4, 7});
    assert_int_equal(pv_front_knee(&s.front), 0);
    assert_int_equal(pv_front_suggest(&s.front, suggestions), 1);
    assert_string_equal(suggestions[0].name, "knee");
    assert_int_equal(suggestions[0].from, 0);
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
    assert_int_equal(suggestions[0].from, 0);
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
        const size_t price = third ? 2 : 1;
        const size_t knee = pv_front_knee(&s.front);
        const size_t expected = oracle_knee(&s.front, price);
        /* Equal distances: any of them. */
        assert_false(is_beaten(&s.front, price, knee));
        if (knee != expected) {
            size_t low = 0;
            size_t high = s.front.n_points;
            while (is_beaten(&s.front, price, low)) {
                low++;
            }
            while (is_beaten(&s.front, price, --high)) {
            }
            assert_true(fabs(distance(&s.front, price, low, high, knee) -
                             distance(&s.front, price, low, high, expected)) < 1e-9);
        }
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
        cmocka_unit_test(knees_agree_with_the_definition),
    };
    return cmocka_run_group_tests_name("knees", tests, NULL, NULL);
}
