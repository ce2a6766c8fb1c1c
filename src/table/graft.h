/* Columns made anew: of one table given to another that has the same rows, perhaps in another
 * order; or with some of their values merged. */
#ifndef PV_TABLE_GRAFT_H
#define PV_TABLE_GRAFT_H

#include <paravent/table.h>
#include <stddef.h>
#include <stdint.h>

/* Row r of `table` gets the value of row rows[r] of `from`; NULL = of row r. The table must not
 * have a column of that name yet. On failure it is as it was. */
PV_CHECKED pv_status pv_i_table_graft(pv_table *table, const pv_table *from, size_t column,
                                      const uint64_t *rows, pv_error *error);

/* Makes the values whose bits are set in `codes` one value with that text, which no other value of
 * the column has. All codes of the column may change. On failure the table is as it was. */
PV_CHECKED pv_status pv_i_table_merge(pv_table *table, size_t column, const uint64_t *codes,
                                      const char *text, pv_error *error);

#endif
