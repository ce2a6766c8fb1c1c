/* Lattices that nobody can search: what is found nevertheless, and what is said about it. */
#include "base/buffer.h"
#include "records/disclosure.h"
#include "records/record_methods.h"
#include "records/record_problem.h"
#include "support/random_study.h"
#include "support/record_oracle.h"

#include <math.h>

/* --------------------------------------------------------------- subjects */

typedef struct {
    attacker_study study;
    pv_buffer csv, plan;
} subject;

/* Numbers of which the small ones are common, with three levels above them. */
static subject subject_create(size_t n_quasi, size_t n_rows, uint64_t seed)
{
    subject s = {0};
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    pv_i_buffer_text(&s.plan, "attributes:\n");
    for (size_t q = 0; q < n_quasi; q++) {
        pv_i_buffer_format(&s.plan, "  a%zu: {role: quasi, hierarchy: {intervals: [2, 8]}}\n", q);
        pv_i_buffer_format(&s.csv, "%sa%zu", q > 0 ? "," : "", q);
    }
    for (size_t row = 0; row < n_rows; row++) {
        for (size_t q = 0; q < n_quasi; q++) {
            const unsigned value = (unsigned)pv_i_rng_below(&rng, 1 + pv_i_rng_below(&rng, 16));
            pv_i_buffer_format(&s.csv, "%s%u", q > 0 ? "," : "\n", value);
        }
    }
    pv_i_buffer_char(&s.csv, '\n');
    assert_false(s.csv.failed || s.plan.failed);
    s.study = attacker_study_create(s.plan.data, s.csv.data);
    return s;
}

static void subject_free(subject *s)
{
    attacker_study_free(&s->study);
    pv_i_buffer_deinit(&s->csv);
    pv_i_buffer_deinit(&s->plan);
}

static pv_disclosure *disclose(const pv_profile *profile, const pv_disclose_options *options,
                               const pv_context *context)
{
    pv_disclosure *disclosure = NULL;
    pv_error error = {0};
    bound_must(pv_disclose(profile, options, context, &disclosure, &error), &error);
    return disclosure;
}

/* ------------------------------------------------------------------ swaps */

/* One record's problem, with everything it stands on. */
typedef struct {
    pv_record_values values;
    pv_weighing weighing;
    pv_attacker *attacker;
    pv_consistent_index *index;
    pv_record_problem problem;
    pv_swapper swapper;
} posed;

static void posed_init(posed *p, const pv_profile *profile, const pv_disclose_options *options)
{
    pv_error error = {0};
    *p = (posed){.attacker = attacker_open(profile, NULL, 0, 1)};
    bound_must(pv_i_record_values_init(&p->values, profile, options->utility, NULL, &error),
               &error);
    bound_must(pv_i_weighing_init(&p->weighing, &p->values, options, p->attacker->n_rows, &error),
               &error);
    bound_must(pv_i_consistent_index_create(p->attacker, 0, &p->index, &error), &error);
    bound_must(pv_i_problem_init(&p->problem, &p->weighing, p->index, &error), &error);
    bound_must(pv_i_swapper_init(&p->swapper, p->attacker, &p->problem, &error), &error);
}

static void posed_deinit(posed *p)
{
    pv_i_swapper_deinit(&p->swapper);
    pv_i_problem_deinit(&p->problem);
    pv_i_consistent_index_free(p->index);
    pv_i_weighing_deinit(&p->weighing);
    pv_i_record_values_deinit(&p->values);
    pv_attacker_free(p->attacker);
}

static bool is_better(posed *p, const uint8_t *levels)
{
    const pv_record_choice choice = pv_i_problem_choice_at(&p->problem, levels);
    return choice.is_accepted && pv_i_rank_compare(choice.rank, p->problem.best.rank) < 0;
}

/* Is any neighbour better, each being counted by itself? `j` is lowered, unless it is n. */
static bool has_better(posed *p, size_t j, uint8_t down)
{
    const pv_record_problem *const problem = &p->problem;
    uint8_t levels[64] = {0};
    memcpy(levels, problem->levels, problem->n);
    levels[j] = down;
    bool better = is_better(p, levels);
    for (size_t k = 0; k < problem->n; k++) {
        const uint8_t before = levels[k];
        for (unsigned to = before + 1u; k != j && to <= problem->tops[k]; to++) {
            levels[k] = (uint8_t)to;
            better = better || is_better(p, levels);
        }
        levels[k] = before;
    }
    return better;
}

static void check_record(posed *p, size_t tuple)
{
    pv_record_problem *const problem = &p->problem;
    pv_i_problem_pose(problem, tuple);
    if (pv_i_problem_settle(problem)) {
        return;
    }
    pv_i_problem_start(problem, &p->swapper);
    if (!problem->is_found) { /* in model III nothing may be known to keep a bound of risk */
        assert_true(p->weighing.aim == PV_AIM_MOST_UTILITY);
        return;
    }
    const pv_rank started = problem->best.rank;
    pv_i_problem_swap(problem, &p->swapper);
    assert_true(pv_i_rank_compare(problem->best.rank, started) <= 0);
    const pv_record_choice choice = pv_i_problem_choice_at(problem, problem->levels);
    assert_true(choice.is_accepted);
    assert_int_equal(choice.rho, problem->best.rho);
    assert_int_equal(pv_i_rank_compare(choice.rank, problem->best.rank), 0);
    assert_false(has_better(p, problem->n, 0));
    for (size_t j = 0; j < problem->n; j++) {
        for (uint8_t down = 0; down < problem->levels[j]; down++) {
            assert_false(has_better(p, j, down));
        }
    }
}

/* No neighbour of what swaps end with is better, whatever is asked: the rows were counted right. */
static void no_neighbour_is_better(void **state)
{
    subject s = subject_create(7, 60, 3);
    (void)state;
    for (int i = 0; i < PV_UTILITY_COUNT * PV_RISK_COUNT * PV_AIM_COUNT; i++) {
        const pv_aim aim = (pv_aim)(i % PV_AIM_COUNT);
        const pv_disclose_options options = {.utility =
                                                 (pv_utility)(i / PV_AIM_COUNT / PV_RISK_COUNT),
                                             .risk = (pv_risk)(i / PV_AIM_COUNT % PV_RISK_COUNT),
                                             .aim = aim,
                                             .bound = aim == PV_AIM_LEAST_RISK ? 0.4 : 0.2,
                                             .is_share = aim == PV_AIM_LEAST_RISK};
        posed p;
        posed_init(&p, s.study.profile, &options);
        for (size_t t = 0; t < pv_profile_tuples(s.study.profile);
             t += effort_is_whole() ? 5 : 20) {
            check_record(&p, t);
        }
        posed_deinit(&p);
    }
    subject_free(&s);
}

/* ---------------------------------------------------------- large lattices */

static void expect_kept(const pv_disclosure *d, double share)
{
    for (size_t t = 0; t < d->n_tuples; t++) {
        assert_true(d->tuples[t].is_feasible);
        assert_true(d->tuples[t].utility >= share * d->tuples[t].most - 1e-9);
        assert_true(d->tuples[t].risk <= d->tuples[t].risk_raw + 1e-12);
    }
}

/* 60 attributes: everyone has levels that keep the bound, the same on any number of threads, and
 * that they are not proven is said. */
static void lattices_without_end(void **state)
{
    subject s = subject_create(60, effort_is_whole() ? 90 : 30, 5);
    const pv_context one = {.threads = 1};
    const pv_context three = {.threads = 3};
    (void)state;
    /* Under a sanitizer with a limit of visited nodes, which otherwise is the library's own. */
    const pv_disclose_options options = {.utility = PV_UTILITY_LOG_LEAVES,
                                         .risk = PV_RISK_I,
                                         .bound = 0.3,
                                         .is_share = true,
                                         .max_visited = effort_is_whole() ? 0 : 2000};
    pv_disclosure *const a = disclose(s.study.profile, &options, &one);
    pv_disclosure *const b = disclose(s.study.profile, &options, &three);
    assert_int_equal(a->stop, PV_STOP_EVALUATIONS);
    assert_false(a->stopped);
    assert_non_null(a->reason);
    expect_kept(a, 0.3);
    for (size_t t = 0; t < a->n_tuples; t++) {
        assert_memory_equal(a->tuples[t].levels, b->tuples[t].levels, a->n_quasi);
        assert_int_equal(a->tuples[t].visited, b->tuples[t].visited);
    }
    pv_disclosure_free(a);
    pv_disclosure_free(b);
    subject_free(&s);
}

/* A limit of nodes holds for each record, a limit of no time for all but the first choice. */
static void limits_hold(void **state)
{
    static const char *const methods[] = {NULL, "bnb", "btda", "aruba"};
    const size_t only[] = {0, 7};
    subject s = subject_create(40, 30, 9);
    (void)state;
    for (size_t m = 0; m < 4; m++) {
        pv_disclose_options options = {
            .bound = 0.5, .is_share = true, .method = methods[m], .max_visited = 50};
        pv_disclosure *const few = disclose(s.study.profile, &options, NULL);
        assert_int_equal(few->stop, PV_STOP_EVALUATIONS);
        expect_kept(few, 0.5);
        options.max_seconds = 1e-9;
        pv_disclosure *const late = disclose(s.study.profile, &options, NULL);
        assert_int_equal(late->stop, PV_STOP_TIME);
        expect_kept(late, 0.5);
        options.only = only;
        options.n_only = 2;
        pv_disclosure *const some = disclose(s.study.profile, &options, NULL);
        assert_memory_equal(some->tuples[7].levels, late->tuples[7].levels, 40);
        assert_null(some->tuples[8].levels);
        pv_disclosure_free(few);
        pv_disclosure_free(late);
        pv_disclosure_free(some);
    }
    subject_free(&s);
}

static bool stop_at(void *ctx, const pv_progress *progress)
{
    (void)progress;
    return --*(int *)ctx > 0;
}

/* Whoever was not reached is hidden, in whatever pass it happens. */
static void anyone_may_stop_it(void **state)
{
    subject s = subject_create(40, effort_is_whole() ? 60 : 20, 11);
    (void)state;
    for (int calls = 1; calls < 6; calls++) {
        int left = calls;
        const pv_context context = {.threads = 2, .progress = stop_at, .progress_ctx = &left};
        const pv_disclose_options options = {.bound = 0.5, .is_share = true};
        pv_disclosure *const d = disclose(s.study.profile, &options, &context);
        assert_int_equal(d->stopped, d->stop == PV_STOP_CANCELLED);
        assert_true(calls > 1 || d->stopped);
        for (size_t t = 0; t < d->n_tuples; t++) {
            assert_non_null(d->tuples[t].levels);
            assert_true(d->tuples[t].is_feasible || d->tuples[t].utility == 0);
        }
        pv_disclosure_free(d);
    }
    subject_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_neighbour_is_better),
        cmocka_unit_test(lattices_without_end),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(anyone_may_stop_it),
    };
    return cmocka_run_group_tests_name("record swap", tests, NULL, NULL);
}
