/* Searching from the command line: what `front`, `release --pick` and `demo` share. */
#ifndef CLI_FRONT_SEARCH_H
#define CLI_FRONT_SEARCH_H

#include "command.h"
#include "opened.h"

#include <paravent/paravent.h>

/* What can be said about a search; all zero = k against glm by the best method. */
typedef struct cli_search {
    char *objectives;
    const char *method;
    const char *memory, *seconds;
    cli_count evaluations, depth;
} cli_search;

/* A front with what it was made from. The study and profile are borrowed. */
typedef struct cli_found {
    const cli_opened *opened;
    pv_suppression suppression;
    pv_front *front;
    pv_suggestion suggestions[PV_MAX_SUGGESTIONS];
    size_t n_suggestions;
} cli_found;

/* Are the settings good? To be asked before anything takes time. */
PV_CHECKED pv_status cli_search_check(const cli_search *settings, pv_error *error);
/* Reads the settings and searches. That a search was interrupted is no
 * failure: see found->front->stop. */
PV_CHECKED pv_status cli_search_run(cli_run *run, const cli_search *settings,
                                    const cli_opened *opened, const pv_suppression *suppression,
                                    cli_found *found, pv_error *error);
void cli_found_free(cli_found *found);

/* "k and glm". Owned. */
char *cli_objective_names(const pv_front *front);
/* "k 10, glm 31.2%". Owned. */
char *cli_point_text(const cli_found *found, size_t point);
/* The value of an objective as people read it: as a share where it has one. */
cli_number cli_objective_text(const cli_found *found, size_t objective, double value);

#endif
