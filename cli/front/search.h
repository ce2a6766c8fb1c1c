/* Searching a front from the command line: what `front`, `release --pick` and `demo` share.
 *
 *     search.c       the options, how they are understood, and the search
 *     ladder.c       local recoding, alone or beside levels and cuts: a point for each of some k
 *     reference.c    a front of an earlier run: to begin with, or to compare with
 *     print.c, print_table.c, json.c    a front for people and for programs
 *     run.c          `paravent front` itself */
#ifndef CLI_FRONT_SEARCH_H
#define CLI_FRONT_SEARCH_H

#include "core/command.h"
#include "core/measured.h"
#include "core/opened.h"
#include "core/options.h"
#include "core/report.h"

#include <jansson.h>
#include <paravent/paravent.h>

/* ----------------------------------------------------------------- settings */

/* A search as given; all zero = k against glm by the best method. */
typedef struct cli_search {
    char *objectives, *epsilon;
    char *require; /* what every point keeps, besides what the plan demands */
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
    cli_demands demands; /* of --require */
} cli_request;

PV_CHECKED pv_status cli_request_read(const cli_search *settings, cli_request *request,
                                      pv_error *error);

/* All settings of `paravent front`. */
typedef struct cli_front {
    cli_common common;
    cli_reading reading;
    cli_search search;
    const char *scheme; /* levels, which NULL is, too, or cuts; local or all: ladder.c */
    char *ks;           /* local, all: one point for each; as the next three */
    const char *minimize, *improve, *bound;
    const char *data, *suppression, *suppress;
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
/* Local recoding, or all kinds side by side (ladder.c)? Are its settings good? Then the whole of
 * it.
 */
bool cli_front_is_ladder(const cli_front *settings);
PV_CHECKED pv_status cli_ladder_check(const cli_front *settings, pv_error *error);
PV_CHECKED pv_status cli_ladder_run(cli_run *run, const cli_front *settings,
                                    const cli_opened *opened, pv_error *error);

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

/* ------------------------------------------------------------------- search */

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

/* -------------------------------------------------------------------- print */

/* The plot, a table of points (the most telling ones, or `all`), the suggestions and how complete
 * it is. */
PV_CHECKED pv_status cli_found_print(const cli_report *report, const cli_found *found, bool all,
                                     pv_error *error);

/* "5,2,0", as --levels wants it. Owned. */
char *cli_levels_text(const cli_found *found, size_t point);

/* Prints the chosen points (one flag each) as a table and how to read it; returns whether their
 * levels are among it: beside many objectives there may be no room. */
bool cli_front_table(const cli_report *report, const cli_found *found, const bool *chosen);

/* The signs of the points: one that others beat in the two objectives of the plot, an ordinary one,
 * one that is suggested, the knee. */
typedef enum cli_sign {
    CLI_NO_SIGN,
    CLI_BEATEN_SIGN,
    CLI_POINT_SIGN,
    CLI_SUGGESTED_SIGN,
    CLI_KNEE_SIGN
} cli_sign;

cli_sign cli_point_sign(const cli_found *found, size_t point);
const char *cli_sign_text(const cli_report *report, cli_sign sign);

/* ------------------------------------------------------------- JSON and CSV */

/* Adds its members to an object. */
PV_CHECKED pv_status cli_found_json(json_t *object, const cli_found *found, pv_error *error);
/* Of levels: {"levels", "k", the objectives, "suppressed", "ties", "shares"}. */
json_t *cli_point_json(const cli_found *found, size_t point);
/* One line per point: the level of each attribute, or its groups, objectives and their shares, k,
 * suppressed rows, ties, of cuts what is proven, and what the point is called among the
 * suggestions. Owned. */
char *cli_found_csv(const cli_found *found);

/* ---------------------------------------------------------------- reference */

/* A front of an earlier run, read back from what `front --json` wrote. The file may be anything;
 * nothing in it is believed unchecked, and no message quotes it. */
typedef struct cli_reference {
    const char *path; /* borrowed */
    json_t *document;
    const json_t *points; /* of the document; at least one */
    size_t n_points;
    bool complete; /* is it provably the whole front? */
} cli_reference;

PV_CHECKED pv_status cli_reference_read(const char *path, cli_reference *reference,
                                        pv_error *error);
void cli_reference_free(cli_reference *reference);
/* Do its objectives have the same names as these, in any order? */
PV_CHECKED pv_status cli_reference_check(const cli_reference *reference,
                                         const pv_measure_ref *objectives, size_t n,
                                         pv_error *error);

/* The schemes of a file to begin with, `n` of them, one after the other; they must be schemes of
 * this study. The caller frees them. Nothing without a path. */
PV_CHECKED pv_status cli_start_read(const char *path, const pv_study *study, uint8_t **levels,
                                    size_t *n, pv_error *error);
/* Is it a front at all? Before the table is opened no more can be said. */
PV_CHECKED pv_status cli_start_check(const char *path, pv_error *error);

/* How a front compares with a reference. */
typedef struct cli_compared {
    const char *path; /* of the reference, borrowed */
    bool complete;    /* was the reference the whole front? */
    size_t n_points;  /* of the front that was compared */
    pv_indicators indicators;
} cli_compared;

/* Notes on standard error if the two are of different tables. */
PV_CHECKED pv_status cli_compare(const cli_run *run, const cli_found *found,
                                 const cli_reference *reference, cli_compared *compared,
                                 pv_error *error);
json_t *cli_compared_json(const cli_compared *compared);
void cli_compared_print(const cli_report *report, const cli_compared *compared);

#endif
