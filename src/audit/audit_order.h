/* The natural order of a column's values: numbers by value, dates by day, text by bytes, the
 * missing value last. */
#ifndef PV_AUDIT_AUDIT_ORDER_H
#define PV_AUDIT_AUDIT_ORDER_H

#include "audit/audit_count.h"

/* The codes in their order. A value that is not of the column's type is PV_STATUS_INPUT, naming its
 * line. `order` has room for all values of the column. */
PV_CHECKED pv_status pv_i_audit_order(const pv_audit_count *count, const pv_audit_column *column,
                                      uint32_t *order, pv_error *error);

#endif
