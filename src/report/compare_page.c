/* The page of a comparison: the advice, everyone's values as pictures, the numbers, and how groups
 * fare. It needs nothing but itself and holds no value of the table but those that name groups.
 *
 * Two kinds of pictures, and neither shows who is who:
 *
 *     curves    each release by itself: people in the order of what they have, the worst off at the
 *               left. A curve that is better everywhere is better for every rank, though not for
 *               every person: the same rank may be somebody else in the other release.
 *     density   two releases: every person is a point with their value in both, counted in cells;
 *               who is beside the diagonal gains or loses. */
#include "base/error.h"
#include "base/markup.h"
#include "base/memory.h"
#include "compare/judgement.h"
#include "report/page_frame.h"
#include "report/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 460, TALL = 300 }; /* of a picture */
enum { LEFT = 58, RIGHT = 26, TOP = 26, BOTTOM = 44, TICK_SPACE_X = 70, TICK_SPACE_Y = 45 };
enum { SAMPLES = 240, CELLS = 32, SHADES = 6, END_SPACE = 12, COLORS = 6 };

/* Values that differ by more than this factor are drawn by their logarithm. */
#define WIDE 20.0

/* Some people who have the same. */
typedef struct {
    double value;
    uint64_t people;
} share;

/* One property, in a picture of its own. */
typedef struct {
    const pv_comparison *comparison;
    size_t property;
    share *sorted;      /* scratch: the kinds of one release */
    double least, most; /* of all releases, as shown */
} chart;

/* ------------------------------------------------------------------ values */

static int compare_shares(const void *left, const void *right)
{
    const double a = ((const share *)left)->value;
    const double b = ((const share *)right)->value;
    return (a > b) - (a < b);
}

static uint64_t people_of(const pv_comparison *comparison, size_t kind)
{
    return comparison->n_of_kind != NULL ? comparison->n_of_kind[kind] : 1;
}

/* Finds the range of the values. */
static void chart_init(chart *ch, const pv_comparison *comparison, size_t property, share *sorted)
{
    *ch = (chart){.comparison = comparison,
                  .property = property,
                  .sorted = sorted,
                  .least = (double)INFINITY,
                  .most = -(double)INFINITY};
    for (size_t r = 0; r < comparison->n_releases; r++) {
        const double *const values = comparison->releases[r]->values[property];
        for (size_t i = 0; values != NULL && i < comparison->n_kinds; i++) {
            const double shown = pv_comparison_shown(comparison, property, values[i]);
            ch->least = shown < ch->least ? shown : ch->least;
            ch->most = shown > ch->most ? shown : ch->most;
        }
    }
    if (!(ch->least <= ch->most)) {
        ch->least = 0.0;
        ch->most = 1.0;
    }
}

static pv_svg_axis value_axis(const chart *ch, double ticks, double from, double to)
{
    const size_t n = ticks < 2.0 ? 2 : (size_t)ticks;
    return ch->least > 0.0 && ch->most > WIDE * ch->least
               ? pv_i_svg_decade_axis(ch->least, ch->most, n, from, to)
               : pv_i_svg_range_axis(ch->least, ch->most > ch->least ? ch->most : ch->least + 1.0,
                                     n, PV_SVG_NUMBER, from, to);
}

/* ------------------------------------------------------------------ curves */

/* "A r5.csv: 6 for the worst off, 22 in the middle, 900 for the best off". */
static void curve_title(pv_buffer *out, const chart *ch, size_t release)
{
    static const char *const whose[] = {" for the worst off, ", " in the middle, ",
                                        " for the best off"};
    const pv_comparison *const comparison = ch->comparison;
    const share *at = ch->sorted;
    const uint64_t last = comparison->n_rows - 1;
    const uint64_t persons[] = {0, last / 2, last};
    uint64_t passed = at->people;
    pv_i_buffer_format(out, "<title>%c ", pv_release_letter(release));
    pv_i_markup_between(out, "", comparison->releases[release]->name, ": ");
    for (size_t i = 0; i < 3; i++) {
        while (passed <= persons[i]) {
            passed += (++at)->people;
        }
        pv_i_markup_figure(out, pv_comparison_shown(comparison, ch->property, at->value));
        pv_i_buffer_text(out, whose[i]);
    }
    pv_i_buffer_text(out, "</title>");
}

/* Returns where it ends. */
static double curve(pv_buffer *out, const chart *ch, size_t release, const pv_svg_axis *x,
                    const pv_svg_axis *y)
{
    const pv_comparison *const comparison = ch->comparison;
    const double *const values = comparison->releases[release]->values[ch->property];
    const share *at = ch->sorted;
    char class_name[32];
    double end = y->from;
    if (values == NULL || comparison->n_rows == 0) {
        return end;
    }
    for (size_t kind = 0; kind < comparison->n_kinds; kind++) { /* everyone's values in order */
        ch->sorted[kind] = (share){.value = values[kind], .people = people_of(comparison, kind)};
    }
    qsort(ch->sorted, comparison->n_kinds, sizeof *ch->sorted, compare_shares);
    pv_i_buffer_text(out, "<g class=\"tell\">");
    curve_title(out, ch, release);
    uint64_t passed = at->people; /* up to this one */
    (void)snprintf(class_name, sizeof class_name, "curve c%zu%s", release % COLORS,
                   release >= COLORS ? " dashed" : "");
    for (size_t s = 0; s <= SAMPLES; s++) {
        const double part = (double)s / SAMPLES;
        const uint64_t person = (uint64_t)(part * (double)(comparison->n_rows - 1) + 0.5);
        while (passed <= person) {
            passed += (++at)->people;
        }
        const double height =
            pv_i_svg_at(y, pv_comparison_shown(comparison, ch->property, at->value));
        if (s == 0) {
            pv_i_svg_path_begin(out, class_name, pv_i_svg_at(x, part), height);
        } else {
            pv_i_svg_path_to(out, pv_i_svg_at(x, part), height);
        }
        end = height;
    }
    pv_i_svg_path_end(out);
    pv_i_buffer_text(out, "</g>\n");
    return end;
}

/* Letters beside the ends; what finds no space there is still in the legend. */
static void end_letters(pv_buffer *out, const chart *ch, const double *ends, const pv_svg_axis *x,
                        const pv_svg_axis *y)
{
    double places[PV_SVG_MAX_SPREAD];
    const size_t all = ch->comparison->n_releases;
    const size_t n = all < PV_SVG_MAX_SPREAD ? all : PV_SVG_MAX_SPREAD;
    memcpy(places, ends, n * sizeof *places);
    const size_t shown = pv_i_svg_spread(places, n, END_SPACE, y->to, y->from);
    for (size_t r = 0; r < shown; r++) {
        char class_name[16];
        (void)snprintf(class_name, sizeof class_name, "end c%zu", r % COLORS);
        const char letter[] = {pv_release_letter(r), '\0'};
        if (fabs(places[r] - ends[r]) > 3) {
            pv_i_svg_line(out, "leader", x->to + 1, ends[r], x->to + 8, places[r]);
        }
        pv_i_svg_text(out, class_name, PV_SVG_START, x->to + 10, places[r] + 4, letter);
    }
}

static void draw_curves(pv_buffer *out, const chart *ch, pv_svg_box box)
{
    const double width = box.width - LEFT - RIGHT;
    const double height = box.height - TOP - BOTTOM;
    const pv_svg_axis x = pv_i_svg_axis(1, (size_t)(width / TICK_SPACE_X), PV_SVG_PERCENT,
                                        box.x + LEFT, box.x + LEFT + width);
    const pv_svg_axis y = value_axis(ch, height / TICK_SPACE_Y, box.y + TOP + height, box.y + TOP);
    const bool less = ch->comparison->less_is_better[ch->property];
    pv_i_svg_axis_y(out, &y, x.from, x.to);
    pv_i_svg_axis_x(out, &x, y.to, y.from);
    pv_i_svg_text(out, "what", PV_SVG_START, box.x + 2, box.y + 14,
                  y.logarithmic
                      ? less ? "logarithmic, less is better" : "logarithmic, more is better"
                  : less ? "less is better"
                         : "more is better");
    pv_i_svg_text(out, "what", PV_SVG_END, x.to, box.y + box.height - 6,
                  "people, from the worst off to the best off");
    double ends[PV_SVG_MAX_SPREAD];
    for (size_t r = 0; r < ch->comparison->n_releases; r++) {
        const double end = curve(out, ch, r, &x, &y);
        if (r < PV_SVG_MAX_SPREAD) {
            ends[r] = end;
        }
    }
    end_letters(out, ch, ends, &x, &y);
}

/* ----------------------------------------------------------------- density */

typedef struct {
    uint64_t people[CELLS][CELLS]; /* by the first release, by the second */
    int better[CELLS][CELLS];      /* who is better off there: 1 the first, 2 the second, 3 both */
    uint64_t most;
} cells;

static size_t cell_of(const pv_svg_axis *axis, double value)
{
    const double place = (pv_i_svg_at(axis, value) - axis->from) / (axis->to - axis->from);
    const double at = floor(place * CELLS);
    return at <= 0.0 ? 0 : at >= CELLS ? CELLS - 1 : (size_t)at;
}

static void count_people(const chart *ch, const pv_svg_axis *x, const pv_svg_axis *y, cells *c)
{
    const pv_comparison *const comparison = ch->comparison;
    const double *const first = comparison->releases[0]->values[ch->property];
    const double *const second = comparison->releases[1]->values[ch->property];
    for (size_t i = 0; first != NULL && second != NULL && i < comparison->n_kinds; i++) {
        const size_t a = cell_of(x, pv_comparison_shown(comparison, ch->property, first[i]));
        const size_t b = cell_of(y, pv_comparison_shown(comparison, ch->property, second[i]));
        c->people[a][b] += people_of(comparison, i);
        c->better[a][b] |= pv_i_exceeds(first[i], second[i])   ? 1
                           : pv_i_exceeds(second[i], first[i]) ? 2
                                                               : 3;
        c->most = c->people[a][b] > c->most ? c->people[a][b] : c->most;
    }
}

/* The value where the cell begins. */
static double begin_of(const pv_svg_axis *axis, size_t cell)
{
    const double part = (double)cell / CELLS;
    return axis->logarithmic ? axis->min * pow(axis->max / axis->min, part)
                             : axis->min + (axis->max - axis->min) * part;
}

/* "1,204 people; 6 to 8 in A, 20 to 25 in B". */
static void draw_cell(pv_buffer *out, const cells *c, size_t a, size_t b, const pv_svg_axis *x,
                      const pv_svg_axis *y)
{
    static const char *const names[] = {"same", "down", "up", "same"};
    char class_name[16];
    const double width = (x->to - x->from) / CELLS;
    const double height = (y->from - y->to) / CELLS;
    const pv_svg_box box = {x->from + width * (double)a, y->from - height * (double)(b + 1), width,
                            height};
    pv_i_buffer_format(out, "<g class=\"tell\"><title>%s %s; %s to %s in A, %s to %s in B</title>",
                       PV_COUNT(c->people[a][b]), c->people[a][b] == 1 ? "person" : "people",
                       PV_FIGURE(begin_of(x, a)), PV_FIGURE(begin_of(x, a + 1)),
                       PV_FIGURE(begin_of(y, b)), PV_FIGURE(begin_of(y, b + 1)));
    /* Numbers of people differ by factors: so do the shades. */
    const double part = c->most > 1 ? log((double)c->people[a][b]) / log((double)c->most) : 1.0;
    (void)snprintf(class_name, sizeof class_name, "%s s%.0f", names[c->better[a][b]],
                   fmin(floor(part * SHADES), SHADES - 1));
    pv_i_svg_rect(out, class_name, box, 0);
    pv_i_buffer_text(out, "</g>\n");
}

static void draw_density(pv_buffer *out, const chart *ch, pv_svg_box box)
{
    const double width = box.width - LEFT - RIGHT;
    const double height = box.height - TOP - BOTTOM;
    const pv_svg_axis x = value_axis(ch, width / TICK_SPACE_X, box.x + LEFT, box.x + LEFT + width);
    const pv_svg_axis y = value_axis(ch, height / TICK_SPACE_Y, box.y + TOP + height, box.y + TOP);
    cells c = {.most = 0};
    count_people(ch, &x, &y, &c);
    pv_i_svg_axis_y(out, &y, x.from, x.to);
    pv_i_svg_axis_x(out, &x, y.to, y.from);
    for (size_t a = 0; a < CELLS; a++) {
        for (size_t b = 0; b < CELLS; b++) {
            if (c.people[a][b] > 0) {
                draw_cell(out, &c, a, b, &x, &y);
            }
        }
    }
    pv_i_svg_line(out, "even", x.from, y.from, x.to, y.to);
    pv_i_svg_text(out, "what", PV_SVG_START, box.x + 2, box.y + 14, "in B");
    pv_i_svg_text(out, "what", PV_SVG_END, x.to, box.y + box.height - 6, "in A");
}

/* -------------------------------------------------------------------- cells */

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
    pv_i_buffer_format(out, "<h1>%zu releases of %s people, person by person</h1>\n<p>",
                       judgement->comparison->n_releases,
                       PV_COUNT(judgement->comparison->n_original));
    pv_i_markup_between(out, "", advice, "</p>\n");
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
        pv_i_page_cell_begin(out, "name", "");
        pv_i_markup_between(out, "", c->releases[r]->name, "</td>");
        pv_i_page_cell(
            out, "smallest class", "n",
            PV_FIGURE(judgement->advice != NULL ? (double)judgement->least[r] : (double)NAN));
        pv_i_page_cell(out, "suppressed", "n", PV_FIGURE((double)c->releases[r]->suppressed));
        pv_i_page_cell(out, "rows missing", "n", PV_FIGURE((double)c->n_missing[r]));
        pv_i_buffer_text(out, "</tr>\n");
    }
    pv_i_page_table_end(out);
    if (c->n_rows < c->n_original) {
        pv_i_buffer_format(out,
                           "<p class=\"lead after-table\">Compared on the %s rows that all of "
                           "them have.</p>\n",
                           PV_COUNT(c->n_rows));
    }
    pv_i_buffer_text(out, "</section>\n");
}

/* ----------------------------------------------------------------- pictures */

static void legend(pv_buffer *out, const pv_comparison *comparison)
{
    pv_i_buffer_text(out, "<p class=\"legend\">");
    for (size_t r = 0; r < comparison->n_releases; r++) {
        pv_i_buffer_format(out, "<span><i class=\"key c%zu\"></i>%c ", r % COLORS,
                           pv_release_letter(r));
        pv_i_page_name(out, comparison->releases[r]->name);
        pv_i_buffer_text(out, "</span>");
    }
    pv_i_buffer_text(out, "</p>\n");
}

typedef void (*draw_fn)(pv_buffer *, const chart *, pv_svg_box);

static void pictures(pv_buffer *out, const pv_comparison *comparison, share *sorted, draw_fn draw,
                     const char *title, bool with_summary)
{
    pv_i_buffer_text(out, "<div class=\"pictures\">\n");
    for (size_t p = 0; p < comparison->n_properties; p++) {
        chart ch;
        const char *const name = comparison->properties[p];
        chart_init(&ch, comparison, p, sorted);
        const pv_property *const known = pv_property_find(name);
        pv_i_buffer_text(out, "<figure><figcaption>");
        pv_i_page_name(out, name);
        pv_i_markup_between(out, "<span>",
                            !with_summary   ? ""
                            : known != NULL ? known->summary
                                            : "a column of the releases",
                            "</span></figcaption>\n");
        pv_i_svg_begin(out, WIDTH, TALL, "chart", title);
        draw(out, &ch, (pv_svg_box){0, 0, WIDTH, TALL});
        pv_i_svg_end(out);
        pv_i_page_picture_end(out);
    }
    pv_i_buffer_text(out, "</div></section>\n");
}

static pv_status draw_all(pv_buffer *out, const pv_comparison *comparison, pv_error *error)
{
    share *const sorted = PV_NEW_ARRAY(share, comparison->n_kinds);
    if (sorted == NULL) {
        return pv_i_no_memory(error);
    }
    pv_i_buffer_text(out, "<section><h2>Everyone&#39;s values, in order</h2>\n<p class=\"lead\">"
                          "Every release by itself, from the person worst off to the one best "
                          "off.</p>\n");
    legend(out, comparison);
    pictures(out, comparison, sorted, draw_curves, "everyone's values in order", true);
    if (comparison->n_releases == 2) {
        pv_i_buffer_text(
            out, "<section><h2>Who gains and who loses</h2>\n<p class=\"lead\">Every person "
                 "by their value in A and in B; darker is more people. Beside the line are "
                 "those who do not have the same in both.</p>\n<p class=\"legend\">"
                 "<span><i class=\"a\"></i>better off in A</span><span><i class=\"b\"></i>"
                 "better off in B</span></p>\n");
        pictures(out, comparison, sorted, draw_density, "who gains and who loses", false);
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
    pv_i_page_cell(out, "worst off", "n",
                   PV_FIGURE(pv_comparison_shown(c, p, judgement->worst[place])));
    pv_i_page_cell(out, "have it", "n", PV_PERCENT(judgement->everyone[place].worst_share));
    pv_i_page_cell(out, "mean", "n",
                   PV_FIGURE(pv_comparison_shown(c, p, judgement->everyone[place].mean)));
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        const pv_tournament *const t = judgement->by_index[p * PV_INDEX_COUNT + i];
        pv_i_page_cell(out, pv_index_name((pv_index)i), "n", PV_FIGURE((double)t->wins[r]));
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
        pv_i_markup_between(out, "<tr class=\"family\"><th colspan=\"9\" scope=\"rowgroup\">",
                            c->properties[p], "</th></tr>\n");
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
        pv_i_markup_between(out, "<li><b>", combination->name, "</b>, ");
        pv_i_markup_between(out, "", rule, ". ");
        tournament_sentence(out, judgement->overall[i]);
        pv_i_buffer_text(out, "</li>\n");
        pv_string_free(rule);
    }
    if (judgement->advice != NULL) {
        pv_i_buffer_format(out,
                           "<li><b>advice</b>, everyone among at least %s people, then more detail "
                           "for more people. ",
                           PV_COUNT(judgement->enough));
        tournament_sentence(out, judgement->advice);
        pv_i_buffer_text(out, "</li>\n");
    }
    pv_i_buffer_text(out, "</ul></section>\n");
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- groups */

static void group_row(pv_buffer *out, const pv_judgement *judgement, size_t p,
                      const pv_people *people, const pv_group_result *results)
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
    pv_i_page_cell(out, "people", "n",
                   PV_FIGURE(people != NULL ? (double)people->n_rows : (double)c->n_rows));
    for (size_t r = 0; r < c->n_releases; r++) {
        const char name[] = {pv_release_letter(r), '\0'};
        pv_i_page_cell_begin(out, name, "n");
        pv_i_buffer_format(out, "<span%s%s</span> <span class=\"soft\">mean %s</span></td>",
                           results[r].is_singled_out ? " class=\"flag\">! " : ">",
                           PV_PERCENT(results[r].worst_share),
                           PV_FIGURE(pv_comparison_shown(c, p, results[r].mean)));
    }
    pv_i_buffer_text(out, "</tr>\n");
}

static void group_table(pv_buffer *out, const pv_judgement *judgement, size_t p)
{
    const pv_comparison *const c = judgement->comparison;
    pv_buffer head = {0};
    pv_i_markup_between(&head, "<th scope=\"col\">", c->properties[p],
                        "</th><th scope=\"col\" class=\"n\">people</th>");
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
                  &judgement->groups[(g * c->n_properties + p) * c->n_releases]);
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
    pv_i_page_end_private(out,
                          judgement->comparison->n_people > 0
                              ? "Of the table this page holds only the values that name groups."
                              : "This page holds no value of the table.",
                          NULL);
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
