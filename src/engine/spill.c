#include "engine/spill.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "paravent-spill-"

static const char *parent_folder(void)
{
    const char *const given = getenv("TMPDIR");
    return given != NULL && *given != '\0' ? given : "/var/tmp";
}

/* Engines write files into it, no folders. */
static void remove_content(int folder)
{
    const int own = dup(folder);
    DIR *const entries = own >= 0 ? fdopendir(own) : NULL;
    if (entries == NULL) {
        if (own >= 0) {
            (void)close(own);
        }
        return;
    }
    rewinddir(entries);
    for (const struct dirent *e = readdir(entries); e != NULL; e = readdir(entries)) {
        (void)unlinkat(folder, e->d_name, 0);
    }
    (void)closedir(entries);
}

static int open_folder(int parent, const char *name)
{
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Those of ours whose lock is free: their process is gone. */
static void remove_abandoned(int parent)
{
    const int own = dup(parent);
    DIR *const entries = own >= 0 ? fdopendir(own) : NULL;
    if (entries == NULL) {
        if (own >= 0) {
            (void)close(own);
        }
        return;
    }
    for (const struct dirent *e = readdir(entries); e != NULL; e = readdir(entries)) {
        if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) != 0) {
            continue;
        }
        const int folder = open_folder(parent, e->d_name);
        struct stat info;
        if (folder >= 0 && fstat(folder, &info) == 0 && info.st_uid == geteuid() &&
            flock(folder, LOCK_EX | LOCK_NB) == 0) {
            remove_content(folder);
            (void)unlinkat(parent, e->d_name, AT_REMOVEDIR);
        }
        if (folder >= 0) {
            (void)close(folder);
        }
    }
    (void)closedir(entries);
}

/* Somebody else may have taken the new folder for an abandoned one before it was locked. */
static bool lock_new(const char *path, int *lock)
{
    struct stat by_name;
    struct stat locked;
    *lock = open_folder(AT_FDCWD, path);
    if (*lock < 0) {
        return false;
    }
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0 && fstat(*lock, &locked) == 0 &&
        stat(path, &by_name) == 0 && by_name.st_ino == locked.st_ino) {
        return true;
    }
    (void)close(*lock);
    return false;
}

pv_status pv_i_spill_create(pv_spill *spill, pv_error *error)
{
    const char *const where = parent_folder();
    const int parent = open(where, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent >= 0) {
        remove_abandoned(parent);
        (void)close(parent);
    }
    for (int attempt = 0; attempt < 8; attempt++) {
        pv_buffer path = {0};
        pv_i_buffer_format(&path, "%s/" PREFIX "XXXXXX", where);
        if (path.failed) {
            pv_i_buffer_deinit(&path);
            return pv_i_no_memory(error);
        }
        int lock = -1;
        if (mkdtemp(path.data) == NULL) {
            pv_i_buffer_deinit(&path);
            break;
        }
        if (lock_new(path.data, &lock)) {
            *spill = (pv_spill){.path = path.data, .lock = lock};
            return PV_STATUS_OK;
        }
        pv_i_buffer_deinit(&path);
    }
    return pv_i_hint(pv_i_fail_errno(error, PV_STATUS_IO, where, "no folder can be made there"),
                     error, "name another folder with TMPDIR");
}

void pv_i_spill_remove(pv_spill *spill)
{
    if (spill->path != NULL) {
        remove_content(spill->lock);
        (void)rmdir(spill->path);
        (void)close(spill->lock);
        pv_i_free(spill->path);
    }
    *spill = (pv_spill){0};
}
