/* Where bytes come from (a file, standard input or memory; plain, gzip or zstd, recognised by their
 * first bytes), and how they become blocks of whole records. */
#ifndef PV_TABLE_SOURCE_H
#define PV_TABLE_SOURCE_H

#include "table/records.h"

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pv_source pv_source;

/* "-" is standard input. */
PV_CHECKED pv_status pv_i_source_open(const char *path, pv_source **source, pv_error *error);
/* `data` is borrowed until the source is freed. */
PV_CHECKED pv_status pv_i_source_memory(const char *name, const void *data, size_t size,
                                        pv_source **source, pv_error *error);
void pv_i_source_free(pv_source *source); /* NULL is fine */

/* Up to `size` decompressed bytes; fewer only at the end. Damaged or truncated compressed data is
 * PV_STATUS_INPUT. */
PV_CHECKED pv_status pv_i_source_read(pv_source *source, char *out, size_t size, size_t *got,
                                      pv_error *error);

/* Do these bytes begin compressed data? */
bool pv_i_source_compressed(const void *data, size_t size);

const char *pv_i_source_name(const pv_source *source);  /* for messages */
uint64_t pv_i_source_consumed(const pv_source *source); /* bytes taken, as stored */
uint64_t pv_i_source_total(const pv_source *source);    /* bytes there are; 0 = not known */

/* ---------------------------------------------------- blocks of whole records */

/* Bytes of one record. The checker has the same limit (audit/audit_reader.h): a file that is read
 * and released must be one that can be checked. A small compressed file may decompress to a record
 * of any length, which costs several times its size in memory. */
#define PV_RECORD_LIMIT ((size_t)1 << 26)

/* A piece of the text; PV_SCAN_PADDING bytes after it may be read. Zero-initialised = empty. */
typedef struct pv_block {
    char *data;
    size_t size;
    size_t capacity;
    uint64_t index; /* blocks are numbered from 0 in the order of the text */
} pv_block;

void pv_i_block_deinit(pv_block *block);

typedef struct pv_feeder {
    pv_source *source; /* borrowed */
    size_t block_size;
    pv_dialect dialect;
    /* Bytes that were read but not yet handed out: pending[at..size). */
    char *pending;
    size_t at, size, capacity;
    bool ended; /* the source has no more */
    uint64_t n_blocks;
} pv_feeder;

void pv_i_feeder_init(pv_feeder *feeder, pv_source *source, size_t block_size);
void pv_i_feeder_deinit(pv_feeder *feeder);

/* Makes at least `size` bytes pending, or all there are. */
PV_CHECKED pv_status pv_i_feeder_peek(pv_feeder *feeder, size_t size, pv_error *error);

/* The next block; `more` is false when there is none. A line end is added to a text that lacks its
 * last one. A record over PV_RECORD_LIMIT is PV_STATUS_LIMIT. `feeder->dialect` must be known. */
PV_CHECKED pv_status pv_i_feeder_next(pv_feeder *feeder, pv_block *block, bool *more,
                                      pv_error *error);

#endif
