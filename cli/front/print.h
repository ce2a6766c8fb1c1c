/* A front for people, on a terminal. */
#ifndef CLI_FRONT_PRINT_H
#define CLI_FRONT_PRINT_H

#include "core/report.h"
#include "front/search.h"

/* The plot, a table of points (the most telling ones, or `all`), the suggestions and how complete
 * it is. */
PV_CHECKED pv_status cli_found_print(const cli_report *report, const cli_found *found, bool all,
                                     pv_error *error);

/* "5,2,0", as --levels wants it. Owned. */
char *cli_levels_text(const cli_found *found, size_t point);

/* Prints the chosen points (one flag each) as a table and how to read it; returns whether their
 * levels are among it: beside many objectives there may be no room. */
bool cli_front_table(const cli_report *report, const cli_found *found, const bool *chosen);

#endif
