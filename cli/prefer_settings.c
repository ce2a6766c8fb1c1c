/* What can be said about a wish, each number checked before anything takes time. */
#include "prefer_settings.h"

#include "fail.h"
#include "quantities.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_K 2
#define DEFAULT_SEED 1
#define DEFAULT_STEPS 10
#define DEFAULT_METHOD "memetic"

/* ---------------------------------------------------------------- numbers */

bool cli_wish_parse(const char *text, size_t length, double *wish)
{
    double number = 0.0;
    const bool good = cli_number_parse(text, length, &number) && number <= CLI_ALL_THERE_IS;
    *wish = good ? number : *wish;
    return good;
}

static pv_status parse_wish(const char *name, const char *text, double *wish, pv_error *error)
{
    if (text == NULL || cli_wish_parse(text, strlen(text), wish)) {
        return PV_STATUS_OK;
    }
    return cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "--%s needs a number from 0 to 1", name),
                    error, "0 is none at all, 1 is all there can be");
}

/* Whoever says nothing wants as little loss as possible, whatever the bias. Whoever speaks only of
 * the bias is not to get least loss instead: then the loss may be any. */
static pv_status parse_wishes(const cli_prefer *settings, pv_aspiration *point, pv_error *error)
{
    const bool only_bias = settings->necd != NULL && settings->nwp == NULL;
    *point = (pv_aspiration){.bias = CLI_ALL_THERE_IS, .loss = only_bias ? CLI_ALL_THERE_IS : 0.0};
    CLI_TRY(parse_wish("necd", settings->necd, &point->bias, error));
    return parse_wish("nwp", settings->nwp, &point->loss, error);
}

/* NECD,NWP */
static pv_status parse_from(const char *text, pv_aspiration *from, pv_error *error)
{
    const char *const comma = strchr(text, ',');
    if (comma != NULL && cli_wish_parse(text, (size_t)(comma - text), &from->bias) &&
        cli_wish_parse(comma + 1, strlen(comma + 1), &from->loss)) {
        return PV_STATUS_OK;
    }
    return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                              "--from needs a bias and a loss, two numbers from 0 to 1"),
                    error, "such as --from 1.0,0.2");
}

/* The library takes 0 for "not given" and negative seconds for "never". */
static pv_status parse_prove(const char *text, double *seconds, pv_error *error)
{
    double number = 0.0;
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    if (!cli_number_parse(text, strlen(text), &number)) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "--prove needs a number of seconds, 0 for no proof");
    }
    *seconds = number > 0.0 ? number : -1.0;
    return PV_STATUS_OK;
}

static pv_status check_method(const cli_prefer *settings, const char *method, pv_error *error)
{
    return settings->mutation == NULL || cli_equal(method, "nsga2")
               ? PV_STATUS_OK
               : cli_error(error, PV_STATUS_ARGUMENT,
                           "--mutation means nothing without --method nsga2");
}

static pv_status read_steps(const cli_prefer *settings, size_t *steps, pv_error *error)
{
    const bool walks = settings->from != NULL || settings->interactive;
    if (settings->steps.given && !walks) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "--steps means nothing without --from or --interactive");
    }
    *steps = !walks ? 0 : settings->steps.given ? (size_t)settings->steps.value : DEFAULT_STEPS;
    return PV_STATUS_OK;
}

pv_status cli_wish_read(const cli_prefer *settings, cli_wish *wish, pv_error *error)
{
    *wish = (cli_wish){
        .options = {.k = settings->k.given ? settings->k.value : DEFAULT_K,
                    .method = settings->method != NULL ? settings->method : DEFAULT_METHOD,
                    .respect_taxonomy = settings->respect_taxonomy,
                    .evaluations = settings->evaluations.value,
                    .seed = settings->seed.given ? settings->seed.value : DEFAULT_SEED,
                    .population = (size_t)settings->population.value}};
    pv_walk_options *const options = &wish->options;
    CLI_TRY(check_method(settings, options->method, error));
    CLI_TRY(parse_wishes(settings, &wish->point, error));
    CLI_TRY(read_steps(settings, &wish->steps, error));
    if (settings->from != NULL) {
        CLI_TRY(parse_from(settings->from, &wish->from, error));
    }
    CLI_TRY(parse_prove(settings->prove, &options->prove, error));
    CLI_TRY(cli_chance_parse("crossover", settings->crossover, &options->crossover, error));
    CLI_TRY(cli_chance_parse("mutation", settings->mutation, &options->mutation, error));
    return cli_memory_parse(settings->memory, &options->memory, error);
}

/* ------------------------------------------------------------------ again */

static char *with_text(char *line, const char *name, const char *value)
{
    if (value == NULL) {
        return line;
    }
    char *const longer = cli_format("%s --%s %s", line, name, value);
    free(line);
    return longer;
}

static char *with_count(char *line, const char *name, cli_count count)
{
    char number[24];
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)count.value);
    return with_text(line, name, count.given ? number : NULL);
}

char *cli_wish_again(const cli_prefer *settings)
{
    const struct {
        const char *name, *value;
    } texts[] = {{"necd", settings->necd},           {"nwp", settings->nwp},
                 {"from", settings->from},           {"method", settings->method},
                 {"prove", settings->prove},         {"memory", settings->memory},
                 {"crossover", settings->crossover}, {"mutation", settings->mutation},
                 {"session", settings->session},     {"data", settings->data}};
    const struct {
        const char *name;
        cli_count count;
    } counts[] = {{"steps", settings->steps},
                  {"evaluations", settings->evaluations},
                  {"seed", settings->seed},
                  {"population", settings->population},
                  {"choose", settings->choose}};
    char *line = with_count(cli_copy(""), "k", settings->k);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        line = with_text(line, texts[i].name, texts[i].value);
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        line = with_count(line, counts[i].name, counts[i].count);
    }
    if (settings->respect_taxonomy) {
        char *const longer = cli_format("%s --respect-taxonomy", line);
        free(line);
        line = longer;
    }
    return line;
}
