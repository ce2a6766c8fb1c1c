/* Small files a command writes beside its report; `-` is standard output. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include <paravent/status.h>
#include <stdbool.h>

bool cli_is_stream(const char *path); /* NULL is none */
/* Refuses a file that exists, before anything takes time. NULL and `-` are fine. */
PV_CHECKED pv_status cli_output_check(const char *path, bool force, pv_error *error);
PV_CHECKED pv_status cli_output_write(const char *path, const char *text, bool force,
                                      pv_error *error);

#endif
