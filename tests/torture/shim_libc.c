/* Calls that libc must carry out itself.
 *
 * What it does inside does not pass through shim_calls.c, and what it would do to a watched file
 * could not be tested: writing it by stdio, or making it by mkstemp, ends the process.
 *
 * Folders are listed in the order of the file system, or backwards: whoever cleans up must not
 * depend on what it happens to meet first. */
#include "shim.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *libc_own(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

static void refuse(const char *path, const char *why)
{
    shim_place place;
    if (shim_find_place(AT_FDCWD, path, &place)) {
        shim_broken(why);
    }
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *) = NULL;
    void *const found = libc_own("fopen");
    memcpy(&real, &found, sizeof real);
    if (strpbrk(mode, "wa+") != NULL) {
        refuse(path, "a watched file is written by stdio");
    }
    return real(path, mode);
}
FILE *fopen64(const char *path, const char *mode) ALSO(fopen);

FILE *fdopen(int fd, const char *mode)
{
    char path[PATH_MAX];
    FILE *(*real)(int, const char *) = NULL;
    void *const found = libc_own("fdopen");
    memcpy(&real, &found, sizeof real);
    if (strpbrk(mode, "wa+") != NULL && shim_path_of(fd, path)) {
        shim_broken("a watched file is written by stdio");
    }
    return real(fd, mode);
}

int mkstemp(char *path)
{
    int (*real)(char *) = NULL;
    void *const found = libc_own("mkstemp");
    memcpy(&real, &found, sizeof real);
    refuse(path, "a watched file is made by mkstemp");
    return real(path);
}

char *mkdtemp(char *path)
{
    char *(*real)(char *) = NULL;
    void *const found = libc_own("mkdtemp");
    memcpy(&real, &found, sizeof real);
    refuse(path, "a watched folder is made by mkdtemp");
    return real(path);
}

/* ------------------------------------------------------------------ order */

/* A folder being listed backwards: all of its entries, handed out from the last one. */
typedef struct listing {
    DIR *folder;
    struct dirent *entries;
    size_t left;
    struct listing *next;
} listing;

static listing *listings;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct dirent *next_of(DIR *folder)
{
    struct dirent *(*real)(DIR *) = NULL;
    void *const found = libc_own("readdir");
    memcpy(&real, &found, sizeof real);
    return real(folder);
}

static listing *read_all(DIR *folder)
{
    listing *const all = calloc(1, sizeof *all);
    size_t room = 0;
    for (const struct dirent *entry; all != NULL && (entry = next_of(folder)) != NULL;) {
        if (all->left == room) {
            room = 2 * room + 16;
            all->entries = realloc(all->entries, room * sizeof *all->entries);
        }
        if (all->entries == NULL) {
            shim_broken("no memory");
        }
        memcpy(&all->entries[all->left++], entry, entry->d_reclen);
    }
    if (all == NULL) {
        shim_broken("no memory");
    }
    all->folder = folder;
    return all;
}

static listing **find_listing(DIR *folder)
{
    listing **at = &listings;
    while (*at != NULL && (*at)->folder != folder) {
        at = &(*at)->next;
    }
    return at;
}

struct dirent *readdir(DIR *folder)
{
    if (getenv("TORTURE_BACKWARDS") == NULL) {
        return next_of(folder);
    }
    (void)pthread_mutex_lock(&lock);
    listing **const at = find_listing(folder);
    if (*at == NULL) {
        *at = read_all(folder);
    }
    struct dirent *const entry = (*at)->left > 0 ? &(*at)->entries[--(*at)->left] : NULL;
    (void)pthread_mutex_unlock(&lock);
    return entry;
}
struct dirent64 *readdir64(DIR *folder) ALSO(readdir);

int closedir(DIR *folder)
{
    int (*real)(DIR *) = NULL;
    void *const found = libc_own("closedir");
    memcpy(&real, &found, sizeof real);
    (void)pthread_mutex_lock(&lock);
    listing **const at = find_listing(folder);
    listing *const gone = *at;
    if (gone != NULL) {
        *at = gone->next;
        free(gone->entries);
        free(gone);
    }
    (void)pthread_mutex_unlock(&lock);
    return real(folder);
}
