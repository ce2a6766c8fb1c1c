/* What can be said about a search: names, sizes, shares and chances, each checked before anything
 * takes time. */
#include "front/settings.h"

#include "core/fail.h"
#include "core/measured.h"
#include "core/options.h"
#include "core/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 64
#define DEFAULT_OBJECTIVES "k,glm"

/* ------------------------------------------------------------- objectives */

static const char *nearest_measure(const char *typed)
{
    const char *names[MOST_NAMES];
    size_t n = 0;
    for (; n < pv_n_measures() && n < MOST_NAMES; n++) {
        names[n] = pv_measure_at(n)->name;
    }
    return cli_suggest(typed, names, n);
}

static pv_status parse_objective(const char *text, pv_measure_ref *ref, pv_error *error)
{
    const pv_status status = pv_measure_parse(text, ref, error);
    const char *const near = status != PV_STATUS_OK ? nearest_measure(text) : NULL;
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
        if (objectives[i].measure == ref.measure &&
            fabs(objectives[i].parameter - ref.parameter) <= 0.0) {
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
        char *const longer =
            cli_format("%s%s%s", names, glue, cli_measure_title(objectives[i]).text);
        free(names);
        names = longer;
    }
    return names;
}

/* --------------------------------------------------------------- epsilons */

static pv_status no_objective(const cli_request *request, const char *name, pv_error *error)
{
    char *const names = cli_objective_list(request->objectives, request->options.n_objectives);
    const pv_status status =
        cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                           "--epsilon: `%s` is no objective of this search", name),
                 error, "the objectives are %s", names);
    free(names);
    return status;
}

static pv_status no_epsilon(pv_measure_ref objective, pv_error *error)
{
    return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                              "--epsilon: the side of a box of `%s` must be a number above 0",
                              cli_measure_name(objective).text),
                    error,
                    "such as --epsilon k=5,glm=100, or glm=1%% of its largest possible value");
}

static pv_status no_share(pv_measure_ref objective, pv_error *error)
{
    const cli_number name = cli_measure_name(objective);
    return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                              "--epsilon: `%s` has no largest value to take a share of", name.text),
                    error, "give a number: %s=5", name.text);
}

/* 100, or 1%: the part of the largest possible value. */
static pv_status parse_epsilon_size(const char *text, pv_measure_ref objective,
                                    const pv_profile *profile, double *size, pv_error *error)
{
    const size_t length = strlen(text);
    const bool percent = length > 0 && text[length - 1] == '%';
    double number = 0.0;
    if (!cli_number_parse(text, length - percent, &number) || !(number > 0.0)) {
        return no_epsilon(objective, error);
    }
    *size = number;
    if (percent && profile != NULL) {
        *size = number / 100.0 / pv_measure_share(objective.measure, profile, 1);
        return isfinite(*size) ? PV_STATUS_OK : no_share(objective, error);
    }
    return PV_STATUS_OK;
}

/* NAME=SIZE */
static pv_status parse_epsilon(char *entry, const pv_profile *profile, cli_request *request,
                               pv_error *error)
{
    pv_measure_ref ref;
    char *const equals = strrchr(entry, '=');
    const char *const size = equals != NULL ? equals + 1 : "";
    if (equals != NULL) {
        *equals = '\0';
    }
    const size_t objective =
        pv_measure_parse(entry, &ref, error) == PV_STATUS_OK
            ? cli_objective_find(request->objectives, request->options.n_objectives, ref)
            : SIZE_MAX;
    if (objective == SIZE_MAX) {
        return no_objective(request, entry, error);
    }
    double *const epsilon = &request->options.epsilons[objective];
    if (*epsilon > 0.0) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--epsilon: `%s` is given twice", entry);
    }
    return parse_epsilon_size(size, request->objectives[objective], profile, epsilon, error);
}

static pv_status parse_epsilons(const char *text, const pv_profile *profile, cli_request *request,
                                pv_error *error)
{
    size_t parts = 0;
    pv_status status = PV_STATUS_OK;
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    char **const list = cli_list_split(text, ',', &parts);
    for (size_t i = 0; i < parts && status == PV_STATUS_OK; i++) {
        status = parse_epsilon(list[i], profile, request, error);
    }
    cli_list_free(list);
    return status;
}

/* ---------------------------------------------------------------- methods */

static pv_status unknown_method(const char *name, pv_error *error)
{
    char *list = cli_copy("auto");
    for (size_t i = 0; i < pv_methods(); i++) {
        char *const longer = cli_format("%s, %s", list, pv_method_at(i)->name);
        free(list);
        list = longer;
    }
    const pv_status status =
        cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "there is no method `%s`", name), error,
                 "the methods are %s", list);
    free(list);
    return status;
}

/* "pbg-ea or pbg-hybrid". Owned. */
static char *evolving_methods(void)
{
    char *names = cli_copy("");
    for (size_t i = 0; i < pv_methods(); i++) {
        if (pv_method_at(i)->evolves) {
            char *const longer =
                cli_format("%s%s%s", names, names[0] != '\0' ? " or " : "", pv_method_at(i)->name);
            free(names);
            names = longer;
        }
    }
    return names;
}

static pv_status needs_evolution(const char *option, pv_error *error)
{
    char *const names = evolving_methods();
    const pv_status status =
        cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "--%s means nothing without --method %s",
                           option, names),
                 error, "add --method pbg-hybrid");
    free(names);
    return status;
}

static pv_status check_evolution(const cli_search *settings, pv_error *error)
{
    const struct {
        const char *name;
        bool given;
        bool any; /* `auto` takes it: an evolutionary method may be what it chooses */
    } options[] = {
        {"seed", settings->seed.given, true},
        {"population", settings->population.given, false},
        {"iterations", settings->iterations.given, false},
        {"crossover", settings->crossover != NULL, false},
        {"mutation", settings->mutation != NULL, false},
        {"patience", settings->patience.given, false},
        {"start", settings->start != NULL, false},
    };
    const pv_method *const method =
        settings->method != NULL ? pv_method_find(settings->method) : NULL;
    const bool evolves = method != NULL && method->evolves;
    const bool is_auto = settings->method == NULL || cli_equal(settings->method, "auto");
    for (size_t i = 0; i < sizeof options / sizeof *options && !evolves; i++) {
        if (options[i].given && !(is_auto && options[i].any)) {
            return needs_evolution(options[i].name, error);
        }
    }
    return PV_STATUS_OK;
}

static pv_status check_method(const cli_search *settings, pv_error *error)
{
    const char *const method = settings->method;
    if (method != NULL && !cli_equal(method, "auto") && pv_method_find(method) == NULL) {
        return unknown_method(method, error);
    }
    if (settings->depth.given && (method == NULL || !cli_equal(method, "poka"))) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--depth means nothing without --method poka");
    }
    return check_evolution(settings, error);
}

/* ------------------------------------------------------------------ whole */

/* Patience without end is 0 here, as people say it, and the largest number there. */
static void take_counts(const cli_search *settings, pv_search_options *options)
{
    options->method = settings->method;
    options->max_evaluations = settings->evaluations.value;
    options->depth = (unsigned)settings->depth.value;
    options->seed = settings->seed.value;
    options->archive = (size_t)settings->archive.value;
    options->population = (size_t)settings->population.value;
    options->iterations = settings->iterations.value;
    options->patience = settings->patience.given && settings->patience.value == 0
                            ? UINT64_MAX
                            : settings->patience.value;
}

pv_status cli_request_read(const cli_search *settings, const pv_profile *profile,
                           cli_request *request, pv_error *error)
{
    *request = (cli_request){0};
    pv_search_options *const options = &request->options;
    CLI_TRY(check_method(settings, error));
    CLI_TRY(parse_objectives(
        settings->objectives != NULL ? settings->objectives : DEFAULT_OBJECTIVES, request, error));
    CLI_TRY(parse_epsilons(settings->epsilon, profile, request, error));
    take_counts(settings, options);
    CLI_TRY(cli_chance_parse("crossover", settings->crossover, &options->crossover, error));
    CLI_TRY(cli_chance_parse("mutation", settings->mutation, &options->mutation, error));
    CLI_TRY(cli_memory_parse(settings->memory, &options->memory, error));
    return cli_seconds_parse(settings->seconds, &options->max_seconds, error);
}
