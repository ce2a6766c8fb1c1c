/* Measures: privacy, loss, bias and risk of the classes a scheme makes, from one registry.
 *
 * Every measure has a name, a direction and a scalar value; many also have a value per row, the
 * property vector. A measure that needs a sensitive attribute or a label is unavailable without
 * one. With several sensitive attributes the worst counts, unless one of them is named. */
#ifndef PARAVENT_MEASURE_H
#define PARAVENT_MEASURE_H

#include <paravent/classes.h>
#include <paravent/scheme.h>
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

/* The largest value a measure can have on a table: divided by it, a value is a share. */
typedef enum pv_scale {
    PV_SCALE_NONE = 0, /* it is no share of anything */
    PV_SCALE_ONE,      /* it is a share already */
    PV_SCALE_ROWS,
    PV_SCALE_CELLS, /* rows times quasi-identifiers */
    PV_SCALE_PAIRS, /* rows times rows */
} pv_scale;

/* What a bound on the measure says of every single class. Such a rule survives merging: the union
 * of classes that satisfy it satisfies it. */
typedef enum pv_class_rule {
    PV_RULE_NONE = 0,  /* of classes together only */
    PV_RULE_SIZE,      /* k: so many people */
    PV_RULE_SENSITIVE, /* a score of the sensitive values in the class */
} pv_class_rule;

/* All that code and people need to know of a measure; nothing is decided by its name. */
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
    pv_scale scale;
    pv_class_rule rule;
    bool class_size;      /* people per class: spans orders of magnitude */
    bool alternatives;    /* people or values among whom an attacker must choose */
    bool detail_share;    /* its share is the share of the detail that is lost */
    bool weighted;        /* uses the weights of the attributes */
    bool promised;        /* a scheme promises it of new rows: it does not depend on their number */
    bool remaining_alone; /* depends on the remaining classes only, not on the suppressed rows */
} pv_measure;

PV_API size_t pv_n_measures(void);
PV_API const pv_measure *pv_measure_at(size_t index);
PV_API const pv_measure *pv_measure_find(const char *name); /* NULL if unknown */

/* The longest name of a column that a measure can be asked of, with its end, and the space for any
 * measure or constraint as text. */
#define PV_MEASURE_COLUMN_SIZE 256
#define PV_MEASURE_TEXT_SIZE 640

/* A measure with its parameter and, of those that are about sensitive values, perhaps one column:
 * `l-recursive(2)`, `risk-above(0.2)`, `k`, `l-distinct(diagnosis)`, `l-recursive(diagnosis;2)`. */
typedef struct pv_measure_ref {
    const pv_measure *measure;
    double parameter;
    char column[PV_MEASURE_COLUMN_SIZE]; /* "" = every sensitive column */
} pv_measure_ref;

/* In parentheses after the name: the parameter (`2` or `c=2`) and the column, in any order, with a
 * semicolon between them. A column whose name has one of ; , = ( ), looks like a number, or begins
 * or ends with a blank or a quote is in single or double quotes, a quote in it doubled:
 * `l-distinct("cause, or ""none""")`. Whether there is such a column is not known yet. */
PV_API PV_CHECKED pv_status pv_measure_parse(const char *text, pv_measure_ref *ref,
                                             pv_error *error);
/* "l-recursive(2)" into `text`: the name with its column and its parameter, as pv_measure_parse
 * reads it. PV_MEASURE_TEXT_SIZE is enough. */
PV_API void pv_measure_text(pv_measure_ref ref, char *text, size_t size);
/* The same measure with the same parameter of the same column? */
PV_API bool pv_measure_same(const pv_measure_ref *a, const pv_measure_ref *b);
PV_API bool pv_measure_available(const pv_measure *measure, const pv_study *study);

/* The scalar. Unavailable, or of a column that is not sensitive: PV_STATUS_ARGUMENT. */
PV_API PV_CHECKED pv_status pv_measure_value(pv_measure_ref ref, const pv_classes *classes,
                                             double *value, pv_error *error);
/* Of several sensitive attributes the one that decides the scalar: the one it is asked of, or the
 * worst. SIZE_MAX if the measure does not take the worst of them. */
PV_API PV_CHECKED pv_status pv_measure_sensitive(pv_measure_ref ref, const pv_classes *classes,
                                                 size_t *sensitive, pv_error *error);
/* The property vector: one value per row of the table, suppressed rows forming a class of their
 * own. `rows` has space for pv_profile_rows() values. */
PV_API PV_CHECKED pv_status pv_measure_rows(pv_measure_ref ref, const pv_classes *classes,
                                            double *rows, pv_error *error);

/* A demanded bound: `k=5` means at least 5, `t-closeness=0.2` at most 0.2, by the measure's
 * direction; `l-distinct=3` of every sensitive column, `l-distinct(diagnosis)=3` of that one. */
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
/* The classes of a scheme of levels (one per quasi-identifier) with suppression as needed: just the
 * classes that break a demand, and none if they have more rows than the budget
 * (pv_classes_feasible). Demands that are no rules for single classes suppress nothing. `broken`,
 * if not NULL, gets for every demand the rows of the classes that break it. */
PV_API PV_CHECKED pv_status pv_classes_create_demanding(
    const pv_profile *profile, const uint8_t *levels, const pv_constraint *demands,
    size_t n_demands, uint64_t budget, uint64_t *broken, pv_classes **classes, pv_error *error);
/* The same for a scheme of any kind, as a release of it would have them. The classes are of a
 * profile that fits the scheme (pv_classes_profile): that of the study; cuts are seen through a
 * study of their own, and a local recoding that divides people who are alike has a tuple for each
 * part. What was made for it is freed with the classes. With levels by record nothing is suppressed
 * but who is `*` in every quasi-identifier, which may be more rows than the budget. The study must
 * outlive the classes. */
PV_API PV_CHECKED pv_status pv_scheme_classes(const pv_study *study, const pv_scheme *scheme,
                                              const pv_constraint *demands, size_t n_demands,
                                              uint64_t budget, pv_classes **classes,
                                              pv_error *error);
/* What a plan demands (`require`, also that of its attributes), and what a scheme file promises;
 * lists of up to PV_MAX_CONSTRAINTS. */
PV_API PV_CHECKED pv_status pv_plan_demands(const pv_plan *plan, pv_constraint *list, size_t *n,
                                            pv_error *error);
PV_API PV_CHECKED pv_status pv_plan_promises(const pv_plan *plan, pv_constraint *list, size_t *n,
                                             pv_error *error);
PV_API bool pv_constraint_holds(const pv_constraint *constraint, double value);
/* "k >= 5" into `text`; PV_MEASURE_TEXT_SIZE is enough. */
PV_API void pv_constraint_text(const pv_constraint *constraint, char *text, size_t size);

/* --- Exposure of a raw table: how strongly attributes single people out --- */

typedef struct pv_exposure pv_exposure;
/* One quasi-identifier, or a pair of them, as if the table had no others. */
typedef struct pv_exposure_part pv_exposure_part;

/* `rare_below`: the class size below which a value counts as rare. The profile is borrowed for the
 * call. */
PV_API PV_CHECKED pv_status pv_exposure_create(const pv_profile *profile, uint64_t rare_below,
                                               const pv_context *context, pv_exposure **exposure,
                                               pv_error *error);
PV_API void pv_exposure_free(pv_exposure *exposure); /* NULL is fine */

PV_API uint64_t pv_exposure_rows(const pv_exposure *exposure);
PV_API uint64_t pv_exposure_tuples(const pv_exposure *exposure);      /* distinct ones */
PV_API uint64_t pv_exposure_unique_rows(const pv_exposure *exposure); /* alone in their tuple */
PV_API uint64_t pv_exposure_rare_below(const pv_exposure *exposure);
PV_API double pv_exposure_risk_max(const pv_exposure *exposure);
PV_API double pv_exposure_risk_mean(const pv_exposure *exposure);

/* Rows by the size of their class: 1, 2, 3-4, 5-9, 10-19, 20-49, 50-99, 100+. */
#define PV_EXPOSURE_BINS 8
PV_API const uint64_t *pv_exposure_histogram(const pv_exposure *exposure, size_t *n_bins);
PV_API const char *pv_exposure_bin_name(size_t bin);
PV_API size_t pv_exposure_bin(uint64_t class_size); /* the bin of a class size */

/* Singles by quasi-identifier; pairs a < b, most unique rows first. Borrowed from the exposure. */
PV_API size_t pv_exposure_n_singles(const pv_exposure *exposure);
PV_API const pv_exposure_part *pv_exposure_single(const pv_exposure *exposure, size_t quasi);
PV_API size_t pv_exposure_n_pairs(const pv_exposure *exposure);
PV_API const pv_exposure_part *pv_exposure_pair(const pv_exposure *exposure, size_t i);

PV_API size_t pv_exposure_part_a(const pv_exposure_part *part); /* quasi-identifiers; */
PV_API size_t pv_exposure_part_b(const pv_exposure_part *part); /* a == b for a single one */
PV_API size_t pv_exposure_part_combinations(const pv_exposure_part *part); /* distinct values */
PV_API uint64_t pv_exposure_part_unique_rows(const pv_exposure_part *part);
/* Rows in combinations with fewer than `rare_below` rows. */
PV_API uint64_t pv_exposure_part_rare_rows(const pv_exposure_part *part);
/* combinations / rows: the expected share that is re-identified by this alone. */
PV_API double pv_exposure_part_mean_risk(const pv_exposure_part *part);
/* Of a single one: unique rows of the whole that would no longer be unique without it, ... */
PV_API uint64_t pv_exposure_part_unique_saved(const pv_exposure_part *part);
/* ... and its values with fewer rows than `rare_below`. */
PV_API uint64_t pv_exposure_part_rare_values(const pv_exposure_part *part);

#ifdef __cplusplus
}
#endif
#endif
