/* Walks over small random tables, with the naive reading of all their cut schemes beside them. */
#ifndef PV_TESTS_PREFERENCE_TRIAL_H
#define PV_TESTS_PREFERENCE_TRIAL_H

#include "support/cut_oracle.h"
#include "support/random_study.h"

#include "prefer/preference.h"

#include <math.h>

enum { PREFERENCE_TRIAL_BITS = 32 };

typedef struct preference_trial {
    random_study study;
    cut_oracle oracle; /* whose weights a test may change */
    bool respects;
} preference_trial;

static inline void preference_trial_init(preference_trial *t, pv_rng *rng,
                                         const random_shape *shape)
{
    random_study_init(&t->study, rng, shape);
    cut_oracle_init(&t->oracle, t->study.bound.study);
    t->respects = pv_i_rng_below(rng, 3) == 0;
}

static inline void preference_trial_deinit(preference_trial *t)
{
    cut_oracle_deinit(&t->oracle);
    random_study_deinit(&t->study);
}

static inline pv_preference *preference_trial_create(const pv_profile *profile,
                                                     const pv_preference_options *options)
{
    pv_preference *preference = NULL;
    pv_error error = {0};
    bound_must(pv_preference_create(profile, options, &preference, &error), &error);
    return preference;
}

static inline pv_aspiration preference_trial_wish(pv_rng *rng)
{
    const double bias = (double)pv_i_rng_below(rng, 11) / 10;
    return (pv_aspiration){bias, (double)pv_i_rng_below(rng, 11) / 10};
}

/* -------------------------------------------------------- all cut schemes */

static inline pv_aspiration preference_trial_point(const preference_trial *t, const uint8_t *cuts)
{
    const cut_oracle_sizes sizes = cut_oracle_count(&t->oracle, cuts);
    const double others = t->oracle.n_rows > 1 ? (double)(t->oracle.n_rows - 1) : 1;
    return (pv_aspiration){.bias = (double)(sizes.largest - sizes.smallest) / others,
                           .loss = cut_oracle_nwp(&t->oracle, cuts)};
}

static inline bool preference_trial_allows(const preference_trial *t, uint64_t k,
                                           const uint8_t *cuts)
{
    return cut_oracle_count(&t->oracle, cuts).smallest >= k &&
           (!t->respects || cut_oracle_respects(&t->oracle, cuts));
}

/* The least achievement of all schemes that are allowed, under the oracle's weights. */
static inline double preference_trial_least(const preference_trial *t, uint64_t k,
                                            const pv_achievement *goal)
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

#endif
