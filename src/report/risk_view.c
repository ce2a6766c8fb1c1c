/* Risk against the detail that is kept: one curve per model of risk, as a picture in a file of its
 * own and as a page with the numbers.
 *
 *     risk |          , -'    worst: the person most at risk, dashed
 *          |     , -'
 *          |  _.-o----o--o    mean over people, a point for every share of detail asked for
 *          +---------------
 *            detail kept      Each model has units of its own, so each gets axes of its own. */
#include "base/file.h"
#include "base/markup.h"
#include "records/disclosure.h"
#include "report/page_frame.h"
#include "report/svg.h"

#include <math.h>
#include <stdint.h>

enum { TICK_SPACE_X = 60, TICK_SPACE_Y = 40, DOT = 4 };

typedef struct {
    const pv_risk_curve *curve;
    size_t number; /* of the curve */
    double letters;
    pv_svg_axis x, y;
} plot;

/* Risks that are never negative differ by factors. */
static pv_svg_axis risk_axis(const pv_risk_curve *curve, size_t ticks, double from, double to)
{
    double least = 0; /* of all, and of those above 0 */
    double least_above = (double)INFINITY;
    double most = 0;
    for (size_t i = 0; i < curve->n_points; i++) {
        const double mean = curve->points[i].mean;
        least = fmin(least, mean);
        least_above = mean > 0 ? fmin(least_above, mean) : least_above;
        most = fmax(most, curve->points[i].most);
    }
    return least >= 0 && isfinite(least_above)
               ? pv_i_svg_decade_axis(least_above, most, ticks, from, to)
               : pv_i_svg_range_axis(least, most, ticks, PV_SVG_NUMBER, from, to);
}

static double value_of(const pv_risk_point *point, bool worst)
{
    return worst ? point->most : point->mean;
}

/* A risk of 0 has no place on a logarithmic axis: the line begins after it, and is interrupted. */
static void draw_line(pv_buffer *out, const plot *p, const char *class_name, bool worst)
{
    const pv_risk_point *const points = p->curve->points;
    bool drawing = false;
    pv_i_buffer_format(out, "<g class=\"tell\"><title>%s</title>",
                       worst ? "the risk of the worst person" : "the mean risk of all people");
    for (size_t i = 0; i < p->curve->n_points; i++) {
        const double value = value_of(&points[i], worst);
        const double x = pv_i_svg_at(&p->x, points[i].kept);
        const double y = pv_i_svg_at(&p->y, value);
        if (!pv_i_svg_shows(&p->y, value)) {
            if (drawing) {
                pv_i_svg_path_end(out);
            }
            drawing = false;
        } else if (drawing) {
            pv_i_svg_path_to(out, x, y);
        } else {
            pv_i_svg_path_begin(out, class_name, x, y);
            drawing = true;
        }
    }
    if (drawing) {
        pv_i_svg_path_end(out);
    }
    pv_i_buffer_text(out, "</g>\n");
}

/* A point is easier to meet with the mouse than it is large, and says in words what it is. */
static void draw_point(pv_buffer *out, const plot *p, size_t index)
{
    const pv_risk_point *const point = &p->curve->points[index];
    const double x = pv_i_svg_at(&p->x, point->kept);
    const double y = pv_i_svg_at(&p->y, point->mean);
    pv_i_buffer_format(out,
                       "<g class=\"risk\" data-p=\"%zu-%zu\" tabindex=\"0\" role=\"img\">"
                       "<title>%s of the detail asked for, %s kept; mean risk %s, worst %s</title>",
                       p->number, index, PV_PERCENT(point->asked), PV_PERCENT(point->kept),
                       PV_FIGURE(point->mean), PV_FIGURE(point->most));
    pv_i_svg_circle(out, "hit", x, y, DOT * 2.5);
    pv_i_svg_circle(out, "dot", x, y, DOT);
    pv_i_buffer_text(out, "</g>\n");
}

/* The last point of a line that is drawn; SIZE_MAX if there is none. */
static size_t end_of(const plot *p, bool worst)
{
    size_t end = SIZE_MAX;
    for (size_t i = 0; i < p->curve->n_points; i++) {
        end = pv_i_svg_shows(&p->y, value_of(&p->curve->points[i], worst)) ? i : end;
    }
    return end;
}

static const char *const end_names[] = {"mean", "worst"};

static void draw_ends(pv_buffer *out, const plot *p)
{
    double at[2];
    double places[2];
    for (size_t i = 0; i < 2; i++) {
        const size_t end = end_of(p, i == 1);
        if (end == SIZE_MAX) {
            return;
        }
        at[i] = pv_i_svg_at(&p->y, value_of(&p->curve->points[end], i == 1));
        places[i] = at[i];
    }
    const size_t shown =
        pv_i_svg_spread(places, 2, p->letters * 1.2, p->y.to + p->letters * 0.3, p->y.from);
    for (size_t i = 0; i < shown; i++) {
        const double x = pv_i_svg_at(&p->x, p->curve->points[end_of(p, i == 1)].kept);
        pv_i_svg_line(out, "leader", x + DOT + 2, at[i], p->x.to + 10, places[i]);
        pv_i_svg_text(out, "end", PV_SVG_START, p->x.to + 13, places[i] + p->letters * 0.33,
                      end_names[i]);
    }
}

static void draw_words(pv_buffer *out, const plot *p, pv_svg_box box)
{
    const double y = box.y + p->letters + 1;
    size_t n = 0;
    for (size_t i = 0; i < p->curve->n_points; i++) {
        n += !pv_i_svg_shows(&p->y, p->curve->points[i].mean);
    }
    pv_i_svg_text(out, "what", PV_SVG_START, box.x + 2, y,
                  p->y.logarithmic ? "risk, logarithmic (less is better)"
                                   : "risk (less is better)");
    pv_i_svg_text(out, "what", PV_SVG_END, p->x.to, box.y + box.height - 8,
                  "detail kept, mean over people (more is better)");
    if (n > 0) {
        pv_i_svg_text_begin(out, "what", PV_SVG_END, box.x + box.width - 2, y);
        pv_i_buffer_format(out, "not drawn: %zu with risk 0", n);
        pv_i_svg_text_end(out);
    }
}

/* "Model I: ..." */
static void risk_title(pv_buffer *out, const pv_risk_curve *curve)
{
    pv_i_buffer_format(out, "Model %s: ", pv_risk_name(curve->risk));
    pv_i_markup_text(out, pv_risk_summary(curve->risk));
}

/* Points carry the number of the curve and their own (data-p="0-3"), and in words what they are. */
static void risk_chart(pv_buffer *out, const pv_risk_curve *curve, size_t number, double letters,
                       pv_svg_box box)
{
    const double top = box.y + letters + 14;
    const double bottom = box.y + box.height - letters * 2.4 - 14;
    const double right = box.x + box.width - pv_i_svg_text_width("worst", letters * 1.1) - 16;
    plot p = {.curve = curve, .number = number, .letters = letters};
    p.y = risk_axis(curve, (size_t)((bottom - top) / TICK_SPACE_Y), bottom, top);
    p.y.letters = letters * PV_SVG_TICK_LETTERS;
    const double left = box.x + fmax(pv_i_svg_tick_width(out, &p.y), 30) + 4;
    p.x = pv_i_svg_axis(1, (size_t)((right - left) / TICK_SPACE_X), PV_SVG_PERCENT, left, right);
    p.x.letters = p.y.letters;
    pv_i_svg_axis_y(out, &p.y, p.x.from, p.x.to);
    pv_i_svg_axis_x(out, &p.x, p.y.to, p.y.from);
    draw_words(out, &p, box);
    if (curve->n_points == 0) {
        return;
    }
    draw_line(out, &p, "most", true);
    draw_line(out, &p, "mean", false);
    draw_ends(out, &p);
    for (size_t i = 0; i < curve->n_points; i++) {
        if (pv_i_svg_shows(&p.y, curve->points[i].mean)) {
            draw_point(out, &p, i);
        }
    }
}

enum { WIDTH = 780, TALL = 330, TITLE = 34, EDGE = 10, PAGE_WIDTH = 680, PAGE_TALL = 290 };

/* ---------------------------------------------------------------- picture */

static void picture(pv_buffer *out, const pv_risk_curve *curve, size_t number, double top)
{
    pv_i_svg_text_begin(out, "title", PV_SVG_START, EDGE + 2, top + 24);
    risk_title(out, curve);
    pv_i_svg_text_end(out);
    risk_chart(out, curve, number, PV_SVG_FILE_LETTERS,
               (pv_svg_box){EDGE, top + TITLE, WIDTH - 2 * EDGE, TALL - TITLE - EDGE});
}

pv_status pv_risk_front_svg(const pv_risk_front *front, char **svg, pv_error *error)
{
    const pv_asset *const style[] = {&pv_i_palette_css, &pv_i_chart_css, &pv_i_risk_chart_css,
                                     &pv_i_risk_file_css, NULL};
    const double height = TALL * (double)front->n_curves;
    pv_buffer out = {0};
    pv_i_svg_file_begin(&out, WIDTH, height, "chart", "Risk against the detail kept", style);
    pv_i_buffer_text(&out, "<desc>One picture per model of risk: the detail that is kept to the "
                           "right, the risk that is left upwards, as a mean over people and of the "
                           "worst person.</desc>");
    pv_i_svg_rect(&out, "paper", (pv_svg_box){0, 0, WIDTH, height}, 0);
    for (size_t i = 0; i < front->n_curves; i++) {
        picture(&out, &front->curves[i], i, TALL * (double)i);
    }
    pv_i_svg_end(&out);
    return pv_i_buffer_take(&out, svg, error);
}

/* ------------------------------------------------------------------- page */

static void header(pv_buffer *out, const pv_risk_front *front, const pv_profile *profile)
{
    const pv_table *const table = pv_study_table(pv_profile_study(profile));
    pv_i_page_header_begin(out, "Paravent disclosure record by record",
                           pv_i_base_name(pv_table_source(table)),
                           front->stopped ? PV_PAGE_WARN : PV_PAGE_GOOD);
    pv_i_buffer_format(
        out,
        "<h1>%s risk is left to %s %s at which detail</h1>\n<p class=\"soft\">At "
        "every point each person is shown at the least risk that leaves them so "
        "much of their detail; detail is %s: ",
        front->stopped ? "<b>Interrupted:</b> what" : "What", PV_COUNT(pv_profile_rows(profile)),
        pv_profile_rows(profile) == 1 ? "person" : "people", pv_utility_name(front->utility));
    pv_i_markup_text(out, pv_utility_summary(front->utility));
    pv_i_buffer_text(out, ".</p>\n");
    pv_i_page_header_end(out);
}

static void figure(pv_buffer *out, const pv_risk_curve *curve, size_t number)
{
    pv_i_buffer_text(out, "<figure><figcaption>");
    risk_title(out, curve);
    pv_i_buffer_format(out, "<span>As the table is: mean %s, worst %s", PV_FIGURE(curve->mean_raw),
                       PV_FIGURE(curve->most_raw));
    pv_i_buffer_text(out, curve->risk == PV_RISK_III
                              ? ". Not monotone: hiding more can raise this risk, and with nothing "
                                "shown it is 0.</span></figcaption>\n"
                              : ".</span></figcaption>\n");
    pv_i_svg_begin(out, PAGE_WIDTH, PAGE_TALL, "chart fit", "risk against the detail kept");
    risk_chart(out, curve, number, PV_SVG_PAGE_LETTERS, (pv_svg_box){0, 0, PAGE_WIDTH, PAGE_TALL});
    pv_i_svg_end(out);
    pv_i_page_picture_end(out);
}

static void row(pv_buffer *out, const pv_risk_front *front, size_t number, size_t index)
{
    const pv_risk_curve *const curve = &front->curves[number];
    const pv_risk_point *const point = &curve->points[index];
    pv_i_buffer_format(out, "<tr data-p=\"%zu-%zu\"><th scope=\"row\">%s</th>", number, index,
                       pv_risk_name(curve->risk));
    pv_i_page_cell(out, "detail asked for", "n", PV_PERCENT(point->asked));
    pv_i_page_cell(out, "kept", "n", PV_PERCENT(point->kept));
    pv_i_page_cell(out, "mean risk", "n", PV_FIGURE(point->mean));
    pv_i_page_cell(out, "worst risk", "n", PV_FIGURE(point->most));
    pv_i_page_cell(out, "singled out", "n", PV_FIGURE((double)point->unique));
    pv_i_page_cell(out, "exact", "", point->is_exact ? "yes" : "no");
    pv_i_buffer_text(out, "</tr>\n");
}

static void numbers(pv_buffer *out, const pv_risk_front *front)
{
    pv_i_buffer_text(out, "<section><h2>All points</h2>\n<p class=\"lead\">Singled out are people "
                          "whom just one row of what the attacker has fits. Exact: no choice of "
                          "levels is better for anyone.</p>\n");
    pv_i_page_table_begin(out, "<th scope=\"col\">model</th><th scope=\"col\" class=\"n\">detail "
                               "asked for</th><th scope=\"col\" class=\"n\">kept</th>"
                               "<th scope=\"col\" class=\"n\">mean risk</th><th scope=\"col\" "
                               "class=\"n\">worst risk</th><th scope=\"col\" class=\"n\">singled "
                               "out</th><th scope=\"col\">exact</th>");
    for (size_t c = 0; c < front->n_curves; c++) {
        for (size_t i = 0; i < front->curves[c].n_points; i++) {
            row(out, front, c, i);
        }
    }
    pv_i_page_table_end(out);
    pv_i_buffer_text(out, "</section>\n");
}

pv_status pv_risk_front_page(const pv_risk_front *front, const pv_profile *profile, char **html,
                             pv_error *error)
{
    const pv_asset *const styles[] = {&pv_i_risk_chart_css, &pv_i_risk_page_css, NULL};
    const pv_table *const table = pv_study_table(pv_profile_study(profile));
    pv_buffer out = {0};
    pv_i_page_begin(&out, "Risk and detail of", pv_i_base_name(pv_table_source(table)), styles);
    header(&out, front, profile);
    pv_i_buffer_text(&out, "<section><h2>What detail costs</h2>\n<div class=\"pictures\">\n");
    for (size_t i = 0; i < front->n_curves; i++) {
        figure(&out, &front->curves[i], i);
    }
    pv_i_buffer_text(
        &out, "</div>\n<p class=\"hint\">Point at a point to read it; click it, or its row in the "
              "table below, "
              "to keep both marked; click again, or press Escape, to let go.</p></section>\n");
    numbers(&out, front);
    pv_i_page_end_private(&out, "This page holds no value of the table.", NULL);
    return pv_i_buffer_take(&out, html, error);
}
