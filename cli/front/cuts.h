/* The front over cuts from the command line. */
#ifndef CLI_FRONT_CUTS_H
#define CLI_FRONT_CUTS_H

#include "front/options.h"
#include "front/search.h"

/* Is the front over cuts asked for? */
bool cli_front_is_cut(const cli_front *settings);
/* Do all options fit the kind of scheme, and are those about cuts good? To be asked before anything
 * takes time. */
PV_CHECKED pv_status cli_cuts_check(const cli_front *settings, pv_error *error);
/* Searches. That it was interrupted is no failure: see found->front->stop. */
PV_CHECKED pv_status cli_cuts_run(cli_run *run, const cli_front *settings, const cli_opened *opened,
                                  cli_found *found, pv_error *error);
/* Writes the cuts of the point that --pick names; nothing without it. */
PV_CHECKED pv_status cli_cuts_write(cli_run *run, const cli_front *settings, cli_found *found,
                                    pv_error *error);

/* The commands that lead to the release of a point. */
void cli_cuts_print_next(const cli_run *run, const cli_front *settings, const cli_found *found);

#endif
