/* A shared object that is preloaded into the command to be tortured. It stands between the command
 * and libc's calls that change files, counts those that touch a watched folder, and disturbs one of
 * them. What it does is told by environment variables:
 *
 *   TORTURE_ROOT    the watched folder, as an absolute path without links
 *   TORTURE_SIDE    an empty folder beside it on the same file system, for what may be needed again
 *   TORTURE_LOG     a file that gets a line "NUMBER NAME PATH" for each counted call
 *   TORTURE_AT      the number of the call to disturb; 0 with a loss of power: when the process
 * ends TORTURE_DO      how: fail          it fails with the number TORTURE_ERRNO, those after it
 * work again dead          it and all after it fail with TORTURE_ERRNO, as on a disk that went away
 *       short         a write writes only half of its bytes, and works
 *       full          a write writes half of its bytes; then all that takes space fails with ENOSPC
 *       kill-before, kill-after
 *       signal        the signal TORTURE_SIGNAL arrives before it
 *       lose-data     power is lost before it: what was written but not flushed is gone, every
 *                     change of a folder is there
 *       lose-all      power is lost before it: changes of a folder not flushed are gone, too
 *       lose-some     power is lost before it: what was not flushed of a file is gone or torn,
 *                     of a folder is gone or there, as the bits of TORTURE_SEED decide
 *
 * Calls that libc makes itself (stdio's writes) do not pass here; opening a watched file for
 * writing by stdio therefore ends the process, so that nobody believes it was tested. */
#ifndef PV_TORTURE_SHIM_H
#define PV_TORTURE_SHIM_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* Another name of a function of libc that stands in the same file. */
#define ALSO(original) __attribute__((alias(#original)))

/* ---------------------------------------------------------- shim_fault.c */

typedef enum { SHIM_PASS, SHIM_FAIL, SHIM_SHORT } shim_verdict;

typedef struct {
    const char *name;
    bool takes_space; /* fails on a full disk */
    bool last;        /* the process is killed after it */
} shim_call;

/* Counts a call that touches `path` and says what becomes of it; SHIM_FAIL has set errno. From here
 * to shim_leave the calling thread has the disk for itself. */
shim_verdict shim_enter(shim_call *call, const char *path);
/* Ends the call; returns `result` with errno as it was. */
ssize_t shim_leave(const shim_call *call, ssize_t result);
bool shim_watched(const char *path);
/* The test itself cannot go on: says why and ends the process with status 99. */
_Noreturn void shim_broken(const char *why);

/* --------------------------------------------- shim_calls.c, shim_disk.c */

/* A name in a watched folder. The folder is held by a descriptor: it may be renamed meanwhile. */
typedef struct {
    int folder;
    char name[NAME_MAX + 1];
    char path[PATH_MAX];
} shim_place;

/* Where an open file is; false if it is not watched. */
bool shim_path_of(int fd, char path[PATH_MAX]);
/* True if the path is a name in the watched folder; then place->folder is to be closed. */
bool shim_find_place(int dir, const char *path, shim_place *place);

/* The calls themselves. With a loss of power to come, they remember how to undo what they do. */
int disk_open(const shim_place *place, int flags, mode_t mode);
int disk_mkdir(const shim_place *place, mode_t mode);
int disk_symlink(const char *target, const shim_place *place);
/* `from` as the caller named it; it may be anywhere. */
int disk_link(int dir, const char *from, const shim_place *to, int flags);
int disk_rename(const shim_place *from, const shim_place *to, unsigned flags);
int disk_unlink(const shim_place *place);
int disk_rmdir(const shim_place *place);
/* The bytes or the size of the file are about to change. */
void disk_change(int fd);
/* Everything of this file or folder is on disk now. */
void disk_flushed(int fd);
void disk_flushed_all(void);

void disk_remember(const char *side); /* from now on */
typedef enum { LOSE_DATA, LOSE_ALL, LOSE_SOME } disk_loss;
void disk_lose(disk_loss loss, unsigned long seed);

#endif
