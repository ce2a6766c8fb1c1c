/* What comes of a cut scheme, and which intervals of an attribute would break a rule: for one
 * thread. */
#ifndef PV_CUTS_CUT_JUDGE_H
#define PV_CUTS_CUT_JUDGE_H

#include "cuts/cut_aspects.h"
#include "cuts/cut_classes.h"

typedef struct pv_cut_outcome {
    uint64_t cost; /* the loss, in units of the prices */
    pv_cut_sizes sizes;
    double bias;
    /* How far the rules are kept, besides k: 1 = all of them; otherwise how near the worst value
     * comes to what is demanded. */
    double kept;
} pv_cut_outcome;

typedef struct pv_cut_judge {
    pv_cut_table *table;
    const pv_cut_prices *prices;
    const pv_cut_aspects *aspects; /* NULL = only k, necd and nwp */
    pv_cut_scratch scratch;
    /* Only if the aspects are not plain: */
    bool reads_classes;
    pv_cut_room room;
    pv_class_scorer scorer;
    pv_meter bias, loss; /* without entry if they are not read from the classes */
} pv_cut_judge;

/* Everything is borrowed. The table must count the columns that the aspects name. */
PV_CHECKED pv_status pv_i_cut_judge_init(pv_cut_judge *judge, pv_cut_table *table,
                                         const pv_cut_prices *prices, const pv_cut_aspects *aspects,
                                         pv_error *error);
void pv_i_cut_judge_deinit(pv_cut_judge *judge);

/* `cuts` has a byte per bit of the space: 1 = cut. False when memory runs out. */
PV_CHECKED bool pv_i_cut_judge(pv_cut_judge *judge, const uint8_t *cuts, pv_cut_outcome *outcome);

/* Which intervals of an axis would leave some class with fewer than k rows or break a rule, given
 * the cuts of the other axes: unfit[first * n + last]. */
PV_CHECKED bool pv_i_cut_unfit(pv_cut_judge *judge, size_t axis, const uint8_t *cuts, uint64_t k,
                               bool *unfit);

#endif
