/* In which order rows are released, and as which.
 *
 * A row's key is the ranks of its released texts, column after column in the order of the file:
 * keys compare as the released rows do, text by text. */
#ifndef PV_RELEASE_ROW_ORDER_H
#define PV_RELEASE_ROW_ORDER_H

#include "classes/keys.h"
#include "classes/numbering.h"
#include "release/row_cells.h"
#include "release/settings.h"

typedef struct pv_row_keys {
    const pv_released_columns *columns;
    const pv_classes *classes;
    pv_packing packing; /* is the row left out? Then the columns. */
    uint64_t *of_class; /* per class: its quasi-identifiers; all that a row left out has */
    bool drops;         /* suppressed rows are left out */
} pv_row_keys;

/* The columns and classes are borrowed. Deinitialise even after a failure. */
PV_CHECKED pv_status pv_i_row_keys_init(pv_row_keys *keys, const pv_released_columns *columns,
                                        const pv_classes *classes, bool drops, pv_error *error);
void pv_i_row_keys_deinit(pv_row_keys *keys);
/* The keys of n rows, up to PV_CHUNK_ROWS: those listed, or, if `rows` is NULL, from `first` on.
 * `room` is there for as many codes. */
void pv_i_row_keys_pack(const pv_row_keys *keys, const uint64_t *rows, uint64_t first, size_t n,
                        uint32_t *room, uint64_t *out);

/* Sorted rows are told by their distinct keys: of the i-th line there are lines[order[i]].n. Others
 * are told row by row. */
typedef struct pv_released_order {
    uint64_t n; /* rows released */
    /* Sorted. */
    size_t n_distinct;
    uint32_t *order;          /* the distinct keys in ascending order; NULL = not sorted */
    const uint64_t *keys;     /* of numbers */
    const pv_key_rows *lines; /* of numbers */
    pv_numbering numbering;
    /* The row of the table that stands in each place; NULL = as they are; of sorted rows only if
     * it was asked for. Equal rows are in the order of the table. */
    uint64_t *rows;
} pv_released_order;

/* Deinitialise even after a failure. */
PV_CHECKED pv_status pv_i_released_order_init(pv_released_order *order, const pv_row_keys *keys,
                                              const pv_release_settings *options,
                                              const pv_context *context, pv_error *error);
void pv_i_released_order_deinit(pv_released_order *order);

#endif
