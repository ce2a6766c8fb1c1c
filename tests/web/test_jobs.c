/* Jobs by themselves: the order, channels, limits, cancelling, and what is told of them. */
#include "core/json.h"
#include "server/jobs.h"
#include "server/snapshot.h"
#include "web/client.h"

#include <stdatomic.h>
#include <unistd.h>

/* What the endpoints of this test do, and what the test lets them do. */
static struct {
    atomic_int running, most, order, places[64];
    atomic_bool may_end, has_table;
} stage;

static pv_status wait_until_free(web_call *call, json_t **result, pv_error *error)
{
    const int n = atomic_fetch_add(&stage.running, 1) + 1;
    int most = atomic_load(&stage.most);
    while (n > most && !atomic_compare_exchange_weak(&stage.most, &most, n)) {
    }
    const pv_progress at = {.phase = "waiting", .done = 3, .total = 9, .note = "a note"};
    bool goes_on = true;
    while (goes_on && !atomic_load(&stage.may_end)) {
        goes_on = call->context.progress(call->context.progress_ctx, &at);
        (void)usleep(1000);
    }
    (void)atomic_fetch_sub(&stage.running, 1);
    *result = json_pack("{sb}", "whole", goes_on);
    (void)error;
    return goes_on ? PV_STATUS_OK : PV_STATUS_CANCELLED;
}

static pv_status say_and_fail(web_call *call, json_t **result, pv_error *error)
{
    web_note(call, "one");
    web_note(call, "two");
    web_partial(call, json_pack("{si}", "half", 1));
    (void)result;
    *error =
        (pv_error){.status = PV_STATUS_UNSATISFIED, .message = "it cannot be", .hint = "ask less"};
    return PV_STATUS_UNSATISFIED;
}

static pv_status note_place(web_call *call, json_t **result, pv_error *error)
{
    const int place = atomic_fetch_add(&stage.order, 1);
    atomic_store(&stage.places[json_integer_value(json_object_get(call->params, "n"))], place);
    /* Calls that have no context of their own report by the thread they are on. */
    const pv_progress at = {.phase = "counting"};
    assert_true(web_job_tick(&at));
    *result = json_object();
    (void)error;
    return PV_STATUS_OK;
}

static const web_endpoint endpoints[] = {{"wait", true, wait_until_free},
                                         {"fail", true, say_and_fail},
                                         {"note", true, note_place},
                                         {"table", false, note_place},
                                         {NULL, false, NULL}};

static web_snapshot *take(void *ctx, bool anyhow, pv_error *error)
{
    (void)error;
    return anyhow || atomic_load(&stage.has_table) ? web_snapshot_share(ctx) : NULL;
}

typedef struct setting {
    web_snapshot *snapshot;
    web_jobs *jobs;
} setting;

static int set_up(void **state)
{
    setting *const s = calloc(1, sizeof *s);
    assert_non_null(s);
    memset(&stage, 0, sizeof stage);
    s->snapshot = web_snapshot_create("/", "plan.yaml", "", 1);
    const web_source source = {.ctx = s->snapshot, .take = take};
    s->jobs = web_jobs_create(endpoints, source, NULL, 1);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    setting *const s = *state;
    web_jobs_free(s->jobs);
    web_snapshot_leave(s->snapshot);
    free(s);
    return 0;
}

static uint64_t submit(const setting *s, const char *kind, const char *channel, int n)
{
    uint64_t id = 0;
    pv_error error = {0};
    json_t *const params = json_pack("{si}", "n", n);
    assert_int_equal(web_jobs_submit(s->jobs, kind, channel, params, &id, &error), PV_STATUS_OK);
    json_decref(params);
    return id;
}

static void expect_state(const setting *s, uint64_t id, const char *state)
{
    json_t *const job = web_jobs_wait(s->jobs, id, web_patience_of(60));
    assert_non_null(job);
    assert_string_equal(text_of(job, "state"), state);
    json_decref(job);
}

static void four_work_and_sixteen_wait(void **state)
{
    const setting *const s = *state;
    uint64_t ids[20];
    uint64_t more = 0;
    pv_error error = {0};
    json_t *const params = json_object();
    for (size_t i = 0; i < 4; i++) {
        ids[i] = submit(s, "wait", NULL, 0);
    }
    while (atomic_load(&stage.running) < 4) {
        (void)usleep(1000);
    }
    for (size_t i = 4; i < 20; i++) {
        ids[i] = submit(s, "wait", NULL, 0);
    }
    assert_int_equal(web_jobs_submit(s->jobs, "wait", NULL, params, &more, &error),
                     PV_STATUS_LIMIT);
    json_decref(params);
    atomic_store(&stage.may_end, true);
    for (size_t i = 0; i < 20; i++) {
        expect_state(s, ids[i], "done");
    }
    assert_int_equal(atomic_load(&stage.most), 4);
}

static void progress_is_told(void **state)
{
    const setting *const s = *state;
    const uint64_t id = submit(s, "wait", NULL, 0);
    json_t *job = web_jobs_show(s->jobs, id, 2, web_patience_of(60)); /* 1: it came; 2: it began */
    assert_string_equal(text_of(job, "state"), "running");
    assert_string_equal(text_of(job, "progress.phase"), "waiting");
    assert_int_equal(number_of(job, "progress.done"), 3);
    assert_int_equal(number_of(job, "progress.total"), 9);
    assert_string_equal(text_of(job, "progress.note"), "a note");
    json_decref(job);
    assert_true(web_jobs_cancel(s->jobs, id));
    job = web_jobs_wait(s->jobs, id, web_patience_of(60));
    assert_string_equal(text_of(job, "state"), "cancelled");
    assert_true(json_is_false(at(job, "result.whole"))); /* what was found so far */
    assert_true(json_is_null(at(job, "error")));
    json_decref(job);
    assert_false(web_jobs_cancel(s->jobs, 77));
    assert_null(web_jobs_show(s->jobs, 77, 0, web_patience_of(60)));
}

static void a_channel_has_one_job(void **state)
{
    const setting *const s = *state;
    const uint64_t first = submit(s, "wait", "a", 0);
    const uint64_t other = submit(s, "wait", "b", 0);
    const uint64_t second = submit(s, "wait", "a", 0);
    const uint64_t third = submit(s, "wait", "a", 0);
    expect_state(s, first, "cancelled");
    expect_state(s, second, "cancelled");
    atomic_store(&stage.may_end, true);
    expect_state(s, third, "done");
    expect_state(s, other, "done");
}

static void failures_are_told(void **state)
{
    const setting *const s = *state;
    json_t *const job = web_jobs_wait(s->jobs, submit(s, "fail", NULL, 0), web_patience_of(60));
    assert_string_equal(text_of(job, "state"), "failed");
    assert_string_equal(text_of(job, "error.status"), "unsatisfied");
    assert_string_equal(text_of(job, "error.message"), "it cannot be");
    assert_string_equal(text_of(job, "error.hint"), "ask less");
    assert_string_equal(text_of(job, "notes.0"), "one");
    assert_string_equal(text_of(job, "notes.1"), "two");
    assert_true(json_is_null(at(job, "partial")));
    json_decref(job);
}

static void who_needs_the_table_waits_for_it(void **state)
{
    const setting *const s = *state;
    const uint64_t needs = submit(s, "table", NULL, 1);
    const uint64_t does_not = submit(s, "note", NULL, 2);
    expect_state(s, does_not, "done");
    json_t *const job = web_jobs_show(s->jobs, needs, 0, web_patience_of(0));
    assert_string_equal(text_of(job, "state"), "waiting");
    json_decref(job);
    atomic_store(&stage.has_table, true);
    web_jobs_wake(s->jobs);
    expect_state(s, needs, "failed"); /* this one has no study, so that it is refused */
}

static void old_results_are_forgotten(void **state)
{
    const setting *const s = *state;
    const uint64_t of_channel = submit(s, "note", "a", 0);
    expect_state(s, of_channel, "done");
    for (int i = 0; i < WEB_MOST_OF_CHANNEL + 1; i++) {
        expect_state(s, submit(s, "note", "a", 1), "done");
    }
    assert_null(web_jobs_show(s->jobs, of_channel, 0, web_patience_of(0)));
    const uint64_t first = submit(s, "note", NULL, 0);
    expect_state(s, first, "done");
    for (int i = 0; i < WEB_MOST_KEPT + 1; i++) {
        expect_state(s, submit(s, "note", NULL, 1), "done");
    }
    assert_null(web_jobs_show(s->jobs, first, 0, web_patience_of(0)));
}

static void stopping_stops_everything(void **state)
{
    const setting *const s = *state;
    uint64_t ids[10];
    uint64_t more = 0;
    pv_error error = {0};
    json_t *const params = json_object();
    for (size_t i = 0; i < 10; i++) {
        ids[i] = submit(s, "wait", NULL, 0);
    }
    web_jobs_stop(s->jobs);
    for (size_t i = 0; i < 10; i++) {
        expect_state(s, ids[i], "cancelled");
    }
    assert_int_equal(web_jobs_submit(s->jobs, "wait", NULL, params, &more, &error),
                     PV_STATUS_LIMIT);
    assert_int_equal(web_jobs_submit(s->jobs, "nothing", NULL, params, &more, &error),
                     PV_STATUS_ARGUMENT);
    json_decref(params);
}

int main(void)
{
#define JOB(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        JOB(four_work_and_sixteen_wait),
        JOB(progress_is_told),
        JOB(a_channel_has_one_job),
        JOB(failures_are_told),
        JOB(who_needs_the_table_waits_for_it),
        JOB(old_results_are_forgotten),
        JOB(stopping_stops_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
