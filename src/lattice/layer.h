/* Layers: the table as sorted groups over the quasi-identifiers, alone or together with one column
 * whose values are to be counted in every class. That column is the least significant part of the
 * key and is never generalized: the values of a class stand side by side. */
#ifndef PV_LATTICE_LAYER_H
#define PV_LATTICE_LAYER_H

#include "classes/profile.h"
#include "lattice/groups.h"

typedef struct pv_layer {
    const pv_histogram *histogram; /* the column counted; NULL = none */
    unsigned words;
    pv_place *places; /* of the attributes, in the order of rolling up */
    pv_place value;   /* of the counted column; mask 0 = none */
    pv_groups base;   /* nothing generalized */
} pv_layer;

/* `order` says which quasi-identifier comes at which position, most significant first. */
PV_CHECKED pv_status pv_i_layer_init(pv_layer *layer, const pv_profile *profile,
                                     const size_t *order, const pv_histogram *histogram,
                                     pv_error *error);
void pv_i_layer_deinit(pv_layer *layer);

/* The key of the class a group belongs to: without the counted value. */
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

static inline uint32_t pv_i_layer_field(const pv_place place, const uint64_t *key)
{
    return (uint32_t)((key[place.word] >> place.shift) & place.mask);
}

#endif
