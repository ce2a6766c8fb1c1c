/* `paravent check`: what it is told (settings.c), what it finds (run.c, papers.c), and how it shows
 * that (print.c, json.c). */
#ifndef CLI_CHECK_CHECK_H
#define CLI_CHECK_CHECK_H

#include "core/command.h"
#include "core/measured.h"

#include <jansson.h>
#include <paravent/paravent.h>

typedef struct cli_check_settings {
    cli_common common;
    const char *plan, *papers, *label;
    char *quasi, *sensitive, *require, *missing;
    char delimiter;
    bool no_header, keep_blanks, escaped, explain;
} cli_check_settings;

extern const cli_option cli_check_options[];

/* The papers of a release. */
typedef struct cli_papers {
    pv_papers *found;    /* NULL = nobody asked for them */
    json_t *certificate; /* NULL = there is none that can be trusted */
    char *faults; /* what does not belong to the table or does not hold in it, line by line */
} cli_papers;

/* Which columns of a file are what, and what is demanded of it. */
typedef struct cli_subject {
    const char *file;
    pv_plan *plan;     /* NULL = columns named elsewhere: */
    cli_papers papers; /* by the certificate of a release, or on the command line */
    char **quasi, **sensitive;
    size_t n_quasi, n_sensitive;
    const char *label; /* NULL = none */
    char **missing;    /* as --missing says; NULL = it does not */
    pv_distance *distances;
    pv_audit_reading *quasi_readings, *readings, label_reading;
    pv_hierarchy **hierarchies; /* of the sensitive attributes that need one */
    cli_demands demands;
    pv_measure_ref extra[PV_MAX_CONSTRAINTS]; /* what is demanded with another parameter */
    pv_audit_options options; /* how the file is to be read and measured; borrows from the rest */
} cli_subject;

/* `subject` must stay where it is. */
PV_CHECKED pv_status cli_subject_take(cli_run *run, const cli_check_settings *settings,
                                      cli_subject *subject, pv_error *error);
void cli_subject_free(cli_subject *subject);

/* What was found for a demand, and of several sensitive columns the one that decides it. */
typedef struct cli_demand_found {
    bool known, holds;
    double value;
    const char *column; /* NULL = there is no choice */
} cli_demand_found;

cli_demand_found cli_demand_find(const cli_subject *subject, const pv_audit *audit, size_t demand);

/* Finds the papers of a table, or takes those in `folder`. That it has none is a failure. */
PV_CHECKED pv_status cli_papers_find(const char *table, const char *folder, cli_papers *papers,
                                     pv_error *error);
void cli_papers_free(cli_papers *papers);
/* The names of the columns that the certificate calls "quasi" or "sensitive"; cli_list_free. */
char **cli_papers_columns(const cli_papers *papers, const char *role, size_t *n);
bool cli_papers_escaped(const cli_papers *papers);      /* were formulas escaped? */
const char *cli_papers_label(const cli_papers *papers); /* or NULL; borrowed */
/* Lists the faults; PV_STATUS_UNSATISFIED if there are any. */
PV_CHECKED pv_status cli_papers_judge(const char *table, cli_papers *papers, const pv_audit *audit,
                                      pv_error *error);
void cli_papers_print(const cli_report *report, const cli_papers *papers, const pv_audit *audit);
json_t *cli_papers_json(const cli_papers *papers);

void cli_audit_print(const cli_report *report, const cli_subject *subject, const pv_audit *audit);
json_t *cli_audit_json(const cli_subject *subject, const pv_audit *audit, bool satisfied);

/* Rows that are not suppressed. */
static inline uint64_t cli_remaining(const pv_audit *audit)
{
    return pv_audit_rows(audit) - pv_audit_suppressed(audit);
}

#endif
