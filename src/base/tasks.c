/* Workers take the next task until none is left. Starting a thread costs some ten microseconds, far
 * less than the tasks we have, so threads are started anew each time and there is no pool to keep.
 */
#include "base/tasks.h"

#include "base/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

unsigned pv_i_threads(const pv_context *context)
{
    unsigned threads = context != NULL ? context->threads : 0;
    if (threads == 0) {
        const long online = sysconf(_SC_NPROCESSORS_ONLN);
        threads = online > 0 ? (unsigned)online : 1;
    }
    return threads > PV_MAX_THREADS ? PV_MAX_THREADS : threads;
}

struct pv_tasks {
    pv_task_fn work;
    void *ctx;
    size_t n;
    pv_ticker *ticker; /* used by the caller's thread only */
    atomic_size_t next;
    atomic_bool stop;
    bool cancelled; /* written by the caller's thread only */
    /* The failure with the lowest number so far: */
    pthread_mutex_t lock;
    size_t failed_task;
    pv_status status;
    pv_error *error;
};

static void note_failure(struct pv_tasks *t, size_t task, pv_status status, const pv_error *error)
{
    (void)pthread_mutex_lock(&t->lock);
    if (t->status == PV_STATUS_OK || task < t->failed_task) {
        t->status = status;
        t->failed_task = task;
        if (t->error != NULL) {
            *t->error = *error;
        }
    }
    (void)pthread_mutex_unlock(&t->lock);
    atomic_store(&t->stop, true);
}

/* Task 0 is the caller's, always: so it has a part in everything and can report progress from the
 * start, however fast the others are. */
static void *take_tasks(void *argument)
{
    const pv_thread *const thread = argument;
    struct pv_tasks *const t = thread->tasks;
    pv_error error = {0};
    size_t task = thread->number == 0 ? 0 : atomic_fetch_add(&t->next, 1);
    while (task < t->n) {
        const pv_status status = t->work(t->ctx, task, thread, &error);
        if (status != PV_STATUS_OK) {
            note_failure(t, task, status, &error);
        }
        /* Looked at before a number is taken: whatever was taken is done. */
        task = atomic_load(&t->stop) ? t->n : atomic_fetch_add(&t->next, 1);
    }
    return NULL;
}

bool pv_i_goes_on(const pv_thread *thread, uint64_t done)
{
    struct pv_tasks *const t = thread->tasks;
    if (thread->number == 0 && t->ticker != NULL && !pv_i_tick(t->ticker, done)) {
        t->cancelled = true;
        atomic_store(&t->stop, true);
    }
    return !atomic_load_explicit(&t->stop, memory_order_relaxed);
}

pv_status pv_i_tasks_run(unsigned threads, size_t n, pv_task_fn work, void *ctx, pv_ticker *ticker,
                         pv_error *error)
{
    struct pv_tasks t = {.work = work, .ctx = ctx, .n = n, .ticker = ticker, .error = error};
    pv_thread workers[PV_MAX_THREADS];
    pthread_t started[PV_MAX_THREADS];
    unsigned n_started = 1; /* the caller's thread */
    atomic_init(&t.next, 1);
    (void)pthread_mutex_init(&t.lock, NULL);
    while (n_started < threads && n_started < n) {
        workers[n_started] = (pv_thread){.number = n_started, .tasks = &t};
        if (pthread_create(&started[n_started], NULL, take_tasks, &workers[n_started]) != 0) {
            break; /* the system refuses more: those there are do all tasks */
        }
        n_started++;
    }
    workers[0] = (pv_thread){.number = 0, .tasks = &t};
    (void)take_tasks(&workers[0]);
    for (unsigned i = 1; i < n_started; i++) {
        (void)pthread_join(started[i], NULL);
    }
    (void)pthread_mutex_destroy(&t.lock);
    return t.cancelled ? pv_i_cancelled(error) : t.status;
}
