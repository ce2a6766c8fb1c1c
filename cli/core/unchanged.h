/* Columns of a released file that are no quasi-identifiers, and whom they would single out to
 * someone who knows them. */
#ifndef CLI_CORE_UNCHANGED_H
#define CLI_CORE_UNCHANGED_H

#include "core/report.h"

#include <jansson.h>
#include <paravent/paravent.h>

/* As a table, with roles and treatments if there is a plan; NULL = there is none. */
void cli_unchanged_print(const cli_report *report, const pv_audit *audit, const pv_plan *plan);
/* Appends them to a list. */
void cli_unchanged_json(json_t *list, const pv_audit *audit, const pv_plan *plan);

#endif
