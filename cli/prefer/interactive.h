/* The interactive walk from wish to wish. */
#ifndef CLI_PREFER_INTERACTIVE_H
#define CLI_PREFER_INTERACTIVE_H

#include "core/command.h"
#include "prefer/answer.h"

/* Answers the wish of the options, then does what standard input asks for until a solution is
 * accepted or the input ends. `preferred` has its walk, and no answer yet. */
PV_CHECKED pv_status cli_walk_interactive(cli_run *run, cli_preferred *preferred, pv_error *error);

#endif
