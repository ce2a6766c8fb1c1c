/* The points of a front as a table on a terminal. */
#ifndef CLI_FRONT_PRINT_TABLE_H
#define CLI_FRONT_PRINT_TABLE_H

#include "core/report.h"
#include "front/search.h"

/* Prints the chosen points (one flag each) and how to read them; returns whether their levels are
 * among it: beside many objectives there may be no room. */
bool cli_front_table(const cli_report *report, const cli_found *found, const bool *chosen);

#endif
