/* NSGA-II in tests: searching, and what every answer must be. */
#ifndef PV_TESTS_NSGA2_SUPPORT_H
#define PV_TESTS_NSGA2_SUPPORT_H

#include "support/cut_trial.h"

#include "cuts/cut_search.h"

enum { NSGA2_BITS = 32 };

static inline pv_cut_result nsga2_search(pv_cut_run *run, const pv_cut_search_options *options)
{
    pv_cut_result result;
    pv_error error = {0};
    bound_must(pv_i_nsga2(run, options, &result, &error), &error);
    return result;
}

static inline uint64_t nsga2_value(const cut_trial *t, const pv_cut_run *run,
                                   const pv_cut_goal *goal, uint32_t id)
{
    uint8_t cuts[NSGA2_BITS];
    pv_i_cut_run_scheme(run, id, cuts);
    return cut_trial_value(t, goal, cuts);
}

/* Feasible schemes of ascending k and value, the best of which is the first. */
static inline void nsga2_expect_sound(const cut_trial *t, const pv_cut_run *run,
                                      const pv_cut_goal *goal, const pv_cut_result *result)
{
    uint64_t k = 0;
    uint64_t value = 0;
    for (size_t i = 0; i < result->n_front; i++) {
        const uint64_t next_k = pv_i_cut_run_outcome(run, result->front[i])->sizes.smallest;
        const uint64_t next = nsga2_value(t, run, goal, result->front[i]);
        assert_true(next != UINT64_MAX);
        assert_true(next_k >= goal->k && next_k > k);
        assert_true(i == 0 || next > value);
        k = next_k;
        value = next;
    }
    if (result->n_front > 0) {
        assert_int_equal(result->best, result->front[0]);
    } else {
        assert_int_equal(result->best, PV_CUT_NO_SCHEME);
    }
}

static inline void nsga2_expect_same(const pv_cut_run *run, const pv_cut_result *result,
                                     const pv_cut_run *other, const pv_cut_result *same)
{
    assert_int_equal(same->best, result->best);
    assert_int_equal(same->generations, result->generations);
    assert_int_equal(same->n_front, result->n_front);
    assert_memory_equal(same->front, result->front, result->n_front * sizeof *result->front);
    assert_int_equal(other->map.n, run->map.n);
    assert_memory_equal(other->map.keys, run->map.keys,
                        run->map.n * run->map.words * sizeof *run->map.keys);
}

#endif
