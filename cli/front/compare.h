/* Two points of a front, person by person, before one of them is chosen. */
#ifndef CLI_FRONT_COMPARE_H
#define CLI_FRONT_COMPARE_H

#include "compare/rivals.h"
#include "front/options.h"
#include "front/search.h"

/* Is --compare, if given, two picks? As for cli_pick_check. */
PV_CHECKED pv_status cli_front_compare_check(const cli_front *settings, const pv_front *sample,
                                             const pv_profile *profile, pv_error *error);
/* Without --compare, or without points, nothing is compared: rivals->judgement is NULL. */
PV_CHECKED pv_status cli_front_compare(cli_run *run, const cli_front *settings,
                                       const cli_found *found, cli_rivals *rivals, pv_error *error);

#endif
