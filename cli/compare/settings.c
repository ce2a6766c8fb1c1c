/* What is said about a comparison: properties, indices, groups, tolerance and targets. */
#include "compare/settings.h"

#include "compare/combinations.h"
#include "core/fail.h"
#include "core/options.h"
#include "core/outputs.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- indices */

static pv_status unknown_index(const char *name, pv_error *error)
{
    const char *names[PV_INDEX_COUNT];
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        names[i] = pv_index_name((pv_index)i);
    }
    const char *const near = cli_suggest(name, names, PV_INDEX_COUNT);
    const pv_status status = cli_error(error, PV_STATUS_ARGUMENT, "there is no index `%s`", name);
    return near != NULL ? cli_hint(status, error, "did you mean %s?", near)
                        : cli_hint(status, error, "indices are min, rank, cov, spr and hv");
}

pv_status cli_index_parse(const char *name, pv_index *index, pv_error *error)
{
    return pv_index_parse(name, index) ? PV_STATUS_OK : unknown_index(name, error);
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
        CLI_TRY_CLEAN(cli_index_parse(names[i], &index, error));
        indices[index] = true;
    }
cleanup:
    cli_list_free(names);
    return status;
}

static pv_status read_tolerance(const char *text, double *tolerance, pv_error *error)
{
    if (text != NULL && !cli_number_parse(text, strlen(text), tolerance)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--tolerance needs a number, 0 or more");
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------- properties */

static bool is_column(const char *name)
{
    return cli_starts_with(name, "column:") || cli_starts_with(name, "-column:");
}

pv_status cli_property_check(const char *name, pv_error *error)
{
    const char *names[64];
    size_t n = 0;
    if (is_column(name) || pv_property_find(name) != NULL) {
        return PV_STATUS_OK;
    }
    for (; n < pv_properties() && n < sizeof names / sizeof *names; n++) {
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
        CLI_TRY_CLEAN(cli_property_check(names[i], error));
    }
cleanup:
    cli_list_free(names);
    return status;
}

/* PROPERTY=NUMBER, as values are shown. */
static pv_status read_target(char *text, cli_target *target, pv_error *error)
{
    char *const equals = strrchr(text, '=');
    const bool is_negative = equals != NULL && equals[1] == '-';
    const char *const digits = equals != NULL ? equals + 1 + is_negative : "";
    if (!cli_number_parse(digits, strlen(digits), &target->value)) {
        return cli_hint(
            cli_error(error, PV_STATUS_ARGUMENT, "--target: `%s` is no target", text), error,
            "write a property and what everyone should have of it, such as --target class-size=10");
    }
    *equals = '\0';
    target->value = is_negative ? -target->value : target->value;
    target->property = cli_copy(text);
    return cli_property_check(text, error);
}

/* Of two targets for one property it would be unclear which one counts. */
static pv_status check_distinct(const cli_contest_query *query, pv_error *error)
{
    for (size_t i = 1; i < query->n_wishes; i++) {
        for (size_t earlier = 0; earlier < i; earlier++) {
            if (cli_equal(query->wishes[i].property, query->wishes[earlier].property)) {
                return cli_error(error, PV_STATUS_ARGUMENT, "--target names `%s` twice",
                                 query->wishes[i].property);
            }
        }
    }
    return PV_STATUS_OK;
}

static pv_status read_targets(const char *text, cli_contest_query *query, pv_error *error)
{
    size_t n = 0;
    pv_status status = PV_STATUS_OK;
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    char **const list = cli_list_split(text, ',', &n);
    query->wishes = cli_zeroed(n, sizeof *query->wishes);
    for (; query->n_wishes < n && status == PV_STATUS_OK; query->n_wishes++) {
        status = read_target(list[query->n_wishes], &query->wishes[query->n_wishes], error);
    }
    cli_list_free(list);
    return status == PV_STATUS_OK ? check_distinct(query, error) : status;
}

static void add_property(cli_contest_query *query, const char *name)
{
    for (size_t i = 0; i < query->n_properties; i++) {
        if (cli_equal(query->properties[i], name)) {
            return;
        }
    }
    char **const longer = realloc(query->properties, (query->n_properties + 2) * sizeof *longer);
    if (longer == NULL) {
        cli_no_memory();
    }
    query->properties = longer;
    query->properties[query->n_properties++] = cli_copy(name);
    query->properties[query->n_properties] = NULL;
}

static void add_all(cli_contest_query *query, const pv_study *study)
{
    for (size_t i = 0; i < pv_properties(); i++) {
        const pv_property *const property = pv_property_at(i);
        if ((property->needs & PV_NEEDS_SENSITIVE) == 0 || pv_study_sensitives(study) > 0) {
            add_property(query, property->name);
        }
    }
}

/* Those asked for, or all there are, and those that combinations and targets speak of. */
static void choose_properties(const char *text, const pv_study *study, cli_contest_query *query)
{
    size_t n = 0;
    char **const names = text != NULL ? cli_list_split(text, ',', &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        add_property(query, names[i]);
    }
    cli_list_free(names);
    if (text == NULL) {
        add_all(query, study);
    }
    for (size_t c = 0; c < query->n_combinations; c++) {
        for (size_t t = 0; t < query->combinations[c].n_terms; t++) {
            add_property(query, query->combinations[c].properties[t]);
        }
    }
    for (size_t i = 0; i < query->n_wishes; i++) {
        add_property(query, query->wishes[i].property);
    }
}

/* ------------------------------------------------------------- the whole */

pv_status cli_contest_check(const cli_compare_settings *settings, pv_error *error)
{
    bool indices[PV_INDEX_COUNT];
    double tolerance = 0.0;
    cli_contest_query query = {0};
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
    CLI_TRY(read_indices(settings->index, indices, error));
    CLI_TRY(read_tolerance(settings->tolerance, &tolerance, error));
    pv_status status = read_targets(settings->target, &query, error);
    if (status == PV_STATUS_OK) {
        status = cli_combinations_read(settings, NULL, &query, error);
    }
    cli_contest_query_free(&query);
    return status;
}

uint64_t cli_contest_enough(const pv_plan *plan)
{
    uint64_t enough = 0;
    for (size_t i = 0; i < plan->n_require; i++) {
        if (cli_equal(plan->require[i].name, "k")) {
            const unsigned long long k = strtoull(plan->require[i].value, NULL, 10);
            enough = k > enough ? k : enough;
        }
    }
    return enough;
}

pv_status cli_contest_query_read(const cli_compare_settings *settings, const pv_study *study,
                                 cli_contest_query *query, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    const pv_plan *const plan = pv_study_plan(study);
    *query = (cli_contest_query){.enough = settings->k.given ? settings->k.value
                                                             : cli_contest_enough(plan)};
    CLI_TRY_CLEAN(read_indices(settings->index, query->indices, error));
    CLI_TRY_CLEAN(read_tolerance(settings->tolerance, &query->tolerance, error));
    CLI_TRY_CLEAN(read_targets(settings->target, query, error));
    CLI_TRY_CLEAN(cli_combinations_read(settings, plan, query, error));
    choose_properties(settings->properties, study, query);
    if (settings->by != NULL) {
        query->groups = cli_list_split(settings->by, ',', &query->n_groups);
    }
    return PV_STATUS_OK;
cleanup:
    cli_contest_query_free(query);
    return status;
}

static size_t find_property(const pv_comparison *comparison, const char *name)
{
    size_t p = 0;
    while (p < comparison->n_properties && !cli_equal(comparison->properties[p], name)) {
        p++;
    }
    return p;
}

static pv_status resolve_property(const pv_comparison *comparison, const char *name, size_t *place,
                                  pv_error *error)
{
    *place = find_property(comparison, name);
    return *place < comparison->n_properties
               ? PV_STATUS_OK
               : cli_error(error, PV_STATUS_ARGUMENT, "`%s` cannot be told of this table", name);
}

static pv_status resolve_targets(cli_contest_query *query, const pv_comparison *comparison,
                                 pv_error *error)
{
    query->targets = cli_zeroed(comparison->n_properties, sizeof *query->targets);
    for (size_t p = 0; p < comparison->n_properties; p++) {
        query->targets[p] = (double)NAN;
    }
    for (size_t i = 0; i < query->n_wishes; i++) {
        size_t place = 0;
        CLI_TRY(resolve_property(comparison, query->wishes[i].property, &place, error));
        query->targets[place] = query->wishes[i].value;
    }
    return PV_STATUS_OK;
}

pv_status cli_contest_query_resolve(cli_contest_query *query, const pv_comparison *comparison,
                                    pv_error *error)
{
    CLI_TRY(resolve_targets(query, comparison, error));
    query->resolved = cli_zeroed(query->n_combinations + 1, sizeof *query->resolved);
    for (size_t c = 0; c < query->n_combinations; c++) {
        cli_combination *const combination = &query->combinations[c];
        for (size_t t = 0; t < combination->n_terms; t++) {
            CLI_TRY(resolve_property(comparison, combination->properties[t],
                                     &combination->terms[t].property, error));
        }
        query->resolved[c] = (pv_combination){.name = combination->name,
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
    for (size_t i = 0; i < query->n_wishes; i++) {
        free(query->wishes[i].property);
    }
    free(query->wishes);
    free(query->targets);
    free(query->combinations);
    free(query->resolved);
    cli_list_free(query->properties);
    cli_list_free(query->groups);
    *query = (cli_contest_query){0};
}
