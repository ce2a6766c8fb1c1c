/* `paravent disclose PLAN`: record by record, the least risk at a required utility. */
#include "core/command.h"
#include "core/fail.h"
#include "core/json.h"
#include "core/outputs.h"
#include "disclose/answer.h"
#include "disclose/front.h"
#include "disclose/row.h"

#include <paravent/paravent.h>
#include <stdlib.h>

/* -------------------------------------------------------------------- run */

typedef void (*json_fn)(json_t *, const cli_disclosed *);
typedef void (*print_fn)(const cli_report *, const cli_disclosed *);

static void show(cli_run *run, const cli_disclosed *disclosed, json_fn tell, print_fn print)
{
    if (run->common->json) {
        json_t *const document = cli_json_document("disclose");
        tell(document, disclosed);
        cli_json_print(run, document);
    } else if (cli_run_talks(run) && !cli_is_stream(disclosed->settings->assign)) {
        print(&run->report, disclosed);
    }
}

static pv_status write_assign(cli_run *run, const cli_disclosed *disclosed, pv_error *error)
{
    const cli_disclose *const settings = disclosed->settings;
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
    return disclosed->summary->infeasible == disclosed->summary->rows;
}

/* What the exit status says about choices that have been shown. */
static pv_status judge(const cli_disclosed *disclosed, pv_error *error)
{
    if (disclosed->disclosure->stopped) {
        return cli_error(error, PV_STATUS_CANCELLED,
                         "interrupted; these are the best choices so far, nothing was written");
    }
    if (is_out_of_reach(disclosed)) {
        return cli_hint(cli_error(error, PV_STATUS_UNSATISFIED,
                                  "nothing keeps the bound for anyone; nothing was written"),
                        error,
                        disclosed->settings->max_risk != NULL ? "allow more risk"
                                                              : "ask for less utility");
    }
    return PV_STATUS_OK;
}

/* What is assigned is what is released; both appear together. */
static pv_status write_files(cli_run *run, cli_disclosed *disclosed, pv_error *error)
{
    const bool releases = disclosed->settings->publish.output != NULL;
    if (releases) {
        CLI_TRY(cli_disclosed_enforce(run, disclosed, error));
    }
    CLI_TRY(write_assign(run, disclosed, error));
    return releases ? cli_disclosed_release(run, disclosed, error) : cli_outputs_commit(run, error);
}

/* What is not finished, or good for nobody, is shown but not written. */
static pv_status disclose_all(cli_run *run, cli_disclosed *disclosed, pv_error *error)
{
    CLI_TRY(cli_disclosed_solve(run, disclosed, error));
    if (!disclosed->disclosure->stopped && !is_out_of_reach(disclosed)) {
        CLI_TRY(write_files(run, disclosed, error));
    }
    show(run, disclosed, cli_disclosed_json, cli_disclosed_print);
    return judge(disclosed, error);
}

static pv_status disclose_row(cli_run *run, cli_disclosed *disclosed, pv_error *error)
{
    CLI_TRY(cli_disclosed_solve(run, disclosed, error));
    show(run, disclosed, cli_record_json, cli_record_print);
    return disclosed->disclosure->stopped
               ? cli_error(error, PV_STATUS_CANCELLED, "interrupted; this is the best so far")
               : PV_STATUS_OK;
}

static pv_status run_disclose(cli_run *run, const void *given, pv_error *error)
{
    const cli_disclose *const settings = given;
    cli_query query;
    CLI_TRY(cli_publish_begin(run, &settings->publish, error));
    CLI_TRY(cli_query_read(settings, &query, error));
    cli_disclosed disclosed = {
        .plan = run->operands.list[0], .settings = settings, .query = &query};
    CLI_TRY(cli_disclosed_open(run, &disclosed, error));
    const pv_status status = settings->front       ? cli_risk_front_run(run, &disclosed, error)
                             : settings->row.given ? disclose_row(run, &disclosed, error)
                                                   : disclose_all(run, &disclosed, error);
    cli_disclosed_free(&disclosed);
    return status;
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

static const cli_option options[] = {
    {.name = "utility",
     .kind = CLI_TEXT,
     .argument = "C",
     .offset = offsetof(cli_disclose, utility),
     .excludes = "max-risk",
     .help = "the least risk that leaves everyone at least this share of the utility they have, "
             "0.5 or 50% (default: 0.5)"},
    {.name = "absolute",
     .kind = CLI_FLAG,
     .offset = offsetof(cli_disclose, absolute),
     .needs = "utility",
     .help = "--utility is no share but a number in the units of --measure"},
    {.name = "max-risk",
     .kind = CLI_TEXT,
     .argument = "R",
     .offset = offsetof(cli_disclose, max_risk),
     .excludes = "balance",
     .help = "instead: the most utility with a risk of at most R"},
    {.name = "balance",
     .kind = CLI_TEXT,
     .argument = "LAMBDA",
     .offset = offsetof(cli_disclose, balance),
     .excludes = "utility",
     .help = "instead: the least risk - LAMBDA * utility"},
    {.name = "risk",
     .kind = CLI_CHOICE,
     .argument = "I|II|III",
     .choices = cli_risk_choices,
     .offset = offsetof(cli_disclose, risk),
     .help = "the model of risk: I sensitivity / people it fits, II 1 / people it fits, III "
             "-sensitivity * ln(people it fits) (default: I)"},
    {.name = "measure",
     .kind = CLI_CHOICE,
     .argument = "depth|leaves|log-leaves|xt|lm",
     .choices = cli_measure_choices,
     .offset = offsetof(cli_disclose, measure),
     .help =
         "what utility is, over n of m values that a shown one may stand for: levels left, "
         "1/n, ln(m/n), or what the losses (n-1)/m and (n-1)/(m-1) leave (default: log-leaves)"},
    {.name = "dictionary",
     .kind = CLI_FILE,
     .argument = "FILE",
     .offset = offsetof(cli_disclose, dictionary),
     .help =
         "what the attacker has: a table with some of the quasi-identifiers (default: the table "
         "itself)"},
    {.name = "ignore",
     .kind = CLI_TEXT,
     .argument = "COLUMN,...",
     .offset = offsetof(cli_disclose, ignore),
     .needs = "dictionary",
     .help = "columns of the dictionary to leave aside; any other column that is no "
             "quasi-identifier of the plan is an error, lest something that the attacker knows be "
             "overlooked"},
    {.name = "similarity",
     .kind = CLI_TEXT,
     .argument = "TAU",
     .offset = offsetof(cli_disclose, similarity),
     .help =
         "values of the dictionary fit if they are at least so similar (Jaro, up to 1), such as "
         "0.8 (default: they must be the same)"},
    {.name = "sensitivity",
     .kind = CLI_CHOICE,
     .argument = "plan|constant|random",
     .choices = cli_sensitivity_choices,
     .offset = offsetof(cli_disclose, sensitivity),
     .help = "how sensitive values are: as the plan says, 1 for all, or drawn at random (default: "
             "plan)"},
    {.name = "seed",
     .kind = CLI_COUNT,
     .argument = "N",
     .min = 0,
     .max = INT64_MAX,
     .offset = offsetof(cli_disclose, seed),
     .needs = "sensitivity",
     .help = "the seed of random sensitivities (default: 1)"},
    {.name = "method",
     .kind = CLI_CHOICE,
     .argument = "auto|scan|aruba|btda|bnb",
     .choices = cli_record_method_choices,
     .offset = offsetof(cli_disclose, method),
     .help = "how to search (default: auto, scan where the lattice allows; see `paravent help "
             "methods`)"},
    {.name = "limit",
     .kind = CLI_COUNT,
     .argument = "N",
     .min = 1,
     .max = UINT64_MAX,
     .offset = offsetof(cli_disclose, limit),
     .help = "aruba, btda, bnb: look at no more than N nodes of a record's lattice (default: no "
             "limit; auto, in lattices of more than 10^8 nodes: about a minute's worth)"},
    {.name = "seconds",
     .kind = CLI_TEXT,
     .argument = "S",
     .offset = offsetof(cli_disclose, seconds),
     .help = "stop after S seconds with what was found: everyone has levels that keep the bound, "
             "and for how many they are proven the best is said; keeping the demands of -o comes "
             "after that (default: no limit)"},
    {.name = "memory",
     .kind = CLI_TEXT,
     .argument = "SIZE",
     .offset = offsetof(cli_disclose, memory),
     .help = "memory for the search, such as 1G (default: 512M)"},
    {.name = "row",
     .kind = CLI_COUNT,
     .argument = "N",
     .min = 1,
     .max = INT64_MAX,
     .offset = offsetof(cli_disclose, row),
     .help = "only decide about row N of the data, from 1, and show what is chosen for it"},
    {.name = "front",
     .kind = CLI_FLAG,
     .offset = offsetof(cli_disclose, front),
     .help =
         "show what risk is left at which utility, from none to all of it, for the three models "
         "or the one that --risk names"},
    {.name = "steps",
     .kind = CLI_COUNT,
     .argument = "N",
     .min = 1,
     .max = 1000,
     .offset = offsetof(cli_disclose, steps),
     .needs = "front",
     .help = "steps of the front (default: 10)"},
    {.name = "html",
     .kind = CLI_OUTPUT,
     .argument = "FILE",
     .offset = offsetof(cli_disclose, html),
     .needs = "front",
     .help = "write a page with the curves of the front and all numbers"},
    {.name = "svg",
     .kind = CLI_OUTPUT,
     .argument = "FILE",
     .offset = offsetof(cli_disclose, svg),
     .needs = "front",
     .help = "write the curves as a picture"},
    {.name = "assign",
     .kind = CLI_OUTPUT,
     .argument = "FILE",
     .offset = offsetof(cli_disclose, assign),
     .help =
         "write what is chosen (with -o: released) for every row as a table: row, levels, risk, "
         "utility (- is standard output, for all three). It is as private as the data"},
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
