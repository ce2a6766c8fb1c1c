/* The pictures of the page: panels side by side, each with its axes and curves. */
#include "aruba_report.h"

#include "base/markup.h"
#include "picture.h"

#include <math.h>
#include <string.h>

enum {
    WIDTH = 760,
    HEIGHT = 330,
    LEFT = 62,
    RIGHT = 20,
    TOP = 70,
    BOTTOM = 46,
    MOST_POINTS = 128,
    MOST_CURVES = 6,
};

static const char figure_style[] =
    ".line.three{stroke:var(--soft)}.dot.three{fill:var(--soft)}\n"
    ".line.ring{stroke:var(--before)}"
    ".dot.ring{fill:var(--card);stroke:var(--before);stroke-width:4}\n"
    ".line.best,.line.loose,.line.random{stroke:none}\n"
    ".dot.best{fill:var(--bad)}"
    ".dot.loose{fill:none;stroke:var(--bad);stroke-width:1.5}"
    ".dot.random{fill:var(--warn);opacity:.5}\n";

/* ------------------------------------------------------------------- panels */

typedef struct {
    const char *class_name, *name;
    double xs[MOST_POINTS], ys[MOST_POINTS];
    size_t n;
} series;

typedef struct {
    const char *title, *below;
    pv_svg_unit x_unit, y_unit;
    bool logarithmic; /* up */
    double least;     /* of a logarithmic axis; less is shown as this */
    series curves[MOST_CURVES];
    size_t n_curves;
} panel;

static series *begin_curve(panel *p, const char *class_name, const char *name)
{
    require(p->n_curves < MOST_CURVES, "more curves than a panel has");
    series *const s = &p->curves[p->n_curves++];
    s->class_name = class_name;
    s->name = name;
    s->n = 0;
    return s;
}

static void add_point(series *s, double x, double y)
{
    require(s->n < MOST_POINTS, "more points than a curve has");
    s->xs[s->n] = x;
    s->ys[s->n++] = y;
}

typedef struct {
    double least, most;
} range;

static void widen(range *r, double value)
{
    r->least = fmin(r->least, value);
    r->most = fmax(r->most, value);
}

static void ranges_of(const panel *p, range *x, range *y)
{
    *x = *y = (range){HUGE_VAL, -HUGE_VAL};
    for (size_t c = 0; c < p->n_curves; c++) {
        for (size_t i = 0; i < p->curves[c].n; i++) {
            widen(x, p->curves[c].xs[i]);
            widen(y, p->logarithmic ? fmax(p->curves[c].ys[i], p->least) : p->curves[c].ys[i]);
        }
    }
}

static pv_svg_axis up_axis(const panel *p, range y)
{
    return p->logarithmic
               ? pv_i_svg_log_axis(pow(10, floor(log10(y.least))), y.most, 7, HEIGHT - BOTTOM, TOP)
               : pv_i_svg_range_axis(y.least, y.most, 5, p->y_unit, HEIGHT - BOTTOM, TOP);
}

static void draw_panel(pv_buffer *svg, const panel *p, size_t number, size_t of)
{
    const double width = WIDTH / (double)of;
    const double left = width * (double)number;
    range x_range;
    range y_range;
    ranges_of(p, &x_range, &y_range);
    const pv_svg_axis x =
        pv_i_svg_axis(x_range.most, 6, p->x_unit, left + LEFT, left + width - RIGHT);
    const pv_svg_axis y = up_axis(p, y_range);
    pv_i_svg_text(svg, "name", PV_SVG_START, left + 10, TOP - 16, p->title);
    pv_i_svg_axis_y(svg, &y, x.from, x.to);
    pv_i_svg_axis_x(svg, &x, y.to, y.from);
    pv_i_svg_text(svg, "what", PV_SVG_END, x.to, HEIGHT - 8, p->below);
    for (size_t c = 0; c < p->n_curves; c++) {
        const series *const s = &p->curves[c];
        if (s->n > 0) {
            picture_curve(svg, &(curve){s->class_name, s->xs, s->ys, s->n}, &x, &y);
        }
    }
}

static void draw_names(pv_buffer *svg, const panel *p)
{
    double x = 16;
    for (size_t c = 0; c < p->n_curves; c++) {
        pv_buffer dot = {0};
        pv_i_buffer_format(&dot, "dot %s", p->curves[c].class_name);
        require(!dot.failed, "out of memory");
        picture_key(svg, dot.data, 4, x, 16, p->curves[c].name);
        pv_i_buffer_deinit(&dot);
        x += 34 + 5.9 * (double)strlen(p->curves[c].name);
    }
}

/* All panels have the same curves. */
static void draw(pv_buffer *svg, const char *title, const panel *panels, size_t n)
{
    picture_begin(svg, WIDTH, HEIGHT, title, figure_style);
    draw_names(svg, &panels[0]);
    for (size_t i = 0; i < n; i++) {
        draw_panel(svg, &panels[i], i, n);
    }
    pv_i_svg_end(svg);
}

/* ---------------------------------------------------------------- frontier */

void aruba_draw_frontier(pv_buffer *svg, const experiments *e)
{
    panel p = {.title = "frontier nodes, share of the lattice",
               .below = "c, share of the most utility",
               .x_unit = PV_SVG_PERCENT,
               .y_unit = PV_SVG_PERCENT};
    series *const ours = begin_curve(&p, "two", "our 10 attributes");
    for (size_t i = 0; i < THRESHOLDS; i++) {
        add_point(ours, e->thresholds[i].c / e->most, e->thresholds[i].frontier);
    }
    series *const paper =
        begin_curve(&p, "one", "70 attributes with heights 1 to 5, as the paper's");
    for (size_t c = 0; c <= PAPER_MOST; c += 7) {
        add_point(paper, (double)c / PAPER_MOST, e->paper_shares[c]);
    }
    draw(svg, "share of frontier nodes, by utility asked for", &p, 1);
}

/* ------------------------------------------------------------- thresholds */

static const char *const method_classes[METHODS] = {"three", "two", "one"};

static const trial *trial_of(const threshold *t, size_t method)
{
    const trial *const trials[METHODS] = {&t->btda, &t->aruba[PV_RISK_I], &t->bnb[PV_RISK_I]};
    return trials[method];
}

static void begin_effort(panel panels[2], const char *below, pv_svg_unit unit)
{
    panels[0] = (panel){.title = "milliseconds for a record, by their logarithm",
                        .below = below,
                        .x_unit = unit,
                        .logarithmic = true,
                        .least = 0.01};
    panels[1] = (panel){.title = "nodes visited, by their logarithm",
                        .below = below,
                        .x_unit = unit,
                        .logarithmic = true,
                        .least = 1};
}

void aruba_draw_thresholds(pv_buffer *svg, const experiments *e)
{
    panel panels[2];
    begin_effort(panels, "c, share of the most utility", PV_SVG_PERCENT);
    for (size_t m = 0; m < METHODS; m++) {
        series *const seconds = begin_curve(&panels[0], method_classes[m], aruba_methods[m]);
        series *const visited = begin_curve(&panels[1], method_classes[m], aruba_methods[m]);
        for (size_t i = 0; i < THRESHOLDS; i++) {
            const threshold *const t = &e->thresholds[i];
            add_point(seconds, t->c / e->most, 1000 * trial_of(t, m)->seconds);
            add_point(visited, t->c / e->most, trial_of(t, m)->visited);
        }
    }
    draw(svg, "time and nodes visited, by utility asked for", panels, 2);
}

void aruba_draw_sizes(pv_buffer *svg, const experiments *e)
{
    panel panels[2];
    begin_effort(panels, "attributes", PV_SVG_COUNT);
    for (size_t m = 0; m < METHODS; m++) {
        series *const seconds = begin_curve(&panels[0], method_classes[m], aruba_methods[m]);
        series *const visited = begin_curve(&panels[1], method_classes[m], aruba_methods[m]);
        for (size_t i = 0; i < SIZES && aruba_is_finished(&e->sizes[i], m); i++) {
            const size_trial *const t = &e->sizes[i];
            add_point(seconds, (double)t->n_attributes, 1000 * t->trials[m].seconds);
            add_point(visited, (double)t->n_attributes, t->trials[m].visited);
        }
    }
    draw(svg, "time and nodes visited, by number of attributes", panels, 2);
}

/* -------------------------------------------------------------------- risks */

/* Small risks by their logarithm; those of model III are large and negative. */
static double shown(int model, double risk)
{
    return model == PV_RISK_III ? risk : log10(risk);
}

static void add_trials(panel *p, const experiments *e, int model)
{
    series *const greedy = begin_curve(p, "three", "bnb, stopped at once");
    series *const bnb = begin_curve(p, "ring", "bnb");
    series *const aruba = begin_curve(p, "two", "aruba");
    for (size_t i = 0; i < THRESHOLDS; i++) {
        const threshold *const t = &e->thresholds[i];
        add_point(aruba, t->aruba[model].utility, shown(model, t->aruba[model].risk));
        add_point(bnb, t->bnb[model].utility, shown(model, t->bnb[model].risk));
        add_point(greedy, t->greedy[model].utility, shown(model, t->greedy[model].risk));
    }
}

static void add_tables(panel *p, const experiments *e, int model)
{
    series *const best = begin_curve(p, "best", "k-anonymous, the best");
    series *const suppressed = begin_curve(p, "loose", "with 1% suppressed");
    series *const arbitrary = begin_curve(p, "random", "arbitrary");
    for (size_t i = 0; i < KS; i++) {
        const anonymous *const a = &e->tables[i];
        add_point(best, a->best.utility, shown(model, a->best.risk[model]));
        add_point(suppressed, a->suppressed.utility, shown(model, a->suppressed.risk[model]));
        add_point(arbitrary, a->arbitrary.utility, shown(model, a->arbitrary.risk[model]));
    }
}

void aruba_draw_risks(pv_buffer *svg, const experiments *e)
{
    static const char *const titles[PV_RISK_COUNT] = {
        "model I, log10 of the risk", "model II, log10 of the risk", "model III, risk"};
    panel panels[PV_RISK_COUNT];
    for (int model = 0; model < PV_RISK_COUNT; model++) {
        panels[model] = (panel){.title = titles[model],
                                .below = "utility, mean",
                                .x_unit = PV_SVG_COUNT,
                                .y_unit = PV_SVG_NUMBER};
        add_trials(&panels[model], e, model);
        add_tables(&panels[model], e, model);
    }
    draw(svg, "risk against utility", panels, PV_RISK_COUNT);
}
