/* Workers take the next task until none is left; what came of each stays in its own place. */
#include "base/tasks.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"

#include <stdatomic.h>

typedef struct {
    pv_status status;
    pv_error error;
} outcome;

typedef struct {
    pv_task_fn work;
    void *ctx;
    size_t n;
    atomic_size_t next;
    outcome *outcomes;
} tasks;

static void run(void *ctx, unsigned worker)
{
    tasks *const t = ctx;
    (void)worker;
    for (size_t i = atomic_fetch_add(&t->next, 1); i < t->n; i = atomic_fetch_add(&t->next, 1)) {
        t->outcomes[i].status = t->work(t->ctx, i, &t->outcomes[i].error);
    }
}

pv_status pv_i_tasks_run(const pv_context *context, size_t n, pv_task_fn work, void *ctx,
                         pv_error *error)
{
    const unsigned threads = pv_i_threads(context);
    tasks t = {.work = work, .ctx = ctx, .n = n, .outcomes = PV_NEW_ZEROED(outcome, n)};
    pv_status status = PV_STATUS_OK;
    if (t.outcomes == NULL) {
        return pv_i_no_memory(error);
    }
    atomic_init(&t.next, 0);
    pv_i_pool_run(threads < n ? threads : n > 0 ? (unsigned)n : 1, run, &t);
    for (size_t i = 0; i < n && status == PV_STATUS_OK; i++) {
        status = t.outcomes[i].status;
        if (status != PV_STATUS_OK && error != NULL) {
            *error = t.outcomes[i].error;
        }
    }
    pv_i_free(t.outcomes);
    return status;
}
