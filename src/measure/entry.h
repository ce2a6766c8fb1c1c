/* What a measure is inside: its public description, its traits for searches, and the functions that
 * compute it. One file per family; adding a measure is one entry in registry.c. */
#ifndef PV_MEASURE_ENTRY_H
#define PV_MEASURE_ENTRY_H

#include "classes/grouping.h"

#include <paravent/measure.h>

/* What the scalar reads of the classes besides their summary and their lost ones. */
enum {
    PV_READS_SIZES = 1u << 0,      /* the size of every class */
    PV_READS_SENSITIVES = 1u << 1, /* the sensitive values in every class */
    PV_READS_LABEL = 1u << 2,      /* the labels in every class */
    PV_READS_JOINTLY =
        1u << 3, /* several sensitive values of one row together, if there are several */
};

/* What is known of a scheme's value from other schemes (docs/model.md, section 3). The exact search
 * prunes by it. */
typedef enum pv_bound {
    PV_BOUND_NONE = 0,
    PV_BOUND_ABOVE,     /* never worse where a scheme is generalized: k and what follows from it */
    PV_BOUND_ABOVE_RAW, /* the same, but only while nothing is suppressed: the l's, t, sums */
    PV_BOUND_BELOW,     /* without suppression never better where a scheme is generalized */
    PV_BOUND_SEPARABLE, /* the same, and without suppression a sum over attributes: needs no classes
                         */
} pv_bound;

/* How cut schemes, which have groups of values but no levels, compute a loss. */
typedef enum pv_cut_loss {
    PV_CUT_LOSS_NONE = 0, /* it is not defined without levels */
    PV_CUT_LOSS_SUM,      /* a sum over attributes of the pairs of values within groups */
    PV_CUT_LOSS_BITS,     /* a sum over attributes of rows * log2(rows) of the groups */
    PV_CUT_LOSS_CLASSES,  /* from the classes */
} pv_cut_loss;

/* The functions of a measure. `state` is what it needs to know once per table, not once per scheme:
 * cost tables, shares of values, scratch to count in. One state serves one thread. */
typedef struct pv_measure_entry {
    pv_measure info;
    unsigned reads; /* PV_READS_... */
    pv_bound bound;
    /* Of a rule for classes: does a class that breaks it break up only into classes that break it?
     * (k and l-distinct do: a part has no more rows and no more values than the whole.) */
    bool breaks_for_good;
    bool is_distance; /* between distributions: convex, and at most 1 */
    pv_cut_loss cut_loss;
    /* CUT_LOSS_SUM: how much an attribute of n values counts; NULL = as its weight says. */
    double (*cut_weight)(double n);
    /* BELOW: the value of the scheme if nothing were suppressed. */
    double (*unsuppressed)(void *state, const pv_classes *classes);
    /* SEPARABLE: the same from the levels alone. */
    double (*separable)(const void *state, const uint8_t *levels);

    /* Makes the state; NULL = there is none. `formula` is this entry's, which the functions of a
     * family (pv_scorer, pv_detail) have in common otherwise. `sensitive` is the one sensitive
     * attribute it is asked of; SIZE_MAX = all. */
    pv_status (*prepare)(const void *formula, const pv_profile *profile, size_t sensitive,
                         void **state, pv_error *error);
    const void *formula;
    void (*discard)(void *state); /* NULL is fine */

    /* Of a loss: what no release has less of whose classes have at least k of n rows; or NULL. */
    double (*least)(double k, double n_rows);

    /* The scalar: either of classes alone, which cannot fail, ... */
    double (*simple)(const pv_classes *classes, double parameter);
    /* ... or with a state. Then it allocates nothing, if it has one. */
    pv_status (*value)(void *state, const pv_classes *classes, double parameter, double *value,
                       pv_error *error);

    /* The property vector: one value per tuple where all rows of a tuple share it, ... */
    void (*tuples)(void *state, const pv_classes *classes, double parameter, double *per_tuple);
    /* ... or one per row, where it depends on the row's own value. Of `n` rows; `rows` NULL = they
     * are all. Both NULL = there is no property vector. */
    pv_status (*rows)(const pv_classes *classes, size_t sensitive, const uint64_t *rows, uint64_t n,
                      double *values, pv_error *error);
} pv_measure_entry;

const pv_measure_entry *pv_i_measure_entry(const pv_measure *measure);
/* A registered measure by the first `length` characters of `name`; NULL = there is none. */
const pv_measure_entry *pv_i_measure_named(const char *name, size_t length);

/* A measure ready to measure scheme after scheme. */
typedef struct pv_meter {
    const pv_measure_entry *entry;
    double parameter;
    void *state;
} pv_meter;

/* Fails if the measure needs a column the study does not have. */
PV_CHECKED pv_status pv_i_meter_init(pv_meter *meter, pv_measure_ref ref, const pv_profile *profile,
                                     pv_error *error);
void pv_i_meter_deinit(pv_meter *meter);
PV_CHECKED pv_status pv_i_meter_read(const pv_meter *meter, const pv_classes *classes,
                                     double *value, pv_error *error);

/* Fails if the study lacks a column that the measure needs, or the sensitive one it is asked of,
 * whose number goes to `sensitive`; SIZE_MAX = it is asked of all. */
PV_CHECKED pv_status pv_i_measure_check(pv_measure_ref ref, const pv_study *study,
                                        size_t *sensitive, pv_error *error);
/* Of a measure that is not about sensitive values, asked of a column. */
PV_CHECKED pv_status pv_i_fail_of_column(const pv_measure *measure, pv_error *error);

/* pv_measure_rows for `n` rows only; `rows` NULL = for all. */
PV_CHECKED pv_status pv_i_measure_rows(pv_measure_ref ref, const pv_classes *classes,
                                       const uint64_t *rows, uint64_t n, double *values,
                                       pv_error *error);

/* Per demand: the rows of the classes that break it, and by which sensitive attribute. */
#define PV_MOST_RULED_COLUMNS 15
typedef struct pv_broken {
    uint64_t rows[PV_MAX_CONSTRAINTS];
    uint64_t by[PV_MAX_CONSTRAINTS][PV_MOST_RULED_COLUMNS];
} pv_broken;
/* pv_classes_create_demanding; `broken` is not NULL. */
PV_CHECKED pv_status pv_i_classes_create_judged(const pv_profile *profile, const uint8_t *levels,
                                                const pv_constraint *demands, size_t n_demands,
                                                uint64_t budget, pv_broken *broken,
                                                pv_classes **classes, pv_error *error);

/* The same for a scheme that is applied to the profile already (classes/applied.h): of records
 * nothing is judged. */
PV_CHECKED pv_status pv_i_scheme_classes_judged(const pv_profile *profile, const pv_scheme *scheme,
                                                const pv_constraint *demands, size_t n_demands,
                                                uint64_t budget, pv_broken *broken,
                                                pv_classes **classes, pv_error *error);

/* As pv_constraints_parse, for any measure: also for those that a released file alone does not
 * show, such as glm. `bounds` has space for PV_MAX_CONSTRAINTS. */
PV_CHECKED pv_status pv_i_bounds_parse(const char *text, pv_constraint *bounds, size_t *n_bounds,
                                       pv_error *error);

/* --- class_size.c: properties of class sizes alone --- */
double pv_i_simple_k(const pv_classes *, double);
double pv_i_simple_sum_k(const pv_classes *, double);
double pv_i_simple_necd(const pv_classes *, double);
double pv_i_simple_dcn(const pv_classes *, double);
double pv_i_simple_aecs(const pv_classes *, double);
double pv_i_least_dcn(double, double);
double pv_i_least_aecs(double, double);
double pv_i_simple_risk(const pv_classes *, double);
double pv_i_simple_risk_mean(const pv_classes *, double);
double pv_i_simple_risk_above(const pv_classes *, double);
double pv_i_unsuppressed_dcn(void *, const pv_classes *);
pv_status pv_i_value_gini(void *, const pv_classes *, double, double *, pv_error *);
void pv_i_tuples_size(void *, const pv_classes *, double, double *);
void pv_i_tuples_dcn(void *, const pv_classes *, double, double *);
void pv_i_tuples_risk(void *, const pv_classes *, double, double *);
void pv_i_tuples_risk_above(void *, const pv_classes *, double, double *);

/* --- sensitive.c: the sensitive values within classes, scored --- */
typedef struct pv_scorer pv_scorer;
extern const pv_scorer pv_i_l_distinct, pv_i_l_entropy, pv_i_l_recursive, pv_i_t_closeness;
pv_status pv_i_prepare_scores(const void *scorer, const pv_profile *, size_t, void **, pv_error *);
void pv_i_discard_scores(void *state);
pv_status pv_i_value_score(void *, const pv_classes *, double, double *, pv_error *);
void pv_i_tuples_score(void *, const pv_classes *, double, double *);
/* The first sensitive attribute with the worst score, of those it is asked of. */
size_t pv_i_worst_sensitive(void *state, const pv_classes *classes, double parameter);
/* For code that counts values without classes: the score of a tally of one sensitive attribute. */
double pv_i_score_tally(void *state, size_t sensitive, const pv_tally *tally, double parameter);
/* Of the rows tallied, the most that can be in classes that keep a rule that the tally breaks. */
uint64_t pv_i_score_survivors(void *state, size_t sensitive, const pv_tally *tally,
                              const pv_constraint *rule);

/* --- own_value.c: the row's own sensitive value or label in its class --- */
pv_status pv_i_prepare_sum_l(const void *, const pv_profile *, size_t, void **, pv_error *);
pv_status pv_i_prepare_cm(const void *, const pv_profile *, size_t, void **, pv_error *);
void pv_i_discard_tally(void *state);
pv_status pv_i_value_sum_l(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_rows_sum_l(const pv_classes *, size_t, const uint64_t *, uint64_t, double *,
                          pv_error *);
double pv_i_unsuppressed_cm(void *, const pv_classes *);
pv_status pv_i_value_cm(void *, const pv_classes *, double, double *, pv_error *);
pv_status pv_i_rows_cm(const pv_classes *, size_t, const uint64_t *, uint64_t, double *,
                       pv_error *);

/* --- detail.c: detail lost by generalizing, attribute by attribute --- */
typedef struct pv_detail pv_detail;
extern const pv_detail pv_i_glm, pv_i_nwp, pv_i_leaf_utility, pv_i_precision, pv_i_bits;
pv_status pv_i_prepare_detail(const void *detail, const pv_profile *, size_t, void **, pv_error *);
void pv_i_discard_detail(void *state);
pv_status pv_i_value_detail(void *, const pv_classes *, double, double *, pv_error *);
double pv_i_separable_detail(const void *, const uint8_t *);
/* What one row keeps of an attribute whose value is released as this group: the difference to what
 * the measure says of a suppressed row, whatever its direction. */
double pv_i_detail_kept(const void *state, size_t quasi, unsigned level, uint32_t group);
void pv_i_tuples_detail(void *, const pv_classes *, double, double *);

#endif
