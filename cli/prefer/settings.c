/* What can be said about a wish, each number checked before anything takes time. */
#include "prefer/settings.h"

#include "core/fail.h"
#include "core/options.h"
#include "core/text.h"

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

/* ------------------------------------------------------------------ wish */

/* Which sides of the wish somebody spoke of. */
typedef struct {
    bool bias, loss;
} spoken;

/* --necd and --nwp. */
static pv_status parse_short(const char *name, const char *text, double *wish, bool *is_spoken,
                             pv_error *error)
{
    *is_spoken = text != NULL;
    if (text == NULL || cli_wish_parse(text, strlen(text), wish)) {
        return PV_STATUS_OK;
    }
    return cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "--%s needs a number from 0 to 1", name),
                    error, "0 is none at all, 1 is all there can be");
}

static pv_status aspire_to(const cli_pair *pair, cli_wish *wish, spoken *said, pv_error *error)
{
    pv_measure_ref ref;
    CLI_TRY(pv_measure_parse(pair->name, &ref, error));
    const bool bias = ref.measure->family == PV_FAMILY_BIAS;
    bool *const is_said = bias ? &said->bias : &said->loss;
    if (!bias && ref.measure->family != PV_FAMILY_LOSS) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "--aspire: `%s` is neither a " CLI_SPREAD " nor a loss",
                                  pair->name),
                        error, "`paravent prefer --help` names those that are");
    }
    if (*is_said) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "--aspire: with `%s` the wish has more than one %s", pair->name,
                                  bias ? CLI_SPREAD : "loss"),
                        error, "--necd and --nwp are short for --aspire necd=X,nwp=X");
    }
    *is_said = true;
    *(bias ? &wish->bias : &wish->loss) = ref;
    *(bias ? &wish->point.bias : &wish->point.loss) = pair->value;
    return PV_STATUS_OK;
}

static pv_status parse_aspire(const char *text, cli_wish *wish, spoken *said, pv_error *error)
{
    cli_pairs pairs = {0};
    bool good = text == NULL || cli_pairs_read(text, &pairs);
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; i < pairs.n && status == PV_STATUS_OK; i++) {
        good = good && pairs.list[i].value <= CLI_ALL_THERE_IS;
        status = aspire_to(&pairs.list[i], wish, said, error);
    }
    cli_pairs_free(&pairs);
    CLI_TRY(status);
    return good ? PV_STATUS_OK
                : cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                     "--aspire needs a bias, a loss or both, each with a number "
                                     "from 0 to 1"),
                           error, "such as --aspire gini=0.3,cm=0.1");
}

/* Whoever says nothing wants as little loss as possible, whatever the bias. Whoever speaks only of
 * the bias is not to get least loss instead: then the loss may be any. */
static pv_status parse_wishes(const cli_prefer *settings, cli_wish *wish, pv_error *error)
{
    spoken said;
    wish->bias = (pv_measure_ref){.measure = pv_measure_find(CLI_USUAL_BIAS)};
    wish->loss = (pv_measure_ref){.measure = pv_measure_find(CLI_USUAL_LOSS)};
    wish->point.bias = CLI_ALL_THERE_IS;
    CLI_TRY(parse_short("necd", settings->necd, &wish->point.bias, &said.bias, error));
    CLI_TRY(parse_short("nwp", settings->nwp, &wish->point.loss, &said.loss, error));
    CLI_TRY(parse_aspire(settings->aspire, wish, &said, error));
    if (said.bias && !said.loss) {
        wish->point.loss = CLI_ALL_THERE_IS;
    }
    return PV_STATUS_OK;
}

/* SPREAD,LOSS */
static pv_status parse_from(const char *text, pv_aspiration *from, pv_error *error)
{
    const char *const comma = strchr(text, ',');
    if (comma != NULL && cli_wish_parse(text, (size_t)(comma - text), &from->bias) &&
        cli_wish_parse(comma + 1, strlen(comma + 1), &from->loss)) {
        return PV_STATUS_OK;
    }
    return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                              "--from needs a " CLI_SPREAD " and a loss, two numbers from 0 to 1"),
                    error, "such as --from 1.0,0.2");
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

static pv_status parse_weights(const char *text, cli_pairs *weights, pv_error *error)
{
    if (text == NULL || cli_pairs_read(text, weights)) {
        return PV_STATUS_OK;
    }
    return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                              "--weights needs quasi-identifiers with numbers of 0 or more"),
                    error, "such as --weights age=3,sex=0.5");
}

/* ----------------------------------------------------------------- demands */

bool cli_wish_is_k(const pv_constraint *demand)
{
    return cli_equal(demand->ref.measure->name, "k");
}

static void take_demands(cli_wish *wish)
{
    wish->options.demands = wish->demands.list;
    wish->options.n_demands = wish->demands.n;
}

pv_status cli_wish_add_plan(cli_wish *wish, const pv_plan *plan, pv_error *error)
{
    CLI_TRY(cli_demands_add_plan(&wish->demands, plan, plan->require, plan->n_require, error));
    take_demands(wish);
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------------- read */

static pv_status read_options(const cli_prefer *settings, pv_walk_options *options, pv_error *error)
{
    *options =
        (pv_walk_options){.k = settings->k.given ? settings->k.value : DEFAULT_K,
                          .method = settings->method != NULL ? settings->method : DEFAULT_METHOD,
                          .free_groups = settings->free_groups,
                          .evaluations = settings->evaluations.value,
                          .seed = settings->seed.given ? settings->seed.value : DEFAULT_SEED,
                          .population = (size_t)settings->population.value};
    CLI_TRY(check_method(settings, options->method, error));
    CLI_TRY(cli_prove_parse(settings->prove, &options->prove, error));
    CLI_TRY(cli_chance_parse("crossover", settings->crossover, &options->crossover, error));
    CLI_TRY(cli_chance_parse("mutation", settings->mutation, &options->mutation, error));
    return cli_memory_parse(settings->memory, &options->memory, error);
}

/* The weights come last: they are all that has to be freed. */
pv_status cli_wish_read(const cli_prefer *settings, cli_wish *wish, pv_error *error)
{
    *wish = (cli_wish){0};
    CLI_TRY(read_options(settings, &wish->options, error));
    CLI_TRY(parse_wishes(settings, wish, error));
    CLI_TRY(read_steps(settings, &wish->steps, error));
    if (settings->from != NULL) {
        CLI_TRY(parse_from(settings->from, &wish->from, error));
    }
    CLI_TRY(cli_demands_add(&wish->demands, settings->require, error));
    CLI_TRY(parse_weights(settings->weights, &wish->weights, error));
    wish->options.bias = &wish->bias;
    wish->options.loss = &wish->loss;
    take_demands(wish);
    return PV_STATUS_OK;
}

void cli_wish_free(cli_wish *wish)
{
    cli_pairs_free(&wish->weights);
}
