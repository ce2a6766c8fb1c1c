/* A release and its papers: do they belong together, and is the table what the certificate says? */
#ifndef CLI_CHECK_PAPERS_H
#define CLI_CHECK_PAPERS_H

#include "core/command.h"

#include <jansson.h>

typedef struct cli_papers {
    pv_papers *found;    /* NULL = nobody asked for them */
    json_t *certificate; /* NULL = there is none that can be trusted */
} cli_papers;

/* Finds the papers of a table, or takes those in `folder`. That it has none is a failure. */
PV_CHECKED pv_status cli_papers_find(const char *table, const char *folder, cli_papers *papers,
                                     pv_error *error);
void cli_papers_free(cli_papers *papers);

/* The names of the columns that the certificate calls "quasi" or "sensitive"; cli_list_free. */
char **cli_papers_columns(const cli_papers *papers, const char *role, size_t *n);
/* Were formulas escaped? */
bool cli_papers_escaped(const cli_papers *papers);
/* The label column or NULL; borrowed. */
const char *cli_papers_label(const cli_papers *papers);

/* PV_STATUS_UNSATISFIED lists what does not belong to the table or does not hold in it. */
PV_CHECKED pv_status cli_papers_judge(const char *table, const cli_papers *papers,
                                      const pv_audit *audit, pv_error *error);
void cli_papers_print(const cli_report *report, const cli_papers *papers, const pv_audit *audit);
json_t *cli_papers_json(const cli_papers *papers);

#endif
