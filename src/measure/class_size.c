/* Measures of class sizes alone: k, spread, bias, discernibility, prosecutor risk.
 *
 * Worst cases look at the remaining classes. Sums over people take the suppressed rows as one class
 * of their own. Sums of squares are exact in 128 bits before they become a double. */
#include "measure/entry.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/sort.h"

#include <string.h>

static pv_wide square(uint64_t x)
{
    return (pv_wide)x * x;
}

/* The sum of squared sizes of the remaining classes. */
static pv_wide remaining_squares(const pv_classes *classes)
{
    pv_wide sum = classes->squares;
    for (size_t i = 0; i < classes->n_lost; i++) {
        sum -= square(classes->lost[i].size);
    }
    return sum;
}

static uint64_t remaining_rows(const pv_classes *classes)
{
    return classes->profile->n_rows - classes->n_suppressed;
}

/* The size of the class a tuple is in, the suppressed tuples being in one class. */
static uint64_t size_of_tuple(const pv_classes *classes, size_t tuple)
{
    const uint32_t c = classes->class_of[tuple];
    return pv_i_is_suppressed(classes, c) ? classes->n_suppressed : classes->size[c];
}

pv_status pv_i_value_k(void *state, const pv_classes *classes, double parameter, double *value,
                       pv_error *error)
{
    (void)state;
    (void)parameter;
    (void)error;
    *value = (double)classes->k;
    return PV_STATUS_OK;
}

pv_status pv_i_value_sum_k(void *state, const pv_classes *classes, double parameter, double *value,
                           pv_error *error)
{
    (void)state;
    (void)parameter;
    (void)error;
    *value = (double)(remaining_squares(classes) + square(classes->n_suppressed));
    return PV_STATUS_OK;
}

pv_status pv_i_value_dcn(void *state, const pv_classes *classes, double parameter, double *value,
                         pv_error *error)
{
    (void)state;
    (void)parameter;
    (void)error;
    *value = (double)(remaining_squares(classes) +
                      (pv_wide)classes->profile->n_rows * classes->n_suppressed);
    return PV_STATUS_OK;
}

double pv_i_unsuppressed_dcn(void *state, const pv_classes *classes)
{
    (void)state;
    return (double)classes->squares;
}

pv_status pv_i_value_necd(void *state, const pv_classes *classes, double parameter, double *value,
                          pv_error *error)
{
    (void)state;
    (void)parameter;
    (void)error;
    const uint64_t n_rows = classes->profile->n_rows;
    *value = n_rows > 1 ? (double)(classes->largest - classes->k) / (double)(n_rows - 1) : 0;
    return PV_STATUS_OK;
}

pv_status pv_i_value_aecs(void *state, const pv_classes *classes, double parameter, double *value,
                          pv_error *error)
{
    (void)state;
    (void)parameter;
    (void)error;
    *value = (double)remaining_rows(classes) / (double)classes->n_remaining;
    return PV_STATUS_OK;
}

/* The sizes of all classes ascending, the suppressed rows as one; their number through `n`. */
static uint64_t *sorted_sizes(const pv_classes *classes, size_t *n)
{
    uint64_t *const sizes = PV_NEW_ARRAY(uint64_t, classes->n_remaining + 1);
    if (sizes == NULL) {
        return NULL;
    }
    size_t filled = 0;
    for (size_t c = 0; c < classes->n_classes; c++) {
        if (!pv_i_is_suppressed(classes, c)) {
            sizes[filled++] = classes->size[c];
        }
    }
    if (classes->n_suppressed > 0) {
        sizes[filled++] = classes->n_suppressed;
    }
    if (!pv_i_sort_u64(sizes, filled)) {
        pv_i_free(sizes);
        return NULL;
    }
    *n = filled;
    return sizes;
}

/* Rows ascending by class size x_1..x_N: gini = sum_i (2i - N - 1) x_i / (N sum x). The rows of one
 * class are ranks a+1..a+x, whose (2i - N - 1) sum up to x (2a + x - N). */
pv_status pv_i_value_gini(void *state, const pv_classes *classes, double parameter, double *value,
                          pv_error *error)
{
    (void)state;
    (void)parameter;
    size_t n = 0;
    uint64_t *const sizes = sorted_sizes(classes, &n);
    if (sizes == NULL) {
        return pv_i_no_memory(error);
    }
    const double n_rows = (double)classes->profile->n_rows;
    double numerator = 0;
    double sum = 0;
    double before = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = (double)sizes[i];
        numerator += x * x * (2 * before + x - n_rows);
        sum += x * x;
        before += x;
    }
    *value = numerator / (n_rows * sum);
    pv_i_free(sizes);
    return PV_STATUS_OK;
}

pv_status pv_i_value_risk(void *state, const pv_classes *classes, double parameter, double *value,
                          pv_error *error)
{
    (void)state;
    (void)parameter;
    (void)error;
    *value = 1 / (double)classes->k;
    return PV_STATUS_OK;
}

pv_status pv_i_value_risk_mean(void *state, const pv_classes *classes, double parameter,
                               double *value, pv_error *error)
{
    (void)state;
    (void)parameter;
    (void)error;
    *value = (double)classes->n_remaining / (double)remaining_rows(classes);
    return PV_STATUS_OK;
}

static bool is_above(uint64_t size, double threshold)
{
    return 1 / (double)size > threshold;
}

pv_status pv_i_value_risk_above(void *state, const pv_classes *classes, double threshold,
                                double *value, pv_error *error)
{
    (void)state;
    (void)error;
    uint64_t above = 0;
    for (size_t c = 0; c < classes->n_classes; c++) {
        if (!pv_i_is_suppressed(classes, c) && is_above(classes->size[c], threshold)) {
            above += classes->size[c];
        }
    }
    *value = (double)above / (double)remaining_rows(classes);
    return PV_STATUS_OK;
}

pv_status pv_i_tuples_size(void *state, const pv_classes *classes, double parameter,
                           double *per_tuple, pv_error *error)
{
    (void)state;
    (void)parameter;
    (void)error;
    for (size_t t = 0; t < classes->profile->n_tuples; t++) {
        per_tuple[t] = (double)size_of_tuple(classes, t);
    }
    return PV_STATUS_OK;
}

pv_status pv_i_tuples_dcn(void *state, const pv_classes *classes, double parameter,
                          double *per_tuple, pv_error *error)
{
    (void)state;
    (void)parameter;
    (void)error;
    for (size_t t = 0; t < classes->profile->n_tuples; t++) {
        const uint32_t c = classes->class_of[t];
        per_tuple[t] =
            (double)(pv_i_is_suppressed(classes, c) ? classes->profile->n_rows : classes->size[c]);
    }
    return PV_STATUS_OK;
}

pv_status pv_i_tuples_risk(void *state, const pv_classes *classes, double parameter,
                           double *per_tuple, pv_error *error)
{
    (void)state;
    (void)parameter;
    (void)error;
    for (size_t t = 0; t < classes->profile->n_tuples; t++) {
        per_tuple[t] = 1 / (double)size_of_tuple(classes, t);
    }
    return PV_STATUS_OK;
}

pv_status pv_i_tuples_risk_above(void *state, const pv_classes *classes, double threshold,
                                 double *per_tuple, pv_error *error)
{
    (void)state;
    (void)error;
    for (size_t t = 0; t < classes->profile->n_tuples; t++) {
        per_tuple[t] = is_above(size_of_tuple(classes, t), threshold) ? 1 : 0;
    }
    return PV_STATUS_OK;
}
