/* Small tables and hierarchies for tests, and questions about them in one line. Every hierarchy
 * made here is checked by hierarchy_problem. */
#ifndef PV_TESTS_HIERARCHY_SUPPORT_H
#define PV_TESTS_HIERARCHY_SUPPORT_H

#include "support/hierarchy_invariants.h"
#include "support/testing.h"

#include <paravent/hierarchy.h>
#include <stdio.h>
#include <string.h>

/* A text that may be pointed at by a specification, whose texts are its own. */
#define TEXT(text) ((char[]){text})

/* A table from the text of a CSV file with a header. */
pv_table *hierarchy_table(const char *csv);
pv_hierarchy *hierarchy_of(const pv_hierarchy_spec *spec, const pv_table *table, size_t column);

/* The hierarchy of the only column of a table. */
pv_hierarchy *hierarchy_of_csv(const pv_hierarchy_spec *spec, const char *csv);

/* The labels of a level, group by group, joined by blanks. */
void assert_level(const pv_hierarchy *h, unsigned level, const char *expected);

/* The leaves of the groups of a level, joined by blanks. */
void assert_leaves(const pv_hierarchy *h, unsigned level, const char *expected);
void assert_text(const pv_hierarchy *h, const char *expected);

/* Building must fail like this; the output must stay untouched. */
pv_error refusal_of(const pv_hierarchy_spec *spec, const char *csv, pv_status expected);

#endif
