/* From the rows of a block to dictionary codes. */
#ifndef PV_TABLE_ENCODE_H
#define PV_TABLE_ENCODE_H

#include "base/buffer.h"
#include "table/feeder.h"
#include "table/heading.h"
#include "table/lexicon.h"
#include "table/rows.h"
#include "table/scan.h"

#include <stddef.h>
#include <stdint.h>

/* What a block has become: the codes of its rows in the dictionaries of the encoder that made it.
 * One allocation: this head, the marks, a number per column, the codes column after column. */
typedef struct pv_piece {
    unsigned encoder;
    uint64_t n_rows, n_skipped, n_lines;
    pv_trouble trouble;
    pv_line_mark *marks; /* as in pv_rows */
    size_t n_marks;
    uint32_t *n_values; /* per column: size of its dictionary after this block; thus the width */
    uint8_t *codes;
} pv_piece;

/* One per thread: its own dictionaries and its own scratch memory. */
typedef struct pv_encoder {
    const pv_heading *heading; /* borrowed */
    bool skip_bad;
    pv_lexicon *dictionaries; /* one per kept column */
    size_t n_ready;           /* of them initialised */
    pv_block block;
    pv_scan scan;
    pv_rows rows;
    uint32_t *codes; /* of a block, column after column */
    size_t codes_capacity;
    char *unquoted; /* one field, padded */
    size_t unquoted_capacity;
} pv_encoder;

/* For a zero-initialised encoder, whose block may be filled already. False = no memory. To be
 * deinitialised in any case. */
PV_CHECKED bool pv_i_encoder_init(pv_encoder *encoder, const pv_heading *heading, bool skip_bad);
void pv_i_encoder_deinit(pv_encoder *encoder);

/* Encodes the encoder's block. The caller frees the piece with pv_i_free; NULL = no memory. What is
 * wrong with the block stands in piece->trouble; then it has no codes. */
pv_piece *pv_i_encode(pv_encoder *encoder, const pv_dialect *dialect);

#endif
