/* A curve of risk against utility as a plot on a terminal. Risks that are never negative differ by
 * factors: their axis is logarithmic, and a risk of 0 is not drawn but counted. */
#include "core/canvas.h"
#include "disclose/disclose.h"

#include <math.h>

#define INDENT 2
#define HEIGHT 11

/* What a cell holds; both are one mark. */
typedef enum { NO_MARK = 0, MEAN_MARK = 1, WORST_MARK = 2, BOTH_MARK = 3 } mark;

static const char *mark_text(const cli_report *report, mark m)
{
    static const char *const plain[] = {" ", ".", "o", "@"};
    static const char *const signs[] = {" ", "\xe2\x80\xa2", "\xe2\x97\x87", "\xe2\x97\x88"};
    return report->utf8 ? signs[m] : plain[m];
}

/* ------------------------------------------------------------------- axes */

static void add_tick(pv_axis *axis, double shown)
{
    axis->ticks[axis->n_ticks++] = (pv_tick){.shown = shown, .place = pv_axis_place(axis, shown)};
}

/* 1, 2 or 5 times a power of ten, at least `step`. */
static double round_step(double step)
{
    const double power = pow(10.0, floor(log10(step)));
    const double digit = step / power;
    return power * (digit <= 1.0 ? 1.0 : digit <= 2.0 ? 2.0 : digit <= 5.0 ? 5.0 : 10.0);
}

static pv_axis linear_axis(double from, double to, double ticks, bool as_share)
{
    const double length = to > from ? to - from : 1.0;
    const double step = round_step(length / ticks);
    const double first = floor(from / step + 1e-9);
    const double last = ceil((from + length) / step - 1e-9);
    pv_axis axis = {
        .unit = 1.0, .from = first * step, .to = last * step, .as_share = as_share, .n_ticks = 0};
    for (double at = first; at <= last && axis.n_ticks < PV_MAX_TICKS; at++) {
        add_tick(&axis, at * step);
    }
    return axis;
}

/* Between powers of ten. */
static pv_axis factor_axis(double from, double to, double ticks)
{
    const double first = floor(log10(from) + 1e-9);
    const double last = fmax(ceil(log10(to) - 1e-9), first + 1.0);
    const double step = ceil((last - first) / ticks);
    pv_axis axis = {
        .unit = 1.0, .from = pow(10.0, first), .to = pow(10.0, last), .logarithmic = true};
    for (double at = last; at >= first && axis.n_ticks < PV_MAX_TICKS; at -= step) {
        add_tick(&axis, pow(10.0, at));
    }
    return axis;
}

static pv_axis risk_axis(const pv_risk_point *points, size_t n_points)
{
    double least = 0.0; /* of all, and of those above 0 */
    double least_above = (double)INFINITY;
    double most = 0.0;
    for (size_t i = 0; i < n_points; i++) {
        const double mean = points[i].mean;
        least = fmin(least, mean);
        least_above = mean > 0.0 ? fmin(least_above, mean) : least_above;
        most = fmax(most, points[i].most);
    }
    return least >= 0.0 && isfinite(least_above)
               ? factor_axis(least_above, most, CLI_CANVAS_TICKS)
               : linear_axis(least, most, CLI_CANVAS_TICKS, false);
}

static const char *text_of(const cli_report *report, unsigned char m)
{
    return mark_text(report, (mark)m);
}

/* A risk of 0 has no place on a logarithmic axis. */
static void put(const cli_canvas *c, double kept, double risk, mark m)
{
    if (!c->y.logarithmic || risk > 0.0) {
        *cli_canvas_cell(c, kept, risk) |= (unsigned char)m;
    }
}

void cli_risk_plot(const cli_report *report, const pv_risk_front *front, size_t curve)
{
    size_t n_points;
    const pv_risk_point *const points = pv_risk_front_points(front, curve, &n_points);
    const pv_axis y = risk_axis(points, n_points);
    cli_canvas c;
    cli_canvas_init(&c, report, &y, HEIGHT);
    c.x = linear_axis(0.0, 1.0, (double)cli_canvas_ticks(&c), true);
    size_t n_left_out = 0;
    for (size_t i = 0; i < n_points; i++) {
        const pv_risk_point *const point = &points[i];
        put(&c, point->kept, point->mean, MEAN_MARK);
        put(&c, point->kept, point->most, WORST_MARK);
        n_left_out += y.logarithmic && point->mean <= 0.0;
    }
    (void)fprintf(report->out, "\n%*srisk, model %s%s, less is better: %s mean, %s worst person\n",
                  INDENT, "", pv_risk_name(pv_risk_front_risk(front, curve)),
                  y.logarithmic ? " (log)" : "", mark_text(report, MEAN_MARK),
                  mark_text(report, WORST_MARK));
    cli_canvas_print(&c, text_of, "detail kept, mean over people; more is better");
    if (n_left_out > 0) {
        cli_paragraph(report, INDENT, "Not drawn: %zu with risk 0, which has no logarithm.",
                      n_left_out);
    }
    cli_canvas_deinit(&c);
}
