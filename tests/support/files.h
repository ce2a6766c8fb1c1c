/* Files of tests: a folder of a test's own, what is found in it, and files as the library writes
 * them. */
#ifndef PV_TESTS_FILES_H
#define PV_TESTS_FILES_H

#include "base/file.h"
#include "support/testing.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct scratch_folder {
    char path[64];
    char file[96]; /* the path of a file in it, which need not exist */
} scratch_folder;

/* In memory where the system has such a folder: whoever flushes a file waits for the disk. */
scratch_folder scratch_folder_create(const char *file);

/* How many files there are, those with hidden names among them. */
size_t scratch_folder_files(const scratch_folder *f);

/* Folders in it, such as the papers of a release, too. */
void scratch_remove_at(int parent, const char *name);

/* With all files in it. */
void scratch_folder_remove(const scratch_folder *f);

/* All of a file, freed with pv_i_free. */
char *scratch_text(const char *path);

/* ================================================== as the library writes */

/* A file as the library writes it: compressed as the ending of its name says. */

void written_file(const char *path, const void *data, size_t size);

#endif
