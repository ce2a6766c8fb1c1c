/* Telling about a front, for people: its shape, some of its points, those worth a look, and how
 * complete it is. */
#include "front/print.h"

#include "core/fail.h"
#include "core/text.h"
#include "front/plot.h"
#include "front/print_cells.h"
#include "front/print_points.h"
#include "front/print_table.h"

#include <math.h>
#include <stdlib.h>

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
    const pv_budget *const budget = &found->opened->plan->suppression;
    const uint64_t rows = pv_table_rows(pv_study_table(found->opened->study));
    if (pv_budget_rows(budget, rows) > 0) {
        cli_paragraph(report, 0, "Nobody is suppressed, although the plan allows %s.",
                      cli_plural_text(pv_budget_rows(budget, rows), "row", "rows").text);
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
        cli_plural_text(front->n_points, "best trade-off", "best trade-offs").text, objectives,
        ways_text(front->nodes).text, cuts ? "divide the values of" : "generalize",
        cli_plural_text(pv_study_quasis(found->opened->study), "attribute", "attributes").text);
    if (cuts) {
        print_unused_budget(report, found);
    }
    if (front->reason != NULL) {
        cli_paragraph(report, 0, "Method: %s, because %s.", front->method, front->reason);
    }
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
    bool *const chosen = cli_front_choose(found, all);
    cli_front_plot(report, found);
    cli_heading(report, found->front->complete ? "What nothing beats" : "What nothing found beats");
    const bool has_levels = cli_front_table(report, found, chosen);
    free(chosen);
    return print_suggestions(report, found, !has_levels, error);
}

pv_status cli_found_print(const cli_report *report, const cli_found *found, bool all,
                          pv_error *error)
{
    print_summary(report, found);
    if (found->front->n_points > 0) {
        CLI_TRY(print_points(report, found, all, error));
    }
    return print_account(report, found, error);
}
