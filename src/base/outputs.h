/* Sets of outputs as the library itself uses them: files written piece by piece, a folder that
 * appears with them, a stream that is fed last. */
#ifndef PV_BASE_OUTPUTS_H
#define PV_BASE_OUTPUTS_H

#include "base/output.h"

#include <paravent/outputs.h>

/* A file to be written to, one that was added or a new one; `output` belongs to the set. The file
 * opened last is the one whose rename decides. */
PV_CHECKED pv_status pv_i_outputs_open(pv_outputs *outputs, const char *path, pv_audience audience,
                                       pv_output **output, pv_error *error);
/* A file without a name, in the folder for temporary files; one for each set. */
PV_CHECKED pv_status pv_i_outputs_scratch(pv_outputs *outputs, pv_output **output, pv_error *error);

/* May outputs that exist be replaced? */
bool pv_i_outputs_may_replace(const pv_outputs *outputs);

/* Begins the folder that appears together with the files. Until it has a name, `claimed` stands for
 * it. */
PV_CHECKED pv_status pv_i_outputs_folder(pv_outputs *outputs, const char *claimed, pv_error *error);
/* A file in that folder. */
PV_CHECKED pv_status pv_i_outputs_open_within(pv_outputs *outputs, const char *name,
                                              pv_audience audience, pv_output **output,
                                              pv_error *error);
/* Is one of the inputs in this folder? */
bool pv_i_outputs_reads_from(const pv_outputs *outputs, const char *folder);
/* What the folder will be called (nothing may be there), and the one to be removed then (NULL =
 * none). */
PV_CHECKED pv_status pv_i_outputs_place(pv_outputs *outputs, const char *path, const char *replaced,
                                        pv_error *error);

/* Commits. When all is in place, `last` is called, if it is given; should it fail, everything is
 * taken back. */
PV_CHECKED pv_status pv_i_outputs_commit(pv_outputs *outputs,
                                         pv_status (*last)(void *ctx, pv_error *error), void *ctx,
                                         pv_error *error);

#endif
