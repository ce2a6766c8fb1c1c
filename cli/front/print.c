/* A front for people: its shape, some of its points, those worth a look, and how complete it is. */
#include "front/print.h"

#include "core/fail.h"
#include "core/text.h"
#include "front/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* By the first objective only: points come in its order. */
static void choose_by_first(const cli_found *found, bool *chosen)
{
    const pv_front *const front = found->front;
    pv_axis axis;
    pv_front_axis(front, found->opened->profile, 0, TABLE_TICKS, &axis);
    chosen[0] = chosen[pv_front_n_points(front) - 1] = true;
    for (size_t t = 0; t < axis.n_ticks; t++) {
        for (size_t i = 0; i < pv_front_n_points(front); i++) {
            if (reaches(front, &axis, 0, i, axis.ticks[t].shown)) {
                chosen[i] = true;
                break;
            }
        }
    }
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

/* Of the points that reach a number the one with the least price; nothing if none does. */
static void choose_cheapest(const pv_front *front, const pv_axis *axis, size_t objective,
                            size_t price, double shown, bool *chosen)
{
    size_t cheapest = pv_front_n_points(front);
    for (size_t i = 0; i < pv_front_n_points(front); i++) {
        if (reaches(front, axis, objective, i, shown) &&
            (cheapest == pv_front_n_points(front) ||
             precedes(front, price, objective, i, cheapest))) {
            cheapest = i;
        }
    }
    if (cheapest < pv_front_n_points(front)) {
        chosen[cheapest] = true;
    }
}

static void choose_best(const pv_front *front, size_t objective, size_t price, bool *chosen)
{
    size_t best = 0;
    for (size_t i = 1; i < pv_front_n_points(front); i++) {
        best = precedes(front, objective, price, i, best) ? i : best;
    }
    chosen[best] = true;
}

/* The price itself is paid with the first objective. */
static void choose_by_each(const cli_found *found, bool *chosen)
{
    const pv_front *const front = found->front;
    const size_t price = pv_front_price(front);
    for (size_t o = 0; o < pv_front_n_objectives(front); o++) {
        const size_t paid = o == price ? 0 : price;
        pv_axis axis;
        pv_front_axis(front, found->opened->profile, o,
                      MANY_TICKS / pv_front_n_objectives(front) + 1, &axis);
        choose_best(front, o, paid, chosen);
        for (size_t t = 0; t < axis.n_ticks; t++) {
            choose_cheapest(front, &axis, o, paid, axis.ticks[t].shown, chosen);
        }
    }
}

/* One flag per point; owned. */
static bool *choose_points(const cli_found *found, bool all)
{
    const pv_front *const front = found->front;
    bool *const chosen = cli_zeroed(pv_front_n_points(front), sizeof *chosen);
    if (all || pv_front_n_points(front) <= FEW_POINTS) {
        memset(chosen, true, pv_front_n_points(front));
        return chosen;
    }
    for (size_t i = 0; i < found->n_suggestions; i++) {
        chosen[found->suggestions[i].point] = true;
    }
    if (pv_front_n_objectives(front) == 2) {
        choose_by_first(found, chosen);
    } else {
        choose_by_each(found, chosen);
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

/* "k 10, nwp 31.2%", and of cuts what is proven. Owned. */
static char *point_text(const cli_found *found, size_t point)
{
    char *const values = cli_point_text(found, point);
    if (!pv_front_has_cuts(found->front) || isinf(pv_front_gap(found->front, point))) {
        return values;
    }
    char *const text = cli_format("%s, %s", values, cli_proven_text(found, point, false).text);
    free(values);
    return text;
}

/* `with_levels` where the table has none. */
static pv_status print_suggestion(const cli_report *report, const cli_found *found,
                                  const pv_suggestion *suggestion, bool with_levels,
                                  pv_error *error)
{
    char *step = NULL;
    if (suggestion->from != suggestion->point) {
        CLI_TRY(pv_front_step_text(found->front, found->opened->profile, suggestion->from,
                                   suggestion->point, &step, error));
    }
    char *const point = point_text(found, suggestion->point);
    char *const levels = cli_levels_text(found, suggestion->point);
    const bool knee = cli_equal(suggestion->name, "knee");
    cli_fact(report, knee ? CLI_STRONG : CLI_NEUTRAL, suggestion->name, "%s%s%s%s%s", point,
             step != NULL ? ": " : "", step != NULL ? step : "", with_levels ? "; --levels " : "",
             with_levels ? levels : "");
    free(levels);
    free(point);
    pv_string_free(step);
    return PV_STATUS_OK;
}

static pv_status print_suggestions(const cli_report *report, const cli_found *found,
                                   bool with_levels, pv_error *error)
{
    cli_heading(report, "Worth a look");
    for (size_t i = 0; i < found->n_suggestions; i++) {
        CLI_TRY(print_suggestion(report, found, &found->suggestions[i], with_levels, error));
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

/* A front of cuts does without what the plan allows. */
static void print_unused_budget(const cli_report *report, const cli_found *found)
{
    const pv_budget budget = pv_plan_budget(found->opened->plan);
    const uint64_t rows = pv_table_rows(pv_study_table(found->opened->study));
    if (pv_budget_rows(&budget, rows) > 0) {
        cli_paragraph(report, 0, "Nobody is suppressed, although the plan allows %s.",
                      cli_plural_text(pv_budget_rows(&budget, rows), "row", "rows").text);
    }
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
    if (cuts) {
        print_unused_budget(report, found);
    }
    char *const reason = cli_reason_text(front);
    if (reason != NULL) {
        cli_paragraph(report, 0, "Method: %s, because %s.", pv_front_method(front), reason);
    }
    free(reason);
    free(objectives);
}

static pv_status print_account(const cli_report *report, const cli_found *found, pv_error *error)
{
    char *account = NULL;
    CLI_TRY(pv_front_account(found->front, &account, error));
    cli_heading(report, "Is that all?");
    cli_paragraph(report, 2, "This front is %s.", account);
    pv_string_free(account);
    return PV_STATUS_OK;
}

static pv_status print_points(const cli_report *report, const cli_found *found, bool all,
                              pv_error *error)
{
    bool *const chosen = choose_points(found, all);
    cli_front_plot(report, found);
    cli_heading(report, pv_front_is_complete(found->front) ? "What nothing beats"
                                                           : "What nothing found beats");
    const bool has_levels = cli_front_table(report, found, chosen);
    free(chosen);
    return print_suggestions(report, found, !has_levels, error);
}

pv_status cli_found_print(const cli_report *report, const cli_found *found, bool all,
                          pv_error *error)
{
    print_summary(report, found);
    if (pv_front_n_points(found->front) > 0) {
        CLI_TRY(print_points(report, found, all, error));
    }
    return print_account(report, found, error);
}
