/* A list of everything that is wrong, so that it can be said all at once: the first twenty problems
 * in full, the others counted. */
#ifndef PV_HIERARCHY_PROBLEMS_H
#define PV_HIERARCHY_PROBLEMS_H

#include <paravent/status.h>
#include <paravent/table.h>
#include <stddef.h>
#include <stdint.h>

#define PV_PROBLEMS_SHOWN 20
#define PV_PROBLEM_SIZE 224
#define PV_LINE_UNIT "line" /* of the file that the failure will name */

/* One problem and its place, such as "line" 12. */
typedef struct pv_problem {
    const char *unit;
    uint64_t number;
    char text[PV_PROBLEM_SIZE];
} pv_problem;

/* Zero-initialised = none. Owns nothing. */
typedef struct pv_problems {
    size_t count;
    pv_problem shown[PV_PROBLEMS_SHOWN]; /* of one unit by number, units as they came */
} pv_problems;

/* Adds one problem; `unit` is a constant. Never to be given a value of the data. */
void pv_i_problems_add(pv_problems *problems, const char *unit, uint64_t number, const char *format,
                       ...) PV_PRINTF(4, 5);
/* Adds a problem with a value of a column, which is named by its first line and its rows. To be
 * called in the order of the lines. */
void pv_i_problems_add_value(pv_problems *problems, const pv_table *table, size_t column,
                             uint32_t code, const char *what);
/* OK if there are none; otherwise a failure with `status` that lists them. `subject` opens the
 * message ("" = nothing); `file` is what the lines belong to (NULL = nothing). */
PV_CHECKED pv_status pv_i_problems_report(const pv_problems *problems, pv_status status,
                                          const char *file, const char *subject, pv_error *error);

/* A label as it appears in a problem: in quotes, and cut when it is long. */
typedef struct pv_quoted {
    char text[36];
} pv_quoted;

pv_quoted pv_i_quoted(const char *label);

#endif
