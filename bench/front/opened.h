/* A plan, opened: from the file to the profile, all that a search starts from. */
#ifndef PV_BENCH_OPENED_H
#define PV_BENCH_OPENED_H

#include "support/bench.h"

#include <paravent/paravent.h>

typedef struct {
    pv_plan *plan;
    pv_study *study;
    pv_profile *profile;
} opened;

static inline opened open_plan(const char *path)
{
    opened o = {0};
    pv_error error = {0};
    bench_require(pv_plan_read(path, &o.plan, &error) == PV_STATUS_OK &&
                      pv_study_open(o.plan, NULL, NULL, &o.study, &error) == PV_STATUS_OK &&
                      pv_profile_create(o.study, NULL, &o.profile, &error) == PV_STATUS_OK,
                  error.message);
    return o;
}

static inline void close_plan(opened *o)
{
    pv_profile_free(o->profile);
    pv_study_free(o->study);
    pv_plan_free(o->plan);
    *o = (opened){0};
}

#endif
