/* The Adult table, which does not come with the sources: tests that need it are skipped where it
 * is not at hand beside them. */
#ifndef PV_TESTS_ADULT_H
#define PV_TESTS_ADULT_H

#include "support/bound_study.h"

#include <stdbool.h>
#include <unistd.h>

/* The folder of its plans. */
#define ADULT PV_SOURCE_DIR "/../shared/data/adult/"

typedef struct adult {
    pv_plan *plan;
    pv_study *study;
    pv_profile *profile;
} adult;

/* If not, says so. */
static inline bool adult_is_here(const char *path)
{
    const bool is_here = access(path, R_OK) == 0;
    if (!is_here) {
        print_message("the Adult table is not here: nothing to compare with\n");
    }
    return is_here;
}

static inline adult adult_read(const char *path)
{
    const pv_context context = {.threads = 2};
    adult a = {0};
    pv_error error = {0};
    bound_must(pv_plan_read(path, &a.plan, &error), &error);
    bound_must(pv_study_open(a.plan, NULL, &context, &a.study, &error), &error);
    a.profile = bound_profile(a.study, 2);
    return a;
}

static inline adult adult_open(const char *path)
{
    if (!adult_is_here(path)) {
        skip();
    }
    return adult_read(path);
}

static inline void adult_close(adult *a)
{
    pv_profile_free(a->profile);
    pv_study_free(a->study);
    pv_plan_free(a->plan);
}

#endif
