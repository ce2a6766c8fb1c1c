/* Whoever observes a search hears of every scheme that is evaluated, with its values, and in the
 * same order on any number of threads. What is right is told by the oracle. */
#include "support/failing_alloc.h"
#include "support/front_search.h"
#include "support/random_study.h"
#include "support/study.h"
#include "support/testing.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- what is heard */

enum { MOST_HEARD = 40000, MOST_AXES = 8, MOST_VALUES = 5 };

typedef struct {
    uint8_t levels[MOST_AXES];
    bool fits;
    double values[MOST_VALUES];
} heard_scheme;

typedef struct {
    size_t n_axes, n;
    pthread_t thread;
    heard_scheme *list;
} heard;

static void hear(void *ctx, const uint8_t *levels, const double *values, size_t n_values)
{
    heard *const h = ctx;
    assert_true(h->n < MOST_HEARD && n_values <= MOST_VALUES);
    assert_true(pthread_equal(pthread_self(), h->thread));
    heard_scheme *const s = &h->list[h->n++];
    *s = (heard_scheme){.fits = values != NULL};
    memcpy(s->levels, levels, h->n_axes);
    if (values != NULL) {
        memcpy(s->values, values, n_values * sizeof *values);
    }
}

static heard heard_create(size_t n_axes)
{
    heard_scheme *const list = calloc(MOST_HEARD, sizeof *list);
    assert_non_null(list);
    assert_true(n_axes <= MOST_AXES);
    return (heard){.n_axes = n_axes, .thread = pthread_self(), .list = list};
}

static pv_front *observe(const pv_profile *profile, const char *const *names,
                         pv_search_options options, unsigned threads, heard *h)
{
    pv_measure_ref refs[PV_MAX_OBJECTIVES];
    const pv_context context = {.threads = threads};
    pv_front *front = NULL;
    pv_error error = {0};
    options.objectives = refs;
    options.n_objectives = search_objectives(names, refs);
    options.observe = hear;
    options.observe_ctx = h;
    *h = heard_create(pv_study_quasis(pv_profile_study(profile)));
    bound_must(pv_search(profile, &options, &context, &front, &error), &error);
    return front;
}

static void expect_same_heard(const heard *a, const heard *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        assert_memory_equal(a->list[i].levels, b->list[i].levels, a->n_axes);
        assert_int_equal(a->list[i].fits, b->list[i].fits);
        assert_memory_equal(a->list[i].values, b->list[i].values, sizeof a->list[i].values);
    }
}

/* ------------------------------------------------------------------- oracle */

/* The node with these levels that has the highest threshold: nodes have the lowest first. */
static const oracle_node *highest(const random_trial *t, const uint8_t *levels)
{
    const oracle_node *found = NULL;
    for (size_t i = 0; i < t->lattice.n_nodes; i++) {
        found = trial_has_levels(t, &t->lattice.nodes[i], levels) ? &t->lattice.nodes[i] : found;
    }
    return found;
}

static bool no_variety(const pv_measure *measure)
{
    return strcmp(measure->name, "l-distinct") != 0; /* which has thresholds of its own */
}

static void expect_right(const random_trial *t, const heard *h)
{
    for (size_t i = 0; i < h->n; i++) {
        const heard_scheme *const s = &h->list[i];
        const oracle_node *const node = highest(t, s->levels);
        assert_non_null(node);
        assert_int_equal(s->fits, node->feasible);
        for (size_t o = 0; s->fits && o < t->objectives.n; o++) {
            assert_true(oracle_near(s->values[o], trial_value(t, node, o)));
        }
    }
}

static size_t times(const heard *h, const uint8_t *levels)
{
    size_t n = 0;
    for (size_t i = 0; i < h->n; i++) {
        n += memcmp(h->list[i].levels, levels, h->n_axes) == 0;
    }
    return n;
}

/* Every scheme exactly once, as the oracle releases and measures it. */
static void all_schemes_are_heard_of(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 41);
    for (size_t i = 0; i < effort(60); i++) {
        const random_shape shape = trial_shape(&rng);
        random_trial t;
        heard one;
        heard three;
        trial_init(&t, &rng, &shape, (trial_rule)(i % TRIAL_RULES), no_variety);
        const pv_search_options options = {.method = "exhaustive", .suppression = t.suppression};
        pv_front *const front = observe(t.study.profile, t.names, options, 1, &one);
        pv_front *const again = observe(t.study.profile, t.names, options, 3, &three);
        assert_int_equal(one.n, t.lattice.n_schemes);
        for (size_t j = 0; j < t.lattice.n_nodes; j++) {
            assert_int_equal(times(&one, t.lattice.nodes[j].levels), 1);
        }
        expect_right(&t, &one);
        expect_same_heard(&one, &three);
        search_expect_same_points(front, again);
        pv_front_free(front);
        pv_front_free(again);
        free(one.list);
        free(three.list);
        trial_deinit(&t);
    }
}

/* Whatever method: as many as it says that it evaluated, and the same on three threads. */
static void methods_tell_what_they_evaluate(void **state)
{
    static const char *const methods[] = {"exact", "poka", "pbg-ea", "pbg-hybrid", NULL};
    static const char *const k_glm[] = {"k", "glm", NULL};
    search_table s = search_table_create(5, 120);
    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        heard one;
        heard three;
        const pv_search_options options = {.method = methods[i], .suppression = {.budget = 4}};
        pv_front *const front = observe(s.profile, k_glm, options, 1, &one);
        pv_front *const again = observe(s.profile, k_glm, options, 3, &three);
        assert_int_equal(one.n, front->evaluated + front->explored);
        assert_true(one.n > 2);
        expect_same_heard(&one, &three);
        pv_front_free(front);
        pv_front_free(again);
        free(one.list);
        free(three.list);
    }
    search_table_free(&s);
}

/* Pointwise measures what may be a point, and says as much. */
static void pointwise_tells_of_points(void **state)
{
    static const char *const k_glm[] = {"k", "glm", NULL};
    search_table s = search_table_create(4, 80);
    heard h;
    (void)state;
    pv_front *const front =
        observe(s.profile, k_glm,
                (pv_search_options){.method = "pointwise", .suppression = {.budget = 3}}, 2, &h);
    assert_int_equal(h.n, front->evaluated);
    for (size_t i = 0; i < front->n_points; i++) {
        assert_true(times(&h, front->points[i].levels) >= 1);
    }
    pv_front_free(front);
    free(h.list);
    search_table_free(&s);
}

/* ------------------------------------------------------------ parts and limits */

/* A lattice of more than one part, searched whole, and as far as a limit allows. */
static void parts_are_one_search(void **state)
{
    static const char *const k_glm[] = {"k", "glm", NULL};
    static const uint64_t limits[] = {0, 1, 8191, 8192, 8193, 15000};
    search_table s = search_table_create(7, 60); /* 16,384 schemes */
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        heard one;
        heard three;
        const pv_search_options options = {.method = "exhaustive",
                                           .suppression = {.budget = 2, .whole_budget = true},
                                           .max_evaluations = limits[i]};
        search_request unheard = {.objectives = k_glm,
                                  .method = "exhaustive",
                                  .suppression = options.suppression,
                                  .max_evaluations = limits[i],
                                  .threads = 2};
        pv_front *const silent = search_front(s.profile, &unheard);
        pv_front *const front = observe(s.profile, k_glm, options, 1, &one);
        pv_front *const again = observe(s.profile, k_glm, options, 3, &three);
        assert_int_equal(one.n, limits[i] > 0 ? limits[i] : s.n_nodes);
        expect_same_heard(&one, &three);
        search_expect_same(front, again);
        search_expect_same(front, silent);
        pv_front_free(front);
        pv_front_free(again);
        pv_front_free(silent);
        free(one.list);
        free(three.list);
    }
    search_table_free(&s);
}

static bool stop_at_once(void *ctx, const pv_progress *progress)
{
    (void)ctx;
    (void)progress;
    return false;
}

/* What was evaluated before it was stopped is told of. */
static void stopped_searches_told_something(void **state)
{
    search_table s =
        search_table_create(8, 400); /* too many schemes to be done before it is asked */
    heard h = heard_create(8);
    const pv_context context = {.threads = 2, .progress = stop_at_once};
    const pv_search_options options = {.method = "exhaustive", .observe = hear, .observe_ctx = &h};
    pv_front *front = NULL;
    (void)state;
    assert_int_equal(pv_search(s.profile, &options, &context, &front, NULL), PV_STATUS_OK);
    assert_int_equal(front->stop, PV_STOP_CANCELLED);
    assert_false(front->complete);
    assert_true(h.n > 0 && h.n < s.n_nodes);
    assert_int_equal(h.n, front->evaluated);
    pv_front_free(front);
    free(h.list);
    search_table_free(&s);
}

/* ------------------------------------------------------------------ programs */

static void programs_hear_of_levels_only(void **state)
{
    search_table s = search_table_create(3, 40);
    heard h = heard_create(3);
    pv_find_options options = {
        .size = sizeof options, .method = "exhaustive", .observe = hear, .observe_ctx = &h};
    pv_front *front = NULL;
    pv_error error = {0};
    (void)state;
    bound_must(pv_front_find(s.study.study, &options, &front, &error), &error);
    assert_int_equal(h.n, s.n_nodes);
    pv_front_free(front);
    options = (pv_find_options){.kind = PV_SCHEME_CUTS, .observe = hear, .observe_ctx = &h};
    assert_int_equal(pv_front_find(s.study.study, &options, &front, &error), PV_STATUS_ARGUMENT);
    free(h.list);
    search_table_free(&s);
}

static void count(void *ctx, const uint8_t *levels, const double *values, size_t n_values)
{
    (void)levels;
    (void)values;
    (void)n_values;
    ++*(size_t *)ctx;
}

/* A search that succeeds all the same has told of everything; one that fails leaves nothing. */
static void memory_may_run_out(void **state)
{
    search_table s = search_table_create(3, 30);
    int64_t n = 0;
    (void)state;
    for (bool failed = true; failed; n++) {
        const pv_context context = {.threads = 1 + (unsigned)n % 2};
        size_t told = 0;
        const pv_search_options options = {
            .method = "exhaustive", .observe = count, .observe_ctx = &told};
        pv_front *front = NULL;
        failing_alloc_arm(n, true);
        const pv_status status = pv_search(s.profile, &options, &context, &front, NULL);
        failed = failing_alloc_disarm();
        assert_true(status == PV_STATUS_OK || (failed && status == PV_STATUS_NO_MEMORY));
        assert_true(status != PV_STATUS_OK || told == s.n_nodes);
        pv_front_free(front);
    }
    assert_true(n > 20);
    search_table_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_schemes_are_heard_of),
        cmocka_unit_test(methods_tell_what_they_evaluate),
        cmocka_unit_test(pointwise_tells_of_points),
        cmocka_unit_test(parts_are_one_search),
        cmocka_unit_test(stopped_searches_told_something),
        cmocka_unit_test(programs_hear_of_levels_only),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("observer", tests, NULL, NULL);
}
