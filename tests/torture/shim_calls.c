/* The calls of libc that change files, each with all the names it goes by. They make the system's
 * calls themselves, so that nothing has to be looked up. */
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

bool shim_path_of(int fd, char path[PATH_MAX])
{
    char link[32];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0 && shim_watched(path);
}

/* Splits a path into its folder, opened, and the name in it. */
static int open_folder(int dir, const char *path, char name[NAME_MAX + 1])
{
    char folder[PATH_MAX];
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    size_t begin = length;
    while (begin > 0 && path[begin - 1] != '/') {
        begin--;
    }
    if (length >= sizeof folder || length - begin > NAME_MAX) {
        return -1;
    }
    memcpy(name, path + begin, length - begin);
    name[length - begin] = '\0';
    memcpy(folder, path, begin);
    folder[begin] = '\0';
    return (int)syscall(SYS_openat, dir, begin > 0 ? folder : ".", O_PATH | O_DIRECTORY | O_CLOEXEC,
                        0);
}

/* errno is kept. */
bool shim_find_place(int dir, const char *path, shim_place *place)
{
    const int error = errno;
    bool watched = false;
    place->folder = path != NULL ? open_folder(dir, path, place->name) : -1;
    if (place->folder >= 0) {
        watched = shim_path_of(place->folder, place->path);
        const size_t length = strlen(place->path);
        (void)snprintf(place->path + length, PATH_MAX - length, "/%s", place->name);
        if (!watched) {
            (void)syscall(SYS_close, place->folder);
        }
    }
    errno = error;
    return watched;
}

static int leave_place(const shim_call *call, const shim_place *place, int result)
{
    const int error = errno;
    (void)syscall(SYS_close, place->folder);
    errno = error;
    return (int)shim_leave(call, result);
}

/* ------------------------------------------------------------------- open */

static bool opening_changes(const shim_place *place, int flags)
{
    struct stat info;
    if ((flags & O_TRUNC) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {
        return true;
    }
    return (flags & O_CREAT) != 0 &&
           fstatat(place->folder, place->name, &info, AT_SYMLINK_NOFOLLOW) != 0;
}

static int open_any(int dir, const char *path, int flags, mode_t mode)
{
    shim_place place;
    shim_call call = {.name = "open", .takes_space = (flags & O_CREAT) != 0};
    if ((flags & (O_CREAT | O_TRUNC | O_TMPFILE)) == 0 || !shim_find_place(dir, path, &place)) {
        return (int)syscall(SYS_openat, dir, path, flags, mode);
    }
    if (!opening_changes(&place, flags)) {
        (void)syscall(SYS_close, place.folder);
        return (int)syscall(SYS_openat, dir, path, flags, mode);
    }
    const bool goes_on = shim_enter(&call, place.path) != SHIM_FAIL;
    return leave_place(&call, &place, goes_on ? disk_open(&place, flags, mode) : -1);
}

static mode_t mode_of(int flags, va_list list)
{
    const bool given = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
    return given ? va_arg(list, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const mode_t mode = mode_of(flags, list);
    va_end(list);
    return open_any(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) ALSO(open);

int openat(int dir, const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const mode_t mode = mode_of(flags, list);
    va_end(list);
    return open_any(dir, path, flags, mode);
}
int openat64(int dir, const char *path, int flags, ...) ALSO(openat);

int creat(const char *path, mode_t mode)
{
    return open_any(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
int creat64(const char *path, mode_t mode) ALSO(creat);

/* What open becomes where _FORTIFY_SOURCE is set. */
int __open_2(const char *path, int flags)
{
    return open_any(AT_FDCWD, path, flags, 0);
}
int __open64_2(const char *path, int flags) ALSO(__open_2);

int __openat_2(int dir, const char *path, int flags)
{
    return open_any(dir, path, flags, 0);
}
int __openat64_2(int dir, const char *path, int flags) ALSO(__openat_2);

/* ------------------------------------------------------------------ write */

/* Begins a call that changes the bytes of a file; `size` is cut where only a part is written. */
static bool begin_write(shim_call *call, int fd, const char *path, size_t *size)
{
    const shim_verdict verdict = shim_enter(call, path);
    if (verdict == SHIM_SHORT && *size > 1) {
        *size /= 2;
    }
    if (verdict != SHIM_FAIL) {
        disk_change(fd);
    }
    return verdict != SHIM_FAIL;
}

ssize_t write(int fd, const void *data, size_t size)
{
    char path[PATH_MAX];
    const int error = errno;
    const bool watched = shim_path_of(fd, path);
    errno = error;
    if (!watched) {
        return syscall(SYS_write, fd, data, size);
    }
    shim_call call = {.name = "write", .takes_space = true};
    const bool goes_on = begin_write(&call, fd, path, &size);
    return shim_leave(&call, goes_on ? syscall(SYS_write, fd, data, size) : -1);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    char path[PATH_MAX];
    if (!shim_path_of(fd, path)) {
        return syscall(SYS_pwrite64, fd, data, size, at);
    }
    shim_call call = {.name = "pwrite", .takes_space = true};
    const bool goes_on = begin_write(&call, fd, path, &size);
    return shim_leave(&call, goes_on ? syscall(SYS_pwrite64, fd, data, size, at) : -1);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off_t at) ALSO(pwrite);

ssize_t writev(int fd, const struct iovec *pieces, int n)
{
    char path[PATH_MAX];
    if (!shim_path_of(fd, path)) {
        return syscall(SYS_writev, fd, pieces, n);
    }
    shim_call call = {.name = "writev", .takes_space = true};
    size_t size = n > 0 ? pieces[0].iov_len : 0;
    const bool goes_on = begin_write(&call, fd, path, &size);
    const bool cut = n > 0 && size < pieces[0].iov_len;
    return shim_leave(&call, !goes_on ? -1
                             : cut    ? syscall(SYS_write, fd, pieces[0].iov_base, size)
                                      : syscall(SYS_writev, fd, pieces, n));
}

ssize_t pwritev(int fd, const struct iovec *pieces, int n, off_t at)
{
    char path[PATH_MAX];
    if (!shim_path_of(fd, path)) {
        return syscall(SYS_pwritev, fd, pieces, n, at, 0);
    }
    shim_call call = {.name = "pwritev", .takes_space = true};
    size_t size = n > 0 ? pieces[0].iov_len : 0;
    const bool goes_on = begin_write(&call, fd, path, &size);
    const bool cut = n > 0 && size < pieces[0].iov_len;
    return shim_leave(&call, !goes_on ? -1
                             : cut    ? syscall(SYS_pwrite64, fd, pieces[0].iov_base, size, at)
                                      : syscall(SYS_pwritev, fd, pieces, n, at, 0));
}
ssize_t pwritev64(int fd, const struct iovec *pieces, int n, off_t at) ALSO(pwritev);

ssize_t copy_file_range(int in, off_t *in_at, int out, off_t *out_at, size_t size, unsigned flags)
{
    char path[PATH_MAX];
    if (!shim_path_of(out, path)) {
        return syscall(SYS_copy_file_range, in, in_at, out, out_at, size, flags);
    }
    shim_call call = {.name = "copy_file_range (write)", .takes_space = true};
    const bool goes_on = begin_write(&call, out, path, &size);
    return shim_leave(
        &call, goes_on ? syscall(SYS_copy_file_range, in, in_at, out, out_at, size, flags) : -1);
}

ssize_t sendfile(int out, int in, off_t *at, size_t size)
{
    char path[PATH_MAX];
    if (!shim_path_of(out, path)) {
        return syscall(SYS_sendfile, out, in, at, size);
    }
    shim_call call = {.name = "sendfile (write)", .takes_space = true};
    const bool goes_on = begin_write(&call, out, path, &size);
    return shim_leave(&call, goes_on ? syscall(SYS_sendfile, out, in, at, size) : -1);
}
ssize_t sendfile64(int out, int in, off_t *at, size_t size) ALSO(sendfile);

/* ------------------------------------------------------------------- size */

int ftruncate(int fd, off_t size)
{
    char path[PATH_MAX];
    if (!shim_path_of(fd, path)) {
        return (int)syscall(SYS_ftruncate, fd, size);
    }
    size_t unused = 0;
    shim_call call = {.name = "ftruncate"};
    const bool goes_on = begin_write(&call, fd, path, &unused);
    return (int)shim_leave(&call, goes_on ? syscall(SYS_ftruncate, fd, size) : -1);
}
int ftruncate64(int fd, off_t size) ALSO(ftruncate);

int truncate(const char *path, off_t size)
{
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
    const int result = fd >= 0 ? ftruncate(fd, size) : -1;
    const int error = errno;
    if (fd >= 0) {
        (void)syscall(SYS_close, fd);
    }
    errno = error;
    return result;
}
int truncate64(const char *path, off_t size) ALSO(truncate);

int fallocate(int fd, int mode, off_t at, off_t size)
{
    char path[PATH_MAX];
    if (!shim_path_of(fd, path)) {
        return (int)syscall(SYS_fallocate, fd, mode, at, size);
    }
    size_t unused = 0;
    shim_call call = {.name = "fallocate", .takes_space = true};
    const bool goes_on = begin_write(&call, fd, path, &unused);
    return (int)shim_leave(&call, goes_on ? syscall(SYS_fallocate, fd, mode, at, size) : -1);
}
int fallocate64(int fd, int mode, off_t at, off_t size) ALSO(fallocate);

int posix_fallocate(int fd, off_t at, off_t size)
{
    const int before = errno;
    const int error = fallocate(fd, 0, at, size) == 0 ? 0 : errno;
    errno = before;
    return error;
}
int posix_fallocate64(int fd, off_t at, off_t size) ALSO(posix_fallocate);

/* ------------------------------------------------------------------- sync */

static int sync_by(long number, int fd, const char *name)
{
    char path[PATH_MAX];
    if (!shim_path_of(fd, path)) {
        return (int)syscall(number, fd);
    }
    shim_call call = {.name = name, .takes_space = true};
    int result = -1;
    if (shim_enter(&call, path) != SHIM_FAIL) {
        result = (int)syscall(number, fd);
        if (result == 0) {
            disk_flushed(fd);
        }
    }
    return (int)shim_leave(&call, result);
}

int fsync(int fd)
{
    return sync_by(SYS_fsync, fd, "fsync");
}

int fdatasync(int fd)
{
    return sync_by(SYS_fdatasync, fd, "fdatasync");
}

/* Says nothing about the disk's own cache nor the size of the file: nothing counts as flushed. */
int sync_file_range(int fd, off_t at, off_t size, unsigned flags)
{
    char path[PATH_MAX];
    if (!shim_path_of(fd, path)) {
        return (int)syscall(SYS_sync_file_range, fd, at, size, flags);
    }
    shim_call call = {.name = "sync_file_range", .takes_space = true};
    const bool goes_on = shim_enter(&call, path) != SHIM_FAIL;
    return (int)shim_leave(&call, goes_on ? syscall(SYS_sync_file_range, fd, at, size, flags) : -1);
}

int syncfs(int fd)
{
    char path[PATH_MAX];
    if (!shim_path_of(fd, path)) {
        return (int)syscall(SYS_syncfs, fd);
    }
    shim_call call = {.name = "syncfs", .takes_space = true};
    const bool goes_on = shim_enter(&call, path) != SHIM_FAIL;
    if (goes_on) {
        disk_flushed_all();
    }
    return (int)shim_leave(&call, goes_on ? syscall(SYS_syncfs, fd) : -1);
}

void sync(void)
{
    shim_call call = {.name = "sync"};
    (void)shim_enter(&call, "everything");
    (void)syscall(SYS_sync);
    disk_flushed_all();
    (void)shim_leave(&call, 0);
}

/* ------------------------------------------------------------------ names */

int mkdirat(int dir, const char *path, mode_t mode)
{
    shim_place place;
    if (!shim_find_place(dir, path, &place)) {
        return (int)syscall(SYS_mkdirat, dir, path, mode);
    }
    shim_call call = {.name = "mkdir", .takes_space = true};
    const bool goes_on = shim_enter(&call, place.path) != SHIM_FAIL;
    return leave_place(&call, &place, goes_on ? disk_mkdir(&place, mode) : -1);
}

int mkdir(const char *path, mode_t mode)
{
    return mkdirat(AT_FDCWD, path, mode);
}

int symlinkat(const char *target, int dir, const char *path)
{
    shim_place place;
    if (!shim_find_place(dir, path, &place)) {
        return (int)syscall(SYS_symlinkat, target, dir, path);
    }
    shim_call call = {.name = "symlink", .takes_space = true};
    const bool goes_on = shim_enter(&call, place.path) != SHIM_FAIL;
    return leave_place(&call, &place, goes_on ? disk_symlink(target, &place) : -1);
}

int symlink(const char *target, const char *path)
{
    return symlinkat(target, AT_FDCWD, path);
}

int linkat(int from_dir, const char *from, int dir, const char *path, int flags)
{
    shim_place place;
    if (!shim_find_place(dir, path, &place)) {
        return (int)syscall(SYS_linkat, from_dir, from, dir, path, flags);
    }
    shim_call call = {.name = "link", .takes_space = true};
    const bool goes_on = shim_enter(&call, place.path) != SHIM_FAIL;
    return leave_place(&call, &place, goes_on ? disk_link(from_dir, from, &place, flags) : -1);
}

int link(const char *from, const char *path)
{
    return linkat(AT_FDCWD, from, AT_FDCWD, path, 0);
}

int renameat2(int from_dir, const char *from, int dir, const char *path, unsigned flags)
{
    shim_place source;
    shim_place place;
    if (!shim_find_place(from_dir, from, &source)) {
        return (int)syscall(SYS_renameat2, from_dir, from, dir, path, flags);
    }
    if (!shim_find_place(dir, path, &place)) {
        (void)syscall(SYS_close, source.folder);
        return (int)syscall(SYS_renameat2, from_dir, from, dir, path, flags);
    }
    shim_call call = {.name = "rename"};
    const bool goes_on = shim_enter(&call, place.path) != SHIM_FAIL;
    const int result =
        leave_place(&call, &place, goes_on ? disk_rename(&source, &place, flags) : -1);
    const int error = errno;
    (void)syscall(SYS_close, source.folder);
    errno = error;
    return result;
}

int renameat(int from_dir, const char *from, int dir, const char *path)
{
    return renameat2(from_dir, from, dir, path, 0);
}

int rename(const char *from, const char *path)
{
    return renameat2(AT_FDCWD, from, AT_FDCWD, path, 0);
}

int unlinkat(int dir, const char *path, int flags)
{
    shim_place place;
    if (!shim_find_place(dir, path, &place)) {
        return (int)syscall(SYS_unlinkat, dir, path, flags);
    }
    const bool folder = (flags & AT_REMOVEDIR) != 0;
    shim_call call = {.name = folder ? "rmdir" : "unlink"};
    int result = -1;
    if (shim_enter(&call, place.path) != SHIM_FAIL) {
        result = folder ? disk_rmdir(&place) : disk_unlink(&place);
    }
    return leave_place(&call, &place, result);
}

int unlink(const char *path)
{
    return unlinkat(AT_FDCWD, path, 0);
}

int rmdir(const char *path)
{
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int remove(const char *path)
{
    const int result = unlink(path);
    return result != 0 && errno == EISDIR ? rmdir(path) : result;
}

/* ------------------------------------------------------------------- mode */

int fchmod(int fd, mode_t mode)
{
    char path[PATH_MAX];
    if (!shim_path_of(fd, path)) {
        return (int)syscall(SYS_fchmod, fd, mode);
    }
    shim_call call = {.name = "fchmod"};
    const bool goes_on = shim_enter(&call, path) != SHIM_FAIL;
    return (int)shim_leave(&call, goes_on ? syscall(SYS_fchmod, fd, mode) : -1);
}

int fchmodat(int dir, const char *path, mode_t mode, int flags)
{
    shim_place place;
    if (flags != 0 || !shim_find_place(dir, path, &place)) {
        return (int)syscall(SYS_fchmodat, dir, path, mode);
    }
    shim_call call = {.name = "chmod"};
    const bool goes_on = shim_enter(&call, place.path) != SHIM_FAIL;
    return leave_place(&call, &place, goes_on ? (int)syscall(SYS_fchmodat, dir, path, mode) : -1);
}

int chmod(const char *path, mode_t mode)
{
    return fchmodat(AT_FDCWD, path, mode, 0);
}
