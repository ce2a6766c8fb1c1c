/* Many attributes generalized at once: for schemes that are far above the list they are grouped
 * from. How, and when it is the better way: regroup.c. */
#ifndef PV_LATTICE_REGROUP_H
#define PV_LATTICE_REGROUP_H

#include "lattice/rollup.h"
#include "scheme/lattice.h"

/* One level of an attribute. */
typedef struct pv_level_map {
    uint32_t n_groups;
    uint32_t *group; /* per leaf */
    uint32_t *first; /* per group: its first leaf; NULL = groups are leaves */
} pv_level_map;

/* From the groups of any level of the lattice to those of a higher one. Constant once made. */
typedef struct pv_steps {
    size_t n_axes;
    uint8_t *heights;     /* by position */
    pv_level_map **maps;  /* by position, by level of the lattice */
    uint32_t most_groups; /* of an attribute, at the levels whose groups are not leaves */
} pv_steps;

/* To be freed also after a failure. */
PV_CHECKED bool pv_i_steps_init(pv_steps *steps, const pv_layers *layers,
                                const pv_lattice *lattice);
void pv_i_steps_deinit(pv_steps *steps);
/* The group at level `to` of every group at level `from`. `space` has room for most_groups; what is
 * returned is there, or lives as long as the steps. */
const uint32_t *pv_i_steps_between(const pv_steps *steps, size_t position, unsigned from,
                                   unsigned to, uint32_t *space);

/* Memory of one thread. Zero-initialised = none yet. */
typedef struct pv_regroup_scratch {
    struct pv_regroup_field *fields; /* those that a group still differs in */
    uint32_t *steps;                 /* n_axes * most_groups */
    uint64_t *narrow;                /* keys of a block */
    uint32_t *ids;                   /* per group: its number after the rounds so far */
    size_t ids_capacity;
    uint32_t *slots; /* number + 1 by key; 0 = free; all 0 between calls */
    size_t n_slots;
    unsigned slot_bits; /* of the slots in use */
    size_t n;           /* numbers */
    uint64_t *keys;     /* per number */
    uint32_t *first;    /* ... the first group that has it ... */
    uint32_t *rows;     /* ... and the rows of all that have it */
    uint32_t *order;    /* the numbers by key ... */
    uint32_t *rank;     /* ... and the other way round */
    size_t numbers_capacity;
} pv_regroup_scratch;

void pv_i_regroup_scratch_deinit(pv_regroup_scratch *scratch);

/* Generalizes `from`, a list of the layer whose levels by position are `below`, to the levels
 * `path`, none of which is lower. `to` is another list, whose memory is reused. False when memory
 * runs out. */
PV_CHECKED bool pv_i_regroup(const pv_groups *from, const pv_layer *layer, const pv_steps *steps,
                             const uint8_t *below, const uint8_t *path, pv_groups *to,
                             pv_regroup_scratch *scratch);

#endif
