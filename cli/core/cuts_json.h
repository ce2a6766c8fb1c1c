/* Cuts in JSON. */
#ifndef CLI_CORE_CUTS_JSON_H
#define CLI_CORE_CUTS_JSON_H

#include <jansson.h>
#include <paravent/paravent.h>

/* {"age": {"breaks": [...]}, ...}: the cuts as their file has them. Fails if a name or a value is
 * no UTF-8. */
PV_CHECKED pv_status cli_cuts_json(const pv_cuts *cuts, json_t **object, pv_error *error);

#endif
