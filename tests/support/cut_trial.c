/* Random tables for searches over cuts, and their true answers by looking at every scheme. */
#include "support/cut_trial.h"

#include "cuts/cut_search.h"

#include <math.h>

void cut_trial_init(cut_trial *t, const pv_study *study, const pv_profile *profile, bool respects)
{
    pv_error error = {0};
    *t = (cut_trial){.respects = respects};
    cut_oracle_init(&t->oracle, study);
    bound_must(pv_i_cut_space_init(&t->space, study, respects, &error), &error);
    bound_must(pv_i_cut_table_init(&t->table, profile, &t->space, 1 << 20, &error), &error);
    pv_i_cut_prices_init(&t->prices, &t->space);
}

void cut_trial_deinit(cut_trial *t)
{
    pv_i_cut_table_deinit(&t->table);
    pv_i_cut_space_deinit(&t->space);
    cut_oracle_deinit(&t->oracle);
}

void cut_trial_run_init(cut_trial *t, cut_trial_run *r, unsigned threads)
{
    pv_error error = {0};
    r->context = (pv_context){.threads = threads};
    bound_must(pv_i_cut_run_init(&r->run, &t->table, &t->prices, NULL, &r->context, &error),
               &error);
}

void cut_trial_run_deinit(cut_trial_run *r)
{
    pv_i_cut_run_deinit(&r->run);
}

/* ------------------------------------------------------------ random tables */

random_shape cut_trial_shape(pv_rng *rng)
{
    static const size_t values[] = {6, 5, 4};
    const size_t more = (size_t)pv_i_rng_below(rng, 3);
    return (random_shape){.n_rows = 5 + (size_t)pv_i_rng_below(rng, 40),
                          .n_quasi = 2 + more,
                          .n_values = values[more],
                          .full = pv_i_rng_below(rng, 3) == 0,
                          .heights = 4,
                          .uniform = pv_i_rng_below(rng, 3) == 0,
                          .copies = (unsigned)pv_i_rng_below(rng, 4)};
}

void cut_trial_tables(uint64_t seed, int n, cut_trial_visit *look)
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (int round = 0; round < n; round++) {
        const random_shape shape = cut_trial_shape(&rng);
        random_study s;
        cut_trial t;
        random_study_init(&s, &rng, &shape);
        cut_trial_init(&t, s.bound.study, s.profile, round % 3 == 0);
        look(&t, &rng);
        cut_trial_deinit(&t);
        random_study_deinit(&s);
    }
}

void cut_trial_random(const cut_trial *t, pv_rng *rng, uint8_t *cuts)
{
    const uint64_t tenths = pv_i_rng_below(rng, 11);
    for (size_t bit = 0; bit < t->space.n_bits; bit++) {
        cuts[bit] = pv_i_rng_below(rng, 10) < tenths;
    }
}

pv_cut_goal cut_trial_goal(const cut_trial *t, pv_rng *rng)
{
    const uint64_t most = t->oracle.n_rows / 3 + 2;
    pv_cut_goal goal = {.k = 1 + pv_i_rng_below(rng, most)};
    if (pv_i_rng_below(rng, 2) == 1) {
        goal.bias_slope = (double)pv_i_rng_below(rng, 30) / 10;
        goal.bias_base = ((double)pv_i_rng_below(rng, 11) - 5) / 50;
    }
    return goal;
}

/* -------------------------------------------------------------- naive values */

uint64_t cut_trial_value(const cut_trial *t, const pv_cut_goal *goal, const uint8_t *cuts)
{
    const cut_oracle_sizes naive = cut_oracle_count(&t->oracle, cuts);
    const double others = t->oracle.n_rows > 1 ? (double)t->oracle.n_rows - 1 : 1;
    if (naive.smallest < goal->k || (t->respects && !cut_oracle_respects(&t->oracle, cuts))) {
        return UINT64_MAX;
    }
    return pv_i_cut_value(goal, &t->prices, cut_oracle_cost(&t->oracle, t->prices.unit, cuts),
                          (double)(naive.largest - naive.smallest) / others);
}

uint64_t cut_trial_least(const cut_trial *t, const pv_cut_goal *goal, uint8_t *cuts)
{
    uint64_t least = UINT64_MAX;
    uint8_t *const tried = oracle_array(t->oracle.n_bits, 1);
    for (uint64_t number = 0; number < (uint64_t)1 << t->oracle.n_bits; number++) {
        cut_oracle_scheme(&t->oracle, number, tried);
        const uint64_t value = cut_trial_value(t, goal, tried);
        if (value < least) {
            least = value;
            memcpy(cuts, tried, t->oracle.n_bits);
        }
    }
    free(tried);
    return least;
}

/* ================================================================ NSGA-II */

pv_cut_result nsga2_search(pv_cut_run *run, const pv_cut_search_options *options)
{
    pv_cut_result result;
    pv_error error = {0};
    bound_must(pv_i_nsga2(run, options, &result, &error), &error);
    return result;
}

uint64_t nsga2_value(const cut_trial *t, const pv_cut_run *run, const pv_cut_goal *goal,
                     uint32_t id)
{
    uint8_t cuts[NSGA2_BITS];
    pv_i_cut_run_scheme(run, id, cuts);
    return cut_trial_value(t, goal, cuts);
}

void nsga2_expect_sound(const cut_trial *t, const pv_cut_run *run, const pv_cut_goal *goal,
                        const pv_cut_result *result)
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

void nsga2_expect_same(const pv_cut_run *run, const pv_cut_result *result, const pv_cut_run *other,
                       const pv_cut_result *same)
{
    assert_int_equal(same->best, result->best);
    assert_int_equal(same->generations, result->generations);
    assert_int_equal(same->n_front, result->n_front);
    assert_memory_equal(same->front, result->front, result->n_front * sizeof *result->front);
    assert_int_equal(other->map.n, run->map.n);
    assert_memory_equal(other->map.keys, run->map.keys,
                        run->map.n * run->map.words * sizeof *run->map.keys);
}

/* ===================================================== led by preferences */

void preference_trial_init(preference_trial *t, pv_rng *rng, const random_shape *shape)
{
    random_study_init(&t->study, rng, shape);
    cut_oracle_init(&t->oracle, t->study.bound.study);
    t->respects = pv_i_rng_below(rng, 3) == 0;
}

void preference_trial_deinit(preference_trial *t)
{
    cut_oracle_deinit(&t->oracle);
    random_study_deinit(&t->study);
}

pv_preference *preference_trial_create(const pv_profile *profile,
                                       const pv_preference_options *options)
{
    pv_preference *preference = NULL;
    pv_error error = {0};
    bound_must(pv_preference_create(profile, options, &preference, &error), &error);
    return preference;
}

pv_aspiration preference_trial_wish(pv_rng *rng)
{
    const double bias = (double)pv_i_rng_below(rng, 11) / 10;
    return (pv_aspiration){bias, (double)pv_i_rng_below(rng, 11) / 10};
}

/* -------------------------------------------------------- all cut schemes */

pv_aspiration preference_trial_point(const preference_trial *t, const uint8_t *cuts)
{
    const cut_oracle_sizes sizes = cut_oracle_count(&t->oracle, cuts);
    const double others = t->oracle.n_rows > 1 ? (double)(t->oracle.n_rows - 1) : 1;
    return (pv_aspiration){.bias = (double)(sizes.largest - sizes.smallest) / others,
                           .loss = cut_oracle_nwp(&t->oracle, cuts)};
}

bool preference_trial_allows(const preference_trial *t, uint64_t k, const uint8_t *cuts)
{
    return cut_oracle_count(&t->oracle, cuts).smallest >= k &&
           (!t->respects || cut_oracle_respects(&t->oracle, cuts));
}

double preference_trial_least(const preference_trial *t, uint64_t k, const pv_achievement *goal)
{
    double least = (double)INFINITY;
    uint8_t cuts[PREFERENCE_TRIAL_BITS];
    for (uint64_t number = 0; number < (uint64_t)1 << t->oracle.n_bits; number++) {
        cut_oracle_scheme(&t->oracle, number, cuts);
        if (preference_trial_allows(t, k, cuts)) {
            least = fmin(least, pv_achievement_value(goal, preference_trial_point(t, cuts)));
        }
    }
    return least;
}
