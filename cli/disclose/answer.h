/* What `disclose` found for every record, with what it was made from, and how it is told. */
#ifndef CLI_DISCLOSE_ANSWER_H
#define CLI_DISCLOSE_ANSWER_H

#include "core/publish.h"
#include "disclose/settings.h"

#include <jansson.h>
#include <paravent/paravent.h>

typedef struct cli_disclosed {
    const char *plan;
    const cli_disclose *settings;
    const cli_query *query;
    cli_published published; /* what was opened; with -o also what was released */
    bool is_released;
    pv_sensitivities *sensitivities;
    pv_dictionary *dictionary;
    pv_disclosure *disclosure;      /* as chosen; once released, as released */
    pv_disclosure_summary *summary; /* of it; NULL with --row */
    pv_enforced enforced;           /* of the release */
    double risk_chosen;             /* mean over people, before demands were kept */
} cli_disclosed;

/* Opens plan, table and what the attacker has; on failure nothing is left open. */
PV_CHECKED pv_status cli_disclosed_open(cli_run *run, cli_disclosed *disclosed, pv_error *error);
void cli_disclosed_free(cli_disclosed *disclosed);
/* Decides for every record. */
PV_CHECKED pv_status cli_disclosed_solve(cli_run *run, cli_disclosed *disclosed, pv_error *error);
/* Keeps what is demanded: from now on, what is told is what is released. */
PV_CHECKED pv_status cli_disclosed_enforce(cli_run *run, cli_disclosed *disclosed, pv_error *error);
/* Writes the release, verified, and commits it with whatever else the run writes. */
PV_CHECKED pv_status cli_disclosed_release(cli_run *run, cli_disclosed *disclosed, pv_error *error);

static inline const cli_opened *cli_disclosed_opened(const cli_disclosed *disclosed)
{
    return &disclosed->published.opened;
}

/* Is every choice proven to be the best there is? */
bool cli_disclosed_is_exact(const cli_disclosed *disclosed);

/* People whom just one row of the dictionary fits, and whom none does. */
typedef struct cli_fitting {
    uint64_t one, none;
} cli_fitting;

/* As they are, or as they are shown. */
cli_fitting cli_people_fitting(const cli_disclosed *disclosed, bool shown);

/* The level a person is shown at: the last one wherever only `*` is left, as in ragged trees
 * already below. */
unsigned cli_shown_level(const cli_disclosed *disclosed, size_t tuple, size_t quasi);
/* People by that level, height + 1 of them. Owned. */
uint64_t *cli_people_by_level(const cli_disclosed *disclosed, size_t quasi);

/* People who are shown alike: the same attributes at the same levels, whatever their values. */
typedef struct cli_pattern {
    const uint8_t *levels; /* as shown */
    uint64_t people;
    uint64_t fewest; /* dictionary records that fit one of them */
    double mean, worst;
} cli_pattern;

typedef struct cli_patterns {
    cli_pattern *list; /* the most exposed first */
    size_t n;
    uint8_t *levels;
} cli_patterns;

cli_patterns cli_patterns_take(const cli_disclosed *disclosed);
void cli_patterns_free(cli_patterns *patterns);
#define CLI_SHOWN_PATTERNS 10

/* For people. */
void cli_disclosed_print(const cli_report *report, const cli_disclosed *disclosed);
/* Sentences that the reports of all, of one record and of a front share. */
void cli_weighing_print(const cli_report *report, const cli_disclosed *disclosed);
/* The same without the model of risk: what detail is, what is sensitive, what the attacker has. */
void cli_risk_unit_print(const cli_report *report, const cli_disclosed *d);
void cli_detail_print(const cli_report *report, const cli_disclosed *disclosed);
void cli_effort_print(const cli_report *report, const cli_disclosed *disclosed);
char *cli_aim_text(const cli_disclosed *disclosed); /* "the least risk that ..."; owned */

/* For programs: adds the members to an object. */
void cli_disclosed_json(json_t *object, const cli_disclosed *disclosed);
void cli_question_json(json_t *object, const cli_disclosed *disclosed);
void cli_effort_json(json_t *object, const cli_disclosed *disclosed);

/* One line per row of the table: row, levels, risk, utility. Owned. */
char *cli_assign_csv(const cli_disclosed *disclosed);

#endif
