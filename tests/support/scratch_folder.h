/* A folder of a test's own for the files it writes, and what is found in it. */
#ifndef PV_TESTS_SCRATCH_FOLDER_H
#define PV_TESTS_SCRATCH_FOLDER_H

/* cmocka.h needs these four before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct scratch_folder {
    char path[64];
    char file[96]; /* the path of a file in it, which need not exist */
} scratch_folder;

static inline scratch_folder scratch_folder_create(const char *file)
{
    scratch_folder f = {.path = "/tmp/paravent-test-XXXXXX"};
    assert_non_null(mkdtemp(f.path));
    (void)snprintf(f.file, sizeof f.file, "%s/%s", f.path, file);
    return f;
}

static inline bool scratch_is_file(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* How many files there are, those with hidden names among them. */
static inline size_t scratch_folder_files(const scratch_folder *f)
{
    DIR *const dir = opendir(f->path);
    size_t n = 0;
    assert_non_null(dir);
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        n += scratch_is_file(entry);
    }
    (void)closedir(dir);
    return n;
}

/* Folders in it, such as the papers of a release, too. */
static inline void scratch_remove_at(int parent, const char *name)
{
    DIR *const dir = fdopendir(openat(parent, name, O_RDONLY | O_DIRECTORY));
    assert_non_null(dir);
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (scratch_is_file(entry) && unlinkat(dirfd(dir), entry->d_name, 0) != 0) {
            scratch_remove_at(dirfd(dir), entry->d_name);
        }
    }
    (void)closedir(dir);
    assert_int_equal(unlinkat(parent, name, AT_REMOVEDIR), 0);
}

/* With all files in it. */
static inline void scratch_folder_remove(const scratch_folder *f)
{
    scratch_remove_at(AT_FDCWD, f->path);
}

/* All of a file, freed with pv_i_free. */
static inline char *scratch_text(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(pv_i_file_read(path, (size_t)1 << 24, &text, &size, NULL), PV_STATUS_OK);
    return text;
}

#endif
