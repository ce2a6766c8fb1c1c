/* Reading a small file whole, and paths. */
#include "base/file.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

pv_status pv_i_file_open(const char *path, int *fd, pv_error *error)
{
    const int opened = open(path, O_RDONLY | O_CLOEXEC);
    if (opened < 0) {
        const bool missing = errno == ENOENT;
        return pv_i_hint(pv_i_fail_errno(error, PV_STATUS_INPUT, path, "cannot open"), error, "%s",
                         missing ? "check the spelling of the path" : "check its permissions");
    }
    struct stat info;
    if (fstat(opened, &info) == 0 && S_ISDIR(info.st_mode)) {
        (void)close(opened);
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_INPUT, path, 0, 0, "is a folder, not a file"), error,
            "name the file inside it");
    }
    *fd = opened;
    return PV_STATUS_OK;
}

static pv_status read_all(int fd, const char *path, size_t limit, pv_buffer *buffer,
                          pv_error *error)
{
    char block[1 << 14];
    for (;;) {
        const ssize_t got = read(fd, block, sizeof block);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return pv_i_fail_errno(error, PV_STATUS_INPUT, path, "cannot read");
        }
        if (got == 0) {
            return PV_STATUS_OK;
        }
        if ((size_t)got > limit - buffer->size) {
            return pv_i_fail_at(error, PV_STATUS_INPUT, path, 0, 0,
                                "is larger than %zu bytes, too large for a file of this kind",
                                limit);
        }
        pv_i_buffer_bytes(buffer, block, (size_t)got);
    }
}

pv_status pv_i_file_read(const char *path, size_t limit, char **data, size_t *size, pv_error *error)
{
    int fd = -1;
    pv_buffer buffer = {0};
    PV_TRY(pv_i_file_open(path, &fd, error));
    pv_status status = read_all(fd, path, limit, &buffer, error);
    (void)close(fd);
    if (status == PV_STATUS_OK) {
        const size_t length = buffer.size;
        status = pv_i_buffer_take(&buffer, data, error);
        if (status == PV_STATUS_OK) {
            *size = length;
        }
    }
    pv_i_buffer_deinit(&buffer);
    return status;
}

pv_status pv_i_file_hash(const char *path, char hex[PV_SHA256_HEX], pv_error *error)
{
    char block[1 << 16];
    pv_sha256 sha;
    int fd = -1;
    ssize_t got;
    PV_TRY(pv_i_file_open(path, &fd, error));
    pv_i_sha256_init(&sha);
    while ((got = read(fd, block, sizeof block)) > 0 || (got < 0 && errno == EINTR)) {
        pv_i_sha256_add(&sha, block, got > 0 ? (size_t)got : 0);
    }
    const pv_status status =
        got < 0 ? pv_i_fail_errno(error, PV_STATUS_INPUT, path, "cannot read") : PV_STATUS_OK;
    (void)close(fd);
    pv_i_sha256_end_hex(&sha, hex);
    return status;
}

char *pv_i_path_beside(const char *beside, const char *path)
{
    const char *const slash = beside != NULL ? strrchr(beside, '/') : NULL;
    if (path[0] == '/' || slash == NULL || strcmp(path, "-") == 0) {
        return pv_i_strdup(path);
    }
    const size_t folder = (size_t)(slash - beside) + 1;
    const size_t length = strlen(path);
    char *const joined = pv_i_malloc(folder + length + 1);
    if (joined != NULL) {
        memcpy(joined, beside, folder);
        memcpy(joined + folder, path, length + 1);
    }
    return joined;
}

const char *pv_i_base_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}
