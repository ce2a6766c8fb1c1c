/* What a job was asked for. Messages name the member, never what was in it. */
#include "server/asked.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* NULL if it is absent or null. */
static const json_t *member(const json_t *params, const char *name)
{
    const json_t *const value = json_object_get(params, name);
    return json_is_null(value) ? NULL : value;
}

/* "this needs `k` to be ..." */
static pv_status wrong(pv_error *error, const char *name, const char *what)
{
    return cli_error(error, PV_STATUS_ARGUMENT, "`%s` must be %s", name, what);
}

pv_status web_asked_only(const json_t *params, const char *const *names, pv_error *error)
{
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)(uintptr_t)params, key, value)
    {
        size_t i = 0;
        while (names[i] != NULL && !cli_equal(names[i], key)) {
            i++;
        }
        if (names[i] == NULL) {
            return cli_error(error, PV_STATUS_ARGUMENT, "`%.40s` is nothing that this can be asked",
                             key);
        }
    }
    return PV_STATUS_OK;
}

/* A text without a NUL inside. */
static bool is_plain(const json_t *value)
{
    return json_is_string(value) && strlen(json_string_value(value)) == json_string_length(value);
}

pv_status web_asked_text(const json_t *params, const char *name, const char **text, pv_error *error)
{
    const json_t *const value = member(params, name);
    if (value != NULL && !is_plain(value)) {
        return wrong(error, name, "a text");
    }
    *text = value != NULL ? json_string_value(value) : *text;
    return PV_STATUS_OK;
}

pv_status web_asked_list(const json_t *params, const char *name, char **text, pv_error *error)
{
    const json_t *const value = member(params, name);
    *text = NULL;
    if (value == NULL) {
        return PV_STATUS_OK;
    }
    if (!json_is_array(value)) {
        const char *whole = NULL;
        CLI_TRY(is_plain(value) ? PV_STATUS_OK : wrong(error, name, "a text or a list of texts"));
        whole = json_string_value(value);
        *text = whole[0] != '\0' ? cli_copy(whole) : NULL;
        return PV_STATUS_OK;
    }
    if (json_array_size(value) > PV_MAX_CONSTRAINTS) {
        return wrong(error, name, "a shorter list");
    }
    char *joined = cli_copy("");
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *const part = json_array_get(value, i);
        if (!is_plain(part)) {
            free(joined);
            return wrong(error, name, "a text or a list of texts");
        }
        cli_append(&joined, "%s%s", i > 0 ? "," : "", json_string_value(part));
    }
    if (joined[0] == '\0') { /* nothing is asked for */
        free(joined);
        joined = NULL;
    }
    *text = joined;
    return PV_STATUS_OK;
}

pv_status web_asked_number(const json_t *params, const char *name, double least, double most,
                           double *number, pv_error *error)
{
    const json_t *const value = member(params, name);
    const double given = json_number_value(value);
    if (value == NULL) {
        return PV_STATUS_OK;
    }
    if (!json_is_number(value) || !(given >= least && given <= most)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "`%s` must be a number from %g to %g", name,
                         least, most);
    }
    *number = given;
    return PV_STATUS_OK;
}

pv_status web_asked_count(const json_t *params, const char *name, uint64_t least, uint64_t most,
                          uint64_t *count, pv_error *error)
{
    const json_t *const value = member(params, name);
    const json_int_t given = json_integer_value(value);
    if (value == NULL) {
        return PV_STATUS_OK;
    }
    if (!json_is_integer(value) || given < 0 || (uint64_t)given < least || (uint64_t)given > most) {
        return cli_error(error, PV_STATUS_ARGUMENT, "`%s` must be a whole number from %llu to %llu",
                         name, (unsigned long long)least, (unsigned long long)most);
    }
    *count = (uint64_t)given;
    return PV_STATUS_OK;
}

pv_status web_asked_flag(const json_t *params, const char *name, bool *flag, pv_error *error)
{
    const json_t *const value = member(params, name);
    if (value != NULL && !json_is_boolean(value)) {
        return wrong(error, name, "true or false");
    }
    *flag = value != NULL ? json_is_true(value) : *flag;
    return PV_STATUS_OK;
}

pv_status web_asked_object(const json_t *params, const char *name, const json_t **object,
                           pv_error *error)
{
    const json_t *const value = member(params, name);
    if (value != NULL && !json_is_object(value)) {
        return wrong(error, name, "an object");
    }
    *object = value;
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- demands */

pv_status web_demands_read(const web_call *call, web_demands *demands, pv_error *error)
{
    const cli_opened *const opened = &call->snapshot->opened;
    pv_status status = PV_STATUS_OK;
    *demands = (web_demands){0};
    CLI_TRY_CLEAN(pv_plan_demands(opened->plan, demands->all.list, &demands->all.n, error));
    CLI_TRY_CLEAN(web_asked_list(call->params, "require", &demands->require, error));
    CLI_TRY_CLEAN(cli_demands_add(&demands->all, demands->require, error));
    CLI_TRY_CLEAN(web_asked_text(call->params, "suppression", &demands->budget_text, error));
    CLI_TRY_CLEAN(cli_suppression_choose(opened, demands->budget_text, NULL, &demands->budget,
                                         &demands->suppression, error));
cleanup:
    if (status != PV_STATUS_OK) {
        web_demands_free(demands);
    }
    return status;
}

void web_demands_free(web_demands *demands)
{
    free(demands->require);
    demands->require = NULL;
}

char *web_demands_words(const cli_demands *demands)
{
    char *words = NULL;
    for (size_t i = 0; i < demands->n; i++) {
        char text[PV_MEASURE_TEXT_SIZE];
        pv_constraint_text(&demands->list[i], text, sizeof text);
        if (words == NULL) {
            words = cli_copy(text);
        } else {
            cli_append(&words, "%s%s", i + 1 == demands->n ? " and " : ", ", text);
        }
    }
    return words;
}

void web_demands_to_spec(const web_demands *demands, json_t *spec)
{
    if (demands->require != NULL) {
        cli_json_set(spec, "require", cli_json_text(demands->require));
    }
    if (demands->budget_text != NULL) {
        cli_json_set(spec, "suppression", cli_json_text(demands->budget_text));
    }
}
