/* Writing a file so that it is either complete or not there: to a temporary file beside the target,
 * then renamed into place. The ending of the target decides on compression (.gz, .zst). */
#ifndef PV_BASE_OUTPUT_H
#define PV_BASE_OUTPUT_H

#include "base/sha256.h"

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct pv_output pv_output;

/* Fails with PV_STATUS_EXISTS if the target exists and `force` is false. */
PV_CHECKED pv_status pv_i_output_open(const char *path, bool force, pv_output **output,
                                      pv_error *error);
PV_CHECKED pv_status pv_i_output_write(pv_output *output, const void *data, size_t size,
                                       pv_error *error);
/* Flushes everything to disk and closes the file, which keeps its temporary name: now it can be
 * read back. Nothing can be written any more. */
PV_CHECKED pv_status pv_i_output_finish(pv_output *output, pv_error *error);
/* The SHA-256 of a finished file as it stands on disk, compressed or not. */
void pv_i_output_hash(const pv_output *output, char hex[PV_SHA256_HEX]);
const char *pv_i_output_temporary(const pv_output *output); /* its path until committed */
/* Renames the finished file to its target. */
PV_CHECKED pv_status pv_i_output_commit(pv_output *output, pv_error *error);
/* Takes a committed file away again, because something that belongs to it failed. */
void pv_i_output_retract(pv_output *output);
/* Frees; a file not committed is removed. NULL is fine. */
void pv_i_output_free(pv_output *output);

/* A small file in one go. */
PV_CHECKED pv_status pv_i_output_text(const char *path, bool force, const char *text,
                                      pv_error *error);

#endif
