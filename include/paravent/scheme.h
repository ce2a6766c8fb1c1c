/* Schemes: how every quasi-identifier value is recoded. *Levels* are one level per
 * quasi-identifier, a node of the generalization lattice; *cuts* (cuts.h) divide the ordered values
 * of each; *records* are levels for every tuple of a table, and of that table only. Whatever its
 * kind, a scheme goes to release and compare alike. */
#ifndef PARAVENT_SCHEME_H
#define PARAVENT_SCHEME_H

#include <paravent/cuts.h>
#include <paravent/plan.h>
#include <paravent/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pv_scheme pv_scheme;

typedef enum pv_scheme_kind {
    PV_SCHEME_LEVELS = 0, /* one level per quasi-identifier */
    PV_SCHEME_CUTS,       /* groups of neighbouring values (cuts.h) */
    PV_SCHEME_RECORDS     /* one level per quasi-identifier and distinct tuple of one table */
} pv_scheme_kind;

/* All levels 0: the raw table. Schemes are owned by the caller, unless a function says otherwise.
 */
PV_API PV_CHECKED pv_status pv_scheme_create(const pv_study *study, pv_scheme **scheme,
                                             pv_error *error);
/* One level per quasi-identifier, in the order of the study; they are copied. */
PV_API PV_CHECKED pv_status pv_scheme_from_levels(const uint8_t *levels, size_t n_levels,
                                                  pv_scheme **scheme, pv_error *error);
/* The levels the plan or scheme file fixes with `level:`; all quasi-identifiers need one. */
PV_API PV_CHECKED pv_status pv_scheme_from_plan(const pv_study *study, pv_scheme **scheme,
                                                pv_error *error);
/* The groups of a cut scheme; the cuts are copied. */
PV_API PV_CHECKED pv_status pv_scheme_from_cuts(const pv_cuts *cuts, pv_scheme **scheme,
                                                pv_error *error);
/* A plan like that of the study, but every quasi-identifier has its values and `*`, and nothing
 * between: a local recoding (local.h) of the study bound to it (pv_study_rebind) suppresses single
 * cells, as few as it finds. A plan that fixes a level between: PV_STATUS_ARGUMENT. */
PV_API PV_CHECKED pv_status pv_plan_with_cells(const pv_study *study, pv_plan **cell_plan,
                                               pv_error *error);
PV_API void pv_scheme_free(pv_scheme *scheme); /* NULL is fine */

/* Changes levels: "5,2,2,0" in the order of the plan, or "age=5,zip=2" by name (others stay as they
 * are, `top` is the last level). Out of range, too few, too many, unknown names:
 * PV_STATUS_ARGUMENT, and nothing is changed. */
PV_API PV_CHECKED pv_status pv_scheme_parse(pv_scheme *scheme, const pv_study *study,
                                            const char *text, pv_error *error);

/* One level of a scheme of levels; the caller keeps to the hierarchy's height. */
PV_API void pv_scheme_set_level(pv_scheme *scheme, size_t quasi, uint8_t level);

PV_API pv_scheme_kind pv_scheme_kind_of(const pv_scheme *scheme);
/* The levels; NULL and 0 of a scheme of cuts or records. Borrowed. */
PV_API const uint8_t *pv_scheme_levels(const pv_scheme *scheme, size_t *n_levels);
/* The cuts; NULL of other schemes. Borrowed. */
PV_API const pv_cuts *pv_scheme_cuts(const pv_scheme *scheme);

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
    bool whole_budget;             /* was the budget to be spent? */
    const pv_named_value *require; /* demanded of the table it was made from, and of new rows */
    size_t n_require;
    const pv_named_value *promises; /* achieved on the table it was made from */
    size_t n_promises;
    /* Of a scheme of records: the tuples that were released, each once, one label for each
     * quasi-identifier, tuple after tuple. They are what it is for other rows. */
    const char *const *classes;
    size_t n_classes;
} pv_scheme_record;

/* The scheme file: JSON, readable by pv_plan_read and enough to treat new rows alike. Hierarchies
 * are written out (ROWS inline; ORDER and RARE with the values they decided on), so keep it as
 * private as the plan. Of records it has the classes, which the released table shows anyway, and no
 * tuple of the original. Names and labels must be UTF-8. The caller frees the text with
 * pv_string_free. */
PV_API PV_CHECKED pv_status pv_scheme_text(const pv_scheme *scheme, const pv_study *study,
                                           const pv_scheme_record *record, char **text,
                                           pv_error *error);

#ifdef __cplusplus
}
#endif
#endif
