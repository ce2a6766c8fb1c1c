/* What comes of a cut scheme: what it costs, how large its classes are, its bias, and whether it
 * meets the rules; and what searches make of that.
 *
 *     criteria    what is measured besides k, necd and nwp, where a publisher asks for it
 *     prices      what merging values costs, in whole numbers
 *     evaluator   one per thread: from a scheme to its outcome
 *     goal        from an outcome to the one number that searches minimise
 *
 * Everything here is in whole numbers where it can be: costs, sizes, values. Two searches that
 * reach the same scheme by different ways agree to the last bit, and a bound is a bound without any
 * slack.
 */
#ifndef PV_CUTS_CUT_EVALUATOR_H
#define PV_CUTS_CUT_EVALUATOR_H

#include "cuts/cut_table.h"
#include "measure/class_rules.h"

/* ---------------------------------------------------------------- criteria */

/* Rules that every class must meet (class_rules.h), a bias and a loss. */
typedef struct pv_cut_criteria {
    const pv_profile *profile;
    const pv_cut_space *space;
    pv_class_rules rules;
    pv_measure_ref bias; /* necd or gini */
    pv_measure_ref loss; /* as a share: 0 = nothing is lost, 1 = everything */
    pv_cut_loss loss_kind;
    bool is_necd;                        /* the bias follows from the sizes alone */
    double bits_least, bits_most;        /* BITS: with every value apart, with all merged */
    size_t columns[PV_MOST_CUT_COLUMNS]; /* to be counted: the sensitive ones in order, the label */
    size_t n_columns;
} pv_cut_criteria;

/* NULL for a measure = necd, nwp. A rule that merging classes may break, a loss that cuts do not
 * have: PV_STATUS_ARGUMENT, in a sentence. Profile and space are borrowed. */
PV_CHECKED pv_status pv_i_cut_criteria_init(pv_cut_criteria *criteria, const pv_profile *profile,
                                            const pv_cut_space *space, const pv_constraint *rules,
                                            size_t n_rules, const pv_measure_ref *bias,
                                            const pv_measure_ref *loss, pv_error *error);

/* Are there only k, necd and a sum over attributes? Then sizes say it all. */
static inline bool pv_i_cut_criteria_plain(const pv_cut_criteria *criteria)
{
    return criteria == NULL || (criteria->rules.n_rules == 0 && criteria->is_necd &&
                                criteria->loss_kind == PV_CUT_LOSS_SUM);
}

/* ------------------------------------------------------------------ prices */

/* What is lost, in whole numbers: rows of a group times the other values in it times a price that
 * belongs to the attribute. nwp is their sum divided by `one`. */
typedef struct pv_cut_prices {
    uint64_t unit[PV_MOST_CUT_AXES]; /* per axis */
    double one;                      /* the loss when everything is merged, all weights together */
} pv_cut_prices;

/* The plan's weights. */
void pv_i_cut_prices_init(pv_cut_prices *prices, const pv_cut_space *space);
/* The same with other weights, one per axis; they sum to 1. */
void pv_i_cut_prices_weigh(pv_cut_prices *prices, const pv_cut_space *space, const double *weights);
/* The prices of the criteria's loss, with the weights asked for (one per axis, any scale; NULL =
 * the plan's) where it has weights. */
void pv_i_cut_criteria_prices(const pv_cut_criteria *criteria, const double *weights,
                              pv_cut_prices *prices);
double pv_i_cut_nwp(const pv_cut_prices *prices, uint64_t cost);

static inline uint64_t pv_i_cut_group_cost(const pv_cut_axis *axis, uint64_t unit, uint32_t first,
                                           uint32_t last)
{
    return unit * pv_i_cut_rows(axis, first, last) * (last - first);
}
/* What a whole scheme costs. */
uint64_t pv_i_cut_cost(const pv_cut_space *space, const pv_cut_prices *prices, const uint8_t *cuts);

/* --------------------------------------------------------------- evaluator */

typedef struct pv_cut_outcome {
    uint64_t cost; /* the loss, in units of the prices */
    pv_cut_sizes sizes;
    double bias;
    /* How far the rules besides k are met: 1 = all of them; otherwise how near the worst value
     * comes to what is demanded. */
    double compliance;
} pv_cut_outcome;

typedef struct pv_cut_evaluator {
    pv_cut_table *table;
    const pv_cut_prices *prices;
    const pv_cut_criteria *criteria; /* NULL = only k, necd and nwp */
    pv_cut_scratch scratch;
    /* Only if the criteria are not plain: */
    bool reads_classes;
    pv_cut_class_scratch classes;
    pv_class_scorer scorer;
    pv_meter bias, loss; /* without entry if they are not read from the classes */
} pv_cut_evaluator;

/* Everything is borrowed. The table must count the columns that the criteria name. */
PV_CHECKED pv_status pv_i_cut_evaluator_init(pv_cut_evaluator *evaluator, pv_cut_table *table,
                                             const pv_cut_prices *prices,
                                             const pv_cut_criteria *criteria, pv_error *error);
void pv_i_cut_evaluator_deinit(pv_cut_evaluator *evaluator);

/* `cuts` has a byte per bit of the space: 1 = cut. False when memory runs out. */
PV_CHECKED bool pv_i_cut_evaluate(pv_cut_evaluator *evaluator, const uint8_t *cuts,
                                  pv_cut_outcome *outcome);

/* Which intervals of an axis would leave some class with fewer than k rows or break a rule, given
 * the cuts of the other axes: invalid[first * n + last]. */
PV_CHECKED bool pv_i_cut_find_invalid(pv_cut_evaluator *evaluator, size_t axis, const uint8_t *cuts,
                                      uint64_t k, bool *invalid);

/* -------------------------------------------------------------------- goal */

/* What searches minimise: the loss, or the larger of the loss and of a bias in units of loss,
 * base + slope * bias (slope 0 = loss only). An achievement function is of that kind. */
typedef struct pv_cut_goal {
    uint64_t k;                   /* people in a class, at least */
    double bias_base, bias_slope; /* in units of the loss */
    /* 0 = as above. Otherwise that value is only to be at most this, and what is minimised is the
     * sum of bias and loss: which of equally good schemes is nearest to a wish. */
    uint64_t most;
} pv_cut_goal;

/* No scheme has this value, no partition this cost. */
#define PV_CUT_IMPOSSIBLE UINT64_MAX

/* The value of a scheme with this cost and bias; it never falls as either grows. PV_CUT_IMPOSSIBLE
 * if there is a most that it exceeds. */
uint64_t pv_i_cut_value(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t cost,
                        double bias);
/* A value on the scale of nwp. */
double pv_i_cut_value_nwp(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t value);
/* How far values may be apart that would be equal if numbers were exact. */
uint64_t pv_i_cut_tie(const pv_cut_goal *goal, const pv_cut_prices *prices, uint64_t value);
/* A bias may weigh a million times as much as a loss; values are then in units of a million: costs
 * are shifted right by so many bits. */
unsigned pv_i_cut_shift(const pv_cut_goal *goal);

static inline bool pv_i_cut_is_feasible(const pv_cut_goal *goal, const pv_cut_outcome *outcome)
{
    return outcome->sizes.smallest >= goal->k && outcome->compliance >= 1;
}

#endif
