/* Two solutions of an answer, person by person: `prefer --compare best,2`. */
#include "prefer/compare.h"

#include "core/fail.h"
#include "core/options.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

#define BEST "best"
#define MOST 1000000.0

/* 0 is the best, the others count from 1; false if it is neither. */
static bool parse_solution(const char *text, size_t *solution)
{
    double number = 0.0;
    if (cli_equal(text, BEST)) {
        *solution = 0;
        return true;
    }
    if (strspn(text, "0123456789") != strlen(text) ||
        !cli_number_parse(text, strlen(text), &number) || number < 1.0 || number > MOST) {
        return false;
    }
    *solution = (size_t)number;
    return true;
}

static bool parse_two(const char *text, size_t two[2])
{
    size_t n = 0;
    char **const parts = cli_list_split(text, ',', &n);
    const bool good =
        n == 2 && parse_solution(parts[0], &two[0]) && parse_solution(parts[1], &two[1]);
    cli_list_free(parts);
    return good;
}

pv_status cli_prefer_compare_check(const cli_prefer *settings, pv_error *error)
{
    size_t two[2];
    if (settings->compare == NULL || parse_two(settings->compare, two)) {
        return PV_STATUS_OK;
    }
    return cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "--compare needs two solutions"), error,
                    "write --compare best,2 or --compare 1,3: the best one, or alternatives (with "
                    "--from, steps) by their numbers");
}

/* What --choose would take. */
static pv_status find(const cli_preferred *preferred, size_t number, const pv_solution **solution,
                      pv_error *error)
{
    const bool walks = preferred->n_steps > 0;
    const size_t n = walks ? preferred->n_steps : preferred->answer->n_others;
    if (number > n) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "--compare: there %s only %s",
                                  n == 1 ? "is" : "are",
                                  walks ? cli_plural_text(n, "step", "steps").text
                                        : cli_plural_text(n, "alternative", "alternatives").text),
                        error, "leave --compare out to see them all");
    }
    *solution = number == 0 ? &preferred->answer->best
                : walks     ? &preferred->steps[number - 1]->best
                            : &preferred->answer->others[number - 1];
    return PV_STATUS_OK;
}

static char *name_of(const cli_preferred *preferred, size_t number)
{
    return number == 0
               ? cli_copy("the best")
               : cli_format("%s %zu", preferred->n_steps > 0 ? "step" : "alternative", number);
}

pv_status cli_prefer_compare(cli_run *run, const cli_preferred *preferred, cli_rivals *rivals,
                             pv_error *error)
{
    const cli_prefer *const settings = preferred->settings;
    const cli_source again = {
        .plan = preferred->plan, .data = settings->data, .reading = &settings->reading};
    const pv_suppression none = {0};
    const pv_solution *solutions[2];
    size_t two[2];
    if (settings->compare == NULL || !parse_two(settings->compare, two)) {
        return PV_STATUS_OK;
    }
    for (size_t i = 0; i < 2; i++) {
        CLI_TRY(find(preferred, two[i], &solutions[i], error));
    }
    char *const names[] = {name_of(preferred, two[0]), name_of(preferred, two[1])};
    const cli_rival both[] = {{.name = names[0], .cuts = solutions[0]->cuts},
                              {.name = names[1], .cuts = solutions[1]->cuts}};
    const pv_status status =
        cli_rivals_fight(run, preferred->opened, &again, both, &none, rivals, error);
    free(names[0]);
    free(names[1]);
    return status;
}
