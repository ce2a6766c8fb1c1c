/* Lists kept at hand for later schemes, shared by all workers, within a memory budget.
 *
 * A list stands for a prefix: the levels of the first few attributes in the evaluator's order.
 * Lists are never changed once kept and never dropped while workers run; between batches the least
 * recently used ones make room. */
#ifndef PV_LATTICE_KEPT_H
#define PV_LATTICE_KEPT_H

#include "lattice/groups.h"
#include "scheme/lattice.h"

#include <pthread.h>

typedef struct pv_kept_list {
    pv_groups *groups; /* all layers; NULL = not kept */
    uint64_t used;     /* when last */
    size_t bytes;
} pv_kept_list;

typedef struct pv_kept {
    pthread_mutex_t lock;
    const pv_lattice *lattice;
    const size_t *order;
    size_t n_layers;
    pv_kept_list **lists; /* per position, per prefix */
    size_t n_positions;   /* whose prefixes are few enough */
    uint64_t memory, left;
    uint64_t clock;
} pv_kept;

/* The last position is never kept: nothing is rolled up from it. */
PV_CHECKED bool pv_i_kept_init(pv_kept *kept, const pv_lattice *lattice, const size_t *order,
                               size_t n_layers, uint64_t memory);
void pv_i_kept_deinit(pv_kept *kept);

/* The list of the path's first position + 1 levels, or of the highest lower level at that position
 * that is kept: its level through `level`. NULL if there is none. */
const pv_groups *pv_i_kept_find(pv_kept *kept, const uint8_t *path, size_t position,
                                uint8_t *level);
/* Keeps a copy while there is memory for it; being unable to is no failure. */
void pv_i_kept_add(pv_kept *kept, const uint8_t *path, size_t position, const pv_groups *groups);
/* Drops what was not used lately if memory is running short. Not while workers run. */
void pv_i_kept_make_room(pv_kept *kept);

#endif
