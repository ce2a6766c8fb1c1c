/* Finding, naming and checking the papers of a release. */
#include "release/papers.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <paravent/release.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST_SUMS ((size_t)1 << 16)
#define MARK ".papers"
#define FEWEST_DIGITS 8
#define HASH_DIGITS (2 * PV_SHA256_SIZE)
#define SEPARATOR "  " /* as sha256sum writes it */

/* ---- names ---- */

char *pv_i_papers_stem(const char *table)
{
    static const char *const dropped[] = {".gz", ".zst", ".csv", ".tsv", ".txt", NULL};
    const char *const name = pv_i_base_name(table);
    size_t length = strlen(name);
    for (size_t i = 0; dropped[i] != NULL; i++) {
        const size_t n = strlen(dropped[i]);
        if (length > n && memcmp(name + length - n, dropped[i], n) == 0) {
            length -= n;
        }
    }
    return pv_i_strndup(name, length);
}

/* FOLDER/STEM.papers + `more`. NULL = no memory. */
static char *beside_table(const char *table, const char *more)
{
    char *const stem = pv_i_papers_stem(table);
    char *path = NULL;
    pv_buffer text = {0};
    pv_i_buffer_bytes(&text, table, (size_t)(pv_i_base_name(table) - table));
    pv_i_buffer_text(&text, stem != NULL ? stem : "");
    pv_i_buffer_text(&text, MARK);
    pv_i_buffer_text(&text, more);
    if (stem != NULL) {
        (void)!pv_i_buffer_take(&text, &path, NULL);
    }
    pv_i_buffer_deinit(&text);
    pv_i_free(stem);
    return path;
}

char *pv_i_papers_claim(const char *table)
{
    return beside_table(table, "");
}

/* Eight digits are enough, unless that name is taken. */
pv_status pv_i_papers_name(const char *table, const char *sums, char **path, pv_error *error)
{
    char hex[PV_SHA256_HEX + 1] = "-";
    pv_sha256 sha;
    struct stat there;
    pv_i_sha256_init(&sha);
    pv_i_sha256_add(&sha, sums, strlen(sums));
    pv_i_sha256_end_hex(&sha, hex + 1);
    for (size_t digits = FEWEST_DIGITS; digits <= HASH_DIGITS; digits += 4) {
        char shortened[PV_SHA256_HEX + 1];
        memcpy(shortened, hex, digits + 1);
        shortened[digits + 1] = '\0';
        char *const name = beside_table(table, shortened);
        if (name == NULL) {
            return pv_i_no_memory(error);
        }
        if (lstat(name, &there) != 0 && errno == ENOENT) {
            *path = name;
            return PV_STATUS_OK;
        }
        pv_i_free(name);
    }
    return pv_i_hint(
        pv_i_fail_at(error, PV_STATUS_EXISTS, table, 0, 0, "every name for its papers is taken"),
        error, "remove the folders with its name and " MARK "-*");
}

/* ---- SHA256SUMS ---- */

/* A line of SHA256SUMS, cut into its parts; `at` moves on. */
static bool next_sum(char **at, const char **hash, const char **name)
{
    char *const line = *at;
    char *const end = strchr(line, '\n');
    if (end == NULL || (size_t)(end - line) <= HASH_DIGITS + strlen(SEPARATOR) ||
        strspn(line, "0123456789abcdef") != HASH_DIGITS ||
        strncmp(line + HASH_DIGITS, SEPARATOR, strlen(SEPARATOR)) != 0) {
        return false;
    }
    *end = line[HASH_DIGITS] = '\0';
    *hash = line;
    *name = line + HASH_DIGITS + strlen(SEPARATOR);
    *at = end + 1;
    return true;
}

static char *within(const char *folder, const char *name)
{
    char *path = NULL;
    pv_buffer text = {0};
    if (strcmp(folder, ".") != 0) {
        pv_i_buffer_format(&text, "%s/", folder);
    }
    pv_i_buffer_text(&text, name);
    (void)!pv_i_buffer_take(&text, &path, NULL);
    pv_i_buffer_deinit(&text);
    return path;
}

/* Strangers' papers may be pipes, devices and links to anything. */
static bool is_plain(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* The whole SHA256SUMS of a folder. pv_i_free. */
static pv_status read_sums(const char *folder, char **sums, pv_error *error)
{
    size_t size = 0;
    char *const path = within(folder, PV_PAPERS_SUMS);
    const pv_status status =
        path == NULL     ? pv_i_no_memory(error)
        : is_plain(path) ? pv_i_file_read(path, LARGEST_SUMS, sums, &size, error)
                         : pv_i_fail_at(error, PV_STATUS_INPUT, path, 0, 0, "is no plain file");
    pv_i_free(path);
    return status;
}

/* ---- finding ---- */

/* NULL in `sums`: there is none that can be read. Only running out of memory is a failure. */
static pv_status try_sums(const char *folder, char **sums, pv_error *error)
{
    *sums = NULL;
    const pv_status status = read_sums(folder, sums, error);
    return status == PV_STATUS_NO_MEMORY ? status : PV_STATUS_OK;
}

/* The table's line is the first and the only one that leads out of the folder. */
static bool names_table(char *sums, const char *table, const char *hash)
{
    const char *found = NULL;
    const char *name = NULL;
    return next_sum(&sums, &found, &name) && strcmp(found, hash) == 0 &&
           strncmp(name, "../", 3) == 0 && strcmp(name + 3, pv_i_base_name(table)) == 0;
}

static bool looks_like_papers(const char *name, const char *prefix)
{
    const size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 &&
           strspn(name + length, "0123456789abcdef") == strlen(name + length);
}

/* Keeps the folder in `best` if it belongs to the table and comes before it. */
static pv_status consider(char *folder, const char *table, const char *hash, char **best,
                          pv_error *error)
{
    char *sums = NULL;
    struct stat info;
    pv_status status = folder != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    if (folder != NULL && lstat(folder, &info) == 0 && S_ISDIR(info.st_mode)) {
        status = try_sums(folder, &sums, error); /* a link would lead to somebody's own folder */
    }
    if (status == PV_STATUS_OK && sums != NULL && names_table(sums, table, hash) &&
        (*best == NULL || strcmp(folder, *best) < 0)) {
        char *const other = *best;
        *best = folder;
        folder = other;
    }
    pv_i_free(sums);
    pv_i_free(folder);
    return status;
}

/* Without the slash, unless that is all. */
static size_t folder_length(const char *table)
{
    const size_t length = (size_t)(pv_i_base_name(table) - table);
    return length > 1 ? length - 1 : length;
}

pv_status pv_i_papers_find(const char *table, const char *hash, char **path, pv_error *error)
{
    char *const prefix = beside_table(table, "-");
    char *const parent = table == pv_i_base_name(table) ? pv_i_strdup(".")
                                                        : pv_i_strndup(table, folder_length(table));
    pv_status status = prefix == NULL || parent == NULL ? pv_i_no_memory(error) : PV_STATUS_OK;
    DIR *const folder = status == PV_STATUS_OK ? opendir(parent) : NULL;
    char *best = NULL;
    for (const struct dirent *entry;
         folder != NULL && status == PV_STATUS_OK && (entry = readdir(folder)) != NULL;) {
        if (looks_like_papers(entry->d_name, pv_i_base_name(prefix))) {
            status = consider(within(parent, entry->d_name), table, hash, &best, error);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    pv_i_free(prefix);
    pv_i_free(parent);
    if (status == PV_STATUS_OK) {
        *path = best;
    } else {
        pv_i_free(best);
    }
    return status;
}

/* The fields of `sums` are cut off one after the other: to be asked once. */
static bool names_file(char *sums, const char *wanted)
{
    const char *hash = NULL;
    const char *name = NULL;
    bool found = strcmp(wanted, ".") == 0 || strcmp(wanted, "..") == 0 ||
                 strcmp(wanted, PV_PAPERS_SUMS) == 0;
    while (!found && next_sum(&sums, &hash, &name)) {
        found = strcmp(name, wanted) == 0;
    }
    return found;
}

pv_status pv_i_papers_are_ours(const char *path, bool *ours, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    DIR *const folder = opendir(path);
    *ours = folder != NULL;
    for (const struct dirent *entry;
         *ours && status == PV_STATUS_OK && (entry = readdir(folder)) != NULL;) {
        char *sums = NULL;
        status = try_sums(path, &sums, error);
        *ours = sums != NULL && names_file(sums, entry->d_name);
        pv_i_free(sums);
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    return status;
}

/* ---- checking ---- */

static pv_paper_state compare_paper(const char *path, const char *hash)
{
    char found[PV_SHA256_HEX];
    struct stat there;
    if (lstat(path, &there) != 0) {
        return PV_PAPER_MISSING;
    }
    return is_plain(path) && pv_i_file_hash(path, found, NULL) == PV_STATUS_OK &&
                   strcmp(found, hash) == 0
               ? PV_PAPER_INTACT
               : PV_PAPER_CHANGED;
}

static pv_status add_paper(pv_papers *papers, const char *name, pv_paper_state state,
                           pv_error *error)
{
    pv_paper *const more = pv_i_resize(papers->files, papers->n_files + 1, sizeof *papers->files);
    if (more == NULL) {
        return pv_i_no_memory(error);
    }
    papers->files = more;
    char *const copy = pv_i_strdup(name);
    if (copy == NULL) {
        return pv_i_no_memory(error);
    }
    papers->files[papers->n_files++] = (pv_paper){.name = copy, .state = state};
    return PV_STATUS_OK;
}

/* The table's own line is judged by its hash, wherever the table stands now. */
static pv_status check_sums(pv_papers *papers, char *sums, const char *table_hash, pv_error *error)
{
    const char *hash = NULL;
    const char *name = NULL;
    char *at = sums;
    if (!next_sum(&at, &hash, &name)) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, papers->folder, 0, 0,
                                      "has no " PV_PAPERS_SUMS " of a release"),
                         error, "name the folder that `paravent release` wrote beside the table");
    }
    papers->table = strcmp(hash, table_hash) == 0 ? PV_PAPER_INTACT : PV_PAPER_CHANGED;
    while (next_sum(&at, &hash, &name)) {
        char *const path = strchr(name, '/') == NULL ? within(papers->folder, name) : NULL;
        const pv_status status = path != NULL
                                     ? add_paper(papers, name, compare_paper(path, hash), error)
                                     : pv_i_fail_at(error, PV_STATUS_INPUT, papers->folder, 0, 0,
                                                    "its " PV_PAPERS_SUMS " names files elsewhere");
        pv_i_free(path);
        PV_TRY(status);
    }
    return PV_STATUS_OK;
}

pv_status pv_papers_check(const char *table, const char *folder, pv_papers **papers,
                          pv_error *error)
{
    char hash[PV_SHA256_HEX];
    char *sums = NULL;
    pv_status status = PV_STATUS_OK;
    pv_papers *const made = PV_NEW(pv_papers);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(pv_i_file_hash(table, hash, error));
    if (folder != NULL) {
        made->folder = pv_i_strdup(folder);
        status = made->folder != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    } else {
        status = pv_i_papers_find(table, hash, &made->folder, error);
    }
    if (status == PV_STATUS_OK && made->folder != NULL) {
        PV_TRY_CLEAN(read_sums(made->folder, &sums, error));
        PV_TRY_CLEAN(check_sums(made, sums, hash, error));
    }
cleanup:
    pv_i_free(sums);
    if (status == PV_STATUS_OK) {
        *papers = made;
    } else {
        pv_papers_free(made);
    }
    return status;
}

char *pv_papers_path(const pv_papers *papers, const char *ending)
{
    for (size_t i = 0; i < papers->n_files; i++) {
        const size_t n = strlen(papers->files[i].name);
        const size_t m = strlen(ending);
        if (n > m && strcmp(papers->files[i].name + n - m, ending) == 0) {
            return within(papers->folder, papers->files[i].name);
        }
    }
    return NULL;
}

void pv_papers_free(pv_papers *papers)
{
    if (papers != NULL) {
        for (size_t i = 0; i < papers->n_files; i++) {
            pv_i_free(papers->files[i].name);
        }
        pv_i_free(papers->files);
        pv_i_free(papers->folder);
        pv_i_free(papers);
    }
}
