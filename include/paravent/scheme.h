/* Schemes: how every quasi-identifier value is recoded. *Levels* are one level per
 * quasi-identifier, a node of the generalization lattice; cuts (cuts.h) become levels of
 * hierarchies made for them. *Records* are levels for every tuple of a table: they are of that
 * table only. */
#ifndef PARAVENT_SCHEME_H
#define PARAVENT_SCHEME_H

#include <paravent/plan.h>
#include <paravent/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pv_scheme {
    uint8_t *levels; /* one per quasi-identifier, in the order of the study */
    size_t n_levels;
    /* Instead: n_levels for each tuple of the profile; NULL = the same for all. */
    uint8_t *records;
} pv_scheme;

/* All levels 0 (the raw table). The caller owns what it points to (pv_scheme_deinit). */
PV_API PV_CHECKED pv_status pv_scheme_init(pv_scheme *scheme, const pv_study *study,
                                           pv_error *error);
PV_API void pv_scheme_deinit(pv_scheme *scheme);

/* "5,2,2,0" in the order of the plan, or "age=5,zip=2" by name (others stay as they are, `top` is
 * the last level). Out of range, too few, too many, unknown names: PV_STATUS_ARGUMENT. */
PV_API PV_CHECKED pv_status pv_scheme_parse(pv_scheme *scheme, const pv_study *study,
                                            const char *text, pv_error *error);
/* The levels the plan or scheme file fixes with `level:`; all quasi-identifiers need one. */
PV_API PV_CHECKED pv_status pv_scheme_from_plan(pv_scheme *scheme, const pv_study *study,
                                                pv_error *error);

/* The released text of a dictionary code of a quasi-identifier under the scheme. Borrowed from the
 * study. */
PV_API const char *pv_scheme_label(const pv_scheme *scheme, const pv_study *study, size_t quasi,
                                   uint32_t code);

/* A measure by name (`k`, `l-recursive(2)`) and a number: a bound, or what was achieved. */
typedef struct pv_named_value {
    const char *name;
    double value;
} pv_named_value;

/* What a scheme file records besides the scheme. */
typedef struct pv_scheme_record {
    pv_budget suppression;
    uint64_t target_k;             /* 0 = none */
    const pv_named_value *require; /* demanded of the table it was made from, and of new rows */
    size_t n_require;
    const pv_named_value *promises; /* achieved on the table it was made from */
    size_t n_promises;
} pv_scheme_record;

/* The scheme file: JSON, readable by pv_plan_read and enough to treat new rows alike. Hierarchies
 * are written out (ROWS inline; ORDER and RARE with the values they decided on), so keep it as
 * private as the plan. Names and labels must be UTF-8. The caller frees the text with
 * pv_string_free. */
PV_API PV_CHECKED pv_status pv_scheme_text(const pv_scheme *scheme, const pv_study *study,
                                           const pv_scheme_record *record, char **text,
                                           pv_error *error);

#ifdef __cplusplus
}
#endif
#endif
