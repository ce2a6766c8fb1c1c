/* What is demanded of cut schemes besides k, read naively: how often the sensitive values occur in
 * some rows, and what the definitions say about such counts. Values are told apart by their texts;
 * nothing here knows of views, tallies or classes.
 *
 * Twice slower and plainer, cut_demands_release turns a scheme into what oracle.h calls a release:
 * then the measures of oracle_measures.h that look at no hierarchy can be read from it. */
#ifndef PV_TESTS_CUT_DEMANDS_H
#define PV_TESTS_CUT_DEMANDS_H

#include "cuts/cut_evaluator.h"
#include "support/cut_oracle.h"
#include "support/random_study.h"

enum { CUT_DEMANDS_VALUES = 16, CUT_DEMANDS_COLUMNS = 3 };

/* ----------------------------------------------------------- values of a column */

typedef struct cut_values {
    const oracle_column *column;
    uint32_t *of_row;
    const char *text[CUT_DEMANDS_VALUES];
    double in_table[CUT_DEMANDS_VALUES]; /* share of the rows */
    size_t n;
} cut_values;

/* --------------------------------------------------------- scores of counts */

/* A hair's breadth is no difference. */
bool cut_demand_holds(const pv_constraint *rule, double score);

/* ---------------------------------------------------------------- demands */

/* A table with what is demanded of its classes. */
typedef struct cut_demands {
    const oracle_table *table;
    const cut_oracle *oracle;
    cut_values sensitive[CUT_DEMANDS_COLUMNS];
    const pv_constraint *rules; /* none is k */
    size_t n_rules;
} cut_demands;

/* Do some rows, taken as a class, keep all rules? */
bool cut_demands_hold(const cut_demands *d, const size_t *rows, size_t n);

/* Does a scheme keep all rules? */
bool cut_demands_kept(const cut_demands *d, const uint8_t *cuts);

/* Would some class have between 1 and k-1 rows with values first..last, or break a rule with them?
 */
bool cut_demands_invalid(const cut_demands *d, size_t axis, const uint8_t *cuts, uint64_t k,
                         uint32_t first, uint32_t last);

/* ----------------------------------------------------------- as a release */

/* Nothing is suppressed. oracle_release_free frees it. */
oracle_release cut_demands_release(const cut_demands *d, const uint8_t *cuts);

/* The value of a measure of the registry. */
double cut_demands_value(const oracle_release *release, const char *name, double parameter);

/* A loss as a share of the largest there can be. */
double cut_demands_loss(const cut_demands *d, const char *name, const uint8_t *cuts);

/* ========================================================= random demands */

/* Random tables with sensitive attributes and a label, random demands on their classes, and
 * everything that a search over cuts needs for them, with the naive reading beside it. */

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

void criteria_trial_random(const criteria_trial *t, pv_rng *rng, uint8_t *cuts);

/* ------------------------------------------------------------------- made */

void criteria_trial_init(criteria_trial *t, pv_rng *rng, const char *bias, const char *loss,
                         size_t n_rules, bool respects);
void criteria_trial_deinit(criteria_trial *t);

#endif
