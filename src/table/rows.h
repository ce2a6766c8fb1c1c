/* From the structure of a block to its rows: records of the right number of fields, blank lines
 * skipped, the first one that is wrong found. */
#ifndef PV_TABLE_ROWS_H
#define PV_TABLE_ROWS_H

#include "table/scan.h"
#include "table/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum pv_trouble_kind {
    PV_TROUBLE_NONE = 0,
    PV_TROUBLE_FIELDS, /* a record has `found` fields instead of the usual number */
    PV_TROUBLE_NUL,
    PV_TROUBLE_QUOTE, /* opened and never closed */
    PV_TROUBLE_LIMIT, /* too many distinct values in column `found` */
    PV_TROUBLE_MEMORY,
} pv_trouble_kind;

/* What is wrong in a block. */
typedef struct pv_trouble {
    pv_trouble_kind kind;
    uint64_t line; /* 0-based, counted from the start of the block */
    size_t found;
} pv_trouble;

/* Field f of row r lies between bounds[r * stride + f] and bounds[r * stride + f + 1], exclusive.
 * Zero-initialised = empty; memory is reused from block to block. */
typedef struct pv_rows {
    const uint32_t *bounds; /* those of the scan, or `sorted` */
    size_t stride;
    size_t n_rows;
    size_t n_skipped; /* bad rows */
    size_t n_lines;
    /* Rows and lines count from the start of the block, both from 0; a mark with line UINT64_MAX
     * says that the lines from its row on are not kept. */
    pv_line_mark *marks;
    size_t n_marks, marks_capacity;
    uint32_t *sorted;
    size_t sorted_capacity;
    pv_trouble trouble;
} pv_rows;

/* Rows up to the first trouble, if there is any. */
void pv_i_rows_find(pv_rows *rows, const pv_scan *scan, const char *data, size_t n_fields,
                    bool skip_bad);
void pv_i_rows_deinit(pv_rows *rows);

#endif
