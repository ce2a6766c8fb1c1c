/* Small pictures in SVG. */
#include "base/svg.h"

#include "base/svg_markup.h"

#include <math.h>

/* ----------------------------------------------------------------- shapes */

static void attribute(pv_buffer *out, const char *name, double value)
{
    pv_i_buffer_format(out, " %s=\"", name);
    pv_i_markup_short(out, value, 2);
    pv_i_buffer_char(out, '"');
}

void pv_i_svg_begin(pv_buffer *out, double width, double height, const char *class_name,
                    const char *title)
{
    pv_i_buffer_format(out, "<svg class=\"%s\" role=\"img\" viewBox=\"0 0 ", class_name);
    pv_i_markup_short(out, width, 2);
    pv_i_buffer_char(out, ' ');
    pv_i_markup_short(out, height, 2);
    pv_i_buffer_char(out, '"');
    attribute(out, "width", width);
    attribute(out, "height", height);
    pv_i_buffer_text(out, "><title>");
    pv_i_markup_text(out, title);
    pv_i_buffer_text(out, "</title>");
}

void pv_i_svg_end(pv_buffer *out)
{
    pv_i_buffer_text(out, "</svg>\n");
}

void pv_i_svg_rect(pv_buffer *out, const char *class_name, pv_svg_box box, double radius)
{
    pv_i_buffer_format(out, "<rect class=\"%s\"", class_name);
    attribute(out, "x", box.x);
    attribute(out, "y", box.y);
    attribute(out, "width", box.width);
    attribute(out, "height", box.height);
    if (radius > 0) {
        attribute(out, "rx", radius);
    }
    pv_i_buffer_text(out, "/>");
}

void pv_i_svg_line(pv_buffer *out, const char *class_name, double x1, double y1, double x2,
                   double y2)
{
    pv_i_buffer_format(out, "<line class=\"%s\"", class_name);
    attribute(out, "x1", x1);
    attribute(out, "y1", y1);
    attribute(out, "x2", x2);
    attribute(out, "y2", y2);
    pv_i_buffer_text(out, "/>");
}

void pv_i_svg_text_begin(pv_buffer *out, const char *class_name, pv_svg_anchor anchor, double x,
                         double y)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    pv_i_buffer_format(out, "<text class=\"%s\" text-anchor=\"%s\"", class_name, anchors[anchor]);
    attribute(out, "x", x);
    attribute(out, "y", y);
    pv_i_buffer_char(out, '>');
}

void pv_i_svg_text_end(pv_buffer *out)
{
    pv_i_buffer_text(out, "</text>");
}

void pv_i_svg_text(pv_buffer *out, const char *class_name, pv_svg_anchor anchor, double x, double y,
                   const char *text)
{
    pv_i_svg_text_begin(out, class_name, anchor, x, y);
    pv_i_markup_text(out, text);
    pv_i_svg_text_end(out);
}

/* ------------------------------------------------------------------- axes */

/* The smallest of 1, 2, 5, 10, 20, 50, ... (or their fractions) that is at least `value` > 0. */
static double round_up(double value)
{
    double power = 1;
    while (power > value) {
        power /= 10;
    }
    while (power * 10 <= value) {
        power *= 10;
    }
    return value <= power       ? power
           : value <= 2 * power ? 2 * power
           : value <= 5 * power ? 5 * power
                                : 10 * power;
}

pv_svg_axis pv_i_svg_axis(double largest, size_t ticks, pv_svg_unit unit, double from, double to)
{
    /* An axis of nothing still needs a length; counts have no fractions. */
    const double least = unit == PV_SVG_COUNT ? (double)ticks : 1e-4;
    const double reached = isfinite(largest) && largest > least ? largest : least;
    const double step = round_up(reached / (double)ticks);
    return (pv_svg_axis){.max = step * ceil(reached / step - 1e-9),
                         .step = step,
                         .from = from,
                         .to = to,
                         .unit = unit};
}

double pv_i_svg_at(const pv_svg_axis *axis, double value)
{
    return axis->from + (axis->to - axis->from) * value / axis->max;
}

void pv_i_svg_value(pv_buffer *out, double value, pv_svg_unit unit)
{
    if (unit == PV_SVG_PERCENT) {
        pv_i_markup_percent(out, value);
    } else {
        pv_i_markup_figure(out, value);
    }
}

void pv_i_svg_axis_x(pv_buffer *out, const pv_svg_axis *axis, double top, double bottom)
{
    const size_t ticks = (size_t)lround(axis->max / axis->step);
    for (size_t i = 0; i <= ticks; i++) {
        const double value = axis->step * (double)i;
        const double x = pv_i_svg_at(axis, value);
        pv_i_svg_line(out, i == 0 ? "axis" : "grid", x, top, x, bottom);
        pv_i_svg_text_begin(out, "tick", PV_SVG_MIDDLE, x, bottom + 16);
        pv_i_svg_value(out, value, axis->unit);
        pv_i_svg_text_end(out);
    }
}

/* ------------------------------------------------------------------- bars */

enum {
    BAR = 13,      /* thickness */
    GROUP_GAP = 9, /* between categories */
    TOP = 4,
    BOTTOM = 26,     /* tick labels */
    VALUE_ROOM = 56, /* right of the longest bar */
    TICKS = 4
};

static double largest_of(const pv_svg_bars *bars)
{
    double largest = 0;
    for (size_t s = 0; s < bars->n_series; s++) {
        for (size_t c = 0; c < bars->n_categories; c++) {
            largest = fmax(largest, bars->series[s].values[c]);
        }
    }
    return largest;
}

static void draw_bar(pv_buffer *out, const pv_svg_bars *bars, const pv_svg_axis *axis,
                     const pv_svg_series *series, size_t category, double y)
{
    const double value = series->values[category];
    if (value < 0) {
        return;
    }
    /* What is not nothing must be seen: at least a hair. */
    const double width = pv_i_svg_at(axis, value) - axis->from;
    const double visible = value > 0 ? fmax(width, 1.5) : 0;
    if (visible > 0) {
        pv_i_svg_rect(out, series->class_name, (pv_svg_box){axis->from, y, visible, BAR}, 1.5);
    }
    pv_i_svg_text_begin(out, value > 0 ? "value" : "none", PV_SVG_START, axis->from + visible + 5,
                        y + BAR - 2.5);
    pv_i_svg_value(out, value, bars->unit);
    pv_i_svg_text_end(out);
}

static void draw_category(pv_buffer *out, const pv_svg_bars *bars, const pv_svg_axis *axis,
                          size_t category, double top)
{
    const double middle = top + BAR * (double)bars->n_series / 2;
    pv_i_svg_text(out, "name", PV_SVG_END, axis->from - 8, middle + 4, bars->categories[category]);
    for (size_t s = 0; s < bars->n_series; s++) {
        draw_bar(out, bars, axis, &bars->series[s], category, top + BAR * (double)s);
    }
}

void pv_i_svg_bars(pv_buffer *out, const pv_svg_bars *bars)
{
    const double group = BAR * (double)bars->n_series + GROUP_GAP;
    const double bottom = TOP + group * (double)bars->n_categories;
    const pv_svg_axis axis = pv_i_svg_axis(largest_of(bars), TICKS, bars->unit, bars->label_width,
                                           bars->width - VALUE_ROOM);
    pv_i_svg_begin(out, bars->width, bottom + BOTTOM, "chart", bars->title);
    pv_i_svg_axis_x(out, &axis, TOP, bottom);
    for (size_t c = 0; c < bars->n_categories; c++) {
        draw_category(out, bars, &axis, c, TOP + GROUP_GAP / 2.0 + group * (double)c);
    }
    pv_i_svg_end(out);
}

/* ----------------------------------------------------------------- small ones */

enum { METER_WIDTH = 120, METER_HEIGHT = 8, STEPS_WIDTH = 96, STEPS_HEIGHT = 10 };

void pv_i_svg_meter(pv_buffer *out, const char *class_name, double share, const char *title)
{
    const double filled = isfinite(share) ? METER_WIDTH * fmin(fmax(share, 0), 1) : 0;
    const double radius = METER_HEIGHT / 2.0;
    pv_i_svg_begin(out, METER_WIDTH, METER_HEIGHT, "meter", title);
    pv_i_svg_rect(out, "track", (pv_svg_box){0, 0, METER_WIDTH, METER_HEIGHT}, radius);
    if (filled > 0) {
        pv_i_svg_rect(out, class_name, (pv_svg_box){0, 0, fmax(filled, METER_HEIGHT), METER_HEIGHT},
                      radius);
    }
    pv_i_svg_end(out);
}

void pv_i_svg_steps(pv_buffer *out, unsigned level, unsigned height, const char *title)
{
    const double step = STEPS_WIDTH / (double)(height > 0 ? height : 1);
    const double gap = step > 6 ? 2 : 0; /* tall hierarchies melt into one bar */
    pv_i_svg_begin(out, STEPS_WIDTH, STEPS_HEIGHT, "steps", title);
    for (unsigned i = 0; i < height; i++) {
        pv_i_svg_rect(out, i < level ? "after" : "track",
                      (pv_svg_box){step * i, 0, step - gap, STEPS_HEIGHT}, gap > 0 ? 1.5 : 0);
    }
    pv_i_svg_end(out);
}
