/* Labels that never touch: names beside points, and names of curves at their ends. */
#include "report/svg.h"

#include "base/markup.h"

#include <math.h>
#include <string.h>

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

/* Around a point, in steps of 45 degrees from the side where room is likely: beside and above (or
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

/* From the point to the nearest place at the edge of its text. */
static void leader(pv_buffer *out, const pv_svg_label *label)
{
    const pv_svg_box box = label->box;
    const double x = fmin(fmax(label->x, box.x), box.x + box.width);
    const double y = fmin(fmax(label->y, box.y), box.y + box.height);
    pv_i_svg_line(out, "leader", label->x, label->y, x, y);
}

void pv_i_svg_label(pv_buffer *out, const char *class_name, const pv_svg_label *label)
{
    if (!label->placed) {
        return;
    }
    if (label->moved) {
        leader(out, label);
    }
    /* Towards the point the text ends where its box does, however narrow the reader's font is. */
    const pv_svg_box box = label->box;
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

size_t pv_i_svg_spread(double *places, size_t n, double room, double least, double most)
{
    size_t order[PV_SVG_MAX_SPREAD]; /* from the least */
    const double fit = most >= least ? floor((most - least) / room + 1e-9) + 1 : 0;
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
        const double free = i > 0 ? places[order[i - 1]] + room : least;
        places[order[i]] = fmax(places[order[i]], free);
    }
    for (size_t i = 0; i < shown; i++) { /* and not beyond the end, with those that follow */
        const double after = room * (double)(shown - 1 - i);
        places[order[i]] = fmin(places[order[i]], most - after);
    }
    return shown;
}
