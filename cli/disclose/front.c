/* `disclose --front`: curves of risk against utility, for people and for programs. */
#include "core/fail.h"
#include "core/grid.h"
#include "core/json.h"
#include "core/outputs.h"
#include "core/text.h"
#include "disclose/disclose.h"

/* ------------------------------------------------------------------ table */

/* The first point of a curve has the name of its model. */
static void print_point(cli_grid *grid, const char *model, const pv_risk_point *point)
{
    cli_grid_cell(grid, "%s", model);
    cli_grid_cell(grid, "%s", cli_share_text(point->asked).text);
    cli_grid_cell(grid, "%s", cli_share_text(point->kept).text);
    cli_grid_cell(grid, "%s", cli_value_text(point->mean).text);
    cli_grid_cell(grid, "%s", cli_value_text(point->most).text);
    cli_grid_cell(grid, "%s", cli_count_text(point->unique).text);
    cli_grid_cell(grid, "%s", point->is_exact ? "yes" : "no");
}

static void print_points(const cli_report *report, const pv_risk_front *front)
{
    static const cli_column columns[] = {{"model", CLI_LEFT},       {"asked for", CLI_RIGHT},
                                         {"kept", CLI_RIGHT},       {"mean risk", CLI_RIGHT},
                                         {"worst risk", CLI_RIGHT}, {"singled out", CLI_RIGHT},
                                         {"exact", CLI_LEFT},       {NULL, CLI_LEFT}};
    cli_heading(report, "All points");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t c = 0; c < pv_risk_front_n_curves(front); c++) {
        size_t n = 0;
        const pv_risk_point *const points = pv_risk_front_points(front, c, &n);
        for (size_t i = 0; i < n; i++) {
            print_point(grid, i == 0 ? pv_risk_name(pv_risk_front_risk(front, c)) : "", &points[i]);
        }
    }
    cli_grid_print(grid);
    cli_paragraph(report, 2,
                  "asked for, kept: shares of the detail people have, of everyone at least and on "
                  "average. singled out: people whom just one row of what the attacker has fits.");
}

static void print_account(const cli_report *report, const cli_disclosed *d,
                          const pv_risk_front *front)
{
    cli_heading(report, "What was weighed up, and how");
    for (size_t c = 0; c < pv_risk_front_n_curves(front); c++) {
        const pv_risk risk = pv_risk_front_risk(front, c);
        cli_fact(report, CLI_NEUTRAL, c == 0 ? "risk" : "", "model %s: %s", pv_risk_name(risk),
                 pv_risk_summary(risk));
    }
    cli_detail_print(report, d);
    cli_fact(report, CLI_NEUTRAL, "method", "%s%s%s; %s s", pv_risk_front_method(front),
             pv_risk_front_reason(front) != NULL ? ": " : "",
             pv_risk_front_reason(front) != NULL ? pv_risk_front_reason(front) : "",
             cli_value_text(pv_risk_front_seconds(front)).text);
    if (pv_risk_front_stop(front) == PV_STOP_TIME ||
        pv_risk_front_stop(front) == PV_STOP_EVALUATIONS) {
        cli_fact(report, CLI_BAD, "exact", "not every point, or not all are there: %s",
                 pv_risk_front_stop(front) == PV_STOP_TIME ? "the time was over (--seconds)"
                 : d->query.given->limit.given             ? "a limit was reached (--limit)"
                                               : "the lattice is too large to look at all of it; "
                                                 "--seconds S looks further");
    }
}

static void print_files(const cli_report *report, const cli_disclose *settings)
{
    if (settings->html == NULL && settings->svg == NULL) {
        return;
    }
    cli_heading(report, "Look at");
    if (settings->html != NULL) {
        cli_fact(report, CLI_NEUTRAL, "the page", "%s", settings->html);
    }
    if (settings->svg != NULL) {
        cli_fact(report, CLI_NEUTRAL, "the picture", "%s", settings->svg);
    }
}

static void print_front(const cli_report *report, const cli_disclosed *d,
                        const pv_risk_front *front)
{
    cli_paragraph(
        report, 0, "%s: the least risk for each of %s, from no detail to all of it.",
        pv_table_source(pv_study_table(cli_disclosed_opened(d)->study)),
        cli_plural_text(pv_profile_rows(cli_disclosed_opened(d)->profile), "person", "people")
            .text);
    for (size_t c = 0; c < pv_risk_front_n_curves(front); c++) {
        cli_risk_plot(report, front, c);
    }
    print_points(report, front);
    print_account(report, d, front);
    print_files(report, d->query.given);
}

/* ------------------------------------------------------------------- JSON */

static json_t *point_json(pv_risk model, const pv_risk_point *point)
{
    json_t *const object = json_object();
    json_t *const risk = json_object();
    cli_json_set(risk, "mean", cli_json_number(point->mean));
    cli_json_set(risk, "max", cli_json_number(point->most));
    cli_json_set(object, "model", cli_json_text(pv_risk_name(model)));
    cli_json_set(object, "utility", cli_json_number(point->asked));
    cli_json_set(object, "kept", cli_json_number(point->kept));
    cli_json_set(object, "risk", risk);
    cli_json_set(object, "unique", cli_json_count(point->unique));
    cli_json_set(object, "visited", cli_json_count(point->visited));
    cli_json_set(object, "exact", cli_json_bool(point->is_exact));
    return object;
}

static json_t *before_json(const pv_risk_front *front)
{
    json_t *const object = json_object();
    for (size_t c = 0; c < pv_risk_front_n_curves(front); c++) {
        json_t *const risk = json_object();
        cli_json_set(risk, "mean", cli_json_number(pv_risk_front_mean_raw(front, c)));
        cli_json_set(risk, "max", cli_json_number(pv_risk_front_most_raw(front, c)));
        cli_json_set(object, pv_risk_name(pv_risk_front_risk(front, c)), risk);
    }
    return object;
}

static void front_json(json_t *object, const cli_disclosed *d, const pv_risk_front *front)
{
    json_t *const points = json_array();
    for (size_t c = 0; c < pv_risk_front_n_curves(front); c++) {
        size_t n = 0;
        const pv_risk_point *const list = pv_risk_front_points(front, c, &n);
        for (size_t i = 0; i < n; i++) {
            cli_json_append(points, point_json(pv_risk_front_risk(front, c), &list[i]));
        }
    }
    cli_question_json(object, d);
    cli_json_set(object, "measure", cli_json_text(pv_utility_name(pv_risk_front_utility(front))));
    cli_json_set(object, "method", cli_json_text(pv_risk_front_method(front)));
    cli_json_set(object, "reason",
                 pv_risk_front_reason(front) != NULL ? cli_json_text(pv_risk_front_reason(front))
                                                     : json_null());
    cli_json_set(object, "stopped", cli_json_bool(pv_risk_front_is_stopped(front)));
    cli_json_set(object, "stop", cli_json_text(cli_stop_name(pv_risk_front_stop(front))));
    cli_json_set(object, "seconds", cli_json_number(pv_risk_front_seconds(front)));
    cli_json_set(object, "before", before_json(front));
    cli_json_set(object, "front", points);
}

/* -------------------------------------------------------------------- run */

static pv_status write_files(cli_run *run, const cli_disclosed *d, const pv_risk_front *front,
                             pv_error *error)
{
    const cli_disclose *const settings = d->query.given;
    char *svg = NULL;
    char *html = NULL;
    pv_status status = PV_STATUS_OK;
    if (settings->svg != NULL) {
        CLI_TRY_CLEAN(pv_risk_front_svg(front, &svg, error));
        CLI_TRY_CLEAN(cli_outputs_write(run, settings->svg, svg, error));
    }
    if (settings->html != NULL) {
        CLI_TRY_CLEAN(pv_risk_front_page(front, cli_disclosed_opened(d)->profile, &html, error));
        CLI_TRY_CLEAN(cli_outputs_write(run, settings->html, html, error));
    }
    status = cli_outputs_commit(run, error);
cleanup:
    pv_string_free(svg);
    pv_string_free(html);
    return status;
}

static void show(cli_run *run, const cli_disclosed *d, const pv_risk_front *front)
{
    const bool taken = cli_is_stream(d->query.given->svg) || cli_is_stream(d->query.given->html);
    if (run->common->json) {
        json_t *const document = cli_json_document("disclose");
        front_json(document, d, front);
        cli_json_print(run, document);
    } else if (cli_run_talks(run) && !taken) {
        print_front(&run->report, d, front);
    }
}

pv_status cli_risk_front_run(cli_run *run, const cli_disclosed *d, pv_error *error)
{
    pv_risk_front *front = NULL;
    pv_risk_front_options options = {.disclose = d->query.options,
                                     .one_model = d->query.given->risk != NULL,
                                     .steps = d->query.steps};
    options.disclose.attacker = d->attacker;
    options.disclose.sensitivities = d->sensitivities;
    run->progress.bound = options.disclose.max_seconds > 0 ? NULL : CLI_SECONDS_BOUND;
    pv_status status = pv_risk_front_create(cli_disclosed_opened(d)->profile, &options,
                                            &run->context, &front, error);
    run->progress.bound = NULL;
    cli_progress_wipe(&run->progress);
    CLI_TRY(status);
    status = write_files(run, d, front, error);
    if (status == PV_STATUS_OK) {
        show(run, d, front);
        status =
            pv_risk_front_is_stopped(front)
                ? cli_error(error, PV_STATUS_CANCELLED, "interrupted; these are the points so far")
                : PV_STATUS_OK;
    }
    pv_risk_front_free(front);
    return status;
}
