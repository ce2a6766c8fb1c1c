/* Two solutions of an answer, person by person, before one of them is chosen. */
#ifndef CLI_PREFER_COMPARE_H
#define CLI_PREFER_COMPARE_H

#include "compare/rivals.h"
#include "prefer/answer.h"

/* Is --compare, if given, two solutions? Whether they are there is known after the search. */
PV_CHECKED pv_status cli_prefer_compare_check(const cli_prefer *settings, pv_error *error);
/* Without --compare nothing is compared: rivals->judgement is NULL. */
PV_CHECKED pv_status cli_prefer_compare(cli_run *run, const cli_preferred *preferred,
                                        cli_rivals *rivals, pv_error *error);

#endif
