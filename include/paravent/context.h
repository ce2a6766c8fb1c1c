/* What every long-running call shares: how many threads, and who hears of progress. */
#ifndef PARAVENT_CONTEXT_H
#define PARAVENT_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pv_progress {
    const char *phase; /* "reading", "grouping", ...; a constant string */
    uint64_t done;     /* in units of the phase (bytes, rows, ...) */
    uint64_t total;    /* 0 = not known */
    const char *note;  /* what was found so far, for people; valid for the call; NULL = nothing */
} pv_progress;

/* Called on the caller's thread only, at most about ten times a second. Returning false stops the
 * work; the call then returns PV_STATUS_CANCELLED and leaves nothing behind. */
typedef bool (*pv_progress_fn)(void *ctx, const pv_progress *progress);

/* Zero-initialised = all defaults. A NULL context pointer means the same. */
typedef struct pv_context {
    unsigned threads;        /* 1..256; 0 = as many as the machine has processors */
    pv_progress_fn progress; /* NULL = silent and not cancellable */
    void *progress_ctx;
} pv_context;

/* Why a search ended. */
typedef enum pv_stop {
    PV_STOP_FINISHED = 0,
    PV_STOP_CANCELLED,   /* the progress callback asked to stop */
    PV_STOP_TIME,        /* max_seconds, or the seconds for proofs */
    PV_STOP_EVALUATIONS, /* max_evaluations, or the nodes for proofs */
    PV_STOP_STALLED,     /* nothing new appeared for a while */
} pv_stop;

#ifdef __cplusplus
}
#endif
#endif
