/* Small pictures in SVG: shapes, axes, bars.
 *
 * Pictures are made to be part of an HTML page: they carry class names instead of colours, so
 * that the page's style sheet decides on light, dark and print, and titles for those who listen.
 * Coordinates are in pixels of the picture's own size; the page scales it. */
#ifndef PV_REPORT_SVG_H
#define PV_REPORT_SVG_H

#include "report/assets.h"

#include <stdbool.h>
#include <stddef.h>

/* ----------------------------------------------------------------- shapes */

/* `title` is read out and shown on hovering; it may be anybody's text, as all texts here. */
void pv_i_svg_begin(pv_buffer *out, double width, double height, const char *class_name,
                    const char *title);
/* The same for a picture in a file of its own, which brings its style sheet along (parts up to a
 * NULL). */
void pv_i_svg_file_begin(pv_buffer *out, double width, double height, const char *class_name,
                         const char *title, const pv_asset *const *style);
void pv_i_svg_end(pv_buffer *out);

typedef struct pv_svg_box {
    double x, y, width, height;
} pv_svg_box;

void pv_i_svg_rect(pv_buffer *out, const char *class_name, pv_svg_box box, double radius);
void pv_i_svg_line(pv_buffer *out, const char *class_name, double x1, double y1, double x2,
                   double y2);
void pv_i_svg_circle(pv_buffer *out, const char *class_name, double x, double y, double radius);
/* A path of straight lines: begin, corners, end. */
void pv_i_svg_path_begin(pv_buffer *out, const char *class_name, double x, double y);
void pv_i_svg_path_to(pv_buffer *out, double x, double y);
void pv_i_svg_path_end(pv_buffer *out);

typedef enum pv_svg_anchor { PV_SVG_START = 0, PV_SVG_MIDDLE, PV_SVG_END } pv_svg_anchor;

/* Between begin and end the caller appends the text (base/markup.h). */
void pv_i_svg_text_begin(pv_buffer *out, const char *class_name, pv_svg_anchor anchor, double x,
                         double y);
void pv_i_svg_text_end(pv_buffer *out);
void pv_i_svg_text(pv_buffer *out, const char *class_name, pv_svg_anchor anchor, double x, double y,
                   const char *text);

/* A picture drawn for a page is shown in all sizes: on a narrow screen its letters are enlarged
 * (class "fit" in assets/page.css), and it must leave space for them. */
#define PV_SVG_FILE_LETTERS 12.5
#define PV_SVG_PAGE_LETTERS 16.5
#define PV_SVG_TICK_LETTERS 0.88 /* of these, the numbers of axes */

/* ------------------------------------------------------------------- axes */

typedef enum pv_svg_unit {
    PV_SVG_COUNT = 0, /* no fractions */
    PV_SVG_PERCENT,   /* values are shares, 1 = 100% */
    PV_SVG_NUMBER
} pv_svg_unit;

/* Values min..max along pixels from..to, with a tick at each multiple of step. A logarithmic axis
 * has `step` ticks per power of ten: 3 (1, 2, 5) or 1.
 *
 * One value far from all others would leave them a corner of the picture. An axis may be broken
 * for it: a short piece at its lower or upper end holds whatever lies outside min..max.
 *
 *     |-o-//---oo-o----o-oo--|
 *     below    min        max     */
typedef struct pv_svg_axis {
    double min, max, step;
    double from, to;
    pv_svg_unit unit;
    bool logarithmic;
    bool broken_low, broken_high;
    double below, above; /* the farthest values beyond the breaks */
    double letters;      /* height of the numbers; 0 = 11 */
} pv_svg_axis;

#define PV_SVG_MAX_TICKS 64

/* An axis from 0 that reaches a round number at or above `largest` in about `ticks` steps of 1, 2
 * or 5 times a power of ten. */
pv_svg_axis pv_i_svg_axis(double largest, size_t ticks, pv_svg_unit unit, double from, double to);
/* The same for values from `smallest` on; it begins at 0 unless that would leave much unused. */
pv_svg_axis pv_i_svg_range_axis(double smallest, double largest, size_t ticks, pv_svg_unit unit,
                                double from, double to);
/* The same, beginning at 0 only where that is near. */
pv_svg_axis pv_i_svg_near_axis(double smallest, double largest, size_t ticks, pv_svg_unit unit,
                               double from, double to);
/* For values > 0 of all sizes, with at most about `ticks` ticks. */
pv_svg_axis pv_i_svg_log_axis(double smallest, double largest, size_t ticks, double from,
                              double to);
/* The same, beginning at the power of ten at or below `smallest`. */
pv_svg_axis pv_i_svg_decade_axis(double smallest, double largest, size_t ticks, double from,
                                 double to);
/* The axis, broken where `smallest` or `largest` is outside of it. */
pv_svg_axis pv_i_svg_break(pv_svg_axis axis, double smallest, double largest);
double pv_i_svg_at(const pv_svg_axis *axis, double value); /* its pixel */
/* Is there a place for the value? Not for 0 and less on a logarithmic axis. */
bool pv_i_svg_shows(const pv_svg_axis *axis, double value);
/* Where the ticks are; returns their number, at most PV_SVG_MAX_TICKS. */
size_t pv_i_svg_ticks(const pv_svg_axis *axis, double values[PV_SVG_MAX_TICKS]);
void pv_i_svg_value(pv_buffer *out, double value, pv_svg_unit unit);
/* The same for axes: "400M" and "5e-7" are read faster, and are as exact as a tick. */
void pv_i_svg_tick_value(pv_buffer *out, double value, pv_svg_unit unit);
/* The width that the numbers of an upright axis take at its left; what `out` holds stays as it is.
 */
double pv_i_svg_tick_width(pv_buffer *out, const pv_svg_axis *axis);
/* Grid lines across, and numbers below or at the left; a number that would touch another is left
 * out. */
void pv_i_svg_axis_x(pv_buffer *out, const pv_svg_axis *axis, double top, double bottom);
void pv_i_svg_axis_y(pv_buffer *out, const pv_svg_axis *axis, double left, double right);
/* Two strokes across the axis where it is broken; it is upright, or lies, at `at`. */
void pv_i_svg_break_marks(pv_buffer *out, const pv_svg_axis *axis, bool upright, double at);

/* ----------------------------------------------------------------- labels */

/* How wide a text of plain letters is at most, about, in letters of this height. */
double pv_i_svg_text_width(const char *text, double letters);
bool pv_i_svg_touch(pv_svg_box a, pv_svg_box b);

/* A name for something at x, y. */
typedef struct pv_svg_label {
    const char *text; /* plain */
    double x, y;
    double away;        /* how far from there its text must stay */
    double letters;     /* their height */
    bool left, up;      /* the side on which there is most likely space */
    bool placed, moved; /* placed: `box` is its text's; moved: so far that it needs a leader */
    pv_svg_box box;
} pv_svg_label;

/* How bad it would be to cover this box, 0 = not at all. */
typedef double (*pv_svg_covers)(const void *context, pv_svg_box box);

/* Finds places inside `within` where no two labels touch. Earlier labels come first; what finds no
 * place is left out. Of several places the nearest that covers nothing is taken, or that which
 * covers least (`covers` may be NULL). */
void pv_i_svg_place_labels(pv_svg_label *labels, size_t n, pv_svg_box within, pv_svg_covers covers,
                           const void *context);
void pv_i_svg_label(pv_buffer *out, const char *class_name, const pv_svg_label *label);

/* Names of curves at their ends: moves the first of `places` apart, each at least `apart` from the
 * next, as little as can be and in their order, between `least` and `most`. Returns how many there
 * is space for; the others have none. */
size_t pv_i_svg_spread(double *places, size_t n, double apart, double least, double most);
#define PV_SVG_MAX_SPREAD 64

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
