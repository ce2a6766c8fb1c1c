/* From the pieces that several encoders made to one table. */
#ifndef PV_TABLE_ASSEMBLE_H
#define PV_TABLE_ASSEMBLE_H

#include "table/encode.h"
#include "table/store.h"

#include <paravent/status.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pv_parts {
    pv_encoder *encoders; /* their dictionaries are freed on the way */
    unsigned n_encoders;
    pv_piece **pieces; /* in the order of the file; freed and set to NULL on the way */
    size_t n_pieces;
    uint64_t first_line;        /* of the first piece, 1-based */
    const char *const *missing; /* NULL-terminated spellings of "missing" */
    /* ... and of one column, NULL = those; or NULL for all. */
    const char *const *(*missing_of)(void *ctx, const char *column);
    void *missing_ctx;
    bool trim;    /* remove the blanks around fields? */
    bool quoting; /* may fields be quoted? */
    unsigned threads;
} pv_parts;

/* `table` has its names and otherwise empty columns. The result does not depend on how the blocks
 * were divided between the encoders. */
PV_CHECKED pv_status pv_i_assemble(pv_table *table, pv_parts *parts, pv_error *error);

#endif
