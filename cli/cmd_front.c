/* `paravent front PLAN`: every trade-off that nothing beats. */
#include "commands.h"
#include "fail.h"
#include "front_against.h"
#include "front_files.h"
#include "front_print.h"
#include "front_search.h"
#include "json.h"
#include "measured.h"
#include "opened.h"
#include "outputs.h"
#include "text.h"

#include <paravent/paravent.h>
#include <stdlib.h>

typedef struct {
    cli_common common;
    cli_reading reading;
    cli_search search;
    const char *data, *suppression;
    const char *svg, *html, *csv;
    const char *against; /* a file of `front --json` to compare with */
    char *where;
    bool all, force;
} front_settings;

/* ---------------------------------------------------------------- outputs */

/* Standard output holds one thing: the report, the JSON document, or one of the files. */
static pv_status check_streams(const front_settings *settings, pv_error *error)
{
    const unsigned n = cli_is_stream(settings->svg) + cli_is_stream(settings->html) +
                       cli_is_stream(settings->csv) + settings->common.json;
    return n <= 1 ? PV_STATUS_OK
                  : cli_error(error, PV_STATUS_ARGUMENT,
                              "standard output can hold only one of --json and the files named -");
}

/* Whatever can be refused is refused before the search, which may take long. */
static pv_status check_settings(const front_settings *settings, pv_error *error)
{
    CLI_TRY(cli_search_check(&settings->search, error));
    CLI_TRY(cli_filter_check(&settings->search, NULL, settings->where, error));
    CLI_TRY(check_streams(settings, error));
    CLI_TRY(cli_output_check(settings->svg, settings->force, error));
    CLI_TRY(cli_output_check(settings->html, settings->force, error));
    return cli_output_check(settings->csv, settings->force, error);
}

typedef pv_status (*picture_fn)(const pv_front *, const pv_profile *, char **, pv_error *);

static pv_status write_picture(const char *path, picture_fn draw, const cli_found *found,
                               bool force, pv_error *error)
{
    char *text = NULL;
    if (path == NULL) {
        return PV_STATUS_OK;
    }
    CLI_TRY(draw(found->front, found->opened->profile, &text, error));
    const pv_status status = cli_output_write(path, text, force, error);
    pv_string_free(text);
    return status;
}

static pv_status write_files(const front_settings *settings, const cli_found *found,
                             pv_error *error)
{
    CLI_TRY(write_picture(settings->svg, pv_front_svg, found, settings->force, error));
    CLI_TRY(write_picture(settings->html, pv_front_page, found, settings->force, error));
    if (settings->csv == NULL) {
        return PV_STATUS_OK;
    }
    char *const text = cli_found_csv(found);
    const pv_status status = cli_output_write(settings->csv, text, settings->force, error);
    free(text);
    return status;
}

/* ----------------------------------------------------------------- report */

static void print_files(const cli_run *run, const front_settings *settings)
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

static void print_next(const cli_run *run, const front_settings *settings, const cli_found *found)
{
    if (found->front->n_points == 0) {
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

static pv_status show(cli_run *run, const front_settings *settings, const cli_found *found,
                      pv_error *error)
{
    const bool taken = cli_is_stream(settings->svg) || cli_is_stream(settings->html) ||
                       cli_is_stream(settings->csv);
    if (run->common->json) {
        json_t *const document = cli_json_document("front");
        const pv_status status = cli_found_json(document, found, error);
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

/* A front is compared as a whole, before points are left out. */
static pv_status search(cli_run *run, const front_settings *settings, const cli_opened *opened,
                        const cli_reference *reference, cli_found *found, cli_compared *compared,
                        pv_error *error)
{
    pv_budget budget;
    pv_suppression suppression;
    CLI_TRY(cli_filter_check(&settings->search, opened, settings->where, error));
    CLI_TRY(cli_suppression_choose(opened, settings->suppression, &budget, &suppression, error));
    CLI_TRY(cli_search_run(run, &settings->search, opened, &suppression, found, error));
    if (settings->against != NULL) {
        CLI_TRY(cli_compare(run, found, reference, compared, error));
        found->against = compared;
    }
    return filter(found, settings->where, error);
}

static pv_status search_and_show(cli_run *run, const front_settings *settings,
                                 const cli_opened *opened, const cli_reference *reference,
                                 pv_error *error)
{
    cli_found found = {0};
    cli_compared compared;
    pv_status status = search(run, settings, opened, reference, &found, &compared, error);
    if (status == PV_STATUS_OK) {
        status = write_files(settings, &found, error);
    }
    if (status == PV_STATUS_OK) {
        status = show(run, settings, &found, error);
    }
    if (status == PV_STATUS_OK) {
        status = judge(&found, error);
    }
    cli_found_free(&found);
    return status;
}

static pv_status read_reference(const front_settings *settings, cli_reference *reference,
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
    const front_settings *const settings = given;
    cli_opened opened = {0};
    cli_reference reference = {0};
    pv_status status = PV_STATUS_OK;
    CLI_TRY(check_settings(settings, error));
    CLI_TRY(read_reference(settings, &reference, error));
    CLI_TRY_CLEAN(cli_open(run, run->operands.list[0], settings->data, &settings->reading,
                           CLI_WITH_ROLE, &opened, error));
    CLI_TRY_CLEAN(search_and_show(run, settings, &opened, &reference, error));
cleanup:
    cli_close(&opened);
    cli_reference_free(&reference);
    return status;
}

static const char *const description[] = {
    "Searches all ways to generalize the quasi-identifiers of PLAN, level by level, for those that "
    "no other beats: more privacy is to be had only for more loss. Shows the front as a plot and a "
    "table, the knee where privacy becomes dear, and what the steps between suggested points cost.",
    "The default method proves that the front is complete wherever that can be done; on very large "
    "lattices it takes pbg-hybrid, which finds better fronts the longer it runs. An interrupted "
    "search, or one that reached a limit, reports the front so far and says that it is not "
    "complete.",
    "With three and more objectives a front can have thousands of points. --archive and --epsilon "
    "keep few that stand for all, --where shows those that keep bounds.",
    NULL,
};

static const cli_option options[] = {
    {.name = "objectives",
     .kind = CLI_LIST,
     .argument = "LIST",
     .offset = offsetof(front_settings, search.objectives),
     .help = "two or more measures to trade against each other, such as k,glm or "
             "l-distinct,nwp,dcn (default: k,glm; see `paravent help measures`)"},
    {.name = "method",
     .kind = CLI_TEXT,
     .argument = "METHOD",
     .offset = offsetof(front_settings, search.method),
     .help = "how to search (default: auto, the best that fits; see `paravent help methods`)"},
    {.name = "where",
     .kind = CLI_LIST,
     .argument = "BOUNDS",
     .offset = offsetof(front_settings, where),
     .help = "show only the points that keep these bounds, such as 'k>=5,glm<=0.3' (up to 1, a "
             "bound on a loss is a share); exit status 3 if there is none"},
    {.name = "suppression",
     .kind = CLI_TEXT,
     .argument = "BUDGET",
     .offset = offsetof(front_settings, suppression),
     .help = "rows that may be suppressed, 1% or a number (default: as the plan says)"},
    {.name = "all",
     .kind = CLI_FLAG,
     .offset = offsetof(front_settings, all),
     .help = "show every point in the table"},
    {.name = "html",
     .kind = CLI_FILE,
     .argument = "FILE",
     .offset = offsetof(front_settings, html),
     .help = "write a page with the plot, to be pointed at, and all points"},
    {.name = "svg",
     .kind = CLI_FILE,
     .argument = "FILE",
     .offset = offsetof(front_settings, svg),
     .help = "write the plot as a picture"},
    {.name = "csv",
     .kind = CLI_FILE,
     .argument = "FILE",
     .offset = offsetof(front_settings, csv),
     .help = "write all points as a table (- is standard output, for all three)"},
    {.name = "against",
     .kind = CLI_FILE,
     .argument = "FILE",
     .offset = offsetof(front_settings, against),
     .help = "say how well this front stands for an earlier one that --json wrote, best that of an "
             "exhaustive search: representation ratio, convergence error, hypervolume"},
    {.name = "force",
     .kind = CLI_FLAG,
     .offset = offsetof(front_settings, force),
     .help = "overwrite outputs that exist"},
    {.name = "seconds",
     .kind = CLI_TEXT,
     .argument = "S",
     .offset = offsetof(front_settings, search.seconds),
     .help = "stop after S seconds with what was found (default: no limit)"},
    {.name = "evaluations",
     .kind = CLI_COUNT,
     .argument = "N",
     .min = 1,
     .max = UINT64_MAX,
     .offset = offsetof(front_settings, search.evaluations),
     .help = "stop after about N schemes were grouped (default: no limit)"},
    {.name = "memory",
     .kind = CLI_TEXT,
     .argument = "SIZE",
     .offset = offsetof(front_settings, search.memory),
     .help = "memory for groupings kept at hand, such as 1G; more is faster (default: 48M)"},
    {.name = "archive",
     .kind = CLI_COUNT,
     .argument = "N",
     .min = 2,
     .max = 1000000,
     .offset = offsetof(front_settings, search.archive),
     .excludes = "epsilon",
     .help =
         "keep at most N points that stand for all, one per box; the boxes are chosen (default: "
         "all points; 1000 for pbg-*)"},
    {.name = "epsilon",
     .kind = CLI_LIST,
     .argument = "LIST",
     .offset = offsetof(front_settings, search.epsilon),
     .help = "keep one point per box of this size, such as k=5,glm=100 or glm=1%, which is a share "
             "of the largest possible value; objectives not named are not divided"},
    {.name = "seed",
     .kind = CLI_COUNT,
     .argument = "N",
     .min = 1,
     .max = INT64_MAX,
     .offset = offsetof(front_settings, search.seed),
     .help = "pbg-*: the seed of its random choices (default: 1)"},
    {.name = "population",
     .kind = CLI_COUNT,
     .argument = "N",
     .min = 2,
     .max = 1000000,
     .offset = offsetof(front_settings, search.population),
     .help = "pbg-*: schemes per generation (default: 25)"},
    {.name = "iterations",
     .kind = CLI_COUNT,
     .argument = "N",
     .min = 1,
     .max = UINT64_MAX,
     .offset = offsetof(front_settings, search.iterations),
     .help = "pbg-*: generations (default: 100, or 2000 if there are over a million schemes)"},
    {.name = "crossover",
     .kind = CLI_TEXT,
     .argument = "P",
     .offset = offsetof(front_settings, search.crossover),
     .help = "pbg-*: the chance from 0 to 1 that two parents are crossed (default: 0.8)"},
    {.name = "mutation",
     .kind = CLI_TEXT,
     .argument = "P",
     .offset = offsetof(front_settings, search.mutation),
     .help = "pbg-*: the chance from 0 to 1 that an attribute moves a level (default: 1 in as many "
             "as there are attributes)"},
    {.name = "patience",
     .kind = CLI_COUNT,
     .argument = "N",
     .min = 0,
     .max = UINT64_MAX,
     .offset = offsetof(front_settings, search.patience),
     .help = "pbg-*: stop after N generations without anything new, 0 is never (default: 50)"},
    {.name = "start",
     .kind = CLI_FILE,
     .argument = "FILE",
     .offset = offsetof(front_settings, search.start),
     .help = "pbg-*: begin with the schemes of an earlier front of the same plan that --json "
             "wrote"},
    {.name = "depth",
     .kind = CLI_COUNT,
     .argument = "N",
     .min = 1,
     .max = 255,
     .offset = offsetof(front_settings, search.depth),
     .help = "how deep poka searches (default: the mean height of the hierarchies, rounded up)"},
    {.name = "data",
     .kind = CLI_FILE,
     .argument = "FILE",
     .offset = offsetof(front_settings, data),
     .help = "read this file instead of the one the plan names"},
    CLI_READING_OPTIONS(front_settings),
    {.name = NULL},
};

static const cli_example examples[] = {
    {"paravent front plan.yaml", "k against the detail lost, and where the knee is"},
    {"paravent front plan.yaml --objectives k,l-distinct,glm --where 'k>=5,l-distinct>=3' --html "
     "front.html",
     "three objectives, what keeps the bounds as a page"},
    {"paravent front plan.yaml --objectives sum-k,sum-l,glm --archive 50",
     "about fifty points that stand for all"},
    {"paravent front plan.yaml --method exhaustive --json > all.json", "every scheme, to compare"},
    {"paravent front plan.yaml --method pbg-ea --seed 7 --against all.json",
     "how close does the evolutionary search come?"},
    {"paravent front large.yaml --method pbg-hybrid --start before.json --seconds 60",
     "go on from an earlier front for a minute"},
    {"paravent front plan.yaml --suppression 2% --seconds 60 --csv front.csv",
     "another budget, at most a minute, all points in a file"},
    {NULL, NULL},
};

const cli_command cli_command_front = {
    .name = "front",
    .operands = "PLAN",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "the whole trade-off between privacy and loss: what nothing beats",
    .description = description,
    .options = options,
    .examples = examples,
    .settings_size = sizeof(front_settings),
    .run = run_front,
};
