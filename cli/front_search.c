/* Searching from the command line. */
#include "front_search.h"

#include "fail.h"
#include "measured.h"
#include "suggest.h"
#include "text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 64

/* --------------------------------------------------------------- settings */

static const char *nearest_measure(const char *typed)
{
    const char *names[MOST_NAMES];
    size_t n = 0;
    for (; n < pv_measures() && n < MOST_NAMES; n++) {
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

static pv_status parse_objectives(const char *text, pv_measure_ref *objectives, size_t *n,
                                  pv_error *error)
{
    size_t parts = 0;
    char **const list = cli_list_split(text, ',', &parts);
    pv_status status = PV_STATUS_OK;
    if (parts > PV_MAX_OBJECTIVES) {
        status = cli_error(error, PV_STATUS_ARGUMENT, "--objectives: at most %d, not %zu",
                           PV_MAX_OBJECTIVES, parts);
    }
    for (size_t i = 0; i < parts && status == PV_STATUS_OK; i++) {
        status = parse_objective(list[i], &objectives[i], error);
    }
    cli_list_free(list);
    *n = parts;
    return status;
}

/* 256M, 2G, 1000000. */
static pv_status parse_memory(const char *text, uint64_t *bytes, pv_error *error)
{
    static const struct {
        char letter;
        unsigned shift;
    } units[] = {{'K', 10}, {'M', 20}, {'G', 30}, {'\0', 0}};
    char *end = NULL;
    const unsigned long long number = strtoull(text, &end, 10);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const bool fits = number > 0 && number <= UINT64_MAX >> 1 >> units[i].shift;
        const bool ends = end[0] == units[i].letter && (end[0] == '\0' || end[1] == '\0');
        if (text[0] >= '0' && text[0] <= '9' && ends && fits) {
            *bytes = (uint64_t)number << units[i].shift;
            return PV_STATUS_OK;
        }
    }
    return cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "--memory needs a size in bytes"), error,
                    "with K, M or G: --memory 256M");
}

static pv_status parse_seconds(const char *text, double *seconds, pv_error *error)
{
    pv_decimal number;
    if (!pv_decimal_parse(text, strlen(text), &number) || number.mantissa <= 0) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--seconds needs a number greater than 0");
    }
    *seconds = pv_decimal_double(number);
    return PV_STATUS_OK;
}

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

static pv_status check_method(const cli_search *settings, pv_error *error)
{
    const char *const method = settings->method;
    if (method != NULL && !cli_equal(method, "auto") && pv_method_find(method) == NULL) {
        return unknown_method(method, error);
    }
    if (settings->depth.given && (method == NULL || !cli_equal(method, "poka"))) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--depth means nothing without --method poka");
    }
    return PV_STATUS_OK;
}

static pv_status read_settings(const cli_search *settings, pv_measure_ref *objectives,
                               pv_search_options *options, pv_error *error)
{
    CLI_TRY(check_method(settings, error));
    options->method = settings->method;
    options->max_evaluations = settings->evaluations.value;
    options->depth = (unsigned)settings->depth.value;
    if (settings->objectives != NULL) {
        CLI_TRY(parse_objectives(settings->objectives, objectives, &options->n_objectives, error));
        options->objectives = objectives;
    }
    if (settings->memory != NULL) {
        CLI_TRY(parse_memory(settings->memory, &options->memory, error));
    }
    return settings->seconds != NULL
               ? parse_seconds(settings->seconds, &options->max_seconds, error)
               : PV_STATUS_OK;
}

/* ----------------------------------------------------------------- search */

pv_status cli_search_check(const cli_search *settings, pv_error *error)
{
    pv_measure_ref objectives[PV_MAX_OBJECTIVES];
    pv_search_options options = {0};
    return read_settings(settings, objectives, &options, error);
}

pv_status cli_search_run(cli_run *run, const cli_search *settings, const cli_opened *opened,
                         const pv_suppression *suppression, cli_found *found, pv_error *error)
{
    pv_measure_ref objectives[PV_MAX_OBJECTIVES];
    pv_search_options options = {.suppression = *suppression};
    CLI_TRY(read_settings(settings, objectives, &options, error));
    *found = (cli_found){.opened = opened, .suppression = *suppression};
    const pv_status status =
        pv_search(opened->profile, &options, &run->context, &found->front, error);
    cli_progress_wipe(&run->progress); /* a search that was stopped leaves its bar behind */
    CLI_TRY(status);
    found->n_suggestions = pv_front_suggest(found->front, found->suggestions);
    return PV_STATUS_OK;
}

void cli_found_free(cli_found *found)
{
    pv_front_free(found->front);
    *found = (cli_found){0};
}

/* ------------------------------------------------------------------ words */

char *cli_objective_names(const pv_front *front)
{
    char *names = cli_copy("");
    for (size_t i = 0; i < front->n_objectives; i++) {
        const char *const glue = i == 0 ? "" : i + 1 == front->n_objectives ? " and " : ", ";
        char *const longer =
            cli_format("%s%s%s", names, glue, cli_measure_name(front->objectives[i]).text);
        free(names);
        names = longer;
    }
    return names;
}

cli_number cli_objective_text(const cli_found *found, size_t objective, double value)
{
    const pv_measure *const measure = found->front->objectives[objective].measure;
    const pv_profile *const profile = found->opened->profile;
    return pv_measure_reads_as_share(measure, profile)
               ? cli_share_text(pv_measure_share(measure, profile, value))
               : cli_value_text(value);
}

char *cli_point_text(const cli_found *found, size_t point)
{
    const pv_front *const front = found->front;
    char *text = cli_copy("");
    for (size_t i = 0; i < front->n_objectives; i++) {
        char *const longer = cli_format(
            "%s%s%s %s", text, i == 0 ? "" : ", ", cli_measure_name(front->objectives[i]).text,
            cli_objective_text(found, i, front->points[point].values[i]).text);
        free(text);
        text = longer;
    }
    return text;
}
