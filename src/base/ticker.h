/* Rate-limited progress: the library's side of pv_context. */
#ifndef PV_BASE_TICKER_H
#define PV_BASE_TICKER_H

#include <paravent/context.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct pv_ticker {
    const pv_context *context;
    const char *phase;
    uint64_t total;
    uint64_t next_ns; /* when the callback may be called again */
    const char *note; /* what was found so far, for people; NULL or empty = nothing */
} pv_ticker;

/* Announces a phase. `context` may be NULL. */
pv_ticker pv_i_ticker(const pv_context *context, const char *phase, uint64_t total);

/* Reports progress if it is time to; false means: stop, the caller asked for it. To be called on
 * the thread that called the library, as often as every few microseconds. */
bool pv_i_tick(pv_ticker *ticker, uint64_t done);

/* Reports the end of the phase whatever the time. False means stop. */
bool pv_i_tick_end(pv_ticker *ticker);

PV_CHECKED pv_status pv_i_cancelled(pv_error *error);

#endif
