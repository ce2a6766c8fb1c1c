/* The files a command writes. They are claimed before the work begins, so that what is in the
 * way shows at once, and appear together when the command commits them; `-` is standard output. */
#ifndef CLI_CORE_OUTPUTS_H
#define CLI_CORE_OUTPUTS_H

#include "core/command.h"

bool cli_is_stream(const char *path); /* NULL is none */

/* Claims the files that the options name as outputs, and protects the others. */
PV_CHECKED pv_status cli_outputs_begin(cli_run *run, const void *settings, pv_error *error);
/* Adds one that no option names. */
PV_CHECKED pv_status cli_outputs_add(cli_run *run, const char *path, pv_audience audience,
                                     pv_error *error);
/* The content of a file; NULL is no file. */
PV_CHECKED pv_status cli_outputs_write(cli_run *run, const char *path, const char *text,
                                       pv_error *error);
/* Gives all that was written its name. */
PV_CHECKED pv_status cli_outputs_commit(cli_run *run, pv_error *error);
void cli_outputs_end(cli_run *run);

#endif
