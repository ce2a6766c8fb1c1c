/* Names of files: defaults for outputs, and how a plan names its data. All results are owned. */
#ifndef CLI_CORE_PATHS_H
#define CLI_CORE_PATHS_H

#include <paravent/status.h>

const char *cli_path_name(const char *path); /* the last part; borrowed */
char *cli_path_folder(const char *path);     /* "." if it has none */
char *cli_path_join(const char *folder, const char *name);
/* The name without .gz or .zst and without its extension: "data/adult.csv.gz" is "adult". */
char *cli_path_stem(const char *path);
/* `file` as seen from `folder`; where that cannot be found out, as an absolute path or as given. */
char *cli_path_relative(const char *file, const char *folder);

/* Creates a folder, whose parent must exist; one that exists already is fine. */
PV_CHECKED pv_status cli_folder_make(const char *path, pv_error *error);

#endif
