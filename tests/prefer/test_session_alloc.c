/* Sessions when memory runs out, at every allocation of ours: nothing leaks, the file stays good,
 * and what is in it is what was answered. */
#include "support/failing_alloc.h"
#include "support/session_sample.h"

#ifdef PV_HAVE_SQLITE

typedef struct {
    session_folder folder;
    session_sample sample;
} fixture;

static pv_status use_walk(pv_preference *preference, const fixture *f, pv_error *error)
{
    const pv_context context = {.threads = 1};
    const pv_aspiration wish = {.bias = 0.1, .loss = 0.1};
    pv_answer *answer = NULL;
    pv_status status = pv_preference_open_session(preference, f->folder.path, error);
    if (status == PV_STATUS_OK) {
        status = pv_preference_aspire(preference, wish, &context, &answer, error);
    }
    pv_preference_pause_session(preference); /* the next step takes the file again */
    if (status == PV_STATUS_OK) {
        status = pv_preference_accept(preference, answer, answer->n_solutions - 1, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_preference_weigh(preference, &(pv_weight){"age", 3}, 1, error);
        assert_true(pv_preference_weight(preference, 0) == (status == PV_STATUS_OK ? 3 : 1));
    }
    pv_answer_free(answer);
    return status;
}

static pv_status begin_session(void *ctx, pv_error *error)
{
    const fixture *const f = ctx;
    pv_preference *preference = NULL;
    session_remove(&f->folder);
    pv_status status =
        pv_preference_create(f->sample.profile, &f->sample.options, &preference, error);
    if (status == PV_STATUS_OK) {
        status = use_walk(preference, f, error);
    }
    pv_preference_free(preference);
    return status;
}

static pv_status reopen_session(void *ctx, pv_error *error)
{
    const fixture *const f = ctx;
    pv_preference *preference = NULL;
    pv_status status =
        pv_preference_create(f->sample.profile, &f->sample.options, &preference, error);
    if (status == PV_STATUS_OK) {
        status = pv_preference_open_session(preference, f->folder.path, error);
        assert_int_equal(status == PV_STATUS_OK, preference->search.run.map.n > 0);
    }
    pv_preference_free(preference);
    return status;
}

static pv_status read_log(void *ctx, pv_error *error)
{
    const fixture *const f = ctx;
    pv_preference_log *log = NULL;
    const pv_status status = pv_preference_log_read(f->folder.path, &log, error);
    pv_preference_log_free(log);
    return status;
}

static fixture fixture_create(void)
{
    fixture f = {.folder = session_folder_create(), .sample = session_sample_create()};
    f.sample.options.evaluations = 30;
    f.sample.options.population = 10;
    return f;
}

static void fixture_free(fixture *f)
{
    session_sample_free(&f->sample);
    session_folder_free(&f->folder);
}

/* Some allocations only make things faster: without them a preference goes on. */
static int64_t fail_each(fixture *f, bool stays)
{
    for (int64_t n = 0;; n++) {
        pv_error error = {0};
        failing_alloc_arm(n, stays);
        const pv_status status = begin_session(f, &error);
        const bool failed = failing_alloc_disarm();
        assert_true(status == PV_STATUS_OK || (failed && status == PV_STATUS_NO_MEMORY));
        assert_int_equal(error.status, status);
        if (!failed) {
            return n;
        }
    }
}

static void sessions_fail_cleanly(void **state)
{
    fixture f = fixture_create();
    (void)state;
    assert_true(fail_each(&f, true) > 50);
    assert_true(fail_each(&f, false) > 50);
    assert_true(failing_alloc_every(reopen_session, &f) > 20);
    assert_true(failing_alloc_every(read_log, &f) > 3);
    fixture_free(&f);
}

/* A wish that failed is not in the file, and the next one is answered and kept like any. */
static void a_walk_survives(void **state)
{
    const pv_context context = {.threads = 1};
    const pv_aspiration wish = {.bias = 0.1, .loss = 0.1};
    fixture f = fixture_create();
    bool failed = true;
    (void)state;
    for (int64_t n = 0; failed; n += 7) {
        session_remove(&f.folder);
        pv_preference *preference = session_keep(&f.sample, f.folder.path);
        pv_answer *answer = NULL;
        failing_alloc_arm(n, false);
        const pv_status status = pv_preference_aspire(preference, wish, &context, &answer, NULL);
        failed = failing_alloc_disarm();
        assert_true(status == PV_STATUS_OK || (failed && status == PV_STATUS_NO_MEMORY));
        pv_answer_free(answer);
        session_wish(preference, 0.2, 0.1);
        const size_t known = preference->search.run.map.n;
        assert_int_equal(preference->search.run.evaluated, known);
        pv_preference_free(preference);
        preference = session_keep(&f.sample, f.folder.path);
        assert_int_equal(preference->search.run.map.n, known);
        assert_int_equal(preference->wishes, status == PV_STATUS_OK ? 2 : 1);
        pv_preference_free(preference);
    }
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sessions_fail_cleanly),
        cmocka_unit_test(a_walk_survives),
    };
    return cmocka_run_group_tests_name("sessions without memory", tests, NULL, NULL);
}

#else

int main(void)
{
    return 0; /* without SQLite there are no sessions */
}

#endif
