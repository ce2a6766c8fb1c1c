/* Giving a set of outputs its names.
 *
 * One rename is one step by itself. Several are made one by a journal (journal.h): if one of them
 * fails, those before it are undone at once; if the process dies, the next writer undoes them. */
#include "base/error.h"
#include "base/file.h"
#include "base/journal.h"
#include "base/memory.h"
#include "base/outputs_set.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- finishing ---- */

/* Asking for the umask by setting it would disturb other threads. */
static mode_t read_umask(void)
{
    char line[256];
    unsigned mask = 0;
    bool found = false;
    FILE *const status = fopen("/proc/self/status", "re");
    while (status != NULL && !found && fgets(line, sizeof line, status) != NULL) {
        found = sscanf(line, "Umask: %o", &mask) == 1;
    }
    if (status != NULL) {
        (void)fclose(status);
    }
    if (!found) {
        mask = umask(077);
        (void)umask(mask);
    }
    return (mode_t)mask;
}

static mode_t mode_for(pv_audience audience, mode_t mask)
{
    return audience == PV_AUDIENCE_PUBLIC ? 0666 & ~mask : 0600;
}

static pv_status set_mode(const char *path, const char *target, mode_t mode, pv_error *error)
{
    struct stat there;
    if (stat(target, &there) == 0 && S_ISREG(there.st_mode)) {
        mode &= there.st_mode; /* the stricter of both */
    }
    return chmod(path, mode) == 0
               ? PV_STATUS_OK
               : pv_i_fail_errno(error, PV_STATUS_IO, target, "cannot set the permissions");
}

/* No wider than that of the same file in the folder that is replaced. */
static mode_t narrow(const pv_outputs *outputs, const char *name, mode_t mode)
{
    char path[2 * PV_PATH_SIZE];
    struct stat there;
    if (outputs->replaced == NULL) {
        return mode;
    }
    (void)snprintf(path, sizeof path, "%s/%s", outputs->replaced, name);
    return stat(path, &there) == 0 ? mode & there.st_mode : mode;
}

static pv_status finish_folder(pv_outputs *outputs, mode_t mask, pv_error *error)
{
    struct stat info;
    for (size_t i = 0; i < outputs->n_files; i++) {
        const char *const path = pv_i_output_path(outputs->files[i].output);
        const mode_t mode = mode_for(outputs->files[i].audience, mask);
        PV_TRY(pv_i_output_finish(outputs->files[i].output, error));
        PV_TRY(pv_i_output_settle(outputs->files[i].output, error));
        if (chmod(path, narrow(outputs, pv_i_base_name(path), mode)) != 0) {
            return pv_i_fail_errno(error, PV_STATUS_IO, outputs->placed,
                                   "cannot set the permissions");
        }
    }
    if (chmod(outputs->folder_path, narrow(outputs, ".", 0777 & ~mask)) != 0 ||
        !pv_i_folder_sync(outputs->folder_path) || stat(outputs->folder_path, &info) != 0) {
        return pv_i_fail_errno(error, PV_STATUS_IO, outputs->placed, "cannot finish the folder");
    }
    outputs->folder_mark = pv_i_file_mark(outputs->folder_path);
    return PV_STATUS_OK;
}

static pv_status finish(pv_outputs *outputs, pv_error *error)
{
    const mode_t mask = read_umask();
    for (size_t i = 0; i < outputs->n_members; i++) {
        member *const m = outputs->members[i];
        const char *const path = pv_i_output_path(m->output);
        struct stat info;
        PV_TRY(pv_i_output_finish(m->output, error));
        if (m->unnamed) {
            continue;
        }
        PV_TRY(pv_i_output_settle(m->output, error));
        PV_TRY(set_mode(path, m->claim.target, mode_for(m->audience, mask), error));
        PV_TRY(pv_i_outputs_check_existing(outputs, m->claim.target, error));
        if (stat(path, &info) != 0) {
            return pv_i_fail_errno(error, PV_STATUS_IO, m->claim.target, "cannot find the output");
        }
        m->mark = pv_i_file_mark(path);
        m->had_old = lstat(m->claim.target, &info) == 0;
    }
    return outputs->has_folder ? finish_folder(outputs, mask, error) : PV_STATUS_OK;
}

/* ---- the journal ---- */

static member *last_member(const pv_outputs *outputs)
{
    for (size_t i = outputs->n_members; i-- > 0;) {
        if (!outputs->members[i]->unnamed) {
            return outputs->members[i];
        }
    }
    return NULL;
}

static size_t n_renames(const pv_outputs *outputs)
{
    size_t n = outputs->has_folder;
    for (size_t i = 0; i < outputs->n_members; i++) {
        n += !outputs->members[i]->unnamed;
    }
    return n;
}

/* Beside the journal a name is enough; elsewhere it is the whole path, free of links. */
static pv_status name_for_journal(const char *path, const char *home, char named[PV_PATH_SIZE],
                                  pv_error *error)
{
    char folder[PV_PATH_SIZE];
    char home_folder[PV_PATH_SIZE];
    char full[PV_PATH_SIZE];
    struct stat a, b;
    (void)pv_i_folder_of(path, folder);
    (void)pv_i_folder_of(home, home_folder);
    if (stat(folder, &a) == 0 && stat(home_folder, &b) == 0 && pv_i_is_same_file(&a, &b)) {
        (void)strcpy(named, pv_i_base_name(path));
        return PV_STATUS_OK;
    }
    if (realpath(folder, full) == NULL ||
        strlen(full) + strlen(pv_i_base_name(path)) + 2 > PV_PATH_SIZE) {
        return pv_i_fail_errno(error, PV_STATUS_IO, path, "cannot find its folder");
    }
    char *const end = stpcpy(named, full);
    (void)snprintf(end, PV_PATH_SIZE - (size_t)(end - named), "/%s", pv_i_base_name(path));
    return PV_STATUS_OK;
}

/* What a member replaces is kept under a hidden name, by a second link where the file system has
 * those. */
static pv_status back_up(member *m, pv_error *error)
{
    char old[PV_PATH_SIZE];
    struct stat there;
    if (lstat(m->claim.target, &there) != 0) {
        return PV_STATUS_OK;
    }
    if (link(m->claim.target, pv_i_hidden(m->claim.stem, PV_HIDDEN_OLD, old)) == 0) {
        return PV_STATUS_OK;
    }
    m->moves_old = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK;
    return m->moves_old ? PV_STATUS_OK
                        : pv_i_fail_errno(error, PV_STATUS_IO, m->claim.target,
                                          "cannot keep the file it replaces");
}

/* Every other member gets a hint: whoever meets its hidden files first must end the journal before
 * it removes what the member replaced, in this folder as in another one. */
static pv_status leave_hint(const member *m, const member *home, pv_error *error)
{
    char stem[PV_PATH_SIZE];
    if (m == home) {
        return PV_STATUS_OK;
    }
    PV_TRY(name_for_journal(home->claim.stem, m->claim.target, stem, error));
    const pv_journal_entry hint = {.kind = PV_JOURNAL_HOME, .path = stem};
    return pv_i_journal_write(m->claim.stem, &hint, 1, error);
}

static size_t list_entries(const pv_outputs *outputs, pv_journal_entry *entries)
{
    size_t n = 0;
    for (size_t i = 0; i < outputs->n_members; i++) {
        if (!outputs->members[i]->unnamed) {
            entries[n++] = (pv_journal_entry){.kind = PV_JOURNAL_FILE,
                                              .path = outputs->members[i]->named,
                                              .mark = outputs->members[i]->mark,
                                              .had_old = outputs->members[i]->had_old};
        }
    }
    if (outputs->has_folder) {
        entries[n++] = (pv_journal_entry){.kind = PV_JOURNAL_FOLDER,
                                          .path = pv_i_base_name(outputs->placed),
                                          .mark = outputs->folder_mark};
    }
    if (outputs->replaced != NULL) {
        entries[n++] = (pv_journal_entry){.kind = PV_JOURNAL_REPLACED,
                                          .path = pv_i_base_name(outputs->replaced)};
    }
    return n;
}

static pv_status write_journal(pv_outputs *outputs, const member *home, bool keep_all,
                               pv_error *error)
{
    for (size_t i = 0; i < outputs->n_members; i++) {
        member *const m = outputs->members[i];
        if (!m->unnamed) {
            PV_TRY(name_for_journal(m->claim.target, home->claim.target, m->named, error));
            if (m != home || keep_all) {
                PV_TRY(back_up(m, error));
            }
            PV_TRY(leave_hint(m, home, error));
        }
    }
    pv_journal_entry *const entries = PV_NEW_ARRAY(pv_journal_entry, outputs->n_members + 2);
    if (entries == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status =
        pv_i_journal_write(home->claim.stem, entries, list_entries(outputs, entries), error);
    pv_i_free(entries);
    return status;
}

/* ---- renaming ---- */

static pv_status cannot_rename(const char *target, pv_error *error)
{
    return errno == EEXIST
               ? pv_i_output_exists(target, error)
               : pv_i_fail_errno(error, PV_STATUS_IO, target, "cannot rename the output");
}

/* To a name that must be free. */
static bool rename_new(const char *from, const char *to)
{
    struct stat there;
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) {
        return true;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return false;
    }
    if (lstat(to, &there) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(from, to) == 0;
}

static pv_status rename_member(const pv_outputs *outputs, const member *m, pv_error *error)
{
    char old[PV_PATH_SIZE];
    const char *const from = pv_i_output_path(m->output);
    const char *const to = m->claim.target;
    if (m->moves_old && rename(to, pv_i_hidden(m->claim.stem, PV_HIDDEN_OLD, old)) != 0) {
        return cannot_rename(to, error);
    }
    if (outputs->force ? rename(from, to) == 0 : rename_new(from, to)) {
        return PV_STATUS_OK;
    }
    /* Over a network a rename may have been made although its answer was lost. */
    const int reason = errno;
    struct stat there;
    const bool made = pv_i_file_mark(to) == m->mark && lstat(from, &there) != 0;
    errno = reason;
    return made ? PV_STATUS_OK : cannot_rename(to, error);
}

static pv_status sync_folder_of(const char *path, pv_error *error)
{
    char folder[PV_PATH_SIZE];
    return pv_i_folder_sync(pv_i_folder_of(path, folder))
               ? PV_STATUS_OK
               : pv_i_fail_errno(error, PV_STATUS_IO, path, "cannot flush its folder");
}

/* All but the one that decides, and flushed: that one must never be there without them. */
static pv_status rename_others(const pv_outputs *outputs, const member *home, pv_error *error)
{
    for (size_t i = 0; i < outputs->n_members; i++) {
        const member *const m = outputs->members[i];
        if (!m->unnamed && m != home) {
            PV_TRY(rename_member(outputs, m, error));
            PV_TRY(sync_folder_of(m->claim.target, error));
        }
    }
    if (outputs->has_folder) {
        if (!rename_new(outputs->folder_path, outputs->placed)) {
            return cannot_rename(outputs->placed, error);
        }
        PV_TRY(sync_folder_of(outputs->placed, error));
    }
    return PV_STATUS_OK;
}

/* ---- undoing and tidying up ---- */

/* Back to the old state. Where that fails the journal stays, and the hidden files with it. */
static void undo(pv_outputs *outputs)
{
    bool undone = true;
    for (size_t i = outputs->n_members; i-- > 0;) {
        const member *const m = outputs->members[i];
        const pv_journal_entry entry = {.kind = PV_JOURNAL_FILE,
                                        .path = m->claim.target,
                                        .mark = m->mark,
                                        .had_old = m->had_old};
        undone = (m->unnamed || pv_i_journal_undo(&entry)) && undone;
    }
    if (outputs->has_folder && outputs->placed != NULL) {
        const pv_journal_entry entry = {
            .kind = PV_JOURNAL_FOLDER, .path = outputs->placed, .mark = outputs->folder_mark};
        undone = pv_i_journal_undo(&entry) && undone;
    }
    outputs->abandoned = !undone;
}

/* Flushes the folders of all members, in which something may have been undone. */
static bool flush_undone(const pv_outputs *outputs)
{
    char folder[PV_PATH_SIZE];
    bool flushed = true;
    for (size_t i = 0; i < outputs->n_members && flushed; i++) {
        flushed = pv_i_folder_sync(pv_i_folder_of(outputs->members[i]->claim.target, folder));
    }
    return flushed;
}

/* The journal goes last, and its going is flushed: it must not come back to life after a loss of
 * power and be taken for that of a later commit. But it must not be gone for good before what it
 * tells of is on disk: where that cannot be flushed, its going is not flushed, either. */
static void remove_journals(pv_outputs *outputs, const member *home)
{
    char path[PV_PATH_SIZE];
    char folder[PV_PATH_SIZE];
    const bool flushed = flush_undone(outputs);
    (void)unlink(pv_i_hidden(home->claim.stem, PV_HIDDEN_JOURNAL, path));
    if (flushed) {
        (void)pv_i_folder_sync(pv_i_folder_of(path, folder));
    }
    for (size_t i = 0; i < outputs->n_members; i++) {
        (void)unlink(pv_i_hidden(outputs->members[i]->claim.stem, PV_HIDDEN_JOURNAL, path));
    }
}

/* What cannot be removed now is left to the next writer, who finds the journal. */
static void tidy_up(pv_outputs *outputs)
{
    bool tidied = true;
    for (size_t i = 0; i < outputs->n_members; i++) {
        const pv_journal_entry entry = {.kind = PV_JOURNAL_FILE,
                                        .path = outputs->members[i]->claim.target};
        tidied = pv_i_journal_tidy(&entry, true) && tidied;
    }
    if (outputs->replaced != NULL) {
        const pv_journal_entry entry = {.kind = PV_JOURNAL_REPLACED, .path = outputs->replaced};
        tidied = pv_i_journal_tidy(&entry, true) && tidied;
    }
    outputs->abandoned = !tidied;
}

static pv_status rename_all(pv_outputs *outputs, const member *home,
                            pv_status (*last)(void *ctx, pv_error *error), void *ctx,
                            pv_error *error)
{
    PV_TRY(rename_others(outputs, home, error));
    if (home != NULL) {
        PV_TRY(rename_member(outputs, home, error));
    }
    return last != NULL ? last(ctx, error) : PV_STATUS_OK;
}

pv_status pv_i_outputs_commit(pv_outputs *outputs, pv_status (*last)(void *ctx, pv_error *error),
                              void *ctx, pv_error *error)
{
    const member *const home = last_member(outputs);
    PV_TRY(finish(outputs, error));
    const bool journaled = home != NULL && n_renames(outputs) + (last != NULL) > 1;
    pv_status status = journaled ? write_journal(outputs, home, last != NULL, error) : PV_STATUS_OK;
    if (status == PV_STATUS_OK) {
        status = rename_all(outputs, home, last, ctx, error);
    }
    if (status != PV_STATUS_OK) {
        undo(outputs);
    } else if (home != NULL) {
        /* From here on the new state stands, whatever happens. */
        status = sync_folder_of(home->claim.target, error);
        tidy_up(outputs);
    }
    if (journaled && !outputs->abandoned) {
        remove_journals(outputs, home);
    }
    return status;
}

pv_status pv_outputs_commit(pv_outputs *outputs, pv_error *error)
{
    return pv_i_outputs_commit(outputs, NULL, NULL, error);
}
