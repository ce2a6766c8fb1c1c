/* The pictures of the page, each a file of its own. */
#include "pref_report.h"

#include "base/markup.h"
#include "picture.h"

#include <math.h>

enum {
    WIDTH = 760,
    HEIGHT = 460,
    LEFT = 60,
    RIGHT = 24,
    TOP = 62,
    BOTTOM = 46,
};

static const char figure_style[] =
    ".best{fill:none;stroke:var(--ink);stroke-width:2}\n"
    ".tie{stroke:var(--soft);stroke-opacity:.6}\n"
    ".halo{paint-order:stroke;stroke:var(--card);stroke-width:4px}\n";

/* ---------------------------------------------------------------- solutions */

typedef struct {
    pv_svg_axis x, y;
} plane;

static void widen(pv_aspiration *least, pv_aspiration *most, const trial *t)
{
    for (size_t i = 0; i < SEEDS; i++) {
        const pv_aspiration p = t->found[i].point;
        least->bias = fmin(least->bias, p.bias);
        least->loss = fmin(least->loss, p.loss);
        most->bias = fmax(most->bias, p.bias);
        most->loss = fmax(most->loss, p.loss);
    }
}

static plane plane_of(const experiments *e)
{
    pv_aspiration least = {HUGE_VAL, HUGE_VAL};
    pv_aspiration most = {0, 0};
    for (size_t i = 0; i < KS; i++) {
        widen(&least, &most, &e->by_k[i].nsga2);
        widen(&least, &most, &e->by_k[i].memetic);
    }
    return (plane){
        .x = pv_i_svg_range_axis(least.bias, most.bias, 8, PV_SVG_NUMBER, LEFT, WIDTH - RIGHT),
        .y = pv_i_svg_range_axis(least.loss, most.loss, 6, PV_SVG_NUMBER, HEIGHT - BOTTOM, TOP)};
}

static void draw_point(pv_buffer *svg, const char *class_name, double radius, const plane *p,
                       pv_aspiration at)
{
    pv_i_svg_circle(svg, class_name, pv_i_svg_at(&p->x, at.bias), pv_i_svg_at(&p->y, at.loss),
                    radius);
}

/* What a search found, tied to the optimum it was to find. */
static void draw_trial(pv_buffer *svg, const plane *p, const answer *a, const trial *t,
                       const char *class_name)
{
    const pv_aspiration best = a->proof.best.point;
    for (size_t i = 0; i < SEEDS; i++) {
        const pv_aspiration found = t->found[i].point;
        pv_i_svg_line(svg, "tie", pv_i_svg_at(&p->x, best.bias), pv_i_svg_at(&p->y, best.loss),
                      pv_i_svg_at(&p->x, found.bias), pv_i_svg_at(&p->y, found.loss));
        draw_point(svg, class_name, 4, p, found);
    }
    pv_i_buffer_char(svg, '\n');
}

/* The optimum, named by the k asked for, and what the searches found. */
static void draw_answer(pv_buffer *svg, const plane *p, const answer *a)
{
    const pv_aspiration best = a->proof.best.point;
    draw_trial(svg, p, a, &a->nsga2, "dot one");
    draw_trial(svg, p, a, &a->memetic, "dot two");
    draw_point(svg, "best", 7, p, best);
    pv_i_svg_text_begin(svg, "name halo", PV_SVG_END, pv_i_svg_at(&p->x, best.bias) - 12,
                        pv_i_svg_at(&p->y, best.loss) + 4);
    pv_i_buffer_format(svg, "k %u", (unsigned)a->k);
    pv_i_svg_text_end(svg);
    pv_i_buffer_char(svg, '\n');
}

void pref_draw_solutions(pv_buffer *svg, const experiments *e)
{
    const plane p = plane_of(e);
    picture_begin(svg, WIDTH, HEIGHT, "bias and loss of the solutions, by k", figure_style);
    picture_key(svg, "dot one", 4, LEFT + 6, 16, "nsga2, a dot for each seed");
    picture_key(svg, "dot two", 4, LEFT + 196, 16, "memetic");
    picture_key(svg, "best", 5, LEFT + 290, 16, "proven optimum, tied to what was found for it");
    pv_i_svg_text(svg, "what", PV_SVG_START, 10, TOP - 18, "NWP (less is better)");
    pv_i_svg_axis_y(svg, &p.y, p.x.from, p.x.to);
    pv_i_svg_axis_x(svg, &p.x, p.y.to, p.y.from);
    pv_i_svg_text(svg, "what", PV_SVG_END, p.x.to, HEIGHT - 8, "NECD (less is better)");
    for (size_t i = 0; i < KS; i++) {
        draw_answer(svg, &p, &e->by_k[i]);
    }
    pv_i_svg_end(svg);
}

/* ------------------------------------------------------------------- biases */

enum {
    PANELS = 3,
    PANEL_WIDTH = WIDTH / PANELS,
    PANEL_HEIGHT = 290,
    PANEL_LEFT = 56,
    PANEL_RIGHT = 18,
    PANEL_TOP = 66,
    PANEL_BOTTOM = 46,
};

typedef double (*quantity)(const solution *s);

static double bias_of(const solution *s)
{
    return s->point.bias;
}

static double loss_of(const solution *s)
{
    return s->point.loss;
}

static double k_of(const solution *s)
{
    return (double)s->k;
}

static const struct {
    const char *name;
    quantity of;
    bool logarithmic;
} panels[PANELS] = {{"NECD", bias_of, true}, {"NWP", loss_of, false}, {"effective k", k_of, true}};

/* Of the best of all seeds, for each wish. */
static void quantities(const experiments *e, quantity of, double *nsga2, double *memetic)
{
    for (size_t i = 0; i < BIASES; i++) {
        const answer *const a = &e->by_bias[i];
        nsga2[i] = of(&a->nsga2.found[a->nsga2.best]);
        memetic[i] = of(&a->memetic.found[a->memetic.best]);
    }
}

static void draw_panel(pv_buffer *svg, const experiments *e, size_t panel)
{
    const double left = (double)panel * PANEL_WIDTH;
    const double bottom = PANEL_HEIGHT - PANEL_BOTTOM;
    const pv_svg_axis x = pv_i_svg_log_axis(pref_biases[BIASES - 1], pref_biases[0], 3,
                                            left + PANEL_LEFT, left + PANEL_WIDTH - PANEL_RIGHT);
    double nsga2[BIASES];
    double memetic[BIASES];
    double least = HUGE_VAL;
    double most = 0;
    quantities(e, panels[panel].of, nsga2, memetic);
    for (size_t i = 0; i < BIASES; i++) {
        least = fmin(least, fmin(nsga2[i], memetic[i]));
        most = fmax(most, fmax(nsga2[i], memetic[i]));
    }
    const pv_svg_axis y =
        panels[panel].logarithmic
            ? pv_i_svg_log_axis(pow(10, floor(log10(least))), most, 8, bottom, PANEL_TOP)
            : pv_i_svg_axis(most, 5, PV_SVG_NUMBER, bottom, PANEL_TOP);
    pv_i_svg_text(svg, "name", PV_SVG_START, left + 10, PANEL_TOP - 18, panels[panel].name);
    pv_i_svg_axis_y(svg, &y, x.from, x.to);
    pv_i_svg_axis_x(svg, &x, y.to, y.from);
    picture_curve(svg, &(curve){"one", pref_biases, nsga2, BIASES}, &x, &y);
    picture_curve(svg, &(curve){"two", pref_biases, memetic, BIASES}, &x, &y);
    pv_i_svg_text(svg, "what", PV_SVG_END, x.to, PANEL_HEIGHT - 8, "NECD wished for");
}

void pref_draw_biases(pv_buffer *svg, const experiments *e)
{
    picture_begin(svg, WIDTH, PANEL_HEIGHT, "ever stricter wishes for the bias", figure_style);
    picture_key(svg, "dot one", 4, PANEL_LEFT + 6, 16, "nsga2, the best of all seeds");
    picture_key(svg, "dot two", 4, PANEL_LEFT + 206, 16, "memetic");
    for (size_t i = 0; i < PANELS; i++) {
        draw_panel(svg, e, i);
    }
    pv_i_svg_end(svg);
}
