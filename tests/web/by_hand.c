/* Calls of endpoints made by hand. */
#include "web/by_hand.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

void hand_snapshot_init(hand_snapshot *h, const bound_study *study, const char *folder)
{
    const pv_profile *profile = NULL;
    pv_error error = {0};
    bound_must(pv_study_profile(study->study, &profile, &error), &error);
    *h = (hand_snapshot){
        .snapshot = {.folder = (char *)(uintptr_t)folder,
                     .plan_path = (char *)(uintptr_t) "plan.yaml",
                     .version = 1,
                     .opened = {.plan = study->plan, .study = study->study, .profile = profile}}};
}

void hand_snapshot_deinit(hand_snapshot *h)
{
    if (h->kept != NULL) {
        h->destroy(h->kept);
    }
    *h = (hand_snapshot){0};
}

/* ------------------------------------------------- what the server would do */

#define MARK UINT64_C(0x68616e642063616c)

/* NULL = this is a job of the server. */
static hand_call *by_hand(const web_call *call)
{
    hand_call *const h = call->job;
    return h != NULL && h->mark == MARK ? h : NULL;
}

/* The linker's names: what calls web_partial comes here, and __real_ is the server's. */
void __real_web_partial(web_call *call, json_t *partial);
void __wrap_web_partial(web_call *call, json_t *partial);
void __real_web_note(web_call *call, const char *text);
void __wrap_web_note(web_call *call, const char *text);
pv_status __real_web_path(web_call *call, const char *path, bool for_writing, char **file,
                          pv_error *error);
pv_status __wrap_web_path(web_call *call, const char *path, bool for_writing, char **file,
                          pv_error *error);
void *__real_web_kept(const web_call *call, const void *key,
                      void *(*create)(const web_snapshot *snapshot), void (*destroy)(void *kept));
void *__wrap_web_kept(const web_call *call, const void *key,
                      void *(*create)(const web_snapshot *snapshot), void (*destroy)(void *kept));

void __wrap_web_partial(web_call *call, json_t *partial)
{
    hand_call *const h = by_hand(call);
    if (h == NULL) {
        __real_web_partial(call, partial);
        return;
    }
    assert_true(json_is_object(partial));
    json_decref(h->partial);
    h->partial = partial;
    h->n_partials++;
}

void __wrap_web_note(web_call *call, const char *text)
{
    hand_call *const h = by_hand(call);
    if (h == NULL) {
        __real_web_note(call, text);
        return;
    }
    assert_true(text[0] != '\0');
    h->n_notes++;
}

pv_status __wrap_web_path(web_call *call, const char *path, bool for_writing, char **file,
                          pv_error *error)
{
    const hand_call *const h = by_hand(call);
    if (h == NULL) {
        return __real_web_path(call, path, for_writing, file, error);
    }
    const char *const folder = h->snapshot->snapshot.folder;
    if (folder == NULL) {
        *error = (pv_error){.status = PV_STATUS_ARGUMENT, .message = "there are no files"};
        return PV_STATUS_ARGUMENT;
    }
    assert_true(asprintf(file, "%s/%s", folder, path) > 0);
    return PV_STATUS_OK;
}

void *__wrap_web_kept(const web_call *call, const void *key,
                      void *(*create)(const web_snapshot *snapshot), void (*destroy)(void *kept))
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (by_hand(call) == NULL) {
        return __real_web_kept(call, key, create, destroy);
    }
    hand_snapshot *const h = by_hand(call)->snapshot;
    (void)pthread_mutex_lock(&lock);
    if (h->kept == NULL) {
        h->key = key;
        h->kept = create(&h->snapshot);
        h->destroy = destroy;
    }
    (void)pthread_mutex_unlock(&lock);
    assert_ptr_equal(h->key, key);
    return h->kept;
}

/* ------------------------------------------------------------------- calls */

static bool goes_on(void *ctx, const pv_progress *progress)
{
    hand_call *const h = ctx;
    (void)progress;
    h->reports++;
    return !atomic_load(&h->cancelled) || h->reports <= h->patience;
}

static json_t *params_of(const char *text)
{
    char *const copy = strdup(text);
    assert_non_null(copy);
    for (char *at = copy; *at != '\0'; at++) {
        *at = (char)(*at == '\'' ? '"' : *at);
    }
    json_t *const params = json_loads(copy, 0, NULL);
    assert_true(json_is_object(params));
    free(copy);
    return params;
}

static pv_status run(hand_call *h, hand_snapshot *snapshot, web_endpoint_fn endpoint,
                     unsigned threads, const char *params)
{
    h->mark = MARK;
    h->snapshot = snapshot;
    h->call = (web_call){.snapshot = &snapshot->snapshot,
                         .params = params_of(params),
                         .context = {.threads = threads, .progress = goes_on, .progress_ctx = h},
                         .job = h};
    const pv_status status = endpoint(&h->call, &h->result, &h->error);
    assert_true(status == PV_STATUS_OK ? h->result != NULL : h->error.message[0] != '\0');
    assert_true(status == PV_STATUS_OK || status == PV_STATUS_CANCELLED || h->result == NULL);
    json_decref(h->call.params);
    return status;
}

pv_status hand_run(hand_call *h, hand_snapshot *snapshot, web_endpoint_fn endpoint,
                   unsigned threads, const char *params)
{
    *h = (hand_call){0};
    return run(h, snapshot, endpoint, threads, params);
}

pv_status hand_run_stopped(hand_call *h, hand_snapshot *snapshot, web_endpoint_fn endpoint,
                           size_t patience, const char *params)
{
    *h = (hand_call){.patience = patience};
    atomic_store(&h->cancelled, true);
    return run(h, snapshot, endpoint, 2, params);
}

void hand_free(hand_call *h)
{
    json_decref(h->partial);
    json_decref(h->result);
    h->partial = h->result = NULL;
}

json_t *hand_ask(hand_call *h, hand_snapshot *snapshot, web_endpoint_fn endpoint,
                 const char *params)
{
    const pv_status status = hand_run(h, snapshot, endpoint, 2, params);
    if (status != PV_STATUS_OK) {
        fail_msg("%s: %s", params, h->error.message);
    }
    return h->result;
}

void hand_refuse(hand_snapshot *snapshot, web_endpoint_fn endpoint, const char *params,
                 pv_status status)
{
    hand_call h;
    const pv_status got = hand_run(&h, snapshot, endpoint, 1, params);
    if (got != status) {
        fail_msg("%s: status %d: %s", params, (int)got, h.error.message);
    }
    hand_free(&h);
}

double hand_number(const json_t *object, const char *name)
{
    const json_t *const value = json_object_get(object, name);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

const char *hand_text(const json_t *object, const char *name)
{
    const json_t *const value = json_object_get(object, name);
    assert_true(json_is_string(value));
    return json_string_value(value);
}
