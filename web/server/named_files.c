/* Files that a plan names, and plans that name the same. */
#include "server/named_files.h"

#include "core/fail.h"
#include "core/text.h"

#include <paravent/paravent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct named_file {
    char *path;
    bool exists;
    struct stat stamp;
} named_file;

struct web_named_files {
    named_file *list;
    size_t n;
};

/* ------------------------------------------------------------------- stamps */

static named_file now_of(const char *path)
{
    named_file file = {.path = cli_copy(path)};
    file.exists = stat(path, &file.stamp) == 0;
    return file;
}

/* A database has no file: it is never there, and never changes. */
static bool is_as_it_was(const named_file *file)
{
    struct stat found;
    const bool exists = stat(file->path, &found) == 0;
    return exists == file->exists &&
           (!exists || (found.st_dev == file->stamp.st_dev && found.st_ino == file->stamp.st_ino &&
                        found.st_size == file->stamp.st_size &&
                        found.st_mtim.tv_sec == file->stamp.st_mtim.tv_sec &&
                        found.st_mtim.tv_nsec == file->stamp.st_mtim.tv_nsec));
}

static void add(web_named_files *files, named_file file)
{
    named_file *const longer = realloc(files->list, (files->n + 1) * sizeof *files->list);
    if (longer == NULL) {
        cli_no_memory();
    }
    files->list = longer;
    files->list[files->n++] = file;
}

/* Two attributes may share a hierarchy. */
static void hear(void *ctx, const char *path)
{
    web_named_files *const files = ctx;
    for (size_t i = 0; i < files->n; i++) {
        if (cli_equal(files->list[i].path, path)) {
            return;
        }
    }
    add(files, now_of(path));
}

web_named_files *web_named_files_look(const char *plan_path, const char *plan_text)
{
    web_named_files *const files = cli_zeroed(1, sizeof *files);
    (void)(pv_plan_each_file(plan_path, plan_text, strlen(plan_text), hear, files, NULL) ==
           PV_STATUS_OK);
    return files;
}

web_named_files *web_named_files_copy(const web_named_files *files)
{
    web_named_files *const copy = cli_zeroed(1, sizeof *copy);
    for (size_t i = 0; i < files->n; i++) {
        named_file file = files->list[i];
        file.path = cli_copy(file.path);
        add(copy, file);
    }
    return copy;
}

json_t *web_named_files_changed(const web_named_files *files)
{
    json_t *const list = json_array();
    for (size_t i = 0; files != NULL && i < files->n; i++) {
        if (!is_as_it_was(&files->list[i])) {
            (void)json_array_append_new(list, json_string(cli_path_name(files->list[i].path)));
        }
    }
    return list;
}

void web_named_files_free(web_named_files *files)
{
    for (size_t i = 0; files != NULL && i < files->n; i++) {
        free(files->list[i].path);
    }
    free(files != NULL ? files->list : NULL);
    free(files);
}

/* -------------------------------------------------------------------- plans */

/* What is demanded is of a plan, not of its table. */
static const char *const demands[] = {"require", "target-k", "suppression", "suppress"};

/* Without the demands; NULL = it cannot be edited. Owned by the library. */
static char *without_demands(const char *plan)
{
    char *text = NULL;
    for (size_t i = 0; i < sizeof demands / sizeof *demands; i++) {
        const char *const from = text != NULL ? text : plan;
        char *edited = NULL;
        const pv_status status =
            pv_plan_edit(from, strlen(from), &demands[i], 1, NULL, &edited, NULL);
        pv_string_free(text);
        if (status != PV_STATUS_OK) {
            return NULL;
        }
        text = edited;
    }
    return text;
}

/* The next line with something on it; its size, 0 at the end. Blank lines and comments are what a
 * removed key may leave, and mean nothing. */
static size_t next_line(const char **at)
{
    for (;;) {
        const size_t n = strcspn(*at, "\n");
        const size_t blank = strspn(*at, " \t\r");
        if (blank < n && (*at)[blank] != '#') {
            return n;
        }
        if ((*at)[n] == '\0') {
            return 0;
        }
        *at += n + 1;
    }
}

static bool has_same_lines(const char *a, const char *b)
{
    for (;;) {
        const size_t n = next_line(&a);
        if (n != next_line(&b) || strncmp(a, b, n) != 0) {
            return false;
        }
        if (n == 0) {
            return true;
        }
        a += n;
        b += n;
    }
}

bool web_plans_see_alike(const char *one, const char *other)
{
    char *const a = without_demands(one);
    char *const b = without_demands(other);
    const bool alike = a != NULL && b != NULL && has_same_lines(a, b);
    pv_string_free(a);
    pv_string_free(b);
    return alike;
}
