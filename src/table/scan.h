/* The structure of a block of text: where its fields and records end.
 *
 * A block holds whole records and PV_SCAN_PADDING readable bytes after its end. */
#ifndef PV_TABLE_SCAN_H
#define PV_TABLE_SCAN_H

#include "table/dialect.h"

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PV_SCAN_PADDING 64
#define PV_SCAN_LIMIT ((size_t)1 << 31) /* bytes of a block, so that positions fit 32 bits */

/* Zero-initialised = empty; its memory is reused from block to block. */
typedef struct pv_scan {
    /* bounds[0] is UINT32_MAX, one before the first byte; then come the positions of all delimiters
     * and line ends outside quotes. A field lies between two neighbours. */
    uint32_t *bounds;
    size_t capacity;
    size_t n_ends;     /* bounds after the first */
    size_t n_records;  /* line ends outside quotes */
    size_t n_lines;    /* all line ends */
    size_t nul;        /* where a NUL byte stands, SIZE_MAX = nowhere */
    size_t open_quote; /* where a quoted field opens that is never closed, SIZE_MAX = nowhere */
    bool has_quotes;   /* a field may be quoted */
} pv_scan;

/* False if memory runs out. */
PV_CHECKED bool pv_i_scan(pv_scan *scan, const char *data, size_t size, const pv_dialect *dialect);
void pv_i_scan_deinit(pv_scan *scan);

/* The size of the whole records at the start of `data`; 0 if there is not even one. */
size_t pv_i_scan_whole(const char *data, size_t size, const pv_dialect *dialect);

/* Line ends in a text. */
size_t pv_i_count_lines(const char *data, size_t size);

#endif
