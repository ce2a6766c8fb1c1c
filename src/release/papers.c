/* The papers of a release: what is beside the table, in a folder of its own.
 *
 *     release.csv                      the table
 *     release.papers-3f2a9c11/         its papers, named after what they are
 *         release.certificate.json     for anyone: certificate and codebook
 *         ...
 *         release.scheme.json          for the publisher alone: scheme and report
 *         SHA256SUMS                   the table and all papers; `sha256sum -c` reads it
 *
 * The table's rename is the one step that changes a release. Papers belong to the table whose hash
 * is in their SHA256SUMS: at any moment the table that is there finds its own, the old ones or the
 * new ones, and never a certificate of another. The digits are of the hash of SHA256SUMS, so that
 * new papers never need the name of old ones. */
#include "release/release.h"

#include "base/buffer.h"
#include "base/claim.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define LARGEST_SUMS ((size_t)1 << 16)
#define MARK ".papers"
#define FEWEST_DIGITS 8
#define HASH_DIGITS (2 * PV_SHA256_SIZE)
#define SEPARATOR "  " /* as sha256sum writes it */

struct pv_papers {
    char *folder;         /* NULL = the table has none */
    pv_paper_state table; /* is it the one they were written for? */
    struct {
        char *name;
        pv_paper_state state;
    } * files; /* those its SHA256SUMS names */
    size_t n_files;
};

/* ----------------------------------------------------------------------- names */

char *pv_i_papers_stem(const char *table)
{
    static const char *const dropped[] = {".gz",  ".zst",     ".csv", ".tsv",
                                          ".txt", ".parquet", ".pq",  NULL};
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

char *pv_i_papers_of_place(const char *place)
{
    char *const stem = pv_i_place_name(place);
    for (char *at = stem; at != NULL && *at != '\0'; at++) {
        const bool is_plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                              (*at >= '0' && *at <= '9') || (unsigned char)*at >= 0x80 ||
                              *at == '_' || *at == '-' || (*at == '.' && at > stem);
        *at = is_plain ? *at : '_';
    }
    return stem;
}

char *pv_i_papers_beside(const char *table, const char *digits)
{
    char *const stem = pv_i_papers_stem(table);
    char *path = NULL;
    pv_buffer text = {.failed = stem == NULL};
    pv_i_buffer_bytes(&text, table, (size_t)(pv_i_base_name(table) - table));
    pv_i_buffer_text(&text, stem != NULL ? stem : "");
    pv_i_buffer_text(&text, MARK);
    pv_i_buffer_text(&text, digits);
    (void)!pv_i_buffer_take(&text, &path, NULL);
    pv_i_buffer_deinit(&text);
    pv_i_free(stem);
    return path;
}

char *pv_i_papers_within(const char *folder, const char *name)
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
        char *const name = pv_i_papers_beside(table, shortened);
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

/* ------------------------------------------------------------------ SHA256SUMS */

/* A line of SHA256SUMS, cut into its parts; `at` moves on. */
static bool next_sum(char **at, const char **hash, const char **name)
{
    char *line = *at;
    char *const end = strchr(line, '\n');
    if (strncmp(line, PV_PAPERS_ROWS, strlen(PV_PAPERS_ROWS)) == 0) {
        line += strlen(PV_PAPERS_ROWS);
    }
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
    char *const path = pv_i_papers_within(folder, PV_PAPERS_SUMS);
    const pv_status status =
        path == NULL     ? pv_i_no_memory(error)
        : is_plain(path) ? pv_i_file_read(path, LARGEST_SUMS, sums, &size, error)
                         : pv_i_fail_at(error, PV_STATUS_INPUT, path, 0, 0, "is no plain file");
    pv_i_free(path);
    return status;
}

/* --------------------------------------------------------------------- finding */

/* Makes the folder the `best` one if it belongs to the table and comes before it; takes it. The
 * table's line is the first of SHA256SUMS and the only one that leads out of the folder. */
static pv_status consider(char *folder, const char *table, const char *hash, char **best,
                          pv_error *error)
{
    const char *found = NULL;
    const char *name = NULL;
    char *sums = NULL;
    struct stat info;
    pv_status status = folder != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    if (folder != NULL && lstat(folder, &info) == 0 && S_ISDIR(info.st_mode)) {
        status = read_sums(folder, &sums, error); /* a link would lead to somebody's own folder */
    }
    char *at = sums;
    const bool is_place =
        sums != NULL && strncmp(sums, PV_PAPERS_ROWS, strlen(PV_PAPERS_ROWS)) == 0;
    const char *const before = is_place ? "" : "../";
    if (sums != NULL && next_sum(&at, &found, &name) && strcmp(found, hash) == 0 &&
        strncmp(name, before, strlen(before)) == 0 &&
        strcmp(name + strlen(before), pv_i_base_name(table)) == 0 &&
        (*best == NULL || strcmp(folder, *best) < 0)) {
        char *const other = *best;
        *best = folder;
        folder = other;
    }
    pv_i_free(sums);
    pv_i_free(folder);
    return status == PV_STATUS_NO_MEMORY ? status : PV_STATUS_OK; /* unreadable: not ours */
}

pv_status pv_i_papers_find(const char *table, const char *hash, char **path, pv_error *error)
{
    char parent[PV_PATH_SIZE];
    char *const prefix = pv_i_papers_beside(table, "-");
    pv_status status = prefix == NULL ? pv_i_no_memory(error) : PV_STATUS_OK;
    DIR *const folder = prefix != NULL ? opendir(pv_i_folder_of(table, parent)) : NULL;
    char *best = NULL;
    for (const struct dirent *entry;
         folder != NULL && status == PV_STATUS_OK && (entry = readdir(folder)) != NULL;) {
        const char *const start = pv_i_base_name(prefix);
        const char *const digits = entry->d_name + strlen(start);
        if (strncmp(entry->d_name, start, strlen(start)) == 0 &&
            strspn(digits, "0123456789abcdef") == strlen(digits)) {
            status = consider(pv_i_papers_within(parent, entry->d_name), table, hash, &best, error);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    pv_i_free(prefix);
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
         *ours && status != PV_STATUS_NO_MEMORY && (entry = readdir(folder)) != NULL;) {
        char *sums = NULL;
        status = read_sums(path, &sums, error);
        *ours = sums != NULL && names_file(sums, entry->d_name);
        pv_i_free(sums);
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    return status == PV_STATUS_NO_MEMORY ? status : PV_STATUS_OK;
}

/* -------------------------------------------------------------------- checking */

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

static pv_status add_paper(pv_papers *papers, const char *name, const char *hash, pv_error *error)
{
    if (strchr(name, '/') != NULL) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, papers->folder, 0, 0,
                            "its " PV_PAPERS_SUMS " names files elsewhere");
    }
    void *const more = pv_i_resize(papers->files, papers->n_files + 1, sizeof *papers->files);
    papers->files = more != NULL ? more : papers->files;
    char *const path = pv_i_papers_within(papers->folder, name);
    char *const copy = pv_i_strdup(name);
    if (more == NULL || path == NULL || copy == NULL) {
        pv_i_free(path);
        pv_i_free(copy);
        return pv_i_no_memory(error);
    }
    papers->files[papers->n_files].name = copy;
    papers->files[papers->n_files++].state = compare_paper(path, hash);
    pv_i_free(path);
    return PV_STATUS_OK;
}

/* The table's own line is judged by its hash, wherever the table is now. */
static pv_status check_sums(pv_papers *papers, char *sums, const char *table_hash, pv_error *error)
{
    const char *hash = NULL;
    const char *name = NULL;
    if (!next_sum(&sums, &hash, &name)) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, papers->folder, 0, 0,
                                      "has no " PV_PAPERS_SUMS " of a release"),
                         error, "name the folder that `paravent release` wrote beside the table");
    }
    papers->table = strcmp(hash, table_hash) == 0 ? PV_PAPER_INTACT : PV_PAPER_CHANGED;
    while (next_sum(&sums, &hash, &name)) {
        PV_TRY(add_paper(papers, name, hash, error));
    }
    return PV_STATUS_OK;
}

pv_status pv_papers_check(const char *table, const char *folder, pv_papers **papers,
                          pv_error *error)
{
    char hash[PV_SHA256_HEX];
    char *sums = NULL;
    char *stem = NULL;
    pv_status status = PV_STATUS_OK;
    pv_papers *const made = PV_NEW(pv_papers);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    struct stat there;
    const bool is_file =
        !pv_i_is_place(table) ||
        (pv_i_place_is_file(table) && stat(table, &there) == 0 && S_ISREG(there.st_mode));
    if (!is_file) {
        stem = pv_i_papers_of_place(table);
        status = stem != NULL ? pv_i_place_hash(table, hash, error) : pv_i_no_memory(error);
    } else {
        status = pv_i_file_hash(table, hash, error);
    }
    PV_TRY_CLEAN(status);
    if (folder != NULL) {
        made->folder = pv_i_strdup(folder);
        status = made->folder != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    } else {
        status = pv_i_papers_find(stem != NULL ? stem : table, hash, &made->folder, error);
    }
    if (status == PV_STATUS_OK && made->folder != NULL) {
        PV_TRY_CLEAN(read_sums(made->folder, &sums, error));
        PV_TRY_CLEAN(check_sums(made, sums, hash, error));
    }
cleanup:
    pv_i_free(sums);
    pv_i_free(stem);
    if (status == PV_STATUS_OK) {
        *papers = made;
    } else {
        pv_papers_free(made);
    }
    return status;
}

const char *pv_papers_folder(const pv_papers *papers)
{
    return papers->folder;
}

pv_paper_state pv_papers_table(const pv_papers *papers)
{
    return papers->table;
}

size_t pv_papers_n_files(const pv_papers *papers)
{
    return papers->n_files;
}

const char *pv_papers_name(const pv_papers *papers, size_t file)
{
    return papers->files[file].name;
}

pv_paper_state pv_papers_state(const pv_papers *papers, size_t file)
{
    return papers->files[file].state;
}

size_t pv_papers_find(const pv_papers *papers, const char *ending)
{
    const size_t m = strlen(ending);
    for (size_t i = 0; i < papers->n_files; i++) {
        const size_t n = strlen(papers->files[i].name);
        if (n > m && strcmp(papers->files[i].name + n - m, ending) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

char *pv_papers_path(const pv_papers *papers, size_t file)
{
    return pv_i_papers_within(papers->folder, papers->files[file].name);
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
