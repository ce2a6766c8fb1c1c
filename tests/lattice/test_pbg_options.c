/* What pbg-ea and pbg-hybrid can be asked for, what they refuse, how they are limited and stopped,
 * and what they tell about how they went. */
#include "support/front_search.h"
#include "support/front_volume.h"
#include "support/study.h"
#include "support/testing.h"

#include <pthread.h>
#include <stdlib.h>

static const char *const methods[] = {"pbg-ea", "pbg-hybrid"};
enum { EVOLUTION, HYBRID };

static const char *const k_glm[] = {"k", "glm", NULL};
static const char *const k_dcn_cm[] = {"k", "dcn", "cm", NULL};
static const char *const four[] = {"k", "l-entropy", "nwp", "cm", NULL};
static const char *const five[] = {"k", "l-entropy", "nwp", "cm", "gini", NULL};

static search_request request_of(size_t method, const char *const *objectives)
{
    return (search_request){.objectives = objectives, .method = methods[method], .threads = 1};
}

/* ------------------------------------------------------------ honest results */

/* The values are those of the levels; no box is as good as another. */
static void expect_honest(const search_table *s, const pv_front *front, pv_suppression rule)
{
    const box_grid grid = box_grid_of(front);
    for (size_t i = 0; i < front->n_points; i++) {
        const pv_point *const point = &front->points[i];
        search_expect_measured(s->profile, front, point, rule);
        for (size_t j = 0; j < front->n_points; j++) {
            assert_true(i == j || !box_covers(&grid, point->values, front->points[j].values));
        }
    }
    assert_true(front->n_points > 0 &&
                front->n_points <= front->evaluated * search_most_thresholds(rule));
    assert_true((double)front->evaluated <= front->nodes);
    assert_false(front->complete);
}

/* --------------------------------------------------------- what can be asked for */

/* Nothing is bred that was not there: the first population is all there is. */
static void without_chances_nothing_is_new(void **state)
{
    static const size_t populations[] = {2, 3, 25, 60};
    search_table s = search_table_create(5, 60);
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        search_request request = request_of(EVOLUTION, k_glm);
        request.population = populations[i];
        request.crossover = request.mutation = -1;
        request.iterations = 20;
        request.patience = UINT64_MAX;
        pv_front *const front = search_front(s.profile, &request);
        expect_honest(&s, front, (pv_suppression){0});
        assert_true(front->evaluated <= populations[i]);
        assert_true(front->evaluated >= 2 && front->evaluated + 10 >= populations[i]);
        assert_int_equal(front->iterations, 20);
        pv_front_free(front);
    }
    search_table_free(&s);
}

/* The hybrid then only looks around, until there is nothing left. */
static void without_chances_the_hybrid_looks_around(void **state)
{
    search_table s = search_table_create(5, 60);
    search_request request = request_of(HYBRID, k_glm);
    (void)state;
    request.crossover = request.mutation = -1;
    request.patience = UINT64_MAX;
    request.iterations = 25;
    pv_front *const long_enough = search_front(s.profile, &request);
    request.iterations = 60;
    pv_front *const often = search_front(s.profile, &request);
    search_expect_same_points(long_enough, often);
    assert_int_equal(long_enough->evaluated, often->evaluated);
    assert_int_equal(often->iterations, 60);
    pv_front_free(long_enough);
    pv_front_free(often);
    search_table_free(&s);
}

static void generations_are_counted(void **state)
{
    static const uint64_t asked[] = {1, 2, 7, 40};
    search_table s = search_table_create(5, 60);
    (void)state;
    for (size_t i = 0; i < 2 * 4; i++) {
        search_request request = request_of(i % 2, k_glm);
        request.iterations = asked[i / 2];
        pv_front *const front = search_front(s.profile, &request);
        assert_true(front->iterations <= asked[i / 2]);
        pv_front_free(front);
        request.patience = UINT64_MAX;
        pv_front *const patient = search_front(s.profile, &request);
        assert_int_equal(patient->iterations, asked[i / 2]);
        assert_int_equal(patient->stop, PV_STOP_FINISHED);
        expect_honest(&s, patient, (pv_suppression){0});
        pv_front_free(patient);
    }
    search_table_free(&s);
}

/* As many generations without anything new as it has patience for. */
static void patience_ends(void **state)
{
    static const uint64_t patiences[] = {1, 2, 9, 30};
    search_table s = search_table_create(4, 60);
    (void)state;
    for (size_t i = 0; i < 2 * 4; i++) {
        search_request request = request_of(i % 2, k_glm);
        request.patience = patiences[i / 2];
        request.iterations = 100000;
        pv_front *const front = search_front(s.profile, &request);
        assert_int_equal(front->stop, PV_STOP_STALLED);
        assert_true(front->iterations >= patiences[i / 2] && front->iterations < 100000);
        expect_honest(&s, front, (pv_suppression){0});
        pv_front_free(front);
        request.crossover = request.mutation = -1; /* then nothing is ever new */
        pv_front *const idle = search_front(s.profile, &request);
        assert_int_equal(idle->stop, PV_STOP_STALLED);
        assert_int_equal(idle->iterations, patiences[i / 2]);
        pv_front_free(idle);
    }
    search_table_free(&s);
}

static void patience_is_limited_by_default(void **state)
{
    search_table s = search_table_create(2, 20);
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        search_request request = request_of(i, k_glm);
        request.iterations = 1000000;
        pv_front *const front = search_front(s.profile, &request);
        assert_int_equal(front->stop, PV_STOP_STALLED);
        assert_true(front->iterations < 10000);
        pv_front_free(front);
    }
    search_table_free(&s);
}

static void seeds_matter(void **state)
{
    search_table s = search_table_create(6, 60);
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        search_request request = request_of(i, k_glm);
        size_t n_different = 0;
        request.iterations = 3;
        pv_front *const first = search_front(s.profile, &request);
        assert_int_equal(first->seed, 1);
        for (request.seed = 1; request.seed <= 6; request.seed++) {
            pv_front *const other = search_front(s.profile, &request);
            assert_int_equal(other->seed, request.seed);
            assert_true(request.seed > 1 || other->evaluated == first->evaluated);
            n_different += other->evaluated != first->evaluated;
            pv_front_free(other);
        }
        assert_true(n_different > 0);
        pv_front_free(first);
    }
    search_table_free(&s);
}

/* ------------------------------------------------------------------- refusals */

static void expect_refused(const search_table *s, const search_request *asked, const char *word)
{
    for (size_t i = 0; i < 2; i++) {
        search_request request = *asked;
        pv_error error;
        request.objectives = k_glm;
        request.method = methods[i];
        assert_null(search_try(s->profile, &request, &error));
        assert_int_equal(error.status, PV_STATUS_ARGUMENT);
        if (strstr(error.message, word) == NULL) {
            fail_msg("'%s' does not say '%s'", error.message, word);
        }
    }
}

static void chances_out_of_range_are_refused(void **state)
{
    static const double bad[] = {1.0000001, 80, (double)INFINITY};
    search_table s = search_table_create(2, 10);
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        expect_refused(&s, &(search_request){.crossover = bad[i]}, "crossover");
        expect_refused(&s, &(search_request){.mutation = bad[i]}, "mutation");
    }
    expect_refused(&s, &(search_request){.population = 1}, "population");
    expect_refused(&s, &(search_request){.population = SIZE_MAX}, "population");
    search_table_free(&s);
}

static void strange_boxes_are_refused(void **state)
{
    static const double bad[][2] = {
        {-1, 1}, {1, -1e-9}, {(double)NAN, 1}, {0, (double)INFINITY}, {-(double)INFINITY, 0}};
    const double good[] = {1, 100};
    search_table s = search_table_create(2, 10);
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        expect_refused(&s, &(search_request){.epsilons = bad[i]}, "epsilon");
    }
    expect_refused(&s, &(search_request){.epsilons = good, .archive = 5}, "epsilon");
    search_table_free(&s);
}

static void a_start_beyond_the_lattice_is_refused(void **state)
{
    static const uint8_t start[] = {0, 0, 3, 3, 3, 4};
    static const uint8_t other[] = {4, 0};
    search_table s = search_table_create(2, 10);
    search_request request = request_of(EVOLUTION, k_glm);
    (void)state;
    expect_refused(&s, &(search_request){.start = start, .n_start = 3}, "begin");
    expect_refused(&s, &(search_request){.start = other, .n_start = 1}, "begin");
    request.start = start;
    request.n_start = 2;
    pv_front_free(search_front(s.profile, &request));
    search_table_free(&s);
}

/* --------------------------------------------------------------------- limits */

/* What is evaluated together is evaluated whole. */
#define BATCH 8

static void evaluations_are_limited(void **state)
{
    static const uint64_t limits[] = {1, 2, 3, 26, 60, 100};
    search_table s = search_table_create(6, 80);
    (void)state;
    for (size_t i = 0; i < 2 * 2 * 6; i++) {
        const pv_suppression rule = {.whole_budget = i < 2 * 6, .budget = 6};
        const uint64_t limit = limits[i / 2 % 6];
        const uint64_t together = i % 2 == EVOLUTION ? 25 : BATCH;
        search_request request = request_of(i % 2, k_glm);
        request.suppression = rule;
        request.max_evaluations = limit;
        pv_front *const front = search_front(s.profile, &request);
        assert_int_equal(front->stop, PV_STOP_EVALUATIONS);
        assert_true(front->evaluated >= limit && front->evaluated < limit + together);
        expect_honest(&s, front, rule);
        pv_front_free(front);
    }
    search_table_free(&s);
}

static void time_is_limited(void **state)
{
    search_table s = search_table_create(12, 100);
    (void)state;
    for (size_t i = 0; i < 2 * 2 * 2; i++) {
        const pv_suppression rule = {.whole_budget = i < 2 * 2, .budget = 6};
        search_request request = request_of(i % 2, five);
        request.suppression = rule;
        request.max_seconds = i % 4 < 2 ? 1e-9 : 0.03;
        request.patience = request.iterations = UINT64_MAX;
        pv_front *const front = search_front(s.profile, &request);
        assert_int_equal(front->stop, PV_STOP_TIME);
        assert_true(front->seconds < 5);
        assert_true(i % 4 >= 2 || front->evaluated <= 100);
        expect_honest(&s, front, rule);
        pv_front_free(front);
    }
    search_table_free(&s);
}

/* ----------------------------------------------------------------- cancelling */

typedef struct {
    size_t calls, patience, notes;
    uint64_t done;
    pthread_t caller;
    bool strange; /* told on another thread, backwards, or more than all */
} listener;

static bool listen(void *ctx, const pv_progress *progress)
{
    listener *const l = ctx;
    l->strange |= !pthread_equal(pthread_self(), l->caller) || progress->phase == NULL ||
                  progress->done < l->done ||
                  (progress->total > 0 && progress->done > progress->total);
    l->done = progress->done;
    l->notes += progress->note != NULL && strstr(progress->note, "points") != NULL;
    l->calls++;
    return l->calls <= l->patience;
}

/* Told at once, or after having been told that it may go on. */
static void it_stops_when_told(void **state)
{
    search_table s = search_table_create(12, 100);
    (void)state;
    for (size_t i = 0; i < 2 * 2; i++) {
        listener l = {.patience = i / 2, .caller = pthread_self()};
        search_request request = request_of(i % 2, i < 2 ? k_glm : five);
        request.patience = request.iterations = UINT64_MAX;
        request.max_seconds = 60;
        request.progress = listen;
        request.progress_ctx = &l;
        request.threads = 1 + (unsigned)i;
        pv_front *const front = search_front(s.profile, &request);
        assert_false(l.strange);
        assert_int_equal(front->stop, PV_STOP_CANCELLED);
        assert_int_equal(l.calls, l.patience + 1); /* it never asks again */
        assert_int_equal(l.notes, l.calls);        /* the first time it knows something already */
        assert_true(i % 4 >= 2 || front->evaluated <= 100);
        expect_honest(&s, front, (pv_suppression){0});
        pv_front_free(front);
    }
    search_table_free(&s);
}

/* -------------------------------------------------------------------- moments */

static void expect_moments(const pv_front *front, double tolerance)
{
    assert_true(front->n_moments > 0);
    for (size_t i = 0; i < front->n_moments; i++) {
        const pv_moment *const moment = &front->moments[i];
        assert_true(moment->points > 0 && moment->evaluated >= moment->points);
        assert_true(moment->hypervolume >= 0 && moment->hypervolume <= 1);
        if (i > 0) {
            assert_true(moment->evaluated > moment[-1].evaluated);
            assert_true(moment->seconds >= moment[-1].seconds);
            assert_true(moment->hypervolume >= moment[-1].hypervolume - tolerance);
        }
    }
    const pv_moment *const last = &front->moments[front->n_moments - 1];
    assert_int_equal(last->evaluated, front->evaluated);
    assert_int_equal(last->points, front->n_points);
    assert_true(last->seconds <= front->seconds);
}

/* With steps no larger than what can differ, nothing good is ever given up. */
static void it_gets_better_and_says_so(void **state)
{
    static const char *const k_nwp[] = {"k", "nwp", NULL};
    static const char *const sums[] = {"sum-k", "sum-l", "dcn", NULL};
    static const char *const *const questions[] = {k_dcn_cm, k_nwp, sums, four};
    search_table s = search_table_create(5, 80);
    (void)state;
    for (size_t i = 0; i < 2 * 4; i++) {
        search_request request = request_of(i % 2, questions[i / 2]);
        request.suppression.budget = i % 3 == 0 ? 4 : 0;
        request.patience = UINT64_MAX;
        request.iterations = i % 2 == HYBRID ? 5 : 60;
        pv_front *const front = search_front(s.profile, &request);
        for (size_t o = 0; o < front->n_objectives; o++) { /* as at the beginning */
            assert_true(front->epsilons[o] == (front->objectives[o].measure->counts ? 1 : 0));
        }
        expect_moments(front, 1e-12);
        assert_true(front->n_moments > 3);
        assert_true(front->moments[front->n_moments - 1].hypervolume >
                    front->moments[0].hypervolume);
        pv_front_free(front);
    }
    search_table_free(&s);
}

/* However early it ends, and however few points are kept in the end. */
static void the_last_moment_is_the_end(void **state)
{
    search_table s = search_table_create(5, 60);
    (void)state;
    for (size_t i = 0; i < 2 * 12; i++) {
        search_request request = request_of(i % 2, i % 4 < 2 ? k_glm : i < 4 ? five : four);
        request.max_evaluations = 1 + 11 * (i / 2);
        request.archive = i % 3 == 0 ? 4 : 0;
        pv_front *const front = search_front(s.profile, &request);
        expect_moments(front, 1);
        pv_front_free(front);
    }
    search_table_free(&s);
}

/* ------------------------------------------------------------ the same bytes */

static void expect_reproducible(const search_table *s, search_request request)
{
    static const unsigned threads[] = {2, 7, 1};
    static const uint64_t memory[] = {1, (uint64_t)1 << 16, (uint64_t)1 << 28};
    request.threads = 1;
    pv_front *const alone = search_front(s->profile, &request);
    for (size_t i = 0; i < 3; i++) {
        request.threads = threads[i];
        request.memory = memory[i];
        pv_front *const again = search_front(s->profile, &request);
        search_expect_same(alone, again);
        pv_front_free(again);
    }
    pv_front_free(alone);
}

/* So many people that a few schemes are worth several threads. */
static void threads_give_the_same_bytes(void **state)
{
    search_table s = search_table_create(5, 60000);
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        search_request request = request_of(i, i == EVOLUTION ? k_glm : k_dcn_cm);
        request.max_evaluations = 10 + effort(10);
        request.suppression.budget = 400;
        expect_reproducible(&s, request);
    }
    search_table_free(&s);
}

/* Which of its schemes a box keeps is not for the threads to say. */
static void threads_do_not_choose_what_a_box_keeps(void **state)
{
    static const double sides[] = {2, 3000, 0.05};
    static const char *const three[] = {"k", "dcn", "gini", NULL};
    search_table s = search_table_create(6, 30 + effort(300));
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        search_request request = {.objectives = three, .method = "exhaustive"};
        request.epsilons = i == 0 ? sides : NULL;
        request.archive = i == 0 ? 0 : 12;
        expect_reproducible(&s, request);
    }
    search_table_free(&s);
}

/* ------------------------------------------------------------- large lattices */

/* 4^60 schemes: anything proportional to that would not fit. */
static void any_lattice_can_be_searched(void **state)
{
    search_table s = search_table_create(60, 50);
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        search_request request = request_of(i, k_dcn_cm);
        request.max_evaluations = 50 + effort(1500);
        pv_front *const front = search_front(s.profile, &request);
        assert_true(front->nodes > 1e36);
        assert_int_equal(front->n_levels, 60);
        assert_true(front->stop == PV_STOP_EVALUATIONS || front->stop == PV_STOP_STALLED);
        assert_true(front->n_points > (i == HYBRID ? 2 : 1));
        expect_honest(&s, front, (pv_suppression){0});
        expect_moments(front, 1e-12);
        pv_front_free(front);
        request.max_evaluations = 50 + effort(100);
        expect_reproducible(&s, request);
    }
    search_table_free(&s);
}

/* ------------------------------------------------------------------- nothing */

/* No scheme keeps the target: an empty front, not a failure. */
static void nothing_may_be_feasible(void **state)
{
    search_table s = search_table_create(3, 10);
    (void)state;
    for (size_t i = 0; i < 2 * 2; i++) {
        search_request request = request_of(i % 2, k_glm);
        request.suppression.target_k = 11;
        request.archive = i / 2;
        pv_front *const front = search_front(s.profile, &request);
        assert_int_equal(front->n_points, 0);
        assert_true(front->evaluated >= 2);
        assert_false(front->complete);
        pv_front_free(front);
    }
    search_table_free(&s);
}

/* The raw table is infeasible, and yet the front has more than the coarsest. */
static void an_infeasible_end_hides_nothing(void **state)
{
    const pv_suppression rule = {.target_k = 3};
    search_table s = search_table_create(4, 80);
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        search_request request = request_of(i, k_dcn_cm);
        request.suppression = rule;
        pv_front *const front = search_front(s.profile, &request);
        request.method = "exhaustive";
        pv_front *const whole = search_front(s.profile, &request);
        assert_true(whole->n_points > 2);
        if (4 * front->n_points < 3 * whole->n_points) {
            fail_msg("%s found %zu of %zu points", front->method, front->n_points, whole->n_points);
        }
        expect_honest(&s, front, rule);
        pv_front_free(front);
        pv_front_free(whole);
    }
    search_table_free(&s);
}

static void they_say_that_they_draw_random_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < pv_n_methods(); i++) {
        const pv_method *const method = pv_method_at(i);
        assert_true(method->evolves == (strncmp(method->name, "pbg-", 4) == 0));
        assert_true(!method->evolves || method->reference != NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_chances_nothing_is_new),
        cmocka_unit_test(without_chances_the_hybrid_looks_around),
        cmocka_unit_test(generations_are_counted),
        cmocka_unit_test(patience_ends),
        cmocka_unit_test(patience_is_limited_by_default),
        cmocka_unit_test(seeds_matter),
        cmocka_unit_test(chances_out_of_range_are_refused),
        cmocka_unit_test(strange_boxes_are_refused),
        cmocka_unit_test(a_start_beyond_the_lattice_is_refused),
        cmocka_unit_test(evaluations_are_limited),
        cmocka_unit_test(time_is_limited),
        cmocka_unit_test(it_stops_when_told),
        cmocka_unit_test(it_gets_better_and_says_so),
        cmocka_unit_test(the_last_moment_is_the_end),
        cmocka_unit_test(threads_give_the_same_bytes),
        cmocka_unit_test(threads_do_not_choose_what_a_box_keeps),
        cmocka_unit_test(any_lattice_can_be_searched),
        cmocka_unit_test(nothing_may_be_feasible),
        cmocka_unit_test(an_infeasible_end_hides_nothing),
        cmocka_unit_test(they_say_that_they_draw_random_numbers),
    };
    return cmocka_run_group_tests_name("pbg: options, limits, account", tests, NULL, NULL);
}
