/* `paravent front PLAN`: every trade-off that nothing beats. */
#include "compare/contest.h"
#include "core/command.h"
#include "core/fail.h"
#include "core/json.h"
#include "core/measured.h"
#include "core/opened.h"
#include "core/outputs.h"
#include "core/text.h"
#include "front/search.h"

#include <paravent/paravent.h>
#include <stdlib.h>

/* ---------------------------------------------------------------- outputs */

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

/* The cuts of the point that --pick names; nothing without it. */
static pv_status write_cuts(cli_run *run, const cli_front *settings, cli_found *found,
                            pv_error *error)
{
    char *text = NULL;
    if (settings->pick == NULL) {
        return PV_STATUS_OK;
    }
    CLI_TRY(cli_found_pick(found, settings->pick, &found->picked, error));
    CLI_TRY(pv_cuts_text(pv_front_cuts(found->front, found->picked), &text, error));
    const pv_status status = cli_outputs_write(run, settings->output, text, error);
    pv_string_free(text);
    return status;
}

static pv_status write_files(cli_run *run, const cli_front *settings, cli_found *found,
                             pv_error *error)
{
    CLI_TRY(write_cuts(run, settings, found, error));
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

/* ------------------------------------------------------------- what is next */

/* Would `release --pick`, which searches anew, find the same front? */
static bool is_found_again(const pv_front *front)
{
    bool same = pv_front_is_complete(front) && pv_front_n_hidden(front) == 0;
    for (size_t i = 0; i < pv_front_n_objectives(front); i++) {
        same = same && pv_front_epsilons(front, NULL)[i] <= 0.0;
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
        char *const levels = cli_levels_text(found, knee);
        char *const text = cli_format("--levels %s", levels);
        free(levels);
        return text;
    }
    char *const others =
        objectives != NULL ? cli_format("--objectives '%s' ", objectives) : cli_copy("");
    char *const text =
        pv_front_objectives(front)[0].measure->rule == PV_RULE_SIZE
            ? cli_format("%s--pick k=%llu", others, (unsigned long long)pv_front_k(front, knee))
            : cli_format("%s--pick knee", others);
    free(others);
    return text;
}

/* Cuts are released from their file. */
static void print_release(const cli_run *run, const char *data, const cli_found *found,
                          const char *cuts)
{
    const pv_budget budget = pv_plan_budget(found->opened->plan);
    const uint64_t rows = pv_table_rows(pv_study_table(found->opened->study));
    cli_line(&run->report, "paravent release %s%s --cuts %s%s", run->operands.list[0], data, cuts,
             pv_budget_rows(&budget, rows) > 0 ? " --suppression 0" : "");
}

static void print_next_cuts(const cli_run *run, const cli_front *settings, const cli_found *found)
{
    char *const data = cli_with_text(cli_copy(""), "data", settings->data);
    cli_blank(&run->report);
    if (settings->output == NULL) {
        /* With the options that would search the same again. */
        const cli_search *const search = &settings->search;
        char *line = cli_with_text(cli_copy(data), "scheme", settings->scheme);
        line = cli_with_text(line, "prove", settings->prove);
        line = cli_with_count(line, "evaluations", search->evaluations);
        line = cli_with_count(line, "population", search->population);
        line = cli_with_text(line, "crossover", search->crossover);
        line = cli_with_count(line, "seed", search->seed);
        line = cli_with_text(line, "memory", search->memory);
        line = cli_with_flag(line, "free-groups", settings->free_groups);
        cli_paragraph(&run->report, 0,
                      "Next: take the cuts of one of them and release it, verified,");
        cli_line(&run->report, "paravent front %s%s --pick k=%llu -o cuts.json",
                 run->operands.list[0], line,
                 (unsigned long long)pv_front_k(found->front, pv_front_knee(found->front)));
        free(line);
        print_release(run, data, found, "cuts.json");
    } else {
        char *const point = cli_point_text(found, found->picked);
        cli_paragraph(&run->report, 0, "The cuts of %s are in %s. Next: release them, verified,",
                      point, settings->output);
        print_release(run, data, found, settings->output);
        free(point);
    }
    free(data);
}

static void print_next(const cli_run *run, const cli_front *settings, const cli_found *found)
{
    if (pv_front_n_points(found->front) == 0) {
        return;
    }
    if (cli_front_is_cut(settings)) {
        print_next_cuts(run, settings, found);
        return;
    }
    char *const pick = pick_text(found, settings->search.objectives);
    const bool has_data = settings->data != NULL;
    const bool has_budget = settings->suppression != NULL;
    cli_blank(&run->report);
    cli_paragraph(&run->report, 0, "Next: release one of them, verified,");
    cli_line(&run->report, "paravent release %s%s%s%s%s %s", run->operands.list[0],
             has_data ? " --data " : "", has_data ? settings->data : "",
             has_budget ? " --suppression " : "", has_budget ? settings->suppression : "", pick);
    free(pick);
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

static pv_status show(cli_run *run, const cli_front *settings, const cli_found *found,
                      pv_error *error)
{
    const bool taken = cli_is_stream(settings->svg) || cli_is_stream(settings->html) ||
                       cli_is_stream(settings->csv) || cli_is_stream(settings->output);
    if (run->common->json) {
        json_t *const document = cli_json_document("front");
        pv_status status = cli_found_json(document, found, error);
        json_t *const pick = settings->pick != NULL ? json_object() : json_null();
        if (settings->pick != NULL) {
            cli_json_set(pick, "asked", cli_json_text(settings->pick));
            cli_json_set(pick, "point", cli_json_count(found->picked));
            cli_json_set(pick, "file", cli_json_text(settings->output));
        }
        cli_json_set(document, "pick", pick);
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

/* ------------------------------------------------------------------- search */

/* Leaves out what nobody asked to see. */
static pv_status filter(cli_found *found, const char *where, pv_error *error)
{
    if (where == NULL || pv_front_n_points(found->front) == 0) {
        return PV_STATUS_OK;
    }
    const pv_status status = cli_found_filter(found, where, error);
    if (status == PV_STATUS_UNSATISFIED && pv_front_stop(found->front) == PV_STOP_CANCELLED) {
        return cli_error(error, PV_STATUS_CANCELLED,
                         "interrupted; no point found so far keeps the bounds of --where");
    }
    return status;
}

/* A front is compared as a whole, before points are left out. */
static pv_status search(cli_run *run, const cli_front_job *job, const cli_opened *opened,
                        const cli_reference *reference, cli_found *found, cli_compared *compared,
                        pv_error *error)
{
    const cli_front *const settings = job->settings;
    pv_budget budget;
    pv_suppression suppression;
    CLI_TRY(cli_front_job_check(job, opened->profile, error));
    if (cli_front_is_cut(settings)) {
        CLI_TRY(cli_cuts_run(run, &job->cuts, opened, found, error));
        return filter(found, settings->where, error);
    }
    CLI_TRY(cli_suppression_choose(opened, settings->suppression, settings->suppress, &budget,
                                   &suppression, error));
    CLI_TRY(cli_request_run(run, &job->request, opened, &suppression, found, error));
    if (settings->against != NULL) {
        CLI_TRY(cli_compare(run, found, reference, compared, error));
        found->against = compared;
    }
    return filter(found, settings->where, error);
}

/* Two points, person by person, before one of them is chosen. */
static pv_status compare_rivals(cli_run *run, const cli_front_job *job, cli_found *found,
                                cli_rivals *rivals, pv_error *error)
{
    cli_rival two[2];
    if (job->rivals == NULL || pv_front_n_points(found->front) == 0) {
        return PV_STATUS_OK;
    }
    for (size_t i = 0; i < 2; i++) {
        size_t point = 0;
        CLI_TRY(cli_found_pick(found, job->rivals[i], &point, error));
        two[i] =
            (cli_rival){.name = job->rivals[i],
                        .levels = pv_front_levels(found->front, point, NULL),
                        .cuts = pv_front_cuts(found->front, point),
                        .k = pv_front_has_cuts(found->front) ? 0 : pv_front_k(found->front, point)};
    }
    CLI_TRY(cli_rivals_fight(run, found->opened, two, &found->suppression, rivals, error));
    found->rivals = rivals;
    return PV_STATUS_OK;
}

static pv_status search_and_show(cli_run *run, const cli_front_job *job, const cli_opened *opened,
                                 const cli_reference *reference, pv_error *error)
{
    cli_found found = {0};
    cli_compared compared;
    cli_rivals rivals = {0};
    pv_status status = PV_STATUS_OK;
    CLI_TRY_CLEAN(search(run, job, opened, reference, &found, &compared, error));
    CLI_TRY_CLEAN(compare_rivals(run, job, &found, &rivals, error));
    CLI_TRY_CLEAN(write_files(run, job->settings, &found, error));
    CLI_TRY_CLEAN(show(run, job->settings, &found, error));
    /* What the exit status says about a search that has been shown. */
    if (pv_front_stop(found.front) == PV_STOP_CANCELLED) {
        status = cli_error(error, PV_STATUS_CANCELLED, "interrupted; this is the front so far");
    } else if (pv_front_n_points(found.front) == 0 && pv_front_is_complete(found.front)) {
        status =
            cli_hint(cli_error(error, PV_STATUS_UNSATISFIED,
                               "no way to generalize keeps what is demanded within the budget"),
                     error, "allow more suppression, or demand less");
    }
cleanup:
    cli_rivals_free(&rivals);
    cli_found_free(&found);
    return status;
}

static pv_status run_front(cli_run *run, const void *given, pv_error *error)
{
    const cli_front *const settings = given;
    if (settings->reading.explain) {
        return cli_explain(run, run->operands.list[0], settings->data, &settings->reading,
                           CLI_WITH_ROLE, NULL, error);
    }
    cli_front_job job = {0};
    cli_opened opened = {0};
    cli_reference reference = {0};
    pv_status status = PV_STATUS_OK;
    CLI_TRY_CLEAN(cli_front_job_read(settings, &job, error));
    if (settings->against != NULL) {
        CLI_TRY_CLEAN(cli_reference_read(settings->against, &reference, error));
        CLI_TRY_CLEAN(cli_reference_check(&reference, job.request.objectives,
                                          job.request.options.n_objectives, error));
    }
    CLI_TRY_CLEAN(cli_open(run, run->operands.list[0], settings->data, &settings->reading,
                           CLI_WITH_ROLE, &opened, error));
    if (cli_front_is_ladder(settings)) {
        CLI_TRY_CLEAN(cli_ladder_run(run, settings, &opened, error));
    } else {
        CLI_TRY_CLEAN(search_and_show(run, &job, &opened, &reference, error));
    }
cleanup:
    cli_close(&opened);
    cli_reference_free(&reference);
    cli_front_job_free(&job);
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
