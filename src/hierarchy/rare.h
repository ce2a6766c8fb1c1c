/* Which values are rare, and what they are called: asked by the builder, when a specification is
 * made self-contained and when its labels are explained. */
#ifndef PV_HIERARCHY_RARE_H
#define PV_HIERARCHY_RARE_H

#include <paravent/hierarchy.h>
#include <stdbool.h>
#include <stdint.h>

/* By the threshold of the specification; the list of values kept apart is not looked at. */
bool pv_i_is_rare(const pv_hierarchy_spec *spec, const pv_table *table, size_t column,
                  uint32_t code);

/* What their group is called. */
const char *pv_i_rare_label(const pv_hierarchy_spec *spec);

#endif
