/* Combinations: `class-size:cov=0.5,glm:spr=0.5`, and those that a plan has by name. */
#include "compare/combinations.h"

#include "core/fail.h"
#include "core/options.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

static cli_combination *add_combination(cli_contest_query *query, const char *name,
                                        pv_combination_kind kind, size_t n_terms)
{
    cli_combination *const longer =
        realloc(query->combinations, (query->n_combinations + 1) * sizeof *longer);
    if (longer == NULL) {
        cli_no_memory();
    }
    query->combinations = longer;
    cli_combination *const made = &longer[query->n_combinations++];
    *made = (cli_combination){.name = cli_copy(name),
                              .kind = kind,
                              .properties = cli_zeroed(n_terms + 1, sizeof *made->properties),
                              .terms = cli_zeroed(n_terms, sizeof *made->terms)};
    return made;
}

static void set_amount(pv_combination_kind kind, double amount, pv_term *term)
{
    term->weight = kind == PV_COMBINE_WTD ? amount : 0.0;
    term->tolerance = kind == PV_COMBINE_LEX ? amount : 0.0;
    term->goal = kind == PV_COMBINE_GOAL ? amount : 0.0;
}

/* ------------------------------------------------------ on the command line */

static pv_status bad_term(const char *option, const char *text, pv_error *error)
{
    return cli_hint(
        cli_error(error, PV_STATUS_ARGUMENT, "--%s: `%s` is no term", option, text), error,
        "write a property, an index and a number, such as --%s class-size:cov=0.5,glm:spr=0.5",
        option);
}

/* Goals may be below 0; weights and tolerances may not. */
static bool parse_amount(pv_combination_kind kind, const char *text, double *amount)
{
    const bool is_negative = kind == PV_COMBINE_GOAL && text[0] == '-';
    const char *const digits = text + is_negative;
    if (!cli_number_parse(digits, strlen(digits), amount)) {
        return false;
    }
    *amount = is_negative ? -*amount : *amount;
    return true;
}

/* PROPERTY:INDEX=NUMBER; only weights and tolerances have a default. */
static pv_status read_term(const char *option, char *text, cli_combination *combination,
                           pv_error *error)
{
    pv_term *const term = &combination->terms[combination->n_terms];
    double amount = combination->kind == PV_COMBINE_WTD ? 1.0 : 0.0;
    char *const whole = cli_copy(text);
    char *const equals = strrchr(text, '=');
    if (equals != NULL) {
        *equals = '\0';
    }
    char *const colon = strrchr(text, ':');
    const bool is_good = colon != NULL && colon != text &&
                         (equals != NULL ? parse_amount(combination->kind, equals + 1, &amount)
                                         : combination->kind != PV_COMBINE_GOAL);
    pv_status status = is_good ? PV_STATUS_OK : bad_term(option, whole, error);
    free(whole);
    CLI_TRY(status);
    *colon = '\0';
    CLI_TRY(cli_property_check(text, error));
    CLI_TRY(cli_index_parse(colon + 1, &term->index, error));
    set_amount(combination->kind, amount, term);
    combination->properties[combination->n_terms++] = cli_copy(text);
    return PV_STATUS_OK;
}

static pv_status read_option(const char *text, pv_combination_kind kind, cli_contest_query *query,
                             pv_error *error)
{
    size_t n = 0;
    pv_status status = PV_STATUS_OK;
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    char **const terms = cli_list_split(text, ',', &n);
    cli_combination *const made = add_combination(query, pv_combination_name(kind), kind, n);
    for (size_t i = 0; i < n; i++) {
        CLI_TRY_CLEAN(read_term(pv_combination_name(kind), terms[i], made, error));
    }
cleanup:
    cli_list_free(terms);
    return status;
}

/* ------------------------------------------------------------- in the plan */

/* What is wrong with a term of the plan stands in the plan. */
static pv_status place(pv_status status, const pv_plan *plan, const pv_plan_term *term,
                       pv_error *error)
{
    if (status != PV_STATUS_OK && plan->path != NULL) {
        (void)snprintf(error->file, sizeof error->file, "%s", plan->path);
        error->line = term->line;
        error->column = term->column;
        error->status = PV_STATUS_INPUT;
        return PV_STATUS_INPUT;
    }
    return status;
}

static pv_status take_planned(const pv_plan *plan, const pv_plan_combination *planned,
                              cli_contest_query *query, pv_error *error)
{
    pv_combination_kind kind = PV_COMBINE_WTD;
    (void)pv_combination_parse(planned->kind, &kind); /* checked by the plan */
    cli_combination *const made = add_combination(query, planned->name, kind, planned->n_terms);
    for (size_t t = 0; t < planned->n_terms; t++) {
        const pv_plan_term *const term = &planned->terms[t];
        CLI_TRY(place(cli_property_check(term->property, error), plan, term, error));
        CLI_TRY(
            place(cli_index_parse(term->index, &made->terms[t].index, error), plan, term, error));
        set_amount(kind, term->amount, &made->terms[t]);
        made->properties[made->n_terms++] = cli_copy(term->property);
    }
    return PV_STATUS_OK;
}

static pv_status unknown_name(const pv_plan *plan, const char *name, pv_error *error)
{
    const char **const names = cli_zeroed(plan->n_combinations + 1, sizeof *names);
    for (size_t i = 0; i < plan->n_combinations; i++) {
        names[i] = plan->combinations[i].name;
    }
    const char *const near = cli_suggest(name, names, plan->n_combinations);
    const pv_status status = cli_error(error, PV_STATUS_ARGUMENT,
                                       "the plan has no combination `%s` under `compare`", name);
    free(names);
    return near != NULL
               ? cli_hint(status, error, "did you mean %s?", near)
               : cli_hint(status, error, "see docs/plan.md, or use --wtd, --lex or --goal");
}

static pv_status find_planned(const pv_plan *plan, const char *name, cli_contest_query *query,
                              pv_error *error)
{
    for (size_t i = 0; i < plan->n_combinations; i++) {
        if (cli_equal(plan->combinations[i].name, name)) {
            return take_planned(plan, &plan->combinations[i], query, error);
        }
    }
    return unknown_name(plan, name, error);
}

static pv_status read_names(const char *text, const pv_plan *plan, cli_contest_query *query,
                            pv_error *error)
{
    size_t n = 0;
    pv_status status = PV_STATUS_OK;
    if (text == NULL || plan == NULL) {
        return PV_STATUS_OK;
    }
    char **const names = cli_list_split(text, ',', &n);
    for (size_t i = 0; i < n; i++) {
        CLI_TRY_CLEAN(find_planned(plan, names[i], query, error));
    }
cleanup:
    cli_list_free(names);
    return status;
}

pv_status cli_combinations_read(const cli_compare_settings *settings, const pv_plan *plan,
                                cli_contest_query *query, pv_error *error)
{
    CLI_TRY(read_option(settings->wtd, PV_COMBINE_WTD, query, error));
    CLI_TRY(read_option(settings->lex, PV_COMBINE_LEX, query, error));
    CLI_TRY(read_option(settings->goal, PV_COMBINE_GOAL, query, error));
    return read_names(settings->combine, plan, query, error);
}
