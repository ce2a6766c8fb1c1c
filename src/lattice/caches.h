/* Rolled-up lists for later schemes to start from: by prefix, and at anchors. See caches.c. */
#ifndef PV_LATTICE_CACHES_H
#define PV_LATTICE_CACHES_H

#include "lattice/rollup.h"
#include "scheme/lattice.h"

#include <pthread.h>

#define PV_MOST_ANCHORS 64

/* A copy of the lists of all layers for some levels. */
typedef struct pv_cached {
    pv_groups *lists; /* NULL = none */
    uint8_t *path;    /* anchors: their levels by position */
    uint64_t used;    /* when last */
    size_t bytes;
} pv_cached;

typedef struct pv_caches {
    const pv_lattice *lattice;
    const size_t *order; /* position -> quasi-identifier */
    size_t n_layers;

    /* The prefix cache. Shared by the workers: guarded by the lock while they run. */
    pthread_mutex_t lock;
    pv_cached **prefixes; /* per position, per prefix */
    size_t n_positions;   /* whose prefixes are few enough */
    uint64_t memory, left;

    /* The anchor cache. Not changed while workers run. */
    pv_cached anchors[PV_MOST_ANCHORS];
    size_t n_anchors;
    uint64_t anchor_memory, anchor_left;

    uint64_t clock;
} pv_caches;

/* Lattice and order are borrowed. `memory` is for the prefixes; anchors get a quarter of that
 * besides. */
PV_CHECKED bool pv_i_caches_init(pv_caches *caches, const pv_lattice *lattice, const size_t *order,
                                 size_t n_layers, uint64_t memory);
void pv_i_caches_deinit(pv_caches *caches);

/* The lists of the path's first position + 1 levels, or of the highest lower level at that position
 * that is cached: its level through `level`. NULL if there are none. */
const pv_groups *pv_i_prefix_find(pv_caches *caches, const uint8_t *path, size_t position,
                                  uint8_t *level);
/* Caches a copy while there is memory for it; being unable to is no failure. */
void pv_i_prefix_add(pv_caches *caches, const uint8_t *path, size_t position,
                     const pv_groups *lists);
/* Drops the less recently used half of the prefixes if memory is running short. Not while workers
 * run: they read the lists without holding the lock. */
void pv_i_prefix_evict(pv_caches *caches);

/* Of the anchors below or at a path that with fewest groups; NULL if there is none. */
const pv_cached *pv_i_anchor_below(const pv_caches *caches, const uint8_t *path);
/* Is there one exactly there? Then it counts as used. */
bool pv_i_anchor_touch(pv_caches *caches, const uint8_t *path);
/* Caches a copy of the lists; the least recently used anchors make room. Being unable to is no
 * failure. */
void pv_i_anchor_add(pv_caches *caches, const uint8_t *path, const pv_groups *lists);

#endif
