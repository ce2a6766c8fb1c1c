/* Claims on names: locks that die with their process, and the removal of what dead processes left.
 *
 * The lock is a file of its own, because the file with the content changes its name. Removing a
 * lock file is delicate: someone may have opened it just before. So whoever got a lock makes sure
 * that the file it locked still stands under its name, and tries again if it does not. */
#include "base/claim.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PREFIX ".paravent-"
#define HASH_DIGITS 8
#define LONGEST_ENDING 16
/* A sweep holds the lock of a dead writer for a moment: a claim waits that long. */
#define PATIENCE 60
#define PATIENCE_NS 5000000

const char *pv_i_hidden(const char *stem, const char *ending, char path[PV_PATH_SIZE])
{
    /* pv_i_hidden_stem left room for the ending; a stem from elsewhere may not have: no file has
     * the empty name. */
    const size_t length = strlen(stem);
    const size_t more = strlen(ending);
    path[0] = '\0';
    if (length + more < PV_PATH_SIZE) {
        memcpy(path, stem, length);
        memcpy(path + length, ending, more + 1);
    }
    return path;
}

const char *pv_i_folder_of(const char *path, char folder[PV_PATH_SIZE])
{
    const char *const slash = strrchr(path, '/');
    const size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    if (length == 0 || length >= PV_PATH_SIZE) {
        return strcpy(folder, ".");
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    return folder;
}

bool pv_i_hidden_stem(const char *target, char stem[PV_PATH_SIZE])
{
    const char *const slash = strrchr(target, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - target) + 1 : 0;
    const char *const name = target + folder;
    if (folder + sizeof PREFIX + HASH_DIGITS + LONGEST_ENDING > PV_PATH_SIZE ||
        strlen(target) >= PV_PATH_SIZE) {
        return false;
    }
    memcpy(stem, target, folder);
    (void)snprintf(stem + folder, PV_PATH_SIZE - folder, PREFIX "%08" PRIx32,
                   (uint32_t)pv_i_hash_bytes(name, strlen(name)));
    return true;
}

bool pv_i_folder_sync(const char *folder)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* Some file systems cannot sync folders (EINVAL). A folder that may not be read cannot be
     * opened for it, either. */
    const bool done = fd < 0 ? errno == EACCES : fsync(fd) == 0 || errno == EINVAL;
    if (fd >= 0) {
        (void)close(fd);
    }
    return done;
}

/* In a folder that all may write to, anyone can put links and files with our names. */
bool pv_i_is_ours(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && info.st_uid == geteuid() &&
           (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
}

/* Folders in it stay, and so does it. Links are not followed. */
static bool remove_folder(const char *path)
{
    if (!pv_i_is_ours(path)) {
        return true; /* nothing, or nothing of ours */
    }
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *const folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (folder == NULL) {
        if (fd >= 0) {
            (void)close(fd);
        }
        return false;
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            (void)unlinkat(dirfd(folder), entry->d_name, 0);
        }
    }
    (void)closedir(folder);
    return rmdir(path) == 0;
}

bool pv_i_folder_discard(const char *path, const char *gone)
{
    struct stat info;
    if (lstat(path, &info) != 0) {
        return errno == ENOENT;
    }
    if (!S_ISDIR(info.st_mode) || info.st_uid != geteuid()) {
        return true; /* somebody put something else there: it stays */
    }
    if (!remove_folder(gone) || rename(path, gone) != 0) {
        return false;
    }
    /* Its going is flushed before it is emptied. Otherwise a loss of power could keep what happened
     * in it and forget its new name: a folder under its old name that lacks files, beside a table
     * it still belongs to if the same release was written again. Where that cannot be flushed, it
     * is removed all the same: a full disk would else keep it. */
    char parent[PV_PATH_SIZE];
    (void)pv_i_folder_sync(pv_i_folder_of(gone, parent));
    return remove_folder(gone);
}

/* ---- locks ---- */

typedef enum { TAKEN, BUSY, REFUSED } taking;

/* REFUSED leaves the reason in errno. Files of other people, and whatever is no plain file, are
 * not trusted: in a folder that all may write to, anyone can have put them there. */
static taking try_lock(const char *stem, int how, int *lock)
{
    char path[PV_PATH_SIZE];
    struct stat ours, named;
    (void)pv_i_hidden(stem, PV_HIDDEN_LOCK, path);
    for (;;) {
        const int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0) {
            return REFUSED;
        }
        taking result = TAKEN;
        if (fstat(fd, &ours) != 0 || !S_ISREG(ours.st_mode) || ours.st_uid != geteuid()) {
            errno = EPERM;
            result = REFUSED;
        } else if (flock(fd, how | LOCK_NB) != 0) {
            result = errno == EWOULDBLOCK ? BUSY : REFUSED;
        } else if (lstat(path, &named) == 0 && named.st_ino == ours.st_ino &&
                   named.st_dev == ours.st_dev) {
            *lock = fd;
            return TAKEN;
        }
        const int reason = errno;
        (void)close(fd);
        errno = reason;
        if (result != TAKEN) {
            return result;
        }
    }
}

static void unlock(const char *stem, int *lock)
{
    char path[PV_PATH_SIZE];
    (void)unlink(pv_i_hidden(stem, PV_HIDDEN_LOCK, path));
    (void)close(*lock);
    *lock = -1;
}

/* Removes a writer's hidden files, its lock excepted. False if a journal could not be ended: then
 * everything stays as it is. */
static bool clear(const char *stem)
{
    char path[PV_PATH_SIZE];
    if (!pv_i_journal_settle(stem)) {
        return false;
    }
    (void)unlink(pv_i_hidden(stem, PV_HIDDEN_FILE, path));
    (void)unlink(pv_i_hidden(stem, PV_HIDDEN_OLD, path));
    (void)remove_folder(pv_i_hidden(stem, PV_HIDDEN_FOLDER, path));
    (void)remove_folder(pv_i_hidden(stem, PV_HIDDEN_GONE, path));
    return true;
}

bool pv_i_claim_settle(const char *stem)
{
    int lock = -1;
    if (try_lock(stem, LOCK_EX, &lock) != TAKEN) {
        return false;
    }
    const bool done = clear(stem);
    if (done) {
        unlock(stem, &lock);
    } else {
        (void)close(lock);
    }
    return done;
}

/* ---- sweeping ---- */

/* Is it one of our names? Then its stem. */
static bool stem_in(const char *folder, const char *name, char stem[PV_PATH_SIZE])
{
    const size_t length = sizeof PREFIX - 1 + HASH_DIGITS;
    if (strncmp(name, PREFIX, sizeof PREFIX - 1) != 0 || strlen(name) <= length ||
        name[length] != '.' ||
        strspn(name + sizeof PREFIX - 1, "0123456789abcdef") != HASH_DIGITS ||
        strlen(folder) + length + LONGEST_ENDING >= PV_PATH_SIZE) {
        return false;
    }
    (void)snprintf(stem, PV_PATH_SIZE, "%s/%.*s", folder, (int)length, name);
    return true;
}

static const char *join(const char *folder, const char *name, char path[PV_PATH_SIZE])
{
    const int length = snprintf(path, PV_PATH_SIZE, "%s/%s", folder, name);
    if (length < 0 || length >= PV_PATH_SIZE) {
        path[0] = '\0';
    }
    return path;
}

/* What cannot be removed, because it is in use or another person's, stays. */
static void sweep(const char *folder_path)
{
    char stem[PV_PATH_SIZE];
    char last[PV_PATH_SIZE] = "";
    DIR *const folder = opendir(folder_path);
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char path[PV_PATH_SIZE];
        if (stem_in(folder_path, entry->d_name, stem) && strcmp(stem, last) != 0 &&
            pv_i_is_ours(join(folder_path, entry->d_name, path))) {
            (void)pv_i_claim_settle(stem);
            (void)strcpy(last, stem); /* its other files most often come next */
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
}

/* ---- claims ---- */

static pv_status cannot_claim(const pv_claim *claim, taking result, pv_error *error)
{
    if (result == BUSY) {
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_IO, claim->target, 0, 0, "is in use by another process"),
            error, "wait until it is done, or choose another name");
    }
    const bool foreign = errno == EPERM;
    const pv_status status =
        pv_i_fail_errno(error, PV_STATUS_IO, claim->target, "cannot create the output");
    return foreign ? pv_i_hint(status, error,
                               "a file " PREFIX "* of another person stands in that folder; use a "
                               "folder of your own")
                   : status;
}

static taking take(pv_claim *claim, int how)
{
    const struct timespec moment = {.tv_nsec = PATIENCE_NS};
    taking result = try_lock(claim->stem, how, &claim->lock);
    for (unsigned i = 0; result == BUSY && i < PATIENCE; i++) {
        (void)nanosleep(&moment, NULL);
        result = try_lock(claim->stem, how, &claim->lock);
    }
    return result;
}

pv_status pv_i_claim(pv_claim *claim, const char *target, pv_error *error)
{
    char folder[PV_PATH_SIZE];
    claim->lock = -1;
    if (!pv_i_hidden_stem(target, claim->stem)) {
        errno = ENAMETOOLONG;
        return pv_i_fail_errno(error, PV_STATUS_IO, "", "cannot create the output");
    }
    (void)strcpy(claim->target, target);
    const taking result = take(claim, LOCK_EX);
    if (result != TAKEN) {
        return cannot_claim(claim, result, error);
    }
    if (!clear(claim->stem)) {
        pv_i_claim_abandon(claim);
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_IO, target, 0, 0,
                                      "an earlier run was interrupted while it replaced this file, "
                                      "and that cannot be undone now"),
                         error,
                         "make sure that its folder can be written to and that those of its other "
                         "outputs are there");
    }
    sweep(pv_i_folder_of(target, folder));
    return PV_STATUS_OK;
}

void pv_i_claim_release(pv_claim *claim)
{
    if (claim->lock >= 0 && clear(claim->stem)) {
        unlock(claim->stem, &claim->lock);
    }
    pv_i_claim_abandon(claim);
}

void pv_i_claim_abandon(pv_claim *claim)
{
    if (claim->lock >= 0) {
        (void)close(claim->lock);
        claim->lock = -1;
    }
}

/* ---- sharing ---- */

pv_status pv_i_claim_share(pv_claim *claim, const char *target, pv_error *error)
{
    claim->lock = -1;
    if (!pv_i_hidden_stem(target, claim->stem)) {
        return PV_STATUS_OK;
    }
    (void)strcpy(claim->target, target);
    const taking result = take(claim, LOCK_SH);
    return result == BUSY ? cannot_claim(claim, result, error) : PV_STATUS_OK;
}

void pv_i_claim_unshare(pv_claim *claim)
{
    if (claim->lock >= 0 && flock(claim->lock, LOCK_EX | LOCK_NB) == 0) {
        unlock(claim->stem, &claim->lock);
    }
    pv_i_claim_abandon(claim);
}

bool pv_i_claim_is_held(const char *target)
{
    char stem[PV_PATH_SIZE];
    char path[PV_PATH_SIZE];
    if (!pv_i_hidden_stem(target, stem)) {
        return false;
    }
    const int fd =
        open(pv_i_hidden(stem, PV_HIDDEN_LOCK, path), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const bool held = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (fd >= 0) {
        (void)close(fd);
    }
    return held;
}
