/* Glances: an answer at once, true in everything it says, that no session notes; and what is known
 * of everything that was evaluated. */
#include "support/cut_trial.h"
#include "support/session_sample.h"
#include "support/testing.h"

#include <string.h>

static pv_answer *glance(pv_preference *preference, pv_aspiration wish, double seconds)
{
    const pv_context context = {.threads = 2};
    pv_answer *answer = NULL;
    pv_error error = {0};
    bound_must(pv_preference_glance(preference, wish, seconds, &context, &answer, &error), &error);
    return answer;
}

static void known_of(const pv_preference *preference, size_t most, pv_known_point **points,
                     size_t *n)
{
    pv_error error = {0};
    bound_must(pv_preference_known(preference, most, points, n, &error), &error);
}

/* With time enough small tables have no better answer; and never is one said to be proven. */
static void glances_tell_the_truth(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 15);
    for (size_t i = 0; i < effort(40); i++) {
        preference_trial s;
        const random_shape shape = cut_trial_shape(&rng);
        preference_trial_init(&s, &rng, &shape);
        const pv_preference_options options = {.k = 2, .free_groups = !s.respects, .prove = 100};
        pv_preference *const preference = preference_trial_create(s.study.profile, &options);
        pv_known_point *points = NULL;
        size_t n = 0;
        for (size_t wish = 0; wish < 3; wish++) {
            pv_answer *const answer = glance(preference, preference_trial_wish(&rng), 0.01);
            const double least = preference_trial_least(&s, options.k, &answer->goal);
            assert_false(answer->proven || answer->stopped);
            assert_true(answer->n_solutions > 0 && answer->solutions[0].k >= options.k);
            assert_true(answer->solutions[0].achievement >= least - 1e-9);
            pv_answer_free(answer);
        }
        assert_int_equal(preference->wishes, 0);
        known_of(preference, 0, &points, &n);
        assert_true(n > 0);
        for (size_t a = 0; a < n; a++) {
            assert_true(points[a].k >= options.k);
            assert_true(a == 0 || (points[a].point.bias > points[a - 1].point.bias &&
                                   points[a].point.loss < points[a - 1].point.loss));
        }
        pv_known_points_free(points);
        pv_preference_free(preference);
        preference_trial_deinit(&s);
    }
}

/* Nothing that is known beats what is said to be known, and all of it is among what is known. */
static void what_is_known_is_efficient(void **state)
{
    session_sample s = session_sample_create();
    pv_preference *const preference = session_preference(&s);
    pv_known_point *points = NULL;
    pv_known_point *few = NULL;
    size_t n = 0;
    size_t n_few = 0;
    (void)state;
    known_of(preference, 0, &points, &n);
    assert_int_equal(n, 0);
    pv_known_points_free(points);
    session_wish(preference, 0.2, 0.2);
    session_wish(preference, 0.05, 0.5);
    known_of(preference, 0, &points, &n);
    assert_true(n > 2);
    const pv_cut_run *const run = &preference->search.run;
    for (size_t id = 0; id < run->map.n; id++) {
        const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(run, (uint32_t)id);
        const double loss = pv_i_cut_nwp(&preference->search.prices, outcome->cost);
        bool is_matched = outcome->sizes.smallest < preference->search.settings.k;
        for (size_t i = 0; i < n; i++) {
            is_matched = is_matched ||
                         (points[i].point.bias <= outcome->bias && points[i].point.loss <= loss);
        }
        assert_true(is_matched);
    }
    for (size_t most = 1; most <= n + 1; most++) {
        known_of(preference, most, &few, &n_few);
        assert_int_equal(n_few, most < n ? most : n);
        assert_memory_equal(&few[0], &points[0], sizeof *few);
        assert_true(n_few == 1 || memcmp(&few[n_few - 1], &points[n - 1], sizeof *few) == 0);
        pv_known_points_free(few);
    }
    pv_known_points_free(points);
    pv_preference_free(preference);
    session_sample_free(&s);
}

/* The trail has wishes only, but what a glance evaluated is kept with the next of them. */
static void sessions_do_not_note_glances(void **state)
{
    const session_folder f = session_folder_create();
    session_sample s = session_sample_create();
    pv_preference *preference = session_keep(&s, f.path);
    pv_preference_log *log = NULL;
    size_t n = 0;
    (void)state;
    pv_answer_free(glance(preference, (pv_aspiration){.bias = 0.3, .loss = 0.1}, 0.02));
    session_wish(preference, 0.2, 0.2);
    pv_answer_free(glance(preference, (pv_aspiration){.bias = 0.1, .loss = 0.4}, 0.02));
    assert_int_equal(pv_preference_log_of(preference, &log, NULL), PV_STATUS_OK);
    const pv_preference_entry *const entries = pv_preference_log_entries(log, &n);
    assert_int_equal(n, 2);
    assert_string_equal(entries[1].kind, "wish");
    const uint64_t evaluated = entries[1].evaluated;
    pv_preference_log_free(log);
    pv_preference_free(preference);
    preference = session_keep(&s, f.path); /* nothing is missing */
    assert_int_equal(preference->search.run.evaluated, evaluated);
    assert_int_equal(preference->wishes, 1);
    pv_preference_free(preference);
    session_remove(&f);
    session_folder_free(&f);
    session_sample_free(&s);
}

/* A solution of a glance may be chosen. */
static void glances_can_be_accepted(void **state)
{
    const session_folder f = session_folder_create();
    session_sample s = session_sample_create();
    pv_preference *const preference = session_keep(&s, f.path);
    pv_answer *const answer = glance(preference, (pv_aspiration){.bias = 0.3, .loss = 0.1}, 0.02);
    pv_preference_log *log = NULL;
    size_t n = 0;
    (void)state;
    assert_int_equal(pv_preference_accept(preference, answer, 0, NULL), PV_STATUS_OK);
    assert_int_equal(pv_preference_log_of(preference, &log, NULL), PV_STATUS_OK);
    const pv_preference_entry *const entries = pv_preference_log_entries(log, &n);
    assert_int_equal(n, 2);
    assert_string_equal(entries[1].kind, "accepted");
    pv_preference_log_free(log);
    pv_answer_free(answer);
    pv_preference_free(preference);
    session_remove(&f);
    session_folder_free(&f);
    session_sample_free(&s);
}

static void seconds_are_checked(void **state)
{
    session_sample s = session_sample_create();
    pv_preference *const preference = session_preference(&s);
    const pv_aspiration wish = {.bias = 0.3, .loss = 0.1};
    pv_answer *answer = NULL;
    (void)state;
    assert_int_equal(pv_preference_glance(preference, wish, 0, NULL, &answer, NULL),
                     PV_STATUS_ARGUMENT);
    assert_int_equal(pv_preference_glance(preference, wish, (double)NAN, NULL, &answer, NULL),
                     PV_STATUS_ARGUMENT);
    assert_int_equal(
        pv_preference_glance(preference, (pv_aspiration){.bias = -1}, 1, NULL, &answer, NULL),
        PV_STATUS_ARGUMENT);
    assert_int_equal(pv_preference_set_prove(preference, (double)NAN, NULL), PV_STATUS_ARGUMENT);
    assert_int_equal(pv_preference_set_prove(preference, -1, NULL), PV_STATUS_OK);
    answer = session_aspire(preference, 0.3, 0.1);
    assert_false(answer->proven);
    pv_answer_free(answer);
    assert_int_equal(pv_preference_set_prove(preference, 100, NULL), PV_STATUS_OK);
    answer = session_aspire(preference, 0.3, 0.1);
    assert_true(answer->proven);
    pv_answer_free(answer);
    pv_preference_free(preference);
    session_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(glances_tell_the_truth),
        cmocka_unit_test(what_is_known_is_efficient),
        cmocka_unit_test(sessions_do_not_note_glances),
        cmocka_unit_test(glances_can_be_accepted),
        cmocka_unit_test(seconds_are_checked),
    };
    return cmocka_run_group_tests_name("glance", tests, NULL, NULL);
}
