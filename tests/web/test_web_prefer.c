/* The endpoint `prefer`: the first wish is answered as the command answers it, further ones go on
 * from there, a session file is continued, and preferences are shared by jobs without harm. */
#include "support/session_sample.h"
#include "web/by_hand.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* A folder with a plan of a session sample in it, as the server sees it. */
typedef struct {
    session_sample sample;
    session_folder folder;
    hand_snapshot snapshot;
} place;

static void place_open(place *p, bool with_files)
{
    hand_snapshot_init(&p->snapshot, &p->sample.bound, with_files ? p->folder.name : NULL);
}

/* It stays where it is: the snapshot points into it. */
static void place_init(place *p, bool with_files)
{
    *p = (place){.sample = session_sample_create(), .folder = session_folder_create()};
    place_open(p, with_files);
}

static void place_free(place *p)
{
    char path[128];
    hand_snapshot_deinit(&p->snapshot);
    for (unsigned i = 1; i < 10; i++) {
        (void)snprintf(path, sizeof path, i == 1 ? "%s/plan.session" : "%s/plan-%u.session",
                       p->folder.name, i);
        (void)unlink(path);
    }
    session_folder_free(&p->folder);
    session_sample_free(&p->sample);
}

static const char wish[] =
    "{'k': 3, 'wish': {'bias': 0.2, 'loss': 0.3}, 'prove': 100, 'log': true}";

static const char *session_of(const json_t *answer)
{
    return hand_text(answer, "session");
}

static size_t log_size(const json_t *answer)
{
    return json_array_size(json_object_get(answer, "log"));
}

/* ------------------------------------------------------------------ answers */

static void the_first_wish_is_that_of_the_library(void **state)
{
    static const double wishes[][2] = {{0.2, 0.3}, {0.05, 0.1}, {1, 0}, {0, 0.5}};
    (void)state;
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        place p;
        const pv_preference_options options = {.size = sizeof options, .k = 4, .prove = 100};
        pv_answer *expected = NULL;
        pv_error error = {0};
        hand_call call;
        char params[128];
        place_init(&p, false);
        bound_must(pv_prefer_find(p.sample.bound.study,
                                  (pv_aspiration){.bias = wishes[i][0], .loss = wishes[i][1]},
                                  &options, &expected, &error),
                   &error);
        (void)snprintf(params, sizeof params,
                       "{'k': 4, 'wish': {'bias': %g, 'loss': %g}, 'prove': 100}", wishes[i][0],
                       wishes[i][1]);
        const json_t *const answer = hand_ask(&call, &p.snapshot, web_prefer, params);
        const json_t *const solution = json_object_get(answer, "solution");
        const pv_solution *const best = pv_answer_solution(expected, 0);
        assert_true(json_is_true(json_object_get(answer, "proven")));
        assert_int_equal(hand_number(solution, "k"), pv_solution_k(best));
        assert_true(fabs(hand_number(solution, "necd") - pv_solution_point(best).bias) < 1e-12);
        assert_true(fabs(hand_number(solution, "nwp") - pv_solution_point(best).loss) < 1e-12);
        assert_int_equal(json_array_size(json_object_get(answer, "alternatives")),
                         pv_answer_n_solutions(expected) - 1);
        assert_int_equal(hand_number(answer, "evaluated"), pv_answer_evaluated(expected));
        assert_int_equal(call.n_notes, 1); /* there are no files, so no session */
        assert_true(json_is_null(json_object_get(answer, "session")));
        hand_free(&call);
        pv_answer_free(expected);
        place_free(&p);
    }
}

/* What the page needs besides the document of the command. */
static void answers_are_complete(void **state)
{
    place p;
    hand_call call;
    (void)state;
    place_init(&p, true);
    const json_t *const answer =
        hand_ask(&call, &p.snapshot, web_prefer,
                 "{'k': 3, 'wish': {'bias': 0.2, 'loss': 0.3}, 'prove': 50, 'free_groups': false}");
    const json_t *const spec = json_object_get(json_object_get(answer, "solution"), "spec");
    const json_t *const known = json_object_get(answer, "known");
    assert_string_equal(hand_text(answer, "command"), "prefer");
    assert_string_equal(hand_text(answer, "line"),
                        "paravent prefer plan.yaml --k 3 --aspire necd=0.2,nwp=0.3 --prove 50");
    assert_string_equal(hand_text(spec, "scheme"), "cuts");
    assert_string_equal(hand_text(spec, "suppression"), "0");
    assert_string_equal(hand_text(spec, "require"), "k=3");
    assert_true(json_equal(json_object_get(spec, "cuts"),
                           json_object_get(json_object_get(answer, "solution"), "cuts")));
    for (size_t i = 0; i < json_array_size(json_object_get(answer, "alternatives")); i++) {
        const json_t *const other = json_array_get(json_object_get(answer, "alternatives"), i);
        assert_true(json_is_object(json_object_get(other, "spec")));
    }
    assert_true(json_array_size(known) > 1);
    for (size_t i = 1; i < json_array_size(known); i++) {
        const json_t *const a = json_array_get(known, i - 1);
        const json_t *const b = json_array_get(known, i);
        assert_true(json_number_value(json_array_get(a, 0)) <
                    json_number_value(json_array_get(b, 0)));
        assert_true(json_number_value(json_array_get(a, 1)) >
                    json_number_value(json_array_get(b, 1)));
        assert_true(json_integer_value(json_array_get(b, 2)) >= 3);
    }
    hand_free(&call);
    place_free(&p);
}

/* A dragged wish is answered, but no step of the session. */
static void glances_are_no_steps(void **state)
{
    place p;
    hand_call call;
    (void)state;
    place_init(&p, true);
    json_t *answer = hand_ask(&call, &p.snapshot, web_prefer, wish);
    assert_int_equal(log_size(answer), 2); /* opened, wish */
    hand_free(&call);
    for (unsigned i = 0; i < 5; i++) {
        char params[128];
        (void)snprintf(params, sizeof params, "{'k': 3, 'wish': {'bias': 0.%u, 'loss': 0.2}}", i);
        answer = hand_ask(&call, &p.snapshot, web_prefer, params);
        assert_false(json_is_true(json_object_get(answer, "proven")));
        assert_null(json_object_get(answer, "known"));
        hand_free(&call);
    }
    answer = hand_ask(&call, &p.snapshot, web_prefer, "{'k': 3, 'log': true}");
    assert_null(json_object_get(answer, "solution"));
    assert_int_equal(log_size(answer), 2);
    hand_free(&call);
    answer = hand_ask(&call, &p.snapshot, web_prefer, wish);
    assert_int_equal(log_size(answer), 3);
    assert_true(call.n_partials > 0); /* a glance before the search and the proof */
    hand_free(&call);
    place_free(&p);
}

static void steps_lead_to_the_wish(void **state)
{
    place p;
    hand_call call;
    (void)state;
    place_init(&p, true);
    const json_t *answer =
        hand_ask(&call, &p.snapshot, web_prefer,
                 "{'k': 2, 'from': {'bias': 1, 'loss': 0.2}, 'steps': 5, 'prove': 10,"
                 " 'wish': {'bias': 0.05, 'loss': 0.2}}");
    const json_t *const direction = json_object_get(answer, "direction");
    const size_t n = json_array_size(direction);
    assert_true(n >= 1 && n <= 5);
    for (size_t i = 0; i < n; i++) {
        const json_t *const solution = json_object_get(json_array_get(direction, i), "solution");
        assert_true(json_is_object(json_object_get(solution, "spec")));
    }
    hand_free(&call);
    /* Numbers are those of the steps now. */
    answer = hand_ask(&call, &p.snapshot, web_prefer,
                      "{'k': 2, 'wish': {'bias': 0.05, 'loss': 0.2}, 'accept': 1, 'log': true}");
    assert_int_equal(hand_number(answer, "accepted"), 1);
    assert_string_equal(
        hand_text(json_array_get(json_object_get(answer, "log"), log_size(answer) - 1), "kind"),
        "accepted");
    hand_free(&call);
    place_free(&p);
}

static void weights_are_steps_when_they_change(void **state)
{
    place p;
    hand_call call;
    char params[200];
    (void)state;
    place_init(&p, true);
    const char *const first = pv_study_quasi_name(p.sample.bound.study, 0);
    for (unsigned i = 0; i < 4; i++) {
        (void)snprintf(params, sizeof params,
                       "{'k': 3, 'wish': {'loss': 0}, 'weights': {'%s': %u}, 'prove': 10,"
                       " 'log': true}",
                       first, 3 + i / 2);
        const json_t *const answer = hand_ask(&call, &p.snapshot, web_prefer, params);
        assert_int_equal(hand_number(json_object_get(answer, "weights"), first), 3 + i / 2);
        assert_int_equal(log_size(answer), 1 + 1 + i + 1 + i / 2);
        hand_free(&call);
    }
    hand_refuse(&p.snapshot, web_prefer, "{'k': 3, 'weights': {'no such': 1}}", PV_STATUS_ARGUMENT);
    place_free(&p);
}

/* ------------------------------------------------------------------ session */

static void sessions_are_continued(void **state)
{
    place p;
    struct stat file;
    hand_call call;
    (void)state;
    place_init(&p, true);
    (void)snprintf(p.folder.path, sizeof p.folder.path, "%s/plan.session", p.folder.name);
    json_t *answer = hand_ask(&call, &p.snapshot, web_prefer, wish);
    const double evaluated = hand_number(answer, "evaluated");
    assert_string_equal(session_of(answer), "plan.session");
    assert_int_equal(stat(p.folder.path, &file), 0);
    assert_int_equal(file.st_mode & 0777, 0600);
    hand_free(&call);
    answer = hand_ask(&call, &p.snapshot, web_prefer,
                      "{'k': 3, 'wish': {'bias': 0.2, 'loss': 0.3}, 'accept': 0}");
    assert_int_equal(hand_number(answer, "accepted"), 0);
    hand_free(&call);

    /* The terminal goes on while the page is open, then the page again. */
    p.sample.options = (pv_preference_options){.size = sizeof p.sample.options, .k = 3};
    pv_preference *const terminal = session_keep(&p.sample, p.folder.path);
    session_wish(terminal, 0.1, 0.4);
    pv_preference_free(terminal);
    answer = hand_ask(&call, &p.snapshot, web_prefer, wish);
    assert_string_equal(session_of(answer), "plan.session");
    assert_true(hand_number(answer, "evaluated") >= evaluated);
    /* opened, wish, accepted; opened, wish; opened, wish */
    assert_int_equal(log_size(answer), 7);
    hand_free(&call);
    place_free(&p);
}

static void other_demands_have_other_files(void **state)
{
    static const char *const files[] = {"plan.session", "plan-2.session", "plan-3.session",
                                        "plan-4.session", "plan-5.session"};
    place p;
    hand_call call;
    (void)state;
    place_init(&p, true);
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned k = 2; k < 7; k++) { /* one more than are kept alive */
            char params[100];
            (void)snprintf(params, sizeof params, "{'k': %u, 'wish': {}, 'prove': 5}", k);
            const json_t *const answer = hand_ask(&call, &p.snapshot, web_prefer, params);
            assert_string_equal(session_of(answer), files[k - 2]);
            assert_int_equal(call.n_notes, 0);
            hand_free(&call);
        }
    }
    /* Somebody else's file is left alone. */
    hand_snapshot_deinit(&p.snapshot);
    (void)snprintf(p.folder.path, sizeof p.folder.path, "%s/plan.session", p.folder.name);
    session_write(p.folder.path, "dear diary", 10);
    place_open(&p, true);
    const json_t *const answer =
        hand_ask(&call, &p.snapshot, web_prefer, "{'k': 2, 'wish': {}, 'prove': 5}");
    assert_string_equal(session_of(answer), "plan-6.session");
    hand_free(&call);
    place_free(&p);
}

/* A session that the terminal has open is not waited for. */
static void sessions_in_use_are_left_alone(void **state)
{
    place p;
    hand_call call;
    (void)state;
    place_init(&p, true);
    (void)snprintf(p.folder.path, sizeof p.folder.path, "%s/plan.session", p.folder.name);
    p.sample.options = (pv_preference_options){.size = sizeof p.sample.options, .k = 3};
    pv_preference *const terminal = session_keep(&p.sample, p.folder.path);
    const json_t *const answer = hand_ask(&call, &p.snapshot, web_prefer, wish);
    assert_true(json_is_null(json_object_get(answer, "session")));
    assert_int_equal(call.n_notes, 1);
    hand_free(&call);
    pv_preference_free(terminal);
    place_free(&p);
}

/* ------------------------------------------------------------------ refused */

static void nonsense_is_refused(void **state)
{
    static const char *const wrong[] = {"{'k': 0}",
                                        "{'k': 'five'}",
                                        "{'k': 3, 'wish': {'bias': 2}}",
                                        "{'k': 3, 'wish': {'bias': -0.1}}",
                                        "{'k': 3, 'wish': {'necd': 0.1}}",
                                        "{'k': 3, 'wish': 0.5}",
                                        "{'k': 3, 'bias': 'nwp'}",
                                        "{'k': 3, 'loss': 'necd'}",
                                        "{'k': 3, 'loss': 'glm=0.5,cm'}",
                                        "{'k': 3, 'bias': 7}",
                                        "{'k': 3, 'steps': 5}",
                                        "{'k': 3, 'from': {'bias': 1}, 'steps': 1001}",
                                        "{'k': 3, 'from': [1, 0]}",
                                        "{'k': 3, 'weights': [3]}",
                                        "{'k': 3, 'prove': -1}",
                                        "{'k': 3, 'require': 'k=none'}",
                                        "{'k': 3, 'accept': 0}",
                                        "{'k': 3, 'accept': -1}",
                                        "{'k': 3, 'log': 'yes'}",
                                        "{'k': 3, 'choose': 1}"};
    place p;
    (void)state;
    place_init(&p, true);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hand_refuse(&p.snapshot, web_prefer, wrong[i], PV_STATUS_ARGUMENT);
    }
    hand_refuse(&p.snapshot, web_prefer, "{'k': 100000}", PV_STATUS_UNSATISFIED);
    place_free(&p);
}

/* A number that is in no answer to this wish. */
static void only_answers_are_accepted(void **state)
{
    place p;
    hand_call call;
    (void)state;
    place_init(&p, true);
    (void)hand_ask(&call, &p.snapshot, web_prefer, wish);
    hand_free(&call);
    hand_refuse(&p.snapshot, web_prefer,
                "{'k': 3, 'wish': {'bias': 0.2, 'loss': 0.3}, 'accept': 99}", PV_STATUS_ARGUMENT);
    hand_refuse(&p.snapshot, web_prefer,
                "{'k': 3, 'wish': {'bias': 0.2, 'loss': 0.31}, 'accept': 0}", PV_STATUS_ARGUMENT);
    place_free(&p);
}

/* ------------------------------------------------------------------ stopped */

static void the_best_so_far_is_an_answer(void **state)
{
    place p;
    (void)state;
    place_init(&p, true);
    for (size_t patience = 0; patience < 5; patience++) {
        hand_call call;
        const pv_status status =
            hand_run_stopped(&call, &p.snapshot, web_prefer, patience,
                             "{'k': 3, 'wish': {'bias': 0.1, 'loss': 0.1}, 'prove': 100}");
        assert_true(status == PV_STATUS_CANCELLED || status == PV_STATUS_OK);
        assert_true(json_is_object(json_object_get(call.result, "solution")));
        assert_true(json_is_true(json_object_get(call.result, "stopped")) ==
                    (status == PV_STATUS_CANCELLED));
        hand_free(&call);
    }
    place_free(&p);
}

/* ------------------------------------------------------------------ threads */

enum { JOBS = 6, ROUNDS = 6 };

typedef struct {
    place *p;
    unsigned number;
    hand_call call;
} worker;

/* Glances, wishes, other demands and stops, all at once. */
static void *work(void *argument)
{
    worker *const w = argument;
    for (unsigned i = 0; i < ROUNDS; i++) {
        char params[160];
        const unsigned k = 2 + (w->number + i) % 6;
        (void)snprintf(params, sizeof params,
                       "{'k': %u, 'wish': {'bias': 0.%u, 'loss': 0.1}, 'prove': %s, 'log': true}",
                       k, i, i % 3 == 0 ? "0.01" : "0");
        const bool stopped = (w->number + i) % 4 == 3;
        const pv_status status =
            stopped ? hand_run_stopped(&w->call, &w->p->snapshot, web_prefer, 1, params)
                    : hand_run(&w->call, &w->p->snapshot, web_prefer, 1, params);
        if (status != PV_STATUS_OK && !(stopped && status == PV_STATUS_CANCELLED)) {
            return (void *)(uintptr_t) "a job failed";
        }
        if (status == PV_STATUS_OK && (unsigned)hand_number(w->call.result, "k") != k) {
            return (void *)(uintptr_t) "the answer to another question";
        }
        hand_free(&w->call);
    }
    return NULL;
}

static void jobs_do_not_disturb_each_other(void **state)
{
    place p;
    pthread_t threads[JOBS];
    worker workers[JOBS];
    (void)state;
    place_init(&p, true);
    for (unsigned i = 0; i < JOBS; i++) {
        workers[i] = (worker){.p = &p, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < JOBS; i++) {
        void *failure = NULL;
        assert_int_equal(pthread_join(threads[i], &failure), 0);
        if (failure != NULL) {
            fail_msg("%s: %s", (const char *)failure, workers[i].call.error.message);
        }
    }
    place_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_wish_is_that_of_the_library),
        cmocka_unit_test(answers_are_complete),
        cmocka_unit_test(glances_are_no_steps),
        cmocka_unit_test(steps_lead_to_the_wish),
        cmocka_unit_test(weights_are_steps_when_they_change),
        cmocka_unit_test(sessions_are_continued),
        cmocka_unit_test(other_demands_have_other_files),
        cmocka_unit_test(sessions_in_use_are_left_alone),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(only_answers_are_accepted),
        cmocka_unit_test(the_best_so_far_is_an_answer),
        cmocka_unit_test(jobs_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests_name("prefer", tests, NULL, NULL);
}
