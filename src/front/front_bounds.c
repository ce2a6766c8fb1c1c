/* Bounds on the points of a front. */
#include "front/front_bounds.h"

#include "base/error.h"
#include "measure/entry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NOT_AN_OBJECTIVE SIZE_MAX

static size_t objective_of(const pv_front *front, pv_measure_ref ref)
{
    for (size_t i = 0; i < front->n_objectives; i++) {
        if (front->objectives[i].measure == ref.measure &&
            fabs(front->objectives[i].parameter - ref.parameter) <= 0) {
            return i;
        }
    }
    return NOT_AN_OBJECTIVE;
}

static bool is_k(const pv_measure *measure)
{
    return measure->rule == PV_RULE_SIZE;
}

/* ---------------------------------------------------------------------- parse */

/* Appends a measure as people write it, if it still fits. */
static void append_measure(char *text, size_t size, pv_measure_ref ref)
{
    const size_t length = strlen(text);
    const char *const comma = length > 0 ? "," : "";
    char name[64];
    pv_measure_text(ref, name, sizeof name);
    (void)snprintf(text + length, size - length, "%s%s", comma, name);
}

static pv_status no_objective(const pv_front *front, pv_measure_ref ref, pv_error *error)
{
    char its_name[64] = "";
    char all_names[256] = "";
    append_measure(its_name, sizeof its_name, ref);
    for (size_t i = 0; i < front->n_objectives; i++) {
        append_measure(all_names, sizeof all_names, front->objectives[i]);
    }
    append_measure(all_names, sizeof all_names, ref);
    return pv_i_hint(
        pv_i_fail(error, PV_STATUS_ARGUMENT, "'%s' is no objective of this front", its_name), error,
        "make it one: --objectives %s", all_names);
}

static pv_status check_objectives(const pv_front_bounds *b, pv_error *error)
{
    for (size_t i = 0; i < b->n_bounds; i++) {
        const pv_measure_ref ref = b->bounds[i].ref;
        if (objective_of(b->front, ref) == NOT_AN_OBJECTIVE && !is_k(ref.measure)) {
            return no_objective(b->front, ref, error);
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_i_front_bounds_parse(const pv_front *front, const pv_profile *profile,
                                  const char *text, pv_front_bounds *bounds, pv_error *error)
{
    pv_front_bounds b = {.front = front, .profile = profile};
    PV_TRY(pv_i_bounds_parse(text, b.bounds, &b.n_bounds, error));
    if (front->n_points == 0) {
        return pv_i_front_is_empty(error);
    }
    PV_TRY(check_objectives(&b, error));
    *bounds = b;
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------------- keep */

/* The value a bound speaks of. */
static double value_for(const pv_front_bounds *b, const pv_constraint *bound, size_t point)
{
    const pv_measure *const measure = bound->ref.measure;
    const size_t objective = objective_of(b->front, bound->ref);
    const double value = objective == NOT_AN_OBJECTIVE ? (double)b->front->points[point].k
                                                       : b->front->points[point].values[objective];
    const bool as_share = bound->bound <= 1 && pv_measure_reads_as_share(measure, b->profile);
    return as_share ? pv_measure_share(measure, b->profile, value) : value;
}

bool pv_i_front_bounds_keep(const pv_front_bounds *bounds, size_t point)
{
    for (size_t i = 0; i < bounds->n_bounds; i++) {
        const pv_constraint *const bound = &bounds->bounds[i];
        if (!pv_constraint_holds(bound, value_for(bounds, bound, point))) {
            return false;
        }
    }
    return true;
}

bool pv_i_front_is_bounded(const pv_front_bounds *bounds, size_t objective)
{
    for (size_t i = 0; i < bounds->n_bounds; i++) {
        if (objective_of(bounds->front, bounds->bounds[i].ref) == objective) {
            return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------- refusals */

pv_status pv_i_front_is_empty(pv_error *error)
{
    return pv_i_fail(error, PV_STATUS_UNSATISFIED, "the front is empty: no scheme was found");
}

/* The best that any point offers for a bound. */
static double best_offer(const pv_front_bounds *b, const pv_constraint *bound)
{
    const bool more = bound->ref.measure->direction == PV_MORE_IS_BETTER;
    double best = value_for(b, bound, 0);
    for (size_t i = 1; i < b->front->n_points; i++) {
        const double value = value_for(b, bound, i);
        best = more ? fmax(best, value) : fmin(best, value);
    }
    return best;
}

pv_status pv_i_front_none_keeps(const pv_front_bounds *bounds, pv_error *error)
{
    const char *const may_be = bounds->front->complete ? "" : "; the search was not complete";
    for (size_t i = 0; i < bounds->n_bounds; i++) {
        const pv_constraint *const bound = &bounds->bounds[i];
        const double best = best_offer(bounds, bound);
        if (!pv_constraint_holds(bound, best)) {
            char text[128];
            pv_constraint_text(bound, text, sizeof text);
            return pv_i_hint(
                pv_i_fail(error, PV_STATUS_UNSATISFIED, "no point of the front has %s", text),
                error, "the %s %s on the front is %.6g%s",
                bound->ref.measure->direction == PV_MORE_IS_BETTER ? "highest" : "lowest",
                bound->ref.measure->name, best, may_be);
        }
    }
    return pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                               "no point of the front keeps all of these bounds together"),
                     error, "each of them alone can be kept%s", may_be);
}
