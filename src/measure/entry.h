/* What a measure is inside: its public description and the functions that compute it. One file per
 * family, one line per measure in registry.c. */
#ifndef PV_MEASURE_ENTRY_H
#define PV_MEASURE_ENTRY_H

#include "classes/grouping.h"

#include <paravent/measure.h>

/* The scalar. */
typedef pv_status (*pv_value_fn)(const pv_classes *classes, double parameter, double *value,
                                 pv_error *error);
/* The property vector, one value per tuple: enough for properties all rows of a tuple share. */
typedef pv_status (*pv_tuples_fn)(const pv_classes *classes, double parameter, double *per_tuple,
                                  pv_error *error);
/* The property vector, one value per row: for properties that depend on the row's own sensitive
 * value. */
typedef pv_status (*pv_rows_fn)(const pv_classes *classes, double *per_row, pv_error *error);

typedef struct pv_measure_entry {
    pv_measure info;
    pv_value_fn value;
    pv_tuples_fn tuples; /* NULL = see rows */
    pv_rows_fn rows;     /* NULL = see tuples; both NULL = no property vector */
} pv_measure_entry;

/* --- class_size.c: properties of class sizes alone --- */
pv_status pv_i_value_k(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_sum_k(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_gini(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_necd(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_dcn(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_aecs(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_risk(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_risk_mean(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_risk_above(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_size(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_dcn(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_risk(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_risk_above(const pv_classes *, double, double *, pv_error *);

/* --- diversity.c, closeness.c: the sensitive values within classes --- */
pv_status pv_i_value_l_distinct(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_l_entropy(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_l_recursive(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_l_distinct(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_l_entropy(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_l_recursive(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_t(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_t(const pv_classes *, double, double *, pv_error *);

/* --- own_value.c: the row's own sensitive value or label in its class --- */
pv_status pv_i_value_sum_l(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_rows_sum_l(const pv_classes *, double *, pv_error *);
pv_status pv_i_value_cm(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_rows_cm(const pv_classes *, double *, pv_error *);

/* --- detail.c: detail lost by generalizing, attribute by attribute --- */
pv_status pv_i_value_glm(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_nwp(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_leaf_utility(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_precision(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_entropy(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_glm(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_nwp(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_leaf_utility(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_precision(const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_entropy(const pv_classes *, double, double *, pv_error *);

#endif
