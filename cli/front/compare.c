/* Two points of a front, person by person: `front --compare 'k=5;knee'`. */
#include "front/compare.h"

#include "core/fail.h"
#include "core/text.h"

#include <string.h>

/* Bounds have commas. */
#define BETWEEN ';'

static char **split(const char *text)
{
    size_t n = 0;
    char **const picks = cli_list_split(text, BETWEEN, &n);
    if (n == 2 && picks[0][0] != '\0' && picks[1][0] != '\0') {
        return picks;
    }
    cli_list_free(picks);
    return NULL;
}

pv_status cli_front_compare_check(const cli_front *settings, const pv_front *sample,
                                  const pv_profile *profile, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    if (settings->compare == NULL) {
        return PV_STATUS_OK;
    }
    char **const picks = split(settings->compare);
    if (picks == NULL) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "--compare needs two points"), error,
                        "write --compare 'k=5;knee', as points are picked by `release --pick`");
    }
    for (size_t i = 0; i < 2 && status == PV_STATUS_OK; i++) {
        status = cli_pick_check(sample, profile, picks[i], error);
    }
    cli_list_free(picks);
    return status;
}

static pv_status pick(const cli_found *found, const char *text, cli_rival *rival, pv_error *error)
{
    size_t point = 0;
    CLI_TRY(pv_front_pick(found->front, found->opened->profile, text, &point, error));
    *rival = (cli_rival){.name = text,
                         .levels = found->front->points[point].levels,
                         .cuts = found->front->points[point].cuts};
    return PV_STATUS_OK;
}

pv_status cli_front_compare(cli_run *run, const cli_front *settings, const cli_found *found,
                            cli_rivals *rivals, pv_error *error)
{
    cli_rival two[2];
    pv_status status = PV_STATUS_OK;
    if (settings->compare == NULL || found->front->n_points == 0) {
        return PV_STATUS_OK;
    }
    char **const picks = split(settings->compare);
    for (size_t i = 0; i < 2; i++) {
        CLI_TRY_CLEAN(pick(found, picks[i], &two[i], error));
    }
    CLI_TRY_CLEAN(cli_rivals_fight(run, found->opened, two, &found->suppression, rivals, error));
cleanup:
    cli_list_free(picks);
    return status;
}
