/* Calls made by hand. */
#include "call.h"

#include "core/fail.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DATA "test_web_data.csv"

void __wrap_web_partial(web_call *call, json_t *partial)
{
    web_sample *const sample = call->job;
    json_decref(sample->partial);
    sample->partial = partial;
}

void __wrap_web_note(web_call *call, const char *text)
{
    (void)call;
    (void)text;
}

/* Nothing but names in the folder. */
pv_status __wrap_web_path(web_call *call, const char *path, bool for_writing, char **file,
                          pv_error *error)
{
    (void)call;
    (void)for_writing;
    if (strchr(path, '/') != NULL) {
        return cli_error(error, PV_STATUS_ARGUMENT, "not in the folder");
    }
    *file = cli_copy(path);
    return PV_STATUS_OK;
}

void web_sample_create(web_sample *sample, const char *csv, const char *plan, bool open)
{
    static const pv_study_options options = {.size = sizeof options, .all_columns = true};
    static char folder[] = ".", name[] = "test_web_data.yaml";
    *sample = (web_sample){.snapshot = {.folder = folder, .plan_path = name}};
    FILE *const file = fopen(DATA, "w");
    pv_error error;
    assert_non_null(file);
    assert_true(fputs(csv, file) >= 0);
    assert_int_equal(fclose(file), 0);
    sample->snapshot.plan_text = cli_format("data: " DATA "\n%s", plan);
    if (open) {
        cli_opened *const opened = &sample->snapshot.opened;
        const char *const text = sample->snapshot.plan_text;
        if (pv_plan_parse(name, text, strlen(text), &opened->plan, &error) != PV_STATUS_OK ||
            pv_study_open(opened->plan, &options, NULL, &opened->study, &error) != PV_STATUS_OK ||
            pv_study_profile(opened->study, &opened->profile, &error) != PV_STATUS_OK) {
            fail_msg("%s", error.message);
        }
    }
    sample->call = (web_call){.snapshot = &sample->snapshot, .job = sample};
}

void web_sample_free(web_sample *sample)
{
    pv_study_free(sample->snapshot.opened.study);
    pv_plan_free(sample->snapshot.opened.plan);
    free(sample->snapshot.plan_text);
    json_decref(sample->partial);
    (void)unlink(DATA);
}

pv_status web_sample_fail(web_sample *sample, web_endpoint_fn endpoint, json_t *params,
                          pv_error *error)
{
    json_t *result = NULL;
    sample->call.params = params != NULL ? params : json_object();
    const pv_status status = endpoint(&sample->call, &result, error);
    json_decref(sample->call.params);
    assert_null(result);
    return status;
}

json_t *web_sample_run(web_sample *sample, web_endpoint_fn endpoint, json_t *params)
{
    json_t *result = NULL;
    pv_error error;
    sample->call.params = params != NULL ? params : json_object();
    if (endpoint(&sample->call, &result, &error) != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    json_decref(sample->call.params);
    return result;
}

const char *web_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

json_int_t web_count(const json_t *object, const char *key)
{
    assert_true(json_is_integer(json_object_get(object, key)));
    return json_integer_value(json_object_get(object, key));
}

char *web_json(const json_t *part)
{
    char *const text = json_dumps(part, JSON_ENCODE_ANY | JSON_COMPACT);
    for (char *at = text; *at != '\0'; at++) {
        *at = *at == '"' ? '\'' : *at; /* to be written in C */
    }
    return text;
}
