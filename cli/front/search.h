/* Searching from the command line: what `front`, `release --pick` and `demo` share. */
#ifndef CLI_FRONT_SEARCH_H
#define CLI_FRONT_SEARCH_H

#include "core/command.h"
#include "core/opened.h"
#include "front/settings.h"

#include <paravent/paravent.h>

/* A front with what it was made from. The study and profile are borrowed. */
typedef struct cli_found {
    const cli_opened *opened;
    pv_suppression suppression;
    pv_front *front;
    pv_suggestion suggestions[PV_MAX_SUGGESTIONS];
    size_t n_suggestions;
    size_t n_start;                     /* schemes of an earlier front that it began with */
    bool respect_taxonomy;              /* cuts: are groups of categories families? */
    size_t picked;                      /* cuts: the point that --pick names */
    const struct cli_rivals *rivals;    /* two points, person by person; NULL = not asked */
    const struct cli_compared *against; /* how it compares with another front; NULL = not asked */
} cli_found;

/* Are the settings good? To be asked before anything takes time. */
PV_CHECKED pv_status cli_search_check(const cli_search *settings, pv_error *error);
/* Reads the settings and searches. That a search was interrupted is no failure: see pv_front_stop.
 */
PV_CHECKED pv_status cli_search_run(cli_run *run, const cli_search *settings,
                                    const cli_opened *opened, const pv_suppression *suppression,
                                    cli_found *found, pv_error *error);
/* The same for settings that were read. */
PV_CHECKED pv_status cli_request_run(cli_run *run, const cli_request *request,
                                     const cli_opened *opened, const pv_suppression *suppression,
                                     cli_found *found, pv_error *error);
/* The front over cuts. */
PV_CHECKED pv_status cli_cuts_run(cli_run *run, const pv_cut_front_options *options,
                                  const cli_opened *opened, cli_found *found, pv_error *error);
/* As pv_front_choose. */
PV_CHECKED pv_status cli_found_pick(const cli_found *found, const char *text, size_t *point,
                                    pv_error *error);
/* Leaves only the points that keep the bounds, and suggests anew. If none does:
 * PV_STATUS_UNSATISFIED, and nothing has changed. */
PV_CHECKED pv_status cli_found_filter(cli_found *found, const char *where, pv_error *error);
void cli_found_free(cli_found *found);

/* Why a search ended, as JSON has it: "finished", "time", ... */
const char *cli_stop_name(pv_stop stop);
/* "k and glm". Owned. */
char *cli_objective_names(const pv_front *front);
/* "k 10, glm 31.2%". Owned. */
char *cli_point_text(const cli_found *found, size_t point);
/* Why `auto` chose the method, and which would do better; NULL if it was asked for. Owned. */
char *cli_reason_text(const pv_front *front);
/* Of cuts, what is proven about a point: "optimal", "at most 1.2% above the optimum", "at most 2.3
 * times the optimum" or "nothing"; `brief` is "within 1.2%". */
cli_number cli_proven_text(const cli_found *found, size_t point, bool brief);
/* The value of an objective as people read it: as a share where it has one. */
cli_number cli_objective_text(const cli_found *found, size_t objective, double value);

#endif
