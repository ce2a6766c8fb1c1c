/* What can be said to `paravent front` and to other commands that search a front: the tables, what
 * they ask for, and the search. Names, sizes, shares, chances and bounds are checked before
 * anything takes time. */
#include "front/search.h"

#include "core/fail.h"
#include "core/measured.h"
#include "core/outputs.h"
#include "core/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 64
#define DEFAULT_OBJECTIVES "k,glm"
#define CUT_OBJECTIVES "k,nwp"
#define BETWEEN_RIVALS ';' /* bounds have commas */

const char *const cli_front_description[] = {
    "Searches all ways to generalize the quasi-identifiers of PLAN, level by level, for those that "
    "no other beats: more privacy is to be had only for more loss. Shows the front as a plot and a "
    "table, the knee where privacy becomes dear, and what the steps between suggested points cost.",
    "The default method proves that the front is complete wherever that can be done in about a "
    "minute. With many attributes, k against a loss such as glm is proven point by point "
    "(pointwise): soon there is a whole front that says how far from the optimum each point can "
    "be, then these gaps close. For other objectives a front is found fast; a sample of schemes "
    "then tells whether a proof is worth trying. If not, pbg-hybrid goes on, which finds better "
    "fronts the longer it runs. An interrupted search, or one that reached a limit, reports the "
    "front so far "
    "and says that it is not complete.",
    "With --scheme cuts the values of every attribute are divided anywhere in their order instead "
    "of "
    "level by level, k is traded for nwp, and nobody is suppressed. A search finds the points; "
    "then "
    "they are proven optimal one by one, those with large k first, or better ones are found, as "
    "long as --prove allows. Every point tells what is proven about it.",
    "With --scheme local there is a point for every k of --k: the least loss that local recoding "
    "was "
    "found to have at it, and what is proven about it. --scheme all shows levels, cuts and local "
    "recoding side by side, and says what each buys.",
    "With three and more objectives a front can have thousands of points. --archive and --epsilon "
    "keep few that stand for all, --where shows those that keep bounds.",
    NULL,
};

static const char *const schemes[] = {"levels", "cuts", "local", "all", NULL};

/* Name, kind, what help calls the value, the setting it goes to; the help; further fields by name.
 */
#define OPTION(name_, kind_, argument_, setting, ...)               \
    {                                                               \
        .name = name_, .kind = CLI_##kind_, .argument = argument_,  \
        .offset = offsetof(cli_front, setting), .help = __VA_ARGS__ \
    }

const cli_option cli_front_options[] = {
    OPTION("scheme", CHOICE, "levels|cuts|local|all", scheme,
           "generalize by levels of hierarchies, by cuts between ordered values, or by local "
           "recoding, "
           "where every row has levels of its own; all: the three side by side (default: levels)",
           .choices = schemes),
    OPTION("k", LIST, "LIST", ks,
           "local, all: a point for each of these k (default: 2,5,10,25,50,100)"),
    OPTION("objectives", LIST, "LIST", search.objectives,
           "two or more measures to trade against each other, such as k,glm or l-distinct,nwp,dcn "
           "(default: k,glm; see `paravent help measures`)"),
    OPTION("method", TEXT, "METHOD", search.method,
           "how to search (default: auto, the best that fits; see `paravent help methods`)"),
    OPTION("where", LIST, "BOUNDS", where,
           "show only the points that keep these bounds, such as 'k>=5,glm<=0.3' (up to 1, a bound "
           "on a loss is a share); exit status 3 if there is none"),
    OPTION("require", LIST, "LIST", search.require,
           "what every point keeps, such as l-distinct=3,t-closeness(COLUMN)=0.3, besides what the "
           "plan demands: classes that break it are suppressed, within the budget"),
    OPTION("suppression", TEXT, "BUDGET", suppression,
           "rows that may be suppressed, 1% or a number (default: as the plan says)"),
    OPTION(
        "suppress", TEXT, "RULE", suppress,
        "as-needed: every scheme counts with each number of rows that a higher k would suppress; "
        "whole-budget: only with as many as the budget allows (default: as the plan says, or "
        "as-needed)"),
    OPTION("all", FLAG, NULL, all, "show every point in the table"),
    OPTION("html", OUTPUT, "FILE", html,
           "write a page with the plot, to be pointed at, and all points"),
    OPTION("svg", OUTPUT, "FILE", svg, "write the plot as a picture"),
    OPTION("csv", OUTPUT, "FILE", csv,
           "write all points as a table (- is standard output, for all files)"),
    OPTION("pick", TEXT, "POINT", pick,
           "cuts: the point whose cuts -o writes: knee, k=5 (the one that loses least with k at "
           "least 5), 'nwp<=0.3' (the most private one that loses at most 30%); local, all: the "
           "point to be released, by its k, whose command is shown"),
    OPTION("output", OUTPUT, "FILE", output,
           "cuts: write the cuts of the picked point, for `paravent release --cuts`; they are as "
           "private as the plan",
           .letter = 'o', .needs = "pick"),
    OPTION("against", FILE, "FILE", against,
           "say how well this front stands for an earlier one that --json wrote, best that of an "
           "exhaustive search: representation ratio, convergence error, hypervolume"),
    OPTION("compare", TEXT, "PICKS", compare,
           "compare two points person by person before choosing, such as 'k=5;knee'; points are "
           "picked as by `release --pick`"),
    OPTION("force", FLAG, NULL, force, "overwrite outputs that exist"),
    OPTION("seconds", TEXT, "S", search.seconds,
           "stop after S seconds with what was found (default: no limit)"),
    OPTION("evaluations", COUNT, "N", search.evaluations,
           "stop after about N schemes were grouped (default: no limit); cuts: schemes to look at "
           "for the first k, a quarter of that for every further one (default: 50000)",
           .min = 1, .max = UINT64_MAX),
    OPTION("minimize", TEXT, "MEASURE", minimize,
           "local, all: what is lost least of, glm or nwp (default: glm)"),
    OPTION("improve", TEXT, "S", improve,
           "local, all: improve each local recoding for S seconds (default: about one)"),
    OPTION("bound", TEXT, "S", bound,
           "local, all: spend S seconds on each proof of how far a local recoding is from the best "
           "possible (default: some sweeps over the lattice)"),
    OPTION("prove", TEXT, "SECONDS", prove,
           "cuts: how long to try to prove that nothing is better (default: 30; 0 is no proof)"),
    OPTION("free-groups", FLAG, NULL, free_groups,
           "cuts: groups of categories may cross the branches of their hierarchy (default: they "
           "are whole branches, or neighbouring ones of one branch)"),
    OPTION("memory", TEXT, "SIZE", search.memory,
           "memory for groupings kept at hand, such as 1G; more is faster (default: 48M; cuts, for "
           "search and proofs: 256M)"),
    OPTION("archive", COUNT, "N", search.archive,
           "keep at most N points that stand for all, one per box; the boxes are chosen (default: "
           "all points; 1000 for pbg-*)",
           .min = 2, .max = 1000000, .excludes = "epsilon"),
    OPTION("epsilon", LIST, "LIST", search.epsilon,
           "keep one point per box of this size, such as k=5,glm=100 or glm=1%, which is a share "
           "of the largest possible value; objectives not named are not divided"),
    OPTION("seed", COUNT, "N", search.seed,
           "auto, pbg-*, cuts: the seed of random choices, if any are made (default: 1)", .min = 1,
           .max = INT64_MAX),
    OPTION("population", COUNT, "N", search.population,
           "pbg-*, cuts: schemes per generation (default: 25; cuts: 100)", .min = 2,
           .max = 1000000),
    OPTION("iterations", COUNT, "N", search.iterations,
           "pbg-*: generations (default: 100; over a million schemes: pbg-ea 2000, pbg-hybrid no "
           "limit)",
           .min = 1, .max = UINT64_MAX),
    OPTION("crossover", TEXT, "P", search.crossover,
           "pbg-*, cuts: the chance from 0 to 1 that two parents are crossed (default: 0.8)"),
    OPTION("mutation", TEXT, "P", search.mutation,
           "pbg-*: the chance from 0 to 1 that an attribute moves a level (default: 1 in as many "
           "as there are attributes)"),
    OPTION("patience", COUNT, "N", search.patience,
           "pbg-*: stop after N generations without anything new, 0 is never (default: 50; "
           "pbg-hybrid, over a million schemes: never, but after --seconds or about ten seconds of "
           "work, counted)",
           .min = 0, .max = UINT64_MAX),
    OPTION("start", FILE, "FILE", search.start,
           "pbg-*: begin with the schemes of an earlier front of the same plan that --json wrote"),
    OPTION("depth", COUNT, "N", search.depth,
           "how deep poka searches (default: the mean height of the hierarchies, rounded up)",
           .min = 1, .max = 255),
    CLI_DATA_OPTIONS(cli_front, "file"),
    CLI_EXPLAIN_OPTION(cli_front, reading.explain),
    {.name = NULL},
};

const cli_example cli_front_examples[] = {
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
    {"paravent front plan.yaml --scheme cuts --prove 60",
     "the front over cuts, a minute for proofs"},
    {"paravent front plan.yaml --scheme cuts --pick k=5 -o cuts.json",
     "and the cuts of one of its points, for `paravent release --cuts`"},
    {"paravent front plan.yaml --scheme local --k 2,5,10,25",
     "what local recoding loses at each k, and how far from the best possible that is"},
    {"paravent front plan.yaml --scheme all --html kinds.html",
     "levels, cuts and local recoding in one picture"},
    {"paravent front plan.yaml --suppression 2% --seconds 60 --csv front.csv",
     "another budget, at most a minute, all points in a file"},
    {NULL, NULL},
};

/* ------------------------------------------------------------- objectives */

static pv_status parse_objective(const char *text, pv_measure_ref *ref, pv_error *error)
{
    const pv_status status = pv_measure_parse(text, ref, error);
    const char *names[MOST_NAMES];
    size_t n = 0;
    for (; n < pv_n_measures() && n < MOST_NAMES; n++) {
        names[n] = pv_measure_at(n)->name;
    }
    const char *const near = status != PV_STATUS_OK ? cli_suggest(text, names, n) : NULL;
    if (near != NULL && pv_measure_find(text) == NULL && strchr(text, '(') == NULL) {
        return cli_hint(status, error, "did you mean %s? `paravent help measures` lists them all",
                        near);
    }
    return status;
}

static pv_status parse_objectives(const char *text, cli_request *request, pv_error *error)
{
    size_t parts = 0;
    char **const list = cli_list_split(text, ',', &parts);
    pv_status status = PV_STATUS_OK;
    if (parts > PV_MAX_OBJECTIVES) {
        status = cli_error(error, PV_STATUS_ARGUMENT, "--objectives: at most %d, not %zu",
                           PV_MAX_OBJECTIVES, parts);
    }
    for (size_t i = 0; i < parts && status == PV_STATUS_OK; i++) {
        status = parse_objective(list[i], &request->objectives[i], error);
    }
    cli_list_free(list);
    request->options.objectives = request->objectives;
    request->options.n_objectives = parts;
    return status;
}

size_t cli_objective_find(const pv_measure_ref *objectives, size_t n, pv_measure_ref ref)
{
    for (size_t i = 0; i < n; i++) {
        if (pv_measure_same(&objectives[i], &ref)) {
            return i;
        }
    }
    return SIZE_MAX;
}

char *cli_objective_list(const pv_measure_ref *objectives, size_t n)
{
    char *names = cli_copy("");
    for (size_t i = 0; i < n; i++) {
        const char *const glue = i == 0 ? "" : i + 1 == n ? " and " : ", ";
        cli_append(&names, "%s%s", glue, cli_measure_title(objectives[i]).text);
    }
    return names;
}

pv_status cli_bounds_hint(pv_status status, const pv_measure_ref *objectives, size_t n,
                          const char *text, pv_error *error)
{
    pv_measure_ref missing;
    if (status != PV_STATUS_ARGUMENT || !pv_pick_misses(objectives, n, text, &missing) ||
        missing.column[0] != '\0') { /* it cannot be an objective */
        return status;
    }
    char *names = cli_copy("");
    for (size_t i = 0; i <= n; i++) {
        char name[PV_MEASURE_TEXT_SIZE];
        pv_measure_text(i < n ? objectives[i] : missing, name, sizeof name);
        cli_append(&names, "%s%s", i > 0 ? "," : "", name);
    }
    status = cli_hint(status, error, "make it one: --objectives %s", names);
    free(names);
    return status;
}

/* --------------------------------------------------------------- epsilons */

/* NAME=SIZE: 100, or 1% of the largest possible value. */
static pv_status parse_epsilon(char *entry, cli_request *request, pv_error *error)
{
    pv_measure_ref ref;
    char *const equals = strrchr(entry, '=');
    const char *const size = equals != NULL ? equals + 1 : "";
    const size_t length = strlen(size);
    const bool percent = length > 0 && size[length - 1] == '%';
    if (equals != NULL) {
        *equals = '\0';
    }
    const size_t objective =
        pv_measure_parse(entry, &ref, error) == PV_STATUS_OK
            ? cli_objective_find(request->objectives, request->options.n_objectives, ref)
            : SIZE_MAX;
    if (objective == SIZE_MAX) {
        char *const names = cli_objective_list(request->objectives, request->options.n_objectives);
        const pv_status status =
            cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                               "--epsilon: `%s` is no objective of this search", entry),
                     error, "the objectives are %s", names);
        free(names);
        return status;
    }
    double *const epsilon = &request->options.epsilons[objective];
    if (*epsilon > 0.0) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--epsilon: `%s` is given twice", entry);
    }
    if (!cli_number_parse(size, length - percent, epsilon) || !(*epsilon > 0.0)) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "--epsilon: the side of a box of `%s` must be a number above 0",
                                  cli_measure_name(request->objectives[objective]).text),
                        error,
                        "such as --epsilon k=5,glm=100, or glm=1%% of its largest possible value");
    }
    request->epsilon_is_share[objective] = percent;
    return PV_STATUS_OK;
}

static pv_status parse_epsilons(const char *text, cli_request *request, pv_error *error)
{
    size_t parts = 0;
    pv_status status = PV_STATUS_OK;
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    char **const list = cli_list_split(text, ',', &parts);
    for (size_t i = 0; i < parts && status == PV_STATUS_OK; i++) {
        status = parse_epsilon(list[i], request, error);
    }
    cli_list_free(list);
    return status;
}

/* ---------------------------------------------------------------- methods */

/* Options of which the first that is given may be one too many. */
typedef struct {
    const char *name;
    bool given;
} mention;

/* NULL if none is given. */
static const char *first_given(const mention *mentions, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (mentions[i].given) {
            return mentions[i].name;
        }
    }
    return NULL;
}
#define FIRST_GIVEN(list) first_given(list, sizeof(list) / sizeof *(list))

/* What only an evolutionary method takes; `auto` may choose one, and takes a seed for it. */
static pv_status check_evolution(const cli_search *settings, bool is_auto, pv_error *error)
{
    const mention options[] = {
        {"seed", settings->seed.given && !is_auto}, {"population", settings->population.given},
        {"iterations", settings->iterations.given}, {"crossover", settings->crossover != NULL},
        {"mutation", settings->mutation != NULL},   {"patience", settings->patience.given},
        {"start", settings->start != NULL},
    };
    const char *const option = FIRST_GIVEN(options);
    if (option == NULL) {
        return PV_STATUS_OK;
    }
    char *names = cli_copy(""); /* "pbg-ea or pbg-hybrid" */
    for (size_t i = 0; i < pv_n_methods(); i++) {
        if (pv_method_at(i)->evolves) {
            cli_append(&names, "%s%s", names[0] != '\0' ? " or " : "", pv_method_at(i)->name);
        }
    }
    const pv_status status =
        cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "--%s means nothing without --method %s",
                           option, names),
                 error, "add --method pbg-hybrid");
    free(names);
    return status;
}

static pv_status check_method(const cli_search *settings, pv_error *error)
{
    const char *const name = settings->method;
    const pv_method *const method = name != NULL ? pv_method_find(name) : NULL;
    if (name != NULL && method == NULL && !cli_equal(name, "auto")) {
        char *list = cli_copy("auto");
        for (size_t i = 0; i < pv_n_methods(); i++) {
            cli_append(&list, ", %s", pv_method_at(i)->name);
        }
        const pv_status status =
            cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "there is no method `%s`", name), error,
                     "the methods are %s", list);
        free(list);
        return status;
    }
    if (settings->depth.given && (method == NULL || !method->has_depth)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--depth means nothing without --method poka");
    }
    return method != NULL && method->evolves ? PV_STATUS_OK
                                             : check_evolution(settings, method == NULL, error);
}

pv_status cli_request_read(const cli_search *settings, cli_request *request, pv_error *error)
{
    pv_search_options *const options = &request->options;
    *request = (cli_request){.start = settings->start};
    CLI_TRY(check_method(settings, error));
    CLI_TRY(parse_objectives(
        settings->objectives != NULL ? settings->objectives : DEFAULT_OBJECTIVES, request, error));
    CLI_TRY(parse_epsilons(settings->epsilon, request, error));
    options->method = settings->method;
    options->max_evaluations = settings->evaluations.value;
    options->depth = (unsigned)settings->depth.value;
    options->seed = settings->seed.value;
    options->archive = (size_t)settings->archive.value;
    options->population = (size_t)settings->population.value;
    options->iterations = settings->iterations.value;
    /* Patience without end is 0 here, as people say it, and the largest number there. */
    options->patience = settings->patience.given && settings->patience.value == 0
                            ? UINT64_MAX
                            : settings->patience.value;
    CLI_TRY(cli_chance_parse("crossover", settings->crossover, &options->crossover, error));
    CLI_TRY(cli_chance_parse("mutation", settings->mutation, &options->mutation, error));
    CLI_TRY(cli_memory_parse(settings->memory, &options->memory, error));
    CLI_TRY(cli_demands_add(&request->demands, settings->require, error));
    return cli_seconds_parse(settings->seconds, &options->max_seconds, error);
}

/* ------------------------------------------------------- levels or cuts */

bool cli_front_is_cut(const cli_front *settings)
{
    return settings->scheme != NULL && cli_equal(settings->scheme, "cuts");
}

/* What means nothing at single k, and what means nothing otherwise. */
static pv_status check_ladder(const cli_front *s, pv_error *error)
{
    const mention ladder_only[] = {{"k", s->ks != NULL},
                                   {"minimize", s->minimize != NULL},
                                   {"improve", s->improve != NULL},
                                   {"bound", s->bound != NULL}};
    const mention fronts_only[] = {{"objectives", s->search.objectives != NULL},
                                   {"method", s->search.method != NULL},
                                   {"where", s->where != NULL},
                                   {"suppress", s->suppress != NULL},
                                   {"all", s->all},
                                   {"output", s->output != NULL},
                                   {"against", s->against != NULL},
                                   {"compare", s->compare != NULL},
                                   {"evaluations", s->search.evaluations.given},
                                   {"prove", s->prove != NULL},
                                   {"free-groups", s->free_groups},
                                   {"memory", s->search.memory != NULL},
                                   {"archive", s->search.archive.given},
                                   {"epsilon", s->search.epsilon != NULL},
                                   {"population", s->search.population.given},
                                   {"iterations", s->search.iterations.given},
                                   {"crossover", s->search.crossover != NULL},
                                   {"mutation", s->search.mutation != NULL},
                                   {"patience", s->search.patience.given},
                                   {"start", s->search.start != NULL},
                                   {"depth", s->search.depth.given}};
    if (!cli_front_is_ladder(s)) {
        const char *const name = FIRST_GIVEN(ladder_only);
        return name == NULL
                   ? PV_STATUS_OK
                   : cli_error(error, PV_STATUS_ARGUMENT,
                               "--%s means nothing without --scheme local or --scheme all", name);
    }
    const char *const name = FIRST_GIVEN(fronts_only);
    return name == NULL
               ? cli_ladder_check(s, error)
               : cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                    "--%s means nothing with --scheme %s", name, s->scheme),
                          error,
                          "what does: --k, --require, --suppression, --minimize, --improve, "
                          "--bound, --seconds, --seed, --pick");
}

/* What means nothing over levels, and what means nothing over cuts. */
static pv_status check_scheme(const cli_front *s, pv_error *error)
{
    const mention cuts_only[] = {
        {"prove", s->prove != NULL}, {"free-groups", s->free_groups}, {"pick", s->pick != NULL}};
    const mention levels_only[] = {{"method", s->search.method != NULL},
                                   {"suppression", s->suppression != NULL},
                                   {"suppress", s->suppress != NULL},
                                   {"require", s->search.require != NULL},
                                   {"against", s->against != NULL},
                                   {"seconds", s->search.seconds != NULL},
                                   {"archive", s->search.archive.given},
                                   {"epsilon", s->search.epsilon != NULL},
                                   {"iterations", s->search.iterations.given},
                                   {"mutation", s->search.mutation != NULL},
                                   {"patience", s->search.patience.given},
                                   {"start", s->search.start != NULL},
                                   {"depth", s->search.depth.given}};
    const bool cuts = cli_front_is_cut(s);
    CLI_TRY(check_ladder(s, error));
    if (cli_front_is_ladder(s)) {
        return PV_STATUS_OK;
    }
    const char *const name = cuts ? FIRST_GIVEN(levels_only) : FIRST_GIVEN(cuts_only);
    if (name != NULL) {
        const pv_status status =
            cli_error(error, PV_STATUS_ARGUMENT, "--%s means nothing %s --scheme cuts", name,
                      cuts ? "with" : "without");
        return cuts ? cli_hint(status, error,
                               "what does: --evaluations, --prove, --free-groups, --seed, "
                               "--population, --crossover, --memory")
                    : cli_hint(status, error,
                               "`paravent release --pick` releases a point of a front of levels");
    }
    if (cuts && s->pick != NULL && s->output == NULL) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--pick needs --output");
    }
    if (cuts && s->search.objectives != NULL && !cli_equal(s->search.objectives, CUT_OBJECTIVES)) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "a front over cuts trades k for nwp, and nothing else"),
                        error, "leave out --objectives, or --scheme cuts");
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ whole */

pv_status cli_front_job_check(const cli_front_job *job, const pv_profile *profile, pv_error *error)
{
    const pv_measure_ref *const objectives = job->request.objectives;
    const size_t n = job->request.options.n_objectives;
    const char *const picks[] = {job->settings->pick, job->rivals != NULL ? job->rivals[0] : NULL,
                                 job->rivals != NULL ? job->rivals[1] : NULL};
    const char *const where = job->settings->where;
    if (where != NULL) {
        const pv_status status = pv_where_check(objectives, n, profile, where, error);
        CLI_TRY(cli_bounds_hint(status, objectives, n, where, error));
    }
    for (size_t i = 0; i < sizeof picks / sizeof *picks; i++) {
        if (picks[i] != NULL) {
            const pv_status status = pv_pick_check(objectives, n, profile, picks[i], error);
            CLI_TRY(cli_bounds_hint(status, objectives, n, picks[i], error));
        }
    }
    return PV_STATUS_OK;
}

pv_status cli_front_job_read(const cli_front *settings, cli_front_job *job, pv_error *error)
{
    const cli_search *const search = &settings->search;
    size_t n_rivals = 0;
    *job = (cli_front_job){.settings = settings};
    CLI_TRY(check_scheme(settings, error));
    if (cli_front_is_ladder(settings)) {
        ; /* its settings are read with the table */
    } else if (cli_front_is_cut(settings)) {
        job->cuts = (pv_cut_front_options){.free_groups = settings->free_groups,
                                           .evaluations = search->evaluations.value,
                                           .seed = search->seed.value,
                                           .population = (size_t)search->population.value};
        CLI_TRY(cli_prove_parse(settings->prove, &job->cuts.prove, error));
        CLI_TRY(cli_chance_parse("crossover", search->crossover, &job->cuts.crossover, error));
        CLI_TRY(cli_memory_parse(search->memory, &job->cuts.memory, error));
        CLI_TRY(parse_objectives(CUT_OBJECTIVES, &job->request, error));
    } else {
        CLI_TRY(cli_request_read(search, &job->request, error));
        CLI_TRY(cli_start_check(job->request.start, error));
    }
    if (settings->compare != NULL) {
        job->rivals = cli_list_split(settings->compare, BETWEEN_RIVALS, &n_rivals);
        if (n_rivals != 2 || job->rivals[0][0] == '\0' || job->rivals[1][0] == '\0') {
            return cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "--compare needs two points"),
                            error,
                            "write --compare 'k=5;knee', as points are picked by `release --pick`");
        }
    }
    if (!cli_front_is_ladder(settings)) {
        CLI_TRY(cli_front_job_check(job, NULL, error));
    }
    /* Standard output holds one thing: the report, the JSON document, or one of the files. */
    const unsigned n_streams = cli_is_stream(settings->svg) + cli_is_stream(settings->html) +
                               cli_is_stream(settings->csv) + cli_is_stream(settings->output) +
                               settings->common.json;
    return n_streams <= 1
               ? PV_STATUS_OK
               : cli_error(error, PV_STATUS_ARGUMENT,
                           "standard output can hold only one of --json and the files named -");
}

void cli_front_job_free(cli_front_job *job)
{
    cli_list_free(job->rivals);
    *job = (cli_front_job){0};
}

/* ----------------------------------------------------------------- search */

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
            const cli_measure_words name = cli_measure_name(objective);
            return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                      "--epsilon: `%s` has no largest value to take a share of",
                                      name.text),
                            error, "give a number: %s=5", name.text);
        }
    }
    return PV_STATUS_OK;
}

/* What the plan demands of every class. Demands on a release as a whole are left to it. */
static pv_status rules_of_plan(const pv_plan *plan, cli_demands *demands, pv_error *error)
{
    cli_demands planned = {0};
    CLI_TRY(pv_plan_demands(plan, planned.list, &planned.n, error));
    for (size_t i = 0; i < planned.n; i++) {
        if (planned.list[i].ref.measure->rule != PV_RULE_NONE) {
            demands->list[demands->n++] = planned.list[i];
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
    options.objectives = request->objectives;
    options.suppression = *suppression;
    cli_demands demands = {0};
    CLI_TRY(rules_of_plan(opened->plan, &demands, error));
    for (size_t i = 0; i < request->demands.n; i++) {
        CLI_TRY(pv_constraints_add(demands.list, &demands.n, &request->demands.list[i], error));
    }
    options.demands = demands.list;
    options.n_demands = demands.n;
    CLI_TRY(cli_start_read(request->start, opened->study, &start, &found->n_start, error));
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
