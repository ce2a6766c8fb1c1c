/* What is computed from a count: the checker's own formulas for every measure that a file can be
 * checked for (audit_measures.c), and the second reading of `*` (audit_wildcard.c). */
#ifndef PV_AUDIT_AUDIT_MEASURES_H
#define PV_AUDIT_AUDIT_MEASURES_H

#include "audit/audit_count.h"

typedef struct pv_audit_spread pv_audit_spread;

/* All that the formulas look at. Zero-initialised = empty. */
typedef struct pv_audit_facts {
    const pv_audit_count *count; /* borrowed */
    pv_audit_spread *columns;    /* one per sensitive column, then one for the label */
    uint64_t remaining_rows;
    uint64_t remaining_classes;
    uint64_t smallest, largest; /* remaining class */
    uint64_t *sizes;            /* of all classes, ascending; the suppressed rows are one of them */
    uint64_t *counts;           /* scratch: one number per value of any sensitive column */
} pv_audit_facts;

PV_CHECKED pv_status pv_i_audit_facts(const pv_audit_count *count, const pv_audit_options *options,
                                      pv_audit_facts *facts, pv_error *error);
void pv_i_audit_facts_deinit(pv_audit_facts *facts);

/* One measure. Without the column it needs it is not available, which is no failure; one that no
 * file can be checked for is PV_STATUS_ARGUMENT. */
PV_CHECKED pv_status pv_i_audit_measure(const pv_audit_facts *facts, pv_measure_ref ref,
                                        pv_audit_value *value, pv_error *error);

/* The second reading of `*`: not a category of its own but "any value". A person known by their
 * quasi-identifiers hides among all rows consistent with theirs. consistent[i] = rows of the file,
 * suppressed ones included, that agree with class i in every quasi-identifier where neither has a
 * `*`. The array has one number per class. */
PV_CHECKED pv_status pv_i_audit_wildcard(const pv_audit_count *count, const pv_context *context,
                                         uint64_t *consistent, pv_error *error);

#endif
