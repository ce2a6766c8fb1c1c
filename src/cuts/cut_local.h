/* Local search over cuts, for one thread: moves of single cuts, repair of schemes with too small
 * classes, and sweeps that give one attribute after the other its best partition. */
#ifndef PV_CUTS_CUT_LOCAL_H
#define PV_CUTS_CUT_LOCAL_H

#include "base/rng.h"
#include "cuts/cut_bnb.h"

typedef struct pv_cut_local {
    pv_cut_table *table;
    const pv_cut_space *space;
    const pv_cut_prices *prices;
    uint64_t k;
    pv_cut_judge judge;
    bool *banned;   /* intervals of an axis */
    uint64_t *room; /* for cut_dp */
    uint8_t *state; /* of the cuts of an axis */
    uint8_t *made;  /* a scheme being made */
    size_t *order;  /* axes in random order */
    uint64_t looks; /* how often the table was counted */
} pv_cut_local;

PV_CHECKED pv_status pv_i_cut_local_init(pv_cut_local *local, pv_cut_table *table,
                                         const pv_cut_prices *prices, const pv_cut_aspects *aspects,
                                         uint64_t k, pv_error *error);
void pv_i_cut_local_deinit(pv_cut_local *local);

/* Adds, drops, shifts or exchanges a cut at random. */
void pv_i_cut_move(const pv_cut_local *local, pv_rng *rng, uint8_t *cuts);

/* What comes of a scheme; a look at the table. */
PV_CHECKED bool pv_i_cut_look(pv_cut_local *local, const uint8_t *cuts, pv_cut_outcome *outcome);
/* Do all classes keep the rules, and are all groups allowed? */
bool pv_i_cut_is_sound(const pv_cut_local *local, const uint8_t *cuts,
                       const pv_cut_outcome *outcome);
/* Drops cuts until it is: attribute after attribute, in random order, the best that its own cuts
 * allow. Everything merged must be sound. */
PV_CHECKED bool pv_i_cut_repair(pv_cut_local *local, pv_rng *rng, uint8_t *cuts);
/* Gives attributes their best partitions, in random order, until none can be improved. The scheme
 * must be sound and stays so; what it costs never rises. */
PV_CHECKED bool pv_i_cut_sweep(pv_cut_local *local, pv_rng *rng, uint8_t *cuts);

#endif
