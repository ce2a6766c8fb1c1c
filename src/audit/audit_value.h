/* What the checker takes values to mean: numbers, dates or text, and which are equal. */
#ifndef PV_AUDIT_AUDIT_VALUE_H
#define PV_AUDIT_AUDIT_VALUE_H

#include "audit/audit_count.h"

#include <paravent/decimal.h>

/* A number that equal values share and that sorts as they do; false if the text is not of the type,
 * which is a number or DATE. */
bool pv_i_audit_parse(const char *text, size_t size, pv_type type, const pv_format *format,
                      pv_decimal *number);

/* Finds the type of every column whose type is not given: number (DECIMAL), DATE or TEXT; numbers
 * with leading zeros are text, unless they were declared to be numbers. Then counts all spellings
 * of one value as one. */
PV_CHECKED pv_status pv_i_audit_merge(pv_audit_count *count, pv_error *error);

#endif
