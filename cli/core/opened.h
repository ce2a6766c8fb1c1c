/* A plan with its table and profile, opened as the options say: where most commands begin. */
#ifndef CLI_CORE_OPENED_H
#define CLI_CORE_OPENED_H

#include "core/command.h"

#include <jansson.h>
#include <paravent/paravent.h>

typedef struct cli_opened {
    pv_plan *plan;
    pv_study *study;
    const pv_profile *profile; /* the study's */
    bool borrowed;             /* plan and study are the host's: closing leaves them open */
} cli_opened;

/* Which columns of the data are kept. */
typedef enum cli_columns {
    CLI_WITH_ROLE,      /* those that can be measured */
    CLI_ALL_BUT_NAMES,  /* what a release writes: all but the identifiers */
    CLI_ALL_WITH_NAMES, /* identifiers, too, to replace them by hashes */
    CLI_EVERYTHING,     /* whatever the file has */
} cli_columns;

/* `data` NULL = the plan's. On failure nothing is left open. */
PV_CHECKED pv_status cli_open(cli_run *run, const char *plan, const char *data,
                              const cli_reading *reading, cli_columns columns, cli_opened *opened,
                              pv_error *error);
/* The same through the cuts of a file: plan and study are those of the cut scheme. `cuts` NULL =
 * none. */
PV_CHECKED pv_status cli_open_cut(cli_run *run, const char *plan, const char *data,
                                  const char *cuts, const cli_reading *reading, cli_columns columns,
                                  cli_opened *opened, pv_error *error);
/* ... or through cuts that are at hand. */
PV_CHECKED pv_status cli_open_with_cuts(cli_run *run, const char *plan, const char *data,
                                        const pv_cuts *cuts, const cli_reading *reading,
                                        cli_columns columns, cli_opened *opened, pv_error *error);
/* Every quasi-identifier as its values and `*`. */
PV_CHECKED pv_status cli_see_as_cells(const pv_study *study, cli_opened *cells, pv_error *error);
/* The plan and study of a cut scheme, on the table of a study that stays as it is. */
PV_CHECKED pv_status cli_see_through_cuts(const pv_study *study, const pv_cuts *cuts,
                                          cli_opened *cut, pv_error *error);
/* Only the plan, as the command line overrules it; no output may be a file that it names. */
PV_CHECKED pv_status cli_open_plan(cli_run *run, const char *path, const cli_reading *reading,
                                   pv_plan **plan, pv_error *error);
/* How a study is opened for that. */
pv_study_options cli_study_options(const char *data, const cli_reading *reading,
                                   cli_columns columns);
/* Only plan and study: there is no profile. */
PV_CHECKED pv_status cli_open_table(cli_run *run, const char *plan, const char *data,
                                    const cli_reading *reading, cli_columns columns,
                                    cli_opened *opened, pv_error *error);
void cli_close(cli_opened *opened);
/* --explain: prints what SQL would read the data of a plan, and what would write the release into
 * `output`, if that is a place; NULL = none. */
PV_CHECKED pv_status cli_explain(cli_run *run, const char *plan, const char *data,
                                 const cli_reading *reading, cli_columns columns,
                                 const char *output, pv_error *error);
/* Prints statements, as they are or as {"sql": ...}. */
void cli_explain_print(cli_run *run, const char *sql);

/* The budget that --suppression gives (NULL = the plan's), as it was given and in rows; and the
 * rule that --suppress gives (NULL = the plan's). */
PV_CHECKED pv_status cli_suppression_choose(const cli_opened *opened, const char *text,
                                            const char *rule, pv_budget *budget,
                                            pv_suppression *suppression, pv_error *error);
json_t *
cli_suppression_json(const pv_suppression *suppression); /* {"budget", "target_k", "rule"} */
json_t *cli_heights_json(const pv_study *study); /* the top level of each quasi-identifier */

/* The reading options for a table without a plan. */
pv_read_options cli_reading_options(const cli_reading *reading);
/* Lets the command line overrule the plan. */
void cli_reading_overrule(const cli_reading *reading, pv_plan *plan);
/* Says how many bad rows were skipped and around how many fields blanks were removed, if any. */
void cli_reading_note(const cli_run *run, const pv_table *table);

/* Rows of a column that have no value. */
uint64_t cli_missing_rows(const pv_table *table, size_t column);

/* {"source", "rows", "skipped", "distinct", "quasi": [...]}. */
json_t *cli_opened_json(const cli_opened *opened);
/* "age, sex and zip". Owned. */
char *cli_quasi_names(const pv_study *study);

#endif
