/* A ladder: the least loss at each of some k, with what is proven about it, for one kind of scheme
 * or for several side by side. Local recoding has no front that could be searched as a whole; it
 * has a ladder, one search for each k.
 *
 *     pv_ladder *ladder = NULL;
 *     pv_status status = pv_ladder_find(study, NULL, &ladder, &error);
 *     const pv_ladder_point *five = pv_ladder_at(ladder, PV_SCHEME_RECORDS, 1);
 *     status = pv_release_write(study, five->scheme, "out.csv", NULL, NULL, &error);
 */
#ifndef PARAVENT_LADDER_H
#define PARAVENT_LADDER_H

#include <paravent/classes.h>
#include <paravent/context.h>
#include <paravent/front.h>
#include <paravent/measure.h>
#include <paravent/scheme.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PV_N_SCHEME_KINDS 3
#define PV_MAX_LADDER_POINTS 1000

/* Zero-initialised = local recoding, the least glm at k = 2, 5, 10, 25, 50, 100. */
typedef struct pv_ladder_options {
    size_t size;               /* sizeof this struct; 0 = as in this header */
    const pv_context *context; /* NULL = the one the study was opened with */
    /* Which kinds, by pv_scheme_kind; none = PV_SCHEME_RECORDS, local recoding. */
    bool kinds[PV_N_SCHEME_KINDS];
    const uint64_t *ks; /* in any order; NULL = 2, 5, 10, 25, 50, 100; borrowed for the call */
    size_t n_ks;
    const char *minimize; /* glm or nwp; NULL = glm */
    /* What every point keeps, besides the plan's demands and its k. Borrowed for the call. */
    const pv_constraint *demands;
    size_t n_demands;
    const pv_budget *budget;               /* rows that may be suppressed; NULL = the plan's */
    double improve_seconds, bound_seconds; /* for each local recoding, as in local.h */
    double max_seconds; /* for all of it; 0 = no limit; what was found until then is the result */
    uint64_t seed;      /* 0 = 1 */
} pv_ladder_options;

typedef struct pv_ladder pv_ladder;

/* The least loss found at a k. */
typedef struct pv_ladder_point {
    uint64_t k;              /* that every class must have */
    const pv_scheme *scheme; /* goes to release and compare; NULL = nothing was found */
    double value, share;     /* its loss, and as a share of the largest possible */
    double bound, gap;       /* nothing loses less than the bound; by how much it could be less,
                                0 = proven best, INFINITY = nothing is proven */
    uint64_t suppressed;     /* rows */
    uint64_t found_for;      /* the k it was searched for: a larger one where that was the better */
    double seconds;          /* of its search and proof */
} pv_ladder_point;

/* Searches one k after the other, ascending. A point is never worse than one of a larger k, which
 * it may take over, and no bound is below that of a smaller one. That nothing keeps a k is no
 * failure, nor is being stopped: the points reached are the result. A kind that the plan does not
 * allow is left out if others were asked for: pv_ladder_refusal. The
 * study must outlive the ladder. */
PV_API PV_CHECKED pv_status pv_ladder_find(const pv_study *study, const pv_ladder_options *options,
                                           pv_ladder **ladder, pv_error *error);
PV_API void pv_ladder_free(pv_ladder *ladder); /* NULL is fine */

PV_API size_t pv_ladder_n(const pv_ladder *ladder); /* points of each kind, reached or not */
PV_API bool pv_ladder_has(const pv_ladder *ladder, pv_scheme_kind kind); /* was it searched? */
/* Why a kind that was asked for was not searched; NULL = it was, or was not asked for. */
PV_API const char *pv_ladder_refusal(const pv_ladder *ladder, pv_scheme_kind kind);
/* By ascending k. Borrowed. */
PV_API const pv_ladder_point *pv_ladder_at(const pv_ladder *ladder, pv_scheme_kind kind,
                                           size_t point);
PV_API size_t pv_ladder_n_found(const pv_ladder *ladder); /* of all kinds: those with a scheme */
/* The point of least loss whose k is at least this; SIZE_MAX = there is none. */
PV_API size_t pv_ladder_pick(const pv_ladder *ladder, pv_scheme_kind kind, uint64_t k);
/* The scheme, for the caller to keep; it is a copy. */
PV_API PV_CHECKED pv_status pv_ladder_scheme(const pv_ladder *ladder, pv_scheme_kind kind,
                                             size_t point, pv_scheme **scheme, pv_error *error);
PV_API pv_measure_ref pv_ladder_loss(const pv_ladder *ladder);
/* All demands but the k of each point, the plan's included. */
PV_API const pv_constraint *pv_ladder_demands(const pv_ladder *ladder, size_t *n_demands);
PV_API uint64_t pv_ladder_budget(const pv_ladder *ladder); /* rows */
PV_API double pv_ladder_seconds(const pv_ladder *ladder);
PV_API pv_stop pv_ladder_stop(const pv_ladder *ladder);

/* "levels", "cuts", "local"; and for people: "one level per attribute", "cuts", "local recoding".
 */
PV_API const char *pv_scheme_kind_name(pv_scheme_kind kind);
PV_API const char *pv_scheme_kind_title(pv_scheme_kind kind);

/* "at k = 5: one level per attribute loses 56.5%, cuts 41.8%, local recoding 2.8%": what each kind
 * that was searched loses at a point. pv_string_free. */
PV_API PV_CHECKED pv_status pv_ladder_sentence(const pv_ladder *ladder, size_t point, char **text,
                                               pv_error *error);
/* A picture of all kinds, one curve each, and a page with it and all numbers. pv_string_free. */
PV_API PV_CHECKED pv_status pv_ladder_svg(const pv_ladder *ladder, char **svg, pv_error *error);
PV_API PV_CHECKED pv_status pv_ladder_page(const pv_ladder *ladder, const pv_profile *profile,
                                           char **html, pv_error *error);

#ifdef __cplusplus
}
#endif
#endif
