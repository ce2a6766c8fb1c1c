/* From the rows that threads counted each for itself to one count, the same as if one of them had
 * read the file from its first row to its last. */
#ifndef PV_AUDIT_AUDIT_GATHER_H
#define PV_AUDIT_AUDIT_GATHER_H

#include "audit/audit_rows.h"
#include "base/ticker.h"

/* All borrowed. */
typedef struct pv_audit_counted {
    pv_audit_rows *workers;
    unsigned n_workers;
    const pv_audit_piece *pieces; /* by block */
    size_t n_pieces;              /* at least one */
    uint64_t first_line;          /* of the first piece */
    pv_ticker *ticker;            /* of the caller's thread */
    uint64_t done;                /* what to tell it */
} pv_audit_counted;

/* Fills in the values, classes, parts and pairs of a count that knows its columns. What the workers
 * had is used up. */
PV_CHECKED pv_status pv_i_audit_gather(const pv_audit_counted *counted, pv_audit_count *count,
                                       pv_error *error);

#endif
