/* Reading with every knob: what the tests turn to reach the seams between blocks. */
#ifndef PV_TABLE_READER_H
#define PV_TABLE_READER_H

#include <paravent/context.h>
#include <paravent/table.h>
#include <stddef.h>

/* pv_table_read_memory with blocks of `block_size` > 0 bytes (larger where a record is). */
PV_CHECKED pv_status pv_i_table_read_blocks(const char *name, const void *data, size_t size,
                                            size_t block_size, const pv_read_options *options,
                                            const pv_context *context, pv_table **table,
                                            pv_error *error);

#endif
