/* Reading a small file whole, and paths. */
#ifndef PV_BASE_FILE_H
#define PV_BASE_FILE_H

#include "base/sha256.h"

#include <paravent/status.h>
#include <stddef.h>

/* The whole file, NUL added, into memory the caller frees with pv_i_free. Files larger than
 * `limit`, folders and unreadable files are PV_STATUS_INPUT with a message that says which. */
PV_CHECKED pv_status pv_i_file_read(const char *path, size_t limit, char **data, size_t *size,
                                    pv_error *error);

/* Opens for reading; a folder or an unreadable file is PV_STATUS_INPUT. The caller closes `fd`. */
PV_CHECKED pv_status pv_i_file_open(const char *path, int *fd, pv_error *error);

/* The SHA-256 of a file as it stands on disk. */
PV_CHECKED pv_status pv_i_file_hash(const char *path, char hex[PV_SHA256_HEX], pv_error *error);

/* `path` as seen from the folder of `beside`; absolute paths and "-" stay. pv_i_free; NULL = no
 * memory. */
char *pv_i_path_beside(const char *beside, const char *path);

/* The last part of a path: no folder of the publisher's machine is shown. Borrowed from `path`. */
const char *pv_i_base_name(const char *path);

#endif
