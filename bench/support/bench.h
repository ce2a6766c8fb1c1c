/* What every benchmark needs besides a clock (base/clock.h): its memory, a way to give up, a file
 * to write to. */
#ifndef PV_BENCH_SUPPORT_H
#define PV_BENCH_SUPPORT_H

#include "base/clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static inline double bench_peak_megabytes(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static inline void bench_require(bool holds, const char *what)
{
    if (!holds) {
        (void)fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

static inline FILE *bench_create_in(const char *folder, const char *name)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    return file;
}

#endif
