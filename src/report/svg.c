/* Small pictures in SVG: shapes, labels that never touch, bars. Axes are in svg_axis.c.
 *
 * Everything is written straight into the page's buffer, front to back; there is no tree of
 * elements, because nothing that was drawn is ever looked at again. What must be known before it is
 * drawn (how wide a number will be, where a label fits) is estimated from the text. */
#include "report/svg.h"

#include "base/markup.h"

#include <math.h>
#include <string.h>

/* Pixels, to the hundredth: finer than any screen, and half as long as all digits. */
#define PX(x) PV_SHORT(x, 2)

/* ----------------------------------------------------------------- shapes */

static void open_picture(pv_buffer *out, const char *name_space, double width, double height,
                         const char *class_name, const char *title)
{
    pv_i_buffer_format(out,
                       "<svg%s class=\"%s\" role=\"img\" viewBox=\"0 0 %s %s\" width=\"%s\" "
                       "height=\"%s\"><title>",
                       name_space, class_name, PX(width), PX(height), PX(width), PX(height));
    pv_i_markup_between(out, "", title, "</title>");
}

void pv_i_svg_begin(pv_buffer *out, double width, double height, const char *class_name,
                    const char *title)
{
    open_picture(out, "", width, height, class_name, title);
}

void pv_i_svg_file_begin(pv_buffer *out, double width, double height, const char *class_name,
                         const char *title, const pv_asset *const *style)
{
    pv_i_buffer_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    open_picture(out, " xmlns=\"http://www.w3.org/2000/svg\"", width, height, class_name, title);
    pv_i_buffer_text(out, "<style>\n");
    for (; *style != NULL; style++) {
        pv_i_buffer_asset(out, *style);
    }
    pv_i_buffer_text(out, "</style>\n");
}

void pv_i_svg_end(pv_buffer *out)
{
    pv_i_buffer_text(out, "</svg>\n");
}

void pv_i_svg_rect(pv_buffer *out, const char *class_name, pv_svg_box box, double radius)
{
    pv_i_buffer_format(out, "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"",
                       class_name, PX(box.x), PX(box.y), PX(box.width), PX(box.height));
    if (radius > 0) {
        pv_i_buffer_format(out, " rx=\"%s\"", PX(radius));
    }
    pv_i_buffer_text(out, "/>");
}

void pv_i_svg_line(pv_buffer *out, const char *class_name, double x1, double y1, double x2,
                   double y2)
{
    pv_i_buffer_format(out, "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>",
                       class_name, PX(x1), PX(y1), PX(x2), PX(y2));
}

void pv_i_svg_circle(pv_buffer *out, const char *class_name, double x, double y, double radius)
{
    pv_i_buffer_format(out, "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>", class_name,
                       PX(x), PX(y), PX(radius));
}

void pv_i_svg_path_begin(pv_buffer *out, const char *class_name, double x, double y)
{
    pv_i_buffer_format(out, "<path class=\"%s\" d=\"M%s %s", class_name, PX(x), PX(y));
}

void pv_i_svg_path_to(pv_buffer *out, double x, double y)
{
    pv_i_buffer_format(out, "L%s %s", PX(x), PX(y));
}

void pv_i_svg_path_end(pv_buffer *out)
{
    pv_i_buffer_text(out, "\"/>");
}

void pv_i_svg_text_begin(pv_buffer *out, const char *class_name, pv_svg_anchor anchor, double x,
                         double y)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    pv_i_buffer_format(out, "<text class=\"%s\" text-anchor=\"%s\" x=\"%s\" y=\"%s\">", class_name,
                       anchors[anchor], PX(x), PX(y));
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

/* ------------------------------------------------------------------ widths */

/* The fonts of readers differ; these are the widths of a wide one (DejaVu Sans), in heights. */
static double letter_width(unsigned char c)
{
    if (strchr("iljI.,:;|!'()[]tfr ", c) != NULL) {
        return 0.42;
    }
    return strchr("mwMW%@", c) != NULL ? 0.98 : c >= 'A' && c <= 'Z' ? 0.75 : 0.65;
}

/* Of a character beyond ASCII the first byte counts: those of two bytes are Greek, Cyrillic and the
 * like, those of three and four may be as wide as they are high. */
double pv_i_svg_text_width(const char *text, double letters)
{
    double width = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        width += *at < 0x80 ? letter_width(*at) : *at >= 0xe0 ? 1.05 : *at >= 0xc0 ? 0.8 : 0;
    }
    return width * letters;
}

bool pv_i_svg_touch(pv_svg_box a, pv_svg_box b)
{
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

/* ------------------------------------------------------------------ places */

enum { RINGS = 6, SIDES = 8, PADDING = 2 };

/* To be one ring farther away is as bad as to cover nearly one thing more. */
#define FARTHER 0.9

/* Around a point, in steps of 45 degrees from the side where space is likely: beside and above (or
 * below) it, beside it, above it, and so on around; every ring is farther away. */
static pv_svg_box candidate(const pv_svg_label *label, size_t ring, size_t side)
{
    static const int beside[SIDES] = {1, 1, 0, 1, -1, -1, 0, -1};
    static const int above[SIDES] = {1, 0, 1, -1, 1, 0, -1, -1};
    const double width = pv_i_svg_text_width(label->text, label->letters) + PADDING * 2;
    const double height = label->letters * 1.2;
    const double away = label->away + (double)ring * height;
    const int x = beside[side] * (label->left ? -1 : 1);
    const int y = above[side] * (label->up ? -1 : 1);
    const double diagonal = x != 0 && y != 0 ? 0.6 : 1;
    return (pv_svg_box){.x = label->x + away * diagonal * x +
                             (x > 0   ? 0
                              : x < 0 ? -width
                                      : -width / 2),
                        .y = label->y + away * diagonal * y +
                             (y > 0   ? 0
                              : y < 0 ? -height
                                      : -height / 2),
                        .width = width,
                        .height = height};
}

static bool is_inside(pv_svg_box box, pv_svg_box within)
{
    return box.x >= within.x && box.y >= within.y && box.x + box.width <= within.x + within.width &&
           box.y + box.height <= within.y + within.height;
}

static bool is_free(const pv_svg_label *labels, size_t n, pv_svg_box box)
{
    for (size_t i = 0; i < n; i++) {
        if (labels[i].placed && pv_i_svg_touch(labels[i].box, box)) {
            return false;
        }
    }
    return true;
}

/* `labels[n]`, after the n before it have their places. */
static void place_label(pv_svg_label *labels, size_t n, pv_svg_box within, pv_svg_covers covers,
                        const void *context)
{
    pv_svg_label *const label = &labels[n];
    double least = (double)INFINITY;
    label->placed = false;
    for (size_t ring = 0; ring < RINGS && least > FARTHER * (double)ring; ring++) {
        for (size_t side = 0; side < SIDES; side++) {
            const pv_svg_box box = candidate(label, ring, side);
            if (!is_inside(box, within) || !is_free(labels, n, box)) {
                continue;
            }
            const double cost =
                (covers != NULL ? covers(context, box) : 0) + FARTHER * (double)ring;
            if (cost < least) {
                least = cost;
                label->box = box;
                label->placed = true;
                label->moved = ring > 0;
            }
        }
    }
}

void pv_i_svg_place_labels(pv_svg_label *labels, size_t n, pv_svg_box within, pv_svg_covers covers,
                           const void *context)
{
    for (size_t i = 0; i < n; i++) {
        place_label(labels, i, within, covers, context);
    }
}

void pv_i_svg_label(pv_buffer *out, const char *class_name, const pv_svg_label *label)
{
    if (!label->placed) {
        return;
    }
    const pv_svg_box box = label->box;
    if (label->moved) { /* a line from the point to the nearest place at the edge of its text */
        pv_i_svg_line(out, "leader", label->x, label->y,
                      fmin(fmax(label->x, box.x), box.x + box.width),
                      fmin(fmax(label->y, box.y), box.y + box.height));
    }
    /* Towards the point the text ends where its box does, however narrow the reader's font is. */
    const double middle = box.x + box.width / 2;
    const pv_svg_anchor anchor = box.x >= label->x               ? PV_SVG_START
                                 : box.x + box.width <= label->x ? PV_SVG_END
                                                                 : PV_SVG_MIDDLE;
    const double x = anchor == PV_SVG_START ? box.x + PADDING
                     : anchor == PV_SVG_END ? box.x + box.width - PADDING
                                            : middle;
    pv_i_svg_text(out, class_name, anchor, x, box.y + label->letters * 0.95, label->text);
}

/* -------------------------------------------------------------------- ends */

size_t pv_i_svg_spread(double *places, size_t n, double apart, double least, double most)
{
    size_t order[PV_SVG_MAX_SPREAD]; /* from the least */
    const double fit = most >= least ? floor((most - least) / apart + 1e-9) + 1 : 0;
    const size_t can = fit < (double)PV_SVG_MAX_SPREAD ? (size_t)fit : PV_SVG_MAX_SPREAD;
    const size_t shown = n < can ? n : can;
    for (size_t i = 0; i < shown; i++) {
        size_t at = i;
        for (; at > 0 && places[order[at - 1]] > places[i]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    for (size_t i = 0; i < shown; i++) { /* away from the one before */
        const double free = i > 0 ? places[order[i - 1]] + apart : least;
        places[order[i]] = fmax(places[order[i]], free);
    }
    for (size_t i = 0; i < shown; i++) { /* and not beyond the end, with those that follow */
        const double after = apart * (double)(shown - 1 - i);
        places[order[i]] = fmin(places[order[i]], most - after);
    }
    return shown;
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

void pv_i_svg_bars(pv_buffer *out, const pv_svg_bars *bars)
{
    const double group = BAR * (double)bars->n_series + GROUP_GAP;
    const double bottom = TOP + group * (double)bars->n_categories;
    double largest = 0;
    for (size_t s = 0; s < bars->n_series; s++) {
        for (size_t c = 0; c < bars->n_categories; c++) {
            largest = fmax(largest, bars->series[s].values[c]);
        }
    }
    const pv_svg_axis axis =
        pv_i_svg_axis(largest, TICKS, bars->unit, bars->label_width, bars->width - VALUE_ROOM);
    pv_i_svg_begin(out, bars->width, bottom + BOTTOM, "chart", bars->title);
    pv_i_svg_axis_x(out, &axis, TOP, bottom);
    for (size_t c = 0; c < bars->n_categories; c++) {
        const double top = TOP + GROUP_GAP / 2.0 + group * (double)c;
        const double middle = top + BAR * (double)bars->n_series / 2;
        pv_i_svg_text(out, "name", PV_SVG_END, axis.from - 8, middle + 4, bars->categories[c]);
        for (size_t s = 0; s < bars->n_series; s++) {
            draw_bar(out, bars, &axis, &bars->series[s], c, top + BAR * (double)s);
        }
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
