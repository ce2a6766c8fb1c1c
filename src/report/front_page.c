/* The front as a page and as a picture in a file of its own.
 *
 * The page is read from the top by someone who wants to choose: is the front complete, what does
 * privacy cost, which points are worth a look, all points, how it was searched. Pointing at a point
 * of the picture or at a row of the table marks it in both (they carry the same data-p) and says in
 * words what it is. Without scripts the words still appear, as titles. Three and more objectives
 * are shown in parallel coordinates, too, and can be narrowed down. */
#include "base/error.h"
#include "base/file.h"
#include "base/markup.h"
#include "report/front_view.h"
#include "report/page_frame.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 680, HEIGHT = 350, WIDE = 920, TALL = 480 }; /* on the page, in pixels */
enum { FILE_WIDTH = 780, FILE_HEIGHT = 450, FILE_WIDE = 960, FILE_TALL = 500, EDGE = 10 };

typedef struct sheet {
    pv_buffer *out;
    const pv_front *front;
    const pv_profile *profile;
    const pv_study *study;
    pv_suggestion suggestions[PV_MAX_SUGGESTIONS];
    size_t n_suggestions;
    pv_ranks ranks; /* of three and more objectives */
} sheet;

static bool has_many(const pv_front *front)
{
    return front->n_objectives > 2;
}

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

/* Plain words from `start` on as a sentence of their own. */
static void sentence(const sheet *s, pv_buffer *plain, size_t start)
{
    if (plain->data != NULL && start < plain->size) {
        plain->data[start] = (char)toupper((unsigned char)plain->data[start]);
        pv_i_markup_text(s->out, plain->data + start);
    }
    s->out->failed |= plain->failed;
    pv_i_buffer_deinit(plain);
    pv_i_buffer_char(s->out, '.');
}

/* The headline has said already whether it is complete; among which schemes is said here. */
static void account(const sheet *s)
{
    static const char complete[] = "complete ";
    pv_buffer words = {0};
    pv_i_front_account(&words, s->front);
    const char *const colon = words.data != NULL ? strchr(words.data, ':') : NULL;
    const bool named = colon != NULL && strncmp(words.data, complete, strlen(complete)) == 0;
    sentence(s, &words,
             named           ? strlen(complete)
             : colon != NULL ? (size_t)(colon - words.data) + 2
                             : 0);
}

static void header(const sheet *s)
{
    const pv_front *const front = s->front;
    pv_i_page_header_begin(s->out, "Paravent trade-off front",
                           pv_i_base_name(pv_table_source(pv_study_table(s->study))),
                           front->complete ? PV_PAGE_GOOD : PV_PAGE_WARN);
    pv_i_buffer_format(s->out, "<h1><b>%s:</b> %s trade-off%s between ",
                       front->complete ? "Complete" : "Not complete", PV_COUNT(front->n_points),
                       front->n_points == 1 ? "" : "s");
    for (size_t i = 0; i < front->n_objectives; i++) {
        pv_i_buffer_format(s->out, "%s<span class=\"whole\">",
                           i == 0                        ? ""
                           : i + 1 < front->n_objectives ? ", "
                                                         : " and ");
        objective_name(s, i);
        pv_i_buffer_text(s->out, "</span>");
    }
    pv_i_buffer_format(s->out, " that nothing%s beats</h1>\n<p class=\"soft\">",
                       front->complete ? "" : " found");
    account(s);
    pv_i_buffer_text(s->out, "</p>\n");
    if (pv_i_front_has_boxes(front)) {
        pv_buffer words = {0};
        pv_i_front_boxes(&words, front);
        pv_i_buffer_text(&words, ": of several schemes within one only one is here");
        pv_i_buffer_text(s->out, "<p class=\"soft\">");
        sentence(s, &words, 0);
        pv_i_buffer_text(s->out, "</p>\n");
    }
    if (front->n_hidden > 0) {
        pv_buffer words = {0};
        pv_i_front_hidden(&words, front);
        pv_i_buffer_text(s->out, "<p class=\"soft\">");
        sentence(s, &words, 0);
        pv_i_buffer_text(s->out, "</p>\n");
    }
    pv_i_page_header_end(s->out);
}

/* -------------------------------------------------------------------- pictures */

/* "glm: cells lost ..." */
static void meaning(const sheet *s, size_t objective)
{
    objective_name(s, objective);
    pv_i_buffer_text(s->out, ": ");
    pv_i_markup_text(s->out, s->front->objectives[objective].measure->summary);
}

static void plot(const sheet *s)
{
    const size_t price = pv_front_price(s->front);
    pv_i_buffer_text(s->out, "<figure><figcaption>");
    objective_name(s, 0);
    pv_i_buffer_text(s->out, " against ");
    objective_name(s, price);
    pv_i_buffer_text(s->out, "<span>");
    meaning(s, price);
    pv_i_buffer_text(s->out, "</span></figcaption>\n");
    pv_i_svg_begin(s->out, WIDTH, HEIGHT, "chart fit", "the trade-off front");
    pv_i_front_chart(s->out, s->front, s->profile, price, PV_SVG_PAGE_LETTERS,
                     (pv_svg_box){0, 0, WIDTH, HEIGHT});
    pv_i_svg_end(s->out);
    pv_i_page_picture_end(s->out);
}

static void parallel(const sheet *s)
{
    if (s->front->n_points == 0) {
        return;
    }
    pv_i_page_picture_begin(s->out, "All objectives at once",
                            "Where lines cross, one objective is traded for its neighbour.");
    pv_i_buffer_text(s->out, "<div class=\"scroll\">\n");
    pv_i_svg_begin(s->out, WIDE, TALL, "chart many", "the front in parallel coordinates");
    pv_i_parallel_description(s->out, s->front);
    pv_i_parallel(s->out, s->front, s->profile, (pv_svg_box){0, 0, WIDE, TALL});
    pv_i_svg_end(s->out);
    pv_i_buffer_text(s->out, "</div>\n");
    pv_i_brush(s->out, s->front, &s->ranks);
    pv_i_page_picture_end(s->out);
}

static void meanings(const sheet *s)
{
    pv_i_buffer_text(s->out, "<details><summary>What the objectives mean</summary>\n<ul "
                             "class=\"prose\">\n");
    for (size_t i = 0; i < s->front->n_objectives; i++) {
        pv_i_buffer_text(s->out, "<li><b>");
        objective_name(s, i);
        pv_i_markup_between(s->out, "</b>: ", s->front->objectives[i].measure->summary, "</li>\n");
    }
    pv_i_buffer_text(s->out, "</ul></details>\n");
}

/* What the area on the better side of the stairs means. */
static void beyond(const sheet *s)
{
    const bool cuts = pv_front_has_cuts(s->front);
    if (s->front->complete) {
        pv_i_buffer_format(s->out, ". Beyond the stairs nothing can be had by %s.",
                           cuts ? "dividing ordered values" : "generalizing to levels");
        return;
    }
    pv_i_buffer_text(s->out, ". Beyond the stairs nothing was found.");
    if (pv_front_has_bounds(s->front)) {
        pv_i_buffer_text(s->out,
                         " Below the line under a point it is proven that there is nothing; "
                         "a point without a line is proven optimal.");
    }
}

static void pictures(const sheet *s)
{
    pv_i_buffer_text(s->out, "<section><h2>What privacy costs</h2>\n<p class=\"lead\">");
    meaning(s, 0);
    beyond(s);
    if (has_many(s->front)) {
        pv_i_buffer_text(s->out, " Points off the stairs are better in another objective.");
    }
    pv_i_buffer_format(s->out, "</p>\n<div class=\"pictures%s\">\n",
                       has_many(s->front) ? " wide" : "");
    plot(s);
    if (has_many(s->front)) {
        parallel(s);
    }
    pv_i_buffer_text(s->out, "</div>\n<p class=\"hint\">Point at a point to read it; click it, or "
                             "its row in the table below, "
                             "to keep both marked; click again, or press Escape, to let go.</p>");
    if (has_many(s->front)) {
        meanings(s);
    }
    pv_i_buffer_text(s->out, "</section>\n");
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

/* Levels are released as they are, cuts by way of a file. */
static const char *how_to_have(const pv_front *front)
{
    return pv_front_has_cuts(front) ? "to have its cuts" : "to release it";
}

static void release_words(const sheet *s, size_t point)
{
    pv_i_buffer_text(s->out, "<code class=\"whole\">");
    pv_i_front_asked(s->out, s->front, point);
    pv_i_buffer_text(s->out, "</code>");
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
    if (has_many(s->front)) {
        /* Beside many objectives there is no space for words: they follow in a row of their own. */
        pv_i_buffer_format(s->out,
                           "</tr>\n<tr class=\"more\" data-p=\"%zu\"><td></td><td class=\"wide "
                           "soft\" colspan=\"%zu\">to release it: ",
                           point, s->front->n_objectives);
        release_words(s, point);
        pv_i_buffer_text(s->out, s->suggestions[index].from != point ? "; " : "");
    } else {
        pv_i_page_cell_begin(s->out, how_to_have(s->front), "");
        release_words(s, point);
        pv_i_page_cell_end(s->out);
        pv_i_page_cell_begin(s->out, "the price", "wide soft");
    }
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
    if (!has_many(s->front)) {
        pv_i_buffer_format(s->out, "<th scope=\"col\">%s</th><th scope=\"col\">the price</th>",
                           how_to_have(s->front));
    }
    pv_i_buffer_text(s->out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < s->n_suggestions; i++) {
        suggestion_row(s, i);
    }
    pv_i_page_table_end(s->out);
    pv_i_buffer_text(s->out, "</section>\n");
}

/* ---------------------------------------------------------------------- points */

/* What is shown of every point besides its objectives: its levels, the coarser the darker, */
static void level_cells(const sheet *s, size_t point)
{
    const pv_point *const p = &s->front->points[point];
    pv_i_buffer_format(s->out, "<td class=\"n\">%s</td><td class=\"n\">%s</td>",
                       PV_COUNT(p->suppressed), PV_COUNT(p->ties));
    for (size_t q = 0; q < s->front->n_levels; q++) {
        const unsigned level = p->levels[q];
        const unsigned height = pv_hierarchy_height(pv_study_hierarchy(s->study, q));
        pv_i_buffer_format(s->out, "<td class=\"lv\" style=\"--share:%s\" title=\"%u of %u\">",
                           PV_SHORT((double)level / (double)height, 2), level, height);
        pv_i_buffer_format(s->out, level > 0 ? "%u</td>" : "<span class=\"soft\">%u</span></td>",
                           level);
    }
}

/* or its groups, the fewer the darker. */
static void cut_cells(const sheet *s, size_t point)
{
    pv_buffer plain = {0};
    pv_i_buffer_text(s->out, "<td>");
    pv_i_front_proven(&plain, s->front, point);
    pv_i_front_escape(s->out, &plain);
    pv_i_page_cell_end(s->out);
    for (size_t q = 0; q < pv_study_quasis(s->study); q++) {
        const size_t n = pv_front_groups(s->front, point, q);
        pv_i_buffer_format(s->out, "<td class=\"lv\" style=\"--share:%s",
                           PV_SHORT(n > 0 ? 1 / (double)n : 0, 2));
        if (n > 0) {
            pv_i_buffer_format(s->out, "\">%zu</td>", n);
        } else {
            pv_i_buffer_text(s->out, "\" title=\"every value as it is\"><span "
                                     "class=\"soft\">raw</span></td>");
        }
    }
}

static void point_row(const sheet *s, size_t point)
{
    const char *const name = pv_suggestion_name(s->suggestions, s->n_suggestions, point);
    pv_i_buffer_format(s->out, "<tr data-p=\"%zu\"", point);
    if (has_many(s->front)) {
        pv_i_buffer_text(s->out, " data-r=\"");
        pv_i_ranks_text(s->out, &s->ranks, point);
        pv_i_buffer_char(s->out, '"');
    }
    pv_i_buffer_text(s->out, " data-a=\"");
    pv_i_front_asked(s->out, s->front, point);
    pv_i_buffer_text(s->out, "\">");
    for (size_t i = 0; i < s->front->n_objectives; i++) {
        pv_i_buffer_text(s->out, "<td class=\"n\">");
        value(s, i, point);
        pv_i_page_cell_end(s->out);
    }
    if (pv_front_has_cuts(s->front)) {
        cut_cells(s, point);
    } else {
        level_cells(s, point);
    }
    pv_i_buffer_format(s->out, "<td>%s</td></tr>\n", name != NULL ? name : "");
}

static const char about_levels[] =
    "The level of each attribute is the darker the more is generalized; 0 is the raw value. Ties "
    "are other levels with exactly the same values.";
static const char about_cuts[] =
    "Below the name of each attribute: into how many groups its values are divided, the darker the "
    "fewer. Nobody is suppressed.";

static void points(const sheet *s)
{
    const bool cuts = pv_front_has_cuts(s->front);
    pv_i_buffer_format(s->out,
                       "<section><h2>All points</h2>\n<p class=\"lead\">%s</p>\n<div "
                       "class=\"sheet\"><table class=\"points freeze\"><thead><tr>",
                       cuts ? about_cuts : about_levels);
    number_heads(s);
    pv_i_buffer_text(s->out, cuts ? "<th scope=\"col\">proven</th>"
                                  : "<th scope=\"col\" class=\"n\">suppressed</th><th "
                                    "scope=\"col\" class=\"n\">ties</th>");
    for (size_t q = 0; q < pv_study_quasis(s->study); q++) {
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

/* How the search went, in schemes measured, not seconds: the same search gives the same picture. */
enum {
    COURSE_HEIGHT = 210,
    COURSE_LEFT = 62,
    COURSE_RIGHT = 22,
    COURSE_TOP = 30,
    COURSE_BOTTOM = 48
};

#define NEARLY 0.99 /* of the final hypervolume */

static const pv_moment *final_moment(const pv_front *front)
{
    return &front->moments[front->n_moments - 1];
}

static void course_sentence(pv_buffer *out, const pv_front *front)
{
    const double final = final_moment(front)->hypervolume;
    const pv_moment *nearly = front->moments; /* the first that has nearly all of it */
    while (nearly->hypervolume < NEARLY * final) {
        nearly++;
    }
    const pv_moment *grew = final_moment(front); /* more than the one before */
    while (grew > front->moments && grew->hypervolume <= grew[-1].hypervolume) {
        grew--;
    }
    pv_i_buffer_format(out,
                       "Of the space between the ends of the lattice the points dominate %s (their "
                       "hypervolume): 99%% of that was reached after %s schemes, and it last grew "
                       "after %s of %s.",
                       PV_PERCENT(final), PV_COUNT((uint64_t)nearly->evaluated),
                       PV_COUNT((uint64_t)grew->evaluated), PV_COUNT(front->evaluated));
}

/* The hypervolume over the schemes measured; nothing for a front without moments. */
static void course(pv_buffer *out, const pv_front *front)
{
    double largest = 0;
    if (front->n_moments == 0) {
        return;
    }
    for (size_t i = 0; i < front->n_moments; i++) {
        largest = fmax(largest, front->moments[i].hypervolume);
    }
    pv_svg_axis x = pv_i_svg_log_axis((double)front->moments[0].evaluated,
                                      (double)final_moment(front)->evaluated, 12, COURSE_LEFT,
                                      WIDTH - COURSE_RIGHT);
    pv_svg_axis y = pv_i_svg_range_axis(0, largest, 4, PV_SVG_PERCENT,
                                        COURSE_HEIGHT - COURSE_BOTTOM, COURSE_TOP);
    x.letters = y.letters = PV_SVG_PAGE_LETTERS * PV_SVG_TICK_LETTERS;
    pv_i_buffer_text(out, "<figure class=\"how\"><figcaption>How the search went<span>");
    course_sentence(out, front);
    pv_i_buffer_text(out, "</span></figcaption>\n");
    pv_i_svg_begin(out, WIDTH, COURSE_HEIGHT, "chart fit", "hypervolume over schemes measured");
    pv_i_svg_axis_y(out, &y, x.from, x.to);
    pv_i_svg_axis_x(out, &x, COURSE_TOP, COURSE_HEIGHT - COURSE_BOTTOM);
    pv_i_svg_text(out, "what", PV_SVG_START, 2, 17, "hypervolume");
    pv_i_svg_text(out, "what", PV_SVG_END, WIDTH - COURSE_RIGHT, COURSE_HEIGHT - 6,
                  "schemes measured, logarithmic");
    double level = pv_i_svg_at(&y, front->moments[0].hypervolume);
    pv_i_svg_path_begin(out, "course", pv_i_svg_at(&x, front->moments[0].evaluated), level);
    for (size_t i = 1; i < front->n_moments; i++) { /* what is known stays true until the next */
        const double at = pv_i_svg_at(&x, front->moments[i].evaluated);
        pv_i_svg_path_to(out, at, level);
        level = pv_i_svg_at(&y, front->moments[i].hypervolume);
        pv_i_svg_path_to(out, at, level);
    }
    pv_i_svg_path_end(out);
    pv_i_svg_end(out);
    pv_i_page_picture_end(out);
}

/* Lattices can be larger than anything there is to count: then as a power of ten. */
static void figure(const sheet *s, const char *what, double number, const char *note)
{
    const double power = number < 1e12 ? 0 : floor(log10(number));
    char text[768];
    if (power > 0) {
        (void)snprintf(text, sizeof text, "%s&middot;10<sup>%.0f</sup>",
                       PV_FIGURE(round(number / pow(10, power - 1)) / 10), power);
    } else {
        (void)snprintf(text, sizeof text, "%s", PV_FIGURE(number));
    }
    pv_i_page_figure_begin(s->out, what, text, note);
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
    if (front->alternative != NULL) {
        pv_i_markup_between(s->out, " (", front->alternative, ")");
    }
    pv_i_buffer_text(s->out, ".</p>\n<dl class=\"figures\">\n");
    figure(s, "People", (double)pv_profile_rows(s->profile), "rows of the table");
    figure(s, "Combinations", (double)pv_profile_tuples(s->profile), "distinct before");
    const bool cuts = pv_front_has_cuts(front);
    figure(s, "Schemes", front->nodes,
           cuts ? "ways to divide the values" : "ways to choose levels");
    figure(s, "Grouped", (double)front->evaluated, "and measured");
    if (pv_front_has_bounds(front)) {
        figure(s, "Nodes", (double)front->proof_nodes, "of branch and bound");
        figure(s, "Proven", (double)pv_i_front_count_proven(front), "points, to be optimal");
    } else {
        figure(s, "Too dear", (double)front->pruned_loss, "lose too much even before suppression");
        figure(s, "Too weak", (double)front->pruned_mark, "finer than one found too weak");
    }
    pv_i_buffer_text(s->out, "</dl>\n");
    course(s->out, front);
    pv_i_buffer_text(s->out, "</section>\n");
}

/* ------------------------------------------------------------------- the whole */

pv_status pv_front_page(const pv_front *front, const pv_profile *profile, char **html,
                        pv_error *error)
{
    pv_buffer out = {0};
    const char *const source = pv_table_source(pv_study_table(pv_profile_study(profile)));
    sheet s = {.out = &out, .front = front, .profile = profile, .study = pv_profile_study(profile)};
    s.n_suggestions = pv_front_suggest(front, s.suggestions);
    const pv_asset *styles[7]; /* what the page shows; up to a NULL */
    size_t n = 0;
    if (has_many(front) && !pv_i_ranks_create(front, &s.ranks)) {
        return pv_i_no_memory(error);
    }
    styles[n++] = &pv_i_front_chart_css;
    styles[n++] = &pv_i_front_page_css;
    if (has_many(front)) {
        styles[n++] = &pv_i_parallel_css;
        styles[n++] = &pv_i_brush_css;
        styles[n++] = &pv_i_front_many_css;
    }
    if (front->n_moments > 0) {
        styles[n++] = &pv_i_front_course_css;
    }
    styles[n] = NULL;
    pv_i_page_begin(&out, "Front of", pv_i_base_name(source), styles);
    header(&s);
    pictures(&s);
    suggestions(&s);
    points(&s);
    search(&s);
    pv_i_page_end_private(&out, "This page holds no value of the table.",
                          has_many(front) ? &pv_i_brush_js : NULL);
    pv_i_ranks_free(&s.ranks);
    return pv_i_buffer_take(&out, html, error);
}

static pv_svg_box inner(double y, double width, double height)
{
    return (pv_svg_box){EDGE, y + EDGE, width - 2 * EDGE, height - 2 * EDGE};
}

pv_status pv_front_svg(const pv_front *front, const pv_profile *profile, char **svg,
                       pv_error *error)
{
    const bool many = front->n_objectives > 2;
    const pv_asset *const style[] = {&pv_i_palette_css,
                                     &pv_i_chart_css,
                                     &pv_i_front_chart_css,
                                     &pv_i_front_file_css,
                                     many ? &pv_i_parallel_css : NULL,
                                     NULL};
    const double width = many ? FILE_WIDE : FILE_WIDTH;
    const double height = many ? FILE_HEIGHT + FILE_TALL : FILE_HEIGHT;
    pv_buffer out = {0};
    pv_i_svg_file_begin(&out, width, height, "chart",
                        many ? "The trade-off front of several objectives" : "The trade-off front",
                        style);
    if (many) {
        pv_i_parallel_description(&out, front);
    } else {
        pv_i_front_chart_description(&out, front, profile, pv_front_price(front));
    }
    pv_i_svg_rect(&out, "paper", (pv_svg_box){0, 0, width, height}, 0);
    pv_i_front_chart(&out, front, profile, pv_front_price(front), PV_SVG_FILE_LETTERS,
                     inner(0, width, FILE_HEIGHT));
    if (many) {
        pv_i_parallel(&out, front, profile, inner(FILE_HEIGHT, width, FILE_TALL));
    }
    pv_i_svg_end(&out);
    return pv_i_buffer_take(&out, svg, error);
}
