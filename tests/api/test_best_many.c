/* Several questions about the best scheme at once, and what one answer says of another: the same
 * answers as one by one without it. */
#include "base/memory.h"
#include "support/random_study.h"
#include "support/testing.h"

#include <math.h>
#include <paravent/paravent.h>
#include <string.h>

#define QUESTIONS 5

typedef struct {
    pv_constraint demands[QUESTIONS][2];
    pv_budget budgets[QUESTIONS];
    pv_best_options options[QUESTIONS];
    const pv_best_options *asked[QUESTIONS];
} questions;

/* One more of k, a stricter rule, a larger budget, other cuts, and a kind that there is no search
 * for. */
static void ask(questions *q, random_study *s, const pv_best *known, const pv_context *context)
{
    static const char *const rules[] = {"l-distinct", "l-entropy", "t-closeness"};
    const pv_measure *const rule = pv_measure_find(rules[random_below(s, 3)]);
    const pv_constraint demands[2] = {
        {.ref = {.measure = pv_measure_find("k")}, .bound = (double)(2 + random_below(s, 3))},
        {.ref = {.measure = rule, .parameter = rule->parameter_default},
         .bound = rule->direction == PV_MORE_IS_BETTER ? 2 : 0.5}};
    const uint64_t rows = random_below(s, 8);
    for (size_t i = 0; i < QUESTIONS; i++) {
        memcpy(q->demands[i], demands, sizeof demands);
        q->budgets[i] = (pv_budget){.rows = i == 2 ? 2 * rows : rows};
        q->options[i] = (pv_best_options){.size = sizeof q->options[i],
                                          .context = context,
                                          .kind = i == 3   ? PV_SCHEME_CUTS
                                                  : i == 4 ? PV_SCHEME_RECORDS
                                                           : PV_SCHEME_LEVELS,
                                          .demands = q->demands[i],
                                          .n_demands = 1 + (s->table.n_sensitive > 0),
                                          .budget = &q->budgets[i],
                                          .known = known,
                                          .max_seconds = -1};
        q->asked[i] = &q->options[i];
    }
    q->demands[0][0].bound += 1;
    q->demands[1][1].bound += rule->direction == PV_MORE_IS_BETTER ? 1 : -0.1;
}

static random_shape shape_of(pv_rng *rng)
{
    return (random_shape){.n_rows = 10 + (size_t)pv_i_rng_below(rng, 40),
                          .n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4),
                          .n_values = 5,
                          .n_sensitive = (size_t)pv_i_rng_below(rng, 2),
                          .missing = pv_i_rng_below(rng, 3) == 0 ? 5 : 0,
                          .heights = 1 + (unsigned)pv_i_rng_below(rng, 3),
                          .copies = 2};
}

/* One by one, without knowing anything. */
static pv_best *find_alone(const pv_study *study, const pv_best_options *asked)
{
    pv_best_options alone = *asked;
    pv_best *best = NULL;
    alone.known = NULL;
    assert_int_equal(pv_best_find(study, &alone, &best, NULL), PV_STATUS_OK);
    assert_true(pv_best_is_proven(best));
    return best;
}

static void expect_same(const pv_best *a, const pv_best *b)
{
    const double hair = 1e-9 * fmax(1, fabs(pv_best_value(a)));
    assert_true(pv_best_is_proven(b));
    assert_int_equal(pv_best_scheme(a) != NULL, pv_best_scheme(b) != NULL);
    assert_true(fabs(pv_best_value(a) - pv_best_value(b)) <= hair);
    assert_true(fabs(pv_best_bound(a) - pv_best_bound(b)) <= hair);
}

static void test_as_one_by_one(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 61);
    const size_t n = effort(150);
    for (size_t i = 0; i < n; i++) {
        random_study s;
        questions q;
        const pv_context context = {.threads = 1 + (unsigned)(i % 3)};
        const random_shape shape = shape_of(&rng);
        random_study_init(&s, &rng, &shape);
        ask(&q, &s, NULL, &context);
        const pv_study *const study = s.bound.study;
        /* Every question in turn is what is known when the others are asked. */
        pv_best *known = find_alone(study, q.asked[i % 4]);
        pv_best *best[QUESTIONS];
        for (size_t j = 0; j < QUESTIONS; j++) {
            q.options[j].known = known;
        }
        assert_int_equal(pv_best_find_many(study, q.asked, QUESTIONS, best, NULL), PV_STATUS_OK);
        for (size_t j = 0; j + 1 < QUESTIONS; j++) {
            pv_best *const alone = find_alone(study, q.asked[j]);
            expect_same(alone, best[j]);
            pv_best_free(alone);
            pv_best_free(best[j]);
        }
        assert_null(best[QUESTIONS - 1]);
        pv_best_free(known);
        random_study_deinit(&s);
    }
}

/* With a limit of work: true, and the same on any number of threads. */
static void test_limited(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 62);
    const size_t n = effort(100);
    for (size_t i = 0; i < n; i++) {
        random_study s;
        questions q;
        const random_shape shape = shape_of(&rng);
        random_study_init(&s, &rng, &shape);
        ask(&q, &s, NULL, NULL);
        const pv_study *const study = s.bound.study;
        pv_best *best[2][QUESTIONS];
        for (unsigned t = 0; t < 2; t++) {
            const pv_context context = {.threads = 1 + 2 * t};
            for (size_t j = 0; j < QUESTIONS; j++) {
                q.options[j].context = &context;
                q.options[j].max_work = 1 + i * i;
            }
            assert_int_equal(pv_best_find_many(study, q.asked, QUESTIONS, best[t], NULL),
                             PV_STATUS_OK);
        }
        for (size_t j = 0; j + 1 < QUESTIONS; j++) {
            q.options[j].max_work = 0;
            q.options[j].context = NULL;
            pv_best *const whole = find_alone(study, q.asked[j]);
            const pv_best *const a = best[0][j];
            const pv_best *const b = best[1][j];
            const double hair = 1e-9 * fmax(1, fabs(pv_best_value(whole)));
            assert_true(pv_best_value(a) == pv_best_value(b));
            assert_true(pv_best_bound(a) == pv_best_bound(b));
            assert_int_equal(pv_best_work(a), pv_best_work(b));
            assert_true(!pv_best_is_proven(a) ||
                        (pv_best_scheme(a) != NULL) == (pv_best_scheme(whole) != NULL));
            if (pv_best_scheme(a) != NULL) {
                assert_true(pv_best_value(a) >= pv_best_value(whole) - hair);
                assert_true(pv_best_bound(a) <= pv_best_value(whole) + hair);
            }
            pv_best_free(whole);
            pv_best_free(best[0][j]);
            pv_best_free(best[1][j]);
        }
        random_study_deinit(&s);
    }
}

/* ----------------------------------------------- losses that are no sums */

/* The least loss of all schemes that keep the demands; INFINITY if none does. */
static double brute_force(random_study *s, pv_measure_ref loss, const pv_best_options *asked)
{
    const pv_study *const study = s->bound.study;
    const size_t n = pv_study_quasis(study);
    uint8_t levels[8] = {0};
    double least = (double)INFINITY;
    for (size_t q = 0; q < n;) {
        pv_classes *classes = NULL;
        double value;
        assert_int_equal(pv_classes_create_demanding(s->profile, levels, asked->demands,
                                                     asked->n_demands, asked->budget->rows, NULL,
                                                     &classes, NULL),
                         PV_STATUS_OK);
        if (pv_classes_feasible(classes)) {
            assert_int_equal(pv_measure_value(loss, classes, &value, NULL), PV_STATUS_OK);
            least = fmin(least, value);
        }
        pv_classes_free(classes);
        for (q = 0; q < n && levels[q] == pv_hierarchy_height(pv_study_hierarchy(study, q)); q++) {
            levels[q] = 0;
        }
        if (q < n) {
            levels[q]++;
        }
    }
    return least;
}

/* By the front, which proves it; by local search, with little work and with much: true, and
 * mostly the best. */
static void test_other_losses(void **state)
{
    (void)state;
    static const char *const losses[] = {"dcn", "aecs", "cm"};
    pv_rng rng;
    size_t n_found = 0;
    size_t n_best = 0;
    pv_i_rng_init(&rng, 64);
    const size_t n = effort(150);
    for (size_t i = 0; i < n; i++) {
        random_study s;
        questions q;
        random_shape shape = shape_of(&rng);
        random_study_init(&s, &rng, &shape);
        ask(&q, &s, NULL, NULL);
        q.options[0].minimize = losses[i % 3];
        const pv_measure_ref loss = {.measure = pv_measure_find(losses[i % 3])};
        pv_best *best = NULL;
        if (pv_best_find(s.bound.study, &q.options[0], &best, NULL) != PV_STATUS_OK) {
            random_study_deinit(&s); /* cm without a label */
            continue;
        }
        const double least = brute_force(&s, loss, &q.options[0]);
        assert_true(pv_best_is_proven(best));
        assert_int_equal(pv_best_scheme(best) != NULL, !isinf(least));
        assert_true(isinf(least) || fabs(pv_best_value(best) - least) <= 1e-9 * fmax(1, least));
        pv_best_free(best);
        for (uint64_t work = 10; work < 1000000; work *= 300) {
            q.options[0].max_work = work;
            assert_int_equal(pv_best_find(s.bound.study, &q.options[0], &best, NULL), PV_STATUS_OK);
            if (pv_best_scheme(best) != NULL) {
                assert_true(pv_best_value(best) >= least - 1e-9 * fmax(1, least));
                assert_true(pv_best_bound(best) <= least + 1e-9 * fmax(1, least));
                n_found += work > 10;
                n_best += work > 10 && pv_best_value(best) <= least + 1e-9 * fmax(1, least);
            }
            assert_true(!pv_best_is_proven(best) ||
                        (pv_best_scheme(best) != NULL) == !isinf(least));
            pv_best_free(best);
        }
        random_study_deinit(&s);
    }
    assert_true(n_found > n / 8 || !effort_is_whole());
    assert_true(n_best > n_found * 9 / 10);
}

/* ------------------------------------------------------------------ failures */

typedef struct {
    const pv_study *study;
    const questions *q;
} failing;

static pv_status find_failing(void *ctx, pv_error *error)
{
    const failing *const f = ctx;
    pv_best *best[QUESTIONS];
    const pv_status status = pv_best_find_many(f->study, f->q->asked, QUESTIONS, best, error);
    for (size_t i = 0; i < QUESTIONS; i++) {
        assert_true(status == PV_STATUS_OK || best[i] == NULL);
        pv_best_free(best[i]);
    }
    return status;
}

static bool stop_at_once(void *ctx, const pv_progress *progress)
{
    (void)ctx;
    (void)progress;
    return false;
}

static void test_stopped(void **state)
{
    (void)state;
    pv_rng rng;
    random_study s;
    questions q;
    const pv_context context = {.threads = 2, .progress = stop_at_once};
    pv_i_rng_init(&rng, 63);
    const random_shape shape = shape_of(&rng);
    random_study_init(&s, &rng, &shape);
    ask(&q, &s, NULL, &context);
    failing f = {.study = s.bound.study, .q = &q};
    pv_error error = {0};
    const pv_status status = find_failing(&f, &error);
    assert_true(status == PV_STATUS_OK || status == PV_STATUS_CANCELLED);
    random_study_deinit(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_one_by_one),
        cmocka_unit_test(test_limited),
        cmocka_unit_test(test_other_losses),
        cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
