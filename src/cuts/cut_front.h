/* What is proven about cut schemes so far: of all that have at least so much k, none costs less.
 *
 * Whoever demands more k is among those who demand less: a bound holds for every larger k, too. */
#ifndef PV_CUTS_CUT_FRONT_H
#define PV_CUTS_CUT_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pv_cut_claim {
    uint64_t k;
    uint64_t bound; /* no scheme with at least this k costs less */
    uint64_t tried; /* nodes of the longest attempt to prove more */
} pv_cut_claim;

/* More nodes would not help. */
#define PV_CUT_TRIED_ALL UINT64_MAX

/* Zero-initialised = nothing is proven. */
typedef struct pv_cut_ledger {
    pv_cut_claim *claims; /* by ascending k, each once */
    size_t n, capacity;
} pv_cut_ledger;

void pv_i_cut_ledger_deinit(pv_cut_ledger *ledger);

/* Enters what came of an attempt; an older claim about the same k is never weakened. False when
 * memory runs out. */
bool pv_i_cut_ledger_enter(pv_cut_ledger *ledger, const pv_cut_claim *claim);
/* The best that is proven for schemes with at least this k; 0 if nothing is. */
uint64_t pv_i_cut_ledger_bound(const pv_cut_ledger *ledger, uint64_t k);
/* How many nodes were spent on exactly this k at once. */
uint64_t pv_i_cut_ledger_tried(const pv_cut_ledger *ledger, uint64_t k);

#endif
