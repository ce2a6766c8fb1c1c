/* The front as a plot on a terminal: a canvas of signs, axes with round numbers around it. */
#include "front/plot.h"

#include "core/canvas.h"
#include "core/measured.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>

#define INDENT 2
#define HEIGHT 15

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
    cli_canvas canvas;
    const cli_found *found;
    size_t price; /* the objective of the vertical axis */
} plot;

/* The more telling sign stays on top. */
static void put(const plot *p, size_t point, cli_sign sign)
{
    const double *const values = pv_front_values(p->found->front, point, NULL);
    unsigned char *const cell = cli_canvas_cell(&p->canvas, values[0], values[p->price]);
    *cell = sign > *cell ? (unsigned char)sign : *cell;
}

static bool is_cheaper(const plot *p, size_t a, size_t b)
{
    const pv_front *const front = p->found->front;
    const double left = pv_front_values(front, a, NULL)[p->price];
    const double right = pv_front_values(front, b, NULL)[p->price];
    return pv_front_objectives(front)[p->price].measure->direction == PV_MORE_IS_BETTER
               ? left > right
               : left < right;
}

/* Of the points as good as the last of `n` in the first objective: the cheapest, and how many there
 * are before them. Points come by the first objective, best last. */
static size_t cheapest_of_last(const plot *p, size_t n, size_t *before)
{
    const pv_front *const front = p->found->front;
    const double first = pv_front_values(front, n - 1, NULL)[0];
    size_t cheapest = n - 1;
    size_t at = n - 1;
    while (at > 0 && fabs(pv_front_values(front, at - 1, NULL)[0] - first) <= 0.0) {
        at--;
        cheapest = is_cheaper(p, at, cheapest) ? at : cheapest;
    }
    *before = at;
    return cheapest;
}

/* With further objectives most points are beaten in these two: they are there, but faint. */
static void place_points(plot *p)
{
    const size_t n = pv_front_n_points(p->found->front);
    const bool all = pv_front_n_objectives(p->found->front) == 2;
    for (size_t i = 0; i < n; i++) {
        const cli_sign sign = cli_point_sign(p->found, i);
        put(p, i, all || sign != CLI_POINT_SIGN ? sign : CLI_BEATEN_SIGN);
    }
    size_t best = n; /* of those that are better in the first objective; at first there are none */
    for (size_t left = n; left > 0;) {
        const size_t cheapest = cheapest_of_last(p, left, &left);
        if (best == n || is_cheaper(p, cheapest, best)) {
            put(p, cheapest, CLI_POINT_SIGN);
            best = cheapest;
        }
    }
}

/* ------------------------------------------------------------------ print */

static char *axis_name(const plot *p, size_t objective, const pv_axis *axis)
{
    const pv_measure_ref ref = pv_front_objectives(p->found->front)[objective];
    return cli_format("%s%s%s, %s is better%s", cli_measure_title(ref).text,
                      axis->as_share ? " as a share" : "", axis->logarithmic ? " (log)" : "",
                      ref.measure->direction == PV_MORE_IS_BETTER ? "more" : "less",
                      axis->broken_low || axis->broken_high ? ", axis broken" : "");
}

static const char *mark_text(const cli_report *report, unsigned char mark)
{
    return cli_sign_text(report, (cli_sign)mark);
}

static void print_plot(const plot *p)
{
    char *const vertical = axis_name(p, p->price, &p->canvas.y);
    char *const horizontal = axis_name(p, 0, &p->canvas.x);
    (void)fprintf(p->canvas.report->out, "\n%*s%s\n", INDENT, "", vertical);
    cli_canvas_print(&p->canvas, mark_text, horizontal);
    free(vertical);
    free(horizontal);
}

void cli_front_plot(const cli_report *report, const cli_found *found)
{
    plot p = {.found = found};
    pv_axis y;
    if (pv_front_n_points(found->front) == 0) {
        return;
    }
    p.price = pv_front_price(found->front);
    pv_front_axis(found->front, found->opened->profile, p.price, CLI_CANVAS_TICKS, &y);
    cli_canvas_init(&p.canvas, report, &y, HEIGHT);
    pv_front_axis(found->front, found->opened->profile, 0, cli_canvas_ticks(&p.canvas),
                  &p.canvas.x);
    place_points(&p);
    print_plot(&p);
    if (pv_front_n_objectives(found->front) > 2) {
        cli_paragraph(report, INDENT, "%s best in these two, %s better in another objective",
                      cli_sign_text(report, CLI_POINT_SIGN),
                      cli_sign_text(report, CLI_BEATEN_SIGN));
    }
    cli_canvas_deinit(&p.canvas);
}
