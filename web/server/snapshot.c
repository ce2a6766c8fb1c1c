/* Snapshots. */
#include "server/snapshot.h"

#include "core/fail.h"
#include "core/text.h"
#include "server/columns.h"
#include "server/jobs.h"
#include "server/named_files.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What an endpoint keeps with it. */
typedef struct kept {
    const void *key;
    void *thing;
    void (*destroy)(void *thing);
    struct kept *next;
} kept;

/* Who hears of the progress of a table's calls; shared by all snapshots of that table. */
typedef struct watcher {
    atomic_size_t n_owners;
    pv_progress_fn watch; /* while the table is read */
    void *ctx;
} watcher;

/* Around what others see of it. */
typedef struct held {
    web_snapshot snapshot; /* the first member: a pointer to it is one to all of it */
    atomic_size_t n_owners;
    pthread_mutex_t lock; /* of `kept` */
    kept *kept;
    watcher *watcher;
    web_named_files *files; /* NULL = the table was not opened */
} held;

static held *around(const web_snapshot *snapshot)
{
    return (held *)(uintptr_t)snapshot;
}

web_snapshot *web_snapshot_create(const char *folder, const char *plan_path, const char *text,
                                  uint64_t version)
{
    held *const made = cli_zeroed(1, sizeof *made);
    pthread_mutexattr_t again;
    /* What is kept may be made of something else that is. */
    (void)pthread_mutexattr_init(&again);
    (void)pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    (void)pthread_mutex_init(&made->lock, &again);
    (void)pthread_mutexattr_destroy(&again);
    atomic_init(&made->n_owners, 1);
    made->snapshot = (web_snapshot){.folder = cli_copy(folder),
                                    .plan_path = cli_copy(plan_path),
                                    .plan_text = cli_copy(text),
                                    .version = version};
    return &made->snapshot;
}

/* The study hands this to all calls that have no context of their own, long after it was opened:
 * then it is the job at work on this thread that hears of them. */
static bool tick(void *ctx, const pv_progress *progress)
{
    const watcher *const w = ctx;
    return w->watch != NULL ? w->watch(w->ctx, progress) : web_job_tick(progress);
}

static watcher *create_watcher(pv_progress_fn watch, void *ctx)
{
    watcher *const w = cli_zeroed(1, sizeof *w);
    atomic_init(&w->n_owners, 1);
    w->watch = watch;
    w->ctx = ctx;
    return w;
}

static void leave_watcher(watcher *w)
{
    if (w != NULL && atomic_fetch_sub(&w->n_owners, 1) == 1) {
        free(w);
    }
}

pv_status web_snapshot_open(web_snapshot *snapshot, unsigned threads, pv_progress_fn watch,
                            void *watch_ctx, pv_error *error)
{
    held *const h = around(snapshot);
    cli_opened *const opened = &snapshot->opened;
    const pv_study_options options = {.size = sizeof options, .all_columns = true};
    pv_status status = PV_STATUS_OK;
    h->watcher = create_watcher(watch, watch_ctx);
    const pv_context context = {.threads = threads, .progress = tick, .progress_ctx = h->watcher};
    h->files = web_named_files_look(snapshot->plan_path, snapshot->plan_text);
    CLI_TRY_CLEAN(web_plan_parse(snapshot->plan_path, snapshot->plan_text, &opened->plan, error));
    CLI_TRY_CLEAN(pv_study_open(opened->plan, &options, &context, &opened->study, error));
    CLI_TRY_CLEAN(pv_study_profile(opened->study, &opened->profile, error));
cleanup:
    if (status != PV_STATUS_OK) {
        cli_close(opened);
    }
    h->watcher->watch = NULL;
    return status;
}

bool web_snapshot_sees_alike(const web_snapshot *snapshot, const web_snapshot *before)
{
    if (before->opened.study == NULL || around(before)->files == NULL) {
        return false;
    }
    json_t *const changed = web_snapshot_changed_files(before);
    const bool as_it_was = json_array_size(changed) == 0;
    json_decref(changed);
    return as_it_was && web_plans_see_alike(snapshot->plan_text, before->plan_text);
}

pv_status web_snapshot_reopen(web_snapshot *snapshot, const web_snapshot *before, pv_error *error)
{
    held *const h = around(snapshot);
    const held *const b = around(before);
    cli_opened *const opened = &snapshot->opened;
    pv_status status = PV_STATUS_OK;
    h->watcher = b->watcher;
    (void)atomic_fetch_add(&h->watcher->n_owners, 1);
    h->files = web_named_files_copy(b->files);
    CLI_TRY_CLEAN(web_plan_parse(snapshot->plan_path, snapshot->plan_text, &opened->plan, error));
    CLI_TRY_CLEAN(pv_study_rebind(before->opened.study, opened->plan, &opened->study, error));
    CLI_TRY_CLEAN(pv_study_profile(opened->study, &opened->profile, error));
cleanup:
    if (status != PV_STATUS_OK) {
        cli_close(opened);
    }
    return status;
}

json_t *web_snapshot_changed_files(const web_snapshot *snapshot)
{
    return web_named_files_changed(around(snapshot)->files);
}

web_snapshot *web_snapshot_share(web_snapshot *snapshot)
{
    (void)atomic_fetch_add(&around(snapshot)->n_owners, 1);
    return snapshot;
}

void web_snapshot_leave(web_snapshot *snapshot)
{
    if (snapshot == NULL || atomic_fetch_sub(&around(snapshot)->n_owners, 1) > 1) {
        return;
    }
    held *const h = around(snapshot);
    while (h->kept != NULL) { /* the newest first: it may be made of older ones */
        kept *const k = h->kept;
        h->kept = k->next;
        k->destroy(k->thing);
        free(k);
    }
    cli_close(&snapshot->opened);
    leave_watcher(h->watcher);
    web_named_files_free(h->files);
    free(snapshot->folder);
    free(snapshot->plan_path);
    free(snapshot->plan_text);
    (void)pthread_mutex_destroy(&h->lock);
    free(h);
}

void *web_kept(const web_call *call, const void *key, void *(*create)(const web_snapshot *snapshot),
               void (*destroy)(void *kept))
{
    held *const h = around(call->snapshot);
    void *thing = NULL;
    (void)pthread_mutex_lock(&h->lock);
    const kept *k = h->kept;
    while (k != NULL && k->key != key) {
        k = k->next;
    }
    thing = k != NULL ? k->thing : create(call->snapshot);
    if (k == NULL && thing != NULL) {
        kept *const added = cli_zeroed(1, sizeof *added);
        *added = (kept){.key = key, .thing = thing, .destroy = destroy, .next = h->kept};
        h->kept = added;
    }
    (void)pthread_mutex_unlock(&h->lock);
    return thing;
}
