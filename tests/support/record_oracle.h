/* Disclosure record by record, straight from the definitions: every choice of levels of every
 * record, with the dictionary's people counted one by one.
 *
 * Only sensitivities are asked from the library, where they have tests of their own. */
#ifndef PV_TESTS_RECORD_ORACLE_H
#define PV_TESTS_RECORD_ORACLE_H

#include "support/attacker_trial.h"

#include <paravent/disclose.h>

#include <math.h>

#define RECORD_QUASIS 8
#define RECORD_SAME 1e-10 /* numbers nearer than that are equal */

/* What is asked. */
typedef struct record_question {
    pv_utility utility;
    pv_risk risk;
    pv_aim aim;
    double bound;
    bool is_share;
} record_question;

/* What a choice comes to. */
typedef struct record_choice {
    uint8_t levels[RECORD_QUASIS];
    double utility, risk;
    uint64_t rho;
} record_choice;

/* A table and its attacker, prepared: by quasi-identifier, level and row. */
typedef struct record_oracle {
    attacker_trial *trial;
    unsigned heights[RECORD_QUASIS];
    unsigned *tops[RECORD_QUASIS]; /* per row: the lowest level at which its value is `*` */
    double *leaves[RECORD_QUASIS][ORACLE_LEVELS];
    double *phi[RECORD_QUASIS][ORACLE_LEVELS];
    bool *fits[RECORD_QUASIS][ORACLE_LEVELS]; /* per row and person */
    double domain[RECORD_QUASIS];
} record_oracle;

static inline void record_prepare_level(record_oracle *o, size_t q, unsigned level,
                                        const pv_sensitivities *sensitivities, double similarity)
{
    random_study *const s = &o->trial->study;
    const attacker_people *const people = &o->trial->people;
    oracle_column *const column = &s->table.quasi[q];
    const size_t n = s->table.n_rows;
    o->leaves[q][level] = random_array(s, n, sizeof(double));
    o->phi[q][level] = random_array(s, n, sizeof(double));
    o->fits[q][level] = random_array(s, n * people->n_rows, sizeof(bool));
    column->level = level;
    for (size_t row = 0; row < n; row++) {
        const char *const group = oracle_group(column, column->cells[row], level);
        const size_t tuple = pv_profile_tuple(s->profile, row);
        o->leaves[q][level][row] = oracle_leaves(column, n, group);
        o->phi[q][level][row] =
            pv_sensitivity(sensitivities, q, level, pv_profile_leaf(s->profile, tuple, q));
        if (oracle_same(group, ORACLE_ROOT) && o->tops[q][row] > level) {
            o->tops[q][row] = level;
        }
        for (size_t person = 0; person < people->n_rows; person++) {
            o->fits[q][level][row * people->n_rows + person] =
                people->cells[q] == NULL ||
                attacker_fits(column, n, column->cells[row], people->cells[q][person], similarity);
        }
    }
}

static inline void record_prepare(record_oracle *o, attacker_trial *trial,
                                  const pv_sensitivities *sensitivities, double similarity)
{
    random_study *const s = &trial->study;
    *o = (record_oracle){.trial = trial};
    for (size_t q = 0; q < s->table.n_quasi; q++) {
        const oracle_column *const column = &s->table.quasi[q];
        o->heights[q] = oracle_height(column);
        o->domain[q] = oracle_leaves(column, s->table.n_rows, ORACLE_ROOT);
        o->tops[q] = random_array(s, s->table.n_rows, sizeof(unsigned));
        for (size_t row = 0; row < s->table.n_rows; row++) {
            o->tops[q][row] = o->heights[q];
        }
        for (unsigned level = 0; level <= o->heights[q]; level++) {
            record_prepare_level(o, q, level, sensitivities, similarity);
        }
    }
}

/* ------------------------------------------------------------ definitions */

static inline double record_worth(const record_oracle *o, pv_utility utility, size_t q, size_t row,
                                  unsigned level)
{
    const double n = o->leaves[q][level][row];
    const double m = o->domain[q];
    switch (utility) {
    case PV_UTILITY_DEPTH: return o->tops[q][row] - level;
    case PV_UTILITY_LEAVES: return 1 / n;
    case PV_UTILITY_LOG_LEAVES: return log(m / n);
    case PV_UTILITY_XT: return (m - 1) / m - (n - 1) / m;
    default: return m > 1 ? 1 - (n - 1) / (m - 1) : 0;
    }
}

static inline double record_risk(pv_risk risk, double phi, uint64_t rho, uint64_t n_people)
{
    switch (risk) {
    case PV_RISK_I: return rho > 0 ? phi / (double)rho : 0;
    case PV_RISK_II: return rho > 0 ? 1 / (double)rho : 0;
    default: return -phi * log((double)(rho > 0 ? rho : n_people));
    }
}

static inline void record_evaluate(const record_oracle *o, const record_question *question,
                                   size_t row, record_choice *choice)
{
    const size_t n_quasi = o->trial->study.table.n_quasi;
    const size_t n_people = o->trial->people.n_rows;
    double phi = 0;
    choice->utility = 0;
    choice->rho = 0;
    for (size_t q = 0; q < n_quasi; q++) {
        choice->utility += record_worth(o, question->utility, q, row, choice->levels[q]);
        phi += o->phi[q][choice->levels[q]][row];
    }
    for (size_t person = 0; person < n_people; person++) {
        bool fits = true;
        for (size_t q = 0; fits && q < n_quasi; q++) {
            fits = o->fits[q][choice->levels[q]][row * n_people + person];
        }
        choice->rho += fits;
    }
    choice->risk = record_risk(question->risk, phi, choice->rho, n_people);
}

/* The next choice in lexicographic order; false after the last one. */
static inline bool record_next(const record_oracle *o, size_t row, uint8_t *levels)
{
    for (size_t q = o->trial->study.table.n_quasi; q-- > 0;) {
        if (levels[q] < o->tops[q][row]) {
            levels[q]++;
            return true;
        }
        levels[q] = 0;
    }
    return false;
}

/* All choices of a record, in lexicographic order, in memory of the trial. */
static inline record_choice *record_choices(const record_oracle *o, const record_question *question,
                                            size_t row, size_t *n_choices)
{
    size_t n = 1;
    for (size_t q = 0; q < o->trial->study.table.n_quasi; q++) {
        n *= o->tops[q][row] + 1;
    }
    record_choice *const choices = oracle_array(n, sizeof *choices);
    uint8_t levels[RECORD_QUASIS] = {0};
    *n_choices = 0;
    do {
        record_choice *const choice = &choices[(*n_choices)++];
        memcpy(choice->levels, levels, sizeof levels);
        record_evaluate(o, question, row, choice);
    } while (record_next(o, row, levels));
    assert_int_equal(*n_choices, n);
    return choices;
}

/* -------------------------------------------------------------- decisions */

static inline bool record_accepts(const record_question *question, const record_choice *choice,
                                  double most)
{
    switch (question->aim) {
    case PV_AIM_LEAST_RISK:
        return choice->utility >=
               (question->is_share ? question->bound * most : question->bound) - RECORD_SAME;
    case PV_AIM_MOST_UTILITY: return choice->risk <= question->bound + RECORD_SAME;
    default: return true;
    }
}

static inline double record_first(const record_question *question, const record_choice *choice)
{
    switch (question->aim) {
    case PV_AIM_LEAST_RISK: return choice->risk;
    case PV_AIM_MOST_UTILITY: return -choice->utility;
    default: return choice->risk - question->bound * choice->utility;
    }
}

static inline double record_second(const record_question *question, const record_choice *choice)
{
    return question->aim == PV_AIM_MOST_UTILITY ? choice->risk : -choice->utility;
}

/* The first in order of those that are best in one respect, then in the other. NULL: none is
 * accepted. */
static inline const record_choice *record_best(const record_question *question,
                                               const record_choice *choices, size_t n)
{
    const double most = choices[0].utility;
    double first = HUGE_VAL;
    double second = HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        if (record_accepts(question, &choices[i], most)) {
            first = fmin(first, record_first(question, &choices[i]));
        }
    }
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < n; i++) {
            const record_choice *const choice = &choices[i];
            if (!record_accepts(question, choice, most) ||
                record_first(question, choice) > first + RECORD_SAME) {
                continue;
            }
            if (pass == 0) {
                second = fmin(second, record_second(question, choice));
            } else if (record_second(question, choice) <= second + RECORD_SAME) {
                return choice;
            }
        }
    }
    return NULL;
}

#endif
