/* Telling about a front, for people. */
#ifndef CLI_FRONT_PRINT_H
#define CLI_FRONT_PRINT_H

#include "core/report.h"
#include "front/search.h"

/* The plot, a table of points (the most telling ones, or `all`), the suggestions and how complete
 * it is. */
PV_CHECKED pv_status cli_found_print(const cli_report *report, const cli_found *found, bool all,
                                     pv_error *error);

#endif
