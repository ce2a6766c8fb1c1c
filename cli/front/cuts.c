/* The front over cuts from the command line. */
#include "front/cuts.h"

#include "core/fail.h"
#include "core/options.h"
#include "core/outputs.h"
#include "core/text.h"
#include "front/compare.h"

#include <stdlib.h>

#define OBJECTIVES "k,nwp"

bool cli_front_is_cut(const cli_front *settings)
{
    return settings->scheme != NULL && cli_equal(settings->scheme, "cuts");
}

/* ----------------------------------------------------------------- checks */

typedef struct {
    const char *name;
    bool given;
} mention;

/* The first that is given; NULL if none is. */
static const char *first_given(const mention *mentions, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (mentions[i].given) {
            return mentions[i].name;
        }
    }
    return NULL;
}

static pv_status refuse_cut_options(const cli_front *s, pv_error *error)
{
    const mention cuts_only[] = {
        {"prove", s->prove != NULL}, {"free-groups", s->free_groups}, {"pick", s->pick != NULL}};
    const char *const name = first_given(cuts_only, sizeof cuts_only / sizeof *cuts_only);
    return name == NULL
               ? PV_STATUS_OK
               : cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                    "--%s means nothing without --scheme cuts", name),
                          error, "`paravent release --pick` releases a point of a front of levels");
}

static pv_status refuse_level_options(const cli_front *s, pv_error *error)
{
    const mention levels_only[] = {{"method", s->search.method != NULL},
                                   {"suppression", s->suppression != NULL},
                                   {"against", s->against != NULL},
                                   {"seconds", s->search.seconds != NULL},
                                   {"archive", s->search.archive.given},
                                   {"epsilon", s->search.epsilon != NULL},
                                   {"iterations", s->search.iterations.given},
                                   {"mutation", s->search.mutation != NULL},
                                   {"patience", s->search.patience.given},
                                   {"start", s->search.start != NULL},
                                   {"depth", s->search.depth.given}};
    const char *const name = first_given(levels_only, sizeof levels_only / sizeof *levels_only);
    if (name != NULL) {
        return cli_hint(
            cli_error(error, PV_STATUS_ARGUMENT, "--%s means nothing with --scheme cuts", name),
            error,
            "what does: --evaluations, --prove, --free-groups, --seed, "
            "--population, --crossover, --memory");
    }
    if (s->search.objectives != NULL && !cli_equal(s->search.objectives, OBJECTIVES)) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "a front over cuts trades k for nwp, and nothing else"),
                        error, "leave out --objectives, or --scheme cuts");
    }
    return PV_STATUS_OK;
}

static pv_status read_options(const cli_front *settings, pv_cut_front_options *options,
                              pv_error *error)
{
    const cli_search *const search = &settings->search;
    *options = (pv_cut_front_options){.free_groups = settings->free_groups,
                                      .evaluations = search->evaluations.value,
                                      .seed = search->seed.value,
                                      .population = (size_t)search->population.value};
    CLI_TRY(cli_prove_parse(settings->prove, &options->prove, error));
    CLI_TRY(cli_chance_parse("crossover", search->crossover, &options->crossover, error));
    return cli_memory_parse(search->memory, &options->memory, error);
}

/* Of a pick, a filter and two picks to compare. */
static pv_status check_bounds(const cli_front *settings, const pv_profile *profile, pv_error *error)
{
    const double values[2] = {0};
    pv_point point = {.values = values};
    pv_front sample = {
        .points = &point,
        .n_points = profile != NULL,
        .n_objectives = 2,
        .objectives = {{.measure = pv_measure_find("k")}, {.measure = pv_measure_find("nwp")}}};
    if (settings->pick != NULL) {
        CLI_TRY(cli_pick_check(&sample, profile, settings->pick, error));
    }
    CLI_TRY(cli_front_compare_check(settings, &sample, profile, error));
    const pv_status status = settings->where != NULL
                                 ? pv_front_where(&sample, profile, settings->where, error)
                                 : PV_STATUS_OK;
    return status == PV_STATUS_UNSATISFIED ? PV_STATUS_OK : status;
}

pv_status cli_cuts_check(const cli_front *settings, pv_error *error)
{
    pv_cut_front_options options;
    if (!cli_front_is_cut(settings)) {
        return refuse_cut_options(settings, error);
    }
    CLI_TRY(refuse_level_options(settings, error));
    CLI_TRY(read_options(settings, &options, error));
    return check_bounds(settings, NULL, error);
}

/* ----------------------------------------------------------------- search */

/* Nothing is suppressed, whatever the plan allows; its target-k is kept by every point. */
pv_status cli_cuts_run(cli_run *run, const cli_front *settings, const cli_opened *opened,
                       cli_found *found, pv_error *error)
{
    pv_cut_front_options options;
    *found = (cli_found){.opened = opened,
                         .suppression = {.target_k = opened->plan->target_k},
                         .respect_taxonomy = !settings->free_groups};
    CLI_TRY(check_bounds(settings, opened->profile, error));
    CLI_TRY(read_options(settings, &options, error));
    options.least_k = opened->plan->target_k;
    run->progress.bound = CLI_CUTS_BOUND;
    const pv_status status =
        pv_search_cuts(opened->profile, &options, &run->context, &found->front, error);
    run->progress.bound = NULL;
    cli_progress_wipe(&run->progress);
    CLI_TRY(status);
    found->n_suggestions = pv_front_suggest(found->front, found->suggestions);
    return PV_STATUS_OK;
}

pv_status cli_cuts_write(cli_run *run, const cli_front *settings, cli_found *found, pv_error *error)
{
    char *text = NULL;
    if (settings->pick == NULL) {
        return PV_STATUS_OK;
    }
    CLI_TRY(
        pv_front_pick(found->front, found->opened->profile, settings->pick, &found->picked, error));
    CLI_TRY(pv_cuts_text(found->front->points[found->picked].cuts, &text, error));
    const pv_status status = cli_outputs_write(run, settings->output, text, error);
    pv_string_free(text);
    return status;
}

/* ------------------------------------------------------------------- next */

static void print_release(const cli_run *run, const char *data, const cli_found *found,
                          const char *cuts)
{
    const pv_plan *const plan = found->opened->plan;
    const uint64_t rows = pv_table_rows(pv_study_table(found->opened->study));
    cli_line(&run->report, "paravent release %s%s --cuts %s%s", run->operands.list[0], data, cuts,
             pv_budget_rows(&plan->suppression, rows) > 0 ? " --suppression 0" : "");
}

/* The options that would search the same again. Owned. */
static char *again(const cli_front *settings)
{
    const cli_search *const search = &settings->search;
    char *line = cli_with_text(cli_copy(""), "data", settings->data);
    line = cli_with_text(line, "scheme", settings->scheme);
    line = cli_with_text(line, "prove", settings->prove);
    line = cli_with_count(line, "evaluations", search->evaluations);
    line = cli_with_count(line, "population", search->population);
    line = cli_with_text(line, "crossover", search->crossover);
    line = cli_with_count(line, "seed", search->seed);
    line = cli_with_text(line, "memory", search->memory);
    return cli_with_flag(line, "free-groups", settings->free_groups);
}

static void print_pick(const cli_run *run, const cli_front *settings, const pv_front *front)
{
    char *const options = again(settings);
    cli_paragraph(&run->report, 0, "Next: take the cuts of one of them and release it, verified,");
    cli_line(&run->report, "paravent front %s%s --pick k=%llu -o cuts.json", run->operands.list[0],
             options, (unsigned long long)front->points[pv_front_knee(front)].k);
    free(options);
}

void cli_cuts_print_next(const cli_run *run, const cli_front *settings, const cli_found *found)
{
    char *const data = cli_with_text(cli_copy(""), "data", settings->data);
    cli_blank(&run->report);
    if (settings->output == NULL) {
        print_pick(run, settings, found->front);
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
