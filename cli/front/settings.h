/* What can be said to `paravent front` and to other commands that search a front, and how it is
 * understood. */
#ifndef CLI_FRONT_SETTINGS_H
#define CLI_FRONT_SETTINGS_H

#include "core/command.h"
#include "core/options.h"

#include <paravent/paravent.h>

/* A search as given; all zero = k against glm by the best method. */
typedef struct cli_search {
    char *objectives, *epsilon;
    const char *method;
    const char *memory, *seconds;
    const char *crossover, *mutation;
    const char *start; /* a file of `front --json` to begin with */
    cli_count evaluations, depth, seed, archive, population, iterations, patience;
} cli_search;

/* A search as understood. Its options borrow from the settings; their objectives are these. */
typedef struct cli_request {
    pv_measure_ref objectives[PV_MAX_OBJECTIVES];
    pv_search_options options;
    bool epsilon_is_share[PV_MAX_OBJECTIVES]; /* of the largest possible value, in percent */
    const char *start;
} cli_request;

PV_CHECKED pv_status cli_request_read(const cli_search *settings, cli_request *request,
                                      pv_error *error);

/* All settings of `paravent front`. */
typedef struct cli_front {
    cli_common common;
    cli_reading reading;
    cli_search search;
    const char *scheme; /* levels, which NULL is, too, or cuts */
    const char *data, *suppression;
    const char *svg, *html, *csv;
    const char *against; /* a file of `front --json` to compare with */
    const char *compare; /* two picks, to be compared person by person */
    char *where;
    const char *prove;         /* cuts only, as the next three */
    const char *pick, *output; /* the point whose cuts are written */
    bool free_groups;
    bool all, force;
} cli_front;

extern const char *const cli_front_description[];
extern const cli_option cli_front_options[];
extern const cli_example cli_front_examples[];

/* Is the front over cuts asked for? */
bool cli_front_is_cut(const cli_front *settings);

/* What the settings ask for, read once, before anything takes time. */
typedef struct cli_front_job {
    const cli_front *settings;
    cli_request request;       /* of cuts: only its objectives */
    pv_cut_front_options cuts; /* of cuts */
    char **rivals;             /* the two picks of --compare; NULL = not asked */
} cli_front_job;

/* Refuses what can be refused without the table. To be freed also after a failure. */
PV_CHECKED pv_status cli_front_job_read(const cli_front *settings, cli_front_job *job,
                                        pv_error *error);
/* Are bounds (--where, --pick, --compare) on objectives? Without a profile only their spelling is
 * checked. */
PV_CHECKED pv_status cli_front_job_check(const cli_front_job *job, const pv_profile *profile,
                                         pv_error *error);
void cli_front_job_free(cli_front_job *job);

/* Which of the objectives it is; SIZE_MAX = none. */
size_t cli_objective_find(const pv_measure_ref *objectives, size_t n, pv_measure_ref ref);
/* "k and glm". Owned. */
char *cli_objective_list(const pv_measure_ref *objectives, size_t n);
/* The library says that bounds speak of what is no objective; this adds how to make it one. */
PV_CHECKED pv_status cli_bounds_hint(pv_status status, const pv_measure_ref *objectives, size_t n,
                                     const char *text, pv_error *error);

#endif
