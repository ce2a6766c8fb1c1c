/* What pages say in the parameters of a job, checked before anything else happens. */
#include "core/fail.h"
#include "server/candidate.h"

pv_status web_text_of(const json_t *object, const char *key, const char **text, pv_error *error)
{
    const json_t *const value = json_object_get(object, key);
    *text = json_string_value(value);
    return *text != NULL || value == NULL || json_is_null(value)
               ? PV_STATUS_OK
               : cli_error(error, PV_STATUS_ARGUMENT, "`%s` is no text", key);
}

pv_status web_count_of(const json_t *object, const char *key, uint64_t usual, uint64_t *count,
                       pv_error *error)
{
    const json_t *const value = json_object_get(object, key);
    if (value == NULL || json_is_null(value)) {
        *count = usual;
        return PV_STATUS_OK;
    }
    if (!json_is_integer(value) || json_integer_value(value) < 0) {
        return cli_error(error, PV_STATUS_ARGUMENT, "`%s` is no whole number from 0 on", key);
    }
    *count = (uint64_t)json_integer_value(value);
    return PV_STATUS_OK;
}

pv_status web_spec_of(const web_call *call, const json_t **spec, pv_error *error)
{
    *spec = json_object_get(call->params, "spec");
    return json_is_object(*spec) ? PV_STATUS_OK
                                 : cli_error(error, PV_STATUS_ARGUMENT, "`spec` says no scheme");
}

bool web_is_hidden(const pv_plan *plan, const char *column)
{
    const pv_plan_attribute *const attribute = pv_plan_find(plan, column);
    return attribute != NULL && pv_attribute_role(attribute) == PV_ROLE_IDENTIFIER;
}

pv_status web_column_of(const web_call *call, const char *name, size_t *column, pv_error *error)
{
    const pv_study *const study = call->snapshot->opened.study;
    if (web_is_hidden(pv_study_plan(study), name)) {
        return cli_hint(
            cli_error(error, PV_STATUS_ARGUMENT, "the column `%s` identifies people", name), error,
            "values of identifiers are not shown");
    }
    *column = pv_table_find(pv_study_table(study), name);
    return *column != SIZE_MAX
               ? PV_STATUS_OK
               : cli_error(error, PV_STATUS_ARGUMENT, "there is no column `%s`", name);
}
