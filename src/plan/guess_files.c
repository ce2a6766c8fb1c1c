/* Hierarchy files that lie beside the data: NAME_hierarchy_COLUMN.csv, COLUMN_hierarchy.csv,
 * COLUMN.csv, or such a file in a folder `hierarchies`. Names are compared by their letters and
 * digits alone. A file is taken only if it really is a hierarchy of the column: it can be read as
 * one, groups values, and has a place for each value of the column. */
#include "plan/guess.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "hierarchy/labels.h"
#include "plan/document.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define MOST_FILES 10000u                     /* of a folder that are looked at */
#define LARGEST_HIERARCHY ((off_t)64 << 20)   /* bytes */
#define NEARLY_ALL(n_values) ((n_values) / 5) /* so many may lack a place, to be mentioned */

/* How well a file's name fits, the best first. */
typedef enum { OF_DATA_AND_COLUMN, HIERARCHY_OF_COLUMN, OF_COLUMN, NO_MATCH } match;

typedef struct {
    const char *path; /* from the folder of the data */
    const char *key;  /* letters and digits of the name without its ending */
} candidate;

typedef struct {
    const pv_table *table;
    const char *data;     /* as the plan names it */
    const char *data_key; /* letters and digits of its name */
    struct stat data_stat;
    pv_arena arena;
    candidate *files;
    size_t n_files, capacity;
} search;

/* ----------------------------------------------------------------- names */

/* Letters, small, and digits of the first `length` bytes; NULL = no memory. */
static char *key_of(pv_arena *arena, const char *text, size_t length)
{
    char *const key = pv_i_arena_text(arena, text, length);
    size_t n = 0;
    for (size_t i = 0; key != NULL && i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (isalnum(c) || c >= 0x80) {
            key[n++] = (char)tolower(c);
        }
    }
    if (key != NULL) {
        key[n] = '\0';
    }
    return key;
}

static bool can_be_hierarchy(const char *name)
{
    const char *const ending = strrchr(name, '.');
    return ending != NULL && ending != name && pv_i_yaml_can_hold(name) &&
           (strcasecmp(ending, ".csv") == 0 || strcasecmp(ending, ".tsv") == 0 ||
            strcasecmp(ending, ".txt") == 0);
}

/* The file may be named after a longer name of the data's: adult_hierarchy_age for adult_2024. */
static match match_name(const search *s, const char *file, const char *column)
{
    static const char word[] = "hierarchy";
    const char *const found = strstr(file, word);
    if (strcmp(file, column) == 0) {
        return OF_COLUMN;
    }
    if (found == NULL) {
        return NO_MATCH;
    }
    const size_t before = (size_t)(found - file);
    const char *const after = found + strlen(word);
    if (*after == '\0') {
        return strlen(column) == before && memcmp(file, column, before) == 0 ? HIERARCHY_OF_COLUMN
                                                                             : NO_MATCH;
    }
    if (strcmp(after, column) != 0 || strncmp(file, s->data_key, before) != 0) {
        return NO_MATCH;
    }
    return before > 0 ? OF_DATA_AND_COLUMN : HIERARCHY_OF_COLUMN;
}

/* ----------------------------------------------------------------- folder */

static int compare_candidates(const void *a, const void *b)
{
    return strcmp(((const candidate *)a)->path, ((const candidate *)b)->path);
}

static pv_status add_file(search *s, const char *folder, const char *name, pv_error *error)
{
    const size_t length = strlen(folder);
    if (!pv_i_reserve((void **)&s->files, &s->capacity, s->n_files + 1, sizeof *s->files)) {
        return pv_i_no_memory(error);
    }
    char *const path = pv_i_arena_alloc(&s->arena, length + strlen(name) + 1);
    char *const key = key_of(&s->arena, name, (size_t)(strrchr(name, '.') - name));
    if (path == NULL || key == NULL) {
        return pv_i_no_memory(error);
    }
    memcpy(path, folder, length);
    memcpy(path + length, name, strlen(name) + 1);
    s->files[s->n_files++] = (candidate){.path = path, .key = key};
    return PV_STATUS_OK;
}

/* `folder` ends with a slash, or is empty. A folder that cannot be read has no files for us. */
static pv_status list_folder(search *s, const char *folder, pv_error *error)
{
    char *const path =
        pv_i_path_beside(pv_table_source(s->table), folder[0] != '\0' ? folder : ".");
    if (path == NULL) {
        return pv_i_no_memory(error);
    }
    DIR *const handle = opendir(path);
    pv_i_free(path);
    pv_status status = PV_STATUS_OK;
    const struct dirent *entry = NULL;
    while (handle != NULL && status == PV_STATUS_OK && s->n_files < MOST_FILES &&
           (entry = readdir(handle)) != NULL) {
        if (can_be_hierarchy(entry->d_name)) {
            status = add_file(s, folder, entry->d_name, error);
        }
    }
    if (handle != NULL) {
        (void)closedir(handle);
    }
    return status;
}

/* -------------------------------------------------------------------- fit */

/* Does some level between the values and `*` put values together? A list of values with something
 * said about each is no hierarchy; one that says only `*` adds nothing to what every column has. */
static bool groups_values(const pv_hierarchy *hierarchy)
{
    for (unsigned level = 1; level < pv_hierarchy_height(hierarchy); level++) {
        if (pv_hierarchy_groups(hierarchy, level) < pv_hierarchy_leaves(hierarchy)) {
            return true;
        }
    }
    return false;
}

static pv_status count_lacking(const pv_table *table, size_t column, const pv_hierarchy_spec *spec,
                               uint32_t *lacking, pv_error *error)
{
    pv_arena arena = {0};
    pv_labels values = {0};
    pv_status status = PV_STATUS_OK;
    uint32_t number;
    for (size_t row = 0; row < spec->n_rows; row++) {
        PV_TRY_CLEAN(pv_i_labels_add(&values, &arena, spec->rows[row][0], &number, error));
    }
    *lacking = 0;
    for (uint32_t code = 0; code < pv_table_values(table, column); code++) {
        *lacking += code != pv_table_missing(table, column) &&
                    pv_i_labels_find(&values, pv_table_value(table, column, code)) == PV_NO_LABEL;
    }
cleanup:
    pv_i_labels_deinit(&values);
    pv_i_arena_deinit(&arena);
    return status;
}

/* How many values of the column have no place; UINT32_MAX = it is no hierarchy of this column. */
static pv_status try_spec(const pv_table *table, size_t column, const pv_hierarchy_spec *spec,
                          uint32_t *lacking, pv_error *error)
{
    pv_hierarchy *hierarchy = NULL;
    pv_status status = pv_hierarchy_build_standalone(spec, &hierarchy, error);
    const bool groups = status == PV_STATUS_OK && groups_values(hierarchy);
    pv_hierarchy_free(hierarchy);
    if (!groups) {
        return status;
    }
    hierarchy = NULL;
    status = pv_hierarchy_build(spec, table, column, &hierarchy, error);
    pv_hierarchy_free(hierarchy);
    if (status == PV_STATUS_OK) {
        *lacking = 0;
        return status;
    }
    uint32_t n = 0;
    if (status == PV_STATUS_NO_MEMORY ||
        (status = count_lacking(table, column, spec, &n, error)) != PV_STATUS_OK) {
        return status;
    }
    *lacking = n > 0 && n <= NEARLY_ALL(pv_table_values(table, column)) ? n : UINT32_MAX;
    return PV_STATUS_OK;
}

/* The same for a file, which must not be the data itself. Only lack of memory is a failure. */
static pv_status try_file(const search *s, size_t column, const char *path, uint32_t *lacking,
                          pv_error *error)
{
    struct stat info;
    pv_hierarchy_spec spec = {0};
    *lacking = UINT32_MAX;
    char *const full = pv_i_path_beside(pv_table_source(s->table), path);
    if (full == NULL) {
        return pv_i_no_memory(error);
    }
    pv_status status = PV_STATUS_OK;
    if (stat(full, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= LARGEST_HIERARCHY &&
        !(info.st_dev == s->data_stat.st_dev && info.st_ino == s->data_stat.st_ino)) {
        status = pv_hierarchy_spec_read(full, &spec, error);
        if (status == PV_STATUS_OK) {
            status = try_spec(s->table, column, &spec, lacking, error);
        }
    }
    pv_hierarchy_spec_free(&spec);
    pv_i_free(full);
    return status == PV_STATUS_NO_MEMORY ? status : PV_STATUS_OK;
}

/* Tries the files whose names fit, the best names first, until one is a hierarchy of the column. */
static pv_status find_file(search *s, size_t column, pv_guess *guess, pv_error *error)
{
    const char *const name = guess->look.name;
    const char *const key = key_of(&s->arena, name, strlen(name));
    if (key == NULL) {
        return pv_i_no_memory(error);
    }
    for (match wanted = OF_DATA_AND_COLUMN; key[0] != '\0' && wanted < NO_MATCH; wanted++) {
        for (size_t i = 0; i < s->n_files && guess->file == NULL; i++) {
            uint32_t lacking = UINT32_MAX;
            if (match_name(s, s->files[i].key, key) == wanted) {
                PV_TRY(try_file(s, column, s->files[i].path, &lacking, error));
            }
            char **const named = lacking == 0 ? &guess->file : &guess->unfit;
            if (lacking != UINT32_MAX && *named == NULL) {
                *named = pv_i_path_beside(s->data, s->files[i].path);
                guess->unfit_lacks = lacking;
                if (*named == NULL) {
                    return pv_i_no_memory(error);
                }
            }
        }
    }
    return PV_STATUS_OK;
}

static pv_status search_files(search *s, pv_guess *guesses, size_t n, pv_error *error)
{
    const char *const base = pv_i_base_name(pv_table_source(s->table));
    /* Without `.csv` and the like, twice for `.csv.gz`. */
    const char *const dot = strchr(base + (base[0] == '.'), '.');
    s->data_key = key_of(&s->arena, base, dot != NULL ? (size_t)(dot - base) : strlen(base));
    if (s->data_key == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(list_folder(s, "", error));
    PV_TRY(list_folder(s, "hierarchies/", error));
    PV_TRY(list_folder(s, "hierarchy/", error));
    if (s->n_files > 0) {
        qsort(s->files, s->n_files, sizeof *s->files, compare_candidates);
    }
    for (size_t i = 0; i < n; i++) {
        /* What the name says of a person is not overruled by a file. */
        if (guesses[i].role == PV_ROLE_QUASI || guesses[i].role == PV_ROLE_UNDECIDED ||
            guesses[i].by_values) {
            PV_TRY(find_file(s, i, &guesses[i], error));
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_i_guess_files(const pv_table *table, const char *data, pv_guess *guesses, size_t n,
                           pv_error *error)
{
    search s = {.table = table, .data = data};
    const char *const source = pv_table_source(table);
    if (source == NULL || strcmp(source, "-") == 0 || stat(source, &s.data_stat) != 0) {
        return PV_STATUS_OK; /* standard input or memory lies nowhere */
    }
    const pv_status status = search_files(&s, guesses, n, error);
    pv_i_free(s.files);
    pv_i_arena_deinit(&s.arena);
    return status;
}
