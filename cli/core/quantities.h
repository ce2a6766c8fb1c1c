/* Numbers, chances and sizes as they are written on the command line. */
#ifndef CLI_CORE_QUANTITIES_H
#define CLI_CORE_QUANTITIES_H

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number that is not negative; false if it is none. */
bool cli_number_parse(const char *text, size_t length, double *number);
/* The value of --NAME, from 0 to 1. The library takes 0 for "not given" and a negative chance for
 * "never"; a text of NULL leaves the chance as it is. */
PV_CHECKED pv_status cli_chance_parse(const char *name, const char *text, double *chance,
                                      pv_error *error);
/* The value of --prove in seconds. The library takes 0 for "not given" and negative seconds for
 * "never"; a text of NULL leaves them as they are. */
PV_CHECKED pv_status cli_prove_parse(const char *text, double *seconds, pv_error *error);
/* The value of --seconds, more than 0; a text of NULL leaves them as they are. */
PV_CHECKED pv_status cli_seconds_parse(const char *text, double *seconds, pv_error *error);
/* The value of --memory: 256M, 2G, 1000000; a text of NULL leaves the bytes as they are. */
PV_CHECKED pv_status cli_memory_parse(const char *text, uint64_t *bytes, pv_error *error);

#endif
