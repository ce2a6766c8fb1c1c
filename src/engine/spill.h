/* A folder for what an engine in this process cannot keep in memory. It may hold people's data:
 * only its owner can read it, and it is gone when the work is. What a killed process leaves is
 * removed by the next one that makes such a folder: its lock died with it. */
#ifndef PV_ENGINE_SPILL_H
#define PV_ENGINE_SPILL_H

#include <paravent/status.h>

/* Zero-initialised = none. */
typedef struct pv_spill {
    char *path; /* owned */
    int lock;   /* the folder itself, opened and locked; meaningful if there is a path */
} pv_spill;

/* Below TMPDIR, or /var/tmp, which is on a disk where /tmp may be in memory. */
PV_CHECKED pv_status pv_i_spill_create(pv_spill *spill, pv_error *error);
void pv_i_spill_remove(pv_spill *spill); /* with all that is in it */

#endif
