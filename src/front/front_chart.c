/* The plot of a front: axes, the stairs between what can be had and what cannot, the points, and
 * names for those worth a look. */
#include "front/front_chart.h"

#include "base/svg_markup.h"
#include "front/front_axis.h"
#include "front/front_words.h"

#include <math.h>
#include <string.h>

enum {
    LEFT = 58, /* room for the numbers of the axes */
    RIGHT = 22,
    TOP = 30,
    BOTTOM = 46,
    TICK_ROOM_X = 45, /* between numbers */
    TICK_ROOM_Y = 45,
    RADIUS = 4,
    KNEE = 8, /* half the diagonal of its diamond */
};

const char pv_i_front_chart_style[] =
    ".stairs{fill:none;stroke:var(--after);stroke-width:1.5;opacity:.5}\n"
    ".point{outline:none}.point circle{fill:var(--after);stroke:var(--card);stroke-width:1}\n"
    ".point .hit{fill:transparent;stroke:none}\n"
    ".point .ring{fill:var(--card);stroke:var(--ink);stroke-width:2}\n"
    ".point .diamond{fill:var(--ink);stroke:var(--card);stroke-width:1.5}\n"
    ".point:hover .dot,.point:focus .dot,.point.on .dot{stroke:var(--ink);stroke-width:3;"
    "paint-order:stroke}\n"
    ".unproven{stroke:var(--after);stroke-width:2;opacity:.3}\n"
    ".chart .name{font-weight:600;paint-order:stroke;stroke:var(--card);stroke-width:4px;"
    "stroke-linejoin:round}\n"
    ".chart .what{fill:var(--soft)}\n";

typedef struct plot {
    const pv_front *front;
    const pv_profile *profile;
    size_t objective; /* of the vertical axis */
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

static void axis_name(pv_buffer *out, const plot *p, size_t objective, pv_svg_anchor anchor,
                      double x, double y)
{
    const pv_measure *const measure = p->front->objectives[objective].measure;
    pv_i_svg_text_begin(out, "what", anchor, x, y);
    pv_i_front_objective(out, p->front->objectives[objective]);
    pv_i_buffer_text(out, pv_measure_reads_as_share(measure, p->profile) ? " as a share" : "");
    pv_i_buffer_text(out, pv_i_is_class_size(measure) ? ", logarithmic" : "");
    pv_i_buffer_text(out, measure->direction == PV_MORE_IS_BETTER ? " (more is better)"
                                                                  : " (less is better)");
    pv_i_svg_text_end(out);
}

static void draw_axes(pv_buffer *out, const plot *p, pv_svg_box box)
{
    const double right = p->x.to;
    pv_i_svg_axis_y(out, &p->y, p->x.from, right);
    pv_i_svg_axis_x(out, &p->x, p->y.to, p->y.from);
    axis_name(out, p, p->objective, PV_SVG_START, box.x + 2, box.y + 14);
    axis_name(out, p, 0, PV_SVG_END, right, box.y + box.height - 8);
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
                      pv_i_svg_at(&p->y, fmax(bound, p->y.min)));
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
    pv_i_buffer_format(out, "\" data-p=\"%zu\" tabindex=\"0\"><title>", point);
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

/* Towards the better side of both axes there is nothing, hence room for a name. */
static void draw_name(pv_buffer *out, const plot *p, const pv_suggestion *suggestion)
{
    const pv_front *const front = p->front;
    const bool right = front->objectives[0].measure->direction == PV_MORE_IS_BETTER;
    const bool up = front->objectives[p->objective].measure->direction == PV_MORE_IS_BETTER;
    pv_i_svg_text_begin(out, "name", right ? PV_SVG_START : PV_SVG_END,
                        x_of(p, suggestion->point) + (right ? 10 : -10),
                        y_of(p, suggestion->point) + (up ? -8 : 16));
    pv_i_buffer_format(out, "%s: ", suggestion->name);
    pv_i_front_objective(out, front->objectives[0]);
    pv_i_buffer_char(out, ' ');
    pv_buffer value = {0};
    pv_i_front_value(&value, front, p->profile, 0, front->points[suggestion->point].values[0]);
    pv_i_front_escape(out, &value);
    pv_i_svg_text_end(out);
}

/* ----------------------------------------------------------------------- plot */

void pv_i_front_chart(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                      size_t objective, pv_svg_box box)
{
    if (front->n_points == 0) {
        pv_i_svg_text(out, "what", PV_SVG_MIDDLE, box.x + box.width / 2, box.y + box.height / 2,
                      "no scheme was found");
        return;
    }
    const double width = box.width - LEFT - RIGHT;
    const double height = box.height - TOP - BOTTOM;
    plot p = {.front = front, .profile = profile, .objective = objective};
    p.x = pv_i_front_axis(front, profile, 0, (size_t)(width / TICK_ROOM_X), box.x + LEFT,
                          box.x + LEFT + width);
    p.y = pv_i_front_axis(front, profile, objective, (size_t)(height / TICK_ROOM_Y),
                          box.y + TOP + height, box.y + TOP);
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
        if (objective == pv_front_price(front)) { /* elsewhere they may lie anywhere */
            draw_name(out, &p, &p.suggestions[i]);
        }
    }
}
