/* Failures of other rooms, told where the plan led to them. */
#include "plan/plan_parts.h"

#include "plan/spelling.h"

#include <stdio.h>
#include <string.h>

pv_status pv_i_place_error(pv_status status, const char *file, uint64_t line, uint64_t column,
                           pv_error *error)
{
    if (status == PV_STATUS_OK || status == PV_STATUS_NO_MEMORY) {
        return status;
    }
    if (error != NULL) {
        error->status = PV_STATUS_INPUT;
        if (error->file[0] == '\0' && file != NULL) {
            (void)snprintf(error->file, sizeof error->file, "%s", file);
            error->line = line;
            error->column = column;
        }
    }
    return PV_STATUS_INPUT;
}

void pv_i_prefix_error(pv_error *error, const char *what, const char *name)
{
    char prefix[128];
    char message[sizeof error->message];
    if (error == NULL || error->status == PV_STATUS_NO_MEMORY) {
        return;
    }
    const int length = snprintf(prefix, sizeof prefix, "%s `%s`: ", what, pv_i_shown(name).text);
    (void)snprintf(message, sizeof message, "%s%.*s", prefix, (int)sizeof message - length - 1,
                   error->message);
    memcpy(error->message, message, sizeof message);
}
