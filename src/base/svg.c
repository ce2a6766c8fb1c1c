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

static void open_picture(pv_buffer *out, const char *name_space, double width, double height,
                         const char *class_name)
{
    pv_i_buffer_format(out, "<svg%s class=\"%s\" role=\"img\" viewBox=\"0 0 ", name_space,
                       class_name);
    pv_i_markup_short(out, width, 2);
    pv_i_buffer_char(out, ' ');
    pv_i_markup_short(out, height, 2);
    pv_i_buffer_char(out, '"');
    attribute(out, "width", width);
    attribute(out, "height", height);
    pv_i_buffer_char(out, '>');
}

static void picture_title(pv_buffer *out, const char *title)
{
    pv_i_buffer_text(out, "<title>");
    pv_i_markup_text(out, title);
    pv_i_buffer_text(out, "</title>");
}

void pv_i_svg_begin(pv_buffer *out, double width, double height, const char *class_name,
                    const char *title)
{
    open_picture(out, "", width, height, class_name);
    picture_title(out, title);
}

void pv_i_svg_file_begin(pv_buffer *out, double width, double height, const char *class_name,
                         const char *title, const char *const *style)
{
    pv_i_buffer_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    open_picture(out, " xmlns=\"http://www.w3.org/2000/svg\"", width, height, class_name);
    picture_title(out, title);
    pv_i_buffer_text(out, "<style>\n");
    for (; *style != NULL; style++) {
        pv_i_buffer_text(out, *style);
    }
    pv_i_buffer_text(out, "</style>\n");
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

void pv_i_svg_circle(pv_buffer *out, const char *class_name, double x, double y, double radius)
{
    pv_i_buffer_format(out, "<circle class=\"%s\"", class_name);
    attribute(out, "cx", x);
    attribute(out, "cy", y);
    attribute(out, "r", radius);
    pv_i_buffer_text(out, "/>");
}

static void corner(pv_buffer *out, char how, double x, double y)
{
    pv_i_buffer_char(out, how);
    pv_i_markup_short(out, x, 2);
    pv_i_buffer_char(out, ' ');
    pv_i_markup_short(out, y, 2);
}

void pv_i_svg_path_begin(pv_buffer *out, const char *class_name, double x, double y)
{
    pv_i_buffer_format(out, "<path class=\"%s\" d=\"", class_name);
    corner(out, 'M', x, y);
}

void pv_i_svg_path_to(pv_buffer *out, double x, double y)
{
    corner(out, 'L', x, y);
}

void pv_i_svg_path_end(pv_buffer *out)
{
    pv_i_buffer_text(out, "\"/>");
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

/* The largest power of ten that is at most `value` > 0. */
static double power_below(double value)
{
    double power = 1;
    while (power > value) {
        power /= 10;
    }
    while (power * 10 <= value) {
        power *= 10;
    }
    return power;
}

/* The smallest of 1, 2, 5, 10, 20, 50, ... (or their fractions) that is at least `value` > 0. */
static double round_up(double value)
{
    const double power = power_below(value);
    return value <= power       ? power
           : value <= 2 * power ? 2 * power
           : value <= 5 * power ? 5 * power
                                : 10 * power;
}

/* The largest of them that is at most `value` > 0. */
static double round_down(double value)
{
    const double power = power_below(value);
    return value >= 5 * power ? 5 * power : value >= 2 * power ? 2 * power : power;
}

pv_svg_axis pv_i_svg_axis(double largest, size_t ticks, pv_svg_unit unit, double from, double to)
{
    return pv_i_svg_range_axis(0, largest, ticks, unit, from, to);
}

pv_svg_axis pv_i_svg_range_axis(double smallest, double largest, size_t ticks, pv_svg_unit unit,
                                double from, double to)
{
    /* An axis of nothing still needs a length; counts have no fractions. */
    const double least = unit == PV_SVG_COUNT ? (double)ticks : 1e-4;
    const bool from_zero = !isfinite(smallest) || (smallest >= 0 && smallest <= largest / 2);
    const double low = from_zero ? 0 : smallest;
    const double length = isfinite(largest) && largest - low > least ? largest - low : least;
    const double step = round_up(length / (double)ticks);
    const double min = step * floor(low / step + 1e-9);
    return (pv_svg_axis){.min = min,
                         .max = min + step * ceil((low + length - min) / step - 1e-9),
                         .step = step,
                         .from = from,
                         .to = to,
                         .unit = unit};
}

pv_svg_axis pv_i_svg_log_axis(double smallest, double largest, size_t ticks, double from, double to)
{
    const double low = isfinite(smallest) && smallest > 0 ? round_down(smallest) : 1;
    const double high = isfinite(largest) && largest > low ? round_up(largest) : low * 10;
    return (pv_svg_axis){.min = low,
                         .max = high,
                         .step = 3 * log10(high / low) <= (double)ticks ? 3 : 1,
                         .from = from,
                         .to = to,
                         .unit = PV_SVG_NUMBER,
                         .logarithmic = true};
}

double pv_i_svg_at(const pv_svg_axis *axis, double value)
{
    const double share = axis->logarithmic
                             ? log(fmax(value, axis->min) / axis->min) / log(axis->max / axis->min)
                             : (value - axis->min) / (axis->max - axis->min);
    return axis->from + (axis->to - axis->from) * share;
}

static size_t linear_ticks(const pv_svg_axis *axis, double *values)
{
    const size_t n = (size_t)lround((axis->max - axis->min) / axis->step) + 1;
    const size_t shown = n < PV_SVG_MAX_TICKS ? n : PV_SVG_MAX_TICKS;
    for (size_t i = 0; i < shown; i++) {
        values[i] = axis->min + axis->step * (double)i;
    }
    return shown;
}

static size_t log_ticks(const pv_svg_axis *axis, double *values)
{
    static const double factors[] = {1, 2, 5};
    const double slack = 1 + 1e-9;
    size_t n = 0;
    for (double power = power_below(axis->min); power <= axis->max * slack; power *= 10) {
        for (size_t i = 0; i < (size_t)axis->step && n < PV_SVG_MAX_TICKS; i++) {
            const double value = factors[i] * power;
            if (value * slack >= axis->min && value <= axis->max * slack) {
                values[n++] = value;
            }
        }
    }
    return n;
}

size_t pv_i_svg_ticks(const pv_svg_axis *axis, double values[PV_SVG_MAX_TICKS])
{
    return axis->logarithmic ? log_ticks(axis, values) : linear_ticks(axis, values);
}

void pv_i_svg_value(pv_buffer *out, double value, pv_svg_unit unit)
{
    if (unit == PV_SVG_PERCENT) {
        pv_i_markup_percent(out, value);
    } else {
        pv_i_markup_figure(out, value);
    }
}

static void tick_label(pv_buffer *out, const pv_svg_axis *axis, pv_svg_anchor anchor, double x,
                       double y, double value)
{
    pv_i_svg_text_begin(out, "tick", anchor, x, y);
    pv_i_svg_value(out, value, axis->unit);
    pv_i_svg_text_end(out);
}

void pv_i_svg_axis_x(pv_buffer *out, const pv_svg_axis *axis, double top, double bottom)
{
    double values[PV_SVG_MAX_TICKS];
    const size_t n = pv_i_svg_ticks(axis, values);
    for (size_t i = 0; i < n; i++) {
        const double x = pv_i_svg_at(axis, values[i]);
        pv_i_svg_line(out, i == 0 ? "axis" : "grid", x, top, x, bottom);
        tick_label(out, axis, PV_SVG_MIDDLE, x, bottom + 16, values[i]);
    }
}

void pv_i_svg_axis_y(pv_buffer *out, const pv_svg_axis *axis, double left, double right)
{
    double values[PV_SVG_MAX_TICKS];
    const size_t n = pv_i_svg_ticks(axis, values);
    for (size_t i = 0; i < n; i++) {
        const double y = pv_i_svg_at(axis, values[i]);
        pv_i_svg_line(out, i == 0 ? "axis" : "grid", left, y, right, y);
        tick_label(out, axis, PV_SVG_END, left - 7, y + 4, values[i]);
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
