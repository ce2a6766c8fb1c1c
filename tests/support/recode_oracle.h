/* Local recoding for demands by brute force (docs/model.md, section 7c): every partition of the
 * tuples into classes and suppressed ones, each class released as the lowest nodes above what its
 * members chose.
 *
 * Tuples are tried in all subsets, so there must be few. Written from the definitions with strings;
 * of the library only the numbering of the tuples is used. */
#ifndef PV_TESTS_RECODE_ORACLE_H
#define PV_TESTS_RECODE_ORACLE_H

#include "records/disclosure.h"
#include "support/oracle_measures.h"
#include "support/random_study.h"

#define RECODE_TUPLES 9
#define RECODE_SLACK 1e-9

typedef struct recode_oracle {
    const random_records *chosen;
    const pv_constraint *demands;
    size_t n_demands;
    size_t n_tuples;
    size_t row[RECODE_TUPLES];   /* the first with that tuple */
    size_t count[RECODE_TUPLES]; /* rows */
    double *cost;                /* per subset: what it costs as one class; INFINITY = no class */
    double *best;                /* per subset: the best division into classes */
} recode_oracle;

/* ------------------------------------------------------------------ demands */

/* What a measure says of the class of a row. */
double recode_score(const oracle_release *release, size_t row, pv_measure_ref ref);
bool recode_keeps(const pv_constraint *demand, double score);
bool recode_class_keeps(const oracle_release *release, size_t row, const pv_constraint *demands,
                        size_t n_demands);

/* ------------------------------------------------------------------ optimum */

recode_oracle recode_create(const random_records *chosen, const pv_constraint *demands,
                            size_t n_demands);
void recode_free(recode_oracle *o);

/* The least glm with at most `budget` people suppressed, but not everyone; INFINITY: there is no
 * way. Who chose `*` everywhere is suppressed anyhow, for no class may have them; but if everyone
 * is `*`, they are one class. */
double recode_optimum(const recode_oracle *o, size_t budget);

/* ---------------------------------------------------------- the best levels */

/* glm if the scheme of levels in the table's columns is released and classes that break a demand
 * are suppressed; INFINITY if they are too many. If everyone is `*`, nobody is suppressed. */
double recode_levels_loss(const oracle_table *table, const pv_constraint *demands, size_t n_demands,
                          size_t budget);

/* ========================================================= random demands */

/* A random small table whose records chose levels, and demands on the release: for tests of keeping
 * demands record by record. The disclosure is filled in by hand. */

typedef struct enforce_trial {
    random_study study;
    random_records chosen;
    pv_disclosed *tuples;
    pv_disclosure disclosure;
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    size_t n_demands;
    uint64_t budget;
} enforce_trial;

/* As a disclosure has them: of equal levels the lowest. */
void enforce_choose(enforce_trial *t, records_manner manner);
void enforce_demand(enforce_trial *t, const char *demands);
void enforce_init(enforce_trial *t, pv_rng *rng, const random_shape *shape);
void enforce_deinit(enforce_trial *t);
pv_status enforce_try(const enforce_trial *t, const pv_context *context, pv_scheme *scheme,
                      pv_enforced *account, pv_error *error);

/* The whole question, for whoever has to find out what went wrong. */
void enforce_print(const enforce_trial *t);

#define enforce_expect(t, truth)            \
    do {                                    \
        if (!(truth)) {                     \
            enforce_print(t);               \
            fail_msg("not so: %s", #truth); \
        }                                   \
    } while (0)

#endif
