/* `paravent hierarchy`: one column of a data file and how its hierarchy is to be built (source.c),
 * and what comes of it (run.c). */
#ifndef CLI_HIERARCHY_HIERARCHY_H
#define CLI_HIERARCHY_HIERARCHY_H

#include "core/command.h"

typedef struct cli_hierarchy_settings {
    cli_common common;
    cli_reading reading;
    const char *attribute, *data, *output;
    cli_count leaves;
    bool missing, force;
    /* How a hierarchy is to be built; all NULL or false = the options do not say. */
    char *intervals, *breaks, *date, *order;
    const char *origin, *closed, *mask, *rare;
    bool suppress;
} cli_hierarchy_settings;

typedef struct cli_column_source {
    pv_plan *plan; /* the plan, or one made up from the options */
    const pv_plan_attribute *attribute;
    pv_table *table; /* with that column only */
    size_t column;
} cli_column_source;

/* From a plan file and its data. */
PV_CHECKED pv_status cli_column_from_plan(cli_run *run, const cli_hierarchy_settings *settings,
                                          cli_column_source *source, pv_error *error);
/* From a data file and the options. */
PV_CHECKED pv_status cli_column_from_data(cli_run *run, const cli_hierarchy_settings *settings,
                                          cli_column_source *source, pv_error *error);
void cli_column_free(cli_column_source *source);

/* The values that the hierarchy has no place for, a list of `n` to be freed; the missing value
 * always has one. NULL, and an error, if the hierarchy is none that can be asked. */
const char **cli_column_uncovered(const cli_column_source *source, size_t *n, pv_error *error);

#endif
