/* Places to stand on: lists of groups of schemes here and there in the lattice, from which all
 * coarser schemes can be rolled up. Whoever is about to look at many schemes above one takes a
 * stand there first; each of them then costs what a short list costs, not what the table costs.
 *
 * Not changed while workers run. */
#ifndef PV_LATTICE_STANDS_H
#define PV_LATTICE_STANDS_H

#include "lattice/groups.h"

#define PV_MOST_STANDS 64

typedef struct pv_stand {
    uint8_t *path;     /* levels by position */
    pv_groups *groups; /* all layers */
    uint64_t used;     /* when last */
    size_t bytes;
} pv_stand;

typedef struct pv_stands {
    size_t n_axes, n_layers;
    pv_stand list[PV_MOST_STANDS];
    size_t n;
    uint64_t memory, taken; /* bytes */
    uint64_t clock;
} pv_stands;

void pv_i_stands_init(pv_stands *stands, size_t n_axes, size_t n_layers, uint64_t memory);
void pv_i_stands_deinit(pv_stands *stands);

/* Of the stands below or at a path that with fewest groups; NULL if there is none. */
const pv_stand *pv_i_stands_best(const pv_stands *stands, const uint8_t *path);
/* Is there one exactly there? Then it counts as used. */
bool pv_i_stands_touch(pv_stands *stands, const uint8_t *path);
/* Takes a stand with a copy of a list. The least recently used ones make room; being unable to is
 * no failure. */
void pv_i_stands_take(pv_stands *stands, const uint8_t *path, const pv_groups *groups);

#endif
