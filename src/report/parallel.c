/* Parallel coordinates: a front of three and more objectives in one picture, and narrowing it down.
 *
 *      k      l     glm        One upright axis per objective and one line per point. Better is at
 *      |      |   .-o          the top of every axis, whatever its direction: a line that stays
 *      o-.   .o--' |           high is good at everything, and where lines cross one objective is
 *      |  'o' |    |           traded for the next.
 *
 * Drawn from below: lines, thin and translucent when there are many; the axes; the suggestions,
 * distinguished without colours; the numbers of the axes, to be readable, on top. The colour of a
 * line goes with the first objective: followed from its axis to the right, it shows where the weak
 * and the strong points end up.
 *
 * Bounds for every objective are set by sliders or by dragging along an axis; whatever is outside
 * turns grey in the pictures and disappears from the table (assets/brush.js). */
#include "base/markup.h"
#include "base/memory.h"
#include "report/front_view.h"

#include <math.h>
#include <stdlib.h>

enum {
    LEFT = 66,   /* for the numbers of the first axis */
    RIGHT = 78,  /* and for the names of the suggestions */
    TOP = 60,    /* names of the axes, which way is better */
    HEAD = 34,   /* one of these; with many axes every second is higher */
    BOTTOM = 40, /* how to read it */
    TICK_SPACE = 42,
    ARROW = 5,
    NAME_SPACE = 16, /* between names of suggestions */
};

typedef struct chart {
    pv_buffer *out;
    const pv_front *front;
    const pv_profile *profile;
    pv_svg_box box;
    pv_svg_axis axes[PV_MAX_OBJECTIVES]; /* each from its worst end, below, to its best or back */
    pv_suggestion suggestions[PV_MAX_SUGGESTIONS];
    size_t n_suggestions;
} chart;

static bool more_is_better(const chart *c, size_t objective)
{
    return c->front->objectives[objective].measure->direction == PV_MORE_IS_BETTER;
}

/* Side by side the longest would touch: "l-recursive(2)", "more is better, log". */
static bool is_crowded(const chart *c)
{
    const double width = c->box.width - LEFT - RIGHT;
    return width / (double)(c->front->n_objectives - 1) < 130;
}

static double top_of(const chart *c)
{
    return c->box.y + TOP + (is_crowded(c) ? HEAD : 0);
}

static double bottom_of(const chart *c)
{
    return c->box.y + c->box.height - BOTTOM;
}

static double x_of(const chart *c, size_t objective)
{
    const double width = c->box.width - LEFT - RIGHT;
    return c->box.x + LEFT + width * (double)objective / (double)(c->front->n_objectives - 1);
}

static double y_of(const chart *c, size_t objective, size_t point)
{
    const double value = c->front->points[point].values[objective];
    return pv_i_svg_at(&c->axes[objective],
                       pv_i_front_shown(c->front, c->profile, objective, value));
}

/* ---------------------------------------------------------------------- lines */

static void draw_path(const chart *c, const char *class_name, size_t point)
{
    pv_i_svg_path_begin(c->out, class_name, x_of(c, 0), y_of(c, 0, point));
    for (size_t i = 1; i < c->front->n_objectives; i++) {
        pv_i_svg_path_to(c->out, x_of(c, i), y_of(c, i, point));
    }
    pv_i_svg_path_end(c->out);
}

/* `kind` is a class besides "line"; the line stays open. */
static void begin_line(const chart *c, const char *kind, size_t point)
{
    pv_buffer words = {0};
    pv_i_front_point(&words, c->front, c->profile, point);
    pv_i_buffer_format(
        c->out, "<g class=\"line %s s%u\" data-p=\"%zu\" role=\"img\"><title>", kind,
        pv_i_front_shade(c->front, c->profile, 0, &c->axes[0], c->front->points[point].values[0]),
        point);
    pv_i_front_escape(c->out, &words);
    pv_i_buffer_text(c->out, "</title>");
}

/* The more lines, the thinner: where many run together it is still darker than where few do. */
static void draw_lines(const chart *c)
{
    static const struct {
        size_t most;
        const char *style;
    } looks[] = {{50, "--thin:1.8;--veil:.8"},
                 {200, "--thin:1.4;--veil:.55"},
                 {1000, "--thin:1.1;--veil:.3"},
                 {SIZE_MAX, "--thin:.8;--veil:.13"}};
    const size_t n = c->front->n_points;
    size_t look = 0;
    while (n > looks[look].most) {
        look++;
    }
    pv_i_buffer_format(c->out, "<g class=\"lines\" style=\"%s\">\n", looks[look].style);
    for (size_t i = 0; i < n; i++) {
        if (pv_suggestion_name(c->suggestions, c->n_suggestions, i) == NULL) {
            begin_line(c, "plain", i);
            draw_path(c, "run", i);
            pv_i_buffer_text(c->out, "</g>\n");
        }
    }
    pv_i_buffer_text(c->out, "</g>\n");
}

/* ----------------------------------------------------------------------- axes */

static void draw_ticks(const chart *c, size_t objective)
{
    const pv_svg_axis *const axis = &c->axes[objective];
    const double x = x_of(c, objective);
    double values[PV_SVG_MAX_TICKS];
    const size_t n = pv_i_svg_ticks(axis, values);
    for (size_t i = 0; i < n; i++) {
        const double y = pv_i_svg_at(axis, values[i]);
        pv_i_svg_line(c->out, "axis", x - 4, y, x, y);
        pv_i_svg_text_begin(c->out, "tick", PV_SVG_END, x - 8, y + 4);
        pv_i_svg_tick_value(c->out, values[i], axis->unit);
        pv_i_svg_text_end(c->out);
    }
    pv_i_svg_break_marks(c->out, axis, true, x);
}

/* The axis of the first objective is the legend of the colours. */
static void draw_shades(const chart *c)
{
    const double step = (bottom_of(c) - top_of(c)) / PV_SHADES;
    const double x = x_of(c, 0);
    for (unsigned i = 0; i < PV_SHADES; i++) {
        pv_i_buffer_format(c->out, "<g class=\"s%u\">", i);
        pv_i_svg_line(c->out, "rail shaded", x, bottom_of(c) - step * i, x,
                      bottom_of(c) - step * (i + 1));
        pv_i_buffer_text(c->out, "</g>");
    }
}

static void draw_arrow_head(const chart *c, double x)
{
    const double tip = top_of(c) - 3 * ARROW;
    pv_i_svg_line(c->out, "rail", x, top_of(c), x, tip + ARROW);
    pv_i_svg_path_begin(c->out, "head", x, tip);
    pv_i_svg_path_to(c->out, x + ARROW, tip + 2 * ARROW);
    pv_i_svg_path_to(c->out, x - ARROW, tip + 2 * ARROW);
    pv_i_buffer_char(c->out, 'Z');
    pv_i_svg_path_end(c->out);
}

static void draw_axis(const chart *c, size_t objective)
{
    const pv_measure_ref ref = c->front->objectives[objective];
    const double x = x_of(c, objective);
    pv_i_svg_line(c->out, "rail", x, top_of(c), x, bottom_of(c));
    if (objective == 0) {
        draw_shades(c);
    }
    draw_arrow_head(c, x);
    const double head = c->box.y + 16 + (is_crowded(c) && objective % 2 == 0 ? HEAD : 0);
    pv_i_svg_text_begin(c->out, "measure", PV_SVG_MIDDLE, x, head);
    pv_i_markup_between(c->out, "<title>", ref.measure->summary, "</title>");
    pv_i_front_objective(c->out, ref);
    pv_i_svg_text_end(c->out);
    pv_i_svg_text_begin(c->out, "value", PV_SVG_MIDDLE, x, head + 16);
    pv_i_buffer_text(c->out, more_is_better(c, objective) ? "more is better" : "less is better");
    pv_i_buffer_text(c->out, c->axes[objective].logarithmic ? ", log" : "");
    pv_i_buffer_text(
        c->out, c->axes[objective].broken_low || c->axes[objective].broken_high ? ", broken" : "");
    pv_i_svg_text_end(c->out);
}

/* ---------------------------------------------------------------- suggestions */

static void draw_suggestion(const chart *c, const pv_suggestion *suggestion, double name_y)
{
    begin_line(c, "pick", suggestion->point);
    draw_path(c, "halo", suggestion->point);
    draw_path(c, suggestion->name, suggestion->point);
    pv_i_buffer_format(c->out, "<g class=\"%s\">", suggestion->name);
    for (size_t i = 0; i < c->front->n_objectives; i++) {
        pv_i_svg_circle(c->out, "stop", x_of(c, i), y_of(c, i, suggestion->point), 4);
    }
    pv_i_buffer_text(c->out, "</g>");
    const size_t last = c->front->n_objectives - 1;
    const double x = x_of(c, last);
    pv_i_svg_line(c->out, "leader", x + 7, y_of(c, last, suggestion->point), x + 16, name_y);
    pv_i_svg_text(c->out, "name", PV_SVG_START, x + 20, name_y + 4, suggestion->name);
    pv_i_buffer_text(c->out, "</g>\n");
}

/* ---------------------------------------------------------------------- whole */

void pv_i_parallel(pv_buffer *out, const pv_front *front, const pv_profile *profile, pv_svg_box box)
{
    if (front->n_points == 0) {
        return;
    }
    chart c = {.out = out, .front = front, .profile = profile, .box = box};
    const double top = top_of(&c);
    const double bottom = bottom_of(&c);
    for (size_t i = 0; i < front->n_objectives; i++) {
        const bool more = more_is_better(&c, i);
        c.axes[i] = pv_i_front_axis(front, profile, i, (size_t)((bottom - top) / TICK_SPACE),
                                    more ? bottom : top, more ? top : bottom);
    }
    c.n_suggestions = pv_front_suggest(front, c.suggestions);
    pv_i_buffer_format(out, "<g class=\"parallel\" data-top=\"%s\" data-bottom=\"%s\">\n",
                       PV_SHORT(top, 2), PV_SHORT(bottom, 2));
    draw_lines(&c);
    for (size_t i = 0; i < front->n_objectives; i++) {
        draw_axis(&c, i);
    }
    pv_i_buffer_char(out, '\n');
    double names[PV_MAX_SUGGESTIONS]; /* beside the ends of their lines, and apart */
    for (size_t i = 0; i < c.n_suggestions; i++) {
        names[i] = y_of(&c, front->n_objectives - 1, c.suggestions[i].point);
    }
    (void)pv_i_svg_spread(names, c.n_suggestions, NAME_SPACE, top, bottom);
    for (size_t i = 0; i < c.n_suggestions; i++) {
        draw_suggestion(&c, &c.suggestions[i], names[i]);
    }
    for (size_t i = 0; i < front->n_objectives; i++) {
        draw_ticks(&c, i);
    }
    pv_i_buffer_char(out, '\n');
    pv_i_svg_text_begin(out, "what", PV_SVG_START, box.x + 2, box.y + box.height - 8);
    pv_i_buffer_text(out, "Every line is a point. On every axis better is at the top. The "
                          "colour goes with ");
    pv_i_front_objective(out, front->objectives[0]);
    pv_i_buffer_text(out, ".");
    pv_i_svg_text_end(out);
    pv_i_buffer_text(out, "</g>\n");
}

void pv_i_parallel_description(pv_buffer *out, const pv_front *front)
{
    pv_i_buffer_text(out, "<desc>Parallel coordinates: one upright axis per objective, better at "
                          "the top of each, and one line per point. From left to right: ");
    for (size_t i = 0; i < front->n_objectives; i++) {
        const pv_measure_ref ref = front->objectives[i];
        pv_i_buffer_text(out, i > 0 ? "; " : "");
        pv_i_front_objective(out, ref);
        pv_i_buffer_text(out, ref.measure->direction == PV_MORE_IS_BETTER ? ", more is better"
                                                                          : ", less is better");
    }
    pv_i_buffer_text(out, ".</desc>");
}

/* ---------------------------------------------------------------------- ranks */

typedef struct ranked {
    double value; /* oriented: more is better */
    size_t point;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *const left = a;
    const ranked *const right = b;
    return (left->value > right->value) - (left->value < right->value);
}

static void rank_objective(const pv_front *front, size_t objective, ranked *scratch,
                           pv_ranks *ranks)
{
    const bool more = front->objectives[objective].measure->direction == PV_MORE_IS_BETTER;
    for (size_t i = 0; i < front->n_points; i++) {
        const double value = front->points[i].values[objective];
        scratch[i] = (ranked){.value = more ? value : -value, .point = i};
    }
    qsort(scratch, front->n_points, sizeof *scratch, compare_ranked);
    size_t rank = 0;
    for (size_t i = 0; i < front->n_points; i++) {
        rank += i > 0 && scratch[i].value > scratch[i - 1].value;
        ranks->ranks[scratch[i].point * front->n_objectives + objective] = rank;
    }
    ranks->distinct[objective] = rank + 1;
}

bool pv_i_ranks_create(const pv_front *front, pv_ranks *ranks)
{
    pv_ranks made = {.n_points = front->n_points, .n_objectives = front->n_objectives};
    ranked *const scratch = PV_NEW_ARRAY(ranked, front->n_points);
    made.ranks = pv_i_array(front->n_points, front->n_objectives * sizeof *made.ranks);
    const bool ok = scratch != NULL && made.ranks != NULL;
    for (size_t i = 0; ok && i < front->n_objectives; i++) {
        rank_objective(front, i, scratch, &made);
    }
    pv_i_free(scratch);
    if (ok) {
        *ranks = made;
    } else {
        pv_i_free(made.ranks);
    }
    return ok;
}

void pv_i_ranks_free(pv_ranks *ranks)
{
    pv_i_free(ranks->ranks);
    *ranks = (pv_ranks){0};
}

void pv_i_ranks_text(pv_buffer *out, const pv_ranks *ranks, size_t point)
{
    for (size_t i = 0; i < ranks->n_objectives; i++) {
        pv_i_buffer_format(out, "%s%zu", i > 0 ? " " : "",
                           ranks->ranks[point * ranks->n_objectives + i]);
    }
}

/* -------------------------------------------------------------------- sliders */

/* Two of them per objective: the worst that is still shown, and the best. */
static void slider(pv_buffer *out, const pv_front *front, const pv_ranks *ranks, size_t objective,
                   bool best)
{
    const size_t most = ranks->distinct[objective] - 1;
    const bool more = front->objectives[objective].measure->direction == PV_MORE_IS_BETTER;
    const char *const what = best == more ? "at most" : "at least";
    pv_i_buffer_format(out,
                       "<label><span>%s <output></output></span><input type=\"range\" min=\"0\" "
                       "max=\"%zu\" value=\"%zu\" data-o=\"%zu\" data-end=\"%d\" aria-label=\"",
                       what, most, best ? most : 0, objective, best);
    pv_i_front_objective(out, front->objectives[objective]);
    pv_i_buffer_format(out, " %s\"/></label>", what);
}

void pv_i_brush(pv_buffer *out, const pv_front *front, const pv_ranks *ranks)
{
    pv_i_buffer_text(out, "<div id=\"narrow\" hidden>\n<p class=\"counted\"><output id=\"count\">"
                          "</output><button type=\"button\" id=\"reset\">Show all</button>"
                          "<span class=\"soft\">Drag along an axis, or move the sliders, to see "
                          "only the points within.</span></p>\n<div class=\"ranges\">\n");
    for (size_t i = 0; i < front->n_objectives; i++) {
        pv_i_buffer_text(out, "<fieldset><legend>");
        pv_i_front_objective(out, front->objectives[i]);
        pv_i_buffer_text(out, "</legend>");
        slider(out, front, ranks, i, false);
        slider(out, front, ranks, i, true);
        pv_i_buffer_text(out, "</fieldset>\n");
    }
    pv_i_buffer_text(out, "</div></div>\n");
}
