/* The second reading of `*`: not a category of its own but "any value". A person known by their
 * quasi-identifiers hides among all rows consistent with theirs. */
#ifndef PV_AUDIT_AUDIT_WILDCARD_H
#define PV_AUDIT_AUDIT_WILDCARD_H

#include "audit/audit_count.h"

/* consistent[i] = rows of the file, suppressed ones included, that agree with class i in every
 * quasi-identifier where neither has a `*`. Room for one number per class. */
PV_CHECKED pv_status pv_i_audit_wildcard(const pv_audit_count *count, const pv_context *context,
                                         uint64_t *consistent, pv_error *error);

#endif
