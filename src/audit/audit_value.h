/* What the checker takes values to mean: numbers, dates or text, which are equal, and how they are
 * ordered. */
#ifndef PV_AUDIT_AUDIT_VALUE_H
#define PV_AUDIT_AUDIT_VALUE_H

#include "audit/audit_count.h"

/* Finds the type of every column whose type is not given: number (DECIMAL), DATE or TEXT; numbers
 * with leading zeros are text, unless they were declared to be numbers. Then counts all spellings
 * of one value as one. */
PV_CHECKED pv_status pv_i_audit_merge(pv_audit_count *count, pv_error *error);

/* The codes of a column in the natural order of its values: numbers by value, dates by moment, text
 * by bytes, the missing value last. A value that is not of the column's type is PV_STATUS_INPUT,
 * naming its line. `order` has one place per value of the column. */
PV_CHECKED pv_status pv_i_audit_order(const pv_audit_count *count, const pv_audit_column *column,
                                      uint32_t *order, pv_error *error);

#endif
