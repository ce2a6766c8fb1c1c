/* The journal: fields that end with a NUL, the last one "end". One that lacks it was being written
 * when its writer died; nothing had been renamed then. */
#include "base/journal.h"

#include "base/buffer.h"
#include "base/claim.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST ((size_t)1 << 20)

static const char *const kinds[] = {[PV_JOURNAL_FILE] = "file",
                                    [PV_JOURNAL_FOLDER] = "folder",
                                    [PV_JOURNAL_REPLACED] = "replaced",
                                    [PV_JOURNAL_HOME] = "home"};
static const char end_mark[] = "end";

/* ---- writing ---- */

static bool write_fully(int fd, const char *data, size_t size)
{
    while (size > 0) {
        const ssize_t n = write(fd, data, size);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        data += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool write_file(const char *path, const pv_buffer *text)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) {
        return false;
    }
    const bool written =
        write_fully(fd, text->data, text->size) && (fsync(fd) == 0 || errno == EINVAL);
    const int reason = errno;
    const bool closed = close(fd) == 0;
    errno = written ? errno : reason;
    return written && closed;
}

pv_status pv_i_journal_write(const char *stem, const pv_journal_entry *entries, size_t n,
                             pv_error *error)
{
    char path[PV_PATH_SIZE];
    char folder[PV_PATH_SIZE];
    pv_status status = PV_STATUS_OK;
    pv_buffer text = {0};
    for (size_t i = 0; i < n; i++) {
        const char *const kind = kinds[entries[i].kind];
        pv_i_buffer_bytes(&text, kind, strlen(kind) + 1);
        pv_i_buffer_bytes(&text, entries[i].path, strlen(entries[i].path) + 1);
        pv_i_buffer_format(&text, "%" PRIu64 " %d", entries[i].mark, entries[i].had_old);
        pv_i_buffer_char(&text, '\0');
    }
    pv_i_buffer_bytes(&text, end_mark, sizeof end_mark);
    (void)pv_i_hidden(stem, PV_HIDDEN_JOURNAL, path);
    if (text.failed) {
        status = pv_i_no_memory(error);
    } else if (!write_file(path, &text) || !pv_i_folder_sync(pv_i_folder_of(path, folder))) {
        status = pv_i_fail_errno(error, PV_STATUS_IO, path, "cannot write the journal");
    }
    pv_i_buffer_deinit(&text);
    return status;
}

/* ---- undoing and tidying ---- */

uint64_t pv_i_file_mark(const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0) {
        return 0;
    }
    const uint64_t file[3] = {(uint64_t)info.st_mtim.tv_sec, (uint64_t)info.st_mtim.tv_nsec,
                              (uint64_t)info.st_size};
    const uint64_t folder[3] = {(uint64_t)info.st_ino, 0, 0};
    return pv_i_hash_words(S_ISDIR(info.st_mode) ? folder : file, 3) | 1;
}

/* What stands under the name is ours, somebody's newer file, or nothing. */
static bool undo_file(const pv_journal_entry *entry)
{
    char stem[PV_PATH_SIZE];
    char old[PV_PATH_SIZE];
    if (!pv_i_hidden_stem(entry->path, stem)) {
        return true;
    }
    (void)pv_i_hidden(stem, PV_HIDDEN_OLD, old);
    const uint64_t now = pv_i_file_mark(entry->path);
    if (now != 0 && now != entry->mark) {
        return true;
    }
    if (pv_i_file_mark(old) != 0) {
        return rename(old, entry->path) == 0;
    }
    return now == 0 || entry->had_old || unlink(entry->path) == 0;
}

static bool discard(const char *path)
{
    char stem[PV_PATH_SIZE];
    char gone[PV_PATH_SIZE];
    return !pv_i_hidden_stem(path, stem) ||
           pv_i_folder_discard(path, pv_i_hidden(stem, PV_HIDDEN_GONE, gone));
}

bool pv_i_journal_undo(const pv_journal_entry *entry)
{
    switch (entry->kind) {
    case PV_JOURNAL_FILE: return undo_file(entry);
    case PV_JOURNAL_FOLDER:
        return pv_i_file_mark(entry->path) != entry->mark || discard(entry->path);
    default: return true;
    }
}

bool pv_i_journal_tidy(const pv_journal_entry *entry, bool committed)
{
    char stem[PV_PATH_SIZE];
    char old[PV_PATH_SIZE];
    if (entry->kind == PV_JOURNAL_REPLACED && committed) {
        return discard(entry->path);
    }
    if (entry->kind == PV_JOURNAL_FILE && pv_i_hidden_stem(entry->path, stem)) {
        return unlink(pv_i_hidden(stem, PV_HIDDEN_OLD, old)) == 0 || errno == ENOENT;
    }
    return true;
}

/* ---- settling ---- */

/* The next field, or NULL at the end. */
static const char *next_field(const char **at, const char *end)
{
    const char *const field = *at;
    const char *const stop = field < end ? memchr(field, '\0', (size_t)(end - field)) : NULL;
    *at = stop != NULL ? stop + 1 : end;
    return stop != NULL ? field : NULL;
}

/* A path without a folder is one beside the journal: folders may be renamed. */
static bool next_entry(const char **at, const char *end, const char *folder,
                       char room[2 * PV_PATH_SIZE], pv_journal_entry *entry)
{
    const char *const kind = next_field(at, end);
    const char *path = next_field(at, end);
    const char *const mark = next_field(at, end);
    if (mark == NULL || strlen(path) >= PV_PATH_SIZE) {
        return false;
    }
    if (strchr(path, '/') == NULL) {
        (void)snprintf(room, (size_t)2 * PV_PATH_SIZE, "%s/%s", folder, path);
        path = room;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kind, kinds[i]) == 0) {
            *entry = (pv_journal_entry){.kind = (pv_journal_kind)i,
                                        .path = path,
                                        .mark = strtoull(mark, NULL, 10),
                                        .had_old = strstr(mark, " 1") != NULL};
            return true;
        }
    }
    return false;
}

static bool is_complete(const char *text, size_t size)
{
    return size >= sizeof end_mark &&
           memcmp(text + size - sizeof end_mark, end_mark, sizeof end_mark) == 0;
}

/* The journal that a hint leads to may be gone, but only where its folder can be seen. */
static bool settle_home(const char *stem)
{
    char journal[PV_PATH_SIZE];
    char folder[PV_PATH_SIZE];
    struct stat info;
    if (lstat(pv_i_hidden(stem, PV_HIDDEN_JOURNAL, journal), &info) == 0) {
        return pv_i_is_ours(journal) && pv_i_claim_settle(stem);
    }
    return errno == ENOENT && stat(pv_i_folder_of(stem, folder), &info) == 0;
}

/* The folders of entries are flushed one by one; to flush one twice costs little. */
static bool settle_entry(const pv_journal_entry *entry, bool committed)
{
    char folder[PV_PATH_SIZE];
    if (entry->kind == PV_JOURNAL_HOME) {
        return settle_home(entry->path);
    }
    return (committed || pv_i_journal_undo(entry)) && pv_i_journal_tidy(entry, committed) &&
           pv_i_folder_sync(pv_i_folder_of(entry->path, folder));
}

/* Nobody else may have written it: it says what to remove. */
static bool is_trusted(const char *path)
{
    struct stat info;
    return pv_i_is_ours(path) && lstat(path, &info) == 0 && S_ISREG(info.st_mode) &&
           (info.st_mode & 077) == 0;
}

bool pv_i_journal_settle(const char *stem)
{
    char path[PV_PATH_SIZE];
    char hidden[PV_PATH_SIZE];
    char folder[PV_PATH_SIZE];
    char *text = NULL;
    size_t size = 0;
    (void)pv_i_hidden(stem, PV_HIDDEN_JOURNAL, path);
    if (pv_i_file_mark(path) == 0) {
        return true;
    }
    if (!is_trusted(path) || pv_i_file_read(path, LARGEST, &text, &size, NULL) != PV_STATUS_OK) {
        return false;
    }
    const bool committed = pv_i_file_mark(pv_i_hidden(stem, PV_HIDDEN_FILE, hidden)) == 0;
    bool done = true;
    (void)pv_i_folder_of(path, folder);
    if (is_complete(text, size)) {
        pv_journal_entry entry;
        char room[2 * PV_PATH_SIZE];
        const char *at = text;
        while (done && next_entry(&at, text + size, folder, room, &entry)) {
            done = settle_entry(&entry, committed);
        }
    }
    pv_i_free(text);
    /* The journal goes before the hidden file that says how far its writer came: without it, a
     * journal would look as if it had been carried out. */
    return done && unlink(path) == 0 && pv_i_folder_sync(folder);
}
