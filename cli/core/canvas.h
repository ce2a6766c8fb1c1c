/* A plot on a terminal: a canvas of marks, with axes of round numbers around it. */
#ifndef CLI_CORE_CANVAS_H
#define CLI_CORE_CANVAS_H

#include "core/report.h"

#include <paravent/paravent.h>

#define CLI_CANVAS_TICKS 5 /* of the vertical axis, about */

typedef struct cli_canvas {
    const cli_report *report;
    pv_axis x, y;
    size_t height; /* rows */
    size_t margin; /* columns of the numbers at the left */
    size_t width;
    unsigned char *marks; /* from the top; 0 = empty */
} cli_canvas;

/* As wide as the report allows beside the numbers of the vertical axis. Set `x` before anything is
 * put on it; cli_canvas_ticks says how many ticks fit. */
void cli_canvas_init(cli_canvas *canvas, const cli_report *report, const pv_axis *y, size_t height);
size_t cli_canvas_ticks(const cli_canvas *canvas);
void cli_canvas_deinit(cli_canvas *canvas);

/* The cell of a point. */
unsigned char *cli_canvas_cell(const cli_canvas *canvas, double x, double y);

/* Between a line above, which is the caller's, and the name of the horizontal axis; `text` says
 * what a mark looks like. */
void cli_canvas_print(const cli_canvas *canvas,
                      const char *(*text)(const cli_report *report, unsigned char mark),
                      const char *horizontal);

#endif
