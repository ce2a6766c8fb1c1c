/* Which files may be read and written. */
#include "server/files.h"

#include "core/fail.h"
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <paravent/paravent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define UPLOAD "upload:"
#define MOST_UPLOADS 50
#define LONGEST_NAME 100
#define HIDDEN ".paravent-" /* what is being written has such names */

typedef struct stored {
    char *name; /* as it was called where it came from */
    char *file;
    bool is_complete;
} stored;

struct web_files {
    char *folder;
    char **own;
    char *private; /* the folder of uploads */
    pthread_mutex_t lock;
    stored uploads[MOST_UPLOADS];
    size_t n_uploads;
    char **written; /* absolute, free of links */
    size_t n_written;
};

struct web_upload {
    web_files *files;
    size_t number; /* from 0 */
    int fd;
    uint64_t size;
};

/* -------------------------------------------------------------------- paths */

static bool is_below(const char *folder, const char *file)
{
    const size_t n = strlen(folder);
    return n == 1 /* the root */ || (strncmp(folder, file, n) == 0 && file[n] == '/');
}

/* "a/../b", "..": what climbs is refused even where it would end inside. */
static bool climbs(const char *path)
{
    for (const char *at = path; *at != '\0';) {
        const size_t n = strcspn(at, "/");
        if (n == 2 && at[0] == '.' && at[1] == '.') {
            return true;
        }
        at += n;
        at += *at == '/';
    }
    return false;
}

static bool has_control(const char *path)
{
    for (; *path != '\0'; path++) {
        if ((unsigned char)*path < 0x20 || *path == 0x7f) {
            return true;
        }
    }
    return false;
}

/* "odbc:DSN=survey?table=t" is a name that a file could have, and commands take it for a table. */
static bool is_elsewhere(const char *path)
{
    return pv_is_place(path) && !pv_place_is_file(path);
}

/* May the engine that reads such a file take its path for something else than a file of that name:
 * a pattern, somebody's home, an address? */
static bool is_ambiguous(const char *path)
{
    struct stat found;
    return pv_place_is_file(path) && (path[0] == '~' || strchr(path, ':') != NULL ||
                                      (strpbrk(path, "*?[") != NULL && stat(path, &found) != 0));
}

static pv_status refuse(const char *path, const char *why, pv_error *error)
{
    return cli_hint(cli_error_at(error, PV_STATUS_ARGUMENT, path, 0, 0, "%s", why), error,
                    "only files in the folder of the plan, or below it, are read and written; "
                    "upload others");
}

static pv_status find_input(const web_files *files, const char *path, pv_error *error)
{
    struct stat found;
    char *const real = realpath(path, NULL);
    const bool inside = real != NULL && is_below(files->folder, real);
    const bool plain = real != NULL && stat(real, &found) == 0 && S_ISREG(found.st_mode);
    const bool exists = real != NULL;
    free(real);
    return !exists  ? cli_error_at(error, PV_STATUS_ARGUMENT, path, 0, 0, "there is no such file")
           : inside ? plain ? PV_STATUS_OK : refuse(path, "this is no plain file", error)
                    : refuse(path, "this file is outside the folder of the plan", error);
}

static bool is_own(const web_files *files, const char *folder, const char *name)
{
    bool found = false;
    for (size_t i = 0; cli_equal(folder, files->folder) && files->own[i] != NULL; i++) {
        found = found || cli_equal(files->own[i], name);
    }
    return found;
}

/* What a link leads to is not replaced, wherever it is. */
static pv_status find_output(const web_files *files, const char *path, pv_error *error)
{
    struct stat found;
    char *const folder = cli_path_folder(path);
    char *const real = realpath(folder, NULL);
    const char *const name = cli_path_name(path);
    const bool inside =
        real != NULL && (cli_equal(real, files->folder) || is_below(files->folder, real));
    pv_status status = PV_STATUS_OK;
    if (real == NULL) {
        status = cli_error_at(error, PV_STATUS_ARGUMENT, path, 0, 0, "there is no such folder");
    } else if (!inside) {
        status = refuse(path, "this is outside the folder of the plan", error);
    } else if (name[0] == '\0' || cli_equal(name, ".") || cli_starts_with(name, HIDDEN)) {
        status = refuse(path, "this is no name for a file", error);
    } else if (is_own(files, real, name)) {
        status = refuse(path, "this file is the plan, or belongs to the explorer", error);
    } else if (lstat(path, &found) == 0 && !S_ISREG(found.st_mode)) {
        status = refuse(path, "what is there is no plain file", error);
    }
    free(real);
    free(folder);
    return status;
}

static pv_status find_upload(web_files *files, const char *path, char **file, pv_error *error)
{
    char *end = NULL;
    const char *const digits = path + strlen(UPLOAD);
    const unsigned long number = strtoul(digits, &end, 10);
    const bool is_number = digits[0] >= '1' && digits[0] <= '9' && *end == '\0';
    const char *found = NULL;
    (void)pthread_mutex_lock(&files->lock);
    if (is_number && number <= files->n_uploads && files->uploads[number - 1].is_complete) {
        found = files->uploads[number - 1].file;
    }
    *file = found != NULL ? cli_copy(found) : NULL;
    (void)pthread_mutex_unlock(&files->lock);
    return found != NULL ? PV_STATUS_OK
                         : cli_error(error, PV_STATUS_ARGUMENT, "there is no such upload");
}

pv_status web_files_find(web_files *files, const char *path, bool for_writing, char **file,
                         pv_error *error)
{
    if (cli_starts_with(path, UPLOAD) && !for_writing) {
        return find_upload(files, path, file, error);
    }
    if (path[0] == '\0' || has_control(path) || cli_equal(path, "-") ||
        cli_starts_with(path, UPLOAD)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "this is no name for a file");
    }
    if (is_elsewhere(path) || is_ambiguous(path)) {
        return refuse(path, "this is no name for a file here", error);
    }
    if (path[0] == '/' || climbs(path)) {
        return refuse(path, "a path begins in the folder of the plan and does not leave it", error);
    }
    CLI_TRY(for_writing ? find_output(files, path, error) : find_input(files, path, error));
    *file = cli_copy(path);
    return PV_STATUS_OK;
}

bool web_files_is_inside(const web_files *files, const char *path)
{
    char *at = cli_copy(path);
    char *real = realpath(at, NULL);
    while (real == NULL && errno == ENOENT && !climbs(at) && cli_path_name(at) != at) {
        char *const folder = cli_path_folder(at);
        free(at);
        at = folder;
        real = realpath(at, NULL);
    }
    const bool is_new_here = real == NULL && cli_path_name(at) == at && !climbs(at);
    const bool inside =
        is_new_here ||
        (real != NULL && (cli_equal(real, files->folder) || is_below(files->folder, real)));
    free(real);
    free(at);
    return inside && !cli_equal(path, "-") && !is_elsewhere(path) && !is_ambiguous(path);
}

char *web_files_name(web_files *files, const char *path)
{
    char *name = NULL;
    (void)pthread_mutex_lock(&files->lock);
    for (size_t i = 0; i < files->n_uploads && name == NULL; i++) {
        if (cli_equal(files->uploads[i].file, path)) {
            name = cli_copy(files->uploads[i].name);
        }
    }
    (void)pthread_mutex_unlock(&files->lock);
    return name != NULL ? name : cli_copy(path);
}

/* ------------------------------------------------------------------ uploads */

/* The end of its name says what a file is, ".csv.gz"; everything a shell or a path could take amiss
 * is left out. */
static char *harmless(const char *name)
{
    const size_t n = strlen(name);
    char *const text = cli_copy(n > LONGEST_NAME ? name + n - LONGEST_NAME : name);
    for (char *at = text; *at != '\0'; at++) {
        const bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                           (*at >= '0' && *at <= '9') || *at == '.' || *at == '-' || *at == '_';
        *at = plain ? *at : '_';
    }
    return text;
}

pv_status web_upload_begin(web_files *files, const char *name, web_upload **upload, pv_error *error)
{
    char *file = NULL;
    size_t number = SIZE_MAX;
    if (name[0] == '\0' || has_control(name)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "an upload needs a name");
    }
    char *const short_name = harmless(cli_path_name(name));
    (void)pthread_mutex_lock(&files->lock);
    if (files->n_uploads < MOST_UPLOADS) {
        number = files->n_uploads++;
        file = cli_format("%s/%zu-%s", files->private, number + 1, short_name);
        files->uploads[number] = (stored){.name = cli_copy(cli_path_name(name)), .file = file};
    }
    (void)pthread_mutex_unlock(&files->lock);
    free(short_name);
    if (number == SIZE_MAX) {
        return cli_error(error, PV_STATUS_LIMIT, "more than %d uploads", MOST_UPLOADS);
    }
    const int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) {
        return cli_error(error, PV_STATUS_IO, "cannot keep the upload: %s", strerror(errno));
    }
    *upload = cli_zeroed(1, sizeof **upload);
    **upload = (web_upload){.files = files, .number = number, .fd = fd};
    return PV_STATUS_OK;
}

pv_status web_upload_add(web_upload *upload, const void *bytes, size_t size, pv_error *error)
{
    const char *at = bytes;
    while (size > 0) {
        const ssize_t n = write(upload->fd, at, size);
        if (n < 0 && errno != EINTR) {
            return cli_error(error, PV_STATUS_IO, "cannot keep the upload: %s", strerror(errno));
        }
        if (n > 0) {
            at += n;
            size -= (size_t)n;
            upload->size += (uint64_t)n;
        }
    }
    return PV_STATUS_OK;
}

pv_status web_upload_end(web_upload *upload, unsigned *number, uint64_t *size, pv_error *error)
{
    const int fd = upload->fd;
    upload->fd = -1;
    if (close(fd) != 0) {
        const int reason = errno;
        web_upload_drop(upload);
        return cli_error(error, PV_STATUS_IO, "cannot keep the upload: %s", strerror(reason));
    }
    (void)pthread_mutex_lock(&upload->files->lock);
    upload->files->uploads[upload->number].is_complete = true;
    (void)pthread_mutex_unlock(&upload->files->lock);
    *number = (unsigned)upload->number + 1;
    *size = upload->size;
    free(upload);
    return PV_STATUS_OK;
}

void web_upload_drop(web_upload *upload)
{
    if (upload != NULL) {
        if (upload->fd >= 0) {
            (void)close(upload->fd);
        }
        (void)unlink(upload->files->uploads[upload->number].file);
        free(upload);
    }
}

/* ------------------------------------------------------------------ written */

void web_files_written(web_files *files, const char *path)
{
    char *const real = realpath(path, NULL);
    if (real == NULL || !is_below(files->folder, real)) {
        free(real);
        return;
    }
    (void)pthread_mutex_lock(&files->lock);
    char **const longer = realloc(files->written, (files->n_written + 1) * sizeof *files->written);
    if (longer == NULL) {
        cli_no_memory();
    }
    files->written = longer;
    files->written[files->n_written++] = real;
    (void)pthread_mutex_unlock(&files->lock);
}

bool web_files_was_written(web_files *files, const char *path)
{
    bool found = false;
    char *const real = realpath(path, NULL);
    (void)pthread_mutex_lock(&files->lock);
    for (size_t i = 0; real != NULL && i < files->n_written; i++) {
        found = found || cli_equal(files->written[i], real);
    }
    (void)pthread_mutex_unlock(&files->lock);
    free(real);
    return found;
}

/* --------------------------------------------------------------------- life */

const char *web_files_private(const web_files *files)
{
    return files->private;
}

pv_status web_files_create(const char *folder, const char *const *own, web_files **files,
                           pv_error *error)
{
    const char *const wanted = getenv("TMPDIR");
    char *const private =
        cli_format("%s/paravent-XXXXXX", wanted != NULL && wanted[0] == '/' ? wanted : "/tmp");
    size_t n = 0;
    if (mkdtemp(private) == NULL) {
        const pv_status status = cli_error_at(error, PV_STATUS_IO, private, 0, 0,
                                              "cannot make a private folder: %s", strerror(errno));
        free(private);
        return status;
    }
    web_files *const made = cli_zeroed(1, sizeof *made);
    (void)pthread_mutex_init(&made->lock, NULL);
    made->folder = cli_copy(folder);
    made->private = private;
    while (own[n] != NULL) {
        n++;
    }
    made->own = cli_zeroed(n + 1, sizeof *made->own);
    for (size_t i = 0; i < n; i++) {
        made->own[i] = cli_copy(own[i]);
    }
    *files = made;
    return PV_STATUS_OK;
}

void web_files_free(web_files *files)
{
    if (files == NULL) {
        return;
    }
    for (size_t i = 0; i < files->n_uploads; i++) {
        (void)unlink(files->uploads[i].file);
        free(files->uploads[i].file);
        free(files->uploads[i].name);
    }
    (void)rmdir(files->private);
    for (size_t i = 0; i < files->n_written; i++) {
        free(files->written[i]);
    }
    free(files->written);
    cli_list_free(files->own);
    (void)pthread_mutex_destroy(&files->lock);
    free(files->private);
    free(files->folder);
    free(files);
}
