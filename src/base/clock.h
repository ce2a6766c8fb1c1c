/* How long something took. What is computed never depends on it, except where a limit in seconds
 * was asked for. */
#ifndef PV_BASE_CLOCK_H
#define PV_BASE_CLOCK_H

#include <time.h>

/* Seconds since some moment in the past: only differences mean something. */
static inline double pv_i_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
