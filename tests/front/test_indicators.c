/* Convergence error, representation ratio and hypervolume of one front against another, by hand and
 * against their definitions. */
#include "base/rng.h"
#include "support/front_volume.h"
#include "support/study.h"
#include "support/testing.h"

#include "front/front.h"

enum { MOST_POINTS = 9, MOST_OBJECTIVES = 5 };

typedef struct {
    pv_front front;
    pv_point points[MOST_POINTS];
    double values[MOST_POINTS][MOST_OBJECTIVES];
    double reference[MOST_POINTS * MOST_OBJECTIVES];
    size_t n_reference;
} pair;

/* `objectives` up to a NULL. */
static void pair_init(pair *p, const char *const *objectives)
{
    *p = (pair){0};
    p->front.points = p->points;
    for (; objectives[p->front.n_objectives] != NULL; p->front.n_objectives++) {
        const pv_measure *const measure = pv_measure_find(objectives[p->front.n_objectives]);
        assert_non_null(measure);
        p->front.objectives[p->front.n_objectives] = (pv_measure_ref){.measure = measure};
    }
}

static void add_point(pair *p, const double *values)
{
    const size_t i = p->front.n_points++;
    memcpy(p->values[i], values, p->front.n_objectives * sizeof *values);
    p->points[i] = (pv_point){.values = p->values[i]};
}

static void add_reference(pair *p, const double *values)
{
    const size_t n = p->front.n_objectives;
    memcpy(p->reference + p->n_reference++ * n, values, n * sizeof *values);
}

static pv_indicators compare(const pair *p)
{
    pv_indicators indicators;
    pv_error error = {0};
    bound_must(pv_front_compare(&p->front, p->reference, p->n_reference, &indicators, &error),
               &error);
    assert_int_equal(indicators.reference_points, p->n_reference);
    assert_true(indicators.representation_ratio ==
                (double)indicators.boxes_met / (double)indicators.boxes);
    return indicators;
}

static void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g should be %.17g", value, expected);
    }
}

/* -------------------------------------------------------------------- by hand */

/* Boxes of 5 people and 10 cells. Those of the reference are (0,-1) (1,-2) (2,-3) and, in the box
 * of 12 people for 31 cells, (2,-4), which the third dominates. */
static void add_paper_reference(pair *p)
{
    p->front.epsilons[0] = 5;
    p->front.epsilons[1] = 10;
    add_reference(p, (double[]){2, 5});
    add_reference(p, (double[]){7, 12});
    add_reference(p, (double[]){13, 31});
    add_reference(p, (double[]){12, 29});
}

static void a_worked_example(void **state)
{
    pair p;
    (void)state;
    pair_init(&p, (const char *const[]){"k", "glm", NULL});
    add_paper_reference(&p);
    add_point(&p, (double[]){2, 5});   /* the first itself */
    add_point(&p, (double[]){6, 11});  /* in the box of the second */
    add_point(&p, (double[]){13, 31}); /* one of them, in a box that counts for nothing */
    const pv_indicators i = compare(&p);
    expect_near(i.convergence_error, hypot(1.0 / 13, 1.0 / 31), 1e-12);
    assert_int_equal(i.boxes, 3);
    assert_int_equal(i.boxes_met, 2);
    /* k runs from 2 to 13, by its logarithm; glm from 31 down to 5. */
    const double whole = log(13.0 / 2);
    expect_near(i.hypervolume, log(6.0 / 2) / whole * 20 / 26, 1e-12);
    expect_near(i.reference_hypervolume,
                log(7.0 / 2) / whole * 19 / 26 + log(12.0 / 7) / whole * 2 / 26, 1e-12);
    assert_false(i.estimated);
}

/* Boxes met twice count once; without boxes only the points themselves are met. */
static void boxes_count_once(void **state)
{
    pair p;
    (void)state;
    pair_init(&p, (const char *const[]){"k", "glm", NULL});
    add_paper_reference(&p);
    add_point(&p, (double[]){5, 20});
    add_point(&p, (double[]){9, 11});
    add_point(&p, (double[]){7, 12});
    assert_int_equal(compare(&p).boxes_met, 1);
    memset(p.front.epsilons, 0, sizeof p.front.epsilons);
    const pv_indicators i = compare(&p);
    assert_int_equal(i.boxes, 4);
    assert_int_equal(i.boxes_met, 1);
    expect_near(i.representation_ratio, 0.25, 0);
}

static void a_front_is_like_itself(void **state)
{
    pair p;
    (void)state;
    pair_init(&p, (const char *const[]){"k", "glm", NULL});
    add_paper_reference(&p);
    for (size_t i = 0; i < p.n_reference; i++) {
        add_point(&p, p.reference + 2 * i);
    }
    const pv_indicators i = compare(&p);
    expect_near(i.convergence_error, 0, 0);
    expect_near(i.representation_ratio, 1, 0);
    expect_near(i.hypervolume, i.reference_hypervolume, 0);
    assert_true(i.hypervolume > 0);
}

static void an_empty_front_stands_for_nothing(void **state)
{
    pair p;
    (void)state;
    pair_init(&p, (const char *const[]){"k", "glm", NULL});
    add_paper_reference(&p);
    const pv_indicators i = compare(&p);
    expect_near(i.convergence_error, 0, 0);
    assert_int_equal(i.boxes_met, 0);
    expect_near(i.hypervolume, 0, 0);
    assert_true(i.reference_hypervolume > 0);
}

/* Where the reference has nothing but 0 there is nothing to divide by. */
static void a_largest_value_of_zero_divides_nothing(void **state)
{
    pair p;
    (void)state;
    pair_init(&p, (const char *const[]){"l-distinct", "cm", NULL});
    add_reference(&p, (double[]){4, 0});
    add_reference(&p, (double[]){2, 0});
    add_point(&p, (double[]){4, 3});
    expect_near(compare(&p).convergence_error, sqrt(9 + 0), 1e-12);
}

/* Better than the reference is as good as the reference: more room there is not. */
static void a_better_front_fills_the_space(void **state)
{
    pair p;
    (void)state;
    pair_init(&p, (const char *const[]){"k", "glm", NULL});
    add_paper_reference(&p);
    add_point(&p, (double[]){100, 1});
    const pv_indicators i = compare(&p);
    expect_near(i.hypervolume, 1, 1e-12);
    assert_int_equal(i.boxes_met, 0);
}

/* 0.1 + 0.2 is 0.3, although it is not. */
static void last_digits_do_not_count(void **state)
{
    pair p;
    (void)state;
    pair_init(&p, (const char *const[]){"k", "glm", NULL});
    add_reference(&p, (double[]){4, 0.3});
    add_point(&p, (double[]){4, 0.1 + 0.2});
    const pv_indicators i = compare(&p);
    expect_near(i.convergence_error, 0, 0);
    assert_int_equal(i.boxes_met, 1);
    expect_near(i.hypervolume, 1, 0);
}

static void what_is_no_reference_is_refused(void **state)
{
    static const double odd[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    const pv_indicators untouched = {.boxes = 77};
    pv_indicators i = untouched;
    pair p;
    (void)state;
    pair_init(&p, (const char *const[]){"k", "glm", NULL});
    add_point(&p, (double[]){4, 3});
    pv_error error = {0};
    assert_int_equal(pv_front_compare(&p.front, p.reference, 0, &i, &error), PV_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "has no points"));
    assert_non_null(strstr(error.hint, "exhaustive"));
    add_reference(&p, (double[]){4, 3});
    add_reference(&p, (double[]){5, 6});
    for (size_t o = 0; o < 3; o++) {
        p.reference[3] = odd[o];
        error = (pv_error){0};
        assert_int_equal(pv_front_compare(&p.front, p.reference, 2, &i, &error),
                         PV_STATUS_ARGUMENT);
        assert_non_null(strstr(error.message, "no finite glm at point 2"));
    }
    assert_memory_equal(&i, &untouched, sizeof i);
}

/* ------------------------------------------------------------ the definitions */

static double oriented(const pair *p, size_t o, double value)
{
    return p->front.objectives[o].measure->direction == PV_MORE_IS_BETTER ? value : -value;
}

static const double *reference_at(const pair *p, size_t i)
{
    return p->reference + i * p->front.n_objectives;
}

static double box_of(const pair *p, const double *values, size_t o)
{
    const double value = oriented(p, o, values[o]);
    return p->front.epsilons[o] > 0 ? floor(value / p->front.epsilons[o]) : value;
}

/* 2 = the box of a dominates that of b, 1 = it is the same, 0 = neither. */
static int compare_boxes(const pair *p, const double *a, const double *b)
{
    bool better = false;
    for (size_t o = 0; o < p->front.n_objectives; o++) {
        if (box_of(p, a, o) < box_of(p, b, o)) {
            return 0;
        }
        better |= box_of(p, a, o) > box_of(p, b, o);
    }
    return better ? 2 : 1;
}

/* Is the box of the i-th of the reference non-dominated, and is it the first in it? */
static bool marks_box(const pair *p, size_t i)
{
    for (size_t j = 0; j < p->n_reference; j++) {
        const int how = compare_boxes(p, reference_at(p, j), reference_at(p, i));
        if (how == 2 || (how == 1 && j < i)) {
            return false;
        }
    }
    return true;
}

static bool is_occupied(const pair *p, const double *values)
{
    for (size_t i = 0; i < p->front.n_points; i++) {
        if (compare_boxes(p, p->values[i], values) == 1) {
            return true;
        }
    }
    return false;
}

static void expect_boxes(const pair *p, const pv_indicators *indicators)
{
    size_t boxes = 0;
    size_t met = 0;
    for (size_t i = 0; i < p->n_reference; i++) {
        if (marks_box(p, i)) {
            boxes++;
            met += is_occupied(p, reference_at(p, i));
        }
    }
    assert_int_equal(indicators->boxes, boxes);
    assert_int_equal(indicators->boxes_met, met);
}

static double largest(const pair *p, size_t o)
{
    double most = reference_at(p, 0)[o];
    for (size_t i = 1; i < p->n_reference; i++) {
        most = fmax(most, reference_at(p, i)[o]);
    }
    return most == 0 ? 1 : most;
}

static double distance(const pair *p, const double *a, const double *b)
{
    double sum = 0;
    for (size_t o = 0; o < p->front.n_objectives; o++) {
        sum += pow(a[o] / largest(p, o) - b[o] / largest(p, o), 2);
    }
    return sqrt(sum);
}

static double convergence_error(const pair *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->front.n_points; i++) {
        double nearest = (double)INFINITY;
        for (size_t j = 0; j < p->n_reference; j++) {
            nearest = fmin(nearest, distance(p, p->values[i], reference_at(p, j)));
        }
        sum += nearest;
    }
    return sum;
}

static bool is_size(const pair *p, size_t o)
{
    const char *const name = p->front.objectives[o].measure->name;
    return strcmp(name, "k") == 0 || strcmp(name, "aecs") == 0;
}

static double worth(const pair *p, size_t o, double value)
{
    return oriented(p, o, is_size(p, o) ? log(value) : value);
}

/* Where a value is between the worst and the best of the reference, not beyond. */
static double place(const pair *p, size_t o, double value)
{
    double worst = (double)INFINITY;
    double best = -(double)INFINITY;
    for (size_t i = 0; i < p->n_reference; i++) {
        worst = fmin(worst, worth(p, o, reference_at(p, i)[o]));
        best = fmax(best, worth(p, o, reference_at(p, i)[o]));
    }
    if (best == worst) {
        return worth(p, o, value) >= best ? 1 : 0;
    }
    return fmin(fmax((worth(p, o, value) - worst) / (best - worst), 0), 1);
}

static double volume_of(const pair *p, const double *values, size_t stride, size_t n)
{
    double places[MOST_POINTS * MOST_OBJECTIVES];
    const size_t dims = p->front.n_objectives;
    for (size_t i = 0; i < n; i++) {
        for (size_t o = 0; o < dims; o++) {
            places[i * dims + o] = place(p, o, values[i * stride + o]);
        }
    }
    return volume_by_boxes(places, n, dims);
}

static void random_values(pv_rng *rng, const pair *p, uint64_t n_values, double *values)
{
    for (size_t o = 0; o < p->front.n_objectives; o++) {
        const double value = (double)pv_i_rng_below(rng, n_values) / (o % 2 == 0 ? 1 : 4);
        values[o] = is_size(p, o) ? 1 + value : value; /* of a class: at least one */
    }
}

static void random_pair(pv_rng *rng, pair *p)
{
    static const char *const names[] = {"k",           "glm",   "l-distinct", "cm",
                                        "t-closeness", "sum-k", "aecs",       "gini"};
    static const double epsilons[] = {0, 0, 0.3, 0.5, 1, 2, 3, 100};
    const char *objectives[MOST_OBJECTIVES + 1] = {NULL};
    const size_t n = 2 + (size_t)pv_i_rng_below(rng, pv_i_rng_below(rng, 10) == 0 ? 4 : 3);
    const size_t first = (size_t)pv_i_rng_below(rng, 8);
    const uint64_t n_values = 1 + pv_i_rng_below(rng, 14);
    double values[MOST_OBJECTIVES];
    for (size_t o = 0; o < n; o++) {
        objectives[o] = names[(first + o) % 8];
    }
    pair_init(p, objectives);
    for (size_t o = 0; o < n; o++) {
        p->front.epsilons[o] = epsilons[pv_i_rng_below(rng, 8)];
    }
    for (size_t left = 1 + (size_t)pv_i_rng_below(rng, MOST_POINTS); left > 0; left--) {
        random_values(rng, p, n_values, values);
        add_reference(p, values);
    }
    for (size_t left = (size_t)pv_i_rng_below(rng, MOST_POINTS + 1); left > 0; left--) {
        random_values(rng, p, n_values, values);
        const bool same = pv_i_rng_below(rng, 2) == 0;
        add_point(p, same ? reference_at(p, pv_i_rng_below(rng, p->n_reference)) : values);
    }
}

static void random_fronts_agree_with_the_definitions(void **state)
{
    pv_rng rng;
    pair p;
    (void)state;
    pv_i_rng_init(&rng, 41);
    for (size_t i = 0; i < effort(2500); i++) {
        random_pair(&rng, &p);
        const pv_indicators indicators = compare(&p);
        const size_t dims = p.front.n_objectives;
        const double tolerance = indicators.estimated ? 6e-3 : 1e-9;
        expect_boxes(&p, &indicators);
        expect_near(indicators.convergence_error, convergence_error(&p), 1e-9);
        assert_int_equal(indicators.estimated, dims > 4);
        expect_near(indicators.hypervolume,
                    volume_of(&p, p.values[0], MOST_OBJECTIVES, p.front.n_points), tolerance);
        expect_near(indicators.reference_hypervolume,
                    volume_of(&p, p.reference, dims, p.n_reference), tolerance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worked_example),
        cmocka_unit_test(boxes_count_once),
        cmocka_unit_test(a_front_is_like_itself),
        cmocka_unit_test(an_empty_front_stands_for_nothing),
        cmocka_unit_test(a_largest_value_of_zero_divides_nothing),
        cmocka_unit_test(a_better_front_fills_the_space),
        cmocka_unit_test(last_digits_do_not_count),
        cmocka_unit_test(what_is_no_reference_is_refused),
        cmocka_unit_test(random_fronts_agree_with_the_definitions),
    };
    return cmocka_run_group_tests_name("indicators", tests, NULL, NULL);
}
