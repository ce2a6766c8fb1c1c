/* The measures by their definitions, row by row: see oracle.h. */
#ifndef PV_TESTS_ORACLE_MEASURES_H
#define PV_TESTS_ORACLE_MEASURES_H

#include "support/oracle.h"

#include <math.h>

/* How the values of the rows make the value of the release. */
typedef enum oracle_fold {
    ORACLE_SUM,       /* over all rows */
    ORACLE_MEAN,      /* over all rows */
    ORACLE_MIN_KEPT,  /* over the rows that remain */
    ORACLE_MAX_KEPT,  /* over the rows that remain */
    ORACLE_MEAN_KEPT, /* over the rows that remain */
    ORACLE_WHOLE      /* it has a formula of its own */
} oracle_fold;

typedef struct oracle_measure {
    const char *name;
    oracle_fold fold;
    bool shared; /* do all rows of a class have the same value? */
    double (*row)(const oracle_release *release, size_t row, double parameter); /* NULL = none */
    double (*whole)(const oracle_release *release);
} oracle_measure;

/* --------------------------------------------- sensitive values, per class */

int oracle_descending(const void *a, const void *b);
double oracle_l_distinct(const double *counts, size_t n, double parameter);
double oracle_row_l_distinct(const oracle_release *r, size_t row, double parameter);
double oracle_l_entropy(const double *counts, size_t n, double parameter);
double oracle_l_recursive(const double *counts, size_t n, double c);

/* ----------------------------------------------------- earth to be moved */

/* Numbers by value; the missing value last. */
bool oracle_precedes(const char *a, const char *b);

/* The level at which two values first meet; the root is at the top, however early it is reached. */
unsigned oracle_meeting(const oracle_column *c, const char *a, const char *b);

/* ---------------------------------------------------------------- detail */

double oracle_leaves_at(const oracle_release *r, size_t row, size_t quasi);
double oracle_row_glm(const oracle_release *r, size_t row, double parameter);
double oracle_row_nwp(const oracle_release *r, size_t row, double parameter);

/* ---------------------------------------------------------- all together */

enum { ORACLE_MEASURES = 20 };

extern const oracle_measure oracle_measures[ORACLE_MEASURES];

const oracle_measure *oracle_find(const char *name);

/* The property vector. */
void oracle_rows(const oracle_measure *measure, const oracle_release *release, double parameter,
                 double *rows);
double oracle_value(const oracle_measure *measure, const oracle_release *release,
                    const double *rows);

#endif
