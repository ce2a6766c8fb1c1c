/* One file being written, under a hidden name: outputs.h gives it its own. The ending of that name
 * decides on compression (.gz, .zst). */
#ifndef PV_BASE_OUTPUT_H
#define PV_BASE_OUTPUT_H

#include <paravent/status.h>
#include <stddef.h>

typedef struct pv_output pv_output;

/* Creates the file at `path`, which must not exist, readable by its owner alone. Messages call it
 * by its name to be, `target`. */
PV_CHECKED pv_status pv_i_output_create(const char *path, const char *target, pv_output **output,
                                        pv_error *error);
/* A file in `folder` that has no name, so that nothing is left of it whatever happens. Only this
 * process can open it. */
PV_CHECKED pv_status pv_i_output_create_nameless(const char *folder, pv_output **output,
                                                 pv_error *error);
PV_CHECKED pv_status pv_i_output_write(pv_output *output, const void *data, size_t size,
                                       pv_error *error);
/* Has a thread of its own hash the file, by reading what was written: hashing takes longer than
 * writing. To be called before anything is written; compressed files are hashed by the writer. */
void pv_i_output_hash_behind(pv_output *output);
/* All is written: now the file can be read back. Nothing can be written any more; to finish it
 * again changes nothing. A large file is still on its way to the disk. */
PV_CHECKED pv_status pv_i_output_finish(pv_output *output, pv_error *error);
/* Waits until a finished file is on disk. */
PV_CHECKED pv_status pv_i_output_settle(pv_output *output, pv_error *error);
const char *pv_i_output_path(const pv_output *output);
/* The SHA-256 of the finished file in hexadecimal; waits for whoever computes it. That the file
 * could not be read shows in pv_i_output_settle. */
const char *pv_i_output_hash(pv_output *output);
void pv_i_output_free(pv_output *output); /* the file stays; NULL is fine */

#endif
