/* Sensitivities: the harmonic rule upward, and where the leaves' come from. */
#include "hierarchy/tree.h"
#include "support/random_study.h"
#include "support/study.h"

#include <math.h>
#include <paravent/disclose.h>

static pv_sensitivities *create(const pv_profile *profile, pv_sensitivity_source source,
                                uint64_t seed)
{
    pv_sensitivities *s = NULL;
    pv_error error = {0};
    bound_must(pv_sensitivities_create(profile, source, seed, &s, &error), &error);
    return s;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

/* The leaf of the only quasi-identifier in a row. */
static uint32_t leaf_of(const pv_profile *profile, uint64_t row)
{
    return pv_profile_leaf(profile, pv_profile_tuple(profile, row), 0);
}

/* ----------------------------------------------------------------- golden */

/* A county with l cities of weight w has w/l; its state with n cities in all has w/n. */
static void counties_and_states(void **state)
{
    bound_study b = bound_study_create(
        "attributes:\n"
        "  city: {role: quasi, sensitivity: 3, hierarchy: {rows: [\n"
        "    [a, north, east], [b, north, east], [c, north, east], [d, south, east],\n"
        "    [e, south, east], [f, alone, west]]}}\n",
        "city\na\nb\nc\nd\ne\nf\n");
    pv_profile *const profile = bound_profile(b.study, 1);
    pv_sensitivities *const s = create(profile, PV_SENSITIVITY_PLAN, 0);
    static const double expected[][3] = {{3, 1, 0.6}, {3, 1.5, 0.6}, {3, 3, 3}};
    static const uint64_t rows[] = {0, 4, 5};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        for (unsigned level = 0; level < 3; level++) {
            assert_true(is_near(pv_sensitivity(s, 0, level, leaf_of(profile, rows[i])),
                                expected[i][level]));
        }
        assert_true(pv_sensitivity(s, 0, 3, leaf_of(profile, rows[i])) == 0);
    }
    pv_sensitivities_free(s);
    pv_profile_free(profile);
    bound_study_free(&b);
}

/* --------------------------------------------------------------- the plan */

static void values_by_name(void **state)
{
    bound_study b =
        bound_study_create("missing: [NA, '-']\n"
                           "attributes:\n"
                           "  a: {role: quasi, sensitivity: {x: 2, '-': 4, z: 0},\n"
                           "      hierarchy: {rows: [[x, g], [y, g], [z, h], [w, h], [v, h]]}}\n"
                           "  b: {role: quasi}\n",
                           "a,b\nx,1\ny,1\nz,1\nNA,1\nv,1\n");
    pv_profile *profile = bound_profile(b.study, 1);
    /* The table was read with other spellings of missing than the plan has: NA is in both. */
    pv_sensitivities *const s = create(profile, PV_SENSITIVITY_PLAN, 0);
    static const double leaves[] = {2, 1, 0, 4, 1};
    static const double groups[] = {2.0 / 3, 2.0 / 3, 0, 4, 0};
    (void)state;
    for (uint64_t row = 0; row < 5; row++) {
        assert_true(is_near(pv_sensitivity(s, 0, 0, leaf_of(profile, row)), leaves[row]));
        assert_true(is_near(pv_sensitivity(s, 0, 1, leaf_of(profile, row)), groups[row]));
        assert_true(pv_sensitivity(s, 0, 2, leaf_of(profile, row)) == 0);
        assert_true(pv_sensitivity(s, 1, 0, 0) == 1);
    }
    pv_sensitivities_free(s);
    pv_profile_free(profile);
    bound_study_free(&b);
}

/* Values that do not occur but count make a group less sensitive: w has 9, u as all others 1. */
static void absent_values_count(void **state)
{
    static const struct {
        const char *hierarchy, *table;
        double group, above; /* of z */
    } cases[] = {
        /* h: z, w, v; k: those, x and u */
        {"{rows: [[x, g, k], [u, g, k], [z, h, k], [w, h, k], [v, h, k]]}", "a\nx\nz\nv\n",
         1 / (2 + 1.0 / 9 + 1), 1 / (2 + 1.0 / 9 + 1 + 0.5 + 1)},
        {"{order: [2, 4], values: [x, u, z, w]}", "a\nx\nz\n", 1 / (2 + 1.0 / 9),
         1 / (2 + 1.0 / 9 + 0.5 + 1)},
    };
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char plan[512];
        (void)snprintf(plan, sizeof plan,
                       "attributes:\n  a: {role: quasi, domain: hierarchy, hierarchy: %s,\n"
                       "      sensitivity: {x: 2, z: 0.5, w: 9}}\n",
                       cases[i].hierarchy);
        bound_study b = bound_study_create(plan, cases[i].table);
        pv_profile *const profile = bound_profile(b.study, 1);
        pv_sensitivities *const s = create(profile, PV_SENSITIVITY_PLAN, 0);
        const uint32_t z = leaf_of(profile, 1);
        assert_true(pv_sensitivity(s, 0, 0, z) == 0.5);
        assert_true(is_near(pv_sensitivity(s, 0, 1, z), cases[i].group));
        assert_true(is_near(pv_sensitivity(s, 0, 2, z), cases[i].above));
        pv_sensitivities_free(s);
        pv_profile_free(profile);
        bound_study_free(&b);
    }
}

/* ... and without counting they can have none. */
static void absent_values_that_do_not_count_are_refused(void **state)
{
    static const char *const given[] = {"w: 9", "NA: 2"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char plan[256];
        (void)snprintf(plan, sizeof plan,
                       "attributes:\n  a: {role: quasi, hierarchy: {rows: [[x, g], [w, g]]},\n"
                       "      sensitivity: {x: 2, %s}}\n",
                       given[i]);
        bound_study b = bound_study_create(plan, "a\nx\n");
        pv_profile *const profile = bound_profile(b.study, 1);
        pv_sensitivities *s = NULL;
        pv_error error = {0};
        assert_int_equal(pv_sensitivities_create(profile, PV_SENSITIVITY_PLAN, 0, &s, &error),
                         PV_STATUS_INPUT);
        assert_null(s);
        assert_int_equal(error.line, 3);
        assert_int_equal(error.column, 27);
        assert_non_null(strstr(error.hint, "`domain: hierarchy`"));
        pv_profile_free(profile);
        bound_study_free(&b);
    }
}

static void misspelt_values_are_refused(void **state)
{
    bound_study b = bound_study_create("attributes:\n"
                                       "  a: {role: quasi, sensitivity: {x: 2,\n"
                                       "      secret: 4}}\n",
                                       "a\nx\ny\n");
    pv_profile *const profile = bound_profile(b.study, 1);
    pv_sensitivities *s = NULL;
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_sensitivities_create(profile, PV_SENSITIVITY_PLAN, 0, &s, &error),
                     PV_STATUS_INPUT);
    assert_null(s);
    assert_string_equal(error.file, "plan.yaml");
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 7);
    assert_non_null(strstr(error.message, "`a`"));
    assert_null(strstr(error.message, "secret"));
    assert_int_equal(pv_sensitivities_create(profile, (pv_sensitivity_source)3, 0, &s, &error),
                     PV_STATUS_ARGUMENT);
    /* Whoever does not ask the plan need not hear about it. */
    pv_sensitivities_free(create(profile, PV_SENSITIVITY_CONSTANT, 0));
    pv_sensitivities_free(NULL);
    pv_profile_free(profile);
    bound_study_free(&b);
}

/* In a file of its own a misspelt value is told with the line there. */
static void files_are_named(void **state)
{
    FILE *const file = fopen("test_sensitivity.csv", "w");
    (void)state;
    assert_non_null(file);
    assert_true(fputs("x;2\ny;0.5\nsecret;3\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    bound_study b = bound_study_create(
        "attributes: {a: {role: quasi, sensitivity: test_sensitivity.csv}}", "a\nx\ny\n");
    pv_profile *const profile = bound_profile(b.study, 1);
    pv_sensitivities *s = NULL;
    pv_error error = {0};
    assert_int_equal(pv_sensitivities_create(profile, PV_SENSITIVITY_PLAN, 0, &s, &error),
                     PV_STATUS_INPUT);
    assert_non_null(strstr(error.file, "test_sensitivity.csv"));
    assert_int_equal(error.line, 3);
    assert_null(strstr(error.message, "secret"));
    pv_profile_free(profile);
    bound_study_free(&b);
    assert_int_equal(remove("test_sensitivity.csv"), 0);
}

/* A value that is `*` is the root from the start; a value may reach it early. */
static void the_root_has_none(void **state)
{
    bound_study b = bound_study_create(
        "attributes: {a: {role: quasi, sensitivity: 5, hierarchy: {rows: [[x, g, h], [y]]}}}",
        "a\nx\ny\n*\n");
    pv_profile *const profile = bound_profile(b.study, 1);
    pv_sensitivities *const s = create(profile, PV_SENSITIVITY_PLAN, 0);
    static const double expected[][4] = {{5, 5, 5, 0}, {5, 0, 0, 0}, {0, 0, 0, 0}};
    (void)state;
    for (uint64_t row = 0; row < 3; row++) {
        for (unsigned level = 0; level < 4; level++) {
            assert_true(pv_sensitivity(s, 0, level, leaf_of(profile, row)) == expected[row][level]);
        }
    }
    pv_sensitivities_free(s);
    pv_profile_free(profile);
    bound_study_free(&b);
}

/* ---------------------------------------------------------------- the laws */

/* By the rule itself: 1/sum(1/w) over the children, the groups one level down. */
static double from_children(const pv_hierarchy *h, const pv_sensitivities *s, size_t q,
                            unsigned level, uint32_t group)
{
    double sum = 0;
    uint32_t last = UINT32_MAX;
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(h); leaf++) {
        const uint32_t child = pv_hierarchy_group(h, level - 1, leaf);
        if (pv_hierarchy_group(h, level, leaf) == group && child != last) {
            sum += 1 / pv_sensitivity(s, q, level - 1, leaf);
            last = child;
        }
    }
    return 1 / sum;
}

/* What that telescopes to: over the leaves under the label, on whatever level it stands; those of
 * `n_leaves` that do not occur have 1 each. */
static double from_leaves(const pv_hierarchy *h, const pv_sensitivities *s, size_t q,
                          const char *label, uint64_t n_leaves)
{
    double sum = (double)n_leaves;
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(h); leaf++) {
        bool under = false;
        for (unsigned level = 0; level <= pv_hierarchy_height(h); level++) {
            const uint32_t group = pv_hierarchy_group(h, level, leaf);
            under |= strcmp(pv_hierarchy_label(h, level, group), label) == 0;
        }
        sum += under ? 1 / pv_sensitivity(s, q, 0, leaf) - 1 : 0;
    }
    return 1 / sum;
}

static void check_group(const pv_hierarchy *h, const pv_sensitivities *s, size_t q, unsigned level,
                        uint32_t leaf)
{
    const uint32_t group = pv_hierarchy_group(h, level, leaf);
    const double here = pv_sensitivity(s, q, level, leaf);
    assert_true(here >= 0 && here <= 1);
    if (pv_hierarchy_is_root(h, level, group)) {
        assert_true(here == 0);
    } else if (level > 0) {
        assert_true(!h->is_level_wise || h->n_absent > 0 ||
                    is_near(here, from_children(h, s, q, level, group)));
        assert_true(is_near(here, from_leaves(h, s, q, pv_hierarchy_label(h, level, group),
                                              pv_hierarchy_group_leaves(h, level, group))));
    }
    assert_true(level == 0 || here <= pv_sensitivity(s, q, level - 1, leaf));
}

/* Telescoping over random ragged trees; a group never has more than one below it. */
static void harmonic_sums_telescope(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 6);
    for (int trial = 0; trial < 100; trial++) {
        random_study r;
        const random_shape shape = {
            .n_rows = 30, .n_quasi = 3, .n_values = 12, .missing = 9, .heights = 6};
        random_study_init(&r, &rng, &shape);
        pv_sensitivities *const s = create(r.profile, PV_SENSITIVITY_RANDOM, (uint64_t)trial);
        for (size_t q = 0; q < 3; q++) {
            const pv_hierarchy *const h = pv_study_hierarchy(r.bound.study, q);
            for (unsigned level = 0; level <= pv_hierarchy_height(h); level++) {
                for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(h); leaf++) {
                    check_group(h, s, q, level, leaf);
                }
            }
        }
        pv_sensitivities_free(s);
        random_study_deinit(&r);
    }
}

static void seeds_decide(void **state)
{
    bound_study b = bound_study_create("attributes: {a: {role: quasi}}", "a\nx\ny\nz\n");
    pv_profile *const profile = bound_profile(b.study, 1);
    pv_sensitivities *const one = create(profile, PV_SENSITIVITY_RANDOM, 1);
    pv_sensitivities *const again = create(profile, PV_SENSITIVITY_RANDOM, 1);
    pv_sensitivities *const two = create(profile, PV_SENSITIVITY_RANDOM, 2);
    bool differ = false;
    (void)state;
    for (uint32_t leaf = 0; leaf < 3; leaf++) {
        const double w = pv_sensitivity(one, 0, 0, leaf);
        assert_true(w > 0 && w <= 1 && w == pv_sensitivity(again, 0, 0, leaf));
        differ = differ || w != pv_sensitivity(two, 0, 0, leaf);
    }
    assert_true(differ);
    pv_sensitivities_free(one);
    pv_sensitivities_free(again);
    pv_sensitivities_free(two);
    pv_profile_free(profile);
    bound_study_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counties_and_states),
        cmocka_unit_test(values_by_name),
        cmocka_unit_test(absent_values_count),
        cmocka_unit_test(absent_values_that_do_not_count_are_refused),
        cmocka_unit_test(misspelt_values_are_refused),
        cmocka_unit_test(files_are_named),
        cmocka_unit_test(the_root_has_none),
        cmocka_unit_test(harmonic_sums_telescope),
        cmocka_unit_test(seeds_decide),
    };
    return cmocka_run_group_tests_name("sensitivity", tests, NULL, NULL);
}
