/* A plan with its table and profile, opened as the options say: where most commands begin. */
#ifndef CLI_OPENED_H
#define CLI_OPENED_H

#include "command.h"

#include <jansson.h>
#include <paravent/paravent.h>

typedef struct cli_opened {
    pv_plan *plan;
    pv_study *study;
    pv_profile *profile;
} cli_opened;

/* `data` NULL = the plan's. On failure nothing is left open. */
PV_CHECKED pv_status cli_open(cli_run *run, const char *plan, const char *data,
                              const cli_reading *reading, bool identifiers, cli_opened *opened,
                              pv_error *error);
void cli_close(cli_opened *opened);

/* The reading options for a table without a plan. */
pv_read_options cli_reading_options(const cli_reading *reading);
/* Lets the command line overrule the plan. */
void cli_reading_overrule(const cli_reading *reading, pv_plan *plan);
/* Says how many bad rows were skipped, if any. */
void cli_reading_note(const cli_run *run, const pv_table *table);

/* {"source", "rows", "skipped", "distinct", "quasi": [...]}. */
json_t *cli_opened_json(const cli_opened *opened);
/* "age, sex and zip". Owned. */
char *cli_quasi_names(const pv_study *study);

#endif
