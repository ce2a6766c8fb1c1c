/* Random small tables, once as strings for the oracle and once as a study of the library, which
 * gets to see them only as a publisher would write them: a CSV text and a plan. And random levels
 * for each of their records. */
#ifndef PV_TESTS_RANDOM_STUDY_H
#define PV_TESTS_RANDOM_STUDY_H

#include "base/arena.h"
#include "support/oracle.h"
#include "support/study.h"

#include <paravent/measure.h>
#include <stdio.h>

/* What the next table shall look like; counts are exact, domains at most this large. */
typedef struct random_shape {
    size_t n_rows;
    size_t n_quasi;
    size_t n_values;    /* largest domain of a column */
    bool full;          /* all domains are that large */
    size_t n_sensitive; /* 0..3 */
    bool label;
    unsigned missing; /* one cell of so many; 0 = none */
    unsigned heights; /* most levels below the root; 1..ORACLE_LEVELS - 1 */
    bool uniform;     /* all values equally often, rather than some frequent and some rare */
    unsigned copies;  /* one row of so many looks like an earlier one; 0 = only by chance */
    bool mostly_top;  /* of the random levels, one in twenty is below the top */
    bool granular;    /* numbers without a hierarchy are rounded for cuts */
    bool limited;     /* half of the quasi-identifiers have a `level` or a `max-level` */
} random_shape;

typedef struct random_study {
    pv_rng *rng;
    random_shape shape;
    pv_arena arena; /* of all strings and columns of the oracle's table */
    oracle_table table;
    uint64_t budget; /* the plan's, in rows */
    pv_buffer csv;
    pv_buffer text; /* of the plan */
    bound_study bound;
    pv_profile *profile;
} random_study;

size_t random_below(random_study *s, size_t n);
bool random_one_in(random_study *s, size_t n);
void *random_array(random_study *s, size_t n, size_t size);
const char *random_text(random_study *s, const char *format, ...) PV_PRINTF(2, 3);

/* --------------------------------------------------------------- columns */

void random_columns(random_study *s);

/* ----------------------------------------------------- the publisher's view */

/* The first column, the number of the row, has no role: a row is never an empty line. */
void random_write_csv(random_study *s);
void random_write_plan(random_study *s);

/* ------------------------------------------------------------------ study */

void random_study_init(random_study *s, pv_rng *rng, const random_shape *shape);
void random_study_deinit(random_study *s);

/* Random levels, in the oracle's columns and as the library wants them. */
void random_levels(random_study *s, uint8_t *levels);

/* ---------------------------------------------------- demands of one column */

/* Asks a measure of sensitive values of one column, half of the time. */
void random_column(random_study *s, pv_measure_ref *ref);
/* The sensitive column a measure is asked of, by its name; SIZE_MAX = all of them. */
size_t random_column_of(const pv_measure_ref *ref);
/* What a measure says of the class of a row, by the oracle: of its column, if it has one. */
double random_score(const oracle_release *release, const pv_measure_ref *ref, size_t row);

/* ================================================================ records */

/* Levels of their own for the records of a random small table: once per tuple, as the library wants
 * them, and once per row, as the oracle reads them. */

/* How the levels of different records resemble each other. */
typedef enum records_manner {
    RECORDS_FREE,    /* each level by itself */
    RECORDS_ALIKE,   /* mostly those of everyone */
    RECORDS_STARRED, /* mostly the top */
    RECORDS_EQUAL,   /* those of everyone */
    RECORDS_RAW,     /* all 0 */
    RECORDS_MANNERS
} records_manner;

typedef struct random_records {
    random_study *study;
    uint8_t *levels; /* tuples * quasi-identifiers */
    unsigned *by_row;
} random_records;

unsigned records_height(const random_study *s, size_t q);

/* Makes the rows of the oracle's table follow the levels of the tuples. */
void records_spread(random_records *r);
void records_draw(random_records *r, records_manner manner);
random_records random_records_create(random_study *s);
void random_records_free(random_records *r);
pv_classes *records_classes(const random_study *s, const uint8_t *levels);

/* Ragged trees, labels that repeat, missing values; up to 30 rows. */
random_shape records_shape(pv_rng *rng);

#endif
