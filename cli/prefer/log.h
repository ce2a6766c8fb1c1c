/* The audit trail of a session of wishes. */
#ifndef CLI_PREFER_LOG_H
#define CLI_PREFER_LOG_H

#include "core/command.h"

/* Reads the session file and shows its trail, as the run wants it. */
PV_CHECKED pv_status cli_walk_log_show(cli_run *run, const char *path, pv_error *error);
/* Shows what was read from it, for people. */
void cli_walk_log_print(const cli_report *report, const char *path, const pv_walk_log *log);

#endif
