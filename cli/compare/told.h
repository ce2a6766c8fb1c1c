/* A comparison of releases with its judgement, and how it is told. */
#ifndef CLI_COMPARE_TOLD_H
#define CLI_COMPARE_TOLD_H

#include "core/command.h"

#include <jansson.h>
#include <paravent/paravent.h>

/* Everything is borrowed. */
typedef struct cli_contest {
    const pv_comparison *comparison;
    const pv_judgement *judgement;
    bool indices[PV_INDEX_COUNT]; /* to be told */
    bool all;                     /* every number */
    bool are_files;               /* or schemes, which can still be chosen */
} cli_contest;

/* The report for people. */
PV_CHECKED pv_status cli_contest_print(const cli_report *report, const cli_contest *contest,
                                       pv_error *error);
/* Parts of it: the groups asked for with --by. */
void cli_contest_print_groups(const cli_report *report, const cli_contest *contest);

/* Adds its members to the document. */
PV_CHECKED pv_status cli_contest_json(json_t *document, const cli_contest *contest,
                                      pv_error *error);

/* A value of a property as people read it. */
double cli_contest_shown(const cli_contest *contest, size_t property, double value);
/* What an index says of the first of two, as people read it. */
double cli_contest_index(const cli_contest *contest, size_t property, size_t index,
                         const pv_duel *duel, bool second);
/* Over all properties: nobody worse off in any, somebody better in one. */
pv_dominance cli_contest_dominance(const cli_contest *contest, size_t first, size_t second);

#endif
