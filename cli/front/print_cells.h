/* How the points of a front treat the attributes, in few characters. All texts are owned. */
#ifndef CLI_FRONT_PRINT_CELLS_H
#define CLI_FRONT_PRINT_CELLS_H

#include "core/report.h"
#include "front/search.h"

/* How the attributes are treated that are not treated like the most: "all raw but age 2". Owned. */
char *cli_levels_summary(const cli_found *found, size_t point);

/* An attribute that is raw is a dot, one of which nothing is left a star; between them stands its
 * level, or of cuts the number of its groups. */
char *cli_attribute_text(const cli_report *report, const cli_found *found, size_t point,
                         size_t quasi);
/* Of cuts: "1 raw, 2 divided, 6 merged", where there is no room for each attribute. */
char *cli_groups_summary(const cli_found *found, size_t point);
/* "5,2,0", as --levels wants it. */
char *cli_levels_text(const cli_found *found, size_t point);

#endif
