/* The commands that a report suggests, ready to be copied into a shell. */
#include "prefer/again.h"

#include "core/measured.h"
#include "core/options.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *cli_wish_again(const cli_prefer *settings)
{
    const struct {
        const char *name, *value;
    } texts[] = {{"require", settings->require},   {"weights", settings->weights},
                 {"aspire", settings->aspire},     {"necd", settings->necd},
                 {"nwp", settings->nwp},           {"from", settings->from},
                 {"method", settings->method},     {"prove", settings->prove},
                 {"memory", settings->memory},     {"crossover", settings->crossover},
                 {"mutation", settings->mutation}, {"session", settings->session},
                 {"data", settings->data}};
    const struct {
        const char *name;
        cli_count count;
    } counts[] = {{"steps", settings->steps},
                  {"evaluations", settings->evaluations},
                  {"seed", settings->seed},
                  {"population", settings->population},
                  {"choose", settings->choose}};
    char *line = cli_with_count(cli_copy(""), "k", settings->k);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        line = cli_with_text(line, texts[i].name, texts[i].value);
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        line = cli_with_count(line, counts[i].name, counts[i].count);
    }
    return cli_with_flag(line, "free-groups", settings->free_groups);
}

/* ------------------------------------------------------------------ lists */

char *cli_aspire_text(const cli_wish *wish, pv_aspiration point, int digits)
{
    return cli_format("%s=%.*g,%s=%.*g", wish->bias.measure->name, digits, point.bias,
                      wish->loss.measure->name, digits, point.loss);
}

char *cli_require_text(const cli_preferred *preferred)
{
    const cli_demands *const demands = &preferred->wish->demands;
    char *text = cli_format("k=%llu", (unsigned long long)preferred->answer->k);
    for (size_t i = 0; i < demands->n; i++) {
        const pv_constraint *const demand = &demands->list[i];
        if (!cli_wish_is_k(demand)) {
            char *const longer =
                cli_format("%s,%s=%.10g", text, cli_measure_name(demand->ref).text, demand->bound);
            free(text);
            text = longer;
        }
    }
    return text;
}
