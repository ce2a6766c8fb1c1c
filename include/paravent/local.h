/* Local recoding: the most useful table at a demanded k, with a proven gap.
 *
 *     pv_local *local = NULL;
 *     pv_status status = pv_local_find(study, NULL, &local, &error);
 *     status = pv_release_write(study, pv_local_scheme(local), "out.csv", NULL, NULL, &error);
 *
 * Every row gets levels of its own, as few as it takes for every class to keep the demands. So
 * equal values may be released differently, even those of rows that are alike. */
#ifndef PARAVENT_LOCAL_H
#define PARAVENT_LOCAL_H

#include <paravent/classes.h>
#include <paravent/context.h>
#include <paravent/measure.h>
#include <paravent/scheme.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zero-initialised = the least glm that keeps what the plan demands. */
typedef struct pv_local_options {
    size_t size;               /* sizeof this struct; 0 = as in this header */
    const pv_context *context; /* NULL = the one the study was opened with */
    const char *minimize;      /* glm or nwp; NULL = glm */
    /* Besides those of the plan: k, and rules of sensitive values that unions keep. Borrowed for
     * the call. */
    const pv_constraint *demands;
    size_t n_demands;
    const pv_budget *budget; /* rows that may be suppressed; NULL = the plan's */
    double improve_seconds;  /* how long to improve what was found; 0 = a little; negative = not */
    uint64_t improve_steps;  /* steps of that; 0 = no limit; the same steps give the same bytes */
    double bound_seconds;    /* how long to raise the bound; 0 = some sweeps; negative = no bound */
    uint64_t seed;           /* 0 = 1 */
} pv_local_options;

typedef struct pv_local pv_local;

/* A local recoding of little loss that keeps the demands, and a bound that none can lose less than.
 * Being stopped while it is improved or bounded is no failure. Demands that no recoding was found
 * for: PV_STATUS_UNSATISFIED. The study must outlive the result. */
PV_API PV_CHECKED pv_status pv_local_find(const pv_study *study, const pv_local_options *options,
                                          pv_local **local, pv_error *error);
PV_API void pv_local_free(pv_local *local); /* NULL is fine */

/* A scheme of records. Borrowed. */
PV_API const pv_scheme *pv_local_scheme(const pv_local *local);
/* The same, for the caller to keep. It is taken out of the result: the first call gets it, later
 * ones NULL. */
PV_API pv_scheme *pv_local_take_scheme(pv_local *local);
/* The measure that was minimised, what the recoding has of it, and what none can have less of; 0 if
 * no bound was asked for. */
PV_API pv_measure_ref pv_local_loss(const pv_local *local);
PV_API double pv_local_value(const pv_local *local);
PV_API double pv_local_bound(const pv_local *local);
/* The loss is at most this share above the least possible: 0.15 = 15%; INFINITY = nothing is known.
 */
PV_API double pv_local_gap(const pv_local *local);
/* All demands, the plan's included. */
PV_API const pv_constraint *pv_local_demands(const pv_local *local, size_t *n_demands);
PV_API uint64_t pv_local_suppressed(const pv_local *local); /* rows */
PV_API uint64_t pv_local_budget(const pv_local *local);     /* rows */
PV_API uint64_t pv_local_classes(const pv_local *local);
PV_API uint64_t pv_local_divided(const pv_local *local); /* distinct records in several classes */
/* How it was found: steps of improvement, sweeps of the bound, seconds of both, why it ended. */
PV_API uint64_t pv_local_steps(const pv_local *local);
PV_API uint64_t pv_local_sweeps(const pv_local *local);
PV_API double pv_local_seconds(const pv_local *local);
PV_API double pv_local_bound_seconds(const pv_local *local);
PV_API pv_stop pv_local_stop(const pv_local *local);

/* ------------------------------------------------------------ other rows */

/* How the rows of a table fit the classes of a scheme file. */
typedef struct pv_local_fit {
    uint64_t rows;      /* of the table */
    uint64_t uncovered; /* rows that no class covers: they are suppressed */
    uint64_t moved; /* rows whose finest class would break a demand: they are in a coarser one */
    uint64_t suppressed; /* rows that no class could keep the demands with, besides `uncovered` */
    uint64_t classes;    /* of the scheme that rows are in */
} pv_local_fit;

/* A local recoding of other rows: the study is opened on the scheme file of one (pv_plan_classes)
 * and a new table. Each row gets the class of least loss among those that cover it; rows that are
 * alike stay together. Classes that break a demand (the plan's, and those of the options) hand
 * their rows on to the next coarser class that holds; what fits nowhere is suppressed. More of that
 * than the budget: PV_STATUS_UNSATISFIED, unless `weaker`: then every row stays in its finest
 * class, and only rows that nothing covers are suppressed. Of the options `demands`, `budget` and
 * `context` count. `fit` may be NULL; it is filled in also if the budget is exceeded. */
PV_API PV_CHECKED pv_status pv_local_apply(const pv_study *study, const pv_local_options *options,
                                           bool weaker, pv_scheme **scheme, pv_local_fit *fit,
                                           pv_error *error);

#ifdef __cplusplus
}
#endif
#endif
