/* What went wrong on some thread: of several failures the first one is told. */
#ifndef PV_BASE_FAILURE_H
#define PV_BASE_FAILURE_H

#include "base/error.h"
#include "base/ticker.h"

#include <stdatomic.h>

/* Zero-initialised = none yet. */
typedef struct pv_failure {
    atomic_int status; /* a pv_status */
} pv_failure;

static inline void pv_i_failure_note(pv_failure *failure, pv_status status)
{
    int none = PV_STATUS_OK;
    (void)atomic_compare_exchange_strong(&failure->status, &none, (int)status);
}

/* For loops that should end soon after it. */
static inline bool pv_i_has_failed(pv_failure *failure)
{
    return atomic_load_explicit(&failure->status, memory_order_relaxed) != PV_STATUS_OK;
}

/* When all threads are done: cancelled, or out of memory. */
PV_CHECKED static inline pv_status pv_i_failure_tell(pv_failure *failure, pv_error *error)
{
    switch (atomic_load(&failure->status)) {
    case PV_STATUS_OK: return PV_STATUS_OK;
    case PV_STATUS_CANCELLED: return pv_i_cancelled(error);
    default: return pv_i_no_memory(error);
    }
}

#endif
