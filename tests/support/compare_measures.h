/* Every measure of the registry against the oracle's release of the same random table. */
#ifndef PV_TESTS_COMPARE_MEASURES_H
#define PV_TESTS_COMPARE_MEASURES_H

#include "support/compare_classes.h"
#include "support/oracle_measures.h"

#include <paravent/measure.h>

static inline bool compare_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

static inline double compare_parameter(random_study *s, const pv_measure *measure)
{
    static const double cs[] = {3, 2, 1, 0.5, 4.5};
    static const double thresholds[] = {0.2, 0.05, 0.34, 1, 0.5};
    const size_t i = random_below(s, 5);
    if (measure->parameter == NULL) {
        return 0;
    }
    return oracle_same(measure->name, "risk-above") ? thresholds[i] : cs[i];
}

static inline void compare_rows(const random_study *s, const oracle_release *r, pv_measure_ref ref,
                                const pv_classes *classes, const double *expected)
{
    double *const rows = oracle_array(s->table.n_rows, sizeof *rows);
    assert_int_equal(pv_measure_rows(ref, classes, rows, NULL), PV_STATUS_OK);
    for (size_t i = 0; i < s->table.n_rows; i++) {
        if (!compare_near(rows[i], expected[i])) {
            print_error("row %zu: ", i);
            compare_differ(s, r, ref.measure->name, rows[i], expected[i]);
        }
    }
    free(rows);
}

static inline void compare_measure(random_study *s, const oracle_release *r,
                                   const pv_measure *measure, const pv_classes *classes)
{
    const oracle_measure *const oracle = oracle_find(measure->name);
    assert_non_null(oracle);
    assert_int_equal(measure->has_rows, oracle->row != NULL);
    const pv_measure_ref ref = {.measure = measure, .parameter = compare_parameter(s, measure)};
    double *const rows = oracle_array(s->table.n_rows, sizeof *rows);
    double value = (double)NAN;
    if (measure->has_rows) {
        oracle_rows(oracle, r, ref.parameter, rows);
        compare_rows(s, r, ref, classes, rows);
    } else {
        assert_int_equal(pv_measure_rows(ref, classes, rows, NULL), PV_STATUS_ARGUMENT);
    }
    assert_int_equal(pv_measure_value(ref, classes, &value, NULL), PV_STATUS_OK);
    const double expected = oracle_value(oracle, r, rows);
    free(rows);
    if (!compare_near(value, expected)) {
        compare_differ(s, r, measure->name, value, expected);
    }
}

static inline bool compare_is_there(const oracle_table *table, unsigned needs)
{
    return (!(needs & PV_NEEDS_SENSITIVE) || table->n_sensitive > 0) &&
           (!(needs & PV_NEEDS_LABEL) || table->label != NULL);
}

/* A measure without what it needs refuses, and touches nothing. */
static inline void compare_unavailable(const pv_measure *measure, const pv_classes *classes)
{
    const pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
    double value = -1;
    pv_error error = {0};
    assert_int_equal(pv_measure_value(ref, classes, &value, &error), PV_STATUS_ARGUMENT);
    assert_int_equal(error.status, PV_STATUS_ARGUMENT);
    assert_true(error.message[0] != '\0');
    assert_true(value == -1);
    assert_int_equal(pv_measure_rows(ref, classes, &value, NULL), PV_STATUS_ARGUMENT);
    assert_true(value == -1);
}

static inline void compare_measures(random_study *s, const oracle_release *r,
                                    const pv_classes *classes)
{
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        const bool available = compare_is_there(&s->table, measure->needs);
        assert_int_equal(pv_measure_available(measure, s->bound.study), available);
        if (available) {
            compare_measure(s, r, measure, classes);
        } else {
            compare_unavailable(measure, classes);
        }
    }
}

#endif
