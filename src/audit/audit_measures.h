/* The checker's own formulas for every measure that a file can be checked for. */
#ifndef PV_AUDIT_AUDIT_MEASURES_H
#define PV_AUDIT_AUDIT_MEASURES_H

#include "audit/audit_distance.h"

/* All that the formulas look at. Zero-initialised = empty. */
typedef struct pv_audit_facts {
    const pv_audit_count *count; /* borrowed */
    pv_audit_ground *grounds;    /* one per sensitive column */
    pv_audit_histogram label;    /* empty without one */
    uint64_t remaining_rows;
    uint64_t remaining_classes;
    uint64_t smallest, largest; /* remaining class */
    uint64_t *sizes;            /* of all classes, ascending; the suppressed rows are one of them */
    uint64_t *counts;           /* room for the counts of one class */
} pv_audit_facts;

PV_CHECKED pv_status pv_i_audit_facts(const pv_audit_count *count, const pv_audit_options *options,
                                      pv_audit_facts *facts, pv_error *error);
void pv_i_audit_facts_deinit(pv_audit_facts *facts);

/* One measure. Without the column it needs it is not available, which is no failure; one that no
 * file can be checked for is PV_STATUS_ARGUMENT. */
PV_CHECKED pv_status pv_i_audit_measure(const pv_audit_facts *facts, pv_measure_ref ref,
                                        pv_audit_value *value, pv_error *error);

#endif
