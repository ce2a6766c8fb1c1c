/* A comparison of releases with its judgement, for people and as JSON. */
#ifndef CLI_COMPARE_CONTEST_H
#define CLI_COMPARE_CONTEST_H

#include "core/command.h"

#include <jansson.h>
#include <paravent/paravent.h>

/* Everything is borrowed. */
typedef struct cli_contest {
    const pv_comparison *comparison;
    const pv_judgement *judgement;
    bool indices[PV_INDEX_COUNT]; /* to be shown */
    bool all;                     /* every number */
    bool are_files;               /* or schemes, which can still be chosen */
} cli_contest;

/* The report for people. */
PV_CHECKED pv_status cli_contest_print(const cli_report *report, const cli_contest *contest,
                                       pv_error *error);
/* Adds its members to the document. */
PV_CHECKED pv_status cli_contest_json(json_t *document, const cli_contest *contest,
                                      pv_error *error);

#endif
