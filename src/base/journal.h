/* The journal of several renames that are to be one step.
 *
 * It stands beside the file that is renamed last, which is the commit point, from before the first
 * rename until after the last:
 *
 *     back up -> JOURNAL -> rename, rename, ... -> rename the last -> tidy up -> no journal
 *
 * Whoever finds the journal of a dead writer knows from that file's hidden name how far it came.
 * Still there: the renames are undone, the old state is back. Gone: it was renamed, so all were,
 * and what the new state replaced is removed. */
#ifndef PV_BASE_JOURNAL_H
#define PV_BASE_JOURNAL_H

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum pv_journal_kind {
    PV_JOURNAL_FILE,     /* a file that is renamed to `path`; what was there is kept as .old */
    PV_JOURNAL_FOLDER,   /* a folder that is renamed to `path`, where nothing was */
    PV_JOURNAL_REPLACED, /* a folder that belongs to the old state only */
    PV_JOURNAL_HOME      /* no journal: a hint that the one with stem `path` concerns this file */
} pv_journal_kind;

typedef struct pv_journal_entry {
    pv_journal_kind kind;
    const char *path; /* without a folder: beside the journal */
    uint64_t mark;    /* of the new file or folder: only what we put there is ever taken away */
    bool had_old;     /* a file: was there one before? Then it is not taken away without that */
} pv_journal_entry;

/* What tells a file from others, also in a copy of it: its time and size. A folder's time changes
 * when its removal begins: it is known by its inode. Never 0; 0 = there is nothing. */
uint64_t pv_i_file_mark(const char *path);

/* Writes the journal of the hidden stem and flushes it. */
PV_CHECKED pv_status pv_i_journal_write(const char *stem, const pv_journal_entry *entries, size_t n,
                                        pv_error *error);
/* Undoes one entry; what was never done stays as it is. False if it cannot be undone now. */
bool pv_i_journal_undo(const pv_journal_entry *entry);
/* Removes what an entry keeps of the old state. */
bool pv_i_journal_tidy(const pv_journal_entry *entry, bool committed);
/* Brings the journal of a dead writer to its end, if there is one. The caller has its lock. False
 * if that is impossible now: then it is still there. */
bool pv_i_journal_settle(const char *stem);

#endif
