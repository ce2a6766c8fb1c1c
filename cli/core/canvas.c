/* Plots on a terminal: a canvas of `height` rows and `width` columns of marks, the numbers of the
 * vertical axis in a margin of their own, those of the horizontal one below their ticks.
 *
 *       100% +      *            a tick in the row nearest to its place
 *            |   *     o
 *         0% +__________
 *            +--+--+--+-/        a broken axis ends in a cell for all that lies far outside
 *            1  2  5  10
 *                     name */
#include "core/canvas.h"

#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 2
#define MOST_WIDTH 90
#define COLUMNS_PER_TICK 7

/* ------------------------------------------------------------------- cells */

static size_t nearest_cell(double place, size_t cells)
{
    const double at = nearbyint(fmin(fmax(place, 0.0), 1.0) * (double)(cells - 1));
    return (size_t)at;
}

static size_t row_of(const cli_canvas *c, double place)
{
    return c->height - 1 - nearest_cell(place, c->height);
}

unsigned char *cli_canvas_cell(const cli_canvas *canvas, double x, double y)
{
    const size_t row = row_of(canvas, pv_axis_place(&canvas->y, y));
    const size_t column = nearest_cell(pv_axis_place(&canvas->x, x), canvas->width);
    return &canvas->marks[row * canvas->width + column];
}

/* ------------------------------------------------------------------ set up */

static cli_number tick_text(const pv_axis *axis, const pv_tick *tick)
{
    cli_number number;
    if (!axis->as_share) {
        return cli_value_text(tick->shown);
    }
    (void)snprintf(number.text, sizeof number.text, "%.6g%%", tick->shown * 100.0);
    return number;
}

void cli_canvas_init(cli_canvas *canvas, const cli_report *report, const pv_axis *y, size_t height)
{
    *canvas = (cli_canvas){.report = report, .y = *y, .height = height};
    for (size_t i = 0; i < y->n_ticks; i++) {
        const size_t width = cli_width(report, tick_text(y, &y->ticks[i]).text);
        canvas->margin = width > canvas->margin ? width : canvas->margin;
    }
    const size_t most = report->width - INDENT - canvas->margin - 4;
    canvas->width = most < MOST_WIDTH ? most : MOST_WIDTH;
    canvas->marks = cli_zeroed(height, canvas->width);
}

size_t cli_canvas_ticks(const cli_canvas *canvas)
{
    return canvas->width / COLUMNS_PER_TICK;
}

void cli_canvas_deinit(cli_canvas *canvas)
{
    free(canvas->marks);
    *canvas = (cli_canvas){0};
}

/* ------------------------------------------------------------------- print */

typedef const char *(*mark_text)(const cli_report *report, unsigned char mark);

/* Is this row, or column, the piece of a broken axis that is for what lies far outside? */
static bool is_beyond(const pv_axis *axis, size_t cell, size_t cells)
{
    return (axis->broken_low && cell == 0) || (axis->broken_high && cell == cells - 1);
}

static const char *stroke_of(const cli_report *report, bool beyond, bool tick, const char *ticked,
                             const char *plain, const char *ascii)
{
    return beyond ? (report->utf8 ? "\xe2\x95\xb1" : "/")
           : tick ? (report->utf8 ? ticked : "+")
                  : (report->utf8 ? plain : ascii);
}

static void print_row(const cli_canvas *c, size_t row, mark_text text)
{
    FILE *const out = c->report->out;
    const unsigned char *const marks = c->marks + row * c->width;
    cli_number tick = {""};
    for (size_t i = c->y.n_ticks; i-- > 0;) {
        if (row_of(c, c->y.ticks[i].place) == row) {
            tick = tick_text(&c->y, &c->y.ticks[i]);
        }
    }
    const char *const stroke =
        stroke_of(c->report, is_beyond(&c->y, c->height - 1 - row, c->height), tick.text[0] != '\0',
                  "\xe2\x94\xa4", "\xe2\x94\x82", "|");
    size_t end = c->width;
    while (end > 0 && marks[end - 1] == 0) {
        end--;
    }
    (void)fprintf(out, "%*s%*s %s", INDENT, "", (int)c->margin, tick.text, stroke);
    for (size_t column = 0; column < end; column++) {
        (void)fputs(text(c->report, marks[column]), out);
    }
    (void)fputc('\n', out);
}

static void print_floor(const cli_canvas *c)
{
    FILE *const out = c->report->out;
    (void)fprintf(out, "%*s%*s %s", INDENT, "", (int)c->margin, "",
                  c->report->utf8 ? "\xe2\x94\x94" : "+");
    for (size_t column = 0; column < c->width; column++) {
        bool tick = false;
        for (size_t i = 0; i < c->x.n_ticks; i++) {
            tick = tick || nearest_cell(c->x.ticks[i].place, c->width) == column;
        }
        (void)fputs(stroke_of(c->report, is_beyond(&c->x, column, c->width), tick, "\xe2\x94\xac",
                              "\xe2\x94\x80", "-"),
                    out);
    }
    (void)fputc('\n', out);
}

/* Numbers centred below their ticks; one that would touch the one before is left out. */
static void print_numbers(const cli_canvas *c)
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

void cli_canvas_print(const cli_canvas *canvas, mark_text text, const char *horizontal)
{
    const size_t right = INDENT + canvas->margin + 2 + canvas->width;
    for (size_t row = 0; row < canvas->height; row++) {
        print_row(canvas, row, text);
    }
    print_floor(canvas);
    print_numbers(canvas);
    (void)fprintf(canvas->report->out, "%*s\n", (int)right, horizontal);
}
