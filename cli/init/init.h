/* What `init` finds out of a file, which `explore` wants as well. */
#ifndef CLI_INIT_INIT_H
#define CLI_INIT_INIT_H

#include "core/command.h"

#include <paravent/paravent.h>

typedef struct cli_guess {
    const char *data; /* borrowed */
    char *plan_path;
    char *text; /* of the plan */
    pv_table *table;
    pv_guesses *guesses;
    pv_plan *plan; /* the text, parsed */
} cli_guess;

/* Reads the data, guesses, and makes the text of a plan to be written to `plan_path`; nothing is
 * written. */
PV_CHECKED pv_status cli_guess_make(cli_run *run, const cli_reading *reading, const char *data,
                                    const char *plan_path, cli_guess *guess, pv_error *error);
void cli_guess_free(cli_guess *guess);

#endif
