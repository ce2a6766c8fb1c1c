/* The JSON side of the command: every document opens alike, and text that is no UTF-8 or numbers
 * that are none cannot break it. The format is described in docs/json.md. */
#ifndef CLI_CORE_JSON_H
#define CLI_CORE_JSON_H

#include "core/command.h"

#include <jansson.h>
#include <paravent/paravent.h>
#include <stdint.h>

#define CLI_JSON_SCHEMA 1

/* {"paravent": version, "schema": 1, "command": name}; `command` may be NULL. */
json_t *cli_json_document(const char *command);
/* Invalid UTF-8 becomes U+FFFD. */
json_t *cli_json_text(const char *text);
/* Whole numbers are written as such; what is no number is null. */
json_t *cli_json_number(double value);
json_t *cli_json_count(uint64_t count);
json_t *cli_json_bool(bool value);
/* Both take `value` over; NULL means that memory ran out. */
void cli_json_set(json_t *object, const char *key, json_t *value);
void cli_json_append(json_t *array, json_t *value);
/* Writes to standard output and frees. */
void cli_json_dump(json_t *document);
/* The same as the one document of a run. */
void cli_json_print(cli_run *run, json_t *document);

/* {"age": {"breaks": [...]}, ...}: the cuts as their file has them. Fails if a name or a value is
 * no UTF-8. */
PV_CHECKED pv_status cli_cuts_json(const pv_cuts *cuts, json_t **object, pv_error *error);

#endif
