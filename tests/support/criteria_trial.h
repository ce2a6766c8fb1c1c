/* Random tables with sensitive attributes and a label, random demands on their classes, and
 * everything that a search over cuts needs for them, with the naive reading beside it. */
#ifndef PV_TESTS_CRITERIA_TRIAL_H
#define PV_TESTS_CRITERIA_TRIAL_H

#include "support/cut_demands.h"

#include "cuts/cut_evaluator.h"

enum { CRITERIA_TRIAL_RULES = 3, CRITERIA_TRIAL_BITS = 32 };

typedef struct criteria_trial {
    random_study study;
    bool respects;
    cut_oracle oracle;
    pv_constraint rules[CRITERIA_TRIAL_RULES];
    size_t n_rules;
    cut_demands demands;
    pv_measure_ref bias, loss;
    pv_cut_space space;
    pv_cut_criteria criteria;
    pv_cut_table table;
    pv_cut_prices prices;
} criteria_trial;

/* ----------------------------------------------------------------- at random */

static inline double criteria_trial_choose(pv_rng *rng, const double *numbers, size_t n)
{
    return numbers[pv_i_rng_below(rng, n)];
}

/* Round bounds, which classes meet exactly, and others. */
static inline pv_constraint criteria_trial_rule(pv_rng *rng)
{
    static const char *const names[] = {"l-distinct", "l-entropy", "l-recursive", "t-closeness"};
    static const double entropies[] = {1, 1.3, 1.75, 2, 2.5};
    static const double distances[] = {0.1, 0.25, 0.31, 0.5, 0.72};
    static const double cs[] = {0.5, 1, 1.5, 3, 10};
    const size_t which = (size_t)pv_i_rng_below(rng, 4);
    pv_constraint rule = {.ref.measure = pv_measure_find(names[which]),
                          .bound = 1 + (double)pv_i_rng_below(rng, 3)};
    if (which == 1) {
        rule.bound = criteria_trial_choose(rng, entropies, 5);
    } else if (which == 2) {
        rule.ref.parameter = criteria_trial_choose(rng, cs, 5);
    } else if (which == 3) {
        rule.bound = criteria_trial_choose(rng, distances, 5);
    }
    return rule;
}

static inline random_shape criteria_trial_shape(pv_rng *rng)
{
    static const size_t values[] = {5, 4};
    const size_t more = (size_t)pv_i_rng_below(rng, 2);
    return (random_shape){.n_rows = 4 + (size_t)pv_i_rng_below(rng, 36),
                          .n_quasi = 2 + more,
                          .n_values = values[more],
                          .full = pv_i_rng_below(rng, 3) == 0,
                          .n_sensitive = 1 + (size_t)pv_i_rng_below(rng, 2),
                          .label = true,
                          .granular = pv_i_rng_below(rng, 2) == 0,
                          .missing = pv_i_rng_below(rng, 4) == 0 ? 12 : 0,
                          .heights = 4,
                          .uniform = pv_i_rng_below(rng, 2) == 0,
                          .copies = (unsigned)pv_i_rng_below(rng, 4)};
}

static inline void criteria_trial_random(const criteria_trial *t, pv_rng *rng, uint8_t *cuts)
{
    const uint64_t tenths = pv_i_rng_below(rng, 11);
    for (size_t bit = 0; bit < t->space.n_bits; bit++) {
        cuts[bit] = pv_i_rng_below(rng, 10) < tenths;
    }
}

/* ------------------------------------------------------------------- made */

/* The rest of what it takes, once the study is there and bias, loss and rules are chosen. */
static inline void criteria_trial_make(criteria_trial *t, uint64_t memory)
{
    const pv_study *const study = t->study.bound.study;
    pv_error error = {0};
    cut_oracle_init(&t->oracle, study);
    assert_true(t->oracle.n_bits <= CRITERIA_TRIAL_BITS);
    t->demands = cut_demands_create(&t->study.table, &t->oracle, t->rules, t->n_rules);
    bound_must(pv_i_cut_space_init(&t->space, study, t->respects, &error), &error);
    bound_must(pv_i_cut_criteria_init(&t->criteria, t->study.profile, &t->space, t->rules,
                                      t->n_rules, &t->bias, &t->loss, &error),
               &error);
    bound_must(pv_i_cut_table_init_counting(&t->table, t->study.profile, &t->space,
                                            t->criteria.columns, t->criteria.n_columns, memory,
                                            &error),
               &error);
    pv_i_cut_criteria_prices(&t->criteria, NULL, &t->prices);
}

static inline void criteria_trial_init(criteria_trial *t, pv_rng *rng, const char *bias,
                                       const char *loss, size_t n_rules, bool respects)
{
    const random_shape shape = criteria_trial_shape(rng);
    const uint64_t memory = pv_i_rng_below(rng, 4) == 0 ? 0 : 1 << 20;
    *t = (criteria_trial){.respects = respects,
                          .n_rules = n_rules,
                          .bias.measure = pv_measure_find(bias),
                          .loss.measure = pv_measure_find(loss)};
    random_study_init(&t->study, rng, &shape);
    for (size_t i = 0; i < n_rules; i++) {
        t->rules[i] = criteria_trial_rule(rng);
    }
    criteria_trial_make(t, memory);
}

static inline void criteria_trial_deinit(criteria_trial *t)
{
    pv_i_cut_table_deinit(&t->table);
    pv_i_cut_space_deinit(&t->space);
    cut_demands_free(&t->demands);
    cut_oracle_deinit(&t->oracle);
    random_study_deinit(&t->study);
}

#endif
