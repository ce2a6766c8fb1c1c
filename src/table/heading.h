/* The columns of a file: how many fields a record has, and which of them are kept under what name.
 */
#ifndef PV_TABLE_HEADING_H
#define PV_TABLE_HEADING_H

#include "table/records.h"

#include <paravent/status.h>
#include <paravent/table.h>
#include <stdbool.h>
#include <stddef.h>

#define PV_COLUMN_LIMIT ((size_t)1 << 16) /* the checker's, too */

/* Zero-initialised = empty. */
typedef struct pv_heading {
    size_t n_fields; /* of every record */
    size_t n_kept;
    size_t *fields; /* where each kept column stands in a record */
    char **names;   /* of the kept columns */
} pv_heading;

/* Takes names from the first record, or (`named` false) makes them up: column1, column2... An empty
 * name is made up too. Two columns of one name are PV_STATUS_INPUT, more than PV_COLUMN_LIMIT
 * PV_STATUS_LIMIT. */
PV_CHECKED pv_status pv_i_heading_init(pv_heading *heading, const pv_records *first, bool named,
                                       const pv_read_options *options, const char *source,
                                       pv_error *error);
void pv_i_heading_deinit(pv_heading *heading);

#endif
