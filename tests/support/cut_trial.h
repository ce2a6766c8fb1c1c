/* Random tables for what searches over cuts, with the naive reading beside them: everything a
 * search needs (cut_trial), NSGA-II, and the search led by preferences. */
#ifndef PV_TESTS_CUT_TRIAL_H
#define PV_TESTS_CUT_TRIAL_H

#include "cuts/cut_search.h"
#include "prefer/preference.h"
#include "support/cut_oracle.h"
#include "support/random_study.h"

typedef struct cut_trial {
    cut_oracle oracle;
    bool respects;
    pv_cut_space space;
    pv_cut_table table;
    pv_cut_prices prices;
} cut_trial;

void cut_trial_init(cut_trial *t, const pv_study *study, const pv_profile *profile, bool respects);
void cut_trial_deinit(cut_trial *t);

/* A run over it, on so many threads. */
typedef struct cut_trial_run {
    pv_context context;
    pv_cut_run run;
} cut_trial_run;

void cut_trial_run_init(cut_trial *t, cut_trial_run *r, unsigned threads);
void cut_trial_run_deinit(cut_trial_run *r);

/* ------------------------------------------------------------ random tables */

/* Two to four attributes; together at most 12 cuts, or 16 with missing values. */
random_shape cut_trial_shape(pv_rng *rng);

typedef void cut_trial_visit(cut_trial *t, pv_rng *rng);

/* Every third table respects taxonomies. */
void cut_trial_tables(uint64_t seed, int n, cut_trial_visit *look);
void cut_trial_random(const cut_trial *t, pv_rng *rng, uint8_t *cuts);

/* Loss only, or with any bias. */
pv_cut_goal cut_trial_goal(const cut_trial *t, pv_rng *rng);

/* -------------------------------------------------------------- naive values */

/* The value of a scheme from its rows; UINT64_MAX if it is not allowed. */
uint64_t cut_trial_value(const cut_trial *t, const pv_cut_goal *goal, const uint8_t *cuts);

/* The least value of all schemes; UINT64_MAX if none is allowed. The best goes into `cuts`. */
uint64_t cut_trial_least(const cut_trial *t, const pv_cut_goal *goal, uint8_t *cuts);

/* ================================================================ NSGA-II */

/* NSGA-II in tests: searching, and what every answer must be. */

enum { NSGA2_BITS = 32 };

pv_cut_result nsga2_search(pv_cut_run *run, const pv_cut_search_options *options);
uint64_t nsga2_value(const cut_trial *t, const pv_cut_run *run, const pv_cut_goal *goal,
                     uint32_t id);

/* Feasible schemes of ascending k and value, the best of which is the first. */
void nsga2_expect_sound(const cut_trial *t, const pv_cut_run *run, const pv_cut_goal *goal,
                        const pv_cut_result *result);
void nsga2_expect_same(const pv_cut_run *run, const pv_cut_result *result, const pv_cut_run *other,
                       const pv_cut_result *same);

/* ===================================================== led by preferences */

/* Walks over small random tables, with the naive reading of all their cut schemes beside them. */

enum { PREFERENCE_TRIAL_BITS = 32 };

typedef struct preference_trial {
    random_study study;
    cut_oracle oracle; /* whose weights a test may change */
    bool respects;
} preference_trial;

void preference_trial_init(preference_trial *t, pv_rng *rng, const random_shape *shape);
void preference_trial_deinit(preference_trial *t);
pv_preference *preference_trial_create(const pv_profile *profile,
                                       const pv_preference_options *options);
pv_aspiration preference_trial_wish(pv_rng *rng);

/* -------------------------------------------------------- all cut schemes */

pv_aspiration preference_trial_point(const preference_trial *t, const uint8_t *cuts);
bool preference_trial_allows(const preference_trial *t, uint64_t k, const uint8_t *cuts);

/* The least achievement of all schemes that are allowed, under the oracle's weights. */
double preference_trial_least(const preference_trial *t, uint64_t k, const pv_achievement *goal);

#endif
