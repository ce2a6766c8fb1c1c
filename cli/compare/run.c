/* `paravent compare A B ...`: which release treats people better, by which measure, and who gains
 * and loses. */
#include "compare/contest.h"
#include "core/command.h"
#include "core/fail.h"
#include "core/json.h"
#include "core/opened.h"
#include "core/outputs.h"
#include "core/text.h"

#include <paravent/paravent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RELEASES 26 /* they are called A to Z */

/* ---------------------------------------------------------------- showing */

static pv_status print_json(cli_run *run, const cli_compare_settings *settings,
                            const cli_opened *opened, const cli_contest_query *query,
                            const cli_contest *contest, pv_error *error)
{
    json_t *document = NULL;
    CLI_TRY(
        cli_compare_json(settings->plan, settings->key, opened, query, contest, &document, error));
    cli_json_print(run, document);
    return PV_STATUS_OK;
}

static pv_status print_report(cli_run *run, const cli_compare_settings *settings,
                              const cli_contest_query *query, const char *source,
                              const cli_contest *contest, pv_error *error)
{
    const cli_report *const report = &run->report;
    const size_t n = pv_comparison_n_releases(contest->comparison);
    const size_t n_maps = query->n_row_maps;
    /* Where there are fewer maps than releases, the others are matched the other way. */
    const bool others = n_maps < n;
    cli_paragraph(
        report, 0, "%s: %s in %zu releases, rows matched by %s%s%s", source,
        cli_plural_text(pv_comparison_n_original(contest->comparison), "person", "people").text, n,
        n_maps == 0 ? ""
        : others    ? "row maps and "
                    : "row maps",
        !others                 ? ""
        : settings->key != NULL ? "the key "
                                : "row order",
        others && settings->key != NULL ? settings->key : "");
    CLI_TRY(cli_contest_print(report, contest, error));
    if (settings->html != NULL) {
        cli_heading(report, "Look at");
        cli_fact(report, CLI_NEUTRAL, "the page", "%s", settings->html);
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- judging */

static pv_status judge(cli_run *run, const cli_compare_settings *settings, const cli_opened *opened,
                       cli_contest_query *query, const pv_comparison *comparison, pv_error *error)
{
    pv_judgement *judgement = NULL;
    CLI_TRY(cli_contest_query_resolve(query, comparison, error));
    const pv_judgement_options options = {.size = sizeof options,
                                          .tolerance = query->tolerance,
                                          .targets = query->resolved_targets,
                                          .enough = query->enough,
                                          .combinations = query->resolved_combinations,
                                          .n_combinations = query->n_combinations};
    CLI_TRY(pv_judgement_create(comparison, &options, &run->context, &judgement, error));
    cli_contest contest = {
        .comparison = comparison, .judgement = judgement, .all = settings->all, .are_files = true};
    memcpy(contest.indices, query->indices, sizeof contest.indices);
    const char *const source = cli_path_name(pv_table_source(pv_study_table(opened->study)));
    char *html = NULL;
    pv_status status = PV_STATUS_OK;
    if (settings->html != NULL) {
        CLI_TRY_CLEAN(pv_judgement_page(judgement, source, &html, error));
        CLI_TRY_CLEAN(cli_outputs_write(run, settings->html, html, error));
        CLI_TRY_CLEAN(cli_outputs_commit(run, error));
    }
    if (run->common->json) {
        status = print_json(run, settings, opened, query, &contest, error);
    } else if (cli_run_talks(run) && !cli_is_stream(settings->html)) {
        status = print_report(run, settings, query, source, &contest, error);
    }
cleanup:
    pv_string_free(html);
    pv_judgement_free(judgement);
    return status;
}

static pv_comparison_options comparing(const cli_compare_settings *settings,
                                       const cli_contest_query *query)
{
    return (pv_comparison_options){.key = settings->key,
                                   .row_maps = (const char *const *)query->row_maps,
                                   .n_row_maps = query->n_row_maps,
                                   .properties = (const char *const *)query->properties,
                                   .n_properties = query->n_properties,
                                   .groups = (const char *const *)query->groups,
                                   .n_groups = query->n_groups};
}

/* Keys and groups may be columns without a role. */
static cli_columns columns_of(const cli_compare_settings *settings)
{
    return settings->key != NULL || settings->by != NULL ? CLI_EVERYTHING : CLI_WITH_ROLE;
}

/* The original, in `opened` even after a failure; and, where it is in one database with all
 * releases, which matches their rows, the comparison as well. */
static pv_status open_original(cli_run *run, const cli_compare_settings *settings,
                               cli_contest_query *query, cli_opened *opened,
                               pv_comparison **comparison, pv_error *error)
{
    const pv_study_options opening =
        cli_study_options(settings->data, &settings->reading, columns_of(settings));
    if (settings->key == NULL) {
        CLI_TRY(cli_open_table(run, settings->plan, settings->data, &settings->reading,
                               columns_of(settings), opened, error));
        return cli_contest_query_plan(settings, opened->plan, query, error);
    }
    CLI_TRY(cli_open_plan(run, settings->plan, &settings->reading, &opened->plan, error));
    CLI_TRY(cli_contest_query_plan(settings, opened->plan, query, error));
    const pv_comparison_options options = comparing(settings, query);
    CLI_TRY(pv_comparison_join(opened->plan, &opening, run->operands.list, run->operands.n,
                               &options, &run->context, &opened->study, comparison, error));
    if (opened->study == NULL) {
        CLI_TRY(pv_study_open(opened->plan, &opening, &run->context, &opened->study, error));
    }
    cli_reading_note(run, pv_study_table(opened->study));
    return PV_STATUS_OK;
}

/* The releases, row by row. */
static pv_status open_releases(cli_run *run, const cli_compare_settings *settings,
                               const cli_contest_query *query, const cli_opened *opened,
                               pv_comparison **comparison, pv_error *error)
{
    const pv_comparison_options options = comparing(settings, query);
    for (size_t i = 0; i < query->n_row_maps; i++) { /* inputs, too, though they are in a list */
        CLI_TRY(pv_outputs_protect(run->outputs, query->row_maps[i], error));
    }
    return pv_comparison_open(opened->study, run->operands.list, run->operands.n, &options,
                              &run->context, comparison, error);
}

static pv_status explain(cli_run *run, const cli_compare_settings *settings,
                         cli_contest_query *query, pv_error *error)
{
    const pv_study_options opening =
        cli_study_options(settings->data, &settings->reading, columns_of(settings));
    pv_plan *plan = NULL;
    char *sql = NULL;
    pv_status status = PV_STATUS_OK;
    CLI_TRY_CLEAN(cli_open_plan(run, settings->plan, &settings->reading, &plan, error));
    CLI_TRY_CLEAN(cli_contest_query_plan(settings, plan, query, error));
    const pv_comparison_options options = comparing(settings, query);
    CLI_TRY_CLEAN(pv_comparison_explain(plan, &opening, run->operands.list, run->operands.n,
                                        &options, &run->context, &sql, error));
    cli_explain_print(run, sql);
cleanup:
    pv_string_free(sql);
    pv_plan_free(plan);
    return status;
}

static pv_status run_compare(cli_run *run, const void *given, pv_error *error)
{
    const cli_compare_settings *const settings = given;
    cli_opened opened = {0};
    cli_contest_query query = {0};
    pv_comparison *comparison = NULL;
    pv_status status = PV_STATUS_OK;
    CLI_TRY_CLEAN(cli_contest_query_read(settings, &query, error));
    if (settings->reading.explain) {
        CLI_TRY_CLEAN(explain(run, settings, &query, error));
        goto cleanup;
    }
    CLI_TRY_CLEAN(open_original(run, settings, &query, &opened, &comparison, error));
    if (comparison == NULL) {
        CLI_TRY_CLEAN(open_releases(run, settings, &query, &opened, &comparison, error));
    }
    if (settings->common.json) { /* which has the number of distinct tuples */
        CLI_TRY_CLEAN(pv_study_profile(opened.study, &opened.profile, error));
    }
    cli_progress_wipe(&run->progress);
    CLI_TRY_CLEAN(judge(run, settings, &opened, &query, comparison, error));
cleanup:
    pv_comparison_free(comparison);
    cli_contest_query_free(&query);
    cli_close(&opened);
    return status;
}

/* ----------------------------------------------------------------- rivals
 *
 * Two schemes compared before one of them is chosen: nothing is written, their classes suffice. */

/* Every scheme of cuts has hierarchies of its own: it sees the table through a study of its own. */
static pv_status add_rival(cli_run *run, const cli_opened *opened, const cli_rival *rival,
                           const pv_suppression *suppression, cli_rivals *made, pv_error *error)
{
    const pv_suppression none = {0};
    const pv_profile *profile = opened->profile;
    const uint8_t *levels = rival->levels;
    cli_opened cut = {0};
    pv_scheme *scheme = NULL;
    pv_classes *classes = NULL;
    size_t n_levels = 0;
    pv_status status = PV_STATUS_OK;
    if (rival->cuts != NULL) {
        CLI_TRY(cli_see_through_cuts(opened->study, rival->cuts, &cut, error));
        CLI_TRY_CLEAN(pv_study_profile(cut.study, &cut.profile, error));
        CLI_TRY_CLEAN(pv_scheme_from_plan(cut.study, &scheme, error));
        profile = cut.profile;
        levels = pv_scheme_levels(scheme, &n_levels);
        suppression = &none;
    }
    pv_suppression rule = *suppression;
    if (rival->k > 0) {
        rule.target_k = rival->k;
    }
    CLI_TRY_CLEAN(pv_classes_create(profile, levels, &rule, &classes, error));
    CLI_TRY_CLEAN(pv_comparison_add(made->comparison, classes, rival->name, &run->context, error));
cleanup:
    pv_classes_free(classes);
    if (rival->cuts != NULL) {
        pv_scheme_free(scheme);
        cli_close(&cut);
        cli_progress_wipe(&run->progress);
    }
    return status;
}

pv_status cli_rivals_fight(cli_run *run, const cli_opened *opened, const cli_rival rivals[2],
                           const pv_suppression *suppression, cli_rivals *made, pv_error *error)
{
    const pv_judgement_options options = {.size = sizeof options,
                                          .enough = cli_contest_enough(opened->plan)};
    pv_status status = PV_STATUS_OK;
    *made = (cli_rivals){0};
    CLI_TRY_CLEAN(pv_comparison_begin(opened->study, NULL, 0, &made->comparison, error));
    CLI_TRY_CLEAN(add_rival(run, opened, &rivals[0], suppression, made, error));
    CLI_TRY_CLEAN(add_rival(run, opened, &rivals[1], suppression, made, error));
    CLI_TRY_CLEAN(
        pv_judgement_create(made->comparison, &options, &run->context, &made->judgement, error));
    made->contest = (cli_contest){.comparison = made->comparison, .judgement = made->judgement};
    memset(made->contest.indices, true, sizeof made->contest.indices);
    return PV_STATUS_OK;
cleanup:
    cli_rivals_free(made);
    return status;
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

/* ------------------------------------------------------------------ texts */

static const char *const description[] = {
    "Says of two or more releases of the table of a plan, whoever made them, which treats people "
    "better, by which measure, and who gains and loses. Rows are matched by the releases' row "
    "maps, "
    "by a key, or by row order; our releases are sorted unless --keep-order was given, and need a "
    "map or a key. Rows that contradict the original (a column that is no quasi-identifier has "
    "another "
    "value, a label of the plan's hierarchy or an interval does not cover the original value) are "
    "an error: the wrong rows would be compared. Otherwise only equality of generalized values "
    "matters, in whatever spelling. Suppressed rows stay in, as a class of their own. Where the "
    "original and all releases are tables of one database, it matches their rows by the key.",
    "Every person has a value of every property: class-size (people who look alike), own-count and "
    "distinct (of sensitive values in the class), t-distance, risk, leaf-utility, glm and nwp (the "
    "detail kept or lost), and column:NAME, a column of numbers in the releases (-column:NAME if "
    "less of it is better).",
    "Two releases are compared by indices: min (the worst off), rank (distance from the best "
    "everyone has in any of them, or from --target), cov (share of people at least as well off), "
    "spr (how much "
    "better "
    "off, summed) and hv (volume dominated alone). Of more than two everyone meets everyone; where "
    "they beat each other in a circle, that is said instead of a ranking.",
    "Without a combination the advice follows a simple rule: whoever is not suppressed should be "
    "among enough people who look alike (--k); of the releases of which that is true, the one that "
    "keeps more detail (glm) for more people. --wtd, --lex, --goal and --combine put your own rule "
    "in its place; of several the first decides.",
    NULL,
};

/* Name, kind, what help calls the value, the setting it goes to; the help; further fields by name.
 */
#define OPTION(name_, kind_, argument_, setting, ...)                          \
    {                                                                          \
        .name = name_, .kind = CLI_##kind_, .argument = argument_,             \
        .offset = offsetof(cli_compare_settings, setting), .help = __VA_ARGS__ \
    }

static const cli_option options[] = {
    OPTION("plan", FILE, "PLAN", plan,
           "the plan of the original: its data, quasi-identifiers and sensitive attributes"),
    OPTION(
        "key", TEXT, "COLUMN", key,
        "the column that identifies rows, in all files (default: rows are matched by row order)"),
    OPTION("row-map", LIST, "FILES", row_map,
           "the row maps that were written with the releases (`paravent release --row-map`), in "
           "any order: each says to which release it belongs",
           .files = true),
    OPTION("properties", LIST, "LIST", properties,
           "what to compare, such as class-size,glm,column:income (default: all properties)"),
    OPTION("index", LIST, "LIST", index,
           "the indices to tell, of min,rank,cov,spr,hv (default: all)"),
    OPTION("by", LIST, "COLUMNS", by,
           "also tell how people fare by their values of these columns of the original: is one "
           "group systematically given the minimum? The values are shown"),
    OPTION(
        "wtd", LIST, "TERMS", wtd,
        "overall by weights: properties, indices, weights, such as class-size:cov=0.5,glm:spr=0.5"),
    OPTION("lex", LIST, "TERMS", lex,
           "overall in order, each with a tolerance, such as class-size:min=1,glm:cov"),
    OPTION("goal", LIST, "TERMS", goal,
           "overall by the distance to goals, such as class-size:min=10,glm:cov=1"),
    OPTION("combine", LIST, "NAMES", combine,
           "overall by combinations that the plan has under `compare`"),
    OPTION("tolerance", TEXT, "X", tolerance,
           "of rank: differences of distances up to X count as none (default: 0)"),
    OPTION("target", LIST, "LIST", target,
           "of rank: what everyone should have, such as class-size=10,glm=0.5 (default: the best "
           "that each person has in any of the releases)"),
    OPTION("k", COUNT, "N", k,
           "people among whom everyone should be, for the advice (default: k of the plan's "
           "`require`, else 5)",
           .letter = 'k', .min = 1, .max = INT64_MAX),
    OPTION("html", OUTPUT, "FILE", html,
           "write a page with pictures: everyone's values in order, and who gains and loses (- is "
           "standard output)"),
    OPTION("all", FLAG, NULL, all, "show the numbers of every pair, and every group"),
    OPTION("force", FLAG, NULL, force, "overwrite the page if it exists", .needs = "html"),
    CLI_DATA_OPTIONS(cli_compare_settings, "original"),
    CLI_EXPLAIN_OPTION(cli_compare_settings, reading.explain),
    {.name = NULL},
};

static const cli_example examples[] = {
    {"paravent compare a.csv b.csv --plan plan.yaml --row-map a.map,b.map",
     "which one treats people better, and whom"},
    {"paravent compare a.csv b.csv c.csv --plan plan.yaml --html compare.html",
     "everyone against everyone, with pictures; all in the order of the original"},
    {"paravent compare a.csv b.csv --plan plan.yaml --by sex,race",
     "is a group systematically given the minimum?"},
    {"paravent compare a.csv b.csv --plan plan.yaml --key id --wtd class-size:cov=2,glm:cov=1",
     "rows matched by a key column, and a rule of your own"},
    {"paravent compare 'postgresql://db.example/census?table=a' "
     "'postgresql://db.example/census?table=b' --plan plan.yaml --key id --explain",
     "what SQL would run where the original and both releases are in one database"},
    {"paravent compare a.csv b.csv --plan plan.yaml --properties class-size --index cov,spr --json",
     "one property by two indices, as JSON"},
    {NULL, NULL},
};

const cli_command cli_command_compare = {
    .name = "compare",
    .operands = "A B ...",
    .min_operands = 2,
    .max_operands = MOST_RELEASES,
    .summary = "which of two or more releases treats people better, person by person",
    .description = description,
    .options = options,
    .examples = examples,
    .settings_size = sizeof(cli_compare_settings),
    .run = run_compare,
};
