/* The front as a plot on a terminal: a canvas of signs, axes with round numbers around it. */
#include "front_plot.h"

#include "measured.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 2
#define HEIGHT 15
#define MOST_WIDTH 90
#define TICKS_Y 5
#define COLUMNS_PER_TICK 7

cli_sign cli_point_sign(const cli_found *found, size_t point)
{
    const char *const name = pv_suggestion_name(found->suggestions, found->n_suggestions, point);
    return name == NULL              ? CLI_POINT_SIGN
           : cli_equal(name, "knee") ? CLI_KNEE_SIGN
                                     : CLI_SUGGESTED_SIGN;
}

const char *cli_sign_text(const cli_report *report, cli_sign sign)
{
    static const char *const plain[] = {" ", "'", ".", "o", "@"};
    static const char *const signs[] = {" ", "\xc2\xb7", "\xe2\x80\xa2", "\xe2\x97\x87",
                                        "\xe2\x97\x86"};
    return report->utf8 ? signs[sign] : plain[sign];
}

typedef struct {
    const cli_report *report;
    const cli_found *found;
    size_t price; /* the objective of the vertical axis */
    pv_axis x, y;
    size_t margin; /* columns of the numbers at the left */
    size_t width;
    unsigned char *signs; /* HEIGHT rows from the top */
} canvas;

static size_t nearest_cell(double place, size_t cells)
{
    const double at = nearbyint(fmin(fmax(place, 0.0), 1.0) * (double)(cells - 1));
    return (size_t)at;
}

static size_t row_of(double place)
{
    return HEIGHT - 1 - nearest_cell(place, HEIGHT);
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

/* The more telling sign stays on top. */
static void put(canvas *c, size_t point, cli_sign sign)
{
    const double *const values = c->found->front->points[point].values;
    const size_t row = row_of(pv_axis_place(&c->y, values[c->price]));
    const size_t column = nearest_cell(pv_axis_place(&c->x, values[0]), c->width);
    unsigned char *const cell = &c->signs[row * c->width + column];
    *cell = sign > *cell ? (unsigned char)sign : *cell;
}

static bool is_cheaper(const canvas *c, size_t a, size_t b)
{
    const pv_front *const front = c->found->front;
    const double left = front->points[a].values[c->price];
    const double right = front->points[b].values[c->price];
    return front->objectives[c->price].measure->direction == PV_MORE_IS_BETTER ? left > right
                                                                               : left < right;
}

/* Of the points as good as the last of `n` in the first objective: the cheapest, and how many there
 * are before them. Points come by the first objective, best last. */
static size_t cheapest_of_last(const canvas *c, size_t n, size_t *before)
{
    const pv_point *const points = c->found->front->points;
    size_t cheapest = n - 1;
    size_t at = n - 1;
    while (at > 0 && fabs(points[at - 1].values[0] - points[n - 1].values[0]) <= 0.0) {
        at--;
        cheapest = is_cheaper(c, at, cheapest) ? at : cheapest;
    }
    *before = at;
    return cheapest;
}

/* With further objectives most points are beaten in these two: they are there, but faint. */
static void place_points(canvas *c)
{
    const size_t n = c->found->front->n_points;
    const bool all = c->found->front->n_objectives == 2;
    for (size_t i = 0; i < n; i++) {
        const cli_sign sign = cli_point_sign(c->found, i);
        put(c, i, all || sign != CLI_POINT_SIGN ? sign : CLI_BEATEN_SIGN);
    }
    size_t best = n; /* of those that are better in the first objective; at first there are none */
    for (size_t left = n; left > 0;) {
        const size_t cheapest = cheapest_of_last(c, left, &left);
        if (best == n || is_cheaper(c, cheapest, best)) {
            put(c, cheapest, CLI_POINT_SIGN);
            best = cheapest;
        }
    }
}

/* ------------------------------------------------------------------ print */

static char *axis_name(const canvas *c, size_t objective, const pv_axis *axis)
{
    const pv_measure_ref ref = c->found->front->objectives[objective];
    return cli_format("%s%s%s, %s is better", cli_measure_name(ref).text,
                      axis->as_share ? " as a share" : "", axis->logarithmic ? " (log)" : "",
                      ref.measure->direction == PV_MORE_IS_BETTER ? "more" : "less");
}

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

static void print_rows(const canvas *c)
{
    FILE *const out = c->report->out;
    const bool utf8 = c->report->utf8;
    for (size_t row = 0; row < HEIGHT; row++) {
        cli_number number;
        const char *const tick = tick_at_row(c, row, &number);
        const char *const stroke =
            tick != NULL ? (utf8 ? "\xe2\x94\xa4" : "+") : (utf8 ? "\xe2\x94\x82" : "|");
        size_t end = c->width;
        while (end > 0 && c->signs[row * c->width + end - 1] == CLI_NO_SIGN) {
            end--;
        }
        (void)fprintf(out, "%*s%*s %s", INDENT, "", (int)c->margin, tick != NULL ? tick : "",
                      stroke);
        for (size_t column = 0; column < end; column++) {
            (void)fputs(cli_sign_text(c->report, (cli_sign)c->signs[row * c->width + column]), out);
        }
        (void)fputc('\n', out);
    }
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

static void print_canvas(const canvas *c)
{
    char *const vertical = axis_name(c, c->price, &c->y);
    char *const horizontal = axis_name(c, 0, &c->x);
    const size_t right = INDENT + c->margin + 2 + c->width;
    (void)fprintf(c->report->out, "\n%*s%s\n", INDENT, "", vertical);
    print_rows(c);
    print_floor(c);
    print_numbers(c);
    (void)fprintf(c->report->out, "%*s\n", (int)right, horizontal);
    free(vertical);
    free(horizontal);
}

void cli_front_plot(const cli_report *report, const cli_found *found)
{
    canvas c = {.report = report, .found = found};
    if (found->front->n_points == 0) {
        return;
    }
    c.price = pv_front_price(found->front);
    pv_front_axis(found->front, found->opened->profile, c.price, TICKS_Y, &c.y);
    c.margin = widest_tick(report, &c.y);
    const size_t room = report->width - INDENT - c.margin - 4;
    c.width = room < MOST_WIDTH ? room : MOST_WIDTH;
    pv_front_axis(found->front, found->opened->profile, 0, c.width / COLUMNS_PER_TICK, &c.x);
    c.signs = cli_zeroed(HEIGHT, c.width);
    place_points(&c);
    print_canvas(&c);
    if (found->front->n_objectives > 2) {
        cli_paragraph(report, INDENT, "%s best in these two, %s better in another objective",
                      cli_sign_text(report, CLI_POINT_SIGN),
                      cli_sign_text(report, CLI_BEATEN_SIGN));
    }
    free(c.signs);
}
