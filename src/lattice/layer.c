/* Laying out the keys of a layer and filling its base. */
#include "lattice/layer.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* Fields are filled from the most significant end; none straddles two words. The last field ends at
 * bit 0, so that the last attribute is the one whose equal groups are neighbours. */
static void place_fields(pv_place *places, const unsigned *bits, size_t n, unsigned *words)
{
    unsigned word = 0;
    unsigned used = 0;
    size_t first = 0; /* of the fields in this word */
    for (size_t i = 0; i <= n; i++) {
        if (i == n || used + bits[i] > 64) {
            unsigned shift = 0;
            for (size_t j = i; j-- > first;) {
                places[j] = (pv_place){
                    .word = word, .shift = (uint8_t)shift, .mask = ((uint64_t)1 << bits[j]) - 1};
                shift += bits[j];
            }
            first = i;
            used = 0;
            word += i < n;
        }
        used += i < n ? bits[i] : 0;
    }
    *words = word + 1;
}

static pv_status lay_out(pv_layer *layer, const pv_profile *profile, const size_t *order,
                         pv_error *error)
{
    const size_t n = pv_study_quasis(profile->study);
    unsigned *const bits = PV_NEW_ARRAY(unsigned, n + 1);
    layer->places = PV_NEW_ARRAY(pv_place, n + 1);
    if (bits == NULL || layer->places == NULL) {
        pv_i_free(bits);
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        bits[i] = pv_i_bits_for(pv_hierarchy_leaves(pv_study_hierarchy(profile->study, order[i])));
    }
    bits[n] = layer->histogram != NULL ? pv_i_bits_for(layer->histogram->n_codes) : 0;
    place_fields(layer->places, bits, n + 1, &layer->words);
    layer->value = layer->places[n];
    pv_i_free(bits);
    return PV_STATUS_OK;
}

static void put(uint64_t *key, pv_place place, uint64_t value)
{
    key[place.word] |= value << place.shift;
}

static void pack_tuple(const pv_layer *layer, const pv_profile *profile, const size_t *order,
                       size_t tuple, uint64_t *key)
{
    memset(key, 0, layer->words * sizeof *key);
    for (size_t i = 0; i < profile->packing.n_fields; i++) {
        put(key, layer->places[i], pv_profile_leaf(profile, tuple, order[i]));
    }
}

static void fill_base(pv_layer *layer, const pv_profile *profile, const size_t *order)
{
    const pv_histogram *const h = layer->histogram;
    pv_groups *const base = &layer->base;
    for (size_t t = 0; t < profile->n_tuples; t++) {
        uint64_t *key = base->keys + base->n * layer->words;
        pack_tuple(layer, profile, order, t, key);
        if (h == NULL) {
            base->counts[base->n++] = (uint32_t)profile->count[t];
            continue;
        }
        const uint64_t *const first = key;
        for (uint64_t e = h->start[t]; e < h->start[t + 1]; e++) {
            key = base->keys + base->n * layer->words;
            memmove(key, first, layer->words * sizeof *key);
            key[layer->value.word] &= ~(layer->value.mask << layer->value.shift);
            put(key, layer->value, h->code[e]);
            base->counts[base->n++] = (uint32_t)h->count[e];
        }
    }
}

pv_status pv_i_layer_init(pv_layer *layer, const pv_profile *profile, const size_t *order,
                          const pv_histogram *histogram, pv_error *error)
{
    pv_layer l = {.histogram = histogram};
    pv_rollup_scratch scratch = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(lay_out(&l, profile, order, error));
    const size_t n =
        histogram != NULL ? (size_t)histogram->start[profile->n_tuples] : profile->n_tuples;
    if (!pv_i_groups_reserve(&l.base, n, l.words)) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    fill_base(&l, profile, order);
    if (!pv_i_groups_settle(&l.base, &scratch)) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    *layer = l;
cleanup:
    pv_i_rollup_scratch_deinit(&scratch);
    if (status != PV_STATUS_OK) {
        pv_i_layer_deinit(&l);
    }
    return status;
}

void pv_i_layer_deinit(pv_layer *layer)
{
    pv_i_free(layer->places);
    pv_i_groups_deinit(&layer->base);
    *layer = (pv_layer){0};
}
