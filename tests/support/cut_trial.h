/* Everything a search over cuts needs, from a study, with the naive reading beside it. */
#ifndef PV_TESTS_CUT_TRIAL_H
#define PV_TESTS_CUT_TRIAL_H

#include "support/cut_oracle.h"
#include "support/random_study.h"

#include "cuts/cut_search.h"

typedef struct cut_trial {
    cut_oracle oracle;
    bool respects;
    pv_cut_space space;
    pv_cut_table table;
    pv_cut_prices prices;
} cut_trial;

static inline void cut_trial_init(cut_trial *t, const pv_study *study, const pv_profile *profile,
                                  bool respects)
{
    pv_error error = {0};
    *t = (cut_trial){.respects = respects};
    cut_oracle_init(&t->oracle, study);
    bound_must(pv_i_cut_space_init(&t->space, study, respects, &error), &error);
    bound_must(pv_i_cut_table_init(&t->table, profile, &t->space, 1 << 20, &error), &error);
    pv_i_cut_prices_init(&t->prices, &t->space);
}

static inline void cut_trial_deinit(cut_trial *t)
{
    pv_i_cut_table_deinit(&t->table);
    pv_i_cut_space_deinit(&t->space);
    cut_oracle_deinit(&t->oracle);
}

/* A run over it, on so many threads. */
typedef struct cut_trial_run {
    pv_context context;
    pv_cut_run run;
} cut_trial_run;

static inline void cut_trial_run_init(cut_trial *t, cut_trial_run *r, unsigned threads)
{
    pv_error error = {0};
    r->context = (pv_context){.threads = threads};
    bound_must(pv_i_cut_run_init(&r->run, &t->table, &t->prices, NULL, &r->context, &error),
               &error);
}

static inline void cut_trial_run_deinit(cut_trial_run *r)
{
    pv_i_cut_run_deinit(&r->run);
}

/* ------------------------------------------------------------ random tables */

/* Two to four attributes; together at most 12 cuts, or 16 with missing values. */
static inline random_shape cut_trial_shape(pv_rng *rng)
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

typedef void cut_trial_visit(cut_trial *t, pv_rng *rng);

/* Every third table respects taxonomies. */
static inline void cut_trial_tables(uint64_t seed, int n, cut_trial_visit *look)
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

static inline void cut_trial_random(const cut_trial *t, pv_rng *rng, uint8_t *cuts)
{
    const uint64_t tenths = pv_i_rng_below(rng, 11);
    for (size_t bit = 0; bit < t->space.n_bits; bit++) {
        cuts[bit] = pv_i_rng_below(rng, 10) < tenths;
    }
}

/* Loss only, or with any bias. */
static inline pv_cut_goal cut_trial_goal(const cut_trial *t, pv_rng *rng)
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

/* The value of a scheme from its rows; UINT64_MAX if it is not allowed. */
static inline uint64_t cut_trial_value(const cut_trial *t, const pv_cut_goal *goal,
                                       const uint8_t *cuts)
{
    const cut_oracle_sizes naive = cut_oracle_count(&t->oracle, cuts);
    const double others = t->oracle.n_rows > 1 ? (double)t->oracle.n_rows - 1 : 1;
    if (naive.smallest < goal->k || (t->respects && !cut_oracle_respects(&t->oracle, cuts))) {
        return UINT64_MAX;
    }
    return pv_i_cut_value(goal, &t->prices, cut_oracle_cost(&t->oracle, t->prices.unit, cuts),
                          (double)(naive.largest - naive.smallest) / others);
}

/* The least value of all schemes; UINT64_MAX if none is allowed. The best goes into `cuts`. */
static inline uint64_t cut_trial_least(const cut_trial *t, const pv_cut_goal *goal, uint8_t *cuts)
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

#endif
