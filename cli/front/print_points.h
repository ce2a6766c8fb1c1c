/* Which points of a front a table on a terminal shows. */
#ifndef CLI_FRONT_PRINT_POINTS_H
#define CLI_FRONT_PRINT_POINTS_H

#include "front/search.h"

/* One flag per point; owned. A front may have hundreds of points; a person wants to see its shape
 * and what the usual demands cost. So of many points these are chosen: the ends, those worth a
 * look, and for each round number on the axis of the first objective the first that reaches it.
 * With three and more objectives: those worth a look, the best in each objective, and for round
 * numbers on every axis the one that reaches them at the least price. */
bool *cli_front_choose(const cli_found *found, bool all);

#endif
