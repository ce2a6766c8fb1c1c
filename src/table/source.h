/* Where bytes come from: a file, standard input or memory; plain, gzip or zstd, recognised by their
 * first bytes. */
#ifndef PV_TABLE_SOURCE_H
#define PV_TABLE_SOURCE_H

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

#endif
