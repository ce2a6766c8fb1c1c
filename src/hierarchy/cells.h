/* Records of delimited cells, one after the other, from a small text in memory. */
#ifndef PV_HIERARCHY_CELLS_H
#define PV_HIERARCHY_CELLS_H

#include "base/buffer.h"

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pv_cells {
    const char *at, *end; /* what is still to be read */
    char delimiter;
    uint64_t line; /* where the next record begins, 1-based */

    /* The record read last; valid until the next one. */
    const char **cells;
    size_t n_cells;
    uint64_t first_line;
    const char *complaint; /* what is wrong with its quotes; NULL = nothing */

    pv_buffer text; /* of the cells, a NUL after each */
    size_t capacity;
} pv_cells;

/* Refuses what contains NUL, naming its line: it is no text. */
PV_CHECKED pv_status pv_i_cells_check(const char *name, const char *data, size_t size,
                                      pv_error *error);
/* The text is borrowed and must not contain NUL. A byte-order mark is skipped; delimiter 0 = the
 * one of ; tab | , that separates something in most records. */
PV_CHECKED pv_status pv_i_cells_init(pv_cells *cells, const char *text, size_t size, char delimiter,
                                     pv_error *error);
/* Reads the next record; *found is false at the end of the text. */
PV_CHECKED pv_status pv_i_cells_next(pv_cells *cells, bool *found, pv_error *error);
void pv_i_cells_deinit(pv_cells *cells);

#endif
