/* How a front compares with one of an earlier run. */
#include "front/against.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>

/* A document has 15 digits of a number, the last of which is rounded. */
#define WRITTEN 1e-13

/* ---------------------------------------------------------------- compare */

static int compare_values(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The nearest of some ascending values. */
static double nearest(const double *sorted, size_t n, double value)
{
    size_t low = 0;
    size_t high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sorted[middle] < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const double above = sorted[low < n ? low : n - 1];
    const double below = sorted[low > 0 ? low - 1 : 0];
    return fabs(above - value) < fabs(value - below) ? above : below;
}

/* A value of the reference that differs from one of ours only behind the digits that were written
 * is ours: otherwise equal points might fall into neighbouring boxes. */
static void restore_digits(const pv_front *front, size_t objective, double *values, size_t n)
{
    double *const ours = cli_zeroed(front->n_points, sizeof *ours);
    for (size_t i = 0; i < front->n_points; i++) {
        ours[i] = front->points[i].values[objective];
    }
    qsort(ours, front->n_points, sizeof *ours, compare_values);
    for (size_t i = 0; i < n && front->n_points > 0; i++) {
        double *const value = &values[i * front->n_objectives + objective];
        const double same = nearest(ours, front->n_points, *value);
        *value = fabs(same - *value) <= WRITTEN * fabs(*value) ? same : *value;
    }
    free(ours);
}

/* Numbers of two tables can be compared, but they mean little. */
static void note_difference(const cli_run *run, const cli_found *found,
                            const cli_reference *reference)
{
    const json_int_t rows = cli_reference_rows(reference);
    const json_int_t budget = cli_reference_budget(reference);
    const uint64_t ours = pv_profile_rows(found->opened->profile);
    if (rows >= 0 && (uint64_t)rows != ours) {
        cli_note(run, "%s was made from a table of %s, this one has %s", reference->path,
                 cli_plural_text((uint64_t)rows, "row", "rows").text, cli_count_text(ours).text);
    } else if (budget >= 0 && (uint64_t)budget != found->suppression.budget) {
        cli_note(run, "%s allowed %s to be suppressed, this front %s", reference->path,
                 cli_plural_text((uint64_t)budget, "row", "rows").text,
                 cli_count_text(found->suppression.budget).text);
    }
}

pv_status cli_compare(const cli_run *run, const cli_found *found, const cli_reference *reference,
                      cli_compared *compared, pv_error *error)
{
    const pv_front *const front = found->front;
    double *values = NULL;
    CLI_TRY(
        cli_reference_values(reference, front->objectives, front->n_objectives, &values, error));
    *compared = (cli_compared){
        .path = reference->path, .complete = reference->complete, .n_points = front->n_points};
    for (size_t i = 0; i < front->n_objectives; i++) {
        restore_digits(front, i, values, reference->n_points);
    }
    const pv_status status =
        pv_front_compare(front, values, reference->n_points, &compared->indicators, error);
    free(values);
    if (status == PV_STATUS_OK) {
        note_difference(run, found, reference);
    }
    return status;
}

json_t *cli_compared_json(const cli_compared *compared)
{
    const pv_indicators *const indicators = &compared->indicators;
    json_t *const object = json_object();
    cli_json_set(object, "file", cli_json_text(compared->path));
    cli_json_set(object, "complete", cli_json_bool(compared->complete));
    cli_json_set(object, "points", cli_json_count(indicators->reference_points));
    cli_json_set(object, "ce", cli_json_number(indicators->convergence_error));
    cli_json_set(object, "rr", cli_json_number(indicators->representation_ratio));
    cli_json_set(object, "boxes", cli_json_count(indicators->boxes));
    cli_json_set(object, "boxes_met", cli_json_count(indicators->boxes_met));
    cli_json_set(object, "hypervolume", cli_json_number(indicators->hypervolume));
    cli_json_set(object, "reference_hypervolume",
                 cli_json_number(indicators->reference_hypervolume));
    cli_json_set(object, "estimated", cli_json_bool(indicators->estimated));
    return object;
}

/* ------------------------------------------------------------------ words */

/* A reference that was not complete can be outdone. */
static bool goes_beyond(const cli_compared *compared)
{
    return !compared->complete &&
           compared->indicators.hypervolume > compared->indicators.reference_hypervolume;
}

static void print_meaning(const cli_report *report, const cli_compared *compared)
{
    const pv_indicators *const i = &compared->indicators;
    const bool all_met = i->boxes_met == i->boxes;
    const bool all_own = i->convergence_error <= 0.0;
    if (goes_beyond(compared)) {
        cli_paragraph(report, 2,
                      "This front reaches further than the reference, which is not "
                      "complete: take it as the reference from now on.");
    } else if (all_met && all_own) {
        cli_paragraph(report, 2,
                      "Nothing of the reference is missing, and every point here is one "
                      "of its points.");
    } else if (all_met) {
        cli_paragraph(report, 2,
                      "Every kind of trade-off of the reference is represented here, "
                      "though not always by one of its points.");
    } else {
        cli_paragraph(report, 2, "%s of the reference %s missing here%s",
                      cli_plural_text(i->boxes - i->boxes_met, "trade-off", "trade-offs").text,
                      i->boxes - i->boxes_met == 1 ? "is" : "are",
                      all_own              ? "; every point found is one of its points."
                      : compared->complete ? ", and some points found are beaten by its points."
                                           : ", and some points found are not among its points.");
    }
}

static void print_hypervolume(const cli_report *report, const pv_indicators *indicators)
{
    const char *const how = indicators->estimated ? ", estimated" : "";
    if (indicators->reference_hypervolume > 0.0) {
        cli_fact(report, CLI_NEUTRAL, "hypervolume", "%s of the reference's%s",
                 cli_share_text(indicators->hypervolume / indicators->reference_hypervolume).text,
                 how);
    } else {
        cli_fact(report, CLI_NEUTRAL, "hypervolume", "the reference has none: it is too small");
    }
}

void cli_compared_print(const cli_report *report, const cli_compared *compared)
{
    const pv_indicators *const indicators = &compared->indicators;
    cli_heading(report, "Compared with %s", cli_path_name(compared->path));
    cli_fact(report, CLI_NEUTRAL, "reference", "%s, %s",
             cli_plural_text(indicators->reference_points, "point", "points").text,
             compared->complete ? "the whole front" : "not known to be the whole front");
    cli_fact(report, CLI_NEUTRAL, "represented", "%s of %s, %s",
             cli_count_text(indicators->boxes_met).text,
             cli_plural_text(indicators->boxes, "box", "boxes").text,
             cli_share_text(indicators->representation_ratio).text);
    cli_fact(report, CLI_NEUTRAL, "convergence error", "%s over %s",
             cli_value_text(indicators->convergence_error).text,
             cli_plural_text(compared->n_points, "point", "points").text);
    print_hypervolume(report, indicators);
    print_meaning(report, compared);
}
