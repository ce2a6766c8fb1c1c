/* `paravent disclose PLAN`: record by record, the least risk at a required utility. */
#include "core/command.h"
#include "core/fail.h"
#include "core/json.h"
#include "core/outputs.h"
#include "core/text.h"
#include "disclose/disclose.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- open */

/* A target k of the plan is a demand here: no smaller class is to remain. */
static pv_status demand_target(cli_published *published, pv_error *error)
{
    char text[32];
    const uint64_t k = published->suppression.target_k;
    if (k == 0) {
        return PV_STATUS_OK;
    }
    (void)snprintf(text, sizeof text, "k=%llu", (unsigned long long)k);
    published->suppression.target_k = 0;
    return cli_demands_add(&published->demands, text, error);
}

static pv_status open_table(cli_run *run, cli_disclosed *d, pv_error *error)
{
    const cli_publish *const publish = &d->query.given->publish;
    if (publish->output == NULL) {
        return cli_open(run, d->plan, publish->data, &publish->reading, CLI_WITH_ROLE,
                        &d->published.opened, error);
    }
    CLI_TRY(cli_publish_open(run, publish, d->plan, publish->data, &d->published, error));
    return demand_target(&d->published, error);
}

static pv_status open_attacker(cli_run *run, cli_disclosed *d, pv_error *error)
{
    const pv_profile *const profile = d->published.opened.profile;
    const pv_attacker_options options = {.path = d->query.given->dictionary,
                                         .similarity = d->query.similarity,
                                         .ignore = (const char *const *)d->query.ignore};
    CLI_TRY(
        pv_sensitivities_create(profile, d->query.source, d->query.seed, &d->sensitivities, error));
    return pv_attacker_open(profile, &options, &run->context, &d->attacker, error);
}

static void disclosed_free(cli_disclosed *d)
{
    pv_disclosure_summary_free(d->summary);
    pv_disclosure_free(d->disclosure);
    pv_attacker_free(d->attacker);
    pv_sensitivities_free(d->sensitivities);
    cli_published_free(&d->published);
    cli_query_free(&d->query);
}

/* ------------------------------------------------------------------ solve */

static pv_status check_row(const cli_disclosed *d, pv_error *error)
{
    const uint64_t rows = pv_profile_rows(d->published.opened.profile);
    return d->query.given->row.value <= rows
               ? PV_STATUS_OK
               : cli_error(error, PV_STATUS_ARGUMENT, "--row: the table has only %s",
                           cli_plural_text(rows, "row", "rows").text);
}

static pv_disclose_options options_of(const cli_disclosed *d)
{
    pv_disclose_options options = d->query.options;
    options.attacker = d->attacker;
    options.sensitivities = d->sensitivities;
    return options;
}

static pv_status solve(cli_run *run, cli_disclosed *d, pv_error *error)
{
    const pv_profile *const profile = d->published.opened.profile;
    const bool single = d->query.given->row.given;
    pv_disclose_options options = options_of(d);
    size_t tuple = 0;
    if (single) {
        CLI_TRY(check_row(d, error));
        tuple = pv_profile_tuple(profile, d->query.given->row.value - 1);
        options.only = &tuple;
        options.n_only = 1;
    }
    run->progress.bound = options.max_seconds > 0 ? NULL : CLI_SECONDS_BOUND;
    const pv_status status = pv_disclose(profile, &options, &run->context, &d->disclosure, error);
    run->progress.bound = NULL;
    cli_progress_wipe(&run->progress); /* what was stopped leaves its bar behind */
    CLI_TRY(status);
    return single ? PV_STATUS_OK
                  : pv_disclosure_summarise(d->disclosure, profile, &d->summary, error);
}

/* From now on what is reported is what is released. Where everyone is released as chosen, that is
 * so already. */
static pv_status take_released(cli_run *run, cli_disclosed *d, pv_error *error)
{
    const pv_profile *const profile = d->published.opened.profile;
    const pv_disclose_options options = options_of(d);
    pv_disclosure *released = NULL;
    pv_disclosure_summary *summary = NULL;
    d->risk_chosen = pv_disclosure_summary_risk_after(d->summary)->mean;
    if (d->enforced.changed == 0) {
        return PV_STATUS_OK;
    }
    CLI_TRY(pv_disclosure_released(d->disclosure, profile, &options, d->published.scheme,
                                   &run->context, &released, error));
    const pv_status status = pv_disclosure_summarise(released, profile, &summary, error);
    if (status != PV_STATUS_OK) {
        pv_disclosure_free(released);
        return status;
    }
    pv_disclosure_free(d->disclosure);
    pv_disclosure_summary_free(d->summary);
    d->disclosure = released;
    d->summary = summary;
    return PV_STATUS_OK;
}

static pv_status enforce(cli_run *run, cli_disclosed *d, pv_error *error)
{
    cli_published *const p = &d->published;
    CLI_TRY(pv_disclosure_scheme(d->disclosure, p->opened.profile, p->demands.list, p->demands.n,
                                 p->suppression.budget, &run->context, &p->scheme, &d->enforced,
                                 error));
    return take_released(run, d, error);
}

/* -------------------------------------------------------------------- run */

typedef void (*json_fn)(json_t *, const cli_disclosed *);
typedef void (*print_fn)(const cli_report *, const cli_disclosed *);

static void show(cli_run *run, const cli_disclosed *disclosed, json_fn to_json, print_fn print)
{
    if (run->common->json) {
        json_t *const document = cli_json_document("disclose");
        to_json(document, disclosed);
        cli_json_print(run, document);
    } else if (cli_run_talks(run) && !cli_is_stream(disclosed->query.given->assign)) {
        print(&run->report, disclosed);
    }
}

static pv_status write_assign(cli_run *run, const cli_disclosed *disclosed, pv_error *error)
{
    const cli_disclose *const settings = disclosed->query.given;
    if (settings->assign == NULL) {
        return PV_STATUS_OK;
    }
    char *const text = cli_assign_csv(disclosed);
    const pv_status status = cli_outputs_write(run, settings->assign, text, error);
    free(text);
    return status;
}

static bool is_out_of_reach(const cli_disclosed *disclosed)
{
    return pv_disclosure_summary_n_infeasible(disclosed->summary) ==
           pv_disclosure_summary_n_rows(disclosed->summary);
}

/* What the exit status says about choices that have been shown. */
static pv_status judge(const cli_disclosed *disclosed, pv_error *error)
{
    if (pv_disclosure_is_stopped(disclosed->disclosure)) {
        return cli_error(error, PV_STATUS_CANCELLED,
                         "interrupted; these are the best choices so far, nothing was written");
    }
    if (is_out_of_reach(disclosed)) {
        return cli_hint(cli_error(error, PV_STATUS_UNSATISFIED,
                                  "nothing keeps the bound for anyone; nothing was written"),
                        error,
                        disclosed->query.given->max_risk != NULL ? "allow more risk"
                                                                 : "ask for less utility");
    }
    return PV_STATUS_OK;
}

/* What is assigned is what is released; both appear together. */
static pv_status write_files(cli_run *run, cli_disclosed *disclosed, pv_error *error)
{
    const bool releases = disclosed->query.given->publish.output != NULL;
    if (releases) {
        CLI_TRY(enforce(run, disclosed, error));
    }
    CLI_TRY(write_assign(run, disclosed, error));
    if (!releases) {
        return cli_outputs_commit(run, error);
    }
    CLI_TRY(
        cli_publish_finish(run, &disclosed->query.given->publish, &disclosed->published, error));
    disclosed->is_released = true;
    return PV_STATUS_OK;
}

/* What is not finished, or good for nobody, is shown but not written. */
static pv_status disclose_all(cli_run *run, cli_disclosed *disclosed, pv_error *error)
{
    CLI_TRY(solve(run, disclosed, error));
    if (!pv_disclosure_is_stopped(disclosed->disclosure) && !is_out_of_reach(disclosed)) {
        CLI_TRY(write_files(run, disclosed, error));
    }
    show(run, disclosed, cli_disclosed_json, cli_disclosed_print);
    return judge(disclosed, error);
}

static pv_status disclose_row(cli_run *run, cli_disclosed *disclosed, pv_error *error)
{
    CLI_TRY(solve(run, disclosed, error));
    show(run, disclosed, cli_record_json, cli_record_print);
    return pv_disclosure_is_stopped(disclosed->disclosure)
               ? cli_error(error, PV_STATUS_CANCELLED, "interrupted; this is the best so far")
               : PV_STATUS_OK;
}

static pv_status run_disclose(cli_run *run, const void *given, pv_error *error)
{
    const cli_disclose *const settings = given;
    cli_disclosed d = {.plan = run->operands.list[0]};
    CLI_TRY(cli_publish_begin(run, &settings->publish, error));
    CLI_TRY(cli_query_read(settings, &d.query, error));
    pv_status status = open_table(run, &d, error);
    if (status == PV_STATUS_OK) {
        status = open_attacker(run, &d, error);
    }
    if (status == PV_STATUS_OK) {
        status = settings->front       ? cli_risk_front_run(run, &d, error)
                 : settings->row.given ? disclose_row(run, &d, error)
                                       : disclose_all(run, &d, error);
    }
    disclosed_free(&d);
    return status;
}

/* ------------------------------------------------------------------ count */

bool cli_disclosed_is_exact(const cli_disclosed *d)
{
    bool exact = !pv_disclosure_is_stopped(d->disclosure);
    for (size_t t = 0; exact && t < pv_disclosure_n_tuples(d->disclosure); t++) {
        exact = pv_disclosure_levels(d->disclosure, t, NULL) == NULL ||
                pv_disclosure_is_optimal(d->disclosure, t);
    }
    return exact;
}

cli_fitting cli_people_fitting(const cli_disclosed *d, bool shown)
{
    cli_fitting fitting = {0};
    for (size_t t = 0; t < pv_disclosure_n_tuples(d->disclosure); t++) {
        const uint64_t people = pv_profile_count(cli_disclosed_opened(d)->profile, t);
        const uint64_t fits = shown ? pv_disclosure_n_consistent(d->disclosure, t)
                                    : pv_disclosure_n_consistent_raw(d->disclosure, t);
        fitting.one += fits == 1 ? people : 0;
        fitting.none += fits == 0 ? people : 0;
    }
    return fitting;
}

unsigned cli_shown_level(const cli_disclosed *d, size_t tuple, size_t quasi)
{
    const cli_opened *const opened = cli_disclosed_opened(d);
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(opened->study, quasi);
    const unsigned level = pv_disclosure_levels(d->disclosure, tuple, NULL)[quasi];
    const uint32_t leaf = pv_profile_leaf(opened->profile, tuple, quasi);
    return pv_hierarchy_is_root(hierarchy, level, pv_hierarchy_group(hierarchy, level, leaf))
               ? pv_hierarchy_height(hierarchy)
               : level;
}

uint64_t *cli_people_by_level(const cli_disclosed *d, size_t quasi)
{
    const cli_opened *const opened = cli_disclosed_opened(d);
    const unsigned height = pv_hierarchy_height(pv_study_hierarchy(opened->study, quasi));
    uint64_t *const people = cli_zeroed(height + 1, sizeof *people);
    for (size_t t = 0; t < pv_disclosure_n_tuples(d->disclosure); t++) {
        people[cli_shown_level(d, t, quasi)] += pv_profile_count(opened->profile, t);
    }
    return people;
}

/* --------------------------------------------------------------- patterns */

typedef struct {
    const uint8_t *levels; /* of all tuples, as shown */
    size_t n_quasi;
} by_levels;

static int compare_tuples(const void *left, const void *right, void *ctx)
{
    const by_levels *const by = ctx;
    const size_t a = *(const size_t *)left;
    const size_t b = *(const size_t *)right;
    const int order =
        memcmp(by->levels + a * by->n_quasi, by->levels + b * by->n_quasi, by->n_quasi);
    return order != 0 ? order : (a > b) - (a < b);
}

static int compare_patterns(const void *left, const void *right)
{
    const cli_pattern *const a = left;
    const cli_pattern *const b = right;
    if (a->worst > b->worst || a->worst < b->worst) {
        return a->worst > b->worst ? -1 : 1;
    }
    if (a->people != b->people) {
        return a->people > b->people ? -1 : 1;
    }
    return (a->levels > b->levels) - (a->levels < b->levels); /* neighbours of one array */
}

static void pattern_add(cli_pattern *pattern, double risk, uint64_t fits, uint64_t people)
{
    const bool first = pattern->people == 0;
    pattern->worst = first || risk > pattern->worst ? risk : pattern->worst;
    pattern->fewest = first || fits < pattern->fewest ? fits : pattern->fewest;
    pattern->mean += risk * (double)people; /* divided when all are there */
    pattern->people += people;
}

/* `order` has the tuples by their levels. */
static void collect_patterns(const cli_disclosed *d, const size_t *order, cli_patterns *patterns)
{
    const size_t n_quasi = cli_disclosed_n_quasi(d);
    for (size_t i = 0; i < pv_disclosure_n_tuples(d->disclosure); i++) {
        const uint8_t *const levels = patterns->levels + order[i] * n_quasi;
        if (i == 0 || memcmp(levels, patterns->list[patterns->n - 1].levels, n_quasi) != 0) {
            patterns->list[patterns->n++].levels = levels;
        }
        pattern_add(&patterns->list[patterns->n - 1], pv_disclosure_risk(d->disclosure, order[i]),
                    pv_disclosure_n_consistent(d->disclosure, order[i]),
                    pv_profile_count(cli_disclosed_opened(d)->profile, order[i]));
    }
    for (size_t i = 0; i < patterns->n; i++) {
        patterns->list[i].mean /= (double)patterns->list[i].people;
    }
}

cli_patterns cli_patterns_take(const cli_disclosed *d)
{
    const size_t n = pv_disclosure_n_tuples(d->disclosure);
    const size_t n_quasi = cli_disclosed_n_quasi(d);
    cli_patterns patterns = {.list = cli_zeroed(n, sizeof *patterns.list),
                             .levels = cli_zeroed(n, n_quasi)};
    size_t *const order = cli_zeroed(n, sizeof *order);
    by_levels by = {.levels = patterns.levels, .n_quasi = n_quasi};
    for (size_t t = 0; t < n; t++) {
        order[t] = t;
        for (size_t q = 0; q < n_quasi; q++) {
            patterns.levels[t * n_quasi + q] = (uint8_t)cli_shown_level(d, t, q);
        }
    }
    qsort_r(order, n, sizeof *order, compare_tuples, &by);
    collect_patterns(d, order, &patterns);
    qsort(patterns.list, patterns.n, sizeof *patterns.list, compare_patterns);
    free(order);
    return patterns;
}

void cli_patterns_free(cli_patterns *patterns)
{
    free(patterns->list);
    free(patterns->levels);
    *patterns = (cli_patterns){0};
}

/* ------------------------------------------------------------------ texts */

static const char *const description[] = {
    "One level for everyone wastes detail: a common person needs less hiding than a rare one. Here "
    "every record of PLAN gets levels of its own, those with the least risk that leave it enough "
    "detail (--utility), with the most detail at a bearable risk (--max-risk), or with the best "
    "balance of both (--balance).",
    "Risk is seen from an attacker who holds a dictionary of people, the table itself unless "
    "--dictionary names another, and looks for those whom a released record fits. Model I divides "
    "how sensitive the shown values are by the number of people they fit, model II is one in that "
    "number, model III is minus the sensitivity times its logarithm. Model III is not monotone: "
    "hiding more can raise it.",
    "With -o the choices are released like with `paravent release`: what breaks a demand "
    "(--require, and those of the plan) is generalized further or suppressed, and the file is read "
    "back and verified before it is there. A person's risk is what it is for this attacker; "
    "whether "
    "released rows look alike (k) is another question, so demand it.",
    "With some 15 quasi-identifiers or more no search comes to an end. Then everyone gets levels "
    "that "
    "keep the bound and cannot be made better by raising one attribute, lowering one, or both; "
    "more "
    "is looked for, and perhaps proven, as long as --seconds allows. For how many people the "
    "choice "
    "is proven the best is always said.",
    "An interrupted run shows the best choices so far and writes nothing.",
    NULL,
};

#define OPTION(...) CLI_OPTION(cli_disclose, __VA_ARGS__)

static const cli_option options[] = {
    OPTION("utility", TEXT, "C", utility,
           "the least risk that leaves everyone at least this share of the utility they have, "
           "0.5 or 50% (default: 0.5)",
           .excludes = "max-risk"),
    OPTION("absolute", FLAG, NULL, absolute,
           "--utility is no share but a number in the units of --measure", .needs = "utility"),
    OPTION("max-risk", TEXT, "R", max_risk, "instead: the most utility with a risk of at most R",
           .excludes = "balance"),
    OPTION("balance", TEXT, "LAMBDA", balance, "instead: the least risk - LAMBDA * utility",
           .excludes = "utility"),
    OPTION("risk", CHOICE, "I|II|III", risk,
           "the model of risk: I sensitivity / people it fits, II 1 / people it fits, III "
           "-sensitivity * ln(people it fits) (default: I)",
           .choices = cli_risk_choices),
    OPTION("measure", CHOICE, "depth|leaves|log-leaves|xt|lm", measure,
           "what utility is, over n of m values that a shown one may stand for: levels left, "
           "1/n, ln(m/n), or what the losses (n-1)/m and (n-1)/(m-1) leave (default: log-leaves)",
           .choices = cli_measure_choices),
    OPTION("dictionary", FILE, "FILE", dictionary,
           "what the attacker has: a table with some of the quasi-identifiers (default: the table "
           "itself)"),
    OPTION("ignore", TEXT, "COLUMN,...", ignore,
           "columns of the dictionary to leave aside; any other column that is no "
           "quasi-identifier of the plan is an error, lest something that the attacker knows be "
           "overlooked",
           .needs = "dictionary"),
    OPTION("similarity", TEXT, "TAU", similarity,
           "values of the dictionary fit if they are at least so similar (Jaro, up to 1), such as "
           "0.8 (default: they must be the same)"),
    OPTION("sensitivity", CHOICE, "plan|constant|random", sensitivity,
           "how sensitive values are: as the plan says, 1 for all, or drawn at random (default: "
           "plan)",
           .choices = cli_sensitivity_choices),
    OPTION("seed", COUNT, "N", seed, "the seed of random sensitivities (default: 1)", .min = 0,
           .max = INT64_MAX, .needs = "sensitivity"),
    OPTION("method", CHOICE, "auto|scan|aruba|btda|bnb", method,
           "how to search (default: auto, scan where the lattice allows; see `paravent help "
           "methods`)",
           .choices = cli_record_method_choices),
    OPTION("limit", COUNT, "N", limit,
           "aruba, btda, bnb: look at no more than N nodes of a record's lattice (default: no "
           "limit; auto, in lattices of more than 10^8 nodes: about a minute's worth)",
           .min = 1, .max = UINT64_MAX),
    OPTION("seconds", TEXT, "S", seconds,
           "stop after S seconds with what was found: everyone has levels that keep the bound, "
           "and for how many they are proven the best is said; keeping the demands of -o comes "
           "after that (default: no limit)"),
    OPTION("memory", TEXT, "SIZE", memory, "memory for the search, such as 1G (default: 512M)"),
    OPTION("row", COUNT, "N", row,
           "only decide about row N of the data, from 1, and show what is chosen for it", .min = 1,
           .max = INT64_MAX),
    OPTION("front", FLAG, NULL, front,
           "show what risk is left at which utility, from none to all of it, for the three models "
           "or the one that --risk names"),
    OPTION("steps", COUNT, "N", steps, "steps of the front (default: 10)", .min = 1, .max = 1000,
           .needs = "front"),
    OPTION("html", OUTPUT, "FILE", html,
           "write a page with the curves of the front and all numbers", .needs = "front"),
    OPTION("svg", OUTPUT, "FILE", svg, "write the curves as a picture", .needs = "front"),
    OPTION("assign", OUTPUT, "FILE", assign,
           "write what is chosen (with -o: released) for every row as a table: row, levels, risk, "
           "utility (- is standard output, for all three). It is as private as the data"),
    CLI_WRITING_OPTIONS("release the table as chosen; .gz and .zst compress. The certificate is "
                        "written next to it",
                        "output"),
    CLI_SHUFFLE_SEED_OPTION("shuffle-seed"),
    CLI_DATA_OPTIONS(cli_publish, "file"),
    {.name = NULL},
};

static const cli_example examples[] = {
    {"paravent disclose plan.yaml", "least risk, half of the detail for everyone"},
    {"paravent disclose plan.yaml --utility 70% --risk II -o release.csv --require k=5",
     "more detail, simply one in so many as the risk; released with everyone among five"},
    {"paravent disclose plan.yaml --max-risk 0.05 --dictionary voters.csv",
     "as much detail as somebody with the register of voters may see"},
    {"paravent disclose plan.yaml --front --html front.html", "what every share of detail costs"},
    {"paravent disclose plan.yaml --row 17 --method aruba", "one record, and what it took"},
    {"paravent disclose large.yaml --seconds 60 -o release.csv --require k=5",
     "dozens of attributes: a minute for the choices"},
    {"paravent disclose plan.yaml --assign levels.csv --json", "everything, for programs"},
    {NULL, NULL},
};

const cli_command cli_command_disclose = {
    .name = "disclose",
    .operands = "PLAN",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "record by record: the least risk at a required utility",
    .description = description,
    .options = options,
    .examples = examples,
    .settings_size = sizeof(cli_disclose),
    .run = run_disclose,
};
