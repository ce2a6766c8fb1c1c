/* The plot of one curve: the mean as a line with a point for every share asked for, the worst as a
 * dashed one, both named where they end. Each model has units of its own, so each gets axes of its
 * own. */
#include "report/risk_chart.h"

#include "base/markup.h"

#include <math.h>
#include <stdint.h>

enum { TICK_ROOM_X = 60, TICK_ROOM_Y = 40, DOT = 4 };

typedef struct {
    const pv_risk_curve *curve;
    size_t number; /* of the curve */
    double letters;
    pv_svg_axis x, y;
} plot;

/* A hair above the power of ten, so that rounding does not find the next round number below it. */
static double power_below(double risk)
{
    return pow(10, floor(log10(risk))) * (1 + 1e-9);
}

/* Risks that are never negative differ by factors. */
static pv_svg_axis risk_axis(const pv_risk_curve *curve, size_t ticks, double from, double to)
{
    double least = 0; /* of all, and of those above 0 */
    double least_above = (double)INFINITY;
    double most = 0;
    for (size_t i = 0; i < curve->n_points; i++) {
        const double mean = curve->points[i].mean;
        least = fmin(least, mean);
        least_above = mean > 0 ? fmin(least_above, mean) : least_above;
        most = fmax(most, curve->points[i].most);
    }
    return least >= 0 && isfinite(least_above)
               ? pv_i_svg_log_axis(power_below(least_above), most, ticks, from, to)
               : pv_i_svg_range_axis(least, most, ticks, PV_SVG_NUMBER, from, to);
}

static double value_of(const pv_risk_point *point, bool worst)
{
    return worst ? point->most : point->mean;
}

/* A risk of 0 has no place on a logarithmic axis: the line begins after it, and is interrupted. */
static void draw_line(pv_buffer *out, const plot *p, const char *class_name, bool worst)
{
    const pv_risk_point *const points = p->curve->points;
    bool drawing = false;
    pv_i_buffer_format(out, "<g class=\"tell\"><title>%s</title>",
                       worst ? "the risk of the worst person" : "the mean risk of all people");
    for (size_t i = 0; i < p->curve->n_points; i++) {
        const double value = value_of(&points[i], worst);
        const double x = pv_i_svg_at(&p->x, points[i].kept);
        const double y = pv_i_svg_at(&p->y, value);
        if (!pv_i_svg_shows(&p->y, value)) {
            if (drawing) {
                pv_i_svg_path_end(out);
            }
            drawing = false;
        } else if (drawing) {
            pv_i_svg_path_to(out, x, y);
        } else {
            pv_i_svg_path_begin(out, class_name, x, y);
            drawing = true;
        }
    }
    if (drawing) {
        pv_i_svg_path_end(out);
    }
    pv_i_buffer_text(out, "</g>\n");
}

/* A point is easier to meet with the mouse than it is large, and says in words what it is. */
static void draw_point(pv_buffer *out, const plot *p, size_t index)
{
    const pv_risk_point *const point = &p->curve->points[index];
    const double x = pv_i_svg_at(&p->x, point->kept);
    const double y = pv_i_svg_at(&p->y, point->mean);
    pv_i_buffer_format(out,
                       "<g class=\"risk\" data-p=\"%zu-%zu\" tabindex=\"0\" "
                       "role=\"img\"><title>",
                       p->number, index);
    pv_i_markup_percent(out, point->asked);
    pv_i_buffer_text(out, " of the detail asked for, ");
    pv_i_markup_percent(out, point->kept);
    pv_i_buffer_text(out, " kept; mean risk ");
    pv_i_markup_figure(out, point->mean);
    pv_i_buffer_text(out, ", worst ");
    pv_i_markup_figure(out, point->most);
    pv_i_buffer_text(out, "</title>");
    pv_i_svg_circle(out, "hit", x, y, DOT * 2.5);
    pv_i_svg_circle(out, "dot", x, y, DOT);
    pv_i_buffer_text(out, "</g>\n");
}

static void draw_points(pv_buffer *out, const plot *p)
{
    for (size_t i = 0; i < p->curve->n_points; i++) {
        if (pv_i_svg_shows(&p->y, p->curve->points[i].mean)) {
            draw_point(out, p, i);
        }
    }
}

/* The last point of a line that is drawn; SIZE_MAX if there is none. */
static size_t end_of(const plot *p, bool worst)
{
    size_t end = SIZE_MAX;
    for (size_t i = 0; i < p->curve->n_points; i++) {
        end = pv_i_svg_shows(&p->y, value_of(&p->curve->points[i], worst)) ? i : end;
    }
    return end;
}

static const char *const end_names[] = {"mean", "worst"};

static void draw_ends(pv_buffer *out, const plot *p)
{
    double at[2];
    double places[2];
    for (size_t i = 0; i < 2; i++) {
        const size_t end = end_of(p, i == 1);
        if (end == SIZE_MAX) {
            return;
        }
        at[i] = pv_i_svg_at(&p->y, value_of(&p->curve->points[end], i == 1));
        places[i] = at[i];
    }
    const size_t shown =
        pv_i_svg_spread(places, 2, p->letters * 1.2, p->y.to + p->letters * 0.3, p->y.from);
    for (size_t i = 0; i < shown; i++) {
        const double x = pv_i_svg_at(&p->x, p->curve->points[end_of(p, i == 1)].kept);
        pv_i_svg_line(out, "leader", x + DOT + 2, at[i], p->x.to + 10, places[i]);
        pv_i_svg_text(out, "end", PV_SVG_START, p->x.to + 13, places[i] + p->letters * 0.33,
                      end_names[i]);
    }
}

static size_t count_at_zero(const plot *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->curve->n_points; i++) {
        n += !pv_i_svg_shows(&p->y, p->curve->points[i].mean);
    }
    return n;
}

static void draw_words(pv_buffer *out, const plot *p, pv_svg_box box)
{
    const double y = box.y + p->letters + 1;
    const size_t n = count_at_zero(p);
    pv_i_svg_text(out, "what", PV_SVG_START, box.x + 2, y,
                  p->y.logarithmic ? "risk, logarithmic (less is better)"
                                   : "risk (less is better)");
    pv_i_svg_text(out, "what", PV_SVG_END, p->x.to, box.y + box.height - 8,
                  "detail kept, mean over people (more is better)");
    if (n > 0) {
        pv_i_svg_text_begin(out, "what", PV_SVG_END, box.x + box.width - 2, y);
        pv_i_buffer_format(out, "not drawn: %zu with risk 0", n);
        pv_i_svg_text_end(out);
    }
}

void pv_i_risk_title(pv_buffer *out, const pv_risk_curve *curve)
{
    pv_i_buffer_format(out, "Model %s: ", pv_risk_name(curve->risk));
    pv_i_markup_text(out, pv_risk_summary(curve->risk));
}

void pv_i_risk_chart(pv_buffer *out, const pv_risk_curve *curve, size_t number, double letters,
                     pv_svg_box box)
{
    const double top = box.y + letters + 14;
    const double bottom = box.y + box.height - letters * 2.4 - 14;
    const double right = box.x + box.width - pv_i_svg_text_width("worst", letters * 1.1) - 16;
    plot p = {.curve = curve, .number = number, .letters = letters};
    p.y = risk_axis(curve, (size_t)((bottom - top) / TICK_ROOM_Y), bottom, top);
    p.y.letters = letters * PV_SVG_TICK_LETTERS;
    const double left = box.x + fmax(pv_i_svg_tick_room(out, &p.y), 30) + 4;
    p.x = pv_i_svg_axis(1, (size_t)((right - left) / TICK_ROOM_X), PV_SVG_PERCENT, left, right);
    p.x.letters = p.y.letters;
    pv_i_svg_axis_y(out, &p.y, p.x.from, p.x.to);
    pv_i_svg_axis_x(out, &p.x, p.y.to, p.y.from);
    draw_words(out, &p, box);
    if (curve->n_points == 0) {
        return;
    }
    draw_line(out, &p, "most", true);
    draw_line(out, &p, "mean", false);
    draw_ends(out, &p);
    draw_points(out, &p);
}
