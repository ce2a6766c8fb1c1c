/* Measures of class sizes alone: k, spread, bias, discernibility, prosecutor risk.
 *
 * Worst cases look at the remaining classes. Sums over people take the suppressed rows as one class
 * of their own. Sums of squares are exact in 128 bits before they become a double. */
#include "measure/entry.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"

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

double pv_i_simple_k(const pv_classes *classes, double parameter)
{
    (void)parameter;
    return (double)classes->k;
}

double pv_i_simple_sum_k(const pv_classes *classes, double parameter)
{
    (void)parameter;
    return (double)(remaining_squares(classes) + square(classes->n_suppressed));
}

double pv_i_simple_dcn(const pv_classes *classes, double parameter)
{
    (void)parameter;
    return (double)(remaining_squares(classes) +
                    (pv_wide)classes->profile->n_rows * classes->n_suppressed);
}

double pv_i_unsuppressed_dcn(void *state, const pv_classes *classes)
{
    (void)state;
    return (double)classes->squares;
}

double pv_i_simple_necd(const pv_classes *classes, double parameter)
{
    (void)parameter;
    const uint64_t n_rows = classes->profile->n_rows;
    return n_rows > 1 ? (double)(classes->largest - classes->k) / (double)(n_rows - 1) : 0;
}

double pv_i_simple_aecs(const pv_classes *classes, double parameter)
{
    (void)parameter;
    return (double)remaining_rows(classes) / (double)classes->n_remaining;
}

/* Every remaining row counts its class, which has k rows or more, every suppressed one all rows. */
double pv_i_least_dcn(double k, double n_rows)
{
    return k < n_rows ? k * n_rows : n_rows * n_rows;
}

double pv_i_least_aecs(double k, double n_rows)
{
    (void)n_rows;
    return k;
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

double pv_i_simple_risk(const pv_classes *classes, double parameter)
{
    (void)parameter;
    return 1 / (double)classes->k;
}

double pv_i_simple_risk_mean(const pv_classes *classes, double parameter)
{
    (void)parameter;
    return (double)classes->n_remaining / (double)remaining_rows(classes);
}

/* Compared as risks, not as sizes: 1/5 is above 0.19999 and not above 0.2, as it is printed. */
static bool is_above(uint64_t size, double threshold)
{
    return 1 / (double)size > threshold;
}

double pv_i_simple_risk_above(const pv_classes *classes, double threshold)
{
    uint64_t above = 0;
    for (size_t c = 0; c < classes->n_classes; c++) {
        if (!pv_i_is_suppressed(classes, c) && is_above(classes->size[c], threshold)) {
            above += classes->size[c];
        }
    }
    return (double)above / (double)remaining_rows(classes);
}

void pv_i_tuples_size(void *state, const pv_classes *classes, double parameter, double *per_tuple)
{
    (void)state;
    (void)parameter;
    for (size_t t = 0; t < classes->profile->n_tuples; t++) {
        per_tuple[t] = (double)size_of_tuple(classes, t);
    }
}

void pv_i_tuples_dcn(void *state, const pv_classes *classes, double parameter, double *per_tuple)
{
    (void)state;
    (void)parameter;
    for (size_t t = 0; t < classes->profile->n_tuples; t++) {
        const uint32_t c = classes->class_of[t];
        per_tuple[t] =
            (double)(pv_i_is_suppressed(classes, c) ? classes->profile->n_rows : classes->size[c]);
    }
}

void pv_i_tuples_risk(void *state, const pv_classes *classes, double parameter, double *per_tuple)
{
    (void)state;
    (void)parameter;
    for (size_t t = 0; t < classes->profile->n_tuples; t++) {
        per_tuple[t] = 1 / (double)size_of_tuple(classes, t);
    }
}

void pv_i_tuples_risk_above(void *state, const pv_classes *classes, double threshold,
                            double *per_tuple)
{
    (void)state;
    for (size_t t = 0; t < classes->profile->n_tuples; t++) {
        per_tuple[t] = is_above(size_of_tuple(classes, t), threshold) ? 1 : 0;
    }
}
