/* What a plan demands of every release, and what a scheme file promises of new rows: lists of
 * constraints in which nothing stands twice. */
#include "base/error.h"
#include "plan/plan.h"

#include <math.h>
#include <paravent/measure.h>
#include <stdio.h>

pv_status pv_constraints_add(pv_constraint *list, size_t *n, const pv_constraint *constraint,
                             pv_error *error)
{
    for (size_t i = 0; i < *n; i++) {
        if (list[i].ref.measure == constraint->ref.measure &&
            fabs(list[i].ref.parameter - constraint->ref.parameter) <= 0 &&
            fabs(list[i].bound - constraint->bound) <= 0) {
            return PV_STATUS_OK;
        }
    }
    if (*n == PV_MAX_CONSTRAINTS) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "more than %d constraints are demanded",
                         PV_MAX_CONSTRAINTS);
    }
    list[(*n)++] = *constraint;
    return PV_STATUS_OK;
}

/* An error names the place in the plan. */
static pv_status take(const pv_plan *plan, const pv_plan_require *entries, size_t n_entries,
                      pv_constraint *list, size_t *n, pv_error *error)
{
    *n = 0;
    for (size_t i = 0; i < n_entries; i++) {
        char text[256];
        pv_constraint parsed[PV_MAX_CONSTRAINTS];
        size_t n_parsed = 0;
        pv_status status = PV_STATUS_OK;
        const int length = snprintf(text, sizeof text, "%s=%s", entries[i].name, entries[i].value);
        /* Cut off, a list of demands would still read well, and the last ones would be lost. */
        status = length >= 0 && (size_t)length < sizeof text
                     ? pv_constraints_parse(text, parsed, &n_parsed, error)
                     : pv_i_fail(error, PV_STATUS_LIMIT, "a demand is longer than %zu characters",
                                 sizeof text - 1);
        for (size_t j = 0; j < n_parsed && status == PV_STATUS_OK; j++) {
            status = pv_constraints_add(list, n, &parsed[j], error);
        }
        if (status != PV_STATUS_OK) {
            if (error != NULL && plan->path != NULL) {
                (void)snprintf(error->file, sizeof error->file, "%s", plan->path);
            }
            if (error != NULL) {
                error->line = entries[i].line;
                error->column = entries[i].column;
            }
            return status;
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_plan_demands(const pv_plan *plan, pv_constraint *list, size_t *n, pv_error *error)
{
    return take(plan, plan->require, plan->n_require, list, n, error);
}

pv_status pv_plan_promises(const pv_plan *plan, pv_constraint *list, size_t *n, pv_error *error)
{
    return take(plan, plan->promises, plan->n_promises, list, n, error);
}
