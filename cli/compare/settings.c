/* What is said about a comparison: properties, indices, groups, tolerance, targets, and
 * combinations such as `class-size:cov=0.5,glm:spr=0.5`, which a plan may also have by name. */
#include "compare/contest.h"

#include "core/fail.h"
#include "core/outputs.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- indices */

static pv_status parse_index(const char *name, pv_index *index, pv_error *error)
{
    const char *names[PV_INDEX_COUNT];
    if (pv_index_parse(name, index)) {
        return PV_STATUS_OK;
    }
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        names[i] = pv_index_name((pv_index)i);
    }
    const char *const near = cli_suggest(name, names, PV_INDEX_COUNT);
    const pv_status status = cli_error(error, PV_STATUS_ARGUMENT, "there is no index `%s`", name);
    return near != NULL ? cli_hint(status, error, "did you mean %s?", near)
                        : cli_hint(status, error, "indices are min, rank, cov, spr and hv");
}

static pv_status read_indices(const char *text, bool indices[PV_INDEX_COUNT], pv_error *error)
{
    size_t n = 0;
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        indices[i] = text == NULL;
    }
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    char **const names = cli_list_split(text, ',', &n);
    for (size_t i = 0; i < n; i++) {
        pv_index index = PV_INDEX_MIN;
        CLI_TRY_CLEAN(parse_index(names[i], &index, error));
        indices[index] = true;
    }
cleanup:
    cli_list_free(names);
    return status;
}

/* ------------------------------------------------------------- properties */

static pv_status check_property(const char *name, pv_error *error)
{
    const char *names[64];
    size_t n = 0;
    if (cli_starts_with(name, "column:") || cli_starts_with(name, "-column:") ||
        pv_property_find(name) != NULL) {
        return PV_STATUS_OK;
    }
    for (; n < pv_n_properties() && n < sizeof names / sizeof *names; n++) {
        names[n] = pv_property_at(n)->name;
    }
    const char *const near = cli_suggest(name, names, n);
    const pv_status status =
        cli_error(error, PV_STATUS_ARGUMENT, "there is no property `%s`", name);
    return near != NULL ? cli_hint(status, error, "did you mean %s?", near)
                        : cli_hint(status, error,
                                   "see `paravent help compare`; a column of numbers is "
                                   "column:NAME, or -column:NAME if less of it is better");
}

static pv_status check_properties(const char *text, pv_error *error)
{
    size_t n = 0;
    pv_status status = PV_STATUS_OK;
    char **const names = text != NULL ? cli_list_split(text, ',', &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        CLI_TRY_CLEAN(check_property(names[i], error));
    }
cleanup:
    cli_list_free(names);
    return status;
}

/* A number, which may be below 0 where `signed_too` says so. */
static bool parse_number(const char *text, bool signed_too, double *number)
{
    const bool is_negative = signed_too && text[0] == '-';
    const bool good = cli_number_parse(text + is_negative, strlen(text + is_negative), number);
    *number = good && is_negative ? -*number : *number;
    return good;
}

/* PROPERTY=NUMBER, as values are shown. */
static pv_status read_target(char *text, cli_target *target, pv_error *error)
{
    char *const equals = strrchr(text, '=');
    if (!parse_number(equals != NULL ? equals + 1 : "", true, &target->value)) {
        return cli_hint(
            cli_error(error, PV_STATUS_ARGUMENT, "--target: `%s` is no target", text), error,
            "write a property and what everyone should have of it, such as --target class-size=10");
    }
    *equals = '\0';
    target->property = cli_copy(text);
    return check_property(text, error);
}

static pv_status read_targets(const char *text, cli_contest_query *query, pv_error *error)
{
    size_t n = 0;
    pv_status status = PV_STATUS_OK;
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    char **const list = cli_list_split(text, ',', &n);
    query->targets = cli_zeroed(n, sizeof *query->targets);
    for (; query->n_targets < n && status == PV_STATUS_OK; query->n_targets++) {
        status = read_target(list[query->n_targets], &query->targets[query->n_targets], error);
    }
    cli_list_free(list);
    /* Of two targets for one property it would be unclear which one counts. */
    for (size_t i = 1; status == PV_STATUS_OK && i < query->n_targets; i++) {
        for (size_t earlier = 0; earlier < i; earlier++) {
            if (cli_equal(query->targets[i].property, query->targets[earlier].property)) {
                return cli_error(error, PV_STATUS_ARGUMENT, "--target names `%s` twice",
                                 query->targets[i].property);
            }
        }
    }
    return status;
}

/* ------------------------------------------------------------ combinations */

/* One array element more, all zero. */
static void *add_zeroed(void *array, size_t n, size_t size)
{
    char *const longer = realloc(array, (n + 1) * size);
    if (longer == NULL) {
        cli_no_memory();
    }
    memset(longer + n * size, 0, size);
    return longer;
}

static cli_combination *add_combination(cli_contest_query *query, const char *name,
                                        pv_combination_kind kind, size_t n_terms)
{
    query->combinations =
        add_zeroed(query->combinations, query->n_combinations, sizeof *query->combinations);
    cli_combination *const made = &query->combinations[query->n_combinations++];
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

/* PROPERTY:INDEX=NUMBER; only weights and tolerances have a default, and only goals may be below
 * 0. */
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
    const bool is_good =
        colon != NULL && colon != text &&
        (equals != NULL ? parse_number(equals + 1, combination->kind == PV_COMBINE_GOAL, &amount)
                        : combination->kind != PV_COMBINE_GOAL);
    pv_status status =
        is_good
            ? PV_STATUS_OK
            : cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "--%s: `%s` is no term", option, whole),
                       error,
                       "write a property, an index and a number, such as --%s "
                       "class-size:cov=0.5,glm:spr=0.5",
                       option);
    free(whole);
    CLI_TRY(status);
    *colon = '\0';
    CLI_TRY(check_property(text, error));
    CLI_TRY(parse_index(colon + 1, &term->index, error));
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

/* What is wrong with a term of the plan is said with its place there. */
static pv_status place(pv_status status, const pv_plan *plan, const pv_plan_term *term,
                       pv_error *error)
{
    if (status != PV_STATUS_OK && pv_plan_path(plan) != NULL) {
        (void)snprintf(error->file, sizeof error->file, "%s", pv_plan_path(plan));
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
        CLI_TRY(place(check_property(term->property, error), plan, term, error));
        CLI_TRY(place(parse_index(term->index, &made->terms[t].index, error), plan, term, error));
        set_amount(kind, term->amount, &made->terms[t]);
        made->properties[made->n_terms++] = cli_copy(term->property);
    }
    return PV_STATUS_OK;
}

static pv_status read_names(const char *text, const pv_plan *plan, cli_contest_query *query,
                            pv_error *error)
{
    size_t n = 0;
    pv_status status = PV_STATUS_OK;
    char **const list = text != NULL ? cli_list_split(text, ',', &n) : NULL;
    size_t n_planned = 0;
    const pv_plan_combination *const planned = pv_plan_combinations(plan, &n_planned);
    const char **const names = cli_zeroed(n_planned + 1, sizeof *names);
    for (size_t i = 0; i < n_planned; i++) {
        names[i] = planned[i].name;
    }
    for (size_t i = 0; i < n; i++) {
        size_t c = 0;
        while (c < n_planned && !cli_equal(names[c], list[i])) {
            c++;
        }
        if (c == n_planned) {
            const char *const near = cli_suggest(list[i], names, n_planned);
            status = cli_error(error, PV_STATUS_ARGUMENT,
                               "the plan has no combination `%s` under `compare`", list[i]);
            CLI_TRY_CLEAN(
                near != NULL
                    ? cli_hint(status, error, "did you mean %s?", near)
                    : cli_hint(status, error, "see docs/plan.md, or use --wtd, --lex or --goal"));
        }
        CLI_TRY_CLEAN(take_planned(plan, &planned[c], query, error));
    }
cleanup:
    free(names);
    cli_list_free(list);
    return status;
}

/* -------------------------------------------------------- what is compared */

static void add_property(cli_contest_query *query, const char *name)
{
    for (size_t i = 0; i < query->n_properties; i++) {
        if (cli_equal(query->properties[i], name)) {
            return;
        }
    }
    /* The list ends with NULL. */
    query->properties =
        add_zeroed(query->properties, query->n_properties + 1, sizeof *query->properties);
    query->properties[query->n_properties++] = cli_copy(name);
}

/* Those asked for, or all there are, and those that combinations and targets name. */
static void choose_properties(const char *text, const pv_plan *plan, cli_contest_query *query)
{
    size_t n = 0;
    bool has_sensitive = false;
    for (size_t i = 0; i < pv_plan_n_attributes(plan); i++) {
        has_sensitive =
            has_sensitive || pv_attribute_role(pv_plan_attribute_at(plan, i)) == PV_ROLE_SENSITIVE;
    }
    char **const names = text != NULL ? cli_list_split(text, ',', &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        add_property(query, names[i]);
    }
    cli_list_free(names);
    for (size_t i = 0; text == NULL && i < pv_n_properties(); i++) {
        const pv_property *const property = pv_property_at(i);
        if ((property->needs & PV_NEEDS_SENSITIVE) == 0 || has_sensitive) {
            add_property(query, property->name);
        }
    }
    for (size_t c = 0; c < query->n_combinations; c++) {
        for (size_t t = 0; t < query->combinations[c].n_terms; t++) {
            add_property(query, query->combinations[c].properties[t]);
        }
    }
    for (size_t i = 0; i < query->n_targets; i++) {
        add_property(query, query->targets[i].property);
    }
}

/* ------------------------------------------------------------- the whole */

pv_status cli_contest_query_read(const cli_compare_settings *settings, cli_contest_query *query,
                                 pv_error *error)
{
    *query = (cli_contest_query){0};
    if (settings->plan == NULL) {
        return cli_hint(
            cli_error(error, PV_STATUS_ARGUMENT, "`paravent compare` needs --plan PLAN"), error,
            "the plan names the original and its quasi-identifiers; `paravent init` "
            "writes one");
    }
    if (settings->common.json && cli_is_stream(settings->html)) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "standard output can hold only one of --json and the files named -");
    }
    CLI_TRY(check_properties(settings->properties, error));
    CLI_TRY(read_indices(settings->index, query->indices, error));
    if (settings->tolerance != NULL &&
        !cli_number_parse(settings->tolerance, strlen(settings->tolerance), &query->tolerance)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--tolerance needs a number, 0 or more");
    }
    CLI_TRY(read_targets(settings->target, query, error));
    CLI_TRY(read_option(settings->wtd, PV_COMBINE_WTD, query, error));
    CLI_TRY(read_option(settings->lex, PV_COMBINE_LEX, query, error));
    CLI_TRY(read_option(settings->goal, PV_COMBINE_GOAL, query, error));
    if (settings->row_map != NULL) {
        query->row_maps = cli_list_split(settings->row_map, ',', &query->n_row_maps);
    }
    if (settings->by != NULL) {
        query->groups = cli_list_split(settings->by, ',', &query->n_groups);
    }
    return PV_STATUS_OK;
}

uint64_t cli_contest_enough(const pv_plan *plan)
{
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    uint64_t enough = 0;
    (void)(pv_plan_demands(plan, demands, &n, NULL) ==
           PV_STATUS_OK); /* others do not matter here */
    for (size_t i = 0; i < n; i++) {
        if (demands[i].ref.measure->rule == PV_RULE_SIZE) {
            const uint64_t k = (uint64_t)demands[i].bound;
            enough = k > enough ? k : enough;
        }
    }
    return enough;
}

pv_status cli_contest_query_plan(const cli_compare_settings *settings, const pv_plan *plan,
                                 cli_contest_query *query, pv_error *error)
{
    query->enough = settings->k.given ? settings->k.value : cli_contest_enough(plan);
    CLI_TRY(read_names(settings->combine, plan, query, error));
    choose_properties(settings->properties, plan, query);
    return PV_STATUS_OK;
}

static pv_status find_property(const pv_comparison *comparison, const char *name, size_t *number,
                               pv_error *error)
{
    for (size_t p = 0; p < pv_comparison_n_properties(comparison); p++) {
        if (cli_equal(pv_comparison_property(comparison, p), name)) {
            *number = p;
            return PV_STATUS_OK;
        }
    }
    return cli_error(error, PV_STATUS_ARGUMENT, "`%s` cannot be told of this table", name);
}

pv_status cli_contest_query_resolve(cli_contest_query *query, const pv_comparison *comparison,
                                    pv_error *error)
{
    const size_t n = pv_comparison_n_properties(comparison);
    query->resolved_targets = cli_zeroed(n, sizeof *query->resolved_targets);
    for (size_t p = 0; p < n; p++) {
        query->resolved_targets[p] = (double)NAN;
    }
    for (size_t i = 0; i < query->n_targets; i++) {
        size_t number = 0;
        CLI_TRY(find_property(comparison, query->targets[i].property, &number, error));
        query->resolved_targets[number] = query->targets[i].value;
    }
    query->resolved_combinations =
        cli_zeroed(query->n_combinations + 1, sizeof *query->resolved_combinations);
    for (size_t c = 0; c < query->n_combinations; c++) {
        cli_combination *const combination = &query->combinations[c];
        for (size_t t = 0; t < combination->n_terms; t++) {
            CLI_TRY(find_property(comparison, combination->properties[t],
                                  &combination->terms[t].property, error));
        }
        query->resolved_combinations[c] = (pv_combination){.name = combination->name,
                                                           .kind = combination->kind,
                                                           .terms = combination->terms,
                                                           .n_terms = combination->n_terms};
    }
    return PV_STATUS_OK;
}

void cli_contest_query_free(cli_contest_query *query)
{
    for (size_t c = 0; c < query->n_combinations; c++) {
        free(query->combinations[c].name);
        cli_list_free(query->combinations[c].properties);
        free(query->combinations[c].terms);
    }
    for (size_t i = 0; i < query->n_targets; i++) {
        free(query->targets[i].property);
    }
    free(query->targets);
    free(query->combinations);
    free(query->resolved_targets);
    free(query->resolved_combinations);
    cli_list_free(query->row_maps);
    cli_list_free(query->properties);
    cli_list_free(query->groups);
    *query = (cli_contest_query){0};
}
