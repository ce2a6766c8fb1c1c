/* Small pictures in SVG: shapes, an axis, bars.
 *
 * Pictures are made to stand inside an HTML page: they carry class names instead of colours, so
 * that the page's style sheet decides on light, dark and print, and titles for those who listen.
 * Coordinates are in pixels of the picture's own size; the page scales it. */
#ifndef PV_BASE_SVG_H
#define PV_BASE_SVG_H

#include "base/buffer.h"

#include <stddef.h>

/* ----------------------------------------------------------------- shapes */

/* `title` is read out and shown on hovering; it may be anybody's text, as all texts here. */
void pv_i_svg_begin(pv_buffer *out, double width, double height, const char *class_name,
                    const char *title);
void pv_i_svg_end(pv_buffer *out);

typedef struct pv_svg_box {
    double x, y, width, height;
} pv_svg_box;

void pv_i_svg_rect(pv_buffer *out, const char *class_name, pv_svg_box box, double radius);
void pv_i_svg_line(pv_buffer *out, const char *class_name, double x1, double y1, double x2,
                   double y2);

typedef enum pv_svg_anchor { PV_SVG_START = 0, PV_SVG_MIDDLE, PV_SVG_END } pv_svg_anchor;

/* Between begin and end the caller appends the text (base/svg_markup.h). */
void pv_i_svg_text_begin(pv_buffer *out, const char *class_name, pv_svg_anchor anchor, double x,
                         double y);
void pv_i_svg_text_end(pv_buffer *out);
void pv_i_svg_text(pv_buffer *out, const char *class_name, pv_svg_anchor anchor, double x, double y,
                   const char *text);

/* ------------------------------------------------------------------- axes */

typedef enum pv_svg_unit { PV_SVG_COUNT = 0, PV_SVG_PERCENT } pv_svg_unit;

/* Values 0..max along pixels from..to, with a tick at each multiple of step. */
typedef struct pv_svg_axis {
    double max, step;
    double from, to;
    pv_svg_unit unit; /* PERCENT: values are shares, 1 = 100% */
} pv_svg_axis;

/* An axis that reaches a round number at or above `largest` in about `ticks` steps of 1, 2 or 5
 * times a power of ten. */
pv_svg_axis pv_i_svg_axis(double largest, size_t ticks, pv_svg_unit unit, double from, double to);
double pv_i_svg_at(const pv_svg_axis *axis, double value); /* its pixel */
void pv_i_svg_value(pv_buffer *out, double value, pv_svg_unit unit);
/* Grid lines across and labels below. */
void pv_i_svg_axis_x(pv_buffer *out, const pv_svg_axis *axis, double top, double bottom);

/* ------------------------------------------------------------------- bars */

typedef struct pv_svg_series {
    const char *class_name;
    const double *values; /* one per category; negative = nothing to show */
} pv_svg_series;

/* Horizontal bars, grouped by category: readable with long names and on narrow screens. */
typedef struct pv_svg_bars {
    const char *title;
    double width;       /* the height follows from the number of bars */
    double label_width; /* of the categories at the left */
    pv_svg_unit unit;
    const char *const *categories;
    size_t n_categories;
    const pv_svg_series *series;
    size_t n_series;
} pv_svg_bars;

void pv_i_svg_bars(pv_buffer *out, const pv_svg_bars *bars);

/* A share of a whole as one thin bar. */
void pv_i_svg_meter(pv_buffer *out, const char *class_name, double share, const char *title);
/* Stairs: `level` of `height` steps taken. */
void pv_i_svg_steps(pv_buffer *out, unsigned level, unsigned height, const char *title);

#endif
