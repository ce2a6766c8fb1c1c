/* What the evaluation in memory says of the table before and after: the numbers the file on disk is
 * checked against and the certificate shows. */
#ifndef PV_RELEASE_EVALUATION_H
#define PV_RELEASE_EVALUATION_H

#include "release/shown.h"

#include <paravent/release.h>

typedef struct pv_evaluation {
    pv_classes *before; /* the raw table, nothing suppressed */
    pv_classes *after;  /* the scheme with suppression */
    /* Of every measure of the registry with its default parameter. */
    double *value_before, *value_after;
    bool *available;
    size_t n_measures;
    bool is_of_file; /* value_after was replaced by what the file shows, where it shows it */
    pv_shown *shown; /* after: one for each quasi-identifier */
} pv_evaluation;

PV_CHECKED pv_status pv_i_evaluation_init(pv_evaluation *evaluation, const pv_scheme *scheme,
                                          const pv_profile *profile,
                                          const pv_suppression *suppression,
                                          const pv_context *context, pv_error *error);
/* The value after, with whatever parameter. */
PV_CHECKED pv_status pv_i_evaluation_value(const pv_evaluation *evaluation, pv_measure_ref ref,
                                           double *value, pv_error *error);
void pv_i_evaluation_deinit(pv_evaluation *evaluation);

#endif
