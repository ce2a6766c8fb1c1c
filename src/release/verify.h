/* Verifying a written release: the independent audit of the file must agree with the evaluation in
 * memory, and every demand must hold in the file. */
#ifndef PV_RELEASE_VERIFY_H
#define PV_RELEASE_VERIFY_H

#include "audit/audit.h"
#include "release/evaluation.h"

#include "release/settings.h"

/* Do the demands hold in memory? PV_STATUS_UNSATISFIED lists all that do not. */
PV_CHECKED pv_status pv_i_check_demands(const pv_evaluation *evaluation,
                                        const pv_release_settings *options, pv_error *error);

/* Audits the file at `path` as a release of the study. `released_as` is its name in messages. */
PV_CHECKED pv_status pv_i_verify_file(const char *path, const char *released_as,
                                      const pv_evaluation *evaluation,
                                      const pv_release_settings *options, const pv_context *context,
                                      pv_audit **audit, pv_error *error);

/* Does the file keep what was promised of the scheme that was applied? PV_STATUS_UNSATISFIED says
 * what it does not. */
PV_CHECKED pv_status pv_i_check_promises(const pv_evaluation *evaluation, const pv_audit *audit,
                                         const pv_study *study, const pv_release_settings *options,
                                         pv_error *error);
/* Is a promise kept, in the file and in memory? `found` says what was measured. */
bool pv_i_promise_holds(const pv_constraint *promise, const pv_evaluation *evaluation,
                        const pv_audit *audit, pv_audit_value *found);
/* Does a column that is released as it is single people out? */
bool pv_i_unchanged_exposes(const pv_audit *audit, const pv_audit_unchanged *column, pv_role role,
                            uint64_t least_k);
/* The k that is demanded; 2 if none is: nobody shall be alone. */
uint64_t pv_i_least_k(const pv_release_settings *options);

#endif
