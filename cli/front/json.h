/* A front for programs: JSON and CSV. */
#ifndef CLI_FRONT_JSON_H
#define CLI_FRONT_JSON_H

#include "front/search.h"

#include <jansson.h>

/* Adds its members to an object. */
PV_CHECKED pv_status cli_found_json(json_t *object, const cli_found *found, pv_error *error);
/* Of levels: {"levels", "k", the objectives, "suppressed", "ties", "shares"}. */
json_t *cli_point_json(const cli_found *found, size_t point);
/* One line per point: the level of each attribute, or its groups, objectives and their shares, k,
 * suppressed rows, ties, of cuts what is proven, and what the point is called among the
 * suggestions. Owned. */
char *cli_found_csv(const cli_found *found);

#endif
