/* Is a release about to be written over its own data?
 *
 * One table has many names: with a port or without, by several names of this machine, in the schema
 * that is looked in first. Where two may be one, they are taken for one: a release needs a name of
 * its own. What only a name server knows is not seen through. */
#ifndef PV_ENGINE_SAME_TABLE_H
#define PV_ENGINE_SAME_TABLE_H

#include "engine/place.h"
#include "engine/sql.h"

/* Is the table of `place`, whose dialect is `sql`, the one that `text` names? */
bool pv_i_is_same_table(const pv_place *place, const pv_sql *sql, const char *text);

#endif
