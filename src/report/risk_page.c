/* The curves of risk against utility as a picture in a file of its own, and as a page with the
 * numbers. */
#include "base/file.h"
#include "base/markup.h"
#include "report/page_frame.h"
#include "report/risk_chart.h"

enum { WIDTH = 780, TALL = 330, TITLE = 34, EDGE = 10, PAGE_WIDTH = 680, PAGE_TALL = 290 };

/* ---------------------------------------------------------------- picture */

static void picture(pv_buffer *out, const pv_risk_curve *curve, size_t number, double top)
{
    pv_i_svg_text_begin(out, "title", PV_SVG_START, EDGE + 2, top + 24);
    pv_i_risk_title(out, curve);
    pv_i_svg_text_end(out);
    pv_i_risk_chart(out, curve, number, PV_SVG_FILE_LETTERS,
                    (pv_svg_box){EDGE, top + TITLE, WIDTH - 2 * EDGE, TALL - TITLE - EDGE});
}

pv_status pv_risk_front_svg(const pv_risk_front *front, char **svg, pv_error *error)
{
    const pv_asset *const style[] = {&pv_i_palette_css, &pv_i_chart_css, &pv_i_risk_chart_css,
                                     &pv_i_risk_file_css, NULL};
    const double height = TALL * (double)front->n_curves;
    pv_buffer out = {0};
    pv_i_svg_file_begin(&out, WIDTH, height, "chart", "Risk against the detail kept", style);
    pv_i_svg_description(&out,
                         "One picture per model of risk: the detail that is kept to the right, "
                         "the risk that is left upwards, as a mean over people and of the "
                         "worst person.");
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
    pv_i_buffer_text(out, front->stopped ? "<h1><b>Interrupted:</b> what" : "<h1>What");
    pv_i_buffer_text(out, " risk is left to ");
    pv_i_buffer_count(out, pv_profile_rows(profile));
    pv_i_buffer_text(out, pv_profile_rows(profile) == 1 ? " person" : " people");
    pv_i_buffer_text(out,
                     " at which detail</h1>\n<p class=\"soft\">At every point each person is "
                     "shown at the least risk that leaves them so much of their detail; detail "
                     "is ");
    pv_i_markup_text(out, pv_utility_name(front->utility));
    pv_i_buffer_text(out, ": ");
    pv_i_markup_text(out, pv_utility_summary(front->utility));
    pv_i_buffer_text(out, ".</p>\n");
    pv_i_page_header_end(out);
}

static void figure(pv_buffer *out, const pv_risk_curve *curve, size_t number)
{
    pv_i_buffer_text(out, "<figure><figcaption>");
    pv_i_risk_title(out, curve);
    pv_i_buffer_text(out, "<span>As the table is: mean ");
    pv_i_markup_figure(out, curve->mean_raw);
    pv_i_buffer_text(out, ", worst ");
    pv_i_markup_figure(out, curve->most_raw);
    pv_i_buffer_text(out, curve->risk == PV_RISK_III
                              ? ". Not monotone: hiding more can raise this risk, and with nothing "
                                "shown it is 0.</span></figcaption>\n"
                              : ".</span></figcaption>\n");
    pv_i_svg_begin(out, PAGE_WIDTH, PAGE_TALL, "chart fit", "risk against the detail kept");
    pv_i_risk_chart(out, curve, number, PV_SVG_PAGE_LETTERS,
                    (pv_svg_box){0, 0, PAGE_WIDTH, PAGE_TALL});
    pv_i_svg_end(out);
    pv_i_page_picture_end(out);
}

static void percent_cell(pv_buffer *out, const char *name, double share)
{
    pv_i_page_cell_begin(out, name, "n");
    pv_i_markup_percent(out, share);
    pv_i_page_cell_end(out);
}

static void number_cell(pv_buffer *out, const char *name, double number)
{
    pv_i_page_cell_begin(out, name, "n");
    pv_i_markup_figure(out, number);
    pv_i_page_cell_end(out);
}

static void row(pv_buffer *out, const pv_risk_front *front, size_t number, size_t index)
{
    const pv_risk_curve *const curve = &front->curves[number];
    const pv_risk_point *const point = &curve->points[index];
    pv_i_buffer_format(out, "<tr data-p=\"%zu-%zu\"><th scope=\"row\">%s</th>", number, index,
                       pv_risk_name(curve->risk));
    percent_cell(out, "detail asked for", point->asked);
    percent_cell(out, "kept", point->kept);
    number_cell(out, "mean risk", point->mean);
    number_cell(out, "worst risk", point->most);
    number_cell(out, "singled out", (double)point->unique);
    pv_i_page_cell_begin(out, "exact", "");
    pv_i_buffer_text(out, point->is_exact ? "yes" : "no");
    pv_i_page_cell_end(out);
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
    pv_i_buffer_format(&out,
                       "<footer>Made by Paravent %s. This page holds no value of the "
                       "table. " PV_PAGE_FOR_PUBLISHER "</footer>\n<script>\n%s</script>\n",
                       pv_version(), pv_i_page_js.text);
    pv_i_page_end(&out);
    return pv_i_buffer_take(&out, html, error);
}
