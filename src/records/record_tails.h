/* Tails: what is left of a tuple from a position on, numbered.
 *
 *     position 0: tail 7 = value 2, then tail 4 of position 1
 *     position 1: tail 4 = value 0, then tail 1 of position 2 ...
 *
 * Tails are numbered in order: by the value at the position, then by the rest. With some attributes
 * generalized and all after them as they are, a tuple is known by its generalized part and one
 * number, however many attributes and values there are. */
#ifndef PV_RECORDS_RECORD_TAILS_H
#define PV_RECORDS_RECORD_TAILS_H

#include <paravent/status.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pv_tails {
    size_t n_positions;
    size_t n_tuples;
    uint32_t *n;      /* per position, and 1 at the end: different tails */
    uint32_t **value; /* per position and tail: the value there */
    uint32_t **rest;  /* per position and tail: the tail from the next position on */
    uint32_t *whole;  /* per tuple: its tail from position 0 on */
} pv_tails;

typedef uint32_t (*pv_tail_value_fn)(const void *ctx, size_t tuple, size_t position);

PV_CHECKED pv_status pv_i_tails_init(pv_tails *tails, size_t n_positions, size_t n_tuples,
                                     pv_tail_value_fn value, const void *ctx, pv_error *error);
void pv_i_tails_deinit(pv_tails *tails);

#endif
