/* One column of a data file and how its hierarchy is to be built: what `hierarchy` works on. */
#ifndef CLI_HIERARCHY_SOURCE_H
#define CLI_HIERARCHY_SOURCE_H

#include "core/command.h"

#include <paravent/paravent.h>

typedef struct cli_column_source {
    pv_plan *plan; /* the plan, or one made up from the options */
    const pv_plan_attribute *attribute;
    pv_table *table; /* with that column only */
    size_t column;
} cli_column_source;

/* How the options ask for a hierarchy to be built; all NULL or false = they do not. */
typedef struct cli_builder {
    char *intervals, *breaks, *date, *order;
    const char *origin, *closed, *mask, *rare;
    bool suppress;
} cli_builder;

bool cli_builder_given(const cli_builder *builder);

/* From a plan file; reads its data (`data` NULL = the plan's). */
PV_CHECKED pv_status cli_column_from_plan(cli_run *run, const char *plan, const char *attribute,
                                          const char *data, const cli_reading *reading,
                                          cli_column_source *source, pv_error *error);
/* From a data file and the options. */
PV_CHECKED pv_status cli_column_from_data(cli_run *run, const char *data, const char *attribute,
                                          const cli_builder *builder, const cli_reading *reading,
                                          cli_column_source *source, pv_error *error);
void cli_column_free(cli_column_source *source);

/* The codes of the values that the hierarchy has no place for; the missing value always has one.
 * `codes` has space for all values of the column. */
PV_CHECKED pv_status cli_column_uncovered(const cli_column_source *source, uint32_t *codes,
                                          size_t *n, pv_error *error);

#endif
