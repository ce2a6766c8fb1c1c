/* A wish as the page asks for it. */
#include "server/wish.h"

#include "core/fail.h"
#include "core/text.h"
#include "server/asked.h"

#include <stdlib.h>

#define MOST_PROVE 3600.0
#define MOST_STEPS 1000
#define MOST_WEIGHT 1e9

void web_wish_free(web_wish *a)
{
    cli_wish_free(&a->wish);
    for (size_t i = 0; i < WEB_WISH_TEXTS; i++) {
        free(a->texts[i]);
    }
    *a = (web_wish){0};
}

/* "necd=0.3,nwp=0.2": the sides of the wish that were spoken of, by their measures. */
static pv_status read_aspire(const json_t *params, web_wish *a, pv_error *error)
{
    static const char *const sides[] = {"bias", "loss", NULL};
    const char *names[] = {CLI_USUAL_BIAS, CLI_USUAL_LOSS};
    const json_t *wish = NULL;
    char *text = cli_copy("");
    pv_status status = PV_STATUS_OK;
    CLI_TRY_CLEAN(web_asked_text(params, "bias", &names[0], error));
    CLI_TRY_CLEAN(web_asked_text(params, "loss", &names[1], error));
    CLI_TRY_CLEAN(web_asked_object(params, "wish", &wish, error));
    CLI_TRY_CLEAN(wish != NULL ? web_asked_only(wish, sides, error) : PV_STATUS_OK);
    a->has_wish = wish != NULL;
    for (size_t i = 0; i < 2; i++) {
        /* Whoever speaks of one side only does not care for the bias, or wants the least loss: as
         * in the command, but with the measures that were named. */
        double value = i == 0 || json_object_get(wish, "bias") != NULL ? CLI_ALL_THERE_IS : 0;
        if (wish != NULL) {
            CLI_TRY_CLEAN(web_asked_number(wish, sides[i], 0, CLI_ALL_THERE_IS, &value, error));
        }
        cli_append(&text, "%s%s=%.6g", i > 0 ? "," : "", names[i], value);
    }
cleanup:
    a->texts[WEB_ASPIRE] = text;
    return status;
}

/* "age=3,sex=0.5" */
static pv_status read_weights(const json_t *params, web_wish *a, pv_error *error)
{
    const json_t *weights = NULL;
    const char *name = NULL;
    json_t *ignored = NULL;
    CLI_TRY(web_asked_object(params, "weights", &weights, error));
    if (json_object_size(weights) == 0) {
        return PV_STATUS_OK;
    }
    a->texts[WEB_WEIGHTS] = cli_copy("");
    json_object_foreach((json_t *)(uintptr_t)weights, name, ignored)
    {
        double weight = 1;
        CLI_TRY(web_asked_number(weights, name, 0, MOST_WEIGHT, &weight, error));
        cli_append(&a->texts[WEB_WEIGHTS], "%s%s=%.6g", a->texts[WEB_WEIGHTS][0] != '\0' ? "," : "",
                   name, weight);
    }
    return PV_STATUS_OK;
}

/* "1,0.2" */
static pv_status read_from(const json_t *params, web_wish *a, pv_error *error)
{
    static const char *const sides[] = {"bias", "loss", NULL};
    const json_t *from = NULL;
    double bias = CLI_ALL_THERE_IS;
    double loss = 0;
    uint64_t steps = 0;
    CLI_TRY(web_asked_object(params, "from", &from, error));
    CLI_TRY(web_asked_count(params, "steps", 1, MOST_STEPS, &steps, error));
    if (from == NULL) {
        return steps == 0 ? PV_STATUS_OK
                          : cli_error(error, PV_STATUS_ARGUMENT, "`steps` needs `from`");
    }
    CLI_TRY(web_asked_only(from, sides, error));
    CLI_TRY(web_asked_number(from, "bias", 0, CLI_ALL_THERE_IS, &bias, error));
    CLI_TRY(web_asked_number(from, "loss", 0, CLI_ALL_THERE_IS, &loss, error));
    a->texts[WEB_FROM] = cli_format("%.6g,%.6g", bias, loss);
    a->given.steps = (cli_count){.given = steps > 0, .value = steps};
    return PV_STATUS_OK;
}

static pv_status read_numbers(const json_t *params, web_wish *a, pv_error *error)
{
    uint64_t k = 0;
    uint64_t accepted = UINT64_MAX;
    bool free_groups = false;
    CLI_TRY(web_asked_count(params, "k", 1, INT64_MAX, &k, error));
    CLI_TRY(web_asked_number(params, "prove", 0, MOST_PROVE, &a->prove, error));
    CLI_TRY(web_asked_flag(params, "free_groups", &free_groups, error));
    CLI_TRY(web_asked_flag(params, "log", &a->wants_log, error));
    CLI_TRY(web_asked_count(params, "accept", 0, INT64_MAX, &accepted, error));
    a->is_glance = !(a->prove > 0);
    a->accepts = accepted != UINT64_MAX;
    a->accepted = accepted;
    a->given.k = (cli_count){.given = k > 0, .value = k};
    a->given.free_groups = free_groups;
    if (a->prove > 0) {
        a->texts[WEB_PROVE] = cli_format("%.6g", a->prove);
    }
    return PV_STATUS_OK;
}

pv_status web_wish_read(const web_call *call, web_wish *a, pv_error *error)
{
    static const char *const names[] = {"k",     "require", "bias", "loss",  "wish",
                                        "prove", "weights", "from", "steps", "free_groups",
                                        "log",   "accept",  NULL};
    const json_t *const params = call->params;
    *a = (web_wish){0};
    CLI_TRY(web_asked_only(params, names, error));
    CLI_TRY(read_numbers(params, a, error));
    CLI_TRY(read_aspire(params, a, error));
    CLI_TRY(read_weights(params, a, error));
    CLI_TRY(read_from(params, a, error));
    CLI_TRY(web_asked_list(params, "require", &a->texts[WEB_REQUIRE], error));
    a->given.aspire = a->texts[WEB_ASPIRE];
    a->given.weights = a->texts[WEB_WEIGHTS];
    a->given.from = a->texts[WEB_FROM];
    a->given.prove = a->texts[WEB_PROVE];
    a->given.require = a->texts[WEB_REQUIRE];
    CLI_TRY(cli_wish_read(&a->given, &a->wish, error));
    return cli_wish_add_plan(&a->wish, call->snapshot->opened.plan, error);
}

char *web_wish_key(const web_wish *a)
{
    char *key = cli_format("%llu|%s|%s|%d", (unsigned long long)a->wish.options.k,
                           a->wish.bias.measure->name, a->wish.loss.measure->name,
                           a->wish.options.free_groups);
    for (size_t i = 0; i < a->wish.demands.n; i++) {
        char text[PV_MEASURE_TEXT_SIZE];
        pv_constraint_text(&a->wish.demands.list[i], text, sizeof text);
        cli_append(&key, "|%s", text);
    }
    return key;
}
