/* The plot of one curve: the mean as a line with a point for every share asked for, the worst as a
 * dashed one. Each model has units of its own, so each gets axes of its own. */
#include "front/risk_chart.h"

#include "base/svg_markup.h"

#include <math.h>

enum { LEFT = 58, RIGHT = 22, TOP = 34, BOTTOM = 46, TICK_ROOM_X = 60, TICK_ROOM_Y = 45, DOT = 4 };

const char pv_i_risk_chart_style[] =
    ".mean{fill:none;stroke:var(--after);stroke-width:2}\n"
    ".most{fill:none;stroke:var(--before);stroke-width:1.5;stroke-dasharray:5 4}\n"
    ".risk circle{fill:var(--after);stroke:var(--card);stroke-width:1}\n"
    ".risk .hit{fill:transparent;stroke:none}\n"
    ".risk:hover .dot,.risk:focus .dot{stroke:var(--ink);stroke-width:3;paint-order:stroke}\n"
    ".risk{outline:none}.chart .what{fill:var(--soft)}\n";

typedef struct {
    const pv_risk_curve *curve;
    pv_svg_axis x, y;
} plot;

/* A hair above the power of ten, so that rounding does not find the next round number below it. */
static double power_below(double risk)
{
    return pow(10, floor(log10(risk))) * (1 + 1e-9);
}

/* Risks that are never negative differ by factors; whoever has none stands on the floor. */
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

static void draw_line(pv_buffer *out, const plot *p, const char *class_name, bool worst)
{
    const pv_risk_point *const points = p->curve->points;
    for (size_t i = 0; i < p->curve->n_points; i++) {
        const double x = pv_i_svg_at(&p->x, points[i].kept);
        const double y = pv_i_svg_at(&p->y, worst ? points[i].most : points[i].mean);
        if (i == 0) {
            pv_i_svg_path_begin(out, class_name, x, y);
        } else {
            pv_i_svg_path_to(out, x, y);
        }
    }
    pv_i_svg_path_end(out);
}

/* A point is easier to meet with the mouse than it is large, and says in words what it is. */
static void draw_point(pv_buffer *out, const plot *p, const pv_risk_point *point)
{
    const double x = pv_i_svg_at(&p->x, point->kept);
    const double y = pv_i_svg_at(&p->y, point->mean);
    pv_i_buffer_text(out, "<g class=\"risk\" tabindex=\"0\"><title>");
    pv_i_markup_percent(out, point->asked);
    pv_i_buffer_text(out, " of the detail asked for, ");
    pv_i_markup_percent(out, point->kept);
    pv_i_buffer_text(out, " kept: mean risk ");
    pv_i_markup_figure(out, point->mean);
    pv_i_buffer_text(out, ", worst ");
    pv_i_markup_figure(out, point->most);
    pv_i_buffer_text(out, "</title>");
    pv_i_svg_circle(out, "hit", x, y, DOT * 2.5);
    pv_i_svg_circle(out, "dot", x, y, DOT);
    pv_i_buffer_text(out, "</g>\n");
}

static void draw_legend(pv_buffer *out, const plot *p, pv_svg_box box)
{
    const double y = box.y + 14;
    const double right = p->x.to;
    pv_i_svg_text(out, "what", PV_SVG_START, box.x + 2, y,
                  p->y.logarithmic ? "risk, logarithmic (less is better)"
                                   : "risk (less is better)");
    pv_i_svg_line(out, "mean", right - 202, y - 4, right - 178, y - 4);
    pv_i_svg_text(out, "what", PV_SVG_START, right - 172, y, "mean");
    pv_i_svg_line(out, "most", right - 120, y - 4, right - 96, y - 4);
    pv_i_svg_text(out, "what", PV_SVG_START, right - 90, y, "worst person");
    pv_i_svg_text(out, "what", PV_SVG_END, right, box.y + box.height - 8,
                  "detail kept, mean over people (more is better)");
}

void pv_i_risk_title(pv_buffer *out, const pv_risk_curve *curve)
{
    pv_i_buffer_format(out, "Model %s: ", pv_risk_name(curve->risk));
    pv_i_markup_text(out, pv_risk_summary(curve->risk));
}

void pv_i_risk_chart(pv_buffer *out, const pv_risk_curve *curve, pv_svg_box box)
{
    const double width = box.width - LEFT - RIGHT;
    const double height = box.height - TOP - BOTTOM;
    plot p = {.curve = curve};
    p.x = pv_i_svg_axis(1, (size_t)(width / TICK_ROOM_X), PV_SVG_PERCENT, box.x + LEFT,
                        box.x + LEFT + width);
    p.y = risk_axis(curve, (size_t)(height / TICK_ROOM_Y), box.y + TOP + height, box.y + TOP);
    pv_i_svg_axis_y(out, &p.y, p.x.from, p.x.to);
    pv_i_svg_axis_x(out, &p.x, p.y.to, p.y.from);
    draw_legend(out, &p, box);
    if (curve->n_points == 0) {
        return;
    }
    draw_line(out, &p, "most", true);
    draw_line(out, &p, "mean", false);
    for (size_t i = 0; i < curve->n_points; i++) {
        draw_point(out, &p, &curve->points[i]);
    }
}
