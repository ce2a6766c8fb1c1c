/* `paravent front PLAN`: every trade-off that nothing beats. */
#include "core/command.h"
#include "core/fail.h"
#include "core/json.h"
#include "core/measured.h"
#include "core/opened.h"
#include "core/outputs.h"
#include "core/text.h"
#include "front/against.h"
#include "front/compare.h"
#include "front/cuts.h"
#include "front/json.h"
#include "front/options.h"
#include "front/print.h"
#include "front/search.h"

#include <paravent/paravent.h>
#include <stdlib.h>

/* ---------------------------------------------------------------- outputs */

/* Standard output holds one thing: the report, the JSON document, or one of the files. */
static pv_status check_streams(const cli_front *settings, pv_error *error)
{
    const unsigned n = cli_is_stream(settings->svg) + cli_is_stream(settings->html) +
                       cli_is_stream(settings->csv) + cli_is_stream(settings->output) +
                       settings->common.json;
    return n <= 1 ? PV_STATUS_OK
                  : cli_error(error, PV_STATUS_ARGUMENT,
                              "standard output can hold only one of --json and the files named -");
}

/* Whatever can be refused is refused before the search, which may take long. */
static pv_status check_settings(const cli_front *settings, pv_error *error)
{
    CLI_TRY(cli_cuts_check(settings, error));
    if (!cli_front_is_cut(settings)) {
        CLI_TRY(cli_search_check(&settings->search, error));
        CLI_TRY(cli_filter_check(&settings->search, NULL, settings->where, error));
        CLI_TRY(cli_front_compare_check(settings, &(pv_front){0}, NULL, error));
    }
    return check_streams(settings, error);
}

typedef pv_status (*picture_fn)(const pv_front *, const pv_profile *, char **, pv_error *);

static pv_status write_picture(cli_run *run, const char *path, picture_fn draw,
                               const cli_found *found, pv_error *error)
{
    char *text = NULL;
    if (path == NULL) {
        return PV_STATUS_OK;
    }
    CLI_TRY(draw(found->front, found->opened->profile, &text, error));
    const pv_status status = cli_outputs_write(run, path, text, error);
    pv_string_free(text);
    return status;
}

static pv_status write_files(cli_run *run, const cli_front *settings, cli_found *found,
                             pv_error *error)
{
    CLI_TRY(cli_cuts_write(run, settings, found, error));
    CLI_TRY(write_picture(run, settings->svg, pv_front_svg, found, error));
    CLI_TRY(write_picture(run, settings->html, pv_front_page, found, error));
    if (settings->csv != NULL) {
        char *const text = cli_found_csv(found);
        const pv_status status = cli_outputs_write(run, settings->csv, text, error);
        free(text);
        CLI_TRY(status);
    }
    return cli_outputs_commit(run, error);
}

/* ----------------------------------------------------------------- report */

static void print_files(const cli_run *run, const cli_front *settings)
{
    const struct {
        const char *what, *path;
    } files[] = {{"the page", settings->html},
                 {"the picture", settings->svg},
                 {"all points", settings->csv}};
    if (settings->html != NULL || settings->svg != NULL || settings->csv != NULL) {
        cli_heading(&run->report, "Look at");
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i].path != NULL) {
            cli_fact(&run->report, CLI_NEUTRAL, files[i].what, "%s", files[i].path);
        }
    }
}

static char *levels_text(const pv_front *front, size_t point)
{
    char *text = cli_copy("--levels ");
    for (size_t q = 0; q < front->n_levels; q++) {
        char *const longer =
            cli_format("%s%s%u", text, q > 0 ? "," : "", front->points[point].levels[q]);
        free(text);
        text = longer;
    }
    return text;
}

/* Would `release --pick`, which searches anew, find the same front? */
static bool is_found_again(const pv_front *front)
{
    bool same = front->complete && front->n_hidden == 0;
    for (size_t i = 0; i < front->n_objectives; i++) {
        same = same && front->epsilons[i] <= 0.0;
    }
    return same;
}

/* How to release the knee: by its k where that is the first objective, by its levels where it took
 * more than a search to find it. */
static char *pick_text(const cli_found *found, const char *objectives)
{
    const pv_front *const front = found->front;
    const size_t knee = pv_front_knee(front);
    if (!is_found_again(front)) {
        return levels_text(front, knee);
    }
    char *const others =
        objectives != NULL ? cli_format("--objectives '%s' ", objectives) : cli_copy("");
    char *const text =
        cli_equal(front->objectives[0].measure->name, "k")
            ? cli_format("%s--pick k=%llu", others, (unsigned long long)front->points[knee].k)
            : cli_format("%s--pick knee", others);
    free(others);
    return text;
}

static void print_next(const cli_run *run, const cli_front *settings, const cli_found *found)
{
    if (found->front->n_points == 0) {
        return;
    }
    if (cli_front_is_cut(settings)) {
        cli_cuts_print_next(run, settings, found);
        return;
    }
    char *const pick = pick_text(found, settings->search.objectives);
    char *const data =
        settings->data != NULL ? cli_format(" --data %s", settings->data) : cli_copy("");
    char *const budget = settings->suppression != NULL
                             ? cli_format(" --suppression %s", settings->suppression)
                             : cli_copy("");
    cli_blank(&run->report);
    cli_paragraph(&run->report, 0, "Next: release one of them, verified,");
    cli_line(&run->report, "paravent release %s%s%s %s", run->operands.list[0], data, budget, pick);
    free(budget);
    free(data);
    free(pick);
}

static json_t *pick_json(const cli_front *settings, const cli_found *found)
{
    if (settings->pick == NULL) {
        return json_null();
    }
    json_t *const object = json_object();
    cli_json_set(object, "asked", cli_json_text(settings->pick));
    cli_json_set(object, "point", cli_json_count(found->picked));
    cli_json_set(object, "file", cli_json_text(settings->output));
    return object;
}

static pv_status show(cli_run *run, const cli_front *settings, const cli_found *found,
                      pv_error *error)
{
    const bool taken = cli_is_stream(settings->svg) || cli_is_stream(settings->html) ||
                       cli_is_stream(settings->csv) || cli_is_stream(settings->output);
    if (run->common->json) {
        json_t *const document = cli_json_document("front");
        pv_status status = cli_found_json(document, found, error);
        cli_json_set(document, "pick", pick_json(settings, found));
        if (status == PV_STATUS_OK) {
            status = cli_rivals_json(document, found->rivals, error);
        }
        if (status != PV_STATUS_OK) {
            json_decref(document);
            return status;
        }
        cli_json_print(run, document);
    } else if (cli_run_talks(run) && !taken) {
        CLI_TRY(cli_found_print(&run->report, found, settings->all, error));
        if (found->against != NULL) {
            cli_compared_print(&run->report, found->against);
        }
        if (found->rivals != NULL) {
            CLI_TRY(cli_rivals_print(&run->report, found->rivals, error));
        }
        print_files(run, settings);
        print_next(run, settings, found);
    }
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------------- run */

/* What the exit status says about a search that has been shown. */
static pv_status judge(const cli_found *found, pv_error *error)
{
    const pv_front *const front = found->front;
    if (front->stop == PV_STOP_CANCELLED) {
        return cli_error(error, PV_STATUS_CANCELLED, "interrupted; this is the front so far");
    }
    if (front->n_points == 0 && front->complete) {
        return cli_hint(cli_error(error, PV_STATUS_UNSATISFIED,
                                  "no way to generalize reaches k = %llu within the budget",
                                  (unsigned long long)found->suppression.target_k),
                        error, "allow more suppression, or a smaller target-k in the plan");
    }
    return PV_STATUS_OK;
}

/* Leaves out what nobody asked to see. */
static pv_status filter(cli_found *found, const char *where, pv_error *error)
{
    if (where == NULL || found->front->n_points == 0) {
        return PV_STATUS_OK;
    }
    const pv_status status = cli_found_filter(found, where, error);
    if (status == PV_STATUS_UNSATISFIED && found->front->stop == PV_STOP_CANCELLED) {
        return cli_error(error, PV_STATUS_CANCELLED,
                         "interrupted; no point found so far keeps the bounds of --where");
    }
    return status;
}

/* Do the points to compare speak of the objectives? */
static pv_status check_rivals(const cli_front *settings, const cli_opened *opened, pv_error *error)
{
    pv_point point;
    pv_front sample;
    CLI_TRY(cli_front_sample(&settings->search, &point, &sample, error));
    return cli_front_compare_check(settings, &sample, opened->profile, error);
}

/* A front is compared as a whole, before points are left out. */
static pv_status search(cli_run *run, const cli_front *settings, const cli_opened *opened,
                        const cli_reference *reference, cli_found *found, cli_compared *compared,
                        pv_error *error)
{
    pv_budget budget;
    pv_suppression suppression;
    if (cli_front_is_cut(settings)) {
        CLI_TRY(cli_cuts_run(run, settings, opened, found, error));
        return filter(found, settings->where, error);
    }
    CLI_TRY(cli_filter_check(&settings->search, opened, settings->where, error));
    CLI_TRY(check_rivals(settings, opened, error));
    CLI_TRY(cli_suppression_choose(opened, settings->suppression, &budget, &suppression, error));
    CLI_TRY(cli_search_run(run, &settings->search, opened, &suppression, found, error));
    if (settings->against != NULL) {
        CLI_TRY(cli_compare(run, found, reference, compared, error));
        found->against = compared;
    }
    return filter(found, settings->where, error);
}

static pv_status search_and_show(cli_run *run, const cli_front *settings, const cli_opened *opened,
                                 const cli_reference *reference, pv_error *error)
{
    cli_found found = {0};
    cli_compared compared;
    cli_rivals rivals = {0};
    pv_status status = search(run, settings, opened, reference, &found, &compared, error);
    if (status == PV_STATUS_OK) {
        status = cli_front_compare(run, settings, &found, &rivals, error);
        found.rivals = rivals.judgement != NULL ? &rivals : NULL;
    }
    if (status == PV_STATUS_OK) {
        status = write_files(run, settings, &found, error);
    }
    if (status == PV_STATUS_OK) {
        status = show(run, settings, &found, error);
    }
    if (status == PV_STATUS_OK) {
        status = judge(&found, error);
    }
    cli_rivals_free(&rivals);
    cli_found_free(&found);
    return status;
}

static pv_status read_reference(const cli_front *settings, cli_reference *reference,
                                pv_error *error)
{
    cli_request request;
    if (settings->against == NULL) {
        return PV_STATUS_OK;
    }
    CLI_TRY(cli_request_read(&settings->search, NULL, &request, error));
    CLI_TRY(cli_reference_read(settings->against, reference, error));
    const pv_status status =
        cli_reference_check(reference, request.objectives, request.options.n_objectives, error);
    if (status != PV_STATUS_OK) {
        cli_reference_free(reference);
    }
    return status;
}

static pv_status run_front(cli_run *run, const void *given, pv_error *error)
{
    const cli_front *const settings = given;
    cli_opened opened = {0};
    cli_reference reference = {0};
    pv_status status = PV_STATUS_OK;
    CLI_TRY(check_settings(settings, error));
    CLI_TRY(read_reference(settings, &reference, error));
    CLI_TRY_CLEAN(cli_open(run, run->operands.list[0], settings->data, &settings->reading,
                           CLI_WITH_ROLE, &opened, error));
    if (settings->compare != NULL && cli_front_is_cut(settings)) {
        CLI_TRY_CLEAN(cli_rivals_check(&opened, settings->data, error));
    }
    CLI_TRY_CLEAN(search_and_show(run, settings, &opened, &reference, error));
cleanup:
    cli_close(&opened);
    cli_reference_free(&reference);
    return status;
}

const cli_command cli_command_front = {
    .name = "front",
    .operands = "PLAN",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "the whole trade-off between privacy and loss: what nothing beats",
    .description = cli_front_description,
    .options = cli_front_options,
    .examples = cli_front_examples,
    .settings_size = sizeof(cli_front),
    .run = run_front,
};
