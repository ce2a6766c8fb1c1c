/* A curve of risk against utility as a plot on a terminal. Risks that are never negative differ by
 * factors: their axis is logarithmic, and whoever has none stands on its floor. */
#include "disclose_plot.h"

#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 2
#define HEIGHT 11
#define MOST_WIDTH 90
#define COLUMNS_PER_TICK 7
#define TICKS_Y 5

/* What a cell holds; both are one mark. */
typedef enum { NO_MARK = 0, MEAN_MARK = 1, WORST_MARK = 2, BOTH_MARK = 3 } mark;

static const char *mark_text(const cli_report *report, mark m)
{
    static const char *const plain[] = {" ", ".", "o", "@"};
    static const char *const signs[] = {" ", "\xe2\x80\xa2", "\xe2\x97\x87", "\xe2\x97\x88"};
    return report->utf8 ? signs[m] : plain[m];
}

typedef struct {
    const cli_report *report;
    pv_axis x, y;
    size_t margin; /* columns of the numbers at the left */
    size_t width;
    unsigned char *marks; /* HEIGHT rows from the top */
} canvas;

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

static pv_axis risk_axis(const pv_risk_curve *curve)
{
    double least = 0.0; /* of all, and of those above 0 */
    double least_above = (double)INFINITY;
    double most = 0.0;
    for (size_t i = 0; i < curve->n_points; i++) {
        const double mean = curve->points[i].mean;
        least = fmin(least, mean);
        least_above = mean > 0.0 ? fmin(least_above, mean) : least_above;
        most = fmax(most, curve->points[i].most);
    }
    return least >= 0.0 && isfinite(least_above) ? factor_axis(least_above, most, TICKS_Y)
                                                 : linear_axis(least, most, TICKS_Y, false);
}

static cli_number tick_text(const pv_axis *axis, const pv_tick *tick)
{
    cli_number number;
    if (!axis->as_share) {
        return cli_value_text(tick->shown);
    }
    (void)snprintf(number.text, sizeof number.text, "%.6g%%", tick->shown * 100.0);
    return number;
}

static size_t widest_tick(const cli_report *report, const pv_axis *axis)
{
    size_t widest = 0;
    for (size_t i = 0; i < axis->n_ticks; i++) {
        const size_t width = cli_width(report, tick_text(axis, &axis->ticks[i]).text);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* ----------------------------------------------------------------- canvas */

static size_t nearest_cell(double place, size_t cells)
{
    const double at = nearbyint(fmin(fmax(place, 0.0), 1.0) * (double)(cells - 1));
    return (size_t)at;
}

static size_t row_of(double place)
{
    return HEIGHT - 1 - nearest_cell(place, HEIGHT);
}

static void put(canvas *c, double x, double y, mark m)
{
    const size_t row = row_of(pv_axis_place(&c->y, y));
    const size_t column = nearest_cell(pv_axis_place(&c->x, x), c->width);
    c->marks[row * c->width + column] |= (unsigned char)m;
}

/* ------------------------------------------------------------------ print */

static const char *tick_at_row(const canvas *c, size_t row, cli_number *number)
{
    for (size_t i = 0; i < c->y.n_ticks; i++) {
        if (row_of(c->y.ticks[i].place) == row) {
            *number = tick_text(&c->y, &c->y.ticks[i]);
            return number->text;
        }
    }
    return NULL;
}

static void print_row(const canvas *c, size_t row)
{
    FILE *const out = c->report->out;
    const bool utf8 = c->report->utf8;
    const unsigned char *const marks = c->marks + row * c->width;
    cli_number number;
    const char *const tick = tick_at_row(c, row, &number);
    const char *const stroke =
        tick != NULL ? (utf8 ? "\xe2\x94\xa4" : "+") : (utf8 ? "\xe2\x94\x82" : "|");
    size_t end = c->width;
    while (end > 0 && marks[end - 1] == NO_MARK) {
        end--;
    }
    (void)fprintf(out, "%*s%*s %s", INDENT, "", (int)c->margin, tick != NULL ? tick : "", stroke);
    for (size_t column = 0; column < end; column++) {
        (void)fputs(mark_text(c->report, (mark)marks[column]), out);
    }
    (void)fputc('\n', out);
}

static bool is_tick_column(const canvas *c, size_t column)
{
    for (size_t i = 0; i < c->x.n_ticks; i++) {
        if (nearest_cell(c->x.ticks[i].place, c->width) == column) {
            return true;
        }
    }
    return false;
}

static void print_floor(const canvas *c)
{
    FILE *const out = c->report->out;
    const bool utf8 = c->report->utf8;
    (void)fprintf(out, "%*s%*s %s", INDENT, "", (int)c->margin, "", utf8 ? "\xe2\x94\x94" : "+");
    for (size_t column = 0; column < c->width; column++) {
        const bool tick = is_tick_column(c, column);
        (void)fputs(tick ? (utf8 ? "\xe2\x94\xac" : "+") : utf8 ? "\xe2\x94\x80" : "-", out);
    }
    (void)fputc('\n', out);
}

/* Numbers centred below their ticks; one that would touch the one before is left out. */
static void print_numbers(const canvas *c)
{
    const size_t start = INDENT + c->margin + 2;
    size_t used = 0;
    for (size_t i = 0; i < c->x.n_ticks; i++) {
        const cli_number number = tick_text(&c->x, &c->x.ticks[i]);
        const size_t width = strlen(number.text);
        const size_t middle = start + nearest_cell(c->x.ticks[i].place, c->width);
        const size_t at = middle > width / 2 ? middle - width / 2 : 0;
        if (at > used && at + width <= c->report->width) {
            (void)fprintf(c->report->out, "%*s%s", (int)(at - used), "", number.text);
            used = at + width;
        }
    }
    cli_blank(c->report);
}

static void print_canvas(const canvas *c, const pv_risk_curve *curve)
{
    const cli_report *const report = c->report;
    const size_t right = INDENT + c->margin + 2 + c->width;
    (void)fprintf(report->out, "\n%*srisk, model %s%s, less is better: %s mean, %s worst person\n",
                  INDENT, "", pv_risk_name(curve->risk), c->y.logarithmic ? " (log)" : "",
                  mark_text(report, MEAN_MARK), mark_text(report, WORST_MARK));
    for (size_t row = 0; row < HEIGHT; row++) {
        print_row(c, row);
    }
    print_floor(c);
    print_numbers(c);
    (void)fprintf(report->out, "%*s\n", (int)right,
                  "detail kept, mean over people; more is better");
}

void cli_risk_plot(const cli_report *report, const pv_risk_curve *curve)
{
    canvas c = {.report = report, .y = risk_axis(curve)};
    c.margin = widest_tick(report, &c.y);
    const size_t room = report->width - INDENT - c.margin - 4;
    c.width = room < MOST_WIDTH ? room : MOST_WIDTH;
    c.x = linear_axis(0.0, 1.0, (double)(c.width / COLUMNS_PER_TICK), true);
    c.marks = cli_zeroed(HEIGHT, c.width);
    for (size_t i = 0; i < curve->n_points; i++) {
        put(&c, curve->points[i].kept, curve->points[i].mean, MEAN_MARK);
        put(&c, curve->points[i].kept, curve->points[i].most, WORST_MARK);
    }
    print_canvas(&c, curve);
    free(c.marks);
}
