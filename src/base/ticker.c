/* Rate-limited progress: the only place that decides how often a caller is called back. The coarse
 * clock costs a few nanoseconds, so that loops may ask after every few microseconds of work. */
#include "base/ticker.h"

#include "base/error.h"

#include <time.h>

#define INTERVAL_NS UINT64_C(100000000)

static uint64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

pv_ticker pv_i_ticker(const pv_context *context, const char *phase, uint64_t total)
{
    return (pv_ticker){.context = context, .phase = phase, .total = total, .next_ns = 0};
}

static bool report(const pv_ticker *ticker, uint64_t done)
{
    const bool noted = ticker->note != NULL && ticker->note[0] != '\0';
    const pv_progress progress = {.phase = ticker->phase,
                                  .done = done,
                                  .total = ticker->total,
                                  .note = noted ? ticker->note : NULL};
    return ticker->context->progress(ticker->context->progress_ctx, &progress);
}

bool pv_i_tick(pv_ticker *ticker, uint64_t done)
{
    if (ticker->context == NULL || ticker->context->progress == NULL) {
        return true;
    }
    const uint64_t now = now_ns();
    if (now < ticker->next_ns) {
        return true;
    }
    ticker->next_ns = now + INTERVAL_NS;
    return report(ticker, done);
}

bool pv_i_tick_end(pv_ticker *ticker)
{
    if (ticker->context == NULL || ticker->context->progress == NULL) {
        return true;
    }
    return report(ticker, ticker->total);
}

pv_status pv_i_cancelled(pv_error *error)
{
    return pv_i_fail(error, PV_STATUS_CANCELLED, "interrupted; nothing was written");
}
