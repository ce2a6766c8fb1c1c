/* A plan with its table in a folder of its own, as jobs of the explorer see it; and random ones.
 * Jobs run as the server runs them, but nobody connects. */
#ifndef PV_TESTS_WEB_STAGE_H
#define PV_TESTS_WEB_STAGE_H

#include "server/candidate.h"
#include "server/jobs.h"
#include "support/files.h"
#include "support/random_study.h"

typedef struct stage {
    scratch_folder folder;
    char before[512]; /* the working folder of the test */
    web_snapshot *snapshot;
    web_files *files;
    web_jobs *jobs;
} stage;

/* Writes plan.yaml and data.csv, and opens them; the process works in their folder until the stage
 * is closed. The plan needs no `data`. */
stage stage_open(const char *plan, const char *csv);
stage stage_random(const random_study *s);
void stage_close(stage *s);

/* Runs a job; takes the params over. The result is the caller's. */
typedef pv_status stage_job(web_call *call, json_t **result, pv_error *error);
pv_status stage_try(const stage *s, stage_job *job, json_t *params, json_t **result,
                    pv_error *error);
/* One that must be fine. */
json_t *stage_must(const stage *s, stage_job *job, json_t *params);
/* One that must be refused for this, with these words in its message. */
void stage_refused(const stage *s, stage_job *job, json_t *params, pv_status status,
                   const char *words);

/* The job as docs/explorer.md has it, when it ended; takes the params over. */
json_t *stage_work(const stage *s, stage_job *job, json_t *params);

/* -------------------------------------------------------------- random specs */

/* A scheme of each kind: any levels, cuts that were found, a local recoding. NULL = there is none
 * that keeps the demands. */
enum { STAGE_LEVELS, STAGE_CUTS, STAGE_LOCAL, STAGE_KINDS };
json_t *stage_spec(const stage *s, random_study *random, int kind, const char *require);

/* ---------------------------------------------------------- what is released */

/* The file that the library writes for a spec, in the order of the original, and what is counted in
 * it by comparing texts. */
typedef struct naive {
    size_t n_rows, n_quasi;
    pv_table *table;
    uint64_t *place;  /* in the file, per row of the original */
    size_t *alike;    /* per row of the original: the first row that looks alike */
    size_t *size;     /* how many do */
    bool *suppressed; /* is it `*` in every quasi-identifier? */
    size_t n_suppressed;
} naive;

/* False: it is refused, for what it demands, or since people would be alone. */
bool naive_release(naive *n, const stage *s, const json_t *spec);
void naive_free(naive *n);
const char *naive_cell(const naive *n, size_t row, size_t q);
/* Of those who are not suppressed. */
size_t naive_k(const naive *n);
size_t naive_classes(const naive *n);

/* ----------------------------------------------------------------------- JSON */

json_t *member(const json_t *object, const char *name);
size_t count_at(const json_t *object, const char *name);
double number_at(const json_t *object, const char *name);
const char *text_at(const json_t *object, const char *name);
void expect_near(double a, double b);

#endif
