/* What a released value is worth, how sensitive it is, and the risk that follows. */
#include "support/random_study.h"
#include "support/study.h"

#include "records/weighing.h"

#include <math.h>

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

static pv_record_values values_of(const pv_profile *profile, pv_utility utility,
                                  const pv_sensitivities *sensitivities)
{
    pv_record_values values = {0};
    pv_error error = {0};
    bound_must(pv_i_record_values_init(&values, profile, utility, sensitivities, &error), &error);
    return values;
}

/* ------------------------------------------------------------------ names */

static void names_are_read_again(void **state)
{
    (void)state;
    for (int i = 0; i < PV_UTILITY_COUNT; i++) {
        pv_utility utility = PV_UTILITY_COUNT;
        assert_true(pv_utility_parse(pv_utility_name((pv_utility)i), &utility));
        assert_int_equal(utility, i);
        assert_true(strlen(pv_utility_summary((pv_utility)i)) > 0);
    }
    for (int i = 0; i < PV_RISK_COUNT; i++) {
        pv_risk risk = PV_RISK_COUNT;
        assert_true(pv_risk_parse(pv_risk_name((pv_risk)i), &risk));
        assert_int_equal(risk, i);
        assert_true(strlen(pv_risk_summary((pv_risk)i)) > 0);
    }
    assert_string_equal(pv_utility_name(PV_UTILITY_LOG_LEAVES), "log-leaves");
    assert_string_equal(pv_risk_name(PV_RISK_III), "III");
    assert_string_equal(pv_aim_name(PV_AIM_LEAST_RISK), "least-risk");
    assert_string_equal(pv_aim_name(PV_AIM_MOST_UTILITY), "most-utility");
    assert_string_equal(pv_aim_name(PV_AIM_BALANCE), "balance");
}

static void unknown_names_are_unknown(void **state)
{
    pv_utility utility = PV_UTILITY_LM;
    pv_risk risk = PV_RISK_II;
    (void)state;
    assert_false(pv_utility_parse("depths", &utility));
    assert_false(pv_risk_parse("IV", &risk));
    assert_false(pv_risk_parse("", &risk));
    assert_true(utility == PV_UTILITY_LM && risk == PV_RISK_II);
    assert_string_equal(pv_utility_name(PV_UTILITY_COUNT), "unknown");
    assert_string_equal(pv_risk_summary(PV_RISK_COUNT), "");
    assert_string_equal(pv_aim_name(PV_AIM_COUNT), "unknown");
}

/* ------------------------------------------------------------------- risk */

static void risks_by_hand(void **state)
{
    (void)state;
    assert_true(pv_i_record_risk(PV_RISK_I, 3, 4, 100) == 0.75);
    assert_true(pv_i_record_risk(PV_RISK_II, 3, 4, 100) == 0.25);
    assert_true(is_near(pv_i_record_risk(PV_RISK_III, 3, 4, 100), -3 * log(4)));
    assert_true(pv_i_record_risk(PV_RISK_III, 3, 1, 100) == 0);
    assert_false(signbit(pv_i_record_risk(PV_RISK_III, 3, 1, 100)));
}

/* Nobody in the dictionary fits. */
static void nobody_is_no_division_by_zero(void **state)
{
    (void)state;
    assert_true(pv_i_record_risk(PV_RISK_I, 3, 0, 100) == 0);
    assert_true(pv_i_record_risk(PV_RISK_II, 3, 0, 100) == 0);
    assert_true(pv_i_record_risk(PV_RISK_III, 3, 0, 100) ==
                pv_i_record_risk(PV_RISK_III, 3, 100, 100));
    assert_true(pv_i_record_risk(PV_RISK_III, 3, 0, 0) == 0);
}

/* ---------------------------------------------------------------- utility */

/* Five values; x, y, z have two levels above them, v one, and w is right below the root. */
static void utilities_by_hand(void **state)
{
    static const char plan[] = "attributes: {a: {role: quasi, hierarchy: {rows: [[x, g, G], "
                               "[y, g, G], [z, h, G], [v, i], [w]]}}}";
    static const double depth[][4] = {{3, 2, 1, 0}, {3, 2, 1, 0}, {2, 1, 0, 0}, {1, 0, 0, 0}};
    static const double n[][4] = {{1, 2, 3, 5}, {1, 1, 3, 5}, {1, 1, 5, 5}, {1, 5, 5, 5}};
    static const uint64_t rows[] = {0, 2, 3, 4};
    bound_study b = bound_study_create(plan, "a\nx\ny\nz\nv\nw\n");
    pv_profile *const profile = bound_profile(b.study, 1);
    (void)state;
    for (int u = 0; u < PV_UTILITY_COUNT; u++) {
        pv_record_values values = values_of(profile, (pv_utility)u, NULL);
        for (size_t i = 0; i < 4; i++) {
            const uint32_t leaf = pv_profile_leaf(profile, pv_profile_tuple(profile, rows[i]), 0);
            assert_int_equal(values.root_level[0][leaf], (int)depth[i][0]);
            for (unsigned level = 0; level < 4; level++) {
                const double expected[] = {depth[i][level], 1 / n[i][level], log(5 / n[i][level]),
                                           4.0 / 5 - (n[i][level] - 1) / 5,
                                           1 - (n[i][level] - 1) / 4};
                assert_true(is_near(values.levels[0][level].utility[leaf], expected[u]));
            }
        }
        pv_i_record_values_deinit(&values);
    }
    pv_profile_free(profile);
    bound_study_free(&b);
}

static void one_value_is_worth_nothing_more(void **state)
{
    bound_study b = bound_study_create("attributes: {a: {role: quasi}}", "a\nx\nx\n");
    pv_profile *const profile = bound_profile(b.study, 1);
    (void)state;
    for (int u = PV_UTILITY_LOG_LEAVES; u < PV_UTILITY_COUNT; u++) {
        pv_record_values values = values_of(profile, (pv_utility)u, NULL);
        assert_true(values.levels[0][0].utility[0] == 0);
        assert_true(values.levels[0][1].utility[0] == 0);
        pv_i_record_values_deinit(&values);
    }
    pv_record_values values = {0};
    assert_int_equal(pv_i_record_values_init(&values, profile, PV_UTILITY_COUNT, NULL, NULL),
                     PV_STATUS_ARGUMENT);
    pv_profile_free(profile);
    bound_study_free(&b);
}

/* ------------------------------------------------------------------- laws */

/* n and m by counting strings. */
static double expected_worth(const random_study *r, size_t q, const char *cell, unsigned level,
                             int utility)
{
    oracle_column *const column = &r->table.quasi[q];
    const double m = oracle_leaves(column, r->table.n_rows, ORACLE_ROOT);
    column->level = level;
    const double n = oracle_leaves(column, r->table.n_rows, oracle_group(column, cell, level));
    switch (utility) {
    case PV_UTILITY_LEAVES: return 1 / n;
    case PV_UTILITY_LOG_LEAVES: return log(m / n);
    case PV_UTILITY_XT: return (m - 1) / m - (n - 1) / m;
    default: return m > 1 ? 1 - (n - 1) / (m - 1) : 0;
    }
}

static double expected_depth(const random_study *r, size_t q, const char *cell, unsigned level)
{
    double depth = 0;
    while (!oracle_same(oracle_group(&r->table.quasi[q], cell, level), ORACLE_ROOT)) {
        depth++;
        level++;
    }
    return depth;
}

static void check_cell(const random_study *r, const pv_record_values *values, size_t q, size_t row,
                       int utility)
{
    const char *const cell = r->table.quasi[q].cells[row];
    const uint32_t leaf = pv_profile_leaf(r->profile, pv_profile_tuple(r->profile, row), q);
    assert_int_equal(values->root_level[q][leaf], (int)expected_depth(r, q, cell, 0));
    for (unsigned level = 0; level <= values->heights[q]; level++) {
        const double worth = values->levels[q][level].utility[leaf];
        const double expected = utility == PV_UTILITY_DEPTH
                                    ? expected_depth(r, q, cell, level)
                                    : expected_worth(r, q, cell, level, utility);
        assert_true(is_near(worth, expected));
        if (level > 0) { /* generalizing is never worth more, nor more sensitive */
            assert_true(worth <= values->levels[q][level - 1].utility[leaf]);
            assert_true(values->levels[q][level].sensitivity[leaf] <=
                        values->levels[q][level - 1].sensitivity[leaf]);
        }
    }
}

static void random_tables_agree_with_the_definitions(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 7);
    for (int trial = 0; trial < 60; trial++) {
        random_study r;
        random_shape shape = {.n_quasi = 3, .n_values = 8, .missing = 7, .heights = 6};
        shape.n_rows = 1 + (size_t)pv_i_rng_below(&rng, 20);
        random_study_init(&r, &rng, &shape);
        pv_sensitivities *sensitivities = NULL;
        assert_int_equal(
            pv_sensitivities_create(r.profile, PV_SENSITIVITY_RANDOM, 1, &sensitivities, NULL),
            PV_STATUS_OK);
        pv_record_values values =
            values_of(r.profile, (pv_utility)(trial % PV_UTILITY_COUNT), sensitivities);
        for (size_t q = 0; q < 3; q++) {
            for (size_t row = 0; row < shape.n_rows; row++) {
                check_cell(&r, &values, q, row, trial % PV_UTILITY_COUNT);
            }
        }
        pv_i_record_values_deinit(&values);
        pv_sensitivities_free(sensitivities);
        random_study_deinit(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_read_again),
        cmocka_unit_test(unknown_names_are_unknown),
        cmocka_unit_test(risks_by_hand),
        cmocka_unit_test(nobody_is_no_division_by_zero),
        cmocka_unit_test(utilities_by_hand),
        cmocka_unit_test(one_value_is_worth_nothing_more),
        cmocka_unit_test(random_tables_agree_with_the_definitions),
    };
    return cmocka_run_group_tests_name("record values", tests, NULL, NULL);
}
