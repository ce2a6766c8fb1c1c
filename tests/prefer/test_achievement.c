/* The achievement function: table 2 and examples 4 to 7 of the paper on publisher preferences, from
 * the table itself, and what its theorems say, on random points. */
#include "support/study.h"

#include "base/rng.h"
#include "prefer/preference.h"

#include <math.h>
#include <paravent/measure.h>

/* ------------------------------------------------------------------ table 2 */

static const char table[] =
    "code,class\n81521,C1\n81522,C1\n81523,C1\n82635,C2\n82636,C2\n82647,C2\n"
    "82648,C2\n81634,C3\n81631,C3\n81632,C3\n81639,C3\n81630,C3\n";
static const char plan[] =
    "attributes:\n"
    "  code:  {role: quasi, type: text, hierarchy: {mask: right}, weight: 3}\n"
    "  class: {role: quasi, weight: 7, hierarchy: {rows: [[C1, C12], [C2, C12], [C3, C3]]}}\n";

enum { N_SCHEMES = 8, N_WISHES = 5 };

static const pv_aspiration wishes[N_WISHES] = {
    {.3, .08}, {.2, .15}, {.15, .05}, {.25, .05}, {.1, .5}};

/* As printed (docs/model.md, section 9); one lies just between two roundings. */
static const struct {
    double necd, nwp;
    uint64_t k;
    double ach[N_WISHES];
} printed[N_SCHEMES] = {
    {.27, .07, 2, {.06, .12, .07, .06, .23}}, {.18, .09, 3, {.07, .08, .06, .07, .15}},
    {.18, .15, 3, {.12, .09, .12, .13, .15}}, {.18, .30, 3, {.24, .17, .225, .25, .15}},
    {.27, .27, 2, {.22, .16, .20, .23, .23}}, {.18, .29, 3, {.23, .17, .22, .24, .15}},
    {.18, .36, 3, {.28, .20, .27, .30, .15}}, {.18, .50, 5, {.40, .29, .38, .42, .15}},
};

typedef struct {
    pv_aspiration points[N_SCHEMES];
    uint64_t k[N_SCHEMES];
} measured;

static measured measure_all(void)
{
    measured m;
    bound_study study = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(study.study, 1);
    const pv_measure_ref necd = {.measure = pv_measure_find("necd")};
    const pv_measure_ref nwp = {.measure = pv_measure_find("nwp")};
    for (size_t i = 0; i < N_SCHEMES; i++) {
        const uint8_t levels[] = {(uint8_t)(1 + i % 4), (uint8_t)(i / 4)};
        pv_classes *const classes = bound_classes(profile, levels, 0, 0);
        pv_error error = {0};
        bound_must(pv_measure_value(necd, classes, &m.points[i].bias, &error), &error);
        bound_must(pv_measure_value(nwp, classes, &m.points[i].loss, &error), &error);
        m.k[i] = pv_classes_k(classes);
        pv_classes_free(classes);
    }
    pv_profile_free(profile);
    bound_study_free(&study);
    return m;
}

static pv_achievement achievement_of(pv_aspiration wish)
{
    pv_achievement a;
    pv_error error = {0};
    bound_must(pv_achievement_init(&a, wish, &error), &error);
    return a;
}

static void table_2_is_as_printed(void **state)
{
    const measured m = measure_all();
    (void)state;
    for (size_t i = 0; i < N_SCHEMES; i++) {
        assert_true(fabs(m.points[i].bias - printed[i].necd) <= 0.00501);
        assert_true(fabs(m.points[i].loss - printed[i].nwp) <= 0.00501);
        assert_int_equal(m.k[i], printed[i].k);
        for (size_t w = 0; w < N_WISHES; w++) {
            const pv_achievement a = achievement_of(wishes[w]);
            assert_true(fabs(pv_achievement_value(&a, m.points[i]) - printed[i].ach[w]) <= 0.0075);
        }
    }
}

/* The least value, then the least deviation. */
static size_t best_for(const pv_aspiration *points, size_t n, pv_aspiration wish)
{
    const pv_achievement a = achievement_of(wish);
    size_t best = 0;
    for (size_t i = 1; i < n; i++) {
        const double value = pv_achievement_value(&a, points[i]);
        const double least = pv_achievement_value(&a, points[best]);
        const bool equal = fabs(value - least) < 1e-12;
        if ((!equal && value < least) ||
            (equal && pv_achievement_deviation(&a, points[i]) <
                          pv_achievement_deviation(&a, points[best]))) {
            best = i;
        }
    }
    return best;
}

/* Examples 4 and 5. */
static void the_best_by_preference(void **state)
{
    static const size_t expected[N_WISHES] = {0, 1, 1, 0, 1};
    const measured m = measure_all();
    (void)state;
    for (size_t w = 0; w < N_WISHES; w++) {
        assert_int_equal(best_for(m.points, N_SCHEMES, wishes[w]), expected[w]);
    }
}

/* Example 6. */
static void a_direction_finds_both_efficient_ones(void **state)
{
    const measured m = measure_all();
    bool found[N_SCHEMES] = {false};
    (void)state;
    for (size_t step = 1; step <= 10; step++) {
        const double share = (double)step / 10;
        const pv_aspiration wish = {1.0 + share * (0.1 - 1.0), 0.2 + share * (0.1 - 0.2)};
        found[best_for(m.points, N_SCHEMES, wish)] = true;
    }
    for (size_t i = 0; i < N_SCHEMES; i++) {
        assert_int_equal(found[i], i < 2);
    }
}

/* Example 7: of equal value, that with most k. */
static void more_k_at_equal_value(void **state)
{
    const measured m = measure_all();
    const pv_achievement a = achievement_of(wishes[4]);
    const double least = pv_achievement_value(&a, m.points[best_for(m.points, 8, wishes[4])]);
    size_t best = 0;
    (void)state;
    for (size_t i = 1; i < N_SCHEMES; i++) {
        if (pv_achievement_value(&a, m.points[i]) < least + 1e-12 && m.k[i] > m.k[best]) {
            best = i;
        }
    }
    assert_int_equal(best, 7);
}

/* ----------------------------------------------------------------- theorems */

static pv_aspiration random_point(pv_rng *rng)
{
    return (pv_aspiration){(double)pv_i_rng_below(rng, 20) / 19,
                           (double)pv_i_rng_below(rng, 20) / 19};
}

static void order_is_preserved_and_represented(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 3);
    for (size_t i = 0; i < 20000; i++) {
        const pv_aspiration p = random_point(&rng);
        const pv_aspiration q = random_point(&rng);
        const pv_achievement a = achievement_of(random_point(&rng));
        const double sp = pv_achievement_value(&a, p);
        const double sq = pv_achievement_value(&a, q);
        if (p.bias <= q.bias && p.loss <= q.loss) {
            assert_true(sp <= sq);
        }
        if (p.bias < q.bias && p.loss < q.loss) {
            assert_true(sp < sq);
        }
        const double slack = 1e-12;
        const double wish = pv_achievement_wish(&a);
        const bool fulfils = p.bias <= a.wish.bias && p.loss <= a.wish.loss;
        if (fabs(sp - wish) > slack) {
            assert_int_equal(sp < wish, fulfils);
        } else {
            assert_true(p.bias <= a.wish.bias + 1e-9 && p.loss <= a.wish.loss + 1e-9);
        }
    }
}

static bool is_efficient(const pv_aspiration *points, size_t n, size_t at)
{
    for (size_t i = 0; i < n; i++) {
        const bool no_worse =
            points[i].bias <= points[at].bias && points[i].loss <= points[at].loss;
        const bool better = points[i].bias < points[at].bias || points[i].loss < points[at].loss;
        if (no_worse && better) {
            return false;
        }
    }
    return true;
}

/* None is better in both. */
static bool is_weakly_efficient(const pv_aspiration *points, size_t n, size_t at)
{
    for (size_t i = 0; i < n; i++) {
        if (points[i].bias < points[at].bias && points[i].loss < points[at].loss) {
            return false;
        }
    }
    return true;
}

static void expect_efficiencies(const pv_aspiration *points, size_t n)
{
    pv_efficiency found[64];
    pv_error error = {0};
    memset(found, 0x7f, sizeof found);
    bound_must(pv_efficiencies(points, n, found, &error), &error);
    for (size_t i = 0; i < n; i++) {
        const pv_efficiency expected = is_efficient(points, n, i)          ? PV_STRONGLY_EFFICIENT
                                       : is_weakly_efficient(points, n, i) ? PV_WEAKLY_EFFICIENT
                                                                           : PV_INEFFICIENT;
        assert_int_equal(found[i], expected);
    }
}

/* Few different values: many points are equal in one or both. */
static void efficiencies_are_as_defined(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 6);
    expect_efficiencies(NULL, 0);
    for (size_t round = 0; round < 3000; round++) {
        const uint64_t values = 1 + pv_i_rng_below(&rng, 12);
        const size_t n = 1 + (size_t)pv_i_rng_below(&rng, 40);
        pv_aspiration points[64];
        for (size_t i = 0; i < n; i++) {
            points[i].bias = (double)pv_i_rng_below(&rng, values) / 11;
            points[i].loss = (double)pv_i_rng_below(&rng, values) / 11;
        }
        expect_efficiencies(points, n);
    }
}

/* "First two are strongly efficient, the fifth is not even weakly efficient." */
static void efficiencies_of_table_2(void **state)
{
    const measured m = measure_all();
    pv_efficiency found[N_SCHEMES];
    pv_error error = {0};
    (void)state;
    bound_must(pv_efficiencies(m.points, N_SCHEMES, found, &error), &error);
    for (size_t i = 0; i < N_SCHEMES; i++) {
        assert_int_equal(found[i] == PV_STRONGLY_EFFICIENT, i < 2);
        assert_int_equal(found[i] == PV_INEFFICIENT, i == 4);
    }
}

/* Every best compromise is the answer to the wish for itself, and no answer is beaten. */
static void every_efficient_point_is_reached(void **state)
{
    enum { N = 30 };
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 4);
    for (size_t round = 0; round < 300; round++) {
        pv_aspiration points[N];
        for (size_t i = 0; i < N; i++) {
            points[i] = random_point(&rng);
        }
        for (size_t i = 0; i < N; i++) {
            const size_t best = best_for(points, N, points[i]);
            assert_true(is_efficient(points, N, best));
            if (is_efficient(points, N, i)) {
                assert_true(fabs(points[best].bias - points[i].bias) <= 0 &&
                            fabs(points[best].loss - points[i].loss) <= 0);
            }
        }
    }
}

/* --------------------------------------------------------------------- goal */

/* What searches minimise is the achievement in another unit. */
static void goals_are_achievements(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 5);
    for (size_t i = 0; i < 1000; i++) {
        const pv_achievement a = achievement_of(random_point(&rng));
        const pv_aspiration p = random_point(&rng);
        const pv_cut_goal goal = pv_i_achievement_goal(&a, 5);
        const double value = fmax(goal.bias_base + goal.bias_slope * p.bias, p.loss);
        const double expected = pv_achievement_value(&a, p);
        assert_int_equal(goal.k, 5);
        assert_true(fabs(pv_i_achievement_of(&a, value) - expected) <= 1e-9 * fmax(1, expected));
    }
}

static void bad_wishes_are_refused(void **state)
{
    static const double bad[] = {-0.1, -1e-300, (double)NAN, (double)INFINITY, -(double)INFINITY};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pv_achievement a = {.weight = 7};
        pv_error error = {0};
        assert_int_equal(pv_achievement_init(&a, (pv_aspiration){bad[i], 0.2}, &error),
                         PV_STATUS_ARGUMENT);
        assert_int_equal(pv_achievement_init(&a, (pv_aspiration){0.2, bad[i]}, &error),
                         PV_STATUS_ARGUMENT);
        assert_true(error.hint[0] != '\0');
        assert_true(fabs(a.weight - 7) <= 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_2_is_as_printed),
        cmocka_unit_test(the_best_by_preference),
        cmocka_unit_test(a_direction_finds_both_efficient_ones),
        cmocka_unit_test(more_k_at_equal_value),
        cmocka_unit_test(order_is_preserved_and_represented),
        cmocka_unit_test(every_efficient_point_is_reached),
        cmocka_unit_test(efficiencies_are_as_defined),
        cmocka_unit_test(efficiencies_of_table_2),
        cmocka_unit_test(goals_are_achievements),
        cmocka_unit_test(bad_wishes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
