/* Work in the background: jobs wait, run on a few threads, show how far they are, and keep what
 * came of them for a while.
 *
 *     submit --> waiting --> running --> done | failed | cancelled --> forgotten after some minutes
 *
 * A new job of a channel cancels the one before: whoever drags a slider wants the last answer. A
 * job that needs the table waits until it is open; others overtake it. */
#ifndef WEB_SERVER_JOBS_H
#define WEB_SERVER_JOBS_H

#include "server/files.h"
#include "server/patience.h"
#include "server/web.h"

#define WEB_WORKERS 4
#define WEB_MOST_WAITING 16
#define WEB_MOST_KEPT 200     /* jobs that ended */
#define WEB_MOST_OF_CHANNEL 4 /* of one kind */
#define WEB_KEPT_SECONDS 600.0
#define WEB_SOON_SECONDS 0.25 /* an answer that is there by then needs no second question */
#define WEB_POLL_SECONDS 20.0

typedef struct web_jobs web_jobs;

/* Where jobs get the plan from. */
typedef struct web_source {
    void *ctx;
    /* The snapshot as it is now, to be left by the job; NULL while its table is read. With `anyhow`
     * it is there in any case. Where it has no study, `error` says why. */
    web_snapshot *(*take)(void *ctx, bool anyhow, pv_error *error);
} web_source;

web_jobs *web_jobs_create(const web_endpoint *endpoints, web_source source, web_files *files,
                          unsigned threads);
/* Jobs at work are stopped, what waits is forgotten, and whoever waits for an answer gets one. */
void web_jobs_stop(web_jobs *jobs);
void web_jobs_free(web_jobs *jobs); /* stops them first; NULL is fine */
/* The source has something new. */
void web_jobs_wake(web_jobs *jobs);

/* PV_STATUS_ARGUMENT: there is no such kind; PV_STATUS_LIMIT: too many wait. `params` is borrowed.
 */
PV_CHECKED pv_status web_jobs_submit(web_jobs *jobs, const char *kind, const char *channel,
                                     json_t *params, uint64_t *id, pv_error *error);
/* The job as docs/explorer.md has it, once its version is greater than `since` or it ended, or
 * patience is over. NULL if there is none. Owned. */
json_t *web_jobs_show(web_jobs *jobs, uint64_t id, uint64_t since, web_patience patience);
/* Until it ended. */
json_t *web_jobs_wait(web_jobs *jobs, uint64_t id, web_patience patience);
/* Asks it to stop. False if there is none. */
bool web_jobs_cancel(web_jobs *jobs, uint64_t id);

/* Progress of the job at work on this thread; without one nobody hears of it. A pv_progress_fn
 * without its ctx. */
bool web_job_tick(const pv_progress *progress);
/* The files of a call's job. */
web_files *web_call_files(const web_call *call);

#endif
