/* The front as a page: the picture, the suggestions, every point, and how it was searched.
 *
 * Pointing at a point of the picture or at a row of the table marks it in both and says in words
 * what it is. Without scripts the words still appear, as titles. */
#include "base/error.h"
#include "base/file.h"
#include "base/page_frame.h"
#include "base/svg_markup.h"
#include "front/front_axis.h"
#include "front/front_chart.h"
#include "front/front_words.h"

#include <ctype.h>
#include <string.h>

enum { WIDTH = 920, HEIGHT = 440, PANEL_WIDTH = 460, PANEL_HEIGHT = 320 };

static const char style[] =
    ".whole{white-space:nowrap}\n"
    "@media (max-width:40rem){figure{overflow-x:auto}figure .chart{min-width:34rem}}\n"
    "#readout{min-height:3.2em;margin-top:.6rem;padding:.5rem .8rem;border-radius:8px;"
    "background:var(--paper);font-size:.92rem;color:var(--soft)}\n"
    "#readout.on{color:var(--ink)}\n"
    ".points{width:auto;min-width:100%}.points thead th{vertical-align:bottom}\n"
    "td.lv,th.lv{text-align:center;padding:.35rem .2rem}\n"
    "th.lv{white-space:normal}td.lv{min-width:2.1rem}"
    "th.lv bdi{writing-mode:vertical-rl;transform:rotate(180deg);max-height:9rem;"
    "text-align:left}\n"
    "td.lv{background:color-mix(in srgb,var(--after) calc(var(--share)*55%),transparent)}\n"
    ".points td,.points th{padding-top:.3rem;padding-bottom:.3rem}\n"
    ".points tr.on td,.points tr.on th{box-shadow:inset 0 1px var(--ink),inset 0 -1px var(--ink)}\n"
    ".points tbody tr:hover{background:var(--paper)}\n";

/* No characters that mean something to HTML. */
static const char script[] =
    "(function () {\n"
    "var box = document.getElementById('readout'), hint = box.textContent;\n"
    "function mark(number) {\n"
    "document.querySelectorAll('.on').forEach(function (e) { e.classList.remove('on'); });\n"
    "if (number === null) { box.textContent = hint; return; }\n"
    "document.querySelectorAll('[data-p=\"' + number + '\"]').forEach(function (e) {\n"
    "e.classList.add('on');\n"
    "var words = e.querySelector('title');\n"
    "if (words) { box.textContent = words.textContent; box.classList.add('on'); }\n"
    "});\n"
    "}\n"
    "function look(event) {\n"
    "var at = event.target.closest('[data-p]');\n"
    "mark(at ? at.getAttribute('data-p') : null);\n"
    "}\n"
    "document.addEventListener('mouseover', look);\n"
    "document.addEventListener('focusin', look);\n"
    "document.addEventListener('click', function (event) {\n"
    "var at = event.target.closest('g[data-p]');\n"
    "if (at) { document.querySelector('tr[data-p=\"' + at.getAttribute('data-p') + '\"]')"
    ".scrollIntoView({block: 'center', behavior: 'smooth'}); }\n"
    "});\n"
    "})();\n";

typedef struct sheet {
    pv_buffer *out;
    const pv_front *front;
    const pv_profile *profile;
    const pv_study *study;
    pv_suggestion suggestions[PV_MAX_SUGGESTIONS];
    size_t n_suggestions;
} sheet;

static void objective_name(const sheet *s, size_t objective)
{
    pv_i_front_objective(s->out, s->front->objectives[objective]);
}

static void value(const sheet *s, size_t objective, size_t point)
{
    pv_buffer plain = {0};
    pv_i_front_value(&plain, s->front, s->profile, objective,
                     s->front->points[point].values[objective]);
    pv_i_front_escape(s->out, &plain);
}

/* --------------------------------------------------------------------- header */

static void objective_list(const sheet *s)
{
    for (size_t i = 0; i < s->front->n_objectives; i++) {
        pv_i_buffer_text(s->out, i == 0 ? "" : i + 1 < s->front->n_objectives ? ", " : " and ");
        pv_i_buffer_text(s->out, "<span class=\"whole\">");
        objective_name(s, i);
        pv_i_buffer_text(s->out, "</span>");
    }
}

static void header(const sheet *s)
{
    const pv_front *const front = s->front;
    pv_buffer account = {0};
    pv_i_page_header_begin(s->out, "Paravent trade-off front",
                           pv_i_base_name(pv_table_source(pv_study_table(s->study))),
                           front->complete ? PV_PAGE_GOOD : PV_PAGE_WARN);
    pv_i_buffer_text(s->out,
                     front->complete ? "<h1><b>Complete:</b> " : "<h1><b>Not complete:</b> ");
    pv_i_buffer_count(s->out, front->n_points);
    pv_i_buffer_text(s->out, front->n_points == 1 ? " trade-off between " : " trade-offs between ");
    objective_list(s);
    pv_i_buffer_text(s->out, " that nothing beats</h1>\n<p class=\"soft\">");
    pv_i_front_account(&account, front);
    /* The headline has said already whether it is complete. */
    char *const colon = account.data != NULL ? strchr(account.data, ':') : NULL;
    if (colon != NULL) {
        colon[2] = (char)toupper((unsigned char)colon[2]);
        pv_i_markup_text(s->out, colon + 2);
    }
    s->out->failed |= account.failed;
    pv_i_buffer_deinit(&account);
    pv_i_buffer_text(s->out, ".</p>\n");
    pv_i_page_header_end(s->out);
}

/* -------------------------------------------------------------------- pictures */

static void picture(const sheet *s, size_t objective, double width, double height)
{
    pv_i_svg_begin(s->out, width, height, "chart", "the trade-off front");
    pv_i_front_chart(s->out, s->front, s->profile, objective, (pv_svg_box){0, 0, width, height});
    pv_i_svg_end(s->out);
}

static void caption(const sheet *s, size_t objective)
{
    pv_i_buffer_text(s->out, "<figure><figcaption>");
    objective_name(s, 0);
    pv_i_buffer_text(s->out, " against ");
    objective_name(s, objective);
    pv_i_buffer_text(s->out, "<span>");
    objective_name(s, objective);
    pv_i_buffer_text(s->out, ": ");
    pv_i_markup_text(s->out, s->front->objectives[objective].measure->summary);
    pv_i_buffer_text(s->out, "</span></figcaption>\n");
}

static void pictures(const sheet *s)
{
    const size_t n = s->front->n_objectives;
    pv_i_buffer_text(s->out, "<section><h2>What privacy costs</h2>\n<p class=\"lead\">");
    objective_name(s, 0);
    pv_i_buffer_text(s->out, ": ");
    pv_i_markup_text(s->out, s->front->objectives[0].measure->summary);
    pv_i_buffer_text(s->out, ". Beyond the stairs nothing can be had by generalizing to levels."
                             "</p>\n<div class=\"pictures\">\n");
    for (size_t i = 1; i < n; i++) {
        caption(s, i);
        picture(s, i, n == 2 ? WIDTH : PANEL_WIDTH, n == 2 ? HEIGHT : PANEL_HEIGHT);
        pv_i_page_picture_end(s->out);
    }
    pv_i_buffer_text(s->out, "</div>\n<p id=\"readout\">Point at a point, or at a row of the table "
                             "below, to read it.</p></section>\n");
}

/* ----------------------------------------------------------------- suggestions */

static void suggestion_words(const sheet *s, const pv_suggestion *suggestion)
{
    pv_buffer plain = {0};
    if (suggestion->from != suggestion->point) {
        pv_i_front_step(&plain, s->front, s->profile, suggestion->from, suggestion->point);
    }
    pv_i_front_escape(s->out, &plain);
}

static void suggestion_row(const sheet *s, size_t index)
{
    const size_t point = s->suggestions[index].point;
    pv_i_buffer_format(s->out, "<tr data-p=\"%zu\"><th scope=\"row\">%s</th>", point,
                       s->suggestions[index].name);
    for (size_t i = 0; i < s->front->n_objectives; i++) {
        pv_i_page_cell_begin(s->out, s->front->objectives[i].measure->name, "n");
        value(s, i, point);
        pv_i_page_cell_end(s->out);
    }
    pv_i_page_cell_begin(s->out, "levels", "");
    pv_i_buffer_text(s->out, "<code class=\"whole\">--levels ");
    pv_i_front_levels(s->out, s->front, point);
    pv_i_buffer_text(s->out, "</code>");
    pv_i_page_cell_end(s->out);
    pv_i_page_cell_begin(s->out, "the price", "wide soft");
    suggestion_words(s, &s->suggestions[index]);
    pv_i_page_cell_end(s->out);
    pv_i_buffer_text(s->out, "</tr>\n");
}

static void number_heads(const sheet *s)
{
    for (size_t i = 0; i < s->front->n_objectives; i++) {
        pv_i_buffer_text(s->out, "<th scope=\"col\" class=\"n\">");
        objective_name(s, i);
        pv_i_buffer_text(s->out, "</th>");
    }
}

static void suggestions(const sheet *s)
{
    if (s->n_suggestions == 0) {
        return;
    }
    pv_i_buffer_text(s->out, "<section><h2>Worth a look</h2>\n<p class=\"lead\">At the knee more "
                             "privacy begins to cost more than it did; gentle and strong are the "
                             "knees before and after it.</p>\n<div class=\"sheet\"><table "
                             "class=\"cards\"><thead><tr><th scope=\"col\">point</th>");
    number_heads(s);
    pv_i_buffer_text(s->out, "<th scope=\"col\">to release it</th><th scope=\"col\">the price</th>"
                             "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < s->n_suggestions; i++) {
        suggestion_row(s, i);
    }
    pv_i_page_table_end(s->out);
    pv_i_buffer_text(s->out, "</section>\n");
}

/* ---------------------------------------------------------------------- points */

static void level_cell(const sheet *s, size_t point, size_t quasi)
{
    const unsigned level = s->front->points[point].levels[quasi];
    const unsigned height = pv_hierarchy_height(pv_study_hierarchy(s->study, quasi));
    pv_i_buffer_text(s->out, "<td class=\"lv\" style=\"--share:");
    pv_i_markup_short(s->out, (double)level / (double)height, 2);
    pv_i_buffer_format(s->out, "\" title=\"%u of %u\">", level, height);
    pv_i_buffer_format(s->out, level > 0 ? "%u</td>" : "<span class=\"soft\">%u</span></td>",
                       level);
}

static void point_row(const sheet *s, size_t point)
{
    const pv_point *const p = &s->front->points[point];
    const char *const name = pv_suggestion_name(s->suggestions, s->n_suggestions, point);
    pv_i_buffer_format(s->out, "<tr data-p=\"%zu\">", point);
    for (size_t i = 0; i < s->front->n_objectives; i++) {
        pv_i_buffer_text(s->out, "<td class=\"n\">");
        value(s, i, point);
        pv_i_page_cell_end(s->out);
    }
    pv_i_buffer_text(s->out, "<td class=\"n\">");
    pv_i_buffer_count(s->out, p->suppressed);
    pv_i_buffer_text(s->out, "</td><td class=\"n\">");
    pv_i_buffer_count(s->out, p->ties);
    pv_i_page_cell_end(s->out);
    for (size_t q = 0; q < s->front->n_levels; q++) {
        level_cell(s, point, q);
    }
    pv_i_buffer_format(s->out, "<td>%s</td></tr>\n", name != NULL ? name : "");
}

static void points(const sheet *s)
{
    pv_i_buffer_text(s->out,
                     "<section><h2>All points</h2>\n<p class=\"lead\">The level of each attribute "
                     "is the darker the more is generalized; 0 is the raw value. Ties are other "
                     "levels with exactly the same values.</p>\n<div class=\"sheet\"><table "
                     "class=\"points\"><thead><tr>");
    number_heads(s);
    pv_i_buffer_text(s->out, "<th scope=\"col\" class=\"n\">suppressed</th><th scope=\"col\" "
                             "class=\"n\">ties</th>");
    for (size_t q = 0; q < s->front->n_levels; q++) {
        pv_i_buffer_text(s->out, "<th scope=\"col\" class=\"lv\">");
        pv_i_page_name(s->out, pv_study_quasi_name(s->study, q));
        pv_i_buffer_text(s->out, "</th>");
    }
    pv_i_buffer_text(s->out, "<th scope=\"col\"></th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < s->front->n_points; i++) {
        point_row(s, i);
    }
    pv_i_page_table_end(s->out);
    pv_i_buffer_text(s->out, "</section>\n");
}

/* ---------------------------------------------------------------------- search */

static void figure(const sheet *s, const char *what, double number, const char *note)
{
    pv_i_page_figure_begin(s->out, what);
    pv_i_markup_figure(s->out, number);
    pv_i_page_figure_note(s->out);
    pv_i_buffer_text(s->out, note);
    pv_i_page_figure_end(s->out);
}

static void search(const sheet *s)
{
    const pv_front *const front = s->front;
    pv_i_buffer_text(s->out, "<section><h2>How it was searched</h2>\n<p class=\"lead\">Method: ");
    pv_i_markup_text(s->out, front->method);
    if (front->reason != NULL) {
        pv_i_buffer_text(s->out, ", because ");
        pv_i_markup_text(s->out, front->reason);
    }
    pv_i_buffer_text(s->out, ".</p>\n<dl class=\"figures\">\n");
    figure(s, "People", (double)pv_profile_rows(s->profile), "rows of the table");
    figure(s, "Combinations", (double)pv_profile_tuples(s->profile), "distinct before");
    figure(s, "Schemes", front->nodes, "ways to choose levels");
    figure(s, "Grouped", (double)front->evaluated, "and measured");
    figure(s, "Too dear", (double)front->pruned_loss, "lose too much at best");
    figure(s, "Too weak", (double)front->pruned_mark, "finer than one found too weak");
    pv_i_buffer_text(s->out, "</dl>\n</section>\n");
}

pv_status pv_front_page(const pv_front *front, const pv_profile *profile, char **html,
                        pv_error *error)
{
    pv_buffer out = {0};
    const char *const source = pv_table_source(pv_study_table(pv_profile_study(profile)));
    sheet s = {.out = &out, .front = front, .profile = profile, .study = pv_profile_study(profile)};
    s.n_suggestions = pv_front_suggest(front, s.suggestions);
    pv_i_page_begin(&out, "Front of", pv_i_base_name(source),
                    (const char *const[]){pv_i_front_chart_style, style, NULL});
    header(&s);
    pictures(&s);
    suggestions(&s);
    points(&s);
    search(&s);
    pv_i_buffer_format(
        &out,
        "<footer>Made by Paravent %s. This page holds no value of the table.</footer>"
        "\n<script>\n%s</script>\n",
        pv_version(), script);
    pv_i_page_end(&out);
    return pv_i_buffer_take(&out, html, error);
}
