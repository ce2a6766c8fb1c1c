/* The pictures of a comparison.
 *
 * Curves: what the worst off has stands at the left, what the best off has at the right, release by
 * release; whichever curve is better everywhere is better for every rank of fortune, though not for
 * every person. Density: every person is a point with their value in both; who is beside the
 * diagonal gains or loses. Neither shows who is who. */
#include "report/compare_chart.h"

#include "base/markup.h"
#include "compare/rounding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT = 58, RIGHT = 26, TOP = 26, BOTTOM = 44, TICK_ROOM_X = 70, TICK_ROOM_Y = 45 };
enum { SAMPLES = 240, CELLS = 32, SHADES = 6, END_ROOM = 12 };

/* Values that differ by more than this factor are told apart by their logarithm. */
#define WIDE 20.0

/* ------------------------------------------------------------------ values */

static int compare_fortunes(const void *left, const void *right)
{
    const double a = ((const pv_fortune *)left)->value;
    const double b = ((const pv_fortune *)right)->value;
    return (a > b) - (a < b);
}

static uint64_t people_of(const pv_comparison *comparison, size_t kind)
{
    return comparison->n_of_kind != NULL ? comparison->n_of_kind[kind] : 1;
}

void pv_i_compare_chart_init(pv_compare_chart *chart, const pv_comparison *comparison,
                             size_t property, pv_fortune *sorted)
{
    *chart = (pv_compare_chart){.comparison = comparison,
                                .property = property,
                                .sorted = sorted,
                                .least = (double)INFINITY,
                                .most = -(double)INFINITY};
    for (size_t r = 0; r < comparison->n_releases; r++) {
        const double *const values = comparison->releases[r]->values[property];
        for (size_t i = 0; values != NULL && i < comparison->n_kinds; i++) {
            const double shown = pv_i_shown_value(comparison, property, values[i]);
            chart->least = shown < chart->least ? shown : chart->least;
            chart->most = shown > chart->most ? shown : chart->most;
        }
    }
    if (!(chart->least <= chart->most)) {
        chart->least = 0.0;
        chart->most = 1.0;
    }
}

/* The axis begins at a power of ten; a hair above, so that rounding does not find the one below. */
static double power_below(double value)
{
    return pow(10, floor(log10(value))) * (1 + 1e-9);
}

static pv_svg_axis value_axis(const pv_compare_chart *chart, double ticks, double from, double to)
{
    const size_t n = ticks < 2.0 ? 2 : (size_t)ticks;
    return chart->least > 0.0 && chart->most > WIDE * chart->least
               ? pv_i_svg_log_axis(power_below(chart->least), chart->most, n, from, to)
               : pv_i_svg_range_axis(chart->least,
                                     chart->most > chart->least ? chart->most : chart->least + 1.0,
                                     n, PV_SVG_NUMBER, from, to);
}

/* ------------------------------------------------------------------ curves */

/* Everyone's values in order. */
static void sort_people(const pv_compare_chart *chart, const double *values)
{
    const size_t n = chart->comparison->n_kinds;
    for (size_t kind = 0; kind < n; kind++) {
        chart->sorted[kind] =
            (pv_fortune){.value = values[kind], .people = people_of(chart->comparison, kind)};
    }
    qsort(chart->sorted, n, sizeof *chart->sorted, compare_fortunes);
}

/* "A r5.csv: 6 for the worst off, 22 in the middle, 900 for the best off". */
static void curve_title(pv_buffer *out, const pv_compare_chart *chart, size_t release)
{
    static const char *const whose[] = {" for the worst off, ", " in the middle, ",
                                        " for the best off"};
    const pv_comparison *const comparison = chart->comparison;
    const pv_fortune *at = chart->sorted;
    const uint64_t last = comparison->n_rows - 1;
    const uint64_t persons[] = {0, last / 2, last};
    uint64_t passed = at->people;
    pv_i_buffer_format(out, "<title>%c ", pv_release_letter(release));
    pv_i_markup_text(out, comparison->releases[release]->name);
    pv_i_buffer_text(out, ": ");
    for (size_t i = 0; i < 3; i++) {
        while (passed <= persons[i]) {
            passed += (++at)->people;
        }
        pv_i_markup_figure(out, pv_i_shown_value(comparison, chart->property, at->value));
        pv_i_buffer_text(out, whose[i]);
    }
    pv_i_buffer_text(out, "</title>");
}

/* Returns where it ends. */
static double curve(pv_buffer *out, const pv_compare_chart *chart, size_t release,
                    const pv_svg_axis *x, const pv_svg_axis *y)
{
    const pv_comparison *const comparison = chart->comparison;
    const double *const values = comparison->releases[release]->values[chart->property];
    const pv_fortune *at = chart->sorted;
    char class_name[32];
    double end = y->from;
    if (values == NULL || comparison->n_rows == 0) {
        return end;
    }
    sort_people(chart, values);
    pv_i_buffer_text(out, "<g class=\"tell\">");
    curve_title(out, chart, release);
    uint64_t passed = at->people; /* up to this one */
    (void)snprintf(class_name, sizeof class_name, "curve c%zu%s", release % PV_CHART_COLORS,
                   release >= PV_CHART_COLORS ? " dashed" : "");
    for (size_t s = 0; s <= SAMPLES; s++) {
        const double share = (double)s / SAMPLES;
        const uint64_t person = (uint64_t)(share * (double)(comparison->n_rows - 1) + 0.5);
        while (passed <= person) {
            passed += (++at)->people;
        }
        const double height =
            pv_i_svg_at(y, pv_i_shown_value(comparison, chart->property, at->value));
        if (s == 0) {
            pv_i_svg_path_begin(out, class_name, pv_i_svg_at(x, share), height);
        } else {
            pv_i_svg_path_to(out, pv_i_svg_at(x, share), height);
        }
        end = height;
    }
    pv_i_svg_path_end(out);
    pv_i_buffer_text(out, "</g>\n");
    return end;
}

/* Letters beside the ends; what finds no room there is still in the legend. */
static void end_letters(pv_buffer *out, const pv_compare_chart *chart, const double *ends,
                        const pv_svg_axis *x, const pv_svg_axis *y)
{
    double places[PV_SVG_MAX_SPREAD];
    const size_t all = chart->comparison->n_releases;
    const size_t n = all < PV_SVG_MAX_SPREAD ? all : PV_SVG_MAX_SPREAD;
    memcpy(places, ends, n * sizeof *places);
    const size_t shown = pv_i_svg_spread(places, n, END_ROOM, y->to, y->from);
    for (size_t r = 0; r < shown; r++) {
        char class_name[16];
        (void)snprintf(class_name, sizeof class_name, "end c%zu", r % PV_CHART_COLORS);
        const char letter[] = {pv_release_letter(r), '\0'};
        if (fabs(places[r] - ends[r]) > 3) {
            pv_i_svg_line(out, "leader", x->to + 1, ends[r], x->to + 8, places[r]);
        }
        pv_i_svg_text(out, class_name, PV_SVG_START, x->to + 10, places[r] + 4, letter);
    }
}

void pv_i_compare_curves(pv_buffer *out, const pv_compare_chart *chart, pv_svg_box box)
{
    const double width = box.width - LEFT - RIGHT;
    const double height = box.height - TOP - BOTTOM;
    const pv_svg_axis x = pv_i_svg_axis(1, (size_t)(width / TICK_ROOM_X), PV_SVG_PERCENT,
                                        box.x + LEFT, box.x + LEFT + width);
    const pv_svg_axis y =
        value_axis(chart, height / TICK_ROOM_Y, box.y + TOP + height, box.y + TOP);
    const bool less = chart->comparison->less_is_better[chart->property];
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
    for (size_t r = 0; r < chart->comparison->n_releases; r++) {
        const double end = curve(out, chart, r, &x, &y);
        if (r < PV_SVG_MAX_SPREAD) {
            ends[r] = end;
        }
    }
    end_letters(out, chart, ends, &x, &y);
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

static void count_people(const pv_compare_chart *chart, const pv_svg_axis *x, const pv_svg_axis *y,
                         cells *c)
{
    const pv_comparison *const comparison = chart->comparison;
    const double *const first = comparison->releases[0]->values[chart->property];
    const double *const second = comparison->releases[1]->values[chart->property];
    for (size_t i = 0; first != NULL && second != NULL && i < comparison->n_kinds; i++) {
        const size_t a = cell_of(x, pv_i_shown_value(comparison, chart->property, first[i]));
        const size_t b = cell_of(y, pv_i_shown_value(comparison, chart->property, second[i]));
        c->people[a][b] += people_of(comparison, i);
        c->better[a][b] |= pv_i_exceeds(first[i], second[i])   ? 1
                           : pv_i_exceeds(second[i], first[i]) ? 2
                                                               : 3;
        c->most = c->people[a][b] > c->most ? c->people[a][b] : c->most;
    }
}

/* Numbers of people differ by factors: so do the shades. */
static size_t shade_of(uint64_t people, uint64_t most)
{
    const double share = most > 1 ? log((double)people) / log((double)most) : 1.0;
    const double shade = floor(share * SHADES);
    return shade >= SHADES ? SHADES - 1 : (size_t)shade;
}

/* The value where the cell begins. */
static double begin_of(const pv_svg_axis *axis, size_t cell)
{
    const double share = (double)cell / CELLS;
    return axis->logarithmic ? axis->min * pow(axis->max / axis->min, share)
                             : axis->min + (axis->max - axis->min) * share;
}

static void cell_range(pv_buffer *out, const pv_svg_axis *axis, size_t cell, char letter)
{
    pv_i_markup_figure(out, begin_of(axis, cell));
    pv_i_buffer_text(out, " to ");
    pv_i_markup_figure(out, begin_of(axis, cell + 1));
    pv_i_buffer_format(out, " in %c", letter);
}

/* "1,204 people; 6 to 8 in A, 20 to 25 in B". */
static void cell_title(pv_buffer *out, uint64_t people, size_t a, size_t b, const pv_svg_axis *x,
                       const pv_svg_axis *y)
{
    pv_i_buffer_text(out, "<g class=\"tell\"><title>");
    pv_i_buffer_count(out, people);
    pv_i_buffer_text(out, people == 1 ? " person; " : " people; ");
    cell_range(out, x, a, 'A');
    pv_i_buffer_text(out, ", ");
    cell_range(out, y, b, 'B');
    pv_i_buffer_text(out, "</title>");
}

static void draw_cell(pv_buffer *out, const cells *c, size_t a, size_t b, const pv_svg_axis *x,
                      const pv_svg_axis *y)
{
    static const char *const names[4][SHADES] = {
        {"same s0", "same s1", "same s2", "same s3", "same s4", "same s5"},
        {"down s0", "down s1", "down s2", "down s3", "down s4", "down s5"},
        {"up s0", "up s1", "up s2", "up s3", "up s4", "up s5"},
        {"same s0", "same s1", "same s2", "same s3", "same s4", "same s5"}};
    const double width = (x->to - x->from) / CELLS;
    const double height = (y->from - y->to) / CELLS;
    const pv_svg_box box = {x->from + width * (double)a, y->from - height * (double)(b + 1), width,
                            height};
    cell_title(out, c->people[a][b], a, b, x, y);
    pv_i_svg_rect(out, names[c->better[a][b]][shade_of(c->people[a][b], c->most)], box, 0);
    pv_i_buffer_text(out, "</g>\n");
}

void pv_i_compare_density(pv_buffer *out, const pv_compare_chart *chart, pv_svg_box box)
{
    const double width = box.width - LEFT - RIGHT;
    const double height = box.height - TOP - BOTTOM;
    const pv_svg_axis x =
        value_axis(chart, width / TICK_ROOM_X, box.x + LEFT, box.x + LEFT + width);
    const pv_svg_axis y =
        value_axis(chart, height / TICK_ROOM_Y, box.y + TOP + height, box.y + TOP);
    cells c = {.most = 0};
    count_people(chart, &x, &y, &c);
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
