/* A comparison of releases with its judgement: what `compare` shows of files, and `front` and
 * `prefer` of two schemes that can still be chosen.
 *
 *     settings.c        what is said about a comparison, and how it is understood
 *     run.c             `paravent compare`, and two schemes compared before one is chosen
 *     print.c, json.c   a contest for people and for programs */
#ifndef CLI_COMPARE_CONTEST_H
#define CLI_COMPARE_CONTEST_H

#include "core/command.h"
#include "core/opened.h"
#include "core/options.h"

#include <jansson.h>
#include <paravent/paravent.h>

/* ----------------------------------------------------------------- contest */

/* Everything is borrowed. */
typedef struct cli_contest {
    const pv_comparison *comparison;
    const pv_judgement *judgement;
    bool indices[PV_INDEX_COUNT]; /* to be shown */
    bool all;                     /* every number */
    bool are_files;               /* or schemes, which can still be chosen */
} cli_contest;

/* The report for people. */
PV_CHECKED pv_status cli_contest_print(const cli_report *report, const cli_contest *contest,
                                       pv_error *error);
/* Adds its members to the document. */
PV_CHECKED pv_status cli_contest_json(json_t *document, const cli_contest *contest,
                                      pv_error *error);

/* ----------------------------------------------------------------- rivals */

/* A scheme with what it is called: levels, or cuts. */
typedef struct cli_rival {
    const char *name;
    const uint8_t *levels;
    const pv_cuts *cuts; /* NULL if there are levels */
    uint64_t k;          /* of levels: smaller classes are suppressed; 0 = as `suppression` says */
} cli_rival;

/* Owns what the contest borrows. */
typedef struct cli_rivals {
    pv_comparison *comparison;
    pv_judgement *judgement;
    cli_contest contest;
} cli_rivals;

/* `suppression` is that of levels. */
PV_CHECKED pv_status cli_rivals_fight(cli_run *run, const cli_opened *opened,
                                      const cli_rival rivals[2], const pv_suppression *suppression,
                                      cli_rivals *made, pv_error *error);
void cli_rivals_free(cli_rivals *rivals);

/* Under a heading of its own. */
PV_CHECKED pv_status cli_rivals_print(const cli_report *report, const cli_rivals *rivals,
                                      pv_error *error);
/* Adds the member "compare"; `rivals` NULL = null. */
PV_CHECKED pv_status cli_rivals_json(json_t *document, const cli_rivals *rivals, pv_error *error);

/* --------------------------------------------------------------- settings */

/* As given. */
typedef struct cli_compare_settings {
    cli_common common;
    cli_reading reading;
    const char *plan, *data, *key;
    char *row_map; /* files, separated by commas */
    char *properties, *index, *by;
    char *wtd, *lex, *goal; /* class-size:cov=0.5,glm:spr=0.5 */
    char *combine;          /* names of combinations of the plan */
    const char *tolerance;
    char *target; /* class-size=10,glm=0.5 */
    cli_count k;
    const char *html;
    bool all, force;
} cli_compare_settings;

/* A combination whose properties are still names. */
typedef struct cli_combination {
    char *name;
    pv_combination_kind kind;
    char **properties;
    pv_term *terms;
    size_t n_terms;
} cli_combination;

/* What everyone should have of a property. */
typedef struct cli_target {
    char *property;
    double value;
} cli_target;

/* As understood, in three steps: what the command line says by itself, before anything is read;
 * what needs the plan; and, once there is a comparison, properties by number. */
typedef struct cli_contest_query {
    bool indices[PV_INDEX_COUNT];
    char **row_maps;
    size_t n_row_maps;
    char **properties; /* to compare */
    size_t n_properties;
    char **groups;
    size_t n_groups;
    cli_combination *combinations;
    size_t n_combinations;
    double tolerance;
    cli_target *targets; /* of rank */
    size_t n_targets;
    uint64_t enough;
    /* The same with properties by number. */
    pv_combination *resolved_combinations;
    double *resolved_targets; /* per property */
} cli_contest_query;

/* What the plan demands of k is enough; 0 = it demands nothing. */
uint64_t cli_contest_enough(const pv_plan *plan);

/* The three steps. Free the query even after a failure. */
PV_CHECKED pv_status cli_contest_query_read(const cli_compare_settings *settings,
                                            cli_contest_query *query, pv_error *error);
PV_CHECKED pv_status cli_contest_query_plan(const cli_compare_settings *settings,
                                            const pv_plan *plan, cli_contest_query *query,
                                            pv_error *error);
PV_CHECKED pv_status cli_contest_query_resolve(cli_contest_query *query,
                                               const pv_comparison *comparison, pv_error *error);
void cli_contest_query_free(cli_contest_query *query);

/* The document of `compare --json`: the table, how rows were joined, and the contest. */
PV_CHECKED pv_status cli_compare_json(const char *plan, const char *key, const cli_opened *opened,
                                      const cli_contest_query *query, const cli_contest *contest,
                                      json_t **document, pv_error *error);

#endif
