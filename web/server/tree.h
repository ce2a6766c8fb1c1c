/* The parts of the answer of `tree`. */
#ifndef WEB_SERVER_TREE_H
#define WEB_SERVER_TREE_H

#include "server/web.h"

/* A specification as a plan would have it: {"intervals": [5, 10]}. */
json_t *web_tree_spec(const pv_hierarchy_spec *spec);

/* Adds to `object`: "height", "missing" (rows), "levels", "leaves" with "more", "rows" and
 * "missing_group". Without a hierarchy the leaves are the values of the column in their natural
 * order, without a path. */
PV_CHECKED pv_status web_tree_leaves(json_t *object, const pv_table *table, size_t column,
                                     const pv_hierarchy *hierarchy, pv_error *error);

#endif
