/* Work in the background. One lock for all of it: what is done under it takes microseconds, and
 * answers are put together from parts that nobody changes any more. */
#include "server/jobs.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"
#include "server/snapshot.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum job_state { WAITING = 0, RUNNING, DONE, FAILED, CANCELLED } job_state;

static const char *const state_names[] = {[WAITING] = "waiting",
                                          [RUNNING] = "running",
                                          [DONE] = "done",
                                          [FAILED] = "failed",
                                          [CANCELLED] = "cancelled"};

typedef struct job {
    struct job *next; /* in the order they came */
    web_jobs *jobs;
    const web_endpoint *endpoint;
    uint64_t id, version;
    job_state state;
    atomic_bool is_unwanted;
    char *channel; /* NULL = none */
    json_t *params;
    json_t *progress, *notes, *partial,
        *result; /* NULL = none; replaced as a whole, never changed */
    json_t *error;
    double started, ended; /* 0 = not yet */
} job;

struct web_jobs {
    const web_endpoint *endpoints;
    web_source source;
    web_files *files;
    unsigned threads; /* of a job */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* any job, or whether one can begin */
    job *first;
    uint64_t n_ever;
    bool is_ending;
    pthread_t workers[WEB_WORKERS];
    size_t n_workers;
};

/* Of this thread: calls without a context of their own report through the study's (snapshot.c). */
static _Thread_local job *at_work;

static bool has_ended(const job *j)
{
    return j->state >= DONE;
}

/* Everybody who waits looks again. */
static void touch(job *j)
{
    j->version++;
    (void)pthread_cond_broadcast(&j->jobs->changed);
}

static void job_free(job *j)
{
    json_decref(j->params);
    json_decref(j->progress);
    json_decref(j->notes);
    json_decref(j->partial);
    json_decref(j->result);
    json_decref(j->error);
    free(j->channel);
    free(j);
}

/* ------------------------------------------------------------ while it works */

static void replace(json_t **place, json_t *value)
{
    json_decref(*place);
    *place = value;
}

static bool goes_on(void *ctx, const pv_progress *at)
{
    job *const j = ctx;
    json_t *const progress = json_object();
    cli_json_set(progress, "phase", cli_json_text(at->phase));
    cli_json_set(progress, "done", cli_json_count(at->done));
    cli_json_set(progress, "total", cli_json_count(at->total));
    cli_json_set(progress, "note", at->note != NULL ? cli_json_text(at->note) : json_null());
    (void)pthread_mutex_lock(&j->jobs->lock);
    replace(&j->progress, progress);
    touch(j);
    (void)pthread_mutex_unlock(&j->jobs->lock);
    return !atomic_load(&j->is_unwanted);
}

bool web_job_tick(const pv_progress *progress)
{
    return at_work == NULL || goes_on(at_work, progress);
}

void web_partial(web_call *call, json_t *partial)
{
    job *const j = call->job;
    (void)pthread_mutex_lock(&j->jobs->lock);
    replace(&j->partial, partial);
    touch(j);
    (void)pthread_mutex_unlock(&j->jobs->lock);
}

void web_note(web_call *call, const char *text)
{
    job *const j = call->job;
    (void)pthread_mutex_lock(&j->jobs->lock);
    json_t *const notes = j->notes != NULL ? json_copy(j->notes) : json_array();
    cli_json_append(notes, cli_json_text(text));
    replace(&j->notes, notes);
    touch(j);
    (void)pthread_mutex_unlock(&j->jobs->lock);
}

web_files *web_call_files(const web_call *call)
{
    return ((const job *)call->job)->jobs->files;
}

pv_status web_path(web_call *call, const char *path, bool for_writing, char **file, pv_error *error)
{
    return web_files_find(web_call_files(call), path, for_writing, file, error);
}

/* ------------------------------------------------------------------ workers */

static void end(job *j, job_state state)
{
    j->state = state;
    j->ended = web_now();
    touch(j);
}

/* The oldest that can begin, with what it works on: a job that needs the table is left while that
 * is read. */
static job *find_work(web_jobs *jobs, web_snapshot **snapshot, pv_error *error)
{
    for (job *j = jobs->first; j != NULL; j = j->next) {
        if (j->state == WAITING) {
            *snapshot = jobs->source.take(jobs->source.ctx, j->endpoint->without_study, error);
            if (*snapshot != NULL) {
                return j;
            }
        }
    }
    return NULL;
}

/* Where it went wrong, in the page's words: an upload has the name that it came with. */
static void name_file(web_call *call, pv_error *error)
{
    if (error->file[0] == '\0') {
        return;
    }
    char *const name = web_files_name(web_call_files(call), error->file);
    (void)snprintf(error->file, sizeof error->file, "%s", name);
    free(name);
}

/* Without the lock. */
static pv_status work_on(job *j, const web_snapshot *snapshot, json_t **result, pv_error *error)
{
    if (snapshot->opened.study == NULL && !j->endpoint->without_study) {
        return error->status != PV_STATUS_OK /* why there is none */
                   ? error->status
                   : cli_error(error, PV_STATUS_INPUT, "there is no table");
    }
    web_call call = {
        .snapshot = snapshot,
        .params = j->params,
        .context = {.threads = j->jobs->threads, .progress = goes_on, .progress_ctx = j},
        .job = j};
    *error = (pv_error){0};
    at_work = j;
    const pv_status status = j->endpoint->run(&call, result, error);
    at_work = NULL;
    name_file(&call, error);
    return status;
}

static void conclude(job *j, pv_status status, json_t *result, const pv_error *error)
{
    j->result = result;
    if (status != PV_STATUS_OK && status != PV_STATUS_CANCELLED) {
        pv_error own = *error;
        own.status = status;
        j->error = cli_error_body(&own);
    }
    replace(&j->partial, NULL);
    replace(&j->progress, NULL);
    end(j, status == PV_STATUS_OK ? DONE : status == PV_STATUS_CANCELLED ? CANCELLED : FAILED);
}

static void *worker(void *argument)
{
    web_jobs *const jobs = argument;
    (void)pthread_mutex_lock(&jobs->lock);
    while (!jobs->is_ending) {
        web_snapshot *snapshot = NULL;
        json_t *result = NULL;
        pv_error error = {0};
        job *const j = find_work(jobs, &snapshot, &error);
        if (j == NULL) {
            (void)pthread_cond_wait(&jobs->changed, &jobs->lock);
            continue;
        }
        j->state = RUNNING;
        j->started = web_now();
        touch(j);
        (void)pthread_mutex_unlock(&jobs->lock);
        const pv_status status = work_on(j, snapshot, &result, &error);
        web_snapshot_leave(snapshot);
        (void)pthread_mutex_lock(&jobs->lock);
        conclude(j, status, result, &error);
    }
    (void)pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

/* --------------------------------------------------------------------- life */

web_jobs *web_jobs_create(const web_endpoint *endpoints, web_source source, web_files *files,
                          unsigned threads)
{
    web_jobs *const jobs = cli_zeroed(1, sizeof *jobs);
    *jobs =
        (web_jobs){.endpoints = endpoints, .source = source, .files = files, .threads = threads};
    (void)pthread_mutex_init(&jobs->lock, NULL);
    web_cond_init(&jobs->changed);
    while (jobs->n_workers < WEB_WORKERS &&
           pthread_create(&jobs->workers[jobs->n_workers], NULL, worker, jobs) == 0) {
        jobs->n_workers++;
    }
    return jobs;
}

static void cancel(job *j)
{
    atomic_store(&j->is_unwanted, true);
    if (j->state == WAITING) {
        end(j, CANCELLED);
    }
}

void web_jobs_stop(web_jobs *jobs)
{
    (void)pthread_mutex_lock(&jobs->lock);
    jobs->is_ending = true;
    for (job *j = jobs->first; j != NULL; j = j->next) {
        cancel(j);
    }
    (void)pthread_cond_broadcast(&jobs->changed);
    const size_t n = jobs->n_workers;
    jobs->n_workers = 0;
    (void)pthread_mutex_unlock(&jobs->lock);
    for (size_t i = 0; i < n; i++) {
        (void)pthread_join(jobs->workers[i], NULL);
    }
}

void web_jobs_free(web_jobs *jobs)
{
    if (jobs == NULL) {
        return;
    }
    web_jobs_stop(jobs);
    while (jobs->first != NULL) {
        job *const j = jobs->first;
        jobs->first = j->next;
        job_free(j);
    }
    (void)pthread_cond_destroy(&jobs->changed);
    (void)pthread_mutex_destroy(&jobs->lock);
    free(jobs);
}

void web_jobs_wake(web_jobs *jobs)
{
    (void)pthread_mutex_lock(&jobs->lock);
    (void)pthread_cond_broadcast(&jobs->changed);
    (void)pthread_mutex_unlock(&jobs->lock);
}

/* ------------------------------------------------------------------- submit */

static bool is_of_channel(const job *j, const char *channel)
{
    return channel != NULL && j->channel != NULL && cli_equal(j->channel, channel);
}

/* Jobs that came after `j`, and ended, of the same channel and kind; or of any. */
static size_t count_later(const job *j, bool alike)
{
    size_t n = 0;
    for (const job *later = j->next; later != NULL; later = later->next) {
        n += has_ended(later) &&
             (!alike || (is_of_channel(later, j->channel) && later->endpoint == j->endpoint));
    }
    return n;
}

/* A result may have megabytes: of what was dragged a hundred times, only the last few are kept. */
static void forget_old(web_jobs *jobs)
{
    const double time = web_now();
    for (job **place = &jobs->first; *place != NULL;) {
        job *const j = *place;
        const bool is_old = has_ended(j) && (time - j->ended > WEB_KEPT_SECONDS ||
                                             count_later(j, true) >= WEB_MOST_OF_CHANNEL ||
                                             count_later(j, false) >= WEB_MOST_KEPT);
        if (is_old) {
            *place = j->next;
            job_free(j);
        } else {
            place = &j->next;
        }
    }
}

static size_t count_waiting(const web_jobs *jobs)
{
    size_t n = 0;
    for (const job *j = jobs->first; j != NULL; j = j->next) {
        n += j->state == WAITING;
    }
    return n;
}

static const web_endpoint *find_endpoint(const web_jobs *jobs, const char *kind)
{
    const web_endpoint *e = jobs->endpoints;
    while (e->kind != NULL && !cli_equal(e->kind, kind)) {
        e++;
    }
    return e->kind != NULL ? e : NULL;
}

static void add(web_jobs *jobs, const web_endpoint *endpoint, const char *channel, json_t *params,
                uint64_t *id)
{
    job *const j = cli_zeroed(1, sizeof *j);
    job **last = &jobs->first;
    *j = (job){.jobs = jobs,
               .endpoint = endpoint,
               .id = ++jobs->n_ever,
               .version = 1,
               .channel = channel != NULL ? cli_copy(channel) : NULL,
               .params = json_incref(params)};
    atomic_init(&j->is_unwanted, false);
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = j;
    *id = j->id;
    (void)pthread_cond_broadcast(&jobs->changed);
}

pv_status web_jobs_submit(web_jobs *jobs, const char *kind, const char *channel, json_t *params,
                          uint64_t *id, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    const web_endpoint *const endpoint = find_endpoint(jobs, kind);
    if (endpoint == NULL) {
        return cli_error(error, PV_STATUS_ARGUMENT, "there is no such kind of job");
    }
    (void)pthread_mutex_lock(&jobs->lock);
    for (job *j = jobs->first; j != NULL; j = j->next) {
        if (!has_ended(j) && is_of_channel(j, channel)) {
            cancel(j);
        }
    }
    forget_old(jobs);
    if (jobs->is_ending) {
        status = cli_error(error, PV_STATUS_LIMIT, "the server ends");
    } else if (count_waiting(jobs) >= WEB_MOST_WAITING) {
        status = cli_hint(cli_error(error, PV_STATUS_LIMIT, "too much work waits already"), error,
                          "wait, or stop some of it");
    } else {
        add(jobs, endpoint, channel, params, id);
    }
    (void)pthread_mutex_unlock(&jobs->lock);
    return status;
}

/* --------------------------------------------------------------------- show */

static job *find_job(const web_jobs *jobs, uint64_t id)
{
    job *j = jobs->first;
    while (j != NULL && j->id != id) {
        j = j->next;
    }
    return j;
}

static json_t *or_null(json_t *value)
{
    return value != NULL ? json_incref(value) : json_null();
}

static json_t *job_json(const job *j)
{
    json_t *const object = json_object();
    const double until = has_ended(j) ? j->ended : web_now();
    cli_json_set(object, "job", cli_json_count(j->id));
    cli_json_set(object, "kind", cli_json_text(j->endpoint->kind));
    cli_json_set(object, "state", json_string(state_names[j->state]));
    cli_json_set(object, "version", cli_json_count(j->version));
    cli_json_set(object, "progress", or_null(j->progress));
    cli_json_set(object, "notes", j->notes != NULL ? json_incref(j->notes) : json_array());
    cli_json_set(object, "partial", or_null(j->partial));
    cli_json_set(object, "result", or_null(j->result));
    cli_json_set(object, "error", or_null(j->error));
    cli_json_set(object, "seconds", cli_json_number(j->started > 0 ? until - j->started : 0));
    return object;
}

static json_t *show(web_jobs *jobs, uint64_t id, uint64_t since, bool until_end,
                    web_patience patience)
{
    (void)pthread_mutex_lock(&jobs->lock);
    const job *j = find_job(jobs, id);
    while (j != NULL && !has_ended(j) && (until_end || j->version <= since) && !jobs->is_ending &&
           web_patience_wait(&patience, &jobs->changed, &jobs->lock)) {
        j = find_job(jobs, id); /* it may have been forgotten meanwhile */
    }
    json_t *const object = j != NULL ? job_json(j) : NULL;
    (void)pthread_mutex_unlock(&jobs->lock);
    return object;
}

json_t *web_jobs_show(web_jobs *jobs, uint64_t id, uint64_t since, web_patience patience)
{
    return show(jobs, id, since, false, patience);
}

json_t *web_jobs_wait(web_jobs *jobs, uint64_t id, web_patience patience)
{
    return show(jobs, id, 0, true, patience);
}

bool web_jobs_cancel(web_jobs *jobs, uint64_t id)
{
    (void)pthread_mutex_lock(&jobs->lock);
    job *const j = find_job(jobs, id);
    if (j != NULL && !has_ended(j)) {
        cancel(j);
    }
    (void)pthread_mutex_unlock(&jobs->lock);
    return j != NULL;
}
