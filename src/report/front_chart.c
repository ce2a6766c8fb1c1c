/* The plot of a front: axes, the stairs between what can be had and what cannot, the points, and
 * names for those worth a look. */
#include "report/front_chart.h"

#include "base/markup.h"
#include "report/front_axis.h"
#include "report/front_words.h"

#include <math.h>
#include <string.h>

enum {
    RIGHT = 30,
    TICK_ROOM_X = 40, /* between numbers, about */
    TICK_ROOM_Y = 45,
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

/* ----------------------------------------------------------------------- axes */

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

/* The numbers at the left take as much room as the widest of them needs. */
static void lay_out_axes(pv_buffer *out, plot *p, pv_svg_box box)
{
    const double top = box.y + p->letters + 14;
    const double bottom = box.y + box.height - p->letters * 2.4 - 14;
    p->y = pv_i_front_axis(p->front, p->profile, p->objective,
                           (size_t)((bottom - top) / TICK_ROOM_Y), bottom, top);
    p->y.letters = p->letters * PV_SVG_TICK_LETTERS;
    const double left = box.x + fmax(pv_i_svg_tick_room(out, &p->y), 30) + 4;
    const double right = box.x + box.width - RIGHT;
    p->x = pv_i_front_axis(p->front, p->profile, 0, (size_t)((right - left) / TICK_ROOM_X), left,
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

/* --------------------------------------------------------------------- stairs */

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

/* -------------------------------------------------------------------- unproven */

/* Cuts: below a point, down to what is proven that nothing undercuts. */
static void draw_unproven(pv_buffer *out, const plot *p, size_t point)
{
    const double bound =
        pv_i_front_shown(p->front, p->profile, p->objective, p->front->points[point].bound);
    if (pv_front_has_cuts(p->front) && pv_front_gap(p->front, point) > 0) {
        pv_i_svg_line(out, "unproven", x_of(p, point), y_of(p, point), x_of(p, point),
                      pv_i_svg_at(&p->y, fmax(bound, p->y.broken_low ? p->y.below : p->y.min)));
    }
}

/* --------------------------------------------------------------------- points */

static void draw_diamond(pv_buffer *out, double x, double y)
{
    pv_i_svg_path_begin(out, "dot diamond", x - KNEE, y);
    pv_i_svg_path_to(out, x, y - KNEE);
    pv_i_svg_path_to(out, x + KNEE, y);
    pv_i_svg_path_to(out, x, y + KNEE);
    pv_i_buffer_char(out, 'Z');
    pv_i_svg_path_end(out);
}

/* Beside parallel coordinates the points have the colours of their lines there. */
static void point_begin(pv_buffer *out, const plot *p, size_t point)
{
    pv_i_buffer_text(out, "<g class=\"point");
    if (p->front->n_objectives > 2) {
        pv_i_buffer_format(
            out, " shaded s%u",
            pv_i_front_shade(p->front, p->profile, 0, &p->x, p->front->points[point].values[0]));
    }
    pv_i_buffer_format(out, "\" data-p=\"%zu\" tabindex=\"0\" role=\"img\"><title>", point);
}

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
    point_begin(out, p, point);
    pv_i_front_escape(out, &words);
    pv_i_buffer_text(out, "</title>");
    pv_i_svg_circle(out, "hit", x, y, radius_of(p) * 2.5);
    if (name == NULL) {
        pv_i_svg_circle(out, "dot", x, y, radius_of(p));
    } else if (strcmp(name, "knee") == 0) {
        draw_diamond(out, x, y);
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

/* "knee: k 13" */
static void name_text(pv_buffer *out, const plot *p, const pv_suggestion *suggestion)
{
    pv_i_buffer_format(out, "%s: ", suggestion->name);
    pv_i_front_objective(out, p->front->objectives[0]);
    pv_i_buffer_char(out, ' ');
    pv_i_front_value(out, p->front, p->profile, 0, p->front->points[suggestion->point].values[0]);
}

/* The knee first: should there be no room for all, its name stays. */
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

/* Towards the better side of both axes there is nothing, hence most likely room for a name. */
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
        name_text(&texts[i], p, suggestion);
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
    pv_i_buffer_text(&words, " upwards; every mark is a scheme, ");
    pv_i_buffer_count(&words, front->n_points);
    pv_i_buffer_text(&words, " in all.");
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_format(&words, " %s: ", suggestions[i].name);
        pv_i_front_point(&words, front, profile, suggestions[i].point);
        pv_i_buffer_char(&words, '.');
    }
    pv_i_buffer_text(out, "<desc>");
    pv_i_front_escape(out, &words);
    pv_i_buffer_text(out, "</desc>");
}
