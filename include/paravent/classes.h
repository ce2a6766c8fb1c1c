/* Profile and classes: who looks alike.
 *
 * The profile is the table reduced to its distinct quasi-identifier tuples with their counts, and
 * per tuple the histograms of the sensitive and label columns. Everything after it works on tuples:
 * ten million rows and thirty thousand cost nearly the same. Classes are what a scheme makes of the
 * profile. */
#ifndef PARAVENT_CLASSES_H
#define PARAVENT_CLASSES_H

#include <paravent/context.h>
#include <paravent/plan.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pv_profile pv_profile;

typedef struct pv_open_options {
    size_t size;        /* sizeof this struct; 0 = as in this header */
    const char *data;   /* instead of the plan's; `-` = standard input; NULL = the plan's */
    pv_context context; /* threads and progress, also of all that is done with the study */
    bool skip_bad_rows; /* leave out rows with a wrong number of fields; otherwise a failure */
    bool identifiers;   /* keep identifier columns (to replace them by keyed hashes) */
    bool measure_only;  /* leave out columns that only a release needs */
} pv_open_options;

/* A plan, its table and its profile: where every program begins. pv_study_free frees all three. */
PV_API PV_CHECKED pv_status pv_open(const char *plan, const pv_open_options *options,
                                    pv_study **study, pv_error *error);
/* The profile of a study, made when it is first asked for. Borrowed; valid as long as the study.
 * Threads may share a study. */
PV_API PV_CHECKED pv_status pv_study_profile(const pv_study *study, const pv_profile **profile,
                                             pv_error *error);

/* The study is borrowed and must outlive the profile. */
PV_API PV_CHECKED pv_status pv_profile_create(const pv_study *study, const pv_context *context,
                                              pv_profile **profile, pv_error *error);
PV_API void pv_profile_free(pv_profile *profile); /* NULL is fine */

PV_API const pv_study *pv_profile_study(const pv_profile *profile);
PV_API uint64_t pv_profile_rows(const pv_profile *profile);
PV_API size_t pv_profile_tuples(const pv_profile *profile); /* distinct */
PV_API uint64_t pv_profile_count(const pv_profile *profile, size_t tuple);
PV_API size_t pv_profile_tuple(const pv_profile *profile, uint64_t row); /* the tuple of a row */
/* The leaf (tree order) of a quasi-identifier in a tuple. Tuples are sorted by their leaves. */
PV_API uint32_t pv_profile_leaf(const pv_profile *profile, size_t tuple, size_t quasi);

/* How to suppress (docs/model.md, section 2). Zero-initialised = suppress nothing. */
typedef struct pv_suppression {
    uint64_t budget;   /* rows that may be suppressed */
    uint64_t target_k; /* demanded: just the classes smaller than this are suppressed, which is
                          infeasible if they have more rows than the budget; 0 = no demand */
    bool whole_budget; /* without a target: spend the budget for the highest k, as POkA and PBG do;
                          otherwise nothing is suppressed that no demand asks for */
} pv_suppression;

typedef struct pv_classes pv_classes;

/* Groups the tuples under `levels` (one per quasi-identifier) and applies suppression. The profile
 * is borrowed and must outlive the classes. */
PV_API PV_CHECKED pv_status pv_classes_create(const pv_profile *profile, const uint8_t *levels,
                                              const pv_suppression *suppression,
                                              pv_classes **classes, pv_error *error);
/* The same with levels of its own for every tuple (tuples * quasi-identifiers): people who are
 * released alike form a class, whatever their levels. Those who are `*` in every quasi-identifier
 * count as suppressed, unless everyone is. */
PV_API PV_CHECKED pv_status pv_classes_create_records(const pv_profile *profile,
                                                      const uint8_t *levels, pv_classes **classes,
                                                      pv_error *error);
PV_API void pv_classes_free(pv_classes *classes); /* NULL is fine */

PV_API const pv_profile *pv_classes_profile(const pv_classes *classes);
/* One per quasi-identifier; NULL if every tuple has its own. */
PV_API const uint8_t *pv_classes_levels(const pv_classes *classes);
PV_API unsigned pv_classes_level(const pv_classes *classes, size_t tuple, size_t quasi);
PV_API size_t pv_classes_total(const pv_classes *classes);     /* before suppression */
PV_API size_t pv_classes_remaining(const pv_classes *classes); /* after it */
PV_API uint64_t pv_classes_size(const pv_classes *classes, size_t c);
PV_API bool pv_classes_is_suppressed(const pv_classes *classes, size_t c);
PV_API size_t pv_classes_of_tuple(const pv_classes *classes, size_t tuple);
/* What a release shows of the people of a class in a quasi-identifier: their label, or `*` if the
 * class is suppressed. Of a row: of the class of its tuple (pv_profile_tuple) in the profile of the
 * classes. Borrowed from the study of that profile. */
PV_API const char *pv_classes_label(const pv_classes *classes, size_t c, size_t quasi);
PV_API uint64_t pv_classes_suppressed(const pv_classes *classes); /* rows */
PV_API uint64_t pv_classes_k(const pv_classes *classes);          /* smallest remaining class */
/* False if more rows than the budget break the target or a demand. */
PV_API bool pv_classes_feasible(const pv_classes *classes);

#ifdef __cplusplus
}
#endif
#endif
