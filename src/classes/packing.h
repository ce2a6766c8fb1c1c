/* Keys, not tuples: where each quasi-identifier sits in a packed key.
 *
 *     word 0: | age 7 bits | workclass 3 | education 4 | ... |   <- first attribute highest
 *     word 1: | ...                                          |
 *
 * A field is wide enough for the leaves of its attribute, hence for its groups at any level: all
 * levels share one layout. Comparing keys word by word compares tuples attribute by attribute. */
#ifndef PV_CLASSES_PACKING_H
#define PV_CLASSES_PACKING_H

#include <paravent/plan.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pv_field {
    uint32_t word;
    uint8_t shift;
    uint64_t mask; /* before shifting; 0 for an attribute with one value */
} pv_field;

typedef struct pv_packing {
    unsigned words;
    size_t n_fields;
    pv_field *fields;
} pv_packing;

/* Fields for this many values each. */
PV_CHECKED pv_status pv_i_packing_of_sizes(pv_packing *packing, const uint32_t *sizes, size_t n,
                                           pv_error *error);
/* For the leaves of the quasi-identifiers. */
PV_CHECKED pv_status pv_i_packing_init(pv_packing *packing, const pv_study *study, pv_error *error);
void pv_i_packing_deinit(pv_packing *packing);

/* The lowest bits that no field has, where there is one word. */
static inline unsigned pv_i_packing_unused(const pv_packing *packing)
{
    unsigned unused = 63; /* a shift by all bits is none */
    for (size_t i = 0; i < packing->n_fields; i++) {
        const pv_field field = packing->fields[i];
        unused = field.mask > 0 && field.shift < unused ? field.shift : unused;
    }
    return packing->words == 1 ? unused : 0;
}

static inline uint32_t pv_i_unpack(const pv_packing *packing, const uint64_t *key, size_t field)
{
    const pv_field f = packing->fields[field];
    return (uint32_t)((key[f.word] >> f.shift) & f.mask);
}

/* Per attribute, a table from values to their shifted place in the key. */
typedef struct pv_recoding {
    uint64_t **tables; /* one per field */
    size_t n_tables;
} pv_recoding;

/* From dictionary codes to leaves. */
PV_CHECKED pv_status pv_i_recoding_of_codes(pv_recoding *recoding, const pv_packing *packing,
                                            const pv_study *study, pv_error *error);
/* From leaves to groups at the given levels. */
PV_CHECKED pv_status pv_i_recoding_of_levels(pv_recoding *recoding, const pv_packing *packing,
                                             const pv_study *study, const uint8_t *levels,
                                             pv_error *error);
void pv_i_recoding_deinit(pv_recoding *recoding);

#endif
