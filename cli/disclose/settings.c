/* What can be asked of `disclose`: every number and every combination is checked before anything
 * takes time. */
#include "disclose/disclose.h"

#include "core/fail.h"
#include "core/options.h"
#include "core/outputs.h"
#include "core/text.h"

#include <paravent/decimal.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_UTILITY 0.5
#define DEFAULT_SEED 1
#define DEFAULT_STEPS 10

const char *const cli_measure_choices[] = {"depth", "leaves", "log-leaves", "xt", "lm", NULL};
const char *const cli_risk_choices[] = {"I", "II", "III", NULL};
const char *const cli_record_method_choices[] = {"auto", "scan", "aruba", "btda", "bnb", NULL};
const char *const cli_sensitivity_choices[] = {[PV_SENSITIVITY_PLAN] = "plan",
                                               [PV_SENSITIVITY_CONSTANT] = "constant",
                                               [PV_SENSITIVITY_RANDOM] = "random",
                                               NULL};

const char *cli_sensitivity_name(pv_sensitivity_source source)
{
    return cli_sensitivity_choices[source];
}

static pv_sensitivity_source find_source(const char *name)
{
    size_t i = 0;
    while (!cli_equal(cli_sensitivity_choices[i], name)) {
        i++; /* the parser of options let no other name pass */
    }
    return (pv_sensitivity_source)i;
}

/* ---------------------------------------------------------------- numbers */

/* "0.5" or "50%". */
static bool parse_share(const char *text, double *share)
{
    const size_t length = strlen(text);
    const bool percent = cli_ends_with(text, "%");
    double number = 0.0;
    if (!cli_number_parse(text, percent ? length - 1 : length, &number)) {
        return false;
    }
    *share = percent ? number / 100.0 : number;
    return *share <= 1.0;
}

static pv_status read_utility(const cli_disclose *settings, cli_query *query, pv_error *error)
{
    pv_disclose_options *const options = &query->options;
    options->aim = PV_AIM_LEAST_RISK;
    options->is_share = !settings->absolute;
    options->bound = DEFAULT_UTILITY;
    if (settings->utility == NULL) {
        return PV_STATUS_OK;
    }
    if (settings->absolute) {
        return cli_number_parse(settings->utility, strlen(settings->utility), &options->bound)
                   ? PV_STATUS_OK
                   : cli_error(error, PV_STATUS_ARGUMENT,
                               "--utility needs a number that is not negative; with --absolute it "
                               "is in the units of --measure");
    }
    return parse_share(settings->utility, &options->bound)
               ? PV_STATUS_OK
               : cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                    "--utility needs a share from 0 to 1, or from 0%% to 100%%"),
                          error,
                          "0.5 and 50%% leave everyone half of their detail; for numbers in the "
                          "units of --measure add --absolute");
}

/* Only the risk of model III can be below 0. */
static pv_status read_max_risk(const cli_disclose *settings, cli_query *query, pv_error *error)
{
    const bool below = query->options.risk == PV_RISK_III;
    pv_decimal decimal;
    query->options.aim = PV_AIM_MOST_UTILITY;
    if (!pv_decimal_parse(settings->max_risk, strlen(settings->max_risk), &decimal) ||
        (decimal.mantissa < 0 && !below)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--max-risk needs a number%s",
                         below ? "" : " that is not negative");
    }
    query->options.bound = pv_decimal_double(decimal);
    return PV_STATUS_OK;
}

static pv_status read_balance(const cli_disclose *settings, cli_query *query, pv_error *error)
{
    query->options.aim = PV_AIM_BALANCE;
    return cli_number_parse(settings->balance, strlen(settings->balance), &query->options.bound)
               ? PV_STATUS_OK
               : cli_error(error, PV_STATUS_ARGUMENT,
                           "--balance needs a number that is not negative: how much risk a unit "
                           "of utility is worth");
}

static pv_status read_aim(const cli_disclose *settings, cli_query *query, pv_error *error)
{
    return settings->max_risk != NULL  ? read_max_risk(settings, query, error)
           : settings->balance != NULL ? read_balance(settings, query, error)
                                       : read_utility(settings, query, error);
}

static pv_status read_similarity(const cli_disclose *settings, cli_query *query, pv_error *error)
{
    const char *const text = settings->similarity;
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    if (!cli_number_parse(text, strlen(text), &query->similarity) || query->similarity <= 0.0 ||
        query->similarity > 1.0) {
        return cli_hint(
            cli_error(error, PV_STATUS_ARGUMENT, "--similarity needs a number above 0 and up to 1"),
            error, "such as --similarity 0.8; 1 means that the texts are the same");
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- company */

typedef struct {
    const char *name;
    bool given;
} option_given;

static pv_status refuse_beside(const char *option, const option_given *others, size_t n,
                               pv_error *error)
{
    for (size_t i = 0; i < n; i++) {
        if (others[i].given) {
            return cli_error(error, PV_STATUS_ARGUMENT, "--%s and --%s contradict each other",
                             option, others[i].name);
        }
    }
    return PV_STATUS_OK;
}

/* One record, or all of them at many utilities, is no table to write. */
static pv_status check_kind(const cli_disclose *settings, pv_error *error)
{
    const option_given others[] = {{"output", settings->publish.output != NULL},
                                   {"assign", settings->assign != NULL},
                                   {"row", settings->front && settings->row.given},
                                   {"utility", settings->front && settings->utility != NULL},
                                   {"max-risk", settings->front && settings->max_risk != NULL},
                                   {"balance", settings->front && settings->balance != NULL}};
    const size_t n = sizeof others / sizeof *others;
    if (settings->front) {
        return refuse_beside("front", others, n, error);
    }
    return settings->row.given ? refuse_beside("row", others, n, error) : PV_STATUS_OK;
}

/* The scan looks at every node once, for all records: there is nothing to limit. */
static pv_status check_limit(const cli_disclose *settings, pv_error *error)
{
    const char *const method = settings->method != NULL ? settings->method : "auto";
    const bool scans =
        cli_equal(method, "scan") || (cli_equal(method, "auto") && !settings->row.given);
    return settings->limit.given && scans
               ? cli_error(error, PV_STATUS_ARGUMENT,
                           "--limit means nothing without --row, or --method aruba, btda or bnb")
               : PV_STATUS_OK;
}

static pv_status check_seed(const cli_disclose *settings, const cli_query *query, pv_error *error)
{
    return settings->seed.given && query->source != PV_SENSITIVITY_RANDOM
               ? cli_error(error, PV_STATUS_ARGUMENT,
                           "--seed means nothing without --sensitivity random")
               : PV_STATUS_OK;
}

static pv_status check_sensitivity(const cli_disclose *settings, const cli_query *query,
                                   pv_error *error)
{
    return settings->sensitivity != NULL && settings->risk != NULL &&
                   query->options.risk == PV_RISK_II
               ? cli_error(error, PV_STATUS_ARGUMENT,
                           "--sensitivity means nothing with --risk II, which counts people only")
               : PV_STATUS_OK;
}

/* Standard output holds one thing: the report, the JSON document, or one of the files. */
static pv_status check_outputs(const cli_disclose *settings, pv_error *error)
{
    const unsigned n = cli_is_stream(settings->assign) + cli_is_stream(settings->svg) +
                       cli_is_stream(settings->html) + settings->publish.common.json +
                       cli_is_stream(settings->publish.output);
    return n <= 1 ? PV_STATUS_OK
                  : cli_error(error, PV_STATUS_ARGUMENT,
                              "standard output can hold only one of --json and the files named -");
}

static pv_status read_query(const cli_disclose *settings, cli_query *query, pv_error *error)
{
    *query = (cli_query){
        .given = settings,
        .options = {.utility = PV_UTILITY_LOG_LEAVES,
                    .risk = PV_RISK_I,
                    .method = settings->method,
                    .max_visited = settings->limit.value},
        .seed = settings->seed.given ? settings->seed.value : DEFAULT_SEED,
        .steps = settings->steps.given ? (size_t)settings->steps.value : DEFAULT_STEPS,
    };
    if (settings->sensitivity != NULL) {
        query->source = find_source(settings->sensitivity);
    }
    if (settings->measure != NULL) {
        (void)pv_utility_parse(settings->measure, &query->options.utility);
    }
    if (settings->risk != NULL) {
        (void)pv_risk_parse(settings->risk, &query->options.risk);
    }
    if (settings->ignore != NULL) {
        query->ignore = cli_list_split(settings->ignore, ',', &query->n_ignore);
    }
    CLI_TRY(check_kind(settings, error));
    CLI_TRY(check_limit(settings, error));
    CLI_TRY(check_seed(settings, query, error));
    CLI_TRY(check_sensitivity(settings, query, error));
    CLI_TRY(read_aim(settings, query, error));
    CLI_TRY(read_similarity(settings, query, error));
    CLI_TRY(cli_seconds_parse(settings->seconds, &query->options.max_seconds, error));
    CLI_TRY(cli_memory_parse(settings->memory, &query->options.memory, error));
    return check_outputs(settings, error);
}

pv_status cli_query_read(const cli_disclose *given, cli_query *query, pv_error *error)
{
    const pv_status status = read_query(given, query, error);
    if (status != PV_STATUS_OK) {
        cli_query_free(query);
    }
    return status;
}

void cli_query_free(cli_query *query)
{
    cli_list_free(query->ignore);
    *query = (cli_query){0};
}

/* ------------------------------------------------------------------ again */

static char *with(char *line, const char *name, const char *value)
{
    if (value == NULL) {
        return line;
    }
    char *const longer = cli_format("%s --%s %s", line, name, value);
    free(line);
    return longer;
}

char *cli_disclose_again(const cli_disclose *settings, bool of_front)
{
    const struct {
        const char *name, *value;
        bool is_aim;
    } texts[] = {
        {"utility", settings->utility, true},          {"max-risk", settings->max_risk, true},
        {"balance", settings->balance, true},          {"risk", settings->risk, false},
        {"measure", settings->measure, false},         {"dictionary", settings->dictionary, false},
        {"ignore", settings->ignore, false},           {"similarity", settings->similarity, false},
        {"sensitivity", settings->sensitivity, false}, {"method", settings->method, false},
        {"data", settings->publish.data, false}};
    char *line = cli_copy("");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        line = of_front && texts[i].is_aim ? line : with(line, texts[i].name, texts[i].value);
    }
    if (settings->absolute && !of_front) {
        char *const longer = cli_format("%s --absolute", line);
        free(line);
        line = longer;
    }
    return line;
}
