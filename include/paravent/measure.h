/* Measures: privacy, loss, bias and risk of the classes a scheme makes, from one registry.
 *
 * Every measure has a name, a direction and a scalar value; many also have a value per row, the
 * property vector. A measure that needs a sensitive attribute or a label is unavailable without
 * one. With several sensitive attributes the worst counts. */
#ifndef PARAVENT_MEASURE_H
#define PARAVENT_MEASURE_H

#include <paravent/classes.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pv_direction { PV_MORE_IS_BETTER = 0, PV_LESS_IS_BETTER } pv_direction;

enum {
    PV_NEEDS_SENSITIVE = 1u << 0,
    PV_NEEDS_LABEL = 1u << 1,
};

typedef enum pv_measure_family {
    PV_FAMILY_PRIVACY = 0,
    PV_FAMILY_BIAS,
    PV_FAMILY_LOSS,
    PV_FAMILY_RISK
} pv_measure_family;

typedef struct pv_measure {
    const char *name;    /* "k", "l-distinct", ...; the name in JSON, plans and options */
    const char *summary; /* one line for people */
    pv_measure_family family;
    pv_direction direction;
    unsigned needs;        /* PV_NEEDS_... */
    bool counts;           /* people, values or cells: a difference of 1 is a small one */
    bool has_rows;         /* is there a property vector? */
    bool demandable;       /* can a released file be checked for it without its hierarchies? */
    const char *parameter; /* name of its parameter, NULL = none: l-recursive(c=3) */
    double parameter_default;
} pv_measure;

PV_API size_t pv_measures(void);
PV_API const pv_measure *pv_measure_at(size_t index);
PV_API const pv_measure *pv_measure_find(const char *name); /* NULL if unknown */

/* A measure with its parameter: `l-recursive(2)`, `risk-above(0.2)`, `k`. */
typedef struct pv_measure_ref {
    const pv_measure *measure;
    double parameter;
} pv_measure_ref;

PV_API PV_CHECKED pv_status pv_measure_parse(const char *text, pv_measure_ref *ref,
                                             pv_error *error);
PV_API bool pv_measure_available(const pv_measure *measure, const pv_study *study);

/* The scalar. Unavailable: PV_STATUS_ARGUMENT. */
PV_API PV_CHECKED pv_status pv_measure_value(pv_measure_ref ref, const pv_classes *classes,
                                             double *value, pv_error *error);
/* Of several sensitive attributes the one that decides the scalar: the worst. SIZE_MAX if the
 * measure does not take the worst of them. */
PV_API PV_CHECKED pv_status pv_measure_sensitive(pv_measure_ref ref, const pv_classes *classes,
                                                 size_t *sensitive, pv_error *error);
/* The property vector: one value per row of the table, suppressed rows forming a class of their
 * own. `rows` has room for pv_profile_rows() values. */
PV_API PV_CHECKED pv_status pv_measure_rows(pv_measure_ref ref, const pv_classes *classes,
                                            double *rows, pv_error *error);

/* A demanded bound: `k=5` means at least 5, `t-closeness=0.2` at most 0.2, by the measure's
 * direction. */
typedef struct pv_constraint {
    pv_measure_ref ref;
    double bound;
} pv_constraint;

#define PV_MAX_CONSTRAINTS 32

/* "k=5,l-distinct>=3,t-closeness<=0.2"; a comparison against the measure's direction is an error.
 */
PV_API PV_CHECKED pv_status pv_constraints_parse(const char *text, pv_constraint *constraints,
                                                 size_t *n_constraints, pv_error *error);
/* Adds a constraint to a list with space for PV_MAX_CONSTRAINTS, unless it is there already. */
PV_API PV_CHECKED pv_status pv_constraints_add(pv_constraint *list, size_t *n,
                                               const pv_constraint *constraint, pv_error *error);
/* What a plan demands (`require`), and what a scheme file promises; lists of up to
 * PV_MAX_CONSTRAINTS. */
PV_API PV_CHECKED pv_status pv_plan_demands(const pv_plan *plan, pv_constraint *list, size_t *n,
                                            pv_error *error);
PV_API PV_CHECKED pv_status pv_plan_promises(const pv_plan *plan, pv_constraint *list, size_t *n,
                                             pv_error *error);
PV_API bool pv_constraint_holds(const pv_constraint *constraint, double value);
/* "k >= 5" into `text`. */
PV_API void pv_constraint_text(const pv_constraint *constraint, char *text, size_t size);

/* --- Exposure of a raw table: how strongly attributes single people out --- */

typedef struct pv_exposure_part {
    size_t a, b;           /* quasi-identifiers; a == b for a single attribute */
    size_t combinations;   /* distinct values (of the pair) */
    uint64_t unique_rows;  /* rows alone in their combination */
    uint64_t rare_rows;    /* rows in combinations with fewer than `rare_below` rows */
    double mean_risk;      /* combinations / rows: expected share re-identified by this alone */
    uint64_t unique_saved; /* single attributes: unique rows of the whole that would no longer be
                              unique without this attribute */
} pv_exposure_part;

typedef struct pv_exposure {
    uint64_t rows, tuples, unique_rows;
    uint64_t rare_below; /* the class size below which a value counts as rare */
    double risk_max, risk_mean;
    uint64_t histogram[8]; /* rows in classes of size 1, 2, 3-4, 5-9, 10-19, 20-49, 50-99, 100+ */
    pv_exposure_part *singles; /* one per quasi-identifier */
    size_t n_singles;
    pv_exposure_part *pairs; /* every pair a < b, most unique rows first */
    size_t n_pairs;
    uint64_t *rare_values; /* per quasi-identifier: values with fewer rows than rare_below */
} pv_exposure;

#define PV_EXPOSURE_BINS 8
PV_API extern const char *const pv_exposure_bin_names[PV_EXPOSURE_BINS];

PV_API PV_CHECKED pv_status pv_exposure_create(const pv_profile *profile, uint64_t rare_below,
                                               const pv_context *context, pv_exposure **exposure,
                                               pv_error *error);
PV_API void pv_exposure_free(pv_exposure *exposure); /* NULL is fine */
/* The bin of a class size in the histogram. */
PV_API size_t pv_exposure_bin(uint64_t class_size);

#ifdef __cplusplus
}
#endif
#endif
