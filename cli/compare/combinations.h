/* Combinations of properties and indices, as options and plans write them. */
#ifndef CLI_COMPARE_COMBINATIONS_H
#define CLI_COMPARE_COMBINATIONS_H

#include "compare/settings.h"

/* Both fail with a hint. */
PV_CHECKED pv_status cli_index_parse(const char *name, pv_index *index, pv_error *error);
PV_CHECKED pv_status cli_property_check(const char *name, pv_error *error);

/* --wtd, --lex, --goal and --combine, in this order. Without a plan --combine is left alone. */
PV_CHECKED pv_status cli_combinations_read(const cli_compare_settings *settings,
                                           const pv_plan *plan, cli_contest_query *query,
                                           pv_error *error);

#endif
