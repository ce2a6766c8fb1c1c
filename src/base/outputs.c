/* Sets of outputs: claiming names and guarding what exists. How they get their names is in
 * commit.c.
 */
#include "base/outputs_set.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

void pv_outputs_free(pv_outputs *outputs)
{
    if (outputs == NULL) {
        return;
    }
    pv_i_output_free(outputs->scratch);
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

bool pv_i_outputs_may_replace(const pv_outputs *outputs)
{
    return outputs->force;
}

bool pv_i_is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static pv_status is_an_input(const char *path, pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_ARGUMENT, path, 0, 0,
                                  "is one of the inputs of this command, and would be overwritten"),
                     error, "choose another name for the output");
}

pv_status pv_i_output_exists(const char *path, pv_error *error)
{
    return pv_i_hint_phrases(
        pv_i_fail_at(error, PV_STATUS_EXISTS, path, 0, 0, "the output exists already"), error,
        "choose another name, or @", PV_PHRASE_OVERWRITE, PV_PHRASE_NONE);
}

/* Also where neither exists yet: the same name in the same folder. */
static bool is_same_target(const char *a, const char *b)
{
    char folder[PV_PATH_SIZE];
    struct stat first, second;
    if (stat(a, &first) == 0 && stat(b, &second) == 0) {
        return pv_i_is_same_file(&first, &second);
    }
    return strcmp(pv_i_base_name(a), pv_i_base_name(b)) == 0 &&
           stat(pv_i_folder_of(a, folder), &first) == 0 &&
           stat(pv_i_folder_of(b, folder), &second) == 0 && pv_i_is_same_file(&first, &second);
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

/* The journal of a session in use is a part of it. The session itself cannot be claimed. */
static bool is_part_of_session(const char *path)
{
    static const char *const parts[] = {"-journal", "-wal", "-shm"};
    char whole[PV_PATH_SIZE];
    const size_t length = strlen(path);
    bool is_part = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !is_part; i++) {
        const size_t n = strlen(parts[i]);
        if (length > n && length < PV_PATH_SIZE && strcmp(path + length - n, parts[i]) == 0) {
            memcpy(whole, path, length - n);
            whole[length - n] = '\0';
            is_part = pv_i_claim_is_held(whole);
        }
    }
    return is_part;
}

/* Whatever stands there now: may it be replaced? */
pv_status pv_i_outputs_check_existing(const pv_outputs *outputs, const char *path, pv_error *error)
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
    if (is_part_of_session(path)) {
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_ARGUMENT, path, 0, 0, "is a part of a session in use"),
            error, "choose another name for the output");
    }
    if (!outputs->force && lstat(path, &info) == 0) {
        return pv_i_output_exists(path, error);
    }
    return PV_STATUS_OK;
}

/* Line ends and their like would break lists of names, such as SHA256SUMS. */
static bool has_control(const char *name)
{
    for (; *name != '\0'; name++) {
        if ((unsigned char)*name < ' ' || *name == 0x7f) {
            return true;
        }
    }
    return false;
}

/* Where names stand for devices and open files, also as links: /dev/stdout. */
static bool is_for_devices(const char *path)
{
    char folder[PV_PATH_SIZE];
    char full[PV_PATH_SIZE];
    return realpath(pv_i_folder_of(path, folder), full) != NULL &&
           (strcmp(full, "/dev") == 0 || strncmp(full, "/proc", 5) == 0);
}

static pv_status check_target(const pv_outputs *outputs, const char *path, pv_error *error)
{
    if (strlen(path) >= PV_PATH_SIZE || *pv_i_base_name(path) == '\0' ||
        has_control(pv_i_base_name(path)) || is_for_devices(path)) {
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
    return pv_i_outputs_check_existing(outputs, path, error);
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
    return pv_i_outputs_check_existing(outputs, path, error);
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
    pv_i_output_free(outputs->scratch);
    outputs->scratch = NULL;
    PV_TRY(pv_i_output_create_nameless(given != NULL && given[0] != '\0' ? given : "/tmp",
                                       &outputs->scratch, error));
    *output = outputs->scratch;
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

bool pv_i_outputs_reads_from(const pv_outputs *outputs, const char *folder)
{
    struct stat wanted, found;
    bool reads = false;
    for (size_t i = 0; i < outputs->n_inputs && !reads; i++) {
        char of_input[PV_PATH_SIZE];
        reads = stat(folder, &wanted) == 0 &&
                stat(pv_i_folder_of(outputs->inputs[i], of_input), &found) == 0 &&
                pv_i_is_same_file(&wanted, &found);
    }
    return reads;
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
