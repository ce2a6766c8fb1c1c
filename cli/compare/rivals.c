/* Two schemes compared before one of them is chosen: nothing is written, their classes suffice. */
#include "compare/rivals.h"

#include "compare/settings.h"
#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"

#include <stdlib.h>

static pv_status add(cli_run *run, const pv_profile *profile, const uint8_t *levels,
                     const char *name, const pv_suppression *suppression, cli_rivals *made,
                     pv_error *error)
{
    pv_classes *classes = NULL;
    CLI_TRY(pv_classes_create(profile, levels, suppression, &classes, error));
    const pv_status status =
        pv_comparison_add(made->comparison, classes, name, &run->context, error);
    pv_classes_free(classes);
    return status;
}

/* Every scheme of cuts has hierarchies of its own: it sees the table through a study of its own. */
static pv_status add_cuts(cli_run *run, const cli_opened *opened, const cli_rival *rival,
                          cli_rivals *made, pv_error *error)
{
    const pv_suppression none = {0};
    cli_opened cut = {0};
    pv_scheme *scheme = NULL;
    size_t n_levels = 0;
    pv_status status = PV_STATUS_OK;
    CLI_TRY(cli_see_through_cuts(opened->study, rival->cuts, &cut, error));
    CLI_TRY_CLEAN(pv_study_profile(cut.study, &cut.profile, error));
    CLI_TRY_CLEAN(pv_scheme_from_plan(cut.study, &scheme, error));
    CLI_TRY_CLEAN(add(run, cut.profile, pv_scheme_levels(scheme, &n_levels), rival->name, &none,
                      made, error));
cleanup:
    pv_scheme_free(scheme);
    cli_close(&cut);
    cli_progress_wipe(&run->progress);
    return status;
}

static pv_status fight(cli_run *run, const cli_opened *opened, const cli_rival rivals[2],
                       const pv_suppression *suppression, cli_rivals *made, pv_error *error)
{
    const pv_judgement_options options = {.size = sizeof options,
                                          .enough = cli_contest_enough(opened->plan)};
    CLI_TRY(pv_comparison_begin(opened->study, NULL, 0, &made->comparison, error));
    for (size_t i = 0; i < 2; i++) {
        CLI_TRY(rivals[i].cuts != NULL ? add_cuts(run, opened, &rivals[i], made, error)
                                       : add(run, opened->profile, rivals[i].levels, rivals[i].name,
                                             suppression, made, error));
    }
    return pv_judgement_create(made->comparison, &options, &run->context, &made->judgement, error);
}

pv_status cli_rivals_fight(cli_run *run, const cli_opened *opened, const cli_rival rivals[2],
                           const pv_suppression *suppression, cli_rivals *made, pv_error *error)
{
    *made = (cli_rivals){0};
    const pv_status status = fight(run, opened, rivals, suppression, made, error);
    if (status != PV_STATUS_OK) {
        cli_rivals_free(made);
        return status;
    }
    made->contest = (cli_contest){.comparison = made->comparison, .judgement = made->judgement};
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        made->contest.indices[i] = true;
    }
    return PV_STATUS_OK;
}

void cli_rivals_free(cli_rivals *rivals)
{
    pv_judgement_free(rivals->judgement);
    pv_comparison_free(rivals->comparison);
    *rivals = (cli_rivals){0};
}

pv_status cli_rivals_print(const cli_report *report, const cli_rivals *rivals, pv_error *error)
{
    cli_heading(report, "Before choosing: %s and %s, person by person",
                pv_comparison_name(rivals->comparison, 0),
                pv_comparison_name(rivals->comparison, 1));
    return cli_contest_print(report, &rivals->contest, error);
}

pv_status cli_rivals_json(json_t *document, const cli_rivals *rivals, pv_error *error)
{
    json_t *const object = rivals != NULL ? json_object() : json_null();
    cli_json_set(document, "compare", object);
    return rivals != NULL ? cli_contest_json(object, &rivals->contest, error) : PV_STATUS_OK;
}
