/* A hierarchy as the command shows it. */
#ifndef CLI_HIERARCHY_PRINT_H
#define CLI_HIERARCHY_PRINT_H

#include "core/report.h"

#include <jansson.h>
#include <paravent/hierarchy.h>
#include <stddef.h>

/* The tree and a line per level; at most `leaves` leaves are drawn, 0 = all. */
PV_CHECKED pv_status cli_tree_print(const cli_report *report, const char *name,
                                    const pv_hierarchy *hierarchy, size_t leaves, pv_error *error);
/* {"height", "leaves", "levels": [{"level", "groups": [{"label", "leaves"}]}]} */
json_t *cli_tree_json(const pv_hierarchy *hierarchy);

#endif
