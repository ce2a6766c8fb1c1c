/* What a released value is worth and how sensitive it is: tables by attribute, level and leaf, and
 * the risk that follows from them. */
#ifndef PV_RECORDS_RECORD_VALUES_H
#define PV_RECORDS_RECORD_VALUES_H

#include "classes/profile.h"

#include <paravent/disclose.h>

typedef struct pv_record_level {
    double *utility;     /* per leaf: of its group at this level */
    double *sensitivity; /* per leaf; 0 at the root */
} pv_record_level;

typedef struct pv_record_values {
    const pv_profile *profile;
    size_t n_quasi;
    pv_record_level **levels; /* per quasi-identifier: height + 1 */
    unsigned *heights;
    /* per quasi-identifier and leaf: the lowest level at which it is the root */
    uint8_t **root_level;
} pv_record_values;

PV_CHECKED pv_status pv_i_record_values_init(pv_record_values *values, const pv_profile *profile,
                                             pv_utility utility,
                                             const pv_sensitivities *sensitivities,
                                             pv_error *error);
void pv_i_record_values_deinit(pv_record_values *values);

/* From Phi and rho; `n_rows` of the dictionary. */
double pv_i_record_risk(pv_risk model, double phi, uint64_t rho, uint64_t n_rows);

#endif
