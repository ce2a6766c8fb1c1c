/* Cuts in JSON. */
#include "core/cuts_json.h"

#include "core/fail.h"
#include "core/text.h"

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
