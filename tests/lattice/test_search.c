/* The driver of all searches: what it refuses, how it is limited and stopped, and what it tells
 * about what it did. */
#include "support/front_search.h"
#include "support/oracle.h"
#include "support/random_study.h"
#include "support/study.h"

#include <pthread.h>

/* ---------------------------------------------------------------- objectives */

static const char *const k_glm[] = {"k", "glm", NULL};
static const char *const k_dcn[] = {"k", "dcn", NULL};
static const char *const k_glm_cm[] = {"k", "glm", "cm", NULL};
static const char *const sum_k_glm[] = {"sum-k", "glm", NULL};
static const char *const *const all_objectives[] = {k_glm, k_dcn, k_glm_cm, sum_k_glm};

/* ------------------------------------------------------------ honest results */

static int compare_in(const pv_front *front, size_t objective, const pv_point *a, const pv_point *b)
{
    const double x = a->values[objective];
    const double y = b->values[objective];
    return front->objectives[objective].measure->direction == PV_MORE_IS_BETTER ? (x > y) - (x < y)
                                                                                : (x < y) - (x > y);
}

static bool beats(const pv_front *front, const pv_point *a, const pv_point *b)
{
    for (size_t o = 0; o < front->n_objectives; o++) {
        if (compare_in(front, o, a, b) < 0) {
            return false;
        }
    }
    return true;
}

/* Whatever was found: measured rightly, in order, and no point as good as another everywhere. */
static void expect_honest(const search_table *s, const pv_front *front, pv_suppression rule)
{
    uint64_t found = 0;
    for (size_t i = 0; i < front->n_points; i++) {
        const pv_point *const point = &front->points[i];
        search_expect_measured(s->profile, front, point, rule);
        for (size_t j = 0; j < front->n_points; j++) {
            assert_true(i == j || !beats(front, point, &front->points[j]));
        }
        assert_true(i == 0 || compare_in(front, 0, point, point - 1) >= 0);
        found += 1 + point->ties;
    }
    assert_true(found <= front->evaluated * search_most_thresholds(rule));
    assert_true(front->nodes == (double)s->n_nodes);
    assert_true(front->evaluated + front->pruned_loss + front->pruned_mark <= s->n_nodes);
}

static void expect_stopped(const search_table *s, const pv_front *front, pv_suppression rule,
                           pv_stop stop)
{
    assert_int_equal(front->stop, stop);
    assert_false(front->complete);
    expect_honest(s, front, rule);
}

/* -------------------------------------------------------------------- limits */

/* Never more, and as many as that if every scheme is visited. */
static void evaluations_are_limited(void **state)
{
    static const uint64_t limits[] = {1, 2, 3, 7, 40, 255};
    search_table s = search_table_create(4, 80);
    (void)state;
    for (size_t i = 0; i < 2 * 4 * 6; i++) {
        const pv_suppression rule = {.whole_budget = i < 4 * 6, .budget = 6};
        search_request request = {.objectives = all_objectives[i / 6 % 4],
                                  .method = "exhaustive",
                                  .suppression = rule,
                                  .max_evaluations = limits[i % 6]};
        for (request.threads = 1; request.threads < 4; request.threads++) {
            pv_front *const front = search_front(s.profile, &request);
            assert_int_equal(front->evaluated, limits[i % 6]);
            assert_true(front->n_points > 0);
            expect_stopped(&s, front, rule, PV_STOP_EVALUATIONS);
            pv_front_free(front);
        }
    }
    search_table_free(&s);
}

static void exact_evaluations_are_limited(void **state)
{
    search_table s = search_table_create(4, 80);
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        const pv_suppression rule = {.whole_budget = i < 3, .budget = 6};
        search_request request = {.objectives = all_objectives[i % 3],
                                  .method = "exact",
                                  .suppression = rule,
                                  .threads = 1};
        pv_front *const whole = search_front(s.profile, &request);
        search_expect_complete(whole, s.n_nodes);
        assert_true(whole->evaluated > 16 && whole->evaluated < s.n_nodes);
        for (uint64_t limit = 1; limit + 4 < whole->evaluated; limit += 3) {
            request.max_evaluations = limit;
            request.threads = 1 + (unsigned)limit % 3;
            pv_front *const front = search_front(s.profile, &request);
            assert_true(front->evaluated >= limit && front->evaluated <= limit + 4);
            expect_stopped(&s, front, rule, PV_STOP_EVALUATIONS);
            pv_front_free(front);
        }
        pv_front_free(whole);
    }
    search_table_free(&s);
}

/* A limit that is not reached is none. */
static void distant_limits_do_not_matter(void **state)
{
    static const char *const methods[] = {"exhaustive", "exact"};
    search_table s = search_table_create(3, 50);
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        search_request request = {.objectives = k_glm, .method = methods[i], .threads = 2};
        pv_front *const free_front = search_front(s.profile, &request);
        search_expect_complete(free_front, s.n_nodes);
        for (uint64_t more = 0; more < 2; more++) {
            request.max_evaluations = s.n_nodes + more;
            request.max_seconds = 1e6;
            pv_front *const limited = search_front(s.profile, &request);
            search_expect_same(free_front, limited);
            pv_front_free(limited);
        }
        pv_front_free(free_front);
    }
    search_table_free(&s);
}

static void time_is_limited(void **state)
{
    static const char *const methods[] = {"exhaustive", "exact"};
    search_table s = search_table_create(6, 200);
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        const pv_suppression rule = {.whole_budget = i < 4, .budget = 6};
        const search_request request = {.objectives = i % 4 < 2 ? k_glm : k_glm_cm,
                                        .method = methods[i % 2],
                                        .suppression = rule,
                                        .threads = 1,
                                        .max_seconds = 1e-9};
        pv_front *const front = search_front(s.profile, &request);
        assert_true(front->evaluated < s.n_nodes);
        expect_stopped(&s, front, rule, PV_STOP_TIME);
        pv_front_free(front);
    }
    search_table_free(&s);
}

/* ---------------------------------------------------------------- cancelling */

typedef struct {
    size_t calls, patience;
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
    l->calls++;
    return l->calls <= l->patience;
}

static void cancel(const search_table *s, const char *method, const char *const *objectives,
                   unsigned threads, size_t patience)
{
    const pv_suppression rule = {.whole_budget = patience % 2 == 0, .budget = 3};
    listener l = {.patience = patience, .caller = pthread_self()};
    const search_request request = {.objectives = objectives,
                                    .method = method,
                                    .suppression = rule,
                                    .threads = threads,
                                    .progress = listen,
                                    .progress_ctx = &l};
    pv_front *const front = search_front(s->profile, &request);
    assert_false(l.strange);
    assert_true(l.calls > 0 || threads > 1); /* the other threads may have done it all */
    if (l.calls > patience) {                /* it never asks again */
        assert_int_equal(l.calls, patience + 1);
        expect_stopped(s, front, rule, PV_STOP_CANCELLED);
    } else { /* quicker than its patience */
        search_expect_complete(front, s->n_nodes);
    }
    pv_front_free(front);
}

static void it_stops_when_told(void **state)
{
    static const char *const methods[] = {"exhaustive", "exact", NULL};
    search_table s = search_table_create(7, 300);
    (void)state;
    for (unsigned i = 0; i < 12; i++) {
        cancel(&s, methods[i % 3], i % 2 == 0 ? k_glm : k_glm_cm, i < 6 ? 1 : 3, 0);
    }
    search_table_free(&s);
}

/* Told once that it may go on, and then no more. */
static void it_stops_later(void **state)
{
    search_table s = search_table_create(8, 300);
    (void)state;
    cancel(&s, "exhaustive", k_dcn, 2, 1);
    cancel(&s, "exact", k_dcn, 2, 1);
    search_table_free(&s);
}

/* ------------------------------------------------------------------ refusals */

static void expect_refused(const search_table *s, const pv_measure_ref *objectives, size_t n,
                           const char *method, const char *word)
{
    const pv_search_options options = {
        .objectives = objectives, .n_objectives = n, .method = method};
    pv_error error = {0};
    pv_front *front = NULL;
    assert_int_equal(pv_search(s->profile, &options, NULL, &front, &error), PV_STATUS_ARGUMENT);
    assert_int_equal(error.status, PV_STATUS_ARGUMENT);
    assert_null(front);
    if (strstr(error.message, word) == NULL) {
        fail_msg("'%s' does not say '%s'", error.message, word);
    }
    assert_int_equal(pv_search(s->profile, &options, NULL, &front, NULL), PV_STATUS_ARGUMENT);
}

static pv_measure_ref ref(const char *name)
{
    const pv_measure *const measure = pv_measure_find(name);
    assert_non_null(measure);
    return (pv_measure_ref){.measure = measure, .parameter = measure->parameter_default};
}

static void bad_objectives_are_refused(void **state)
{
    const pv_measure_ref nine[] = {ref("k"),    ref("glm"),  ref("dcn"),  ref("cm"),  ref("nwp"),
                                   ref("gini"), ref("risk"), ref("necd"), ref("aecs")};
    const pv_measure_ref twice[] = {ref("k"), ref("glm"), ref("k")};
    search_table s = search_table_create(2, 10);
    (void)state;
    expect_refused(&s, nine, 0, NULL, "2 to 8");
    expect_refused(&s, nine, 1, NULL, "2 to 8");
    expect_refused(&s, nine, 9, NULL, "2 to 8");
    expect_refused(&s, twice, 3, NULL, "'k'");
    expect_refused(&s, nine, 2, "guess", "'guess'");
    expect_refused(&s, nine, 2, "", "''");
    search_table_free(&s);
}

static void eight_objectives_are_fine(void **state)
{
    static const char *const eight[] = {"k",    "glm",  "dcn",  "cm", "nwp",
                                        "gini", "risk", "necd", NULL};
    const search_request request = {.objectives = eight, .threads = 2};
    search_table s = search_table_create(2, 40);
    (void)state;
    pv_front *const front = search_front(s.profile, &request);
    assert_int_equal(front->n_objectives, 8);
    search_expect_complete(front, s.n_nodes);
    expect_honest(&s, front, (pv_suppression){0});
    pv_front_free(front);
    search_table_free(&s);
}

static void missing_columns_are_refused(void **state)
{
    search_table s = {.study = bound_study_create("attributes: {a: {role: quasi}}\n", "a\n1\n2\n")};
    const pv_measure_ref l_glm[] = {ref("l-distinct"), ref("glm")};
    const pv_measure_ref k_cm[] = {ref("k"), ref("cm")};
    (void)state;
    s.profile = bound_profile(s.study.study, 1);
    expect_refused(&s, l_glm, 2, NULL, "l-distinct");
    expect_refused(&s, k_cm, 2, "exact", "cm");
    expect_refused(&s, k_cm, 2, "exhaustive", "cm");
    search_table_free(&s);
}

/* The worst of several values of one row cannot be told from counts of each alone. */
static void joint_values_are_refused(void **state)
{
    search_table s = {
        .study = bound_study_create(
            "attributes: {a: {role: quasi}, s: {role: sensitive}, t: {role: sensitive}}\n",
            "a,s,t\n1,x,y\n2,y,y\n")};
    const pv_measure_ref objectives[] = {ref("sum-l"), ref("glm")};
    (void)state;
    s.profile = bound_profile(s.study.study, 1);
    expect_refused(&s, objectives, 2, NULL, "sum-l");
    expect_refused(&s, objectives, 2, "exhaustive", "sum-l");
    search_table_free(&s);
}

/* Exact search needs bounds, of a privacy measure and of a loss; `auto` does without. */
static void exact_needs_bounds(void **state)
{
    static const char *const pairs[][2] = {{"necd", "glm"},   {"gini", "glm"},
                                           {"sum-l", "aecs"}, {"necd", "aecs"},
                                           {"k", "gini"},     {"sum-k", "risk-mean"}};
    search_table s = search_table_create(2, 30);
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const pv_measure_ref refs[] = {ref(pairs[i][0]), ref(pairs[i][1])};
        const char *const names[] = {pairs[i][0], pairs[i][1], NULL};
        const search_request request = {.objectives = names, .threads = 1};
        expect_refused(&s, refs, 2, "exact", "exact");
        pv_front *const front = search_front(s.profile, &request);
        assert_string_equal(front->method, "exhaustive");
        assert_non_null(front->reason);
        search_expect_complete(front, s.n_nodes);
        pv_front_free(front);
    }
    search_table_free(&s);
}

/* More schemes than there are numbers for: no account of them, but a front, point by point or, of
 * other objectives, as far as it is found. */
static void endless_lattices_are_searched(void **state)
{
    const random_shape shape = {.n_rows = 10, .n_quasi = 60, .n_values = 9, .heights = 5};
    const pv_search_options exhaustive = {.method = "exhaustive"};
    const pv_measure_ref by_dcn[] = {{.measure = pv_measure_find("k")},
                                     {.measure = pv_measure_find("dcn")}};
    const pv_search_options few = {.objectives = by_dcn, .n_objectives = 2, .max_evaluations = 500};
    random_study r;
    pv_rng rng;
    pv_error error = {0};
    pv_front *front = NULL;
    (void)state;
    pv_i_rng_init(&rng, 71);
    random_study_init(&r, &rng, &shape);
    assert_int_equal(pv_search(r.profile, &exhaustive, NULL, &front, &error), PV_STATUS_ARGUMENT);
    assert_null(front);
    assert_int_equal(pv_search(r.profile, &few, NULL, &front, &error), PV_STATUS_OK);
    assert_string_equal(front->method, "pbg-hybrid");
    assert_non_null(front->reason);
    assert_false(front->complete);
    assert_true(front->n_points >= 2);
    pv_front_free(front);
    assert_int_equal(pv_search(r.profile, NULL, NULL, &front, &error), PV_STATUS_OK);
    assert_string_equal(front->method, "pointwise");
    assert_true(front->complete && front->n_points >= 2);
    pv_front_free(front);
    random_study_deinit(&r);
}

/* ------------------------------------------------------------ large lattices */

/* Notes when there was something to look at. */
typedef struct {
    uint64_t calls, calls_without_points;
    bool proving;
} watcher;

static bool watch(void *ctx, const pv_progress *progress)
{
    watcher *const w = ctx;
    w->calls++;
    w->calls_without_points += progress->note == NULL;
    w->proving |= strcmp(progress->phase, "proving") == 0;
    return true;
}

/* A questionnaire: what people answer goes with how they are, so that no answer says all. */
static search_table questionnaire(size_t questions, size_t rows, unsigned noise)
{
    search_table t = {.n_nodes = (uint64_t)1 << questions};
    pv_buffer plan = {0};
    pv_buffer csv = {0};
    pv_rng rng;
    pv_i_rng_init(&rng, questions);
    pv_i_buffer_text(&plan, "attributes:\n");
    for (size_t q = 0; q < questions; q++) {
        pv_i_buffer_format(&plan, "  q%zu: {role: quasi}\n", q);
        pv_i_buffer_format(&csv, "%sq%zu", q > 0 ? "," : "", q);
    }
    for (size_t row = 0; row < rows; row++) {
        const uint64_t person = pv_i_rng_below(&rng, 100);
        for (size_t q = 0; q < questions; q++) {
            const bool yes = person + pv_i_rng_below(&rng, 1 + noise) > 50 + 2 * q;
            pv_i_buffer_format(&csv, "%c%d", q > 0 ? ',' : '\n', yes);
        }
    }
    pv_i_buffer_char(&csv, '\n');
    t.study = bound_study_create(plan.data, csv.data);
    t.profile = bound_profile(t.study.study, 1);
    pv_i_buffer_deinit(&plan);
    pv_i_buffer_deinit(&csv);
    return t;
}

/* Where a proof would have to evaluate a large part of the lattice, nobody waits for it. */
static void hopeless_proofs_are_not_tried(void **state)
{
    search_table s = questionnaire(20, 500, 100);
    watcher w = {0};
    search_request request = {.objectives = k_glm,
                              .suppression = {.whole_budget = true, .budget = 5},
                              .threads = 2,
                              .proof_work = 1e6,
                              .max_evaluations = 6000,
                              .patience = 20,
                              .progress = watch,
                              .progress_ctx = &w};
    (void)state;
    pv_front *const front = search_front(s.profile, &request);
    assert_string_equal(front->method, "pbg-hybrid");
    assert_non_null(strstr(front->reason, "sample"));
    assert_false(front->complete);
    assert_false(w.proving);
    assert_true(w.calls_without_points <= 1);
    assert_true(front->n_points >= 5);
    expect_honest(&s, front, request.suppression);
    request.threads = 1;
    pv_front *const alone = search_front(s.profile, &request);
    search_expect_same(front, alone);
    pv_front_free(alone);
    pv_front_free(front);
    search_table_free(&s);
}

/* Where it takes little, the first front is proven, or what it misses is found. */
static void large_lattices_are_proven_if_they_can_be(void **state)
{
    search_table s = questionnaire(14, 300, 0);
    static const char *const k_glm_nwp[] = {"k", "glm", "nwp", NULL};
    search_request request = {.objectives = k_glm_nwp, .proof_work = 1e5, .threads = 2};
    (void)state;
    pv_front *const front = search_front(s.profile, &request);
    assert_string_equal(front->method, "exact");
    assert_true(front->explored > 0);
    search_expect_complete(front, s.n_nodes);
    request.method = "exact";
    pv_front *const exact = search_front(s.profile, &request);
    search_expect_same_points(front, exact);
    pv_front_free(exact);
    pv_front_free(front);
    search_table_free(&s);
}

/* -------------------------------------------------------------- the registry */

static void methods_can_be_found(void **state)
{
    (void)state;
    assert_non_null(pv_method_find("exact"));
    assert_non_null(pv_method_find("exhaustive"));
    assert_null(pv_method_find("auto"));
    assert_null(pv_method_find(""));
    assert_null(pv_method_at(pv_n_methods()));
    for (size_t i = 0; i < pv_n_methods(); i++) {
        const pv_method *const method = pv_method_at(i);
        assert_ptr_equal(pv_method_find(method->name), method);
        assert_true(method->summary != NULL && method->summary[0] != '\0');
    }
}

static void nothing_asked_is_k_against_glm(void **state)
{
    const pv_search_options seeded = {.seed = 7};
    const search_request request = {.objectives = k_glm, .method = "exact", .threads = 1};
    search_table s = search_table_create(3, 40);
    pv_front *front = NULL;
    (void)state;
    assert_int_equal(pv_search(s.profile, NULL, NULL, &front, NULL), PV_STATUS_OK);
    pv_front *const asked = search_front(s.profile, &request);
    search_expect_same_points(front, asked);
    assert_string_equal(front->objectives[0].measure->name, "k");
    assert_string_equal(front->objectives[1].measure->name, "glm");
    assert_non_null(front->reason);
    assert_null(asked->reason);
    assert_int_equal(front->seed, 1);
    pv_front_free(front);
    pv_front_free(asked);
    assert_int_equal(pv_search(s.profile, &seeded, NULL, &front, NULL), PV_STATUS_OK);
    assert_int_equal(front->seed, 7);
    pv_front_free(front);
    search_table_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluations_are_limited),
        cmocka_unit_test(exact_evaluations_are_limited),
        cmocka_unit_test(distant_limits_do_not_matter),
        cmocka_unit_test(time_is_limited),
        cmocka_unit_test(it_stops_when_told),
        cmocka_unit_test(it_stops_later),
        cmocka_unit_test(bad_objectives_are_refused),
        cmocka_unit_test(eight_objectives_are_fine),
        cmocka_unit_test(missing_columns_are_refused),
        cmocka_unit_test(joint_values_are_refused),
        cmocka_unit_test(exact_needs_bounds),
        cmocka_unit_test(endless_lattices_are_searched),
        cmocka_unit_test(hopeless_proofs_are_not_tried),
        cmocka_unit_test(large_lattices_are_proven_if_they_can_be),
        cmocka_unit_test(methods_can_be_found),
        cmocka_unit_test(nothing_asked_is_k_against_glm),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
