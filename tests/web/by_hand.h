/* Calls of endpoints made by hand: without server, jobs and plan files. What an endpoint shows,
 * notes and keeps goes into the call's own memory. */
#ifndef PV_TESTS_WEB_BY_HAND_H
#define PV_TESTS_WEB_BY_HAND_H

#include "server/endpoints.h"
#include "support/study.h"
#include "support/testing.h"

#include <stdatomic.h>

/* A snapshot with what is kept with it. */
typedef struct hand_snapshot {
    web_snapshot snapshot;
    const void *key;
    void *kept;
    void (*destroy)(void *kept);
} hand_snapshot;

/* The study is borrowed; `folder` is where files are; NULL = there are none. */
void hand_snapshot_init(hand_snapshot *h, const bound_study *study, const char *folder);
void hand_snapshot_deinit(hand_snapshot *h);

typedef struct hand_call {
    uint64_t mark; /* the first member: tells it from a real job */
    web_call call;
    hand_snapshot *snapshot;
    json_t *partial; /* the last */
    size_t n_partials, n_notes;
    atomic_bool cancelled; /* from now on, progress is told to stop */
    size_t patience;       /* ... after so many reports; 0 = only then */
    size_t reports;
    pv_error error;
    json_t *result;
} hand_call;

/* Runs an endpoint with the params of a text, which may have ' for ". */
pv_status hand_run(hand_call *h, hand_snapshot *snapshot, web_endpoint_fn endpoint,
                   unsigned threads, const char *params);
/* The same, told to stop at the first report, or one of those after it. */
pv_status hand_run_stopped(hand_call *h, hand_snapshot *snapshot, web_endpoint_fn endpoint,
                           size_t patience, const char *params);
void hand_free(hand_call *h);

/* It must go well; the caller calls hand_free. */
json_t *hand_ask(hand_call *h, hand_snapshot *snapshot, web_endpoint_fn endpoint,
                 const char *params);
/* It must be refused with this status. */
void hand_refuse(hand_snapshot *snapshot, web_endpoint_fn endpoint, const char *params,
                 pv_status status);

double hand_number(const json_t *object, const char *name);
const char *hand_text(const json_t *object, const char *name);

#endif
