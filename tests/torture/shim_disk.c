/* The disk as it would be found after a loss of power.
 *
 * Of every file that changes, a copy of its flushed content is kept (an empty one if it was never
 * flushed), made at the first change after a flush. Of every change in a folder, the step that
 * undoes it is kept until that folder is flushed; files that lose a name stay alive by a link in
 * the side folder, removed folders move there. Power is lost by writing back the copies and undoing
 * the steps, last one first.
 *
 *   files    [device, inode | own descriptor | copy's slot | dirty]
 *   folders  [device, inode | own descriptor]     steps refer to them by index: the names of
 *   steps    [kind | folder, name | from | slot]  folders may change, their descriptors do not
 *
 * Simplified: a rename between two folders counts as flushed with the one it went to; modes and
 * times are never lost; what lies in the watched folder at the start counts as flushed. */
#include "shim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 4096  /* of each kind: more than any tortured command needs */
#define NO_SLOT 0u /* slots are the files 1, 2, ... in the side folder */
#define RENAME_SWAPS 2u

typedef struct {
    dev_t device;
    ino_t inode;
    int fd;
    unsigned copy; /* NO_SLOT: flushed while empty */
    bool dirty;
} tracked_file;

typedef struct {
    dev_t device;
    ino_t inode;
    int fd;
} tracked_folder;

typedef enum { MADE_FILE, MADE_FOLDER, REMOVED_FILE, REMOVED_FOLDER, RENAMED, SWAPPED } step_kind;

typedef struct {
    step_kind kind;
    bool pending; /* not flushed yet */
    unsigned folder;
    unsigned from; /* a rename's folder */
    unsigned slot; /* what lost its name */
    char name[NAME_MAX + 1];
    char from_name[NAME_MAX + 1];
} step;

/* Everything here is changed under the lock of shim_fault.c. */
static int side = -1; /* -1: nothing is remembered */
static tracked_file files[MOST];
static tracked_folder folders[MOST];
static step steps[MOST];
static unsigned n_files, n_folders, n_steps, n_slots;

void disk_remember(const char *path)
{
    side = path != NULL
               ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
               : -1;
    if (side < 0) {
        shim_broken("TORTURE_SIDE cannot be opened");
    }
}

static const char *slot_name(unsigned slot, char name[16])
{
    (void)snprintf(name, 16, "%u", slot);
    return name;
}

static unsigned next(unsigned *n)
{
    if (*n >= MOST) {
        shim_broken("too much to remember");
    }
    return (*n)++;
}

/* A descriptor of our own: it survives the caller's close and takes no part in his locks. */
static int open_again(int fd, int flags)
{
    char path[32];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const int again = (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0);
    if (again < 0) {
        shim_broken("cannot open a file again");
    }
    return again;
}

/* ------------------------------------------------------------------- data */

/* Everything of `to` from a place on becomes what `from` has there. */
static void copy_bytes(int from, int to, off_t at)
{
    char block[1 << 14];
    ssize_t got;
    if (syscall(SYS_ftruncate, to, at) != 0) {
        shim_broken("cannot cut a file");
    }
    while ((got = pread(from, block, sizeof block, at)) > 0) {
        if (syscall(SYS_pwrite64, to, block, got, at) != got) {
            shim_broken("cannot copy a file");
        }
        at += got;
    }
}

static tracked_file *file_of(int fd, bool *found)
{
    struct stat info;
    *found = false;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        return NULL;
    }
    for (unsigned i = 0; i < n_files; i++) {
        if (files[i].device == info.st_dev && files[i].inode == info.st_ino) {
            *found = true;
            return &files[i];
        }
    }
    tracked_file *const file = &files[next(&n_files)];
    *file =
        (tracked_file){.device = info.st_dev, .inode = info.st_ino, .fd = open_again(fd, O_RDWR)};
    return file;
}

/* A file just made has been flushed at no time: it comes back empty. */
static void new_file(int fd)
{
    bool found = false;
    tracked_file *const file = side >= 0 ? file_of(fd, &found) : NULL;
    if (file != NULL) {
        file->dirty = true;
    }
}

void disk_change(int fd)
{
    bool found = false;
    tracked_file *const file = side >= 0 ? file_of(fd, &found) : NULL;
    if (file == NULL || file->dirty) {
        return;
    }
    char name[16];
    file->copy = ++n_slots;
    const int copy = (int)syscall(SYS_openat, side, slot_name(file->copy, name),
                                  O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (copy < 0) {
        shim_broken("cannot keep a copy");
    }
    copy_bytes(file->fd, copy, 0);
    (void)syscall(SYS_close, copy);
    file->dirty = true;
}

/* What was flushed comes back, from that place on. */
static void restore(const tracked_file *file, off_t at)
{
    char name[16];
    const int copy = file->copy == NO_SLOT
                         ? (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY, 0)
                         : (int)syscall(SYS_openat, side, slot_name(file->copy, name), O_RDONLY, 0);
    if (copy < 0) {
        shim_broken("a copy is gone");
    }
    copy_bytes(copy, file->fd, at);
}

/* ---------------------------------------------------------------- folders */

static unsigned folder_of(int fd)
{
    struct stat info;
    if (fstat(fd, &info) != 0) {
        shim_broken("a folder is gone");
    }
    for (unsigned i = 0; i < n_folders; i++) {
        if (folders[i].device == info.st_dev && folders[i].inode == info.st_ino) {
            return i;
        }
    }
    const unsigned i = next(&n_folders);
    folders[i] = (tracked_folder){
        .device = info.st_dev, .inode = info.st_ino, .fd = open_again(fd, O_RDONLY | O_DIRECTORY)};
    return i;
}

static step *add_step(step_kind kind, const shim_place *place, unsigned slot)
{
    step *const s = &steps[next(&n_steps)];
    *s = (step){.kind = kind, .pending = true, .folder = folder_of(place->folder), .slot = slot};
    memcpy(s->name, place->name, sizeof s->name);
    return s;
}

/* Keeps what has this name alive; NO_SLOT if there is nothing, or only a folder. */
static unsigned keep_alive(const shim_place *place)
{
    char name[16];
    if (side < 0) {
        return NO_SLOT;
    }
    if (syscall(SYS_linkat, place->folder, place->name, side, slot_name(n_slots + 1, name), 0) !=
        0) {
        if (errno != ENOENT && errno != EPERM) {
            shim_broken("cannot keep a file alive");
        }
        return NO_SLOT;
    }
    return ++n_slots;
}

static void forget(unsigned slot)
{
    char name[16];
    if (slot != NO_SLOT) {
        (void)syscall(SYS_unlinkat, side, slot_name(slot, name), 0);
    }
}

/* After a call with this result: notes the step that it was, if it was one. */
static int noted(int result, step_kind kind, const shim_place *place)
{
    if (result >= 0 && side >= 0) {
        const int error = errno;
        (void)add_step(kind, place, NO_SLOT);
        errno = error;
    }
    return result;
}

/* ------------------------------------------------------------------ calls */

int disk_open(const shim_place *place, int flags, mode_t mode)
{
    struct stat info;
    const bool there = fstatat(place->folder, place->name, &info, AT_SYMLINK_NOFOLLOW) == 0;
    if (there && side >= 0) { /* truncated by what follows */
        const int fd =
            (int)syscall(SYS_openat, place->folder, place->name, O_RDONLY | O_CLOEXEC, 0);
        if (fd >= 0) {
            disk_change(fd);
            (void)syscall(SYS_close, fd);
        }
    }
    const int fd = (int)syscall(SYS_openat, place->folder, place->name, flags, mode);
    if (fd >= 0 && !there && (flags & O_TMPFILE) != O_TMPFILE) {
        new_file(fd);
        return noted(fd, MADE_FILE, place);
    }
    return fd;
}

int disk_mkdir(const shim_place *place, mode_t mode)
{
    return noted((int)syscall(SYS_mkdirat, place->folder, place->name, mode), MADE_FOLDER, place);
}

int disk_symlink(const char *target, const shim_place *place)
{
    return noted((int)syscall(SYS_symlinkat, target, place->folder, place->name), MADE_FILE, place);
}

int disk_link(int dir, const char *from, const shim_place *to, int flags)
{
    return noted((int)syscall(SYS_linkat, dir, from, to->folder, to->name, flags), MADE_FILE, to);
}

int disk_rename(const shim_place *from, const shim_place *to, unsigned flags)
{
    const bool swaps = (flags & RENAME_SWAPS) != 0;
    const unsigned kept = swaps ? NO_SLOT : keep_alive(to);
    const int result =
        (int)syscall(SYS_renameat2, from->folder, from->name, to->folder, to->name, flags);
    const int error = errno;
    if (result != 0) {
        forget(kept);
    } else if (side >= 0) {
        step *const s = add_step(swaps ? SWAPPED : RENAMED, to, kept);
        s->from = folder_of(from->folder);
        memcpy(s->from_name, from->name, sizeof s->from_name);
    }
    errno = error;
    return result;
}

int disk_unlink(const shim_place *place)
{
    const unsigned kept = keep_alive(place);
    const int result = (int)syscall(SYS_unlinkat, place->folder, place->name, 0);
    const int error = errno;
    if (result != 0) {
        forget(kept);
    } else if (kept != NO_SLOT) {
        (void)add_step(REMOVED_FILE, place, kept);
    }
    errno = error;
    return result;
}

static bool is_empty(const shim_place *place)
{
    const int fd = (int)syscall(SYS_openat, place->folder, place->name,
                                O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
    DIR *const folder = fd >= 0 ? fdopendir(fd) : NULL;
    unsigned n = folder != NULL ? 0 : 3;
    while (folder != NULL && n < 3 && readdir(folder) != NULL) {
        n++;
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    return n < 3; /* . and .. */
}

/* The folder moves to the side instead: it can come back, with those of its steps that refer to it.
 */
int disk_rmdir(const shim_place *place)
{
    char name[16];
    if (side < 0 || !is_empty(place)) {
        return (int)syscall(SYS_unlinkat, place->folder, place->name, AT_REMOVEDIR);
    }
    if (syscall(SYS_renameat2, place->folder, place->name, side, slot_name(n_slots + 1, name), 0) !=
        0) {
        return -1;
    }
    (void)add_step(REMOVED_FOLDER, place, ++n_slots);
    return 0;
}

void disk_flushed(int fd)
{
    struct stat info;
    if (side < 0 || fstat(fd, &info) != 0) {
        return;
    }
    for (unsigned i = 0; i < n_files; i++) {
        if (files[i].device == info.st_dev && files[i].inode == info.st_ino) {
            files[i].dirty = false;
        }
    }
    for (unsigned i = 0; i < n_steps; i++) {
        const tracked_folder *const folder = &folders[steps[i].folder];
        if (folder->device == info.st_dev && folder->inode == info.st_ino) {
            steps[i].pending = false;
        }
    }
}

void disk_flushed_all(void)
{
    for (unsigned i = 0; i < n_files; i++) {
        files[i].dirty = false;
    }
    for (unsigned i = 0; i < n_steps; i++) {
        steps[i].pending = false;
    }
}

/* ------------------------------------------------------------------- loss */

static void undo(const step *s)
{
    char slot[16];
    const int folder = folders[s->folder].fd;
    const int from = folders[s->from].fd;
    switch (s->kind) {
    case MADE_FILE: (void)syscall(SYS_unlinkat, folder, s->name, 0); break;
    case MADE_FOLDER: /* with all that was made in it */
        (void)syscall(SYS_renameat2, folder, s->name, side, slot_name(++n_slots, slot), 0);
        break;
    case REMOVED_FILE:
        (void)syscall(SYS_linkat, side, slot_name(s->slot, slot), folder, s->name, 0);
        break;
    case REMOVED_FOLDER:
        (void)syscall(SYS_renameat2, side, slot_name(s->slot, slot), folder, s->name, 0);
        break;
    case RENAMED:
        (void)syscall(SYS_renameat2, folder, s->name, from, s->from_name, 0);
        if (s->slot != NO_SLOT) {
            (void)syscall(SYS_linkat, side, slot_name(s->slot, slot), folder, s->name, 0);
        }
        break;
    case SWAPPED:
        (void)syscall(SYS_renameat2, folder, s->name, from, s->from_name, RENAME_SWAPS);
        break;
    }
}

/* One of 64 bits for each file and folder, by where it was met. */
static bool survives(disk_loss loss, unsigned long seed, unsigned index)
{
    return loss == LOSE_SOME && (seed >> (index % 64) & 1u) != 0;
}

/* Of what was not flushed, all is gone, or what lies in the second half of the file. */
static void lose_bytes(const tracked_file *file, bool half)
{
    struct stat info;
    if (fstat(file->fd, &info) != 0) {
        shim_broken("a file is gone");
    }
    restore(file, half ? info.st_size / 2 : 0);
}

void disk_lose(disk_loss loss, unsigned long seed)
{
    for (unsigned i = 0; i < n_files; i++) {
        if (files[i].dirty) {
            lose_bytes(&files[i], survives(loss, seed, i + 7));
        }
    }
    for (unsigned i = n_steps; loss != LOSE_DATA && i-- > 0;) {
        if (steps[i].pending && !survives(loss, seed, steps[i].folder)) {
            undo(&steps[i]);
        }
    }
}
