/* Independent tasks on several threads: the one way to use them.
 *
 *     pv_ticker ticker = pv_i_ticker(context, "counting", n_rows);
 *     PV_TRY(pv_i_tasks_run(threads, n_shares, count_share, &counting, &ticker, error));
 *
 * Tasks are numbered. Threads take the next number until none is left, and write what comes of a
 * task into its own place, never in order of completion: one thread and many give the same bytes.
 *
 * After a failure no new task is begun. As numbers are taken in ascending order, all tasks before
 * the failed one were begun already and are finished: of several failures the one with the lowest
 * number is reported, and it is the same for any number of threads. */
#ifndef PV_BASE_TASKS_H
#define PV_BASE_TASKS_H

#include "base/ticker.h"

#include <paravent/context.h>
#include <paravent/status.h>
#include <stddef.h>

#define PV_MAX_THREADS 256

/* Threads a context asks for, between 1 and PV_MAX_THREADS. */
unsigned pv_i_threads(const pv_context *context);

/* Who does a task. */
typedef struct pv_thread {
    unsigned number; /* below the number of threads: for scratch memory; 0 = the caller's thread */
    struct pv_tasks *tasks;
} pv_thread;

typedef pv_status (*pv_task_fn)(void *ctx, size_t task, const pv_thread *thread, pv_error *error);

/* Does tasks 0 .. n-1 on up to `threads` threads, of which the caller's is one, and waits for them.
 * Task 0 is done by the caller's thread. `ticker`, which may be NULL, is for pv_i_goes_on.
 * PV_STATUS_CANCELLED if that was told to stop. */
PV_CHECKED pv_status pv_i_tasks_run(unsigned threads, size_t n, pv_task_fn work, void *ctx,
                                    pv_ticker *ticker, pv_error *error);

/* For long tasks, every few microseconds at most: reports progress (on the caller's thread only)
 * and says whether to go on. False = another task failed or the caller wants to stop; the task
 * returns PV_STATUS_OK then, for the reason is known already. */
bool pv_i_goes_on(const pv_thread *thread, uint64_t done);

#endif
