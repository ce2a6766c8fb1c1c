/* What a measure is inside: its public description and the functions that compute it. One file per
 * family, one line per measure in registry.c. */
#ifndef PV_MEASURE_ENTRY_H
#define PV_MEASURE_ENTRY_H

#include "classes/grouping.h"

#include <paravent/measure.h>

/* What a measure needs to know once per table, not once per scheme: cost tables, shares of values,
 * room to count in. One state serves one thread. */
typedef pv_status (*pv_prepare_fn)(const pv_profile *profile, double parameter, void **state,
                                   pv_error *error);
typedef void (*pv_discard_fn)(void *state); /* NULL is fine */
/* The scalar. Allocates nothing when the measure has a state. */
typedef pv_status (*pv_value_fn)(void *state, const pv_classes *classes, double parameter,
                                 double *value, pv_error *error);
/* The property vector, one value per tuple: enough for properties all rows of a tuple share. */
typedef pv_status (*pv_tuples_fn)(void *state, const pv_classes *classes, double parameter,
                                  double *per_tuple, pv_error *error);
/* The property vector, one value per row: for properties that depend on the row's own value. Of `n`
 * rows; `rows` NULL = they are all. */
typedef pv_status (*pv_rows_fn)(const pv_classes *classes, const uint64_t *rows, uint64_t n,
                                double *values, pv_error *error);

/* What the scalar reads of the classes besides their summary and their lost ones. */
enum {
    PV_READS_SIZES = 1u << 0,      /* the size of every class */
    PV_READS_SENSITIVES = 1u << 1, /* the sensitive values in every class */
    PV_READS_LABEL = 1u << 2,      /* the labels in every class */
    PV_READS_JOINTLY =
        1u << 3, /* several sensitive values of one row together, if there are several */
};

/* What is known of a scheme's value from other schemes (docs/model.md, section 3). Exact search
 * stands on it. */
typedef enum pv_bound {
    PV_BOUND_NONE = 0,
    PV_BOUND_ABOVE,     /* never worse where a scheme is generalized: k and what follows from it */
    PV_BOUND_ABOVE_RAW, /* the same, but only while nothing is suppressed: the l's, t, sums */
    PV_BOUND_BELOW,     /* without suppression never better where a scheme is generalized */
    PV_BOUND_SEPARABLE, /* the same, and without suppression a sum over attributes: needs no classes
                         */
} pv_bound;

typedef struct pv_measure_entry {
    pv_measure info;
    unsigned reads; /* PV_READS_... */
    pv_bound bound;
    /* BELOW: the value of the scheme if nothing were suppressed. */
    double (*unsuppressed)(void *state, const pv_classes *classes);
    /* SEPARABLE: the same from the levels alone. */
    double (*separable)(const void *state, const uint8_t *levels);
    pv_prepare_fn prepare; /* NULL = no state */
    pv_discard_fn discard;
    pv_value_fn value;
    pv_tuples_fn tuples; /* NULL = see rows */
    pv_rows_fn rows;     /* NULL = see tuples; both NULL = no property vector */
} pv_measure_entry;

/* A measure ready to measure scheme after scheme. */
typedef struct pv_meter {
    const pv_measure_entry *entry;
    double parameter;
    void *state;
} pv_meter;

/* Fails if the measure needs a column the study does not have. */
PV_CHECKED pv_status pv_i_meter_init(pv_meter *meter, pv_measure_ref ref, const pv_profile *profile,
                                     pv_error *error);
void pv_i_meter_deinit(pv_meter *meter);
PV_CHECKED pv_status pv_i_meter_read(const pv_meter *meter, const pv_classes *classes,
                                     double *value, pv_error *error);

/* pv_measure_rows for `n` rows only; `rows` NULL = for all. */
PV_CHECKED pv_status pv_i_measure_rows(pv_measure_ref ref, const pv_classes *classes,
                                       const uint64_t *rows, uint64_t n, double *values,
                                       pv_error *error);

/* --- class_size.c: properties of class sizes alone --- */
pv_status pv_i_value_k(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_sum_k(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_gini(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_necd(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_dcn(void *, const pv_classes *, double, double *, pv_error *);
double pv_i_unsuppressed_dcn(void *, const pv_classes *);
pv_status pv_i_value_aecs(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_risk(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_risk_mean(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_value_risk_above(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_size(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_dcn(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_risk(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_risk_above(void *, const pv_classes *, double, double *, pv_error *);

/* --- sensitive.c: what all scores of sensitive values share --- */
void pv_i_discard_scores(void *state);

/* --- diversity.c, closeness.c: the sensitive values within classes --- */
pv_status pv_i_prepare_l_distinct(const pv_profile *, double, void **, pv_error *);
pv_status pv_i_prepare_l_entropy(const pv_profile *, double, void **, pv_error *);
pv_status pv_i_prepare_l_recursive(const pv_profile *, double, void **, pv_error *);
pv_status pv_i_prepare_t(const pv_profile *, double, void **, pv_error *);
pv_status pv_i_value_score(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_tuples_score(void *, const pv_classes *, double, double *, pv_error *);

/* --- own_value.c: the row's own sensitive value or label in its class --- */
pv_status pv_i_prepare_sum_l(const pv_profile *, double, void **, pv_error *);
pv_status pv_i_prepare_cm(const pv_profile *, double, void **, pv_error *);
void pv_i_discard_tally(void *state);
pv_status pv_i_value_sum_l(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_rows_sum_l(const pv_classes *, const uint64_t *, uint64_t, double *, pv_error *);
double pv_i_unsuppressed_cm(void *, const pv_classes *);
pv_status pv_i_value_cm(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_rows_cm(const pv_classes *, const uint64_t *, uint64_t, double *, pv_error *);

/* --- detail.c: detail lost by generalizing, attribute by attribute --- */
pv_status pv_i_prepare_glm(const pv_profile *, double, void **, pv_error *);
pv_status pv_i_prepare_nwp(const pv_profile *, double, void **, pv_error *);
pv_status pv_i_prepare_leaf_utility(const pv_profile *, double, void **, pv_error *);
pv_status pv_i_prepare_precision(const pv_profile *, double, void **, pv_error *);
pv_status pv_i_prepare_entropy(const pv_profile *, double, void **, pv_error *);
void pv_i_discard_detail(void *state);
pv_status pv_i_value_detail(void *, const pv_classes *, double, double *, pv_error *);
double pv_i_separable_detail(const void *, const uint8_t *);
pv_status pv_i_tuples_detail(void *, const pv_classes *, double, double *, pv_error *);

#endif
