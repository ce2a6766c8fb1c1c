/* Names of files. */
#include "core/paths.h"

#include "core/fail.h"
#include "core/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *cli_path_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

char *cli_path_folder(const char *path)
{
    const char *const slash = strrchr(path, '/');
    if (slash == NULL) {
        return cli_copy(".");
    }
    return slash == path ? cli_copy("/") : cli_format("%.*s", (int)(slash - path), path);
}

char *cli_path_join(const char *folder, const char *name)
{
    if (cli_equal(folder, ".")) {
        return cli_copy(name);
    }
    return cli_format(cli_ends_with(folder, "/") ? "%s%s" : "%s/%s", folder, name);
}

static void drop_ending(char *name, const char *ending)
{
    if (cli_ends_with(name, ending) && strlen(name) > strlen(ending)) {
        name[strlen(name) - strlen(ending)] = '\0';
    }
}

char *cli_path_stem(const char *path)
{
    char *const name = cli_copy(cli_equal(path, "-") ? "data" : cli_path_name(path));
    drop_ending(name, ".gz");
    drop_ending(name, ".zst");
    char *const point = strrchr(name, '.');
    if (point != NULL && point != name) {
        *point = '\0';
    }
    return name;
}

/* Climbs out of what `folder` does not share with `file`, then goes down to the file. Both are
 * absolute and free of links and dots. */
static char *walk(const char *file, const char *folder)
{
    size_t shared = 0;
    for (size_t i = 0; file[i] == folder[i] && file[i] != '\0'; i++) {
        shared = file[i] == '/' ? i : shared;
        if (folder[i + 1] == '\0' && file[i + 1] == '/') {
            shared = i + 1;
        }
    }
    char *path = cli_copy(file + shared + 1);
    const char *rest = folder[shared] == '/' ? folder + shared + 1 : folder + shared;
    while (*rest != '\0') {
        char *const longer = cli_format("../%s", path);
        free(path);
        path = longer;
        const char *const slash = strchr(rest, '/');
        rest = slash != NULL ? slash + 1 : "";
    }
    return path;
}

char *cli_path_relative(const char *file, const char *folder)
{
    if (cli_equal(file, "-")) {
        return cli_copy(file);
    }
    /* The file itself may be a link that the plan shall name. */
    char *const file_folder = cli_path_folder(file);
    char *const from = realpath(file_folder, NULL);
    char *const to = realpath(folder, NULL);
    char *const full = from != NULL ? cli_path_join(from, cli_path_name(file)) : NULL;
    char *const path = full != NULL && to != NULL ? walk(full, to) : cli_copy(file);
    free(file_folder);
    free(from);
    free(to);
    free(full);
    return path;
}

pv_status cli_folder_make(const char *path, pv_error *error)
{
    struct stat found;
    if (mkdir(path, 0777) == 0) {
        return PV_STATUS_OK;
    }
    const int reason = errno;
    if (reason == EEXIST && stat(path, &found) == 0 && S_ISDIR(found.st_mode)) {
        return PV_STATUS_OK;
    }
    return cli_error_at(error, PV_STATUS_IO, path, 0, 0, "cannot make the folder: %s",
                        strerror(reason));
}
