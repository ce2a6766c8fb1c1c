/* The page of a comparison: the advice, everyone's values as pictures, the numbers, and how groups
 * fare. It needs nothing but itself and holds no value of the table but those that name groups. */
#include "report/compare_chart.h"

#include "base/error.h"
#include "base/markup.h"
#include "base/memory.h"
#include "report/page_frame.h"

#include <math.h>

enum { WIDTH = 460, TALL = 300 };

/* -------------------------------------------------------------------- cells */

static void text_cell(pv_buffer *out, const char *name, const char *text)
{
    pv_i_page_cell_begin(out, name, "");
    pv_i_markup_text(out, text);
    pv_i_page_cell_end(out);
}

static void figure_cell(pv_buffer *out, const char *name, double value)
{
    pv_i_page_cell_begin(out, name, "n");
    pv_i_markup_figure(out, value);
    pv_i_page_cell_end(out);
}

static void letter_head(pv_buffer *out, size_t release)
{
    pv_i_buffer_format(out, "<th scope=\"row\">%c</th>", pv_release_letter(release));
}

/* ------------------------------------------------------------------- header */

/* Good only if there is something to publish. */
static pv_page_mood mood_of(const pv_judgement *judgement)
{
    const bool is_combined = judgement->n_combinations > 0;
    const pv_tournament *const tournament = is_combined ? judgement->overall[0] : judgement->advice;
    const size_t best = tournament != NULL ? pv_tournament_best(tournament) : SIZE_MAX;
    const bool is_good =
        best != SIZE_MAX && (is_combined || judgement->least[best] >= judgement->enough);
    return is_good ? PV_PAGE_GOOD : PV_PAGE_WARN;
}

static pv_status header(pv_buffer *out, const pv_judgement *judgement, const char *source,
                        pv_error *error)
{
    char *advice = NULL;
    PV_TRY(pv_judgement_text(judgement, &advice, error));
    pv_i_page_header_begin(out, "Paravent comparison", source, mood_of(judgement));
    pv_i_buffer_format(out, "<h1>%zu releases of ", judgement->comparison->n_releases);
    pv_i_buffer_count(out, judgement->comparison->n_original);
    pv_i_buffer_text(out, " people, person by person</h1>\n<p>");
    pv_i_markup_text(out, advice);
    pv_i_buffer_text(out, "</p>\n");
    pv_i_page_header_end(out);
    pv_string_free(advice);
    return PV_STATUS_OK;
}

static void releases(pv_buffer *out, const pv_judgement *judgement)
{
    const pv_comparison *const c = judgement->comparison;
    pv_i_buffer_text(out, "<section><h2>The releases</h2>\n");
    pv_i_page_table_begin(out, "<th scope=\"col\"></th><th scope=\"col\">name</th><th "
                               "scope=\"col\" class=\"n\">smallest class</th><th scope=\"col\" "
                               "class=\"n\">suppressed</th><th scope=\"col\" class=\"n\">rows "
                               "missing</th>");
    for (size_t r = 0; r < c->n_releases; r++) {
        pv_i_buffer_text(out, "<tr>");
        letter_head(out, r);
        text_cell(out, "name", c->releases[r]->name);
        figure_cell(out, "smallest class",
                    judgement->advice != NULL ? (double)judgement->least[r] : (double)NAN);
        figure_cell(out, "suppressed", (double)c->releases[r]->suppressed);
        figure_cell(out, "rows missing", (double)c->n_missing[r]);
        pv_i_buffer_text(out, "</tr>\n");
    }
    pv_i_page_table_end(out);
    if (c->n_rows < c->n_original) {
        pv_i_buffer_text(out, "<p class=\"lead after-table\">Compared on the ");
        pv_i_buffer_count(out, c->n_rows);
        pv_i_buffer_text(out, " rows that all of them have.</p>\n");
    }
    pv_i_buffer_text(out, "</section>\n");
}

/* ----------------------------------------------------------------- pictures */

static const char *summary_of(const char *property)
{
    const pv_property *const known = pv_property_find(property);
    return known != NULL ? known->summary : "a column of the releases";
}

static void caption(pv_buffer *out, const char *property, const char *note)
{
    pv_i_buffer_text(out, "<figure><figcaption>");
    pv_i_page_name(out, property);
    pv_i_buffer_text(out, "<span>");
    pv_i_markup_text(out, note);
    pv_i_buffer_text(out, "</span></figcaption>\n");
}

static void legend(pv_buffer *out, const pv_comparison *comparison)
{
    pv_i_buffer_text(out, "<p class=\"legend\">");
    for (size_t r = 0; r < comparison->n_releases; r++) {
        pv_i_buffer_format(out, "<span><i class=\"key c%zu\"></i>%c ", r % PV_CHART_COLORS,
                           pv_release_letter(r));
        pv_i_page_name(out, comparison->releases[r]->name);
        pv_i_buffer_text(out, "</span>");
    }
    pv_i_buffer_text(out, "</p>\n");
}

typedef void (*draw_fn)(pv_buffer *, const pv_compare_chart *, pv_svg_box);

static void pictures(pv_buffer *out, const pv_comparison *comparison, pv_fortune *sorted,
                     draw_fn draw, const char *title, bool with_summary)
{
    pv_i_buffer_text(out, "<div class=\"pictures\">\n");
    for (size_t p = 0; p < comparison->n_properties; p++) {
        pv_compare_chart chart;
        const char *const name = comparison->properties[p];
        pv_i_compare_chart_init(&chart, comparison, p, sorted);
        caption(out, name, with_summary ? summary_of(name) : "");
        pv_i_svg_begin(out, WIDTH, TALL, "chart", title);
        draw(out, &chart, (pv_svg_box){0, 0, WIDTH, TALL});
        pv_i_svg_end(out);
        pv_i_page_picture_end(out);
    }
    pv_i_buffer_text(out, "</div></section>\n");
}

static pv_status draw_all(pv_buffer *out, const pv_comparison *comparison, pv_error *error)
{
    pv_fortune *const sorted = PV_NEW_ARRAY(pv_fortune, comparison->n_kinds);
    if (sorted == NULL) {
        return pv_i_no_memory(error);
    }
    pv_i_buffer_text(out, "<section><h2>Everyone&#39;s values, in order</h2>\n<p class=\"lead\">"
                          "Every release by itself, from the person worst off to the one best "
                          "off.</p>\n");
    legend(out, comparison);
    pictures(out, comparison, sorted, pv_i_compare_curves, "everyone's values in order", true);
    if (comparison->n_releases == 2) {
        pv_i_buffer_text(
            out, "<section><h2>Who gains and who loses</h2>\n<p class=\"lead\">Every person "
                 "by their value in A and in B; darker is more people. Beside the line are "
                 "those who do not have the same in both.</p>\n<p class=\"legend\">"
                 "<span><i class=\"a\"></i>better off in A</span><span><i class=\"b\"></i>"
                 "better off in B</span></p>\n");
        pictures(out, comparison, sorted, pv_i_compare_density, "who gains and who loses", false);
    }
    pv_i_free(sorted);
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ numbers */

static void property_row(pv_buffer *out, const pv_judgement *judgement, size_t p, size_t r)
{
    const pv_comparison *const c = judgement->comparison;
    const size_t place = p * c->n_releases + r;
    pv_i_buffer_text(out, "<tr>");
    letter_head(out, r);
    figure_cell(out, "worst off", pv_i_shown_value(c, p, judgement->worst[place]));
    pv_i_page_cell_begin(out, "have it", "n");
    pv_i_markup_percent(out, judgement->everyone[place].worst_share);
    pv_i_page_cell_end(out);
    figure_cell(out, "mean", pv_i_shown_value(c, p, judgement->everyone[place].mean));
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        const pv_tournament *const t = judgement->by_index[p * PV_INDEX_COUNT + i];
        figure_cell(out, pv_index_name((pv_index)i), (double)t->wins[r]);
    }
    pv_i_buffer_text(out, "</tr>\n");
}

static void numbers(pv_buffer *out, const pv_judgement *judgement)
{
    const pv_comparison *const c = judgement->comparison;
    pv_i_buffer_text(out, "<section><h2>In numbers</h2>\n<p class=\"lead\">The value of the worst "
                          "off, how many people have it, the mean, and by each index how many of "
                          "the others a release beats.</p>\n");
    pv_i_page_table_begin(out, "<th scope=\"col\"></th><th scope=\"col\" class=\"n\">worst off</th>"
                               "<th scope=\"col\" class=\"n\">have it</th><th scope=\"col\" "
                               "class=\"n\">mean</th><th scope=\"col\" class=\"n\">min</th><th "
                               "scope=\"col\" class=\"n\">rank</th><th scope=\"col\" "
                               "class=\"n\">cov</th><th scope=\"col\" class=\"n\">spr</th><th "
                               "scope=\"col\" class=\"n\">hv</th>");
    for (size_t p = 0; p < c->n_properties; p++) {
        pv_i_buffer_text(out, "<tr class=\"family\"><th colspan=\"9\" scope=\"rowgroup\">");
        pv_i_markup_text(out, c->properties[p]);
        pv_i_buffer_text(out, "</th></tr>\n");
        for (size_t r = 0; r < c->n_releases; r++) {
            property_row(out, judgement, p, r);
        }
    }
    pv_i_page_table_end(out);
    pv_i_buffer_text(out, "</section>\n");
}

static void tournament_sentence(pv_buffer *out, const pv_tournament *tournament)
{
    const bool turns = tournament->cycle != NULL;
    const size_t *const list = turns ? tournament->cycle : tournament->ranking;
    const size_t n = turns ? tournament->n_cycle : tournament->n;
    pv_i_buffer_text(out, turns ? "No ranking: in a circle " : "Ranking: ");
    for (size_t i = 0; i < n; i++) {
        const bool same =
            !turns && i > 0 && tournament->wins[list[i]] == tournament->wins[list[i - 1]];
        pv_i_buffer_text(out, i == 0 ? "" : same ? " = " : turns ? " beats " : ", then ");
        pv_i_buffer_char(out, pv_release_letter(list[i]));
    }
    if (turns) {
        pv_i_buffer_format(out, " beats %c", pv_release_letter(list[0]));
    }
    pv_i_buffer_char(out, '.');
}

static pv_status overall(pv_buffer *out, const pv_judgement *judgement, pv_error *error)
{
    pv_i_buffer_text(out, "<section><h2>Overall</h2>\n<ul class=\"prose\">");
    for (size_t i = 0; i < judgement->n_combinations; i++) {
        const pv_combination *const combination = &judgement->combinations[i];
        char *rule = NULL;
        PV_TRY(pv_combination_text(judgement->comparison, combination, &rule, error));
        pv_i_buffer_text(out, "<li><b>");
        pv_i_markup_text(out, combination->name);
        pv_i_buffer_text(out, "</b>, ");
        pv_i_markup_text(out, rule);
        pv_i_buffer_text(out, ". ");
        tournament_sentence(out, judgement->overall[i]);
        pv_i_buffer_text(out, "</li>\n");
        pv_string_free(rule);
    }
    if (judgement->advice != NULL) {
        pv_i_buffer_text(out, "<li><b>advice</b>, everyone among at least ");
        pv_i_buffer_count(out, judgement->enough);
        pv_i_buffer_text(out, " people, then more detail for more people. ");
        tournament_sentence(out, judgement->advice);
        pv_i_buffer_text(out, "</li>\n");
    }
    pv_i_buffer_text(out, "</ul></section>\n");
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- groups */

static void fare_cell(pv_buffer *out, const pv_comparison *c, size_t p, size_t r,
                      const pv_fare *fare)
{
    const char name[] = {pv_release_letter(r), '\0'};
    pv_i_page_cell_begin(out, name, "n");
    pv_i_buffer_text(out, fare->is_singled_out ? "<span class=\"flag\">! " : "<span>");
    pv_i_markup_percent(out, fare->worst_share);
    pv_i_buffer_text(out, "</span> <span class=\"soft\">mean ");
    pv_i_markup_figure(out, pv_i_shown_value(c, p, fare->mean));
    pv_i_buffer_text(out, "</span>");
    pv_i_page_cell_end(out);
}

static void group_row(pv_buffer *out, const pv_judgement *judgement, size_t p,
                      const pv_people *people, const pv_fare *fares)
{
    const pv_comparison *const c = judgement->comparison;
    pv_i_buffer_text(out, "<tr><th scope=\"row\">");
    if (people != NULL) {
        pv_i_page_name(out, people->column);
        pv_i_buffer_text(out, ": ");
        pv_i_page_name(out, people->value);
    } else {
        pv_i_buffer_text(out, "everyone");
    }
    pv_i_buffer_text(out, "</th>");
    figure_cell(out, "people", people != NULL ? (double)people->n_rows : (double)c->n_rows);
    for (size_t r = 0; r < c->n_releases; r++) {
        fare_cell(out, c, p, r, &fares[r]);
    }
    pv_i_buffer_text(out, "</tr>\n");
}

static void group_table(pv_buffer *out, const pv_judgement *judgement, size_t p)
{
    const pv_comparison *const c = judgement->comparison;
    pv_buffer head = {0};
    pv_i_buffer_text(&head, "<th scope=\"col\">");
    pv_i_markup_text(&head, c->properties[p]);
    pv_i_buffer_text(&head, "</th><th scope=\"col\" class=\"n\">people</th>");
    for (size_t r = 0; r < c->n_releases; r++) {
        pv_i_buffer_format(&head, "<th scope=\"col\" class=\"n\">have the worst in %c</th>",
                           pv_release_letter(r));
    }
    out->failed = out->failed || head.failed;
    pv_i_page_table_begin(out, head.data != NULL ? head.data : "");
    pv_i_buffer_deinit(&head);
    group_row(out, judgement, p, NULL, &judgement->everyone[p * c->n_releases]);
    for (size_t g = 0; g < c->n_people; g++) {
        group_row(out, judgement, p, &c->people[g],
                  &judgement->fares[(g * c->n_properties + p) * c->n_releases]);
    }
    pv_i_page_table_end(out);
}

static void groups(pv_buffer *out, const pv_judgement *judgement)
{
    if (judgement->comparison->n_people == 0) {
        return;
    }
    pv_i_buffer_text(
        out, "<section><h2>Is one group given the minimum?</h2>\n<p class=\"lead\">The "
             "share of each group that has the worst value of all, and its mean. Marked: at "
             "least twice as many as of everyone, by more than chance (three standard "
             "errors).</p>\n");
    for (size_t p = 0; p < judgement->comparison->n_properties; p++) {
        group_table(out, judgement, p);
    }
    pv_i_buffer_text(out, "</section>\n");
}

/* ---------------------------------------------------------------- the whole */

static pv_status fill(pv_buffer *out, const pv_judgement *judgement, const char *source,
                      pv_error *error)
{
    const pv_asset *const styles[] = {&pv_i_compare_chart_css, &pv_i_compare_page_css, NULL};
    pv_i_page_begin(out, "Releases of", source, styles);
    PV_TRY(header(out, judgement, source, error));
    releases(out, judgement);
    PV_TRY(draw_all(out, judgement->comparison, error));
    numbers(out, judgement);
    PV_TRY(overall(out, judgement, error));
    groups(out, judgement);
    pv_i_buffer_format(out,
                       "<footer>Made by Paravent %s. %s " PV_PAGE_FOR_PUBLISHER
                       "</footer>\n<script>\n%s</script>\n",
                       pv_version(),
                       judgement->comparison->n_people > 0
                           ? "Of the table this page holds only the values that name groups."
                           : "This page holds no value of the table.",
                       pv_i_page_js.text);
    pv_i_page_end(out);
    return PV_STATUS_OK;
}

pv_status pv_judgement_page(const pv_judgement *judgement, const char *source, char **html,
                            pv_error *error)
{
    pv_buffer out = {0};
    const pv_status status = fill(&out, judgement, source, error);
    if (status != PV_STATUS_OK) {
        pv_i_buffer_deinit(&out);
        return status;
    }
    return pv_i_buffer_take(&out, html, error);
}
