/* A front for people: its shape, some of its points, those worth a look, and how complete it is. */
#include "front/search.h"

#include "core/canvas.h"
#include "core/fail.h"
#include "core/measured.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- plot
 *
 * A canvas of signs, axes with round numbers around it. */

#define INDENT 2
#define HEIGHT 15

cli_sign cli_point_sign(const cli_found *found, size_t point)
{
    const char *const name = pv_suggestion_name(found->suggestions, found->n_suggestions, point);
    return name == NULL              ? CLI_POINT_SIGN
           : cli_equal(name, "knee") ? CLI_KNEE_SIGN
                                     : CLI_SUGGESTED_SIGN;
}

const char *cli_sign_text(const cli_report *report, cli_sign sign)
{
    static const char *const plain[] = {" ", "'", ".", "o", "@"};
    static const char *const signs[] = {" ", "\xc2\xb7", "\xe2\x80\xa2", "\xe2\x97\x87",
                                        "\xe2\x97\x86"};
    return report->utf8 ? signs[sign] : plain[sign];
}

typedef struct {
    cli_canvas canvas;
    const cli_found *found;
    size_t price; /* the objective of the vertical axis */
} plot;

/* The more telling sign stays on top. */
static void put(const plot *p, size_t point, cli_sign sign)
{
    const double *const values = pv_front_values(p->found->front, point, NULL);
    unsigned char *const cell = cli_canvas_cell(&p->canvas, values[0], values[p->price]);
    *cell = sign > *cell ? (unsigned char)sign : *cell;
}

static bool is_cheaper(const plot *p, size_t a, size_t b)
{
    const pv_front *const front = p->found->front;
    const double left = pv_front_values(front, a, NULL)[p->price];
    const double right = pv_front_values(front, b, NULL)[p->price];
    return pv_front_objectives(front)[p->price].measure->direction == PV_MORE_IS_BETTER
               ? left > right
               : left < right;
}

/* Of the points as good as the last of `n` in the first objective: the cheapest, and how many there
 * are before them. Points come by the first objective, best last. */
static size_t cheapest_of_last(const plot *p, size_t n, size_t *before)
{
    const pv_front *const front = p->found->front;
    const double first = pv_front_values(front, n - 1, NULL)[0];
    size_t cheapest = n - 1;
    size_t at = n - 1;
    while (at > 0 && fabs(pv_front_values(front, at - 1, NULL)[0] - first) <= 0.0) {
        at--;
        cheapest = is_cheaper(p, at, cheapest) ? at : cheapest;
    }
    *before = at;
    return cheapest;
}

/* With further objectives most points are beaten in these two: they are there, but faint. */
static void place_points(plot *p)
{
    const size_t n = pv_front_n_points(p->found->front);
    const bool all = pv_front_n_objectives(p->found->front) == 2;
    for (size_t i = 0; i < n; i++) {
        const cli_sign sign = cli_point_sign(p->found, i);
        put(p, i, all || sign != CLI_POINT_SIGN ? sign : CLI_BEATEN_SIGN);
    }
    size_t best = n; /* of those that are better in the first objective; at first there are none */
    for (size_t left = n; left > 0;) {
        const size_t cheapest = cheapest_of_last(p, left, &left);
        if (best == n || is_cheaper(p, cheapest, best)) {
            put(p, cheapest, CLI_POINT_SIGN);
            best = cheapest;
        }
    }
}

static char *axis_name(const plot *p, size_t objective, const pv_axis *axis)
{
    const pv_measure_ref ref = pv_front_objectives(p->found->front)[objective];
    return cli_format("%s%s%s, %s is better%s", cli_measure_title(ref).text,
                      axis->as_share ? " as a share" : "", axis->logarithmic ? " (log)" : "",
                      ref.measure->direction == PV_MORE_IS_BETTER ? "more" : "less",
                      axis->broken_low || axis->broken_high ? ", axis broken" : "");
}

static const char *mark_text(const cli_report *report, unsigned char mark)
{
    return cli_sign_text(report, (cli_sign)mark);
}

/* The first objective and its price. */
static void draw_plot(const cli_report *report, const cli_found *found)
{
    plot p = {.found = found, .price = pv_front_price(found->front)};
    pv_axis y;
    pv_front_axis(found->front, found->opened->profile, p.price, CLI_CANVAS_TICKS, &y);
    cli_canvas_init(&p.canvas, report, &y, HEIGHT);
    pv_front_axis(found->front, found->opened->profile, 0, cli_canvas_ticks(&p.canvas),
                  &p.canvas.x);
    place_points(&p);
    char *const vertical = axis_name(&p, p.price, &p.canvas.y);
    char *const horizontal = axis_name(&p, 0, &p.canvas.x);
    (void)fprintf(report->out, "\n%*s%s\n", INDENT, "", vertical);
    cli_canvas_print(&p.canvas, mark_text, horizontal);
    free(vertical);
    free(horizontal);
    if (pv_front_n_objectives(found->front) > 2) {
        cli_paragraph(report, INDENT, "%s best in these two, %s better in another objective",
                      cli_sign_text(report, CLI_POINT_SIGN),
                      cli_sign_text(report, CLI_BEATEN_SIGN));
    }
    cli_canvas_deinit(&p.canvas);
}

/* ---------------------------------------------------------- which points
 *
 * A front may have hundreds of points; a person wants to see its shape and what the usual demands
 * cost. So of many points these are shown: the ends, those worth a look, and for each round number
 * on the axis of the first objective the first that reaches it. With three and more objectives:
 * those worth a look, the best in each objective, and for round numbers on every axis the one that
 * reaches them at the least price. */

#define FEW_POINTS 16
#define TABLE_TICKS 16
#define MANY_TICKS 18 /* shared by the axes of three and more objectives */

static bool is_better(const pv_front *front, size_t objective, double a, double b)
{
    return pv_front_objectives(front)[objective].measure->direction == PV_MORE_IS_BETTER ? a > b
                                                                                         : a < b;
}

static bool reaches(const pv_front *front, const pv_axis *axis, size_t objective, size_t point,
                    double shown)
{
    const double value = pv_front_values(front, point, NULL)[objective] / axis->unit;
    const double slack = 1e-9 * (shown > 1.0 ? shown : 1.0);
    return !is_better(front, objective, shown, value) ||
           (value - shown <= slack && shown - value <= slack);
}

/* Is point `a` better than `b` in one objective, or as good and better in the other? */
static bool precedes(const pv_front *front, size_t first, size_t second, size_t a, size_t b)
{
    const double *const left = pv_front_values(front, a, NULL);
    const double *const right = pv_front_values(front, b, NULL);
    if (is_better(front, first, left[first], right[first])) {
        return true;
    }
    return !is_better(front, first, right[first], left[first]) &&
           is_better(front, second, left[second], right[second]);
}

/* One flag per point; owned. */
static bool *choose_points(const cli_found *found, bool all)
{
    const pv_front *const front = found->front;
    const size_t n = pv_front_n_points(front);
    const size_t n_objectives = pv_front_n_objectives(front);
    const size_t price = pv_front_price(front);
    bool *const chosen = cli_zeroed(n, sizeof *chosen);
    pv_axis axis;
    if (all || n <= FEW_POINTS) {
        memset(chosen, true, n);
        return chosen;
    }
    for (size_t i = 0; i < found->n_suggestions; i++) {
        chosen[found->suggestions[i].point] = true;
    }
    if (n_objectives == 2) { /* by the first only: points come in its order */
        pv_front_axis(front, found->opened->profile, 0, TABLE_TICKS, &axis);
        chosen[0] = chosen[n - 1] = true;
        for (size_t t = 0; t < axis.n_ticks; t++) {
            size_t i = 0;
            while (i < n && !reaches(front, &axis, 0, i, axis.ticks[t].shown)) {
                i++;
            }
            chosen[i < n ? i : 0] = true;
        }
        return chosen;
    }
    for (size_t o = 0; o < n_objectives; o++) {
        const size_t paid = o == price ? 0 : price; /* the price itself with the first objective */
        size_t best = 0;
        for (size_t i = 1; i < n; i++) {
            best = precedes(front, o, paid, i, best) ? i : best;
        }
        chosen[best] = true;
        pv_front_axis(front, found->opened->profile, o, MANY_TICKS / n_objectives + 1, &axis);
        for (size_t t = 0; t < axis.n_ticks; t++) {
            size_t cheapest = n; /* of those that reach the number; there may be none */
            for (size_t i = 0; i < n; i++) {
                if (reaches(front, &axis, o, i, axis.ticks[t].shown) &&
                    (cheapest == n || precedes(front, paid, o, i, cheapest))) {
                    cheapest = i;
                }
            }
            if (cheapest < n) {
                chosen[cheapest] = true;
            }
        }
    }
    return chosen;
}

char *cli_levels_text(const cli_found *found, size_t point)
{
    size_t n = 0;
    const uint8_t *const levels = pv_front_levels(found->front, point, &n);
    char *list = cli_copy("");
    for (size_t q = 0; q < n; q++) {
        cli_append(&list, "%s%u", q > 0 ? "," : "", levels[q]);
    }
    return list;
}

/* ------------------------------------------------------------ suggestions */

/* "knee   k 10, nwp 31.2%: what it costs"; of cuts with what is proven, and `with_levels` where the
 * table has none. */
static pv_status print_suggestions(const cli_report *report, const cli_found *found,
                                   bool with_levels, pv_error *error)
{
    const pv_front *const front = found->front;
    cli_heading(report, "Worth a look");
    for (size_t i = 0; i < found->n_suggestions; i++) {
        const pv_suggestion *const s = &found->suggestions[i];
        char *step = NULL;
        if (s->from != s->point) {
            CLI_TRY(
                pv_front_step_text(front, found->opened->profile, s->from, s->point, &step, error));
        }
        char *point = cli_point_text(found, s->point);
        if (pv_front_has_bounds(front) && !isinf(pv_front_gap(front, s->point))) {
            cli_append(&point, ", %s", cli_proven_text(found, s->point, false).text);
        }
        char *const levels = cli_levels_text(found, s->point);
        cli_fact(report, cli_equal(s->name, "knee") ? CLI_STRONG : CLI_NEUTRAL, s->name,
                 "%s%s%s%s%s", point, step != NULL ? ": " : "", step != NULL ? step : "",
                 with_levels ? "; --levels " : "", with_levels ? levels : "");
        free(levels);
        free(point);
        pv_string_free(step);
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ whole */

/* How many schemes there are: of cuts soon more than anybody writes out. */
static cli_number ways_text(double n)
{
    cli_number number = {"more than 10^300"};
    if (n < 1e15) {
        return cli_value_text(n);
    }
    if (isfinite(n)) {
        (void)snprintf(number.text, sizeof number.text, "about 10^%.0f", floor(log10(n)));
    }
    return number;
}

static void print_summary(const cli_report *report, const cli_found *found)
{
    const pv_front *const front = found->front;
    const pv_table *const table = pv_study_table(found->opened->study);
    const bool cuts = pv_front_has_cuts(front);
    char *const objectives = cli_objective_names(front);
    cli_paragraph(
        report, 0, "%s: %s between %s, out of %s ways to %s %s.",
        cli_path_name(pv_table_source(table)),
        cli_plural_text(pv_front_n_points(front), "best trade-off", "best trade-offs").text,
        objectives, ways_text(pv_front_n_schemes(front)).text,
        cuts ? "divide the values of" : "generalize",
        cli_plural_text(pv_study_quasis(found->opened->study), "attribute", "attributes").text);
    const pv_budget budget = pv_plan_budget(found->opened->plan);
    const uint64_t allowed = pv_budget_rows(&budget, pv_table_rows(table));
    if (cuts && allowed > 0) {
        cli_paragraph(report, 0, "Nobody is suppressed, although the plan allows %s.",
                      cli_plural_text(allowed, "row", "rows").text);
    }
    char *const reason = cli_reason_text(front);
    if (reason != NULL) {
        cli_paragraph(report, 0, "Method: %s, because %s.", pv_front_method(front), reason);
    }
    free(reason);
    free(objectives);
}

pv_status cli_found_print(const cli_report *report, const cli_found *found, bool all,
                          pv_error *error)
{
    const pv_front *const front = found->front;
    char *account = NULL;
    print_summary(report, found);
    if (pv_front_n_points(front) > 0) {
        bool *const chosen = choose_points(found, all);
        draw_plot(report, found);
        cli_heading(report, pv_front_is_complete(front) ? "What nothing beats"
                                                        : "What nothing found beats");
        const bool has_levels = cli_front_table(report, found, chosen);
        free(chosen);
        CLI_TRY(print_suggestions(report, found, !has_levels, error));
    }
    CLI_TRY(pv_front_account(front, &account, error));
    cli_heading(report, "Is that all?");
    cli_paragraph(report, 2, "This front is %s.", account);
    pv_string_free(account);
    return PV_STATUS_OK;
}
