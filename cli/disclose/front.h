/* `disclose --front`: what risk is left at which utility. */
#ifndef CLI_DISCLOSE_FRONT_H
#define CLI_DISCLOSE_FRONT_H

#include "disclose/answer.h"

/* Draws the curves, writes the files and shows them. */
PV_CHECKED pv_status cli_risk_front_run(cli_run *run, const cli_disclosed *disclosed,
                                        pv_error *error);

#endif
