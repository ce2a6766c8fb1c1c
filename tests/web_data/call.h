/* Calling endpoints without the server: a call made by hand, and what endpoints ask of the server
 * in its place. */
#ifndef PV_TESTS_WEB_CALL_H
#define PV_TESTS_WEB_CALL_H

#include "server/web.h"
#include "support/testing.h"

typedef struct web_sample {
    web_snapshot snapshot;
    web_call call;
    json_t *partial; /* the latest */
} web_sample;

/* Writes the table beside the plan; `open`: with its study, which the plan must allow. */
void web_sample_create(web_sample *sample, const char *csv, const char *plan, bool open);
void web_sample_free(web_sample *sample);

/* The result of an endpoint that works; owned. `params` is taken over; NULL = none. */
json_t *web_sample_run(web_sample *sample, web_endpoint_fn endpoint, json_t *params);
/* The status of one that fails. */
pv_status web_sample_fail(web_sample *sample, web_endpoint_fn endpoint, json_t *params,
                          pv_error *error);

/* Texts and numbers of a result. */
const char *web_text(const json_t *object, const char *key);
json_int_t web_count(const json_t *object, const char *key);
/* The JSON of a part in one line; owned. */
char *web_json(const json_t *part);
#define ASSERT_JSON(part, text)             \
    do {                                    \
        char *const json_ = web_json(part); \
        assert_string_equal(json_, text);   \
        free(json_);                        \
    } while (0)

#endif
