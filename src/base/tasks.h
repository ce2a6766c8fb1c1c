/* Independent pieces of work, several at a time. */
#ifndef PV_BASE_TASKS_H
#define PV_BASE_TASKS_H

#include <paravent/context.h>
#include <paravent/status.h>
#include <stddef.h>

/* Does tasks 0..n-1. Of several failures the first task's is told, whichever came first. */
typedef pv_status (*pv_task_fn)(void *ctx, size_t task, pv_error *error);
PV_CHECKED pv_status pv_i_tasks_run(const pv_context *context, size_t n, pv_task_fn work, void *ctx,
                                    pv_error *error);

#endif
