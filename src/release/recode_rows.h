/* Applying a scheme to the rows: the one place after the profile that touches them again. */
#ifndef PV_RELEASE_RECODE_ROWS_H
#define PV_RELEASE_RECODE_ROWS_H

#include "base/output.h"

#include "release/settings.h"

typedef enum pv_treatment {
    PV_TREATMENT_DROPPED,
    PV_TREATMENT_UNCHANGED,
    PV_TREATMENT_RECODED, /* a quasi-identifier */
    PV_TREATMENT_HASHED
} pv_treatment;

/* What becomes of a column of the study's table. */
pv_treatment pv_i_release_treatment(const pv_study *study, const pv_release_settings *options,
                                    size_t column);

/* What was written. */
typedef struct pv_written_rows {
    uint64_t n;
    uint64_t *rows; /* if a row map is wanted: the row of the table that each of them is */
    pv_formula_column *formulas; /* columns that have some */
    size_t n_formulas;
} pv_written_rows;

/* Writes the released table: header, then every row in the order of the options with its
 * quasi-identifiers recoded (all `*` where suppressed, unless these are left out), identifiers
 * dropped or hashed, everything else as it is. Deinitialise what was written even after a failure.
 */
PV_CHECKED pv_status pv_i_release_rows(const pv_scheme *scheme, const pv_classes *classes,
                                       const pv_release_settings *options, pv_output *output,
                                       const pv_context *context, pv_written_rows *written,
                                       pv_error *error);
void pv_i_written_rows_deinit(pv_written_rows *written);
void pv_i_formulas_free(pv_formula_column *formulas, size_t n);

#endif
