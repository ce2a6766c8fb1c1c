/* The plot of a front, and the axes that all pictures of fronts share.
 *
 *     loss |o                 A front from k=1 on begins with the table as it is, which is far from
 *          |//                all that is safe: axes are broken for it, so that the points among
 *          |   o___           which one chooses have the space. Sizes of classes are drawn by their
 *          |       o__        logarithm.
 *          |          o----o
 *          +-o-//-----------   The stairs divide what can be had from what cannot: whoever demands
 *            1    5   20  k    a little more than a point gives must take the next one. */
#include "report/front_view.h"

#include "base/markup.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ----------------------------------------------------------------------- axes */

typedef struct range {
    double smallest, largest;
} range;

/* Of all points, or of those in which nobody is alone. */
static range range_of(const pv_front *front, const pv_profile *profile, size_t objective, bool safe)
{
    range r = {(double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < front->n_points; i++) {
        if (!safe || front->points[i].k > 1) {
            const double value = front->points[i].values[objective];
            const double shown = pv_i_front_shown(front, profile, objective, value);
            r.smallest = fmin(r.smallest, shown);
            r.largest = fmax(r.largest, shown);
        }
    }
    return r;
}

/* Is k traded, and are the points in which somebody is alone so few that they may be set aside?
 * Mostly there is one; with more objectives there can be as many as others. */
static bool few_are_unsafe(const pv_front *front)
{
    size_t unsafe = 0;
    bool trades_k = false;
    for (size_t i = 0; i < front->n_points; i++) {
        unsafe += front->points[i].k <= 1;
    }
    for (size_t i = 0; i < front->n_objectives; i++) {
        trades_k = trades_k || front->objectives[i].measure->class_size;
    }
    return trades_k && (unsafe <= 2 || unsafe <= front->n_points / 20);
}

/* A front from k=1 on begins with the table as it is, which is far from all that is safe: where it
 * would take more than this of an axis for itself, the axis is broken. */
#define FAR 0.25

static double length_of(double from, double to, bool logarithmic)
{
    return logarithmic ? log(to / from) : to - from;
}

/* How much of an axis of all would be left unused by the values that have one of their own. */
static double unused(const pv_svg_axis *own, range all)
{
    const double whole =
        length_of(fmin(all.smallest, own->min), fmax(all.largest, own->max), own->logarithmic);
    return 1 - length_of(own->min, own->max, own->logarithmic) / whole;
}

pv_svg_axis pv_i_front_axis(const pv_front *front, const pv_profile *profile, size_t objective,
                            size_t ticks, double from, double to)
{
    const pv_measure *const measure = front->objectives[objective].measure;
    const range all = range_of(front, profile, objective, false);
    const range safe = range_of(front, profile, objective, true);
    const pv_svg_unit unit =
        pv_measure_reads_as_share(measure, profile) ? PV_SVG_PERCENT : PV_SVG_NUMBER;
    /* Sizes differ by factors, unless there are none. From 1 to 2 is no gap. */
    const bool logarithmic = measure->class_size && !(all.smallest <= 0);
    const bool next = logarithmic && safe.smallest <= 2 * all.smallest;
    if (few_are_unsafe(front) && safe.smallest < safe.largest && !next) {
        /* A broken axis says that it does not begin at 0. */
        const pv_svg_axis own =
            logarithmic ? pv_i_svg_log_axis(safe.smallest, safe.largest, ticks, from, to)
                        : pv_i_svg_near_axis(safe.smallest, safe.largest, ticks, unit, from, to);
        if (unused(&own, all) >= FAR) {
            return pv_i_svg_break(own, all.smallest, all.largest);
        }
    }
    return logarithmic ? pv_i_svg_log_axis(all.smallest, all.largest, ticks, from, to)
                       : pv_i_svg_range_axis(all.smallest, all.largest, ticks, unit, from, to);
}

unsigned pv_i_front_shade(const pv_front *front, const pv_profile *profile, size_t objective,
                          const pv_svg_axis *axis, double value)
{
    const double shown = pv_i_front_shown(front, profile, objective, value);
    const double place = (pv_i_svg_at(axis, shown) - axis->from) / (axis->to - axis->from);
    const bool more = front->objectives[objective].measure->direction == PV_MORE_IS_BETTER;
    const double step = floor((more ? place : 1 - place) * PV_SHADES);
    return (unsigned)fmin(fmax(step, 0), PV_SHADES - 1);
}

static_assert(PV_MAX_TICKS == PV_SVG_MAX_TICKS, "the same axis on paper and on a terminal");

void pv_front_axis(const pv_front *front, const pv_profile *profile, size_t objective, size_t ticks,
                   pv_axis *axis)
{
    const pv_svg_axis drawn = pv_i_front_axis(front, profile, objective, ticks, 0, 1);
    double values[PV_SVG_MAX_TICKS];
    *axis = (pv_axis){.unit = 1 / pv_i_front_shown(front, profile, objective, 1),
                      .from = drawn.min,
                      .to = drawn.max,
                      .as_share = drawn.unit == PV_SVG_PERCENT,
                      .logarithmic = drawn.logarithmic,
                      .broken_low = drawn.broken_low,
                      .broken_high = drawn.broken_high,
                      .below = drawn.below,
                      .above = drawn.above,
                      .n_ticks = pv_i_svg_ticks(&drawn, values)};
    for (size_t i = 0; i < axis->n_ticks; i++) {
        axis->ticks[i] = (pv_tick){.shown = values[i], .place = pv_i_svg_at(&drawn, values[i])};
    }
}

double pv_axis_place(const pv_axis *axis, double value)
{
    const pv_svg_axis drawn = {.min = axis->from,
                               .max = axis->to,
                               .from = 0,
                               .to = 1,
                               .logarithmic = axis->logarithmic,
                               .broken_low = axis->broken_low,
                               .broken_high = axis->broken_high,
                               .below = axis->below,
                               .above = axis->above};
    return pv_i_svg_at(&drawn, value / axis->unit);
}

/* ----------------------------------------------------------------------- plot */

enum {
    RIGHT = 30,
    TICK_SPACE_X = 40, /* between numbers, about */
    TICK_SPACE_Y = 45,
    RADIUS = 4,
    KNEE = 8, /* half the diagonal of its diamond */
};

typedef struct plot {
    const pv_front *front;
    const pv_profile *profile;
    size_t objective; /* of the vertical axis */
    double letters;   /* their height */
    pv_svg_axis x, y;
    pv_suggestion suggestions[PV_MAX_SUGGESTIONS];
    size_t n_suggestions;
} plot;

static double x_of(const plot *p, size_t point)
{
    const double value = p->front->points[point].values[0];
    return pv_i_svg_at(&p->x, pv_i_front_shown(p->front, p->profile, 0, value));
}

static double y_of(const plot *p, size_t point)
{
    const double value = p->front->points[point].values[p->objective];
    return pv_i_svg_at(&p->y, pv_i_front_shown(p->front, p->profile, p->objective, value));
}

static void axis_name(pv_buffer *out, const plot *p, size_t objective, const pv_svg_axis *axis,
                      pv_svg_anchor anchor, double x, double y)
{
    const pv_measure *const measure = p->front->objectives[objective].measure;
    pv_i_svg_text_begin(out, "what", anchor, x, y);
    pv_i_front_objective(out, p->front->objectives[objective]);
    pv_i_buffer_text(out, pv_measure_reads_as_share(measure, p->profile) ? " as a share" : "");
    pv_i_buffer_text(out, axis->logarithmic ? ", logarithmic" : "");
    pv_i_buffer_text(out, measure->direction == PV_MORE_IS_BETTER ? " (more is better"
                                                                  : " (less is better");
    pv_i_buffer_text(out, axis->broken_low || axis->broken_high ? ", axis broken)" : ")");
    pv_i_svg_text_end(out);
}

/* The numbers at the left take as much space as the widest of them needs. */
static void lay_out_axes(pv_buffer *out, plot *p, pv_svg_box box)
{
    const double top = box.y + p->letters + 14;
    const double bottom = box.y + box.height - p->letters * 2.4 - 14;
    p->y = pv_i_front_axis(p->front, p->profile, p->objective,
                           (size_t)((bottom - top) / TICK_SPACE_Y), bottom, top);
    p->y.letters = p->letters * PV_SVG_TICK_LETTERS;
    const double left = box.x + fmax(pv_i_svg_tick_width(out, &p->y), 30) + 4;
    const double right = box.x + box.width - RIGHT;
    p->x = pv_i_front_axis(p->front, p->profile, 0, (size_t)((right - left) / TICK_SPACE_X), left,
                           right);
    p->x.letters = p->y.letters;
}

static void draw_axes(pv_buffer *out, const plot *p, pv_svg_box box)
{
    pv_i_svg_axis_y(out, &p->y, p->x.from, p->x.to);
    pv_i_svg_axis_x(out, &p->x, p->y.to, p->y.from);
    axis_name(out, p, p->objective, &p->y, PV_SVG_START, box.x + 2, box.y + p->letters + 1);
    axis_name(out, p, 0, &p->x, PV_SVG_END, p->x.to, box.y + box.height - 8);
}

/* Whoever demands a little more than a point gives must take the next one: the border of what can
 * be had rises at a point and runs level to the next. Only points that are non-dominated in these
 * two objectives are on it. */
static void draw_stairs(pv_buffer *out, const plot *p)
{
    const pv_front *const front = p->front;
    size_t at = front->n_points - 1;
    pv_i_svg_path_begin(out, "stairs", x_of(p, at), y_of(p, at));
    for (size_t i = at; i-- > 0;) {
        if (pv_i_front_better(front, p->objective, front->points[i].values[p->objective],
                              front->points[at].values[p->objective])) {
            pv_i_svg_path_to(out, x_of(p, i), y_of(p, at));
            pv_i_svg_path_to(out, x_of(p, i), y_of(p, i));
            at = i;
        }
    }
    pv_i_svg_path_end(out);
}

/* Below a point, down to what is proven that nothing undercuts. */
static void draw_unproven(pv_buffer *out, const plot *p, size_t point)
{
    const double bound =
        pv_i_front_shown(p->front, p->profile, p->objective, p->front->points[point].bound);
    if (pv_front_has_bounds(p->front) && p->objective == pv_front_bounded(p->front) &&
        pv_front_gap(p->front, point) > 0) {
        pv_i_svg_line(out, "unproven", x_of(p, point), y_of(p, point), x_of(p, point),
                      pv_i_svg_at(&p->y, fmax(bound, p->y.broken_low ? p->y.below : p->y.min)));
    }
}

/* --------------------------------------------------------------------- points */

/* Points that lose in these two objectives but win in another crowd the plot: they are smaller the
 * more there are. */
static double radius_of(const plot *p)
{
    const size_t n = p->front->n_objectives > 2 ? p->front->n_points : 0;
    return n > 1000 ? RADIUS - 2 : n > 100 ? RADIUS - 1 : RADIUS;
}

/* A point is easier to meet with the mouse than it is large. */
static void draw_point(pv_buffer *out, const plot *p, size_t point)
{
    const char *const name = pv_suggestion_name(p->suggestions, p->n_suggestions, point);
    const double x = x_of(p, point);
    const double y = y_of(p, point);
    pv_buffer words = {0};
    pv_i_front_point(&words, p->front, p->profile, point);
    pv_i_buffer_text(out, "<g class=\"point");
    if (p->front->n_objectives > 2) { /* the colour of its line in parallel coordinates */
        pv_i_buffer_format(
            out, " shaded s%u",
            pv_i_front_shade(p->front, p->profile, 0, &p->x, p->front->points[point].values[0]));
    }
    pv_i_buffer_format(out, "\" data-p=\"%zu\" tabindex=\"0\" role=\"img\"><title>", point);
    pv_i_front_escape(out, &words);
    pv_i_buffer_text(out, "</title>");
    pv_i_svg_circle(out, "hit", x, y, radius_of(p) * 2.5);
    if (name == NULL) {
        pv_i_svg_circle(out, "dot", x, y, radius_of(p));
    } else if (strcmp(name, "knee") == 0) { /* a diamond */
        pv_i_svg_path_begin(out, "dot diamond", x - KNEE, y);
        pv_i_svg_path_to(out, x, y - KNEE);
        pv_i_svg_path_to(out, x + KNEE, y);
        pv_i_svg_path_to(out, x, y + KNEE);
        pv_i_buffer_char(out, 'Z');
        pv_i_svg_path_end(out);
    } else {
        pv_i_svg_circle(out, "dot ring", x, y, RADIUS + 1);
    }
    pv_i_buffer_text(out, "</g>\n");
}

/* ---------------------------------------------------------------------- names */

/* How many points a name would hide; in a crowd it is no use to go elsewhere. */
#define CROWD 3.0

static double hidden_points(const void *context, pv_svg_box box)
{
    const plot *const p = context;
    const double edge = radius_of(p);
    size_t n = 0;
    for (size_t i = 0; i < p->front->n_points; i++) {
        const double x = x_of(p, i);
        const double y = y_of(p, i);
        n += x + edge > box.x && x - edge < box.x + box.width && y + edge > box.y &&
             y - edge < box.y + box.height;
    }
    return fmin((double)n, CROWD);
}

/* The knee first: should there be no space for all, its name stays. */
static size_t by_importance(const plot *p, size_t order[PV_MAX_SUGGESTIONS])
{
    size_t n = 0;
    for (int knees = 1; knees >= 0; knees--) {
        for (size_t i = 0; i < p->n_suggestions; i++) {
            if ((strcmp(p->suggestions[i].name, "knee") == 0) == (knees == 1)) {
                order[n++] = i;
            }
        }
    }
    return n;
}

/* Towards the better side of both axes there is nothing, hence most likely space for a name. */
static void draw_names(pv_buffer *out, const plot *p)
{
    const pv_front *const front = p->front;
    const pv_svg_box within = {p->x.from, p->y.to, p->x.to - p->x.from, p->y.from - p->y.to};
    pv_buffer texts[PV_MAX_SUGGESTIONS] = {{0}};
    pv_svg_label labels[PV_MAX_SUGGESTIONS];
    size_t order[PV_MAX_SUGGESTIONS];
    const size_t n = by_importance(p, order);
    for (size_t i = 0; i < n; i++) {
        const pv_suggestion *const suggestion = &p->suggestions[order[i]];
        pv_i_buffer_format(&texts[i], "%s: ", suggestion->name); /* "knee: k 13" */
        pv_i_front_objective(&texts[i], front->objectives[0]);
        pv_i_buffer_char(&texts[i], ' ');
        pv_i_front_value(&texts[i], front, p->profile, 0,
                         front->points[suggestion->point].values[0]);
        out->failed = out->failed || texts[i].failed;
        labels[i] = (pv_svg_label){
            .text = texts[i].data != NULL ? texts[i].data : "",
            .x = x_of(p, suggestion->point),
            .y = y_of(p, suggestion->point),
            .away = KNEE + 3,
            .letters = p->letters * 1.1, /* they are bold */
            .left = front->objectives[0].measure->direction != PV_MORE_IS_BETTER,
            .up = front->objectives[p->objective].measure->direction == PV_MORE_IS_BETTER};
    }
    pv_i_svg_place_labels(labels, n, within, hidden_points, p);
    for (size_t i = 0; i < n; i++) {
        pv_i_svg_label(out, "name", &labels[i]);
        pv_i_buffer_deinit(&texts[i]);
    }
}

/* ----------------------------------------------------------------------- plot */

void pv_i_front_chart(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                      size_t objective, double letters, pv_svg_box box)
{
    if (front->n_points == 0) {
        pv_i_svg_text(out, "what", PV_SVG_MIDDLE, box.x + box.width / 2, box.y + box.height / 2,
                      "no scheme was found");
        return;
    }
    plot p = {.front = front, .profile = profile, .objective = objective, .letters = letters};
    lay_out_axes(out, &p, box);
    p.n_suggestions = pv_front_suggest(front, p.suggestions);
    draw_axes(out, &p, box);
    draw_stairs(out, &p);
    for (size_t i = 0; i < front->n_points; i++) {
        draw_unproven(out, &p, i);
    }
    for (size_t i = 0; i < front->n_points; i++) {
        if (pv_suggestion_name(p.suggestions, p.n_suggestions, i) == NULL) {
            draw_point(out, &p, i);
        }
    }
    for (size_t i = 0; i < p.n_suggestions; i++) { /* on top of the others */
        draw_point(out, &p, p.suggestions[i].point);
    }
    draw_names(out, &p);
}

void pv_i_front_chart_description(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                                  size_t objective)
{
    pv_suggestion suggestions[PV_MAX_SUGGESTIONS];
    const size_t n = pv_front_suggest(front, suggestions);
    pv_buffer words = {0};
    pv_i_front_objective(&words, front->objectives[0]);
    pv_i_buffer_text(&words, " to the right against ");
    pv_i_front_objective(&words, front->objectives[objective]);
    pv_i_buffer_format(&words, " upwards; every mark is a scheme, %s in all.",
                       PV_COUNT(front->n_points));
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_format(&words, " %s: ", suggestions[i].name);
        pv_i_front_point(&words, front, profile, suggestions[i].point);
        pv_i_buffer_char(&words, '.');
    }
    pv_i_buffer_text(out, "<desc>");
    pv_i_front_escape(out, &words);
    pv_i_buffer_text(out, "</desc>");
}
