/* How the values of one column are spread over the classes. Values are named by their rank in some
 * order of the column: the one its ground distance walks. */
#ifndef PV_AUDIT_AUDIT_HISTOGRAM_H
#define PV_AUDIT_AUDIT_HISTOGRAM_H

#include "audit/audit_count.h"

typedef struct pv_audit_bar {
    uint32_t class_number;
    uint32_t rank;
    uint64_t count; /* > 0 */
} pv_audit_bar;

/* Zero-initialised = empty. */
typedef struct pv_audit_histogram {
    pv_audit_bar *bars; /* by class, then by rank */
    size_t n_bars;
    size_t *starts; /* per class: its first bar; one more at the end */
    uint32_t n_values;
    uint32_t *rank_of; /* by code */
    uint64_t *totals;  /* by rank: rows of the whole table */
} pv_audit_histogram;

/* Of the column at `position` among those after the quasi-identifiers. `order` lists its codes. */
PV_CHECKED pv_status pv_i_audit_histogram(const pv_audit_count *count, size_t position,
                                          const uint32_t *order, pv_audit_histogram *histogram,
                                          pv_error *error);
void pv_i_audit_histogram_deinit(pv_audit_histogram *histogram);

/* The rows of a class that have a value; the class has it. */
uint64_t pv_i_audit_bar_count(const pv_audit_histogram *histogram, uint32_t class_number,
                              uint32_t rank);

#endif
