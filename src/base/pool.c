/* Fork and join on pthreads. */
#include "base/pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

typedef struct {
    void (*work)(void *ctx, unsigned worker);
    void *ctx;
    unsigned worker;
    pthread_t thread;
    bool started;
} pv_task;

unsigned pv_i_threads(const pv_context *context)
{
    unsigned threads = context != NULL ? context->threads : 0;
    if (threads == 0) {
        const long online = sysconf(_SC_NPROCESSORS_ONLN);
        threads = online > 0 ? (unsigned)online : 1;
    }
    return threads > PV_MAX_THREADS ? PV_MAX_THREADS : threads;
}

static void *run_task(void *argument)
{
    pv_task *const task = argument;
    task->work(task->ctx, task->worker);
    return NULL;
}

void pv_i_pool_run(unsigned threads, void (*work)(void *ctx, unsigned worker), void *ctx)
{
    pv_task tasks[PV_MAX_THREADS];
    for (unsigned i = 1; i < threads; i++) {
        tasks[i] = (pv_task){.work = work, .ctx = ctx, .worker = i};
        tasks[i].started = pthread_create(&tasks[i].thread, NULL, run_task, &tasks[i]) == 0;
    }
    work(ctx, 0);
    for (unsigned i = 1; i < threads; i++) {
        if (tasks[i].started) {
            (void)pthread_join(tasks[i].thread, NULL);
        } else {
            work(ctx, i);
        }
    }
}
