/* Fronts point by point: the same points as by exhaustive search, each proven; and what is known
 * when it is stopped before its end is true. On random tables. */
#include "lattice/driver.h"
#include "support/failing_alloc.h"
#include "support/front_search.h"
#include "support/testing.h"

#include <string.h>

/* Values may differ by the order of additions. */
static void expect_alike(const random_study *s, const pv_front *a, const pv_front *b)
{
    bool alike = a->n_points == b->n_points;
    for (size_t i = 0; alike && i < a->n_points; i++) {
        for (size_t o = 0; o < a->n_objectives; o++) {
            alike &= oracle_near(a->points[i].values[o], b->points[i].values[o]);
        }
    }
    if (!alike) {
        fail_msg("%zu points, %zu by exhaustive search\n%s\n%s", a->n_points, b->n_points,
                 s->csv.data, s->text.data);
    }
}

/* No point of the whole front with this k or more loses less than the bound says. */
static void expect_bounded(const pv_front *front, const pv_front *whole)
{
    const size_t loss = pv_front_bounded(front);
    for (size_t i = 0; i < front->n_points; i++) {
        const pv_point *const p = &front->points[i];
        assert_true(p->bound <= p->values[loss] || oracle_near(p->bound, p->values[loss]));
        for (size_t j = 0; j < whole->n_points; j++) {
            const double least = whole->points[j].values[loss];
            assert_true(whole->points[j].k < p->k || p->bound <= least ||
                        oracle_near(p->bound, least));
        }
    }
}

static search_request random_request(random_study *s, pv_constraint *demand)
{
    static const char *const questions[][3] = {{"k", "glm"}, {"k", "nwp"}, {"glm", "k"}};
    static const char *const rules[] = {"l-distinct", "l-entropy", "t-closeness"};
    const size_t n = s->table.n_rows;
    search_request request = {.objectives = questions[random_below(s, 3)],
                              .suppression = {.budget = random_below(s, n + 2)},
                              .threads = 1 + (unsigned)random_below(s, 2)};
    if (random_one_in(s, 3)) {
        request.suppression.budget = 0;
    }
    if (random_one_in(s, 4)) {
        request.suppression.target_k = 1 + random_below(s, 1 + n / 3);
    }
    if (s->table.n_sensitive > 0 && random_one_in(s, 2)) {
        const size_t rule = random_below(s, 3);
        *demand = (pv_constraint){.ref = {.measure = pv_measure_find(rules[rule])},
                                  .bound = (rule < 2 ? 3 : 1) * (double)random_below(s, 100) / 100};
        request.demand = demand;
    }
    return request;
}

typedef struct {
    size_t calls, patience;
} listener;

static bool listen(void *ctx, const pv_progress *progress)
{
    listener *const l = ctx;
    assert_non_null(progress->phase);
    return ++l->calls <= l->patience;
}

static void check_table(random_study *s)
{
    pv_constraint demand;
    search_request request = random_request(s, &demand);
    request.method = "exhaustive";
    pv_front *const whole = search_front(s->profile, &request);
    request.method = "pointwise";
    pv_front *const front = search_front(s->profile, &request);
    assert_true(front->complete);
    expect_alike(s, front, whole);
    for (size_t i = 0; i < front->n_points; i++) {
        assert_true(pv_front_has_bounds(front));
        if (!(pv_front_gap(front, i) <= 1e-9)) {
            fail_msg("k %llu loses %.17g, bound %.17g", (unsigned long long)front->points[i].k,
                     front->points[i].values[pv_front_bounded(front)], front->points[i].bound);
        }
        if (request.demand == NULL) {
            search_expect_measured(s->profile, front, &front->points[i], request.suppression);
        }
    }
    listener l = {.patience = random_below(s, 4)};
    request.progress = listen;
    request.progress_ctx = &l;
    request.max_seconds = random_one_in(s, 2) ? 1e-4 : 0;
    pv_front *const stopped = search_front(s->profile, &request);
    assert_true(!stopped->complete || stopped->n_points == whole->n_points);
    expect_bounded(stopped, whole);
    pv_front_free(stopped);
    pv_front_free(front);
    pv_front_free(whole);
}

static void it_finds_the_whole_front(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 71);
    for (size_t i = 0; i < effort(600); i++) {
        const random_shape shape = trial_shape(&rng);
        random_study s;
        random_study_init(&s, &rng, &shape);
        check_table(&s);
        random_study_deinit(&s);
    }
}

static void other_objectives_are_refused(void **state)
{
    static const char *const questions[][4] = {
        {"k", "dcn"}, {"k", "glm", "nwp"}, {"glm", "nwp"}, {"k", "precision"}};
    const random_shape shape = {.n_rows = 12, .n_quasi = 2, .n_values = 3, .heights = 2};
    pv_rng rng;
    random_study s;
    (void)state;
    pv_i_rng_init(&rng, 72);
    random_study_init(&s, &rng, &shape);
    for (size_t i = 0; i < 4; i++) {
        const search_request request = {.objectives = questions[i], .method = "pointwise"};
        pv_error error = {0};
        assert_null(search_try(s.profile, &request, &error));
        assert_int_equal(error.status, PV_STATUS_ARGUMENT);
    }
    const search_request whole = {.objectives = (const char *const[]){"k", "glm", NULL},
                                  .method = "pointwise",
                                  .suppression = {.budget = 3, .whole_budget = true}};
    pv_error error = {0};
    assert_null(search_try(s.profile, &whole, &error));
    assert_int_equal(error.status, PV_STATUS_ARGUMENT);
    random_study_deinit(&s);
}

static void it_fails_cleanly(void **state)
{
    static const char *const objectives[] = {"k", "glm", NULL};
    const random_shape shape = {
        .n_rows = 25, .n_quasi = 3, .n_values = 4, .heights = 3, .n_sensitive = 1};
    const pv_constraint demand = {.ref = {.measure = pv_measure_find("t-closeness")}, .bound = 0.7};
    const search_request request = {.objectives = objectives,
                                    .method = "pointwise",
                                    .suppression = {.budget = 5},
                                    .demand = &demand,
                                    .threads = 1};
    pv_rng rng;
    random_study s;
    bool happened = true;
    (void)state;
    pv_i_rng_init(&rng, 73);
    random_study_init(&s, &rng, &shape);
    pv_front *const expected = search_front(s.profile, &request);
    assert_true(expected->n_points > 1);
    for (int64_t n = 0; happened; n++) {
        pv_error error = {0};
        failing_alloc_arm(n, n % 2 == 0);
        pv_front *const front = search_try(s.profile, &request, &error);
        happened = failing_alloc_disarm();
        if (front != NULL) {
            expect_alike(&s, front, expected);
        } else {
            assert_true(happened && error.status == PV_STATUS_NO_MEMORY);
        }
        pv_front_free(front);
    }
    pv_front_free(expected);
    random_study_deinit(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_finds_the_whole_front),
        cmocka_unit_test(other_objectives_are_refused),
        cmocka_unit_test(it_fails_cleanly),
    };
    return cmocka_run_group_tests_name("pointwise", tests, NULL, NULL);
}
