/* The pictures of the page, each a file of its own.
 *
 * The paper draws three objectives in perspective. Here a front is shown from two sides instead,
 * in panels with the loss as their common axis: what is where can be read off. */
#include "pbg_report.h"

#include "base/markup.h"
#include "picture.h"

#include <math.h>
#include <string.h>

enum {
    WIDTH = 760,
    HEIGHT = 440,
    LEFT = 68,
    RIGHT = 24,
    TOP = 62,
    BOTTOM = 46,
    BETWEEN = 34, /* panels */
    MANY = 100,   /* points */
};

static const char figure_style[] = ".found{fill:var(--ink)}\n"
                                   ".missed{fill:none;stroke:var(--bad);stroke-width:2}\n"
                                   ".stray{fill:var(--bad)}\n"
                                   ".theirs{fill:none;stroke:var(--ink);stroke-width:2}\n";

/* ------------------------------------------------------------------- fronts */

/* The loss that all panels share. */
static size_t loss_of(const pv_front *front)
{
    size_t i = 0;
    while (strcmp(front->objectives[i].measure->name, "glm") != 0) {
        i++;
    }
    return i;
}

typedef struct {
    double least, most;
} range;

static range range_of(const pv_front *front, size_t objective)
{
    range r = {.least = HUGE_VAL, .most = -HUGE_VAL};
    for (size_t i = 0; i < front->n_points; i++) {
        r.least = fmin(r.least, front->points[i].values[objective]);
        r.most = fmax(r.most, front->points[i].values[objective]);
    }
    return r;
}

/* The axis of an objective, in millions if its values are sums over all people. */
typedef struct {
    pv_svg_axis axis;
    double unit;
} scale;

/* Class sizes are of all sizes, and their ticks are powers of ten. */
static scale scale_of(const pv_front *front, size_t objective, double from, double to)
{
    const range r = range_of(front, objective);
    const double unit = r.most > 1e7 ? 1e6 : 1;
    const double least = r.least / unit;
    const double most = r.most / unit;
    if (least > 0 && most > 100 * least) {
        const double power = pow(10, floor(log10(least)));
        return (scale){pv_i_svg_log_axis(power, most, 8, from, to), unit};
    }
    scale linear = {pv_i_svg_range_axis(least, most, 8, PV_SVG_COUNT, from, to), unit};
    linear.axis.min = linear.axis.step * floor(least / linear.axis.step);
    return linear;
}

/* What the points of a panel are drawn by. */
typedef struct {
    size_t objective, loss;
    scale x;
    const pv_svg_axis *y;
} panel;

/* What is on the first front and, as asked for, on the second or not. */
static void draw_points(pv_buffer *svg, const char *class_name, double radius, const panel *p,
                        const pv_front *front, const pv_front *other, bool on)
{
    for (size_t i = 0; i < front->n_points; i++) {
        const double *const values = front->points[i].values;
        if (report_is_on(front, i, other) == on) {
            pv_i_svg_circle(svg, class_name,
                            pv_i_svg_at(&p->x.axis, values[p->objective] / p->x.unit),
                            pv_i_svg_at(p->y, values[p->loss]), radius);
        }
    }
    pv_i_buffer_char(svg, '\n');
}

static void draw_axes(pv_buffer *svg, const panel *p, const pv_measure *measure)
{
    const pv_svg_axis *const x = &p->x.axis;
    pv_buffer what = {0};
    pv_i_buffer_format(&what, "%s%s%s (%s is better)", measure->name,
                       p->x.unit > 1 ? " in millions" : "",
                       x->logarithmic ? ", by its logarithm" : "",
                       measure->direction == PV_MORE_IS_BETTER ? "more" : "less");
    require(!what.failed, "out of memory");
    pv_i_svg_axis_y(svg, p->y, x->from, x->to);
    pv_i_svg_axis_x(svg, x, p->y->to, p->y->from);
    pv_i_svg_text(svg, "what", PV_SVG_END, x->to, HEIGHT - 8, what.data);
    pv_i_buffer_deinit(&what);
}

/* Rings and dots of a front, smaller where there are many. */
static void draw_panel(pv_buffer *svg, const answer *a, const panel *p)
{
    const double ring = a->truth->n_points > MANY ? 3.5 : 4.5;
    const double dot = ring / 2;
    draw_axes(svg, p, a->truth->objectives[p->objective].measure);
    draw_points(svg, "truth", ring, p, a->truth, a->shown, true);
    draw_points(svg, "found", dot, p, a->shown, a->truth, true);
    draw_points(svg, "missed", ring, p, a->truth, a->shown, false);
    draw_points(svg, "stray", dot + 0.5, p, a->shown, a->truth, false);
}

static void draw_front_legend(pv_buffer *svg)
{
    const double y = 16;
    pv_i_svg_circle(svg, "truth", LEFT + 6, y, 4.5);
    picture_key(svg, "found", 2.2, LEFT + 6, y, "on the front, found by pbg-ea");
    picture_key(svg, "missed", 4.5, LEFT + 226, y, "on the front, missed");
    picture_key(svg, "stray", 2.75, LEFT + 390, y, "found, but not on the front");
}

void pbg_draw_front(pv_buffer *svg, const answer *a)
{
    const size_t loss = loss_of(a->truth);
    const range r = range_of(a->truth, loss);
    const pv_svg_axis y =
        pv_i_svg_range_axis(r.least, r.most, 6, PV_SVG_COUNT, HEIGHT - BOTTOM, TOP);
    const size_t n_panels = a->truth->n_objectives - 1;
    const double room = LEFT + BETWEEN;
    const double width = (WIDTH - RIGHT + BETWEEN - room * (double)n_panels) / (double)n_panels;
    double from = LEFT;
    pv_buffer title = {0};
    pv_i_buffer_format(&title, "%s: the points of pbg-ea over the whole front", a->asked->name);
    require(!title.failed, "out of memory");
    picture_begin(svg, WIDTH, HEIGHT, title.data, figure_style);
    draw_front_legend(svg);
    pv_i_svg_text(svg, "what", PV_SVG_START, 10, TOP - 18, "glm (less is better)");
    for (size_t o = 0; o < a->truth->n_objectives; o++) {
        if (o != loss) {
            const panel p = {o, loss, scale_of(a->truth, o, from, from + width), &y};
            draw_panel(svg, a, &p);
            from += width + room;
        }
    }
    pv_i_svg_end(svg);
    pv_i_buffer_deinit(&title);
}

/* ------------------------------------------------------------------ courses */

enum {
    GRID_COLUMNS = 3,
    CELL_WIDTH = WIDTH / GRID_COLUMNS,
    CELL_HEIGHT = 240,
    CELL_LEFT = 52,
    CELL_RIGHT = 22,
    CELL_TOP = 34,
    CELL_BOTTOM = 44,
};

static double end_of(const course *c)
{
    return c->evaluated[c->n - 1];
}

static void draw_cell(pv_buffer *svg, const answer *a, double left, double top)
{
    const double last = fmax(end_of(&a->plain_course), end_of(&a->hybrid_course));
    const pv_svg_axis x = pv_i_svg_axis(fmax(last, a->asked->evaluated), 4, PV_SVG_COUNT,
                                        left + CELL_LEFT, left + CELL_WIDTH - CELL_RIGHT);
    const pv_svg_axis y =
        pv_i_svg_axis(1, 5, PV_SVG_NUMBER, top + CELL_HEIGHT - CELL_BOTTOM, top + CELL_TOP);
    const course *const courses[] = {&a->plain_course, &a->hybrid_course};
    static const char *const classes[] = {"one", "two"};
    pv_i_svg_text(svg, "name", PV_SVG_START, x.from, top + 18, a->asked->name);
    pv_i_svg_axis_y(svg, &y, x.from, x.to);
    pv_i_svg_axis_x(svg, &x, y.to, y.from);
    for (size_t i = 0; i < 2; i++) {
        const course *const c = courses[i];
        picture_curve(svg, &(curve){classes[i], c->evaluated, c->ratio, c->n}, &x, &y);
    }
    if (a->asked->has_ratio) {
        pv_i_svg_circle(svg, "theirs", pv_i_svg_at(&x, a->asked->evaluated),
                        pv_i_svg_at(&y, a->asked->ratio.mean), 5);
    }
}

static void draw_course_legend(pv_buffer *svg, double left, double top)
{
    picture_key(svg, "dot one", 4, left, top, "pbg-ea");
    picture_key(svg, "dot two", 4, left, top + 20, "pbg-hybrid");
    picture_key(svg, "theirs", 5, left, top + 40, "PBG-EA, in the paper");
    pv_i_svg_text(svg, "tick", PV_SVG_START, left - 6, top + 76, "up: RR, the part of the front");
    pv_i_svg_text(svg, "tick", PV_SVG_START, left - 6, top + 92, "right: schemes evaluated");
}

void pbg_draw_courses(pv_buffer *svg, const answer *answers)
{
    const double last_left = (double)(QUESTIONS % GRID_COLUMNS) * CELL_WIDTH;
    const double last_top = (double)(QUESTIONS / GRID_COLUMNS) * CELL_HEIGHT;
    picture_begin(svg, WIDTH, 2 * CELL_HEIGHT, "the part of the front found, by evaluations",
                  figure_style);
    for (size_t i = 0; i < QUESTIONS; i++) {
        draw_cell(svg, &answers[i], (double)(i % GRID_COLUMNS) * CELL_WIDTH,
                  (double)(i / GRID_COLUMNS) * CELL_HEIGHT);
    }
    draw_course_legend(svg, last_left + CELL_LEFT, last_top + CELL_TOP + 24);
    pv_i_svg_end(svg);
}
