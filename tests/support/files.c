/* A test's files. */
#include "support/files.h"

#include "base/outputs.h"

#include <dirent.h>
#include <stdbool.h>

scratch_folder scratch_folder_create(const char *file)
{
    const char *const where = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    scratch_folder f;
    (void)snprintf(f.path, sizeof f.path, "%s/paravent-test-XXXXXX", where);
    assert_non_null(mkdtemp(f.path));
    (void)snprintf(f.file, sizeof f.file, "%s/%s", f.path, file);
    return f;
}

static bool scratch_is_file(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

size_t scratch_folder_files(const scratch_folder *f)
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

void scratch_remove_at(int parent, const char *name)
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

void scratch_folder_remove(const scratch_folder *f)
{
    scratch_remove_at(AT_FDCWD, f->path);
}

char *scratch_text(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(pv_i_file_read(path, (size_t)1 << 24, &text, &size, NULL), PV_STATUS_OK);
    return text;
}

/* ================================================== as the library writes */

void written_file(const char *path, const void *data, size_t size)
{
    pv_outputs *outputs = NULL;
    pv_output *output = NULL;
    assert_int_equal(pv_outputs_create(true, &outputs, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_outputs_open(outputs, path, PV_AUDIENCE_PUBLIC, &output, NULL),
                     PV_STATUS_OK);
    assert_int_equal(pv_i_output_write(output, data, size, NULL), PV_STATUS_OK);
    assert_int_equal(pv_outputs_commit(outputs, NULL), PV_STATUS_OK);
    pv_outputs_free(outputs);
}
