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

web_snapshot *web_snapshot_share(web_snapshot *snapshot);
/* The last owner frees it. NULL is fine. */
void web_snapshot_leave(web_snapshot *snapshot);

#endif
