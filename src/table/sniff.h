/* How a text is delimited, guessed from its beginning. */
#ifndef PV_TABLE_SNIFF_H
#define PV_TABLE_SNIFF_H

#include "table/dialect.h"

#include <paravent/status.h>
#include <paravent/table.h>
#include <stdbool.h>
#include <stddef.h>

/* Bytes of a UTF-8 byte order mark at the start of a text: 3 or 0. */
size_t pv_i_bom_length(const char *text, size_t size);

/* Fills in what `options` (may be NULL) leaves open. `text` is the beginning of a file, after a
 * byte order mark; `complete` says that it is all of it. */
PV_CHECKED pv_status pv_i_sniff(const char *text, size_t size, bool complete,
                                const pv_read_options *options, pv_dialect *dialect,
                                pv_error *error);

#endif
