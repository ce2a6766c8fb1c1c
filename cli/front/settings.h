/* What can be said about a search on the command line, and how it is understood. */
#ifndef CLI_FRONT_SETTINGS_H
#define CLI_FRONT_SETTINGS_H

#include "core/options.h"

#include <paravent/paravent.h>

/* As given; all zero = k against glm by the best method. */
typedef struct cli_search {
    char *objectives, *epsilon;
    const char *method;
    const char *memory, *seconds;
    const char *crossover, *mutation;
    const char *start; /* a file of `front --json` to begin with */
    cli_count evaluations, depth, seed, archive, population, iterations, patience;
} cli_search;

/* As understood. The options borrow from the settings and from here. */
typedef struct cli_request {
    pv_measure_ref objectives[PV_MAX_OBJECTIVES];
    pv_search_options options;
} cli_request;

/* Everything but `start`. Without a profile, shares of the largest possible value cannot be turned
 * into numbers yet: then the settings are only checked. */
PV_CHECKED pv_status cli_request_read(const cli_search *settings, const pv_profile *profile,
                                      cli_request *request, pv_error *error);

/* Which of the objectives it is; SIZE_MAX = none. */
size_t cli_objective_find(const pv_measure_ref *objectives, size_t n, pv_measure_ref ref);
/* "k and glm". Owned. */
char *cli_objective_list(const pv_measure_ref *objectives, size_t n);

#endif
