/* Files that appear together or not at all.
 *
 * A set of outputs is opened before the work begins: what stands in the way shows at once, and
 * nobody else can write the same names meanwhile. Everything is written under hidden names and
 * flushed to disk; pv_outputs_commit gives all of it its names. When it fails, or the process
 * dies before, the files are as they were, at the latest after the next run that writes in the
 * same folder. A single file, and the release of a table, change in one step at any moment.
 *
 * Nothing that is no plain file is ever replaced, and no input, whatever its spelling. */
#ifndef PARAVENT_OUTPUTS_H
#define PARAVENT_OUTPUTS_H

#include <paravent/status.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Who may read an output. What replaces a file that fewer people may read stays as it was. */
typedef enum pv_audience {
    PV_AUDIENCE_PUBLISHER = 0, /* its owner alone (0600) */
    PV_AUDIENCE_PUBLIC         /* as the umask says */
} pv_audience;

typedef struct pv_outputs pv_outputs;

/* Without `force`, a file in the way is PV_STATUS_EXISTS. */
PV_API PV_CHECKED pv_status pv_outputs_create(bool force, pv_outputs **outputs, pv_error *error);
/* Names an input, or a file in use: an output that is the same file, by any spelling or link, is
 * refused, PV_STATUS_ARGUMENT, now or later. NULL is fine, and a path where nothing is yet. */
PV_API PV_CHECKED pv_status pv_outputs_protect(pv_outputs *outputs, const char *path,
                                               pv_error *error);
/* Claims a file: nobody else can write it until the set is freed. Its folder must exist. It stays
 * as it is unless it is written. */
PV_API PV_CHECKED pv_status pv_outputs_add(pv_outputs *outputs, const char *path,
                                           pv_audience audience, pv_error *error);
/* Writes the content of a file that was added. */
PV_API PV_CHECKED pv_status pv_outputs_text(pv_outputs *outputs, const char *path, const char *text,
                                            pv_error *error);
PV_API PV_CHECKED pv_status pv_outputs_commit(pv_outputs *outputs, pv_error *error);
/* Nothing is left of what was not committed. NULL is fine. */
PV_API void pv_outputs_free(pv_outputs *outputs);

/* One small file. */
PV_API PV_CHECKED pv_status pv_text_write(const char *path, const char *text, pv_audience audience,
                                          bool force, pv_error *error);

#ifdef __cplusplus
}
#endif
#endif
