/* Searching from the command line. */
#include "front/search.h"

#include "core/fail.h"
#include "core/measured.h"
#include "core/text.h"
#include "front/reference.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------- checks */

static pv_status check_start(const char *path, pv_error *error)
{
    cli_reference reference = {0};
    if (path == NULL) {
        return PV_STATUS_OK;
    }
    CLI_TRY(cli_reference_read(path, &reference, error));
    cli_reference_free(&reference);
    return PV_STATUS_OK;
}

pv_status cli_search_check(const cli_search *settings, pv_error *error)
{
    cli_request request;
    CLI_TRY(cli_request_read(settings, NULL, &request, error));
    return check_start(settings->start, error);
}

pv_status cli_front_sample(const cli_search *settings, pv_point *point, pv_front *sample,
                           pv_error *error)
{
    static const double values[PV_MAX_OBJECTIVES] = {0};
    cli_request request;
    CLI_TRY(cli_request_read(settings, NULL, &request, error));
    *point = (pv_point){.values = values};
    *sample =
        (pv_front){.points = point, .n_points = 1, .n_objectives = request.options.n_objectives};
    memcpy(sample->objectives, request.objectives, sizeof sample->objectives);
    return PV_STATUS_OK;
}

pv_status cli_pick_check(const pv_front *sample, const pv_profile *profile, const char *pick,
                         pv_error *error)
{
    size_t picked = 0;
    const pv_status status = pv_front_pick(sample, profile, pick, &picked, error);
    return status == PV_STATUS_UNSATISFIED ? PV_STATUS_OK : status;
}

pv_status cli_filter_check(const cli_search *settings, const cli_opened *opened, const char *where,
                           pv_error *error)
{
    pv_point point;
    pv_front sample;
    if (where == NULL) {
        return PV_STATUS_OK;
    }
    CLI_TRY(cli_front_sample(settings, &point, &sample, error));
    sample.n_points = opened != NULL;
    const pv_profile *const profile = opened != NULL ? opened->profile : NULL;
    const pv_status status = pv_front_where(&sample, profile, where, error);
    return status == PV_STATUS_UNSATISFIED ? PV_STATUS_OK : status;
}

/* ----------------------------------------------------------------- search */

/* The schemes of an earlier front to begin with; the caller frees them. */
static pv_status read_start(const char *path, const pv_study *study, uint8_t **start, size_t *n,
                            pv_error *error)
{
    cli_reference reference = {0};
    if (path == NULL) {
        return PV_STATUS_OK;
    }
    CLI_TRY(cli_reference_read(path, &reference, error));
    const pv_status status = cli_reference_levels(&reference, study, start, error);
    *n = status == PV_STATUS_OK ? reference.n_points : 0;
    cli_reference_free(&reference);
    return status;
}

pv_status cli_search_run(cli_run *run, const cli_search *settings, const cli_opened *opened,
                         const pv_suppression *suppression, cli_found *found, pv_error *error)
{
    cli_request request;
    uint8_t *start = NULL;
    *found = (cli_found){.opened = opened, .suppression = *suppression};
    CLI_TRY(cli_request_read(settings, opened->profile, &request, error));
    CLI_TRY(read_start(settings->start, opened->study, &start, &found->n_start, error));
    request.options.suppression = *suppression;
    request.options.start = start;
    request.options.n_start = found->n_start;
    run->progress.bound = request.options.max_seconds > 0 ? NULL : CLI_SECONDS_BOUND;
    const pv_status status =
        pv_search(opened->profile, &request.options, &run->context, &found->front, error);
    run->progress.bound = NULL;
    free(start);
    cli_progress_wipe(&run->progress); /* a search that was stopped leaves its bar behind */
    CLI_TRY(status);
    found->n_suggestions = pv_front_suggest(found->front, found->suggestions);
    return PV_STATUS_OK;
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
    return cli_objective_list(front->objectives, front->n_objectives);
}

cli_number cli_objective_text(const cli_found *found, size_t objective, double value)
{
    const pv_measure *const measure = found->front->objectives[objective].measure;
    const pv_profile *const profile = found->opened->profile;
    return pv_measure_reads_as_share(measure, profile)
               ? cli_share_text(pv_measure_share(measure, profile, value))
               : cli_value_text(value);
}

char *cli_point_text(const cli_found *found, size_t point)
{
    const pv_front *const front = found->front;
    char *text = cli_copy("");
    for (size_t i = 0; i < front->n_objectives; i++) {
        char *const longer = cli_format(
            "%s%s%s %s", text, i == 0 ? "" : ", ", cli_measure_title(front->objectives[i]).text,
            cli_objective_text(found, i, front->points[point].values[i]).text);
        free(text);
        text = longer;
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
