/* Two schemes compared before one of them is chosen: nothing is written, their classes suffice. */
#include "compare_rivals.h"

#include "compare_settings.h"
#include "fail.h"
#include "json.h"
#include "outputs.h"
#include "text.h"

#include <stdlib.h>

pv_status cli_rivals_check(const cli_opened *opened, const char *data, pv_error *error)
{
    if (cli_is_stream(data != NULL ? data : opened->plan->data)) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "--compare reads the data again, standard input cannot be"),
                        error, "keep the data in a file");
    }
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------- properties */

/* Those that can be told of schemes of this study. */
static void choose_properties(cli_rivals *made, const pv_study *study)
{
    const char **const names = cli_zeroed(pv_properties(), sizeof *names);
    bool *const less = cli_zeroed(pv_properties(), sizeof *less);
    size_t n = 0;
    for (size_t i = 0; i < pv_properties(); i++) {
        const pv_property *const property = pv_property_at(i);
        if ((property->needs & PV_NEEDS_SENSITIVE) == 0 || pv_study_sensitives(study) > 0) {
            names[n] = property->name;
            less[n++] = property->less_is_better;
        }
    }
    made->comparison.properties = names;
    made->comparison.less_is_better = less;
    made->comparison.n_properties = n;
}

/* ------------------------------------------------------------------ vectors */

static pv_status vectors_of(const pv_profile *profile, const uint8_t *levels, const char *name,
                            const pv_suppression *suppression, const cli_rivals *made,
                            pv_vectors **vectors, pv_error *error)
{
    pv_classes *classes = NULL;
    CLI_TRY(pv_classes_create(profile, levels, suppression, &classes, error));
    const pv_status status = pv_vectors_of_classes(classes, name, made->comparison.properties,
                                                   made->comparison.n_properties, vectors, error);
    pv_classes_free(classes);
    return status;
}

static pv_status vectors_of_cuts(cli_run *run, const cli_source *again, const cli_rival *rival,
                                 const cli_rivals *made, pv_vectors **vectors, pv_error *error)
{
    const pv_suppression none = {0};
    cli_opened opened = {0};
    pv_scheme scheme = {0};
    pv_status status = PV_STATUS_OK;
    CLI_TRY(cli_open_with_cuts(run, again->plan, again->data, rival->cuts, again->reading,
                               CLI_WITH_ROLE, &opened, error));
    CLI_TRY_CLEAN(pv_scheme_init(&scheme, opened.study, error));
    CLI_TRY_CLEAN(pv_scheme_from_plan(&scheme, opened.study, error));
    CLI_TRY_CLEAN(
        vectors_of(opened.profile, scheme.levels, rival->name, &none, made, vectors, error));
cleanup:
    pv_scheme_deinit(&scheme);
    cli_close(&opened);
    cli_progress_wipe(&run->progress);
    return status;
}

/* ------------------------------------------------------------------ fighting */

static pv_status fight(cli_run *run, const cli_opened *opened, const cli_source *again,
                       const cli_rival rivals[2], const pv_suppression *suppression,
                       cli_rivals *made, pv_error *error)
{
    for (size_t i = 0; i < 2; i++) {
        CLI_TRY(rivals[i].cuts != NULL
                    ? vectors_of_cuts(run, again, &rivals[i], made, &made->releases[i], error)
                    : vectors_of(opened->profile, rivals[i].levels, rivals[i].name, suppression,
                                 made, &made->releases[i], error));
    }
    const pv_judgement_options options = {.enough = cli_contest_enough(opened->plan)};
    return pv_judgement_create(&made->comparison, &options, &run->context, &made->judgement, error);
}

pv_status cli_rivals_fight(cli_run *run, const cli_opened *opened, const cli_source *again,
                           const cli_rival rivals[2], const pv_suppression *suppression,
                           cli_rivals *made, pv_error *error)
{
    const uint64_t n_rows = pv_profile_rows(opened->profile);
    *made = (cli_rivals){.comparison = {.releases = made->releases,
                                        .n_releases = 2,
                                        .n_rows = n_rows,
                                        .n_original = n_rows,
                                        .n_missing = cli_zeroed(2, sizeof(uint64_t))}};
    choose_properties(made, opened->study);
    const pv_status status = fight(run, opened, again, rivals, suppression, made, error);
    if (status != PV_STATUS_OK) {
        cli_rivals_free(made);
        return status;
    }
    made->contest = (cli_contest){.comparison = &made->comparison, .judgement = made->judgement};
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        made->contest.indices[i] = true;
    }
    return PV_STATUS_OK;
}

void cli_rivals_free(cli_rivals *rivals)
{
    pv_judgement_free(rivals->judgement);
    for (size_t i = 0; i < 2; i++) {
        pv_vectors_free(rivals->releases[i]);
    }
    free((void *)(uintptr_t)rivals->comparison.properties);
    free(rivals->comparison.less_is_better);
    free(rivals->comparison.n_missing);
    *rivals = (cli_rivals){0};
}

pv_status cli_rivals_print(const cli_report *report, const cli_rivals *rivals, pv_error *error)
{
    cli_heading(report, "Before choosing: %s and %s, person by person", rivals->releases[0]->name,
                rivals->releases[1]->name);
    return cli_contest_print(report, &rivals->contest, error);
}

pv_status cli_rivals_json(json_t *document, const cli_rivals *rivals, pv_error *error)
{
    json_t *const object = rivals != NULL ? json_object() : json_null();
    cli_json_set(document, "compare", object);
    return rivals != NULL ? cli_contest_json(object, &rivals->contest, error) : PV_STATUS_OK;
}
