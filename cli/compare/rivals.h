/* Two schemes compared person by person before one of them is chosen. */
#ifndef CLI_COMPARE_RIVALS_H
#define CLI_COMPARE_RIVALS_H

#include "compare/contest.h"
#include "core/opened.h"

#include <paravent/paravent.h>

/* A scheme with what it is called: levels, or cuts. */
typedef struct cli_rival {
    const char *name;
    const uint8_t *levels;
    const pv_cuts *cuts; /* NULL if there are levels */
} cli_rival;

/* Owns what the contest borrows. */
typedef struct cli_rivals {
    pv_comparison *comparison;
    pv_judgement *judgement;
    cli_contest contest;
} cli_rivals;

/* `suppression` is that of levels. */
PV_CHECKED pv_status cli_rivals_fight(cli_run *run, const cli_opened *opened,
                                      const cli_rival rivals[2], const pv_suppression *suppression,
                                      cli_rivals *made, pv_error *error);
void cli_rivals_free(cli_rivals *rivals);

/* Under a heading of its own. */
PV_CHECKED pv_status cli_rivals_print(const cli_report *report, const cli_rivals *rivals,
                                      pv_error *error);
/* Adds the member "compare"; `rivals` NULL = null. */
PV_CHECKED pv_status cli_rivals_json(json_t *document, const cli_rivals *rivals, pv_error *error);

#endif
