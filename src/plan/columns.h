/* Which columns of a table a plan speaks of: decides what to keep while the header is read, and
 * knows afterwards whether every name of the plan was met. */
#ifndef PV_PLAN_COLUMNS_H
#define PV_PLAN_COLUMNS_H

#include "base/arena.h"

#include <paravent/plan.h>

typedef struct pv_columns {
    const pv_plan *plan;
    bool all_columns, identifiers, unnamed; /* as in pv_study_options */
    const pv_plan_attribute **by_name;
    bool *met; /* per entry of by_name */
    pv_arena arena;
    const char **names; /* all that were seen, to suggest one for a misspelt name */
    size_t n_names, names_capacity;
    size_t n_unnamed; /* of them: those that the plan does not name */
    bool failed;      /* memory ran out on the way */
} pv_columns;

/* Zero-initialise first; deinitialise even after a failure. */
PV_CHECKED pv_status pv_i_columns_init(pv_columns *columns, const pv_plan *plan, pv_error *error);
void pv_i_columns_deinit(pv_columns *columns);

/* For every column of the file, in any order: is it to be kept? `ctx` is the pv_columns (it is a
 * pv_read_options.keep). */
bool pv_i_columns_see(void *ctx, const char *column);
/* Does the plan name the column? */
bool pv_i_columns_named(const pv_columns *columns, const char *column);
/* Fails, at its place in the plan, for the first attribute whose column was not seen. `source` is
 * where the columns are from. */
PV_CHECKED pv_status pv_i_columns_check(const pv_columns *columns, const char *source,
                                        pv_error *error);

#endif
