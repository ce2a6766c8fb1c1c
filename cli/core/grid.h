/* Tables on a terminal: columns as wide as their widest cell, numbers to the right, one column
 * that may wrap. */
#ifndef CLI_CORE_GRID_H
#define CLI_CORE_GRID_H

#include "core/report.h"

#include <stddef.h>

typedef enum cli_align {
    CLI_LEFT,
    CLI_RIGHT,
    CLI_WRAP, /* left, and the one that gives way when the table is too wide */
    CLI_RAW   /* left, printed as is: bars */
} cli_align;

typedef struct cli_column {
    const char *header; /* NULL ends the list */
    cli_align align;
} cli_column;

typedef struct cli_grid cli_grid;

/* `columns` is borrowed. */
cli_grid *cli_grid_create(const cli_report *report, const cli_column *columns);
/* The next cell, from left to right and row by row. */
void cli_grid_cell(cli_grid *grid, const char *format, ...) PV_PRINTF(2, 3);
/* Prints and frees. */
void cli_grid_print(cli_grid *grid);

#endif
