/* Which files may be read and written: those below the folder of the plan, whatever links say;
 * files that were uploaded, which lie in a private folder that ends with the server; and of all
 * files only those are shown that were written in this session. */
#ifndef WEB_SERVER_FILES_H
#define WEB_SERVER_FILES_H

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct web_files web_files;

/* `folder`: absolute, free of links; the folder in which the process runs. `own`: names there that
 * no job may write, ends with NULL. */
PV_CHECKED pv_status web_files_create(const char *folder, const char *const *own, web_files **files,
                                      pv_error *error);
void web_files_free(web_files *files); /* with all uploads; NULL is fine */

/* The file of a path, as web_path says. */
PV_CHECKED pv_status web_files_find(web_files *files, const char *path, bool for_writing,
                                    char **file, pv_error *error);
/* Is a path that a plan names below the folder? One that does not exist is judged by the part that
 * does. Tables in databases are not, nor patterns of files. */
bool web_files_is_inside(const web_files *files, const char *path);
/* What people call a file: the name under which it was uploaded, or the path itself. Owned. */
char *web_files_name(web_files *files, const char *path);

/* ------------------------------------------------------------------ uploads */

typedef struct web_upload web_upload;

PV_CHECKED pv_status web_upload_begin(web_files *files, const char *name, web_upload **upload,
                                      pv_error *error);
PV_CHECKED pv_status web_upload_add(web_upload *upload, const void *bytes, size_t size,
                                    pv_error *error);
/* Ends it: `number` of `upload:1`, and the bytes it has. */
PV_CHECKED pv_status web_upload_end(web_upload *upload, unsigned *number, uint64_t *size,
                                    pv_error *error);
/* Nothing is left of it. NULL is fine. */
void web_upload_drop(web_upload *upload);

/* ----------------------------------------------------------- what was written */

/* The file was written by a job. */
void web_files_written(web_files *files, const char *path);
/* May it be shown? */
bool web_files_was_written(web_files *files, const char *path);
/* The folder of private files: for a page that leads the browser to us. Borrowed. */
const char *web_files_private(const web_files *files);

#endif
