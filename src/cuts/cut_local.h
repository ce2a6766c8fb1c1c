/* How searches make schemes: at random, by moves of single cuts, by repairing one with too small
 * classes, and by sweeps that give one attribute after the other its best partition. */
#ifndef PV_CUTS_CUT_LOCAL_H
#define PV_CUTS_CUT_LOCAL_H

#include "base/rng.h"
#include "cuts/cut_intervals.h"

/* Cuts at random, as dense as chance wants: every halving from all cuts to about one in the whole
 * scheme is equally likely. (At one density, such as a half, all would be infeasible where there
 * are many places for cuts.) */
void pv_i_cut_random(size_t n_bits, pv_rng *rng, uint8_t *cuts);

/* Drops the cuts that must go for the scheme to respect the taxonomies its space respects, and no
 * others. */
void pv_i_cut_respect_taxonomies(const pv_cut_space *space, uint8_t *cuts);

/* For one thread. */
typedef struct pv_cut_local {
    pv_cut_table *table;
    const pv_cut_space *space;
    const pv_cut_prices *prices;
    uint64_t k;
    pv_cut_evaluator evaluator;
    bool *invalid;     /* intervals of an axis */
    uint64_t *scratch; /* for pv_i_cut_best_path */
    uint8_t *state;    /* of the cuts of an axis */
    uint8_t *made;     /* a scheme being made */
    size_t *order;     /* axes in random order */
    uint64_t counted;  /* how often the table was counted */
} pv_cut_local;

PV_CHECKED pv_status pv_i_cut_local_init(pv_cut_local *local, pv_cut_table *table,
                                         const pv_cut_prices *prices,
                                         const pv_cut_criteria *criteria, uint64_t k,
                                         pv_error *error);
void pv_i_cut_local_deinit(pv_cut_local *local);

/* Adds, drops, shifts or exchanges a cut at random. */
void pv_i_cut_move(const pv_cut_local *local, pv_rng *rng, uint8_t *cuts);

/* What comes of a scheme; the table is counted once. */
PV_CHECKED bool pv_i_cut_local_evaluate(pv_cut_local *local, const uint8_t *cuts,
                                        pv_cut_outcome *outcome);
/* Do all classes meet k and the rules, and are all groups allowed? */
bool pv_i_cut_is_valid(const pv_cut_local *local, const uint8_t *cuts,
                       const pv_cut_outcome *outcome);
/* Drops cuts until it is: attribute after attribute, in random order, the best that its own cuts
 * allow. Everything merged must be valid. */
PV_CHECKED bool pv_i_cut_repair(pv_cut_local *local, pv_rng *rng, uint8_t *cuts);
/* Gives attributes their best partitions, in random order, until none can be improved. The scheme
 * must be valid and stays so; what it costs never grows. */
PV_CHECKED bool pv_i_cut_sweep(pv_cut_local *local, pv_rng *rng, uint8_t *cuts);

#endif
