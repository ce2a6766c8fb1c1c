/* Schemes to begin with in a large lattice: the best ones for a ladder of demands. See seeds.c. */
#ifndef PV_LATTICE_SEEDS_H
#define PV_LATTICE_SEEDS_H

#include "lattice/driver.h"

typedef struct pv_seeds pv_seeds;

PV_CHECKED pv_status pv_i_seeds_create(pv_run *run, pv_seeds **seeds, pv_error *error);
void pv_i_seeds_free(pv_seeds *seeds); /* NULL is fine */

/* Asks the next question, of the second round on with twice the nodes of the round before. `found`
 * says whether there is a scheme, and then it is in `levels`, which are those of the lattice. */
PV_CHECKED pv_status pv_i_seeds_next(pv_seeds *seeds, uint8_t *levels, bool *found,
                                     pv_error *error);
/* Is every question settled? Then there is no next one. */
bool pv_i_seeds_settled(const pv_seeds *seeds);
/* Boxes looked at so far. */
uint64_t pv_i_seeds_nodes(const pv_seeds *seeds);

#endif
