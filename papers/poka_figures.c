/* The pictures of the page, each a file of its own. */
#include "poka_report.h"

#include "base/bitset.h"
#include "base/markup.h"
#include "base/memory.h"
#include "picture.h"

#include <math.h>

enum {
    WIDTH = 760,
    HEIGHT = 440,
    LEFT = 98,
    RIGHT = 24,
    TOP = 40,
    BOTTOM = 46,
    GRAIN = 3, /* nodes nearer than these pixels are one dot of the cloud */
};

static const char figure_style[] =
    ".cloud{fill:none;stroke:var(--soft);stroke-width:2;opacity:.35}\n"
    ".poka{fill:var(--ink)}\n";

static void begin(pv_buffer *svg, const char *title)
{
    picture_begin(svg, WIDTH, HEIGHT, title, figure_style);
}

static void draw_axes(pv_buffer *svg, const pv_svg_axis *x, const pv_svg_axis *y, const char *below,
                      const char *above)
{
    pv_i_svg_axis_y(svg, y, x->from, x->to);
    pv_i_svg_axis_x(svg, x, y->to, y->from);
    pv_i_svg_text(svg, "what", PV_SVG_END, x->to, HEIGHT - 8, below);
    pv_i_svg_text(svg, "what", PV_SVG_START, 10, 20, above);
}

/* ------------------------------------------------------------------- a front */

typedef struct {
    double least, most;
} range;

/* Logarithms need something above 0. */
static range range_of(const double *values, size_t n)
{
    range r = {.least = HUGE_VAL, .most = 0};
    for (size_t i = 0; i < n; i++) {
        r.least = values[i] > 0 ? fmin(r.least, values[i]) : r.least;
        r.most = fmax(r.most, values[i]);
    }
    return r;
}

/* All nodes as one path of short strokes on a grid: thousands of circles would make a large file.
 */
static void draw_cloud(pv_buffer *svg, const trade_off *t, const pv_svg_axis *x,
                       const pv_svg_axis *y)
{
    enum { COLUMNS = WIDTH / GRAIN + 1, ROWS = HEIGHT / GRAIN + 1 };
    uint64_t *const taken = PV_NEW_ZEROED(uint64_t, COLUMNS * ROWS / 64 + 1);
    require(taken != NULL, "out of memory");
    pv_i_buffer_text(svg, "<path class=\"cloud\" d=\"");
    for (size_t i = 0; i < t->n_nodes; i++) {
        const size_t column = (size_t)(pv_i_svg_at(x, t->k_of[i]) / GRAIN);
        const size_t row = (size_t)(pv_i_svg_at(y, t->loss_of[i]) / GRAIN);
        if (!pv_i_bit_get(taken, row * COLUMNS + column)) {
            pv_i_bit_set(taken, row * COLUMNS + column);
            pv_i_buffer_format(svg, "M%zu %zuh2", column * GRAIN, row * GRAIN + 1);
        }
    }
    pv_i_buffer_text(svg, "\"/>\n");
    pv_i_free(taken);
}

static void draw_points(pv_buffer *svg, const char *class_name, double radius,
                        const pv_front *front, const pv_svg_axis *x, const pv_svg_axis *y)
{
    for (size_t i = 0; i < front->n_points; i++) {
        pv_i_svg_circle(svg, class_name, pv_i_svg_at(x, front->points[i].values[0]),
                        pv_i_svg_at(y, front->points[i].values[1]), radius);
    }
    pv_i_buffer_char(svg, '\n');
}

static void draw_legend(pv_buffer *svg)
{
    const double y = 16;
    pv_i_svg_circle(svg, "truth", WIDTH - 330, y, 5);
    pv_i_svg_text(svg, "tick", PV_SVG_START, WIDTH - 318, y + 4, "exact front");
    picture_key(svg, "poka", 2.5, WIDTH - 228, y, "POkA's points");
    pv_i_buffer_format(svg, "<path class=\"cloud\" d=\"M%d %dh2m3 2h2m-4 3h2\"/>", WIDTH - 116,
                       (int)y - 2);
    pv_i_svg_text(svg, "tick", PV_SVG_START, WIDTH - 102, y + 4, "all schemes");
}

/* Does the loss grow tenfold along the front? The point of least k, often the raw table, is left
 * out: it alone would decide. */
static bool spans_sizes(const pv_front *front)
{
    return front->n_points > 2 &&
           front->points[front->n_points - 1].values[1] > 10 * front->points[1].values[1];
}

static pv_svg_axis loss_axis(const trade_off *t)
{
    const range loss = range_of(t->loss_of, t->n_nodes);
    const double power = pow(10, floor(log10(loss.least))); /* its ticks are powers of ten */
    return spans_sizes(t->truth)
               ? pv_i_svg_log_axis(power, loss.most, 8, HEIGHT - BOTTOM, TOP)
               : pv_i_svg_range_axis(loss.least, loss.most, 6, PV_SVG_NUMBER, HEIGHT - BOTTOM, TOP);
}

void poka_draw_front(pv_buffer *svg, const trade_off *t)
{
    const range k = range_of(t->k_of, t->n_nodes);
    const pv_svg_axis x = pv_i_svg_log_axis(k.least, k.most, 16, LEFT, WIDTH - RIGHT);
    const pv_svg_axis y = loss_axis(t);
    pv_buffer title = {0};
    pv_buffer what = {0};
    pv_i_buffer_format(&title, "%s against k: POkA's points over the exact front", t->loss);
    pv_i_buffer_format(&what, "%s%s (less is better)", t->loss,
                       y.logarithmic ? ", by its logarithm" : "");
    require(!title.failed && !what.failed, "out of memory");
    begin(svg, title.data);
    draw_axes(svg, &x, &y, "k, by its logarithm (more is better)", what.data);
    draw_legend(svg);
    draw_cloud(svg, t, &x, &y);
    draw_points(svg, "truth", 5, t->truth, &x, &y);
    draw_points(svg, "poka", 2.5, t->poka[0], &x, &y);
    pv_i_svg_end(svg);
    pv_i_buffer_deinit(&title);
    pv_i_buffer_deinit(&what);
}

/* -------------------------------------------------------------------- curves */

static void draw_names(pv_buffer *svg, const share_curve *curves, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        pv_buffer dot = {0};
        pv_i_buffer_format(&dot, "dot %s", curves[i].class_name);
        require(!dot.failed, "out of memory");
        picture_key(svg, dot.data, 4, WIDTH - 250, 16 + 16 * (double)i, curves[i].name);
        pv_i_buffer_deinit(&dot);
    }
}

void poka_draw_curves(pv_buffer *svg, const char *title, const char *what, size_t first, size_t n,
                      const share_curve *curves, size_t n_curves)
{
    const pv_svg_axis x = {.min = (double)first,
                           .max = (double)(first + n - 1),
                           .step = 1,
                           .from = LEFT + 20,
                           .to = WIDTH - RIGHT - 20,
                           .unit = PV_SVG_COUNT};
    const pv_svg_axis y = pv_i_svg_axis(1, 5, PV_SVG_PERCENT, HEIGHT - BOTTOM, TOP);
    double places[MOST];
    require(n <= MOST, "more places than a curve has");
    for (size_t i = 0; i < n; i++) {
        places[i] = (double)(first + i);
    }
    begin(svg, title);
    draw_axes(svg, &x, &y, what, "share");
    draw_names(svg, curves, n_curves);
    for (size_t i = 0; i < n_curves; i++) {
        picture_curve(svg, &(curve){curves[i].class_name, places, curves[i].values, n}, &x, &y);
    }
    pv_i_svg_end(svg);
}
