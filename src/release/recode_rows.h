/* Applying a scheme to the rows: the one place after the profile that touches them again. */
#ifndef PV_RELEASE_RECODE_ROWS_H
#define PV_RELEASE_RECODE_ROWS_H

#include "base/output.h"

#include <paravent/release.h>

/* Writes the released table: header, then every row with its quasi-identifiers recoded (all `*`
 * where suppressed), identifiers dropped or hashed, everything else as it is. */
PV_CHECKED pv_status pv_i_release_rows(const pv_scheme *scheme, const pv_classes *classes,
                                       const pv_release_options *options, pv_output *output,
                                       const pv_context *context, pv_error *error);

#endif
