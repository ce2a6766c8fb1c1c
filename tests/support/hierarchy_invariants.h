/* What is true of every hierarchy, checked naively. For tests and fuzz targets alike: nothing of
 * cmocka is used. */
#ifndef PV_TESTS_HIERARCHY_INVARIANTS_H
#define PV_TESTS_HIERARCHY_INVARIANTS_H

#include <paravent/hierarchy.h>

/* NULL, or what is wrong with a hierarchy. */
const char *hierarchy_problem(const pv_hierarchy *h);

#endif
