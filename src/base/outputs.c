/* Sets of outputs: guarding what exists, and the commit.
 *
 * One rename is one step by itself. Several are made one by a journal (journal.h): if one of them
 * fails, those before it are undone at once; if the process dies, the next writer undoes them. */
#include "base/outputs.h"

#include "base/claim.h"
#include "base/error.h"
#include "base/journal.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A file of the set, written under the hidden name of its claim. */
typedef struct member {
    pv_claim claim;
    pv_output *output;
    pv_audience audience;
    bool unnamed;             /* gets no name: scratch, or claimed but not written yet */
    bool moves_old;           /* what it replaces cannot be linked, only moved */
    char named[PV_PATH_SIZE]; /* as the journal calls it */
    uint64_t inode;
} member;

typedef struct within {
    pv_output *output;
    pv_audience audience;
} within;

struct pv_outputs {
    bool force;
    bool abandoned; /* undoing failed: the journal stays for the next writer */
    member **members;
    size_t n_members, members_capacity;
    char **inputs;
    size_t n_inputs, inputs_capacity;
    /* The folder, if there is one: */
    bool has_folder;
    pv_claim folder;
    char folder_path[PV_PATH_SIZE]; /* hidden */
    char *placed, *replaced;
    uint64_t folder_inode;
    within *files;
    size_t n_files, files_capacity;
};

pv_status pv_outputs_create(bool force, pv_outputs **outputs, pv_error *error)
{
    pv_outputs *const made = PV_NEW(pv_outputs);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    made->force = force;
    *outputs = made;
    return PV_STATUS_OK;
}

bool pv_i_outputs_force(const pv_outputs *outputs)
{
    return outputs->force;
}

void pv_outputs_free(pv_outputs *outputs)
{
    if (outputs == NULL) {
        return;
    }
    for (size_t i = 0; i < outputs->n_files; i++) {
        pv_i_output_free(outputs->files[i].output);
    }
    if (outputs->has_folder) {
        (outputs->abandoned ? pv_i_claim_abandon : pv_i_claim_release)(&outputs->folder);
    }
    for (size_t i = 0; i < outputs->n_members; i++) {
        member *const m = outputs->members[i];
        pv_i_output_free(m->output);
        (outputs->abandoned ? pv_i_claim_abandon : pv_i_claim_release)(&m->claim);
        pv_i_free(m);
    }
    for (size_t i = 0; i < outputs->n_inputs; i++) {
        pv_i_free(outputs->inputs[i]);
    }
    pv_i_free(outputs->members);
    pv_i_free(outputs->inputs);
    pv_i_free(outputs->placed);
    pv_i_free(outputs->replaced);
    pv_i_free(outputs->files);
    pv_i_free(outputs);
}

/* ---- guarding what exists ---- */

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static const char *name_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static pv_status is_an_input(const char *path, pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_ARGUMENT, path, 0, 0,
                                  "is one of the inputs of this command, and would be overwritten"),
                     error, "choose another name for the output");
}

static pv_status already_there(const char *path, pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_EXISTS, path, 0, 0, "the output exists already"),
                     error, "choose another name, or allow overwriting with --force");
}

/* Also where neither exists yet: the same name in the same folder. */
static bool is_same_target(const char *a, const char *b)
{
    char folder[PV_PATH_SIZE];
    struct stat first, second;
    if (stat(a, &first) == 0 && stat(b, &second) == 0) {
        return is_same(&first, &second);
    }
    return strcmp(name_of(a), name_of(b)) == 0 && stat(pv_i_folder_of(a, folder), &first) == 0 &&
           stat(pv_i_folder_of(b, folder), &second) == 0 && is_same(&first, &second);
}

static pv_status refuse_kind(const char *path, mode_t mode, pv_error *error)
{
    const char *const kind = S_ISDIR(mode)    ? "a folder"
                             : S_ISFIFO(mode) ? "a pipe"
                             : S_ISSOCK(mode) ? "a socket"
                                              : "a device";
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_ARGUMENT, path, 0, 0,
                                  "is %s, which no output can replace", kind),
                     error,
                     S_ISDIR(mode) ? "name a file in it"
                                   : "name a plain file; - is standard output where it is allowed");
}

/* Whatever stands there now: may it be replaced? */
static pv_status check_existing(const pv_outputs *outputs, const char *path, pv_error *error)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return refuse_kind(path, info.st_mode, error);
    }
    for (size_t i = 0; i < outputs->n_inputs; i++) {
        if (is_same_target(path, outputs->inputs[i])) {
            return is_an_input(path, error);
        }
    }
    if (!outputs->force && lstat(path, &info) == 0) {
        return already_there(path, error);
    }
    return PV_STATUS_OK;
}

static pv_status check_target(const pv_outputs *outputs, const char *path, pv_error *error)
{
    if (strlen(path) >= PV_PATH_SIZE || *name_of(path) == '\0') {
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_ARGUMENT, path, 0, 0, "is no name an output can have"),
            error, "name a file");
    }
    for (size_t i = 0; i < outputs->n_members; i++) {
        if (is_same_target(path, outputs->members[i]->claim.target)) {
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_ARGUMENT, path, 0, 0,
                                          "is named for two outputs of this command"),
                             error, "give each of them a name of its own");
        }
    }
    return check_existing(outputs, path, error);
}

pv_status pv_outputs_protect(pv_outputs *outputs, const char *path, pv_error *error)
{
    if (path == NULL || strlen(path) >= PV_PATH_SIZE) {
        return PV_STATUS_OK;
    }
    for (size_t i = 0; i < outputs->n_members; i++) {
        const char *const target = outputs->members[i]->claim.target;
        if (is_same_target(target, path)) {
            return is_an_input(target, error);
        }
    }
    if (!pv_i_reserve((void **)&outputs->inputs, &outputs->inputs_capacity, outputs->n_inputs + 1,
                      sizeof *outputs->inputs)) {
        return pv_i_no_memory(error);
    }
    char *const copy = pv_i_strdup(path);
    if (copy == NULL) {
        return pv_i_no_memory(error);
    }
    outputs->inputs[outputs->n_inputs++] = copy;
    return PV_STATUS_OK;
}

/* ---- adding ---- */

static pv_status add_member(pv_outputs *outputs, const char *path, member **made, pv_error *error)
{
    char hidden[PV_PATH_SIZE];
    if (!pv_i_reserve((void **)&outputs->members, &outputs->members_capacity,
                      outputs->n_members + 1, sizeof(member *))) {
        return pv_i_no_memory(error);
    }
    member *const m = PV_NEW(member);
    if (m == NULL) {
        return pv_i_no_memory(error);
    }
    pv_status status = pv_i_claim(&m->claim, path, error);
    if (status == PV_STATUS_OK) {
        status = pv_i_output_create(pv_i_hidden(m->claim.stem, PV_HIDDEN_FILE, hidden), path,
                                    &m->output, error);
    }
    if (status != PV_STATUS_OK) {
        pv_i_claim_release(&m->claim);
        pv_i_free(m);
        return status;
    }
    outputs->members[outputs->n_members++] = m;
    *made = m;
    return PV_STATUS_OK;
}

/* A member by its path as given; NULL = there is none. */
static member *find_member(const pv_outputs *outputs, const char *path)
{
    for (size_t i = 0; i < outputs->n_members; i++) {
        if (strcmp(outputs->members[i]->claim.target, path) == 0) {
            return outputs->members[i];
        }
    }
    return NULL;
}

pv_status pv_outputs_add(pv_outputs *outputs, const char *path, pv_audience audience,
                         pv_error *error)
{
    member *m = NULL;
    PV_TRY(check_target(outputs, path, error));
    PV_TRY(add_member(outputs, path, &m, error));
    m->audience = audience;
    m->unnamed = true;
    /* Another writer may have been faster, and the claim may have brought an old state back. */
    return check_existing(outputs, path, error);
}

static void move_to_end(pv_outputs *outputs, member *m)
{
    size_t to = 0;
    for (size_t i = 0; i < outputs->n_members; i++) {
        outputs->members[to] = outputs->members[i];
        to += outputs->members[i] != m;
    }
    outputs->members[to] = m;
}

pv_status pv_i_outputs_open(pv_outputs *outputs, const char *path, pv_audience audience,
                            pv_output **output, pv_error *error)
{
    member *m = find_member(outputs, path);
    if (m == NULL || !m->unnamed) {
        PV_TRY(pv_outputs_add(outputs, path, audience, error));
        m = find_member(outputs, path);
    }
    move_to_end(outputs, m);
    m->unnamed = false;
    *output = m->output;
    return PV_STATUS_OK;
}

pv_status pv_i_outputs_scratch(pv_outputs *outputs, pv_output **output, pv_error *error)
{
    const char *const given = getenv("TMPDIR");
    const char *const folder = given != NULL && given[0] != '\0' ? given : "/tmp";
    char path[PV_PATH_SIZE];
    struct timespec now = {0};
    member *m = NULL;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (snprintf(path, sizeof path, "%s/paravent-%ld-%ld", folder, (long)getpid(),
                 (long)now.tv_nsec) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return pv_i_fail_errno(error, PV_STATUS_IO, "TMPDIR", "cannot create a temporary file");
    }
    PV_TRY(add_member(outputs, path, &m, error));
    m->unnamed = true;
    *output = m->output;
    return PV_STATUS_OK;
}

pv_status pv_outputs_text(pv_outputs *outputs, const char *path, const char *text, pv_error *error)
{
    member *const m = find_member(outputs, path);
    if (m == NULL) {
        return pv_i_fail_at(error, PV_STATUS_ARGUMENT, path, 0, 0, "is no output of this set");
    }
    m->unnamed = false;
    return pv_i_output_write(m->output, text, strlen(text), error);
}

/* ---- the folder ---- */

pv_status pv_i_outputs_folder(pv_outputs *outputs, const char *claimed, pv_error *error)
{
    PV_TRY(pv_i_claim(&outputs->folder, claimed, error));
    outputs->has_folder = true;
    (void)pv_i_hidden(outputs->folder.stem, PV_HIDDEN_FOLDER, outputs->folder_path);
    return mkdir(outputs->folder_path, 0700) == 0
               ? PV_STATUS_OK
               : pv_i_fail_errno(error, PV_STATUS_IO, claimed, "cannot make the folder");
}

pv_status pv_i_outputs_open_within(pv_outputs *outputs, const char *name, pv_audience audience,
                                   pv_output **output, pv_error *error)
{
    char path[2 * PV_PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/%s", outputs->folder_path, name);
    if (!pv_i_reserve((void **)&outputs->files, &outputs->files_capacity, outputs->n_files + 1,
                      sizeof *outputs->files)) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_output_create(path, name, output, error));
    outputs->files[outputs->n_files++] = (within){.output = *output, .audience = audience};
    return PV_STATUS_OK;
}

pv_status pv_i_outputs_place(pv_outputs *outputs, const char *path, const char *replaced,
                             pv_error *error)
{
    pv_i_free(outputs->placed);
    pv_i_free(outputs->replaced);
    outputs->placed = pv_i_strdup(path);
    outputs->replaced = replaced != NULL ? pv_i_strdup(replaced) : NULL;
    return outputs->placed == NULL || (replaced != NULL && outputs->replaced == NULL)
               ? pv_i_no_memory(error)
               : PV_STATUS_OK;
}

/* ---- commit: finishing ---- */

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

static pv_status finish_folder(pv_outputs *outputs, mode_t mask, pv_error *error)
{
    struct stat info;
    for (size_t i = 0; i < outputs->n_files; i++) {
        const char *const path = pv_i_output_path(outputs->files[i].output);
        PV_TRY(pv_i_output_finish(outputs->files[i].output, error));
        PV_TRY(pv_i_output_settle(outputs->files[i].output, error));
        if (chmod(path, mode_for(outputs->files[i].audience, mask)) != 0) {
            return pv_i_fail_errno(error, PV_STATUS_IO, outputs->placed,
                                   "cannot set the permissions");
        }
    }
    if (chmod(outputs->folder_path, 0777 & ~mask) != 0 || !pv_i_folder_sync(outputs->folder_path) ||
        stat(outputs->folder_path, &info) != 0) {
        return pv_i_fail_errno(error, PV_STATUS_IO, outputs->placed, "cannot finish the folder");
    }
    outputs->folder_inode = (uint64_t)info.st_ino;
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
        PV_TRY(check_existing(outputs, m->claim.target, error));
        if (stat(path, &info) != 0) {
            return pv_i_fail_errno(error, PV_STATUS_IO, m->claim.target, "cannot find the output");
        }
        m->inode = (uint64_t)info.st_ino;
    }
    return outputs->has_folder ? finish_folder(outputs, mask, error) : PV_STATUS_OK;
}

/* ---- commit: the journal ---- */

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
    if (stat(folder, &a) == 0 && stat(home_folder, &b) == 0 && is_same(&a, &b)) {
        (void)strcpy(named, name_of(path));
        return PV_STATUS_OK;
    }
    if (realpath(folder, full) == NULL || strlen(full) + strlen(name_of(path)) + 2 > PV_PATH_SIZE) {
        return pv_i_fail_errno(error, PV_STATUS_IO, path, "cannot find its folder");
    }
    char *const end = stpcpy(named, full);
    (void)snprintf(end, PV_PATH_SIZE - (size_t)(end - named), "/%s", name_of(path));
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
                                              .inode = outputs->members[i]->inode};
        }
    }
    if (outputs->has_folder) {
        entries[n++] = (pv_journal_entry){.kind = PV_JOURNAL_FOLDER,
                                          .path = name_of(outputs->placed),
                                          .inode = outputs->folder_inode};
    }
    if (outputs->replaced != NULL) {
        entries[n++] =
            (pv_journal_entry){.kind = PV_JOURNAL_REPLACED, .path = name_of(outputs->replaced)};
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

/* ---- commit: renaming ---- */

static pv_status cannot_rename(const char *target, pv_error *error)
{
    return errno == EEXIST
               ? already_there(target, error)
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
    const bool made = lstat(to, &there) == 0 && (uint64_t)there.st_ino == m->inode;
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

/* ---- commit: undoing and tidying up ---- */

/* Back to the old state. Where that fails the journal stays, and the hidden files with it. */
static void undo(pv_outputs *outputs)
{
    bool undone = true;
    for (size_t i = outputs->n_members; i-- > 0;) {
        const member *const m = outputs->members[i];
        const pv_journal_entry entry = {
            .kind = PV_JOURNAL_FILE, .path = m->claim.target, .inode = m->inode};
        undone = (m->unnamed || pv_i_journal_undo(&entry)) && undone;
    }
    if (outputs->has_folder && outputs->placed != NULL) {
        const pv_journal_entry entry = {
            .kind = PV_JOURNAL_FOLDER, .path = outputs->placed, .inode = outputs->folder_inode};
        undone = pv_i_journal_undo(&entry) && undone;
    }
    outputs->abandoned = !undone;
}

/* The journal goes last, and its going is flushed: it must not come back to life after a loss of
 * power and be taken for that of a later commit. */
static void remove_journals(pv_outputs *outputs, const member *home)
{
    char path[PV_PATH_SIZE];
    char folder[PV_PATH_SIZE];
    (void)unlink(pv_i_hidden(home->claim.stem, PV_HIDDEN_JOURNAL, path));
    (void)pv_i_folder_sync(pv_i_folder_of(path, folder));
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

pv_status pv_text_write(const char *path, const char *text, pv_audience audience, bool force,
                        pv_error *error)
{
    pv_outputs *outputs = NULL;
    PV_TRY(pv_outputs_create(force, &outputs, error));
    pv_status status = pv_outputs_add(outputs, path, audience, error);
    if (status == PV_STATUS_OK) {
        status = pv_outputs_text(outputs, path, text, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_outputs_commit(outputs, error);
    }
    pv_outputs_free(outputs);
    return status;
}
