/* What the library says of a release against what the oracle says: its classes, its measures; and
 * the classes of two parts of the library against each other, as text. */
#ifndef PV_TESTS_SAME_RELEASE_H
#define PV_TESTS_SAME_RELEASE_H

#include "support/random_study.h"

#include <paravent/measure.h>

/* Classes of the library against the oracle's release of the same random table. */
void compare_classes(const random_study *s, const oracle_release *r, const pv_classes *classes);

/* =============================================================== measures */

/* Every measure of the registry against the oracle's release of the same random table. */

bool compare_near(double a, double b);
void compare_measures(random_study *s, const oracle_release *r, const pv_classes *classes);

/* ======================================================== classes as text */

/* The classes of a scheme as text, whoever made them and in whatever order they come: to compare
 * what the evaluator shows with what pv_classes_create makes. */

/* What of the classes shall be shown. */
typedef struct class_parts {
    bool sizes, sensitives, label;
    bool by_size; /* are lost classes in the order of their sizes, rather than of their numbers? */
} class_parts;

/* ------------------------------------------------------- from pv_classes_create */

/* By its public face alone. */
char *class_text_expected(const pv_classes *classes, const class_parts *parts);

/* ------------------------------------------------------------ from the evaluator */

char *class_text_shown(const pv_classes *view, const class_parts *parts);
void class_text_free(char *text);

#endif
