/* From millions of rows to small numbers: rows with equal keys get the same number, which count up
 * in order of first appearance, whatever the number of threads.
 *
 * Each worker numbers its share of the rows by itself. The others' keys are then added to those of
 * the first share by share, which keeps the order of first appearance, and each row's local number
 * is replaced by the final one. Where there are few possible keys, each has a place of its own;
 * else a map finds them. */
#ifndef PV_CLASSES_NUMBERING_H
#define PV_CLASSES_NUMBERING_H

#include "classes/keys.h"

#include <paravent/context.h>
#include <paravent/status.h>

/* Rows that are treated at a time. */
#define PV_CHUNK_ROWS ((size_t)2048)

/* Writes the keys of up to PV_CHUNK_ROWS rows; `scratch` holds as many codes. */
typedef void (*pv_keys_fn)(const void *ctx, uint64_t first, size_t n, uint32_t *scratch,
                           uint64_t *keys);

/* The rows with one key. */
typedef struct pv_key_rows {
    uint64_t n;
    uint64_t first;
} pv_key_rows;

typedef struct pv_numbering_share pv_numbering_share;

typedef struct pv_numbering {
    /* What is to be numbered. */
    uint64_t n_rows;
    unsigned words;  /* per key */
    unsigned unused; /* of a key of one word: lowest bits that are always 0 */
    pv_keys_fn keys;
    const void *ctx;
    const pv_context *context;
    uint32_t *numbers; /* one per row, the caller's; NULL = only the distinct keys are wanted */

    /* What was found. */
    size_t n;                 /* distinct keys */
    const uint64_t *distinct; /* n * words */
    const pv_key_rows *rows;  /* of each */

    pv_numbering_share *shares;
    unsigned n_shares;
} pv_numbering;

/* Finds the distinct keys. Deinitialise even after a failure. */
PV_CHECKED pv_status pv_i_numbering_find(pv_numbering *numbering, pv_error *error);
/* Gives every row the number of its key, or, if there are ranks, the rank of that number. */
void pv_i_numbering_settle(pv_numbering *numbering, const uint32_t *rank);
void pv_i_numbering_deinit(pv_numbering *numbering);

#endif
