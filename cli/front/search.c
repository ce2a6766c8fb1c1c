/* Searching from the command line. */
#include "front/search.h"

#include "core/fail.h"
#include "core/measured.h"
#include "core/text.h"
#include "front/reference.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

pv_status cli_search_check(const cli_search *settings, pv_error *error)
{
    cli_request request;
    CLI_TRY(cli_request_read(settings, &request, error));
    return cli_start_check(request.start, error);
}

/* Sides of boxes that are shares of the largest possible value, which depends on the table. */
static pv_status resolve_epsilons(const cli_request *request, const pv_profile *profile,
                                  double *epsilons, pv_error *error)
{
    for (size_t i = 0; i < request->options.n_objectives; i++) {
        const pv_measure_ref objective = request->objectives[i];
        if (!request->epsilon_is_share[i]) {
            continue;
        }
        epsilons[i] = epsilons[i] / 100.0 / pv_measure_share(objective.measure, profile, 1);
        if (!isfinite(epsilons[i])) {
            const cli_number name = cli_measure_name(objective);
            return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                      "--epsilon: `%s` has no largest value to take a share of",
                                      name.text),
                            error, "give a number: %s=5", name.text);
        }
    }
    return PV_STATUS_OK;
}

pv_status cli_request_run(cli_run *run, const cli_request *request, const cli_opened *opened,
                          const pv_suppression *suppression, cli_found *found, pv_error *error)
{
    pv_search_options options = request->options;
    uint8_t *start = NULL;
    *found = (cli_found){.opened = opened, .suppression = *suppression};
    CLI_TRY(resolve_epsilons(request, opened->profile, options.epsilons, error));
    CLI_TRY(cli_start_read(request->start, opened->study, &start, &found->n_start, error));
    options.objectives = request->objectives;
    options.suppression = *suppression;
    options.start = start;
    options.n_start = found->n_start;
    run->progress.bound = options.max_seconds > 0 ? NULL : CLI_SECONDS_BOUND;
    const pv_status status =
        pv_search(opened->profile, &options, &run->context, &found->front, error);
    run->progress.bound = NULL;
    free(start);
    cli_progress_wipe(&run->progress); /* a search that was stopped leaves its bar behind */
    CLI_TRY(status);
    pv_front_rephrase(found->front, cli_words);
    found->n_suggestions = pv_front_suggest(found->front, found->suggestions);
    return PV_STATUS_OK;
}

pv_status cli_search_run(cli_run *run, const cli_search *settings, const cli_opened *opened,
                         const pv_suppression *suppression, cli_found *found, pv_error *error)
{
    cli_request request;
    *found = (cli_found){0};
    CLI_TRY(cli_request_read(settings, &request, error));
    return cli_request_run(run, &request, opened, suppression, found, error);
}

/* Nothing is suppressed, whatever the plan allows; its target-k is kept by every point. */
pv_status cli_cuts_run(cli_run *run, const pv_cut_front_options *options, const cli_opened *opened,
                       cli_found *found, pv_error *error)
{
    pv_cut_front_options with_target = *options;
    *found = (cli_found){.opened = opened,
                         .suppression = {.target_k = pv_plan_target_k(opened->plan)},
                         .respect_taxonomy = !options->free_groups};
    with_target.least_k = pv_plan_target_k(opened->plan);
    run->progress.bound = CLI_CUTS_BOUND;
    const pv_status status =
        pv_search_cuts(opened->profile, &with_target, &run->context, &found->front, error);
    run->progress.bound = NULL;
    cli_progress_wipe(&run->progress);
    CLI_TRY(status);
    pv_front_rephrase(found->front, cli_words);
    found->n_suggestions = pv_front_suggest(found->front, found->suggestions);
    return PV_STATUS_OK;
}

pv_status cli_found_pick(const cli_found *found, const char *text, size_t *point, pv_error *error)
{
    const pv_front *const front = found->front;
    const pv_status status = pv_front_choose(front, found->opened->profile, text, point, error);
    return cli_bounds_hint(status, pv_front_objectives(front), pv_front_n_objectives(front), text,
                           error);
}

pv_status cli_found_filter(cli_found *found, const char *where, pv_error *error)
{
    CLI_TRY(pv_front_where(found->front, found->opened->profile, where, error));
    found->n_suggestions = pv_front_suggest(found->front, found->suggestions);
    return PV_STATUS_OK;
}

void cli_found_free(cli_found *found)
{
    pv_front_free(found->front);
    *found = (cli_found){0};
}

/* ------------------------------------------------------------------ words */

const char *cli_stop_name(pv_stop stop)
{
    static const char *const names[] = {
        [PV_STOP_FINISHED] = "finished", [PV_STOP_CANCELLED] = "cancelled",
        [PV_STOP_TIME] = "time",         [PV_STOP_EVALUATIONS] = "evaluations",
        [PV_STOP_STALLED] = "stalled",
    };
    return names[stop];
}

char *cli_objective_names(const pv_front *front)
{
    return cli_objective_list(pv_front_objectives(front), pv_front_n_objectives(front));
}

char *cli_reason_text(const pv_front *front)
{
    const char *const reason = pv_front_reason(front);
    const char *const alternative = pv_front_alternative(front);
    return reason == NULL        ? NULL
           : alternative != NULL ? cli_format("%s (--method %s)", reason, alternative)
                                 : cli_copy(reason);
}

cli_number cli_objective_text(const cli_found *found, size_t objective, double value)
{
    const pv_measure *const measure = pv_front_objectives(found->front)[objective].measure;
    const pv_profile *const profile = found->opened->profile;
    return pv_measure_reads_as_share(measure, profile)
               ? cli_share_text(pv_measure_share(measure, profile, value))
               : cli_value_text(value);
}

char *cli_point_text(const cli_found *found, size_t point)
{
    const pv_front *const front = found->front;
    char *text = cli_copy("");
    for (size_t i = 0; i < pv_front_n_objectives(front); i++) {
        cli_append(&text, "%s%s %s", i == 0 ? "" : ", ",
                   cli_measure_title(pv_front_objectives(front)[i]).text,
                   cli_objective_text(found, i, pv_front_values(front, point, NULL)[i]).text);
    }
    return text;
}

cli_number cli_proven_text(const cli_found *found, size_t point, bool brief)
{
    cli_number number;
    pv_gap_text(pv_front_gap(found->front, point), brief ? PV_GAP_BRIEF : PV_GAP_COLUMN,
                number.text, sizeof number.text);
    return number;
}
