/* The values of a column by their text; of numbers and dates by what it means. */
#ifndef PV_CLASSES_VALUE_INDEX_H
#define PV_CLASSES_VALUE_INDEX_H

#include "base/arena.h"
#include "hierarchy/labels.h"

#include <paravent/table.h>
#include <stdint.h>

/* Zero-initialised = empty. */
typedef struct pv_value_index {
    pv_arena arena;
    const pv_table *table; /* borrowed */
    size_t column;
    pv_labels texts; /* canonical; numbered like the codes */
} pv_value_index;

/* The type of the column must be settled. Deinitialise even after a failure. */
PV_CHECKED pv_status pv_i_value_index_init(pv_value_index *index, const pv_table *table,
                                           size_t column, pv_error *error);
void pv_i_value_index_deinit(pv_value_index *index);

/* The code of a text, or PV_NO_CODE. Not for spellings of the missing value. */
uint32_t pv_i_value_index_find(const pv_value_index *index, const char *text);

#endif
