/* What one publisher works on: the plan file with its history, the table it describes, the
 * candidates that were pinned.
 *
 * The plan file is the truth. It is looked at before every request: what an editor changed outside
 * becomes a step of the history. Whenever the plan changes, its table is opened anew in the
 * background; until it is there, jobs that need it wait. */
#ifndef WEB_SERVER_WORKSPACE_H
#define WEB_SERVER_WORKSPACE_H

#include "server/files.h"
#include "server/history.h"
#include "server/patience.h"
#include "server/web.h"

typedef struct web_workspace web_workspace;

typedef struct web_workspace_options {
    const char *folder;         /* of the plan, absolute; the process runs there */
    const char *plan;           /* the plan's name in it */
    unsigned threads;           /* 0 = one per processor */
    void (*changed)(void *ctx); /* the table is there, or will not be; called without any lock */
    void *changed_ctx;
} web_workspace_options;

/* The name of the file beside the plan that keeps history and candidates, and of the claim on it.
 * Owned. */
char *web_workspace_file(const char *plan);

/* `files` is borrowed. */
PV_CHECKED pv_status web_workspace_open(const web_workspace_options *options, web_files *files,
                                        web_workspace **workspace, pv_error *error);
void web_workspace_stop(web_workspace *workspace); /* nobody waits any more */
void web_workspace_free(web_workspace *workspace); /* NULL is fine */

/* Has the plan been changed outside? Before every request. */
void web_workspace_look(web_workspace *workspace);

/* For web_source: see jobs.h. */
web_snapshot *web_workspace_take(void *workspace, bool anyhow, pv_error *error);

/* The state as docs/explorer.md has it, once its number is greater than `since`, or patience is
 * over. Owned. */
json_t *web_workspace_state(web_workspace *workspace, uint64_t since, web_patience patience);

/* What POST /api/plan says, in docs/explorer.md; *answer is there whenever a new text is, on
 * failure with what is wrong with it. A stale version is PV_STATUS_EXISTS. */
PV_CHECKED pv_status web_workspace_change(web_workspace *workspace, const json_t *request,
                                          json_t **answer, pv_error *error);
PV_CHECKED pv_status web_workspace_step(web_workspace *workspace, const json_t *request, bool redo,
                                        json_t **answer, pv_error *error);

/* Reads the table, and all other files, anew. */
void web_workspace_refresh(web_workspace *workspace);

PV_CHECKED pv_status web_workspace_pin(web_workspace *workspace, const json_t *request,
                                       json_t **answer, pv_error *error);
PV_CHECKED pv_status web_workspace_rename(web_workspace *workspace, uint64_t id,
                                          const json_t *request, json_t **answer, pv_error *error);
PV_CHECKED pv_status web_workspace_unpin(web_workspace *workspace, uint64_t id, json_t **answer,
                                         pv_error *error);

#endif
