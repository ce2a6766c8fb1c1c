/* Tables with several owners. */
#ifndef PV_TABLE_SHARE_H
#define PV_TABLE_SHARE_H

#include <paravent/table.h>

/* One more owner of the same table: each frees it, the last one really. Returns the table. */
pv_table *pv_i_table_share(pv_table *table);

#endif
