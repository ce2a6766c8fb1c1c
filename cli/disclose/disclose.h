/* `disclose`: what can be asked, what was found for every record, and how it is reported.
 *
 *     settings.c   options as written --> the question, checked before anything is read
 *     run.c        opens plan, table and attacker, decides, keeps demands, releases; what is
 * counted print.c      the report for people, on all records or one json.c       the same for
 * programs, and one line per record front.c      `--front`: risk against utility, with plot.c */
#ifndef CLI_DISCLOSE_DISCLOSE_H
#define CLI_DISCLOSE_DISCLOSE_H

#include "core/publish.h"

#include <jansson.h>
#include <paravent/paravent.h>

/* ---------------------------------------------------------------- settings */

/* The options as they were written. */
typedef struct cli_disclose {
    cli_publish publish; /* how to release it; first, because its options are found by offsets */
    const char *utility, *max_risk, *balance; /* one of them at most */
    bool absolute;
    const char *measure, *risk, *method;
    const char *dictionary, *ignore, *similarity;
    const char *sensitivity;
    cli_count seed, row, limit;
    const char *memory, *seconds;
    const char *assign;
    bool front;
    cli_count steps;
    const char *svg, *html;
} cli_disclose;

/* As they were understood. */
typedef struct cli_query {
    const cli_disclose *given;
    pv_disclose_options options; /* all but attacker and sensitivities */
    double similarity;           /* 0 = exact */
    char **ignore;               /* columns of the dictionary, NULL-terminated or NULL; owned */
    size_t n_ignore;
    pv_sensitivity_source source;
    uint64_t seed;
    size_t steps;
} cli_query;

/* Checks everything that can be checked before a file is read. */
PV_CHECKED pv_status cli_query_read(const cli_disclose *given, cli_query *query, pv_error *error);
void cli_query_free(cli_query *query);

/* The options with which the same is asked again, each after a blank: with -o, or of a front, which
 * has no aim. Owned. */
char *cli_disclose_again(const cli_disclose *given, bool of_front);

const char *cli_sensitivity_name(pv_sensitivity_source source);

/* The choices of options, NULL-terminated. */
extern const char *const cli_measure_choices[];
extern const char *const cli_risk_choices[];
extern const char *const cli_record_method_choices[];
extern const char *const cli_sensitivity_choices[];

/* ------------------------------------------------------------------ answer */

typedef struct cli_disclosed {
    const char *plan;
    cli_query query;
    cli_published published; /* what was opened; with -o also what was released */
    bool is_released;
    pv_sensitivities *sensitivities;
    pv_attacker *attacker;
    pv_disclosure *disclosure;      /* as chosen; once released, as released */
    pv_disclosure_summary *summary; /* of it; NULL with --row */
    pv_enforced enforced;           /* of the release */
    double risk_chosen;             /* mean over people, before demands were kept */
} cli_disclosed;

static inline const cli_opened *cli_disclosed_opened(const cli_disclosed *disclosed)
{
    return &disclosed->published.opened;
}

static inline size_t cli_disclosed_n_quasi(const cli_disclosed *disclosed)
{
    return pv_study_quasis(cli_disclosed_opened(disclosed)->study);
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
/* One record: levels by the names of attributes, never its values. */
void cli_record_print(const cli_report *report, const cli_disclosed *disclosed);
/* What detail is, what is sensitive, what the attacker has. */
void cli_detail_print(const cli_report *report, const cli_disclosed *disclosed);

/* For programs: adds the members to an object. */
void cli_disclosed_json(json_t *object, const cli_disclosed *disclosed);
void cli_record_json(json_t *object, const cli_disclosed *disclosed);
void cli_question_json(json_t *object, const cli_disclosed *disclosed);

/* One line per row of the table: row, levels, risk, utility. Owned. */
char *cli_assign_csv(const cli_disclosed *disclosed);

/* `--front`: draws the curves, writes the files and shows them. */
PV_CHECKED pv_status cli_risk_front_run(cli_run *run, const cli_disclosed *disclosed,
                                        pv_error *error);
/* A curve as a plot on a terminal. */
void cli_risk_plot(const cli_report *report, const pv_risk_front *front, size_t curve);

#endif
