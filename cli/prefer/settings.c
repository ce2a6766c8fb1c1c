/* What can be said about a wish, each number checked before anything takes time. */
#include "core/fail.h"
#include "core/options.h"
#include "core/text.h"
#include "prefer/prefer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_K 2
#define DEFAULT_SEED 1
#define DEFAULT_STEPS 10
#define BLANKS " \t"
#define MOST_DIGITS 9         /* of the number of a solution */
#define MOST_COMPARED 1000000 /* the largest such number that --compare takes */

/* ------------------------------------------------------------------ pairs */

/* Ends the name with a NUL and leaves `text` behind the equals sign. */
static bool take_name(char **text, const char **name)
{
    char *const start = *text + strspn(*text, BLANKS);
    char *const equals = strchr(start, '=');
    char *end = equals;
    if (equals == NULL) {
        return false;
    }
    *text = equals + 1;
    while (end > start && strchr(BLANKS, end[-1]) != NULL) {
        end--;
    }
    *end = '\0';
    *name = start;
    return end > start && strchr(start, ',') == NULL;
}

/* Leaves `text` at the next name; after a comma there must be one. */
static bool take_number(char **text, double *number)
{
    char *const start = *text + strspn(*text, BLANKS);
    const size_t length = strcspn(start, BLANKS ",");
    char *const next = start + length + strspn(start + length, BLANKS);
    const bool comma = *next == ',';
    *text = comma ? next + 1 : next;
    *text += strspn(*text, BLANKS);
    return cli_number_parse(start, length, number) && !(comma && **text == '\0');
}

bool cli_pairs_read(const char *text, cli_pairs *pairs)
{
    cli_pairs read = {.text = cli_copy(text)};
    char *next = read.text;
    bool good = true;
    read.list = cli_zeroed(strlen(text) + 1, sizeof *read.list); /* more than enough */
    while (good && (read.n == 0 || *next != '\0')) {
        cli_pair *const pair = &read.list[read.n];
        good = take_name(&next, &pair->name) && take_number(&next, &pair->value);
        read.n++;
    }
    if (good) {
        *pairs = read;
    } else {
        cli_pairs_free(&read);
    }
    return good;
}

void cli_pairs_free(cli_pairs *pairs)
{
    free(pairs->list);
    free(pairs->text);
    *pairs = (cli_pairs){0};
}

bool cli_solution_parse(const char *text, size_t *solution)
{
    const size_t length = strlen(text);
    if (cli_equal(text, "best")) {
        *solution = 0;
        return true;
    }
    if (length == 0 || length > MOST_DIGITS || strspn(text, "0123456789") != length) {
        return false;
    }
    *solution = strtoul(text, NULL, 10);
    return true;
}

/* ------------------------------------------------------------------ wish */

/* Which sides of the wish somebody spoke of. */
typedef struct {
    bool bias, loss;
} spoken;

/* A wish for bias or loss, from 0 to 1; false if it is none. */
static bool parse_wish(const char *text, size_t length, double *wish)
{
    double number = 0.0;
    const bool good = cli_number_parse(text, length, &number) && number <= CLI_ALL_THERE_IS;
    *wish = good ? number : *wish;
    return good;
}

/* --necd and --nwp. */
static pv_status parse_short(const char *name, const char *text, double *wish, bool *is_spoken,
                             pv_error *error)
{
    *is_spoken = text != NULL;
    if (text == NULL || parse_wish(text, strlen(text), wish)) {
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
static pv_status parse_wishes(cli_wish *wish, pv_error *error)
{
    spoken said;
    wish->bias = (pv_measure_ref){.measure = pv_measure_find(CLI_USUAL_BIAS)};
    wish->loss = (pv_measure_ref){.measure = pv_measure_find(CLI_USUAL_LOSS)};
    wish->point.bias = CLI_ALL_THERE_IS;
    CLI_TRY(parse_short("necd", wish->given.necd, &wish->point.bias, &said.bias, error));
    CLI_TRY(parse_short("nwp", wish->given.nwp, &wish->point.loss, &said.loss, error));
    CLI_TRY(parse_aspire(wish->given.aspire, wish, &said, error));
    if (said.bias && !said.loss) {
        wish->point.loss = CLI_ALL_THERE_IS;
    }
    return PV_STATUS_OK;
}

/* SPREAD,LOSS, and in how many steps. */
static pv_status parse_direction(cli_wish *wish, pv_error *error)
{
    const cli_prefer *const given = &wish->given;
    const bool has_steps = given->from != NULL || given->interactive;
    if (given->steps.given && !has_steps) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "--steps means nothing without --from or --interactive");
    }
    wish->steps = !has_steps ? 0 : given->steps.given ? (size_t)given->steps.value : DEFAULT_STEPS;
    const char *const comma = given->from != NULL ? strchr(given->from, ',') : NULL;
    if (given->from == NULL ||
        (comma != NULL &&
         parse_wish(given->from, (size_t)(comma - given->from), &wish->from.bias) &&
         parse_wish(comma + 1, strlen(comma + 1), &wish->from.loss))) {
        return PV_STATUS_OK;
    }
    return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                              "--from needs a " CLI_SPREAD " and a loss, two numbers from 0 to 1"),
                    error, "such as --from 1.0,0.2");
}

/* Whether they are there is known after the search. */
static pv_status parse_compare(cli_wish *wish, pv_error *error)
{
    size_t n = 0;
    char **const parts =
        wish->given.compare != NULL ? cli_list_split(wish->given.compare, ',', &n) : NULL;
    bool good = parts == NULL || n == 2;
    for (size_t i = 0; parts != NULL && good && i < 2; i++) {
        size_t *const number = &wish->compare[i];
        good = cli_equal(parts[i], "best") ||
               (cli_solution_parse(parts[i], number) && *number > 0 && *number <= MOST_COMPARED);
    }
    if (parts != NULL) {
        cli_list_free(parts);
    }
    return good ? PV_STATUS_OK
                : cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "--compare needs two solutions"),
                           error,
                           "write --compare best,2 or --compare 1,3: the best one, or alternatives "
                           "(with --from, steps) by their numbers");
}

/* ---------------------------------------------------------------- options */

bool cli_wish_is_k(const pv_constraint *demand)
{
    return demand->ref.measure->rule == PV_RULE_SIZE;
}

pv_status cli_wish_add_plan(cli_wish *wish, const pv_plan *plan, pv_error *error)
{
    pv_constraint planned[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    CLI_TRY(pv_plan_demands(plan, planned, &n, error));
    for (size_t i = 0; i < n; i++) {
        CLI_TRY(pv_constraints_add(wish->demands.list, &wish->demands.n, &planned[i], error));
    }
    return PV_STATUS_OK;
}

pv_preference_options cli_wish_options(const cli_wish *wish)
{
    pv_preference_options options = wish->options;
    options.demands = wish->demands.list;
    options.n_demands = wish->demands.n;
    options.bias = &wish->bias;
    options.loss = &wish->loss;
    return options;
}

static pv_status parse_options(cli_wish *wish, pv_error *error)
{
    const cli_prefer *const given = &wish->given;
    pv_preference_options *const options = &wish->options;
    *options = (pv_preference_options){.size = sizeof *options,
                                       .k = given->k.given ? given->k.value : DEFAULT_K,
                                       .method = given->method != NULL ? given->method
                                                                       : pv_cut_method_at(0)->name,
                                       .free_groups = given->free_groups,
                                       .evaluations = given->evaluations.value,
                                       .seed = given->seed.given ? given->seed.value : DEFAULT_SEED,
                                       .population = (size_t)given->population.value};
    if (given->mutation != NULL && !(pv_cut_method_find(options->method)->mutation > 0.0)) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "--mutation means nothing without --method nsga2");
    }
    CLI_TRY(cli_prove_parse(given->prove, &options->prove, error));
    CLI_TRY(cli_chance_parse("crossover", given->crossover, &options->crossover, error));
    CLI_TRY(cli_chance_parse("mutation", given->mutation, &options->mutation, error));
    return cli_memory_parse(given->memory, &options->memory, error);
}

pv_status cli_wish_read(const cli_prefer *given, cli_wish *wish, pv_error *error)
{
    *wish = (cli_wish){.given = *given};
    CLI_TRY(parse_options(wish, error));
    CLI_TRY(parse_wishes(wish, error));
    CLI_TRY(parse_direction(wish, error));
    CLI_TRY(cli_demands_add(&wish->demands, given->require, error));
    if (given->weights != NULL && !cli_pairs_read(given->weights, &wish->weights)) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "--weights needs quasi-identifiers with numbers of 0 or more"),
                        error, "such as --weights age=3,sex=0.5");
    }
    const pv_status status = parse_compare(wish, error);
    if (status != PV_STATUS_OK) {
        cli_wish_free(wish);
    }
    return status;
}

void cli_wish_free(cli_wish *wish)
{
    cli_pairs_free(&wish->weights);
}

/* ---------------------------------------------------------------- weights */

/* The preference has the weights, and its session keeps them; the plan has those it began with. */

bool cli_weights_exist(const cli_preferred *preferred)
{
    return preferred->wish->loss.measure->weighted;
}

static bool is_changed(const cli_preferred *preferred, size_t quasi)
{
    const double planned =
        pv_attribute_weight(pv_study_quasi_attribute(preferred->opened->study, quasi));
    return fabs(pv_preference_weight(preferred->preference, quasi) - planned) > 0.0;
}

bool cli_weights_changed(const cli_preferred *preferred)
{
    bool changed = false;
    for (size_t q = 0; q < pv_study_quasis(preferred->opened->study); q++) {
        changed = changed || is_changed(preferred, q);
    }
    return changed;
}

static pv_status check_name(const pv_study *study, const char *name, pv_error *error)
{
    const size_t n = pv_study_quasis(study);
    const char **const names = cli_zeroed(n, sizeof *names);
    bool found = false;
    for (size_t q = 0; q < n; q++) {
        names[q] = pv_study_quasi_name(study, q);
        found = found || cli_equal(names[q], name);
    }
    pv_status status = PV_STATUS_OK;
    if (!found) {
        const char *const near = cli_suggest(name, names, n);
        status =
            cli_error(error, PV_STATUS_ARGUMENT, "weights: there is no quasi-identifier `%s`%s%s%s",
                      name, near != NULL ? "; did you mean `" : "", near != NULL ? near : "",
                      near != NULL ? "`?" : "");
    }
    free(names);
    return status;
}

pv_status cli_weights_set(const cli_preferred *preferred, const cli_pairs *weights, pv_error *error)
{
    for (size_t i = 0; i < weights->n; i++) {
        CLI_TRY(check_name(preferred->opened->study, weights->list[i].name, error));
    }
    pv_weight *const list = cli_zeroed(weights->n, sizeof *list);
    for (size_t i = 0; i < weights->n; i++) {
        list[i] = (pv_weight){.attribute = weights->list[i].name, .weight = weights->list[i].value};
    }
    const pv_status status = pv_preference_weigh(preferred->preference, list, weights->n, error);
    free(list);
    return status;
}

char *cli_weights_text(const cli_preferred *preferred, cli_weights_shown shown,
                       const char *separator, int digits)
{
    const pv_study *const study = preferred->opened->study;
    char *text = cli_copy("");
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        if (shown == CLI_WEIGHTS_ALL || is_changed(preferred, q)) {
            cli_append(&text, "%s%s=%.*g", text[0] != '\0' ? separator : "",
                       pv_study_quasi_name(study, q), digits,
                       pv_preference_weight(preferred->preference, q));
        }
    }
    return text;
}
