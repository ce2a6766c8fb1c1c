/* What is measured of cut schemes besides k, necd and nwp, where a publisher asks for it: rules
 * that every class must keep (class_rules.h), another bias, another loss. */
#ifndef PV_CUTS_CUT_ASPECTS_H
#define PV_CUTS_CUT_ASPECTS_H

#include "cuts/cut_dp.h"
#include "measure/class_rules.h"

typedef struct pv_cut_aspects {
    const pv_profile *profile;
    const pv_cut_space *space;
    pv_class_rules rules;
    pv_measure_ref bias; /* necd or gini */
    pv_measure_ref loss; /* as a share: 0 = nothing is lost, 1 = everything */
    pv_cut_loss loss_kind;
    bool is_necd;
    double bits_least, bits_most;        /* BITS: with every value apart, with all merged */
    size_t columns[PV_MOST_CUT_COLUMNS]; /* to be counted: the sensitive ones in order, the label */
    size_t n_columns;
} pv_cut_aspects;

/* NULL for a measure = necd, nwp. A rule that is not kept by unions, a loss that cuts do not have:
 * PV_STATUS_ARGUMENT, in a sentence. Profile and space are borrowed. */
PV_CHECKED pv_status pv_i_cut_aspects_init(pv_cut_aspects *aspects, const pv_profile *profile,
                                           const pv_cut_space *space, const pv_constraint *rules,
                                           size_t n_rules, const pv_measure_ref *bias,
                                           const pv_measure_ref *loss, pv_error *error);

/* Weights of the attributes for the loss: those asked for (one per axis, any scale; NULL = the
 * plan's) where it has weights. */
void pv_i_cut_aspects_prices(const pv_cut_aspects *aspects, const double *weights,
                             pv_cut_prices *prices);

/* Are there only k, necd and a sum over attributes? */
static inline bool pv_i_cut_aspects_plain(const pv_cut_aspects *aspects)
{
    return aspects == NULL || (aspects->rules.n_rules == 0 && aspects->is_necd &&
                               aspects->loss_kind == PV_CUT_LOSS_SUM);
}

#endif
