/* What must hold between the measures of any table: the facts that exact search stands on. */
#include "support/oracle_measures.h"
#include "support/random_study.h"

#include <paravent/measure.h>

#define LEAST_DIFFERENCE 1e-9

static double value_of(const pv_classes *classes, const char *name)
{
    const pv_measure *const measure = pv_measure_find(name);
    assert_non_null(measure);
    const pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
    double value = (double)NAN;
    assert_int_equal(pv_measure_value(ref, classes, &value, NULL), PV_STATUS_OK);
    return value;
}

static void expect_at_least(const char *name, double value, double bound)
{
    if (!(value >= bound - LEAST_DIFFERENCE * fmax(1, fabs(bound)))) {
        fail_msg("%s is %.17g and should be at least %.17g", name, value, bound);
    }
}

static random_shape any_shape(pv_rng *rng)
{
    return (random_shape){
        .n_rows = 1 + (size_t)pv_i_rng_below(rng, 40),
        .n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4),
        .n_values = 6,
        .n_sensitive = 1 + (size_t)pv_i_rng_below(rng, 2),
        .label = true,
        .missing = pv_i_rng_below(rng, 2) == 0 ? 6 : 0,
        .heights = 4,
        .copies = 4,
    };
}

static void for_random_studies(uint64_t seed, size_t n, void (*law)(random_study *s))
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (size_t i = 0; i < n; i++) {
        const random_shape shape = any_shape(&rng);
        random_study s;
        random_study_init(&s, &rng, &shape);
        law(&s);
        random_study_deinit(&s);
    }
}

/* ------------------------------------------------------------------- laws */

/* What never falls when a level is raised, as long as no row is suppressed; t never rises. */
static void expect_no_fall(const pv_classes *before, const pv_classes *after)
{
    static const char *const never_falls[] = {"k",    "glm",        "nwp",       "dcn",
                                              "cm",   "sum-k",      "sum-l",     "entropy",
                                              "aecs", "l-distinct", "l-entropy", "l-recursive"};
    static const char *const never_rises[] = {"t-closeness", "risk",         "risk-mean",
                                              "risk-above",  "leaf-utility", "precision"};
    for (size_t i = 0; i < sizeof never_falls / sizeof *never_falls; i++) {
        expect_at_least(never_falls[i], value_of(after, never_falls[i]),
                        value_of(before, never_falls[i]));
    }
    for (size_t i = 0; i < sizeof never_rises / sizeof *never_rises; i++) {
        expect_at_least(never_rises[i], value_of(before, never_rises[i]),
                        value_of(after, never_rises[i]));
    }
}

static bool is_top(const random_study *s, const uint8_t *levels)
{
    bool top = true;
    for (size_t q = 0; q < s->table.n_quasi; q++) {
        top = top && levels[q] == oracle_height(&s->table.quasi[q]);
    }
    return top;
}

static void raise_one(random_study *s, uint8_t *levels)
{
    size_t q = 0;
    do {
        q = random_below(s, s->table.n_quasi);
    } while (levels[q] == oracle_height(&s->table.quasi[q]));
    levels[q]++;
}

/* A random way from the raw table to the top of the lattice. */
static void climb(random_study *s)
{
    uint8_t levels[4] = {0};
    pv_classes *at = bound_classes(s->profile, levels, 0, 0);
    while (!is_top(s, levels)) {
        raise_one(s, levels);
        pv_classes *const next = bound_classes(s->profile, levels, 0, 0);
        expect_no_fall(at, next);
        pv_classes_free(at);
        at = next;
    }
    assert_int_equal(pv_classes_total(at), 1);
    assert_int_equal(pv_classes_k(at), s->table.n_rows);
    assert_true(value_of(at, "t-closeness") == 0); /* not up to rounding */
    pv_classes_free(at);
}

static void generalizing_never_loses_privacy(void **state)
{
    (void)state;
    for_random_studies(11, 120, climb);
}

/* Loss without suppression is a lower bound of loss with it, for any budget; k is one, too. */
static void suppress_more_and_more(random_study *s)
{
    static const char *const losses[] = {"glm", "nwp", "dcn", "cm", "entropy", "k"};
    uint8_t levels[4];
    random_levels(s, levels);
    pv_classes *const none = bound_classes(s->profile, levels, 0, 0);
    uint64_t k = 0;
    for (uint64_t budget = 0; budget <= s->table.n_rows; budget++) {
        pv_classes *const some = bound_classes(s->profile, levels, budget, 0);
        for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
            expect_at_least(losses[i], value_of(some, losses[i]), value_of(none, losses[i]));
        }
        assert_true(pv_classes_suppressed(some) <= budget);
        assert_true(pv_classes_suppressed(some) < s->table.n_rows);
        assert_true(pv_classes_k(some) >= k);
        k = pv_classes_k(some);
        pv_classes_free(some);
    }
    pv_classes_free(none);
}

static void suppression_never_lowers_loss(void **state)
{
    (void)state;
    for_random_studies(12, 60, suppress_more_and_more);
}

/* Suppressing for a target costs no more than the budget that reaches it, and reaches it. */
static void reach_targets(random_study *s)
{
    uint8_t levels[4];
    random_levels(s, levels);
    const uint64_t budget = random_below(s, s->table.n_rows);
    pv_classes *const best = bound_classes(s->profile, levels, budget, 0);
    for (uint64_t k = 1; k <= s->table.n_rows + 1; k++) {
        pv_classes *const some = bound_classes(s->profile, levels, budget, k);
        assert_int_equal(pv_classes_feasible(some), k <= pv_classes_k(best));
        if (pv_classes_feasible(some)) {
            assert_true(pv_classes_k(some) >= k);
            assert_true(pv_classes_suppressed(some) <= pv_classes_suppressed(best));
        }
        pv_classes_free(some);
    }
    pv_classes_free(best);
}

static void targets_are_reached_exactly_up_to_the_best_k(void **state)
{
    (void)state;
    for_random_studies(13, 80, reach_targets);
}

/* The same thing said twice. */
static void compare_twins(random_study *s)
{
    uint8_t levels[4];
    random_levels(s, levels);
    const double n = (double)s->table.n_rows;
    pv_classes *const c = bound_classes(s->profile, levels, random_below(s, s->table.n_rows), 0);
    const double suppressed = (double)pv_classes_suppressed(c);
    expect_at_least("risk", value_of(c, "risk") * value_of(c, "k"), 1);
    expect_at_least("k", 1, value_of(c, "risk") * value_of(c, "k"));
    expect_at_least("aecs", value_of(c, "aecs") * value_of(c, "risk-mean"), 1);
    expect_at_least("aecs", 1, value_of(c, "aecs") * value_of(c, "risk-mean"));
    const double squares = value_of(c, "dcn") - n * suppressed;
    assert_true(value_of(c, "sum-k") == squares + suppressed * suppressed);
    expect_at_least("glm", n * (double)s->table.n_quasi, value_of(c, "glm"));
    expect_at_least("nwp", 1, value_of(c, "nwp"));
    expect_at_least("gini", 1, value_of(c, "gini"));
    expect_at_least("gini", value_of(c, "gini"), 0);
    pv_classes_free(c);
}

static void twins_agree(void **state)
{
    (void)state;
    for_random_studies(14, 150, compare_twins);
}

/* With everything at the top nothing is left, exactly: every weight counts, unless its attribute
 * has one value and loses nothing. */
static void lose_everything(random_study *s)
{
    uint8_t levels[4] = {0};
    bool varied = true;
    for (size_t q = 0; q < s->table.n_quasi; q++) {
        const pv_hierarchy *const h = pv_study_hierarchy(s->bound.study, q);
        levels[q] = (uint8_t)pv_hierarchy_height(h);
        varied = varied && pv_hierarchy_domain(h) > 1;
    }
    pv_classes *const c = bound_classes(s->profile, levels, 0, 0);
    if (varied) {
        assert_true(value_of(c, "nwp") == 1);
        assert_true(value_of(c, "glm") == (double)(s->table.n_rows * s->table.n_quasi));
    }
    pv_classes_free(c);
}

static void all_is_exactly_one(void **state)
{
    (void)state;
    for_random_studies(15, 150, lose_everything);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generalizing_never_loses_privacy),
        cmocka_unit_test(suppression_never_lowers_loss),
        cmocka_unit_test(targets_are_reached_exactly_up_to_the_best_k),
        cmocka_unit_test(twins_agree),
        cmocka_unit_test(all_is_exactly_one),
    };
    return cmocka_run_group_tests_name("laws of measures", tests, NULL, NULL);
}
