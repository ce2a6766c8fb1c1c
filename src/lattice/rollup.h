/* Sorted groups: the classes of a partly generalized table as one list, and its roll-up to a
 * coarser level of one attribute. Layers: the lists a table begins with. How it works and why it
 * is fast: rollup.c. */
#ifndef PV_LATTICE_ROLLUP_H
#define PV_LATTICE_ROLLUP_H

#include "classes/keys.h"
#include "classes/profile.h"

typedef struct pv_groups {
    size_t n;
    size_t capacity;  /* groups that fit */
    unsigned words;   /* per key */
    uint64_t *keys;   /* ascending, distinct */
    uint32_t *counts; /* rows */
} pv_groups;

/* Memory that roll-ups need besides their result; one per thread. Zero-initialised = none yet. */
typedef struct pv_rollup_scratch {
    pv_groups spare[2];
    size_t *runs;
    size_t runs_capacity;
} pv_rollup_scratch;

void pv_i_rollup_scratch_deinit(pv_rollup_scratch *scratch);

/* Empties the list and makes sure that `capacity` groups fit. False when memory runs out. */
bool pv_i_groups_reserve(pv_groups *groups, size_t capacity, unsigned words);
void pv_i_groups_deinit(pv_groups *groups);
/* What copies of some lists would take. */
size_t pv_i_groups_bytes(const pv_groups *groups, size_t n_lists);
/* An exact copy in memory of just its size. */
bool pv_i_groups_copy(const pv_groups *from, pv_groups *to);
/* Sorts groups by key and adds up equal ones, in place. */
bool pv_i_groups_settle(pv_groups *groups, pv_rollup_scratch *scratch);

/* Generalizes one attribute: `step` maps its groups before to those after and never falls. `to` is
 * another list, whose memory is reused. False when memory runs out. O(n log r) for n groups in
 * stretches of r runs. */
bool pv_i_rollup(const pv_groups *from, pv_field field, const uint32_t *step, pv_groups *to,
                 pv_rollup_scratch *scratch);

/* The table as one list: over the quasi-identifiers alone, or together with one column whose values
 * are to be counted in every class. */
typedef struct pv_layer {
    const pv_histogram *histogram; /* the column counted; NULL = none */
    unsigned words;
    pv_field *fields; /* of the attributes, in the order of rolling up */
    pv_field value;   /* of the counted column; mask 0 = none */
    pv_groups base;   /* nothing generalized */
} pv_layer;

/* All layers of a table; constant once made. */
typedef struct pv_layers {
    const pv_profile *profile;
    size_t n_axes;
    size_t *order;  /* position -> quasi-identifier, the most significant first */
    pv_layer *list; /* the first one gives the classes their sizes */
    size_t n;
    pv_groups *base; /* the layers' base lists side by side, borrowed from them */
} pv_layers;

/* A layer for every sensitive column, for the label, or one that counts nothing if neither is
 * asked for. To be freed also after a failure. */
PV_CHECKED pv_status pv_i_layers_init(pv_layers *layers, const pv_profile *profile, bool sensitives,
                                      bool label, pv_error *error);
void pv_i_layers_deinit(pv_layers *layers);

/* Are two groups of a layer in one class? They may differ in the counted value. */
static inline bool pv_i_layer_same_class(const pv_layer *layer, const uint64_t *a,
                                         const uint64_t *b)
{
    const unsigned last = layer->words - 1;
    for (unsigned w = 0; w < last; w++) {
        if (a[w] != b[w]) {
            return false;
        }
    }
    return ((a[last] ^ b[last]) & ~(layer->value.mask << layer->value.shift)) == 0;
}

#endif
