/* Applying a scheme to the rows: the one place after the profile that touches them again. */
#ifndef PV_RELEASE_RECODE_ROWS_H
#define PV_RELEASE_RECODE_ROWS_H

#include "base/output.h"

#include <paravent/release.h>

typedef enum pv_treatment {
    PV_TREATMENT_DROPPED,
    PV_TREATMENT_UNCHANGED,
    PV_TREATMENT_RECODED, /* a quasi-identifier */
    PV_TREATMENT_HASHED
} pv_treatment;

/* What becomes of a column of the study's table. */
pv_treatment pv_i_release_treatment(const pv_study *study, const pv_release_options *options,
                                    size_t column);

/* Writes the released table: header, then every row with its quasi-identifiers recoded (all `*`
 * where suppressed, unless these are left out), identifiers dropped or hashed, everything else as
 * it is. */
PV_CHECKED pv_status pv_i_release_rows(const pv_scheme *scheme, const pv_classes *classes,
                                       const pv_release_options *options, pv_output *output,
                                       const pv_context *context, pv_error *error);

#endif
