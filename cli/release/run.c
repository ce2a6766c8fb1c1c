/* `paravent release PLAN`: write the levels or cuts that were given, or levels picked from the
 * front, verified. */
#include "core/command.h"
#include "core/fail.h"
#include "core/publish.h"

#include <paravent/paravent.h>

static pv_status run_release(cli_run *run, const void *given, pv_error *error)
{
    const cli_publish *const settings = given;
    cli_published published;
    CLI_TRY(
        cli_publish_write(run, settings, run->operands.list[0], settings->data, &published, error));
    cli_published_show(run, "release", &published);
    cli_published_free(&published);
    return PV_STATUS_OK;
}

static const char *const description[] = {
    "Generalizes every quasi-identifier of PLAN to a level of its hierarchy or to the groups of a "
    "cuts file, suppresses the "
    "smallest classes within the budget, drops identifiers, and writes, besides the table, the "
    "scheme (for `paravent apply`), the certificate as JSON and as a page for people, and the "
    "codebook as CSV and as text: what each released label stands for.",
    "The table is written beside its target, read back from disk by the independent checker, and "
    "renamed into place only if it is what was promised and everything demanded holds. Otherwise "
    "no file is left behind.",
    NULL,
};

static const cli_option options[] = {
    {.name = "levels",
     .letter = 'l',
     .kind = CLI_LIST,
     .argument = "LEVELS",
     .offset = offsetof(cli_publish, levels),
     .excludes = "pick",
     .help = "one level per quasi-identifier in the order of the plan (5,2,2,0), or by name "
             "(age=5,zip=2; others stay as the plan says, or raw); `top` is the last level"},
    {.name = "pick",
     .kind = CLI_TEXT,
     .argument = "POINT",
     .offset = offsetof(cli_publish, pick),
     .excludes = "cuts",
     .help = "search the front (see `paravent front`) and take the levels of one of its points: "
             "knee, k=5 (the one that loses least with k at least 5), 'glm<=0.3' (the most private "
             "one that loses at most 30%)"},
    {.name = "cuts",
     .kind = CLI_FILE,
     .argument = "FILE",
     .offset = offsetof(cli_publish, cuts),
     .excludes = "levels",
     .help = "release the groups of a cuts file instead of levels: numbers divided by `breaks`, "
             "categories in `groups` (the manual of plans shows one)"},
    {.name = "objectives",
     .kind = CLI_LIST,
     .argument = "LIST",
     .offset = offsetof(cli_publish, objectives),
     .needs = "pick",
     .help = "the objectives of that front (default: k,glm)"},
    {.name = "seconds",
     .kind = CLI_TEXT,
     .argument = "S",
     .offset = offsetof(cli_publish, seconds),
     .needs = "pick",
     .help = "stop searching the front after S seconds and pick from what was found (default: no "
             "limit)"},
    CLI_PUBLISH_OPTIONS,
    CLI_DATA_OPTIONS(cli_publish, "file"),
    {.name = NULL},
};

static const cli_example examples[] = {
    {"paravent release plan.yaml --pick k=5", "the least loss with k at least 5"},
    {"paravent release large.yaml --pick k=5 --seconds 60",
     "from what a minute of searching finds, where there are too many schemes to prove anything"},
    {"paravent release plan.yaml --levels 2,1,0,3", "levels in the order of the plan"},
    {"paravent release plan.yaml --levels age=2,zip=top --require k=5,l-distinct=3 -o out.csv",
     "by name, and only if the release is 5-anonymous and 3-diverse"},
    {"paravent release plan.yaml --pick k=5 -o a.csv --row-map a.map",
     "and which row is whose, to compare it with other releases"},
    {"paravent release plan.yaml --cuts cuts.json --suppression 0",
     "groups that follow no level of a hierarchy"},
    {"paravent release plan.yaml --levels 2,1,0,3 --k 10 --suppression 2% --shuffle",
     "k is exactly demanded to be 10 at the cost of up to 2% of the rows, in random order"},
    {NULL, NULL},
};

const cli_command cli_command_release = {
    .name = "release",
    .operands = "PLAN",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "write the table at chosen levels or cuts, verified, with a certificate",
    .description = description,
    .options = options,
    .examples = examples,
    .settings_size = sizeof(cli_publish),
    .run = run_release,
};
