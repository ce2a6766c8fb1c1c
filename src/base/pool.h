/* Fork and join on a few pthreads. The caller is worker 0; results go into slots, never by
 * completion order, so that one thread and many give the same bytes. */
#ifndef PV_BASE_POOL_H
#define PV_BASE_POOL_H

#include <paravent/context.h>
#include <paravent/status.h>

#define PV_MAX_THREADS 256

/* Threads a context asks for, between 1 and PV_MAX_THREADS. */
unsigned pv_i_threads(const pv_context *context);

/* Runs `work(ctx, worker)` once for each worker 0..threads-1 and waits for all. Should the system
 * refuse a thread, its share is run by the caller afterwards, so work must not wait for other
 * workers to start. */
void pv_i_pool_run(unsigned threads, void (*work)(void *ctx, unsigned worker), void *ctx);

#endif
