/* Snapshots: the plan at one moment with its table, shared by those who work with it. */
#ifndef WEB_SERVER_SNAPSHOT_H
#define WEB_SERVER_SNAPSHOT_H

#include "server/web.h"

/* A snapshot of what the plan says, without its table yet; `opened` has the plan if it can be read.
 * One owner. */
web_snapshot *web_snapshot_create(const char *folder, const char *plan_path, const char *text,
                                  uint64_t version);
/* Reads the plan and its table; `watch` hears of the progress, and may end it. */
PV_CHECKED pv_status web_snapshot_open(web_snapshot *snapshot, unsigned threads,
                                       pv_progress_fn watch, void *watch_ctx, pv_error *error);

/* The same from a snapshot that is open and whose plan differs in its demands alone: the table is
 * shared, nothing of it is read again. */
PV_CHECKED pv_status web_snapshot_reopen(web_snapshot *snapshot, const web_snapshot *before,
                                         pv_error *error);
/* May that be? */
bool web_snapshot_sees_alike(const web_snapshot *snapshot, const web_snapshot *before);
/* Files that the plan names and that are not as they were when they were read. Owned. */
json_t *web_snapshot_changed_files(const web_snapshot *snapshot);

web_snapshot *web_snapshot_share(web_snapshot *snapshot);
/* The last owner frees it. NULL is fine. */
void web_snapshot_leave(web_snapshot *snapshot);

#endif
