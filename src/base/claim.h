/* A claim on the name of an output: whoever holds it is the only writer of that name.
 *
 * While out/release.csv is being written, these may stand beside it, H being a hash of the name:
 *
 *     .paravent-H.lock      locked by the writer; the lock dies with its process
 *     .paravent-H.tmp       the new content, for its owner's eyes only
 *     .paravent-H.papers    a folder that will appear together with it
 *     .paravent-H.old       what the name held before, until it is known that it is not needed
 *     .paravent-H.gone      a folder being removed
 *     .paravent-H.journal   what is being renamed (journal.h)
 *
 * None of these names looks like a release. Whoever finds such a lock free knows that its writer
 * is dead, takes the lock, brings to an end what the journal tells, and removes the rest. Every
 * writer does so for the whole folder before it writes there. */
#ifndef PV_BASE_CLAIM_H
#define PV_BASE_CLAIM_H

#include <limits.h>
#include <paravent/status.h>
#include <stdbool.h>

#define PV_PATH_SIZE PATH_MAX

typedef struct pv_claim {
    char target[PV_PATH_SIZE];
    char stem[PV_PATH_SIZE]; /* FOLDER/.paravent-H: hidden names are this and an ending */
    int lock;                /* -1 = not held */
} pv_claim;

/* The endings. */
#define PV_HIDDEN_LOCK ".lock"
#define PV_HIDDEN_FILE ".tmp"
#define PV_HIDDEN_FOLDER ".papers"
#define PV_HIDDEN_OLD ".old"
#define PV_HIDDEN_GONE ".gone"
#define PV_HIDDEN_JOURNAL ".journal"

/* stem + ending, into `path`, which is returned. */
const char *pv_i_hidden(const char *stem, const char *ending, char path[PV_PATH_SIZE]);
/* The stem of the hidden names beside `target`; false if the path is too long. */
bool pv_i_hidden_stem(const char *target, char stem[PV_PATH_SIZE]);
/* The folder of a path, "." if it names none, into `folder`, which is returned. */
const char *pv_i_folder_of(const char *path, char folder[PV_PATH_SIZE]);

/* Claims the name and sweeps its folder. PV_STATUS_IO: another process is writing it, or the
 * folder does not let us. */
PV_CHECKED pv_status pv_i_claim(pv_claim *claim, const char *target, pv_error *error);
/* Removes what is left of the hidden files and gives the name free. Not held = nothing happens. */
void pv_i_claim_release(pv_claim *claim);
/* Gives the name free but leaves everything as it is, for the next writer to bring to an end. */
void pv_i_claim_abandon(pv_claim *claim);

/* For a file that is kept in use, such as a session: nobody can claim its name meanwhile, but
 * others may share it. Where nothing can be locked, it is used all the same. */
PV_CHECKED pv_status pv_i_claim_share(pv_claim *claim, const char *target, pv_error *error);
void pv_i_claim_unshare(pv_claim *claim);
/* Is the name claimed or shared by anyone? */
bool pv_i_claim_is_held(const char *target);

/* Takes the lock of a dead writer and ends its work; false if the lock is held or in vain. */
bool pv_i_claim_settle(const char *stem);

/* Is it a plain file or folder, no link, of the user who runs us? */
bool pv_i_is_ours(const char *path);

/* Flushes the entries of a folder: renames survive a loss of power from then on. */
bool pv_i_folder_sync(const char *folder);
/* Removes a folder of plain files, through the hidden name `gone`, so that it is never seen half
 * empty. False if it stays. */
bool pv_i_folder_discard(const char *path, const char *gone);

#endif
