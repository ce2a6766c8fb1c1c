/* Searching in tests: fronts for objectives by name, and comparing fronts. */
#ifndef PV_TESTS_SEARCH_SUPPORT_H
#define PV_TESTS_SEARCH_SUPPORT_H

#include "support/bound_study.h"

#include "front/front.h"

#include <math.h>
#include <paravent/search.h>
#include <string.h>

typedef struct search_request {
    const char *const *objectives; /* up to a NULL */
    const char *method;
    pv_suppression suppression;
    const pv_constraint *demand; /* NULL = none */
    unsigned threads;
    uint64_t memory, max_evaluations;
    double max_seconds;
    unsigned depth;         /* of poka */
    const double *epsilons; /* one per objective, or NULL */
    size_t archive;
    uint64_t seed; /* this and the following: of pbg-* */
    size_t population;
    uint64_t iterations, patience;
    double crossover, mutation;
    double proof_work; /* of auto */
    const uint8_t *start;
    size_t n_start;
    pv_progress_fn progress;
    void *progress_ctx;
} search_request;

static inline size_t search_objectives(const char *const *names, pv_measure_ref *refs)
{
    size_t n = 0;
    for (; names[n] != NULL; n++) {
        assert_true(n < PV_MAX_OBJECTIVES);
        assert_int_equal(pv_measure_parse(names[n], &refs[n], NULL), PV_STATUS_OK);
    }
    return n;
}

/* The front, or NULL and the status in `error`. */
static inline pv_front *search_try(const pv_profile *profile, const search_request *request,
                                   pv_error *error)
{
    pv_measure_ref refs[PV_MAX_OBJECTIVES];
    pv_search_options options = {.objectives = refs,
                                 .n_objectives = search_objectives(request->objectives, refs),
                                 .method = request->method,
                                 .suppression = request->suppression,
                                 .demands = request->demand,
                                 .n_demands = request->demand != NULL,
                                 .memory = request->memory,
                                 .max_evaluations = request->max_evaluations,
                                 .max_seconds = request->max_seconds,
                                 .depth = request->depth,
                                 .archive = request->archive,
                                 .seed = request->seed,
                                 .population = request->population,
                                 .iterations = request->iterations,
                                 .patience = request->patience,
                                 .crossover = request->crossover,
                                 .mutation = request->mutation,
                                 .proof_work = request->proof_work,
                                 .start = request->start,
                                 .n_start = request->n_start};
    for (size_t i = 0; request->epsilons != NULL && i < options.n_objectives; i++) {
        options.epsilons[i] = request->epsilons[i];
    }
    const pv_context context = {.threads = request->threads,
                                .progress = request->progress,
                                .progress_ctx = request->progress_ctx};
    pv_front *front = NULL;
    *error = (pv_error){0};
    const pv_status status = pv_search(profile, &options, &context, &front, error);
    assert_int_equal(status, error->status);
    assert_true((front == NULL) == (status != PV_STATUS_OK));
    return front;
}

static inline pv_front *search_front(const pv_profile *profile, const search_request *request)
{
    pv_error error;
    pv_front *const front = search_try(profile, request, &error);
    bound_must(error.status, &error);
    return front;
}

/* What is said of a point is true of its levels, with just the classes suppressed that its k or the
 * rule asks for. */
static inline void search_expect_measured(const pv_profile *profile, const pv_front *front,
                                          const pv_point *point, pv_suppression rule)
{
    const bool as_needed = !rule.whole_budget || rule.target_k > 0;
    pv_classes *const classes =
        bound_classes(profile, point->levels, rule.budget, as_needed ? point->k : 0);
    assert_true(pv_classes_feasible(classes));
    assert_true(point->k >= rule.target_k);
    assert_true(point->suppressed <= rule.budget);
    assert_int_equal(point->k, pv_classes_k(classes));
    assert_int_equal(point->suppressed, pv_classes_suppressed(classes));
    for (size_t o = 0; o < front->n_objectives; o++) {
        double value = -1;
        assert_int_equal(pv_measure_value(front->objectives[o], classes, &value, NULL),
                         PV_STATUS_OK);
        assert_true(fabs(point->values[o] - value) <= 1e-12 * fmax(1, fabs(value)));
    }
    pv_classes_free(classes);
}

/* How many points one scheme can be: classes of so many different sizes fit into the budget. */
static inline uint64_t search_most_thresholds(pv_suppression rule)
{
    uint64_t n = 0;
    for (uint64_t rows = 1; !rule.whole_budget && rows <= rule.budget; rows += n + 1) {
        n++;
    }
    return n + 1;
}

static inline void search_expect_same_points(const pv_front *a, const pv_front *b)
{
    assert_int_equal(a->n_objectives, b->n_objectives);
    assert_int_equal(a->n_levels, b->n_levels);
    assert_int_equal(a->n_points, b->n_points);
    for (size_t i = 0; i < a->n_points; i++) {
        const pv_point *const p = &a->points[i];
        const pv_point *const q = &b->points[i];
        assert_memory_equal(p->levels, q->levels, a->n_levels);
        assert_memory_equal(p->values, q->values, a->n_objectives * sizeof *p->values);
        assert_int_equal(p->k, q->k);
        assert_int_equal(p->suppressed, q->suppressed);
        assert_int_equal(p->ties, q->ties);
    }
}

static inline void search_expect_same_moments(const pv_front *a, const pv_front *b)
{
    assert_int_equal(a->n_moments, b->n_moments);
    for (size_t i = 0; i < a->n_moments; i++) {
        assert_int_equal(a->moments[i].evaluated, b->moments[i].evaluated);
        assert_int_equal(a->moments[i].points, b->moments[i].points);
        assert_true(a->moments[i].hypervolume == b->moments[i].hypervolume);
    }
}

/* All but the time it took. */
static inline void search_expect_same(const pv_front *a, const pv_front *b)
{
    search_expect_same_points(a, b);
    assert_string_equal(a->method, b->method);
    assert_int_equal(a->complete, b->complete);
    assert_int_equal(a->stop, b->stop);
    assert_true(a->nodes == b->nodes);
    assert_int_equal(a->evaluated, b->evaluated);
    assert_int_equal(a->pruned_loss, b->pruned_loss);
    assert_int_equal(a->pruned_mark, b->pruned_mark);
    assert_int_equal(a->seed, b->seed);
    assert_int_equal(a->iterations, b->iterations);
    assert_memory_equal(a->epsilons, b->epsilons, sizeof a->epsilons);
    assert_true(a->most_points == b->most_points);
    search_expect_same_moments(a, b);
}

/* Every node is accounted for. */
static inline void search_expect_complete(const pv_front *front, uint64_t nodes)
{
    assert_true(front->complete);
    assert_int_equal(front->stop, PV_STOP_FINISHED);
    assert_true(front->nodes == (double)nodes);
    assert_true(front->pruned_loss <= nodes && front->pruned_mark <= nodes);
    assert_int_equal(front->evaluated + front->pruned_loss + front->pruned_mark, nodes);
    assert_true(front->seconds >= 0);
}

#endif
