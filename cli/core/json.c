/* The JSON side of the command. */
#include "core/json.h"

#include "core/fail.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Significant digits: the most that print 0.1 as 0.1. */
#define PRECISION 15
/* Whole numbers up to here are exact in a double. */
#define WHOLE_LIMIT 9007199254740992.0

json_t *cli_json_document(const char *command)
{
    json_t *const document = json_object();
    cli_json_set(document, "paravent", cli_json_text(pv_version()));
    cli_json_set(document, "schema", cli_json_count(CLI_JSON_SCHEMA));
    cli_json_set(document, "command", command != NULL ? cli_json_text(command) : json_null());
    return document;
}

json_t *cli_json_text(const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    char *const clean = cli_zeroed(strlen(text) + 1, sizeof replacement);
    size_t n = 0;
    while (*text != '\0') {
        unsigned code = 0;
        const size_t length = cli_utf8_next(text, &code);
        const bool broken = code == 0xfffd;
        memcpy(clean + n, broken ? replacement : text, broken ? 3 : length);
        n += broken ? 3 : length;
        text += length;
    }
    json_t *const string = json_string(clean);
    free(clean);
    return string;
}

json_t *cli_json_number(double value)
{
    if (!isfinite(value)) {
        return json_null();
    }
    const bool whole = fabs(value) < WHOLE_LIMIT && fabs(value - nearbyint(value)) <= 0.0;
    return whole ? json_integer((json_int_t)value) : json_real(value);
}

json_t *cli_json_count(uint64_t count)
{
    return json_integer((json_int_t)count);
}

json_t *cli_json_bool(bool value)
{
    return json_boolean(value);
}

void cli_json_set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0) {
        cli_no_memory();
    }
}

void cli_json_append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0) {
        cli_no_memory();
    }
}

void cli_json_dump(json_t *document)
{
    /* A failing standard output is noticed by main, which looks at it once at the end. */
    (void)json_dumpf(document, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(PRECISION));
    (void)fputc('\n', stdout);
    json_decref(document);
}

void cli_json_print(cli_run *run, json_t *document)
{
    if (run->host != NULL) {
        json_decref(run->host->document);
        run->host->document = document;
    } else {
        cli_json_dump(document);
    }
    run->json_printed = true;
}

pv_status cli_cuts_json(const pv_cuts *cuts, json_t **object, pv_error *error)
{
    char *text = NULL;
    CLI_TRY(pv_cuts_text(cuts, &text, error));
    json_t *const file = json_loads(text, 0, NULL);
    pv_string_free(text);
    if (file == NULL) {
        cli_no_memory();
    }
    *object = json_incref(json_object_get(file, "cuts"));
    json_decref(file);
    return PV_STATUS_OK;
}
